/* Records and reports the faults of a walk. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "integrators/walk_private.h"

/* Whether fault a precedes b, by step, replica, kind and molecule, so that the reported fault does not depend
 * on teams or batches. */
static bool before(const Fault *a, const Fault *b)
{
  const int ka = a->kind < FAULT_FORCE ? 0 : (int)a->kind, kb = b->kind < FAULT_FORCE ? 0 : (int)b->kind;
  if (!b->set || a->step != b->step)
    return !b->set || a->step < b->step;
  if (a->replica != b->replica)
    return a->replica < b->replica;
  return ka != kb ? ka < kb : a->molecule < b->molecule;
}

/* Finds the constraint with the largest residual among the first n of a lane. */
static void find_worst(const Pack *pack, int n, int lane, Fault *fault)
{
  const int dim = pack->kind->dim;
  for (int c = 0; c < n; c++) {
    Vec8 g, grad[CONSTRAINT_SITES * 3];
    const Constraint *con = &pack->kind->con[c];
    const double scale = constraint_scale(con);
    con->type->eval(con, dim, pack->q, &g, grad);
    const double residual = fabs(g[lane]) / scale;
    if (residual <= fault->residual)
      continue;
    fault->residual = residual;
    fault->constraint = c;
    fault->rounding = 0.0;
    for (int k = 0; k < con->nsite * dim; k++)
      fault->rounding +=
          DBL_EPSILON / scale * fabs(grad[k][lane] * pack->q[con->site[k / dim] * dim + k % dim][lane]);
  }
}

void walk_fault_note(Walk *walk, int block, const Pack *pack, unsigned bits, FaultKind kind, int64_t step)
{
  const int lane = __builtin_ctz(bits);
  const PlanKind *own = walk->block[block].kind;
  Fault fault = {.set = true,
                 .molecule = (uint32_t)state_lane(walk->state, &walk->state->block[block], pack->index, lane),
                 .replica = pack->replica[lane],
                 .block = block,
                 .step = step,
                 .kind = kind};
  if (!before(&fault, &walk->fault))
    return;
  if (kind == FAULT_TOLERANCE)
    fault.residual = pack->scratch[0][lane];
  else
    find_worst(pack, own->kept ? plan_kind_kept(own) : pack->kind->ncon, lane, &fault);
  walk->fault = fault;
}

void walk_fault_force(Walk *walk)
{
  const Fault fault = {
      .set = true, .replica = walk->state->replica, .step = walk->step + 1, .kind = FAULT_FORCE};
  if (before(&fault, &walk->fault))
    walk->fault = fault;
}

void walk_fault_tell(const Walk *walk, const Team *team)
{
  if (walk->fault.set)
    team_stop(team);
}

void walk_fault_agree(Walk *walk, const Team *team)
{
  team_barrier(team);
  if (team_stopped(team)) { /* each in turn updates the fault of the first */
    if (team->rank == 0)
      team->barrier->shared = &walk->fault;
    for (int rank = 1; rank < team->size; rank++) {
      team_barrier(team);
      Fault *first = team->barrier->shared;
      if (rank == team->rank && walk->fault.set && before(&walk->fault, first))
        *first = walk->fault;
    }
    team_barrier(team);
    if (team->rank != 0)
      walk->fault = *(const Fault *)team->barrier->shared;
  }
  if (!walk->fault.set)
    return;
  walk->step = walk->fault.step - 1;
  if (team->rank == 0)
    walk->state->step = walk->step;
  team_barrier(team);
  team_go_on(team);
  team_barrier(team);
}

/* Checks for NaN, and for larger moves than any in a stable step. */
void walk_fault_look(Walk *walk, const Team *team)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++) {
      const unsigned bad = walk->plan->letters->wild(walk->plan->options.h, walk->runaway, &own->pack[i]);
      if (bad != 0)
        walk_fault_note(walk, b, &own->pack[i], bad, FAULT_WILD, walk->step);
    }
  }
}

/* Residuals up to this multiple of the coordinates' rounding count as rounding; a tolerance this far above it
 * can be met. */
