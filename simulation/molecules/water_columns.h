/* What is measured of clusters and boxes of molecules beside energies (measurement.h). */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_COLUMNS_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_COLUMNS_H

#include "simulation/simulation_private.h"

/* Behind energies: what is conserved with the heat that went to the bath, temperatures, right after O, too,
 * where that reads what is set (oscillator_unbiased), and the largest constraint; pressures by molecule and
 * by atom, as the input says, six components behind each; momentum, and of clusters angular momentum about
 * the centre of mass. */
extern const MeasurementColumns *const water_columns_cluster[], *const water_columns_box[];

/* [6] names of the columns of edges and angles, of a box that changes in more than its volume. */
extern const char *const water_columns_cell[];

#endif
