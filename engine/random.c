#include "engine/random.h"

#include <Random123/philox.h>

void random_words(const uint32_t key[2], const uint32_t counter[4], uint32_t words[4])
{
  const philox4x32_key_t k = {{key[0], key[1]}};
  const philox4x32_ctr_t c = {{counter[0], counter[1], counter[2], counter[3]}};
  const philox4x32_ctr_t out = philox4x32(c, k);
  for (int i = 0; i < 4; i++)
    words[i] = out.v[i];
}

/* Philox is its own hash: the key is the seed, the counter is replica and purpose. It is a bijection of the
 * counter, so two replicas or purposes of one seed share a key only if two halves of different outputs agree
 * by chance (64 of 128 bits). */
void random_key(uint64_t seed, uint32_t replica, RandomPurpose purpose, uint32_t key[2])
{
  const uint32_t whole[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {replica, (uint32_t)purpose, 0, 0};
  uint32_t words[4];
  random_words(whole, counter, words);
  key[0] = words[0];
  key[1] = words[1];
}

void random_keys(uint64_t seed, const uint32_t replica[LANES], RandomPurpose purpose, Vec8Word key[2])
{
  for (int l = 0; l < LANES; l++) {
    uint32_t k[2];
    random_key(seed, replica[l], purpose, k);
    key[0][l] = k[0];
    key[1][l] = k[1];
  }
}

RandomPurpose random_momenta(RandomPurpose noise)
{
  if (noise == RANDOM_START)
    return RANDOM_START_MOMENTA;
  return noise == RANDOM_EQUILIBRATION ? RANDOM_EQUILIBRATION_MOMENTA : RANDOM_MOMENTA;
}

RandomStream random_stream(uint64_t seed, uint32_t replica, RandomPurpose purpose)
{
  RandomStream stream = {.left = 0};
  random_key(seed, replica, purpose, stream.key);
  return stream;
}

uint32_t random_bits(RandomStream *stream)
{
  if (stream->left == 0) {
    /* No molecule and no chunk has these last two numbers: streams and addressed noise never share words. */
    const uint32_t counter[4] = {(uint32_t)stream->count, (uint32_t)(stream->count >> 32), UINT32_MAX,
                                 UINT32_MAX};
    random_words(stream->key, counter, stream->word);
    stream->count++;
    stream->left = 4;
  }
  return stream->word[4 - stream->left--];
}

/* Odd multiples of 2^-53: 52 random bits and a last one, so that 0 and 1 are impossible. */
double random_uniform(RandomStream *stream)
{
  const uint64_t high = random_bits(stream), low = random_bits(stream);
  return ((double)((high << 32 | low) >> 12) + 0.5) * 0x1p-52;
}

/* Box and Muller; discarding the second normal keeps the stream's state small. */
double random_normal(RandomStream *stream)
{
  const double r = sqrt(-2.0 * log(random_uniform(stream)));
  return r * cos(6.283185307179586 * random_uniform(stream));
}

/* Lemire, ACM Trans. Model. Comput. Simul. 29, 3 (2019): the high half of n times 32 bits, rejecting the few
 * low halves that would bias results. */
uint32_t random_below(RandomStream *stream, uint32_t n)
{
  uint64_t product = (uint64_t)random_bits(stream) * n;
  if ((uint32_t)product < n) {
    const uint32_t least = (uint32_t)(0u - n) % n;
    while ((uint32_t)product < least)
      product = (uint64_t)random_bits(stream) * n;
  }
  return (uint32_t)(product >> 32);
}
