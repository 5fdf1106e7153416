/* Runs of some of the replicas, put together: the folder of each has a checkpoint and what was sampled on the
 * way (PARTS_SAMPLES), a line with replicas and first step, then records (SampleRecord) of this machine's
 * byte order, in the order of steps for each kind of record.
 *
 * Merging, resuming with another division, and messages between processes are one thing: chunks by batch, and
 * records. A part has no last row that is due only because the run ends: who merges has the states, and adds
 * it. */
#ifndef HOLONOM_SIMULATION_PARTS_PARTS_H
#define HOLONOM_SIMULATION_PARTS_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "simulation/parts/checkpoint.h"
#include "simulation/parts/samples.h"

#define PARTS_SAMPLES "samples.hol"

/* Of a run from its start on; of one that was put together, those of its parts added up. */
typedef struct RunTimes {
  double wall;     /* seconds from the first to the last                        */
  double start;    /* of these: building the start configuration                */
  double stepping; /* in steps and the measurements among them                  */
  double output;   /* writing files                                             */
} RunTimes;

typedef struct Parts Parts;

/* The parts of an ensemble of so many replicas, in n folders, none of which is the one that they go into.
 * STATUS_INPUT with the replicas that are
 * missing or in two parts, or with the parts that have not come to one step or did not begin at one;
 * STATUS_IO, STATUS_MEMORY. */
Status parts_open(Parts **parts, int replicas, int n, const char *const *dir, const char *into, Error *error);
void parts_close(Parts *parts); /* NULL is fine */

int parts_number(const Parts *parts);

/* Where they began, and the folder of the first. */
int64_t parts_begun(const Parts *parts);
const char *parts_folder(const Parts *parts);

/* The first line of a part's samples, from the start of its file: replicas, and the step that it began at.
 * False where that is no such line. */
bool parts_read_head(FILE *file, int replicas[2], int64_t *begun);

/* For the log. */
void parts_tell(const Parts *parts, Text *log);

/* Reads the chunks of the whole run, as it stands where the parts end, before a file is written. Errors:
 * those of checkpoint_read. */
Status parts_load(Parts *parts, const CheckpointOf *of, const ChunkList *chunks, Ensemble *ensemble,
                  Error *error);

/* Then the times of all parts, added up. */
RunTimes parts_times(const Parts *parts);

/* Where samples go: `write` writes those that were read, and empties the buffers. */
typedef struct PartsWriting {
  const Samples *samples;
  void *self;
  Status (*write)(void *self, Error *error);
} PartsWriting;

/* Reads all that was sampled, and has it written. Errors: STATUS_INPUT, those of `write`. */
Status parts_take(const Parts *parts, const PartsWriting *to, Error *error);

/* Writes the first line of a part's samples; and what has been gathered since the last flush. */
void parts_head(const int replicas[2], int64_t begun, Text *text);
Status parts_write(const Samples *samples, Text *text, Error *error);

#endif
