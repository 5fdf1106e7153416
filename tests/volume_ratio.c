#include "tests/volume_ratio.h"

#include <math.h>
#include <stdlib.h>

#include "observables/distribution.h"
#include "observables/statistics.h"

typedef struct Sample {
  double volume, share; /* share: by the law the chance that one of this volume is of the second run */
  int run;
} Sample;

static int by_volume(const void *a, const void *b)
{
  const double x = ((const Sample *)a)->volume, y = ((const Sample *)b)->volume;
  return (x > y) - (x < y);
}

/* The independent ones of both, by volume. */
static int gather(double *const volume[2], const int64_t most[2], Sample *sample, VolumeRatio *ratio)
{
  int n = 0;
  for (int k = 0; k < 2; k++) {
    const double tau = statistics_correlation_time(volume[k], most[k]);
    const int64_t stride = tau > 0.0 ? (int64_t)ceil(4.0 * tau) : most[k];
    for (int64_t i = 0; i < most[k]; i += stride, ratio->samples[k]++)
      sample[n++] = (Sample){.volume = volume[k][i], .run = k};
  }
  qsort(sample, (size_t)n, sizeof *sample, by_volume);
  return n;
}

/* By a line of this slope one of volume V is of the second run with the chance 1/(1 + exp(slope V - c)); c is
 * where as many are as there are. */
static void set_shares(Sample *sample, int n, double slope)
{
  double low = -1e3, high = 1e3;
  for (int halving = 0; halving < 50; halving++) {
    const double c = 0.5 * (low + high);
    double excess = 0.0;
    for (int i = 0; i < n; i++) {
      sample[i].share = 1.0 / (1.0 + exp((sample[i].volume - sample[n / 2].volume) * slope - c));
      excess += sample[i].share - sample[i].run;
    }
    *(excess < 0.0 ? &low : &high) = c;
  }
}

static double weight(const Sample *s) { return s->share * (1.0 - s->share); }

/* How the likelihood goes with the slope: its derivative, and what that scatters by. */
static double score(const Sample *sample, int n, double *information)
{
  double sum = 0.0, centre = 0.0, score = 0.0;
  *information = 0.0;
  for (int i = 0; i < n; i++) {
    sum += weight(&sample[i]);
    centre += weight(&sample[i]) * sample[i].volume;
  }
  for (int i = 0; i < n; i++) {
    const double v = sample[i].volume - centre / sum;
    score += (sample[i].share - sample[i].run) * v;
    *information += weight(&sample[i]) * v * v;
  }
  return score;
}

/* Bins have equal variances: in one where nearly all are of one run by the law, a count is no normal number.
 */
static void set_bins(const Sample *sample, int n, VolumeRatio *ratio)
{
  double all = 0.0, before = 0.0, difference[VOLUME_RATIO_BINS] = {0.0}, variance[VOLUME_RATIO_BINS] = {0.0};
  for (int i = 0; i < n; i++)
    all += weight(&sample[i]);
  for (int i = 0; i < n; i++) {
    const int b =
        (int)fmin(VOLUME_RATIO_BINS * (before + 0.5 * weight(&sample[i])) / all, VOLUME_RATIO_BINS - 1);
    difference[b] += sample[i].run - sample[i].share;
    variance[b] += weight(&sample[i]);
    before += weight(&sample[i]);
  }
  for (int b = 0; b < VOLUME_RATIO_BINS; b++) {
    ratio->bin[b] = difference[b] / sqrt(variance[b]);
    ratio->chi2 += ratio->bin[b] * ratio->bin[b];
  }
  ratio->p = distribution_chi2_above(ratio->chi2, VOLUME_RATIO_BINS - 1);
}

VolumeRatio volume_ratio(double *const volume[2], const int64_t n[2], double slope)
{
  VolumeRatio ratio = {.slope = slope};
  Sample *sample = malloc((size_t)(n[0] + n[1]) * sizeof *sample);
  const int all = gather(volume, n, sample, &ratio);
  double information, pull;
  set_shares(sample, all, slope);
  set_bins(sample, all, &ratio);
  ratio.z = score(sample, all, &information) / sqrt(information);
  for (int i = 0; i < 10; i++) { /* Newton's */
    pull = score(sample, all, &information);
    ratio.slope += pull / information;
    set_shares(sample, all, ratio.slope);
  }
  ratio.error = 1.0 / sqrt(information);
  free(sample);
  return ratio;
}

int volume_ratio_holds(const VolumeRatio *ratio)
{
  for (int b = 0; b < VOLUME_RATIO_BINS; b++)
    if (!(fabs(ratio->bin[b]) < 3.5))
      return 0;
  return fabs(ratio->z) < 3.5 && ratio->p > 0.0005 && ratio->p < 0.9995;
}
