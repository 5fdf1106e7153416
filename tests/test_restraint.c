/* Position restraints as a force: derivatives, boxes that change, images, lanes, teams. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa.h"
#include "forcefields/restraint.h"
#include "tests/butane.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { MOLECULES = 11, ATOMS = MOLECULES * BUTANE_ATOMS, ALL = 3 * ATOMS, HELD = 60 };
enum { OPEN_SPACE, BRICK, OBLIQUE, BOXES };
enum { CENTRES, NONE, EACH, SCALES };
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
  list_some(scale, &w->state->box, x, list);
  ck_assert_msg(restraint_create(&w->field.force[0], w->topology, HELD, list, w->state, &error) == STATUS_OK,
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

START_TEST(forces_are_minus_the_gradient)
{
  World w;
  double x[ALL], f[ALL], energy[4];
  create(&w, _i / SCALES, _i % SCALES, 1);
  ck_assert_double_gt(energy_of(&w, 1), 50.0);
  get(&w, STATE_POSITIONS, 0, x);
  get(&w, STATE_FORCES, 0, f);
  int acted = 0;
  for (int i = 0; i < ALL; i++) {
    const double there = x[i];
    for (int k = 0; k < 4; k++) {
      x[i] = there + 1e-3 * steps[k];
      topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
      energy[k] = energy_of(&w, 1);
    }
    x[i] = there;
    ck_assert_double_eq_tol(f[i], -SLOPE(energy, 1e-3), 1e-8);
    acted += f[i] != 0.0;
  }
  ck_assert_int_gt(acted, HELD);
  destroy(&w);
}
END_TEST

START_TEST(hessians_are_those_of_the_forces)
{
  World w;
  double x[ALL], there[ALL], f[4][ALL];
  create(&w, _i, CENTRES, 1);
  const Block *block = &w.state->block[0];
  const size_t n = 3 * (size_t)block->kind->nsite;
  const Team team = team_alone();
  Vec8 *hess = aligned_alloc(64, (size_t)block->npack * n * n * sizeof *hess);
  force_field_hess_block(&w.field, &team, w.state, hess);
  get(&w, STATE_POSITIONS, 0, there);
  double most = 0.0;
  for (int lane = 0; lane < 2 * MOLECULES; lane++)
    for (size_t j = 0; j < n; j++) {
      const size_t at = topology_place(w.topology, lane, (int)j / 3) + j % 3;
      for (int k = 0; k < 4; k++) {
        memcpy(x, there, sizeof x);
        x[at] += 1e-3 * steps[k];
        topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
        (void)energy_of(&w, 1);
        get(&w, STATE_FORCES, 0, f[k]);
      }
      for (size_t i = 0; i < n; i++) {
        const size_t row = topology_place(w.topology, lane, (int)i / 3) + i % 3;
        const double slope[4] = {f[0][row], f[1][row], f[2][row], f[3][row]};
        const double h = hess[(size_t)(lane / LANES) * n * n + i * n + j][lane % LANES];
        ck_assert_double_eq_tol(h, -SLOPE(slope, 1e-3), 1e-7);
        most = fmax(most, i != j ? fabs(h) : 0.0);
      }
    }
  ck_assert_double_gt(most, 0.1); /* a ball's flat bottom couples axes */
  free(hess);
  destroy(&w);
}
END_TEST

/* The virial is what a strain of the box does to the energy, molecules moving as wholes, or atoms; molecules
 * having drifted by whole edges or not. */
START_TEST(virials_are_responses_to_strain)
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
    if (b > a)
      continue; /* the box would turn */
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
END_TEST

/* Whole edges are in no energy, and in forces and virials but by their rounding. */
START_TEST(molecules_that_drift_are_not_pulled_back)
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
END_TEST

