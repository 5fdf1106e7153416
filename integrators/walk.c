/* A plan at work: running the compiled operations over packs, watching for faults, keeping time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/hamiltonian.h"
#include "engine/ticks.h"
#include "integrators/walk_private.h"

/* Steps between looks at whether everything is still a number and nothing runs away. */
enum { LOOK_EVERY = 16 };
/* One step in this many is timed operation by operation. */
enum { CLOCK_EVERY = 64 };
/* No atom moves this far in one step (angstrom) unless the integration has blown up. Systems without forces
 * between molecules have units and speeds of their own. */
static const double runaway = 2.0;

/* Forces between molecules or from outside, if there are any. */
static bool has_outside(const ForceField *field, bool with_hessian)
{
  for (int i = 0; i < field->n; i++) {
    const ForceOps *ops = field->force[i].ops;
    if (!ops->inside && (!with_hessian || ops->hess_block != NULL))
      return true;
  }
  return false;
}

Status walk_create(Walk **walk, const Plan *plan, const ForceField *field, const State *shape, Error *error)
{
  *walk = NULL;
  const Block *block = &shape->block[0];
  const size_t stride = (size_t)block->kind->nsite * (size_t)block->kind->dim;
  const size_t npack = (size_t)block->npack;
  const int nimpulse = block->kind->ham != NULL ? block->kind->ham->ncon : block->kind->ncon;
  const size_t ncon = (size_t)nimpulse;
  if (plan->method != NULL && has_outside(field, false))
    return error_set(error, STATUS_INPUT,
                     "the method '%s' moves one molecule by its own potentials; there are forces between "
                     "molecules or from outside: take a word of A and B",
                     plan->method->name);
  if ((plan->accel->needs & ACCEL_ALONE) && has_outside(field, false))
    return error_set(
        error, STATUS_INPUT,
        "the acceleration '%s' wants more of the forces than their values (derivatives, or values "
        "elsewhere), which it knows of a molecule's own potentials alone, not of forces between "
        "molecules or from outside: take zss or zss-block",
        plan->accel->name);
  const bool block_hess = (plan->accel->needs & ACCEL_HESS_BLOCK) && has_outside(field, true);
  if (block_hess && stride > ACCEL_DENSE)
    return error_set(error, STATUS_INPUT,
                     "'%s' has %zu coordinates; '%s' takes the Hessian of forces between molecules or from "
                     "outside for at most %d: take zss",
                     block->kind->name, stride, plan->accel->name, ACCEL_DENSE);
  const size_t nhess = block_hess ? npack * stride * stride : 0;
  const size_t vectors = 2 * stride + nhess + (npack + 1) * ncon + npack * stride + walk_ops_scratch(plan);
  Walk *w = aligned_alloc(sizeof(vd), (sizeof *w + sizeof(vd) - 1) / sizeof(vd) * sizeof(vd));
  vd *memory = aligned_alloc(sizeof(vd), vectors * sizeof(vd));
  Pack *pack = malloc(npack * sizeof *pack);
  if (w == NULL || memory == NULL || pack == NULL) {
    free(w);
    free(memory);
    free(pack);
    return error_memory(error, "an integrator's scratch");
  }
  memset(w, 0, sizeof *w);
  memset(memory, 0, vectors * sizeof(vd));
  w->plan = plan;
  w->pack = pack;
  w->field = field;
  w->npack = block->npack;
  w->width = shape->width;
  w->stride = stride;
  w->nimpulse = nimpulse;
  w->runaway = has_outside(field, false) ? runaway : INFINITY;
  w->memory = memory;
  w->scratch = memory;
  w->saved = w->scratch + 2 * stride;
  w->impulse = w->saved + npack * stride;
  w->part = w->impulse + npack * ncon;
  w->work = w->part + ncon + nhess;
  w->hess = nhess > 0 ? w->part + ncon : NULL;
  w->start_ticks = ticks_now();
  w->start_seconds = ticks_seconds();
  *walk = w;
  return STATUS_OK;
}

void walk_free(Walk *walk)
{
  if (walk == NULL)
    return;
  free(walk->memory);
  free(walk->pack);
  free(walk);
}

static void set_keys(Walk *walk, RandomPurpose purpose)
{
  for (int i = 0; i < (walk->width + LANES - 1) / LANES; i++)
    random_keys(walk->state->seed, walk->pack[i].replica, purpose, walk->key[i]);
}

void walk_attach(Walk *walk, State *state, RandomPurpose purpose)
{
  walk->state = state;
  walk->block = &state->block[0];
  walk->step = state->step;
  walk->fault.set = false;
  walk->force_status = STATUS_OK;
  for (int i = 0; i < walk->npack; i++) {
    walk->pack[i] = state_pack(state, walk->block, i);
    walk->pack[i].scratch = walk->work;
  }
  set_keys(walk, purpose);
}

