/* Constraints and potentials given by a formula over the coordinates of one or two sites
 * (constraint_implicit, potential_formula): what their `data` is made by. */
#ifndef HOLONOM_FORMULA_IMPLICIT_H
#define HOLONOM_FORMULA_IMPLICIT_H

#include "formula/expression.h"

/* The formula over x, y, z of one site, or x1, y1, z1, x2, y2, z2 of two (as many as there are dimensions)
 * and named constants. The caller owns it, gives it to the constraint or
 * potential as `data`, and keeps it as long as they live. Errors: see expression_parse. */
Status implicit_formula(Expression **formula, const char *text, int dim, int nsite, int nconst,
                        const char *const *constant, const double *value, Error *error);

#endif
