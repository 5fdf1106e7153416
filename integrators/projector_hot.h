/* Private to projector.c and projector_hot.c: a projector's numbers and its kernels. */
#ifndef HOLONOM_INTEGRATORS_PROJECTOR_HOT_H
#define HOLONOM_INTEGRATORS_PROJECTOR_HOT_H

#include "integrators/projector.h"

struct Projector {
  void (*apply)(const Projector *projector, Pack *pack, vd *mu);
  const double *inverse_mass; /* [nsite] 1/m, for J M^-1 p                                      */
  const double *weight;       /* [nsite] W                                                      */
  const double *weight_mass;  /* [nsite] W/m, for J M^-1 W J'                                   */
  double pair[9];             /* triangle: of W/m, see jacobian_triangle_pair                   */
  double inverse[9];          /* rigid triangle: (J M^-1 W J')^-1                               */
  double site[];              /* [3*nsite] behind the three pointers                            */
};

typedef struct ProjectorKernels {
  void (*rigid)(const Projector *projector, Pack *pack, vd *mu);    /* triangle on the manifold */
  void (*triangle)(const Projector *projector, Pack *pack, vd *mu); /* triangle anywhere        */
  void (*general)(const Projector *projector, Pack *pack, vd *mu);
} ProjectorKernels;

#endif
