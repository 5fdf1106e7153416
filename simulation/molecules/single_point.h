/* Single points: energies by term and forces of a system of molecules at the coordinates of a frame, by the
 * run's forces, without start and steps. Atoms are not moved, except by lattice vectors of the box, or onto
 * constraints if requested. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SINGLE_POINT_H
#define HOLONOM_SIMULATION_MOLECULES_SINGLE_POINT_H

#include "io/frame.h"
#include "simulation/simulation.h"

typedef struct SinglePoint SinglePoint;

/* For a simulation that has not started and must outlive it; kept: positions are projected onto constraints
 * first. Errors: those of forces; STATUS_MEMORY. */
Status single_point_create(SinglePoint **point, Simulation *system, bool kept, Error *error);
void single_point_free(SinglePoint *point); /* may be NULL */

/* Energies, kcal/mol: the terms, named as in thermo.csv, and last "potential" (force_field_energy). */
int single_point_columns(const SinglePoint *point);
const char *single_point_name(const SinglePoint *point, int column);

/* Whether some frame had atoms too close for single precision; it and later frames then use double
 * precision. */
bool single_point_doubled(const SinglePoint *point);

/* Evaluates the frames that the input starts from: their number; passes each with its energies to visit.
 * Errors: STATUS_INPUT with the key or the frame; those of visit; STATUS_MEMORY. */
typedef Status (*SinglePointVisit)(void *self, const Frame *frame, const double *energy, Error *error);
int single_point_starts(const SinglePoint *point);
Status single_point_start(SinglePoint *point, SinglePointVisit visit, void *self, Error *error);

/* Computes energy[columns] of a frame of another file, in its own box; path is for messages. Boxes whose
 * edges differ by up to a tenth from the start's keep its mesh and splitting, as with a barostat; others get
 * new ones. Errors: STATUS_INPUT: other atoms or names; a missing or too small box, or a box in open space;
 * overlaps, or an energy that is not finite; STATUS_MEMORY. */
Status single_point_frame(SinglePoint *point, const Frame *frame, const char *path, double *energy,
                          Error *error);

/* Atoms with mass of the last frame, ordered by molecule, with names, box, forces (kcal/mol/A), step and
 * time; owned by the point. */
const Frame *single_point_forces(SinglePoint *point);

#endif
