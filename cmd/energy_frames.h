/* Computes the energy terms of an input file's start, or of each frame of a trajectory, for 'holonom
 * energy'. */
#ifndef HOLONOM_CMD_ENERGY_FRAMES_H
#define HOLONOM_CMD_ENERGY_FRAMES_H

#include "cmd/command.h"

typedef struct EnergyFrames {
  const char *input, *trajectory; /* NULL: the start of the input */
  const CommandSets *set;
  const char *csv, *forces; /* files; NULL: terms to standard output, no forces */
  bool force;               /* allows overwriting these files */
  bool kept;                /* moves atoms onto the constraints first */
  Box box;                  /* of all frames; zeros: the frames' own boxes */
} EnergyFrames;

/* Prints the terms of one start as lines 'name value', of several starts or a trajectory as a table. Errors
 * leave no file. STATUS_INPUT with file and frame, STATUS_IO, STATUS_MEMORY. */
Status energy_frames(const EnergyFrames *call, Error *error);

#endif
