/* Terms that name virtual sites, of every kind: energies are those of atoms that stand where the sites are,
 * forces their slopes through these places; lanes, teams, strains; and files. */
#include "engine/random.h"
#include "forcefields/term_force.h"
#include "tests/force_laws.h"
#include "tests/suite.h"
#include "tests/virtual_world.h"

/* %s: mass of a site; the sites. */
static const char format[] =
    "format: holonom-molecules 1\nrule: geometric\ntypes: {A: [2.8, 0.1]}\n"
    "grids:\n  wave: [[0, 1, 0, -1], [1, 0, -1, 0], [0, -1, 0, 1], [-1, 0, 1, 0]]\nmolecules:\n"
    "  all:\n    atoms:\n"
    "      - [S2, A, 0.3, %s]\n      - [I, A, 0.2, 12]\n      - [S3, A, -0.4, %s]\n      - [J, A, 0.1, 1]\n"
    "      - [SD, A, 0.35, %s]\n      - [K, A, -0.3, 1]\n      - [SA, A, -0.45, %s]\n      - [SO, A, 0.2, "
    "%s]\n"
    "      - [L, A, 0, 16]\n      - [SF, A, 0.2, %s]\n      - [SN, A, -0.2, %s]\n"
    "      - [SE, A, 0.1, %s]\n      - [SM, A, -0.2, %s]\n      - [SB, A, 0.3, %s]\n      - [SC, A, 0, %s]\n"
    "    terms:\n      bond: [[2, 4, 1.5, 600], [2, 6, 1.45, 600], [9, 2, 1.6, 600], [1, 5, 2.0, 30], [9, 3, "
    "1.8, 20], [12, 13, 2.0, 20]]\n"
    "      urey-bradley: [[7, 8, 2.1, 10], [10, 11, 3.1, 10]]\n"
    "      angle: [[1, 5, 6, 110, 20], [9, 7, 2, 100, 30], [10, 2, 11, 100, 20], [4, 2, 6, 105, 40], [14, 4, "
    "15, 95, 30]]\n"
    "      torsion: [[1, 2, 9, 8, 30, 1.4, 2], [5, 4, 2, 7, 60, 1, 3], [4, 2, 9, 6, 0, 1, 1]]\n"
    "      improper: [[2, 3, 5, 8, 20, 5], [4, 11, 6, 10, 70, 5]]\n"
    "      cmap: [[1, 2, 5, 9, 8, wave]]\n"
    "      pair-14: [[1, 8, 0.5, 0.1, 0.02], [5, 9, 0.6, 0.1, -0.05], [3, 7, 0.4, 0.2, 0.01]]\n%s"
    "    exclude: 4\n"
    "  plain:\n    atoms:\n      - [P, A, 0.3, 12]\n      - [Q, A, -0.3, 1]\n"
    "    terms: {bond: [[1, 2, 1.4, 600]]}\n"
    "system: [[all, 9], [plain, 3], [all, 2]]\n";
static const char sites[] = "    virtual:\n"
                            "      - [11, 4fdn, 2, 1, 6, 10, 0.9, 1.1, -1.2]\n"
                            "      - [3, \"3\", 2, 4, 6, 0.3, 0.5]\n      - [1, \"2\", 4, 2, 0.4]\n"
                            "      - [5, 3fd, 4, 2, 6, 0.6, 1.1]\n      - [7, 3fad, 2, 4, 9, 115, 1.0]\n"
                            "      - [8, 3out, 2, 9, 6, -0.3, -0.4, 0.5]\n"
                            "      - [10, 2fd, 9, 3, 2.1]\n"
                            "      - [12, 3fadd, 2, 4, 9, 100, 1.2, 40]\n"
                            "      - [13, 3median, 2, 6, 9, 140, 1.1, 110]\n"
                            "      - [14, 3bisector, 2, 4, 6, 125.265, 0.9, -90]\n"
                            "      - [15, 4bisector, 4, 2, 6, 12, 120, 1.0, 180]\n";

/* All terms of the file, whatever is kept, by the numbers of sites. */
static TermList all_terms(const World *w, int molecule, Term *term)
{
  const GroupsMolecule *of = &w->groups->molecule[molecule];
  for (int i = 0; i < of->molecule->nterm; i++) {
    term[i] = of->molecule->term[i];
    for (int k = 0; k < term[i].type->natom; k++)
      term[i].atom[k] = of->site[term[i].atom[k]];
  }
  return (TermList){of->molecule->nterm, term, w->molecules->ngrid, w->molecules->grid};
}

/* With sites or with atoms in their places. */
static void create(World *w, bool virtual, GroupsKeep keep, int width)
{
  const char *const mass = virtual ? "0" : "1";
  static char text[8192];
  TermList list[3];
  Term term[3][32];
  snprintf(text, sizeof text, format, mass, mass, mass, mass, mass, mass, mass, mass, mass, mass, mass,
           virtual ? sites : "");
  world_read(w, text, keep, (const double(*const[])[3]){all_at, plain_at}, width);
  for (int k = 0; k < 3; k++)
    list[k] = all_terms(w, k == 1, term[k]);
  fine(term_force_create(&w->field.force[0], w->topology, list, w->state, isa(), &error));
}

