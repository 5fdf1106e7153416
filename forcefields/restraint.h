/* Position restraints: springs from atoms to points, which may follow the box,
 *
 *   V = sum over atoms of 1/2 sum_d k_d x_d^2,  x = r - (s h + o), of the nearest image in the box h,
 *
 * or, with a flat bottom, 1/2 k (|x| - flat)^2 where |x| > flat. A point is a fraction s of the box plus a
 * fixed offset o in A: the caller chooses the part that scales with the box. A direction with k = 0 has no
 * force and does not count in |x|, so a flat bottom is a ball, a cylinder or a layer.
 *
 * Walls are planes normal to an axis, about a common middle instead of a point: 1/2 k depth^2 for an atom
 * beyond a plane. Along a periodic axis the two planes are fractions of the box, and an atom's nearest image
 * along this axis counts; along an open axis there may be one plane.
 *
 * For a strain r to r e and h to h e of the box, dV/de is minus the sum of (x + o)_a f_b. This is the
 * atomic virial here; it does not depend on the image of an atom or on the drift of its molecule. Of walls it
 * is the depth times the force, since the planes move with the box.
 *
 * The constant k may be a parameter of the Hamiltonian, with a value for each replica. */
#ifndef HOLONOM_FORCEFIELDS_RESTRAINT_H
#define HOLONOM_FORCEFIELDS_RESTRAINT_H

#include "engine/force.h"
#include "topology/topology.h"

typedef struct Restraint {
  int atom;               /* in the order of molecules */
  double k[3];            /* kcal/mol/A^2; with a flat bottom each is one common number or 0 */
  double flat;            /* A; 0: none */
  double s[3], offset[3]; /* of the point: s h + offset, A */
  int parameter;          /* 1 + the number of the parameter that replaces k; 0: none */
  /* Walls, if axis > 0: planes normal to axis 1, 2 or 3, with s and offset along this axis alone (their
   * middle), and k along it. They lie flat + span h from the middle, h being the box's length; or, with a
   * side, one plane lies at the middle: an atom above it (1) or below it (-1) feels the force. */
  int axis, side;
  double span;
} Restraint;

/* The force "restraints" with the term "restraint", of list[n], for states of the topology of the
 * width of `shape`. An atom may have one point, and any number of walls. The list is copied; parameters
 * (NULL: none) are borrowed. Errors: STATUS_INPUT (no such atom, two points of an atom, numbers that are
 * negative or not finite, a flat bottom with different k, walls without planes; not three dimensions),
 * STATUS_MEMORY. */
Status restraint_create(Force *force, const Topology *topology, int n, const Restraint *list,
                        const Parameters *parameters, const State *shape, Error *error);

/* The location of an atom's first coordinate in pack `slot` of its replicas: `at` counts the vectors of the
 * block before it, `lane` is that of the first replica, and `mass` is the atom's. */
typedef struct RestraintSpot {
  int block, pack, lane;
  size_t at;
  double mass;
} RestraintSpot;
RestraintSpot restraint_spot(const Topology *topology, int width, int atom, int slot);

/* The same for descriptions. */
AtomIndex restraint_index(const State *shape, const RestraintSpot *spot);

#endif
