/* The folder that a run writes into: one run at a time, what an earlier run left there is not written over
 * unasked, and what no run left (base/manifest.h), or what this run reads, is not touched at all. */
#ifndef HOLONOM_SIMULATION_RUN_RUN_FOLDER_H
#define HOLONOM_SIMULATION_RUN_RUN_FOLDER_H

#include <stdbool.h>

#include "config/config.h"

/* Where results go unless it is said: FILE without folder and suffix, with ".out" behind. The caller frees
 * it; NULL: no memory. */
char *run_folder_default(const char *file);

typedef struct RunFolder RunFolder;

/* AGAIN: new, but what a run that ended before its first checkpoint left there is taken away. */
typedef enum RunFolderUse {
  RUN_FOLDER_NEW,
  RUN_FOLDER_FORCE,
  RUN_FOLDER_RESUME,
  RUN_FOLDER_AGAIN
} RunFolderUse;

RunFolderUse run_folder_use(bool force, bool resume, bool again);

/* Whether run_folder_open would refuse the folder for what lies in it: STATUS_INPUT. */
Status run_folder_check(const Config *config, const char *dir, RunFolderUse use, Error *error);

/* Before anything is computed. A folder that is there is locked until run_folder_close, or the program's end
 * however it comes. STATUS_INPUT: another run holds the lock (the message says which); it holds results and
 * the use is a new run; a file that the run would write over is no run's, or one that this run reads. The
 * configuration stays the caller's. */
Status run_folder_open(RunFolder **folder, const Config *config, const char *dir, RunFolderUse use,
                       Error *error);

/* Makes the folder if it is not there, takes away what earlier runs left (not to resume), and
 * writes input.yaml, the resolved input, from which the run can be run again where it lies. */
Status run_folder_prepare(RunFolder *folder, Error *error);

/* Before a run writes what it has found: tables, pictures, summary and page of an earlier end go first, so
 * that none of them stands beside newer ones, whatever fails from here on. A checkpoint makes them again. */
Status run_folder_end(const RunFolder *folder, Error *error);

/* Names of all pictures that a run may leave, ended by NULL. */
extern const char *const run_folder_pictures[];

/* Of a run that goes on: the steps that the input of before asked for; 0: not known. */
int64_t run_folder_asked(const RunFolder *folder);

/* Why the folder could not be locked, for the log: some file systems have no locks. NULL: it is locked. */
const char *run_folder_unlocked(const RunFolder *folder);

/* NULL is fine. */
void run_folder_close(RunFolder *folder);

#endif
