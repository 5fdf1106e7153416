/* Viscosity: the autocorrelation beside the full history, in any orientation; of stresses with a known decay,
 * of an ideal gas with friction; of a run beside its own rows of pressures; restarts, threads, and what is
 * refused. */
#include <math.h>

#include "tests/observables.h"
#include "tests/program.h"

enum { LAGS = 12, SAMPLES = 400, SIDES = 9 };

typedef struct Scene {
  Box box;
  WalkPressure pressure;
  double mode[SIDES]; /* components that decay */
  ObservableBlock block;
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s)
{
  *s = (Scene){.box = box_brick(20.0, 21.0, 22.0)};
  s->block = (ObservableBlock){.kind = &observed_water, .charge = observed_charge, .nmol = 1};
  s->frame = (ObservableFrame){.box = &s->box, .nblock = 1, .block = &s->block, .pressure = &s->pressure};
}

static const ObservableOptions options = {
    .temperature = 300.0, .interval = 0.1, .threads = 2, .viscosity.max = 0.1 * LAGS};

/* Components decay by a factor at each sample, with variance 1 of off-diagonal ones in bar^2: half of it in
 * the virial, which need not be symmetric; a large trace must not matter. */
static void scene_decay(void *scene, RandomStream *stream, int k)
{
  static const double factor = 0.6;
  Scene *const s = scene;
  const double bar = box_volume(&s->box) / UNITS_BAR;
  for (int c = 0; c < SIDES; c++) {
    const double fresh = random_normal(stream);
    s->mode[c] = k == 0 ? fresh : factor * s->mode[c] + sqrt(1.0 - factor * factor) * fresh;
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      /* Diagonal ones of variance 2 and their own trace are those of an isotropic tensor. */
      const double x = a == b ? sqrt(2.0) * s->mode[a] : s->mode[2 + a + b];
      s->pressure.kinetic_molecule[a][b] = bar * (0.5 * x + (a == b ? 30.0 * sin(0.4 * k) : 0.0));
      s->pressure.virial_molecule[a][b] = bar * (0.5 * x + (a < b ? 7.0 : a > b ? -7.0 : 0.0));
    }
  s->frame.time = 0.1 * k;
}

/* The same tensors in axes that are turned. */
static void turn(double t[3][3])
{
  static const double r[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0.0}, {0.48, 0.64, 0.6}};
  double to[3][3] = {{0}};
  for (int i = 0; i < 81; i++)
    to[i / 27][i / 9 % 3] += r[i / 27][i / 3 % 3] * r[i / 9 % 3][i % 3] * t[i / 3 % 3][i % 3];
  memcpy(t, to, sizeof to);
}

static double number(const ResultTable *t, int row, const char *name)
{
  return tables_cell(t, (size_t)row, name);
}

TEST(all_pairs_of_samples_in_any_orientation)
{
  static double history[SAMPLES][3][3];
  static Scene s;
  ResultTable *table[2];
  for (int turned = 0; turned < 2; turned++) {
    RandomStream stream = random_stream(41, 0, RANDOM_TEST);
    ResultSet report = {0};
    scene_create(&s);
    Observable *o = observed_create(observed_ops("viscosity"), &options, &s.frame);
    for (int k = 0; k < SAMPLES; k++) {
      scene_decay(&s, &stream, k);
      for (int i = 0; i < 9 && turned == 0; i++)
        history[k][i / 3][i % 3] =
            (s.pressure.kinetic_molecule[i / 3][i % 3] + 0.5 * s.pressure.virial_molecule[i / 3][i % 3] +
             0.5 * s.pressure.virial_molecule[i % 3][i / 3]) *
            UNITS_BAR / box_volume(&s.box);
      if (turned == 1) {
        turn(s.pressure.kinetic_molecule);
        turn(s.pressure.virial_molecule);
      }
      observed_sample(o, 1 + k % 2, &s.frame);
    }
    table[turned] = observed_write(o, &report);
    results_free(&report);
    observable_free(o);
  }
  double eta = 0.0, before = 0.0;
  for (int lag = 0; lag <= LAGS; lag++) {
    double sum = 0.0;
    for (int k = 0; k + lag < SAMPLES; k++)
      for (int i = 0; i < 9; i++) {
        const double(*const a)[3] = history[k], (*const b)[3] = history[k + lag];
        const double third[2] = {(a[0][0] + a[1][1] + a[2][2]) / 3.0, (b[0][0] + b[1][1] + b[2][2]) / 3.0};
        const bool diagonal = i % 4 == 0;
        sum += 0.1 * (a[i / 3][i % 3] - (diagonal ? third[0] : 0.0)) *
               (b[i / 3][i % 3] - (diagonal ? third[1] : 0.0));
      }
    const double C = sum / (SAMPLES - lag);
    /* 1 bar = 1e5 Pa, in Pa s: V/kT int C dt. */
    eta += lag > 0 ? 0.5 * (before + C) * 0.1 * UNITS_AKMA_FS * 1e-15 * 1e10 * box_volume(&s.box) * 1e-30 /
                         (1.380649e-23 * 300.0)
                   : 0.0;
    before = C;
    ck_assert_double_eq_tol(number(table[0], lag, "C"), C, 1e-6);
    ck_assert_double_eq_tol(number(table[1], lag, "C"), C, 1e-6);
    ck_assert_double_eq_tol(number(table[0], lag, "eta"), 1e3 * eta, 2e-5 * 1e3 * eta + 1e-15);
  }
  results_free_table(table[0]);
  results_free_table(table[1]);
}

