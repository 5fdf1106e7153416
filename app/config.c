#include "app/config_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/nearest.h"
#include "forcefields/water.h"
#include "integrators/accel.h"
#include "integrators/composition.h"
#include "integrators/constraints.h"
#include "integrators/method.h"
#include "integrators/word.h"

static const char *model_name(int i) { return water_models[i].name; }

static const char *accel_name(int i) { return accel_maps[i] != NULL ? accel_maps[i]->name : NULL; }

static int constraint_rows(void)
{
  int n = 0;
  while (constraint_methods[n] != NULL)
    n++;
  return n;
}

static const char *method_name(int i)
{
  if (i == GEOMETRY_PENALTY)
    return "penalty";
  if (i == 1 + constraint_rows())
    return "none";
  return i <= constraint_rows() ? constraint_methods[i - 1]->name : NULL;
}

static const char *solver_name(int i)
{
  if (i == 0)
    return "auto";
  return constraint_solvers[i - 1] != NULL ? constraint_solvers[i - 1]->name : NULL;
}

static const char *composition_name(int i) { return i == 0 ? "none" : composition_table[i - 1].name; }

static const char *step_name(int i) { return method_table[i] != NULL ? method_table[i]->name : NULL; }

const char *config_constraint_method(const Config *config)
{
  return config->geometry.method > 0 ? constraint_methods[config->geometry.method - 1]->name : NULL;
}

/* In the order of the enumerations in app/config.h and above. */
#define NAMES(...)                                                                                           \
  .names = (const char *const[]) { __VA_ARGS__, NULL }

#define FIELD(name) .offset = offsetof(Draft, name)

