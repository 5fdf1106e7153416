/* Boxes of water and of ions in water against LAMMPS with equal constants: the Ewald sum of both tight, and
 * the short-range forces of sites.h with the cutoff between atoms. Skipped (exit code 77) where the program
 * `lmp` is not installed. */
#include "forcefields/sites.h"
#include "tests/lammps.h"

static const MixedCase sums[] = {{"tip3p", 216, {NULL}, 0, {19.2, 19.3, 19.5}},
                                 {"tip3p", 500, {NULL}, 0, {25.2, 25.3, 25.5}},
                                 {"spce", 216, {NULL}, 0, {19.2, 19.3, 19.5}},
                                 {"tip4p", 216, {NULL}, 0, {19.2, 19.3, 19.5}},
                                 {"spce", 480, {"Na+", "Cl-"}, 10, {25.2, 25.3, 25.5}}};
enum { SUMS = sizeof sums / sizeof *sums };

START_TEST(ewald_agrees)
{
  static LammpsAnswer own, theirs;
  const EwaldOptions options = {.accuracy = 1e-10, .lj_cutoff = 9.0};
  EwaldResult result;
  MixedBox s;
  Error error = {0};
  mixed_box_make(&s, &sums[_i]);
  ck_assert_msg(mixture_ewald(&s.mixture, s.state, &options, own.f, &result, &error) == STATUS_OK, "%s",
                error.text);
  own.lj = result.energy[EWALD_LJ] + result.energy[EWALD_LJ_TAIL];
  own.coulomb = result.energy[EWALD_REAL] + result.energy[EWALD_RECIPROCAL] + result.energy[EWALD_SELF] +
                result.energy[EWALD_INTRAMOLECULAR];
  lammps_pressures(result.virial_atom, &s.state->box, own.pressure);
  lammps_ask(&s, "lj/cut/coul/long 9.0",
             "pair_modify tail yes table 20 tabinner 0.1\nkspace_style ewald 1e-10", &theirs);
  /* Random orientations have almost no Coulomb energy; the liquid has about -10 kcal/mol a molecule. */
  lammps_compare(&s, &own, &theirs, 1e-7 * 10.0 * s.mixture.nmol);
  mixed_box_free(&s);
}
END_TEST

typedef struct Case {
  MixedCase box;
  SitesOptions options;
  const char *style, *more;
} Case;

/* Without the mesh, and without what takes pairs inside molecules out of it. */
#define REAL_PART                                                                                            \
  "kspace_style ewald 1e-4\nkspace_modify gewald 0.35 compute no\nneigh_modify exclude molecule/intra all\n"
#define TABLE "pair_modify table 20 tabinner 0.1 "
static const Case cases[] = {
    {{"tip3p", 500, {NULL}, 0, {25.2, 25.3, 25.5}},
     {.cutoff = 9.0, .coulomb = SITES_EWALD, .beta = 0.35},
     "lj/cut/coul/long 9.0",
     TABLE "tail yes\n" REAL_PART},
    {{"spce", 480, {"Na+", "Cl-"}, 10, {25.2, 25.3, 25.5}},
     {.cutoff = 9.0, .coulomb = SITES_EWALD, .beta = 0.35},
     "lj/cut/coul/long 9.0",
     TABLE "tail yes\n" REAL_PART},
    {{"tip4p", 300, {"Na+", "Cl-"}, 6, {21.5, 21.0, 22.0}},
     {.cutoff = 8.0, .truncation = EWALD_SHIFT, .coulomb = SITES_EWALD, .beta = 0.35},
     "lj/cut/coul/long 8.0",
     TABLE "shift yes\n" REAL_PART},
    {{"tip3p", 300, {"K+", "I-"}, 6, {21.5, 21.0, 22.0}},
     {.cutoff = 8.0, .truncation = EWALD_SHIFT, .coulomb = SITES_CUTOFF},
     "lj/cut/coul/cut 8.0",
     "pair_modify shift yes"},
    {{NULL, 0, {"argon", NULL}, 500, {28.5, 28.5, 28.8}},
     {.cutoff = 10.0, .coulomb = SITES_NONE},
     "lj/cut 10.0",
     "pair_modify tail yes"},
    {{NULL, 0, {"argon", "krypton"}, 250, {28.5, 28.5, 28.8}},
     {.cutoff = 12.0, .truncation = EWALD_SHIFT, .coulomb = SITES_NONE},
     "lj/cut 12.0",
     "pair_modify shift yes"}};
enum { CASES = sizeof cases / sizeof *cases };

/* Energies with the tail where LAMMPS adds its own, which it does to plain truncation only. */
static void ask_sites(const Case *c, MixedBox *s, LammpsAnswer *answer)
{
  SitesOptions options = c->options;
  Sites *sites;
  List *list;
  SitesSums sum;
  Error error = {0};
  const Team team = team_alone();
  options.by_atom = true;
  options.part = s->part;
  options.threads = 1;
  options.isa = isa_best();
  ck_assert_msg(sites_create(&sites, &options, s->state, &error) == STATUS_OK, "%s", error.text);
  ListOptions listed = {.cutoff = sites_list_cutoff(sites), .isa = options.isa};
  memcpy(listed.length, c->box.length, sizeof listed.length);
  ck_assert_int_eq(list_create(&list, &listed, s->mixture.nmol, &error), STATUS_OK);
  int32_t(*o)[4] = calloc((size_t)s->mixture.nmol, sizeof *o);
  ck_assert_int_eq(sites_places(sites, &team, s->state, o, &error), STATUS_OK);
  ck_assert_int_eq(list_update(list, &team, (const int32_t(*)[4])o, NULL, &error), STATUS_OK);
  for (int b = 0; b < s->state->nblock; b++) {
    Block *block = &s->state->block[b];
    memset(block->f, 0, (size_t)block->npack * (size_t)block->kind->nsite * 3 * sizeof(vd));
  }
  ck_assert_msg(sites_add(sites, &team, list_view(list), s->state, &sum, &error) == STATUS_OK, "%s",
                error.text);
  const bool tail = options.truncation == EWALD_PLAIN;
  answer->lj = sum.lj + (tail ? sites_tail_energy(sites) : 0.0);
  answer->coulomb = sum.real;
  for (int d = 0; d < 3; d++)
    sum.virial[d][d] += tail ? sites_tail_virial(sites) : 0.0;
  lammps_pressures(sum.virial, &s->state->box, answer->pressure);
  mixed_box_get(s, 1, answer->f);
  sites_free(sites);
  list_free(list);
  free(o);
}

START_TEST(sites_agree)
{
  static LammpsAnswer own, theirs;
  const Case *c = &cases[_i];
  MixedBox s;
  mixed_box_make(&s, &c->box);
  ask_sites(c, &s, &own);
  lammps_ask(&s, c->style, c->more, &theirs);
  lammps_compare(&s, &own, &theirs, 1e-7 * 10.0 * s.mixture.nmol);
  mixed_box_free(&s);
}
END_TEST

int main(void)
{
  if (lammps_missing())
    return 77;
  Suite *suite = suite_create("ewald_lammps");
  TCase *tc = tcase_create("ewald_lammps");
  tcase_set_timeout(tc, 120);
  tcase_add_loop_test(tc, ewald_agrees, 0, SUMS);
  tcase_add_loop_test(tc, sites_agree, 0, CASES);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
