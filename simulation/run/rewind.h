/* A way back: a copy of all that changes in a run, taken now and then between two stretches of steps.
 *
 * Where one of several batches fails, others have gone on to the end of the stretch, with samples that must
 * not count. Going back and on to the last step that all of them reach makes rows, sums and files such as if
 * the run had been asked to end there, for any number of threads, grouping and length of stretches. */
#ifndef HOLONOM_SIMULATION_RUN_REWIND_H
#define HOLONOM_SIMULATION_RUN_REWIND_H

#include "simulation/parts/samples.h"
#include "simulation/simulation_private.h"

typedef struct Rewind Rewind;

struct Ranks;

/* Borrows all. *rewind is NULL where there is one batch, which nothing runs ahead of. Errors: STATUS_MEMORY.
 */
Status rewind_create(Rewind **rewind, Simulation *simulation, const Samples *samples,
                     const struct Ranks *ranks, Error *error);
void rewind_free(Rewind *rewind);

/* Before a stretch of steps, after a flush: takes a copy if none is there or if that costs little time.
 * Nothing for NULL. */
void rewind_keep(Rewind *rewind);

/* After steps that failed, at this process or another, in a stretch that began at step `from`: all batches at
 * the last step that all reach without a fault, with what was sampled after `from` in the buffers. *error
 * becomes the earliest fault, which may come to light only now, since some are looked for every few steps.
 * Nothing for NULL. */
void rewind_to_last(Rewind *rewind, int64_t from, Error *error);

#endif
