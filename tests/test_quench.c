/* Minimisation: several kinds come down together, the bits do not depend on the threads, a lattice of water
 * relaxes in its box. */
#include <gsl/gsl_eigen.h>

#include "engine/place.h"
#include "engine/random.h"
#include "forcefields/pair.h"
#include "forcefields/periodic.h"
#include "integrators/lbfgs.h"
#include "integrators/quench.h"
#include "simulation/start/lattice.h"
#include "tests/boxes.h"
#include "tests/pair_reference.h"
#include "tests/shorter.h"
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
  state->box = box_brick(36, 36, 36);
  ck_assert_int_eq(boxes_lattice(state, NULL), STATUS_OK);
  return state;
}

/* The start: the goal with every molecule shifted by itself. */
TEST(kinds_come_down_together)
{
  Kind *water = make_water();
  State *state[2], *goal = two_kinds(water, 1);
  for (int t = 0; t < 2; t++) {
    state[t] = two_kinds(water, 1);
    RandomStream stream = random_stream(4, 0, RANDOM_TEST);
    for (int b = 0; b < 2; b++)
      for (int m = 0; m < goal->block[b].nlane; m++) {
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
  /* From there to another goal, by the method for replicas. */
  Lbfgs *lbfgs;
  State *moved = two_kinds(water, 2);
  self.goal = moved;
  ck_assert_int_eq(lbfgs_create(&lbfgs, goal, &field, isa_best(), NULL), STATUS_OK);
  lbfgs_begin(lbfgs, 1, 1e-9);
  for (int i = 0; i < 300 && lbfgs_arrived(lbfgs) == 0; i++)
    ck_assert_int_eq(lbfgs_step(lbfgs, NULL), STATUS_OK);
  ck_assert_double_le(lbfgs_force(lbfgs, 0), 1e-9);
  for (int b = 0; b < 2; b++)
    for (size_t k = 0; k < (size_t)goal->block[b].npack * 3 * (size_t)goal->block[b].kind->nsite; k++)
      for (int l = 0; l < LANES; l++)
        ck_assert_double_eq_tol(goal->block[b].q[k][l], moved->block[b].q[k][l], 1e-8);
  lbfgs_free(lbfgs);
  state_free(moved);
  ck_assert_int_eq(result[0].steps, result[1].steps);
  for (int b = 0; b < 2; b++)
    ck_assert(memcmp(state[0]->block[b].q, state[1]->block[b].q,
                     (size_t)goal->block[b].npack * 3 * (size_t)goal->block[b].kind->nsite * sizeof(Vec8)) ==
              0);
  state_free(state[0]);
  state_free(state[1]);
  state_free(goal);
  kind_free(water);
}

/* Water from a lattice: bound by more than 9 kcal/mol a molecule after a hundred steps, rigid all the way. */
TEST(lattices_relax)
{
  enum { WATERS_LATTICE = 216 };
  static double x[2][9 * WATERS_LATTICE];
  Kind *water = make_water();
  const Kind *kind = water;
  const int nmol = WATERS_LATTICE;
  for (int t = 0; t < 2; t++) {
    State *state;
    Error error = {0};
    ForceField field = {.n = 1};
    QuenchResult result;
    const int threads = t == 0 ? 1 : 3;
    const QuenchOptions options = {.tolerance = 1.0, .max_steps = 100, .threads = threads};
    ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 9, 0, NULL), STATUS_OK);
    ck_assert_int_eq(lattice_size(1, &kind, &nmol, 0.997, &state->box, NULL), STATUS_OK);
    ck_assert_int_eq(boxes_lattice(state, NULL), STATUS_OK);
    const PeriodicOptions forces = {.model = water_find("tip3p"),
                                    .nonbonded.tail = true,
                                    .threads = threads,
                                    .kT = 0.6,
                                    .h = 0.04,
                                    .isa = isa_best()};
    ck_assert_msg(periodic_create(&field.force[0], &forces, state, &error) == STATUS_OK, "%s", error.text);
    ck_assert_msg(quench_run(state, &field, &options, isa_best(), &result, &error) == STATUS_OK, "%s",
                  error.text);
    ck_assert_double_lt(result.energy / WATERS_LATTICE, -9.0);
    state_get(&state->block[0], 1, state->block[0].q, 0, x[t]);
    force_field_free(&field);
    state_free(state);
  }
  ck_assert(memcmp(x[0], x[1], sizeof x[0]) == 0);
  for (int m = 0; m < WATERS_LATTICE; m++) {
    double r[3];
    const Box open = box_brick(0, 0, 0);
    ck_assert_double_eq_tol(sqrt(box_distance(&open, x[0] + 9 * m, x[0] + 9 * m + 3, r)), 0.9572, 1e-10);
    ck_assert_double_eq_tol(sqrt(box_distance(&open, x[0] + 9 * m + 3, x[0] + 9 * m + 6, r)),
                            water_d_hh(water_find("tip3p")), 1e-10);
  }
  kind_free(water);
}

