/* A plan: a word compiled for the kinds of a system, with acceleration maps, a constraint method and a
 * thermostat; and a walk: the plan applied to states.
 *
 * The plan is immutable and shared by all threads. A walk belongs to one thread and contains its scratch
 * memory, clock and fault.
 *
 * Compiling places force evaluations where they are due, and projections only where a letter needs tangent
 * momenta. It cuts the step so that the end of one and the start of the next run as one pass over the packs.
 * The map is applied once per evaluation: it turns f = -grad V0 into M a, so that B is p += t f for every
 * map. With S in a word there are two groups of forces, each computed before its letter after a drift,
 * together where both are due. All kinds have the same operations, each with its own tools; a kind without
 * constraints drifts freely under any method. A thread works on the same packs in forces and in letters. Sums
 * over all molecules (removal of motion) are over pieces of 32 packs in a fixed order. */
#ifndef HOLONOM_INTEGRATORS_PLAN_H
#define HOLONOM_INTEGRATORS_PLAN_H

#include <stdbool.h>

#include "base/arena.h"
#include "engine/force.h"
#include "engine/random.h"
#include "integrators/accel.h"
#include "integrators/constraints.h"
#include "integrators/method.h"
#include "integrators/motion.h"
#include "integrators/projector.h"
#include "integrators/scheme.h"
#include "integrators/word.h"
#include "thermostat/ou.h"
#include "topology/topology.h"

typedef struct PlanOptions {
  const char *word;
  const double *weight; /* [nweight]; NULL: the word's own */
  int nweight;
  double h; /* time step, AKMA */

  const char *accel; /* acceleration map; with constraints: "verlet" */
  double beta;
  double w; /* penalty strength for kinds without strengths of their own (kind.h); 0: no penalties */
  PenaltyHessian hessian;
  double tolerance;   /* of nonlinear solves ("newmark", methods), 0: 1e-12 */
  int max_iterations; /* of the same, 0: 50 */

  const Method *method;    /* the method of the letter H; NULL: no H. With it, NULL `word` means "H", `accel`
                            * is ignored and `constraints` must be NULL */
  const char *base;        /* the base scheme of the method, if it needs one */
  const void *own;         /* the method's settings, read by plan_create only */
  const char *composition; /* composition of a symmetric step, a row of composition_table; NULL: none */

  const char *constraints; /* "settle", "rattle", "shake"; NULL: no exact constraints. Penalties of kinds
                            * remain penalties */
  ConstraintOptions constraint;

  Friction friction; /* of the letter O */
  double gamma, kT;
  const double
      *kind_gamma;       /* [kinds] friction of each kind in place of gamma, or NAN; borrowed; NULL: gamma */
  double time;           /* tau of thermostat/rescale.h, which then is O; 0: O is friction and noise */
  bool tangent;          /* with penalties: noise on the tangent space of g only, friction on all motion */
  Removal removal;       /* motions of the whole cluster that are removed after each O        */
  bool keep_heat;        /* sum the energy that O adds (costs one more projection)            */
  bool keep_multipliers; /* sum the constraints' impulses: see walk_multipliers          */
  bool thaw;             /* frozen kinds (kind.h) move like others                       */
  Isa isa;
} PlanOptions;

typedef struct Plan Plan;

/* The properties of a system that the rules on options depend on. */
typedef struct PlanSystem {
  bool general; /* a general Hamiltonian, without drift, kick and kinetic energy */
  bool unkept;  /* it has constraints, which need a constraint method, a method or penalties */
  bool stiff;   /* it has penalties or stiff potentials, which an acceleration map can filter */
} PlanSystem;

/* Checks options by the rules of plan_create, before kinds exist. Errors: STATUS_INPUT; Error.option names
 * the option: "word", "method", "constraints" and so on. */
Status plan_check_options(const PlanOptions *options, const PlanSystem *system, Error *error);

/* Creates a plan for states with one block of each kind, in this order; plan_create: of one kind. Among
 * several kinds, those without constraints drift freely under any constraint method, and under penalties are
 * kicked by the plain forces. A kind may have both constraints and penalties (docs/theory.md). A method (the
 * letter H) requires one kind. The kinds must outlive the plan. Errors: STATUS_INPUT (options that exclude
 * each other, with the reason), STATUS_MEMORY. */
