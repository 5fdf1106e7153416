#include "observables/mbar_estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "observables/block_rows.h"
#include "observables/convergence.h"
#include "observables/jackknife.h"
#include "observables/statistics.h"
#include "observables/verdict.h"

/* --- numbers of one pool ----------------------------------------------------------------------------------
 */

/* Offsets of the numbers in one array, in the order of MbarEstimates. */
typedef struct Layout {
  size_t energy, heat, free, volume, peak, misfit, scale, n;
  double slope; /* derivative of the score by the factor on temperatures */
} Layout;

static Layout layout_of(size_t points, size_t states)
{
  Layout l = {.energy = 0, .heat = points, .free = 2 * points, .volume = 3 * points, .peak = 4 * points};
  l.misfit = l.peak + 3;
  l.scale = l.misfit + states;
  l.n = l.scale + 1;
  return l;
}

static double least(const double *y, int first, int last)
{
  double low = INFINITY;
  for (int i = first; i <= last; i++)
    low = fmin(low, y[i]);
  return low;
}

/* Finds the maximum with the largest height above the higher of the minima on both sides, by the parabola of
 * three points. */
static void find_peak(const double *x, const double *y, int n, double peak[3])
{
  double prominence = 0.0;
  peak[0] = peak[1] = peak[2] = NAN;
  for (int i = 1; i + 1 < n; i++) {
    if (!(y[i] >= y[i - 1] && y[i] > y[i + 1]))
      continue;
    const double above = y[i] - fmax(least(y, 0, i - 1), least(y, i + 1, n - 1));
    if (!(above > prominence))
      continue;
    prominence = above;
    const double left = (y[i] - y[i - 1]) / (x[i] - x[i - 1]), right = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    const double curve = (right - left) / (x[i + 1] - x[i - 1]), /* Newton's divided differences */
        top = 0.5 * (x[i] + x[i - 1] - left / curve);
    peak[0] = top;
    peak[1] = y[i - 1] + (top - x[i - 1]) * (left + (top - x[i]) * curve);
    peak[2] = above + peak[1] - y[i];
  }
}

/* The derivative of the log-likelihood by a factor on all temperatures; 0 at the best fit. */
static double score(const Mbar *m)
{
  double sum = 0.0;
  for (int k = 0; k < m->states; k++) {
    MbarState state = {0};
    (void)mbar_at(m, m->temperature[k], &state, NULL, NULL);
    sum += m->pool->drawn[k] * m->beta[k] * (m->pool->mean[k] - state.energy);
  }
  return sum;
}

static Status score_slope(const Mbar *m, double *slope, Error *error)
{
  const double step = 0.01;
  SCOPED(mbar_free_at) Mbar *there = NULL;
  SCOPED(scoped_free) double *temperature = malloc((size_t)m->states * sizeof *temperature);
  TRY_MEMORY(temperature != NULL, "the scale of temperatures", error);
  for (int k = 0; k < m->states; k++)
    temperature[k] = m->temperature[k] * (1.0 + step);
  TRY(mbar_create(&there, m->pool, temperature, m->boltzmann, m->free, error));
  *slope = (score(there) - score(m)) / (step * m->pool->samples);
  return STATUS_OK;
}

/* The mean volume over the bins with these probabilities. */
static double mean_volume(const EnergyPool *pool, const double *weight)
{
  double sum = 0.0;
  for (int i = 0; i < pool->bins; i++)
    sum += weight[i] * pool->volume[i];
  return sum;
}

