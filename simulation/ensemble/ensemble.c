#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "methods/hamiltonian.h"
#include "simulation/ensemble/confine.h"
#include "simulation/ensemble/ensemble_private.h"

/* Moves a state such that packs are in memory near the threads of a team that use them. */
static Status spread(State *s, int threads, Error *error)
{
  Vec8 *const from = s->memory;
  const Block *last = &s->block[s->nblock - 1];
  const size_t bytes = (size_t)(last->active + last->npack - from) * sizeof(Vec8);
  Vec8 *const to = aligned_alloc(sizeof(Vec8), bytes);
  if (to == NULL)
    return error_memory(error, "the state");
  for (int b = 0; b < s->nblock; b++) {
    Block *block = &s->block[b];
    const size_t stride = (size_t)(block->kind->nsite * block->kind->dim) * sizeof(Vec8);
    block->q = to + (block->q - from);
    block->p = to + (block->p - from);
    block->f = to + (block->f - from);
    block->heat = to + (block->heat - from);
    block->active = to + (block->active - from);
    team_clear(block->q, block->npack, stride, threads);
    team_clear(block->p, block->npack, stride, threads);
    team_clear(block->f, block->npack, stride, threads);
  }
  memcpy(to, from, bytes);
  free(from);
  s->memory = to;
  return STATUS_OK;
}

static Status states_create(Ensemble *e, Error *error)
{
  const EnsembleOptions *o = &e->options;
  for (int g = 0; g < e->held; g++) {
    const int first = (e->base + g) * o->width;
    TRY(topology_state(o->topology, o->width, o->seed, (uint32_t)first, &e->batch[g], error));
    e->batch[g]->box = o->box;
    if (o->replicas - first < o->width)
      state_use(e->batch[g], o->replicas - first);
    TRY(state_keep_noise(e->batch[g], error));
    if (e->team && e->nworker > 1)
      TRY(spread(e->batch[g], e->nworker, error));
    if (word_has(plan_spelling(o->plan), 'S'))
      TRY(state_keep_slow(e->batch[g], error));
  }
  return STATUS_OK;
}

static Status walks_create(Ensemble *e, Error *error)
{
  const FieldMaker *maker = &e->options.maker;
  for (int i = 0; i < e->nfield; i++)
    TRY(maker->make(maker->self, e->batch[i < e->held ? i : 0], &e->field[i], error));
  for (int i = 0; i < e->nwalk; i++)
    TRY(walk_create(&e->walk[i], e->options.plan, &e->field[e->team ? 0 : i], e->batch[0], error));
  return STATUS_OK;
}

static Status sphere_create(Ensemble *e, Error *error)
{
  const EnsembleOptions *o = &e->options;
  if (!(o->radius > 0.0))
    return STATUS_OK;
  e->kept = arena_take(&e->arena, (size_t)e->held, sizeof *e->kept);
  e->refused = arena_take(&e->arena, (size_t)e->held, sizeof *e->refused);
  TRY(arena_check(&e->arena, "an ensemble", error));
  for (int i = 0; i < e->held; i++) {
    TRY(topology_state(o->topology, o->width, o->seed, 0, &e->kept[i], error));
    if (word_has(plan_spelling(o->plan), 'S'))
      TRY(state_keep_slow(e->kept[i], error));
  }
  return STATUS_OK;
}

static Status fill(Ensemble *e, Error *error)
{
  e->batch = arena_take(&e->arena, (size_t)e->held, sizeof *e->batch);
  e->box = arena_take(&e->arena, (size_t)e->held, sizeof *e->box);
  e->chosen = arena_take(&e->arena, (size_t)e->held, sizeof *e->chosen);
  e->choice = arena_take(&e->arena, (size_t)e->held, sizeof *e->choice);
  e->indefinite = arena_take(&e->arena, (size_t)e->held, sizeof *e->indefinite);
  e->progress = arena_take(&e->arena, (size_t)e->held, sizeof *e->progress);
  e->worker = arena_take(&e->arena, (size_t)e->nworker, sizeof *e->worker);
  e->walk = arena_take(&e->arena, (size_t)e->nwalk, sizeof *e->walk);
  e->field = arena_take(&e->arena, (size_t)e->nfield, sizeof *e->field);
  TRY(arena_check(&e->arena, "an ensemble", error));
  TRY(states_create(e, error));
  TRY(walks_create(e, error));
  TRY(sphere_create(e, error));
  for (int g = 0; g < e->held; g++)
    e->box[g] = e->chosen[g] = e->choice[g] = e->options.box;
  return STATUS_OK;
}

