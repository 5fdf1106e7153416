/* Constant pressure: exact distributions of volumes, the virial's pressure, shapes of molecules, the same
 * bits however a run is cut and with any team, and what is refused. */
#include "engine/units.h"
#include "forcefields/periodic.h"
#include "simulation/simulation_private.h"
#include "tests/deviation.h"
#include "tests/files.h"
#include "tests/parsed.h"
#include "tests/shorter.h"
#include "tests/tables.h"

static double volume(const Simulation *s, int replica)
{
  const Box box = simulation_box(s, replica);
  return box_volume(&box);
}

/* What follows `barostat: {`: each type with each shape. */
static const char *const type[] = {"type: monte-carlo", "type: rescale"};
static const char *const shape[] = {"isotropic", "xy-z", "axes"};
enum { SHAPES = 3, CASES = 2 * SHAPES };

/* --- distributions -----------------------------------------------------------------------------------------
 */

enum { BLOCKS = 24 };

/* In boxes that are bricks or oblique atoms that never meet: P V/kT has the gamma distribution of N + 1, mean
 * and variance N + 1, whatever the shape, and an oblique box keeps its leans. Sizes are not tuned where edges
 * move apart, which nothing holds together. */
TEST(volumes_of_an_ideal_gas, .rows = suite_rows(2, CASES))
{
  const bool leans = _i == 1 || _i == 3; /* not of the shape whose edges go where they like, to flat boxes */
  static const char *const box[] = {"[40, 36, 44]", "[40, 0, 0, 13, 36, 0, -12, 15, 44]"};
  static const char *const own[] = {"", ", compressibility: 1/MPa, time: 400 fs"};
  static const int equilibration[] = {2000, 0, 0}, samples = SHORT ? 1600 : 4800, stride[] = {3, 2, 2};
  enum { N = 12 };
  char text[1024];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: %d}, box: %s, minimise: false}\n"
           "forces: {cutoff: 0.05, coulomb: cutoff, tail: false}\nprecision: double\nensemble: {threads: 1}\n"
           "integrator: {word: BAOAB, timestep: 10 fs, steps: 1000000}\n"
           "thermostat: {temperature: 300 K, friction: 20/ps}\n"
           "barostat: {%s, pressure: 1 MPa, every: 1, shape: %s%s}\n"
           "output: {equilibration: %d fs}\n",
           N, box[leans], type[_i / SHAPES], shape[_i % SHAPES], own[_i / SHAPES],
           10 * equilibration[_i % SHAPES]);
  Simulation *s = parsed(text);
  double *x = calloc((size_t)samples, sizeof *x), *square = calloc((size_t)samples, sizeof *square);
  const double unit = 300.0 * UNITS_BOLTZMANN / (10.0 / UNITS_BAR);
  fine(simulation_step(s, 2000, NULL, &error));
  for (int i = 0; i < samples; i++) {
    fine(simulation_step(s, stride[_i % SHAPES], NULL, &error));
    x[i] = volume(s, 0) / unit;
    square[i] = (x[i] - (N + 1)) * (x[i] - (N + 1));
  }
  ck_assert_double_lt(fabs(deviation(x, samples, BLOCKS, N + 1)), 4.0);
  ck_assert_double_lt(fabs(deviation(square, samples, BLOCKS, N + 1)), 4.0);
  const Box end = simulation_box(s, 0);
  ck_assert_double_eq_tol(end.h[1][0] / end.h[0][0], leans ? 13.0 / 40.0 : 0.0, 1e-9);
  ck_assert_double_eq_tol(end.h[2][0] / end.h[0][0], leans ? -12.0 / 40.0 : 0.0, 1e-9);
  ck_assert_double_eq_tol(end.h[2][1] / end.h[1][1], leans ? 15.0 / 36.0 : 0.0, 1e-9);
  free(x);
  free(square);
  simulation_free(s);
}