const Parameter config_table[] = {
    {"title", PARAMETER_STRING, FIELD(config.title), .fallback = "", .help = "Goes into the outputs."},
    {"units", PARAMETER_CHOICE, FIELD(units), NAMES("akma", "reduced"), .fallback = "akma",
     .help = "Unit system of bare numbers, akma: A, g/mol, kcal/mol, 48.88821 fs, temperatures in K; reduced "
             "(mechanical systems): pure numbers, temperatures as kT."},
    {"seed", PARAMETER_INT64, FIELD(config.seed), .limits = LIMIT_FROM, .min = 0, .fallback = "1",
     .help = "Of all random numbers; a run is a function of its input file and its seed."},
    {"precision", PARAMETER_CHOICE, FIELD(config.precision), NAMES("double", "mixed"), .fallback = "double",
     .help = "mixed: forces between molecules in single precision, everything else in double."},

    {"system.model", PARAMETER_NAME, FIELD(config.system.model), .name = model_name, .optional = true,
     .help = "Water model; or else system.sites or system.hamiltonian, a mechanical system."},
    {"system.molecules", PARAMETER_INT, FIELD(config.system.molecules), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 1e6, .optional = true, .help = "Their number; needed unless they come from a file."},
    {"system.start", PARAMETER_CHOICE, FIELD(config.system.start), NAMES("build", "file"),
     .fallback = "build",
     .help = "Start configuration: built on a lattice with random orientations, or read from a file."},
    {"system.file", PARAMETER_STRING, FIELD(config.system.file), .optional = true,
     .help = "XYZ, PDB or GRO file to start from, relative to the input file's folder."},
    {"system.spacing", PARAMETER_REAL, FIELD(config.system.spacing), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "3.1", .help = "Distance of neighbours on the lattice."},
    {"system.seed", PARAMETER_INT64, FIELD(config.system.seed), .limits = LIMIT_FROM, .min = 0,
     .fallback = "1",
     .help = "Of the built start; apart from seed, so that runs with other noise start alike."},
    {"system.minimise", PARAMETER_BOOL, FIELD(config.system.minimise), .fallback = "true",
     .help = "Move the start downhill, as rigid bodies, to a minimum of the energy."},
    {"system.anneal", PARAMETER_BOOL, FIELD(config.system.anneal), .fallback = "true",
     .help = "Before that, cool several replicas of a built start and take the lowest."},
    {"system.mass_O", PARAMETER_REAL, FIELD(config.system.mass_O), QUANTITY_MASS, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "15.9994", .help = "Mass of an oxygen."},
    {"system.mass_H", PARAMETER_REAL, FIELD(config.system.mass_H), QUANTITY_MASS, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "1.008", .help = "Mass of a hydrogen."},
    {"system.wall.radius", PARAMETER_REAL, FIELD(config.system.wall_radius), QUANTITY_LENGTH,
     .limits = LIMIT_FROM, .min = 0, .fallback = "0",
     .help = "Of a spherical half-harmonic wall that holds the cluster together; 0: no wall."},
    {"system.wall.stiffness", PARAMETER_REAL, FIELD(config.system.wall_stiffness), QUANTITY_STIFFNESS,
     .limits = LIMIT_ABOVE, .min = 0, .fallback = "10", .help = "Of the wall."},

    {"system.dimensions", PARAMETER_INT, FIELD(config.system.dimensions), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 3, .optional = true, .help = "Of the space that sites move in."},
    {"system.constants", PARAMETER_MAP, FIELD(config.system.constants), .optional = true,
     .help = "Names for the formulas below; each may use those above it."},
    {"system.sites", PARAMETER_RECORDS, FIELD(config.system.sites), .optional = true,
     .record = config_mechanics_site, .size = sizeof(ConfigSite), .help = "Sites of a mechanical system."},
    {"system.constraints", PARAMETER_RECORDS, FIELD(config.system.constraints), .optional = true,
     .record = config_mechanics_constraint, .size = sizeof(ConfigTerm),
     .help = "Constraints g = 0 of a mechanical system."},
    {"system.potentials", PARAMETER_RECORDS, FIELD(config.system.potentials), .optional = true,
     .record = config_mechanics_potential, .size = sizeof(ConfigTerm),
     .help = "Its potential energy, a sum."},
    {"system.hamiltonian", PARAMETER_STRING, FIELD(config.system.hamiltonian), .optional = true,
     .help = "In place of sites: H as a formula in q1, q2, ..., p1, p2, ..."},
    {"system.position", PARAMETER_STRINGS, FIELD(config.system.position),
     .wanted = "a list of numbers or formulas, [a, b, ...]", .optional = true,
     .help = "With a Hamiltonian: the first q1, q2, ..."},
    {"system.momentum", PARAMETER_STRINGS, FIELD(config.system.momentum),
     .wanted = "a list of numbers or formulas, [a, b, ...]", .optional = true,
     .help = "With a Hamiltonian: the first p1, p2, ..., zero by default."},
    {"system.project", PARAMETER_BOOL, FIELD(config.system.project), .fallback = "false",
     .help = "Move a start that violates the constraints onto them, along M^-1 grad g; momenta too."},

    {"geometry.method", PARAMETER_CHOICE, FIELD(config.geometry.method), .name = method_name,
     .optional = true,
     .help = "What keeps the molecules' shape: a stiff potential, or constraints by a method of that name."},
    {"geometry.w", PARAMETER_REAL, FIELD(config.geometry.w), QUANTITY_PENALTY, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true,
     .help = "Penalty strength: the potential is 1/2 w^2 |g|^2; needed with penalties only."},
    {"geometry.hessian", PARAMETER_CHOICE, FIELD(config.geometry.hessian), NAMES("full", "gauss-newton"),
     .fallback = "gauss-newton",
     .help = "Hessian of the penalties in the Zhang-Skeel maps: the paper's, or without its second "
             "derivatives of g (stable for any w)."},
    {"geometry.solver", PARAMETER_NAME, FIELD(config.geometry.solver), .name = solver_name,
     .fallback = "auto", .help = "Of iterated constraints; auto: by the method and the system's structure."},
    {"geometry.tolerance", PARAMETER_REAL, FIELD(config.geometry.tolerance),
     .limits = LIMIT_ABOVE | LIMIT_BELOW, .min = 0, .max = 1, .fallback = "1e-12",
     .help = "Largest relative error of a squared distance that iterated constraints leave."},
    {"geometry.max_iterations", PARAMETER_INT, FIELD(config.geometry.max_iterations),
     .limits = LIMIT_FROM | LIMIT_TO, .min = 1, .max = 1e6, .fallback = "50",
     .help = "Of iterated constraints; not converging is an error."},

    {"geometry.fixman", PARAMETER_BOOL, FIELD(config.geometry.fixman), .optional = true,
     .help = "Add Fixman's potential 1/2 kT ln det(J M^-1 J'), by default not: constraints then sample like "
             "very stiff springs (mechanical systems)."},

    {"integrator.word", PARAMETER_STRING, FIELD(config.integrator.word), .fallback = "BABO",
     .help =
         "A step as a word: A drift, B kick, O thermostat, S kick by slow forces; or a name from 'holonom "
         "list'."},
    {"integrator.weights", PARAMETER_REALS, FIELD(config.integrator.weights), .optional = true,
     .help = "Each letter's share of the time step; by default letters of one kind share it evenly."},
    {"integrator.acceleration", PARAMETER_NAME, FIELD(config.integrator.acceleration), .name = accel_name,
     .optional = true, .rival = "integrator.method",
     .help = "What B kicks with; by default zss with penalties, verlet with constraints."},
    {"integrator.method", PARAMETER_NAME, FIELD(config.integrator.method), .name = step_name,
     .optional = true, .rival = "integrator.acceleration",
     .help = "A step that is no word of A and B: what the letter H does (mechanical systems)."},
    {"integrator.base", PARAMETER_NAME, FIELD(config.integrator.base),
     NAMES("symplectic-euler", "stormer-verlet", "midpoint"), .optional = true,
     .help = "Of the geometric methods: the scheme underneath."},
    {"integrator.search.trials", PARAMETER_INT, FIELD(config.integrator.search.trials),
     .limits = LIMIT_FROM | LIMIT_TO, .min = 0, .max = 65535, .optional = true,
     .help = "Of the method kinematic-search, a step; by default 100. 0: SHAKE alone."},
    {"integrator.search.amplitude", PARAMETER_REAL, FIELD(config.integrator.search.amplitude),
     .limits = LIMIT_ABOVE, .min = 0, .optional = true,
     .help = "Standard deviation of a step's first trial; by default 0.01."},
    {"integrator.search.velocity", PARAMETER_REAL, FIELD(config.integrator.search.velocity),
     .limits = LIMIT_FROM, .min = 0, .optional = true,
     .help = "Weight of squared angular velocities of the joints; by default 1."},
    {"integrator.search.acceleration", PARAMETER_REAL, FIELD(config.integrator.search.acceleration),
     .limits = LIMIT_FROM, .min = 0, .optional = true,
     .help = "Weight of squared angular accelerations; by default 0."},
    {"integrator.composition", PARAMETER_NAME, FIELD(config.integrator.composition), .name = composition_name,
     .fallback = "none", .help = "Higher order by composition of a symmetric step."},
    {"integrator.tolerance", PARAMETER_REAL, FIELD(config.integrator.tolerance),
     .limits = LIMIT_ABOVE | LIMIT_BELOW, .min = 0, .max = 1, .fallback = "1e-12",
     .help = "Of nonlinear solves (newmark, methods), relative."},
    {"integrator.max_iterations", PARAMETER_INT, FIELD(config.integrator.max_iterations),
     .limits = LIMIT_FROM | LIMIT_TO, .min = 1, .max = 1e6, .fallback = "50",
     .help = "Of nonlinear solves; not converging is an error."},
    {"integrator.beta", PARAMETER_REAL, FIELD(config.integrator.beta), .limits = LIMIT_FROM, .min = 0,
     .fallback = "0.4", .help = "Newmark's beta in the Zhang-Skeel maps; at least 1/4."},
    {"integrator.timestep", PARAMETER_REAL, FIELD(config.integrator.timestep), QUANTITY_TIME,
     .limits = LIMIT_ABOVE, .min = 0, .help = "Length of a step."},
    {"integrator.time", PARAMETER_REAL, FIELD(time), QUANTITY_TIME, .limits = LIMIT_ABOVE, .min = 0,
     .rival = "integrator.steps", .adjustable = true, .help = "Total time, equilibration included."},
    {"integrator.steps", PARAMETER_INT64, FIELD(config.integrator.steps), .limits = LIMIT_FROM, .min = 1,
     .rival = "integrator.time", .adjustable = true,
     .help = "Total number of steps, equilibration included."},

    {"thermostat.type", PARAMETER_CHOICE, FIELD(thermostat), NAMES("none", "langevin"),
     .fallback = "langevin", .help = "langevin: the letter O of the word; none: constant energy."},
    {"thermostat.temperature", PARAMETER_REAL, FIELD(config.thermostat.kT), QUANTITY_TEMPERATURE,
     .limits = LIMIT_ABOVE, .min = 0, .optional = true, .rival = "thermostat.inverse_temperature",
     .help = "Of the thermostat and of the first momenta."},
    {"thermostat.inverse_temperature", PARAMETER_REAL, FIELD(inverse_temperature), .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .rival = "thermostat.temperature", .help = "1/kT in mol/kcal."},
    {"thermostat.friction", PARAMETER_REAL, FIELD(config.thermostat.friction), QUANTITY_FREQUENCY,
     .alternative = QUANTITY_FRICTION, .limits = LIMIT_FROM, .min = 0, .optional = true,
     .help = "A rate with the convention mass, a coefficient with the convention uniform."},
    {"thermostat.convention", PARAMETER_CHOICE, FIELD(config.thermostat.convention), NAMES("uniform", "mass"),
     .fallback = "mass",
     .help = "uniform: a site of mass m relaxes at friction/m (the paper's); mass: every site at friction."},
    {"thermostat.noise", PARAMETER_CHOICE, FIELD(noise), NAMES("all", "tangent"), .optional = true,
     .help =
         "With penalties: noise on all momenta (default), or only along the manifold g = 0, with friction "
         "on all. Constraints always have tangent."},
    {"thermostat.remove", PARAMETER_CHOICE, FIELD(config.thermostat.remove),
     NAMES("none", "linear", "angular"), .fallback = "none",
     .help = "Motion of the whole cluster to take out: none, of the centre of mass, or also rotation."},
    {"thermostat.initial", PARAMETER_CHOICE, FIELD(initial), NAMES("zero", "maxwell"), .fallback = "maxwell",
     .help = "First momenta: zero, or drawn at the temperature."},

    {"ensemble.replicas", PARAMETER_INT, FIELD(config.ensemble.replicas), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 1e7, .fallback = "1",
     .help = "Independent copies from the same start; more than one is rounded up to whole groups."},
    {"ensemble.threads", PARAMETER_INT, FIELD(config.ensemble.threads), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 0, .max = 4096, .fallback = "0", .adjustable = true,
     .help = "0: all that the machine has. Results do not depend on it."},

    {"output.equilibration", PARAMETER_REAL, FIELD(equilibration), QUANTITY_TIME, .limits = LIMIT_FROM,
     .min = 0, .fallback = "0", .help = "Time at the start that averages leave out."},
    {"output.every", PARAMETER_INT64, FIELD(config.output.every), .limits = LIMIT_FROM, .min = 1,
     .fallback = "1", .help = "Mechanical systems: steps between rows of trajectory.csv and energy.csv."},
    {"output.thermo_every", PARAMETER_INT64, FIELD(config.output.thermo_every), .limits = LIMIT_FROM,
     .min = 0, .fallback = "100", .help = "Steps between energies; 0: off."},
    {"output.rdf_every", PARAMETER_INT64, FIELD(config.output.rdf_every), .limits = LIMIT_FROM, .min = 0,
     .fallback = "10", .help = "Steps between samples of the O-O distances; 0: off."},
    {"output.rdf_max", PARAMETER_REAL, FIELD(config.output.rdf_max), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "12", .help = "End of the distribution."},
    {"output.rdf_bins", PARAMETER_INT, FIELD(config.output.rdf_bins), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 1e5, .fallback = "240", .help = "Of the distribution."},
    {"output.trajectory", PARAMETER_CHOICES, FIELD(config.output.trajectory), NAMES("xyz", "dcd"),
     .fallback = "[]", .help = "Formats of the trajectory; an empty list: none is written."},
    {"output.trajectory_every", PARAMETER_INT64, FIELD(config.output.trajectory_every), .limits = LIMIT_FROM,
     .min = 1, .fallback = "1000", .help = "Steps between frames."},
    {"output.trajectory_replica", PARAMETER_INT, FIELD(config.output.trajectory_replica),
     .limits = LIMIT_FROM, .min = 0, .fallback = "0", .help = "Which replica is written, from 0."},
    {"output.conserved", PARAMETER_BOOL, FIELD(config.output.conserved), .fallback = "true",
     .help =
         "Keep account of the thermostat's heat, so that energy minus heat shows the integrator's drift."},
    {"output.multipliers_every", PARAMETER_INT64, FIELD(config.output.multipliers_every),
     .limits = LIMIT_FROM, .min = 0, .fallback = "0",
     .help = "Steps between Lagrange multipliers of the first molecule (shake, penalties); 0: off."},
    {"output.multipliers_window", PARAMETER_REAL, FIELD(config.output.multipliers_window), QUANTITY_TIME,
     .limits = LIMIT_ABOVE, .min = 0, .fallback = "0.2", .help = "Running average of the multipliers."},
    {"output.checkpoint_every", PARAMETER_REAL, FIELD(config.output.checkpoint_every), .limits = LIMIT_FROM,
     .min = 0, .fallback = "600", .adjustable = true,
     .help =
         "Seconds of wall time between checkpoints, from which run --resume goes on; 0: only at the end."},
    {"output.progress", PARAMETER_BOOL, FIELD(config.output.progress), .fallback = "true", .adjustable = true,
     .help = "Show step, speed and time left."},
    {.key = NULL},
};

