#include <stdlib.h>

#include "integrators/gauss_seidel_hot.h"

ISA_DECLARE(GaussSeidelKernels, gauss_seidel_kernels_table);

static bool gauss_seidel_fits(const Kind *kind)
{
  (void)kind;
  return true;
}

static Status gauss_seidel_create(void **self, const Kind *kind, const ConstraintOptions *options, Isa isa,
                                  Error *error)
{
  static const GaussSeidelKernels *const table[ISA_COUNT] = ISA_TABLES(gauss_seidel_kernels_table);
  *self = NULL;
  const Status status = constraint_check(options, error);
  if (status != STATUS_OK)
    return status;
  GaussSeidel *s = calloc(1, sizeof *s + constraint_numbers_size(kind) * sizeof(double));
  if (s == NULL)
    return error_memory(error, "a constraint solver");
  constraint_numbers(kind, options, s->memory, &s->numbers);
  s->positions = table[isa]->positions;
  s->scratch = (size_t)kind->ncon * (CONSTRAINT_SITES * 3 + 1);
  *self = s;
  return STATUS_OK;
}

static size_t gauss_seidel_scratch(const void *self) { return ((const GaussSeidel *)self)->scratch; }

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
    .free = free,
};
