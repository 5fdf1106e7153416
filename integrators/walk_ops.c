/* What the letters do to one pack. */
#include <math.h>
#include <string.h>

#include "integrators/walk_private.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t more(size_t most, const Projector *projector)
{
  return larger(most, projector != NULL ? projector_scratch(projector) : 0);
}

static size_t more_noise(size_t most, const Noise *noise)
{
  return more(larger(most, noise->motion != NULL ? motion_scratch(noise->motion) : 0), noise->onto);
}

/* Vectors that the plan's methods want in pack->scratch. They are used within one operation on one pack. */
size_t walk_ops_scratch(const Plan *plan)
{
  size_t most = 0;
  for (int i = 0; i < plan->naccel && plan->accel->scratch != NULL; i++)
    most = larger(most, plan->accel->scratch(plan->accel_self[i]));
  if (plan->method != NULL && plan->method->scratch != NULL)
    most = larger(most, plan->method->scratch(plan->method_self));
  if (plan->solver != NULL && plan->solver->scratch != NULL)
    most = larger(most, plan->solver->scratch(plan->solver_self));
  most = more(most, plan->projector);
  most = more_noise(most, &plan->draw);
  for (int i = 0; i < plan->nnoise; i++)
    most = more_noise(most, &plan->noise[i]);
  return most;
}

/* Replicas of one molecule fill width/8 packs, each with keys of its own. */
static const vu *pack_key(const Walk *walk, int pack)
{
  return walk->key[walk->width > LANES ? pack % (walk->width / LANES) : 0];
}

void walk_ops_fault(Walk *walk, const Pack *pack, unsigned bits, FaultKind kind)
{
  if (walk->fault.set)
    return;
  const int lane = __builtin_ctz(bits);
  walk->fault = (Fault){.set = true,
                        .molecule = pack->molecule[lane],
                        .replica = pack->replica[lane],
                        .pack = pack->index,
                        .lane = lane,
                        .step = walk->step + 1,
                        .kind = kind};
  for (int c = 0; c < pack->kind->ncon; c++) {
    vd g;
    const Constraint *con = &pack->kind->con[c];
    con->type->eval(con, pack->kind->dim, pack->q, &g, NULL);
    const double residual = fabs(g[lane]) / constraint_scale(con);
    if (!(residual <= walk->fault.residual)) {
      walk->fault.residual = residual;
      walk->fault.constraint = c;
    }
  }
}

/* --- operations on a pack ------------------------------------------------------------------------------ */

static vd *impulse_of(const Walk *walk, const Pack *pack)
{
  return walk->impulse + (size_t)pack->index * (size_t)walk->nimpulse;
}

/* What an operation has left in walk->part. */
static void add_impulse(const Walk *walk, const Pack *pack)
{
  vd *impulse = impulse_of(walk, pack);
  for (int c = 0; c < walk->nimpulse; c++)
    impulse[c] += walk->part[c];
}

static void project(const Walk *walk, Pack *pack)
{
  const bool keep = walk->plan->options.keep_multipliers;
  projector_apply(walk->plan->projector, pack, keep ? walk->part : NULL);
  if (keep)
    add_impulse(walk, pack);
}

static void slide(Walk *walk, double t, Pack *pack)
{
  const Plan *plan = walk->plan;
  vd *old = walk->scratch;
  memcpy(old, pack->q, walk->stride * sizeof(vd));
  plan->letters->drift(t, pack);
  const bool keep = plan->options.keep_multipliers;
  const unsigned failed = plan->solver->positions(plan->solver_self, t, old, pack, keep ? walk->part : NULL);
  if (failed != 0)
    walk_ops_fault(walk, pack, failed, FAULT_CONSTRAINT);
  if (keep)
    add_impulse(walk, pack);
}

/* Free; or, with penalties and tangent noise, the exact flow along the manifold and friction alone across it:
 * nothing heats the stiff modes, which a coarse step would sample far too widely, and what leaks into them
 * from the rest is drained. With constraints there is nothing across. */
static void noise_step(const Walk *walk, const Op *op, Pack *pack)
{
  const Plan *plan = walk->plan;
  const Noise *noise = op->noise;
  const NoiseAddress at = {pack_key(walk, pack->index), walk->step + op->ahead, op->letter};
  if (plan->options.tangent && !plan->kept) {
    projector_split(plan->projector, noise->ou->decay, pack, walk->scratch);
    plan->ou->step(noise->ou, &at, pack);
    projector_join(noise->onto, walk->scratch, pack);
    return;
  }
  plan->ou->step(noise->ou, &at, pack);
  if (noise->onto != NULL)
    projector_apply(noise->onto, pack, NULL);
}

