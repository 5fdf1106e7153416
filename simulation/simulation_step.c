/* Steps a simulation, with samples and observers. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/scoped.h"
#include "base/ticks.h"
#include "simulation/simulation_private.h"

/* Internal events: the last step, and moves. */
enum { EVENT_LAST = EVENTS_MAX - 1, EVENT_MOVE = EVENT_LAST - MOVES_MAX };

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* The next step after which a move involves the whole ensemble. */
static int64_t next_together(const Simulation *s, int64_t step)
{
  int64_t next = INT64_MAX;
  for (int i = 0; i < s->nmove; i++)
    if (s->move[i].together != NULL)
      next = least(next, s->move[i].together(s->move[i].self, step));
  return next;
}

int64_t simulation_step_next_stop(const Simulation *s, int64_t step, int64_t until)
{
  int64_t stop = least(next_together(s, step), until);
  for (int i = 0; i < s->nobserver; i++)
    stop = least(stop, ensemble_next(step, s->observer[i].every));
  return stop;
}

Status simulation_step_observers(Simulation *s, Error *error)
{
  const int64_t step = simulation_done(s);
  for (int i = 0; i < s->nobserver; i++)
    if (step % s->observer[i].every == 0)
      TRY(s->observer[i].function(s->observer[i].user, s, error));
  return STATUS_OK;
}

/* --- momenta right after O ------- */

static size_t thermal_size(const Simulation *s)
{
  const Sample first = ensemble_at(s->ensemble, s->first);
  return sample_thermal_size(&first);
}

static Vec8 *thermal_of(const Simulation *s, int batch)
{
  return s->thermal + (size_t)batch * thermal_size(s);
}

/* Stores the momenta after the last O for simulation_look, since each thread's own copy is overwritten by its
 * next batch. */
static Status make_room(Simulation *s, Error *error)
{
  if (s->thermal != NULL || !plan_is_thermal(s->plan))
    return STATUS_OK;
  const size_t n = (size_t)ensemble_batches(s->ensemble) * thermal_size(s);
  s->thermal = aligned_alloc(sizeof(Vec8), n * sizeof(Vec8));
  return s->thermal != NULL ? STATUS_OK : error_memory(error, "momenta");
}

static Status look(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  const Simulation *s = self;
  if (s->thermal != NULL && s->thermal_version == s->changed[batch - s->first])
    sample_thermal_return(sample, thermal_of(s, batch));
  return s->with->sample(s->with->self, due, batch, sample, error);
}

Status simulation_step_sample(Simulation *s, const bool *which, const Sampler *with, unsigned due,
                              Error *error)
{
  const Sampler sampler = {.self = s, .sample = look};
  s->with = with;
  return ensemble_sample_some(s->ensemble, which, &sampler, due, error);
}

/* --- stepping ------- */

/* Each member of a team stores its share of the molecules; the team's work on them has ended. */
static void keep_multipliers(const Simulation *s, int batch, const Sample *sample)
{
  const int width = sample_width(sample);
  for (int l = 0; l < width; l++) {
    double *lambda = simulation_lambda(s, batch * width + l);
    for (int k = 0; k < s->topology->nsort && s->nlambda > 0; k++) {
      const TopologySort *sort = &s->topology->sort[k];
      const int ncon = ensemble_constraints(sort);
      int begin, end;
      team_range(sample->team, sort->nmol, &begin, &end);
      for (int m = begin; m < end; m++)
        ensemble_multipliers(sort, m, sample, l, lambda + (size_t)m * (size_t)ncon);
      lambda += (size_t)sort->nmol * (size_t)ncon;
    }
  }
}

static Status sample_due(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  Simulation *s = self;
  const unsigned others = due & ((1u << EVENT_MOVE) - 1);
  for (int i = 0; i < s->nmove; i++)
    if ((due & 1u << (EVENT_MOVE + i)) != 0)
      TRY(s->move[i].sample(s->move[i].self, batch, sample, error));
  if (others != 0)
    TRY(s->with->sample(s->with->self, others, batch, sample, error));
  if ((due & 1u << EVENT_LAST) == 0)
    return STATUS_OK;
  if (s->thermal != NULL)
    sample_thermal_keep(sample, thermal_of(s, batch));
  keep_multipliers(s, batch, sample);
  return STATUS_OK;
}

/* Computes the forces of batches which[held], which are then not stale. */
static Status make_forces(Simulation *s, const bool *which, Error *error)
{
  TRY(ensemble_ready_some(s->ensemble, which, error));
  for (int g = 0; g < ensemble_held(s->ensemble); g++)
    s->stale[g] = s->stale[g] && !which[g];
  return STATUS_OK;
}

static void forget_energies(const Simulation *s)
{
  for (int i = 0; i < s->nmove; i++)
    if (s->move[i].forget != NULL)
      s->move[i].forget(s->move[i].self);
}

Status simulation_step_ready(Simulation *s, Error *error)
{
  const size_t held = (size_t)ensemble_held(s->ensemble);
  TRY(simulation_project_check(s, error));
  if (memchr(s->stale, true, held) == NULL)
    return STATUS_OK;
  const Status status = make_forces(s, s->stale, error);
  forget_energies(s);
  return status;
}

