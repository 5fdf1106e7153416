/* A plan: a word compiled for one kind of molecule, with its acceleration map, its constraint method and
 * its thermostat; and a walk: the plan at work on states.
 *
 * The plan is immutable and shared by all threads. A walk belongs to one thread and holds its scratch
 * memory, its clock and its fault.
 *
 * Compiling puts force evaluations where they are due and projections only where a letter needs tangent
 * momenta, and cuts the step so that the end of one and the start of the next run as one pass over the packs.
 * The map is applied once for each evaluation: f comes in as -grad V0 and goes out as M a, so that B is p +=
 * t f for every map. With S in a word forces come in two groups, each computed where its letters want it
 * after a drift; where both are due they are computed together. A plan has one set of tools for each kind,
 * and the same operations for all; a kind without constraints drifts freely under any method. A thread works
 * on the same packs in forces and in letters. What is summed over all molecules (the removal of motion) goes
 * by pieces of 32 packs, added in order, whoever did them. */
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
  const double *weight; /* [nweight], or none */
  int nweight;
  double h; /* time step, AKMA */

  const char *accel; /* acceleration map; with constraints: "verlet" */
  double beta;
  double w; /* penalty strength, 0 without penalties; of kinds that do not say how they are held (kind.h) */
  PenaltyHessian hessian;
  double tolerance;   /* of nonlinear solves ("newmark", methods), 0: 1e-12 */
  int max_iterations; /* of the same, 0: 50 */

  const Method
      *method;             /* what the letter H does; NULL: no H. With it
                              `word` may be NULL for "H", `accel` is not looked at and `constraints` must be NULL */
  const char *base;        /* the scheme under the method, where it wants one */
  const void *own;         /* the method's settings, which need not live on */
  const char *composition; /* of a symmetric step, a row of composition_table; NULL: none */

  const char *constraints; /* "settle", "rattle", "shake"; NULL: none are kept. What kinds say are penalties
                              is not */
  ConstraintOptions constraint;

  Friction friction; /* of the letter O */
  double gamma, kT;
  double time;           /* tau of thermostat/rescale.h, which O then is; 0: O is friction and noise */
  bool tangent;          /* with penalties: noise on the tangent space of g only, friction wherever there is
                            motion */
  Removal removal;       /* motions of the whole cluster that are taken out after each O      */
  bool keep_heat;        /* add up the energy that O puts in (costs one more projection)      */
  bool keep_multipliers; /* add up the constraints' impulses: see walk_multipliers       */
  Isa isa;
} PlanOptions;

typedef struct Plan Plan;

/* What the rules on options ask of a system. */
typedef struct PlanSystem {
  bool general; /* a Hamiltonian of any form, without drift, kick and kinetic energy */
  bool unkept;  /* it has constraints, and something has to keep or penalise them */
  bool stiff;   /* an acceleration map has something to filter: penalties or stiff potentials */
} PlanSystem;

/* Checks options by the rules of plan_create, before there are kinds. STATUS_INPUT: Error.option names the
 * option: "word", "method", "constraints" and so on. */
Status plan_check_options(const PlanOptions *options, const PlanSystem *system, Error *error);

/* A plan for states with a block of each of these kinds, in this order; of one kind alone. Of several, those
 * without constraints drift freely under any constraint method, and under penalties are kicked by the forces
 * as they are. In one kind some constraints may be kept and some penalised (docs/theory.md); a method (the
 * letter H) takes one kind only. The kinds must outlive the plan. Errors: STATUS_INPUT for whatever does not
 * go together, with the reason; STATUS_MEMORY. */
Status plan_create_kinds(Plan **plan, int nkind, const Kind *const *kind, const PlanOptions *options,
                         Error *error);
Status plan_create(Plan **plan, const Kind *kind, const PlanOptions *options, Error *error);
void plan_free(Plan *plan);

const PlanOptions *plan_options(const Plan *plan);
const WordSpelling *plan_spelling(const Plan *plan);

