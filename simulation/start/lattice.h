/* Start configurations of periodic boxes.
 *
 * Molecules lie on the lattice, of simple cubic, body- and face-centred ones stretched to the box, whose
 * neighbours are farthest apart: 3.4 A for water, so that no two touch whatever way they are turned, and
 * their number need not be a cube. Kinds are shuffled over its points, and molecules of a kind numbered along
 * it, so that neighbours in space are near in memory. Without a density water is at its model's own, and an
 * atom in the place of half a water, which brings salt water near 1 bar. */
#ifndef HOLONOM_SIMULATION_START_LATTICE_H
#define HOLONOM_SIMULATION_START_LATTICE_H

#include "topology/topology.h"

/* Puts all molecules on a lattice that fills the state's box (simple cubic, body- or face-centred, stretched
 * to the box: whichever keeps neighbours farthest apart), the sorts and the places left empty shuffled, each
 * molecule turned at random; molecules of a sort are numbered along the lattice.
 * Positions only. Width 1; the same seed and replica give the same bits. STATUS_INPUT: a box that is not
 * periodic in all directions, or one so small that neighbours would be closer than 2.2 A; STATUS_MEMORY. */
Status lattice_fill(const Topology *topology, State *state, Error *error);

/* Whether all molecules are single atoms. On a lattice these stay a crystal, also where a liquid is stable,
 * while molecules that are turned at random fall off it. */
bool lattice_stays(const Topology *topology);

/* Puts single atoms anywhere in the state's periodic box, all places being equally likely: a start without
 * order, whose atoms overlap until they are moved apart (simulation/molecules/soften.h). Width 1; the same
 * seed and replica give the same bits. STATUS_MEMORY. */
Status lattice_scatter(const Topology *topology, State *state, Error *error);

/* Of all molecules of the kinds, g/mol. */
double lattice_mass(int nblock, const Kind *const *kind, const int *nmol);

/* Mass (g/mol; of all molecules of the state) over the volume of the box, g/cm^3. */
double lattice_density_of(double mass, const Box *box);
double lattice_density(const State *state);

/* The cubic box in which nmol[] molecules of the kinds have this density (g/cm^3). STATUS_INPUT: a density
 * outside 0.001 to 5 g/cm^3. */
Status lattice_size(int nblock, const Kind *const *kind, const int *nmol, double density, Box *box,
                    Error *error);

/* *nmol = how many molecules of `kind` bring the box, in which other molecules of this mass (g/mol) are too,
 * closest to the density (g/cm^3). STATUS_INPUT: a density as above, no room for one molecule, or more than
 * 10^8 of them. */
Status lattice_count(const Kind *kind, const Box *box, double others, double density, int *nmol,
                     Error *error);

#endif
