/* Checks that forces and states fit a walk's plan, and allocates memory. */
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "integrators/walk_private.h"

bool walk_memory_outside(const ForceField *field, bool with_hessian)
{
  for (int i = 0; i < field->n; i++) {
    const ForceOps *ops = field->force[i].ops;
    if (!ops->inside && (!with_hessian || ops->hess_block != NULL))
      return true;
  }
  return false;
}

/* Checks that the plan supports the forces. */
static Status check_forces(const Plan *plan, const ForceField *field, Error *error)
{
  if (plan->options.method != NULL && walk_memory_outside(field, false))
    return error_input(error, "method",
                       "the method '%s' supports only a molecule's own potentials, but there are forces "
                       "between molecules or from outside: use a word of A and B",
                       plan->options.method->name);
  if ((plan->accel->traits & ACCEL_ALONE) && walk_memory_outside(field, false))
    return error_input(
        error, "acceleration",
        "the acceleration '%s' needs derivatives that only a molecule's own potentials provide, but there "
        "are forces between molecules or from outside: use zss or zss-block",
        plan->accel->name);
  if (plan->split && (force_field_groups(field) & FORCE_SLOW) == 0)
    return error_input(error, "word",
                       "the word '%s' has kicks by slow forces (S), but this system has no such forces: "
                       "leave out S, or use forces with a slow part (a mesh)",
                       plan->options.word);
  return STATUS_OK;
}

Status walk_memory_check(const Plan *plan, const ForceField *field, const State *shape, Error *error)
{
  if (shape->nblock != plan->nkind)
    return error_set(error, STATUS_INPUT, "a plan for %d kinds of molecules cannot move a state of %d kinds",
                     plan->nkind, shape->nblock);
  for (int b = 0; b < shape->nblock; b++) {
    const Kind *kind = shape->block[b].kind, *own = plan->kind[b].kind;
    if (kind->nsite != own->nsite || kind->dim != own->dim || kind->ncon != own->ncon ||
        (kind->w == NULL) != (own->w == NULL))
      return error_set(error, STATUS_INPUT, "kind %d of the plan is '%s', but of the state '%s'", b + 1,
                       own->name, kind->name);
  }
  const Kind *first = shape->block[0].kind;
  if ((plan->accel->traits & ACCEL_HESS_BLOCK) && walk_memory_outside(field, true) &&
      first->nsite * first->dim > ACCEL_DENSE)
    return error_input(error, "acceleration",
                       "'%s' has %d coordinates; '%s' uses the Hessian of forces between molecules or from "
                       "outside for at most %d: use zss",
                       first->name, first->nsite * first->dim, plan->accel->name, ACCEL_DENSE);
  return check_forces(plan, field, error);
}

static size_t field_vectors(const WalkBlock *own) { return (size_t)own->npack * own->stride; }

static WalkBlock walk_block(const Plan *plan, const PlanKind *kind, const Block *block)
{
  const Kind *k = block->kind;
  const Method *m = plan->options.method;
  return (WalkBlock){.kind = kind,
                     .npack = block->npack,
                     .stride = (size_t)k->nsite * (size_t)k->dim,
                     .nimpulse = m != NULL && m->multipliers != NULL ? m->multipliers(kind->method_self)
                                                                     : plan_kind_kept(kind)};
}

Status walk_memory_create(Walk *w, const State *shape, Error *error)
{
  const Plan *plan = w->plan;
  SCOPED(scoped_free) int *lanes = malloc((size_t)w->nblock * sizeof *lanes);
  TRY_MEMORY(lanes != NULL, "an integrator's scratch", error);
  size_t stride = 0, ncon = 0, vectors = 0, npack = 0;
  for (int b = 0; b < w->nblock; b++) {
    WalkBlock *own = &w->block[b];
    *own = walk_block(plan, &plan->kind[b], &shape->block[b]);
    lanes[b] = shape->block[b].nlane;
    stride = own->stride > stride ? own->stride : stride;
    ncon = (size_t)own->nimpulse > ncon ? (size_t)own->nimpulse : ncon;
    npack += (size_t)own->npack;
    vectors += (size_t)own->npack * (2 * own->stride + (size_t)own->nimpulse);
  }
  w->freedom = plan_freedom(plan, lanes);
  const WalkBlock *first = &w->block[0];
  const bool block_hess = (plan->accel->traits & ACCEL_HESS_BLOCK) && walk_memory_outside(w->field, true);
  const size_t nhess = block_hess ? field_vectors(first) * first->stride : 0;
  const size_t nwork = walk_ops_scratch(plan), nshared = plan->draw != NULL ? motion_shared(shape) : 0;
  vectors += 2 * stride + nhess + ncon + nwork + nshared;
  w->reserved = calloc(vectors + 1, sizeof(Vec8)); /* each walk of a team touches only its share */
  w->pack = malloc((npack + 1) * sizeof *w->pack);
  w->apart.block = malloc((size_t)w->nblock * sizeof *w->apart.block);
  TRY_MEMORY(w->reserved != NULL && w->pack != NULL && w->apart.block != NULL, "an integrator's scratch",
             error);
  w->memory = (Vec8 *)(((uintptr_t)w->reserved + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  Vec8 *at = w->memory;
  Pack *pack = w->pack;
  w->scratch = at;
  at += 2 * stride;
  for (int b = 0; b < w->nblock; b++) {
    WalkBlock *own = &w->block[b];
    own->pack = pack;
    own->saved = at;
    own->thermal = at + field_vectors(own);
    own->impulse = own->thermal + field_vectors(own);
    at = own->impulse + own->npack * own->nimpulse;
    pack += own->npack;
  }
  w->part = at;
  w->hess = nhess > 0 ? at + ncon : NULL;
  w->shared = at + ncon + nhess;
  w->work = w->shared + nshared;
  return STATUS_OK;
}
