#include "tests/plain_maps.h"

#include <check.h>
#include <math.h>
#include <string.h>

void plain_solve(int n, double a[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS], double *b)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
    for (int j = 0; j < n; j++) {
      const double kept = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = kept;
    }
    const double kept = b[k];
    b[k] = b[best];
    b[best] = kept;
    ck_assert_msg(a[k][k] != 0.0, "a singular matrix");
    for (int i = k + 1; i < n; i++) {
      const double l = a[i][k] / a[k][k];
      for (int j = k; j < n; j++)
        a[i][j] -= l * a[k][j];
      b[i] -= l * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

void plain_constraints(const PlainMolecule *m, int n, const double *q, double *g,
                       double jacobian[][PLAIN_MOST])
{
  PlainFunction at;
  for (int c = 0; c < n; c++) {
    plain_function(m->kind, &m->kind->constraint[c], q, NULL, &at);
    g[c] = at.value;
    memcpy(jacobian[c], at.grad, sizeof at.grad);
  }
}

/* f -= w^2 J'g, and hess += w^2 (J'J + sum g Hess g) at q; either may be NULL. */
static void add_penalties(const PlainMolecule *m, const SchemeMap *map, const double *q, double *f,
                          double hess[PLAIN_MOST][PLAIN_MOST])
{
  PlainFunction at;
  for (int c = 0; c < m->kind->nconstraint; c++) {
    const double w2 = map->strength[c] * map->strength[c];
    plain_function(m->kind, &m->kind->constraint[c], q, NULL, &at);
    for (int i = 0; i < plain_size_of(m); i++) {
      if (f != NULL)
        f[i] -= w2 * at.value * at.grad[i];
      for (int j = 0; j < plain_size_of(m) && hess != NULL; j++)
        hess[i][j] +=
            w2 * (at.grad[i] * at.grad[j] + (map->hessian == HESSIAN_FULL ? at.value * at.hess[i][j] : 0.0));
    }
  }
}

static void add_potentials(const PlainMolecule *m, const double *q, double *f,
                           double hess[PLAIN_MOST][PLAIN_MOST])
{
  PlainFunction at;
  for (int k = 0; k < m->kind->npotential; k++) {
    plain_function(m->kind, &m->kind->potential[k], q, NULL, &at);
    for (int i = 0; i < plain_size_of(m); i++) {
      if (f != NULL)
        f[i] -= at.grad[i];
      for (int j = 0; j < plain_size_of(m); j++)
        hess[i][j] += at.hess[i][j];
    }
  }
}

/* b = (M + reach Hess)^-1 b, with multipliers that keep J b = 0 of the first `kept` constraints at q; the
 * part that these take is added to `force`, unless NULL. */
static void solve_map(const PlainMolecule *m, double reach, double hess[PLAIN_MOST][PLAIN_MOST], int kept,
                      const double *q, double *b, double *force)
{
  static double a[PLAIN_UNKNOWNS][PLAIN_UNKNOWNS];
  double g[PLAIN_MOST], jacobian[PLAIN_MOST][PLAIN_MOST], x[PLAIN_UNKNOWNS];
  const int n = plain_size_of(m);
  plain_constraints(m, kept, q, g, jacobian);
  memset(a, 0, sizeof a);
  memset(x, 0, sizeof x);
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < n; j++)
      a[i][j] = reach * hess[i][j] + (i == j ? plain_mass_of(m, i) : 0.0);
    for (int c = 0; c < kept; c++)
      a[i][n + c] = a[n + c][i] = jacobian[c][i];
  }
  plain_solve(n + kept, a, x);
  for (int i = 0; i < n; i++) {
    b[i] = x[i];
    for (int c = 0; c < kept && force != NULL; c++)
      force[i] += jacobian[c][i] * x[n + c];
  }
}

/* D3V[u, u] of penalties and potentials: of w^2 g^2 / 2 it is w^2 (2 (g'u) Hess g u + (u'Hess g u) g' + g D3
 * g).
 */
