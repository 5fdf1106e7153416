/* A team: the threads that share one state. One thread alone inside a gang, several where there is one
 * large system. Work is split by fixed ranges, never by who comes first. */
#ifndef HOLONOM_ENGINE_TEAM_H
#define HOLONOM_ENGINE_TEAM_H

#include <stdatomic.h>

typedef struct TeamBarrier {
  atomic_int arrived;
  atomic_int phase;
  atomic_int stop; /* set by a member that met a fault, read by all just after a barrier */
  void *shared;    /* what the first member lends to all: set before a barrier, read after it */
} TeamBarrier;

typedef struct Team {
  int rank, size;
  TeamBarrier *barrier; /* shared by the team; NULL if size is 1 */
} Team;

static inline Team team_alone(void) { return (Team){0, 1, 0}; }

/* Part `part` of 0..n-1 cut into `parts`, as evenly as can be. */
void team_share(int n, int part, int parts, int *begin, int *end);

/* This thread's share of 0..n-1. */
void team_range(const Team *team, int n, int *begin, int *end);

/* Waits for the others; nothing for a team of one. Everything written before is seen after. */
void team_barrier(const Team *team);

#endif
