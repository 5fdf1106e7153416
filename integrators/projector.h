/* Projection of momenta onto the tangent space {p : J M^-1 p = 0} in a chosen metric:
 * p <- p + W J' mu, W = diag(weight). W = 1 is the velocity step of RATTLE; the O letter brings its own. */
#ifndef HOLONOM_INTEGRATORS_PROJECTOR_H
#define HOLONOM_INTEGRATORS_PROJECTOR_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"

typedef struct Projector Projector;

/* The kind's constraints may be the first of those that packs have. weight[nsite] or NULL for 1. rigid: q is
 * known to lie on the manifold, so that a triangle's J M^-1 W J' is constant and its inverse can be computed
 * once; otherwise J is that of the current q. */
Status projector_create(Projector **projector, const Kind *kind, const double *weight, bool rigid, Isa isa,
                        Error *error);
void projector_free(Projector *projector);

/* Vectors that it wants in pack->scratch. */
size_t projector_scratch(const Projector *projector);

/* Projects pack->p. mu[ncon] = the multipliers, unless NULL. This and the two below return the bits of active
 * lanes that have none: gradients depend on each other there, or are no numbers; their p is of no use. */
unsigned projector_apply(const Projector *projector, Pack *pack, Vec8 *mu);

/* For a step that acts along the manifold alone: takes the part of pack->p across it off, leaving it, times
 * factor, in across[nsite][dim] ... */
unsigned projector_split(const Projector *projector, double factor, Pack *pack, Vec8 *across);

/* ... and projects pack->p, then adds across to it. */
unsigned projector_join(const Projector *projector, const Vec8 *across, Pack *pack);

#endif
