#include "forcefields/periodic.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ticks.h"
#include "forcefields/periodic_private.h"

/* --- creation ------------------------------------------------------------------------------------------- */

static void periodic_free(void *self)
{
  Periodic *p = self;
  if (p == NULL)
    return;
  mesh_free(p->mesh);
  bulk_free(p->bulk);
  list_free(p->list);
  free(p->o);
  free(p->kept_at);
  free(p->mark);
  free(p);
}

static Status check(const PeriodicOptions *o, const State *shape, Error *error)
{
  if (o->threads < 1)
    return error_set(error, STATUS_INPUT, "a periodic force for %d threads; at least one is wanted",
                     o->threads);
  if (shape->width != 1 || shape->nblock != 1 || o->model == NULL || o->by_atom ||
      o->coulomb != PERIODIC_PME || o->truncation != EWALD_PLAIN)
    return error_set(
        error, STATUS_INPUT,
        "the periodic force takes one kind of water, cut by molecule without switching, with a mesh");
  for (int d = 0; d < 3; d++)
    if (!(shape->box.length[d] > 0.0))
      return error_set(error, STATUS_INPUT, "the box is open in %c: a periodic force wants all three lengths",
                       "xyz"[d]);
  return STATUS_OK;
}

static Status make_parts(Periodic *p, const State *shape, Error *error)
{
  const PeriodicOptions *o = &p->options;
  const double *l = p->box.length;
  const ListOptions list = {{l[0], l[1], l[2]}, o->cutoff, o->buffer, 0, o->isa};
  const BulkOptions bulk = {.model = o->model,
                            .length = {l[0], l[1], l[2]},
                            .cutoff = o->cutoff,
                            .beta = o->beta,
                            .precision = o->mixed ? BULK_MIXED : BULK_DOUBLE,
                            .threads = o->threads,
                            .isa = o->isa};
  const MeshOptions mesh = {.water = o->model,
                            .length = {l[0], l[1], l[2]},
                            .beta = o->beta,
                            .order = o->order,
                            .grid = {o->grid[0], o->grid[1], o->grid[2]},
                            .precision = o->mixed ? PME_FLOAT : PME_DOUBLE,
                            .keep_net = o->keep_net,
                            .threads = o->threads,
                            .isa = o->isa,
                            .wisdom = o->wisdom};
  Status status = list_create(&p->list, &list, p->nmol, error);
  if (status == STATUS_OK)
    status = bulk_create(&p->bulk, &bulk, shape->block[0].nmol, error);
  if (status == STATUS_OK)
    status = mesh_create(&p->mesh, &mesh, shape, error);
  if (status == STATUS_OK && o->tail)
    status = mixture_tail(&p->mixture, &p->box,
                          &(EwaldOptions){.lj_cutoff = o->cutoff,
                                          .lj_switch = o->cutoff - o->switch_width,
                                          .truncation = o->truncation},
                          p->tail, error);
  return status;
}

/* --- one evaluation --------------------------------------------------------------------------------------
 */

static Status same_box(const Periodic *p, const State *state, Error *error)
{
  for (int d = 0; d < 3; d++)
    if (state->box.length[d] != p->box.length[d])
      return error_set(
          error, STATUS_INPUT,
          "the box has changed since the periodic force was made for it: %c was %.17g and is %.17g A",
          "xyz"[d], p -> box.length[d], state->box.length[d]);
  return STATUS_OK;
}

static void lap(Periodic *p, const Team *team, PeriodicPart part)
{
  if (team->rank != 0)
    return;
  const double now = ticks_seconds();
  p->seconds[part] += now - p->last;
  p->last = now;
}

static Status add_pairs(Periodic *p, const Team *team, State *state, bool sums, Error *error)
{
  const int32_t(*o)[4] = (const int32_t(*)[4])p->o;
  Status status = bulk_places(p->bulk, team, &state->block[0], p->o, error);
  lap(p, team, PERIODIC_OTHER);
  if (status == STATUS_OK)
    status = periodic_lists_update(p, team, state->step, sums, error);
  lap(p, team, PERIODIC_LIST);
  if (status == STATUS_OK)
    status =
        bulk_add(p->bulk, team, list_view(p->list), o, &state->block[0], sums ? &p->bulk_sums : NULL, error);
  lap(p, team, PERIODIC_PAIRS);
  return status;
}

static void say_sums(const Periodic *p, const ForceSums *sums)
{
  sums->energy[EWALD_LJ] = p->bulk_sums.lj;
  sums->energy[EWALD_LJ_TAIL] = p->tail[0];
  sums->energy[EWALD_REAL] = p->bulk_sums.real;
  sums->energy[EWALD_RECIPROCAL] = p->mesh_sums.reciprocal;
  sums->energy[EWALD_SELF] = p->mesh_sums.self;
  sums->energy[EWALD_INTRAMOLECULAR] = p->mesh_sums.intramolecular;
  for (int k = 0; k < 9 && sums->virial != NULL; k++)
    sums->virial[k / 3][k % 3] += p->bulk_sums.virial[k / 3][k % 3] + p->mesh_sums.virial[k / 3][k % 3] +
                                  (k % 4 == 0 ? p->tail[1] : 0.0);
}

