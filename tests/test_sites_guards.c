/* Forces between molecules of any kinds: what goes wrong is named. */
#include "tests/norms.h"
#include "tests/sites_box.h"
#include "tests/suite.h"

static double *site(Scene *s, int b, int m, int a)
{
  Block *block = &s->box.state->block[b];
  return (double *)block->q + state_index(block, 1, m, 0, a, 0);
}

/* An ion at `gap` along x from a site of water 7. */
static void bring(Scene *s, int a, double gap)
{
  for (int d = 0; d < 3; d++)
    site(s, 1, 4, 0)[LANES * d] = site(s, 0, 7, a)[LANES * d] + (d == 0 ? gap : 0.0);
}

static void expect(Scene *s, const char *text)
{
  Error error = {0};
  ck_assert_int_eq(compute(s, 2, true, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, text) != NULL, "%s", error.text);
}

/* In mixed precision, waters that are nearer than it takes; in double they may be so. */
static void near_waters(Scene *s)
{
  for (int a = 2; a >= 0; a--) /* hydrogens of both point away */
    for (int d = 0; d < 3; d++) {
      const double *o = site(s, 0, 7, 0), *h = site(s, 0, 7, a);
      site(s, 0, 8, a)[LANES * d] = o[LANES * d] + (d == 0 ? 1.9 : 0.0) + (a > 0 ? 0.9 * (d == a % 3) : 0.0);
      site(s, 0, 7, a)[LANES * d] = a > 0 ? o[LANES * d] - (d == a % 3 ? 0.9 : 0.0) : h[LANES * d];
    }
  expect(s, "O of tip3p and O of tip3p are 1.9 A apart");
}

/* The hydrogens alone, 0.7 A apart. */
static void near_hydrogens(Scene *s)
{
  for (int a = 2; a >= 0; a--)
    for (int d = 0; d < 3; d++) {
      const double o = site(s, 0, 7, 0)[LANES * d], out = d == 0 ? 1.0 : (a == 1 ? 0.01 : -0.01);
      site(s, 0, 8, a)[LANES * d] = o + (d == 0 ? 2.7 : 0.0) - (a > 0 ? out : 0.0);
      site(s, 0, 7, a)[LANES * d] = o + (a > 0 ? out : 0.0);
    }
  expect(s, "overlap: H");
}

static void guard(Isa isa, bool mixed)
{
  static Scene s;
  static double x[3 * ATOMS];
  Error error = {0};
  Case c = cases[0];
  c.options.mixed = mixed;
  scene_create(&s, &c, isa);
  blocks_get(s.box.state, 'q', x);
  bring(&s, 0, 0.9);
  expect(&s, "overlap");
  blocks_set(s.box.state, 'q', x);
  bring(&s, 1, 0.05);
  expect(&s, " are 0.05 A apart");
  blocks_set(s.box.state, 'q', x);
  site(&s, 0, 33, 1)[LANES] += 3.0;
  expect(&s, "a bond of molecule 34 (tip3p)");
  blocks_set(s.box.state, 'q', x);
  site(&s, 0, 33, 2)[2 * LANES] = NAN;
  expect(&s, "the H2 of molecule 34 (tip3p)");
  blocks_set(s.box.state, 'q', x);
  site(&s, 2, 3, 0)[LANES] = INFINITY;
  expect(&s, "atom 1 (Cl) of molecule 276 (Cl-)");
  blocks_set(s.box.state, 'q', x); /* and it goes on with sound positions */
  ck_assert_int_eq(compute(&s, 2, false, &error), STATUS_OK);
  scene_free(&s);
}

static void guard_waters(Isa isa)
{
  static Scene s;
  Case c = cases[7];
  c.options = (Nonbonded){.cutoff = 8.0, .coulomb = COULOMB_PME, .beta = 0.35, .mixed = true};
  for (int k = 0; k < 2; k++) {
    scene_create(&s, &c, isa);
    (k == 0 ? near_waters : near_hydrogens)(&s);
    scene_free(&s);
  }
}

TEST(guards)
{
  for (int isa = 0; isa < ISA_COUNT; isa++)
    for (int mixed = 0; mixed < 2 && isa_runs((Isa)isa); mixed++) {
      guard((Isa)isa, mixed);
      if (mixed)
        guard_waters((Isa)isa);
    }
}

