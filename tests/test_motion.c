/* Motion of a whole replica and its removal, on the exact subspace. */
#include "tests/molecules.h"

#include "engine/isa.h"
#include "integrators/motion.h"
#include "tests/suite.h"
#include "thermostat/ou.h"

/* Beside rigid waters: the same without constraints, atoms in three dimensions, a dimer in the plane and
 * on a line. */
static const Constraint con_dimer = BOND(0, 1, 1.5);
static const double mass_dimer[2] = {2.0, 1.0};
static const double ref_dimer[4] = {-0.5, 0, 1.0, 0}, ref_line[2] = {-0.5, 1.0}, ref_atom[3] = {0, 0, 0};
static const Kind loose = {"loose", 3, 3, 0, mass_ohh, letter, NULL, ref_ohh};
static const Kind atom = {"atom", 1, 3, 0, mass_ohh, letter, NULL, ref_atom};
static const Kind plane = {"plane", 2, 2, 1, mass_dimer, letter, &con_dimer, ref_dimer};
static const Kind line = {"line", 2, 1, 1, mass_dimer, letter, &con_dimer, ref_line};
static const Kind *const cluster[] = {&kinds[KIND_OHH], &kinds[KIND_PLAIN], &loose, &atom, &plane, &line};
enum { CLUSTERS = 6 };

/* Replica r of nmol molecules at random places and turns, with random momenta. */
static void random_replica(State *state, int r, bool same)
{
  Block *block = &state->block[0];
  const Kind *kind = block->kind;
  const int n = kind->nsite * kind->dim;
  double *q = malloc((size_t)(block->nlane * n) * sizeof *q),
         *p = malloc((size_t)(block->nlane * n) * sizeof *p);
  srand48(same ? 1 : (long)state->replica + r + 1);
  for (int m = 0; m < block->nlane; m++) {
    double turn[3][3], shift[3];
    random_rotation(3, turn);
    for (int d = 0; d < 3; d++)
      shift[d] = 6.0 * uniform();
    if (kind->dim == 2) {
      const double a = M_PI * uniform();
      turn[0][0] = turn[1][1] = cos(a);
      turn[0][1] = -(turn[1][0] = sin(a));
    }
    for (int s = 0; s < kind->nsite; s++)
      for (int d = 0; d < kind->dim; d++) {
        double *x = &q[m * n + s * kind->dim + d];
        *x = shift[d];
        for (int e = 0; e < kind->dim; e++)
          *x += (kind->dim == 1 ? 1.0 : turn[d][e]) * kind->reference[s * kind->dim + e];
        p[m * n + s * kind->dim + d] = 3.0 * kind->mass[s] * uniform();
      }
  }
  state_set(block, state->width, block->q, r, q);
  state_set(block, state->width, block->p, r, p);
  free(q);
  free(p);
}

static State *random_state(const Kind *kind, int width, int nmol, uint32_t replica)
{
  State *state;
  ck_assert_int_eq(state_create(&state, width, 1, &kind, &nmol, 1, replica, NULL), STATUS_OK);
  for (int r = 0; r < width; r++)
    random_replica(state, r, false);
  return state;
}

/* A removal with the weights of uniform friction, and the projector that goes with it. */
typedef struct Letter {
  Ou *ou;
  Projector *projector;
  Motion *motion;
} Letter;

/* What motions and projectors of these kinds want in pack->scratch. */
static Vec8 scratch[512];

static Letter letter_of(const Kind *kind, Friction friction, double t, Removal removal, Isa isa)
{
  Letter x = {0};
  ck_assert_int_eq(ou_create(&x.ou, kind, friction, 1.0, t, 0.6, NULL), STATUS_OK);
  if (kind->ncon > 0)
    ck_assert_int_eq(projector_create(&x.projector, kind, x.ou->weight, true, isa, NULL), STATUS_OK);
  const MotionGiven part = {kind, x.ou->weight, x.projector};
  ck_assert_int_eq(motion_create(&x.motion, 1, &part, removal, isa, NULL), STATUS_OK);
  return x;
}

static void letter_free(Letter *x)
{
  motion_free(x->motion);
  projector_free(x->projector);
  ou_free(x->ou);
}

/* The projections that follow p <- c p + s xi. */
static void letter_project(const Letter *x, State *state)
{
  for (int i = 0; i < state->block[0].npack && x->projector != NULL; i++) {
    Pack pack = state_pack(state, &state->block[0], i);
    pack.scratch = scratch;
    projector_apply(x->projector, &pack, NULL);
  }
  const Team alone = team_alone();
  motion_remove(x->motion, &alone, state, scratch, NULL);
}

