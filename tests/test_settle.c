/* Constraint solvers: SETTLE against Newton, what they conserve, that they say so when they fail. */
#include "integrators/constraints.h"
#include "integrators/letters.h"
#include "integrators/projector.h"
#include "tests/molecules.h"
#include "tests/residual.h"
#include "tests/suite.h"

static const ConstraintOptions tight = {1e-14, 50, NULL}, usual = {1e-12, 50, NULL},
                               patient = {1e-12, 1000, NULL}; /* sweeps of gauss-seidel */

/* A solver with the projector that goes with it. */
typedef struct Solver {
  const ConstraintSolver *ops;
  void *self;
  Projector *projector;
  const LetterKernels *letters;
  Vec8 *scratch;
} Solver;

static Solver solver_open(const char *name, const Kind *kind, const ConstraintOptions *options, Isa isa)
{
  Solver s = {.ops = constraint_solver_find(name), .letters = letter_kernels(isa)};
  Error error;
  ck_assert_ptr_nonnull(s.ops);
  ck_assert(s.ops->fits(kind));
  ck_assert_int_eq(s.ops->create(&s.self, kind, options, isa, &error), STATUS_OK);
  ck_assert_int_eq(projector_create(&s.projector, kind, NULL, true, isa, &error), STATUS_OK);
  const size_t solve = s.ops->scratch != NULL ? s.ops->scratch(s.self) : 0;
  s.scratch = aligned_alloc(sizeof(Vec8), (1 + solve + projector_scratch(s.projector)) * sizeof(Vec8));
  return s;
}

static void solver_close(Solver *s)
{
  s->ops->free(s->self);
  free(s->scratch);
  projector_free(s->projector);
}

/* q += t M^-1 p and back onto the manifold. */
static unsigned drift(const Solver *s, double t, Pack *pack, Vec8 *nu)
{
  Vec8 old[COORDINATES];
  memcpy(old, pack->q, (size_t)coordinates(pack->kind) * sizeof(Vec8));
  s->letters->drift(t, pack);
  pack->scratch = s->scratch;
  return s->ops->positions(s->self, t, old, pack, nu);
}

TEST(table_is_sound)
{
  for (const ConstraintSolver *const *row = constraint_solvers; *row != NULL; row++)
    ck_assert_ptr_eq(constraint_solver_find((*row)->name), *row);
  ck_assert_ptr_null(constraint_solver_find("setle"));
  for (const ConstraintMethod *const *row = constraint_methods; *row != NULL; row++)
    ck_assert_ptr_eq(constraint_method_find((*row)->name), *row);
  ck_assert_ptr_null(constraint_method_find("newton"));
  ck_assert(constraint_method_find("shake")->lazy && !constraint_method_find("rattle")->lazy);
}

/* One large step from momenta that need not be tangent: the same positions, momenta and multipliers. */
TEST(settle_is_newton, .rows = 3)
{
  const Kind *kind = &kinds[_i];
  srand48(11);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    Solver settle = solver_open("settle", kind, &tight, isa),
           newton = solver_open("newton", kind, &tight, isa);
    for (int k = 0; k < 50; k++) {
      Molecules a, b;
      Vec8 nu_a[3], nu_b[3];
      const double t = k % 2 ? 0.05 : -0.05;
      molecules_random(kind, 20.0, 2.0, &a);
      b = a;
      Pack pack_a = molecules_pack(kind, &a), pack_b = molecules_pack(kind, &b);
      ck_assert_uint_eq(drift(&settle, t, &pack_a, nu_a), 0);
      ck_assert_uint_eq(drift(&newton, t, &pack_b, nu_b), 0);
      for (int i = 0; i < 9; i++) {
        ck_assert_double_lt(largest(a.q[i] - b.q[i]), 1e-12);
        ck_assert_double_lt(largest(a.p[i] - b.p[i]), 1e-11);
      }
      for (int c = 0; c < 3; c++)
        ck_assert_double_lt(largest(nu_a[c] - nu_b[c]), 1e-11);
    }
    solver_close(&settle);
    solver_close(&newton);
  }
}

