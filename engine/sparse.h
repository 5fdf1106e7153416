/* Sparse matrices over lanes with a symmetric pattern, for groups of many sites: their structure follows from
 * the kind, and is found once.
 *
 * The edges of a graph join nodes that touch (sites that share a potential, constraints that share a site).
 * Each node has `block` unknowns, unknown = node*block + d. Rows are the unknowns in an order of minimum
 * degree (Tinney & Walker 1967; George & Liu 1981): the next node is the one with the fewest neighbours,
 * which then become neighbours of each other. A tree of nodes fills in nothing, small rings little, so that
 * memory and time are linear in the number of nodes, also where a band (band.h) is wide because of branches.
 * A matrix is stored as
 *
 *   [n] the diagonal, [n] scratch, [nlow] entries below the diagonal by columns, and, unless it is symmetric,
 *   [nlow] their mirror images.
 *
 * Lanes are factorised side by side without row exchanges, symmetric matrices as L D L', others as L U, and
 * the pivots are checked as in band.h. */
#ifndef HOLONOM_ENGINE_SPARSE_H
#define HOLONOM_ENGINE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "engine/band.h"
#include "engine/isa.h"
#include "engine/vec8.h"

typedef struct Sparse {
  int n;              /* rows: nodes * block                                         */
  int nlow;           /* entries below the diagonal, with fill                       */
  int longest;        /* of the columns                                              */
  const int *row;     /* [n] the row of each unknown                                 */
  const int *unknown; /* [n] the unknown of each row                                 */
  const int *first;   /* [n + 1] the first entry of each column                      */
  const int *below;   /* [nlow] row of each entry, rising in a column                */
  const int *target;  /* [work] for each column and pair of its entries (i, j < i, all j of i = 1, then of
                       * i = 2, ...): the entry in row i of the column that is j's row */
  size_t work;        /* multiplications of a symmetric factorisation                */
} Sparse;

/* Creates the structure from a graph of nnode nodes and nedge edges; loops and repeated edges are harmless.
 * *sparse is NULL if a band of the same graph takes less than half the work, or if so many nodes touch each
 * other that the table of targets would be large. Errors: STATUS_MEMORY. */
Status sparse_create(Sparse **sparse, int nnode, int block, int nedge, const int edge[][2], const Band *band,
                     Error *error);
void sparse_free(Sparse *sparse); /* accepts NULL */

/* The index of entry (i, j), for unknowns of one node or of neighbours; symmetric: of (i, j) and (j, i). */
size_t sparse_index(const Sparse *sparse, bool symmetric, int i, int j);

/* The number of vectors in a matrix. */
static inline size_t sparse_size(const Sparse *sparse, bool symmetric)
{
  return 2 * (size_t)sparse->n + (symmetric ? 1 : 2) * (size_t)sparse->nlow;
}

/* Factorisations in place and solves, as in BandKernels; b[n] by rows becomes x. */
typedef struct SparseKernels {
  unsigned (*symmetric_factor)(const Sparse *sparse, Vec8 *a);
  void (*symmetric_solve)(const Sparse *sparse, const Vec8 *a, Vec8 *b);
  unsigned (*general_factor)(const Sparse *sparse, Vec8 *a);
  void (*general_solve)(const Sparse *sparse, const Vec8 *a, Vec8 *b);
  /* From L D L', the entries of the inverse on the diagonal and in the pattern of L, in its place (Takahashi,
   * Fagan & Chen 1973). column[longest] is scratch. */
  void (*inverse)(const Sparse *sparse, Vec8 *a, Vec8 *column);
} SparseKernels;

const SparseKernels *sparse_kernels(Isa isa);

/* Solves A x = b in the given lanes with row exchanges, in the order of a band of the same graph; b[n] is by
 * unknowns. entry[nentry]: all nonzero unknown pairs (i, j), each once (symmetric: one of both). Allocates
 * memory of its own: solves that need exchanges are rare. Returns the lanes that are singular, or for which
 * there is no memory; b is unchanged there. */
unsigned sparse_exchange(const Sparse *sparse, const Band *band, bool symmetric, int nentry,
                         const int entry[][2], const Vec8 *a, unsigned lanes, Vec8 *b);

#endif
