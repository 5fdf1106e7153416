/* The O letter: its normals, its flow, on every instruction set of this machine. */

/* The source itself, for the words that no counter is likely to give. */
#define ISA_NAME test
#include "tests/suite.h"
#include "thermostat/ou_hot.c"

static const double water_mass[3] = {15.9994, 1.008, 1.008};
static const double zeros[64] = {0};
static const char *const water_site[3] = {"O", "H", "H"};
static const Kind water = {"water", 3, 3, 0, water_mass, water_site, NULL, zeros};
static const double chain_mass[7] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0};
static const char *const chain_site[7] = {"A", "A", "A", "A", "A", "A", "A"};
static const Kind chain[3] = {{"chain", 7, 1, 0, chain_mass, chain_site, NULL, zeros},
                              {"chain", 7, 2, 0, chain_mass, chain_site, NULL, zeros},
                              {"chain", 7, 3, 0, chain_mass, chain_site, NULL, zeros}};

typedef struct Address {
  Vec8Word key[2];
  uint32_t molecule[LANES];
  NoiseAddress at;
} Address;

static void address(Address *a, uint64_t seed, RandomPurpose purpose, int64_t step, uint32_t letter)
{
  uint32_t replica[LANES];
  for (uint32_t l = 0; l < LANES; l++) {
    replica[l] = l;
    a->molecule[l] = 3;
  }
  random_keys(seed, replica, purpose, a->key);
  a->at = (NoiseAddress){a->key, step, letter};
}

/* Every law test runs on every set; `i` is the loop's number. */
static const OuKernels *kernels(int i) { return isa_runs((Isa)i) ? ou_kernels((Isa)i) : NULL; }

/* The definition, by libm in extended precision. */
static void reference_pair(uint32_t w0, uint32_t w1, double out[2])
{
  const long double u = (w0 + 0.5L) * 0x1p-32L,
                    a = 2.0L * 3.14159265358979323846264L * (w1 + 0.5L) * 0x1p-32L;
  const long double r = sqrtl(u > 0.5L ? -2.0L * log1pl(u - 1.0L) : -2.0L * logl(u));
  out[0] = (double)(r * cosl(a));
  out[1] = (double)(r * sinl(a));
}

/* Random123's words of one chunk of lane l, as normals. */
static void reference_chunk(const Address *a, int l, uint32_t chunk, double out[4])
{
  const uint32_t key[2] = {(uint32_t)a->key[0][l], (uint32_t)a->key[1][l]};
  const uint32_t counter[4] = {(uint32_t)a->at.step, (uint32_t)((uint64_t)a->at.step >> 32), a->molecule[l],
                               a->at.letter << 16 | chunk};
  uint32_t word[4];
  random_words(key, counter, word);
  reference_pair(word[0], word[1], out);
  reference_pair(word[2], word[3], out + 2);
}

static double worst_normal(const OuKernels *k, const Address *a)
{
  enum { CHUNKS = 5 };
  Vec8 xi[4 * CHUNKS];
  double worst = 0.0;
  k->normals(&a->at, a->molecule, 4 * CHUNKS, xi);
  for (int l = 0; l < LANES; l++)
    for (uint32_t c = 0; c < CHUNKS; c++) {
      double expected[4];
      reference_chunk(a, l, c, expected);
      for (uint32_t i = 0; i < 4; i++)
        worst = fmax(worst, fabs(xi[4 * c + i][l] - expected[i]));
    }
  return worst;
}

