/* The structures that a run writes: frames of trajectories, the final structure, and the last good one before
 * a fault. */
#ifndef HOLONOM_SIMULATION_MOLECULES_FRAMES_H
#define HOLONOM_SIMULATION_MOLECULES_FRAMES_H

#include "io/trajectory.h"
#include "simulation/molecules/system.h"

/* Makes an empty frame of the system. Errors: those of structure_shape. */
Status frames_shape(const Simulation *system, Frame *frame, Error *error);

/* Options for frames every `stride` steps, overwriting existing files. */
TrajectoryOptions frames_options(const Simulation *system, int64_t stride);

/* Fills a frame of a step from x[coordinates], ordered by molecule, velocities v (A per AKMA unit of time) or
 * NULL, and the box of that step; wrap: whole molecules are moved into the box. */
void frames_fill(const Simulation *system, const Box *box, bool wrap, int64_t step, const double *x,
                 const double *v, Frame *frame);

/* Writes replicas first to first + count - 1 to dir/name, one frame each, in the format of the suffix, with
 * all digits and (XYZ, GRO) velocities. batch[r / width] contains replica r. wrap: molecules are moved into
 * the box. */
Status frames_replicas(const Simulation *system, const Sample *batch, int first, int count, bool wrap,
                       const char *dir, const char *name, Error *error);

#endif
