/* The constraining sphere: what is uniform stays uniform inside it, momenta stay Maxwellian, cuts and threads
 * leave no trace, and hot clusters keep their molecules. */
#include "observables/statistics.h"
#include "simulation/ensemble/ensemble.h"
#include "tests/program.h"

enum { LIGHT = 3, REPLICAS = 64, SHELLS = 4 };
static const double radius = 3.0, kT = 0.6, step = 0.1;

static const double origin[3], heavy_mass[1] = {1e9}, light_mass[1] = {1.0};
static const char *const site[1] = {"Ar"};
static const Kind heavy = {
    .name = "heavy", .nsite = 1, .dim = 3, .mass = heavy_mass, .site = site, .reference = origin};
static const Kind light = {
    .name = "light", .nsite = 1, .dim = 3, .mass = light_mass, .site = site, .reference = origin};

static Status no_forces(const void *self, const State *shape, ForceField *field, Error *error)
{
  (void)self, (void)shape, (void)error;
  field->n = 0;
  return STATUS_OK;
}

/* Free atoms about one so heavy that the centre of mass is there. */
static Ensemble *make_gas(Plan **plan, Topology **topology, int width, int threads)
{
  const PlanOptions options = {.word = "BAOAB",
                               .h = step,
                               .accel = "verlet",
                               .friction = FRICTION_MASS,
                               .gamma = 0.5,
                               .kT = kT,
                               .isa = isa_best()};
  const Kind *const kind[2] = {&heavy, &light};
  Error error = {0};
  ck_assert_int_eq(topology_of_kinds(topology, 2, kind, (int[]){1, LIGHT}, NULL), STATUS_OK);
  ck_assert_msg(plan_create_kinds(plan, 2, kind, &options, &error) == STATUS_OK, "%s", error.text);
  const EnsembleOptions of = {.plan = *plan,
                              .topology = *topology,
                              .replicas = width == 1 ? 1 : REPLICAS,
                              .width = width,
                              .threads = threads,
                              .seed = 11,
                              .radius = radius,
                              .radius_every = 5,
                              .maker = {NULL, no_forces}};
  Ensemble *e;
  ck_assert_msg(ensemble_create(&e, &of, &error) == STATUS_OK, "%s", error.text);
  double x[3 * (1 + LIGHT)] = {0.0};
  for (int i = 1; i <= LIGHT; i++)
    x[3 * i] = 0.5 * i;
  ck_assert_int_eq(ensemble_start(e, x, &error), STATUS_OK);
  return e;
}

/* After as many steps as between two looks a replica is elsewhere inside the sphere, or where it was, all
 * momenta reversed to the bit: what leaves by one way can come in by it. */
TEST(who_leaves_goes_back_reversed, .rows = 2)
{
  enum { N = 3 * (1 + LIGHT) };
  Plan *plan;
  Topology *topology;
  Ensemble *e = make_gas(&plan, &topology, _i == 0 ? 8 : 16, 1);
  double x[N], p[N];
  static double from[REPLICAS][N], with[REPLICAS][N];
  int64_t returns = 0;
  for (int64_t at = 0; at <= 600; at += 5) {
    ck_assert_int_eq(ensemble_run(e, at, &(Sampler){0}, NULL), STATUS_OK);
    for (int r = 0; r < REPLICAS; r++) {
      ensemble_get(e, r, x, p);
      const bool back = memcmp(x, from[r], sizeof x) == 0;
      for (int i = 0; back && i < N; i++)
        ck_assert_msg(p[i] == -with[r][i], "step %d, replica %d: momentum %g, not %g", (int)at, r, p[i],
                      -with[r][i]);
      returns += at > 0 && back;
      memcpy(from[r], x, sizeof x);
      memcpy(with[r], p, sizeof p);
    }
    ck_assert_int_eq(returns, ensemble_refused(e));
  }
  ck_assert_int_gt(returns, 100);
  ensemble_free(e);
  plan_free(plan);
  topology_free(topology);
}

