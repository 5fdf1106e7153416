#include "simulation/mechanics/mechanics_tangent.h"

#include <math.h>
#include <stdlib.h>

#include "engine/band.h"
#include "engine/random.h"
#include "methods/hamiltonian.h"

/* A pivot below this part of a constraint's own square is taken for zero: gradients whose angle to the span
 * of the others is less than 3e-7. */
static const double pivot_least = 1e-13;
enum { ITERATIONS = 100, POWERS = 300 };

/* What constraints are functions of: coordinates of sites, or q and p. */
typedef struct TangentForm {
  int (*unknowns)(const Kind *kind);
  int (*constraints)(const Kind *kind);
  /* Groups of unknowns that constraint c depends on, by which constraints have to do with each other. */
  int (*touches)(const Kind *kind, int c, int group[CONSTRAINT_SITES]);
  int (*columns)(const Tangent *t, int c, int *col); /* of its gradient: how many */
  double (*scale)(const Kind *kind, int c);
  double (*weight)(const Kind *kind, int i);
  void (*look)(Tangent *t, const double *q, const double *p);
  void (*move)(const Tangent *t, int i, double step, double *q, double *p);
} TangentForm;

struct Tangent {
  const Kind *kind;
  const TangentForm *form;
  int ncon;
  int n;            /* unknowns that gradients are with respect to: size, or 2n     */
  int *start, *col; /* [ncon + 1], gradients by rows                                */
  double *grad, *g, *scale;
  double *weight; /* [n] 1/m, or 1                                                */
  Band *band;     /* of the Gram matrix                                           */
  int nedge;
  int (*edge)[2];
  double *gram, *pivot, *mu; /* [band_symmetric_size], [ncon], [ncon]             */
  Octet *q;                  /* [size] lanes of one number                        */
  double *z, *row;           /* [2*size]                                          */
};

/* --- structure ---------------------------------------------------------------------------------------- */

static int unknowns_natural(const Kind *kind) { return kind->nsite * kind->dim; }
static int constraints_natural(const Kind *kind) { return kind->ncon; }
static double scale_natural(const Kind *kind, int c) { return constraint_scale(&kind->con[c]); }
static double weight_natural(const Kind *kind, int i) { return 1.0 / kind->mass[i / kind->dim]; }

static int touches_natural(const Kind *kind, int c, int group[CONSTRAINT_SITES])
{
  for (int k = 0; k < kind->con[c].nsite; k++)
    group[k] = kind->con[c].site[k];
  return kind->con[c].nsite;
}

static int columns_natural(const Tangent *t, int c, int *col)
{
  const Kind *kind = t->kind;
  for (int k = 0; k < kind->con[c].nsite * kind->dim; k++)
    col[k] = kind->con[c].site[k / kind->dim] * kind->dim + k % kind->dim;
  return kind->con[c].nsite * kind->dim;
}

static void move_natural(const Tangent *t, int i, double step, double *q, double *p)
{
  (void)t;
  (void)p;
  q[i] += step;
}

static int unknowns_general(const Kind *kind) { return 2 * kind->ham->n; }
static int constraints_general(const Kind *kind) { return kind->ham->ncon; }

static double one(const Kind *kind, int i)
{
  (void)kind;
  (void)i;
  return 1.0;
}

/* All have to do with all. */
static int touches_general(const Kind *kind, int c, int group[CONSTRAINT_SITES])
{
  (void)kind;
  (void)c;
  group[0] = 0;
  return 1;
}

static int columns_general(const Tangent *t, int c, int *col)
{
  (void)c;
  for (int k = 0; k < t->n; k++)
    col[k] = k;
  return t->n;
}

static void move_general(const Tangent *t, int i, double step, double *q, double *p)
{
  *(i < t->n / 2 ? &q[i] : &p[i - t->n / 2]) += step;
}

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

/* Constraints with a group in common. first[group] and next[constraint and place] are lists of places. */
static Status link_edges(Tangent *t, int *first, int *next, Error *error)
{
  int room = 0;
  for (int s = 0; s < t->n; s++)
    first[s] = -1;
  for (int c = 0; c < t->ncon; c++) {
    int group[CONSTRAINT_SITES];
    const int n = t->form->touches(t->kind, c, group);
    for (int k = 0; k < n; k++) {
      for (int other = first[group[k]]; other >= 0; other = next[other])
        TRY(add_edge(t, &room, c, other / CONSTRAINT_SITES, error));
      next[CONSTRAINT_SITES * c + k] = first[group[k]];
      first[group[k]] = CONSTRAINT_SITES * c + k;
    }
  }
  return STATUS_OK;
}

static Status list_edges(Tangent *t, Error *error)
{
  int *first = malloc((size_t)(t->n + 1) * sizeof *first);
  int *next = malloc((size_t)(CONSTRAINT_SITES * t->ncon + 1) * sizeof *next);
  const Status status =
      first == NULL || next == NULL ? error_memory(error, "constraints") : link_edges(t, first, next, error);
  free(first);
  free(next);
  return status;
}

