/* A point on a circle, and a pendulum: Vesely 2013, problems 1 and 2. */
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>
#include <stdlib.h>

#include "gallery/orbit.h"

enum { STEPS = 3 };

/* A run of `time` with steps h, from the file's start with the momentum multiplied. */
static Status run_file(Page *page, const char *file, const char *method, double h, double faster, double time,
                       Orbit *orbit, Error *error)
{
  *orbit = (Orbit){0};
  Simulation *m;
  page_set(page, KEY(integrator_timestep), "%.17g", h);
  page_set(page, KEY(geometry_method), "%s", method);
  Status status = page_load(page, file, &m, error);
  if (status != STATUS_OK)
    return status;
  double q[2], p[2];
  simulation_get_point(m, 0, q, p);
  p[0] *= faster;
  p[1] *= faster;
  status = simulation_set_point(m, 0, q, p, error);
  if (status == STATUS_OK)
    status = orbit_record(orbit, m, 1 + (int)lrint(time / h), 1, error);
  simulation_free(m);
  return status;
}

/* --- problem 1 ------------------------------------------------------------------------------------------ */

/* The angle lags behind or runs ahead of -t, in y[]; returns the last of it over the time. */
static double phase(const Orbit *o, double *y)
{
  orbit_angle(o, y);
  for (int i = 0; i < o->n; i++)
    y[i] += o->t[i];
  return y[o->n - 1] / o->t[o->n - 1];
}

/* The largest departure of the angle from -n times `step`. */
static double unevenness(const Orbit *o, double step, const double *y)
{
  double worst = 0.0;
  for (int i = 0; i < o->n; i++)
    worst = fmax(worst, fabs(y[i] - o->t[i] + i * step));
  return worst;
}

/* From a velocity, h = 0.04, 0.02, 0.01; and h = 0.04 from the two exact points that Verlet's form starts
 * from: the same as a velocity sin(h)/h, since a step goes h v along the tangent and back along the radius.
 */
static Status circle(Page *page, double slope[STEPS], Error *error)
{
  static const char *const label[STEPS + 1] = {"Δt = 0.04", "Δt = 0.02", "Δt = 0.01",
                                               "Δt = 0.04, from r(0) and r(-Δt)"};
  Orbit orbit[STEPS + 1] = {{0}};
  double *y[STEPS + 1] = {NULL}, uneven = 0.0, exact = 0.0;
  PictureCurve line[STEPS + 1];
  Status status = STATUS_OK;
  for (int k = 0; k <= STEPS && status == STATUS_OK; k++) {
    const double h = k == STEPS ? 0.04 : 0.04 / (1 << k);
    status =
        run_file(page, "circle.yaml", "rattle", h, k == STEPS ? sin(h) / h : 1.0, 20.0, &orbit[k], error);
    y[k] = malloc(((size_t)orbit[k].n + 1) * sizeof *y[k]);
    if (status == STATUS_OK && y[k] == NULL)
      status = error_memory(error, "angles");
    if (status != STATUS_OK)
      break;
    const double ahead = phase(&orbit[k], y[k]);
    if (k < STEPS) {
      slope[k] = -ahead;
      uneven = fmax(uneven, unevenness(&orbit[k], asin(h), y[k]));
    } else {
      exact = unevenness(&orbit[k], h, y[k]);
    }
    line[k] = (PictureCurve){.label = label[k], .n = orbit[k].n, .x = orbit[k].t, .y = y[k]};
  }
  if (status == STATUS_OK) {
    page_text(page, "Problem 1: without forces a step goes Δt v along the tangent and is brought back along "
                    "the radius where it started, so that sin(Δφ) = v Δt: all steps turn by the same angle, "
                    "and only its size differs from ω Δt, by (ω Δt)^3/6. Started from the two points r(0) "
                    "and r(-Δt) on the circle in place of a velocity, the angle is exact.");
    page_claim(page, "circle: angle per step", "compare with φ = ωt", uneven < 1e-10,
               "asin(ω Δt) at every step, within %.0e in 20 time units", uneven);
    page_claim(page, "circle: angular velocity at Δt = 0.01", "compare with φ = ωt",
               fabs(slope[2] / (1e-4 / 6) - 1) < 1e-3, "ω (1 + %.4e); (ω Δt)²/6 is %.4e", slope[2], 1e-4 / 6);
    page_claim(page, "circle: from r(0) and r(-Δt)", "the other way to start", exact < 1e-10,
               "φ = ωt within %.0e", exact);
    page_lines(page, "circle",
               "Problem 1: the angle φ(nΔt) of the clockwise motion, less the exact -ωt. It runs ahead in "
               "proportion to time and to Δt².",
               &(PictureAxes){.title = "Uniform motion on a circle", .xlabel = "t", .ylabel = "φ(t) + ωt"},
               STEPS + 1, line);
  }
  for (int k = 0; k <= STEPS; k++) {
    orbit_free(&orbit[k]);
    free(y[k]);
  }
  return status;
}

