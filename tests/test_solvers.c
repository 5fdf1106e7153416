/* Constraint solvers on chains, rings, stars and trees of any size: they agree, and the steps made of them
 * have the laws of SHAKE and RATTLE. */
#include "integrators/motion.h"
#include "tests/figures.h"
#include "tests/suite.h"
#include "thermostat/ou.h"

/* --- solvers ------------------------------------------------------------------------------------------- */

/* The same positions, momenta and multipliers from all solvers that fit; and they move along the old
 * gradients: q - q_old = t M^-1 p. */
static void check_agreement(Shape shape, int nsite, int dim, bool shuffled, Isa isa)
{
  static const char *const names[3] = {"newton", "gauss-seidel", "milc"};
  Figure *f = figure_make(shape, nsite, dim, shuffled);
  Scene *first = NULL;
  const double t = 0.05;
  for (int k = 0; k < 3; k++) {
    const ConstraintSolver *solver = constraint_solver_find(names[k]);
    const bool path = shape <= CHAIN || (shape == STAR && nsite <= 3) || (shape == TREE && nsite <= 3);
    if (k == 2)
      ck_assert_int_eq(solver->fits(&f->kind), path);
    if (!solver->fits(&f->kind))
      continue;
    Scene *s = scene_open(&f->kind, names[k], 1e-14, k == 1 ? 20000 : 50, isa);
    if (first == NULL)
      scene_random(s, 1.0);
    else
      scene_copy(s, first);
    if (first == NULL) {
      first = scene_open(&f->kind, "newton", 1e-14, 50, isa);
      scene_copy(first, s); /* the start */
    }
    Scene *start = scene_open(&f->kind, "newton", 1e-14, 50, isa);
    scene_copy(start, first);
    ck_assert_uint_eq(drift(s, t), 0);
    ck_assert_double_lt(residual(s), 1e-12);
    for (int i = 0; i < s->n; i++) {
      const double m = f->mass[i / dim];
      ck_assert_double_lt(largest(s->q[i] - s->old[i] - t / m * s->p[i]), 1e-12);
    }
    ck_assert_uint_eq(drift(start, t), 0);
    ck_assert_double_lt(difference(s, start, false), 1e-11);
    ck_assert_double_lt(difference(s, start, true), 1e-9);
    for (int c = 0; c < f->kind.ncon; c++)
      ck_assert_double_lt(largest(s->nu[c] - start->nu[c]), 1e-9);
    scene_close(start);
    scene_close(s);
  }
  scene_close(first);
  figure_free(f);
}

TEST(solvers_agree, .rows = SHAPES)
{
  static const int sizes[] = {2, 3, 9, 18, 40};
  srand48(1 + _i);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (size_t k = _i == RING ? 1 : 0; isa_runs(isa) && k < sizeof sizes / sizeof *sizes; k++)
      for (int dim = 2; dim < 4; dim++)
        check_agreement((Shape)_i, sizes[k], dim, k % 2 == 1, isa);
}

TEST(long_chains_agree)
{
  srand48(7);
  check_agreement(HUNG, 200, 2, false, isa_best());
  check_agreement(RING, 200, 3, true, isa_best());
}

/* Tangent afterwards; what was added is J' mu; twice is once. Compared with the plain functions. */
TEST(large_projections, .rows = SHAPES)
{
  srand48(20 + _i);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int nsite = 10; isa_runs(isa) && nsite < 80; nsite += 33) {
      Figure *f = figure_make((Shape)_i, nsite, 3, true);
      Scene *s = scene_open(&f->kind, "newton", 1e-12, 50, isa);
      scene_random(s, 1.0);
      memcpy(s->old, s->p, sizeof s->p);
      projector_apply(s->projector, &s->pack, s->nu);
      for (int c = 0; c < f->kind.ncon; c++) {
        Vec8 g, grad[6], sum = vec8_set(0.0);
        const Constraint *con = &f->con[c];
        con->type->eval(con, 3, s->q, &g, grad);
        for (int i = 0; i < 3 * con->nsite; i++) {
          const int at = con->site[i / 3] * 3 + i % 3;
          sum += grad[i] * s->p[at] / f->mass[at / 3];
          s->old[at] += grad[i] * s->nu[c];
        }
        ck_assert_double_lt(largest(sum), 1e-12);
      }
      for (int i = 0; i < s->n; i++) {
        ck_assert_double_lt(largest(s->p[i] - s->old[i]), 1e-12);
        s->old[i] = s->p[i];
      }
      projector_apply(s->projector, &s->pack, NULL);
      for (int i = 0; i < s->n; i++)
        ck_assert_double_lt(largest(s->p[i] - s->old[i]), 1e-12);
      scene_close(s);
      figure_free(f);
    }
}

