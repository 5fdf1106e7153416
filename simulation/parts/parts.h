/* Merges runs of parts of the replicas. Each part's folder has a checkpoint and its samples (PARTS_SAMPLES):
 * a line with replicas and first step, then records (SampleRecord) in this machine's byte order, ordered by
 * step for each kind of record.
 *
 * Merging, resuming with another division, and messages between processes use the same data: chunks by batch,
 * and records. A part has no final row that is due only because the run ends; the merging run, which has the
 * states, adds it. */
#ifndef HOLONOM_SIMULATION_PARTS_PARTS_H
#define HOLONOM_SIMULATION_PARTS_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "simulation/parts/checkpoint.h"
#include "simulation/parts/samples.h"

#define PARTS_SAMPLES "samples.hol"

/* Times since the start of a run; of a merged run, the sums over its parts. */
typedef struct RunTimes {
  double wall;     /* seconds from begin to end */
  double start;    /* building the start configuration, included */
  double stepping; /* steps with their measurements */
  double output;   /* writing files */
} RunTimes;

typedef struct Parts Parts;

/* Opens n folders with the parts of an ensemble; `into` is the folder of the merged run. STATUS_INPUT:
 * replicas are missing or in two parts, parts have different first or last steps, or `into` is one of the
 * parts; STATUS_IO, STATUS_MEMORY. */
Status parts_open(Parts **parts, int replicas, int n, const char *const *dir, const char *into, Error *error);
void parts_close(Parts *parts); /* may be NULL */

int parts_number(const Parts *parts);

/* The first step, and the folder of the first part. */
int64_t parts_begun(const Parts *parts);
const char *parts_folder(const Parts *parts);

/* Reads the first line of a part's samples: replicas, and first step. False: the file has no such line. */
bool parts_read_head(FILE *file, int replicas[2], int64_t *begun);

/* Writes the log lines. */
void parts_tell(const Parts *parts, Text *log);

/* Reads the chunks of the whole run at the last step of the parts. Call it before writing files. Errors:
 * those of checkpoint_read. */
Status parts_load(Parts *parts, const CheckpointOf *of, const ChunkList *chunks, Ensemble *ensemble,
                  Error *error);

/* Then: the sums of the parts' times. */
RunTimes parts_times(const Parts *parts);

/* The destination of samples: `write` writes the buffered samples and empties the buffers. */
typedef struct PartsWriting {
  const Samples *samples;
  void *self;
  Status (*write)(void *self, Error *error);
} PartsWriting;

/* Reads all samples and passes them to `write`. Errors: STATUS_INPUT, those of `write`. */
Status parts_take(const Parts *parts, const PartsWriting *to, Error *error);

/* Write the first line of a part's samples; the samples gathered since the last flush. */
void parts_head(const int replicas[2], int64_t begun, Text *text);
Status parts_write(const Samples *samples, Text *text, Error *error);

#endif
