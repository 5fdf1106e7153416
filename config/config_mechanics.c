/* The part of the configuration that describes mechanical systems: sites or a Hamiltonian. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_plan.h"
#include "config/config_private.h"
#include "integrators/accel.h"
#include "integrators/constraints.h"
#include "observables/table.h"

#define NAMES(...)                                                                                           \
  .names = (const char *const[]) { __VA_ARGS__, NULL }

/* --- records ---------------------------------------------------------------------------------------- */

/* What the texts are. */
#define NUMBER  .wanted = "a number or a formula"
#define NUMBERS .wanted = "a list, [a, b, ...], of a number or a formula for each dimension"
#define FORMULA .wanted = "a formula, such as \"x^2 + y^2 - 1\""

#define FIELD(name) .offset = offsetof(ConfigSite, name)

const Parameter config_mechanics_site[] = {
    {"count", PARAMETER_STRING, FIELD(count), NUMBER, .fallback = "1",
     .help = "How many sites this record stands for; i in its formulas is 1 to n = count."},
    {"name", PARAMETER_STRING, FIELD(name), .fallback = "X", .help = "For messages and files."},
    {"mass", PARAMETER_STRING, FIELD(mass), NUMBER, .fallback = "1",
     .help = "A positive number or a formula."},
    {"position", PARAMETER_STRINGS, FIELD(position), NUMBERS,
     .help = "A formula for each dimension, in i, n, r (replica, from 0), xi (normal), u (uniform)."},
    {"momentum", PARAMETER_STRINGS, FIELD(momentum), NUMBERS, .optional = true, .rival = "velocity",
     .help = "Likewise; zero by default."},
    {"velocity", PARAMETER_STRINGS, FIELD(velocity), NUMBERS, .optional = true, .rival = "momentum",
     .help = "In place of the momentum."},
    {.key = NULL},
};

#undef FIELD
#define FIELD(name) .offset = offsetof(ConfigTerm, name)

/* Which sites: the same in both tables. */
#define SITES                                                                                                \
  {"site", PARAMETER_STRING, FIELD(site), NUMBER, .optional = true, .help = "One site, from 1."},            \
      {"sites", PARAMETER_STRINGS, FIELD(sites), .optional = true,                                           \
       .help = "Two sites of a pair, or a list of single ones, or all."},                                    \
      {"chain", PARAMETER_STRINGS, FIELD(chain), .optional = true,                                           \
       .help = "[a, b]: the pairs (a, a+1), ..., (b-1, b); i in formulas counts them, n is their number."},  \
      {"ring", PARAMETER_STRINGS, FIELD(ring), .optional = true, .help = "The same, and (b, a)."},           \
  {                                                                                                          \
    "point", PARAMETER_STRINGS, FIELD(point), NUMBERS,                                                       \
        .optional = true, .help = "Fixed in space, in place of a second site; by default the origin."        \
  }

const Parameter config_mechanics_constraint[] = {
    {"type", PARAMETER_CHOICE, FIELD(type), NAMES("distance", "anchor", "implicit", "orthonormal", "dot"),
     .optional = true,
     .help = "distance |q_i - q_j| = d, anchor |q - x| = d, implicit g = 0 by a formula "
             "(assumed where there is one), orthonormal sites as columns, dot q_i . q_j = c."},
    SITES,
    {"distance", PARAMETER_STRING, FIELD(length), NUMBER, .optional = true,
     .help = "Of distance and anchor."},
    {"value", PARAMETER_STRING, FIELD(value), NUMBER, .optional = true, .help = "Of dot: c, by default 0."},
    {"factor", PARAMETER_STRING, FIELD(factor), NUMBER, .optional = true,
     .help = "Of dot and orthonormal: what the constraint is multiplied by, which matters to penalties; by "
             "default 1. orthonormal multiplies its products of different sites by sqrt(2) besides."},
    {"formula", PARAMETER_STRING, FIELD(formula), FORMULA, .optional = true,
     .help = "Of implicit: g in x, y, z of one site or x1, y1, z1, x2, y2, z2 of two; with a Hamiltonian in "
             "q1, ..., p1, ..."},
    {.key = NULL},
};

