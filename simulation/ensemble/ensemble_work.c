/* Runs jobs on threads: steps, forces and samples of batches. */
#include <string.h>

#include "base/ticks.h"
#include "simulation/ensemble/confine.h"
#include "simulation/ensemble/ensemble_private.h"

static bool wanted(const Ensemble *e, const Job *job, int batch)
{
  return job->only == NULL || job->only[batch - e->base];
}

/* The next step with an event, and its events. */
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

/* Of faults in the same step, that of the first batch counts, for any thread. */
static bool earlier(const Worker *a, const Worker *b)
{
  return a->failed_step < b->failed_step ||
         (a->failed_step == b->failed_step && a->failed_batch < b->failed_batch);
}

void ensemble_work_note(Worker *worker, Status status, const Error *error, int batch, int64_t step)
{
  const Worker own = {.failed_step = step, .failed_batch = batch};
  if (status == STATUS_OK || (worker->status != STATUS_OK && !earlier(&own, worker)))
    return;
  worker->status = status;
  worker->error = *error;
  worker->failed_step = step;
  worker->failed_batch = batch;
}

/* Forces and samples before the first step. */
static Status work_ready(Walk *walk, int batch, const State *state, const Team *team, const Job *job,
                         Error *error)
{
  if (job->draw && team->rank == 0)
    walk_draw_momenta(walk);
  if (job->project && team->rank == 0)
    walk_project_momenta(walk);
  team_barrier(team);
  if (job->prepare && job->due != 0 && (job->due & job->sampler->energies) != 0)
    walk_ask_energies(walk);
  Status status = job->prepare ? walk_prepare(walk, team, error) : STATUS_OK;
  if (status == STATUS_OK && job->due != 0)
    status = job->sampler->sample(job->sampler->self, job->due, batch, &(Sample){state, walk, team}, error);
  return status;
}

static void keep(const Ensemble *e, int batch, const Team *team)
{
  if (team->rank == 0)
    state_copy(e->kept[batch - e->base], e->batch[batch - e->base]);
  team_barrier(team);
}

/* Restores replicas that have left the constraining sphere to their state some steps ago. */
static void confine(const Ensemble *e, int batch, const Team *team)
{
  State *state = e->batch[batch - e->base];
  if (team->rank == 0) {
    const unsigned outside = confine_outside(e->options.topology, state, e->options.radius);
    if (outside != 0)
      confine_undo(state, e->kept[batch - e->base], outside);
    e->refused[batch - e->base] += __builtin_popcount(outside);
  }
  team_barrier(team);
}

/* A batch with its worker, walk, team and job. */
typedef struct Work {
  Worker *worker;
  Walk *walk;
  int batch;
  State *state;
  const Team *team;
  const Job *job;
  Progress *at;
} Work;

/* Begins the steps to the next event. */
static Status begin_steps(const Ensemble *e, const Work *w, Error *error)
{
  Progress *at = w->at;
  const int64_t every = e->options.radius_every;
  at->stage = STAGE_WALK;
  at->stop = next_stop(w->job->sampler, at->step, w->job->until, &at->due);
  if (e->kept != NULL && at->step % every == 0)
    keep(e, w->batch, w->team);
  if (e->kept != NULL && (at->step / every + 1) * every < at->stop) {
    at->stop = (at->step / every + 1) * every;
    at->due = 0;
  }
  if (e->kept == NULL && at->due != 0 &&
      (at->due & w->job->sampler->energies) != 0) /* no replica is set back */
    walk_ask_energies(w->walk);
  const Status status = walk_begin(w->walk, w->team, at->stop - at->step, error);
  ensemble_work_note(w->worker, status, error, w->batch, w->state->step + 1);
  return status;
}

static Status end_steps(const Ensemble *e, const Work *w, Error *error)
{
  const Status status = walk_end(w->walk, w->team, error);
  w->at->stage = STAGE_SAMPLE;
  team_barrier(w->team);
  ensemble_work_note(w->worker, status, error, w->batch, w->state->step + 1);
  if (status == STATUS_OK && e->kept != NULL && w->at->stop % e->options.radius_every == 0)
    confine(e, w->batch, w->team);
  return status;
}

static Status take_sample(const Work *w, Error *error)
{
  const Sampler *sampler = w->job->sampler;
  w->at->stage = STAGE_STEPS;
  w->at->step = w->at->stop;
  if (w->at->due == 0)
    return STATUS_OK;
  const Status status =
      sampler->sample(sampler->self, w->at->due, w->batch, &(Sample){w->state, w->walk, w->team}, error);
  ensemble_work_note(w->worker, status, error, w->batch, w->state->step);
  team_barrier(w->team);
  return status;
}

static Status get_ready(const Ensemble *e, const Work *w, Error *error)
{
  const Status status = work_ready(w->walk, w->batch, w->state, w->team, w->job, error);
  w->at->stage = STAGE_STEPS;
  ensemble_work_note(w->worker, status, error, w->batch, w->at->step);
  team_barrier(w->team);
  if (e->kept != NULL && w->job->prepare) /* positions or momenta may have been set */
    keep(e, w->batch, w->team);
  return status;
}

