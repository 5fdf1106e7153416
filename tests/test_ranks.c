/* What rank 0 takes from the others: whatever goes wrong with one of them, all are heard, since each waits in
 * its send until it is. */
#include "simulation/parts/ranks.h"

#include "tests/suite.h"

enum { RANKS = 4 };

/* What the others have sent, and whether it was received. Functions of Ranks have no self. */
static unsigned char sent[RANKS][64];
static size_t length[RANKS];
static int received[RANKS];

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 1 }; /* it ends the program where so much is asked for */
#else
enum { CASES = 2 };
#endif

static size_t receive_size(int from) { return length[from]; }

static void receive(int from, void *data, size_t size)
{
  ck_assert_uint_eq(size, length[from]);
  if (data != NULL)
    memcpy(data, sent[from], size);
  received[from]++;
}

static bool unpack(void *self, const SampleRecord *record, const void *data)
{
  (void)data;
  *(int64_t *)self += record->step;
  return true;
}

/* A record without data, whose step says whose it is. */
static void sends(int rank)
{
  const SampleRecord record = {.step = rank};
  memcpy(sent[rank], &record, sizeof record);
  length[rank] = sizeof record;
  received[rank] = 0;
}

TEST(all_are_heard_after_a_fault, .rows = CASES)
{
  static const Ranks ranks = {.size = RANKS, .receive_size = receive_size, .receive = receive};
  int64_t steps = 0;
  const Samples samples = {.sampler.self = &steps, .unpack = unpack};
  Error error = {0};
  for (int rank = 1; rank < RANKS; rank++)
    sends(rank);
  ck_assert_int_eq(ranks_samples(&ranks, &samples, &error), STATUS_OK);
  ck_assert_int_eq(steps, 1 + 2 + 3);
  for (int bad = 1; bad < RANKS; bad++) {
    for (int rank = 1; rank < RANKS; rank++)
      sends(rank);
    if (_i == 0)
      length[bad]--; /* cut */
    else
      length[bad] = SIZE_MAX / 4; /* more than there is memory for */
    ck_assert_int_eq(ranks_samples(&ranks, &samples, &error), _i == 0 ? STATUS_RUN : STATUS_MEMORY);
    for (int rank = 1; rank < RANKS; rank++)
      ck_assert_int_eq(received[rank], 1);
  }
}
