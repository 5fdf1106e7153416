/* A ball on the surfaces of Table II of Vesely 2013, and his problem 5, the gravity well. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gallery/orbit.h"

#define GRAVITY 9.81
#define FUNNEL  0.05 /* a of z = -a/rho, m^2 */

/* The surface z = f(rho), or rho = f(z), as a grid of circles and meridians, [RINGS][SPOKES] each. */
enum { RINGS = 15, SPOKES = 49 };

typedef struct Grid {
  double x[RINGS * SPOKES], y[RINGS * SPOKES], z[RINGS * SPOKES];
} Grid;

/* A meridian: rho and z at s in [0, 1]. */
typedef void Meridian(double s, double *rho, double *z);

static void fill(Grid *grid, Meridian *meridian)
{
  for (int i = 0; i < RINGS; i++)
    for (int k = 0; k < SPOKES; k++) {
      double rho, z;
      meridian((double)i / (RINGS - 1), &rho, &z);
      grid->x[i * SPOKES + k] = rho * cos(2.0 * M_PI * k / (SPOKES - 1));
      grid->y[i * SPOKES + k] = rho * sin(2.0 * M_PI * k / (SPOKES - 1));
      grid->z[i * SPOKES + k] = z;
    }
}

static void bowl(double s, double *rho, double *z)
{
  *rho = sin(0.5 * M_PI * s);
  *z = -cos(0.5 * M_PI * s);
}

static void parabola(double s, double *rho, double *z)
{
  *rho = 1.05 * s;
  *z = *rho * *rho;
}

static void hyperbola(double s, double *rho, double *z)
{
  *z = 3.0 * (s - 0.2);
  *rho = sqrt(1.0 + *z * *z);
}

static void funnel(double s, double *rho, double *z)
{
  *rho = 0.12 + 0.4 * s;
  *z = -FUNNEL / *rho;
}

/* --- Table II ------------------------------------------------------------------------------------------- */

static const struct {
  const char *file, *label;
  double h, time;
  Meridian *meridian;
} table[] = {{"sphere.yaml", "sphere", 0.004, 10.0, bowl},
             {"paraboloid.yaml", "paraboloid", 0.004, 10.0, parabola},
             {"hyperboloid.yaml", "hyperboloid", 0.01, 4.0, hyperbola},
             {"well-orbit.yaml", "pseudo-hyperboloid", 0.002, 8.0, funnel}};
enum { TABLE = sizeof table / sizeof *table };

/* Each orbit in its surface, seen from the side. */
static void draw_surfaces(Page *page, const Orbit *orbit)
{
  static const char *const caption[TABLE] = {
      "Table II: a ball in a sphere under gravity, a spherical pendulum.",
      "Table II: a ball in the parabolic well of section III A.", "Table II: free motion on the hyperboloid.",
      "Problem 5: an orbit in the gravity well; metres."};
  for (int k = 0; k < TABLE; k++) {
    Grid *grid = malloc(sizeof *grid);
    if (grid == NULL)
      return; /* a picture is no result */
    fill(grid, table[k].meridian);
    const PictureSurface surface = {RINGS, SPOKES, grid->x, grid->y, grid->z};
    const PictureSpace space = {.zlabel = "z", .nsurface = 1, .surface = &surface};
    const PictureCurve path = {.n = orbit[k].n,
                               .x = orbit_q(&orbit[k], 0),
                               .y = orbit_q(&orbit[k], 1),
                               .z = orbit_q(&orbit[k], 2),
                               .colour = 2};
    const PicturePanel panel = {.axes = {.title = table[k].label, .xlabel = "x", .ylabel = "y"},
                                .n = 1,
                                .curve = &path,
                                .space = &space};
    page_draw(page, table[k].label, caption[k], 1, &panel, 1);
    free(grid);
  }
}

