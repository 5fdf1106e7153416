#include "config/config_options.h"
#include "config/config_private.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/locale.h"
#include "base/nearest.h"
#include "base/text.h"
#include "engine/state.h"
#include "forcefields/water.h"
#include "integrators/accel.h"
#include "integrators/constraints.h"
#include "integrators/word.h"
#include "io/trajectory.h"
#include "observables/observable_set.h"
#include "topology/groups.h"

/* The constraint method of the run, of geometry.method or geometry.keep; negative: none. */
static int constraint_row(const Config *c)
{
  int method = c->geometry.method;
  const ConfigKeep *keep = c->geometry.keep.item;
  for (int i = 0; i < c->geometry.keep.n && method < GEOMETRY_CONSTRAINTS; i++)
    method = keep[i].method;
  return method - GEOMETRY_CONSTRAINTS;
}

const char *config_constraint_method(const Config *config)
{
  const int row = constraint_row(config);
  return row >= 0 ? constraint_methods[row]->name : NULL;
}

bool config_penalises(const Config *config)
{
  bool any = config->geometry.method == GEOMETRY_PENALTY;
  const ConfigKeep *keep = config->geometry.keep.item;
  for (int i = 0; i < config->geometry.keep.n; i++)
    any = any || keep[i].method == GEOMETRY_PENALTY;
  return any;
}

const ConfigSortRow config_sorts[CONFIG_SORTS] = {
#define SORT(name, row, key, traits, check, own, ...) [SORT_##name] = {key, traits, check, own},
#include "config/config_sorts.def"
#undef SORT
};

bool config_mechanical(const Config *config) { return config_sort_is(config, SORT_MECHANICAL); }

bool config_bare(const Config *config, char *words, size_t size)
{
  return !config_mechanical(config) && input_bare(config->input, words, size);
}

int64_t config_samples(const Config *c)
{
  const int64_t every = c->output.thermo_every;
  return every > 0 ? c->integrator.steps / every - c->output.equilibration / every : 0;
}

int64_t config_frames_every(const Config *c)
{
  int64_t every = 0;
  for (int i = 0; i < TRAJECTORY_FORMATS; i++)
    if ((c->output.trajectory & 1u << i) != 0)
      every = observable_set_stride(c->output.frames[i].every, every);
  return every > 0 ? every : c->output.trajectory_every;
}

/* --- meaning --------------------------------------------------------------------------------------- */

/* Reads a whole number >= 0; false: the text is something else. */
static bool read_number(const char *text, int64_t *number)
{
  char *end;
  errno = 0;
  *number = strtoll(text, &end, 10);
  return end != text && *end == '\0' && errno == 0 && *number >= 0;
}

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
  int64_t number;
  if (*frame == FRAME_UNSAID && read_number(text, &number))
    *frame = number;
  if (*frame == FRAME_UNSAID)
    input_complain(in, KEY(system_frame),
                   "'%s' is not a frame; wanted: last, each (one frame for each replica), or a number from 0",
                   text);
}

void config_check_file(Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  read_frame(draft, in);
  if (c->thermostat.initial == INITIAL_FILE && c->system.minimise && input_given(in, KEY(system_minimise)))
    input_complain(in, KEY(system_minimise),
                   "'true' would move molecules away from their velocities (thermostat.initial: file, %s); "
                   "remove one of the two lines",
                   input_where(in, KEY(thermostat_initial)));
  if (c->system.file == NULL) {
    input_complain(in, KEY(system_file), "is missing; wanted: the name of an XYZ, PDB or GRO file%s",
                   c->system.start == START_FILE ? " (start: file)"
                                                 : ", which contains the shapes of the molecules");
    return;
  }
  char *const path = config_path(c, c->system.file);
  if (path != NULL && access(path, R_OK) != 0) {
    char near[512];
    const char *const why = strerror(errno);
    const bool found = *nearest_file(path, near, sizeof near) != '\0';
    input_complain(in, KEY(system_file), "'%s' cannot be read: %s%s%s%s", path, why,
                   found                    ? "; did you mean '"
                   : *c->system.file != '/' ? "; paths are relative to the input file's folder"
                                            : "",
                   found ? near : "", found ? "'?" : "");
  }
  free(path);
}