/* Computes all numbers; weight[bins] is scratch memory. */
static Status fill(const MbarRequest *r, const Layout *l, const Mbar *m, double *weight, double *out,
                   double *effective, Error *error)
{
  MbarState state, first;
  for (size_t p = 0; p < (size_t)r->points; p++) {
    TRY(mbar_at(m, r->at[p], &state, weight, error));
    out[l->energy + p] = state.energy;
    out[l->heat + p] = state.heat + 0.5 * r->freedom * r->boltzmann;
    out[l->free + p] = state.free;
    out[l->volume + p] = mean_volume(m->pool, weight);
    if (effective != NULL)
      effective[p] = state.effective;
  }
  find_peak(r->at, out + l->heat, r->points, out + l->peak);
  TRY(mbar_at(m, m->temperature[0], &first, NULL, error));
  for (size_t p = 0; p < (size_t)r->points; p++)
    out[l->free + p] -= first.free;
  for (int k = 0; k < m->states; k++) {
    TRY(mbar_at(m, m->temperature[k], &state, NULL, error));
    out[l->misfit + (size_t)k] = m->pool->mean[k] - state.energy;
  }
  out[l->scale] = 1.0 - score(m) / (l->slope * m->pool->samples);
  return STATUS_OK;
}

/* Pools ladders, or blocks of them, solves with the start of a similar solution, and computes all numbers. */
static Status compute(const MbarRequest *r, const Layout *l, EnergyHistogram *const *ladder, int ladders,
                      const int *times, const Mbar *like, double *out, Error *error)
{
  SCOPED(energy_pool_free_at) EnergyPool *pool = NULL;
  SCOPED(mbar_free_at) Mbar *m = NULL;
  TRY(energy_pool_create(&pool, ladder, ladders, times, error));
  SCOPED(scoped_free) double *weight = malloc((size_t)pool->bins * sizeof *weight);
  TRY_MEMORY(weight != NULL, "averages", error);
  TRY(mbar_create(&m, pool, r->temperature, r->boltzmann, like->free, error));
  return fill(r, l, m, weight, out, NULL, error);
}

/* --- errors -----------------------------------------------------------------------------------------------
 */

/* A resample without a solution (for example, a temperature without samples) is counted and skipped; the
 * results from all samples remain valid. *there: whether it has a solution. */
static Status resample(const MbarRequest *r, const Layout *l, MbarEstimates *e,
                       EnergyHistogram *const *ladder, int ladders, const int *times, const Mbar *like,
                       double *out, bool *there, Error *error)
{
  Error why;
  const Status status = compute(r, l, ladder, ladders, times, like, out, &why);
  *there = status == STATUS_OK;
  if (status != STATUS_INPUT && status != STATUS_RUN)
    return error_pass(error, status, &why);
  if (e->failed++ == 0)
    snprintf(e->why, sizeof e->why, "%.*s", (int)sizeof e->why - 1, why.text);
  return STATUS_OK;
}

/* Heat capacities are fluctuations about a mean, and so is the height of the peak. */
static bool fluctuates(const Layout *l, size_t k)
{
  return (k >= l->heat && k < l->free) || k == l->peak + 1;
}

static Status leave_ladders_out(const MbarRequest *r, const Layout *l, MbarEstimates *e, const Mbar *like,
                                double *out, Error *error)
{
  SCOPED(jackknife_free) Jackknife jackknife = {0};
  SCOPED(arena_free) Arena arena = {0};
  EnergyHistogram **others = arena_take(&arena, (size_t)r->ladders, sizeof *others);
  TRY(arena_check(&arena, "errors of ladders", error));
  TRY(jackknife_create(&jackknife, e->energy.value, l->n, error));
  for (int left = 0; left < r->ladders; left++) {
    bool there;
    for (int k = 0, to = 0; k < r->ladders; k++)
      if (k != left)
        others[to++] = r->ladder[k];
    TRY(resample(r, l, e, others, r->ladders - 1, NULL, like, out, &there, error));
    if (there)
      jackknife_add(&jackknife, out, 1.0 / r->ladders);
    else
      jackknife_fail(&jackknife);
  }
  for (size_t k = 0; k < l->n; k++) {
    e->energy.error[k] = jackknife_error(&jackknife, k);
    if (fluctuates(l, k))
      e->energy.value[k] -= jackknife_bias(&jackknife, k);
  }
  return STATUS_OK;
}

