#include "observables/run_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ResultTable *thermo_or(ResultSet *set, const char *other)
{
  const ResultTable *table;
  if (results_table(set, "thermo", &table, NULL) == STATUS_OK && table != NULL)
    return table;
  return results_table(set, other, &table, NULL) == STATUS_OK ? table : NULL;
}

RunFound run_tests_read(ResultSet *set, ResultSet *into)
{
  return (RunFound){.set = set,
                    .ended = set->n > 0,
                    .series = thermo_or(into, "energy"),
                    .averaged = thermo_or(into, "ensemble")};
}

static double number(const RunFound *run, const char *key) { return results_value(run->set, "", key); }

int64_t run_tests_draws(const ResultSet *set)
{
  const double replicas = results_value(set, "", "replicas"), blocks = results_value(set, "", "error_blocks"),
               ladders = results_value(set, "ladder", "ladders");
  const bool sound = results_says(set, "", "errors", "sound");
  const double draws = isfinite(ladders)       ? ladders
                       : replicas > 1.0        ? replicas
                       : sound && blocks > 0.0 ? fmin(blocks, 1e9)
                                               : 0.0;
  return verdict_enough((int64_t)draws) ? (int64_t)draws : 0;
}

bool run_tests_vary(const ResultSet *set) { return results_says(set, "", "conditions", "varying"); }

/* Number of draws assumed for an estimated error, such as that of an expected number. */
static const int64_t judged = 1000;

/* Relative uncertainty of the expected difference between the temperature at the ends of steps and the set
 * one: it is computed with the frequencies of the start. */
static const double reading_uncertain = 0.2;

/* If friction differs between motions, their common temperature differs from that of their noise, and momenta
 * right after O do not have the target temperature. */
static bool uneven(const RunFound *run)
{
  const ResultNumber *friction = results_find(run->set, "", "", "friction");
  return friction != NULL && strstr(friction->note, "uniform") != NULL &&
         isfinite(number(run, "temperature_expected"));
}

static double test_temperature(RunTests *t, const RunFound *run)
{
  t->unbiased = isfinite(number(run, "temperature_unbiased")) && !uneven(run);
  const char *key = t->unbiased ? "temperature_unbiased" : "temperature";
  t->target = number(run, t->unbiased ? "target_temperature" : "temperature_expected");
  t->temperature = number(run, key);
  t->temperature_error = results_error(run->set, "", key);
  if (!(t->temperature_error > 0.0))
    return NAN;
  const double off = fabs(t->target - number(run, "target_temperature")),
               about = !t->unbiased && off > 0.0 ? reading_uncertain * off : 0.0;
  t->apart = verdict_difference(t->target, about, judged, t->temperature, t->temperature_error,
                                run_tests_draws(run->set));
  return t->apart.p;
}

/* A column over the rows after equilibration (in an unfinished run: over the later half). */
typedef struct Column {
  int n; /* 0: no column */
  double *time, *x;
  double *error; /* NULL: no errors */
} Column;

/* Copies the last `n` times or values of a table. */
static double *copy(const double *from, size_t first, size_t n, size_t slots)
{
  double *to = from != NULL ? malloc((n + 1) * sizeof *to) : NULL;
  for (size_t i = 0; to != NULL && i < n; i++)
    to[i] = from[(first + i) * slots];
  return to;
}

static void column_free(Column *column)
{
  free(column->time);
  free(column->x);
  free(column->error);
  *column = (Column){0};
}

/* Allocates memory that column_free frees. STATUS_MEMORY. */
static Status column_read(const RunFound *run, const char *name, Column *column, Error *error)
{
  const ResultTable *table = run->averaged;
  const ResultColumn *c = results_numbers(table, name), *time = results_times(table);
  *column = (Column){0};
  if (c == NULL || time == NULL)
    return STATUS_OK;
  const double samples = results_value(run->set, "", "samples");
  const size_t slots = results_slots(table), all = table->nrow / slots;
  const size_t n = samples >= 1.0 && samples < (double)all ? (size_t)samples : run->ended ? all : all / 2;
  *column = (Column){.n = (int)n,
                     .time = copy(time->value, all - n, n, slots),
                     .x = copy(c->value, all - n, n, slots),
                     .error = copy(c->error, all - n, n, slots)};
  if (column->time != NULL && column->x != NULL && (column->error != NULL || c->error == NULL))
    return STATUS_OK;
  column_free(column);
  return error_memory(error, "a column of a run");
}

/* The error of the mean of n rows, and its number of draws: from their correlation; if that is unknown but
 * rows are means over replicas, from the rows' own errors, which are larger. NaN: unknown. */
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

static Status test_rest(RunTests *t, const RunFound *run, double *p, Error *error)
{
  Column c;
  TRY(column_read(run, "potential", &c, error));
  t->rows = c.n;
  if (c.n >= RUN_TESTS_ROWS) {
    const int begin[3] = {0, c.n / 2, c.n};
    int64_t draws[2];
    for (int k = 0; k < 2; k++) {
      const int rows = begin[k + 1] - begin[k];
      t->half[k] = statistics_series(c.x + begin[k], rows);
      draws[k] = run_tests_draws(run->set);
      t->half_error[k] =
          half_error(&t->half[k], c.error != NULL ? c.error + begin[k] : NULL, rows, &draws[k]);
    }
    t->sound = t->half[0].plateau && t->half[1].plateau;
    t->rest = verdict_difference(t->half[0].mean, t->half_error[0], draws[0], t->half[1].mean,
                                 t->half_error[1], draws[1]);
    *p = t->rest.p;
  }
  column_free(&c);
  return STATUS_OK;
}

static Status test_drift(RunTests *t, const RunFound *run, double *p, Error *error)
{
  Column c;
  if (results_slots(run->averaged) > 1) /* replicas of a ladder exchange temperatures */
    return STATUS_OK;
  TRY(column_read(run, "conserved", &c, error));
  if (c.n >= RUN_TESTS_DRIFT_ROWS) {
    const ResultNumber *expected = results_find(run->set, "", "", "conserved_drift_expected");
    if (expected != NULL && isfinite(expected->value) && isfinite(expected->error)) {
      t->expected = expected->value;
      t->expected_error = expected->error;
    }
    t->line = statistics_drift(c.time, c.x, c.n);
    t->length = c.time[c.n - 1] - c.time[0];
    t->line_fits = true;
    *p = verdict_difference(t->expected, t->expected_error, judged, t->line.slope, t->line.slope_error,
                            t->line.draws)
             .p;
  }
  column_free(&c);
  return STATUS_OK;
}

Status run_tests_make(RunTests *t, const RunFound *run, Error *error)
{
  *t = (RunTests){.consistent = results_value(run->set, "ladder", "consistent")};
  double p[RUN_TESTED] = {[RUN_TESTED_NONE] = NAN,
                          [RUN_TESTED_TEMPERATURE] = test_temperature(t, run),
                          [RUN_TESTED_REST] = NAN,
                          [RUN_TESTED_DRIFT] = NAN,
                          [RUN_TESTED_LADDER] = t->consistent};
  if (run_tests_vary(run->set)) {
    p[RUN_TESTED_TEMPERATURE] = NAN;
    return statistics_holm(p, RUN_TESTED, t->adjusted, error);
  }
  TRY(test_rest(t, run, &p[RUN_TESTED_REST], error));
  TRY(test_drift(t, run, &p[RUN_TESTED_DRIFT], error));
  return statistics_holm(p, RUN_TESTED, t->adjusted, error);
}
