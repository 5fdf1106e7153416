/* SHAKE and RATTLE by Newton's method on all constraints of a molecule at once. The two are the same map
 * on the fibres of the constraint manifold; they differ in when momenta are projected. */
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

const ConstraintOps constraint_rattle = {
    .name = "rattle",
    .doc = "Newton's method on all constraints of a molecule, momenta projected after every step",
    .cite = "Andersen, J. Comput. Phys. 52, 24 (1983)",
    .lazy = false,
    .fits = mshake_fits,
    .create = mshake_create,
    .positions = mshake_positions,
    .free = free,
};

const ConstraintOps constraint_shake = {
    .name = "shake",
    .doc = "Newton's method on all constraints of a molecule, momenta projected only where needed",
    .cite = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977); matrix form: Kraeutler, van "
            "Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)",
    .lazy = true,
    .fits = mshake_fits,
    .create = mshake_create,
    .positions = mshake_positions,
    .free = free,
};
