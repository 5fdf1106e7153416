/* Checks numerically the two assumptions under which geometric SHAKE and RATTLE are well defined, at the
 * start and at points of M = {g = 0} around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/geometric.h"

enum { SAMPLES = 8 };
static const double zero = 1e-8; /* a bracket below this, relative to its factors, vanishes */

typedef struct Check {
  const Hamiltonian *ham;
  const double *z;
  GeometricWork work;
  int nsample;
  double *sample; /* [SAMPLES][2n] */
  Error *error;
} Check;

static double length(int n, const double *x) { return sqrt(geometric_work_dot(n, x, x)); }

/* Finds points of M at distances of 0.1 to 0.8 of the size of z, in fixed directions. */
static void find_samples(Check *check)
{
  const int size = 2 * check->ham->n;
  double far = length(size, check->z) / sqrt((double)size);
  if (far == 0.0)
    far = 1.0;
  for (int s = 0; s < SAMPLES; s++) {
    double *y = check->sample + check->nsample * size;
    for (int k = 0; k < size; k++)
      y[k] = check->z[k] + 0.1 * (s + 1) * far * 1.4 * sin(1.0 + 2.3 * s * s + 1.7 * k + 0.9 * s * k * k);
    check->nsample += geometric_project_manifold(check->ham, 1e-12, 50, y, &check->work);
  }
}

static Status check_independent(Check *check)
{
  GeometricWork *work = &check->work;
  const int m = check->ham->ncon, size = 2 * check->ham->n;
  geometric_work_constraints(check->ham, check->z, work);
  /* Gram-Schmidt: the part of a gradient across those before it. */
  for (int i = 0; i < m; i++) {
    double *a = work->normal + i * size;
    const double whole = length(size, a);
    if (!(whole > 0.0))
      return error_set(check->error, STATUS_INPUT, "the gradient of constraint %d is zero at the start",
                       i + 1);
    for (int k = 0; k < size; k++)
      a[k] /= whole;
    for (int j = 0; j < i; j++) {
      const double *b = work->normal + j * size;
      const double along = geometric_work_dot(size, a, b);
      for (int k = 0; k < size; k++)
        a[k] -= along * b[k];
    }
    const double rest = length(size, a);
    if (!(rest > zero))
      return error_set(check->error, STATUS_INPUT,
                       "the gradient of constraint %d depends on the earlier gradients at the start (all but "
                       "%.3g of it): leave the constraint out",
                       i + 1, rest);
    for (int k = 0; k < size; k++)
      a[k] /= rest;
  }
  return STATUS_OK;
}

static Status check_manifold(Check *check)
{
  GeometricWork *work = &check->work;
  geometric_work_constraints(check->ham, check->z, work);
  for (int i = 0; i < check->ham->ncon; i++)
    if (!(fabs(work->residual[i]) <= zero * work->size[i]))
      return error_set(check->error, STATUS_INPUT,
                       "constraint %d is %.6g at the start, not 0: the start is off the manifold "
                       "(system.project: true moves it there)",
                       i + 1, work->residual[i]);
  return STATUS_OK;
}

static Status check_commute_at(Check *check, const double *z, const char *where)
{
  GeometricWork *work = &check->work;
  const int size = 2 * check->ham->n;
  geometric_bracket_hidden(check->ham, z, work);
  for (int i = 0; i < check->ham->ncon; i++)
    for (int j = i + 1; j < check->ham->ncon; j++) {
      const double *a = work->normal + i * size, *b = work->normal + j * size;
      const double bracket = geometric_work_dot(size, a, work->tangent + j * size);
      if (!(fabs(bracket) <= zero * length(size, a) * length(size, b)))
        return error_set(
            check->error, STATUS_INPUT,
            "the constraints are not coisotropic: the bracket {g_%d, g_%d} = %.6g %s. It must vanish "
            "wherever all constraints hold, because geometric SHAKE and RATTLE move along their flows",
            i + 1, j + 1, bracket, where);
    }
  return STATUS_OK;
}

