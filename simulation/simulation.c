#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/config_options.h"
#include "engine/cores.h"
#include "engine/isa.h"
#include "engine/units.h"
#include "integrators/motion.h"
#include "simulation/parts/checkpoint.h"
#include "simulation/simulation_private.h"
#include "simulation/simulation_virtual.h"

static Status count(Simulation *s, Error *error)
{
  if (s->topology == NULL)
    TRY(topology_of_kinds(&s->topology, s->nkind, s->kind, s->lanes, error));
  s->coordinates = topology_coordinates(s->topology);
  s->ncon = ensemble_constraints(s->topology->sort);
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
  s->h = s->settings.h = config->integrator.timestep;
  s->settings.gamma = config->thermostat.type == THERMOSTAT_LANGEVIN ? config->thermostat.friction : 0.0;
  s->steps = config->integrator.steps;
  s->equilibration = config->output.equilibration;
  s->threads = threads != 0 ? threads : config->ensemble.threads;
  if (s->threads <= 0)
    s->threads = cores_default();
  TRY_ELSE(isa_wanted(&s->isa, error), simulation_free(s));
  TRY_ELSE(simulation_parameters_name(s, error), simulation_free(s));
  TRY_ELSE(config_options_name(config, s->sort->create(s, error), error), simulation_free(s));
  TRY_ELSE(simulation_parameters_create(s, error), simulation_free(s));
  TRY_ELSE(simulation_parameters_schedule(s, error), simulation_free(s));
  TRY_ELSE(count(s, error), simulation_free(s));
  *simulation = s;
  return STATUS_OK;
}

