/* Energies of a simulation of sites or of a Hamiltonian. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_H

#include "simulation/run/gauge.h"
#include "simulation/simulation.h"

typedef struct MechanicsEnergy {
  double kinetic, potential, penalty, total; /* natural systems, Fixman's in potential; else all in total */
  double excess;  /* of penalty over its energy at the filtered positions: penalty_filters; else 0 */
  double largest; /* max |g_c| / scale_c                           */
  double hidden;  /* max |d/dt g_c|, grad g . M^-1 p               */
  double momentum[3], angular[3]; /* about the origin; 2-D: angular[2] alone       */
} MechanicsEnergy;

/* Of replica r, after the start. Where it cannot be had (no memory, no forces) it is NaN. */
MechanicsEnergy mechanics_energy(Simulation *simulation, int r);

enum { MECHANICS_ENERGIES = 13 }; /* columns of energy.csv, at most */

/* Where they are among the columns of energy.csv; -1: not there. */
typedef struct MechanicsColumns {
  int kinetic, potential, penalty, excess, total, largest, hidden, momentum[3], angular[3];
} MechanicsColumns;

/* The columns of a sample as energies. */
MechanicsEnergy mechanics_columns_energy(const Gauge *gauge, const double *value);

/* For the rows of sorts: energies, coordinates, momenta, and the formulas of output.observables, if there are
 * averages. Errors: STATUS_INPUT with the key of a formula that is wrong; STATUS_MEMORY. */
Status mechanics_columns_gauge(const Simulation *simulation, Gauge **gauge, Error *error);

#endif
