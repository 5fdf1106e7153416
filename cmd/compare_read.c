/* Fills the runs of compare.h from their sets of results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/compare_private.h"
#include "observables/run_verdicts.h"

SCOPED_POINTER(Observable, observable_free)

/* --- names ------- */

static const char *base_name(const char *dir, int *length)
{
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/')
    n--;
  size_t start = n;
  while (start > 0 && dir[start - 1] != '/')
    start--;
  *length = (int)(n - start);
  return dir + start;
}

/* Sets the label of a run, and the group that runs with other w and h share. */
static Status name_run(CompareRun *run, Error *error)
{
  int length;
  const char *name = base_name(run->dir, &length), *title = results_word(&run->set, "", "title");
  const char *hessian = results_word(&run->set, "", "hessian"), *noise = results_word(&run->set, "", "noise");
  run->w = results_value(&run->set, "", "w");
  run->h = results_value(&run->set, "", "timestep");
  char *own = strndup(name, (size_t)length), *group;
  if (asprintf(&group, "%s Hessian, %s noise", hessian != NULL ? hessian : "some",
               noise != NULL ? noise : "some") < 0)
    group = NULL;
  const size_t size = 4 * (strlen(run->dir) + (title != NULL ? strlen(title) : 0)) + 8;
  const size_t room = group != NULL ? 4 * strlen(group) + 1 : 0;
  run->label = malloc(size);
  run->group = group != NULL ? malloc(room) : NULL;
  const bool fine = own != NULL && run->label != NULL && run->group != NULL;
  if (fine) {
    (void)printable_copy(run->label, size, title != NULL && title[0] != '\0' ? title : own);
    (void)printable_copy(run->group, room, group);
  }
  free(own);
  free(group);
  return fine ? STATUS_OK : error_memory(error, "the name of a run");
}

/* --- means ------- */

/* Larger values are not physical; their squares and sums would overflow. */
static const double largest = 1e30;

/* Sets the reason for no verdict and returns the number of draws. */
static int64_t judge_run(CompareRun *run)
{
  const ResultSet *set = &run->set;
  run->independent = results_value(set, "", "independent_samples");
  run->too_few[0] = '\0';
  run->differ = results_says(set, "", "replicas_differ", "yes");
  if (run->differ) {
    snprintf(run->too_few, sizeof run->too_few,
             "has replicas with different parameters, such as umbrella windows: averages over them belong to "
             "no ensemble");
    return 0;
  }
  if (run->replicas >= VERDICT_DRAWS) {
    run->independent = run->replicas;
    return run->replicas;
  }
  const char *errors = results_word(set, "", "errors");
  const double blocks = results_value(set, "", "error_blocks");
  if (run->replicas > 1 || run->temperatures > 0)
    snprintf(run->too_few, sizeof run->too_few, "has %d %s%s; at least %d are required", run->replicas,
             run->temperatures > 0 ? "independent ladder" : "replica", run->replicas > 1 ? "s" : "",
             VERDICT_DRAWS);
  else if (errors == NULL || isnan(blocks))
    snprintf(run->too_few, sizeof run->too_few, "does not report whether its errors are reliable");
  else if (strcmp(errors, "sound") != 0)
    snprintf(run->too_few, sizeof run->too_few,
             "is too short to estimate its correlation time: at most %.3g independent samples",
             run->independent);
  else if (blocks < VERDICT_DRAWS)
    snprintf(run->too_few, sizeof run->too_few, "has errors from %g blocks of time; at least %d are required",
             blocks, VERDICT_DRAWS);
  return run->too_few[0] == '\0' ? (int64_t)fmin(blocks, 1e9) : 0;
}

/* Lists the rows of the lowest temperature in row[], or, of states with one temperature, those of the first
 * state. *temperatures: of a ladder, or its states, else 0. */
