#include "simulation/run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/run/ladder_report.h"
#include "simulation/run/multipliers.h"

static RecorderOptions options_of(Run *run)
{
  const Simulation *s = run->s;
  const Config *c = s->config;
  const RecordForm *form = s->sort->record;
  const bool thermal = c->thermostat.type != THERMOSTAT_NONE && s->measurement->potential >= 0,
             frames = c->output.trajectory != 0;
  int sets;
  ObservableSet *const *set = sampling_sets(run->sampling, &sets);
  return (RecorderOptions){.measurement = s->measurement,
                           .ensemble = s->ensemble,
                           .replicas = s->replicas,
                           .ncon = s->ncon,
                           .ladder = s->ladder,
                           .frame_slots = ladder_report_slots(s),
                           .equilibration = s->equilibration,
                           .thermo_every = c->output.thermo_every,
                           .frame_every = form->points || frames ? config_frames_every(c) : 0,
                           .multipliers_every = c->output.multipliers_every,
                           .frame_replica = c->output.trajectory_replica,
                           .multipliers_replica = form->points ? c->output.trajectory_replica : 0,
                           .frame_columns = form->points ||
                                            trajectory_formats_have(c->output.trajectory, TRAJECTORY_NUMBERS),
                           .momenta = form->points,
                           .velocities = c->output.velocities,
                           .energies = c->exchange.reweights > 0,
                           .mixing = s->ladder == NULL && (thermal || !form->points),
                           .evaporation = form->evaporates,
                           .observables = set,
                           .sets = sets,
                           .joint = sampling_joint(run->sampling)};
}

Status record_create(Run *run, Error *error)
{
  const RecordForm *form = run->s->sort->record;
  run->own = calloc(1, form->own);
  TRY_MEMORY(run->own != NULL, "a run", error);
  TRY(sampling_create(&run->sampling, run->s, error));
  const RecorderOptions options = options_of(run);
  TRY(measure_create(&run->measure, &options, error));
  run->clock = &form->clock;
  run->keeps_good = !form->points;
  run->multiplied = options.multipliers_replica;
  run->samples = measure_for_run(run->measure);
  if (form->points)
    run->samples.last = 1u << MEASURE_FRAME;
  return form->add(run, error);
}

void record_curve(RecordRows *rows, const Measurement *m, const char *column, const char *also, bool drift)
{
  const int at = measurement_find(m, column);
  if (at >= 0)
    rows->curve[rows->ncurve++] = (RecordCurve){at, also != NULL ? measurement_find(m, also) : -1, drift};
}

void record_release(Run *run)
{
  const RecordForm *form = run->s->sort->record;
  if (run->own != NULL && form->release != NULL)
    form->release(run);
  free(run->own);
  for (int i = 0; i < run->ntable; i++) {
    history_free(run->table[i]->history);
    free(run->table[i]);
  }
  measure_free(run->measure);
  multipliers_free(run->multipliers);
}

/* --- rows ------- */

/* In the clock of the tables. */
static double time_at(const Run *run, int64_t step)
{
  return simulation_time_at(run->s, step) * run->clock->per;
}

/* A column with one number in each row has no error. */
static bool has_error(const RecordTable *t, int column)
{
  return t->rows.of == RECORD_ALL && means_draws(measure_means(t->run->measure)) > 1 &&
         (t->run->s->measurement->column[column].traits & MEANS_TOP) == 0;
}

/* The table's range of columns. */
static int first_column(const RecordTable *t)
{
  return t->rows.of == RECORD_POINT ? t->run->s->measurement->shown : 0;
}

static int end_column(const RecordTable *t)
{
  const Simulation *s = t->run->s;
  return t->rows.of == RECORD_ALL   ? s->measurement->n
         : t->rows.of == RECORD_ONE ? s->measurement->shown
                                    : s->measurement->shown + 2 * (int)s->coordinates;
}

/* Writes the replicas of the rows. */
static void head_replicas(const RecordTable *t, Text *text)
{
  char place[96];
  const Simulation *s = t->run->s;
  ladder_report_place(s, s->config->output.trajectory_replica, place, sizeof place);
  if (t->rows.of == RECORD_ALL && s->ladder != NULL)
    ladder_report_rows(s, t->rows.largest, text);
  else if (t->rows.of == RECORD_ALL && s->replicas > 1)
    text_print(text,
               "# means over %d replicas; x_err is the standard error of x; %s the largest of all replicas\n",
               s->replicas, t->rows.largest);
  else if (s->replicas > 1)
    text_print(text, "# %s of %d\n", place, s->replicas);
}

static void head_rows(void *self, Text *text)
{
  const RecordTable *t = self;
  const Simulation *s = t->run->s;
  text_print(text, "%s%s%s", t->rows.steps ? "step," : "", t->run->clock->name,
             s->ladder != NULL && t->rows.of == RECORD_ALL ? ",target" : "");
  for (int i = first_column(t); i < end_column(t); i++) {
    text_print(text, ",%s", s->measurement->name[i]);
    if (has_error(t, i))
      text_print(text, ",%s_err", s->measurement->name[i]);
  }
  text_print(text, "\n");
  if (t->rows.remark != NULL)
    text_print(text, "# %s\n", t->rows.remark);
  text_print(text, "# %s\n", t->rows.units);
  head_replicas(t, text);
}

static void write_value(const RecordTable *t, Text *text, int column, const MeasureRow *row)
{
  const bool top = (t->run->s->measurement->column[column].traits & MEANS_TOP) != 0,
             error = has_error(t, column);
  const int i = column - first_column(t);
  const double value = top ? measure_row_top(row, i) : measure_row_mean(row, i);
  if (isnan(value)) /* pressure by atom before the first step */
    text_print(text, error ? ",nan,nan" : ",nan");
  else
    text_print(text, ",%.*g", top ? t->rows.top : t->rows.digits, value);
  if (error && !isnan(value))
    text_print(text, ",%.*g", t->rows.error, measure_row_error(row, i));
}

