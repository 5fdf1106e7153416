/* The redundant robot arm: Vesely 2013, section VII B. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallery/exhibit.h"

enum { LIMBS = 5, N = 2 * LIMBS, STEPS = 635, RUNS = 3, SHOTS = 8, ROUND = 61 };

static const double step = 0.02, disc[2] = {1.9, -1.7}, radius = 0.35; /* as in the input files */

typedef struct Path {
  double x[STEPS + 1][N];
  double t[STEPS + 1], angle[LIMBS][STEPS + 1], speed[LIMBS][STEPS + 1];
  double limb, hand, clear;      /* worst: lengths, curve, distance from the disc       */
  double velocity, acceleration; /* root mean squares of the joints' angles' derivatives */
} Path;

static void base_of(const double *x, int k, double from[2])
{
  from[0] = k > 0 ? x[2 * k - 2] : 0.0;
  from[1] = k > 0 ? x[2 * k - 1] : 0.0;
}

static void look(Path *path, int n)
{
  const double *x = path->x[n];
  double before = 0.0;
  for (int k = 0; k < LIMBS; k++) {
    double from[2];
    base_of(x, k, from);
    const double b[2] = {x[2 * k] - from[0], x[2 * k + 1] - from[1]};
    const double a[2] = {disc[0] - from[0], disc[1] - from[1]}, length = hypot(b[0], b[1]);
    const double s = fmin(1.0, fmax(0.0, (a[0] * b[0] + a[1] * b[1]) / (length * length)));
    path->limb = fmax(path->limb, fabs(length - 1.0));
    path->clear = fmin(path->clear, hypot(a[0] - s * b[0], a[1] - s * b[1]) - radius);
    const double whole = atan2(b[1], b[0]), angle = whole - before;
    path->angle[k][n] = n > 0 ? path->angle[k][n - 1] + remainder(angle - path->angle[k][n - 1], 2.0 * M_PI)
                              : remainder(angle, 2.0 * M_PI);
    before = whole;
  }
  path->t[n] = n * step;
  const double *hand = x + N - 2;
  path->hand = fmax(path->hand, fabs(pow((hand[0] - 2.4) / 1.2, 2) + pow((hand[1] - 0.8) / 0.8, 2) - 1.0));
}

static void derive(Path *path)
{
  double v2 = 0.0, a2 = 0.0;
  for (int k = 0; k < LIMBS; k++)
    for (int n = 0; n <= STEPS; n++) {
      const double *a = path->angle[k];
      path->speed[k][n] = n > 0 ? (a[n] - a[n - 1]) / step : (a[1] - a[0]) / step;
      v2 += path->speed[k][n] * path->speed[k][n] / STEPS;
      if (n > 1)
        a2 += pow((path->speed[k][n] - path->speed[k][n - 1]) / step, 2) / STEPS;
    }
  path->velocity = sqrt(v2);
  path->acceleration = sqrt(a2);
}

static Status follow(Page *page, const char *file, Path *path, Error *error)
{
  Simulation *m;
  Status status = page_load(page, file, &m, error);
  path->limb = path->hand = 0.0;
  path->clear = INFINITY;
  for (int n = 0; n <= STEPS && status == STATUS_OK; n++) {
    double p[N];
    if (n > 0)
      status = simulation_step(m, 1, NULL, error);
    simulation_get_point(m, 0, path->x[n], p);
    look(path, n);
  }
  derive(path);
  simulation_free(m);
  return status;
}

/* Arms at SHOTS times of one turn of the hand. */
static void snapshots(Page *page, const Path *path, const char *name, const char *title, const char *caption)
{
  double x[SHOTS][LIMBS + 1], y[SHOTS][LIMBS + 1], u[ROUND], v[ROUND], hx[STEPS + 1], hy[STEPS + 1];
  PictureCurve curve[SHOTS + 2];
  char label[SHOTS][32];
  for (int i = 0; i < SHOTS; i++) {
    const int n = i * (STEPS / 2) / SHOTS;
    x[i][0] = y[i][0] = 0.0;
    for (int k = 0; k < LIMBS; k++) {
      x[i][k + 1] = path->x[n][2 * k];
      y[i][k + 1] = path->x[n][2 * k + 1];
    }
    snprintf(label[i], sizeof label[i], "t = %.2f", n * step);
    curve[i] = (PictureCurve){.label = label[i], .n = LIMBS + 1, .x = x[i], .y = y[i], .style = PICTURE_LINE};
  }
  for (int i = 0; i < ROUND; i++) {
    u[i] = disc[0] + radius * cos(2.0 * M_PI * i / (ROUND - 1));
    v[i] = disc[1] + radius * sin(2.0 * M_PI * i / (ROUND - 1));
  }
  for (int n = 0; n <= STEPS; n++) {
    hx[n] = path->x[n][N - 2];
    hy[n] = path->x[n][N - 1];
  }
  curve[SHOTS] = (PictureCurve){.label = "hand", .n = STEPS + 1, .x = hx, .y = hy, .style = PICTURE_DASHES};
  curve[SHOTS + 1] = (PictureCurve){.label = "disc", .n = ROUND, .x = u, .y = v, .style = PICTURE_LINE};
  page_lines(
      page, name, caption,
      &(PictureAxes){
          .title = title, .xlabel = "x", .ylabel = "y", .xmin = -1.7, .xmax = 6.3, .ymin = -2.3, .ymax = 2.0},
      SHOTS + 2, curve);
}

