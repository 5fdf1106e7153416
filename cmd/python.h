/* Commands whose work is done in Python (holonom.gallery, holonom.importer). */
#ifndef HOLONOM_CMD_PYTHON_H
#define HOLONOM_CMD_PYTHON_H

#include "base/status.h"

/* An interpreter that has all packages, up to four whose list NULL ends: $HOLONOM_PYTHON alone, or the first
 * of python3 and Debian's. Its path goes to *python, which the caller frees. Sets the environment so that it
 * finds this program's own package, library and pictures, and never looks for modules in the current folder.
 * STATUS_INPUT: there is none, or what it lacks and how to get it; `who` begins that sentence, as in "the
 * gallery's scripts need".
 */
Status python_find(const char *who, const char *const *package, char **python, Error *error);

/* Runs a module of Python in the program's place, with arguments whose list NULL ends; comes back with an
 * error alone. The current folder is not searched for modules.
 */
Status python_become(const char *python, const char *module, const char *const *argument, Error *error);

#endif
