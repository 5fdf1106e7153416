/* A scheme: what a plan compiled a word into, as plain data. A step runs the operations in their order, each
 * on all molecules before the next; f and p keep their values from one step to the next. plan_describe makes
 * a scheme; tests/plain_stepper.c is a second, slow stepper that is built from schemes and descriptions
 * (engine/description.h) alone. This header needs no vector types. */
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
  OP_DRIFT,      /* q += t M^-1 p, or what the map makes of it                     */
  OP_SLIDE,      /* the same along the manifold                                    */
  OP_PROJECT,    /* p onto the tangent space                                       */
  OP_COUNT,      /* adds t times the impulse that this would take to the account of multipliers */
  OP_NOISE,      /* O                                                              */
  OP_HEAT,       /* heat += t times the kinetic energy                             */
  OP_ACCEL,      /* f = -grad V0 becomes f = M a                                   */
  OP_METHOD,     /* H                                                              */
  OP_THERMAL,    /* keeps the momenta right after O, where they are to be measured */
  OP_KICK_SLOW,  /* p += t slow                                                    */
  OP_FORCE,      /* f = -grad V0 for all packs; with S in the word, of the fast forces */
  OP_FORCE_SLOW, /* slow = -grad V0 of the slow forces                             */
  OP_REMOVE,     /* momentum of the whole cluster                                  */
  OP_RESCALE     /* O of all momenta of a replica together                        */
} OpCode;

enum { OPS_MAX = 512, OPS_LETTER = 6 /* at most, that one letter becomes */ };

typedef struct Op {
  OpCode code;
  double t;        /* AKMA                                                        */
  uint32_t letter; /* which O of the word                                        */
  int map;         /* which acceleration map: stages of a composition have their own */
  int ahead;       /* 1 for operations of the next step that run with this one's last */
  bool first;      /* of its step on this pack                                     */
} Op;

typedef enum PenaltyHessian {
  HESSIAN_FULL,        /* w^2 (J'J + sum g_c Hess g_c), the paper's         */
  HESSIAN_GAUSS_NEWTON /* w^2 J'J: positive semidefinite whatever g is      */
} PenaltyHessian;

/* By which system a map finds a, see accel_hot.h. */
typedef enum AccelRoute {
  ACCEL_FORCE,     /* none: M a is the force                                                        */
  ACCEL_PENALTIES, /* with the penalties' Hessian: an update of M by the constraints, where one does */
  ACCEL_LINEAR,    /* with the Hessian of the kind's potentials too: the matrix of the whole molecule */
  ACCEL_THIRD,     /* the same, and third derivatives in the force                                  */
  ACCEL_NEWTON     /* by Newton's method, at x + beta h^2 a                                         */
} AccelRoute;

/* An acceleration map, made ready for a kind and a step. */
typedef struct SchemeMap {
  const char *name; /* of its row                                                    */
  AccelRoute route;
  bool drifts;            /* the map filters drifts by its system instead of kicks    */
  bool block;             /* its matrix takes in each molecule's block of the Hessian of the other forces */
  double reach;           /* beta h^2                                                      */
  const double *strength; /* [nconstraint] w of each penalty; 0: the constraint has none */
  PenaltyHessian hessian;
  double tolerance; /* of a nonlinear solve */
  int max_iterations;
} SchemeMap;

/* What momenta are projected onto. */
typedef enum SchemeSpace {
  SPACE_FREE, /* nothing                                      */
  SPACE_KEPT, /* the tangent space of the constraints that are kept */
  SPACE_ALL   /* that of all constraints, penalised ones too  */
} SchemeSpace;

/* One O, or a fresh draw of momenta, on one kind: p <- c p + s xi, then p <- p + W J' mu onto a space
 * (thermostat/ou.h). */
typedef struct SchemeNoise {
  Friction friction;
  double gamma, kT, t;                      /* t = INFINITY: a draw */
  const double *decay, *amplitude, *weight; /* [nsite] c, s and W, which follow from these */
  double across; /* what is left of momenta across the space, where noise is along penalties alone */
  SchemeSpace onto;
} SchemeNoise;

typedef struct SchemeKind {
  KindDescription kind;
  int kept;           /* constraints that are kept exactly, the first */
  const char *solver; /* of the drift along them, a row of constraint_solvers; NULL: the drift is free */
  double tolerance;   /* of it: the largest |g| over its scale */
  int max_iterations;
  bool split; /* noise acts along penalties alone: momenta across all constraints decay apart */
  int nmap;
  SchemeMap map[COMPOSITION_HALF];       /* [nmap]; operations with a larger `map` take the first */
  SchemeNoise draw, noise[WORD_LETTERS]; /* [nnoise] by Op.letter */
} SchemeKind;

typedef enum Removal {
  REMOVE_NONE,
  REMOVE_LINEAR, /* of the centre of mass                                        */
  REMOVE_ANGULAR /* that, and rotation about it: for open clusters               */
} Removal;

typedef struct Scheme {
  double h;
  const char *constraints; /* a row of constraint_methods; NULL: none are kept */
  const char *method; /* what the letter H does, a row of method_table or the caller's; NULL: there is no H */
  int nop;
  const Op *op; /* [nop] of one step */
  int nnoise;
  Removal removal;    /* after a draw, and after each O in the metric of its weights (motion.h) */
  double rescale_tau; /* of OP_RESCALE (thermostat/rescale.h), AKMA; 0: there is none */
  double kT;          /* of the same */
  int nkind;
  const SchemeKind *kind; /* [nkind] */
} Scheme;

#endif
