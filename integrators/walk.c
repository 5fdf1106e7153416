/* A plan at work: running the compiled operations over packs, watching for faults, keeping time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ticks.h"
#include "integrators/walk_private.h"

/* Steps between looks at whether everything is still a number and nothing runs away. A step that is looked at
 * is whole, as a last one is: momenta with a part of the next step's kick would be told of another step where
 * a run is cut there. */
enum { LOOK_EVERY = 16 };
/* One step in this many is timed operation by operation. */
enum { CLOCK_EVERY = 64 };
/* No atom moves this far in one step (angstrom) unless the integration has blown up. Systems without forces
 * between molecules have units and speeds of their own. */
static const double runaway = 2.0;

Status walk_create(Walk **walk, const Plan *plan, const ForceField *field, const State *shape, Error *error)
{
  *walk = NULL;
  TRY(walk_memory_check(plan, field, shape, error));
  Walk *w = aligned_alloc(sizeof(Octet), (sizeof *w + sizeof(Octet) - 1) / sizeof(Octet) * sizeof(Octet));
  WalkBlock *block = malloc((size_t)shape->nblock * sizeof *block);
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return error_memory(error, "an integrator's scratch");
  }
  memset(w, 0, sizeof *w);
  w->plan = plan;
  w->field = field;
  w->block = block;
  w->nblock = shape->nblock;
  w->width = shape->width;
  w->told = -1;
  w->telling = shape->width > 1 && plan->fresh && !plan->split;
  for (int i = 0; i < field->n; i++)
    w->telling = w->telling && field->force[i].ops->telling;
  w->runaway = walk_memory_outside(field, false) ? runaway : INFINITY;
  const Status status = walk_memory_create(w, shape, error);
  if (status != STATUS_OK) {
    walk_free(w);
    return status;
  }
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

static void set_keys(Walk *walk, RandomPurpose purpose)
{
  for (int i = 0; i < (walk->width + LANES - 1) / LANES; i++)
    random_keys(walk->state->seed, walk->pack[i].replica, purpose, walk->key[i]);
}

/* The state whose f are the slow forces. */
static void attach_slow(Walk *walk)
{
  Block *block = walk->apart.block;
  const State *state = walk->state;
  memcpy(block, state->block, (size_t)state->nblock * sizeof *block);
  for (int b = 0; b < state->nblock; b++)
    block[b].f = block[b].slow;
  walk->apart = *state;
  walk->apart.block = block;
}

void walk_attach(Walk *walk, State *state, RandomPurpose purpose)
{
  walk->state = state;
  walk->step = state->step;
  walk->thermal = walk->told = -1;
  walk->asked = false;
  walk->fault = (Fault){0};
  walk->force_status = STATUS_OK;
  for (int b = 0; b < walk->nblock; b++) {
    WalkBlock *own = &walk->block[b];
    own->block = &state->block[b];
    for (int i = 0; i < own->npack; i++) {
      own->pack[i] = state_pack(state, own->block, i);
      own->pack[i].scratch = walk->work;
    }
  }
  attach_slow(walk);
  walk->purpose = purpose;
  set_keys(walk, purpose);
}

/* --- running ------------------------------------------------------------------------------------------- */

static void compute_forces(Walk *walk, const Team *team, bool slow)
{
  Error *error = &walk->force_error;
  walk->apart.step = walk->step;
  walk->apart.box = walk->state->box;
  const bool tell = walk->asked && walk->step == walk->measured;
  const ForceSums sums = {.energy = walk->terms};
  if (tell)
    walk->told = walk->step + 1;
  if (!walk->plan->split)
    walk->force_status = force_field_compute(walk->field, team, walk->state, tell ? &sums : NULL, error);
  else
    walk->force_status = force_field_compute_groups(walk->field, team, slow ? &walk->apart : walk->state,
                                                    slow ? FORCE_SLOW : FORCE_FAST, error);
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

/* False if a member of the team met a fault before: forces and removals have a barrier between what packs did
 * before and what others see of it, so all learn of it there. */
static bool run_state_op(Walk *walk, const Team *team, const Op *op)
{
  if (op->code == OP_REMOVE)
    remove_motion(walk, team, walk->plan->removal[op->letter]);
  else
    compute_forces(walk, team, op->code == OP_FORCE_SLOW);
  if (walk->force_status != STATUS_OK)
    walk_fault_force(walk);
  return walk->force_status == STATUS_OK && !team_stopped(team);
}

/* All operations on one pack before the next, while it sits in the L1 cache. A thread's packs are those that
 * forces give it too. */
static void run_packs(Walk *walk, const Team *team, const Op *op, int n)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++)
      for (int k = 0; k < n; k++)
        walk_ops_run(walk, own, &op[k], &own->pack[i]);
  }
}

