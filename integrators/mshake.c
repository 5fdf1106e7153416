/* The drift along the manifold by Newton's method on all constraints of a molecule at once. */
#include <stdlib.h>

#include "integrators/mshake_hot.h"
#include "integrators/triangle.h"

ISA_DECLARE(MshakeKernels, mshake_kernels_table);

static bool mshake_fits(const Kind *kind)
{
  (void)kind;
  return true;
}

static void mshake_free(void *self)
{
  Mshake *s = self;
  if (s != NULL)
    jacobian_free(s->jacobian);
  free(s);
}

static Status mshake_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                            Error *error)
{
  static const MshakeKernels *const table[ISA_COUNT] = ISA_TABLES(mshake_kernels_table);
  *self = NULL;
  Status status = constraint_check(options, error);
  if (status != STATUS_OK)
    return status;
  Mshake *s = calloc(1, sizeof *s + constraint_numbers_size(kind) * sizeof(double));
  if (s == NULL)
    return error_memory(error, "a constraint solver");
  constraint_numbers(kind, options, s->memory, &s->numbers);
  if (kind_is_triangle(kind)) {
    triangle_pairs(s->numbers.inverse_mass, s->pair);
    s->positions = table[isa]->triangle;
  } else {
    status = jacobian_create(&s->jacobian, kind, JACOBIAN_GENERAL, isa, error);
    s->positions = table[isa]->general;
  }
  if (status != STATUS_OK) {
    mshake_free(s);
    return status;
  }
  *self = s;
  return STATUS_OK;
}

static size_t mshake_scratch(const void *self)
{
  const Jacobian *jac = ((const Mshake *)self)->jacobian;
  return jac != NULL ? (size_t)jac->kind->ncon * (2 * JACOBIAN_TOUCH + 2) + jacobian_scratch(jac) : 0;
}

static unsigned mshake_positions(const void *self, double t, const Octet *q_old, Pack *pack, Octet *nu_out)
{
  const Mshake *s = self;
  return s->positions(s, t, q_old, pack, nu_out);
}

const ConstraintSolver constraint_newton = {
    .name = "newton",
    .doc =
        "Newton's method on all constraints of a molecule at once (M-SHAKE); in large ones, by band matrices",
    .cite = "Kraeutler, van Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)",
    .cases = "any constraints",
    .fits = mshake_fits,
    .create = mshake_create,
    .positions = mshake_positions,
    .scratch = mshake_scratch,
    .free = mshake_free,
};
