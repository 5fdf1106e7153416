/* Finds the independent distances of groups of many sites piece by piece.
 *
 * A dependence among distances is a set of forces along them that balance at each site (a stress). In a graph
 * whose edges are the distances, consider parts that share one site, or two sites and the distance between
 * them. The forces of one part have neither resultant nor moment, so at the shared sites they act along the
 * shared distance. Therefore the distances of the whole are independent, at any configuration, if and only if
 * those of each part are. A bond of a chain is a part by itself; rings and the centres of constrained angles
 * are small ones. Dense matrices (distances_dense.h) find the rank of each. Parts whose shared distance
 * depends on others in one of them are treated as one. */
#ifndef HOLONOM_TOPOLOGY_DISTANCES_PIECES_H
#define HOLONOM_TOPOLOGY_DISTANCES_PIECES_H

#include "base/arena.h"
#include "topology/distance.h"

/* Parts of a graph: part p has n[p] distances, row[p], in rising order. */
typedef struct DistancesPieces {
  int npiece, capacity;
  int *n, **row;
} DistancesPieces;

/* Cuts the graph of the distances into parts, in the arena. cut[n]: whether parts may share the distance.
 * Errors: STATUS_MEMORY. */
Status distances_pieces_cut(int nsite, int n, const Distance *distance, const bool *cut, Arena *arena,
                            DistancesPieces *pieces, Error *error);

/* distances_solve for many sites. */
Status distances_pieces_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                              DistanceFate *fate, int *worst, Error *error);

#endif
