#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "engine/units.h"
#include "forcefields/pme_private.h"

/* W^2/(sum over the images of W^2)^2 with W = sinc(pi (i/n + r))^p. Splines decay as r^-2p. */
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
  free(f->along);
  free(f->count);
  *f = (PmeInfluence){0};
}

Status pme_influence_create(PmeInfluence *f, const int n[3], int order, double beta, Error *error)
{
  *f = (PmeInfluence){.pi2_b2 = M_PI * M_PI / (beta * beta)};
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
  f->count = calloc((size_t)n[1] / 2 + 1, sizeof(double));
  f->along = calloc((size_t)n[2], sizeof(double));
  TRY_MEMORY(made && f->along != NULL && f->count != NULL, "the influence function of the mesh", error);
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < n[d]; i++)
      f->spline[d][i] = spline_factor(2 * i > n[d] ? i - n[d] : i, n[d], order);
  for (int i = 0; i <= n[1] / 2; i++)
    f->count[i] = i == 0 || 2 * i == n[1] ? 1.0 : 2.0;
  return STATUS_OK;
}

/* along[z] = exp(-pi^2 (m[2][z] - aside)^2/beta^2) B for a row of an oblique box, where it is not a product
 * over directions. It starts at the largest value and multiplies by ratios to both sides; these change by a
 * constant factor and are below 1 except for rounding. */
static void decay_along(PmeInfluence *f, double aside)
{
  const int n = f->n[2], most = n / 2, least = most + 1 - n;
  const double c = f->pi2_b2, step = f->m[2][1], shrink = exp(-2.0 * c * step * step);
  const int top = (int)fmax(least, fmin(most, rint(aside / step)));
  double *const along = f->along, off = top * step - aside, peak = exp(-c * off * off);
  double up = exp(-c * step * (step + 2.0 * off)), down = exp(-c * step * (step - 2.0 * off)), at = peak;
  for (int z = top; z <= most; z++, at *= up, up *= shrink)
    along[z < 0 ? z + n : z] = at;
  at = peak;
  for (int z = top; z >= least; z--, at *= down, down *= shrink)
    along[z < 0 ? z + n : z] = at;
  for (int z = 0; z < n; z++)
    along[z] *= 2 * z == n ? 0.0 : f->spline[2][z];
}

/* The common factor of the elements of row (x, y) in an oblique box; 0 where an element represents two
 * different wave vectors. */
static double decay_row(const PmeInfluence *f, int x, int y, const PmeWaves *w)
{
  if (2 * x == f->n[0] || 2 * y == f->n[1])
    return 0.0;
  return f->spline[0][x] * f->spline[1][y] * exp(-f->pi2_b2 * (w->x * w->x + w->y * w->y));
}

void pme_influence_fill(PmeInfluence *f, const Box *box, const PmeFft *fft, void *g)
{
  const double factor = UNITS_COULOMB / (M_PI * box_length(box, 0) * box_length(box, 1) * box_length(box, 2));
  const bool oblique = box_oblique(box);
  for (int i = 0; i < 3; i++)
    f->lean[i] = i == 0 ? box->h[1][0] / box_length(box, 1) : box->h[2][i - 1] / box_length(box, 2);
  for (int d = 0; d < 3; d++)
    for (int i = 0; i < f->n[d]; i++) {
      const double m = (2 * i > f->n[d] ? i - f->n[d] : i) / box_length(box, d);
      f->m[d][i] = m;
      f->odd[d][i] = 2 * i == f->n[d] ? 0.0 : m;
      f->decay[d][i] = exp(-f->pi2_b2 * m * m) * f->spline[d][i];
    }
  for (int x = 0; x < f->n[0]; x++)
    for (int y = 0; y <= f->n[1] / 2; y++) {
      const PmeWaves w = pme_waves(f, x, y);
      const double mxy2 = w.x * w.x + w.y * w.y, *const along = oblique ? f->along : f->decay[2];
      const double common =
          oblique ? factor * decay_row(f, x, y, &w) : factor * f->decay[0][x] * f->decay[1][y];
      if (oblique)
        decay_along(f, w.z);
      for (int z = 0; z < f->n[2]; z++) {
        const double mz = f->m[2][z] - w.z, m2 = mxy2 + mz * mz;
        const double value = x == 0 && y == 0 && z == 0 ? 0.0 : common * along[z] / m2;
        const size_t k = pme_fft_place(fft, x, y, z);
        if (fft->precision == PME_DOUBLE)
          ((double *)g)[k] = value;
        else
          ((float *)g)[k] = value > 1e-30 ? (float)value : 0.0F; /* denormal numbers are slow */
      }
    }
}
