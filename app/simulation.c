#include "app/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/checkpoint.h"
#include "app/measure.h"
#include "app/multipliers.h"
#include "app/progress.h"
#include "app/report.h"
#include "app/run_folder.h"
#include "engine/ticks.h"
#include "engine/units.h"
#include "io/text.h"
#include "io/trajectory.h"

/* Seconds of stepping between two looks at files, signals and the progress line. */
static const double segment_seconds = 0.25;

enum { WRITERS = 2 };
static const char *const format_names[WRITERS] = {"xyz", "dcd"};
static const char *const trajectory_names[WRITERS] = {"trajectory.xyz", "trajectory.dcd"};

/* How far the files had come at a checkpoint. All words of 8 bytes. */
typedef struct Marks {
  int64_t thermo, multipliers; /* bytes; -1: none yet */
  TrajectoryMark trajectory[WRITERS];
} Marks;

typedef struct Run {
  const System *system;
  const SimulationOptions *options;
  Ensemble *ensemble;
  Measure *measure;
  Text *log, *thermo;
  Multipliers *multipliers;
  TrajectoryWriter *writer[WRITERS];
  Frame frame;
  double *x;
  Progress progress;
  ReportTimes times;
  double began;      /* as if the run had not been interrupted                        */
  ChunkList chunks;  /* all that a checkpoint holds                                   */
  Marks marks;       /* of the last checkpoint                                        */
  int64_t saved;     /* its step; -1: there is none                                   */
  double saved_time; /* when                                                          */
} Run;

/* What is known of a start configuration. */
typedef struct Start {
  char remark[512];
  SystemRates rates;
} Start;

static CheckpointOf checkpoint_of(const System *s) { return (CheckpointOf){s->config, s->isa}; }

static double picoseconds(const System *s, int64_t step)
{
  return (double)step * s->h * UNITS_AKMA_FS * 1e-3;
}

/* --- opening ---------------------------------------------------------------------------------------------
 */

static void log_start(const Run *run, const Start *start)
{
  const System *s = run->system;
  text_print(run->log, "start: %s\n", start->remark);
  if (!s->constrained)
    text_print(run->log, "penalised modes: h W = %.3g, %.3g, %.3g\n", s->h * start->rates.penalty[0],
               s->h * start->rates.penalty[1], s->h * start->rates.penalty[2]);
  text_print(run->log, "fastest libration of the rigid cluster: h W = %.3g\n", s->h * start->rates.libration);
}

static Status open_log(Run *run, const Start *start, Error *error)
{
  const System *s = run->system;
  const bool resume = run->options->resume;
  const Status status = resume ? text_resume(&run->log, run->options->dir, "holonom.log", -1, error)
                               : text_create(&run->log, run->options->dir, "holonom.log", error);
  if (status != STATUS_OK)
    return status;
  text_print(run->log, "Holonom %s, %s instructions, %d threads\n", HOLONOM_VERSION, isa_name(s->isa),
             s->threads);
  text_print(run->log, "input: %s\n", input_name(s->config->input));
  for (int i = 0; input_notes(s->config->input, i) != NULL; i++)
    text_print(run->log, "note: %s\n", input_notes(s->config->input, i));
  if (s->replicas != s->config->ensemble.replicas)
    text_print(run->log, "note: %d replicas asked for, %d run: they go in groups of %d\n",
               s->config->ensemble.replicas, s->replicas, s->width);
  if (resume)
    text_print(run->log, "resumed at step %lld, after %.1f s\n", (long long)run->saved, run->times.wall);
  else
    log_start(run, start);
  return text_flush(run->log, error);
}

static Status open_thermo(Run *run, Error *error)
{
  if (run->options->resume)
    return text_resume(&run->thermo, run->options->dir, "thermo.csv", run->marks.thermo, error);
  const Status status = text_create(&run->thermo, run->options->dir, "thermo.csv", error);
  if (status != STATUS_OK)
    return status;
  const Columns *c = measure_columns(run->measure);
  const int many = ensemble_replicas(run->ensemble) > 1;
  text_print(run->thermo,
             "# time in AKMA units (%.5f fs); energies in kcal/mol; temperature in K; momenta in "
             "g/mol A/AKMA, angular momentum about the centre of mass\n",
             UNITS_AKMA_FS);
  if (many)
    text_print(run->thermo,
               "# means over %d replicas; x_err is the standard error of x; largest_g is the largest "
               "of all replicas\n",
               ensemble_replicas(run->ensemble));
  text_print(run->thermo, "step,time");
  for (int i = 0; i < c->n; i++) {
    text_print(run->thermo, ",%s", c->name[i]);
    if (many && i != c->largest)
      text_print(run->thermo, ",%s_err", c->name[i]);
  }
  text_print(run->thermo, "\n");
  return text_flush(run->thermo, error);
}

