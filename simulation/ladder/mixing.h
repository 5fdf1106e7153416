/* Tests whether the replicas of a run sample the same distribution, and from when on. The potential energy of
 * each replica is averaged over up to BLOCK_ROWS blocks of time; their length doubles when all are full
 * (block_rows.h). */
#ifndef HOLONOM_SIMULATION_LADDER_MIXING_H
#define HOLONOM_SIMULATION_LADDER_MIXING_H

#include "base/chunk.h"
#include "base/status.h"
#include "observables/convergence.h"

typedef struct Mixing Mixing;

/* STATUS_MEMORY. */
Status mixing_create(Mixing **mixing, int batches, int width, Error *error);
void mixing_free(Mixing *mixing);

/* Adds the energies [width] of one batch at one time. Only one thread at a time may use a batch. */
void mixing_add(Mixing *mixing, int batch, const double *energy);

void mixing_chunks(Mixing *mixing, ChunkList *list);

enum { MIXING_CHAINS = 256 };

typedef struct MixingResult {
  int chains;              /* compared replicas: at most MIXING_CHAINS, evenly spread */
  ConvergenceChains alike; /* comparison of these; rhat NaN: too few samples */
  /* Start of the mean over these that leaves the most independent samples, in samples. */
  int64_t start;
  double gain; /* factor by which it increases the number of independent samples */
} MixingResult;

/* STATUS_MEMORY. */
Status mixing_result(const Mixing *mixing, MixingResult *result, Error *error);

#endif
