/* Curves, peaks and files of g(r). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/locale.h"
#include "engine/text.h"
#include "observables/gofr_private.h"
#include "observables/picture.h"

/* What is said of each pair beside the curves; and what decides whether it is said: how far g falls after its
 * first peak and rises after its first minimum, what counting alone leaves uncertain of that, and how many
 * pairs make up the peak. */
enum {
  PEAK_R,
  PEAK_G,
  MIN_R,
  MIN_G,
  MIN_N,
  TOLD,
  FALL = TOLD,
  FALL_NOISE,
  RISE,
  RISE_NOISE,
  PEAK_COUNT,
  FEATURES
};

static const char *const feature_name[TOLD] = {"peak_r", "peak_g", "minimum_r", "minimum_g", "coordination"};

/* The largest of a curve's fluctuations passes for a peak: of a few hundred independent bins it is at three
 * to four standard errors. */
static const double significance = 5.0;
static const double surest_place = 0.2; /* A: a peak that is less certain to lie where it is found is none */

static double shell(double low, double high)
{
  return 4.0 / 3.0 * M_PI * (high * high * high - low * low * low);
}

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

/* The standard error of a smoothed height if pairs were independent of each other: of no pair, that of one.
 */
static double shot_noise(const double *g, const double *count, int n, int at, int half)
{
  int bins;
  const double pairs = window(count, n, at, half, &bins);
  return pairs > 0.0 ? smoothed(g, n, at, half) / sqrt(pairs) : 0.0;
}

/* The vertex of the parabola through 2 half + 1 bins around one, by least squares: its place in bins, and the
 * height. Where it lies outside them (a lopsided or flat extremum), the bin itself and the smoothed height.
 */
static void vertex(const double *g, int n, int at, int half, double *place, double *height)
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
  const double x = -0.5 * c1 / c2;
  if (!(fabs(x) <= half))
    return;
  *place = at + x;
  *height = c0 + 0.5 * c1 * x;
}

/* The first maximum that g falls away from by a tenth, and the lowest place after it up to where g has risen
 * by a twentieth of the difference; both found on a smoothed curve, and both by more than a few times what
 * counting leaves uncertain, so that a dent in a flank is none of them. Of a flat valley, its middle. */
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

static int bins_of(const Gofr *g, double length)
{
  const int n = (int)lround(length / g->width);
  return n > 1 ? n : 1;
}

/* How far the smoothed curve falls from `top` to `bottom`, and rises from there up to twice the distance of
 * the peak, where any second shell has begun. */
static void contrast(const Gofr *g, const double *curve, const double *count, int top, int bottom,
                     double out[FEATURES])
{
  const int half = bins_of(g, 0.06), end = 2 * top > bottom ? 2 * top : bottom;
  const double low = smoothed(curve, g->nbin, bottom, half),
               low_noise = shot_noise(curve, count, g->nbin, bottom, half);
  int next = bottom, bins;
  for (int k = bottom; k < g->nbin && k <= end; k++)
    if (smoothed(curve, g->nbin, k, half) > smoothed(curve, g->nbin, next, half))
      next = k;
  out[FALL] = smoothed(curve, g->nbin, top, half) - low;
  out[FALL_NOISE] = hypot(low_noise, shot_noise(curve, count, g->nbin, top, half));
  out[RISE] = smoothed(curve, g->nbin, next, half) - low;
  out[RISE_NOISE] = hypot(low_noise, shot_noise(curve, count, g->nbin, next, half));
  out[PEAK_COUNT] = window(count, g->nbin, top, half, &bins);
}

static void features(const Gofr *g, const double *count, const double *curve, const double *neighbours,
                     double *out)
{
  int top, bottom;
  double place;
  for (int k = 0; k < FEATURES; k++)
    out[k] = NAN;
  find_extrema(curve, count, g->nbin, bins_of(g, 0.06), &top, &bottom);
  if (top < 0)
    return;
  vertex(curve, g->nbin, top, bins_of(g, 0.08), &place, &out[PEAK_G]);
  out[PEAK_R] = (place + 0.5) * g->width;
  if (bottom < 0)
    return;
  contrast(g, curve, count, top, bottom, out);
  vertex(curve, g->nbin, bottom, bins_of(g, 0.2), &place, &out[MIN_G]);
  out[MIN_R] = (place + 0.5) * g->width;
  const int whole = (int)(place + 0.5); /* bins wholly below the minimum */
  if (whole > 0 && whole < g->nbin)
    out[MIN_N] = neighbours[whole - 1] + (place + 0.5 - whole) * (neighbours[whole] - neighbours[whole - 1]);
}

