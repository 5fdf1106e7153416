/* Fits the effect of finite w and h of penalties: energy = e0 + b/w^2 + c h^2, by least squares over the
 * runs of a group, with the terms that its runs determine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/compare_private.h"

int compare_fit_has(const CompareRun *run, const char *group)
{
  return run->w > 0.0 && strcmp(run->group, group) == 0 && run->mean[0].error > 0.0 &&
         isfinite(run->mean[0].error);
}

bool compare_fit_step(const CompareFit *fit, const CompareRun *run, double h)
{
  return compare_fit_has(run, fit->group) && (!fit->with_h || fabs(run->h - h) <= 1e-9 * h);
}

double compare_fit_limit(const CompareFit *fit, double h)
{
  return fit->line.value[0] - fit->reference_energy + (fit->with_h ? fit->line.value[2] * h * h : 0.0);
}

double compare_fit_changes(const Compare *c, const CompareFit *fit, double h)
{
  const double at = -compare_fit_limit(fit, h) / fit->line.value[1]; /* 1/w^2 */
  double low = INFINITY, high = 0.0;
  for (int i = 0; i < c->n; i++)
    if (compare_fit_step(fit, &c->run[i], h)) {
      const double x = 1.0 / (c->run[i].w * c->run[i].w);
      low = fmin(low, x);
      high = fmax(high, x);
    }
  return at > low / COMPARE_FIT_BEYOND && at < high * COMPARE_FIT_BEYOND ? 1.0 / sqrt(at) : NAN;
}

typedef struct Point {
  double w, h, energy, error;
  int64_t draws;
} Point;

static Point point_of(const CompareRun *run)
{
  return (Point){run->w, run->h, run->mean[0].value, run->mean[0].error, run->mean[0].draws};
}

/* Sorts by descending w, so that the weakest penalties are at the end. */
static int by_w(const void *a, const void *b)
{
  const double x = ((const Point *)a)->w, y = ((const Point *)b)->w;
  return (x < y) - (x > y);
}

static int same(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(a); }

/* Whether the first n points have several w, and several h. */
static void what_varies(const Point *point, int n, int *with_w, int *with_h)
{
  *with_w = *with_h = 0;
  for (int i = 1; i < n; i++) {
    *with_w |= !same(point[0].w, point[i].w);
    *with_h |= isfinite(point[0].h) && isfinite(point[i].h) && !same(point[0].h, point[i].h);
  }
}

/* Fits with powers[0] of 1/w and powers[1] of h. */
static Status fit_powers(const Point *point, int n, int with_w, int with_h, const double powers[2],
                         StatisticsFit *fit, Error *error)
{
  const int terms = 1 + with_w + with_h;
  SCOPED(arena_free) Arena arena = {0};
  double *x = arena_take(&arena, (size_t)n * STATISTICS_TERMS, sizeof *x);
  double *y = arena_take(&arena, (size_t)n, sizeof *y), *e = arena_take(&arena, (size_t)n, sizeof *e);
  int64_t *draws = arena_take(&arena, (size_t)n, sizeof *draws);
  TRY(arena_check(&arena, "a fit", error));
  for (int i = 0; i < n; i++) {
    double *row = x + (size_t)i * (size_t)terms;
    *row++ = 1.0;
    if (with_w)
      *row++ = pow(point[i].w, -powers[0]);
    if (with_h)
      *row++ = pow(point[i].h, powers[1]);
    y[i] = point[i].energy;
    e[i] = point[i].error;
    draws[i] = point[i].draws;
  }
  return statistics_fit(x, y, e, draws, n, terms, fit, error);
}

static Status fit_points(const Point *point, int n, int with_w, int with_h, StatisticsFit *fit, Error *error)
{
  const double second_order[2] = {2.0, 2.0};
  return fit_powers(point, n, with_w, with_h, second_order, fit, error);
}

static int distinct(const Point *point, int n, int of_h)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    int before = 0;
    for (int k = 0; k < i; k++)
      before |= of_h ? same(point[k].h, point[i].h) : same(point[k].w, point[i].w);
    count += !before;
  }
  return count;
}

/* Finds the power with the least chi2; its error is where chi2 rises by 1. None if that exceeds the range
 * tried. */
static Status find_order(CompareFit *fit, const Point *point, int n, int of_h, Error *error)
{
  enum { TRIED = 141 };
  const double first = 0.5, step = 0.025;
  double chi2[TRIED];
  int best = 0, low, high;
  fit->order[of_h] = fit->order_error[of_h] = NAN;
  if (!(of_h ? fit->with_h : fit->with_w) || distinct(point, n, of_h) < 3 ||
      n < 2 + fit->with_w + fit->with_h)
    return STATUS_OK;
  for (int k = 0; k < TRIED; k++) {
    double powers[2] = {2.0, 2.0};
    powers[of_h] = first + step * k;
    StatisticsFit at;
    TRY(fit_powers(point, n, fit->with_w, fit->with_h, powers, &at, error));
    if (at.dependent)
      return STATUS_OK;
    chi2[k] = at.dof > 0 ? at.chi2 : NAN;
    best = chi2[k] < chi2[best] ? k : best;
  }
  for (low = best; low > 0 && chi2[low] < chi2[best] + 1.0;)
    low--;
  for (high = best; high + 1 < TRIED && chi2[high] < chi2[best] + 1.0;)
    high++;
  if (!(chi2[low] >= chi2[best] + 1.0 && chi2[high] >= chi2[best] + 1.0))
    return STATUS_OK;
  fit->order[of_h] = first + step * best;
  fit->order_error[of_h] = 0.5 * step * (high - low);
  return STATUS_OK;
}

