/* Averages at any temperature from sums by energy, on systems whose averages are known, oscillators and two
 * basins with a transition between them: values, errors that cover, what bins cost, and what is refused. */
#include <gsl/gsl_cdf.h>

#include "engine/random.h"
#include "observables/energy_columns.h"
#include "observables/mbar.h"
#include "tests/basins.h"
#include "tests/chunks.h"
#include "tests/suite.h"

enum { STATES = 5, LADDERS_MAX = 6, COLUMNS = 4, POINTS = 3, INSIDE = 0, SQUARE, ENERGY, UPPER };

/* kT; temperatures between them, and one of them. */
static const double kT[STATES] = {0.8, 0.9, 1.0, 1.12, 1.25}, at[POINTS] = {0.84, 1.0, 1.19};
static const double unit[COLUMNS] = {1.0, 0x1p-20, 0x1p-20, 1.0};

/* Of the first coordinate: whether |x| < 1/2, and x^2; of all: the energy, and whether they are in the upper
 * basin. */
typedef struct Drawn {
  double column[COLUMNS], energy;
} Drawn;

static Drawn draw(const Basins *system, double t, RandomStream *stream)
{
  const BasinsSample s = basins_draw(system, t, stream);
  return (Drawn){{fabs(s.x) < 0.5, s.x * s.x, s.energy, s.upper}, s.energy};
}

static double truth(int column, const Basins *system, double t)
{
  return column == INSIDE   ? erf(0.5 / sqrt(2.0 * t))
         : column == SQUARE ? t
         : column == ENERGY ? basins_energy(system, t)
                            : basins_upper(system, t);
}

static EnergyColumns *make(int ladders, int first, int slots, int copies)
{
  EnergyColumns *c;
  const EnergyColumnsOptions options = {.temperatures = STATES,
                                        .ladders = ladders,
                                        .first = first,
                                        .slots = slots,
                                        .copies = copies,
                                        .columns = COLUMNS,
                                        .width = 1e-3,
                                        .blocks = true};
  ck_assert_int_eq(energy_columns_create(&c, &options, NULL), STATUS_OK);
  return c;
}

static void add(EnergyColumns *c, int slot, const Drawn *s)
{
  int64_t *sums = energy_columns_add(c, slot, s->energy);
  for (int i = 0; i < COLUMNS; i++)
    sums[i] += llrint(s->column[i] / unit[i]);
}

static EnergyColumnsResult *result_of(EnergyColumns *const *columns, int n, const int *place,
                                      double inefficiency)
{
  EnergyColumnsResult *r;
  Error error;
  const EnergyColumnsRequest request = {columns, n, COLUMNS, place, kT, at, POINTS, inefficiency};
  ck_assert_msg(energy_columns_result(&request, &r, &error) == STATUS_OK, "%s", error.text);
  for (int i = 0; i < POINTS * COLUMNS; i++) {
    r->value[i] *= unit[i % COLUMNS];
    r->error[i] *= unit[i % COLUMNS];
  }
  return r;
}

/* --- values and errors -------------------------------------------------------------------------------------
 */

/* Each sample stays what it was with this chance; direct: the mean at kT[2] = at[1] from its own samples. */
static EnergyColumns *experiment(uint32_t number, const Basins *system, int ladders, int samples, double stay,
                                 double *direct)
{
  RandomStream stream = random_stream(11, number, RANDOM_TEST);
  EnergyColumns *c = make(ladders, 0, STATES * ladders, 0);
  Drawn s[STATES * LADDERS_MAX];
  for (int i = 0; i < COLUMNS; i++)
    direct[i] = 0.0;
  for (int t = 0; t < samples; t++)
    for (int slot = 0; slot < STATES * ladders; slot++) {
      if (t == 0 || random_uniform(&stream) > stay)
        s[slot] = draw(system, kT[slot % STATES], &stream);
      add(c, slot, &s[slot]);
      for (int i = 0; i < COLUMNS && slot % STATES == 2; i++)
        direct[i] += s[slot].column[i] / (samples * ladders);
    }
  return c;
}

/* How many of the errors cover, at one and at two standard errors of a normal distribution. */
typedef struct Covered {
  int in68[COLUMNS], in95[COLUMNS], n;
} Covered;