const Parameter config_mechanics_potential[] = {
    {"type", PARAMETER_CHOICE, FIELD(type), NAMES("gravity", "field", "link", "spring", "quartic", "formula"),
     .optional = true,
     .help = "gravity -m a.q, field -f.q, link k/2 s^2, spring k/2 (s - d)^2, quartic k/4 (s^2 - d^2)^2 with "
             "s the distance of two sites or from a point, or a formula (assumed where there is one)."},
    SITES,
    {"acceleration", PARAMETER_STRINGS, FIELD(vector), NUMBERS, .optional = true, .rival = "force",
     .help = "Of gravity."},
    {"force", PARAMETER_STRINGS, FIELD(vector), NUMBERS, .optional = true, .rival = "acceleration",
     .help = "Of field."},
    {"stiffness", PARAMETER_STRING, FIELD(stiffness), NUMBER, .optional = true, .help = "k."},
    {"length", PARAMETER_STRING, FIELD(length), NUMBER, .optional = true, .help = "d."},
    {"formula", PARAMETER_STRING, FIELD(formula), FORMULA, .optional = true,
     .help = "In x, y, z of one site or x1, y1, z1, x2, y2, z2 of two."},
    {.key = NULL},
};

/* --- terms ------------------------------------------------------------------------------------------ */

/* Of a type of constraint or potential: keys that must and keys that may be there, and how many of the keys
 * that choose sites. */
typedef struct TermShape {
  const char *type;
  const char *need[3], *may[6];
  bool everywhere; /* no choice of sites means all */
} TermShape;

static const TermShape constraint_shapes[] = {
    {"distance", {"distance"}, {"sites", "chain", "ring"}, false},
    {"anchor", {"distance"}, {"site", "sites", "point"}, false},
    {"implicit", {"formula"}, {"site", "sites", "chain", "ring"}, false},
    {"orthonormal", {NULL}, {"sites", "factor"}, false},
    {"dot", {NULL}, {"site", "sites", "value", "factor"}, false},
};

static const TermShape potential_shapes[] = {
    {"gravity", {"acceleration"}, {"site", "sites"}, true},
    {"field", {"force"}, {"site", "sites"}, false},
    {"link", {"stiffness"}, {"site", "sites", "chain", "ring", "point"}, false},
    {"spring", {"stiffness", "length"}, {"site", "sites", "chain", "ring", "point"}, false},
    {"quartic", {"stiffness", "length"}, {"site", "sites", "chain", "ring", "point"}, false},
    {"formula", {"formula"}, {"site", "sites", "chain", "ring"}, false},
};

static bool listed(const char *const *list, int n, const char *key)
{
  for (int i = 0; i < n && list[i] != NULL; i++)
    if (strcmp(list[i], key) == 0)
      return true;
  return false;
}

/* "system.constraints[2].distance". */
typedef struct RecordKey {
  char text[96];
} RecordKey;

static RecordKey record_key(const char *list, int i, const char *key)
{
  RecordKey full;
  snprintf(full.text, sizeof full.text, "%s[%d]%s%s", list, i + 1, *key != '\0' ? "." : "", key);
  return full;
}

static bool term_given(const Input *in, const char *list, int i, const char *key)
{
  return input_given(in, record_key(list, i, key).text);
}

static void check_term_sites(Input *in, const char *list, int i, const TermShape *shape)
{
  static const char *const choice[] = {"site", "sites", "chain", "ring"};
  const char *first = NULL;
  for (int k = 0; k < 4; k++) {
    if (!term_given(in, list, i, choice[k]))
      continue;
    if (first != NULL)
      input_complain(in, record_key(list, i, choice[k]).text, "given together with %s; only one has a place",
                     first);
    first = choice[k];
  }
  if (first == NULL && !shape->everywhere)
    input_complain(in, record_key(list, i, "").text, "which sites? wanted: one of %s%s%s%s%s",
                   listed(shape->may, 6, "site") ? "site, " : "", "sites",
                   listed(shape->may, 6, "chain") ? ", chain" : "",
                   listed(shape->may, 6, "ring") ? ", ring" : "", "");
  if (term_given(in, list, i, "point") && first != NULL && strcmp(first, "site") != 0 &&
      strcmp(shape->type, "anchor") != 0)
    input_complain(in, record_key(list, i, "point").text, "goes with 'site', not with '%s'", first);
}

