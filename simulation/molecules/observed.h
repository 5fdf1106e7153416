/* Samples of a system of molecules from frames of files, for `holonom observe`. Frames contain all atoms, all
 * with mass, or a selection: given by the file (H5MD), by the input (output.FORMAT_atoms), or by the
 * caller. */
#ifndef HOLONOM_SIMULATION_MOLECULES_OBSERVED_H
#define HOLONOM_SIMULATION_MOLECULES_OBSERVED_H

#include "io/frame.h"
#include "observables/observable.h"
#include "simulation/simulation.h"

typedef struct Observed Observed;

/* Prepares for frames like the first one of a file; the simulation must outlive this. select: the selection
 * of atoms (topology/select.h), or NULL. boxed: frames have boxes also if the system has none. Errors:
 * STATUS_INPUT: there are no molecules, other atoms or names, or an invalid selection; STATUS_MEMORY.
 * *observed is NULL then. */
Status observed_create(Observed **observed, const Simulation *system, const char *select, bool boxed,
                       const Frame *first, const char *path, Error *error);
void observed_free(Observed *observed); /* may be NULL */

/* The default options: those of the input, with strides of 0. */
void observed_options(const Simulation *system, ObservableOptions *options);

/* STATUS_INPUT: frames lack atoms that an observable with a stride needs. */
Status observed_check(const Observed *observed, const ObservableOptions *options, const char *path,
                      Error *error);

/* The molecule types, in order, without positions. */
const ObservableBlock *observed_blocks(const Observed *observed, int *n);

/* Returns the molecule types with the positions of a frame, whole along the bonds between its atoms; missing
 * atoms have NaN. A periodic *box replaces the frame's box; otherwise *box receives the frame's, all zero in
 * open space. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status observed_take(Observed *observed, const Frame *frame, const char *path, Box *box,
                     const ObservableBlock **block, Error *error);

#endif
