/* The structures that a run writes: frames of trajectories, the final structure, the last good one before a
 * fault. */
#ifndef HOLONOM_SIMULATION_MOLECULES_FRAMES_H
#define HOLONOM_SIMULATION_MOLECULES_FRAMES_H

#include "io/trajectory.h"
#include "simulation/molecules/system.h"

/* A frame of such a system, to be filled. Errors: those of structure_shape. */
Status frames_shape(const Simulation *system, Frame *frame, Error *error);

/* With frames every so many steps, written over what is there. */
TrajectoryOptions frames_options(const Simulation *system, int64_t stride);

/* Of a step from x[coordinates], in the order of molecules, and velocities (A per AKMA time) unless NULL: in
 * periodic boxes with the box, that of the step; wrap: molecules moved into it whole. */
void frames_fill(const Simulation *system, const Box *box, bool wrap, int64_t step, const double *x,
                 const double *v, Frame *frame);

/* Writes `count` replicas from `first` on as dir/name, a frame each, the format by the suffix, with all
 * digits and (XYZ, GRO) velocities. batch[r / width] has replica r. wrap: in boxes molecules are moved into
 * the box.
 */
Status frames_replicas(const Simulation *system, const Sample *batch, int first, int count, bool wrap,
                       const char *dir, const char *name, Error *error);

#endif