/* --- faults -------------------------------------------------------------------------------------------- */

/* Not a number, or further in one step than anything goes. */
static void look(Walk *walk, const Team *team)
{
  int begin, end;
  team_range(team, walk->npack, &begin, &end);
  for (int i = begin; i < end; i++) {
    const unsigned bad = walk->plan->letters->wild(walk->plan->options.h, walk->runaway, &walk->pack[i]);
    if (bad != 0)
      walk_ops_fault(walk, &walk->pack[i], bad, FAULT_WILD);
  }
}

static Status fault_report(const Walk *walk, Error *error)
{
  const Fault *f = &walk->fault;
  if (f->kind == FAULT_FORCE)
    return error_set(error, walk->force_status, "step %lld: %s", (long long)f->step, walk->force_error.text);
  char molecule[32] = ""; /* a replica of one molecule needs no number */
  if (walk->block->nmol > 1)
    snprintf(molecule, sizeof molecule, "molecule %u of ", f->molecule + 1);
  if (f->kind == FAULT_MAP)
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u: the nonlinear system of '%s' is not solved after %d "
                     "iterations; take a smaller time step, a smaller w or a larger tolerance",
                     (long long)f->step, molecule, f->replica, walk->plan->accel->name,
                     walk->plan->options.max_iterations > 0 ? walk->plan->options.max_iterations : 50);
  if (f->kind == FAULT_METHOD)
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u: the method '%s' does not solve its equations to the "
                     "tolerance in %d iterations; take a smaller time step or a larger tolerance",
                     (long long)f->step, molecule, f->replica, walk->plan->method->name,
                     walk->plan->options.max_iterations > 0 ? walk->plan->options.max_iterations : 50);
  if (f->kind == FAULT_CONSTRAINT)
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u cannot meet constraint %d with '%s' (solver %s, relative "
                     "residual %.3g after %d iterations); take a smaller time step, or more iterations",
                     (long long)f->step, molecule, f->replica, f->constraint + 1,
                     walk->plan->constraints->name, walk->plan->solver->name, f->residual,
                     walk->plan->options.constraint.max_iterations);
  if (isinf(walk->runaway))
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u is not a number any more; the integration is unstable: "
                     "take a smaller time step%s",
                     (long long)f->step, molecule, f->replica,
                     walk->plan->options.w > 0.0 ? ", or a smaller w" : "");
  return error_set(error, STATUS_RUN,
                   "step %lld: %sreplica %u runs away (over %g A in one step, or not a number%s); "
                   "the integration is unstable: take a smaller time step, %s",
                   (long long)f->step, molecule, f->replica, runaway,
                   walk->plan->options.w > 0.0 ? ", its bonds broken" : "",
                   walk->plan->options.w > 0.0 ? "a smaller w, or the Gauss-Newton Hessian"
                                               : "or start from a configuration without overlaps");
}

/* --- running ------------------------------------------------------------------------------------------- */

static PlanPart op_part(OpCode code)
{
  switch (code) {
  case OP_FORCE:
    return PART_FORCES;
  case OP_SLIDE:
  case OP_PROJECT:
  case OP_ACCEL:
    return PART_SOLVES;
  case OP_NOISE:
  case OP_HEAT_OUT:
  case OP_HEAT_IN:
  case OP_REMOVE:
    return PART_NOISE;
  default:
    return PART_MOVES;
  }
}

/* The flag is read between two barriers that no member can be past, so all read the same. */
static void run_state_op(Walk *walk, const Team *team, const Op *op)
{
  team_barrier(team);
  if (team->size > 1)
    walk->stop = atomic_load_explicit(&team->barrier->stop, memory_order_relaxed) != 0;
  if (op->code == OP_FORCE) {
    walk->force_status = force_field_compute(walk->field, team, walk->state, NULL, &walk->force_error);
    if (walk->force_status == STATUS_OK && walk->hess != NULL)
      force_field_hess_block(walk->field, team, walk->state, walk->hess);
    return;
  }
  if (team->rank == 0)
    motion_remove(op->noise->motion, walk->state, walk->work);
  team_barrier(team);
}

/* All operations on one pack before the next, while it sits in the L1 cache. */
static void run_packs(Walk *walk, const Team *team, const Op *op, int n)
{
  int begin, end;
  team_range(team, walk->npack, &begin, &end);
  for (int i = begin; i < end; i++)
    for (int k = 0; k < n; k++)
      walk_ops_run(walk, &op[k], &walk->pack[i]);
}

/* The same operations one after the other, with the clock between them; packs are independent, so the
 * bits are the same. */
static void run_packs_timed(Walk *walk, const Team *team, const Op *op, int n)
{
  for (int k = 0; k < n; k++) {
    const uint64_t start = ticks_now();
    run_packs(walk, team, &op[k], 1);
    walk->ticks[op_part(op[k].code)] += ticks_now() - start;
  }
}

