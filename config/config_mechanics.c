/* Checks the configuration of mechanical systems: sites, or a Hamiltonian. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/config_private.h"
#include "integrators/accel.h"
#include "methods/method_table.h"
#include "results/results.h"

/* --- terms ------------------------------------------------------------------------------------------ */

static bool fits(const Parameter *p, int type) { return p->sorts == 0 || (p->sorts & 1u << type) != 0; }

/* Requires exactly one of the keys that choose sites; gravity without one acts on all sites. */
static void check_term_sites(Input *in, InputKey list, int i, const Parameter *table, int type)
{
  const char *first = NULL;
  char choice[64] = "";
  for (const Parameter *p = &table[RECORDS_SITE]; p <= &table[RECORDS_RING]; p++) {
    if (fits(p, type))
      text_append(choice, sizeof choice, "%s%s", choice[0] != '\0' ? ", " : "", p->key);
    if (!input_given(in, input_record(list, i, p->key)))
      continue;
    if (first != NULL)
      input_complain(in, input_record(list, i, p->key), "given together with %s; remove one of the two",
                     first);
    first = p->key;
  }
  const bool potential = table == config_records_potential;
  if (first == NULL && !(potential && type == POTENTIAL_GRAVITY))
    input_complain(in, input_record(list, i, NULL), "has no sites; wanted: one of %s", choice);
  if (input_given(in, input_record(list, i, "point")) && first != NULL && strcmp(first, "site") != 0 &&
      potential)
    input_complain(in, input_record(list, i, "point"), "applies to 'site', not to '%s'", first);
}

static void check_term(Input *in, InputKey list, int i, const Parameter *table, int type)
{
  for (const Parameter *p = &table[RECORDS_SITE]; p->key != NULL; p++) {
    const bool given = input_given(in, input_record(list, i, p->key));
    if (given && !fits(p, type))
      input_complain(in, input_record(list, i, p->key), "has no meaning with type: %s", table->name(type));
    else if (!given && fits(p, type) && !p->optional)
      input_require(in, input_record(list, i, p->key));
  }
  check_term_sites(in, list, i, table, type);
}

/* A record with a formula needs no type. */
static void check_terms(Input *in, InputKey list, const InputRecords *records, const Parameter *table,
                        int by_formula)
{
  ConfigTerm *const term = (ConfigTerm *)records->item;
  for (int i = 0; i < records->n; i++) {
    if (!input_given(in, input_record(list, i, "type")) &&
        !input_given(in, input_record(list, i, "formula"))) {
      input_require(in, input_record(list, i, "type"));
      continue;
    }
    if (!input_given(in, input_record(list, i, "type")))
      term[i].type = by_formula;
    check_term(in, list, i, table, term[i].type);
  }
}

void config_mechanics_hamiltonian(Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  const InputKey list = KEY(system_constraints);
  for (int i = 0; i < c->system.constraints.n; i++)
    for (const Parameter *p = config_records_constraint; p->key != NULL; p++) {
      const bool formula = strcmp(p->key, "formula") == 0;
      if (formula && !input_given(in, input_record(list, i, p->key)))
        input_require(in, input_record(list, i, p->key));
      else if (!formula && input_given(in, input_record(list, i, p->key)))
        input_complain(
            in, input_record(list, i, p->key),
            "has no meaning with a Hamiltonian, whose constraints are formulas in q1, ..., p1, ...");
    }
}

void config_mechanics_sites(Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  if (c->system.sites.n == 0)
    input_complain(in, KEY(system_sites),
                   "is an empty list; wanted: at least one '- {mass: 1, position: [0, 0]}'");
  check_terms(in, KEY(system_constraints), &c->system.constraints, config_records_constraint,
              CONSTRAIN_IMPLICIT);
  check_terms(in, KEY(system_potentials), &c->system.potentials, config_records_potential, POTENTIAL_FORMULA);
}

/* --- dynamics ----------------------------------------------------------------------------------- */

static void check_fixman(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  if (!c->geometry.fixman)
    return;
  if (c->geometry.method <= GEOMETRY_PENALTY)
    input_complain(
        in, KEY(geometry_fixman),
        "corrects the sampling of exact constraints, which are missing; wanted: method: rattle or shake");
  else if (c->thermostat.type == THERMOSTAT_NONE)
    input_complain(in, KEY(geometry_fixman),
                   "has no meaning without a temperature (thermostat.type: langevin)");
}

