/* Evaluates formulas with derivatives; included by expression.c for single numbers and for lanes. REAL is
 * double or Vec8, NAME(x) makes names distinct, CHOOSE(where, a, b) selects a or b.
 *
 * Each term has a jet: its Taylor coefficients at x + s u up to the required order in s, for one or several
 * directions u, `size` numbers in all (Jet). The forward pass over the terms, operands first, computes the
 * jets, and those of the slopes of functions in their operands. The backward pass computes the derivatives of
 * the formula by each term, also as jets, down to the variables. Coefficients of order 0 are the gradient, of
 * order 1 the Hessian times u, of order 2 half the third derivative in u and u. */

/* The product f u, which is 0 for u = 0 even if f is infinite. */
VEC_INLINE REAL NAME(some)(REAL f, REAL u) { return CHOOSE(u == 0.0, (REAL){0}, f * u); }

/* Coefficient k of the product of two jets. */
VEC_INLINE REAL NAME(product)(Jet jet, int k, const REAL *a, const REAL *b)
{
  if (k == 0)
    return a[0] * b[0];
  const REAL once = a[0] * b[k] + a[k] * b[0];
  return jet.order == 2 && k == 2 ? once + a[1] * b[1] : once;
}

/* The jet of the partial derivative (i, j) of a function of a and b (b may be NULL); to[0] is set. */
VEC_INLINE void NAME(chain)(Jet jet, const REAL *part, int i, int j, const REAL *a, const REAL *b, REAL *to)
{
  const REAL da = part[OPERATION_PARTIAL(i + 1, j)];
  to[0] = part[OPERATION_PARTIAL(i, j)];
  for (int k = 1; k < jet.size; k++)
    to[k] = NAME(some)(da, a[k]);
  if (jet.order == 2)
    to[2] += NAME(some)(0.5 * part[OPERATION_PARTIAL(i + 2, j)], a[1] * a[1]);
  if (b == NULL)
    return;
  for (int k = 1; k < jet.size; k++)
    to[k] += NAME(some)(part[OPERATION_PARTIAL(i, j + 1)], b[k]);
  if (jet.order == 2)
    to[2] += NAME(some)(part[OPERATION_PARTIAL(i + 1, j + 1)], a[1] * b[1]) +
             NAME(some)(0.5 * part[OPERATION_PARTIAL(i, j + 2)], b[1] * b[1]);
}

/* w = a/b, with the slopes 1/b and -w/b. */
VEC_INLINE void NAME(divide)(Jet jet, const REAL *a, const REAL *b, REAL *w, REAL *slope)
{
  REAL *by = slope, *down = slope + jet.size;
  by[0] = 1.0 / b[0];
  w[0] = a[0] / b[0];
  for (int k = 1; k < jet.size; k++) {
    by[k] = -by[0] * by[0] * b[k];
    w[k] = by[0] * (a[k] - w[0] * b[k]);
  }
  if (jet.order == 2) {
    by[2] -= by[0] * by[1] * b[1];
    w[2] -= by[0] * w[1] * b[1];
  }
  for (int k = 0; k < jet.size; k++)
    down[k] = -NAME(product)(jet, k, w, by);
}

VEC_INLINE void NAME(function)(Jet jet, const Term *t, const REAL *a, const REAL *b, REAL *w, REAL *slope)
{
  REAL part[OPERATION_PARTIALS];
  operation_apply(t->op, t->constant, t->index, (const double *)a, (const double *)b, (double *)part,
                  (int)(sizeof(REAL) / sizeof(double)));
  operation_partials(t->op, t->constant, t->index, (const double *)a, (const double *)b, jet.order + 1,
                     (double *)part, (int)(sizeof(REAL) / sizeof(double)));
  NAME(chain)(jet, part, 0, 0, a, b, w);
  NAME(chain)(jet, part, 1, 0, a, b, slope);
  if (b != NULL)
    NAME(chain)(jet, part, 0, 1, a, b, slope + jet.size);
}

VEC_INLINE void NAME(forward)(Jet jet, const Expression *e, const REAL *x, const REAL *u, REAL *value,
                              REAL *slopes)
{
  const int size = jet.size;
  for (int i = 0; i < e->nterm; i++) {
    const Term *t = &e->term[i];
    REAL *w = value + i * size;
    const REAL *a = value + t->operand[0] * size, *b = value + t->operand[1] * size;
    const double c = t->constant;
    if (t->scaled) {
      for (int k = 0; k < size; k++)
        w[k] = t->op == OPERATION_MULTIPLY ? a[k] * c : a[k] / c;
      continue;
    }
    switch (t->op) {
    case OPERATION_CONSTANT:
      w[0] = (REAL){0} + c;
      for (int k = 1; k < size; k++)
        w[k] = (REAL){0};
      break;
    case OPERATION_VARIABLE:
      w[0] = x[t->index];
      for (int k = 1; k < size; k++)
        w[k] = jet.order == 2 && k == 2 ? (REAL){0}
               : u != NULL              ? u[t->index]
                                        : (REAL){0} + (k - 1 == t->index ? 1.0 : 0.0);
      break;
    case OPERATION_NEGATE:
      for (int k = 0; k < size; k++)
        w[k] = -a[k];
      break;
    case OPERATION_ADD:
      for (int k = 0; k < size; k++)
        w[k] = a[k] + b[k];
      break;
    case OPERATION_SUBTRACT:
      for (int k = 0; k < size; k++)
        w[k] = a[k] - b[k];
      break;
    case OPERATION_MULTIPLY:
      for (int k = 0; k < size; k++)
        w[k] = NAME(product)(jet, k, a, b);
      break;
    case OPERATION_DIVIDE:
      NAME(divide)(jet, a, b, w, slopes + 2 * t->slopes * size);
      break;
    default:
      NAME(function)(jet, t, a, t->arity == 2 ? b : NULL, w, slopes + 2 * t->slopes * size);
    }
  }
}

