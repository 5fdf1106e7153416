/* Means of columns: over replicas their scatter, of one replica its blocks; the largest where that is wanted;
 * a checkpoint goes on to the bit. */
#include "engine/random.h"
#include "simulation/measure/means.h"
#include "tests/observables.h"
#include "tests/suite.h"
#include "tests/tables.h"

enum { COLUMNS = 3, BATCHES = 4, WIDTH_OF_BATCH = 8, REPLICAS = BATCHES * WIDTH_OF_BATCH };

static Means make_by(int replicas, int temperatures, int first, int held)
{
  static const MeansColumn column[COLUMNS] = {{"energy", 0}, {"odd", 0}, {"violation", MEANS_LARGEST}};
  Means means;
  const MeansShape shape = {COLUMNS, replicas, temperatures, first, held};
  ck_assert_int_eq(means_create(&means, &shape, column, NULL), STATUS_OK);
  return means;
}

static Means make(int replicas, int first, int held) { return make_by(replicas, 1, first, held); }

/* Independent numbers, of mean 5 and of 0. */
static void add(Means *means, int first, int end, int samples)
{
  for (int k = 0; k < samples; k++) {
    for (int r = first; r < end; r++) {
      RandomStream stream = random_stream(1, (uint32_t)(r * 100000 + (int)means->samples), RANDOM_TEST);
      const double x = random_normal(&stream), value[COLUMNS] = {5.0 + x, -x, fabs(x)};
      means_add(means, r, value);
    }
    means->samples++;
  }
}

TEST(errors_are_those_of_the_mean, .rows = 2)
{
  const int replicas = _i == 0 ? REPLICAS : 1, samples = _i == 0 ? 100 : 6400;
  Means means = make(replicas, 0, replicas);
  double mean, error, tau;
  means_all(&means, 0, 0, NULL, &mean, &error, &tau);
  ck_assert(isnan(mean) && isnan(error) && isnan(tau));
  add(&means, 0, replicas, samples);
  means_all(&means, 0, 0, NULL, &mean, &error, &tau);
  const double expected = 1.0 / sqrt((double)replicas * samples);
  ck_assert_double_eq_tol(mean, 5.0, 4.0 * expected);
  ck_assert_double_eq_tol(error, expected, 0.5 * expected); /* of 32 draws, or of 16 blocks and more */
  ck_assert_int_eq(isnan(tau), replicas > 1);
  double turned, same;
  means_all(&means, 1, 0, NULL, &turned, &same, NULL);
  ck_assert_double_eq_tol(turned, 5.0 - mean, 1e-12);
  ck_assert_double_eq_tol(same, error, 1e-12);
  means_free(&means);
}

/* Two processes with half of the batches each, put together by chunks, are one with all; so is the table. */
TEST(parts_and_checkpoints_leave_no_trace)
{
  Means whole = make(REPLICAS, 0, REPLICAS), fresh = make(REPLICAS, 0, REPLICAS);
  add(&whole, 0, REPLICAS, 50);
  for (int half = 0; half < 2; half++) {
    const int first = half * REPLICAS / 2;
    Means part = make(REPLICAS, first, REPLICAS / 2);
    add(&part, first, first + REPLICAS / 2, 50);
    ChunkList from = {.base = first / WIDTH_OF_BATCH}, all = {0}, to = {0};
    means_chunks(&part, WIDTH_OF_BATCH, &from);
    means_chunks(&fresh, WIDTH_OF_BATCH, &all);
    chunk_add_list(&to, &all, CHUNK_OF_ALL, CHUNK_OF_ALL);
    chunk_add_list(&to, &all, from.base, from.base + BATCHES / 2 - 1);
    chunks_restore(&from, &to);
    chunk_free(&all);
    means_free(&part);
  }
  ChunkList one = {0}, other = {0};
  means_chunks(&whole, WIDTH_OF_BATCH, &one);
  means_chunks(&fresh, WIDTH_OF_BATCH, &other);
  chunks_same(&one, &other);
  char dir[300];
  snprintf(dir, sizeof dir, "%s.", files_path(""));
  const MeansTable words = {.remark = ""};
  ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  ck_assert_int_eq(results_csv_write(means_table(&fresh, &words, &set), dir, NULL), STATUS_OK);
  results_free(&set);
  ResultTable *table;
  ck_assert_int_eq(results_csv_load(&table, files_path("replicas.csv"), NULL), STATUS_OK);
  ck_assert_uint_eq(table->nrow, REPLICAS);
  double mean, error, sum = 0.0;
  means_all(&whole, 0, 0, NULL, &mean, &error, NULL);
  for (size_t r = 0; r < table->nrow; r++) {
    sum += tables_at(table, r, 1);
    ck_assert_double_gt(tables_at(table, r, 3), 1.0); /* the largest of 50, not their mean, 0.8 */
  }
  ck_assert_double_eq_tol(sum / REPLICAS, mean, 1e-12);
  results_free_table(table);
  means_free(&whole);
  means_free(&fresh);
}
