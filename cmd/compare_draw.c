/* The pictures of compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare_private.h"
#include "observables/picture.h"

/* What all runs have in common. */
static void make_title(const Compare *c, char *title, size_t size)
{
  const char *n = summary_value(c->run[0].summary, "molecules"),
             *model = summary_value(c->run[0].summary, "model");
  const char *kelvin = summary_value(c->run[0].summary, "target_temperature");
  title[0] = '\0';
  if (n != NULL && model != NULL && c->run[0].temperatures > 0)
    snprintf(title, size, "%.20s molecules of %.20s", n, model);
  else if (n != NULL && model != NULL && kelvin != NULL)
    snprintf(title, size, "%.20s molecules of %.20s at %.4g K", n, model, strtod(kelvin, NULL));
}

/* The distributions from fractions of all pairs: inside the range they are normalised as P(r) is. */
static Status draw_distributions(const Compare *c, const char *dir, Error *error)
{
  const size_t count = c->n > 0 ? (size_t)c->n : 0;
  size_t size = 0;
  for (size_t i = 0; i < count; i++)
    size += 3 * (size_t)c->run[i].fraction.ncol;
  PictureCurve *curve = calloc(count + 1, sizeof *curve);
  double *memory = malloc((size + 1) * sizeof *memory), *next = memory;
  int n = 0;
  for (int i = 0; i < c->n && curve != NULL && memory != NULL; i++) {
    const CompareRun *run = &c->run[i];
    if (run->fraction.nrow == 0)
      continue;
    const int nbin = run->fraction.ncol - 1;
    double *x = next, *y = x + nbin, *e = y + nbin, inside = 0.0;
    for (int b = 0; b < nbin; b++) {
      StatisticsMoments m = {0};
      for (int k = 0; k < run->fraction.nrow; k++)
        statistics_moments_add(&m, &run->fraction.x[(size_t)k * (size_t)run->fraction.ncol + (size_t)b], 1);
      x[b] = (b + 0.5) * run->rmax / nbin;
      y[b] = m.mean;
      e[b] = statistics_moments_error(&m);
      inside += m.mean * run->rmax / nbin;
    }
    for (int b = 0; b < nbin; b++) {
      y[b] /= inside;
      e[b] /= inside;
    }
    curve[n++] = (PictureCurve){.label = run->label, .n = nbin, .x = x, .y = y, .error = e};
    next = e + nbin;
  }
  char title[128];
  make_title(c, title, sizeof title);
  Status status = STATUS_OK;
  if (curve == NULL || memory == NULL)
    status = error_memory(error, "a picture");
  else if (n > 0)
    status = picture_rdf(dir, "compare", title, n, curve, error);
  free(curve);
  free(memory);
  return status;
}

/* g(r) of the pairs that all runs have, on the first one's bins. */
static Status draw_curves(const Compare *c, const char *dir, Error *error)
{
  const CompareCurves *first = &c->run[0].curves;
  const size_t n = (size_t)c->n, npair = (size_t)first->npair;
  PictureSet *set = calloc(npair + 1, sizeof *set);
  PictureCurve *curve = calloc(npair * n + 1, sizeof *curve);
  char(*label)[80] = calloc(npair + 1, sizeof *label);
  Status status =
      set == NULL || curve == NULL || label == NULL ? error_memory(error, "a picture") : STATUS_OK;
  char title[128];
  int sets = 0;
  make_title(c, title, sizeof title);
  for (int p = 0; p < first->npair && status == STATUS_OK; p++) {
    PictureCurve *to = curve + (size_t)sets * n;
    int found = 0;
    for (int i = 0; i < c->n; i++) {
      const CompareCurves *g = &c->run[i].curves;
      for (int k = 0; k < g->npair; k++)
        if (strcmp(g->name[k], first->name[p]) == 0 && g->nbin > 1)
          to[found++] = (PictureCurve){.label = c->run[i].label,
                                       .n = g->nbin,
                                       .x = g->r,
                                       .y = g->g + (size_t)k * (size_t)g->nbin,
                                       .error = g->error + (size_t)k * (size_t)g->nbin};
    }
    if (found < c->n)
      continue;
    snprintf(label[sets], sizeof *label, "%s%s", first->words->before, first->name[p]);
    set[sets] = (PictureSet){sets == 0 ? title : NULL, first->words->axis, label[sets], c->n, to};
    sets++;
  }
  if (status == STATUS_OK && sets > 0)
    status = picture_rdf_differences(dir, "compare", sets, set, error);
  free(set);
  free(curve);
  free(label);
  return status;
}

/* Points of a line, which is not straight where axes are logarithmic; characters of a curve's name. */
enum { LINE = 200, LABEL = 128 };

