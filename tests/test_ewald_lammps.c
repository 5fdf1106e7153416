/* Boxes of water and of ions in water against LAMMPS with equal constants: the Ewald sum of both tight, the
 * whole force of runs with its mesh, and the short-range forces of sites.h, the cutoff between atoms. Skipped
 * (exit code 77) where the program `lmp` is not installed. */
#include "forcefields/periodic.h"
#include "integrators/plan.h"
#include "tests/lammps_box.h"
#include "tests/sites_alone.h"
#include "tests/suite.h"

static const MixedCase sums[] = {
    {"tip3p", 216, {NULL}, 0, {19.2, 19.3, 19.5}}, {"tip3p", 500, {NULL}, 0, {25.2, 25.3, 25.5}},
    {"spce", 216, {NULL}, 0, {19.2, 19.3, 19.5}},  {"tip4p", 216, {NULL}, 0, {19.2, 19.3, 19.5}},
    {"tip5p", 216, {NULL}, 0, {19.2, 19.3, 19.5}}, {"spce", 480, {"Na+", "Cl-"}, 10, {25.2, 25.3, 25.5}}};
enum { SUMS = sizeof sums / sizeof *sums };

TEST(ewald_agrees, .rows = suite_rows(2, SUMS))
{
  static LammpsAnswer own, theirs;
  const EwaldOptions options = {.accuracy = 1e-10, .lj.cutoff = 9.0};
  EwaldResult result;
  MixedBox s;
  Error error = {0};
  mixed_box_make(&s, &sums[_i]);
  ck_assert_msg(ewald_alone(&s.particles, s.state, &options, own.f, &result, &error) == STATUS_OK, "%s",
                error.text);
  own.lj = result.energy[EWALD_LJ] + result.energy[EWALD_LJ_TAIL];
  own.coulomb = result.energy[EWALD_REAL] + result.energy[EWALD_RECIPROCAL] + result.energy[EWALD_SELF] +
                result.energy[EWALD_INTRAMOLECULAR];
  lammps_pressures(result.virial_atom, &s.state->box, own.pressure);
  lammps_ask(&s, "lj/cut/coul/long 9.0",
             "pair_modify tail yes table 20 tabinner 0.1\nkspace_style ewald 1e-10", &theirs);
  /* Random orientations have almost no Coulomb energy; the liquid has about -10 kcal/mol a molecule. */
  lammps_compare(&s, &own, &theirs, 1e-7 * 10.0 * s.particles.nmol);
  mixed_box_free(&s);
}

/* --- the force of runs -------------------------------------------------------------------------------------
 */

static void make_force(const MixedBox *s, PeriodicOptions o, ForceField *field)
{
  Error error = {0};
  o.model = s->model;
  o.atoms = mixed_box_input(s);
  o.threads = 1;
  o.isa = isa_best();
  field->n = 1;
  ck_assert_msg(periodic_create(&field->force[0], &o, s->state, &error) == STATUS_OK, "%s", error.text);
}

/* From the lattice to something like a liquid. */
static void melt(MixedBox *s)
{
  const PlanOptions options = {.word = "BAOAB",
                               .h = 2.0 / UNITS_AKMA_FS,
                               .accel = "verlet",
                               .constraints = "settle",
                               .constraint = {.tolerance = 1e-10, .max_iterations = 50},
                               .friction = FRICTION_MASS,
                               .gamma = 1.0,
                               .kT = 298.15 * UNITS_BOLTZMANN,
                               .isa = isa_best()};
  const Team alone = team_alone();
  ForceField field;
  Plan *plan;
  Walk *walk;
  Error error = {0};
  make_force(s, (PeriodicOptions){.nonbonded.cutoff = 9.0, .nonbonded.mixed = true, .kT = 0.6, .h = 0.04},
             &field);
  const Kind *const kind[MIXED_BLOCKS] = {s->kind[0], s->kind[1], s->kind[2]};
  ck_assert_int_eq(plan_create_kinds(&plan, s->state->nblock, kind, &options, &error), STATUS_OK);
  ck_assert_int_eq(walk_create(&walk, plan, &field, s->state, &error), STATUS_OK);
  walk_attach(walk, s->state, RANDOM_THERMOSTAT);
  ck_assert_int_eq(walk_prepare(walk, &alone, &error), STATUS_OK);
  ck_assert_msg(walk_run(walk, &alone, 300, &error) == STATUS_OK, "%s", error.text);
  walk_free(walk);
  plan_free(plan);
  force_field_free(&field);
}

