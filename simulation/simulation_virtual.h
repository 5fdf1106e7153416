/* Virtual sites of a simulation. A state knows atoms with mass alone; forces place the sites without mass,
 * and spread what acts on them. This is the same for callers, molecule after molecule. */
#ifndef HOLONOM_SIMULATION_SIMULATION_VIRTUAL_H
#define HOLONOM_SIMULATION_SIMULATION_VIRTUAL_H

#include "simulation/simulation.h"

typedef struct SimulationVirtual SimulationVirtual;
struct hol_virtual_sites;

/* What they are: hol_get_virtual_sites. It lives as long as the simulation. Errors: STATUS_MEMORY. */
Status simulation_virtual(Simulation *simulation, const struct hol_virtual_sites **sites, Error *error);
void simulation_virtual_free(SimulationVirtual *virtual); /* NULL is fine */

/* v[sites][3] of a replica at x[coordinates]; and f[coordinates] += what forces fv[sites][3] are worth there:
 * minus the gradient of an energy of the sites stays minus the gradient. From any thread, once they have been
 * asked for. Errors: STATUS_INPUT: they have not; STATUS_RUN: atoms leave open where a site is;
 * STATUS_MEMORY.
 */
Status simulation_virtual_place(const Simulation *simulation, const double *x, double *v, Error *error);
Status simulation_virtual_spread(const Simulation *simulation, const double *x, const double *fv, double *f,
                                 Error *error);

#endif