/* Penalties, constraint methods and some methods have multipliers. */
static void check_multipliers(const Config *c, Input *in)
{
  const Method *method = method_table_find(c->integrator.method);
  if (c->output.multipliers_every == 0)
    return;
  if (c->system.constraints.n == 0)
    input_complain(in, KEY(output_multipliers_every),
                   "there are no constraints, so there are no multipliers; remove the line");
  else if (method != NULL && method->multipliers == NULL)
    input_complain(in, KEY(output_multipliers_every),
                   "'%s' computes no multipliers; geometry.method: shake and rattle do", method->name);
}

static void check_acceleration(Config *c, Input *in)
{
  if (c->integrator.method != NULL) {
    if (!input_given(in, KEY(integrator_word))) {
      input_drop(in, KEY(integrator_word));
      c->integrator.word = NULL;
    }
    c->integrator.acceleration = "verlet";
    return;
  }
  const char *const name = c->integrator.acceleration;
  const bool filtered = name != NULL && !accel_map_has(name, ACCEL_PLAIN);
  if (filtered && c->integrator.beta < 0.25)
    input_note(in, KEY(integrator_beta), "%.15g is below 1/4: stiff motions are unstable at large time steps",
               c->integrator.beta);
}

/* Checks the thermostat. In reduced units a temperature is kT, so its conversion from kelvin is undone. */
static void check_heat(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  if (c->thermostat.initial == INITIAL_FILE)
    input_complain(in, KEY(thermostat_initial),
                   "'file' applies to molecules; system.sites or system.file sets the momenta of sites");
  const bool heated = c->thermostat.type != THERMOSTAT_NONE;
  double kelvin = 1.0;
  (void)units_factor(QUANTITY_TEMPERATURE, NULL, &kelvin);
  if (c->reduced && input_given(in, KEY(thermostat_temperature)))
    c->thermostat.kT /= kelvin;
  for (int k = 0; c->reduced && k < c->exchange.number; k++)
    c->exchange.kT[k] /= kelvin;
  if (config_sort_is(c, SORT_GENERAL) && (heated || c->thermostat.initial == INITIAL_MAXWELL))
    input_complain(in, heated ? KEY(thermostat_type) : KEY(thermostat_initial),
                   "a Hamiltonian system has no masses, which a thermostat needs; wanted: none or zero");
}

/* Reads a table of start values, which determines the number of replicas. */
static void check_starts(const Config *c, Input *in)
{
  if (c->system.file == NULL)
    return;
  char *path = config_path(c, c->system.file), number[32];
  ResultTable *table = NULL;
  Error why;
  if (path != NULL && results_csv_load(&table, path, &why) != STATUS_OK)
    input_complain(in, KEY(system_file), "%s; wanted: a table (CSV) of start values, a row for each replica",
                   why.text);
  free(path);
  if (table == NULL)
    return;
  const size_t rows = table->nrow;
  results_free_table(table);
  snprintf(number, sizeof number, "%zu", rows);
  if (rows == 0)
    input_complain(in, KEY(system_file), "%s has no row of start values", c->system.file);
  else if (!input_given(in, KEY(ensemble_replicas)) && c->exchange.number == 0)
    input_default(in, KEY(ensemble_replicas), number);
  else if (rows != 1 && rows != (size_t)c->ensemble.replicas)
    input_complain(in, KEY(ensemble_replicas),
                   "%d replicas were requested, but %s has %zu rows, one for each replica",
                   c->ensemble.replicas, c->system.file, rows);
}

void config_mechanics_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  check_starts(c, in);
  if (strcmp(draft->replica, "all") == 0)
    input_complain(in, KEY(output_trajectory_replica),
                   "'all' applies to molecules; trajectory.csv has one replica; wanted: a number from 0");
  char every[32];
  snprintf(every, sizeof every, "%lld", (long long)c->output.trajectory_every);
  input_default(in, KEY(output_thermo_every), every); /* unless it was given */
  if (config_sorts[c->sort].own != NULL)
    config_sorts[c->sort].own(draft, in);
  if (c->system.constraints.n == 0 && c->geometry.method != GEOMETRY_NONE)
    input_complain(in, KEY(geometry_method), "there are no constraints (system.constraints); wanted: none");
  check_acceleration(c, in);
  check_heat(draft, in);
  check_multipliers(c, in);
  check_fixman(draft, in);
}