void config_check_start(Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  config_check_described(draft, in);
  if (c->system.start == START_FILE || c->system.topology != NULL)
    config_check_file(draft, in);
  else if (c->system.model != NULL && !input_given(in, KEY(system_molecules)))
    input_complain(in, KEY(system_molecules), "is missing; wanted: the number of molecules, such as 7");
}

void config_check_described(Draft *draft, Input *in)
{
  static const int said[] = {KEY_system_molecules, KEY_system_atoms, KEY_system_density};
  const Config *const c = &draft->config;
  if (!c->system.described)
    return;
  for (size_t i = 0; i < sizeof said / sizeof *said && c->system.topology != NULL; i++)
    if (config_table_has(c->sort, (InputKey){.row = said[i]}) && input_given(in, (InputKey){.row = said[i]}))
      input_complain(in, (InputKey){.row = said[i]},
                     "applies only to water and atoms; system.topology names the file that lists the "
                     "molecules; remove the line");
}

/* The largest tolerance of waters. The remaining error of a squared distance stretches bonds, which lowers
 * the energy between molecules by this share of it. Four TIP3P waters at 20 K (SHAKE and RATTLE by
 * Gauss-Seidel): 1.7 % at 1e-2, 0.19 % at 1e-3 and 0.015 % at 1e-4, which is within the statistical error. */
static const double tolerance_of_waters = 1e-4, share_of_tolerance = 1.7;

/* Checks the rows of geometry.keep, each alone and with geometry.method. */
static void check_keep(const Config *c, Input *in)
{
  const ConfigKeep *keep = c->geometry.keep.item;
  const int all = constraint_row(c) + GEOMETRY_CONSTRAINTS;
  for (int i = 0; i < c->geometry.keep.n; i++) {
    if (keep[i].atoms.n != 2 && keep[i].atoms.n != 3)
      input_complain(in, input_record(KEY(geometry_keep), i, "atoms"),
                     "has %d atoms; wanted: two (bonds), or three (angles, as the distance of their ends)",
                     keep[i].atoms.n);
    if (keep[i].method >= GEOMETRY_CONSTRAINTS && keep[i].method != all)
      input_complain(
          in, input_record(KEY(geometry_keep), i, "method"),
          "'%s' differs from '%s' of the other constraints, but a run has one constraint method; wanted: %s",
          constraint_methods[keep[i].method - GEOMETRY_CONSTRAINTS]->name,
          constraint_methods[all - GEOMETRY_CONSTRAINTS]->name,
          constraint_methods[all - GEOMETRY_CONSTRAINTS]->name);
    if (keep[i].method != GEOMETRY_PENALTY && input_given(in, input_record(KEY(geometry_keep), i, "w")))
      input_complain(in, input_record(KEY(geometry_keep), i, "w"),
                     "has no meaning without method: penalty; remove it");
  }
}

static void check_geometry(const Config *c, Input *in)
{
  check_keep(c, in);
  if (!input_given(in, KEY(geometry_method)))
    return;
  const bool no_water = input_given(in, KEY(system_molecules)) && c->system.molecules == 0;
  if (c->system.model != NULL && !no_water && c->geometry.method == GEOMETRY_NONE)
    input_complain(
        in, KEY(geometry_method),
        "'none' leaves waters without bonds; wanted: penalty, or a constraint method such as settle");
  else if (c->system.described && c->geometry.method == GEOMETRY_NONE && c->geometry.constrain != 0)
    input_complain(in, KEY(geometry_method),
                   "'none' contradicts geometry.constrain, which selects %s; wanted: rattle, shake or "
                   "penalty, or 'constrain: none'",
                   groups_keep_names[c->geometry.constrain]);
  else if (c->system.model == NULL && !c->system.described && c->geometry.method != GEOMETRY_NONE)
    input_complain(in, KEY(geometry_method),
                   "single atoms have no bonds to constrain; remove the line, or write 'none'");
  if (input_given(in, KEY(geometry_tolerance)) && c->geometry.tolerance > tolerance_of_waters)
    input_complain(in, KEY(geometry_tolerance),
                   "%.15g is too large: bonds are so inaccurate that energies are too low by a share of "
                   "%.2g; wanted: at most %g",
                   c->geometry.tolerance, share_of_tolerance * c->geometry.tolerance, tolerance_of_waters);
}

