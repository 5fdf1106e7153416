/* A chain of many pendula: SHAKE against Zhang-Skeel, and what a step costs as the chain grows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/ticks.h"
#include "gallery/orbit.h"

/* --- Fig. 3: ten pendula ----------------------------------------------------------------------------------
 */

enum { COARSE, FINE, PENALTY, RUNS };
static const double grid = 0.05, end = 100.0;
static const char *const label[RUNS] = {"SHAKE, h = 0.05", "SHAKE, h = 0.025",
                                        "Zhang-Skeel, h = 0.05, w = 20"};

/* Runs over `time`, in steps of h, seen every 0.05. */
static Status follow(Page *page, const char *file, int links, double h, double w, double time, Orbit *orbit,
                     Error *error)
{
  page_set(page, input_line(KEY(system_constants), "N"), "%d", links);
  if (w > 0.0)
    page_set(page, KEY(geometry_w), "%.17g", w);
  return orbit_load(orbit, page, file, h, time, grid, error);
}

/* Between the last bobs at moment i. */
static double apart(const Orbit *a, const Orbit *b, int i)
{
  const int x = a->size - 2, y = a->size - 1;
  return hypot(orbit_q(a, x)[i] - orbit_q(b, x)[i], orbit_q(a, y)[i] - orbit_q(b, y)[i]);
}

static double farthest(const Orbit *a, const Orbit *b, double time)
{
  double most = 0.0;
  for (int i = 0; i < a->n && a->t[i] <= time + 1e-9; i++)
    most = fmax(most, apart(a, b, i));
  return most;
}

static double parting(const Orbit *a, const Orbit *b, double distance)
{
  for (int i = 0; i < a->n; i++)
    if (!(apart(a, b, i) < distance))
      return a->t[i];
  return INFINITY;
}

static void draw_paths(Page *page, const Orbit *run)
{
  static const int coordinate[4] = {8, 9, 18, 19};
  static const char *const name[4] = {"x₅", "y₅", "x₁₀", "y₁₀"};
  PictureCurve curve[4 * RUNS];
  PicturePanel panel[4];
  for (int k = 0; k < 4; k++) {
    for (int r = 0; r < RUNS; r++)
      curve[k * RUNS + r] = (PictureCurve){.label = k == 0 ? label[r] : NULL,
                                           .n = run[r].n,
                                           .x = run[r].t,
                                           .y = orbit_q(&run[r], coordinate[k]),
                                           .colour = r + 2};
    panel[k] = (PicturePanel){
        .axes = {.xlabel = "time", .ylabel = name[k], .xmax = end}, .n = RUNS, .curve = &curve[k * RUNS]};
  }
  page_draw(page, "paths", "As Fig. 3: the fifth and the last bob of ten.", 4, panel, 1);
}

static Status draw_partings(Page *page, const Orbit *run, Error *error)
{
  const int n = run[COARSE].n;
  double *y = malloc(2 * (size_t)n * sizeof *y);
  if (y == NULL)
    return error_memory(error, "a figure");
  for (int i = 0; i < n; i++) {
    y[i] = fmax(apart(&run[COARSE], &run[FINE], i), 1e-6);
    y[n + i] = fmax(apart(&run[PENALTY], &run[FINE], i), 1e-6);
  }
  const PictureCurve curve[2] = {{.label = label[COARSE], .n = n, .x = run[0].t, .y = y, .colour = 2},
                                 {.label = label[PENALTY], .n = n, .x = run[0].t, .y = y + n, .colour = 4}};
  page_lines(
      page, "partings", "How the runs part.",
      &(PictureAxes){
          .xlabel = "time", .ylabel = "last bob: distance from SHAKE, h = 0.025", .logy = 1, .xmax = end},
      2, curve);
  free(y);
  return STATUS_OK;
}

/* Printed, V = -sum y: the chain then falls upwards, and is chaotic. */
static Status sign_of_gravity(Page *page, Error *error)
{
  static const char *const file[2] = {"shake.yaml", "zs.yaml"};
  Orbit run[2] = {{0}};
  double highest = -INFINITY;
  Status status = STATUS_OK;
  for (int r = 0; r < 2 && status == STATUS_OK; r++) {
    page_set(page, input_line(KEY(system_constants), "g"), "-1");
    status = orbit_load(&run[r], page, file[r], grid, end, grid, error);
  }
  for (int i = 0; i < run[0].n; i++)
    highest = fmax(highest, orbit_q(&run[0], run[0].size - 1)[i]);
  if (status == STATUS_OK)
    page_claim(
        page, "sign of gravity", "V = -Σ y (printed)", 0,
        "with it the start stands on its head: the last bob gets up to y = %.0f, and SHAKE and Zhang-Skeel "
        "are apart by more than 1 from time %.1f on. With V = +Σ y the chain swings, and the runs agree "
        "as Fig. 3 has it",
        highest, parting(&run[0], &run[1], 1.0));
  else if (status == STATUS_RUN) {
    page_claim(
        page, "sign of gravity", "V = -Σ y (printed)", 0,
        "with it the start stands on its head, and a run breaks down (%s). With V = +Σ y the chain swings, "
        "and the runs agree as Fig. 3 has it",
        error->text);
    status = STATUS_OK;
  }
  orbit_free(&run[0]);
  orbit_free(&run[1]);
  return status;
}

