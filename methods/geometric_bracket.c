#include <lapacke.h>
#include <math.h>

#include "methods/geometric.h"

/* y += scale a x. */
static void multiply_add(int n, double scale, const double *a, const double *x, double *y)
{
  for (int i = 0; i < n; i++)
    y[i] += scale * geometric_work_dot(n, a + i * n, x);
}

/* With b = grad H and a = grad g: {g, H} = a.J b, whose gradient is Hess g J b - Hess H J a. */
void geometric_bracket_hidden(const Hamiltonian *ham, const double *z, GeometricWork *work)
{
  const int n = ham->n, m = ham->ncon, size = 2 * n;
  double *energy = work->a, *field = work->b, *change = work->c;
  ham->energy.gradient(ham->energy.self, z, energy);
  ham->energy.hessian(ham->energy.self, z, work->hess);
  geometric_work_turn(n, energy, field);
  for (int i = 0; i < m; i++) {
    ham->con[i].gradient(ham->con[i].self, z, work->normal + i * size);
    geometric_work_turn(n, work->normal + i * size, work->tangent + i * size);
  }
  for (int i = 0; i < m; i++) {
    const double *a = work->normal + i * size;
    work->residual[i] = geometric_work_dot(size, a, field);
    work->size[i] = sqrt(geometric_work_dot(size, a, a) * geometric_work_dot(size, energy, energy));
    for (int k = 0; k < size; k++)
      change[k] = 0.0;
    ham->con[i].hessian(ham->con[i].self, z, work->lu);
    multiply_add(size, 1.0, work->lu, field, change);
    multiply_add(size, -1.0, work->hess, work->tangent + i * size, change);
    for (int j = 0; j < m; j++)
      work->second[i * m + j] = geometric_work_dot(size, change, work->tangent + j * size);
  }
}

double geometric_bracket_nondegenerate(const Hamiltonian *ham, const double *z, GeometricWork *work,
                                       double *condition)
{
  const int m = ham->ncon, size = 2 * ham->n;
  double length[GEOMETRIC_SIZE], singular[GEOMETRIC_SIZE], space[5 * GEOMETRIC_SIZE];
  ham->energy.hessian(ham->energy.self, z, work->hess);
  double second = sqrt(geometric_work_dot(size * size, work->hess, work->hess));
  ham->energy.gradient(ham->energy.self, z, work->a);
  const double slope = sqrt(geometric_work_dot(size, work->a, work->a));
  double bend = 0.0;
  for (int i = 0; i < m; i++) {
    length[i] = sqrt(geometric_work_dot(size, work->normal + i * size, work->normal + i * size));
    ham->con[i].hessian(ham->con[i].self, z, work->lu);
    bend = fmax(bend, slope * sqrt(geometric_work_dot(size * size, work->lu, work->lu)) / length[i]);
  }
  second += bend;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) {
      work->matrix[i * m + j] = work->second[i * m + j] / (length[i] * length[j] * second);
      if (!isfinite(work->matrix[i * m + j])) /* grad H = 0 or grad g = 0 */
        work->matrix[i * m + j] = 0.0;
    }
  if (LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', m, m, work->matrix, m, singular, NULL, m, NULL, m,
                          space, sizeof space / sizeof *space) != 0)
    return 0.0;
  if (condition != NULL)
    *condition = singular[m - 1] > 0.0 ? singular[0] / singular[m - 1] : INFINITY;
  return singular[m - 1];
}
