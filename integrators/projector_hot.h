/* Private to projector.c and projector_hot.c: the data and kernels of a projector. */
#ifndef HOLONOM_INTEGRATORS_PROJECTOR_HOT_H
#define HOLONOM_INTEGRATORS_PROJECTOR_HOT_H

#include "engine/jacobian.h"
#include "integrators/projector.h"

/* The functions for one shape of kind: J of the current q, or the constant inverse of a rigid triangle. */
typedef struct ProjectorWays {
  unsigned (*apply)(const Projector *projector, Pack *pack, Vec8 *mu);
  unsigned (*split)(const Projector *projector, double factor, Pack *pack, Vec8 *across);
  unsigned (*join)(const Projector *projector, const Vec8 *across, Pack *pack);
} ProjectorWays;

struct Projector {
  const ProjectorWays *ways;
  const double *inverse_mass; /* [nsite] 1/m, for J M^-1 p                                      */
  const double *weight;       /* [nsite] W                                                      */
  const double *weight_mass;  /* [nsite] W/m, for J M^-1 W J'                                   */
  double pair[9];             /* triangle: triangle_pairs of W/m                        */
  double inverse[9];          /* rigid triangle: (J M^-1 W J')^-1                               */
  Jacobian *jacobian;         /* of other kinds, else NULL                                      */
  double site[];              /* [3*nsite] memory of the three pointers                         */
};

typedef struct ProjectorKernels {
  ProjectorWays rigid;    /* triangle on the manifold */
  ProjectorWays triangle; /* triangle anywhere        */
  ProjectorWays general;  /* uses pack->scratch */
} ProjectorKernels;

#endif
