/* Molecules as groups: which atoms are tied, which groups are alike, which distances say the same, where the
 * references are, and that atoms come back in the order in which they went. */
#include "engine/random.h"
#include "forcefields/term_force.h"
#include "integrators/plan.h"
#include "tests/files.h"
#include "tests/grouped.h"

/* A term of the topology's atoms is that of the file, and is not fixed: another than what is kept. */
static void check_term(const GroupsMolecule *of, const Term *term)
{
  bool found = false;
  for (int t = 0; t < of->molecule->nterm && !found; t++) {
    const Term *file = &of->molecule->term[t];
    found = file->type == term->type && memcmp(file->param, term->param, sizeof term->param) == 0;
    for (int k = 0; k < term->type->natom; k++)
      found = found && of->file[term->atom[k]] == file->atom[k];
  }
  ck_assert(found);
}

static void expect(const Made *m, GroupsKeep keep, int ngroup, int nkind, int ncon, int nleft, int nfixed)
{
  One one = one_of(m, keep);
  const GroupsMolecule *of = one.groups->molecule;
  char words[512];
  check_laws(one.groups);
  ck_assert_int_eq(of->ngroup, ngroup);
  ck_assert_int_eq(one.groups->nkind, nkind);
  ck_assert_int_eq(of->ncon, ncon);
  ck_assert_int_eq(of->nleft, nleft);
  ck_assert_int_eq(of->molecule->nterm - of->terms.n, nfixed);
  for (int t = 0; t < of->terms.n; t++)
    check_term(of, &of->terms.term[t]);
  for (int i = 0; i < nleft; i++)
    ck_assert(groups_words(one.groups, 0, i, words, sizeof words));
  ck_assert(!groups_words(one.groups, 0, nleft, words, sizeof words));
  one_free(&one);
}

TEST(small_molecules_are_divided)
{
  Made m;
  make_methanol(&m);
  expect(&m, GROUPS_NONE, 6, 3, 0, 0, 0);
  expect(&m, GROUPS_H_BONDS, 2, 2, 4, 0, 4);
  expect(&m, GROUPS_ALL_BONDS, 1, 1, 5, 0, 5);
  expect(&m, GROUPS_H_ANGLES, 1, 1, 11, 1, 12); /* five of the carbon's six angles; the oxygen's */
  make_butane(&m);
  expect(&m, GROUPS_H_BONDS, 4, 2, 10, 0, 10);
  expect(&m, GROUPS_ALL_BONDS, 1, 1, 13, 0, 13);
  expect(&m, GROUPS_ALL_ANGLES, 1, 1, 13 + 20, 4, 37); /* what is left are three torsions */
  make_ring(&m, "benzene", 6, 1, 0.0);
  expect(&m, GROUPS_H_BONDS, 6, 1, 6, 0, 6);
  expect(&m, GROUPS_ALL_BONDS, 1, 1, 12, 0, 12);
  make_ring(&m, "cyclohexane", 6, 2, 0.25);
  expect(&m, GROUPS_ALL_BONDS, 1, 1, 18, 0, 18);
}

/* 10 groups: methyls, CA with HA, two N with H, two C, two O. With angles, four sp3 centres lose one of six
 * each, and planes lose one of three each. */
TEST(a_dipeptide_is_divided)
{
  Made m;
  make_dipeptide(&m);
  expect(&m, GROUPS_H_BONDS, 10, 5, 12, 0, 12);
  expect(&m, GROUPS_ALL_BONDS, 1, 1, 21, 0, 21);
  expect(&m, GROUPS_H_ANGLES, 1, 1, 43, 3, 46);
  expect(&m, GROUPS_ALL_ANGLES, 1, 1, 49, 8, 53);
}

static void count_fates(const GroupsMolecule *of, int fates[DISTANCE_DEGENERATE + 1])
{
  fates[DISTANCE_REDUNDANT] = fates[DISTANCE_DEGENERATE] = 0;
  for (int i = 0; i < of->nleft; i++)
    fates[of->left[i].fate]++;
}