/* --- meaning --------------------------------------------------------------------------------------- */

static void check_start(const Config *c, Input *in)
{
  if (c->system.start == START_BUILD) {
    if (!input_given(in, "system.molecules"))
      input_complain(in, "system.molecules", "is missing; wanted: the number of molecules, such as 7");
    if (c->system.file != NULL)
      input_complain(in, "system.file",
                     "has no meaning with start: build; write 'start: file' to begin from it");
    return;
  }
  if (c->system.file == NULL) {
    input_complain(in, "system.file", "is missing; start: file wants the name of an XYZ, PDB or GRO file");
    return;
  }
  char *const path = config_path(c, c->system.file);
  if (path != NULL && access(path, R_OK) != 0) {
    char near[512];
    const bool found = *nearest_file(path, near, sizeof near) != '\0';
    input_complain(in, "system.file", "'%s' cannot be read%s%s%s", path, found ? "; did you mean '" : "",
                   found ? near : "", found ? "'?" : "");
  }
  free(path);
}

static void check_geometry(const Config *c, Input *in)
{
  const bool penalty = c->geometry.method == GEOMETRY_PENALTY;
  if (!input_given(in, "geometry.method"))
    input_require(in, "geometry.method");
  else if (penalty && !input_given(in, "geometry.w"))
    input_complain(in, "geometry.w", "is missing; method: penalty wants its strength, such as 20");
  if (!penalty && input_given(in, "geometry.w"))
    input_complain(in, "geometry.w",
                   "has no meaning with constraints; take the line out, or write 'method: penalty'");
  if (!penalty && input_given(in, "geometry.hessian"))
    input_note(in, "geometry.hessian", "has no effect with constraints");
  if (penalty && input_given(in, "geometry.tolerance"))
    input_note(in, "geometry.tolerance", "has no effect with penalties");
  if (penalty && input_given(in, "geometry.max_iterations"))
    input_note(in, "geometry.max_iterations", "has no effect with penalties");
}

