#include "forcefields/external.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct External {
  ExternalFunction function;
  void *user;
  double *x, *f; /* [width][n] */
  double energy[WIDTH_MAX];
  Status status[WIDTH_MAX];
  Error error[WIDTH_MAX];
} External;

/* A number that is none would go on into averages and exchanges, or come up much later as a run that is
 * unstable. */
static Status check_finite(const ExternalCall *call, Error *error)
{
  size_t bad = 0;
  while (bad < call->n && isfinite(call->f[bad]))
    bad++;
  if (bad < call->n)
    return error_set(
        error, STATUS_RUN,
        "replica %u: a force from outside gave a force that is not a finite number (coordinate %zu "
        "of %zu: %g), after %lld steps",
        call->replica, bad, call->n, call->f[bad], (long long)call->step);
  if (!isfinite(call->energy))
    return error_set(
        error, STATUS_RUN,
        "replica %u: a force from outside gave an energy that is not a finite number (%g), after "
        "%lld steps",
        call->replica, call->energy, (long long)call->step);
  return STATUS_OK;
}

static void call(External *e, const State *state, int r)
{
  const size_t n = state_coordinates(state);
  ExternalCall call = {.replica = state->replica + (uint32_t)r,
                       .step = state->step,
                       .n = n,
                       .x = e->x + n * (size_t)r,
                       .f = e->f + n * (size_t)r};
  state_get_all(state, STATE_POSITIONS, r, e->x + n * (size_t)r);
  memset(call.f, 0, n * sizeof *call.f);
  e->error[r] = (Error){0};
  e->status[r] = e->function(e->user, &call, &e->error[r]);
  if (e->status[r] == STATUS_OK)
    e->status[r] = check_finite(&call, &e->error[r]);
  e->energy[r] = call.energy;
}

/* This thread's share of a block's packs; `before` coordinates of a replica lie in blocks ahead. */
static void deliver(const External *e, const Team *team, const State *state, const Block *block,
                    size_t before)
{
  const int m = block->kind->nsite * block->kind->dim;
  const size_t n = state_coordinates(state);
  int begin, end;
  team_range(team, block->npack, &begin, &end);
  for (int lane = begin * LANES; lane < end * LANES && lane < block->nmol * state->width; lane++) {
    const double *from =
        e->f + n * (size_t)(lane % state->width) + before + (size_t)(lane / state->width * m);
    Octet *to = block->f + (size_t)(lane / LANES * m);
    for (int i = 0; i < m; i++)
      to[i][lane % LANES] += from[i];
  }
}

static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  External *e = self;
  int begin, end;
  team_range(team, state->used, &begin, &end);
  for (int r = begin; r < end; r++)
    call(e, state, r);
  team_barrier(team);
  Status status = STATUS_OK;
  for (int r = 0; r < state->used && status == STATUS_OK; r++) {
    status = e->status[r];
    if (status != STATUS_OK && error != NULL)
      *error = e->error[r];
  }
  size_t before = 0;
  for (int b = 0; b < state->nblock && status == STATUS_OK; b++) {
    const Block *block = &state->block[b];
    deliver(e, team, state, block, before);
    before += (size_t)(block->nmol * block->kind->nsite * block->kind->dim);
  }
  if (team->rank == 0 && sums != NULL)
    memcpy(sums->energy, e->energy, (size_t)state->width * sizeof *sums->energy);
  team_barrier(team); /* the memory of the calls is free again */
  return status;
}

static void release(void *self)
{
  External *e = self;
  free(e->x);
  free(e->f);
  free(e);
}

static const ForceOps ops = {.name = "external",
                             .doc = "a function of the caller's of all positions",
                             .nterm = 1,
                             .term = (const char *const[]){"external"},
                             .add = add,
                             .free = release};

Status external_create(Force *force, ExternalFunction function, void *user, const State *shape, Error *error)
{
  const size_t bytes = (size_t)shape->width * state_coordinates(shape) * sizeof(double);
  External *e = calloc(1, sizeof *e);
  double *x = malloc(bytes), *f = calloc(1, bytes); /* lanes that hold nobody get none */
  if (e == NULL || x == NULL || f == NULL) {
    free(e);
    free(x);
    free(f);
    return error_memory(error, "an external force");
  }
  e->function = function;
  e->user = user;
  e->x = x;
  e->f = f;
  *force = (Force){&ops, e};
  return STATUS_OK;
}
