/* What a compiled word consists of; shared by those who make it (plan.c, plan_kind.c, plan_compile.c) and
 * those who run it (walk.c and its parts). */
#ifndef HOLONOM_INTEGRATORS_PLAN_PRIVATE_H
#define HOLONOM_INTEGRATORS_PLAN_PRIVATE_H

#include "integrators/composition.h"
#include "integrators/letters.h"
#include "integrators/method.h"
#include "integrators/plan.h"

/* One O on one kind: its coefficients, and the projection in its metric. */
typedef struct Noise {
  Ou *ou;
  Projector *onto; /* the tangent space; NULL if momenta are free               */
} Noise;

/* A plan's tools for one kind of molecule. What a kind has no tool for leaves it alone: without constraints
 * it drifts freely under any method, and nothing is projected. */
typedef struct PlanKind {
  const Kind *kind;
  const AccelMap *accel;
  Accel *accel_self[COMPOSITION_HALF]; /* for the steps of a composition's stages, as far as they differ */
  int naccel;
  void *method_self;
  bool kept;                      /* constraints are kept, by a solver or by the method: */
  Kind held;                      /* these alone, which are the first */
  const ConstraintSolver *solver; /* NULL: free drift                                    */
  void *solver_self;
  Projector *projector; /* onto what is kept, plain metric; NULL: nothing is           */
  Projector *across;    /* likewise where noise acts along penalties alone, onto these and what is kept */
  Noise draw;           /* a fresh Maxwellian                                  */
  Noise noise[WORD_LETTERS]; /* of each O of the word                          */
} PlanKind;

struct Plan {
  PlanOptions options;
  WordSpelling spelling;
  int nkind;
  PlanKind *kind; /* [nkind]                                                           */
  const AccelMap *accel;
  int naccel;                     /* maps for the stages, of each kind that has them                       */
  const Composition *composition; /* NULL: none                                        */
  unsigned traits;                /* of the method as it is here                       */
  bool split;                     /* the word has S: fast and slow forces apart                */
  bool fresh;                     /* f is that of the positions at the end of a step           */
  const ConstraintMethod *constraints; /* NULL: none are kept */
  Motion *draw;                        /* removals after a draw and after each O; NULL: nothing is removed */
  Motion *removal[WORD_LETTERS];
  int nnoise;
  const LetterKernels *letters;
  const OuKernels *ou;
  /* A step is op[0..nop). Its first nhead operations are on packs: behind the others, with ahead = 1, they
   * are also the beginning of the next step. */
  Op op[2 * OPS_MAX];
  int nop, nhead;
};

/* What the options say of a method. */
MethodOptions plan_kind_method_options(const PlanOptions *options);

/* Whether something is penalised in it. */
bool plan_kind_penalised(const Plan *plan, const PlanKind *own);

/* Which of its constraints are kept, the first. */
int plan_kind_kept(const PlanKind *own);

/* The tools of one kind, whose place is `own`; plan_kind_free releases what there is of them. */
Status plan_kind_create(const Plan *plan, PlanKind *own, Error *error);
void plan_kind_free(const Plan *plan, PlanKind *own);

/* Fills in the operations. */
void plan_compile(Plan *plan);

#endif
