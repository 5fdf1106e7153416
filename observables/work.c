#include "observables/work.h"

#include <math.h>
#include <stdlib.h>

#include "base/scoped.h"

/* Changes that an estimate leaves out: every `blocks`-th one of a direction, from `block` on. */
typedef struct LeftOut {
  int direction, block, blocks; /* direction WORK_DIRECTIONS: none is left out */
} LeftOut;

static const LeftOut none = {WORK_DIRECTIONS, 0, 1};

/* The most blocks of the jackknife, which bounds its time. */
enum { BLOCKS = 100 };

static int blocks_of(const WorkPath *p, int direction)
{
  return p->n[direction] < BLOCKS ? p->n[direction] : BLOCKS;
}

static bool has(const LeftOut *out, int direction, int i)
{
  return direction != out->direction || i % out->blocks != out->block;
}

static int count(const WorkPath *p, const LeftOut *out, int direction)
{
  int n = 0;
  for (int i = 0; i < p->n[direction]; i++)
    n += has(out, direction, i);
  return n;
}

/* The work of a whole change, in its own direction. */
static double whole(const WorkPath *p, int direction, int i) { return p->work[direction][i][p->points]; }

/* The work along the path up to a point, of a change backwards in reversed time. */
static double along(const WorkPath *p, int direction, int i, int point)
{
  const double *const work = p->work[direction][i];
  return direction == WORK_FORWARDS ? work[point] : work[p->points - point] - work[p->points];
}

/* --- estimates ------------------------------------------------------------------------------------------ */

static double mean_of(const WorkPath *p, const LeftOut *out, int direction)
{
  double sum = 0.0;
  for (int i = 0; i < p->n[direction]; i++)
    sum += has(out, direction, i) ? whole(p, direction, i) : 0.0;
  return sum / count(p, out, direction);
}

/* -kT ln <exp(-W/kT)>, from the least work, so that nothing overflows. */
static double exponential(const WorkPath *p, const LeftOut *out, int direction)
{
  double least = INFINITY, sum = 0.0;
  for (int i = 0; i < p->n[direction]; i++)
    if (has(out, direction, i))
      least = fmin(least, whole(p, direction, i));
  for (int i = 0; i < p->n[direction]; i++)
    if (has(out, direction, i))
      sum += exp((least - whole(p, direction, i)) / p->kT);
  const double average = least - p->kT * log(sum / count(p, out, direction));
  return direction == WORK_FORWARDS ? average : -average;
}

/* The sum of Fermi functions 1/(1 + exp((W - F)/kT + shift)) over changes one way, with F of that way. Adds
 * its derivative by F/kT to *slope. */
static double fermi(const WorkPath *p, const LeftOut *out, int direction, double free, double shift,
                    double *slope)
{
  double sum = 0.0;
  for (int i = 0; i < p->n[direction]; i++)
    if (has(out, direction, i)) {
      const double one = 1.0 / (1.0 + exp((whole(p, direction, i) - free) / p->kT + shift));
      sum += one;
      *slope += one * (1.0 - one);
    }
  return sum;
}

/* Bennett's equation is monotonic in the free energy: Newton's steps, or bisection where they leave the
 * bracket. */
static double bennett(const WorkPath *p, const LeftOut *out)
{
  const int n = count(p, out, WORK_FORWARDS), m = count(p, out, WORK_BACKWARDS);
  if (n == 0 || m == 0)
    return NAN;
  double low = INFINITY, high = -INFINITY;
  for (int d = 0; d < WORK_DIRECTIONS; d++)
    for (int i = 0; i < p->n[d]; i++) {
      low = fmin(low, along(p, d, i, p->points));
      high = fmax(high, along(p, d, i, p->points));
    }
  const double ratio = log((double)n / m), beyond = (fabs(ratio) + 1.0) * p->kT;
  low -= beyond;
  high += beyond;
  double f = 0.5 * (low + high), step = INFINITY;
  while (fabs(step) > 1e-13 * (p->kT + fabs(f)) && high - low > 1e-13 * (p->kT + fabs(f))) {
    double slope = 0.0;
    const double excess =
        fermi(p, out, WORK_FORWARDS, f, ratio, &slope) - fermi(p, out, WORK_BACKWARDS, -f, -ratio, &slope);
    *(excess < 0.0 ? &low : &high) = f;
    step = -excess / slope * p->kT;
    if (!(f + step > low && f + step < high))
      step = 0.5 * (low + high) - f;
    f += step;
  }
  return f;
}

