#include <math.h>
#include <stdlib.h>

#include "integrators/projector_hot.h"
#include "integrators/triangle.h"

ISA_DECLARE(ProjectorKernels, projector_kernels_table);

static Status check_weight(const Kind *kind, const double *weight, Error *error)
{
  for (int s = 0; weight != NULL && s < kind->nsite; s++)
    if (!(weight[s] > 0.0) || !isfinite(weight[s]))
      return error_set(error, STATUS_INPUT,
                       "'%s': the projection weight of site %d is %g; it must be positive", kind->name, s,
                       weight[s]);
  return STATUS_OK;
}

Status projector_create(Projector **projector, const Kind *kind, const double *weight, bool rigid, Isa isa,
                        Error *error)
{
  const ProjectorKernels *kernels = ISA_PICK(projector_kernels_table, isa);
  const bool triangle = kind_is_triangle(kind);
  *projector = NULL;
  TRY(check_weight(kind, weight, error));
  const size_t n = (size_t)kind->nsite;
  Projector *p = calloc(1, sizeof *p + 3 * n * sizeof(double));
  TRY_MEMORY(p != NULL, "a projector", error);
  double *inverse_mass = p->site, *w = p->site + n, *weight_mass = p->site + 2 * n;
  jacobian_inverse_mass(kind, NULL, inverse_mass);
  jacobian_inverse_mass(kind, weight, weight_mass);
  for (size_t s = 0; s < n; s++)
    w[s] = weight != NULL ? weight[s] : 1.0;
  p->inverse_mass = inverse_mass;
  p->weight = w;
  p->weight_mass = weight_mass;
  p->ways = !triangle ? &kernels->general : rigid ? &kernels->rigid : &kernels->triangle;
  if (triangle)
    triangle_pairs(weight_mass, p->pair);
  TRY_ELSE(triangle ? triangle_inverse(kind, weight_mass, p->inverse, error)
                    : jacobian_create(&p->jacobian, kind, JACOBIAN_SYMMETRIC, isa, error),
           free(p));
  *projector = p;
  return STATUS_OK;
}

void projector_free(Projector *projector)
{
  if (projector != NULL)
    jacobian_free(projector->jacobian);
  free(projector);
}

size_t projector_scratch(const Projector *projector)
{
  const Jacobian *jac = projector->jacobian;
  return jac != NULL ? (size_t)jac->kind->ncon * (JACOBIAN_TOUCH + 1) + jacobian_scratch(jac) : 0;
}

unsigned projector_apply(const Projector *projector, Pack *pack, Vec8 *mu)
{
  return projector->ways->apply(projector, pack, mu);
}

unsigned projector_split(const Projector *projector, double factor, Pack *pack, Vec8 *across)
{
  return projector->ways->split(projector, factor, pack, across);
}

unsigned projector_join(const Projector *projector, const Vec8 *across, Pack *pack)
{
  return projector->ways->join(projector, across, pack);
}
