/* Constraints on positions and momenta: the examples of McLachlan, Modin, Verdier & Wilkins (2013). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery/exhibits.h"

/* States (q1, q2, p1, p2) of one replica at steps 0 ... n, with energies beside them. */
typedef struct Path {
  int n;
  double h;
  double (*z)[4];
  double *time, *energy, *hidden;
} Path;

static void path_free(Path *path)
{
  free(path->z);
  free(path->time);
  *path = (Path){0};
}

static Status path_run(Page *page, const char *file, const char *const *set, int nset, int n, Path *path,
                       Error *error)
{
  Simulation *m;
  *path = (Path){.n = n};
  Status status = page_load(page, file, set, nset, &m, error);
  if (status != STATUS_OK)
    return status;
  path->z = malloc(((size_t)n + 1) * sizeof *path->z);
  path->time = malloc(3 * ((size_t)n + 1) * sizeof *path->time);
  if (path->z == NULL || path->time == NULL)
    status = error_memory(error, "a path");
  else {
    path->energy = path->time + n + 1;
    path->hidden = path->energy + n + 1;
  }
  for (int k = 0; k <= n && status == STATUS_OK; k++) {
    if (k > 0)
      status = simulation_step(m, 1, NULL, error);
    simulation_get_point(m, 0, path->z[k], path->z[k] + 2);
    const MechanicsEnergy energy = mechanics_energy(m, 0);
    path->time[k] = simulation_time(m);
    path->energy[k] = energy.total;
    path->hidden[k] = energy.hidden;
  }
  if (status == STATUS_OK && n > 0)
    path->h = path->time[1] - path->time[0];
  simulation_free(m);
  if (status != STATUS_OK)
    path_free(path);
  return status;
}

static double largest(int n, const double *x, double from)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i] - from));
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
  static const char *const set[] = {"integrator.timestep=0.6"};
  double circle[2][ROUND], flight[STEPS][2][FLIGHT], at[2][STEPS + 1];
  Path path;
  Status status = path_run(page, "pendulum-shake.yaml", set, 1, STEPS, &path, error);
  if (status != STATUS_OK)
    return status;
  for (int i = 0; i < ROUND; i++) {
    circle[0][i] = cos(2.0 * M_PI * i / (ROUND - 1));
    circle[1][i] = sin(2.0 * M_PI * i / (ROUND - 1));
  }
  PictureCurve curve[STEPS + 2] = {{.n = ROUND, .x = circle[0], .y = circle[1], .colour = 8}};
  double off = 0.0;
  for (int k = 0; k <= STEPS; k++) {
    const double *q = path.z[k], h = path.h;
    at[0][k] = q[0];
    at[1][k] = q[1];
    off = fmax(off, fabs(q[0] * q[0] + q[1] * q[1] - 1.0));
    if (k == STEPS)
      break;
    const double p[2] = {(path.z[k + 1][0] - q[0]) / h, (path.z[k + 1][1] - q[1]) / h + 0.5 * h};
    for (int i = 0; i < FLIGHT; i++) {
      const double t = h * i / (FLIGHT - 1);
      flight[k][0][i] = q[0] + t * p[0];
      flight[k][1][i] = q[1] + t * p[1] - 0.5 * t * t;
    }
    curve[k + 1] = (PictureCurve){.n = FLIGHT, .x = flight[k][0], .y = flight[k][1], .colour = 2};
  }
  curve[STEPS + 1] =
      (PictureCurve){.n = STEPS + 1, .x = at[0], .y = at[1], .style = PICTURE_POINTS, .colour = 3};
  const PictureAxes axes = {.xlabel = "q1", .ylabel = "q2", .equal = 1};
  (void)picture_lines(page_folder(page), "pendulum", &axes, STEPS + 2, curve, error);
  page_figure(
      page, "pendulum",
      "As Fig. 1: SHAKE kicks the mass along the rod (the fibre) so that its free flight, a parabola, "
      "ends on the circle again. Five steps of 0.6.");
  path_free(&path);
  return STATUS_OK;
}