/* Newton on any kind: on the manifold, and what moved is t M^-1 J_old' nu, what kicked J_old' nu. */
TEST(newton_moves_along_the_old_gradients, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  const int n = coordinates(kind);
  const double t = 0.05;
  srand48(12);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    Solver s = solver_open("newton", kind, &usual, isa);
    Molecules m, before;
    Vec8 nu[CONSTRAINTS], j[CONSTRAINTS][COORDINATES], residual;
    molecules_random(kind, 2.0, 2.0, &m);
    before = m;
    molecules_gradient(kind, before.q, j);
    Pack pack = molecules_pack(kind, &m);
    ck_assert_uint_eq(drift(&s, t, &pack, nu), 0);
    constraint_residual(&pack, &residual);
    ck_assert_double_lt(largest(residual), 1e-12);
    for (int i = 0; i < n; i++) {
      Vec8 kick = vec8_set(0.0);
      for (int c = 0; c < kind->ncon; c++)
        kick += j[c][i] * nu[c];
      ck_assert_double_lt(largest(m.p[i] - before.p[i] - kick), 1e-13);
      const Vec8 expected = before.q[i] + t * (before.p[i] + kick) / kind->mass[i / kind->dim];
      ck_assert_double_lt(largest(m.q[i] - expected), 1e-13);
    }
    solver_close(&s);
  }
}

/* Momentum and angular momentum of a free molecule, before and after the drift along the manifold. */
TEST(drift_conserves_momenta, .rows = KIND_PENDULUM)
{
  const Kind *kind = &kinds[_i];
  static const char *const names[2] = {"settle", "newton"};
  srand48(13);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int k = 0; k < 2; k++) {
      if (!isa_runs(isa) || !constraint_solver_find(names[k])->fits(kind))
        continue;
      Solver s = solver_open(names[k], kind, &tight, isa);
      Molecules m;
      Vec8 sum[2][6] = {0};
      molecules_random(kind, 2.0, 2.0, &m);
      Pack pack = molecules_pack(kind, &m);
      for (int after = 0; after < 2; after++) {
        for (int i = 0; i < 9; i++) {
          const int site = 3 * (i / 3), d = i % 3, e = (d + 1) % 3, f = (d + 2) % 3;
          sum[after][d] += m.p[i];
          sum[after][3 + d] += m.q[site + e] * m.p[site + f] - m.q[site + f] * m.p[site + e];
        }
        if (after == 0)
          ck_assert_uint_eq(drift(&s, 0.05, &pack, NULL), 0);
      }
      for (int d = 0; d < 6; d++)
        ck_assert_double_lt(largest(sum[1][d] - sum[0][d]), 5e-12);
      solver_close(&s);
    }
}

/* Half a step, reversed momenta, the same again: back at the start (RATTLE's map is reversible). */
TEST(step_is_reversible, .rows = KINDS * ISA_COUNT)
{
  const Isa isa = (Isa)(_i / KINDS);
  if (!isa_runs(isa))
    return;
  const Kind *kind = &kinds[_i % KINDS];
  const int n = coordinates(kind);
  srand48(14);
  Solver s =
      solver_open(constraint_solver_find("settle")->fits(kind) ? "settle" : "newton", kind, &tight, isa);
  Molecules m, start;
  molecules_random(kind, 2.0, 1.0, &m);
  Pack pack = molecules_pack(kind, &m);
  projector_apply(s.projector, &pack, NULL);
  start = m;
  for (int way = 0; way < 2; way++) {
    for (int step = 0; step < 10; step++) {
      s.letters->kick(0.01, &pack);
      projector_apply(s.projector, &pack, NULL);
      ck_assert_uint_eq(drift(&s, 0.02, &pack, NULL), 0);
      s.letters->kick(0.01, &pack);
      projector_apply(s.projector, &pack, NULL);
    }
    for (int i = 0; i < n; i++)
      m.p[i] = -m.p[i];
  }
  for (int i = 0; i < n; i++) {
    ck_assert_double_lt(largest(m.q[i] - start.q[i]), 1e-12);
    ck_assert_double_lt(largest(m.p[i] - start.p[i]), 1e-10);
  }
  solver_close(&s);
}

/* 1,000 steps with a random kick before each, the same for all solvers: the constraints stay, and the
 * trajectories are the same. SHAKE does not project between. */
