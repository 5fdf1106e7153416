/* Writes and reads rdf_replicas.csv, the exact counts of an open system. */
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "observables/rdf_private.h"

/* Columns before the counts: replica, block, samples, and sums and squares of the monitors. */
enum { BEFORE = 3, COUNTS = BEFORE + 2 * RDF_MONITORS };

static void describe(const Rdf *rdf, ResultTable *t)
{
  results_say(
      t,
      "pair counts of %s, exact\nmonitor0: sum over the samples of the mean distance over rmax. Monitors 1 "
      "to %d: of the fraction of pairs below 1/%d to %d/%d of rmax. Sums of squares follow; the unit is "
      "1/%d. With one replica, rows are blocks of time\ninefficiency: %.17g (in samples, of other series of "
      "the run; 1: unknown)\nreplicas: %d\nnmol: %d\nrmax: %.17g\nnbin: %d",
      rdf->whose, RDF_BELOW, RDF_BELOW, RDF_BELOW, RDF_BELOW, RDF_UNIT, block_rows_known(rdf->is.rows),
      rdf->is.options.replicas > 1 ? block_rows_number(rdf->is.rows) : 1, rdf->npoint, rdf->longest,
      rdf->nbin);
  if (rdf->single)
    results_say(t, "dimensions: %d", rdf->dim);
}

/* Rows with samples as doubles, which represent such counts exactly: x[return][COUNTS + nbin + 1]. */
static size_t gather(const Rdf *rdf, double *x)
{
  const bool many = rdf->is.options.replicas > 1;
  size_t n = 0;
  for (int k = 0; k < block_rows_number(rdf->is.rows); k++) {
    const BlockRowsRow row = block_rows_at(rdf->is.rows, k);
    if (*row.samples == 0)
      continue;
    *x++ = many ? k : 0;
    *x++ = many ? 0 : k;
    *x++ = (double)*row.samples;
    for (int m = 0; m < 2 * RDF_MONITORS; m++)
      *x++ = row.monitor[m];
    for (int b = 0; b <= rdf->nbin; b++)
      *x++ = (double)row.whole[b];
    n++;
  }
  return n;
}

static void add_columns(const Rdf *rdf, const double *x, ResultTable *t)
{
  static const char *const before[BEFORE] = {"replica", "block", "samples"};
  const int ncol = COUNTS + rdf->nbin + 1;
  for (int c = 0; c < ncol; c++) {
    char name[32] = "beyond";
    if (c < BEFORE)
      snprintf(name, sizeof name, "%s", before[c]);
    else if (c < COUNTS)
      snprintf(name, sizeof name, "monitor%d%s", (c - BEFORE) / 2, (c - BEFORE) % 2 == 0 ? "" : "_squares");
    else if (c < ncol - 1)
      snprintf(name, sizeof name, "n%d", c - COUNTS);
    results_add_strided(t, name, x + c, NULL, (size_t)ncol);
  }
}

Status rdf_files_write(const Observable *o, const char *dir, Error *error)
{
  LOCALE_PLAIN;
  const Rdf *rdf = (const Rdf *)o;
  ResultSet set = {0};
  double *x = malloc((size_t)block_rows_number(rdf->is.rows) * (size_t)(COUNTS + rdf->nbin + 1) * sizeof *x);
  TRY_MEMORY(x != NULL, "counts of distances", error);
  ResultTable *t = results_add_table(&set, "rdf_replicas", gather(rdf, x));
  add_columns(rdf, x, t);
  describe(rdf, t);
  const Status status = results_csv_write(t, dir, error);
  results_free(&set);
  free(x);
  return status;
}