/* Whatever the start, turned, shaken, elsewhere: the same distances are left out, and the
 * references are the same molecule. */
TEST(thermal_starts_are_divided_alike)
{
  static Made cold, warm;
  make_dipeptide(&cold);
  One one = one_of(&cold, GROUPS_ALL_ANGLES);
  const GroupsMolecule *a = one.groups->molecule;
  int fates[DISTANCE_DEGENERATE + 1];
  count_fates(a, fates);
  ck_assert_int_eq(fates[DISTANCE_REDUNDANT], 4);
  ck_assert_int_eq(fates[DISTANCE_DEGENERATE], 4);
  for (int time = 0; time < 5; time++) {
    RandomStream stream = random_stream(11, (uint32_t)time, RANDOM_TEST);
    warm = cold;
    for (int i = 0; i < cold.n; i++)
      for (int d = 0; d < 3; d++)
        warm.x[i][d] = cold.x[i][(d + time) % 3] + 0.03 * random_normal(&stream) + 7.0;
    One other = one_of(&warm, GROUPS_ALL_ANGLES);
    const GroupsMolecule *b = other.groups->molecule;
    check_laws(other.groups);
    ck_assert_int_eq(b->nleft, a->nleft);
    for (int i = 0; i < a->nleft; i++) {
      ck_assert_int_eq(a->left[i].fate, b->left[i].fate);
      ck_assert_int_eq(a->left[i].atom[0], b->left[i].atom[0]);
      ck_assert_int_eq(a->left[i].atom[1], b->left[i].atom[1]);
      ck_assert_double_eq_tol(b->left[i].found, a->left[i].found, 1e-2);
    }
    one_free(&other);
  }
  one_free(&one);
}

/* What has the distances already, and is in their order, stays where it is; the same call gives the same
 * bits. */
TEST(references_are_the_nearest)
{
  static Made m;
  make_dipeptide(&m);
  One one = one_of(&m, GROUPS_H_ANGLES), same = one_of(&m, GROUPS_H_ANGLES);
  const GroupsMolecule *of = one.groups->molecule;
  ck_assert_mem_eq(of->reference, same.groups->molecule->reference,
                   (size_t)of->natom * sizeof *of->reference);
  ck_assert_mem_eq(of->file, same.groups->molecule->file, (size_t)of->natom * sizeof *of->file);
  for (int i = 0; i < of->natom; i++)
    memcpy(m.x[of->file[i]], of->reference[i], sizeof *m.x);
  One again = one_of(&m, GROUPS_H_ANGLES);
  for (int i = 0; i < of->natom; i++)
    for (int d = 0; d < 3; d++)
      ck_assert_double_eq_tol(again.groups->molecule->reference[i][d], of->reference[i][d], 1e-12);
  one_free(&again);
  one_free(&same);
  one_free(&one);
}

/* --- constraints of the file ------- */

/* Four sites in a diamond: two triangles that share a side. */
static const char diamond[] =
    "  diamond:\n    atoms: [[A, C, 0, 12], [B, C, 0, 12], [C, C, 0, 12], [D, C, 0, 12]]\n"
    "    constraints: [[1, 2, 1.5], [2, 3, 1.5], [3, 4, 1.5], [4, 1, 1.5], [1, 3, 1.5]%s]\n";
static const double diamond_at[4][3] = {{0, 0, 0}, {1.3, 0.75, 0.1}, {0, 1.5, 0}, {-1.3, 0.75, 0.1}};

