/* Long runs: what energy and the momenta do over a million steps, with the noise off and on. All runs are
 * made at the start, 8 replicas each, threads over runs; the tests then look at what came out. The figures
 * are printed. */
#include <float.h>

#include "engine/units.h"
#include "forcefields/wall.h"
#include "observables/statistics.h"
#include "tests/scenes.h"
#include "tests/shorter.h"
#include "tests/suite.h"

enum { REPLICAS = 8, SAMPLES = 500, MOLECULES = 7 };

typedef enum Which {
  SETTLE,
  RATTLE,
  GAUSS_NEWTON,
  FULL,
  GAUSS_NEWTON_FINE,
  NEWMARK_FINE,
  NEWMARK,
  TANGENT_COLD,
  TANGENT_WARM,
  FULL_TOO_STIFF,
  RUNS
} Which;

typedef struct Run {
  const char *name;
  const char *word, *constraints;
  PenaltyHessian hessian;
  double w, h, kelvin;
  int64_t steps; /* in a whole run */
  bool noise;
  Scene scene;
  int64_t done;
  Status status;
  Error error;
  double time[SAMPLES], energy[REPLICAS][SAMPLES];
  double kinetic, kinetic_error; /* mean over the second half, and its error from the replicas        */
  double extremes[2];            /* of the energy of any replica                                       */
  double linear, angular;        /* the most that a component of P and L changed in any replica        */
  double slope, slope_error;     /* energy over the whole run's time, kcal/mol: mean of the replicas   */
  double scatter;                /* of one replica about its mean energy                               */
} Run;

/* Without noise: 10 K above the minimum of the method's own potential, the bonds at rest. The stiff variant
 * of Zhang-Skeel is not symplectic, and its energy diffuses: with h = 0.05 by some 0.2 kcal/mol in a million
 * steps with the Gauss-Newton Hessian, by 0.3 in half of them with the full one, which comes apart after a
 * hundred thousand if the bonds start warm. With h = 0.0125 nothing is seen of it. */
static Run runs[RUNS] = {
    [SETTLE] = {"settle", "BAB", "settle", HESSIAN_FULL, 0, 0.05, 10, 1000000, false},
    [RATTLE] = {"rattle", "BAB", "rattle", HESSIAN_FULL, 0, 0.05, 10, 1000000, false},
    [GAUSS_NEWTON] = {"zss, Gauss-Newton, w 20, h 0.05", "BAB", NULL, HESSIAN_GAUSS_NEWTON, 20, 0.05, 10,
                      1000000, false},
    [FULL] = {"zss, full, w 20, h 0.0125", "BAB", NULL, HESSIAN_FULL, 20, 0.0125, 10, 1000000, false},
    [GAUSS_NEWTON_FINE] = {"zss, Gauss-Newton, w 20, h 0.0125", "BAB", NULL, HESSIAN_GAUSS_NEWTON, 20, 0.0125,
                           10, 300000, false},
    [NEWMARK_FINE] = {"Newmark-1, w 20, h 0.0125", "BAB", NULL, HESSIAN_GAUSS_NEWTON, 20, 0.0125, 10, 300000,
                      false},
    [NEWMARK] = {"Newmark-1, w 20, h 0.05", "BAB", NULL, HESSIAN_GAUSS_NEWTON, 20, 0.05, 10, 100000, false},
    [TANGENT_COLD] = {"zss, Gauss-Newton, w 500, tangent noise, 10 K", "BABO", NULL, HESSIAN_GAUSS_NEWTON,
                      500, 0.05, 10, 1000000, true},
    [TANGENT_WARM] = {"zss, Gauss-Newton, w 500, tangent noise, 300 K", "BABO", NULL, HESSIAN_GAUSS_NEWTON,
                      500, 0.05, 300, 1000000, true},
    [FULL_TOO_STIFF] = {"zss, full, w 40, noise", "BABO", NULL, HESSIAN_FULL, 40, 0.05, 10, 1000000, true},
};

/* The minimum with soft bonds: what friction leaves of the rigid one. */
static void relax(double w, double *x)
{
  Scene s;
  scene_cluster(&s, MOLECULES, 1, isa_best());
  PlanOptions o = scene_penalty("zss", HESSIAN_GAUSS_NEWTON, w, "BABO", 0.05);
  o.friction = FRICTION_MASS;
  o.gamma = 0.5;
  o.kT = 0.0;
  scene_plan(&s, &o);
  scene_warm(&s, 1);
  scene_run(&s, 40000);
  ck_assert_double_lt(scene_energy(&s).kinetic[0], 1e-20);
  state_get(&s.state->block[0], 1, s.state->block[0].q, 0, x);
  scene_free(&s);
}

