/* A walk's memory, and the operations on one pack; shared by walk.c (running a plan) and walk_ops.c. */
#ifndef HOLONOM_INTEGRATORS_WALK_PRIVATE_H
#define HOLONOM_INTEGRATORS_WALK_PRIVATE_H

#include "integrators/plan_private.h"

typedef enum FaultKind {
  FAULT_WILD,       /* not a number, or running away            */
  FAULT_CONSTRAINT, /* a constraint not met                     */
  FAULT_MAP,        /* a nonlinear solve that did not converge  */
  FAULT_METHOD,     /* a step of a method that failed           */
  FAULT_FORCE       /* forces that could not be had             */
} FaultKind;

typedef struct Fault {
  bool set;
  uint32_t molecule, replica;
  int pack, lane;
  int64_t step;
  FaultKind kind;
  double residual;
  int constraint;
} Fault;

struct Walk {
  const Plan *plan;
  const ForceField *field;
  State *state;
  Block *block; /* of the state                                         */
  int npack, width;
  int64_t step;  /* steps done; the state's own counter follows at the end of a run */
  size_t stride; /* vectors of a field in one pack                      */
  Pack *pack;    /* [npack] views of the state                          */
  vd *memory;
  vd *scratch; /* [2][stride]                                           */
  vd *hess;    /* [npack][n][n] if the map wants it                     */
  vd *impulse; /* [npack][multipliers] constraint impulses of the last step, a method's multipliers */
  vd *part;    /* [multipliers] those of one operation                      */
  int nimpulse;
  vd *work;  /* what the methods ask for: pack->scratch of all packs  */
  vd *saved; /* [npack][stride]                                       */
  vu key[WIDTH_MAX / LANES][2];
  Fault fault;
  Status force_status; /* of the last forces; one for all of a team */
  Error force_error;
  bool stop;      /* somebody in the team met a fault */
  bool unchecked; /* the method has not seen this start      */
  double runaway; /* no site moves this far in one step unless the integration has blown up */
  int64_t indefinite;
  uint64_t ticks[PART_COUNT];
  int64_t steps, timed;
  uint64_t start_ticks;
  double start_seconds;
};

/* Vectors that the plan's methods want in pack->scratch. They are used within one operation on one pack. */
size_t walk_ops_scratch(const Plan *plan);

/* Runs one operation below OP_FORCE. */
void walk_ops_run(Walk *walk, const Op *op, Pack *pack);

/* Notes what went wrong in the lanes `bits` of a pack, unless there was something before. */
void walk_ops_fault(Walk *walk, const Pack *pack, unsigned bits, FaultKind kind);

#endif
