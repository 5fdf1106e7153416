/* Single points: energies by term and forces of a system of molecules in the coordinates of a frame, by the
 * forces of the run, without a start and without steps. Atoms stay where the frame has them, but for whole
 * edges of the box, unless they are to be put onto what is kept. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SINGLE_POINT_H
#define HOLONOM_SIMULATION_MOLECULES_SINGLE_POINT_H

#include "io/frame.h"
#include "simulation/simulation.h"

typedef struct SinglePoint SinglePoint;

/* Of a simulation that has not started and outlives it; kept: positions go onto constraints first. Errors:
 * those of forces; STATUS_MEMORY. */
Status single_point_create(SinglePoint **point, Simulation *system, bool kept, Error *error);
void single_point_free(SinglePoint *point); /* NULL is fine */

/* Energies, kcal/mol: the terms, named as in thermo.csv, and last "potential" (force_field_energy). */
int single_point_columns(const SinglePoint *point);
const char *single_point_name(const SinglePoint *point, int column);

/* Whether a frame had atoms too near to each other for single precision, so that it and those after it are in
 * double, whatever the input says. */
bool single_point_doubled(const SinglePoint *point);

/* The frames that the input starts from: how many, and the energies of each, handed to visit. Errors:
 * STATUS_INPUT with the key or the frame, those of visit, STATUS_MEMORY. */
typedef Status (*SinglePointVisit)(void *self, const Frame *frame, const double *energy, Error *error);
int single_point_starts(const SinglePoint *point);
Status single_point_start(SinglePoint *point, SinglePointVisit visit, void *self, Error *error);

/* energy[columns] of a frame of any other file, in its own box; path is for messages. A force made for the
 * start's box takes others with its mesh and splitting as they are, as under a barostat, up to a tenth of an
 * edge; beyond, they are chosen anew. Errors: STATUS_INPUT: other atoms, or other names; no
 * box, or one that is too small, or a box in open space; overlaps, energies beyond all numbers;
 * STATUS_MEMORY. */
Status single_point_frame(SinglePoint *point, const Frame *frame, const char *path, double *energy,
                          Error *error);

/* The atoms with mass of the frame last computed, in the order of molecules, with names, box and forces
 * (kcal/mol/A), its step and time; the point's own. */
const Frame *single_point_forces(SinglePoint *point);

#endif