static void list_columns(Tangent *t)
{
  t->start[0] = 0;
  for (int c = 0; c < t->ncon; c++) {
    t->start[c + 1] = t->start[c] + t->form->columns(t, c, t->col + t->start[c]);
    t->scale[c] = t->form->scale(t->kind, c);
  }
  for (int i = 0; i < t->n; i++)
    t->weight[i] = t->form->weight(t->kind, i);
}

static Status allocate(Tangent *t, Error *error)
{
  const size_t m = (size_t)t->ncon, n = (size_t)t->n;
  const size_t sites = CONSTRAINT_SITES * (size_t)t->kind->dim, most = m * (n > sites ? n : sites);
  t->start = malloc((m + 1) * sizeof *t->start);
  t->col = malloc((most + 1) * sizeof *t->col);
  t->grad = calloc(most + 1, sizeof *t->grad);
  t->g = calloc(m + 1, sizeof *t->g);
  t->scale = malloc((m + 1) * sizeof *t->scale);
  t->pivot = malloc((m + 1) * sizeof *t->pivot);
  t->mu = malloc((m + 1) * sizeof *t->mu);
  t->weight = malloc(n * sizeof *t->weight);
  t->z = malloc(2 * n * sizeof *t->z);
  t->row = calloc(n, sizeof *t->row);
  t->q = aligned_alloc(sizeof(Octet), n * sizeof(Octet));
  if (t->start == NULL || t->col == NULL || t->grad == NULL || t->g == NULL || t->scale == NULL ||
      t->pivot == NULL || t->mu == NULL || t->weight == NULL || t->z == NULL || t->row == NULL ||
      t->q == NULL)
    return error_memory(error, "constraints");
  list_columns(t);
  if (t->ncon == 0)
    return STATUS_OK;
  TRY(list_edges(t, error));
  TRY(band_create(&t->band, t->ncon, 1, t->nedge, t->edge, error));
  t->gram = malloc(band_symmetric_size(t->band) * sizeof *t->gram);
  return t->gram != NULL ? STATUS_OK : error_memory(error, "constraints");
}

static void look_general(Tangent *t, const double *q, const double *p)
{
  const Hamiltonian *ham = t->kind->ham;
  for (int i = 0; i < ham->n; i++) {
    t->z[i] = q[i];
    t->z[ham->n + i] = p[i];
  }
  for (int c = 0; c < ham->ncon; c++) {
    t->g[c] = ham->con[c].value(ham->con[c].self, t->z);
    ham->con[c].gradient(ham->con[c].self, t->z, t->grad + t->start[c]);
  }
}

static void look_natural(Tangent *t, const double *q, const double *p)
{
  (void)p;
  const Kind *kind = t->kind;
  for (int i = 0; i < t->n; i++)
    t->q[i] = octet_set(q[i]);
  for (int c = 0; c < kind->ncon; c++) {
    Octet g, grad[CONSTRAINT_SITES * 3];
    kind->con[c].type->eval(&kind->con[c], kind->dim, t->q, &g, grad);
    t->g[c] = g[0];
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      t->grad[k] = grad[k - t->start[c]][0];
  }
}

static const TangentForm natural = {unknowns_natural, constraints_natural, touches_natural, columns_natural,
                                    scale_natural,    weight_natural,      look_natural,    move_natural};
static const TangentForm general = {
    unknowns_general, constraints_general, touches_general, columns_general, one, one,
    look_general,     move_general};

Status mechanics_tangent_create(Tangent **tangent, const Kind *kind, Error *error)
{
  *tangent = NULL;
  Tangent *t = calloc(1, sizeof *t);
  if (t == NULL)
    return error_memory(error, "constraints");
  t->kind = kind;
  t->form = kind->ham != NULL ? &general : &natural;
  t->n = t->form->unknowns(kind);
  t->ncon = t->form->constraints(kind);
  const Status status = allocate(t, error);
  if (status != STATUS_OK) {
    mechanics_tangent_free(t);
    return status;
  }
  *tangent = t;
  return STATUS_OK;
}

void mechanics_tangent_free(Tangent *t)
{
  if (t == NULL)
    return;
  band_free(t->band);
  free(t->start);
  free(t->col);
  free(t->grad);
  free(t->g);
  free(t->scale);
  free(t->weight);
  free(t->edge);
  free(t->gram);
  free(t->pivot);
  free(t->mu);
  free(t->q);
  free(t->z);
  free(t->row);
  free(t);
}

/* --- at a point --------------------------------------------------------------------------------------- */

/* grad g_a . W grad g_b, by columns written out in row[]. */
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

