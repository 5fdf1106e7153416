#include "simulation/molecules/water_run.h"

#include <stdlib.h>

#include "base/manifest.h"
#include "engine/units.h"
#include "simulation/molecules/frames.h"
#include "simulation/molecules/starts.h"
#include "simulation/molecules/system_words.h"
#include "simulation/molecules/water_report.h"
#include "simulation/run/ladder_report.h"
#include "simulation/run/penalty_report.h"

/* --- thermo.csv ------- */

/* With a picture for judging equilibration by eye. */
static Status add_rows(Run *run, Error *error)
{
  const Measurement *g = run->s->measurement;
  RecordRows thermo = {.name = "thermo.csv",
                       .steps = true,
                       .units = system_form(run->s)->units,
                       .largest = "largest_g is",
                       .time = 10,
                       .digits = 12,
                       .top = 12,
                       .error = 4};
  record_curve(&thermo, g, "potential", NULL, false);
  record_curve(&thermo, g, "total", NULL, false);
  if (run->s->config->output.conserved)
    record_curve(&thermo, g, "conserved", NULL, true);
  record_curve(&thermo, g, "temperature", NULL, false);
  record_curve(&thermo, g, measurement_find(g, "pressure") >= 0 ? "pressure" : "pressure_atom", NULL, false);
  record_curve(&thermo, g, "density", NULL, false);
  return record_rows(run, &thermo, error);
}

/* --- trajectories ------- */

/* Data of a replica in H5MD files, ordered by name, without terms and components. */
static void fill_observables(const Simulation *s, const double *value, Frame *frame)
{
  static const char *const whole[] = {"configurational",
                                      "conserved",
                                      "density",
                                      "enthalpy",
                                      "kinetic",
                                      "penalty",
                                      "potential",
                                      "pressure",
                                      "pressure_atom",
                                      "temperature",
                                      "temperature_unbiased",
                                      "total",
                                      "volume"};
  frame->nobservable = 0;
  for (size_t i = 0; i < sizeof whole / sizeof *whole && value != NULL; i++) {
    const int column = measurement_find(s->measurement, whole[i]);
    if (column < 0)
      continue;
    FrameObservable *to = &frame->observable[frame->nobservable++];
    snprintf(to->name, sizeof to->name, "%s", whole[i]);
    snprintf(to->unit, sizeof to->unit, "%s", s->measurement->unit[column]);
    to->value = value[column];
  }
}

static void warn_left_out(const Run *run, const char *why, const char *what)
{
  char words[1024];
  snprintf(words, sizeof words, "%.700s; %s", why, what);
  run_remark(run, "warning: ", words);
}

static Status write_frames(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  Track *track = self;
  const Simulation *s = track->run->s;
  const bool all = s->config->output.trajectory_replica == CONFIG_ALL && s->replicas > 1;
  WaterRun *w = water_run(track->run);
  for (int i = 0; i < measure_frames(track->run->measure) * track->count; i++) {
    const int r = track->first + i % track->count;
    const MeasureFrame f = measure_frame(track->run->measure, i / track->count, r);
    if (f.step % track->every != 0)
      continue;
    frames_fill(s, &f.box, s->config->output.wrap, f.step, f.x, f.v, &w->frame);
    fill_observables(s, f.columns, &w->frame);
    w->frame.replica = all ? r : -1;
    if (track->of->atom != NULL)
      TRY(frame_pick(&w->frame, track->of->atom, track->of->n, &w->part, error));
    TRY(trajectory_write(writer->trajectory, track->of->atom != NULL ? &w->part : &w->frame, error));
  }
  const char *const left_out = trajectory_left_out(writer->trajectory);
  if (*left_out != '\0' && !track->warned)
    warn_left_out(track->run, left_out, "this frame and similar ones are omitted from that file");
  track->warned = *left_out != '\0';
  return STATUS_OK;
}

