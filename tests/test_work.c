/* Free energies from work: normal work that obeys Crooks's theorem, whose estimates are known, and a moving
 * trap, whose work is normal at every point of its path. */
#include "engine/random.h"
#include "observables/work.h"
#include "tests/suite.h"

enum { FORWARDS = 400, BACKWARDS = 250, ROUNDS = 40 };
static const double kT = 0.6, difference = 2.5;

static double one[FORWARDS + BACKWARDS][2];
static const double *forwards[FORWARDS], *backwards[BACKWARDS];

/* Changes in one interval, with work of a standard deviation; its mean exceeds the free energy by var/2kT
 * both ways. */
static WorkPath draw(RandomStream *stream, double deviation)
{
  const double lost = deviation * deviation / (2.0 * kT);
  for (int i = 0; i < FORWARDS; i++) {
    one[i][1] = difference + lost + deviation * random_normal(stream);
    forwards[i] = one[i];
  }
  for (int i = 0; i < BACKWARDS; i++) {
    one[FORWARDS + i][1] = -difference + lost + deviation * random_normal(stream);
    backwards[i] = one[FORWARDS + i];
  }
  return (WorkPath){1, {FORWARDS, BACKWARDS}, {forwards, backwards}, kT};
}

/* Deviations in units of their errors have mean 0 and, within the scatter of 40 of them, variance 1. */
static void check(const char *name, const WorkValue *found, double right)
{
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < ROUNDS; i++) {
    const double z = (found[i].value - right) / found[i].error;
    mean += z / ROUNDS;
    square += z * z / ROUNDS;
  }
  ck_assert_msg(fabs(mean) < 4.0 / sqrt(ROUNDS), "%s: mean %g", name, mean);
  ck_assert_msg(fabs(square - 1.0) < 4.0 * sqrt(2.0 / ROUNDS), "%s: square %g", name, square);
}

TEST(estimates_of_normal_work_are_right_within_their_errors)
{
  RandomStream stream = random_stream(20, 0, RANDOM_TEST);
  WorkValue found[5][ROUNDS];
  Error error;
  const double deviation = 0.5, lost = deviation * deviation / (2.0 * kT);
  for (int i = 0; i < ROUNDS; i++) {
    WorkEstimates e;
    const WorkPath path = draw(&stream, deviation);
    ck_assert_int_eq(work_estimates(&e, &path, &error), STATUS_OK);
    const WorkValue each[] = {e.mean[0], e.mean[1], e.jarzynski[0], e.jarzynski[1], e.free_energy};
    for (int k = 0; k < 5; k++)
      found[k][i] = each[k];
    ck_assert_double_lt(e.free_energy.error, e.jarzynski[0].error);
    ck_assert_double_eq_tol(e.dissipated, lost, 0.5 * lost);
  }
  check("mean", found[0], difference + lost);
  check("mean back", found[1], -difference + lost);
  check("Jarzynski", found[2], difference);
  check("Jarzynski back", found[3], difference);
  check("Bennett", found[4], difference);
}

/* The integral of p q/(p + q) for two normal distributions that Crooks's theorem connects. */
static double overlap_of(double deviation)
{
  enum { POINTS = 4000 };
  const double lost = deviation * deviation / (2.0 * kT);
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double x = (i + 0.5) / POINTS * 20.0 - 10.0, w = lost + deviation * x;
    sum += exp(-0.5 * x * x) / sqrt(2.0 * M_PI) / (1.0 + exp(w / kT)) * 20.0 / POINTS;
  }
  return sum;
}

TEST(overlap_is_that_of_the_distributions)
{
  RandomStream stream = random_stream(22, 0, RANDOM_TEST);
  static const double deviations[] = {1e-3, 0.5, 1.5};
  for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
    WorkEstimates e;
    Error error;
    const WorkPath path = draw(&stream, deviations[i]);
    ck_assert_int_eq(work_estimates(&e, &path, &error), STATUS_OK);
    ck_assert_double_eq_tol(e.overlap, overlap_of(deviations[i]), 0.03);
  }
}

