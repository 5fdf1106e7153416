/* Position restraints as a force: derivatives, boxes that change, images, lanes, teams. */
#include "forcefields/restraint.h"
#include "tests/butane.h"
#include "tests/force_laws.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { MOLECULES = 11, ATOMS = MOLECULES * BUTANE_ATOMS, ALL = 3 * ATOMS, HELD = 60 };
enum { OPEN_SPACE, BRICK, OBLIQUE, BOXES };
enum { CENTRES, NONE, EACH, WALLS, SCALES }; /* WALLS: planes instead of points */
static const double steps[4] = {-2, -1, 1, 2};
#define SLOPE(f, h) ((8.0 * ((f)[2] - (f)[1]) - ((f)[3] - (f)[0])) / (12.0 * (h)))

typedef struct World {
  Topology *topology;
  State *state;
  ForceField field;
  double energy[WIDTH_MAX], virial[3][3];
} World;

static Box box_of(int which)
{
  Box box = box_brick(27.0, 29.0, 31.0);
  if (which == OBLIQUE)
    ck_assert_int_eq(box_set(&box, (const double[3][3]){{27, 0, 0}, {13.2, 24, 0}, {-12.9, 11.5, 22}}, NULL),
                     STATUS_OK);
  return which == OPEN_SPACE ? (Box){0} : box;
}

/* Pairs of walls, and single ones in open space, along z or all axes: some atoms have two. Half of the atoms
 * are beyond one. */
static void list_walls(const Box *box, const double *x, Restraint list[HELD])
{
  RandomStream stream = random_stream(7, 1, RANDOM_TEST);
  for (int i = 0; i < HELD; i++) {
    const int d = box_oblique(box) || i % 2 == 0 ? 2 : i % 3;
    const double length = box_length(box, d),
                 middle = x[3 * (i % 40 * 53 % ATOMS) + d] + 1.7 * random_normal(&stream);
    Restraint *r = &list[i];
    *r = (Restraint){.atom = i % 40 * 53 % ATOMS, .axis = 1 + d};
    r->k[d] = 1.0 + i % 5;
    if (length > 0.0) {
      r->s[d] = middle / length;
      r->span = 1.0 / length;
    } else {
      r->offset[d] = middle;
      r->side = i % 4 - 1 <= 1 ? i % 4 - 1 : 0;
      r->flat = r->side == 0 ? 0.8 : 0.0;
    }
  }
}

/* Springs of all sorts: by axes, with flat bottoms that are a ball, a cylinder and a layer. */
static void list_some(int scale, const Box *box, const double *x, Restraint list[HELD])
{
  static const double k[5][4] = {{3, 3, 3, 0}, {1, 2, 5, 0}, {4, 4, 4, 0.7}, {2, 2, 0, 0.5}, {0, 0, 6, 0.3}};
  RandomStream stream = random_stream(7, 0, RANDOM_TEST);
  for (int i = 0; i < HELD; i++) {
    Restraint *r = &list[i];
    *r = (Restraint){.atom = (i * 53 + 7) % ATOMS, .flat = k[i % 5][3]};
    memcpy(r->k, k[i % 5], sizeof r->k);
    double point[3], at[3] = {0.0};
    for (int d = 0; d < 3; d++)
      point[d] = x[3 * r->atom + d] + random_normal(&stream);
    const double home[3] = {point[0] + 2.0, point[1] - 1.0, point[2] + 0.5};
    if (scale != NONE)
      box_fractions(box, scale == EACH ? point : home, r->s);
    box_point(box, r->s, at);
    for (int d = 0; d < 3; d++)
      r->offset[d] = scale == EACH && box_periodic(box) ? 0.0 : point[d] - at[d];
  }
}

static void create(World *w, int box, int scale, int width)
{
  static const int four[4] = {0, 0, 1, 1};
  const Kind *const kind[2] = {&butane_methyl, &butane_methylene};
  const TopologyMolecules sort = {"butane", MOLECULES, 4, four, NULL};
  const int lanes[2] = {2 * MOLECULES, 2 * MOLECULES};
  Error error = {0};
  Restraint list[HELD];
  double x[ALL];
  *w = (World){.field.n = 1};
  ck_assert_int_eq(topology_create(&w->topology, 2, kind, lanes, 1, &sort, NULL), STATUS_OK);
  ck_assert_int_eq(topology_state(w->topology, width, 1, 0, &w->state, NULL), STATUS_OK);
  w->state->box = box_of(box);
  for (int m = 0; m < MOLECULES; m++)
    butane_place(m, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
  for (int r = 0; r < width; r++)
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x);
  if (scale == WALLS)
    list_walls(&w->state->box, x, list);
  else
    list_some(scale, &w->state->box, x, list);
  ck_assert_msg(restraint_create(&w->field.force[0], w->topology, HELD, list, NULL, w->state, &error) ==
                    STATUS_OK,
                "%s", error.text);
}

