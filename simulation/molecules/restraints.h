/* Position restraints that an input names (restraints): which atoms, and to which points.
 *
 * Points are where atoms are in the start file, before any minimisation, or in a file of their own; molecules
 * whole in its box, or that of the system where it has none. By default (scale: centres) what follows a box
 * that changes is the centre of mass of a point's molecule: it then moves as the barostat moves molecules,
 * which are not deformed, so that one that is where its points are does no work on the box. */
#ifndef HOLONOM_SIMULATION_MOLECULES_RESTRAINTS_H
#define HOLONOM_SIMULATION_MOLECULES_RESTRAINTS_H

#include "simulation/molecules/system.h"

/* Of a system whose topology, groups and box are there; into its digest, too. Errors: STATUS_INPUT with file,
 * line and key: no such atoms, one that is restrained twice, a file that does not fit, no k; STATUS_MEMORY.
 */
Status restraints_create(Simulation *system, Error *error);

#endif