static void check_term(Input *in, const char *list, int i, const Parameter *table, const TermShape *shape)
{
  for (const Parameter *p = table; p->key != NULL; p++) {
    const bool given = term_given(in, list, i, p->key);
    const bool need = listed(shape->need, 3, p->key);
    if (strcmp(p->key, "type") == 0)
      continue;
    if (given && !need && !listed(shape->may, 6, p->key))
      input_complain(in, record_key(list, i, p->key).text, "has no meaning with type: %s", shape->type);
    else if (!given && need)
      input_require(in, record_key(list, i, p->key).text);
  }
  check_term_sites(in, list, i, shape);
}

/* The type may be left out where a formula says enough. */
static void check_terms(Input *in, const char *list, const InputRecords *records, const Parameter *table,
                        const TermShape *shapes, int by_formula)
{
  ConfigTerm *const term = (ConfigTerm *)records->item;
  for (int i = 0; i < records->n; i++) {
    if (!term_given(in, list, i, "type") && !term_given(in, list, i, "formula")) {
      input_require(in, record_key(list, i, "type").text);
      continue;
    }
    if (!term_given(in, list, i, "type"))
      term[i].type = by_formula;
    check_term(in, list, i, table, &shapes[term[i].type]);
  }
}

static void check_hamiltonian_constraints(const Config *c, Input *in)
{
  const char *const list = KEY(system_constraints);
  for (int i = 0; i < c->system.constraints.n; i++)
    for (const Parameter *p = config_mechanics_constraint; p->key != NULL; p++) {
      const bool formula = strcmp(p->key, "formula") == 0;
      if (formula && !term_given(in, list, i, p->key))
        input_require(in, record_key(list, i, p->key).text);
      else if (!formula && term_given(in, list, i, p->key))
        input_complain(
            in, record_key(list, i, p->key).text,
            "has no meaning with a Hamiltonian, whose constraints are formulas in q1, ..., p1, ...");
    }
}

static void check_system(const Config *c, Input *in)
{
  if (c->sort == SORT_HAMILTONIAN) {
    check_hamiltonian_constraints(c, in);
    return;
  }
  if (c->system.sites.n == 0)
    input_complain(in, KEY(system_sites),
                   "is an empty list; wanted: at least one '- {mass: 1, position: [0, 0]}'");
  check_terms(in, KEY(system_constraints), &c->system.constraints, config_mechanics_constraint,
              constraint_shapes, CONSTRAIN_IMPLICIT);
  check_terms(in, KEY(system_potentials), &c->system.potentials, config_mechanics_potential, potential_shapes,
              POTENTIAL_FORMULA);
}

/* --- how it moves ----------------------------------------------------------------------------------- */

static void check_method(Config *c, Input *in)
{
  const Method *method = config_plan_method(c);
  const bool keeps = method != NULL && (method->traits & METHOD_CONSTRAINTS);
  const bool exact = c->geometry.method > GEOMETRY_PENALTY;
  const bool penalty = c->geometry.method == GEOMETRY_PENALTY;
  if (method != NULL && exact)
    input_complain(in, KEY(geometry_method),
                   "integrator.method: %s is a whole step of its own; %s, without this line", method->name,
                   keeps ? "it keeps constraints itself" : "take method: penalty");
  if (keeps && penalty)
    input_complain(in, KEY(geometry_method),
                   "integrator.method: %s keeps constraints itself, without penalties; take the line out",
                   method->name);
  if (c->sort == SORT_HAMILTONIAN && (exact || penalty))
    input_complain(in, KEY(geometry_method),
                   "a Hamiltonian system has none; its constraints are kept by integrator.method");
  if (c->sort == SORT_HAMILTONIAN && method == NULL)
    input_require(in, KEY(integrator_method));
  if (c->system.constraints.n > 0 && c->geometry.method == GEOMETRY_NONE && !keeps && c->sort == SORT_SITES)
    input_complain(
        in, KEY(geometry_method),
        "nothing keeps the constraints of system.constraints; wanted: penalty, rattle or shake, or "
        "an integrator.method that keeps them");
  if (c->system.constraints.n == 0 && c->geometry.method != GEOMETRY_NONE)
    input_complain(in, KEY(geometry_method), "there are no constraints (system.constraints); wanted: none");
}

