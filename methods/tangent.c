#include "methods/tangent.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/band.h"
#include "engine/random.h"
#include "methods/hamiltonian.h"

/* A pivot below this fraction of a constraint's own square counts as zero: its gradient is within an angle of
 * 3e-7 of the span of the others. */
static const double pivot_least = 1e-13;
enum { ITERATIONS = 100, POWERS = 300 };

/* Functions for constraints on coordinates of sites, or on q and p. */
typedef struct TangentForm {
  void (*size)(Tangent *t); /* sets n, ncon and room */
  /* Lists the columns of each gradient, scales and weights. */
  void (*list)(Tangent *t);
  void (*look)(Tangent *t, const double *q, const double *p);
} TangentForm;

struct Tangent {
  const Kind *kind;
  const TangentForm *form;
  int ncon;
  int n;            /* variables of the gradients: coordinates, or 2n of q and p    */
  int nq;           /* coordinates among these; the others are momenta              */
  size_t room;      /* elements of all gradients                                    */
  int *start, *col; /* [ncon + 1], gradients by rows                                */
  double *grad, *g, *scale;
  double *weight; /* [n] 1/m, or 1                                                */
  Band *band;     /* of the Gram matrix                                           */
  int nedge;
  int (*edge)[2];
  double *gram, *pivot, *mu; /* [band_symmetric_size], [ncon], [ncon]             */
  Vec8 *q;                   /* [n] each the same in all lanes                    */
  double *z, *row;           /* [n]                                               */
};

/* --- coordinates of sites ----------------------------------------------------------------------------- */

static void size_natural(Tangent *t)
{
  t->n = t->nq = t->kind->nsite * t->kind->dim;
  t->ncon = t->kind->ncon;
  t->room = (size_t)t->ncon * CONSTRAINT_SITES * (size_t)t->kind->dim;
}

static void list_natural(Tangent *t)
{
  const Kind *kind = t->kind;
  const int dim = kind->dim;
  for (int c = 0; c < t->ncon; c++) {
    const Constraint *con = &kind->con[c];
    t->start[c + 1] = t->start[c] + con->nsite * dim;
    for (int k = 0; k < con->nsite * dim; k++)
      t->col[t->start[c] + k] = con->site[k / dim] * dim + k % dim;
    t->scale[c] = constraint_scale(con);
  }
  for (int i = 0; i < t->n; i++)
    t->weight[i] = 1.0 / kind->mass[i / dim];
}

static void look_natural(Tangent *t, const double *q, const double *p)
{
  (void)p;
  const Kind *kind = t->kind;
  for (int i = 0; i < t->n; i++)
    t->q[i] = vec8_set(q[i]);
  for (int c = 0; c < kind->ncon; c++) {
    Vec8 g, grad[CONSTRAINT_SITES * 3];
    kind->con[c].type->eval(&kind->con[c], kind->dim, t->q, &g, grad);
    t->g[c] = g[0];
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      t->grad[k] = grad[k - t->start[c]][0];
  }
}

/* --- q and p: any constraint may depend on all -----------------------------------------------------------
 */

static void size_general(Tangent *t)
{
  t->nq = t->kind->ham->n;
  t->n = 2 * t->nq;
  t->ncon = t->kind->ham->ncon;
  t->room = (size_t)t->ncon * (size_t)t->n;
}

static void list_general(Tangent *t)
{
  for (int c = 0; c < t->ncon; c++) {
    t->start[c + 1] = t->start[c] + t->n;
    t->scale[c] = 1.0;
    for (int i = 0; i < t->n; i++)
      t->col[t->start[c] + i] = i;
  }
  for (int i = 0; i < t->n; i++)
    t->weight[i] = 1.0;
}

static void look_general(Tangent *t, const double *q, const double *p)
{
  const Hamiltonian *ham = t->kind->ham;
  memcpy(t->z, q, (size_t)t->nq * sizeof *q);
  memcpy(t->z + t->nq, p, (size_t)t->nq * sizeof *p);
  for (int c = 0; c < ham->ncon; c++) {
    t->g[c] = ham->con[c].value(ham->con[c].self, t->z);
    ham->con[c].gradient(ham->con[c].self, t->z, t->grad + t->start[c]);
  }
}

