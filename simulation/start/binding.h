/* The binding energy of each molecule of an open system, site by site, from the description of the pair
 * force. */
#ifndef HOLONOM_SIMULATION_START_BINDING_H
#define HOLONOM_SIMULATION_START_BINDING_H

#include "engine/force.h"
#include "topology/topology.h"

typedef struct Binding Binding;

/* Uses the first force of the field that describes itself as pairs, on states like `shape`. *binding is NULL,
 * with STATUS_OK, without such a force. STATUS_MEMORY. */
Status binding_create(Binding **binding, const Topology *topology, const ForceField *field,
                      const State *shape, Error *error);
void binding_free(Binding *binding); /* may be NULL */

/* Half the Lennard-Jones sigma of an atom, A; 0: no Lennard-Jones. Atoms are ordered by molecule. */
double binding_radius(const Binding *binding, int atom);

/* The molecule with the highest pair energy with all others, at x[natom][3]. */
int binding_weakest(Binding *binding, const double *x);

#endif
