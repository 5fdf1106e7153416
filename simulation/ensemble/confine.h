/* The constraining sphere of an open cluster: no molecule's centre of mass is farther than a radius from the
 * cluster's.
 *
 * Every few steps, a replica with a molecule outside returns to its state before these steps with reversed
 * momenta. Steps of a palindromic word with O satisfy P(x, y) pi(x) = P(Sy, Sx) pi(y), with S reversing
 * momenta, for the invariant distribution pi (for BAOAB canonical up to O(h^2)). Replacing a move out of the
 * sphere by Sx preserves this relation, so pi restricted to the sphere is invariant: the sphere adds no error
 * of the time step. It does not change the energies of the state that it restores. (Momentum reversal:
 * Horowitz, Phys. Lett. B 268, 247 (1991). Sphere: Lee, Barker & Abraham, J. Chem. Phys. 58, 3166 (1973).) */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_CONFINE_H
#define HOLONOM_SIMULATION_ENSEMBLE_CONFINE_H

#include "topology/topology.h"

/* Bits of the replicas of an open cluster with a molecule beyond the radius. */
unsigned confine_outside(const Topology *topology, const State *state, double radius);

/* Restores the replicas of these bits from `kept`, with reversed momenta. */
void confine_undo(State *state, const State *kept, unsigned replicas);

/* The largest distance of a molecule from the centre, for x[natom][3]. */
double confine_reach(const Topology *topology, const double *x);

#endif
