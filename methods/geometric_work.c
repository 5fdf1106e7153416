#include <math.h>

#include "engine/band.h"
#include "methods/geometric.h"

size_t geometric_work_size(int n, int m)
{
  const size_t z = 2 * (size_t)n, k = (size_t)m;
  return 8 * z + 2 * k * z + 5 * k + 2 * k * k + 2 * z * z;
}

GeometricWork geometric_work_view(double *memory, int n, int m)
{
  const size_t z = 2 * (size_t)n, k = (size_t)m;
  GeometricWork w = {.n = n, .m = m};
  double **const part[] = {&w.start, &w.slid, &w.end, &w.origin, &w.a, &w.b, &w.c, &w.d};
  for (int i = 0; i < 8; i++, memory += z)
    *part[i] = memory;
  double **const row[] = {&w.lambda, &w.sigma, &w.residual, &w.size, &w.correction};
  for (int i = 0; i < 5; i++, memory += k)
    *row[i] = memory;
  w.tangent = memory;
  w.normal = w.tangent + k * z;
  w.matrix = w.normal + k * z;
  w.second = w.matrix + k * k;
  w.hess = w.second + k * k;
  w.lu = w.hess + z * z;
  return w;
}

double geometric_work_dot(int n, const double *x, const double *y)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

void geometric_work_turn(int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++) {
    y[i] = x[n + i];
    y[n + i] = -x[i];
  }
}

int geometric_work_solve(double *a, int n, double *b, int nright, int *sign)
{
  int pivot[2 * GEOMETRIC_SIZE];
  return band_dense(n, a, nright, b, pivot, sign);
}

void geometric_work_constraints(const Hamiltonian *ham, const double *z, GeometricWork *work)
{
  const int size = 2 * ham->n;
  const double length = geometric_work_dot(size, z, z);
  for (int i = 0; i < ham->ncon; i++) {
    double *normal = work->normal + i * size;
    ham->con[i].gradient(ham->con[i].self, z, normal);
    work->residual[i] = ham->con[i].value(ham->con[i].self, z);
    work->size[i] = sqrt(geometric_work_dot(size, normal, normal) * length);
  }
}

int geometric_work_small(GeometricWork *work, double tolerance)
{
  int small = 1;
  work->before = work->left;
  work->left = 0.0;
  for (int i = 0; i < work->m; i++) {
    const double residual = fabs(work->residual[i]),
                 left = residual > 0.0 ? residual / work->size[i] : residual;
    small = small && residual <= tolerance * work->size[i];
    work->left = left <= work->left ? work->left : left; /* keeps NaN */
  }
  return small;
}

int geometric_work_exhausted(GeometricWork *work)
{
  /* Newton's method would have reduced it much further. */
  work->stalled = work->left < 1e-10 && !(work->left < 0.25 * work->before);
  return 0;
}

int geometric_work_correct(GeometricWork *work, const double *tangent)
{
  const int m = work->m, size = 2 * work->n;
  for (int i = 0; i < m; i++) {
    work->correction[i] = work->residual[i];
    for (int j = 0; j < m; j++)
      work->matrix[i * m + j] = geometric_work_dot(size, work->normal + i * size, tangent + j * size);
  }
  return geometric_work_solve(work->matrix, m, work->correction, 1, NULL);
}
