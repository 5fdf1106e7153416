/* Uniform motion on the plane curves of Table I of Vesely 2013, and his problem 4, Sergels torg. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gallery/curvature.h"

/* A run with what is felt on it. */
typedef struct Ride {
  Orbit orbit;
  double *felt, *exact; /* lateral acceleration from the positions; v^2 times the curvature */
} Ride;

static void free_ride(Ride *ride)
{
  orbit_free(&ride->orbit);
  free(ride->felt);
  free(ride->exact);
}

static Status take(Page *page, const char *file, double h, double time, Ride *ride, Error *error)
{
  *ride = (Ride){{0}, NULL, NULL};
  Simulation *m;
  page_set(page, KEY(integrator_timestep), "%.17g", h);
  Status status = page_load(page, file, &m, error);
  if (status != STATUS_OK)
    return status;
  const int n = 1 + (int)lrint(time / h);
  status = orbit_record(&ride->orbit, m, n, 1, error);
  if (status == STATUS_OK) {
    ride->felt = malloc((size_t)n * sizeof *ride->felt);
    ride->exact = malloc((size_t)n * sizeof *ride->exact);
    if (ride->felt == NULL || ride->exact == NULL)
      status = error_memory(error, "accelerations");
    else
      curvature_lateral(simulation_kind(m, 0), &ride->orbit, ride->felt, ride->exact);
  }
  simulation_free(m);
  return status;
}

/* Where the larger of a[1..n-2] is. */
static int largest(int n, const double *a)
{
  int best = 1;
  for (int i = 1; i + 1 < n; i++)
    if (a[i] > a[best])
      best = i;
  return best;
}

/* --- problem 4 ------------------------------------------------------------------------------------------ */

enum { TRACKS = 3 };

/* |x/a|^n + |y/b|^n = 1, or the stadium of the same length and width (n = 0). */
typedef struct Track {
  const char *file, *label;
  double n;
} Track;

static const Track track[TRACKS] = {{"superellipse.yaml", "superellipse, n = 5/2", 2.5},
                                    {"stadium.yaml", "stadium", 0.0},
                                    {"ellipse.yaml", "ellipse", 2.0}};
#define LENGTH 25.0
#define WIDTH  (25.0 * 5.0 / 6.0)
#define SPEED  (50.0 / 3.6)

/* The point of the first quadrant at parameter s in [0, 1], evenly spread enough, from the long axis to the
 * short one. */
static void point(const Track *t, double s, double *x, double *y)
{
  const double flat = LENGTH - WIDTH, angle = 0.5 * M_PI * s;
  if (t->n > 0.0) {
    *x = LENGTH * pow(cos(angle), 2.0 / t->n);
    *y = WIDTH * pow(sin(angle), 2.0 / t->n);
  } else {
    const double along = s * (flat + 0.5 * M_PI * WIDTH), turn = along / WIDTH;
    *x = turn < 0.5 * M_PI ? flat + WIDTH * cos(turn) : flat - (along - 0.5 * M_PI * WIDTH);
    *y = turn < 0.5 * M_PI ? WIDTH * sin(turn) : WIDTH;
  }
}

/* Length of the whole curve as a polygon, quarters of it being alike. */
static double perimeter(const Track *t)
{
  enum { SIDES = 200000 };
  double length = 0.0, x0, y0, x, y;
  point(t, 0.0, &x0, &y0);
  for (int i = 1; i <= SIDES; i++) {
    point(t, (double)i / SIDES, &x, &y);
    length += hypot(x - x0, y - y0);
    x0 = x;
    y0 = y;
  }
  return 4.0 * length;
}

/* |kappa| of a superellipse with the exponent n by its own formula: the sharpest corner. */
static double corner(const Track *t, double *x, double *y)
{
  enum { LOOKS = 100000 };
  double most = 0.0;
  for (int i = 1; i < LOOKS; i++) {
    double px, py;
    point(t, (double)i / LOOKS, &px, &py);
    const double n = t->n, u = px / LENGTH, v = py / WIDTH, gx = n * pow(u, n - 1) / LENGTH,
                 gy = n * pow(v, n - 1) / WIDTH, hx = n * (n - 1) * pow(u, n - 2) / (LENGTH * LENGTH),
                 hy = n * (n - 1) * pow(v, n - 2) / (WIDTH * WIDTH);
    const double kappa = (gy * gy * hx + gx * gx * hy) / pow(gx * gx + gy * gy, 1.5);
    if (kappa > most) {
      most = kappa;
      *x = px;
      *y = py;
    }
  }
  return most;
}

