#include "gallery/curvature.h"

#include <math.h>

/* |t' Hess g t| / |grad g| at q[2], t the unit tangent. NaN where the gradient is less than a thousandth of
 * the Hessian (per unit of length): so near a singular point of the curve, its direction and what comes of it
 * have lost their digits. */
static double curvature(const Kind *kind, const double *q)
{
  const Constraint *c = &kind->con[0];
  const Octet at[2] = {octet_set(q[0]), octet_set(q[1])};
  Octet g, grad[2], hess[4];
  c->type->eval(c, 2, at, &g, grad);
  c->type->hess(c, 2, at, hess);
  const double gx = grad[0][0], gy = grad[1][0], size = hypot(gx, gy), tx = -gy / size, ty = gx / size;
  const double bend = fabs(hess[0][0]) + 2.0 * fabs(hess[1][0]) + fabs(hess[3][0]);
  if (!(size > 1e-3 * bend))
    return NAN;
  return fabs(tx * tx * hess[0][0] + 2.0 * tx * ty * hess[1][0] + ty * ty * hess[3][0]) / size;
}

void curvature_lateral(const Kind *kind, const Orbit *orbit, double *a, double *exact)
{
  const double *x = orbit_q(orbit, 0), *y = orbit_q(orbit, 1), v2 = 2.0 * orbit->energy[0].kinetic;
  for (int i = 0; i < orbit->n; i++) {
    const double here[2] = {x[i], y[i]};
    exact[i] = v2 * curvature(kind, here);
    a[i] = NAN;
    if (i == 0 || i + 1 == orbit->n)
      continue;
    const double h = orbit->t[i + 1] - orbit->t[i];
    a[i] = hypot(x[i + 1] - 2.0 * x[i] + x[i - 1], y[i + 1] - 2.0 * y[i] + y[i - 1]) / (h * h);
  }
}