/* f = -grad V0 becomes M a, for the maps that want it with the molecules' own block of Hess V0. */
static void accelerate(Walk *walk, int map, Pack *pack)
{
  const vd *hess = walk->hess != NULL ? walk->hess + (size_t)pack->index * walk->stride * walk->stride : NULL;
  const unsigned bits = walk->plan->accel->apply(walk->plan->accel_self[map], pack, hess);
  walk->indefinite += __builtin_popcount(ACCEL_INDEFINITE(bits));
  if (ACCEL_FAILED(bits) != 0)
    walk_ops_fault(walk, pack, ACCEL_FAILED(bits), FAULT_MAP);
}

/* p += h/2 M a with a = -M^-1 grad V(q). */
static void newmark_kick(const Walk *walk, double h, Pack *pack)
{
  Pack whole = *pack;
  whole.f = walk->scratch + walk->stride;
  memcpy(whole.f, pack->f, walk->stride * sizeof(vd));
  (void)walk->plan->verlet->apply(walk->plan->verlet_self, &whole, NULL);
  walk->plan->letters->kick(0.5 * h, &whole);
}

/* q' = q + h v + h^2/2 [(1 - 2 beta) a + 2 beta a(q')] by one Newton step from q' = q:
 * q' = q + (M + beta h^2 Hess V)^-1 (h p + h^2/2 M a), which is h^2/2 M^-1 times the map of
 * -grad V0 + 2 p/h. (A Newton step for a' from a' = 0 would be Zhang-Skeel in other coordinates.) */
static void newmark_predict(Walk *walk, double h, Pack *pack)
{
  const Kind *kind = pack->kind;
  Pack move = *pack;
  move.f = walk->scratch;
  for (size_t i = 0; i < walk->stride; i++)
    move.f[i] = pack->f[i] + 2.0 / h * pack->p[i];
  accelerate(walk, 0, &move);
  newmark_kick(walk, h, pack);
  for (int s = 0; s < kind->nsite; s++)
    for (int d = 0; d < kind->dim; d++)
      pack->q[s * kind->dim + d] += 0.5 * h * h / kind->mass[s] * move.f[s * kind->dim + d];
}

/* H. The multipliers that it leaves in the scratch are kept for this pack. */
static void method_step(Walk *walk, double t, Pack *pack)
{
  const Method *method = walk->plan->method;
  const unsigned failed = method->step(walk->plan->method_self, t, pack);
  if (failed != 0)
    walk_ops_fault(walk, pack, failed, FAULT_METHOD);
  if (method->multipliers)
    memcpy(impulse_of(walk, pack), pack->scratch, (size_t)walk->nimpulse * sizeof(vd));
}

void walk_ops_run(Walk *walk, const Op *op, Pack *pack)
{
  const Plan *plan = walk->plan;
  pack->step = walk->step + op->ahead;
  if (op->first && plan->options.keep_multipliers)
    memset(impulse_of(walk, pack), 0, (size_t)walk->nimpulse * sizeof(vd));
  switch (op->code) {
  case OP_KICK:
    plan->letters->kick(op->t, pack);
    break;
  case OP_DRIFT:
    plan->letters->drift(op->t, pack);
    break;
  case OP_SLIDE:
    slide(walk, op->t, pack);
    break;
  case OP_PROJECT:
    project(walk, pack);
    break;
  case OP_NOISE:
    noise_step(walk, op, pack);
    break;
  case OP_HEAT_OUT:
    plan->letters->heat(-1.0, pack);
    break;
  case OP_HEAT_IN:
    plan->letters->heat(1.0, pack);
    break;
  case OP_ACCEL:
    accelerate(walk, op->map, pack);
    break;
  case OP_PREDICT:
    newmark_predict(walk, op->t, pack);
    break;
  case OP_CORRECT:
    newmark_kick(walk, op->t, pack);
    break;
  case OP_METHOD:
    method_step(walk, op->t, pack);
    break;
  case OP_FORCE:
  case OP_REMOVE:
    break;
  }
}
