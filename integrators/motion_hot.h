/* Private to motion.c and motion_hot.c: the data and kernels of a removal. */
#ifndef HOLONOM_INTEGRATORS_MOTION_HOT_H
#define HOLONOM_INTEGRATORS_MOTION_HOT_H

#include <stdbool.h>

#include "integrators/motion.h"

enum {
  MOTIONS = 6,             /* three translations and three rotations, in any dimension */
  MOTION_COORDINATES = 768 /* coordinates of a molecule in 48 kB of stack; larger molecules use scratch */
};

/* Sums over the sites of 8 replicas; with width 1, over every eighth molecule, until they are combined. */
typedef struct Frame {
  Vec8 centre[3];
  Vec8 momentum[MOTIONS];        /* R' p: momentum, angular momentum about the centre; then nu */
  Vec8 matrix[MOTIONS][MOTIONS]; /* R' Y, the lower triangle                                   */
} Frame;

/* The data of one kind. */
typedef struct MotionKind {
  const Projector *projector; /* NULL: Y = W M R                 */
  size_t field;               /* vectors of a field in scratch; 0: on the stack */
  const double *scale;        /* [nsite] m W                     */
} MotionKind;

/* Each works on one pack and adds to the frame. pack->scratch (motion_scratch) has a field of a large
 * molecule, then the projector's vectors. */
typedef struct MotionKernels {
  void (*centre)(const Pack *pack, Frame *frame); /* centre of mass, times the mass */
  void (*momentum)(const Pack *pack, bool angular, Frame *frame);
  /* R' Y; even: W = 1 */
  void (*matrix)(const MotionKind *own, bool angular, bool even, const Pack *pack, Frame *frame);
  void (*solve)(int n, Frame *frame); /* momentum becomes nu */
  /* p -= Y nu */
  void (*apply)(const MotionKind *own, bool angular, const Pack *pack, const Frame *frame);
} MotionKernels;

struct Motion {
  const MotionKernels *kernels;
  bool angular, even; /* with rotations; W = 1           */
  Removal removal;
  int nkind;
  MotionKind *kind; /* [nkind], then all scales */
};

#endif
