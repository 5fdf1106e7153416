/* Projection of momenta onto the tangent space {p : J M^-1 p = 0} in a chosen metric: p <- p + W J' mu, W =
 * diag(weight). W = 1 is the velocity step of RATTLE; the letter O has its own W. */
#ifndef HOLONOM_INTEGRATORS_PROJECTOR_H
#define HOLONOM_INTEGRATORS_PROJECTOR_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"

typedef struct Projector Projector;

/* Creates a projector. The kind's constraints may be the first of those in packs. `weight`: [nsite], or NULL
 * for 1. `rigid`: q is on the manifold, so that the inverse of a triangle's J M^-1 W J' is constant and
 * computed once; otherwise J is that of the current q. */
Status projector_create(Projector **projector, const Kind *kind, const double *weight, bool rigid, Isa isa,
                        Error *error);
void projector_free(Projector *projector);

/* Vectors needed in pack->scratch. */
size_t projector_scratch(const Projector *projector);

/* Projects pack->p; mu[ncon], unless NULL, are the multipliers. This and the next two return the bits of
 * active lanes in which the projection failed, because gradients are dependent or NaN; p is undefined there.
 */
unsigned projector_apply(const Projector *projector, Pack *pack, Vec8 *mu);

/* For a step that acts along the manifold alone: removes the part of pack->p across it and writes it, times
 * factor, to across[nsite][dim]. */
unsigned projector_split(const Projector *projector, double factor, Pack *pack, Vec8 *across);

/* Projects pack->p, then adds across to it. */
unsigned projector_join(const Projector *projector, const Vec8 *across, Pack *pack);

#endif
