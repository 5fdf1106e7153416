/* Makes, frees and rebuilds the ensemble with ladder, barostat, measurement and external forces. A rebuild
 * around the same states follows a change of forces or settings between steps. */
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "config/config_options.h"
#include "simulation/measure/measure.h"
#include "simulation/penalty.h"
#include "simulation/simulation_private.h"

/* Frees nothing: the parts belong to a copy of *s, or have been freed. */
static void forget(Simulation *s)
{
  s->look = NULL;
  s->measurement = NULL;
  s->ladder = NULL;
  s->barostat = NULL;
  s->nmove = 0;
  s->schedule = (Schedule){0};
  s->hills = (Hills){0};
  s->pull = NULL;
  s->ensemble = NULL;
  s->external = NULL;
  s->scratch = NULL;
  s->scratch_field = (ForceField){0};
  s->stale = NULL;
  s->replica = NULL;
  s->changed = s->looked = NULL;
  s->lambda = NULL;
  s->thermal = NULL;
}

void simulation_prepare_free(Simulation *s)
{
  measure_free(s->look);
  measurement_free(s->measurement);
  ladder_free(s->ladder);
  barostat_free(s->barostat);
  hills_free(&s->hills);
  pull_free(s->pull);
  ensemble_free(s->ensemble);
  simulation_scratch_free(s);
  external_free(s->external);
  free(s->stale);
  free(s->replica);
  free(s->changed);
  free(s->looked);
  free(s->lambda);
  free(s->thermal);
  forget(s);
}

/* The acceptance of states that do not exchange: independent runs. */
static double never(double dbeta, double dU)
{
  (void)dbeta, (void)dU;
  return 0.0;
}

static Status make_ladder(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->exchange.number == 0)
    return STATUS_OK;
  const LadderOptions options = {.n = c->exchange.number,
                                 .ladders = c->exchange.ladders,
                                 .kT = c->exchange.kT,
                                 .kT_plan = s->kT,
                                 .interval = c->exchange.interval,
                                 .equilibration = s->equilibration,
                                 .tunings = c->exchange.tunings,
                                 .redraw = c->exchange.momenta == MOMENTA_REDRAWN,
                                 .parameters = config_parameters_states(c) > 0 ? &s->parameters : NULL,
                                 .state = s->states,
                                 .barostat = s->barostat,
                                 .pressure = s->barostat != NULL ? c->exchange.pressure : NULL,
                                 .slopes = c->alchemy.states > 0,
                                 .acceptance = c->alchemy.states > 0 && !c->alchemy.exchange ? never : NULL,
                                 .seed = (uint64_t)c->seed};
  return ladder_create(&s->ladder, &options, s->ensemble, error);
}

static Status make_barostat(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->barostat.type == BAROSTAT_NONE)
    return STATUS_OK;
  const BarostatOptions options = {.type = c->barostat.type,
                                   .pressure = c->barostat.pressure,
                                   .pressures = c->exchange.number > 0,
                                   .kT = s->kT,
                                   .every = c->barostat.every,
                                   .timestep = s->h,
                                   .compressibility = c->barostat.compressibility,
                                   .time = c->barostat.time,
                                   .shape = (BarostatShape)c->barostat.shape,
                                   .start = s->box,
                                   .equilibration = s->equilibration,
                                   .ends = c->barostat.until == 1,
                                   .seed = (uint64_t)c->seed};
  return barostat_create(&s->barostat, &options, s->ensemble, s->topology, error);
}

/* Exchanges come before changes of the box, which use the new states. The ladder sets the states of the
 * barostat, so that is made first. Hills and pulls come last: changes of the box have the bias of the sampled
 * energies. */
static Status make_moves(Simulation *s, Error *error)
{
  TRY(make_barostat(s, error));
  TRY(make_ladder(s, error));
  if (s->ladder != NULL)
    s->move[s->nmove++] = ladder_move(s->ladder);
  if (s->barostat != NULL)
    s->move[s->nmove++] = barostat_move(s->barostat);
  if (s->metadynamics != NULL) {
    TRY(hills_create(&s->hills, s->metadynamics, s->ensemble, s->replicas, error));
    s->move[s->nmove++] = hills_move(&s->hills);
  }
  TRY(simulation_biases_pull(s, error));
  if (s->pull != NULL)
    s->move[s->nmove++] = pull_move(s->pull);
  return STATUS_OK;
}

/* The schedule's move comes before the barostat's: a move of the box has the temperature of its step. */
static void make_schedule(Simulation *s)
{
  if (s->config->schedule.points.n == 0)
    return;
  s->schedule =
      (Schedule){.config = s->config, .ensemble = s->ensemble, .barostat = s->barostat, .kT = s->kT};
  schedule_begin(&s->schedule);
  for (Move *move = s->move + s->nmove++; move > s->move; move--)
    move[0] = move[-1];
  s->move[0] = schedule_move(&s->schedule);
}

/* The stride of checks of the constraining sphere: short, and a divisor of the strides of samples and
 * exchanges, so that these have replicas inside. */
static int64_t sphere_every(const Simulation *s)
{
  const Config *c = s->config;
  int64_t every = observable_set_stride(10, c->output.thermo_every);
  every = observable_set_stride(every, config_frames_every(c));
  every = c->exchange.number > 0 ? observable_set_stride(every, c->exchange.interval) : every;
  for (int i = 0; i < OBSERVABLES; i++)
    every = observable_set_stride(every, c->output.observe.every[i]);
  return every;
}

