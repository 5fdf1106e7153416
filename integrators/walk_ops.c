/* The operations of letters on one pack. */
#include <string.h>

#include "integrators/walk_private.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t more(size_t most, const Projector *projector)
{
  return larger(most, projector != NULL ? projector_scratch(projector) : 0);
}

static size_t most_of_kind(const Plan *plan, const PlanKind *own)
{
  size_t most = 0;
  for (int i = 0; i < own->naccel; i++)
    most = larger(most, accel_scratch(own->accel_self[i]));
  if (plan->options.method != NULL && plan->options.method->scratch != NULL)
    most = larger(most, plan->options.method->scratch(own->method_self));
  if (own->solver != NULL && own->solver->scratch != NULL)
    most = larger(most, own->solver->scratch(own->solver_self));
  most = more(most, own->projector);
  most = more(most, own->across);
  most = more(most, own->draw.onto);
  for (int i = 0; i < plan->nnoise; i++)
    most = more(most, own->noise[i].onto);
  return most;
}

size_t walk_ops_scratch(const Plan *plan)
{
  size_t most = 0;
  for (int k = 0; k < plan->nkind; k++)
    most = larger(most, most_of_kind(plan, &plan->kind[k]));
  if (plan->draw != NULL)
    most = larger(most, motion_scratch(plan->draw));
  for (int i = 0; i < plan->nnoise && plan->removal[i] != NULL; i++)
    most = larger(most, motion_scratch(plan->removal[i]));
  return most;
}

/* Replicas of one molecule fill width/8 packs, each with its own keys. */
static const Vec8Word *pack_key(const Walk *walk, int pack)
{
  return walk->key[walk->width > LANES ? pack % (walk->width / LANES) : 0];
}

/* --- operations on a pack ------------------------------------------------------------------------------ */

static Vec8 *impulse_of(const WalkBlock *own, const Pack *pack)
{
  return own->impulse + (size_t)pack->index * (size_t)own->nimpulse;
}

static void fault(Walk *walk, const WalkBlock *own, const Pack *pack, unsigned bits, FaultKind kind)
{
  walk_fault_note(walk, (int)(own - walk->block), pack, bits, kind, pack->step + 1);
}

/* Adds the impulse that an operation left in walk->part. */
static void add_impulse(const Walk *walk, const WalkBlock *own, const Pack *pack)
{
  Vec8 *impulse = impulse_of(own, pack);
  for (int c = 0; c < own->nimpulse; c++)
    impulse[c] += walk->part[c];
}

static void project(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  (void)op;
  if (own->kind->projector == NULL)
    return;
  const bool keep = walk->plan->options.keep_multipliers;
  const unsigned failed = projector_apply(own->kind->projector, pack, keep ? walk->part : NULL);
  if (failed != 0)
    fault(walk, own, pack, failed, FAULT_PROJECTION);
  if (keep)
    add_impulse(walk, own, pack);
}

/* Counts the impulse of such a projection, times op->t, without changing momenta. Only in the last step of a
 * run, the only one whose multipliers are read. */
static void count_impulse(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  if (own->kind->projector == NULL || walk->step + op->ahead != walk->measured)
    return;
  Pack copy = *pack;
  copy.p = walk->scratch;
  memcpy(copy.p, pack->p, own->stride * sizeof(Vec8));
  projector_apply(own->kind->projector, &copy, walk->part);
  for (int c = 0; c < own->nimpulse; c++)
    walk->part[c] *= op->t;
  add_impulse(walk, own, pack);
}

static void slide(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  const Plan *plan = walk->plan;
  const PlanKind *kind = own->kind;
  Vec8 *old = walk->scratch;
  if (kind->solver == NULL) {
    plan->letters->drift(op->t, pack);
    return;
  }
  memcpy(old, pack->q, own->stride * sizeof(Vec8));
  plan->letters->drift(op->t, pack);
  const bool keep = plan->options.keep_multipliers;
  const unsigned failed =
      kind->solver->positions(kind->solver_self, op->t, old, pack, keep ? walk->part : NULL);
  if (failed != 0)
    fault(walk, own, pack, failed, FAULT_CONSTRAINT);
  if (keep)
    add_impulse(walk, own, pack);
}

/* Free noise; or, with penalties and tangent noise, the exact flow along the manifold and friction alone
 * across it. The stiff modes then get no heat, which a coarse step would amplify, and friction removes energy
 * that leaks into them. Constraints have no part across. */