/* Draws stretches of `each` blocks from all ladders. */
static Status draw_blocks(const MbarRequest *r, const Layout *l, MbarEstimates *e, const Mbar *like, int each,
                          double *out, Error *error)
{
  const int resamples = r->resamples > 0 ? r->resamples : MBAR_ESTIMATES_RESAMPLES,
            of_ladder = energy_histogram_blocks(r->ladder[0]) / each, units = of_ladder * r->ladders;
  SCOPED(arena_free) Arena arena = {0};
  int *times = arena_take(&arena, (size_t)r->ladders * BLOCK_ROWS, sizeof *times);
  StatisticsMoments *moments = arena_take(&arena, l->n, sizeof *moments);
  TRY(arena_check(&arena, "errors of blocks", error));
  for (int k = 0; k < resamples; k++) {
    bool there;
    RandomStream stream = random_stream(1, (uint32_t)k, RANDOM_STATISTICS);
    memset(times, 0, (size_t)r->ladders * BLOCK_ROWS * sizeof *times);
    for (int draw = 0; draw < units; draw++) {
      const int unit = (int)random_below(&stream, (uint32_t)units);
      for (int b = 0; b < each; b++)
        times[unit / of_ladder * BLOCK_ROWS + unit % of_ladder * each + b]++;
    }
    TRY(resample(r, l, e, r->ladder, r->ladders, times, like, out, &there, error));
    if (there)
      statistics_moments_add(moments, out, (int)l->n);
  }
  /* Resampling loses one of the units' degrees of freedom. */
  for (size_t k = 0; k < l->n && 2 * e->failed <= resamples; k++) {
    e->energy.error[k] = sqrt(statistics_moments_variance(&moments[k]) * units / (units - 1.0));
    /* The bias of resampling estimates the bias of the series. */
    if (fluctuates(l, k))
      e->energy.value[k] -= moments[k].mean - e->energy.value[k];
  }
  return STATUS_OK;
}

/* --- correlation ------------------------------------------------------------------------------------------
 */

typedef struct Series {
  const MbarRequest *request;
  const double *variance; /* [temperatures] of a single energy */
  int blocks;             /* number in each ladder */
} Series;

/* (Error of a temperature's mean energy by stretches of 2^level blocks/naive error)^2. */
static double inefficiency_seen(const void *self, int k, int level)
{
  const Series *s = self;
  const int each = 1 << level;
  StatisticsMoments moments = {0};
  for (int l = 0; l < s->request->ladders; l++)
    for (int first = 0; first + each <= s->blocks; first += each) {
      double mean = 0.0;
      for (int b = first; b < first + each; b++)
        mean += energy_histogram_mean(s->request->ladder[l], b, k) / each;
      statistics_moments_add(&moments, &mean, 1);
    }
  const double length = (double)each * (double)energy_histogram_length(s->request->ladder[0]);
  return s->variance[k] > 0.0 ? statistics_moments_variance(&moments) * length / s->variance[k] : 0.0;
}

/* The number of blocks that are merged to one of sufficient length. */
static int correlation(const MbarRequest *r, MbarEstimates *e, const Mbar *m, double *variance)
{
  const Series series = {r, variance, energy_histogram_blocks(r->ladder[0])};
  const double length = (double)energy_histogram_length(r->ladder[0]);
  int levels = 0;
  while (series.blocks >> levels > 0 && r->ladders * (series.blocks >> levels) >= STATISTICS_BLOCKS)
    levels++;
  for (int k = 0; k < m->states; k++) {
    MbarState state = {0};
    (void)mbar_at(m, m->temperature[k], &state, NULL, NULL);
    variance[k] = state.heat * r->boltzmann * pow(m->temperature[k], 2);
  }
  const StatisticsCorrelation c = statistics_correlation_of(&series, inefficiency_seen, m->states, levels,
                                                            length * series.blocks * r->ladders, 1.0);
  int each = (int)fmin(ceil(c.length / length), series.blocks);
  each = each > 1 ? each : 1;
  e->inefficiency = c.inefficiency;
  e->plateau = c.plateau && levels > 0 && series.blocks / each * r->ladders >= STATISTICS_BLOCKS_FEWEST;
  while (each > 1 && series.blocks / each * r->ladders < STATISTICS_BLOCKS_FEWEST)
    each--;
  e->draws = series.blocks / each * r->ladders;
  return each;
}

