/* Forces inside a molecule: the kind's own potentials, as a force among others. Its Hessian is not offered
 * here: acceleration maps take it from the kind, in the shape (dense or banded) that they solve in. */
#ifndef HOLONOM_FORCEFIELDS_INTERNAL_H
#define HOLONOM_FORCEFIELDS_INTERNAL_H

#include "engine/force.h"

/* The force "internal" with the term "potential", any kinds and width. Errors: STATUS_MEMORY. */
Status internal_create(Force *force, const State *shape, Error *error);

#endif
