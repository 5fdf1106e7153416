/* A scheme: a compiled word as plain data. A step runs the operations in order, each on all molecules before
 * the next. The fields f and p persist from one step to the next. Plans are described by plan_describe. The
 * second, slow stepper of tests/plain_stepper.c uses only schemes and descriptions (engine/description.h).
 * This header needs no vector types. */
#ifndef HOLONOM_INTEGRATORS_SCHEME_H
#define HOLONOM_INTEGRATORS_SCHEME_H

#include <stdbool.h>

#include "engine/description.h"
#include "integrators/composition.h"
#include "integrators/word.h"
#include "thermostat/friction.h"

/* Operations on one pack, then those on the whole state (from OP_FORCE on). */
typedef enum OpCode {
  OP_KICK,       /* p += t f                                                       */
  OP_DRIFT,      /* q += t M^-1 p, or the drift of the map                         */
  OP_SLIDE,      /* the same along the manifold                                    */
  OP_PROJECT,    /* projects p onto the tangent space                              */
  OP_COUNT,      /* adds t times the impulse of such a projection to the sums of multipliers */
  OP_NOISE,      /* O                                                              */
  OP_HEAT,       /* heat += t times the kinetic energy                             */
  OP_ACCEL,      /* f = -grad V0 becomes f = M a                                   */
  OP_METHOD,     /* H                                                              */
  OP_THERMAL,    /* stores the momenta right after O, if they will be measured */
  OP_KICK_SLOW,  /* p += t slow                                                    */
  OP_FORCE,      /* f = -grad V0 for all packs; with S in the word, of the fast forces */
  OP_FORCE_SLOW, /* slow = -grad V0 of the slow forces                             */
  OP_REMOVE,     /* removes the momentum of the whole cluster                      */
  OP_RESCALE     /* O acting on all momenta of a replica together                 */
} OpCode;

enum { OPS_MAX = 512, OPS_LETTER = 6 /* the most operations of one letter */ };

typedef struct Op {
  OpCode code;
  double t;        /* AKMA                                                        */
  uint32_t letter; /* index of this O in the word                                */
  int map;         /* index of the acceleration map: stages of a composition have their own */
  int ahead;       /* 1 for operations of the next step that run with this one's last */
  bool first;      /* the first of its step on this pack                           */
  double elapsed;  /* of OP_FORCE and OP_FORCE_SLOW: the part of the step that drifts have done before */
} Op;

typedef enum PenaltyHessian {
  HESSIAN_FULL,        /* w^2 (J'J + sum g_c Hess g_c), the paper's         */
  HESSIAN_GAUSS_NEWTON /* w^2 J'J: positive semidefinite for any g          */
} PenaltyHessian;

/* The linear system of a map's a (accel_hot.h). */
typedef enum AccelRoute {
  ACCEL_FORCE,     /* none: M a is the force                                                        */
  ACCEL_PENALTIES, /* the penalties' Hessian, by an update of M where possible */
  ACCEL_LINEAR,    /* the same and the Hessian of the kind's potentials: the matrix of the molecule */
  ACCEL_THIRD,     /* the same, and third derivatives in the force                                  */
  ACCEL_NEWTON     /* Newton's method at x + beta h^2 a                                             */
} AccelRoute;

/* An acceleration map for a kind and a step. */
typedef struct SchemeMap {
  const char *name; /* name of its row                                               */
  AccelRoute route;
  bool drifts;            /* the map filters drifts instead of kicks                  */
  bool block;             /* its matrix includes each molecule's block of the Hessian of the other forces */
  double reach;           /* beta h^2                                                      */
  const double *strength; /* [nconstraint] w of each penalty; 0: not a penalty */
  PenaltyHessian hessian;
  double tolerance; /* of a nonlinear solve */
  int max_iterations;
} SchemeMap;

/* The space that momenta are projected onto. */
typedef enum SchemeSpace {
  SPACE_FREE, /* no projection                                */
  SPACE_KEPT, /* the tangent space of the exact constraints */
  SPACE_ALL   /* the tangent space of all constraints, penalties included */
} SchemeSpace;

/* One O, or a draw of momenta, on one kind: p <- c p + s xi, then p <- p + W J' mu onto a space
 * (thermostat/ou.h). */
typedef struct SchemeNoise {
  Friction friction;
  double gamma, kT, t;                      /* t = INFINITY: a draw */
  const double *decay, *amplitude, *weight; /* [nsite] c, s and W, computed from these */
  double across; /* factor of the momenta across the space, where noise acts along penalties alone */
  SchemeSpace onto;
} SchemeNoise;

typedef struct SchemeKind {
  KindDescription kind;
  int kept;           /* exact constraints: the first ones */
  const char *solver; /* solver of the drift along them, a row of constraint_solvers; NULL: a free drift */
  double tolerance;   /* of the solver: the largest |g| over its scale */
  int max_iterations;
  bool split; /* noise acts along penalties alone: momenta across all constraints decay separately */
  int nmap;
  SchemeMap map[COMPOSITION_HALF];       /* [nmap]; operations with a larger `map` use the first */
  SchemeNoise draw, noise[WORD_LETTERS]; /* [nnoise] by Op.letter */
} SchemeKind;

typedef enum Removal {
  REMOVE_NONE,
  REMOVE_LINEAR, /* of the centre of mass                                        */
  REMOVE_ANGULAR /* that, and rotation about it: for open clusters               */
} Removal;

typedef struct Scheme {
  double h;
  const char *constraints; /* a row of constraint_methods; NULL: no exact constraints */
  const char *method;      /* method of the letter H, a row of method_table or the caller's; NULL: no H */
  int nop;
  const Op *op; /* [nop] of one step */
  int nnoise;
  Removal removal;    /* after a draw, and after each O in the metric of its weights (motion.h) */
  double rescale_tau; /* of OP_RESCALE (thermostat/rescale.h), AKMA; 0: no OP_RESCALE */
  double kT;          /* of OP_RESCALE */
  int nkind;
  const SchemeKind *kind; /* [nkind] */
} Scheme;

#endif
