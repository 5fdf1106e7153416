#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa.h"
#include "engine/text.h"
#include "engine/units.h"
#include "integrators/motion.h"
#include "simulation/run/checkpoint.h"
#include "simulation/run/measure.h"
#include "simulation/simulation_private.h"

static Status count(Simulation *s, Error *error)
{
  if (s->topology == NULL) {
    Topology *of_kinds;
    TRY(topology_of_kinds(&of_kinds, s->nkind, s->kind, s->lanes, error));
    for (int k = 0; k < s->nkind && s->sort->charges != NULL; k++)
      s->sort->charges(s, k, of_kinds->sort[k].charge);
    s->topology = of_kinds;
  }
  s->coordinates = topology_coordinates(s->topology);
  s->ncon = simulation_topology_constraints(s->topology->sort);
  return s->sort->speaks != NULL ? s->sort->speaks(s, error) : STATUS_OK;
}

static Status create(Simulation **simulation, const Config *config, Config *owned, int threads, Error *error)
{
  *simulation = NULL;
  Simulation *s = calloc(1, sizeof *s);
  if (s == NULL) {
    config_free(owned);
    return error_memory(error, "the system");
  }
  s->config = config;
  s->pace = simulation_pace();
  s->owned = owned;
  s->sort = sort_of(config);
  s->kT = config->thermostat.kT;
  s->h = config->integrator.timestep;
  s->steps = config->integrator.steps;
  s->equilibration = config->output.equilibration;
  s->threads = threads > 0 ? threads : config->ensemble.threads;
  if (s->threads <= 0)
    s->threads = omp_get_max_threads();
  TRY_ELSE(isa_wanted(&s->isa, error), simulation_free(s));
  TRY_ELSE(s->sort->create(s, error), simulation_free(s));
  TRY_ELSE(count(s, error), simulation_free(s));
  *simulation = s;
  return STATUS_OK;
}

Status simulation_room_for_kinds(Simulation *s, size_t most, Error *error)
{
  s->kind = room_take(&s->room, most, sizeof *s->kind);
  s->lanes = room_take(&s->room, most, sizeof *s->lanes);
  return room_check(&s->room, "the kinds of a system", error);
}

Status simulation_create(Simulation **simulation, const Config *config, int threads, Error *error)
{
  return create(simulation, config, NULL, threads, error);
}

Status simulation_load(Simulation **simulation, const char *path, const char *const *set, int nset,
                       Error *error)
{
  Config *config;
  *simulation = NULL;
  TRY(config_load(path, set, nset, &config, error));
  return create(simulation, config, config, 0, error);
}

Status simulation_parse(Simulation **simulation, const char *name, const char *text, const char *const *set,
                        int nset, Error *error)
{
  Config *config;
  *simulation = NULL;
  TRY(config_parse(name, text, set, nset, &config, error));
  return create(simulation, config, config, 0, error);
}

/* What simulation_prepare has made. */
static void disperse(Simulation *s)
{
  measure_free(s->look);
  gauge_free(s->gauge);
  ladder_free(s->ladder);
  barostat_free(s->barostat);
  ensemble_free(s->ensemble);
  simulation_scratch_free(s);
  external_free(s->external);
  free(s->stale);
  free(s->replica);
  free(s->changed);
  free(s->looked);
  free(s->lambda);
  free(s->thermal);
  s->look = NULL;
  s->gauge = NULL;
  s->ladder = NULL;
  s->barostat = NULL;
  s->nmove = 0;
  s->ensemble = NULL;
  s->external = NULL;
  s->stale = NULL;
  s->replica = NULL;
  s->changed = s->looked = NULL;
  s->lambda = NULL;
  s->thermal = NULL;
}

void simulation_free(Simulation *s)
{
  if (s == NULL)
    return;
  disperse(s);
  s->sort->free(s);
  simulation_topology_free(s);
  plan_free(s->plan);
  topology_free(s->topology);
  for (int k = 0; k < s->nkind; k++)
    kind_free((Kind *)s->kind[k]);
  room_free(&s->room);
  free(s->force);
  free(s->observer);
  config_free(s->owned);
  free(s);
}

/* --- forces from outside and observers ------- */

Status simulation_add_force(Simulation *s, const ExternalRow *force, Error *error)
{
  if (s->started)
    return error_set(error, STATUS_INPUT, "forces are added before the start");
  if (plan_options(s->plan)->method != NULL)
    return error_set(
        error, STATUS_INPUT,
        "the method '%s' steps by the system's own formulas, and takes no forces from outside: take "
        "a word of A and B (integrator.word)",
        plan_options(s->plan)->method->name);
  ExternalRow *more = realloc(s->force, ((size_t)s->nforce + 1) * sizeof *more);
  TRY_MEMORY(more != NULL, "forces from outside", error);
  s->force = more;
  s->force[s->nforce++] = *force;
  disperse(s); /* what columns were asked of */
  return STATUS_OK;
}

