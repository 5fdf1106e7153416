#include "integrators/constraints.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/jacobian.h"
#include "integrators/constraint_methods.h"

static const ConstraintMethod settle = {
    .name = "settle",
    .doc = "rigid three-site water, analytically (solver settle), momenta projected after every step",
    .cite = "Miyamoto & Kollman, J. Comput. Chem. 13, 952 (1992)",
    .lazy = false,
    .solver = "settle",
};

static const ConstraintMethod rattle = {
    .name = "rattle",
    .doc = "any constraints, momenta projected after every step",
    .cite = "Andersen, J. Comput. Phys. 52, 24 (1983)",
    .lazy = false,
};

static const ConstraintMethod shake = {
    .name = "shake",
    .doc = "any constraints, momenta projected only where needed",
    .cite = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)",
    .lazy = true,
};

const ConstraintMethod *const constraint_methods[] = {&settle, &rattle, &shake, NULL};

const ConstraintSolver *const constraint_solvers[] = {&constraint_settle, &constraint_newton,
                                                      &constraint_gauss_seidel, &constraint_milc, NULL};

const ConstraintMethod *constraint_method_find(const char *name)
{
  for (const ConstraintMethod *const *row = constraint_methods; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}

const ConstraintSolver *constraint_solver_find(const char *name)
{
  for (const ConstraintSolver *const *row = constraint_solvers; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}

/* Both solvers use Newton's method. In chains of three and more constraints the tridiagonal one is faster
 * (measured time per link: 54 ns against 71 for 3, 60 against 300 for 16, 66 against 140 for 1,000). */
static const ConstraintSolver *own_solver(const ConstraintMethod *method, const Kind *kind)
{
  if (method->solver != NULL)
    return constraint_solver_find(method->solver);
  return kind->ncon > 2 && constraint_milc.fits(kind) ? &constraint_milc : &constraint_newton;
}

Status constraint_solver_choose(const ConstraintSolver **solver, const ConstraintMethod *method,
                                const char *name, const Kind *kind, Error *error)
{
  *solver = NULL;
  const bool given = name != NULL && strcmp(name, "auto") != 0;
  const ConstraintSolver *found = given ? constraint_solver_find(name) : own_solver(method, kind);
  if (found == NULL)
    return error_input(error, "solver", "unknown constraint solver '%s'", name);
  if (given && method->solver != NULL && strcmp(name, method->solver) != 0)
    return error_input(error, "solver",
                       "the constraint method '%s' uses solver '%s'; for solver '%s' use rattle or shake",
                       method->name, method->solver, name);
  if (!found->fits(kind))
    return error_input(error, given ? "solver" : "constraints",
                       "the constraint %s '%s' does not fit the kind '%s': it is for %s; use %s",
                       given ? "solver" : "method", found->name, kind->name, found->cases,
                       given ? "newton" : "rattle or shake");
  *solver = found;
  return STATUS_OK;
}

Status constraint_check(const ConstraintOptions *options, Error *error)
{
  if (!(options->tolerance > 0.0) || !isfinite(options->tolerance))
    return error_set(error, STATUS_INPUT, "the constraints' tolerance must be positive, not %g",
                     options->tolerance);
  if (options->max_iterations < 1)
    return error_set(error, STATUS_INPUT, "the constraint solver needs at least 1 iteration, not %d",
                     options->max_iterations);
  return STATUS_OK;
}

unsigned constraint_positions(const void *self, double t, const Vec8 *q_old, Pack *pack, Vec8 *nu_out)
{
  ConstraintKernel *const *const own = self;
  return (*own)(self, t, q_old, pack, nu_out);
}

size_t constraint_numbers_size(const Kind *kind) { return (size_t)kind->nsite + 2 * (size_t)kind->ncon; }

void constraint_numbers(const Kind *kind, const ConstraintOptions *options, double *memory,
                        ConstraintNumbers *numbers)
{
  double *inverse_mass = memory, *limit = memory + kind->nsite, *rounding = limit + kind->ncon;
  jacobian_inverse_mass(kind, NULL, inverse_mass);
  for (int c = 0; c < kind->ncon; c++) {
    const double scale = constraint_scale(&kind->con[c]);
    limit[c] = options->tolerance * scale;
    rounding[c] = 4.0 * DBL_EPSILON * sqrt(scale);
  }
  *numbers = (ConstraintNumbers){options->max_iterations, inverse_mass, limit, rounding};
}