static double best(const WorkPath *p, const LeftOut *out)
{
  return p->n[WORK_BACKWARDS] > 0 ? bennett(p, out) : exponential(p, out, WORK_FORWARDS);
}

/* --- along the path ------------------------------------------------------------------------------------- */

/* All changes are a sample of those forwards with weights 1/(n + m exp(-(W - F)/kT)), where W of changes
 * backwards is that in reversed time. Computes the logarithms of the weights. */
static void weigh(const WorkPath *p, const LeftOut *out, double *weight)
{
  const int n = count(p, out, WORK_FORWARDS), m = count(p, out, WORK_BACKWARDS);
  const double end = m > 0 ? bennett(p, out) : 0.0;
  for (int d = 0, k = 0; d < WORK_DIRECTIONS; d++)
    for (int i = 0; i < p->n[d]; i++, k++) {
      const double other = (end - along(p, d, i, p->points)) / p->kT + log(m); /* m = 0: -inf */
      const double most = fmax(log(n), other), least = fmin(log(n), other);
      weight[k] = has(out, d, i) ? -most - log1p(exp(least - most)) : -INFINITY;
    }
}

/* The free energy at a point of the path. */
static double free_at(const WorkPath *p, const double *weight, int point)
{
  double most = -INFINITY, sum = 0.0;
  for (int d = 0, k = 0; d < WORK_DIRECTIONS; d++)
    for (int i = 0; i < p->n[d]; i++, k++)
      most = fmax(most, weight[k] - along(p, d, i, point) / p->kT);
  for (int d = 0, k = 0; d < WORK_DIRECTIONS; d++)
    for (int i = 0; i < p->n[d]; i++, k++)
      sum += exp(weight[k] - along(p, d, i, point) / p->kT - most);
  return -p->kT * (most + log(sum));
}

static void profile(const WorkPath *p, const WorkCoordinate *c, const LeftOut *out, double *scratch,
                    double *free)
{
  (void)c;
  weigh(p, out, scratch);
  for (int t = 0; t <= p->points; t++)
    free[t] = free_at(p, scratch, t);
}

/* At each point, changes with their weights and exp(-(w - F)/kT) are a sample of equilibrium with V of the
 * point. The points are joined as the histograms of equal numbers of samples. scratch: also [bins]. */
static void density(const WorkPath *p, const WorkCoordinate *c, const LeftOut *out, double *scratch,
                    double *free)
{
  double *const weight = scratch + c->bins, total = 0.0;
  weigh(p, out, weight);
  for (int b = 0; b < c->bins; b++)
    scratch[b] = free[b] = 0.0;
  for (int t = 0; t <= p->points; t++) {
    const double here = free_at(p, weight, t);
    for (int b = 0; b < c->bins; b++)
      scratch[b] += c->factor[(ptrdiff_t)t * c->bins + b] * exp(here / p->kT);
    for (int d = 0, k = 0; d < WORK_DIRECTIONS; d++)
      for (int i = 0; i < p->n[d]; i++, k++) {
        const int bin = c->bin[d][i][d == WORK_FORWARDS ? t : p->points - t];
        if (bin >= 0)
          free[bin] += exp(weight[k] + (here - along(p, d, i, t)) / p->kT);
      }
  }
  for (int b = 0; b < c->bins; b++) {
    free[b] = free[b] > 0.0 ? free[b] / scratch[b] : 0.0;
    total += free[b];
  }
  for (int b = 0; b < c->bins; b++)
    free[b] = free[b] > 0.0 ? -p->kT * log(free[b] / total) : NAN;
}

/* --- errors --------------------------------------------------------------------------------------------- */

/* Estimates with each block left out; those of one direction are groups of their own. */
typedef struct Jackknife {
  int values, groups[WORK_DIRECTIONS];
  double *without; /* [groups of both][values] */
} Jackknife;

