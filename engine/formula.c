#include <stdlib.h>

#include "engine/expression.h"

/* Derivatives are kept for i >= j >= k only, those of one order in one array; zero ones are NULL. */
struct Formula {
  int n, order, kept; /* kept: derivatives are there up to this order */
  Expression *value;
  Expression **first, **second, **third; /* NULL beyond `kept` */
};

static int pair(int i, int j) { return i * (i + 1) / 2 + j; }

static int triple(int i, int j, int k) { return i * (i + 1) * (i + 2) / 6 + pair(j, k); }

/* The larger one first. */
static void sort(int *a, int *b)
{
  const int t = *a < *b ? *b : *a;
  *b = *a < *b ? *a : *b;
  *a = t;
}

static void free_all(Expression **list, int n)
{
  for (int i = 0; list != NULL && i < n; i++)
    expression_free(list[i]);
  free(list);
}

void formula_free(Formula *formula)
{
  if (formula == NULL)
    return;
  const int n = formula->n;
  expression_free(formula->value);
  free_all(formula->first, n);
  free_all(formula->second, pair(n, 0));
  free_all(formula->third, triple(n, 0, 0));
  free(formula);
}

/* NULL in the place of an expression that is zero. */
static void drop_zero(Expression **expression)
{
  double value;
  if (*expression != NULL && expression_is_constant(*expression, &value) && value == 0.0) {
    expression_free(*expression);
    *expression = NULL;
  }
}

static Status differentiate(Expression **result, const Expression *from, int var, Error *error)
{
  if (from == NULL || !expression_depends(from, var))
    return STATUS_OK;
  const Status status = expression_derivative(result, from, var, error);
  drop_zero(result);
  return status;
}

/* Room for the derivatives of one order, all zero as yet. */
static Status list(Expression ***to, int n, Error *error)
{
  *to = calloc((size_t)n + 1, sizeof **to);
  return *to == NULL ? error_memory(error, "the derivatives of a formula") : STATUS_OK;
}

static Status first_order(Formula *f, Error *error)
{
  Status status = list(&f->first, f->n, error);
  for (int i = 0; i < f->n && status == STATUS_OK; i++)
    status = differentiate(&f->first[i], f->value, i, error);
  return status;
}

static Status second_order(Formula *f, Error *error)
{
  Status status = list(&f->second, pair(f->n, 0), error);
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j <= i && status == STATUS_OK; j++)
      status = differentiate(&f->second[pair(i, j)], f->first[i], j, error);
  return status;
}

static Status third_order(Formula *f, Error *error)
{
  Status status = list(&f->third, triple(f->n, 0, 0), error);
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k <= j && status == STATUS_OK; k++)
        status = differentiate(&f->third[triple(i, j, k)], f->second[pair(i, j)], k, error);
  return status;
}

/* The highest order with a derivative that is not zero; one more if that is the last one kept and some of it
 * is no constant. */
static int degree(const Formula *f, int order)
{
  Expression *const *const lists[3] = {f->first, f->second, f->third};
  const int count[3] = {f->n, pair(f->n, 0), triple(f->n, 0, 0)};
  for (int m = order; m >= 1; m--) {
    bool any = false, moves = false;
    for (int i = 0; i < count[m - 1]; i++) {
      const Expression *e = lists[m - 1][i];
      any = any || e != NULL;
      moves = moves || (e != NULL && !expression_is_constant(e, NULL));
    }
    if (any)
      return m == order && moves && m < 3 ? m + 1 : m;
  }
  return order == 0 && f->value != NULL && !expression_is_constant(f->value, NULL) ? 1 : 0;
}

Status formula_create(Formula **formula, const char *text, const ExpressionNames *names, int order,
                      Error *error)
{
  *formula = NULL;
  Formula *f = calloc(1, sizeof *f);
  if (f == NULL)
    return error_memory(error, "a formula");
  f->n = names->nvar;
  f->kept = order;
  Status status = expression_parse(&f->value, text, names, error);
  drop_zero(&f->value);
  if (status == STATUS_OK && order >= 1)
    status = first_order(f, error);
  if (status == STATUS_OK && order >= 2)
    status = second_order(f, error);
  if (status == STATUS_OK && order >= 3)
    status = third_order(f, error);
  if (status != STATUS_OK) {
    formula_free(f);
    return status;
  }
  f->order = degree(f, order < 3 ? order : 3);
  *formula = f;
  return STATUS_OK;
}

int formula_size(const Formula *formula) { return formula->n; }

int formula_order(const Formula *formula) { return formula->order; }

const Expression *formula_value(const Formula *formula) { return formula->value; }

const Expression *formula_first(const Formula *formula, int i)
{
  return formula->kept >= 1 ? formula->first[i] : NULL;
}

const Expression *formula_second(const Formula *formula, int i, int j)
{
  sort(&i, &j);
  return formula->kept >= 2 ? formula->second[pair(i, j)] : NULL;
}

const Expression *formula_third(const Formula *formula, int i, int j, int k)
{
  sort(&i, &j);
  sort(&j, &k);
  sort(&i, &j);
  return formula->kept >= 3 ? formula->third[triple(i, j, k)] : NULL;
}