static void check_acceleration(const Config *c, Input *in)
{
  const char *const name = c->integrator.acceleration;
  if (name == NULL || accel_map_has(name, ACCEL_PLAIN) || !config_penalises(c)) /* NULL: out of memory */
    return;
  if (accel_map_has(name, ACCEL_HESS_BLOCK) && config_sort_is(c, SORT_PERIODIC))
    input_complain(in, KEY(integrator_acceleration),
                   "'%s' needs the molecules' blocks of the Hessian, which forces in a periodic box do not "
                   "provide; wanted: zss",
                   name);
  else if (c->integrator.beta < 0.25)
    input_complain(in, KEY(integrator_beta),
                   "%.15g is too small: below 1/4 '%s' is unstable for stiff bonds at any useful time step; "
                   "wanted: a number >= 0.25",
                   c->integrator.beta, name);
}

static void check_word(const Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  WordSpelling spelling;
  if (c->integrator.word == NULL || word_spell(c->integrator.word, NULL, 0, &spelling, NULL) != STATUS_OK)
    return;
  if (input_given(in, KEY(integrator_weights)) && c->integrator.weights.n == 0)
    input_complain(in, KEY(integrator_weights),
                   "is an empty list; wanted: %d numbers, one for each letter of '%s'", spelling.n,
                   c->integrator.word);
  const bool noisy = word_has(&spelling, 'O') != 0;
  if (noisy && c->thermostat.type == THERMOSTAT_NONE)
    input_complain(in, KEY(integrator_word),
                   "'%s' contains the letter O, the thermostat, but thermostat.type is 'none'; wanted: a "
                   "word without O, such as BAB, or thermostat.type: langevin or rescale",
                   c->integrator.word);
  if (!noisy && c->thermostat.type != THERMOSTAT_NONE)
    input_complain(in, KEY(integrator_word),
                   "'%s' has no letter O, so the thermostat would not act; wanted: a word with O, such as "
                   "BABO, or thermostat.type: none",
                   c->integrator.word);
}

enum { AMOUNT = 64 };

int64_t config_steps(Input *in, InputKey key, double time, double h)
{
  const double ratio = time / h;
  if (!(ratio < 9e15))
    return -1;
  const int64_t steps = llround(ratio);
  char asked[AMOUNT], step[AMOUNT], taken[AMOUNT];
  if (fabs((double)steps - ratio) > 1e-9 * ratio)
    input_note(in, key, "%s is not a multiple of the time step %s; the run uses %lld steps, which are %s",
               input_amount(in, key, time, asked, AMOUNT),
               input_amount(in, KEY(integrator_timestep), h, step, AMOUNT), (long long)steps,
               input_amount(in, key, (double)steps * h, taken, AMOUNT));
  return steps;
}

static void check_times(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const double h = c->integrator.timestep;
  const bool timed = input_given(in, KEY(integrator_time));
  const InputKey key = timed ? KEY(integrator_time) : KEY(integrator_steps);
  if (timed)
    c->integrator.steps = config_steps(in, key, draft->time, h);
  char asked[AMOUNT], step[AMOUNT], whole[AMOUNT];
  input_amount(in, key, draft->time, asked, AMOUNT);
  input_amount(in, KEY(integrator_timestep), h, step, AMOUNT);
  if (c->integrator.steps < 0) {
    input_complain(in, key, "%s is more than 9e15 steps of %s", asked, step);
    return;
  }
  if (c->integrator.steps == 0) {
    input_complain(in, key, "%s is less than half a time step of %s; wanted: at least one step", asked, step);
    return;
  }
  c->output.equilibration = config_steps(in, KEY(output_equilibration), draft->equilibration, h);
  if (c->output.equilibration < 0 || c->output.equilibration >= c->integrator.steps)
    input_complain(
        in, KEY(output_equilibration),
        "%s leaves no time to average: the whole run takes %s, %lld steps of %s (%s, %s)",
        input_amount(in, KEY(output_equilibration), draft->equilibration, asked, AMOUNT),
        input_amount(in, KEY(output_equilibration), (double)c->integrator.steps * h, whole, AMOUNT),
        (long long)c->integrator.steps, step, config_table[key.row].key, input_where(in, key));
  else if (c->output.equilibration > 0 && c->output.thermo_every > 0 && config_samples(c) == 0)
    input_complain(
        in, KEY(output_equilibration),
        "leaves no sample to average: no step from %lld to %lld is a multiple of %lld (output.thermo_every)",
        (long long)c->output.equilibration + 1, (long long)c->integrator.steps,
        (long long)c->output.thermo_every);
}

