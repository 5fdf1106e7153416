/* Laws of how many threads a job gets, on figures of its own: none are woken for little, a job of some
 * milliseconds gets what was faster of late, and the other is tried now and then. */
#include "simulation/ensemble/ensemble_private.h"
#include "simulation/simulation_private.h"
#include "tests/suite.h"

enum { WORKERS = 4 };

/* Four workers for batches of which a step takes one thread `pace` seconds. */
static Ensemble ensemble(Worker worker[WORKERS], double pace)
{
  memset(worker, 0, WORKERS * sizeof *worker);
  return (Ensemble){.nworker = WORKERS, .worker = worker, .pace = pace};
}

/* A job of 100 steps of 8 batches is done: what its workers took together, and how long it lasted. */
static void job(Ensemble *e, int workers, double busy, double lasted)
{
  for (int t = 0; t < workers; t++) {
    e->worker[t].seconds += busy / workers;
    e->worker[t].steps += 800 / workers;
  }
  ensemble_pace_learn(e, workers, lasted);
}

TEST(little_work_is_one_threads)
{
  Worker worker[WORKERS];
  Ensemble e = ensemble(worker, 2e-6);
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, 1), 1);            /* 16 us */
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, -1), 1);           /* forces alone */
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, 100000), WORKERS); /* 1.6 s */
  e.eager = true;
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, 1), WORKERS);
  e = ensemble(worker, 2e-6);
  e.team = true;
  ck_assert_int_eq(ensemble_pace_workers(&e, 1, 1), WORKERS);
  e = ensemble(worker, 0.0); /* nothing is known */
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, 1), WORKERS);
}

/* Jobs of 1.6 ms of one thread, where four threads take `together` of that; and long ones, in which they wait
 * for each other at every step. */
TEST(the_faster_way_is_taken, .rows = 4)
{
  enum { JOBS = 1000 };
  static const double shares[2] = {0.3, 3.0};
  const double together = shares[_i % 2];
  const int64_t steps = _i < 2 ? 100 : 100000;
  Worker worker[WORKERS];
  Ensemble e = ensemble(worker, 2e-6);
  e.together = _i >= 2;
  int all = 0;
  for (int k = 0; k < JOBS; k++) {
    const int workers = ensemble_pace_workers(&e, 8, steps);
    ck_assert(workers == 1 || workers == WORKERS);
    all += workers > 1;
    job(&e, workers, 1.6e-3, workers > 1 ? together * 1.6e-3 : 1.6e-3);
  }
  const int right = together < 1.0 ? all : JOBS - all;
  ck_assert_int_gt(right, JOBS - JOBS / 50);
  ck_assert_int_lt(right, JOBS); /* the other is tried, too: cores may come free, or be taken */
  for (int k = 0; k < JOBS; k++) {
    const int workers = ensemble_pace_workers(&e, 8, steps);
    all += workers > 1;
    job(&e, workers, 1.6e-3, workers > 1 ? 1.6e-3 / together : 1.6e-3);
  }
  ck_assert_int_gt(all, JOBS / 5); /* each way had its time */
  ck_assert_int_lt(all, 2 * JOBS - JOBS / 5);
}

/* A job in which another program had the core does not make a step seem a hundred times as long. */
TEST(one_job_says_little)
{
  Worker worker[WORKERS];
  Ensemble e = ensemble(worker, 2e-6);
  ensemble_pace_workers(&e, 8, 100);
  job(&e, 1, 0.5, 0.5);
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, 1), 1);
  job(&e, 1, 1.6e-3, 1.6e-3);
  ck_assert_double_eq_tol(e.pace, 2e-6, 1e-12);
}

/* A job of a team lasts a tenth of a second, in which each member gets `share` of a core. */
static void team_job(Ensemble *e, int workers, double share)
{
  for (int t = 0; t < workers; t++) {
    e->worker[t].ran = share * 0.1;
    e->worker[t].wanted = 0.1;
  }
  job(e, workers, 0.1 * workers, 0.1);
}

