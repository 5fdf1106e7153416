/* What is measured of a cluster or a box of molecules: energies, temperatures, pressures, momenta. */
#ifndef HOLONOM_SIMULATION_MOLECULES_WATER_COLUMNS_H
#define HOLONOM_SIMULATION_MOLECULES_WATER_COLUMNS_H

#include "simulation/simulation_private.h"

/* Where they are among the columns of the gauge. */
typedef struct WaterColumns {
  int kinetic, potential, penalty, total, conserved, temperature, largest;
  int excess;      /* of penalties: what they hold beyond their strain (walk_penalty_strain); -1: not there */
  int unbiased;    /* of the temperature right after O; -1: not there (oscillator_unbiased) */
  int pressure[2]; /* by molecule and by atom, six components behind each; -1: not there */
  int momenta;     /* the first of momentum_x to _z, and of clusters angular_x to _z: the last ones */
} WaterColumns;

/* For the row of the sorts: sort.h. */
Status water_columns_gauge(const Simulation *simulation, Gauge **gauge, Error *error);

static inline const WaterColumns *water_columns(const Simulation *simulation)
{
  return simulation->gauge->self;
}

/* Energies, temperatures and pressures without their terms and components, in the order of their names: how
 * many, and where they are. */
enum { COLUMNS_WHOLE = 9 };
int water_columns_whole(const WaterColumns *columns, int column[COLUMNS_WHOLE]);

#endif
