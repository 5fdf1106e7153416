/* Small mechanical systems under a whole plan: eight copies walked side by side. */
#ifndef HOLONOM_TESTS_WALKS_H
#define HOLONOM_TESTS_WALKS_H

#include "forcefields/internal.h"
#include "integrators/plan.h"
#include "tests/suite.h"
#include "tests/terms.h"

#define UNUSED __attribute__((unused))

/* It must stay where it was opened: the walk borrows the field. */
typedef struct Walked {
  State *state;
  ForceField field;
  Plan *plan;
  Walk *walk;
  Team team;
  int n; /* coordinates */
} Walked;

/* All copies at q, p; a NULL q leaves them at the kind's reference. */
UNUSED static void walked_open(Walked *w, const Kind *kind, const PlanOptions *options, const double *q,
                               const double *p)
{
  *w = (Walked){.team = team_alone(), .n = kind->nsite * kind->dim};
  Error error;
  const int one = 1;
  PlanOptions o = *options;
  o.isa = isa_best();
  ck_assert_msg(state_create(&w->state, 8, 1, &kind, &one, 7, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(plan_create(&w->plan, kind, &o, &error) == STATUS_OK, "%s", error.text);
  w->field.n = 1;
  ck_assert_int_eq(internal_create(&w->field.force[0], w->state, &error), STATUS_OK);
  ck_assert_msg(walk_create(&w->walk, w->plan, &w->field, w->state, &error) == STATUS_OK, "%s", error.text);
  Block *block = &w->state->block[0];
  for (int r = 0; r < 8 && q != NULL; r++) {
    state_set(block, 8, block->q, r, q);
    state_set(block, 8, block->p, r, p);
  }
  walk_attach(w->walk, w->state, RANDOM_THERMOSTAT);
  (void)walk_prepare(w->walk, &w->team, NULL);
}

UNUSED static void walked_close(Walked *w)
{
  walk_free(w->walk);
  plan_free(w->plan);
  force_field_free(&w->field);
  state_free(w->state);
}

UNUSED static void walked_run(Walked *w, int64_t n)
{
  Error error;
  ck_assert_msg(walk_run(w->walk, &w->team, n, &error) == STATUS_OK, "%s", error.text);
}

UNUSED static Vec8 *walked_q(const Walked *w) { return w->state->block[0].q; }
UNUSED static Vec8 *walked_p(const Walked *w) { return w->state->block[0].p; }

/* Steps of time / n from a start: where copy 0 ends, z[2n]. */
UNUSED static void walked_after(const Kind *kind, PlanOptions o, const double *q, const double *p,
                                double time, int steps, double *z)
{
  o.h = time / steps;
  Walked w;
  walked_open(&w, kind, &o, q, p);
  walked_run(&w, steps);
  for (int i = 0; i < w.n; i++) {
    z[i] = walked_q(&w)[i][0];
    z[w.n + i] = walked_p(&w)[i][0];
  }
  walked_close(&w);
}

/* |r_i|^2 = 1 and sqrt(2) factor r_i . r_j = 0 of the columns of R, R(0) = I; torque as of a dipole. */
static const double rotation_mass[3] = {0.5, 0.5, 0.5};
static const char *const no_names[12];
static const Constraint rotation_con[6] = {DOT(0, 0, 1, 1),       DOT(1, 1, 1, 1),
                                           DOT(2, 2, 1, 1),       DOT(0, 1, 0, M_SQRT2),
                                           DOT(0, 2, 0, M_SQRT2), DOT(1, 2, 0, M_SQRT2)};
static const Potential rotation_pot[1] = {FIELD(2, 0, 0, -1)}; /* V = R_33 */
static const double rotation_q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
/* Omega = (1, 0.2, 0.1): p_i = m Omega x e_i. */
static const double rotation_p[9] = {0, 0.05, -0.1, -0.05, 0, 0.5, 0.1, -0.5, 0};
UNUSED static const Kind rotation = {
    "rotation", 3, 3, 6, rotation_mass, no_names, rotation_con, rotation_q, 1, rotation_pot, NULL};

/* The four particles of Gonzalez (1999). */
static const double particles_mass[4] = {1.0, 3.0, 2.3, 1.7};
static const Constraint particles_con[2] = {DISTANCE(0, 1, 1), DISTANCE(2, 3, 1)};
static const Potential particles_pot[2] = {QUARTIC(0, 2, 100, 1), QUARTIC(1, 3, 1000, 1)};
static const double particles_q[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
UNUSED static const double particles_p[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
UNUSED static const Kind particles = {
    "particles", 4, 3, 2, particles_mass, no_names, particles_con, particles_q, 2, particles_pot, NULL};

/* The double pendulum of Tao & Owhadi, sec. 4.1. */
static const double pendulum_mass[2] = {1, 1};
static const Constraint pendulum_con[2] = {ANCHOR(0, 1, 0, 0), DISTANCE(0, 1, M_SQRT2)};
static const Potential pendulum_pot[2] = {FIELD(0, 0, -1), FIELD(1, 0, -1)};
static const double pendulum_q[4] = {0, -1, 1, -2};
UNUSED static const double pendulum_p[4] = {0, 0, 0, 0};
UNUSED static const Kind pendulum = {
    "pendulum", 2, 2, 2, pendulum_mass, no_names, pendulum_con, pendulum_q, 2, pendulum_pot, NULL};

/* Three sites in a plane without constraints, all kinds of potentials. */
static const double planar_mass[3] = {1.0, 2.0, 0.5};
static const Potential planar_pot[4] = {SPRING(0, 1, 2.0, 0.7), QUARTIC(1, 2, 0.8, 1.2), LINK(0, 2, 0.6),
                                        SPRING(0, 2, 1.0, 0.4)};
static const double planar_q[6] = {0.1, 0.2, 1.2, 0.1, -0.4, 1.3};
UNUSED static const double planar_p[6] = {0.3, -0.2, 0.5, 0.1, 0.7, -0.4};
UNUSED static const Kind planar = {"planar", 3,        2, 0,          planar_mass, no_names,
                                   NULL,     planar_q, 4, planar_pot, NULL};

#endif