static size_t lowest_rows(const ResultSet *set, const ResultTable *table, size_t *row, int *temperatures)
{
  const double ladders = results_value(set, "ladder", "ladders");
  const ResultColumn *target = results_column(table, "target");
  double lowest = INFINITY;
  if (target != NULL && target->value == NULL) /* a column of text */
    target = NULL;
  size_t n = 0;
  for (size_t i = 0; target != NULL && i < table->nrow; i++)
    lowest = fmin(lowest, target->value[i]);
  for (size_t i = 0; i < table->nrow; i++)
    if (target == NULL || target->value[i] <= lowest)
      row[n++] = i;
  if (target != NULL && ladders >= 1.0 && (double)n > ladders) {
    const size_t states = table->nrow / (size_t)ladders; /* rows are slots, ladder after ladder */
    for (n = 0; n < (size_t)ladders; n++)
      row[n] = n * states;
  }
  *temperatures = target != NULL && n > 0 ? (int)(table->nrow / n) : 0;
  return n;
}

/* Mean and error of a column over some rows; a single row has the error of the run. */
static Status column_mean(const CompareRun *run, const ResultTable *table, size_t n, const size_t *row,
                          const char *name, double *mean, double *err, Error *error)
{
  const ResultColumn *column;
  if (results_want(table, name, &column, error) != STATUS_OK)
    return error_prefix(error, "%s", run->dir);
  for (size_t i = 0; i < n; i++)
    if (column->value == NULL || !(fabs(column->value[row[i]]) < largest))
      return error_set(
          error, STATUS_INPUT,
          "%s: the %s of row %zu of its replicas is out of range for a mean: was the file changed?", run->dir,
          name, row[i] + 1);
  SCOPED(scoped_free) double *x = malloc((n + 1) * sizeof *x);
  TRY_MEMORY(x != NULL, "means", error);
  for (size_t i = 0; i < n; i++)
    x[i] = column->value[row[i]];
  statistics_mean(x, (int64_t)n, mean, err);
  if (n == 1)
    *err = results_error(&run->set, "", name);
  return STATUS_OK;
}

/* Reads the energy, averaged over replicas, and the temperature. */
static Status read_energy(CompareRun *run, const ResultTable *table, size_t *row, Error *error)
{
  CompareMean *energy = &run->mean[0];
  const size_t n = lowest_rows(&run->set, table, row, &run->temperatures);
  TRY(column_mean(run, table, n, row, "potential", &energy->value, &energy->error, error));
  TRY(column_mean(run, table, n, row, "temperature", &run->temperature, &run->temperature_error, error));
  if (n == 0)
    return error_set(error, STATUS_INPUT, "%s contains no replica: did the run end before its equilibration?",
                     run->dir);
  energy->name = (QuantityWords){"energy"};
  energy->unit = results_column(table, "potential")->unit;
  run->replicas = (int)n;
  run->nmean = 1;
  energy->draws = judge_run(run);
  return STATUS_OK;
}

static Status read_replicas(CompareRun *run, Error *error)
{
  const ResultTable *table;
  TRY(results_table(&run->set, "replicas", &table, error));
  if (table == NULL)
    return error_set(error, STATUS_INPUT,
                     "%s has no means of replicas: did the run end before its equilibration?", run->dir);
  SCOPED(scoped_free) size_t *row = malloc((table->nrow + 1) * sizeof *row);
  TRY_MEMORY(row != NULL, "means", error);
  return read_energy(run, table, row, error);
}

/* Whether a table has free energies without biases, which windows with different biases share. */
static bool is_unbiased(const char *table)
{
  return strncmp(table, "free_energy", strlen("free_energy")) == 0;
}

/* Free energies of alchemical states have errors of their own, from ladders or blocks of time. */
static const char alchemical[] = "alchemy";

static int64_t alchemical_draws(const CompareRun *run)
{
  const double draws = results_value(&run->set, alchemical, "error_draws");
  return results_says(&run->set, alchemical, "errors", "sound") && draws >= VERDICT_DRAWS ? (int64_t)draws
                                                                                          : 0;
}

/* The draws of a table's numbers: replicas, or its blocks. */
static int64_t table_draws(const CompareRun *run, const char *name)
{
  if (strcmp(name, alchemical) == 0)
    return alchemical_draws(run);
  if (run->differ && !is_unbiased(name))
    return 0;
  if (run->temperatures > 0)
    return run->replicas;
  if (run->replicas > 1)
    return run->replicas >= VERDICT_DRAWS ? run->replicas : 0;
  for (int i = 0; i < run->set.ntable; i++) {
    const ResultTable *t = run->set.table[i];
    if (strcmp(t->name, name) == 0)
      return t->sound && t->blocks >= VERDICT_DRAWS ? (int64_t)fmin(t->blocks, 1e9) : 0;
  }
  return 0;
}

