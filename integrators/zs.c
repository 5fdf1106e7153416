/* Zhang and Skeel's method in full. It is the kick by -grad U of
 *   U(x) = V + beta h^2 a.grad V + 1/2 beta h^2 a'M a + 1/2 beta^2 h^4 a'Hess V a
 * at its stationary a, (M + beta h^2 Hess V) a = -grad V, hence symplectic; and since a is stationary,
 *   grad U = grad V + beta h^2 Hess V a + 1/2 beta^2 h^4 D3V[a, a] = -M a + 1/2 beta^2 h^4 D3V[a, a]. */
#include "integrators/accel_hot.h"

static Status zs_create(void **self, const Kind *kind, const AccelOptions *options, Isa isa, Error *error)
{
  *self = NULL;
  if (options->hessian != HESSIAN_FULL && options->w > 0.0)
    return error_set(error, STATUS_INPUT,
                     "'zs' needs the full Hessian of the penalties: with the Gauss-Newton one there is no "
                     "potential that its kicks are the gradient of; take hessian: full, or zss");
  Accel *accel;
  TRY(accel_create(&accel, kind, options, ACCEL_LINEAR, isa, error));
  accel->own = accel->third = true;
  *self = accel;
  return STATUS_OK;
}

const AccelMap accel_zs = {
    .name = "zs",
    .doc = "Zhang-Skeel in full: M f = M a - 1/2 beta^2 h^4 D3V[a, a], (M + beta h^2 Hess V) a = -grad V; "
           "linearly implicit and symplectic; molecules without forces between them",
    .cite = "Zhang & Skeel, Appl. Numer. Math. 25, 297 (1997); Tao & Owhadi (2015), Integrator 1.1",
    .traits = ACCEL_ALONE | ACCEL_SYMPLECTIC,
    .create = zs_create,
    .apply = accel_apply,
    .scratch = accel_scratch,
    .free = accel_free,
};