static void check_acceleration(Config *c, Input *in)
{
  const bool penalty = c->geometry.method == GEOMETRY_PENALTY;
  if (c->integrator.acceleration == NULL)
    input_default(in, "integrator.acceleration", penalty ? "zss" : "verlet");
  if (c->integrator.acceleration == NULL)
    return; /* out of memory: the verdict says so */
  const bool verlet = strcmp(c->integrator.acceleration, "verlet") == 0;
  if (!verlet && !penalty)
    input_complain(in, "integrator.acceleration",
                   "'%s' is made for penalties; constraints go with verlet, or write 'method: penalty'",
                   c->integrator.acceleration);
  else if (!verlet && c->integrator.beta < 0.25)
    input_complain(in, "integrator.beta",
                   "%.15g is too small: below 1/4 '%s' is unstable for stiff bonds at any useful time step; "
                   "wanted: a number >= 0.25",
                   c->integrator.beta, c->integrator.acceleration);
  if (verlet && input_given(in, "integrator.beta"))
    input_note(in, "integrator.beta", "has no effect with acceleration: verlet");
}

static void check_word(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  WordSpelling spelling;
  Error why;
  if (word_spell(c->integrator.word, NULL, 0, &spelling, &why) != STATUS_OK) {
    input_complain(in, "integrator.word", "%s", why.text);
    return;
  }
  if (input_given(in, "integrator.weights") &&
      word_spell(c->integrator.word, c->integrator.weights.value, c->integrator.weights.n, &spelling, &why) !=
          STATUS_OK)
    input_complain(in, "integrator.weights", "%s", why.text);
  if (input_given(in, "integrator.weights") && c->integrator.weights.n == 0)
    input_complain(in, "integrator.weights", "is an empty list; wanted: %d numbers, one a letter of '%s'",
                   spelling.n, c->integrator.word);
  const bool noisy = word_has(&spelling, 'O') != 0;
  if (noisy && draft->thermostat == THERMOSTAT_NONE)
    input_complain(
        in, "integrator.word",
        "'%s' has the letter O, which has nothing to do with thermostat.type: none; wanted: a word "
        "without O, such as BAB, or thermostat.type: langevin",
        c->integrator.word);
  if (!noisy && draft->thermostat == THERMOSTAT_LANGEVIN)
    input_complain(
        in, "integrator.word",
        "'%s' has no letter O, so that the thermostat would do nothing; wanted: a word with O, such "
        "as BABO, or thermostat.type: none",
        c->integrator.word);
}

