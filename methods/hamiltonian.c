#include "methods/hamiltonian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/scoped.h"
#include "formula/expression.h"

/* The result of hamiltonian_create; the Hamiltonian is first, so that a pointer to it points to all. */
typedef struct Owned {
  Hamiltonian hamiltonian;
  PhaseFunction *con;
  ConstraintFlow *flow;
  Expression **formula; /* [1 + ncon]: the energy, then the constraints */
} Owned;

static double value_of(const void *self, const double *z) { return expression_value(self, z); }

static void gradient_of(const void *self, const double *z, double *gradient)
{
  expression_gradient(self, z, gradient);
}

static void hessian_of(const void *self, const double *z, double *hessian)
{
  expression_hessian(self, z, hessian);
}

static PhaseFunction function(const Expression *formula)
{
  return (PhaseFunction){formula, value_of, gradient_of, hessian_of};
}

static ConstraintFlow classify(const Expression *formula, int n)
{
  int moves = 0;
  for (int i = n; i < 2 * n; i++)
    moves += expression_depends(formula, i);
  return moves == 0 ? FLOW_SHIFT : expression_degree(formula) <= 2 ? FLOW_LINEAR : FLOW_NUMERICAL;
}

enum { NAME_SIZE = 24 };

/* q1..qn, p1..pn. */
static void write_names(int n, char (*text)[NAME_SIZE], const char **var)
{
  for (int i = 0; i < 2 * n; i++) {
    const char letter = i < n ? 'q' : 'p';
    if (n == 1)
      snprintf(text[i], NAME_SIZE, "%c1|%c", letter, letter);
    else
      snprintf(text[i], NAME_SIZE, "%c%d", letter, i % n + 1);
    var[i] = text[i];
  }
}

static Status make_formulas(Owned *o, const char *energy, const char *const *constraint,
                            const ExpressionNames *names, Error *error)
{
  TRY_ELSE(expression_parse(&o->formula[0], energy, names, error), error_prefix(error, "the Hamiltonian"));
  for (int c = 0; c < o->hamiltonian.ncon; c++)
    TRY_ELSE(expression_parse(&o->formula[1 + c], constraint[c], names, error),
             error_prefix(error, "constraint %d", c + 1));
  return STATUS_OK;
}

static void assemble(Owned *o)
{
  Hamiltonian *h = &o->hamiltonian;
  h->energy = function(o->formula[0]);
  for (int c = 0; c < h->ncon; c++) {
    o->con[c] = function(o->formula[1 + c]);
    o->flow[c] = classify(o->formula[1 + c], h->n);
  }
  h->con = o->con;
  h->flow = o->flow;
}

/* Allocates all parts at once, zeroed. */
static Owned *make_room(int n, int ncon)
{
  const size_t room = (size_t)ncon + 1;
  Owned *o =
      calloc(1, sizeof *o + room * (sizeof(PhaseFunction) + sizeof(Expression *) + sizeof(ConstraintFlow)));
  if (o == NULL)
    return NULL;
  o->hamiltonian.n = n;
  o->hamiltonian.ncon = ncon;
  o->con = (PhaseFunction *)(o + 1);
  o->formula = (Expression **)(o->con + room);
  o->flow = (ConstraintFlow *)(o->formula + room);
  return o;
}

Status hamiltonian_create(Hamiltonian **hamiltonian, int n, const char *energy, int ncon,
                          const char *const *constraint, int nconst, const char *const *constant,
                          const double *value, Error *error)
{
  *hamiltonian = NULL;
  if (n < 1)
    return error_set(error, STATUS_INPUT, "a Hamiltonian needs at least one coordinate");
  SCOPED(scoped_free) char(*text)[NAME_SIZE] = malloc(2 * (size_t)n * sizeof *text);
  SCOPED(scoped_free) const char **var = malloc(2 * (size_t)n * sizeof *var);
  TRY_MEMORY(text != NULL && var != NULL, "a Hamiltonian", error);
  write_names(n, text, var);
  const ExpressionNames names = {2 * n, var, nconst, constant, value};
  Owned *o = make_room(n, ncon);
  TRY_MEMORY(o != NULL, "a Hamiltonian", error);
  TRY_ELSE(make_formulas(o, energy, constraint, &names, error), hamiltonian_free(&o->hamiltonian));
  assemble(o);
  *hamiltonian = &o->hamiltonian;
  return STATUS_OK;
}

void hamiltonian_free(Hamiltonian *hamiltonian)
{
  if (hamiltonian == NULL)
    return;
  Owned *o = (Owned *)hamiltonian;
  for (int c = 0; c < 1 + hamiltonian->ncon; c++)
    expression_free(o->formula[c]);
  free(o);
}

double hamiltonian_bracket(int n, const PhaseFunction *a, const PhaseFunction *b, const double *z)
{
  enum { SMALL = 64 };
  double small[2 * SMALL];
  double *da = n <= SMALL / 2 ? small : malloc(4 * (size_t)n * sizeof *da);
  if (da == NULL)
    return NAN;
  double *db = da + 2 * n, sum = 0.0;
  a->gradient(a->self, z, da);
  b->gradient(b->self, z, db);
  for (int i = 0; i < n; i++)
    sum += da[i] * db[n + i] - da[n + i] * db[i];
  if (da != small)
    free(da);
  return sum;
}
