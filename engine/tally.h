/* Counts of things by keys, by all of a team, for sorting things by key and then by member: where those of
 * each begin.
 *
 * If each member read the counts of all others, that would grow with the square of the team. So members are
 * of groups: the last of a group that has counted adds up those of the group, without waiting for any, and
 * behind a barrier each reads sums of groups alone. */
#ifndef HOLONOM_ENGINE_TALLY_H
#define HOLONOM_ENGINE_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/team.h"

typedef struct Tally {
  int n, threads; /* keys; room for a team of so many */
  size_t size;    /* bytes of a member, on lines of its own */
  char *memory;
} Tally;

/* For keys 0..n-1 and teams of up to `threads`; false: no memory. */
bool tally_create(Tally *tally, int n, int threads);
void tally_free(Tally *tally); /* all zero is fine */

/* This member's counts [n], all zero, to be added to. */
int *tally_begin(Tally *tally, const Team *team);

/* It has counted; a barrier must follow before tally_places. */
void tally_end(Tally *tally, const Team *team);

/* Works out, for this member, where things go. A barrier must come before the next tally_end of any. */
void tally_places(Tally *tally, const Team *team);

/* [n]: where the first thing of each key that a member has goes; [n + 1]: where those of each key begin, of
 * all members alike. */
int *tally_next(const Tally *tally, int rank);
const int *tally_first(const Tally *tally, int rank);

#endif