/* The nearest number of steps to a time; a note where that is another time. -1: more than there can be. */
static int64_t steps_of(Input *in, const char *key, double time, double h)
{
  const double ratio = time / h;
  if (!(ratio < 9e15))
    return -1;
  const int64_t steps = llround(ratio);
  if (fabs((double)steps - ratio) > 1e-9 * ratio)
    input_note(in, key, "%.15g is no multiple of the time step %.15g: taken as %lld steps, which are %.15g",
               time, h, (long long)steps, (double)steps * h);
  return steps;
}

static void check_times(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const double h = c->integrator.timestep;
  const bool timed = input_given(in, "integrator.time");
  const char *const key = timed ? "integrator.time" : "integrator.steps";
  if (timed)
    c->integrator.steps = steps_of(in, key, draft->time, h);
  if (c->integrator.steps < 0) {
    input_complain(in, key, "%.3g is more than 9e15 steps of %.3g", draft->time, h);
    return;
  }
  if (c->integrator.steps == 0) {
    input_complain(in, key, "%.15g is less than half a time step of %.15g; wanted: at least one step",
                   draft->time, h);
    return;
  }
  c->output.equilibration = steps_of(in, "output.equilibration", draft->equilibration, h);
  if (c->output.equilibration < 0 || c->output.equilibration >= c->integrator.steps)
    input_complain(in, "output.equilibration",
                   "%.15g leaves nothing to average: the whole run takes %.15g (%s)", draft->equilibration,
                   (double)c->integrator.steps * h, input_where(in, key));
}

