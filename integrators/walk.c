/* Runs a plan: the compiled operations over packs, checks for faults, and timing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "integrators/walk_private.h"

/* Steps between checks for NaN and runaway motion. A checked step is whole, like a last one: momenta that
 * include a kick of the next step would depend on where a run is cut. */
enum { LOOK_EVERY = 16 };
/* One step in this many is timed operation by operation. */
enum { CLOCK_EVERY = 64 };
/* A larger move of an atom in one step (angstrom) means that the integration diverged. Systems without forces
 * between molecules have other units and speeds, and no limit. */
static const double runaway = 2.0;

Status walk_create(Walk **walk, const Plan *plan, const ForceField *field, const State *shape, Error *error)
{
  *walk = NULL;
  TRY(walk_memory_check(plan, field, shape, error));
  Walk *w = aligned_alloc(sizeof(Vec8), (sizeof *w + sizeof(Vec8) - 1) / sizeof(Vec8) * sizeof(Vec8));
  WalkBlock *block = malloc((size_t)shape->nblock * sizeof *block);
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return error_memory(error, "an integrator's scratch");
  }
  memset(w, 0, sizeof *w);
  w->plan = plan;
  w->field = field;
  w->driven = force_field_driven(field);
  w->block = block;
  w->nblock = shape->nblock;
  w->width = shape->width;
  w->terms_step = -1;
  w->telling = plan->fresh && !plan->split;
  for (int i = 0; i < field->n; i++)
    w->telling = w->telling && field->force[i].ops->telling;
  w->runaway = walk_memory_outside(field, false) ? runaway : INFINITY;
  TRY_ELSE(walk_memory_create(w, shape, error), walk_free(w));
  w->start_ticks = ticks_now();
  w->start_seconds = ticks_seconds();
  *walk = w;
  return STATUS_OK;
}

void walk_free(Walk *walk)
{
  if (walk == NULL)
    return;
  free(walk->apart.block);
  free(walk->reserved);
  free(walk->pack);
  free(walk->block);
  free(walk);
}

Pack walk_pack(const Walk *walk, const WalkBlock *own, int i)
{
  if (i >= own->begin && i < own->end)
    return own->pack[i];
  Pack pack = state_pack(walk->state, own->block, i);
  pack.scratch = walk->work;
  return pack;
}

void walk_view(Walk *walk, const Team *team)
{
  for (int b = 0; b < walk->nblock; b++) {
    WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    if (begin >= own->begin && end <= own->end)
      continue;
    own->begin = own->end = 0;
    for (int i = begin; i < end; i++)
      own->pack[i] = walk_pack(walk, own, i);
    own->begin = begin;
    own->end = end;
  }
}

static void set_keys(Walk *walk, RandomPurpose purpose)
{
  for (int i = 0; i < (walk->width + LANES - 1) / LANES; i++)
    random_keys(walk->state->seed, walk_pack(walk, &walk->block[0], i).replica, purpose, walk->key[i]);
}

/* Creates the views of the state; f of `apart` are the slow forces. */
static void attach_views(Walk *walk)
{
  Block *block = walk->apart.block;
  const State *state = walk->state;
  memcpy(block, state->block, (size_t)state->nblock * sizeof *block);
  for (int b = 0; b < state->nblock; b++)
    block[b].f = block[b].slow;
  walk->now = walk->apart = *state;
  walk->apart.block = block;
}

void walk_attach(Walk *walk, State *state, RandomPurpose purpose)
{
  walk->state = state;
  walk->step = state->step;
  walk->thermal = walk->terms_step = -1;
  walk->asked = false;
  walk->fault = (Fault){0};
  walk->force_status = STATUS_OK;
  for (int b = 0; b < walk->nblock; b++) {
    WalkBlock *own = &walk->block[b];
    own->block = &state->block[b];
    own->begin = own->end = 0;
  }
  attach_views(walk);
  walk->purpose = purpose;
  set_keys(walk, purpose);
}

void walk_describe_noise(const Walk *walk, int r, NoiseDescription *to)
{
  const State *state = walk->state;
  *to = (NoiseDescription){.seed = state->seed,
                           .replica = state->replica + (uint32_t)r,
                           .purpose = walk->purpose,
                           .momenta = random_momenta(walk->purpose),
                           .number = state->number,
                           .step = walk->step};
}