static void destroy(World *w)
{
  force_field_free(&w->field);
  state_free(w->state);
  topology_free(w->topology);
}

static double energy_of(World *w, int threads)
{
  const ForceSums sums = {w->energy, w->state->width == 1 ? w->virial : NULL};
  ck_assert_int_eq(team_forces(&w->field, w->state, threads, 2, &sums, NULL), STATUS_OK);
  return w->energy[0];
}

static void get(const World *w, StateField field, int r, double *x)
{
  topology_get(w->topology, w->state, field, r, x);
}

/* The virial is what a strain of the box does to the energy, molecules moving as wholes, or atoms; molecules
 * having drifted by whole edges or not. */
TEST(virials_are_responses_to_strain, .rows = 2 * SCALES)
{
  World w;
  const int scale = _i % SCALES;
  double x[ALL], y[ALL], energy[2][4], molecule[3][3];
  create(&w, BRICK + _i / SCALES % 2, scale, 1);
  const Box box = w.state->box;
  get(&w, STATE_POSITIONS, 0, x);
  for (int m = 0; m < MOLECULES; m++)
    for (int i = 0; i < 3 * BUTANE_ATOMS; i++)
      x[3 * BUTANE_ATOMS * m + i] += m % 3 * box.h[2][i % 3] - m % 2 * box.h[1][i % 3];
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
  (void)energy_of(&w, 1);
  double atom[3][3];
  memcpy(atom, w.virial, sizeof atom);
  topology_virial(w.topology, w.state, (const double(*)[3])atom, molecule);
  for (int ab = 0; ab < 9; ab++) {
    const int a = ab / 3, b = ab % 3;
    if (b > a || (scale == WALLS && b < a && !box_oblique(&box)))
      continue; /* the box would turn, or lose the periods along x and y */
    for (int k = 0; k < 4; k++) {
      double map[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, edge[3][3] = {{0}};
      map[a][b] += 1e-4 * steps[k];
      for (int i = 0; i < 27; i++)
        edge[i / 9][i % 3] += box.h[i / 9][i / 3 % 3] * map[i / 3 % 3][i % 3];
      ck_assert_int_eq(box_set(&w.state->box, (const double(*)[3])edge, NULL), STATUS_OK);
      topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
      topology_map(w.topology, w.state, (const double(*)[3])map);
      energy[0][k] = energy_of(&w, 1);
      memset(y, 0, sizeof y);
      for (int i = 0; i < 3 * ALL; i++)
        y[i / 9 * 3 + i % 3] += x[i / 9 * 3 + i / 3 % 3] * map[i / 3 % 3][i % 3];
      topology_set(w.topology, w.state, STATE_POSITIONS, 0, y);
      energy[1][k] = energy_of(&w, 1);
    }
    ck_assert_double_eq_tol(molecule[a][b], -SLOPE(energy[0], 1e-4), 1e-5);
    ck_assert_double_eq_tol(atom[a][b], -SLOPE(energy[1], 1e-4), 1e-5);
  }
  destroy(&w);
}

/* Whole edges are in no energy, and in forces and virials but by their rounding. */
TEST(molecules_that_drift_are_not_pulled_back, .rows = 2 * SCALES)
{
  World w;
  double x[ALL], f[2][ALL], energy[2], virial[3][3];
  create(&w, BRICK + _i % 2, _i / 2, 1);
  energy[0] = energy_of(&w, 1);
  memcpy(virial, w.virial, sizeof virial);
  get(&w, STATE_FORCES, 0, f[0]);
  get(&w, STATE_POSITIONS, 0, x);
  for (int i = 0; i < ALL; i++) {
    const int m = i / (3 * BUTANE_ATOMS);
    for (int d = 0; d < 3; d++)
      x[i] += ((m * (d + 2)) % 5 - 2) * w.state->box.h[d][i % 3];
  }
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
  energy[1] = energy_of(&w, 1);
  get(&w, STATE_FORCES, 0, f[1]);
  ck_assert_double_eq_tol(energy[1], energy[0], 1e-11 * energy[0]);
  for (int i = 0; i < ALL; i++)
    ck_assert_double_eq_tol(f[1][i], f[0][i], 1e-11);
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(w.virial[k / 3][k % 3], virial[k / 3][k % 3], 1e-10 * energy[0]);
  destroy(&w);
}

static World law;

static ForceSystem open_law(int which, int width, int used)
{
  double x[ALL];
  create(&law, which / SCALES, which % SCALES, width);
  state_use(law.state, used);
  for (int r = 0; r < used && width > 1; r++) {
    for (int m = 0; m < MOLECULES; m++)
      butane_place(m + MOLECULES * r, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
    topology_set(law.topology, law.state, STATE_POSITIONS, r, x);
  }
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { destroy(&law); }

#define LAW(box, scale, ...)                                                                                 \
  {                                                                                                          \
    .name = #box ", " #scale, .open = open_law, .close = close_law, .which = (box)*SCALES + (scale),         \
    __VA_ARGS__                                                                                              \
  }
static const ForceRow forces[] = {LAW(OPEN_SPACE, CENTRES, .gradient = 1e-9, .hessian = 1e-8),
                                  LAW(OPEN_SPACE, NONE, .gradient = 1e-9),
                                  LAW(OPEN_SPACE, EACH, .gradient = 1e-9),
                                  LAW(BRICK, CENTRES, .gradient = 1e-9, .hessian = 1e-8),
                                  LAW(BRICK, NONE, .gradient = 1e-9),
                                  LAW(BRICK, EACH, .gradient = 1e-9),
                                  LAW(OBLIQUE, CENTRES, .gradient = 1e-9, .hessian = 1e-8),
                                  LAW(OBLIQUE, NONE, .gradient = 1e-9),
                                  LAW(OBLIQUE, EACH, .gradient = 1e-9),
                                  LAW(OPEN_SPACE, WALLS, .gradient = 1e-9, .hessian = 1e-8),
                                  LAW(BRICK, WALLS, .gradient = 1e-9, .hessian = 1e-8),
                                  LAW(OBLIQUE, WALLS, .gradient = 1e-9, .hessian = 1e-8),
                                  LAW(OPEN_SPACE, WALLS, .width = 8, .used = 5, .alone = 1e-15),
                                  LAW(OPEN_SPACE, CENTRES, .width = 8, .used = 5, .alone = 1e-15),
                                  LAW(OPEN_SPACE, CENTRES, .width = 16, .used = 13, .alone = 1e-15)};

TEST(what_is_no_restraint_is_refused)
{
  static const Restraint wrong[] = {{.atom = -1, .k = {1, 1, 1}},
                                    {.atom = ATOMS, .k = {1, 1, 1}},
                                    {.k = {-1, 1, 1}},
                                    {.k = {1, NAN, 1}},
                                    {.k = {1, 1, INFINITY}},
                                    {.k = {1, 2, 1}, .flat = 0.5},
                                    {.k = {1, 1, 1}, .flat = -0.5},
                                    {.k = {1, 1, 1}, .s = {NAN}},
                                    {.k = {1, 1, 1}, .offset = {0, INFINITY}},
                                    {.k = {1}, .axis = 1},
                                    {.k = {1}, .axis = 1, .side = 2},
                                    {.k = {1}, .axis = 4, .side = 1},
                                    {.k = {1}, .axis = 1, .side = 1, .span = 0.1},
                                    {.k = {1}, .axis = 1, .span = NAN},
                                    {.k = {1, 1}, .axis = 1, .span = 0.1},
                                    {.k = {1}, .axis = 1, .span = 0.1, .s = {0, 0.5}},
                                    {.k = {1, 1, 1}, .span = 0.1}};
  const Restraint twice[2] = {{.atom = 5, .k = {1, 1, 1}}, {.atom = 5, .k = {1, 1, 1}}};
  World w;
  Force force;
  Error error;
  create(&w, BRICK, CENTRES, 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_int_eq(restraint_create(&force, w.topology, 1, &wrong[i], NULL, w.state, &error), STATUS_INPUT);
  ck_assert_int_eq(restraint_create(&force, w.topology, 2, twice, NULL, w.state, &error), STATUS_INPUT);
  ck_assert_str_eq(error.text, "atom 5 is restrained twice");
  destroy(&w);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("restraint");
}
