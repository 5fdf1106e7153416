/* Private interface between list.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_LIST_KERNELS_H
#define HOLONOM_FORCEFIELDS_LIST_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/isa.h"

/* Cells (x, y) further by dx, dy modulo the number of cells, 0 <= dx < m[0], and in them those z that are up
 * to `reach` away. `self`: the same column is seen from there by the same offset, so that the z decide. */
typedef struct ListColumn {
  int dx, dy, reach;
  bool self;
} ListColumn;

typedef struct ListGrid {
  int m[3];       /* cells along each side; cell (x, y, z) is (x m[1] + y) m[2] + z */
  float scale[3]; /* A per unit of the fractions                                  */
  float limit;    /* of listed squared distances, A^2                             */
  int ncolumn;
  const ListColumn *column; /* the own column (0, 0) first                        */
  const int32_t *start;     /* [cells + 1] first place of each cell               */
  const int32_t *at[3];     /* [n + 16] x, y, z by place                          */
} ListGrid;

/* Memory of one chunk. */
typedef struct ListWork {
  int32_t *candidate; /* [4][room]: x, y, z, place of those that one cell is tested against */
  int room;
  int32_t *j;
  int capacity;
  uint8_t *touched; /* [list_blocks(n)] set to 1 where candidates are */
} ListWork;

typedef enum ListFit { LIST_FITS, LIST_ROOM, LIST_CAPACITY } ListFit; /* else: which was too small */

typedef struct ListKernels {
  /* The lists of all places in cells begin..end-1. */
  ListFit (*cells)(const ListGrid *grid, int begin, int end, int32_t *first, int32_t *last, ListWork *work);
  /* The two largest squared displacements, A^2, of molecules begin..end-1. */
  void (*moved)(const ListGrid *grid, int begin, int end, const int32_t (*o)[4], const int32_t (*before)[4],
                float top[2]);
} ListKernels;

ISA_DECLARE(ListKernels, list_kernels_table);

#endif
