/* Constraints against differences, the projector's laws, the plain letters. */
#include "integrators/letters.h"
#include "integrators/projector.h"
#include "tests/molecules.h"
#include "tests/suite.h"

static const double lengths[4] = {0.7, 1.3, 2.0, 0.9};

TEST(derivatives_match_differences, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  const int dim = kind->dim;
  const double step = 1e-4;
  Molecules m;
  srand48(1);
  molecules_random(kind, 2.0, 1.0, &m);
  for (int c = 0; c < kind->ncon; c++) {
    const Constraint *con = &kind->con[c];
    const int touched = con->nsite * dim;
    Vec8 g, grad[9], hess[81], out[9] = {0}, up, down, grad_up[9], grad_down[9];
    con->type->eval(con, dim, m.q, &g, grad);
    con->type->hess(con, dim, m.q, hess);
    ck_assert_double_lt(largest(g), 1e-13);
    const Vec8 scale = vec8_set(1.5);
    con->type->hess_vec(con, dim, m.q, &scale, m.p, out);
    for (int i = 0; i < touched; i++) {
      const int at = con->site[i / dim] * dim + i % dim;
      const Vec8 keep = m.q[at];
      m.q[at] = keep + step;
      con->type->eval(con, dim, m.q, &up, grad_up);
      m.q[at] = keep - step;
      con->type->eval(con, dim, m.q, &down, grad_down);
      m.q[at] = keep;
      ck_assert_double_lt(largest((up - down) / (2 * step) - grad[i]), 1e-9);
      Vec8 product = vec8_set(0.0);
      for (int j = 0; j < touched; j++) {
        ck_assert_double_lt(largest((grad_up[j] - grad_down[j]) / (2 * step) - hess[i * touched + j]), 1e-9);
        product += 1.5 * hess[i * touched + j] * m.p[con->site[j / dim] * dim + j % dim];
      }
      ck_assert_double_lt(largest(product - out[i]), 1e-12);
    }
  }
}

/* Tangent afterwards, and what was added is W J' mu with the multipliers that come back: together they say
 * that it is the projection in the metric of W. Twice is once. Rigid and general routes agree. */
static void check_projection(const Kind *kind, const double *weight, bool rigid, Isa isa)
{
  const int n = coordinates(kind);
  Projector *projector;
  Error error;
  ck_assert_int_eq(projector_create(&projector, kind, weight, rigid, isa, &error), STATUS_OK);
  Molecules m, first;
  Vec8 j[CONSTRAINTS][COORDINATES], mu[CONSTRAINTS];
  molecules_random(kind, 2.0, 1.0, &m);
  if (!rigid)
    for (int i = 0; i < n; i++)
      for (int l = 0; l < LANES; l++)
        m.q[i][l] += 0.1 * uniform();
  first = m;
  Pack pack = molecules_pack(kind, &m);
  projector_apply(projector, &pack, mu);
  molecules_gradient(kind, m.q, j);
  for (int c = 0; c < kind->ncon; c++) {
    Vec8 sum = vec8_set(0.0);
    for (int i = 0; i < n; i++)
      sum += j[c][i] * m.p[i] / kind->mass[i / kind->dim];
    ck_assert_double_lt(largest(sum), 2e-13);
  }
  for (int i = 0; i < n; i++) {
    Vec8 expected = first.p[i];
    for (int c = 0; c < kind->ncon; c++)
      expected += (weight != NULL ? weight[i / kind->dim] : 1.0) * j[c][i] * mu[c];
    ck_assert_double_lt(largest(m.p[i] - expected), 1e-13);
    ck_assert_int_eq(memcmp(&m.q[i], &first.q[i], sizeof(Vec8)), 0);
  }
  first = m;
  projector_apply(projector, &pack, NULL);
  for (int i = 0; i < n; i++)
    ck_assert_double_lt(largest(m.p[i] - first.p[i]), 1e-12);
  projector_free(projector);
}

TEST(projection_is_one, .rows = KINDS)
{
  srand48(2);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int metric = 0; isa_runs(isa) && metric < 2; metric++)
      for (int rigid = 0; rigid < 2; rigid++)
        check_projection(&kinds[_i], metric ? lengths : NULL, rigid, isa);
}

/* What is split off is what the projection takes away, times the factor; joining puts it back. */
TEST(split_and_join, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  srand48(7);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int rigid = 0; isa_runs(isa) && rigid < 2; rigid++) {
      const int n = coordinates(kind);
      Projector *projector;
      ck_assert_int_eq(projector_create(&projector, kind, NULL, rigid, isa, NULL), STATUS_OK);
      Molecules m, whole, tangent;
      Vec8 across[COORDINATES];
      molecules_random(kind, 2.0, 1.0, &m);
      whole = tangent = m;
      Pack pack = molecules_pack(kind, &m), other = molecules_pack(kind, &tangent);
      projector_apply(projector, &other, NULL);
      projector_split(projector, 0.5, &pack, across);
      for (int i = 0; i < n; i++) {
        ck_assert_double_lt(largest(m.p[i] - tangent.p[i]), 1e-12);
        ck_assert_double_lt(largest(across[i] - 0.5 * (whole.p[i] - tangent.p[i])), 1e-12);
      }
      projector_join(projector, across, &pack);
      for (int i = 0; i < n; i++)
        ck_assert_double_lt(largest(m.p[i] - 0.5 * (whole.p[i] + tangent.p[i])), 1e-12);
      projector_free(projector);
    }
}

