/* Band matrices over lanes: a structure that is known from the kind, and solves in time n half^2.
 *
 * A graph says which nodes touch each other (sites that share a potential, constraints that share a site);
 * each node stands for `block` unknowns, unknown = node*block + d. Rows are the unknowns in reverse
 * Cuthill-McKee order (Cuthill & McKee 1969; George & Liu 1981), or in their own where that is as narrow: a
 * chain of nodes then has a half-bandwidth of 1 node, a ring of 2. Matrices and right-hand sides are kept
 * by rows:
 *
 *   symmetric  a[n][half+1]    the lower triangle, (i, j <= i) at a[i][j - i + half]
 *   general    a[n][2*half+1]                      (i, j)      at a[i][j - i + half]
 *
 * Entries of a row that stick out of the matrix are never read.
 *
 * Lanes are factorised side by side without exchanges of rows, symmetric ones as L D L', others as L U, and
 * pivots are watched: a lane that needs exchanges is solved again by LAPACK. */
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
  int block;          /* unknowns of a node                                       */
  const int *row;     /* [n] the row of an unknown                                */
  const int *unknown; /* [n] the unknown of a row                                 */
} Band;

/* From a graph of nnode nodes and nedge edges; loops and repeated edges do no harm. Immutable.
 * Errors: STATUS_INPUT (an edge to a node that there is not, no nodes), STATUS_MEMORY. */
Status band_create(Band **band, int nnode, int block, int nedge, const int edge[][2], Error *error);
void band_free(Band *band);

/* Where the entry of the unknowns i and j is in a symmetric matrix. They must be of the same node or of
 * neighbours. */
static inline size_t band_symmetric(const Band *band, int i, int j)
{
  const int a = band->row[i], b = band->row[j];
  const int low = a > b ? a : b, left = a > b ? b : a;
  return (size_t)low * (size_t)(band->half + 1) + (size_t)(left - low + band->half);
}

/* Vectors that a matrix has. */
static inline size_t band_symmetric_size(const Band *band)
{
  return (size_t)band->n * (size_t)(band->half + 1);
}

static inline size_t band_general_size(const Band *band)
{
  return (size_t)band->n * (size_t)(2 * band->half + 1);
}

/* Factorisations in place and solves with the factors, b[n] by rows becomes x. A factorisation returns the
 * bits of the lanes in which it is sound; in the others the factors are worth nothing, and the matrix must be
 * assembled anew for band_exchange. Lanes do not see each other. */
typedef struct BandKernels {
  /* L D L'; sound: positive definite. */
  unsigned (*symmetric_factor)(int n, int half, Vec8 *a);
  void (*symmetric_solve)(int n, int half, const Vec8 *a, Vec8 *b);
  /* L U without exchanges, for matrices near to positive definite ones; sound: no pivot has lost more than
   * 8 digits against its diagonal entry, or has grown beyond it. */
  unsigned (*general_factor)(int n, int half, Vec8 *a);
  void (*general_solve)(int n, int half, const Vec8 *a, Vec8 *b);
} BandKernels;

const BandKernels *band_kernels(Isa isa);

/* Solves A x = b in the given lanes with row exchanges (LAPACK's dgbsv), lane by lane, leaving A and the
 * other lanes of b alone. Returns the bits of the lanes whose matrix is singular; b is left as it was there.
 */
unsigned band_exchange(int n, int half, bool symmetric, const Vec8 *a, unsigned lanes, Vec8 *b,
                       Vec8 *scratch);
size_t band_exchange_scratch(int n, int half); /* vectors */

/* One system A x = b of plain numbers with row exchanges, A[n][n] by rows, for `nright` right-hand sides
 * b[nright][n]; pivot[n] and a are scratch. *sign, unless NULL: that of the determinant. False: A is
 * singular, or x not all finite. */
bool band_dense(int n, double *a, int nright, double *b, int *pivot, int *sign);

#endif