static Status jackknife_create(Jackknife *j, const WorkPath *p, int values, Error *error)
{
  *j = (Jackknife){values, {blocks_of(p, WORK_FORWARDS), blocks_of(p, WORK_BACKWARDS)}, NULL};
  j->without = calloc((size_t)(j->groups[0] + j->groups[1]) * (size_t)values + 1, sizeof *j->without);
  return j->without != NULL ? STATUS_OK : error_memory(error, "estimates of free energies");
}

static void jackknife_free(Jackknife *j) { free(j->without); }

static double *row_of(const Jackknife *j, int direction, int group)
{
  return j->without + (ptrdiff_t)(direction * j->groups[0] + group) * j->values;
}

static double variance(const Jackknife *j, int direction, int value)
{
  const int n = j->groups[direction];
  double mean = 0.0, sum = 0.0;
  for (int g = 0; g < n; g++)
    mean += row_of(j, direction, g)[value] / n;
  for (int g = 0; g < n; g++)
    sum += pow(row_of(j, direction, g)[value] - mean, 2);
  return n > 1 ? sum * (n - 1) / n : NAN;
}

/* The error of a value that depends on changes of these directions. */
static WorkValue with_error(const Jackknife *j, int value, double best_value, bool forwards, bool backwards)
{
  const double sum = (forwards ? variance(j, WORK_FORWARDS, value) : 0.0) +
                     (backwards ? variance(j, WORK_BACKWARDS, value) : 0.0);
  return (WorkValue){best_value, isfinite(best_value) ? sqrt(sum) : NAN};
}

typedef void Compute(const WorkPath *, const WorkCoordinate *, const LeftOut *, double *scratch, double *to);

static void fill_groups(const Jackknife *j, const WorkPath *p, const WorkCoordinate *c, Compute *compute,
                        double *scratch)
{
  for (int d = 0; d < WORK_DIRECTIONS; d++)
    for (int g = 0; g < j->groups[d]; g++) {
      const LeftOut out = {d, g, j->groups[d]};
      compute(p, c, &out, scratch, row_of(j, d, g));
    }
}

/* --- results -------------------------------------------------------------------------------------------- */

enum { MEAN, JARZYNSKI = MEAN + WORK_DIRECTIONS, FREE = JARZYNSKI + WORK_DIRECTIONS, CONTRAST, ESTIMATES };

static double contrast(const WorkPath *p, const LeftOut *out, double free)
{
  const int n = count(p, out, WORK_FORWARDS), m = count(p, out, WORK_BACKWARDS);
  const double more = (double)n / m;
  double sum = 0.0;
  for (int d = 0; d < WORK_DIRECTIONS; d++)
    for (int i = 0; i < p->n[d]; i++)
      if (has(out, d, i)) {
        const double back = 1.0 / (1.0 + exp((along(p, d, i, p->points) - free) / p->kT) * more);
        sum += ((d == WORK_BACKWARDS ? 1.0 : 0.0) - back) * back;
      }
  return sum / (n + m);
}

static void compute(const WorkPath *p, const WorkCoordinate *c, const LeftOut *out, double *scratch,
                    double *to)
{
  (void)c, (void)scratch;
  for (int d = 0; d < WORK_DIRECTIONS; d++) {
    to[MEAN + d] = p->n[d] > 0 ? mean_of(p, out, d) : NAN;
    to[JARZYNSKI + d] = p->n[d] > 0 ? exponential(p, out, d) : NAN;
  }
  to[FREE] = best(p, out);
  to[CONTRAST] = p->n[WORK_BACKWARDS] > 0 ? contrast(p, out, to[FREE]) : NAN;
}

/* var(W)/2kT; unknown for one change. */
static double scatter(const WorkPath *p, int direction)
{
  const double mean = mean_of(p, &none, direction);
  double sum = 0.0;
  for (int i = 0; i < p->n[direction]; i++)
    sum += pow(whole(p, direction, i) - mean, 2);
  return p->n[direction] > 1 ? sum / (p->n[direction] - 1) / (2.0 * p->kT) : NAN;
}

