#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ticks.h"
#include "simulation/ensemble_private.h"
#include "simulation/molecules/confine.h"

/* Moves a state so that packs lie in the memory next to those threads of a team that work on them. */
static Status spread(State *s, int threads, Error *error)
{
  Octet *const from = s->memory;
  const Block *last = &s->block[s->nblock - 1];
  const size_t bytes = (size_t)(last->active + last->npack - from) * sizeof(Octet);
  Octet *const to = aligned_alloc(sizeof(Octet), bytes);
  if (to == NULL)
    return error_memory(error, "the state");
  for (int b = 0; b < s->nblock; b++) {
    Block *block = &s->block[b];
    const size_t stride = (size_t)(block->kind->nsite * block->kind->dim) * sizeof(Octet);
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
  Status status = STATUS_OK;
  for (int g = 0; g < e->held && status == STATUS_OK; g++) {
    status = state_create(&e->gang[g], o->width, o->nkind, o->kind, o->nmol, o->seed,
                          (uint32_t)((e->base + g) * o->width), error);
    if (status == STATUS_OK)
      e->gang[g]->box = o->box;
    if (status == STATUS_OK && o->replicas - (e->base + g) * o->width < o->width)
      state_use(e->gang[g], o->replicas - (e->base + g) * o->width);
    if (status == STATUS_OK && e->team && e->nworker > 1)
      status = spread(e->gang[g], e->nworker, error);
    if (status == STATUS_OK && word_has(plan_spelling(o->plan), 'S'))
      status = state_keep_slow(e->gang[g], error);
  }
  return status;
}

static Status walks_create(Ensemble *e, Error *error)
{
  const FieldMaker *maker = &e->options.maker;
  Status status = STATUS_OK;
  for (int i = 0; i < e->nfield && status == STATUS_OK; i++)
    status = maker->make(maker->self, e->gang[i < e->held ? i : 0], &e->field[i], error);
  for (int i = 0; i < e->nwalk && status == STATUS_OK; i++)
    status = walk_create(&e->walk[i], e->options.plan, &e->field[e->team ? 0 : i], e->gang[0], error);
  return status;
}

static Status sphere_create(Ensemble *e, Error *error)
{
  const EnsembleOptions *o = &e->options;
  if (!(o->radius > 0.0))
    return STATUS_OK;
  e->kept = calloc((size_t)e->held, sizeof *e->kept);
  e->refused = calloc((size_t)e->held, sizeof *e->refused);
  Status status = e->kept == NULL || e->refused == NULL ? error_memory(error, "an ensemble") : STATUS_OK;
  for (int i = 0; i < e->held && status == STATUS_OK; i++) {
    status = state_create(&e->kept[i], o->width, o->nkind, o->kind, o->nmol, o->seed, 0, error);
    if (status == STATUS_OK && word_has(plan_spelling(o->plan), 'S'))
      status = state_keep_slow(e->kept[i], error);
  }
  return status;
}

Status ensemble_create(Ensemble **ensemble, const EnsembleOptions *options, Error *error)
{
  *ensemble = NULL;
  Ensemble *e = calloc(1, sizeof *e);
  if (e == NULL)
    return error_memory(error, "an ensemble");
  e->options = *options;
  e->options.nkind = options->nkind > 0 ? options->nkind : 1;
  e->options.purpose = options->purpose != 0 ? options->purpose : RANDOM_THERMOSTAT;
  e->ngang = (options->replicas + options->width - 1) / options->width;
  e->base = e->first = options->first;
  e->end = options->end > 0 ? options->end : e->ngang;
  e->held = e->end - e->base;
  e->team = e->ngang == 1 && options->width == 1;
  const int useful = ensemble_pace_useful(e);
  e->nworker = options->threads < useful ? options->threads : useful;
  e->nwalk = options->width == 1 && !e->team ? e->held : e->nworker;
  e->nfield = e->team ? 1 : e->nwalk;
  e->gang = calloc((size_t)e->held, sizeof *e->gang);
  e->indefinite = calloc((size_t)e->held, sizeof *e->indefinite);
  e->worker = calloc((size_t)e->nworker, sizeof *e->worker);
  e->walk = calloc((size_t)e->nwalk, sizeof *e->walk);
  e->field = calloc((size_t)e->nfield, sizeof *e->field);
  Status status = STATUS_OK;
  if (e->gang == NULL || e->indefinite == NULL || e->worker == NULL || e->walk == NULL || e->field == NULL)
    status = error_memory(error, "an ensemble");
  if (status == STATUS_OK)
    status = states_create(e, error);
  if (status == STATUS_OK)
    status = walks_create(e, error);
  if (status == STATUS_OK)
    status = sphere_create(e, error);
  if (status != STATUS_OK) {
    ensemble_free(e);
    return status;
  }
  *ensemble = e;
  return STATUS_OK;
}

void ensemble_free(Ensemble *e)
{
  if (e == NULL)
    return;
  for (int i = 0; e->walk != NULL && i < e->nwalk; i++)
    walk_free(e->walk[i]);
  for (int i = 0; e->field != NULL && i < e->nfield; i++)
    force_field_free(&e->field[i]);
  for (int g = 0; e->gang != NULL && g < e->held; g++)
    state_free(e->gang[g]);
  for (int i = 0; e->kept != NULL && i < e->held; i++)
    state_free(e->kept[i]);
  free(e->kept);
  free(e->refused);
  free(e->walk);
  free(e->field);
  free(e->worker);
  free(e->indefinite);
  free(e->gang);
  free(e);
}

int ensemble_replicas(const Ensemble *e) { return e->ngang * e->options.width; }

int ensemble_gangs(const Ensemble *e) { return e->ngang; }

int ensemble_base(const Ensemble *e) { return e->base; }

int ensemble_held(const Ensemble *e) { return e->held; }

int ensemble_width(const Ensemble *e) { return e->options.width; }

int64_t ensemble_step(const Ensemble *e)
{
  int64_t step = INT64_MAX;
  for (int g = e->first - e->base; g < e->end - e->base; g++)
    step = e->gang[g]->step < step ? e->gang[g]->step : step;
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

const State *ensemble_gang(const Ensemble *e, int gang) { return e->gang[gang - e->base]; }

const ForceField *ensemble_field(const Ensemble *e) { return &e->field[0]; }

/* --- work over gangs -------------------------------------------------------------------------------------
 */

typedef struct Job {
  int64_t until; /* or -1: sample only                                    */
  bool draw;     /* momenta first                                         */
  bool project;  /* those that are there, onto constraints and so on      */
  bool prepare;  /* forces first                                          */
  unsigned due;  /* events to sample at the start                         */
  const Sampler *sampler;
  const bool *only; /* [held] gangs that it is for; NULL: all             */
} Job;

static bool wanted(const Ensemble *e, const Job *job, int gang)
{
  return job->only == NULL || job->only[gang - e->base];
}

/* The next step at which something is due, and what. */
static int64_t next_stop(const Sampler *sampler, int64_t step, int64_t until, unsigned *due)
{
  int64_t stop = until;
  *due = 0;
  for (int i = 0; sampler != NULL && i < EVENTS_MAX; i++) {
    const int64_t every = sampler->every[i];
    if (every <= 0)
      continue;
    const int64_t next = (step / every + 1) * every;
    if (next > stop)
      continue;
    *due = next < stop ? 1u << i : *due | 1u << i;
    stop = next;
  }
  return stop;
}

/* Of faults in one step that of the first gang counts, whoever had it. */
static bool earlier(const Worker *a, const Worker *b)
{
  return a->failed_step < b->failed_step ||
         (a->failed_step == b->failed_step && a->failed_gang < b->failed_gang);
}

static void note(Worker *worker, Status status, const Error *error, int gang, int64_t step)
{
  const Worker own = {.failed_step = step, .failed_gang = gang};
  if (status == STATUS_OK || (worker->status != STATUS_OK && !earlier(&own, worker)))
    return;
  worker->status = status;
  worker->error = *error;
  worker->failed_step = step;
  worker->failed_gang = gang;
}

/* Forces and samples before the first step. */
static Status work_ready(Walk *walk, int gang, const State *state, const Team *team, const Job *job,
                         Error *error)
{
  if (job->draw && team->rank == 0)
    walk_draw_momenta(walk);
  if (job->project && team->rank == 0)
    walk_project_momenta(walk);
  team_barrier(team);
  if (job->prepare)
    TRY(walk_prepare(walk, team, error));
  return job->due != 0 ? job->sampler->sample(job->sampler->self, job->due, gang, state, walk, team, error)
                       : STATUS_OK;
}

static void keep(const Ensemble *e, int gang, const Team *team)
{
  if (team->rank == 0)
    state_copy(e->kept[gang - e->base], e->gang[gang - e->base]);
  team_barrier(team);
}

/* As walk_run; every few steps a replica that has left the constraining sphere goes back to where it was that
 * long ago. */
static Status confined_run(const Ensemble *e, Walk *walk, int gang, const Team *team, int64_t steps,
                           Error *error)
{
  State *state = e->gang[gang - e->base];
  const int64_t every = e->options.radius_every, end = state->step + steps;
  Status status = STATUS_OK;
  for (int64_t step = state->step; step < end && status == STATUS_OK;) {
    if (step % every == 0)
      keep(e, gang, team);
    const int64_t next = (step / every + 1) * every, stop = next < end ? next : end;
    status = walk_run(walk, team, stop - step, error);
    team_barrier(team);
    if (status == STATUS_OK && stop == next && team->rank == 0) {
      const unsigned outside = confine_outside(state, e->options.radius);
      if (outside != 0)
        confine_undo(state, e->kept[gang - e->base], outside);
      e->refused[gang - e->base] += __builtin_popcount(outside);
    }
    team_barrier(team);
    step = stop;
  }
  return status;
}

static void walk_gang(const Ensemble *e, Worker *worker, Walk *walk, int gang, const Team *team,
                      const Job *job)
{
  State *state = e->gang[gang - e->base];
  walk_attach(walk, state, e->options.purpose);
  int64_t step = state->step;
  Error error;
  Status status = work_ready(walk, gang, state, team, job, &error);
  note(worker, status, &error, gang, step);
  team_barrier(team);
  if (e->kept != NULL && job->prepare) /* whoever has set positions or momenta */
    keep(e, gang, team);
  while (status == STATUS_OK && step < job->until) {
    unsigned due;
    const int64_t stop = next_stop(job->sampler, step, job->until, &due);
    if (e->kept == NULL && due != 0 && (due & job->sampler->energies) != 0) /* none may go back after */
      walk_ask_energies(walk);
    status = e->kept != NULL ? confined_run(e, walk, gang, team, stop - step, &error)
                             : walk_run(walk, team, stop - step, &error);
    team_barrier(team);
    note(worker, status, &error, gang, state->step + 1);
    if (status != STATUS_OK)
      return;
    if (due != 0)
      status = job->sampler->sample(job->sampler->self, due, gang, state, walk, team, &error);
    note(worker, status, &error, gang, state->step);
    team_barrier(team);
    step = stop;
  }
}

static void work(Ensemble *e, Worker *worker, int gang, const Team *team, const Job *job)
{
  Walk *walk = ensemble_walk(e, (int)(worker - e->worker), gang);
  const State *state = e->gang[gang - e->base];
  const int64_t before = walk_indefinite(walk), first = state->step;
  const double begun = ticks_seconds();
  walk_gang(e, worker, walk, gang, team, job);
  worker->seconds += ticks_seconds() - begun;
  worker->steps +=
      state->step > first ? state->step - first : 1; /* forces and samples are about a step, too */
#pragma omp atomic
  e->indefinite[gang - e->base] += walk_indefinite(walk) - before;
}

/* The first fault of all. */
static const Worker *first_fault(const Ensemble *e)
{
  const Worker *first = NULL;
  for (int t = 0; t < e->nworker; t++)
    if (e->worker[t].status != STATUS_OK && (first == NULL || earlier(&e->worker[t], first)))
      first = &e->worker[t];
  return first;
}

int64_t ensemble_sound(const Ensemble *e)
{
  const Worker *first = first_fault(e);
  return first != NULL ? first->failed_step - 1 : ensemble_step(e);
}

/* That of all workers since this. */
static void forget_faults(Ensemble *e)
{
  for (int t = 0; t < e->nworker; t++)
    e->worker[t].status = STATUS_OK;
}

static Status tell_first_fault(const Ensemble *e, Error *error)
{
  const Worker *first = first_fault(e);
  return first == NULL ? STATUS_OK : error_set(error, first->status, "%s", first->error.text);
}

/* The gangs that a job is for lie from *first up to before *end. */
static void find_span(const Ensemble *e, const Job *job, int *first, int *end)
{
  for (*first = e->first; *first < e->end && !wanted(e, job, *first);)
    ++*first;
  for (*end = e->end; *end > *first && !wanted(e, job, *end - 1);)
    --*end;
}

static Status work_all(Ensemble *e, const Job *job, Error *error)
{
  forget_faults(e);
  int first, end;
  find_span(e, job, &first, &end);
  const int64_t step = first < end ? ensemble_gang(e, first)->step : job->until;
  const int workers = ensemble_pace_workers(e, end - first, job->until - step);
  const double begun = ticks_seconds();
#pragma omp parallel num_threads(workers)
  {
    const int rank = omp_get_thread_num();
    if (e->team) {
      const Team team = {rank, omp_get_num_threads(), &e->barrier};
      work(e, &e->worker[rank], 0, &team, job);
    } else {
      const Team alone = team_alone();
#pragma omp for schedule(dynamic)
      for (int g = first; g < end; g++)
        if (wanted(e, job, g))
          work(e, &e->worker[rank], g, &alone, job);
    }
  }
  ensemble_pace_learn(e, workers, ticks_seconds() - begun);
  return tell_first_fault(e, error);
}

/* --- parts ------- */

/* The gang with which the next part begins, or the end. */
static int next_part(const Ensemble *e, const EnsembleParts *parts, int gang)
{
  do
    gang++;
  while (gang < e->end && !parts->begins(parts->self, gang));
  return gang;
}

/* The end of those parts that threads share evenly. */
static int end_of_even(const Ensemble *e, const EnsembleParts *parts)
{
  int n = 0, end = e->first;
  for (int g = e->first; g < e->end; g = next_part(e, parts, g))
    n++;
  for (n -= n % e->nworker; n > 0; n--)
    end = next_part(e, parts, end);
  return end;
}

/* A part that is one worker's. */
static void work_alone(const Ensemble *e, Worker *worker, int first, const EnsembleParts *parts)
{
  Worker own = {.status = STATUS_OK};
  Ensemble part = *e;
  part.first = first;
  part.end = next_part(e, parts, first);
  part.nworker = 1;
  part.worker = &own;
  part.walk = e->walk + (worker - e->worker);
  Error error;
  const Status status = parts->work(parts->self, &part, &error);
  worker->seconds += own.seconds;
  worker->steps += own.steps;
  if (own.status != STATUS_OK)
    note(worker, own.status, &own.error, own.failed_gang, own.failed_step);
  else
    note(worker, status, &error, first, ensemble_step(&part) + 1);
}

Status ensemble_each_part(Ensemble *e, const EnsembleParts *parts, Error *error)
{
  const int even = end_of_even(e, parts);
  forget_faults(e);
  const int workers = ensemble_pace_workers(e, even - e->first, parts->steps);
  const double begun = ticks_seconds();
#pragma omp parallel for num_threads(workers) schedule(dynamic)
  for (int g = e->first; g < even; g++)
    if (g == e->first || parts->begins(parts->self, g))
      work_alone(e, &e->worker[omp_get_thread_num()], g, parts);
  ensemble_pace_learn(e, workers, ticks_seconds() - begun);
  const Status status = tell_first_fault(e, error);
  if (status != STATUS_OK || even == e->end)
    return status;
  Ensemble rest = *e;
  rest.first = even;
  rest.nworker = e->nworker < e->end - even ? e->nworker : e->end - even;
  rest.eager = true; /* exchanges follow each other at once */
  return parts->work(parts->self, &rest, error);
}

static void rest(Ensemble *e)
{
  for (int g = 0; g < e->held; g++)
    for (int k = 0; k < e->gang[g]->nblock; k++) {
      const Block *b = &e->gang[g]->block[k];
      memset(b->p, 0, (size_t)b->npack * (size_t)(b->kind->nsite * b->kind->dim) * sizeof *b->p);
    }
}

Status ensemble_start_each(Ensemble *e, int n, const double *x, const double *p, bool maxwell, Error *error)
{
  const size_t size = state_coordinates(e->gang[0]);
  rest(e);
  for (int r = e->base * e->options.width; r < (e->base + e->held) * e->options.width; r++) {
    const size_t at = (size_t)(r % n) * size;
    ensemble_set(e, r, x + at, p != NULL ? p + at : NULL);
  }
  const Job job = {.until = -1, .draw = p == NULL && maxwell, .project = p != NULL, .prepare = true};
  return work_all(e, &job, error);
}

Status ensemble_start(Ensemble *e, const double *x, Error *error)
{
  return ensemble_start_each(e, 1, x, NULL, true, error);
}

void ensemble_set(Ensemble *e, int r, const double *x, const double *p)
{
  const State *state = ensemble_gang(e, r / e->options.width);
  state_set_all(state, STATE_POSITIONS, r % e->options.width, x);
  if (p != NULL)
    state_set_all(state, STATE_MOMENTA, r % e->options.width, p);
}

void ensemble_get(const Ensemble *e, int r, double *x, double *p)
{
  const State *state = ensemble_gang(e, r / e->options.width);
  state_get_all(state, STATE_POSITIONS, r % e->options.width, x);
  if (p != NULL)
    state_get_all(state, STATE_MOMENTA, r % e->options.width, p);
}

Status ensemble_set_box(Ensemble *e, int r, const Box *box, Error *error)
{
  const int g = r / e->options.width - e->base;
  return force_field_set_box(&e->field[e->options.width == 1 && !e->team ? g : 0], e->gang[g], box, error);
}

Status ensemble_keep_noise(Ensemble *e, Error *error)
{
  Status status = STATUS_OK;
  for (int g = 0; g < e->held && status == STATUS_OK; g++)
    status = state_keep_noise(e->gang[g], error);
  return status;
}

void ensemble_set_noise(Ensemble *e, int r, double scale)
{
  const int w = e->options.width;
  ((double *)ensemble_gang(e, r / w)->noise)[r % w] = scale;
}

Status ensemble_ready_some(Ensemble *e, const bool *which, Error *error)
{
  const Job job = {.until = -1, .prepare = true, .only = which};
  return work_all(e, &job, error);
}

Status ensemble_ready(Ensemble *e, Error *error) { return ensemble_ready_some(e, NULL, error); }

Status ensemble_draw(Ensemble *e, Error *error)
{
  const Job job = {.until = -1, .draw = true, .prepare = true};
  return work_all(e, &job, error);
}

Status ensemble_sample_some(Ensemble *e, const bool *which, const Sampler *sampler, unsigned due,
                            Error *error)
{
  const Job job = {.until = -1, .due = due, .sampler = sampler, .only = which};
  return work_all(e, &job, error);
}

Status ensemble_sample(Ensemble *e, const Sampler *sampler, unsigned due, Error *error)
{
  return ensemble_sample_some(e, NULL, sampler, due, error);
}

Status ensemble_run(Ensemble *e, int64_t until, const Sampler *sampler, Error *error)
{
  const Job job = {.until = until, .sampler = sampler};
  return work_all(e, &job, error);
}

void ensemble_clock(const Ensemble *e, double seconds[PART_COUNT], int64_t *timed, int64_t *steps)
{
  memset(seconds, 0, PART_COUNT * sizeof *seconds);
  *timed = *steps = 0;
  for (int i = 0; i < e->nwalk; i++) {
    double own[PART_COUNT];
    int64_t own_timed, own_steps;
    walk_clock(e->walk[i], own, &own_timed, &own_steps);
    for (int part = 0; part < PART_COUNT; part++)
      seconds[part] += own[part];
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

int64_t ensemble_barriers(const Ensemble *e) { return team_barriers(&e->barrier); }

void ensemble_chunks(Ensemble *e, ChunkList *list)
{
  list->base = e->base;
  for (int g = 0; g < e->held; g++) {
    chunk_owner(list, e->base + g);
    state_chunks(e->gang[g], list);
    if (e->kept != NULL)
      state_chunks(e->kept[g], list);
  }
  chunk_owner(list, CHUNK_OF_ALL);
  chunk_add_each(list, e->indefinite, sizeof *e->indefinite, e->held);
  if (e->refused != NULL)
    chunk_add_each(list, e->refused, sizeof *e->refused, e->held);
}
