/* Neighbour lists of molecules in a periodic box, by the distance of one site of each (the oxygen of
 * water).
 *
 * Positions are fractions of the box as 32-bit integers: o[n][4] = u * 2^32 modulo 2^32, the fourth
 * unused. A wrapped difference is exactly that of nearest images (for boxes that are not rectangular see
 * images.h). Molecules are sorted by cells about half the list radius wide, and list entries are places in
 * that order. Each pair is in one list only. Lists depend only on the positions, not on the number of
 * threads.
 *
 * Molecules may be of several sorts (particle classes). Places are ordered by sort first. Each pair of
 * sorts has a cutoff and a buffer of its own, and each list contains partners of one sort. For two sorts,
 * the places of the later one list the earlier one: few atoms in much water have long lists of waters, and
 * waters list only waters. Hidden pairs are in no list.
 *
 * A list is rebuilt as soon as the sum of the two largest displacements of two sorts reaches their buffer,
 * so no pair within the cutoff is ever missing. A change of the box since the last build reduces the
 * buffer.
 *
 * Up to LIST_SHARE places close to each other, such as atoms of a molecule, may share a list of all
 * partners near one of them: reading and writing a partner then serves all. Bits of an entry mark the
 * places that it does not pair with.
 *
 * Offsets to other cells are taken modulo the number of cells, each with its opposite once; boxes of two
 * or three cells an edge need no other code. All candidates of a cell are copied side by side and tested
 * one register at a time. */
#ifndef HOLONOM_FORCEFIELDS_LIST_H
#define HOLONOM_FORCEFIELDS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "engine/box.h"
#include "engine/isa.h"
#include "engine/team.h"

enum {
  LIST_PAD = 16,     /* lists are padded to a multiple of this many entries */
  LIST_CHUNKS = 128, /* the most chunks of a list */
  LIST_BLOCK = 32,   /* places of a block */
  LIST_SHARE = 4,    /* the most places that share a list */
  LIST_MARK = 28,    /* the bit of an entry that is set where the first sharing place does not pair with it */
  LIST_PLACE = (1 << LIST_MARK) - 1 /* the bits of the place */
};

/* The largest distance from the first place that shares a list, relative to the radius of pairs of that
 * sort. */
#define LIST_TOGETHER 0.2

/* The number of blocks for n places. */
static inline int list_blocks(int n) { return (n + LIST_BLOCK - 1) / LIST_BLOCK; }

/* All pointers are borrowed. */
typedef struct ListSorts {
  int n;
  const uint8_t *of;             /* [molecules] the sort, from 0; each sort has at least one molecule */
  const double *cutoff, *buffer; /* [n][n] as in ListOptions, for two sorts */
  /* Molecules hidden from molecule i, ascending: hidden[begin[i]] to hidden[begin[i + 1] - 1]. Each pair is
   * listed for both molecules. NULL: none. */
  const int *begin, *hidden;
  const bool *share; /* [n] whether places of a sort share lists; NULL: no */
} ListSorts;

typedef struct ListOptions {
  const Box *box; /* borrowed */
  double cutoff;  /* lists contain all pairs closer than this, A; at most half of box_shortest */
  double buffer;  /* lists contain pairs up to cutoff + buffer, A */
  Isa isa;
  const ListSorts *sorts; /* in place of cutoff and buffer; NULL: one sort */
} ListOptions;

/* Places first[s]..last[s]-1 of each sort: a unit of work. */
typedef struct ListChunk {
  const int32_t *first, *last;
  const int32_t *j; /* entries: places of partners */
  int n;            /* number of entries, padding included */
  const uint8_t
      *touched; /* [list_blocks(n)] 1: the block may contain places or partners of the chunk, else 0 */
} ListChunk;

/* The current list. Partners of sort s of place i in chunk c are c.j[begin[s n + i]] to c.j[end[s n + i] -
 * 1], padded with i itself to a multiple of LIST_PAD. begin[] is a multiple of LIST_PAD.
 *
 * In a sort that shares lists, these are the partners of places i to i + share[i] - 1; the places after i
 * have no list and a share of 0. Bit LIST_MARK + k of an entry is set where it is not a partner of place i
 * + k; padding has all four bits set. */
typedef struct ListView {
  int n, nchunk, nsort; /* nchunk <= LIST_CHUNKS */
  int64_t made;         /* number of builds: equal numbers mean equal lists */
  const int32_t *order; /* [n] the molecule at a place */
  const int32_t *place; /* [n] the place of a molecule */
  const int32_t *begin, *end;
  const uint8_t *share; /* [n] places that share the list of a place; 1 without sharing */
  const ListChunk *chunk;
} ListView;

typedef struct List List;

/* For n molecules. Errors: STATUS_INPUT (the box is open, too small or too flat for the cutoff; an invalid
 * cutoff or buffer), STATUS_MEMORY. */
Status list_create(List **out, const ListOptions *options, int n, Error *error);
void list_free(List *list);

/* Rebuilds the list if it is out of date (always at the first call). All threads of the team call it
 * together, each with an error of its own (or NULL), with the positions of every step: displacements between
 * two calls are those to the nearest image. Errors: STATUS_MEMORY. */
Status list_update(List *list, const Team *team, const int32_t (*o)[4], Error *error);

/* Call after the edges of the borrowed box have changed; images must be at least twice the cutoff apart.
 * Fractions of molecules do not change. The next list_update rebuilds the list if a pair within the cutoff
 * could be missing. Not while another thread is in list_update. Errors: STATUS_INPUT (too flat for the
 * radius; the list is then unusable). */
Status list_set_box(List *list, Error *error);

/* Forces a rebuild in the next list_update. Not while another thread is in list_update. */
void list_forget(List *list);

/* The current list, valid until the next list_update. */
const ListView *list_view(const List *list);

/* The largest number of padded entries of one thread, relative to the mean, for a team of this many equally
 * fast threads. */
double list_imbalance(const List *list, int threads);

#endif
