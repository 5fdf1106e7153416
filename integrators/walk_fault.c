/* What goes wrong in a walk. */
#include <math.h>
#include <stdio.h>

#include "integrators/walk_private.h"

/* Not a number, or further in one step than anything goes. */
void walk_fault_look(Walk *walk, const Team *team)
{
  for (int b = 0; b < walk->nblock; b++) {
    const WalkBlock *own = &walk->block[b];
    int begin, end;
    team_range(team, own->npack, &begin, &end);
    for (int i = begin; i < end; i++) {
      const unsigned bad = walk->plan->letters->wild(walk->plan->options.h, walk->runaway, &own->pack[i]);
      if (bad != 0)
        walk_ops_fault(walk, b, &own->pack[i], bad, FAULT_WILD);
    }
  }
}

Status walk_fault_report(const Walk *walk, Error *error)
{
  const Fault *f = &walk->fault;
  if (f->kind == FAULT_FORCE)
    return error_set(error, walk->force_status, "step %lld: %s", (long long)f->step, walk->force_error.text);
  const PlanKind *own = walk->block[f->block].kind;
  char molecule[64] = ""; /* a replica of one molecule needs no number */
  if (walk->nblock > 1)
    snprintf(molecule, sizeof molecule, "molecule %u (%.20s) of ", f->molecule + 1, own->kind->name);
  else if (walk->block->block->nmol > 1)
    snprintf(molecule, sizeof molecule, "molecule %u of ", f->molecule + 1);
  if (f->kind == FAULT_MAP)
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u: the nonlinear system of '%s' is not solved after %d "
                     "iterations; take a smaller time step, a smaller w or a larger tolerance",
                     (long long)f->step, molecule, f->replica, own->accel->name,
                     walk->plan->options.max_iterations);
  if (f->kind == FAULT_METHOD)
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u: the method '%s' does not solve its equations to the "
                     "tolerance in %d iterations; take a smaller time step or a larger tolerance",
                     (long long)f->step, molecule, f->replica, walk->plan->method->name,
                     walk->plan->options.max_iterations);
  if (f->kind == FAULT_CONSTRAINT)
    return error_set(error, STATUS_RUN,
                     "step %lld: %sreplica %u cannot meet constraint %d with '%s' (solver %s, relative "
                     "residual %.3g after %d iterations); take a smaller time step, or more iterations",
                     (long long)f->step, molecule, f->replica, f->constraint + 1,
                     walk->plan->constraints->name, own->solver->name, f->residual,
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
                   (long long)f->step, molecule, f->replica, walk->runaway,
                   walk->plan->options.w > 0.0 ? ", its bonds broken" : "",
                   walk->plan->options.w > 0.0 ? "a smaller w, or the Gauss-Newton Hessian"
                                               : "or start from a configuration without overlaps");
}