/* --- running ------------------------------------------------------------------------------------------- */

/* A view of the state for forces. Views belong to this member: others may still be at the end of the step
 * before, where the step of the state changes. */
static State *view_of(Walk *walk, const Op *op)
{
  State *view = walk->plan->split && op->code == OP_FORCE_SLOW ? &walk->apart
                : walk->driven                                 ? &walk->now
                                                               : walk->state;
  if (view != walk->state) {
    view->step = walk->step;
    view->box = walk->state->box;
    view->elapsed = walk->driven ? op->elapsed : 0.0;
  }
  return view;
}

static void compute_forces(Walk *walk, const Team *team, const Op *op)
{
  const bool slow = op->code == OP_FORCE_SLOW;
  Error *error = &walk->force_error;
  const bool tell = walk->asked && walk->step == walk->measured;
  const ForceSums sums = {.energy = walk->terms, .virial = walk->width == 1 ? walk->virial : NULL};
  if (tell)
    walk->terms_step = walk->step + 1;
  State *const state = view_of(walk, op);
  if (!walk->plan->split)
    walk->force_status = force_field_compute(walk->field, team, state, tell ? &sums : NULL, error);
  else
    walk->force_status =
        force_field_compute_groups(walk->field, team, state, slow ? FORCE_SLOW : FORCE_FAST, error);
  if (walk->force_status == STATUS_OK && walk->hess != NULL)
    force_field_hess_block(walk->field, team, walk->state, walk->hess);
}

static void remove_motion(Walk *walk, const Team *team, const Motion *motion)
{
  if (team->size > 1 && team->rank == 0)
    team->barrier->shared = walk->shared;
  team_barrier(team);
  motion_remove(motion, team, walk->state, walk->work, team->size > 1 ? team->barrier->shared : NULL);
}

/* Returns false if the team was stopped: forces and removals have a barrier between the work on packs and its
 * use by others, where all members learn of faults. */
static bool run_state_op(Walk *walk, const Team *team, const Op *op)
{
  if (op->code == OP_REMOVE)
    remove_motion(walk, team, walk->plan->removal[op->letter]);
  else if (op->code == OP_RESCALE)
    walk_rescale(walk, team, op);
  else
    compute_forces(walk, team, op);
  if (walk->force_status != STATUS_OK)
    walk_fault_force(walk);
  return walk->force_status == STATUS_OK && !team_stopped(team);
}

/* Runs all operations on one pack before the next, while it is in the L1 cache. A thread has the same packs
 * in forces. No operation acts on frozen molecules. */
static void run_packs(Walk *walk, const Team *team, const Op *op, int n)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    if (own->kind->frozen)
      continue;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      for (int k = 0; k < n; k++)
        walk_ops_run(walk, own, &op[k], &own->pack[i]);
  }
}

/* Runs the operations one after the other, timing each; packs are independent, so the bits are the same. */
static void run_packs_timed(Walk *walk, const Team *team, const Op *op, int n)
{
  for (int k = 0; k < n; k++) {
    const uint64_t start = ticks_now();
    run_packs(walk, team, &op[k], 1);
    walk->ticks[walk_ops_table[op[k].code].part] += ticks_now() - start;
  }
}

static void take_ops(Walk *walk, const Op *op, int n)
{
  walk->op = op;
  walk->nop = n;
}

/* Runs to the end of the operations, or to the next forces. False if they were cut short: see run_state_op.
 */
static bool run_ops(Walk *walk, const Team *team, bool timed, bool pauses)
{
  while (walk->nop > 0) {
    const Op *op = walk->op;
    int n = 1;
    if (op->code >= OP_FORCE) {
      walk->paused = pauses && !walk->paused && op->code == OP_FORCE;
      if (walk->paused)
        return true;
      const uint64_t start = ticks_now();
      if (!run_state_op(walk, team, op))
        return false;
      if (timed)
        walk->ticks[walk_ops_table[op->code].part] += ticks_now() - start;
    } else {
      while (n < walk->nop && op[n].code < OP_FORCE)
        n++;
      if (timed)
        run_packs_timed(walk, team, op, n);
      else
        run_packs(walk, team, op, n);
    }
    take_ops(walk, op + n, walk->nop - n);
  }
  return true;
}

