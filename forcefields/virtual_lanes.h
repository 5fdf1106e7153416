/* Virtual sites of a file of molecules (topology/virtual_site.h) in the forces. A state knows atoms with mass
 * alone: atoms that place a site may lie in several of its lanes, of several blocks. Forces that see sites
 * work on a view of the state with one more block, each of whose lanes is a site: positions are placed there
 * before a force, and what it adds there is handed on to the atoms that placed them after it. So pairs, lists
 * and the mesh know of a site nothing but that it is an atom of its own.
 *
 * Positions of a molecule are those of one whole molecule, as everywhere in a state. Eight like sites are
 * worked on side by side: of eight molecules, or of eight replicas of one. Each molecule is one thread's
 * work, so that the bits are the same for any team. */
#ifndef HOLONOM_FORCEFIELDS_VIRTUAL_LANES_H
#define HOLONOM_FORCEFIELDS_VIRTUAL_LANES_H

#include "engine/force.h"
#include "engine/isa.h"
#include "topology/topology.h"

typedef struct VirtualLanes VirtualLanes;

/* Of the virtual sites of a topology that have lanes, for states like `shape`. The topology is borrowed.
 * Errors: STATUS_INPUT (another topology than the state's), STATUS_MEMORY. NULL and STATUS_OK: there are
 * none.
 */
Status virtual_lanes_create(VirtualLanes **virtual, const Topology *topology, const State *shape, Isa isa,
                            Error *error);
void virtual_lanes_free(VirtualLanes *virtual); /* NULL is fine */

/* The sites as data, site[lanes of the last block] in the order of their lanes: where they are is filled in,
 * charges and types are left alone. STATUS_INPUT: a site that is not x_0 + a r_1 + b r_2 + c r_1 x r_2 of
 * atoms.
 */
Status virtual_lanes_describe(const VirtualLanes *virtual, SiteDescription *site, Error *error);

/* All of the calls below do nothing and give the state itself where `virtual` is NULL. */

/* A state with its sites, not placed, which is of use until the next call. By one thread. */
const State *virtual_lanes_view(VirtualLanes *virtual, const State *state);

/* By all threads of a team together: *view = the same, with the sites placed, and without forces on them.
 * Errors: STATUS_RUN (the atoms leave open where a site is), naming molecule, site and replica. */
Status virtual_lanes_place(VirtualLanes *virtual, const Team *team, State *state, State **view, Error *error);

/* By all threads of a team together, behind a barrier; it ends with one. f of the state += what the forces on
 * the sites of the view are worth. With sums that want a virial, of a state of width 1, that of its atoms in
 * place of that of its atoms and sites. */
void virtual_lanes_spread(VirtualLanes *virtual, const Team *team, const ForceSums *sums);

#endif
