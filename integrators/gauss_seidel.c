#include <stdlib.h>

#include "integrators/gauss_seidel_hot.h"

ISA_DECLARE(GaussSeidelKernels, gauss_seidel_kernels_table);

static bool gauss_seidel_fits(const Kind *kind)
{
  (void)kind;
  return true;
}

static void gauss_seidel_free(void *self)
{
  GaussSeidel *s = self;
  if (s != NULL)
    jacobian_free(s->jacobian);
  free(s);
}

static Status gauss_seidel_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                                  Error *error)
{
  static const GaussSeidelKernels *const table[ISA_COUNT] = ISA_TABLES(gauss_seidel_kernels_table);
  *self = NULL;
  Status status = constraint_check(options, error);
  if (status != STATUS_OK)
    return status;
  GaussSeidel *s = calloc(1, sizeof *s + constraint_numbers_size(kind) * sizeof(double));
  if (s == NULL)
    return error_memory(error, "a constraint solver");
  constraint_numbers(kind, options, s->memory, &s->numbers);
  s->positions = table[isa]->positions;
  status = jacobian_create(&s->jacobian, kind, JACOBIAN_NO_MATRIX, isa, error);
  if (status != STATUS_OK) {
    gauss_seidel_free(s);
    return status;
  }
  *self = s;
  return STATUS_OK;
}

static size_t gauss_seidel_scratch(const void *self)
{
  return (size_t)((const GaussSeidel *)self)->jacobian->kind->ncon * (JACOBIAN_TOUCH + 1);
}

static unsigned gauss_seidel_positions(const void *self, double t, const Octet *q_old, Pack *pack,
                                       Octet *nu_out)
{
  const GaussSeidel *s = self;
  return s->positions(s, t, q_old, pack, nu_out);
}

const ConstraintSolver constraint_gauss_seidel = {
    .name = "gauss-seidel",
    .doc =
        "one constraint after the other, in sweeps until all are met: the original iteration of SHAKE; slow "
        "for long chains",
    .cite = "Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)",
    .cases = "any constraints",
    .fits = gauss_seidel_fits,
    .create = gauss_seidel_create,
    .positions = gauss_seidel_positions,
    .scratch = gauss_seidel_scratch,
    .free = gauss_seidel_free,
};