TEST(a_diamond_is_held)
{
  char text[1024];
  One one;
  snprintf(text, sizeof text, diamond, "");
  fine(try_text(text, "[[diamond, 1]]", GROUPS_NONE, diamond_at, &one));
  check_laws(one.groups);
  ck_assert_int_eq(one.groups->molecule->ncon, 5);
  one_free(&one);
  /* Its sixth distance: of two sites out of the plane; in it, where it says nothing; too long. */
  snprintf(text, sizeof text, diamond, ", [2, 4, 2.4]");
  fine(try_text(text, "[[diamond, 1]]", GROUPS_NONE, diamond_at, &one));
  check_laws(one.groups);
  ck_assert_int_eq(one.groups->molecule->ncon, 6);
  one_free(&one);
  snprintf(text, sizeof text, diamond, ", [2, 4, 2.598076211353316]");
  refused(text, "[[diamond, 1]]", GROUPS_NONE, diamond_at, "(with the atoms in a plane)");
  snprintf(text, sizeof text, diamond, ", [2, 4, 2.8]");
  refused(text, "[[diamond, 1]]", GROUPS_NONE, diamond_at, "A: the other constraints give");
}

static const char dioxide[] =
    "  CO2:\n    atoms: [[C, C, 0, 12.011], [O1, C, 0, 15.999], [O2, C, 0, 15.999]]\n%s";

TEST(what_cannot_be_kept_is_refused)
{
  static const double triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0.8, 0}};
  char text[TEXT];
  snprintf(text, sizeof text, dioxide, "    constraints: [[1, 2, 1], [1, 3, 1], [2, 3, 3]]\n");
  refused(text, "[[CO2, 9]]", GROUPS_NONE, triangle, "molecule CO2: the distance of atoms");
  snprintf(text, sizeof text, dioxide, "    constraints: [[1, 2, 1], [1, 3, 1]]\n");
  refused(text, "[]", GROUPS_NONE, triangle, "does not list the system's molecules");
  refused(text, "[[CO2, 9]]", GROUPS_NONE, (const double[3][3]){{0}, {0}, {1}}, "constraints give");
  refused(text, "[[CO2, 9]]", GROUPS_NONE, (const double[3][3]){{NAN}, {0}, {1}}, "no finite coordinates");
  snprintf(text, sizeof text, dioxide, "    bonds: [[1, 2]]\n    terms: {bond: [[1, 3, 1.16, 900]]}\n");
  refused(text, "[[CO2, 9]]", GROUPS_ALL_BONDS, triangle,
          "atoms 1 and 2, C and O1, cannot be constrained without a length");
  snprintf(text, sizeof text, dioxide, "    terms: {bond: [[1, 3, 0, 900]]}\n");
  refused(text, "[[CO2, 9]]", GROUPS_ALL_BONDS, triangle, "cannot be constrained to a length of 0");
  snprintf(text, sizeof text, dioxide, "    terms: {bond: [[1, 3, 1.16, 900], [3, 1, 1.2, 900]]}\n");
  refused(text, "[[CO2, 9]]", GROUPS_ALL_BONDS, triangle, "bonds of two lengths, 1.16 and 1.2 A");
}

/* A tabulated bond or angle has no value to be kept at; beside a constraint it needs none. */
TEST(tables_have_no_value_at_rest)
{
  static const double triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.4, 0.8, 0}};
  static const char tables[] =
      "tables: {b: {from: 0, to: 3, rows: [[0, 0], [1, 2], [4, 4], [9, 6]]}, "
      "a: {from: 0, to: 180, rows: [[0, 0], [3600, 120], [14400, 240], [32400, 360]]}}\n";
  char text[TEXT];
  snprintf(text, sizeof text, dioxide,
           "    bonds: [[1, 2], [1, 3]]\n    terms: {distance-table: [[1, 2, b, 9], [1, 3, b, 9]]}\n");
  snprintf(text + strlen(text), sizeof text - strlen(text), "%s", tables);
  refused(text, "[[CO2, 9]]", GROUPS_ALL_BONDS, triangle,
          "atoms 1 and 2, C and O1, cannot be constrained without a length");
  snprintf(text, sizeof text, dioxide,
           "    terms: {bond: [[1, 2, 1.1, 9], [1, 3, 1.1, 9]], angle-table: [[2, 1, 3, a, 9]]}\n");
  snprintf(text + strlen(text), sizeof text - strlen(text), "%s", tables);
  refused(text, "[[CO2, 9]]", GROUPS_ALL_ANGLES, triangle,
          "the angle of atoms 2, 1 and 3 is tabulated, so it has no value to be constrained to");
}

