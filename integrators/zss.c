#include "integrators/accel_hot.h"

/* Without penalties the matrix is M, and M a = f. With the Gauss-Newton Hessian there is the update of rank
 * ncon; with the full one triangles have theirs, and the rest goes by the whole matrix. */
static Status zss_create(void **self, const Kind *kind, const AccelOptions *options, Isa isa, Error *error)
{
  const bool triangle = kind_is_triangle(kind), full = options->hessian == HESSIAN_FULL;
  const bool update = triangle || !full;
  const bool idle = !(options->w > 0.0) || kind->ncon == 0;
  const AccelKernels *kernels = accel_kernels(isa);
  Accel *accel;
  *self = NULL;
  TRY(accel_create(&accel, kind, options, idle || update ? ACCEL_NO_MATRIX : ACCEL_LINEAR, isa, error));
  if (update && !idle) {
    if (!triangle)
      TRY_ELSE(jacobian_create(&accel->jacobian, kind, JACOBIAN_SYMMETRIC, isa, error), accel_free(accel));
    accel->apply = full ? kernels->full_triangle : kernels->gauss_newton[triangle ? 1 : 0];
  }
  *self = accel;
  return STATUS_OK;
}

const AccelMap accel_zss = {
    .name = "zss",
    .doc = "simplified Zhang-Skeel for stiff systems: (M + beta h^2 Hess V1) a = -grad V, V1 the penalties",
    .cite = "Tao & Owhadi, IMA J. Numer. Anal. (2015), Integrator 2.6",
    .create = zss_create,
    .apply = accel_apply,
    .scratch = accel_scratch,
    .free = accel_free,
};
