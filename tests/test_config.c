/* The configuration: the examples, the paper's values, and what does not go together. */
#include "config/config.h"
#include "engine/units.h"
#include "integrators/accel.h"
#include "io/input_private.h"
#include "tests/keys.h"
#include "tests/suite.h"
#include "thermostat/ou.h"

static const char *example(const char *name)
{
  static char path[512];
  const char *const root = getenv("HOLONOM_SOURCE");
  snprintf(path, sizeof path, "%s/examples/%s%s", root != NULL ? root : ".",
           strchr(name, '/') != NULL ? "" : "water-cluster/", name);
  return path;
}

static Config *load(const char *name, const char *set)
{
  Config *config;
  Error error;
  ck_assert_msg(config_load(example(name), &set, set != NULL, &config, &error) == STATUS_OK, "%s",
                error.text);
  return config;
}

static const char penalty[] = "system: {model: tip3p, molecules: 7}\n"
                              "geometry: {method: penalty, w: 20}\n"
                              "integrator: {timestep: 0.05, steps: 1000}\n"
                              "thermostat: {temperature: 10, friction: 0.01}\n";
static const char rigid[] = "system: {model: tip3p, molecules: 7}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {timestep: 0.05, steps: 1000}\n"
                            "thermostat: {temperature: 10, friction: 0.01}\n";

static const char boxed[] = "system: {model: tip3p, molecules: 64, density: 1 g/cm3}\n"
                            "geometry: {method: settle}\n"
                            "forces: {cutoff: 6}\n"
                            "integrator: {timestep: 1 fs, steps: 10}\n"
                            "thermostat: {temperature: 300 K, friction: 1/ps}\n";
static const char gas[] = "system: {atoms: {argon: 50}, box: 30}\n"
                          "forces: {cutoff: 8}\n"
                          "integrator: {word: BAB, timestep: 1 fs, steps: 10}\n"
                          "thermostat: {type: none, temperature: 300 K}\n";

static Config *parse(const char *text, const char *first, const char *second)
{
  const char *const set[] = {first, second};
  Config *config;
  Error error;
  ck_assert_msg(config_parse("f.yaml", text, set, (first != NULL) + (second != NULL), &config, &error) ==
                    STATUS_OK,
                "%s", error.text);
  return config;
}

static void refused(const char *text, const char *first, const char *second, const char *part)
{
  const char *const set[] = {first, second};
  Config *config;
  Error error;
  ck_assert_int_eq(config_parse("f.yaml", text, set, (first != NULL) + (second != NULL), &config, &error),
                   STATUS_INPUT);
  ck_assert_ptr_null(config);
  ck_assert_msg(strstr(error.text, part) != NULL, "'%s' lacks '%s'", error.text, part);
}

TEST(the_papers_values)
{
  Config *const c = load("penalty.yaml", NULL);
  ck_assert_str_eq(c->system.model, "tip3p");
  ck_assert_int_eq(c->system.molecules, 7);
  ck_assert_int_eq(c->geometry.method, GEOMETRY_PENALTY);
  ck_assert_double_eq(c->geometry.w, 20.0);
  ck_assert_int_eq(c->geometry.hessian, HESSIAN_FULL);
  ck_assert_str_eq(c->integrator.word, "BABO");
  ck_assert_str_eq(c->integrator.acceleration, "zss");
  ck_assert_double_eq(c->integrator.timestep, 0.05);
  ck_assert_int_eq(c->integrator.steps, 200000);
  ck_assert_double_eq(c->thermostat.kT, 1.0 / 50);
  ck_assert_double_eq(c->thermostat.friction, 0.01);
  ck_assert_int_eq(c->thermostat.convention, FRICTION_UNIFORM);
  ck_assert(c->thermostat.type == THERMOSTAT_LANGEVIN && c->thermostat.initial == INITIAL_MAXWELL &&
            !c->thermostat.tangent);
  ck_assert_ptr_null(input_notes(c->input, 0));
  config_free(c);
}

