#include <stdlib.h>

#include "engine/algebra.h"

/* What the rules below see: the term, and its operands u, v, w with their derivatives. */
typedef struct Rule {
  Algebra *a;
  int self;
  Term term;
  int u, v, w, du, dv, dw;
} Rule;

static int number(const Rule *r, double x) { return algebra_constant(r->a, x); }

static int product(const Rule *r, int x, int y) { return algebra_multiply(r->a, x, y); }

static int square(const Rule *r, int x) { return algebra_power(r->a, x, 2.0); }

/* (u/v)' = (u' - (u/v) v') / v. */
static int quotient(const Rule *r)
{
  return algebra_divide(r->a, algebra_subtract(r->a, r->du, product(r, r->self, r->dv)), r->v);
}

/* u^v log(u)^k: (v u^(v-1) log(u)^k + k u^(v-1) log(u)^(k-1)) u' + u^v log(u)^(k+1) v'. */
static int power_log(const Rule *r)
{
  Algebra *a = r->a;
  const int k = r->term.index, less = algebra_subtract(a, r->v, number(r, 1.0));
  int first = product(r, r->v, algebra_power_log(a, r->u, less, k));
  if (k > 0)
    first = algebra_add(a, first, product(r, number(r, k), algebra_power_log(a, r->u, less, k - 1)));
  return algebra_add(a, product(r, first, r->du), product(r, algebra_power_log(a, r->u, r->v, k + 1), r->dv));
}

/* Functions of one operand: f'(u). */
static int outer(const Rule *r)
{
  Algebra *a = r->a;
  const int one = number(r, 1.0);
  switch (r->term.op) {
  case OPERATION_POWER:
    return product(r, number(r, r->term.constant), algebra_power(a, r->u, r->term.constant - 1.0));
  case OPERATION_ABS_POWER: /* zero, not a power, where sign is differentiated */
    return product(r, number(r, r->term.constant),
                   algebra_abs_power(a, r->u, r->term.constant - 1.0, 1 - r->term.index));
  case OPERATION_EXP:
    return r->self;
  case OPERATION_LOG:
    return algebra_divide(a, one, r->u);
  case OPERATION_SIN:
    return algebra_function(a, OPERATION_COS, r->u, -1);
  case OPERATION_COS:
    return algebra_negate(a, algebra_function(a, OPERATION_SIN, r->u, -1));
  case OPERATION_TAN:
    return algebra_add(a, one, square(r, r->self));
  case OPERATION_ASIN:
    return algebra_power(a, algebra_subtract(a, one, square(r, r->u)), -0.5);
  case OPERATION_ACOS:
    return algebra_negate(a, algebra_power(a, algebra_subtract(a, one, square(r, r->u)), -0.5));
  case OPERATION_ATAN:
    return algebra_divide(a, one, algebra_add(a, one, square(r, r->u)));
  case OPERATION_SINH:
    return algebra_function(a, OPERATION_COSH, r->u, -1);
  case OPERATION_COSH:
    return algebra_function(a, OPERATION_SINH, r->u, -1);
  case OPERATION_TANH:
    return algebra_subtract(a, one, square(r, r->self));
  default:
    return number(r, NAN);
  }
}

static int apply(const Rule *r)
{
  Algebra *a = r->a;
  switch (r->term.op) {
  case OPERATION_NEGATE:
    return algebra_negate(a, r->du);
  case OPERATION_ADD:
    return algebra_add(a, r->du, r->dv);
  case OPERATION_SUBTRACT:
    return algebra_subtract(a, r->du, r->dv);
  case OPERATION_MULTIPLY:
    return algebra_add(a, product(r, r->du, r->v), product(r, r->u, r->dv));
  case OPERATION_DIVIDE:
    return quotient(r);
  case OPERATION_POWER_LOG:
    return power_log(r);
  case OPERATION_SELECT:
    return algebra_select(a, r->u, r->dv, r->dw);
  case OPERATION_MIN:
    return algebra_select(a, algebra_subtract(a, r->v, r->u), r->du, r->dv);
  case OPERATION_MAX:
    return algebra_select(a, algebra_subtract(a, r->u, r->v), r->du, r->dv);
  case OPERATION_ATAN2: /* (v u' - u v') / (u^2 + v^2) */
    return algebra_divide(a, algebra_subtract(a, product(r, r->v, r->du), product(r, r->u, r->dv)),
                          algebra_add(a, square(r, r->u), square(r, r->v)));
  default:
    return algebra_is(a, r->du, 0.0) ? r->du : product(r, outer(r), r->du);
  }
}

/* Operands stand before what is made of them, so that one pass over the terms does. */
static int differentiate(Algebra *a, int n, int var, int *d)
{
  for (int i = 0; i < n; i++) {
    const Term term = a->term[i];
    if (term.op == OPERATION_CONSTANT || term.op == OPERATION_VARIABLE) {
      d[i] = algebra_constant(a, term.op == OPERATION_VARIABLE && term.index == var ? 1.0 : 0.0);
      continue;
    }
    Rule rule = {
        .a = a, .self = i, .term = term, .u = term.operand[0], .v = term.operand[1], .w = term.operand[2]};
    rule.du = d[rule.u];
    rule.dv = rule.v >= 0 ? d[rule.v] : -1;
    rule.dw = rule.w >= 0 ? d[rule.w] : -1;
    bool moves = false;
    for (int k = 0; k < 3; k++)
      moves = moves || (term.operand[k] >= 0 && !algebra_is(a, d[term.operand[k]], 0.0));
    d[i] = moves ? apply(&rule) : algebra_constant(a, 0.0);
  }
  return d[n - 1];
}

Status expression_derivative(Expression **derivative, const Expression *expression, int var, Error *error)
{
  *derivative = NULL;
  int *d = malloc((size_t)expression->nterm * sizeof *d);
  Algebra algebra;
  algebra_start(&algebra);
  algebra_import(&algebra, expression);
  Status status;
  if (d == NULL || algebra.memory)
    status = error_memory(error, "the derivative of a formula");
  else
    status = algebra_finish(&algebra, differentiate(&algebra, expression->nterm, var, d), expression->nvar,
                            derivative, error);
  algebra_end(&algebra);
  free(d);
  return status;
}
