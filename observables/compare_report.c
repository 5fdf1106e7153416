#include "observables/compare_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/picture.h"

enum { NUMBER = 64 }; /* characters of a printed number */

/* "value +- error" with two digits of the error. */
static const char *measured(char text[NUMBER], double value, double error)
{
  int decimals = 4;
  if (error > 0.0 && isfinite(error)) {
    decimals = 1 - (int)floor(log10(error));
    decimals = decimals < 0 ? 0 : (decimals > 9 ? 9 : decimals);
  }
  if (isnan(error))
    snprintf(text, NUMBER, "%.*f +- ?", decimals, value);
  else
    snprintf(text, NUMBER, "%.*f +- %.*f", decimals, value, decimals, error);
  return text;
}

static const char *probability(char text[NUMBER], double p)
{
  if (p < 1e-15)
    snprintf(text, NUMBER, "p < 1e-15");
  else
    snprintf(text, NUMBER, p < 0.001 ? "p = %.0e" : "p = %.2g", p);
  return text;
}

/* --- table ------------------------------------------------------------------------------------------------
 */

static void print_run(const Compare *c, int i, int width, FILE *out)
{
  const CompareRun *run = &c->run[i];
  char w[NUMBER] = "-", w2[NUMBER] = "0", energy[NUMBER], temperature[NUMBER],
       difference[NUMBER] = "reference", z[NUMBER] = "";
  if (run->w > 0.0) {
    snprintf(w, sizeof w, "%g", run->w);
    snprintf(w2, sizeof w2, "%.4g", 1.0 / (run->w * run->w));
  }
  if (i > 0) {
    const StatisticsWelch *against = &c->pair[i - 1].energy; /* pairs (0, 1), (0, 2), ... come first */
    measured(difference, against->difference, against->error);
    snprintf(z, sizeof z, "%.1f", against->z);
  }
  fprintf(out, "%-*s  %6s  %9s  %8d  %18s  %20s  %18s  %7s\n", width, run->label, w, w2, run->replicas,
          measured(temperature, run->temperature, run->temperature_error),
          measured(energy, run->energy, run->energy_error), difference, z);
}

static void print_table(const Compare *c, FILE *out)
{
  int width = 3;
  for (int i = 0; i < c->n; i++)
    width = (int)strlen(c->run[i].label) > width ? (int)strlen(c->run[i].label) : width;
  fprintf(out, "%-*s  %6s  %9s  %8s  %18s  %20s  %18s  %7s\n", width, "run", "w", "1/w^2", "replicas",
          "temperature", "non-bonded energy", "difference", "z");
  fprintf(out, "%-*s  %6s  %9s  %8s  %18s  %20s  %18s  %7s\n", width, "", "", "", "", "K", "kcal/mol",
          "kcal/mol", "");
  for (int i = 0; i < c->n; i++)
    print_run(c, i, width, out);
  fprintf(out, "(+- is one standard error; z = difference/error)\n");
}

/* Runs that differ in more than the method are not to be compared without knowing it. */
static void print_remarks(const Compare *c, FILE *out)
{
  static const char *const key[] = {"model",    "molecules", "target_temperature", "thermostat",
                                    "friction", "timestep",  "precision"};
  for (size_t k = 0; k < sizeof key / sizeof key[0]; k++) {
    const char *first = compare_value(&c->run[0], key[k]);
    for (int i = 1; i < c->n; i++) {
      const char *other = compare_value(&c->run[i], key[k]);
      if (first != NULL && other != NULL && strcmp(first, other) != 0)
        fprintf(out, "note: %s has %s %s, %s has %s\n", c->run[0].label, key[k], first, c->run[i].label,
                other);
    }
  }
  for (int i = 0; i < c->n; i++) {
    const char *ended = compare_value(&c->run[i], "ended");
    if (ended != NULL && strcmp(ended, "complete") != 0)
      fprintf(out, "note: %s did not run to its end (%s)\n", c->run[i].label, ended);
  }
}

/* --- pairs ------------------------------------------------------------------------------------------------
 */

