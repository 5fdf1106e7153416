/* Radial distributions by temperature: at those of a ladder, with errors from several ladders, and at any
 * between them from the samples of all. */
#include <stdio.h>

#include "base/scoped.h"
#include "observables/rdf_private.h"

/* g at temperature k of the ladders, as a column. */
static Status add_temperature(const Rdf *rdf, int k, ResultTable *t, Error *error)
{
  char name[16];
  SCOPED(block_rows_free_at) BlockRows *rows = NULL;
  SCOPED(observable_result_free) ObservableResult result = {0};
  TRY(block_rows_pick(rdf->is.rows, k, rdf->is.options.temperatures, &rows, error));
  TRY(observable_result(&rdf->is, rows, &result, error));
  snprintf(name, sizeof name, "g%d", k);
  results_add_column(t, name, result.value, result.error);
  return STATUS_OK;
}

/* All temperatures side by side; errors are from the ladders. */
static Status add_ladder(const Rdf *rdf, ResultSet *set, Error *error)
{
  if (rdf->is.options.ladders < 2) {
    results_remark(set, "rdf: by temperature it wants two ladders (exchange.ladders), for errors");
    return STATUS_OK;
  }
  ResultTable *t = results_add_table(set, "rdf_ladder", (size_t)rdf->nbin);
  results_add_column(t, "r", rdf->middle, NULL);
  for (int k = 0; k < rdf->is.options.temperatures; k++)
    TRY(add_temperature(rdf, k, t, error));
  results_say(t,
              "radial distribution of %s, g as in rdf.csv, at "
              "each temperature of the ladder: g0 at the lowest, in the order of ladder.csv\n"
              "r%s (middle of the bin); errors: one standard error, from %d ladders\nrmax: %.17g",
              rdf->whose, rdf->is.options.reduced ? "" : " in A", rdf->is.options.ladders, rdf->longest);
  return STATUS_OK;
}

/* scale: of counts, to g. */
static Status add_reweighted(const Rdf *rdf, const double *scale, ResultSet *set, Error *error)
{
  EnergyColumns *columns = rdf->columns;
  const EnergyColumnsRequest request = {.columns = &columns,
                                        .n = 1,
                                        .wanted = rdf->nbin,
                                        .kT = rdf->is.options.kT,
                                        .at = rdf->is.options.at,
                                        .points = rdf->is.options.points,
                                        .inefficiency = block_rows_known(rdf->is.rows)};
  char comment[192];
  snprintf(comment, sizeof comment, "radial distribution of %s, g as in rdf.csv; r%s (middle of the bin)",
           rdf->whose, rdf->is.options.reduced ? "" : " in A");
  const EnergyColumnsTable table = {.name = "rdf_reweighted",
                                    .symbol = "g",
                                    .comment = comment,
                                    .column = {"r"},
                                    .x = {rdf->middle},
                                    .scale = scale};
  return energy_columns_add_table(&request, &table, set, error);
}

Status rdf_ladder_write(const Rdf *rdf, const char *dir, ResultSet *set, Error *error)
{
  TRY(rdf_files_write(&rdf->is, dir, error));
  results_words(set, "", "rdf_pairs", rdf->pairs);
  TRY(add_ladder(rdf, set, error));
  for (int b = 0; b < rdf->nbin; b++)
    rdf->scratch[b] =
        rdf->volume / (rdf->pair[0].pairs * rdf_result_shell(rdf, b * rdf->width, (b + 1) * rdf->width));
  return rdf->columns != NULL ? add_reweighted(rdf, rdf->scratch, set, error) : STATUS_OK;
}