/* --- replicas side by side -------------------------------------------------------------------------------
 */

enum { N = 5 };

/* A cluster of its own for each number. */
static void scatter(const Kind *kind, uint32_t number, double *x)
{
  RandomStream stream = random_stream(3, number, RANDOM_TEST);
  for (int m = 0; m < N; m++) {
    const double centre[3] = {3.0 * (m % 2) + 0.3 * random_normal(&stream), 3.0 * (double)(m / 2 % 2),
                              3.0 * (double)(m / 4)};
    place_molecule(kind, &stream, centre, x + 9 * m);
  }
}

typedef struct Batch {
  const Kind *kind;
  State *state;
  ForceField field;
  Lbfgs *lbfgs;
} Batch;

static void batch_create(Batch *g, const char *model, const Kind *kind, int width, Isa isa)
{
  *g = (Batch){.kind = kind, .field = {.n = 1}};
  const int n = N;
  ck_assert_int_eq(state_create(&g->state, width, 1, &g->kind, &n, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(pair_create(&g->field.force[0], water_find(model), PAIR_DOUBLE, g->state, isa, NULL),
                   STATUS_OK);
  ck_assert_int_eq(lbfgs_create(&g->lbfgs, g->state, &g->field, isa, NULL), STATUS_OK);
}

static void batch_free(Batch *g)
{
  lbfgs_free(g->lbfgs);
  force_field_free(&g->field);
  state_free(g->state);
}

static void begin(Batch *g, int r, uint32_t number)
{
  double x[9 * N];
  scatter(g->kind, number, x);
  state_set(&g->state->block[0], g->state->width, g->state->block[0].q, r, x);
  lbfgs_begin(g->lbfgs, 1U << r, 1e-7);
}

static void step(Batch *g, int most, unsigned until)
{
  for (int i = 0; i < most && (lbfgs_arrived(g->lbfgs) & until) != until; i++)
    ck_assert_int_eq(lbfgs_step(g->lbfgs, NULL), STATUS_OK);
}

/* x displaced as rigid bodies by v[6 N]: shifts, and turns about first sites; the energy there. */
static double displaced(const WaterModel *model, const double *x, const double *v)
{
  double y[9 * N], energy[PAIR_TERMS];
  for (int m = 0; m < N; m++)
    for (int s = 0; s < 3; s++) {
      double r[3];
      for (int d = 0; d < 3; d++)
        r[d] = x[9 * m + 3 * s + d] - x[9 * m + d];
      const double *turn = v + 6 * m + 3,
                   angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
      const double one = angle > 0.0 ? sin(angle) / angle : 1.0,
                   two = angle > 0.0 ? (1.0 - cos(angle)) / (angle * angle) : 0.5,
                   along = turn[0] * r[0] + turn[1] * r[1] + turn[2] * r[2];
      for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        y[9 * m + 3 * s + d] = x[9 * m + d] + v[6 * m + d] + cos(angle) * r[d] +
                               one * (turn[e] * r[f] - turn[f] * r[e]) + two * along * turn[d];
      }
    }
  pair_reference(model, N, y, NULL, energy);
  return energy[PAIR_COULOMB] + energy[PAIR_LJ];
}

/* Of the plain energy: no force, and no direction downhill. */
static void check_minimum(const WaterModel *model, const double *x)
{
  enum { F = 6 * N };
  const double h = 5e-4;
  gsl_matrix *hess = gsl_matrix_alloc(F, F);
  gsl_vector *value = gsl_vector_alloc(F);
  gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(F);
  for (int a = 0; a < F; a++) {
    double v[F] = {0.0}, slope = 0.0;
    for (int i = -2; i <= 2; i++) {
      v[a] = h * i;
      slope += (i == -2   ? 1
                : i == -1 ? -8
                : i == 1  ? 8
                : i == 2  ? -1
                          : 0) /
               (12.0 * h) * displaced(model, x, v);
    }
    ck_assert_double_le(fabs(slope), 1e-6);
    for (int b = 0; b <= a; b++) {
      double sum = 0.0;
      for (int k = 0; k < 4; k++) {
        memset(v, 0, sizeof v);
        v[a] += k < 2 ? h : -h;
        v[b] += k % 2 == 0 ? h : -h;
        sum += (k == 0 || k == 3 ? 1.0 : -1.0) * displaced(model, x, v);
      }
      gsl_matrix_set(hess, (size_t)a, (size_t)b, sum / (4.0 * h * h));
      gsl_matrix_set(hess, (size_t)b, (size_t)a, sum / (4.0 * h * h));
    }
  }
  gsl_eigen_symm(hess, value, work);
  int zeros = 0;
  for (size_t i = 0; i < F; i++) {
    ck_assert_double_ge(gsl_vector_get(value, i), -1e-3);
    zeros += fabs(gsl_vector_get(value, i)) < 1e-3;
  }
  ck_assert_int_ge(zeros, 6); /* the whole cluster's */
  gsl_eigen_symm_free(work);
  gsl_vector_free(value);
  gsl_matrix_free(hess);
}

/* Where replicas arrive is a minimum of the plain energy, on every instruction set. */
TEST(replicas_find_minima)
{
  static const char *const model[] = {"tip3p", "tip4p", "tip5p"};
  for (int i = 0; i < 3; i++)
    for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++) {
      if (!isa_runs((Isa)isa))
        continue;
      Kind *water;
      ck_assert_int_eq(water_kind(water_find(model[i]), 15.9994, 1.008, &water, NULL), STATUS_OK);
      Batch g;
      batch_create(&g, model[i], water, LANES, (Isa)isa);
      for (int r = 0; r < LANES; r++)
        begin(&g, r, (uint32_t)r);
      step(&g, 2000, 255);
      for (int r = 0; r < LANES; r++) {
        double x[9 * N], none[6 * N] = {0.0}, one[3];
        const Box open = box_brick(0, 0, 0);
        state_get(&g.state->block[0], LANES, g.state->block[0].q, r, x);
        ck_assert_double_le(lbfgs_force(g.lbfgs, r), 1e-7);
        ck_assert_double_eq_tol(lbfgs_energy(g.lbfgs, r), displaced(water_find(model[i]), x, none), 1e-9);
        ck_assert_double_eq_tol(sqrt(box_distance(&open, x, x + 3, one)), water_find(model[i])->d_oh, 1e-10);
        if (r < 2)
          check_minimum(water_find(model[i]), x);
      }
      batch_free(&g);
      kind_free(water);
    }
}

