/* The drift along the manifold by Newton's method on all constraints of a molecule at once. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "integrators/constraint_methods.h"
#include "integrators/jacobian.h"
#include "integrators/mshake_hot.h"

ISA_DECLARE(MshakeKernels, mshake_kernels_table);

static bool mshake_fits(const Kind *kind) { return kind->ncon <= JACOBIAN_CON; }

static Status mshake_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                            Error *error)
{
  static const MshakeKernels *const table[ISA_COUNT] = ISA_TABLES(mshake_kernels_table);
  *self = NULL;
  Status status = jacobian_check(kind, error);
  if (status == STATUS_OK)
    status = constraint_check(options, error);
  if (status != STATUS_OK)
    return status;
  const size_t nsite = (size_t)kind->nsite, ncon = (size_t)kind->ncon;
  Mshake *s = calloc(1, sizeof *s + (nsite + 2 * ncon) * sizeof(double));
  if (s == NULL)
    return error_memory(error, "a constraint solver");
  double *inverse_mass = s->memory, *limit = s->memory + nsite, *rounding = limit + ncon;
  jacobian_inverse_mass(kind, NULL, inverse_mass);
  for (size_t c = 0; c < ncon; c++) {
    const double scale = constraint_scale(&kind->con[c]);
    limit[c] = options->tolerance * scale;
    rounding[c] = 4.0 * DBL_EPSILON * sqrt(scale);
  }
  s->inverse_mass = inverse_mass;
  s->limit = limit;
  s->rounding = rounding;
  s->max_iterations = options->max_iterations;
  if (kind_is_triangle(kind))
    jacobian_triangle_pair(inverse_mass, s->pair);
  s->positions = kind_is_triangle(kind) ? table[isa]->triangle : table[isa]->general;
  *self = s;
  return STATUS_OK;
}

static unsigned mshake_positions(const void *self, double t, const vd *q_old, Pack *pack, vd *nu_out)
{
  const Mshake *s = self;
  return s->positions(s, t, q_old, pack, nu_out);
}

const ConstraintSolver constraint_newton = {
    .name = "newton",
    .doc = "Newton's method on all constraints of a molecule at once (M-SHAKE)",
    .cite = "Kraeutler, van Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)",
    .cases = "any constraints",
    .fits = mshake_fits,
    .create = mshake_create,
    .positions = mshake_positions,
    .free = free,
};
