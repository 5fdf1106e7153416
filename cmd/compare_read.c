/* Reading of run folders for compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"
#include "engine/file.h"
#include "engine/text.h"
#include "engine/visible.h"
#include "results/table.h"

/* --- names ------------------------------------------------------------------------------------------------
 */

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
  const char *name = base_name(run->dir, &length), *title = summary_value(run->summary, "title");
  const char *hessian = summary_value(run->summary, "hessian"), *noise = summary_value(run->summary, "noise");
  run->w = summary_number(run->summary, "w");
  run->h = summary_number(run->summary, "timestep");
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
    (void)visible_copy(run->label, size, title != NULL && title[0] != '\0' ? title : own);
    (void)visible_copy(run->group, room, group);
  }
  free(own);
  free(group);
  return fine ? STATUS_OK : error_memory(error, "the name of a run");
}

/* --- means ------------------------------------------------------------------------------------------------
 */

/* Means that are compared where a summary has them with errors; a key that ends in _ begins many. */
static const struct {
  const char *key, *name, *unit;
  const char *table; /* whose comment lines say how many blocks the error is from; NULL: the run's own */
} means[] = {
    {"potential", "energy", "kcal/mol", NULL},
    {"pressure", "pressure by molecule", "bar", NULL},
    {"pressure_atom", "pressure by atom", "bar", NULL},
    {"density", "density", "g/cm3", NULL},
    {"volume", "volume", "A3", NULL},
    {"diffusion_", NULL, "1e-9 m2/s", "msd.csv"},
    {"dielectric_constant", "dielectric constant", "", "dipole.csv"},
};

/* No energy, pressure or temperature of a run is larger: beyond it squares and sums of them mean nothing. */
static const double largest = 1e30;

/* The finite numbers of a column, [nrow] in fresh memory. */
static Status column_read(const Table *table, const char *name, double **x, Error *error)
{
  int column;
  *x = NULL;
  Status status = table_column(table, name, &column, error);
  if (status != STATUS_OK)
    return status;
  *x = malloc((table->nrow + 1) * sizeof **x);
  if (*x == NULL)
    return error_memory(error, "means");
  for (size_t i = 0; i < table->nrow && status == STATUS_OK; i++) {
    (*x)[i] = table_at(table, i, column);
    if (!(fabs((*x)[i]) < largest))
      status =
          error_set(error, STATUS_INPUT,
                    "%s: the %s of row %zu is %g, which cannot be the mean of a run: was the file changed?",
                    table->path, name, i + 1, (*x)[i]);
  }
  return status;
}

/* Mean and error of a column over the replicas; the error of a single one as its summary has it. */
static Status column_mean(const CompareRun *run, const Table *table, const char *name, double *mean,
                          double *err, Error *error)
{
  double *x;
  const Status status = column_read(table, name, &x, error);
  if (status == STATUS_OK)
    statistics_mean(x, (int64_t)table->nrow, mean, err);
  free(x);
  if (status == STATUS_OK && table->nrow == 1) {
    char key[96];
    snprintf(key, sizeof key, "%s_err", name);
    *err = summary_number(run->summary, key);
  }
  return status;
}

/* Why nothing can be said of a run, and how many draws it has. */
static int64_t judge_run(CompareRun *run)
{
  run->independent = summary_number(run->summary, "independent_samples");
  run->too_few[0] = '\0';
  if (run->replicas >= VERDICT_DRAWS) {
    run->independent = run->replicas;
    return run->replicas;
  }
  const char *errors = summary_value(run->summary, "errors");
  const double blocks = summary_number(run->summary, "error_blocks");
  if (run->replicas > 1 || run->temperatures > 0)
    snprintf(run->too_few, sizeof run->too_few, "has %d %s, of which %d are wanted", run->replicas,
             run->temperatures > 0 ? "independent ladders" : "replicas", VERDICT_DRAWS);
  else if (errors == NULL || isnan(blocks))
    snprintf(run->too_few, sizeof run->too_few,
             "does not say how sound its errors are: it is of an earlier version and must run again");
  else if (strcmp(errors, "sound") != 0)
    snprintf(run->too_few, sizeof run->too_few,
             "is too short for its correlation to be known: it has %.3g independent samples at most",
             run->independent);
  else if (blocks < VERDICT_DRAWS)
    snprintf(run->too_few, sizeof run->too_few, "has errors from %g blocks of time, of which %d are wanted",
             blocks, VERDICT_DRAWS);
  return run->too_few[0] == '\0' ? (int64_t)fmin(blocks, 1e9) : 0;
}