TEST(the_other_examples)
{
  Config *c = load("constraint.yaml", NULL);
  ck_assert_str_eq(config_constraint_method(c), "settle");
  ck_assert_str_eq(c->integrator.acceleration, "verlet");
  ck_assert(c->thermostat.tangent);
  ck_assert_int_eq(c->integrator.steps, 200000);
  config_free(c);
  c = load("penalty-gauss-newton.yaml", NULL);
  ck_assert_int_eq(c->geometry.hessian, HESSIAN_GAUSS_NEWTON);
  ck_assert_double_eq(c->geometry.w, 200.0);
  ck_assert(c->thermostat.tangent);
  config_free(c);
  c = load("water-100.yaml", NULL);
  ck_assert_int_eq(c->system.molecules, 100);
  ck_assert_int_eq(c->integrator.steps, 20000);
  config_free(c);
}

static char *text_of(const char *path)
{
  char *const text = calloc(1, 131072);
  FILE *const file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_gt(fread(text, 1, 131071, file), 0);
  fclose(file);
  return text;
}

typedef Status Writer(FILE *file, Error *error);
static Status cluster(FILE *file, Error *error) { return config_keys_example(SORT_CLUSTER, file, error); }
static Status box(FILE *file, Error *error) { return config_keys_example(SORT_BOX, file, error); }

/* Messages can describe the allowed values of every key. */
TEST(allowed_values_have_words)
{
  for (const Parameter *p = config_table; p->key != NULL; p++) {
    char text[2048];
    input_value_wanted(p, false, text, sizeof text);
    ck_assert_msg(text[0] != '\0' && strstr(text, "(null)") == NULL, "%s: %s", p->key, text);
  }
}

/* Files that are made from the table of keys are as it makes them. */
TEST(files_of_keys_are_up_to_date)
{
  static const struct {
    const char *path, *format;
    Writer *write;
  } files[] = {{"docs/input.md", "markdown", config_keys_page},
               {"examples/water-cluster/every-key.yaml", "cluster", cluster},
               {"examples/bulk-water/every-key.yaml", "box", box}};
  const char *const root = getenv("HOLONOM_SOURCE");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char path[512], *made = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", root != NULL ? root : ".", files[i].path);
    char *const there = text_of(path);
    FILE *const file = open_memstream(&made, &size);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(files[i].write(file, NULL), STATUS_OK);
    fclose(file);
    ck_assert_msg(strcmp(made, there) == 0, "holonom help --keys %s >%s", files[i].format, files[i].path);
    free(made);
    free(there);
  }
}

/* Whether a key is given, or stands there as a comment. */
static bool holds_key(const Config *c, const char *text, const Parameter *p)
{
  const char *const dot = strrchr(p->key, '.');
  char line[64];
  snprintf(line, sizeof line, "# %s: ", dot != NULL ? dot + 1 : p->key);
  return input_given(c->input, key_named(c->input, p->key)) || strstr(text, line) != NULL;
}

/* Each key of the table is in the file for clusters or in that for boxes, or mechanical systems alone have
 * it. Whatever a row names is there. */
TEST(every_key_holds_every_key)
{
  static const char of_box[] = "bulk-water/every-key.yaml";
  const unsigned water = 1u << SORT_CLUSTER | 1u << SORT_BOX;
  Config *const a = load("every-key.yaml", NULL), *const b = load(of_box, NULL);
  char *const text = text_of(example("every-key.yaml")), *const other = text_of(example(of_box));
  for (const Parameter *p = config_table; p->key != NULL; p++) {
    const bool mechanical = (p->sorts != 0 && !(p->sorts & water)) || p->type == PARAMETER_RECORDS ||
                            p == &config_table[KEY_system_hamiltonian];
    ck_assert_msg(mechanical || holds_key(a, text, p) || holds_key(b, other, p), "%s", p->key);
    ck_assert_msg(p->help != NULL && strlen(p->help) > 5, "%s has no help", p->key);
    bool rival = p->rival == NULL;
    for (int i = 0; i < KEYS && !rival; i++)
      rival = strcmp(p->rival, config_table[i].key) == 0 && config_table[i].rival != NULL &&
              strcmp(config_table[i].rival, p->key) == 0;
    ck_assert_msg(rival, "%s excludes no key", p->key);
    ck_assert_msg(p->needs == NULL || p->needs->without != NULL, "%s", p->key);
    for (int i = 0; i < 2; i++)
      ck_assert_msg(p->late[i].where == NULL || p->late[i].where->with != NULL, "%s", p->key);
  }
  free(text);
  free(other);
  config_free(a);
  config_free(b);
}

