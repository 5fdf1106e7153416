/* Rows of the Jacobian of distances (distances.h), in coordinates sqrt(m) x and scaled to unit length; what
 * follows from them by Gram and Schmidt, and Newton's iteration. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_ROWS_H
#define HOLONOM_TOPOLOGY_DISTANCES_ROWS_H

#include "base/arena.h"
#include "topology/distances.h"

/* Of a row of unit length, as much is left by rounding where it depends on others. */
#define DISTANCES_NOTHING 1e-7
/* The largest fault, relative to the length, of a distance that is met. */
#define DISTANCES_MET 1e-10

/* row = sum of lower times unit rows. */
typedef struct DistancesRows {
  int nsite, n, rank;
  const double *mass;
  const Distance *distance;
  double *unit;  /* [rank][3 nsite]: orthonormal     */
  double *lower; /* [rank][n]                        */
  int *row;      /* [rank] which distance each is of */
  double *part, *step;
} DistancesRows;

/* The gradient of a row at x is weight[k] along / length with respect to its k-th of nsite sites; fault: what
 * its value lacks. */
typedef struct DistancesGradient {
  int nsite;
  double weight[3], along[3], length, fault;
} DistancesGradient;

/* Takes the memory for n rows from the room. STATUS_MEMORY. */
Status distances_rows_make(DistancesRows *rows, int nsite, const double *mass, int n,
                           const Distance *distance, Arena *arena, Error *error);

DistancesGradient distances_rows_gradient(const Distance *distance, const double (*x)[3]);

/* The length of a gradient in coordinates sqrt(m) x. */
double distances_rows_norm(const DistancesGradient *gradient, const Distance *distance, const double *mass);

/* row[3 nsite]: that of distance c at x, of unit length. Returns the length that it had. */
double distances_rows_unit(const DistancesRows *rows, int c, const double (*x)[3], double *row);

/* What a distance lacks at x, without its sign and relative to its length. */
double distances_rows_fault(const Distance *distance, const double (*x)[3]);

/* Makes the rows of the distances in kept[n] (NULL: of all) orthonormal in their order, as far as the ones
 * before leave more of them than `least`, or than rounding of linear rows. is[n] (NULL: not wanted): whether
 * each is one. */
void distances_rows_orthogonalise(DistancesRows *rows, const double (*x)[3], const bool *kept, double least,
                                  bool *is);

/* How much the rows last made orthonormal leave of that of distance c. */
double distances_rows_left(const DistancesRows *rows, int c, const double (*x)[3]);

/* Newton's iteration onto the distances in `kept`; returns the largest fault, relative, before its last
 * step. */
double distances_rows_newton(DistancesRows *rows, const bool *kept, double (*x)[3]);

#endif