/* --- a system ------- */

static const char mixed[] =
    "  water:\n    atoms: [[HW1, C, 0.52, 1.008], [OW, C, 0, 15.9994], [MW, C, -1.04, 0], [HW2, C, 0.52, "
    "1.008]]\n"
    "    constraints: [[4, 1, 1.5139], [2, 1, 0.9572], [2, 4, 0.9572]]\n"
    "    virtual: [[3, 3, 2, 1, 4, 0.128, 0.128]]\n"
    "  heavy:\n    atoms: [[A, C, 1, 3.024], [D, C, 0, 0], [HA, C, 0, 2.014], [O, C, -1, 15.9994]]\n"
    "    terms: {bond: [[1, 3, 1.0, 900], [1, 4, 1.4, 900]]}\n"
    "    virtual: [[2, 2, 1, 4, 0.3]]\n"
    "  unused: {atoms: [[X, C, 0, 5]]}\n";

/* Water whose oxygen comes second becomes SETTLE's triangle; positions that went in come out in the file's
 * order, at every place of a system with rows of one molecule apart. */
TEST(positions_come_back_in_the_order_of_the_file)
{
  static const double water[4][3] = {{0.76, 0.59, 0}, {0, 0, 0}, {9, 9, 9}, {-0.76, 0.59, 0}},
                      heavy[4][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0.1, 0}, {-0.5, 1.3, 0}};
  static const GroupsKeep keep[3] = {GROUPS_NONE, GROUPS_H_BONDS, GROUPS_NONE};
  Molecules *m = read_text(mixed, "[[water, 3], [heavy, 2], [water, 9]]");
  Groups *g;
  Topology *topology;
  State *state;
  fine(groups_create(&g, m, keep, (const double(*const[])[3]){water, heavy, NULL}, &error));
  check_laws(g);
  ck_assert_int_eq(g->nkind, 3); /* water, A with HA, O */
  ck_assert_str_eq(g->kind[0]->name, "OH2");
  ck_assert(kind_is_triangle(g->kind[0]));
  ck_assert_int_eq(g->kind[1]->ncon, 1);
  ck_assert_int_eq(g->molecule[2].ngroup, 0);
  ck_assert_int_eq(g->molecule[0].group[2], 0);  /* its parents are of one group */
  ck_assert_int_eq(g->molecule[1].group[1], -1); /* of two */
  ck_assert_int_eq(g->molecule[0].site[2], 3);
  ck_assert_double_eq_tol(groups_empty(g), 1.0 - (36.0 + 4.0 + 2.0) / (48.0 + 16.0 + 8.0), 1e-12);
  fine(groups_topology(g, -1, &topology, &error));
  fine(topology_state(topology, 1, 1, 0, &state, &error));
  ck_assert_int_eq(topology->natom, 3 * 12 + 3 * 2);
  ck_assert_int_eq((int)groups_file_atoms(g), 4 * 14);
  const double *charge = topology->sort[0].shared;
  ck_assert_double_eq_tol(charge[1], -1.04 * (1.0 - 0.256), 1e-12);
  ck_assert_double_eq_tol(charge[0], 0.52 - 1.04 * 0.128, 1e-12);
  ck_assert_double_lt(topology->sort[0].kind->mass[0], 2.0); /* the hydrogen comes first, as in the file */
  double file[56][3], back[56][3], x[42][3], y[42][3];
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  for (int i = 0; i < 3 * 56; i++)
    file[i / 3][i % 3] = random_normal(&stream);
  groups_from_file(g, (const double(*)[3])file, x);
  topology_set(topology, state, STATE_POSITIONS, 0, x[0]);
  topology_get(topology, state, STATE_POSITIONS, 0, y[0]);
  groups_to_file(g, true, (const double(*)[3])y, back);
  for (int i = 0; i < 56; i++) {
    const bool of_water = i < 12 || i >= 20;
    const double(*at)[3] = (const double(*)[3])file + i / 4 * 4;
    for (int d = 0; d < 3; d++) {
      const double wanted = of_water && i % 4 == 2
                                ? at[1][d] + 0.128 * (at[0][d] - at[1][d]) + 0.128 * (at[3][d] - at[1][d])
                            : !of_water && i % 4 == 1 ? at[0][d] + 0.3 * (at[3][d] - at[0][d])
                                                      : file[i][d];
      ck_assert_double_eq_tol(back[i][d], wanted, 1e-14);
    }
  }
  /* Atoms of a molecule are in its lanes: momenta are of the molecule that a lane says. */
  ck_assert_int_eq(topology->nmol, 14);
  groups_to_file(g, false, (const double(*)[3])y, back);
  ck_assert_double_eq(back[2][0], 0.0);
  state_free(state);
  topology_free(topology);
  groups_free(g);
  molecules_free(m);
}

