#include "topology/distances.h"

#include <math.h>
#include <string.h>

#include "engine/random.h"
#include "engine/room.h"

enum { NEWTON = 60, ROUNDS = 12 };
#define CONVERGED 1e-14 /* of a length, relative */
#define ACCEPTED  1e-10
#define STEP_MOST 0.3  /* of a site in a step of Newton's, A */
#define SHAKEN    0.1  /* likewise, as if warm, A */
#define DISPLACED 0.3  /* of a site, where what depends on what is looked at away from the manifold, A */
#define NOTHING   1e-7 /* of a row that depends on others there, by rounding */

/* Rows of the Jacobian in coordinates sqrt(m) x, and what Gram and Schmidt make of them: row = sum of lower
 * times unit rows. */
typedef struct Rows {
  int nsite, n, rank;
  const double *mass;
  const Distance *distance;
  double *unit;  /* [rank][3 nsite]: orthonormal     */
  double *lower; /* [rank][n]                        */
  int *row;      /* [rank] which distance each is of */
  double *part, *step;
} Rows;

static Status rows_make(Rows *rows, int nsite, const double *mass, int n, const Distance *distance,
                        Room *room, Error *error)
{
  const size_t dim = 3 * (size_t)nsite, most = (size_t)n < dim ? (size_t)n : dim;
  *rows = (Rows){.nsite = nsite, .n = n, .mass = mass, .distance = distance};
  rows->unit = room_take(room, (most + 1) * dim, sizeof(double));
  rows->lower = room_take(room, (most + 1) * (most + 1), sizeof(double));
  rows->row = room_take(room, most + 1, sizeof(int));
  rows->part = room_take(room, most + 1, sizeof(double));
  rows->step = room_take(room, dim, sizeof(double));
  return room_check(room, "distances", error);
}

