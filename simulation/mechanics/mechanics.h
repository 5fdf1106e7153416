/* What is measured of a simulation of sites or of a Hamiltonian. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_H

#include "simulation/run/gauge.h"
#include "simulation/simulation.h"

enum { MECHANICS_ENERGIES = 13 }; /* columns of energy.csv, at most */

/* Where they are among the columns of energy.csv; -1: not there. */
typedef struct MechanicsColumns {
  int kinetic, potential, penalty, excess, total, largest, hidden, momentum[3], angular[3];
} MechanicsColumns;

/* For the rows of sorts: energies, coordinates, momenta, and the formulas of output.observables, if there are
 * averages. Errors: STATUS_INPUT with the key of a formula that is wrong; STATUS_MEMORY. */
Status mechanics_columns_gauge(const Simulation *simulation, Gauge **gauge, Error *error);

#endif