static void noise_step(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  const Plan *plan = walk->plan;
  const Noise *noise = &own->kind->noise[op->letter];
  const NoiseAddress at = {pack_key(walk, pack->index), walk->step + op->ahead, op->letter};
  if (own->kind->across != NULL) {
    unsigned failed = projector_split(own->kind->across, noise->ou->across, pack, walk->scratch);
    plan->ou->step(noise->ou, &at, pack);
    failed |= projector_join(noise->onto, walk->scratch, pack);
    if (failed != 0)
      fault(walk, own, pack, failed, FAULT_PROJECTION);
    return;
  }
  plan->ou->step(noise->ou, &at, pack);
  const unsigned failed = noise->onto != NULL ? projector_apply(noise->onto, pack, NULL) : 0;
  if (failed != 0)
    fault(walk, own, pack, failed, FAULT_PROJECTION);
}

/* Stores the momenta that O has just drawn. If O draws on the tangent space alone, projects them onto it,
 * because the part across it has no temperature. Only in the last step of a run, the only one that is
 * measured. */
static void keep_thermal(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  if (walk->step + op->ahead != walk->measured)
    return;
  Pack kept = *pack;
  kept.p = own->thermal + (size_t)pack->index * own->stride;
  memcpy(kept.p, pack->p, own->stride * sizeof(Vec8));
  if (own->kind->across != NULL)
    projector_apply(own->kind->across, &kept, NULL);
}

static void map_met(Walk *walk, const WalkBlock *own, const Pack *pack, unsigned bits)
{
  walk->indefinite += __builtin_popcount(ACCEL_INDEFINITE(bits));
  if (ACCEL_FAILED(bits) != 0)
    fault(walk, own, pack, ACCEL_FAILED(bits), FAULT_MAP);
}

static const Accel *map_of(const PlanKind *kind, int map)
{
  return kind->accel_self[map < kind->naccel ? map : 0];
}

/* Turns f = -grad V0 into M a; maps that need it get the molecules' own block of Hess V0. */
static void accelerate(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  const bool has_hess = walk->hess != NULL && own == walk->block;
  const Vec8 *hess = has_hess ? walk->hess + (size_t)pack->index * own->stride * own->stride : NULL;
  map_met(walk, own, pack, own->kind->accel->apply(map_of(own->kind, op->map), pack, hess));
}

static void drift(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  const PlanKind *kind = own->kind;
  if (kind->accel->drift == NULL)
    walk->plan->letters->drift(op->t, pack);
  else
    map_met(walk, own, pack, kind->accel->drift(map_of(kind, op->map), op->t, pack));
}

static void kick(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  (void)own;
  walk->plan->letters->kick(op->t, pack);
}

/* The letter S: p += t slow. */
static void kick_slow(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  Vec8 *const fast = pack->f;
  pack->f = own->block->slow + (size_t)pack->index * own->stride;
  walk->plan->letters->kick(op->t, pack);
  pack->f = fast;
}

/* heat += t times the kinetic energy. */
static void heat(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  (void)own;
  walk->plan->letters->heat(op->t, pack);
}

/* H. Stores the multipliers that the method leaves in the scratch. */
static void method_step(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  const Method *method = walk->plan->options.method;
  const unsigned bits = method->step(own->kind->method_self, op->t, pack), failed = bits & 0xffu;
  if (bits >> LANES != 0)
    fault(walk, own, pack, bits >> LANES, FAULT_TOLERANCE);
  else if (failed != 0)
    fault(walk, own, pack, failed, FAULT_METHOD);
  if (method->multipliers != NULL)
    memcpy(impulse_of(own, pack), pack->scratch, (size_t)own->nimpulse * sizeof(Vec8));
}

const Operation walk_ops_table[] = {
    [OP_KICK] = {COST_MOVES, kick},
    [OP_KICK_SLOW] = {COST_MOVES, kick_slow},
    [OP_DRIFT] = {COST_MOVES, drift},
    [OP_SLIDE] = {COST_SOLVES, slide},
    [OP_METHOD] = {COST_MOVES, method_step},
    [OP_ACCEL] = {COST_SOLVES, accelerate},
    [OP_PROJECT] = {COST_SOLVES, project},
    [OP_COUNT] = {COST_SOLVES, count_impulse},
    [OP_NOISE] = {COST_NOISE, noise_step},
    [OP_HEAT] = {COST_NOISE, heat},
    [OP_THERMAL] = {COST_NOISE, keep_thermal},
    [OP_FORCE] = {COST_FORCES, NULL},
    [OP_FORCE_SLOW] = {COST_FORCES, NULL},
    [OP_REMOVE] = {COST_NOISE, NULL},
    [OP_RESCALE] = {COST_NOISE, NULL},
};

void walk_ops_run(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack)
{
  pack->step = walk->step + op->ahead;
  if (op->first && walk->plan->options.keep_multipliers)
    memset(impulse_of(own, pack), 0, (size_t)own->nimpulse * sizeof(Vec8));
  walk_ops_table[op->code].run(walk, own, op, pack);
}
