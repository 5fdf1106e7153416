/* Radial distribution functions by temperature: at those of a ladder, with errors from several ladders, and
 * at any between them by reweighting. */
#include <stdio.h>

#include "base/scoped.h"
#include "observables/rdf_private.h"

/* "g", with labels "g_O-H"; at a temperature of the ladder "g0", "g0_O-H". */
static void name_curve(const Rdf *rdf, int pair, int temperature, char name[64])
{
  char label[40] = "", number[16] = "";
  if (temperature >= 0)
    snprintf(number, sizeof number, "%d", temperature);
  if (rdf->labelled)
    rdf_peaks_label(rdf, pair, label);
  snprintf(name, 64, "g%s%s%s", number, rdf->labelled ? "_" : "", label);
}

/* Adds g at temperature k of the ladders, a column for each pair. */
static Status add_temperature(const Rdf *rdf, int k, ResultTable *t, Error *error)
{
  SCOPED(block_rows_free_at) BlockRows *rows = NULL;
  SCOPED(observable_result_free) ObservableResult result = {0};
  TRY(block_rows_pick(rdf->is.rows, k, rdf->is.options.temperatures, &rows, error));
  TRY(observable_result(&rdf->is, rows, &result, error));
  for (int p = 0; p < rdf->npair; p++) {
    char name[64];
    const size_t at = rdf_result_curve(rdf, p);
    name_curve(rdf, p, k, name);
    results_add_column(t, name, result.value + at, result.error + at);
  }
  return STATUS_OK;
}

/* Adds all temperatures; errors are from the ladders. */
static Status add_ladder(const Rdf *rdf, ResultSet *set, Error *error)
{
  if (rdf->is.options.ladders < 2) {
    results_remark(set, "rdf: errors by temperature need two ladders (exchange.ladders)");
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

/* Adds reweighted g: counts of each pair within the range, and the factor from their mean to g. */
static Status add_reweighted(const Rdf *rdf, ResultSet *set, Error *error)
{
  const int wanted = rdf->npair * rdf->nbin;
  SCOPED(arena_free) Arena arena = {0};
  double *const scale = arena_take(&arena, (size_t)wanted, sizeof *scale);
  int *const place = arena_take(&arena, (size_t)wanted, sizeof *place);
  TRY(arena_check(&arena, "radial distributions by temperature", error));
  char name[RDF_PAIRS][64];
  const char *symbol[RDF_PAIRS];
  for (int p = 0; p < rdf->npair; p++) {
    name_curve(rdf, p, -1, name[p]);
    symbol[p] = name[p];
    for (int b = 0; b < rdf->nbin; b++) {
      place[p * rdf->nbin + b] = (int)rdf_result_counts(rdf, p) + b;
      scale[p * rdf->nbin + b] =
          rdf->volume / (rdf->pair[p].pairs * rdf_result_shell(rdf, b * rdf->width, (b + 1) * rdf->width));
    }
  }
  EnergyColumns *columns = rdf->columns;
  const EnergyColumnsRequest request = {.columns = &columns,
                                        .n = 1,
                                        .wanted = wanted,
                                        .place = place,
                                        .kT = rdf->is.options.kT,
                                        .at = rdf->is.options.at,
                                        .points = rdf->is.options.points,
                                        .inefficiency = block_rows_known(rdf->is.rows)};
  char comment[320];
  snprintf(comment, sizeof comment, "radial distribution of %s, g as in rdf.csv; r%s (middle of the bin)",
           rdf->whose, rdf->is.options.reduced ? "" : " in A");
  const EnergyColumnsTable table = {.name = "rdf_reweighted",
                                    .symbols = rdf->npair,
                                    .symbol = symbol,
                                    .comment = comment,
                                    .column = {"r"},
                                    .x = {rdf->middle},
                                    .scale = scale};
  return energy_columns_add_table(&request, &table, set, error);
}

Status rdf_ladder_write(const Rdf *rdf, const char *dir, ResultSet *set, Error *error)
{
  if (!rdf->labelled)
    TRY(rdf_files_write(&rdf->is, dir, error));
  results_words(set, "", "rdf_pairs", rdf->pairs);
  TRY(add_ladder(rdf, set, error));
  return rdf->columns != NULL ? add_reweighted(rdf, set, error) : STATUS_OK;
}
