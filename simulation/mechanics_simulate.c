/* A mechanical run into a folder: rows as it goes, pictures and a summary at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/text.h"
#include "engine/ticks.h"
#include "simulation/checkpoint.h"
#include "simulation/mechanics_means.h"
#include "simulation/mechanics_private.h"
#include "simulation/mechanics_report.h"
#include "simulation/multipliers.h"
#include "simulation/progress.h"
#include "simulation/run_folder.h"

/* Seconds of stepping between two looks at signals and at the clock of checkpoints. */
static const double segment_seconds = 0.25;

/* How far a run had come at a checkpoint. All words of 8 bytes. */
typedef struct Marks {
  int64_t trajectory, energy, ensemble, multipliers; /* bytes; -1: none yet */
  double wall, stepping;
} Marks;

typedef struct Run {
  Mechanics *m;
  const Config *config;
  const SimulationRun *options;
  RunFolder *folder;
  int replica;
  double *q, *p, *lambda;
  Text *log, *trajectory, *energy, *ensemble; /* ensemble: NULL where there is nothing to say in it */
  MechanicsMeans *means;                      /* NULL: off */
  Multipliers *multipliers;
  MechanicsReport *report;
  Progress progress;
  double began;      /* as if the run had not been interrupted */
  ChunkList chunks;  /* all that a checkpoint holds            */
  Marks marks;       /* of the last checkpoint, the times running on */
  int64_t saved;     /* its step; -1: there is none            */
  double saved_time; /* when                                   */
} Run;

/* --- opening ----------------------------------------------------------------------------------------------
 */

static CheckpointOf checkpoint_of(const Run *run)
{
  return (CheckpointOf){
      .config = run->config, .isa = run->m->s->isa, .other_build = run->options->other_build};
}

/* Made, or gone on with after its first `length` bytes. */
static Status open_text(const Run *run, Text **text, const char *name, int64_t length, Error *error)
{
  return run->options->resume ? text_resume(text, run->options->dir, name, length, error)
                              : text_create(text, run->options->dir, name, error);
}

static Status open_log(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const Status status = open_text(run, &run->log, "holonom.log", -1, error);
  if (status != STATUS_OK)
    return status;
  if (run->options->resume)
    text_print(run->log, "resumed at step %lld, after %.1f s%s\n", (long long)run->saved, run->marks.wall,
               run->options->other_build ? "; with --other-build: not to the bit, perhaps" : "");
  text_print(run->log, "Holonom %s, %s instructions, %d threads\n", HOLONOM_VERSION, isa_name(m->s->isa),
             m->s->threads);
  text_print(run->log, "input: %s\n", input_name(run->config->input));
  for (int i = 0; input_notes(run->config->input, i) != NULL; i++)
    text_print(run->log, "note: %s\n", input_notes(run->config->input, i));
  if (run_folder_unlocked(run->folder) != NULL)
    text_print(run->log, "note: the folder is not locked against another run: %s\n",
               run_folder_unlocked(run->folder));
  return text_flush(run->log, error);
}

static Status open_trajectory(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const Status status = open_text(run, &run->trajectory, "trajectory.csv", run->marks.trajectory, error);
  if (status != STATUS_OK || run->options->resume)
    return status;
  text_print(run->trajectory, "time");
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < m->size; i++)
      text_print(run->trajectory, ",%s", mechanics_report_name(m, i, half).text);
  text_print(run->trajectory, "\n");
  if (m->s->replicas > 1)
    text_print(run->trajectory, "# replica %d of %d\n", run->replica, m->s->replicas);
  return text_flush(run->trajectory, error);
}

static Status open_energy(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const Status status = open_text(run, &run->energy, "energy.csv", run->marks.energy, error);
  if (status != STATUS_OK || run->options->resume)
    return status;
  const MechanicsEnergy none = {0};
  const MechanicsColumns c = mechanics_report_columns(m, &none);
  text_print(run->energy, "time");
  for (int i = 0; i < c.n; i++)
    text_print(run->energy, ",%s", c.name[i]);
  text_print(run->energy, "\n");
  text_print(run->energy, "# largest_g: max |g|/scale, scale d^2 for distances; hidden_g: max |dg/dt|\n");
  if (m->s->replicas > 1)
    text_print(run->energy, "# replica %d of %d\n", run->replica, m->s->replicas);
  return text_flush(run->energy, error);
}

