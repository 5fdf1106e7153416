#include "topology/term_grid.h"

#include <math.h>
#include <stddef.h>

Status term_grid_check(const TermGrid *grid, Error *error)
{
  if (grid->n < TERM_GRID_LEAST || grid->n > TERM_GRID_MOST)
    return error_set(error, STATUS_INPUT, "grid %s has %d nodes per side; allowed: %d to %d", grid->name,
                     grid->n, TERM_GRID_LEAST, TERM_GRID_MOST);
  for (int k = 0; k < grid->n * grid->n; k++)
    if (!isfinite(grid->value[k]))
      return error_set(error, STATUS_INPUT, "grid %s: value %d of row %d is not a finite number", grid->name,
                       k % grid->n + 1, k / grid->n + 1);
  return STATUS_OK;
}

/* Slopes at the nodes f[0], f[stride], ... of the periodic cubic spline, for a step of 1. The equations
 * m[i-1] + 4 m[i] + m[i+1] = 3 (f[i+1] - f[i-1]) have the solution m[i] = -3 sum over k > 0 of z^k (f[i+k] -
 * f[i-k]), z = sqrt 3 - 2. */
static void slopes(int n, int stride, const double *f, double *m)
{
  const double z = sqrt(3.0) - 2.0;
  for (int i = 0; i < n; i++) {
    double sum = 0.0, power = -3.0 * z;
    for (int k = 1; fabs(power) > 1e-18; k++, power *= z)
      sum += power * (f[(i + k) % n * stride] - f[(i + k / n * n + n - k) % n * stride]);
    m[(ptrdiff_t)i * stride] = sum;
  }
}

void term_grid_nodes(const TermGrid *grid, TermNode *node)
{
  const int n = grid->n;
  for (int k = 0; k < n * n; k++)
    node[k][0] = grid->value[k];
  for (int i = 0; i < n; i++)
    slopes(n, 4, node[i * n], node[i * n] + 2);
  for (int j = 0; j < n; j++) {
    slopes(n, 4 * n, node[j], node[j] + 1);
    slopes(n, 4 * n, node[j] + 2, node[j] + 3);
  }
}
