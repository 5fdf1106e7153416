/* A walk's memory, the operations on one pack, and faults; shared by walk.c (running a plan) and its parts.
 */
#ifndef HOLONOM_INTEGRATORS_WALK_PRIVATE_H
#define HOLONOM_INTEGRATORS_WALK_PRIVATE_H

#include "integrators/plan_private.h"

/* Of faults of one replica in one step those of the letters count before those of forces, which they may have
 * caused, and both before what is seen at the end of the step. */
typedef enum FaultKind {
  FAULT_CONSTRAINT, /* a constraint not met                     */
  FAULT_MAP,        /* a nonlinear solve that did not converge  */
  FAULT_METHOD,     /* a step of a method that failed           */
  FAULT_TOLERANCE,  /* a method's equations met to rounding, but not to the tolerance */
  FAULT_PROJECTION, /* momenta that cannot be made tangent      */
  FAULT_FORCE,      /* forces that could not be had             */
  FAULT_WILD        /* not a number, or running away            */
} FaultKind;

typedef struct Fault {
  bool set;
  uint32_t molecule, replica;
  int block;
  int64_t step; /* in which it happened: the first is step 1 */
  FaultKind kind;
  double residual;
  int constraint;
  double
      rounding; /* what that of the coordinates does to this constraint, over its scale as the residual is */
} Fault;

/* The part of a walk that has to do with one block. */
typedef struct WalkBlock {
  const PlanKind *kind;
  Block *block; /* of the state                                         */
  int npack;
  size_t stride; /* vectors of a field in one pack                      */
  Pack *pack;    /* [npack] views of the state, made of begin..end-1 alone: see walk_view */
  int begin, end;
  Vec8 *impulse; /* [npack][nimpulse] constraint impulses of the last step, a method's multipliers */
  int nimpulse;
  Vec8 *saved;   /* [npack][stride]                                       */
  Vec8 *thermal; /* [npack][stride] momenta right after the last O of a run; of this thread's packs */
} WalkBlock;

struct Walk {
  const Plan *plan;
  const ForceField *field;
  State *state;
  WalkBlock *block; /* [nblock] */
  int nblock, width;
  int freedom;  /* of each replica: plan_freedom */
  int64_t step; /* steps done; the state's own counter follows at the end of a run */
  const Op *op; /* operations that are next in it, and how many                           */
  int nop;
  bool whole, timed;  /* the step that they are of: walk_go_on                                 */
  bool paused;        /* before the first of them                                              */
  int64_t measured;   /* the last step of this run, whose momenta are kept after its last O      */
  int64_t thermal;    /* the step at whose end those were kept; -1: none were                     */
  bool telling;       /* the forces of a step can say the energies at its end                    */
  bool asked;         /* for those of the next run                                               */
  int64_t terms_step; /* the step whose energies are in terms; -1: none                          */
  double terms[FORCE_TERMS * FORCES_MAX * WIDTH_MAX];
  double virial[3][3]; /* by atom, of the same step: of width 1, in the first of a team as terms are */
  Pack *pack;          /* of all blocks */
  void *reserved;      /* what memory lies in */
  Vec8 *memory;
  Vec8 *scratch;         /* [2][largest stride]                                   */
  Vec8 *hess;            /* [npack][n][n] of the first block if the map wants it  */
  Vec8 *part;            /* [multipliers] those of one operation                  */
  Vec8 *work;            /* what the methods ask for: pack->scratch of all packs  */
  Vec8 *shared;          /* for sums over a team, of whose walks one lends it      */
  State apart;           /* the state with slow forces in the place of f           */
  RandomPurpose purpose; /* of the noise */
  Vec8Word key[WIDTH_MAX / LANES][2];
  Fault fault;         /* the earliest: of this member's packs, after walk_fault_agree of the team */
  Status force_status; /* of the last forces; one for all of a team */
  Error force_error;
  bool unchecked; /* the method has not seen this start      */
  double runaway; /* no site moves this far in one step unless the integration has blown up */
  int64_t indefinite;
  uint64_t ticks[COST_COUNT];
  int64_t steps, timed_steps;
  uint64_t start_ticks;
  double start_seconds;
};

/* Whether momenta were kept after an O of the step that ended just now. */
static inline bool walk_has_thermal(const Walk *walk)
{
  return walk->thermal >= 0 && walk->thermal == walk->step;
}

/* Forces between molecules or from outside, if there are any. */
bool walk_memory_outside(const ForceField *field, bool with_hessian);

/* Whether plan, forces and state go together. */
Status walk_memory_check(const Plan *plan, const ForceField *field, const State *shape, Error *error);

/* Memory in one piece for vectors; packs apart. What there is of it belongs to the walk, also after an error.
 */
Status walk_memory_create(Walk *walk, const State *shape, Error *error);

/* Notes what went wrong in the lanes `bits` of a pack, in this step, or that forces could not be had in the
 * present one, unless there was something before. Which of several faults counts does not depend on the team.
 */
void walk_fault_note(Walk *walk, int block, const Pack *pack, unsigned bits, FaultKind kind, int64_t step);
void walk_fault_force(Walk *walk);

/* Stops the team if this member met a fault. */
void walk_fault_tell(const Walk *walk, const Team *team);

/* All members wait for each other and take over the earliest fault of all; the state's step then is that of
 * the last one without a fault, and the team may go on. */
void walk_fault_agree(Walk *walk, const Team *team);

/* This thread's look at whether everything is still a number, and nothing runs away. */
void walk_fault_look(Walk *walk, const Team *team);

/* Makes the views of this thread's packs unless they are there. All others would be memory that grows with
 * the team. */
void walk_view(Walk *walk, const Team *team);

/* A view of pack i, whoever works on it. */
Pack walk_pack(const Walk *walk, const WalkBlock *own, int i);

/* What is to be measured of a pack. */
typedef enum WalkMeasured {
  MEASURED_NOW,     /* momenta at the end of the step, tangent ones where the method keeps others */
  MEASURED_THERMAL, /* those right after O                                                        */
  MEASURED_FORCES   /* forces along what is kept                                                  */
} WalkMeasured;

/* The momenta nearest to those of O that there are. */
static inline WalkMeasured walk_thermal_momenta(const Walk *walk)
{
  return walk_has_thermal(walk) ? MEASURED_THERMAL : MEASURED_NOW;
}

/* Pack i with that in the place of its momenta, until the next call. */
Pack walk_measured_pack(const Walk *walk, const WalkBlock *own, int i, WalkMeasured what);

/* Of such momenta, and of forces whose virial by atom is there: the rest of what a pressure is made of. */
void walk_pressure_sum(const Walk *walk, WalkMeasured momenta, WalkPressure *to);

/* The walk's fault in words. */
Status walk_fault_report(const Walk *walk, Error *error);

/* Whether something is penalised in any block. */
bool walk_penalises(const Walk *walk);

/* Vectors that the plan's methods want in pack->scratch. They are used within one operation on one pack. */
size_t walk_ops_scratch(const Plan *plan);

/* What an operation is: the part of the clock that it counts to, and what it does to one pack of a block;
 * those from OP_FORCE on have no such thing. */
typedef struct Operation {
  PlanCost part;
  void (*run)(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack);
} Operation;

/* By OpCode. */
extern const Operation walk_ops_table[];

/* OP_RESCALE, by all of a team. */
void walk_rescale(Walk *walk, const Team *team, const Op *op);

/* Runs one operation below OP_FORCE on a pack of a block. */
void walk_ops_run(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack);

#endif