static void run_ops(Walk *walk, const Team *team, const Op *op, int n, bool timed)
{
  for (int k = 0; k < n && walk->force_status == STATUS_OK;) {
    if (op[k].code >= OP_FORCE) {
      const uint64_t start = ticks_now();
      run_state_op(walk, team, &op[k]);
      if (timed)
        walk->ticks[op_part(op[k].code)] += ticks_now() - start;
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
}

Status walk_prepare(Walk *walk, const Team *team, Error *error)
{
  walk->force_status = STATUS_OK;
  walk->unchecked = walk->plan->method != NULL && walk->plan->method->check != NULL;
  static const Op ops[2] = {{.code = OP_FORCE}, {.code = OP_ACCEL}};
  run_ops(walk, team, ops, walk->plan->newmark || walk->plan->naccel == 0 ? 1 : 2, false);
  team_barrier(team);
  return walk->force_status == STATUS_OK ? STATUS_OK
                                         : error_set(error, walk->force_status, "%s", walk->force_error.text);
}

static void share_fault(Walk *walk, const Team *team)
{
  if (walk->force_status != STATUS_OK && !walk->fault.set)
    walk->fault = (Fault){.set = true, .step = walk->step, .kind = FAULT_FORCE};
  if (!walk->fault.set)
    return;
  if (team->size > 1)
    atomic_store_explicit(&team->barrier->stop, 1, memory_order_relaxed);
  else
    walk->stop = true;
}

/* What a method has to say about a start. All members of a team look at all lanes, so that all agree. */
static Status check_start(Walk *walk, Error *error)
{
  double *z = malloc(2 * walk->stride * sizeof *z);
  if (z == NULL)
    return error_memory(error, "a start");
  Status status = STATUS_OK;
  for (int i = 0; i < walk->npack; i++)
    for (int l = 0; l < LANES && status == STATUS_OK; l++) {
      const Pack *pack = &walk->pack[i];
      if ((*pack->active)[l] == 0.0)
        continue;
      for (size_t k = 0; k < walk->stride; k++) {
        z[k] = pack->q[k][l];
        z[walk->stride + k] = pack->p[k][l];
      }
      status = plan_check(walk->plan, z, z + walk->stride, error);
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
  walk->stop = false;
  run_ops(walk, team, plan->head, plan->nhead, false);
  for (int64_t i = 0; i < n && !walk->stop; i++) {
    const bool last = i == n - 1, timed = walk->steps % CLOCK_EVERY == 0;
    run_ops(walk, team, plan->body, last ? plan->nlast : plan->nbody, timed && !last);
    walk->step++;
    walk->steps++;
    if (team->rank == 0)
      walk->state->step = walk->step; /* forces know by it how old their lists are */
    walk->timed += timed && !last;
    if (walk->force_status == STATUS_OK && (walk->step % LOOK_EVERY == 0 || last))
      look(walk, team);
    share_fault(walk, team);
  }
  team_barrier(team);
  return walk->fault.set ? fault_report(walk, error) : STATUS_OK;
}

/* --- looking at a state without touching it ------------------------------------------------------------- */

void walk_draw_momenta(Walk *walk)
{
  const Plan *plan = walk->plan;
  const NoiseAddress none = {NULL, walk->step, 0};
  for (int i = 0; i < walk->npack; i++) {
    Pack *pack = &walk->pack[i];
    vu key[2];
    NoiseAddress at = none;
    random_keys(walk->state->seed, pack->replica, RANDOM_MOMENTA, key);
    at.key = key;
    memset(pack->p, 0, walk->stride * sizeof(vd));
    plan->ou->step(plan->draw.ou, &at, pack);
    if (plan->draw.onto != NULL)
      projector_apply(plan->draw.onto, pack, NULL);
  }
  if (plan->draw.motion != NULL)
    motion_remove(plan->draw.motion, walk->state, walk->work);
}

/* Turns pack->p to the tangent momenta where the method keeps others. */
static void tangent_momenta(const Walk *walk, Pack *pack)
{
  const Plan *plan = walk->plan;
  if (plan->constraints == NULL || !plan->constraints->lazy)
    return;
  memcpy(walk->scratch, pack->p, walk->stride * sizeof(vd));
  pack->p = walk->scratch;
  projector_apply(plan->projector, pack, NULL);
}

/* One value a pack, kept in the saved forces' memory until they are needed. */
static void sum_kinetic(Walk *walk, vd *value, double *kinetic)
{
  const Plan *plan = walk->plan;
  for (int i = 0; i < walk->npack; i++) {
    Pack pack = walk->pack[i];
    tangent_momenta(walk, &pack);
    plan->letters->kinetic(&pack, &value[i]);
  }
  state_sum(walk->state, walk->block, value, kinetic);
}

static void sum_penalty(Walk *walk, vd *value, double *penalty, double *largest)
{
  for (int r = 0; r < walk->width; r++)
    largest[r] = 0.0;
  for (int i = 0; i < walk->npack; i++) {
    vd top;
    accel_penalty_energy(&walk->pack[i], walk->plan->options.w, &value[i], &top);
    for (int l = 0; l < LANES; l++) {
      const int r = (i * LANES + l) % walk->width;
      if ((*walk->pack[i].active)[l] != 0.0 && !(top[l] <= largest[r]))
        largest[r] = top[l];
    }
  }
  state_sum(walk->state, walk->block, value, penalty);
}

/* sum of p_a p_b/m of atoms, and of molecules as wholes. */
static void sum_pressure(const Walk *walk, WalkPressure *to)
{
  const State *state = walk->state;
  force_virial_molecule(state, to->virial_atom, to->virial_molecule);
  vd atom[9] = {{0}}, molecule[9] = {{0}};
  for (int i = 0; i < walk->npack; i++) {
    Pack pack = walk->pack[i];
    const Kind *kind = pack.kind;
    tangent_momenta(walk, &pack);
    vd whole[3] = {{0}};
    for (int s = 0; s < kind->nsite; s++)
      for (int k = 0; k < 9; k++)
        atom[k] += pack.p[3 * s + k / 3] * pack.p[3 * s + k % 3] * (*pack.active / kind->mass[s]);
    for (int s = 0; s < 3 * kind->nsite; s++)
      whole[s % 3] += pack.p[s];
    for (int k = 0; k < 9; k++)
      molecule[k] += whole[k / 3] * whole[k % 3] * (*pack.active / kind_mass(kind));
  }
  for (int k = 0; k < 9; k++) {
    to->kinetic_atom[k / 3][k % 3] = vd_sum(atom[k]);
    to->kinetic_molecule[k / 3][k % 3] = vd_sum(molecule[k]);
  }
}

Status walk_energies(Walk *walk, const Team *team, const WalkEnergies *to, Error *error)
{
  team_barrier(team);
  if (team->rank == 0) {
    sum_kinetic(walk, walk->saved, to->kinetic);
    sum_penalty(walk, walk->saved, to->penalty, to->largest);
  }
  team_barrier(team);
  int begin, end;
  team_range(team, walk->npack, &begin, &end);
  const size_t from = (size_t)begin * walk->stride, n = (size_t)(end - begin) * walk->stride * sizeof(vd);
  memcpy(walk->saved + from, walk->block->f + from, n);
  double(*const virial)[3] = to->pressure != NULL ? to->pressure->virial_atom : NULL;
  const ForceSums sums = {to->terms, virial};
  const Status status = force_field_compute(walk->field, team, walk->state, &sums, error);
  team_barrier(team);
  if (virial != NULL && team->rank == 0 && status == STATUS_OK)
    sum_pressure(walk, to->pressure);
  team_barrier(team);
  memcpy(walk->block->f + from, walk->saved + from, n);
  team_barrier(team);
  return status;
}

/* The step of the last stage, whose map the multipliers of penalties are of. */
static double last_stage(const Plan *plan)
{
  return composition_weight(plan->composition, 0) * plan->options.h;
}

/* -w^2 g, g at the point that the map linearises about: x + beta h^2 a under the Zhang-Skeel maps (Tao &
 * Owhadi 2015, (2.2) and (2.5)), so that this is what the step applies along grad g; x itself under Verlet.
 */
static vd penalty_multiplier(const Plan *plan, const Constraint *con, const Pack *pack)
{
  const Kind *kind = pack->kind;
  const double w = plan->options.w, h = last_stage(plan);
  const double reach = strcmp(plan->accel->name, "verlet") == 0 ? 0.0 : plan->options.beta * h * h;
  vd g, grad[CONSTRAINT_SITES * 3];
  con->type->eval(con, kind->dim, pack->q, &g, grad);
  for (int k = 0; k < con->nsite; k++)
    for (int d = 0; d < kind->dim; d++)
      g += reach / kind->mass[con->site[k]] * grad[k * kind->dim + d] * pack->f[con->site[k] * kind->dim + d];
  return -w * w * g;
}

void walk_multipliers(const Walk *walk, int r, int molecule, double *lambda)
{
  const Plan *plan = walk->plan;
  const int lane = molecule * walk->width + r, ncon = walk->nimpulse;
  const Pack *pack = &walk->pack[lane / LANES];
  const double time = plan->constraints != NULL ? plan->options.h : 1.0;
  for (int c = 0; c < ncon; c++) {
    const vd value = plan->kept || plan->kind->ham != NULL
                         ? walk->impulse[pack->index * ncon + c] / time
                         : penalty_multiplier(plan, &plan->kind->con[c], pack);
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