static void check_fixman(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  if (!c->geometry.fixman)
    return;
  if (c->geometry.method <= GEOMETRY_PENALTY)
    input_complain(in, KEY(geometry_fixman),
                   "makes up for constraints that are kept exactly; wanted: method: rattle or shake");
  else if (draft->thermostat != THERMOSTAT_LANGEVIN)
    input_complain(in, KEY(geometry_fixman),
                   "has no meaning without a temperature (thermostat.type: langevin)");
}

/* Multipliers are there with penalties, with constraint methods, or where a method says so. */
static void check_multipliers(const Config *c, Input *in)
{
  const Method *method = config_plan_method(c);
  if (c->output.multipliers_every == 0)
    return;
  if (c->system.constraints.n == 0)
    input_complain(in, KEY(output_multipliers_every), "there are no constraints to have multipliers");
  else if (method != NULL && method->multipliers == 0)
    input_complain(in, KEY(output_multipliers_every),
                   "'%s' has no multipliers to write; geometry.method shake and rattle do", method->name);
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
  if (filtered && c->geometry.method > GEOMETRY_PENALTY)
    input_complain(in, KEY(integrator_acceleration),
                   "'%s' filters stiff potentials; constraints that are kept exactly go with verlet", name);
  if (filtered && c->integrator.beta < 0.25)
    input_note(in, KEY(integrator_beta), "%.15g is below 1/4: stiff motions are unstable at large time steps",
               c->integrator.beta);
}

/* In place of the defaults of water. Kelvins are no unit of a reduced system: there a temperature is kT. */
static void check_heat(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  if (c->thermostat.initial == INITIAL_FILE)
    input_complain(in, KEY(thermostat_initial),
                   "'file' goes with the start file of a periodic box; momenta of sites stand with them");
  const bool langevin = draft->thermostat == THERMOSTAT_LANGEVIN;
  double kelvin = 1.0;
  (void)units_factor(QUANTITY_TEMPERATURE, NULL, &kelvin, NULL);
  if (c->reduced && input_given(in, KEY(thermostat_temperature)))
    c->thermostat.kT /= kelvin;
  if (c->sort == SORT_HAMILTONIAN && (langevin || draft->config.thermostat.initial == INITIAL_MAXWELL))
    input_complain(in, langevin ? KEY(thermostat_type) : KEY(thermostat_initial),
                   "a Hamiltonian system has no masses for a thermostat to act on");
}

/* A table of start values: it says how many replicas there are. */
static void check_starts(const Config *c, Input *in)
{
  if (c->system.file == NULL)
    return;
  char *path = config_path(c, c->system.file), number[32];
  Table *table = NULL;
  Error why;
  if (path != NULL && table_read(&table, path, &why) != STATUS_OK)
    input_complain(in, KEY(system_file), "%s; wanted: a table (CSV) of start values, a row for each replica",
                   why.text);
  free(path);
  if (table == NULL)
    return;
  const size_t rows = table->nrow;
  table_free(table);
  snprintf(number, sizeof number, "%zu", rows);
  if (rows == 0)
    input_complain(in, KEY(system_file), "%s holds no row of start values", c->system.file);
  else if (!input_given(in, KEY(ensemble_replicas)))
    input_default(in, KEY(ensemble_replicas), number);
  else if (rows != 1 && rows != (size_t)c->ensemble.replicas)
    input_complain(in, KEY(ensemble_replicas), "%d are asked for, but %s has %zu rows, one for each",
                   c->ensemble.replicas, c->system.file, rows);
}

void config_mechanics_check(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  check_starts(c, in);
  if (!input_given(in, KEY(output_ensemble_every))) {
    char every[32];
    snprintf(every, sizeof every, "%lld", (long long)c->output.every);
    input_default(in, KEY(output_ensemble_every), every);
  }
  check_system(c, in);
  check_method(c, in);
  check_acceleration(c, in);
  check_heat(draft, in);
  check_multipliers(c, in);
  check_fixman(draft, in);
}
