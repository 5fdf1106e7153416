/* What a system holds: which types of molecules, and how many of each, by whatever keys they are named:
 * system.model and system.molecules, system.atoms, the start file, or a file of molecules. All become one
 * list of molecules (topology/molecules.h), built-in types by a text in the form of such a file. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_CONTENTS_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_CONTENTS_H

#include "simulation/molecules/system.h"

/* Coordinates of one molecule of each type, x[natom][3]; NULL: the start file has them. */
typedef struct SystemShapes {
  const double (**x)[3]; /* [types] */
} SystemShapes;

/* Fills in the molecules and where they come from, and, as far as it is known before they are placed, the
 * box. Shapes are in the arena. Errors: STATUS_INPUT with file, line and key, STATUS_MEMORY, STATUS_IO. */
Status system_contents_find(Simulation *system, Arena *arena, SystemShapes *shapes, Error *error);

#endif
