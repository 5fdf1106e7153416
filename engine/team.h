/* A team: the threads that share one state. One thread alone inside a batch, several where there is one
 * large system. Work is split by fixed ranges where its bits depend on who does it, else it is dealt out. */
#ifndef HOLONOM_ENGINE_TEAM_H
#define HOLONOM_ENGINE_TEAM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/await.h"

enum {
  TEAM_LINE = 128, /* bytes between what different threads write: two cache lines, fetched in pairs */
  TEAM_HANDS = 128 /* members that a deal is for; larger teams have fixed shares */
};

/* Members sleep sooner before barriers up to number `until`; how many this time. */
typedef struct TeamRest {
  atomic_uint until, length;
} TeamRest;

/* Of one member. */
typedef struct TeamHand {
  _Atomic(uint64_t) left; /* what it has left of a deal: its number, first and last piece in one word */
  TeamRest rest;          /* it sleeps at once */
  double slept;           /* s, in which it wanted no core */
  char apart[TEAM_LINE - sizeof(uint64_t) - sizeof(TeamRest) - sizeof(double)];
} TeamHand;

/* Zero is the start. What all write, what all watch, and the rest lie on lines of their own. */
typedef struct TeamBarrier {
  atomic_int arrived;
  char apart[TEAM_LINE];
  Await phase;   /* twice the barriers passed, and 1 if a member had met a fault before the last of them */
  TeamRest rest; /* members sleep soon, most of them */
  char apart2[TEAM_LINE];
  atomic_int stop;           /* set by a member that met a fault: see team_stop */
  _Atomic(int64_t) least[2]; /* of team_least, in turn */
  void *shared;              /* what the first member lends to all: set before a barrier, read after it */
  int idler;                 /* 1 + a member that leaves its pieces of deals to others, for tests; 0: none */
  char apart3[TEAM_LINE];
  TeamHand hand[TEAM_HANDS];
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

/* The same, and the least of the members' values, none of them negative, which each member gets. */
int64_t team_least(const Team *team, int64_t value);

/* Seconds that a member has slept at barriers while others were still on their way, so that it wanted no
 * core.
 */
double team_slept(const Team *team);

/* Barriers that were passed, modulo 2^31: equal for all members between two of them, so that memory
 * which is written before one barrier and read after it can be used in turn with another piece, without a
 * second one. 0 for a team of one. */
int64_t team_phase(const Team *team);
int64_t team_barriers(const TeamBarrier *barrier);

/* Pieces 0..n-1 of work that are dealt out as members get to them, n up to 65535: each has a share and takes
 * its pieces from the first on, so that caches keep what they hold, then those of members that are behind,
 * from the last back. Each piece is one member's. There is at most one deal between two barriers. Work
 * stealing: Blumofe and Leiserson 1999; a share in one word that is changed as a whole: Dinan et al. 2009. */
typedef struct TeamDeal {
  const Team *team;
  const int *first; /* [size + 1] where shares begin, or NULL: they are even */
  int n, at, end;   /* at..end-1: those that it has taken */
  uint32_t number;
  int look; /* at whose share */
} TeamDeal;

/* `first` is borrowed, equal for all members. */
TeamDeal team_deal(const Team *team, int n, const int *first);
int team_deal_take(TeamDeal *deal);

/* The next piece for this member, or -1: there are none. */
static inline int team_next(TeamDeal *deal)
{
  if (deal->at < deal->end)
    return deal->at++;
  return deal->number == 0 ? -1 : team_deal_take(deal);
}

/* Stops the team: from the next barrier on team_stopped is true for all members, until team_go_on, which
 * belongs between two barriers. A team of one is never stopped. */
void team_stop(const Team *team);
int team_stopped(const Team *team);
void team_go_on(const Team *team);

/* Sets memory to zero that nobody has touched, each piece by the thread of `threads` whose share it is, so
 * that a machine with several memories puts it next to that thread. `elements` are shared as by team_range.
 */
void team_clear(void *memory, int elements, size_t bytes, int threads);

#endif
