#include "simulation/molecules/drift_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "engine/units.h"
#include "simulation/molecules/system.h"

static const double picosecond = 1000.0 / UNITS_AKMA_FS;

static void free_table(ResultTable **table) { results_free_table(*table); }

/* Fits a line to the last n rows; an unreadable file gives no line and is reported elsewhere. */
static Status measure_drift(const Run *run, int64_t n, StatisticsLine *line, Error *error)
{
  SCOPED(scoped_free) char *path = file_path(run->options->dir, "thermo.csv");
  SCOPED(free_table) ResultTable *table = NULL;
  *line = (StatisticsLine){NAN, NAN, NAN, 0};
  TRY_MEMORY(path != NULL, "a file name", error);
  if (!file_exists(run->options->dir, "thermo.csv"))
    return STATUS_OK;
  Error why;
  if (results_csv_load(&table, path, &why) != STATUS_OK)
    return STATUS_OK;
  const ResultColumn *time = results_column(table, "time_ps"), *energy = results_column(table, "conserved");
  if (time == NULL || energy == NULL)
    return STATUS_OK;
  const int64_t rows = (int64_t)table->nrow, used = n < rows ? n : rows;
  *line = statistics_drift(time->value + (rows - used), energy->value + (rows - used), used);
  return STATUS_OK;
}

/* Frequencies change until a start has melted, so those at the end are used; if they are not available, those
 * of the start. */
static Status expect_drift(const Run *run, SystemRates *rates, Error *error)
{
  const Simulation *s = run->s;
  *rates = system_molecules(s)->rates;
  if (run->status != STATUS_OK || !plan_is_thermal(s->plan) || config_penalises(s->config))
    return STATUS_OK;
  const Sample sample = ensemble_at(s->ensemble, 0);
  SCOPED(scoped_free) double *x = malloc(s->coordinates * sizeof *x);
  TRY_MEMORY(x != NULL, "positions", error);
  sample_get(&sample, s->topology, STATE_POSITIONS, 0, x);
  Error why;
  SystemRates last;
  if (system_rates(s, x, sample_box(&sample), &last, &why) == STATUS_OK)
    *rates = last;
  return STATUS_OK;
}

Status drift_report_summary(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const int64_t samples = measure_samples(run->measure);
  StatisticsLine line;
  SystemRates rates;
  if (!s->config->output.conserved || s->ladder != NULL || samples < 2)
    return STATUS_OK;
  TRY(measure_drift(run, samples, &line, error));
  if (!isfinite(line.slope))
    return STATUS_OK;
  TRY(expect_drift(run, &rates, error));
  if (s->config->schedule.varies) /* the rate depends on the temperature */
    rates.drift = NAN;
  results_mean(&run->results, "", "conserved_drift", line.slope, line.slope_error, NAN, NAN);
  if (line.draws == 0)
    results_note(&run->results, "too few rows for an error");
  if (isfinite(rates.drift))
    results_mean(&run->results, "", "conserved_drift_expected", rates.drift * picosecond + 0.0, /* not -0 */
                 rates.drift_error * picosecond, NAN, NAN);
  return STATUS_OK;
}