/* Allocates slow forces if the caller did not: one of the team allocates, and all check. */
static Status keep_slow(Walk *walk, const Team *team, Error *error)
{
  if (!walk->plan->split)
    return STATUS_OK;
  team_barrier(team);
  if (team->rank == 0)
    (void)state_keep_slow(walk->state, NULL);
  team_barrier(team);
  TRY_MEMORY(walk->state->slow != NULL, "slow forces", error);
  attach_views(walk);
  return STATUS_OK;
}

Status walk_prepare(Walk *walk, const Team *team, Error *error)
{
  const Plan *plan = walk->plan;
  walk->force_status = STATUS_OK;
  walk->thermal = walk->terms_step = -1;
  if (walk->asked)
    walk->measured = walk->step;
  walk->fault = (Fault){0};
  walk->unchecked = plan->options.method != NULL && plan->options.method->check != NULL;
  TRY(keep_slow(walk, team, error));
  walk_view(walk, team);
  static const Op ops[3] = {{.code = OP_FORCE_SLOW}, {.code = OP_FORCE}, {.code = OP_ACCEL}};
  const int first = plan->split ? 0 : 1, last = plan->naccel == 0 ? 2 : 3;
  take_ops(walk, ops + first, last - first);
  (void)run_ops(walk, team, false, false);
  walk->terms_step = walk->asked ? walk->step : -1;
  walk->asked = false;
  walk_fault_tell(walk, team);
  walk_fault_agree(walk, team);
  if (walk->fault.set && walk->fault.kind != FAULT_FORCE)
    return walk_fault_report(walk, error);
  return error_pass(error, walk->force_status, &walk->force_error);
}

/* Checks a start by the method. All members of a team check all lanes, so that all agree. (A method has one
 * kind.) */
static Status check_start(Walk *walk, Error *error)
{
  const WalkBlock *own = &walk->block[0];
  double *z = malloc(2 * own->stride * sizeof *z);
  TRY_MEMORY(z != NULL, "a start", error);
  Status status = STATUS_OK;
  for (int i = 0; i < own->npack; i++)
    for (int l = 0; l < LANES && status == STATUS_OK; l++) {
      const Pack pack = walk_pack(walk, own, i);
      if ((*pack.active)[l] == 0.0)
        continue;
      for (size_t k = 0; k < own->stride; k++) {
        z[k] = pack.q[k][l];
        z[own->stride + k] = pack.p[k][l];
      }
      status = plan_check(walk->plan, z, z + own->stride, error);
      if (status != STATUS_OK)
        (void)error_prefix(error, "replica %u", pack.replica[l]);
    }
  free(z);
  walk->unchecked = false;
  return status;
}

static bool is_last(const Walk *walk) { return walk->step == walk->measured; }

/* Starts the rest of a step whose first operations have been done. */
static void begin_step(Walk *walk)
{
  const Plan *plan = walk->plan;
  walk->whole = is_last(walk) || (walk->step + 1) % LOOK_EVERY == 0;
  walk->timed = walk->steps % CLOCK_EVERY == 0 && !is_last(walk);
  take_ops(walk, plan->op + plan->nhead, walk->whole ? plan->nop - plan->nhead : plan->nop);
}

/* Runs the first operations of the step after a whole one, all of them on packs. */
static void run_head(Walk *walk, const Team *team)
{
  take_ops(walk, walk->plan->op, walk->plan->nhead);
  (void)run_ops(walk, team, false, false);
}

/* Returns false after a fault. */
static bool end_step(Walk *walk, const Team *team)
{
  walk->step++;
  walk->steps++;
  if (team->rank == 0)
    walk->state->step = walk->step; /* gives forces the age of their lists */
  walk->timed_steps += walk->timed;
  if (walk->whole)
    walk_fault_look(walk, team);
  if (walk->fault.set && team->size == 1)
    return false;
  walk_fault_tell(walk, team);
  return true;
}