/* Reads every compared number with an error. */
static Status read_means(CompareRun *run, Error *error)
{
  const int n = run->set.n;
  run->mean = calloc((size_t)n + 1, sizeof *run->mean);
  TRY_MEMORY(run->mean != NULL, "means", error);
  TRY(read_replicas(run, error));
  for (int i = 0; i < n; i++) {
    const ResultNumber *number = &run->set.number[i];
    if (number->quantity == NULL || !number->quantity->compared || number->kind != RESULT_REAL ||
        !isfinite(number->value) || !(number->error > 0.0) || !isfinite(number->error))
      continue;
    if (!(fabs(number->value) < largest && number->error < largest))
      return error_set(error, STATUS_INPUT, "%s: %s: %g +- %g is out of range for a mean", run->dir,
                       number->name, number->value, number->error);
    CompareMean *mean = &run->mean[run->nmean++];
    *mean = (CompareMean){.of = number,
                          .name = quantity_title(number->quantity, number->name),
                          .unit = number->unit,
                          .value = number->value,
                          .error = number->error,
                          .draws = number->observed || strcmp(number->of, alchemical) == 0
                                       ? table_draws(run, number->of)
                                       : run->mean[0].draws};
    if (number->subject[0] != '\0' && strcmp(number->subject, "system") != 0)
      text_append(mean->name.text, sizeof mean->name.text, " of %s", number->subject);
  }
  return STATUS_OK;
}

/* --- distributions and curves ------- */

/* Keeps the lowest temperature of a ladder. Rows are slots, ladder after ladder, lowest first
 * (simulation/ladder/ladder.h). */
static void lowest_fractions(const CompareRun *run, RdfFractions *fraction)
{
  const size_t n = (size_t)fraction->ncol;
  if (run->temperatures == 0 || fraction->nrow != run->temperatures * run->replicas)
    return;
  fraction->nrow = run->replicas;
  for (size_t i = 1; i < (size_t)run->replicas; i++)
    memmove(fraction->x + i * n, fraction->x + i * (size_t)run->temperatures * n, n * sizeof *fraction->x);
}

/* The distribution is optional. */
static Status read_distribution(CompareRun *run, Error *error)
{
  static const char name[] = "rdf_replicas.csv";
  if (!file_exists(run->dir, name))
    return STATUS_OK;
  SCOPED(observable_free_at) Observable *rdf = NULL;
  SCOPED(scoped_free) char *path = file_path(run->dir, name);
  TRY_MEMORY(path != NULL, "a file name", error);
  TRY(rdf_files_read(&rdf, path, error));
  run->rmax = rdf_rmax(rdf);
  TRY(rdf_files_fractions(rdf, &run->fraction, error));
  lowest_fractions(run, &run->fraction);
  return STATUS_OK;
}

/* A curve follows its argument and has errors. */
static bool is_curve(const ResultColumn *x, const ResultColumn *y)
{
  const QuantityRow *q = y->quantity;
  return x != NULL && q != NULL && q->compared && y->value != NULL && y->error != NULL &&
         (q->shape == QUANTITY_CURVE || q->shape == QUANTITY_TEMPERATURES);
}

/* What a table's name has after the part that it shares with its column: "phi" of free_energy_phi with the
 * columns free_energy and free_energy_radial; "" if they share no word. */
static const char *subject_of(const char *table, const char *column)
{
  const char *word = NULL;
  for (; *table != '\0' && (*table == *column || (*table == '_' && *column == '\0')); table++, column++) {
    if (*table == '_')
      word = table + 1;
    if (*column == '\0')
      break;
  }
  return word != NULL ? word : "";
}

static void add_curve(CompareRun *run, const ResultTable *table, const ResultColumn *x, const ResultColumn *y)
{
  const char *const subject = subject_of(table->name, y->name);
  /* Dimensionless curves, such as g(r), are of order 1. */
  const bool pure = y->unit[0] == '\0';
  CompareCurve *curve = &run->curve[run->ncurve++];
  *curve = (CompareCurve){.name = quantity_title(y->quantity, y->name),
                          .x = x,
                          .y = y,
                          .n = (int)table->nrow,
                          .least = pure ? 0.02 : -INFINITY,
                          .whole = pure ? 1.0 : 0.0,
                          .counted = y->quantity->shape == QUANTITY_CURVE,
                          .unbiased = is_unbiased(table->name),
                          .draws = table_draws(run, table->name)};
  if (subject[0] != '\0')
    text_append(curve->name.text, sizeof curve->name.text, " of %s", subject);
}

