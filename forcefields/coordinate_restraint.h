/* Restraints of coordinates: springs on any coordinate of sites (engine/coordinate.h),
 *
 *   V = sum over restraints of 1/2 k (xi - centre)^2,
 *
 * where a site is an atom or the centre of mass of several. Coordinates of any number of sites use each
 * atom as a site. A dihedral angle differs from its centre by at most half a turn. Angles are in degrees
 * in the input and in parameters, in radians in k. Both k and centre may be parameters of the Hamiltonian
 * with a value for each replica, as in umbrella sampling.
 *
 * In a periodic box the vectors between sites, and from the first atom of a site to its others, are those
 * of nearest images. */
#ifndef HOLONOM_FORCEFIELDS_COORDINATE_RESTRAINT_H
#define HOLONOM_FORCEFIELDS_COORDINATE_RESTRAINT_H

#include "engine/coordinate.h"
#include "engine/force.h"
#include "topology/topology.h"

enum { COORDINATE_RESTRAINT_SITES = 4 };

typedef struct CoordinateRestraint {
  CoordinateForm form;
  int natom[COORDINATE_RESTRAINT_SITES];       /* of each site; with any number of sites the first has all */
  const int *atom[COORDINATE_RESTRAINT_SITES]; /* in the order of molecules */
  double k, centre;                            /* kcal/mol/A^2 and A, or kcal/mol/rad^2 and degrees */
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
