/* Random walk of a planar Kramers chain: Vesely 2013, section VII C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "gallery/exhibit.h"
#include "observables/statistics.h"

enum { SIZES = 4, MOST = 30, REPLICAS = 128, EVERY = 50, SAMPLES = 40, SHOTS = 4, PROBES = 4 };

static const int links_of[SIZES] = {5, 10, 20, 30};
static const double step = 0.05;

typedef struct Chain {
  int links;
  double square, square_error; /* <R^2>                                       */
  double cosine, cosine_error; /* <cos(2 phi)> over all angles                 */
  double one, one_error;       /* <cos phi>                                    */
  double t[SAMPLES], msd[SAMPLES], msd_error[SAMPLES];
  double x[SHOTS][MOST + 1], y[SHOTS][MOST + 1]; /* of one replica                      */
} Chain;

/* What all replicas have seen: sums over samples. */
typedef struct Sums {
  double square[REPLICAS], cosine[REPLICAS], one[REPLICAS], move[REPLICAS], origin[REPLICAS][2];
} Sums;

/* A chain of directions drawn at random: that of springs, and near to that of rigid bonds, so that long
 * chains need not find it by their own slow motion. */
static Status scatter(Simulation *m, int links, Error *error)
{
  double q[2 * (MOST + 1)] = {0}, p[2 * (MOST + 1)] = {0};
  for (int r = 0; r < REPLICAS; r++) {
    RandomStream stream = random_stream(2013, (uint32_t)r, RANDOM_START);
    for (int i = 1; i <= links; i++) {
      const double angle = 2.0 * M_PI * random_uniform(&stream);
      q[2 * i] = q[2 * i - 2] + cos(angle);
      q[2 * i + 1] = q[2 * i - 1] + sin(angle);
    }
    const Status status = simulation_set_point(m, r, q, p, error);
    if (status != STATUS_OK)
      return status;
  }
  return STATUS_OK;
}

static void centre(const double *q, int sites, double at[2])
{
  at[0] = at[1] = 0.0;
  for (int i = 0; i < 2 * sites; i++)
    at[i % 2] += q[i] / sites;
}

static void sample(const Simulation *m, int links, Sums *s)
{
  double q[2 * (MOST + 1)], p[2 * (MOST + 1)], at[2];
  for (int r = 0; r < REPLICAS; r++) {
    simulation_get_point(m, r, q, p);
    centre(q, links + 1, at);
    s->move[r] = pow(at[0] - s->origin[r][0], 2) + pow(at[1] - s->origin[r][1], 2);
    s->square[r] += (pow(q[2 * links] - q[0], 2) + pow(q[2 * links + 1] - q[1], 2)) / SAMPLES;
    for (int i = 0; i + 2 <= links; i++) {
      const double *a = q + 2 * i;
      const double cosine = (a[2] - a[0]) * (a[4] - a[2]) + (a[3] - a[1]) * (a[5] - a[3]);
      s->one[r] += cosine / (links - 1) / SAMPLES;
      s->cosine[r] += (2.0 * cosine * cosine - 1.0) / (links - 1) / SAMPLES;
    }
  }
}

static void draw_shot(const Simulation *m, int shot, Chain *c)
{
  double q[2 * (MOST + 1)], p[2 * (MOST + 1)];
  simulation_get_point(m, 0, q, p);
  for (int i = 0; i <= c->links; i++) {
    c->x[shot][i] = q[2 * i];
    c->y[shot][i] = q[2 * i + 1];
  }
}