Constraint distances_constraint(const Distance *d)
{
  if (d->axis == 0)
    return (Constraint){
        .type = &constraint_distance, .nsite = 2, .site = {d->site[0], d->site[1]}, .param = {d->length}};
  return (Constraint){.type = &constraint_straight,
                      .nsite = 3,
                      .site = {d->site[0], d->site[1], d->site[2]},
                      .param = {d->length, d->share, d->axis - 1}};
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

/* A row at x: its gradient is weight[k] along / length with respect to its k-th of nsite sites; fault: how
 * far its value is from what is wanted. */
typedef struct Gradient {
  int nsite;
  double weight[3], along[3], length, fault;
} Gradient;

static Gradient gradient_of(const Distance *d, const double (*x)[3])
{
  Gradient g = {.nsite = 2, .weight = {-1.0, 1.0}, .length = 1.0};
  if (d->axis == 0) {
    g.length = length_of(d, x, g.along);
    g.fault = d->length - g.length;
    return g;
  }
  const int k = d->axis - 1;
  const double one = x[d->site[1]][k], other = x[d->site[2]][k];
  g = (Gradient){3, {1.0, d->share - 1.0, -d->share}, .length = 1.0};
  g.along[k] = 1.0;
  g.fault = one + d->share * (other - one) - x[d->site[0]][k];
  return g;
}

/* The length of a gradient in coordinates sqrt(m) x. */
static double norm_of(const Gradient *g, const Distance *d, const double *mass)
{
  double sum = 0.0;
  for (int k = 0; k < g->nsite; k++)
    sum += g->weight[k] * g->weight[k] / mass[d->site[k]];
  return sqrt(sum);
}

/* Relative, of the length. */
static double fault_of(const Distance *d, const double (*x)[3])
{
  return fabs(gradient_of(d, x).fault) / d->length;
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* What the rows so far leave of a row of unit length, which is the next one then; its parts along them. */
static double free_row(const Rows *rows, int c, const double (*x)[3])
{
  const Distance *d = &rows->distance[c];
  const int dim = 3 * rows->nsite;
  double *own = rows->unit + (size_t)rows->rank * (size_t)dim;
  const Gradient g = gradient_of(d, x);
  const double scale = 1.0 / norm_of(&g, d, rows->mass);
  memset(own, 0, (size_t)dim * sizeof *own);
  for (int i = 0; i < 3 * g.nsite; i++) {
    const int site = d->site[i / 3];
    own[3 * site + i % 3] = g.weight[i / 3] * scale * g.along[i % 3] / g.length / sqrt(rows->mass[site]);
  }
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

/* Rows of the distances that `kept` has (NULL: of all), in their order, as far as they leave more than
 * `least`; `is` [n] (NULL: not wanted): whether each is one. */
static void orthogonalise(Rows *rows, const double (*x)[3], const bool *kept, double least, bool *is)
{
  const int dim = 3 * rows->nsite;
  rows->rank = 0;
  for (int c = 0; c < rows->n; c++) {
    const double left = rows->rank < dim && (kept == NULL || kept[c]) ? free_row(rows, c, x) : 0.0;
    const bool own_row = left > (rows->distance[c].axis == 0 ? least : NOTHING);
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

/* The shortest step that takes all rows to their lengths to first order; returns the largest fault,
 * relative. */
static double newton_step(const Rows *rows, double (*x)[3])
{
  const int dim = 3 * rows->nsite;
  const size_t stride = (size_t)(rows->n < dim ? rows->n : dim) + 1;
  double worst = 0.0, longest = 0.0;
  memset(rows->step, 0, (size_t)dim * sizeof *rows->step);
  for (int k = 0; k < rows->rank; k++) {
    const Distance *d = &rows->distance[rows->row[k]];
    const Gradient g = gradient_of(d, (const double(*)[3])x);
    worst = fmax(worst, fabs(g.fault) / d->length);
    double part = g.fault / norm_of(&g, d, rows->mass);
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

/* Newton's iteration on some of the distances; returns the largest fault, relative, that it began its last
 * step with. */
static double newton(Rows *rows, const bool *kept, double (*x)[3])
{
  double worst = HUGE_VAL;
  for (int i = 0; i < NEWTON && !(worst <= CONVERGED); i++) {
    orthogonalise(rows, (const double(*)[3])x, kept, NOTHING, NULL);
    worst = newton_step(rows, x);
  }
  return worst;
}

/* Whether two sites of a distance lie on each other, or nowhere. */
static bool collapsed(const Rows *rows, const double (*x)[3], int *worst)
{
  for (*worst = 0; *worst < rows->n; (*worst)++)
    if (rows->distance[*worst].axis == 0 && !(distances_length(&rows->distance[*worst], x) > 1e-3))
      return true;
  return false;
}

static Status no_solution(const Rows *rows, const bool *kept, const double (*x)[3], int *worst, Error *error)
{
  double fault = -1.0;
  for (int c = 0; c < rows->n; c++) {
    const double off = fault_of(&rows->distance[c], x);
    if ((kept == NULL || kept[c]) && off > fault) {
      fault = off;
      *worst = c;
    }
  }
  return error_set(error, STATUS_INPUT, "no configuration near has all distances");
}

static void displace(int nsite, const double (*x)[3], double by, RandomStream *stream, double (*away)[3])
{
  for (int i = 0; i < nsite; i++)
    for (int k = 0; k < 3; k++)
      away[i][k] = x[i][k] + by * random_normal(stream);
}

/* What those that are left out depend on elsewhere too is redundant. Lines stay lines there: off them their
 * rows are not those of a rigid body. */
static void find_fates(Rows *rows, const bool *kept, const double (*x)[3], double (*away)[3], bool *is,
                       DistanceFate *fate)
{
  RandomStream stream = random_stream(0, 0, RANDOM_START);
  for (int c = 0; c < rows->n; c++)
    fate[c] = kept[c] ? DISTANCE_KEPT : DISTANCE_REDUNDANT;
  for (int time = 0; time < 3; time++) {
    displace(rows->nsite, x, DISPLACED, &stream, away);
    for (int c = 0; c < rows->n; c++)
      is[c] = rows->distance[c].axis != 0;
    (void)newton(rows, is, away);
    orthogonalise(rows, (const double(*)[3])away, NULL, NOTHING, is);
    for (int c = 0; c < rows->n; c++)
      if (!kept[c] && is[c])
        fate[c] = DISTANCE_DEGENERATE;
  }
}

static Status settle(Rows *rows, double (*x)[3], bool *kept, bool *is, int *worst, Error *error)
{
  const double(*at)[3] = (const double(*)[3])x;
  orthogonalise(rows, at, NULL, DISTANCES_LEAST, kept);
  for (int round = 0; round < ROUNDS; round++) {
    const double fault = newton(rows, kept, x);
    if (collapsed(rows, at, worst))
      break;
    /* Late rounds take nothing back, so that they end. */
    orthogonalise(rows, at, round < ROUNDS / 2 ? NULL : kept, DISTANCES_LEAST, is);
    if (memcmp(kept, is, (size_t)rows->n * sizeof *is) == 0) {
      if (fault <= ACCEPTED)
        return STATUS_OK;
      break;
    }
    memcpy(kept, is, (size_t)rows->n * sizeof *is);
  }
  return no_solution(rows, kept, at, worst, error);
}

/* What is kept is seen from a start displaced a little, so that a flat centre is not taken for one that has
 * to be flat; then the sites go there from where they are, or, where that is not to be, on from the other
 * start. */
static Status find_kept(Rows *rows, double (*x)[3], double (*away)[3], bool *kept, bool *is, int *worst,
                        Error *error)
{
  RandomStream stream = random_stream(0, 1, RANDOM_START);
  const size_t bytes = (size_t)rows->nsite * sizeof *x;
  displace(rows->nsite, (const double(*)[3])x, SHAKEN, &stream, away);
  if (settle(rows, away, kept, is, worst, NULL) != STATUS_OK)
    return settle(rows, x, kept, is, worst, error);
  const double fault = newton(rows, kept, x);
  orthogonalise(rows, (const double(*)[3])x, NULL, DISTANCES_LEAST, is);
  if (!(fault <= ACCEPTED) || memcmp(kept, is, (size_t)rows->n * sizeof *is) != 0)
    memcpy(x, away, bytes);
  return STATUS_OK;
}

Status distances_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                       DistanceFate *fate, int *worst, Error *error)
{
  SCOPED(room_free) Room room = {0};
  Rows rows;
  bool *kept = room_take(&room, (size_t)n + 1, sizeof *kept),
       *is = room_take(&room, (size_t)n + 1, sizeof *is);
  double(*away)[3] = room_take(&room, (size_t)nsite, sizeof *away);
  TRY(rows_make(&rows, nsite, mass, n, distance, &room, error));
  if (collapsed(&rows, (const double(*)[3])x, worst))
    return error_set(error, STATUS_INPUT, "two sites lie on each other");
  TRY(find_kept(&rows, x, away, kept, is, worst, error));
  find_fates(&rows, kept, (const double(*)[3])x, away, is, fate);
  return STATUS_OK;
}

Status distances_project(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                         int *worst, Error *error)
{
  SCOPED(room_free) Room room = {0};
  Rows rows;
  TRY(rows_make(&rows, nsite, mass, n, distance, &room, error));
  if (collapsed(&rows, (const double(*)[3])x, worst))
    return error_set(error, STATUS_INPUT, "two sites lie on each other");
  const double fault = newton(&rows, NULL, x);
  return fault <= ACCEPTED ? STATUS_OK : no_solution(&rows, NULL, (const double(*)[3])x, worst, error);
}

double distances_length(const Distance *distance, const double (*x)[3])
{
  double along[3];
  return length_of(distance, x, along);
}

Status distances_rank(int nsite, const double *mass, int n, const Distance *distance, const double (*x)[3],
                      double least, int *rank, Error *error)
{
  SCOPED(room_free) Room room = {0};
  Rows rows;
  TRY(rows_make(&rows, nsite, mass, n, distance, &room, error));
  orthogonalise(&rows, x, NULL, least, NULL);
  *rank = rows.rank;
  return STATUS_OK;
}
