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
  const int exact = plan->kept || plan->options.tangent;
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
  int map;    /* the acceleration map of this stage                    */
  int mapped; /* the map that f went through last                      */
} Compiler;

static void emit(Compiler *c, OpCode code, double t) { c->op[c->n++] = (Op){.code = code, .t = t}; }

static void emit_force(Compiler *c)
{
  if (!c->stale && c->map == c->mapped)
    return;
  emit(c, OP_FORCE, 0.0);
  if (!c->plan->newmark) /* Newmark's letters want the bare forces */
    emit(c, OP_ACCEL, 0.0);
  c->op[c->n - 1].map = c->map;
  c->stale = false;
  c->mapped = c->map;
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
  case 'H':
    emit(c, OP_METHOD, t);
    c->stale = true;
    c->dirty = c->plan->kept && (c->plan->traits & METHOD_TANGENT) == 0;
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

/* Which acceleration map a stage has: stages of one length share it, and Verlet's does not depend on it. */
static int plan_map(const Plan *plan, int stage)
{
  if (plan->naccel == 1)
    return 0;
  const int last = composition_stages(plan->composition) - 1;
  return stage <= last / 2 ? stage : last - stage;
}

static void compile_step(Compiler *c)
{
  const WordSpelling *s = &c->plan->spelling;
  const Plan *plan = c->plan;
  c->n = 0;
  int nnoise = 0;
  for (int k = 0; k < composition_stages(plan->composition); k++) {
    const double weight = composition_weight(plan->composition, k);
    c->map = plan_map(plan, k);
    for (int i = 0; i < s->n; i++)
      compile_letter(c, s->letter[i], s->weight[i] * (weight * plan->options.h), &nnoise);
    if (plan->constraints != NULL && !plan->constraints->lazy)
      emit_project(c);
  }
}

/* Cuts the step at its first operation on the whole state, so that the end of one step and the start of
 * the next run as one pass over the packs. */
static void cut(Plan *plan, Compiler *c)
{
  int k = 0;
  while (k < c->n && c->op[k].code >= OP_FORCE)
    k++;
  if (k < c->n)
    c->op[k].first = true;
  k = 0;
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
  const bool constrained = plan->kept;
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

/* What H is, and what goes with it. */
static Status check_method(const Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  const Kind *kind = plan->kind;
  const Method *m = plan->method;
  if (m == NULL && word_has(&plan->spelling, 'H'))
    return error_set(error, STATUS_INPUT, "the letter H of the word '%s' is a method: name one", o->word);
  if (m == NULL)
    return kind->ham == NULL ? STATUS_OK
                             : error_set(error, STATUS_INPUT,
                                         "'%s' is a general Hamiltonian system, which has no drift and kick: "
                                         "give a method",
                                         kind->name);
  if (!word_has(&plan->spelling, 'H'))
    return error_set(error, STATUS_INPUT,
                     "the word '%s' has no H, which is what the method '%s' does: take H, HO or OHO", o->word,
                     m->name);
  const bool keeps = (plan->traits & METHOD_CONSTRAINTS) != 0;
  if (o->constraints != NULL)
    return error_set(error, STATUS_INPUT, "the method '%s' %s; leave out '%s'", m->name,
                     keeps ? "keeps the constraints itself" : "takes constraints as penalties only",
                     o->constraints);
  if (keeps && o->w != 0.0)
    return error_set(error, STATUS_INPUT,
                     "a penalty w = %g, but the method '%s' keeps the constraints exactly: leave it out",
                     o->w, m->name);
  if (!keeps && o->w == 0.0 && kind->ncon > 0)
    return error_set(error, STATUS_INPUT,
                     "'%s' has constraints, which the method '%s' does not keep: give a penalty w",
                     kind->name, m->name);
  if (kind->ham != NULL && word_has(&plan->spelling, 'O'))
    return error_set(error, STATUS_INPUT,
                     "'%s' is a general Hamiltonian system: it has no kinetic energy for a thermostat",
                     kind->name);
  return STATUS_OK;
}

/* Only a step that is its own adjoint gains by composition, and time may run backwards in it. */
static Status check_composition(const Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  const WordSpelling *s = &plan->spelling;
  const Composition *c = plan->composition;
  if (c == NULL)
    return STATUS_OK;
  if (word_has(s, 'O'))
    return error_set(
        error, STATUS_INPUT,
        "'%s' composes steps that go backwards in time, which the noise O of '%s' cannot: compose "
        "a word without O",
        c->name, o->word);
  if (!word_is_palindrome(s) || (plan->method != NULL && (plan->traits & METHOD_REVERSIBLE) == 0))
    return error_set(error, STATUS_INPUT,
                     "'%s' gains its order from symmetric steps; '%s'%s%s is none (it does not read the same "
                     "backwards in time)",
                     c->name, plan->method != NULL ? plan->method->name : o->word,
                     plan->method != NULL && o->base != NULL ? " over " : "",
                     plan->method != NULL && o->base != NULL ? o->base : "");
  if (s->n * c->nstage * OPS_LETTER > OPS_MAX)
    return error_set(error, STATUS_INPUT,
                     "the word '%s' is too long for the %d stages of '%s': take at most "
                     "%d letters",
                     o->word, c->nstage, c->name, OPS_MAX / OPS_LETTER / c->nstage);
  return STATUS_OK;
}

static Status check_together(const PlanOptions *o, const WordSpelling *spelling, Error *error)
{
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
  return STATUS_OK;
}

static Status check_numbers(const PlanOptions *o, Error *error)
{
  if (!(o->h > 0.0) || !isfinite(o->h))
    return error_set(error, STATUS_INPUT, "the time step must be positive, not %g", o->h);
  if (!(o->w >= 0.0) || !isfinite(o->w))
    return error_set(error, STATUS_INPUT, "the penalty w must not be negative: %g", o->w);
  if (!(o->beta >= 0.0) || !isfinite(o->beta))
    return error_set(error, STATUS_INPUT, "beta must not be negative: %g", o->beta);
  if (!(o->tolerance >= 0.0) || !isfinite(o->tolerance) || o->max_iterations < 0)
    return error_set(error, STATUS_INPUT,
                     "nonlinear solves need a tolerance above 0 and at least 1 iteration, not %g and %d",
                     o->tolerance, o->max_iterations);
  return STATUS_OK;
}

static Status build_maps(Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  if (plan->kind->ham != NULL) /* it has no accelerations: the letter H alone moves it */
    return STATUS_OK;
  const AccelOptions accel = {.h = o->h,
                              .beta = o->beta,
                              .w = o->w,
                              .hessian = o->hessian,
                              .tolerance = o->tolerance,
                              .max_iterations = o->max_iterations};
  const int stages = composition_stages(plan->composition);
  const int nmap = strcmp(plan->accel->name, "verlet") == 0 ? 1 : (stages + 1) / 2;
  Status status = STATUS_OK;
  for (; plan->naccel < nmap && status == STATUS_OK; plan->naccel += status == STATUS_OK) {
    AccelOptions stage = accel;
    stage.h *= fabs(composition_weight(plan->composition, plan->naccel));
    status = plan->accel->create(&plan->accel_self[plan->naccel], plan->kind, &stage, o->isa, error);
  }
  plan->newmark = word_has(&plan->spelling, 'P');
  plan->verlet = accel_map_find("verlet");
  if (status == STATUS_OK && plan->newmark)
    status = plan->verlet->create(&plan->verlet_self, plan->kind, &accel, o->isa, error);
  return status;
}

static Status build_constraints(Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  if (o->constraints == NULL)
    return STATUS_OK;
  const ConstraintMethod *method = constraint_method_find(o->constraints);
  if (method == NULL)
    return error_set(error, STATUS_INPUT, "unknown constraint method '%s'", o->constraints);
  const Status status =
      constraint_solver_choose(&plan->solver, method, o->constraint.solver, plan->kind, error);
  if (status != STATUS_OK)
    return status;
  plan->constraints = method;
  plan->kept = true;
  return plan->solver->create(&plan->solver_self, plan->kind, &o->constraint, o->isa, error);
}

static MethodOptions method_options(const PlanOptions *o)
{
  return (MethodOptions){.h = o->h,
                         .w = o->w,
                         .beta = o->beta,
                         .hessian = o->hessian,
                         .tolerance = o->tolerance > 0.0 ? o->tolerance : 1e-12,
                         .max_iterations = o->max_iterations > 0 ? o->max_iterations : 50,
                         .base = o->base,
                         .search = o->search};
}

static Status build_method(Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  if (plan->method == NULL)
    return STATUS_OK;
  const MethodOptions method = method_options(o);
  plan->kept = (plan->traits & METHOD_CONSTRAINTS) != 0 && plan->kind->ncon > 0;
  return plan->method->create(&plan->method_self, plan->kind, &method, o->isa, error);
}

/* The rows that the options name. A method has its own way with forces: the plain map stands in for letters.
 */
static Status find_rows(Plan *plan, Error *error)
{
  PlanOptions *o = &plan->options;
  if (o->method != NULL) {
    plan->method = method_find(o->method);
    if (plan->method == NULL)
      return error_set(error, STATUS_INPUT, "unknown method '%s'", o->method);
    const MethodOptions method = method_options(o);
    plan->traits = method_traits(plan->method, &method);
    o->accel = "verlet";
    o->word = o->word != NULL ? o->word : "H";
  }
  plan->accel = accel_map_find(o->accel);
  if (plan->accel == NULL)
    return error_set(error, STATUS_INPUT, "unknown acceleration map '%s'", o->accel);
  if (o->composition != NULL && strcmp(o->composition, "none") != 0) {
    plan->composition = composition_find(o->composition);
    if (plan->composition == NULL)
      return error_set(error, STATUS_INPUT, "unknown composition '%s'", o->composition);
  }
  return STATUS_OK;
}

static Status build(Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  Status status = find_rows(plan, error);
  if (status == STATUS_OK)
    status = word_spell(o->word, o->weight, o->nweight, &plan->spelling, error);
  if (status == STATUS_OK)
    status = check_numbers(o, error);
  if (status == STATUS_OK)
    status = check_together(o, &plan->spelling, error);
  if (status == STATUS_OK)
    status = check_method(plan, error);
  if (status == STATUS_OK)
    status = check_composition(plan, error);
  if (status == STATUS_OK)
    status = build_maps(plan, error);
  if (status == STATUS_OK)
    status = build_method(plan, error);
  if (status == STATUS_OK)
    status = build_constraints(plan, error);
  const bool constrained = plan->kept;
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
  for (int i = 0; i < plan->naccel; i++)
    plan->accel->free(plan->accel_self[i]);
  if (plan->method_self != NULL)
    plan->method->free(plan->method_self);
  if (plan->verlet_self != NULL)
    plan->verlet->free(plan->verlet_self);
  free(plan);
}

Status plan_check(const Plan *plan, const double *q, const double *p, Error *error)
{
  if (plan->method == NULL || plan->method->check == NULL)
    return STATUS_OK;
  return plan->method->check(plan->method_self, q, p, error);
}
