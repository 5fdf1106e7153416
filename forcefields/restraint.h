/* Position restraints: springs from atoms to points, which may follow the box,
 *
 *   V = sum over atoms of 1/2 sum_d k_d x_d^2,  x = r - (s h + o), of the nearest image in the box h,
 *
 * or, with a flat bottom, 1/2 k (|x| - flat)^2 where |x| is beyond it. A point is a fraction s of the box and
 * an offset o in A that stays as it is: what of it scales with the box is the caller's choice. In directions
 * whose k is 0 nothing acts, and |x| does not count them, so that a flat bottom is a ball, a cylinder or a
 * layer.
 *
 * As a box is strained, r to r e and h to h e, dV/de is minus the sum of (x + o)_a f_b: that is the virial
 * here, by atom, whatever image an atom is of and however far its molecule has drifted.
 *
 * The constant k may be a parameter of the Hamiltonian, with a value for each replica. */
#ifndef HOLONOM_FORCEFIELDS_RESTRAINT_H
#define HOLONOM_FORCEFIELDS_RESTRAINT_H

#include "engine/force.h"
#include "topology/topology.h"

typedef struct Restraint {
  int atom;               /* in the order of molecules                              */
  double k[3];            /* kcal/mol/A^2; with a flat bottom each one number, or 0 */
  double flat;            /* A; 0: none                                             */
  double s[3], offset[3]; /* of the point: s h + offset, A                          */
  int parameter;          /* 1 + the number of the parameter that takes the place of k; 0: none */
} Restraint;

/* The force "restraints" with the term "restraint", of list[n], no atom twice, for states of the topology of
 * the width of `shape`; both are copied; parameters (NULL: none are named) are borrowed. Errors: STATUS_INPUT
 * (no such atom, an atom twice, numbers that are negative or not finite, a flat bottom with several k; not
 * three dimensions), STATUS_MEMORY. */
Status restraint_create(Force *force, const Topology *topology, int n, const Restraint *list,
                        const Parameters *parameters, const State *shape, Error *error);

/* Where an atom's first coordinate is, in pack `slot` of its replicas: `at` counts the vectors of the block
 * before it, the first of the replicas is in `lane`, and `mass` is that of the atom. */
typedef struct RestraintSpot {
  int block, pack, lane;
  size_t at;
  double mass;
} RestraintSpot;
RestraintSpot restraint_spot(const Topology *topology, int width, int atom, int slot);

/* The same in descriptions. */
AtomIndex restraint_index(const State *shape, const RestraintSpot *spot);

#endif