static void check_share(const StatisticsMoments *moments, double wanted)
{
  ck_assert_double_le(fabs(moments->mean - wanted), 4.0 * statistics_moments_error(moments));
  ck_assert_double_le(statistics_moments_error(moments), 0.03 * wanted);
}

/* Shells of equal volume hold equal numbers, and kinetic energies are kT/2 a degree of freedom; at every
 * step. */
TEST(gas_is_uniform)
{
  Plan *plan;
  Topology *topology;
  Ensemble *e = make_gas(&plan, &topology, 8, 1);
  static double share[REPLICAS][SHELLS], kinetic[REPLICAS];
  double x[3 * (1 + LIGHT)], p[3 * (1 + LIGHT)];
  int64_t samples = 0;
  for (int64_t at = 100; at <= 6000; at += 10, samples++) {
    ck_assert_int_eq(ensemble_run(e, at, &(Sampler){0}, NULL), STATUS_OK);
    for (int r = 0; r < REPLICAS; r++) {
      ensemble_get(e, r, x, p);
      for (int i = 1; i <= LIGHT; i++) {
        const double r2 = pow(x[3 * i] - x[0], 2) + pow(x[3 * i + 1] - x[1], 2) + pow(x[3 * i + 2] - x[2], 2);
        ck_assert_double_le(sqrt(r2), radius * (1.0 + 1e-6));
        share[r][(int)fmin(pow(sqrt(r2) / radius, 3) * SHELLS, SHELLS - 1)] += 1.0 / LIGHT;
        for (int d = 0; d < 3; d++)
          kinetic[r] += 0.5 * p[3 * i + d] * p[3 * i + d] / LIGHT;
      }
    }
  }
  ck_assert_int_gt(ensemble_refused(e), 500);
  for (int k = 0; k <= SHELLS; k++) {
    StatisticsMoments moments = {0};
    for (int r = 0; r < REPLICAS; r++) {
      const double value = (k < SHELLS ? share[r][k] : kinetic[r]) / (double)samples;
      statistics_moments_add(&moments, &value, 1);
    }
    check_share(&moments, k < SHELLS ? 1.0 / SHELLS : 1.5 * kT);
  }
  ensemble_free(e);
  plan_free(plan);
  topology_free(topology);
}

/* In pieces, by other threads, and in lanes of another width: the same bits. */
TEST(cuts_leave_no_trace)
{
  double x[3][3 * (1 + LIGHT)];
  int64_t refused[2];
  for (int t = 0; t < 2; t++) {
    Plan *plan;
    Topology *topology;
    Ensemble *e = make_gas(&plan, &topology, 8, t + 1);
    for (int64_t at = t == 0 ? 500 : 7; at <= 500; at += at < 490 ? 7 : 500 - at > 0 ? 500 - at : 1)
      ck_assert_int_eq(ensemble_run(e, at, &(Sampler){0}, NULL), STATUS_OK);
    ensemble_get(e, 0, x[t], NULL);
    refused[t] = ensemble_refused(e);
    ensemble_free(e);
    plan_free(plan);
    topology_free(topology);
  }
  Plan *plan;
  Topology *topology;
  Ensemble *e = make_gas(&plan, &topology, 1, 1);
  ck_assert_int_eq(ensemble_run(e, 500, &(Sampler){0}, NULL), STATUS_OK);
  ensemble_get(e, 0, x[2], NULL);
  ensemble_free(e);
  plan_free(plan);
  topology_free(topology);
  ck_assert_int_eq(refused[0], refused[1]);
  for (int i = 0; i < 3 * (1 + LIGHT); i++) {
    ck_assert(x[0][i] == x[1][i]);
    ck_assert(x[0][i] == x[2][i]);
  }
}