/* 1/2 k (r - a)^2 between the first two atoms, with no word of its virial. */
static Status spring(void *user, ExternalCall *call, Error *why)
{
  (void)user;
  (void)why;
  const double k = 1.0, a = 3.0;
  for (int r = 0; r < call->replicas; r++) {
    const double *x = call->x + (size_t)r * call->n;
    double *f = call->f + (size_t)r * call->n;
    const double length = sqrt(pow(x[3] - x[0], 2) + pow(x[4] - x[1], 2) + pow(x[5] - x[2], 2));
    for (int d = 0; d < 3; d++) {
      f[d] = k * (1.0 - a / length) * (x[d + 3] - x[d]);
      f[d + 3] = -f[d];
    }
    call->energy[r] = 0.5 * k * (length - a) * (length - a);
  }
  return STATUS_OK;
}

/* Two of the atoms that never meet are held together: N - 1 centres move freely, so that the mean of P V/kT
 * is N, though the pressure of the forces does not know of the spring. */
TEST(forces_of_the_caller, .rows = 2)
{
  enum { N = 6, DRAWS = 4800 };
  char text[1024];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: %d}, box: 40, minimise: false}\n"
           "forces: {cutoff: 0.05, coulomb: cutoff, tail: false}\nprecision: double\nensemble: {threads: 1}\n"
           "integrator: {word: BAOAB, timestep: 20 fs, steps: 1000000}\n"
           "thermostat: {temperature: 300 K, friction: 20/ps}\n"
           "barostat: {%s, pressure: 1 MPa, every: 2%s}\noutput: {equilibration: 40 ps}\n",
           N, type[_i], _i == 0 ? "" : ", compressibility: 1/MPa, time: 400 fs");
  Simulation *s = parsed(text);
  double *x = calloc(DRAWS, sizeof *x);
  const double unit = 300.0 * UNITS_BOLTZMANN / (10.0 / UNITS_BAR);
  fine(simulation_add_force(s, &(ExternalRow){.function = spring}, &error));
  fine(simulation_step(s, 4000, NULL, &error));
  for (int i = 0; i < DRAWS; i++) {
    fine(simulation_step(s, 4, NULL, &error));
    x[i] = volume(s, 0) / unit;
  }
  ck_assert_double_lt(fabs(deviation(x, DRAWS, BLOCKS, N)), 4.0);
  ck_assert_double_gt(fabs(deviation(x, DRAWS, BLOCKS, N + 1)), 4.0);
  free(x);
  simulation_free(s);
}

/* The pressure that the virial and the momenta make is the barostat's, in the mean: neither is in a move. (Of
 * energies that jump at a cutoff forces know nothing, so that both agree no better than g(r) is 1 there.) */
TEST(the_virial_has_the_pressure, .rows = suite_rows(2, CASES))
{
  if (SHORT && (_i / SHAPES + _i) % 2 != 0) /* either type, all shapes */
    return;
  enum { SAMPLES = SHORT ? 160 : 480 };
  char text[1024];
  snprintf(text, sizeof text,
           "system: {atoms: {argon: 125}, density: 1.374 g/cm3, minimise: false}\n"
           "forces: {cutoff: 7 A, truncation: switch}\nensemble: {threads: 1}\n"
           "integrator: {word: BAOAB, timestep: 10 fs, steps: 1000000}\n"
           "thermostat: {temperature: 110 K, friction: 4/ps}\n"
           "barostat: {%s, pressure: 800 bar, every: 5, shape: %s}\n"
           "output: {equilibration: 10 ps}\n",
           type[_i / SHAPES], shape[_i % SHAPES]);
  Simulation *s = parsed(text);
  double x[SAMPLES], value[96];
  SimulationColumns columns;
  fine(simulation_step(s, 1000, NULL, &error));
  fine(simulation_columns(s, &columns, &error));
  const int at = measurement_find(s->measurement, "pressure");
  ck_assert_str_eq(columns.name[at], "pressure");
  for (int i = 0; i < SAMPLES; i++) {
    fine(simulation_step(s, 10, NULL, &error));
    fine(simulation_look(s, 0, value, &error));
    x[i] = value[at];
    const int v = measurement_find(s->measurement, "volume");
    ck_assert_double_eq_tol(value[v], volume(s, 0), 1e-9 * value[v]);
    ck_assert_double_eq_tol(value[v + 1], 125 * 39.948 * 1.66053906660 / value[v], 1e-6);
    ck_assert_double_eq_tol(
        value[v + 2], value[measurement_find(s->measurement, "total")] + 800.0 / UNITS_BAR * value[v], 1e-9);
  }
  ck_assert_double_lt(fabs(deviation(x, SAMPLES, BLOCKS, 800.0)), 4.0);
  simulation_free(s);
}

