/* Private to this folder: the rows of the table in constraints.c, and what they share. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINT_METHODS_H
#define HOLONOM_INTEGRATORS_CONSTRAINT_METHODS_H

#include "integrators/constraints.h"

extern const ConstraintSolver constraint_settle, constraint_newton;

/* STATUS_INPUT for a tolerance or a number of iterations that is not positive. */
Status constraint_check(const ConstraintOptions *options, Error *error);

#endif
