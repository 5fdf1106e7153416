/* A way back: a copy of all that changes in a run, taken now and then between two stretches of steps.
 *
 * Where one of several gangs fails, others have gone on to the end of the stretch, with samples that must not
 * count. Going back and on to the last step that all of them reach makes rows, sums and files such as if the
 * run had been asked to end there, for any number of threads, grouping and length of stretches. */
#ifndef HOLONOM_SIMULATION_RUN_REWIND_H
#define HOLONOM_SIMULATION_RUN_REWIND_H

#include "base/bytes.h"
#include "simulation/simulation_private.h"

/* What has been sampled at one step, with `size` bytes behind it. Those of one event and step make one sample
 * together. */
typedef struct SampleRecord {
  int32_t what; /* the sampler's event; 0: every part of the ensemble has one at this step */
  int32_t size;
  int64_t step;
} SampleRecord;

/* When samples are put together: at the start, after a stretch of steps, after one that ended in a fault, and
 * where the run has come to its end, which is no matter of what was sampled before. */
typedef enum Occasion { OCCASION_START, OCCASION_WAY, OCCASION_FAULT, OCCASION_END } Occasion;

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

typedef struct Rewind Rewind;

struct Ranks;

/* Borrows all. *rewind is NULL where there is one gang, which nothing runs ahead of. Errors: STATUS_MEMORY.
 */
Status rewind_create(Rewind **rewind, Simulation *simulation, const Samples *samples,
                     const struct Ranks *ranks, Error *error);
void rewind_free(Rewind *rewind);

/* Before a stretch of steps, after a flush: takes a copy if none is there or if that costs little time.
 * Nothing for NULL. */
void rewind_keep(Rewind *rewind);

/* After steps that failed, at this process or another, in a stretch that began at step `from`: all gangs at
 * the last step that all reach without a fault, with what was sampled after `from` in the buffers. *error
 * becomes the earliest fault, which may come to light only now, since some are looked for every few steps.
 * Nothing for NULL. */
void rewind_to_last(Rewind *rewind, int64_t from, Error *error);

#endif
