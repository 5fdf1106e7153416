/* Four particles joined by two rods and two stiff springs: Gonzalez 1999, section 4. */
#include <math.h>
#include <stdlib.h>

#include "gallery/orbit.h"

#define TIME 10.0
#define STEP 0.01

enum { SITES = 4, RODS = 2 };

static const char *const file[2] = {"energy-momentum.yaml", "rattle.yaml"};
static const char *const scheme[2] = {"energy-momentum", "RATTLE"};
enum { GONZALEZ, RATTLE };

/* --- the motion (Fig. 2) ----------------------------------------------------------------------------------
 */

static void draw_motion(Page *page, const Orbit *o)
{
  enum { SHOWN = 11, BETWEEN = 3 };
  static const char *const name[SITES] = {"particle 1", "particle 2", "particle 3", "particle 4"};
  static const int rod[RODS][2] = {{0, 1}, {2, 3}};
  double bar[3][SHOWN * RODS * BETWEEN];
  int n = 0;
  for (int k = 0; k < SHOWN; k++)
    for (int r = 0; r < RODS; r++)
      for (int e = 0; e < BETWEEN; e++, n++) /* both ends, then a gap */
        for (int d = 0; d < 3; d++)
          bar[d][n] = e < 2 ? orbit_q(o, 3 * rod[r][e] + d)[k * (o->n - 1) / (SHOWN - 1)] : NAN;
  PictureCurve curve[SITES + 1];
  for (int s = 0; s < SITES; s++)
    curve[s] = (PictureCurve){.label = name[s],
                              .n = o->n,
                              .x = orbit_q(o, 3 * s),
                              .y = orbit_q(o, 3 * s + 1),
                              .z = orbit_q(o, 3 * s + 2)};
  curve[SITES] = (PictureCurve){.label = "rods, once a second",
                                .n = n,
                                .x = bar[0],
                                .y = bar[1],
                                .z = bar[2],
                                .colour = 1,
                                .width = 1.5};
  const PictureSpace space = {.zlabel = "z"};
  const PicturePanel panel = {.axes = {.title = "Four particles, 0 < t < 10", .xlabel = "x", .ylabel = "y"},
                              .n = SITES + 1,
                              .curve = curve,
                              .space = &space};
  page_draw(page, "motion",
            "As Fig. 2: paths of the four particles by the energy-momentum scheme, and the two "
            "rods at whole seconds.",
            1, &panel, 1);
}

/* --- what is conserved ------------------------------------------------------------------------------- */

typedef struct Drift {
  double energy, linear, angular, constraint;
} Drift;

static Drift drift_of(const Orbit *o)
{
  Drift d = {.energy = orbit_energy_error(o), .constraint = orbit_constraint_error(o)};
  for (int k = 0; k < 3; k++) {
    d.angular = fmax(d.angular, orbit_angular_error(o, k));
    for (int i = 0; i < o->n; i++)
      d.linear = fmax(d.linear, fabs(o->energy[i].momentum[k] - o->energy[0].momentum[k]));
  }
  return d;
}

static void claim_conserved(Page *page, const Drift d[2])
{
  const Drift *g = &d[GONZALEZ];
  page_claim(page, "energy", "conserved to the tolerance of the computation", g->energy < 1e-11,
             "within %.1e of 1.176 over 1,000 steps; RATTLE: %.1e", g->energy, d[RATTLE].energy);
  page_claim(page, "linear momentum", "the same", g->linear < 1e-11, "within %.1e; RATTLE: %.1e", g->linear,
             d[RATTLE].linear);
  page_claim(page, "angular momentum", "the same", g->angular < 1e-11, "within %.1e; RATTLE: %.1e",
             g->angular, d[RATTLE].angular);
  page_claim(page, "constraints", "the same", g->constraint < 1e-12, "within %.1e; RATTLE: %.1e",
             g->constraint, d[RATTLE].constraint);
}

/* d/dt (|q_i - q_j| - 1), as the paper's constraints are. */
static void rod_rate(const Orbit *o, int rod, double *rate)
{
  static const double mass[SITES] = {1.0, 3.0, 2.3, 1.7};
  const int a = 2 * rod, b = a + 1;
  for (int i = 0; i < o->n; i++) {
    double sum = 0.0, square = 0.0;
    for (int d = 0; d < 3; d++) {
      const double r = orbit_q(o, 3 * a + d)[i] - orbit_q(o, 3 * b + d)[i];
      sum += r * (orbit_p(o, 3 * a + d)[i] / mass[a] - orbit_p(o, 3 * b + d)[i] / mass[b]);
      square += r * r;
    }
    rate[i] = sum / sqrt(square);
  }
}

