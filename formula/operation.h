/* The operations of formulas and their partial derivatives: one implementation for a number and for the lanes
 * of a pack, with equal bits. Private to the formulas (algebra.h, expression.c). */
#ifndef HOLONOM_FORMULA_OPERATION_H
#define HOLONOM_FORMULA_OPERATION_H

#include <math.h>
#include <stdbool.h>

#include "engine/vec8.h"

typedef enum Operation {
  OPERATION_CONSTANT,
  OPERATION_VARIABLE,
  OPERATION_NEGATE,
  OPERATION_ADD,
  OPERATION_SUBTRACT,
  OPERATION_MULTIPLY,
  OPERATION_DIVIDE,
  OPERATION_POWER,         /* a^c, c a constant: multiplications and a root if 2c is a small integer */
  OPERATION_ABS_POWER,     /* |a|^c sign(a)^k, k = 0 or 1: abs is c = 1, k = 0; sign is c = 0, k = 1 */
  OPERATION_GENERAL_POWER, /* a^b */
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

/* EXPONENT: the largest exponent evaluated by multiplications. PARTIALS: number of partial derivatives of a
 * function of two up to third order; d^(i+j) f/da^i db^j is at OPERATION_PARTIAL(i, j), with the function
 * itself at 0. */
enum { OPERATION_EXPONENT = 64, OPERATION_PARTIALS = 10 };
#define OPERATION_PARTIAL(i, j) (((i) + (j)) * ((i) + (j) + 1) / 2 + (j))

/* out = a^c; out may be a. */
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

/* Odd functions (k = 1) are zero at a = 0 for any exponent: the mean of both sides. */
VEC_INLINE void operation_abs_power(const double *a, double c, int k, double *out, const int lanes)
{
  double size[LANES];
  for (int l = 0; l < lanes; l++)
    size[l] = fabs(a[l]);
  operation_power(size, c, out, lanes);
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
    out[l] = value;                                                                                          \
  break

/* Computes out[lanes] of one operation, with its constant c and number k, and operands a and b, which must
 * not be out. */
VEC_INLINE void operation_apply(Operation op, double c, int k, const double *a, const double *b, double *out,
                                const int lanes)
{
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
    operation_power(a, c, out, lanes);
    break;
  case OPERATION_ABS_POWER:
    operation_abs_power(a, c, k, out, lanes);
    break;
  case OPERATION_GENERAL_POWER:
    OPERATION_EACH(pow(a[l], b[l]));
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
}
#undef OPERATION_EACH

/* Derivatives of a^c and |a|^c sign(a)^k: c (c - 1) ... times a lower power, and zero if that factor is zero.
 * d[n] is of order n + 1. */
VEC_INLINE void operation_power_slopes(bool absolute, double c, int k, const double *a, int order,
                                       double (*d)[LANES], const int lanes)
{
  double factor = 1.0;
  for (int n = 1; n <= order; n++) {
    factor *= c - (n - 1);
    if (absolute)
      operation_abs_power(a, c - n, (k + n) % 2, d[n - 1], lanes);
    else
      operation_power(a, c - n, d[n - 1], lanes);
    for (int l = 0; l < lanes; l++)
      d[n - 1][l] = factor == 0.0 ? 0.0 : factor * d[n - 1][l];
  }
}

/* The first three derivatives of a function f of one operand. */
static inline void operation_slopes(Operation op, double a, double f, double d[3])
{
  double r;
  switch (op) {
  case OPERATION_EXP:
    d[0] = d[1] = d[2] = f;
    return;
  case OPERATION_LOG:
    d[0] = 1.0 / a;
    d[1] = -d[0] * d[0];
    d[2] = -2.0 * d[0] * d[1];
    return;
  case OPERATION_SIN:
  case OPERATION_COS:
    d[0] = op == OPERATION_SIN ? cos(a) : -sin(a);
    d[1] = -f;
    d[2] = -d[0];
    return;
  case OPERATION_TAN:
    d[0] = 1.0 + f * f;
    d[1] = 2.0 * f * d[0];
    d[2] = (2.0 + 6.0 * f * f) * d[0];
    return;
  case OPERATION_ASIN:
  case OPERATION_ACOS:
    r = 1.0 / (1.0 - a * a);
    d[0] = (op == OPERATION_ASIN ? 1.0 : -1.0) * sqrt(r);
    d[1] = a * r * d[0];
    d[2] = (1.0 + 2.0 * a * a) * r * r * d[0];
    return;
  case OPERATION_ATAN:
    d[0] = 1.0 / (1.0 + a * a);
    d[1] = -2.0 * a * d[0] * d[0];
    d[2] = (6.0 * a * a - 2.0) * d[0] * d[0] * d[0];
    return;
  case OPERATION_SINH:
  case OPERATION_COSH:
    d[0] = d[2] = op == OPERATION_SINH ? cosh(a) : sinh(a);
    d[1] = f;
    return;
  case OPERATION_TANH:
    d[0] = 1.0 - f * f;
    d[1] = -2.0 * f * d[0];
    d[2] = (6.0 * f * f - 2.0) * d[0];
    return;
  default:
    d[0] = d[1] = d[2] = NAN;
  }
}

/* d^i/da^i d^j/db^j a^b = a^(b-i) times a polynomial in log(a). */
static inline double operation_power_partial(double a, double b, int i, int j)
{
  double c[4] = {0.0}, sum = 0.0;
  c[j] = 1.0;
  for (int n = 0; n < i; n++) /* acting on c log(a)^k a^(b-n) */
    for (int k = 0; k <= j; k++)
      c[k] = c[k] * (b - n) + (k < j ? (k + 1) * c[k + 1] : 0.0);
  for (int k = 0; k <= j; k++)
    sum += c[k] == 0.0 ? 0.0 : c[k] * operation_power_log(a, b - i, k);
  return sum;
}

/* The angle of (b, a) is the imaginary part of log(b + ia). Its derivatives are those of powers of 1/(b + ia)
 * = x - iy. */
static inline void operation_angle_partials(double a, double b, double *d, const int lanes)
{
  const double r = 1.0 / (a * a + b * b), x = b * r, y = a * r;
  const double xx = x * x - y * y, xy = 2.0 * x * y;
  const double re = 2.0 * (xx * x - xy * y), im = 2.0 * (xx * y + xy * x);
  const double value[OPERATION_PARTIALS] = {0.0, x, -y, -xy, -xx, xy, -re, im, re, -im};
  for (int n = 1; n < OPERATION_PARTIALS; n++)
    d[n * lanes] = value[n];
}

/* The partial derivatives of one operation other than + - * /, of orders 1 to `order` (at most 3),
 * part[.][lanes] by OPERATION_PARTIAL. part[0] is its value. */
VEC_INLINE void operation_partials(Operation op, double c, int k, const double *a, const double *b, int order,
                                   double *part, const int lanes)
{
  double d[3][LANES];
  switch (op) {
  case OPERATION_ATAN2:
    for (int l = 0; l < lanes; l++)
      operation_angle_partials(a[l], b[l], part + l, lanes);
    return;
  case OPERATION_GENERAL_POWER:
    for (int n = 1; n <= order; n++)
      for (int j = 0; j <= n; j++)
        for (int l = 0; l < lanes; l++)
          part[OPERATION_PARTIAL(n - j, j) * lanes + l] = operation_power_partial(a[l], b[l], n - j, j);
    return;
  case OPERATION_MIN:
  case OPERATION_MAX:
    for (int n = 1; n < OPERATION_PARTIALS; n++)
      for (int l = 0; l < lanes; l++) {
        const bool first = op == OPERATION_MIN ? a[l] < b[l] : a[l] > b[l];
        part[n * lanes + l] = n == (first ? 1 : 2) ? 1.0 : 0.0;
      }
    return;
  case OPERATION_POWER:
  case OPERATION_ABS_POWER:
    operation_power_slopes(op == OPERATION_ABS_POWER, c, k, a, order, d, lanes);
    break;
  default:
    for (int l = 0; l < lanes; l++) {
      double slope[3];
      operation_slopes(op, a[l], part[l], slope);
      for (int n = 0; n < 3; n++)
        d[n][l] = slope[n];
    }
  }
  for (int n = 1; n <= order; n++)
    for (int l = 0; l < lanes; l++)
      part[OPERATION_PARTIAL(n, 0) * lanes + l] = d[n - 1][l];
}

#endif
