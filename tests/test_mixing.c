/* Energies of replicas in stretches of time: replicas that agree, that are frozen, that still come from a
 * start; the same from a checkpoint on. */
#include "engine/random.h"
#include "simulation/ladder/mixing.h"
#include "tests/chunks.h"
#include "tests/suite.h"

enum { BATCHES = 3, WIDTH = 8, SAMPLES = 1000 };

typedef struct Case {
  double apart, decay; /* between replicas; how far off the start is, over 50 samples */
} Case;

static void sample(Mixing *m, const Case *c, int t)
{
  for (int g = 0; g < BATCHES; g++) {
    double energy[WIDTH];
    for (int r = 0; r < WIDTH; r++) {
      const int replica = g * WIDTH + r;
      RandomStream s = random_stream(3, (uint32_t)(t * BATCHES * WIDTH + replica), RANDOM_TEST);
      energy[r] = -50.0 + c->apart * (replica % 2) + c->decay * exp(-t / 50.0) + random_normal(&s);
    }
    mixing_add(m, g, energy);
  }
}

static MixingResult run(const Case *c)
{
  Mixing *m, *again;
  MixingResult result, other;
  ck_assert_int_eq(mixing_create(&m, BATCHES, WIDTH, NULL), STATUS_OK);
  ck_assert_int_eq(mixing_create(&again, BATCHES, WIDTH, NULL), STATUS_OK);
  for (int t = 0; t < SAMPLES; t++) {
    if (t == 300) {
      ChunkList from = {0}, to = {0};
      mixing_chunks(m, &from);
      mixing_chunks(again, &to);
      chunks_restore(&from, &to);
    }
    sample(m, c, t);
    if (t >= 300)
      sample(again, c, t);
  }
  ck_assert_int_eq(mixing_result(m, &result, NULL), STATUS_OK);
  ck_assert_int_eq(mixing_result(again, &other, NULL), STATUS_OK);
  ck_assert_double_eq(result.alike.rhat, other.alike.rhat);
  ck_assert_double_eq(result.gain, other.gain);
  ck_assert_int_eq(result.chains, BATCHES * WIDTH);
  mixing_free(m);
  mixing_free(again);
  return result;
}

TEST(what_replicas_do)
{
  const MixingResult equal = run(&(Case){0.0, 0.0}), frozen = run(&(Case){1.0, 0.0}),
                     drift = run(&(Case){0.0, 20.0});
  ck_assert_str_eq(convergence_word(&equal.alike), "mixed");
  ck_assert_double_lt(equal.gain, 1.5);
  ck_assert_str_eq(convergence_word(&frozen.alike), "frozen");
  ck_assert_double_gt(drift.gain, 2.0);
  ck_assert(drift.start >= 100 && drift.start <= 500);
}

/* Of more replicas than chains those that are looked at are from all of them: the last third is frozen in. */
TEST(chains_are_from_all_replicas)
{
  enum { MANY = 3 * MIXING_CHAINS / WIDTH };
  Mixing *m;
  MixingResult result;
  ck_assert_int_eq(mixing_create(&m, MANY, WIDTH, NULL), STATUS_OK);
  for (int t = 0; t < 200; t++)
    for (int g = 0; g < MANY; g++) {
      RandomStream s = random_stream(4, (uint32_t)(t * MANY + g), RANDOM_TEST);
      double energy[WIDTH];
      for (int r = 0; r < WIDTH; r++)
        energy[r] = (g < 2 * MANY / 3 ? 0.0 : 5.0) + random_normal(&s);
      mixing_add(m, g, energy);
    }
  ck_assert_int_eq(mixing_result(m, &result, NULL), STATUS_OK);
  ck_assert_int_eq(result.chains, MIXING_CHAINS);
  ck_assert_str_eq(convergence_word(&result.alike), "frozen");
  mixing_free(m);
}

TEST(few_samples_say_nothing)
{
  Mixing *m;
  MixingResult result;
  ck_assert_int_eq(mixing_create(&m, BATCHES, WIDTH, NULL), STATUS_OK);
  ck_assert_int_eq(mixing_result(m, &result, NULL), STATUS_OK);
  ck_assert(isnan(result.alike.rhat) && result.gain == 1.0);
  sample(m, &(Case){0.0, 0.0}, 0);
  ck_assert_int_eq(mixing_result(m, &result, NULL), STATUS_OK);
  ck_assert(isnan(result.alike.rhat));
  mixing_free(m);
}