/* The Gram matrix and its L D L', with pivots of zero where a constraint depends on those before. */
static void factor(Tangent *t)
{
  const int n = t->ncon, half = t->band->half;
  for (size_t i = 0; i < band_symmetric_size(t->band); i++)
    t->gram[i] = 0.0;
  for (int c = 0; c < n; c++)
    t->gram[band_symmetric(t->band, c, c)] = product(t, c, c);
  for (int e = 0; e < t->nedge; e++)
    if (t->edge[e][0] != t->edge[e][1])
      t->gram[band_symmetric(t->band, t->edge[e][0], t->edge[e][1])] =
          product(t, t->edge[e][0], t->edge[e][1]);
  for (int i = 0; i < n; i++) {
    double *const row = t->gram + (size_t)i * (size_t)(half + 1) - i + half;
    const int from = i > half ? i - half : 0;
    const double own = row[i];
    for (int j = from; j < i; j++) {
      const double *const above = t->gram + (size_t)j * (size_t)(half + 1) - j + half;
      for (int k = from > j - half ? from : j - half; k < j; k++)
        row[j] -= row[k] * above[k]; /* row[k] holds L_ik D_k still */
    }
    for (int j = from; j < i; j++) {
      const double l = t->pivot[j] > 0.0 ? row[j] / t->pivot[j] : 0.0;
      row[i] -= l * row[j];
      row[j] = l;
    }
    t->pivot[i] = row[i] > pivot_least * own && own > 0.0 ? row[i] : 0.0;
  }
}

/* mu <- G^-1 mu; dependent constraints take no part. */
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

void mechanics_tangent_look(Tangent *t, const double *q, const double *p) { t->form->look(t, q, p); }

double mechanics_tangent_residual(const Tangent *t, int *worst)
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

/* grad g_c . M^-1 p */
static double along(const Tangent *t, int c, const double *p)
{
  double sum = 0.0;
  for (int k = t->start[c]; k < t->start[c + 1]; k++)
    sum += t->grad[k] * t->weight[t->col[k]] * p[t->col[k]];
  return sum;
}

double mechanics_tangent_speed(const Tangent *t, const double *p)
{
  double largest = 0.0;
  for (int c = 0; c < t->ncon; c++)
    largest = fmax(largest, fabs(along(t, c, p)));
  return largest;
}

/* y += M^-1/2 (Hess V + w^2 J'J) M^-1/2 u. */
static void stiffness(const Tangent *t, double w, const double *u, Octet *lanes, double *y)
{
  const Kind *kind = t->kind;
  for (int i = 0; i < t->n; i++)
    lanes[i] = octet_set(u[i] * sqrt(t->weight[i]));
  for (int c = 0; c < kind->ncon; c++) {
    double sum = 0.0;
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      sum += w * w * t->grad[k] * lanes[t->col[k]][0];
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      y[t->col[k]] += sum * t->grad[k] * sqrt(t->weight[t->col[k]]);
  }
  const Octet one = octet_set(1.0);
  for (int i = 0; i < kind->npot; i++) {
    const Potential *pot = &kind->pot[i];
    Octet out[CONSTRAINT_SITES * 3] = {{0}};
    pot->type->hess_vec(pot, kind->dim, t->q, &one, lanes, out);
    for (int k = 0; k < pot->nsite * kind->dim; k++) {
      const int at = pot->site[k / kind->dim] * kind->dim + k % kind->dim;
      y[at] += out[k][0] * sqrt(t->weight[at]);
    }
  }
}

Status mechanics_tangent_fastest(const Tangent *t, double w, double *frequency, Error *error)
{
  const size_t n = (size_t)t->n;
  double *u = calloc(n, sizeof *u), *y = malloc(n * sizeof *y);
  Octet *lanes = aligned_alloc(sizeof(Octet), n * sizeof(Octet));
  *frequency = 0.0;
  const Status status =
      u == NULL || y == NULL || lanes == NULL ? error_memory(error, "a frequency") : STATUS_OK;
  RandomStream stream = random_stream(1, 0, RANDOM_STATISTICS);
  for (size_t i = 0; i < n && status == STATUS_OK; i++)
    u[i] = random_normal(&stream);
  double value = 0.0;
  for (int k = 0; k < POWERS && status == STATUS_OK; k++) {
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
  free(u);
  free(y);
  free(lanes);
  *frequency = value > 0.0 && isfinite(value) ? sqrt(value) : 0.0;
  return status;
}

int mechanics_tangent_rank(Tangent *t, int *dependent)
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

bool mechanics_tangent_project(Tangent *t, double tolerance, double *q, double *p)
{
  const int n = t->ncon;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    int worst;
    mechanics_tangent_look(t, q, p);
    const double residual = mechanics_tangent_residual(t, &worst);
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
        t->form->move(t, i, t->weight[i] * t->grad[k] * t->mu[c], q, p);
      }
  }
  return false;
}

void mechanics_tangent_momenta(Tangent *t, double *p)
{
  const int n = t->ncon;
  if (n == 0)
    return;
  factor(t);
  for (int c = 0; c < n; c++) {
    t->mu[c] = 0.0;
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      t->mu[c] -= t->grad[k] * t->weight[t->col[k]] * p[t->col[k]];
  }
  solve(t);
  for (int c = 0; c < n; c++)
    for (int k = t->start[c]; k < t->start[c + 1]; k++)
      p[t->col[k]] += t->grad[k] * t->mu[c];
}
