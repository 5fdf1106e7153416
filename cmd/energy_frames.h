/* holonom energy of an input file: terms of its start, or of each frame of a trajectory. */
#ifndef HOLONOM_CMD_ENERGY_FRAMES_H
#define HOLONOM_CMD_ENERGY_FRAMES_H

#include "cmd/command.h"

typedef struct EnergyFrames {
  const char *input, *trajectory; /* NULL: the frames that the input starts from */
  const CommandSets *set;
  const char *csv, *forces; /* files; NULL: terms go to standard output; forces are not wanted */
  bool force;               /* they may be written over                                        */
  bool kept;                /* atoms go onto constraints first                                 */
  Box box;                  /* of all frames; zeros: their own                                 */
} EnergyFrames;

/* Prints terms of one start as lines 'name value', of several and of a trajectory as a table. Errors:
 * STATUS_INPUT with file and frame, STATUS_IO, STATUS_MEMORY; no file is written then. */
Status energy_frames(const EnergyFrames *call, Error *error);

#endif