/* Requires adjoint[.] = 1 for the last term. */
VEC_INLINE void NAME(backward)(Jet jet, const Expression *e, const REAL *value, const REAL *slopes,
                               REAL *adjoint)
{
  const int size = jet.size;
  for (int i = e->nterm - 1; i >= 0; i--) {
    const Term *t = &e->term[i];
    const REAL *w = adjoint + i * size, *slope = slopes + 2 * t->slopes * size;
    for (int o = 0; o < 2; o++) {
      if (t->give[o] == GIVE_NOTHING)
        continue;
      const bool first = t->give[o] == GIVE_FIRST;
      REAL *to = adjoint + t->operand[o] * size;
      const double linear = factor(t, o);
      if (linear == 0.0) {
        const REAL *by = t->op == OPERATION_MULTIPLY ? value + t->operand[1 - o] * size : slope + o * size;
        for (int k = 0; k < size; k++)
          to[k] = first ? NAME(product)(jet, k, w, by) : to[k] + NAME(product)(jet, k, w, by);
      } else {
        for (int k = 0; k < size; k++)
          to[k] = first ? linear * w[k] : to[k] + linear * w[k];
      }
    }
  }
}

/* derivative: for order 0 the gradient; otherwise, for each direction, the first-order coefficients and, for
 * order 2, the second-order ones. */
VEC_INLINE void NAME(sweep)(Jet jet, const Expression *e, const REAL *x, const REAL *u, REAL *value,
                            REAL *derivative, REAL *work)
{
  const int size = jet.size, n = e->nterm * size, first = jet.order > 0 ? 1 : 0;
  REAL *adjoint = work + n, *slopes = work + 2 * n;
  NAME(forward)(jet, e, x, u, work, slopes);
  *value = work[n - size];
  for (int k = 0; k < size; k++)
    adjoint[n - size + k] = (REAL){0} + (k == 0 ? 1.0 : 0.0);
  NAME(backward)(jet, e, work, slopes, adjoint);
  for (int i = 0; e->nvariable < e->nvar && i < e->nvar * (size - first); i++)
    derivative[i] = (REAL){0};
  for (int i = 0; i < e->nterm; i++)
    for (int k = first; k < size && e->term[i].op == OPERATION_VARIABLE; k++)
      derivative[(k - first) * e->nvar + e->term[i].index] = adjoint[i * size + k];
}

/* Computes values without derivatives. */
VEC_INLINE void NAME(plain)(const Expression *e, const REAL *x, REAL *value, REAL *work)
{
  int i = 0;
  do {
    const Term *t = &e->term[i];
    const REAL *a = work + t->operand[0], *b = work + t->operand[1];
    if (t->op == OPERATION_VARIABLE)
      work[i] = x[t->index];
    else if (t->scaled)
      work[i] = t->op == OPERATION_MULTIPLY ? *a * t->constant : *a / t->constant;
    else
      operation_apply(t->op, t->constant, t->index, (const double *)a, (const double *)b,
                      (double *)(work + i), (int)(sizeof(REAL) / sizeof(double)));
  } while (++i < e->nterm);
  *value = work[i - 1];
}

/* Order -1: values without derivatives. u: one direction, or NULL: all axes, for order 1. Short formulas use
 * the stack. */
static void NAME(jet)(const Expression *e, int order, const REAL *x, const REAL *u, REAL *value,
                      REAL *derivative)
{
  enum { SHORT = 512 };
  const int size = order < 1 ? 1 : order == 1 && u == NULL ? 1 + e->nvar : 1 + order;
  const size_t wanted = (size_t)size * 2 * (size_t)(e->nterm + e->nslopes);
  REAL few[SHORT], *work = wanted <= SHORT ? few : aligned_alloc(sizeof(Vec8), wanted * sizeof(Vec8));
#ifdef __clang_analyzer__ /* it misses that terms are evaluated before use */
  memset(few, 0, sizeof few);
#endif
  if (work == NULL) {
    *value = (REAL){0} + NAN;
    for (int i = 0; order >= 0 && i < e->nvar * (order == 0 ? 1 : size - 1); i++)
      derivative[i] = *value;
    return;
  }
  if (order < 0)
    NAME(plain)(e, x, value, work);
  else if (order == 0)
    NAME(sweep)((Jet){0, 1}, e, x, u, value, derivative, work);
  else if (order == 1)
    NAME(sweep)((Jet){1, size}, e, x, u, value, derivative, work);
  else
    NAME(sweep)((Jet){2, 3}, e, x, u, value, derivative, work);
  if (work != few)
    free(work);
}
