#include "thermostat/ou.h"

#include <math.h>
#include <stdlib.h>

ISA_DECLARE(OuKernels, ou_kernels_table);

const OuKernels *ou_kernels(Isa isa) { return ISA_PICK(ou_kernels_table, isa); }

/* 16 bits of the counter number the chunks of four components. */
static const int components_max = 4 * 65536;

static Status ou_check(const Kind *kind, double gamma, double t, double kT, Error *error)
{
  if (!(gamma >= 0.0))
    return error_input(error, "friction", "the friction must be zero or positive, not %g", gamma);
  if (!(t >= 0.0))
    return error_set(error, STATUS_INPUT, "the thermostat's time must be at least 0, not %g", t);
  if (!(kT >= 0.0 && isfinite(kT)))
    return error_input(error, "temperature", "the temperature kT must be zero or positive, not %g", kT);
  if (kind->nsite > components_max / kind->dim)
    return error_set(
        error, STATUS_INPUT,
        "the thermostat allows at most %d coordinates per molecule; '%s' has %d sites in %d dimensions",
        components_max, kind->name, kind->nsite, kind->dim);
  return STATUS_OK;
}

Status ou_create(Ou **ou, const Kind *kind, Friction friction, double gamma, double t, double kT,
                 Error *error)
{
  *ou = NULL;
  TRY(ou_check(kind, gamma, t, kT, error));
  const size_t nsite = (size_t)kind->nsite;
  Ou *o = malloc(sizeof *o + 3 * nsite * sizeof(double));
  TRY_MEMORY(o != NULL, "the thermostat", error);
  double *memory = (double *)(o + 1);
  *o = (Ou){.nsite = kind->nsite,
            .dim = kind->dim,
            .decay = memory,
            .noise = memory + nsite,
            .weight = memory + 2 * nsite,
            .friction = friction,
            .gamma = gamma,
            .t = t,
            .kT = kT};
  double sum = 0.0;
  for (size_t s = 0; s < nsite; s++) {
    const double rate = friction == FRICTION_UNIFORM ? gamma / kind->mass[s] : gamma;
    /* A draw does not depend on friction, and a time of zero leaves momenta unchanged. */
    const double x = isinf(t) ? t : (t > 0.0 ? rate * t : 0.0);
    sum += x;
    o->decay[s] = exp(-x);
    o->noise[s] = sqrt(-expm1(-2.0 * x) * kind->mass[s] * kT);
    o->weight[s] = 1.0 / (1.0 + tanh(0.5 * x));
  }
  /* Avoids rounding in the mean of equal rates. */
  o->across = friction == FRICTION_MASS ? o->decay[0] : exp(-sum / (double)nsite);
  *ou = o;
  return STATUS_OK;
}

void ou_free(Ou *ou) { free(ou); }