Status walk_begin(Walk *walk, const Team *team, int64_t n, Error *error)
{
  walk->measured = walk->step + n - 1;
  walk->terms_step = -1;
  walk->paused = false;
  walk->nop = 0;
  if (n <= 0)
    return STATUS_OK;
  walk_view(walk, team);
  if (walk->unchecked) {
    const Status status = check_start(walk, error);
    team_barrier(team); /* all have checked before one moves */
    TRY(status);
  }
  run_head(walk, team);
  begin_step(walk);
  return STATUS_OK;
}

bool walk_go_on(Walk *walk, const Team *team, bool pauses)
{
  while (walk->step <= walk->measured) {
    if (!run_ops(walk, team, walk->timed, pauses))
      return true;
    if (walk->paused)
      return false;
    const bool whole = walk->whole;
    if (!end_step(walk, team) || walk->step > walk->measured)
      return true;
    if (whole)
      run_head(walk, team);
    begin_step(walk);
  }
  return true;
}

Status walk_end(Walk *walk, const Team *team, Error *error)
{
  walk_fault_tell(walk, team);
  walk_fault_agree(walk, team);
  walk->thermal = walk->plan->nnoise > 0 ? walk->step : -1;
  walk->asked = false;
  return walk->fault.set ? walk_fault_report(walk, error) : STATUS_OK;
}

Status walk_run(Walk *walk, const Team *team, int64_t n, Error *error)
{
  if (n <= 0)
    return STATUS_OK;
  TRY(walk_begin(walk, team, n, error));
  (void)walk_go_on(walk, team, false);
  return walk_end(walk, team, error);
}

void walk_ask_energies(Walk *walk) { walk->asked = walk->telling; }

/* --- measurements that leave the state unchanged ------------------------------------------------------ */

void walk_project_momenta(Walk *walk)
{
  const Plan *plan = walk->plan;
  const Team alone = team_alone();
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    if (own->kind->frozen)
      memset(own->block->p, 0, (size_t)own->npack * own->stride * sizeof(Vec8));
    for (int i = 0; i < own->npack && !own->kind->frozen && own->kind->draw.onto != NULL; i++) {
      Pack pack = walk_pack(walk, own, i);
      projector_apply(own->kind->draw.onto, &pack, NULL);
    }
  }
  if (plan->draw != NULL)
    motion_remove(plan->draw, &alone, walk->state, walk->work, NULL);
}

void walk_draw_momenta(Walk *walk) { walk_draw_again(walk, 0); }

void walk_draw_again(Walk *walk, uint32_t turn)
{
  const Plan *plan = walk->plan;
  walk->thermal = -1;
  const NoiseAddress none = {NULL, walk->step, turn};
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    const Noise *draw = &own->kind->draw;
    for (int i = 0; i < own->npack && !own->kind->frozen; i++) {
      Pack pack = walk_pack(walk, own, i);
      Vec8Word key[2];
      NoiseAddress at = none;
      random_keys(walk->state->seed, pack.replica, random_momenta(walk->purpose), key);
      at.key = key;
      memset(pack.p, 0, own->stride * sizeof(Vec8));
      plan->ou->step(draw->ou, &at, &pack);
    }
  }
  walk_project_momenta(walk);
}

/* Projects a field of a pack along exact constraints and puts it in place of p; forces project like momenta.
 * Frozen molecules have none. */
static void project_field(const Walk *walk, const WalkBlock *own, const Vec8 *field, Pack *pack)
{
  pack->p = walk->scratch;
  if (own->kind->frozen) {
    memset(walk->scratch, 0, own->stride * sizeof(Vec8));
    return;
  }
  memcpy(walk->scratch, field, own->stride * sizeof(Vec8));
  if (own->kind->projector != NULL)
    (void)projector_apply(own->kind->projector, pack, NULL);
}

Pack walk_measured_pack(const Walk *walk, const WalkBlock *own, int i, WalkMeasured what)
{
  const Plan *plan = walk->plan;
  Pack pack = walk_pack(walk, own, i);
  if (what == MEASURED_THERMAL)
    pack.p = own->thermal + (size_t)i * own->stride;
  else if (what == MEASURED_FORCES)
    project_field(walk, own, pack.f, &pack);
  else if (plan->constraints != NULL && plan->constraints->lazy)
    project_field(walk, own, pack.p, &pack);
  return pack;
}