/* The largest |J M^-1 p| of a state's molecules. */
static double off_tangent(const State *state)
{
  const Kind *kind = state->block[0].kind;
  double worst = 0.0;
  for (int i = 0; i < state->block[0].npack; i++) {
    const Pack pack = state_pack(state, &state->block[0], i);
    Vec8 j[CONSTRAINTS][COORDINATES];
    molecules_gradient(kind, pack.q, j);
    for (int c = 0; c < kind->ncon; c++) {
      Vec8 sum = vec8_set(0.0);
      for (int k = 0; k < coordinates(kind); k++)
        sum += j[c][k] * pack.p[k] / kind->mass[k / kind->dim];
      worst = fmax(worst, largest(sum * *pack.active));
    }
  }
  return worst;
}

static double largest_momentum(const State *state, bool angular)
{
  double p[WIDTH_MAX][3], l[WIDTH_MAX][3], worst = 0.0;
  motion_momenta(state, p, l);
  for (int r = 0; r < state->width; r++)
    for (int d = 0; d < 3; d++)
      worst = fmax(worst, fmax(fabs(p[r][d]), angular ? fabs(l[r][d]) : 0.0));
  return worst;
}

TEST(momenta_are_the_sums)
{
  static const int width[3] = {1, 8, 16};
  for (int w = 0; w < 3; w++) {
    enum { NMOL = 11, N = 9 * NMOL };
    State *state = random_state(&loose, width[w], NMOL, 0);
    double linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
    motion_momenta(state, linear, angular);
    for (int r = 0; r < width[w]; r++) {
      double q[N], p[N], centre[3] = {0}, total = 0, sum[3] = {0}, turn[3] = {0};
      state_get(&state->block[0], width[w], state->block[0].q, r, q);
      state_get(&state->block[0], width[w], state->block[0].p, r, p);
      for (int s = 0; s < N / 3; s++) {
        total += mass_ohh[s % 3];
        for (int d = 0; d < 3; d++) {
          centre[d] += mass_ohh[s % 3] * q[3 * s + d];
          sum[d] += p[3 * s + d];
        }
      }
      for (int s = 0; s < N / 3; s++)
        for (int d = 0; d < 3; d++) {
          const int e = (d + 1) % 3, f = (d + 2) % 3;
          turn[d] += (q[3 * s + e] - centre[e] / total) * p[3 * s + f] -
                     (q[3 * s + f] - centre[f] / total) * p[3 * s + e];
        }
      for (int d = 0; d < 3; d++) {
        ck_assert_double_eq_tol(linear[r][d], sum[d], 1e-11);
        ck_assert_double_eq_tol(angular[r][d], turn[d], 1e-10);
      }
    }
    state_free(state);
  }
}

TEST(removal_leaves_none_and_stays_tangent, .rows = CLUSTERS)
{
  static const int width[3] = {1, 8, 16};
  const Kind *kind = cluster[_i];
  for (int run = 0; run < 3 * ISA_COUNT && isa_runs((Isa)(run / 3)); run++)
    for (Friction f = FRICTION_UNIFORM; f <= FRICTION_MASS; f++)
      for (Removal removal = REMOVE_NONE; removal <= REMOVE_ANGULAR; removal++) {
        const int w = run % 3;
        State *state = random_state(kind, width[w], 11, 0);
        Letter x = letter_of(kind, f, 2.0, removal, (Isa)(run / 3));
        ck_assert_double_gt(largest_momentum(state, false), 1.0);
        letter_project(&x, state);
        ck_assert_double_lt(off_tangent(state), 1e-12);
        if (removal != REMOVE_NONE)
          ck_assert_double_lt(largest_momentum(state, removal == REMOVE_ANGULAR), 1e-10);
        else
          ck_assert_double_gt(largest_momentum(state, false), 1.0);
        /* Tail lanes stay at rest, and what is done is done. */
        const Block *block = &state->block[0];
        const Pack last = state_pack(state, block, block->npack - 1);
        Vec8 before[COORDINATES];
        memcpy(before, last.p, (size_t)coordinates(kind) * sizeof *before);
        letter_project(&x, state);
        for (int k = 0; k < coordinates(kind); k++) {
          ck_assert_double_lt(largest(last.p[k] - before[k]), 1e-12);
          for (int l = 0; l < LANES; l++)
            if ((*last.active)[l] == 0.0)
              ck_assert_double_eq(last.p[k][l], 0.0);
        }
        letter_free(&x);
        state_free(state);
      }
}

