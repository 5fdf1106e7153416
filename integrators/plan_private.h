/* What a compiled word consists of; shared by plan.c (compiling) and walk.c (running). */
#ifndef HOLONOM_INTEGRATORS_PLAN_PRIVATE_H
#define HOLONOM_INTEGRATORS_PLAN_PRIVATE_H

#include "integrators/composition.h"
#include "integrators/letters.h"
#include "integrators/method.h"
#include "integrators/plan.h"

/* Operations on one pack, then those on the whole state (from OP_FORCE on). */
typedef enum OpCode {
  OP_KICK,     /* p += t f                                                       */
  OP_DRIFT,    /* q += t M^-1 p                                                  */
  OP_SLIDE,    /* the same along the manifold                                    */
  OP_PROJECT,  /* p onto the tangent space                                       */
  OP_NOISE,    /* O                                                              */
  OP_HEAT_OUT, /* heat -= kinetic energy                                         */
  OP_HEAT_IN,  /* heat += kinetic energy                                         */
  OP_ACCEL,    /* f = -grad V0 becomes f = M a                                   */
  OP_PREDICT,  /* Newmark: one Newton step for q, p += h/2 M a; f = -grad V0      */
  OP_CORRECT,  /* Newmark: p += h/2 M a                                          */
  OP_METHOD,   /* H                                                              */
  OP_FORCE,    /* f = -grad V0 for all packs                                     */
  OP_REMOVE    /* momentum of the whole cluster                                  */
} OpCode;

enum { OPS_MAX = 512, OPS_LETTER = 6 /* at most, that one letter becomes */ };

typedef struct Op {
  OpCode code;
  double t;        /* AKMA                                                        */
  uint32_t letter; /* which O of the word                                        */
  int map;         /* which acceleration map: stages of a composition have their own */
  int ahead;       /* 1 for operations of the next step that run with this one's last */
  bool first;      /* of its step on this pack                                     */
  const struct Noise *noise;
} Op;

/* One O: its coefficients, and the projection and removal in its own metric. */
typedef struct Noise {
  Ou *ou;
  Projector *onto; /* the tangent space; NULL if momenta are free               */
  Motion *motion;  /* NULL if nothing is removed                                */
} Noise;

struct Plan {
  const Kind *kind;
  PlanOptions options;
  WordSpelling spelling;
  const AccelMap *accel;
  void *accel_self[COMPOSITION_HALF]; /* for the steps of a composition's stages, as far as they differ */
  int naccel;
  const Composition *composition; /* NULL: none                                        */
  const Method *method;           /* of the letter H, or NULL                          */
  void *method_self;
  unsigned traits;        /* of the method as it is here                       */
  bool kept;              /* constraints are kept, by a solver or by the method        */
  bool newmark;           /* the word is Newmark's: f stays -grad V0 between its letters */
  const AccelMap *verlet; /* which needs the plain force beside the map                  */
  void *verlet_self;
  const ConstraintMethod *constraints; /* NULL: none are kept */
  const ConstraintSolver *solver;
  void *solver_self;
  Projector *projector; /* plain metric; NULL if nothing is projected          */
  Noise draw;           /* a fresh Maxwellian                                  */
  Noise noise[WORD_LETTERS];
  int nnoise;
  const LetterKernels *letters;
  const OuKernels *ou;
  /* A step is head, body[0..nlast); between steps the body runs to its end, which is head with ahead = 1. */
  Op head[OPS_MAX], body[OPS_MAX];
  int nhead, nlast, nbody;
};

#endif