static const TangentForm natural = {size_natural, list_natural, look_natural};
static const TangentForm general = {size_general, list_general, look_general};

/* --- structure ---------------------------------------------------------------------------------------- */

static Status add_edge(Tangent *t, int *room, int a, int b, Error *error)
{
  if (t->nedge == *room) {
    *room = *room > 0 ? 2 * *room : 64;
    int(*more)[2] = realloc(t->edge, (size_t)*room * sizeof *more);
    if (more == NULL)
      return error_memory(error, "constraints");
    t->edge = more;
  }
  t->edge[t->nedge][0] = a;
  t->edge[t->nedge++][1] = b;
  return STATUS_OK;
}

/* Lists pairs of constraints that share a variable. first[variable] and next[entry] are lists of entries,
 * owner[entry] is an entry's constraint, last[constraint] the constraint it was paired with last. */
static Status link_edges(Tangent *t, int *first, int *next, int *owner, int *last, Error *error)
{
  int room = 0;
  for (int i = 0; i < t->n; i++)
    first[i] = -1;
  for (int c = 0; c < t->ncon; c++) {
    last[c] = c;
    for (int k = t->start[c]; k < t->start[c + 1]; k++) {
      for (int other = first[t->col[k]]; other >= 0; other = next[other]) {
        if (last[owner[other]] == c)
          continue;
        last[owner[other]] = c;
        TRY(add_edge(t, &room, c, owner[other], error));
      }
      owner[k] = c;
      next[k] = first[t->col[k]];
      first[t->col[k]] = k;
    }
  }
  return STATUS_OK;
}

static Status list_edges(Tangent *t, Error *error)
{
  const size_t n = (size_t)t->n, m = (size_t)t->ncon;
  SCOPED(scoped_free) int *first = malloc((n + 2 * t->room + m) * sizeof *first);
  TRY_MEMORY(first != NULL, "constraints", error);
  int *const next = first + n, *const owner = next + t->room;
  return link_edges(t, first, next, owner, owner + t->room, error);
}

static Status allocate(Tangent *t, Error *error)
{
  const size_t m = (size_t)t->ncon, n = (size_t)t->n;
  t->start = calloc(m + 1, sizeof *t->start);
  t->col = malloc((t->room + 1) * sizeof *t->col);
  t->grad = calloc(t->room + 4 * m + 3 * n + 1, sizeof *t->grad);
  t->q = aligned_alloc(sizeof(Vec8), n * sizeof(Vec8));
  if (t->start == NULL || t->col == NULL || t->grad == NULL || t->q == NULL)
    return error_memory(error, "constraints");
  t->g = t->grad + t->room;
  t->scale = t->g + m;
  t->pivot = t->scale + m;
  t->mu = t->pivot + m;
  t->weight = t->mu + m;
  t->z = t->weight + n;
  t->row = t->z + n;
  t->form->list(t);
  if (t->ncon == 0)
    return STATUS_OK;
  TRY(list_edges(t, error));
  TRY(band_create(&t->band, t->ncon, 1, t->nedge, t->edge, error));
  t->gram = malloc(band_symmetric_size(t->band) * sizeof *t->gram);
  return t->gram != NULL ? STATUS_OK : error_memory(error, "constraints");
}

Status tangent_create(Tangent **tangent, const Kind *kind, Error *error)
{
  *tangent = NULL;
  Tangent *t = calloc(1, sizeof *t);
  if (t == NULL)
    return error_memory(error, "constraints");
  t->kind = kind;
  t->form = kind->ham != NULL ? &general : &natural;
  t->form->size(t);
  TRY_ELSE(allocate(t, error), tangent_free(t));
  *tangent = t;
  return STATUS_OK;
}

void tangent_free(Tangent *t)
{
  if (t == NULL)
    return;
  band_free(t->band);
  free(t->start);
  free(t->col);
  free(t->grad);
  free(t->edge);
  free(t->gram);
  free(t->q);
  free(t);
}

/* --- at a point --------------------------------------------------------------------------------------- */