static Status check_coisotropic(Check *check)
{
  TRY(check_commute_at(check, check->z, "at the start"));
  for (int s = 0; s < check->nsample; s++)
    TRY(check_commute_at(check, check->sample + s * 2 * check->ham->n,
                         "at a point of the manifold near the start"));
  return STATUS_OK;
}

/* Reports how the critical points of H on the fibres are degenerate: everywhere, H being constant or linear
 * along them, or only here. */
static Status refuse_degenerate(Check *check, const double *z, double measure, double condition)
{
  const Hamiltonian *ham = check->ham;
  GeometricWork *work = &check->work;
  const int m = ham->ncon;
  int everywhere = 1, constant = 1;
  for (int s = 0; s < check->nsample; s++) {
    const double *y = check->sample + s * 2 * ham->n;
    geometric_bracket_hidden(ham, y, work);
    constant = constant && geometric_work_small(work, zero);
    everywhere = everywhere && !(geometric_bracket_nondegenerate(ham, y, work, NULL) > zero);
  }
  geometric_bracket_hidden(ham, z, work);
  int worst = 0; /* the constraint whose own second bracket is nearest to zero */
  for (int i = 1; i < m; i++)
    if (fabs(work->second[i * m + i]) < fabs(work->second[worst * m + worst]))
      worst = i;
  const char *why = !everywhere ? "H has a degenerate critical point on the fibre through the start, where "
                                  "the equations are not well posed: start elsewhere"
                    : constant  ? "H is constant along the fibres of the constraints: every point of the "
                                  "manifold is a critical point and the problem has infinitely many solutions"
                                : "H is linear along the fibres of the constraints: {g, H} = 0 determines no "
                                  "multiplier and the problem has an index higher than 3";
  return error_set(
      check->error, STATUS_INPUT,
      "the Hamiltonian is degenerate on the constraints: the matrix {{H, g_i}, g_j} is singular "
      "(smallest singular value %.3g of its size, condition number %.3g, {{H, g_%d}, g_%d} = %.6g); %s",
      measure, condition, worst + 1, worst + 1, 0.0 - work->second[worst * m + worst], why);
}

/* Assumption 1 concerns points with {g, H} = 0, so it is checked at such a point on the start's fibre, if
 * there is one. */
static Status check_nondegenerate(Check *check, int hidden)
{
  const Hamiltonian *ham = check->ham;
  GeometricWork *work = &check->work;
  double *y = work->end, condition = INFINITY;
  memcpy(y, check->z, 2 * (size_t)ham->n * sizeof *y);
  const int found = geometric_project_fibre(ham, 1e-12, 50, y, work);
  if (!found)
    memcpy(y, check->z, 2 * (size_t)ham->n * sizeof *y);
  geometric_bracket_hidden(ham, y, work);
  const double measure = geometric_bracket_nondegenerate(ham, y, work, &condition);
  if (!(measure > zero))
    return refuse_degenerate(check, y, measure, condition);
  geometric_bracket_hidden(ham, check->z, work);
  for (int i = 0; (hidden || !found) && i < ham->ncon; i++)
    if (!(fabs(work->residual[i]) <= zero * work->size[i]))
      return error_set(
          check->error, STATUS_INPUT, "the start is off the hidden constraints: {g_%d, H} = %.6g, not 0 (%s)",
          i + 1, work->residual[i],
          found ? "system.project: true moves it there" : "and its fibre has no such point nearby");
  return STATUS_OK;
}

static Status check_all(Check *check, int hidden)
{
  TRY(check_independent(check));
  TRY(check_manifold(check));
  find_samples(check);
  TRY(check_coisotropic(check));
  return check_nondegenerate(check, hidden);
}

Status geometric_check(const Hamiltonian *ham, const double *z, int hidden, Error *error)
{
  const size_t size = 2 * (size_t)ham->n;
  double *memory = malloc((geometric_work_size(ham->n, ham->ncon) + SAMPLES * size) * sizeof *memory);
  TRY_MEMORY(memory != NULL, "a check of constraints", error);
  Check check = {
      .ham = ham,
      .z = z,
      .work = geometric_work_view(memory + SAMPLES * size, ham->n, ham->ncon),
      .sample = memory,
      .error = error,
  };
  const Status status = check_all(&check, hidden);
  free(memory);
  return status;
}
