/* What a mechanical run samples and writes: rows of one replica, means over all. */
#include "simulation/mechanics/mechanics_run.h"

#include <stdlib.h>
#include <string.h>

#include "simulation/ladder/ladder_report.h"
#include "simulation/mechanics/mechanics_report.h"

/* --- samples ------- */

/* The replica of which there are rows now, if it is at work in this process, as all of its ladder are; else
 * -1. */
static int own_replica(const Run *run)
{
  const int r = run->s->config->output.trajectory_replica, gang = r / run->s->width;
  const bool own = gang >= ensemble_first(run->s->ensemble) && gang < ensemble_end(run->s->ensemble);
  return own ? ladder_holder(ladder_report_slots(run->s) ? run->s->ladder : NULL, r) : -1;
}

static void take_row(Run *run, int replica)
{
  MechanicsRun *w = mechanics_run(run);
  simulation_get_point(run->s, replica, w->z, w->z + run->s->coordinates);
  w->energy = mechanics_energy(run->s, replica);
  w->taken[MECHANICS_ROW] = true;
}

static bool is_due(int64_t every, int64_t step, Occasion occasion, bool first)
{
  return every > 0 && (occasion == OCCASION_WAY ? step % every == 0 : occasion == OCCASION_START && first);
}

static Status gather(void *self, int64_t step, Occasion occasion, Error *error)
{
  Run *run = self;
  MechanicsRun *w = mechanics_run(run);
  const int replica = own_replica(run);
  const int64_t *stop = run->samples.stop;
  const bool last = occasion == OCCASION_END && step % stop[MECHANICS_ROW] != 0;
  Status status = STATUS_OK;
  w->step = step;
  if (replica >= 0 && (last || is_due(stop[MECHANICS_ROW], step, occasion, true)))
    take_row(run, replica);
  if (replica >= 0 && is_due(stop[MECHANICS_MULTIPLIERS], step, occasion, false)) {
    status = simulation_multipliers(run->s, replica, w->lambda, error);
    w->taken[MECHANICS_MULTIPLIERS] = status == STATUS_OK;
  }
  if (status == STATUS_OK && is_due(stop[MECHANICS_MEANS], step, occasion, true)) {
    status = mechanics_means_take(w->means, error);
    w->taken[MECHANICS_MEANS] = status == STATUS_OK;
  }
  return status;
}

/* Averages begin after the equilibration. */
static void flush(void *self)
{
  const Run *run = self;
  MechanicsRun *w = mechanics_run(run);
  if (w->taken[MECHANICS_MEANS])
    mechanics_means_flush(w->means, w->step > run->s->equilibration);
  memset(w->taken, 0, sizeof w->taken);
}

static void put(Bytes *out, int what, int64_t step, const void *a, size_t na, const void *b, size_t nb)
{
  const SampleRecord record = {what, (int32_t)(na + nb), step};
  bytes_put(out, &record, sizeof record);
  bytes_put(out, a, na);
  bytes_put(out, b, nb);
}

static void pack(void *self, Bytes *records)
{
  const Run *run = self;
  const MechanicsRun *w = mechanics_run(run);
  if (w->taken[MECHANICS_MEANS]) {
    Bytes sums = {0};
    mechanics_means_pack(w->means, &sums);
    put(records, MECHANICS_MEANS, w->step, sums.data, sums.size, NULL, 0);
    records->failed = records->failed || sums.failed;
    bytes_free(&sums);
  }
  if (w->taken[MECHANICS_ROW])
    put(records, MECHANICS_ROW, w->step, &w->energy, sizeof w->energy, w->z,
        2 * run->s->coordinates * sizeof *w->z);
  if (w->taken[MECHANICS_MULTIPLIERS])
    put(records, MECHANICS_MULTIPLIERS, w->step, w->lambda, (size_t)run->s->ncon * sizeof *w->lambda, NULL,
        0);
}

static bool unpack(void *self, const SampleRecord *record, const void *data)
{
  const Run *run = self;
  MechanicsRun *w = mechanics_run(run);
  const size_t size = (size_t)record->size, z = 2 * run->s->coordinates * sizeof *w->z;
  bool fine = false;
  switch (record->what) {
  case MECHANICS_MEANS:
    fine = w->means != NULL && mechanics_means_unpack(w->means, data, size);
    break;
  case MECHANICS_ROW:
    fine = size == sizeof w->energy + z;
    if (fine) {
      memcpy(&w->energy, data, sizeof w->energy);
      memcpy(w->z, (const char *)data + sizeof w->energy, z);
    }
    break;
  case MECHANICS_MULTIPLIERS:
    fine = w->multipliers != NULL && size == (size_t)run->s->ncon * sizeof *w->lambda;
    if (fine)
      memcpy(w->lambda, data, size);
    break;
  default:
    break;
  }
  w->step = record->step;
  w->taken[record->what % MECHANICS_EVENTS] |= fine;
  return fine;
}

