#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/text.h"
#include "engine/ticks.h"
#include "engine/units.h"
#include "simulation/checkpoint.h"
#include "simulation/frames.h"
#include "simulation/measure.h"
#include "simulation/multipliers.h"
#include "simulation/progress.h"
#include "simulation/report.h"
#include "simulation/report_box.h"
#include "simulation/rewind.h"
#include "simulation/run_folder.h"
#include "simulation/sampling.h"

/* Seconds of stepping between two looks at files, signals and the progress line. */
static const double segment_seconds = 0.25;

/* How far the files had come at a checkpoint. All words of 8 bytes. */
typedef struct Marks {
  int64_t thermo, multipliers; /* bytes; -1: none yet */
  FramesMarks frames;
  double reading; /* of the start: SystemRates */
} Marks;

typedef struct Run {
  Simulation *system;
  const SimulationRun *options;
  Measure *measure;
  Text *log, *thermo;
  ThermoPicture *picture;
  Multipliers *multipliers;
  Frames *frames;
  Sampling *sampling;
  State **good;  /* copies [gangs] from before the present stretch of steps */
  bool kept;     /* there are such copies                                   */
  bool periodic; /* a box                                                   */
  Rewind *rewind;
  Progress progress;
  ReportTimes times;
  double began;      /* as if the run had not been interrupted                        */
  ChunkList chunks;  /* all that a checkpoint holds                                   */
  Marks marks;       /* of the last checkpoint                                        */
  int64_t saved;     /* its step; -1: there is none                                   */
  double saved_time; /* when                                                          */
  RunFolder *folder;
  char contents[512]; /* names and numbers of the kinds */
} Run;

static CheckpointOf checkpoint_of(const Run *run)
{
  return (CheckpointOf){run->system->config, run->system->isa, run->contents, run->options->other_build};
}

/* --- opening ---------------------------------------------------------------------------------------------
 */

static void log_start(const Run *run, const SystemRates *rates)
{
  const Simulation *s = run->system;
  text_print(run->log, "start: %s\n", system_water(run->system)->start.remark);
  if (!s->constrained && system_water(s)->model != NULL)
    text_print(run->log, "penalised modes: h W = %.3g, %.3g, %.3g\n", s->h * rates->penalty[0],
               s->h * rates->penalty[1], s->h * rates->penalty[2]);
  text_print(run->log, "fastest libration of the rigid molecules: h W = %.3g\n", s->h * rates->libration);
  char words[512];
  if (report_reading(s, rates->reading, words, sizeof words))
    text_print(run->log, "%s", words);
}

static Status open_log(Run *run, Error *error)
{
  const Simulation *s = run->system;
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
  if (run_folder_unlocked(run->folder) != NULL)
    text_print(run->log, "note: the folder is not locked against another run: %s\n",
               run_folder_unlocked(run->folder));
  if (resume)
    text_print(run->log, "resumed at step %lld, after %.1f s%s\n", (long long)run->saved, run->times.wall,
               run->options->other_build ? "; with --other-build: not to the bit, perhaps" : "");
  else
    log_start(run, &system_water(s)->rates);
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
  const int many = ensemble_replicas(run->system->ensemble) > 1;
  text_print(run->thermo, "step,time");
  for (int i = 0; i < c->n; i++) {
    text_print(run->thermo, ",%s", c->name[i]);
    if (many && i != c->largest)
      text_print(run->thermo, ",%s_err", c->name[i]);
  }
  text_print(run->thermo,
             "\n# time in AKMA units (%.5f fs); energies in kcal/mol; temperature in K; momenta in "
             "g/mol A/AKMA%s\n",
             UNITS_AKMA_FS,
             run->periodic ? "; pressures in bar" : ", angular momentum about the centre of mass");
  if (many)
    text_print(run->thermo,
               "# means over %d replicas; x_err is the standard error of x; largest_g is the largest "
               "of all replicas\n",
               ensemble_replicas(run->system->ensemble));
  return text_flush(run->thermo, error);
}

