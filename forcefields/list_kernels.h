/* Private interface between list.c and the kernels, compiled once for each instruction set. */
#ifndef HOLONOM_FORCEFIELDS_LIST_KERNELS_H
#define HOLONOM_FORCEFIELDS_LIST_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/isa.h"
#include "forcefields/images.h"

/* Offsets to the cells (dx, dy, from) to (dx, dy, from + count - 1), modulo the numbers of cells. Each pair
 * of cells has one offset; its opposite is left out. `twin`: one cell is both at this offset and at its
 * opposite; the one with the larger number is then the candidate. */
typedef struct ListRun {
  int dx, dy, from, count;
  bool twin;
} ListRun;

/* Cells that may contain molecules of sort `b` near one of sort `a`: for different sorts all except the own
 * cell, for equal sorts each pair of cells by one of its two offsets. */
typedef struct ListReach {
  float limit; /* of listed squared distances, A^2 */
  int nrun;
  const ListRun *run;
} ListReach;

typedef struct ListGrid {
  int m[3]; /* cells along each edge; cell (x, y, z) is (x m[1] + y) m[2] + z */
  int ncell, nsort, n;
  float h[3][3]; /* A per unit of the fractions */
  bool oblique;
  Images images;          /* for the list radius */
  const ListReach *reach; /* [nsort][nsort], b <= a */
  const int32_t *start;   /* [nsort][ncell], then n: first place of each cell */
  const int32_t *at[3];   /* [n + 16] x, y, z by place */
  const int32_t *order;
  const int *begin, *hidden; /* of ListSorts, or NULL */
  const int32_t *owner;      /* [n + 16] by place: equal for hidden pairs */
  const bool *shares;        /* [nsort] or NULL */
  uint8_t *share;            /* [n] by place, see ListView */
} ListGrid;

enum { LIST_COLUMNS = 5 };

/* Memory of one chunk. */
typedef struct ListWork {
  int32_t *candidate; /* [LIST_COLUMNS][room]: x, y, z, place and owner of the candidates of one cell */
  int room;
  int32_t *j;
  int capacity, used;
  uint8_t *touched; /* [list_blocks(n)] set to 1 where candidates are */
} ListWork;

typedef enum ListFit { LIST_FITS, LIST_ROOM, LIST_CAPACITY } ListFit; /* else: the array that was too small */

typedef struct ListKernels {
  /* Builds the lists of all places in cells begin..end-1; first and last are [nsort][n]. */
  ListFit (*cells)(const ListGrid *grid, int begin, int end, int32_t *first, int32_t *last, ListWork *work);
  /* The two largest squared displacements, A^2, of molecules begin..end-1. */
  void (*moved)(const ListGrid *grid, int begin, int end, const int32_t (*o)[4], const int32_t (*before)[4],
                float top[2]);
} ListKernels;

ISA_DECLARE(ListKernels, list_kernels_table);

#endif