static Status ten(Page *page, Error *error)
{
  Orbit run[RUNS] = {{0}};
  Status status = follow(page, "shake.yaml", 10, 0.05, 0.0, end, &run[COARSE], error);
  if (status == STATUS_OK)
    status = follow(page, "shake.yaml", 10, 0.025, 0.0, end, &run[FINE], error);
  if (status == STATUS_OK)
    status = follow(page, "zs.yaml", 10, 0.05, 20.0, end, &run[PENALTY], error);
  if (status == STATUS_OK) {
    draw_paths(page, run);
    status = draw_partings(page, run, error);
  }
  if (status == STATUS_OK) {
    const double early = farthest(&run[PENALTY], &run[FINE], 20.0),
                 zs = farthest(&run[PENALTY], &run[FINE], end),
                 shake = farthest(&run[COARSE], &run[FINE], end);
    page_claim(
        page, "ten pendula, until time 100", "good agreement of SHAKE and Zhang-Skeel", zs < 1.0,
        "last bob: Zhang-Skeel (h = 0.05) within %.3f, and %.3f until time 20, SHAKE (h = 0.05) within %.3f "
        "of SHAKE with h = 0.025; the chain is %.1f long",
        zs, early, shake, 10.0 * sqrt(5.0));
    page_claim(page, "energy until time 100", "", -1,
               "of -110, off by up to %.4f (SHAKE, h = 0.05), %.4f (h = 0.025), %.4f (Zhang-Skeel)",
               orbit_energy_error(&run[COARSE]), orbit_energy_error(&run[FINE]),
               orbit_energy_error(&run[PENALTY]));
    page_claim(page, "time, SHAKE h = 0.025 : h = 0.05 : Zhang-Skeel", "16.5 : 8.1 : 1.1 s (Matlab)", -1,
               "%.1f : %.1f : %.1f ms (indicative); SHAKE here solves tridiagonal systems (milc), "
               "Zhang-Skeel one banded "
               "system a step",
               1e3 * run[FINE].seconds, 1e3 * run[COARSE].seconds, 1e3 * run[PENALTY].seconds);
  }
  for (int r = 0; r < RUNS; r++)
    orbit_free(&run[r]);
  return status == STATUS_OK ? sign_of_gravity(page, error) : status;
}

/* --- longer chains ----------------------------------------------------------------------------------------
 */

enum { SIZES = 7, SOLVERS = 4 };
static const int size[SIZES] = {10, 30, 100, 300, 1000, 3000, 10000};

typedef struct Cost {
  const char *label, *file, *solver;
  int sizes, iterations;
  double ns[SIZES]; /* per link and step */
} Cost;

/* The tension at the top is that of n weights: the time step is taken in proportion to 1/sqrt(n), w to
 * sqrt(n), so that all chains are resolved alike. */
static Status time_steps(Page *page, Cost *c, int k, Error *error)
{
  const double scale = sqrt(size[k] / 10.0);
  const int steps = c->iterations > 100 ? 3 : (size[k] < 3000 ? 60000 / size[k] : 20);
  page_set(page, input_line(KEY(system_constants), "N"), "%d", size[k]);
  page_set(page, KEY(integrator_timestep), "%.17g", 0.05 / scale);
  if (c->solver == NULL) {
    page_set(page, KEY(geometry_w), "%.17g", 20.0 * scale);
  } else {
    page_set(page, KEY(geometry_solver), "%s", c->solver);
    page_set(page, KEY(geometry_max_iterations), "%d", c->iterations);
  }
  Simulation *m = NULL;
  Status status = page_load(page, c->file, &m, error);
  double best = INFINITY;
  for (int i = 0; i < 3 && status == STATUS_OK; i++) {
    const double start = ticks_seconds();
    status = simulation_step(m, steps, NULL, error);
    best = fmin(best, ticks_seconds() - start);
  }
  simulation_free(m);
  c->ns[k] = 1e9 * best / ((double)steps * size[k]);
  return status;
}

