/* Restraints of coordinates: springs on any coordinate of sites (topology/coordinate_sites.h),
 *
 *   V = sum over restraints of 1/2 k (xi - centre)^2.
 *
 * A dihedral angle differs from its centre by at most half a turn. Angles are in degrees in the input and in
 * parameters, in radians in k. Both k and centre may be parameters of the Hamiltonian with a value for each
 * replica, as in umbrella sampling. */
#ifndef HOLONOM_FORCEFIELDS_COORDINATE_RESTRAINT_H
#define HOLONOM_FORCEFIELDS_COORDINATE_RESTRAINT_H

#include "engine/force.h"
#include "topology/coordinate_sites.h"

typedef struct CoordinateRestraint {
  CoordinateInput on;
  double k, centre; /* kcal/mol/A^2 and A, or kcal/mol/rad^2 and degrees */
  int parameter; /* 1 + the number of the parameter that replaces k; the next one replaces centre; 0: both are
                    constants */
} CoordinateRestraint;

/* The force "coordinate_restraints" with the term "coordinate_restraint", of list[n], for states of the
 * topology of the width of `shape`. The list is copied; topology and parameters (NULL: none) are borrowed.
 * Errors: STATUS_INPUT (no such atom, a site without atoms, constants that are negative or not finite; not
 * three dimensions), STATUS_MEMORY. */
Status coordinate_restraint_create(Force *force, const Topology *topology, int n,
                                   const CoordinateRestraint *list, const Parameters *parameters,
                                   const State *shape, Error *error);

#endif