/* grad g_a . W grad g_b; expands the columns of grad g_a in row[]. */
static double product(Tangent *t, int a, int b)
{
  double sum = 0.0;
  for (int k = t->start[a]; k < t->start[a + 1]; k++)
    t->row[t->col[k]] += t->grad[k] * t->weight[t->col[k]];
  for (int k = t->start[b]; k < t->start[b + 1]; k++)
    sum += t->row[t->col[k]] * t->grad[k];
  for (int k = t->start[a]; k < t->start[a + 1]; k++)
    t->row[t->col[k]] = 0.0;
  return sum;
}

/* Computes the Gram matrix and its L D L', with zero pivots for constraints that depend on earlier ones. */
static void factor(Tangent *t)
{
  const int n = t->ncon, half = t->band->half;
  for (size_t i = 0; i < band_symmetric_size(t->band); i++)
    t->gram[i] = 0.0;
  for (int c = 0; c < n; c++)
    t->gram[band_symmetric(t->band, c, c)] = product(t, c, c);
  for (int e = 0; e < t->nedge; e++)
    t->gram[band_symmetric(t->band, t->edge[e][0], t->edge[e][1])] = product(t, t->edge[e][0], t->edge[e][1]);
  for (int i = 0; i < n; i++) {
    double *const row = t->gram + (size_t)i * (size_t)(half + 1) - i + half;
    const int from = i > half ? i - half : 0;
    const double own = row[i];
    for (int j = from; j < i; j++) {
      const double *const above = t->gram + (size_t)j * (size_t)(half + 1) - j + half;
      for (int k = from > j - half ? from : j - half; k < j; k++)
        row[j] -= row[k] * above[k]; /* row[k] still contains L_ik D_k */
    }
    for (int j = from; j < i; j++) {
      const double l = t->pivot[j] > 0.0 ? row[j] / t->pivot[j] : 0.0;
      row[i] -= l * row[j];
      row[j] = l;
    }
    t->pivot[i] = row[i] > pivot_least * own && own > 0.0 ? row[i] : 0.0;
  }
}

/* mu <- G^-1 mu, without dependent constraints. */
static void solve(Tangent *t)
{
  const int n = t->ncon, half = t->band->half;
  for (int i = 0; i < n; i++) {
    const double *const row = t->gram + (size_t)i * (size_t)(half + 1) - i + half;
    const int a = t->band->unknown[i];
    for (int j = i > half ? i - half : 0; j < i; j++)
      t->mu[a] -= row[j] * t->mu[t->band->unknown[j]];
  }
  for (int i = n - 1; i >= 0; i--) {
    const int a = t->band->unknown[i];
    t->mu[a] = t->pivot[i] > 0.0 ? t->mu[a] / t->pivot[i] : 0.0;
    for (int k = i + 1; k < n && k <= i + half; k++)
      t->mu[a] -=
          t->gram[(size_t)k * (size_t)(half + 1) + (size_t)(i - k + half)] * t->mu[t->band->unknown[k]];
  }
}

void tangent_look(Tangent *t, const double *q, const double *p) { t->form->look(t, q, p); }

double tangent_residual(const Tangent *t, int *worst)
{
  double largest = 0.0;
  *worst = 0;
  for (int c = 0; c < t->ncon; c++) {
    const double size = fabs(t->g[c]) / t->scale[c];
    if (!(size <= largest)) {
      largest = size;
      *worst = c;
    }
  }
  return largest;
}

double tangent_rounding(const Tangent *t, const double *q)
{
  double most = 1.0, least = 1.0;
  for (int i = 0; i < t->nq; i++)
    most = fmax(most, q[i] * q[i]);
  for (int c = 0; c < t->ncon; c++)
    least = fmin(least, t->scale[c]);
  return 16.0 * DBL_EPSILON * most / least;
}

/* grad g_c . M^-1 p */
static double along(const Tangent *t, int c, const double *p)
{
  double sum = 0.0;
  for (int k = t->start[c]; k < t->start[c + 1]; k++)
    sum += t->grad[k] * t->weight[t->col[k]] * p[t->col[k]];
  return sum;
}

double tangent_speed(const Tangent *t, const double *p)
{
  double largest = 0.0;
  for (int c = 0; c < t->ncon; c++)
    largest = fmax(largest, fabs(along(t, c, p)));
  return largest;
}

