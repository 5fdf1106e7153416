/* Constraints that are kept beside others that are penalised, in one molecule and in several: the map by a
 * dense solve, order and reversal, the limit of large w, what the kept ones carry, equipartition and heat. */
#include "forcefields/internal.h"
#include "integrators/accel.h"
#include "integrators/plan.h"
#include "tests/deviation.h"
#include "tests/molecules.h"
#include "tests/suite.h"

enum { N = 5, DIM = 15, NCON = 5, KEPT = 3, WIDE = 8 };

/* A methylene group whose triangle is kept, and a chain of two bonds behind it that are penalised; springs
 * between the rest. */
static const double branch_mass[N] = {12.0, 1.0, 1.5, 14.0, 16.0};
static const char *const branch_site[N] = {"A", "B", "C", "D", "E"};
static const Constraint branch_con[NCON] = {BOND(0, 1, 1.0), BOND(0, 2, 1.1), BOND(1, 2, 1.7),
                                            BOND(0, 3, 1.5), BOND(3, 4, 1.2)};
static const Constraint branch_pot[4] = {{&potential_spring, 2, {1, 3}, {15.0, 0, 0, 0, 2.1}, NULL},
                                         {&potential_spring, 2, {2, 3}, {12.0, 0, 0, 0, 2.2}, NULL},
                                         {&potential_spring, 2, {0, 4}, {9.0, 0, 0, 0, 2.3}, NULL},
                                         {&potential_spring, 2, {1, 4}, {2.0, 0, 0, 0, 2.5}, NULL}};
static double branch_reference[DIM];
static double strength[NCON];

static Error error;

static void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

/* The third site of a triangle of sides from a and b, in the plane. */
static void triangle_third(const double *a, const double *b, double from_a, double from_b, double *x)
{
  const double d = hypot(b[0] - a[0], b[1] - a[1]),
               along = (d * d + from_a * from_a - from_b * from_b) / (2 * d),
               off = sqrt(from_a * from_a - along * along);
  x[0] = a[0] + (along * (b[0] - a[0]) - off * (b[1] - a[1])) / d;
  x[1] = a[1] + (along * (b[1] - a[1]) + off * (b[0] - a[0])) / d;
  x[2] = 0.0;
}

static Kind branch(double w, double other)
{
  double *x = branch_reference;
  memset(x, 0, sizeof branch_reference);
  x[3] = 1.0;
  triangle_third(&x[0], &x[3], 1.1, 1.7, &x[6]);
  x[9] = -0.9;
  x[10] = -0.4;
  x[11] = sqrt(1.5 * 1.5 - 0.97);
  x[12] = x[9] - 0.6;
  x[13] = x[10] + sqrt(1.44 - 0.36 - 0.25);
  x[14] = x[11] + 0.5;
  for (int c = 0; c < NCON; c++)
    strength[c] = c < KEPT ? (double)INFINITY : c == KEPT ? w : other;
  return (Kind){.name = "branch",
                .nsite = N,
                .dim = 3,
                .ncon = NCON,
                .mass = branch_mass,
                .site = branch_site,
                .con = branch_con,
                .reference = branch_reference,
                .npot = 4,
                .pot = branch_pot,
                .w = strength};
}

static PlanOptions held(const char *method, const char *accel, const char *word, double h)
{
  return (PlanOptions){.word = word,
                       .h = h,
                       .accel = accel,
                       .beta = 0.4,
                       .hessian = HESSIAN_GAUSS_NEWTON,
                       .constraints = method,
                       .constraint = {.tolerance = 1e-13, .max_iterations = 50},
                       .friction = FRICTION_MASS,
                       .kT = 0.6,
                       .isa = isa_best()};
}

typedef struct Run {
  State *state;
  ForceField field;
  Plan *plan;
  Walk *walk;
} Run;

static void run_open(Run *r, const PlanOptions *o, int nkind, const Kind *const *kind, int width)
{
  static const int one[4] = {1, 1, 1, 1};
  *r = (Run){.field.n = 1};
  fine(plan_create_kinds(&r->plan, nkind, kind, o, &error));
  fine(state_create(&r->state, width, nkind, kind, one, 7, 0, &error));
  fine(internal_create(&r->field.force[0], r->state, &error));
  fine(walk_create(&r->walk, r->plan, &r->field, r->state, &error));
  walk_attach(r->walk, r->state, RANDOM_THERMOSTAT);
  walk_draw_momenta(r->walk);
}

static void run_close(Run *r)
{
  walk_free(r->walk);
  plan_free(r->plan);
  force_field_free(&r->field);
  state_free(r->state);
}

