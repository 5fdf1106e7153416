/* The systems that geometric SHAKE and RATTLE are tested on, with starts. */
#ifndef HOLONOM_TESTS_PHASE_SYSTEMS_H
#define HOLONOM_TESTS_PHASE_SYSTEMS_H

#include "forcefields/internal.h"
#include "integrators/plan.h"
#include "methods/geometric.h"
#include "tests/phase.h"

/* Two degrees of freedom: powers of q1 q2 p1 p2. */
static const Polynomial free_2 = {4, {{0.5, {0, 0, 2, 0}}, {0.5, {0, 0, 0, 2}}}};
static const Polynomial weight_2 = {4, {{0.5, {0, 0, 2, 0}}, {0.5, {0, 0, 0, 2}}, {1.0, {0, 1, 0, 0}}}};
static const Polynomial circle = {4, {{1.0, {2, 0, 0, 0}}, {1.0, {0, 2, 0, 0}}, {-1.0, {0}}}};
static const Polynomial sphere = {
    4, {{1.0, {2}}, {1.0, {0, 2}}, {1.0, {0, 0, 2}}, {1.0, {0, 0, 0, 2}}, {-1.0, {0}}}};
/* Nothing separable about it. */
static const Polynomial mixed_2 = {4,
                                   {{0.5, {0, 0, 2, 0}},
                                    {0.5, {0, 0, 0, 2}},
                                    {0.5, {2}},
                                    {0.25, {0, 4}},
                                    {0.3, {2, 0, 0, 2}},
                                    {0.2, {0, 1, 1, 1}},
                                    {0.1, {1, 0, 0, 3}}}};
/* Section 5.3 with alpha = q2, beta = p2: H_bb = 1 + q^2 and H_b = (1 + q^2) b - p. */
static const Polynomial index_1 = {
    4, {{1.0, {0, 0, 2, 0}}, {0.5, {2}}, {0.5, {0, 0, 0, 2}}, {0.5, {2, 0, 0, 2}}, {-1.0, {0, 0, 1, 1}}}};
static const Polynomial second = {4, {{1.0, {0, 1}}}};
static const Polynomial first = {4, {{1.0, {1}}}};
static const Polynomial first_momentum = {4, {{1.0, {0, 0, 1}}}};
/* Section 5.2. */
static const Polynomial linear_fibres = {4, {{0.5, {0, 0, 2}}, {1.0, {1, 0, 0, 1}}}};
static const Polynomial constant_fibres = {4, {{0.5, {0, 0, 2}}}};

/* Three degrees of freedom. */
static const Polynomial mixed_3 = {6,
                                   {{0.5, {0, 0, 0, 2}},
                                    {0.5, {0, 0, 0, 0, 2}},
                                    {0.5, {0, 0, 0, 0, 0, 2}},
                                    {0.3, {0, 0, 0, 1, 0, 1}},
                                    {0.2, {0, 0, 1, 0, 1}},
                                    {0.5, {0, 0, 2}},
                                    {0.25, {0, 0, 4}},
                                    {0.4, {1, 0, 1}},
                                    {0.1, {0, 2, 0, 0, 0, 2}}}};
static const Polynomial one = {6, {{1.0, {1}}}};
static const Polynomial two = {6, {{1.0, {0, 1}}}};
/* Vanishes with `one` where `two` does, and does not commute with it elsewhere: {q1, q2 + q1 p1} = q1. */
static const Polynomial two_bent = {6, {{1.0, {0, 1}}, {1.0, {1, 0, 0, 1}}}};
/* |q|^2 + |p|^2 - 1 and q1 p2 - q2 p1 - 1/4, which commute. */
static const Polynomial sphere_3 = {6,
                                    {{1.0, {2}},
                                     {1.0, {0, 2}},
                                     {1.0, {0, 0, 2}},
                                     {1.0, {0, 0, 0, 2}},
                                     {1.0, {0, 0, 0, 0, 2}},
                                     {1.0, {0, 0, 0, 0, 0, 2}},
                                     {-1.0, {0}}}};
static const Polynomial angular = {6, {{1.0, {1, 0, 0, 0, 1}}, {-1.0, {0, 1, 0, 1}}, {-0.25, {0}}}};
static const Polynomial slope_3 = {6,
                                   {{0.5, {0, 0, 0, 2}},
                                    {0.5, {0, 0, 0, 0, 2}},
                                    {0.5, {0, 0, 0, 0, 0, 2}},
                                    {0.8, {1}},
                                    {0.5, {0, 0, 1}},
                                    {0.3, {1, 0, 1}}}};