static void check_friction(const Config *c, Input *in)
{
  const bool mass = c->thermostat.convention == 1;
  const Quantity fits = mass ? QUANTITY_FREQUENCY : QUANTITY_FRICTION;
  const Quantity given = input_quantity(in, "thermostat.friction");
  if (!input_given(in, "thermostat.friction"))
    input_complain(in, "thermostat.friction", "is missing; wanted: a number >= 0 in %s (convention: %s)",
                   units_list(fits), mass ? "mass" : "uniform");
  else if (given != QUANTITY_NONE && given != fits)
    input_complain(in, "thermostat.friction",
                   "has a unit that does not fit convention: %s; wanted: a number in %s, or convention: %s",
                   mass ? "mass" : "uniform", units_list(fits), mass ? "uniform" : "mass");
}

static void check_thermostat(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool langevin = draft->thermostat == THERMOSTAT_LANGEVIN;
  const bool constrained = c->geometry.method > GEOMETRY_PENALTY;
  c->thermostat.langevin = langevin;
  c->thermostat.maxwell = draft->initial == INITIAL_MAXWELL;
  if (input_given(in, "thermostat.inverse_temperature"))
    c->thermostat.kT = 1.0 / draft->inverse_temperature;
  else if (!input_given(in, "thermostat.temperature") && (langevin || c->thermostat.maxwell))
    input_complain(in, "thermostat.temperature",
                   "is missing; wanted: a temperature > 0 %s%s, or thermostat.inverse_temperature",
                   c->reduced ? "(kT)" : "in K", langevin ? "" : " for the first momenta (or initial: zero)");
  if (!isfinite(c->thermostat.kT))
    input_complain(in, "thermostat.inverse_temperature",
                   "is too small: the temperature is too large for a number");
  if (langevin)
    check_friction(c, in);
  if (constrained && input_given(in, "thermostat.noise") && draft->noise == NOISE_ALL)
    input_complain(in, "thermostat.noise",
                   "'all' has no meaning with constraints, whose momenta are tangent; take the line out");
  if (!input_given(in, "thermostat.noise"))
    input_default(in, "thermostat.noise", constrained ? "tangent" : "all");
  c->thermostat.tangent = draft->noise == NOISE_TANGENT;
}

