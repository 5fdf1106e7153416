/* The modes of a molecule under penalties 1/2 w^2 |g|^2: eigenvectors v of G = J M^-1 J' at one
 * configuration, with frequency w times the root of the eigenvalue. Since the manifold is curved, motion
 * along it accelerates the coordinate v'g by a, the sum of v_c u'Hess g_c u over the velocities u. Mean and
 * variance of a are those at kT = 1. */
#ifndef HOLONOM_SIMULATION_PENALTY_MODES_H
#define HOLONOM_SIMULATION_PENALTY_MODES_H

#include "engine/kind.h"

/* No modes are computed for more constraints. */
enum { PENALTY_MODES_MOST = 128 };

typedef struct PenaltyModes {
  int n;                   /* modes, in ascending order; dependent constraints reduce their number */
  double *square;          /* [n] eigenvalues, W^2 = w^2 square */
  double *mobility;        /* [n] e'M^-1 e of mode e in the coordinates M^1/2 q: factor of uniform friction */
  double *mean, *variance; /* [n] of a at kT = 1; proportional to kT and kT^2 */
} PenaltyModes;

/* Computes the modes at q[nsite][dim]; n is 0 above PENALTY_MODES_MOST. STATUS_MEMORY. */
Status penalty_modes_create(PenaltyModes *modes, const Kind *kind, const double *q, Error *error);
void penalty_modes_free(PenaltyModes *modes);

#endif