Status simulation_room_for_kinds(Simulation *s, size_t most, Error *error)
{
  s->kind = arena_take(&s->arena, most, sizeof *s->kind);
  s->lanes = arena_take(&s->arena, most, sizeof *s->lanes);
  return arena_check(&s->arena, "the kinds of a system", error);
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

void simulation_free(Simulation *s)
{
  if (s == NULL)
    return;
  simulation_prepare_free(s);
  s->sort->free(s);
  simulation_topology_free(s);
  simulation_virtual_free(s->virtual);
  plan_free(s->plan);
  topology_free(s->topology);
  for (int k = 0; k < s->nkind; k++)
    kind_free((Kind *)s->kind[k]);
  arena_free(&s->arena);
  free(s->force);
  free(s->observer);
  config_free(s->owned);
  free(s);
}

/* --- external forces and observers ------- */

static Status takes_forces(const Simulation *s, Error *error)
{
  const Method *method = plan_options(s->plan)->method;
  return method == NULL ? STATUS_OK
                        : error_set(error, STATUS_INPUT,
                                    "the method '%s' uses only the system's own formulas and no external "
                                    "forces: use a word of A and B (integrator.word)",
                                    method->name);
}

/* Forces must be computed before their next use. */
static void all_stale(Simulation *s)
{
  if (s->started)
    memset(s->stale, true, (size_t)ensemble_held(s->ensemble) * sizeof *s->stale);
}

/* Rebuilds the ensemble for the present forces. */
static Status follow_forces(Simulation *s, Error *error)
{
  TRY(simulation_prepare_anew(s, error));
  all_stale(s);
  return STATUS_OK;
}

Status simulation_add_force(Simulation *s, const ExternalRow *force, Error *error)
{
  TRY(takes_forces(s, error));
  ExternalRow *more = realloc(s->force, ((size_t)s->nforce + 1) * sizeof *more);
  TRY_MEMORY(more != NULL, "external forces", error);
  s->force = more;
  s->force[s->nforce++] = *force;
  TRY_ELSE(follow_forces(s, error), s->nforce--);
  return STATUS_OK;
}

Status simulation_remove_force(Simulation *s, const ExternalRow *force, Error *error)
{
  int i = s->nforce - 1;
  while (i >= 0 && (s->force[i].function != force->function || s->force[i].user != force->user))
    i--;
  if (i < 0)
    return error_set(error, STATUS_INPUT,
                     "there is no such force to remove: this function with this user pointer was not added, "
                     "or was removed already");
  const ExternalRow removed = s->force[i];
  const size_t behind = (size_t)(s->nforce - i - 1) * sizeof removed;
  memmove(&s->force[i], &s->force[i + 1], behind);
  s->nforce--;
  const Status status = follow_forces(s, error);
  if (status == STATUS_OK)
    return STATUS_OK;
  memmove(&s->force[i + 1], &s->force[i], behind);
  s->force[i] = removed;
  s->nforce++;
  return status;
}

Status simulation_observe(Simulation *s, int64_t every, SimulationObserver observer, void *user, Error *error)
{
  if (every < 1)
    return error_set(error, STATUS_INPUT, "the stride of an observer must be 1 or more, not %lld",
                     (long long)every);
  struct SimulationWatch *more = realloc(s->observer, ((size_t)s->nobserver + 1) * sizeof *more);
  TRY_MEMORY(more != NULL, "observers", error);
  s->observer = more;
  s->observer[s->nobserver++] = (struct SimulationWatch){observer, user, every};
  return STATUS_OK;
}

Status simulation_unobserve(Simulation *s, SimulationObserver observer, const void *user, Error *error)
{
  int i = s->nobserver - 1;
  while (i >= 0 && (s->observer[i].function != observer || s->observer[i].user != user))
    i--;
  if (i < 0)
    return error_set(error, STATUS_INPUT,
                     "there is no such observer to remove: this function with this user pointer was not "
                     "added, or was removed already");
  memmove(&s->observer[i], &s->observer[i + 1], (size_t)(s->nobserver - i - 1) * sizeof *s->observer);
  s->nobserver--;
  return STATUS_OK;
}

/* --- settings ------- */

double simulation_timestep(const Simulation *s) { return s->h; }

double simulation_friction(const Simulation *s)
{
  return s->config->thermostat.type == THERMOSTAT_LANGEVIN ? s->settings.gamma : NAN;
}

static bool settings_changed(const Simulation *s)
{
  const Config *c = s->config;
  return s->settings.h != c->integrator.timestep ||
         (c->thermostat.type == THERMOSTAT_LANGEVIN && s->settings.gamma != c->thermostat.friction);
}

Status simulation_fresh(const Simulation *s, Error *error)
{
  if (s->started)
    return error_set(error, STATUS_INPUT,
                     "this simulation has already started; a whole run needs a fresh one");
  if (settings_changed(s))
    return error_set(error, STATUS_INPUT,
                     "a whole run uses the time step and friction of its input, but they were changed here: "
                     "set integrator.timestep and thermostat.friction in the input");
  return STATUS_OK;
}

/* Forces are computed anew, since the acceleration map depends on the time step. */
static Status set(Simulation *s, const SimulationSettings *to, Error *error)
{
  TRY(simulation_prepare_settings(s, to, error));
  all_stale(s);
  return STATUS_OK;
}

Status simulation_set_timestep(Simulation *s, double h, Error *error)
{
  if (!(h > 0.0) || !isfinite(h))
    return error_set(error, STATUS_INPUT, "a time step must be positive and finite, not %g", h);
  if (s->config->schedule.points.n > 0)
    return error_set(error, STATUS_INPUT,
                     "the time step cannot be changed with a schedule, whose points are steps; set "
                     "integrator.timestep in the input");
  TRY(simulation_biases_timestep(s, error));
  const SimulationSettings to = {
      .h = h, .gamma = s->settings.gamma, .since = simulation_done(s), .time = simulation_time(s)};
  const double old = s->h;
  s->h = h;
  const Status judged = s->sort->judge != NULL ? s->sort->judge(s, error) : STATUS_OK;
  s->h = old;
  return judged == STATUS_OK ? set(s, &to, error) : judged;
}

Status simulation_set_friction(Simulation *s, double gamma, Error *error)
{
  const Config *c = s->config;
  if (!(gamma >= 0.0) || !isfinite(gamma))
    return error_set(error, STATUS_INPUT, "a friction must be finite and 0 or more, not %g", gamma);
  if (c->thermostat.type != THERMOSTAT_LANGEVIN)
    return error_set(error, STATUS_INPUT,
                     "there is no friction to change: set thermostat.type: langevin with a friction");
  if (gamma == 0.0 && c->exchange.number > 0 && c->exchange.momenta != MOMENTA_REDRAWN)
    return error_set(error, STATUS_INPUT,
                     "a ladder needs friction, since its replicas' energies would otherwise change only at "
                     "exchanges: use a friction > 0, or exchange.momenta: redrawn");
  SimulationSettings to = s->settings;
  to.gamma = gamma;
  return set(s, &to, error);
}

/* --- the start ------- */

double simulation_kT(const Simulation *s, int replica)
{
  if (s->ladder != NULL)
    return ladder_kT(s->ladder, ladder_temperature(s->ladder, replica));
  if (config_schedule_has(s->config, SCHEDULED_TEMPERATURE))
    return config_schedule_at(s->config, SCHEDULED_TEMPERATURE, replica, s->started ? simulation_done(s) : 0);
  const int at = replica / s->width - s->first;
  const bool here = s->ensemble != NULL && at >= 0 && at < ensemble_held(s->ensemble);
  return here && simulation_replica(s, replica)->kT > 0.0 ? simulation_replica(s, replica)->kT : s->kT;
}

double simulation_temperature(const Simulation *s, int replica)
{
  if (replica < 0 || replica >= s->replicas)
    return NAN;
  const double kT = simulation_kT(s, replica);
  return kT > 0.0 ? kT / (s->config->reduced ? 1.0 : UNITS_BOLTZMANN) : NAN;
}

Status simulation_ladder(const Simulation *s, int replica, int *ladder, int *temperature, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  if (s->ladder == NULL)
    return error_set(error, STATUS_INPUT, "there is no ladder of temperatures: set exchange.temperatures");
  const int n = ladder_options(s->ladder)->n;
  const bool spare = replica >= n * ladder_options(s->ladder)->ladders;
  *ladder = spare ? -1 : replica / n;
  *temperature = spare ? -1 : ladder_temperature(s->ladder, replica);
  return STATUS_OK;
}

Status simulation_check_temperature(const Simulation *s, double kelvin, Error *error)
{
  if (!(kelvin > 0.0) || !isfinite(kelvin))
    return error_set(error, STATUS_INPUT, "a temperature must be positive and finite, not %g", kelvin);
  if (s->ladder != NULL)
    return error_set(
        error, STATUS_INPUT,
        "a temperature cannot be set, since a ladder exchanges temperatures (exchange.temperatures)");
  if (config_schedule_has(s->config, SCHEDULED_TEMPERATURE))
    return error_set(error, STATUS_INPUT,
                     "a temperature cannot be set, since the schedule of the input sets it (schedule)");
  TRY(simulation_biases_temperature(s, error));
  if (!(s->kT > 0.0))
    return error_set(error, STATUS_INPUT, "there is no temperature to change: set thermostat.temperature");
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
  simulation_biases_clear(s);
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
    return error_set(error, STATUS_INPUT, "there is no replica %d; there are %d, numbered from 0", replica,
                     s->replicas);
  return STATUS_OK;
}

/* --- properties ------- */

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
    n += s->topology->sort[k].nmol * ensemble_constraints(&s->topology->sort[k]);
  return n;
}

