/* Samples of a system of molecules from frames of files: what `holonom observe` measures of an input file and
 * a trajectory. Frames hold all atoms, all with mass, or a part of them: that which the file says (H5MD), or
 * the input, by output.FORMAT_atoms, or the caller by a selection. */
#ifndef HOLONOM_SIMULATION_MOLECULES_OBSERVED_H
#define HOLONOM_SIMULATION_MOLECULES_OBSERVED_H

#include "io/frame.h"
#include "observables/observable.h"
#include "simulation/simulation.h"

typedef struct Observed Observed;

/* Of a simulation of molecules, which outlives it, and frames like the first one of a file. select: which
 * atoms they hold (topology/select.h), or NULL. Errors: STATUS_INPUT: no molecules; other atoms, or other
 * names; what select lacks; STATUS_MEMORY. *observed is NULL then. */
Status observed_create(Observed **observed, const Simulation *system, const char *select, const Frame *first,
                       const char *path, Error *error);
void observed_free(Observed *observed); /* NULL is fine */

/* What is measured by default: as the input says, but for strides, which are 0. */
void observed_options(const Simulation *system, ObservableOptions *options);

/* Whether frames hold all that the observables with a stride need. STATUS_INPUT: what they lack. */
Status observed_check(const Observed *observed, const ObservableOptions *options, const char *path,
                      Error *error);

/* Sorts of molecules, in their order, without positions. */
const ObservableBlock *observed_blocks(const Observed *observed, int *n);

/* The same with those of a frame, whole along the bonds that it holds both atoms of; what it lacks is not a
 * number. box: one that is periodic is taken in the place of the frame's, which goes there; all zero in open
 * space. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status observed_take(Observed *observed, const Frame *frame, const char *path, Box *box,
                     const ObservableBlock **block, Error *error);

#endif