TEST(trajectories_agree, .rows = ISA_COUNT)
{
  const Isa isa = (Isa)_i;
  if (!isa_runs(isa))
    return;
  const Kind *kind = &kinds[KIND_OHH];
  static const char *const names[3] = {"settle", "newton", "newton"};
  Molecules m[3];
  Vec8 worst = vec8_set(0.0);
  for (int k = 0; k < 3; k++) {
    Solver s = solver_open(names[k], kind, &tight, isa);
    srand48(15);
    molecules_random(kind, 20.0, 1.0, &m[k]);
    Pack pack = molecules_pack(kind, &m[k]);
    projector_apply(s.projector, &pack, NULL);
    for (int step = 0; step < 1000; step++) {
      Vec8 residual;
      for (int i = 0; i < 9; i++)
        for (int l = 0; l < LANES; l++)
          m[k].f[i][l] = 4.0 * uniform() - m[k].p[i][l];
      s.letters->kick(0.05, &pack);
      if (k < 2)
        projector_apply(s.projector, &pack, NULL);
      ck_assert_uint_eq(drift(&s, 0.05, &pack, NULL), 0);
      projector_apply(s.projector, &pack, NULL);
      constraint_residual(&pack, &residual);
      worst = vec8_select(residual > worst, residual, worst);
    }
    solver_close(&s);
  }
  ck_assert_double_lt(largest(worst), 1e-12);
  for (int k = 1; k < 3; k++)
    for (int i = 0; i < 9; i++) {
      ck_assert_double_lt(largest(m[k].q[i] - m[0].q[i]), 1e-9);
      ck_assert_double_lt(largest(m[k].p[i] - m[0].p[i]), 1e-9);
    }
}

/* The fast and the general Newton, and all instruction sets. */
TEST(routes_agree)
{
  static const char *const names[2] = {"settle", "newton"};
  Molecules start, out[2 * ISA_COUNT + 1];
  int n = 0;
  srand48(16);
  molecules_random(&kinds[KIND_OHH], 20.0, 2.0, &start);
  for (int k = 0; k < 2 * ISA_COUNT + 1; k++) {
    const Isa isa = k < 2 * ISA_COUNT ? (Isa)(k / 2) : ISA_PLAIN;
    const Kind *kind = &kinds[k < 2 * ISA_COUNT ? KIND_OHH : KIND_PLAIN];
    if (!isa_runs(isa))
      continue;
    Solver s = solver_open(k < 2 * ISA_COUNT ? names[k % 2] : "newton", kind, &tight, isa);
    out[n] = start;
    Pack pack = molecules_pack(kind, &out[n++]);
    ck_assert_uint_eq(drift(&s, 0.05, &pack, NULL), 0);
    solver_close(&s);
  }
  for (int k = 1; k < n; k++)
    for (int i = 0; i < 9; i++) {
      ck_assert_double_lt(largest(out[k].q[i] - out[0].q[i]), 1e-12);
      ck_assert_double_lt(largest(out[k].p[i] - out[0].p[i]), 1e-11);
    }
}

static void work_drift(void *context, Pack *pack) { drift(context, 0.05, pack, NULL); }

TEST(lanes_are_independent, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  srand48(17);
  for (const ConstraintSolver *const *row = constraint_solvers; *row != NULL; row++)
    for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
      if (!isa_runs(isa) || !(*row)->fits(kind))
        continue;
      Solver s = solver_open((*row)->name, kind,
                             *row == constraint_solver_find("gauss-seidel") ? &patient : &usual, isa);
      Molecules m;
      molecules_random(kind, 2.0, 1.0, &m);
      for (int i = 0; i < coordinates(kind); i++)
        m.p[i][3] *= 0.01; /* needs fewer iterations than the others */
      check_lanes_independent(kind, &m, work_drift, &s);
      solver_close(&s);
    }
}

/* Lane 5 is thrown too far, lane 6 as well but it is a tail lane, which stays as it is; the others must be
 * right. */