/* Groups of all sorts in the integrators: they stay on their constraints for 200 free steps, and keep their
 * kinetic energy as far as the step goes. */
TEST(groups_move_on_their_manifolds, .first = GROUPS_H_BONDS, .rows = GROUPS_ALL_ANGLES + 1 - GROUPS_H_BONDS)
{
  static Made m;
  const PlanOptions o = {.word = "BAB",
                         .h = 0.5 / 48.88821,
                         .accel = "verlet",
                         .kT = 0.6,
                         .constraints = "rattle",
                         .constraint = {.tolerance = 1e-12, .max_iterations = 50},
                         .isa = isa_best()};
  const ForceField none = {0};
  const Team team = team_alone();
  Topology *topology;
  State *state;
  Plan *plan;
  Walk *walk;
  double before[1], after[1], unused[2], x[22 * 5][3];
  make_dipeptide(&m);
  One one = one_of(&m, (GroupsKeep)_i);
  const Groups *g = one.groups;
  fine(groups_topology(g, -1, &topology, &error));
  fine(topology_state(topology, 1, 7, 0, &state, &error));
  for (int i = 0; i < 22 * 5; i++)
    memcpy(x[i], g->molecule->reference[i % 22], sizeof *x);
  topology_set(topology, state, STATE_POSITIONS, 0, x[0]);
  fine(plan_create_kinds(&plan, g->nkind, (const Kind *const *)g->kind, &o, &error));
  ck_assert_int_eq(plan_freedom(plan, g->lanes), 5 * (66 - g->molecule->ncon));
  fine(walk_create(&walk, plan, &none, state, &error));
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  fine(walk_prepare(walk, &team, &error));
  walk_draw_momenta(walk);
  fine(walk_energies(walk, &team, &(WalkEnergies){before, unused, unused + 1}, &error));
  fine(walk_run(walk, &team, 200, &error));
  fine(walk_energies(walk, &team, &(WalkEnergies){after, unused, unused + 1}, &error));
  topology_get(topology, state, STATE_POSITIONS, 0, x[0]);
  ck_assert_double_gt(before[0], 0.0);
  ck_assert_double_eq_tol(after[0], before[0], 1e-2 * before[0]);
  for (int n = 0; n < 5; n++)
    for (int k = 0, at = 0; k < g->molecule->ngroup; k++) {
      const Kind *kind = g->kind[g->molecule->block[k]];
      double own[GROUPED_ATOMS][3];
      take_group(g->molecule, at, kind->nsite, (const double(*)[3])x + (ptrdiff_t)n * 22, own);
      at += kind->nsite;
      for (int c = 0; c < kind->ncon; c++) {
        const Distance distance = {{kind->con[c].site[0], kind->con[c].site[1]}, .length = 0.0};
        ck_assert_double_eq_tol(distance_length(&distance, (const double(*)[3])own), kind->con[c].param[0],
                                1e-10);
      }
    }
  walk_free(walk);
  plan_free(plan);
  state_free(state);
  topology_free(topology);
  one_free(&one);
}

