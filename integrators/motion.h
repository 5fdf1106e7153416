/* Momentum and angular momentum of a whole replica, and their removal.
 *
 * The rigid motions R (translations, and rotations about the centre of mass) add rows R' p = 0 to the
 * internal constraints J M^-1 p = 0. Removal is the projection onto both at once in the metric W,
 *
 *   p <- p + Y nu,  Y = Pi_W (W M R),  (R' Y) nu = -R' p.
 *
 * Pi_W is the projector of the internal constraints in the same metric. This is block elimination, with one
 * small symmetric system per replica. After an O letter with the weights of thermostat/ou.h it leaves the
 * Maxwellian on the reduced space invariant. With even weights Y = M R, because rigid motions are tangent to
 * all internal constraints. */
#ifndef HOLONOM_INTEGRATORS_MOTION_H
#define HOLONOM_INTEGRATORS_MOTION_H

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"
#include "engine/team.h"
#include "integrators/projector.h"
#include "integrators/scheme.h"

typedef struct Motion Motion;

/* The data of one kind. */
typedef struct MotionGiven {
  const Kind *kind;
  const double *weight;       /* [nsite]; NULL: even weights                                         */
  const Projector *projector; /* of the internal constraints with the same weights, or NULL without exact
                               * constraints; borrowed, must outlive the result */
} MotionGiven;

/* Creates a removal for states with one block of each kind. Errors: STATUS_INPUT (a constraint that is not a
 * function of a distance between two sites, which could fix them in space), STATUS_MEMORY. */
Status motion_create(Motion **motion, int npart, const MotionGiven *part, Removal removal, Isa isa,
                     Error *error);
void motion_free(Motion *motion);

/* Removes the motion of each replica. All threads of a team call it together, after a barrier; each finishes
 * its own packs (team_range of each block's). The bits do not depend on the number of threads. Components of
 * p across the constraints, which penalties leave, do not change.
 *
 * `scratch`: motion_scratch vectors of this thread, or NULL if 0. `shared`: motion_shared vectors of the
 * team, which no thread may change before the next barrier after the call (NULL for a thread alone). */
void motion_remove(const Motion *motion, const Team *team, State *state, Vec8 *scratch, Vec8 *shared);
size_t motion_scratch(const Motion *motion);
size_t motion_shared(const State *shape);

/* Degrees of freedom that removal takes from a replica of nsites sites: two sites in space have only two
 * rotations, one site has no rotation. */
int motion_freedom(Removal removal, int dim, int nsites);

/* Momentum and angular momentum about the centre of mass of each replica: linear[width][3],
 * angular[width][3], with zeros in missing dimensions. */
void motion_momenta(const State *state, double linear[][3], double angular[][3]);

#endif
