#include "observables/extremum.h"

#include <math.h>

#include "base/arena.h"

static double half(const Extremum *e) { return 0.5 * (e->to - e->from); }

/* The powers, or their derivatives by x, at a point. */
static void fill_powers(const Extremum *e, double x, bool slope, double *power)
{
  const double u = (x - e->centre) / half(e);
  for (int k = 0; k <= e->degree; k++)
    power[k] = slope ? (k > 0 ? k * pow(u, k - 1) / half(e) : 0.0) : pow(u, k);
}

/* One row for each point and for each known slope. */
static Status fit(const ExtremumPoints *points, Extremum *e, Error *why)
{
  const int terms = e->degree + 1;
  const size_t most = 2 * (size_t)points->n;
  SCOPED(arena_free) Arena arena = {0};
  double *power = arena_take(&arena, most * (size_t)terms, sizeof *power);
  double *y = arena_take(&arena, most, sizeof *y), *error = arena_take(&arena, most, sizeof *error);
  int64_t *draws = arena_take(&arena, most, sizeof *draws);
  TRY(arena_check(&arena, "a fit", why));
  int n = 0;
  for (int slope = 0; slope < 2; slope++) {
    const double *const value = slope ? points->slope : points->y;
    const int64_t *const behind = slope ? points->slope_draws : points->draws;
    for (int i = 0; i < points->n && value != NULL; i++) {
      if (isnan(value[i]))
        continue;
      fill_powers(e, points->x[i], slope != 0, power + n * terms);
      y[n] = value[i];
      error[n] = slope ? points->slope_error[i] : points->error[i];
      draws[n++] = behind != NULL ? behind[i] : 0; /* 0: exact */
    }
  }
  return statistics_fit(power, y, error, draws, n, terms, &e->fit, why);
}

/* Derivatives by (x - centre)/half. */
static double derivative(const Extremum *e, int order, double x)
{
  const double u = (x - e->centre) / half(e);
  double sum = 0.0;
  for (int k = order; k <= e->degree; k++) {
    double factor = e->fit.value[k] * pow(u, k - order);
    for (int j = 0; j < order; j++)
      factor *= k - j;
    sum += factor;
  }
  return sum;
}

double extremum_curve(const Extremum *e, double x) { return derivative(e, 0, x); }

/* The zero of the slope, which falls (sign 1) or rises (-1), to rounding. */
static double bisect(const Extremum *e, double low, double high, double sign)
{
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    *(sign * derivative(e, 1, middle) > 0.0 ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

static void search(Extremum *e, double sign)
{
  enum { STEPS = 1000 };
  double at = e->from;
  for (int i = 1; i <= STEPS; i++) {
    const double next = e->from + (e->to - e->from) * i / STEPS;
    if (sign * derivative(e, 1, at) > 0.0 && sign * derivative(e, 1, next) <= 0.0) {
      const double x = bisect(e, at, next, sign);
      if (!e->found || sign * (extremum_curve(e, x) - extremum_curve(e, e->at)) > 0.0)
        e->at = x;
      e->found = true;
    }
    at = next;
  }
}

Status extremum_find(const ExtremumPoints *points, int degree, bool minimum, Extremum *e, Error *why)
{
  *e = (Extremum){.degree = degree,
                  .from = points->x[0],
                  .to = points->x[0],
                  .at = NAN,
                  .at_error = NAN,
                  .value = NAN,
                  .value_error = NAN};
  for (int i = 1; i < points->n; i++) {
    e->from = fmin(e->from, points->x[i]);
    e->to = fmax(e->to, points->x[i]);
  }
  e->centre = 0.5 * (e->from + e->to);
  TRY(fit(points, e, why));
  if (e->fit.dof < 0 || e->fit.dependent)
    return STATUS_OK;
  search(e, minimum ? -1.0 : 1.0);
  if (!e->found)
    return STATUS_OK;
  e->centre = e->at; /* there the slope is a coefficient with a known error */
  TRY(fit(points, e, why));
  e->value = e->fit.value[0];
  e->value_error = e->fit.error[0];
  e->at_error = half(e) * e->fit.error[1] / fabs(2.0 * e->fit.value[2]);
  return STATUS_OK;
}
