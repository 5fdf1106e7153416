#include "forcefields/places.h"

#include <math.h>
#include <stdbool.h>

static const double absurd = 1e6; /* box lengths from the origin */

static inline double element(const Block *block, int molecule, int d)
{
  return ((const double *)block->q)[state_index(block, 1, molecule, 0, 0, d)];
}

/* Returns the first molecule that is nowhere, or -1. */
static int share(const Block *block, const double length[3], int begin, int end, int32_t (*o)[4])
{
  int unfit = -1;
  for (int i = begin; i < end; i++) {
    for (int d = 0; d < 3; d++) {
      const double x = element(block, i, d) / length[d];
      const bool sound = fabs(x) < absurd;
      if (!sound && unfit < 0)
        unfit = i;
      o[i][d] = sound ? (int32_t)(uint32_t)(uint64_t)llrint((x - floor(x)) * 4294967296.0) : 0;
    }
    o[i][3] = 0;
  }
  return unfit;
}

Status places_compute(Places *places, const Team *team, const Block *block, const double length[3],
                      const char *site, int before, int32_t (*o)[4], Error *error)
{
  int begin, end, unfit = -1;
  team_range(team, PLACES_SHARES, &begin, &end);
  for (int k = begin; k < end; k++)
    places->unfit[k] = share(block, length, (int)((int64_t)block->nmol * k / PLACES_SHARES),
                             (int)((int64_t)block->nmol * (k + 1) / PLACES_SHARES), o);
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
