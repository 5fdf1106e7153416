/* Boxes of other lengths, for tests. */
#ifndef HOLONOM_TESTS_BOXES_H
#define HOLONOM_TESTS_BOXES_H

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