/* The resolved configuration reads back as the same configuration. */
TEST(printed_examples_read_back)
{
  static const char *const names[] = {"penalty.yaml", "constraint.yaml", "penalty-gauss-newton.yaml",
                                      "water-100.yaml", "every-key.yaml"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    Config *a = load(names[i], NULL), *b;
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    ck_assert_int_eq(input_print(a->input, file, NULL), STATUS_OK);
    fclose(file);
    Error error;
    ck_assert_msg(config_parse("f", text, NULL, 0, &b, &error) == STATUS_OK, "%s", error.text);
    ck_assert(a->integrator.timestep == b->integrator.timestep && a->thermostat.kT == b->thermostat.kT);
    ck_assert(a->thermostat.friction == b->thermostat.friction && a->geometry.w == b->geometry.w);
    ck_assert_int_eq(a->integrator.steps, b->integrator.steps);
    ck_assert_int_eq(a->output.equilibration, b->output.equilibration);
    ck_assert_str_eq(a->integrator.acceleration, b->integrator.acceleration);
    ck_assert_int_eq(a->integrator.weights.n, b->integrator.weights.n);
    ck_assert_uint_eq(a->output.trajectory, b->output.trajectory);
    free(text);
    config_free(a);
    config_free(b);
  }
}

TEST(defaults_follow_the_method)
{
  Config *c = parse(penalty, NULL, NULL);
  ck_assert_str_eq(c->integrator.acceleration, "zss");
  ck_assert_int_eq(c->geometry.hessian, HESSIAN_GAUSS_NEWTON);
  ck_assert_int_eq(c->thermostat.convention, FRICTION_MASS);
  ck_assert(!c->thermostat.tangent);
  ck_assert_double_eq(c->thermostat.kT, 10 * UNITS_BOLTZMANN);
  ck_assert_double_eq(c->system.force.wall.radius, 0.0);
  config_free(c);
  c = parse(rigid, "integrator.time=1 ps", "thermostat.inverse_temperature=50");
  ck_assert_str_eq(c->integrator.acceleration, "verlet");
  ck_assert(c->thermostat.tangent);
  ck_assert_double_eq(c->thermostat.kT, 0.02);
  ck_assert_int_eq(c->integrator.steps, llround(1e3 / UNITS_AKMA_FS / 0.05));
  ck_assert_ptr_nonnull(strstr(input_notes(c->input, 0), "not a multiple of the time step"));
  config_free(c);
  c = parse(penalty, "output.trajectory=xyz", "output.equilibration=5");
  ck_assert_uint_eq(c->output.trajectory, 1u); /* the first row, xyz */
  ck_assert_int_eq(c->output.equilibration, 100);
  config_free(c);
  c = parse(penalty, "thermostat.type=none", "integrator.word=BAB");
  ck_assert(c->thermostat.type == THERMOSTAT_NONE);
  config_free(c);
  c = parse(penalty, "integrator.word=BAOAB", "thermostat.remove=angular");
  ck_assert_int_eq(c->thermostat.remove, 2);
  config_free(c);
}

static bool noted(const Config *c, const char *part)
{
  for (int i = 0; input_notes(c->input, i) != NULL; i++)
    if (strstr(input_notes(c->input, i), part) != NULL)
      return true;
  return false;
}

/* The remark on a key's line of the resolved input; "": none. */
static void remarked(const Config *c, const char *key, const char *remark)
{
  char *text = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&text, &size);
  ck_assert_int_eq(input_print(c->input, file, NULL), STATUS_OK);
  fclose(file);
  char *const line = strstr(text, key);
  ck_assert_ptr_nonnull(line);
  line[strcspn(line, "\n")] = '\0';
  ck_assert_str_eq(line + strcspn(line, "#"), remark);
  free(text);
}

