/* Reads frames of files as positions of a system, ordered by molecule. Molecules of a molecules file must be
 * in its order, which is checked by names. Built-in water and single atoms may have any order, and are
 * recognised by element (io/structure.h) if the frame has names. */
#ifndef HOLONOM_SIMULATION_MOLECULES_SYSTEM_FRAMES_H
#define HOLONOM_SIMULATION_MOLECULES_SYSTEM_FRAMES_H

#include "simulation/molecules/system.h"
#include "topology/labels.h"

/* Relative tolerance for equal box edges. */
#define SYSTEM_FRAMES_SAME 1e-6

/* Sets the box of a start frame from the input, if it has one, and returns it; zero in open space.
 * STATUS_INPUT with file, line and key: the boxes differ; a box is missing; or the frame has a box that the
 * input would ignore. */
Status system_frames_box(const Simulation *system, Frame *frame, const char *path, Box *box, Error *error);

/* Reads all atoms of a start frame, file[all atoms][3], ordered by molecule, each molecule whole; velocities,
 * A/ps, likewise (NULL: not needed); and the box. Frames of described molecules contain all atoms, or all
 * except virtual sites, which get zeros. STATUS_INPUT with file, line and key: other atoms or names, or
 * missing velocities; STATUS_MEMORY. */
Status system_frames_atoms(const Simulation *system, Frame *frame, const char *path, double (*file)[3],
                           double (*velocity)[3], Box *box, Error *error);

/* Reads the same as positions x[coordinates] and velocities v[coordinates] of atoms with mass. */
Status system_frames_start(const Simulation *system, Frame *frame, const char *path, double *x, double *v,
                           Box *box, Error *error);

/* Reads a frame of another file, in this box, zero in open space. STATUS_INPUT without a key;
 * STATUS_MEMORY. */
Status system_frames_read(const Simulation *system, const Frame *frame, const char *path, const Box *box,
                          double *x, Error *error);

/* Finds the atoms of the system in a frame: from[k] is the index in the frame of the k-th atom of the
 * molecules, or -1 for a virtual site that the frame lacks. STATUS_INPUT without a key: other atoms, numbers
 * or names; STATUS_MEMORY. */
Status system_frames_order(const Simulation *system, const Frame *frame, const char *path, int *from,
                           Error *error);

/* The group of a structure (structure_first) whose molecules begin with an atom of this symbol: built-in
 * atoms, or water. */
int system_frames_group(const char *symbol);

/* Sets names and residues of all atoms in a frame of structure_shape; for built-in molecules the format sets
 * them. */
void system_frames_name(const Simulation *system, Frame *frame);

/* Adds to the labels of a molecule type, if it is built in, the names that GRO and PDB files show; they are
 * in the arena. STATUS_MEMORY. */
Status system_frames_names(const Simulation *system, LabelsSort *sort, Arena *arena, Error *error);

/* Creates the labels of the atoms of a topology of the system's groups, with these names. STATUS_MEMORY. */
Status system_frames_labels(const Simulation *system, const Topology *topology, Labels *labels, Error *error);

#endif
