/* The force of terms over molecules of one lane and of several, one system or replicas side by side. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
START_TEST(invariance)
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
END_TEST

/* Which lanes a molecule has is in no bit of its forces. */
START_TEST(groups)
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
END_TEST

/* Molecules of several sorts, one of them without terms: each has the forces that it has by itself. */
START_TEST(sorts)
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
  TermGrid grid[BUTANE_GRIDS];
  butane_grids(value, grid);
  const TermList list[3] = {{butane_terms(term), term, BUTANE_GRIDS, grid}, {1, &single}, {0, NULL}};
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
END_TEST

/* Replicas side by side are what each is by itself; a gang need not be full. */
START_TEST(replicas)
{
  World wide, one;
  const int width = _i == 0 ? 8 : 16, used = width - 3;
  world_of_butane(&wide, true, 3, width);
  world_of_butane(&one, true, 3, 1);
  state_use(wide.state, used);
  put_butanes(&wide, 3);
  world_compute(&wide, 2);
  for (int r = 0; r < width; r++) {
    double x[ALL], f[2][3 * 3 * BUTANE_ATOMS];
    topology_get(wide.topology, wide.state, STATE_FORCES, r, f[0]);
    if (r < used) {
      topology_get(wide.topology, wide.state, STATE_POSITIONS, r, x);
      topology_set(one.topology, one.state, STATE_POSITIONS, 0, x);
      world_compute(&one, 1);
    }
    topology_get(one.topology, one.state, STATE_FORCES, 0, f[1]);
    for (int i = 0; i < 3 * 3 * BUTANE_ATOMS; i++)
      ck_assert_double_eq_tol(f[0][i], r < used ? f[1][i] : 0.0, 1e-9);
    for (int c = 0; c < one.field.force[0].ops->nterm; c++)
      ck_assert_double_eq_tol(wide.energy[c * width + r], r < used ? one.energy[c] : 0.0,
                              1e-10 * fabs(one.energy[c]));
  }
  world_free(&wide);
  world_free(&one);
}
END_TEST

/* A replica has the same bits in whatever lane of whatever gang it is, and by itself. */
START_TEST(lanes)
{
  enum { NMOL = 3, SIZE = 3 * NMOL * BUTANE_ATOMS };
  World w;
  double x[16][SIZE], f[16][SIZE], moved[SIZE], energy[TERM_COLUMNS * WIDTH_MAX];
  const int width = _i == 0 ? 8 : 16;
  world_of_butane(&w, true, NMOL, width);
  put_butanes(&w, NMOL);
  world_compute(&w, 1);
  memcpy(energy, w.energy, sizeof energy);
  for (int r = 0; r < width; r++) {
    topology_get(w.topology, w.state, STATE_POSITIONS, r, x[r]);
    topology_get(w.topology, w.state, STATE_FORCES, r, f[r]);
  }
  for (int shift = 1; shift < width; shift += 2) {
    const int used = shift % 3 == 0 ? 1 : width;
    state_use(w.state, used);
    for (int r = 0; r < used; r++)
      topology_set(w.topology, w.state, STATE_POSITIONS, r, x[(r + shift) % width]);
    world_compute(&w, 1);
    for (int r = 0; r < used; r++) {
      topology_get(w.topology, w.state, STATE_FORCES, r, moved);
      ck_assert_mem_eq(moved, f[(r + shift) % width], sizeof moved);
      for (int c = 0; c < w.field.force[0].ops->nterm; c++)
        ck_assert_double_eq(w.energy[c * width + r], energy[c * width + (r + shift) % width]);
    }
  }
  world_free(&w);
}
END_TEST