/* Each bit of a word counts: the last one of an angle is 1.5e-9. */
TEST(normals_are_of_random123, .rows = ISA_COUNT)
{
  const OuKernels *k = kernels(_i);
  if (k == NULL)
    return;
  for (int i = 0; i < _i; i++)
    ck_assert_ptr_ne(k, kernels(i));
  static const int64_t step[] = {0, 1, 123456789, INT64_C(1) << 31, (INT64_C(1) << 32) + 5, INT64_MAX, -1};
  static const uint32_t letter[] = {0, 1, 65535};
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  for (size_t s = 0; s < sizeof step / sizeof *step; s++)
    for (int o = 0; o < 3; o++) {
      Address a;
      address(&a, random_bits(&stream), RANDOM_THERMOSTAT, step[s], letter[o]);
      for (int l = 0; l < LANES; l++)
        a.molecule[l] = random_bits(&stream);
      ck_assert_double_lt(worst_normal(k, &a), 1e-14);
    }
  for (int s = 0; s < 2000; s++) {
    Address a;
    address(&a, 9, RANDOM_THERMOSTAT, s, 2);
    ck_assert_double_lt(worst_normal(k, &a), 1e-14);
  }
}

/* Words at the ends of every interval of the two functions: smallest and largest logarithm, where its
 * argument is halved, the ends of the quarter turns. */
TEST(normals_equal_libm_at_the_edges)
{
  static const uint32_t edge[] = {0,          0x1fffffff, 0x3fffffff, 0x5a827998, 0x7fffffff,
                                  0x80000000, 0xb504f332, 0xbfffffff, 0xfffffffe, 0xffffffff};
  enum { EDGES = sizeof edge / sizeof *edge };
  double worst = 0.0;
  for (int i = 0; i < EDGES; i++)
    for (int j = 0; j < EDGES; j++)
      for (uint32_t d = 0; d < 16; d++) {
        const uint32_t w0 = edge[i] + d - 8, w1 = edge[j] + d % 4 - 2;
        const vu word[2] = {vu_set(0xABCDull << 32 | w0), vu_set(0x1234ull << 32 | w1)};
        vd normal[2];
        box_muller(2, word, normal);
        double expected[2];
        reference_pair(w0, w1, expected);
        worst = fmax(worst, fmax(fabs(normal[0][0] - expected[0]), fabs(normal[1][0] - expected[1])));
      }
  ck_assert_double_lt(worst, 1e-14);
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Moments 1 to 4 and the distance of Kolmogorov and Smirnov, each within its own sampling error. */
static void check_standard_normal(double *x, int n)
{
  double m[9] = {0};
  for (int i = 0; i < n; i++) {
    double power = 1.0;
    for (int k = 1; k <= 4; k++)
      m[k] += (power *= x[i]);
  }
  const double exact[5] = {1, 0, 1, 0, 3}, variance[5] = {0, 1, 2, 15, 96};
  for (int k = 1; k <= 4; k++)
    ck_assert_double_lt(fabs(m[k] / n - exact[k]), 4.0 * sqrt(variance[k] / n));
  qsort(x, (size_t)n, sizeof *x, compare);
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    const double f = 0.5 * erfc(-x[i] * M_SQRT1_2);
    largest = fmax(largest, fmax((i + 1.0) / n - f, f - (double)i / n));
  }
  ck_assert_double_lt(largest * sqrt(n), 1.95); /* once in a thousand */
}

TEST(normals_are_normal)
{
  const OuKernels *k = ou_kernels(isa_best());
  enum { N = 9, STEPS = 14000, ALL = N * STEPS * LANES };
  double *x = malloc(ALL * sizeof *x);
  for (int s = 0, at = 0; s < STEPS; s++) {
    Address a;
    address(&a, 2024, RANDOM_THERMOSTAT, s, 0);
    Vec8 xi[N];
    k->normals(&a.at, a.molecule, N, xi);
    memcpy(x + at, xi, sizeof xi);
    at += N * LANES;
  }
  check_standard_normal(x, ALL);
  free(x);
}

/* Everything that an address is made of: a change of one part gives numbers that know nothing of the
 * others, neither of their values nor of their squares (radius and angle of a pair share no word). */