static bool full(void *self)
{
  const MechanicsRun *w = mechanics_run(self);
  return w->taken[MECHANICS_MEANS] || w->taken[MECHANICS_ROW] || w->taken[MECHANICS_MULTIPLIERS];
}

/* --- trajectory.csv ------- */

static void head_replica(const Run *run, Text *text)
{
  char place[96];
  ladder_report_place(run->s, run->s->config->output.trajectory_replica, place, sizeof place);
  text_print(text, "# units: %s\n", mechanics_report_units(mechanics_of(run->s)));
  if (run->s->replicas > 1)
    text_print(text, "# %s of %d\n", place, run->s->replicas);
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
  if (!w->taken[MECHANICS_ROW])
    return STATUS_OK;
  text_print(writer->text, "%.17g", (double)w->step * run->s->h);
  for (size_t i = 0; i < 2 * run->s->coordinates; i++)
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

static Status write_energy(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  MechanicsRun *w = mechanics_run(run);
  if (!w->taken[MECHANICS_ROW])
    return STATUS_OK;
  const double time = (double)w->step * run->s->h;
  const MechanicsColumns c = mechanics_report_columns(mechanics_of(run->s), &w->energy);
  text_print(writer->text, "%.17g", time);
  for (int i = 0; i < c.n; i++)
    text_print(writer->text, c.largest[i] ? ",%.6g" : ",%.17g", c.value[i]);
  text_print(writer->text, "\n");
  mechanics_report_add(w->report, time, w->z, &w->energy);
  return STATUS_OK;
}

/* --- multipliers.csv ------- */

static void head_multipliers(void *self, Text *text)
{
  const Run *run = self;
  char place[96];
  ladder_report_place(run->s, run->s->config->output.trajectory_replica, place, sizeof place);
  multipliers_head(mechanics_run(run)->multipliers, "the system", place, text);
}

static Status write_multipliers(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const MechanicsRun *w = mechanics_run(self);
  if (w->taken[MECHANICS_MULTIPLIERS])
    multipliers_add(w->multipliers, writer->text, w->step, w->lambda);
  return STATUS_OK;
}

/* --- ensemble.csv ------- */

static void head_ensemble(void *self, Text *text) { mechanics_means_head(mechanics_run(self)->means, text); }

static Status write_ensemble(void *self, Writer *writer, int64_t step, Error *error)
{
  (void)step;
  (void)error;
  const Run *run = self;
  const MechanicsRun *w = mechanics_run(run);
  if (w->taken[MECHANICS_MEANS])
    mechanics_means_row(w->means, (double)w->step * run->s->h, writer->text);
  return STATUS_OK;
}

/* --- the whole ------- */

static Status add_means(Run *run, Error *error)
{
  const Simulation *s = run->s;
  MechanicsRun *w = mechanics_run(run);
  run->samples.stop[MECHANICS_MEANS] = s->config->output.thermo_every;
  if (s->config->output.thermo_every == 0)
    return STATUS_OK;
  const Status status = mechanics_means_create(&w->means, mechanics_of(s), error);
  if (status != STATUS_OK)
    return status;
  mechanics_means_chunks(w->means, &run->chunks);
  chunk_owner(&run->chunks, CHUNK_OF_FILES);
  const Writer writer = {.name = "ensemble.csv", .self = run, .head = head_ensemble, .write = write_ensemble};
  /* Of one replica there is a file if something was asked for. */
  return s->replicas > 1 || s->config->output.observables.n > 0 ? simulation_run_add(run, &writer, error)
                                                                : STATUS_OK;
}

static Status add_multipliers(Run *run, Error *error)
{
  const Simulation *s = run->s;
  MechanicsRun *w = mechanics_run(run);
  const Writer writer = {
      .name = "multipliers.csv", .self = run, .head = head_multipliers, .write = write_multipliers};
  run->samples.stop[MECHANICS_MULTIPLIERS] = s->config->output.multipliers_every;
  if (s->config->output.multipliers_every == 0)
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
  w->z = malloc((2 * s->coordinates + 1) * sizeof *w->z);
  w->lambda = malloc(((size_t)s->ncon + 1) * sizeof *w->lambda);
  if (w->z == NULL || w->lambda == NULL)
    return error_memory(error, "a run");
  run->samples = (Samples){.sampler = {.self = run},
                           .longest = INT64_MAX,
                           .stop = {[MECHANICS_ROW] = s->config->output.trajectory_every},
                           .gather = gather,
                           .flush = flush,
                           .pack = pack,
                           .unpack = unpack,
                           .full = full};
  const Writer rows[] = {
      {.name = "trajectory.csv", .self = run, .head = head_trajectory, .write = write_trajectory},
      {.name = "energy.csv", .self = run, .head = head_energy, .write = write_energy}};
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
  free(w->lambda);
  free(w);
}

bool mechanics_run_progress(const Run *run, char *words, size_t size)
{
  text_append(words, size, "time %.6g  E %.9g", simulation_time(run->s),
              mechanics_report_energy(mechanics_run(run)->report));
  return true;
}
