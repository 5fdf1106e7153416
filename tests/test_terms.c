/* The force of terms over molecules of one lane and of several, one system or replicas side by side. */
#include "tests/force_laws.h"
#include "tests/suite.h"
#include "tests/term_world.h"

enum { MOLECULES = 37, ALL = 3 * BUTANE_ATOMS * MOLECULES };

static void put_butanes(World *w, int nmol)
{
  double x[ALL];
  for (int r = 0; r < w->state->used; r++) {
    for (int m = 0; m < nmol; m++)
      butane_place(m + 100 * r, x + (ptrdiff_t)3 * BUTANE_ATOMS * m);
    topology_set(w->topology, w->state, STATE_POSITIONS, r, x);
  }
}

/* No net force and no torque on any molecule, and each energy stays where all are turned and shifted. */
TEST(invariance)
{
  World w;
  double x[ALL], f[ALL], energy[TERM_COLUMNS];
  world_of_butane(&w, true, MOLECULES, 1);
  put_butanes(&w, MOLECULES);
  world_compute(&w, 1);
  memcpy(energy, w.energy, sizeof energy);
  topology_get(w.topology, w.state, STATE_POSITIONS, 0, x);
  topology_get(w.topology, w.state, STATE_FORCES, 0, f);
  for (int m = 0; m < MOLECULES; m++) {
    double net[3] = {0}, torque[3] = {0};
    for (int i = m * BUTANE_ATOMS; i < (m + 1) * BUTANE_ATOMS; i++)
      for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, g = (d + 2) % 3;
        net[d] += f[3 * i + d];
        torque[d] += x[3 * i + e] * f[3 * i + g] - x[3 * i + g] * f[3 * i + e];
      }
    for (int d = 0; d < 3; d++) {
      ck_assert_double_eq_tol(net[d], 0.0, 1e-9);
      ck_assert_double_eq_tol(torque[d], 0.0, 1e-7);
    }
  }
  for (int i = 0; i < ALL; i += 3) { /* x y z to z x y is a turn */
    const double z = x[i + 2];
    x[i + 2] = x[i + 1] + 3.0;
    x[i + 1] = x[i] - 1.0;
    x[i] = 0.6 * z + 0.8 * x[i + 2];
    x[i + 2] = -0.8 * z + 0.6 * x[i + 2];
  }
  topology_set(w.topology, w.state, STATE_POSITIONS, 0, x);
  world_compute(&w, 1);
  for (int i = 0; i < w.field.force[0].ops->nterm; i++)
    ck_assert_double_eq_tol(w.energy[i], energy[i], 1e-9 * fabs(energy[i]));
  world_free(&w);
}

/* Which lanes a molecule has is in no bit of its forces. */
TEST(groups)
{
  World one, several;
  double f[2][ALL], slope[4];
  world_of_butane(&one, false, MOLECULES, 1);
  world_of_butane(&several, true, MOLECULES, 1);
  put_butanes(&one, MOLECULES);
  put_butanes(&several, MOLECULES);
  world_compute(&one, 1);
  world_compute(&several, 1);
  topology_get(one.topology, one.state, STATE_FORCES, 0, f[0]);
  topology_get(several.topology, several.state, STATE_FORCES, 0, f[1]);
  ck_assert_mem_eq(f[0], f[1], sizeof f[0]);
  ck_assert_mem_eq(one.energy, several.energy, sizeof one.energy);
  for (int i = 0; i < 3 * BUTANE_ATOMS; i += 5) {
    double x[ALL];
    topology_get(several.topology, several.state, STATE_POSITIONS, 0, x);
    const double there = x[i];
    for (int k = 0; k < 4; k++) {
      x[i] = there + steps[k] * 1e-3;
      topology_set(several.topology, several.state, STATE_POSITIONS, 0, x);
      slope[k] = world_energy(&several);
    }
    x[i] = there;
    topology_set(several.topology, several.state, STATE_POSITIONS, 0, x);
    ck_assert_double_eq_tol(f[1][i], -SLOPE(slope, 1e-3), 1e-4);
  }
  world_free(&one);
  world_free(&several);
}