/* Atoms and rigid waters that never meet: kappa = 1/P, alpha = 1/T, C_P = (5/2 + 1/N) k, of waters 3/2 k
 * more, also where penalties hold them; from what a run leaves. */
TEST(an_ideal_gas_responds, .rows = suite_rows(1, 3))
{
  static const struct {
    const char *system;
    double heat; /* k, without 1/N */
  } gas[] = {
      {"system: {atoms: {argon: 12}, box: 40, minimise: false}\n", 2.5},
      {"system: {model: tip3p, molecules: 12, box: 60, minimise: false}\ngeometry: {method: settle}\n", 4.0},
      {"system: {model: tip3p, molecules: 12, box: 60, minimise: false}\n"
       "geometry: {method: penalty, w: 50}\n",
       4.0}};
  enum { N = 12 };
  if (SHORT && _i == 0) /* molecules take what atoms do, and more */
    return;
  char text[1024], dir[512];
  snprintf(
      text, sizeof text,
      "%sforces: {cutoff: 0.05, coulomb: cutoff, tail: false}\nprecision: double\nensemble: {threads: 1}\n"
      "integrator: {word: BAOAB, timestep: 2 fs, steps: 14000}\n"
      "thermostat: {temperature: 300 K, friction: 20/ps}\n"
      "barostat: {type: monte-carlo, pressure: 1 MPa, every: 2}\n"
      "output: {equilibration: 4 ps, thermo_every: 4, rdf_every: 0, report: false, progress: false}\n",
      gas[_i].system);
  Simulation *s = parsed(text);
  snprintf(dir, sizeof dir, "%s%d", files_path("gas"), _i);
  ResultSet found;
  fine(simulation_run(s, &(SimulationRun){.dir = dir, .found = &found}, &error));
  const struct {
    const char *name;
    double wanted;
  } number[] = {{"compressibility", 1.0 / 10.0},
                {"expansion", 1.0 / 300.0},
                {"heat_capacity", (gas[_i].heat + 1.0 / N) * UNITS_BOLTZMANN}};
  for (int k = 0; k < 3; k++) {
    const ResultNumber *n = results_find(&found, "volume", "box", number[k].name);
    ck_assert_ptr_nonnull(n);
    ck_assert(!n->doubtful);
    ck_assert_double_lt(fabs(n->value - number[k].wanted), 4.0 * n->error);
    ck_assert_double_lt(n->error, 0.2 * n->value);
  }
  const ResultNumber *density = results_find(&found, "", "", "density"),
                     *mean = results_find(&found, "volume", "box", "mean_density");
  ck_assert_double_lt(fabs(density->value - mean->value), density->error);
  ck_assert_double_eq(results_value(&found, "", "compressibility"),
                      results_find(&found, "volume", "box", "compressibility")->value);
  results_free(&found);
  simulation_free(s);
}

/* --- bits --------------------------------------------------------------------------------------------------
 */

