/* The DNA model: a ring of base pairs that goes over from one stable state to the other, by velocity Verlet
 * and by Zhang & Skeel's map in steps ten times as long. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "engine/ticks.h"
#include "gallery/exhibit.h"

enum { REPLICAS = 8, SAMPLES = 500, LATE = SAMPLES / 2 }; /* samples 2 apart: T = 1000 */
static const double spacing = 2.0;

/* --- the model, for what theory says ----------------------------------------------------------------------
 */

static const double a = 7.0, x0 = 0.3, eps = 1.0 / 1400.0;

/* U'' of U = (E - 1)^2, E = exp(-a (1 - cos x - x0)). */
static double curvature(double x)
{
  const double c = cos(x), s = sin(x), e = exp(-a * (1.0 - c - x0));
  const double first = -a * s * e, second = (a * a * s * s - a * c) * e;
  return 2.0 * first * first + 2.0 * (e - 1.0) * second;
}

static double least_curvature(void)
{
  double least = 0.0;
  for (int i = 0; i < 6284; i++)
    least = fmin(least, curvature(1e-3 * i));
  return least;
}

/* --- one method -------------------------------------------------------------------------------------------
 */

typedef struct Course {
  int n;
  double time[SAMPLES + 1], angle[SAMPLES + 1], speed[SAMPLES + 1], energy[SAMPLES + 1]; /* of replica 0 */
  double crossing[REPLICAS]; /* when the mean angle passed pi; NAN: not yet */
  double low, high;          /* of the mean angle, over all replicas and times    */
  double late_energy;        /* over all replicas and the second half             */
  double per_time;           /* seconds for a unit of time, of all replicas */
} Course;

/* Means over the strand. */
static void means(int size, const double *q, const double *p, double *angle, double *speed)
{
  *angle = *speed = 0.0;
  for (int i = 0; i < size; i++) {
    *angle += q[i] / size;
    *speed += p[i] / size;
  }
}

static void sample(Simulation *m, double *q, double *p, Course *c)
{
  const int k = c->n++;
  c->time[k] = simulation_time(m);
  for (int r = REPLICAS - 1; r >= 0; r--) { /* 0 last: it is drawn */
    simulation_get_point(m, r, q, p);
    means(simulation_coordinates(m), q, p, &c->angle[k], &c->speed[k]);
    if (isnan(c->crossing[r]) && c->angle[k] > M_PI)
      c->crossing[r] = c->time[k];
    c->energy[k] = mechanics_energy(m, r).total;
    c->low = fmin(c->low, c->angle[k]);
    c->high = fmax(c->high, c->angle[k]);
    if (k > SAMPLES - LATE)
      c->late_energy += c->energy[k] / (REPLICAS * LATE);
  }
}

static Status follow(Simulation *m, Course *c, Error *error)
{
  const int64_t steps = llround(spacing / simulation_config(m)->integrator.timestep);
  double *q = malloc(2 * (size_t)simulation_coordinates(m) * sizeof *q);
  if (q == NULL)
    return error_memory(error, "a strand");
  for (int r = 0; r < REPLICAS; r++)
    c->crossing[r] = NAN;
  c->low = INFINITY;
  c->high = -INFINITY;
  Status status = STATUS_OK;
  sample(m, q, q + simulation_coordinates(m), c);
  while (c->n <= SAMPLES && status == STATUS_OK) {
    const double start = ticks_seconds();
    status = simulation_step(m, steps, NULL, error);
    c->per_time += (ticks_seconds() - start) / (spacing * SAMPLES);
    if (status == STATUS_OK)
      sample(m, q, q + simulation_coordinates(m), c);
  }
  free(q);
  return status;
}

static Status course(Page *page, const char *file, Course *c, Error *error)
{
  Simulation *m;
  page_set(page, KEY(ensemble_replicas), "%d", REPLICAS);
  Status status = page_load(page, file, &m, error);
  if (status != STATUS_OK)
    return status;
  status = follow(m, c, error);
  simulation_free(m);
  return status;
}

static int crossed(const Course *c, double *mean)
{
  int n = 0;
  *mean = 0.0;
  for (int r = 0; r < REPLICAS; r++)
    if (!isnan(c->crossing[r])) {
      n++;
      *mean += c->crossing[r];
    }
  *mean = n > 0 ? *mean / n : NAN;
  return n;
}

/* --- figures ----------------------------------------------------------------------------------------------
 */

