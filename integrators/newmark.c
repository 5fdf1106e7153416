#include "integrators/accel_hot.h"

/* The Gauss-Newton Hessian may be had for the iteration: it changes the way, not the solution. */
static Status newmark_create(void **self, const Kind *kind, const AccelOptions *options, Isa isa,
                             Error *error)
{
  Accel *accel;
  *self = NULL;
  TRY(accel_create(&accel, kind, options, ACCEL_NEWTON, isa, error));
  accel->own = true;
  *self = accel;
  return STATUS_OK;
}

const AccelMap accel_newmark = {
    .name = "newmark",
    .doc = "pushforward Newmark: a = -M^-1 grad V(x + beta h^2 a), solved to a tolerance; symplectic; "
           "molecules without forces between them",
    .cite = "Newmark (1959); Skeel, Zhang & Schlick (1997); Tao & Owhadi (2015), Integrator 2.2",
    .traits = ACCEL_ALONE | ACCEL_ITERATES | ACCEL_SYMPLECTIC,
    .create = newmark_create,
    .apply = accel_apply,
    .scratch = accel_scratch,
    .free = accel_free,
};