/* When the first lap is done: the angle has come round. */
static double lap(const Orbit *o)
{
  double *angle = malloc((size_t)o->n * sizeof *angle), time = NAN;
  if (angle == NULL)
    return time;
  orbit_angle(o, angle);
  for (int i = 0; i + 1 < o->n; i++)
    if (angle[i] < 2.0 * M_PI && angle[i + 1] >= 2.0 * M_PI)
      time = o->t[i] + (2.0 * M_PI - angle[i]) / (angle[i + 1] - angle[i]) * (o->t[i + 1] - o->t[i]);
  free(angle);
  return time;
}

static void claim_track(Page *page, const Track *t, const Ride *ride)
{
  const Orbit *o = &ride->orbit;
  const int most = largest(o->n, ride->felt);
  const double x = fabs(orbit_q(o, 0)[most]), y = fabs(orbit_q(o, 1)[most]), around = perimeter(t);
  double cx = 0.0, cy = 0.0, exact;
  if (t->n > 2.0)
    exact = SPEED * SPEED * corner(t, &cx, &cy);
  else
    exact = SPEED * SPEED * (t->n > 0.0 ? LENGTH / (WIDTH * WIDTH) : 1.0 / WIDTH);
  char what[64];
  snprintf(what, sizeof what, "%s: largest lateral acceleration", t->label);
  if (t->n > 2.0)
    page_claim(page, what, "note where the maximum occurs", fabs(ride->felt[most] / exact - 1) < 1e-3,
               "%.3f m/s² at the four corners (±%.2f, ±%.2f) m; exact: %.3f m/s² at (±%.2f, ±%.2f) m",
               ride->felt[most], x, y, exact, cx, cy);
  else
    page_claim(page, what, t->n > 0.0 ? "" : "note where the maximum occurs",
               fabs(ride->felt[most] / exact - 1) < 1e-3, "%.3f m/s² %s; exact: %.3f m/s²", ride->felt[most],
               t->n > 0.0 ? "at both ends of the long axis" : "all along both half circles, none between",
               exact);
  snprintf(what, sizeof what, "%s: a lap at 50 km/h", t->label);
  const double time = lap(o);
  page_claim(page, what, "", fabs(time * SPEED / around - 1) < 1e-4,
             "%.3f s, so %.2f m; the curve's length is %.2f m", time, time * SPEED, around);
}

static void draw_tracks(Page *page, const Ride *ride)
{
  PictureCurve path[TRACKS + 1], felt[2 * TRACKS];
  const Orbit *first = &ride[0].orbit;
  const int most = largest(first->n, ride[0].felt);
  const double x = orbit_q(first, 0)[most], y = orbit_q(first, 1)[most];
  const double cx[4] = {x, -x, x, -x}, cy[4] = {y, y, -y, -y};
  for (int k = 0; k < TRACKS; k++) {
    const Orbit *o = &ride[k].orbit;
    path[k] = (PictureCurve){.label = track[k].label, .n = o->n, .x = orbit_q(o, 0), .y = orbit_q(o, 1)};
    felt[2 * k] = (PictureCurve){.n = o->n - 2, .x = o->t + 1, .y = ride[k].felt + 1};
    felt[2 * k + 1] = (PictureCurve){.n = o->n, .x = o->t, .y = ride[k].exact, .style = PICTURE_DASHES};
  }
  path[TRACKS] = (PictureCurve){.n = 4, .x = cx, .y = cy, .style = PICTURE_POINTS, .colour = 1};
  const PicturePanel panel[2] = {
      {.axes = {.xlabel = "x / m", .ylabel = "y / m", .equal = 1}, .n = TRACKS + 1, .curve = path},
      {.axes = {.xlabel = "t / s", .ylabel = "lateral acceleration / (m/s²)", .xmax = 12.0, .ymax = 16.0},
       .n = 2 * TRACKS,
       .curve = felt}};
  page_draw(page, "torg",
            "Problem 4: the three tracks, with the points of the superellipse where it is sharpest, and the "
            "lateral acceleration at 50 km/h from three positions each (Newton-Gregory), from the right end "
            "of the long axis on; dashed: v² times the curvature. The superellipse is straight at the ends "
            "of its axes; the stadium's acceleration jumps.",
            2, panel, 2);
}

static Status torg(Page *page, Error *error)
{
  Ride ride[TRACKS] = {{{0}, NULL, NULL}};
  Status status = STATUS_OK;
  for (int k = 0; k < TRACKS && status == STATUS_OK; k++)
    status = take(page, track[k].file, 0.01, 12.0, &ride[k], error);
  if (status == STATUS_OK) {
    for (int k = 0; k < TRACKS; k++)
      claim_track(page, &track[k], &ride[k]);
    draw_tracks(page, ride);
    const char *const name[10] = {"t",         "x_superellipse", "y_superellipse", "a_superellipse",
                                  "x_stadium", "y_stadium",      "a_stadium",      "x_ellipse",
                                  "y_ellipse", "a_ellipse"};
    const double *column[10] = {ride[0].orbit.t};
    for (int k = 0; k < TRACKS; k++) {
      column[1 + 3 * k] = orbit_q(&ride[k].orbit, 0);
      column[2 + 3 * k] = orbit_q(&ride[k].orbit, 1);
      column[3 + 3 * k] = ride[k].felt;
    }
    status = page_csv(page, "lateral.csv", 10, name, ride[0].orbit.n, column, error);
  }
  for (int k = 0; k < TRACKS; k++)
    free_ride(&ride[k]);
  return status;
}

