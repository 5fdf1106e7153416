/* Finds the molecules of a frame: waters and single atoms for a start configuration, oxygens for a
 * distribution.
 *
 * Atoms are recognised by name (io/atom_name.h knows the names of GROMACS, CHARMM and Amber). A residue of
 * another name is an error, so that a C-alpha is not read as calcium. Files with neither names nor
 * residues get both from their elements. */
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
  double *x; /* [nmol][nsite][dim] angstrom */
  double *v; /* likewise, angstrom/ps; NULL: none in the file */
  int *atom; /* [nmol][nsite] indices in the frame, from 0 */
} StructureGroup;

/* A frame as molecules by kind. */
typedef struct Structure {
  int ngroup;
  StructureGroup *group; /* [0] waters O, H, H; [1 + s] the atoms of species s, one site each */
  Box box;               /* all zero: a cluster */
} Structure;

/* Sorts atoms into waters (O H H) and the nspecies species named ("Na+", "Cl-", "Ar").
 *
 * Oxygens may be called O, OW, OH or OT, hydrogens H, HW or HT, each with or without digits; massless
 * charge sites (M, MW, X, EP, EPW, LP, IW, DU) are left out. Any other atom belongs to the first species
 * of the same element, whatever the charge and case, or CHARMM's name (SOD, CLA, POT); its residue must be
 * named alike, or have a name for any atom (none, ION, UNK, MOL). In a box, hydrogens move to the image
 * next to their oxygen; nothing else moves. Some groups may be empty, but not all.
 *
 * STATUS_INPUT with atom, residue and line: no names, an unknown atom (with the known ones), another
 * order, a coordinate that is not finite, an O-H distance outside 0.5 to 2 A, a box that box_set refuses;
 * STATUS_MEMORY. `path` is for messages. *structure is empty after an error. */
Status structure_molecules(const Frame *frame, const char *path, int nspecies, const char *const *species,
                           Structure *structure, Error *error);
void structure_free(Structure *structure);

/* The same for a cluster: a box of the frame, of any form, only makes molecules whole. */
Status structure_cluster(const Frame *frame, const char *path, int nspecies, const char *const *species,
                         Structure *structure, Error *error);

/* The box of a frame. STATUS_INPUT if the frame has no box (zeros in a GRO file mean no box), or box_set
 * refuses it. */
Status structure_box(const Frame *frame, const char *path, Box *box, Error *error);

/* Sets the frame's box. */
void structure_set_box(const Box *box, Frame *frame);

/* Makes room for a topology's molecules in a frame and sets names (elements as symbols) and box.
 * STATUS_MEMORY. */
Status structure_shape(const Topology *topology, const Box *box, Frame *frame, Error *error);

/* Writes positions x[natom][3] and velocities v[natom][3] (A per AKMA time; NULL: none) into a frame of
 * structure_shape. Each molecule moves whole into the box; box NULL: nothing moves. */
void structure_fill(const Topology *topology, const Box *box, const double *x, const double *v, Frame *frame);

/* structure_shape and structure_fill for a state of width 1, with molecules in its box. STATUS_MEMORY. */
Status structure_frame(const Topology *topology, const State *state, Frame *frame, Error *error);

/* Indices (from 0) of the frame's oxygens by name, among any other atoms; the caller frees *index (one
 * malloc). sites > 0: without names, the first of every `sites` atoms (DCD and XTC files of water).
 * STATUS_INPUT: no names and sites is 0, natoms is not a multiple of sites, no oxygen; STATUS_MEMORY.
 * *index is NULL after an error. */
Status structure_oxygens(const Frame *frame, int sites, int **index, int *n, Error *error);

#endif
