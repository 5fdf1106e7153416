/* Minimisation of replicas side by side with rigid molecules: limited-memory BFGS on the manifold g(q) = 0.
 * Replicas proceed independently; one that has finished can start again while others continue.
 *
 *   lbfgs_create(&l, state, field, isa, e);
 *   state_set(..., r, x);  lbfgs_begin(l, 1u << r, 1e-6);
 *   while ((lbfgs_arrived(l) & mask) != mask) lbfgs_step(l, e);
 *
 * Forces are projected, and a step is a drift corrected by the constraint solver. All masses are one, the
 * metric in which translations and librations of water are equally stiff. Each lane has its own pairs, step
 * length and end. A step is accepted by the slope at its end, because energy differences near a minimum are
 * rounding. Use quench.h (FIRE with a team) for one system of many molecules and for the last digits of every
 * start. */
#ifndef HOLONOM_INTEGRATORS_LBFGS_H
#define HOLONOM_INTEGRATORS_LBFGS_H

#include "engine/force.h"
#include "engine/isa.h"

typedef struct Lbfgs Lbfgs;

/* Creates a minimiser for all replicas of a state (width 1, 8 or 16) of any kinds; at first all have
 * finished. Does not change momenta. The bits of a replica do not depend on the others. Errors: STATUS_INPUT
 * (no constraint solver fits), STATUS_MEMORY. Source: Nocedal, Math. Comput. 35, 773 (1980); with true
 * masses, hydrogens would triple the number of evaluations. */
Status lbfgs_create(Lbfgs **lbfgs, State *state, const ForceField *field, Isa isa, Error *error);
void lbfgs_free(Lbfgs *lbfgs);

/* Starts these replicas at their present positions on the manifold; tolerance: the largest accepted component
 * of a force along the manifold, kcal/mol/A. */
void lbfgs_begin(Lbfgs *lbfgs, unsigned replicas, double tolerance);

/* Continues these replicas, which have finished, to a smaller tolerance. */
void lbfgs_tighten(Lbfgs *lbfgs, unsigned replicas, double tolerance);

/* Evaluates the forces once and moves the replicas that have not finished, each site by at most about 0.2 A.
 * For one thread. Errors: those of the forces. */
Status lbfgs_step(Lbfgs *lbfgs, Error *error);

/* The bits of the replicas that have finished: converged, or with a force that is NaN. Their positions do not
 * change. */
unsigned lbfgs_arrived(const Lbfgs *lbfgs);

/* At a replica's last evaluation: the largest component of its force (NaN if one is NaN), its energy, and the
 * number of evaluations so far. */
double lbfgs_force(const Lbfgs *lbfgs, int r);
double lbfgs_energy(const Lbfgs *lbfgs, int r);
int lbfgs_evaluations(const Lbfgs *lbfgs, int r);

#endif
