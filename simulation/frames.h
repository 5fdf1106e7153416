/* The structures that a run writes: trajectories, the final structure, the last good one before a fault. */
#ifndef HOLONOM_SIMULATION_FRAMES_H
#define HOLONOM_SIMULATION_FRAMES_H

#include "io/trajectory.h"
#include "simulation/system.h"

enum { FRAMES_FORMATS = 2 }; /* in the order of the bits of output.trajectory */

/* How far trajectories had come at a checkpoint. All words of 8 bytes. */
typedef struct FramesMarks {
  TrajectoryMark trajectory[FRAMES_FORMATS];
} FramesMarks;

typedef struct Frames Frames;

/* Creates the trajectories that the configuration asks for in dir, or goes on with them at `marks` unless
 * that is NULL. */
Status frames_open(Frames **frames, const Simulation *system, const char *dir, const FramesMarks *marks,
                   Error *error);

/* STATUS_INPUT if a file is not there or shorter than at its mark, of step `saved`. */
Status frames_check(const char *dir, const FramesMarks *marks, int64_t saved, Error *error);

/* Appends a frame of a step from x[coordinates], kind after kind, and velocities (A per AKMA time) unless
 * NULL: in periodic boxes with the box, molecules moved into it whole, if the configuration says so. */
Status frames_write(Frames *frames, const double *x, const double *v, int64_t step, Error *error);

/* Brings the files down to the disk and says where they are. */
Status frames_mark(Frames *frames, FramesMarks *marks, Error *error);

/* Closes and frees; NULL is fine. */
Status frames_close(Frames *frames, Error *error);

/* Writes `count` replicas from `first` on as dir/name, a frame each, the format by the suffix, with all
 * digits and (XYZ, GRO) velocities. gang[r / width] has replica r. wrap: in boxes molecules are moved into
 * the box.
 */
Status frames_replicas(const Simulation *system, const State *const *gang, int first, int count, bool wrap,
                       const char *dir, const char *name, Error *error);

#endif