/* Fig. 3. */
static Status velocity_constraints(Page *page, const Orbit *o, const Orbit *rattle, Error *error)
{
  static const char *const title[RODS] = {"dg_1/dt, rod 1-2", "dg_2/dt, rod 3-4"};
  double *rate = calloc(3 * (size_t)o->n, sizeof *rate);
  if (rate == NULL)
    return error_memory(error, "velocity constraints");
  PictureCurve curve[RODS];
  PicturePanel panel[RODS];
  double early = 0.0, late = 0.0, tangent = 0.0;
  for (int r = 0; r < RODS; r++) {
    double *y = rate + r * o->n;
    rod_rate(o, r, y);
    early = fmax(early, orbit_largest(y, 0, o->n / 2));
    late = fmax(late, orbit_largest(y, o->n / 2, o->n));
    curve[r] = (PictureCurve){.n = o->n, .x = o->t, .y = y};
    panel[r] = (PicturePanel){.axes = {.title = title[r], .xlabel = "t"}, .n = 1, .curve = &curve[r]};
    rod_rate(rattle, r, rate + 2 * o->n);
    tangent = fmax(tangent, orbit_largest(rate + 2 * o->n, 0, o->n));
  }
  page_draw(page, "velocity-constraints",
            "As Fig. 3: rates of the rods' lengths from the momenta of the energy-momentum scheme.", RODS,
            panel, 1);
  page_claim(page, "velocity constraints", "bounded oscillations about zero",
             late < 2.0 * early && early > 1e-8,
             "within %.1e in the first half, %.1e in the second; RATTLE: %.1e", early, late, tangent);
  const double *const column[3] = {o->t, rate, rate + o->n};
  static const char *const name[3] = {"time", "dg1_dt", "dg2_dt"};
  const Status status = page_csv(page, "velocity-constraints.csv", 3, name, o->n, column, error);
  free(rate);
  return status;
}

/* --- order (Fig. 4) ---------------------------------------------------------------------------------- */

enum { STEPS = 6 };

/* Particle 4 and the momenta at t = 0.1. */
static Status arrive(Page *page, int which, double h, double z[24], Error *error)
{
  Orbit o;
  const Status status = orbit_load(&o, page, file[which], h, 0.1, 0.1, error);
  if (status == STATUS_OK)
    orbit_point(&o, 1, z);
  orbit_free(&o);
  return status;
}

static double relative(int from, int to, const double *x, const double *exact)
{
  double error = 0.0, size = 0.0;
  for (int i = from; i < to; i++) {
    error += (x[i] - exact[i]) * (x[i] - exact[i]);
    size += exact[i] * exact[i];
  }
  return sqrt(error / size);
}

static Status order(Page *page, Error *error)
{
  double z[24], exact[2][24], step[STEPS], off[2][STEPS], moved[2][STEPS];
  for (int w = 0; w < 2; w++) {
    Status status = arrive(page, w, 1e-5, exact[w], error);
    if (status != STATUS_OK)
      return status;
    for (int k = 0; k < STEPS; k++) {
      step[k] = 0.02 / (1 << k);
      status = arrive(page, w, step[k], z, error);
      if (status != STATUS_OK)
        return status;
      off[w][k] = relative(9, 12, z, exact[w]);
      moved[w][k] = relative(12, 24, z, exact[w]);
    }
  }
  double slope[2];
  const double momenta = log2(moved[GONZALEZ][STEPS - 2] / moved[GONZALEZ][STEPS - 1]);
  for (int w = 0; w < 2; w++)
    slope[w] = log2(off[w][STEPS - 3] / off[w][STEPS - 1]) / 2.0;
  const PictureCurve curve[2] = {
      {.label = scheme[0], .n = STEPS, .x = step, .y = off[0], .style = PICTURE_POINTS, .width = 1.5},
      {.label = scheme[1], .n = STEPS, .x = step, .y = off[1], .style = PICTURE_POINTS, .width = 1.5}};
  page_lines(page, "order",
             "As Fig. 4: the error against the step, the exact solution being that of Δt = 1e-5.",
             &(PictureAxes){.title = "Error of particle 4 at t = 0.1",
                            .xlabel = "Δt",
                            .ylabel = "relative error of q_4",
                            .logx = 1,
                            .logy = 1},
             2, curve);
  page_claim(page, "order in positions", "2", fabs(slope[GONZALEZ] - 2.0) < 0.1, "%.3f; RATTLE: %.3f",
             slope[GONZALEZ], slope[RATTLE]);
  page_claim(page, "order in momenta", "not necessarily 2", -1, "%.3f", momenta);
  static const char *const name[3] = {"timestep", "energy_momentum", "rattle"};
  const double *const column[3] = {step, off[0], off[1]};
  return page_csv(page, "order.csv", 3, name, STEPS, column, error);
}

static Status run(Page *page, Error *error)
{
  Orbit orbit[2] = {{0}};
  Status status = STATUS_OK;
  for (int w = 0; w < 2 && status == STATUS_OK; w++)
    status = orbit_load(&orbit[w], page, file[w], STEP, TIME, STEP, error);
  if (status == STATUS_OK) {
    page_text(page,
              "The scheme takes difference quotients of the potentials along each step in place of their "
              "derivatives, and likewise of the constraints; energy, both momenta and the constraints then "
              "come out exactly, whatever the step. Momenta are not kept tangent. RATTLE, run beside it, "
              "keeps everything but the energy, which wavers.");
    draw_motion(page, &orbit[GONZALEZ]);
    const Drift drift[2] = {drift_of(&orbit[GONZALEZ]), drift_of(&orbit[RATTLE])};
    claim_conserved(page, drift);
    status = velocity_constraints(page, &orbit[GONZALEZ], &orbit[RATTLE], error);
  }
  if (status == STATUS_OK)
    status = order(page, error);
  for (int w = 0; w < 2; w++)
    orbit_free(&orbit[w]);
  return status;
}

const Exhibit exhibit_four_particles = {
    .name = "four-particles",
    .title = "Four particles",
    .paper = "Gonzalez 1999, section 4, Figs. 2 to 4",
    .summary =
        "Two rigid rods joined by two stiff quartic springs, thrown by one end: the scheme that conserves "
        "energy, momentum, angular momentum and constraints, and RATTLE beside it.",
    .run = run,
};