static void check_friction(const Config *c, Input *in)
{
  const bool mass = c->thermostat.convention == 1;
  const Quantity fits = mass ? QUANTITY_FREQUENCY : QUANTITY_FRICTION;
  if (!input_given(in, KEY(thermostat_friction)))
    input_complain(in, KEY(thermostat_friction), "is missing; wanted: a number >= 0%s%s (convention: %s)",
                   c->reduced ? "" : " in ", c->reduced ? "" : units_list(fits), mass ? "mass" : "uniform");
  for (int i = -1; i < c->thermostat.frictions.n; i++) {
    const InputKey key =
        i < 0 ? KEY(thermostat_friction) : input_record(KEY(thermostat_frictions), i, "friction");
    const Quantity given = input_quantity(in, key);
    if (given != QUANTITY_NONE && given != fits)
      input_complain(in, key,
                     "has a unit that does not fit convention: %s; wanted: a number in %s, or convention: %s",
                     mass ? "mass" : "uniform", units_list(fits), mass ? "uniform" : "mass");
  }
}

static void check_thermostat(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const bool langevin = c->thermostat.type == THERMOSTAT_LANGEVIN;
  const bool heated = c->thermostat.type != THERMOSTAT_NONE;
  const bool constrained = config_constraint_method(c) != NULL && !config_penalises(c);
  /* A ladder may lack temperatures, which config_exchange_check reports. */
  const bool ladder = input_given(in, KEY(exchange_lowest)) || input_given(in, KEY(exchange_temperatures));
  if (c->exchange.number > 0)
    c->thermostat.kT = c->exchange.kT[0];
  else if (input_given(in, KEY(thermostat_inverse_temperature)))
    c->thermostat.kT = 1.0 / draft->inverse_temperature;
  else if (!input_given(in, KEY(thermostat_temperature)) && !ladder &&
           !config_schedule_begins(c, SCHEDULED_TEMPERATURE) &&
           (heated || c->thermostat.initial == INITIAL_MAXWELL))
    input_complain(in, KEY(thermostat_temperature),
                   "is missing; wanted: a temperature > 0 %s%s, or thermostat.inverse_temperature",
                   c->reduced ? "(kT)" : "in K",
                   heated ? " (or type: none, for constant energy)"
                          : " for the initial momenta (or initial: zero)");
  if (!isfinite(c->thermostat.kT))
    input_complain(in, KEY(thermostat_inverse_temperature), "is too small: the temperature overflows");
  if (langevin)
    check_friction(c, in);
  if (constrained && input_given(in, KEY(thermostat_noise)) && draft->noise == NOISE_ALL)
    input_complain(in, KEY(thermostat_noise),
                   "'all' has no meaning with constraints, whose momenta are tangent; remove the line");
  if (c->thermostat.type == THERMOSTAT_RESCALE && config_penalises(c))
    input_complain(in, KEY(thermostat_type),
                   "'rescale' has no friction to cool the stiff modes of penalties, which steps heat; "
                   "wanted: langevin, or constraints (geometry.method)");
  c->thermostat.tangent = draft->noise == NOISE_TANGENT;
}

static void check_replica(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  const char *const text = draft->replica;
  int64_t number = 0;
  c->output.trajectory_replica = 0;
  if (strcmp(text, "all") == 0)
    c->output.trajectory_replica = CONFIG_ALL;
  else if (!read_number(text, &number))
    input_complain(in, KEY(output_trajectory_replica),
                   "'%s' is not a replica; wanted: all or a number from 0", text);
  else if (number >= c->ensemble.replicas)
    input_complain(in, KEY(output_trajectory_replica),
                   "there is no replica %s; wanted: 0 to %d (ensemble.replicas: %d)", text,
                   c->ensemble.replicas - 1, c->ensemble.replicas);
  else
    c->output.trajectory_replica = (int)number;
}

