#include "formula/algebra.h"

#include <stdlib.h>
#include <string.h>

/* --- terms, shared if equal ----------------------------------------------------------------------------- */

void algebra_start(Algebra *algebra)
{
  memset(algebra, 0, sizeof *algebra);
  for (int i = 0; i < ALGEBRA_BUCKETS; i++)
    algebra->bucket[i] = -1;
}

void algebra_end(Algebra *algebra)
{
  free(algebra->term);
  free(algebra->next);
}

static uint64_t bits_of(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static unsigned hash(const Term *t)
{
  uint64_t h = (uint64_t)t->op;
  const uint64_t part[4] = {(uint64_t)t->index, (uint64_t)t->operand[0], (uint64_t)t->operand[1],
                            bits_of(t->constant)};
  for (int i = 0; i < 4; i++) {
    h = (h ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (unsigned)(h % ALGEBRA_BUCKETS);
}

static bool same(const Term *a, const Term *b)
{
  return a->op == b->op && a->index == b->index && a->operand[0] == b->operand[0] &&
         a->operand[1] == b->operand[1] && bits_of(a->constant) == bits_of(b->constant);
}

static bool grow(Algebra *a)
{
  if (a->n < a->room)
    return true;
  if (a->room >= ALGEBRA_TERMS) {
    a->size = true;
    return false;
  }
  const int room = a->room == 0 ? 64 : 2 * a->room;
  Term *term = realloc(a->term, (size_t)room * sizeof *term);
  if (term != NULL)
    a->term = term;
  int *next = realloc(a->next, (size_t)room * sizeof *next);
  if (next != NULL)
    a->next = next;
  if (term == NULL || next == NULL) {
    a->memory = true;
    return false;
  }
  a->room = room;
  return true;
}

/* Returns the number of a term, creating it if necessary. After a failure: 0, or -1 without any term; the
 * functions below do not dereference it. */
static int intern(Algebra *a, Term term)
{
  const unsigned h = hash(&term);
  for (int i = a->bucket[h]; i >= 0; i = a->next[i])
    if (same(&a->term[i], &term))
      return i;
  if (!grow(a))
    return a->n > 0 ? 0 : -1;
  a->term[a->n] = term;
  a->next[a->n] = a->bucket[h];
  return a->bucket[h] = a->n++;
}

static Term make(Operation op, double constant, int index, int a, int b)
{
  return (Term){.op = op, .index = index, .operand = {a, b}, .constant = constant};
}

/* --- folding -------------------------------------------------------------------------------------------- */

static const Term *at(const Algebra *a, int i)
{
  static const Term none = {.op = OPERATION_VARIABLE, .operand = {-1, -1}};
  return i < 0 ? &none : &a->term[i];
}

static bool has(const Algebra *a, int i, Operation op) { return at(a, i)->op == op; }

static bool constant(const Algebra *a, int i) { return i >= 0 && has(a, i, OPERATION_CONSTANT); }

static bool is(const Algebra *a, int u, double value)
{
  return constant(a, u) && at(a, u)->constant == value;
}

int algebra_constant(Algebra *a, double value)
{
  return intern(a, make(OPERATION_CONSTANT, value == 0.0 ? 0.0 : value, 0, -1, -1));
}

int algebra_variable(Algebra *a, int index)
{
  return intern(a, make(OPERATION_VARIABLE, 0.0, index, -1, -1));
}

/* The term, or its value if all operands are constants. */
static int fold(Algebra *a, Term term)
{
  double value[2] = {0.0, 0.0}, result;
  for (int k = 0; k < 2; k++) {
    if (term.operand[k] < 0)
      continue;
    if (!constant(a, term.operand[k]))
      return intern(a, term);
    value[k] = at(a, term.operand[k])->constant;
  }
  operation_apply(term.op, term.constant, term.index, &value[0], &value[1], &result, 1);
  return algebra_constant(a, result);
}

static int fold_two(Algebra *a, Operation op, int u, int v) { return fold(a, make(op, 0.0, 0, u, v)); }

static int operand(const Algebra *a, int i, int k) { return at(a, i)->operand[k]; }

int algebra_negate(Algebra *a, int u)
{
  if (has(a, u, OPERATION_NEGATE))
    return operand(a, u, 0);
  return fold_two(a, OPERATION_NEGATE, u, -1);
}

int algebra_add(Algebra *a, int u, int v)
{
  if (is(a, u, 0.0))
    return v;
  if (is(a, v, 0.0))
    return u;
  if (has(a, v, OPERATION_NEGATE))
    return algebra_subtract(a, u, operand(a, v, 0));
  if (has(a, u, OPERATION_NEGATE))
    return algebra_subtract(a, v, operand(a, u, 0));
  return fold_two(a, OPERATION_ADD, u < v ? u : v, u < v ? v : u);
}

int algebra_subtract(Algebra *a, int u, int v)
{
  if (is(a, v, 0.0))
    return u;
  if (is(a, u, 0.0))
    return algebra_negate(a, v);
  if (u == v)
    return algebra_constant(a, 0.0);
  if (has(a, v, OPERATION_NEGATE))
    return algebra_add(a, u, operand(a, v, 0));
  return fold_two(a, OPERATION_SUBTRACT, u, v);
}

/* c u, with constant factors of u multiplied into c. */
static int scaled(Algebra *a, double c, int u)
{
  if (c == 0.0)
    return algebra_constant(a, 0.0);
  if (c == 1.0)
    return u;
  if (c == -1.0)
    return algebra_negate(a, u);
  if (has(a, u, OPERATION_NEGATE))
    return scaled(a, -c, operand(a, u, 0));
  if (has(a, u, OPERATION_MULTIPLY) && constant(a, operand(a, u, 0)))
    return scaled(a, c * at(a, operand(a, u, 0))->constant, operand(a, u, 1));
  if (has(a, u, OPERATION_DIVIDE) && constant(a, operand(a, u, 1)))
    return scaled(a, c / at(a, operand(a, u, 1))->constant, operand(a, u, 0));
  return fold_two(a, OPERATION_MULTIPLY, algebra_constant(a, c), u);
}

/* Constants are moved to the left, where they are combined. */
int algebra_multiply(Algebra *a, int u, int v)
{
  if (constant(a, u))
    return scaled(a, at(a, u)->constant, v);
  if (constant(a, v))
    return scaled(a, at(a, v)->constant, u);
  if (has(a, u, OPERATION_NEGATE))
    return algebra_negate(a, algebra_multiply(a, operand(a, u, 0), v));
  if (has(a, v, OPERATION_NEGATE))
    return algebra_negate(a, algebra_multiply(a, u, operand(a, v, 0)));
  if (has(a, u, OPERATION_MULTIPLY) && constant(a, operand(a, u, 0)))
    return algebra_multiply(a, operand(a, u, 0), algebra_multiply(a, operand(a, u, 1), v));
  if (has(a, v, OPERATION_MULTIPLY) && constant(a, operand(a, v, 0)))
    return algebra_multiply(a, operand(a, v, 0), algebra_multiply(a, u, operand(a, v, 1)));
  if (u == v)
    return algebra_power(a, u, 2.0);
  return fold_two(a, OPERATION_MULTIPLY, u < v ? u : v, u < v ? v : u);
}

int algebra_divide(Algebra *a, int u, int v)
{
  if (is(a, v, 1.0) || (is(a, u, 0.0) && !is(a, v, 0.0)))
    return u;
  if (is(a, v, -1.0))
    return algebra_negate(a, u);
  if (has(a, u, OPERATION_NEGATE))
    return algebra_negate(a, algebra_divide(a, operand(a, u, 0), v));
  if (has(a, v, OPERATION_NEGATE))
    return algebra_negate(a, algebra_divide(a, u, operand(a, v, 0)));
  if (constant(a, u) && has(a, v, OPERATION_POWER))
    return algebra_multiply(a, u, algebra_power(a, operand(a, v, 0), -at(a, v)->constant));
  if (constant(a, v) && !constant(a, u)) {
    const double c = at(a, v)->constant;
    const int left = operand(a, u, 0), right = operand(a, u, 1);
    if (has(a, u, OPERATION_MULTIPLY) && constant(a, left))
      return scaled(a, at(a, left)->constant / c, right);
    if (has(a, u, OPERATION_DIVIDE) && constant(a, right))
      return algebra_divide(a, left, algebra_constant(a, at(a, right)->constant * c));
  }
  return fold_two(a, OPERATION_DIVIDE, u, v);
}

static bool whole(double x) { return x == rint(x); }

static bool even(double x) { return whole(x) && fmod(x, 2.0) == 0.0; }

/* (k u)^c = k^c u^c for a constant k > 0. Otherwise third derivatives of |x/a|^2.5 at x = 0 would be infinity
 * times zero; powers must act on |x| itself. */
static int power_of_scaled(Algebra *a, int u, double c)
{
  const bool times = has(a, u, OPERATION_MULTIPLY);
  const int side = times ? 0 : 1;
  if ((!times && !has(a, u, OPERATION_DIVIDE)) || !constant(a, operand(a, u, side)))
    return -1;
  const double k = at(a, operand(a, u, side))->constant;
  if (!(k > 0.0))
    return -1;
  return scaled(a, pow(k, times ? c : -c), algebra_power(a, operand(a, u, 1 - side), c));
}

int algebra_power(Algebra *a, int u, double c)
{
  if (c == 0.0)
    return algebra_constant(a, 1.0);
  if (c == 1.0)
    return u;
  const Term inner = *at(a, u);
  if (inner.op == OPERATION_NEGATE && whole(c)) {
    const int power = algebra_power(a, inner.operand[0], c);
    return even(c) ? power : algebra_negate(a, power);
  }
  if (inner.op == OPERATION_POWER && whole(inner.constant) && whole(c))
    return algebra_power(a, inner.operand[0], inner.constant * c);
  if ((inner.op == OPERATION_POWER && even(inner.constant)) ||
      (inner.op == OPERATION_ABS_POWER && inner.index == 0))
    return algebra_abs_power(a, inner.operand[0], inner.constant * c, 0);
  const int outside = whole(c) ? -1 : power_of_scaled(a, u, c);
  return outside >= 0 ? outside : fold(a, make(OPERATION_POWER, c, 0, u, -1));
}

int algebra_abs_power(Algebra *a, int u, double c, int odd)
{
  if (whole(c) && even(c) == (odd == 0))
    return algebra_power(a, u, c);
  const Term inner = *at(a, u);
  if (inner.op == OPERATION_NEGATE) {
    const int power = algebra_abs_power(a, inner.operand[0], c, odd);
    return odd ? algebra_negate(a, power) : power;
  }
  if (inner.op == OPERATION_ABS_POWER && !odd && inner.index == 0)
    return algebra_abs_power(a, inner.operand[0], inner.constant * c, 0);
  return fold(a, make(OPERATION_ABS_POWER, c, odd, u, -1));
}

int algebra_general_power(Algebra *a, int u, int v)
{
  return constant(a, v) ? algebra_power(a, u, at(a, v)->constant)
                        : fold_two(a, OPERATION_GENERAL_POWER, u, v);
}

int algebra_function(Algebra *a, Operation op, int u, int v) { return fold_two(a, op, u, v); }

/* --- expressions ---------------------------------------------------------------------------------------- */

/* The degree of a term as a polynomial, from those of its operands (a, b); EXPRESSION_BENT: above 2, or not a
 * polynomial. */
static int degree(const Algebra *a, const Term *t, int u, int v)
{
  int n = EXPRESSION_BENT;
  switch (t->op) {
  case OPERATION_CONSTANT:
    return 0;
  case OPERATION_VARIABLE:
    return 1;
  case OPERATION_NEGATE:
    return u;
  case OPERATION_ADD:
  case OPERATION_SUBTRACT:
    return u > v ? u : v;
  case OPERATION_MULTIPLY:
    n = u + v;
    break;
  case OPERATION_DIVIDE:
    n = constant(a, t->operand[1]) ? u : n;
    break;
  case OPERATION_POWER:
    n = t->constant == 2.0 ? 2 * u : n;
    break;
  default:
    break;
  }
  return n < EXPRESSION_BENT ? n : EXPRESSION_BENT;
}

/* Which operand of a product or quotient is a constant; -1: neither. */
static int scale(const Algebra *a, const Term *t)
{
  if (t->op == OPERATION_MULTIPLY && constant(a, t->operand[0]))
    return 0;
  return (t->op == OPERATION_MULTIPLY || t->op == OPERATION_DIVIDE) && constant(a, t->operand[1]) ? 1 : -1;
}

/* place[i] of each term in `root`: its number among these, operands first; -1 for others. Returns their
 * number. */
static int number_terms(const Algebra *a, int root, int *place)
{
  int n = 0;
  for (int i = 0; i < a->n; i++)
    place[i] = -1;
  place[root] = 0;
  for (int i = root; i >= 0; i--)
    for (int k = 0; k < 2 && place[i] >= 0; k++)
      if (a->term[i].operand[k] >= 0 && scale(a, &a->term[i]) != k)
        place[a->term[i].operand[k]] = 0;
  for (int i = 0; i <= root; i++)
    if (place[i] >= 0)
      place[i] = n++;
  return n;
}

/* Sets the members of a finished term, after those of its operands. */
static void finish_term(const Algebra *a, const Term *from, const int *place, Expression *e, Term *t)
{
  const int by = scale(a, from);
  int of[2] = {0, 0};
  *t = *from;
  t->operand[0] = t->operand[1] = t->arity = 0;
  for (int k = 0; k < 2; k++)
    if (from->operand[k] >= 0 && k != by) {
      t->operand[t->arity] = place[from->operand[k]];
      of[k] = e->term[t->operand[t->arity++]].degree;
    }
  t->degree = degree(a, from, of[0], of[1]);
  if (by >= 0) {
    t->scaled = true;
    t->constant = at(a, from->operand[by])->constant;
  } else if (t->op == OPERATION_POWER && t->constant == 2.0) { /* a product is cheaper */
    t->op = OPERATION_MULTIPLY;
    t->operand[t->arity++] = t->operand[0];
  } else if (t->op >= OPERATION_DIVIDE) {
    t->slopes = e->nslopes++;
  }
  e->nvariable += t->op == OPERATION_VARIABLE;
}

/* Marks the last user of a term, which is the first in the backward pass. seen[nterm]: zero. */
static void find_first(Expression *e, int *seen)
{
  for (int i = e->nterm - 1; i >= 0; i--)
    for (int k = 0; k < e->term[i].arity; k++) {
      Term *t = &e->term[i];
      const int from = t->operand[k];
      if (e->term[from].degree > 0)
        t->give[k] = seen[from]++ == 0 ? GIVE_FIRST : GIVE_MORE;
    }
}

static Expression *extract(const Algebra *a, int root, int nvar, int *place)
{
  const int n = number_terms(a, root, place);
  const size_t terms = sizeof(Expression) + (size_t)n * sizeof(Term),
               kept = nvar <= ALGEBRA_QUADRATIC ? (size_t)(nvar * nvar) * sizeof(double) : 0;
  Expression *e = malloc(terms + kept);
  if (e == NULL)
    return NULL;
  *e = (Expression){.nvar = nvar, .nterm = n};
  for (int i = 0; i <= root; i++)
    if (place[i] >= 0)
      finish_term(a, &a->term[i], place, e, &e->term[place[i]]);
  memset(place, 0, (size_t)n * sizeof *place);
  find_first(e, place);
  if (e->term[n - 1].degree == 2 && nvar <= ALGEBRA_QUADRATIC) {
    const double origin[ALGEBRA_QUADRATIC] = {0.0};
    double *hessian = (double *)(e->term + n);
    expression_hessian(e, origin, hessian);
    e->hessian = hessian;
  }
  return e;
}

Status algebra_finish(Algebra *a, int root, int nvar, Expression **expression, Error *error)
{
  *expression = NULL;
  if (a->memory || root < 0)
    return error_memory(error, "a formula");
  if (a->size)
    return error_set(error, STATUS_INPUT, "the formula has more than %d terms", ALGEBRA_TERMS);
  int *place = malloc((size_t)a->n * sizeof *place);
  if (place != NULL)
    *expression = extract(a, root, nvar, place);
  free(place);
  return *expression != NULL ? STATUS_OK : error_memory(error, "a formula");
}