/* Several replicas, or slots of a ladder, have one file each in their own folders, or one for all. */
static Status add_trajectory(Run *run, int row, int replicas, Track *track, Error *error)
{
  const TrajectoryFormat *format = trajectory_formats[row];
  const int64_t every = run->s->config->output.frames[row].every;
  Selection *selection = &water_run(run)->selection[row];
  TRY(selection_make(run->s, row, selection, error));
  const bool together = (format->traits & TRAJECTORY_TOGETHER) != 0;
  for (int r = 0; r < (together ? 1 : replicas); r++, track++) {
    const bool folder = replicas > 1 && !together;
    const bool slot = run->s->sort->alone && ladder_report_slots(run->s);
    *track =
        (Track){.run = run, .first = r, .count = together ? replicas : 1, .every = every, .of = selection};
    snprintf(track->name, sizeof track->name, "%s%strajectory.%s",
             folder ? sampling_folder(slot, r).name : "", folder ? "/" : "", format->name);
    Writer writer = {.name = track->name,
                     .self = track,
                     .write = write_frames,
                     .frames = true,
                     .options = frames_options(run->s, every)};
    writer.options.lenient = true;
    writer.options.replicas = track->count;
    writer.options.bond = (const int(*)[2])selection->bond;
    writer.options.nbond = selection->nbond;
    TRY(run_add(run, &writer, error));
  }
  return STATUS_OK;
}

static Status add_trajectories(Run *run, Error *error)
{
  const Config *c = run->s->config;
  WaterRun *w = water_run(run);
  const int replicas = c->output.trajectory_replica == CONFIG_ALL ? run->s->replicas : 1;
  if (c->output.trajectory == 0)
    return STATUS_OK;
  w->track = calloc((size_t)replicas * TRAJECTORY_FORMATS, sizeof *w->track);
  TRY_MEMORY(w->track != NULL, "trajectories", error);
  TRY(frames_shape(run->s, &w->frame, error));
  for (int i = 0; i < TRAJECTORY_FORMATS; i++)
    if (c->output.trajectory & 1u << i)
      TRY(add_trajectory(run, i, replicas, w->track + i * replicas, error));
  return STATUS_OK;
}

/* --- the row ------- */

static Status add_files(Run *run, Error *error)
{
  TRY(add_rows(run, error));
  TRY(add_trajectories(run, error));
  chunk_add(&run->samples.chunks, &system_molecules(run->s)->rates.reading, sizeof(double));
  chunk_add(&run->samples.chunks, &system_molecules(run->s)->rates.slow, sizeof(double));
  chunk_add(&run->samples.chunks, &run->s->counted, sizeof(double));
  if (run->s->free_energies != NULL) /* for the verdict on windows, also after a restart */
    chunk_add(&run->samples.chunks, &system_molecules(run->s)->start.frames, sizeof(int));
  return record_multipliers(run, "molecule 1", error);
}

static void release(Run *run)
{
  WaterRun *w = water_run(run);
  frame_free(&w->frame);
  frame_free(&w->part);
  for (int i = 0; i < TRAJECTORY_FORMATS; i++)
    selection_free(&w->selection[i]);
  free(w->track);
}

#define RECORD                                                                                               \
  .clock = {"time_ps", " ps", UNITS_AKMA_FS * 1e-3}, .own = sizeof(WaterRun), .add = add_files,              \
  .release = release
const RecordForm water_run_cluster = {RECORD, .evaporates = true}, water_run_box = {RECORD};

bool water_run_progress(const Run *run, char *words, size_t size)
{
  const Recorder *m = run->measure;
  const int rows = measure_rows(m);
  if (rows == 0)
    return false;
  const Measurement *g = run->s->measurement;
  const MeasureRow row = measure_row(m, rows - 1, 0);
  text_append(words, size, "%.3f ps  T %.2f K  E %.3f kcal/mol", system_picoseconds(run->s, row.step),
              measure_row_mean(&row, measurement_find(g, "temperature")), measure_row_mean(&row, g->total));
  if (run->progress.rate > 0.0)
    text_append(words, size, "  %.3g ns/day", system_speed(run->s, 1.0 / run->progress.rate));
  return true;
}

/* --- the start ------- */

