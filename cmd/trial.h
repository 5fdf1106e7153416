/* Test-reads HDF5 files in a separate process: the HDF5 library can crash or hang when it reads a damaged
 * file that has no checksums. */
#ifndef HOLONOM_CMD_TRIAL_H
#define HOLONOM_CMD_TRIAL_H

#include "config/config.h"

/* Reads the header and the first frame of an HDF5 file; ignores other files. STATUS_INPUT: the process
 * crashed or hung. Other errors are left to the actual reader. */
Status trial_of(const char *path, Error *error);

/* Tests the file that a run starts from, if there is one. */
Status trial_of_start(const Config *config, Error *error);

#endif
