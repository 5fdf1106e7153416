/* Start configurations of periodic boxes.
 *
 * Molecules are placed on a lattice with the largest nearest-neighbour distance among simple cubic,
 * body-centred and face-centred lattices stretched to the box. For water that is 3.4 A, so that no
 * orientations overlap. Molecule types are shuffled over the points; molecules of a type are numbered along
 * the lattice, so that neighbours in space are close in memory. Without a given density, water has its
 * model's density and an atom the volume of half a water, which puts salt water near 1 bar. */
#ifndef HOLONOM_SIMULATION_START_LATTICE_H
#define HOLONOM_SIMULATION_START_LATTICE_H

#include "topology/topology.h"

/* Places all molecules on a lattice that fills the state's box. Types and empty points are shuffled, and each
 * molecule is rotated at random. Sets positions only. Needs width 1; the same seed and replica give the same
 * bits. STATUS_INPUT: the box is not periodic in all directions, or neighbours would be closer than 2.2 A;
 * STATUS_MEMORY. */
Status lattice_fill(const Topology *topology, State *state, Error *error);

/* Whether all molecules are single atoms. These would remain a crystal on a lattice even where the liquid is
 * stable; molecules with random orientations melt. */
bool lattice_stays(const Topology *topology);

/* Places single atoms uniformly at random in the state's periodic box; atoms overlap until they are moved
 * apart (simulation/molecules/soften.h). Needs width 1; the same seed and replica give the same bits.
 * STATUS_MEMORY. */
Status lattice_scatter(const Topology *topology, State *state, Error *error);

/* The mass of all molecules, g/mol. */
double lattice_mass(int nblock, const Kind *const *kind, const int *nmol);

/* Mass (g/mol; all molecules of the state) over volume, g/cm^3. */
double lattice_density_of(double mass, const Box *box);
double lattice_density(const State *state);

/* Computes the cubic box in which nmol[] molecules have this density (g/cm^3). STATUS_INPUT: the density is
 * outside 0.001 to 5 g/cm^3. */
Status lattice_size(int nblock, const Kind *const *kind, const int *nmol, double density, Box *box,
                    Error *error);

/* Computes the number of molecules of `kind` that, with other molecules of mass `others` (g/mol), best gives
 * the box this density (g/cm^3). STATUS_INPUT: a density as above, no room for one molecule, or more than
 * 10^8 molecules. */
Status lattice_count(const Kind *kind, const Box *box, double others, double density, int *nmol,
                     Error *error);

#endif