Status compare_read_table(const CompareRun *run, const char *name, bool optional, Table **table, Error *error)
{
  *table = NULL;
  if (optional && !file_exists(run->dir, name))
    return STATUS_OK;
  char *path = file_path(run->dir, name);
  const Status status = path != NULL ? table_read(table, path, error) : error_memory(error, "a file name");
  free(path);
  return status;
}

static Status read_means(CompareRun *run, Error *error)
{
  Table *table;
  Status status = compare_read_table(run, "replicas.csv", false, &table, error);
  if (status != STATUS_OK)
    return status;
  CompareMean *energy = &run->mean[0];
  *energy = (CompareMean){.key = means[0].key, .name = means[0].name, .unit = means[0].unit};
  if (table->nrow == 0)
    status = error_set(error, STATUS_INPUT, "%s holds no replica: did the run end before its equilibration?",
                       table->path);
  run->temperatures = compare_ladder_lowest(table);
  if (status == STATUS_OK)
    status = column_mean(run, table, "potential", &energy->value, &energy->error, error);
  if (status == STATUS_OK)
    status = column_mean(run, table, "temperature", &run->temperature, &run->temperature_error, error);
  if (status == STATUS_OK) {
    run->replicas = (int)table->nrow;
    run->nmean = 1;
    energy->draws = judge_run(run);
  }
  table_free(table);
  return status;
}

/* The draws behind the numbers of an observable's own table: its blocks, or the replicas. */
static Status table_draws(const CompareRun *run, const char *name, int64_t *draws, Error *error)
{
  *draws = run->replicas >= VERDICT_DRAWS ? run->replicas : 0;
  if (run->replicas > 1)
    return STATUS_OK;
  Table *table;
  double blocks = NAN, plateau = NAN;
  const Status status = compare_read_table(run, name, true, &table, error);
  if (table != NULL && table_number(table, "blocks", &blocks, NULL) == STATUS_OK &&
      table_number(table, "plateau", &plateau, NULL) == STATUS_OK && plateau > 0.0 && blocks >= VERDICT_DRAWS)
    *draws = (int64_t)fmin(blocks, 1e9);
  table_free(table);
  return status;
}

static Status add_mean(CompareRun *run, size_t row, const char *key, Error *error)
{
  char with[96];
  snprintf(with, sizeof with, "%.80s_err", key);
  const double value = summary_number(run->summary, key), err = summary_number(run->summary, with);
  if (isnan(value) || !(err > 0.0) || run->nmean == COMPARE_MEANS)
    return STATUS_OK;
  if (!(fabs(value) < largest && err < largest))
    return error_set(error, STATUS_INPUT, "%s/summary.yaml: %s: %g +- %g cannot be the mean of a run",
                     run->dir, key, value, err);
  CompareMean *mean = &run->mean[run->nmean++];
  *mean = (CompareMean){.key = key,
                        .name = means[row].name != NULL ? means[row].name : key,
                        .unit = means[row].unit,
                        .value = value,
                        .error = err,
                        .draws = run->mean[0].draws};
  return means[row].table != NULL ? table_draws(run, means[row].table, &mean->draws, error) : STATUS_OK;
}

/* What the summary has beside the energy. */
static Status read_more_means(CompareRun *run, Error *error)
{
  Status status = STATUS_OK;
  for (size_t row = 1; row < sizeof means / sizeof *means; row++)
    for (int k = 0; status == STATUS_OK && summary_key(run->summary, k) != NULL; k++) {
      const char *key = summary_key(run->summary, k);
      const size_t n = strlen(means[row].key);
      const bool begins = means[row].key[n - 1] == '_' && strncmp(key, means[row].key, n) == 0 &&
                          !text_ends(key, "_err") &&
                          !text_ends(key, "_corrected"); /* corrected: the same again */
      if (begins || strcmp(key, means[row].key) == 0)
        status = add_mean(run, row, key, error);
    }
  return status;
}

