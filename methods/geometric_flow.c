/* Flows along the fibres: exp(sum_i s_i X_gi). This is the exponential of the sum. A product of exponentials
 * would parametrise the fibre differently if the fields do not commute off M. */
#include <math.h>
#include <string.h>

#include "methods/geometric.h"

typedef struct Field {
  const Hamiltonian *ham;
  const double *s;
  double *gradient; /* [2n] of one constraint, then of the sum */
  double *sum;
} Field;

/* y = J sum_i s_i grad g_i(z). */
static void field_value(const Field *field, const double *z, double *y)
{
  const Hamiltonian *ham = field->ham;
  memset(field->sum, 0, 2 * (size_t)ham->n * sizeof *field->sum);
  for (int i = 0; i < ham->ncon; i++) {
    ham->con[i].gradient(ham->con[i].self, z, field->gradient);
    for (int k = 0; k < 2 * ham->n; k++)
      field->sum[k] += field->s[i] * field->gradient[k];
  }
  geometric_work_turn(ham->n, field->sum, y);
}

static int all_of(const Hamiltonian *ham, ConstraintFlow flow)
{
  for (int i = 0; i < ham->ncon; i++)
    if (ham->flow[i] != flow)
      return 0;
  return 1;
}

static int all_finite(const double *z, int n)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(z[i]))
      return 0;
  return 1;
}

/* z' = A z + b: Taylor's series of the exponential applied to one vector, over parts short enough for
 * convergence without cancellation. */
static int flow_linear(const Field *field, double *z, GeometricWork *work)
{
  const Hamiltonian *ham = field->ham;
  const int n = 2 * ham->n;
  memset(work->lu, 0, (size_t)(n * n) * sizeof *work->lu);
  for (int i = 0; i < ham->ncon; i++) {
    ham->con[i].hessian(ham->con[i].self, z, work->hess);
    for (int k = 0; k < n * n; k++)
      work->lu[k] += field->s[i] * work->hess[k];
  }
  double norm = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = 0.0;
    for (int j = 0; j < n; j++)
      sum += fabs(work->lu[i * n + j]);
    norm = fmax(norm, sum);
  }
  if (!(norm < 1e4))
    return 0;
  const int parts = 1 + (int)(2.0 * norm);
  double *term = work->c, *product = work->d;
  for (int part = 0; part < parts; part++) {
    field_value(field, z, term);
    for (int k = 1; k < 30; k++) {
      double change = 0.0, size = 0.0;
      for (int i = 0; i < n; i++) {
        term[i] /= (double)parts * k;
        z[i] += term[i];
        change = fmax(change, fabs(term[i]));
        size = fmax(size, fabs(z[i]));
      }
      if (change <= 1e-18 * size)
        break;
      for (int i = 0; i < n; i++)
        product[i] = geometric_work_dot(n, work->lu + i * n, term);
      geometric_work_turn(ham->n, product, term);
    }
  }
  return all_finite(z, n);
}

enum { ROWS = 8 /* of the extrapolation: up to 16 parts per step */ };

/* The displacement by the flow in a time t, by this many parts of the midpoint rule with Gragg's end: an even
 * power series in t/parts. */
static void flow_parts(const Field *field, const double *z, double t, int parts, double *way)
{
  const int n = 2 * field->ham->n;
  const double part = t / parts;
  double last[2 * GEOMETRIC_SIZE] = {0.0}, at[2 * GEOMETRIC_SIZE], slope[2 * GEOMETRIC_SIZE];
  field_value(field, z, slope);
  for (int i = 0; i < n; i++)
    way[i] = part * slope[i];
  for (int k = 1; k <= parts; k++) {
    for (int i = 0; i < n; i++)
      at[i] = z[i] + way[i];
    field_value(field, at, slope);
    for (int i = 0; i < n; i++) {
      const double next =
          k < parts ? last[i] + 2.0 * part * slope[i] : 0.5 * (last[i] + way[i] + part * slope[i]);
      last[i] = way[i];
      way[i] = next;
    }
  }
}

/* z -> exp(t X) z by extrapolation to parts of length zero (Gragg, Bulirsch and Stoer). It extrapolates
 * displacements, whose rounding is small when they are. Returns the number of rows used, or 0 if ROWS are too
 * few; z is then unchanged. */
static int flow_extrapolated(const Field *field, double t, double size, double *z)
{
  const double small = 2e-15 * size;
  const int n = 2 * field->ham->n;
  double row[ROWS][2 * GEOMETRIC_SIZE]; /* row[k]: the newest of k extrapolations */
  for (int j = 0; j < ROWS; j++) {
    double now[2 * GEOMETRIC_SIZE], change = 0.0;
    flow_parts(field, z, t, 2 * (j + 1), now);
    if (!all_finite(now, n))
      return 0;
    for (int k = 0; k < j; k++) {
      const double ratio = (double)(j + 1) / (j - k), per = 1.0 / (ratio * ratio - 1.0);
      change = 0.0;
      for (int i = 0; i < n; i++) {
        const double better = per * (now[i] - row[k][i]);
        row[k][i] = now[i];
        now[i] += better;
        change = fmax(change, fabs(better));
      }
    }
    memcpy(row[j], now, (size_t)n * sizeof *now);
    if (j > 0 && change <= small) {
      for (int i = 0; i < n; i++)
        z[i] += now[i];
      return j + 1;
    }
  }
  return 0;
}

static int flow_numerical(const Field *field, double *z)
{
  enum { STEPS = 100000, FEW = ROWS - 2 };
  const int n = 2 * field->ham->n;
  const double shortest = 1e-9;
  double size = 0.0, t = 1.0, left = 1.0;
  for (int i = 0; i < n; i++)
    size = fmax(size, fabs(z[i]));
  for (int k = 0; k < STEPS && left > 0.0 && t > shortest; k++) {
    const double step = fmin(t, left);
    const int rows = flow_extrapolated(field, step, size, z);
    if (rows > 0)
      left -= step;
    t = rows == 0 ? 0.5 * step : (rows <= FEW ? 2.0 * t : t);
  }
  return left <= 0.0 && all_finite(z, n);
}

int geometric_flow(const Hamiltonian *ham, const double *s, double *z, GeometricWork *work)
{
  Field field = {ham, s, work->a, work->b};
  int still = 1;
  for (int i = 0; i < ham->ncon; i++) {
    if (!isfinite(s[i]))
      return 0;
    still = still && s[i] == 0.0;
  }
  if (still)
    return 1;
  if (all_of(ham, FLOW_SHIFT)) {
    field_value(&field, z, work->c);
    for (int i = 0; i < ham->n; i++)
      z[ham->n + i] += work->c[ham->n + i];
    return all_finite(z, 2 * ham->n);
  }
  return all_of(ham, FLOW_LINEAR) ? flow_linear(&field, z, work) : flow_numerical(&field, z);
}
