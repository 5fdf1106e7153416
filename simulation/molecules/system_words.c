#include "simulation/molecules/system_words.h"

#include <math.h>

#include "base/text.h"
#include "forcefields/plumed.h"
#include "simulation/molecules/frictions.h"
#include "simulation/molecules/system_box.h"
#include "simulation/molecules/system_topology.h"

enum { KINDS_SAID = 8 };

/* --- groups ------- */

/* Lists kinds with empty lanes, the first few by name. */
static void append_empty(const Simulation *s, char *words, size_t size)
{
  int said = 0, more = 0;
  text_append(words, size, "; %.3g %% of the lanes are empty",
              100.0 * groups_empty(system_molecules(s)->groups));
  for (int k = 0; k < s->nkind; k++) {
    if (s->lanes[k] % LANES == 0)
      continue;
    if (said < KINDS_SAID)
      text_append(words, size, "%s%s: %d in %d", said++ == 0 ? " (" : ", ", s->kind[k]->name, s->lanes[k],
                  (s->lanes[k] + LANES - 1) / LANES * LANES);
    else
      more++;
  }
  if (more > 0)
    text_append(words, size, ", and %d more kinds", more);
  text_append(words, size, said > 0 ? ")" : "");
}

static int count_groups(const Simulation *s)
{
  int groups = 0;
  for (int k = 0; k < s->nkind; k++)
    groups += s->lanes[k];
  return groups;
}

static void say_groups(const Simulation *s, char *words, size_t size)
{
  int soft = 0; /* penalised, in kinds that also have constraints */
  for (int k = 0; k < s->nkind; k++)
    soft += s->lanes[k] * (s->kind[k]->ncon - kind_kept(s->kind[k]).ncon);
  text_append(words, size, "groups: %d of %d kinds, with %d constraints", count_groups(s), s->nkind,
              simulation_constraints(s));
  if (soft > 0)
    text_append(words, size, ", %d of them penalised", soft);
  if (s->width == 1)
    append_empty(s, words, size);
}

/* Groups are reported only for described molecules. */
static bool has_groups(const Simulation *s) { return system_origin(s)->described; }

/* --- masses of hydrogens ------- */

static bool has_heavy_hydrogens(const Simulation *s) { return s->config->geometry.hydrogen_mass > 0.0; }

static void say_hydrogens(const Simulation *s, char *words, size_t size)
{
  const HydrogenCount *n = &system_molecules(s)->hydrogens;
  text_append(words, size,
              "hydrogen mass: %lld hydrogens have %.6g g/mol, taken from the atoms that they are bonded to",
              (long long)n->bonded, s->config->geometry.hydrogen_mass);
  if (n->water > 0)
    text_append(words, size, "; %lld of waters keep their mass", (long long)n->water);
  if (n->lone > 0)
    text_append(words, size, "; %lld without such an atom keep their mass", (long long)n->lone);
}

/* --- precision ------- */

/* The name of a water whose sites are not planar, which kernels in single precision require; NULL
 * otherwise. */
static const char *water_in_double(const Simulation *s)
{
  const WaterMolecule *water = system_topology_water(s);
  return water != NULL && box_periodic(&s->box) && system_molecules(s)->precision == PAIR_MIXED &&
                 !water_site_map(&water->model).planar
             ? water->model.name
             : NULL;
}

static void say_double(const Simulation *s, char *words, size_t size)
{
  text_append(words, size,
              "note: the sites of %s are not planar, which kernels in single precision require: forces "
              "between its waters within the cutoff use double precision, which takes about twice as long",
              water_in_double(s));
}

/* --- charge ------- */

/* Smaller net charges, e, change no printed digit. */
static const double least_charge = 1e-4;

/* The charge neutralised by a background; 0 without one. */
static double neutralised(const Simulation *s, bool *rounding)
{
  if (!box_periodic(&s->box) || !coulomb_splits(s->config->forces.coulomb))
    return 0.0;
  const double charge = system_box_charge(s, rounding);
  return fabs(charge) < least_charge ? 0.0 : charge;
}

bool system_words_charge(const Simulation *s, char *words, size_t size)
{
  bool rounding = false;
  const double charge = neutralised(s, &rounding);
  if (charge == 0.0)
    return false;
  text_append(words, size,
              "warning: the box has a net charge of %+.6g e, which a uniform background neutralises; ",
              charge);
  if (rounding)
    text_append(words, size, "it stems from rounded charges in %s", system_molecules(s)->source);
  else
    text_append(words, size,
                "add counter ions if the system should be neutral, since energies and pressures with a net "
                "charge converge slowly with the size of the box");
  return true;
}

/* --- the electric field ------- */

static bool has_field(const Simulation *s) { return config_field_is(s->config); }

static void say_field(const Simulation *s, char *words, size_t size)
{
  const Config *c = s->config;
  const double *e = c->field.electric;
  text_append(words, size, "electric field: [%.6g, %.6g, %.6g] V/nm", 10.0 * e[0] / UNITS_VOLT,
              10.0 * e[1] / UNITS_VOLT, 10.0 * e[2] / UNITS_VOLT);
  if (c->field.period > 0.0)
    text_append(words, size, " times cos(2 pi t/%.6g ps%+.6g degrees)",
                c->field.period * UNITS_AKMA_FS * 1e-3, c->field.phase);
}

/* --- PLUMED ------- */