/* Any team has the same bits. */
START_TEST(teams)
{
  World w;
  double f[2][ALL], energy[TERM_COLUMNS * WIDTH_MAX], virial[9];
  const int nmol = _i % 3 == 0 ? 1 : _i % 3 == 1 ? 7 : MOLECULES, width = _i < 3 ? 1 : 8;
  const size_t size = 3 * BUTANE_ATOMS * (size_t)nmol * sizeof(double);
  world_of_butane(&w, true, nmol, width);
  put_butanes(&w, nmol);
  for (int threads = 1; threads <= 5; threads++) {
    world_compute(&w, threads);
    topology_get(w.topology, w.state, STATE_FORCES, width - 1, f[threads > 1]);
    if (threads > 1) {
      ck_assert_mem_eq(f[0], f[1], size);
      ck_assert_mem_eq(energy, w.energy, sizeof energy);
      ck_assert_mem_eq(virial, w.virial, sizeof virial);
    }
    memcpy(energy, w.energy, sizeof energy);
    memcpy(virial, w.virial, sizeof virial);
    ck_assert_int_eq(team_forces(&w.field, w.state, threads, 2, NULL, NULL), STATUS_OK); /* without sums */
    topology_get(w.topology, w.state, STATE_FORCES, width - 1, f[1]);
    ck_assert_mem_eq(f[0], f[1], size);
  }
  world_free(&w);
}
END_TEST

/* The virial is the slope of the energy under strain: x_a grows by e x_b. */
START_TEST(strain)
{
  World w;
  double x[ALL], strained[ALL], energy[4], virial[3][3];
  world_of_butane(&w, true, 5, 1);
  put_butanes(&w, 5);
  world_compute(&w, 1);
  memcpy(virial, w.virial, sizeof virial);
  topology_get(w.topology, w.state, STATE_POSITIONS, 0, x);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      for (int k = 0; k < 4; k++) {
        memcpy(strained, x, sizeof x);
        for (int i = 0; i < 5 * BUTANE_ATOMS; i++)
          strained[3 * i + a] += steps[k] * 1e-4 * x[3 * i + b];
        topology_set(w.topology, w.state, STATE_POSITIONS, 0, strained);
        energy[k] = world_energy(&w);
      }
      ck_assert_double_eq_tol(virial[b][a], -SLOPE(energy, 1e-4), 1e-4);
    }
  world_free(&w);
}
END_TEST

/* Hessians of terms inside groups: of two groups of one kind that have different ones, side by side. */
START_TEST(group_hessians)
{
  static const int four_groups[4] = {0, 0, 1, 1};
  const int nmol = 3, width = _i == 0 ? 1 : 8;
  const Kind *const kind[2] = {&butane_methyl, &butane_methylene};
  const TopologyMolecules sort = {"butane", nmol, 4, four_groups, NULL};
  Term term[BUTANE_TERMS], inside[BUTANE_TERMS];
  int n = butane_terms(term), kept = 0;
  World w;
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
  world_create(&w, 2, kind, (int[]){2 * nmol, 2 * nmol}, &sort, kept, inside, width);
  put_butanes(&w, nmol);
  const Block *block = &w.state->block[0];
  const Team team = team_alone();
  const size_t size = 12 * 12 * sizeof(Vec8) * (size_t)block->npack;
  Vec8 *hess = aligned_alloc(64, size);
  ck_assert_ptr_nonnull(hess);
  force_field_hess_block(&w.field, &team, w.state, hess);
  for (int lane = 0; lane<2 * nmol * width; lane += width> 1 ? 3 : 1)
    for (int i = 0; i < 12; i++) {
      double *x = (double *)(block->q + lane / LANES * 12 + i) + lane % LANES, at[12][4];
      const double there = *x;
      for (int k = 0; k < 4; k++) {
        *x = there + steps[k] * 1e-4;
        world_compute(&w, 1);
        for (int j = 0; j < 12; j++)
          at[j][k] = -((const double *)(block->f + lane / LANES * 12 + j))[lane % LANES];
      }
      *x = there;
      for (int j = 0; j < 12; j++)
        ck_assert_double_eq_tol(((const double *)(hess + (lane / LANES * 12 + i) * 12 + j))[lane % LANES],
                                SLOPE(at[j], 1e-4), 1e-4);
    }
  for (int lane = 2 * nmol * width; lane < block->npack * LANES; lane++)
    for (int i = 0; i < 144; i++)
      ck_assert_double_eq(((const double *)(hess + lane / LANES * 144 + i))[lane % LANES], 0.0);
  free(hess);
  world_free(&w);
}
END_TEST