/* SHAKE and RATTLE on the pendulum over both bases: one path of positions. */
static Status compare_pendulum(Page *page, Error *error)
{
  static const char *const base[] = {"integrator.base=symplectic-euler", "integrator.base=stormer-verlet"};
  static const char *const what[] = {"pendulum, SHAKE and RATTLE over symplectic Euler",
                                     "pendulum, SHAKE and RATTLE over Stoermer-Verlet"};
  Status status = STATUS_OK;
  for (int b = 0; b < 2 && status == STATUS_OK; b++) {
    Path shake, rattle;
    status = path_run(page, "pendulum-shake.yaml", &base[b], 1, 200, &shake, error);
    if (status != STATUS_OK)
      return status;
    status = path_run(page, "pendulum-rattle.yaml", &base[b], 1, 200, &rattle, error);
    double most = 0.0;
    for (int k = 0; k <= 200 && status == STATUS_OK; k++)
      most = fmax(most, apart(2, shake.z[k], rattle.z[k]));
    if (status == STATUS_OK)
      page_claim(page, what[b], "the same map of fibres (equation 11)", most < 1e-11,
                 "positions over 200 steps agree to %.1e", most);
    path_free(&shake);
    path_free(&rattle);
  }
  return status;
}

/* --- the harmonic constraint -------------------------------------------------------------------------------
 */

static Status show_orbit(Page *page, Error *error)
{
  Path path;
  const Status status = path_run(page, "harmonic-free.yaml", NULL, 0, 1000, &path, error);
  if (status != STATUS_OK)
    return status;
  const double *a = path.z[0], square = a[0] * a[0] + a[1] * a[1];
  double off = 0.0;
  for (int k = 0; k <= path.n; k++) {
    const double *z = path.z[k];
    const double c = (a[0] * z[0] + a[1] * z[1]) / square, s = (a[0] * z[1] - a[1] * z[0]) / square;
    const double turned[4] = {c * a[0] - s * a[1], s * a[0] + c * a[1], c * a[2] - s * a[3],
                              s * a[2] + c * a[3]};
    off = fmax(off, apart(4, z, turned));
  }
  const double angle =
      atan2(a[0] * path.z[1][1] - a[1] * path.z[1][0], a[0] * path.z[1][0] + a[1] * path.z[1][1]);
  const double slope = (a[0] * a[3] - a[1] * a[2]) / square;
  page_claim(
      page, "harmonic constraint, no potential", "RATTLE gives the exact orbit up to time (proposition 5.1)",
      off < 1e-11,
      "off the exact circle by %.1e at most in 1,000 steps; turns by %.6f a unit of time, exactly %.6f", off,
      angle / path.h, 1.0 / (1.0 / slope - slope));
  path_free(&path);
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
static double come_back(const Path *path, double *period)
{
  double x[3], last[3], first[3], far = 0.0, best = INFINITY;
  hopf(path->z[0], first);
  memcpy(last, first, sizeof last);
  for (int k = 1; k <= path->n; k++) {
    hopf(path->z[k], x);
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
      *period = path->time[k - 1] + s * path->h;
    } else if (isfinite(best) && apart(3, x, first) > 0.5 * far)
      break;
    memcpy(last, x, sizeof last);
  }
  return best;
}

static const char *const shake_of[] = {"integrator.method=geometric-shake"};
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
    Path path;
    status = path_run(page, table_file[i], shake_of, 1, TRACE, &path, error);
    if (status != STATUS_OK)
      break;
    double period = 0.0, unused = 0.0;
    const double gap = come_back(&path, &unused);
    for (int k = 0; k <= TRACE; k++) {
      double x[3];
      hopf(path.z[k], x);
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
    path_free(&path);
    static const char *const fine[] = {"integrator.method=geometric-shake", "integrator.timestep=0.01"};
    status = path_run(page, table_file[i], fine, 2, TRACE, &path, error);
    if (status != STATUS_OK)
      break;
    const double small = come_back(&path, &period);
    page_claim(page, what[i], "closed trajectories (Fig. 4)", small < 1e-4 && gap < 0.02,
               "the chords of the path on the sphere of fibres pass the start again at t = %.3f, within %.1e "
               "for h = 0.1 and %.1e for h = 0.01, as far as chords lie off their arcs",
               period, gap, small);
    path_free(&path);
  }
  if (status == STATUS_OK) {
    const double a = hypot(flat[0][0][0], flat[0][1][0]), c = hypot(flat[2][0][0], flat[2][1][0]);
    page_claim(
        page, "stereographic projection of Fig. 4", "z_a is on the innermost curve", a < c,
        "by the projection as printed z_a is at %.2f from the middle and z_c at %.2f; from the other pole "
        "(the sum in place of the difference below) at %.2f and %.2f",
        a, c, 1.0 / a, 1.0 / c);
  }
  const PictureAxes axes = {.xlabel = "Re", .ylabel = "Im", .equal = 1};
  if (status == STATUS_OK) {
    (void)picture_lines(page_folder(page), "hopf", &axes, 3, curve, error);
    page_figure(page, "hopf",
                "As Fig. 4: 1,000 steps of 0.1 of SHAKE over the midpoint rule from the points of "
                "Table 1, Hopf map and stereographic projection.");
  }
  free(flat);
  return status;
}