/* Strides are numbers of steps, or times of whole numbers of them. */
TEST(strides_in_time)
{
  static const char text[] = "system: {atoms: {argon: 50}, box: 30}\n"
                             "integrator: {timestep: 4 fs, steps: 10000}\n"
                             "thermostat: {temperature: 300, friction: 1/ps}\n"
                             "barostat: {type: rescale, pressure: 1 bar, every: 96 fs}\n"
                             "output: {thermo_every: 0.192 ps, msd_every: 48}\n";
  Config *c = parse(text, "output.rdf_every=0 fs", "integrator.timestep=2 fs");
  ck_assert_int_eq(c->barostat.every, 48);
  ck_assert_int_eq(c->output.thermo_every, 96);
  ck_assert_int_eq(c->output.observe.every[OBSERVABLE_volume], 96); /* by default as thermo_every */
  ck_assert_int_eq(c->output.observe.every[OBSERVABLE_rdf], 0);
  ck_assert_int_eq(c->output.observe.every[OBSERVABLE_msd], 48);
  const char *value;
  input_item(c->input, KEY_barostat_every, &value);
  ck_assert_str_eq(value, "96 fs");
  remarked(c, "msd_every: 48", "# steps");
  remarked(c, "vacf_every: 0", "# steps, default");
  remarked(c, "thermo_every: 0.192 ps", "");
  config_free(c);
  refused(
      text, "integrator.timestep=5 fs", NULL,
      "barostat.every: 96 fs is not a whole number of steps of 5 fs; wanted: 95 fs or 100 fs, which are 19 "
      "and 20");
  refused(text, "barostat.every=3 fs", NULL,
          "3 fs is less than a step of 4 fs; wanted: at least 4 fs, one step");
  refused(text, "barostat.every=0 fs", NULL, "is out of range; wanted: a whole number >= 1, or a time in");
  refused(text, "barostat.every=-8 fs", NULL, "is out of range");
  refused(text, "barostat.every=1e9 s", NULL, "has a unit that does not fit");
  refused(text, "barostat.every=1e30 fs", NULL, "is more than 9e15 steps of 4 fs");
  refused(text, "barostat.every=9 A", NULL, "has a unit that does not fit");
  refused(text, "barostat.every=2.5", NULL, "is not a whole number; wanted: a whole number >= 1, or a time");
  refused(text, "integrator.steps=100 fs", NULL, "units and other signs are not allowed");
}

/* A key's condition: without it the key is remarked on or refused, and one that is hidden is not printed. */
TEST(keys_have_a_meaning_under_a_condition)
{
  char pressed[512];
  static const char no_geometry[] = "system: {model: tip3p, molecules: 7}\n"
                                    "integrator: {timestep: 0.05, steps: 1000}\n"
                                    "thermostat: {temperature: 10, friction: 0.01}\n";
  static const char box[] = "system: {model: tip3p, molecules: 884, box: 30 A}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {timestep: 0.05, steps: 1000, word: BAOAB}\n"
                            "thermostat: {temperature: 300, friction: 0.01}\n";
  Config *c = parse(box, "forces.permittivity=78", "forces.coulomb=reaction-field");
  const char *value;
  ck_assert(!noted(c, "forces.permittivity"));
  config_free(c);
  c = parse(box, NULL, NULL);
  ck_assert_int_eq(c->precision, 1); /* a late default */
  input_item(c->input, KEY_forces_order, &value);
  ck_assert_ptr_null(value);
  input_item(c->input, KEY_forces_accuracy, &value);
  ck_assert_str_eq(value, "0.0145");
  config_free(c);
  c = parse(box, "forces.coulomb=cutoff", "forces.permittivity=78");
  ck_assert(noted(c, "--set forces.permittivity=78: forces.permittivity: has no effect without coulomb: "
                     "reaction-field"));
  input_item(c->input, KEY_forces_accuracy, &value);
  ck_assert_ptr_null(value);
  config_free(c);
  c = parse(box, "forces.lists=fast", "forces.drift=1e-3"); /* keys of earlier versions */
  ck_assert(noted(c, "forces.lists: was removed and has no effect: neighbour lists are rebuilt"));
  ck_assert(noted(c, "forces.drift: was removed and has no effect: neighbour lists miss no pair"));
  config_free(c);
  snprintf(pressed, sizeof pressed, "%sbarostat: {type: rescale, pressure: 1 bar}\n", box);
  c = parse(pressed, "barostat.shape=cell", NULL);
  ck_assert(noted(c, "liquid water does not resist a change of shape"));
  config_free(c);
  c = parse(box, "barostat.type=monte-carlo", "barostat.pressure=-1 kbar");
  ck_assert(noted(c, "barostat.pressure: no volume is stable below zero"));
  config_free(c);
  c = parse(box, "barostat.type=monte-carlo", "barostat.pressure=0 bar");
  ck_assert(!noted(c, "below zero"));
  config_free(c);
  c = parse(penalty, "geometry.solver=newton", NULL);
  ck_assert(
      noted(c, "geometry.solver: has no effect without constraints (geometry.method: rattle or shake)"));
  ck_assert_int_eq(c->precision, 0);
  config_free(c);
  refused(box, "system.spacing=3", NULL, "system.spacing: is not allowed for a periodic box");
  refused(box, "system.frame=last", NULL,
          "system.frame: has no meaning with start: build; write 'start: file'");
  refused(penalty, "geometry.w=", NULL,
          "geometry.w: is missing with penalties; wanted: a penalty strength > 0");
  refused(box, "forces.cutoff=0.9 nm", "system.box=1.5 nm",
          "side of 1.5 nm is less than twice the cutoff of 0.9 nm (forces.cutoff), so");
  refused(box, "forces.cutoff=9", "system.box=1.5 nm", "or a cutoff of at most 7.5 A");
  /* What only a missing key would ask for is not missing beside it. */
  refused(no_geometry, NULL, NULL, "geometry.method: is missing");
  Config *none;
  Error error;
  ck_assert_int_eq(config_parse("f.yaml", no_geometry, NULL, 0, &none, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "geometry.w") == NULL, "%s", error.text);
}

