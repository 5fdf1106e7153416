/* Pairs of atoms in open space: against plain sums over all pairs, as slopes of the energy, with replicas in
 * lanes and with one. */
#include "engine/random.h"
#include "engine/units.h"
#include "forcefields/open_pairs.h"
#include "tests/force_laws.h"
#include "tests/suite.h"
#include "tests/virtual_world.h"

enum { LONG = 9, MOST = 64, SPACE = LONG * MOST + 2, COLUMNS = 2 };

/* Ethanol, whose atoms come in no order of groups, and ions. */
static const char text[] =
    "format: holonom-molecules 1\nrule: geometric\n"
    "types: {CT: [3.5, 0.066], HC: [2.5, 0.03], OH: [3.12, 0.17], HO: [0, 0], NA: [3.3, 0.003]}\n"
    "pairs:\n  - [OH, NA, 2.9, 0.05]\nmolecules:\n"
    "  ethanol:\n    atoms:\n"
    "      - [H11, HC, 0.06, 1.008]\n      - [C1, CT, -0.18, 12.011]\n      - [C2, CT, 0.145, 12.011]\n"
    "      - [HO, HO, 0.418, 1.008]\n      - [H12, HC, 0.06, 1.008]\n      - [O, OH, -0.683, 15.9994]\n"
    "      - [H13, HC, 0.06, 1.008]\n      - [H21, HC, 0.06, 1.008]\n      - [H22, HC, 0.06, 1.008]\n"
    "    constraints: [[1, 2, 1.09], [2, 5, 1.09], [2, 7, 1.09], [3, 8, 1.09], [3, 9, 1.09], [4, 6, 0.945]]\n"
    "    bonds: [[2, 3], [3, 6]]\n    exclude: 3\n"
    "  ion:\n    atoms:\n      - [NA, NA, 1.0, 22.99]\n"
    "system: [[ethanol, %d], [ion, 2]]\n";
static const double ethanol[LONG][3] = {{-0.36, 1.03, 0.0},    {0.0, 0.0, 0.0},      {1.52, 0.0, 0.0},
                                        {2.9, -1.25, 0.05},    {-0.36, -0.51, 0.89}, {2.0, -1.33, 0.05},
                                        {-0.36, -0.51, -0.89}, {1.88, 0.5, 0.9},     {1.88, 0.55, -0.87}};

static PairPrecision precision = PAIR_DOUBLE; /* of the forces that are made */

static Status world_force(World *w)
{
  return open_pairs_create(&w->field.force[0], &w->input, precision, w->state, isa(), &error);
}

static void world_create(World *w, int nmol, int width)
{
  static const double ion[1][3];
  static char whole[2 * sizeof text];
  snprintf(whole, sizeof whole, text, nmol);
  world_read(w, whole, GROUPS_NONE, (const double(*const[])[3]){ethanol, ion}, width);
  fine(world_force(w));
}

/* Of atom i of the topology: its molecule, and its number in the file's; ions come last. */
static int molecule_of(const World *w, int i)
{
  return i < w->topology->natom - 2 ? i / LONG
                                    : (w->topology->natom - 2) / LONG + i - (w->topology->natom - 2);
}

static int in_file(const World *w, int i)
{
  return i < w->topology->natom - 2 ? w->groups->molecule[0].file[i % LONG] : 0;
}

/* Molecules at points of a lattice, each turned by quarters and shaken; of another replica, otherwise. */
static void place(const World *w, int r, double (*x)[3])
{
  RandomStream stream = random_stream(5, (uint32_t)r, RANDOM_TEST);
  for (int i = 0; i < w->topology->natom; i++) {
    const int m = molecule_of(w, i), at[3] = {m % 5, m / 5 % 5, m / 25};
    static const double single[3];
    const double *own = i < w->topology->natom - 2 ? ethanol[in_file(w, i)] : single;
    for (int d = 0; d < 3; d++)
      x[i][d] = own[(d + m + r) % 3] + 5.2 * at[d] + 0.1 * random_normal(&stream);
  }
}

static void world_place(World *w)
{
  double x[SPACE][3];
  for (int r = 0; r < w->state->used; r++) {
    place(w, r, x);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x[0]);
  }
}

/* --- plain sums ----------------------------------------------------------------------------------------- */

static bool bonded(int i, int j)
{
  static const int bond[8][2] = {{0, 1}, {1, 4}, {1, 6}, {1, 2}, {2, 7}, {2, 8}, {2, 5}, {3, 5}};
  for (int k = 0; k < 8; k++)
    if ((bond[k][0] == i && bond[k][1] == j) || (bond[k][0] == j && bond[k][1] == i))
      return true;
  return false;
}

