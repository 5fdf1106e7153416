/* Double and triple pendulum: Vesely 2013, section VII.A and problem 3. */
#include <math.h>
#include <stdlib.h>

#include "gallery/orbit.h"

#define GRAVITY 9.81
enum { BONDS = 3, CASES = 4 };
static const double usual = 0.005;

/* All bonds let go at one angle. */
typedef struct Case {
  const char *label, *file;
  int bonds;
  double angle;
} Case;

static const Case cases[CASES] = {{"double, from 0.3", "double.yaml", 2, 0.3},
                                  {"double, from 2", "double.yaml", 2, 2.0},
                                  {"triple, from 0.3", "triple.yaml", 3, 0.3},
                                  {"triple, from 2", "triple.yaml", 3, 2.0}};

static void set_start(Page *page, const Case *c)
{
  static const char *const angle[BONDS] = {"a1", "a2", "a3"};
  for (int n = 0; n < c->bonds && n < BONDS; n++)
    page_set(page, input_line(KEY(system_constants), angle[n]), "%.17g", c->angle);
}

static Status load(Page *page, const Case *c, double h, Simulation **m, Error *error)
{
  set_start(page, c);
  page_set(page, KEY(integrator_timestep), "%.17g", h);
  return page_load(page, c->file, m, error);
}

static Status record(Page *page, const Case *c, double h, double time, Orbit *o, Error *error)
{
  set_start(page, c);
  return orbit_load(o, page, c->file, h, time, 0.02, error);
}

/* --- angles ----------------------------------------------------------------------------------------------
 */

/* Angles of the bonds from below, and their rates. */
typedef struct Angles {
  double a[BONDS], w[BONDS];
} Angles;

static Angles angles_of(const Simulation *m, int bonds)
{
  double q[2 * BONDS], p[2 * BONDS];
  Angles s = {{0}, {0}};
  simulation_get_point(m, 0, q, p);
  for (int i = bonds - 1; i >= 0; i--)
    for (int d = 0; i > 0 && d < 2; d++) {
      q[2 * i + d] -= q[2 * i - 2 + d];
      p[2 * i + d] -= p[2 * i - 2 + d];
    }
  for (int i = 0; i < bonds; i++) {
    s.a[i] = atan2(q[2 * i], -q[2 * i + 1]);
    s.w[i] = p[2 * i] * cos(s.a[i]) + p[2 * i + 1] * sin(s.a[i]);
  }
  return s;
}

static Status set_angles(Simulation *m, int bonds, const Angles *s, Error *error)
{
  double q[2 * BONDS], p[2 * BONDS];
  for (int i = 0; i < bonds; i++) {
    const double x[2] = {sin(s->a[i]), -cos(s->a[i])},
                 v[2] = {s->w[i] * cos(s->a[i]), s->w[i] * sin(s->a[i])};
    for (int d = 0; d < 2; d++) {
      q[2 * i + d] = x[d] + (i > 0 ? q[2 * i - 2 + d] : 0.0);
      p[2 * i + d] = v[d] + (i > 0 ? p[2 * i - 2 + d] : 0.0);
    }
  }
  return simulation_set_point(m, 0, q, p, error);
}

/* In phase space, rates measured by sqrt(g/l). */
static Angles between(const Angles *a, const Angles *b, int bonds, double *size)
{
  Angles d = {{0}, {0}};
  *size = 0.0;
  for (int i = 0; i < bonds; i++) {
    d.a[i] = remainder(a->a[i] - b->a[i], 2.0 * M_PI);
    d.w[i] = a->w[i] - b->w[i];
    *size += d.a[i] * d.a[i] + d.w[i] * d.w[i] / GRAVITY;
  }
  *size = sqrt(*size);
  return d;
}

/* --- neighbours ------------------------------------------------------------------------------------------
 */

/* Two runs whose first angles differ by 1e-8 at the start. With `pulled` the second is drawn back to that
 * distance after every 0.1 (Benettin et al. 1976); the mean rate of growth then goes to the largest exponent
 * of Lyapunov. */
enum { MOMENTS = 2000 };
static const double apart = 1e-8, interval = 0.1;

typedef struct Growth {
  double t[MOMENTS], y[MOMENTS]; /* distance; or the mean rate so far */
} Growth;

static Status neighbours(Page *page, const Case *c, int n, bool pulled, Growth *g, Error *error)
{
  Simulation *m[2] = {NULL, NULL};
  const int every = (int)lrint(interval / usual);
  Status status = load(page, c, usual, &m[0], error);
  if (status == STATUS_OK)
    status = load(page, c, usual, &m[1], error);
  double sum = 0.0;
  if (status == STATUS_OK) {
    Angles s = angles_of(m[0], c->bonds);
    s.a[0] += apart;
    status = set_angles(m[1], c->bonds, &s, error);
  }
  for (int i = 0; i < n && status == STATUS_OK; i++) {
    for (int k = 0; k < 2 && status == STATUS_OK; k++)
      status = simulation_step(m[k], every, NULL, error);
    if (status != STATUS_OK)
      break;
    const Angles first = angles_of(m[0], c->bonds), second = angles_of(m[1], c->bonds);
    double size;
    const Angles d = between(&second, &first, c->bonds, &size);
    sum += log(size / apart);
    g->t[i] = (i + 1) * interval;
    g->y[i] = pulled ? sum / g->t[i] : size;
    if (!pulled)
      continue;
    Angles back = first;
    for (int b = 0; b < c->bonds; b++) {
      back.a[b] += apart / size * d.a[b];
      back.w[b] += apart / size * d.w[b];
    }
    status = set_angles(m[1], c->bonds, &back, error);
  }
  simulation_free(m[0]);
  simulation_free(m[1]);
  return status;
}