static const double margin = 8.0;

Status walk_fault_report(const Walk *walk, Error *error)
{
  const Fault *f = &walk->fault;
  if (f->kind == FAULT_FORCE)
    return error_set(error, walk->force_status, "step %lld: %s", (long long)f->step, walk->force_error.text);
  const PlanKind *own = walk->block[f->block].kind;
  const PlanOptions *o = &walk->plan->options;
  const int number = state_molecule(walk->state, (int)f->molecule) + 1;
  const bool soft = walk_penalises(walk);
  char molecule[64] = "", who[128]; /* a single molecule needs no number */
  if (walk->nblock > 1)
    snprintf(molecule, sizeof molecule, "molecule %d (%.20s) of ", number, own->kind->name);
  else if (walk->block->block->nlane > 1)
    snprintf(molecule, sizeof molecule, "molecule %d of ", number);
  snprintf(who, sizeof who, "step %lld: %sreplica %u", (long long)f->step, molecule, f->replica);
  if (f->kind == FAULT_PROJECTION)
    return error_set(
        error, STATUS_RUN,
        "%s: its momenta cannot be made tangent to the constraints: the gradients are dependent there, or "
        "its coordinates are not numbers; use a smaller time step, or leave out dependent constraints",
        who);
  if (f->kind == FAULT_MAP && (own->accel->traits & ACCEL_ITERATES) == 0)
    return error_set(error, STATUS_RUN,
                     "%s: the linear system of '%s' has no solution: its matrix is singular, or the "
                     "coordinates are not numbers; use a smaller time step, or a smaller w",
                     who, own->accel->name);
  if (f->kind == FAULT_MAP)
    return error_set(error, STATUS_RUN,
                     "%s: the nonlinear system of '%s' is not solved after %d iterations; use a smaller time "
                     "step, a smaller w or a larger tolerance",
                     who, own->accel->name, o->max_iterations);
  if (f->kind == FAULT_METHOD)
    return error_set(error, STATUS_RUN,
                     "%s: the method '%s' does not solve its equations to the tolerance in %d iterations; "
                     "use a smaller time step or a larger tolerance",
                     who, o->method->name, o->max_iterations);
  if (f->kind == FAULT_TOLERANCE)
    return error_set(error, STATUS_RUN,
                     "%s: the method '%s' solves its equations to %.2g, which is rounding, but the tolerance "
                     "is %.3g: use %.0e or more",
                     who, o->method->name, f->residual, o->tolerance,
                     margin * fmax(f->residual, DBL_EPSILON));
  if (f->kind == FAULT_CONSTRAINT && f->residual <= margin * f->rounding)
    return error_set(error, STATUS_RUN,
                     "%s satisfies constraint %d to a relative residual of %.2g with '%s' (solver %s), which "
                     "is the rounding of the coordinates, but the tolerance is %.3g: use %.0e or more",
                     who, f->constraint + 1, f->residual, walk->plan->constraints->name, own->solver->name,
                     o->constraint.tolerance, margin * fmax(f->residual, f->rounding));
  if (f->kind == FAULT_CONSTRAINT)
    return error_set(error, STATUS_RUN,
                     "%s cannot satisfy constraint %d with '%s' (solver %s, relative residual %.3g after %d "
                     "iterations); use a smaller time step, or more iterations",
                     who, f->constraint + 1, walk->plan->constraints->name, own->solver->name, f->residual,
                     o->constraint.max_iterations);
  if (isinf(walk->runaway))
    return error_set(
        error, STATUS_RUN,
        "%s has coordinates that are not numbers; the integration is unstable: use a smaller time step%s",
        who, soft ? ", or a smaller w" : "");
  return error_set(error, STATUS_RUN,
                   "%s runs away (over %g A in one step, or not a number%s); the integration is unstable: "
                   "use a smaller time step, %s",
                   who, walk->runaway, soft ? ", its bonds broken" : "",
                   soft ? "a smaller w, or the Gauss-Newton Hessian"
                        : "or start from a configuration without overlaps");
}
