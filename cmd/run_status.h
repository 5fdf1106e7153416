/* Reads the state of a run from its folder, also while it runs: the lock, the last checkpoint, the last row
 * of its table, its results. Writes nothing. */
#ifndef HOLONOM_CMD_RUN_STATUS_H
#define HOLONOM_CMD_RUN_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/folder_lock.h"
#include "results/results.h"

typedef enum RunState {
  RUN_AT_WORK,
  RUN_COMPLETE,
  RUN_INTERRUPTED, /* ended cleanly before the last step */
  RUN_FAILED,
  RUN_KILLED, /* or the machine went down */
  RUN_UNKNOWN /* no results, and no lock that tells whether it runs or was killed */
} RunState;

typedef struct RunFile {
  char *name; /* relative to the run's folder */
  int64_t bytes;
  double time; /* of the last change, as in time(2), seconds */
} RunFile;

/* Unknown values: steps -1, numbers NaN, words "". */
typedef struct RunStatus {
  RunState state;
  char holder[FOLDER_HOLDER]; /* host and process that run it, or ran it when it was killed */
  char message[1024];         /* why it failed, or why its state is unknown */
  ResultLevel verdict;        /* of its results; set if verdict_words is not empty */
  char verdict_words[1700];
  bool part;           /* holds some replicas only, for holonom merge */
  int replicas[2];     /* first and last replica */
  int64_t step, steps; /* lower bound of the current step; last step */
  int64_t saved;       /* step of the checkpoint that --resume continues from */
  double saved_time;   /* when that checkpoint was written */
  char damage[1024];   /* why the last checkpoint cannot be read; `saved` is then the previous one */
  double rate; /* steps per second: since the last checkpoint while running, otherwise of the whole run */
  double ns_per_day; /* per replica */
  double left;       /* estimated seconds to the end */
  double wall;       /* seconds used, from its checkpoint or results */
  double written;    /* when a file was last written */
  int nfile;
  RunFile *file; /* existing files of its manifest */
} RunStatus;

/* Whether the folder contains a run, finished or not. */
bool run_status_known(const char *dir);

/* Unreadable values stay unknown. STATUS_MEMORY. */
Status run_status_read(RunStatus *run, const char *dir, Error *error);
void run_status_free(RunStatus *run); /* accepts all zero */

/* "at work", "complete", "interrupted", "failed", "killed", "unknown". */
const char *run_status_name(RunState state);

#endif