static const char *const geometry[] = {"geometry: {method: settle}\nintegrator: {word: BAOAB, ",
                                       "geometry: {method: penalty, w: 50}\nintegrator: {word: BABO, ",
                                       "geometry: {method: shake}\nintegrator: {word: SBAOABS, "};
enum { GEOMETRIES = (int)(sizeof geometry / sizeof *geometry), STAYS = 2, TYPES };

static const char *water(int type_of, int which, int threads, int replicas)
{
  static char text[1024];
  snprintf(text, sizeof text,
           "system: {model: tip3p, box: 14 A, atoms: {Na+: 1, Cl-: 1}, molecules: 80, minimise: false}\n"
           "forces: {cutoff: 5 A, accuracy: 0.1}\n%stimestep: 1 fs, steps: 100}\n"
           "thermostat: {temperature: 300 K, friction: 5/ps}\nensemble: {threads: %d, replicas: %d}\n"
           "barostat: {%s, pressure: 1 kbar, every: 3, shape: axes}\n"
           "output: {equilibration: 30 fs}\n",
           geometry[which], threads, replicas,
           type_of == STAYS ? "type: monte-carlo, until: equilibration" : type[type_of]);
  return text;
}

static void same(Simulation *a, Simulation *b)
{
  const size_t n = (size_t)simulation_coordinates(a);
  double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), u[96], v[96];
  SimulationColumns columns;
  fine(simulation_columns(a, &columns, &error));
  for (int r = 0; r < simulation_replicas(a); r++) {
    for (int field = SIMULATION_POSITIONS; field <= SIMULATION_VELOCITIES; field++) {
      fine(simulation_get(a, (SimulationField)field, r, x, &error));
      fine(simulation_get(b, (SimulationField)field, r, y, &error));
      ck_assert_mem_eq(x, y, n * sizeof *x);
    }
    fine(simulation_look(a, r, u, &error));
    fine(simulation_look(b, r, v, &error));
    ck_assert_mem_eq(u, v, (size_t)columns.n * sizeof *u);
    const Box box[2] = {simulation_box(a, r), simulation_box(b, r)};
    ck_assert(box_same(&box[0], &box[1]));
  }
  free(x);
  free(y);
}

/* Steps at once, in pieces, from checkpoints before and after the end of equilibration, by one thread and by
 * several. The first four have each type and each geometry, of one replica and of two. */
TEST(pieces_and_teams, .rows = 2 * TYPES * GEOMETRIES, .threads = true)
{
  const int kind = _i % TYPES, replicas = (_i / TYPES + kind) % 2 + 1,
            which = (_i / TYPES / 2 + kind) % GEOMETRIES;
  if (SHORT &&
      _i / TYPES % 4 != 0) /* every sort, in a half of the geometries each, with one number of replicas */
    return;
  Simulation *a = parsed(water(kind, which, 1, replicas)), *b = parsed(water(kind, which, 2, replicas)),
             *c = parsed(water(kind, which, 3, replicas)), *d = parsed(water(kind, which, 1, replicas));
  char path[512], later[512];
  snprintf(path, sizeof path, "%s", files_path("barostat.hol"));
  snprintf(later, sizeof later, "%s", files_path("later.hol"));
  const double before = volume(a, 0);
  fine(simulation_step(a, 48, NULL, &error));
  for (int n = 1; n <= 4; n++)
    fine(simulation_step(b, n, NULL, &error));
  fine(simulation_step(b, 11, NULL, &error)); /* 21 steps: a move is next */
  fine(simulation_save(b, &(CheckpointStore){.path = path}, &error));
  fine(simulation_step(b, 13, NULL, &error));
  fine(simulation_save(b, &(CheckpointStore){.path = later}, &error));
  fine(simulation_step(b, 14, NULL, &error));
  fine(simulation_restore(d, &(CheckpointStore){.path = later}, &error));
  fine(simulation_step(d, 14, NULL, &error));
  fine(simulation_restore(c, &(CheckpointStore){.path = path}, &error));
  fine(simulation_step(c, 27, NULL, &error));
  ck_assert_double_ne(volume(a, 0), before);
  if (replicas > 1)
    ck_assert_double_ne(volume(a, 0), volume(a, 1));
  same(a, b);
  same(a, c);
  same(a, d);
  double value[96];
  fine(simulation_look(a, 0, value, &error));
  if (which != 1) /* kept exactly through all moves */
    ck_assert_double_lt(value[measurement_find(a->measurement, "largest_g")], 1e-8);
  simulation_free(a);
  simulation_free(b);
  simulation_free(c);
  simulation_free(d);
}