static void prepare(Run *run, const double *soft)
{
  Scene *s = &run->scene;
  scene_cluster(s, MOLECULES, REPLICAS, isa_best());
  if (run->noise) {
    s->field.n = 2;
    ck_assert_int_eq(wall_create(&s->field.force[1], 10.0, 7.0, s->state, NULL), STATUS_OK);
  }
  for (int r = 0; run->constraints == NULL && !run->noise && r < REPLICAS; r++)
    state_set(&s->state->block[0], REPLICAS, s->state->block[0].q, r, soft);
  const char *map = run == &runs[NEWMARK] || run == &runs[NEWMARK_FINE] ? "newmark-1" : "zss";
  PlanOptions o = run->constraints != NULL ? scene_constrained(run->constraints, run->word, run->h)
                                           : scene_penalty(map, run->hessian, run->w, run->word, run->h);
  o.kT = run->kelvin * UNITS_BOLTZMANN;
  o.tangent = run->constraints == NULL && run->w != 40;
  o.friction = FRICTION_UNIFORM;
  o.gamma = run->noise ? 0.01 : 0.0;
  scene_plan(s, &o);
  scene_warm(s, 3);
}

static void go(Run *run)
{
  Scene *s = &run->scene;
  const int64_t stride = run->steps / SHORTER / SAMPLES;
  double p0[REPLICAS][3], l0[REPLICAS][3], p[REPLICAS][3], l[REPLICAS][3];
  StatisticsMoments kinetic[REPLICAS] = {0}, all = {0};
  motion_momenta(s->state, p0, l0);
  run->extremes[0] = DBL_MAX;
  run->extremes[1] = -DBL_MAX;
  for (int i = 0; i < SAMPLES && run->status == STATUS_OK; i++) {
    run->status = walk_run(s->walk, &s->team, stride, &run->error);
    run->done = s->state->step;
    if (run->status != STATUS_OK)
      break;
    const SceneEnergy e = scene_energy(s);
    motion_momenta(s->state, p, l);
    run->time[i] = (double)run->done * run->h;
    for (int r = 0; r < REPLICAS; r++) {
      run->energy[r][i] = e.total[r];
      run->extremes[0] = fmin(run->extremes[0], e.total[r]);
      run->extremes[1] = fmax(run->extremes[1], e.total[r]);
      if (i >= SAMPLES / 2)
        statistics_moments_add(&kinetic[r], &e.kinetic[r], 1);
      for (int d = 0; d < 3; d++) {
        run->linear = fmax(run->linear, fabs(p[r][d] - p0[r][d]));
        run->angular = fmax(run->angular, fabs(l[r][d] - l0[r][d]));
      }
    }
  }
  for (int r = 0; r < REPLICAS; r++)
    statistics_moments_add(&all, &kinetic[r].mean, 1);
  run->kinetic = all.mean;
  run->kinetic_error = statistics_moments_error(&all);
}

/* The mean slope of the replicas. Its error: what the scatter of the replicas says, or the errors of their
 * own lines, whichever is more (a line knows nothing of what is slower than the run). */
static void fit(Run *run)
{
  StatisticsMoments slopes = {0};
  double own = 0.0, variance = 0.0;
  const double span = (double)run->done * run->h;
  for (int r = 0; r < REPLICAS; r++) {
    const StatisticsLine line = statistics_line(run->time, run->energy[r], SAMPLES);
    statistics_moments_add(&slopes, &line.slope, 1);
    own += line.slope_error * line.slope_error;
    StatisticsMoments energy = {0};
    statistics_moments_add(&energy, run->energy[r], 1);
    for (int i = 1; i < SAMPLES; i++)
      statistics_moments_add(&energy, &run->energy[r][i], 1);
    variance += statistics_moments_variance(&energy) / REPLICAS;
  }
  run->slope = span * slopes.mean;
  run->slope_error = span * fmax(statistics_moments_error(&slopes), sqrt(own) / REPLICAS);
  run->scatter = sqrt(variance);
}

static void make_runs(void)
{
  double soft[9 * MOLECULES];
  relax(20.0, soft);
  for (int i = 0; i < RUNS; i++)
    prepare(&runs[i], soft);
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < RUNS; i++)
    go(&runs[i]);
  printf("%-50s %9s %9s %9s %9s %9s %9s %9s\n", "run", "steps", "drift", "+-", "scatter", "P", "L",
         "kinetic");
  for (int i = 0; i < RUNS; i++) {
    Run *run = &runs[i];
    if (run->status == STATUS_OK) {
      fit(run);
      printf("%-50s %9lld %9.2g %9.2g %9.2g %9.2g %9.2g %9.4f\n", run->name, (long long)run->done, run->slope,
             run->slope_error, run->scatter, run->linear, run->angular, run->kinetic);
    } else
      printf("%-50s %s\n", run->name, run->error.text);
  }
}