TEST(directions_are_equivalent)
{
  RandomStream stream = random_stream(21, 0, RANDOM_TEST);
  WorkEstimates a, b;
  Error error;
  const WorkPath path = draw(&stream, 1.0), turned = {1, {BACKWARDS, FORWARDS}, {backwards, forwards}, kT};
  ck_assert_int_eq(work_estimates(&a, &path, &error), STATUS_OK);
  ck_assert_int_eq(work_estimates(&b, &turned, &error), STATUS_OK);
  ck_assert_double_eq_tol(a.free_energy.value, -b.free_energy.value, 1e-10);
  ck_assert_double_eq_tol(a.free_energy.error, b.free_energy.error, 1e-9);
  ck_assert_double_eq_tol(a.jarzynski[0].value, -b.jarzynski[1].value, 1e-12);
  ck_assert_double_eq_tol(a.dissipated, b.dissipated, 1e-9);
  ck_assert_double_eq_tol(a.overlap, b.overlap, 1e-9);
}

/* --- a path --------------------------------------------------------------------------------------------- */

enum { POINTS = 12, TRAPS = 200 };
static const double k_trap = 4.0, k_fixed = 2.0, from = -0.4, to = 0.6;

enum { BINS = 8 };
static const double low = -0.6, wide = 0.15;

static int bin_of(double x) { return x < low || x >= low + BINS * wide ? -1 : (int)((x - low) / wide); }

/* The mean of exp(-E/kT) in a bin, for the energy E = k (x - c)^2/2. */
static double factor_of(int bin, double k, double c)
{
  double sum = 0.0;
  for (int i = 0; i < 20; i++)
    sum += exp(-0.5 * k * pow(low + wide * (bin + (i + 0.5) / 20.0) - c, 2) / kT) / 20.0;
  return sum;
}

/* A coordinate with the energy k' x^2/2 in a trap k (x - c)^2/2, whose centre moves in POINTS jumps. Between
 * them the coordinate relaxes by half towards its equilibrium, with the noise of kT. */
static void pull(RandomStream *stream, bool back, double *work, int *bin)
{
  const double k = k_trap + k_fixed, deviation = sqrt(kT / k);
  double x = 0.0;
  work[0] = 0.0;
  for (int i = 0; i <= POINTS; i++) {
    const double s = (double)i / POINTS, c = back ? to + s * (from - to) : from + s * (to - from),
                 before = c - (back ? from - to : to - from) / POINTS, mean = k_trap * c / k;
    if (i == 0) {
      x = mean + deviation * random_normal(stream);
      continue;
    }
    bin[i] = bin_of(x);
    bin[i == 1 ? 0 : i] = bin[i];
    work[i] = work[i - 1] + 0.5 * k_trap * (pow(x - c, 2) - pow(x - before, 2));
    x = mean + 0.5 * (x - mean) + sqrt(0.75) * deviation * random_normal(stream);
  }
}

static double trapped(double c) { return 0.5 * k_trap * k_fixed / (k_trap + k_fixed) * c * c; }

static double work_of[2][TRAPS][POINTS + 1];
static int bin[2][TRAPS][POINTS + 1];
static const double *work_row[2][TRAPS];
static const int *bin_row[2][TRAPS];

static void pull_all(RandomStream *stream)
{
  for (int i = 0; i < 2 * TRAPS; i++) {
    pull(stream, i >= TRAPS, work_of[i / TRAPS][i % TRAPS], bin[i / TRAPS][i % TRAPS]);
    work_row[i / TRAPS][i % TRAPS] = work_of[i / TRAPS][i % TRAPS];
    bin_row[i / TRAPS][i % TRAPS] = bin[i / TRAPS][i % TRAPS];
  }
}

/* The free energy at all points of the path, of changes forwards alone, and both ways. */
TEST(free_energies_along_a_path_are_right_within_their_errors, .rows = 2)
{
  RandomStream stream = random_stream(23, 0, RANDOM_TEST);
  const WorkPath path = {POINTS, {TRAPS, _i == 1 ? TRAPS : 0}, {work_row[0], work_row[1]}, kT};
  WorkValue found[POINTS + 1][ROUNDS], free[POINTS + 1], mean[POINTS + 1];
  WorkEstimates e;
  Error error;
  for (int round = 0; round < ROUNDS; round++) {
    pull_all(&stream);
    ck_assert_int_eq(work_profile(&path, free, &error), STATUS_OK);
    for (int t = 0; t <= POINTS; t++)
      found[t][round] = free[t];
  }
  ck_assert_int_eq(work_estimates(&e, &path, &error), STATUS_OK);
  ck_assert_double_eq(free[0].value, 0.0);
  ck_assert_double_eq_tol(free[POINTS].value, e.free_energy.value, 1e-9);
  ck_assert_double_eq_tol(free[POINTS].error, e.free_energy.error, 1e-9);
  for (int d = 0; d <= _i; d++) {
    work_means(&path, d == 0 ? WORK_FORWARDS : WORK_BACKWARDS, mean);
    ck_assert_double_eq_tol(mean[POINTS].value, d == 0 ? e.mean[0].value : -e.mean[1].value, 1e-9);
    ck_assert_double_eq_tol(mean[POINTS].error, e.mean[d].error, 0.4 * e.mean[d].error);
    ck_assert_double_eq(mean[0].value, 0.0);
  }
  for (int t = 1; t <= POINTS; t++) {
    char name[32];
    snprintf(name, sizeof name, "point %d", t);
    check(name, found[t], trapped(from + (double)t / POINTS * (to - from)) - trapped(from));
  }
}

