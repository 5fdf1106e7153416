/* Curves, peaks and files of g(r). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/gofr_private.h"
#include "observables/picture.h"
#include "observables/table.h"

/* What is said of each pair beside the curves. */
enum { PEAK_R, PEAK_G, MIN_R, MIN_G, MIN_N, FEATURES };

static const char *const feature_name[FEATURES] = {"peak_r", "peak_g", "minimum_r", "minimum_g",
                                                   "coordination"};

static double shell(double low, double high)
{
  return 4.0 / 3.0 * M_PI * (high * high * high - low * low * low);
}

/* --- peaks -----------------------------------------------------------------------------------------------
 */

static double smoothed(const double *g, int n, int at, int half)
{
  double sum = 0.0;
  int count = 0;
  for (int k = at - half; k <= at + half; k++)
    if (k >= 0 && k < n) {
      sum += g[k];
      count++;
    }
  return sum / count;
}

/* The vertex of the parabola through 2 half + 1 bins around one, by least squares: its place in bins, and the
 * height. NaN if it lies outside them. */
static void vertex(const double *g, int n, int at, int half, double *place, double *height)
{
  double s2 = 0.0, s4 = 0.0, y0 = 0.0, y1 = 0.0, y2 = 0.0;
  *place = *height = NAN;
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

/* The first maximum that g falls away from by a tenth, and the first minimum after it that it rises from by a
 * twentieth of the difference; both found on a smoothed curve. */
static void find_extrema(const double *g, int n, int half, int *top, int *bottom)
{
  double high = 0.0, low = INFINITY;
  int seen = 0;
  *top = *bottom = -1;
  for (int k = 0; k < n; k++) {
    const double y = smoothed(g, n, k, half);
    if (!seen) {
      if (y > high) {
        high = y;
        *top = k;
      }
      seen = high > 0.3 && y < 0.9 * high;
    }
    if (seen && y < low) {
      low = y;
      *bottom = k;
    } else if (seen && y > low + 0.05 * (high - low)) {
      return;
    }
  }
  if (!seen)
    *top = -1;
}

static int bins_of(const Gofr *g, double length)
{
  const int n = (int)lround(length / g->width);
  return n > 1 ? n : 1;
}

static void features(const Gofr *g, const double *curve, const double *neighbours, double *out)
{
  int top, bottom;
  double place;
  for (int k = 0; k < FEATURES; k++)
    out[k] = NAN;
  find_extrema(curve, g->nbin, bins_of(g, 0.06), &top, &bottom);
  if (top >= 0) {
    vertex(curve, g->nbin, top, bins_of(g, 0.08), &place, &out[PEAK_G]);
    out[PEAK_R] = (place + 0.5) * g->width;
  }
  if (bottom >= 0) {
    vertex(curve, g->nbin, bottom, bins_of(g, 0.2), &place, &out[MIN_G]);
    out[MIN_R] = (place + 0.5) * g->width;
    const int whole = isfinite(place) ? (int)(place + 0.5) : -1; /* bins wholly below the minimum */
    if (whole > 0 && whole < g->nbin)
      out[MIN_N] =
          neighbours[whole - 1] + (place + 0.5 - whole) * (neighbours[whole] - neighbours[whole - 1]);
  }
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
    features(g, out, out + g->nbin, out + 2 * g->nbin);
  }
}

/* --- files -----------------------------------------------------------------------------------------------
 */

static void pair_label(const Gofr *g, int p, char label[40])
{
  snprintf(label, sizeof(char[40]), "%s-%s", g->species[g->pair[p].a].name, g->species[g->pair[p].b].name);
}

static void print_head(FILE *file, const Gofr *g, const BlockRowsErrors *errors)
{
  char label[40];
  fprintf(file, "r,r_hi");
  for (int p = 0; p < g->npair; p++) {
    pair_label(g, p, label);
    fprintf(file, ",g_%s,g_%s_err,n_%s,n_%s_err", label, label, label, label);
  }
  fprintf(
      file,
      "\n# radial distributions of sites of different molecules in a periodic box\n# samples: %lld\n"
      "# width: %.17g\n# longest: %.17g\n"
      "# r: middle of the bin, A; r_hi: its upper edge\n"
      "# g_A-B: pairs of an A and a B of different molecules in the bin, against as many pairs spread at "
      "random over the box\n"
      "# n_A-B: mean number of B of other molecules within r_hi of an A; of A around a B: times the number "
      "of A over that of B\n",
      (long long)errors->samples, g->width, g->longest);
  for (int s = 0; s < g->nspecies; s++)
    fprintf(file, "# number_%s: %d\n", g->species[s].name, g->species[s].n);
  block_rows_print(errors, "its correlation", file);
}