TEST(addresses_are_uncorrelated)
{
  const OuKernels *k = ou_kernels(isa_best());
  enum { N = 9, STEPS = 20000, OTHERS = 7 };
  double sum[OTHERS] = {0}, square[OTHERS] = {0};
  int64_t n[OTHERS] = {0};
  for (int s = 0; s < STEPS; s++) {
    Address a[6];
    address(&a[0], 1, RANDOM_THERMOSTAT, s, 0);
    address(&a[1], 2, RANDOM_THERMOSTAT, s, 0); /* seed     */
    address(&a[2], 1, RANDOM_MOMENTA, s, 0);    /* purpose  */
    address(&a[3], 1, RANDOM_THERMOSTAT, s + 1, 0);
    address(&a[4], 1, RANDOM_THERMOSTAT, s, 1); /* letter   */
    address(&a[5], 1, RANDOM_THERMOSTAT, s, 0);
    for (int l = 0; l < LANES; l++)
      a[5].molecule[l]++;
    Vec8 x[6][N];
    for (int i = 0; i < 6; i++)
      k->normals(&a[i].at, a[i].molecule, N, x[i]);
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < N; i++) {
        const double y = x[0][i][l];
        double other[OTHERS] = {x[1][i][l],          x[2][i][l], x[3][i][l],
                                x[4][i][l],          x[5][i][l], x[0][i][(l + 1) % LANES],
                                x[0][(i + 1) % N][l]};
        for (int o = 0; o < OTHERS; o++) {
          sum[o] += y * other[o];
          square[o] += (y * y - 1.0) * (other[o] * other[o] - 1.0);
          n[o]++;
        }
      }
  }
  for (int o = 0; o < OTHERS; o++) {
    ck_assert_double_lt(fabs(sum[o]), 4.0 * sqrt((double)n[o]));
    ck_assert_double_lt(fabs(square[o]), 4.0 * 2.0 * sqrt((double)n[o]));
  }
}

TEST(steps_beyond_32_bits_differ)
{
  for (int b = 31; b < 63; b++) {
    Address near, far;
    Vec8 x[4], y[4];
    address(&near, 1, RANDOM_THERMOSTAT, 7, 0);
    address(&far, 1, RANDOM_THERMOSTAT, 7 + (INT64_C(1) << b), 0);
    ou_kernels(ISA_PLAIN)->normals(&near.at, near.molecule, 4, x);
    ou_kernels(ISA_PLAIN)->normals(&far.at, far.molecule, 4, y);
    for (int l = 0; l < LANES; l++)
      ck_assert_double_ne(x[0][l], y[0][l]);
  }
}

/* Asked for fewer numbers, the same numbers; and `step` adds just these, water unrolled or not. */
TEST(step_uses_the_normals, .rows = ISA_COUNT)
{
  const OuKernels *k = kernels(_i);
  if (k == NULL)
    return;
  const Kind *const kinds[] = {&water, &chain[0], &chain[1], &chain[2]};
  for (int c = 0; c < 4; c++) {
    const Kind *kind = kinds[c];
    const int nmol = 1, n = kind->nsite * kind->dim;
    State *state;
    Ou *ou;
    ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
    ck_assert_int_eq(ou_create(&ou, kind, FRICTION_UNIFORM, 0.7, 0.9, 0.6, NULL), STATUS_OK);
    Pack pack = state_pack(state, &state->block[0], 0);
    Address a;
    address(&a, 1, RANDOM_THERMOSTAT, 99, 0);
    Vec8 all[21], some[21];
    k->normals(&a.at, pack.number, n, all);
    for (int m = 1; m <= n; m++) {
      some[m - 1] = vec8_set(1e300);
      k->normals(&a.at, pack.number, m, some);
      ck_assert_int_eq(memcmp(some, all, (size_t)m * sizeof *all), 0);
    }
    for (int i = 0; i < n; i++)
      pack.p[i] = vec8_set(0.25 * i);
    k->step(ou, &a.at, &pack);
    for (int i = 0; i < n; i++)
      for (int l = 0; l < LANES; l++)
        ck_assert_double_eq_tol(
            pack.p[i][l], ou->decay[i / kind->dim] * 0.25 * i + ou->noise[i / kind->dim] * all[i][l], 1e-14);
    ou_free(ou);
    state_free(state);
  }
}