static void cover(Covered *covered, const Basins *system, const EnergyColumnsResult *r)
{
  covered->n += POINTS;
  for (int i = 0; i < POINTS * COLUMNS; i++) {
    const int c = i % COLUMNS;
    const double z = fabs(r->value[i] - truth(c, system, at[i / COLUMNS])) / r->error[i];
    covered->in68[c] += z < gsl_cdf_tdist_Pinv(0.84, r->draws - 1.0);
    covered->in95[c] += z < gsl_cdf_tdist_Pinv(0.975, r->draws - 1.0);
  }
}

/* Points of one experiment are not independent. */
static bool covers(const Covered *covered, int c, int experiments)
{
  return fabs((double)covered->in68[c] / covered->n - 0.68) < 0.04 + 3.0 * sqrt(0.68 * 0.32 / experiments) &&
         fabs((double)covered->in95[c] / covered->n - 0.95) < 0.02 + 3.0 * sqrt(0.95 * 0.05 / experiments);
}

/* From ladders, and from blocks of samples of which it takes three to an independent one. Between
 * temperatures and at one of them, where MBAR's are nearer to the truth than the mean of that temperature's
 * own samples. */
TEST(errors_cover_what_is_known, .rows = 4)
{
  enum { EXPERIMENTS = 200 };
  const Basins *system = _i < 2 ? &harmonic : &transition;
  const int blocks = _i % 2, ladders = blocks ? 2 : 6, columns = _i < 2 ? UPPER : COLUMNS;
  Covered covered = {0};
  double mine[COLUMNS] = {0}, own[COLUMNS] = {0};
  for (uint32_t x = 0; x < EXPERIMENTS; x++) {
    double direct[COLUMNS];
    EnergyColumns *sums = experiment(x, system, ladders, blocks ? 512 : 60, blocks ? 0.5 : 0.0, direct);
    EnergyColumnsResult *r = result_of(&sums, 1, NULL, 0.0);
    ck_assert_int_eq(r->from_blocks, blocks);
    ck_assert_int_eq(r->draws, blocks ? 15 : 6);
    cover(&covered, system, r);
    for (int c = 0; c < COLUMNS; c++) {
      mine[c] += pow(r->value[COLUMNS + c] - truth(c, system, at[1]), 2);
      own[c] += pow(direct[c] - truth(c, system, at[1]), 2);
    }
    energy_columns_result_free(r);
    energy_columns_free(sums);
  }
  for (int c = 0; c < columns; c++) {
    ck_assert_msg(covers(&covered, c, EXPERIMENTS), "column %d: %d and %d of %d", c, covered.in68[c],
                  covered.in95[c], covered.n);
    ck_assert_msg(mine[c] < 0.7 * own[c], "column %d: %g, directly %g", c, mine[c], own[c]);
  }
}

/* One ladder whose blocks are shorter than the correlation: errors of blocks as they are do not cover, those
 * of blocks made longer do, and say that they are lower bounds. Where blocks are long enough they stay. */
TEST(blocks_of_one_ladder_heed_its_correlation)
{
  enum { EXPERIMENTS = 300 };
  const double stay = 0.95, inefficiency = (1.0 + stay) / (1.0 - stay);
  Covered covered[2] = {{{0}, {0}, 0}};
  double direct[COLUMNS];
  for (uint32_t x = 0; x < EXPERIMENTS; x++) {
    EnergyColumns *sums = experiment(1000 + x, &harmonic, 1, 512, stay, direct);
    for (int heed = 0; heed < 2; heed++) {
      EnergyColumnsResult *r = result_of(&sums, 1, NULL, heed ? inefficiency : 0.0);
      ck_assert_int_eq(r->bounds, heed);
      ck_assert_int_eq(r->draws, heed ? 4 : 15);
      cover(&covered[heed], &harmonic, r);
      energy_columns_result_free(r);
    }
    energy_columns_free(sums);
  }
  for (int c = 0; c < UPPER; c++) {
    ck_assert(covers(&covered[1], c, EXPERIMENTS));
    ck_assert(!covers(&covered[0], c, EXPERIMENTS));
  }
  EnergyColumns *sums = experiment(0, &harmonic, 1, 512, 0.0, direct);
  EnergyColumnsResult *plain = result_of(&sums, 1, NULL, 0.0), *known = result_of(&sums, 1, NULL, 1.5);
  ck_assert(!known->bounds && known->draws == plain->draws);
  for (int i = 0; i < POINTS * COLUMNS; i++)
    ck_assert_double_le(fabs(known->error[i] - plain->error[i]), 0.05 * plain->error[i]);
  energy_columns_result_free(plain);
  energy_columns_result_free(known);
  energy_columns_free(sums);
}

