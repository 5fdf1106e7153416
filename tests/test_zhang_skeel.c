/* Zhang-Skeel in full, simplified, and pushforward Newmark on systems with potentials of their own: order,
 * reversibility, symplecticity, stability, momentum maps, and one matrix route against another. */
#include "engine/state.h"
#include "forcefields/internal.h"
#include "formula/implicit.h"
#include "integrators/plan.h"
#include "tests/mechanical.h"
#include "tests/suite.h"
#include "tests/terms.h"

enum { SITES = 36 };
static const char *const name[SITES];
static const double zero[MOST];
static const double ones[SITES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* The double pendulum of Tao & Owhadi, sec. 4.1. */
static const Constraint pendulum_con[2] = {ANCHOR(0, 1, 0, 0), DISTANCE(0, 1, M_SQRT2)};
static const Potential pendulum_pot[2] = {FIELD(0, 0, -1), FIELD(1, 0, -1)};
static const double pendulum_q[4] = {0, -1, 1, -2};
static const Kind pendulum = {"pendulum",   2,   2, 2, ones, name, pendulum_con, pendulum_q, 2,
                              pendulum_pot, NULL};

/* Nothing special: every type of constraint and potential; three sites in space (unrolled), four. */
static const double mixed_mass[4] = {1.0, 2.0, 0.5, 1.5};
static const Constraint mixed_con[4] = {DISTANCE(1, 0, 1.1), ANCHOR(2, 1.5, 0.3, 0.2, -0.1),
                                        DOT(0, 2, 0.2, 1.3), DISTANCE(2, 3, 0.9)};
static const Potential mixed_pot[6] = {FIELD(1, 0.3, -0.2, 1),  SPRING(2, 1, 2.0, 0.7),
                                       QUARTIC(0, 2, 0.8, 1.2), WELL(1, 0.5, 0.1, 1.0),
                                       LINK(0, 1, 0.6),         SPRING(3, 0, 1.5, 1.3)};
static const double mixed_q[12] = {0.1, 0.2, -0.3, 1.2, 0.1, 0.2, -0.4, 1.3, 0.4, -0.3, 1.1, 1.2};
static const double mixed_p[12] = {0.3, -0.2, 0.5, 0.1, 0.7, -0.4, -0.6, 0.2, 0.1, 0.4, 0.2, -0.3};
static const Kind three = {"three", 3, 3, 3, mixed_mass, name, mixed_con, mixed_q, 5, mixed_pot, NULL};
static const Kind four = {"four", 4, 3, 4, mixed_mass, name, mixed_con, mixed_q, 6, mixed_pot, NULL};

/* One degree of freedom in a double well. */
static const Potential single_pot[1] = {WELL(0, 3.0, 0.0, 1.0)};
static const double single_q[1] = {0.4}, single_p[1] = {0.7};
static const Kind single = {"single", 1, 1, 0, ones, name, NULL, single_q, 1, single_pot, NULL};

/* Two sites and nothing else. */
static const Constraint rotor_con[1] = {DISTANCE(0, 1, 1.2)};
static const double rotor_q[6] = {0.1, 0.2, 0.3, 1.0, 0.8, 0.5},
                    rotor_p[6] = {0.5, -0.3, 0.8, -0.2, 0.6, -0.1};
static const Kind rotor = {"rotor", 2, 3, 1, mixed_mass, name, rotor_con, rotor_q, 0, NULL, NULL};

/* A ring of double wells along a line, banded. */
typedef struct Ring {
  Kind kind;
  Potential pot[2 * SITES];
  double q[SITES], p[SITES];
} Ring;

static void ring_set(Ring *r)
{
  for (int i = 0; i < SITES; i++) {
    r->pot[i] = (Potential)LINK(i, (i + 1) % SITES, 1.0);
    r->pot[SITES + i] = (Potential)WELL(i, 0.3, 0.0, 1.5);
    r->q[i] = 1.0 + 0.3 * sin(5.0 * i);
    r->p[i] = 0.4 * cos(3.0 * i);
  }
  r->kind = (Kind){"ring", SITES, 1, 0, ones, name, NULL, r->q, 2 * SITES, r->pot, NULL};
}

/* `chains` pendulum chains of `links` links hung beside each other, with springs to the next but one. */
typedef struct Chains {
  Kind kind;
  Constraint con[SITES];
  Potential pot[2 * SITES];
  double q[MOST], p[MOST];
} Chains;

static void chains_set(Chains *c, int chains, int links)
{
  int npot = 0;
  for (int i = 0; i < chains * links; i++) {
    const int k = i % links;
    c->con[i] = k == 0 ? (Constraint)ANCHOR(i, 1.0, 0.0, 0.0) : (Constraint)DISTANCE(i, i - 1, 1.0);
    c->pot[npot++] = (Potential)FIELD(i, 0.0, -1.0);
    if (k > 1)
      c->pot[npot++] = (Potential)SPRING(i - 2, i, 0.7, 1.8);
    c->q[2 * i] = 0.6 * (k + 1) + 0.05 * sin(7.0 * k);
    c->q[2 * i + 1] = -0.8 * (k + 1) + 0.05 * cos(5.0 * k);
    c->p[2 * i] = 0.2 * cos(3.0 * k);
    c->p[2 * i + 1] = 0.2 * sin(2.0 * k);
  }
  c->kind = (Kind){"chains", chains * links, 2, chains * links, ones, name, c->con, c->q, npot, c->pot, NULL};
}

static AccelOptions options_of(double h, double beta, double w)
{
  return (AccelOptions){.h = h, .beta = beta, .w = w, .hessian = HESSIAN_FULL};
}

static const char *const map_names[] = {"verlet", "zss", "zss-block", "zs", "newmark"};
enum { VERLET, ZSS, ZSS_BLOCK, ZS, NEWMARK, MAPS };

/* --- order and reversibility -----------------------------------------------------------------------------
 */

/* The pendulum after time 1 in steps of 1/n, penalties w = 5. */
static void travel(const char *map, int n, Copies *c)
{
  const AccelOptions o = options_of(1.0 / n, 0.4, 5.0);
  Stepper s = stepper_open(&pendulum, map, &o, isa_best());
  copies_set(&pendulum, pendulum_q, zero, c);
  stepper_run(&s, n, c);
  stepper_close(&s);
}

static double distance_of(const Kind *kind, const Copies *a, const Copies *b)
{
  double sum = 0.0;
  for (int i = 0; i < size_of(kind); i++)
    sum += (a->q[i][0] - b->q[i][0]) * (a->q[i][0] - b->q[i][0]) +
           (a->p[i][0] - b->p[i][0]) * (a->p[i][0] - b->p[i][0]);
  return sqrt(sum);
}

TEST(every_map_is_of_second_order, .rows = MAPS)
{
  Copies exact, coarse, fine;
  travel("verlet", 20000, &exact); /* off by a 400th of what `fine` is: the slope by 0.003 */
  travel(map_names[_i], 500, &coarse);
  travel(map_names[_i], 1000, &fine);
  const double slope = log2(distance_of(&pendulum, &coarse, &exact) / distance_of(&pendulum, &fine, &exact));
  ck_assert_msg(fabs(slope - 2.0) < 0.05, "%s: %g", map_names[_i], slope);
}

TEST(every_map_is_reversible, .rows = MAPS)
{
  Ring ring;
  ring_set(&ring);
  const Kind *const kind[3] = {&pendulum, &four, &ring.kind};
  const double *const q[3] = {pendulum_q, mixed_q, ring.q}, *const p[3] = {zero, mixed_p, ring.p};
  for (int k = 0; k < 3; k++) {
    const AccelOptions o = options_of(0.05, 0.3, _i == VERLET || k == 1 ? 3.0 : 20.0);
    Stepper s = stepper_open(kind[k], map_names[_i], &o, isa_best());
    Copies c, start;
    copies_set(kind[k], q[k], p[k], &c);
    start = c;
    for (int way = 0; way < 2; way++) {
      stepper_run(&s, 20, &c);
      for (int i = 0; i < size_of(kind[k]); i++)
        c.p[i] = -c.p[i];
    }
    ck_assert_msg(distance_of(kind[k], &c, &start) < 1e-10, "%s, %s: %g", map_names[_i], kind[k]->name,
                  distance_of(kind[k], &c, &start));
    stepper_close(&s);
  }
}

/* --- symplecticity ---------------------------------------------------------------------------------------
 */

static double defect(const Kind *kind, const char *map, const double *q, const double *p, double h, double w)
{
  const AccelOptions o = options_of(h, 0.4, w);
  Stepper s = stepper_open(kind, map, &o, isa_best());
  const double worst = symplectic_defect(&s, q, p);
  stepper_close(&s);
  return worst;
}

/* Theorems 1.2 and 2.4 of Tao & Owhadi: zs and newmark are symplectic, zss is not, unless in one degree of
 * freedom. */
TEST(symplectic_as_the_theory_has_it)
{
  Ring ring;
  ring_set(&ring);
  static const double pendulum_p[4] = {0.3, -0.2, 0.5, 0.4};
  static const int symplectic[3] = {VERLET, ZS, NEWMARK};
  for (int k = 0; k < 3; k++) {
    const char *map = map_names[symplectic[k]];
    ck_assert_double_lt(defect(&pendulum, map, pendulum_q, pendulum_p, 0.1, 4.0), 1e-8);
    ck_assert_double_lt(defect(&three, map, mixed_q, mixed_p, 0.1, 3.0), 1e-8);
    ck_assert_double_lt(defect(&four, map, mixed_q, mixed_p, 0.1, 3.0), 1e-8);
    ck_assert_double_lt(defect(&rotor, map, rotor_q, rotor_p, 0.1, 3.0), 1e-8);
    ck_assert_double_lt(defect(&ring.kind, map, ring.q, ring.p, 0.3, 0.0), 1e-8);
    ck_assert_double_lt(defect(&single, map, single_q, single_p, 0.3, 0.0), 1e-8);
  }
  ck_assert_double_gt(defect(&pendulum, "zss-block", pendulum_q, pendulum_p, 0.1, 4.0), 1e-5);
  ck_assert_double_gt(defect(&pendulum, "zss", pendulum_q, pendulum_p, 0.1, 4.0), 1e-5);
  ck_assert_double_gt(defect(&ring.kind, "zss-block", ring.q, ring.p, 0.3, 0.0), 1e-5);
  ck_assert_double_lt(defect(&single, "zss-block", single_q, single_p, 0.3, 0.0), 1e-8);
}

/* The DNA model of sec. 4.4 in coarse steps: a ring of base pairs, each in a Morse potential of its angle. */
TEST(base_pairs_in_coarse_steps)
{
  Ring ring;
  Expression *formula;
  Error error;
  ring_set(&ring);
  ck_assert_int_eq(
      implicit_formula(&formula, "(exp(-7*(1 - cos(x) - 0.3)) - 1)^2/1400", 1, 1, 0, NULL, NULL, &error),
      STATUS_OK);
  for (int i = 0; i < SITES; i++) {
    ring.pot[SITES + i] = (Potential){&potential_formula, 1, {i}, {0}, formula};
    ring.q[i] = 0.8 + 0.1 * sin(5.0 * i);
    ring.p[i] = cos(4.0 * M_PI * i / SITES) / 6.0;
  }
  static const double longest[MAPS] = {0.2, 0.2, 2.0, 2.0, 2.0};
  for (int m = 0; m < MAPS; m++) {
    AccelOptions o = options_of(longest[m], 0.3, 0.0);
    Stepper s = stepper_open(&ring.kind, map_names[m], &o, isa_best());
    const double worst = symplectic_defect(&s, ring.q, ring.p);
    ck_assert_msg(m == ZSS_BLOCK ? worst > 1e-5 : worst < 1e-8, "%s: %g", map_names[m], worst);
    stepper_close(&s);
  }
  expression_free(formula);
}

/* --- linear stability ------------------------------------------------------------------------------------
 */

/* A harmonic oscillator k x^2/2: the step's trace is 2 - z/(1 + beta z), z = h^2 k/m, its determinant 1. Both
 * eigenvalues then lie on the unit circle as long as |trace| <= 2, for every z iff beta >= 1/4. */
TEST(stable_from_beta_one_quarter_on, .first = ZSS_BLOCK, .rows = MAPS - ZSS_BLOCK)
{
  static const double beta[4] = {0.2, 0.24, 0.25, 0.4};
  const char *map = map_names[_i];
  for (int b = 0; b < 4; b++)
    for (double z = 1e-2; z < 1e9; z *= 10.0) {
      const Potential pot[1] = {{&potential_link, 1, {0}, {z, 0}, NULL}};
      const Kind kind = {"oscillator", 1, 1, 0, ones, name, NULL, zero, 1, pot, NULL};
      const AccelOptions o = options_of(1.0, beta[b], 0.0);
      Stepper s = stepper_open(&kind, map, &o, isa_best());
      double d[4];
      step_jacobian(&s, zero, zero, d);
      const double trace = 2.0 - z / (1.0 + beta[b] * z);
      ck_assert_double_eq_tol(d[0] + d[3], trace, 1e-9);
      ck_assert_double_eq_tol(d[0] * d[3] - d[1] * d[2], 1.0, 1e-9);
      if (fabs(trace) < 1.99) {
        const double modulus = sqrt(d[0] * d[3] - d[1] * d[2]);
        ck_assert_double_eq_tol(modulus, 1.0, 1e-9);
      }
      Copies c;
      const double q[1] = {1.0}, p[1] = {0.0};
      copies_set(&kind, q, p, &c);
      const int bounded = beta[b] >= 0.25 || fabs(trace) <= 2.0;
      stepper_run(&s, 200, &c); /* what grows, by up to 2.7 a step, stays a number when cubed */
      ck_assert_int_eq(fabs(c.q[0][0]) < 1.0 + 1e-6, bounded);
      stepper_close(&s);
    }
}

/* --- momenta ---------------------------------------------------------------------------------------------
 */

/* Linear and angular momentum of a free molecule. */
static void momenta_of(const Kind *kind, const Copies *c, double sum[6])
{
  memset(sum, 0, 6 * sizeof(double));
  for (int s = 0; s < kind->nsite; s++)
    for (int d = 0; d < 3; d++) {
      const int e = 3 * s + (d + 1) % 3, f = 3 * s + (d + 2) % 3;
      sum[d] += c->p[3 * s + d][0];
      sum[3 + d] += c->q[e][0] * c->p[f][0] - c->q[f][0] * c->p[e][0];
    }
}

TEST(momenta_are_conserved)
{
  static const int conserving[3] = {VERLET, ZS, NEWMARK};
  for (int k = 0; k < 3; k++) {
    const AccelOptions o = options_of(0.1, 0.3, k == 0 ? 2.0 : 10.0);
    Stepper s = stepper_open(&rotor, map_names[conserving[k]], &o, isa_best());
    Copies c;
    double before[6], after[6];
    copies_set(&rotor, rotor_q, rotor_p, &c);
    momenta_of(&rotor, &c, before);
    stepper_run(&s, 1000, &c);
    momenta_of(&rotor, &c, after);
    for (int i = 0; i < 6; i++)
      ck_assert_double_eq_tol(after[i], before[i], 1e-11);
    stepper_close(&s);
  }
}

/* --- one map against another -----------------------------------------------------------------------------
 */

static double apart(const char *a, const char *b, double h)
{
  const AccelOptions o = options_of(h, 0.4, 5.0);
  Copies c[2];
  for (int k = 0; k < 2; k++) {
    Stepper s = stepper_open(&four, k == 0 ? a : b, &o, isa_best());
    copies_set(&four, mixed_q, mixed_p, &c[k]);
    stepper_run(&s, 1, &c[k]);
    stepper_close(&s);
  }
  return distance_of(&four, &c[0], &c[1]);
}

/* A step by zss-block is off the others by h^5/4 beta^2 D3V[a, a]; zs is Newmark's expansion one order
 * further: h^7. */
TEST(maps_agree_to_high_order)
{
  const double h = 0.008;
  const double first = log2(apart("zss-block", "zs", h) / apart("zss-block", "zs", 0.5 * h));
  const double second = log2(apart("zss-block", "newmark", h) / apart("zss-block", "newmark", 0.5 * h));
  const double third = log2(apart("zs", "newmark", 2 * h) / apart("zs", "newmark", h));
  ck_assert_msg(fabs(first - 5.0) < 0.15 && fabs(second - 5.0) < 0.15 && fabs(third - 7.0) < 0.3, "%g %g %g",
                first, second, third);
}

/* M a + grad V(x + beta h^2 a) = 0, in every lane with a state of its own. */
TEST(newmark_solves_its_equation)
{
  const AccelOptions o = options_of(0.1, 0.4, 10.0);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    Stepper s = stepper_open(&four, "newmark", &o, isa);
    Stepper plain = stepper_open(&four, "verlet", &o, isa);
    Copies c, moved;
    copies_set(&four, mixed_q, mixed_p, &c);
    for (int i = 0; i < 12; i++)
      for (int l = 0; l < LANES; l++)
        c.q[i][l] += 0.05 * sin(3.0 * i + 5.0 * l);
    ck_assert_uint_eq(ACCEL_FAILED(stepper_force(&s, &c)), 0);
    moved = c;
    for (int i = 0; i < 12; i++)
      moved.q[i] += 0.4 * 0.01 / mixed_mass[i / 3] * c.f[i];
    stepper_force(&plain, &moved);
    for (int i = 0; i < 12; i++)
      for (int l = 0; l < LANES; l++)
        ck_assert_double_eq_tol(moved.f[i][l], c.f[i][l], 1e-9 * (1.0 + fabs(c.f[i][l])));
    stepper_close(&s);
    stepper_close(&plain);
  }
}