/* Names of keys in earlier versions. */
TEST(old_names_mean_the_new_ones)
{
  static const char sites[] = "system: {dimensions: 3, sites: [{mass: 1, position: [1, 0, 0]}]}\n"
                              "integrator: {timestep: 0.05, steps: 1000}\noutput: {every: 20}\n";
  Config *c = parse(sites, NULL, NULL);
  ck_assert(
      noted(c, "f.yaml:3: output.every: is the old name of output.trajectory_every, and is read as such"));
  ck_assert_int_eq(c->output.trajectory_every, 20);
  ck_assert_int_eq(c->output.thermo_every, 20);
  config_free(c);
  c = parse(sites, "output.ensemble_every=7", NULL);
  ck_assert(noted(c, "output.ensemble_every: is the old name of output.thermo_every"));
  ck_assert_int_eq(c->output.thermo_every, 7);
  config_free(c);
  c = load("bulk-water/every-key.yaml", "output.gofr_every=7");
  ck_assert(noted(c, "output.gofr_every: is the old name of output.rdf_every"));
  ck_assert_int_eq(c->output.observe.every[OBSERVABLE_rdf], 7);
  config_free(c);
}

TEST(a_box_has_one_three_six_or_nine_numbers)
{
  static const struct {
    const char *box;
    double edge[3][3];
  } right[] = {{"20 A", {{20}, {0, 20}, {0, 0, 20}}},
               {"[20, 21, 22.5]", {{20}, {0, 21}, {0, 0, 22.5}}},
               {"[2 nm, 0, 0, 0, 21, 0, 0, 0, 2.25 nm]", {{20}, {0, 21}, {0, 0, 22.5}}},
               {"[20, 21, 22.5, 90, 90, 90]", {{20}, {0, 21}, {0, 0, 22.5}}},
               {"[3 nm, 30, 24, 90, 90, 60]", {{30}, {15, 25.98076211353316}, {0, 0, 24}}},
               {"[30, 30, 30, 60, 60, 90]", {{30}, {0, 30}, {15, 15, 21.213203435596427}}},
               {"30, shape: dodecahedron", {{30}, {0, 30}, {15, 15, 21.213203435596427}}},
               {"[30, 0, 0, 95, 24, 0, -1 nm, 0, 25]", {{30}, {5, 24}, {-10, 0, 25}}}};
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "system: {model: tip3p, molecules: 216, box: %s}\n"
             "geometry: {method: settle}\n"
             "integrator: {timestep: 2 fs, steps: 10}\n"
             "thermostat: {temperature: 300 K, friction: 1/ps}\n",
             right[i].box);
    Config *config;
    Error error;
    ck_assert_msg(config_parse("box", text, NULL, 0, &config, &error) == STATUS_OK, "%s", error.text);
    for (int k = 0; k < 9; k++)
      ck_assert_double_eq_tol(config->system.box.h[k / 3][k % 3], right[i].edge[k / 3][k % 3], 1e-12);
    config_free(config);
  }
}

