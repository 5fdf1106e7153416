/* Corrects for different thermostat.remove. If the thermostat removes the momentum of the box, three
 * degrees of freedom are missing: the pressure lacks kT/V and the heat capacity k/2 for each. Both are
 * exact and no difference between ensembles, so they are added where other runs of the comparison have
 * them. Kinetic temperatures already use the remaining degrees of freedom, and diffusion is relative to the
 * centre of mass. */
#include <math.h>
#include <string.h>

#include "cmd/compare_private.h"
#include "engine/units.h"

static double removed_of(const CompareRun *run)
{
  const double n = results_value(&run->set, "", "freedom_removed");
  return isfinite(n) ? n : 0.0;
}

static void add_pressure(CompareRun *run)
{
  const double share = results_value(&run->set, "", "pressure_removed");
  for (int i = 1; i < run->nmean && isfinite(share); i++)
    if (strcmp(run->mean[i].of->name, "pressure") == 0 ||
        strcmp(run->mean[i].of->name, "pressure_atom") == 0) {
      run->mean[i].value += share;
      run->added.pressure = share;
    }
}

static void add_heat(CompareRun *run, double removed)
{
  const ResultTable *table = NULL;
  for (int i = 0; i < run->set.ntable; i++)
    if (strcmp(run->set.table[i]->name, "heat_capacity") == 0)
      table = run->set.table[i];
  for (int c = 0; table != NULL && c < table->ncol; c++) {
    const ResultColumn *column = &table->column[c];
    if (strcmp(column->name, "heat") != 0 || column->value == NULL)
      continue;
    run->added.heat = 0.5 * UNITS_BOLTZMANN * removed;
    for (size_t i = 0; i < table->nrow; i++)
      column->value[i] += run->added.heat;
  }
}

void compare_motion_add(Compare *c)
{
  double least = INFINITY, most = 0.0;
  for (int i = 0; i < c->n; i++)
    if (c->run[i].failed == NULL) {
      least = fmin(least, removed_of(&c->run[i]));
      most = fmax(most, removed_of(&c->run[i]));
    }
  for (int i = 0; i < c->n && least < most; i++)
    if (c->run[i].failed == NULL) {
      add_pressure(&c->run[i]);
      add_heat(&c->run[i], removed_of(&c->run[i]));
    }
}

void compare_motion_print(const Compare *c, FILE *out)
{
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    if (run->added.pressure > 0.0)
      fprintf(out,
              "note: the pressure of %s includes kT/V = %.4g bar for the momentum of the box, which its "
              "thermostat removes (thermostat.remove)\n",
              run->label, run->added.pressure);
    if (run->added.heat > 0.0)
      fprintf(out,
              "note: the heat capacity of %s includes %.4g kcal/mol/K, k/2 for each degree of freedom that "
              "its thermostat removes (thermostat.remove)\n",
              run->label, run->added.heat);
  }
}
