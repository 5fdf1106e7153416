/* Trial moves of basin hopping. Molecules of any type move as rigid bodies; the quench after a move relaxes
 * free bonds, angles and torsions. Rings of hydrogen bonds are reversed among waters: rigid triangles of one
 * heavy and two equal light atoms. */
#ifndef HOLONOM_SIMULATION_START_MOVES_H
#define HOLONOM_SIMULATION_START_MOVES_H

#include "engine/force.h"
#include "engine/random.h"
#include "topology/topology.h"

typedef struct Moves Moves;

/* Makes moves for the molecules of the topology, which must outlive them. The first force of the field that
 * describes itself as pairs provides the sizes of atoms and the binding of molecules. Without one, atoms have
 * the size of a water, and the least bound molecule is a random one. Use a Moves from one thread at a time.
 * Errors: STATUS_MEMORY. */
Status moves_create(Moves **moves, const Topology *topology, const ForceField *field, const State *shape,
                    Error *error);
void moves_free(Moves *moves); /* may be NULL */

/* Places molecules next to each other at random; x[natom][3], ordered by molecule. */
void moves_start(const Moves *moves, RandomStream *random, double *x);

/* Sets `to` to `from` after a random trial move; the centre of mass of `from` must be at the origin. */
void moves_propose(const Moves *moves, RandomStream *random, const double *from, double *to);

#endif