static void go(Run *r, int64_t n)
{
  const Team team = team_alone();
  fine(walk_prepare(r->walk, &team, &error));
  fine(walk_run(r->walk, &team, n, &error));
}

static void get(const Run *r, char field, int replica, double *x)
{
  const Block *b = &r->state->block[0];
  state_get(b, r->state->width, field == 'q' ? b->q : b->p, replica, x);
}

static void set(Run *r, char field, int replica, const double *x)
{
  Block *b = &r->state->block[0];
  state_set(b, r->state->width, field == 'q' ? b->q : b->p, replica, x);
}

static double apart(int n, const double *a, const double *b)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* Gauss, with row exchanges: x[n] of a[n][n]. */
static void solve(int n, double *a, double *x)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
    for (int j = 0; j <= n && best != k; j++) {
      double *one = j < n ? &a[k * n + j] : &x[k], *other = j < n ? &a[best * n + j] : &x[best], t = *one;
      *one = *other;
      *other = t;
    }
    for (int i = 0; i < n; i++) {
      const double f = i == k ? 0.0 : a[i * n + k] / a[k * n + k];
      for (int j = k; j < n && i != k; j++)
        a[i * n + j] -= f * a[k * n + j];
      x[i] -= f * x[k];
    }
  }
  for (int k = 0; k < n; k++)
    x[k] /= a[k * n + k];
}

/* --- the map ------- */

/* (M + beta h^2 J_p' w^2 J_p) a + J_k' lambda = f - J_p' w^2 g, J_k a = 0, as one dense system. */
static void dense(const Kind *kind, double reach, const double *q, const double *f, double *a)
{
  enum { ALL = DIM + KEPT };
  double matrix[ALL * ALL] = {0}, x[ALL] = {0};
  for (int i = 0; i < DIM; i++) {
    matrix[i * ALL + i] = kind->mass[i / 3];
    x[i] = f[i];
  }
  for (int c = 0; c < NCON; c++) {
    const int i = kind->con[c].site[0], j = kind->con[c].site[1];
    double row[DIM] = {0}, g = -kind->con[c].param[0] * kind->con[c].param[0];
    for (int d = 0; d < 3; d++) {
      const double r = q[3 * i + d] - q[3 * j + d];
      g += r * r;
      row[3 * i + d] = 2.0 * r;
      row[3 * j + d] = -2.0 * r;
    }
    for (int k = 0; k < DIM; k++) {
      if (c < KEPT) {
        matrix[k * ALL + DIM + c] = matrix[(DIM + c) * ALL + k] = row[k];
        continue;
      }
      x[k] -= kind->w[c] * kind->w[c] * g * row[k];
      for (int l = 0; l < DIM; l++)
        matrix[k * ALL + l] += reach * kind->w[c] * kind->w[c] * row[k] * row[l];
    }
  }
  solve(ALL, matrix, x);
  memcpy(a, x, DIM * sizeof *a);
}

TEST(map_is_that_of_a_dense_solve)
{
  const double h = 0.05;
  const Kind kind = branch(30.0, 7.0), kept = kind_kept(&kind);
  ck_assert_int_eq(kept.ncon, KEPT);
  srand48(5);
  for (int isa = 0; isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    Accel *map;
    Projector *onto;
    const AccelOptions o = {.h = h, .beta = 0.4, .w = 99.0, .hessian = HESSIAN_GAUSS_NEWTON};
    fine(accel_create(&map, accel_map_find("zss"), &kind, &o, (Isa)isa, &error));
    fine(projector_create(&onto, &kept, NULL, true, (Isa)isa, &error));
    Vec8 q[DIM], f[DIM], active = vec8_set(1.0), *scratch;
    scratch = aligned_alloc(sizeof(Vec8), (accel_scratch(map) + projector_scratch(onto)) * sizeof *scratch);
    Pack pack = {.kind = &kind, .q = q, .p = f, .f = f, .active = &active, .scratch = scratch};
    double x[LANES][DIM], force[LANES][DIM], a[DIM];
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < DIM; i++) {
        q[i][l] = x[l][i] = branch_reference[i] + (i >= 9 ? 0.1 * uniform() : 0.0);
        f[i][l] = force[l][i] = 20.0 * uniform();
      }
    ck_assert_uint_eq(accel_map_find("zss")->apply(map, &pack, NULL), 0);
    ck_assert_uint_eq(projector_apply(onto, &pack, NULL), 0); /* what is kept takes its part */
    for (int l = 0; l < LANES; l++) {
      dense(&kind, 0.4 * h * h, x[l], force[l], a);
      for (int i = 0; i < DIM; i++)
        ck_assert_double_eq_tol(f[i][l] / kind.mass[i / 3], a[i], 1e-9);
    }
    free(scratch);
    projector_free(onto);
    accel_free(map);
  }
}

