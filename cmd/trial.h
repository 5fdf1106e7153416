/* HDF5 breaks down, or comes to no end, on some damaged files of other programs, whose descriptions have no
 * checksums: commands first read such a file in a process of its own. */
#ifndef HOLONOM_CMD_TRIAL_H
#define HOLONOM_CMD_TRIAL_H

#include "config/config.h"

/* The head and the first frame of a file of HDF5; other files are not looked at. STATUS_INPUT: the process
 * broke down. What else is wrong with it, those who read it say. */
Status trial_of(const char *path, Error *error);

/* The same of the file that a run starts from, if there is one. */
Status trial_of_start(const Config *config, Error *error);

#endif