/* Reads the rows of a table of the right shape; the series then continues after them. */
static Status fill_rows(Rdf *rdf, const ResultTable *table, Error *error)
{
  const int replicas = rdf->is.options.replicas, many = replicas > 1;
  const ResultColumn *const x = table->column;
  for (size_t t = 0; t < table->nrow; t++) {
    const double which = x[!many].value[t];
    bool bad = !(which >= 0.0 && which < block_rows_number(rdf->is.rows) && x[many].value[t] == 0.0);
    for (int b = 2; b < table->ncol; b++)
      bad =
          bad || !(x[b].value[t] >= 0.0 && x[b].value[t] < 9007199254740992.0); /* 2^53: exact as a double */
    if (bad)
      return error_set(error, STATUS_INPUT, "%s: row %zu (replica %g, block %g) does not fit the header",
                       table->path, t + 1, x[0].value[t], x[1].value[t]);
    const BlockRowsRow row = block_rows_at(rdf->is.rows, (int)which);
    *row.samples = (int64_t)x[2].value[t];
    for (int m = 0; m < 2 * RDF_MONITORS; m++)
      row.monitor[m] = x[BEFORE + m].value[t];
    for (int b = 0; b <= rdf->nbin; b++)
      row.whole[b] = (int64_t)x[COUNTS + b].value[t];
  }
  for (int k = 0; k < replicas && table->nrow > 0; k++)
    if (*block_rows_at(rdf->is.rows, k).samples == 0)
      return error_set(error, STATUS_INPUT, "%s: replica %d has no row, or no sample", table->path, k);
  if (!many)
    block_rows_resume(rdf->is.rows);
  return STATUS_OK;
}

static Status read_table(Observable **rdf, const ResultTable *table, Error *error)
{
  static const char *const key[5] = {"replicas", "nmol", "rmax", "nbin", "inefficiency"};
  double value[5];
  if (results_column(table, "squares") != NULL)
    return error_set(error, STATUS_INPUT,
                     "%s is of an earlier version and lacks data for the correlation: run it again",
                     table->path);
  for (int k = 0; k < 5; k++) {
    TRY(results_csv_number(table, key[k], &value[k], error));
    if (!(value[k] > 0.0 && value[k] <= 1e9))
      return error_set(error, STATUS_INPUT, "%s: \"# %s: %g\" is invalid", table->path, key[k], value[k]);
  }
  const ObservableOptions options = {
      .replicas = (int)value[0], .rdf.max = value[2], .rdf.bins = (int)value[3]};
  if (table->ncol != COUNTS + options.rdf.bins + 1)
    return error_set(error, STATUS_INPUT, "%s: %d columns, but %d bins require %d", table->path, table->ncol,
                     options.rdf.bins, COUNTS + options.rdf.bins + 1);
  double dim = 3.0; /* the default */
  if (results_csv_number(table, "dimensions", &dim, NULL) == STATUS_OK && dim != 1.0 && dim != 2.0 &&
      dim != 3.0)
    return error_set(error, STATUS_INPUT, "%s: \"# dimensions: %g\" is invalid", table->path, dim);
  TRY(rdf_create_open(rdf, &options, (int)value[1], (int)dim, error));
  block_rows_learn((*rdf)->rows, value[4]);
  return fill_rows((Rdf *)*rdf, table, error);
}

Status rdf_files_read(Observable **rdf, const char *path, Error *error)
{
  *rdf = NULL;
  ResultTable *table;
  TRY(results_csv_load(&table, path, error));
  const Status status = read_table(rdf, table, error);
  results_free_table(table);
  if (status != STATUS_OK) {
    observable_free(*rdf);
    *rdf = NULL;
  }
  return status;
}

Status rdf_files_fractions(const Observable *o, RdfFractions *fractions, Error *error)
{
  const Rdf *rdf = (const Rdf *)o;
  const BlockRowsErrors errors = block_rows_errors(rdf->is.rows, 1.0);
  const size_t ncol = (size_t)rdf->nbin + 1, nrow = (size_t)errors.nblock;
  *fractions = (RdfFractions){.nrow = errors.nblock,
                              .ncol = (int)ncol,
                              .plateau = errors.plateau,
                              .x = malloc((nrow * ncol + 1) * sizeof(double))};
  TRY_MEMORY(fractions->x != NULL, "the rows of a radial distribution", error);
  for (size_t k = 0; k < nrow; k++) {
    double *x = fractions->x + k * ncol;
    const double samples = block_rows_sum(rdf->is.rows, &errors, (int)k, x);
    for (size_t b = 0; b < ncol; b++)
      x[b] /= rdf->pair[0].pairs * samples;
  }
  return STATUS_OK;
}