/* Leaves out the points of smallest w while chi2 rejects the fit, as long as enough points remain for all
 * terms. */
static Status fit_group(CompareFit *fit, const Point *point, int n, Error *error)
{
  fit->n = n;
  what_varies(point, n, &fit->with_w, &fit->with_h);
  TRY(fit_points(point, n, fit->with_w, fit->with_h, &fit->all, error));
  fit->line = fit->all;
  int left = n;
  while (fit->with_w && fit->line.p < 0.01 && fit->line.dof > 0) {
    StatisticsFit fewer;
    int with_w, with_h;
    const double weakest = point[left - 1].w;
    while (left > 0 && same(point[left - 1].w, weakest))
      left--;
    what_varies(point, left, &with_w, &with_h);
    if (with_w != fit->with_w || with_h != fit->with_h)
      break;
    TRY(fit_points(point, left, with_w, with_h, &fewer, error));
    if (fewer.dof < 0 || fewer.dependent)
      break;
    fit->left_out = n - left;
    fit->line = fewer;
  }
  for (int of_h = 0; of_h < 2; of_h++)
    TRY(find_order(fit, point, n - fit->left_out, of_h, error));
  return STATUS_OK;
}

static int64_t whole_draws(double draws) { return (int64_t)fmin(draws, 1e9); }

/* The reference: the first constrained run, or, if the fit has a term in h and constrained runs have
 * several steps, their line in h^2 at h = 0. */
static Status find_reference(const Compare *c, CompareFit *fit, Point *point, Error *error)
{
  int n = 0, with_w, with_h;
  fit->reference = -1;
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    if (!isnan(run->w) || !(run->mean[0].error > 0.0) || run->too_few[0] != '\0')
      continue;
    if (fit->reference < 0)
      fit->reference = i;
    point[n] = point_of(run);
    point[n++].w = 1.0;
  }
  if (n == 0)
    return STATUS_OK;
  fit->reference_energy = c->run[fit->reference].mean[0].value;
  fit->reference_error = c->run[fit->reference].mean[0].error;
  fit->reference_draws = c->run[fit->reference].mean[0].draws;
  what_varies(point, n, &with_w, &with_h);
  if (!fit->with_h || !with_h)
    return STATUS_OK;
  StatisticsFit line;
  TRY(fit_points(point, n, 0, 1, &line, error));
  if (line.dof >= 0 && !line.dependent) {
    fit->extrapolated = 1;
    fit->reference_energy = line.value[0];
    fit->reference_error = line.error[0];
    fit->reference_draws = whole_draws(line.draws[0]);
  }
  return STATUS_OK;
}

/* Fits the group whose first member is run i. */
static Status add_fit(Compare *c, int i, Point *point, Error *error)
{
  CompareFit *fit = &c->fit[c->nfit];
  int n = 0;
  *fit = (CompareFit){.group = c->run[i].group,
                      .reference = -1,
                      .p = NAN,
                      .adjusted = NAN,
                      .within = {NAN, NAN, NAN},
                      .within_adjusted = NAN};
  for (int k = 0; k < c->n; k++)
    if (compare_fit_has(&c->run[k], fit->group)) {
      point[n++] = point_of(&c->run[k]);
      fit->unsound |= c->run[k].too_few[0] != '\0';
    }
  qsort(point, (size_t)n, sizeof *point, by_w);
  TRY(fit_group(fit, point, n, error));
  if (!fit->with_w && !fit->with_h)
    return STATUS_OK; /* nothing to fit */
  c->nfit++;
  const int good = fit->line.dof >= 0 && !fit->line.dependent;
  if (good)
    TRY(find_reference(c, fit, point, error));
  if (good && fit->reference >= 0 && fit->with_w && !fit->unsound) {
    fit->at_infinity =
        verdict_difference(fit->reference_energy, fit->reference_error, fit->reference_draws,
                           fit->line.value[0], fit->line.error[0], whole_draws(fit->line.draws[0]));
    fit->p = fit->at_infinity.p;
  }
  return STATUS_OK;
}

Status compare_fit_all(Compare *c, Error *error)
{
  SCOPED(scoped_free) Point *point = malloc((size_t)c->n * sizeof *point);
  c->fit = calloc((size_t)c->n, sizeof *c->fit);
  TRY_MEMORY(point != NULL && c->fit != NULL, "fits", error);
  for (int i = 0; i < c->n; i++) {
    int first = compare_fit_has(&c->run[i], c->run[i].group);
    for (int k = 0; k < i; k++)
      first = first && !compare_fit_has(&c->run[k], c->run[i].group);
    if (first)
      TRY(add_fit(c, i, point, error));
  }
  return STATUS_OK;
}
