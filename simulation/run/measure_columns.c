/* What a sample of one replica has. */
#include "integrators/oscillator.h"
#include "results/quantity.h"
#include "simulation/run/measure.h"

static int column_add(Columns *c, const char *name)
{
  c->name[c->n] = name;
  c->unit[c->n] = quantity_unit(QUANTITY_MOLECULES, "thermo", name);
  return c->n++;
}

static void column_pressure(Columns *c, int by, const char *const name[1 + PRESSURE_COMPONENTS])
{
  c->pressure[by] = c->n;
  for (int i = 0; i <= PRESSURE_COMPONENTS; i++)
    column_add(c, name[i]);
}

Columns measure_columns_make(const MeasureOptions *o, const ForceField *field)
{
  Columns c = {0};
  c.kinetic = column_add(&c, "kinetic");
  for (int i = 0; i < force_field_terms(field); i++)
    column_add(&c, force_field_term(field, i));
  c.nonbonded = column_add(&c, "nonbonded");
  c.penalty = column_add(&c, "penalty");
  c.excess = o->excess ? column_add(&c, "penalty_excess") : -1;
  c.total = column_add(&c, "total");
  c.conserved = column_add(&c, "conserved");
  c.temperature = column_add(&c, "temperature");
  c.unbiased = oscillator_unbiased(o->plan) ? column_add(&c, "temperature_unbiased") : -1;
  c.largest = column_add(&c, "largest_g");
  static const char *const molecule[] = {"pressure",    "pressure_xx", "pressure_yy", "pressure_zz",
                                         "pressure_xy", "pressure_xz", "pressure_yz"};
  static const char *const atom[] = {"pressure_atom",    "pressure_atom_xx", "pressure_atom_yy",
                                     "pressure_atom_zz", "pressure_atom_xy", "pressure_atom_xz",
                                     "pressure_atom_yz"};
  c.pressure[0] = c.pressure[1] = -1;
  if (o->periodic && o->by_molecule)
    column_pressure(&c, 0, molecule);
  if (o->periodic && o->by_atom)
    column_pressure(&c, 1, atom);
  c.momenta = c.n;
  static const char *const momenta[6] = {"px", "py", "pz", "lx", "ly", "lz"};
  for (int i = 0; i < (o->periodic ? 3 : 6); i++)
    column_add(&c, momenta[i]);
  return c;
}

int measure_columns_whole(const Columns *c, int column[COLUMNS_WHOLE])
{
  const int all[COLUMNS_WHOLE] = {c->conserved,   c->kinetic,     c->nonbonded, c->penalty, c->pressure[0],
                                  c->pressure[1], c->temperature, c->unbiased,  c->total};
  int n = 0;
  for (int i = 0; i < COLUMNS_WHOLE; i++)
    if (all[i] >= 0)
      column[n++] = all[i];
  return n;
}
