/* Molecules that are no lanes: pairs of free atoms, each a lane, held together by nothing but the topology.
 */
#include "integrators/plan.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "tests/observables.h"
#include "tests/suite.h"

enum { PAIRS = 21, WATERS = 11, ATOMS = 2 * PAIRS + 3 * WATERS };

static const double heavy_mass[1] = {20.0};
static const char *const heavy_site[1] = {"Ne"};
static const Kind heavy = {"neon", 1, 3, 0, heavy_mass, heavy_site, NULL, observed_at};

/* A molecule as one lane: what the same two atoms are by themselves. */
static const double both_mass[2] = {15.9994, 15.9994}, apart_mass[2] = {15.9994, 20.0};
static const char *const both_site[2] = {"Ar", "Ar"}, *const apart_site[2] = {"Ar", "Ne"};
static const Kind both = {"pair", 2, 3, 0, both_mass, both_site, NULL, observed_at},
                  apart = {"pair", 2, 3, 0, apart_mass, apart_site, NULL, observed_at};

/* The same molecules twice: lanes that are groups, and lanes that are molecules. */
typedef struct Two {
  State *groups, *whole;
  Topology *of_groups, *of_whole;
  double x[3 * ATOMS];
} Two;

/* Both atoms of a pair of one kind, in one block; or of two kinds, in two, with waters between them. */
static void two_make_wide(Two *t, bool kinds, int width)
{
  static const int one[2] = {0, 0}, several[2] = {0, 2}, water[1] = {1};
  const Kind *const kind[3] = {&observed_atom, &observed_water, &heavy};
  const int lanes[3] = {kinds ? PAIRS : 2 * PAIRS, WATERS, PAIRS};
  const TopologyMolecules sort[2] = {{"pair", PAIRS, 2, kinds ? several : one, NULL},
                                     {NULL, WATERS, 1, water, NULL}};
  const Kind *const whole[2] = {kinds ? &apart : &both, &observed_water};
  Error error;
  ck_assert_int_eq(state_create(&t->groups, width, kinds ? 3 : 2, kind, lanes, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(state_create(&t->whole, width, 2, whole, (int[]){PAIRS, WATERS}, 1, 0, NULL), STATUS_OK);
  if (width == 1)
    t->groups->box = t->whole->box = box_brick(20.0, 22.0, 21.0);
  ck_assert_msg(topology_create(&t->of_groups, kinds ? 3 : 2, kind, lanes, 2, sort, &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_int_eq(topology_of_state(&t->of_whole, t->whole, NULL), STATUS_OK);
  ck_assert_int_eq(t->of_groups->natom, ATOMS);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < t->of_whole->sort[k].kind->nsite; i++)
      t->of_groups->sort[k].shared[i] = t->of_whole->sort[k].shared[i] = i == 0 ? 0.3 : k == 0 ? -0.3 : -0.15;
}

static void two_make(Two *t, bool kinds) { two_make_wide(t, kinds, 1); }

static void two_free(Two *t)
{
  topology_free(t->of_groups);
  topology_free(t->of_whole);
  state_free(t->groups);
  state_free(t->whole);
}

/* Fields of both, the same: molecules near each other's images, their atoms some 3 A apart. */
static void two_set(Two *t, int64_t step)
{
  RandomStream stream = random_stream(3, (uint32_t)step, RANDOM_TEST);
  for (int k = 0; k < 3 * t->whole->width; k++) {
    const int field = k % 3, r = k / 3;
    for (int i = 0; i < 3 * ATOMS; i++) {
      const int atom = i / 3, molecule = atom < 2 * PAIRS ? atom / 2 : PAIRS + (atom - 2 * PAIRS) / 3;
      t->x[i] = (field == 0 ? 7.3 * molecule * (i % 3 + 1) : 0.0) + random_normal(&stream);
    }
    topology_set(t->of_groups, t->groups, (StateField[]){STATE_POSITIONS, STATE_MOMENTA, STATE_FORCES}[field],
                 r, t->x);
    topology_set(t->of_whole, t->whole, (StateField[]){STATE_POSITIONS, STATE_MOMENTA, STATE_FORCES}[field],
                 r, t->x);
  }
  t->groups->step = t->whole->step = step;
}

/* What is put comes back, from the lanes that it belongs to. */
TEST(fields, .rows = 2)
{
  Two t;
  double x[3 * ATOMS], y[3 * ATOMS];
  two_make(&t, _i);
  two_set(&t, 1);
  topology_get(t.of_groups, t.groups, STATE_FORCES, 0, x);
  ck_assert_mem_eq(x, t.x, sizeof x);
  for (int field = STATE_POSITIONS; field <= STATE_FORCES; field++) {
    topology_get(t.of_groups, t.groups, (StateField)field, 0, x);
    state_get_all(t.whole, (StateField)field, 0, y);
    ck_assert_mem_eq(x, y, sizeof x);
  }
  topology_get(t.of_groups, t.groups, STATE_POSITIONS, 0, x);
  const Block *block = &t.groups->block[_i == 0 ? 0 : 2]; /* the second atom of molecule 4 */
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq(*state_element(block, block->q, 1, _i == 0 ? 9 : 4, 0, 0, d), x[27 + d]);
  two_free(&t);
}

/* A frame has molecules whole in the box, in their order, as if each were one lane. */
TEST(frames, .rows = 2)
{
  Two t;
  Frame a = {0}, b = {0};
  two_make(&t, _i);
  two_set(&t, 1);
  ck_assert_int_eq(structure_frame(t.of_groups, t.groups, &a, NULL), STATUS_OK);
  ck_assert_int_eq(structure_frame(t.of_whole, t.whole, &b, NULL), STATUS_OK);
  ck_assert_mem_eq(a.positions, b.positions, ATOMS * sizeof *a.positions);
  ck_assert_mem_eq(a.velocities, b.velocities, ATOMS * sizeof *a.velocities);
  ck_assert_mem_eq(a.masses, b.masses, ATOMS * sizeof *a.masses);
  ck_assert_mem_eq(a.symbols, b.symbols, ATOMS * sizeof *a.symbols);
  double x[3 * ATOMS];
  topology_get(t.of_groups, t.groups, STATE_POSITIONS, 0, x);
  for (int m = 0; m < PAIRS; m++)
    for (int d = 0; d < 3; d++) {
      ck_assert(a.positions[2 * m][d] >= -1e-12 && a.positions[2 * m][d] <= box_length(&t.groups->box, d));
      ck_assert_double_eq_tol(a.positions[2 * m + 1][d] - a.positions[2 * m][d],
                              x[6 * m + 3 + d] - x[6 * m + d], 1e-12);
    }
  const TrajectoryOptions options = {.replace = true, .exact = true};
  Frame back = {0};
  const char *path = files_path("pairs.gro");
  ck_assert_int_eq(trajectory_write_one(path, NULL, &options, &a, NULL), STATUS_OK);
  ck_assert_int_eq(trajectory_read_first(path, &back, NULL), STATUS_OK);
  for (int i = 0; i < 3 * ATOMS; i++)
    ck_assert_double_eq_tol(back.positions[i / 3][i % 3], a.positions[i / 3][i % 3], 1e-7);
  frame_free(&a);
  frame_free(&b);
  frame_free(&back);
  two_free(&t);
}

static ObservableSet *set_of(const Topology *topology, const State *state)
{
  const ObservableOptions options = {
      .every = {[OBSERVABLE_rdf] = 1, [OBSERVABLE_msd] = 1, [OBSERVABLE_vacf] = 1, [OBSERVABLE_dipole] = 1},
      .threads = 2,
      .temperature = 300.0,
      .vacf.max = 0.2};
  return observed_set(&options, topology, state);
}

typedef struct Adding {
  ObservableSet *set;
  const State *state;
} Adding;

static Status add_member(void *self, const Team *team, Error *error)
{
  const Adding *a = self;
  return observable_set_add(a->set, &(Sample){.state = a->state, .team = team}, &(ObservableLanes){0}, error);
}

/* Both to the bit, and frees them. */
static void sets_same(ObservableSet *a, ObservableSet *b)
{
  ChunkList one = {0}, two = {0};
  observable_set_chunks(a, &one);
  observable_set_chunks(b, &two);
  chunks_same(&one, &two);
  observable_set_free(a);
  observable_set_free(b);
}

/* Pairs within a molecule are none of g(r); centres, velocities and dipoles are those of molecules. */
TEST(observables, .rows = 2)
{
  Two t;
  two_make(&t, _i);
  ObservableSet *a = set_of(t.of_groups, t.groups), *b = set_of(t.of_whole, t.whole);
  for (int64_t step = 1; step <= 30; step++) {
    two_set(&t, step);
    ck_assert_int_eq(team_run(2, add_member, &(Adding){a, t.groups}, NULL), STATUS_OK);
    ck_assert_int_eq(team_run(1, add_member, &(Adding){b, t.whole}, NULL), STATUS_OK);
  }
  sets_same(a, b);
  two_free(&t);
}

static ObservableSet *wide_set_of(const Topology *topology, const State *state)
{
  const ObservableOptions options = {
      .every =
          {[OBSERVABLE_rdf] = 1, [OBSERVABLE_lindemann] = 1, [OBSERVABLE_msd] = 1, [OBSERVABLE_vacf] = 1},
      .replicas = state->width,
      .batches = 1,
      .rdf.max = 400.0,
      .lindemann.samples = 10,
      .vacf.max = 0.2};
  return observed_set(&options, topology, state);
}

/* Replicas side by side: the first sites and the velocities of molecules are found in whatever lanes they
 * are. */
TEST(observables_side_by_side, .rows = 4)
{
  Two t;
  const Team alone = team_alone();
  two_make_wide(&t, _i % 2, _i < 2 ? 8 : 16);
  ObservableSet *a = wide_set_of(t.of_groups, t.groups), *b = wide_set_of(t.of_whole, t.whole);
  for (int64_t step = 1; step <= 30; step++) {
    two_set(&t, step);
    ck_assert_int_eq(
        observable_set_add(a, &(Sample){.state = t.groups, .team = &alone}, &(ObservableLanes){0}, NULL),
        STATUS_OK);
    ck_assert_int_eq(
        observable_set_add(b, &(Sample){.state = t.whole, .team = &alone}, &(ObservableLanes){0}, NULL),
        STATUS_OK);
  }
  sets_same(a, b);
  two_free(&t);
}

/* By molecule, what acts between the atoms of one is not in it: the same as by lanes that are molecules. */
TEST(virial, .rows = 2)
{
  static const double atom[3][3] = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}};
  Two t;
  double a[3][3], b[3][3], by_lanes[3][3];
  Topology *lanes;
  two_make(&t, _i);
  two_set(&t, 1);
  topology_virial(t.of_groups, t.groups, atom, a);
  topology_virial(t.of_whole, t.whole, atom, b);
  ck_assert_int_eq(topology_of_state(&lanes, t.groups, NULL), STATUS_OK);
  topology_virial(lanes, t.groups, atom, by_lanes);
  double far = 0.0;
  for (int k = 0; k < 9; k++) {
    ck_assert_double_eq_tol(a[k / 3][k % 3], b[k / 3][k % 3], 1e-10);
    far = fmax(far, fabs(by_lanes[k / 3][k % 3] - b[k / 3][k % 3]));
  }
  ck_assert_double_gt(far, 1.0);
  topology_free(lanes);
  two_free(&t);
}

static void pressure_of(const Topology *topology, State *state, WalkPressure *to)
{
  const PlanOptions o = {.word = "BAOAB",
                         .h = 0.01,
                         .accel = "verlet",
                         .constraints = "shake",
                         .constraint = {.tolerance = 1e-10, .max_iterations = 50},
                         .isa = isa_best()};
  const Kind *kind[3];
  double kinetic[1], terms[1], penalty[1];
  Plan *plan;
  Walk *walk;
  Error error;
  const ForceField none = {0};
  const Team team = team_alone();
  for (int b = 0; b < state->nblock; b++)
    kind[b] = state->block[b].kind;
  ck_assert_msg(plan_create_kinds(&plan, state->nblock, kind, &o, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(walk_create(&walk, plan, &none, state, &error) == STATUS_OK, "%s", error.text);
  walk_attach(walk, state, RANDOM_THERMOSTAT);
  ck_assert_msg(walk_prepare(walk, &team, &error) == STATUS_OK, "%s", error.text);
  *to = (WalkPressure){.topology = topology};
  const WalkEnergies energies = {.kinetic = kinetic, .terms = terms, .penalty = penalty, .pressure = to};
  ck_assert_msg(walk_energies(walk, &team, &energies, &error) == STATUS_OK, "%s", error.text);
  walk_free(walk);
  plan_free(plan);
}

/* The kinetic part of a pressure by molecule is that of the centres of molecules. */
TEST(kinetic, .rows = 2)
{
  Two t;
  WalkPressure a, b;
  two_make(&t, _i);
  two_set(&t, 1);
  pressure_of(t.of_groups, t.groups, &a);
  pressure_of(t.of_whole, t.whole, &b);
  for (int k = 0; k < 9; k++) {
    ck_assert_double_eq_tol(a.kinetic_atom[k / 3][k % 3], b.kinetic_atom[k / 3][k % 3], 1e-10);
    ck_assert_double_eq_tol(a.kinetic_molecule[k / 3][k % 3], b.kinetic_molecule[k / 3][k % 3], 1e-10);
  }
  two_free(&t);
}

/* Noise knows a group by its molecule and first atom, wherever its kind is packed: sorts by rank, and two
 * rows of one rank one after the other. */
TEST(numbers, .rows = 3)
{
  enum { SOME = 5, MORE = 13, REST = 3, PER = 3 };
  static const int packed[2][PER] = {{0, 0, 1}, {0, 1, 1}}, single[2][1] = {{1}, {0}};
  /* Sites of the groups: a water's three and two single atoms, of which one is the molecule's first. */
  static const int atom[2][5] = {{4, 0, 1, 2, 3}, {1, 2, 3, 4, 0}};
  const Kind *const kind[2][2] = {{&observed_atom, &observed_water}, {&observed_water, &observed_atom}};
  for (int k = 0; k < 2; k++) {
    const int atoms = 2 * SOME, waters = SOME + MORE + REST;
    const int lanes[2] = {k ? waters : atoms, k ? atoms : waters};
    const TopologyMolecules sort[3] = {{.nmol = MORE, .ngroup = 1, .block = single[k]},
                                       {"solute", SOME, PER, packed[k], NULL, atom[k], .rank = 1},
                                       {.nmol = REST, .ngroup = 1, .block = single[k]}};
    Topology *t;
    State *state;
    ck_assert_int_eq(topology_create(&t, 2, kind[k], lanes, 3, sort, NULL), STATUS_OK);
    ck_assert_int_eq(topology_state(t, 8 * _i + (_i == 0), 1, 0, &state, NULL), STATUS_OK);
    for (int s = 0; s < 3; s++)
      for (int m = 0; m < t->sort[s].nmol; m++)
        for (int g = 0; g < t->sort[s].ngroup; g++) {
          const TopologyGroup *group = &t->sort[s].group[g];
          const int lane = (group->first + m * group->step) * state->width, first = group->atom[0];
          const Pack pack = state_pack(state, &state->block[group->block], lane / LANES);
          /* Groups of the solute begin with atoms 0, 1 and 4. */
          const int place = first < 2 ? first : 2;
          ck_assert_uint_eq(pack.number[lane % LANES], s == 0   ? (unsigned)m
                                                       : s == 2 ? (unsigned)(MORE + m)
                                                                : (unsigned)(MORE + REST + PER * m + place));
        }
    state_free(state);
    topology_free(t);
  }
}

TEST(wrong_topologies)
{
  const Kind *const kind[2] = {&observed_atom, &observed_water};
  const int lanes[2] = {6, 2};
  static const int back[2] = {1, 0}, none[1] = {2}, atoms[2] = {0, 0}, water[1] = {1};
  static const int twice[3] = {0, 2, 2}, beyond[3] = {0, 1, 3};
  const TopologyMolecules bad[7][2] = {{{NULL, 3, 2, atoms, NULL}, {NULL, 2, 1, water, NULL, twice}},
                                       {{NULL, 3, 2, atoms, NULL}, {NULL, 2, 1, water, NULL, beyond}},
                                       {{NULL, 3, 2, back, NULL}, {NULL, 2, 1, water, NULL}},
                                       {{NULL, 3, 1, none, NULL}, {NULL, 2, 1, water, NULL}},
                                       {{NULL, 2, 2, atoms, NULL}, {NULL, 2, 1, water, NULL}},
                                       {{NULL, 0, 2, atoms, NULL}, {NULL, 2, 1, water, NULL}},
                                       {{NULL, 3, 2, atoms, NULL}, {NULL, 3, 1, water, NULL}}};
  Topology *t;
  Error error;
  for (int k = 0; k < 7; k++) {
    ck_assert_int_eq(topology_create(&t, 2, kind, lanes, 2, bad[k], &error), STATUS_INPUT);
    ck_assert_ptr_null(t);
  }
  ck_assert_ptr_nonnull(strstr(error.text, "3 groups of water, but there are 2"));
  ck_assert_int_eq(topology_create(&t, 2, kind, lanes, 0, bad[0], &error), STATUS_INPUT);
  topology_free(NULL);
}
