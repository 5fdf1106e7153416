/* Formulas over the coordinates of one or two sites, as `data` of constraint_implicit and
 * potential_formula. */
#ifndef HOLONOM_FORMULA_IMPLICIT_H
#define HOLONOM_FORMULA_IMPLICIT_H

#include "formula/expression.h"

/* Parses a formula over x, y, z of one site, or x1, y1, z1, x2, y2, z2 of two (as many as there are
 * dimensions), and named constants. The caller owns it, and frees it after the constraint or potential that
 * has it as `data`. Errors: see expression_parse. */
Status implicit_formula(Expression **formula, const char *text, int dim, int nsite, int nconst,
                        const char *const *constant, const double *value, Error *error);

#endif
