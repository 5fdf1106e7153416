/* The centre of a pull and the work on a replica as columns: centre_NAME and work_NAME. */
#ifndef HOLONOM_SIMULATION_MOLECULES_PULL_COLUMNS_H
#define HOLONOM_SIMULATION_MOLECULES_PULL_COLUMNS_H

#include "simulation/measure/measurement.h"

/* No columns without a pull. */
extern const MeasurementColumns pull_columns;

#endif