Status plan_create_kinds(Plan **plan, int nkind, const Kind *const *kind, const PlanOptions *options,
                         Error *error);
Status plan_create(Plan **plan, const Kind *kind, const PlanOptions *options, Error *error);
void plan_free(Plan *plan);

const PlanOptions *plan_options(const Plan *plan);

/* The friction of kind k, in the convention of the options. */
double plan_gamma(const Plan *plan, int k);
const WordSpelling *plan_spelling(const Plan *plan);

/* Describes the plan as data for another stepper: operations, maps, solvers and noise with their
 * coefficients. Valid while plan and arena exist. Errors: STATUS_INPUT (the letter H, whose method is code),
 * STATUS_MEMORY. */
Status plan_describe(const Plan *plan, Arena *arena, Scheme *scheme, Error *error);

/* Runs the check of the method of the letter H on a start q[nsite*dim], p. Walks do this before their first
 * step. */
Status plan_check(const Plan *plan, const double *q, const double *p, Error *error);

/* Kinetic degrees of freedom of one replica of nmol[] molecules of each kind: sites times dimensions, minus
 * exact constraints and removed motions. */
int plan_freedom(const Plan *plan, const int *nmol);

/* The parts of a step's time. */
typedef enum PlanCost { COST_FORCES, COST_SOLVES, COST_NOISE, COST_MOVES, COST_COUNT } PlanCost;
const char *plan_cost_name(PlanCost part);

typedef struct Walk Walk;

/* Creates a walk for states of the given shape over a force field, which it borrows. Errors: STATUS_INPUT
 * (forces or blocks that the plan does not support), STATUS_MEMORY. */
Status walk_create(Walk **walk, const Plan *plan, const ForceField *field, const State *shape, Error *error);
void walk_free(Walk *walk);

/* Attaches a state of the same shape, with noise of this purpose. */
void walk_attach(Walk *walk, State *state, RandomPurpose purpose);

/* The address of the noise of replica lane r. */
void walk_describe_noise(const Walk *walk, int r, NoiseDescription *to);

/* Computes forces at the current positions: required before the first step and after the caller sets
 * positions. Errors: those of the forces, the same for all of a team; STATUS_MEMORY. */
Status walk_prepare(Walk *walk, const Team *team, Error *error);

/* Runs n steps. Errors: STATUS_RUN with molecule, replica, constraint, residual and step if a lane does not
 * satisfy its constraints, becomes NaN, or runs away (checked every few steps); those of the forces. The
 * message names the step of the fault (the first is step 1) and is the same for any team. state->step then
 * counts the steps before it, and positions and momenta are undefined. */
Status walk_run(Walk *walk, const Team *team, int64_t n, Error *error);

/* The same in three parts, for callers that read positions before forces are computed. walk_go_on continues;
 * with `pauses` it returns false before each computation of (fast) forces, and true when the run is complete.
 * For a walk without a team. */
Status walk_begin(Walk *walk, const Team *team, int64_t n, Error *error);
bool walk_go_on(Walk *walk, const Team *team, bool pauses);
Status walk_end(Walk *walk, const Team *team, Error *error);

/* Requests energies at the end of the next walk_run: in a batch, the forces of its last step compute them if
 * they can, so that walk_energies need not. The bits are the same either way. */
void walk_ask_energies(Walk *walk);

/* Draws momenta, with random numbers of the walk's purpose, from the Maxwellian at kT on the plan's space
 * (constraints, tangent space, removed motions). With constraints, q must be on the manifold. */
void walk_draw_momenta(Walk *walk);

/* The same with different numbers for each `turn` (below 65536) at the same step; 0: walk_draw_momenta. */
void walk_draw_again(Walk *walk, uint32_t turn);

/* Projects momenta set by the caller onto that space. */
void walk_project_momenta(Walk *walk);

/* Whether the word has an O that acts. Right after O, momenta have the set temperature if the letters from
 * each O to the next form the same symmetric step (oscillator_unbiased), exactly for harmonic forces: the
 * step conserves a form without a product of q and p. At the end of a step they may not: oscillator.h. */
bool plan_is_thermal(const Plan *plan);

/* The terms of a pressure, kcal/mol: P = (kinetic + virial)/V, by atom or by molecule. By atom they lack the
 * contributions of constraints and penalties. The kinetic part uses the momenta right after the last O, if
 * any: those at the end of a step are too cold under most words. */