static void check_outputs(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  for (int i = 0; i < TRAJECTORY_FORMATS; i++) {
    if ((c->output.trajectory & 1u << i) != 0 && !trajectory_written(trajectory_formats[i]))
      input_complain(in, KEY(output_trajectory), "%s", trajectory_formats[i]->doc);
    if (c->output.frames[i].every == 0)
      c->output.frames[i].every = c->output.trajectory_every;
  }
  check_replica(draft, in);
}

void config_check_molecules(Draft *draft, Input *in)
{
  const Config *const c = &draft->config;
  if (c->thermostat.initial == INITIAL_FILE && c->system.start != START_FILE)
    input_complain(in, KEY(thermostat_initial),
                   "'file' reads the velocities of the start file, and needs start: file");
  if (config_sorts[c->sort].own != NULL)
    config_sorts[c->sort].own(draft, in);
  check_geometry(c, in);
  check_acceleration(c, in);
}

/* Key number i of those that determine the system type; KEYS: no key. Molecules have three such keys: a
 * model, a topology, and a map of types. */
enum { SORT_KEYS = CONFIG_SORTS + 2 };

static int sort_key(int i, ConfigSort *sort)
{
  *sort = i >= CONFIG_SORTS ? SORT_CLUSTER : (ConfigSort)i;
  return i < CONFIG_SORTS    ? config_sorts[i].key
         : i == CONFIG_SORTS ? KEY_system_topology
                             : KEY_system_molecules;
}

/* Reads a map of molecules. A single water becomes system.model and a number. */
static void read_types(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  InputMap *const types = &c->system.types;
  int64_t number = 0;
  for (int i = 0; i < types->n; i++)
    if (!read_number(types->value[i], &number) || number < 1 || number > STATE_MOLECULES)
      input_complain(in, input_line(KEY(system_molecules), types->name[i]),
                     "'%.40s' is not a number of molecules; wanted: a whole number from 1 to %d",
                     types->value[i], STATE_MOLECULES);
  const WaterModel *const water = types->n == 1 ? water_find(types->name[0]) : NULL;
  if (water != NULL) {
    c->system.model = water->name;
    c->system.molecules = number > 0 ? (int)number : 1; /* reported above */
    types->n = 0;
  }
  c->system.described = c->system.topology != NULL || types->n > 0;
}

/* Finds the system type. False: the file describes no system or two, so further errors would only confuse. */
static bool find_sort(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  int n = 0;
  InputKey first = KEY(system_model);
  for (int i = 0; i < SORT_KEYS; i++) {
    ConfigSort sort;
    const InputKey key = {.row = sort_key(i, &sort)};
    if (key.row == KEYS || !(key.row == KEY_system_molecules ? c->system.types.n > 0 : input_given(in, key)))
      continue;
    if (n++ == 0) {
      c->sort = sort;
      first = key;
    } else
      input_complain(in, key,
                     "given together with %s (%s), but a file describes one system; remove one of the two",
                     config_table[first.row].key, input_where(in, first));
  }
  read_types(draft, in);
  c->system.box_none = config_box_none(draft);
  if (n == 0 && input_given(in, KEY(system_atoms))) {
    c->sort = SORT_CLUSTER;
    n = 1;
  }
  /* With a box, molecules and atoms are a periodic system. */
  const bool box =
      (input_given(in, KEY(system_box)) && !c->system.box_none) || input_given(in, KEY(system_density));
  if (n == 1 && c->sort == SORT_CLUSTER && box)
    c->sort = SORT_BOX;
  if (n == 0)
    input_complain(in, KEY_SECTION(system_model),
                   "does not define a system; wanted: model (water), molecules (names and numbers), topology "
                   "(a file of molecules), atoms, or sites or hamiltonian (a mechanical system)");
  return n == 1;
}

static void check_units(Draft *draft, Input *in)
{
  Config *const c = &draft->config;
  c->reduced = draft->units == 1;
  if (c->reduced && !config_mechanical(c))
    input_complain(in, KEY(units),
                   "'reduced' has no meaning for water and atoms, whose models have real units");
  else if (c->reduced)
    input_unitless(in, "units: reduced requires bare numbers");
  for (int i = 0; i < SORT_KEYS && config_table[KEYS].sort[c->sort].brief; i++) {
    ConfigSort sort;
    const InputKey key = {.row = sort_key(i, &sort)};
    if (key.row != KEYS)
      input_drop(in, key);
  }
}

