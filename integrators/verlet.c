#include "integrators/accel_hot.h"

static Status verlet_create(void **self, const Kind *kind, const AccelOptions *options, Isa isa, Error *error)
{
  Accel *accel;
  *self = NULL;
  TRY(accel_create(&accel, kind, options, ACCEL_NO_MATRIX, isa, error));
  if (options->w > 0.0)
    accel->apply = accel_kernels(isa)->verlet[kind_is_triangle(kind) ? 1 : 0];
  *self = accel;
  return STATUS_OK;
}

const AccelMap accel_verlet = {
    .name = "verlet",
    .doc = "M a = -grad V: the plain force, penalties included",
    .cite = "Verlet, Phys. Rev. 159, 98 (1967)",
    .traits = ACCEL_PLAIN | ACCEL_SYMPLECTIC,
    .create = verlet_create,
    .apply = accel_apply,
    .scratch = accel_scratch,
    .free = accel_free,
};