static void place(const World *w, int r, double (*x)[3])
{
  RandomStream stream = random_stream(9, (uint32_t)r, RANDOM_TEST);
  static double file[FILE_ATOMS][3];
  for (int i = 0, m = 0; i < FILE_ATOMS; m++) {
    const bool plain = m >= FIRST && m < FIRST + MIDDLE;
    for (int k = 0; k < (plain ? PLAIN : ALL); k++, i++)
      for (int d = 0; d < 3; d++)
        file[i][d] = (plain ? plain_at[k] : all_at[k])[(d + m + r) % 3] * (m % 2 == 0 ? 1.0 : -1.0) +
                     7.0 * (m >> d & 1) + 0.07 * random_normal(&stream);
  }
  groups_from_file(w->groups, (const double(*)[3])file, x);
}

static void world_open(World *w, GroupsKeep keep, int width, int used)
{
  double x[ATOMS][3];
  create(w, true, keep, width);
  state_use(w->state, used);
  for (int r = 0; r < used; r++) {
    place(w, r, x);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x[0]);
  }
}

static void world_number(World *w, int i) { world_open(w, worlds[i].keep, worlds[i].width, worlds[i].used); }

TEST(energies_are_those_of_atoms_in_the_places_of_the_sites, .rows = WORLDS)
{
  World w, other;
  double x[ATOMS][3];
  static double file[FILE_ATOMS][3];
  world_number(&w, _i);
  create(&other, false, GROUPS_NONE, 1);
  world_compute(&w, 1, true);
  const int n = force_field_terms(&w.field);
  ck_assert_int_eq(n, TERM_COLUMNS - 2); /* no restraints */
  ck_assert_int_eq(force_field_terms(&other.field), n);
  for (int r = 0; r < worlds[_i].used; r++) {
    place(&w, r, x);
    groups_to_file(w.groups, true, (const double(*)[3])x, file);
    topology_set(other.topology, other.state, STATE_POSITIONS, 0, file[0]);
    world_compute(&other, 1, true);
    for (int k = 0; k < n; k++)
      ck_assert_double_eq_tol(w.energy[k * worlds[_i].width + r], other.energy[k],
                              1e-12 * (1.0 + fabs(other.energy[k])));
  }
  world_free(&w);
  world_free(&other);
}

static World law;

static ForceSystem open_law(int keep, int width, int used)
{
  world_open(&law, (GroupsKeep)keep, width, used);
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { world_free(&law); }

#define LAW(keep, ...)                                                                                       \
  {                                                                                                          \
    .name = #keep, .open = open_law, .close = close_law, .which = keep, .net = 1e-10, .torque = 1e-9,        \
    .alone = 1e-12, __VA_ARGS__                                                                              \
  }
static const ForceRow forces[] = {LAW(GROUPS_NONE, .gradient = 1e-8, .h = 3e-4, .strain = 1e-8),
                                  LAW(GROUPS_ALL_BONDS, .gradient = 1e-8, .h = 3e-4, .strain = 1e-8),
                                  LAW(GROUPS_NONE, .width = 8),
                                  LAW(GROUPS_ALL_BONDS, .width = 8, .used = 5),
                                  LAW(GROUPS_ALL_BONDS, .width = 16),
                                  LAW(GROUPS_NONE, .width = 16, .used = 11)};

/* Bonds and angles of sites are kept by nobody, and tie no exclusions. */
TEST(sites_are_in_no_group)
{
  World w;
  for (int keep = 0; keep <= GROUPS_ALL_ANGLES; keep++) {
    create(&w, true, (GroupsKeep)keep, 1);
    const GroupsMolecule *m = &w.groups->molecule[0];
    int seen = 0;
    ck_assert_int_eq(m->molecule->nbond, 3);
    for (int k = 0; k < m->terms.n; k++) {
      bool names = false;
      for (int i = 0; i < m->terms.term[k].type->natom; i++) {
        ck_assert(m->terms.term[k].atom[i] >= 0 && m->terms.term[k].atom[i] < ALL);
        names = names || m->terms.term[k].atom[i] >= PARENTS;
      }
      ck_assert(names || seen == 0); /* they come last */
      seen += names;
    }
    ck_assert_int_eq(seen, 17);
    world_free(&w);
  }
}

TEST(places_that_are_lost_are_named)
{
  World w;
  double x[ATOMS][3];
  world_number(&w, 0);
  place(&w, 0, x);
  for (int d = 0; d < 3; d++) /* J and L in a line with I: 3fad has no plane */
    x[3][d] = x[0][d] + 2.0 * (x[1][d] - x[0][d]);
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x[0]);
  ck_assert_int_eq(team_forces(&w.field, w.state, 2, 1, NULL, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "virtual site 7 of molecule 1 (all)") != NULL, "%s", error.text);
  world_free(&w);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("virtual_terms");
}
