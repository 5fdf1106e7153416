/* The table of all keys of the input file, and the conditions that it refers to. */
#include <string.h>

#include "config/config_private.h"
#include "engine/state.h"
#include "forcefields/water.h"
#include "integrators/accel.h"
#include "integrators/composition.h"
#include "integrators/constraints.h"
#include "io/trajectory.h"
#include "methods/method_table.h"
#include "topology/groups.h"

static const char *model_name(int i) { return water_models[i].name; }

static const char *accel_name(int i) { return accel_maps[i].name; }

const char *config_table_method(int i)
{
  if (i < GEOMETRY_CONSTRAINTS)
    return i == GEOMETRY_NONE ? "none" : "penalty";
  const ConstraintMethod *method = constraint_methods[i - GEOMETRY_CONSTRAINTS];
  return method != NULL ? method->name : NULL;
}

static const char *solver_name(int i)
{
  if (i == 0)
    return "auto";
  return constraint_solvers[i - 1] != NULL ? constraint_solvers[i - 1]->name : NULL;
}

static const char *composition_name(int i) { return i == 0 ? "none" : composition_table[i - 1].name; }

static const char *step_name(int i) { return method_table[i] != NULL ? method_table[i]->name : NULL; }

static const char *format_name(int i)
{
  return trajectory_formats[i] != NULL ? trajectory_formats[i]->name : NULL;
}

/* In parentheses: clang-tidy then sees that no comma is missing. */
#define NO_TOPOLOGY                                                                                          \
  ("use system.topology, a file of molecules with their force field; 'holonom import' makes it from a "      \
   "topology of GROMACS, AMBER or CHARMM")
#define A_BIAS "use biases, a list of potentials of coordinates"

#define AN_ALCHEMY "use alchemy, which lists the states of a decoupled molecule"

#define A_STUDY "it is a key of a study, which 'holonom study' runs"

/* Sections and keys of other programs and of studies, each with the advice of its error message. */
static const char *const absent[] = {
    // clang-format off
    "base", A_STUDY,
    "vary", A_STUDY,
    "runs", A_STUDY,
    "extrema", A_STUDY,
    "pcoupl", "use barostat.type: monte-carlo or rescale",
    "ref_p", "use barostat.pressure",
    "npt", "use barostat.type: monte-carlo or rescale",
    "pressure", "use barostat.pressure for constant pressure, output.pressure for how it is measured",
    "annealing", "use schedule",
    "annealing_time", "use schedule[].time",
    "annealing_temp", "use schedule[].temperature",
    "electric_field", "use field.electric",
    "electric_field_x", "use field.electric",
    "electric_field_y", "use field.electric",
    "electric_field_z", "use field.electric",
    "tau_p", "use barostat.time, with barostat.type: rescale",
    "forcefield", NO_TOPOLOGY,
    "force_field", NO_TOPOLOGY,
    "pull", A_BIAS,
    "umbrella", A_BIAS,
    "metadynamics", A_BIAS,
    "plumed", A_BIAS,
    "free_energy", AN_ALCHEMY,
    "couple_moltype", "use alchemy.molecules",
    "couple_lambda0", AN_ALCHEMY,
    "couple_lambda1", AN_ALCHEMY,
    "coul_lambdas", "use alchemy.coulomb, strengths, which are 1 - lambda",
    "vdw_lambdas", "use alchemy.lj, strengths, which are 1 - lambda",
    "fep_lambdas", AN_ALCHEMY,
    "init_lambda_state", AN_ALCHEMY,
    "sc_alpha", "use alchemy.soft_alpha",
    "sc_power", "use alchemy.soft_power",
    "sc_sigma", "use alchemy.soft_sigma",
    "nstdhdl", "use exchange.interval",
    "clambda", AN_ALCHEMY,
    "icfe", AN_ALCHEMY,
    "position_restraints", "use restraints",
    "posres", "use restraints",
    "walls", "use restraints[].above and restraints[].below",
    "nwall", "use restraints[].above and restraints[].below, half-harmonic walls",
    "refcoord_scaling", "use restraints[].scale",
    "gpu", "runs do not use a GPU",
    "device", "runs do not use a GPU",
    "tcoupl", "use thermostat.type",
    "tau_t", "use thermostat.friction, the inverse of this time; with thermostat.type: rescale, use thermostat.time",
    "tc_grps", "use thermostat.frictions",
    "freezegrps", "use freeze, a selection of atoms",
    "freezedim", "use freeze, a selection of atoms that move in no direction",
    "fixedAtoms", "use freeze, a selection of atoms",
    "bellymask", "use freeze, a selection of the atoms that do not move",
    "ref_t", "use thermostat.temperature",
    "mass_repartition_factor", "use geometry.hydrogen_mass, a mass such as 3 g/mol",
    "hydrogenMass", "use geometry.hydrogen_mass",
    "maxh", "use holonom run --max-hours",
    "max_hours", "use holonom run --max-hours",
    "gen_vel", "use thermostat.initial",
    "dt", "use integrator.timestep",
    "nsteps", "use integrator.steps",
    "wisdom", "the mesh's Fourier transforms need no wisdom: remove the line",
    "rcoulomb", "use forces.cutoff",
    "rvdw", "use forces.cutoff",
    "rlist", "use forces.buffer",
    "nstlist", "neighbour lists are rebuilt when necessary; forces.buffer sets their reach",
    "ewald_rtol", "use forces.accuracy, an error of the force in kcal/mol/A",
    "fourierspacing", "use forces.accuracy, or forces.grid",
    "pme_order", "use forces.order",
    "constraint_algorithm", "use geometry.method",
    "lincs", "use geometry.method: settle, shake or rattle",
    NULL
    // clang-format on
};

