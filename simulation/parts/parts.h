/* Runs of some of the replicas, put together: the folder of each has a checkpoint and what was sampled on the
 * way (PARTS_SAMPLES), a line with replicas and first step, then records (SampleRecord) of this machine's
 * byte order, in the order of steps for each kind of record.
 *
 * Merging, resuming with another division, and messages between processes are one thing: chunks by gang, and
 * records. A part has no last row that is due only because the run ends: who merges has the states, and adds
 * it. */
#ifndef HOLONOM_SIMULATION_PARTS_PARTS_H
#define HOLONOM_SIMULATION_PARTS_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "simulation/run/rewind.h"

#define PARTS_SAMPLES "samples.hol"

/* Of a run from its start on; of one that was put together, those of its parts added up. */
typedef struct RunTimes {
  double wall;     /* seconds from the first to the last                        */
  double start;    /* of these: building the start configuration                */
  double stepping; /* in steps and the measurements among them                  */
  double output;   /* writing files                                             */
} RunTimes;

struct Run;

typedef struct Parts Parts;

/* What lies in n folders, none of which is the one that they go into. STATUS_INPUT with the replicas that are
 * missing or in two parts, or with the parts that have not come to one step or did not begin at one;
 * STATUS_IO, STATUS_MEMORY. */
Status parts_open(Parts **parts, const Simulation *simulation, int n, const char *const *dir,
                  const char *into, Error *error);
void parts_close(Parts *parts); /* NULL is fine */

int parts_number(const Parts *parts);

/* Where they began, and the folder of the first. */
int64_t parts_begun(const Parts *parts);
const char *parts_folder(const Parts *parts);

/* The first line of a part's samples, from the start of its file: replicas, and the step that it began at.
 * False where that is no such line. */
bool parts_read_head(FILE *file, int replicas[2], int64_t *begun);

/* Records of one kind (what < 0: of all) among these bytes of a file, which may be memory (fmemopen). */
typedef struct PartsRecords {
  const char *name; /* for errors */
  FILE *file;
  int64_t left;
  int what;
  SampleRecord next; /* what is looked at; size -1: nothing, they are at their end */
} PartsRecords;

/* Looks on, for the next one; takes that which is looked at, and looks on. STATUS_INPUT, STATUS_MEMORY. */
Status parts_records_look(PartsRecords *records, Error *error);
Status parts_records_take(PartsRecords *records, const Samples *samples, Error *error);

/* For the log. */
void parts_tell(const Parts *parts, Text *log);

/* The run as it stands where they end, before a file is written: errors of checkpoint_read. Then all that was
 * sampled, written by `write`, which flushes, and their times: STATUS_INPUT, those of `write`. */
Status parts_load(Parts *parts, struct Run *run, Error *error);
Status parts_take(Parts *parts, struct Run *run, Status (*write)(struct Run *run, Error *error),
                  Error *error);

/* The first line of a part's samples, self being the run; and what has been gathered since the last flush. */
void parts_head(void *self, Text *text);
Status parts_write(struct Run *run, Text *text, Error *error);

#endif
