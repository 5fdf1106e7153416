#include "config/config_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/locale.h"
#include "engine/nearest.h"
#include "integrators/accel.h"
#include "integrators/constraints.h"
#include "integrators/word.h"

const char *config_constraint_method(const Config *config)
{
  return config->geometry.method > 0 ? constraint_methods[config->geometry.method - 1]->name : NULL;
}

bool config_mechanical(const Config *config)
{
  return config->sort == SORT_SITES || config->sort == SORT_HAMILTONIAN;
}

/* --- meaning --------------------------------------------------------------------------------------- */

static void read_frame(Draft *draft, Input *in)
{
  static const struct {
    const char *name;
    int64_t frame;
  } names[] = {{"last", FRAME_LAST}, {"each", FRAME_EACH}};
  const char *const text = draft->frame;
  int64_t *const frame = &draft->config.system.frame;
  *frame = FRAME_UNSAID;
  if (text == NULL)
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(text, names[i].name) == 0)
      *frame = names[i].frame;
  char *end;
  errno = 0;
  const long long number = strtoll(text, &end, 10);
  if (*frame == FRAME_UNSAID && end != text && *end == '\0' && errno == 0 && number >= 0)
    *frame = number;
  if (*frame == FRAME_UNSAID)
    input_complain(in, "system.frame",
                   "'%s' is no frame; wanted: last, each (one for every replica), or a number from 0", text);
}