static void check_outputs(const Config *c, Input *in)
{
  if (c->output.trajectory_replica >= c->ensemble.replicas)
    input_complain(in, "output.trajectory_replica",
                   "there is no replica %d; wanted: 0 to %d (ensemble.replicas: %d)",
                   c->output.trajectory_replica, c->ensemble.replicas - 1, c->ensemble.replicas);
}

static Status check(Draft *draft, Error *error)
{
  Config *const c = &draft->config;
  Input *const in = c->input;
  if (c->geometry.method == 1 + constraint_rows())
    c->geometry.method = GEOMETRY_NONE;
  if (!config_mechanics_sort(draft, in))
    return input_verdict(in, error);
  if (c->sort != SORT_WATER) {
    config_mechanics_check(draft, in);
    if (c->integrator.word != NULL)
      check_word(draft, in);
    check_times(draft, in);
    check_thermostat(draft, in);
    check_outputs(c, in);
    config_mechanics_trim(draft, in);
    return input_verdict(in, error);
  }
  check_start(c, in);
  check_geometry(c, in);
  check_acceleration(c, in);
  check_word(draft, in);
  check_times(draft, in);
  check_thermostat(draft, in);
  check_outputs(c, in);
  return input_verdict(in, error);
}

/* --- loading --------------------------------------------------------------------------------------- */

/* From a draft that was read (status says how that went) to a configuration of its own. */
static Status finish(Draft *draft, Status status, Config **config, Error *error)
{
  if (status != STATUS_OK)
    return status;
  status = check(draft, error);
  Config *const c = status == STATUS_OK ? malloc(sizeof *c) : NULL;
  if (c == NULL) {
    input_free(draft->config.input);
    return status != STATUS_OK ? status : error_memory(error, "the configuration");
  }
  *c = draft->config;
  *config = c;
  return STATUS_OK;
}

Status config_load(const char *path, const char *const *set, int nset, Config **config, Error *error)
{
  *config = NULL;
  Draft draft = {0};
  const Status status = input_load(&draft.config.input, config_table, path, set, nset, &draft, error);
  return finish(&draft, status, config, error);
}

Status config_parse(const char *name, const char *text, const char *const *set, int nset, Config **config,
                    Error *error)
{
  *config = NULL;
  Draft draft = {0};
  const Status status =
      input_parse(&draft.config.input, config_table, name, text, strlen(text), set, nset, &draft, error);
  return finish(&draft, status, config, error);
}

void config_free(Config *config)
{
  if (config == NULL)
    return;
  input_free(config->input);
  free(config);
}

char *config_path(const Config *config, const char *path)
{
  const char *const name = input_name(config->input);
  const char *const slash = strrchr(name, '/');
  const int nfolder = *path != '/' && slash != NULL ? (int)(slash - name) + 1 : 0;
  const size_t size = (size_t)nfolder + strlen(path) + 1;
  char *const full = malloc(size);
  if (full != NULL)
    snprintf(full, size, "%.*s%s", nfolder, name, path);
  return full;
}
