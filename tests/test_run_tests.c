/* The tests of a run's verdicts on series made up: of runs in which nothing is wrong few give an alarm, as
 * few as its level says for all tests of the page together. */
#include "engine/random.h"
#include "observables/run_tests.h"
#include "tests/suite.h"

enum { ROWS = 1600, COLUMNS = 3 };

/* Of rows with a correlation of three samples to an independent one, and a temperature by so many draws. */
static ResultSet make(RandomStream *s, int draws, double rise)
{
  static double x[COLUMNS][ROWS];
  static const char *const name[COLUMNS] = {"time_ps", "potential", "conserved"};
  double now[COLUMNS] = {0.0};
  ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  ResultTable *table = results_add_table(&set, "thermo", ROWS);
  for (int i = 0; i < ROWS; i++)
    for (int c = 0; c < COLUMNS; c++) {
      now[c] = c == 0 ? i : 0.5 * now[c] + random_normal(s);
      x[c][i] = now[c] + (c == 1 && i >= ROWS / 2 ? rise : 0.0);
    }
  for (int c = 0; c < COLUMNS; c++)
    results_add_column(table, name[c], x[c], NULL);
  StatisticsMoments m = {0};
  for (int k = 0; k < draws; k++) {
    const double kelvin = 300.0 + random_normal(s);
    statistics_moments_add(&m, &kelvin, 1);
  }
  results_whole(&set, "", "replicas", 1);
  results_whole(&set, "", "samples", ROWS);
  results_words(&set, "", "errors", "sound");
  results_whole(&set, "", "error_blocks", draws);
  results_real(&set, "", "target_temperature", 300.0);
  results_mean(&set, "", "temperature_unbiased", m.mean, statistics_moments_error(&m), NAN, draws);
  ck_assert(!results_failed(&set));
  return set;
}

static int alarms(RandomStream *s, int draws, double rise, RunTested which, int *tested)
{
  ResultSet set = make(s, draws, rise);
  const RunFound run = {.set = &set, .ended = true, .averaged = set.table[0]};
  RunTests tests;
  int n = 0;
  ck_assert_int_eq(run_tests_make(&tests, &run, NULL), STATUS_OK);
  ck_assert_int_eq(isnan(tests.adjusted[RUN_TESTED_TEMPERATURE]), draws < VERDICT_DRAWS);
  ck_assert(isnan(tests.adjusted[RUN_TESTED_LADDER]));
  for (int k = 0; k < RUN_TESTED; k++)
    n += verdict_alarms(tests.adjusted[k]) && (which == RUN_TESTED || which == (RunTested)k);
  *tested += !isnan(tests.adjusted[RUN_TESTED_REST]) && !isnan(tests.adjusted[RUN_TESTED_DRIFT]);
  results_free(&set);
  return n > 0;
}

TEST(good_runs_give_few_alarms, .rows = 3)
{
  enum { RUNS = 300 };
  static const int draws[3] = {VERDICT_DRAWS - 1, VERDICT_DRAWS, 100};
  RandomStream s = random_stream(3, (uint32_t)_i, RANDOM_TEST);
  int n = 0, tested = 0;
  for (int k = 0; k < RUNS; k++)
    n += alarms(&s, draws[_i], 0.0, RUN_TESTED, &tested);
  ck_assert_int_gt(tested, 9 * RUNS / 10);
  const double expected = VERDICT_LEVEL_ALARM * RUNS;
  ck_assert_msg(n <= expected + 4.0 * sqrt(expected), "%d alarms of %d runs", n, RUNS);
  ck_assert_int_eq(alarms(&s, draws[_i], 2.0, RUN_TESTED_REST, &tested), 1);
}