static double overlap(const WorkPath *p, double free)
{
  double slope = 0.0;
  const double forwards = fermi(p, &none, WORK_FORWARDS, free, 0.0, &slope) / p->n[WORK_FORWARDS],
               backwards = fermi(p, &none, WORK_BACKWARDS, -free, 0.0, &slope) / p->n[WORK_BACKWARDS];
  return 0.5 * (forwards + backwards);
}

WorkEstimates work_values(const WorkPath *p)
{
  double all[ESTIMATES];
  WorkEstimates e;
  compute(p, NULL, &none, NULL, all);
  for (int d = 0; d < WORK_DIRECTIONS; d++) {
    e.mean[d] = (WorkValue){all[MEAN + d], NAN};
    e.jarzynski[d] = (WorkValue){all[JARZYNSKI + d], NAN};
  }
  e.free_energy = (WorkValue){all[FREE], NAN};
  e.contrast = (WorkValue){all[CONTRAST], NAN};
  const bool both = p->n[WORK_BACKWARDS] > 0;
  e.dissipated = both ? fmax(all[MEAN] - all[FREE], all[MEAN + 1] + all[FREE]) : scatter(p, WORK_FORWARDS);
  e.overlap = both ? overlap(p, all[FREE]) : NAN;
  return e;
}

Status work_estimates(WorkEstimates *e, const WorkPath *p, Error *error)
{
  SCOPED(jackknife_free) Jackknife j = {0};
  TRY(jackknife_create(&j, p, ESTIMATES, error));
  *e = work_values(p);
  fill_groups(&j, p, NULL, compute, NULL);
  for (int d = 0; d < WORK_DIRECTIONS; d++) {
    const bool forwards = d == WORK_FORWARDS;
    e->mean[d] = with_error(&j, MEAN + d, e->mean[d].value, forwards, !forwards);
    e->jarzynski[d] = with_error(&j, JARZYNSKI + d, e->jarzynski[d].value, forwards, !forwards);
  }
  e->free_energy = with_error(&j, FREE, e->free_energy.value, true, p->n[WORK_BACKWARDS] > 0);
  e->contrast = with_error(&j, CONTRAST, e->contrast.value, true, true);
  return STATUS_OK;
}

/* Computes values with their errors; scratch beside that of weights: as many numbers as values. */
static Status with_errors(const WorkPath *p, const WorkCoordinate *c, Compute *compute_values, int values,
                          WorkValue *to, Error *error)
{
  SCOPED(jackknife_free) Jackknife j = {0};
  TRY(jackknife_create(&j, p, values, error));
  const size_t n = (size_t)p->n[WORK_FORWARDS] + (size_t)p->n[WORK_BACKWARDS];
  SCOPED(scoped_free) double *all = calloc(n + 2 * (size_t)values, sizeof *all);
  TRY_MEMORY(all != NULL, "a free energy", error);
  compute_values(p, c, &none, all + values, all);
  fill_groups(&j, p, c, compute_values, all + values);
  for (int k = 0; k < values; k++)
    to[k] = with_error(&j, k, all[k], true, p->n[WORK_BACKWARDS] > 0);
  return STATUS_OK;
}

Status work_profile(const WorkPath *p, WorkValue *free, Error *error)
{
  TRY(with_errors(p, NULL, profile, p->points + 1, free, error));
  free[0] = (WorkValue){0.0, 0.0};
  return STATUS_OK;
}

Status work_coordinate(const WorkPath *p, const WorkCoordinate *c, WorkValue *free, Error *error)
{
  TRY(with_errors(p, c, density, c->bins, free, error));
  for (int b = 0; b < c->bins; b++)
    free[b].value = isfinite(free[b].error) ? free[b].value : NAN;
  return STATUS_OK;
}

void work_means(const WorkPath *p, WorkDirection direction, WorkValue *mean)
{
  const int way = (int)direction, n = p->n[way];
  for (int t = 0; t <= p->points; t++) {
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < n; i++)
      sum += along(p, way, i, t) / n;
    for (int i = 0; i < n; i++)
      square += pow(along(p, way, i, t) - sum, 2);
    mean[t] = (WorkValue){n > 0 ? sum : NAN, n > 1 ? sqrt(square / n / (n - 1)) : NAN};
  }
}

bool work_enough(double dissipated, double kT, int n) { return n > 1 && dissipated / kT < log(n) - 1.0; }
