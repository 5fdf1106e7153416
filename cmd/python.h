/* Commands whose work is done in Python (holonom.gallery, holonom.importer). */
#ifndef HOLONOM_CMD_PYTHON_H
#define HOLONOM_CMD_PYTHON_H

#include "engine/status.h"

/* An interpreter that has all packages, up to four whose list NULL ends: $HOLONOM_PYTHON alone, or the first
 * of python3 and Debian's. Tells it by the environment where this program's own package, library and pictures
 * are. STATUS_INPUT: there is none, or what it lacks; `who` begins that sentence, as in "the gallery's
 * scripts need".
 */
Status python_find(const char *who, const char *const *package, const char **python, Error *error);

/* Takes the program's place, argv[0] being the interpreter and NULL the end; comes back with an error alone.
 */
Status python_become(const char *const *argv, Error *error);

#endif