void walk_thermal_keep(const Walk *walk, const Team *team, Vec8 *to)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    const size_t from = (size_t)begin * own->stride, n = (size_t)(end - begin) * own->stride;
    memcpy(to + from, (walk_has_thermal(walk) ? own->thermal : own->block->p) + from, n * sizeof *to);
    to += (size_t)own->npack * own->stride;
  }
}

void walk_thermal_return(Walk *walk, const Vec8 *from)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    const size_t n = (size_t)own->npack * own->stride;
    memcpy(own->thermal, from, n * sizeof *from);
    from += n;
  }
  walk->thermal = walk->step;
}

bool walk_penalises(const Walk *walk)
{
  bool any = false;
  for (int b = 0; b < walk->nblock; b++)
    any = any || (!walk->block[b].kind->frozen && plan_kind_penalised(walk->plan, walk->block[b].kind));
  return any;
}

/* A pack with all forces that the step applies: if there are both constraints and penalties, without the part
 * that the map leaves to the constraints. */
static Pack filtered_pack(const Walk *walk, const WalkBlock *own, int i)
{
  Pack pack = walk_pack(walk, own, i);
  if (own->kind->projector == NULL || !plan_kind_penalised(walk->plan, own->kind))
    return pack;
  Pack force = pack;
  project_field(walk, own, pack.f, &force);
  pack.f = force.p;
  return pack;
}

/* -w^2 g of constraint c at the filtered position: the force of the step along grad g. */
static Vec8 penalty_multiplier(const Plan *plan, int c, const Pack *pack)
{
  const double w = kind_strength(pack->kind, c, plan->options.w);
  return -w * w * accel_filtered(&pack->kind->con[c], pack, plan_filter_reach(plan));
}

void walk_penalty_strain(Walk *walk, double *strain)
{
  memset(strain, 0, (size_t)walk->width * sizeof *strain);
  const double w = walk->plan->options.w, reach = plan_filter_reach(walk->plan);
  if (!walk_penalises(walk))
    return;
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    if (own->kind->frozen)
      continue;
    for (int i = 0; i < own->npack; i++) {
      const Pack pack = filtered_pack(walk, own, i);
      accel_penalty_energy(&pack, w, reach, &own->saved[i], NULL);
    }
    state_add(walk->state, own->block, own->saved, strain);
  }
}

Pack walk_multiplier_pack(const Walk *walk, int block, int i)
{
  return filtered_pack(walk, &walk->block[block], i);
}

Vec8 walk_multiplier(const Walk *walk, int block, const Pack *pack, int c)
{
  const Plan *plan = walk->plan;
  const WalkBlock *own = &walk->block[block];
  const double time = plan->constraints != NULL ? plan->options.h : 1.0;
  if (own->kind->frozen)
    return vec8_set(0.0);
  return c < own->nimpulse ? own->impulse[pack->index * own->nimpulse + c] / time
                           : penalty_multiplier(plan, c, pack);
}

void walk_multipliers(const Walk *walk, int r, int molecule, double *lambda)
{
  int b = 0;
  while (b + 1 < walk->nblock && molecule >= walk->block[b + 1].block->first)
    b++;
  const WalkBlock *own = &walk->block[b];
  const int lane = (molecule - own->block->first) * walk->width + r;
  const Pack pack = walk_multiplier_pack(walk, b, lane / LANES);
  const Method *method = walk->plan->options.method;
  const bool all = method != NULL && method->multipliers != NULL;
  for (int c = 0; c < (all ? own->nimpulse : pack.kind->ncon); c++)
    lambda[c] = walk_multiplier(walk, b, &pack, c)[lane % LANES];
}

void walk_clock(const Walk *walk, double seconds[COST_COUNT], int64_t *timed, int64_t *steps)
{
  const double ticks = (double)(ticks_now() - walk->start_ticks);
  const double rate = ticks > 0.0 ? (ticks_seconds() - walk->start_seconds) / ticks : 0.0;
  for (int i = 0; i < COST_COUNT; i++)
    seconds[i] = rate * (double)walk->ticks[i];
  *timed = walk->timed_steps;
  *steps = walk->steps;
}

int64_t walk_indefinite(const Walk *walk) { return walk->indefinite; }
