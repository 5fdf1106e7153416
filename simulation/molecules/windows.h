/* The windows of umbrella sampling: the different sets of constants of an input's biases, and the replicas or
 * states of a ladder that have each, for the observable free_energy. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WINDOWS_H
#define HOLONOM_SIMULATION_MOLECULES_WINDOWS_H

#include "observables/free_energy.h"
#include "simulation/molecules/system.h"

/* Makes the list of a system with biases, collective variables and parameters; its arrays live in the
 * simulation's arena. *made is NULL without biases. STATUS_MEMORY. */
Status windows_create(const FreeEnergyList **made, Simulation *system, Error *error);

#endif
