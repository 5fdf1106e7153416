/* Kinds of many sites, whose matrices are sparse: constraints, projections, penalties and Fixman's potential
 * are those of bands, to rounding. */
#include "engine/jacobian.h"
#include "forcefields/fixman.h"
#include "integrators/accel.h"
#include "tests/figures.h"
#include "tests/suite.h"

static Error error;

/* The same kind with sparse matrices. */
static Kind sparse_of(const Kind *kind)
{
  Kind sparse = *kind;
  sparse.sparse = true;
  return sparse;
}

/* Drifts along the manifold and projections onto its tangent space agree, also in the metric of a thermostat
 * with uneven weights; projected momenta are tangent, and projecting twice is projecting once. */
static void check_constraints(Shape shape, int nsite, int dim, Isa isa)
{
  Figure *f = figure_make(shape, nsite, dim, true);
  const Kind sparse = sparse_of(&f->kind);
  Scene *one = scene_open(&f->kind, "newton", 1e-14, 50, isa),
        *other = scene_open(&sparse, "newton", 1e-14, 50, isa);
  scene_random(one, 1.0);
  scene_copy(other, one);
  ck_assert_uint_eq(drift(one, 0.02), 0);
  ck_assert_uint_eq(drift(other, 0.02), 0);
  ck_assert_double_lt(residual(other), 1e-11);
  ck_assert_double_lt(difference(one, other, false), 1e-11);
  ck_assert_double_lt(difference(one, other, true), 1e-9);
  double *weight = malloc((size_t)nsite * sizeof *weight);
  for (int s = 0; s < nsite; s++)
    weight[s] = 1.0 + 0.5 * uniform();
  for (int uneven = 0; uneven < 2; uneven++) {
    Projector *projector[2];
    Scene *const scene[2] = {one, other};
    for (int k = 0; k < 2; k++) {
      ck_assert_int_eq(
          projector_create(&projector[k], scene[k]->kind, uneven ? weight : NULL, true, isa, &error),
          STATUS_OK);
      ck_assert_uint_eq(projector_apply(projector[k], &scene[k]->pack, scene[k]->nu), 0);
    }
    ck_assert_double_lt(difference(one, other, true), 1e-9);
    for (int c = 0; c < f->kind.ncon; c++) {
      Vec8 g, grad[CONSTRAINT_SITES * 3], sum = vec8_set(0.0);
      const Constraint *con = &f->con[c];
      con->type->eval(con, dim, other->q, &g, grad);
      for (int i = 0; i < dim * con->nsite; i++)
        sum += grad[i] * other->p[con->site[i / dim] * dim + i % dim] / f->mass[con->site[i / dim]];
      ck_assert_double_lt(largest(sum), 1e-11);
    }
    memcpy(other->old, other->p, sizeof other->p);
    ck_assert_uint_eq(projector_apply(projector[1], &other->pack, NULL), 0);
    for (int i = 0; i < other->n; i++)
      ck_assert_double_lt(largest(other->p[i] - other->old[i]), 1e-11);
    for (int k = 0; k < 2; k++)
      projector_free(projector[k]);
  }
  free(weight);
  scene_close(one);
  scene_close(other);
  figure_free(f);
}

TEST(constraints_agree_with_bands, .rows = SHAPES)
{
  srand48(1 + _i);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int nsite = 66; isa_runs(isa) && nsite < 300; nsite += 130)
      for (int dim = 2; dim < 4; dim++)
        check_constraints((Shape)_i, nsite, dim, isa);
}

/* Rings and trees have sparse matrices here, or these tests compare nothing. */
TEST(matrices_are_sparse)
{
  for (int shape = HUNG; shape < SHAPES; shape++)
    for (JacobianMatrix matrix = JACOBIAN_SYMMETRIC; matrix <= JACOBIAN_GENERAL; matrix++) {
      Figure *f = figure_make((Shape)shape, 196, 3, true);
      const Kind sparse = sparse_of(&f->kind);
      Jacobian *one, *other;
      ck_assert_int_eq(jacobian_create(&one, &f->kind, matrix, ISA_PLAIN, &error), STATUS_OK);
      ck_assert_int_eq(jacobian_create(&other, &sparse, matrix, ISA_PLAIN, &error), STATUS_OK);
      ck_assert_ptr_null(one->sparse);
      ck_assert_int_eq(other->sparse != NULL, shape != STAR);
      if (shape == TREE) {
        ck_assert_uint_lt(other->sparse->work, 4u * 196u);
        ck_assert_uint_lt(2 * jacobian_scratch(other), jacobian_scratch(one));
      }
      jacobian_free(one);
      jacobian_free(other);
      figure_free(f);
    }
}

/* --- penalties ------------------------------------------------------------------------------------------ */

static unsigned apply(const AccelMap *map, const AccelOptions *options, Scene *s, Isa isa)
{
  Accel *accel;
  ck_assert_msg(accel_create(&accel, map, s->kind, options, isa, &error) == STATUS_OK, "%s", error.text);
  Vec8 *scratch = aligned_alloc(sizeof(Vec8), (accel_scratch(accel) + 1) * sizeof *scratch);
  s->pack.scratch = scratch;
  const unsigned bits = map->apply(accel, &s->pack, NULL);
  s->pack.scratch = s->scratch;
  free(scratch);
  accel_free(accel);
  return bits;
}

