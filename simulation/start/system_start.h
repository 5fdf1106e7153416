/* What starts of clusters and of boxes share. */
#ifndef HOLONOM_SIMULATION_START_SYSTEM_START_H
#define HOLONOM_SIMULATION_START_SYSTEM_START_H

#include "io/structure.h"
#include "simulation/molecules/system.h"

/* Whether bonds of the start file are left as they are: where penalties go on with the file's velocities,
 * what is in the bonds goes on too. */
bool system_start_keeps_bonds(const Simulation *system);

/* STATUS_INPUT if the run is to begin with the file's velocities and these molecules have none. */
Status system_start_velocities(const Simulation *system, const StructureGroup *group, Error *error);

/* Momenta p[nmol][nsite][3] of a group's velocities. */
void system_start_momenta(const Kind *kind, const StructureGroup *group, double *p);

/* How clusters and boxes begin: SystemForm.start. */
typedef struct StartForm StartForm;
extern const StartForm system_start_cluster, system_start_box;

#endif