/* --- problem 2 ------------------------------------------------------------------------------------------ */

#define GRAVITY   9.81
#define AMPLITUDE (2.0 * M_PI / 3.0)

/* Angle from below, and its rate. */
static double swing(const Orbit *o, int i) { return atan2(orbit_q(o, 0)[i], -orbit_q(o, 1)[i]); }

static double rate(const Orbit *o, int i)
{
  const double x = orbit_q(o, 0)[i], y = orbit_q(o, 1)[i];
  return (orbit_p(o, 1)[i] * x - orbit_p(o, 0)[i] * y) / (x * x + y * y);
}

/* When the angle is 0 between moments i and i + 1, from a cubic through both with its slopes. */
static double passage(const Orbit *o, int i)
{
  const double h = o->t[i + 1] - o->t[i], a = swing(o, i), b = swing(o, i + 1), da = h * rate(o, i),
               db = h * rate(o, i + 1);
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; k++) {
    const double s = 0.5 * (low + high), r = 1.0 - s;
    const double value = a * (1 + 2 * s) * r * r + da * s * r * r + b * s * s * (3 - 2 * s) - db * s * s * r;
    if ((value > 0.0) == (a > 0.0))
      low = s;
    else
      high = s;
  }
  return o->t[i] + h * low;
}

/* The mean period between the first and the last passage to the right. */
static double period(const Orbit *o)
{
  double first = NAN, last = NAN;
  int passages = 0;
  for (int i = 0; i + 1 < o->n; i++)
    if (swing(o, i) < 0.0 && swing(o, i + 1) >= 0.0 && rate(o, i) > 0.0) {
      last = passage(o, i);
      if (passages++ == 0)
        first = last;
    }
  return (last - first) / (passages - 1);
}

/* Let go at rest: sin(phi/2) = k cd(omega t). */
static double exact_swing(double t)
{
  const double k = sin(AMPLITUDE / 2);
  double sn, cn, dn;
  if (gsl_sf_elljac_e(sqrt(GRAVITY) * t, k * k, &sn, &cn, &dn) != 0)
    return NAN;
  return 2.0 * asin(k * cn / dn);
}

static void draw_swing(Page *page, const Orbit *o)
{
  enum { FINE = 600, LATE = 110 };
  double t[FINE], y[FINE], x[LATE], z[LATE];
  const int n = o->n < LATE ? o->n : LATE;
  for (int i = 0; i < n; i++) {
    x[i] = o->t[i];
    z[i] = swing(o, i);
  }
  for (int i = 0; i < FINE; i++) {
    t[i] = x[n - 1] * i / (FINE - 1);
    y[i] = exact_swing(t[i]);
  }
  const PictureCurve curve[2] = {
      {.label = "exact", .n = FINE, .x = t, .y = y},
      {.label = "RATTLE, Δt = 0.05", .n = n, .x = x, .y = z, .style = PICTURE_POINTS}};
  page_lines(page, "pendulum",
             "Problem 2: the angle from below, with g = 9.81 and l = 1, and the exact one by Jacobi's "
             "elliptic functions.",
             &(PictureAxes){.title = "Pendulum let go at 120°", .xlabel = "t / s", .ylabel = "φ"}, 2, curve);
}

