/* The bonded terms inside molecules (topology/term.h), as a force. The atoms of a molecule may be in
 * several lanes and blocks.
 *
 * In a state of width 1 eight terms of one type are computed side by side, from any molecules. Positions
 * go to rows in the order of lanes; kernels gather from them and store the forces of each term; every atom
 * sums its forces in a fixed order. Bits therefore do not depend on the team. In wider states a term acts
 * on the replicas of a molecule side by side, in place.
 *
 * Molecules are whole: positions in packs are not wrapped, and no images are used. */
#ifndef HOLONOM_FORCEFIELDS_TERM_FORCE_H
#define HOLONOM_FORCEFIELDS_TERM_FORCE_H

#include "engine/force.h"
#include "engine/isa.h"
#include "topology/term.h"
#include "topology/topology.h"

/* The force "terms" with list[nsort] for the topology's types, by the numbers of sites in the molecule.
 * Its energy columns are those of the terms. For states of the topology of the width of `shape`; the
 * topology is borrowed, lists are copied. It provides the Hessians of terms whose atoms are in one lane of
 * block 0. If a term uses a virtual site, the force places sites before the terms and spreads forces on
 * them afterwards (virtual_lanes.h, with its errors).
 *
 * Errors: STATUS_INPUT (those of term_check; not three dimensions), STATUS_MEMORY. In a run STATUS_RUN: a
 * force of a term is not finite or beyond FORCE_MOST; the message names molecule, term and atoms. */
Status term_force_create(Force *force, const Topology *topology, const TermList *list, const State *shape,
                         Isa isa, Error *error);

#endif
