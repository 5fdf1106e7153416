/* Virtual sites of molecules in the forces: every kind, its parents in one group or in several, as slopes of
 * the energy through their places, by any team, with replicas in lanes and with one; in a box with the
 * virial; and a water as a file against the model of it. */
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/open_pairs.h"
#include "forcefields/periodic.h"
#include "tests/force_laws.h"
#include "tests/norms.h"
#include "tests/suite.h"
#include "tests/virtual_world.h"

static const char text[] =
    "format: holonom-molecules 1\nrule: geometric\n"
    "types: {A: [2.8, 0.1], B: [1.2, 0.05], S: [0.6, 0.02], N: [0, 0]}\nmolecules:\n"
    "  all:\n    atoms:\n"
    "      - [S2, S, 0.3, 0]\n      - [I, A, 0.2, 12]\n      - [S3, N, -0.4, 0]\n      - [J, B, 0.1, 1]\n"
    "      - [SD, S, 0.35, 0]\n      - [K, B, -0.3, 1]\n      - [SA, S, -0.45, 0]\n      - [SO, N, 0.25, 0]\n"
    "      - [L, A, -0.05, 16]\n      - [SF, S, 0.2, 0]\n      - [SN, S, -0.2, 0]\n"
    "      - [SE, S, 0.1, 0]\n      - [SM, S, -0.2, 0]\n      - [SB, S, 0.3, 0]\n      - [SC, S, -0.2, 0]\n"
    "    terms:\n      bond: [[2, 4, 1.5, 600], [2, 6, 1.45, 600], [2, 9, 1.6, 600]]\n"
    "    virtual:\n"
    "      - [3, \"3\", 2, 4, 6, 0.3, 0.5]\n      - [1, \"2\", 4, 2, 0.4]\n      - [5, 3fd, 4, 2, 6, 0.6, "
    "1.1]\n"
    "      - [7, 3fad, 2, 4, 9, 115, 1.0]\n      - [8, 3out, 2, 9, 6, -0.3, -0.4, 0.5]\n"
    "      - [10, 2fd, 9, 2, 2.1]\n      - [11, 4fdn, 2, 4, 6, 9, 0.9, 1.1, -1.2]\n"
    "      - [12, 3fadd, 2, 4, 9, 100, 1.2, 40]\n      - [13, 3median, 2, 6, 9, 140, 1.1, 110]\n"
    "      - [14, 3bisector, 2, 4, 6, 125.265, 0.9, -90]\n      - [15, 4bisector, 4, 2, 6, 9, 120, 1.0, "
    "180]\n"
    "    exclude: 4\n    exclusions: [[1, 3], [1, 5], [3, 5], [5, 8], [4, 8], [4, 7], [1, 8], [1, 7], [1, "
    "10], [5, 10], [7, 10], [8, 10], [3, 10], [4, 10], [6, 10], [10, 11], [1, 11], [3, 11], [5, 11], [7, "
    "11], [8, 11], "
    "[1, 12], [2, 12], [3, 12], [4, 12], [5, 12], [6, 12], [7, 12], [8, 12], [9, 12], [10, 12], "
    "[11, 12], [1, 13], [2, 13], [3, 13], [4, 13], [5, 13], [6, 13], [7, 13], [8, 13], [9, 13], "
    "[10, 13], [11, 13], [12, 13], [1, 14], [2, 14], [3, 14], [4, 14], [5, 14], [6, 14], [7, 14], "
    "[8, 14], [9, 14], [10, 14], [11, 14], [12, 14], [13, 14], [1, 15], [2, 15], [3, 15], [4, 15], "
    "[5, 15], [6, 15], [7, 15], [8, 15], [9, 15], [10, 15], [11, 15], [12, 15], [13, 15], [14, 15]"
    "]\n"
    "  plain:\n    atoms:\n      - [P, A, 0.3, 12]\n      - [Q, B, -0.3, 1]\n"
    "    terms: {bond: [[1, 2, 1.4, 600]]}\n"
    "system: [[all, 9], [plain, 3], [all, 2]]\n";

static void world_sites(World *w, GroupsKeep keep, int width)
{
  world_read(w, text, keep, (const double(*const[])[3]){all_at, plain_at}, width);
  ck_assert_int_eq(w->topology->natom, ATOMS);
  ck_assert_int_eq((int)groups_file_atoms(w->groups), FILE_ATOMS);
}

