/* Counts things by key across a team, to sort them by key and then by member: the result is where each range
 * begins.
 *
 * Reading the counts of all members would cost the square of the team's size. Therefore members form groups:
 * the last of a group to finish counting adds up its group without waiting, and after a barrier each member
 * reads the sums of groups alone. */
#ifndef HOLONOM_ENGINE_TALLY_H
#define HOLONOM_ENGINE_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/team.h"

typedef struct Tally {
  int n, threads; /* keys; the largest team */
  size_t size;    /* bytes of a member, on cache lines of its own */
  char *memory;
} Tally;

/* Creates a tally for keys 0..n-1 and teams of up to `threads`; false: no memory. */
bool tally_create(Tally *tally, int n, int threads);
void tally_free(Tally *tally); /* accepts an all-zero tally */

/* Returns this member's counts [n], all zero, for the member to increase. */
int *tally_begin(Tally *tally, const Team *team);

/* Ends this member's counting; a barrier must follow before tally_places. */
void tally_end(Tally *tally, const Team *team);

/* Computes the places of this member's things. A barrier must precede the next tally_end of any member. */
void tally_places(Tally *tally, const Team *team);

/* [n]: where the first thing of each key of a member goes; [n + 1]: where each key's things begin, over all
 * members. */
int *tally_next(const Tally *tally, int rank);
const int *tally_first(const Tally *tally, int rank);

#endif