TEST(bits_do_not_depend_on_the_place, .rows = ISA_COUNT)
{
  const Isa isa = (Isa)_i;
  if (!isa_runs(isa))
    return;
  enum { NMOL = 5, N = 9 * NMOL };
  const Kind *kind = &kinds[KIND_OHH];
  Letter x = letter_of(kind, FRICTION_UNIFORM, 2.0, REMOVE_ANGULAR, isa);
  double p[3][N];
  for (int w = 0; w < 3; w++) {
    const int width[3] = {8, 16, 1}, lane[3] = {6, 11, 0}; /* in different registers of a pack */
    const uint32_t first[3] = {5, 0, 11};
    State *state = random_state(kind, width[w], NMOL, first[w]);
    letter_project(&x, state);
    state_get(&state->block[0], width[w], state->block[0].p, lane[w], p[w]);
    state_free(state);
  }
  ck_assert_mem_eq(p[0], p[1], sizeof p[0]);
  for (int i = 0; i < N; i++) /* alone, the sums have another order */
    ck_assert_double_eq_tol(p[0][i], p[2][i], 1e-12);
  letter_free(&x);
}

/* --- the subspace, as matrices ---------------------------------------------------------------------------
 */

enum { SMALL = 3, MATRIX = 9 * SMALL };
typedef double Matrix[MATRIX][MATRIX];

/* Column k = what `x` makes of unit vector k, at one configuration; 8 vectors at a time in the lanes. */
static void columns(const Letter *x, const Kind *kind, int nmol, Matrix a)
{
  const int n = nmol * coordinates(kind);
  State *state;
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  for (int begin = 0; begin < n; begin += 8) {
    double p[MATRIX];
    for (int r = 0; r < 8; r++) {
      random_replica(state, r, true);
      memset(p, 0, sizeof p);
      if (begin + r < n)
        p[begin + r] = 1.0;
      state_set(&state->block[0], 8, state->block[0].p, r, p);
    }
    letter_project(x, state);
    for (int r = 0; r < 8 && begin + r < n; r++) {
      state_get(&state->block[0], 8, state->block[0].p, r, p);
      for (int i = 0; i < n; i++)
        a[i][begin + r] = p[i];
    }
  }
  state_free(state);
}

/* A projection's trace is the dimension of what it keeps: what the temperature divides by. */
TEST(freedom_is_the_rank, .rows = CLUSTERS * ISA_COUNT)
{
  const Isa isa = (Isa)(_i / CLUSTERS);
  if (!isa_runs(isa))
    return;
  for (int nmol = 1; nmol <= SMALL; nmol++)
    for (Removal removal = REMOVE_NONE; removal <= REMOVE_ANGULAR; removal++)
      for (Friction f = FRICTION_UNIFORM; f <= FRICTION_MASS; f++) {
        const Kind *kind = cluster[_i % CLUSTERS];
        Letter x = letter_of(kind, f, 2.0, removal, isa);
        static Matrix a;
        columns(&x, kind, nmol, a);
        double trace = 0.0;
        for (int i = 0; i < nmol * coordinates(kind); i++)
          trace += a[i][i];
        ck_assert_double_eq_tol(
            trace, nmol * kind_freedom(kind, true) - motion_freedom(removal, kind->dim, nmol * kind->nsite),
            1e-9);
        letter_free(&x);
      }
}

/* c = a b', or a b if `straight`. */
static void multiply(int n, Matrix a, Matrix b, bool straight, Matrix c)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * (straight ? b[k][j] : b[j][k]);
    }
}

/* The Maxwellian on the subspace has the covariance S = kT P M P', P the plain projection (weights 1); the
 * letter with its own weights, p' = Q (c p + s xi), must keep it: Q (c S c + s^2) Q' = S. P itself: it
 * leaves what satisfies all rows alone and takes M R and J' away, which the tests above say. */
