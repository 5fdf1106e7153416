/* Motion of a whole replica: its momentum and angular momentum, and their removal.
 *
 * The rigid motions R (translations, and rotations about the centre of mass) give rows R' p = 0 beside the
 * internal constraints J M^-1 p = 0. Removal is the W-metric projection onto both at once,
 *   p <- p + Y nu,  Y = Pi_W (W M R),  (R' Y) nu = -R' p,
 * where Pi_W is the projector of the internal constraints in the same metric: block elimination, one small
 * symmetric system a replica. After an O letter with the weights of thermostat/ou.h it leaves the
 * Maxwellian on the reduced space invariant. With even weights Y = M R, because rigid motions are tangent
 * to all internal constraints. */
#ifndef HOLONOM_INTEGRATORS_MOTION_H
#define HOLONOM_INTEGRATORS_MOTION_H

#include "base/status.h"
#include "engine/isa.h"
#include "engine/state.h"
#include "engine/team.h"
#include "integrators/projector.h"
#include "integrators/scheme.h"

typedef struct Motion Motion;

/* What it must know of one kind of molecules. */
typedef struct MotionGiven {
  const Kind *kind;
  const double *weight;       /* [nsite], or NULL for even ones                                      */
  const Projector *projector; /* of the internal constraints with the same weights, or NULL if none are kept;
                                 borrowed, must outlive the result */
} MotionGiven;

/* For states with a block of each of these kinds. Errors: STATUS_INPUT (a constraint that is no function of a
 * distance between two sites, and so may tie them to a place in space), STATUS_MEMORY. */
Status motion_create(Motion **motion, int npart, const MotionGiven *part, Removal removal, Isa isa,
                     Error *error);
void motion_free(Motion *motion);

/* Removes the motion of each replica; all threads of a team call it together, after a barrier, and each
 * leaves its own packs (team_range of each block's) done. The same bits for any number of threads. Components
 * of p across the constraints, such as penalties have, are left alone. scratch: motion_scratch vectors of
 * this thread's, or NULL if that is 0; shared: motion_shared vectors that the team has together, which nobody
 * touches before the next barrier after the call (NULL for a thread alone). */
void motion_remove(const Motion *motion, const Team *team, State *state, Vec8 *scratch, Vec8 *shared);
size_t motion_scratch(const Motion *motion);
size_t motion_shared(const State *shape);

/* Degrees of freedom that removal takes from one replica of nsites sites in all: of two sites in space
 * only two rotations, of one site none. */
int motion_freedom(Removal removal, int dim, int nsites);

/* Momentum and angular momentum about the centre of mass of each replica: linear[width][3],
 * angular[width][3], zeros in the dimensions that there are not. */
void motion_momenta(const State *state, double linear[][3], double angular[][3]);

#endif
