/* Systems that tests and benchmarks share: a water cluster at a minimum, with a plan to step it. */
#ifndef HOLONOM_TESTS_SCENES_H
#define HOLONOM_TESTS_SCENES_H

#include "forcefields/pair.h"
#include "forcefields/water.h"
#include "integrators/plan.h"

typedef struct Scene {
  const WaterModel *model;
  Kind *kind;
  int nmol;
  State *state;
  ForceField field;
  Plan *plan;
  Walk *walk;
  Team team;
} Scene;

/* nmol TIP3P waters at a rigid minimum (lattice, minimised), `width` replicas alike, at rest. Aborts the
 * test on failure. */
void scene_cluster(Scene *scene, int nmol, int width, Isa isa);

/* Turns the scene to another plan: momenta and forces are kept as they are; call scene_ready after. */
void scene_plan(Scene *scene, const PlanOptions *options);

/* Draws momenta at kT (of the plan), computes forces. */
void scene_warm(Scene *scene, uint64_t seed);

/* Forces at the current positions. */
void scene_ready(Scene *scene);

/* n steps; aborts the test if the walk reports a fault. */
void scene_run(Scene *scene, int64_t n);

/* Energies summed up: kinetic, potential (all terms), penalty, per replica [width]. */
typedef struct SceneEnergy {
  double kinetic[WIDTH_MAX], potential[WIDTH_MAX], penalty[WIDTH_MAX], largest[WIDTH_MAX], total[WIDTH_MAX];
  double square[WIDTH_MAX]; /* F'M^-1 F along what is kept */
} SceneEnergy;

SceneEnergy scene_energy(Scene *scene);

void scene_free(Scene *scene);

/* Plan options that tests start from: AKMA, word BAB, no noise. */
PlanOptions scene_constrained(const char *method, const char *word, double h);
PlanOptions scene_penalty(const char *accel, PenaltyHessian hessian, double w, const char *word, double h);

#endif
