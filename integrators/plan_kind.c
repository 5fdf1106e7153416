/* A plan's tools for one kind of molecule. */
#include <math.h>

#include "integrators/plan_private.h"

MethodOptions plan_kind_method_options(const PlanOptions *o)
{
  const AccelOptions step = {.h = o->h,
                             .beta = o->beta,
                             .w = o->w,
                             .hessian = o->hessian,
                             .tolerance = o->tolerance,
                             .max_iterations = o->max_iterations};
  return (MethodOptions){.step = step, .base = o->base, .own = o->own};
}

/* Beside kinds that have constraints, one that has none needs no way of keeping them, nor of filtering their
 * penalties. (Alone it goes the way that the options name, which may refuse it.) */
static bool is_loose(const Plan *plan, const Kind *kind) { return plan->nkind > 1 && kind->ncon == 0; }

static Status build_maps(const Plan *plan, PlanKind *own, Error *error)
{
  const PlanOptions *o = &plan->options;
  const bool plain = is_loose(plan, own->kind) && own->kind->npot == 0;
  own->accel = plain ? accel_map_find("verlet") : plan->accel;
  const int nmap = plain && plan->naccel > 1 ? 1 : plan->naccel;
  for (; own->naccel < nmap; own->naccel++) {
    AccelOptions stage = plan_kind_method_options(o).step;
    stage.w = plain ? 0.0 : stage.w;
    stage.h *= fabs(composition_weight(plan->composition, own->naccel));
    TRY(accel_create(&own->accel_self[own->naccel], own->accel, own->kind, &stage, o->isa, error));
  }
  return STATUS_OK;
}

static Status build_method(const Plan *plan, PlanKind *own, Error *error)
{
  if (plan->options.method == NULL)
    return STATUS_OK;
  const MethodOptions method = plan_kind_method_options(&plan->options);
  own->kept = (plan->traits & METHOD_CONSTRAINTS) != 0 && own->kind->ncon > 0;
  return plan->options.method->create(&own->method_self, own->kind, &method, plan->options.isa, error);
}

static Status build_constraints(const Plan *plan, PlanKind *own, Error *error)
{
  const PlanOptions *o = &plan->options;
  if (plan->constraints == NULL || is_loose(plan, own->kind))
    return STATUS_OK;
  TRY(constraint_solver_choose(&own->solver, plan->constraints, o->constraint.solver, own->kind, error));
  own->kept = true;
  return own->solver->create(&own->solver_self, own->kind, &o->constraint, o->isa, error);
}

static bool projects(const Plan *plan, const PlanKind *own)
{
  return own->kept || (plan->options.tangent && !is_loose(plan, own->kind));
}

static Status noise_create(const Plan *plan, const PlanKind *own, Noise *noise, double t, Error *error)
{
  const PlanOptions *o = &plan->options;
  TRY(ou_create(&noise->ou, own->kind, o->friction, o->gamma, t, o->kT, error));
  if (projects(plan, own))
    TRY(projector_create(&noise->onto, own->kind, noise->ou->weight, own->kept, o->isa, error));
  return STATUS_OK;
}

static void noise_free(Noise *noise)
{
  projector_free(noise->onto);
  ou_free(noise->ou);
}

Status plan_kind_create(const Plan *plan, PlanKind *own, Error *error)
{
  const PlanOptions *o = &plan->options;
  const WordSpelling *s = &plan->spelling;
  TRY(build_maps(plan, own, error));
  TRY(build_method(plan, own, error));
  TRY(build_constraints(plan, own, error));
  if (projects(plan, own))
    TRY(projector_create(&own->projector, own->kind, NULL, own->kept, o->isa, error));
  TRY(noise_create(plan, own, &own->draw, INFINITY, error));
  int n = 0;
  for (int i = 0; i < s->n; i++)
    if (s->letter[i] == 'O')
      TRY(noise_create(plan, own, &own->noise[n++], s->weight[i] * o->h, error));
  return STATUS_OK;
}

void plan_kind_free(const Plan *plan, PlanKind *own)
{
  for (int i = 0; i < WORD_LETTERS; i++)
    noise_free(&own->noise[i]);
  noise_free(&own->draw);
  projector_free(own->projector);
  if (own->solver_self != NULL)
    own->solver->free(own->solver_self);
  for (int i = 0; i < own->naccel; i++)
    accel_free(own->accel_self[i]);
  if (own->method_self != NULL)
    plan->options.method->free(own->method_self);
}