/* The plan as data, for another stepper: its operations, maps, solvers and noise with their coefficients.
 * Valid while plan and arena live. Errors: STATUS_INPUT (the letter H, whose method is code), STATUS_MEMORY.
 */
Status plan_describe(const Plan *plan, Arena *arena, Scheme *scheme, Error *error);

/* What the method of the letter H has to say about a start q[nsite*dim], p: assumptions that only a state can
 * show. Walks ask for themselves before their first step. */
Status plan_check(const Plan *plan, const double *q, const double *p, Error *error);

/* Degrees of freedom that share kinetic energy in one replica of nmol[] molecules of each kind: sites times
 * dimensions, less exact constraints, less the motions taken out. */
int plan_freedom(const Plan *plan, const int *nmol);

/* What a step's time went into. */
typedef enum PlanCost { COST_FORCES, COST_SOLVES, COST_NOISE, COST_MOVES, COST_COUNT } PlanCost;
const char *plan_cost_name(PlanCost part);

typedef struct Walk Walk;

/* A walk for states of the given shape over a force field, which it borrows. Errors: STATUS_INPUT (forces or
 * blocks that the plan cannot do with), STATUS_MEMORY. */
Status walk_create(Walk **walk, const Plan *plan, const ForceField *field, const State *shape, Error *error);
void walk_free(Walk *walk);

/* Turns to a state (of the same shape), whose noise is that of `purpose`. */
void walk_attach(Walk *walk, State *state, RandomPurpose purpose);

/* Where the noise of replica lane r comes from. */
void walk_describe_noise(const Walk *walk, int r, NoiseDescription *to);

/* Forces at the current positions: once before the first step, and after positions were set by hand. Errors:
 * those of the forces, the same for all of a team; STATUS_MEMORY. */
Status walk_prepare(Walk *walk, const Team *team, Error *error);

/* n steps. STATUS_RUN with molecule, replica, constraint, residual and step when a lane fails to meet its
 * constraints, is no longer a number, or runs away (which is looked for every few steps); faults of the
 * forces have their own status. The message names the step in which it happened (the first is step 1) and is
 * the same for any team; state->step then counts the steps before that one, and positions and momenta are of
 * no use. */
Status walk_run(Walk *walk, const Team *team, int64_t n, Error *error);

/* The same in three parts, where somebody else wants to see positions before forces are computed on them: the
 * second goes on, and with `pauses` returns false each time before it computes (fast) forces; true: there are
 * no more. Of a walk alone. */
Status walk_begin(Walk *walk, const Team *team, int64_t n, Error *error);
bool walk_go_on(Walk *walk, const Team *team, bool pauses);
Status walk_end(Walk *walk, const Team *team, Error *error);

/* The next walk_run ends where energies are looked at: of a batch the forces of its last step say theirs,
 * where they can, so that walk_energies need not compute them anew. The same bits either way. */
void walk_ask_energies(Walk *walk);

/* Draws momenta, with random numbers that go by the walk's purpose, from the Maxwellian at kT on the space
 * that the plan moves in (constraints, tangent space and whole-cluster motions respected). With constraints,
 * q must lie on the manifold. */
void walk_draw_momenta(Walk *walk);

/* The same with others of each `turn` (below 65536) at the same step; 0: those of walk_draw_momenta. */
void walk_draw_again(Walk *walk, uint32_t turn);

/* Puts momenta that were set by hand onto that space, by the projections that the draw takes. */
void walk_project_momenta(Walk *walk);

/* Whether its word has an O that acts. Right after O momenta have the temperature that is set: for any word
 * that is a symmetric step from one O to the next and always the same one (oscillator_unbiased), exactly for
 * harmonic forces (the step conserves a form without a product of q and p, in which p stands beside a q of
 * other width than it should). At the end of a step they may not: oscillator.h. */
bool plan_is_thermal(const Plan *plan);

