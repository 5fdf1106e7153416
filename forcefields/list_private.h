/* What the files of neighbour lists share. */
#ifndef HOLONOM_FORCEFIELDS_LIST_PRIVATE_H
#define HOLONOM_FORCEFIELDS_LIST_PRIVATE_H

#include "engine/tally.h"
#include "forcefields/list.h"
#include "forcefields/list_kernels.h"

enum { LIST_SLACK = 16 /* that copies may read over */ };

#define LIST_SAFETY (1.0 + 1e-5) /* of the radius: the tests are in float */

/* Of two sorts. */
typedef struct Between {
  double limit; /* how far two molecules may move together before a pair is missing, A */
  ListRun *run;
} Between;

struct List {
  ListOptions options;
  ListSorts sorts;
  const ListKernels *kernel;
  ListView view;
  ListGrid grid;
  Box box;            /* that the cells are for */
  Between *between;   /* [nsort][nsort] */
  ListReach *far;     /* likewise       */
  int ncell, ncolumn; /* of a sort */
  bool made;
  int32_t *cell, *order, *place, *begin, *end, *start, *at; /* at[3][n + LIST_SLACK] */
  int32_t *by_column;        /* [n] molecules by column, in a column by number */
  Tally tally;               /* of molecules by [nsort][ncolumn], for the largest team so far */
  int32_t *edges;            /* [chunks][2][nsort] first and last places                      */
  int32_t *owner, *owner_at; /* [n] of a molecule and by place, where pairs are hidden, or NULL */
  int32_t (*before)[4];
  uint8_t *share;   /* [n] */
  uint8_t *reached; /* [ncell + ncolumn] offsets of cells, then those of columns: see reach */
  uint8_t *touched; /* [chunks][list_blocks(n)], chunks on lines of their own */
  ListChunk chunk[LIST_CHUNKS];
  ListWork work[LIST_CHUNKS];
  float (*top)[2]; /* [2][LIST_CHUNKS][nsort] the largest squared displacements in shares of the molecules, in
                    * turn */
};

/* Of two sorts, by the number of the pair; the least and the largest. */
double list_cells_radius(const List *list, int pair);
void list_cells_radii(const List *list, double radius[2]);

/* Memory that is not touched yet: the threads that work on it write it first. */
int32_t *list_cells_integers(size_t n);

/* Cells and which of them are near, for the box as it is; false: no memory, and the next time it is tried
 * again.
 */
bool list_cells_make(List *list);

/* Makes all lists for these positions, by all threads of a team; whether this thread's chunks are there. */
bool list_build(List *list, const Team *team, const int32_t (*o)[4]);

static inline int list_sort(const List *list, int i)
{
  return list->sorts.of != NULL ? list->sorts.of[i] : 0;
}

#endif