/* --- steps ------- */

static const struct {
  const char *method, *accel;
} ways[] = {{"rattle", "zss"}, {"shake", "zss"}, {"rattle", "verlet"}, {"shake", "verlet"}};
enum { WAYS = sizeof ways / sizeof *ways };

TEST(steps_go_back, .rows = WAYS)
{
  const bool filtered = strcmp(ways[_i].accel, "zss") == 0;
  const Kind kind = branch(filtered ? 60.0 : 10.0, filtered ? 25.0 : 14.0), *const one = &kind;
  const PlanOptions o = held(ways[_i].method, ways[_i].accel, "BAB", filtered ? 0.05 : 0.02);
  double start[WIDE][DIM], x[DIM], most = 0.0, moved = 0.0;
  Run r;
  run_open(&r, &o, 1, &one, WIDE);
  for (int l = 0; l < WIDE; l++)
    get(&r, 'q', l, start[l]);
  for (int way = 0; way < 2; way++) {
    go(&r, 300);
    for (int l = 0; l < WIDE; l++) {
      get(&r, 'q', l, x);
      if (way == 0)
        moved = fmax(moved, apart(DIM, x, start[l]));
      else
        most = fmax(most, apart(DIM, x, start[l]));
      get(&r, 'p', l, x);
      for (int i = 0; i < DIM; i++)
        x[i] = -x[i];
      set(&r, 'p', l, x);
    }
  }
  WalkMotion motion;
  walk_motion(r.walk, &motion);
  for (int l = 0; l < WIDE; l++) {
    ck_assert_double_lt(motion.residual[l], 1e-12);
    ck_assert_double_lt(motion.speed[l], 1e-10);
  }
  ck_assert_double_gt(moved, 1.0);
  ck_assert_msg(most < 1e-7, "%g", most);
  run_close(&r);
}

static void end_of(const Kind *kind, const PlanOptions *options, double h, double time, double *x)
{
  PlanOptions o = *options;
  Run r;
  o.h = h;
  run_open(&r, &o, 1, &kind, WIDE);
  go(&r, lround(time / h));
  get(&r, 'q', 3, x);
  run_close(&r);
}

TEST(steps_are_of_second_order, .rows = WAYS)
{
  const Kind kind = branch(12.0, 8.0);
  const PlanOptions o = held(ways[_i].method, ways[_i].accel, "BAB", 0.01);
  double x[4][DIM];
  for (int k = 0; k < 4; k++)
    end_of(&kind, &o, 4e-3 / (1 << k), 1.0, x[k]);
  const double first = apart(DIM, x[0], x[1]) / apart(DIM, x[1], x[2]),
               second = apart(DIM, x[1], x[2]) / apart(DIM, x[2], x[3]);
  ck_assert_msg(fabs(first - 4.0) < 0.5 && fabs(second - 4.0) < 0.15, "%g, %g", first, second);
}

/* Trajectories of all replicas in steps that hardly count, beside those where all five are kept. */
TEST(penalties_become_constraints, .rows = 2)
{
  const double h = 2.5e-4;
  PlanOptions o = held("rattle", _i == 0 ? "verlet" : "zss", "BAB", h);
  o.tangent = true; /* momenta are drawn alike */
  Kind all = branch(1.0, 1.0);
  all.w = NULL;
  const PlanOptions rigid = held("rattle", "verlet", "BAB", h);
  double most[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    const Kind soft = branch(k == 0 ? 40.0 : 120.0, k == 0 ? 60.0 : 180.0), *const one = &soft,
               *const other = &all;
    double x[DIM], y[DIM];
    Run r, to;
    run_open(&r, &o, 1, &one, WIDE);
    run_open(&to, &rigid, 1, &other, WIDE);
    for (int i = 0; i < 20; i++) {
      go(&r, 200);
      go(&to, 200);
      for (int l = 0; l < WIDE; l++) {
        get(&r, 'q', l, x);
        get(&to, 'q', l, y);
        most[k] = fmax(most[k], apart(DIM, x, y));
      }
    }
    run_close(&r);
    run_close(&to);
  }
  const double ratio = most[0] / most[1];
  ck_assert_msg(ratio > 7.5 && ratio < 10.5, "%g: %g, %g", ratio, most[0], most[1]);
}

/* Change of momentum = forces, penalties and what is kept, to second order in the step: the latter's are
 * means over it, about its middle. */
