/* The parts of a compiled word, for the code that compiles it (plan.c, plan_kind.c, plan_compile.c) and runs
 * it (walk.c and its parts). */
#ifndef HOLONOM_INTEGRATORS_PLAN_PRIVATE_H
#define HOLONOM_INTEGRATORS_PLAN_PRIVATE_H

#include "integrators/composition.h"
#include "integrators/letters.h"
#include "integrators/method.h"
#include "integrators/plan.h"

/* One O on one kind: its coefficients, and the projection in its metric. */
typedef struct Noise {
  Ou *ou;
  Projector *onto; /* onto the tangent space; NULL if momenta are free          */
} Noise;

/* A plan's tools for one kind. Without a tool, the operation does nothing: a kind without constraints drifts
 * freely under any method, and its momenta are not projected. */
typedef struct PlanKind {
  const Kind *kind;
  bool frozen; /* no operation acts on it: positions keep their bits, momenta are 0 */
  const AccelMap *accel;
  Accel *accel_self[COMPOSITION_HALF]; /* one for each different step length of a composition's stages */
  int naccel;
  void *method_self;
  bool kept;                      /* it has exact constraints, satisfied by a solver or by the method: */
  Kind held;                      /* the kind with these alone, which come first */
  const ConstraintSolver *solver; /* NULL: free drift                                    */
  void *solver_self;
  Projector *projector; /* onto exact constraints, plain metric; NULL: no constraints  */
  Projector *across;    /* where noise acts along penalties alone: onto penalties and exact constraints */
  Noise draw;           /* a fresh Maxwellian                                  */
  Noise noise[WORD_LETTERS]; /* of each O of the word                          */
} PlanKind;

struct Plan {
  PlanOptions options;
  WordSpelling spelling;
  int nkind;
  PlanKind *kind; /* [nkind]                                                           */
  const AccelMap *accel;
  int naccel;                     /* maps for the stages, in each kind that has maps                       */
  const Composition *composition; /* NULL: none                                        */
  unsigned traits;                /* of the method with these options                  */
  bool split;                     /* the word has S: fast and slow forces are separate         */
  bool fresh;                     /* f belongs to the positions at the end of a step           */
  const ConstraintMethod *constraints; /* NULL: no exact constraints */
  Motion *draw;                        /* removals after a draw and after each O; NULL: none */
  Motion *removal[WORD_LETTERS];
  int nnoise;
  const LetterKernels *letters;
  const OuKernels *ou;
  /* A step is op[0..nop). Its first nhead operations work on packs: after the others, with ahead = 1, they
   * also start the next step. */
  Op op[2 * OPS_MAX];
  int nop, nhead;
};

/* The options of a method. */
MethodOptions plan_kind_method_options(const PlanOptions *options);

/* Whether the kind has penalties. */
bool plan_kind_penalised(const Plan *plan, const PlanKind *own);

/* The number of its exact constraints, which come first. */
int plan_kind_kept(const PlanKind *own);

/* Creates the tools of one kind in `own`; plan_kind_free releases them, even if incomplete. */
Status plan_kind_create(const Plan *plan, PlanKind *own, Error *error);
void plan_kind_free(const Plan *plan, PlanKind *own);

/* Fills in the operations. */
void plan_compile(Plan *plan);

#endif