Status ensemble_create(Ensemble **ensemble, const EnsembleOptions *options, Error *error)
{
  *ensemble = NULL;
  Ensemble *e = calloc(1, sizeof *e);
  if (e == NULL)
    return error_memory(error, "an ensemble");
  e->options = *options;
  e->options.purpose = options->purpose != 0 ? options->purpose : RANDOM_THERMOSTAT;
  e->nbatch = (options->replicas + options->width - 1) / options->width;
  e->base = e->first = options->first;
  e->end = options->end > 0 ? options->end : e->nbatch;
  e->held = e->end - e->base;
  e->team = e->nbatch == 1 && options->width == 1;
  e->together = !e->team && options->external != NULL && external_together(options->external);
  e->apart = e->together || (options->width == 1 && !e->team);
  const int useful = ensemble_pace_useful(e);
  e->nworker = options->threads < useful ? options->threads : useful;
  e->nwalk = e->apart ? e->held : e->nworker;
  e->nfield = e->team ? 1 : e->nwalk;
  if (e->nworker > 1)
    TRY_ELSE(crew_create(&e->crew, e->nworker, error), ensemble_free(e));
  TRY_ELSE(fill(e, error), ensemble_free(e));
  *ensemble = e;
  return STATUS_OK;
}

void ensemble_free(Ensemble *e)
{
  if (e == NULL)
    return;
  crew_free(e->crew);
  for (int i = 0; e->walk != NULL && i < e->nwalk; i++)
    walk_free(e->walk[i]);
  for (int i = 0; e->field != NULL && i < e->nfield; i++)
    force_field_free(&e->field[i]);
  for (int g = 0; e->batch != NULL && g < e->held; g++)
    state_free(e->batch[g]);
  for (int i = 0; e->kept != NULL && i < e->held; i++)
    state_free(e->kept[i]);
  arena_free(&e->arena);
  free(e);
}

int ensemble_replicas(const Ensemble *e) { return e->nbatch * e->options.width; }

int ensemble_batches(const Ensemble *e) { return e->nbatch; }

int ensemble_base(const Ensemble *e) { return e->base; }

int ensemble_held(const Ensemble *e) { return e->held; }

int ensemble_width(const Ensemble *e) { return e->options.width; }

int64_t ensemble_step(const Ensemble *e)
{
  int64_t step = INT64_MAX;
  for (int g = e->first - e->base; g < e->end - e->base; g++)
    step = e->batch[g]->step < step ? e->batch[g]->step : step;
  return step;
}

void ensemble_set_range(Ensemble *e, int first, int end)
{
  e->first = first;
  e->end = end;
}

int ensemble_first(const Ensemble *e) { return e->first; }

int ensemble_end(const Ensemble *e) { return e->end; }

int ensemble_workers(const Ensemble *e) { return e->nworker; }

Sample ensemble_at(const Ensemble *e, int batch) { return sample_of(e->batch[batch - e->base]); }

/* The field of batch g of those in memory. */
static ForceField *field_of(const Ensemble *e, int g) { return &e->field[e->apart ? g : 0]; }

const ForceField *ensemble_field(const Ensemble *e) { return &e->field[0]; }

const ForceField *ensemble_forces(const Ensemble *e, int batch) { return field_of(e, batch - e->base); }

const Topology *ensemble_topology(const Ensemble *e) { return e->options.topology; }

int ensemble_kind_constraints(const Kind *kind) { return kind->ham != NULL ? kind->ham->ncon : kind->ncon; }

int ensemble_constraints(const TopologySort *sort)
{
  int n = 0;
  for (int g = 0; g < sort->ngroup; g++)
    n += ensemble_kind_constraints(sort->group[g].kind);
  return n;
}