/* The variance of one component decays geometrically: the mean of the curve and its error are known. */
TEST(a_known_decay)
{
  enum { LONG = 20000 };
  static Scene s;
  RandomStream stream = random_stream(42, 0, RANDOM_TEST);
  ResultSet report = {0};
  scene_create(&s);
  Observable *o = observed_create(observed_ops("viscosity"), &options, &s.frame);
  for (int k = 0; k < LONG; k++) {
    scene_decay(&s, &stream, k);
    observed_sample(o, 1, &s.frame);
  }
  ResultTable *t = observed_write(o, &report);
  for (int lag = 0; lag <= LAGS; lag++)
    ck_assert_double_eq_tol(number(t, lag, "C"), pow(0.6, lag), 4.5 * number(t, lag, "C_err"));
  /* Each of five components has LONG (1 - 0.36)/(1 + 0.36) independent squares of variance 2. */
  ck_assert_double_eq_tol(number(t, 0, "C_err"), sqrt(2.0 / 5.0 / LONG * 1.36 / 0.64),
                          0.5 * number(t, 0, "C_err"));
  const ResultNumber *const eta = observed_number(&report, "box", "viscosity");
  double sum = 0.5 + 0.5 * pow(0.6, LAGS);
  for (int lag = 1; lag < LAGS; lag++)
    sum += pow(0.6, lag);
  const double unit = 0.1 * UNITS_AKMA_FS * 1e-2 * box_volume(&s.box) * 1e-30 / (1.380649e-23 * 300.0);
  ck_assert_double_eq_tol(eta->value, sum * unit, 4.0 * eta->error);
  ck_assert_double_lt(eta->error, 0.05 * eta->value);
  results_free_table(t);
  results_free(&report);
  observable_free(o);
}

TEST(restarts_and_threads_leave_no_trace, .threads = true)
{
  static Scene s;
  RandomStream stream = random_stream(43, 0, RANDOM_TEST);
  scene_create(&s);
  observed_leaves_no_trace(observed_ops("viscosity"), &options, &s.frame, 90, 31, scene_decay, &s, &stream);
}

TEST(what_is_refused)
{
  static Scene s;
  Error error;
  Observable *o;
  const ObservableOps *const ops = observed_ops("viscosity");
  scene_create(&s);
  ObservableOptions wrong = options;
  wrong.viscosity.max = 0.2;
  ck_assert_int_eq(observable_create(&o, ops, &wrong, &s.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "viscosity_max"));
  wrong = options;
  wrong.temperature = 0.0;
  ck_assert_int_eq(observable_create(&o, ops, &wrong, &s.frame, &error), STATUS_INPUT);
  o = observed_create(ops, &options, &s.frame);
  s.frame.pressure = NULL;
  ck_assert_int_eq(observed_add(o, 1, &s.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "the sample has no pressure"));
  observable_free(o);
}

/* --- runs ------- */

/* C from the rows of thermo.csv, whose pressures are those of the samples. */
static double rows_autocorrelation(const ResultTable *t, int lag)
{
  static const char *const name[] = {"pressure_xx", "pressure_yy", "pressure_zz",
                                     "pressure_xy", "pressure_xz", "pressure_yz"};
  double sum = 0.0;
  int n = 0;
  for (size_t i = 1; i + (size_t)lag < t->nrow; i++, n++) { /* the start is no sample */
    double a[6], b[6];
    for (int c = 0; c < 6; c++) {
      a[c] = tables_cell(t, i, name[c]);
      b[c] = tables_cell(t, i + (size_t)lag, name[c]);
    }
    const double p = (a[0] + a[1] + a[2]) / 3.0, q = (b[0] + b[1] + b[2]) / 3.0;
    for (int c = 0; c < 6; c++)
      sum += c < 3 ? 0.1 * (a[c] - p) * (b[c] - q) : 0.2 * a[c] * b[c];
  }
  return sum / n;
}

