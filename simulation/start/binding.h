/* How strongly each molecule of an open system is bound to the others: from the description of the pair
 * force, site by site as one writes it down. */
#ifndef HOLONOM_SIMULATION_START_BINDING_H
#define HOLONOM_SIMULATION_START_BINDING_H

#include "engine/force.h"
#include "topology/topology.h"

typedef struct Binding Binding;

/* By the first force of the field that describes itself as pairs, on states like `shape`. *binding is NULL,
 * with STATUS_OK, where none does. STATUS_MEMORY. */
Status binding_create(Binding **binding, const Topology *topology, const ForceField *field,
                      const State *shape, Error *error);
void binding_free(Binding *binding); /* NULL is fine */

/* Half the sigma of an atom's Lennard-Jones potential, A; 0: it has none. Atoms in the order of molecules. */
double binding_radius(const Binding *binding, int atom);

/* The molecule whose pair energy with all others is highest, at x[natom][3]. */
int binding_weakest(Binding *binding, const double *x);

#endif
