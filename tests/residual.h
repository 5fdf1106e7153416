/* How far a pack is off the manifold. */
#ifndef HOLONOM_TESTS_RESIDUAL_H
#define HOLONOM_TESTS_RESIDUAL_H

#include "engine/kind.h"
#include "engine/state.h"

/* The largest |g_c| / scale_c of the active lanes, per lane. */
static inline void constraint_residual(const Pack *pack, Octet *residual)
{
  const Kind *kind = pack->kind;
  Octet largest = octet_set(0.0);
  for (int c = 0; c < kind->ncon; c++) {
    Octet g;
    kind->con[c].type->eval(&kind->con[c], kind->dim, pack->q, &g, NULL);
    const Octet size = octet_abs(g) * (1.0 / constraint_scale(&kind->con[c]));
    largest = octet_select((size <= largest) | (largest != largest), largest, size); /* a NaN stays */
  }
  *residual = octet_select(*pack->active == 0.0, octet_set(0.0), largest);
}

#endif