static void print_pair(const Compare *c, const ComparePair *pair, FILE *out)
{
  char difference[NUMBER], p[NUMBER];
  const StatisticsWelch *e = &pair->energy;
  const StatisticsDistance *d = &pair->distance;
  fprintf(out, "%s and %s: ", c->run[pair->a].label, c->run[pair->b].label);
  if (pair->agree == 1)
    fprintf(out, "agree: ");
  else if (pair->agree < 0)
    fprintf(out, "no errors, so nothing can be said: ");
  else if (pair->energy_adjusted < 0.05)
    fprintf(out, "differ by %.1f standard errors: ", fabs(e->z));
  else
    fprintf(out, "differ in the distribution: ");
  fprintf(out, "energy %s kcal/mol, %s; ", measured(difference, e->difference, e->error),
          probability(p, e->p));
  if (isnan(d->tv))
    fprintf(out, "distributions not compared (none kept, or other bins)\n");
  else
    fprintf(out, "TV %.4f, two equal runs would give %.4f +- %.4f, %s%s\n", d->tv, d->null_mean, d->null_sd,
            d->p * (d->permutations + 1) < 1.5 ? "p <= " : "p = ", (snprintf(p, NUMBER, "%.2g", d->p), p));
}

static void print_pairs(const Compare *c, FILE *out)
{
  int tests = 0;
  for (int k = 0; k < c->npair; k++) {
    print_pair(c, &c->pair[k], out);
    tests += !isnan(c->pair[k].energy_adjusted);
    tests += !isnan(c->pair[k].tv_adjusted);
  }
  fprintf(
      out,
      "(agree: no difference seen at 5 %% for all %d tests together, Holm-Bonferroni; the p given are those "
      "of the "
      "single tests. TV: total variation distance of the distributions, its p by permutation of replicas)\n",
      tests);
}

/* --- the limit of large w ---------------------------------------------------------------------------------
 */

static void print_fit(const Compare *c, const CompareFit *fit, FILE *out)
{
  char e0[NUMBER], slope[NUMBER], p[NUMBER], difference[NUMBER];
  fprintf(out, "%s: energy = (%s) + (%s)/w^2", fit->group,
          measured(e0, fit->line.intercept, fit->line.intercept_error),
          measured(slope, fit->line.slope, fit->line.slope_error));
  if (fit->line.dof > 0)
    fprintf(out, ", chi2 = %.1f for %d degree%s of freedom, %s", fit->line.chi2, fit->line.dof,
            fit->line.dof > 1 ? "s" : "", probability(p, fit->line.p));
  else
    fprintf(out, " through two points");
  if (fit->left_out > 0)
    fprintf(out, "; without the %d smallest w, where more than 1/w^2 shows (chi2 = %.1f with all %d)",
            fit->left_out, fit->all.chi2, fit->n);
  fprintf(out, "\n");
  if (fit->reference >= 0)
    fprintf(out, "  at infinite w this differs from %s by %s kcal/mol (%.1f standard errors, %s)\n",
            c->run[fit->reference].label,
            measured(difference, fit->at_infinity.difference, fit->at_infinity.error),
            fabs(fit->at_infinity.z), probability(p, fit->at_infinity.p));
}

void compare_report_print(const Compare *compare, FILE *out)
{
  print_table(compare, out);
  print_remarks(compare, out);
  fprintf(out, "\n");
  print_pairs(compare, out);
  if (compare->nfit > 0)
    fprintf(out, "\n");
  for (int k = 0; k < compare->nfit; k++)
    print_fit(compare, &compare->fit[k], out);
}

/* --- pictures ---------------------------------------------------------------------------------------------
 */

/* What all runs have in common. */
static void make_title(const Compare *c, char *title, size_t size)
{
  const char *n = compare_value(&c->run[0], "molecules"), *model = compare_value(&c->run[0], "model");
  const char *kelvin = compare_value(&c->run[0], "target_temperature");
  title[0] = '\0';
  if (n != NULL && model != NULL && kelvin != NULL)
    snprintf(title, size, "%.20s molecules of %.20s at %.4g K", n, model, strtod(kelvin, NULL));
}

