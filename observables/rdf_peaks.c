/* First peaks and minima of g(r), and neighbours within them, for the report. */
#include <math.h>
#include <stdio.h>

#include "base/locale.h"
#include "observables/rdf_private.h"

static const char *const feature_name[RDF_TOLD] = {"peak_r", "peak_g", "minimum_r", "minimum_g",
                                                   "coordination"};

/* In noise, the largest of a few hundred independent bins is three to four standard errors high. */
static const double significance = 5.0;
static const double surest_place = 0.2; /* A: a peak whose position is less certain is left out */

/* --- peaks -----------------------------------------------------------------------------------------------
 */

static double window(const double *x, int n, int at, int half, int *bins)
{
  double sum = 0.0;
  *bins = 0;
  for (int k = at - half; k <= at + half; k++)
    if (k >= 0 && k < n) {
      sum += x[k];
      ++*bins;
    }
  return sum;
}

static double smoothed(const double *g, int n, int at, int half)
{
  int bins;
  const double sum = window(g, n, at, half, &bins);
  return sum / bins;
}

/* The standard error of a smoothed height for independent pairs; without pairs, that of one pair. */
static double shot_noise(const double *g, const double *count, int n, int at, int half)
{
  int bins;
  const double pairs = window(count, n, at, half, &bins);
  return pairs > 0.0 ? smoothed(g, n, at, half) / sqrt(pairs) : 0.0;
}

/* The vertex of the least-squares parabola through 2 half + 1 bins around one: its position in bins, and
 * height. The result is the bin itself and its smoothed height if the vertex is outside these bins, below
 * zero, or of the wrong sign of curvature. */
static void vertex(const double *g, int n, int at, int half, double bend, double *place, double *height)
{
  double s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0;
  *place = at;
  *height = smoothed(g, n, at, half);
  if (at < half || at + half >= n)
    return;
  for (int k = -half; k <= half; k++) {
    const double x = k, y = g[at + k];
    s2 += x * x;
    s4 += x * x * x * x;
    y0 += y;
    y1 += x * y;
    y2 += x * x * y;
  }
  const double count = 2 * half + 1;
  const double c2 = (y2 - s2 * y0 / count) / (s4 - s2 * s2 / count), c1 = y1 / s2,
               c0 = (y0 - c2 * s2) / count;
  const double x = -0.5 * c1 / c2, y = c0 + 0.5 * c1 * x;
  if (!(fabs(x) <= half && bend * c2 > 0.0 && y >= 0.0))
    return;
  *place = at + x;
  *height = y;
}

/* Finds the first maximum from which g falls by a tenth, and the lowest place after it, up to where g has
 * risen by a twentieth of the difference. Both are found on a smoothed curve, and must exceed the counting
 * error several times, so that a dent in a flank is ignored. For a flat valley, the middle. */
static void find_extrema(const double *g, const double *count, int n, int half, int *top, int *bottom)
{
  const double sure = 3.0;
  double high = 0.0, high_noise = 0.0, low = INFINITY, low_noise = 0.0;
  int seen = 0, valley = -1, end = -1; /* first and last bin of the lowest place */
  *top = -1;
  for (int k = 0; k < n; k++) {
    const double y = smoothed(g, n, k, half), noise = shot_noise(g, count, n, k, half);
    if (!seen) {
      if (y > high) {
        high = y;
        high_noise = noise;
        *top = k;
      }
      seen = high > 0.3 && y < 0.9 * high && high - y > sure * hypot(noise, high_noise);
    }
    if (seen && y < low) {
      low = y;
      low_noise = noise;
      valley = end = k;
    } else if (seen && y > low + 0.05 * (high - low) && y - low > sure * hypot(noise, low_noise)) {
      break;
    } else if (seen && !(y > low) && end == k - 1) {
      end = k;
    }
  }
  *bottom = seen ? (valley + end) / 2 : -1;
  if (!seen)
    *top = -1;
}

static int bins_of(const Rdf *rdf, double length)
{
  const int n = (int)lround(length / rdf->width);
  return n > 1 ? n : 1;
}

/* The decrease of the smoothed curve from `top` to `bottom`, and its increase from there up to twice the
 * distance of the peak, where any second shell has begun. */
static void contrast(const Rdf *rdf, const double *curve, const double *count, int top, int bottom,
                     double out[RDF_FEATURES])
{
  const int nbin = rdf_result_bins(rdf), half = bins_of(rdf, 0.06), end = 2 * top > bottom ? 2 * top : bottom;
  const double low = smoothed(curve, nbin, bottom, half),
               low_noise = shot_noise(curve, count, nbin, bottom, half);
  int next = bottom, bins;
  for (int k = bottom; k < nbin && k <= end; k++)
    if (smoothed(curve, nbin, k, half) > smoothed(curve, nbin, next, half))
      next = k;
  out[RDF_FALL] = smoothed(curve, nbin, top, half) - low;
  out[RDF_FALL_NOISE] = hypot(low_noise, shot_noise(curve, count, nbin, top, half));
  out[RDF_RISE] = smoothed(curve, nbin, next, half) - low;
  out[RDF_RISE_NOISE] = hypot(low_noise, shot_noise(curve, count, nbin, next, half));
  out[RDF_PEAK_COUNT] = window(count, nbin, top, half, &bins);
}

