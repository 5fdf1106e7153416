/* Distances that are to be kept among the sites of a group: which of them are independent, and a
 * configuration that has these. Constraints that depend on each other make the matrices of SHAKE, RATTLE,
 * projections and Fixman's potential singular: of the ten distances of a methyl group with its neighbour
 * (four bonds, six angles) nine fix all, of the three of a linear molecule two.
 *
 * The Jacobian shows it, its rows scaled by masses and to unit length, in three steps. (1) Distances that
 * follow from those before them at random places are left out. (2) The sites move onto all others, or as near
 * as these allow. (3) Singular values there, and at the nearest place where one is 0, say whether the
 * distances are independent (distances_singular.h); while they are not, the last that takes part is left out.
 *
 * Sites in a line are kept there by rows of another form (groups_straight.c finds them), which never depend
 * on what comes before them. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_H
#define HOLONOM_TOPOLOGY_DISTANCES_H

#include "base/status.h"
#include "engine/constraint.h"

/* |x_1 - x_0| = length; or, with an axis, (x_0 - (1 - share) x_1 - share x_2) = 0 along it, where sites 1 and
 * 2 are kept `length` apart by another row. */
typedef struct Distance {
  int site[3];
  double length;
  int axis; /* 0: a distance; 1 to 3: x to z */
  double share;
} Distance;

typedef enum DistanceFate {
  DISTANCE_KEPT,
  DISTANCE_REDUNDANT,  /* follows from the ones that are kept, wherever the sites are                  */
  DISTANCE_STRAIGHT,   /* its sites are kept in a line                                                 */
  DISTANCE_DEGENERATE, /* is the largest or smallest that the others allow, to 0.2 %, with the sites in a
                          plane: there it holds nothing to first order */
  DISTANCE_EXTREME,    /* likewise, without a plane                                                    */
  DISTANCE_REFUSED     /* the ones that are kept do not allow it                                       */
} DistanceFate;

/* The smallest singular value of independent distances, whose rows have unit length. */
#define DISTANCES_LEAST 1e-4

/* The constraint of a kind that it is. */
Constraint distances_constraint(const Distance *distance);

/* The sites x[nsite][3], of these masses, move onto the distances that are kept, which come first what comes
 * first, by the shortest way in the norm of their masses, and fate[n] says of each what became of it. Errors:
 * STATUS_INPUT: no configuration near has them all, or sites lie on each other; *worst is the distance that
 * fails most then, and x where it does; STATUS_MEMORY. */
Status distances_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                       DistanceFate *fate, int *worst, Error *error);

/* Only moves the sites onto distances, all of which are independent. */
Status distances_project(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                         int *worst, Error *error);

double distances_length(const Distance *distance, const double (*x)[3]);

/* The rank of the Jacobian of all at x, its rows of unit length: how many singular values are above `least`.
 * STATUS_MEMORY, STATUS_RUN. */
Status distances_rank(int nsite, const double *mass, int n, const Distance *distance, const double (*x)[3],
                      double least, int *rank, Error *error);

#endif