/* R-hat at the temperature at which ladders differ most. */
static Status compare_ladders(const MbarRequest *r, MbarEstimates *e, Error *error)
{
  const int blocks = energy_histogram_blocks(r->ladder[0]);
  SCOPED(scoped_free) double *x = malloc((size_t)(r->ladders * blocks + 1) * sizeof *x);
  TRY_MEMORY(x != NULL, "R-hat of ladders", error);
  e->chains = (ConvergenceChains){.rhat = NAN};
  for (int k = 0; k < e->temperatures && r->ladders > 1; k++) {
    ConvergenceChains one;
    for (int l = 0; l < r->ladders; l++)
      for (int b = 0; b < blocks; b++)
        x[l * blocks + b] = energy_histogram_mean(r->ladder[l], b, k);
    TRY(convergence_chains(x, r->ladders, blocks, &one, error));
    if (!(one.rhat <= e->chains.rhat) && !isnan(one.rhat))
      e->chains = one;
  }
  return STATUS_OK;
}

static Status judge_misfit(MbarEstimates *e, Error *error)
{
  const int n = e->temperatures;
  e->consistent = NAN;
  if (!e->plateau)
    return STATUS_OK;
  SCOPED(scoped_free) double *p = malloc(2 * ((size_t)n + 1) * sizeof *p);
  TRY_MEMORY(p != NULL, "the consistency of a ladder", error);
  double *const adjusted = p + n + 1;
  for (int k = 0; k < n; k++)
    p[k] = verdict_difference(0.0, 0.0, 0, e->misfit.value[k], e->misfit.error[k], e->draws).p;
  p[n] = verdict_difference(1.0, 0.0, 0, *e->scale.value, *e->scale.error, e->draws).p;
  TRY(statistics_holm(p, n + 1, adjusted, error));
  for (int k = 0; k <= n; k++)
    e->consistent = fmin(e->consistent, adjusted[k]);
  return STATUS_OK;
}

/* --- the estimates -------------------------------------------------------------------------------------- */

static Status same_series(const MbarRequest *r, Error *error)
{
  for (int l = 1; l < r->ladders; l++)
    if (energy_histogram_samples(r->ladder[l]) != energy_histogram_samples(r->ladder[0]))
      return error_set(error, STATUS_INPUT, "ladder %d has a different number of samples from the first",
                       l + 1);
  for (int p = 1; p < r->points; p++)
    if (!(r->at[p] > r->at[p - 1]))
      return error_set(error, STATUS_INPUT, "temperatures to reweight to must be rising, not %g, %g",
                       r->at[p - 1], r->at[p]);
  return r->points > 0 ? STATUS_OK : error_set(error, STATUS_INPUT, "there is no temperature to reweight to");
}

static Status errors_of(const MbarRequest *r, const Layout *l, MbarEstimates *e, const Mbar *m, Error *error)
{
  SCOPED(scoped_free) double *out = malloc((l->n + (size_t)m->states) * sizeof *out);
  TRY_MEMORY(out != NULL, "errors of ladders", error);
  const int each = correlation(r, e, m, out + l->n);
  e->errors = r->errors;
  if (r->errors == MBAR_ERRORS_CHOOSE)
    e->errors = r->ladders >= MBAR_ESTIMATES_LADDERS ? MBAR_ERRORS_LADDERS : MBAR_ERRORS_BLOCKS;
  if (e->errors == MBAR_ERRORS_LADDERS) {
    e->draws = r->ladders;
    e->plateau = 1;
  }
  for (size_t k = 0; k < l->n; k++)
    e->energy.error[k] = NAN;
  if (e->draws >= 2)
    TRY(e->errors == MBAR_ERRORS_LADDERS ? leave_ladders_out(r, l, e, m, out, error)
                                         : draw_blocks(r, l, e, m, each, out, error));
  if (e->failed > 0)
    e->plateau = 0;
  return STATUS_OK;
}