static void say_plumed(const Simulation *s, char *words, size_t size)
{
  text_append(words, size,
              "plumed: %d actions of %.200s, in each replica; a run that is stopped and resumed may differ "
              "from one in one piece",
              plumed_actions(s->plumed), s->config->plumed);
}

/* --- restraints ------- */

static void append_walls(const Simulation *s, int i, const ConfigRestraint *record, char *words, size_t size)
{
  const int walls = config_walls(s->config->input, i);
  const char axis = "zxy"[record->of.axis];
  if (walls & WALL_ABOVE)
    text_append(words, size, " above %c = %.6g A", axis, record->above);
  if (walls & WALL_BELOW)
    text_append(words, size, "%s below %c = %.6g A", walls & WALL_ABOVE ? " and" : "", axis, record->below);
  if (s->config->barostat.type != BAROSTAT_NONE)
    text_append(words, size, "; the walls follow the box");
}

static void say_restraints(const Simulation *s, int i, char *words, size_t size)
{
  static const char *const follows[] = {[SCALE_CENTRES] = "follows the box with the centre of its molecule",
                                        [SCALE_NONE] = "does not follow the box",
                                        [SCALE_ALL] = "follows the box"};
  const Config *c = s->config;
  const ConfigRestraint *record = (const ConfigRestraint *)c->restraints.item + i;
  const int n = system_molecules(s)->restrained[i];
  const CoordinateType *type = config_parameters_coordinate(record);
  if (type != NULL) {
    const char *const unit = config_parameters_unit(type, true);
    if (type->composed)
      text_append(words, size, "restraint %d: the formula %.200s of %d atoms", i + 1, record->of.formula, n);
    else
      text_append(words, size, "restraint %d: the %s of %d site%s with %d atoms", i + 1, type->one,
                  type->nsite > 0 ? type->nsite : n, type->nsite == 1 ? "" : "s", n);
    text_append(words, size, ", k = %.6g %s around %.6g%s%s", record->k.value[0],
                config_parameters_unit(type, false), record->centre, *unit != '\0' ? " " : "", unit);
    return;
  }
  text_append(words, size, "restraint %d: %d atom%s, k = ", i + 1, n, n == 1 ? "" : "s");
  for (int d = 0; d < record->k.n; d++)
    text_append(words, size, "%s%.6g", d > 0 ? ", " : "", record->k.value[d]);
  text_append(words, size, " kcal/mol/A^2");
  if (config_walls(c->input, i) != 0) {
    append_walls(s, i, record, words, size);
    return;
  }
  if (record->flat > 0.0)
    text_append(words, size, " beyond %.6g A", record->flat);
  text_append(words, size, " from the positions in %s",
              record->of.file != NULL ? record->of.file : c->system.file);
  if (s->config->barostat.type != BAROSTAT_NONE)
    text_append(words, size, "; each point %s", follows[record->scale]);
}

/* --- frozen atoms ------- */

static void append_frozen(const Simulation *s, char *words, size_t size)
{
  const int n = system_molecules(s)->nfrozen;
  text_append(words, size, "frozen: %d of %d atoms (%.100s), which have no degrees of freedom", n,
              s->topology->natom, s->config->freeze);
}

/* --- all ------- */

bool system_words(const Simulation *s, int i, char *words, size_t size)
{
  const MolecularSystem *w = system_molecules(s);
  const int restraints = w->nrestraint + w->nheld > 0 ? s->config->restraints.n : 0;
  bool rounding = false;
  words[0] = '\0';
  if (has_groups(s) && i-- == 0)
    say_groups(s, words, size);
  else if (has_heavy_hydrogens(s) && i-- == 0)
    say_hydrogens(s, words, size);
  else if (w->nfrozen > 0 && i-- == 0)
    append_frozen(s, words, size);
  else if (neutralised(s, &rounding) != 0.0 && i-- == 0)
    (void)system_words_charge(s, words, size);
  else if (water_in_double(s) != NULL && i-- == 0)
    say_double(s, words, size);
  else if (has_field(s) && i-- == 0)
    say_field(s, words, size);
  else if (s->plumed != NULL && i-- == 0)
    say_plumed(s, words, size);
  else if (i < restraints)
    say_restraints(s, i, words, size);
  else if (i - restraints < frictions_rows(s))
    frictions_words(s, i - restraints, words, size);
  return words[0] != '\0';
}

void system_words_summary(const Simulation *s, ResultSet *set)
{
  const MolecularSystem *w = system_molecules(s);
  if (w->nfrozen > 0)
    results_whole(set, "", "frozen_atoms", w->nfrozen);
  if (has_groups(s)) {
    results_whole(set, "", "groups", count_groups(s));
    results_whole(set, "", "group_kinds", s->nkind);
    if (s->width == 1)
      results_real(set, "", "empty_lanes", groups_empty(w->groups));
  }
  if (has_heavy_hydrogens(s))
    results_real(set, "", "hydrogen_mass", s->config->geometry.hydrogen_mass);
  for (int d = 0; d < 3 && has_field(s); d++) {
    const char name[] = {'f', 'i', 'e', 'l', 'd', '_', (char)('x' + d), '\0'};
    results_real(set, "", name, 10.0 * s->config->field.electric[d] / UNITS_VOLT);
  }
  if (has_field(s) && s->config->field.period > 0.0) {
    results_real(set, "", "field_period", s->config->field.period * UNITS_AKMA_FS * 1e-3);
    results_real(set, "", "field_phase", s->config->field.phase);
  }
  if (w->nrestraint > 0)
    results_whole(set, "", "restrained_atoms", w->nrestraint);
}