static Status row(Page *page, int k, Orbit *orbit, Error *error)
{
  double loss[2], spin = 0.0, off = 0.0;
  for (int half = 0; half < 2; half++) {
    Orbit o;
    const double h = table[k].h / (1 + half);
    const Status status = orbit_load(&o, page, table[k].file, h, table[k].time, h * (1 + half), error);
    if (status != STATUS_OK)
      return status;
    loss[half] = orbit_energy_error(&o) / o.energy[0].kinetic;
    spin = fmax(spin, orbit_angular_error(&o, 2) / fabs(o.energy[0].angular[2]));
    off = fmax(off, orbit_constraint_error(&o));
    if (half == 1)
      *orbit = o;
    else
      orbit_free(&o);
  }
  const double order = log2(loss[0] / loss[1]);
  char what[64];
  snprintf(what, sizeof what, "Table II: %s", table[k].label);
  page_claim(
      page, what, "followed by its σ and ∇σ alone", off < 1e-11 && spin < 1e-10 && fabs(order - 2) < 0.2,
      "|σ| < %.0e; angular momentum about z kept to %.0e; energy within %.1e of the first kinetic one, of "
      "order %.2f",
      fmax(off, 1e-16), spin, loss[0], order);
  return STATUS_OK;
}

static Status surfaces(Page *page, Error *error)
{
  Orbit orbit[TABLE] = {{0}};
  Status status = STATUS_OK;
  for (int k = 0; k < TABLE && status == STATUS_OK; k++)
    status = row(page, k, &orbit[k], error);
  if (status == STATUS_OK)
    draw_surfaces(page, orbit);
  for (int k = 0; k < TABLE; k++)
    orbit_free(&orbit[k]);
  return status;
}

/* Straight lines of the hyperboloid need no force: the ball stays on them to rounding. */
static Status line(Page *page, Error *error)
{
  Orbit o;
  const Status status = orbit_load(&o, page, "hyperboloid-line.yaml", 0.005, 2.0, 0.005, error);
  if (status != STATUS_OK)
    return status;
  double bent = 0.0;
  for (int i = 0; i < o.n; i++) {
    bent = fmax(bent, fabs(orbit_q(&o, 0)[i] - 1.0));
    for (int d = 1; d < 3; d++)
      bent = fmax(bent, fabs(orbit_q(&o, d)[i] - o.t[i]));
  }
  page_claim(page, "hyperboloid: along one of its straight lines", "", bent < 1e-12,
             "straight and even within %.0e", bent);
  orbit_free(&o);
  return STATUS_OK;
}

/* --- problem 5 --------------------------------------------------------------------------------------------
 */

/* The angle about the axis between two passages at the largest distance, and how many there were: where the
 * radial velocity changes from + to -, on a straight line between moments. */
static double turn(const Orbit *o, int *count)
{
  const double *x = orbit_q(o, 0), *y = orbit_q(o, 1), *px = orbit_p(o, 0), *py = orbit_p(o, 1);
  double *angle = malloc((size_t)o->n * sizeof *angle), last = 0.0;
  *count = 0;
  if (angle == NULL)
    return NAN;
  orbit_angle(o, angle);
  for (int i = 1; i + 1 < o->n; i++) {
    const double now = x[i] * px[i] + y[i] * py[i], next = x[i + 1] * px[i + 1] + y[i + 1] * py[i + 1];
    if (now > 0.0 && next <= 0.0) {
      last = angle[i] + (angle[i + 1] - angle[i]) * now / (now - next);
      ++*count;
    }
  }
  last -= angle[0]; /* it starts at its largest distance */
  free(angle);
  return last / *count;
}

/* With u = 1/rho the conserved energy and angular momentum give
 *   L^2 (1 + a^2 u^4) (du/dphi)^2 = L^2 (u - u1)(u2 - u),
 * so that a whole swing between u1 and u2 turns by 2 integral of sqrt(1 + a^2 u^4) over the angle s of
 * u = (u1 + u2)/2 - (u2 - u1)/2 cos s, from 0 to pi: without the funnel's own slope, by 2 pi as Kepler's. */
static double exact_turn(double rho, double speed)
{
  enum { POINTS = 200 };
  const double momentum = rho * speed, u1 = 1.0 / rho,
               u2 = 2.0 * GRAVITY * FUNNEL / (momentum * momentum) - u1;
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double s = M_PI * (i + 0.5) / POINTS, u = 0.5 * (u1 + u2) - 0.5 * (u2 - u1) * cos(s);
    sum += sqrt(1.0 + FUNNEL * FUNNEL * u * u * u * u);
  }
  return 2.0 * M_PI * sum / POINTS;
}

