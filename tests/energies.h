/* Energies of a replica of a mechanical simulation as it is, by the names of energy.csv; 0: not there. */
#ifndef HOLONOM_TESTS_ENERGIES_H
#define HOLONOM_TESTS_ENERGIES_H

#include "simulation/simulation.h"
#include "tests/suite.h"

typedef struct MechanicsEnergy {
  double kinetic, potential, penalty, total, largest, hidden;
  double momentum[3], angular[3];
} MechanicsEnergy;

static double energies_find(const SimulationColumns *columns, const double *value, const char *name)
{
  for (int i = 0; i < columns->n; i++)
    if (strcmp(columns->name[i], name) == 0)
      return value[i];
  return 0.0;
}

static MechanicsEnergy mechanics_energy(Simulation *s, int r)
{
  SimulationColumns c;
  Error error;
  ck_assert_msg(simulation_columns(s, &c, &error) == STATUS_OK, "%s", error.text);
  double *value = malloc((size_t)c.n * sizeof *value);
  ck_assert_ptr_nonnull(value);
  ck_assert_msg(simulation_look(s, r, value, &error) == STATUS_OK, "%s", error.text);
  MechanicsEnergy e = {.kinetic = energies_find(&c, value, "kinetic"),
                       .potential = energies_find(&c, value, "potential"),
                       .penalty = energies_find(&c, value, "penalty"),
                       .total = energies_find(&c, value, "total"),
                       .largest = energies_find(&c, value, "largest_g"),
                       .hidden = energies_find(&c, value, "hidden_g")};
  for (int d = 0; d < 3; d++) {
    const char momentum[] = {'m', 'o', 'm', 'e', 'n', 't', 'u', 'm', '_', "xyz"[d], '\0'};
    const char angular[] = {'a', 'n', 'g', 'u', 'l', 'a', 'r', '_', "xyz"[d], '\0'};
    e.momentum[d] = energies_find(&c, value, momentum);
    e.angular[d] = energies_find(&c, value, angular);
  }
  free(value);
  return e;
}

#endif