/* --- distributions ----------------------------------------------------------------------------------------
 */

/* A run may have kept no distribution. */
static Status read_distribution(CompareRun *run, Error *error)
{
  static const char name[] = "rdf_replicas.csv";
  if (!file_exists(run->dir, name))
    return STATUS_OK;
  Rdf *rdf = NULL;
  char *path = file_path(run->dir, name);
  Status status = path != NULL ? rdf_files_read(&rdf, path, error) : error_memory(error, "a file name");
  if (status == STATUS_OK) {
    run->rmax = rdf_rmax(rdf);
    status = rdf_files_fractions(rdf, &run->fraction, error);
  }
  if (status == STATUS_OK)
    compare_ladder_fractions(run, &run->fraction);
  rdf_free(rdf);
  free(path);
  return status;
}

Status compare_read_curves(CompareRun *run, const Table *table, const char *x, bool (*is)(const char *name),
                           size_t before, Error *error)
{
  CompareCurves *c = &run->curves;
  const size_t nbin = table->nrow;
  size_t npair = 0;
  for (int k = 0; k < table->ncol; k++)
    npair += is(table->name[k]);
  c->name = calloc(npair + 1, sizeof *c->name);
  c->r = malloc((nbin + 1) * sizeof *c->r);
  c->g = malloc((npair * nbin + 1) * sizeof *c->g);
  c->error = malloc((npair * nbin + 1) * sizeof *c->error);
  if (c->name == NULL || c->r == NULL || c->g == NULL || c->error == NULL)
    return error_memory(error, "curves");
  int column;
  Status status = table_column(table, x, &column, error);
  for (size_t b = 0; b < nbin && status == STATUS_OK; b++)
    c->r[b] = table_at(table, b, column);
  for (int k = 0; k < table->ncol && status == STATUS_OK; k++) {
    char with[80];
    if (!is(table->name[k]))
      continue;
    snprintf(with, sizeof with, "%s_err", table->name[k]);
    status = table_column(table, with, &column, error);
    for (size_t b = 0; b < nbin && status == STATUS_OK; b++) {
      c->g[(size_t)c->npair * nbin + b] = table_at(table, b, k);
      c->error[(size_t)c->npair * nbin + b] = table_at(table, b, column);
    }
    snprintf(c->name[c->npair++], sizeof *c->name, "%s", table->name[k] + before);
  }
  c->nbin = (int)nbin;
  return status;
}

static bool is_gofr(const char *name)
{
  const size_t n = strlen(name);
  return strncmp(name, "g_", 2) == 0 && n > 2 && n < 64 && !text_ends(name, "_err");
}

/* A box may have kept no g(r); of several replicas each has its own, which are not put together here. */
static Status read_curves(CompareRun *run, Error *error)
{
  Table *table;
  Status status = compare_read_table(run, "gofr.csv", true, &table, error);
  static const CompareCurvesWords words = {"g(r) of ", "A", "distance (Å)", 0.02, 1.0};
  run->curves.words = &words;
  if (table != NULL)
    status = compare_read_curves(run, table, "r", is_gofr, strlen("g_"), error);
  if (table != NULL && status == STATUS_OK)
    status = table_draws(run, "gofr.csv", &run->curves.draws, error);
  table_free(table);
  return status;
}

/* --- all of it --------------------------------------------------------------------------------------------
 */

Status compare_read(CompareRun *run, Error *error)
{
  Status status = summary_read(&run->summary, run->dir, error);
  if (status != STATUS_OK)
    return error_prefix(error, "%s is not the folder of a finished run", run->dir);
  status = name_run(run, error);
  compare_heat_read(run);
  if (status == STATUS_OK)
    status = read_means(run, error);
  if (status == STATUS_OK)
    status = read_more_means(run, error);
  if (status == STATUS_OK)
    status = read_distribution(run, error);
  if (status == STATUS_OK)
    status = run->temperatures > 0 ? compare_ladder_curves(run, error) : read_curves(run, error);
  return status;
}

void compare_read_free(CompareRun *run)
{
  free(run->label);
  free(run->group);
  summary_free(run->summary);
  free(run->fraction.x);
  free(run->curves.name);
  free(run->curves.r);
  free(run->curves.g);
  free(run->curves.error);
}
