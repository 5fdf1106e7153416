/* The modes of a molecule that penalties 1/2 w^2 |g|^2 hold: eigenvectors v of G = J M^-1 J', of frequency w
 * times the root of the eigenvalue, at one configuration. Motion along the manifold accelerates the
 * coordinate v'g by a, the sum of v_c u'Hess g_c u over the velocities u, since the manifold is curved; of
 * velocities along it at kT = 1 a has a mean and a variance. */
#ifndef HOLONOM_SIMULATION_PENALTY_MODES_H
#define HOLONOM_SIMULATION_PENALTY_MODES_H

#include "engine/kind.h"

/* Beyond this many constraints nothing is worked out. */
enum { PENALTY_MODES_MOST = 128 };

typedef struct PenaltyModes {
  int n;            /* modes, in rising order: fewer than the constraints where these depend on each other */
  double *square;   /* [n] eigenvalues, W^2 = w^2 square                               */
  double *mobility; /* [n] e'M^-1 e of the mode e in the coordinates M^1/2 q, what uniform friction is
                       multiplied by */
  double *mean, *variance; /* [n] of a at kT = 1; they go as kT and kT^2               */
} PenaltyModes;

/* At q[nsite][dim]. n is 0 beyond PENALTY_MODES_MOST. STATUS_MEMORY. */
Status penalty_modes_create(PenaltyModes *modes, const Kind *kind, const double *q, Error *error);
void penalty_modes_free(PenaltyModes *modes);

#endif
