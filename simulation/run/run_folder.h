/* The folder of a run. One run at a time uses it; results of earlier runs are overwritten only on request;
 * files that no run wrote (base/manifest.h), or that this run reads, are never touched. */
#ifndef HOLONOM_SIMULATION_RUN_RUN_FOLDER_H
#define HOLONOM_SIMULATION_RUN_RUN_FOLDER_H

#include <stdbool.h>

#include "config/config.h"

/* The default folder: FILE without folder and suffix, plus ".out". The caller frees it; NULL: no memory. */
char *run_folder_default(const char *file);

typedef struct RunFolder RunFolder;

/* AGAIN: new, but the files of a run that ended before its first checkpoint are removed. */
typedef enum RunFolderUse {
  RUN_FOLDER_NEW,
  RUN_FOLDER_FORCE,
  RUN_FOLDER_RESUME,
  RUN_FOLDER_AGAIN
} RunFolderUse;

RunFolderUse run_folder_use(bool force, bool resume, bool again);

/* STATUS_INPUT: run_folder_open would refuse the folder because of its files. */
Status run_folder_check(const Config *config, const char *dir, RunFolderUse use, Error *error);

/* Call it before anything is computed. Locks an existing folder until run_folder_close or the end of the
 * program. STATUS_INPUT: another run holds the lock (named in the message); the folder has results and the
 * use is a new run; a file that would be overwritten is no run's, or is read by this run. The configuration
 * must outlive the folder. */
Status run_folder_open(RunFolder **folder, const Config *config, const char *dir, RunFolderUse use,
                       Error *error);

/* Creates the folder if it is missing, removes files of earlier runs (except to resume), and writes
 * input.yaml, the resolved input, which can be run again from there. */
Status run_folder_prepare(RunFolder *folder, Error *error);

/* Call it before a run writes results: removes tables, pictures, summary and page of an earlier end, so that
 * they never accompany newer ones. A checkpoint can reproduce them. */
Status run_folder_end(const RunFolder *folder, Error *error);

/* Names of all pictures of a run, ended by NULL. */
extern const char *const run_folder_pictures[];

/* Steps that the previous input of a resumed run requested; 0: unknown. */
int64_t run_folder_asked(const RunFolder *folder);

/* The reason why the folder could not be locked, for the log (some file systems have no locks); NULL: it is
 * locked. */
const char *run_folder_unlocked(const RunFolder *folder);

/* May be NULL. */
void run_folder_close(RunFolder *folder);

#endif
