#include "integrators/accel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/accel_hot.h"
#include "integrators/jacobian.h"

ISA_DECLARE(AccelKernels, accel_kernels_table);

const AccelMap *const accel_maps[] = {&accel_verlet, &accel_zss, &accel_zss_block, NULL};

const AccelMap *accel_map_find(const char *name)
{
  for (const AccelMap *const *row = accel_maps; *row != NULL; row++)
    if (strcmp((*row)->name, name) == 0)
      return *row;
  return NULL;
}

const AccelKernels *accel_kernels(Isa isa)
{
  static const AccelKernels *const table[ISA_COUNT] = ISA_TABLES(accel_kernels_table);
  return isa < ISA_COUNT ? table[isa] : NULL;
}

static Status check_number(const char *what, double x, Error *error)
{
  if (!(x >= 0.0) || !isfinite(x))
    return error_set(error, STATUS_INPUT, "the %s must be a number not below 0, not %g", what, x);
  return STATUS_OK;
}

Status accel_create(Accel **accel, const Kind *kind, const AccelOptions *options, bool dense, Error *error)
{
  *accel = NULL;
  Status status = check_number("time step", fabs(options->h), error);
  if (status == STATUS_OK)
    status = check_number("parameter beta", options->beta, error);
  if (status == STATUS_OK)
    status = check_number("penalty strength w", options->w, error);
  if (status == STATUS_OK)
    status = jacobian_check(kind, error);
  if (status != STATUS_OK)
    return status;
  if (dense && kind->nsite * kind->dim > JACOBIAN_DENSE)
    return error_set(error, STATUS_INPUT,
                     "'%s' has %d coordinates; the dense solve of this acceleration map takes at most %d",
                     kind->name, kind->nsite * kind->dim, JACOBIAN_DENSE);
  Accel *a = calloc(1, sizeof *a + (size_t)kind->nsite * sizeof(double));
  if (a == NULL)
    return error_memory(error, "an acceleration map");
  a->w2 = options->w * options->w;
  a->block = options->beta * options->h * options->h;
  a->c = a->block * a->w2;
  a->full = options->hessian == HESSIAN_FULL;
  jacobian_inverse_mass(kind, NULL, a->inverse_mass);
  if (kind_is_triangle(kind))
    jacobian_triangle_pair(a->inverse_mass, a->pair);
  *accel = a;
  return STATUS_OK;
}

unsigned accel_apply(const void *self, Pack *pack, const vd *hess)
{
  const Accel *a = self;
  return a->apply != NULL ? a->apply(a, pack, hess) : 0;
}

void accel_eliminate(int n, double *a, double *b)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[best * n + k]))
        best = i;
    for (int j = 0; best != k && j < n; j++) {
      const double x = a[k * n + j];
      a[k * n + j] = a[best * n + j];
      a[best * n + j] = x;
    }
    const double y = b[k];
    b[k] = b[best];
    b[best] = y;
    for (int i = k + 1; i < n; i++) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
}

void accel_penalty_energy(const Pack *pack, double w, vd *energy, vd *largest)
{
  const Kind *kind = pack->kind;
  vd sum = vd_set(0.0), most = vd_set(0.0);
  for (int c = 0; c < kind->ncon; c++) {
    vd g;
    kind->con[c].type->eval(&kind->con[c], kind->dim, pack->q, &g, NULL);
    sum += g * g;
    most = vd_max(vd_abs(g), most);
  }
  *energy = 0.5 * w * w * sum;
  if (largest != NULL)
    *largest = most;
}
