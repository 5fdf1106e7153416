#include "formula/expression.h"

#include <stdlib.h>
#include <string.h>

#include "formula/algebra.h"

/* Order 0: values; 1: also first derivatives in size - 1 directions; 2: in one direction, also half the
 * second derivative. */
typedef struct Jet {
  int order, size;
} Jet;

/* The factor of a term on operand o if it is constant; otherwise 0. */
static double factor(const Term *t, int o)
{
  switch (t->op) {
  case OPERATION_NEGATE:
    return -1.0;
  case OPERATION_ADD:
    return 1.0;
  case OPERATION_SUBTRACT:
    return o == 0 ? 1.0 : -1.0;
  case OPERATION_MULTIPLY:
    return t->scaled ? t->constant : 0.0;
  case OPERATION_DIVIDE:
    return t->scaled ? 1.0 / t->constant : 0.0;
  default:
    return 0.0;
  }
}

#define REAL                double
#define NAME(x)             x##_number
#define CHOOSE(where, a, b) ((where) ? (a) : (b))
#include "formula/expression_real.h"
#undef REAL
#undef NAME
#undef CHOOSE

#define REAL                Vec8
#define NAME(x)             x##_lanes
#define CHOOSE(where, a, b) vec8_select(where, a, b)
#include "formula/expression_real.h"
#undef REAL
#undef NAME
#undef CHOOSE

void expression_free(Expression *expression) { free(expression); }

const Expression *expression_copy(const Expression *expression, Arena *arena)
{
  const size_t terms = sizeof *expression + (size_t)expression->nterm * sizeof *expression->term,
               square = (size_t)(expression->nvar * expression->nvar) * sizeof *expression->hessian,
               size = terms + (expression->hessian != NULL ? square : 0);
  Expression *const copy = arena_take(arena, 1, size);
  if (copy == NULL)
    return NULL;
  memcpy(copy, expression, size);
  copy->hessian = expression->hessian != NULL ? (double *)(copy->term + copy->nterm) : NULL;
  return copy;
}

double expression_value(const Expression *expression, const double *x)
{
  double value;
  jet_number(expression, -1, x, NULL, &value, NULL);
  return value;
}

void expression_gradient(const Expression *expression, const double *x, double *gradient)
{
  double value;
  jet_number(expression, 0, x, NULL, &value, gradient);
}

void expression_hessian(const Expression *expression, const double *x, double *hessian)
{
  double value;
  if (expression->hessian != NULL)
    memcpy(hessian, expression->hessian, (size_t)(expression->nvar * expression->nvar) * sizeof *hessian);
  else
    jet_number(expression, 1, x, NULL, &value, hessian);
}

void expression_lanes(const Expression *expression, const Vec8 *x, Vec8 *value, Vec8 *gradient)
{
  jet_lanes(expression, gradient != NULL ? 0 : -1, x, NULL, value, gradient);
}

void expression_lanes_hessian(const Expression *expression, const Vec8 *x, Vec8 *hessian)
{
  const int n = expression->nvar;
  Vec8 value;
  if (expression->hessian == NULL)
    jet_lanes(expression, 1, x, NULL, &value, hessian);
  for (int i = 0; expression->hessian != NULL && i < n * n; i++)
    hessian[i] = vec8_set(expression->hessian[i]);
}

void expression_lanes_along(const Expression *expression, int order, const Vec8 *x, const Vec8 *u,
                            Vec8 *along)
{
  Vec8 value;
  jet_lanes(expression, order, x, u, &value, along);
  for (int i = expression->nvar; i < order * expression->nvar; i++)
    along[i] *= 2.0;
}

int expression_degree(const Expression *expression) { return expression->term[expression->nterm - 1].degree; }

/* All terms of an expression are used. */
bool expression_depends(const Expression *expression, int var)
{
  for (int i = 0; i < expression->nterm; i++)
    if (expression->term[i].op == OPERATION_VARIABLE && expression->term[i].index == var)
      return true;
  return false;
}