/* --- curves ----------------------------------------------------------------------------------------------
 */

/* out: of each pair g [nbin], n [nbin], features. */
static int curves_size(const Gofr *g) { return 2 * g->nbin + FEATURES; }

static void curves(const void *self, const double *sum, double n, double *out)
{
  const Gofr *g = self;
  const double density = sum[(size_t)g->npair * (size_t)g->nbin];
  for (int p = 0; p < g->npair; p++, out += curves_size(g)) {
    const GofrPair *pair = &g->pair[p];
    const double *count = sum + (size_t)p * (size_t)g->nbin;
    const double ends = (pair->a == pair->b ? 2.0 : 1.0) / (n * g->species[pair->a].n);
    double total = 0.0;
    for (int b = 0; b < g->nbin; b++) {
      total += count[b];
      out[b] = count[b] / (pair->pairs * density * shell(b * g->width, (b + 1) * g->width));
      out[g->nbin + b] = ends * total;
    }
    features(g, count, out, out + g->nbin, out + 2 * g->nbin);
  }
}

/* --- files -----------------------------------------------------------------------------------------------
 */

static void pair_label(const Gofr *g, int p, char label[40])
{
  snprintf(label, sizeof(char[40]), "%s-%s", g->species[g->pair[p].a].name, g->species[g->pair[p].b].name);
}

static void say_head(ResultTable *t, const Gofr *g, const BlockRowsErrors *errors)
{
  results_say(
      t,
      "radial distributions of sites of different molecules in a periodic box\nsamples: %lld\n"
      "width: %.17g\nlongest: %.17g\n"
      "r: middle of the bin, A; r_hi: its upper edge\n"
      "g_A-B: pairs of an A and a B of different molecules in the bin, against as many pairs spread at "
      "random over the box\n"
      "n_A-B: mean number of B of other molecules within r_hi of an A; n_B-A: of A around a B",
      (long long)errors->samples, g->width, g->longest);
  for (int s = 0; s < g->nspecies; s++)
    results_say(t, "number_%s: %d", g->species[s].name, g->species[s].n);
  block_rows_say(errors, "its correlation", t);
}

/* scratch: [2 nbin] */
static void fill_table(const Gofr *g, ResultTable *t, const double *value, const double *error,
                       double *scratch)
{
  const size_t nbin = (size_t)g->nbin;
  for (size_t b = 0; b < nbin; b++) {
    scratch[b] = ((double)b + 0.5) * g->width;
    scratch[nbin + b] = ((double)b + 1.0) * g->width;
  }
  results_add_column(t, "r", scratch, NULL);
  results_add_column(t, "r_hi", scratch + nbin, NULL);
  for (int p = 0; p < g->npair; p++) {
    const size_t k = (size_t)p * (size_t)curves_size(g);
    const GofrSpecies *a = &g->species[g->pair[p].a], *b = &g->species[g->pair[p].b];
    const double turned = (double)a->n / b->n;
    char name[64];
    snprintf(name, sizeof name, "g_%s-%s", a->name, b->name);
    results_add_column(t, name, value + k, error + k);
    snprintf(name, sizeof name, "n_%s-%s", a->name, b->name);
    results_add_column(t, name, value + k + nbin, error + k + nbin);
    for (size_t i = 0; i < nbin; i++) {
      scratch[i] = turned * value[k + nbin + i];
      scratch[nbin + i] = turned * error[k + nbin + i];
    }
    snprintf(name, sizeof name, "n_%s-%s", b->name, a->name);
    if (a != b)
      results_add_column(t, name, scratch, scratch + nbin);
  }
}

