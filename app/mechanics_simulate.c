/* A mechanical run into a folder: rows as it goes, pictures and a summary at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/mechanics_private.h"
#include "app/mechanics_report.h"
#include "app/multipliers.h"
#include "app/progress.h"
#include "app/run_folder.h"
#include "app/simulation.h"
#include "engine/ticks.h"
#include "io/text.h"

typedef struct Run {
  Mechanics *m;
  const Config *config;
  const SimulationOptions *options;
  int replica;
  double *q, *p, *lambda;
  Text *log, *trajectory, *energy;
  Multipliers *multipliers;
  MechanicsReport *report;
  Progress progress;
  double began, stepping;
} Run;

/* --- opening ----------------------------------------------------------------------------------------------
 */

static Status refuse_resume(const SimulationOptions *o, Error *error)
{
  if (!o->resume)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "%s: a mechanical run keeps no checkpoints, so there is nothing to go on with; run it anew "
      "with --force, longer if need be (integrator.time)",
      o->dir);
}

static Status open_log(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const Status status = text_create(&run->log, run->options->dir, "holonom.log", error);
  if (status != STATUS_OK)
    return status;
  text_print(run->log, "Holonom %s, %s instructions, %d threads\n", HOLONOM_VERSION, isa_name(m->isa),
             m->threads);
  text_print(run->log, "input: %s\n", input_name(run->config->input));
  for (int i = 0; input_notes(run->config->input, i) != NULL; i++)
    text_print(run->log, "note: %s\n", input_notes(run->config->input, i));
  return text_flush(run->log, error);
}

static Status open_trajectory(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const Status status = text_create(&run->trajectory, run->options->dir, "trajectory.csv", error);
  if (status != STATUS_OK)
    return status;
  if (m->replicas > 1)
    text_print(run->trajectory, "# replica %d of %d\n", run->replica, m->replicas);
  text_print(run->trajectory, "time");
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < m->size; i++)
      text_print(run->trajectory, ",%s", mechanics_report_name(m, i, half).text);
  text_print(run->trajectory, "\n");
  return text_flush(run->trajectory, error);
}

static Status open_energy(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const Status status = text_create(&run->energy, run->options->dir, "energy.csv", error);
  if (status != STATUS_OK)
    return status;
  if (m->replicas > 1)
    text_print(run->energy, "# replica %d of %d\n", run->replica, m->replicas);
  text_print(run->energy, "# largest_g: max |g|/scale, scale d^2 for distances; hidden_g: max |dg/dt|\n");
  if (m->ham != NULL) {
    text_print(run->energy, "time,total,largest_g,hidden_g\n");
  } else {
    text_print(run->energy, "time,kinetic,potential,penalty,total,largest_g,hidden_g");
    for (int d = 0; d < m->kind->dim; d++)
      text_print(run->energy, ",momentum_%c", "xyz"[d]);
    for (int d = m->kind->dim == 3 ? 0 : 2; d < 3 && m->kind->dim > 1; d++)
      text_print(run->energy, ",angular_%c", "xyz"[d]);
    text_print(run->energy, "\n");
  }
  return text_flush(run->energy, error);
}

static Status open_files(Run *run, Error *error)
{
  const char *dir = run->options->dir;
  Status status = text_make_folder(dir, error);
  if (status == STATUS_OK)
    status = run_folder_clear(dir, error);
  if (status == STATUS_OK)
    status = open_log(run, error);
  if (status == STATUS_OK)
    status = run_folder_input(run->config, dir, error);
  if (status == STATUS_OK)
    status = open_trajectory(run, error);
  if (status == STATUS_OK)
    status = open_energy(run, error);
  if (status == STATUS_OK && run->multipliers != NULL)
    status = multipliers_open(run->multipliers, dir, -1, error);
  return status;
}

static Status make_memory(Run *run, Error *error)
{
  const size_t n = (size_t)run->m->size;
  run->q = malloc(n * sizeof *run->q);
  run->p = malloc(n * sizeof *run->p);
  run->lambda = malloc(((size_t)run->m->ncon + 1) * sizeof *run->lambda);
  if (run->q == NULL || run->p == NULL || run->lambda == NULL)
    return error_memory(error, "a run");
  Status status = mechanics_report_create(&run->report, run->m, error);
  if (status == STATUS_OK && run->config->output.multipliers_every > 0)
    status = multipliers_create(&run->multipliers, run->config, run->m->ncon, error);
  return status;
}

/* --- rows -------------------------------------------------------------------------------------------------
 */

