/* Which atoms of a system are in the frames of a trajectory: output.FORMAT_atoms, selections by MDAnalysis's
 * words (topology/select.h), any of which chooses an atom. A word alone may be the name of a molecule. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SELECTION_H
#define HOLONOM_SIMULATION_MOLECULES_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "simulation/molecules/system.h"

typedef struct Selection {
  int *atom, n;          /* [n] the atoms, rising; NULL: all                                        */
  int (*bond)[2], nbond; /* [nbond] pairs of them that are bonded, of molecules of a file; else none */
} Selection;

/* Of a row of trajectory_formats. Errors: STATUS_INPUT (what is no selection, or selects no atom),
 * STATUS_MEMORY. *selection is empty then. */
Status selection_make(const Simulation *system, int format, Selection *selection, Error *error);
void selection_free(Selection *selection);

/* The atoms as a selection, "index 0:21 40", for readers of files that do not hold atoms' names. False: they
 * take more than size - 1 characters, and words is empty. */
bool selection_words(const Selection *selection, char *words, size_t size);

/* Whether what is asked for is there, of all formats that are written. */
Status selection_check(const Simulation *system, Error *error);

#endif
