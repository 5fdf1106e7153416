/* Trial moves of basin hopping. Molecules of any type move as wholes: their bonds, angles and torsions stay,
 * and the quench after a move changes what is free to change. Rings of hydrogen bonds are turned round where
 * molecules are waters: rigid triangles of one heavy and two equal light atoms. */
#ifndef HOLONOM_SIMULATION_START_MOVES_H
#define HOLONOM_SIMULATION_START_MOVES_H

#include "engine/force.h"
#include "engine/random.h"
#include "topology/topology.h"

typedef struct Moves Moves;

/* For molecules of the topology, which is borrowed. The first force of the field that describes itself as
 * pairs says how large atoms are and how strongly molecules are bound; without one, molecules have the size
 * of a water about each atom, and any counts as the least bound. A Moves belongs to one thread at a time.
 * Errors: STATUS_MEMORY. */
Status moves_create(Moves **moves, const Topology *topology, const ForceField *field, const State *shape,
                    Error *error);
void moves_free(Moves *moves); /* NULL is fine */

/* x[natom][3] in the order of molecules: molecules at random, one beside another. */
void moves_start(const Moves *moves, RandomStream *random, double *x);

/* `to` = `from` after a random trial move; the centre of mass of `from` is at the origin. */
void moves_propose(const Moves *moves, RandomStream *random, const double *from, double *to);

#endif
