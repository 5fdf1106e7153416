/* Creates a plan: checks which options are compatible, and creates the tools of each kind. */
#include <stdlib.h>
#include <string.h>

#include "integrators/plan_private.h"

static const char *const part_names[COST_COUNT] = {"forces", "solves", "noise", "moves"};

const char *plan_cost_name(PlanCost part) { return part_names[part]; }

const PlanOptions *plan_options(const Plan *plan) { return &plan->options; }

const WordSpelling *plan_spelling(const Plan *plan) { return &plan->spelling; }

int plan_freedom(const Plan *plan, const int *nmol)
{
  int freedom = 0, nsites = 0;
  for (int k = 0; k < plan->nkind; k++) {
    const PlanKind *own = &plan->kind[k];
    const Kind *bound = own->kept && !plan->options.tangent ? &own->held : own->kind;
    freedom += nmol[k] * kind_freedom(bound, own->kept || plan->options.tangent);
    nsites += nmol[k] * own->kind->nsite;
  }
  return freedom - motion_freedom(plan->options.removal, plan->kind->kind->dim, nsites);
}

double plan_gamma(const Plan *plan, int k)
{
  const PlanOptions *o = &plan->options;
  return o->kind_gamma != NULL && !isnan(o->kind_gamma[k]) ? o->kind_gamma[k] : o->gamma;
}

bool plan_is_thermal(const Plan *plan)
{
  bool any = plan->options.time > 0.0;
  for (int k = 0; k < plan->nkind; k++)
    any = any || plan_gamma(plan, k) > 0.0;
  return plan->nnoise > 0 && any;
}

bool plan_is_fresh(const Plan *plan) { return plan->fresh; }

double plan_filter_reach(const Plan *plan)
{
  const double h = composition_weight(plan->composition, 0) * plan->options.h;
  return plan->accel == NULL || (plan->accel->traits & ACCEL_PLAIN) != 0 ? 0.0 : plan->options.beta * h * h;
}

double plan_multipliers_age(const Plan *plan)
{
  const double h = plan->options.h;
  if (plan->constraints != NULL)
    return 0.5 * h;
  if (plan->options.method == NULL || plan->options.method->multipliers == NULL)
    return 0.0;
  return (plan->traits & METHOD_REVERSIBLE) != 0 ? 0.5 * h : h;
}

/* --- building ----------------------------------------------------------------------------------------- */

static Status check_word(const Plan *plan, bool general, Error *error)
{
  const PlanOptions *o = &plan->options;
  const bool has = word_has(&plan->spelling, 'H') != 0;
  if (has && o->method == NULL)
    return error_set(error, STATUS_INPUT, "the letter H of the word '%s' needs a method: name one", o->word);
  if (!has && o->method != NULL)
    return error_set(error, STATUS_INPUT,
                     "the word '%s' has no H, the letter of the method '%s': use H, HO or OHO", o->word,
                     o->method->name);
  if (general && word_has(&plan->spelling, 'O'))
    return error_set(
        error, STATUS_INPUT,
        "'%s' has a thermostat, but a general Hamiltonian system has no kinetic energy: use a word without O",
        o->word);
  return STATUS_OK;
}

/* A method is a whole step: no solver but the method itself can satisfy constraints, or it treats them as
 * penalties. */
static Status check_kept(const Plan *plan, const PlanSystem *s, Error *error)
{
  const PlanOptions *o = &plan->options;
  const char *const method = o->method != NULL ? o->method->name : NULL;
  const bool keeps = (plan->traits & METHOD_CONSTRAINTS) != 0;
  if (method != NULL && o->constraints != NULL)
    return error_set(error, STATUS_INPUT, "the method '%s' is a whole step: leave out '%s'%s", method,
                     o->constraints, keeps || s->general ? "" : ", and use penalties");
  if (method != NULL && o->w != 0.0 && (keeps || s->general))
    return error_set(error, STATUS_INPUT, "the method '%s' does not support penalties (w = %g): leave out w",
                     method, o->w);
  if (s->unkept && o->constraints == NULL && o->w == 0.0 && !keeps)
    return error_set(error, STATUS_INPUT, "the constraints need a method or penalties: use penalties%s",
                     method != NULL ? "" : ", rattle or shake, or a method for constraints");
  return STATUS_OK;
}

/* Composition raises the order only of steps that are their own adjoint; their stages may run backwards in
 * time. */
