/* First sites of molecules as 32-bit fractions of the box, as neighbour lists want them (list.h). */
#ifndef HOLONOM_FORCEFIELDS_PLACES_H
#define HOLONOM_FORCEFIELDS_PLACES_H

#include "engine/state.h"
#include "engine/team.h"

enum { PLACES_SHARES = 128 };

/* Memory that a team shares during a call. */
typedef struct Places {
  int unfit[PLACES_SHARES];
} Places;

/* o[nmol][4] of a block of a state of width 1. All threads of a team call it together, with an error each (or
 * NULL), and get the same status. STATUS_RUN: a coordinate is not finite or absurdly large; the message names
 * the molecule, counted from `before` + 1, and the site as `site`. */
Status places_compute(Places *places, const Team *team, const Block *block, const double length[3],
                      const char *site, int before, int32_t (*o)[4], Error *error);

#endif
