/* The system of a structure file without an input file: waters of a model, ions and noble gases, recognised
 * by the names of their atoms. */
#ifndef HOLONOM_CMD_FILE_SYSTEM_H
#define HOLONOM_CMD_FILE_SYSTEM_H

#include "forcefields/water.h"
#include "io/frame.h"
#include "simulation/simulation.h"

/* Reads a structure file that names the atoms of files without names (DCD, XTC). STATUS_INPUT, STATUS_IO. */
Status file_system_read_names(const char *path, Frame *names, Error *error);

/* Adds names to a frame without names: from `names`, or if NULL, waters O H H. STATUS_INPUT: the number of
 * atoms differs. */
Status file_system_name(Frame *frame, const char *path, const Frame *names, const WaterModel *model,
                        Error *error);

/* Makes the system of a frame with names, in open space, with waters of the model and the parameters of
 * single atoms for that model (NULL: no water). STATUS_INPUT: water without a model, an atom without
 * parameters for the model, and the errors of structure_find; STATUS_MEMORY. */
Status file_system_create(Simulation **system, const Frame *frame, const char *path, const WaterModel *model,
                          Error *error);

#endif
