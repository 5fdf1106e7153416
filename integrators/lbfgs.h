/* Minimisation of replicas side by side, molecules kept rigid: limited-memory BFGS on the manifold g(q) = 0.
 * Every replica goes its own way at its own pace; one that has arrived can begin anew while others go on.
 *
 *   lbfgs_create(&l, state, field, isa, e);
 *   state_set(..., r, x);  lbfgs_begin(l, 1u << r, 1e-6);
 *   while ((lbfgs_arrived(l) & mask) != mask) lbfgs_step(l, e);
 *
 * Forces are projected, a step is a drift that the constraint solver brings back, and all masses are one: the
 * metric in which translations and librations of water are equally stiff. Each lane has its own pairs, step
 * and end; a step is judged by the slope at its end, since differences of energy near a minimum are rounding.
 * One system of many molecules goes by FIRE and a team instead (quench.h), as do the last digits of every
 * start. */
#ifndef HOLONOM_INTEGRATORS_LBFGS_H
#define HOLONOM_INTEGRATORS_LBFGS_H

#include "engine/force.h"
#include "engine/isa.h"

typedef struct Lbfgs Lbfgs;

/* For all replicas of a state (width 1: the one, 8 or 16), any kinds. All have arrived at first. Momenta are
 * left alone. A replica's bits do not depend on the others. Errors: STATUS_INPUT (no constraint solver fits),
 * STATUS_MEMORY. Source: Nocedal, Math. Comput. 35, 773 (1980), with the metric in which all sites have the
 * same mass: a hydrogen's own asks for three times the evaluations. */
Status lbfgs_create(Lbfgs **lbfgs, State *state, const ForceField *field, Isa isa, Error *error);
void lbfgs_free(Lbfgs *lbfgs);

/* The replicas of these bits begin at the positions that they have now, on the manifold; tolerance: the
 * largest component of a force along it that is accepted, kcal/mol/A. */
void lbfgs_begin(Lbfgs *lbfgs, unsigned replicas, double tolerance);

/* The replicas of these bits, which have arrived, go on from there to a smaller tolerance. */
void lbfgs_tighten(Lbfgs *lbfgs, unsigned replicas, double tolerance);

/* One evaluation of the forces; then replicas that have not arrived move on, no site by more than some 0.2 A.
 * By one thread. Errors: those of the forces. */
Status lbfgs_step(Lbfgs *lbfgs, Error *error);

/* Bits of the replicas that have arrived: converged, or where a force is no number. Their positions stay as
 * they are. */
unsigned lbfgs_arrived(const Lbfgs *lbfgs);

/* At the last place where a replica was looked at: the largest component of its force (no number if any is
 * none), energy, and the evaluations that it took to get there. */
double lbfgs_force(const Lbfgs *lbfgs, int r);
double lbfgs_energy(const Lbfgs *lbfgs, int r);
int lbfgs_evaluations(const Lbfgs *lbfgs, int r);

#endif
