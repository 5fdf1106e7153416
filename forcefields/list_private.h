/* Types and functions shared by the files of the neighbour lists. */
#ifndef HOLONOM_FORCEFIELDS_LIST_PRIVATE_H
#define HOLONOM_FORCEFIELDS_LIST_PRIVATE_H

#include "engine/tally.h"
#include "forcefields/list.h"
#include "forcefields/list_kernels.h"

enum { LIST_SLACK = 16 /* entries that copies may read beyond the end */ };

#define LIST_SAFETY (1.0 + 1e-5) /* factor of the radius, since the tests are in float */

/* For a pair of sorts. */
typedef struct Between {
  double limit; /* sum of two displacements that may lose a pair, A */
  ListRun *run;
} Between;

struct List {
  ListOptions options;
  ListSorts sorts;
  const ListKernels *kernel;
  ListView view;
  ListGrid grid;
  Box box;            /* for which the cells were made */
  Between *between;   /* [nsort][nsort] */
  ListReach *far;     /* likewise */
  int ncell, ncolumn; /* of each sort */
  bool made;
  int32_t *cell, *order, *place, *begin, *end, *start, *at; /* at[3][n + LIST_SLACK] */
  int32_t *by_column;        /* [n] molecules by column, within a column by number */
  Tally tally;               /* counts of molecules by [nsort][ncolumn], for the largest team so far */
  int32_t *edges;            /* [chunks][2][nsort] first and last places */
  int32_t *owner, *owner_at; /* [n] by molecule and by place, with hidden pairs, else NULL */
  int32_t (*before)[4];
  uint8_t *share;   /* [n] */
  uint8_t *reached; /* [ncell + ncolumn] offsets of cells, then of columns: see reach */
  uint8_t *touched; /* [chunks][list_blocks(n)], each chunk on its own cache lines */
  ListChunk chunk[LIST_CHUNKS];
  ListWork work[LIST_CHUNKS];
  float (*top)[2]; /* [2][LIST_CHUNKS][nsort] largest squared displacements by share of the molecules, used
                      alternately */
};

/* The list radius of a pair of sorts, by the pair's number; the least and the largest radius. */
double list_cells_radius(const List *list, int pair);
void list_cells_radii(const List *list, double radius[2]);

/* Memory that is not touched here, so that the threads that use it write it first. */
int32_t *list_cells_integers(size_t n);

/* Makes the cells and their neighbours for the current box; false: out of memory, and the next call tries
 * again. */
bool list_cells_make(List *list);

/* Builds all lists for these positions by all threads of a team; returns whether this thread's chunks
 * succeeded. */
bool list_build(List *list, const Team *team, const int32_t (*o)[4]);

static inline int list_sort(const List *list, int i)
{
  return list->sorts.of != NULL ? list->sorts.of[i] : 0;
}

#endif
