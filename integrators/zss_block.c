#include "integrators/accel_hot.h"

static Status zss_block_create(void **self, const Kind *kind, const AccelOptions *options, Isa isa,
                               Error *error)
{
  Accel *accel;
  *self = NULL;
  TRY(accel_create(&accel, kind, options, ACCEL_LINEAR, isa, error));
  accel->own = true;
  *self = accel;
  return STATUS_OK;
}

const AccelMap accel_zss_block = {
    .name = "zss-block",
    .doc = "simplified Zhang-Skeel with the molecule's own block of Hess V0, its potentials and that of the "
           "forces between molecules: (M + beta h^2 (Hess V1 + block of Hess V0)) a = -grad V; of a lone "
           "molecule the whole Hessian",
    .cite = "Tao & Owhadi, IMA J. Numer. Anal. (2015), Integrators 2.3 and 2.6",
    .traits = ACCEL_HESS_BLOCK,
    .create = zss_block_create,
    .apply = accel_apply,
    .scratch = accel_scratch,
    .free = accel_free,
};
