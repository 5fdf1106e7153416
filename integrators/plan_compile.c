/* Compiles a word: places force evaluations, projections, and the operations around O. */
#include <math.h>
#include <string.h>

#include "integrators/plan_private.h"

typedef struct Compiler {
  Plan *plan;
  Op op[OPS_MAX];
  int n, nnoise;
  bool stale; /* f does not belong to the current q                    */
  bool stale_slow;
  bool dirty; /* momenta may have a part across the manifold           */
  int map;    /* the acceleration map of this stage                    */
  int mapped; /* the last acceleration map applied to f                */
} Compiler;

static void emit(Compiler *c, OpCode code, double t)
{
  c->op[c->n++] = (Op){.code = code, .t = t, .map = c->map};
}

static void emit_force(Compiler *c)
{
  if (!c->stale && c->map == c->mapped)
    return;
  emit(c, OP_FORCE, 0.0);
  emit(c, OP_ACCEL, 0.0);
  c->stale = false;
  c->mapped = c->map;
}

/* Emits slow forces first. If the letters from i on need both groups before the next drift, both are computed
 * here, so that the following kicks run as one pass over the packs. */
static void emit_forces(Compiler *c, int i)
{
  const WordSpelling *s = &c->plan->spelling;
  unsigned wanted = 0;
  for (; i < s->n && !letter_find(s->letter[i])->moves; i++)
    wanted |= letter_find(s->letter[i])->kicks;
  if ((wanted & FORCE_SLOW) != 0 && c->stale_slow) {
    emit(c, OP_FORCE_SLOW, 0.0);
    c->stale_slow = false;
  }
  if ((wanted & FORCE_FAST) != 0)
    emit_force(c);
}

static void emit_project(Compiler *c)
{
  if (c->dirty)
    emit(c, OP_PROJECT, 0.0);
  c->dirty = false;
}

static void emit_of(Compiler *c, OpCode code, double t, int index)
{
  emit(c, code, t);
  c->op[c->n - 1].letter = (uint32_t)index;
}

/* Whether noise acts along penalties alone in a kind with exact constraints: O splits momenta in two parts,
 * both tangent to the constraints. */
static bool is_parted(const Plan *plan)
{
  for (int k = 0; k < plan->nkind; k++)
    if (plan->kind[k].projector != NULL && plan->kind[k].across != NULL)
      return true;
  return false;
}

/* O needs tangent momenta under uniform friction (its flow does not commute with the projection), if it uses
 * kinetic energies, if it splits momenta, and for the sum of heat. Otherwise its own projection replaces the
 * one before it. The motion of the whole is removed after noise, and before a rescaling, which uses the
 * kinetic energy without it. */
static void emit_noise(Compiler *c, double t, int index)
{
  const PlanOptions *o = &c->plan->options;
  const bool whole = o->time > 0.0, removed = o->removal != REMOVE_NONE;
  if (o->friction == FRICTION_UNIFORM || o->keep_heat || whole || is_parted(c->plan))
    emit_project(c);
  else if (c->dirty && o->keep_multipliers) /* counts what O will project away together with its noise */
    emit(c, OP_COUNT, 1.0);
  if (o->keep_heat)
    emit(c, OP_HEAT, -1.0);
  if (removed && whole)
    emit_of(c, OP_REMOVE, 0.0, index);
  emit_of(c, whole ? OP_RESCALE : OP_NOISE, t, index);
  if (removed && !whole)
    emit_of(c, OP_REMOVE, 0.0, index);
  if (o->keep_heat)
    emit(c, OP_HEAT, 1.0);
  emit(c, OP_THERMAL, 0.0);
  c->dirty = false;
}

static OpCode letter_code(const Plan *plan, const Letter *letter)
{
  if (letter->kicks != 0)
    return letter->kicks == FORCE_SLOW ? OP_KICK_SLOW : OP_KICK;
  if (plan->options.method != NULL)
    return OP_METHOD;
  return plan->constraints != NULL ? OP_SLIDE : OP_DRIFT;
}

static void compile_letter(Compiler *c, int i, double t)
{
  const Plan *plan = c->plan;
  const Letter *letter = letter_find(plan->spelling.letter[i]);
  if (letter->noise) {
    emit_noise(c, t, c->nnoise++);
    return;
  }
  if (letter->kicks != 0)
    emit_forces(c, i);
  emit(c, letter_code(plan, letter), t);
  c->stale |= letter->moves;
  c->stale_slow |= letter->moves;
  c->dirty = plan->constraints != NULL || (plan->kind->kept && (plan->traits & METHOD_TANGENT) == 0);
}

/* The acceleration map of a stage: stages of one length share it, and Verlet's does not depend on the length.
 */
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
  /* A step's multipliers are summed between tangent momenta, even if the word leaves others. */
  const bool account = plan->constraints != NULL && plan->constraints->lazy && plan->options.keep_multipliers;
  c->n = c->nnoise = 0;
  if (account)
    emit(c, OP_COUNT, -1.0);
  for (int k = 0; k < composition_stages(plan->composition); k++) {
    const double weight = composition_weight(plan->composition, k);
    c->map = plan_map(plan, k);
    for (int i = 0; i < s->n; i++)
      compile_letter(c, i, s->weight[i] * (weight * plan->options.h));
    if (plan->constraints != NULL && !plan->constraints->lazy)
      emit_project(c);
  }
  if (account)
    emit(c, OP_COUNT, 1.0);
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
  plan->nop = c->n;
  plan->nhead = k;
  memcpy(plan->op, c->op, (size_t)c->n * sizeof(Op));
  for (int i = 0; i < k; i++) {
    plan->op[c->n + i] = c->op[i];
    plan->op[c->n + i].ahead = 1;
  }
}

/* A step ends at time 1 for driven forces, to the bit: positions at its end are those of the next step's
 * start. */
static void note_times(Plan *plan)
{
  const double h = plan->options.h, rounding = 1e-9;
  double done = 0.0;
  for (int i = 0; i < plan->nop; i++) {
    Op *const op = &plan->op[i];
    if (op->code == OP_DRIFT || op->code == OP_SLIDE || op->code == OP_METHOD)
      done += op->t / h;
    else if (op->code == OP_FORCE || op->code == OP_FORCE_SLOW)
      op->elapsed = fabs(done - 1.0) < rounding ? 1.0 : done;
  }
}

void plan_compile(Plan *plan)
{
  /* Whether f is fresh and p tangent at the start of a step depends on the end of a step: compile twice. */
  Compiler c = {.plan = plan};
  compile_step(&c);
  compile_step(&c);
  plan->fresh = !c.stale;
  cut(plan, &c);
  note_times(plan);
}