/* Jobs of a team of four on a machine that has `cores` for it; the members of the last one. */
static int team_jobs(Ensemble *e, int n, double cores, int *large)
{
  int workers = 0;
  for (int k = 0; k < n; k++) {
    workers = ensemble_pace_workers(e, 1, 100);
    team_job(e, workers, cores < workers ? cores / workers : 1.0);
    *large += workers > cores;
  }
  return workers;
}

/* A team is as large as the cores that it gets; it tries to grow ever more seldom while that fails, and does
 * once it has cores again. On a core of which it gets a fifth, with any number of members, it is one. */
TEST(a_team_is_as_large_as_its_cores)
{
  enum { JOBS = 2000 };
  Worker worker[WORKERS];
  Ensemble e = ensemble(worker, 1e-3);
  e.team = true;
  int large = 0;
  ck_assert_int_eq(team_jobs(&e, JOBS, WORKERS, &large), WORKERS);
  ck_assert_int_eq(large, 0);
  ck_assert_int_eq(team_jobs(&e, 100, WORKERS - 0.4, &large), WORKERS); /* a part of one core is gone */
  for (int cores = 1; cores < WORKERS; cores++) {
    large = 0;
    (void)team_jobs(&e, JOBS, cores, &large);
    ck_assert_int_gt(large, 0);
    ck_assert_int_lt(large, JOBS / 20);
    (void)team_jobs(&e, JOBS, WORKERS, &large);
    ck_assert_int_eq(ensemble_pace_workers(&e, 1, 100), WORKERS);
  }
  for (int k = 0; k < 10; k++)
    team_job(&e, ensemble_pace_workers(&e, 1, 100), 0.2);
  for (int k = 0; k < JOBS; k++) {
    ck_assert_int_eq(ensemble_pace_workers(&e, 1, 100), 1);
    team_job(&e, 1, 0.2);
  }
}

/* --- the same bits ----------------------------------------------------------------------------------------
 */

enum { WATERS = 216, TURNS = 12, STEPS_A_TURN = 3, NUMBERS = 2 * WATERS * 9 };

/* Positions and momenta after some steps of a box by a team whose size changes from job to job. */
static double *stepped(const char *system, int threads)
{
  char text[1024];
  Simulation *s;
  Error error = {0};
  snprintf(text, sizeof text,
           "%ssystem: {model: tip3p, molecules: 216, density: 0.6 g/cm3, minimise: false}\n"
           "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 2 fs, steps: 1000}\n"
           "thermostat: {temperature: 300 K, friction: 4/ps}\nensemble: {threads: %d}\n",
           system, threads);
  ck_assert_msg(simulation_parse(&s, "case.yaml", text, NULL, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_start(s, NULL, &error) == STATUS_OK, "%s", error.text);
  double *x = calloc(NUMBERS, sizeof *x);
  for (int k = 0; k < TURNS; k++) {
    s->ensemble->size = (TeamSize){.now = 1 + (3 * k + k / 4) % threads};
    ck_assert_msg(simulation_step(s, STEPS_A_TURN, NULL, &error) == STATUS_OK, "%s", error.text);
  }
  simulation_get_point(s, 0, x, x + NUMBERS / 2);
  simulation_free(s);
  return x;
}

TEST(a_team_may_change_its_size, .rows = 3, .threads = true)
{
  static const char *const system[] = {
      "forces: {cutoff: 6 A, truncation: switch}\n", "precision: double\nforces: {cutoff: 6 A}\n",
      "forces: {cutoff: 6 A}\nbarostat: {type: monte-carlo, pressure: 1 bar, every: 2}\n"};
  double *one = stepped(system[_i], 1), *four = stepped(system[_i], 4);
  double moved = 0.0;
  for (int k = 0; k < NUMBERS; k++)
    moved += one[k] * one[k];
  ck_assert_double_gt(moved, 0.0);
  ck_assert_int_eq(memcmp(one, four, NUMBERS * sizeof *one), 0);
  free(one);
  free(four);
}