static const struct {
  MixedCase box;
  int order;
} runs[] = {{{"tip3p", 500, {NULL}, 0, {24.5, 24.6, 24.9}}, 6},
            {{"spce", 500, {NULL}, 0, {24.5, 24.6, 24.9}}, 5},
            {{"tip4p", 400, {NULL}, 0, {22.9, 22.9, 22.9}}, 6},
            {{"spce", 480, {"Na+", "Cl-"}, 10, {24.5, 24.6, 24.9}}, 6}};
enum { RUNS = sizeof runs / sizeof *runs };

TEST(runs_agree, .rows = suite_rows(1, RUNS))
{
  static LammpsAnswer own, theirs;
  double terms[EWALD_TERMS], virial[3][3] = {{0.0}};
  ForceField field;
  MixedBox s;
  Error error = {0};
  const Team alone = team_alone();
  mixed_box_make(&s, &runs[_i].box);
  melt(&s);
  make_force(&s,
             (PeriodicOptions){.nonbonded.cutoff = 9.0,
                               .nonbonded.by_atom = true,
                               .nonbonded.tail = true,
                               .nonbonded.accuracy = 2e-6,
                               .nonbonded.order = runs[_i].order,
                               .kT = 0.6,
                               .h = 0.04},
             &field);
  ck_assert_msg(force_field_compute(&field, &alone, s.state, &(ForceSums){terms, virial}, &error) ==
                    STATUS_OK,
                "%s", error.text);
  blocks_get(s.state, 'f', own.f);
  own.lj = terms[EWALD_LJ] + terms[EWALD_LJ_TAIL];
  own.coulomb = terms[EWALD_REAL] + terms[EWALD_RECIPROCAL] + terms[EWALD_SELF] + terms[EWALD_INTRAMOLECULAR];
  lammps_pressures((const double(*)[3])virial, &s.state->box, own.pressure);
  lammps_ask(&s, "lj/cut/coul/long 9.0",
             "pair_modify tail yes table 20 tabinner 0.1\nkspace_style ewald 1e-9", &theirs);
  lammps_compare(&s, &own, &theirs, 1e-6 * fabs(theirs.coulomb));
  force_field_free(&field);
  mixed_box_free(&s);
}

/* --- the short range ---------------------------------------------------------------------------------------
 */

typedef struct Case {
  MixedCase box;
  Nonbonded options;
  const char *style, *more;
} Case;

/* Without the mesh, and without what takes pairs inside molecules out of it. */
#define REAL_PART                                                                                            \
  "kspace_style ewald 1e-4\nkspace_modify gewald 0.35 compute no\nneigh_modify exclude molecule/intra all\n"