/* Room for copies of all gangs. */
static Status make_good(Run *run, Error *error)
{
  const Simulation *s = run->system;
  const int n = ensemble_gangs(run->system->ensemble);
  run->good = calloc((size_t)n, sizeof *run->good);
  Status status = run->good == NULL ? error_memory(error, "the last good state") : STATUS_OK;
  for (int g = 0; g < n && status == STATUS_OK; g++) {
    const State *gang = ensemble_gang(run->system->ensemble, g);
    status = state_create(&run->good[g], gang->width, s->nkind, s->kind, s->nmol, gang->seed, gang->replica,
                          error);
  }
  return status;
}

static Status make_ensemble(Run *run, Error *error)
{
  const Simulation *s = run->system;
  const Config *c = s->config;
  Status status = simulation_prepare(run->system, error);
  const bool frames = c->output.trajectory != 0, periodic = run->periodic;
  if (status == STATUS_OK)
    status = make_good(run, error);
  if (status == STATUS_OK && periodic)
    status = sampling_create(&run->sampling, s, run->system->ensemble, error);
  if (status != STATUS_OK)
    return status;
  const MeasureOptions measure = {.plan = s->plan,
                                  .ensemble = run->system->ensemble,
                                  .nmol = s->nmol,
                                  .periodic = periodic,
                                  .by_molecule = (c->output.pressure & CONFIG_BY_MOLECULE) != 0,
                                  .by_atom = (c->output.pressure & CONFIG_BY_ATOM) != 0,
                                  .constrained = s->constrained,
                                  .velocities = periodic && c->output.velocities,
                                  .observables = sampling_sets(run->sampling),
                                  .kT_per_kelvin = UNITS_BOLTZMANN,
                                  .equilibration = s->equilibration,
                                  .thermo_every = c->output.thermo_every,
                                  .rdf_every = periodic ? 0 : c->output.rdf_every,
                                  .frame_every = frames ? c->output.trajectory_every : 0,
                                  .multipliers_every = c->output.multipliers_every,
                                  .frame_replica = c->output.trajectory_replica,
                                  .rdf_max = c->output.rdf_max,
                                  .rdf_bins = c->output.rdf_bins};
  return measure_create(&run->measure, &measure, error);
}

static Status make_start(Run *run, Error *error)
{
  const Simulation *s = run->system;
  const SimulationStart how = {.folder = run->options->dir,
                               .given = run->options->start,
                               .out = s->config->output.progress ? run->options->out : NULL,
                               .stop = run->options->stop};
  return simulation_find_start(run->system, &how, error);
}

/* All memory of the run, in chunks too. */
static Status make_memory(Run *run, Error *error)
{
  Status status = make_ensemble(run, error);
  if (status == STATUS_OK)
    status = rewind_create(&run->rewind, run->system->ensemble, run->measure, error);
  if (status == STATUS_OK)
    status = thermo_picture_create(&run->picture, run->system, run->measure, error);
  if (status == STATUS_OK && run->system->config->output.multipliers_every > 0)
    status = multipliers_create(&run->multipliers, run->system->config, run->system->kind[0]->ncon,
                                plan_multipliers_age(run->system->plan), error);
  if (status != STATUS_OK)
    return status;
  run->marks = (Marks){.thermo = -1, .multipliers = -1, .reading = system_water(run->system)->rates.reading};
  simulation_contents(run->system, run->contents, sizeof run->contents);
  simulation_chunks(run->system, &run->chunks);
  chunk_add(&run->chunks, &run->marks, sizeof run->marks);
  chunk_add(&run->chunks, &run->times, sizeof run->times);
  measure_chunks(run->measure, &run->chunks);
  thermo_picture_chunks(run->picture, &run->chunks);
  if (run->multipliers != NULL)
    multipliers_chunks(run->multipliers, &run->chunks);
  return STATUS_OK;
}

