#include "observables/extremum.h"

#include <math.h>
#include <stdlib.h>

static double half(const Extremum *e) { return 0.5 * (e->to - e->from); }

static Status fit(const double *x, const double *y, const double *error, const int64_t *draws, int n,
                  Extremum *e, Error *why)
{
  const int terms = e->degree + 1;
  double *power = malloc(((size_t)n * (size_t)terms + 1) * sizeof *power);
  TRY_MEMORY(power != NULL, "a fit", why);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < terms; k++)
      power[i * terms + k] = pow((x[i] - e->centre) / half(e), k);
  const Status status = statistics_fit(power, y, error, draws, n, terms, &e->fit, why);
  free(power);
  return status;
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

/* Where the slope goes through zero from above (sign 1) or below (-1), to rounding. */
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

Status extremum_find(const double *x, const double *y, const double *error, const int64_t *draws, int n,
                     int degree, bool minimum, Extremum *e, Error *why)
{
  *e = (Extremum){.degree = degree,
                  .from = x[0],
                  .to = x[0],
                  .at = NAN,
                  .at_error = NAN,
                  .value = NAN,
                  .value_error = NAN};
  for (int i = 1; i < n; i++) {
    e->from = fmin(e->from, x[i]);
    e->to = fmax(e->to, x[i]);
  }
  e->centre = 0.5 * (e->from + e->to);
  TRY(fit(x, y, error, draws, n, e, why));
  if (e->fit.dof < 0 || e->fit.dependent)
    return STATUS_OK;
  search(e, minimum ? -1.0 : 1.0);
  if (!e->found)
    return STATUS_OK;
  e->centre = e->at; /* where the slope is a coefficient, whose error is known */
  TRY(fit(x, y, error, draws, n, e, why));
  e->value = e->fit.value[0];
  e->value_error = e->fit.error[0];
  e->at_error = half(e) * e->fit.error[1] / fabs(2.0 * e->fit.value[2]);
  return STATUS_OK;
}