static bool is_argument(const ResultColumn *column)
{
  return column->quantity != NULL && column->quantity->shape == QUANTITY_ARGUMENT && column->value != NULL;
}

/* Whether a table is over two coordinates, `first` and `second`, or has several curves, by `path`. */
static bool is_map(const ResultTable *table)
{
  const ResultColumn *second = results_column(table, "second"), *path = results_column(table, "path");
  return (second != NULL && is_argument(second)) || (path != NULL && is_argument(path));
}

/* Reads all compared curves. */
static Status read_curves(CompareRun *run, Error *error)
{
  int most = 0;
  for (int i = 0; i < run->set.ntable; i++)
    most += run->set.table[i]->ncol;
  run->curve = calloc((size_t)most + 1, sizeof *run->curve);
  TRY_MEMORY(run->curve != NULL, "curves", error);
  for (int i = 0; i < run->set.ntable; i++) {
    const ResultTable *t = run->set.table[i];
    const ResultColumn *x = NULL;
    for (int c = 0; !t->apart && !is_map(t) && c < t->ncol; c++) {
      if (x == NULL && is_argument(&t->column[c]))
        x = &t->column[c];
      else if (is_curve(x, &t->column[c]))
        add_curve(run, t, x, &t->column[c]);
    }
  }
  return STATUS_OK;
}

static CompareCost cost_of(const CompareRun *run)
{
  const ResultSet *s = &run->set;
  const double rate = results_value(s, "", "replica_steps_per_second"), steps = results_value(s, "", "steps"),
               replicas = results_value(s, "", "replicas");
  return (CompareCost){.replicas = run->replicas,
                       .step = 1e6 / rate,
                       .independent = steps * replicas / rate / run->independent,
                       .solves = results_value(s, "share", "solves")};
}

/* Keeps only the name and message of a failed run: its averages are not of its ensemble. */
static Status read_failure(CompareRun *run, Error *error)
{
  const char *why = results_word(&run->set, "", "message");
  ResultSet words = results_make(run->set.sorts, run->set.reduced);
  results_words(&words, "", "ended", "failed");
  run->failed = strdup(why != NULL ? why : "no message");
  run->mean = calloc(1, sizeof *run->mean);
  results_free(&run->set);
  run->set = words;
  TRY_MEMORY(run->failed != NULL && run->mean != NULL && !results_failed(&words), "a run that failed", error);
  run->mean[0] =
      (CompareMean){.name = {"energy"}, .unit = compare_margin_unit("energy"), .value = NAN, .error = NAN};
  run->temperature = run->temperature_error = run->independent = NAN;
  return STATUS_OK;
}

static Status read_numbers(CompareRun *run, Error *error)
{
  TRY(read_means(run, error));
  TRY(read_distribution(run, error));
  return read_curves(run, error);
}

/* --- the whole run ------- */

Status compare_read(CompareRun *run, ResultSet *known, Error *error)
{
  if (known != NULL && known->n > 0) {
    run->set = *known;
    *known = results_make(known->sorts, known->reduced);
  } else if (results_json_read(&run->set, run->dir, error) != STATUS_OK)
    return error_prefix(error, "%s is not the folder of a finished run", run->dir);
  if (run->set.sorts == QUANTITY_MECHANICAL)
    return error_set(
        error, STATUS_INPUT,
        "%s: runs of mechanical systems cannot be compared: they have no potential energy of molecules",
        run->dir);
  TRY(run_verdicts_make(&run->set, error)); /* for runs of earlier versions */
  TRY(name_run(run, error));
  TRY(results_says(&run->set, "", "ended", "failed") ? read_failure(run, error) : read_numbers(run, error));
  compare_heat_read(run);
  run->cost = cost_of(run);
  return STATUS_OK;
}

void compare_read_free(CompareRun *run)
{
  free(run->label);
  free(run->group);
  free(run->failed);
  free(run->mean);
  free(run->curve);
  free(run->fraction.x);
  results_free(&run->set);
}
