/* What a frame's atoms are: water molecules and single atoms for a start configuration, oxygens for a
 * distribution.
 *
 * Sorted by names (io/atom_name.h, which knows those of GROMACS, CHARMM and Amber); a residue of another name
 * is refused, so that a C-alpha is no calcium. Files that have neither get residues and names from elements
 * alone. */
#ifndef HOLONOM_IO_STRUCTURE_H
#define HOLONOM_IO_STRUCTURE_H

#include <stdbool.h>

#include "engine/state.h"
#include "io/frame.h"
#include "topology/topology.h"

enum { STRUCTURE_SPECIES = 63 }; /* at most */

/* All molecules of one kind, in the file's order. */
typedef struct StructureGroup {
  int nmol, nsite;
  double *x; /* [nmol][nsite][dim] angstrom                       */
  double *v; /* likewise, angstrom/ps; NULL where the file has none */
  int *atom; /* [nmol][nsite] the frame's atoms, from 0           */
} StructureGroup;

/* A frame as molecules by kind. */
typedef struct Structure {
  int ngroup;
  StructureGroup *group; /* [0] waters O, H, H; [1 + s] the atoms of species s, one site each */
  Box box;               /* all zero: a cluster                                               */
} Structure;

/* Waters in the order O H H and single atoms of the nspecies species named ("Na+", "Cl-", "Ar"). Oxygens may
 * be called O, OW, OH or OT, hydrogens H, HW or HT, each with or without digits; massless charge sites (M,
 * MW, X, EP, EPW, LP, IW, DU) are left out. An atom belongs to the first species whose element its name
 * stands for, with or without charge, in capitals or not, or in the way of CHARMM (SOD, CLA, POT); its
 * residue must be named alike, or stand for anything (none, ION, UNK, MOL). In a box, hydrogens are moved to
 * the image next to their oxygen; otherwise nothing is moved. A group may be empty, all of them may not.
 * STATUS_INPUT with atom, residue and line: no names, another atom, naming what is known, or another order, a
 * coordinate that is not finite, an O-H distance outside 0.5 to 2 A; and for a box that box_set refuses;
 * STATUS_MEMORY. `path` is for the messages. *structure is empty after an error. */
Status structure_molecules(const Frame *frame, const char *path, int nspecies, const char *const *species,
                           Structure *structure, Error *error);
void structure_free(Structure *structure);

/* The same of a cluster: the frame's box, if it has one, only makes molecules whole, and may have any form.
 */
Status structure_cluster(const Frame *frame, const char *path, int nspecies, const char *const *species,
                         Structure *structure, Error *error);

/* The box of a frame. STATUS_INPUT if it has none (zeros in a GRO file mean that, too), or one that box_set
 * refuses. */
Status structure_box(const Frame *frame, const char *path, Box *box, Error *error);

/* Gives a frame that box. */
void structure_set_box(const Box *box, Frame *frame);

/* The other way round: room for the molecules of a topology in a frame, with names (elements as symbols) and
 * the box. STATUS_MEMORY. */
Status structure_shape(const Topology *topology, const Box *box, Frame *frame, Error *error);

/* Positions x[natom][3] and velocities v[natom][3] (A per AKMA time; NULL: none) of such molecules into a
 * frame made by structure_shape; box: each is moved into it, whole; NULL: they stay where they are. */
void structure_fill(const Topology *topology, const Box *box, const double *x, const double *v, Frame *frame);

/* All of it from a state of width 1, molecules in its box. STATUS_MEMORY. */
Status structure_frame(const Topology *topology, const State *state, Frame *frame, Error *error);

/* Indices (from 0) of the frame's oxygens by name, any other atoms allowed; *index is one malloc that the
 * caller frees. sites > 0: no names are needed, every sites-th atom from the first on is one (DCD and XTC
 * files of water). STATUS_INPUT: no names and sites is 0, natoms no multiple of sites, no oxygen;
 * STATUS_MEMORY. *index is NULL after an error. */
Status structure_oxygens(const Frame *frame, int sites, int **index, int *n, Error *error);

#endif
