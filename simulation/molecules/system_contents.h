/* Finds the molecule types and numbers of a system, from any key: system.model and system.molecules,
 * system.atoms, the start file, or a molecules file. All become one list (topology/molecules.h); built-in
 * types are texts in the format of such a file. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_CONTENTS_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_CONTENTS_H

#include "simulation/molecules/system.h"

/* Coordinates of one molecule of each type, x[natom][3]; NULL: they come from the start file. */
typedef struct SystemShapes {
  const double (**x)[3]; /* [types] */
} SystemShapes;

/* Fills in the molecules and their source, and the box if it is known before they are placed. Shapes are in
 * the arena. Errors: STATUS_INPUT with file, line and key; STATUS_MEMORY; STATUS_IO. */
Status system_contents_find(Simulation *system, Arena *arena, SystemShapes *shapes, Error *error);

#endif