static Status walk(Page *page, Chain *c, Sums *s, Error *error)
{
  Simulation *m;
  memset(s, 0, sizeof *s);
  page_set(page, input_line(KEY(system_constants), "links"), "%d", c->links);
  page_set(page, KEY(ensemble_replicas), "%d", REPLICAS);
  Status status = page_load(page, "walk.yaml", &m, error);
  if (status != STATUS_OK)
    return status;
  status = scatter(m, c->links, error);
  if (status == STATUS_OK)
    status = simulation_step(m, 400, NULL, error); /* angles forget the start */
  for (int r = 0; r < REPLICAS && status == STATUS_OK; r++) {
    double q[2 * (MOST + 1)], p[2 * (MOST + 1)];
    simulation_get_point(m, r, q, p);
    centre(q, c->links + 1, s->origin[r]);
  }
  for (int n = 0; n < SAMPLES && status == STATUS_OK; n++) {
    status = simulation_step(m, EVERY, NULL, error);
    if (status != STATUS_OK)
      break;
    sample(m, c->links, s);
    c->t[n] = (n + 1) * EVERY;
    statistics_mean(s->move, REPLICAS, &c->msd[n], &c->msd_error[n]);
    if (n % (SAMPLES / SHOTS) == 0)
      draw_shot(m, n / (SAMPLES / SHOTS), c);
  }
  statistics_mean(s->square, REPLICAS, &c->square, &c->square_error);
  statistics_mean(s->cosine, REPLICAS, &c->cosine, &c->cosine_error);
  statistics_mean(s->one, REPLICAS, &c->one, &c->one_error);
  simulation_free(m);
  return status;
}

/* --- iterations -------------------------------------------------------------------------------------------
 */

/* The least limit of sweeps under which 64 chains of 10 links go 100 steps; 0: none up to 1024. */
static int sweeps(Page *page, double h, const char *tolerance)
{
  int low = 0, high = 1024;
  for (int first = 1; high - low > 1; first = 0) {
    const int limit = first ? high : (low + high) / 2;
    Simulation *m;
    Error why;
    page_set(page, KEY(geometry_max_iterations), "%d", limit);
    page_set(page, KEY(integrator_timestep), "%.17g", h);
    page_set(page, KEY(geometry_tolerance), "%s", tolerance);
    page_set(page, KEY(geometry_solver), "gauss-seidel");
    Status status = page_load(page, "walk.yaml", &m, &why);
    if (status == STATUS_OK) {
      status = simulation_step(m, 100, NULL, &why);
      simulation_free(m);
    }
    if (first && status != STATUS_OK)
      return 0;
    if (status == STATUS_OK)
      high = limit;
    else
      low = limit;
  }
  return high;
}

static void knobs(Page *page)
{
  static const char *const tolerance[3] = {"1e-3", "1e-6", "1e-10"};
  static const char *const label[3] = {"tolerance 1e-3", "1e-6", "1e-10"};
  const double h[PROBES] = {0.01, 0.02, 0.035, 0.05};
  double y[3][PROBES];
  PictureCurve curve[3];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < PROBES; i++)
      y[k][i] = sweeps(page, h[i], tolerance[k]);
    curve[k] = (PictureCurve){.label = label[k], .n = PROBES, .x = h, .y = y[k], .style = PICTURE_LINE};
  }
  page_claim(page, "SHAKE, 10 links, sweeps that 6,400 steps need at most",
             "step size, iterations and tolerance play together", -1,
             "step 0.01: %g (tolerance 1e-3), %g (1e-6), %g (1e-10); step 0.05: %g, %g, %g", y[0][0], y[1][0],
             y[2][0], y[0][PROBES - 1], y[1][PROBES - 1], y[2][PROBES - 1]);
  page_lines(page, "sweeps", "What the applet's knobs do: sweeps against step size and tolerance.",
             &(PictureAxes){.title = "Gauss-Seidel SHAKE, chain of 10 links",
                            .xlabel = "step in each coordinate / bond length",
                            .ylabel = "sweeps that the worst of 6,400 steps needs"},
             3, curve);
}

/* --- figures ----------------------------------------------------------------------------------------------
 */