static Status open_trajectory(Run *run, int i, const TrajectoryOptions *options, Error *error)
{
  char *path = text_path(run->options->dir, trajectory_names[i]);
  if (path == NULL)
    return error_memory(error, "a file name");
  const Status status = run->options->resume
                            ? trajectory_resume(&run->writer[i], path, format_names[i], options,
                                                &run->marks.trajectory[i], error)
                            : trajectory_create(&run->writer[i], path, format_names[i], options, error);
  free(path);
  return status;
}

static Status open_trajectories(Run *run, Error *error)
{
  const System *s = run->system;
  const TrajectoryOptions options = {.replace = true,
                                     .timestep = picoseconds(s, 1),
                                     .stride = s->config->output.trajectory_every,
                                     .title = s->config->title};
  for (int i = 0; i < WRITERS; i++) {
    if (!(s->config->output.trajectory & 1u << i))
      continue;
    const Status status = open_trajectory(run, i, &options, error);
    if (status != STATUS_OK)
      return status;
  }
  const Status status = frame_resize(&run->frame, 3 * s->nmol, error);
  if (status != STATUS_OK)
    return status;
  run->frame.has_symbols = true;
  for (int i = 0; i < 3 * s->nmol; i++)
    frame_name(run->frame.symbols[i], s->kind->site[i % 3], (int)strlen(s->kind->site[i % 3]));
  return STATUS_OK;
}

static Status make_ensemble(Run *run, Error *error)
{
  const System *s = run->system;
  const Config *c = s->config;
  const EnsembleOptions options = {.plan = s->plan,
                                   .kind = {s->kind},
                                   .nmol = {s->nmol},
                                   .replicas = s->replicas,
                                   .width = s->width,
                                   .threads = s->threads,
                                   .seed = (uint64_t)c->seed,
                                   .maker = system_maker(s)};
  Status status = ensemble_create(&run->ensemble, &options, error);
  if (status != STATUS_OK)
    return status;
  const bool frames = c->output.trajectory != 0;
  const MeasureOptions measure = {.plan = s->plan,
                                  .ensemble = run->ensemble,
                                  .nmol = s->nmol,
                                  .kT_per_kelvin = UNITS_BOLTZMANN,
                                  .equilibration = s->equilibration,
                                  .thermo_every = c->output.thermo_every,
                                  .rdf_every = c->output.rdf_every,
                                  .frame_every = frames ? c->output.trajectory_every : 0,
                                  .multipliers_every = c->output.multipliers_every,
                                  .frame_replica = c->output.trajectory_replica,
                                  .rdf_max = c->output.rdf_max,
                                  .rdf_bins = c->output.rdf_bins};
  return measure_create(&run->measure, &measure, error);
}

static Status make_start(Run *run, Start *start, Error *error)
{
  const System *s = run->system;
  run->x = malloc(9 * (size_t)s->nmol * sizeof *run->x);
  if (run->x == NULL)
    return error_memory(error, "positions");
  Status status = system_start(s, run->x, start->remark, sizeof start->remark, error);
  if (status == STATUS_OK)
    status = system_rates(s, run->x, &start->rates, error);
  if (status == STATUS_OK)
    status = system_check_step(s, &start->rates, error);
  return status;
}

/* All memory of the run, in chunks too. */
static Status make_memory(Run *run, Error *error)
{
  Status status = make_ensemble(run, error);
  if (status == STATUS_OK && run->system->config->output.multipliers_every > 0)
    status = multipliers_create(&run->multipliers, run->system->config, run->system->kind->ncon, error);
  if (status != STATUS_OK)
    return status;
  run->marks = (Marks){.thermo = -1, .multipliers = -1};
  chunk_add(&run->chunks, &run->marks, sizeof run->marks);
  chunk_add(&run->chunks, &run->times, sizeof run->times);
  ensemble_chunks(run->ensemble, &run->chunks);
  measure_chunks(run->measure, &run->chunks);
  if (run->multipliers != NULL)
    multipliers_chunks(run->multipliers, &run->chunks);
  return STATUS_OK;
}

