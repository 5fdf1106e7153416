/* Rigid molecules that overlap in a periodic box are moved and turned until their atoms are apart, as PACKMOL
 * packs (Martinez et al., J. Comput. Chem. 30, 2157 (2009)): what a minimisation by forces cannot begin from.
 */
#ifndef HOLONOM_SIMULATION_START_APART_H
#define HOLONOM_SIMULATION_START_APART_H

#include "base/status.h"
#include "engine/box.h"
#include "engine/random.h"

/* Atoms of a liquid are hardly ever nearer to those of another molecule. No bond
 * passes through a ring of six atoms or fewer where all are as far apart. */
#define APART_DISTANCE 2.0 /* A */

/* x[first[nmol]][3]: atoms first[m] to first[m + 1] - 1 are those of molecule m, in one piece, which stays
 * rigid. Each pair of atoms of two molecules that is nearer than APART_DISTANCE pushes both molecules, half
 * way each, until there are none; every twentieth round moves those at random, too. *least: the smallest
 * distance then, at most that; smaller where they do not come apart in a thousand rounds. STATUS_MEMORY. */
Status apart_move(const Box *box, int nmol, const int *first, double (*x)[3], RandomStream *stream,
                  double *least, Error *error);

#endif