static Status write_table(const Gofr *g, const char *dir, const BlockRowsErrors *errors, const double *value,
                          const double *error, ResultSet *set, Error *why)
{
  double *scratch = malloc(2 * (size_t)g->nbin * sizeof *scratch);
  if (scratch == NULL)
    return error_memory(why, "radial distributions");
  ResultTable *t = results_add_table(set, "gofr", (size_t)g->nbin);
  fill_table(g, t, value, error, scratch);
  free(scratch);
  say_head(t, g, errors);
  return results_csv_write(t, dir, why);
}

/* Whether a contrast is more than noise: by the blocks, or by counting alone where there are too few. */
static bool resolved(const BlockRowsErrors *errors, const double *value, const double *error, int what)
{
  if (errors->nblock > 1 && !(value[what] > significance * error[what]))
    return false;
  return value[what] > significance * value[what + 1];
}

static bool peaked(const BlockRowsErrors *errors, const double *value, const double *error)
{
  return isfinite(value[PEAK_G]) && resolved(errors, value, error, FALL) && !(error[PEAK_R] > surest_place);
}

static void tell_unresolved(ResultSet *report, const char *subject, const char *quantity,
                            const BlockRowsErrors *errors, const double *value, const double *error, int what)
{
  LOCALE_PLAIN;
  char note[160];
  if (!(value[what] > 0.0))
    snprintf(note, sizeof note, "not resolved: g(r) does not %s within its range",
             what == FALL ? "rise and fall" : "rise again");
  else
    snprintf(note, sizeof note, "not resolved: g(r) %s by %.2g +- %.2g, in %lld samples",
             what == FALL ? "falls after it" : "rises after it", value[what],
             errors->nblock > 1 ? fmax(error[what], value[what + 1]) : value[what + 1],
             (long long)errors->samples);
  results_observed(report, "gofr", subject, quantity, NAN, NAN, note);
}

/* The number of B around an A and, of unlike sites, of A around a B. */
static void report_neighbours(const Gofr *g, const GofrPair *pair, double value, double error,
                              ResultSet *report)
{
  for (int turned = 0; turned <= (pair->a != pair->b); turned++) {
    const GofrSpecies *centre = &g->species[turned ? pair->b : pair->a],
                      *around = &g->species[turned ? pair->a : pair->b];
    const double scale = turned ? (double)around->n / centre->n : 1.0;
    char subject[40], note[80];
    snprintf(subject, sizeof subject, "%s: %s", centre->name, around->name);
    snprintf(note, sizeof note, "%s around each %s, within the first minimum", around->name, centre->name);
    results_observed(report, "gofr", subject, feature_name[MIN_N], scale * value, scale * error, note);
  }
}

static void report_pair(const Gofr *g, int p, const BlockRowsErrors *errors, const double *value,
                        const double *error, ResultSet *report)
{
  LOCALE_PLAIN;
  char label[40], note[80];
  pair_label(g, p, label);
  if (!peaked(errors, value, error)) {
    tell_unresolved(report, label, "peak", errors, value, error, FALL);
    return;
  }
  snprintf(note, sizeof note, "bins of %.3g A", g->width);
  const bool trough = isfinite(value[MIN_N]) && resolved(errors, value, error, RISE);
  for (int k = 0; k < (trough ? MIN_N : MIN_R); k++)
    results_observed(report, "gofr", label, feature_name[k], value[k], error[k], k == PEAK_R ? note : NULL);
  if (trough)
    report_neighbours(g, &g->pair[p], value[MIN_N], error[MIN_N], report);
  else
    tell_unresolved(report, label, "minimum", errors, value, error, RISE);
}

static void report_pairs(const Gofr *g, const BlockRowsErrors *errors, const double *value,
                         const double *error, ResultSet *report)
{
  for (int p = 0; p < g->npair; p++) {
    const int at = p * curves_size(g) + 2 * g->nbin;
    report_pair(g, p, errors, value + at, error + at, report);
  }
}

/* Whether a pair's curve shows more than noise: it has a peak, or is known well at large distances. */
static bool worth_drawing(const Gofr *g, const BlockRowsErrors *errors, const double *value,
                          const double *error)
{
  const double well = 0.2;
  double sum = 0.0, noise = 0.0;
  for (int b = g->nbin / 2; b < g->nbin; b++) {
    sum += value[b];
    noise += error[b];
  }
  return noise < well * sum || peaked(errors, value + 2 * g->nbin, error + 2 * g->nbin);
}

