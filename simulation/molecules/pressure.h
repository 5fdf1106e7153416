/* Computes pressures of a periodic box from sums of a walk. */
#ifndef HOLONOM_SIMULATION_MOLECULES_PRESSURE_H
#define HOLONOM_SIMULATION_MOLECULES_PRESSURE_H

#include "engine/box.h"
#include "integrators/sample.h"

/* The components of a pressure, bar: xx, yy, zz, xy, xz, yz. */
enum { PRESSURE_COMPONENTS = 6 };

void pressure_molecule(const WalkPressure *sums, const Box *box, double bar[PRESSURE_COMPONENTS]);

/* By atom, with the virial `inside` of constraints or penalties (below). */
void pressure_atom(const WalkPressure *sums, const double inside[3][3], const Box *box,
                   double bar[PRESSURE_COMPONENTS]);

/* Computes the virial of constraints or penalties, kcal/mol, for the first member of the team: the sum of r_a
 * f_b with f = lambda' grad g over all molecules. All members call it together. part[pressure_packs][9] is
 * shared scratch. lambda of constraints is the mean over the last step, so a step is required, with a plan
 * that stores multipliers. */
size_t pressure_packs(const Sample *sample);
void pressure_inside(const Sample *sample, Vec8 (*part)[9], double virial[3][3]);

#endif
