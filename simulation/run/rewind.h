/* Restores a run to its last sound step from a copy of its chunks, taken now and then between two stretches
 * of steps.
 *
 * When one of several batches fails, others have already reached the end of the stretch, with samples that
 * must not count. The copy is stepped again to the last step that all batches complete. Rows, sums and files
 * are then as if the run had been asked to end there, for any number of threads, grouping and stretch
 * length. */
#ifndef HOLONOM_SIMULATION_RUN_REWIND_H
#define HOLONOM_SIMULATION_RUN_REWIND_H

#include "simulation/parts/samples.h"
#include "simulation/simulation_private.h"

typedef struct Rewind Rewind;

struct Ranks;

/* All arguments must outlive it. *rewind is NULL for one batch, which needs no rewind. Errors:
 * STATUS_MEMORY. */
Status rewind_create(Rewind **rewind, Simulation *simulation, const Samples *samples,
                     const struct Ranks *ranks, Error *error);
void rewind_free(Rewind *rewind);

/* Before a stretch of steps, after a flush: takes the first copy, or another one if that costs little time.
 * rewind may be NULL. */
void rewind_keep(Rewind *rewind);

/* After steps that failed, in any process, in a stretch that began at step `from`: steps all batches to the
 * last step that all complete without a fault, with the samples after `from` in the buffers. *error becomes
 * the earliest fault, which may be found only now, since some faults are tested every few steps. rewind may
 * be NULL. */
void rewind_to_last(Rewind *rewind, int64_t from, Error *error);

#endif
