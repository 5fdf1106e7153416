/* Virtual sites of a simulation, for callers, ordered by molecule. A state contains atoms only; forces place
 * virtual sites and spread the forces on them. */
#ifndef HOLONOM_SIMULATION_SIMULATION_VIRTUAL_H
#define HOLONOM_SIMULATION_SIMULATION_VIRTUAL_H

#include "simulation/simulation.h"

typedef struct SimulationVirtual SimulationVirtual;
struct hol_virtual_sites;

/* Lists the virtual sites for hol_get_virtual_sites. The list lives as long as the simulation. Errors:
 * STATUS_MEMORY. */
Status simulation_virtual(Simulation *simulation, const struct hol_virtual_sites **sites, Error *error);
void simulation_virtual_free(SimulationVirtual *virtual); /* may be NULL */

/* Place the virtual sites v[sites][3] of a replica at x[coordinates]; spread the forces fv[sites][3] on them
 * to f[coordinates], such that minus the gradient of an energy stays minus the gradient. Any thread may call
 * them after simulation_virtual. Errors: STATUS_INPUT: simulation_virtual was not called; STATUS_RUN: the
 * atoms do not define the position of a site; STATUS_MEMORY. */
Status simulation_virtual_place(const Simulation *simulation, const double *x, double *v, Error *error);
Status simulation_virtual_spread(const Simulation *simulation, const double *x, const double *fv, double *f,
                                 Error *error);

#endif