/* What was chosen for the forces of the first replica. */
static PeriodicOptions chosen(const Simulation *s)
{
  return *periodic_options(&ensemble_field(s->ensemble)->force[0]);
}

/* Moves of the second half of equilibration have volumes whose mean is the volume from then on; or the box
 * goes on as it did. The mesh is that of a system in the mean box either way, where no box was so far the
 * start's. */
TEST(the_end_of_equilibration)
{
  enum { EVERY = 3, END = 30, MOVES = 5 };
  Simulation *a = parsed(water(0, 0, 1, 1)), *b = parsed(water(STAYS, 0, 1, 1));
  double mean = 0.0, edge[3] = {0.0};
  fine(simulation_step(a, END - EVERY * MOVES + 1, NULL, &error));
  const PeriodicOptions first = chosen(a);
  for (int i = 0; i < MOVES; i++) { /* a move at a step is made before the next */
    fine(simulation_step(a, EVERY, NULL, &error));
    const Box box = simulation_box(a, 0);
    mean += box_volume(&box) / MOVES;
    for (int d = 0; d < 3; d++)
      edge[d] += box_length(&box, d) / MOVES;
  }
  fine(simulation_step(b, END + 1, NULL, &error));
  const Box box = simulation_box(b, 0);
  ck_assert_double_eq_tol(box_volume(&box), mean, 1e-9 * mean);
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(box_length(&box, d) / box_length(&box, 0), edge[d] / edge[0], 1e-9);
  char text[1024], size[128], *at;
  snprintf(text, sizeof text, "%s", water(0, 0, 1, 1));
  at = strstr(text, "box: 14 A");
  ck_assert_ptr_nonnull(at);
  snprintf(size, sizeof size, "box: [%.17g, %.17g, %.17g]", box.h[0][0], box.h[1][1], box.h[2][2]);
  memmove(at + strlen(size), at + 9, strlen(at + 9) + 1);
  memcpy(at, size, strlen(size));
  Simulation *fresh = parsed(text);
  fine(simulation_prepare(fresh, &error));
  const PeriodicOptions wanted = chosen(fresh), found[2] = {chosen(a), chosen(b)};
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(found[i].nonbonded.beta, wanted.nonbonded.beta, 1e-9);
    ck_assert_mem_eq(found[i].nonbonded.grid, wanted.nonbonded.grid, sizeof wanted.nonbonded.grid);
    ck_assert_double_gt(fabs(found[i].nonbonded.beta - first.nonbonded.beta), 1e-6);
  }
  fine(simulation_step(a, 29, NULL, &error));
  fine(simulation_step(b, 29, NULL, &error));
  const Box later = simulation_box(b, 0);
  ck_assert(box_same(&later, &box));
  ck_assert_double_ne(volume(a, 0), mean);
  simulation_free(a);
  simulation_free(b);
  simulation_free(fresh);
}

/* --- what is refused ---------------------------------------------------------------------------------------
 */

/* A box of argon: what is said of its barostat and of what else is given. */
#define ARGON(box, barostat)                                                                                 \
  "system: {atoms: {argon: 400}, " box "}\nintegrator: {timestep: 1 fs, steps: 90}\n"                        \
  "thermostat: {temperature: 300, friction: 1}\nbarostat: {type: monte-carlo, " barostat "}\n"

