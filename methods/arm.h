/* A kind read as a planar manipulator: an open chain of limbs, one end tied to a fixed point (the base), the
 * other, the hand, on a curve: what the kinematic search works on. */
#ifndef HOLONOM_METHODS_ARM_H
#define HOLONOM_METHODS_ARM_H

#include "engine/kind.h"

typedef struct Arm {
  int nlimb;            /* limbs = sites; the last of them ends in the hand                   */
  int *site;            /* [nlimb] the site at the far end of each limb, from the base on      */
  const double *length; /* [nlimb]                                                            */
  double base[2];
  /* The kind's sites with the limbs alone, the hand infinitely heavy: constraint solvers move the joints and
   * leave the hand where it is. */
  Kind *limbs;
  Kind *hand; /* the hand alone on its curve */
} Arm;

/* Errors: STATUS_INPUT where the kind is no such manipulator or has no joint to spare, with the reason;
 * STATUS_MEMORY. */
Status arm_create(Arm **arm, const Kind *kind, Error *error);
void arm_free(Arm *arm); /* NULL is fine */

#endif
