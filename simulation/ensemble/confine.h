/* The constraining sphere of an open cluster: no molecule's centre of mass goes beyond a radius from that of
 * the cluster.
 *
 * Every few steps a replica in which one is beyond goes back to where it was before them, with its momenta
 * reversed. Steps of a palindromic word with O have P(x, y) pi(x) = P(Sy, Sx) pi(y), S reversing momenta, for
 * the distribution pi that it leaves as it is (for BAOAB the canonical one but for O(h^2)); to stay at Sx in
 * place of what is beyond keeps that, so that pi restricted to the sphere is left as it is: no step size
 * enters beside the word's own. Energies of what stays do not change. (Horowitz, Phys. Lett. B 268, 247
 * (1991), has the reversal; Lee, Barker & Abraham, J. Chem. Phys. 58, 3166 (1973), the sphere.) */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_CONFINE_H
#define HOLONOM_SIMULATION_ENSEMBLE_CONFINE_H

#include "topology/topology.h"

/* Bits of the replicas of an open cluster in which a molecule is beyond the radius. */
unsigned confine_outside(const Topology *topology, const State *state, double radius);

/* Replicas of these bits are as they are in `kept`, momenta reversed. */
void confine_undo(State *state, const State *kept, unsigned replicas);

/* The farthest that a molecule of positions x[natom][3] is from the middle. */
double confine_reach(const Topology *topology, const double *x);

#endif