/* Molecules of several sorts, one of them without terms: each has the forces that it has by itself. */
TEST(sorts, .threads = true)
{
  static const int all[4] = {0, 0, 1, 1}, one[1] = {2}, none[1] = {3};
  enum { BUTANES = 11, FIVES = 2 * LANES, FREE = 5 };
  const Kind *const kind[4] = {&butane_methyl, &butane_methylene, &five, &five};
  const TopologyMolecules sort[3] = {
      {"butane", BUTANES, 4, all, NULL}, {NULL, FIVES, 1, one, NULL}, {NULL, FREE, 1, none, NULL}};
  const int lanes[4] = {2 * BUTANES, 2 * BUTANES, FIVES, FREE}, n = 3 * BUTANE_ATOMS * BUTANES;
  World mixed = {.field.n = 1}, butanes, fives;
  Isa isa;
  Term term[BUTANE_TERMS], single = butane_term(TERM_ROW_torsion, 0, order);
  double value[BUTANE_NODES];
  TermGrid grid[BUTANE_ALL];
  butane_grids(value, grid);
  const TermList list[3] = {{butane_terms(term), term, BUTANE_ALL, grid}, {1, &single}, {0, NULL}};
  double x[ALL], f[ALL], own[ALL];
  ck_assert_int_eq(isa_wanted(&isa, NULL), STATUS_OK);
  ck_assert_int_eq(topology_create(&mixed.topology, 4, kind, lanes, 3, sort, NULL), STATUS_OK);
  ck_assert_int_eq(topology_state(mixed.topology, 1, 1, 0, &mixed.state, NULL), STATUS_OK);
  ck_assert_int_eq(term_force_create(&mixed.field.force[0], mixed.topology, list, mixed.state, isa, NULL),
                   STATUS_OK);
  world_of_butane(&butanes, false, BUTANES, 1);
  world_of_row(&fives, TERM_ROW_torsion, NULL, 1);
  put_butanes(&butanes, BUTANES);
  put_chains(&fives, angles);
  topology_get(butanes.topology, butanes.state, STATE_POSITIONS, 0, x);
  topology_get(fives.topology, fives.state, STATE_POSITIONS, 0, x + n);
  for (int i = 0; i < (FREE + FIVES - LANES) * N; i++)
    x[n + LANES * N + i] = x[n + i];
  topology_set(mixed.topology, mixed.state, STATE_POSITIONS, 0, x);
  const double whole = world_energy(&mixed), parts = world_energy(&butanes) + 2.0 * world_energy(&fives);
  ck_assert_double_eq_tol(whole, parts, 1e-11 * fabs(parts));
  topology_get(mixed.topology, mixed.state, STATE_FORCES, 0, f);
  topology_get(butanes.topology, butanes.state, STATE_FORCES, 0, own);
  topology_get(fives.topology, fives.state, STATE_FORCES, 0, own + n);
  ck_assert_mem_eq(f, own, (size_t)(n + LANES * N) * sizeof *f);
  ck_assert_mem_eq(f + n + LANES * N, f + n, LANES * N * sizeof *f);
  for (int i = 0; i < FREE * N; i++)
    ck_assert_double_eq(f[n + FIVES * N + i], 0.0);
  x[n + 3 * N + 1] = (double)NAN;
  Error error = {0};
  topology_set(mixed.topology, mixed.state, STATE_POSITIONS, 0, x);
  ck_assert_int_eq(team_forces(&mixed.field, mixed.state, 2, 1, NULL, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "torsion of atoms 3 1 4 2 of molecule 15 (five)") != NULL, "%s",
                error.text);
  world_free(&mixed);
  world_free(&butanes);
  world_free(&fives);
}

/* --- laws ----------------------------------------------------------------------------------------------- */

/* Butanes of two groups of one kind each, with the terms inside groups alone, of which Hessians are told. */
static void world_inside(World *w, int nmol, int width)
{
  static const int four_groups[4] = {0, 0, 1, 1};
  const Kind *const kind[2] = {&butane_methyl, &butane_methylene};
  const TopologyMolecules sort = {"butane", nmol, 4, four_groups, NULL};
  Term term[BUTANE_TERMS], inside[BUTANE_TERMS];
  int n = butane_terms(term), kept = 0;
  for (int i = 0; i < n; i++) {
    int least = BUTANE_ATOMS, most = 0;
    for (int k = 0; k < term[i].type->natom; k++) {
      least = term[i].atom[k] < least ? term[i].atom[k] : least;
      most = term[i].atom[k] > most ? term[i].atom[k] : most;
    }
    if (most < 4 || (least >= 4 && most < 8))
      inside[kept++] = term[i];
  }
  ck_assert_int_gt(kept, 10);
  world_create(w, 2, kind, (int[]){2 * nmol, 2 * nmol}, &sort, kept, inside, width);
}

static World law;

/* which: so many molecules; fewer than none: so many with the terms inside groups alone. */
static ForceSystem open_law(int which, int width, int used)
{
  if (which < 0)
    world_inside(&law, -which, width);
  else
    world_of_butane(&law, true, which, width);
  state_use(law.state, used);
  put_butanes(&law, abs(which));
  return (ForceSystem){&law.field, law.state};
}

static void close_law(void) { world_free(&law); }

#define LAW(nmol, ...)                                                                                       \
  {                                                                                                          \
    .name = #nmol " butanes", .open = open_law, .close = close_law, .which = nmol, .threads = 5,             \
    .net = 1e-11, .torque = 1e-10, .alone = 1e-11, __VA_ARGS__                                               \
  }
static const ForceRow forces[] = {LAW(1),
                                  LAW(5, .gradient = 1e-7, .strain = 1e-7),
                                  LAW(7),
                                  LAW(MOLECULES),
                                  LAW(1, .width = 8),
                                  LAW(3, .width = 8, .used = 5),
                                  LAW(3, .width = 16, .used = 13),
                                  LAW(7, .width = 8),
                                  LAW(MOLECULES, .width = 8),
                                  LAW(-3, .hessian = 1e-7),
                                  LAW(-3, .hessian = 1e-7, .width = 8)};

