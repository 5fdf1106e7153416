/* Fills a periodic box with molecules of a file (topology/molecules.h), given the coordinates of one molecule
 * of each type. Copies are placed on a lattice (lattice.h), rotated at random, and moved apart (apart.h). */
#ifndef HOLONOM_SIMULATION_START_FILLING_H
#define HOLONOM_SIMULATION_START_FILLING_H

#include "engine/box.h"
#include "io/frame.h"
#include "io/molecules_join.h"
#include "topology/topology.h"

/* The box, by size or by density. */
typedef struct Filling {
  Box box;        /* zero volume: defined by density and shape */
  double density; /* g/cm^3 */
  BoxShape shape;
  uint64_t seed;
} Filling;

/* Finds the file with the coordinates of one molecule, next to its molecules file, with the same name and the
 * suffix .gro, .pdb or .xyz; for a molecule that the part names, that name is tried first. *path is in the
 * arena. STATUS_INPUT: there is no such file; `also` completes the message (", or ..."); STATUS_MEMORY. */
Status filling_find(const MoleculesPart *part, const char *also, Arena *arena, const char **path,
                    Error *error);

/* Reads one molecule, unbroken, into x[natom][3] in the order of its atoms; virtual sites get zeros. The file
 * contains all atoms, or all except virtual sites, by name or element. Errors: STATUS_INPUT with the file:
 * other atoms, or two atoms at one place; those of trajectory_open. */
Status filling_read(const Molecule *m, const char *path, double (*x)[3], Error *error);

/* Moves overlapping molecules of the state's box apart (apart.h), x[atoms of the topology][3]. STATUS_INPUT:
 * they still overlap; STATUS_MEMORY. */
Status filling_apart(const Topology *topology, const State *state, double (*x)[3], Error *error);

/* Fills a frame with molecules->count molecules in file order, without virtual sites: elements, positions and
 * box, each molecule whole. x[nmolecule]: coordinates of each molecule type. The same seed gives the same
 * bits. Constrained distances of the file have their lengths. Errors: those of groups_create, lattice_size
 * and lattice_fill. */
Status filling_place(const Molecules *molecules, const double (*const *x)[3], const Filling *filling,
                     Frame *frame, Error *error);

#endif