static void write_energy(Run *run, double time, const MechanicsEnergy *e)
{
  const Mechanics *m = run->m;
  text_print(run->energy, "%.17g", time);
  if (m->ham == NULL)
    text_print(run->energy, ",%.17g,%.17g,%.17g", e->kinetic, e->potential, e->penalty);
  text_print(run->energy, ",%.17g,%.6g,%.6g", e->total, e->largest, e->hidden);
  for (int d = 0; d < m->kind->dim && m->ham == NULL; d++)
    text_print(run->energy, ",%.17g", e->momentum[d]);
  for (int d = m->kind->dim == 3 ? 0 : 2; d < 3 && m->kind->dim > 1; d++)
    text_print(run->energy, ",%.17g", e->angular[d]);
  text_print(run->energy, "\n");
}

static Status write_rows(Run *run, Error *error)
{
  const Mechanics *m = run->m;
  const double time = mechanics_time(m);
  mechanics_get(m, run->replica, run->q, run->p);
  const MechanicsEnergy e = mechanics_energy(m, run->replica);
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
  if (spent < 0.1 && ensemble_step(m->ensemble) < run->config->integrator.steps)
    return STATUS_OK;
  progress_show(&run->progress, ensemble_step(m->ensemble), now);
  const Status status = text_flush(run->trajectory, error);
  return status == STATUS_OK ? text_flush(run->energy, error) : status;
}

/* The next step at which a row is due. */
static int64_t next_stop(const Run *run, int64_t step)
{
  const Config *c = run->config;
  int64_t stop = (step / c->output.every + 1) * c->output.every;
  const int64_t other = c->output.multipliers_every;
  if (other > 0 && (step / other + 1) * other < stop)
    stop = (step / other + 1) * other;
  return stop < c->integrator.steps ? stop : c->integrator.steps;
}

static bool stopped(const Run *run) { return run->options->stop != NULL && *run->options->stop != 0; }

static Status step_through(Run *run, Error *error)
{
  const Config *c = run->config;
  Status status = write_rows(run, error);
  while (status == STATUS_OK && !stopped(run)) {
    const int64_t step = ensemble_step(run->m->ensemble);
    if (step >= c->integrator.steps)
      break;
    const int64_t stop = next_stop(run, step);
    const double start = ticks_seconds();
    status = mechanics_run(run->m, stop - step, error);
    run->stepping += ticks_seconds() - start;
    if (status != STATUS_OK)
      break;
    if (stop % c->output.every == 0 || stop == c->integrator.steps)
      status = write_rows(run, error);
    if (run->multipliers != NULL && stop % c->output.multipliers_every == 0) {
      mechanics_multipliers(run->m, run->replica, run->lambda);
      multipliers_add(run->multipliers, stop, run->lambda);
    }
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
  s = multipliers_close(run->multipliers, status == STATUS_OK ? error : NULL);
  status = status == STATUS_OK ? s : status;
  s = text_close(run->log, status == STATUS_OK ? error : NULL);
  return status == STATUS_OK ? s : status;
}

static Status conclude(Run *run, Status status, const Error *failure, Error *error)
{
  const MechanicsEnding ending = {.dir = run->options->dir,
                                  .log = run->log,
                                  .out = run->options->out,
                                  .status = status,
                                  .message = status != STATUS_OK ? failure->text : NULL,
                                  .wall = ticks_seconds() - run->began,
                                  .stepping = run->stepping};
  return mechanics_report_write(run->report, &ending, error);
}

static Status work(Run *run, Error *error)
{
  FILE *out = run->config->output.progress ? run->options->out : NULL;
  run->progress =
      progress_begin(out, ensemble_step(run->m->ensemble), run->config->integrator.steps, run->m->replicas);
  Status status = step_through(run, error);
  progress_end(&run->progress);
  Error second;
  const Status told = conclude(run, status, error, status == STATUS_OK ? error : &second);
  return status == STATUS_OK ? told : status;
}

Status mechanics_simulate(Mechanics *m, const struct SimulationOptions *options, Error *error)
{
  Run run = {.m = m,
             .config = m->config,
             .options = options,
             .replica = m->config->output.trajectory_replica,
             .began = ticks_seconds()};
  Error own; /* so that there is one to hand on */
  Error *const why = error != NULL ? error : &own;
  Status status = refuse_resume(options, why);
  if (status == STATUS_OK)
    status = run_folder_check(options->dir, options->force, why);
  if (status == STATUS_OK)
    status = make_memory(&run, why);
  if (status == STATUS_OK)
    status = open_files(&run, why);
  if (status == STATUS_OK)
    status = work(&run, why);
  const Status closed = close_files(&run, status == STATUS_OK ? why : NULL);
  status = status == STATUS_OK ? closed : status;
  mechanics_report_free(run.report);
  free(run.q);
  free(run.p);
  free(run.lambda);
  return status;
}