static Status cost_law(Page *page, Error *error)
{
  Cost cost[SOLVERS] = {{"SHAKE, milc", "shake.yaml", "milc", SIZES, 50, {0}},
                        {"SHAKE, newton", "shake.yaml", "newton", SIZES, 50, {0}},
                        {"SHAKE, gauss-seidel", "shake.yaml", "gauss-seidel", 3, 1000000, {0}},
                        {"Zhang-Skeel", "zs.yaml", NULL, SIZES, 50, {0}}};
  double x[SIZES];
  PictureCurve curve[SOLVERS];
  Status status = STATUS_OK;
  for (int s = 0; s < SOLVERS && status == STATUS_OK; s++) {
    for (int k = 0; k < cost[s].sizes && status == STATUS_OK; k++) {
      x[k] = size[k];
      status = time_steps(page, &cost[s], k, error);
    }
    curve[s] =
        (PictureCurve){.label = cost[s].label, .n = cost[s].sizes, .x = x, .y = cost[s].ns, .width = 1.5};
  }
  if (status != STATUS_OK)
    return status;
  page_lines(
      page, "cost",
      "What a step costs, one chain on one core. A vector holds one chain and seven empty lanes; eight "
      "chains cost the same. The time of Gauss-Seidel grows with the square of the links.",
      &(PictureAxes){.xlabel = "links", .ylabel = "ns per link and step", .logx = 1, .logy = 1}, SOLVERS,
      curve);
  const double *milc = cost[0].ns, *newton = cost[1].ns, *seidel = cost[2].ns, *zs = cost[3].ns;
  page_claim(
      page, "SHAKE by milc: ns per link and step", "", milc[4] < 4.0 * milc[0],
      "%.0f, %.0f, %.0f and %.0f for 10, 100, 1,000 and 10,000 links (indicative); the last do not fit "
      "the L2 cache",
      milc[0], milc[2], milc[4], milc[6]);
  page_claim(page, "SHAKE by newton, banded above 8 links", "", newton[4] < 4.0 * newton[0],
             "%.0f, %.0f, %.0f and %.0f (indicative)", newton[0], newton[2], newton[4], newton[6]);
  page_claim(page, "SHAKE by gauss-seidel", "", seidel[2] > 100.0 * milc[2],
             "%.0f, %.0f and %.0f for 10, 30 and 100 links: %.0f times milc's (indicative)", seidel[0],
             seidel[1], seidel[2], seidel[2] / milc[2]);
  page_claim(page, "Zhang-Skeel: ns per link and step", "", zs[4] < 4.0 * zs[0],
             "%.0f, %.0f, %.0f and %.0f (indicative): linear in the links through the banded matrix", zs[0],
             zs[2], zs[4], zs[6]);
  return STATUS_OK;
}

/* The last bob of long chains, until the first wave has run down and back several times. */
static Status long_chains(Page *page, Error *error)
{
  static const int links[2] = {100, 1000};
  Status status = STATUS_OK;
  for (int k = 0; k < 2 && status == STATUS_OK; k++) {
    const double scale = sqrt(links[k] / 10.0), time = 4.0 * scale;
    const double h = grid / ceil(scale);
    Orbit shake = {0}, zs = {0};
    status = follow(page, "shake.yaml", links[k], h, 0.0, time, &shake, error);
    if (status == STATUS_OK)
      status = follow(page, "zs.yaml", links[k], h, 20.0 * scale, time, &zs, error);
    if (status == STATUS_OK) {
      char what[64];
      const double length = links[k] * sqrt(5.0), far = farthest(&zs, &shake, time);
      snprintf(what, sizeof what, "%d pendula, until time %.1f", links[k], time);
      page_claim(
          page, what, "", far < 0.01 * length,
          "the last bobs of SHAKE and Zhang-Skeel (h = %.4f, w = %.0f) are within %.3f of each other, %.2g "
          "of the length; energies off by %.1e and %.1e of the potential energy",
          h, 20.0 * scale, far, far / length, orbit_energy_error(&shake) / fabs(shake.energy[0].total),
          orbit_energy_error(&zs) / fabs(zs.energy[0].total));
    }
    orbit_free(&shake);
    orbit_free(&zs);
  }
  return status;
}

static Status run(Page *page, Error *error)
{
  Status status = ten(page, error);
  if (status == STATUS_OK)
    status = long_chains(page, error);
  return status == STATUS_OK ? cost_law(page, error) : status;
}

const Exhibit exhibit_chain = {
    .name = "pendulum-chain",
    .title = "Chain of many pendula",
    .paper = "Tao & Owhadi 2015, section 4.2, Fig. 3",
    .summary =
        "Ten bobs on rods of length √5, which come near to a rope, released at rest from a slanted line; "
        "and chains of up to 10,000.",
    .run = run,
};
