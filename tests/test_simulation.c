/* Simulations in memory, of every sort: stepping in pieces, getting and setting, looking, forces from
 * outside, observers, files. */
#include <unistd.h>

#include "simulation/holonom.h"
#include "simulation/simulation.h"
#include "tests/boxes.h"
#include "tests/parsed.h"
#include "tests/suite.h"

static const struct {
  const char *sort, *text;
  int replicas, sites, molecules, constraints, dimensions;
} cases[] = {
    {"cluster",
     "system: {model: tip3p, molecules: 4, anneal: false}\n"
     "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 100}\n"
     "thermostat: {type: langevin, temperature: 100 K, friction: 5/ps}\n"
     "ensemble: {replicas: 3}\noutput: {multipliers_every: 1}\nprecision: double\n",
     8, 12, 4, 12, 3},
    {"box",
     "system: {model: tip3p, box: 14 A, density: 0.9, minimise: false}\n"
     "forces: {cutoff: 5 A, accuracy: 0.01}\n"
     "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 100}\n"
     "thermostat: {type: langevin, temperature: 100 K, friction: 5/ps}\n"
     "ensemble: {replicas: 2}\noutput: {multipliers_every: 1}\n",
     2, 0, 0, 0, 3},
    {"sites",
     "units: reduced\nsystem:\n  dimensions: 2\n  sites:\n"
     "    - {count: 3, mass: 2, position: [\"i\", \"0.1*r\"], momentum: [0, 1]}\n"
     "  constraints:\n    - {type: distance, chain: [1, 3], distance: 1}\n"
     "  potentials:\n    - {type: gravity, acceleration: [0, -9.81]}\n"
     "integrator: {word: BAB, timestep: 0.01, time: 1}\ngeometry: {method: rattle}\nensemble: {replicas: 3}\n"
     "output: {multipliers_every: 1}\n",
     3, 3, 1, 2, 2},
    {"hamiltonian",
     "units: reduced\nsystem:\n  hamiltonian: \"p1^2/2 + p2^2/2 + q1^2 + q2^2\"\n"
     "  position: [1, 0.5]\n  momentum: [0, 1]\n"
     "integrator: {method: symplectic-euler, timestep: 0.01, time: 1}\n",
     1, 2, 1, 0, 1},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

static Simulation *parse(int c) { return parsed(cases[c].text); }

static double *numbers(const Simulation *s)
{
  return calloc((size_t)simulation_coordinates(s) + 64, sizeof(double));
}

/* Steps in one call and in pieces leave the same bits, so does a restart from a file; and setting what was
 * got leaves a trajectory where it was. */
TEST(pieces, .rows = CASES)
{
  Simulation *a = parse(_i), *b = parse(_i), *c = parse(_i);
  double *x = numbers(a), *y = numbers(a);
  const size_t bytes = (size_t)simulation_coordinates(a) * sizeof *x;
  ck_assert_str_eq(simulation_sort(a), cases[_i].sort);
  fine(simulation_step(a, 20, NULL, &error));
  fine(simulation_step(b, 7, NULL, &error));
  fine(simulation_save(b, &(CheckpointStore){.path = "simulation.hol"}, &error));
  fine(simulation_step(b, 13, NULL, &error));
  fine(simulation_restore(c, &(CheckpointStore){.path = "simulation.hol"}, &error));
  ck_assert_int_eq(simulation_done(c), 7);
  fine(simulation_step(c, 13, NULL, &error));
  ck_assert_double_eq_tol(simulation_time(a), 20 * simulation_config(a)->integrator.timestep, 1e-12);
  for (int field = SIMULATION_POSITIONS; field <= SIMULATION_VELOCITIES; field++)
    for (int r = 0; r < simulation_replicas(a); r++) {
      fine(simulation_get(a, (SimulationField)field, r, x, &error));
      fine(simulation_get(b, (SimulationField)field, r, y, &error));
      ck_assert_mem_eq(x, y, bytes);
      fine(simulation_get(c, (SimulationField)field, r, y, &error));
      ck_assert_mem_eq(x, y, bytes);
    }
  simulation_free(a);
  simulation_free(b);
  simulation_free(c);
  free(x);
  free(y);
  remove("simulation.hol");
}

TEST(what_there_is, .rows = CASES)
{
  Simulation *s = parse(_i);
  if (cases[_i].sites > 0) {
    ck_assert_int_eq(simulation_sites(s), cases[_i].sites);
    ck_assert_int_eq(simulation_molecules(s), cases[_i].molecules);
    ck_assert_int_eq(simulation_constraints(s), cases[_i].constraints);
  }
  ck_assert_int_eq(simulation_dimensions(s), cases[_i].dimensions);
  ck_assert_int_eq(simulation_replicas(s), cases[_i].replicas);
  double *x = numbers(s), *v = numbers(s), *p = numbers(s), *mass = numbers(s), kinetic = 0.0;
  ck_assert_int_eq(simulation_get(s, SIMULATION_POSITIONS, 0, x, &error), STATUS_INPUT);
  fine(simulation_start(s, NULL, &error));
  ck_assert_int_eq(simulation_get(s, SIMULATION_POSITIONS, simulation_replicas(s), x, &error), STATUS_INPUT);
  fine(simulation_step(s, 3, NULL, &error));
  const hol_topology *topology;
  fine(simulation_topology(s, &topology, &error));
  memcpy(mass, topology->mass, (size_t)topology->sites * sizeof *mass);
  fine(simulation_get(s, SIMULATION_VELOCITIES, 0, v, &error));
  fine(simulation_get(s, SIMULATION_MOMENTA, 0, p, &error));
  const int dim = simulation_dimensions(s);
  for (int i = 0; i < simulation_coordinates(s); i++) {
    ck_assert_double_eq_tol(p[i], v[i] * mass[i / dim], 1e-12);
    kinetic += 0.5 * p[i] * v[i];
  }
  SimulationColumns columns;
  double value[128];
  fine(simulation_columns(s, &columns, &error));
  fine(simulation_look(s, 0, value, &error));
  for (int i = 0; i < columns.n; i++)
    if (strcmp(columns.name[i], "kinetic") == 0)
      ck_assert_double_eq_tol(value[i], kinetic, 1e-9 * (1.0 + kinetic));
  ck_assert_str_ne(topology->site_name[0], "");
  double *lambda = calloc((size_t)simulation_constraints(s) + 1, sizeof *lambda);
  ck_assert_ptr_nonnull(lambda);
  if (simulation_constraints(s) > 0)
    fine(simulation_multipliers(s, simulation_replicas(s) - 1, lambda, &error));
  free(lambda);
  simulation_free(s);
  free(x);
  free(v);
  free(p);
  free(mass);
}

/* A spring from the origin on the first site, of replicas of their own strength. */
static Status spring(void *user, ExternalCall *call, Error *why)
{
  (void)why;
  const double k = *(const double *)user;
  for (int r = 0; r < call->replicas; r++)
    for (size_t i = (size_t)r * call->n; i < (size_t)r * call->n + 2; i++) {
      call->f[i] = -k * call->x[i];
      call->energy[r] += 0.5 * k * call->x[i] * call->x[i];
    }
  return STATUS_OK;
}

/* A force of no strength changes no bit; others add what they say to forces and total energy, however many.
 */
TEST(forces, .rows = CASES - 1)
{
  enum { MANY = 12 };
  double none = 0.0, some = 3.0, part = some / MANY;
  Simulation *a = parse(_i), *b = parse(_i), *c = parse(_i);
  double *x = numbers(a), *y = numbers(a), *f = numbers(a), *g = numbers(a), va[128], vc[128];
  fine(simulation_add_force(b, &(ExternalRow){spring, &none, false}, &error));
  for (int k = 0; k < MANY; k++)
    fine(simulation_add_force(c, &(ExternalRow){spring, &part, true}, &error));
  fine(simulation_step(a, 10, NULL, &error));
  fine(simulation_step(b, 10, NULL, &error));
  const int last = simulation_replicas(a) - 1;
  fine(simulation_get(a, SIMULATION_POSITIONS, last, x, &error));
  fine(simulation_get(b, SIMULATION_POSITIONS, last, y, &error));
  ck_assert_mem_eq(x, y, (size_t)simulation_coordinates(a) * sizeof *x);
  fine(simulation_step(c, 10, NULL, &error));
  fine(simulation_get(c, SIMULATION_POSITIONS, last, y, &error));
  ck_assert_mem_ne(x, y, (size_t)simulation_coordinates(a) * sizeof *x);
  double p[4096];
  ck_assert_int_lt(simulation_coordinates(a), 4096);
  fine(simulation_get(a, SIMULATION_MOMENTA, last, p, &error));
  fine(simulation_set_point(c, last, x, p, &error));
  fine(simulation_get(a, SIMULATION_FORCES, last, f, &error));
  fine(simulation_get(c, SIMULATION_FORCES, last, g, &error));
  for (int i = 0; i < simulation_coordinates(a); i++)
    ck_assert_double_eq_tol(g[i], f[i] - (i < 2 ? some * x[i] : 0.0), 1e-9 * (1.0 + fabs(f[i])));
  SimulationColumns columns;
  fine(simulation_columns(a, &columns, &error));
  int total = 0;
  while (strcmp(columns.name[total], "total") != 0)
    total++;
  fine(simulation_look(a, last, va, &error));
  fine(simulation_look(c, last, vc, &error)); /* with a column "external" before the total */
  ck_assert_double_eq_tol(vc[total + 1], va[total] + 0.5 * some * (x[0] * x[0] + x[1] * x[1]),
                          1e-6 * (1.0 + fabs(va[total])));
  simulation_free(a);
  simulation_free(b);
  simulation_free(c);
  free(x);
  free(y);
  free(f);
  free(g);
}

typedef struct Seen {
  int n;
  int64_t step[16];
  Flag stop;
} Seen;

static Status see(void *user, Simulation *s, Error *why)
{
  (void)why;
  Seen *seen = user;
  seen->step[seen->n++] = simulation_done(s);
  if (simulation_done(s) == 21)
    flag_raise(&seen->stop, 1);
  return STATUS_OK;
}

static Status count(void *user, Simulation *s, Error *why)
{
  (void)s;
  (void)why;
  ++*(int *)user;
  return STATUS_OK;
}

static Status refuse(void *user, Simulation *s, Error *why)
{
  (void)user;
  return error_set(why, STATUS_RUN, "no more at step %lld", (long long)simulation_done(s));
}

/* Observers come at their steps, however many, leave no bit changed, and can end it. */
TEST(observers, .rows = CASES)
{
  enum { MANY = 40 };
  int counted = 0;
  Simulation *a = parse(_i), *b = parse(_i);
  Seen seen = {0};
  double *x = numbers(a), *y = numbers(a);
  for (int k = 0; k < MANY; k++)
    fine(simulation_observe(b, 7, count, &counted, &error));
  fine(simulation_observe(b, 7, see, &seen, &error));
  fine(simulation_step(a, 21, NULL, &error));
  fine(simulation_step(b, 40, &(SimulationStart){.stop = &seen.stop}, &error));
  ck_assert_int_eq(simulation_done(b), 21);
  ck_assert_int_eq(seen.n, 3);
  ck_assert_int_eq(counted, 3 * MANY);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(seen.step[i], 7 * (i + 1));
  fine(simulation_get(a, SIMULATION_MOMENTA, 0, x, &error));
  fine(simulation_get(b, SIMULATION_MOMENTA, 0, y, &error));
  ck_assert_mem_eq(x, y, (size_t)simulation_coordinates(a) * sizeof *x);
  ck_assert_int_eq(simulation_observe(a, 0, see, &seen, &error), STATUS_INPUT);
  fine(simulation_observe(a, 2, refuse, NULL, &error));
  ck_assert_int_eq(simulation_step(a, 10, NULL, &error), STATUS_RUN);
  ck_assert_str_eq(error.text, "no more at step 22");
  simulation_free(a);
  simulation_free(b);
  free(x);
  free(y);
}

/* Another box and back is where it was; one that is too small is refused. */
TEST(boxes)
{
  Simulation *a = parse(1), *b = parse(1);
  double *x = numbers(a), *y = numbers(a), *f = numbers(a), *g = numbers(a);
  fine(simulation_step(a, 5, NULL, &error));
  fine(simulation_step(b, 5, NULL, &error));
  const Box box = simulation_box(b, 1);
  const Box wide = boxes_with(&box, 0, box_length(&box, 0) + 0.5), tiny = box_brick(3.0, 3.0, 3.0);
  fine(simulation_get(b, SIMULATION_FORCES, 1, f, &error));
  ck_assert_int_eq(simulation_set_box(b, 1, &tiny, &error), STATUS_INPUT);
  fine(simulation_set_box(b, 1, &wide, &error));
  fine(simulation_get(b, SIMULATION_FORCES, 1, g, &error));
  ck_assert_mem_ne(f, g, (size_t)simulation_coordinates(a) * sizeof *f);
  ck_assert_double_eq(simulation_box(b, 1).h[0][0], box_length(&wide, 0));
  ck_assert_double_eq(simulation_box(b, 0).h[0][0], box_length(&box, 0));
  fine(simulation_save(b, &(CheckpointStore){.path = "boxes.hol"}, &error));
  fine(simulation_step(b, 5, NULL, &error));
  fine(simulation_get(b, SIMULATION_POSITIONS, 1, x, &error));
  fine(simulation_restore(a, &(CheckpointStore){.path = "boxes.hol"}, &error));
  fine(simulation_step(a, 5, NULL, &error));
  fine(simulation_get(a, SIMULATION_POSITIONS, 1, y, &error));
  ck_assert_mem_eq(x, y, (size_t)simulation_coordinates(a) * sizeof *x);
  fine(simulation_set_box(b, 1, &box, &error));
  ck_assert_double_eq(simulation_box(b, 1).h[0][0], box_length(&box, 0));
  simulation_free(b);
  b = parse(0);
  fine(simulation_start(b, NULL, &error));
  ck_assert_int_eq(simulation_set_box(b, 0, &box, &error), STATUS_INPUT);
  simulation_free(a);
  simulation_free(b);
  free(x);
  free(y);
  free(f);
  free(g);
  remove("boxes.hol");
}

static char *read_all(const char *dir, const char *name)
{
  char path[64];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 1 << 20);
  ck_assert_ptr_nonnull(file);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, file), (1 << 20) - 1);
  fclose(file);
  return text;
}