static const char *const systems[] = {
    "system: {model: tip4p, molecules: 100, density: 0.95 g/cm3}\ngeometry: {method: settle}\n"
    "forces: {cutoff: 6 A}\n",
    "system: {model: spc, molecules: 60, density: 0.9 g/cm3}\ngeometry: {method: penalty, w: 200}\n"
    "forces: {cutoff: 5 A}\n"};

TEST(a_run_beside_its_pressures, .rows = 2)
{
  FILE *const file = program_create("run.yaml");
  fprintf(file,
          "%sintegrator: {timestep: 1 fs, steps: 60}\nthermostat: {temperature: 300 K, friction: 1/ps}\n"
          "output: {equilibration: 0, rdf_every: 0, thermo_every: 2, viscosity_every: 2, viscosity_max: 0.02 "
          "ps, report: "
          "false, progress: false}\n",
          systems[_i]);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("run run.yaml -o run --force --threads 1");
  program_runs("run run.yaml -o two --force --threads 2");
  program_runs("run run.yaml -o cut --force --set integrator.steps=26");
  program_runs("run run.yaml -o cut --resume --set integrator.steps=60");
  program_same("run", "two", "viscosity.csv");
  program_same("run", "cut", "viscosity.csv");
  program_runs(
      "run run.yaml -o other --force --set output.thermo_every=5"); /* computed for the samples alone */
  program_same("run", "other", "viscosity.csv");
  ResultTable *t = program_table("run/viscosity.csv"), *rows = program_table("run/thermo.csv");
  for (int lag = 0; lag <= 10; lag++) {
    const double C = rows_autocorrelation(rows, lag);
    ck_assert_double_eq_tol(tables_cell(t, (size_t)lag, "C"), C, 1e-6 * tables_cell(t, 0, "C"));
  }
  ck_assert_double_gt(tables_cell(t, 0, "C"), 1e4);
  results_free_table(t);
  results_free_table(rows);
}

/* A dilute gas with friction g: momenta decay as exp(-g t), their products as exp(-2 g t), and eta = n kT/(2
 * g). */
TEST(an_ideal_gas_with_friction)
{
  double eta = NAN, error = NAN;
  program_write(
      "gas.yaml",
      "system: {atoms: {argon: 40}, box: 200, minimise: false}\nforces: {cutoff: 8 A}\n"
      "integrator: {timestep: 10 fs, time: 150 ps}\nthermostat: {temperature: 300 K, friction: 10/ps}\n"
      "output: {equilibration: 1 ps, rdf_every: 0, viscosity_every: 1, viscosity_max: 0.5 ps, report: false, "
      "progress: false}\n");
  program_runs("run gas.yaml -o gas --force --threads 1");
  const char *const at = strstr(program_read("gas/observables.json"), "\"quantity\": \"viscosity\"");
  ck_assert_ptr_nonnull(at);
  ck_assert_int_eq(sscanf(strstr(at, "\"value\""), "\"value\": %lf, \"error\": %lf", &eta, &error), 2);
  const double expected = 40.0 / 8e-24 * 1.380649e-23 * 300.0 / (2.0 * 10e12) * 1e3;
  ck_assert_double_eq_tol(eta, expected,
                          4.0 * error + 0.005 * expected); /* collisions; the trapezoidal rule */
  ck_assert_double_lt(error, 0.1 * expected);
  ck_assert_ptr_nonnull(strstr(program_read("gas/holonom.log"), "Langevin friction of 10 /ps"));
}

TEST(trajectories_have_no_pressures)
{
  program_write(
      "water.yaml",
      "system: {model: tip3p, molecules: 60, density: 0.9 g/cm3}\ngeometry: {method: settle}\n"
      "forces: {cutoff: 5 A}\nintegrator: {timestep: 1 fs, steps: 4}\nthermostat: {temperature: 300 K, "
      "friction: 1/ps}\noutput: {trajectory: [xyz], trajectory_every: 2, report: false, progress: false}\n");
  program_runs("run water.yaml -o water --force");
  program_refuses(
      "viscosity needs pressures, which trajectories do not have: set output.viscosity_every of a run",
      "observe viscosity water.yaml water/trajectory.xyz -o none --force");
}

int main(void) { return program_main("viscosity"); }