TEST(projection_routes_agree)
{
  Error error;
  Molecules start, out[2 + ISA_COUNT];
  srand48(3);
  molecules_random(&kinds[KIND_OHH], 20.0, 1.0, &start);
  int n = 0;
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int route = 0; route < (isa == ISA_PLAIN ? 3 : 1) && isa_runs(isa); route++) {
      const Kind *kind = route == 2 ? &kinds[KIND_PLAIN] : &kinds[KIND_OHH];
      Projector *projector;
      ck_assert_int_eq(projector_create(&projector, kind, lengths, route == 0, isa, &error), STATUS_OK);
      out[n] = start;
      Pack pack = molecules_pack(kind, &out[n++]);
      projector_apply(projector, &pack, NULL);
      projector_free(projector);
    }
  for (int k = 1; k < n; k++)
    for (int i = 0; i < 9; i++)
      ck_assert_double_lt(largest(out[k].p[i] - out[0].p[i]), 1e-12);
}

/* f becomes the part across the manifold. */
static void work_project(void *context, Pack *pack)
{
  projector_apply(context, pack, NULL);
  for (int i = 0; i < coordinates(pack->kind); i++)
    pack->p[i] += pack->f[i];
  projector_split(context, 0.7, pack, pack->f);
  for (int i = 0; i < coordinates(pack->kind); i++)
    pack->p[i] += 0.1 * pack->q[i];
  projector_join(context, pack->f, pack);
}

TEST(projection_lanes_are_independent, .rows = KINDS)
{
  srand48(4);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int way = 0; isa_runs(isa) && way < 4; way++) {
      Projector *projector;
      Molecules m;
      ck_assert_int_eq(
          projector_create(&projector, &kinds[_i], way < 2 ? NULL : lengths, way % 2 == 1, isa, NULL),
          STATUS_OK);
      molecules_random(&kinds[_i], 2.0, 1.0, &m);
      check_lanes_independent(&kinds[_i], &m, work_project, projector);
      projector_free(projector);
    }
}

TEST(bad_projectors_are_refused)
{
  static const double zero[3] = {1.0, 0.0, 1.0};
  static const Constraint flat[3] = {BOND(0, 1, 1.0), BOND(0, 2, 1.0), BOND(1, 2, 2.0)};
  Kind kind = kinds[KIND_OHH];
  Projector *projector;
  Error error;
  ck_assert_int_eq(projector_create(&projector, &kind, zero, true, ISA_PLAIN, &error), STATUS_INPUT);
  ck_assert_ptr_null(projector);
  kind.con = flat;
  ck_assert_int_eq(projector_create(&projector, &kind, NULL, true, ISA_PLAIN, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "no triangle"));
}

/* The kinetic energy goes to f, heat as well. */
static void work_letters(void *context, Pack *pack)
{
  const LetterKernels *letters = context;
  letters->kick(0.3, pack);
  letters->drift(-0.2, pack);
  letters->kinetic(pack, &pack->f[0]);
  *pack->heat = pack->f[1];
  letters->heat(-1.0, pack);
  pack->f[1] = *pack->heat;
}

TEST(letters_lanes_are_independent, .rows = KINDS)
{
  srand48(6);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    Molecules m;
    molecules_random(&kinds[_i], 2.0, 1.0, &m);
    if (isa_runs(isa))
      check_lanes_independent(&kinds[_i], &m, work_letters, (void *)letter_kernels(isa));
  }
}

/* Sum of p, and of q x p, over a lane of a free molecule. */
static void momenta(const Kind *kind, const Molecules *m, Vec8 sum[6])
{
  for (int d = 0; d < 6; d++)
    sum[d] = vec8_set(0.0);
  for (int s = 0; s < kind->nsite; s++)
    for (int d = 0; d < kind->dim; d++) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      sum[d] += m->p[3 * s + d];
      sum[3 + d] += m->q[3 * s + e] * m->p[3 * s + f] - m->q[3 * s + f] * m->p[3 * s + e];
    }
}

TEST(letters_do_what_they_say, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  const int n = coordinates(kind);
  srand48(5);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    const LetterKernels *letters = letter_kernels(isa);
    for (Isa other = ISA_PLAIN; other < isa; other++)
      ck_assert_ptr_ne(letters, letter_kernels(other));
    Molecules m, before;
    molecules_random(kind, 2.0, 1.0, &m);
    before = m;
    Pack pack = molecules_pack(kind, &m);
    letters->kick(0.3, &pack);
    Vec8 energy, expected = vec8_set(0.0);
    for (int i = 0; i < n; i++)
      ck_assert_double_lt(largest(m.p[i] - (before.p[i] + 0.3 * before.f[i])), 1e-14);
    letters->kinetic(&pack, &energy);
    for (int i = 0; i < n; i++)
      expected += 0.5 * m.p[i] * m.p[i] / kind->mass[i / kind->dim];
    ck_assert_double_lt(largest((energy - expected) / expected), 1e-14);
    before = m;
    letters->drift(-0.2, &pack);
    for (int i = 0; i < n; i++)
      ck_assert_double_lt(largest(m.q[i] - (before.q[i] - 0.2 * before.p[i] / kind->mass[i / kind->dim])),
                          1e-14);
    if (kind->dim != 3)
      continue;
    Vec8 was[6], is[6];
    momenta(kind, &before, was);
    momenta(kind, &m, is);
    for (int d = 0; d < 6; d++)
      ck_assert_double_lt(largest(is[d] - was[d]), 1e-13);
  }
}
