/* The trimer's bond angle: Vesely 2013, section VII C. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery/exhibit.h"
#include "observables/statistics.h"

enum { BINS = 36, REPLICAS = 1024, SAMPLES = 80, CASES = 4, WALKS = 4 };

static double law_rigid(double phi) { return sqrt(1.0 - 0.25 * cos(phi) * cos(phi)); }
static double law_uniform(double phi)
{
  (void)phi;
  return 1.0;
}

typedef double Law(double phi);

typedef struct Density {
  double n, count[BINS];
  double cosine, error; /* mean of cos(2 phi) */
} Density;

/* Samples of independent replicas, `every` steps apart: several correlation times. */
static Status measure(Page *page, const char *file, double h, int every, Density *d, Error *error)
{
  Simulation *m;
  memset(d, 0, sizeof *d);
  page_set(page, KEY(ensemble_replicas), "%d", REPLICAS);
  page_set(page, KEY(integrator_timestep), "%.17g", h);
  Status status = page_load(page, file, &m, error);
  double *cosine = status == STATUS_OK ? calloc(REPLICAS, sizeof *cosine) : NULL;
  if (status == STATUS_OK && cosine == NULL)
    status = error_memory(error, "angles");
  if (status == STATUS_OK)
    status = simulation_step(m, 3 * every, NULL, error);
  for (int n = 0; n < SAMPLES && status == STATUS_OK; n++) {
    status = simulation_step(m, every, NULL, error);
    for (int r = 0; r < REPLICAS && status == STATUS_OK; r++) {
      double q[6], p[6];
      simulation_get_point(m, r, q, p);
      const double x = q[2] - q[0], y = q[3] - q[1], u = q[4] - q[2], v = q[5] - q[3];
      const double phi = atan2(x * v - y * u, x * u + y * v);
      const int bin = (int)((phi + M_PI) / (2.0 * M_PI) * BINS);
      d->count[bin < BINS ? bin : BINS - 1] += 1.0;
      cosine[r] += cos(2.0 * phi) / SAMPLES;
    }
  }
  d->n = (double)REPLICAS * SAMPLES;
  if (status == STATUS_OK)
    statistics_mean(cosine, REPLICAS, &d->cosine, &d->error);
  free(cosine);
  simulation_free(m);
  return status;
}

/* The law's share of each bin, and its mean of cos(2 phi), by the midpoint rule on smooth periodic functions.
 */
static double shares(Law *law, double share[BINS])
{
  double sum = 0.0, cosine = 0.0;
  for (int b = 0; b < BINS; b++) {
    share[b] = 0.0;
    for (int k = 0; k < 32; k++) {
      const double phi = -M_PI + 2.0 * M_PI * (b + (k + 0.5) / 32.0) / BINS;
      share[b] += law(phi);
      cosine += law(phi) * cos(2.0 * phi);
    }
    sum += share[b];
  }
  for (int b = 0; b < BINS; b++)
    share[b] /= sum;
  return cosine / sum;
}

/* Pearson's chi-square per degree of freedom and the chance of a larger one. */
static double chance(const Density *d, Law *law, double *reduced)
{
  double share[BINS], chi2 = 0.0;
  (void)shares(law, share);
  for (int b = 0; b < BINS; b++)
    chi2 += (d->count[b] - d->n * share[b]) * (d->count[b] - d->n * share[b]) / (d->n * share[b]);
  *reduced = chi2 / (BINS - 1);
  return gsl_cdf_chisq_Q(chi2, BINS - 1);
}

static const struct {
  const char *file, *label, *claim;
  double h;
  int every;
  Law *law, *other;
} cases[CASES] = {
    {"rigid.yaml", "rigid bonds, RATTLE", "p ~ sqrt(1 - cos²φ/4)", 0.075, 80, law_rigid, law_uniform},
    {"walk.yaml", "rigid bonds, random walk", "p ~ sqrt(1 - cos²φ/4)", 0.05, 200, law_rigid, law_uniform},
    {"springs.yaml", "springs", "uniform", 0.0225, 200, law_uniform, law_rigid},
    {"fixman.yaml", "rigid bonds, Fixman's potential", "uniform (Fixman 1974)", 0.075, 80, law_uniform,
     law_rigid},
};

