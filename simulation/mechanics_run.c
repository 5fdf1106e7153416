/* What a mechanical run writes: rows of one replica, means over all. */
#include "simulation/mechanics_run.h"

#include <stdlib.h>

#include "simulation/mechanics_report.h"

/* --- trajectory.csv ------- */

static void head_replica(const Run *run, Text *text)
{
  if (run->s->replicas > 1)
    text_print(text, "# replica %d of %d\n", run->s->config->output.trajectory_replica, run->s->replicas);
}

static void head_trajectory(void *self, Text *text)
{
  const Run *run = self;
  const Mechanics *m = mechanics_of(run->s);
  text_print(text, "time");
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < m->size; i++)
      text_print(text, ",%s", mechanics_report_name(m, i, half).text);
  text_print(text, "\n");
  head_replica(run, text);
}

static Status write_trajectory(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  const MechanicsRun *w = mechanics_run(run);
  const size_t size = run->s->coordinates;
  simulation_get_point(run->s, run->s->config->output.trajectory_replica, w->z, w->z + size);
  text_print(writer->text, "%.17g", simulation_time(run->s));
  for (size_t i = 0; i < 2 * size; i++)
    text_print(writer->text, ",%.17g", w->z[i]);
  text_print(writer->text, "\n");
  return STATUS_OK;
}

/* --- energy.csv ------- */

static void head_energy(void *self, Text *text)
{
  const Run *run = self;
  const MechanicsEnergy none = {0};
  const MechanicsColumns c = mechanics_report_columns(mechanics_of(run->s), &none);
  text_print(text, "time");
  for (int i = 0; i < c.n; i++)
    text_print(text, ",%s", c.name[i]);
  text_print(text, "\n");
  text_print(text, "# largest_g: max |g|/scale, scale d^2 for distances; hidden_g: max |dg/dt|\n");
  head_replica(run, text);
}

/* After the trajectory's row, with whose coordinates. */
static Status write_energy(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  MechanicsRun *w = mechanics_run(run);
  const double time = simulation_time(run->s);
  const MechanicsEnergy e = mechanics_energy(run->s, run->s->config->output.trajectory_replica);
  const MechanicsColumns c = mechanics_report_columns(mechanics_of(run->s), &e);
  text_print(writer->text, "%.17g", time);
  for (int i = 0; i < c.n; i++)
    text_print(writer->text, c.largest[i] ? ",%.6g" : ",%.17g", c.value[i]);
  text_print(writer->text, "\n");
  mechanics_report_add(w->report, time, w->z, &e);
  return STATUS_OK;
}

/* --- multipliers.csv ------- */

static void head_multipliers(void *self, Text *text)
{
  const Run *run = self;
  multipliers_head(mechanics_run(run)->multipliers, "the system", run->s->config->output.trajectory_replica,
                   text);
}

static Status write_multipliers(void *self, Writer *writer, int64_t step, Error *error)
{
  const Run *run = self;
  const MechanicsRun *w = mechanics_run(run);
  const Status status =
      simulation_multipliers(run->s, run->s->config->output.trajectory_replica, w->z, error);
  if (status == STATUS_OK)
    multipliers_add(w->multipliers, writer->text, step, w->z);
  return status;
}

/* --- ensemble.csv ------- */

static void head_ensemble(void *self, Text *text) { mechanics_means_head(mechanics_run(self)->means, text); }

/* A look at all replicas. Averages begin after the equilibration. */
static Status write_ensemble(void *self, Writer *writer, int64_t step, Error *error)
{
  const Run *run = self;
  MechanicsMeans *means = mechanics_run(run)->means;
  const Status status = mechanics_means_take(means, error);
  if (status != STATUS_OK)
    return status;
  if (step > run->s->equilibration)
    mechanics_means_add(means);
  if (writer->text != NULL)
    mechanics_means_row(means, writer->text);
  return STATUS_OK;
}

/* --- the whole ------- */

static Status add_means(Run *run, Error *error)
{
  const Simulation *s = run->s;
  MechanicsRun *w = mechanics_run(run);
  if (s->config->output.ensemble_every == 0)
    return STATUS_OK;
  const Status status = mechanics_means_create(&w->means, mechanics_of(s), error);
  if (status != STATUS_OK)
    return status;
  mechanics_means_chunks(w->means, &run->chunks);
  /* Of one replica there is a file if something was asked for. */
  const bool file = s->replicas > 1 || s->config->output.observables.n > 0;
  const Writer writer = {.name = file ? "ensemble.csv" : NULL,
                         .self = run,
                         .every = s->config->output.ensemble_every,
                         .first = true,
                         .head = head_ensemble,
                         .write = write_ensemble};
  return simulation_run_add(run, &writer, error);
}

static Status add_multipliers(Run *run, Error *error)
{
  const Simulation *s = run->s;
  MechanicsRun *w = mechanics_run(run);
  const Writer writer = {.name = "multipliers.csv",
                         .self = run,
                         .every = s->config->output.multipliers_every,
                         .head = head_multipliers,
                         .write = write_multipliers};
  if (writer.every == 0)
    return STATUS_OK;
  const Status status =
      multipliers_create(&w->multipliers, s->config, s->ncon, plan_multipliers_age(s->plan), error);
  if (status != STATUS_OK)
    return status;
  multipliers_chunks(w->multipliers, &run->chunks);
  return simulation_run_add(run, &writer, error);
}

Status mechanics_run_record(Run *run, Error *error)
{
  Simulation *s = run->s;
  MechanicsRun *w = run->own = calloc(1, sizeof *w);
  if (w == NULL)
    return error_memory(error, "a run");
  w->z = malloc((2 * s->coordinates + (size_t)s->ncon + 1) * sizeof *w->z);
  if (w->z == NULL)
    return error_memory(error, "a run");
  const int64_t every = s->config->output.every;
  const Writer rows[] = {
      {"trajectory.csv", run, every, .first = true, .last = true, head_trajectory, write_trajectory},
      {"energy.csv", run, every, .first = true, .last = true, head_energy, write_energy}};
  Status status = mechanics_report_create(&w->report, mechanics_of(s), error);
  for (int i = 0; i < 2 && status == STATUS_OK; i++)
    status = simulation_run_add(run, &rows[i], error);
  if (status != STATUS_OK)
    return status;
  mechanics_report_chunks(w->report, &run->chunks);
  status = add_multipliers(run, error);
  return status == STATUS_OK ? add_means(run, error) : status;
}

void mechanics_run_release(Run *run)
{
  MechanicsRun *w = mechanics_run(run);
  if (w == NULL)
    return;
  mechanics_report_free(w->report);
  mechanics_means_free(w->means);
  multipliers_free(w->multipliers);
  free(w->z);
  free(w);
}

bool mechanics_run_progress(const Run *run, char *words, size_t size)
{
  text_append(words, size, "time %.6g  E %.9g", simulation_time(run->s),
              mechanics_report_energy(mechanics_run(run)->report));
  return true;
}
