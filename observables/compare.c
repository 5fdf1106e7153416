#include "observables/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/file.h"
#include "observables/compare_report.h"
#include "observables/rdf.h"
#include "observables/table.h"

/* --- reading ----------------------------------------------------------------------------------------------
 */

const char *compare_value(const CompareRun *run, const char *key)
{
  for (int k = 0; k < run->nentry; k++)
    if (strcmp(run->entry[k].key, key) == 0)
      return run->entry[k].value;
  return NULL;
}

static double value_number(const CompareRun *run, const char *key)
{
  const char *text = compare_value(run, key);
  char *end;
  const double x = text != NULL ? strtod(text, &end) : NAN;
  return text != NULL && end != text ? x : NAN;
}

/* Takes quotes, escapes and a trailing comment off in place. */
static char *clean_value(char *value)
{
  value += strspn(value, " \t");
  if (*value != '"') {
    char *comment = strchr(value, '#');
    if (comment != NULL && (comment == value || comment[-1] == ' '))
      *comment = '\0';
    size_t n = strlen(value);
    while (n > 0 && strchr(" \t\r", value[n - 1]) != NULL)
      value[--n] = '\0';
    return value;
  }
  char *to = value++, *start = to;
  for (; *value != '\0' && *value != '"'; value++) {
    if (*value == '\\' && value[1] != '\0')
      value++;
    *to++ = *value;
  }
  *to = '\0';
  return start;
}

/* Top-level `key: value` lines; nested ones and comments are passed over. */
static Status read_summary(CompareRun *run, Error *error)
{
  char *path = file_path(run->dir, "summary.yaml");
  const Status status =
      path == NULL ? error_memory(error, "a file name") : table_slurp(path, &run->text, error);
  free(path);
  if (status != STATUS_OK || run->text == NULL)
    return error_prefix(error, "%s is not the folder of a finished run", run->dir);
  size_t lines = 1;
  for (const char *c = run->text; *c != '\0'; c++)
    lines += *c == '\n';
  run->entry = calloc(lines, sizeof *run->entry);
  if (run->entry == NULL)
    return error_memory(error, "a summary");
  run->nentry = 0;
  for (char *line = run->text; line != NULL;) {
    char *next = strchr(line, '\n'), *colon;
    if (next != NULL)
      *next++ = '\0';
    if (strchr(" \t#-", line[0]) == NULL && (colon = strchr(line, ':')) != NULL) {
      *colon = '\0';
      run->entry[run->nentry++] = (CompareEntry){line, clean_value(colon + 1)};
    }
    line = next;
  }
  return status;
}

/* Mean and error of a column over the replicas; of a single one as its summary has them. */
static Status column_mean(const CompareRun *run, const Table *table, const char *name, double *mean,
                          double *err, Error *error)
{
  int column;
  const Status status = table_column(table, name, &column, error);
  if (status != STATUS_OK)
    return status;
  double *x = malloc((table->nrow + 1) * sizeof *x);
  if (x == NULL)
    return error_memory(error, "means");
  for (size_t i = 0; i < table->nrow; i++)
    x[i] = table->x[i * (size_t)table->ncol + (size_t)column];
  statistics_mean(x, (int64_t)table->nrow, mean, err);
  free(x);
  if (table->nrow == 1) {
    char key[64];
    snprintf(key, sizeof key, "%s_err", name);
    *err = value_number(run, key);
  }
  return STATUS_OK;
}

static Status read_means(CompareRun *run, Error *error)
{
  Table *table = NULL;
  char *path = file_path(run->dir, "replicas.csv");
  Status status = path == NULL ? error_memory(error, "a file name") : table_read(&table, path, error);
  if (table == NULL) {
    free(path);
    return status;
  }
  if (table->nrow == 0)
    status = error_set(error, STATUS_INPUT, "%s holds no replica: did the run end before its equilibration?",
                       path);
  if (status == STATUS_OK)
    status = column_mean(run, table, "nonbonded", &run->energy, &run->energy_error, error);
  if (status == STATUS_OK)
    status = column_mean(run, table, "temperature", &run->temperature, &run->temperature_error, error);
  if (status == STATUS_OK) {
    run->replicas = (int)table->nrow;
    run->draws = table->nrow > 1 ? (int64_t)table->nrow : 0;
  }
  table_free(table);
  free(path);
  return status;
}

/* A run may have kept no distribution. */
static Status read_distribution(CompareRun *run, Error *error)
{
  Rdf *rdf = NULL;
  char *path = file_path(run->dir, "rdf_replicas.csv");
  if (path == NULL)
    return error_memory(error, "a file name");
  Status status = STATUS_OK;
  if (access(path, F_OK) == 0) {
    status = rdf_read_replicas(&rdf, path, error);
    if (status == STATUS_OK) {
      run->rmax = rdf_rmax(rdf);
      status = rdf_result_fractions(rdf, &run->nrow, &run->ncol, &run->fraction, error);
    }
  }
  rdf_free(rdf);
  free(path);
  return status;
}

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

