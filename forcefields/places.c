#include "forcefields/places.h"

#include <math.h>
#include <string.h>

static const double absurd = 1e6; /* box lengths from the origin */

static inline double element(const Block *block, int molecule, int d)
{
  return ((const double *)block->q)[state_index(block, 1, molecule, 0, 0, d)];
}

/* Eight molecules of n, at q[3]; returns the bits of those that are nowhere. */
static unsigned eight(const Octet *q, const double inverse[3], int n, int32_t (*o)[4])
{
  typedef int32_t Ints __attribute__((vector_size(4 * LANES)));
  int32_t at[3][LANES];
  OctetMask sound = (OctetMask){0} - 1;
  for (int d = 0; d < 3; d++) {
    const Octet x = q[d] * inverse[d], rest = x - ((x + VEC_WHOLE) - VEC_WHOLE);
    sound &= octet_abs(x) < absurd;
    const Ints i = __builtin_convertvector((OctetMask)(rest * 4294967296.0 + VEC_WHOLE), Ints);
    memcpy(at[d], &i, sizeof at[d]);
  }
  for (int l = 0; l < n; l++)
    for (int d = 0; d < 4; d++)
      o[l][d] = d < 3 ? at[d][l] : 0;
  return ~octet_bits(sound) & ((1u << n) - 1u);
}

/* Packs begin..end-1: returns the first molecule that is nowhere, or -1. */
static int share(const Block *block, const double length[3], int begin, int end, int32_t (*o)[4])
{
  const size_t stride = (size_t)block->kind->nsite * 3;
  const double inverse[3] = {1.0 / length[0], 1.0 / length[1], 1.0 / length[2]};
  int unfit = -1;
  for (int p = begin; p < end; p++) {
    const int first = p * LANES, left = block->nmol - first;
    const unsigned bits =
        eight(block->q + stride * (size_t)p, inverse, left < LANES ? left : LANES, o + first);
    if (bits != 0 && unfit < 0)
      unfit = first + __builtin_ctz(bits);
  }
  return unfit;
}

Status places_compute(Places *places, const Team *team, const Block *block, const double length[3],
                      const char *site, int before, int32_t (*o)[4], Error *error)
{
  int first, last, begin, end, unfit = -1;
  team_range(team, PLACES_SHARES, &first, &last);
  for (int k = first; k < last; k++) {
    team_share(block->npack, k, PLACES_SHARES, &begin, &end);
    places->unfit[k] = share(block, length, begin, end, o);
  }
  team_barrier(team);
  for (int k = 0; k < PLACES_SHARES && unfit < 0; k++)
    unfit = places->unfit[k];
  team_barrier(team);
  if (unfit < 0)
    return STATUS_OK;
  return error_set(error, STATUS_RUN, "the %s of molecule %d is at (%g, %g, %g) A: the run has blown up",
                   site, before + unfit + 1, element(block, unfit, 0), element(block, unfit, 1),
                   element(block, unfit, 2));
}
