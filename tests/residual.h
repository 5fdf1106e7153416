/* How far a pack is off the manifold. */
#ifndef HOLONOM_TESTS_RESIDUAL_H
#define HOLONOM_TESTS_RESIDUAL_H

#include "engine/kind.h"
#include "engine/state.h"

/* The largest |g_c| / scale_c of the active lanes, per lane. */
static inline void constraint_residual(const Pack *pack, Vec8 *residual)
{
  const Kind *kind = pack->kind;
  Vec8 largest = vec8_set(0.0);
  for (int c = 0; c < kind->ncon; c++) {
    Vec8 g;
    kind->con[c].type->eval(&kind->con[c], kind->dim, pack->q, &g, NULL);
    const Vec8 size = vec8_abs(g) * (1.0 / constraint_scale(&kind->con[c]));
    largest = vec8_select((size <= largest) | (largest != largest), largest, size); /* a NaN stays */
  }
  *residual = vec8_select(*pack->active == 0.0, vec8_set(0.0), largest);
}

#endif
