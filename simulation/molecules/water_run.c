#include "simulation/molecules/water_run.h"

#include <math.h>
#include <stdlib.h>

#include "engine/owned.h"
#include "engine/units.h"
#include "simulation/ladder/ladder_report.h"
#include "simulation/molecules/water_report.h"
#include "simulation/run/frames.h"

/* --- thermo.csv ------- */

/* Where there is one number for each row its error is not known. */
static bool has_error(const Run *run, int column)
{
  const Measure *m = water_run(run)->measure;
  return means_draws(measure_means(m)) > 1 && column != measure_columns(m)->largest;
}

static void head_thermo(void *self, Text *text)
{
  const Run *run = self;
  const Simulation *s = run->s;
  const Columns *c = measure_columns(water_run(run)->measure);
  const int replicas = ensemble_replicas(s->ensemble);
  text_print(text, s->ladder != NULL ? "step,time_ps,target" : "step,time_ps");
  for (int i = 0; i < c->n; i++) {
    text_print(text, ",%s", c->name[i]);
    if (has_error(run, i))
      text_print(text, ",%s_err", c->name[i]);
  }
  text_print(text, "\n# energies in kcal/mol; temperature in K; momenta in g/mol A/AKMA (AKMA: %.5f fs)%s\n",
             UNITS_AKMA_FS,
             box_periodic(&s->box) ? "; pressures in bar" : ", angular momentum about the centre of mass");
  if (s->ladder != NULL)
    ladder_report_rows(s, "largest_g is", text);
  else if (replicas > 1)
    text_print(text,
               "# means over %d replicas; x_err is the standard error of x; largest_g is the largest "
               "of all replicas\n",
               replicas);
}

/* target: the temperature of a ladder that the row is of, K; 0: there is no ladder. */
static void write_row(const Run *run, Text *text, double target, const ThermoRow *row)
{
  const Columns *c = measure_columns(water_run(run)->measure);
  text_print(text, "%lld,%.10g", (long long)row->step, system_picoseconds(run->s, row->step));
  if (target > 0.0)
    text_print(text, ",%.10g", target);
  for (int i = 0; i < c->n; i++) {
    const double value = i == c->largest ? row->top[i] : row->mean[i];
    const bool error = has_error(run, i);
    if (isnan(value)) /* the pressure by atom before the first step */
      text_print(text, error ? ",nan,nan" : ",nan");
    else
      text_print(text, ",%.12g", value);
    if (error && !isnan(value))
      text_print(text, ",%.4g", row->error[i]);
  }
  text_print(text, "\n");
}

static Status write_thermo(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  WaterRun *w = water_run(run);
  const int n = measure_temperatures(w->measure);
  for (int i = 0; i < measure_rows(w->measure) * n; i++) {
    const ThermoRow row = measure_row(w->measure, i / n, i % n);
    write_row(run, writer->text, n > 1 ? ladder_report_kelvin(run->s, i % n) : 0.0, &row);
    if (i % n == 0) /* of a ladder the lowest */
      thermo_picture_add(w->picture, &row);
  }
  return STATUS_OK;
}

/* --- trajectories and multipliers ------- */

/* What H5MD files hold of a replica beside its atoms. */
static void fill_observables(const Columns *c, const double *value, Frame *frame)
{
  int column[COLUMNS_WHOLE];
  frame->nobservable = value != NULL ? measure_columns_whole(c, column) : 0;
  for (int i = 0; i < frame->nobservable; i++) {
    FrameObservable *to = &frame->observable[i];
    snprintf(to->name, sizeof to->name, "%s", c->name[column[i]]);
    snprintf(to->unit, sizeof to->unit, "%s", c->unit[column[i]]);
    to->value = value[column[i]];
  }
}

static Status write_frames(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  const Track *track = self;
  const Simulation *s = track->run->s;
  const bool all = s->config->output.trajectory_replica == CONFIG_ALL && s->replicas > 1;
  WaterRun *w = water_run(track->run);
  Status status = STATUS_OK;
  for (int i = 0; i < measure_frames(w->measure) * track->count && status == STATUS_OK; i++) {
    const int r = track->first + i % track->count;
    const MeasureFrame f = measure_frame(w->measure, i / track->count, r);
    frames_fill(s, s->config->output.wrap, f.step, f.x, f.v, &w->frame);
    fill_observables(measure_columns(w->measure), f.columns, &w->frame);
    w->frame.replica = all ? r : -1;
    status = trajectory_write(writer->trajectory, &w->frame, error);
  }
  return status;
}

