/* Counter-based random numbers: Philox4x32-10, addressed, without a generator state.
 *
 * key = hash(seed, replica, purpose); counter = (step low, step high, molecule, letter<<16 | chunk).
 * Chunk k contains four 32-bit words: components 4k..4k+3 of the molecule's nsite*dim numbers. A number
 * depends on its address alone: it is the same for any thread count, any grouping of replicas and after any
 * restart, and checkpoints store no state. The words equal Random123's, bit for bit. */
#ifndef HOLONOM_ENGINE_RANDOM_H
#define HOLONOM_ENGINE_RANDOM_H

#include <stdint.h>

#include "engine/vec8.h"

/* The purpose of a stream, part of the key. Never renumber: old seeds would give other numbers. */
typedef enum RandomPurpose {
  RANDOM_THERMOSTAT = 1,
  RANDOM_MOMENTA = 2,
  RANDOM_START = 3,
  RANDOM_STATISTICS = 4,
  RANDOM_TEST = 5,
  RANDOM_SEARCH = 6,
  RANDOM_START_MOMENTA = 7,
  RANDOM_EQUILIBRATION = 8,
  RANDOM_EQUILIBRATION_MOMENTA = 9,
  RANDOM_EXCHANGE = 10,
  RANDOM_BAROSTAT = 11
} RandomPurpose;

/* The purpose for drawing momenta that corresponds to the purpose of noise: of a run, of the annealing of its
 * start (RANDOM_START), or of the equilibration of a box. */
RandomPurpose random_momenta(RandomPurpose noise);

/* The key of one replica's stream. */
void random_key(uint64_t seed, uint32_t replica, RandomPurpose purpose, uint32_t key[2]);

/* The keys of 8 lanes: key[0] and key[1] contain the two words, zero-extended. */
void random_keys(uint64_t seed, const uint32_t replica[LANES], RandomPurpose purpose, Vec8Word key[2]);

/* The four words of one address. */
void random_words(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4]);

/* A number in (0, 1] from 53 bits of two words. */
static inline double random_fraction(const uint32_t word[2])
{
  return ((word[0] >> 5) * 0x1p26 + (word[1] >> 6) + 0.5) * 0x1p-53;
}

/* A sequential stream with addresses of its own, for all code off the hot path. */
typedef struct RandomStream {
  uint32_t key[2];
  uint64_t count;
  uint32_t word[4];
  int left;
} RandomStream;

RandomStream random_stream(uint64_t seed, uint32_t replica, RandomPurpose purpose);
uint32_t random_bits(RandomStream *stream);
double random_uniform(RandomStream *stream); /* in (0, 1), 53 bits */
double random_normal(RandomStream *stream);
uint32_t random_below(RandomStream *stream, uint32_t n); /* 0..n-1, unbiased */

#endif
