/* Processes that share out the batches of one run. Each has its own batches in memory and takes their steps;
 * rank 0, which has place for all, alone starts the run, reads and writes files, and gets from the others
 * what it writes. Ranks NULL: one process, for which each function below is what it would be among one. */
#ifndef HOLONOM_SIMULATION_PARTS_RANKS_H
#define HOLONOM_SIMULATION_PARTS_RANKS_H

#include "simulation/parts/samples.h"

typedef struct Ranks {
  int rank, size;
  /* A message of `root` reaches all. */
  void (*broadcast)(int root, void *data, size_t size);
  /* The least of all, to all. */
  int64_t (*least)(int64_t value);
  /* From one to another, of which one is rank 0; receive_size comes before receive, whose data NULL takes the
   * message and forgets it. A send may wait until it is received. */
  void (*send)(int to, const void *data, size_t size);
  size_t (*receive_size)(int from);
  void (*receive)(int from, void *data, size_t size);
} Ranks;

/* Whether this one writes files. */
bool ranks_writes(const Ranks *ranks);

int64_t ranks_least(const Ranks *ranks, int64_t value);

/* All get the status and error of the one whose fault is of the least `when`, the lowest rank's among equals.
 */
Status ranks_agree(const Ranks *ranks, Status own, int64_t when, Error *error);

/* What is of all, and of each one's batches, from rank 0 to that one; and that of each one's batches to rank
 * 0: the chunks that a part's checkpoint has (parts.h), from memory to memory. The lists of all are alike but
 * for batches that a process has not. Of rank r these are bound[r] up to before bound[r + 1]. */
void ranks_spread(const Ranks *ranks, const ChunkList *list, const int *bound);
void ranks_collect(const Ranks *ranks, const ChunkList *list, const int *bound);

/* What has been gathered goes to rank 0, which puts it to its own. STATUS_MEMORY, at one or the other. */
Status ranks_samples(const Ranks *ranks, const Samples *samples, Error *error);

#endif
