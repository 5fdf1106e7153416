#include "simulation/penalty_modes.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/scoped.h"

enum { TOUCHED = CONSTRAINT_SITES * 3 };

/* Smaller eigenvalues, relative to the largest, belong to dependent constraints. */
static const double least = 1e-10;

/* Exact constraints are treated as penalties, stronger than the strongest penalty by this factor. Modes of
 * the penalties on the manifold of exact constraints are then those of the limit, to one over its square. */
static const double stronger = 1e3;

/* All constraints at one configuration, each times its strength if the kind has strengths. */
typedef struct Rows {
  const Kind *kind;
  size_t n, m;                /* coordinates, constraints */
  double *grad, *hess;        /* [m][TOUCHED], [m][TOUCHED][TOUCHED] */
  int *touched;               /* [m] number of coordinates */
  int (*coordinate)[TOUCHED]; /* [m] their indices */
  double *gram, *mobile;      /* [m][m] J M^-1 J', J M^-2 J' */
  double *value, *vector;     /* [m], [m][m] eigenvalues, rising, and vectors of gram */
  double *across; /* [n][m] M^-1 J'v over the root of its eigenvalue; 0 for dependent constraints */
  double *mean, *covariance; /* [m], [m][m] of the accelerations of g */
  Arena arena;
} Rows;

static void rows_free(Rows *r) { arena_free(&r->arena); }

static Status rows_create(Rows *r, const Kind *kind, Error *error)
{
  const size_t m = (size_t)kind->ncon, n = (size_t)kind->nsite * (size_t)kind->dim;
  *r = (Rows){.kind = kind, .n = n, .m = m};
  r->grad = arena_take(&r->arena, m * TOUCHED, sizeof *r->grad);
  r->hess = arena_take(&r->arena, m * TOUCHED * TOUCHED, sizeof *r->hess);
  r->touched = arena_take(&r->arena, m, sizeof *r->touched);
  r->coordinate = arena_take(&r->arena, m, sizeof *r->coordinate);
  r->gram = arena_take(&r->arena, m * m, sizeof *r->gram);
  r->mobile = arena_take(&r->arena, m * m, sizeof *r->mobile);
  r->covariance = arena_take(&r->arena, m * m, sizeof *r->covariance);
  r->mean = arena_take(&r->arena, m, sizeof *r->mean);
  r->across = arena_take(&r->arena, n * m, sizeof *r->across);
  r->value = arena_take(&r->arena, m, sizeof *r->value);
  r->vector = arena_take(&r->arena, m * m, sizeof *r->vector);
  return arena_check(&r->arena, "penalised modes", error);
}

static double factor_of(const Kind *kind, size_t c)
{
  double most = 0.0;
  for (int e = 0; kind->w != NULL && e < kind->ncon; e++)
    most = fmax(most, kind_strength(kind, e, 0.0));
  return kind->w == NULL ? 1.0 : isinf(kind->w[c]) ? stronger * most : kind->w[c];
}

/* All lanes of the packs have the same values; lane 0 is read. */
static Status evaluate(Rows *r, const double *x, Error *error)
{
  const int dim = r->kind->dim;
  SCOPED(scoped_free) Vec8 *q = aligned_alloc(sizeof(Vec8), r->n * sizeof(Vec8));
  TRY_MEMORY(q != NULL, "penalised modes", error);
  for (size_t i = 0; i < r->n; i++)
    q[i] = vec8_set(x[i]);
  for (size_t c = 0; c < r->m; c++) {
    const Constraint *con = &r->kind->con[c];
    Vec8 value, grad[TOUCHED], hess[TOUCHED * TOUCHED];
    con->type->eval(con, dim, q, &value, grad);
    con->type->hess(con, dim, q, hess);
    const int k = r->touched[c] = con->nsite * dim;
    const double factor = factor_of(r->kind, c);
    for (int i = 0; i < k; i++) {
      r->coordinate[c][i] = con->site[i / dim] * dim + i % dim;
      r->grad[c * TOUCHED + (size_t)i] = factor * grad[i][0];
      for (int j = 0; j < k; j++)
        r->hess[(c * TOUCHED + (size_t)i) * TOUCHED + (size_t)j] = factor * hess[i * k + j][0];
    }
  }
  return STATUS_OK;
}

static double mass_of(const Rows *r, int coordinate) { return r->kind->mass[coordinate / r->kind->dim]; }

static void fill_gram(Rows *r)
{
  for (size_t a = 0; a < r->m; a++)
    for (size_t b = 0; b < r->m; b++)
      for (int i = 0; i < r->touched[a]; i++)
        for (int j = 0; j < r->touched[b]; j++)
          if (r->coordinate[a][i] == r->coordinate[b][j]) {
            const double mass = mass_of(r, r->coordinate[a][i]);
            const double product = r->grad[a * TOUCHED + (size_t)i] * r->grad[b * TOUCHED + (size_t)j] / mass;
            r->gram[a * r->m + b] += product;
            r->mobile[a * r->m + b] += product / mass;
          }
}

/* Kinds with strengths have independent constraints, whose strengths may differ by orders of magnitude. */
static double least_of(const Rows *r) { return r->kind->w != NULL ? 0.0 : least; }