TEST(what_does_not_go_together)
{
  refused(penalty, "geometry.w=", NULL, "f.yaml:2: geometry.w: is missing");
  refused(rigid, "geometry.w=3", NULL, "--set geometry.w=3: geometry.w: has no meaning without penalties");
  refused(penalty, "geometry.w=-3", NULL, "out of range");
  refused(rigid, "integrator.acceleration=zss", NULL, "use verlet with constraints");
  refused(penalty, "integrator.beta=0.2", NULL, "below 1/4");
  refused(rigid, "geometry.method=shake", "geometry.tolerance=0.1",
          "out of range; wanted: a number > 0 and <= ");
  refused(rigid, "geometry.method=rattle", "geometry.tolerance=2e-4",
          "geometry.tolerance: 0.0002 is too large");
  refused(penalty, "integrator.word=BAB", NULL, "no letter O");
  refused(penalty, "thermostat.type=none", NULL, "f.yaml:3: integrator.word: 'BABO' contains the letter O");
  refused(penalty, "integrator.word=BXB", NULL, "letter 'X'");
  refused(penalty, "integrator.word=OA", NULL, "at least one A");
  refused(penalty, "integrator.weights=0.5, 1", NULL, "4 letters but 2 weights");
  refused(penalty, "integrator.weights=[]", NULL, "an empty list");
  refused(penalty, "integrator.weights=[0.5, 1, 0.25, 1]", NULL, "integrator.weights");
  refused(penalty, "output.equilibration=50", NULL,
          "50 leaves no time to average: the whole run takes 50, 1000 steps of 0.05 (integrator.steps, "
          "f.yaml:3)");
  refused(penalty, "output.equilibration=1 ns", "integrator.timestep=2 fs",
          "output.equilibration: 1 ns leaves no time to average: the whole run takes 0.002 ns, 1000 steps of "
          "2 fs "
          "(integrator.steps, f.yaml:3)");
  refused(penalty, "output.equilibration=45", "output.thermo_every=800",
          "leaves no sample to average: no step from 901 to 1000 is a multiple of 800 (output.thermo_every)");
  refused(
      "units: reduced\nsystem: {dimensions: 1, sites: [{mass: 1, position: [0]}]}\n"
      "integrator: {word: BAOAB, timestep: 0.1, steps: 10}\nthermostat: {type: langevin, temperature: 1}\n",
      NULL, NULL, "thermostat.friction: is missing; wanted: a number >= 0 (convention: ");
  refused(penalty, "barostat.pressure=1 bar", NULL, "pressure: is not allowed for molecules");
  refused(penalty, "barostat.tau_p=1", NULL, "barostat.tau_p: unknown key; use barostat.time");
  refused(penalty, "integrator.dt=1", NULL, "integrator.dt: unknown key; use integrator.timestep");
  refused(penalty, "integrator.time=0.01", NULL, "at least one step");
  refused(penalty, "integrator.time=1e300", NULL, "9e15 steps");
  refused(penalty, "integrator.steps=0", NULL, "out of range");
  refused(penalty, "thermostat.friction=1 g/mol/ps", NULL, "convention: mass; wanted: a number in 1/akma");
  refused(penalty, "thermostat.friction=1 1/ps", "thermostat.convention=uniform",
          "does not fit convention: uniform");
  refused(penalty, "thermostat.friction=", NULL, "f.yaml:4: thermostat.friction: is missing");
  refused(penalty, "thermostat.temperature=", NULL, "thermostat.temperature: is missing");
  refused(penalty, "thermostat.inverse_temperature=1e-320", NULL, "temperature overflows");
  refused(rigid, "thermostat.noise=all", NULL, "'all' has no meaning with constraints");
  refused(penalty, "output.trajectory_replica=1", NULL, "there is no replica 1; wanted: 0 to 0");
  refused(penalty, "system.molecules=", NULL, "f.yaml:1: system.molecules: is missing");
  refused(penalty, "system.file=a.xyz", NULL, "no meaning with start: build");
  refused(penalty, "system.start=file", NULL, "system.file: is missing");
  refused(penalty, "system.start=file", "system.file=/no/such.xyz", "'/no/such.xyz' cannot be read");
  refused(penalty, "ensemble.threads=-1", NULL, "out of range");
  refused(penalty, "system.mass_H=-1 g/mol", NULL, "a mass > 0 in g/mol, u");
  refused(penalty, "system.model=tip6p", NULL, "did you mean 'tip3p'?");
  refused(penalty, "thermostat.pressure=1", NULL, "thermostat.pressure: unknown key; use barostat.pressure");
  refused(penalty, "system.units=akma", NULL,
          "system.units: unknown key; units is a key at the top of the file: move it out of system");
  refused(boxed, "system.box=14", NULL, "f.yaml:1: system.density: follows from the box");
  refused(boxed, "system.density=", "system.box=file", "system.box: 'file' needs start: file");
  refused(boxed, "system.shape=octahedron", "system.box=[20, 20, 20]",
          "system.shape: applies only to a box given by one length");
  refused(boxed, "system.box=none", NULL, "'none' contradicts system.density");
  refused(boxed, "system.molecules=", NULL, "f.yaml:1: system.molecules: is missing; wanted: the number");
  refused(boxed, "system.start=minimum", NULL, "'minimum' applies to clusters");
  refused(boxed, "forces.grid=[16, 16]", NULL, "forces.grid: has 2 numbers; wanted: one or three");
  refused(boxed, "forces.grid=16.5", NULL, "forces.grid: 16.5 is not a whole number");
  refused(gas, "system.box=", NULL, "forces.cutoff: is not allowed for molecules without a box");
  refused(gas, "system.molecules=5", NULL, "system.molecules: has no meaning without water");
  refused(gas, "geometry.method=settle", NULL, "geometry.method: single atoms have no bonds");
  refused(penalty, "system.molecules=50000001", NULL,
          "out of range; wanted: a whole number >= 0 and <= 50000000");
}

