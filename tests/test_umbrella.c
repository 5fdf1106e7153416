/* Unbiased densities from umbrella windows, against a known density. */
#include "engine/random.h"
#include "observables/jackknife.h"
#include "observables/mbar.h"
#include "observables/profile.h"
#include "observables/umbrella.h"
#include "tests/suite.h"

enum { WINDOWS = 12, BINS = 180, TABLE = 36, EACH = BINS / TABLE, BLOCKS = 20, DRAWS = 20 };

/* An angle with two basins; energies in kT. Windows are harmonic around centres all the way round. */
static double energy(double x) { return 3.0 * cos(x) + 1.5 * cos(3.0 * x) + sin(x); }

static double middle(int bin) { return -M_PI + (bin + 0.5) * 2.0 * M_PI / BINS; }

static double bias(int window, double x)
{
  const double centre = -M_PI + window * 2.0 * M_PI / WINDOWS;
  return 0.5 * 12.0 * pow(remainder(x - centre, 2.0 * M_PI), 2);
}

typedef struct Case {
  double u[BINS * WINDOWS], exact[TABLE], difference[WINDOWS]; /* exact: -ln p of the table's bins */
  double cumulated[WINDOWS][BINS];
} Case;

static Case *make_case(void)
{
  Case *c = calloc(1, sizeof *c);
  double all = 0.0, z[WINDOWS];
  for (int b = 0; b < BINS; b++)
    all += exp(-energy(middle(b)));
  for (int b = 0; b < BINS; b++)
    c->exact[b / EACH] += exp(-energy(middle(b))) / all;
  for (int t = 0; t < TABLE; t++)
    c->exact[t] = -log(c->exact[t]);
  for (int k = 0; k < WINDOWS; k++) {
    double sum = 0.0;
    for (int b = 0; b < BINS; b++) {
      c->u[b * WINDOWS + k] = bias(k, middle(b));
      c->cumulated[k][b] = sum += exp(-energy(middle(b)) - bias(k, middle(b)));
    }
    z[k] = sum;
    c->difference[k] = -log(z[k] / z[0]);
  }
  return c;
}

/* Counts independent samples of each window in each block, count[BLOCKS][WINDOWS][BINS]. */
static double *draw(const Case *c, int seed, bool (*without)(int window))
{
  double *count = calloc((size_t)BLOCKS * WINDOWS * BINS, sizeof *count);
  RandomStream s = random_stream(11, (uint32_t)seed, RANDOM_TEST);
  for (int block = 0; block < BLOCKS; block++)
    for (int k = 0; k < WINDOWS; k++)
      for (int i = 0; i < DRAWS && (without == NULL || !without(k)); i++) {
        const double at = random_uniform(&s) * c->cumulated[k][BINS - 1];
        int b = 0;
        while (c->cumulated[k][b] < at)
          b++;
        count[(block * WINDOWS + k) * BINS + b] += 1.0;
      }
  return count;
}

/* Adds all blocks but one. */
static void total(const double *count, int out, double *sum)
{
  memset(sum, 0, WINDOWS * BINS * sizeof *sum);
  for (int block = 0; block < BLOCKS; block++)
    for (int i = 0; i < WINDOWS * BINS && block != out; i++)
      sum[i] += count[block * WINDOWS * BINS + i];
}

/* -ln p of the table's bins, then free energies of the windows. */
static void solve(const Umbrella *u, const double *sum, double *value)
{
  double pooled[BINS] = {0}, drawn[WINDOWS] = {0}, density[BINS];
  for (int k = 0; k < WINDOWS; k++)
    for (int b = 0; b < BINS; b++) {
      pooled[b] += sum[k * BINS + b];
      drawn[k] += sum[k * BINS + b];
    }
  ck_assert_int_eq(umbrella_solve(u, 0, pooled, drawn, density, value + TABLE, NULL), STATUS_OK);
  for (int t = 0; t < TABLE; t++) {
    double p = 0.0;
    for (int b = t * EACH; b < (t + 1) * EACH; b++)
      p += density[b];
    value[t] = -log(p);
  }
}

/* The profile and the windows' free energies agree with the exact ones within their errors, and the errors
 * are those of the scatter over seeds. */
TEST(profiles_and_errors)
{
  enum { SEEDS = 12 };
  Case *c = make_case();
  double *sum = calloc(WINDOWS * BINS, sizeof *sum), squares = 0.0, mean = 0.0;
  for (int seed = 0; seed < SEEDS; seed++) {
    double value[TABLE + WINDOWS], one[TABLE + WINDOWS];
    Umbrella *u;
    double *count = draw(c, seed, NULL);
    total(count, -1, sum);
    ck_assert_int_eq(umbrella_create(&u, WINDOWS, BINS, c->u, sum, NULL), STATUS_OK);
    ck_assert_int_eq(u->parts, 1);
    solve(u, sum, value);
    Jackknife jackknife;
    ck_assert_int_eq(jackknife_create(&jackknife, value, TABLE + WINDOWS, NULL), STATUS_OK);
    for (int out = 0; out < BLOCKS; out++) {
      total(count, out, sum);
      solve(u, sum, one);
      jackknife_add(&jackknife, one, 1.0 / BLOCKS);
    }
    for (size_t t = 1; t < TABLE + WINDOWS; t++) {
      const double exact = t < TABLE ? c->exact[t] : c->difference[t - TABLE];
      if (t == TABLE)
        continue; /* the first window is the reference */
      const double z = (value[t] - exact) / jackknife_error(&jackknife, t);
      ck_assert_double_lt(fabs(z), 5.5);
      squares += z * z / (SEEDS * (TABLE + WINDOWS - 2));
      mean += z / (SEEDS * (TABLE + WINDOWS - 2));
    }
    jackknife_free(&jackknife);
    umbrella_free(u);
    free(count);
  }
  ck_assert_double_lt(fabs(mean), 0.35); /* neighbours are correlated */
  ck_assert_double_gt(squares, 0.7);
  ck_assert_double_lt(squares, 1.45);
  free(sum);
  free(c);
}