void config_check_file(Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  read_frame(draft, in);
  if (c->thermostat.initial == INITIAL_FILE && c->system.minimise && input_given(in, "system.minimise"))
    input_complain(
        in, "system.minimise",
        "'true' would move the molecules away from where their velocities (thermostat.initial: file, "
        "%s) belong; take one of the lines out",
        input_where(in, "thermostat.initial"));
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

void config_check_no_file(const Draft *draft, Input *in)
{
  static const char *const keys[] = {"system.file", "system.frame", "system.centre"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (input_given(in, keys[i]))
      input_complain(in, keys[i], "has no meaning with start: build; write 'start: file' to begin from %s",
                     i == 0 ? "it" : "a file");
    else if (i > 0)
      input_drop(in, keys[i]);
  if (draft->config.thermostat.initial == INITIAL_FILE)
    input_complain(in, "thermostat.initial", "'file' wants start: file, whose velocities it takes");
}

static void check_start(Draft *draft, Input *in)
{
  if (draft->config.system.start == START_FILE) {
    config_check_file(draft, in);
    if (!input_given(in, "system.centre"))
      input_default(in, "system.centre", "false");
    return;
  }
  if (!input_given(in, "system.molecules"))
    input_complain(in, "system.molecules", "is missing; wanted: the number of molecules, such as 7");
  config_check_no_file(draft, in);
}

static void check_geometry(Config *c, Input *in)
{
  const bool penalty = c->geometry.method == GEOMETRY_PENALTY, water = c->system.model != NULL;
  if (!water && !input_given(in, "geometry.method")) {
    input_default(in, "geometry.method", "none");
    c->geometry.method = GEOMETRY_NONE;
  }
  if (water && c->geometry.method == GEOMETRY_NONE)
    input_complain(in, "geometry.method",
                   "'none' would let the waters fall apart; wanted: penalty, or a "
                   "constraint method such as settle");
  else if (!water && c->geometry.method != GEOMETRY_NONE)
    input_complain(in, "geometry.method", "atoms have no geometry; take the line out, or write 'none'");
  else if (!water)
    return;
  else if (!input_given(in, "geometry.method"))
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
  const bool verlet = accel_map_has(c->integrator.acceleration, ACCEL_PLAIN);
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

enum { AMOUNT = 64 };

/* The nearest number of steps to a time; a note where that is another time. -1: more than there can be. */
static int64_t steps_of(Input *in, const char *key, double time, double h)
{
  const double ratio = time / h;
  if (!(ratio < 9e15))
    return -1;
  const int64_t steps = llround(ratio);
  char asked[AMOUNT], step[AMOUNT], taken[AMOUNT];
  if (fabs((double)steps - ratio) > 1e-9 * ratio)
    input_note(in, key, "%s is no multiple of the time step %s: taken as %lld steps, which are %s",
               input_amount(in, key, time, asked, AMOUNT),
               input_amount(in, "integrator.timestep", h, step, AMOUNT), (long long)steps,
               input_amount(in, key, (double)steps * h, taken, AMOUNT));
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
  char asked[AMOUNT], step[AMOUNT], whole[AMOUNT];
  input_amount(in, key, draft->time, asked, AMOUNT);
  input_amount(in, "integrator.timestep", h, step, AMOUNT);
  if (c->integrator.steps < 0) {
    input_complain(in, key, "%s is more than 9e15 steps of %s", asked, step);
    return;
  }
  if (c->integrator.steps == 0) {
    input_complain(in, key, "%s is less than half a time step of %s; wanted: at least one step", asked, step);
    return;
  }
  c->output.equilibration = steps_of(in, "output.equilibration", draft->equilibration, h);
  if (c->output.equilibration < 0 || c->output.equilibration >= c->integrator.steps)
    input_complain(in, "output.equilibration",
                   "%s leaves nothing to average: the whole run takes %s, %lld steps of %s (%s, %s)",
                   input_amount(in, "output.equilibration", draft->equilibration, asked, AMOUNT),
                   input_amount(in, "output.equilibration", (double)c->integrator.steps * h, whole, AMOUNT),
                   (long long)c->integrator.steps, step, key, input_where(in, key));
}

static void check_friction(const Config *c, Input *in)
{
  const bool mass = c->thermostat.convention == 1;
  const Quantity fits = mass ? QUANTITY_FREQUENCY : QUANTITY_FRICTION;
  const Quantity given = input_quantity(in, "thermostat.friction");
  if (!input_given(in, "thermostat.friction"))
    input_complain(in, "thermostat.friction", "is missing; wanted: a number >= 0%s%s (convention: %s)",
                   c->reduced ? "" : " in ", c->reduced ? "" : units_list(fits), mass ? "mass" : "uniform");
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
  if (input_given(in, "thermostat.inverse_temperature"))
    c->thermostat.kT = 1.0 / draft->inverse_temperature;
  else if (!input_given(in, "thermostat.temperature") &&
           (langevin || c->thermostat.initial == INITIAL_MAXWELL))
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

/* Defaults and checks of clusters and boxes. */
static void check_molecules(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool box = c->sort == SORT_BOX;
  if (box)
    config_box_check(draft, in);
  else
    check_start(draft, in);
  if (!input_given(in, "precision"))
    input_default(in, "precision", box ? "mixed" : "double");
  if (!input_given(in, "system.minimise"))
    input_default(in, "system.minimise", c->system.start == START_FILE ? "false" : "true");
  check_geometry(c, in);
  check_acceleration(c, in);
}

static Status check(Draft *draft, Error *error)
{
  Config *const c = &draft->config;
  Input *const in = c->input;
  if (c->geometry.method == config_table_no_method())
    c->geometry.method = GEOMETRY_NONE;
  if (!config_sort(draft, in))
    return input_verdict(in, error);
  if (config_mechanical(c))
    config_mechanics_check(draft, in);
  else
    check_molecules(draft, in);
  if (c->integrator.word != NULL)
    check_word(draft, in);
  check_times(draft, in);
  check_thermostat(draft, in);
  check_outputs(c, in);
  if (config_mechanical(c))
    config_mechanics_trim(draft, in);
  return input_verdict(in, error);
}

void config_trim(Input *in, bool effective, const char *key, const char *reason)
{
  if (effective)
    return;
  if (input_given(in, key))
    input_note(in, key, "has no effect %s", reason);
  input_drop(in, key);
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
  LOCALE_PLAIN;
  *config = NULL;
  Draft draft = {0};
  const Status status = input_load(&draft.config.input, config_table, path, set, nset, &draft, error);
  return finish(&draft, status, config, error);
}

Status config_parse(const char *name, const char *text, const char *const *set, int nset, Config **config,
                    Error *error)
{
  LOCALE_PLAIN;
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

char *config_path(const Config *config, const char *path) { return input_path(config->input, path); }