/* Replica 2 is turned by a right angle about the origin, which breaks no constraint, and kicked. */
static Status push(void *user, Simulation *s, Error *why)
{
  double x[64], p[64];
  (void)user;
  const int dim = simulation_dimensions(s), n = simulation_coordinates(s);
  simulation_get_point(s, 2, x, p);
  for (int i = 0; i < n; i += dim) {
    const double was = x[i];
    x[i] = -x[i + 1];
    x[i + 1] = was;
    p[i] += 0.5;
  }
  return simulation_set_point(s, 2, x, p, why);
}

/* A run's own checkpoint brings a simulation of the same input to where the run is. */
static void run_can_be_restored(Simulation *s, int sort, const char *const *set, const char *dir)
{
  char path[64];
  double x[64], y[64];
  Simulation *other;
  snprintf(path, sizeof path, "%s/checkpoint.hol", dir);
  fine(simulation_parse(&other, "case.yaml", cases[sort].text, set, 3, &error));
  fine(simulation_restore(other, &(CheckpointStore){.path = path}, &error));
  ck_assert_int_eq(simulation_done(other), simulation_done(s));
  fine(simulation_step(other, 1, NULL, &error));
  fine(simulation_step(s, 1, NULL, &error));
  fine(simulation_get(other, SIMULATION_MOMENTA, 2, x, &error));
  fine(simulation_get(s, SIMULATION_MOMENTA, 2, y, &error));
  ck_assert_mem_eq(x, y, (size_t)simulation_coordinates(s) * sizeof *x);
  simulation_free(other);
}

