/* Sums over a team: those of a plain loop, whatever lies in blocks that no chunk of a thread touches. */
#include "engine/random.h"
#include "forcefields/reduction.h"
#include "forcefields/stage.h"
#include "tests/suite.h"
#include "tests/teams.h"

enum { N = 1000, LENGTH = 12, CHUNKS = 40, BLOCKS = (N + LIST_BLOCK - 1) / LIST_BLOCK, TIMES = 3 };

typedef struct Sum {
  Reduction *reduction;
  ListView list;
  ListChunk chunk[CHUNKS];
  uint8_t touched[CHUNKS][BLOCKS];
  int bytes;
  int64_t expected[N * LENGTH]; /* of all chunks */
  int wrong[TEAM_MOST];
} Sum;

/* What chunk k adds to number i: sums stay within 32 bits. */
static int64_t value_of(int k, int i) { return (int64_t)(k + 1) * 97 * (i + 3) - (int64_t)(i % 1000) * i; }

static int64_t read(const void *from, int bytes, int i)
{
  return bytes == 4 ? ((const int32_t *)from)[i] : ((const int64_t *)from)[i];
}

static void fill(Sum *s)
{
  RandomStream stream = random_stream(11, 0, RANDOM_TEST);
  for (int b = 0; b < BLOCKS; b++)
    for (int k = 0; k < CHUNKS; k++) {
      s->touched[k][b] = b % CHUNKS == k || random_uniform(&stream) < 0.2; /* each by one at least */
      for (int i = b * LIST_BLOCK * LENGTH; i < (b + 1) * LIST_BLOCK * LENGTH && i < N * LENGTH; i++)
        s->expected[i] += s->touched[k][b] ? value_of(k, i) : 0;
    }
  for (int k = 0; k < CHUNKS; k++)
    s->chunk[k] = (ListChunk){.touched = s->touched[k]};
  s->list = (ListView){.n = N, .nchunk = CHUNKS, .chunk = s->chunk};
}

static Status add_up(void *self, const Team *team, Error *error)
{
  (void)error;
  Sum *s = self;
  for (int time = 0; time < TIMES; time++) {
    void *own = reduction_begin(s->reduction, team);
    int begin, end;
    team_range(team, CHUNKS, &begin, &end);
    for (int k = begin; k < end; k++) {
      reduction_reach(s->reduction, team, &s->list.chunk[k]);
      for (int i = 0; i < N * LENGTH; i++)
        if (s->touched[k][i / (LENGTH * LIST_BLOCK)] && s->bytes == 4)
          ((int32_t *)own)[i] += (int32_t)value_of(k, i);
        else if (s->touched[k][i / (LENGTH * LIST_BLOCK)])
          ((int64_t *)own)[i] += value_of(k, i);
    }
    team_barrier(team);
    const void *sum = reduction_sum(s->reduction, team);
    team_barrier(team);
    for (int i = 0; i < N * LENGTH; i++)
      s->wrong[team->rank] +=
          read(sum, s->bytes, i) != (s->bytes == 4 ? (int32_t)s->expected[i] : s->expected[i]);
    team_barrier(team);
    /* What lies elsewhere must be of no matter. */
    for (int b = 0; b < BLOCKS; b++) {
      bool any = false;
      for (int k = begin; k < end; k++)
        any |= s->touched[k][b];
      const int last = (b + 1) * LIST_BLOCK < N ? (b + 1) * LIST_BLOCK : N;
      const size_t row = (size_t)(LENGTH * s->bytes), at = (size_t)(b * LIST_BLOCK) * row;
      memset((char *)own + at, any ? 0 : 0x55, (size_t)last * row - at);
    }
  }
  return STATUS_OK;
}

static const int sizes[] = {1, 2, 3, 5, 16};
enum { SIZES = (int)(sizeof sizes / sizeof *sizes) };

TEST(sums, .rows = 2, .threads = true)
{
  static Sum s; /* large */
  Error error = {0};
  memset(&s, 0, sizeof s);
  fill(&s);
  for (int isa = 0; isa < ISA_COUNT; isa++)
    for (int k = 0; k < SIZES && isa_runs((Isa)isa); k++) {
      s.bytes = _i == 0 ? 4 : 8;
      ck_assert_int_eq(reduction_create(&s.reduction, N, LENGTH, s.bytes, sizes[k], (Isa)isa, &error),
                       STATUS_OK);
      ck_assert_int_eq(team_run(sizes[k], add_up, &s, NULL), STATUS_OK);
      for (int r = 0; r < sizes[k]; r++)
        ck_assert_int_eq(s.wrong[r], 0);
      reduction_free(s.reduction);
    }
}

/* Sums of all chunks are what their numbers say, also where 64 bits do not hold them, as in boxes of more
 * than some 11 million waters at -12 kcal/mol and 36 bits behind the point. */
TEST(totals_hold, .threads = true)
{
  enum { PARTS = 128, STRIDE = 3 };
  static int64_t x[PARTS * STRIDE];
  const int64_t each[] = {INT64_C(1) << 60, -(INT64_C(1) << 60), INT64_MAX, INT64_MIN, 12345, -1};
  for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
    for (int i = 0; i < PARTS * STRIDE; i++)
      x[i] = i % STRIDE == 1 ? each[k] : INT64_MAX;
    ck_assert_double_eq(stage_total(x + 1, STRIDE, PARTS, 36), ldexp((double)each[k], 7 - 36));
  }
  /* Where they do, it is rounded as a number of 64 bits is. */
  RandomStream stream = random_stream(12, 0, RANDOM_TEST);
  for (int time = 0; time < 100; time++) {
    int64_t sum = 0;
    for (int i = 0; i < PARTS; i++)
      sum += x[i] = (int64_t)(0x1p55 * (random_uniform(&stream) - 0.5));
    ck_assert_double_eq(stage_total(x, 1, PARTS, 32), ldexp((double)sum, -32));
  }
}