static double unbalanced(const char *method, const char *accel, double h)
{
  const Kind kind = branch(25.0, 18.0), *const one = &kind;
  PlanOptions o = held(method, accel, "BAB", h);
  double q[2][DIM], p[2][DIM], f[DIM] = {0}, lambda[2][NCON], most = 0.0;
  Run r;
  o.keep_multipliers = true;
  run_open(&r, &o, 1, &one, WIDE);
  go(&r, lround(0.2 / h));
  for (int k = 0; k < 2; k++) {
    go(&r, 1);
    get(&r, 'q', 2, q[k]);
    get(&r, 'p', 2, p[k]);
    walk_multipliers(r.walk, 2, 0, lambda[k]);
  }
  for (int k = 0; k < 2; k++) {
    Vec8 at[DIM], force[DIM] = {{0}};
    for (int i = 0; i < DIM; i++)
      at[i] = vec8_set(q[k][i]);
    kind_potential(&kind, at, NULL, force);
    for (int c = 0; c < NCON; c++)
      for (int d = 0; d < 3; d++) {
        const int i = 3 * kind.con[c].site[0] + d, j = 3 * kind.con[c].site[1] + d;
        const double pull = 2.0 * (q[k][i] - q[k][j]) * lambda[c < KEPT ? 1 : k][c];
        f[i] += 0.5 * pull;
        f[j] -= 0.5 * pull;
      }
    for (int i = 0; i < DIM; i++)
      f[i] += 0.5 * force[i][0];
  }
  for (int i = 0; i < DIM; i++)
    most = fmax(most, fabs((p[1][i] - p[0][i]) / h - f[i]));
  run_close(&r);
  return most;
}

TEST(multipliers_are_forces, .rows = WAYS)
{
  if (strcmp(ways[_i].method, "shake") == 0)
    return; /* its momenta have a part across */
  const double coarse = unbalanced(ways[_i].method, ways[_i].accel, 4e-3),
               fine_one = unbalanced(ways[_i].method, ways[_i].accel, 1e-3);
  ck_assert_msg(coarse < 2.0 && coarse / fine_one > 8.0, "%g, %g", coarse, fine_one);
}

/* What the map has added to the forces is what the penalties' multipliers say, to rounding. */
TEST(multipliers_are_what_the_map_applies, .rows = 2)
{
  const Kind kind = branch(60.0, 35.0), *const one = &kind;
  const PlanOptions o = held("rattle", _i == 0 ? "zss" : "verlet", "BAB", _i == 0 ? 0.05 : 0.01);
  const Team team = team_alone();
  Vec8 force[DIM] = {{0}};
  double lambda[NCON], size = 0.0;
  Run r;
  run_open(&r, &o, 1, &one, WIDE);
  go(&r, 50);
  fine(walk_prepare(r.walk, &team, &error));
  const Block *b = &r.state->block[0];
  walk_multipliers(r.walk, 5, 0, lambda);
  kind_potential(&kind, b->q, NULL, force);
  for (int c = KEPT; c < NCON; c++)
    for (int d = 0; d < 3; d++) {
      const int i = 3 * kind.con[c].site[0] + d, j = 3 * kind.con[c].site[1] + d;
      const double pull = 2.0 * (b->q[i][5] - b->q[j][5]) * lambda[c];
      force[i][5] += pull;
      force[j][5] -= pull;
      size = fmax(size, fabs(pull));
    }
  ck_assert_double_gt(size, 1.0);
  for (int i = 0; i < DIM; i++)
    ck_assert_double_eq_tol(b->f[i][5], force[i][5], 1e-9 * size);
  run_close(&r);
}

/* --- heat ------- */

/* Noise on all that is not kept: 1/2 kT for each momentum and each penalty; along the manifold alone: for
 * the former but those of the penalties, and nothing for these. */