/* Computes forces of all stale batches with valid positions together. */
Status simulation_step_ready_for(Simulation *s, int replica, Error *error)
{
  const int held = ensemble_held(s->ensemble), own = simulation_place_of(s, replica);
  TRY(simulation_project_met(s, replica, error));
  if (!s->stale[own])
    return STATUS_OK;
  SCOPED(scoped_free) bool *which = calloc((size_t)held, sizeof *which);
  TRY_MEMORY(which != NULL, "a look", error);
  for (int g = 0; g < held; g++)
    which[g] = s->stale[g] && (g == own || simulation_project_batch(s, g, NULL) == STATUS_OK);
  forget_energies(s);
  return make_forces(s, which, error);
}

/* Steps with moves in between, up to a move of the whole ensemble. */
typedef struct MovingSteps {
  const Simulation *s;
  int64_t until;
  const Sampler *sampler;
} MovingSteps;

static Status make_moves(const Simulation *s, Ensemble *group, Error *error)
{
  Status status = STATUS_OK;
  for (int i = 0; i < s->nmove; i++) {
    const Move *move = &s->move[i];
    if (move->agree != NULL)
      status = move->agree(move->self, group, status, error);
    if (status == STATUS_OK)
      status = move->make(move->self, group, error);
  }
  return status;
}

/* Moves at the first step have been made; moves at the last step come later. */
static Status step_group(void *self, Ensemble *group, Error *error)
{
  const MovingSteps *steps = self;
  const Simulation *s = steps->s;
  for (int64_t step = ensemble_step(group); step < steps->until;) {
    int64_t next = steps->until;
    for (int i = 0; i < s->nmove; i++)
      next = least(next, ensemble_next(step, s->move[i].every));
    step = next;
    TRY(ensemble_run(group, step, steps->sampler, error));
    if (step < steps->until)
      TRY(make_moves(s, group, error));
  }
  return STATUS_OK;
}

static bool group_begins(const void *self, int batch)
{
  const Simulation *s = ((const MovingSteps *)self)->s;
  for (int i = 0; i < s->nmove; i++)
    if (!s->move[i].begins(s->move[i].self, batch))
      return false;
  return true;
}

/* Whether groups of batches may step independently. */
static bool in_groups(const Simulation *s)
{
  bool all = s->nmove > 0;
  for (int i = 0; i < s->nmove; i++)
    all = all && s->move[i].begins != NULL;
  return all;
}

/* Samples of a step precede its moves. */
static Status step_moving(Simulation *s, int64_t until, const Sampler *sampler, Error *error)
{
  for (int64_t step; (step = simulation_done(s)) < until;) {
    MovingSteps steps = {s, least(next_together(s, step), until), sampler};
    const EnsembleGroups groups = {
        .self = &steps, .steps = steps.until - step, .begins = group_begins, .work = step_group};
    TRY(make_moves(s, s->ensemble, error));
    TRY(in_groups(s) ? ensemble_each_group(s->ensemble, &groups, error)
                     : step_group(&steps, s->ensemble, error));
  }
  return STATUS_OK;
}

static bool made_from(const Move *move, int64_t step) { return move->last == 0 || step < move->last; }

static Status step_to(Simulation *s, int64_t until, const Sampler *with, Error *error)
{
  Sampler sampler = {.self = s, .sample = sample_due};
  if (with != NULL) {
    memcpy(sampler.every, with->every, sizeof sampler.every);
    sampler.energies = with->energies;
  }
  sampler.every[EVENT_LAST] = s->nlambda > 0 || s->thermal != NULL ? until : 0;
  s->with = with;
  simulation_all_changed(s);
  s->thermal_version = s->version;
  for (int i = 0; i < s->nmove; i++) {
    if (s->move[i].sample == NULL)
      continue;
    sampler.energies |= 1u << (EVENT_MOVE + i);
    sampler.every[EVENT_MOVE + i] = made_from(&s->move[i], simulation_done(s)) ? s->move[i].every : 0;
  }
  return step_moving(s, until, &sampler, error);
}

/* Failed forces and invalid positions leave the state usable. */
Status simulation_step_to(Simulation *s, int64_t until, const Sampler *with, Error *error)
{
  TRY(simulation_step_ready(s, error));
  const Status status = step_to(s, until, with, &s->fault);
  s->torn = s->torn || status != STATUS_OK;
  return error_pass(error, status, &s->fault);
}

Status simulation_step(Simulation *s, int64_t n, const SimulationStart *how, Error *error)
{
  const Flag *const stop = how != NULL ? how->stop : NULL;
  if (!s->started)
    TRY(simulation_start(s, how, error));
  Status status = make_room(s, error);
  const int64_t first = simulation_done(s);
  Progress progress = progress_begin(how != NULL ? how->out : NULL, first, first + n, s->replicas);
  for (int64_t left = n; left > 0 && status == STATUS_OK && flag_value(stop) == 0;) {
    const int64_t step = simulation_done(s), most = left < s->pace.steps ? left : s->pace.steps;
    const int64_t until = simulation_step_next_stop(s, step, step + most);
    const double begun = ticks_seconds();
    status = simulation_step_to(s, until, NULL, error);
    simulation_pace_took(&s->pace, until - step, ticks_seconds() - begun);
    if (status == STATUS_OK)
      status = simulation_step_observers(s, error);
    left -= until - step;
    progress_show(&progress, simulation_done(s), "");
  }
  progress_end(&progress);
  return status;
}
