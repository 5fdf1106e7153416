/* Compiling a word: where forces are due, where momenta must be tangent, what O needs around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/plan_private.h"

static const char *const part_names[PART_COUNT] = {"forces", "solves", "noise", "moves"};

const char *plan_part_name(PlanPart part) { return part_names[part]; }

const PlanOptions *plan_options(const Plan *plan) { return &plan->options; }

const WordSpelling *plan_spelling(const Plan *plan) { return &plan->spelling; }

int plan_freedom(const Plan *plan, int nmol)
{
  const int exact = plan->constraints != NULL || plan->options.tangent;
  return nmol * kind_freedom(plan->kind, exact) -
         motion_freedom(plan->options.removal, plan->kind->dim, nmol * plan->kind->nsite);
}

/* --- compiling ---------------------------------------------------------------------------------------- */

typedef struct Compiler {
  Plan *plan;
  Op op[OPS_MAX];
  int n;
  bool stale; /* f is not that of the current q                        */
  bool dirty; /* momenta may have a part across the manifold           */
} Compiler;

static void emit(Compiler *c, OpCode code, double t) { c->op[c->n++] = (Op){.code = code, .t = t}; }

static void emit_force(Compiler *c)
{
  if (!c->stale)
    return;
  emit(c, OP_FORCE, 0.0);
  if (!c->plan->newmark) /* Newmark's letters want the bare forces */
    emit(c, OP_ACCEL, 0.0);
  c->stale = false;
}

static void emit_project(Compiler *c)
{
  if (c->dirty)
    emit(c, OP_PROJECT, 0.0);
  c->dirty = false;
}

/* O wants tangent momenta under uniform friction (its flow does not commute with the projection), and
 * for the account of heat; otherwise its own projection does for everything before it. */
static void emit_noise(Compiler *c, double t, int index)
{
  const PlanOptions *o = &c->plan->options;
  if (o->friction == FRICTION_UNIFORM || o->keep_heat)
    emit_project(c);
  if (o->keep_heat)
    emit(c, OP_HEAT_OUT, 0.0);
  emit(c, OP_NOISE, t);
  c->op[c->n - 1].letter = (uint32_t)index;
  c->op[c->n - 1].noise = &c->plan->noise[index];
  if (o->removal != REMOVE_NONE) {
    emit(c, OP_REMOVE, 0.0);
    c->op[c->n - 1].noise = &c->plan->noise[index];
  }
  if (o->keep_heat)
    emit(c, OP_HEAT_IN, 0.0);
  c->dirty = false;
}

static void compile_letter(Compiler *c, char letter, double t, int *nnoise)
{
  const bool constrained = c->plan->constraints != NULL;
  switch (letter) {
  case 'A':
    emit(c, constrained ? OP_SLIDE : OP_DRIFT, t);
    c->stale = true;
    c->dirty = constrained;
    break;
  case 'B':
    emit_force(c);
    emit(c, OP_KICK, t);
    c->dirty = constrained;
    break;
  case 'O':
    emit_noise(c, t, (*nnoise)++);
    break;
  case 'P':
    emit(c, OP_PREDICT, t);
    c->stale = true;
    break;
  default: /* 'C' */
    emit_force(c);
    emit(c, OP_CORRECT, t);
    break;
  }
}

static void compile_step(Compiler *c)
{
  const WordSpelling *s = &c->plan->spelling;
  c->n = 0;
  int nnoise = 0;
  for (int i = 0; i < s->n; i++)
    compile_letter(c, s->letter[i], s->weight[i] * c->plan->options.h, &nnoise);
  if (c->plan->constraints != NULL && !c->plan->constraints->lazy)
    emit_project(c);
}

/* Cuts the step at its first operation on the whole state, so that the end of one step and the start of
 * the next run as one pass over the packs. */
static void cut(Plan *plan, const Compiler *c)
{
  int k = 0;
  while (k < c->n && c->op[k].code < OP_FORCE)
    k++;
  plan->nhead = k;
  memcpy(plan->head, c->op, (size_t)k * sizeof(Op));
  plan->nlast = c->n - k;
  memcpy(plan->body, c->op + k, (size_t)plan->nlast * sizeof(Op));
  plan->nbody = c->n;
  for (int i = 0; i < k; i++) {
    plan->body[plan->nlast + i] = c->op[i];
    plan->body[plan->nlast + i].ahead = 1;
  }
}

static void compile(Plan *plan)
{
  /* Whether f is fresh and p tangent at the start of a step depends on how a step ends: compile twice. */
  Compiler c = {.plan = plan, .stale = false, .dirty = false};
  compile_step(&c);
  compile_step(&c);
  cut(plan, &c);
}

/* --- building ----------------------------------------------------------------------------------------- */

static Status noise_create(Plan *plan, Noise *noise, double t, Error *error)
{
  const PlanOptions *o = &plan->options;
  const bool constrained = plan->constraints != NULL;
  Status status = ou_create(&noise->ou, plan->kind, o->friction, o->gamma, t, o->kT, error);
  if (status == STATUS_OK && (constrained || o->tangent))
    status = projector_create(&noise->onto, plan->kind, noise->ou->weight, constrained, o->isa, error);
  if (status == STATUS_OK && o->removal != REMOVE_NONE)
    status =
        motion_create(&noise->motion, plan->kind, o->removal, noise->ou->weight, noise->onto, o->isa, error);
  return status;
}