#define SYSTEM(name, degrees, energy_of, count, flows, ...)                                                  \
  static const PhaseFunction name##_con[] = {__VA_ARGS__};                                                   \
  static const ConstraintFlow name##_flow[] = {flows, flows};                                                \
  static const Hamiltonian name = {degrees, count, PHASE_FUNCTION(energy_of), name##_con, name##_flow};
SYSTEM(unconstrained, 2, mixed_2, 0, FLOW_SHIFT, PHASE_FUNCTION(circle))
SYSTEM(pendulum, 2, weight_2, 1, FLOW_SHIFT, PHASE_FUNCTION(circle))
SYSTEM(harmonic_free, 2, free_2, 1, FLOW_LINEAR, PHASE_FUNCTION(sphere))
SYSTEM(harmonic, 2, weight_2, 1, FLOW_LINEAR, PHASE_FUNCTION(sphere))
SYSTEM(harmonic_numerical, 2, weight_2, 1, FLOW_NUMERICAL, PHASE_FUNCTION(sphere))
SYSTEM(index_one, 2, index_1, 1, FLOW_SHIFT, PHASE_FUNCTION(second))
SYSTEM(degenerate_linear, 2, linear_fibres, 1, FLOW_SHIFT, PHASE_FUNCTION(second))
SYSTEM(degenerate_constant, 2, constant_fibres, 1, FLOW_SHIFT, PHASE_FUNCTION(second))
SYSTEM(not_coisotropic, 2, mixed_2, 2, FLOW_LINEAR, PHASE_FUNCTION(first), PHASE_FUNCTION(first_momentum))
SYSTEM(plane, 3, mixed_3, 2, FLOW_SHIFT, PHASE_FUNCTION(one), PHASE_FUNCTION(two))
SYSTEM(plane_bent, 3, mixed_3, 2, FLOW_NUMERICAL, PHASE_FUNCTION(one), PHASE_FUNCTION(two_bent))
SYSTEM(twofold, 3, slope_3, 2, FLOW_LINEAR, PHASE_FUNCTION(sphere_3), PHASE_FUNCTION(angular))

/* Starts, put onto both manifolds by `start_on`. */
static const double near_pendulum[4] = {0.8, -0.6, 0.3, 0.4}, near_harmonic[4] = {-0.79, -0.41, -0.39, 0.22};
static const double near_index[4] = {0.7, 0.0, 0.4, 0.2}, near_plane[6] = {0, 0, 0.6, 0.2, -0.3, 0.5};
static const double near_twofold[6] = {-0.5, -0.6, 0.2, 0.3, -0.2, 0.1};

typedef struct Case {
  const char *name;
  const Hamiltonian *ham;
  const double *near;
} Case;
static const Case cases[] = {
    {"pendulum", &pendulum, near_pendulum},  {"harmonic", &harmonic, near_harmonic},
    {"index 1", &index_one, near_index},     {"plane", &plane, near_plane},
    {"bent plane", &plane_bent, near_plane}, {"two commuting", &twofold, near_twofold},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };
static const char *const bases[] = {"symplectic-euler", "stormer-verlet", "midpoint"};
enum { EULER, VERLET, MIDPOINT, BASES };

__attribute__((unused)) static void start_on(const Hamiltonian *ham, const double *near, double *z)
{
  const Kind kind = phase_kind(ham);
  Error error;
  memcpy(z, near, 2 * (size_t)ham->n * sizeof *z);
  ck_assert_msg(geometric_project_kind(&kind, z, z + ham->n, &error) == STATUS_OK, "%s", error.text);
}

/* max |g| and max |{g, H}|, which is dg . X_H. */
__attribute__((unused)) static void residuals(const Hamiltonian *ham, const double *z, double *g,
                                              double *hidden)
{
  double a[PHASE], b[PHASE];
  *g = *hidden = 0.0;
  ham->energy.gradient(ham->energy.self, z, b);
  for (int c = 0; c < ham->ncon; c++) {
    ham->con[c].gradient(ham->con[c].self, z, a);
    *g = fmax(*g, fabs(ham->con[c].value(ham->con[c].self, z)));
    *hidden = fmax(*hidden, fabs(phase_form(ham->n, a, b)));
  }
}

/* Errors at time 1 against a fine run, for h = 1/8 ... 1/32. */
__attribute__((unused)) static double order_of(Runner *r, Runner *fine, const double *start, int finest)
{
  double reference[PHASE], error[2];
  memcpy(reference, start, sizeof reference);
  runner_go(fine, 1.0 / finest, finest, reference);
  for (int i = 0; i < 2; i++) {
    double z[PHASE];
    memcpy(z, start, sizeof z);
    runner_go(r, 1.0 / (32 << i), 32 << i, z);
    error[i] = distance(2 * r->n, z, reference);
  }
  return log2(error[0] / error[1]);
}

/* The planar pendulum as sites, masses and potentials, and by the engine's RATTLE. */
static const double pendulum_mass[1] = {1.0}, pendulum_at[2] = {0.0, -1.0};
static const Constraint pendulum_rod = {&constraint_anchor, 1, {0}, {1.0, 0.0, 0.0}, NULL};
static const Potential pendulum_weight = {&potential_field, 1, {0}, {0.0, 0.0, -1.0}, NULL};
__attribute__((unused)) static const Kind natural_pendulum = {.name = "pendulum",
                                                              .nsite = 1,
                                                              .dim = 2,
                                                              .ncon = 1,
                                                              .mass = pendulum_mass,
                                                              .site = phase_site,
                                                              .con = &pendulum_rod,
                                                              .reference = pendulum_at,
                                                              .npot = 1,
                                                              .pot = &pendulum_weight};

__attribute__((unused)) static void run_plan(const Kind *kind, const PlanOptions *options, int n, double *z)
{
  Plan *plan;
  State *state;
  Walk *walk;
  ForceField field = {0};
  Error error;
  const int nmol = 1;
  const Team team = team_alone();
  ck_assert_msg(plan_create(&plan, kind, options, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  if (options->method == NULL) {
    field.n = 1;
    ck_assert_int_eq(internal_create(&field.force[0], state, &error), STATUS_OK);
  }
  ck_assert_int_eq(walk_create(&walk, plan, &field, state, &error), STATUS_OK);
  walk_attach(walk, state, RANDOM_TEST);
  const int size = kind->nsite * kind->dim;
  state_set(&state->block[0], 1, state->block[0].q, 0, z);
  state_set(&state->block[0], 1, state->block[0].p, 0, z + size);
  (void)walk_prepare(walk, &team, NULL);
  ck_assert_msg(walk_run(walk, &team, n, &error) == STATUS_OK, "%s", error.text);
  state_get(&state->block[0], 1, state->block[0].q, 0, z);
  state_get(&state->block[0], 1, state->block[0].p, 0, z + size);
  walk_free(walk);
  state_free(state);
  force_field_free(&field);
  plan_free(plan);
}

#endif