/* What a pressure is made of, kcal/mol: P = (kinetic + virial)/V, by atom or by molecule. By atom, what
 * constraints and penalties add is not in it. The kinetic part is that of the momenta right after the last O,
 * if the word has one: those at the end of a step are too cold under most words. */
typedef struct WalkPressure {
  const Topology *topology;                          /* whose molecules: by who asks            */
  double virial_atom[3][3], virial_molecule[3][3];   /* of the forces between molecules        */
  double kinetic_atom[3][3], kinetic_molecule[3][3]; /* sum of p_a p_b/m                       */
} WalkPressure;

/* Where the energies of each replica go, shared by a team. */
typedef struct WalkEnergies {
  double *kinetic;        /* [width], of the tangent momenta, where the method keeps others   */
  double *terms;          /* [nterm][width] of the force field                                */
  double *penalty;        /* [width]                                                          */
  double *largest;        /* [width] max |g|; NULL: not wanted                                */
  WalkPressure *pressure; /* width 1 only; NULL: not wanted                                   */
  double *thermal;        /* [width] as kinetic, of the momenta right after the last O of the last step (none:
                             as kinetic); NULL: not wanted */
  double *square; /* [width] f'M^-1 f of the forces along what is kept, kcal/mol/AKMA^2; NULL: not wanted.
                     Of a plan that has a shadow (oscillator_shadow) */
} WalkEnergies;

/* Energies at the current state, which is left untouched, bit for bit. Errors: those of the forces. */
Status walk_energies(Walk *walk, const Team *team, const WalkEnergies *to, Error *error);

/* Of each replica the energy of the penalties at the filtered positions (accel.h) of the last step; by the
 * first of a team, while nothing else is done with the walk. */
void walk_penalty_strain(Walk *walk, double *strain);

/* Momenta of each replica, about the origin, and how far its constraints are from being met: the largest |g|
 * over its scale and |grad g . M^-1 p|. Momenta as those of `kinetic`. By the first of a team, as above. */
typedef struct WalkMotion {
  double linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  double residual[WIDTH_MAX], speed[WIDTH_MAX];
} WalkMotion;
void walk_motion(const Walk *walk, WalkMotion *to);

/* The momenta right after the last O of the last step, block after block as p, each member of a team its
 * packs (of a plan without O, or where none were kept, those of the end of the step); and back into a walk
 * that has been elsewhere since, at the same state, each member all. */
void walk_thermal_keep(const Walk *walk, const Team *team, Vec8 *to);
void walk_thermal_return(Walk *walk, const Vec8 *from);

/* Whether the last forces of a step are those of the positions at its end: not of words that end with A. */
bool plan_is_fresh(const Plan *plan);

/* beta h^2 of the filtered positions, of the last stage's map; 0 where the map does not filter. */
double plan_filter_reach(const Plan *plan);

/* How long before the end of a step the multipliers below belong, AKMA: h/2 for means over a step (those of a
 * method that is not symmetric are of its start), 0 for those of penalties, which are of the positions there.
 * Of symmetric steps they are the constraint forces at that time to second order in h. */
double plan_multipliers_age(const Plan *plan);

/* Multipliers lambda[ncon] of one molecule (numbered through all blocks) of replica lane r: force = -grad V0
 * + lambda' grad g. With SHAKE, RATTLE and SETTLE their mean over the last step (the impulses of its drifts
 * and projections, without those of noise, over its length; of SHAKE with those that would leave momenta
 * tangent at both ends), if the plan keeps them; the method's own for the letter H; with penalties -w^2 g,
 * under the Zhang-Skeel maps at the filtered position x + beta h^2 a; of a kind that has both, each its own.
 * Else zero. */
void walk_multipliers(const Walk *walk, int r, int molecule, double *lambda);

/* Sampled clock: seconds by part over the steps that were timed, and their share of all steps. */
void walk_clock(const Walk *walk, double seconds[COST_COUNT], int64_t *timed, int64_t *steps);

/* Molecule solves whose Zhang-Skeel matrix was not positive definite so far. */
int64_t walk_indefinite(const Walk *walk);

#endif
