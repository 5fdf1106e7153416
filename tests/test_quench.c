/* Minimisation: several kinds come down together, the bits do not depend on the threads, a lattice of water
 * relaxes in its box. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/random.h"
#include "forcefields/periodic.h"
#include "integrators/quench.h"
#include "simulation/box_build.h"
#include "tests/suite.h"

enum { WATERS = 700, ATOMS = 600 }; /* several pieces of 64 packs */

static const double origin[3], atom_mass[1] = {22.98977};
static const char *const atom_site[1] = {"Na"};
static const Kind atom = {
    .name = "Na+", .nsite = 1, .dim = 3, .mass = atom_mass, .site = atom_site, .reference = origin};

static Kind *make_water(void)
{
  Kind *water;
  ck_assert_int_eq(water_kind(water_find("tip3p"), 15.9994, 1.008, &water, NULL), STATUS_OK);
  return water;
}

/* --- springs to a configuration that the molecules can reach ---------------------------------------------
 */

typedef struct Springs {
  const State *goal;
} Springs;

static const char *const spring_terms[] = {"springs"};

static Status springs_add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                          Error *error)
{
  const Springs *s = self;
  (void)groups;
  (void)error;
  if (sums != NULL && team->rank == 0)
    sums->energy[0] = 0.0;
  for (int b = 0; b < state->nblock; b++) {
    const Block *block = &state->block[b], *goal = &s->goal->block[b];
    const size_t stride = 3 * (size_t)block->kind->nsite;
    int begin, end;
    team_range(team, block->npack, &begin, &end);
    for (size_t k = (size_t)begin * stride; k < (size_t)end * stride; k++)
      block->f[k] -= (block->q[k] - goal->q[k]) * block->active[k / stride];
    for (size_t k = 0; sums != NULL && team->rank == 0 && k < (size_t)block->npack * stride; k++)
      for (int l = 0; l < LANES; l++)
        sums->energy[0] += 0.5 * pow(block->q[k][l] - goal->q[k][l], 2) * block->active[k / stride][l];
  }
  return STATUS_OK; /* as the wall does: what other threads write is not waited for */
}

static const ForceOps springs = {.name = "springs", .nterm = 1, .term = spring_terms, .add = springs_add};

static State *two_kinds(const Kind *water, uint64_t seed)
{
  const Kind *kind[2] = {water, &atom};
  const int nmol[2] = {WATERS, ATOMS};
  State *state;
  ck_assert_int_eq(state_create(&state, 1, 2, kind, nmol, seed, 0, NULL), STATUS_OK);
  state->box = (Box){{36, 36, 36}};
  ck_assert_int_eq(box_build_lattice(state, NULL), STATUS_OK);
  return state;
}

/* The start: the goal with every molecule shifted by itself. */
START_TEST(kinds_come_down_together)
{
  Kind *water = make_water();
  State *state[2], *goal = two_kinds(water, 1);
  for (int t = 0; t < 2; t++) {
    state[t] = two_kinds(water, 1);
    RandomStream stream = random_stream(4, 0, RANDOM_TEST);
    for (int b = 0; b < 2; b++)
      for (int m = 0; m < goal->block[b].nmol; m++) {
        const double shift[3] = {random_normal(&stream), random_normal(&stream), random_normal(&stream)};
        for (int k = 0; k < 3 * goal->block[b].kind->nsite; k++) {
          const size_t at = state_index(&goal->block[b], 1, m, 0, k / 3, k % 3);
          ((double *)state[t]->block[b].q)[at] += shift[k % 3];
        }
      }
  }
  Springs self = {goal};
  const ForceField field = {1, {{&springs, &self}}};
  QuenchResult result[2];
  for (int t = 0; t < 2; t++) {
    const QuenchOptions options = {.tolerance = 1e-9, .max_steps = 5000, .threads = t == 0 ? 1 : 3};
    Error error = {0};
    ck_assert_msg(quench_run(state[t], &field, &options, isa_best(), &result[t], &error) == STATUS_OK, "%s",
                  error.text);
    ck_assert_int_eq(result[t].converged, 1);
    ck_assert_double_eq_tol(result[t].energy, 0.0, 1e-12);
    for (int b = 0; b < 2; b++) {
      const size_t n = (size_t)goal->block[b].npack * 3 * (size_t)goal->block[b].kind->nsite;
      for (size_t k = 0; k < n; k++)
        for (int l = 0; l < LANES; l++) {
          ck_assert_double_eq_tol(state[t]->block[b].q[k][l], goal->block[b].q[k][l], 1e-8);
          ck_assert(state[t]->block[b].p[k][l] == 0.0);
        }
    }
  }
  ck_assert_int_eq(result[0].steps, result[1].steps);
  for (int b = 0; b < 2; b++)
    ck_assert(memcmp(state[0]->block[b].q, state[1]->block[b].q,
                     (size_t)goal->block[b].npack * 3 * (size_t)goal->block[b].kind->nsite * sizeof(Octet)) ==
              0);
  state_free(state[0]);
  state_free(state[1]);
  state_free(goal);
  kind_free(water);
}
END_TEST

/* Water from a lattice: bound by more than 9 kcal/mol a molecule after a hundred steps, rigid all the way. */
START_TEST(lattices_relax)
{
  enum { N = 216 };
  static double x[2][9 * N];
  Kind *water = make_water();
  const Kind *kind = water;
  const int nmol = N;
  for (int t = 0; t < 2; t++) {
    State *state;
    Error error = {0};
    ForceField field = {.n = 1};
    QuenchResult result;
    const int threads = t == 0 ? 1 : 3;
    const QuenchOptions options = {.tolerance = 1.0, .max_steps = 100, .threads = threads};
    ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 9, 0, NULL), STATUS_OK);
    ck_assert_int_eq(box_build_size(1, &kind, &nmol, 0.997, &state->box, NULL), STATUS_OK);
    ck_assert_int_eq(box_build_lattice(state, NULL), STATUS_OK);
    const PeriodicOptions forces = {.model = water_find("tip3p"),
                                    .tail = true,
                                    .threads = threads,
                                    .kT = 0.6,
                                    .h = 0.04,
                                    .isa = isa_best()};
    ck_assert_msg(periodic_create(&field.force[0], &forces, state, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(quench_run(state, &field, &options, isa_best(), &result, &error) == STATUS_OK, "%s",
                  error.text);
    ck_assert_double_lt(result.energy / N, -9.0);
    state_get(&state->block[0], 1, state->block[0].q, 0, x[t]);
    force_field_free(&field);
    state_free(state);
  }
  ck_assert(memcmp(x[0], x[1], sizeof x[0]) == 0);
  for (int m = 0; m < N; m++) {
    double r[3];
    const Box open = {{0, 0, 0}};
    ck_assert_double_eq_tol(sqrt(box_distance(&open, x[0] + 9 * m, x[0] + 9 * m + 3, r)), 0.9572, 1e-10);
    ck_assert_double_eq_tol(sqrt(box_distance(&open, x[0] + 9 * m + 3, x[0] + 9 * m + 6, r)),
                            water_d_hh(water_find("tip3p")), 1e-10);
  }
  kind_free(water);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("quench");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, kinds_come_down_together);
  tcase_add_test(tc, lattices_relax);
  return suite_main("quench", tc);
}