static Status divergence(Page *page, Error *error)
{
  enum { FREE = 300 };
  Growth *growth = malloc(2 * CASES * sizeof *growth);
  PictureCurve curve[2 * CASES];
  Status status = growth != NULL ? STATUS_OK : error_memory(error, "a figure");
  for (int k = 0; k < 2 * CASES && status == STATUS_OK; k++) {
    const bool pulled = k >= CASES;
    const int n = pulled ? MOMENTS : FREE;
    status = neighbours(page, &cases[k % CASES], n, pulled, &growth[k], error);
    curve[k] = (PictureCurve){.label = pulled ? NULL : cases[k].label,
                              .n = n,
                              .x = growth[k].t,
                              .y = growth[k].y,
                              .colour = k % CASES + 2};
  }
  if (status == STATUS_OK) {
    const PicturePanel panel[2] = {
        {.axes = {.xlabel = "time", .ylabel = "distance", .logy = 1, .xmax = 30.0},
         .n = CASES,
         .curve = curve},
        {.axes = {.xlabel = "time", .ylabel = "mean rate of growth", .xmax = 200.0},
         .n = CASES,
         .curve = &curve[CASES]}};
    page_draw(page, "neighbours",
              "Two starts whose first angles differ by 10⁻⁸. Left: their distance in phase space. Right: the "
              "mean rate at which it grows when it is set back to 10⁻⁸ ten times a time unit: it goes to the "
              "largest exponent of Lyapunov.",
              2, panel, 2);
    double rate[CASES];
    for (int k = 0; k < CASES; k++)
      rate[k] = growth[CASES + k].y[MOMENTS - 1];
    page_claim(page, "regular starts, at 0.3", "regular and chaotic behavior", rate[0] < 0.1 && rate[2] < 0.1,
               "mean rate of growth over 200 time units: %.3f (double) and %.3f (triple)", rate[0], rate[2]);
    page_claim(page, "chaotic starts, at 2", "regular and chaotic behavior", rate[1] > 0.5 && rate[3] > 0.5,
               "exponents %.2f (double) and %.2f (triple) per unit of time (with g = 9.81, l = 1: seconds)",
               rate[1], rate[3]);
  }
  free(growth);
  return status;
}

/* --- runs ------------------------------------------------------------------------------------------------
 */

static Status paths(Page *page, Error *error)
{
  Orbit orbit[CASES] = {{0}};
  PictureCurve path[CASES], energy[CASES];
  double *change[CASES] = {NULL}, constraint = 0.0, hidden = 0.0;
  PicturePanel panel[CASES];
  Status status = STATUS_OK;
  for (int k = 0; k < CASES && status == STATUS_OK; k++) {
    status = record(page, &cases[k], usual, 40.0, &orbit[k], error);
    change[k] = malloc(((size_t)orbit[k].n + 1) * sizeof *change[k]);
    if (status == STATUS_OK && change[k] == NULL)
      status = error_memory(error, "a figure");
    if (status != STATUS_OK)
      break;
    const Orbit *o = &orbit[k];
    for (int i = 0; i < o->n; i++) {
      change[k][i] = o->energy[i].total - o->energy[0].total;
      constraint = fmax(constraint, o->energy[i].largest);
      hidden = fmax(hidden, o->energy[i].hidden);
    }
    path[k] = (PictureCurve){
        .n = o->n, .x = orbit_q(o, o->size - 2), .y = orbit_q(o, o->size - 1), .colour = k + 2, .width = 0.5};
    energy[k] =
        (PictureCurve){.label = cases[k].label, .n = o->n, .x = o->t, .y = change[k], .colour = k + 2};
    panel[k] = (PicturePanel){.axes = {.title = cases[k].label, .xlabel = "x", .ylabel = "y", .equal = 1},
                              .n = 1,
                              .curve = &path[k]};
  }
  if (status == STATUS_OK) {
    page_draw(page, "paths", "The path of the last bob over 40 time units; all bonds let go at one angle.",
              CASES, panel, 2);
    page_lines(page, "energy", "Energy by RATTLE, h = 0.005.",
               &(PictureAxes){.xlabel = "time", .ylabel = "energy, less that of the start", .xmax = 40.0},
               CASES, energy);
    page_claim(page, "constraints", "", constraint < 1e-12 && hidden < 1e-11,
               "lengths within %.0e, velocities along the bonds within %.0e in all runs", constraint, hidden);
  }
  for (int k = 0; k < CASES; k++) {
    orbit_free(&orbit[k]);
    free(change[k]);
  }
  return status;
}