static const char hot[] =
    "system: {model: tip4p, molecules: 4, anneal: false%s}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: %s, timestep: 2 fs, steps: 4000}\n"
    "thermostat: {temperature: 500 K, friction: 1/ps}\n"
    "ensemble: {replicas: 16}\n"
    "output: {thermo_every: 100, rdf_every: 10, rdf_max: 12, progress: false, equilibration: 0}\n";

static void write_hot(const char *name, const char *more, const char *word)
{
  char text[1024];
  snprintf(text, sizeof text, hot, more, word);
  program_write(name, text);
}

TEST(hot_clusters_keep_their_molecules)
{
  write_hot("hot.yaml", ", constraining_radius: 5 A", "BAOAB");
  program_runs("run hot.yaml -o one --threads 1 --quiet");
  program_runs("run hot.yaml -o two --threads 2 --quiet");
  program_same("one", "two", "thermo.csv");
  program_same("one", "two", "rdf.csv");
  ck_assert_double_gt(program_summary("one", "sphere_returns"), 0.0);
  ck_assert(program_summary("one", "sphere_returns") == program_summary("two", "sphere_returns"));
  ck_assert(strstr(program_read("one/rdf.csv"), "# beyond: 0\n") != NULL); /* none is 12 A apart in 5 A */
  write_hot("free.yaml", "", "BAOAB");
  program_runs("run free.yaml -o free --quiet");
  ck_assert_double_gt(program_summary("free", "evaporated_replicas"), 0.0);
  write_hot("wide.yaml", ", constraining_radius: 10 A", "BAOAB"); /* apart for a while, but none has left */
  program_runs("run wide.yaml -o wide");
  ck_assert(program_summary("wide", "evaporated_replicas") == 0.0);
  ck_assert(strstr(program_read("wide/holonom.log"), "had left by step") == NULL);
}

/* Cut between two looks at the sphere, where what replicas may go back to is in the checkpoint: the bytes of
 * one run. Alone, and with a ladder, whose exchanges change momenta between looks. */
static const char *const hotter[] = {
    "--set ensemble.replicas=64",
    "--set thermostat.temperature= --set ensemble.replicas= --set exchange.lowest=700 "
    "--set exchange.highest=1000 --set exchange.number=4 --set exchange.ladders=4 --set exchange.interval=20 "
    "--set exchange.momenta=redrawn"};

TEST(cut_runs_are_whole, .rows = 2)
{
  static const int cuts[] = {93, 208, 311, 417, 524, 800};
  static const char *const names[] = {"thermo.csv", "replicas.csv", "final.xyz", "rdf.csv", "rdf_ladder.csv"};
  write_hot("cut.yaml", ", constraining_radius: 4 A", "BAOAB");
  static const char call[] = "run cut.yaml -o %s --quiet --threads %d --set integrator.steps=%d --set "
                             "thermostat.temperature='900 K' "
                             "%s %s";
  program_do("rm -rf whole pieces");
  program_runs(call, "whole", 1, 800, hotter[_i], "");
  for (int i = 0; i < 6; i++)
    program_runs(call, "pieces", 1 + i % 2, cuts[i], hotter[_i], i > 0 ? "--resume" : "");
  for (int i = 0; i < 4; i++)
    program_same("whole", "pieces", names[i < 3 ? i : 3 + _i]);
  ck_assert_double_gt(program_summary("whole", "sphere_returns"), 20.0);
  ck_assert(program_summary("whole", "sphere_returns") == program_summary("pieces", "sphere_returns"));
}

TEST(bad_spheres_are_refused)
{
  write_hot("small.yaml", ", constraining_radius: 1 A", "BAOAB");
  program_refuses("small.yaml:1: system.constraining_radius", "run small.yaml --quiet");
  program_says("A from the cluster's centre of mass");
  write_hot("uneven.yaml", ", constraining_radius: 8 A", "OBAB");
  program_refuses("the word OBAB is not a palindrome", "run uneven.yaml --quiet");
}