static void third_of(const PlainMolecule *m, const SchemeMap *map, const double *q, const double *u,
                     double *to)
{
  PlainFunction at;
  for (int c = 0; c < m->kind->nconstraint; c++) {
    const double w2 = map->strength[c] * map->strength[c];
    double turn[PLAIN_MOST] = {0}, along = 0.0, bend = 0.0;
    plain_function(m->kind, &m->kind->constraint[c], q, u, &at);
    for (int i = 0; i < plain_size_of(m); i++) {
      for (int j = 0; j < plain_size_of(m); j++)
        turn[i] += at.hess[i][j] * u[j];
      along += at.grad[i] * u[i];
      bend += turn[i] * u[i];
    }
    for (int i = 0; i < plain_size_of(m); i++)
      to[i] += w2 * (2.0 * along * turn[i] + bend * at.grad[i] + at.value * at.third[i]);
  }
  for (int k = 0; k < m->kind->npotential; k++) {
    plain_function(m->kind, &m->kind->potential[k], q, u, &at);
    for (int i = 0; i < plain_size_of(m); i++)
      to[i] += at.third[i];
  }
}

/* M a = -grad V(q + reach a), by Newton's method until a stands still. */
static void newmark(const PlainMolecule *m, const SchemeMap *map, const double *q, double *f)
{
  const int n = plain_size_of(m);
  double a[PLAIN_MOST] = {0}, y[PLAIN_MOST], b[PLAIN_MOST], most = INFINITY;
  for (int k = 0; k < 50 && most > 1e-14; k++) {
    double hess[PLAIN_MOST][PLAIN_MOST] = {{0}};
    for (int i = 0; i < n; i++) {
      y[i] = q[i] + map->reach * a[i];
      b[i] = -plain_mass_of(m, i) * a[i];
    }
    add_penalties(m, map, y, b, hess);
    add_potentials(m, y, b, hess);
    solve_map(m, map->reach, hess, 0, y, b, NULL);
    most = 0.0;
    for (int i = 0; i < n; i++) {
      a[i] += b[i];
      most = fmax(most, map->reach * fabs(b[i]));
    }
  }
  for (int i = 0; i < n; i++)
    f[i] = plain_mass_of(m, i) * a[i];
}

static bool penalised(const PlainMolecule *m, const SchemeMap *map)
{
  for (int c = 0; c < m->kind->nconstraint; c++)
    if (map->strength[c] > 0.0)
      return true;
  return false;
}

void plain_accelerate(const PlainMolecule *m, const SchemeMap *map, int kept, const double *q,
                      double hess[PLAIN_MOST][PLAIN_MOST], double *f)
{
  const bool linear = map->route == ACCEL_LINEAR || map->route == ACCEL_THIRD;
  double third[PLAIN_MOST] = {0}, carried[PLAIN_MOST] = {0};
  if (map->route == ACCEL_NEWTON) {
    newmark(m, map, q, f);
    return;
  }
  add_penalties(m, map, q, f, hess);
  if (map->drifts || !(linear || (map->route == ACCEL_PENALTIES && penalised(m, map))))
    return;
  if (linear)
    add_potentials(m, q, NULL, hess);
  solve_map(m, map->reach, hess, linear ? 0 : kept, q, f, carried);
  if (map->route == ACCEL_THIRD)
    third_of(m, map, q, f, third);
  for (int k = 0; k < plain_size_of(m); k++)
    f[k] = plain_mass_of(m, k) * f[k] - 0.5 * map->reach * map->reach * third[k] + carried[k];
}

void plain_drift(const PlainMolecule *m, const SchemeMap *map, double t, const double *p, double *q)
{
  double v[PLAIN_MOST], hess[PLAIN_MOST][PLAIN_MOST] = {{0}};
  for (int i = 0; i < plain_size_of(m); i++)
    v[i] = map->drifts ? p[i] : p[i] / plain_mass_of(m, i);
  if (map->drifts) {
    add_penalties(m, map, q, NULL, hess);
    add_potentials(m, q, NULL, hess);
    solve_map(m, map->reach, hess, 0, q, v, NULL);
  }
  for (int i = 0; i < plain_size_of(m); i++)
    q[i] += t * v[i];
}
