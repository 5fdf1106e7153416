/* A kind as a planar manipulator for the kinematic search: an open chain of limbs, with one end (the base) at
 * a fixed point and the other (the hand) on a curve. */
#ifndef HOLONOM_METHODS_ARM_H
#define HOLONOM_METHODS_ARM_H

#include "engine/kind.h"

typedef struct Arm {
  int nlimb;            /* limbs = sites; the last limb ends in the hand                      */
  int *site;            /* [nlimb] the site at the far end of each limb, from the base         */
  const double *length; /* [nlimb]                                                            */
  double base[2];
  /* The kind's sites with the limbs alone and an infinitely heavy hand: constraint solvers move the joints
   * and leave the hand in place. */
  Kind *limbs;
  Kind *hand; /* the hand alone on its curve */
} Arm;

/* Errors: STATUS_INPUT (the kind is not a manipulator, or has no free joint, with the reason), STATUS_MEMORY.
 */
Status arm_create(Arm **arm, const Kind *kind, Error *error);
void arm_free(Arm *arm); /* accepts NULL */

#endif
