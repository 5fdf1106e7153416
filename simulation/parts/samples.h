/* What a run samples while it steps, as records that are written to a file or sent to another process, and
 * read back. */
#ifndef HOLONOM_SIMULATION_PARTS_SAMPLES_H
#define HOLONOM_SIMULATION_PARTS_SAMPLES_H

#include <stdio.h>

#include "base/bytes.h"
#include "base/chunk.h"
#include "simulation/ensemble/ensemble.h"

/* What has been sampled at one step, with `size` bytes behind it. Those of one event and step make one sample
 * together. */
typedef struct SampleRecord {
  int32_t what; /* the sampler's event; 0: every part of the ensemble has one at this step */
  int32_t size;
  int64_t step;
} SampleRecord;

/* What takes samples in the steps of a run. All zero but `longest`: nothing does. */
typedef struct Samples {
  Sampler sampler;
  unsigned first, last;       /* events of the start; and of the end, where they are not due anyway */
  int64_t longest;            /* steps between two flushes, at most               */
  void (*gather)(void *self); /* of the sampler: what was taken is put together, to be written; or NULL */
  void (*flush)(void *self);  /* what was taken counts, buffers are empty; or NULL */
  /* Where parts of an ensemble can be put together, else NULL: appends what was gathered, as records; takes
   * one into the buffers, beside what is there (false: it does not fit); whether there may be no room for
   * another. */
  void (*pack)(void *self, Bytes *records);
  bool (*unpack)(void *self, const SampleRecord *record, const void *data);
  bool (*full)(void *self);
  ChunkList chunks; /* all that samples change and that outlives a flush */
} Samples;

/* Reads records from these bytes of a file, which may be memory (fmemopen). */
typedef struct SampleReader {
  const char *name; /* for errors */
  FILE *file;
  int64_t left;      /* bytes */
  int what;          /* the event whose records are read; < 0: all */
  SampleRecord next; /* the record that is read next; size -1: there is none */
} SampleReader;

/* Finds the next record; reads that record into `samples`, and finds the one after it. STATUS_INPUT,
 * STATUS_MEMORY. */
Status samples_next(SampleReader *reader, Error *error);
Status samples_read(SampleReader *reader, const Samples *samples, Error *error);

/* STATUS_INPUT: the file is not what it should be. */
Status samples_damaged(const SampleReader *reader, Error *error);

#endif
