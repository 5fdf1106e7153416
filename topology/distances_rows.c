#include "topology/distances_rows.h"

#include <math.h>
#include <string.h>

enum { NEWTON = 60 };
#define CONVERGED 1e-14 /* relative to a length */
#define STEP_MOST 0.3   /* of a site in a Newton step, A */

Status distances_rows_make(DistancesRows *rows, int nsite, const double *mass, int n,
                           const Distance *distance, Arena *arena, Error *error)
{
  const size_t dim = 3 * (size_t)nsite, most = (size_t)n < dim ? (size_t)n : dim;
  *rows = (DistancesRows){.nsite = nsite, .n = n, .mass = mass, .distance = distance};
  rows->unit = arena_take(arena, (most + 1) * dim, sizeof(double));
  rows->lower = arena_take(arena, (most + 1) * (most + 1), sizeof(double));
  rows->row = arena_take(arena, most + 1, sizeof(int));
  rows->part = arena_take(arena, most + 1, sizeof(double));
  rows->step = arena_take(arena, dim, sizeof(double));
  return arena_check(arena, "distances", error);
}

static double length_of(const Distance *d, const double (*x)[3], double along[3])
{
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    along[k] = x[d->site[1]][k] - x[d->site[0]][k];
    sum += along[k] * along[k];
  }
  return sqrt(sum);
}

DistancesGradient distances_rows_gradient(const Distance *d, const double (*x)[3])
{
  DistancesGradient g = {.nsite = 2, .weight = {-1.0, 1.0}, .length = 1.0};
  if (d->axis == 0) {
    g.length = length_of(d, x, g.along);
    g.fault = d->length - g.length;
    return g;
  }
  const int k = d->axis - 1;
  const double one = x[d->site[1]][k], other = x[d->site[2]][k];
  g = (DistancesGradient){3, {1.0, d->share - 1.0, -d->share}, .length = 1.0};
  g.along[k] = 1.0;
  g.fault = one + d->share * (other - one) - x[d->site[0]][k];
  return g;
}

double distances_rows_norm(const DistancesGradient *g, const Distance *d, const double *mass)
{
  double sum = 0.0;
  for (int k = 0; k < g->nsite; k++)
    sum += g->weight[k] * g->weight[k] / mass[d->site[k]];
  return sqrt(sum);
}

double distances_rows_fault(const Distance *d, const double (*x)[3])
{
  return fabs(distances_rows_gradient(d, x).fault) / d->length;
}

Status distances_rows_unsolved(int n, const Distance *distance, const bool *kept, const double (*x)[3],
                               int *worst, Error *error)
{
  double fault = -1.0;
  for (int c = 0; c < n; c++) {
    const double off = distances_rows_fault(&distance[c], x);
    if ((kept == NULL || kept[c]) && off > fault) {
      fault = off;
      *worst = c;
    }
  }
  return error_set(error, STATUS_INPUT, "no configuration nearby satisfies all distances");
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

double distances_rows_unit(const DistancesRows *rows, int c, const double (*x)[3], double *row)
{
  const Distance *d = &rows->distance[c];
  const DistancesGradient g = distances_rows_gradient(d, x);
  const double norm = distances_rows_norm(&g, d, rows->mass), scale = 1.0 / norm;
  memset(row, 0, 3 * (size_t)rows->nsite * sizeof *row);
  for (int i = 0; i < 3 * g.nsite; i++) {
    const int site = d->site[i / 3];
    row[3 * site + i % 3] = g.weight[i / 3] * scale * g.along[i % 3] / g.length / sqrt(rows->mass[site]);
  }
  return norm;
}

/* Orthogonalises a row of unit length against the rows so far; the remainder becomes the next row. Stores its
 * components along them, and returns the length of the remainder. */
static double free_row(const DistancesRows *rows, int c, const double (*x)[3])
{
  const int dim = 3 * rows->nsite;
  double *own = rows->unit + (size_t)rows->rank * (size_t)dim;
  (void)distances_rows_unit(rows, c, x, own);
  memset(rows->part, 0, (size_t)rows->rank * sizeof *rows->part);
  for (int twice = 0; twice < 2; twice++)
    for (int k = 0; k < rows->rank; k++) {
      const double *other = rows->unit + (size_t)k * (size_t)dim;
      const double part = dot(dim, own, other);
      rows->part[k] += part;
      for (int e = 0; e < dim; e++)
        own[e] -= part * other[e];
    }
  return sqrt(dot(dim, own, own));
}

double distances_rows_left(const DistancesRows *rows, int c, const double (*x)[3])
{
  return rows->rank < 3 * rows->nsite ? free_row(rows, c, x) : 0.0;
}

void distances_rows_orthogonalise(DistancesRows *rows, const double (*x)[3], const bool *kept, double least,
                                  bool *is)
{
  const int dim = 3 * rows->nsite;
  rows->rank = 0;
  for (int c = 0; c < rows->n; c++) {
    const double left = rows->rank < dim && (kept == NULL || kept[c]) ? free_row(rows, c, x) : 0.0;
    const bool own_row = left > (rows->distance[c].axis == 0 ? least : DISTANCES_NOTHING);
    if (is != NULL)
      is[c] = own_row;
    if (!own_row)
      continue;
    const size_t k = (size_t)rows->rank, stride = (size_t)(rows->n < dim ? rows->n : dim) + 1;
    double *own = rows->unit + k * (size_t)dim;
    for (int e = 0; e < dim; e++)
      own[e] /= left;
    memcpy(rows->lower + k * stride, rows->part, k * sizeof *rows->lower);
    rows->lower[k * stride + k] = left;
    rows->row[rows->rank++] = c;
  }
}

/* Performs the shortest step that satisfies all rows to first order. Returns the largest relative error. */
static double newton_step(const DistancesRows *rows, double (*x)[3])
{
  const int dim = 3 * rows->nsite;
  const size_t stride = (size_t)(rows->n < dim ? rows->n : dim) + 1;
  double worst = 0.0, longest = 0.0;
  memset(rows->step, 0, (size_t)dim * sizeof *rows->step);
  for (int k = 0; k < rows->rank; k++) {
    const Distance *d = &rows->distance[rows->row[k]];
    const DistancesGradient g = distances_rows_gradient(d, (const double(*)[3])x);
    worst = fmax(worst, fabs(g.fault) / d->length);
    double part = g.fault / distances_rows_norm(&g, d, rows->mass);
    part -= dot(k, rows->lower + (size_t)k * stride, rows->part);
    rows->part[k] = part / rows->lower[(size_t)k * stride + (size_t)k];
    for (int e = 0; e < dim; e++)
      rows->step[e] += rows->part[k] * rows->unit[(size_t)k * (size_t)dim + (size_t)e];
  }
  for (int e = 0; e < dim; e++)
    longest = fmax(longest, fabs(rows->step[e]) / sqrt(rows->mass[e / 3]));
  const double scale = longest > STEP_MOST ? STEP_MOST / longest : 1.0;
  for (int e = 0; e < dim; e++)
    x[e / 3][e % 3] += scale * rows->step[e] / sqrt(rows->mass[e / 3]);
  return worst;
}

double distances_rows_newton(DistancesRows *rows, const bool *kept, double (*x)[3])
{
  double worst = HUGE_VAL;
  for (int i = 0; i < NEWTON && !(worst <= CONVERGED); i++) {
    distances_rows_orthogonalise(rows, (const double(*)[3])x, kept, DISTANCES_NOTHING, NULL);
    worst = newton_step(rows, x);
  }
  return worst;
}
