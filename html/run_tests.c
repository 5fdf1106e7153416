#include "html/run_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const RunRead *run, const char *key)
{
  return run->summary != NULL ? summary_number(run->summary, key) : NAN;
}

int64_t run_tests_draws(const RunRead *run)
{
  const double replicas = number(run, "replicas"), blocks = number(run, "error_blocks"),
               ladders = run->summary != NULL
                             ? summary_real(summary_within(run->summary, "ladder", "ladders"))
                             : NAN;
  const char *errors = run->summary != NULL ? summary_value(run->summary, "errors") : NULL;
  const bool sound = errors != NULL && strcmp(errors, "sound") == 0;
  const double draws = isfinite(ladders)       ? ladders
                       : replicas > 1.0        ? replicas
                       : sound && blocks > 0.0 ? fmin(blocks, 1e9)
                                               : 0.0;
  return verdict_enough((int64_t)draws) ? (int64_t)draws : 0;
}

static double test_temperature(RunTests *t, const RunRead *run)
{
  t->unbiased = isfinite(number(run, "temperature_unbiased"));
  t->target = number(run, t->unbiased ? "target_temperature" : "temperature_expected");
  t->temperature = number(run, t->unbiased ? "temperature_unbiased" : "temperature");
  t->temperature_error = number(run, t->unbiased ? "temperature_unbiased_err" : "temperature_err");
  if (!(t->temperature_error > 0.0))
    return NAN;
  t->apart =
      verdict_difference(t->target, 0.0, 0, t->temperature, t->temperature_error, run_tests_draws(run));
  return t->apart.p;
}

/* The error of the mean of n rows, and the draws behind it: from their correlation; where that is not known
 * but the rows are means over replicas, the rows' own errors, which are larger. NaN: not known. */
static double half_error(const StatisticsSeries *half, const double *row_error, int n, int64_t *draws)
{
  double sum = 0.0;
  if (half->plateau) {
    *draws = half->nblock;
    return half->error;
  }
  for (int i = 0; row_error != NULL && i < n; i++)
    sum += row_error[i];
  return row_error != NULL && n > 0 ? sum / n : NAN;
}

static double test_rest(RunTests *t, const RunRead *run)
{
  double *x, *e, p = NAN;
  const int n = run_read_column(run, "potential", &x, NULL),
            with = run_read_column(run, "potential_err", &e, NULL);
  t->rows = n;
  if (run->water && n >= RUN_TESTS_ROWS && x != NULL) {
    const int begin[3] = {0, n / 2, n};
    int64_t draws[2];
    for (int k = 0; k < 2; k++) {
      const int rows = begin[k + 1] - begin[k];
      t->half[k] = statistics_series(x + begin[k], rows);
      draws[k] = run_tests_draws(run);
      t->half_error[k] = half_error(&t->half[k], with == n ? e + begin[k] : NULL, rows, &draws[k]);
    }
    t->sound = t->half[0].plateau && t->half[1].plateau;
    t->rest = verdict_difference(t->half[0].mean, t->half_error[0], draws[0], t->half[1].mean,
                                 t->half_error[1], draws[1]);
    p = t->rest.p;
  }
  free(x);
  free(e);
  return p;
}

static double test_drift(RunTests *t, const RunRead *run)
{
  double *x, *time, p = NAN;
  const int n = run_read_column(run, "conserved", &x, &time);
  if (x != NULL && time != NULL && n >= RUN_TESTS_ROWS && run->water &&
      run_read_slots(run) == 1) { /* replicas of a ladder change places */
    t->line = statistics_line(time, x, n);
    t->length = time[n - 1] - time[0];
    t->line_fits = true;
    p = verdict_difference(0.0, 0.0, 0, t->line.slope, t->line.slope_error, t->line.draws).p;
  }
  free(x);
  free(time);
  return p;
}

Status run_tests_make(RunTests *t, const RunRead *run, Error *error)
{
  *t = (RunTests){.consistent = run->summary != NULL
                                    ? summary_real(summary_within(run->summary, "ladder", "consistent"))
                                    : NAN};
  const double p[RUN_TESTED] = {[RUN_TESTED_TEMPERATURE] = test_temperature(t, run),
                                [RUN_TESTED_REST] = test_rest(t, run),
                                [RUN_TESTED_DRIFT] = test_drift(t, run),
                                [RUN_TESTED_LADDER] = t->consistent};
  return statistics_holm(p, RUN_TESTED, t->adjusted, error);
}