/* Runs a job on a batch. Returns true where callbacks that receive all replicas must be evaluated first. */
static bool walk_batch(const Ensemble *e, const Work *w)
{
  Progress *at = w->at;
  Error error;
  Status status = STATUS_OK;
  while (status == STATUS_OK && at->stage != STAGE_DONE)
    switch (at->stage) {
    case STAGE_BEGIN:
      walk_attach(w->walk, w->state, e->options.purpose);
      at->step = w->state->step;
      at->stage = STAGE_READY;
      if (e->together && (w->job->prepare || w->job->due != 0))
        return true;
      break;
    case STAGE_READY:
      status = get_ready(e, w, &error);
      break;
    case STAGE_STEPS:
      if (at->step < w->job->until)
        status = begin_steps(e, w, &error);
      else
        at->stage = STAGE_DONE;
      break;
    case STAGE_WALK:
      if (!walk_go_on(w->walk, w->team, e->together))
        return true;
      status = end_steps(e, w, &error);
      if (e->together && at->due != 0 && (at->due & w->job->sampler->energies) != 0)
        return true;
      break;
    default:
      status = take_sample(w, &error);
    }
  at->stage = STAGE_DONE;
  return false;
}

static void work(Ensemble *e, Worker *worker, int batch, const Team *team, const Job *job, Progress *at)
{
  const Work w = {
      worker, ensemble_walk(e, (int)(worker - e->worker), batch), batch, e->batch[batch - e->base], team, job,
      at};
  const int64_t before = walk_indefinite(w.walk), first = w.state->step;
  const double begun = ticks_seconds();
  if (walk_batch(e, &w))
    external_ask(e->options.external, w.state);
  worker->seconds += ticks_seconds() - begun;
  worker->steps +=
      w.state->step > first ? w.state->step - first : 1; /* forces and samples cost about one step */
#pragma omp atomic
  e->indefinite[batch - e->base] += walk_indefinite(w.walk) - before;
}

const Worker *ensemble_work_fault(const Ensemble *e)
{
  const Worker *first = NULL;
  for (int t = 0; t < e->nworker; t++)
    if (e->worker[t].status != STATUS_OK && (first == NULL || earlier(&e->worker[t], first)))
      first = &e->worker[t];
  return first;
}

void ensemble_work_forget(Ensemble *e)
{
  for (int t = 0; t < e->nworker; t++)
    e->worker[t].status = STATUS_OK;
}

Status ensemble_work_tell(const Ensemble *e, Error *error)
{
  const Worker *first = ensemble_work_fault(e);
  return first == NULL ? STATUS_OK : error_set(error, first->status, "%s", first->error.text);
}

/* The range of batches of a job. */
static void find_span(const Ensemble *e, const Job *job, int *first, int *end)
{
  for (*first = e->first; *first < e->end && !wanted(e, job, *first);)
    ++*first;
  for (*end = e->end; *end > *first && !wanted(e, job, *end - 1);)
    --*end;
}

static bool has_more(const Ensemble *e, int first, int end)
{
  for (int g = first; g < end; g++)
    if (e->progress[g - e->base].stage != STAGE_DONE)
      return true;
  return false;
}

/* A job that all threads of the crew share. */
typedef struct Shared {
  Ensemble *e;
  const Job *job;
  int first, end; /* batches */
  double begun;   /* begin, s */
  atomic_int next;
  bool more;
} Shared;

/* Threads process batches in any order; once all wait for the same forces, the first thread evaluates the
 * callbacks. */
static void work_batches(Shared *shared, Worker *worker, const Team *team)
{
  Ensemble *const e = shared->e;
  const Team alone = team_alone();
  do {
    for (int g; (g = atomic_fetch_add_explicit(&shared->next, 1, memory_order_relaxed)) < shared->end;)
      if (e->progress[g - e->base].stage != STAGE_DONE)
        work(e, worker, g, &alone, shared->job, &e->progress[g - e->base]);
    if (!e->together)
      return;
    team_barrier(team);
    if (team->rank == 0) {
      external_answer(e->options.external);
      shared->more = has_more(e, shared->first, shared->end);
      atomic_store_explicit(&shared->next, shared->first, memory_order_relaxed);
    }
    team_barrier(team);
  } while (shared->more);
}

/* Runs a team member, and measures how long it had and needed a core. */
static void work_team(const Shared *shared, Worker *worker, const Team *team)
{
  const double ran = ticks_of_thread(), slept = team_slept(team);
  Progress at = {0};
  work(shared->e, worker, 0, team, shared->job, &at);
  worker->ran = ticks_of_thread() - ran;
  worker->wanted = ticks_seconds() - shared->begun - (team_slept(team) - slept);
}

static void work_shared(void *self, int rank, int size)
{
  Shared *const shared = self;
  Ensemble *const e = shared->e;
  const Team team = {rank, size, &e->barrier};
  if (e->team)
    work_team(shared, &e->worker[rank], &team);
  else
    work_batches(shared, &e->worker[rank], &team);
}

Status ensemble_work_all(Ensemble *e, const Job *job, Error *error)
{
  Shared shared = {.e = e, .job = job, .begun = ticks_seconds()};
  ensemble_work_forget(e);
  find_span(e, job, &shared.first, &shared.end);
  shared.next = shared.first;
  for (int g = shared.first; g < shared.end; g++)
    e->progress[g - e->base] = (Progress){.stage = wanted(e, job, g) ? STAGE_BEGIN : STAGE_DONE};
  const int64_t step = shared.first < shared.end ? e->batch[shared.first - e->base]->step : job->until;
  const int workers = ensemble_pace_workers(e, shared.end - shared.first, job->until - step);
  crew_run(e->crew, workers, work_shared, &shared);
  ensemble_pace_learn(e, workers, ticks_seconds() - shared.begun);
  return ensemble_work_tell(e, error);
}