static Status show_energy(Page *page, Error *error)
{
  Path shake, rattle;
  Status status = path_run(page, table_file[0], shake_of, 1, TRACE, &shake, error);
  if (status != STATUS_OK)
    return status;
  status = path_run(page, table_file[0], NULL, 0, TRACE, &rattle, error);
  if (status == STATUS_OK) {
    const PictureCurve energy[] = {{.label = "SHAKE", .n = TRACE / 2, .x = shake.time, .y = shake.energy},
                                   {.label = "RATTLE", .n = TRACE / 2, .x = rattle.time, .y = rattle.energy}};
    const PictureCurve hidden = {.n = TRACE / 2, .x = shake.time, .y = shake.hidden};
    const PicturePanel panel[] = {
        {.axes = {.xlabel = "t", .ylabel = "H"}, .n = 2, .curve = energy},
        {.axes = {.xlabel = "t", .ylabel = "|{g, H}| of SHAKE"}, .n = 1, .curve = &hidden}};
    (void)picture_panels(page_folder(page), "energy", 2, panel, 2, error);
    page_figure(page, "energy",
                "As Fig. 5, from z_a: energies of SHAKE and RATTLE, and how far SHAKE is off the "
                "hidden constraint. Midpoint rule, h = 0.1.");
    const double early = largest(TRACE / 2, rattle.energy, rattle.energy[0]),
                 late = largest(TRACE / 2, rattle.energy + TRACE / 2, rattle.energy[0]);
    page_claim(page, "energy from z_a", "no drift (Fig. 5a)", late < 1.05 * early,
               "RATTLE off by up to %.2e in the first 50 units of time, %.2e in the next 50", early, late);
    page_claim(page, "hidden constraint under RATTLE", "met to machine accuracy",
               largest(TRACE + 1, rattle.hidden, 0.0) < 1e-12, "%.1e",
               largest(TRACE + 1, rattle.hidden, 0.0));
    static const char *const half[] = {"integrator.method=geometric-shake", "integrator.timestep=0.05"};
    Path fine;
    status = path_run(page, table_file[0], half, 2, 2 * TRACE, &fine, error);
    if (status == STATUS_OK) {
      const double coarse = largest(TRACE + 1, shake.hidden, 0.0),
                   small = largest(2 * TRACE + 1, fine.hidden, 0.0);
      page_claim(page, "hidden constraint under SHAKE", "off by the order of the step (Fig. 5b)",
                 fabs(log2(coarse / small) - 1.0) < 0.15, "%.3f at h = 0.1, %.3f at h = 0.05: order %.2f",
                 coarse, small, log2(coarse / small));
      path_free(&fine);
    }
    path_free(&rattle);
  }
  path_free(&shake);
  return status;
}

/* --- Fig. 6 ------------------------------------------------------------------------------------------------
 */

/* dH/dt at the point (q cos t + p sin t, p cos t - q sin t) of a fibre, g = (0, -1). */
static double slope_on_fibre(const double *z, double t)
{
  const double difference = z[0] * z[0] + z[1] * z[1] - z[2] * z[2] - z[3] * z[3];
  const double across = z[0] * z[2] + z[1] * z[3];
  return 0.5 * difference * sin(2.0 * t) - across * cos(2.0 * t) - z[1] * sin(t) + z[3] * cos(t);
}

/* The same as equation (28) is printed. */
static double slope_as_printed(const double *z, double t)
{
  const double difference = z[0] * z[0] + z[1] * z[1] - z[2] * z[2] - z[3] * z[3];
  const double across = z[0] * z[2] + z[1] * z[3];
  return 0.5 * difference * sin(2.0 * t) + across * cos(2.0 * t) + z[1] * sin(t) - z[3] * cos(t);
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
    ours = fmax(ours, fabs(slope_on_fibre(z, t) - slope));
    printed = fmax(printed, fabs(slope_as_printed(z, t) - slope));
  }
  page_claim(
      page, "equation (28), dH/dt on a fibre", "as printed", printed < 1e-8,
      "off differences of H by %.3f as printed, by %.0e with three signs turned (docs/papers-errata.md)",
      printed, ours);
}

enum { SEEN = 200, ACROSS = 240 };