/* The same operations one after the other, with the clock between them; packs are independent, so the
 * bits are the same. */
static void run_packs_timed(Walk *walk, const Team *team, const Op *op, int n)
{
  for (int k = 0; k < n; k++) {
    const uint64_t start = ticks_now();
    run_packs(walk, team, &op[k], 1);
    walk->ticks[walk_ops_table[op[k].code].part] += ticks_now() - start;
  }
}

/* False if they were cut short: see run_state_op. */
static bool run_ops(Walk *walk, const Team *team, const Op *op, int n, bool timed)
{
  for (int k = 0; k < n;) {
    if (op[k].code >= OP_FORCE) {
      const uint64_t start = ticks_now();
      if (!run_state_op(walk, team, &op[k]))
        return false;
      if (timed)
        walk->ticks[walk_ops_table[op[k].code].part] += ticks_now() - start;
      k++;
      continue;
    }
    int m = 1;
    while (k + m < n && op[k + m].code < OP_FORCE)
      m++;
    if (timed)
      run_packs_timed(walk, team, &op[k], m);
    else
      run_packs(walk, team, &op[k], m);
    k += m;
  }
  return true;
}

/* Room for slow forces, if the caller has not made it: one of the team makes it, and all look. */
static Status keep_slow(Walk *walk, const Team *team, Error *error)
{
  if (!walk->plan->split)
    return STATUS_OK;
  team_barrier(team);
  if (team->rank == 0)
    (void)state_keep_slow(walk->state, NULL);
  team_barrier(team);
  if (walk->state->slow == NULL)
    return error_memory(error, "slow forces");
  attach_slow(walk);
  return STATUS_OK;
}

Status walk_prepare(Walk *walk, const Team *team, Error *error)
{
  const Plan *plan = walk->plan;
  walk->force_status = STATUS_OK;
  walk->thermal = walk->told = -1;
  walk->asked = false;
  walk->fault = (Fault){0};
  walk->unchecked = plan->options.method != NULL && plan->options.method->check != NULL;
  TRY(keep_slow(walk, team, error));
  static const Op ops[3] = {{.code = OP_FORCE_SLOW}, {.code = OP_FORCE}, {.code = OP_ACCEL}};
  const int first = plan->split ? 0 : 1, last = plan->naccel == 0 ? 2 : 3;
  (void)run_ops(walk, team, ops + first, last - first, false);
  walk_fault_tell(walk, team);
  walk_fault_agree(walk, team);
  if (walk->fault.set && walk->fault.kind != FAULT_FORCE)
    return walk_fault_report(walk, error);
  return error_pass(error, walk->force_status, &walk->force_error);
}

/* What a method has to say about a start. All members of a team look at all lanes, so that all agree. (A
 * method has one kind.) */
static Status check_start(Walk *walk, Error *error)
{
  const WalkBlock *own = &walk->block[0];
  double *z = malloc(2 * own->stride * sizeof *z);
  if (z == NULL)
    return error_memory(error, "a start");
  Status status = STATUS_OK;
  for (int i = 0; i < own->npack; i++)
    for (int l = 0; l < LANES && status == STATUS_OK; l++) {
      const Pack *pack = &own->pack[i];
      if ((*pack->active)[l] == 0.0)
        continue;
      for (size_t k = 0; k < own->stride; k++) {
        z[k] = pack->q[k][l];
        z[own->stride + k] = pack->p[k][l];
      }
      status = plan_check(walk->plan, z, z + own->stride, error);
      if (status != STATUS_OK)
        (void)error_prefix(error, "replica %u", pack->replica[l]);
    }
  free(z);
  walk->unchecked = false;
  return status;
}

