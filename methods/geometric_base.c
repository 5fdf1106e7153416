/* Base methods on a general H: every stage is z1 = z0 + t J grad H(z*), z* = (1 - C) z0 + C z1 with a
 * diagonal C. Symplectic Euler evaluates at (q0, p1), its adjoint at (q1, p0), the midpoint rule halfway.
 * Stoermer-Verlet (the paper's section 5.1.3) is half a step of Euler's and half a step of its adjoint. For
 * separable H, one Newton step gives the explicit formulas. */
#include <math.h>
#include <string.h>

#include "methods/geometric.h"

static const GeometricBase table[] = {
    {"symplectic-euler", 0, 1, {{1.0, 0.0, 1.0}}},
    {"stormer-verlet", 1, 2, {{0.5, 0.0, 1.0}, {0.5, 1.0, 0.0}}},
    {"midpoint", 1, 1, {{1.0, 0.5, 0.5}}},
    {NULL, 0, 0, {{0.0, 0.0, 0.0}}},
};

const GeometricBase *geometric_base_find(const char *name)
{
  for (const GeometricBase *row = table; row->name != NULL; row++)
    if (strcmp(row->name, name) == 0)
      return row;
  return NULL;
}

/* work->lu = I - t J Hess C. */
static void stage_matrix(const GeometricStage *stage, double t, GeometricWork *work)
{
  const int n = work->n, z = 2 * n;
  for (int i = 0; i < z; i++) {
    const int row = i < n ? i + n : i - n;
    const double sign = i < n ? t : -t;
    for (int j = 0; j < z; j++)
      work->lu[i * z + j] =
          (i == j ? 1.0 : 0.0) - sign * work->hess[row * z + j] * (j < n ? stage->q : stage->p);
  }
}

static double largest(const double *x, int n)
{
  double most = 0.0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

/* x -> (I - t J Hess C)^-1 (I + t J Hess (1 - C)) x, with the Hessian at z* = work->a. */
static int stage_tangent(const GeometricStage *stage, const Hamiltonian *ham, double t, int ntangent,
                         double *tangent, GeometricWork *work)
{
  const int n = work->n, z = 2 * n;
  ham->energy.hessian(ham->energy.self, work->a, work->hess);
  for (int k = 0; k < ntangent; k++) {
    double *x = tangent + k * z;
    for (int i = 0; i < z; i++) {
      double sum = 0.0;
      for (int j = 0; j < z; j++)
        sum += work->hess[i * z + j] * (1.0 - (j < n ? stage->q : stage->p)) * x[j];
      work->c[i] = sum;
    }
    geometric_work_turn(n, work->c, work->d);
    for (int i = 0; i < z; i++)
      x[i] += t * work->d[i];
  }
  stage_matrix(stage, t, work);
  return geometric_work_solve(work->lu, z, tangent, ntangent, NULL);
}

/* In work: a = z*, b = z1, c = grad H(z*), d = the right-hand side and correction. */
static int stage_step(const GeometricStage *stage, const Hamiltonian *ham, double t, double *z0, int ntangent,
                      double *tangent, GeometricWork *work)
{
  const int n = work->n, z = 2 * n;
  double *z1 = work->b;
  memcpy(z1, z0, (size_t)z * sizeof *z1);
  int close = 0; /* one more correction is rounding, by quadratic convergence */
  for (int iteration = 0; iteration < 50; iteration++) {
    for (int i = 0; i < z; i++)
      work->a[i] = z0[i] + (i < n ? stage->q : stage->p) * (z1[i] - z0[i]);
    ham->energy.gradient(ham->energy.self, work->a, work->c);
    ham->energy.hessian(ham->energy.self, work->a, work->hess);
    geometric_work_turn(n, work->c, work->d);
    for (int i = 0; i < z; i++)
      work->d[i] = z0[i] + t * work->d[i] - z1[i];
    stage_matrix(stage, t, work);
    if (!geometric_work_solve(work->lu, z, work->d, 1, NULL))
      return 0;
    for (int i = 0; i < z; i++)
      z1[i] += work->d[i];
    const int small = largest(work->d, z) <= 1e-8 * largest(z1, z);
    if (small && close) {
      if (ntangent > 0) {
        for (int i = 0; i < z; i++)
          work->a[i] = z0[i] + (i < n ? stage->q : stage->p) * (z1[i] - z0[i]);
        if (!stage_tangent(stage, ham, t, ntangent, tangent, work))
          return 0;
      }
      memcpy(z0, z1, (size_t)z * sizeof *z0);
      return 1;
    }
    close = small;
  }
  return 0;
}

int geometric_base_step(const GeometricBase *base, const Hamiltonian *ham, double t, double *z, int ntangent,
                        double *tangent, GeometricWork *work)
{
  for (int i = 0; i < base->nstage; i++)
    if (!stage_step(&base->stage[i], ham, base->stage[i].share * t, z, ntangent, tangent, work))
      return 0;
  return 1;
}