/* Of several replicas a file for each in a folder of its own, or one for all. */
static Status add_trajectory(Run *run, const TrajectoryFormat *format, int replicas, Track *track,
                             Error *error)
{
  const bool together = (format->traits & TRAJECTORY_TOGETHER) != 0;
  Status status = STATUS_OK;
  for (int r = 0; r < (together ? 1 : replicas) && status == STATUS_OK; r++, track++) {
    const bool folder = replicas > 1 && !together;
    *track = (Track){.run = run, .first = r, .count = together ? replicas : 1};
    snprintf(track->name, sizeof track->name, "%s%strajectory.%s", folder ? sampling_folder(r).name : "",
             folder ? "/" : "", format->name);
    Writer writer = {.name = track->name,
                     .self = track,
                     .write = write_frames,
                     .frames = true,
                     .options = frames_options(run->s, run->s->config->output.trajectory_every)};
    writer.options.replicas = track->count;
    status = simulation_run_add(run, &writer, error);
  }
  return status;
}

static Status add_trajectories(Run *run, Error *error)
{
  const Config *c = run->s->config;
  WaterRun *w = water_run(run);
  const int replicas = c->output.trajectory_replica == CONFIG_ALL ? run->s->replicas : 1;
  if (c->output.trajectory == 0)
    return STATUS_OK;
  int formats = 0;
  while (trajectory_formats[formats] != NULL)
    formats++;
  w->track = calloc((size_t)replicas * (size_t)formats, sizeof *w->track);
  if (w->track == NULL)
    return error_memory(error, "trajectories");
  Status status = frames_shape(run->s, &w->frame, error);
  for (int i = 0; i < formats && status == STATUS_OK; i++)
    if (c->output.trajectory & 1u << i)
      status = add_trajectory(run, trajectory_formats[i], replicas, w->track + i * replicas, error);
  return status;
}

static Status write_multipliers(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const WaterRun *w = water_run(self);
  for (int i = 0; i < measure_multipliers(w->measure); i++) {
    int64_t at;
    const double *lambda = measure_multiplier(w->measure, i, &at);
    multipliers_add(w->multipliers, writer->text, at, lambda);
  }
  return STATUS_OK;
}

static void head_multipliers(void *self, Text *text)
{
  char place[96];
  const Run *run = self;
  ladder_report_place(run->s, 0, place, sizeof place);
  multipliers_head(water_run(run)->multipliers, "molecule 1", place, text);
}

/* --- what is measured ------- */

static Status make_measure(Run *run, Error *error)
{
  const Simulation *s = run->s;
  const Config *c = s->config;
  WaterRun *w = water_run(run);
  const bool periodic = box_periodic(&s->box);
  Status status = sampling_create(&w->sampling, s, s->ensemble, error);
  if (status != STATUS_OK)
    return status;
  MeasureOptions options = system_measure(s);
  options.ladder = s->ladder;
  options.energies = c->exchange.reweights > 0;
  options.frame_slots = ladder_report_slots(s);
  options.velocities = periodic && c->output.velocities;
  options.frame_columns = trajectory_formats_have(c->output.trajectory, TRAJECTORY_NUMBERS);
  options.observables = sampling_sets(w->sampling, &options.sets);
  options.equilibration = s->equilibration;
  options.thermo_every = c->output.thermo_every;
  options.frame_every = c->output.trajectory != 0 ? c->output.trajectory_every : 0;
  options.multipliers_every = c->output.multipliers_every;
  options.frame_replica = c->output.trajectory_replica;
  status = measure_create(&w->measure, &options, error);
  if (status != STATUS_OK)
    return status;
  run->samples = measure_for_run(w->measure);
  return STATUS_OK;
}

Status water_run_record(Run *run, Error *error)
{
  Simulation *s = run->s;
  WaterRun *w = run->own = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "a run");
  run->keeps_good = true;
  Status status = make_measure(run, error);
  if (status == STATUS_OK)
    status = thermo_picture_create(&w->picture, s, w->measure, error);
  if (status != STATUS_OK)
    return status;
  const Writer thermo = {.name = "thermo.csv", .self = run, .head = head_thermo, .write = write_thermo};
  const Writer multipliers = {
      .name = "multipliers.csv", .self = run, .head = head_multipliers, .write = write_multipliers};
  status = simulation_run_add(run, &thermo, error);
  if (status == STATUS_OK)
    status = add_trajectories(run, error);
  thermo_picture_chunks(w->picture, &run->chunks);
  chunk_add(&run->samples.chunks, &system_water(s)->rates.reading, sizeof(double));
  if (status != STATUS_OK || s->config->output.multipliers_every == 0)
    return status;
  status = multipliers_create(&w->multipliers, s->config, s->ncon, plan_multipliers_age(s->plan), error);
  if (status != STATUS_OK)
    return status;
  multipliers_chunks(w->multipliers, &run->chunks);
  return simulation_run_add(run, &multipliers, error);
}

