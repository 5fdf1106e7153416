/* A uniform electric field, constant or periodic in time: the force q E on every charge, virtual sites
 * included.
 *
 *   V = -sum q E.x,   E(t) = E cos(2 pi t/period + phase)
 *
 * x are the positions of the state, which no box wraps, so V is continuous. For neutral molecules it is -M.E
 * with their dipoles M; a net charge makes it depend on the origin and on the path through a box. The virial
 * is that of positions about the centre of mass of each molecule: by molecule the field has none. Frozen
 * atoms feel no field. */
#ifndef HOLONOM_FORCEFIELDS_ELECTRIC_FIELD_H
#define HOLONOM_FORCEFIELDS_ELECTRIC_FIELD_H

#include "engine/force.h"
#include "engine/isa.h"
#include "topology/topology.h"

typedef struct ElectricField {
  double e[3];          /* kcal/mol/A/e: amplitude */
  double period, phase; /* AKMA, radians; period 0: constant, E itself */
  /* The time of step n is time + (n - since) h, AKMA. */
  double h, time;
  int64_t since;
} ElectricField;

/* Whether there is a field. */
static inline bool electric_field_is(const ElectricField *field)
{
  return field->e[0] != 0.0 || field->e[1] != 0.0 || field->e[2] != 0.0;
}

/* For molecules whose charges are known, in states like `shape`; the topology is borrowed. Errors:
 * STATUS_INPUT (an unknown charge, a field that is not finite), STATUS_MEMORY. */
Status electric_field_create(Force *force, const ElectricField *field, const Topology *topology,
                             const State *shape, Isa isa, Error *error);

/* The first molecule type with a net charge; NULL: all are neutral. */
const TopologySort *electric_field_charged(const Topology *topology);

#endif