/* Chains of 10 to 15 links alone have a dense matrix, two of them in one kind a banded one. */
TEST(banded_is_dense, .rows = MAPS)
{
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int links = 10; isa_runs(isa) && links <= 15; links++) {
      Chains one, two;
      chains_set(&one, 1, links);
      chains_set(&two, links > 11 ? 2 : 3, links);
      const AccelOptions o = options_of(0.05, 0.4, 20.0);
      Stepper dense = stepper_open(&one.kind, map_names[_i], &o, isa);
      Stepper band = stepper_open(&two.kind, map_names[_i], &o, isa);
      Copies a, b;
      copies_set(&one.kind, one.q, one.p, &a);
      copies_set(&two.kind, two.q, two.p, &b);
      const int n = 2 * links;
      for (int l = 0; l < LANES; l++)
        for (int i = 0; i < size_of(&two.kind); i++) {
          const double off = 0.01 * sin(3.0 * (i % n) + 2.0 * l);
          b.q[i][l] += off;
          if (i < n)
            a.q[i][l] += off;
        }
      ck_assert_uint_eq(stepper_force(&dense, &a), 0);
      ck_assert_uint_eq(stepper_force(&band, &b), 0);
      for (int i = 0; i < size_of(&two.kind); i++)
        for (int l = 0; l < LANES; l++)
          ck_assert_double_eq_tol(b.f[i][l], a.f[i % n][l], 1e-11 * (1.0 + fabs(a.f[i % n][l])));
      stepper_close(&dense);
      stepper_close(&band);
    }
}