static Status periodic_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                           Error *error)
{
  Periodic *p = self;
  Status status = same_box(p, state, error);
  if (status != STATUS_OK)
    return status;
  if (team->rank == 0) {
    p->last = ticks_seconds();
    p->bulk_sums = (BulkSums){0};
    p->mesh_sums = (MeshSums){0};
  }
  if ((groups & FORCE_FAST) != 0)
    status = add_pairs(p, team, state, sums != NULL, error);
  if ((groups & FORCE_SLOW) != 0 && status == STATUS_OK)
    status = mesh_add(p->mesh, team, state, sums != NULL ? &p->mesh_sums : NULL, error);
  if (status == STATUS_OK && sums != NULL && team->rank == 0)
    say_sums(p, sums);
  team_barrier(team);
  return status;
}

static void periodic_chunks(void *self, ChunkList *list)
{
  Periodic *p = self;
  chunk_add(list, &p->kept, sizeof p->kept);
  chunk_add(list, p->kept_at, (size_t)p->nmol * sizeof *p->kept_at);
}

static const ForceOps periodic_ops = {.name = "periodic",
                                      .doc = "Lennard-Jones and Coulomb between the molecules of a periodic "
                                             "box, by lists and a mesh",
                                      .nterm = EWALD_TERMS,
                                      .term = ewald_terms,
                                      .groups = FORCE_ALL,
                                      .add = periodic_add,
                                      .free = periodic_free};

/* --- creation ------------------------------------------------------------------------------------------- */

static Status make_memory(Periodic *p, Error *error)
{
  const size_t n = (size_t)p->nmol;
  const bool fast = p->options.fast_lists;
  p->o = calloc(n, sizeof *p->o);
  p->kept_at = calloc(fast ? n : 1, sizeof *p->kept_at);
  p->mark = calloc((size_t)p->options.threads, sizeof *p->mark);
  p->kept = p->present = (PeriodicMade){.step = -1};
  if (fast)
    p->ops.chunks = periodic_chunks;
  return p->o != NULL && p->kept_at != NULL && p->mark != NULL ? STATUS_OK
                                                               : error_memory(error, "the periodic force");
}

static Status build(Periodic *p, const State *shape, Error *error)
{
  PeriodicOptions *o = &p->options;
  MixturePart part[MIXTURE_BLOCKS] = {{0}};
  for (int b = 0; b < shape->nblock && b < MIXTURE_BLOCKS; b++)
    if (b == 0 && o->model != NULL)
      part[b].water = o->model;
    else
      part[b].species = o->species[b - (o->model != NULL ? 1 : 0)];
  Status status = mixture_make(&p->mixture, part, shape, error);
  p->box = shape->box;
  p->nmol = p->mixture.nmol;
  if (status == STATUS_OK)
    status = make_memory(p, error);
  if (status == STATUS_OK)
    status = periodic_choose(o, &p->mixture, shape, &p->choice, error);
  if (status == STATUS_OK)
    status = make_parts(p, shape, error);
  p->limit = periodic_lists_limit(o, periodic_choose_lightest(&p->mixture), p->choice.every);
  o->species = NULL; /* borrowed for the creation only */
  o->wisdom = NULL;
  return status;
}

Status periodic_create(Force *force, const PeriodicOptions *options, const State *shape, Error *error)
{
  *force = (Force){0};
  Status status = check(options, shape, error);
  if (status != STATUS_OK)
    return status;
  Periodic *p = calloc(1, sizeof *p);
  if (p == NULL)
    return error_memory(error, "the periodic force");
  p->options = *options;
  p->ops = periodic_ops;
  status = build(p, shape, error);
  if (status != STATUS_OK) {
    periodic_free(p);
    return status;
  }
  *force = (Force){&p->ops, p};
  return STATUS_OK;
}

/* --- reports ---------------------------------------------------------------------------------------------
 */

void periodic_choice(const Force *force, PeriodicChoice *choice)
{
  *choice = ((const Periodic *)force->self)->choice;
}

void periodic_times(const Force *force, double seconds[PERIODIC_PARTS])
{
  const Periodic *p = force->self;
  double mesh[PME_PARTS] = {0.0};
  memcpy(seconds, p->seconds, sizeof p->seconds);
  if (p->mesh != NULL)
    mesh_times(p->mesh, mesh);
  seconds[PERIODIC_SPREAD] = mesh[PME_SORT] + mesh[PME_SPREAD];
  seconds[PERIODIC_FFT] = mesh[PME_FFT];
  seconds[PERIODIC_GATHER] = mesh[PME_GATHER];
}

void periodic_forget(const Force *force)
{
  Periodic *p = force->self;
  list_forget(p->list);
  p->kept.step = -1;
}
