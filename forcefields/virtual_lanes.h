/* Virtual sites of a molecules file (topology/virtual_site.h) in the forces. A state contains only atoms
 * with mass, and the atoms that place a site may be in several lanes and blocks. Forces that use sites
 * work on a view of the state with one more block, whose lanes are the sites. Sites are placed before a
 * force, and their forces are spread to the atoms after it. Pairs, lists and the mesh treat a site as an
 * individual atom.
 *
 * Positions of a molecule are those of one whole molecule. Eight equal sites are computed side by side, of
 * eight molecules or of eight replicas of one. One thread computes each molecule, so bits are the same for
 * any team. */
#ifndef HOLONOM_FORCEFIELDS_VIRTUAL_LANES_H
#define HOLONOM_FORCEFIELDS_VIRTUAL_LANES_H

#include "engine/force.h"
#include "engine/isa.h"
#include "topology/topology.h"

typedef struct VirtualLanes VirtualLanes;

/* For the virtual sites of a topology that have lanes, for states like `shape`. The topology is borrowed.
 * *virtual = NULL with STATUS_OK: no such sites. Errors: STATUS_INPUT (another topology than the state's),
 * STATUS_MEMORY. */
Status virtual_lanes_create(VirtualLanes **virtual, const Topology *topology, const State *shape, Isa isa,
                            Error *error);
void virtual_lanes_free(VirtualLanes *virtual); /* NULL is allowed */

/* Describes the sites, site[lanes of the last block] in the order of their lanes: fills their placement,
 * leaves charges and types. STATUS_INPUT: a site that is not x_0 + a r_1 + b r_2 + c r_1 x r_2 of atoms. */
Status virtual_lanes_describe(const VirtualLanes *virtual, SiteDescription *site, Error *error);

/* If `virtual` is NULL, the calls below do nothing and return the state itself. */

/* A view of the state with its sites, not placed, valid until the next call. By one thread. */
const State *virtual_lanes_view(VirtualLanes *virtual, const State *state);

/* By all threads of a team together: *view = the state with placed sites, without forces on them. Errors:
 * STATUS_RUN (the atoms do not determine a site), naming molecule, site and replica. */
Status virtual_lanes_place(VirtualLanes *virtual, const Team *team, State *state, State **view, Error *error);

/* The same by one thread, to look at the positions of the state. */
Status virtual_lanes_look(VirtualLanes *virtual, const State *state, const State **view, Error *error);

/* By all threads of a team together, after a barrier; ends with one. f of the state += the forces on the
 * sites of the view, spread to atoms. With sums that include a virial, for width 1: replaces the virial of
 * atoms and sites by that of atoms. */
void virtual_lanes_spread(VirtualLanes *virtual, const Team *team, const ForceSums *sums);

#endif