/* Off the manifold by up to `off`: the full Hessian is then indefinite, which row exchanges solve. */
static void check_penalties(const char *name, PenaltyHessian hessian, Shape shape, double off, Isa isa)
{
  const AccelMap *map = accel_map_find(name);
  const AccelOptions options = {.h = 0.05, .beta = 0.3, .w = 300.0, .hessian = hessian};
  Figure *f = figure_make(shape, 80, 3, true);
  const Kind sparse = sparse_of(&f->kind);
  Scene *one = scene_open(&f->kind, "newton", 1e-14, 50, isa),
        *other = scene_open(&sparse, "newton", 1e-14, 50, isa);
  scene_random(one, 1.0);
  for (int i = 0; i < one->n; i++)
    for (int l = 0; l < LANES; l++)
      one->q[i][l] += off * uniform();
  scene_copy(other, one);
  const unsigned bits = apply(map, &options, one, isa);
  ck_assert_uint_eq(ACCEL_FAILED(bits), 0);
  ck_assert_uint_eq(ACCEL_FAILED(apply(map, &options, other, isa)), 0);
  double most = 0.0, worst = 0.0;
  for (int i = 0; i < one->n; i++) {
    most = fmax(most, largest(one->f[i]));
    worst = fmax(worst, largest(one->f[i] - other->f[i]));
  }
  ck_assert_msg(worst <= 1e-8 * most, "%s: %g of %g", name, worst, most);
  if (hessian == HESSIAN_FULL && off > 0.01)
    ck_assert_uint_ne(ACCEL_INDEFINITE(bits), 0);
  scene_close(one);
  scene_close(other);
  figure_free(f);
}

TEST(penalties_agree_with_bands, .rows = 3)
{
  static const Shape shapes[] = {TREE, RING, STRAIGHT_LINE};
  const Shape shape = shapes[_i];
  srand48(11 + _i);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    check_penalties("zss", HESSIAN_GAUSS_NEWTON, shape, 1e-3, isa);
    check_penalties("zss", HESSIAN_FULL, shape, 1e-3, isa);
    if (shape != STRAIGHT_LINE) /* whose rows have no second derivatives */
      check_penalties("zss", HESSIAN_FULL, shape, 0.1, isa);
    check_penalties("zs", HESSIAN_FULL, shape, 1e-3, isa);
  }
}

/* As w grows, the accelerations under penalties become those under constraints: J a plus the term of the
 * velocities vanishes, here at rest, and the difference falls as 1/w^2. */
TEST(penalties_become_constraints)
{
  srand48(17);
  Figure *f = figure_make(TREE, 150, 3, true);
  const Kind sparse = sparse_of(&f->kind);
  double before = 0.0;
  for (int k = 0; k < 3; k++) {
    Scene *soft = scene_open(&sparse, "newton", 1e-14, 50, isa_best()),
          *hard = scene_open(&sparse, "newton", 1e-14, 50, isa_best());
    srand48(18);
    scene_random(soft, 0.0);
    scene_copy(hard, soft);
    const AccelOptions options = {
        .h = 0.05, .beta = 0.3, .w = 1000.0 * (1 << k), .hessian = HESSIAN_GAUSS_NEWTON};
    ck_assert_uint_eq(apply(accel_map_find("zss"), &options, soft, isa_best()), 0);
    memcpy(hard->p, hard->f, sizeof hard->p);
    ck_assert_uint_eq(projector_apply(hard->projector, &hard->pack, NULL), 0);
    double worst = 0.0;
    for (int i = 0; i < soft->n; i++)
      worst = fmax(worst, largest(soft->f[i] - hard->p[i]));
    if (k > 0)
      ck_assert_double_eq_tol(before / worst, 4.0, 0.4);
    before = worst;
    scene_close(soft);
    scene_close(hard);
  }
  figure_free(f);
}

/* --- Fixman's potential --------------------------------------------------------------------------------- */

typedef struct Corrected {
  State *state;
  ForceField field;
} Corrected;

static Corrected corrected(const Kind *kind)
{
  Corrected c = {.field.n = 1};
  const int nmol = 1;
  ck_assert_int_eq(state_create(&c.state, 8, 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_msg(fixman_create(&c.field.force[0], 0.7, c.state, &error) == STATUS_OK, "%s", error.text);
  return c;
}

static double compute(const Corrected *c, const Vec8 *q, Vec8 *f)
{
  const Team team = team_alone();
  double energy[WIDTH_MAX];
  const Block *block = &c->state->block[0];
  const size_t bytes = (size_t)(block->kind->nsite * block->kind->dim) * sizeof *q;
  memcpy(block->q, q, bytes);
  ck_assert_int_eq(force_field_compute(&c->field, &team, c->state, &(ForceSums){energy, NULL}, NULL),
                   STATUS_OK);
  memcpy(f, block->f, bytes);
  return energy[3];
}

TEST(fixmans_potential_agrees_with_bands, .rows = SHAPES)
{
  srand48(21 + _i);
  Figure *f = figure_make((Shape)_i, 70, 3, true);
  const Kind sparse = sparse_of(&f->kind);
  Scene *s = scene_open(&f->kind, "newton", 1e-14, 50, isa_best());
  scene_random(s, 1.0);
  Corrected one = corrected(&f->kind), other = corrected(&sparse);
  static Vec8 force[2][MOST_COORDINATES];
  const double energy = compute(&one, s->q, force[0]);
  ck_assert_double_eq_tol(compute(&other, s->q, force[1]), energy, 1e-11 * (1.0 + fabs(energy)));
  for (int i = 0; i < s->n; i++)
    ck_assert_double_lt(largest(force[0][i] - force[1][i]), 1e-10);
  force_field_free(&one.field);
  force_field_free(&other.field);
  state_free(one.state);
  state_free(other.state);
  scene_close(s);
  figure_free(f);
}