static void run_steps(const OuKernels *k, const Ou *ou, State *state, int steps)
{
  for (int s = 0; s < steps; s++)
    for (int i = 0; i < state->block[0].npack; i++) {
      Pack pack = state_pack(state, &state->block[0], i);
      Vec8Word key[2];
      random_keys(state->seed, pack.replica, RANDOM_THERMOSTAT, key);
      k->step(ou, &(NoiseAddress){key, s, 0}, &pack);
    }
}

/* Replica 11 alone, 8 side by side from 5 on, and 16 from 0 on: the same bits. Tails stay at rest. */
TEST(bits_do_not_depend_on_the_place, .rows = ISA_COUNT)
{
  const OuKernels *k = kernels(_i);
  if (k == NULL)
    return;
  const Kind *const kinds[] = {&water, &chain[1]};
  for (int c = 0; c < 2; c++) {
    const Kind *kind = kinds[c];
    enum { NMOL = 5 };
    const int nmol = NMOL, width[3] = {1, 8, 16}, lane[3] = {0, 6, 11};
    const uint32_t first[3] = {11, 5, 0};
    Ou *ou;
    ck_assert_int_eq(ou_create(&ou, kind, FRICTION_UNIFORM, 0.7, 0.9, 0.6, NULL), STATUS_OK);
    double p[3][NMOL * 14];
    for (int w = 0; w < 3; w++) {
      State *state;
      ck_assert_int_eq(state_create(&state, width[w], 1, &kind, &nmol, 6, first[w], NULL), STATUS_OK);
      run_steps(k, ou, state, 10);
      state_get(&state->block[0], width[w], state->block[0].p, lane[w], p[w]);
      if (width[w] == 1)
        for (int i = 0; i < kind->nsite * kind->dim; i++)
          for (int l = NMOL; l < LANES; l++)
            ck_assert_double_eq(state->block[0].p[i][l], 0.0);
      state_free(state);
    }
    const size_t n = (size_t)(NMOL * kind->nsite * kind->dim);
    ck_assert_int_eq(memcmp(p[0], p[1], n * sizeof(double)), 0);
    ck_assert_int_eq(memcmp(p[0], p[2], n * sizeof(double)), 0);
    ou_free(ou);
  }
}

TEST(coefficients_are_the_exact_flow)
{
  const double t = 0.3, gamma = 0.8, kT = 0.6;
  for (Friction f = FRICTION_UNIFORM; f <= FRICTION_MASS; f++) {
    Ou *one, *two, *draw, *none;
    ck_assert_int_eq(ou_create(&one, &water, f, gamma, t, kT, NULL), STATUS_OK);
    ck_assert_int_eq(ou_create(&two, &water, f, gamma, 2 * t, kT, NULL), STATUS_OK);
    ck_assert_int_eq(ou_create(&draw, &water, f, f == FRICTION_MASS ? 0.0 : gamma, INFINITY, kT, NULL), 0);
    ck_assert_int_eq(ou_create(&none, &water, f, 0.0, t, kT, NULL), STATUS_OK);
    for (int s = 0; s < 3; s++) {
      const double m = water_mass[s], c = exp(-gamma * t / (f == FRICTION_UNIFORM ? m : 1.0));
      ck_assert_double_eq_tol(one->decay[s], c, 1e-15);
      /* The Maxwellian stays: c^2 m kT + s^2 = m kT; and two steps are one of twice the time. */
      const double s1 = one->noise[s] * one->noise[s], s2 = two->noise[s] * two->noise[s];
      ck_assert_double_eq_tol(c * c * m * kT + s1, m * kT, 1e-14 * m);
      ck_assert_double_eq_tol(two->decay[s], c * c, 1e-15);
      ck_assert_double_eq_tol(s2, c * c * s1 + s1, 1e-14 * m);
      /* (1 - a)/(1 + a) = c, the Cayley form. */
      const double a = 1.0 / one->weight[s] - 1.0;
      ck_assert_double_eq_tol((1.0 - a) / (1.0 + a), c, 1e-14);
      ck_assert_double_eq(draw->decay[s], 0.0);
      ck_assert_double_eq(draw->weight[s], 0.5);
      ck_assert_double_eq_tol(draw->noise[s], sqrt(m * kT), 1e-14);
      ck_assert_double_eq(none->decay[s], 1.0);
      ck_assert_double_eq(none->noise[s], 0.0);
      ck_assert_double_eq(none->weight[s], 1.0);
    }
    ou_free(one);
    ou_free(two);
    ou_free(draw);
    ou_free(none);
  }
}