/* Back to where the checkpoint was taken; no file is changed yet. */
static Status restore(Run *run, Error *error)
{
  const CheckpointOf of = checkpoint_of(run);
  Status status = checkpoint_load(&of, run->options->dir, &run->chunks, error);
  if (status != STATUS_OK)
    return status;
  run->saved = ensemble_step(run->system->ensemble);
  run->began -= run->times.wall;
  const char *dir = run->options->dir;
  status = checkpoint_reached(dir, run->saved, run->system->steps, error);
  if (status == STATUS_OK)
    status = checkpoint_file(dir, "thermo.csv", run->marks.thermo, run->saved, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = checkpoint_file(dir, "multipliers.csv", run->marks.multipliers, run->saved, error);
  return status == STATUS_OK ? frames_check(dir, &run->marks.frames, run->saved, error) : status;
}

static Status open_files(Run *run, Error *error)
{
  const char *dir = run->options->dir;
  Status status = run_folder_prepare(run->folder, error);
  if (status == STATUS_OK)
    status = open_log(run, error);
  if (status == STATUS_OK)
    status = system_start_keep(run->system, &system_water(run->system)->start, dir, error);
  if (status == STATUS_OK)
    status = open_thermo(run, error);
  if (status == STATUS_OK)
    status =
        frames_open(&run->frames, run->system, dir, run->options->resume ? &run->marks.frames : NULL, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_open(run->multipliers, dir, run->marks.multipliers, error);
  return status;
}

static Status open_run(Run *run, Error *error)
{
  const bool resume = run->options->resume;
  Status status = run_folder_open(&run->folder, run->system->config, run->options->dir,
                                  run_folder_use(run->options->force, run->options->resume), error);
  if (status == STATUS_OK && !resume)
    status = make_start(run, error);
  if (status == STATUS_OK)
    status = make_memory(run, error);
  if (status == STATUS_OK && resume)
    status = restore(run, error);
  return status == STATUS_OK ? open_files(run, error) : status;
}

/* --- writing as it goes ------------------------------------------------------------------------------------
 */

static void write_row(Run *run, const ThermoRow *row)
{
  const Columns *c = measure_columns(run->measure);
  const int many = ensemble_replicas(run->system->ensemble) > 1;
  text_print(run->thermo, "%lld,%.10g", (long long)row->step, (double)row->step * run->system->h);
  for (int i = 0; i < c->n; i++) {
    const double value = i == c->largest ? row->top[i] : row->mean[i];
    const bool error = many && i != c->largest;
    if (isnan(value)) /* the pressure by atom before the first step */
      text_print(run->thermo, error ? ",nan,nan" : ",nan");
    else
      text_print(run->thermo, ",%.12g", value);
    if (error && !isnan(value))
      text_print(run->thermo, ",%.4g", row->error[i]);
  }
  text_print(run->thermo, "\n");
}

static Status write_frames(Run *run, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < measure_frames(run->measure) && status == STATUS_OK; i++) {
    int64_t step;
    const double *v, *x = measure_frame(run->measure, i, &step, &v);
    status = frames_write(run->frames, x, v, step, error);
  }
  return status;
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
    thermo_picture_add(run->picture, &row);
    if (i == rows - 1) {
      const Columns *c = measure_columns(run->measure);
      char now[112] = "";
      text_append(now, sizeof now, "%.3f ps  T %.2f K  E %.3f kcal/mol",
                  system_picoseconds(run->system, row.step), row.mean[c->temperature], row.mean[c->total]);
      if (run->periodic && run->progress.rate > 0.0)
        text_append(now, sizeof now, "  %.3g ns/day",
                    report_box_speed(run->system, 1.0 / run->progress.rate));
      progress_show(&run->progress, ensemble_step(run->system->ensemble), now);
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
  const CheckpointOf of = checkpoint_of(run);
  Marks *marks = &run->marks;
  Status status = text_sync(run->thermo, &marks->thermo, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_sync(run->multipliers, &marks->multipliers, error);
  if (status == STATUS_OK)
    status = frames_mark(run->frames, &marks->frames, error);
  run->times.wall = start - run->began;
  if (status == STATUS_OK)
    status =
        checkpoint_save(&of, run->options->dir, ensemble_step(run->system->ensemble), &run->chunks, error);
  if (status != STATUS_OK)
    return status;
  run->saved = ensemble_step(run->system->ensemble);
  run->saved_time = ticks_seconds();
  run->times.output += run->saved_time - start;
  return STATUS_OK;
}

/* --- stepping
 * ----------------------------------------------------------------------------------------------- */

/* What can be gone back to. */
static void keep_good(Run *run)
{
#pragma omp parallel for num_threads(ensemble_workers(run->system->ensemble))
  for (int g = 0; g < ensemble_gangs(run->system->ensemble); g++)
    state_copy(run->good[g], ensemble_gang(run->system->ensemble, g));
  run->kept = true;
}

static bool stopped(const Run *run) { return run->options->stop != NULL && *run->options->stop != 0; }

static Status begin(Run *run, const Sampler *sampler, Error *error)
{
  unsigned now = 1u << MEASURE_THERMO;
  if (sampler->every[MEASURE_FRAME] > 0)
    now |= 1u << MEASURE_FRAME;
  Status status = simulation_place(run->system, error);
  if (status == STATUS_OK)
    keep_good(run);
  if (status == STATUS_OK)
    status = ensemble_sample(run->system->ensemble, sampler, now, error);
  if (status == STATUS_OK)
    status = write_measured(run, error);
  const bool save_now = run->system->config->output.checkpoint_every > 0.0;
  return status == STATUS_OK && save_now ? save(run, error) : status;
}

/* Besides by the clock there is a checkpoint of the start, and one of the end of equilibration: what goes
 * wrong soon has something to go on from. */
static bool equilibrated(const Run *run)
{
  const int64_t end = run->system->equilibration;
  return run->system->config->output.checkpoint_every > 0.0 && run->saved < end &&
         ensemble_step(run->system->ensemble) >= end;
}

/* So many steps; after a fault, those up to the last one that all replicas reach. */
static Status run_segment(Run *run, int64_t segment, const Sampler *sampler, double *took, Error *error)
{
  const int64_t from = ensemble_step(run->system->ensemble);
  const double start = ticks_seconds();
  keep_good(run);
  rewind_keep(run->rewind);
  const Status status = simulation_advance(run->system, from + segment, sampler, error);
  *took = ticks_seconds() - start;
  run->times.stepping += *took;
  if (status == STATUS_OK)
    return STATUS_OK;
  rewind_to_last(run->rewind, from, sampler, error);
  if (run->rewind != NULL) /* the time of steps that do not count */
    run->times.stepping -=
        *took * (1.0 - (double)(ensemble_step(run->system->ensemble) - from) / (double)segment);
  return status;
}

static Status step_through(Run *run, Error *error)
{
  const Simulation *s = run->system;
  const Sampler sampler = measure_sampler(run->measure);
  Status status = run->options->resume ? STATUS_OK : begin(run, &sampler, error);
  int64_t segment = 16;
  while (status == STATUS_OK && ensemble_step(run->system->ensemble) < s->steps && !stopped(run)) {
    const int64_t longest = measure_segment(run->measure),
                  left = s->steps - ensemble_step(run->system->ensemble);
    segment = segment < longest ? segment : longest;
    segment = segment < left ? segment : left;
    double took;
    status = run_segment(run, segment, &sampler, &took, error);
    Error *later = status == STATUS_OK ? error : NULL; /* the first error is the one to tell */
    const Status written = write_measured(run, later);
    if (status == STATUS_OK)
      status = written;
    if (took < 0.5 * segment_seconds && segment < INT64_MAX / 4)
      segment *= 2;
    else if (took > 2.0 * segment_seconds && segment > 1)
      segment /= 2;
    if (status == STATUS_OK && (checkpoint_due(s->config, run->saved_time) || equilibrated(run)))
      status = save(run, error);
  }
  if (status == STATUS_OK && run->saved != ensemble_step(run->system->ensemble))
    status = save(run, error);
  return status;
}

/* --- closing
 * ------------------------------------------------------------------------------------------------ */

static Status close_files(Run *run, Error *error)
{
  Status status = frames_close(run->frames, error);
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
  measure_conclude(run->measure);
  const ReportOptions options = {.system = run->system,
                                 .ensemble = run->system->ensemble,
                                 .measure = run->measure,
                                 .sampling = run->sampling,
                                 .picture = run->picture,
                                 .dir = run->options->dir,
                                 .times = run->times,
                                 .reading = run->marks.reading,
                                 .status = status,
                                 .message = status != STATUS_OK ? failure->text : NULL,
                                 .log = run->log,
                                 .out = run->options->out};
  return report_write(&options, error);
}

static Status write_final(const Run *run, const State **gang, Error *error)
{
  const Simulation *s = run->system;
  const char *dir = run->options->dir;
  const int chosen = s->config->output.trajectory_replica;
  for (int g = 0; g < ensemble_gangs(run->system->ensemble); g++)
    gang[g] = ensemble_gang(run->system->ensemble, g);
  const Status status = frames_replicas(s, gang, 0, s->replicas, true, dir, "final.xyz", error);
  return status == STATUS_OK && run->periodic
             ? frames_replicas(s, gang, chosen, 1, true, dir, "final.gro", error)
             : status;
}

static Status write_good(const Run *run, const State **gang, Error *error)
{
  for (int g = 0; g < ensemble_gangs(run->system->ensemble); g++)
    gang[g] = run->good[g];
  return frames_replicas(run->system, gang, 0, run->system->replicas, false, run->options->dir,
                         "last-good.xyz", error);
}

/* What another run can start from: where this one ended, or was before it went wrong, all replicas. */
static Status leave_structure(Run *run, Status status, Error *error)
{
  static const char *const left[] = {"final.xyz", "final.gro", "last-good.xyz"};
  const char *dir = run->options->dir;
  Error why;
  const bool good = status == STATUS_OK;
  const State **gang = malloc((size_t)ensemble_gangs(run->system->ensemble) * sizeof *gang);
  Status written = gang == NULL ? error_memory(&why, "the last structure") : STATUS_OK;
  /* What an earlier attempt left says nothing about this one, also where its successor cannot be written. */
  for (size_t i = 0; i < sizeof left / sizeof *left; i++)
    (void)file_remove(dir, left[i], NULL);
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
              (long long)run->good[0]->step, run->system->replicas > 1 ? ", a frame for each replica" : "");
  }
  return status;
}

Status system_run(Simulation *system, const SimulationRun *options, Error *error)
{
  const double start = ticks_seconds();
  Run run = {.system = system,
             .options = options,
             .periodic = system->config->sort == SORT_BOX,
             .began = start,
             .saved = -1,
             .saved_time = start};
  Status status = open_run(&run, error);
  const bool opened = status == STATUS_OK;
  if (opened) {
    FILE *out = system->config->output.progress ? options->out : NULL;
    run.progress = progress_begin(out, ensemble_step(run.system->ensemble), system->steps, system->replicas);
    if (!options->resume)
      run.times.start = ticks_seconds() - start;
    status = step_through(&run, error);
    progress_end(&run.progress);
    run.times.wall = ticks_seconds() - run.began;
    status = leave_structure(&run, status, error);
    if (status != STATUS_OK)
      checkpoint_tell(run.saved, error);
    Error second;
    const Status reported = conclude(&run, status, error, status == STATUS_OK ? error : &second);
    status = status == STATUS_OK ? reported : status;
  }
  const Status closed = close_files(&run, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? closed : status;
  rewind_free(run.rewind);
  measure_free(run.measure);
  sampling_free(run.sampling);
  thermo_picture_free(run.picture);
  for (int g = 0; run.good != NULL && g < ensemble_gangs(run.system->ensemble); g++)
    state_free(run.good[g]);
  free(run.good);
  run_folder_close(run.folder);
  chunk_free(&run.chunks);
  return status;
}

Status simulation_run(Simulation *s, const SimulationRun *options, Error *error)
{
  return s->sort->run(s, options, error);
}