/* --- system types and conditions --------------------------------------------------------------------- */

/* A bit for each system type: CLUSTER, SITES and so on. */
enum {
#define SORT(name, ...) name = 1 << SORT_##name,
#include "config/config_sorts.def"
#undef SORT
  MOLECULAR = CLUSTER | BOX
};

/* Sets of system types, by traits. */
enum {
#define SORT(name, row, key, traits, ...) | (((traits)&SORT_MECHANICAL) ? 1 << SORT_##name : 0)
  MECHANICAL = 0
#include "config/config_sorts.def"
#undef SORT
#define SORT(name, row, key, traits, ...) | (((traits)&SORT_GENERAL) ? 0 : 1 << SORT_##name)
  ,
  NATURAL = 0 /* with masses and potentials */
#include "config/config_sorts.def"
#undef SORT
};

/* System types with an observable: SORTS_rdf and so on. */
enum {
#define OBSERVABLE(name, sorts, ...) SORTS_##name = (sorts),
#include "observables/observable_rows.def"
};

static const InputSort sorts[] = {
#define SORT(name, row, key, traits, check, own, ...) [SORT_##name] = {__VA_ARGS__},
#include "config/config_sorts.def"
#undef SORT
    {.name = NULL}};

/* A condition on the draft d and its configuration c. */
#define CONDITION(name, expression, ...)                                                                     \
  static bool name##_holds(const void *target)                                                               \
  {                                                                                                          \
    const Draft *const d = target;                                                                           \
    const Config *const c = &d->config;                                                                      \
    return (void)c, (expression);                                                                            \
  }                                                                                                          \
  static const InputCondition name = {name##_holds, __VA_ARGS__}

static bool has_method(const Config *c, const char *name)
{
  return c->integrator.method != NULL && strcmp(c->integrator.method, name) == 0;
}

static bool has_map(const Config *c, unsigned trait)
{
  return c->integrator.method == NULL && c->integrator.acceleration != NULL &&
         accel_map_has(c->integrator.acceleration, trait);
}

CONDITION(boxed, config_sort_is(c, SORT_PERIODIC), .with = "in periodic boxes");
CONDITION(unsampled, config_mechanical(c) || (c->system.described && c->output.rdf_sites.n == 0),
          .with = "in mechanical systems, and with molecules of files");
CONDITION(mechanical, config_mechanical(c), .with = "in mechanical systems");
CONDITION(coasting, config_mechanical(c) && c->thermostat.type == THERMOSTAT_NONE,
          .with = "in mechanical systems without a thermostat");
CONDITION(natural, !config_sort_is(c, SORT_GENERAL), .without = "in a system with a Hamiltonian");
/* Water and its start. */
CONDITION(topological, c->system.topology != NULL, .with = "with system.topology", .hidden = true);
CONDITION(described, c->system.described, .with = "with files of molecules",
          .without = "without molecules of files (system.topology)", .hidden = true);
CONDITION(without_water, c->system.model == NULL, .with = "without water");
CONDITION(watery, c->system.model != NULL || c->system.types.n > 0, .without = "without water",
          .hidden = true);
CONDITION(gathered, c->system.topology == NULL || c->system.start != START_FILE,
          .without = "with system.topology and start: file", .hidden = true);
CONDITION(counted, c->system.model != NULL || c->system.types.n > 0 || c->system.start == START_FILE,
          .without = "without water (system.model); system.atoms gives the numbers of atoms");
#define FROM_A_FILE .with = "with start: file", .without = "with start: build; write 'start: file'"
CONDITION(start_file, config_mechanical(c) || c->system.start == START_FILE || c->system.topology != NULL,
          FROM_A_FILE);
CONDITION(from_file, c->system.start == START_FILE, FROM_A_FILE, .hidden = true);
CONDITION(
    built, c->system.start != START_FILE,
    .without = "with start: file, which determines the number of molecules; give system.box, or 'box: file'");
CONDITION(lattice, config_sort_is(c, SORT_PERIODIC) && c->system.start != START_FILE,
          .with = "in built boxes (start: build)", .hidden = true);
CONDITION(downhill, c->system.minimise && (c->system.start == START_FILE || config_sort_is(c, SORT_PERIODIC)),
          .without = "without system.minimise, or in a built cluster, which starts at a minimum",
          .hidden = true);
/* Forces. */
CONDITION(mesh, c->forces.coulomb == COULOMB_PME, .without = "without a mesh (coulomb: pme)", .hidden = true);
CONDITION(ewald, coulomb_splits(c->forces.coulomb), .without = "without an Ewald sum (coulomb: pme)",
          .hidden = true);
CONDITION(reaction_field, c->forces.coulomb == COULOMB_REACTION_FIELD,
          .without = "without coulomb: reaction-field", .hidden = true);
CONDITION(switched,
          c->forces.truncation == TRUNCATION_AUTO ? c->thermostat.type == THERMOSTAT_NONE
                                                  : c->forces.truncation >= TRUNCATION_SWITCH,
          .without = "without truncation: switch", .hidden = true);
CONDITION(electric, d->electric.n > 0, .without = "without field.electric", .hidden = true);
CONDITION(oscillating, c->field.period > 0.0, .without = "without field.period", .hidden = true);
/* Constraints and penalties. */
/* Whether a penalty without a strength of its own uses geometry.w. */
static bool takes_strength(const Config *c)
{
  bool any = c->geometry.method == GEOMETRY_PENALTY;
  const ConfigKeep *keep = c->geometry.keep.item;
  for (int i = 0; i < c->geometry.keep.n; i++)
    any = any || (keep[i].method == GEOMETRY_PENALTY && keep[i].w == 0.0);
  return any;
}

CONDITION(heavy, c->geometry.hydrogen_mass > 0.0, .without = "without hydrogen_mass");
CONDITION(penalties, config_penalises(c), .with = "with penalties",
          .without = "without penalties (geometry.method: penalty)");
CONDITION(strong, takes_strength(c), .with = "with penalties",
          .without = "without penalties (geometry.method: penalty) that have no w of their own");
CONDITION(exact, config_constraint_method(c) != NULL,
          .without = "without constraints (geometry.method: rattle or shake)");
CONDITION(alone, config_constraint_method(c) != NULL && !config_penalises(c), .with = "with constraints");
CONDITION(kept,
          config_constraint_method(c) != NULL ||
              (c->system.constraints.n > 0 && c->geometry.method != GEOMETRY_PENALTY),
          .without = "without exact constraints");
CONDITION(constrained, !config_mechanical(c) || c->system.constraints.n > 0,
          .without = "without constraints");
CONDITION(multiplied, c->output.multipliers_every > 0, .without = "without multipliers_every");
/* Steps. */
CONDITION(worded, c->integrator.word != NULL, .without = "without a word");
CONDITION(geometric, c->integrator.method != NULL && strncmp(c->integrator.method, "geometric-", 10) == 0,
          .without = "without a geometric integrator.method");
CONDITION(searching, has_method(c, "kinematic-search"),
          .without = "without integrator.method: kinematic-search");
CONDITION(iterated, c->integrator.method != NULL || has_map(c, ACCEL_ITERATES),
          .without = "without a nonlinear solve");
CONDITION(filtered, has_method(c, "newmark") || (c->integrator.method == NULL && !has_map(c, ACCEL_PLAIN)),
          .without = "without a Zhang-Skeel or Newmark step");
/* Heat. */
CONDITION(langevin, c->thermostat.type == THERMOSTAT_LANGEVIN,
          .without = "without thermostat.type: langevin");
CONDITION(global, c->thermostat.type == THERMOSTAT_RESCALE, .without = "without thermostat.type: rescale",
          .hidden = true);
CONDITION(flying,
          c->thermostat.type == THERMOSTAT_RESCALE && !config_mechanical(c) &&
              config_parameters_conserved(c) != REMOVE_NONE,
          .with = "with thermostat.type: rescale and without restraints or frozen atoms");
CONDITION(warm,
          !config_mechanical(c) || c->exchange.number > 0 || c->thermostat.type != THERMOSTAT_NONE ||
              c->thermostat.initial == INITIAL_MAXWELL,
          .without = "without a thermostat and with initial: zero");
CONDITION(pressed, c->barostat.type != BAROSTAT_NONE, .with = "with a barostat",
          .without = "without a barostat (barostat.type)");
CONDITION(rescaled, c->barostat.type == BAROSTAT_RESCALE, .without = "without barostat.type: rescale",
          .hidden = true);
CONDITION(decoupled, c->alchemy.molecules != NULL, .without = "without alchemy.molecules", .hidden = true);
/* Output. */
CONDITION(several, c->ensemble.replicas > 1, .without = "with one replica");
CONDITION(laddered, c->exchange.number > 0, .without = "without a ladder", .hidden = true);
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...)                                 \
  CONDITION(list, c->output.collective[COORDINATE_##FORM].n > 0, .with = "if any are listed");
#include "engine/coordinates.def"
CONDITION(hilly, config_biases_hills_any(c), .with = "with metadynamics");
CONDITION(windowed, config_biases_windowed(c), .with = "with biases, if all are harmonic or walls");
CONDITION(bonding, c->output.hydrogen_bonds.n > 0, .with = "if any are listed");
CONDITION(averaged, c->output.thermo_every > 0, .without = "with thermo_every: 0");
#define FORMAT(format)                                                                                       \
  CONDITION(with_##format, (c->output.trajectory & 1u << TRAJECTORY_##format) != 0,                          \
            .without = "without " #format " in output.trajectory", .hidden = true);
#include "io/trajectory_formats.def"
CONDITION(full_frames, trajectory_formats_have(c->output.trajectory, TRAJECTORY_VELOCITIES),
          .without = "without xyz, gro or h5md in output.trajectory");

/* --- the rows ------------------------------------------------------------------------------------------- */

/* Types, with the field of the draft. */
#define TYPE(name, field) PARAMETER_##name, offsetof(Draft, field)
#define INT(field)        TYPE(INT, field)
#define INT64(field)      TYPE(INT64, field)
#define STRIDE(field)     TYPE(INT64, field), .quantity = QUANTITY_TIME /* steps, or a time */
#define REAL(field)       TYPE(REAL, field)
#define BOOL(field)       TYPE(BOOL, field)
#define STRING(field)     TYPE(STRING, field)
#define NAME(field)       TYPE(NAME, field)
#define CHOICE(field)     TYPE(CHOICE, field)
#define REALS(field)      TYPE(REALS, field)
#define STRINGS(field)    TYPE(STRINGS, field)
#define CHOICES(field)    TYPE(CHOICES, field)
#define RECORDS(field)    TYPE(RECORDS, field)
#define MAP(field)        TYPE(MAP, field)
/* Columns. */
#define NAMES(...)                                                                                           \
  .names = (const char *const[]) { __VA_ARGS__, NULL }
#define ABOVE(least)                        .limits = LIMIT_ABOVE, .min = (least)
#define FROM(least)                         .limits = LIMIT_FROM, .min = (least)
#define WITHIN(least, most)                 .limits = LIMIT_FROM | LIMIT_TO, .min = (least), .max = (most)
#define BETWEEN(least, most)                .limits = LIMIT_ABOVE | LIMIT_BELOW, .min = (least), .max = (most)
#define UP_TO(least, most)                  .limits = LIMIT_ABOVE | LIMIT_TO, .min = (least), .max = (most)
#define DEFAULT(text)                       .fallback = (text)
#define LATE(condition, words)              .late = {{&(condition), (words)}}
#define LATER(first, words, second, others) .late = {{&(first), (words)}, {&(second), (others)}}
#define OPTIONAL(words)                     .optional = true, .absent = (words)
#define SORTS(bits)                         .sorts = (bits)
#define NEEDS(condition)                    .needs = (&(condition))
#define REFUSED(condition)                  .needs = (&(condition)), .refused = true
#define EXAMPLE(cluster, box)               .example = {(cluster), (box)}
#define HELP(text)                          .help = (text)

static const InputOld old[] = {
#define KEY1(...)
#define KEY2(...)
#define KEY3(...)
#define RENAMED(before, now) {before, KEY_##now, NULL},
#define GONE(before, words)  {before, -1, words},
#include "config/config_keys.def"
#undef KEY1
#undef KEY2
#undef KEY3
#undef RENAMED
#undef GONE
    {.key = NULL}};

const Parameter config_table[KEYS + 1] = {
#define KEY1(name, ...)                  {#name, __VA_ARGS__},
#define KEY2(section, name, ...)         {#section "." #name, __VA_ARGS__},
#define KEY3(section, around, name, ...) {#section "." #around "." #name, __VA_ARGS__},
#define RENAMED(...)
#define GONE(...)
#include "config/config_keys.def"
    {.key = NULL, .names = absent, .sort = sorts, .old = old},
};

bool config_table_has(ConfigSort sort, InputKey key)
{
  const unsigned all = config_table[key.row].sorts;
  return all == 0 || (all & 1u << sort) != 0;
}
