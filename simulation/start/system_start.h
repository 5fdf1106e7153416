/* What starts of clusters and of boxes share. */
#ifndef HOLONOM_SIMULATION_START_SYSTEM_START_H
#define HOLONOM_SIMULATION_START_SYSTEM_START_H

#include "io/structure.h"
#include "simulation/molecules/system.h"

/* STATUS_INPUT if the run is to begin with the file's velocities and these molecules have none. */
Status system_start_velocities(const Simulation *system, const StructureGroup *group, Error *error);

/* How clusters and boxes begin: SystemForm.start. */
typedef struct StartForm StartForm;
extern const StartForm system_start_cluster, system_start_box;

#endif