/* Runs into folders call observers, whether they look or change; a run in two parts is one in one part, with
 * what they have changed. */
TEST(observed_runs, .rows = 2)
{
  static const struct {
    int sort;
    const char *every, *file;
  } runs[] = {{0, "output.thermo_every=1", "thermo.csv"}, {2, "output.trajectory_every=1", "ensemble.csv"}};
  const char *steps[] = {"integrator.steps=20", "integrator.steps=10"};
  char *text[3];
  for (int i = 0; i < 3; i++) { /* seen; pushed; pushed, in two parts */
    Seen seen = {0};
    char dir[32];
    snprintf(dir, sizeof dir, "observed-%d-%d", _i, i);
    for (int part = i == 2 ? 1 : 0; part >= 0; part--) {
      const char *const set[] = {"integrator.time=", runs[_i].every, steps[part]};
      const SimulationRun options = {.dir = dir, .force = i < 2 || part == 1, .resume = i == 2 && part == 0};
      Simulation *s;
      fine(simulation_parse(&s, "case.yaml", cases[runs[_i].sort].text, set, 3, &error));
      fine(simulation_observe(s, 5, i == 0 ? see : push, &seen, &error));
      fine(simulation_run(s, &options, &error));
      ck_assert_int_eq(simulation_run(s, &options, &error), STATUS_INPUT); /* not a fresh one */
      run_can_be_restored(s, runs[_i].sort, set, dir);
      simulation_free(s);
    }
    ck_assert_int_eq(seen.n, i == 0 ? 4 : 0);
    text[i] = read_all(dir, runs[_i].file);
  }
  ck_assert(strcmp(text[0], text[1]) != 0);
  ck_assert(strcmp(text[1], text[2]) == 0);
  for (int i = 0; i < 3; i++)
    free(text[i]);
}