/* Error of the energy over steps, and SHAKE beside RATTLE while rounding has not grown. */
static Status steps(Page *page, Error *error)
{
  const Case *c = &cases[1];
  double worst[2] = {0.0}, same = 0.0;
  Orbit o[2] = {{0}};
  Status status = STATUS_OK;
  for (int k = 0; k < 2 && status == STATUS_OK; k++) {
    status = record(page, c, 0.002 / (1 << k), 5.0, &o[0], error);
    if (status == STATUS_OK)
      worst[k] = orbit_energy_error(&o[0]);
    orbit_free(&o[0]);
  }
  for (int k = 0; k < 2 && status == STATUS_OK; k++) {
    page_set(page, KEY(geometry_method), k == 0 ? "rattle" : "shake");
    status = record(page, c, usual, 5.0, &o[k], error);
  }
  for (int i = 0; i < o[1].n * o[1].size && status == STATUS_OK; i++)
    same = fmax(same, fabs(o[0].q[i] - o[1].q[i]));
  orbit_free(&o[0]);
  orbit_free(&o[1]);
  if (status != STATUS_OK)
    return status;
  const double order = log2(worst[0] / worst[1]);
  page_claim(page, "energy of the tumbling double pendulum", "", fabs(order - 2.0) < 0.2,
             "within %.1e until time 5 at h = 0.001, of order %.2f", worst[1], order);
  page_claim(page, "SHAKE and RATTLE",
             "SHAKE is simpler, but RATTLE is more appropriate for the usual starts", same < 1e-8,
             "the same positions within %.0e until time 5", same);
  return STATUS_OK;
}

/* --- small swings ----------------------------------------------------------------------------------------
 */

/* n equal bobs and bonds swing with omega^2 = (g/l) x, x the zeros of Laguerre's polynomial L_n, and in the
 * mode of x the k-th bob from the free end (k = 0 the last) is displaced by L_k(x). */
static double laguerre(int n, double x)
{
  double before = 0.0, now = 1.0;
  for (int k = 0; k < n; k++) {
    const double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  return now;
}

/* The smallest zero of L_n, between 0 and 1. */
static double slowest(int n)
{
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; k++) {
    const double x = 0.5 * (low + high);
    *(laguerre(n, x) > 0.0 ? &low : &high) = x;
  }
  return 0.5 * (low + high);
}

static Status small_swings(Page *page, Error *error)
{
  Status status = STATUS_OK;
  for (int n = 2; n <= 3 && status == STATUS_OK; n++) {
    const double x = slowest(n), omega = sqrt(GRAVITY * x), amplitude = 1e-3;
    Angles s = {{0}, {0}};
    for (int i = 0; i < n; i++) /* bond i joins the bobs that are n - i + 1 and n - i from the end */
      s.a[i] = amplitude * (laguerre(n - i - 1, x) - laguerre(n - i, x));
    Simulation *m = NULL;
    Orbit o = {0};
    status = load(page, &cases[n == 2 ? 0 : 2], 0.001, &m, error);
    if (status == STATUS_OK)
      status = set_angles(m, n, &s, error);
    if (status == STATUS_OK)
      status = orbit_record(&o, m, 20001, 1, error);
    simulation_free(m);
    double first = NAN, last = NAN;
    int passages = 0;
    for (int i = 0; i + 1 < o.n; i++) {
      const double a = orbit_q(&o, 2 * n - 2)[i], b = orbit_q(&o, 2 * n - 2)[i + 1];
      if (!(a < 0.0 && b >= 0.0))
        continue;
      last = o.t[i] + (o.t[i + 1] - o.t[i]) * a / (a - b);
      if (passages++ == 0)
        first = last;
    }
    const double ours = (last - first) / (passages - 1), exact = 2.0 * M_PI / omega;
    if (status == STATUS_OK)
      page_claim(page, n == 2 ? "double: period of the slow mode" : "triple: period of the slow mode", "",
                 fabs(ours / exact - 1.0) < 1e-5,
                 "%.6f; 2π / sqrt(g x) is %.6f, x = %.6f the smallest zero of L_%d", ours, exact, x, n);
    orbit_free(&o);
  }
  return status;
}

static Status run(Page *page, Error *error)
{
  Status status = paths(page, error);
  if (status == STATUS_OK)
    status = divergence(page, error);
  if (status == STATUS_OK)
    status = small_swings(page, error);
  return status == STATUS_OK ? steps(page, error) : status;
}

const Exhibit exhibit_triple_pendulum = {
    .name = "double-triple-pendulum",
    .title = "Double and triple pendulum",
    .paper = "Vesely 2013, section VII.A and problem 3",
    .summary =
        "Two or three equal bobs on bonds of unit length in the plane, by RATTLE. From small angles they "
        "swing, from large ones they tumble, and neighbouring starts part exponentially.",
    .run = run,
};