static void world_open(World *w, GroupsKeep keep, int width)
{
  world_sites(w, keep, width);
  fine(open_pairs_create(&w->field.force[0], &w->input, PAIR_DOUBLE, w->state, isa(), &error));
}

/* Molecules on a lattice, turned and shaken, of replica r; the atoms with mass. */
static void place(const World *w, int r, double step, double (*x)[3])
{
  RandomStream stream = random_stream(5, (uint32_t)r, RANDOM_TEST);
  static double file[FILE_ATOMS][3];
  for (int i = 0, m = 0; i < FILE_ATOMS; m++) {
    const bool plain = m >= FIRST && m < FIRST + MIDDLE;
    const int at[3] = {m % 3, m / 3 % 3, m / 9};
    for (int k = 0; k < (plain ? PLAIN : ALL); k++, i++)
      for (int d = 0; d < 3; d++)
        file[i][d] = (plain ? plain_at[k] : all_at[k])[(d + m + r) % 3] * (m % 2 == 0 ? 1.0 : -1.0) +
                     step * at[d] + 0.07 * random_normal(&stream);
  }
  groups_from_file(w->groups, (const double(*)[3])file, x);
}

static void world_place(World *w, double step)
{
  double x[ATOMS][3];
  for (int r = 0; r < w->state->used; r++) {
    place(w, r, step, x);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x[0]);
  }
}

/* Of all pairs of atoms and sites that see each other, from the file's lists. */
static double plain_energy(const World *w, const double (*x)[3])
{
  static double file[FILE_ATOMS][3];
  const Molecules *const m = w->molecules;
  const Molecule *of[FILE_ATOMS];
  int first[FILE_ATOMS], n = 0;
  double energy = 0.0;
  groups_to_file(w->groups, true, x, file);
  for (int c = 0; c < m->ncount; c++)
    for (int k = 0; k < m->count[c].n; k++)
      for (int i = 0, from = n; i < m->molecule[m->count[c].molecule].natom; i++, n++) {
        of[n] = &m->molecule[m->count[c].molecule];
        first[n] = from;
      }
  ck_assert_int_eq(n, FILE_ATOMS);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) {
      bool hidden = false;
      for (int k = 0; k < of[i]->nexclusion && first[i] == first[j]; k++)
        hidden = hidden ||
                 (of[i]->exclusion[k].atom[0] == i - first[i] && of[i]->exclusion[k].atom[1] == j - first[j]);
      const MoleculesAtom *a = &of[i]->atom[i - first[i]], *b = &of[j]->atom[j - first[j]];
      const MoleculesDispersion *lj = &m->dispersion[a->type * m->ntype + b->type];
      const double r2 =
          pow(file[i][0] - file[j][0], 2) + pow(file[i][1] - file[j][1], 2) + pow(file[i][2] - file[j][2], 2);
      if (!hidden)
        energy += UNITS_COULOMB * a->charge * b->charge / sqrt(r2) + lj->a / pow(r2, 6) - lj->c / pow(r2, 3);
    }
  return energy;
}

#define SLOPE(e, h) ((8 * ((e)[2] - (e)[1]) - ((e)[3] - (e)[0])) / (12 * (h)))

static void world_number(World *w, int i)
{
  world_open(w, worlds[i].keep, worlds[i].width);
  state_use(w->state, worlds[i].used);
  world_place(w, 4.5);
}

/* Energies are plain sums, forces slopes of these through the places of the sites. */
TEST(slopes, .rows = WORLDS)
{
  World w;
  double x[ATOMS][3], f[ATOMS][3];
  const int width = worlds[_i].width, r = worlds[_i].used - 1;
  world_number(&w, _i);
  world_compute(&w, 2, true);
  topology_get(w.topology, w.state, STATE_FORCES, r, f[0]);
  place(&w, r, 4.5, x);
  const double energy = w.energy[r] + w.energy[width + r], want = plain_energy(&w, (const double(*)[3])x);
  ck_assert_double_eq_tol(energy, want, 1e-11 * (fabs(want) + 1e3));
  for (int i = 0; i < ATOMS; i += i < 2 * PARENTS ? 1 : 5)
    for (int d = 0; d < 3; d++) {
      double e[4];
      const double there = x[i][d], h = 1e-3;
      for (int k = 0; k < 4; k++) {
        x[i][d] = there + h * (k < 2 ? k - 2 : k - 1);
        e[k] = plain_energy(&w, (const double(*)[3])x);
      }
      x[i][d] = there;
      ck_assert_msg(fabs(f[i][d] + SLOPE(e, h)) < 1e-6 * (1 + fabs(f[i][d])), "atom %d, %c: %.10g, not %.10g",
                    i + 1, "xyz"[d], f[i][d], -SLOPE(e, h));
    }
  world_free(&w);
}