/* Waters as near as the guard of mixed precision lets oxygens come, from three sides: the sums hold. */
TEST(sums_do_not_overflow)
{
  static Scene s;
  static double f[3 * ATOMS];
  Error error = {0};
  Case c = {{"tip3p", 300, {NULL, NULL}, 0, {21.0, 21.0, 21.0}},
            {.cutoff = 9.0, .coulomb = COULOMB_PME, .beta = 0.32}};
  const double near = 2.12, step = 2.95; /* no pair at the cutoff */
  for (int mixed = 0; mixed < 2; mixed++) {
    c.options.mixed = mixed;
    scene_create(&s, &c, isa_best());
    for (int i = 0; i < 300; i++) /* hydrogens along z, oxygens on a lattice */
      for (int k = 0; k < 9; k++) {
        const int d = k % 3, a = k / 3, cell = d == 0 ? i % 7 : (d == 1 ? i / 7 % 7 : i / 49);
        double at = cell * step + (d == 2 ? 0.9 * (a == 1) - 0.9 * (a == 2) : 0.0);
        if ((i == 1 && d == 0) || (i == 7 && d == 1)) /* neighbours along +x, +y, -y, come nearer */
          at += near - step;
        if (i == 42 && d == 1)
          at -= near - step;
        site(&s, 0, i, a)[LANES * d] = at;
      }
    ck_assert_msg(compute(&s, 1, false, &error) == STATUS_OK, "%s", error.text);
    if (mixed)
      ck_assert_double_le(deviation(3 * s.box.natom, s.f, f), 1e-5);
    memcpy(f, s.f, sizeof f);
    scene_free(&s);
  }
}

static void refuse_for(const Case *c, int threads, const char *text)
{
  MixedBox box;
  Sites *sites = NULL;
  Error error = {0};
  mixed_box_make(&box, &c->box);
  ck_assert_int_eq(
      sites_create(&sites, &box.particles, &box.state->box, &c->options, threads, isa_best(), &error),
      STATUS_INPUT);
  ck_assert_msg(strstr(error.text, text) != NULL, "%s", error.text);
  ck_assert_ptr_null(sites);
  mixed_box_free(&box);
}

static void refuse(const Case *c, const char *text) { refuse_for(c, 1, text); }

TEST(bad_input)
{
  const MixedCase box = {"tip3p", 100, {"Na+", "Cl-"}, 3, {17.9, 18.0, 18.0}};
  const Nonbonded sound = {.cutoff = 9.0, .coulomb = COULOMB_PME, .beta = 0.3};
  Case c = {box, sound};
  refuse(&c, "17.9 A apart, less than twice 9 A");
  c.box.length[0] = 18.0;
  c.options.by_atom = true;
  refuse(&c, "twice 11.3 A, the cutoff between atoms plus twice the reach");
  c.options = sound;
  c.options.beta = 0.0;
  refuse(&c, "splitting parameter");
  c.options = sound;
  c.options.cutoff = NAN;
  refuse(&c, "cutoff must be positive");
  c.options = sound;
  c.options.truncation = TRUNCATION_SWITCH;
  refuse(&c, "switched off over the last 0 A before the cutoff of 9 A");
  c.options.switch_width = 1.0;
  c.options.truncation = TRUNCATION_SWITCH_PAIRS;
  c.options.by_atom = true;
  refuse(&c, "'switch-pairs' needs a cutoff by molecule");
  c.options = sound;
  c.options.coulomb = COULOMB_REACTION_FIELD;
  c.options.permittivity = 0.5;
  refuse(&c, "at least 1");
  c.options = sound;
  refuse_for(&c, 0, "at least one thread");
  c.options = sound;
  c.options.mixed = true;
  c.options.beta = 0.8;
  refuse(&c, "too large for mixed precision");
  c.options.beta = 0.1;
  c.options.cutoff = 40.0;
  c.box = (MixedCase){"tip3p", 100, {NULL, NULL}, 0, {90.0, 90.0, 90.0}};
  refuse(&c, "too large for mixed precision");
  sites_free(NULL);
}

int main(void) { return suite_main("sites_guards"); }