/* Of one molecule, up to three bonds apart. */
static bool near(int i, int j, int bonds)
{
  if (i == j)
    return true;
  for (int k = 0; k < LONG && bonds > 0; k++)
    if (bonded(i, k) && near(k, j, bonds - 1))
      return true;
  return false;
}

/* A and C of atoms as the file has them, -1 the ion. */
static void table(int i, int j, double lj[2])
{
  static const double sigma[] = {3.3, 2.5, 3.5, 3.5, 0, 2.5, 3.12, 2.5, 2.5, 2.5},
                      epsilon[] = {0.003, 0.03, 0.066, 0.066, 0, 0.03, 0.17, 0.03, 0.03, 0.03};
  double s = sqrt(sigma[i + 1] * sigma[j + 1]), e = sqrt(epsilon[i + 1] * epsilon[j + 1]);
  if ((i == 5 && j < 0) || (j == 5 && i < 0)) {
    s = 2.9;
    e = 0.05;
  }
  lj[0] = 4 * e * pow(s, 12);
  lj[1] = 4 * e * pow(s, 6);
}

static double charge_of(const World *w, int i)
{
  static const double charge[LONG] = {0.06, -0.18, 0.145, 0.418, 0.06, -0.683, 0.06, 0.06, 0.06};
  return i < w->topology->natom - 2 ? charge[in_file(w, i)] : 1.0;
}

/* Energies, forces, and the largest of these. */
static double plain(const World *w, const double (*x)[3], double energy[COLUMNS], double (*f)[3])
{
  double most = 0.0;
  memset(f, 0, (size_t)w->topology->natom * sizeof *f);
  energy[0] = energy[1] = 0.0;
  for (int i = 0; i < w->topology->natom; i++)
    for (int j = 0; j < i; j++) {
      const int a = i < w->topology->natom - 2 ? in_file(w, i) : -1,
                b = j < w->topology->natom - 2 ? in_file(w, j) : -1;
      if (molecule_of(w, i) == molecule_of(w, j) && near(a, b, 3))
        continue;
      double d[3], s = 0.0, lj[2];
      for (int k = 0; k < 3; k++) {
        d[k] = x[i][k] - x[j][k];
        s += d[k] * d[k];
      }
      table(a, b, lj);
      const double qq = UNITS_COULOMB * charge_of(w, i) * charge_of(w, j), r = sqrt(s);
      energy[0] += qq / r;
      energy[1] += lj[0] / pow(r, 12) - lj[1] / pow(r, 6);
      const double force = qq / (s * r) + 12 * lj[0] / pow(r, 14) - 6 * lj[1] / pow(r, 8);
      for (int k = 0; k < 3; k++) {
        f[i][k] += force * d[k];
        f[j][k] -= force * d[k];
      }
    }
  for (int i = 0; i < w->topology->natom; i++)
    for (int k = 0; k < 3; k++)
      most = fmax(most, fabs(f[i][k]));
  return most;
}

static const struct {
  int nmol, width, used;
} clusters[] = {{1, 1, 1}, {6, 1, 1},   {7, 1, 1},   {MOST, 1, 1}, {1, 8, 8},
                {6, 8, 5}, {7, 16, 16}, {6, 16, 11}, {1, 16, 3}};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

/* Forces of a replica against plain sums: in double each, in float by their rms, as waters' (pair.h). */
static void check_forces(int n, const double *own, const double *plain_forces, double most)
{
  double off = 0.0, all = 0.0;
  for (int i = 0; i < n; i++) {
    ck_assert_double_le(fabs(own[i] - plain_forces[i]), (precision == PAIR_MIXED ? 5e-6 : 1e-13) * most);
    off += pow(own[i] - plain_forces[i], 2);
    all += pow(plain_forces[i], 2);
  }
  ck_assert_msg(sqrt(off) <= (precision == PAIR_MIXED ? 2e-6 : 1e-13) * sqrt(all), "rms off by %g",
                sqrt(off / all));
}

/* Replicas are what plain sums make of each, unused lanes have nothing; a part-filled batch, any width.
 * Forces have the same bits without energies. */