/* Computes the eigenvectors of G, and M^-1 J'v. */
static Status solve(Rows *r, Error *error)
{
  const int n = (int)r->m;
  SCOPED(scoped_free) double *const work = malloc(3 * r->m * sizeof *work);
  TRY_MEMORY(work != NULL, "penalised modes", error);
  memcpy(r->vector, r->gram, r->m * r->m * sizeof *r->vector);
  if (LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, r->vector, n, r->value, work, 3 * n) != 0)
    return error_set(error, STATUS_INPUT,
                     "%s: the constraints at the start have no modes; are all numbers finite?",
                     r->kind->name);
  const double largest = r->value[r->m - 1];
  for (size_t k = 0; k < r->m; k++)
    for (size_t c = 0; c < r->m && r->value[k] > least_of(r) * largest; c++)
      for (int i = 0; i < r->touched[c]; i++) {
        const int at = r->coordinate[c][i];
        r->across[(size_t)at * r->m + k] +=
            r->vector[k * r->m + c] * r->grad[c * TOUCHED + (size_t)i] / (mass_of(r, at) * sqrt(r->value[k]));
      }
  return STATUS_OK;
}

/* The covariance of two velocity coordinates along the manifold at kT = 1: M^-1 without its normal part. */
static double covariance_of(const Rows *r, int i, int j)
{
  double sum = i == j ? 1.0 / mass_of(r, i) : 0.0;
  for (size_t k = 0; k < r->m; k++)
    sum -= r->across[(size_t)i * r->m + k] * r->across[(size_t)j * r->m + k];
  return sum;
}

/* For normal u of covariance P: <u'Hu> = tr HP, <u'Hu u'Ku> - <u'Hu><u'Ku> = 2 tr HPKP. */
static void add_moments(Rows *r, size_t a, size_t b)
{
  const int na = r->touched[a], nb = r->touched[b];
  const double *ha = r->hess + a * TOUCHED * TOUCHED, *hb = r->hess + b * TOUCHED * TOUCHED;
  double p[TOUCHED][TOUCHED];
  for (int i = 0; i < na; i++)
    for (int j = 0; j < nb; j++)
      p[i][j] = covariance_of(r, r->coordinate[a][i], r->coordinate[b][j]);
  double sum = 0.0;
  for (int i = 0; i < na; i++)
    for (int j = 0; j < na; j++)
      for (int k = 0; k < nb; k++)
        for (int l = 0; l < nb; l++)
          sum += ha[i * TOUCHED + j] * p[j][k] * hb[k * TOUCHED + l] * p[i][l];
  r->covariance[a * r->m + b] = 2.0 * sum;
  for (int i = 0; i < na && a == b; i++)
    for (int j = 0; j < na; j++)
      r->mean[a] += ha[i * TOUCHED + j] * p[i][j];
}

static void put_mode(const Rows *r, size_t k, PenaltyModes *to)
{
  double mobile = 0.0, mean = 0.0, variance = 0.0;
  for (size_t a = 0; a < r->m; a++) {
    const double va = r->vector[k * r->m + a];
    mean += va * r->mean[a];
    for (size_t b = 0; b < r->m; b++) {
      const double both = va * r->vector[k * r->m + b];
      mobile += both * r->mobile[a * r->m + b];
      variance += both * r->covariance[a * r->m + b];
    }
  }
  const double square = r->value[k];
  to->square[to->n] = square;
  to->mobility[to->n] = mobile / square;
  to->mean[to->n] = mean;
  to->variance[to->n++] = fmax(variance, 0.0);
}

static Status find_modes(PenaltyModes *modes, const Kind *kind, const double *q, Error *error)
{
  const size_t m = (size_t)kind->ncon;
  SCOPED(rows_free) Rows r = {0};
  TRY(rows_create(&r, kind, error));
  modes->square = malloc(4 * m * sizeof *modes->square);
  TRY_MEMORY(modes->square != NULL, "penalised modes", error);
  modes->mobility = modes->square + m;
  modes->mean = modes->mobility + m;
  modes->variance = modes->mean + m;
  TRY(evaluate(&r, q, error));
  fill_gram(&r);
  TRY(solve(&r, error));
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++)
      add_moments(&r, a, b);
  const size_t kept = kind->w != NULL ? (size_t)kind_kept(kind).ncon : 0; /* the largest eigenvalues */
  for (size_t k = 0; k < m - kept; k++)
    if (r.value[k] > least_of(&r) * r.value[m - 1])
      put_mode(&r, k, modes);
  return STATUS_OK;
}

Status penalty_modes_create(PenaltyModes *modes, const Kind *kind, const double *q, Error *error)
{
  *modes = (PenaltyModes){0};
  if (kind->ncon > 0 && kind->ncon <= PENALTY_MODES_MOST && (kind->w == NULL || kind_has_penalties(kind)))
    TRY_ELSE(find_modes(modes, kind, q, error), penalty_modes_free(modes));
  return STATUS_OK;
}

void penalty_modes_free(PenaltyModes *modes)
{
  free(modes->square);
  *modes = (PenaltyModes){0};
}