void water_run_log_start(const Run *run)
{
  const Simulation *s = run->s;
  const SystemRates *rates = &system_molecules(s)->rates;
  char words[1024];
  for (int i = 0; system_words(s, i, words, sizeof words); i++)
    text_say(run->log, "%s\n", words);
  text_say(run->log, "start: %s\n", system_molecules(s)->start.remark);
  if (config_penalises(s->config) && rates->penalty[1] == 0.0)
    text_print(run->log, "penalised modes: h W = %.3g to %.3g\n", s->h * rates->penalty[0],
               s->h * rates->penalty[2]);
  else if (config_penalises(s->config))
    text_print(run->log, "penalised modes: h W = %.3g, %.3g, %.3g\n", s->h * rates->penalty[0],
               s->h * rates->penalty[1], s->h * rates->penalty[2]);
  text_print(run->log, "fastest %s: h W = %.3g\n", system_origin(s)->fastest_logged, s->h * rates->libration);
  if (water_report_reading(s, words, sizeof words))
    text_print(run->log, "%s", words);
  penalty_report_start(run);
}

Status water_run_keep_start(const Run *run, Error *error)
{
  return start_keep(run->s, &system_molecules(run->s)->start, run->options->dir, error);
}

/* --- the end ------- */

static Status write_final(const Run *run, Sample *batch, Error *error)
{
  const Simulation *s = run->s;
  const char *dir = run->options->dir;
  const int base = ensemble_base(s->ensemble), end = base + ensemble_held(s->ensemble);
  for (int g = base; g < end; g++)
    batch[g] = ensemble_at(s->ensemble, g);
  const int chosen = s->config->output.trajectory_replica;
  TRY(frames_replicas(s, batch, 0, s->replicas, true, dir, "final.xyz", error));
  if (!system_writes_gro(s))
    return STATUS_OK;
  Error why;
  const Status status =
      frames_replicas(s, batch, chosen == CONFIG_ALL ? 0 : chosen, 1, true, dir, "final.gro", &why);
  if (status != STATUS_RUN)
    return error_pass(error, status, &why);
  /* The coordinates are finite, else final.xyz would have been refused. */
  warn_left_out(run, why.text, "final.xyz contains the final structure");
  return STATUS_OK;
}

/* Of the replicas of this run. */
static Status write_good(const Run *run, Sample *batch, Error *error)
{
  const int base = ensemble_base(run->s->ensemble), end = base + ensemble_held(run->s->ensemble);
  for (int g = base; g < end; g++)
    batch[g] = ensemble_copy_at(run->good, g);
  return frames_replicas(run->s, batch, run->first, run->last - run->first + 1, false, run->options->dir,
                         "last-good.xyz", error);
}

Status water_run_leave(Run *run, Status status, Error *error)
{
  static const char *const left[] = {"final.xyz", "final.gro", "last-good.xyz"};
  const char *dir = run->options->dir;
  Error why;
  const bool good = status == STATUS_OK;
  SCOPED(scoped_free) Sample *batch = calloc((size_t)ensemble_batches(run->s->ensemble), sizeof *batch);
  Status written = batch == NULL ? error_memory(&why, "the last structure") : STATUS_OK;
  /* Structures of an earlier attempt are removed, even if the new ones cannot be written. */
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    (void)manifest_remove(dir, left[i], NULL);
  if (written == STATUS_OK && (good || run->kept))
    written = good ? write_final(run, batch, &why) : write_good(run, batch, &why);
  if (written != STATUS_OK) {
    text_print(run->log, "no %s structure: %s\n", good ? "final" : "last good", why.text);
    return good ? error_set(error, written, "no final structure: %s", why.text) : status;
  }
  if (!good && run->kept) {
    char words[sizeof error->text];
    const Sample kept = ensemble_copy_at(run->good, ensemble_first(run->s->ensemble));
    snprintf(words, sizeof words, "%s", error->text);
    error_set(error, status, "%.1600s; %s/last-good.xyz has step %lld%s", words, dir,
              (long long)sample_step(&kept), run->s->replicas > 1 ? ", with one frame for each replica" : "");
  }
  return status;
}
