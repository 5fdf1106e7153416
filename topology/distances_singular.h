/* Finds singular configurations: configurations at which distances are dependent that are independent
 * elsewhere, such as a planar centre, a planar ring or a folded linkage. The Jacobian has a left null vector
 * there, and SHAKE, RATTLE and projections fail.
 *
 * Singular values do not measure how near such a configuration is. The smallest one of a ring of CH2 groups,
 * which is far from singular, is 0.02; so is that of a carbonyl group whose angles sum to 359.99 degrees. The
 * singular configuration is therefore computed, and counts if it is near and the distances there are close to
 * the requested ones. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_SINGULAR_H
#define HOLONOM_TOPOLOGY_DISTANCES_SINGULAR_H

#include "topology/distances_rows.h"

/* Scratch memory of the functions below. */
typedef struct DistancesSingular {
  DistancesRows *rows;
  int n, *row;          /* the rows in use */
  double *jacobian;     /* [n][3 nsite], overwritten */
  double *value;        /* [n] singular values, falling */
  double *left, *right; /* [n][n], [n][3 nsite]: vector k is row k */
  double *fault, *step, *slope, *square, *track;
  double (*at)[3], (*next)[3];
} DistancesSingular;

/* Which of some dependent distances to leave out. */
typedef struct DistancesDrop {
  int row;      /* -1: none */
  bool extreme; /* its length is (nearly) the largest or smallest that the others allow; false: they do not
                   allow its length */
  bool flat;    /* the sites of the dependent distances are in a plane there */
} DistancesDrop;

/* Allocates in the arena; the rows must outlive *s. STATUS_MEMORY. */
Status distances_singular_make(DistancesSingular *s, DistancesRows *rows, Arena *arena, Error *error);

/* The singular values of the rows in `kept` at x, in s->value, falling. STATUS_RUN: LAPACK did not
 * converge. */
Status distances_singular_values(DistancesSingular *s, const bool *kept, const double (*x)[3], Error *error);

/* Moves x to the nearest minimum of the sum of squared errors of the rows in `kept`, by the
 * Levenberg-Marquardt method. Returns the largest relative error left. */
double distances_singular_approach(DistancesSingular *s, const bool *kept, double (*x)[3]);

/* Finds which of the distances in `kept` to leave out: the last of those that are dependent at x, or at a
 * configuration near x with lengths within 0.2 % of the requested ones. Takes x and fault from
 * distances_singular_approach. STATUS_RUN. */
Status distances_singular_find(DistancesSingular *s, const bool *kept, const double (*x)[3], double fault,
                               DistancesDrop *drop, Error *error);

#endif
