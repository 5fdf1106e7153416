/* A periodic box filled with molecules of a file (topology/molecules.h), from the coordinates of one of each:
 * on the lattice of simulation/start/lattice.h, each copy turned at random, and moved apart where they
 * overlap (simulation/start/apart.h). */
#ifndef HOLONOM_SIMULATION_START_FILLING_H
#define HOLONOM_SIMULATION_START_FILLING_H

#include "engine/box.h"
#include "io/frame.h"
#include "io/molecules_join.h"
#include "topology/topology.h"

/* The box: of this size, or of this density. */
typedef struct Filling {
  Box box;        /* no volume: by density and shape */
  double density; /* g/cm^3                          */
  BoxShape shape;
  uint64_t seed;
} Filling;

/* Finds the file with the coordinates of one molecule: beside its file of molecules, with that name and the
 * suffix .gro, .pdb or .xyz; of a molecule that the part names, first with that name. *path is in the arena.
 * STATUS_INPUT: there is none, `also` being what else the caller takes, ", or ..."; STATUS_MEMORY. */
Status filling_find(const MoleculesPart *part, const char *also, Arena *arena, const char **path,
                    Error *error);

/* The coordinates of one molecule from a file, x[natom][3] in the order of its atoms, in one piece, those of
 * virtual sites zero. The file holds all its atoms, or all but virtual sites, under their names or elements.
 * Errors: STATUS_INPUT with the file: other atoms, two in one place; those of trajectory_open. */
Status filling_read(const Molecule *m, const char *path, double (*x)[3], Error *error);

/* Moves molecules apart that overlap in the box of the state, x[atoms of the topology][3], each as a whole
 * (apart.h). STATUS_INPUT: they do not come apart; STATUS_MEMORY. */
Status filling_apart(const Topology *topology, const State *state, double (*x)[3], Error *error);

/* All molecules of molecules->count in the order of the file, virtual sites left out: elements, positions and
 * the box in a frame, each molecule whole. x[nmolecule]: coordinates of each. The same seed gives the same
 * bits. A distance that the file keeps has its length. Errors: those of groups_create, lattice_size and
 * lattice_fill. */
Status filling_place(const Molecules *molecules, const double (*const *x)[3], const Filling *filling,
                     Frame *frame, Error *error);

#endif
