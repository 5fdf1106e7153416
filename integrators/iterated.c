/* The drift along the manifold by iterations on any constraints: Newton's method on all constraints of a
 * molecule at once, and sweeps. */
#include <stdlib.h>

#include "integrators/iterated_hot.h"
#include "integrators/triangle.h"

ISA_DECLARE(IteratedKernels, mshake_kernels_table);
ISA_DECLARE(IteratedKernels, gauss_seidel_kernels_table);

static bool iterated_fits(const Kind *kind)
{
  (void)kind;
  return true;
}

static void iterated_free(void *self)
{
  Iterated *s = self;
  if (s != NULL)
    jacobian_free(s->jacobian);
  free(s);
}

/* triangle: NULL if triangles have no kernel of their own. */
static Status create(void **self, ConstraintKernel *general, ConstraintKernel *triangle,
                     JacobianMatrix matrix, const Kind *kind, const ConstraintOptions *options, Isa isa,
                     Error *error)
{
  *self = NULL;
  TRY(constraint_check(options, error));
  Iterated *s = calloc(1, sizeof *s + constraint_numbers_size(kind) * sizeof(double));
  TRY_MEMORY(s != NULL, "a constraint solver", error);
  constraint_numbers(kind, options, s->memory, &s->numbers);
  if (triangle != NULL && kind_is_triangle(kind)) {
    triangle_pairs(s->numbers.inverse_mass, s->pair);
    s->positions = triangle;
  } else {
    TRY_ELSE(jacobian_create(&s->jacobian, kind, matrix, isa, error), free(s));
    s->positions = general;
  }
  *self = s;
  return STATUS_OK;
}

static Status newton_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                            Error *error)
{
  static const IteratedKernels *const table[ISA_COUNT] = ISA_TABLES(mshake_kernels_table);
  return create(self, table[isa]->general, table[isa]->triangle, JACOBIAN_GENERAL, kind, options, isa, error);
}

static Status gauss_seidel_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                                  Error *error)
{
  static const IteratedKernels *const table[ISA_COUNT] = ISA_TABLES(gauss_seidel_kernels_table);
  return create(self, table[isa]->general, NULL, JACOBIAN_NO_MATRIX, kind, options, isa, error);
}

static size_t newton_scratch(const void *self)
{
  const Jacobian *jac = ((const Iterated *)self)->jacobian;
  return jac != NULL ? (size_t)jac->kind->ncon * (2 * JACOBIAN_TOUCH + 2) + jacobian_scratch(jac) : 0;
}

static size_t gauss_seidel_scratch(const void *self)
{
  return (size_t)((const Iterated *)self)->jacobian->kind->ncon * (JACOBIAN_TOUCH + 1);
}

const ConstraintSolver constraint_newton = {
    .name = "newton",
    .doc = "Newton's method on all constraints of a molecule at once (M-SHAKE); band matrices for large "
           "molecules",
    .cite = "Kraeutler, van Gunsteren & Huenenberger, J. Comput. Chem. 22, 501 (2001)",
    .cases = "any constraints",
    .fits = iterated_fits,
    .create = newton_create,
    .positions = constraint_positions,
    .scratch = newton_scratch,
    .free = iterated_free,
};

const ConstraintSolver constraint_gauss_seidel = {
    .name = "gauss-seidel",
    .doc = "one constraint after the other, in sweeps until all are satisfied: the original iteration of "
           "SHAKE; slow for long chains",
    .cite = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)",
    .cases = "any constraints",
    .fits = iterated_fits,
    .create = gauss_seidel_create,
    .positions = constraint_positions,
    .scratch = gauss_seidel_scratch,
    .free = iterated_free,
};
