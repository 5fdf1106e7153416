/* Motion onto independent distances of groups of many sites, with the sparse matrix J M^-1 J' of the engine
 * (jacobian.h): time and memory are about linear in the number of sites. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_SPARSE_H
#define HOLONOM_TOPOLOGY_DISTANCES_SPARSE_H

#include "base/arena.h"
#include "topology/distance.h"

/* Moves the sites x[nsite][3] onto the distances in kept[n] (NULL: all), which are independent, by Newton's
 * method: every step is the shortest one in the norm of the masses. If that fails, damped steps follow, from
 * x and from places near it. Errors: STATUS_INPUT (no configuration nearby satisfies all: *worst is the
 * distance with the largest error, x the best configuration found), STATUS_MEMORY. */
Status distances_sparse_move(int nsite, const double *mass, int n, const Distance *distance, const bool *kept,
                             double (*x)[3], int *worst, Error *error);

#endif