/* --- Table I ----------------------------------------------------------------------------------------------
 */

static const struct {
  const char *file, *label;
  double h, time;
} table[] = {{"parabola.yaml", "parabola", 0.01, 3.0},
             {"bean.yaml", "bean curve", 0.005, 3.75},
             {"ellipse.yaml", "ellipse", 0.02, 12.0},
             {"superellipse.yaml", "superellipse", 0.02, 12.0},
             {"stadium.yaml", "discorectangle", 0.02, 12.0}};
enum { TABLE = sizeof table / sizeof *table };

/* The root mean square of felt - exact, over that of the exact one, which is NaN in the singular point. */
static double mismatch(const Ride *ride)
{
  double difference = 0.0, size = 0.0;
  for (int i = 1; i + 1 < ride->orbit.n; i++) {
    if (isnan(ride->exact[i]))
      continue;
    difference += (ride->felt[i] - ride->exact[i]) * (ride->felt[i] - ride->exact[i]);
    size += ride->exact[i] * ride->exact[i];
  }
  return sqrt(difference / size);
}

static void draw_paths(Page *page, const Orbit *orbit)
{
  PictureCurve path[2];
  PicturePanel panel[2];
  for (int k = 0; k < 2; k++) {
    path[k] = (PictureCurve){.n = orbit[k].n, .x = orbit_q(&orbit[k], 0), .y = orbit_q(&orbit[k], 1)};
    panel[k] = (PicturePanel){.axes = {.title = table[k].label, .xlabel = "x", .ylabel = "y", .equal = 1},
                              .n = 1,
                              .curve = &path[k]};
  }
  page_draw(page, "paths",
            "Table I: the parabola, from the left to the right, and a lap of the bean curve, which goes "
            "through the origin, where the gradient of its constraint is zero.",
            2, panel, 2);
}

/* Row k at h and h/2; the second orbit is handed out. */
static Status row(Page *page, int k, Orbit *orbit, Error *error)
{
  double speed[2], wrong[2], off = 0.0;
  for (int half = 0; half < 2; half++) {
    Ride ride;
    const Status status = take(page, table[k].file, table[k].h / (1 + half), table[k].time, &ride, error);
    if (status != STATUS_OK) {
      free_ride(&ride);
      return status;
    }
    speed[half] = orbit_energy_error(&ride.orbit) / (2.0 * ride.orbit.energy[0].kinetic);
    wrong[half] = mismatch(&ride);
    off = fmax(off, orbit_constraint_error(&ride.orbit));
    if (half == 1) {
      *orbit = ride.orbit;
      ride.orbit = (Orbit){0};
    }
    free_ride(&ride);
  }
  char what[64];
  snprintf(what, sizeof what, "Table I: %s", table[k].label);
  page_claim(page, what, "followed by its σ and ∇σ alone",
             off < 1e-11 && speed[1] < 0.5 * speed[0] && wrong[1] < 0.02,
             "|σ| < %.0e; speed constant to %.1e (half of Δt: %.1e); v²κ met to %.1e (%.1e)",
             fmax(off, 1e-16), speed[0], speed[1], wrong[0], wrong[1]);
  return STATUS_OK;
}

static Status curves(Page *page, Error *error)
{
  Orbit orbit[TABLE] = {{0}};
  Status status = STATUS_OK;
  for (int k = 0; k < TABLE && status == STATUS_OK; k++)
    status = row(page, k, &orbit[k], error);
  if (status == STATUS_OK)
    draw_paths(page, orbit);
  for (int k = 0; k < TABLE; k++)
    orbit_free(&orbit[k]);
  return status;
}

static Status run(Page *page, Error *error)
{
  page_text(page,
            "Curves are given by formulas, of which the gradients are made; RATTLE over free motion follows "
            "them. The speed is constant up to a ripple of order Δt² (on a circle exactly). Table I prints "
            "the discorectangle with y where |y| must stand; see docs/papers-errata.md.");
  const Status status = torg(page, error);
  return status == STATUS_OK ? curves(page, error) : status;
}

const Exhibit exhibit_curves = {
    .name = "curves",
    .title = "Plane curves and Sergels torg",
    .paper = "Vesely 2013, section III A, Table I, problem 4",
    .summary = "A point runs at constant speed along curves given by a formula each: the lateral "
               "acceleration that passengers feel round a superellipse, a stadium and an ellipse of one "
               "size, and where it is largest.",
    .run = run,
};