/* What to call a run, and what it has in common with those that differ in w only. */
static Status name_run(CompareRun *run, Error *error)
{
  int length;
  const char *name = base_name(run->dir, &length), *title = compare_value(run, "title");
  const char *hessian = compare_value(run, "hessian"), *noise = compare_value(run, "noise");
  const size_t size = strlen(run->dir) + (title != NULL ? strlen(title) : 0) + 8;
  const size_t room = strlen(hessian != NULL ? hessian : "") + strlen(noise != NULL ? noise : "") + 32;
  run->w = value_number(run, "w");
  run->label = malloc(size);
  run->group = malloc(room);
  if (run->label == NULL || run->group == NULL)
    return error_memory(error, "the name of a run");
  if (title != NULL && title[0] != '\0')
    snprintf(run->label, size, "%s", title);
  else
    snprintf(run->label, size, "%.*s", length, name);
  snprintf(run->group, room, "%s Hessian, %s noise", hessian != NULL ? hessian : "some",
           noise != NULL ? noise : "some");
  return STATUS_OK;
}

static Status read_run(CompareRun *run, Error *error)
{
  Status status = read_summary(run, error);
  if (status == STATUS_OK)
    status = name_run(run, error);
  if (status == STATUS_OK)
    status = read_means(run, error);
  if (status == STATUS_OK)
    status = read_distribution(run, error);
  return status;
}

/* Runs of one name are told apart by their folders. */
static Status tell_apart(Compare *c, Error *error)
{
  int *twice = calloc((size_t)c->n, sizeof *twice);
  if (twice == NULL)
    return error_memory(error, "the names of runs");
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < c->n; k++)
      twice[i] |= k != i && strcmp(c->run[k].label, c->run[i].label) == 0;
  for (int i = 0; i < c->n; i++)
    if (twice[i]) /* labels are made with room for the folder */
      memcpy(c->run[i].label, c->run[i].dir, strlen(c->run[i].dir) + 1);
  free(twice);
  return STATUS_OK;
}

/* --- pairs ------------------------------------------------------------------------------------------------
 */

static Status compare_pair(const Compare *c, ComparePair *pair, int permutations, Error *error)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  pair->energy = statistics_welch(a->energy, a->energy_error, a->draws, b->energy, b->energy_error, b->draws);
  pair->distance = (StatisticsDistance){NAN, NAN, NAN, NAN, 0};
  if (a->nrow < 2 || b->nrow < 2 || a->ncol != b->ncol || a->rmax != b->rmax)
    return STATUS_OK;
  const uint64_t seed = 1; /* of the deals: any will do, the same one gives the same words */
  return statistics_distance(a->ncol, a->nrow, a->fraction, b->nrow, b->fraction, permutations, seed,
                             &pair->distance, error);
}

static void judge(ComparePair *pair, double energy_adjusted, double tv_adjusted)
{
  pair->energy_adjusted = energy_adjusted;
  pair->tv_adjusted = tv_adjusted;
  pair->agree = !(energy_adjusted < 0.05 || tv_adjusted < 0.05);
  if (isnan(energy_adjusted) && isnan(tv_adjusted))
    pair->agree = -1;
}

static Status compare_pairs(Compare *c, Error *error)
{
  /* Two tests a pair; enough permutations for a p that passes the correction for all of them. */
  const int tests = c->n * (c->n - 1), permutations = 40 * tests > 1000 ? 40 * tests - 1 : 999;
  c->pair = calloc((size_t)tests, sizeof *c->pair);
  double *p = calloc(2 * (size_t)tests, sizeof *p);
  if (c->pair == NULL || p == NULL) {
    free(p);
    return error_memory(error, "comparisons");
  }
  Status status = STATUS_OK;
  for (int a = 0; a < c->n; a++)
    for (int b = a + 1; b < c->n && status == STATUS_OK; b++) {
      ComparePair *pair = &c->pair[c->npair];
      pair->a = a;
      pair->b = b;
      status = compare_pair(c, pair, permutations, error);
      p[2 * c->npair] = pair->energy.p;
      p[2 * c->npair + 1] = pair->distance.p;
      c->npair++;
    }
  double *adjusted = p + tests;
  if (status == STATUS_OK)
    status = statistics_holm(p, tests, adjusted, error);
  for (int k = 0; k < c->npair && status == STATUS_OK; k++)
    judge(&c->pair[k], adjusted[2 * k], adjusted[2 * k + 1]);
  free(p);
  return status;
}