/* The distributions from fractions of all pairs: inside the range they are normalised as P(r) is. */
static Status draw_distributions(const Compare *c, const char *dir, Error *error)
{
  const size_t count = c->n > 0 ? (size_t)c->n : 0;
  size_t size = 0;
  for (size_t i = 0; i < count; i++)
    size += 3 * (size_t)c->run[i].ncol;
  PictureCurve *curve = calloc(count + 1, sizeof *curve);
  double *memory = malloc((size + 1) * sizeof *memory), *next = memory;
  int n = 0;
  for (int i = 0; i < c->n && curve != NULL && memory != NULL; i++) {
    const CompareRun *run = &c->run[i];
    if (run->nrow == 0)
      continue;
    const int nbin = run->ncol - 1;
    double *x = next, *y = x + nbin, *e = y + nbin, inside = 0.0;
    for (int b = 0; b < nbin; b++) {
      StatisticsMoments m = {0};
      for (int k = 0; k < run->nrow; k++)
        statistics_moments_add(&m, &run->fraction[(size_t)k * (size_t)run->ncol + (size_t)b], 1);
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

/* One group's points |energy - reference| over 1/w^2 and the first-order line of its fit. */
static void group_curves(const Compare *c, const CompareFit *fit, double *memory, PictureCurve curve[2])
{
  double *x = memory, *y = x + c->n, *e = y + c->n, *line = e + c->n, low = INFINITY, high = 0.0;
  const CompareRun *reference = &c->run[fit->reference];
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    const CompareRun *run = &c->run[i];
    if (!(run->w > 0.0) || strcmp(run->group, fit->group) != 0)
      continue;
    x[n] = 1.0 / (run->w * run->w);
    y[n] = fabs(run->energy - reference->energy);
    e[n] = hypot(run->energy_error, reference->energy_error);
    low = fmin(low, x[n]);
    high = fmax(high, x[n++]);
  }
  line[0] = low / 1.5;
  line[1] = high * 1.5;
  line[2] = fabs(fit->line.slope) * line[0];
  line[3] = fabs(fit->line.slope) * line[1];
  curve[0] = (PictureCurve){.label = fit->group, .n = n, .x = x, .y = y, .error = e, .style = PICTURE_POINTS};
  curve[1] = (PictureCurve){.n = 2, .x = line, .y = line + 2, .style = PICTURE_DASHES};
  curve[1].label = "1/w² with the slope of the fit";
}

static Status draw_limit(const Compare *c, const char *dir, Error *error)
{
  if (c->nfit == 0 || c->fit[0].reference < 0)
    return STATUS_OK;
  const size_t room = 3 * (size_t)c->n + 4;
  PictureCurve *curve = calloc(2 * (size_t)c->nfit, sizeof *curve);
  double *memory = malloc((size_t)c->nfit * room * sizeof *memory);
  Status status = STATUS_OK;
  if (curve == NULL || memory == NULL) {
    status = error_memory(error, "a picture");
  } else {
    for (int k = 0; k < c->nfit; k++)
      group_curves(c, &c->fit[k], memory + (size_t)k * room, curve + 2 * k);
    char title[128];
    make_title(c, title, sizeof title);
    const PictureAxes axes = {.title = title,
                              .xlabel = "1/w² (Å⁴ mol/kcal)",
                              .ylabel = "|non-bonded energy − constrained| (kcal/mol)",
                              .logx = 1,
                              .logy = 1};
    status = picture_lines(dir, "compare_w", &axes, 2 * c->nfit, curve, error);
  }
  free(curve);
  free(memory);
  return status;
}

Status compare_report_draw(const Compare *compare, const char *dir, Error *error)
{
  const Status first = draw_distributions(compare, dir, error);
  if (first != STATUS_OK && first != STATUS_RUN)
    return first;
  const Status second = draw_limit(compare, dir, error);
  return second != STATUS_OK ? second : first;
}