#define TABLE "pair_modify table 20 tabinner 0.1 "
static const Case cases[] = {
    {{"tip3p", 500, {NULL}, 0, {25.2, 25.3, 25.5}},
     {.cutoff = 9.0, .coulomb = COULOMB_PME, .beta = 0.35},
     "lj/cut/coul/long 9.0",
     TABLE "tail yes\n" REAL_PART},
    {{"spce", 480, {"Na+", "Cl-"}, 10, {25.2, 25.3, 25.5}},
     {.cutoff = 9.0, .coulomb = COULOMB_PME, .beta = 0.35},
     "lj/cut/coul/long 9.0",
     TABLE "tail yes\n" REAL_PART},
    {{"tip4p", 300, {"Na+", "Cl-"}, 6, {21.5, 21.0, 22.0}},
     {.cutoff = 8.0, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_PME, .beta = 0.35},
     "lj/cut/coul/long 8.0",
     TABLE "shift yes\n" REAL_PART},
    {{"tip3p", 300, {"K+", "I-"}, 6, {21.5, 21.0, 22.0}},
     {.cutoff = 8.0, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_CUTOFF},
     "lj/cut/coul/cut 8.0",
     "pair_modify shift yes"},
    {{"tip5p", 300, {"Na+", "Cl-"}, 6, {21.5, 21.0, 22.0}},
     {.cutoff = 8.0, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_PME, .beta = 0.35},
     "lj/cut/coul/long 8.0",
     TABLE "shift yes\n" REAL_PART},
    {{NULL, 0, {"argon", NULL}, 500, {28.5, 28.5, 28.8}},
     {.cutoff = 10.0, .coulomb = COULOMB_NONE},
     "lj/cut 10.0",
     "pair_modify tail yes"},
    {{NULL, 0, {"argon", "krypton"}, 250, {28.5, 28.5, 28.8}},
     {.cutoff = 12.0, .truncation = TRUNCATION_SHIFT, .coulomb = COULOMB_NONE},
     "lj/cut 12.0",
     "pair_modify shift yes"}};
enum { CASES = sizeof cases / sizeof *cases };

/* Energies with the tail where LAMMPS adds its own, which it does to plain truncation only. */
static void ask_sites(const Case *c, MixedBox *s, LammpsAnswer *answer)
{
  Nonbonded options = c->options;
  Sites *sites;
  List *list;
  SitesSums sum;
  Error error = {0};
  const Team team = team_alone();
  options.by_atom = true;
  ck_assert_msg(sites_create(&sites, &s->particles, &s->state->box, &options, 1, isa_best(), &error) ==
                    STATUS_OK,
                "%s", error.text);
  const ListOptions listed = sites_list(sites, &s->state->box, 0.0, 0.0);
  ck_assert_int_eq(list_create(&list, &listed, s->particles.nmol, &error), STATUS_OK);
  int32_t(*o)[4] = calloc((size_t)s->particles.nmol, sizeof *o);
  Stage stage;
  ck_assert_int_eq(sites_make_stage(sites, &stage, NULL), STATUS_OK);
  blocks_clear_forces(s->state);
  ck_assert_msg(sites_alone_add(sites, &stage, &team, list, s->state, o, &sum, &error) == STATUS_OK, "%s",
                error.text);
  double tail[2] = {0.0};
  const LjCut beyond = {.cutoff = options.cutoff};
  if (options.truncation == TRUNCATION_PLAIN)
    ewald_tail_lj(&s->particles, &s->state->box, &beyond, tail);
  answer->lj = sum.lj + tail[0];
  answer->coulomb = sum.real;
  for (int d = 0; d < 3; d++)
    sum.virial[d][d] += tail[1];
  lammps_pressures(sum.virial, &s->state->box, answer->pressure);
  blocks_get(s->state, 'f', answer->f);
  sites_free(sites);
  stage_free(&stage);
  list_free(list);
  free(o);
}

TEST(sites_agree, .rows = suite_rows(2, CASES))
{
  static LammpsAnswer own, theirs;
  const Case *c = &cases[_i];
  MixedBox s;
  mixed_box_make(&s, &c->box);
  ask_sites(c, &s, &own);
  lammps_ask(&s, c->style, c->more, &theirs);
  lammps_compare(&s, &own, &theirs, 1e-7 * 10.0 * s.particles.nmol);
  mixed_box_free(&s);
}

int main(void)
{
  if (suite_lacks("lmp"))
    return SUITE_SKIPPED;
  return suite_main("ewald_lammps");
}