static MbarNumbers numbers_at(const MbarEstimates *e, size_t at)
{
  return (MbarNumbers){e->energy.value + at, e->energy.error + at};
}

static void divide(MbarEstimates *e, const Layout *l, double *numbers)
{
  e->energy = (MbarNumbers){numbers, numbers + l->n};
  e->effective = numbers + 2 * l->n;
  e->heat = numbers_at(e, l->heat);
  e->free = numbers_at(e, l->free);
  e->volume = numbers_at(e, l->volume);
  e->peak = numbers_at(e, l->peak);
  e->misfit = numbers_at(e, l->misfit);
  e->scale = numbers_at(e, l->scale);
}

static Status estimate(const MbarRequest *r, MbarEstimates *e, Error *error)
{
  SCOPED(energy_pool_free_at) EnergyPool *pool = NULL;
  SCOPED(mbar_free_at) Mbar *m = NULL;
  TRY(energy_pool_create(&pool, r->ladder, r->ladders, NULL, error));
  TRY(same_series(r, error));
  const size_t states = (size_t)pool->temperatures, bins = (size_t)pool->bins;
  Layout l = layout_of((size_t)r->points, states);
  double *numbers = malloc((2 * l.n + (size_t)r->points) * sizeof *numbers);
  SCOPED(scoped_free) double *weight = malloc((bins + states * states) * sizeof *weight);
  *e = (MbarEstimates){.points = r->points,
                       .temperatures = pool->temperatures,
                       .ladders = r->ladders,
                       .volumes = pool->volumes,
                       .energy.value = numbers};
  TRY_MEMORY(numbers != NULL && weight != NULL, "averages", error);
  divide(e, &l, numbers);
  for (int k = 0; k < r->ladders; k++)
    e->odd += energy_histogram_odd(r->ladder[k]);
  TRY(mbar_create(&m, pool, r->temperature, r->boltzmann, NULL, error));
  TRY(mbar_overlap(m, weight + bins, &e->overlap, error));
  TRY(mbar_overlap_check(m, error));
  TRY(score_slope(m, &l.slope, error));
  TRY(fill(r, &l, m, weight, e->energy.value, e->effective, error));
  TRY(compare_ladders(r, e, error));
  TRY(errors_of(r, &l, e, m, error));
  return judge_misfit(e, error);
}

Status mbar_estimates_create(MbarEstimates **estimates, const MbarRequest *r, Error *error)
{
  *estimates = NULL;
  MbarEstimates *e = calloc(1, sizeof *e);
  TRY_MEMORY(e != NULL, "averages", error);
  TRY_ELSE(estimate(r, e, error), mbar_estimates_free(e));
  *estimates = e;
  return STATUS_OK;
}

MbarPeak mbar_estimates_peak(const MbarEstimates *e)
{
  if (isnan(e->peak.value[2]))
    return MBAR_PEAK_NONE;
  if (!e->plateau || !verdict_enough(e->draws))
    return MBAR_PEAK_UNTESTED;
  /* Without an error, some of the resamples have no peak. */
  return verdict_alarms(verdict_above(e->peak.value[2], e->peak.error[2], e->draws)) ? MBAR_PEAK_SHOWN
                                                                                     : MBAR_PEAK_NONE;
}

void mbar_estimates_free(MbarEstimates *e)
{
  if (e == NULL)
    return;
  free(e->energy.value);
  free(e);
}