static bool gaps(int window) { return window == 3 || window == 4 || window == 5 || window >= 9; }

/* Without windows in two places, those on either side belong to different parts, and the first one is the
 * same as if it were alone. */
TEST(parts_without_overlap)
{
  Case *c = make_case();
  double *sum = calloc(WINDOWS * BINS, sizeof *sum), *count = draw(c, 1, gaps);
  Umbrella *u;
  total(count, -1, sum);
  ck_assert_int_eq(umbrella_create(&u, WINDOWS, BINS, c->u, sum, NULL), STATUS_OK);
  ck_assert_int_eq(u->parts, 2);
  for (int k = 0; k < WINDOWS; k++)
    ck_assert_int_eq(u->part[k], gaps(k) ? -1 : k < 3 ? 0 : 1);
  ck_assert_double_gt(u->overlap[0], MBAR_OVERLAP_LEAST);
  ck_assert_double_lt(u->overlap[2], MBAR_OVERLAP_LEAST);
  ck_assert_double_eq(u->free[0], 0.0);
  ck_assert_double_eq(u->free[6], 0.0);
  ck_assert_double_lt(fabs(u->free[1] - c->difference[1]), 0.5);
  ck_assert_double_lt(fabs(u->free[8] - c->difference[8] + c->difference[6]), 0.5);
  umbrella_free(u);
  free(count);
  free(sum);
  free(c);
}

/* Equal windows overlap by one half; without any sample there is no solution. */
TEST(equal_and_empty_windows)
{
  const double u[6] = {0.0}, none[6] = {0.0}, count[6] = {1.0, 2.0, 1.0, 2.0, 4.0, 2.0};
  Umbrella *of;
  ck_assert_int_eq(umbrella_create(&of, 2, 3, u, none, NULL), STATUS_INPUT);
  ck_assert_int_eq(umbrella_create(&of, 2, 3, u, count, NULL), STATUS_OK);
  ck_assert_double_eq_tol(of->overlap[0], 0.5, 1e-12);
  ck_assert_double_eq_tol(of->free[1], 0.0, 1e-10);
  umbrella_free(of);
}

static double column(const ResultTable *t, const char *name, int row)
{
  const ResultColumn *of = results_column(t, name);
  ck_assert_ptr_nonnull(of);
  return of->value[row];
}

/* Points distributed evenly in space have no radial free energy; the other is -2 kT ln r but for the width of
 * the bins. */
TEST(profile_of_a_distance)
{
  enum { N = 20 };
  double free[N], error[N];
  ResultSet set = results_make(QUANTITY_MOLECULES, false);
  ResultTable *t;
  for (int b = 0; b < N; b++) {
    free[b] = b == 3 ? NAN : 7.0 - 0.6 * log((pow(b + 1.0, 3) - pow(b, 3)) / 3.0);
    error[b] = 0.01 * b;
  }
  const Profile profile = {.name = "d",
                           .form = COORDINATE_DISTANCE,
                           .n = N,
                           .width = 0.5,
                           .free = free,
                           .error = error,
                           .kT = 0.6};
  ck_assert_int_eq(profile_add(&profile, &set, &t, NULL), STATUS_OK);
  ck_assert_str_eq(t->name, "free_energy_d");
  for (int b = 0; b < N; b++) {
    if (b == 3)
      continue;
    ck_assert_double_eq_tol(column(t, "r", b), 0.5 * (b + 0.5), 1e-12);
    ck_assert_double_eq_tol(column(t, "free_energy_radial", b), 0.0, 1e-12);
    ck_assert_double_eq_tol(column(t, "free_energy", b), free[b] - free[N - 1], 1e-12);
    ck_assert_double_eq(results_column(t, "free_energy_radial")->error[b], error[b]);
  }
  ck_assert(isnan(column(t, "free_energy", 3)));
  ck_assert_ptr_null(results_column(t, "part"));
  results_free(&set);
}

/* Each part of an angle is above its own minimum. */
TEST(profile_in_parts)
{
  const double free[4] = {3.0, 2.0, 7.0, 9.0}, error[4] = {0.1, 0.1, 0.1, 0.1},
               part[4] = {1.0, 1.0, 2.0, 2.0};
  ResultSet set = results_make(QUANTITY_MOLECULES, false);
  ResultTable *t;
  const Profile profile = {.name = "phi",
                           .form = COORDINATE_DIHEDRAL,
                           .n = 4,
                           .low = -M_PI,
                           .width = M_PI / 2.0,
                           .free = free,
                           .error = error,
                           .part = part,
                           .kT = 0.6};
  ck_assert_int_eq(profile_add(&profile, &set, &t, NULL), STATUS_OK);
  ck_assert_double_eq_tol(column(t, "angle", 0), -135.0, 1e-9);
  ck_assert_double_eq(column(t, "free_energy", 0), 1.0);
  ck_assert_double_eq(column(t, "free_energy", 1), 0.0);
  ck_assert_double_eq(column(t, "free_energy", 2), 0.0);
  ck_assert_double_eq(column(t, "free_energy", 3), 2.0);
  ck_assert_double_eq(column(t, "part", 3), 2.0);
  ck_assert_ptr_null(results_column(t, "free_energy_radial"));
  results_free(&set);
}
