/* Laws of the stepping: order, reversibility, conserved momenta, agreement of the constraint methods, equal
 * bits for any grouping and any number of threads. */
#include "tests/scenes.h"
#include "tests/suite.h"
#include "tests/teams.h"

typedef struct Case {
  const char *name;
  const char *accel, *constraints;
  PenaltyHessian hessian;
  double w, h; /* h: where the order is measured from. Softer bonds than w = 20 break: nothing but they keeps
                  hydrogens off the next oxygen. */
} Case;

static const Case cases[] = {
    {"verlet on penalties", "verlet", NULL, HESSIAN_FULL, 20.0, 0.01},
    {"zss, full Hessian", "zss", NULL, HESSIAN_FULL, 20.0, 0.01},
    {"zss, Gauss-Newton", "zss", NULL, HESSIAN_GAUSS_NEWTON, 20.0, 0.01},
    {"zss with own block, full", "zss-block", NULL, HESSIAN_FULL, 20.0, 0.01},
    {"zss with own block, Gauss-Newton", "zss-block", NULL, HESSIAN_GAUSS_NEWTON, 20.0, 0.01},
    {"settle", "verlet", "settle", HESSIAN_FULL, 0.0, 0.04},
    {"rattle", "verlet", "rattle", HESSIAN_FULL, 0.0, 0.04},
    {"shake", "verlet", "shake", HESSIAN_FULL, 0.0, 0.04},
};
enum { NCASE = (int)(sizeof cases / sizeof *cases) };

/* Consistent and of second order, though neither reversible nor symplectic. */
static const Case newmark = {"Newmark-1", "newmark-1", NULL, HESSIAN_FULL, 20.0, 0.01};

static PlanOptions case_options(const Case *c, const char *word, double h)
{
  return c->constraints != NULL ? scene_constrained(c->constraints, word, h)
                                : scene_penalty(c->accel, c->hessian, c->w, word, h);
}

/* What the method is for: 2.4 fs; plain Verlet needs to resolve the bonds. */
static double coarse_step(const Case *c)
{
  return c->constraints != NULL || strcmp(c->accel, "verlet") != 0 ? 0.05 : c->h;
}

static size_t field_bytes(const Scene *s) { return (size_t)s->state->block[0].npack * 9 * sizeof(Vec8); }