/* The free energy along the coordinate without the trap is that of k' x^2/2. */
TEST(free_energies_along_the_coordinate_are_right_within_their_errors, .rows = 2)
{
  RandomStream stream = random_stream(24, 0, RANDOM_TEST);
  const WorkPath path = {POINTS, {TRAPS, _i == 1 ? TRAPS : 0}, {work_row[0], work_row[1]}, kT};
  static double factor[(POINTS + 1) * BINS];
  const WorkCoordinate along = {BINS, {bin_row[0], bin_row[1]}, factor};
  WorkValue found[BINS][ROUNDS], free[BINS];
  Error error;
  double total = 0.0;
  for (int t = 0; t <= POINTS; t++)
    for (int b = 0; b < BINS; b++)
      factor[t * BINS + b] = factor_of(b, k_trap, from + (double)t / POINTS * (to - from));
  for (int round = 0; round < ROUNDS; round++) {
    pull_all(&stream);
    ck_assert_int_eq(work_coordinate(&path, &along, free, &error), STATUS_OK);
    for (int b = 0; b < BINS; b++)
      found[b][round] = free[b];
  }
  for (int b = 0; b < BINS; b++)
    total += factor_of(b, k_fixed, 0.0);
  for (int b = 0; b < BINS; b++) {
    char name[32];
    snprintf(name, sizeof name, "bin %d", b);
    check(name, found[b], -kT * log(factor_of(b, k_fixed, 0.0) / total));
  }
}

/* Huge work neither overflows nor hides the rest; equal work has no error; one change has no error. */
TEST(extremes)
{
  static const double work[][2] = {{0.0, 1e6}, {0.0, 3.0}, {0.0, 3.0}, {0.0, 3.0}};
  const double *const rows[] = {work[0], work[1], work[2], work[3]};
  WorkPath path = {1, {4, 0}, {rows, NULL}, kT};
  WorkValue free[2];
  WorkEstimates e;
  Error error;
  ck_assert_int_eq(work_estimates(&e, &path, &error), STATUS_OK);
  ck_assert_double_eq_tol(e.jarzynski[0].value, 3.0 - kT * log(0.75), 1e-12);
  ck_assert_double_eq(e.free_energy.value, e.jarzynski[0].value);
  ck_assert(isnan(e.overlap) && isnan(e.mean[1].value) && isnan(e.jarzynski[1].value));
  ck_assert_int_eq(work_profile(&path, free, &error), STATUS_OK);
  ck_assert_double_eq_tol(free[1].value, e.jarzynski[0].value, 1e-12);
  path = (WorkPath){1, {2, 0}, {rows + 1, NULL}, kT};
  ck_assert_int_eq(work_estimates(&e, &path, &error), STATUS_OK);
  ck_assert_double_eq_tol(e.jarzynski[0].value, 3.0, 1e-12);
  ck_assert_double_eq_tol(e.jarzynski[0].error, 0.0, 1e-12);
  path.n[0] = 1;
  ck_assert_int_eq(work_estimates(&e, &path, &error), STATUS_OK);
  ck_assert(isnan(e.jarzynski[0].error) && isnan(e.dissipated));
}

TEST(few_changes_do_not_suffice_for_much_dissipated_work)
{
  ck_assert(work_enough(0.5 * kT, kT, 64));
  ck_assert(!work_enough(4.0 * kT, kT, 64));
  ck_assert(work_enough(4.0 * kT, kT, 1000));
  ck_assert(!work_enough(0.0, kT, 1));
}
