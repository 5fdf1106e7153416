#include "simulation/run/record.h"

#include <math.h>

#include "simulation/ladder/ladder_report.h"

MeasureOptions record_options(const Run *run)
{
  const Simulation *s = run->s;
  const Config *c = s->config;
  return (MeasureOptions){.gauge = s->gauge,
                          .ensemble = s->ensemble,
                          .topology = s->topology,
                          .replicas = s->replicas,
                          .ncon = s->ncon,
                          .ladder = s->ladder,
                          .frame_slots = ladder_report_slots(s),
                          .equilibration = s->equilibration,
                          .thermo_every = c->output.thermo_every,
                          .frame_every = c->output.trajectory_every,
                          .multipliers_every = c->output.multipliers_every,
                          .frame_replica = c->output.trajectory_replica};
}

Status record_measure(Run *run, const MeasureOptions *options, Error *error)
{
  TRY(measure_create(&run->measure, options, error));
  run->multiplied = options->multipliers_replica;
  run->samples = measure_for_run(run->measure);
  return STATUS_OK;
}

void record_release(Run *run)
{
  measure_free(run->measure);
  multipliers_free(run->multipliers);
}

/* --- rows ------- */

/* Where there is one number for each row its error is not known. */
static bool has_error(const Run *run, int column)
{
  return means_draws(measure_means(run->measure)) > 1 &&
         (run->s->gauge->column[column].traits & MEANS_TOP) == 0;
}

static void head_rows(void *self, Text *text)
{
  const Run *run = self;
  const Simulation *s = run->s;
  text_print(text, "%s%s", run->rows->time, s->ladder != NULL ? ",target" : "");
  for (int i = 0; i < s->gauge->n; i++) {
    text_print(text, ",%s", s->gauge->name[i]);
    if (has_error(run, i))
      text_print(text, ",%s_err", s->gauge->name[i]);
  }
  text_print(text, "\n");
  run->rows->write_units(run, text);
  if (s->ladder != NULL)
    ladder_report_rows(s, run->rows->largest, text);
  else if (s->replicas > 1)
    text_print(text,
               "# means over %d replicas; x_err is the standard error of x; %s the largest of all replicas\n",
               s->replicas, run->rows->largest);
}

/* k: the temperature of a ladder that the row is of. */
static void write_row(const Run *run, Text *text, int k, const MeasureRow *row)
{
  const Gauge *g = run->s->gauge;
  run->rows->write_time(run, row->step, text);
  if (run->s->ladder != NULL)
    text_print(text, ",%.10g", ladder_report_kelvin(run->s, k));
  for (int i = 0; i < g->n; i++) {
    const bool top = (g->column[i].traits & MEANS_TOP) != 0, error = has_error(run, i);
    const double value = top ? measure_row_top(row, i) : measure_row_mean(row, i);
    if (isnan(value)) /* the pressure by atom before the first step */
      text_print(text, error ? ",nan,nan" : ",nan");
    else
      text_print(text, ",%.*g", top ? run->rows->top : 12, value);
    if (error && !isnan(value))
      text_print(text, ",%.*g", run->rows->error, measure_row_error(row, i));
  }
  text_print(text, "\n");
}

static Status write_rows(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  const int n = measure_temperatures(run->measure);
  for (int i = 0; i < measure_rows(run->measure) * n; i++) {
    const MeasureRow row = measure_row(run->measure, i / n, i % n);
    write_row(run, writer->text, i % n, &row);
    if (i % n == 0 && run->rows->note != NULL) /* of a ladder the lowest */
      run->rows->note(run, &row);
  }
  return STATUS_OK;
}

Status record_rows(Run *run, const RecordRows *rows, Error *error)
{
  const Writer writer = {.name = rows->name, .self = run, .head = head_rows, .write = write_rows};
  run->rows = rows;
  return simulation_run_add(run, &writer, error);
}

/* --- multipliers ------- */

static void head_multipliers(void *self, Text *text)
{
  char place[96];
  const Run *run = self;
  ladder_report_place(run->s, run->multiplied, place, sizeof place);
  multipliers_head(run->multipliers, run->multiplied_of, place, text);
}

static Status write_multipliers(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  for (int i = 0; i < measure_multipliers(run->measure); i++) {
    int64_t at;
    const double *lambda = measure_multiplier(run->measure, i, &at);
    multipliers_add(run->multipliers, writer->text, at, lambda);
  }
  return STATUS_OK;
}

Status record_multipliers(Run *run, const char *of, const MultipliersClock *clock, Error *error)
{
  const Simulation *s = run->s;
  const Writer writer = {
      .name = "multipliers.csv", .self = run, .head = head_multipliers, .write = write_multipliers};
  if (s->config->output.multipliers_every == 0)
    return STATUS_OK;
  TRY(multipliers_create(&run->multipliers, s->config, clock, s->ncon, plan_multipliers_age(s->plan), error));
  multipliers_chunks(run->multipliers, &run->chunks);
  run->multiplied_of = of;
  return simulation_run_add(run, &writer, error);
}