/* --- bins --------------------------------------------------------------------------------------------------
 */

/* Neighbours whose exchanges are accepted by a third. Beside MBAR of single samples: their energy, whose
 * error by bins is what was promised, 16 times that with bins 4 times as wide. */
TEST(bins_cost_what_was_promised)
{
  enum { N = 3, SAMPLES = 4000, FREEDOM = 30, BETWEEN = 2, LADDERS = 4, FEWER = 20000 };
  const Basins many = {FREEDOM, INFINITY, 0.0};
  const double ladder[N] = {1.0, 1.4, 1.96}, between[BETWEEN] = {1.18, 1.65};
  const double promised = 0.005, times[2] = {1.0, 16.0};
  double temperature[N], drawn[N], mean[N] = {0}, *count = malloc(N * SAMPLES * sizeof *count),
                                   *energy = malloc(N * SAMPLES * sizeof *energy),
                                   *weight = malloc(N * SAMPLES * sizeof *weight), worst[2] = {0};
  EnergyColumns *c[2];
  RandomStream stream = random_stream(12, 0, RANDOM_TEST);
  for (int fewer = 0; fewer < 2; fewer++) {
    const EnergyColumnsOptions options = {.temperatures = N,
                                          .ladders = LADDERS,
                                          .slots = N * LADDERS,
                                          .copies = fewer ? FEWER : 0,
                                          .columns = 1,
                                          .width = 1e-3};
    ck_assert_int_eq(energy_columns_create(&c[fewer], &options, NULL), STATUS_OK);
  }
  for (int i = 0; i < N * SAMPLES; i++) {
    const Drawn s = draw(&many, ladder[i % N], &stream);
    for (int fewer = 0; fewer < 2; fewer++)
      *energy_columns_add(c[fewer], i % (N * LADDERS), s.energy) += llrint(s.energy / unit[ENERGY]);
    count[i] = 1.0;
    energy[i] = s.energy;
    mean[i % N] += s.energy / SAMPLES;
  }
  for (int k = 0; k < N; k++) {
    temperature[k] = ladder[k];
    drawn[k] = SAMPLES;
  }
  const EnergyPool pool = {.temperatures = N,
                           .bins = N * SAMPLES,
                           .samples = N * SAMPLES,
                           .drawn = drawn,
                           .mean = mean,
                           .count = count,
                           .energy = energy};
  Mbar *m;
  ck_assert_int_eq(mbar_create(&m, &pool, temperature, 1.0, NULL, NULL), STATUS_OK);
  for (int fewer = 0; fewer < 2; fewer++) {
    EnergyColumnsResult *r;
    const EnergyColumnsRequest request = {&c[fewer], 1, 1, NULL, ladder, between, BETWEEN, 0.0};
    ck_assert_int_eq(energy_columns_result(&request, &r, NULL), STATUS_OK);
    for (int p = 0; p < BETWEEN; p++) {
      MbarState exact;
      ck_assert_int_eq(mbar_at(m, between[p], &exact, weight, NULL), STATUS_OK);
      const double sigma = between[p] * sqrt(0.5 * FREEDOM),
                   off = fabs(r->value[p] * unit[ENERGY] - exact.energy) / sigma;
      ck_assert_msg(off < promised * times[fewer], "%g", off);
      worst[fewer] = fmax(worst[fewer], off);
    }
    energy_columns_result_free(r);
    energy_columns_free(c[fewer]);
  }
  ck_assert_msg(worst[1] > 4.0 * worst[0], "%g, %g", worst[0], worst[1]);
  mbar_free(m);
  free(count);
  free(energy);
  free(weight);
}

/* --- the same numbers
 * ---------------------------------------------------------------------------------------
 */

static void same_result(const EnergyColumnsResult *a, const EnergyColumnsResult *b, double tolerance)
{
  for (int i = 0; i < POINTS * COLUMNS; i++) {
    ck_assert_double_eq_tol(a->value[i], b->value[i], tolerance);
    ck_assert_double_eq_tol(a->error[i], b->error[i], tolerance);
  }
}