Status walk_run(Walk *walk, const Team *team, int64_t n, Error *error)
{
  const Plan *plan = walk->plan;
  if (n <= 0)
    return STATUS_OK;
  if (walk->unchecked) {
    const Status status = check_start(walk, error);
    team_barrier(team); /* all have looked before one moves */
    if (status != STATUS_OK)
      return status;
  }
  walk->measured = walk->step + n - 1;
  walk->told = -1;
  (void)run_ops(walk, team, plan->head, plan->nhead, false);
  for (int64_t k = 0; k < n; k++) {
    const bool last = k == n - 1, whole = last || (walk->step + 1) % LOOK_EVERY == 0;
    const bool timed = walk->steps % CLOCK_EVERY == 0 && !last;
    if (!run_ops(walk, team, plan->body, whole ? plan->nlast : plan->nbody, timed))
      break;
    walk->step++;
    walk->steps++;
    if (team->rank == 0)
      walk->state->step = walk->step; /* forces know by it how old their lists are */
    walk->timed += timed;
    if (whole)
      walk_fault_look(walk, team);
    if (walk->fault.set && team->size == 1)
      break;
    walk_fault_tell(walk, team);
    if (whole && !last)
      (void)run_ops(walk, team, plan->head, plan->nhead, false);
  }
  walk_fault_tell(walk, team);
  walk_fault_agree(walk, team);
  walk->thermal = plan->nnoise > 0 ? walk->step : -1;
  walk->asked = false;
  return walk->fault.set ? walk_fault_report(walk, error) : STATUS_OK;
}

void walk_ask_energies(Walk *walk) { walk->asked = walk->telling; }

/* --- looking at a state without touching it ------------------------------------------------------------- */

void walk_project_momenta(Walk *walk)
{
  const Plan *plan = walk->plan;
  const Team alone = team_alone();
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    for (int i = 0; i < own->npack && own->kind->draw.onto != NULL; i++)
      projector_apply(own->kind->draw.onto, &own->pack[i], NULL);
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
    for (int i = 0; i < own->npack; i++) {
      Pack *pack = &own->pack[i];
      OctetWord key[2];
      NoiseAddress at = none;
      random_keys(walk->state->seed, pack->replica, random_momenta(walk->purpose), key);
      at.key = key;
      memset(pack->p, 0, own->stride * sizeof(Octet));
      plan->ou->step(draw->ou, &at, pack);
    }
  }
  walk_project_momenta(walk);
}

/* Turns pack->p to the tangent momenta where the method keeps others. */
static void tangent_momenta(const Walk *walk, const WalkBlock *own, Pack *pack)
{
  const Plan *plan = walk->plan;
  if (plan->constraints == NULL || !plan->constraints->lazy || own->kind->projector == NULL)
    return;
  memcpy(walk->scratch, pack->p, own->stride * sizeof(Octet));
  pack->p = walk->scratch;
  projector_apply(own->kind->projector, pack, NULL);
}

/* Whether momenta were kept after an O of the step that ended just now. */
static bool has_thermal(const Walk *walk) { return walk->thermal >= 0 && walk->thermal == walk->step; }

Pack walk_measured_pack(const Walk *walk, const WalkBlock *own, int i, bool thermal)
{
  Pack pack = own->pack[i];
  if (thermal)
    pack.p = own->thermal + (size_t)i * own->stride;
  else
    tangent_momenta(walk, own, &pack);
  return pack;
}

