/* Coordinates of a state (topology/coordinate_sites.h): the value for eight replicas side by side, and forces
 * along its gradient. Restraints act through it, and so can other potentials of coordinates. */
#ifndef HOLONOM_FORCEFIELDS_COORDINATE_LANES_H
#define HOLONOM_FORCEFIELDS_COORDINATE_LANES_H

#include "forcefields/restraint.h"
#include "topology/coordinate_sites.h"

/* An atom: its location in the first pack of its replicas, and the vectors to the next pack. */
typedef struct CoordinateSpot {
  RestraintSpot spot;
  size_t step;
} CoordinateSpot;

typedef struct CoordinateLanes {
  CoordinateSites sites;
  const CoordinateSpot *spot; /* [sites.natom] */
} CoordinateLanes;

/* For states of the topology of the width of `shape`; arrays live in the arena. Errors: those of
 * coordinate_sites_create. */
Status coordinate_lanes_create(CoordinateLanes *lanes, const CoordinateInput *input, const Topology *topology,
                               const State *shape, Arena *arena, Error *error);

/* Groups of eight replicas of a state, and the replicas in one of them; a state of width 1 has one replica.
 */
int coordinate_lanes_slots(const State *state);
int coordinate_lanes_used(const State *state, int slot);

/* Computes the value in the replicas of group `slot`, and with `slopes` its gradient. */
void coordinate_lanes_read(const CoordinateLanes *lanes, const State *state, int slot, CoordinateReading *r,
                           bool slopes);

/* Adds the gradient times `pull`, a value for each replica, to the forces. For a state of width 1 adds the
 * sum of x_a f_b to virial[3][3], unless it is NULL. */
void coordinate_lanes_pull(const CoordinateLanes *lanes, const State *state, int slot,
                           const CoordinateReading *r, Vec8 pull, double (*virial)[3]);

#endif
