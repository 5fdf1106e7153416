/* The entry for H5MD in builds without HDF5. */
#include "io/trajectory_format.h"

#ifndef HOLONOM_HDF5
static bool matches_nothing(const char *head, size_t size)
{
  (void)head;
  (void)size;
  return false;
}

const TrajectoryFormat h5md_format = {
    .name = "h5md",
    .suffixes = ".h5 .h5md .hdf5",
    .doc = "H5MD: not in this build, since HDF5 was missing",
    .matches = matches_nothing,
    .traits = TRAJECTORY_VELOCITIES | TRAJECTORY_NUMBERS | TRAJECTORY_TOGETHER | TRAJECTORY_NAMES,
};
#endif