/* Of a molecule of 900 coordinates, in the metric of an uneven thermostat: nothing is left of the motion of
 * the whole, and momenta stay tangent. */
TEST(large_molecules_are_brought_to_rest)
{
  Figure *f = figure_make(RING, MOST - 1, 3, true);
  const Kind *kind = &f->kind;
  const int nmol = 1, n = 3 * kind->nsite;
  Ou *ou;
  Projector *projector;
  Motion *motion;
  State *state;
  srand48(25);
  ck_assert_int_eq(ou_create(&ou, kind, FRICTION_UNIFORM, 1.0, 1.0, 1.0, NULL), STATUS_OK);
  ck_assert_int_eq(projector_create(&projector, kind, ou->weight, true, isa_best(), NULL), STATUS_OK);
  const MotionGiven part = {kind, ou->weight, projector};
  ck_assert_int_eq(motion_create(&motion, 1, &part, REMOVE_ANGULAR, isa_best(), NULL), STATUS_OK);
  ck_assert_int_eq(state_create(&state, LANES, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  ck_assert_uint_gt(motion_scratch(motion), (size_t)n);
  Vec8 *scratch = aligned_alloc(sizeof(Vec8), motion_scratch(motion) * sizeof(Vec8));
  Pack pack = state_pack(state, &state->block[0], 0);
  pack.scratch = scratch;
  for (int i = 0; i < n; i++)
    for (int l = 0; l < LANES; l++)
      pack.p[i][l] = uniform();
  projector_apply(projector, &pack, NULL);
  double linear[LANES][3], angular[LANES][3];
  const Team alone = team_alone();
  motion_remove(motion, &alone, state, scratch, NULL);
  motion_momenta(state, linear, angular);
  for (int l = 0; l < LANES; l++)
    for (int d = 0; d < 3; d++) {
      ck_assert_double_lt(fabs(linear[l][d]), 1e-10);
      ck_assert_double_lt(fabs(angular[l][d]), 1e-8);
    }
  for (int c = 0; c < kind->ncon; c++) {
    Vec8 g, grad[6], sum = vec8_set(0.0);
    f->con[c].type->eval(&f->con[c], 3, pack.q, &g, grad);
    for (int i = 0; i < 6; i++) {
      const int site = f->con[c].site[i / 3];
      sum += grad[i] * pack.p[3 * site + i % 3] / f->mass[site];
    }
    ck_assert_double_lt(largest(sum), 1e-11);
  }
  free(scratch);
  state_free(state);
  motion_free(motion);
  projector_free(projector);
  ou_free(ou);
  figure_free(f);
}

/* Too few iterations: the lanes that were not done are named, those with nothing to do are not. */
TEST(failures_are_named)
{
  static const char *const names[3] = {"newton", "gauss-seidel", "milc"};
  Figure *f = figure_make(CHAIN, 30, 2, false);
  srand48(30);
  for (int k = 0; k < 3; k++) {
    Scene *s = scene_open(&f->kind, names[k], 1e-12, 1, isa_best());
    scene_random(s, 1.0);
    s->active[5] = 0.0;
    for (int i = 0; i < s->n; i++)
      s->p[i][2] = 0.0;
    ck_assert_uint_eq(drift(s, 0.05), 0xffu & ~(1u << 2) & ~(1u << 5));
    ck_assert_double_gt(residual(s), 1e-12);
    scene_close(s);
  }
  figure_free(f);
}

/* One iteration is Newton's: J(q) (q' - q) = -g(q), also in lanes where a link has turned by a right angle in
 * the step, so that its pivot is zero and rows must be exchanged. */
TEST(right_angles_are_solved)
{
  static const char *const names[2] = {"newton", "milc"};
  Figure *f = figure_make(CHAIN, 30, 2, false);
  srand48(32);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int k = 0; isa_runs(isa) && k < 2; k++) {
      Scene *s = scene_open(&f->kind, names[k], 1e-12, 1, isa);
      scene_random(s, 1.0);
      memcpy(s->old, s->q, sizeof s->q);
      for (int i = 0; i < s->n; i++)
        s->q[i] += 0.01 * s->p[i];
      for (int l = 3; l < 5; l++) { /* site 0 about site 1; in lane 4 not quite */
        const double x = s->old[0][l] - s->old[2][l], y = s->old[1][l] - s->old[3][l];
        s->q[0][l] = s->q[2][l] - y + (l == 4 ? 1e-10 : 0.0);
        s->q[1][l] = s->q[3][l] + x;
      }
      Vec8 before[60];
      memcpy(before, s->q, sizeof before);
      ck_assert_uint_eq(s->solver->positions(s->self, 1.0, s->old, &s->pack, NULL), 0xff);
      for (int c = 0; c < f->kind.ncon; c++) {
        Vec8 g, grad[4];
        f->con[c].type->eval(&f->con[c], 2, before, &g, grad);
        for (int i = 0; i < 4; i++) {
          const int at = f->con[c].site[i / 2] * 2 + i % 2;
          g += grad[i] * (s->q[at] - before[at]);
        }
        ck_assert_double_lt(largest(g), 1e-11);
      }
      scene_close(s);
    }
  figure_free(f);
}

/* A lane's bits do not depend on the others, wild or converged. */
TEST(lanes_are_independent)
{
  static const char *const names[3] = {"newton", "gauss-seidel", "milc"};
  Figure *f = figure_make(HUNG, 25, 2, false);
  srand48(31);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int k = 0; isa_runs(isa) && k < 3; k++) {
      Scene *a = scene_open(&f->kind, names[k], 1e-12, 200, isa),
            *b = scene_open(&f->kind, names[k], 1e-12, 200, isa);
      scene_random(a, 1.0);
      for (int i = 0; i < a->n; i++)
        a->p[i][6] *= 0.01;
      scene_copy(b, a);
      for (int i = 0; i < a->n; i++)
        for (int l = 0; l < LANES; l++) {
          b->q[i][(l + 3) % LANES] = l % 3 == 0 ? a->q[i][l] : 30.0 * uniform();
          b->p[i][(l + 3) % LANES] = l % 3 == 0 ? a->p[i][l] : 30.0 * uniform();
        }
      for (int step = 0; step < 3; step++)
        for (int which = 0; which < 2; which++) {
          projector_apply(a->projector, which ? &b->pack : &a->pack, NULL);
          (void)drift(which ? b : a, 0.05);
        }
      for (int i = 0; i < a->n; i++)
        for (int l = 0; l < LANES; l += 3) {
          ck_assert_int_eq(((Vec8Mask)a->q[i])[l], ((Vec8Mask)b->q[i])[(l + 3) % LANES]);
          ck_assert_int_eq(((Vec8Mask)a->p[i])[l], ((Vec8Mask)b->p[i])[(l + 3) % LANES]);
        }
      scene_close(a);
      scene_close(b);
    }
  figure_free(f);
}