static void noise_free(Noise *noise)
{
  motion_free(noise->motion);
  projector_free(noise->onto);
  ou_free(noise->ou);
}

static Status check_together(const PlanOptions *o, const WordSpelling *spelling, Error *error)
{
  if (!(o->h > 0.0) || !isfinite(o->h))
    return error_set(error, STATUS_INPUT, "the time step must be positive, not %g", o->h);
  if (o->constraints != NULL && strcmp(o->accel, "verlet") != 0)
    return error_set(error, STATUS_INPUT,
                     "constraints are kept exactly, so there is no stiff potential for '%s' to filter; with "
                     "'%s' take the acceleration 'verlet'",
                     o->accel, o->constraints);
  if (o->constraints != NULL && word_has(spelling, 'P'))
    return error_set(error, STATUS_INPUT, "the word '%s' keeps no constraints ('%s'): take BAB, or penalties",
                     o->word, o->constraints);
  if (o->constraints != NULL && o->w != 0.0)
    return error_set(error, STATUS_INPUT, "a penalty w = %g next to exact constraints ('%s'): choose one",
                     o->w, o->constraints);
  if (!(o->w >= 0.0) || !isfinite(o->w))
    return error_set(error, STATUS_INPUT, "the penalty w must not be negative: %g", o->w);
  if (!(o->beta >= 0.0) || !isfinite(o->beta))
    return error_set(error, STATUS_INPUT, "beta must not be negative: %g", o->beta);
  return STATUS_OK;
}

static Status build_methods(Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  plan->accel = accel_map_find(o->accel);
  if (plan->accel == NULL)
    return error_set(error, STATUS_INPUT, "unknown acceleration map '%s'", o->accel);
  const AccelOptions accel = {.h = o->h,
                              .beta = o->beta,
                              .w = o->w,
                              .hessian = o->hessian,
                              .tolerance = o->tolerance,
                              .max_iterations = o->max_iterations};
  Status status = plan->accel->create(&plan->accel_self, plan->kind, &accel, o->isa, error);
  plan->newmark = word_has(&plan->spelling, 'P');
  plan->verlet = accel_map_find("verlet");
  if (status == STATUS_OK && plan->newmark)
    status = plan->verlet->create(&plan->verlet_self, plan->kind, &accel, o->isa, error);
  if (status != STATUS_OK || o->constraints == NULL)
    return status;
  const ConstraintMethod *method = constraint_method_find(o->constraints);
  if (method == NULL)
    return error_set(error, STATUS_INPUT, "unknown constraint method '%s'", o->constraints);
  status = constraint_solver_choose(&plan->solver, method, o->constraint.solver, plan->kind, error);
  if (status != STATUS_OK)
    return status;
  plan->constraints = method;
  return plan->solver->create(&plan->solver_self, plan->kind, &o->constraint, o->isa, error);
}

static Status build(Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  Status status = word_spell(o->word, o->weight, o->nweight, &plan->spelling, error);
  if (status == STATUS_OK)
    status = check_together(o, &plan->spelling, error);
  if (status == STATUS_OK)
    status = build_methods(plan, error);
  const bool constrained = plan->constraints != NULL;
  if (status == STATUS_OK && (constrained || o->tangent))
    status = projector_create(&plan->projector, plan->kind, NULL, constrained, o->isa, error);
  if (status == STATUS_OK)
    status = noise_create(plan, &plan->draw, INFINITY, error);
  for (int i = 0; i < plan->spelling.n && status == STATUS_OK; i++)
    if (plan->spelling.letter[i] == 'O')
      status = noise_create(plan, &plan->noise[plan->nnoise++], plan->spelling.weight[i] * o->h, error);
  return status;
}

Status plan_create(Plan **plan, const Kind *kind, const PlanOptions *options, Error *error)
{
  *plan = NULL;
  Plan *p = calloc(1, sizeof *p);
  if (p == NULL)
    return error_memory(error, "an integrator");
  p->kind = kind;
  p->options = *options;
  p->letters = letter_kernels(options->isa);
  p->ou = ou_kernels(options->isa);
  const Status status = build(p, error);
  if (status != STATUS_OK) {
    plan_free(p);
    return status;
  }
  p->options.weight = p->spelling.weight; /* the caller's array need not live on */
  compile(p);
  *plan = p;
  return STATUS_OK;
}

void plan_free(Plan *plan)
{
  if (plan == NULL)
    return;
  for (int i = 0; i < plan->nnoise; i++)
    noise_free(&plan->noise[i]);
  noise_free(&plan->draw);
  projector_free(plan->projector);
  if (plan->solver_self != NULL)
    plan->solver->free(plan->solver_self);
  if (plan->accel_self != NULL)
    plan->accel->free(plan->accel_self);
  if (plan->verlet_self != NULL)
    plan->verlet->free(plan->verlet_self);
  free(plan);
}
