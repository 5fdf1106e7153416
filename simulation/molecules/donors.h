/* Finds donors, hydrogens and acceptors of hydrogen bonds by elements and bonds, and the selections between
 * which an input counts bonds (output.hydrogen_bonds). */
#ifndef HOLONOM_SIMULATION_MOLECULES_DONORS_H
#define HOLONOM_SIMULATION_MOLECULES_DONORS_H

#include "config/config.h"
#include "observables/hydrogen_bonds.h"
#include "topology/labels.h"

/* Donors are N, O and F with a bonded hydrogen (without a list of bonds all hydrogens belong to the first
 * atom), acceptors N, O and F, as far as they are selected. Without selections there is one list, "all", of
 * all atoms. Memory comes from the arena. Errors: STATUS_INPUT with file, line and key (a name that repeats
 * or is not valid, a selection that is not valid or has neither donors nor acceptors), STATUS_MEMORY. */
Status donors_find(const Config *config, const Labels *labels, Arena *arena, HydrogenBondList *list,
                   Error *error);

#endif