static void figures(Page *page, const Chain *c)
{
  PictureCurve curve[2 * SIZES];
  double line[SIZES][SAMPLES];
  char label[SIZES][32];
  for (int k = 0; k < SIZES; k++) {
    snprintf(label[k], sizeof label[k], "%d links", c[k].links);
    for (int n = 0; n < SAMPLES; n++)
      line[k][n] = 2.0 * step * step * c[k].t[n] / (c[k].links + 1);
    curve[2 * k] = (PictureCurve){.label = label[k],
                                  .n = SAMPLES,
                                  .x = c[k].t,
                                  .y = c[k].msd,
                                  .error = c[k].msd_error,
                                  .style = PICTURE_POINTS};
    curve[2 * k + 1] = (PictureCurve){.n = SAMPLES, .x = c[k].t, .y = line[k], .style = PICTURE_DASHES};
  }
  page_lines(page, "diffusion",
             "128 replicas with errors; dashed: 2 a² t/(n + 1) for steps a in each coordinate of n + 1 "
             "sites. SHAKE's corrections are internal and move no centre of mass.",
             &(PictureAxes){.title = "Mean square displacement of the centre of mass",
                            .xlabel = "steps",
                            .ylabel = "⟨(ΔR)²⟩"},
             2 * SIZES, curve);
  for (int i = 0; i < SHOTS; i++)
    curve[i] =
        (PictureCurve){.n = MOST + 1, .x = c[SIZES - 1].x[i], .y = c[SIZES - 1].y[i], .style = PICTURE_LINE};
  page_lines(page, "chain", "A random walk of the chain.",
             &(PictureAxes){.title = "One chain of 30 links, 500 steps apart", .xlabel = "x", .ylabel = "y"},
             SHOTS, curve);
}

static Status run(Page *page, Error *error)
{
  Chain *c = calloc(SIZES, sizeof *c);
  Sums *sums = malloc(sizeof *sums);
  Status status = c == NULL || sums == NULL ? error_memory(error, "chains") : STATUS_OK;
  for (int k = 0; k < SIZES && status == STATUS_OK; k++) {
    c[k].links = links_of[k];
    status = walk(page, &c[k], sums, error);
    if (status != STATUS_OK)
      break;
    const double slope = c[k].msd[SAMPLES - 1] / c[k].t[SAMPLES - 1] * (c[k].links + 1) / (2.0 * step * step);
    const double scale = slope / c[k].msd[SAMPLES - 1];
    char what[64];
    snprintf(what, sizeof what, "chain of %d links", c[k].links);
    page_claim(
        page, what, "a random walk in a heat bath; ⟨R²⟩ = n, by symmetry, and D = a²/2(n + 1) a step follow",
        fabs(c[k].square - c[k].links) < 4.0 * c[k].square_error &&
            fabs(slope - 1.0) < 4.0 * scale * c[k].msd_error[SAMPLES - 1],
        "⟨R²⟩/n = %.3f ± %.3f; D relative to that %.2f ± %.2f; ⟨cos φ⟩ = %.4f ± %.4f, ⟨cos 2φ⟩ = %.4f ± %.4f",
        c[k].square / c[k].links, c[k].square_error / c[k].links, slope, scale * c[k].msd_error[SAMPLES - 1],
        c[k].one, c[k].one_error, c[k].cosine, c[k].cosine_error);
  }
  if (status == STATUS_OK) {
    figures(page, c);
    knobs(page);
  }
  free(c);
  free(sums);
  return status;
}

const Exhibit exhibit_kramers = {
    .name = "kramers-chain",
    .title = "Kramers chain: a random walk with SHAKE",
    .paper = "Vesely 2013, section VII C",
    .summary = "A chain of rigid links in the plane: in each step all sites are displaced at random and "
               "SHAKE puts the links right. Turning one part of the chain over by π changes the sign of cos "
               "φ and not the density sqrt(det J M⁻¹ J'), which has squares of cosines alone: so ⟨R²⟩ = n "
               "for n links of length 1, as if they were free, while ⟨cos 2φ⟩ is not zero.",
    .run = run,
};