/* y += M^-1/2 (Hess V + w^2 J'J) M^-1/2 u. */
static void stiffness(const Tangent *t, double w, const double *u, Vec8 *lanes, double *y)
{
  const Kind *kind = t->kind;
  for (int i = 0; i < t->n; i++)
    lanes[i] = vec8_set(u[i] * sqrt(t->weight[i]));
  for (int c = 0; c < kind->ncon; c++) {
    double sum = 0.0;
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      sum += w * w * t->grad[k] * lanes[t->col[k]][0];
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      y[t->col[k]] += sum * t->grad[k] * sqrt(t->weight[t->col[k]]);
  }
  const Vec8 one = vec8_set(1.0);
  for (int i = 0; i < kind->npot; i++) {
    const Potential *pot = &kind->pot[i];
    Vec8 out[CONSTRAINT_SITES * 3] = {{0}};
    pot->type->hess_vec(pot, kind->dim, t->q, &one, lanes, out);
    for (int k = 0; k < pot->nsite * kind->dim; k++) {
      const int at = pot->site[k / kind->dim] * kind->dim + k % kind->dim;
      y[at] += out[k][0] * sqrt(t->weight[at]);
    }
  }
}

Status tangent_fastest(const Tangent *t, double w, double *frequency, Error *error)
{
  const size_t n = (size_t)t->n;
  SCOPED(scoped_free) double *u = calloc(2 * n, sizeof *u);
  SCOPED(scoped_free) Vec8 *lanes = aligned_alloc(sizeof(Vec8), n * sizeof(Vec8));
  *frequency = 0.0;
  TRY_MEMORY(u != NULL && lanes != NULL, "a frequency", error);
  double *const y = u + n;
  RandomStream stream = random_stream(1, 0, RANDOM_STATISTICS);
  for (size_t i = 0; i < n; i++)
    u[i] = random_normal(&stream);
  double value = 0.0;
  for (int k = 0; k < POWERS; k++) {
    double square = 0.0, along = 0.0, norm = 0.0;
    for (size_t i = 0; i < n; i++)
      y[i] = 0.0;
    stiffness(t, w, u, lanes, y);
    for (size_t i = 0; i < n; i++) {
      square += u[i] * u[i];
      along += u[i] * y[i];
      norm += y[i] * y[i];
    }
    value = along / square;
    if (!(norm > 0.0) || !isfinite(norm))
      break;
    for (size_t i = 0; i < n; i++)
      u[i] = y[i] / sqrt(norm);
  }
  *frequency = value > 0.0 && isfinite(value) ? sqrt(value) : 0.0;
  return STATUS_OK;
}

int tangent_rank(Tangent *t, int *dependent)
{
  const int n = t->ncon;
  int rank = 0;
  *dependent = -1;
  if (n == 0)
    return 0;
  factor(t);
  for (int i = 0; i < n; i++) {
    rank += t->pivot[i] > 0.0;
    if (t->pivot[i] == 0.0 && (*dependent < 0 || t->band->unknown[i] < *dependent))
      *dependent = t->band->unknown[i];
  }
  return rank;
}

bool tangent_project(Tangent *t, double tolerance, double *q, double *p)
{
  const int n = t->ncon;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    int worst;
    tangent_look(t, q, p);
    const double residual = tangent_residual(t, &worst);
    if (residual <= tolerance)
      return true;
    if (!isfinite(residual))
      return false;
    factor(t);
    for (int c = 0; c < n; c++)
      t->mu[c] = -t->g[c];
    solve(t);
    for (int c = 0; c < n; c++)
      for (int k = t->start[c]; k < t->start[c + 1]; k++) {
        const int i = t->col[k];
        *(i < t->nq ? &q[i] : &p[i - t->nq]) += t->weight[i] * t->grad[k] * t->mu[c];
      }
  }
  return false;
}

void tangent_momenta(Tangent *t, double *p)
{
  const int n = t->ncon;
  if (n == 0)
    return;
  factor(t);
  for (int c = 0; c < n; c++)
    t->mu[c] = -along(t, c, p);
  solve(t);
  for (int c = 0; c < n; c++)
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      p[t->col[k]] += t->grad[k] * t->mu[c];
}