/* In whatever lane, alone or beside others that begin at other times: the same bits. */
TEST(replicas_are_alone)
{
  Kind *water = make_water();
  for (int isa = shorter_first_set(); isa < ISA_COUNT; isa++) {
    if (!isa_runs((Isa)isa))
      continue;
    double x[3][9 * N];
    int evaluations[3];
    for (int t = 0; t < 3; t++) {
      const int width = t == 2 ? 16 : 8, lane = t == 0 ? 0 : t == 1 ? 5 : 11;
      Batch g;
      batch_create(&g, "tip3p", water, width, (Isa)isa);
      for (int r = 0; r < width && t > 0; r += 2)
        begin(&g, r, 100 + (uint32_t)r);
      step(&g, 17 * t, ~0U);
      begin(&g, lane, 77);
      step(&g, 2000, 1U << lane);
      state_get(&g.state->block[0], width, g.state->block[0].q, lane, x[t]);
      evaluations[t] = lbfgs_evaluations(g.lbfgs, lane);
      batch_free(&g);
    }
    for (int t = 1; t < 3; t++) {
      ck_assert_int_eq(evaluations[t], evaluations[0]);
      ck_assert(memcmp(x[t], x[0], sizeof x[0]) == 0);
    }
  }
  kind_free(water);
}

