/* Forces between molecules of any kinds: what goes wrong is named. */
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

START_TEST(guards)
{
  static Scene s;
  static double x[3 * ATOMS];
  for (int isa = 0; isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    Error error = {0};
    scene_create(&s, &cases[0], (Isa)isa);
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
    expect(&s, "the Cl of molecule 276 ");
    blocks_set(s.box.state, 'q', x); /* and it goes on with sound positions */
    ck_assert_int_eq(compute(&s, 2, false, &error), STATUS_OK);
    scene_free(&s);
  }
}
END_TEST

static void refuse(const Case *c, const char *text)
{
  MixedBox box;
  Sites *sites = NULL;
  Error error = {0};
  SitesOptions options = c->options;
  mixed_box_make(&box, &c->box);
  options.isa = isa_best();
  ck_assert_int_eq(sites_create(&sites, &box.mixture, &box.state->box, &options, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, text) != NULL, "%s", error.text);
  ck_assert_ptr_null(sites);
  mixed_box_free(&box);
}

START_TEST(bad_input)
{
  const MixedCase box = {"tip3p", 100, {"Na+", "Cl-"}, 3, {17.9, 18.0, 18.0}};
  const SitesOptions sound = {.cutoff = 9.0, .coulomb = SITES_EWALD, .beta = 0.3, .threads = 1};
  Case c = {box, sound};
  refuse(&c, "17.9 A long in x, which is less than twice 9 A");
  c.box.length[0] = 18.0;
  c.options.by_atom = true;
  refuse(&c, "twice 11.3 A, the cutoff between atoms and twice the reach");
  c.options = sound;
  c.options.beta = 0.0;
  refuse(&c, "splitting parameter");
  c.options = sound;
  c.options.cutoff = NAN;
  refuse(&c, "cutoff must be positive");
  c.options = sound;
  c.options.truncation = EWALD_SWITCH;
  c.options.lj_switch = 9.0;
  refuse(&c, "switched off from 9 to 9 A");
  c.options.lj_switch = 8.0;
  c.options.switch_molecules = c.options.by_atom = true;
  refuse(&c, "take a cutoff by molecule");
  c.options = sound;
  c.options.coulomb = SITES_REACTION_FIELD;
  c.options.permittivity = 0.5;
  refuse(&c, "at least 1");
  c.options = sound;
  c.options.threads = 0;
  refuse(&c, "at least one thread");
  sites_free(NULL);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("sites_guards");
  tcase_set_timeout(tc, 60.0);
  tcase_add_test(tc, guards);
  tcase_add_test(tc, bad_input);
  return suite_main("sites_guards", tc);
}