/* The largest distance between positions at equal times. */
static double apart(const Orbit *a, const Orbit *b)
{
  double worst = 0.0;
  for (int i = 0; i < a->n * a->size; i++)
    worst = fmax(worst, fabs(a->q[i] - b->q[i]));
  return worst;
}

static double order(const double *e) { return log2(e[STEPS - 2] / e[STEPS - 1]); }

static Status pendulum(Page *page, double late[STEPS], double loss[STEPS], Error *error)
{
  const double exact = 4.0 / sqrt(GRAVITY) * gsl_sf_ellint_Kcomp(sin(AMPLITUDE / 2), GSL_PREC_DOUBLE);
  double mean = NAN;
  Status status = STATUS_OK;
  for (int k = 0; k < STEPS && status == STATUS_OK; k++) {
    Orbit orbit;
    status = run_file(page, "pendulum.yaml", "rattle", 0.04 / (1 << k), 1.0, 30.0, &orbit, error);
    if (status != STATUS_OK)
      break;
    mean = period(&orbit);
    late[k] = fabs(mean / exact - 1);
    loss[k] = orbit_energy_error(&orbit) / GRAVITY;
    orbit_free(&orbit);
  }
  Orbit shake = {0}, rattle = {0};
  if (status == STATUS_OK)
    status = run_file(page, "pendulum.yaml", "shake", 0.05, 1.0, 30.0, &shake, error);
  if (status == STATUS_OK)
    status = run_file(page, "pendulum.yaml", "rattle", 0.05, 1.0, 30.0, &rattle, error);
  if (status == STATUS_OK) {
    const double same = apart(&shake, &rattle);
    page_claim(page, "pendulum: period at Δt = 0.01", "", fabs(order(late) - 2) < 0.1,
               "%.6f s; 4 sqrt(l/g) K(sin 60°) is %.6f s; the error is of order %.2f", mean, exact,
               order(late));
    page_claim(page, "pendulum: energy", "\"crude checks\" only, with Verlet's velocities",
               fabs(order(loss) - 2) < 0.1, "within %.1e m g l over 11 periods at Δt = 0.01, of order %.2f",
               loss[STEPS - 1], order(loss));
    page_claim(page, "pendulum: SHAKE and RATTLE", "a simple program, and one for customary starts",
               same < 1e-9, "the same positions within %.0e m over 30 s", same);
    draw_swing(page, &rattle);
  }
  orbit_free(&shake);
  orbit_free(&rattle);
  return status;
}

static Status run(Page *page, Error *error)
{
  double slope[STEPS], late[STEPS], loss[STEPS], h[STEPS], square[STEPS];
  Status status = circle(page, slope, error);
  if (status == STATUS_OK)
    status = pendulum(page, late, loss, error);
  if (status != STATUS_OK)
    return status;
  for (int k = 0; k < STEPS; k++) {
    h[k] = 0.04 / (1 << k);
    square[k] = h[k] * h[k];
  }
  const PictureCurve curve[4] = {
      {.label = "circle: angular velocity", .n = STEPS, .x = h, .y = slope, .style = PICTURE_POINTS},
      {.label = "pendulum: period", .n = STEPS, .x = h, .y = late, .style = PICTURE_POINTS},
      {.label = "pendulum: energy / m g l", .n = STEPS, .x = h, .y = loss, .style = PICTURE_POINTS},
      {.label = "Δt²", .n = STEPS, .x = h, .y = square},
  };
  page_lines(page, "order", "Errors of both problems against the time step.",
             &(PictureAxes){.title = "Errors",
                            .xlabel = "Δt",
                            .ylabel = "relative error",
                            .logx = 1,
                            .logy = 1,
                            .xmin = 0.008,
                            .xmax = 0.05},
             4, curve);
  return STATUS_OK;
}

const Exhibit exhibit_circle = {
    .name = "circle-and-pendulum",
    .title = "Circle and pendulum",
    .paper = "Vesely 2013, sections I to III, problems 1 and 2",
    .summary = "One point held on a circle by SHAKE and RATTLE, first without any force, where the angle "
               "should grow in proportion to time, then under gravity.",
    .run = run,
};
