/* Energies of a simulation of sites or of a Hamiltonian. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_H

#include "simulation/simulation.h"

typedef struct MechanicsEnergy {
  double kinetic, potential, penalty, total; /* natural systems, Fixman's in potential; else all in total */
  double excess;  /* of penalty over its energy at the filtered positions: penalty_filters; else 0 */
  double largest; /* max |g_c| / scale_c                           */
  double hidden;  /* max |d/dt g_c|, grad g . M^-1 p               */
  double momentum[3], angular[3]; /* about the origin; 2-D: angular[2] alone       */
} MechanicsEnergy;

/* Of replica r, after the start. */
MechanicsEnergy mechanics_energy(Simulation *simulation, int r);

/* The columns of energy.csv, in their order. */
enum { MECHANICS_ENERGIES = 13 };
typedef struct MechanicsColumns {
  int n;
  const char *name[MECHANICS_ENERGIES];
  double value[MECHANICS_ENERGIES];
  bool largest[MECHANICS_ENERGIES]; /* how far constraints are violated: of several, the largest tells */
} MechanicsColumns;

#endif
