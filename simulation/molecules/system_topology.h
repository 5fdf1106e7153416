/* The part of a system that is molecules of a file (system.topology): what there is of them, where the start
 * file has them, their forces, their names. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_TOPOLOGY_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_TOPOLOGY_H

#include "simulation/molecules/system.h"

/* Reads the file, and the first frame of the start, whose molecules give the groups their shapes; fills in
 * kinds, numbers, the topology and, in a periodic system, the box. Errors: STATUS_INPUT with file, line and
 * key, STATUS_MEMORY, STATUS_IO. */
Status system_topology_create(Simulation *system, Error *error);

/* The same of a system whose kinds and numbers are known, of a water model and of single atoms: the program's
 * own types take the place of the kinds, in their order. STATUS_INPUT, STATUS_MEMORY. */
Status system_topology_builtin(Simulation *system, Error *error);

/* What of the molecules is rigid water, which boxes have a kernel for; NULL: nothing. */
const WaterMolecule *system_topology_water(const Simulation *system);

/* A frame of the start file as positions x[coordinates] in the order of molecules, each in one piece, its
 * velocities v likewise, in A/ps (NULL: not wanted), and its box. Frames hold all atoms of the file of
 * molecules, or all but virtual sites. Errors: STATUS_INPUT with file, line and key: others, or other names;
 * no velocities where they are wanted; STATUS_MEMORY. */
Status system_topology_read(const Simulation *system, Frame *frame, const char *path, double *x, double *v,
                            Box *box, Error *error);

/* The same of a frame of any other file, in that box, all zero in open space. Errors: STATUS_INPUT in words
 * without a key, STATUS_MEMORY. */
Status system_topology_frame(const Simulation *system, const Frame *frame, const char *path, const Box *box,
                             double *x, Error *error);

/* Terms of the force field, and restraints, behind those that are there; none, where there are none. */
Status system_topology_terms(const Simulation *system, const State *state, ForceField *field, Error *error);

/* The same without pairs 1-4, whose forces grow without bound as atoms come close. */
Status system_topology_bonded(const Simulation *system, const State *state, ForceField *field, Error *error);

/* Names and residues of all atoms of a frame of structure_shape. */
void system_topology_name(const Simulation *system, Frame *frame);

#endif