/* --- in a box ------------------------------------------------------------------------------------------- */

static const PeriodicOptions schemes[] = {
    {.nonbonded.coulomb = COULOMB_PME,
     .nonbonded.truncation = TRUNCATION_SWITCH,
     .nonbonded.beta = 0.9,
     .nonbonded.order = 6,
     .nonbonded.grid = {64, 64, 64},
     .nonbonded.tail = true},
    {.nonbonded.coulomb = COULOMB_REACTION_FIELD, .nonbonded.truncation = TRUNCATION_SWITCH},
    {.nonbonded.coulomb = COULOMB_EWALD, .nonbonded.truncation = TRUNCATION_SWITCH, .nonbonded.tail = true}};

static Status world_periodic(World *w, const PeriodicOptions *scheme)
{
  PeriodicOptions o = *scheme;
  o.atoms = &w->input;
  o.nonbonded.cutoff = 6.5;
  o.nonbonded.switch_width = 2.0;
  o.nonbonded.by_atom = true;
  o.keep_net = true;
  o.threads = TEAM_MOST;
  o.isa = isa();
  force_field_free(&w->field);
  w->field.n = 1;
  return periodic_create(&w->field.force[0], &o, w->state, &error);
}

/* Molecules lie across faces of the box, in packs whole; one is an image away. */
static void world_boxed(World *w, int scheme, GroupsKeep keep, double (*x)[3])
{
  world_sites(w, keep, 1);
  w->state->box = box_brick(14.0, 14.5, 15.0);
  place(w, 0, 4.6, x);
  for (int i = 0; i < PARENTS; i++)
    x[i][1] += 14.5;
  topology_set(w->topology, w->state, STATE_POSITIONS, 0, x[0]);
  fine(world_periodic(w, &schemes[scheme]));
}

static World law;

static ForceSystem open_law(int keep, int width, int used)
{
  world_open(&law, (GroupsKeep)keep, width);
  state_use(law.state, used);
  world_place(&law, 4.5);
  return (ForceSystem){&law.field, law.state};
}

/* which: number of the scheme, and TIED more where bonds are kept. */
enum { TIED = 8 };

