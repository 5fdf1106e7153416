/* The samples of a run as records, which are written to a file or sent to another process, and read back. */
#ifndef HOLONOM_SIMULATION_PARTS_SAMPLES_H
#define HOLONOM_SIMULATION_PARTS_SAMPLES_H

#include <stdio.h>

#include "base/bytes.h"
#include "base/chunk.h"
#include "simulation/ensemble/ensemble.h"

/* The head of a record, followed by `size` bytes. Records of the same event and step form one sample. */
typedef struct SampleRecord {
  int32_t what; /* event of the sampler; 0: every part of the ensemble has a record at this step */
  int32_t size;
  int64_t step;
} SampleRecord;

/* Takes samples during a run. All zero except `longest`: no samples. */
typedef struct Samples {
  Sampler sampler;
  unsigned first, last;       /* events at the start; and at the end if not due there anyway */
  int64_t longest;            /* largest number of steps between flushes */
  void (*gather)(void *self); /* prepares the samples for writing; or NULL */
  void (*flush)(void *self);  /* empties the buffers; or NULL */
  /* NULL if parts of an ensemble cannot be merged. pack appends the gathered samples as records; unpack
   * merges a record into the buffers (false: it does not fit); full: there may be no room for another
   * record. */
  void (*pack)(void *self, Bytes *records);
  bool (*unpack)(void *self, const SampleRecord *record, const void *data);
  bool (*full)(void *self);
  ChunkList chunks; /* data of samples that survive a flush */
} Samples;

/* Reads records from part of a file, which may be in memory (fmemopen). */
typedef struct SampleReader {
  const char *name; /* for messages */
  FILE *file;
  int64_t left;      /* bytes */
  int what;          /* the event to read; < 0: all */
  SampleRecord next; /* the next record; size -1: end */
} SampleReader;

/* next finds the next record; read reads it into `samples` and finds the one after it. STATUS_INPUT,
 * STATUS_MEMORY. */
Status samples_next(SampleReader *reader, Error *error);
Status samples_read(SampleReader *reader, const Samples *samples, Error *error);

/* STATUS_INPUT: the records are invalid. */
Status samples_damaged(const SampleReader *reader, Error *error);

#endif