TEST(failures_are_reported, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  srand48(18);
  for (const ConstraintSolver *const *row = constraint_solvers; *row != NULL; row++)
    for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
      if (!isa_runs(isa) || !(*row)->fits(kind))
        continue;
      Solver s = solver_open((*row)->name, kind,
                             *row == constraint_solver_find("gauss-seidel") ? &patient : &usual, isa);
      Molecules m;
      Vec8 residual;
      molecules_random(kind, 2.0, 1.0, &m);
      m.active[6] = 0.0;
      for (int l = 5; l < 7; l++)
        for (int i = 0; i < coordinates(kind); i++)
          m.p[i][l] = 1e4 * uniform();
      const Molecules before = m;
      Pack pack = molecules_pack(kind, &m);
      ck_assert_uint_eq(drift(&s, 0.05, &pack, NULL), 1u << 5);
      constraint_residual(&pack, &residual);
      for (int l = 0; l < LANES; l++)
        ck_assert(l == 5 ? !(residual[l] < 1e-3) : residual[l] < 1e-12);
      for (int i = 0; i < coordinates(kind); i++)
        ck_assert_double_eq(m.p[i][6], before.p[i][6]);
      solver_close(&s);
    }
}

/* Turned about its own normal by an angle of t omega to first order: has a solution up to t omega = 1. */
TEST(settle_knows_how_far_it_goes, .rows = 3)
{
  const Kind *kind = &kinds[_i];
  const double t = 0.05;
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    Solver s = solver_open("settle", kind, &usual, isa);
    Molecules m = {.active = vec8_set(1.0)};
    double centre[3] = {0};
    for (int i = 0; i < 9; i++)
      centre[i % 3] += kind->mass[i / 3] * kind->reference[i] / kind_mass(kind);
    for (int l = 0; l < LANES; l++)
      for (int site = 0; site < 3; site++) {
        const double omega = (l < 4 ? 0.2 * (1 + l) : 0.2 * (2 + l)) / t, *at = kind->reference + 3 * site;
        for (int d = 0; d < 3; d++)
          m.q[3 * site + d][l] = at[d];
        m.p[3 * site][l] = -omega * kind->mass[site] * (at[1] - centre[1]);
        m.p[3 * site + 1][l] = omega * kind->mass[site] * (at[0] - centre[0]);
      }
    Pack pack = molecules_pack(kind, &m);
    ck_assert_uint_eq(drift(&s, t, &pack, NULL), 0xf0u);
    solver_close(&s);
  }
}

TEST(too_few_iterations_are_reported, .rows = KINDS * ISA_COUNT)
{
  const Isa isa = (Isa)(_i / KINDS);
  if (!isa_runs(isa))
    return;
  const Kind *kind = &kinds[_i % KINDS];
  const ConstraintOptions one = {1e-12, 1};
  srand48(19);
  Solver s = solver_open("newton", kind, &one, isa);
  Molecules m;
  molecules_random(kind, 2.0, 1.0, &m);
  for (int i = 0; i < coordinates(kind); i++)
    m.p[i][2] = 0.0; /* has nothing to do */
  Pack pack = molecules_pack(kind, &m);
  ck_assert_uint_eq(drift(&s, 0.05, &pack, NULL), 0xffu & ~(1u << 2));
  solver_close(&s);
}

TEST(bad_input_is_refused)
{
  Error error;
  void *self;
  const ConstraintOptions none = {0.0, 10}, never = {1e-12, 0};
  Kind kind = kinds[KIND_SCALENE];
  const ConstraintSolver *settle = constraint_solver_find("settle"),
                         *newton = constraint_solver_find("newton");
  ck_assert(!settle->fits(&kind) && !settle->fits(&kinds[KIND_CHAIN]) && !settle->fits(&kinds[KIND_PLAIN]));
  ck_assert_int_eq(settle->create(&self, &kind, &usual, ISA_PLAIN, &error), STATUS_INPUT);
  ck_assert_ptr_null(self);
  ck_assert_ptr_nonnull(strstr(error.text, "scalene"));
  ck_assert_int_eq(newton->create(&self, &kind, &none, ISA_PLAIN, &error), STATUS_INPUT);
  ck_assert_int_eq(newton->create(&self, &kind, &never, ISA_PLAIN, &error), STATUS_INPUT);
}