/* Any order of samples, a restart half-way, and a range that grows: the same bits. Two that share the
 * samples, with columns in another order and one that had been somebody else's: the same to rounding. */
TEST(order_and_sharing_leave_no_trace)
{
  enum { LADDERS = 4, SLOTS = STATES * LADDERS, SAMPLES = 300 };
  static const int place[2][COLUMNS] = {{0, 1, 2, 3}, {2, 0, 3, 1}};
  Drawn *s = malloc(SLOTS * SAMPLES * sizeof *s);
  RandomStream stream = random_stream(13, 0, RANDOM_TEST);
  EnergyColumns *one = make(LADDERS, 0, SLOTS, 0), *back = make(LADDERS, 0, SLOTS, 0), *later = NULL,
                *shared[2] = {make(LADDERS, 0, SLOTS, 2), make(LADDERS, 0, SLOTS, 2)};
  ChunkList a = {0}, b = {0};
  for (int i = 0; i < SLOTS * SAMPLES; i++)
    s[i] = draw(&transition, kT[i % STATES] * (1.0 + 0.002 * i / SLOTS), &stream);
  energy_columns_add(shared[1], 0, NAN)[2] = 77;
  energy_columns_clear(shared[1], 2);
  for (int i = 0; i < SLOTS * SAMPLES; i++) {
    const int other = SLOTS * SAMPLES - 1 - i;
    add(one, i % SLOTS, &s[i]);
    add(back, other % SLOTS, &s[other]);
    if (i == SLOTS * SAMPLES / 2) {
      later = make(LADDERS, 0, SLOTS, 0);
      energy_columns_chunks(one, LADDERS, &a);
      energy_columns_chunks(later, LADDERS, &b);
      chunks_restore(&a, &b);
    } else if (later != NULL)
      add(later, i % SLOTS, &s[i]);
    int64_t *sums = energy_columns_add(shared[i % 2], i % SLOTS, s[i].energy);
    for (int k = 0; k < COLUMNS; k++)
      sums[place[i % 2][k]] += llrint(s[i].column[k] / unit[k]);
  }
  for (int k = 0; k < 2; k++) {
    a = b = (ChunkList){0};
    energy_columns_chunks(one, 0, &a);
    energy_columns_chunks(k == 0 ? back : later, 0, &b);
    chunks_same(&a, &b);
  }
  EnergyColumnsResult *whole = result_of(&one, 1, NULL, 0.0), *both = result_of(shared, 2, place[0], 0.0);
  same_result(whole, both, 0.02);
  energy_columns_result_free(whole);
  energy_columns_result_free(both);
  energy_columns_free(one);
  energy_columns_free(back);
  energy_columns_free(later);
  energy_columns_free(shared[0]);
  energy_columns_free(shared[1]);
  free(s);
}

/* Over temperatures, times how many samples each gave, weights of any sample add up to 1, and so averages to
 * the sum of all that was added: of slots whose ranges and numbers of samples are unlike, but for what has no
 * energy. */
TEST(averages_add_up_to_all_that_was_added)
{
  enum { LADDERS = 4, SAMPLES = 300 };
  EnergyColumns *c = make(LADDERS, 0, STATES * LADDERS, 0);
  RandomStream stream = random_stream(15, 0, RANDOM_TEST);
  double total[COLUMNS] = {0.0}, sum[COLUMNS] = {0.0};
  const int samples = 20 + (LADDERS - 1) * SAMPLES; /* of each temperature */
  for (int slot = 0; slot < STATES * LADDERS; slot++)
    for (int t = 0; t < (slot < STATES ? 20 : SAMPLES); t++) {
      const Drawn s = draw(&transition, kT[slot % STATES] * (1.0 + 0.1 * (slot / STATES)), &stream);
      add(c, slot, &s);
      for (int i = 0; i < COLUMNS; i++)
        total[i] += (double)llrint(s.column[i] / unit[i]) * unit[i];
    }
  energy_columns_add(c, 1, NAN)[SQUARE] += 1000000000;
  EnergyColumnsResult *r;
  const EnergyColumnsRequest request = {&c, 1, COLUMNS, NULL, kT, kT, STATES, 0.0};
  ck_assert_int_eq(energy_columns_result(&request, &r, NULL), STATUS_OK);
  for (int i = 0; i < STATES * COLUMNS; i++)
    sum[i % COLUMNS] += samples * r->value[i] * unit[i % COLUMNS];
  for (int i = 0; i < COLUMNS; i++)
    ck_assert_double_eq_tol(sum[i], total[i], 1e-9 * STATES * samples);
  energy_columns_result_free(r);
  energy_columns_free(c);
}