void rdf_peaks_find(const Rdf *rdf, const double *count, const double *curve, const double *neighbours,
                    double *out)
{
  const int nbin = rdf_result_bins(rdf);
  int top, bottom;
  double place;
  for (int k = 0; k < RDF_FEATURES; k++)
    out[k] = NAN;
  find_extrema(curve, count, nbin, bins_of(rdf, 0.06), &top, &bottom);
  if (top < 0)
    return;
  vertex(curve, nbin, top, bins_of(rdf, 0.08), -1.0, &place, &out[RDF_PEAK_G]);
  out[RDF_PEAK_R] = (place + 0.5) * rdf->width;
  if (bottom < 0)
    return;
  contrast(rdf, curve, count, top, bottom, out);
  vertex(curve, nbin, bottom, bins_of(rdf, 0.2), 1.0, &place, &out[RDF_MIN_G]);
  out[RDF_MIN_R] = (place + 0.5) * rdf->width;
  const int whole = (int)(place + 0.5); /* number of bins below the minimum */
  if (whole > 0 && whole < nbin)
    out[RDF_MIN_N] =
        neighbours[whole - 1] + (place + 0.5 - whole) * (neighbours[whole] - neighbours[whole - 1]);
}

/* --- report ----------------------------------------------------------------------------------------------
 */

void rdf_peaks_label(const Rdf *rdf, int pair, char label[40])
{
  snprintf(label, sizeof(char[40]), "%s-%s", rdf->species[rdf->pair[pair].a].name,
           rdf->species[rdf->pair[pair].b].name);
}

/* Whether a contrast exceeds noise: by the blocks, or by counting if there are too few. */
static bool resolved(const BlockRowsErrors *errors, const double *value, const double *error, int what)
{
  if (errors->nblock > 1 && !(value[what] > significance * error[what]))
    return false;
  return value[what] > significance * value[what + 1];
}

static bool peaked(const BlockRowsErrors *errors, const double *value, const double *error)
{
  return isfinite(value[RDF_PEAK_G]) && resolved(errors, value, error, RDF_FALL) &&
         !(error[RDF_PEAK_R] > surest_place);
}

static void report_unresolved(const Rdf *rdf, ResultSet *report, const char *subject, const char *quantity,
                              const BlockRowsErrors *errors, const double *value, const double *error,
                              int what)
{
  LOCALE_PLAIN;
  char note[160];
  if (!(value[what] > 0.0))
    snprintf(note, sizeof note, "not resolved: g(r) does not %s within its range",
             what == RDF_FALL ? "rise and fall" : "rise again");
  else
    snprintf(note, sizeof note, "not resolved: g(r) %s by %.2g +- %.2g, in %lld samples",
             what == RDF_FALL ? "falls after it" : "rises after it", value[what],
             errors->nblock > 1 ? fmax(error[what], value[what + 1]) : value[what + 1],
             (long long)errors->samples);
  results_observed(report, rdf->is.name, subject, quantity, NAN, NAN, note);
}

/* Reports the number of B around an A and, for different sites, of A around a B. */
static void report_neighbours(const Rdf *rdf, const RdfPair *pair, double value, double error,
                              ResultSet *report)
{
  for (int turned = 0; turned <= (pair->a != pair->b); turned++) {
    const RdfSpecies *centre = &rdf->species[turned ? pair->b : pair->a],
                     *around = &rdf->species[turned ? pair->a : pair->b];
    const double scale = turned ? (double)around->n / centre->n : 1.0;
    char subject[40], note[80];
    snprintf(subject, sizeof subject, "%s: %s", centre->name, around->name);
    snprintf(note, sizeof note, "%s around each %s, within the first minimum", around->name, centre->name);
    results_observed(report, rdf->is.name, subject, feature_name[RDF_MIN_N], scale * value, scale * error,
                     note);
  }
}

static void report_pair(const Rdf *rdf, int p, const BlockRowsErrors *errors, const double *value,
                        const double *error, ResultSet *report)
{
  LOCALE_PLAIN;
  char label[40], note[80];
  rdf_peaks_label(rdf, p, label);
  if (!peaked(errors, value, error)) {
    report_unresolved(rdf, report, label, "peak", errors, value, error, RDF_FALL);
    return;
  }
  snprintf(note, sizeof note, "bins of %.3g A", rdf->width);
  const bool trough = isfinite(value[RDF_MIN_N]) && resolved(errors, value, error, RDF_RISE);
  for (int k = 0; k < (trough ? RDF_MIN_N : RDF_MIN_R); k++)
    results_observed(report, rdf->is.name, label, feature_name[k], value[k], error[k],
                     k == RDF_PEAK_R ? note : NULL);
  if (trough)
    report_neighbours(rdf, &rdf->pair[p], value[RDF_MIN_N], error[RDF_MIN_N], report);
  else
    report_unresolved(rdf, report, label, "minimum", errors, value, error, RDF_RISE);
}

/* The index of a pair's first feature. */
static size_t features_at(const Rdf *rdf, int pair)
{
  return rdf_result_curve(rdf, pair) + 2 * (size_t)rdf->nbin;
}

bool rdf_peaks_seen(const Rdf *rdf, const ObservableResult *result, int pair)
{
  const size_t at = features_at(rdf, pair);
  return peaked(&result->errors, result->value + at, result->error + at);
}

void rdf_peaks_report(const Rdf *rdf, const ObservableResult *result, ResultSet *report)
{
  for (int p = 0; p < rdf->npair; p++) {
    const size_t at = features_at(rdf, p);
    report_pair(rdf, p, &result->errors, result->value + at, result->error + at, report);
  }
}
