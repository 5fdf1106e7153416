/* Forces inside a group: the potentials of its kind, as one force of the field. Acceleration maps get the
 * Hessian from the kind, dense or banded as they solve it. */
#ifndef HOLONOM_FORCEFIELDS_INTERNAL_H
#define HOLONOM_FORCEFIELDS_INTERNAL_H

#include "engine/force.h"

/* The force "internal" with the term "potential", any kinds and width. Errors: STATUS_MEMORY. */
Status internal_create(Force *force, const State *shape, Error *error);

#endif