void ensemble_multipliers(const TopologySort *sort, int m, const Sample *sample, int r, double *lambda)
{
  for (int g = 0; g < sort->ngroup; g++) {
    const TopologyGroup *group = &sort->group[g];
    sample_multipliers(sample, group->block, group->first + m * group->step, r, lambda);
    lambda += ensemble_kind_constraints(group->kind);
  }
}

int64_t ensemble_sound(const Ensemble *e)
{
  const Worker *first = ensemble_work_fault(e);
  return first != NULL ? first->failed_step - 1 : ensemble_step(e);
}

/* --- groups ------- */

/* The first batch of the next group, or the end. */
static int next_group(const Ensemble *e, const EnsembleGroups *groups, int batch)
{
  do
    batch++;
  while (batch < e->end && !groups->begins(groups->self, batch));
  return batch;
}

/* The end of the groups that threads share evenly; no groups if batches wait for each other. */
static int end_of_even(const Ensemble *e, const EnsembleGroups *groups)
{
  int n = 0, end = e->first;
  if (e->together)
    return end;
  for (int g = e->first; g < e->end; g = next_group(e, groups, g))
    n++;
  for (n -= n % e->nworker; n > 0; n--)
    end = next_group(e, groups, end);
  return end;
}

/* Runs a group on one worker. */
static void work_alone(const Ensemble *e, Worker *worker, int first, const EnsembleGroups *groups)
{
  Worker own = {.status = STATUS_OK};
  Ensemble group = *e;
  group.first = first;
  group.end = next_group(e, groups, first);
  group.nworker = 1;
  group.worker = &own;
  if (!e->apart)
    group.walk = e->walk + (worker - e->worker);
  Error error;
  const Status status = groups->work(groups->self, &group, &error);
  worker->seconds += own.seconds;
  worker->steps += own.steps;
  if (own.status != STATUS_OK)
    ensemble_work_note(worker, own.status, &own.error, own.failed_batch, own.failed_step);
  else
    ensemble_work_note(worker, status, &error, first, ensemble_step(&group) + 1);
}

/* Groups that run on one worker each. */
typedef struct Alone {
  Ensemble *e;
  const EnsembleGroups *groups;
  atomic_int next; /* batch */
  int end;
} Alone;

static void work_each(void *self, int rank, int size)
{
  Alone *const a = self;
  (void)size;
  for (int g; (g = atomic_fetch_add_explicit(&a->next, 1, memory_order_relaxed)) < a->end;)
    if (g == a->e->first || a->groups->begins(a->groups->self, g))
      work_alone(a->e, &a->e->worker[rank], g, a->groups);
}

Status ensemble_each_group(Ensemble *e, const EnsembleGroups *groups, Error *error)
{
  const int even = end_of_even(e, groups);
  ensemble_work_forget(e);
  const int workers = ensemble_pace_workers(e, even - e->first, groups->steps);
  const double begun = ticks_seconds();
  Alone alone = {.e = e, .groups = groups, .next = e->first, .end = even};
  crew_run(e->crew, workers, work_each, &alone);
  ensemble_pace_learn(e, workers, ticks_seconds() - begun);
  const Status status = ensemble_work_tell(e, error);
  if (status != STATUS_OK || even == e->end)
    return status;
  Ensemble rest = *e;
  rest.first = even;
  rest.nworker = e->nworker < e->end - even ? e->nworker : e->end - even;
  rest.eager = true; /* exchanges follow immediately */
  return groups->work(groups->self, &rest, error);
}

static void rest(Ensemble *e)
{
  for (int g = 0; g < e->held; g++)
    for (int k = 0; k < e->batch[g]->nblock; k++) {
      const Block *b = &e->batch[g]->block[k];
      memset(b->p, 0, (size_t)b->npack * (size_t)(b->kind->nsite * b->kind->dim) * sizeof *b->p);
    }
}

Status ensemble_start_each(Ensemble *e, int n, const double *x, const double *p, bool maxwell, Error *error)
{
  const size_t size = topology_coordinates(e->options.topology);
  rest(e);
  for (int r = e->base * e->options.width; r < (e->base + e->held) * e->options.width; r++) {
    const size_t at = (size_t)(r % n) * size;
    ensemble_set(e, r, x + at, p != NULL ? p + at : NULL);
  }
  const Job job = {.until = -1, .draw = p == NULL && maxwell, .project = p != NULL, .prepare = true};
  return ensemble_work_all(e, &job, error);
}

