/* Freezes the atoms that the key `freeze` selects. Molecules that differ in frozen atoms become molecule
 * types of their own (molecules_freeze), and frozen atoms become group types of their own (Kind.frozen),
 * which plans and minimisations do not move. Selected atoms and constraints between them and others are
 * checked here and by the groups. */
#ifndef HOLONOM_SIMULATION_MOLECULES_FREEZE_H
#define HOLONOM_SIMULATION_MOLECULES_FREEZE_H

#include "simulation/molecules/system.h"

/* Selects the frozen atoms of a system that has groups, counts them, and divides its molecule types; the
 * groups must then be made again. (*like)[types]: the type that each type was made from. Errors: STATUS_INPUT
 * with file, line and key: an invalid selection, or one of no atom or of all atoms; STATUS_MEMORY. */
Status freeze_apply(Simulation *system, const int **like, Error *error);

/* Sets frozen[atoms of the topology]. */
void freeze_atoms(const Topology *topology, bool *frozen);

/* Whether the start's builders move frozen atoms: before the start there are no positions for them to keep.
 */
bool freeze_thaws(const Simulation *system);

#endif
