#include "engine/coordinate_pairs.h"

#include <math.h>

/* 1 + u + ... + u^(n-1), and its derivative. */
static double geometric(int n, double u, double *derivative)
{
  double sum = 1.0, by = 0.0;
  for (int k = 1; k < n; k++) {
    by = by * u + sum;
    sum = sum * u + 1.0;
  }
  *derivative = by;
  return sum;
}

static double coordinate_pairs_coordination(const CoordinateContacts *c, double square, double *slope)
{
  const double u2 = square / (c->radius * c->radius), u = sqrt(u2);
  if (c->m == 2 * c->n) { /* 1/(1 + u^n) */
    double power = c->n % 2 == 0 ? 1.0 : u;
    for (int k = 0; k < c->n / 2; k++)
      power *= u2;
    const double s = 1.0 / (1.0 + power);
    *slope = square > 0.0 ? -c->n * power * s * s / square : 0.0;
    return s;
  }
  double up, down;
  const double above = geometric(c->n, u, &up), below = geometric(c->m, u, &down), s = above / below;
  *slope = square > 0.0 ? (up - s * down) / (below * c->radius * sqrt(square)) : 0.0;
  return s;
}

double coordinate_pairs_value(CoordinateForm form, const CoordinateContacts *contacts, double square,
                              double *slope)
{
  switch (form) {
#define VALUE_MANY(id)     __builtin_unreachable()
#define VALUE_COMPOSED(id) __builtin_unreachable()
#define VALUE_FIRST(id)    __builtin_unreachable()
#define VALUE_SECOND(id)   __builtin_unreachable()
#define VALUE_PAIRS(id)    return coordinate_pairs_##id(contacts, square, slope)
#define COORDINATE(FORM, id, sites, derivatives, ...)                                                        \
  case COORDINATE_##FORM:                                                                                    \
    VALUE_##derivatives(id);
#include "engine/coordinates.def"
  default:
    __builtin_unreachable();
  }
}