void water_run_release(Run *run)
{
  WaterRun *w = water_run(run);
  if (w == NULL)
    return;
  measure_free(w->measure);
  sampling_free(w->sampling);
  observable_report_free(&w->observed);
  thermo_picture_free(w->picture);
  multipliers_free(w->multipliers);
  frame_free(&w->frame);
  free(w->track);
  free(w);
}

bool water_run_progress(const Run *run, char *words, size_t size)
{
  const Measure *m = water_run(run)->measure;
  const int rows = measure_rows(m);
  if (rows == 0)
    return false;
  const Columns *c = measure_columns(m);
  const ThermoRow row = measure_row(m, rows - 1, 0);
  text_append(words, size, "%.3f ps  T %.2f K  E %.3f kcal/mol", system_picoseconds(run->s, row.step),
              row.mean[c->temperature], row.mean[c->total]);
  if (box_periodic(&run->s->box) && run->progress.rate > 0.0)
    text_append(words, size, "  %.3g ns/day", system_speed(run->s, 1.0 / run->progress.rate));
  return true;
}

/* --- the start ------- */

void water_run_log_start(const Run *run)
{
  const Simulation *s = run->s;
  const SystemRates *rates = &system_water(s)->rates;
  text_say(run->log, "start: %s\n", system_water(s)->start.remark);
  if (!s->constrained && system_water(s)->model != NULL)
    text_print(run->log, "penalised modes: h W = %.3g, %.3g, %.3g\n", s->h * rates->penalty[0],
               s->h * rates->penalty[1], s->h * rates->penalty[2]);
  text_print(run->log, "fastest libration of the rigid molecules: h W = %.3g\n", s->h * rates->libration);
  char words[512];
  if (water_report_reading(s, rates->reading, words, sizeof words))
    text_print(run->log, "%s", words);
}

Status water_run_keep_start(const Run *run, Error *error)
{
  return system_start_keep(run->s, &system_water(run->s)->start, run->options->dir, error);
}

/* --- the end ------- */

static Status write_final(const Run *run, const State **gang, Error *error)
{
  const Simulation *s = run->s;
  const char *dir = run->options->dir;
  for (int g = 0; g < ensemble_gangs(s->ensemble); g++)
    gang[g] = ensemble_gang(s->ensemble, g);
  const int chosen = s->config->output.trajectory_replica;
  const Status status = frames_replicas(s, gang, 0, s->replicas, true, dir, "final.xyz", error);
  return status == STATUS_OK && box_periodic(&s->box)
             ? frames_replicas(s, gang, chosen == CONFIG_ALL ? 0 : chosen, 1, true, dir, "final.gro", error)
             : status;
}

/* Of the replicas of this run. */
static Status write_good(const Run *run, const State **gang, Error *error)
{
  for (int g = 0; g < ensemble_gangs(run->s->ensemble); g++)
    gang[g] = run->good[g];
  return frames_replicas(run->s, gang, run->first, run->last - run->first + 1, false, run->options->dir,
                         "last-good.xyz", error);
}

Status water_run_leave(Run *run, Status status, Error *error)
{
  static const char *const left[] = {"final.xyz", "final.gro", "last-good.xyz"};
  const char *dir = run->options->dir;
  Error why;
  const bool good = status == STATUS_OK;
  const State **gang = malloc((size_t)ensemble_gangs(run->s->ensemble) * sizeof *gang);
  Status written = gang == NULL ? error_memory(&why, "the last structure") : STATUS_OK;
  /* What an earlier attempt left says nothing about this one, also where its successor cannot be written. */
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    (void)owned_remove(dir, left[i], NULL);
  if (written == STATUS_OK && (good || run->kept))
    written = good ? write_final(run, gang, &why) : write_good(run, gang, &why);
  free((void *)gang);
  if (written != STATUS_OK) {
    text_print(run->log, "no %s structure: %s\n", good ? "final" : "last good", why.text);
    return good ? error_set(error, written, "no final structure: %s", why.text) : status;
  }
  if (!good && run->kept) {
    char words[sizeof error->text];
    snprintf(words, sizeof words, "%s", error->text);
    error_set(error, status, "%.1600s; %s/last-good.xyz is of step %lld%s", words, dir,
              (long long)run->good[ensemble_first(run->s->ensemble)]->step,
              run->s->replicas > 1 ? ", a frame for each replica" : "");
  }
  return status;
}