/* Two sites 0.1 A apart, pulled across their bond: moves of 0.2 A that no constraint can mend. */
static const double turn = 200.0; /* kcal/mol/A */

static Status pull(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                   Error *error)
{
  (void)self;
  (void)team;
  (void)groups;
  (void)error;
  const Block *block = &state->block[0];
  for (int r = 0; r < state->width && sums != NULL; r++)
    sums->energy[r] = 0.0;
  for (int lane = 0; lane < block->nlane * state->width; lane++) {
    const int m = lane / state->width, r = lane % state->width;
    const double strength = turn * (m + 1) * (r % 3);
    for (int site = 0; site < 2; site++) {
      const double y = *state_element(block, block->q, state->width, m, r, site, 1),
                   sign = site == 0 ? -1.0 : 1.0;
      *state_element(block, block->f, state->width, m, r, site, 1) += sign * strength;
      if (sums != NULL)
        sums->energy[r] -= sign * strength * y;
    }
  }
  return STATUS_OK;
}

/* Whatever it is pulled by, a molecule is rigid after every step, and comes to where the energy is lowest. */
TEST(molecules_stay_rigid, .rows = 3)
{
  static const double mass[2] = {1.0, 1.0}, reference[6] = {0.0, 0.0, 0.0, 0.1, 0.0, 0.0};
  static const char *const site[2] = {"A", "B"};
  static const Constraint bond = {&constraint_distance, 2, {0, 1}, {0.1}, NULL};
  static const Kind tiny = {"tiny", 2, 3, 1, mass, site, &bond, reference};
  static const char *const term[1] = {"pull"};
  static const ForceOps ops = {.name = "pull", .doc = "", .nterm = 1, .term = term, .add = pull};
  const ForceField field = {1, {{&ops, NULL}}};
  static const int width[3] = {1, 8, 16};
  const Kind *kind = &tiny;
  const int nmol = 3;
  State *state;
  Lbfgs *lbfgs;
  Error error = {0};
  ck_assert_int_eq(state_create(&state, width[_i], 1, &kind, &nmol, 1, 0, &error), STATUS_OK);
  ck_assert_int_eq(lbfgs_create(&lbfgs, state, &field, isa_best(), &error), STATUS_OK);
  const Block *block = &state->block[0];
  const unsigned all = (1U << width[_i]) - 1;
  lbfgs_begin(lbfgs, all, 1e-6);
  for (int k = 0; k < 400; k++) {
    ck_assert_int_eq(lbfgs_step(lbfgs, &error), STATUS_OK);
    for (int lane = 0; lane < nmol * state->width; lane++) {
      double square = 0.0;
      for (int d = 0; d < 3; d++)
        square += pow(
            *state_element(block, block->q, state->width, lane / state->width, lane % state->width, 1, d) -
                *state_element(block, block->q, state->width, lane / state->width, lane % state->width, 0, d),
            2.0);
      ck_assert_double_eq_tol(sqrt(square), 0.1, 1e-9);
    }
  }
  ck_assert_uint_eq(lbfgs_arrived(lbfgs), all);
  for (int r = 0; r < state->width; r++)
    ck_assert_double_eq_tol(lbfgs_energy(lbfgs, r), -0.1 * turn * (1 + 2 + 3) * (r % 3), 1e-6);
  lbfgs_free(lbfgs);
  state_free(state);
}