/* Means over replicas; of one replica what was asked for. */
static Status open_ensemble(Run *run, Error *error)
{
  if (run->means == NULL || (run->m->s->replicas == 1 && run->config->output.observables.n == 0))
    return STATUS_OK;
  const Status status = open_text(run, &run->ensemble, "ensemble.csv", run->marks.ensemble, error);
  if (status != STATUS_OK || run->options->resume)
    return status;
  mechanics_means_head(run->means, run->ensemble);
  return text_flush(run->ensemble, error);
}

static Status open_files(Run *run, Error *error)
{
  const char *dir = run->options->dir;
  Status status = run_folder_prepare(run->folder, error);
  if (status == STATUS_OK)
    status = open_log(run, error);
  if (status == STATUS_OK)
    status = open_trajectory(run, error);
  if (status == STATUS_OK)
    status = open_energy(run, error);
  if (status == STATUS_OK)
    status = open_ensemble(run, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_open(run->multipliers, dir, run->marks.multipliers, error);
  return status;
}

static Status make_memory(Run *run, Error *error)
{
  const size_t n = (size_t)run->m->size;
  run->q = malloc(n * sizeof *run->q);
  run->p = malloc(n * sizeof *run->p);
  run->lambda = malloc(((size_t)run->m->s->ncon + 1) * sizeof *run->lambda);
  if (run->q == NULL || run->p == NULL || run->lambda == NULL)
    return error_memory(error, "a run");
  Status status = mechanics_report_create(&run->report, run->m, error);
  if (status == STATUS_OK && run->config->output.ensemble_every > 0)
    status = mechanics_means_create(&run->means, run->m, error);
  if (status == STATUS_OK && run->config->output.multipliers_every > 0)
    status = multipliers_create(&run->multipliers, run->config, run->m->s->ncon,
                                plan_multipliers_age(run->m->s->plan), error);
  if (status != STATUS_OK)
    return status;
  simulation_chunks(run->m->s, &run->chunks);
  chunk_add(&run->chunks, &run->marks, sizeof run->marks);
  mechanics_report_chunks(run->report, &run->chunks);
  if (run->means != NULL)
    mechanics_means_chunks(run->means, &run->chunks);
  if (run->multipliers != NULL)
    multipliers_chunks(run->multipliers, &run->chunks);
  return run->chunks.failed ? error_memory(error, "a checkpoint") : STATUS_OK;
}

/* --- checkpoints -------------------------------------------------------------------------------------------
 */

/* Back to where the checkpoint was taken; no file is changed yet. */
static Status restore(Run *run, Error *error)
{
  const CheckpointOf of = checkpoint_of(run);
  Status status = checkpoint_load(&of, run->options->dir, &run->chunks, error);
  if (status != STATUS_OK)
    return status;
  run->m->s->started = true;
  run->saved = ensemble_step(run->m->s->ensemble);
  run->began -= run->marks.wall;
  const char *dir = run->options->dir;
  status = checkpoint_reached(dir, run->saved, run->config->integrator.steps, error);
  if (status == STATUS_OK)
    status = checkpoint_file(dir, "trajectory.csv", run->marks.trajectory, run->saved, error);
  if (status == STATUS_OK)
    status = checkpoint_file(dir, "energy.csv", run->marks.energy, run->saved, error);
  if (status == STATUS_OK && run->marks.ensemble >= 0)
    status = checkpoint_file(dir, "ensemble.csv", run->marks.ensemble, run->saved, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = checkpoint_file(dir, "multipliers.csv", run->marks.multipliers, run->saved, error);
  return status;
}

/* The files reach the disk before the checkpoint that counts on them. */
static Status save(Run *run, Error *error)
{
  const CheckpointOf of = checkpoint_of(run);
  Marks *marks = &run->marks;
  Status status = text_sync(run->trajectory, &marks->trajectory, error);
  if (status == STATUS_OK)
    status = text_sync(run->energy, &marks->energy, error);
  if (status == STATUS_OK && run->ensemble != NULL)
    status = text_sync(run->ensemble, &marks->ensemble, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_sync(run->multipliers, &marks->multipliers, error);
  marks->wall = ticks_seconds() - run->began;
  const int64_t step = ensemble_step(run->m->s->ensemble);
  if (status == STATUS_OK)
    status = checkpoint_save(&of, run->options->dir, step, &run->chunks, error);
  if (status != STATUS_OK)
    return status;
  run->saved = step;
  run->saved_time = ticks_seconds();
  return STATUS_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------
 */

static void write_energy(const Run *run, double time, const MechanicsEnergy *e)
{
  const MechanicsColumns c = mechanics_report_columns(run->m, e);
  text_print(run->energy, "%.17g", time);
  for (int i = 0; i < c.n; i++)
    text_print(run->energy, c.largest[i] ? ",%.6g" : ",%.17g", c.value[i]);
  text_print(run->energy, "\n");
}

static Status write_rows(Run *run, Error *error)
{
  LOCALE_PLAIN;
  const Mechanics *m = run->m;
  const double time = simulation_time(m->s);
  simulation_get_point(m->s, run->replica, run->q, run->p);
  const MechanicsEnergy e = mechanics_energy(m->s, run->replica);
  text_print(run->trajectory, "%.17g", time);
  for (int i = 0; i < m->size; i++)
    text_print(run->trajectory, ",%.17g", run->q[i]);
  for (int i = 0; i < m->size; i++)
    text_print(run->trajectory, ",%.17g", run->p[i]);
  text_print(run->trajectory, "\n");
  write_energy(run, time, &e);
  mechanics_report_add(run->report, time, run->q, &e);
  char now[96];
  snprintf(now, sizeof now, "time %.6g  E %.9g", time, e.total);
  const double spent = ticks_seconds() - run->progress.shown;
  if (spent < 0.1 && ensemble_step(m->s->ensemble) < run->config->integrator.steps)
    return STATUS_OK;
  progress_show(&run->progress, ensemble_step(m->s->ensemble), now);
  Status status = text_flush(run->trajectory, error);
  if (status == STATUS_OK)
    status = text_flush(run->energy, error);
  return status == STATUS_OK && run->ensemble != NULL ? text_flush(run->ensemble, error) : status;
}

/* A look at all replicas. Averages begin after the equilibration. */
static Status write_ensemble(Run *run, Error *error)
{
  const Status status = mechanics_means_take(run->means, error);
  if (status != STATUS_OK)
    return status;
  if (ensemble_step(run->m->s->ensemble) > run->config->output.equilibration)
    mechanics_means_add(run->means);
  if (run->ensemble != NULL)
    mechanics_means_row(run->means, run->ensemble);
  return STATUS_OK;
}

/* The next step at which a row is due. */
static int64_t next_stop(const Run *run, int64_t step)
{
  const Config *c = run->config;
  const int64_t every[] = {c->output.every, c->output.multipliers_every, c->output.ensemble_every};
  int64_t stop = c->integrator.steps;
  for (size_t i = 0; i < sizeof every / sizeof *every; i++)
    if (every[i] > 0 && (step / every[i] + 1) * every[i] < stop)
      stop = (step / every[i] + 1) * every[i];
  return stop;
}

static bool stopped(const Run *run) { return run->options->stop != NULL && *run->options->stop != 0; }

/* Rows and multipliers of a step where they are due, and a checkpoint wherever one is. A last row that is due
 * only because the run ends there comes after the checkpoint: a longer run would not have it. */
static Status write_step(Run *run, int64_t step, Error *error)
{
  const Config *c = run->config;
  const bool last = step == c->integrator.steps, due = step % c->output.every == 0;
  Status status = due ? write_rows(run, error) : STATUS_OK;
  const bool constrained = run->multipliers != NULL && step % c->output.multipliers_every == 0;
  if (status == STATUS_OK && constrained) {
    status = simulation_multipliers(run->m->s, run->replica, run->lambda, error);
    if (status == STATUS_OK)
      multipliers_add(run->multipliers, step, run->lambda);
  }
  const int64_t look = c->output.ensemble_every;
  if (status == STATUS_OK && run->means != NULL && step % look == 0)
    status = write_ensemble(run, error);
  if (status == STATUS_OK && (last || stopped(run) || checkpoint_due(c, run->saved_time)))
    status = save(run, error);
  return status == STATUS_OK && last && !due ? write_rows(run, error) : status;
}

static Status step_through(Run *run, Error *error)
{
  const int64_t steps = run->config->integrator.steps;
  const int64_t begin = ensemble_step(run->m->s->ensemble);
  const bool gone =
      begin == steps && begin % run->config->output.every != 0; /* the row after the checkpoint */
  Status status = !run->options->resume || gone ? write_rows(run, error) : STATUS_OK;
  if (status == STATUS_OK && !run->options->resume && run->means != NULL)
    status = write_ensemble(run, error);
  int64_t segment = 16;
  for (int64_t step;
       status == STATUS_OK && (step = ensemble_step(run->m->s->ensemble)) < steps && !stopped(run);) {
    const int64_t due = next_stop(run, step), stop = due - step < segment ? due : step + segment;
    const double start = ticks_seconds();
    status = simulation_advance(run->m->s, stop, NULL, error);
    const double took = ticks_seconds() - start;
    run->marks.stepping += took;
    if (status == STATUS_OK)
      status = write_step(run, stop, error);
    if (stop - step == segment && took < 0.5 * segment_seconds && segment < INT64_MAX / 4)
      segment *= 2;
    else if (took > 2.0 * segment_seconds && segment > 1)
      segment /= 2;
  }
  return status;
}

/* --- closing ----------------------------------------------------------------------------------------------
 */

static Status close_files(Run *run, Error *error)
{
  Status status = text_close(run->trajectory, error);
  Status s = text_close(run->energy, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? s : status;
  s = text_close(run->ensemble, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? s : status;
  s = multipliers_close(run->multipliers, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? s : status;
  s = text_close(run->log, status == STATUS_OK ? error : NULL);
  return status == STATUS_OK ? s : status;
}

static Status conclude(Run *run, Status status, const Error *failure, Error *error)
{
  const MechanicsEnding ending = {.dir = run->options->dir,
                                  .log = run->log,
                                  .means = run->means,
                                  .out = run->options->out,
                                  .status = status,
                                  .message = status != STATUS_OK ? failure->text : NULL,
                                  .wall = ticks_seconds() - run->began,
                                  .stepping = run->marks.stepping};
  return mechanics_report_write(run->report, &ending, error);
}

static Status work(Run *run, Error *error)
{
  FILE *out = run->config->output.progress ? run->options->out : NULL;
  run->progress = progress_begin(out, ensemble_step(run->m->s->ensemble), run->config->integrator.steps,
                                 run->m->s->replicas);
  Status status = step_through(run, error);
  progress_end(&run->progress);
  Error second;
  const Status told = conclude(run, status, error, status == STATUS_OK ? error : &second);
  return status == STATUS_OK ? told : status;
}

static Status begin(Run *run, Error *error)
{
  const bool resume = run->options->resume;
  Status status = run_folder_open(&run->folder, run->config, run->options->dir,
                                  run_folder_use(run->options->force, run->options->resume), error);
  if (status == STATUS_OK)
    status = resume ? simulation_prepare(run->m->s, error) : simulation_start(run->m->s, NULL, error);
  if (status == STATUS_OK)
    status = make_memory(run, error);
  if (status == STATUS_OK && resume)
    status = restore(run, error);
  return status == STATUS_OK ? open_files(run, error) : status;
}

Status mechanics_simulate(Simulation *s, const SimulationRun *options, Error *error)
{
  Run run = {.m = mechanics_of(s),
             .config = s->config,
             .options = options,
             .replica = s->config->output.trajectory_replica,
             .began = ticks_seconds(),
             .marks = {.trajectory = -1, .energy = -1, .ensemble = -1, .multipliers = -1},
             .saved = -1,
             .saved_time = ticks_seconds()};
  Error own; /* so that there is one to hand on */
  Error *const why = error != NULL ? error : &own;
  Status status = begin(&run, why);
  if (status == STATUS_OK) {
    status = work(&run, why);
    if (status == STATUS_RUN)
      checkpoint_tell(run.saved, why);
  }
  const Status closed = close_files(&run, status == STATUS_OK ? why : NULL);
  status = status == STATUS_OK ? closed : status;
  run_folder_close(run.folder);
  mechanics_report_free(run.report);
  mechanics_means_free(run.means);
  chunk_free(&run.chunks);
  free(run.q);
  free(run.p);
  free(run.lambda);
  return status;
}