static Status draw(Page *page, const Course *verlet, const Course *zs, Error *error)
{
  const double low = acos(0.7), high = 2.0 * M_PI - low;
  const PictureCurve portrait[] = {
      {.label = "velocity Verlet, h = 0.2", .n = verlet->n, .x = verlet->angle, .y = verlet->speed},
      {.label = "Zhang-Skeel, h = 2", .n = zs->n, .x = zs->angle, .y = zs->speed}};
  const PictureCurve angle[] = {
      {.label = portrait[0].label, .n = verlet->n, .x = verlet->time, .y = verlet->angle},
      {.label = portrait[1].label, .n = zs->n, .x = zs->time, .y = zs->angle}};
  const PictureCurve energy[] = {
      {.label = portrait[0].label, .n = verlet->n, .x = verlet->time, .y = verlet->energy},
      {.label = portrait[1].label, .n = zs->n, .x = zs->time, .y = zs->energy}};
  const PictureGuide across[] = {{.at = low, .label = "arccos 0.7"},
                                 {.at = high, .label = "2π − arccos 0.7"}};
  const PictureGuide upright[] = {{.vertical = 1, .at = low}, {.vertical = 1, .at = high}};
  const PicturePanel panel[] = {
      {.axes = {.xlabel = "mean angle", .ylabel = "mean angular velocity", .nguide = 2, .guide = upright},
       .n = 2,
       .curve = portrait},
      {.axes = {.xlabel = "time", .ylabel = "mean angle", .nguide = 2, .guide = across},
       .n = 2,
       .curve = angle},
      {.axes = {.xlabel = "time", .ylabel = "energy"}, .n = 2, .curve = energy}};
  page_draw(page, "strand",
            "As Fig. 8: phase portrait of the mean angle of 200 base pairs; below, the mean angle and the "
            "energy against time. Both methods from the same start.",
            3, panel, 1);
  const char *const column[] = {"time",     "angle_verlet", "velocity_verlet", "energy_verlet",
                                "angle_zs", "velocity_zs",  "energy_zs"};
  const double *const x[] = {verlet->time, verlet->angle, verlet->speed, verlet->energy,
                             zs->angle,    zs->speed,     zs->energy};
  return page_csv(page, "strand.csv", 7, column, zs->n < verlet->n ? zs->n : verlet->n, x, error);
}

/* --- limits and cost ---------------------------------------------------------------------------------------
 */

/* How many of so many seeds go wrong by T = 1000 at a step: a fault, or ten times the energy. */
static Status count_lost(Page *page, const char *file, double h, int seeds, int *lost, Error *error)
{
  *lost = 0;
  for (int s = 1; s <= seeds; s++) {
    Simulation *m;
    page_set(page, KEY(integrator_timestep), "%.17g", h);
    page_set(page, KEY(seed), "%d", s);
    Status status = page_load(page, file, &m, error);
    if (status != STATUS_OK)
      return status;
    const double first = mechanics_energy(m, 0).total;
    Error fault;
    status = simulation_step(m, (int64_t)(spacing * SAMPLES / h), NULL, &fault);
    *lost += status != STATUS_OK || !(mechanics_energy(m, 0).total < 10.0 * first);
    simulation_free(m);
    if (status == STATUS_MEMORY)
      return error_set(error, status, "%s", fault.text);
  }
  return STATUS_OK;
}

static Status limits_of_verlet(Page *page, Error *error)
{
  const double linear = 2.0 / sqrt(4.0 + eps * curvature(acos(0.7)));
  int below, above;
  Status status = count_lost(page, "verlet.yaml", 0.95 * linear, 4, &below, error);
  if (status == STATUS_OK)
    status = count_lost(page, "verlet.yaml", 1.02 * linear, 4, &above, error);
  if (status != STATUS_OK)
    return status;
  page_claim(page, "stability limit of velocity Verlet", "h = 0.2 is near it", 0,
             "2/sqrt(4 + eps U'') = %.3f; of 4 seeds lost by t = 1000: %d at h = %.3f, %d at h = %.3f",
             linear, below, 0.95 * linear, above, 1.02 * linear);
  return STATUS_OK;
}

static Status limits_of_zs(Page *page, Error *error)
{
  const double convex = sqrt(-1.0 / (0.3 * eps * least_curvature()));
  static const double h[] = {2.0, 2.6};
  int lost[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    const Status status = count_lost(page, "zs.yaml", h[i], REPLICAS, &lost[i], error);
    if (status != STATUS_OK)
      return status;
  }
  page_claim(page, "stability limit of Zhang-Skeel", "h = 2 is near it", lost[0] == 0 && lost[1] > 0,
             "1 + beta h^2 eps U'' stays positive below h = %.2f; of %d seeds lost by t = 1000: %d at h = 2, "
             "%d at h = 2.6",
             convex, REPLICAS, lost[0], lost[1]);
  return STATUS_OK;
}

