/* Private to this folder: the rows of the solvers' table in constraints.c, and what they share. */
#ifndef HOLONOM_INTEGRATORS_CONSTRAINT_METHODS_H
#define HOLONOM_INTEGRATORS_CONSTRAINT_METHODS_H

#include "integrators/constraints.h"

extern const ConstraintSolver constraint_settle, constraint_newton, constraint_gauss_seidel, constraint_milc;

/* ConstraintSolver.positions of an instruction set; every solver's self begins with a pointer to its own. */
typedef unsigned ConstraintKernel(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out);
ConstraintKernel constraint_positions;

/* What every iteration asks for. */
typedef struct ConstraintNumbers {
  int max_iterations;
  const double *inverse_mass; /* [nsite]                                       */
  const double *limit;        /* [ncon] largest |g_c| accepted                 */
  const double *rounding;     /* [ncon] but never less than this times |q|     */
} ConstraintNumbers;

/* STATUS_INPUT for a tolerance or a number of iterations that is not positive. */
Status constraint_check(const ConstraintOptions *options, Error *error);

/* Doubles behind the numbers of a kind, and filling them. */
size_t constraint_numbers_size(const Kind *kind);
void constraint_numbers(const Kind *kind, const ConstraintOptions *options, double *memory,
                        ConstraintNumbers *numbers);

#endif
