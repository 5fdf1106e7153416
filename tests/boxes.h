/* Boxes of other lengths, for tests. */
#ifndef HOLONOM_TESTS_BOXES_H
#define HOLONOM_TESTS_BOXES_H

#include <math.h>
#include <string.h>

#include "simulation/start/lattice.h"

/* What box_brick makes, as an initializer. */
#define BOXES_BRICK(x, y, z)                                                                                 \
  {                                                                                                          \
    {{x}, {0.0, y}, {0.0, 0.0, z}},                                                                          \
    {                                                                                                        \
      {1.0 / (x)}, {0.0, 1.0 / (y)}, { 0.0, 0.0, 1.0 / (z) }                                                 \
    }                                                                                                        \
  }

/* Of these lengths. */
static inline Box boxes_of(const double length[3]) { return box_brick(length[0], length[1], length[2]); }

/* Another length along d. */
static inline Box boxes_with(const Box *box, int d, double length)
{
  const double all[3] = {d == 0 ? length : box_length(box, 0), d == 1 ? length : box_length(box, 1),
                         d == 2 ? length : box_length(box, 2)};
  return boxes_of(all);
}

/* Longer by a factor along d. */
static inline void boxes_stretch(Box *box, int d, double factor)
{
  *box = boxes_with(box, d, factor * box_length(box, d));
}

/* With edges a, b, c as rows, which box_set reduces. */
static inline Box boxes_edges(double ax, double bx, double by, double cx, double cy, double cz)
{
  const double edge[3][3] = {{ax}, {bx, by}, {cx, cy, cz}};
  Box box = {0};
  (void)box_set(&box, edge, NULL);
  return box;
}

/* Edges as they are, reduced or not. */
static inline Box boxes_unreduced(const double edge[3][3])
{
  Box box = box_brick(edge[0][0], edge[1][1], edge[2][2]);
  memcpy(box.h, edge, sizeof box.h);
  box.inverse[1][0] = -edge[1][0] / (edge[0][0] * edge[1][1]);
  box.inverse[2][1] = -edge[2][1] / (edge[1][1] * edge[2][2]);
  box.inverse[2][0] = -(edge[2][0] / edge[0][0] + edge[2][1] * box.inverse[1][0]) / edge[2][2];
  return box;
}

/* What becomes of the coordinates x as these are strained: x[to] += strain x[from], from >= to. */
static inline void boxes_strain(Box *box, int from, int to, double strain)
{
  double edge[3][3];
  memcpy(edge, box->h, sizeof edge);
  for (int d = 0; d < 3; d++)
    edge[d][to] += strain * box->h[d][from];
  *box = boxes_unreduced((const double(*)[3])edge);
}

/* The same lattice by other edges, whole combinations of these, turned until they are lower-triangular, with
 * x[n][3]: every vector v becomes turn v. */
static inline Box boxes_again(const Box *box, const int whole[3][3], double turn[3][3], int n, double *x)
{
  double edge[3][3] = {{0.0}}, own[3][3] = {{0.0}};
  for (int k = 0; k < 27; k++)
    edge[k / 9][k % 3] += whole[k / 9][k / 3 % 3] * box->h[k / 3 % 3][k % 3];
  for (int d = 0; d < 3; d++) { /* rows of turn: edges by Gram and Schmidt */
    memcpy(turn[d], edge[d], sizeof turn[d]);
    for (int e = 0; e <= d; e++) {
      double along = 0.0;
      for (int k = 0; k < 3; k++)
        along += e < d ? edge[d][k] * turn[e][k] : turn[d][k] * turn[d][k];
      own[d][e] = e < d ? along : sqrt(along);
      for (int k = 0; k < 3; k++)
        turn[d][k] = e < d ? turn[d][k] - along * turn[e][k] : turn[d][k] / sqrt(along);
    }
  }
  for (int i = 0; i < n; i++) {
    const double at[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
    for (int d = 0; d < 3; d++)
      x[3 * i + d] = turn[d][0] * at[0] + turn[d][1] * at[1] + turn[d][2] * at[2];
  }
  Box again = {0};
  (void)box_set(&again, (const double(*)[3])own, NULL);
  return again;
}

/* lattice_fill of a state whose lanes are molecules. */
static inline Status boxes_lattice(State *state, Error *error)
{
  Topology *topology;
  TRY(topology_of_state(&topology, state, error));
  const Status status = lattice_fill(topology, state, error);
  topology_free(topology);
  return status;
}

#endif