TEST(choices_are_checked)
{
  const ConstraintSolver *solver;
  Error error;
  Figure *ring = figure_make(RING, 20, 2, false);
  const ConstraintMethod *settle = constraint_method_find("settle"),
                         *rattle = constraint_method_find("rattle");
  const Kind *water = &kinds[KIND_OHH];
  ck_assert_int_eq(constraint_solver_choose(&solver, settle, NULL, water, &error), STATUS_OK);
  ck_assert_str_eq(solver->name, "settle");
  ck_assert_int_eq(constraint_solver_choose(&solver, rattle, "auto", water, &error), STATUS_OK);
  ck_assert_str_eq(solver->name, "newton");
  ck_assert_int_eq(constraint_solver_choose(&solver, rattle, NULL, &kinds[KIND_CHAIN], &error), STATUS_OK);
  ck_assert_str_eq(solver->name, "milc");
  ck_assert_int_eq(constraint_solver_choose(&solver, rattle, NULL, &ring->kind, &error), STATUS_OK);
  ck_assert_str_eq(solver->name, "newton");
  ck_assert_int_eq(constraint_solver_choose(&solver, rattle, "settle", water, &error), STATUS_OK);
  ck_assert_int_eq(constraint_solver_choose(&solver, settle, "newton", water, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "rattle or shake"));
  ck_assert_int_eq(constraint_solver_choose(&solver, settle, NULL, &ring->kind, &error), STATUS_INPUT);
  ck_assert_int_eq(constraint_solver_choose(&solver, rattle, "milc", &ring->kind, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "use newton"));
  ck_assert_int_eq(constraint_solver_choose(&solver, rattle, "jacobi", water, &error), STATUS_INPUT);
  ck_assert_ptr_null(solver);
  figure_free(ring);
}