TEST(refusals)
{
  static const struct {
    const char *text, *says;
  } no[] = {
      {"system: {model: tip3p, molecules: 4}\ngeometry: {method: settle}\n"
       "integrator: {timestep: 1 fs, steps: 9}\nthermostat: {temperature: 300, friction: 1}\n"
       "barostat: {type: monte-carlo, pressure: 1 bar}\n",
       "barostat"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {word: BAB, timestep: 1 fs, steps: 9}\n"
       "thermostat: {type: none, temperature: 300}\nbarostat: {type: monte-carlo, pressure: 1 bar}\n",
       "needs a constant temperature"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\nbarostat: {type: monte-carlo}\n",
       "is missing with a barostat"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\nbarostat: {pressure: 1 bar}\n",
       "without a barostat"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\nbarostat: {type: monte-carlo, pressure: 1 A}\n",
       "bar, kbar, atm"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\nbarostat: {type: monte-carlo, pressure: 1 bar, time: 1 "
       "ps}\n",
       "without barostat.type: rescale"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\n"
       "barostat: {type: rescale, pressure: 1 bar, compressibility: 1 bar}\n",
       "1/bar, 1/kbar"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\nbarostat: {type: berendsen, pressure: 1 bar}\n",
       "monte-carlo"},
      {ARGON("box: [40, 40, 0]", "pressure: 1 bar"), "'0' is not a length > 0"},
      {ARGON("box: 17", "pressure: 1 bar"), "less than twice the cutoff"},
      {ARGON("box: 40", "pressure: 1 psi"), "has a unit that does not fit"},
      {ARGON("box: 40", "pressure: nan bar"), "is not a number"},
      {ARGON("box: 40", "pressure: '1,5 bar'"), "decimals with a point"},
      {ARGON("box: 40", "pressure: 1 bar, every: 0"), "wanted: a whole number >= 1"},
      {ARGON("box: 40", "pressure: 1 bar, every: 90"), "but the run has 90, so its volume would be constant"},
      {ARGON("box: 40", "pressure: 1 bar, every: 9223372036854775807"), "its volume would be constant"},
      {ARGON("box: 40", "pressure: 1 bar, until: equilibration"), "includes no move of the box"},
      {ARGON("box: 40",
             "pressure: 1 bar, until: equilibration") "output: {equilibration: 24 fs, thermo_every: 1}\n",
       "output.equilibration is 24 steps"},
      {ARGON("box: 40", "pressure: 1 bar") "exchange: {pressures: [1 bar, 2 bar]}\n",
       "is given together with barostat.pressure"},
      {ARGON("box: 40",
             "every: 2") "exchange: {pressures: [1 bar, 2 bar, 3 bar], temperatures: [300, 310]}\n",
       "exchange.pressures: has 3; wanted: 2, one for each state of the ladder"},
      {ARGON("box: 40", "every: 2") "exchange: {pressures: [1 bar]}\n",
       "has values for 1 state; wanted: 2 to"},
      {ARGON("box: 40", "every: 2") "exchange: {pressures: [1 bar, 2 bar], tunings: 2}\n",
       "applies only to a ladder of temperatures without exchange.pressures"},
      {ARGON("box: 40", "pressure: 1 bar, until: equilibration") "exchange: {temperatures: [300 K, 310 K]}\n",
       "each replica would keep a volume of its own"},
      {"system: {atoms: {argon: 400}, box: 40}\nintegrator: {timestep: 1 fs, steps: 9}\n"
       "thermostat: {temperature: 300, friction: 1}\nexchange: {pressures: [1 bar, 2 bar]}\n",
       "exchange.pressures: has no meaning without a barostat"},
      {"units: reduced\nsystem: {hamiltonian: '(p1^2 + q1^2)/2', position: [1], momentum: [0]}\n"
       "integrator: {timestep: 0.1, steps: 9}\nbarostat: {type: monte-carlo, pressure: 1 bar}\n",
       "barostat.type: is not allowed for a Hamiltonian"},
  };
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
    Simulation *s = NULL;
    ck_assert_int_eq(simulation_parse(&s, "case.yaml", no[i].text, NULL, 0, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, no[i].says) != NULL, "'%s' is not in: %s", no[i].says, error.text);
    ck_assert_ptr_null(s);
  }
}

