/* Private to this folder: the rows of the solvers' table in constraints.c, and their common functions. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINT_METHODS_H
#define HOLONOM_INTEGRATORS_CONSTRAINT_METHODS_H

#include "integrators/constraints.h"

extern const ConstraintSolver constraint_settle, constraint_newton, constraint_gauss_seidel, constraint_milc;

/* ConstraintSolver.positions for an instruction set; the data of every solver begin with a pointer to its
 * own. */
typedef unsigned ConstraintKernel(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out);
ConstraintKernel constraint_positions;

/* The data of every iteration. */
typedef struct ConstraintNumbers {
  int max_iterations;
  const double *inverse_mass; /* [nsite]                                       */
  const double *limit;        /* [ncon] largest |g_c| accepted                 */
  const double *rounding;     /* [ncon] accepted rounding, times |q|           */
} ConstraintNumbers;

/* Errors: STATUS_INPUT (a tolerance or a number of iterations that is not positive). */
Status constraint_check(const ConstraintOptions *options, Error *error);

/* The number of doubles behind the numbers of a kind, and the function that fills them. */
size_t constraint_numbers_size(const Kind *kind);
void constraint_numbers(const Kind *kind, const ConstraintOptions *options, double *memory,
                        ConstraintNumbers *numbers);

#endif