TEST(all_pairs, .rows = 2 * CLUSTERS)
{
  World w;
  const int width = clusters[_i / 2].width, used = clusters[_i / 2].used;
  precision = _i % 2 == 1 ? PAIR_MIXED : PAIR_DOUBLE;
  world_create(&w, clusters[_i / 2].nmol, width);
  state_use(w.state, used);
  world_place(&w);
  for (int r = 0; r < width; r++) {
    static double x[SPACE][3], f[SPACE][3], own[SPACE][3], again[SPACE][3];
    double energy[COLUMNS] = {0};
    memset(f, 0, sizeof f);
    topology_get(w.topology, w.state, STATE_POSITIONS, r, x[0]);
    const double most = r < used ? plain(&w, (const double(*)[3])x, energy, f) : 0.0;
    world_compute(&w, 1, true);
    topology_get(w.topology, w.state, STATE_FORCES, r, own[0]);
    check_forces(3 * w.topology->natom, own[0], f[0], most);
    for (int c = 0; c < COLUMNS; c++)
      ck_assert_double_le(fabs(w.energy[c * width + r] - energy[c]), 1e-13 * fabs(energy[c]));
    world_compute(&w, 1, false);
    topology_get(w.topology, w.state, STATE_FORCES, r, again[0]);
    ck_assert_mem_eq(own, again, (size_t)w.topology->natom * sizeof *own);
  }
  world_free(&w);
}

/* --- who sees whom -------------------------------------------------------------------------------------- */

/* All atoms as a single molecule in the same lanes, whose exclusions may be of any pair; the input's from
 * then on. */
static Topology *one_molecule(World *w)
{
  enum { ROOM = 128 };
  const Topology *const t = w->topology;
  int block[ROOM], atom[ROOM], ngroup = 0, natom = 0;
  double x[ROOM][3];
  Topology *whole;
  for (int b = 0; b < t->nblock; b++)
    for (int i = 0; i < t->lanes[b]; i++, ngroup++) {
      block[ngroup] = b;
      for (int s = 0; s < t->block[b]->nsite; s++)
        atom[natom++] = (int)(topology_place(t, ngroup, s) / 3);
    }
  topology_get(t, w->state, STATE_POSITIONS, 0, x[0]);
  fine(topology_create(
      &whole, t->nblock, t->block, t->lanes, 1,
      &(TopologyMolecules){
          .name = "all", .nmol = 1, .ngroup = ngroup, .block = block, .reference = x[0], .atom = atom},
      &error));
  for (int k = 0, i = 0; k < t->nsort; k++)
    for (int j = 0; j < t->sort[k].nmol * t->sort[k].nsite; j++, i++) {
      whole->sort->type[i] = t->sort[k].type[j % t->sort[k].nsite];
      whole->sort->charge[i] = t->sort[k].charge[j % t->sort[k].nsite];
    }
  w->input.topology = whole;
  return whole;
}

/* An excluded pair takes away just what it has, wherever its atoms are; all pairs but one leave that one. */
TEST(exclusions, .rows = 2)
{
  World w;
  double x[SPACE][3], energy[COLUMNS], f[SPACE][3];
  const int width = _i == 0 ? 1 : 8;
  static int hidden[SPACE * SPACE][2];
  world_create(&w, 4, width);
  place(&w, 0, x);
  const double most = plain(&w, (const double(*)[3])x, energy, f);
  ck_assert_double_gt(most, 0.0);
  const int n = w.topology->natom, all = n * (n - 1) / 2;
  Topology *const whole = one_molecule(&w);
  for (int k = 0; k < all; k += 5) {
    int at = 0, seen[2] = {0};
    for (int i = 0, count = 0; i < n; i++)
      for (int j = i + 1; j < n; j++, count++)
        if (count == k)
          memcpy(seen, (int[2]){i, j}, sizeof seen);
        else
          memcpy(hidden[at++], (int[2]){i, j}, sizeof *hidden);
    force_field_free(&w.field);
    w.field.n = 1;
    whole->sort->excluded = (const int(*)[2])hidden;
    whole->sort->nexcluded = at;
    fine(world_force(&w));
    world_place(&w);
    world_compute(&w, 1, true);
    double square = 0.0;
    for (int d = 0; d < 3; d++)
      square += pow(x[seen[0]][d] - x[seen[1]][d], 2);
    const double coulomb = UNITS_COULOMB * charge_of(&w, seen[0]) * charge_of(&w, seen[1]) / sqrt(square);
    ck_assert_double_eq_tol(w.energy[0], coulomb, 1e-13 * fabs(coulomb));
    topology_get(w.topology, w.state, STATE_FORCES, 0, f[0]);
    for (int i = 0; i < n; i++)
      ck_assert_int_eq(f[i][0] != 0.0, i == seen[0] || i == seen[1]);
  }
  topology_free(whole);
  world_free(&w);
}