/* One value a pack, kept in the saved forces' memory until they are needed. */
static void sum_kinetic(Walk *walk, bool thermal, double *kinetic)
{
  memset(kinetic, 0, (size_t)walk->width * sizeof *kinetic);
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    for (int i = 0; i < own->npack; i++) {
      const Pack pack = walk_measured_pack(walk, own, i, thermal);
      walk->plan->letters->kinetic(&pack, &own->saved[i]);
    }
    state_add(walk->state, own->block, own->saved, kinetic);
  }
}

/* Where neither is to be seen, as in a ladder of constrained molecules, no constraint is evaluated. */
static void sum_penalty(Walk *walk, double *penalty, double *largest)
{
  memset(penalty, 0, (size_t)walk->width * sizeof *penalty);
  if (largest != NULL)
    memset(largest, 0, (size_t)walk->width * sizeof *largest);
  for (int b = 0; b < walk->nblock && (largest != NULL || walk->plan->options.w != 0.0); b++) {
    const WalkBlock *own = &walk->block[b];
    for (int i = 0; i < own->npack; i++) {
      Octet top;
      accel_penalty_energy(&own->pack[i], walk->plan->options.w, &own->saved[i], &top);
      for (int l = 0; l < LANES && largest != NULL; l++) {
        const int r = (i * LANES + l) % walk->width;
        if ((*own->pack[i].active)[l] != 0.0 && !(top[l] <= largest[r]))
          largest[r] = top[l];
      }
    }
    state_add(walk->state, own->block, own->saved, penalty);
  }
}

/* sum of p_a p_b/m of the atoms of a block, and of its molecules as wholes. */
static void add_pressure(const Walk *walk, const WalkBlock *own, Octet atom[9], Octet molecule[9])
{
  const Kind *kind = own->block->kind;
  const double mass = kind_mass(kind);
  for (int i = 0; i < own->npack; i++) {
    const Pack pack = walk_measured_pack(walk, own, i, has_thermal(walk));
    Octet whole[3] = {{0}};
    for (int s = 0; s < kind->nsite; s++)
      for (int k = 0; k < 9; k++)
        atom[k] += pack.p[3 * s + k / 3] * pack.p[3 * s + k % 3] * (*pack.active / kind->mass[s]);
    for (int s = 0; s < 3 * kind->nsite; s++)
      whole[s % 3] += pack.p[s];
    for (int k = 0; k < 9; k++)
      molecule[k] += whole[k / 3] * whole[k % 3] * (*pack.active / mass);
  }
}

static void sum_pressure(const Walk *walk, WalkPressure *to)
{
  Octet atom[9] = {{0}}, molecule[9] = {{0}};
  force_virial_molecule(walk->state, to->virial_atom, to->virial_molecule);
  for (int b = 0; b < walk->nblock; b++)
    add_pressure(walk, &walk->block[b], atom, molecule);
  for (int k = 0; k < 9; k++) {
    to->kinetic_atom[k / 3][k % 3] = octet_sum(atom[k]);
    to->kinetic_molecule[k / 3][k % 3] = octet_sum(molecule[k]);
  }
}

/* This thread's packs of a field that each walk of a team has a copy of, into that of the first. */
static void lend_thermal(const Walk *walk, const Team *team)
{
  if (team->size == 1 || team->rank == 0 || !has_thermal(walk))
    return;
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    const Octet *from = own->thermal + (size_t)begin * own->stride;
    Octet *to = (Octet *)team->barrier->shared + (from - walk->memory);
    memcpy(to, from, (size_t)(end - begin) * own->stride * sizeof(Octet));
  }
}

void walk_thermal_keep(const Walk *walk, const Team *team, Octet *to)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    const size_t from = (size_t)begin * own->stride, n = (size_t)(end - begin) * own->stride;
    memcpy(to + from, (has_thermal(walk) ? own->thermal : own->block->p) + from, n * sizeof *to);
    to += (size_t)own->npack * own->stride;
  }
}

void walk_thermal_return(Walk *walk, const Octet *from)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    const size_t n = (size_t)own->npack * own->stride;
    memcpy(own->thermal, from, n * sizeof *from);
    from += n;
  }
  walk->thermal = walk->step;
}

