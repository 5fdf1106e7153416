/* Band matrices over lanes: their structure follows from the kind; a solve takes time n half^2.
 *
 * The edges of a graph join nodes that touch (sites that share a potential, constraints that share a site).
 * Each node has `block` unknowns, unknown = node*block + d. Rows are the unknowns in reverse Cuthill-McKee
 * order (Cuthill & McKee 1969; George & Liu 1981), or in their own order if the band is as narrow: a chain of
 * nodes has a half-bandwidth of 1 node, a ring of 2. Matrices and right-hand sides are stored by rows:
 *
 *   symmetric  a[n][half+1]    the lower triangle, (i, j <= i) at a[i][j - i + half]
 *   general    a[n][2*half+1]                      (i, j)      at a[i][j - i + half]
 *
 * Entries outside the matrix are never read.
 *
 * Lanes are factorised side by side without row exchanges, symmetric matrices as L D L', others as L U. The
 * pivots are checked: LAPACK solves a lane again that needs exchanges. */
#ifndef HOLONOM_ENGINE_BAND_H
#define HOLONOM_ENGINE_BAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "engine/isa.h"
#include "engine/vec8.h"

typedef struct Band {
  int n;              /* rows: nodes * block                                      */
  int half;           /* half-bandwidth in rows; 0: diagonal                      */
  int block;          /* unknowns per node                                        */
  const int *row;     /* [n] the row of each unknown                              */
  const int *unknown; /* [n] the unknown of each row                              */
} Band;

/* Creates an immutable band from a graph of nnode nodes and nedge edges; loops and repeated edges are
 * harmless. Errors: STATUS_INPUT (an edge to a node that does not exist, no nodes), STATUS_MEMORY. */
Status band_create(Band **band, int nnode, int block, int nedge, const int edge[][2], Error *error);
void band_free(Band *band);

/* The index of entry (i, j) of a symmetric matrix, for unknowns of one node or of neighbours. */
static inline size_t band_symmetric(const Band *band, int i, int j)
{
  const int a = band->row[i], b = band->row[j];
  const int low = a > b ? a : b, left = a > b ? b : a;
  return (size_t)low * (size_t)(band->half + 1) + (size_t)(left - low + band->half);
}

/* The number of vectors in a matrix. */
static inline size_t band_symmetric_size(const Band *band)
{
  return (size_t)band->n * (size_t)(band->half + 1);
}

static inline size_t band_general_size(const Band *band)
{
  return (size_t)band->n * (size_t)(2 * band->half + 1);
}

/* Factorisations in place and solves with the factors; b[n] by rows becomes x. A factorisation returns the
 * bits of the lanes in which it is sound. In other lanes the factors are undefined: assemble the matrix again
 * and call band_exchange. Lanes are independent. */
typedef struct BandKernels {
  /* L D L'; sound: positive definite. */
  unsigned (*symmetric_factor)(int n, int half, Vec8 *a);
  void (*symmetric_solve)(int n, int half, const Vec8 *a, Vec8 *b);
  /* L U without exchanges, for nearly positive definite matrices; sound: no pivot lost more than 8 digits
   * against its diagonal entry or grew above 16 times its size. */
  unsigned (*general_factor)(int n, int half, Vec8 *a);
  void (*general_solve)(int n, int half, const Vec8 *a, Vec8 *b);
} BandKernels;

const BandKernels *band_kernels(Isa isa);

/* Solves A x = b in the given lanes with row exchanges (LAPACK's dgbsv), leaving A and the other lanes of b
 * unchanged. Returns the bits of the lanes whose matrix is singular; b is unchanged there. */
unsigned band_exchange(int n, int half, bool symmetric, const Vec8 *a, unsigned lanes, Vec8 *b,
                       Vec8 *scratch);
size_t band_exchange_scratch(int n, int half); /* vectors */

/* Solves one system A x = b of scalars with row exchanges, A[n][n] by rows, for `nright` right-hand sides
 * b[nright][n]; pivot[n] and a are scratch. *sign, unless NULL, is the sign of the determinant. False: A is
 * singular, or x is not finite. */
bool band_dense(int n, double *a, int nright, double *b, int *pivot, int *sign);

#endif
