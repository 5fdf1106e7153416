/* Processes that share the batches of one run. Each has its own batches in memory and steps them. Rank 0 has
 * memory for all; it alone starts the run, reads and writes files, and receives the samples of the others.
 * Ranks NULL: one process, for which the functions below are trivial. */
#ifndef HOLONOM_SIMULATION_PARTS_RANKS_H
#define HOLONOM_SIMULATION_PARTS_RANKS_H

#include "simulation/parts/samples.h"

typedef struct Ranks {
  int rank, size;
  /* Sends data of `root` to all. */
  void (*broadcast)(int root, void *data, size_t size);
  /* Returns the smallest value of all, to all. */
  int64_t (*least)(int64_t value);
  /* Between rank 0 and another. Call receive_size before receive; receive with data NULL discards the
   * message. A send may wait until it is received. */
  void (*send)(int to, const void *data, size_t size);
  size_t (*receive_size)(int from);
  void (*receive)(int from, void *data, size_t size);
} Ranks;

/* Whether this process writes files. */
bool ranks_writes(const Ranks *ranks);

int64_t ranks_least(const Ranks *ranks, int64_t value);

/* Returns to all the status and error of the process with the smallest `when`, among equals that of the
 * lowest rank. */
Status ranks_agree(const Ranks *ranks, Status own, int64_t when, Error *error);

/* spread sends common chunks, and each process's chunks, from rank 0 to that process; collect sends each
 * process's chunks to rank 0. These are the chunks of a part's checkpoint (parts.h). All lists are equal
 * except for absent batches. Rank r has the batches bound[r] to bound[r + 1] - 1. */
void ranks_spread(const Ranks *ranks, const ChunkList *list, const int *bound);
void ranks_collect(const Ranks *ranks, const ChunkList *list, const int *bound);

/* Sends an array with `size` bytes for each batch to all processes, each batch from the process that has it
 * (MPI_Allgatherv). */
void ranks_allgather(const Ranks *ranks, void *data, size_t size, const int *bound);

/* Sends gathered samples to rank 0, which merges them with its own. STATUS_MEMORY, at either end. */
Status ranks_samples(const Ranks *ranks, const Samples *samples, Error *error);

#endif