/* Seconds of a step, best of three. */
static Status cost(Page *page, int pairs, double *seconds, Error *error)
{
  Simulation *m;
  page_set(page, input_line(KEY(system_constants), "N"), "%d", pairs);
  page_set(page, KEY(integrator_timestep), "1");
  Status status = page_load(page, "zs.yaml", &m, error);
  if (status != STATUS_OK)
    return status;
  *seconds = INFINITY;
  for (int k = 0; k < 3 && status == STATUS_OK; k++) {
    const int steps = 20000 / pairs;
    const double start = ticks_seconds();
    status = simulation_step(m, steps, NULL, error);
    *seconds = fmin(*seconds, (ticks_seconds() - start) / steps);
  }
  simulation_free(m);
  return status;
}

static Status costs(Page *page, Error *error)
{
  double small, large;
  Status status = cost(page, 200, &small, error);
  if (status == STATUS_OK)
    status = cost(page, 2000, &large, error);
  if (status == STATUS_OK)
    page_claim(page, "cost of a Zhang-Skeel step", "of order N", large < 20.0 * small,
               "%.3g ms for 200 base pairs, %.3g ms for 2,000: %.1f times (indicative)", 1e3 * small,
               1e3 * large, large / small);
  return status;
}

/* --- the exhibit ------------------------------------------------------------------------------------------
 */

static void compare(Page *page, const Course *verlet, const Course *zs)
{
  double t_verlet, t_zs;
  const int n_verlet = crossed(verlet, &t_verlet), n_zs = crossed(zs, &t_zs);
  page_claim(page, "transition between the stable states", "both methods show it", n_verlet > 0 && n_zs > 0,
             "%d and %d of %d starts go over, after %.0f and %.0f on average", n_verlet, n_zs, REPLICAS,
             t_verlet, t_zs);
  const double low = acos(0.7), high = 2.0 * M_PI - low;
  const bool turns = fabs(verlet->low - low) < 0.15 && fabs(zs->low - low) < 0.15 &&
                     fabs(verlet->high - high) < 0.15 && fabs(zs->high - high) < 0.15;
  page_claim(page, "between which states", "arccos 0.7 = 0.795 and 2 pi - arccos 0.7 = 5.49", turns,
             "mean angles from %.2f to %.2f (Verlet) and from %.2f to %.2f (Zhang-Skeel)", verlet->low,
             verlet->high, zs->low, zs->high);
  page_claim(page, "energy of Zhang-Skeel", "lower than Verlet's, as long steps damp fast oscillations",
             zs->late_energy < verlet->late_energy, "%.3f against %.3f, at the same start %.3f",
             zs->late_energy, verlet->late_energy, verlet->energy[0]);
  page_claim(page, "speed", "23.26 s by Verlet, 3.24 s by Zhang-Skeel: 7.2 times", -1,
             "%.1f times (%.3g and %.3g ms for a unit of time, %d starts side by side; indicative)",
             verlet->per_time / zs->per_time, 1e3 * verlet->per_time, 1e3 * zs->per_time, REPLICAS);
}

static Status run(Page *page, Error *error)
{
  Course *both = calloc(2, sizeof *both);
  if (both == NULL)
    return error_memory(error, "two runs");
  Status status = course(page, "verlet.yaml", &both[0], error);
  if (status == STATUS_OK)
    status = course(page, "zs.yaml", &both[1], error);
  if (status == STATUS_OK)
    status = draw(page, &both[0], &both[1], error);
  if (status == STATUS_OK)
    compare(page, &both[0], &both[1]);
  free(both);
  if (status == STATUS_OK)
    status = limits_of_verlet(page, error);
  if (status == STATUS_OK)
    status = limits_of_zs(page, error);
  if (status == STATUS_OK)
    status = costs(page, error);
  page_text(page, "The strand is closed to a ring: the first momenta, cos(4 pi k/N)/sqrt(N), are a normal "
                  "mode of the ring, and of a chain with open ends only nearly. Energies are those of the "
                  "model itself, at the positions and momenta that the methods keep. A sum of 200 angles is "
                  "chaotic: after the transition the two curves agree in kind, not in detail. In longer runs "
                  "some starts are lost by Zhang-Skeel at h = 2 (one of eight by t = 4000).");
  return status;
}

const Exhibit exhibit_dna = {
    .name = "dna",
    .title = "DNA: conformational transition in coarse steps",
    .paper = "Tao & Owhadi 2015, section 4.4, Fig. 8",
    .summary =
        "A ring of 200 angles, one for each base pair, with springs between neighbours and a weak Morse "
        "potential that has two minima, where the pair is closed. Stiff are the springs; the mean angle, "
        "which only the Morse potential moves, is slow, and goes over from one state to the other.",
    .run = run,
};
