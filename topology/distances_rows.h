/* The Jacobian of distances (distances.h) in coordinates sqrt(m) x, with rows of unit length: its
 * Gram-Schmidt orthogonalisation, and Newton's iteration. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_ROWS_H
#define HOLONOM_TOPOLOGY_DISTANCES_ROWS_H

#include "base/arena.h"
#include "topology/distance.h"

/* The part of a dependent row of unit length that rounding leaves. */
#define DISTANCES_NOTHING 1e-7
/* The largest error, relative to the length, of a satisfied distance. */
#define DISTANCES_MET 1e-10

/* The Gram-Schmidt decomposition: row = sum of lower times unit. */
typedef struct DistancesRows {
  int nsite, n, rank;
  const double *mass;
  const Distance *distance;
  double *unit;  /* [rank][3 nsite]: orthonormal */
  double *lower; /* [rank][n]                        */
  int *row;      /* [rank] the distance of each row */
  double *part, *step;
} DistancesRows;

/* The gradient of a row at x, weight[k] along / length for the k-th of nsite sites, and its error: the
 * required value minus the value at x. */
typedef struct DistancesGradient {
  int nsite;
  double weight[3], along[3], length, fault;
} DistancesGradient;

/* Allocates the memory of n rows in the arena. STATUS_MEMORY. */
Status distances_rows_make(DistancesRows *rows, int nsite, const double *mass, int n,
                           const Distance *distance, Arena *arena, Error *error);

DistancesGradient distances_rows_gradient(const Distance *distance, const double (*x)[3]);

/* The length of a gradient in coordinates sqrt(m) x. */
double distances_rows_norm(const DistancesGradient *gradient, const Distance *distance, const double *mass);

/* Computes row[3 nsite], the gradient of distance c at x, normalised. Returns its length before
 * normalisation. */
double distances_rows_unit(const DistancesRows *rows, int c, const double (*x)[3], double *row);

/* The absolute error of a distance at x, relative to its length. */
double distances_rows_fault(const Distance *distance, const double (*x)[3]);

/* STATUS_INPUT, with the distance of the largest error among those in kept[n] (NULL: all) in *worst. */
Status distances_rows_unsolved(int n, const Distance *distance, const bool *kept, const double (*x)[3],
                               int *worst, Error *error);

/* Orthonormalises the rows of the distances in kept[n] (NULL: all) in order. Rows of which earlier ones leave
 * less than `least` (linear rows: less than rounding) are left out; is[n] (may be NULL) reports the
 * others. */
void distances_rows_orthogonalise(DistancesRows *rows, const double (*x)[3], const bool *kept, double least,
                                  bool *is);

/* The part of the row of distance c that is orthogonal to the rows last orthonormalised. */
double distances_rows_left(const DistancesRows *rows, int c, const double (*x)[3]);

/* Newton's iteration onto the distances in `kept`. Returns the largest relative error before its last
 * step. */
double distances_rows_newton(DistancesRows *rows, const bool *kept, double (*x)[3]);

#endif
