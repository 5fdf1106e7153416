#include "tests/scenes.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/start/cluster.h"
#include "tests/scenes_waters.h"

enum { MOST = 256 }; /* molecules of a start */

/* The coordinates of a start, which are kept for whoever asks for the same next: most of a test's time, under
 * a sanitizer, would be that of the same start again and again. */
static const double *cluster(const WaterModel *model, int nmol, Isa isa)
{
  static struct {
    int nmol;
    Isa isa;
    double x[9 * MOST];
  } last;
  ck_assert_int_le(nmol, MOST);
  if (last.nmol == nmol && last.isa == isa)
    return last.x;
  const ClusterOptions start = {
      .of = scenes_waters(model, nmol, 1, 1, isa), .spacing = 3.1, .minimise = true};
  ClusterReport report;
  Error error = {0};
  ck_assert_msg(cluster_build(&start, last.x, &report, &error) == STATUS_OK, "%s", error.text);
  last.nmol = nmol;
  last.isa = isa;
  return last.x;
}

void scene_cluster(Scene *scene, int nmol, int width, Isa isa)
{
  memset(scene, 0, sizeof *scene);
  Error error = {0};
  scene->team = team_alone();
  scene->nmol = nmol;
  scene->model = water_find("tip3p");
  ck_assert_msg(water_kind(scene->model, 15.9994, 1.008, &scene->kind, &error) == STATUS_OK, "%s",
                error.text);
  const double *x = cluster(scene->model, nmol, isa);
  const Kind *kind = scene->kind;
  ck_assert_msg(state_create(&scene->state, width, 1, &kind, &nmol, 1, 0, &error) == STATUS_OK, "%s",
                error.text);
  for (int r = 0; r < width; r++)
    state_set(&scene->state->block[0], width, scene->state->block[0].q, r, x);
  scene->field.n = 1;
  ck_assert_msg(pair_create(&scene->field.force[0], scene->model, PAIR_DOUBLE, scene->state, isa, &error) ==
                    STATUS_OK,
                "%s", error.text);
}

void scene_plan(Scene *scene, const PlanOptions *options)
{
  Error error = {0};
  walk_free(scene->walk);
  plan_free(scene->plan);
  scene->walk = NULL;
  ck_assert_msg(plan_create(&scene->plan, scene->kind, options, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(walk_create(&scene->walk, scene->plan, &scene->field, scene->state, &error) == STATUS_OK,
                "%s", error.text);
  walk_attach(scene->walk, scene->state, RANDOM_THERMOSTAT);
}

void scene_warm(Scene *scene, uint64_t seed)
{
  scene->state->seed = seed;
  walk_attach(scene->walk, scene->state, RANDOM_THERMOSTAT);
  walk_draw_momenta(scene->walk);
  scene_ready(scene);
}

void scene_ready(Scene *scene) { ck_assert_int_eq(walk_prepare(scene->walk, &scene->team, NULL), STATUS_OK); }

void scene_run(Scene *scene, int64_t n)
{
  Error error = {0};
  ck_assert_msg(walk_run(scene->walk, &scene->team, n, &error) == STATUS_OK, "%s", error.text);
}

SceneEnergy scene_energy(Scene *scene)
{
  SceneEnergy e = {0};
  double terms[FORCE_TERMS * WIDTH_MAX];
  const WalkEnergies to = {
      .kinetic = e.kinetic, .terms = terms, .penalty = e.penalty, .largest = e.largest, .square = e.square};
  ck_assert_int_eq(walk_energies(scene->walk, &scene->team, &to, NULL), STATUS_OK);
  const int width = scene->state->width;
  for (int r = 0; r < width; r++) {
    for (int i = 0; i < force_field_terms(&scene->field); i++)
      e.potential[r] += terms[i * width + r];
    e.total[r] = e.kinetic[r] + e.potential[r] + e.penalty[r];
  }
  return e;
}

void scene_free(Scene *scene)
{
  walk_free(scene->walk);
  plan_free(scene->plan);
  force_field_free(&scene->field);
  state_free(scene->state);
  kind_free(scene->kind);
}

PlanOptions scene_constrained(const char *method, const char *word, double h)
{
  return (PlanOptions){.word = word,
                       .h = h,
                       .accel = "verlet",
                       .constraints = method,
                       .constraint = {.tolerance = 1e-13, .max_iterations = 100},
                       .kT = 0.02,
                       .isa = isa_best()};
}

PlanOptions scene_penalty(const char *accel, PenaltyHessian hessian, double w, const char *word, double h)
{
  return (PlanOptions){.word = word,
                       .h = h,
                       .accel = accel,
                       .beta = 0.4,
                       .w = w,
                       .hessian = hessian,
                       .kT = 0.02,
                       .isa = isa_best()};
}
