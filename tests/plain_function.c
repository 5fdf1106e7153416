#include "tests/plain_function.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* U and its first three derivatives by the squared distance s; false: the type is no function of it. */
static bool profile(const FunctionDescription *f, double s, double u[4])
{
  const double *a = f->param, r = sqrt(s), k = a[0], d = a[4];
  memset(u, 0, 4 * sizeof *u);
  if (strcmp(f->type, "distance") == 0 || strcmp(f->type, "anchor") == 0) {
    u[0] = s - a[0] * a[0];
    u[1] = 1.0;
  } else if (strcmp(f->type, "link") == 0) {
    u[0] = 0.5 * k * s;
    u[1] = 0.5 * k;
  } else if (strcmp(f->type, "quartic") == 0) {
    u[0] = 0.25 * k * (s - d * d) * (s - d * d);
    u[1] = 0.5 * k * (s - d * d);
    u[2] = 0.5 * k;
  } else if (strcmp(f->type, "spring") == 0) {
    u[0] = 0.5 * k * (r - d) * (r - d);
    u[1] = 0.5 * k * (1.0 - d / r);
    u[2] = 0.25 * k * d / (s * r);
    u[3] = -0.375 * k * d / (s * s * r);
  } else
    return false;
  return true;
}

static void radial(const KindDescription *kind, const FunctionDescription *f, const double *q,
                   const double *direction, PlainFunction *to)
{
  const int dim = kind->dim, i = f->site[0] * dim, j = f->nsite > 1 ? f->site[1] * dim : -1;
  double r[3] = {0}, v[3] = {0}, s = 0.0, u[4], along = 0.0, square = 0.0;
  for (int d = 0; d < dim; d++) {
    r[d] = q[i + d] - (j >= 0 ? q[j + d] : f->param[1 + d]);
    s += r[d] * r[d];
    if (direction != NULL)
      v[d] = direction[i + d] - (j >= 0 ? direction[j + d] : 0.0);
    along += r[d] * v[d];
    square += v[d] * v[d];
  }
  profile(f, s, u);
  to->value = u[0];
  for (int d = 0; d < dim; d++) {
    const double grad = 2.0 * u[1] * r[d], third = 8.0 * u[3] * along * along * r[d] +
                                                   4.0 * u[2] * (2.0 * along * v[d] + square * r[d]);
    to->grad[i + d] += grad;
    to->third[i + d] += third;
    if (j >= 0) {
      to->grad[j + d] -= grad;
      to->third[j + d] -= third;
    }
    for (int e = 0; e < dim; e++) {
      const double h = 4.0 * u[2] * r[d] * r[e] + (d == e ? 2.0 * u[1] : 0.0);
      to->hess[i + d][i + e] += h;
      if (j >= 0) {
        to->hess[j + d][j + e] += h;
        to->hess[i + d][j + e] -= h;
        to->hess[j + d][i + e] -= h;
      }
    }
  }
}

/* factor (q_i . q_j - c), factor (|q_i|^2 - c) */
static void dot(const KindDescription *kind, const FunctionDescription *f, const double *q, PlainFunction *to)
{
  const int dim = kind->dim, i = f->site[0] * dim, j = f->site[f->nsite - 1] * dim;
  to->value = -f->param[1] * f->param[0];
  for (int d = 0; d < dim; d++) {
    to->value += f->param[1] * q[i + d] * q[j + d];
    to->grad[i + d] += f->param[1] * q[j + d];
    to->grad[j + d] += f->param[1] * q[i + d];
    to->hess[i + d][j + d] += f->param[1];
    to->hess[j + d][i + d] += f->param[1];
  }
}

/* length (q_i - (1 - share) q_j - share q_k) along one axis */
static void straight(const KindDescription *kind, const FunctionDescription *f, const double *q,
                     PlainFunction *to)
{
  const double weight[3] = {1.0, f->param[1] - 1.0, -f->param[1]};
  for (int k = 0; k < 3; k++) {
    const int at = f->site[k] * kind->dim + (int)f->param[2];
    to->grad[at] += f->param[0] * weight[k];
    to->value += f->param[0] * weight[k] * q[at];
  }
}

static void field(const KindDescription *kind, const FunctionDescription *f, const double *q,
                  PlainFunction *to)
{
  for (int d = 0; d < kind->dim; d++) {
    to->grad[f->site[0] * kind->dim + d] -= f->param[1 + d];
    to->value -= f->param[1 + d] * q[f->site[0] * kind->dim + d];
  }
}

void plain_function(const KindDescription *kind, const FunctionDescription *f, const double *q,
                    const double *u, PlainFunction *to)
{
  double unused[4];
  memset(to, 0, sizeof *to);
  if (profile(f, 1.0, unused))
    radial(kind, f, q, u, to);
  else if (strcmp(f->type, "dot") == 0)
    dot(kind, f, q, to);
  else if (strcmp(f->type, "straight") == 0)
    straight(kind, f, q, to);
  else if (strcmp(f->type, "field") == 0)
    field(kind, f, q, to);
  else
    ck_abort_msg("the plain stepper has no function '%s'", f->type);
}