static Status write_csv(const Gofr *g, const char *dir, const BlockRowsErrors *errors, const double *value,
                        const double *error, Error *why)
{
  char *path = table_path(dir, "gofr.csv");
  FILE *file;
  Status status = path != NULL ? table_create(&file, path, why) : error_memory(why, "a file name");
  if (status == STATUS_OK) {
    print_head(file, g, errors);
    for (int b = 0; b < g->nbin; b++) {
      fprintf(file, "%.6g,%.6g", (b + 0.5) * g->width, (b + 1) * g->width);
      for (int p = 0; p < g->npair; p++) {
        const int k = p * curves_size(g) + b;
        fprintf(file, ",%.7g,%.3g,%.7g,%.3g", value[k], error[k], value[k + g->nbin], error[k + g->nbin]);
      }
      fprintf(file, "\n");
    }
    status = table_close(file, path, why);
  }
  free(path);
  return status;
}

static void report_pairs(const Gofr *g, const double *value, const double *error, ObservableReport *report)
{
  static const char *const unit[FEATURES] = {"A", "", "A", "", ""};
  for (int p = 0; p < g->npair; p++) {
    char label[40];
    pair_label(g, p, label);
    for (int k = 0; k < FEATURES; k++) {
      const int at = p * curves_size(g) + 2 * g->nbin + k;
      if (isfinite(value[at]))
        observable_report_add(report, "gofr", label, feature_name[k], value[at], error[at], unit[k],
                              k == MIN_N ? "neighbours within the first minimum" : NULL);
    }
  }
}

static Status draw(const Gofr *g, const char *dir, const double *value, const double *error, Error *why)
{
  const size_t nbin = (size_t)g->nbin, npair = (size_t)g->npair;
  double *r = malloc(nbin * sizeof *r);
  PicturePanel *panel = calloc(npair, sizeof *panel);
  PictureCurve *curve = calloc(npair, sizeof *curve);
  char(*label)[64] = calloc(npair, sizeof *label);
  const PictureGuide one = {.at = 1.0};
  Status status = STATUS_OK;
  if (r == NULL || panel == NULL || curve == NULL || label == NULL) {
    status = error_memory(why, "a picture");
  } else {
    for (size_t b = 0; b < nbin; b++)
      r[b] = ((double)b + 0.5) * g->width;
    for (size_t p = 0; p < npair; p++) {
      char pair[40];
      pair_label(g, (int)p, pair);
      snprintf(label[p], sizeof *label, "g(r) %s", pair);
      const size_t at = p * (size_t)curves_size(g);
      double top = 1.0;
      for (size_t b = 0; b < nbin; b++)
        top = fmax(top, value[at + b]);
      curve[p] = (PictureCurve){.n = g->nbin, .x = r, .y = value + at, .error = error + at};
      panel[p] = (PicturePanel){.axes = {.xlabel = "distance (Å)",
                                         .ylabel = label[p],
                                         .xmax = g->longest,
                                         .ymax = 1.1 * top,
                                         .nguide = 1,
                                         .guide = &one},
                                .n = 1,
                                .curve = &curve[p]};
    }
    status = picture_panels(dir, "gofr", g->npair, panel, g->npair > 3 ? 2 : 1, why);
  }
  free(r);
  free(panel);
  free(curve);
  free(label);
  return status;
}

Status gofr_result_write(void *self, const char *dir, ObservableReport *report, Error *error)
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
    status = write_csv(g, dir, &errors, value, spread, error);
  if (status == STATUS_OK) {
    report_pairs(g, value, spread, report);
    if (!errors.plateau)
      observable_report_remark(report,
                               "gofr: %lld samples are few for their correlation; errors may be too small",
                               (long long)errors.samples);
    Error why;
    if (draw(g, dir, value, spread, &why) != STATUS_OK)
      observable_report_remark(report, "gofr: no picture: %s", why.text);
  }
  free(value);
  return status;
}
