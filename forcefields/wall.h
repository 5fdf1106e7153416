/* A spherical half-harmonic wall that confines a warm cluster: 1/2 k (r - R)^2 on site 0 of every lane where
 * its distance r from the origin exceeds R. Site 0 is the oxygen of water, in other molecules the first of
 * the heaviest atoms of each group. */
#ifndef HOLONOM_FORCEFIELDS_WALL_H
#define HOLONOM_FORCEFIELDS_WALL_H

#include "engine/force.h"

/* The force "wall" with the term "wall_energy", any kinds and width. stiffness in kcal/mol/A^2, radius in A.
 * Errors: STATUS_INPUT (not positive), STATUS_MEMORY. */
Status wall_create(Force *force, double stiffness, double radius, const State *shape, Error *error);

#endif
