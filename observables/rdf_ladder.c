/* Radial distributions by temperature: at those of a ladder, with errors from several ladders, and at any
 * between them from the samples of all. */
#include <stdio.h>
#include <stdlib.h>

#include "observables/rdf_private.h"

/* g at temperature k of the ladders, as a column. */
static Status add_temperature(const Rdf *rdf, int k, ResultTable *t, Error *error)
{
  Rdf own = *rdf;
  RdfResult result = {0};
  char name[16];
  TRY(block_rows_pick(rdf->rows, k, rdf->options.temperatures, &own.rows, error));
  const Status status = rdf_result(&own, &result, error);
  snprintf(name, sizeof name, "g%d", k);
  if (status == STATUS_OK)
    results_add_column(t, name, result.value, result.error);
  rdf_result_free(&result);
  block_rows_free(own.rows);
  return status;
}

/* All temperatures side by side; errors are from the ladders. */
static Status write_ladder(const Rdf *rdf, const double *r, const char *dir, ResultSet *set, Error *error)
{
  if (rdf->options.ladders < 2) {
    results_remark(set, "rdf: by temperature it wants two ladders (exchange.ladders), for errors");
    return STATUS_OK;
  }
  ResultTable *t = results_add_table(set, "rdf_ladder", (size_t)rdf->nbin);
  results_add_column(t, "r", r, NULL);
  for (int k = 0; k < rdf->options.temperatures; k++)
    TRY(add_temperature(rdf, k, t, error));
  results_say(t,
              "radial distribution of %s, g as in rdf.csv, at "
              "each temperature of the ladder: g0 at the lowest, in the order of ladder.csv\n"
              "r%s (middle of the bin); errors: one standard error, from %d ladders\nrmax: %.17g",
              rdf_files_points(rdf), rdf->options.reduced ? "" : " in A", rdf->options.ladders, rdf->longest);
  return results_csv_write(t, dir, error);
}

/* scale: of counts, to g. */
static Status write_reweighted(const Rdf *rdf, const double *r, const double *scale, const char *dir,
                               ResultSet *set, Error *error)
{
  EnergyColumns *columns = rdf->columns;
  const EnergyColumnsRequest request = {.columns = &columns,
                                        .n = 1,
                                        .wanted = rdf->nbin,
                                        .kT = rdf->options.kT,
                                        .at = rdf->options.at,
                                        .points = rdf->options.points,
                                        .inefficiency = block_rows_known(rdf->rows)};
  char comment[160];
  snprintf(comment, sizeof comment, "radial distribution of %s, g as in rdf.csv; r%s (middle of the bin)",
           rdf_files_points(rdf), rdf->options.reduced ? "" : " in A");
  const EnergyColumnsTable table = {
      .name = "rdf_reweighted", .symbol = "g", .comment = comment, .column = {"r"}, .x = {r}, .scale = scale};
  return energy_columns_write(&request, &table, dir, set, error);
}

Status rdf_ladder_write(const Rdf *rdf, const char *dir, ResultSet *set, Error *error)
{
  const size_t n = (size_t)rdf->nbin;
  double *r = malloc(2 * n * sizeof *r);
  TRY_MEMORY(r != NULL, "radial distributions", error);
  for (size_t b = 0; b < n; b++) {
    const double low = (double)b * rdf->width, high = ((double)b + 1.0) * rdf->width;
    r[b] = ((double)b + 0.5) * rdf->width;
    r[n + b] = rdf->volume / (rdf->pair[0].pairs * rdf_result_shell(rdf, low, high));
  }
  Status status = rdf_files_write(rdf, dir, error);
  if (status == STATUS_OK)
    status = write_ladder(rdf, r, dir, set, error);
  if (status == STATUS_OK && rdf->columns != NULL)
    status = write_reweighted(rdf, r, r + n, dir, set, error);
  free(r);
  return status;
}