/* --- faults --------------------------------------------------------------------------------------------- */

/* Atoms on each other, and one that is nowhere: molecule, term and atoms are named, by any team. */
START_TEST(clash)
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
END_TEST

/* What makes no sense is refused by name. */
START_TEST(checked)
{
  static const struct {
    Term term;
    const char *says;
  } wrong[] = {
      {{&term_types[TERM_ROW_bond], {0, 14}, {1, 1}}, "bond of atoms 1 15: the molecule has atoms 1 to 14"},
      {{&term_types[TERM_ROW_angle], {0, -1, 2}, {1, 1}}, "angle of atoms 1 0 3"},
      {{&term_types[TERM_ROW_torsion], {3, 1, 2, 3}, {0, 1, 2}},
       "torsion of atoms 4 2 3 4: atom 4 stands there twice"},
      {{&term_types[TERM_ROW_torsion], {0, 1, 2, 3}, {0, 1, 1.5}}, "n is 1.5"},
      {{&term_types[TERM_ROW_torsion], {0, 1, 2, 3}, {0, 1, -1}}, "n is -1"},
      {{&term_types[TERM_ROW_bond], {0, 1}, {-1, 1}}, "length is -1"},
      {{&term_types[TERM_ROW_bond_morse], {0, 1}, {1, 1, (double)INFINITY}}, "rate is inf"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {2}}, "grid 2 is not among the 2 that there are"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {-1}}, "grid -1 is not among"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 4}, {(double)NAN}}, "grid is nan"},
      {{&term_types[TERM_ROW_cmap], {0, 1, 2, 3, 3}, {1}}, "cmap of atoms 1 2 3 4 4: atom 4 stands"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    World w;
    Force force = {0};
    Error error = {0};
    world_of_butane(&w, false, 2, 1);
    double value[BUTANE_NODES];
    TermGrid grid[BUTANE_GRIDS];
    butane_grids(value, grid);
    const TermList list = {1, &wrong[i].term, BUTANE_GRIDS, grid};
    ck_assert_int_eq(term_force_create(&force, w.topology, &list, w.state, ISA_PLAIN, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, "molecule butane") != NULL && strstr(error.text, wrong[i].says) != NULL,
                  "%s", error.text);
    world_free(&w);
  }
  ck_assert_ptr_eq(term_find("bond-morse"), &term_types[TERM_ROW_bond_morse]);
  ck_assert_ptr_null(term_find("cross"));
}
END_TEST

/* A force without terms has no column and does nothing. */
START_TEST(none)
{
  World w;
  static const int block[1] = {0};
  const Kind *const kind = &five;
  world_create(&w, 1, &kind, (int[]){3}, &(TopologyMolecules){NULL, 3, 1, block, NULL}, 0, NULL, 1);
  ck_assert_double_eq(world_energy(&w), 0.0);
  ck_assert_int_eq(force_field_terms(&w.field), 0);
  world_free(&w);
}
END_TEST

int main(void)
{
  TCase *molecules = tcase_create("molecules"), *threads = tcase_create("threads"),
        *faults = tcase_create("faults");
  tcase_add_test(molecules, invariance);
  tcase_add_test(molecules, groups);
  tcase_add_test(molecules, strain);
  tcase_add_loop_test(molecules, group_hessians, 0, 2);
  tcase_add_test(threads, sorts);
  tcase_add_loop_test(threads, replicas, 0, 2);
  tcase_add_loop_test(threads, lanes, 0, 2);
  tcase_add_loop_test(threads, teams, 0, 6);
  tcase_add_loop_test(threads, clash, 0, 4);
  tcase_add_test(faults, checked);
  tcase_add_test(faults, none);
  return suite_main("terms", molecules, threads, faults);
}
