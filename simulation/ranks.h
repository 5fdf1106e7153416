/* Processes that share out the gangs of one run. Each has all of the ensemble in memory and takes the steps
 * of its own gangs; rank 0 alone starts the run, reads and writes files, and gets from the others what it
 * writes. Ranks NULL: one process, for which each function below is what it would be among one. */
#ifndef HOLONOM_SIMULATION_RANKS_H
#define HOLONOM_SIMULATION_RANKS_H

#include "engine/chunk.h"
#include "simulation/rewind.h"

typedef struct Ranks {
  int rank, size;
  /* A message of `root` reaches all. */
  void (*broadcast)(int root, void *data, size_t size);
  /* The least of all, to all. */
  int64_t (*least)(int64_t value);
  /* To rank 0, which receives from one after the other; `receive` says the size first. */
  void (*send)(const void *data, size_t size);
  size_t (*receive_size)(int rank);
  void (*receive)(int rank, void *data, size_t size);
} Ranks;

/* Whether this one writes files. */
bool ranks_writes(const Ranks *ranks);

/* The gangs of this one. */
void ranks_share_out(const Ranks *ranks, int ngang, int *first, int *end);

int64_t ranks_least(const Ranks *ranks, int64_t value);

/* All get the status and error of the one whose fault is of the least `when`, the lowest rank's among equals.
 */
Status ranks_agree(const Ranks *ranks, Status own, int64_t when, Error *error);

/* Chunks of rank 0 to all; and those of each one's gangs to rank 0. The lists of all are alike; buffer has
 * room for all of the list. */
void ranks_spread(const Ranks *ranks, const ChunkList *list, void *buffer);
void ranks_collect(const Ranks *ranks, const ChunkList *list, int ngang, void *buffer);

/* What has been gathered goes to rank 0, which puts it to its own. STATUS_MEMORY, at one or the other. */
Status ranks_samples(const Ranks *ranks, const Samples *samples, Error *error);

#endif
