/* Do the replicas of a run sample the same, and since when? The potential energy of each replica in up to
 * BLOCK_ROWS stretches of time, whose length doubles when all are full (block_rows.h). */
#ifndef HOLONOM_SIMULATION_LADDER_MIXING_H
#define HOLONOM_SIMULATION_LADDER_MIXING_H

#include "base/chunk.h"
#include "base/status.h"
#include "observables/convergence.h"

typedef struct Mixing Mixing;

/* STATUS_MEMORY. */
Status mixing_create(Mixing **mixing, int batches, int width, Error *error);
void mixing_free(Mixing *mixing);

/* The energies [width] of one batch at one time, each batch by one thread at a time. */
void mixing_add(Mixing *mixing, int batch, const double *energy);

/* Lists all that changes. */
void mixing_chunks(Mixing *mixing, ChunkList *list);

enum { MIXING_CHAINS = 256 };

typedef struct MixingResult {
  int chains;              /* replicas that were looked at: MIXING_CHAINS at most, evenly spread */
  ConvergenceChains alike; /* of these; rhat NaN: too few samples */
  /* Of the mean over these, in samples: the start that leaves the most independent ones. */
  int64_t start;
  double gain; /* how many times as many independent samples are left after it */
} MixingResult;

/* STATUS_MEMORY. */
Status mixing_result(const Mixing *mixing, MixingResult *result, Error *error);

#endif
