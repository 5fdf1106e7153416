/* thermostat.frictions: frictions of selected atoms. A group, whose atoms constraints or penalties tie
 * together, has one friction, with which O is exact on the constraint manifold (thermostat/ou.h). Groups of
 * different frictions are of different kinds, and a plan has a friction for each kind. */
#ifndef HOLONOM_SIMULATION_MOLECULES_FRICTIONS_H
#define HOLONOM_SIMULATION_MOLECULES_FRICTIONS_H

#include "simulation/molecules/system.h"

/* Marks the atoms of all molecules with the row that selects them (MoleculesAtom.friction), before groups are
 * made; the last row that matches counts. Errors: STATUS_INPUT (a row is not a selection, or selects no
 * atom); STATUS_MEMORY. */
Status frictions_mark(const Simulation *system, Error *error);

/* Fills in Simulation.friction, once kinds are known. Errors: STATUS_MEMORY. */
Status frictions_of_kinds(Simulation *system, Error *error);

/* The number of rows that a line of frictions_words describes. */
int frictions_rows(const Simulation *system);

/* Line i: the friction of row i and the numbers of its atoms and groups. */
void frictions_words(const Simulation *system, int i, char *words, size_t size);

#endif