static Status check(Draft *draft, Error *error)
{
  Config *const c = &draft->config;
  Input *const in = c->input;
  if (!find_sort(draft, in))
    return input_verdict(in, error);
  check_units(draft, in);
  input_count(in, KEY(integrator_timestep), c->integrator.timestep);
  input_meaning_sort(in, (int)c->sort);
  config_parameters_read(draft, in);
  config_exchange_check(draft, in);
  config_sorts[c->sort].check(draft, in);
  config_options_check(c, in);
  check_word(draft, in);
  check_times(draft, in);
  config_box_check_moves(c, in);
  check_thermostat(draft, in);
  config_field_check(draft, in);
  config_schedule_check(draft, in);
  config_biases_pull_check(c, in);
  config_plumed_check(c, in);
  check_outputs(draft, in);
  config_parameters_check(c, in);
  config_alchemy_check(c, in);
  input_meaning_check(in);
  return input_verdict(in, error);
}

/* --- loading --------------------------------------------------------------------------------------- */

/* Turns the draft, read with this status, into a configuration. */
static Status finish(Draft *draft, Status status, Config **config, Error *error)
{
  if (status != STATUS_OK)
    return status;
  status = check(draft, error);
  Config *const c = status == STATUS_OK ? malloc(sizeof *c) : NULL;
  if (c == NULL) {
    arena_free(&draft->config.arena);
    input_free(draft->config.input);
    return status != STATUS_OK ? status : error_memory(error, "the configuration");
  }
  *c = draft->config;
  *config = c;
  return STATUS_OK;
}

/* Files that users mistake for input files, with advice. */
static const char molecules_word[] = "format: holonom-molecules",
                  molecules[] = "a file of molecules; name it in an input file as system.topology",
                  topology[] = "a topology; 'holonom import' makes an input file from it and its coordinates",
                  places[] = "a file of coordinates; name it in an input file as system.file";
static const struct {
  const char *suffix, *what;
} others[] = {{".top", topology}, {".itp", topology}, {".prmtop", topology}, {".parm7", topology},
              {".psf", topology}, {".gro", places},   {".pdb", places},      {".xyz", places}};

/* The kind of a file that is not an input file, by its suffix or its first line after comments; NULL:
 * unknown. */
static const char *other_file(const char *path)
{
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (text_ends(path, others[i].suffix))
      return others[i].what;
  FILE *const file = fopen(path, "r");
  char line[256] = "#";
  while (file != NULL && strchr("#\n", line[0]) != NULL && fgets(line, sizeof line, file) != NULL)
    ;
  if (file != NULL)
    fclose(file);
  return strncmp(line, molecules_word, strlen(molecules_word)) == 0 ? molecules : NULL;
}

Status config_load(const char *path, const char *const *set, int nset, Config **config, Error *error)
{
  LOCALE_PLAIN;
  *config = NULL;
  Draft draft = {.config.geometry.method = GEOMETRY_PENALTY};
  Status status = input_load(&draft.config.input, config_table, path, set, nset, &draft, error);
  status = finish(&draft, status, config, error);
  struct stat info;
  if (status == STATUS_INPUT && stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
    const char *const other = other_file(path);
    if (other != NULL)
      return error_set(error, STATUS_INPUT, "%s is not an input file but %s", path, other);
  }
  return status;
}

Status config_parse(const char *name, const char *text, const char *const *set, int nset, Config **config,
                    Error *error)
{
  LOCALE_PLAIN;
  *config = NULL;
  Draft draft = {.config.geometry.method = GEOMETRY_PENALTY};
  const Status status =
      input_parse(&draft.config.input, config_table, name, text, strlen(text), set, nset, &draft, error);
  return finish(&draft, status, config, error);
}

void config_free(Config *config)
{
  if (config == NULL)
    return;
  arena_free(&config->arena);
  input_free(config->input);
  free(config);
}

char *config_path(const Config *config, const char *path) { return input_path(config->input, path); }