/* Pressures in their units, and below zero, where liquids hang together. */
TEST(units_of_pressure)
{
  static const struct {
    const char *text;
    double bar;
  } pressure[] = {{"1", 1.0},       {"1 atm", 1.01325},  {"0.1 MPa", 1.0},
                  {"100 kPa", 1.0}, {"-0.2 kbar", -200}, {"1e-3 GPa", 10.0}};
  for (size_t i = 0; i < sizeof pressure / sizeof *pressure; i++) {
    char text[512];
    snprintf(text, sizeof text, ARGON("box: 40", "pressure: %s"), pressure[i].text);
    Simulation *s = parsed(text);
    ck_assert_double_eq_tol(simulation_config(s)->barostat.pressure * UNITS_BAR, pressure[i].bar, 1e-9);
    simulation_free(s);
  }
}

/* The box of a start file is that of its molecules: too small for the cutoff is said of it. */
TEST(a_start_too_small)
{
  char text[1024];
  FILE *file = fopen(files_path("small.gro"), "w");
  ck_assert_ptr_nonnull(file);
  fputs("small\n    2\n    1AR      Ar    1   0.100   0.100   0.100\n"
        "    2AR      Ar    2   0.600   0.600   0.600\n   1.20000   1.20000   1.20000\n",
        file);
  ck_assert_int_eq(fclose(file), 0);
  snprintf(text, sizeof text,
           "system: {atoms: {argon: 2}, start: file, file: %s, box: file}\nintegrator: {timestep: 1 fs, "
           "steps: 90}\n"
           "thermostat: {temperature: 300, friction: 1}\nbarostat: {type: monte-carlo, pressure: 1 bar}\n",
           files_path("small.gro"));
  Simulation *s = NULL;
  ck_assert_int_eq(simulation_parse(&s, "case.yaml", text, NULL, 0, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "less than twice the cutoff") != NULL, "%s", error.text);
}

/* A box that has become too small for its cutoff is said to be, and the step with it. */
TEST(a_box_too_small)
{
  Simulation *s =
      parsed("system: {atoms: {argon: 60}, box: 30, minimise: false}\nforces: {cutoff: 9}\n"
             "integrator: {word: BAOAB, timestep: 5 fs, steps: 100000}\n"
             "thermostat: {temperature: 100 K, friction: 5/ps}\n"
             "barostat: {type: monte-carlo, pressure: 3 kbar, every: 1}\noutput: {equilibration: 9 ps}\n");
  ck_assert_int_eq(simulation_step(s, 20000, NULL, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "barostat") != NULL && strstr(error.text, "step ") != NULL &&
                    strstr(error.text, "cutoff") != NULL,
                "%s", error.text);
  simulation_free(s);
}

/* Distances to nearly half of the box that the run begins with, which is soon smaller: the run goes wrong,
 * and not its input. */
TEST(distances_that_a_box_has_no_more)
{
  Simulation *s = parsed(
      "system: {atoms: {argon: 64}, density: 1.2 g/cm3, minimise: false}\nforces: {cutoff: 6}\n"
      "integrator: {word: BAOAB, timestep: 5 fs, steps: 100000}\n"
      "thermostat: {temperature: 100 K, friction: 5/ps}\nensemble: {threads: 1}\n"
      "barostat: {type: monte-carlo, pressure: 5 kbar, every: 2}\n"
      "output: {equilibration: 9 ps, rdf_every: 10, rdf_max: 7.5 A, report: false, progress: false}\n");
  char dir[512];
  snprintf(dir, sizeof dir, "%s", files_path("out"));
  ck_assert_int_eq(simulation_run(s, &(SimulationRun){.dir = dir}, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "need a periodic box of at least twice that") != NULL, "%s", error.text);
  ck_assert_msg(strstr(error.text, "or less, or start nearer to the volume at this pressure") != NULL, "%s",
                error.text);
  simulation_free(s);
}

