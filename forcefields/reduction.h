/* Sums over a team of contributions of listed pairs to rows, one row for each place. Every thread adds to an
 * array of its own; only blocks of places that its chunks of the list touch are cleared and summed. The
 * numbers are integers, so sums do not depend on the order or on which thread computes a chunk. */
#ifndef HOLONOM_FORCEFIELDS_REDUCTION_H
#define HOLONOM_FORCEFIELDS_REDUCTION_H

#include "forcefields/list.h"

typedef struct Reduction Reduction;

/* For n rows of `length` integers of `bytes` (4 or 8) each, and teams of up to `threads` threads. Errors:
 * STATUS_MEMORY. */
Status reduction_create(Reduction **out, int n, int length, int bytes, int threads, Isa isa, Error *error);
void reduction_free(Reduction *reduction);

/* reduction_begin starts a new sum and returns this thread's array, [n][length]. The thread calls
 * reduction_reach before it adds to it for a chunk of the list. */
void *reduction_begin(Reduction *reduction, const Team *team);
void reduction_reach(Reduction *reduction, const Team *team, const ListChunk *chunk);

/* Between two barriers, after all have added: sums this thread's share of the blocks. Returns the sums of all
 * threads, [n][length], complete after the second barrier. */
const void *reduction_sum(Reduction *reduction, const Team *team);

#endif
