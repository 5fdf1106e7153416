/* Laws of how many threads a job gets, on figures of its own: none are woken for little, a job of some
 * milliseconds gets what was faster of late, and the other is tried now and then. */
#include <check.h>
#include <string.h>

#include "simulation/ensemble_private.h"
#include "tests/suite.h"

enum { WORKERS = 4 };

/* Four workers for gangs of which a step takes one thread `pace` seconds. */
static Ensemble ensemble(Worker worker[WORKERS], double pace)
{
  memset(worker, 0, WORKERS * sizeof *worker);
  return (Ensemble){.nworker = WORKERS, .worker = worker, .pace = pace};
}

/* A job of 100 steps of 8 gangs is done: what its workers took together, and how long it lasted. */
static void job(Ensemble *e, int workers, double busy, double lasted)
{
  for (int t = 0; t < workers; t++) {
    e->worker[t].seconds += busy / workers;
    e->worker[t].steps += 800 / workers;
  }
  ensemble_pace_learn(e, workers, lasted);
}

START_TEST(little_work_is_one_threads)
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
END_TEST

/* Jobs of 1.6 ms of one thread, where four threads take `together` of that; and long ones, in which they wait
 * for each other at every step. */
START_TEST(the_faster_way_is_taken)
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
END_TEST

/* A job in which another program had the core does not make a step seem a hundred times as long. */
START_TEST(one_job_says_little)
{
  Worker worker[WORKERS];
  Ensemble e = ensemble(worker, 2e-6);
  ensemble_pace_workers(&e, 8, 100);
  job(&e, 1, 0.5, 0.5);
  ck_assert_int_eq(ensemble_pace_workers(&e, 8, 1), 1);
  job(&e, 1, 1.6e-3, 1.6e-3);
  ck_assert_double_eq_tol(e.pace, 2e-6, 1e-12);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("ensemble_pace");
  tcase_add_test(tc, little_work_is_one_threads);
  tcase_add_loop_test(tc, the_faster_way_is_taken, 0, 4);
  tcase_add_test(tc, one_job_says_little);
  return suite_main("ensemble_pace", tc);
}