static double distance(const Vec8 *a, const Vec8 *b, size_t bytes)
{
  const double *x = (const double *)a, *y = (const double *)b;
  double sum = 0.0;
  for (size_t i = 0; i < bytes / sizeof(double); i++)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

/* Positions after a fixed time with step h, from one and the same start. */
static void positions_after(Scene *s, const State *start, const Case *c, double time, double h, Vec8 *q)
{
  state_copy(s->state, start);
  const PlanOptions o = case_options(c, "BAB", h);
  scene_plan(s, &o);
  scene_ready(s);
  scene_run(s, llround(time / h));
  memcpy(q, s->state->block[0].q, field_bytes(s));
}

TEST(second_order, .rows = NCASE + 1)
{
  const Case *c = _i < NCASE ? &cases[_i] : &newmark;
  Scene s;
  scene_cluster(&s, 4, 1, isa_best());
  PlanOptions o = case_options(c, "BAB", c->h);
  o.kT = 0.2;
  o.gamma = 1.0;
  scene_plan(&s, &o);
  scene_warm(&s, 7);
  State *start;
  const Kind *kind = s.kind;
  ck_assert_int_eq(state_create(&start, 1, 1, &kind, &s.nmol, 1, 0, NULL), STATUS_OK);
  state_copy(start, s.state);
  Vec8 *reference = aligned_alloc(64, field_bytes(&s)), *q = aligned_alloc(64, field_bytes(&s));
  const double time = 16 * c->h;
  positions_after(&s, start, c, time, c->h / 64, reference);
  double error[3];
  for (int i = 0; i < 3; i++) {
    positions_after(&s, start, c, time, c->h / (1 << i), q);
    error[i] = distance(q, reference, field_bytes(&s));
  }
  const double slope = log2(error[1] / error[2]);
  ck_assert_msg(fabs(slope - 2.0) < 0.15, "%s: order %.3f (errors %.3g %.3g %.3g)", c->name, slope, error[0],
                error[1], error[2]);
  free(reference);
  free(q);
  state_free(start);
  scene_free(&s);
}

TEST(reversible, .rows = NCASE)
{
  const Case *c = &cases[_i];
  Scene s;
  scene_cluster(&s, 7, 8, isa_best());
  PlanOptions o = case_options(c, "BAB", coarse_step(c));
  scene_plan(&s, &o);
  scene_warm(&s, 3);
  const size_t bytes = field_bytes(&s);
  Vec8 *q = aligned_alloc(64, bytes), *p = s.state->block[0].p;
  memcpy(q, s.state->block[0].q, bytes);
  scene_run(&s, 200);
  for (size_t i = 0; i < bytes / sizeof(Vec8); i++)
    p[i] = -p[i];
  ck_assert_double_gt(distance(s.state->block[0].q, q, bytes), 1e-2);
  scene_run(&s, 200);
  /* Rounding grows with the cluster's own instability; 1e-9 is five digits above where it starts. */
  ck_assert_msg(distance(s.state->block[0].q, q, bytes) < 1e-9, "%s: %.3g", c->name,
                distance(s.state->block[0].q, q, bytes));
  free(q);
  scene_free(&s);
}

TEST(momenta_are_conserved, .rows = NCASE)
{
  const Case *c = &cases[_i];
  Scene s;
  scene_cluster(&s, 7, 8, isa_best());
  PlanOptions o = case_options(c, "BAB", coarse_step(c));
  scene_plan(&s, &o);
  scene_warm(&s, 3);
  double p0[WIDTH_MAX][3], l0[WIDTH_MAX][3], p1[WIDTH_MAX][3], l1[WIDTH_MAX][3];
  motion_momenta(s.state, p0, l0);
  scene_run(&s, 1000);
  motion_momenta(s.state, p1, l1);
  /* Angular momentum is exact where every force is central: not with g Hess g in the matrix, which acts along
   * differences of accelerations, nor with a block of Hess V0. */
  const int central = c->constraints != NULL || strcmp(c->accel, "verlet") == 0 ||
                      (strcmp(c->accel, "zss") == 0 && c->hessian == HESSIAN_GAUSS_NEWTON);
  const int linear = strcmp(c->accel, "zss-block") != 0;
  double worst = 0.0;
  for (int r = 0; r < 8; r++)
    for (int d = 0; d < 3; d++) {
      if (linear)
        ck_assert_msg(fabs(p1[r][d] - p0[r][d]) < 1e-10, "%s: P changes by %.3g", c->name,
                      p1[r][d] - p0[r][d]);
      worst = fmax(worst, fabs(l1[r][d] - l0[r][d]));
    }
  if (central)
    ck_assert_msg(worst < 1e-9, "%s: L changes by %.3g", c->name, worst);
  else
    ck_assert_msg(worst > 1e-9, "%s: L is conserved, which theory does not say", c->name);
  scene_free(&s);
}

/* SHAKE^k, RATTLE^k and SETTLE^k are the same map once momenta are projected. */
TEST(constraint_methods_agree)
{
  static const char *const method[3] = {"settle", "rattle", "shake"};
  Scene s[3];
  for (int i = 0; i < 3; i++) {
    scene_cluster(&s[i], 7, 8, isa_best());
    const PlanOptions o = scene_constrained(method[i], "BAB", 0.05);
    scene_plan(&s[i], &o);
    scene_warm(&s[i], 11);
    scene_run(&s[i], 1000);
  }
  const size_t bytes = field_bytes(&s[0]);
  for (int i = 1; i < 3; i++) {
    ck_assert_msg(distance(s[0].state->block[0].q, s[i].state->block[0].q, bytes) < 1e-9, "%s: %.3g",
                  method[i], distance(s[0].state->block[0].q, s[i].state->block[0].q, bytes));
    const SceneEnergy a = scene_energy(&s[0]), b = scene_energy(&s[i]);
    for (int r = 0; r < 8; r++)
      ck_assert_double_eq_tol(a.kinetic[r], b.kinetic[r], 1e-9);
  }
  for (int i = 0; i < 3; i++)
    scene_free(&s[i]);
}

/* A cluster wanders off in a long run: far from the origin the coordinates are coarser than the tolerance. */
TEST(constraints_are_met_far_away, .rows = 3)
{
  static const char *const method[3] = {"settle", "rattle", "shake"};
  Scene s;
  scene_cluster(&s, 7, 8, isa_best());
  const PlanOptions o = scene_constrained(method[_i], "BAB", 0.05);
  scene_plan(&s, &o);
  Vec8 *q = s.state->block[0].q;
  for (size_t i = 0; i < field_bytes(&s) / sizeof(Vec8); i++)
    q[i] += 5000.0;
  scene_warm(&s, 11);
  const SceneEnergy before = scene_energy(&s);
  scene_run(&s, 1000);
  const SceneEnergy after = scene_energy(&s);
  for (int r = 0; r < 8; r++) {
    ck_assert_double_lt(after.largest[r], 1e-11);
    ck_assert_double_eq_tol(after.total[r], before.total[r], 0.01);
  }
  scene_free(&s);
}

TEST(newmark_keeps_no_constraints)
{
  Scene s;
  scene_cluster(&s, 2, 8, isa_best());
  PlanOptions o = scene_constrained("settle", "BAB", 0.05);
  o.accel = "newmark-1";
  Plan *plan;
  Error error;
  ck_assert_int_eq(plan_create(&plan, s.kind, &o, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "newmark-1"));
  scene_free(&s);
}

TEST(verlet_blows_up_where_zss_is_stable)
{
  Scene s;
  scene_cluster(&s, 7, 8, isa_best());
  static const struct {
    const char *accel;
    PenaltyHessian hessian;
    int stable;
  } row[3] = {{"verlet", HESSIAN_FULL, 0}, {"zss", HESSIAN_FULL, 1}, {"zss", HESSIAN_GAUSS_NEWTON, 1}};
  State *start;
  const Kind *kind = s.kind;
  ck_assert_int_eq(state_create(&start, 8, 1, &kind, &s.nmol, 1, 0, NULL), STATUS_OK);
  state_copy(start, s.state);
  for (int i = 0; i < 3; i++) {
    state_copy(s.state, start);
    const PlanOptions o = scene_penalty(row[i].accel, row[i].hessian, 20.0, "BAB", 0.05);
    scene_plan(&s, &o);
    scene_warm(&s, 5);
    Error error;
    const Status status = walk_run(s.walk, &s.team, 2000, &error);
    ck_assert_msg((status == STATUS_OK) == row[i].stable, "%s", row[i].accel);
    if (!row[i].stable) {
      ck_assert_int_eq(status, STATUS_RUN);
      ck_assert_ptr_nonnull(strstr(error.text, "step "));
      ck_assert_ptr_nonnull(strstr(error.text, "molecule "));
    }
  }
  state_free(start);
  scene_free(&s);
}

/* --- equal bits -------------------------------------------------------------------------------------------
 */

static PlanOptions langevin(const char *constraints)
{
  PlanOptions o = constraints != NULL ? scene_constrained(constraints, "BABO", 0.05)
                                      : scene_penalty("zss", HESSIAN_GAUSS_NEWTON, 100.0, "OBABO", 0.05);
  o.tangent = constraints == NULL;
  o.friction = FRICTION_UNIFORM;
  o.gamma = 0.05;
  o.keep_heat = true;
  return o;
}

/* Replica 11 of a batch of 16, of a batch of 8, and alone in some other lane. */
TEST(a_replica_is_the_same_in_any_group, .rows = 3)
{
  const PlanOptions o = langevin(_i == 0 ? "settle" : (_i == 1 ? "rattle" : NULL));
  static const struct {
    int width;
    uint32_t first;
  } group[3] = {{16, 0}, {8, 8}, {8, 4}};
  double x[3][63], p[3][63], heat[3][WIDTH_MAX];
  for (int i = 0; i < 3; i++) {
    Scene s;
    scene_cluster(&s, 7, group[i].width, isa_best());
    scene_plan(&s, &o);
    s.state->replica = group[i].first;
    scene_warm(&s, 99);
    scene_run(&s, 300);
    const Block *b = &s.state->block[0];
    const int lane = 11 - (int)group[i].first;
    state_get(b, group[i].width, b->q, lane, x[i]);
    state_get(b, group[i].width, b->p, lane, p[i]);
    state_sum(s.state, b, b->heat, heat[i]);
    if (i > 0) {
      ck_assert_mem_eq(x[i], x[0], sizeof x[0]);
      ck_assert_mem_eq(p[i], p[0], sizeof p[0]);
      ck_assert(heat[i][lane] == heat[0][11]);
    }
    scene_free(&s);
  }
}

/* The forces of a step say the energies at its end, where nothing moves after them; asked or not, states and
 * energies are the same to the bit. */
TEST(energies_from_the_step_are_those_of_its_end, .rows = 4)
{
  static const char *const word[] = {"BAOAB", "ABOBA", "OBABO", "BABAB"};
  for (int width = 8; width <= 16; width += 8) {
    PlanOptions o = langevin("settle");
    o.word = word[_i];
    SceneEnergy energy[2];
    Vec8 q[2][16 * 9], p[2][16 * 9];
    for (int asked = 0; asked < 2; asked++) {
      Scene s;
      scene_cluster(&s, 7, width, isa_best());
      scene_plan(&s, &o);
      scene_warm(&s, 12);
      scene_run(&s, 20);
      if (asked)
        walk_ask_energies(s.walk);
      scene_run(&s, 13);
      energy[asked] = scene_energy(&s);
      scene_run(&s, 5);
      memcpy(q[asked], s.state->block[0].q, field_bytes(&s));
      memcpy(p[asked], s.state->block[0].p, field_bytes(&s));
      scene_free(&s);
    }
    const size_t bytes = (size_t)width / 8 * 7 * 9 * sizeof(Vec8);
    ck_assert_mem_eq(energy[0].potential, energy[1].potential, (size_t)width * sizeof(double));
    ck_assert_mem_eq(energy[0].kinetic, energy[1].kinetic, (size_t)width * sizeof(double));
    ck_assert_mem_eq(q[0], q[1], bytes);
    ck_assert_mem_eq(p[0], p[1], bytes);
  }
}

static Status run_member(void *self, const Team *team, Error *error)
{
  Walk *walk = ((Walk **)self)[team->rank];
  const Status status = walk_prepare(walk, team, error);
  return status == STATUS_OK ? walk_run(walk, team, 150, error) : status;
}

static void run_team(int threads, const PlanOptions *o, double *x)
{
  Scene s;
  scene_cluster(&s, 40, 1, isa_best());
  scene_plan(&s, o);
  scene_warm(&s, 5);
  Walk *walk[4];
  for (int t = 0; t < threads; t++) {
    ck_assert_int_eq(walk_create(&walk[t], s.plan, &s.field, s.state, NULL), STATUS_OK);
    walk_attach(walk[t], s.state, RANDOM_THERMOSTAT);
  }
  ck_assert_int_eq(team_run(threads, run_member, walk, NULL), STATUS_OK);
  state_get(&s.state->block[0], 1, s.state->block[0].q, 0, x);
  for (int t = 0; t < threads; t++)
    walk_free(walk[t]);
  scene_free(&s);
}

TEST(threads_change_no_bit, .rows = 2, .threads = true)
{
  const PlanOptions o = langevin(_i == 0 ? "settle" : NULL);
  double one[360], more[360];
  run_team(1, &o, one);
  for (int threads = 2; threads <= 3; threads++) {
    run_team(threads, &o, more);
    ck_assert_mem_eq(one, more, sizeof one);
  }
}

/* One seed draws other momenta for a start that is annealed than for the run from it. */
TEST(momenta_go_by_the_walk)
{
  Scene s;
  const PlanOptions o = langevin("settle");
  double p[2][63];
  scene_cluster(&s, 7, 8, isa_best());
  scene_plan(&s, &o);
  for (int i = 0; i < 2; i++) {
    walk_attach(s.walk, s.state, i == 0 ? RANDOM_THERMOSTAT : RANDOM_START);
    walk_draw_momenta(s.walk);
    state_get(&s.state->block[0], 8, s.state->block[0].p, 3, p[i]);
  }
  int same = 0;
  for (int k = 0; k < 63; k++)
    same += p[0][k] == p[1][k];
  ck_assert_int_eq(same, 0);
  scene_free(&s);
}

/* Running 10 + 10 steps, or 20, or looking at the energies in between, is the same. */
TEST(cuts_and_looks_change_no_bit, .rows = 2)
{
  const PlanOptions o = langevin(_i == 0 ? "shake" : NULL);
  double x[2][63];
  for (int i = 0; i < 2; i++) {
    Scene s;
    scene_cluster(&s, 7, 8, isa_best());
    scene_plan(&s, &o);
    scene_warm(&s, 5);
    if (i == 0)
      scene_run(&s, 200);
    else
      for (int k = 0; k < 20; k++) {
        scene_run(&s, 10);
        (void)scene_energy(&s);
      }
    state_get(&s.state->block[0], 8, s.state->block[0].q, 3, x[i]);
    scene_free(&s);
  }
  ck_assert_mem_eq(x[0], x[1], sizeof x[0]);
}

/* Total energy less the heat of O is conserved as well as the bare word conserves energy. */
TEST(heat_accounts_for_noise, .rows = 3)
{
  Scene s;
  scene_cluster(&s, 7, 8, isa_best());
  PlanOptions o = langevin(_i == 0 ? "settle" : NULL);
  o.h = 0.02;
  o.kT = 0.2;
  o.removal = _i == 2 ? REMOVE_ANGULAR : REMOVE_NONE;
  if (_i == 2)
    o = (PlanOptions){.word = "BABO",
                      .h = 0.02,
                      .accel = "verlet",
                      .constraints = "settle",
                      .constraint = {1e-13, 100},
                      .friction = FRICTION_MASS,
                      .gamma = 0.1,
                      .kT = 0.2,
                      .removal = REMOVE_ANGULAR,
                      .keep_heat = true,
                      .isa = isa_best()};
  scene_plan(&s, &o);
  scene_warm(&s, 5);
  const SceneEnergy before = scene_energy(&s);
  double heat0[WIDTH_MAX], heat1[WIDTH_MAX];
  state_sum(s.state, &s.state->block[0], s.state->block[0].heat, heat0);
  scene_run(&s, 2000);
  const SceneEnergy after = scene_energy(&s);
  state_sum(s.state, &s.state->block[0], s.state->block[0].heat, heat1);
  for (int r = 0; r < 8; r++) {
    const double gained = after.total[r] - before.total[r], heat = heat1[r] - heat0[r];
    ck_assert_msg(fabs(gained - heat) < 0.15, "replica %d: energy %+.4f, heat %+.4f", r, gained, heat);
    ck_assert_double_gt(fabs(heat), 1e-3);
  }
  scene_free(&s);
}

/* From rest the kinetic energy begins as h^2/2 F'M^-1 F, of the forces that constraints leave. */
TEST(squares_of_forces)
{
  static const char *const methods[] = {"settle", "rattle", "shake"};
  for (size_t i = 0; i < 3; i++) {
    Scene s;
    const PlanOptions warm = scene_constrained(methods[i], "BAOAB", 0.04),
                      o = scene_constrained(methods[i], "BAB", 1e-3);
    scene_cluster(&s, 7, 8, isa_best());
    scene_plan(&s, &warm);
    scene_warm(&s, 5);
    scene_run(&s, 200);
    scene_plan(&s, &o);
    memset(s.state->block[0].p, 0, field_bytes(&s));
    scene_ready(&s);
    const SceneEnergy rest = scene_energy(&s);
    scene_run(&s, 1);
    const SceneEnergy after = scene_energy(&s);
    for (int r = 0; r < 8; r++) {
      ck_assert_double_gt(rest.square[r], 0.0);
      ck_assert_double_eq_tol(after.kinetic[r] / (0.5 * o.h * o.h * rest.square[r]), 1.0, 1e-4);
    }
    scene_free(&s);
  }
}
