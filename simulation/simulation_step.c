/* Steps of a simulation: on to a step, with samples and observers on the way. */
#include <stdlib.h>
#include <string.h>

#include "engine/ticks.h"
#include "simulation/run/progress.h"
#include "simulation/simulation_private.h"

enum { EVENT_LAST = EVENTS_MAX - 1, EVENT_EXCHANGE = EVENTS_MAX - 2 }; /* or of the barostat */

int64_t simulation_step_next_stop(const Simulation *s, int64_t step, int64_t until)
{
  const int64_t tuning = s->ladder != NULL ? ladder_next_tuning(s->ladder, step) : until;
  int64_t stop = tuning < until ? tuning : until;
  for (int i = 0; i < s->nobserver; i++) {
    const int64_t next = ensemble_next(step, s->observer[i].every);
    stop = next < stop ? next : stop;
  }
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

/* --- momenta right after O --------------------------------------------------------------------------------
 */

/* Vectors of one gang's momenta. */
static size_t momenta(const State *state)
{
  size_t n = 0;
  for (int b = 0; b < state->nblock; b++)
    n += (size_t)state->block[b].npack * (size_t)(state->block[b].kind->nsite * state->block[b].kind->dim);
  return n;
}

static Octet *thermal_of(const Simulation *s, int gang)
{
  return s->thermal + (size_t)gang * momenta(ensemble_gang(s->ensemble, 0));
}

/* Looks come when the walks have been with other gangs: what they knew of the last O is kept for these. */
static Status make_room(Simulation *s, Error *error)
{
  if (s->thermal != NULL || !plan_is_thermal(s->plan))
    return STATUS_OK;
  const size_t n = (size_t)ensemble_gangs(s->ensemble) * momenta(ensemble_gang(s->ensemble, 0));
  s->thermal = aligned_alloc(sizeof(Octet), n * sizeof(Octet));
  return s->thermal != NULL ? STATUS_OK : error_memory(error, "momenta");
}

static Status look(void *self, unsigned due, int gang, const State *state, Walk *walk, const Team *team,
                   Error *error)
{
  const Simulation *s = self;
  if (s->thermal != NULL && s->thermal_version == s->changed[gang - s->first])
    walk_thermal_return(walk, thermal_of(s, gang));
  return s->with->sample(s->with->self, due, gang, state, walk, team, error);
}

Status simulation_step_sample(Simulation *s, const bool *which, const Sampler *with, unsigned due,
                              Error *error)
{
  const Sampler sampler = {.self = s, .sample = look};
  s->with = with;
  return ensemble_sample_some(s->ensemble, which, &sampler, due, error);
}

/* --- stepping ---------------------------------------------------------------------------------------------
 */

/* Of all molecules, each member of a team some; the others' work on them has ended. */
static void keep_multipliers(const Simulation *s, int gang, const State *state, const Walk *walk,
                             const Team *team)
{
  for (int l = 0; l < state->width; l++) {
    double *lambda = simulation_lambda(s, gang * state->width + l);
    for (int k = 0; k < s->topology->nsort && s->nlambda > 0; k++) {
      const TopologySort *sort = &s->topology->sort[k];
      const int ncon = simulation_topology_constraints(sort);
      int begin, end;
      team_range(team, sort->nmol, &begin, &end);
      for (int m = begin; m < end; m++)
        simulation_topology_multipliers(sort, m, state, walk, l, lambda + (size_t)m * (size_t)ncon);
      lambda += (size_t)sort->nmol * (size_t)ncon;
    }
  }
}

static Status sample(void *self, unsigned due, int gang, const State *state, Walk *walk, const Team *team,
                     Error *error)
{
  Simulation *s = self;
  const unsigned last = 1u << EVENT_LAST, exchange = 1u << EVENT_EXCHANGE, others = due & ~(last | exchange);
  if ((due & exchange) != 0 && s->ladder != NULL)
    TRY(ladder_sample(s->ladder, gang, state, walk, team, error));
  if ((due & exchange) != 0 && s->barostat != NULL)
    TRY(barostat_sample(s->barostat, gang, state, walk, team, error));
  if (others != 0)
    TRY(s->with->sample(s->with->self, others, gang, state, walk, team, error));
  if ((due & last) == 0)
    return STATUS_OK;
  if (s->thermal != NULL)
    walk_thermal_keep(walk, team, thermal_of(s, gang));
  keep_multipliers(s, gang, state, walk, team);
  return STATUS_OK;
}

Status simulation_step_ready(Simulation *s, Error *error)
{
  const size_t held = (size_t)ensemble_held(s->ensemble);
  if (memchr(s->stale, true, held) == NULL)
    return STATUS_OK;
  Status status = simulation_project_check(s, error);
  if (status == STATUS_OK)
    status = ensemble_ready_some(s->ensemble, s->stale, error);
  if (s->ladder != NULL)
    ladder_forget(s->ladder);
  if (s->barostat != NULL)
    barostat_forget(s->barostat);
  if (status == STATUS_OK)
    memset(s->stale, 0, held);
  return status;
}

/* Steps of a simulation with ladders, in which temperatures are not chosen anew. */
typedef struct LadderSteps {
  Simulation *s;
  int64_t until;
  const Sampler *sampler;
} LadderSteps;

static bool part_begins(const void *self, int gang)
{
  const Simulation *s = ((const LadderSteps *)self)->s;
  const LadderOptions *o = ladder_options(s->ladder);
  return ladder_may_begin(o->n, o->ladders, s->width, gang);
}

/* The exchange at the first step has been, that at the last is yet to come. */
static Status step_part(void *self, Ensemble *part, Error *error)
{
  const LadderSteps *steps = self;
  for (int64_t step = ensemble_step(part); step < steps->until;) {
    const int64_t next = ladder_next(steps->s->ladder, step);
    step = next < steps->until ? next : steps->until;
    TRY(ensemble_run(part, step, steps->sampler, error));
    if (step < steps->until)
      TRY(ladder_exchange(steps->s->ladder, part, error));
  }
  return STATUS_OK;
}

static Status step_ladders(Simulation *s, int64_t until, const Sampler *sampler, Error *error)
{
  for (int64_t step; (step = simulation_done(s)) < until;) {
    const int64_t tuning = ladder_next_tuning(s->ladder, step);
    LadderSteps steps = {s, tuning < until ? tuning : until, sampler};
    const EnsembleParts parts = {
        .self = &steps, .steps = steps.until - step, .begins = part_begins, .work = step_part};
    TRY(ladder_exchange(s->ladder, s->ensemble, error));
    TRY(ensemble_each_part(s->ensemble, &parts, error));
  }
  return STATUS_OK;
}

/* Of all replicas, each at its temperature. */
static Status move_boxes(Simulation *s, Error *error)
{
  const int end = s->first + ensemble_held(s->ensemble);
  for (int r = s->first; r < end; r++)
    barostat_set_temperature(s->barostat, r, simulation_kT(s, r));
  const Status status = barostat_move(s->barostat, error);
  for (int r = s->first; r < end; r++)
    s->force_box[r] = ensemble_gang(s->ensemble, r)->box;
  return status;
}

/* A move of the box comes before the first step that follows: what is looked at there still has the box
 * before. */
static Status step_boxes(Simulation *s, int64_t until, const Sampler *sampler, Error *error)
{
  for (int64_t step; (step = simulation_done(s)) < until;) {
    const int64_t next = barostat_next(s->barostat, step);
    TRY(move_boxes(s, error));
    TRY(ensemble_run(s->ensemble, next < until ? next : until, sampler, error));
  }
  return STATUS_OK;
}

static Status step_to(Simulation *s, int64_t until, const Sampler *with, Error *error)
{
  Sampler sampler = {.self = s, .sample = sample};
  if (with != NULL) {
    memcpy(sampler.every, with->every, sizeof sampler.every);
    sampler.energies = with->energies;
  }
  sampler.every[EVENT_LAST] = s->nlambda > 0 || s->thermal != NULL ? until : 0;
  s->with = with;
  simulation_all_changed(s);
  s->thermal_version = s->version;
  if (s->ladder == NULL && s->barostat == NULL)
    return ensemble_run(s->ensemble, until, &sampler, error);
  sampler.energies |= 1u << EVENT_EXCHANGE;
  sampler.every[EVENT_EXCHANGE] =
      s->ladder != NULL ? ladder_options(s->ladder)->interval : barostat_options(s->barostat)->every;
  return s->ladder != NULL ? step_ladders(s, until, &sampler, error) : step_boxes(s, until, &sampler, error);
}

/* Forces that cannot be had, or positions that break constraints, leave a state that others can follow. */
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