/* Energy and forces f[22][3] of one dipeptide's terms at x, in the order of the file, divided so. */
static double terms_of(const Made *m, GroupsKeep keep, const double (*x)[3], double (*f)[3])
{
  double at[5 * 22][3], all[5 * 22][3], energy[TERM_COLUMNS] = {0.0}, sum = 0.0;
  const Team team = team_alone();
  Topology *topology;
  State *state;
  ForceField field = {.n = 1};
  One one = one_of(m, keep);
  for (int i = 0; i < 5 * 22; i++)
    memcpy(all[i], x[i % 22], sizeof *all);
  fine(groups_topology(one.groups, -1, &topology, &error));
  fine(topology_state(topology, 1, 1, 0, &state, &error));
  fine(term_force_create(field.force, topology, &one.groups->molecule->terms, state, isa_best(), &error));
  groups_from_file(one.groups, (const double(*)[3])all, at);
  topology_set(topology, state, STATE_POSITIONS, 0, at[0]);
  fine(force_field_compute(&field, &team, state, &(ForceSums){energy, NULL}, &error));
  topology_get(topology, state, STATE_FORCES, 0, at[0]);
  groups_to_file(one.groups, false, (const double(*)[3])at, all);
  memcpy(f, all, 22 * sizeof *f);
  for (int c = 0; c < force_field_terms(&field); c++)
    sum += energy[c];
  force_field_free(&field);
  state_free(state);
  topology_free(topology);
  one_free(&one);
  return sum / 5.0;
}

/* Where bonds have their lengths, energies and forces are those of any division. */
TEST(terms_are_those_of_any_division)
{
  static Made m;
  double x[22][3], f[22][3], other[22][3];
  make_dipeptide(&m);
  append(m.text, "      torsion: [[5, 7, 9, 15, 20, 1.3, 2], [7, 9, 15, 17, 0, 0.7, 1]]\n");
  One one = one_of(&m, GROUPS_ALL_BONDS);
  for (int i = 0; i < 22; i++)
    memcpy(x[one.groups->molecule->file[i]], one.groups->molecule->reference[i], sizeof *x);
  one_free(&one);
  const double energy = terms_of(&m, GROUPS_NONE, (const double(*)[3])x, f);
  ck_assert_double_gt(energy, 0.1);
  for (GroupsKeep keep = GROUPS_H_BONDS; keep <= GROUPS_ALL_BONDS; keep++) {
    ck_assert_double_eq_tol(terms_of(&m, keep, (const double(*)[3])x, other), energy, 1e-8);
    for (int i = 0; i < 22; i++)
      for (int d = 0; d < 3; d++)
        ck_assert_double_eq_tol(other[i][d], f[i][d], 1e-6);
  }
}

/* Equal groups of different molecules are one kind, whatever the order of their atoms. */
TEST(equal_groups_are_one_kind)
{
  static Made methanol, butane;
  static char text[2 * TEXT];
  make_methanol(&methanol);
  make_butane(&butane);
  snprintf(text, sizeof text, "%s%s", methanol.text, butane.text);
  Molecules *m = read_text(text, "[[butane, 8], [methanol, 16]]");
  Groups *g;
  fine(groups_create(&g, m, (const GroupsKeep[]){GROUPS_H_BONDS, GROUPS_H_BONDS},
                     (const double(*const[])[3]){methanol.x, butane.x}, &error));
  ck_assert_int_eq(g->nkind, 3); /* CH3, OH, CH2 */
  ck_assert_str_eq(g->kind[0]->name, "CH3");
  ck_assert_int_eq(g->lanes[0], 16 + 2 * 8);
  ck_assert_double_eq(groups_empty(g), 0.0);
  groups_free(g);
  molecules_free(m);
}