/* --- steps --------------------------------------------------------------------------------------------- */

/* V = sum_s m_s (y_s + x_s^2 / 10): gravity and a well, so that nothing is conserved by chance. */
static void forces(Scene *s)
{
  const int dim = s->kind->dim;
  for (int i = 0; i < s->n; i++) {
    const double m = s->kind->mass[i / dim];
    s->f[i] = i % dim == 0 ? -0.2 * m * s->q[i] : vec8_set(i % dim == 1 ? -m : 0.0);
  }
}

/* One step of RATTLE, or of SHAKE, which does not project. */
static void step(Scene *s, double h, bool rattle)
{
  forces(s);
  s->letters->kick(0.5 * h, &s->pack);
  ck_assert_uint_eq(drift(s, h), 0);
  forces(s);
  s->letters->kick(0.5 * h, &s->pack);
  if (rattle)
    projector_apply(s->projector, &s->pack, NULL);
}

static Scene *tangent_scene(const Figure *f, const char *solver)
{
  Scene *s = scene_open(&f->kind, solver, 1e-14, strcmp(solver, "gauss-seidel") == 0 ? 5000 : 50, isa_best());
  scene_random(s, 0.5);
  projector_apply(s->projector, &s->pack, NULL);
  return s;
}

/* The last two are of a line. */
enum { SOLVERS = 3, LAWS = 5 };
static const char *const all[LAWS] = {"newton", "gauss-seidel", "milc", "newton", "gauss-seidel"};

static Figure *figure_of(int law, Shape shape, int nsite, int dim)
{
  return law < SOLVERS ? figure_make(shape, nsite, dim, false) : figure_make(STRAIGHT_LINE, 5, 3, false);
}

TEST(shake_and_rattle_are_one_map_on_fibres, .rows = LAWS)
{
  Figure *f = figure_of(_i, HUNG, 19, 2);
  srand48(40);
  Scene *shake = tangent_scene(f, all[_i]), *rattle = tangent_scene(f, all[_i]);
  scene_copy(rattle, shake);
  for (int k = 0; k < 30; k++) {
    step(shake, 0.02, false);
    step(rattle, 0.02, true);
  }
  ck_assert_double_gt(difference(shake, rattle, true), 1e-4);
  projector_apply(shake->projector, &shake->pack, NULL);
  ck_assert_double_lt(difference(shake, rattle, false), 1e-10);
  ck_assert_double_lt(difference(shake, rattle, true), 1e-10);
  scene_close(shake);
  scene_close(rattle);
  figure_free(f);
}

TEST(rattle_is_reversible, .rows = LAWS)
{
  Figure *f = figure_of(_i, HUNG, 19, 3);
  srand48(41);
  Scene *s = tangent_scene(f, all[_i]), *start = tangent_scene(f, all[_i]);
  scene_copy(start, s);
  for (int way = 0; way < 2; way++) {
    for (int k = 0; k < 20; k++)
      step(s, 0.02, true);
    for (int i = 0; i < s->n; i++)
      s->p[i] = -s->p[i];
  }
  ck_assert_double_lt(difference(s, start, false), 1e-10);
  ck_assert_double_lt(difference(s, start, true), 1e-10);
  scene_close(s);
  scene_close(start);
  figure_free(f);
}

/* Error after a fixed time against a much finer run, at h and h/2: a factor of 4. */
TEST(rattle_is_of_second_order, .rows = LAWS)
{
  Figure *f = figure_of(_i, HUNG, 20, 2);
  double error[2];
  Scene *exact = NULL;
  for (int k = 2; k >= 0; k--) {
    srand48(42);
    Scene *s = tangent_scene(f, all[_i]);
    const int steps = k == 2 ? 400 : 10 << k;
    for (int i = 0; i < steps; i++)
      step(s, 0.1 / steps, true);
    if (k == 2) {
      exact = s;
      continue;
    }
    error[k] = difference(s, exact, false);
    scene_close(s);
  }
  ck_assert_double_gt(error[0] / error[1], 3.6);
  ck_assert_double_lt(error[0] / error[1], 4.4);
  scene_close(exact);
  figure_free(f);
}