Status ensemble_start(Ensemble *e, const double *x, Error *error)
{
  return ensemble_start_each(e, 1, x, NULL, true, error);
}

static State *state_of(const Ensemble *e, int r) { return e->batch[r / e->options.width - e->base]; }

static void rest_frozen(const State *state, int r)
{
  for (const Block *b = state->block; b < state->block + state->nblock; b++)
    for (int m = 0; m < b->nlane && b->kind->frozen; m++)
      for (int k = 0; k < b->kind->nsite * b->kind->dim; k++)
        *state_element(b, b->p, state->width, m, r, k / b->kind->dim, k % b->kind->dim) = 0.0;
}

void ensemble_set_field(Ensemble *e, int r, StateField field, const double *x)
{
  State *const state = state_of(e, r);
  topology_set(e->options.topology, state, field, r % e->options.width, x);
  if (field == STATE_MOMENTA || field == STATE_VELOCITIES)
    rest_frozen(state, r % e->options.width);
}

void ensemble_set(Ensemble *e, int r, const double *x, const double *p)
{
  ensemble_set_field(e, r, STATE_POSITIONS, x);
  if (p != NULL)
    ensemble_set_field(e, r, STATE_MOMENTA, p);
}

void ensemble_get(const Ensemble *e, int r, double *x, double *p)
{
  topology_get(e->options.topology, state_of(e, r), STATE_POSITIONS, r % e->options.width, x);
  if (p != NULL)
    topology_get(e->options.topology, state_of(e, r), STATE_MOMENTA, r % e->options.width, p);
}

void ensemble_set_momenta(Ensemble *e, int r, const double *p)
{
  state_set_all(state_of(e, r), STATE_MOMENTA, r % e->options.width, p);
}

void ensemble_scale_momenta(Ensemble *e, int r, double by, double work)
{
  state_scale_momenta(state_of(e, r), r % e->options.width, by, work);
}

void ensemble_map(Ensemble *e, int r, const double map[3][3])
{
  topology_map(e->options.topology, state_of(e, r), map);
}

Status ensemble_set_box(Ensemble *e, int r, const Box *box, Error *error)
{
  const int g = r / e->options.width - e->base;
  TRY(force_field_set_box(field_of(e, g), e->batch[g], box, error));
  e->box[g] = *box;
  return STATUS_OK;
}

/* Makes the forces of a batch with the settings for the box `chosen`. */
static Status make_anew(Ensemble *e, int g, Error *error)
{
  const FieldMaker *maker = &e->options.maker;
  ForceField fresh = {0}, *field = field_of(e, g);
  State shape = *e->batch[g];
  shape.box = e->chosen[g];
  TRY_ELSE(maker->make(maker->self, &shape, &fresh, error), force_field_free(&fresh));
  for (int i = 0; i < field->n; i++)
    if (fresh.force[i].ops->succeed != NULL)
      fresh.force[i].ops->succeed(fresh.force[i].self, field->force[i].self);
  force_field_free(field);
  *field = fresh;
  e->box[g] = e->choice[g] = e->chosen[g];
  return STATUS_OK;
}

Status ensemble_choose_forces(Ensemble *e, int r, const Box *box, Error *error)
{
  const int g = r / e->options.width - e->base;
  e->chosen[g] = *box;
  TRY(make_anew(e, g, error));
  return ensemble_set_box(e, r, &e->batch[g]->box, error);
}

const Box *ensemble_choice(const Ensemble *e, int batch) { return &e->choice[batch - e->base]; }

Status ensemble_follow_boxes(Ensemble *e, bool *changed, Error *error)
{
  *changed = false;
  for (int g = 0; g < e->held; g++) {
    const Box box = e->batch[g]->box;
    const bool anew = !box_same(&e->chosen[g], &e->choice[g]);
    if (anew)
      TRY(make_anew(e, g, error));
    if (!box_same(&box, &e->box[g]))
      TRY(ensemble_set_box(e, (e->base + g) * e->options.width, &box, error));
    else if (!anew)
      continue;
    *changed = true;
  }
  return STATUS_OK;
}

