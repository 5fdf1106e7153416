/* Constraints on positions and momenta: the examples of McLachlan, Modin, Verdier & Wilkins (2013). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery/orbit.h"

/* A run of n steps, one moment a step. */
static Status follow(Page *page, const char *file, int n, Orbit *orbit, Error *error)
{
  Simulation *m;
  *orbit = (Orbit){0};
  Status status = page_load(page, file, &m, error);
  if (status == STATUS_OK)
    status = orbit_record(orbit, m, n + 1, 1, error);
  simulation_free(m);
  return status;
}

/* (q1, q2, p1, p2) at a step. */
typedef struct Point {
  double z[4];
} Point;

static Point at(const Orbit *orbit, int k)
{
  Point point;
  orbit_point(orbit, k, point.z);
  return point;
}

/* How far energies get from the first, and the largest |{g, H}|, of steps from <= k < to. */
static double drift(const Orbit *o, int from, int to)
{
  double most = 0.0;
  for (int k = from; k < to; k++)
    most = fmax(most, fabs(o->energy[k].total - o->energy[0].total));
  return most;
}

static double hidden(const Orbit *o)
{
  double most = 0.0;
  for (int k = 0; k < o->n; k++)
    most = fmax(most, o->energy[k].hidden);
  return most;
}

static double apart(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* --- Fig. 1 ------------------------------------------------------------------------------------------------
 */

enum { ROUND = 361, STEPS = 5, FLIGHT = 41 };

/* Between its kicks the mass flies freely, and Stoermer-Verlet in a constant field is that flight: from the
 * ends of a step follows the momentum after the kick at its beginning. */
static Status show_pendulum(Page *page, Error *error)
{
  double circle[2][ROUND], flight[STEPS][2][FLIGHT];
  Orbit path;
  page_set(page, KEY(integrator_timestep), "0.6");
  Status status = follow(page, "pendulum-shake.yaml", STEPS, &path, error);
  if (status != STATUS_OK)
    return status;
  for (int i = 0; i < ROUND; i++) {
    circle[0][i] = cos(2.0 * M_PI * i / (ROUND - 1));
    circle[1][i] = sin(2.0 * M_PI * i / (ROUND - 1));
  }
  PictureCurve curve[STEPS + 2] = {{.n = ROUND, .x = circle[0], .y = circle[1], .colour = 8}};
  const double *x = orbit_q(&path, 0), *y = orbit_q(&path, 1), h = path.t[1] - path.t[0];
  for (int k = 0; k < STEPS; k++) {
    const double p[2] = {(x[k + 1] - x[k]) / h, (y[k + 1] - y[k]) / h + 0.5 * h};
    for (int i = 0; i < FLIGHT; i++) {
      const double t = h * i / (FLIGHT - 1);
      flight[k][0][i] = x[k] + t * p[0];
      flight[k][1][i] = y[k] + t * p[1] - 0.5 * t * t;
    }
    curve[k + 1] = (PictureCurve){.n = FLIGHT, .x = flight[k][0], .y = flight[k][1], .colour = 2};
  }
  curve[STEPS + 1] = (PictureCurve){.n = STEPS + 1, .x = x, .y = y, .style = PICTURE_POINTS, .colour = 3};
  page_lines(page, "pendulum",
             "As Fig. 1: SHAKE kicks the mass along the rod (the fibre) so that its free flight, a parabola, "
             "ends on the circle again. Five steps of 0.6.",
             &(PictureAxes){.xlabel = "q1", .ylabel = "q2", .equal = 1}, STEPS + 2, curve);
  orbit_free(&path);
  return STATUS_OK;
}

/* SHAKE and RATTLE on the pendulum over both bases: one path of positions. */
static Status compare_pendulum(Page *page, Error *error)
{
  static const char *const base[] = {"symplectic-euler", "stormer-verlet"};
  static const char *const what[] = {"pendulum, SHAKE and RATTLE over symplectic Euler",
                                     "pendulum, SHAKE and RATTLE over Stoermer-Verlet"};
  Status status = STATUS_OK;
  for (int b = 0; b < 2 && status == STATUS_OK; b++) {
    Orbit shake, rattle;
    page_set(page, KEY(integrator_base), "%s", base[b]);
    status = follow(page, "pendulum-shake.yaml", 200, &shake, error);
    if (status != STATUS_OK)
      return status;
    page_set(page, KEY(integrator_base), "%s", base[b]);
    status = follow(page, "pendulum-rattle.yaml", 200, &rattle, error);
    double most = 0.0;
    for (int k = 0; k <= 200 && status == STATUS_OK; k++)
      most = fmax(most, apart(2, at(&shake, k).z, at(&rattle, k).z));
    if (status == STATUS_OK)
      page_claim(page, what[b], "the same map of fibres (equation 11)", most < 1e-11,
                 "positions over 200 steps agree to %.1e", most);
    orbit_free(&shake);
    orbit_free(&rattle);
  }
  return status;
}

/* --- the harmonic constraint -------------------------------------------------------------------------------
 */

static Status show_orbit(Page *page, Error *error)
{
  Orbit path;
  const Status status = follow(page, "harmonic-free.yaml", 1000, &path, error);
  if (status != STATUS_OK)
    return status;
  const Point start = at(&path, 0), next = at(&path, 1);
  const double *a = start.z, *b = next.z, square = a[0] * a[0] + a[1] * a[1];
  double off = 0.0;
  for (int k = 0; k < path.n; k++) {
    const Point point = at(&path, k);
    const double *z = point.z;
    const double c = (a[0] * z[0] + a[1] * z[1]) / square, s = (a[0] * z[1] - a[1] * z[0]) / square;
    const double turned[4] = {c * a[0] - s * a[1], s * a[0] + c * a[1], c * a[2] - s * a[3],
                              s * a[2] + c * a[3]};
    off = fmax(off, apart(4, z, turned));
  }
  const double angle = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
  const double slope = (a[0] * a[3] - a[1] * a[2]) / square;
  page_claim(
      page, "harmonic constraint, no potential", "RATTLE gives the exact orbit up to time (proposition 5.1)",
      off < 1e-11,
      "off the exact circle by %.1e at most in 1,000 steps; turns by %.6f a unit of time, exactly %.6f", off,
      angle / (path.t[1] - path.t[0]), 1.0 / (1.0 / slope - slope));
  orbit_free(&path);
  return STATUS_OK;
}

/* The Hopf map (21) to the sphere of fibres, then the stereographic projection of Fig. 4. */
static void hopf(const double *z, double x[3])
{
  x[0] = 2.0 * (z[0] * z[1] + z[2] * z[3]);
  x[1] = 2.0 * (z[2] * z[1] - z[0] * z[3]);
  x[2] = z[0] * z[0] + z[2] * z[2] - z[1] * z[1] - z[3] * z[3];
}

/* How near the path comes back to its start, once it has been far from it; *period: when. */
static double come_back(const Orbit *path, double *period)
{
  double x[3], last[3], first[3], far = 0.0, best = INFINITY;
  hopf(at(path, 0).z, first);
  memcpy(last, first, sizeof last);
  for (int k = 1; k < path->n; k++) {
    hopf(at(path, k).z, x);
    double along = 0.0, square = 0.0, nearest[3];
    for (int d = 0; d < 3; d++) {
      along += (first[d] - last[d]) * (x[d] - last[d]);
      square += (x[d] - last[d]) * (x[d] - last[d]);
    }
    const double s = fmin(1.0, fmax(0.0, along / square));
    for (int d = 0; d < 3; d++)
      nearest[d] = last[d] + s * (x[d] - last[d]);
    const double off = apart(3, nearest, first);
    far = fmax(far, apart(3, x, first));
    if (k > 2 && off < best && apart(3, x, first) < 0.3 * far) {
      best = off;
      *period = path->t[k - 1] + s * (path->t[1] - path->t[0]);
    } else if (isfinite(best) && apart(3, x, first) > 0.5 * far)
      break;
    memcpy(last, x, sizeof last);
  }
  return best;
}

/* As `follow`, by SHAKE over the midpoint rule; h: text of the step, NULL: the file's. */
static Status shake_on(Page *page, const char *file, const char *h, int n, Orbit *orbit, Error *error)
{
  page_set(page, KEY(integrator_method), "geometric-shake");
  if (h != NULL)
    page_set(page, KEY(integrator_timestep), "%s", h);
  return follow(page, file, n, orbit, error);
}

static const char *const table_file[3] = {"harmonic-a.yaml", "harmonic-b.yaml", "harmonic-c.yaml"};
enum { TRACE = 1000 };

static Status show_closed(Page *page, Error *error)
{
  double(*flat)[2][TRACE + 1] = malloc(3 * sizeof *flat);
  if (flat == NULL)
    return error_memory(error, "a figure");
  static const char *const name[3] = {"from z_a", "from z_b", "from z_c"};
  static const char *const what[3] = {"linear potential from z_a", "linear potential from z_b",
                                      "linear potential from z_c"};
  PictureCurve curve[3];
  Status status = STATUS_OK;
  for (int i = 0; i < 3 && status == STATUS_OK; i++) {
    Orbit path;
    status = shake_on(page, table_file[i], NULL, TRACE, &path, error);
    if (status != STATUS_OK)
      break;
    double period = 0.0, unused = 0.0;
    const double gap = come_back(&path, &unused);
    for (int k = 0; k <= TRACE; k++) {
      double x[3];
      hopf(at(&path, k).z, x);
      const double scale = 1.0 / (sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - x[2]);
      flat[i][0][k] = scale * x[0];
      flat[i][1][k] = scale * x[1];
    }
    curve[i] = (PictureCurve){.label = name[i],
                              .n = TRACE + 1,
                              .x = flat[i][0],
                              .y = flat[i][1],
                              .style = PICTURE_DOTS,
                              .width = 2.0};
    orbit_free(&path);
    status = shake_on(page, table_file[i], "0.01", TRACE, &path, error);
    if (status != STATUS_OK)
      break;
    const double small = come_back(&path, &period);
    page_claim(page, what[i], "closed trajectories (Fig. 4)", small < 1e-4 && gap < 0.02,
               "the chords of the path on the sphere of fibres pass the start again at t = %.3f, within %.1e "
               "for h = 0.1 and %.1e for h = 0.01, as far as chords lie off their arcs",
               period, gap, small);
    orbit_free(&path);
  }
  if (status == STATUS_OK) {
    const double a = hypot(flat[0][0][0], flat[0][1][0]), c = hypot(flat[2][0][0], flat[2][1][0]);
    page_claim(page, "stereographic projection of Fig. 4", "z_a is on the innermost curve", a < c,
               "by the projection as printed z_a is at %.2f from the middle and z_c at %.2f; from the other "
               "pole (the sum in place of the difference below) at %.2f and %.2f",
               a, c, 1.0 / a, 1.0 / c);
  }
  if (status == STATUS_OK)
    page_lines(page, "hopf",
               "As Fig. 4: 1,000 steps of 0.1 of SHAKE over the midpoint rule from the points of Table 1, "
               "Hopf map and stereographic projection.",
               &(PictureAxes){.xlabel = "Re", .ylabel = "Im", .equal = 1}, 3, curve);
  free(flat);
  return status;
}

static Status show_energy(Page *page, Error *error)
{
  Orbit shake, rattle;
  Status status = shake_on(page, table_file[0], NULL, TRACE, &shake, error);
  if (status != STATUS_OK)
    return status;
  status = follow(page, table_file[0], TRACE, &rattle, error);
  double y[3][TRACE / 2];
  for (int k = 0; k < TRACE / 2 && status == STATUS_OK; k++) {
    y[0][k] = shake.energy[k].total;
    y[1][k] = rattle.energy[k].total;
    y[2][k] = shake.energy[k].hidden;
  }
  if (status == STATUS_OK) {
    const PictureCurve energy[] = {{.label = "SHAKE", .n = TRACE / 2, .x = shake.t, .y = y[0]},
                                   {.label = "RATTLE", .n = TRACE / 2, .x = rattle.t, .y = y[1]}};
    const PictureCurve off = {.n = TRACE / 2, .x = shake.t, .y = y[2]};
    const PicturePanel panel[] = {
        {.axes = {.xlabel = "t", .ylabel = "H"}, .n = 2, .curve = energy},
        {.axes = {.xlabel = "t", .ylabel = "|{g, H}| of SHAKE"}, .n = 1, .curve = &off}};
    page_draw(page, "energy",
              "As Fig. 5, from z_a: energies of SHAKE and RATTLE, and how far SHAKE is off the hidden "
              "constraint. Midpoint rule, h = 0.1.",
              2, panel, 2);
    const double early = drift(&rattle, 0, TRACE / 2), late = drift(&rattle, TRACE / 2, TRACE);
    page_claim(page, "energy from z_a", "no drift (Fig. 5a)", late < 1.05 * early,
               "RATTLE off by up to %.2e in the first 50 units of time, %.2e in the next 50", early, late);
    page_claim(page, "hidden constraint under RATTLE", "met to machine accuracy", hidden(&rattle) < 1e-12,
               "%.1e", hidden(&rattle));
    Orbit fine;
    status = shake_on(page, table_file[0], "0.05", 2 * TRACE, &fine, error);
    if (status == STATUS_OK) {
      const double coarse = hidden(&shake), small = hidden(&fine);
      page_claim(page, "hidden constraint under SHAKE", "off by the order of the step (Fig. 5b)",
                 fabs(log2(coarse / small) - 1.0) < 0.15, "%.3f at h = 0.1, %.3f at h = 0.05: order %.2f",
                 coarse, small, log2(coarse / small));
      orbit_free(&fine);
    }
    orbit_free(&rattle);
  }
  orbit_free(&shake);
  return status;
}

/* --- Fig. 6 ------------------------------------------------------------------------------------------------
 */

/* dH/dt at the point (q cos t + p sin t, p cos t - q sin t) of a fibre, g = (0, -1); sign -1: as equation
 * (28) is printed. */
static double slope_on_fibre(const double *z, double t, int sign)
{
  const double difference = z[0] * z[0] + z[1] * z[1] - z[2] * z[2] - z[3] * z[3];
  const double across = z[0] * z[2] + z[1] * z[3];
  return 0.5 * difference * sin(2.0 * t) - sign * (across * cos(2.0 * t) + z[1] * sin(t) - z[3] * cos(t));
}

static double energy_on_fibre(const double *z, double t)
{
  const double p[2] = {z[2] * cos(t) - z[0] * sin(t), z[3] * cos(t) - z[1] * sin(t)};
  return 0.5 * (p[0] * p[0] + p[1] * p[1]) + z[1] * cos(t) + z[3] * sin(t);
}

static void check_printed(Page *page, const double *z)
{
  double ours = 0.0, printed = 0.0;
  for (int i = 0; i < 100; i++) {
    const double t = 0.0628 * i, e = 1e-5;
    const double slope = (energy_on_fibre(z, t + e) - energy_on_fibre(z, t - e)) / (2.0 * e);
    ours = fmax(ours, fabs(slope_on_fibre(z, t, 1) - slope));
    printed = fmax(printed, fabs(slope_on_fibre(z, t, -1) - slope));
  }
  page_claim(
      page, "equation (28), dH/dt on a fibre", "as printed", printed < 1e-8,
      "off differences of H by %.3f as printed, by %.0e with three signs turned (docs/papers-errata.md)",
      printed, ours);
}

enum { SEEN = 200, ACROSS = 240 };

static Status show_fibres(Page *page, Error *error)
{
  Orbit path;
  const Status status = shake_on(page, table_file[0], NULL, SEEN - 1, &path, error);
  if (status != STATUS_OK)
    return status;
  double *map = malloc(sizeof *map * SEEN * ACROSS), *x = malloc(2 * sizeof *x * SEEN * 8), *y = x + SEEN * 8;
  if (map == NULL || x == NULL) {
    free(map);
    free(x);
    orbit_free(&path);
    return error_memory(error, "a figure");
  }
  int roots = 0, fewest = 100, most = 0;
  for (int k = 0; k < SEEN; k++) {
    int here = 0;
    const Point point = at(&path, k);
    for (int i = 0; i < ACROSS; i++) {
      const double a = slope_on_fibre(point.z, 2.0 * M_PI * i / ACROSS, 1);
      const double b = slope_on_fibre(point.z, 2.0 * M_PI * (i + 1) / ACROSS, 1);
      map[i * SEEN + k] = fabs(a);
      if (a * b < 0.0 && here < 8) {
        x[roots] = path.t[k];
        y[roots++] = (i + a / (a - b)) / ACROSS;
        here++;
      }
    }
    fewest = here < fewest ? here : fewest;
    most = here > most ? here : most;
  }
  const PictureField field = {.nx = SEEN,
                              .ny = ACROSS,
                              .xmax = path.t[SEEN - 1],
                              .ymax = 1.0 - 1.0 / ACROSS,
                              .z = map,
                              .colours = 1,
                              .zlabel = "|H'|"};
  const PictureCurve zeros = {.n = roots, .x = x, .y = y, .style = PICTURE_DOTS, .width = 3.0, .colour = 1};
  const PicturePanel panel = {
      .axes = {.xlabel = "t", .ylabel = "place on the fibre, turns from SHAKE's point"},
      .n = 1,
      .curve = &zeros,
      .field = &field};
  page_draw(page, "fibres",
            "As Fig. 6, from z_a: |dH/dt| on the fibres above the path of SHAKE; black: where it vanishes, "
            "the hidden constraints. SHAKE is at 0.",
            1, &panel, 1);
  page_claim(page, "hidden constraints on a fibre from z_a", "two, three or four points (Fig. 6)",
             fewest >= 2 && most <= 4, "from %d to %d", fewest, most);
  check_printed(page, at(&path, SEEN / 3).z);
  free(map);
  free(x);
  orbit_free(&path);
  return STATUS_OK;
}

/* --- index 1, refusals -------------------------------------------------------------------------------------
 */

static Status show_index_1(Page *page, Error *error)
{
  Orbit path;
  const Status status = follow(page, "index-1.yaml", 1000, &path, error);
  if (status != STATUS_OK)
    return status;
  const double h = path.t[1] - path.t[0];
  double q = orbit_q(&path, 0)[0], p = orbit_p(&path, 0)[0], off = 0.0;
  for (int k = 1; k < path.n; k++) {
    double q1 = q, p1 = p;
    for (int i = 0; i < 60; i++) { /* the midpoint rule on (18), b from dH/db = 0 at the midpoint */
      const double mq = 0.5 * (q + q1), mp = 0.5 * (p + p1), b = mp / (1.0 + mq * mq);
      q1 = q + h * (2.0 * mp - b);
      p1 = p - h * (mq + mq * b * b);
    }
    q = q1;
    p = p1;
    off = fmax(off, hypot(orbit_q(&path, 0)[k] - q, orbit_p(&path, 0)[k] - p));
  }
  page_claim(page, "index-1 constraint", "SHAKE over the midpoint rule is the direct method (section 5.3)",
             off < 1e-11, "1,000 steps agree to %.1e", off);
  orbit_free(&path);
  return STATUS_OK;
}

static void show_refusals(Page *page)
{
  static const struct {
    const char *file, *what, *claim, *reason;
  } bad[] = {{"refused-linear.yaml", "H = p^2/2 + q p', constraint q' = 0",
              "degenerate: H is linear on the fibres", "linear along the fibres"},
             {"refused-constant.yaml", "H = p^2/2, constraint q' = 0", "infinitely many solutions",
              "infinitely many solutions"}};
  for (int i = 0; i < 2; i++) {
    Error why = {0};
    Orbit path;
    const Status status = follow(page, bad[i].file, 1, &path, &why);
    page_claim(page, bad[i].what, bad[i].claim,
               status == STATUS_INPUT && strstr(why.text, bad[i].reason) != NULL, "%s",
               status != STATUS_OK ? why.text : "runs");
    orbit_free(&path);
  }
}

static void show_table_1(Page *page)
{
  Error why = {0};
  Orbit path;
  page_set(page, input_line(KEY(system_constants), "c"), "1");
  const Status status = follow(page, table_file[0], 1, &path, &why);
  page_claim(page, "Table 1", "all three points lie on M^H", status == STATUS_OK,
             "they meet the hidden constraint to rounding, but lie on q^2 + p^2 = 0.98 in place of 1; the "
             "runs here take them as they are printed");
  orbit_free(&path);
}

static Status run(Page *page, Error *error)
{
  static Status (*const part[])(Page *, Error *) = {show_pendulum, compare_pendulum, show_orbit,  show_closed,
                                                    show_energy,   show_fibres,      show_index_1};
  Status status = STATUS_OK;
  for (size_t i = 0; i < sizeof part / sizeof *part && status == STATUS_OK; i++)
    status = part[i](page, error);
  if (status != STATUS_OK)
    return status;
  show_table_1(page);
  show_refusals(page);
  return STATUS_OK;
}

const Exhibit exhibit_constrained_hamiltonians = {
    .name = "constrained-hamiltonians",
    .title = "Constraints on positions and momenta",
    .paper = "McLachlan, Modin, Verdier & Wilkins 2013, section 5, Figs. 1, 4, 5 and 6",
    .summary =
        "Geometric SHAKE and RATTLE move along the flows of the constraints themselves, so that these may "
        "depend on momenta. The pendulum; a sphere in phase space as the constraint, without and with a "
        "potential; an index-1 system; and two problems that are refused because an assumption fails.",
    .run = run,
};