/* --- the limit of large w ---------------------------------------------------------------------------------
 */

static int by_x(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The line through the points with the largest w; those with the smallest are left out as long as the rest
 * has more than two and chi2 says that 1/w^2 is not all. */
static void fit_points(CompareFit *fit, double (*point)[3], int n, double *column)
{
  double *x = column, *y = column + n, *e = column + 2 * n;
  qsort(point, (size_t)n, sizeof *point, by_x);
  for (int i = 0; i < n; i++) {
    x[i] = point[i][0];
    y[i] = point[i][1];
    e[i] = point[i][2];
  }
  fit->n = n;
  fit->line = fit->all = statistics_line_weighted(x, y, e, n, 0);
  while (fit->line.p < 0.01 && n - fit->left_out > 2) {
    fit->left_out++;
    fit->line = statistics_line_weighted(x, y, e, n - fit->left_out, 0);
  }
}

static int in_group(const CompareRun *run, const CompareRun *other)
{
  return run->w > 0.0 && other->w > 0.0 && strcmp(run->group, other->group) == 0 && run->energy_error > 0.0;
}

static Status compare_fits(Compare *c, Error *error)
{
  double(*point)[3] = malloc((size_t)c->n * sizeof *point),
  *column = malloc(3 * (size_t)c->n * sizeof *column);
  c->fit = calloc((size_t)c->n, sizeof *c->fit);
  if (point == NULL || column == NULL || c->fit == NULL) {
    free(point);
    free(column);
    return error_memory(error, "fits");
  }
  int reference = -1;
  for (int i = c->n - 1; i >= 0; i--)
    if (isnan(c->run[i].w))
      reference = i;
  for (int i = 0; i < c->n; i++) {
    int n = 0, first = 1;
    for (int k = 0; k < c->n; k++)
      if (in_group(&c->run[k], &c->run[i])) {
        first = first && k >= i;
        point[n][0] = 1.0 / (c->run[k].w * c->run[k].w);
        point[n][1] = c->run[k].energy;
        point[n++][2] = c->run[k].energy_error;
      }
    if (!first || n < 2)
      continue;
    CompareFit *fit = &c->fit[c->nfit++];
    fit->group = c->run[i].group;
    fit->reference = reference;
    fit_points(fit, point, n, column);
    if (reference >= 0)
      fit->at_infinity = statistics_welch(c->run[reference].energy, c->run[reference].energy_error, 0,
                                          fit->line.intercept, fit->line.intercept_error, 0);
  }
  free(point);
  free(column);
  return STATUS_OK;
}

/* --- all of it --------------------------------------------------------------------------------------------
 */

Status compare_create(Compare **compare, const char *const *dir, int n, Error *error)
{
  *compare = NULL;
  if (n < 2)
    return error_set(error, STATUS_INPUT, "a comparison needs two or more run folders");
  Compare *c = calloc(1, sizeof *c);
  CompareRun *run = calloc((size_t)n, sizeof *run);
  if (c == NULL || run == NULL) {
    free(c);
    free(run);
    return error_memory(error, "a comparison");
  }
  c->n = n;
  c->run = run;
  Status status = STATUS_OK;
  for (int i = 0; i < n && status == STATUS_OK; i++) {
    run[i].dir = dir[i];
    status = read_run(&run[i], error);
  }
  if (status == STATUS_OK)
    status = tell_apart(c, error);
  if (status == STATUS_OK)
    status = compare_pairs(c, error);
  if (status == STATUS_OK)
    status = compare_fits(c, error);
  if (status == STATUS_OK)
    *compare = c;
  else
    compare_free(c);
  return status;
}

void compare_free(Compare *compare)
{
  if (compare == NULL)
    return;
  for (int i = 0; i < compare->n; i++) {
    free(compare->run[i].label);
    free(compare->run[i].group);
    free(compare->run[i].text);
    free(compare->run[i].entry);
    free(compare->run[i].fraction);
  }
  free(compare->run);
  free(compare->pair);
  free(compare->fit);
  free(compare);
}

Status compare_runs(const char *const *dir, int n, const char *pictures, FILE *out, Error *error)
{
  Compare *compare;
  Status status = compare_create(&compare, dir, n, error);
  if (status != STATUS_OK)
    return status;
  compare_report_print(compare, out);
  Error why;
  status = compare_report_draw(compare, pictures, &why);
  if (status == STATUS_RUN)
    fprintf(out, "\nno picture: %s\n", why.text);
  else if (status != STATUS_OK)
    error_set(error, status, "%s", why.text);
  compare_free(compare);
  return status == STATUS_RUN ? STATUS_OK : status;
}