TEST(letter_keeps_the_maxwellian, .rows = CLUSTERS * ISA_COUNT)
{
  const Isa isa = (Isa)(_i / CLUSTERS);
  if (!isa_runs(isa))
    return;
  const Kind *kind = cluster[_i % CLUSTERS];
  const int n = SMALL * coordinates(kind), site = kind->dim;
  static Matrix p, q, s, moved, t;
  for (Removal removal = REMOVE_NONE; removal <= REMOVE_ANGULAR; removal++)
    for (Friction f = FRICTION_UNIFORM; f <= FRICTION_MASS; f++)
      for (double time = 0.1; time < 200.0; time *= 9.0) {
        Letter plain = letter_of(kind, f, 0.0, removal, isa), x = letter_of(kind, f, time, removal, isa);
        columns(&plain, kind, SMALL, p);
        columns(&x, kind, SMALL, q);
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++)
            t[i][j] = p[i][j] * 0.6 * kind->mass[j / site % kind->nsite];
        multiply(n, t, p, false, s);
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++) {
            const int a = i / site % kind->nsite, b = j / site % kind->nsite;
            moved[i][j] =
                x.ou->decay[a] * s[i][j] * x.ou->decay[b] + (i == j ? x.ou->noise[a] * x.ou->noise[a] : 0.0);
          }
        multiply(n, q, moved, true, t);
        multiply(n, t, q, false, moved);
        for (int i = 0; i < n; i++)
          for (int j = 0; j < n; j++)
            ck_assert_double_eq_tol(moved[i][j], s[i][j], 1e-12);
        letter_free(&plain);
        letter_free(&x);
      }
}

/* With weights 1 the projection is orthogonal in the metric M^-1: P M symmetric, P P = P. */
TEST(plain_removal_is_orthogonal, .rows = CLUSTERS * ISA_COUNT)
{
  const Isa isa = (Isa)(_i / CLUSTERS);
  if (!isa_runs(isa))
    return;
  const Kind *kind = cluster[_i % CLUSTERS];
  const int n = SMALL * coordinates(kind);
  static Matrix p, square;
  Letter x = letter_of(kind, FRICTION_UNIFORM, 0.0, REMOVE_ANGULAR, isa);
  columns(&x, kind, SMALL, p);
  multiply(n, p, p, true, square);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      ck_assert_double_eq_tol(square[i][j], p[i][j], 1e-13);
      ck_assert_double_eq_tol(p[i][j] * kind->mass[j / kind->dim % kind->nsite],
                              p[j][i] * kind->mass[i / kind->dim % kind->nsite], 1e-12);
    }
  letter_free(&x);
}

/* Momenta across the constraints, as under penalties, stay what they are. */
TEST(momenta_across_the_constraints_stay, .rows = ISA_COUNT)
{
  const Isa isa = (Isa)_i;
  if (!isa_runs(isa))
    return;
  const Kind *kind = &kinds[KIND_OHH];
  Letter x = letter_of(kind, FRICTION_UNIFORM, 2.0, REMOVE_ANGULAR, isa);
  State *state = random_state(kind, 8, 3, 0);
  Vec8 across[3][9];
  for (int i = 0; i < 3; i++) {
    Pack pack = state_pack(state, &state->block[0], i);
    for (int k = 0; k < 9; k++)
      across[i][k] = pack.p[k];
    projector_apply(x.projector, &pack, NULL);
    for (int k = 0; k < 9; k++) {
      across[i][k] -= pack.p[k];
      pack.p[k] += across[i][k];
    }
  }
  const Team alone = team_alone();
  motion_remove(x.motion, &alone, state, scratch, NULL);
  ck_assert_double_lt(largest_momentum(state, true), 1e-10);
  for (int i = 0; i < 3; i++) {
    Pack pack = state_pack(state, &state->block[0], i);
    Vec8 before[9];
    memcpy(before, pack.p, sizeof before);
    projector_apply(x.projector, &pack, NULL);
    for (int k = 0; k < 9; k++)
      ck_assert_double_lt(largest(before[k] - pack.p[k] - across[i][k]), 1e-12);
  }
  state_free(state);
  letter_free(&x);
}

TEST(what_is_tied_is_refused)
{
  const MotionGiven part = {&kinds[KIND_PENDULUM], NULL, NULL};
  Motion *motion;
  Error error;
  ck_assert_int_eq(motion_create(&motion, 1, &part, REMOVE_LINEAR, ISA_PLAIN, &error), STATUS_INPUT);
  ck_assert_ptr_null(motion);
  ck_assert_ptr_nonnull(strstr(error.text, "pendulum"));
  ck_assert_int_eq(motion_create(&motion, 1, &part, REMOVE_NONE, ISA_PLAIN, &error), STATUS_OK);
  motion_free(motion);
}
