/* Private interface between list.c and the kernels, which are compiled once per instruction set. */
#ifndef HOLONOM_FORCEFIELDS_LIST_KERNELS_H
#define HOLONOM_FORCEFIELDS_LIST_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/isa.h"
#include "forcefields/images.h"

/* Cells further by (dx, dy, from) up to (dx, dy, from + count - 1), modulo the numbers of cells: each pair of
 * cells by one offset, its opposite left out. `twin`: one cell that sees us by the same offset; the one with
 * the larger number is the candidate. */
typedef struct ListRun {
  int dx, dy, from, count;
  bool twin;
} ListRun;

/* Cells where molecules of sort `b` may be near one of sort `a`: of two sorts all but the own cell, of one
 * and the same each pair of cells by one of its two offsets. */
typedef struct ListReach {
  float limit; /* of listed squared distances, A^2 */
  int nrun;
  const ListRun *run;
} ListReach;

typedef struct ListGrid {
  int m[3]; /* cells along each edge; cell (x, y, z) is (x m[1] + y) m[2] + z */
  int ncell, nsort, n;
  float h[3][3]; /* A per unit of the fractions                                  */
  bool oblique;
  Images images;          /* for the radius                                               */
  const ListReach *reach; /* [nsort][nsort], b <= a                               */
  const int32_t *start;   /* [nsort][ncell], and n: first place of each cell      */
  const int32_t *at[3];   /* [n + 16] x, y, z by place                            */
  const int32_t *order;
  const int *begin, *hidden; /* of ListSorts, or NULL                                */
  const int32_t *owner;      /* [n + 16] by place: hidden pairs have the same        */
  const bool *shares;        /* [nsort] or NULL                                      */
  uint8_t *share;            /* [n] by place, as of ListView                         */
} ListGrid;

enum { LIST_COLUMNS = 5 };

/* Memory of one chunk. */
typedef struct ListWork {
  int32_t
      *candidate; /* [LIST_COLUMNS][room]: x, y, z, place, owner of those that one cell is tested against */
  int room;
  int32_t *j;
  int capacity, used;
  uint8_t *touched; /* [list_blocks(n)] set to 1 where candidates are */
} ListWork;

typedef enum ListFit { LIST_FITS, LIST_ROOM, LIST_CAPACITY } ListFit; /* else: which was too small */

typedef struct ListKernels {
  /* The lists of all places in cells begin..end-1; first[nsort][n], last likewise. */
  ListFit (*cells)(const ListGrid *grid, int begin, int end, int32_t *first, int32_t *last, ListWork *work);
  /* The two largest squared displacements, A^2, of molecules begin..end-1. */
  void (*moved)(const ListGrid *grid, int begin, int end, const int32_t (*o)[4], const int32_t (*before)[4],
                float top[2]);
} ListKernels;

ISA_DECLARE(ListKernels, list_kernels_table);

#endif
