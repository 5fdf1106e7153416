/* Where a run is, read from what it leaves in its folder, without writing there: the lock, the last
 * checkpoint, the last row of its table, its results. Also while it is at work. */
#ifndef HOLONOM_CMD_RUN_STATUS_H
#define HOLONOM_CMD_RUN_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/folder_lock.h"
#include "results/results.h"

typedef enum RunState {
  RUN_AT_WORK,
  RUN_COMPLETE,
  RUN_INTERRUPTED, /* with a clean end before the last step                               */
  RUN_FAILED,
  RUN_KILLED, /* or its machine went down                                                 */
  RUN_UNKNOWN /* it has no results, and no lock says whether it was killed or is at work  */
} RunState;

typedef struct RunFile {
  char *name; /* from the run's folder */
  int64_t bytes;
  double time; /* of the last change; seconds, as time(2) counts them */
} RunFile;

/* What is not known: steps -1, numbers NaN, words "". */
typedef struct RunStatus {
  RunState state;
  char holder[FOLDER_HOLDER]; /* who is at work, or was when it was killed                      */
  char message[1024];         /* why it failed, or why its state is not known                   */
  ResultLevel verdict;        /* of its results, where words are there                          */
  char verdict_words[1700];
  bool part;           /* of some replicas only, for holonom merge                       */
  int replicas[2];     /* the first and the last                                         */
  int64_t step, steps; /* how far it is, at least, and is to come                        */
  int64_t saved;       /* step of the checkpoint that --resume goes on from              */
  double saved_time;   /*                                                                */
  char damage[1024];   /* why that one is of no use; saved is then the previous one's    */
  double rate;         /* steps a second: lately, of a run that is at work; else on the whole */
  double ns_per_day;   /* of each replica                                                */
  double left;         /* seconds                                                        */
  double wall;         /* seconds that it has taken, by its checkpoint or results        */
  double written;      /* when a file was written last                                   */
  int nfile;
  RunFile *file; /* those of its list that are there */
} RunStatus;

/* Whether a run has been in this folder, or is. */
bool run_status_known(const char *dir);

/* STATUS_MEMORY. What cannot be read is not known. */
Status run_status_read(RunStatus *run, const char *dir, Error *error);
void run_status_free(RunStatus *run); /* all zero is fine */

/* "at work", "complete", "interrupted", "failed", "killed", "unknown". */
const char *run_status_name(RunState state);

#endif
