#include "forcefields/periodic.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "engine/units.h"
#include "forcefields/field.h"
#include "forcefields/periodic_private.h"

/* --- one evaluation ------------------------------------------------------------------------------------- */

static Status fits(const Periodic *p, const Team *team, const State *state, Error *error)
{
  if (team->size > p->options.threads)
    return error_set(error, STATUS_INPUT, "a periodic force made for %d threads is called by %d",
                     p->options.threads, team->size);
  for (int d = 0; d < 3 && !box_same(&state->box, &p->box); d++)
    for (int e = 0; e <= d; e++)
      if (state->box.h[d][e] != p->box.h[d][e])
        return error_set(error, STATUS_INPUT,
                         "the box has changed since the periodic force was made for it: %c of edge %c was "
                         "%.17g and is %.17g A",
                         "xyz"[e], "abc"[d], p -> box.h[d][e], state->box.h[d][e]);
  return STATUS_OK;
}

/* The mesh has its own clock. */
static void start(Periodic *p, const Team *team)
{
  if (team->rank == 0)
    p->last = ticks_seconds();
}

static void lap(Periodic *p, const Team *team, PeriodicCost part)
{
  if (team->rank == 0)
    p->seconds[part] += ticks_lap(&p->last);
}

/* Computes pairs and the mesh between the same barriers, and delivers their forces together. Positions become
 * fractions for the list, rows for pairs and sites for the mesh; rows again after a rebuild of the list. */
static Status add_parts(Periodic *p, const Team *team, State *state, unsigned groups, bool sums, Error *error)
{
  const bool pairs = (groups & FORCE_FAST) != 0, mesh = (groups & FORCE_SLOW) != 0 && p->mesh != NULL;
  const ListView *const list = list_view(p->list);
  const int64_t made = list->made;
  StageForces forces = {.fill = (groups & FORCE_FILL) != 0};
  StageOut out = pairs ? sites_rows(p->sites, list) : (StageOut){0};
  out.o = pairs ? p->o : NULL;
  out.mesh = mesh ? &p->mesh->stage : NULL;
  out.atom = p->atom;
  forces.atom = (const double(*)[4])p->atom;
  TRY(stage_run(&p->stage, team, state, &out, error));
  lap(p, team, PERIODIC_OTHER);
  if (mesh)
    pme_count(p->mesh->pme, team);
  start(p, team);
  if (pairs)
    TRY(list_update(p->list, team, (const int32_t(*)[4])p->o, error));
  else
    team_barrier(team);
  lap(p, team, PERIODIC_LIST);
  if (mesh)
    pme_sort(p->mesh->pme, team);
  start(p, team);
  if (pairs && list->made != made) {
    out = sites_rows(p->sites, list);
    TRY(stage_run(&p->stage, team, state, &out, error));
  }
  if (pairs)
    TRY(sites_run(p->sites, team, list, state, sums, &forces, error));
  else
    team_barrier(team);
  lap(p, team, PERIODIC_PAIRS);
  if (mesh)
    mesh_solve(p->mesh, team, sums ? &p->mesh_sums : NULL, &forces);
  else
    team_barrier(team);
  start(p, team);
  stage_deliver(&p->stage, team, &forces, state->block, sums);
  lap(p, team, PERIODIC_GATHER);
  return STATUS_OK;
}

static void sum_up(Periodic *p)
{
  SitesSums sites;
  double inside;
  const double volume = box_volume(&p->box);
  sites_sums(p->sites, list_view(p->list), &sites);
  for (int k = 0; k < 9; k++)
    p->virial[k / 3][k % 3] = sites.virial[k / 3][k % 3] + p->mesh_sums.virial[k / 3][k % 3];
  stage_sums(&p->stage, &inside, p->virial);
  for (int d = 0; d < 3; d++)
    p->virial[d][d] += (p->tail[1] + p->real_tail[1] + p->background) / volume;
  p->energy[EWALD_LJ] = sites.lj;
  p->energy[EWALD_LJ_TAIL] = p->tail[0] / volume;
  p->energy[EWALD_REAL_TAIL] = p->real_tail[0] / volume;
  p->energy[EWALD_REAL] = sites.real;
  p->energy[EWALD_RECIPROCAL] = p->mesh_sums.energy;
  p->energy[EWALD_SELF] = (p->mesh != NULL ? p->mesh->self + p->background / volume : 0.0) + sites.self;
  p->energy[EWALD_INTRAMOLECULAR] = inside + sites.intramolecular;
  periodic_alchemy_sums(p);
}

/* The plain Ewald sum. Its errors for wrong coordinates become errors of a run. */
static Status add_plain(Periodic *p, const Team *team, State *state, Error *error)
{
  EwaldResult result;
  TRY(error_in_run(error, ewald_compute(p->plain, team, state, p->plain_f, &result, error)));
  const double *f = p->plain_f;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b];
    const int size = 3 * block->kind->nsite;
    int begin, end;
    team_range(team, block->nlane, &begin, &end);
    for (int i = begin; i < end; i++)
      for (int k = 0; k < size; k++)
        *state_element(block, block->f, 1, i, 0, k / 3, k % 3) += f[size * i + k];
    f += (size_t)size * (size_t)block->nlane;
  }
  if (team->rank == 0) {
    memcpy(p->energy, result.energy, sizeof p->energy);
    memcpy(p->virial, result.virial_atom, sizeof p->virial);
  }
  return STATUS_OK;
}

