/* How far forces, energy and pressure of a periodic box are from those of a converged Ewald sum. */
#ifndef HOLONOM_CMD_CHECK_FORCES_H
#define HOLONOM_CMD_CHECK_FORCES_H

#include <stdio.h>

#include "forcefields/periodic.h"

/* RMS over atoms of |F - F exact|, kcal/mol/A. Exact: the plain Ewald sum of all images, Lennard-Jones cut as
 * the force cuts it, in double. */
typedef struct CheckForces {
  int natom;
  double force; /* RMS of the exact forces themselves                                  */
  double error, largest;
  bool split;              /* there is a mesh, and so                                               */
  double real, reciprocal; /* the errors of its parts, the first with all that is of short range  */
  double expected_real, expected_reciprocal;
  double energy, energy_error; /* exact, and how much higher the force's own is, kcal/mol           */
  double pressure_error;       /* how much higher its pressure by molecule is, bar                  */
  double expected_energy, expected_pressure; /* sizes of the means over configurations            */
  double net;     /* size of the sum of all forces, kcal/mol/A                                       */
  double seconds; /* that the exact sum took                                              */
} CheckForces;

/* Of the force "periodic" at the state's positions, by so many threads, itself by no more than it was made
 * for. Errors: those of the forces; STATUS_INPUT, STATUS_MEMORY. */
Status check_forces_measure(const Force *periodic, State *state, int threads, CheckForces *result,
                            Error *error);

void check_forces_print(const CheckForces *result, FILE *file);

#endif
