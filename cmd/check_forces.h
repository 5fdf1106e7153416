/* Measures the errors of forces, energy and pressure of a periodic box against a converged Ewald sum. */
#ifndef HOLONOM_CMD_CHECK_FORCES_H
#define HOLONOM_CMD_CHECK_FORCES_H

#include <stdio.h>

#include "forcefields/periodic.h"

/* Errors are RMS over atoms of |F - F_exact|, kcal/mol/A. F_exact is the plain Ewald sum in double
 * precision, with Lennard-Jones cut off as in the force under test. */
typedef struct CheckForces {
  int natom;
  double force; /* RMS of F_exact */
  double error, largest;
  bool split;              /* the force has a mesh, so that real and reciprocal are set */
  double real, reciprocal; /* errors of the short-range part (with Lennard-Jones) and of the mesh */
  double expected_real, expected_reciprocal;
  double energy, energy_error; /* exact energy; energy of the force minus the exact energy, kcal/mol */
  double pressure_error;       /* molecular pressure of the force minus the exact one, bar */
  double expected_energy, expected_pressure; /* expected magnitudes of the mean errors over configurations */
  double net;                                /* magnitude of the sum of all forces, kcal/mol/A */
  double seconds;                            /* time of the exact sum */
} CheckForces;

/* Measures the force "periodic" at the state's positions. The exact sum uses `threads` threads, the force
 * at most the number it was created for. STATUS_INPUT, STATUS_MEMORY, errors of the forces. */
Status check_forces_measure(const Force *periodic, State *state, int threads, CheckForces *result,
                            Error *error);

void check_forces_print(const CheckForces *result, FILE *file);

#endif
