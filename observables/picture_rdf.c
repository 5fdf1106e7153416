#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/locale.h"
#include "observables/picture_private.h"

/* Curves, and their differences to the first. */
typedef struct Distributions {
  int n, same_bins;
  PictureCurve *curve, *difference; /* [n] each; difference[0] is not drawn */
  char (*title)[128];               /* [n] titles of the panels of differences */
  char label[64];                   /* label of their axis, with the unit of the curves */
} Distributions;

static Status distributions_load(Distributions *d, const PictureCurve *curve, Arena *arena, Error *error)
{
  const size_t n = (size_t)d->n;
  d->curve = arena_take(arena, n, sizeof *d->curve);
  d->difference = arena_take(arena, n, sizeof *d->difference);
  d->title = arena_take(arena, n, sizeof *d->title);
  TRY(arena_check(arena, "a picture", error));
  memcpy(d->curve, curve, n * sizeof *curve);
  return STATUS_OK;
}

static Status distributions_subtract(Distributions *d, Arena *arena, Error *error)
{
  const PictureCurve *first = &d->curve[0];
  d->same_bins = 1;
  for (int c = 1; c < d->n; c++)
    for (int i = 0; i < first->n && d->same_bins; i++)
      d->same_bins = d->curve[c].n == first->n && fabs(d->curve[c].x[i] - first->x[i]) < 1e-9;
  if (!d->same_bins)
    return STATUS_OK;
  const size_t nbin = (size_t)first->n;
  double *const memory = arena_take(arena, 2 * nbin * (size_t)d->n, sizeof *memory);
  TRY(arena_check(arena, "a picture", error));
  for (int c = 1; c < d->n; c++) {
    const PictureCurve *other = &d->curve[c];
    double *y = memory + 2 * nbin * (size_t)c, *e = y + nbin;
    for (size_t i = 0; i < nbin; i++) {
      y[i] = other->y[i] - first->y[i];
      e[i] = other->error != NULL && first->error != NULL ? hypot(other->error[i], first->error[i]) : NAN;
    }
    d->difference[c] = (PictureCurve){.n = first->n, .x = first->x, .y = y, .error = e};
    snprintf(d->title[c], sizeof d->title[c], "%.60s − %.60s", other->label != NULL ? other->label : "other",
             first->label != NULL ? first->label : "first");
  }
  return STATUS_OK;
}

/* The range with data. */
static void distributions_range(const Distributions *d, PictureAxes *axes)
{
  double low = INFINITY, high = -INFINITY;
  for (int c = 0; c < d->n; c++) {
    const PictureCurve *curve = &d->curve[c];
    double top = 0.0;
    for (int i = 0; i < curve->n; i++) {
      const double e = curve->error != NULL && isfinite(curve->error[i]) ? curve->error[i] : 0.0;
      top = fmax(top, curve->y[i]);
      axes->ymax = fmax(axes->ymax, 1.04 * (curve->y[i] + 2.0 * e));
    }
    for (int i = 0; i < curve->n; i++)
      if (curve->y[i] > 2e-3 * top) {
        low = fmin(low, curve->x[i]);
        high = fmax(high, curve->x[i]);
      }
  }
  const double margin = 0.03 * (high - low);
  axes->xmin =
      low < 0.0 ? low - margin : fmax(0.0, low - margin); /* negative for torsions, not for distances */
  axes->xmax = high + margin;
}

/* The reference is black, below the others, and visible where they agree with it. */
static void distributions_colour(Distributions *d)
{
  for (int c = 0; d->n > 1 && c < d->n; c++) {
    d->curve[c].colour = d->difference[c].colour = c % 8 + 1;
    d->curve[c].width = c == 0 ? 1.7 : 1.0;
  }
}

/* The panels of one set, `step` apart: the curves, and below them the difference of each to the first, with
 * its band, in a panel of its own. */
static void set_panels(Distributions *d, const PictureSet *set, int labelled, int step, PicturePanel *panel)
{
  static const PictureGuide zero = {.at = 0.0};
  const char *unit = set->ylabel != NULL ? strstr(set->ylabel, " (") : NULL;
  distributions_colour(d);
  snprintf(d->label, sizeof d->label, "difference%.48s", unit != NULL ? unit : "");
  panel[0] = (PicturePanel){.axes = {.title = set->title, .xlabel = set->xlabel, .ylabel = set->ylabel},
                            .n = d->n,
                            .curve = d->curve};
  distributions_range(d, &panel[0].axes);
  for (int c = 0; c < d->n && !labelled; c++)
    d->curve[c].label = NULL;
  for (int c = 1; c < d->n && d->same_bins; c++)
    panel[c * step] = (PicturePanel){.axes = {.title = d->title[c],
                                              .xlabel = set->xlabel,
                                              .ylabel = d->label,
                                              .xmin = panel[0].axes.xmin,
                                              .xmax = panel[0].axes.xmax,
                                              .nguide = 1,
                                              .guide = &zero},
                                     .n = 1,
                                     .curve = &d->difference[c]};
}

Status picture_rdf_differences(const char *dir, const char *name, int nset, const PictureSet *set,
                               Error *error)
{
  LOCALE_PLAIN;
  enum { COLUMN = 4 }; /* panels of one set, below each other */
  if (nset < 1 || set[0].n < 1)
    return error_set(error, STATUS_INPUT, "%s: no distribution to draw", name);
  const int n = set[0].n;
  SCOPED(arena_free) Arena arena = {0};
  Distributions *d = arena_take(&arena, (size_t)nset, sizeof *d);
  PicturePanel *panel = arena_take(&arena, (size_t)nset * (size_t)n, sizeof *panel);
  TRY(arena_check(&arena, "a picture", error));
  int same = 1;
  for (int s = 0; s < nset; s++) {
    d[s].n = n;
    TRY(distributions_load(&d[s], set[s].curve, &arena, error));
    TRY(distributions_subtract(&d[s], &arena, error));
    set_panels(&d[s], &set[s], s == 0, nset, panel + s);
    same = same && d[s].same_bins;
  }
  return picture_panels(dir, name, same ? nset * n : nset, panel, nset > 1 ? nset : (n > COLUMN ? 2 : 1),
                        error);
}

Status picture_rdf(const char *dir, const char *name, const char *title, const ResultSet *of, int n,
                   const PictureCurve *curve, Error *error)
{
  LOCALE_PLAIN;
  const QuantityWords x = results_caption(of, "rdf", "r"), y = results_caption(of, "rdf", "P");
  const PictureSet set = {title, x.text, y.text, n, curve};
  return picture_rdf_differences(dir, name, 1, &set, error);
}
