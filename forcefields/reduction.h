/* Sums over a team of what pairs of a list do to rows, one row a place: every thread adds to an array of its
 * own, of which only those blocks of places are cleared and added up that its chunks of the list touch. The
 * numbers are integers, so that neither their order nor whose chunks are whose is of any matter. */
#ifndef HOLONOM_FORCEFIELDS_REDUCTION_H
#define HOLONOM_FORCEFIELDS_REDUCTION_H

#include "forcefields/list.h"

typedef struct Reduction Reduction;

/* For n rows of `length` integers of `bytes` (4 or 8) each, and teams of up to so many threads. Errors:
 * STATUS_MEMORY. */
Status reduction_create(Reduction **out, int n, int length, int bytes, int threads, Isa isa, Error *error);
void reduction_free(Reduction *reduction);

/* This thread's array, [n][length], to begin anew; before it adds to it for a chunk of the list it says so.
 */
void *reduction_begin(Reduction *reduction, const Team *team);
void reduction_reach(Reduction *reduction, const Team *team, const ListChunk *chunk);

/* Between two barriers, after all have added: adds up this thread's share of the blocks; returns the sums of
 * all, [n][length], which are complete after the second. */
const void *reduction_sum(Reduction *reduction, const Team *team);

#endif