static Status check_composition(const Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  const WordSpelling *s = &plan->spelling;
  const Composition *c = plan->composition;
  if (c == NULL)
    return STATUS_OK;
  if (word_has(s, 'O'))
    return error_set(error, STATUS_INPUT,
                     "'%s' composes steps that go backwards in time, but the noise O of '%s' cannot: compose "
                     "a word without O",
                     c->name, o->word);
  if (!word_is_palindrome(s) || (plan->accel->traits & ACCEL_IRREVERSIBLE) != 0 ||
      (plan->options.method != NULL && (plan->traits & METHOD_REVERSIBLE) == 0))
    return error_set(error, STATUS_INPUT,
                     "the order of '%s' requires symmetric steps; '%s'%s%s is not symmetric in time", c->name,
                     plan->options.method != NULL ? plan->options.method->name : o->word,
                     plan->options.method != NULL && o->base != NULL ? " over " : "",
                     plan->options.method != NULL && o->base != NULL ? o->base : "");
  if (s->n * c->nstage * OPS_LETTER > OPS_MAX)
    return error_set(error, STATUS_INPUT,
                     "the word '%s' is too long for the %d stages of '%s': use at most %d letters", o->word,
                     c->nstage, c->name, OPS_MAX / OPS_LETTER / c->nstage);
  return STATUS_OK;
}

static Status check_acceleration(const Plan *plan, const PlanSystem *s, Error *error)
{
  const PlanOptions *o = &plan->options;
  if ((plan->accel->traits & ACCEL_PLAIN) != 0)
    return STATUS_OK;
  if (!s->stiff)
    return error_set(error, STATUS_INPUT,
                     "'%s' filters stiff potentials, but there are no penalties: use verlet with constraints",
                     o->accel);
  if (word_has(&plan->spelling, 'S'))
    return error_set(error, STATUS_INPUT,
                     "the word '%s' has separate kicks by slow forces (S), which '%s' cannot filter: with S "
                     "use the acceleration 'verlet'",
                     o->word, o->accel);
  return STATUS_OK;
}

/* Checks that each kind has constraints or penalties that the plan supports, and that the kinds are
 * compatible. */
static Status check_kinds(const Plan *plan, Error *error)
{
  const PlanOptions *o = &plan->options;
  for (int k = 0; k < plan->nkind; k++) {
    const Kind *kind = plan->kind[k].kind, *first = plan->kind[0].kind;
    if (kind->w != NULL && kind_kept(kind).ncon > 0 && o->constraints == NULL)
      return error_input(error, "constraints", "'%s' has exact constraints: use the method rattle or shake",
                         kind->name);
    if (kind->w != NULL && o->method != NULL)
      return error_input(error, "method",
                         "the constraints of '%s' have strengths of their own, but the method '%s' treats "
                         "all alike: use a word of A and B",
                         kind->name, o->method->name);
    if (kind->dim != first->dim)
      return error_set(error, STATUS_INPUT,
                       "'%s' has %d dimensions and '%s' has %d: they cannot move together", first->name,
                       first->dim, kind->name, kind->dim);
    if (k > 0 && o->method != NULL)
      return error_input(
          error, "method",
          "a method, the letter H, moves molecules of one kind, not '%s' and '%s': use a word of A and B",
          first->name, kind->name);
  }
  return STATUS_OK;
}

/* Finds the rows that the options name. With a method the plain map is used, since the method treats forces
 * itself. */
static Status find_rows(Plan *plan, Error *error)
{
  PlanOptions *o = &plan->options;
  if (o->method != NULL) {
    const MethodOptions method = plan_kind_method_options(o);
    plan->traits = o->method->traits_with != NULL ? o->method->traits_with(&method) : o->method->traits;
    o->accel = "verlet";
    o->word = o->word != NULL ? o->word : "H";
  }
  plan->accel = accel_map_find(o->accel);
  if (o->composition != NULL && strcmp(o->composition, "none") != 0) {
    plan->composition = composition_find(o->composition);
    if (plan->composition == NULL)
      return error_set(error, STATUS_INPUT, "unknown composition '%s'", o->composition);
  }
  return STATUS_OK;
}

/* Finds the rows of the options and checks the rules that do not depend on kinds. */
static Status check_options(Plan *plan, const PlanSystem *s, Error *error)
{
  const PlanOptions *o = &plan->options;
  TRY(error_option(error, "composition", find_rows(plan, error)));
  TRY(word_spell(o->word, o->weight, o->nweight, &plan->spelling, error));
  TRY(error_option(error, "acceleration", check_acceleration(plan, s, error)));
  if (s->general && (o->method == NULL || (o->method->traits & METHOD_GENERAL) == 0))
    return error_input(error, "method",
                       "'%s' cannot move a general Hamiltonian system, which has no drift and kick: use a "
                       "method for any Hamiltonian, such as midpoint",
                       o->method != NULL ? o->method->name : o->word);
  TRY(error_option(error, "word", check_word(plan, s->general, error)));
  TRY(error_option(error, "constraints", check_kept(plan, s, error)));
  return error_option(error, "composition", check_composition(plan, error));
}

Status plan_check_options(const PlanOptions *options, const PlanSystem *system, Error *error)
{
  Plan plan = {.options = *options};
  return check_options(&plan, system, error);
}