TEST(paths_are_relative_to_the_file)
{
  Config *c = load("penalty.yaml", NULL);
  char *path = config_path(c, "start.xyz");
  ck_assert_str_eq(path, example("start.xyz"));
  free(path);
  path = config_path(c, "/abs.xyz");
  ck_assert_str_eq(path, "/abs.xyz");
  free(path);
  config_free(c);
  c = load("penalty.yaml", "ensemble.threads=2");
  ck_assert_int_eq(c->ensemble.threads, 2);
  config_free(c);
  /* Any file that is there will do: what is in it is looked at later. */
  const char *const set[] = {"system.start=file", "system.file=constraint.yaml"};
  Error error;
  ck_assert_int_eq(config_load(example("penalty.yaml"), set, 2, &c, &error), STATUS_OK);
  config_free(c);
  const char *const wrong[] = {"system.start=file", "system.file=constrain.yaml"};
  ck_assert_int_eq(config_load(example("penalty.yaml"), wrong, 2, &c, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "constraint.yaml'?"));
}

/* What a beginner gives in the place of an input file is called what it is. */
TEST(files_of_other_sorts_are_named)
{
  static const struct {
    const char *name, *text, *says;
  } given[] = {
      {"config_molecules.yaml", "# Made\n\nformat: holonom-molecules 1\ntypes: {}\n", "system.topology"},
      {"config_topol.top", "[ defaults ]\n\t1 2\n", "holonom import"},
      {"config_conf.gro", "made\n0\n1 1 1\n", "system.file"}};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    FILE *const file = fopen(given[i].name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(given[i].text, file);
    ck_assert_int_eq(fclose(file), 0);
    Config *c = NULL;
    Error error;
    ck_assert_int_eq(config_load(given[i].name, NULL, 0, &c, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, given[i].says) != NULL, "%s", error.text);
    remove(given[i].name);
  }
  Config *c = NULL;
  Error error;
  ck_assert_int_eq(config_load("config_none.top", NULL, 0, &c, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "cannot be read"));
}

/* Lines of the fullest example dropped, swapped and cut: clean statuses only. */
TEST(mutated_examples_give_clean_statuses)
{
  char *const text = text_of(example("every-key.yaml"));
  const size_t n = strlen(text);
  srand48(11);
  for (int i = 0; i < 2000; i++) {
    char *const copy = strdup(text);
    for (long k = lrand48() % 6; k >= 0; k--) {
      const size_t a = (size_t)(lrand48() % (long)n), b = (size_t)(lrand48() % (long)n);
      if (lrand48() % 2)
        copy[a] = text[b];
      else
        memset(copy + a, ' ', a + 8 < n ? 8 : n - a);
    }
    Config *config;
    Error error;
    const Status status = config_parse("f.yaml", copy, NULL, 0, &config, &error);
    ck_assert(status == STATUS_OK || status == STATUS_INPUT);
    if (status == STATUS_OK)
      ck_assert(config->integrator.steps >= 1 && config->output.equilibration < config->integrator.steps &&
                isfinite(config->thermostat.kT) && config->integrator.timestep > 0.0);
    config_free(config);
    free(copy);
  }
  free(text);
}

int main(void) { return suite_main("config"); }
