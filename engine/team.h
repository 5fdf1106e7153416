/* A team: the threads that share one state. A batch uses one thread, a large system several. Work whose bits
 * depend on the thread has fixed ranges; other work is dealt out. */
#ifndef HOLONOM_ENGINE_TEAM_H
#define HOLONOM_ENGINE_TEAM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/await.h"

enum {
  TEAM_LINE = 128, /* bytes between data of different threads: two cache lines, fetched in pairs */
  TEAM_HANDS = 128 /* largest team that deals; larger teams have fixed shares */
};

/* Members sleep earlier at barriers with numbers below `until`; length: how many barriers this time. */
typedef struct TeamRest {
  atomic_uint until, length;
} TeamRest;

/* Data of one member. */
typedef struct TeamHand {
  _Atomic(uint64_t) left; /* the rest of its deal: number, first and last piece in one word */
  TeamRest rest;          /* it sleeps immediately */
  double slept;           /* seconds asleep, without need of a core */
  char apart[TEAM_LINE - sizeof(uint64_t) - sizeof(TeamRest) - sizeof(double)];
} TeamHand;

/* All zero initially. Data that all members write, data that all watch, and the rest have separate lines. */
typedef struct TeamBarrier {
  atomic_int arrived;
  char apart[TEAM_LINE];
  Await phase;   /* twice the barriers passed, plus 1 if a member stopped the team before the last of them */
  TeamRest rest; /* most members sleep early */
  char apart2[TEAM_LINE];
  atomic_int stop;           /* set by a member that met an error: team_stop */
  _Atomic(int64_t) least[2]; /* values of team_least, alternately */
  void *shared;              /* pointer that the first member shares with all: set before a barrier, read
                              * after it */
  int idler;                 /* for tests: 1 + a member that leaves its pieces of deals to others; 0: none */
  char apart3[TEAM_LINE];
  TeamHand hand[TEAM_HANDS];
} TeamBarrier;

typedef struct Team {
  int rank, size;
  TeamBarrier *barrier; /* shared by the team; NULL if size is 1 */
} Team;

static inline Team team_alone(void) { return (Team){0, 1, 0}; }

/* The range of part `part` of 0..n-1, divided as evenly as possible into `parts`. */
void team_share(int n, int part, int parts, int *begin, int *end);

/* This thread's range of 0..n-1. */
void team_range(const Team *team, int n, int *begin, int *end);

/* Waits for the other members; does nothing for a team of one. Writes before it are visible after it. */
void team_barrier(const Team *team);

/* A barrier that also returns to each member the least of the members' values, which must not be negative. */
int64_t team_least(const Team *team, int64_t value);

/* Seconds that a member has slept at barriers while it waited for others. */
double team_slept(const Team *team);

/* The number of barriers passed, modulo 2^31, equal for all members between two barriers; 0 for a team of
 * one. With it, memory written before one barrier and read after it can alternate between two pieces, which
 * saves a second barrier. */
int64_t team_phase(const Team *team);
int64_t team_barriers(const TeamBarrier *barrier);

/* Deals out pieces 0..n-1 of work, n up to 65535, while members become free. Each member has a share and
 * takes its pieces from the first on, which suits caches; then it takes pieces of slower members, from the
 * last back. Each piece goes to one member. At most one deal between two barriers. Work stealing: Blumofe and
 * Leiserson 1999; a share in one word, changed atomically: Dinan et al. 2009. */
typedef struct TeamDeal {
  const Team *team;
  const int *first; /* [size + 1] where shares begin; NULL: equal shares */
  int n, at, end;   /* at..end-1: the pieces that it has taken */
  uint32_t number;
  int look; /* the member whose share it checks next */
} TeamDeal;

/* `first` is borrowed and equal for all members. */
TeamDeal team_deal(const Team *team, int n, const int *first);
int team_deal_take(TeamDeal *deal);

/* The next piece for this member; -1: no piece is left. */
static inline int team_next(TeamDeal *deal)
{
  if (deal->at < deal->end)
    return deal->at++;
  return deal->number == 0 ? -1 : team_deal_take(deal);
}

/* Stops the team: from the next barrier on team_stopped is true for all members, until team_go_on, which must
 * be called between two barriers. A team of one is never stopped. */
void team_stop(const Team *team);
int team_stopped(const Team *team);
void team_go_on(const Team *team);

/* Clears new memory, each range by the thread of `threads` that will use it (team_range), so that a machine
 * with several memories places it near that thread. */
void team_clear(void *memory, int elements, size_t bytes, int threads);

#endif