/* --- laws ----------------------------------------------------------------------------------------------- */

static World law;

/* which: the number of molecules, of forces in float less than 0. */
static ForceSystem open_law(int which, int width, int used)
{
  precision = which < 0 ? PAIR_MIXED : PAIR_DOUBLE;
  world_create(&law, abs(which), width);
  state_use(law.state, used);
  world_place(&law);
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { world_free(&law); }

#define LAW(nmol, ...)                                                                                       \
  {                                                                                                          \
    .name = #nmol " molecules", .open = open_law, .close = close_law, .which = nmol, .threads = 5,           \
    .net = 1e-12, .torque = 1e-10, .alone = 1e-13, __VA_ARGS__                                               \
  }
#define FLOAT_LAW(nmol, ...)                                                                                 \
  {                                                                                                          \
    .name = #nmol " molecules in float", .open = open_law, .close = close_law, .which = -(nmol),             \
    .threads = 5, .net = 2e-5, .torque = 2e-4, .alone = 1e-5, __VA_ARGS__                                    \
  }
static const ForceRow forces[] = {FLOAT_LAW(1),
                                  FLOAT_LAW(7),
                                  FLOAT_LAW(40),
                                  FLOAT_LAW(MOST),
                                  FLOAT_LAW(6, .width = 8, .used = 5),
                                  FLOAT_LAW(7, .width = 16),
                                  FLOAT_LAW(6, .width = 16, .used = 11),
                                  LAW(1),
                                  LAW(3, .gradient = 1e-8, .width = 8),
                                  LAW(6, .gradient = 1e-8, .stride = 7),
                                  LAW(7),
                                  LAW(40),
                                  LAW(MOST),
                                  LAW(1, .width = 8),
                                  LAW(6, .width = 8, .used = 5),
                                  LAW(7, .width = 16),
                                  LAW(6, .width = 16, .used = 11),
                                  LAW(1, .width = 16, .used = 3)};

/* --- faults --------------------------------------------------------------------------------------------- */

/* Atoms on each other, or nowhere: both are named with their molecules, by any team; nobody looks at lanes in
 * which there is nobody. */
TEST(clash, .rows = 12, .threads = true)
{
  World w;
  double x[SPACE][3];
  const int width = _i % 6 < 3 ? 1 : 16, r = width == 1 ? 0 : 9;
  precision = _i < 6 ? PAIR_DOUBLE : PAIR_MIXED;
  world_create(&w, 12, width);
  if (width > 1)
    state_use(w.state, 11);
  world_place(&w);
  place(&w, r, x);
  const int oxygen = 4 * LONG + w.groups->molecule[0].site[5], sodium = w.topology->natom - 2;
  char oxide[64];
  snprintf(oxide, sizeof oxide, "atom %d (O) of molecule 5 (ethanol)", oxygen % LONG + 1);
  for (int d = 0; d < 3; d++)
    x[sodium][d] = _i % 3 == 0   ? x[oxygen][d]
                   : _i % 3 == 1 ? (double)NAN
                                 : x[oxygen][d] + (d == 0 ? 1e-3 : 0.0);
  topology_set(w.topology, w.state, STATE_POSITIONS, r, x[0]);
  for (int threads = 1; threads <= 3; threads++) {
    ck_assert_int_eq(team_forces(&w.field, w.state, threads, 1, NULL, &error), STATUS_RUN);
    ck_assert_msg(strstr(error.text, "atom 1 (Na) of molecule 13 (ion)") != NULL, "%s", error.text);
    ck_assert_msg(_i % 3 == 1 || strstr(error.text, oxide) != NULL, "%s", error.text);
    ck_assert_msg((strstr(error.text, "of replica 9") != NULL) == (width > 1), "%s", error.text);
    ck_assert_msg(strstr(error.text, _i % 3 == 0   ? " 0 A"
                                     : _i % 3 == 1 ? "nan A"
                                                   : "0.001 A") != NULL,
                  "%s", error.text);
  }
  world_free(&w);
}

TEST(refused)
{
  World w;
  world_create(&w, 2, 1);
  force_field_free(&w.field);
  w.state->box = box_brick(30, 30, 30);
  ck_assert_int_eq(world_force(&w), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "without a box") != NULL, "%s", error.text);
  w.state->box = (Box){0};
  w.input.water = 0;
  ck_assert_int_eq(world_force(&w), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "do not support model water") != NULL, "%s", error.text);
  world_free(&w);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("open_pairs");
}