/* Replicas side by side have the forces of one alone, and lanes that hold nobody none. */
START_TEST(lanes)
{
  World one, wide;
  double x[ALL], f[2][ALL];
  const int width = 8 << _i, used = width - 3;
  create(&one, OPEN_SPACE, CENTRES, 1);
  create(&wide, OPEN_SPACE, CENTRES, width);
  state_use(wide.state, used);
  for (int r = 0; r < used; r++) {
    for (int m = 0; m < MOLECULES; m++)
      butane_place(m + MOLECULES * r, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
    topology_set(wide.topology, wide.state, STATE_POSITIONS, r, x);
  }
  (void)energy_of(&wide, 2);
  for (int r = 0; r < width; r++) {
    double net = 0.0;
    get(&wide, STATE_POSITIONS, r, x);
    get(&wide, STATE_FORCES, r, f[1]);
    topology_set(one.topology, one.state, STATE_POSITIONS, 0, x);
    const double energy = energy_of(&one, 1);
    get(&one, STATE_FORCES, 0, f[0]);
    for (int i = 0; i < ALL; i++)
      net += fabs(f[1][i]);
    if (r < used) {
      ck_assert_mem_eq(f[0], f[1], sizeof f[0]);
      ck_assert_double_eq_tol(wide.energy[r], energy, 1e-12 * energy);
    } else
      ck_assert(net == 0.0 && wide.energy[r] == 0.0);
  }
  destroy(&one);
  destroy(&wide);
}
END_TEST

START_TEST(teams_are_in_no_bit)
{
  World w;
  double f[2][ALL], energy[2], virial[3][3];
  create(&w, OBLIQUE, CENTRES, 1);
  energy[0] = energy_of(&w, 1);
  memcpy(virial, w.virial, sizeof virial);
  get(&w, STATE_FORCES, 0, f[0]);
  energy[1] = energy_of(&w, 3);
  get(&w, STATE_FORCES, 0, f[1]);
  ck_assert_mem_eq(f[0], f[1], sizeof f[0]);
  ck_assert_mem_eq(virial, w.virial, sizeof virial);
  ck_assert(energy[0] == energy[1]);
  destroy(&w);
}
END_TEST

START_TEST(what_is_no_restraint_is_refused)
{
  static const Restraint wrong[] = {{.atom = -1, .k = {1, 1, 1}},
                                    {.atom = ATOMS, .k = {1, 1, 1}},
                                    {.k = {-1, 1, 1}},
                                    {.k = {1, NAN, 1}},
                                    {.k = {1, 1, INFINITY}},
                                    {.k = {1, 2, 1}, .flat = 0.5},
                                    {.k = {1, 1, 1}, .flat = -0.5},
                                    {.k = {1, 1, 1}, .s = {NAN}},
                                    {.k = {1, 1, 1}, .offset = {0, INFINITY}}};
  const Restraint twice[2] = {{.atom = 5, .k = {1, 1, 1}}, {.atom = 5, .k = {1, 1, 1}}};
  World w;
  Force force;
  Error error;
  create(&w, BRICK, CENTRES, 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_int_eq(restraint_create(&force, w.topology, 1, &wrong[i], w.state, &error), STATUS_INPUT);
  ck_assert_int_eq(restraint_create(&force, w.topology, 2, twice, w.state, &error), STATUS_INPUT);
  ck_assert_str_eq(error.text, "atom 5 is restrained twice");
  destroy(&w);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("restraint"), *threads = tcase_create("threads");
  tcase_add_loop_test(tc, forces_are_minus_the_gradient, 0, BOXES * SCALES);
  tcase_add_loop_test(tc, hessians_are_those_of_the_forces, 0, BOXES);
  tcase_add_loop_test(tc, virials_are_responses_to_strain, 0, 2 * SCALES);
  tcase_add_loop_test(tc, molecules_that_drift_are_not_pulled_back, 0, 2 * SCALES);
  tcase_add_test(tc, what_is_no_restraint_is_refused);
  tcase_add_loop_test(threads, lanes, 0, 2);
  tcase_add_test(threads, teams_are_in_no_bit);
  return suite_main("restraint", tc, threads);
}