/* The number in a column of the last line of a table. */
static double last_row(const char *text, const char *column)
{
  char name[64];
  int at = 0;
  for (const char *c = text; sscanf(c, "%63[^,\n]", name) == 1 && strcmp(name, column) != 0; at++) {
    c += strlen(name);
    ck_assert_msg(*c == ',', "there is no column %s", column);
    c++;
  }
  const char *line = text + strlen(text) - 1;
  while (line[-1] != '\n')
    line--;
  for (; at > 0; at--)
    line = strchr(line, ',') + 1;
  return atof(line);
}

/* What a look says after some steps is what a run of as many writes, the momenta right after O and what
 * pressures have of them included. */
TEST(looks_are_rows, .rows = 2)
{
  const char *const set[] = {"integrator.steps=20", "output.thermo_every=20", "output.multipliers_every=0"};
  const SimulationRun options = {.dir = _i == 0 ? "looked-0" : "looked-1", .force = true};
  Simulation *run, *s;
  fine(simulation_parse(&run, "case.yaml", cases[_i].text, set, 3, &error));
  fine(simulation_run(run, &options, &error));
  simulation_free(run);
  char *text = read_all(options.dir, "thermo.csv");
  fine(simulation_parse(&s, "case.yaml", cases[_i].text, set, 3, &error));
  fine(simulation_step(s, 7, NULL, &error));
  fine(simulation_step(s, 13, NULL, &error));
  SimulationColumns columns;
  fine(simulation_columns(s, &columns, &error));
  double *sum = calloc((size_t)columns.n, sizeof *sum), *value = calloc((size_t)columns.n, sizeof *value);
  for (int r = 0; r < simulation_replicas(s); r++) {
    fine(simulation_look(s, r, value, &error));
    for (int c = 0; c < columns.n; c++)
      sum[c] += value[c] / simulation_replicas(s);
  }
  for (int c = 0; c < columns.n; c++)
    if (strcmp(columns.name[c], "largest_g") != 0) {
      const double row = last_row(text, columns.name[c]);
      ck_assert_msg(fabs(sum[c] - row) <= 1e-9 * fmax(1.0, fabs(row)), "%s: %.12g, and %.12g in the row",
                    columns.name[c], sum[c], row);
    }
  free(sum);
  free(value);
  free(text);
  simulation_free(s);
}