Status simulation_observe(Simulation *s, int64_t every, SimulationObserver observer, void *user, Error *error)
{
  if (every < 1)
    return error_set(error, STATUS_INPUT, "an observer is called every so many steps, not %lld",
                     (long long)every);
  struct SimulationWatch *more = realloc(s->observer, ((size_t)s->nobserver + 1) * sizeof *more);
  TRY_MEMORY(more != NULL, "observers", error);
  s->observer = more;
  s->observer[s->nobserver++] = (struct SimulationWatch){observer, user, every};
  return STATUS_OK;
}

/* --- the start ------- */

Status simulation_field(const void *self, const State *shape, ForceField *field, Error *error)
{
  const Simulation *s = self;
  field->n = 0;
  TRY(s->sort->field(s, shape, field, error));
  if (s->external != NULL)
    field->force[field->n++] = external_force(s->external);
  return STATUS_OK;
}

double simulation_kT(const Simulation *s, int replica)
{
  if (s->ladder != NULL)
    return ladder_kT(s->ladder, ladder_temperature(s->ladder, replica));
  const int at = replica / s->width - s->first;
  const bool here = s->ensemble != NULL && at >= 0 && at < ensemble_held(s->ensemble);
  return here && simulation_replica(s, replica)->kT > 0.0 ? simulation_replica(s, replica)->kT : s->kT;
}

double simulation_temperature(const Simulation *s, int replica)
{
  if (replica < 0 || replica >= s->replicas)
    return NAN;
  return simulation_kT(s, replica) / (s->config->reduced ? 1.0 : UNITS_BOLTZMANN);
}

Status simulation_check_temperature(const Simulation *s, double kelvin, Error *error)
{
  if (!(kelvin > 0.0) || !isfinite(kelvin))
    return error_set(error, STATUS_INPUT, "a temperature is positive and finite, not %g", kelvin);
  if (s->ladder != NULL)
    return error_set(
        error, STATUS_INPUT,
        "the temperatures are those of a ladder (exchange.temperatures), which replicas exchange");
  if (!(s->kT > 0.0))
    return error_set(error, STATUS_INPUT, "there is no temperature to change: give thermostat.temperature");
  return STATUS_OK;
}

void simulation_set_temperature(Simulation *s, int replica, double kelvin)
{
  const double kT = kelvin * (s->config->reduced ? 1.0 : UNITS_BOLTZMANN);
  simulation_replica(s, replica)->kT = kT;
  ensemble_set_noise(s->ensemble, replica, sqrt(kT / s->kT));
  if (s->barostat != NULL)
    barostat_set_temperature(s->barostat, replica, kT);
  simulation_changed(s, replica);
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
                                 .seed = (uint64_t)c->seed};
  TRY(ladder_create(&s->ladder, &options, s->ensemble, error));
  s->move[s->nmove++] = ladder_move(s->ladder);
  return STATUS_OK;
}