/* The pairs that are drawn, [npair], and a title that names the others; all if there is none. */
static int choose_pairs(const Gofr *g, const BlockRowsErrors *errors, const double *value,
                        const double *error, int *chosen, char *title, size_t size)
{
  int n = 0;
  title[0] = '\0';
  for (int p = 0; p < g->npair; p++) {
    const int at = p * curves_size(g);
    char label[40];
    if (worth_drawing(g, errors, value + at, error + at)) {
      chosen[n++] = p;
      continue;
    }
    pair_label(g, p, label);
    const size_t used = strlen(title);
    snprintf(title + used, size - used, "%s%s", used > 0 ? ", " : "too few pairs to draw: ", label);
  }
  for (int p = 0; n == 0 && p < g->npair; p++)
    chosen[p] = p;
  if (n == 0)
    title[0] = '\0';
  return n > 0 ? n : g->npair;
}

static Status draw(const Gofr *g, const char *dir, const BlockRowsErrors *errors, const double *value,
                   const double *error, Error *why)
{
  const size_t nbin = (size_t)g->nbin;
  int chosen[GOFR_PAIRS];
  char title[160], label[GOFR_PAIRS][64];
  const int n = choose_pairs(g, errors, value, error, chosen, title, sizeof title);
  double *r = malloc(nbin * sizeof *r);
  PicturePanel *panel = calloc((size_t)n, sizeof *panel);
  PictureCurve *curve = calloc((size_t)n, sizeof *curve);
  const PictureGuide one = {.at = 1.0};
  Status status = STATUS_OK;
  if (r == NULL || panel == NULL || curve == NULL) {
    status = error_memory(why, "a picture");
  } else {
    for (size_t b = 0; b < nbin; b++)
      r[b] = ((double)b + 0.5) * g->width;
    for (int k = 0; k < n; k++) {
      char pair[40];
      pair_label(g, chosen[k], pair);
      snprintf(label[k], sizeof *label, "g(r) %s", pair);
      const size_t at = (size_t)chosen[k] * (size_t)curves_size(g);
      double top = 1.0;
      for (size_t b = 0; b < nbin; b++)
        top = fmax(top, value[at + b]);
      curve[k] = (PictureCurve){.n = g->nbin, .x = r, .y = value + at, .error = error + at};
      panel[k] = (PicturePanel){.axes = {.xlabel = "distance (Å)",
                                         .ylabel = label[k],
                                         .xmax = g->longest,
                                         .ymax = 1.1 * top,
                                         .nguide = 1,
                                         .guide = &one},
                                .n = 1,
                                .curve = &curve[k]};
    }
    panel[0].axes.title = title;
    status = picture_panels(dir, "gofr", n, panel, n > 3 ? 2 : 1, why);
  }
  free(r);
  free(panel);
  free(curve);
  return status;
}

Status gofr_result_write(void *self, const char *dir, ResultSet *report, Error *error)
{
  const Gofr *g = self;
  const size_t nout = (size_t)g->npair * (size_t)curves_size(g);
  const BlockRowsFunction function = {g, (int)nout, curves};
  BlockRowsErrors errors;
  double *value = malloc(2 * nout * sizeof *value);
  if (value == NULL)
    return error_memory(error, "radial distributions");
  double *spread = value + nout;
  Status status = block_rows_result(g->rows, 1.0, &function, value, spread, &errors, error);
  if (status == STATUS_OK)
    status = write_table(g, dir, &errors, value, spread, report, error);
  if (status == STATUS_OK) {
    const int first = report->n;
    report_pairs(g, &errors, value, spread, report);
    if (!errors.plateau)
      results_doubt(report, first, "gofr", "%lld samples are few for their correlation",
                    (long long)errors.samples);
    Error why;
    status = draw(g, dir, &errors, value, spread, &why);
    if (status == STATUS_RUN)
      results_remark(report, "gofr: no picture: %s", why.text);
    status = picture_outcome(status, &why, error);
  }
  free(value);
  return status;
}
