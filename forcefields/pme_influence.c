#include <math.h>
#include <stdlib.h>

#include "engine/units.h"
#include "forcefields/pme_private.h"

/* W^2/(sum over the images of W^2)^2 with W = sinc(pi (i/n + r))^p. Splines fall off as r^-2p. */
static double spline_factor(int i, int n, int order)
{
  if (i == 0)
    return 1.0;
  const double x = (double)i / n;
  double sum = 0.0;
  for (int r = -20; r <= 20; r++)
    sum += pow(x / (x + r), 2 * order);
  return pow(sin(M_PI * x) / (M_PI * x), -2 * order) / (sum * sum);
}

void pme_influence_free(PmeInfluence *f)
{
  for (int d = 0; d < 3; d++) {
    free(f->spline[d]);
    free(f->m[d]);
    free(f->odd[d]);
    free(f->decay[d]);
  }
  free(f->count);
  *f = (PmeInfluence){0};
}

Status pme_influence_create(PmeInfluence *f, const int n[3], int order, double beta, Error *error)
{
  *f = (PmeInfluence){.nz = n[2] / 2 + 1, .pi2_b2 = M_PI * M_PI / (beta * beta)};
  bool made = true;
  for (int d = 0; d < 3; d++) {
    const size_t size = (size_t)n[d] + PME_LANES;
    f->n[d] = n[d];
    f->spline[d] = calloc(size, sizeof(double));
    f->m[d] = calloc(size, sizeof(double));
    f->odd[d] = calloc(size, sizeof(double));
    f->decay[d] = calloc(size, sizeof(double));
    made = made && f->spline[d] != NULL && f->m[d] != NULL && f->odd[d] != NULL && f->decay[d] != NULL;
  }
  f->count = calloc((size_t)f->nz + PME_LANES, sizeof(double));
  TRY_MEMORY(made && f->count != NULL, "the influence function of the mesh", error);
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < n[d]; i++)
      f->spline[d][i] = spline_factor(2 * i > n[d] ? i - n[d] : i, n[d], order);
  for (int i = 0; i < f->nz; i++)
    f->count[i] = i == 0 || 2 * i == n[2] ? 1.0 : 2.0;
  return STATUS_OK;
}

void pme_influence_fill(PmeInfluence *f, const Box *box, PmePrecision precision, void *g)
{
  const double factor = UNITS_COULOMB / (M_PI * box_length(box, 0) * box_length(box, 1) * box_length(box, 2));
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < f->n[d]; i++) {
      const double m = (2 * i > f->n[d] ? i - f->n[d] : i) / box_length(box, d);
      f->m[d][i] = m;
      f->odd[d][i] = 2 * i == f->n[d] ? 0.0 : m;
      f->decay[d][i] = exp(-f->pi2_b2 * m * m) * f->spline[d][i];
    }
  size_t k = 0;
  for (int x = 0; x < f->n[0]; x++)
    for (int y = 0; y < f->n[1]; y++) {
      const double mxy2 = f->m[0][x] * f->m[0][x] + f->m[1][y] * f->m[1][y];
      const double common = factor * f->decay[0][x] * f->decay[1][y];
      for (int z = 0; z < f->nz; z++, k++) {
        const double m2 = mxy2 + f->m[2][z] * f->m[2][z];
        const double value = k == 0 ? 0.0 : common * f->decay[2][z] / m2;
        if (precision == PME_DOUBLE)
          ((double *)g)[k] = value;
        else
          ((float *)g)[k] = value > 1e-30 ? (float)value : 0.0F; /* denormal numbers are slow */
      }
    }
}