static Status make_barostat(Simulation *s, Error *error)
{
  const Config *c = s->config;
  if (c->barostat.type == BAROSTAT_NONE)
    return STATUS_OK;
  const BarostatOptions options = {.type = c->barostat.type,
                                   .pressure = c->barostat.pressure,
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
  TRY(barostat_create(&s->barostat, &options, s->ensemble, s->topology, error));
  s->move[s->nmove++] = barostat_move(s->barostat);
  return STATUS_OK;
}

/* Steps between looks at the constraining sphere: few, and such that samples and exchanges are of replicas
 * inside. */
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

/* What is kept beside the ensemble. */
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

/* What the caller's forces share, of the gangs that are in memory. */
static Status make_external(Simulation *s, Error *error)
{
  if (s->nforce == 0)
    return STATUS_OK;
  const int end = s->end > 0 ? s->end : simulation_gangs(s), replicas = (end - s->first) * s->width;
  return external_create(&s->external, s->nforce, s->force, s->topology, (uint32_t)(s->first * s->width),
                         replicas, error);
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
  Status status = ensemble_create(&s->ensemble, &options, error);
  if (status == STATUS_OK && make_room(s) != STATUS_OK)
    status = error_memory(error, "the system");
  if (status == STATUS_OK)
    status = make_ladder(s, error);
  if (status == STATUS_OK)
    status = make_barostat(s, error);
  if (status == STATUS_OK)
    status = gauge_create(&s->gauge, s, error);
  if (status != STATUS_OK)
    disperse(s);
  return status;
}

Status simulation_find_start(Simulation *s, const SimulationStart *how, Error *error)
{
  const SimulationStart none = {0};
  TRY(s->sort->start(s, how != NULL ? how : &none, error));
  return s->sort->judge != NULL ? s->sort->judge(s, error) : STATUS_OK;
}

void simulation_all_changed(Simulation *s)
{
  s->version++;
  for (int g = 0; g < ensemble_held(s->ensemble); g++)
    s->changed[g] = s->version;
}

Status simulation_place(Simulation *s, Error *error)
{
  const Status status = s->sort->place(s, error);
  s->started = status == STATUS_OK;
  s->torn = false;
  memset(s->stale, 0, (size_t)ensemble_held(s->ensemble) * sizeof *s->stale);
  simulation_all_changed(s);
  return status;
}

Status simulation_start(Simulation *s, const SimulationStart *how, Error *error)
{
  TRY(simulation_find_start(s, how, error));
  TRY(simulation_prepare(s, error));
  return simulation_place(s, error);
}

Status simulation_check_replica(const Simulation *s, int replica, Error *error)
{
  if (!s->started)
    return error_set(error, STATUS_INPUT, "the simulation has not been started");
  if (replica < 0 || replica >= s->replicas)
    return error_set(error, STATUS_INPUT, "there is no replica %d; there are %d", replica, s->replicas);
  return STATUS_OK;
}

/* --- what there is ------- */

const Config *simulation_config(const Simulation *s) { return s->config; }

const char *simulation_sort(const Simulation *s) { return s->sort->name; }

int simulation_replicas(const Simulation *s) { return s->replicas; }

double simulation_worked(const Simulation *s)
{
  int64_t steps;
  return s->started ? ensemble_worked(s->ensemble, &steps) : 0.0;
}

int simulation_dimensions(const Simulation *s) { return s->kind[0]->dim; }

int simulation_sites(const Simulation *s) { return (int)(s->coordinates / (size_t)s->kind[0]->dim); }

int simulation_molecules(const Simulation *s) { return s->topology->nmol; }

int simulation_freedom_removed(const Simulation *s)
{
  const int dim = s->kind[0]->dim;
  return motion_freedom(plan_options(s->plan)->removal, dim, (int)s->coordinates / dim);
}

int simulation_freedom(const Simulation *s) { return plan_freedom(s->plan, s->topology->lanes); }

int simulation_constraints(const Simulation *s)
{
  int n = 0;
  for (int k = 0; k < s->topology->nsort; k++)
    n += s->topology->sort[k].nmol * simulation_topology_constraints(&s->topology->sort[k]);
  return n;
}

int64_t simulation_done(const Simulation *s) { return s->ensemble != NULL ? ensemble_step(s->ensemble) : 0; }

bool simulation_started(const Simulation *s) { return s->started; }

Status simulation_sound(const Simulation *s, Error *error)
{
  return s->torn ? error_pass(error, s->fault.status, &s->fault) : STATUS_OK;
}

double simulation_time(const Simulation *s) { return (double)simulation_done(s) * s->h; }

/* --- fields ------- */

static StateField field_of(SimulationField field)
{
  return field == SIMULATION_POSITIONS ? STATE_POSITIONS
         : field == SIMULATION_MOMENTA ? STATE_MOMENTA
                                       : STATE_VELOCITIES;
}

Status simulation_get(Simulation *s, SimulationField field, int replica, double *x, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  double energy[FORCE_TERMS * FORCES_MAX];
  if (field == SIMULATION_FORCES)
    return simulation_scratch_forces(s, replica, x, energy, error);
  topology_get(s->topology, ensemble_gang(s->ensemble, replica / s->width), field_of(field),
               replica % s->width, x);
  return STATUS_OK;
}

int simulation_coordinates(const Simulation *s) { return (int)s->coordinates; }

void simulation_get_point(const Simulation *s, int replica, double *x, double *p)
{
  ensemble_get(s->ensemble, replica, x, p);
}

Status simulation_set(Simulation *s, SimulationField field, int replica, const double *x, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  topology_set(s->topology, ensemble_gang(s->ensemble, replica / s->width), field_of(field),
               replica % s->width, x);
  if (field == SIMULATION_POSITIONS)
    simulation_replica(s, replica)->moved = 1;
  simulation_changed(s, replica);
  return STATUS_OK;
}

Status simulation_set_point(Simulation *s, int replica, const double *x, const double *p, Error *error)
{
  TRY(simulation_set(s, SIMULATION_POSITIONS, replica, x, error));
  return simulation_set(s, SIMULATION_MOMENTA, replica, p, error);
}

/* --- boxes ------- */

Box simulation_box(const Simulation *s, int replica)
{
  return s->ensemble != NULL ? ensemble_gang(s->ensemble, replica / s->width)->box : s->box;
}

Status simulation_set_box(Simulation *s, int replica, const Box *box, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  if (!box_periodic(&s->box))
    return error_set(error, STATUS_INPUT, "there is no periodic box to change");
  TRY(ensemble_set_box(s->ensemble, replica, box, error));
  simulation_changed(s, replica);
  return STATUS_OK;
}

Status simulation_columns(Simulation *s, SimulationColumns *columns, Error *error)
{
  TRY(simulation_prepare(s, error));
  *columns = (SimulationColumns){s->gauge->shown, s->gauge->name, s->gauge->unit};
  return STATUS_OK;
}

Status simulation_multipliers(const Simulation *s, int replica, double *lambda, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  if (s->nlambda == 0)
    return error_set(error, STATUS_INPUT, "there are no multipliers: %s",
                     simulation_constraints(s) == 0
                         ? "the molecules have no constraints"
                         : "they are kept where output.multipliers_every is not 0");
  memcpy(lambda, simulation_lambda(s, replica), (size_t)s->nlambda * sizeof *lambda);
  return STATUS_OK;
}

void simulation_chunks(Simulation *s, ChunkList *chunks)
{
  ensemble_chunks(s->ensemble, chunks);
  for (int i = 0; i < s->nmove; i++)
    s->move[i].chunks(s->move[i].self, chunks);
  const int held = ensemble_held(s->ensemble);
  chunk_add_each(chunks, s->stale, sizeof *s->stale, held);
  chunk_add_each(chunks, s->replica, (size_t)s->width * sizeof *s->replica, held);
  chunk_add_each(chunks, s->lambda, (size_t)(s->width * s->nlambda) * sizeof *s->lambda, held);
}

void simulation_contents(const Simulation *s, char *words, size_t size)
{
  words[0] = '\0';
  for (int k = 0; k < s->topology->nsort; k++)
    text_append(words, size, "%s%d %s", k > 0 ? ", " : "", s->topology->sort[k].nmol,
                s->topology->sort[k].kind->name);
  if (s->digest != 0)
    text_append(words, size, ", as described by %016llx", (unsigned long long)s->digest);
}

typedef enum Pass { SAVE, RESTORE, MEASURE } Pass;

static Status restore(Simulation *s, const CheckpointOf *of, const CheckpointStore *place,
                      const ChunkList *chunks, Error *error)
{
  bool changed;
  TRY(checkpoint_read(of, place, chunks, error));
  TRY(ensemble_follow_boxes(s->ensemble, &changed, error));
  return changed ? checkpoint_read(of, place, chunks, error) /* what forces keep is that of their new box */
                 : STATUS_OK;
}

static Status pass(Simulation *s, Pass how, const CheckpointStore *place, size_t *size, Error *error)
{
  char contents[512];
  ChunkList chunks = {0};
  simulation_contents(s, contents, sizeof contents);
  const CheckpointOf of = {s->config, s->isa, contents, false, {0, s->replicas - 1}};
  simulation_chunks(s, &chunks);
  chunk_sort(&chunks);
  const Status status = how == SAVE ? checkpoint_write(&of, place, ensemble_step(s->ensemble), &chunks, error)
                        : how == RESTORE ? restore(s, &of, place, &chunks, error)
                                         : checkpoint_size(&of, &chunks, size, error);
  chunk_free(&chunks);
  return status;
}

Status simulation_save_size(Simulation *s, size_t *size, Error *error)
{
  TRY(simulation_prepare(s, error));
  return pass(s, MEASURE, NULL, size, error);
}

Status simulation_save(Simulation *s, const CheckpointStore *place, Error *error)
{
  if (!s->started)
    TRY(simulation_start(s, NULL, error));
  TRY(simulation_step_ready(s, error));
  return pass(s, SAVE, place, NULL, error);
}

Status simulation_restore(Simulation *s, const CheckpointStore *place, Error *error)
{
  Status status = simulation_prepare(s, error);
  if (status == STATUS_OK)
    status = pass(s, RESTORE, place, NULL, error);
  if (status != STATUS_OK && !s->started)
    disperse(s); /* a part may have been read */
  if (status != STATUS_OK)
    return status;
  s->started = true;
  s->torn = false;
  simulation_all_changed(s);
  return STATUS_OK;
}