/* Of any number of ladders, each a group or not, the variance of a mean over them is right: numbers that are
 * 1 in one ladder and 0 in the others have variances that add up to 1 over their number, as in
 * tests/test_verdict.c. */
TEST(any_number_of_ladders_has_its_error, .rows = 6)
{
  static const int number[6] = {3, 16, 17, 24, 31, 40};
  const int ladders = number[_i];
  EnergyColumns *c;
  EnergyColumnsResult *r;
  Error error;
  const EnergyColumnsOptions options = {
      .temperatures = 2, .ladders = ladders, .slots = 2 * ladders, .columns = ladders, .width = 1e-3};
  ck_assert_int_eq(energy_columns_create(&c, &options, NULL), STATUS_OK);
  for (int slot = 0; slot < 2 * ladders; slot++)
    for (int t = 0; t < 10; t++) /* the same energies in all */
      energy_columns_add(c, slot, 1.0 + 0.3 * t + 0.1 * (slot % 2))[slot / 2] = 1;
  const EnergyColumnsRequest request = {&c, 1, ladders, NULL, kT, (const double[]){0.85}, 1, 0.0};
  ck_assert_msg(energy_columns_result(&request, &r, &error) == STATUS_OK, "%s", error.text);
  double sum = 0.0;
  for (int l = 0; l < ladders; l++)
    sum += pow(r->error[l] / r->value[l] / ladders, 2);
  ck_assert_double_eq_tol(sum * ladders, 1.0, 1e-6);
  ck_assert_int_eq(r->failed, 0);
  energy_columns_result_free(r);
  energy_columns_free(c);
}

/* Without the only ladder that has a temperature there is nothing: the averages of all stand, and their
 * errors are lower bounds. */
TEST(what_fails_without_a_ladder_leaves_the_rest)
{
  enum { LADDERS = 6 };
  EnergyColumns *c = make(LADDERS, 0, STATES * LADDERS, 0);
  RandomStream stream = random_stream(16, 0, RANDOM_TEST);
  for (int slot = 0; slot < STATES * LADDERS; slot++)
    for (int t = 0; t < 400; t++) {
      const Drawn s = draw(&harmonic, kT[slot % STATES], &stream);
      if (slot % STATES != 3 || slot < STATES)
        add(c, slot, &s);
    }
  EnergyColumnsResult *r = result_of(&c, 1, NULL, 0.0);
  ck_assert_int_eq(r->failed, 1);
  ck_assert_int_eq(r->draws, LADDERS);
  for (int i = 0; i < POINTS * COLUMNS; i++)
    ck_assert(isfinite(r->value[i]) && (i % COLUMNS == UPPER || r->error[i] > 0.0));
  energy_columns_result_free(r);
  energy_columns_free(c);
}

TEST(refusals)
{
  EnergyColumns *c = make(4, 0, 4 * STATES, 0), *none;
  EnergyColumnsResult *r;
  Error error;
  EnergyColumnsRequest request = {&c, 1, COLUMNS, NULL, kT, at, POINTS, 0.0};
  RandomStream stream = random_stream(14, 0, RANDOM_TEST);
  for (int i = 0; i < 8000; i++) {
    const Drawn s = draw(&harmonic, kT[i % STATES], &stream);
    if (i % STATES != 3)
      add(c, i % (4 * STATES), &s);
  }
  ck_assert_int_eq(energy_columns_result(&request, &r, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "no sample"));
  for (int i = 0; i < 400; i++) {
    const Drawn s = draw(&harmonic, kT[3], &stream);
    add(c, i % 4 * STATES + 3, &s);
  }
  ck_assert_int_eq(energy_columns_result(&request, &r, &error), STATUS_OK);
  energy_columns_result_free(r);
  request.at = (const double[POINTS]){0.7, 0.8, 0.9};
  ck_assert_int_eq(energy_columns_result(&request, &r, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "outside"));
  energy_columns_free(c);
  const EnergyColumnsOptions large = {
      .temperatures = 500, .ladders = 2000, .slots = 8, .columns = 600, .width = 1.0};
  ck_assert_int_eq(energy_columns_create(&none, &large, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "GB"));
}