/* k: temperature of a ladder. */
static void write_row(const RecordTable *t, Text *text, int k, const MeasureRow *row)
{
  const Simulation *s = t->run->s;
  if (t->rows.steps)
    text_print(text, "%lld,", (long long)row->step);
  text_print(text, "%.*g", t->rows.time, time_at(t->run, row->step));
  if (s->ladder != NULL && t->rows.of == RECORD_ALL)
    text_print(text, ",%.10g", ladder_report_kelvin(s, k));
  for (int i = first_column(t); i < end_column(t); i++)
    write_value(t, text, i, row);
  text_print(text, "\n");
}

/* Passes a row to the picture, and to `note`. */
static void note_row(RecordTable *t, const MeasureRow *row)
{
  double value[HISTORY_QUANTITIES];
  for (int k = 0; k < t->rows.ncurve; k++) {
    const RecordCurve *c = &t->rows.curve[k];
    value[k] = measure_row_mean(row, c->column - first_column(t));
    if (c->also >= 0)
      value[k] += measure_row_mean(row, c->also - first_column(t));
    if (history_rows(t->history) == 0)
      t->first[k] = c->drift ? value[k] : 0.0;
    value[k] -= t->first[k];
  }
  if (t->history != NULL)
    history_add(t->history, time_at(t->run, row->step), value);
  if (t->rows.note != NULL)
    t->rows.note(t->run, row);
}

static MeasureRow row_at(const RecordTable *t, int i, int temperature)
{
  if (t->rows.of == RECORD_ALL)
    return measure_row(t->run->measure, i, temperature);
  const MeasureFrame frame = measure_frame(t->run->measure, i, 0);
  return (MeasureRow){.step = frame.step, .value = t->rows.of == RECORD_ONE ? frame.columns : frame.x};
}

static Status write_rows(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  RecordTable *t = self;
  const Recorder *m = t->run->measure;
  const bool all = t->rows.of == RECORD_ALL;
  const int n = all ? measure_temperatures(m) : 1;
  for (int i = 0; i < (all ? measure_rows(m) * n : measure_frames(m)); i++) {
    const MeasureRow row = row_at(t, i / n, i % n);
    write_row(t, writer->text, i % n, &row);
    if (i % n == 0) /* in a ladder the lowest temperature */
      note_row(t, &row);
  }
  return STATUS_OK;
}

Status record_rows(Run *run, const RecordRows *rows, Error *error)
{
  RecordTable *t = calloc(1, sizeof *t);
  TRY_MEMORY(t != NULL, "a table", error);
  *t = (RecordTable){.run = run, .rows = *rows};
  run->table[run->ntable++] = t;
  if (rows->ncurve > 0) {
    TRY(history_create(&t->history, rows->ncurve, rows->groups > 0 ? rows->groups : HISTORY_GROUPS, error));
    chunk_add(&run->chunks, t->first, sizeof t->first);
    history_chunks(t->history, &run->chunks);
  }
  if (rows->name == NULL)
    return STATUS_OK;
  const Writer writer = {.name = rows->name, .self = t, .head = head_rows, .write = write_rows};
  return run_add(run, &writer, error);
}

const RecordRows *record_averaged(const Run *run)
{
  for (int i = 0; i < run->ntable; i++)
    if (run->table[i]->rows.of == RECORD_ALL)
      return &run->table[i]->rows;
  return NULL;
}

QuantityWords record_caption(const Run *run, const char *table, const char *column)
{
  const QuantityRow *q = quantity_find(run->s->sort->quantities, table, column);
  if (q != NULL)
    return quantity_caption(q, run->s->config->reduced ? q->reduced : q->unit);
  QuantityWords words;
  snprintf(words.text, sizeof words.text, "%s", column);
  return words;
}

static Status draw(const RecordTable *t, Error *error)
{
  const Run *run = t->run;
  QuantityWords label[HISTORY_QUANTITIES];
  char name[32];
  Error why;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(t->rows.name, "."), t->rows.name);
  for (int k = 0; k < t->rows.ncurve; k++) {
    const RecordCurve *c = &t->rows.curve[k];
    const QuantityWords of = record_caption(run, name, run->s->measurement->name[c->column]);
    snprintf(label[k].text, sizeof label[k].text, "%s%.140s", c->drift ? "drift of " : "", of.text);
  }
  const QuantityWords time = record_caption(run, name, run->clock->name);
  const HistoryPicture of = {.n = t->rows.ncurve,
                             .label = label,
                             .after = time_at(run, run->s->equilibration),
                             .xlabel = time.text,
                             .title = run->s->config->title};
  const Status status = history_draw(t->history, &of, run->options->dir, name, &why);
  return run_picture(run, status, &why, error);
}

Status record_draw(const Run *run, Error *error)
{
  for (int i = 0; i < run->ntable; i++) {
    const RecordTable *t = run->table[i];
    if (t->history != NULL)
      TRY(t->rows.draw != NULL ? t->rows.draw(run, t->history, error) : draw(t, error));
  }
  return STATUS_OK;
}

Status record_multipliers(Run *run, const char *of, Error *error)
{
  if (run->s->config->output.multipliers_every == 0)
    return STATUS_OK;
  TRY(multipliers_create(&run->multipliers, run, of, error));
  multipliers_chunks(run->multipliers, &run->chunks);
  const Writer writer = {.name = "multipliers.csv",
                         .self = run->multipliers,
                         .head = multipliers_head,
                         .write = multipliers_write};
  return run_add(run, &writer, error);
}