static void build_rows(Plan *plan)
{
  PlanOptions *o = &plan->options;
  if (o->tolerance == 0.0)
    o->tolerance = 1e-12;
  if (o->max_iterations == 0)
    o->max_iterations = 50;
  if (o->constraints != NULL)
    plan->constraints = constraint_method_find(o->constraints);
  const int stages = composition_stages(plan->composition);
  plan->naccel = (plan->accel->traits & ACCEL_PLAIN) != 0 ? 1 : (stages + 1) / 2;
  plan->split = word_has(&plan->spelling, 'S');
  for (int i = 0; i < plan->spelling.n; i++)
    plan->nnoise += plan->spelling.letter[i] == 'O';
}

/* After the draw (letter -1) or after one O. */
static Status build_removal(Plan *plan, int letter, Error *error)
{
  if (plan->options.removal == REMOVE_NONE)
    return STATUS_OK;
  MotionGiven *part = malloc((size_t)plan->nkind * sizeof *part);
  TRY_MEMORY(part != NULL, "the removal of motion", error);
  for (int k = 0; k < plan->nkind; k++) {
    const PlanKind *own = &plan->kind[k];
    const Noise *noise = letter < 0 ? &own->draw : &own->noise[letter];
    part[k] = (MotionGiven){own->kind, noise->ou->weight, noise->onto};
  }
  const Status status = motion_create(letter < 0 ? &plan->draw : &plan->removal[letter], plan->nkind, part,
                                      plan->options.removal, plan->options.isa, error);
  free(part);
  return error_option(error, "removal", status);
}

/* Frozen molecules take up momentum, and motions of the others relative to them are not free. */
static Status check_frozen(const Plan *plan, Error *error)
{
  for (int k = 0; k < plan->nkind && plan->options.removal != REMOVE_NONE; k++)
    if (plan->kind[k].frozen)
      return error_input(error, "removal",
                         "'%s' is frozen, so momentum is not conserved and must not be removed: set the "
                         "removal to none",
                         plan->kind[k].kind->name);
  return STATUS_OK;
}

static Status build(Plan *plan, Error *error)
{
  PlanSystem system = {.unkept = plan->options.method != NULL && plan->kind[0].kind->ncon > 0,
                       .stiff = plan->options.constraints == NULL};
  for (int k = 0; k < plan->nkind; k++) {
    system.general = system.general || plan->kind[k].kind->ham != NULL;
    system.stiff = system.stiff || kind_has_penalties(plan->kind[k].kind);
  }
  TRY(check_kinds(plan, error));
  TRY(check_frozen(plan, error));
  TRY(check_options(plan, &system, error));
  build_rows(plan);
  for (int k = 0; k < plan->nkind; k++)
    TRY(plan_kind_create(plan, &plan->kind[k], error));
  for (int i = -1; i < plan->nnoise; i++)
    TRY(build_removal(plan, i, error));
  return STATUS_OK;
}

Status plan_create_kinds(Plan **plan, int nkind, const Kind *const *kind, const PlanOptions *options,
                         Error *error)
{
  *plan = NULL;
  if (nkind < 1)
    return error_set(error, STATUS_INPUT, "a system needs at least one kind of molecule");
  Plan *p = calloc(1, sizeof *p);
  PlanKind *own = calloc((size_t)nkind, sizeof *own);
  if (p == NULL || own == NULL) {
    free(p);
    free(own);
    return error_memory(error, "an integrator");
  }
  p->nkind = nkind;
  p->kind = own;
  for (int k = 0; k < nkind; k++)
    own[k] = (PlanKind){.kind = kind[k], .frozen = kind[k]->frozen && !options->thaw};
  p->options = *options;
  p->letters = letter_kernels(options->isa);
  p->ou = ou_kernels(options->isa);
  TRY_ELSE(build(p, error), plan_free(p));
  p->options.weight = p->spelling.weight; /* the caller may free its arrays */
  p->options.own = NULL;
  plan_compile(p);
  *plan = p;
  return STATUS_OK;
}

Status plan_create(Plan **plan, const Kind *kind, const PlanOptions *options, Error *error)
{
  return plan_create_kinds(plan, 1, &kind, options, error);
}

void plan_free(Plan *plan)
{
  if (plan == NULL)
    return;
  for (int i = 0; i < plan->nnoise; i++)
    motion_free(plan->removal[i]);
  motion_free(plan->draw);
  for (int k = 0; k < plan->nkind; k++)
    plan_kind_free(plan, &plan->kind[k]);
  free(plan->kind);
  free(plan);
}

Status plan_check(const Plan *plan, const double *q, const double *p, Error *error)
{
  if (plan->options.method == NULL || plan->options.method->check == NULL)
    return STATUS_OK;
  return plan->options.method->check(plan->kind->method_self, q, p, error);
}
