/* The operations that formulas are made of, and what each does to numbers. Written once for one number and
 * for the lanes of a pack, so that both give the same bits. Private to the formulas (algebra.h,
 * expression.c). */
#ifndef HOLONOM_ENGINE_OPERATION_H
#define HOLONOM_ENGINE_OPERATION_H

#include <math.h>
#include <string.h>

#include "engine/octet.h"

typedef enum Operation {
  OPERATION_CONSTANT,
  OPERATION_VARIABLE,
  OPERATION_NEGATE,
  OPERATION_ADD,
  OPERATION_SUBTRACT,
  OPERATION_MULTIPLY,
  OPERATION_DIVIDE,
  OPERATION_POWER,     /* a^c, c a constant: multiplications and a root where 2c is a small integer */
  OPERATION_ABS_POWER, /* |a|^c sign(a)^k, k = 0 or 1: with c = 1 and 0 these are abs and sign       */
  OPERATION_POWER_LOG, /* a^b log(a)^k: closed under differentiation                                 */
  OPERATION_SELECT,    /* a > 0 ? b : c                                                              */
  OPERATION_EXP,
  OPERATION_LOG,
  OPERATION_SIN,
  OPERATION_COS,
  OPERATION_TAN,
  OPERATION_ASIN,
  OPERATION_ACOS,
  OPERATION_ATAN,
  OPERATION_SINH,
  OPERATION_COSH,
  OPERATION_TANH,
  OPERATION_MIN,
  OPERATION_MAX,
  OPERATION_ATAN2
} Operation;

enum { OPERATION_EXPONENT = 64 }; /* the largest exponent that is multiplied out */

/* out = a^c; out and a may be the same. */
VEC_INLINE void operation_power(const double *a, double c, double *out, const int lanes)
{
  const double size = fabs(c);
  if (size > OPERATION_EXPONENT || 2.0 * size != rint(2.0 * size)) {
    for (int l = 0; l < lanes; l++)
      out[l] = pow(a[l], c);
    return;
  }
  double square[LANES], product[LANES];
  const unsigned whole = (unsigned)size;
  for (int l = 0; l < lanes; l++) {
    square[l] = a[l];
    product[l] = size > (double)whole ? sqrt(a[l]) : 1.0;
  }
  for (unsigned n = whole; n > 0; n >>= 1)
    for (int l = 0; l < lanes; l++) {
      product[l] *= n & 1 ? square[l] : 1.0;
      square[l] *= square[l];
    }
  for (int l = 0; l < lanes; l++)
    out[l] = c < 0.0 ? 1.0 / product[l] : product[l];
}

/* At a = 0 the odd ones (k = 1) are zero whatever the exponent: the mean of both sides. */
VEC_INLINE void operation_abs_power(const double *a, double c, int k, double *out, const int lanes)
{
  for (int l = 0; l < lanes; l++)
    out[l] = fabs(a[l]);
  operation_power(out, c, out, lanes);
  for (int l = 0; k == 1 && l < lanes; l++)
    out[l] = a[l] == 0.0 ? 0.0 : copysign(out[l], a[l]);
}

/* a^b log(a)^k; its limit 0 at a = 0 where b > 0. */
static inline double operation_power_log(double a, double b, int k)
{
  double value = pow(a, b);
  if (k > 0 && a == 0.0 && b > 0.0)
    return 0.0;
  for (int i = 0; i < k; i++)
    value *= log(a);
  return value;
}

#define OPERATION_EACH(value)                                                                                \
  for (int l = 0; l < lanes; l++)                                                                            \
    t[l] = value;                                                                                            \
  break

/* result[lanes] of one operation; constant c and number k are its own, a, b and s its operands. */
VEC_INLINE void operation_apply(Operation op, double c, int k, const double *a, const double *b,
                                const double *s, double *result, const int lanes)
{
  double t[LANES];
  switch (op) {
  case OPERATION_CONSTANT:
  case OPERATION_VARIABLE:
    OPERATION_EACH(c);
  case OPERATION_NEGATE:
    OPERATION_EACH(-a[l]);
  case OPERATION_ADD:
    OPERATION_EACH(a[l] + b[l]);
  case OPERATION_SUBTRACT:
    OPERATION_EACH(a[l] - b[l]);
  case OPERATION_MULTIPLY:
    OPERATION_EACH(a[l] * b[l]);
  case OPERATION_DIVIDE:
    OPERATION_EACH(a[l] / b[l]);
  case OPERATION_POWER:
    operation_power(a, c, t, lanes);
    break;
  case OPERATION_ABS_POWER:
    operation_abs_power(a, c, k, t, lanes);
    break;
  case OPERATION_POWER_LOG:
    OPERATION_EACH(operation_power_log(a[l], b[l], k));
  case OPERATION_SELECT:
    OPERATION_EACH(a[l] > 0.0 ? b[l] : s[l]);
  case OPERATION_EXP:
    OPERATION_EACH(exp(a[l]));
  case OPERATION_LOG:
    OPERATION_EACH(log(a[l]));
  case OPERATION_SIN:
    OPERATION_EACH(sin(a[l]));
  case OPERATION_COS:
    OPERATION_EACH(cos(a[l]));
  case OPERATION_TAN:
    OPERATION_EACH(tan(a[l]));
  case OPERATION_ASIN:
    OPERATION_EACH(asin(a[l]));
  case OPERATION_ACOS:
    OPERATION_EACH(acos(a[l]));
  case OPERATION_ATAN:
    OPERATION_EACH(atan(a[l]));
  case OPERATION_SINH:
    OPERATION_EACH(sinh(a[l]));
  case OPERATION_COSH:
    OPERATION_EACH(cosh(a[l]));
  case OPERATION_TANH:
    OPERATION_EACH(tanh(a[l]));
  case OPERATION_MIN:
    OPERATION_EACH(a[l] < b[l] ? a[l] : b[l]);
  case OPERATION_MAX:
    OPERATION_EACH(a[l] > b[l] ? a[l] : b[l]);
  case OPERATION_ATAN2:
    OPERATION_EACH(atan2(a[l], b[l]));
  default:
    OPERATION_EACH(NAN);
  }
  memcpy(result, t, (size_t)lanes * sizeof *t);
}
#undef OPERATION_EACH

#endif