static int has_step(const CompareRun *run, const CompareFit *fit, double h)
{
  return compare_fit_has(run, fit->group) && (!fit->with_h || fabs(run->h - h) <= 1e-9 * h);
}

/* One of a group's lines, that of its runs of step h: |fit - reference| over 1/w^2. */
static void fit_line(const CompareFit *fit, double h, double low, double high, double *x, double *y)
{
  const double at_zero =
      fit->line.value[0] - fit->reference_energy + (fit->with_h ? fit->line.value[2] * h * h : 0.0);
  for (int i = 0; i < LINE; i++) {
    x[i] = low * pow(high / low, i / (LINE - 1.0));
    y[i] = fabs(at_zero + fit->line.value[1] * x[i]);
  }
}

/* The points |energy - reference| of one group and step over 1/w^2, and their line. */
static void step_curves(const Compare *c, const CompareFit *fit, double h, double *memory,
                        PictureCurve curve[2])
{
  double *x = memory, *y = x + c->n, *e = y + c->n, *line = e + c->n, low = INFINITY, high = 0.0;
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    if (!has_step(run, fit, h))
      continue;
    x[n] = 1.0 / (run->w * run->w);
    y[n] = fabs(run->mean[0].value - fit->reference_energy);
    e[n] = hypot(run->mean[0].error, fit->reference_error);
    low = fmin(low, x[n]);
    high = fmax(high, x[n++]);
  }
  fit_line(fit, h, low / 1.5, high * 1.5, line, line + LINE);
  curve[0] = (PictureCurve){.label = fit->group, .n = n, .x = x, .y = y, .error = e, .style = PICTURE_POINTS};
  curve[1] =
      (PictureCurve){.label = "the fit", .n = LINE, .x = line, .y = line + LINE, .style = PICTURE_DASHES};
}

/* Points and line of each step of a group; returns how many curves there are. */
static int group_curves(const Compare *c, const CompareFit *fit, double *memory, PictureCurve *curve,
                        char (*label)[LABEL])
{
  const size_t room = 3 * (size_t)c->n + 2 * (size_t)LINE;
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const double h = c->run[i].h;
    int before = 0;
    for (int k = 0; k < i; k++)
      before |= has_step(&c->run[k], fit, h);
    if (before || !has_step(&c->run[i], fit, h))
      continue;
    step_curves(c, fit, h, memory + (size_t)n / 2 * room, curve + n);
    if (fit->with_h) {
      snprintf(label[n / 2], LABEL, "%.90s, h = %g", fit->group, h);
      curve[n].label = label[n / 2];
    }
    n += 2;
  }
  return n;
}

/* A fit whose slope in 1/w^2 can be drawn beside a constrained run. */
static int has_limit(const CompareFit *fit)
{
  return fit->with_w && fit->reference >= 0 && fit->line.dof >= 0 && !fit->line.dependent;
}

static Status draw_limit(const Compare *c, const char *dir, Error *error)
{
  int fits = 0;
  for (int k = 0; k < c->nfit; k++)
    fits += has_limit(&c->fit[k]);
  if (fits == 0)
    return STATUS_OK;
  const size_t most = (size_t)fits * (size_t)c->n, room = 3 * (size_t)c->n + 2 * (size_t)LINE;
  PictureCurve *curve = calloc(2 * most, sizeof *curve);
  char(*label)[LABEL] = calloc(most, sizeof *label);
  double *memory = malloc(most * room * sizeof *memory);
  Status status = STATUS_OK;
  if (curve == NULL || label == NULL || memory == NULL) {
    status = error_memory(error, "a picture");
  } else {
    int n = 0;
    for (int k = 0; k < c->nfit; k++)
      if (has_limit(&c->fit[k]))
        n += group_curves(c, &c->fit[k], memory + (size_t)n / 2 * room, curve + n, label + n / 2);
    char title[128];
    make_title(c, title, sizeof title);
    const PictureAxes axes = {.title = title,
                              .xlabel = "1/w² (Å⁴ mol/kcal)",
                              .ylabel = "|non-bonded energy − constrained| (kcal/mol)",
                              .logx = 1,
                              .logy = 1};
    status = picture_lines(dir, "compare_w", &axes, n, curve, error);
  }
  free(curve);
  free(label);
  free(memory);
  return status;
}

Status compare_draw(const Compare *compare, const char *dir, Error *error)
{
  const int box = compare->run[0].curves.npair > 0;
  const Status first = box ? draw_curves(compare, dir, error) : draw_distributions(compare, dir, error);
  if (first != STATUS_OK && first != STATUS_RUN)
    return first;
  const Status second = draw_limit(compare, dir, error);
  return second != STATUS_OK ? second : first;
}
