/* Pressures of a periodic box from what a walk measures. */
#ifndef HOLONOM_SIMULATION_MOLECULES_PRESSURE_H
#define HOLONOM_SIMULATION_MOLECULES_PRESSURE_H

#include "engine/box.h"
#include "integrators/sample.h"

/* The six components of a pressure, bar: xx, yy, zz, xy, xz, yz, of molecules as wholes or of atoms. */
enum { PRESSURE_COMPONENTS = 6 };

void pressure_molecule(const WalkPressure *sums, const Box *box, double bar[PRESSURE_COMPONENTS]);

/* By atom: with the virial of what holds molecules together (below). */
void pressure_atom(const WalkPressure *sums, const double inside[3][3], const Box *box,
                   double bar[PRESSURE_COMPONENTS]);

/* The virial of constraints or penalties, sum of r_a f_b with f = lambda' grad g of all molecules,
 * kcal/mol, as it is for the first of the team; all members call it together. part[pressure_packs][9]:
 * scratch that they share. Constraints: lambda is the mean over the last step, so there must have been one,
 * by a plan that keeps multipliers. */
size_t pressure_packs(const Sample *sample);
void pressure_inside(const Sample *sample, Vec8 (*part)[9], double virial[3][3]);

#endif
