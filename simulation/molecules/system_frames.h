/* Frames of files as positions of a system, in the order of its molecules. Atoms of molecules of a file stand
 * in the order of that file, which names check; built-in water and single atoms may stand in any order and
 * are recognised by their elements (io/structure.h), where the frame has names. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_FRAMES_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_FRAMES_H

#include "simulation/molecules/system.h"

/* Boxes are the same up to this share of their edges. */
#define SYSTEM_FRAMES_SAME 1e-6

/* Gives a frame of the start file the box of the input, where the input has one, and returns the box: zero in
 * open space. STATUS_INPUT with file, line and key: the two boxes differ; a box is missing; or the frame has
 * a box that the input does not mention, and would run without it. */
Status system_frames_box(const Simulation *system, Frame *frame, const char *path, Box *box, Error *error);

/* Reads all atoms of a frame of the start file, file[all atoms][3] in the order of the molecules, each
 * molecule whole; velocities, A/ps, likewise (NULL: not wanted), and the box. Frames of molecules of a file
 * hold all atoms, or all but virtual sites, which are then zero. STATUS_INPUT with file, line and key: other
 * atoms, or other names; no velocities where they are wanted; STATUS_MEMORY. */
Status system_frames_atoms(const Simulation *system, Frame *frame, const char *path, double (*file)[3],
                           double (*velocity)[3], Box *box, Error *error);

/* Reads the same as positions x[coordinates] and velocities v[coordinates] of atoms with mass. */
Status system_frames_start(const Simulation *system, Frame *frame, const char *path, double *x, double *v,
                           Box *box, Error *error);

/* Reads a frame of any other file, in this box, which is zero in open space. STATUS_INPUT without a key,
 * STATUS_MEMORY. */
Status system_frames_read(const Simulation *system, const Frame *frame, const char *path, const Box *box,
                          double *x, Error *error);

/* The molecules of a structure that begin with an atom of this symbol: one of the built-in atoms, or of
 * water. */
const StructureGroup *system_frames_group(const Structure *structure, const char *symbol);

/* Names all atoms of a frame of structure_shape, with their residues; built-in molecules leave it to the
 * format. */
void system_frames_name(const Simulation *system, Frame *frame);

#endif