TEST(bad_coefficients_are_refused)
{
  const double bad[][3] = {{-1, 1, 1},  {1, -1, 1},  {1, 1, -1},        {NAN, 1, 1},
                           {1, NAN, 1}, {1, 1, NAN}, {-INFINITY, 1, 1}, {1, 1, INFINITY}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    Ou *ou;
    Error error;
    ck_assert_int_eq(ou_create(&ou, &water, FRICTION_MASS, bad[i][0], bad[i][1], bad[i][2], &error),
                     STATUS_INPUT);
    ck_assert_ptr_null(ou);
    ck_assert_uint_gt(strlen(error.text), 10);
  }
  const Kind huge = {"huge", 100000, 3, 0, NULL, NULL, NULL, NULL};
  Ou *ou;
  ck_assert_int_eq(ou_create(&ou, &huge, FRICTION_MASS, 1, 1, 1, NULL), STATUS_INPUT);
}

/* From rest, iterated: stationary variance m kT and correlation c from step to step, as estimated. */
TEST(free_flow_is_stationary, .rows = ISA_COUNT)
{
  const OuKernels *k = kernels(_i);
  if (k == NULL)
    return;
  const Kind *kind = &water;
  const int nmol = 1;
  const double kT = 0.6;
  State *state;
  Ou *ou;
  ck_assert_int_eq(state_create(&state, 8, 1, &kind, &nmol, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(ou_create(&ou, kind, FRICTION_UNIFORM, 1.0, 0.5, kT, NULL), STATUS_OK);
  Pack pack = state_pack(state, &state->block[0], 0);
  Vec8Word key[2];
  random_keys(1, pack.replica, RANDOM_THERMOSTAT, key);
  enum { STEPS = 40000, START = 400 };
  double variance[3] = {0}, lag[3] = {0};
  for (int s = -START; s < STEPS; s++) {
    Vec8 before[9];
    memcpy(before, pack.p, sizeof before);
    k->step(ou, &(NoiseAddress){key, s, 0}, &pack);
    if (s >= 0)
      for (int i = 0; i < 9; i++) {
        variance[i / 3] += vec8_sum(pack.p[i] * pack.p[i]);
        lag[i / 3] += vec8_sum(pack.p[i] * before[i]);
      }
  }
  for (int s = 0; s < 3; s++) {
    const double n = 24.0 * STEPS, c = ou->decay[s], m = water_mass[s];
    const double correlation = (1 + c * c) / (1 - c * c); /* of squares of this process */
    ck_assert_double_lt(fabs(variance[s] / n / (m * kT) - 1.0), 4.0 * sqrt(2.0 * correlation / n));
    ck_assert_double_lt(fabs(lag[s] / variance[s] - c), 4.0 * sqrt((1 - c * c) / n));
  }
  ou_free(ou);
  state_free(state);
}