/* Allocates per-batch data. */
static Status make_room(Simulation *s)
{
  const size_t held = (size_t)ensemble_held(s->ensemble);
  const size_t n = held * (size_t)s->width;
  const PlanOptions *o = plan_options(s->plan);
  s->nlambda = o->constraints == NULL || o->keep_multipliers ? simulation_constraints(s) : 0;
  s->lambda = calloc(n * (size_t)s->nlambda + 1, sizeof *s->lambda);
  s->stale = calloc(held, sizeof *s->stale);
  s->replica = calloc(n, sizeof *s->replica);
  s->changed = calloc(held, sizeof *s->changed);
  s->looked = calloc(held, sizeof *s->looked);
  const bool full =
      s->lambda != NULL && s->stale != NULL && s->replica != NULL && s->changed != NULL && s->looked != NULL;
  return full ? STATUS_OK : STATUS_MEMORY;
}

/* Caller's forces of the batches in memory. */
static Status make_external(Simulation *s, Error *error)
{
  if (s->nforce == 0)
    return STATUS_OK;
  const int end = s->end > 0 ? s->end : simulation_batches(s), replicas = (end - s->first) * s->width;
  return external_create(&s->external, s->nforce, s->force, s->topology, &s->parameters,
                         (uint32_t)(s->first * s->width), replicas, error);
}

static Status make_measurement(Simulation *s, Error *error)
{
  const MeasurementOptions options = {.part = s->sort->measurement,
                                      .system = s,
                                      .config = s->config,
                                      .ensemble = s->ensemble,
                                      .quantities = s->sort->quantities,
                                      .reduced = s->config->reduced,
                                      .filters = penalty_filters(s)};
  return measurement_create(&s->measurement, &options, error);
}

Status simulation_prepare(Simulation *s, Error *error)
{
  if (s->ensemble != NULL)
    return STATUS_OK;
  TRY(make_external(s, error));
  const EnsembleOptions options = {.plan = s->plan,
                                   .topology = s->topology,
                                   .box = s->box,
                                   .replicas = s->replicas,
                                   .width = s->width,
                                   .first = s->first,
                                   .end = s->end,
                                   .threads = s->threads,
                                   .seed = (uint64_t)s->config->seed,
                                   .radius = s->config->system.constraining_radius,
                                   .radius_every = sphere_every(s),
                                   .purpose = s->purpose,
                                   .maker = {s, simulation_field},
                                   .external = s->external};
  Status status = config_options_name(s->config, ensemble_create(&s->ensemble, &options, error), error);
  if (status == STATUS_OK && make_room(s) != STATUS_OK)
    status = error_memory(error, "the system");
  if (status == STATUS_OK)
    status = make_moves(s, error);
  if (status == STATUS_OK)
    make_schedule(s);
  if (status == STATUS_OK)
    status = make_measurement(s, error);
  if (status != STATUS_OK)
    simulation_prepare_free(s);
  return status;
}

/* --- anew, around the same states ------- */

/* Forces and settings do not change number or size of chunks. */
static Status copy_chunks(const ChunkList *from, const ChunkList *to, Error *error)
{
  bool same = from->n == to->n;
  for (int i = 0; i < to->n && same; i++)
    same = from->chunk[i].size == to->chunk[i].size;
  if (from->failed || to->failed || !same)
    return error_memory(error, "a copy of the state");
  for (int i = 0; i < to->n; i++)
    memcpy(to->chunk[i].data, from->chunk[i].data, to->chunk[i].size);
  return STATUS_OK;
}

/* Copies all chunks of a checkpoint. Forces adapt their data to the boxes, so the data are copied again if a
 * box has changed. */
static Status carry_over(Simulation *was, Simulation *s, Error *error)
{
  SCOPED(chunk_free) ChunkList from = {0}, to = {0};
  bool changed;
  simulation_chunks(was, &from);
  simulation_chunks(s, &to);
  TRY(copy_chunks(&from, &to, error));
  TRY(ensemble_follow_boxes(s->ensemble, &changed, error));
  return changed ? copy_chunks(&from, &to, error) : STATUS_OK;
}

static Status make_anew(Simulation *s, Error *error)
{
  Simulation was = *s;
  forget(s);
  Status status = simulation_prepare(s, error);
  if (status == STATUS_OK)
    status = carry_over(&was, s, error);
  if (status == STATUS_OK) {
    simulation_prepare_free(&was);
    simulation_all_changed(s);
    return STATUS_OK;
  }
  simulation_prepare_free(s);
  *s = was;
  return status;
}

Status simulation_prepare_anew(Simulation *s, Error *error)
{
  if (s->started)
    return make_anew(s, error);
  simulation_prepare_free(s); /* made to read columns */
  return STATUS_OK;
}

PlanOptions simulation_prepare_plan(const Simulation *s)
{
  PlanOptions options = config_options_plan(s->config, s->isa);
  options.h = s->settings.h;
  options.gamma = s->settings.gamma;
  options.kind_gamma = s->friction;
  return options;
}

/* Options that the sort chose, rather than the input, remain. */
Status simulation_prepare_settings(Simulation *s, const SimulationSettings *to, Error *error)
{
  const SimulationSettings old = s->settings;
  Plan *const plan = s->plan;
  const PlanOptions *const had = plan_options(plan);
  s->settings = *to;
  PlanOptions options = simulation_prepare_plan(s);
  options.keep_heat = had->keep_heat;
  options.keep_multipliers = had->keep_multipliers;
  Status status = plan_create_kinds(&s->plan, s->nkind, s->kind, &options, error);
  if (status == STATUS_OK) {
    Plan *const made = s->plan;
    s->h = to->h;
    status = simulation_prepare_anew(s, error);
    if (status != STATUS_OK)
      plan_free(made);
  }
  if (status == STATUS_OK) {
    plan_free(plan);
    return STATUS_OK;
  }
  s->plan = plan;
  s->settings = old;
  s->h = old.h;
  return status;
}
