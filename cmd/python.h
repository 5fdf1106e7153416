/* Finds a Python interpreter and runs modules of the holonom package in it (holonom.gallery,
 * holonom.importer). */
#ifndef HOLONOM_CMD_PYTHON_H
#define HOLONOM_CMD_PYTHON_H

#include "base/status.h"

/* Finds an interpreter with all packages (at most four, ended by NULL): $HOLONOM_PYTHON if set, else the
 * first of python3 and Debian's. The caller frees *python. Sets the environment so that Python finds this
 * program's package, library and pictures, and no modules of the current folder. STATUS_INPUT: no
 * interpreter, or which packages are missing and how to install them; `who` begins the message, as in "the
 * gallery's scripts need". */
Status python_find(const char *who, const char *const *package, char **python, Error *error);

/* Replaces the program by Python running a module, with arguments ended by NULL; returns only after an
 * error. Python does not search the current folder for modules. */
Status python_become(const char *python, const char *module, const char *const *argument, Error *error);

#endif