/* Links pressed together until the matrix is not positive definite: reported, and solved by exchanges. */
TEST(indefinite_bands_are_solved, .first = ZSS, .rows = ZS + 1 - ZSS)
{
  Chains one, two;
  chains_set(&one, 1, 15);
  chains_set(&two, 2, 15);
  for (int i = 0; i < 30; i++)
    two.q[i] = two.q[30 + i] = one.q[i] *= 0.3;
  const AccelOptions o = options_of(0.3, 0.4, 20.0);
  Stepper dense = stepper_open(&one.kind, map_names[_i], &o, isa_best());
  Stepper band = stepper_open(&two.kind, map_names[_i], &o, isa_best());
  Copies a, b;
  copies_set(&one.kind, one.q, one.p, &a);
  copies_set(&two.kind, two.q, two.p, &b);
  ck_assert_uint_eq(stepper_force(&dense, &a), 0xff);
  ck_assert_uint_eq(stepper_force(&band, &b), 0xff);
  for (int i = 0; i < 60; i++)
    ck_assert_double_eq_tol(b.f[i][0], a.f[i % 30][0], 1e-9 * (1.0 + fabs(a.f[i % 30][0])));
  stepper_close(&dense);
  stepper_close(&band);
}

/* A lane's bits with its neighbours gone wild or standing still. */
TEST(lanes_of_bands_are_independent, .rows = MAPS)
{
  Chains two;
  Ring ring;
  chains_set(&two, 2, 16);
  ring_set(&ring);
  const Kind *const kind[2] = {&two.kind, &ring.kind};
  const double *const q[2] = {two.q, ring.q}, *const p[2] = {two.p, ring.p};
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int k = 0; isa_runs(isa) && k < 2; k++) {
      const AccelOptions o = options_of(0.05, 0.4, 20.0);
      Stepper s = stepper_open(kind[k], map_names[_i], &o, isa);
      Copies c, other;
      copies_set(kind[k], q[k], p[k], &c);
      other = c;
      for (int i = 0; i < size_of(kind[k]); i++)
        for (int l = 0; l < LANES; l++)
          if (l != 3)
            other.q[i][l] = 2.0 * sin(11.0 * i + l);
      stepper_force(&s, &c);
      stepper_force(&s, &other);
      for (int i = 0; i < size_of(kind[k]); i++)
        ck_assert_int_eq(((Vec8Mask)c.f[i])[3], ((Vec8Mask)other.f[i])[3]);
      stepper_close(&s);
    }
}

