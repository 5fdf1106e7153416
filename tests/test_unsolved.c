/* What has no solution is never taken for solved: a number that is none fails every test of convergence, and
 * matrices without a solution are told. */
#include "integrators/accel.h"
#include "integrators/largest.h"
#include "integrators/projector.h"
#include "integrators/quench.h"
#include "methods/method_table.h"
#include "tests/suite.h"
#include "tests/walks.h"

static const Isa isas[] = {ISA_PLAIN, ISA_AVX2, ISA_AVX512};

/* Pendulum or, with work for band matrices, a chain of many links; one lane's coordinate is no number. */
enum { LINKS = 20, BAD = 3 };
static double chain_mass[LINKS], chain_q[2 * LINKS];
static Constraint chain_con[LINKS + 1];
static Kind chain;

static void chain_make(int ncon)
{
  static const char *const names[LINKS];
  for (int i = 0; i < LINKS; i++) {
    chain_mass[i] = 1.0;
    chain_q[2 * i] = i + 1.0;
    chain_q[2 * i + 1] = 0.1 * (i % 2);
    chain_con[i] = i == 0 ? (Constraint)ANCHOR(0, 1, 0, 0) : (Constraint)DISTANCE(i - 1, i, 1);
  }
  chain_con[LINKS] = chain_con[LINKS - 1]; /* a constraint given twice */
  chain = (Kind){"chain", LINKS, 2, ncon, chain_mass, names, chain_con, chain_q, 0, NULL, NULL};
}

typedef struct Lanes {
  Vec8 q[2 * LINKS], p[2 * LINKS], f[2 * LINKS], heat, active;
  Pack pack;
} Lanes;

static void lanes_set(Lanes *s, const Kind *kind, Vec8 *scratch)
{
  for (int i = 0; i < kind->nsite * kind->dim; i++) {
    s->q[i] = vec8_set(kind->reference[i]);
    s->p[i] = s->f[i] = vec8_set(0.1 + 0.01 * i);
  }
  s->active = vec8_set(1.0);
  s->pack = (Pack){.kind = kind,
                   .q = s->q,
                   .p = s->p,
                   .f = s->f,
                   .heat = &s->heat,
                   .active = &s->active,
                   .scratch = scratch};
}

TEST(largest_keeps_what_is_no_number)
{
  const double x[4] = {1.0, NAN, -3.0, 2.0};
  Vec8 most = vec8_set(0.0), plain = vec8_set(0.0);
  for (int i = 0; i < 4; i++) {
    most = largest_of(most, vec8_set(x[i]));
    plain = largest_of(plain, vec8_set(i == 1 ? 0.0 : x[i]));
  }
  ck_assert(isnan(most[0]) && plain[0] == 3.0);
}

/* Of a lane that is no number a nonlinear solve says that it failed, a linear one that it has no solution. */
TEST(maps_fail_without_numbers, .rows = 2)
{
  static const char *const names[] = {"newmark", "zss-block", "zss", "zs"};
  const bool large = _i % 2 == 1;
  chain_make(LINKS);
  const Kind *kind = large ? &chain : &pendulum;
  for (size_t k = 0; k < sizeof isas / sizeof *isas; k++)
    for (size_t m = 0; m < 4; m++) {
      if (!isa_runs(isas[k]) || (strcmp(names[m], "zss") == 0))
        continue;
      const AccelMap *map = accel_map_find(names[m]);
      const AccelOptions o = {.h = 0.1, .beta = 0.4, .w = 3.0};
      Accel *self;
      ck_assert_int_eq(accel_create(&self, map, kind, &o, isas[k], NULL), STATUS_OK);
      const size_t n = accel_scratch(self);
      Vec8 *scratch = aligned_alloc(sizeof(Vec8), (n + 1) * sizeof(Vec8));
      Lanes s;
      lanes_set(&s, kind, scratch);
      s.q[1][BAD] = NAN;
      ck_assert_uint_eq(ACCEL_FAILED(map->apply(self, &s.pack, NULL)), 1u << BAD);
      lanes_set(&s, kind, scratch);
      s.f[1][BAD] = NAN;
      if (strcmp(names[m], "newmark") == 0)
        ck_assert_uint_eq(ACCEL_FAILED(map->apply(self, &s.pack, NULL)), 1u << BAD);
      accel_free(self);
      free(scratch);
    }
}

TEST(penalties_keep_what_is_no_number)
{
  Lanes s;
  Vec8 energy, largest;
  lanes_set(&s, &pendulum, NULL);
  s.q[0][BAD] = NAN;
  accel_penalty_energy(&s.pack, 2.0, 0.0, &energy, &largest);
  for (int l = 0; l < LANES; l++)
    ck_assert_int_eq(isnan(largest[l]) != 0, l == BAD);
}

/* A constraint given twice has many multipliers: one is taken, and momenta come out tangent; where gradients
 * vanish or are no numbers the lane is named. */
TEST(projections_are_made_or_refused)
{
  for (size_t k = 0; k < sizeof isas / sizeof *isas; k++) {
    if (!isa_runs(isas[k]))
      continue;
    chain_make(LINKS);
    Projector *projector;
    ck_assert_int_eq(projector_create(&projector, &chain, NULL, false, isas[k], NULL), STATUS_OK);
    Vec8 *scratch = aligned_alloc(sizeof(Vec8), (projector_scratch(projector) + 1) * sizeof(Vec8));
    Lanes s;
    lanes_set(&s, &chain, scratch);
    ck_assert_uint_eq(projector_apply(projector, &s.pack, NULL), 0);
    lanes_set(&s, &chain, scratch);
    s.q[9][BAD] = NAN;
    ck_assert_uint_eq(projector_apply(projector, &s.pack, NULL), 1u << BAD);
    lanes_set(&s, &chain, scratch);
    s.q[0][BAD] = s.q[1][BAD] = 0.0; /* on its anchor: no gradient */
    ck_assert_uint_eq(projector_apply(projector, &s.pack, NULL), 1u << BAD);
    projector_free(projector);
    free(scratch);
  }
}

/* The energy-momentum scheme likewise. */
TEST(methods_fail_without_numbers)
{
  const Method *method = &method_energy_momentum;
  const MethodOptions o = {.step.h = 0.1};
  void *self;
  ck_assert_int_eq(method->create(&self, &particles, &o, isa_best(), NULL), STATUS_OK);
  Vec8 *scratch = aligned_alloc(sizeof(Vec8), (method->scratch(self) + 1) * sizeof(Vec8));
  Lanes s;
  lanes_set(&s, &particles, scratch);
  s.q[2][BAD] = NAN;
  ck_assert_uint_eq(method->step(self, 0.01, &s.pack) & 1u << BAD, 1u << BAD);
  method->free(self);
  free(scratch);
}
