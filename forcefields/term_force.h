/* The terms of a force field inside molecules (topology/term.h), as a force: atoms of a molecule may be in
 * several lanes, of several blocks.
 *
 * In a state of width 1 terms of one type stand eight side by side, whatever molecules they are of: positions
 * go to rows in the order of lanes, kernels gather from them and leave the forces of each term, and every
 * atom adds up its own, in a fixed order. So no team shows in the bits, and nothing has a range. In wider
 * states a term works on the replicas of a molecule side by side, where they are.
 *
 * Molecules are whole: positions in packs are not wrapped, and no images are looked for. */
#ifndef HOLONOM_FORCEFIELDS_TERM_FORCE_H
#define HOLONOM_FORCEFIELDS_TERM_FORCE_H

#include "engine/force.h"
#include "engine/isa.h"
#include "topology/term.h"
#include "topology/topology.h"

/* The force "terms" with list[nsort] of the topology's types, by the numbers of sites in the molecule. Its
 * columns of energy are those that a term counts in. For states of the topology of the width of `shape`; the
 * topology is borrowed, lists are copied. It offers the Hessians of terms whose atoms lie in one lane of
 * block 0. If a term names a virtual site, sites are placed before the terms, and forces on them handed on
 * after these (virtual_lanes.h, whose errors come besides).
 *
 * Errors: STATUS_INPUT (term_check; not three dimensions), STATUS_MEMORY. In a run STATUS_RUN: a force of a
 * term is not finite or beyond FORCE_MOST; the message names molecule, term and atoms. */
Status term_force_create(Force *force, const Topology *topology, const TermList *list, const State *shape,
                         Isa isa, Error *error);

#endif