typedef struct WalkPressure {
  const Topology *topology;                          /* defines the molecules; set by the caller */
  double virial_atom[3][3], virial_molecule[3][3];   /* of the forces between molecules        */
  double kinetic_atom[3][3], kinetic_molecule[3][3]; /* sum of p_a p_b/m                       */
} WalkPressure;

/* Where to write the energies of each replica, shared by a team. */
typedef struct WalkEnergies {
  double *kinetic;        /* [width] of the tangent momenta                                   */
  double *terms;          /* [nterm][width] of the force field                                */
  double *penalty;        /* [width] of molecules that are not frozen                         */
  double *largest;        /* [width] max |g| of these; NULL: not requested                    */
  WalkPressure *pressure; /* width 1 only; NULL: not requested                                */
  double *thermal;        /* [width] as kinetic, of the momenta right after the last O of the last step
                           * (without O: as kinetic); NULL: not requested */
  double *square; /* [width] f'M^-1 f of the forces along exact constraints, kcal/mol/AKMA^2; NULL: not
                   * requested. Only for plans with a shadow (oscillator_shadow) */
} WalkEnergies;

/* Computes energies at the current state and leaves it unchanged to the bit. Errors: those of the forces. */
Status walk_energies(Walk *walk, const Team *team, const WalkEnergies *to, Error *error);

/* The energy of the penalties of each replica's moving molecules at the filtered positions (accel.h) of the
 * last step. Called by the first of a team while no other uses the walk. */
void walk_penalty_strain(Walk *walk, double *strain);

/* Momenta of each replica about the origin, as those of `kinetic`, and residuals of the constraints of its
 * moving molecules: the largest |g| over its scale and |grad g . M^-1 p|. Called by the first of a team, as
 * above. */
typedef struct WalkMotion {
  double linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  double residual[WIDTH_MAX], speed[WIDTH_MAX];
} WalkMotion;
void walk_motion(const Walk *walk, WalkMotion *to);

/* `walk_thermal_keep` copies the momenta right after the last O of the last step, block after block like p,
 * each member its packs. Without O, or if they were not stored, it copies the momenta at the end of the step.
 * `walk_thermal_return` puts them back into a walk that has been elsewhere since, at the same state; each
 * member returns all. */
void walk_thermal_keep(const Walk *walk, const Team *team, Vec8 *to);
void walk_thermal_return(Walk *walk, const Vec8 *from);

/* Whether the last forces of a step are those at its final positions; false for words that end with A. */
bool plan_is_fresh(const Plan *plan);

/* beta h^2 of the filtered positions, for the last stage's map; 0 if the map does not filter. */
double plan_filter_reach(const Plan *plan);

/* The time before the end of a step to which the multipliers below refer, AKMA: h/2 for means over a step, h
 * for methods that are not symmetric, 0 for penalties. In symmetric steps they are the constraint forces at
 * that time to second order in h. */
double plan_multipliers_age(const Plan *plan);

/* The multipliers lambda[ncon] of one molecule (counted over all blocks) of replica lane r: force = -grad V0
 * + lambda' grad g. SHAKE, RATTLE and SETTLE: the mean over the last step, if the plan sums it: the impulses
 * of drifts and projections without those of noise, over the step; for SHAKE with projections to tangent
 * momenta at both ends. Letter H: the method's own. Penalties: -w^2 g, under Zhang-Skeel maps at the filtered
 * position x + beta h^2 a. A kind with both has each its own. Otherwise, and in frozen molecules, zero. */
void walk_multipliers(const Walk *walk, int r, int molecule, double *lambda);

/* The same for all lanes of a pack, one constraint after the other: pack i of a block as walk_multiplier
 * needs it, and the multiplier of its constraint c. */
Pack walk_multiplier_pack(const Walk *walk, int block, int i);
Vec8 walk_multiplier(const Walk *walk, int block, const Pack *pack, int c);

/* Sampled clock: seconds of each part over the timed steps, their number, and the number of all steps. */
void walk_clock(const Walk *walk, double seconds[COST_COUNT], int64_t *timed, int64_t *steps);

/* The number of molecule solves so far whose Zhang-Skeel matrix was not positive definite. */
int64_t walk_indefinite(const Walk *walk);

#endif