static Status show_fibres(Page *page, Error *error)
{
  Path path;
  const Status status = path_run(page, table_file[0], shake_of, 1, SEEN - 1, &path, error);
  if (status != STATUS_OK)
    return status;
  double *map = malloc(sizeof *map * SEEN * ACROSS), *x = malloc(2 * sizeof *x * SEEN * 8), *y = x + SEEN * 8;
  if (map == NULL || x == NULL) {
    free(map);
    free(x);
    path_free(&path);
    return error_memory(error, "a figure");
  }
  int roots = 0, fewest = 100, most = 0;
  for (int k = 0; k < SEEN; k++) {
    int here = 0;
    for (int i = 0; i < ACROSS; i++) {
      const double a = slope_on_fibre(path.z[k], 2.0 * M_PI * i / ACROSS);
      const double b = slope_on_fibre(path.z[k], 2.0 * M_PI * (i + 1) / ACROSS);
      map[i * SEEN + k] = fabs(a);
      if (a * b < 0.0 && here < 8) {
        x[roots] = path.time[k];
        y[roots++] = (i + a / (a - b)) / ACROSS;
        here++;
      }
    }
    fewest = here < fewest ? here : fewest;
    most = here > most ? here : most;
  }
  const PictureField field = {.nx = SEEN,
                              .ny = ACROSS,
                              .xmax = path.time[SEEN - 1],
                              .ymax = 1.0 - 1.0 / ACROSS,
                              .z = map,
                              .colours = 1,
                              .zlabel = "|H'|"};
  const PictureCurve zeros = {.n = roots, .x = x, .y = y, .style = PICTURE_DOTS, .width = 3.0, .colour = 1};
  const PictureAxes axes = {.xlabel = "t", .ylabel = "place on the fibre, turns from SHAKE's point"};
  (void)picture_map(page_folder(page), "fibres", &axes, &field, 1, &zeros, error);
  page_figure(page, "fibres",
              "As Fig. 6, from z_a: |dH/dt| on the fibres above the path of SHAKE; black: where it "
              "vanishes, the hidden constraints. SHAKE is at 0.");
  page_claim(page, "hidden constraints on a fibre from z_a", "two, three or four points (Fig. 6)",
             fewest >= 2 && most <= 4, "from %d to %d", fewest, most);
  check_printed(page, path.z[SEEN / 3]);
  free(map);
  free(x);
  path_free(&path);
  return STATUS_OK;
}

/* --- index 1, refusals -------------------------------------------------------------------------------------
 */

static Status show_index_1(Page *page, Error *error)
{
  Path path;
  const Status status = path_run(page, "index-1.yaml", NULL, 0, 1000, &path, error);
  if (status != STATUS_OK)
    return status;
  double q = path.z[0][0], p = path.z[0][2], off = 0.0;
  for (int k = 1; k <= path.n; k++) {
    double q1 = q, p1 = p;
    for (int i = 0; i < 60; i++) { /* the midpoint rule on (18), b from dH/db = 0 at the midpoint */
      const double mq = 0.5 * (q + q1), mp = 0.5 * (p + p1), b = mp / (1.0 + mq * mq);
      q1 = q + path.h * (2.0 * mp - b);
      p1 = p - path.h * (mq + mq * b * b);
    }
    q = q1;
    p = p1;
    off = fmax(off, hypot(path.z[k][0] - q, path.z[k][2] - p));
  }
  page_claim(page, "index-1 constraint", "SHAKE over the midpoint rule is the direct method (section 5.3)",
             off < 1e-11, "1,000 steps agree to %.1e", off);
  path_free(&path);
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
    Path path;
    const Status status = path_run(page, bad[i].file, NULL, 0, 1, &path, &why);
    page_claim(page, bad[i].what, bad[i].claim,
               status == STATUS_INPUT && strstr(why.text, bad[i].reason) != NULL, "%s",
               status != STATUS_OK ? why.text : "runs");
    if (status == STATUS_OK)
      path_free(&path);
  }
}

static void show_table_1(Page *page)
{
  Error why = {0};
  static const char *const set[] = {"system.constants.c=1"};
  Path path;
  const Status status = path_run(page, table_file[0], set, 1, 1, &path, &why);
  page_claim(page, "Table 1", "all three points lie on M^H", status == STATUS_OK,
             "they meet the hidden constraint to rounding, but lie on q^2 + p^2 = 0.98 in place of 1; the "
             "runs here take "
             "them as they are printed");
  if (status == STATUS_OK)
    path_free(&path);
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
    .summary = "Geometric SHAKE and RATTLE move along the flows of the constraints themselves, so that these "
               "may depend "
               "on momenta. The pendulum; a sphere in phase space as the constraint, without and with a "
               "potential; an "
               "index-1 system; and two problems that are refused because an assumption fails.",
    .run = run,
};
