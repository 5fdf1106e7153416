/* What a frame's atoms are: water molecules for a start configuration, oxygens for a distribution. */
#ifndef HOLONOM_IO_STRUCTURE_H
#define HOLONOM_IO_STRUCTURE_H

#include "io/frame.h"

/* The water molecules of a frame in the order O H H: *x is [*nmol][site O, H, H][dim] in angstrom, one malloc
 * that the caller frees. Oxygens may be called O, OW, OH or OT, hydrogens H, HW or HT, each with or without
 * digits; massless charge sites (M, MW, X, EP, EPW, LP, IW, DU) are left out. In a box, hydrogens
 * are moved to the image next to their oxygen. STATUS_INPUT with atom, residue and line: no names, another
 * atom or order, a coordinate that is not finite, an O-H distance outside 0.5 to 2 A; STATUS_MEMORY. `path`
 * is for the messages. *x is NULL after an error. */
Status structure_waters(const Frame *frame, const char *path, double (**x)[3][3], int *nmol, Error *error);

/* Indices (from 0) of the frame's oxygens by name, any other atoms allowed; *index is one malloc that the
 * caller frees. sites > 0: no names are needed, every sites-th atom from the first on is one (DCD files of
 * water). STATUS_INPUT: no names and sites is 0, natoms no multiple of sites, no oxygen; STATUS_MEMORY.
 * *index is NULL after an error. */
Status structure_oxygens(const Frame *frame, int sites, int **index, int *n, Error *error);

#endif
