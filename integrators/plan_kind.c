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

/* Among several kinds, one without constraints needs no solver and no filter. (A single kind always follows
 * the options, which may refuse it.) */
static bool is_loose(const Plan *plan, const Kind *kind) { return plan->nkind > 1 && kind->ncon == 0; }

/* A kind with exact constraints only, among others that have penalties. */
static bool is_stiff(const Kind *kind) { return kind->w != NULL && !kind_has_penalties(kind); }

static bool is_soft(const Plan *plan, const PlanKind *own)
{
  return own->kept ? own->held.ncon < own->kind->ncon : !is_loose(plan, own->kind);
}

bool plan_kind_penalised(const Plan *plan, const PlanKind *own)
{
  return own->kind->w != NULL ? kind_has_penalties(own->kind) : plan->options.w != 0.0;
}

int plan_kind_kept(const PlanKind *own) { return own->kept ? own->held.ncon : 0; }

static Status build_maps(const Plan *plan, PlanKind *own, Error *error)
{
  const PlanOptions *o = &plan->options;
  const bool plain = (is_loose(plan, own->kind) || is_stiff(own->kind)) && own->kind->npot == 0;
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
  return error_option(
      error, "method",
      plan->options.method->create(&own->method_self, own->kind, &method, plan->options.isa, error));
}

static Status build_constraints(const Plan *plan, PlanKind *own, Error *error)
{
  const PlanOptions *o = &plan->options;
  own->held = kind_kept(own->kind);
  if (plan->constraints == NULL || is_loose(plan, own->kind) || (own->kind->w != NULL && own->held.ncon == 0))
    return STATUS_OK;
  TRY(constraint_solver_choose(&own->solver, plan->constraints, o->constraint.solver, &own->held, error));
  own->kept = true;
  return own->solver->create(&own->solver_self, &own->held, &o->constraint, o->isa, error);
}

/* Whether noise acts along penalties alone. */
static bool is_cold(const Plan *plan, const PlanKind *own)
{
  return plan->options.tangent && is_soft(plan, own);
}

static Status noise_create(const Plan *plan, const PlanKind *own, Noise *noise, double t, Error *error)
{
  const PlanOptions *o = &plan->options;
  const double gamma = plan_gamma(plan, (int)(own - plan->kind));
  TRY(ou_create(&noise->ou, own->kind, o->friction, gamma, t, o->kT, error));
  if (is_cold(plan, own))
    return projector_create(&noise->onto, own->kind, noise->ou->weight, false, o->isa, error);
  if (own->kept)
    return projector_create(&noise->onto, &own->held, noise->ou->weight, true, o->isa, error);
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
  if (own->kept)
    TRY(projector_create(&own->projector, &own->held, NULL, true, o->isa, error));
  if (is_cold(plan, own))
    TRY(projector_create(&own->across, own->kind, NULL, false, o->isa, error));
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
  projector_free(own->across);
  if (own->solver_self != NULL)
    own->solver->free(own->solver_self);
  for (int i = 0; i < own->naccel; i++)
    accel_free(own->accel_self[i]);
  if (own->method_self != NULL)
    plan->options.method->free(own->method_self);
}