/* The table of distances, and the shortest box of its samples, of a run of a gas of argon that is pressed
 * together: as far as it says itself, or to `most` (0: not said). steps[1] > 0: cut, and resumed to there. */
static ResultTable *pressed(const char *name, double most, const int steps[2], double *shortest)
{
  char text[768], dir[512], path[600], range[64] = "";
  if (most > 0.0)
    snprintf(range, sizeof range, "rdf_max: %.17g A, ", most);
  snprintf(dir, sizeof dir, "%s", files_path(name));
  for (int k = 0; k < 2 && steps[k] > 0; k++) {
    snprintf(
        text, sizeof text,
        "system: {atoms: {argon: 64}, density: 1.0 g/cm3, minimise: false}\nforces: {cutoff: 4}\n"
        "integrator: {word: BAOAB, timestep: 5 fs, steps: %d}\n"
        "thermostat: {temperature: 100 K, friction: 5/ps}\nensemble: {threads: 1}\n"
        "barostat: {type: monte-carlo, pressure: 20 kbar, every: 2}\n"
        "output: {equilibration: 0, thermo_every: 10, rdf_every: 10, %sreport: false, progress: false}\n",
        steps[k], range);
    Simulation *s = parsed(text);
    fine(simulation_run(s, &(SimulationRun){.dir = dir, .resume = k > 0}, &error));
    simulation_free(s);
  }
  snprintf(path, sizeof path, "%s/thermo.csv", dir);
  ResultTable *thermo = tables_read(path);
  *shortest = INFINITY;
  for (size_t k = 0; k < thermo->nrow; k++)
    *shortest = fmin(*shortest, cbrt(tables_cell(thermo, k, "volume")));
  results_free_table(thermo);
  snprintf(path, sizeof path, "%s/gofr.csv", dir);
  return tables_read(path);
}

/* A range that nobody asked for ends where the smallest box does, as if it had been asked for, and in the run
 * that is cut and resumed in the same place. */
TEST(distances_of_every_box)
{
  static const char *const column[] = {"r", "r_hi", "g_Ar-Ar", "n_Ar-Ar"};
  const int once[2] = {1000, 0}, twice[2] = {700, 1000};
  double start, shortest, same_shortest;
  ResultTable *found = pressed("own", 0.0, once, &shortest);
  const double end = tables_cell(found, found->nrow - 1, "r_hi");
  start = cbrt(64.0 * 39.948 * 1.66053906660); /* of the density said above */
  ck_assert_double_lt(shortest, 0.9 * start);
  ck_assert_double_le(end, 0.5 * shortest);
  ck_assert_double_gt(end + 0.02, 0.5 * shortest);
  ResultTable *asked = pressed("asked", end, once, &same_shortest),
              *cut = pressed("cut", 0.0, twice, &shortest);
  ck_assert_double_eq(same_shortest, shortest);
  ck_assert_uint_eq(asked->nrow, found->nrow);
  ck_assert_uint_eq(cut->nrow, found->nrow);
  for (size_t k = 0; k < found->nrow; k++)
    for (int c = 0; c < 4; c++) {
      ck_assert_double_eq(tables_cell(asked, k, column[c]), tables_cell(found, k, column[c]));
      ck_assert_double_eq(tables_cell(cut, k, column[c]), tables_cell(found, k, column[c]));
    }
  results_free_table(found);
  results_free_table(asked);
  results_free_table(cut);
}
