/* Selects the atoms in frames of a trajectory: output.FORMAT_atoms, the union of selections in MDAnalysis's
 * language (topology/select.h). A single word may be the name of a molecule. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SELECTION_H
#define HOLONOM_SIMULATION_MOLECULES_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "simulation/molecules/system.h"

typedef struct Selection {
  int *atom, n;          /* [n] atoms, ascending; NULL: all */
  int (*bond)[2], nbond; /* [nbond] bonded pairs of these, of molecules of a file */
} Selection;

/* Makes the selection of a row of trajectory_formats. Errors: STATUS_INPUT: an invalid selection, or one
 * without atoms; STATUS_MEMORY. *selection is empty then. */
Status selection_make(const Simulation *system, int format, Selection *selection, Error *error);
void selection_free(Selection *selection);

/* Writes the atoms as a selection, "index 0:21 40", for readers of files without names of atoms. False: it
 * needs more than size - 1 characters, and words is empty. */
bool selection_words(const Selection *selection, char *words, size_t size);

/* Checks the selections of all formats that are written. */
Status selection_check(const Simulation *system, Error *error);

#endif
