/* The functions of distances.h by dense matrices of all distances at once: time grows with the cube of their
 * number. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_DENSE_H
#define HOLONOM_TOPOLOGY_DISTANCES_DENSE_H

#include "topology/distance.h"

Status distances_dense_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                             DistanceFate *fate, int *worst, Error *error);
Status distances_dense_project(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                               int *worst, Error *error);
Status distances_dense_rank(int nsite, const double *mass, int n, const Distance *distance,
                            const double (*x)[3], double least, int *rank, Error *error);

#endif