/* This thread's share of the forces, put aside and back. */
static void keep_forces(Walk *walk, const Team *team, bool back)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    const size_t from = (size_t)begin * own->stride, n = (size_t)(end - begin) * own->stride * sizeof(Octet);
    if (back)
      memcpy(own->block->f + from, own->saved + from, n);
    else
      memcpy(own->saved + from, own->block->f + from, n);
  }
}

Status walk_energies(Walk *walk, const Team *team, const WalkEnergies *to, Error *error)
{
  if (team->size > 1 && team->rank == 0)
    team->barrier->shared = walk->memory;
  team_barrier(team);
  lend_thermal(walk, team);
  team_barrier(team);
  if (team->rank == 0) {
    sum_kinetic(walk, false, to->kinetic);
    if (to->thermal != NULL)
      sum_kinetic(walk, has_thermal(walk), to->thermal);
    sum_penalty(walk, to->penalty, to->largest);
  }
  team_barrier(team);
  if (walk->told == walk->step) {
    const int terms = force_field_terms(walk->field);
    memcpy(to->terms, walk->terms, (size_t)(terms * walk->width) * sizeof *walk->terms);
    return STATUS_OK;
  }
  keep_forces(walk, team, false);
  double(*const virial)[3] = to->pressure != NULL ? to->pressure->virial_atom : NULL;
  const ForceSums sums = {to->terms, virial};
  const Status status = force_field_compute(walk->field, team, walk->state, &sums, error);
  team_barrier(team);
  if (virial != NULL && team->rank == 0 && status == STATUS_OK)
    sum_pressure(walk, to->pressure);
  team_barrier(team);
  keep_forces(walk, team, true);
  team_barrier(team);
  return status;
}

/* -w^2 g at the filtered position, so that this is what the step applies along grad g. */
static Octet penalty_multiplier(const Plan *plan, const Constraint *con, const Pack *pack)
{
  const double w = plan->options.w;
  return -w * w * accel_filtered(con, pack, plan_filter_reach(plan));
}

void walk_penalty_strain(Walk *walk, double *strain)
{
  memset(strain, 0, (size_t)walk->width * sizeof *strain);
  for (int b = 0; b < walk->nblock && walk->plan->options.w != 0.0; b++) {
    const WalkBlock *own = &walk->block[b];
    for (int i = 0; i < own->npack; i++)
      own->saved[i] =
          accel_filtered_energy(&own->pack[i], walk->plan->options.w, plan_filter_reach(walk->plan));
    state_add(walk->state, own->block, own->saved, strain);
  }
}

void walk_multipliers(const Walk *walk, int r, int molecule, double *lambda)
{
  const Plan *plan = walk->plan;
  int b = 0;
  while (b + 1 < walk->nblock && molecule >= walk->block[b + 1].block->first)
    b++;
  const WalkBlock *own = &walk->block[b];
  const int lane = (molecule - own->block->first) * walk->width + r, ncon = own->nimpulse;
  const Pack *pack = &own->pack[lane / LANES];
  const double time = plan->constraints != NULL ? plan->options.h : 1.0;
  const Method *method = plan->options.method;
  const bool kept = own->kind->kept || (method != NULL && method->multipliers != NULL);
  for (int c = 0; c < ncon; c++) {
    const Octet value = kept ? own->impulse[pack->index * ncon + c] / time
                             : penalty_multiplier(plan, &pack->kind->con[c], pack);
    lambda[c] = value[lane % LANES];
  }
}

void walk_clock(const Walk *walk, double seconds[PART_COUNT], int64_t *timed, int64_t *steps)
{
  const double ticks = (double)(ticks_now() - walk->start_ticks);
  const double rate = ticks > 0.0 ? (ticks_seconds() - walk->start_seconds) / ticks : 0.0;
  for (int i = 0; i < PART_COUNT; i++)
    seconds[i] = rate * (double)walk->ticks[i];
  *timed = walk->timed;
  *steps = walk->steps;
}

int64_t walk_indefinite(const Walk *walk) { return walk->indefinite; }
