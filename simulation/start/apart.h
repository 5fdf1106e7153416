/* Moves and rotates overlapping rigid molecules in a periodic box until their atoms are apart, for starts
 * that forces cannot minimise. Method: PACKMOL (Martinez et al., J. Comput. Chem. 30, 2157 (2009)). */
#ifndef HOLONOM_SIMULATION_START_APART_H
#define HOLONOM_SIMULATION_START_APART_H

#include "base/status.h"
#include "engine/box.h"
#include "engine/random.h"

/* In a liquid, atoms of different molecules are rarely closer. At this distance no bond passes through a ring
 * of six or fewer atoms. */
#define APART_DISTANCE 2.0 /* A */

/* Moves rigid molecules at x[first[nmol]][3]; molecule m has the atoms first[m] to first[m + 1] - 1,
 * unbroken. Each pair of atoms of different molecules closer than APART_DISTANCE pushes both molecules by
 * half; every twentieth round also moves touching molecules at random. *least: the final smallest distance,
 * at most APART_DISTANCE; smaller if a thousand rounds do not suffice. STATUS_MEMORY. */
Status apart_move(const Box *box, int nmol, const int *first, double (*x)[3], RandomStream *stream,
                  double *least, Error *error);

#endif