/* --- faults --------------------------------------------------------------------------------------------- */

/* Atoms on each other, and one that is nowhere: molecule, term and atoms are named, by any team. */
TEST(clash, .rows = 4, .threads = true)
{
  const bool nowhere = _i % 2 == 1;
  const int width = _i < 2 ? 1 : 8, r = width == 1 ? 0 : 5;
  World w;
  double x[ALL];
  Error error = {0};
  world_of_butane(&w, true, MOLECULES, width);
  put_butanes(&w, MOLECULES);
  topology_get(w.topology, w.state, STATE_POSITIONS, r, x);
  double *const at = x + (ptrdiff_t)3 * BUTANE_ATOMS * 21;
  for (int d = 0; d < 3; d++) /* atom 14 on atom 6: a pair of a 1-4 term */
    at[3 * 13 + d] = nowhere ? (double)NAN : at[3 * 5 + d] + (d == 0 ? 1e-3 : 0.0);
  topology_set(w.topology, w.state, STATE_POSITIONS, r, x);
  for (int threads = 1; threads <= 3; threads++) {
    ck_assert_int_eq(team_forces(&w.field, w.state, threads, 1, NULL, &error), STATUS_RUN);
    ck_assert_ptr_nonnull(strstr(error.text, "of molecule 22 (butane)"));
    ck_assert_ptr_nonnull(strstr(error.text, nowhere ? "14" : "pair-14 of atoms 6 14"));
    ck_assert_int_eq(strstr(error.text, "replica 5") != NULL, width > 1);
  }
  world_free(&w);
}

/* What makes no sense is refused by name. */
TEST(checked)
{
  static const struct {
    Term term;
    const char *says;
  } wrong[] = {
      {{&term_types[TERM_ROW_bond], {0, 14}, {1, 1}}, "bond of atoms 1 15: the molecule has atoms 1 to 14"},
      {{&term_types[TERM_ROW_angle], {0, -1, 2}, {1, 1}}, "angle of atoms 1 0 3"},
      {{&term_types[TERM_ROW_torsion], {3, 1, 2, 3}, {0, 1, 2}},
       "torsion of atoms 4 2 3 4: atom 4 occurs twice"},
      {{&term_types[TERM_ROW_torsion], {0, 1, 2, 3}, {0, 1, 1.5}}, "n is 1.5"},
      {{&term_types[TERM_ROW_torsion], {0, 1, 2, 3}, {0, 1, -1}}, "n is -1"},
      {{&term_types[TERM_ROW_bond], {0, 1}, {-1, 1}}, "length is -1"},
      {{&term_types[TERM_ROW_bond_morse], {0, 1}, {1, 1, (double)INFINITY}}, "rate is inf"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {5}}, "grid 5 does not exist; there are 5"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {2}},
       "cmap of atoms 1 2 3 4 5: distances is not a grid"},
      {{&term_types[TERM_ROW_angle_table], {0, 1, 2}, {0, 1}},
       "angle-table of atoms 1 2 3: one is not a table"},
      {{&term_types[TERM_ROW_angle_table], {0, 1, 2}, {4, 1}},
       "angle-table of atoms 1 2 3: table dihedrals goes from -180 to 180 degrees; angles go from 0 to 180"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {-1}}, "grid -1 does not exist"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {(double)NAN}}, "grid is nan"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 3}, {1}}, "cmap of atoms 1 2 3 4 4: atom 4 occurs"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    World w;
    Force force = {0};
    Error error = {0};
    world_of_butane(&w, false, 2, 1);
    double value[BUTANE_NODES];
    TermGrid grid[BUTANE_ALL];
    butane_grids(value, grid);
    const TermList list = {1, &wrong[i].term, BUTANE_ALL, grid};
    ck_assert_int_eq(term_force_create(&force, w.topology, &list, w.state, ISA_PLAIN, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, "molecule butane") != NULL && strstr(error.text, wrong[i].says) != NULL,
                  "%s", error.text);
    world_free(&w);
  }
  ck_assert_ptr_eq(term_find("bond-morse"), &term_types[TERM_ROW_bond_morse]);
  ck_assert_ptr_null(term_find("cross"));
}

/* A force without terms has no column and does nothing. */
TEST(none)
{
  World w;
  static const int block[1] = {0};
  const Kind *const kind = &five;
  world_create(&w, 1, &kind, (int[]){3}, &(TopologyMolecules){NULL, 3, 1, block, NULL}, 0, NULL, 1);
  ck_assert_double_eq(world_energy(&w), 0.0);
  ck_assert_int_eq(force_field_terms(&w.field), 0);
  world_free(&w);
}

int main(void)
{
  force_laws(forces, sizeof forces / sizeof *forces);
  return suite_main("terms");
}