void ensemble_set_noise(Ensemble *e, int r, double scale)
{
  state_set_noise(state_of(e, r), r % e->options.width, scale);
}

Status ensemble_ready_some(Ensemble *e, const bool *which, Error *error)
{
  const Job job = {.until = -1, .prepare = true, .only = which};
  return ensemble_work_all(e, &job, error);
}

Status ensemble_ready_sample(Ensemble *e, const bool *which, const Sampler *sampler, unsigned due,
                             Error *error)
{
  const Job job = {.until = -1, .prepare = true, .due = due, .sampler = sampler, .only = which};
  return ensemble_work_all(e, &job, error);
}

Status ensemble_ready(Ensemble *e, Error *error) { return ensemble_ready_some(e, NULL, error); }

Status ensemble_draw(Ensemble *e, Error *error)
{
  const Job job = {.until = -1, .draw = true, .prepare = true};
  return ensemble_work_all(e, &job, error);
}

Status ensemble_sample_some(Ensemble *e, const bool *which, const Sampler *sampler, unsigned due,
                            Error *error)
{
  const Job job = {.until = -1, .due = due, .sampler = sampler, .only = which};
  return ensemble_work_all(e, &job, error);
}

Status ensemble_sample(Ensemble *e, const Sampler *sampler, unsigned due, Error *error)
{
  return ensemble_sample_some(e, NULL, sampler, due, error);
}

Status ensemble_run(Ensemble *e, int64_t until, const Sampler *sampler, Error *error)
{
  Job job = {.until = until, .sampler = sampler};
  do {
    const int64_t left = until - ensemble_step(e), most = ensemble_pace_steps(e);
    job.until = left > most ? until - left + most : until;
    TRY(ensemble_work_all(e, &job, error));
  } while (job.until < until);
  return STATUS_OK;
}

void ensemble_each(const Ensemble *e, int n, void (*work)(void *self, int i), void *self)
{
  crew_each(e->crew, e->nworker, n, work, self);
}

void ensemble_ask(const Ensemble *e)
{
  for (int g = 0; g < e->held; g++)
    external_ask(e->options.external, e->batch[g]);
  external_answer(e->options.external);
}

void ensemble_clock(const Ensemble *e, double seconds[COST_COUNT], int64_t *timed, int64_t *steps)
{
  memset(seconds, 0, COST_COUNT * sizeof *seconds);
  *timed = *steps = 0;
  for (int i = 0; i < e->nwalk; i++) {
    double own[COST_COUNT];
    int64_t own_timed, own_steps;
    walk_clock(e->walk[i], own, &own_timed, &own_steps);
    for (int cost = 0; cost < COST_COUNT; cost++)
      seconds[cost] += own[cost];
    *timed += own_timed;
    *steps += own_steps;
  }
}

int64_t ensemble_indefinite(const Ensemble *e)
{
  int64_t n = 0;
  for (int g = 0; g < e->held; g++)
    n += e->indefinite[g];
  return n;
}

int64_t ensemble_refused(const Ensemble *e)
{
  int64_t n = 0;
  for (int g = 0; g < e->held && e->refused != NULL; g++)
    n += e->refused[g];
  return n;
}

double ensemble_worked(const Ensemble *e, int64_t *steps)
{
  double seconds = 0.0;
  *steps = 0;
  for (int t = 0; t < e->nworker; t++) {
    seconds += e->worker[t].seconds;
    *steps += e->worker[t].steps;
  }
  return seconds;
}

int64_t ensemble_barriers(const Ensemble *e) { return team_barriers(&e->barrier); }

void ensemble_chunks(Ensemble *e, ChunkList *list)
{
  list->base = e->base;
  for (int g = 0; g < e->held; g++) {
    chunk_owner(list, e->base + g);
    state_chunks(e->batch[g], list);
    if (e->kept != NULL)
      state_chunks(e->kept[g], list);
  }
  chunk_owner(list, CHUNK_OF_ALL);
  if (e->options.width == 1 && box_periodic(&e->options.box))
    chunk_add_each(list, e->chosen, sizeof *e->chosen, e->held);
  chunk_add_each(list, e->indefinite, sizeof *e->indefinite, e->held);
  if (e->refused != NULL)
    chunk_add_each(list, e->refused, sizeof *e->refused, e->held);
}
