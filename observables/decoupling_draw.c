/* The figure of a decoupling: where slopes are known, the free energy that they add up to, and where states
 * are missing. */
#include <math.h>

#include "base/scoped.h"
#include "observables/decoupling_result.h"
#include "observables/picture.h"

enum { PANELS = 3, CURVES = 2 * DECOUPLING_PARAMETERS };

/* Numbers of the states along the path, in kcal/mol. */
typedef struct Drawn {
  double *at, *middle;                           /* sum of both lambdas; between states */
  DecouplingColumn slope[DECOUPLING_PARAMETERS]; /* dU/dlambda */
  DecouplingColumn free[2];                      /* by MBAR, by integration */
  double *overlap;                               /* with the next */
  PictureGuide *gap;
  PictureCurve curve[PANELS][CURVES];
  Arena arena;
} Drawn;

static void drawn_free(Drawn *to) { arena_free(&to->arena); }

static DecouplingColumn take(Drawn *to, const DecouplingColumn *of, int n, double scale)
{
  const DecouplingColumn c = {arena_take(&to->arena, (size_t)n, sizeof *c.value),
                              arena_take(&to->arena, (size_t)n, sizeof *c.error)};
  for (int k = 0; k < n && !to->arena.failed; k++) {
    c.value[k] = scale * of->value[k];
    c.error[k] = fabs(scale) * of->error[k];
  }
  return c;
}

static Status find(const DecouplingPath *p, const Decoupling *d, Drawn *to, Error *error)
{
  const size_t n = (size_t)p->states;
  to->at = arena_take(&to->arena, n, sizeof *to->at);
  to->middle = arena_take(&to->arena, n, sizeof *to->middle);
  to->overlap = arena_take(&to->arena, n, sizeof *to->overlap);
  to->gap = arena_take(&to->arena, n, sizeof *to->gap);
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    to->slope[q] = take(to, &d->slope[q], p->states, -p->kT);
  to->free[0] = take(to, &d->free, p->states, p->kT);
  to->free[1] = take(to, &d->integrated, p->states, p->kT);
  TRY(arena_check(&to->arena, "a figure", error));
  for (int k = 0; k < p->states; k++) {
    to->at[k] = 2.0 - p->strength[0][k] - p->strength[1][k];
    if (k == 0)
      continue;
    to->middle[k - 1] = 0.5 * (to->at[k - 1] + to->at[k]);
    to->overlap[k - 1] = d->pair[k - 1].overlap;
  }
  return STATUS_OK;
}

static PictureCurve curve_of(const double *x, const double *y, const double *error, int n, PictureStyle style,
                             int colour, const char *label)
{
  return (PictureCurve){
      .label = label, .n = n, .x = x, .y = y, .error = error, .style = style, .colour = colour};
}

/* Curves of the slopes by each strength, at the states between which it changes. */
static int add_legs(const DecouplingPath *p, Drawn *of)
{
  static const char *const label[] = {"charges", "Lennard-Jones"};
  int n = 0;
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++) {
    int first = p->states, last = -1;
    for (int k = 0; k + 1 < p->states; k++)
      if (p->strength[q][k + 1] != p->strength[q][k]) {
        first = k < first ? k : first;
        last = k + 1;
      }
    if (last < 0)
      continue;
    const double *const x = of->at + first, *const y = of->slope[q].value + first;
    of->curve[0][n++] = curve_of(x, y, NULL, last - first + 1, PICTURE_LINE, 2 + q, label[q]);
    of->curve[0][n++] =
        curve_of(x, y, of->slope[q].error + first, last - first + 1, PICTURE_POINTS, 2 + q, NULL);
  }
  return n;
}

/* Lines through the intervals in which a state is missing. */
static int add_gaps(const Decoupling *d, const Drawn *of)
{
  int n = 0;
  for (int k = 0; k + 1 < d->states; k++)
    if (of->overlap[k] < MBAR_OVERLAP_LEAST) {
      of->gap[n] = (PictureGuide){1, of->middle[k], n == 0 ? "a state is missing" : NULL};
      n++;
    }
  return n;
}

Status decoupling_draw(const Decoupling *d, const DecouplingPath *p, const char *dir, Error *why)
{
  static const char along[] = "λ of the charges + λ of Lennard-Jones";
  static const PictureGuide least = {0, MBAR_OVERLAP_LEAST, "required"};
  SCOPED(drawn_free) Drawn of = {0};
  TRY(find(p, d, &of, why));
  const int n = p->states, legs = add_legs(p, &of), gaps = add_gaps(d, &of);
  of.curve[1][0] = curve_of(of.at, of.free[0].value, of.free[0].error, n, PICTURE_LINE, 1, NULL);
  of.curve[1][1] = curve_of(of.at, of.free[1].value, of.free[1].error, n, PICTURE_POINTS, 4, NULL);
  of.curve[2][0] = curve_of(of.middle, of.overlap, NULL, n - 1, PICTURE_POINTS, 1, NULL);
  PicturePanel panel[PANELS] = {
      {.axes = {.xlabel = along, .ylabel = "⟨dU/dλ⟩ (kcal/mol)", .nguide = gaps, .guide = of.gap},
       .n = legs,
       .curve = of.curve[0]},
      {.axes = {.xlabel = along,
                .ylabel = "free energy (kcal/mol)",
                .title = "MBAR: line with two standard errors; integration: points",
                .nguide = gaps,
                .guide = of.gap},
       .n = 2,
       .curve = of.curve[1]},
      {.axes = {.xlabel = along,
                .ylabel = "overlap",
                .title = "Overlap of neighbours",
                .ymax = 0.55,
                .nguide = 1,
                .guide = &least},
       .n = 1,
       .curve = of.curve[2]}};
  for (int i = 0; i < PANELS; i++) {
    panel[i].axes.xmin = of.at[0];
    panel[i].axes.xmax = of.at[n - 1];
  }
  return picture_panels(dir, "alchemy", PANELS, panel, 1, why);
}