static void draw(Page *page, const Density *d)
{
  double x[BINS], y[CASES][BINS], e[CASES][BINS], law[2][BINS];
  (void)shares(law_rigid, law[0]);
  (void)shares(law_uniform, law[1]);
  const double width = 2.0 * M_PI / BINS;
  for (int b = 0; b < BINS; b++) {
    x[b] = -M_PI + (b + 0.5) * width;
    law[0][b] /= width;
    law[1][b] /= width;
    for (int k = 0; k < CASES; k++) {
      y[k][b] = d[k].count[b] / d[k].n / width;
      e[k][b] = sqrt(d[k].count[b]) / d[k].n / width;
    }
  }
  /* Each case stands in the panel of its own law, the other law dashed. */
  PictureCurve curve[2][CASES + 2];
  int n[2] = {0, 0};
  for (int k = 0; k < CASES; k++) {
    const int panel = cases[k].law == law_rigid ? 0 : 1;
    curve[panel][n[panel]++] = (PictureCurve){
        .label = cases[k].label, .n = BINS, .x = x, .y = y[k], .error = e[k], .style = PICTURE_POINTS};
  }
  PicturePanel panel[2];
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++)
      curve[i][n[i]++] = (PictureCurve){.label = k == 0 ? "sqrt(1 - cos²φ/4), normalised" : "1/2π",
                                        .n = BINS,
                                        .x = x,
                                        .y = law[k],
                                        .style = i == k ? PICTURE_LINE : PICTURE_DASHES,
                                        .colour = i == k ? 1 : 8};
    panel[i] = (PicturePanel){.axes = {.title = i == 0 ? "as a rigid body moves" : "as a stiff one does",
                                       .xlabel = "angle between the bonds φ",
                                       .ylabel = "p(φ)",
                                       .xmin = -M_PI,
                                       .xmax = M_PI,
                                       .ymin = 0.135,
                                       .ymax = 0.185},
                              .n = n[i],
                              .curve = curve[i]};
  }
  page_draw(
      page, "density",
      "Densities of the bond angle, each from 81,920 samples of 1,024 independent replicas, with errors, "
      "and the two laws.",
      2, panel, 2);
}

/* How long may the steps of the random walk be? */
static Status walk_steps(Page *page, Error *error)
{
  const double h[WALKS] = {0.045, 0.06, 0.075, 0.09};
  double y[WALKS], e[WALKS], exact[WALKS], share[BINS], far = 0.0;
  for (int k = 0; k < WALKS; k++) {
    Density d;
    const Status status = measure(page, "walk.yaml", h[k], (int)(0.3 / (h[k] * h[k])), &d, error);
    if (status != STATUS_OK)
      return status;
    y[k] = d.cosine;
    e[k] = d.error;
    exact[k] = shares(law_rigid, share);
    far = fmax(far, fabs(y[k] - exact[k]) / e[k]);
  }
  page_claim(page, "random walk with SHAKE, steps up to 0.09 bond lengths",
             "the same law as the rigid bonds'", far < 4.0, "⟨cos 2φ⟩ within %.1f standard errors of it",
             far);
  const PictureCurve curve[2] = {
      {.label = "random walk", .n = WALKS, .x = h, .y = y, .error = e, .style = PICTURE_POINTS},
      {.label = "the law", .n = WALKS, .x = h, .y = exact, .style = PICTURE_DASHES}};
  page_lines(
      page, "steps",
      "The walk samples the law for short steps; its bias grows with the square of the step. Near 0.11 there "
      "are displacements that no multipliers put right, and the run stops with that message.",
      &(PictureAxes){.title = "Random walk: length of the steps",
                     .xlabel = "step in each coordinate / bond length",
                     .ylabel = "⟨cos 2φ⟩"},
      2, curve);
  return STATUS_OK;
}

static Status run(Page *page, Error *error)
{
  Density d[CASES];
  for (int k = 0; k < CASES; k++) {
    const Status status = measure(page, cases[k].file, cases[k].h, cases[k].every, &d[k], error);
    if (status != STATUS_OK)
      return status;
    double good, bad;
    const double p = chance(&d[k], cases[k].law, &good), q = chance(&d[k], cases[k].other, &bad);
    page_claim(page, cases[k].label, cases[k].claim, p > 1e-3 && q < 1e-9,
               "χ²/%d = %.2f (p = %.2g); against the other law %.1f; ⟨cos 2φ⟩ = %.4f ± %.4f", BINS - 1, good,
               p, bad, d[k].cosine, d[k].error);
  }
  draw(page, d);
  return walk_steps(page, error);
}

const Exhibit exhibit_trimer = {
    .name = "trimer",
    .title = "Trimer: rigid bonds and stiff springs are not the same",
    .paper = "Vesely 2013, section VII C; Fixman 1974",
    .summary =
        "Three equal masses and two bonds in the plane, nothing else. With springs for bonds all angles are "
        "equally likely, however stiff they are; with rigid bonds they are not, because the momenta across "
        "the constraints are missing. Fixman's potential 1/2 kT ln det(J M⁻¹ J') makes up for it. φ is the "
        "angle between consecutive bond vectors; the law is the same for the angle that they enclose.",
    .run = run,
};