/* Back to where the checkpoint was taken; no file is changed yet. */
static Status restore(Run *run, Error *error)
{
  const CheckpointOf of = checkpoint_of(run->system);
  Status status = checkpoint_load(&of, run->options->dir, &run->chunks, error);
  if (status != STATUS_OK)
    return status;
  run->saved = ensemble_step(run->ensemble);
  run->began -= run->times.wall;
  const char *dir = run->options->dir;
  status = checkpoint_reached(dir, run->saved, run->system->steps, error);
  if (status == STATUS_OK)
    status = checkpoint_file(dir, "thermo.csv", run->marks.thermo, run->saved, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = checkpoint_file(dir, "multipliers.csv", run->marks.multipliers, run->saved, error);
  for (int i = 0; i < WRITERS && status == STATUS_OK; i++)
    status = checkpoint_file(dir, trajectory_names[i], run->marks.trajectory[i].size, run->saved, error);
  return status;
}

static Status open_files(Run *run, const Start *start, Error *error)
{
  const char *dir = run->options->dir;
  Status status = text_make_folder(dir, error);
  if (status == STATUS_OK && !run->options->resume)
    status = run_folder_clear(dir, error);
  if (status == STATUS_OK)
    status = open_log(run, start, error);
  if (status == STATUS_OK)
    status = run_folder_input(run->system->config, dir, error);
  if (status == STATUS_OK)
    status = open_thermo(run, error);
  if (status == STATUS_OK)
    status = open_trajectories(run, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_open(run->multipliers, dir, run->marks.multipliers, error);
  return status;
}

static Status open_run(Run *run, Error *error)
{
  const bool resume = run->options->resume;
  Start start = {0};
  Status status = STATUS_OK;
  if (!resume)
    status = run_folder_check(run->options->dir, run->options->force, error);
  if (status == STATUS_OK && !resume)
    status = make_start(run, &start, error);
  if (status == STATUS_OK)
    status = make_memory(run, error);
  if (status == STATUS_OK && resume)
    status = restore(run, error);
  return status == STATUS_OK ? open_files(run, &start, error) : status;
}

/* --- writing as it goes ------------------------------------------------------------------------------------
 */

static void write_row(Run *run, const ThermoRow *row)
{
  const Columns *c = measure_columns(run->measure);
  const int many = ensemble_replicas(run->ensemble) > 1;
  text_print(run->thermo, "%lld,%.10g", (long long)row->step, (double)row->step * run->system->h);
  for (int i = 0; i < c->n; i++) {
    text_print(run->thermo, ",%.12g", i == c->largest ? row->top[i] : row->mean[i]);
    if (many && i != c->largest)
      text_print(run->thermo, ",%.4g", row->error[i]);
  }
  text_print(run->thermo, "\n");
}

static Status write_frames(Run *run, Error *error)
{
  for (int i = 0; i < measure_frames(run->measure); i++) {
    int64_t step;
    const double *x = measure_frame(run->measure, i, &step);
    memcpy(run->frame.positions, x, 9 * (size_t)run->system->nmol * sizeof *x);
    run->frame.step = step;
    run->frame.time = picoseconds(run->system, step);
    for (int w = 0; w < WRITERS; w++) {
      if (run->writer[w] == NULL)
        continue;
      const Status status = trajectory_write(run->writer[w], &run->frame, error);
      if (status != STATUS_OK)
        return status;
    }
  }
  return STATUS_OK;
}

static Status write_multipliers(Run *run, Error *error)
{
  for (int i = 0; i < measure_multipliers(run->measure); i++) {
    int64_t step;
    const double *lambda = measure_multiplier(run->measure, i, &step);
    multipliers_add(run->multipliers, step, lambda);
  }
  return multipliers_flush(run->multipliers, error);
}

/* Everything measured since the last time goes to the files. */
static Status write_measured(Run *run, Error *error)
{
  const double start = ticks_seconds();
  const int rows = measure_rows(run->measure);
  for (int i = 0; i < rows; i++) {
    const ThermoRow row = measure_row(run->measure, i);
    write_row(run, &row);
    if (i == rows - 1) {
      const Columns *c = measure_columns(run->measure);
      char now[96];
      snprintf(now, sizeof now, "%.3f ps  T %.2f K  E %.3f kcal/mol", picoseconds(run->system, row.step),
               row.mean[c->temperature], row.mean[c->total]);
      progress_show(&run->progress, ensemble_step(run->ensemble), now);
    }
  }
  Status status = text_flush(run->thermo, error);
  if (status == STATUS_OK)
    status = write_frames(run, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = write_multipliers(run, error);
  measure_flush(run->measure);
  run->times.output += ticks_seconds() - start;
  return status;
}

/* --- checkpoints -------------------------------------------------------------------------------------------
 */

/* Everything measured must have been written. The files reach the disk before the checkpoint that counts on
 * them. */
static Status save(Run *run, Error *error)
{
  const double start = ticks_seconds();
  const CheckpointOf of = checkpoint_of(run->system);
  Marks *marks = &run->marks;
  Status status = text_sync(run->thermo, &marks->thermo, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_sync(run->multipliers, &marks->multipliers, error);
  for (int i = 0; i < WRITERS && status == STATUS_OK; i++)
    if (run->writer[i] != NULL)
      status = trajectory_mark(run->writer[i], &marks->trajectory[i], error);
  run->times.wall = start - run->began;
  if (status == STATUS_OK)
    status = checkpoint_save(&of, run->options->dir, ensemble_step(run->ensemble), &run->chunks, error);
  if (status != STATUS_OK)
    return status;
  run->saved = ensemble_step(run->ensemble);
  run->saved_time = ticks_seconds();
  run->times.output += run->saved_time - start;
  return STATUS_OK;
}

/* --- stepping
 * ----------------------------------------------------------------------------------------------- */

static bool stopped(const Run *run) { return run->options->stop != NULL && *run->options->stop != 0; }

static Status begin(Run *run, const Sampler *sampler, Error *error)
{
  unsigned now = 1u << MEASURE_THERMO;
  if (sampler->every[MEASURE_FRAME] > 0)
    now |= 1u << MEASURE_FRAME;
  Status status = ensemble_start(run->ensemble, run->x, run->system->config->thermostat.maxwell, error);
  if (status == STATUS_OK)
    status = ensemble_sample(run->ensemble, sampler, now, error);
  return status == STATUS_OK ? write_measured(run, error) : status;
}

static Status step_through(Run *run, Error *error)
{
  const System *s = run->system;
  const Sampler sampler = measure_sampler(run->measure);
  Status status = run->options->resume ? STATUS_OK : begin(run, &sampler, error);
  int64_t segment = 16;
  while (status == STATUS_OK && ensemble_step(run->ensemble) < s->steps && !stopped(run)) {
    const int64_t longest = measure_segment(run->measure), left = s->steps - ensemble_step(run->ensemble);
    segment = segment < longest ? segment : longest;
    segment = segment < left ? segment : left;
    const double start = ticks_seconds();
    status = ensemble_run(run->ensemble, ensemble_step(run->ensemble) + segment, &sampler, error);
    const double took = ticks_seconds() - start;
    run->times.stepping += took;
    Error *later = status == STATUS_OK ? error : NULL; /* the first error is the one to tell */
    const Status written = write_measured(run, later);
    if (status == STATUS_OK)
      status = written;
    if (took < 0.5 * segment_seconds && segment < INT64_MAX / 4)
      segment *= 2;
    else if (took > 2.0 * segment_seconds && segment > 1)
      segment /= 2;
    if (status == STATUS_OK && checkpoint_due(run->system->config, run->saved_time))
      status = save(run, error);
  }
  if (status == STATUS_OK && run->saved != ensemble_step(run->ensemble))
    status = save(run, error);
  return status;
}

/* --- closing
 * ------------------------------------------------------------------------------------------------ */

static Status close_files(Run *run, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < WRITERS; i++) {
    const Status s = trajectory_finish(run->writer[i], status == STATUS_OK ? error : NULL);
    status = status == STATUS_OK ? s : status;
  }
  Status s = text_close(run->thermo, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? s : status;
  s = multipliers_close(run->multipliers, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? s : status;
  s = text_close(run->log, status == STATUS_OK ? error : NULL);
  return status == STATUS_OK ? s : status;
}

/* What was measured is worth having also where the run ended early or badly. */
static Status conclude(Run *run, Status status, const Error *failure, Error *error)
{
  const ReportOptions options = {.system = run->system,
                                 .ensemble = run->ensemble,
                                 .measure = run->measure,
                                 .dir = run->options->dir,
                                 .times = run->times,
                                 .status = status,
                                 .message = status != STATUS_OK ? failure->text : NULL,
                                 .log = run->log,
                                 .out = run->options->out};
  return report_write(&options, error);
}

Status simulation_run(const System *system, const SimulationOptions *options, Error *error)
{
  const double start = ticks_seconds();
  Run run = {.system = system, .options = options, .began = start, .saved = -1, .saved_time = start};
  Status status = open_run(&run, error);
  const bool opened = status == STATUS_OK;
  if (opened) {
    FILE *out = system->config->output.progress ? options->out : NULL;
    run.progress = progress_begin(out, ensemble_step(run.ensemble), system->steps, system->replicas);
    if (!options->resume)
      run.times.start = ticks_seconds() - start;
    status = step_through(&run, error);
    progress_end(&run.progress);
    run.times.wall = ticks_seconds() - run.began;
    if (status != STATUS_OK)
      checkpoint_tell(run.saved, error);
    Error second;
    const Status reported = conclude(&run, status, error, status == STATUS_OK ? error : &second);
    status = status == STATUS_OK ? reported : status;
  }
  const Status closed = close_files(&run, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? closed : status;
  frame_free(&run.frame);
  measure_free(run.measure);
  ensemble_free(run.ensemble);
  chunk_free(&run.chunks);
  free(run.x);
  return status;
}
