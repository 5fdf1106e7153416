#include <math.h>
#include <stdlib.h>

#include "observables/picture_private.h"

/* Curves with their numbers, and the differences to the first; one owner of all memory. */
typedef struct Distributions {
  int n, same_bins;
  PictureCurve *curve, *difference; /* [n] each; difference[0] is not drawn */
  RdfResult **result;               /* [n], NULL where the caller gave numbers */
  double *memory;
} Distributions;

static void distributions_free(Distributions *d)
{
  for (int c = 0; d->result != NULL && c < d->n; c++)
    rdf_result_free(d->result[c]);
  free(d->result);
  free(d->curve);
  free(d->difference);
  free(d->memory);
}

static Status distributions_load(Distributions *d, const PictureCurve *curve, Error *error)
{
  const size_t n = (size_t)d->n;
  d->curve = calloc(n, sizeof *d->curve);
  d->difference = calloc(n, sizeof *d->difference);
  d->result = calloc(n, sizeof(RdfResult *));
  if (d->curve == NULL || d->difference == NULL || d->result == NULL)
    return error_memory(error, "a picture");
  for (int c = 0; c < d->n; c++) {
    d->curve[c] = curve[c];
    if (curve[c].rdf == NULL)
      continue;
    const Status status = rdf_result(curve[c].rdf, &d->result[c], error);
    if (status != STATUS_OK)
      return status;
    const RdfResult *r = d->result[c];
    d->curve[c].n = r->nbin;
    d->curve[c].x = r->r;
    d->curve[c].y = r->p;
    d->curve[c].error = r->p_err;
  }
  return STATUS_OK;
}

static Status distributions_subtract(Distributions *d, Error *error)
{
  const PictureCurve *first = &d->curve[0];
  d->same_bins = 1;
  for (int c = 1; c < d->n; c++)
    for (int i = 0; i < first->n && d->same_bins; i++)
      d->same_bins = d->curve[c].n == first->n && fabs(d->curve[c].x[i] - first->x[i]) < 1e-9;
  if (!d->same_bins)
    return STATUS_OK;
  const size_t nbin = (size_t)first->n;
  d->memory = malloc((2 * nbin * (size_t)d->n + 1) * sizeof *d->memory);
  if (d->memory == NULL)
    return error_memory(error, "a picture");
  for (int c = 1; c < d->n; c++) {
    const PictureCurve *other = &d->curve[c];
    double *y = d->memory + 2 * nbin * (size_t)c, *e = y + nbin;
    for (size_t i = 0; i < nbin; i++) {
      y[i] = other->y[i] - first->y[i];
      e[i] = other->error != NULL && first->error != NULL ? hypot(other->error[i], first->error[i]) : NAN;
    }
    d->difference[c] =
        (PictureCurve){.label = other->label, .n = first->n, .x = first->x, .y = y, .error = e};
  }
  return STATUS_OK;
}

/* The range where there is anything to see. */
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
  axes->xmin = fmax(0.0, low - margin);
  axes->xmax = high + margin;
}

/* The reference is black, lies under the others and still shows where they agree with it. */
static void distributions_colour(Distributions *d)
{
  for (int c = 0; d->n > 1 && c < d->n; c++) {
    d->curve[c].colour = d->difference[c].colour = c % 7 + 1;
    d->curve[c].width = c == 0 ? 1.7 : 1.0;
  }
}

Status picture_rdf(const char *dir, const char *name, const char *title, int n, const PictureCurve *curve,
                   Error *error)
{
  if (n < 1)
    return error_set(error, STATUS_INPUT, "%s: no distribution to draw", name);
  Distributions d = {.n = n};
  Status status = distributions_load(&d, curve, error);
  if (status == STATUS_OK)
    status = distributions_subtract(&d, error);
  if (status == STATUS_OK) {
    const int two = n > 1 && d.same_bins, height = two ? 760 : 560;
    const PictureGuide zero = {.at = 0.0};
    PicturePanel panel[2] = {
        {.axes = {.title = title, .xlabel = "O–O distance (Å)", .ylabel = "pair density (1/Å)"},
         .n = n,
         .curve = d.curve},
        {.n = n - 1, .curve = d.difference + 1}};
    distributions_colour(&d);
    distributions_range(&d, &panel[0].axes);
    panel[1].axes = (PictureAxes){.xlabel = panel[0].axes.xlabel,
                                  .ylabel = "difference (1/Å)",
                                  .xmin = panel[0].axes.xmin,
                                  .xmax = panel[0].axes.xmax,
                                  .nguide = 1,
                                  .guide = &zero};
    PicturePart part[2] = {
        {.panel = &panel[0], .left = 104, .right = 878, .bottom = two ? 292 : 76, .bare_x = two},
        {.panel = &panel[1], .left = 104, .right = 878, .bottom = 76, .top = 270, .no_legend = 1}};
    part[0].top = height - 18.0 - PICTURE_TITLE * (title != NULL && *title != '\0') -
                  PICTURE_LEGEND_ROW * picture_script_legend_rows(&panel[0], part[0].right - part[0].left);
    PictureSheet sheet = {.width = PICTURE_WIDTH, .height = height, .n = two ? 2 : 1, .part = part};
    status = picture_sheet(dir, name, &sheet, error);
  }
  distributions_free(&d);
  return status;
}
