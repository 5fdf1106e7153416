/* The measured columns of clusters and boxes of molecules other than energies (measurement.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_COLUMNS_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_COLUMNS_H

#include "simulation/simulation_private.h"

/* After the energies: the conserved energy, corrected for heat of the bath. Temperatures, also right after O
 * where that equals the set one (oscillator_unbiased). The largest constraint. Pressures by molecule and by
 * atom as requested, each with six components. Momentum, and for clusters angular momentum about the centre
 * of mass. */
extern const MeasurementColumns *const water_columns_cluster[], *const water_columns_box[];

/* [6] names of the columns of edges and angles, for a box that changes more than its volume. */
extern const char *const water_columns_cell[];

#endif
