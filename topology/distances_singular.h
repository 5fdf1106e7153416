/* Where distances depend on each other though they are independent elsewhere: a flat centre, a flat ring, a
 * folded linkage. There the Jacobian has a left null vector, and SHAKE, RATTLE and projections fail.
 *
 * The size of a singular value does not tell how near such a place is: of a ring of CH2 groups, which is far
 * from one, the smallest is 0.02, as of a carbonyl group whose angles sum to 359.99 degrees. So the place
 * itself is looked for, and it counts if it is near and if the distances there are nearly the ones wanted. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_SINGULAR_H
#define HOLONOM_TOPOLOGY_DISTANCES_SINGULAR_H

#include "topology/distances_rows.h"

/* Memory for what follows. */
typedef struct DistancesSingular {
  DistancesRows *rows;
  int n, *row;          /* the rows in use */
  double *jacobian;     /* [n][3 nsite], overwritten                  */
  double *value;        /* [n] singular values, falling               */
  double *left, *right; /* [n][n], [n][3 nsite]: vector k is row k    */
  double *fault, *step, *slope, *square, *track;
  double (*at)[3], (*next)[3];
} DistancesSingular;

/* What to drop of distances that are not independent. */
typedef struct DistancesDrop {
  int row;      /* -1: nothing */
  bool extreme; /* its length is (nearly) the largest or the smallest that the others allow; else the others
                   do not allow its length at all */
  bool flat;    /* and the sites of the distances that depend on each other are in a plane there */
} DistancesDrop;

/* Takes its memory from the room; the rows must outlive it. STATUS_MEMORY. */
Status distances_singular_make(DistancesSingular *s, DistancesRows *rows, Arena *arena, Error *error);

/* Singular values of the rows in `kept` at x, in s->value, falling. STATUS_RUN: LAPACK found none. */
Status distances_singular_values(DistancesSingular *s, const bool *kept, const double (*x)[3], Error *error);

/* Moves x by Levenberg and Marquardt's method to the nearest place with the least sum of squares of the
 * faults of the rows in `kept`. Returns the largest that is left, relative to its length. */
double distances_singular_approach(DistancesSingular *s, const bool *kept, double (*x)[3]);

/* Of the distances in `kept`, which depend on each other at x, or at a place near it where their lengths
 * differ by 0.2 % at most from what is wanted, the one to drop: the last in their order. x is where
 * distances_singular_approach left it, with that fault. STATUS_RUN. */
Status distances_singular_find(DistancesSingular *s, const bool *kept, const double (*x)[3], double fault,
                               DistancesDrop *drop, Error *error);

#endif