/* Mean energy between cold molecules, of all replicas and a few times. */
static double cold_energy(const char *const *set, int n)
{
  static const char cold[] = "system: {model: tip3p, molecules: 4, anneal: false}\n"
                             "integrator: {word: BAOAB, timestep: 2 fs, steps: 2000}\n"
                             "thermostat: {type: langevin, temperature: 10 K, friction: 5/ps}\n"
                             "ensemble: {replicas: 8, threads: 1}\nprecision: double\n";
  Simulation *s;
  SimulationColumns columns;
  double value[64], sum = 0.0;
  fine(simulation_parse(&s, "case.yaml", cold, set, n, &error));
  for (int k = 0; k < 20; k++) {
    fine(simulation_step(s, 100, NULL, &error));
    fine(simulation_columns(s, &columns, &error));
    for (int r = 0; r < 8; r++) {
      fine(simulation_look(s, r, value, &error));
      for (int c = 0; c < columns.n; c++)
        sum += strcmp(columns.name[c], "potential") == 0 ? value[c] / 160.0 : 0.0;
    }
  }
  simulation_free(s);
  return sum;
}

/* At the largest tolerance that is allowed energies are those of exact constraints to 0.03 %. */
TEST(the_largest_tolerance_does)
{
  static const char *const exact[] = {"geometry.method=settle"}, *const methods[] = {"shake", "rattle"};
  const double energy = cold_energy(exact, 1);
  for (int k = 0; k < 2; k++) {
    char method[32];
    snprintf(method, sizeof method, "geometry.method=%s", methods[k]);
    const char *const set[] = {method, "geometry.solver=gauss-seidel", "geometry.tolerance=1e-4"};
    const double off = cold_energy(set, 3) / energy - 1.0;
    ck_assert_msg(fabs(off) < 3e-4, "%s: off by %g", methods[k], off);
  }
}

int main(void)
{
  char folder[] = "/tmp/holonom-simulation-XXXXXX", command[64];
  if (mkdtemp(folder) == NULL || chdir(folder) != 0)
    return 1;
  const int failed = suite_main("simulation");
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) != 0 || failed;
}
