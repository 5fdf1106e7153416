/* Describes a plan as data: its operations, and the tools of each kind. */
#include "integrators/plan_private.h"

static SchemeNoise describe_noise(const PlanKind *own, const Noise *noise)
{
  const Ou *ou = noise->ou;
  const bool all = own->across != NULL;
  return (SchemeNoise){.friction = ou->friction,
                       .gamma = ou->gamma,
                       .kT = ou->kT,
                       .t = ou->t,
                       .decay = ou->decay,
                       .amplitude = ou->noise,
                       .weight = ou->weight,
                       .across = ou->across,
                       .onto = noise->onto == NULL ? SPACE_FREE
                               : all               ? SPACE_ALL
                                                   : SPACE_KEPT};
}

static Status describe_kind(const Plan *plan, int k, Arena *arena, SchemeKind *to, Error *error)
{
  const PlanKind *own = &plan->kind[k];
  TRY(kind_describe(own->kind, arena, &to->kind, error));
  to->kept = plan_kind_kept(own);
  to->solver = own->solver != NULL ? own->solver->name : NULL;
  to->tolerance = plan->options.constraint.tolerance;
  to->max_iterations = plan->options.constraint.max_iterations;
  to->split = own->across != NULL;
  to->nmap = own->naccel;
  for (int i = 0; i < own->naccel; i++) {
    TRY(accel_describe(own->accel_self[i], arena, &to->map[i], error));
    to->map[i].block = to->map[i].block && k == 0; /* forces provide blocks of the first kind alone */
  }
  to->draw = describe_noise(own, &own->draw);
  for (int i = 0; i < plan->nnoise; i++)
    to->noise[i] = describe_noise(own, &own->noise[i]);
  return STATUS_OK;
}

Status plan_describe(const Plan *plan, Arena *arena, Scheme *scheme, Error *error)
{
  const PlanOptions *o = &plan->options;
  SchemeKind *kind = arena_take(arena, (size_t)plan->nkind, sizeof *kind);
  TRY(arena_check(arena, "a scheme", error));
  for (int k = 0; k < plan->nkind; k++)
    TRY(describe_kind(plan, k, arena, &kind[k], error));
  *scheme = (Scheme){.h = o->h,
                     .constraints = plan->constraints != NULL ? plan->constraints->name : NULL,
                     .method = o->method != NULL ? o->method->name : NULL,
                     .nop = plan->nop,
                     .op = plan->op,
                     .nnoise = plan->nnoise,
                     .removal = o->removal,
                     .rescale_tau = o->time,
                     .kT = o->kT,
                     .nkind = plan->nkind,
                     .kind = kind};
  return STATUS_OK;
}
