#include "topology/distances.h"

#include "topology/distances_dense.h"
#include "topology/distances_pieces.h"
#include "topology/distances_sparse.h"

Status distances_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                       DistanceFate *fate, int *worst, Error *error)
{
  return nsite > DISTANCES_DENSE ? distances_pieces_solve(nsite, mass, n, distance, x, fate, worst, error)
                                 : distances_dense_solve(nsite, mass, n, distance, x, fate, worst, error);
}

Status distances_project(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                         int *worst, Error *error)
{
  return nsite > DISTANCES_DENSE ? distances_sparse_move(nsite, mass, n, distance, NULL, x, worst, error)
                                 : distances_dense_project(nsite, mass, n, distance, x, worst, error);
}

Status distances_rank(int nsite, const double *mass, int n, const Distance *distance, const double (*x)[3],
                      double least, int *rank, Error *error)
{
  return distances_dense_rank(nsite, mass, n, distance, x, least, rank, error);
}