static void over_time(Page *page, const Path *path, double const (*y)[STEPS + 1], const char *name,
                      const char *title, const char *ylabel, const char *caption)
{
  static const char *const label[LIMBS] = {"joint 1 (base)", "joint 2", "joint 3", "joint 4", "joint 5"};
  PictureCurve curve[LIMBS];
  for (int k = 0; k < LIMBS; k++)
    curve[k] =
        (PictureCurve){.label = label[k], .n = STEPS + 1, .x = path->t, .y = y[k], .style = PICTURE_LINE};
  page_lines(page, name, caption, &(PictureAxes){.title = title, .xlabel = "t", .ylabel = ylabel}, LIMBS,
             curve);
}

static void claims(Page *page, const Path path[RUNS])
{
  double limb = 0.0, hand = 0.0;
  for (int i = 0; i < RUNS; i++) {
    limb = fmax(limb, path[i].limb);
    hand = fmax(hand, path[i].hand);
  }
  page_claim(page, "limbs under SHAKE", "constant lengths", limb < 1e-10, "kept to %.0e", limb);
  page_claim(page, "the hand", "goes through its required trajectory", hand < 1e-10, "on its ellipse to %.0e",
             hand);
  page_claim(page, "random variations of the joints", "angular velocities and accelerations are made small",
             path[1].velocity < path[0].velocity && path[1].acceleration < path[0].acceleration,
             "rms velocity %.3f, acceleration %.3f; by SHAKE alone %.3f and %.3f", path[1].velocity,
             path[1].acceleration, path[0].velocity, path[0].acceleration);
  page_claim(page, "an obstacle", "is avoided", path[2].clear > 0.0 && path[1].clear < 0.0,
             "least distance of a limb %.3f; without it as a potential %.3f", path[2].clear, path[1].clear);
}

static Status run(Page *page, Error *error)
{
  Path *path = calloc(RUNS, sizeof *path);
  if (path == NULL)
    return error_memory(error, "paths of an arm");
  page_set(page, KEY(integrator_search_trials), "0");
  Status status = follow(page, "arm.yaml", &path[0], error);
  if (status == STATUS_OK)
    status = follow(page, "arm.yaml", &path[1], error);
  if (status == STATUS_OK)
    status = follow(page, "arm-obstacle.yaml", &path[2], error);
  if (status == STATUS_OK) {
    claims(page, path);
    snapshots(page, &path[1], "arm", "The search, without obstacle",
              "Eight postures of the hand's first turn. The disc is drawn but not in the objective.");
    snapshots(page, &path[2], "arm-obstacle", "The search, with the disc as an obstacle",
              "The same with the disc.");
    over_time(page, &path[2], (double const(*)[STEPS + 1]) path[2].angle, "angles",
              "Joint angles, with the obstacle", "φ_i",
              "The solution of the inverse kinematic problem: what the joints have to do.");
    over_time(page, &path[2], (double const(*)[STEPS + 1]) path[2].speed, "velocities",
              "Angular velocities, with the obstacle", "dφ_i/dt",
              "Their angular velocities, over two turns of the hand.");
  }
  free(path);
  return status;
}

const Exhibit exhibit_robot_arm = {
    .name = "robot-arm",
    .title = "Robot arm: inverse kinematics by constraints and random search",
    .paper = "Vesely 2013, section VII B; Kastenmeier & Vesely 1996",
    .summary =
        "A planar arm of five limbs whose hand goes round an ellipse at constant speed. SHAKE moves "
        "the joints; small random variations of them stay where they lower an objective: squared "
        "angular velocities and accelerations, and a potential around an obstacle. The paper leaves "
        "search and objective open; ours are described in methods/kinematic_search.c, and all of it is "
        "data in the input files.",
    .run = run,
};