static void free_runs(void)
{
  for (int i = 0; i < RUNS; i++)
    scene_free(&runs[i].scene);
}

/* --- looking ---------------------------------------------------------------------------------------------
 */

static const Run *finished(Which which)
{
  const Run *run = &runs[which];
  ck_assert_msg(run->status == STATUS_OK, "%s: %s", run->name, run->error.text);
  return run;
}

TEST(energy_does_not_drift, .rows = 4)
{
  static const Which which[] = {SETTLE, RATTLE, GAUSS_NEWTON, FULL};
  const Run *run = finished(which[_i]);
  ck_assert_int_eq(run->done, run->steps / SHORTER / SAMPLES * SAMPLES);
  /* 5 errors from 8 replicas: a chance of 0.002. */
  ck_assert_msg(fabs(run->slope) < 5.0 * run->slope_error, "%s: energy drifts by %.3g +- %.2g kcal/mol",
                run->name, run->slope, run->slope_error);
  /* And the error is small beside 0.4 kcal/mol, the heat in the cluster. */
  ck_assert_msg(run->slope_error < 0.2, "%s: +- %.2g", run->name, run->slope_error);
}

TEST(newmark_with_one_newton_step_drifts)
{
  if (!SHORT) {
    const Run *newmark = finished(NEWMARK_FINE), *zss = finished(GAUSS_NEWTON_FINE);
    ck_assert_msg(newmark->slope > 3.5 * newmark->slope_error, "drift %.3g +- %.2g", newmark->slope,
                  newmark->slope_error);
    ck_assert_double_gt(newmark->slope, 5.0 * fabs(zss->slope));
  }
  /* At the step that Zhang-Skeel takes it comes apart within some thousand steps, and says so. */
  const Run *coarse = &runs[NEWMARK];
  if (!SHORT) {
    ck_assert_int_eq(coarse->status, STATUS_RUN);
    ck_assert_int_lt(coarse->done, 20000);
    ck_assert_ptr_nonnull(strstr(coarse->error.text, "runs away"));
  }
}

TEST(momenta_along_the_way)
{
  for (int i = SETTLE; i <= NEWMARK_FINE; i++) {
    const Run *run = finished((Which)i);
    ck_assert_msg(run->linear < 1e-9, "%s: P changes by %.3g", run->name, run->linear);
    const int central = i != FULL && i != NEWMARK_FINE;
    if (central)
      ck_assert_msg(run->angular < 1e-8, "%s: L changes by %.3g", run->name, run->angular);
  }
  ck_assert_double_gt(runs[FULL].angular, 1e-6);
  ck_assert_double_gt(runs[NEWMARK_FINE].angular, 1e-6);
}

/* Steps 50 times longer than the period of the bonds allows Verlet: stable, and at the right temperature. */
TEST(gauss_newton_with_tangent_noise_is_stable, .rows = 2)
{
  const Run *run = finished(_i == 0 ? TANGENT_COLD : TANGENT_WARM);
  const double kT = run->kelvin * UNITS_BOLTZMANN,
               freedom = plan_freedom(run->scene.plan, (const int[]){MOLECULES});
  /* Kinetic and potential energy in the bonds, 1/2 w^2 |g|^2, follow the rotation: 90 kcal/mol at 300 K. */
  ck_assert_msg(run->extremes[0] > -65.0 && run->extremes[1] < -50.0 + 100.0 * freedom * kT,
                "%s: energies from %.3g to %.3g", run->name, run->extremes[0], run->extremes[1]);
  /* The bonds stay cold: kinetic energy of 6 degrees of freedom a molecule, to 5 errors and 5 %. */
  const double expected = 0.5 * freedom * kT;
  ck_assert_msg(fabs(run->kinetic - expected) < 5.0 * run->kinetic_error + 0.05 * expected,
                "%s: kinetic energy %.4f +- %.4f, expected %.4f", run->name, run->kinetic, run->kinetic_error,
                expected);
}

TEST(full_hessian_too_stiff_is_reported)
{
  const Run *run = &runs[FULL_TOO_STIFF];
  ck_assert_int_eq(run->status, STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(run->error.text, "step "));
  ck_assert_ptr_nonnull(strstr(run->error.text, "Gauss-Newton"));
}

int main(void)
{
  suite_fixture(false, make_runs, free_runs);
  return suite_main("long");
}