int64_t simulation_done(const Simulation *s) { return s->ensemble != NULL ? ensemble_step(s->ensemble) : 0; }

bool simulation_started(const Simulation *s) { return s->started; }

Status simulation_sound(const Simulation *s, Error *error)
{
  return s->torn ? error_pass(error, s->fault.status, &s->fault) : STATUS_OK;
}

double simulation_time(const Simulation *s) { return simulation_time_at(s, simulation_done(s)); }

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
  const Sample sample = ensemble_at(s->ensemble, replica / s->width);
  sample_get(&sample, s->topology, field_of(field), replica % s->width, x);
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
  ensemble_set_field(s->ensemble, replica, field_of(field), x);
  if (field == SIMULATION_POSITIONS) {
    simulation_replica(s, replica)->moved = 1;
    s->moved = true;
  }
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
  if (s->ensemble == NULL)
    return s->box;
  const Sample sample = ensemble_at(s->ensemble, replica / s->width);
  return *sample_box(&sample);
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
  *columns = (SimulationColumns){s->measurement->shown, s->measurement->name, s->measurement->unit};
  return STATUS_OK;
}

Status simulation_multipliers(const Simulation *s, int replica, double *lambda, Error *error)
{
  TRY(simulation_check_replica(s, replica, error));
  if (s->nlambda == 0)
    return error_set(error, STATUS_INPUT, "there are no multipliers: %s",
                     simulation_constraints(s) == 0
                         ? "the molecules have no constraints"
                         : "they are stored only if output.multipliers_every is not 0");
  memcpy(lambda, simulation_lambda(s, replica), (size_t)s->nlambda * sizeof *lambda);
  return STATUS_OK;
}

