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

/* The molecules of a frame. */
typedef struct Structure {
  int nspecies;
  int nmol[1 + STRUCTURE_SPECIES]; /* [0] waters; [1 + s] atoms of species s */
  int natom;
  int *atom;      /* [natom] indices in the frame: waters as O H H, then each species, in the file's order */
  double (*x)[3]; /* positions in the frame's order, angstrom, with whole molecules */
} Structure;

/* Finds waters (O H H) and atoms of the nspecies species named ("Na+", "Cl-", "Ar").
 *
 * Oxygens may be called O, OW, OH or OT, hydrogens H, HW or HT, each with or without digits; massless
 * charge sites (M, MW, X, EP, EPW, LP, IW, DU) are left out. Any other atom belongs to the first species
 * of the same element, whatever the charge and case, or CHARMM's name (SOD, CLA, POT); its residue must be
 * named alike, or have a name for any atom (none, ION, UNK, MOL). If the frame has a box, of any form,
 * hydrogens move to the image next to their oxygen; nothing else moves.
 *
 * STATUS_INPUT with atom, residue and line: no names, an unknown atom (with the known ones), another
 * order, a coordinate that is not finite, an O-H distance outside 0.5 to 2 A, no molecules; STATUS_MEMORY.
 * `path` is for messages. *structure is empty after an error. */
Status structure_find(const Frame *frame, const char *path, int nspecies, const char *const *species,
                      Structure *structure, Error *error);
void structure_free(Structure *structure);

/* Where the atoms of group 0 (waters) or 1 + s (species s) begin in `atom`. */
int structure_first(const Structure *structure, int group);

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