/* --- what cannot be --------------------------------------------------------------------------------------
 */

/* One iteration does not solve: the walk says which step, replica and map. */
TEST(unsolved_systems_are_reported)
{
  Error error;
  State *state;
  Plan *plan;
  Walk *walk;
  ForceField field = {.n = 1};
  const Kind *kind = &pendulum;
  const int one = 1;
  const PlanOptions o = {.word = "BAB",
                         .h = 0.1,
                         .accel = "newmark",
                         .beta = 0.4,
                         .w = 20.0,
                         .max_iterations = 1,
                         .isa = isa_best()};
  const Team team = {.rank = 0, .size = 1};
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &one, 1, 40, &error), STATUS_OK);
  ck_assert_int_eq(internal_create(&field.force[0], state, &error), STATUS_OK);
  ck_assert_int_eq(plan_create(&plan, kind, &o, &error), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &field, state, &error), STATUS_OK);
  walk_attach(walk, state, RANDOM_TEST);
  (void)walk_prepare(walk, &team, NULL);
  ck_assert_int_eq(walk_run(walk, &team, 3, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "replica 40") != NULL && strstr(error.text, "newmark") != NULL, "%s",
                error.text);
  walk_free(walk);
  plan_free(plan);
  force_field_free(&field);
  state_free(state);
}

static Status pull(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                   Error *error)
{
  (void)self;
  (void)team;
  (void)state;
  (void)groups;
  (void)sums;
  (void)error;
  return STATUS_OK;
}

/* Of forces from outside the maps know values alone. */
TEST(forces_from_outside_are_refused)
{
  static const ForceOps ops = {.name = "pull", .add = pull};
  static const char *const wants[2] = {"zs", "newmark"};
  const ForceField field = {.n = 1, .force = {{&ops, NULL}}};
  const Kind *kind = &pendulum;
  const int one = 1;
  Error error;
  State *state;
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &one, 1, 0, &error), STATUS_OK);
  for (int k = 0; k < 2; k++) {
    Plan *plan;
    Walk *walk;
    const PlanOptions o = {
        .word = "BAB", .h = 0.1, .accel = wants[k], .beta = 0.4, .w = 20.0, .isa = isa_best()};
    ck_assert_int_eq(plan_create(&plan, kind, &o, &error), STATUS_OK);
    ck_assert_int_eq(walk_create(&walk, plan, &field, state, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, wants[k]));
    plan_free(plan);
  }
  state_free(state);
}
