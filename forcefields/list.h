/* Neighbour lists of molecules in a periodic box, by the distance of one site of each (the oxygen).
 *
 * Positions are fractions of the box as 32-bit integers: o[n][4] = u * 2^32 modulo 2^32, the fourth unused.
 * A difference of two, wrapped, is that of the nearest images, exactly; where a box is no brick images.h says
 * when. Molecules are sorted by cells about half the list radius wide; a list speaks of places in that order.
 * Every pair stands in one list only. Lists depend on the positions alone: not on the number of threads.
 *
 * Molecules may be of several sorts. Places are sorted by them first, each two have a cutoff and a buffer of
 * their own, and lists are by the sort of the partners. Of two sorts the later one has the other in its
 * lists: few atoms in much water have long lists of waters, and waters have lists of waters alone. Pairs may
 * be hidden, and are in no list then.
 *
 * A list is made again as soon as the two largest displacements of two sorts together reach their buffer, so
 * that no pair within the cutoff is ever missing. Where the box has changed since, the buffer is what it
 * leaves of it.
 *
 * Where places lie together, as atoms of a molecule do, up to LIST_SHARE of them may share a list, of all
 * that is near one of them: what is read and written for a partner then serves all. Of each entry bits say
 * which of them do not pair with it.
 *
 * Offsets to other cells are taken modulo the number of cells, each with its opposite once, so that boxes of
 * two or three cells an edge need no other code. All candidates of a cell are copied side by side and tested
 * a register at a time. */
#ifndef HOLONOM_FORCEFIELDS_LIST_H
#define HOLONOM_FORCEFIELDS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "engine/box.h"
#include "engine/isa.h"
#include "engine/team.h"

enum {
  LIST_PAD = 16,     /* every list is filled up to a multiple of this many entries */
  LIST_CHUNKS = 128, /* that a list has at most                                    */
  LIST_BLOCK = 32,   /* places of a block                                          */
  LIST_SHARE = 4,    /* places that share a list, at most                          */
  LIST_MARK = 28,    /* the bit of an entry that is set where the first of them does not pair with it */
  LIST_PLACE = (1 << LIST_MARK) - 1 /* the bits of its place */
};

/* How far places that share a list may be from the first of them, as a share of the radius of pairs of their
 * sort. */
#define LIST_TOGETHER 0.2

/* Blocks that n places fill. */
static inline int list_blocks(int n) { return (n + LIST_BLOCK - 1) / LIST_BLOCK; }

/* All borrowed. */
typedef struct ListSorts {
  int n;
  const uint8_t *of;             /* [molecules] from 0 on, one at least of each                */
  const double *cutoff, *buffer; /* [n][n] as of ListOptions, of two sorts                     */
  /* The molecules that are hidden from molecule i, rising: hidden[begin[i]] up to hidden[begin[i + 1] - 1].
   * Both of a pair say so. NULL: none. */
  const int *begin, *hidden;
  const bool *share; /* [n] whether places of a sort share lists; NULL: none do */
} ListSorts;

typedef struct ListOptions {
  const Box *box; /* borrowed                                                           */
  double cutoff;  /* pairs closer than this must be listed, A; at most half of box_shortest */
  double buffer;  /* pairs are listed up to cutoff + buffer                             */
  Isa isa;
  const ListSorts *sorts; /* in place of cutoff and buffer; NULL: all are alike */
} ListOptions;

/* Places first[s]..last[s]-1 of each sort, a piece of a deal. */
typedef struct ListChunk {
  const int32_t *first, *last;
  const int32_t *j; /* the entries: places of partners */
  int n;            /* how many, with those that fill up */
  const uint8_t
      *touched; /* [list_blocks(n)] 1: the chunk's places or partners may lie in the block, else 0 */
} ListChunk;

/* What a list says. The partners of sort s of place i in chunk c are c.j[begin[s n + i]] up to
 * c.j[end[s n + i] - 1]; up to the next multiple of LIST_PAD entries follow i itself. begin[] is a multiple
 * of LIST_PAD.
 *
 * Of a sort that shares lists these are the partners of places i..i + share[i] - 1, and those behind i have
 * no list of their own and a share of 0. Bit LIST_MARK + k of an entry is set where it is no partner of place
 * i + k, of entries that fill up all four. */
typedef struct ListView {
  int n, nchunk, nsort; /* nchunk <= LIST_CHUNKS */
  int64_t made;         /* how many times the list has been made: equal numbers, equal lists */
  const int32_t *order; /* [n] the molecule at a place */
  const int32_t *place; /* [n] the place of a molecule */
  const int32_t *begin, *end;
  const uint8_t *share; /* [n] how many places have the list of a place: 1 where its sort does not share */
  const ListChunk *chunk;
} ListView;

typedef struct List List;

/* For n molecules. Errors: STATUS_INPUT (the box is open, too small or too flat for the cutoff; a cutoff or
 * buffer that makes no sense), STATUS_MEMORY. */
Status list_create(List **out, const ListOptions *options, int n, Error *error);
void list_free(List *list);

/* Makes the list again if it is stale (always the first time); all threads of the team call it together, with
 * an error each (or NULL). They must see the positions of every step: displacements between two calls
 * are taken as those to the nearest image. Errors: STATUS_MEMORY. */
Status list_update(List *list, const Team *team, const int32_t (*o)[4], Error *error);

/* The box that it borrows has other edges, its images twice the cutoff apart at least. Molecules are where
 * their fractions of it say: the list stays as long as no pair within the cutoff can be missing, and is made
 * again by the next list_update that finds one could. Not while another thread is in list_update. Errors:
 * STATUS_INPUT (too flat for the radius; the list is of no use then). */
Status list_set_box(List *list, Error *error);

/* The next list_update makes it again, whatever has moved. Not while another thread is in list_update. */
void list_forget(List *list);

/* Valid until the next list_update. */
const ListView *list_view(const List *list);

/* The most entries, padded, that one of a team of so many threads has to work on, over the mean, where chunks
 * are dealt out to threads that are equally quick. */
double list_imbalance(const List *list, int threads);

#endif
