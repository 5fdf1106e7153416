/* The drift along the manifold by Newton's method on all constraints of a molecule at once: with a dense
 * matrix in registers and the L1 cache for small molecules, with a band matrix for large ones. */
#include <stdlib.h>

#include "integrators/jacobian.h"
#include "integrators/mshake_hot.h"

ISA_DECLARE(MshakeKernels, mshake_kernels_table);

static const int always_dense = 8;

static bool mshake_fits(const Kind *kind)
{
  (void)kind;
  return true;
}

static void mshake_free(void *self)
{
  Mshake *s = self;
  if (s != NULL)
    gram_free(s->gram);
  free(s);
}

/* Dense, or the band where there are many constraints or it is narrow: of a ring of 16, half the time.
 */
static Status mshake_structure(Mshake *s, const Kind *kind, Error *error)
{
  if (kind->ncon <= always_dense)
    return STATUS_OK;
  const Status status = gram_create(&s->gram, kind, false, error);
  if (status != STATUS_OK || kind->ncon > JACOBIAN_CON || !s->gram->band->dense)
    return status;
  gram_free(s->gram);
  s->gram = NULL;
  return STATUS_OK;
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
    jacobian_triangle_pair(s->numbers.inverse_mass, s->pair);
    s->positions = table[isa]->triangle;
  } else {
    status = mshake_structure(s, kind, error);
    s->positions = s->gram != NULL ? table[isa]->banded : table[isa]->general;
    s->band = band_kernels(isa);
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
  const Mshake *s = self;
  if (s->gram == NULL)
    return 0;
  const Band *band = s->gram->band;
  const size_t n = (size_t)band->n;
  return (2 * CONSTRAINT_SITES * 3 + 3) * n + s->gram->size + band_exchange_scratch(band->n, band->half);
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