static void say_sums(Periodic *p, const ForceSums *sums)
{
  if (p->plain == NULL)
    sum_up(p);
  memcpy(sums->energy, p->energy, sizeof p->energy);
  for (int k = 0; k < 9 && sums->virial != NULL; k++)
    sums->virial[k / 3][k % 3] += p->virial[k / 3][k % 3];
}

static Status periodic_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                           Error *error)
{
  Periodic *p = self;
  State *view;
  TRY(fits(p, team, state, error));
  start(p, team);
  TRY(virtual_lanes_place(p->virtual, team, state, &view, error));
  periodic_alchemy_set(p, team, state);
  const Status status = p->plain == NULL ? add_parts(p, team, view, groups, sums != NULL, error)
                                         : add_plain(p, team, view, error);
  team_barrier(team);
  TRY(status);
  if (p->alchemy != NULL && (groups & FORCE_FAST) != 0)
    TRY(alchemy_add(p->alchemy, team, view, sums != NULL, error));
  virtual_lanes_spread(p->virtual, team, sums);
  if (sums != NULL) {
    if (team->rank == 0)
      say_sums(p, sums);
    team_barrier(team);
  }
  lap(p, team, PERIODIC_OTHER);
  return STATUS_OK;
}

static void periodic_free(void *self)
{
  periodic_build_free(self);
  free(self);
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const PeriodicOptions *o, const State *shape, Error *error)
{
  if (o->threads < 1)
    return error_set(error, STATUS_INPUT, "a periodic force needs at least one thread, not %d", o->threads);
  if (shape->width != 1)
    return error_set(error, STATUS_INPUT, "a periodic force needs one replica in a state, not %d",
                     shape->width);
  for (int d = 0; d < 3; d++)
    if (!(box_length(&shape->box, d) > 0.0))
      return error_set(error, STATUS_INPUT, "the box is open in %c: a periodic force needs all three lengths",
                       "xyz"[d]);
  return STATUS_OK;
}

static Status periodic_set_box(void *self, const State *shape, Error *error)
{
  Periodic *p = self;
  TRY(check(&p->options, shape, error));
  return periodic_build_set_box(p, virtual_lanes_view(p->virtual, shape), error);
}

static void periodic_succeed(void *self, const void *before)
{
  const Force old = {&((const Periodic *)before)->ops, (void *)before};
  periodic_times(&old, ((Periodic *)self)->seconds);
}

static const ForceOps periodic_ops = {.name = "periodic",
                                      .doc = "Lennard-Jones and Coulomb between the molecules of a periodic "
                                             "box, by lists and a mesh",
                                      .nterm = EWALD_TERMS,
                                      .term = ewald_terms,
                                      .groups = FORCE_ALL,
                                      .telling = 1,
                                      .add = periodic_add,
                                      .describe = periodic_describe,
                                      .set_box = periodic_set_box,
                                      .succeed = periodic_succeed,
                                      .free = periodic_free};

Status periodic_create(Force *force, const PeriodicOptions *options, const State *shape, Error *error)
{
  *force = (Force){0};
  TRY(check(options, shape, error));
  Periodic *p = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "the periodic force", error);
  p->options = *options;
  p->ops = periodic_ops;
  TRY_ELSE(periodic_build(p, shape, error), periodic_free(p));
  p->options.atoms = NULL; /* borrowed during creation only */
  p->ops.groups = FORCE_FAST | (p->mesh != NULL ? FORCE_SLOW : 0);
  p->ops.fills = p->plain == NULL;
  if (p->alchemy != NULL)
    p->ops.respond = periodic_alchemy_respond;
  p->options.alchemy = NULL;
  *force = (Force){&p->ops, p};
  return STATUS_OK;
}

/* --- reports -------------------------------------------------------------------------------------------- */

const PmeChoice *periodic_choice(const Force *force) { return &((const Periodic *)force->self)->choice; }

const PeriodicOptions *periodic_options(const Force *force)
{
  return &((const Periodic *)force->self)->options;
}

const Particles *periodic_particles(const Force *force)
{
  return &((const Periodic *)force->self)->particles;
}

double periodic_imbalance(const Force *force, int threads)
{
  const Periodic *p = force->self;
  return p->list != NULL ? list_imbalance(p->list, threads) : 1.0;
}

void periodic_times(const Force *force, double seconds[PERIODIC_COSTS])
{
  const Periodic *p = force->self;
  double mesh[PME_COSTS] = {0.0};
  memcpy(seconds, p->seconds, sizeof p->seconds);
  if (p->mesh != NULL)
    pme_times(p->mesh->pme, mesh);
  seconds[PERIODIC_SPREAD] += mesh[PME_SORT] + mesh[PME_SPREAD];
  seconds[PERIODIC_FFT] += mesh[PME_FFT];
  seconds[PERIODIC_GATHER] += mesh[PME_GATHER];
}

static const double warm = 300.0; /* K: for the choice of a buffer without a temperature */

Status periodic_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  const PeriodicOptions options = {.model = input->water,
                                   .atoms = input->atoms,
                                   .nonbonded = input->nonbonded,
                                   .alchemy = &input->alchemy,
                                   .parameters = input->parameters,
                                   .kT = input->kT > 0.0 ? input->kT : warm * UNITS_BOLTZMANN,
                                   .h = input->h,
                                   .threads = input->threads,
                                   .isa = input->isa};
  return periodic_create(force, &options, shape, error);
}
