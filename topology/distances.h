/* Selects independent constraints among the distances requested for a group, and finds a configuration that
 * satisfies them. Dependent constraints make the matrices of SHAKE, RATTLE, projections and Fixman's
 * potential singular. Examples: of the ten distances of a methyl group and its neighbour (four bonds, six
 * angles) nine are independent, of the three of a linear molecule two.
 *
 * The test uses the Jacobian, its rows scaled by masses and to unit length, in three steps. (1) Distances
 * that depend on earlier ones at random configurations are left out. (2) The sites move onto all others, or
 * as close as possible. (3) If singular values there, or at the nearest configuration where one is 0, show
 * that the distances are dependent (distances_singular.h), the last dependent one is left out, and the step
 * is repeated. Rows of another form constrain sites to a line (groups_straight.c); these rows never depend on
 * earlier ones. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_H
#define HOLONOM_TOPOLOGY_DISTANCES_H

#include "topology/distance.h"

/* Groups of more sites are treated piece by piece (distances_pieces.h). */
enum { DISTANCES_DENSE = 64 };

/* Moves the sites x[nsite][3] onto the independent distances, by the shortest way in the norm of their
 * masses, and sets fate[n] of each distance; earlier distances take precedence. Errors: STATUS_INPUT (no
 * configuration nearby satisfies all, or sites coincide; *worst is the distance with the largest error, x the
 * configuration found), STATUS_MEMORY. */
Status distances_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                       DistanceFate *fate, int *worst, Error *error);

/* Moves the sites onto distances that are all independent. */
Status distances_project(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                         int *worst, Error *error);

/* The rank of the Jacobian of all distances at x, rows of unit length: the number of singular values above
 * `least`. Errors: STATUS_MEMORY, STATUS_RUN (LAPACK failed). */
Status distances_rank(int nsite, const double *mass, int n, const Distance *distance, const double (*x)[3],
                      double least, int *rank, Error *error);

#endif