TEST(equipartition, .rows = suite_rows(2, 8))
{
  enum { SAMPLES = 4000 };
  static double kinetic[SAMPLES], penalty[SAMPLES], drift[2];
  const bool tangent = _i % 2 == 1;
  const Kind kind = branch(20.0, 30.0), *const one = &kind;
  PlanOptions o =
      held(_i / 2 % 2 == 0 ? "rattle" : "shake", _i / 4 % 2 == 0 ? "zss" : "verlet", "BAOAB", 3e-3);
  o.gamma = 2.0;
  o.tangent = tangent;
  o.keep_heat = true;
  Run r;
  run_open(&r, &o, 1, &one, WIDE);
  const int nmol = 1, freedom = plan_freedom(r.plan, &nmol);
  ck_assert_int_eq(freedom, tangent ? DIM - NCON : DIM - KEPT);
  const Team team = team_alone();
  for (int i = -100; i < SAMPLES; i++) {
    double k[WIDE], term[WIDE], v[WIDE], thermal[WIDE], total = 0.0;
    const WalkEnergies to = {k, term, v, NULL, NULL, thermal};
    go(&r, 25);
    fine(walk_energies(r.walk, &team, &to, &error));
    if (i >= 0)
      kinetic[i] = penalty[i] = 0.0;
    for (int l = 0; l < WIDE; l++) {
      total += (k[l] + term[l] + v[l] - r.state->block[0].heat[0][l]) / WIDE;
      if (i >= 0) {
        kinetic[i] += thermal[l] / WIDE;
        penalty[i] += v[l] / WIDE;
      }
    }
    drift[i >= 0] = total;
  }
  const double off = deviation(kinetic, SAMPLES, 40, 0.5 * o.kT * freedom);
  ck_assert_msg(fabs(off) < 4.5, "%g errors", off);
  double mean = 0.0;
  for (int i = 0; i < SAMPLES; i++)
    mean += penalty[i] / SAMPLES;
  if (tangent)
    ck_assert_double_lt(mean, 0.25 * 0.5 * o.kT * (NCON - KEPT));
  else
    ck_assert_double_eq_tol(mean, 0.5 * o.kT * (NCON - KEPT), 0.06 * o.kT);
  ck_assert_msg(fabs(drift[1] - drift[0]) < 0.5, "%g", drift[1] - drift[0]);
  run_close(&r);
}

/* --- several kinds ------- */

/* Beside each other, one kind kept and one penalised go as each does alone. */
TEST(kinds_go_their_own_way)
{
  static const double kept[3] = {INFINITY, INFINITY, INFINITY}, soft[NCON] = {25, 25, 25, 25, 25};
  Kind water = kinds[KIND_OHH], chain = branch(1.0, 1.0), alike[2];
  alike[0] = water;
  alike[1] = chain;
  alike[0].npot = 0;
  water.w = kept;
  chain.w = soft;
  alike[1].w = NULL;
  const Kind *const both[2] = {&water, &chain};
  const PlanOptions o = held("rattle", "zss", "BAB", 0.02);
  for (int k = 0; k < 2; k++) {
    PlanOptions own = o;
    const Kind *const one = &alike[k];
    double x[2][DIM];
    Run together, alone;
    run_open(&together, &o, 2, both, WIDE);
    own.constraints = k == 0 ? "rattle" : NULL;
    own.accel = k == 0 ? "verlet" : "zss";
    own.w = k == 0 ? 0.0 : 25.0;
    run_open(&alone, &own, 1, &one, WIDE);
    for (int l = 0; l < WIDE; l++) { /* alike, whatever was drawn */
      state_get(&together.state->block[k], WIDE, together.state->block[k].p, l, x[0]);
      state_set(&alone.state->block[0], WIDE, alone.state->block[0].p, l, x[0]);
      state_get(&together.state->block[k], WIDE, together.state->block[k].q, l, x[0]);
      state_set(&alone.state->block[0], WIDE, alone.state->block[0].q, l, x[0]);
    }
    go(&together, 100);
    go(&alone, 100);
    for (int l = 0; l < WIDE; l++) {
      state_get(&together.state->block[k], WIDE, together.state->block[k].q, l, x[0]);
      state_get(&alone.state->block[0], WIDE, alone.state->block[0].q, l, x[1]);
      ck_assert_int_eq(memcmp(x[0], x[1], sizeof(double) * (size_t)(3 * one->nsite)), 0);
    }
    run_close(&together);
    run_close(&alone);
  }
}

static void refused(const Kind *kind, const PlanOptions *o, const char *words)
{
  Plan *plan = NULL;
  ck_assert_int_eq(plan_create_kinds(&plan, 1, &kind, o, &error), STATUS_INPUT);
  ck_assert_ptr_null(plan);
  ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
}

TEST(what_does_not_go_together)
{
  const Kind kind = branch(20.0, 30.0);
  PlanOptions o = held("rattle", "zss", "BAB", 0.01);
  o.hessian = HESSIAN_FULL;
  refused(&kind, &o, "use hessian: gauss-newton");
  o = held("rattle", "zss-block", "BAB", 0.01);
  refused(&kind, &o, "use zss or verlet");
  o = held("rattle", "newmark", "BAB", 0.01);
  refused(&kind, &o, "use zss or verlet");
  o = held(NULL, "zss", "BAB", 0.01);
  refused(&kind, &o, "rattle or shake");
  Kind rigid = kind;
  rigid.w = (const double[NCON]){INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  o = held("rattle", "zss", "BAB", 0.01);
  refused(&rigid, &o, "verlet");
}