void simulation_chunks(Simulation *s, ChunkList *chunks)
{
  ensemble_chunks(s->ensemble, chunks);
  for (int i = 0; i < s->nmove; i++)
    if (s->move[i].chunks != NULL)
      s->move[i].chunks(s->move[i].self, chunks);
  const int held = ensemble_held(s->ensemble);
  chunk_add_each(chunks, s->stale, sizeof *s->stale, held);
  chunk_add_each(chunks, s->replica, (size_t)s->width * sizeof *s->replica, held);
  chunk_add_each(chunks, s->parameters.value + (ptrdiff_t)s->first * s->width * s->parameters.n,
                 (size_t)(s->width * s->parameters.n) * sizeof *s->parameters.value,
                 s->parameters.n > 0 ? held : 0);
  chunk_add_each(chunks, s->lambda, (size_t)(s->width * s->nlambda) * sizeof *s->lambda, held);
  s->settings.forces = s->nforce;
  chunk_owner(chunks, CHUNK_OF_ALL);
  chunk_add(chunks, &s->settings, sizeof s->settings);
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
  return changed ? checkpoint_read(of, place, chunks, error) /* data of forces belong to the new box */
                 : STATUS_OK;
}

static Status pass(Simulation *s, Pass how, const CheckpointStore *place, size_t *size, Error *error)
{
  char contents[512];
  ChunkList chunks = {0};
  simulation_contents(s, contents, sizeof contents);
  const CheckpointOf of = {s->config, s->isa, contents, false, {0, s->replicas - 1}, s->nforce};
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

/* Adapts the plan to restored settings. Forces are current unless the external forces differ. */
static Status follow_settings(Simulation *s, const SimulationSettings *was, Error *error)
{
  const SimulationSettings to = s->settings;
  s->settings = *was;
  if (to.forces != s->nforce)
    all_stale(s);
  if (to.h != was->h || to.gamma != was->gamma)
    return simulation_prepare_settings(s, &to, error);
  s->settings = to;
  return STATUS_OK;
}

Status simulation_restore(Simulation *s, const CheckpointStore *place, Error *error)
{
  const SimulationSettings was = s->settings;
  const bool started = s->started;
  Status status = simulation_prepare(s, error);
  if (status == STATUS_OK)
    status = pass(s, RESTORE, place, NULL, error);
  if (status == STATUS_OK) {
    s->started = true;
    status = follow_settings(s, &was, error);
  }
  if (status != STATUS_OK) {
    s->settings = was;
    s->started = started;
  }
  if (status != STATUS_OK && !started)
    simulation_prepare_free(s); /* may be partly read */
  if (status != STATUS_OK)
    return status;
  s->torn = false;
  simulation_all_changed(s);
  return STATUS_OK;
}