/* Periods of circles: from rho of the file, and others set by hand. */
static Status circles(Page *page, Error *error)
{
  static const double radius[3] = {0.2, 0.3, 0.45};
  double worst = 0.0, height = 0.0;
  for (int k = 0; k < 3; k++) {
    Simulation *m;
    Status status = page_load(page, "well-circle.yaml", &m, error);
    if (status != STATUS_OK)
      return status;
    const double q[3] = {radius[k], 0.0, -FUNNEL / radius[k]},
                 p[3] = {0.0, sqrt(GRAVITY * FUNNEL / radius[k]), 0.0};
    Orbit o = {0};
    status = simulation_set_point(m, 0, q, p, error);
    if (status == STATUS_OK)
      status = orbit_record(&o, m, 3001, 1, error);
    simulation_free(m);
    double *angle = status == STATUS_OK ? malloc((size_t)o.n * sizeof *angle) : NULL;
    if (status == STATUS_OK && angle == NULL)
      status = error_memory(error, "angles");
    if (status == STATUS_OK) {
      orbit_angle(&o, angle);
      const double period = 2.0 * M_PI * o.t[o.n - 1] / angle[o.n - 1];
      const double kepler = 2.0 * M_PI * sqrt(pow(radius[k], 3) / (GRAVITY * FUNNEL));
      worst = fmax(worst, fabs(period / kepler - 1));
      for (int i = 0; i < o.n; i++)
        height = fmax(height, fabs(orbit_q(&o, 2)[i] / q[2] - 1));
    }
    free(angle);
    orbit_free(&o);
    if (status != STATUS_OK)
      return status;
  }
  page_claim(
      page, "gravity well: circles", "circular orbits in a constant z plane", height < 1e-3 && worst < 1e-3,
      "with v² = g a/ρ the height stays within %.0e of itself; T² = 4π²ρ³/(g a), Kepler's third law, is met "
      "to %.0e at ρ = 0.2, 0.3, 0.45 m",
      height, worst);
  return STATUS_OK;
}

static Status well(Page *page, Error *error)
{
  Orbit o;
  Status status = circles(page, error);
  if (status == STATUS_OK)
    status = orbit_load(&o, page, "well-orbit.yaml", 0.001, 60.0, 0.001, error);
  if (status != STATUS_OK)
    return status;
  int count;
  const double seen = turn(&o, &count), exact = exact_turn(0.5, 0.7), degrees = 180.0 / M_PI;
  page_claim(page, "gravity well: tilted orbits",
             "may precess around the center axis, contrary to Kepler ellipses", fabs(seen - exact) < 1e-3,
             "%.3f° from one outermost point to the next (mean of %d); by quadrature %.3f°", seen * degrees,
             count, exact * degrees);
  const PictureCurve path = {.n = o.n / 4, .x = orbit_q(&o, 0), .y = orbit_q(&o, 1)};
  page_lines(page, "precession", "The same from above, for 15 s: every swing turns by 509°.",
             &(PictureAxes){.xlabel = "x / m", .ylabel = "y / m", .equal = 1}, 1, &path);
  orbit_free(&o);
  return STATUS_OK;
}

static Status run(Page *page, Error *error)
{
  page_text(
      page,
      "Surfaces are given by formulas. All four turn about the z axis, so that the angular momentum about "
      "it is kept, by RATTLE to rounding; the energy swings with Δt² and does not drift.");
  Status status = surfaces(page, error);
  if (status == STATUS_OK)
    status = line(page, error);
  return status == STATUS_OK ? well(page, error) : status;
}

const Exhibit exhibit_surfaces = {
    .name = "surfaces",
    .title = "Surfaces and the gravity well",
    .paper = "Vesely 2013, section III A, Table II, problem 5",
    .summary =
        "A ball slides on surfaces given by a formula each: a sphere, a paraboloid, a hyperboloid, and the "
        "funnel z = -a/ρ of science museums, whose orbits look like those of planets and turn.",
    .run = run,
};