TEST(free_figures_keep_their_momenta, .rows = LAWS)
{
  Figure *f = figure_of(_i, _i == 2 ? CHAIN : RING, 30, 3);
  srand48(43);
  Scene *s = tangent_scene(f, all[_i]);
  Vec8 sum[2][6] = {0};
  for (int after = 0; after < 2; after++) {
    for (int i = 0; i < s->n; i++) {
      const int site = i / 3 * 3, d = i % 3, e = (d + 1) % 3, g = (d + 2) % 3;
      sum[after][d] += s->p[i];
      sum[after][3 + d] += s->q[site + e] * s->p[site + g] - s->q[site + g] * s->p[site + e];
    }
    for (int k = 0; k < 50 && after == 0; k++) {
      ck_assert_uint_eq(drift(s, 0.05), 0);
      projector_apply(s->projector, &s->pack, NULL);
    }
  }
  for (int d = 0; d < 6; d++)
    ck_assert_double_lt(largest(sum[1][d] - sum[0][d]), 1e-10);
  scene_close(s);
  figure_free(f);
}

/* One step's derivative along tangent vectors of the phase space {g = 0, J M^-1 p = 0} keeps the canonical
 * two-form. The vectors are differences of points of it: coordinates moved freely and put back on it. */
enum { VECTORS = 4, SMALL = 2 * 19 };

static void put_back(Scene *s)
{
  Vec8 p[SMALL];
  memcpy(p, s->p, sizeof p);
  ck_assert_uint_eq(s->solver->positions(s->self, 1.0, s->old, &s->pack, NULL), 0);
  memcpy(s->p, p, sizeof p);
  projector_apply(s->projector, &s->pack, NULL);
}

TEST(rattle_is_symplectic, .rows = LAWS)
{
  Figure *f = figure_of(_i, HUNG, 19, 2);
  const double e = 1e-4;
  double form[2][VECTORS][VECTORS];
  static double z[2][VECTORS][2][2 * SMALL];
  srand48(44);
  Scene *s = tangent_scene(f, all[_i]), *start = tangent_scene(f, all[_i]);
  scene_copy(start, s);
  for (int v = 0; v < VECTORS; v++) {
    double turn[2 * SMALL];
    for (int i = 0; i < 2 * s->n; i++)
      turn[i] = uniform();
    for (int side = 0; side < 2; side++) {
      scene_copy(s, start);
      memcpy(s->old, start->q, sizeof s->old);
      for (int i = 0; i < s->n; i++) {
        s->q[i] += (side ? -e : e) * turn[i];
        s->p[i] += (side ? -e : e) * turn[s->n + i];
      }
      put_back(s);
      for (int after = 0; after < 2; after++) {
        for (int i = 0; i < s->n; i++) {
          z[after][v][side][i] = s->q[i][0];
          z[after][v][side][s->n + i] = s->p[i][0];
        }
        step(s, 0.05, true);
      }
    }
  }
  for (int after = 0; after < 2; after++)
    for (int v = 0; v < VECTORS; v++)
      for (int u = 0; u < VECTORS; u++) {
        form[after][v][u] = 0.0;
        for (int i = 0; i < s->n; i++) {
          const double *a = z[after][v][0], *b = z[after][v][1], *c = z[after][u][0], *d = z[after][u][1];
          const int j = s->n + i;
          form[after][v][u] += ((a[i] - b[i]) * (c[j] - d[j]) - (a[j] - b[j]) * (c[i] - d[i])) / (4 * e * e);
        }
      }
  for (int v = 0; v < VECTORS; v++)
    for (int u = 0; u < v; u++) {
      ck_assert_double_gt(fabs(form[0][v][u]), 1e-3);
      ck_assert_double_lt(fabs(form[1][v][u] - form[0][v][u]), 1e-7);
    }
  scene_close(s);
  scene_close(start);
  figure_free(f);
}