static ForceSystem open_boxed(int which, int width, int used)
{
  static double x[ATOMS][3];
  ck_assert(width == 1 && used == 1);
  world_boxed(&law, which % TIED, which < TIED ? GROUPS_NONE : GROUPS_ALL_BONDS, x);
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { world_free(&law); }

#define OPEN(keep, ...)                                                                                      \
  {                                                                                                          \
    .name = #keep, .open = open_law, .close = close_law, .which = keep, .threads = 5, .net = 1e-11,          \
    .torque = 1e-10, .alone = 1e-12, __VA_ARGS__                                                             \
  }
#define BOXED(scheme, ...)                                                                                   \
  {                                                                                                          \
    .name = "scheme " #scheme, .open = open_boxed, .close = close_law, .which = scheme, .stride = 25,        \
    .gradient = 1e-6, __VA_ARGS__                                                                            \
  }
static const ForceRow forces[] = {OPEN(GROUPS_NONE, .gradient = 1e-8, .stride = 13),
                                  OPEN(GROUPS_ALL_BONDS, .gradient = 1e-8, .stride = 13),
                                  OPEN(GROUPS_NONE, .width = 8),
                                  OPEN(GROUPS_ALL_BONDS, .width = 8, .used = 5),
                                  OPEN(GROUPS_ALL_BONDS, .width = 16),
                                  OPEN(GROUPS_NONE, .width = 16, .used = 11),
                                  BOXED(0, .strain = 1e-6, .symmetric = true),
                                  BOXED(1, .strain = 1e-6, .symmetric = true),
                                  BOXED(2, .strain = 1e-6, .symmetric = true),
                                  BOXED(TIED),
                                  BOXED(TIED + 1),
                                  BOXED(TIED + 2)};

/* Any team. Excluded pairs are as far apart as the polynomial of what the mesh holds of them does not reach.
 */
TEST(mesh_comes_to_plain_ewald)
{
  World w;
  double x[ATOMS][3], f[2][ATOMS][3], virial[2][3][3], energy[2];
  for (int k = 0; k < 2; k++) {
    world_boxed(&w, 2 * k, GROUPS_ALL_BONDS, x);
    energy[k] = world_energy(&w);
    memcpy(virial[k], w.virial, sizeof virial[k]);
    topology_get(w.topology, w.state, STATE_FORCES, 0, f[k][0]);
    for (int threads = 1; threads < 5 && k == 0; threads += 2) {
      world_compute(&w, threads, threads == 3);
      topology_get(w.topology, w.state, STATE_FORCES, 0, f[1][0]);
      ck_assert_mem_eq(f[0], f[1], sizeof f[0]);
    }
    world_free(&w);
  }
  ck_assert_double_eq_tol(energy[0], energy[1], 1e-6 * fabs(energy[1]));
  ck_assert_double_le(deviation(3 * ATOMS, f[0][0], f[1][0]), 1e-5); /* the mesh's */
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(virial[0][k / 3][k % 3], virial[1][k / 3][k % 3], 1e-3);
}

/* --- faults --------------------------------------------------------------------------------------------- */

/* A site whose parents are in a line has no place: at the start, and in a run, where it is named; so have
 * those that are nowhere. */
TEST(no_place, .rows = 8, .threads = true)
{
  World w;
  double x[ATOMS][3];
  const int width = _i < 4 ? 1 : 16, r = _i < 4 ? 0 : 9;
  world_open(&w, GROUPS_NONE, width);
  if (width > 1)
    state_use(w.state, 11);
  world_place(&w, 4.5);
  place(&w, r, 4.5, x);
  double(*const own)[3] = x + 5 * PARENTS; /* I J K L */
  for (int d = 0; d < 3; d++)
    if (_i % 4 == 0) /* 3fad */
      own[3][d] = 2.0 * own[1][d] - own[0][d];
    else if (_i % 4 == 1) /* 3fd: J to 0.4 I + 0.6 K */
      own[1][d] = 0.4 * own[0][d] + 0.6 * own[2][d];
    else if (_i % 4 == 2) /* 3bisector: J opposite to K */
      own[1][d] = 2.0 * own[0][d] - own[2][d];
    else
      own[0][d] = (double)NAN;
  topology_set(w.topology, w.state, STATE_POSITIONS, r, x[0]);
  for (int threads = 1; threads <= 3; threads++) {
    ck_assert_int_eq(team_forces(&w.field, w.state, threads, 1, NULL, &error), STATUS_RUN);
    ck_assert_msg(strstr(error.text, "of molecule 6 (all)") != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, _i % 4 == 0   ? "virtual site 7 "
                                     : _i % 4 == 1 ? "virtual site 5 "
                                     : _i % 4 == 2 ? "virtual site 14 "
                                                   : "virtual site 3 ") != NULL,
                  "%s", error.text);
    ck_assert_msg((strstr(error.text, "of replica 9") != NULL) == (width > 1), "%s", error.text);
  }
  world_free(&w);
}

TEST(a_start_without_a_place_is_refused)
{
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  const GroupsKeep keep[2] = {GROUPS_NONE, GROUPS_NONE};
  double x[ALL][3];
  memcpy(x, all_at, sizeof x);
  for (int d = 0; d < 3; d++)
    x[8][d] = 2.5 * x[3][d];
  fine(molecules_file_parse(&molecules, "m.yaml", text, strlen(text), &error));
  fine(groups_create(&groups, molecules, keep, (const double(*const[])[3]){x, plain_at}, &error));
  ck_assert_int_eq(groups_topology(groups, -1, &topology, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "molecule all: atom 7, SA, is a virtual site of kind 3fad without a "
                                   "defined position: the atoms that place it, 2, 4 and 9") != NULL,
                "%s", error.text);
  ck_assert_ptr_null(topology);
  fine(groups_topology(groups, 0, &topology, &error)); /* a kernel of its own knows better */
  ck_assert_int_eq(topology_blocks(topology), topology->nblock);
  topology_free(topology);
  groups_free(groups);
  molecules_free(molecules);
}

TEST(another_topology)
{
  World w, more;
  State *other;
  world_sites(&w, GROUPS_NONE, 1);
  world_sites(&more, GROUPS_ALL_BONDS, 1);
  fine(topology_state(more.topology, 1, 1, 0, &other, &error));
  ck_assert_int_eq(open_pairs_create(&w.field.force[0], &w.input, PAIR_DOUBLE, other, isa(), &error),
                   STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "a different topology from the state") != NULL, "%s", error.text);
  state_free(other);
  w.field.n = more.field.n = 0;
  world_free(&w);
  world_free(&more);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("virtual_sites");
}
