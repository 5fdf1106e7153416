/* The memory of a walk, the operations on one pack, and faults, for walk.c and its parts. */
#ifndef HOLONOM_INTEGRATORS_WALK_PRIVATE_H
#define HOLONOM_INTEGRATORS_WALK_PRIVATE_H

#include "integrators/plan_private.h"

/* Among the faults of one replica in one step, those of letters precede those of forces, which they may have
 * caused, and both precede those found at the end of the step. */
typedef enum FaultKind {
  FAULT_CONSTRAINT, /* a constraint is not satisfied            */
  FAULT_MAP,        /* a nonlinear solve did not converge       */
  FAULT_METHOD,     /* a step of a method failed                */
  FAULT_TOLERANCE,  /* a method's equations are satisfied to rounding, but not to the tolerance */
  FAULT_PROJECTION, /* momenta cannot be made tangent           */
  FAULT_FORCE,      /* the forces returned an error             */
  FAULT_WILD        /* NaN, or running away                     */
} FaultKind;

typedef struct Fault {
  bool set;
  uint32_t molecule, replica;
  int block;
  int64_t step; /* step of the fault: the first is step 1 */
  FaultKind kind;
  double residual;
  int constraint;
  double rounding; /* the part of `residual` that rounding of the coordinates explains */
} Fault;

/* The part of a walk for one block. */
typedef struct WalkBlock {
  const PlanKind *kind;
  Block *block; /* of the state                                         */
  int npack;
  size_t stride; /* vectors of a field in one pack                      */
  Pack *pack;    /* [npack] views of the state, created for begin..end-1 alone: walk_view */
  int begin, end;
  Vec8 *impulse; /* [npack][nimpulse] constraint impulses of the last step, or a method's multipliers */
  int nimpulse;
  Vec8 *saved;   /* [npack][stride]                                       */
  Vec8 *thermal; /* [npack][stride] momenta right after the last O of a run, for this thread's packs */
} WalkBlock;

struct Walk {
  const Plan *plan;
  const ForceField *field;
  bool driven; /* a force depends on time */
  State *state;
  WalkBlock *block; /* [nblock] */
  int nblock, width;
  int freedom;  /* of each replica: plan_freedom */
  int64_t step; /* steps done; the state's own counter is updated at the end of a run */
  const Op *op; /* the next operations of the step, and their number                      */
  int nop;
  bool whole, timed;  /* properties of that step: walk_go_on                                   */
  bool paused;        /* before the first of these operations                                  */
  int64_t measured;   /* the last step of this run, whose momenta after its last O are stored    */
  int64_t thermal;    /* the step of the stored momenta; -1: none                                 */
  bool telling;       /* the forces of a step can compute the energies at its end                */
  bool asked;         /* they were requested for the next run                                    */
  int64_t terms_step; /* the step of the energies in terms; -1: none                             */
  double terms[FORCE_TERMS * FORCES_MAX * WIDTH_MAX];
  double virial[3][3]; /* by atom, of the same step: width 1, first of a team, like terms */
  Pack *pack;          /* of all blocks */
  void *reserved;      /* the allocation that contains memory */
  Vec8 *memory;
  Vec8 *scratch;         /* [2][largest stride]                                   */
  Vec8 *hess;            /* [npack][n][n] of the first block if the map needs it  */
  Vec8 *part;            /* [multipliers] of one operation                        */
  Vec8 *work;            /* pack->scratch of all packs, for the methods           */
  Vec8 *shared;          /* for sums over a team, which uses that of one member    */
  State apart;           /* the state with slow forces in place of f               */
  State now;             /* for driven forces: the state at the time of its positions */
  RandomPurpose purpose; /* of the noise */
  Vec8Word key[WIDTH_MAX / LANES][2];
  Fault fault;         /* the earliest: of this member's packs, or of the team after walk_fault_agree */
  Status force_status; /* of the last forces; the same for all of a team */
  Error force_error;
  bool unchecked; /* the method has not checked this start   */
  double runaway; /* a larger move of a site in one step means that the integration diverged */
  int64_t indefinite;
  uint64_t ticks[COST_COUNT];
  int64_t steps, timed_steps;
  uint64_t start_ticks;
  double start_seconds;
};

/* Whether momenta were stored after an O of the step that just ended. */
static inline bool walk_has_thermal(const Walk *walk)
{
  return walk->thermal >= 0 && walk->thermal == walk->step;
}

/* Whether the field has forces other than the kinds' own potentials. */
bool walk_memory_outside(const ForceField *field, bool with_hessian);

/* Checks that plan, forces and state are compatible. */
Status walk_memory_check(const Plan *plan, const ForceField *field, const State *shape, Error *error);

/* Allocates one piece for vectors; packs separately. The memory belongs to the walk even after an error. */
Status walk_memory_create(Walk *walk, const State *shape, Error *error);

/* Records the fault of the lanes `bits` of a pack in this step, or an error of the forces in the present
 * step, unless an earlier fault is recorded. The choice among several faults does not depend on the team. */
void walk_fault_note(Walk *walk, int block, const Pack *pack, unsigned bits, FaultKind kind, int64_t step);
void walk_fault_force(Walk *walk);

/* Stops the team if this member has a fault. */
void walk_fault_tell(const Walk *walk, const Team *team);

/* A barrier after which all members have the earliest fault of all; the state's step becomes the last one
 * without a fault, and the team may continue. */
void walk_fault_agree(Walk *walk, const Team *team);

/* Checks this thread's packs for NaN and runaway motion. */
void walk_fault_look(Walk *walk, const Team *team);

/* Creates the views of this thread's packs unless they exist. Views of all packs would need memory that grows
 * with the team. */
void walk_view(Walk *walk, const Team *team);

/* A view of pack i, of any thread's. */
Pack walk_pack(const Walk *walk, const WalkBlock *own, int i);

/* Which momenta, or forces in their place, to measure. */
typedef enum WalkMeasured {
  MEASURED_NOW,     /* tangent momenta at the end of the step */
  MEASURED_THERMAL, /* momenta right after O                                                      */
  MEASURED_FORCES   /* forces along exact constraints                                             */
} WalkMeasured;

/* The momenta right after O if they were stored, else those at the end of the step. */
static inline WalkMeasured walk_thermal_momenta(const Walk *walk)
{
  return walk_has_thermal(walk) ? MEASURED_THERMAL : MEASURED_NOW;
}

/* Pack i with these in place of its momenta, valid until the next call. */
Pack walk_measured_pack(const Walk *walk, const WalkBlock *own, int i, WalkMeasured what);

/* The remaining terms of a pressure, from such momenta and from forces whose virial by atom is known. */
void walk_pressure_sum(const Walk *walk, WalkMeasured momenta, WalkPressure *to);

/* Writes the walk's fault as a message. */
Status walk_fault_report(const Walk *walk, Error *error);

/* Whether any block has penalties. */
bool walk_penalises(const Walk *walk);

/* Vectors that the plan's methods need in pack->scratch within one operation on one pack. */
size_t walk_ops_scratch(const Plan *plan);

/* An operation: its part of the clock, and its function on one pack of a block (NULL from OP_FORCE on). */
typedef struct Operation {
  PlanCost part;
  void (*run)(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack);
} Operation;

/* By OpCode. */
extern const Operation walk_ops_table[];

/* Runs OP_RESCALE; called by all members of a team. */
void walk_rescale(Walk *walk, const Team *team, const Op *op);

/* Runs one operation below OP_FORCE on a pack of a block. */
void walk_ops_run(Walk *walk, const WalkBlock *own, const Op *op, Pack *pack);

#endif
