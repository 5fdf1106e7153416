#include "topology/distances_dense.h"

#include <math.h>
#include <string.h>

#include "engine/random.h"
#include "topology/distances_rows.h"
#include "topology/distances_singular.h"

enum { STARTS = 4, PLACES = 4 };
#define SHAKEN     0.1  /* displacement of a site, as by thermal motion, A */
#define DISPLACED  0.3  /* displacement of a site off the manifold, for tests of dependence, A */
#define FREE_LEAST 1e-5 /* part of a row of unit length that is left if it is independent there */
#define NEAR       3e-3 /* relative to a length: close to an extreme */

static void displace(int nsite, const double (*x)[3], double by, RandomStream *stream, double (*away)[3])
{
  for (int i = 0; i < nsite; i++)
    for (int k = 0; k < 3; k++)
      away[i][k] = x[i][k] + by * random_normal(stream);
}

/* Scratch data. */
typedef struct Work {
  DistancesRows rows;
  DistancesSingular singular;
  bool *kept, *is;
  double (*away)[3], (*at)[3], (*before)[3];
} Work;

static Status work_make(Work *w, int nsite, const double *mass, int n, const Distance *distance, Arena *arena,
                        Error *error)
{
  w->kept = arena_take(arena, (size_t)n + 1, sizeof(bool));
  w->is = arena_take(arena, (size_t)n + 1, sizeof(bool));
  w->away = arena_take(arena, (size_t)nsite, sizeof *w->away);
  w->at = arena_take(arena, (size_t)nsite, sizeof *w->at);
  w->before = arena_take(arena, (size_t)nsite, sizeof *w->before);
  TRY(distances_rows_make(&w->rows, nsite, mass, n, distance, arena, error));
  return distances_singular_make(&w->singular, &w->rows, arena, error);
}

/* Finds distances that are independent of earlier ones off the manifold, in `kept`. Sites in lines stay
 * there, because off the lines their rows are not those of a rigid body. */
static void find_generic(Work *w, const double (*x)[3])
{
  RandomStream stream = random_stream(0, 0, RANDOM_START);
  DistancesRows *const rows = &w->rows;
  memset(w->kept, 0, (size_t)rows->n * sizeof *w->kept);
  for (int time = 0, best = -1; time < PLACES; time++) {
    displace(rows->nsite, x, DISPLACED, &stream, w->away);
    for (int c = 0; c < rows->n; c++)
      w->is[c] = rows->distance[c].axis != 0;
    (void)distances_rows_newton(rows, w->is, w->away);
    distances_rows_orthogonalise(rows, (const double(*)[3])w->away, NULL, DISTANCES_NOTHING, w->is);
    if (rows->rank > best) {
      best = rows->rank;
      memcpy(w->kept, w->is, (size_t)rows->n * sizeof *w->is);
    }
  }
}

/* Finds a configuration w->at that satisfies the kept distances, or nearly: from w->at or from x, otherwise
 * from randomly displaced starts, since a centre that is planar at the start remains planar. Returns the
 * largest error. */
static double approach(Work *w, const double (*x)[3])
{
  RandomStream stream = random_stream(0, 1, RANDOM_START);
  const size_t bytes = (size_t)w->rows.nsite * sizeof *x;
  double least = distances_singular_approach(&w->singular, w->kept, w->at);
  for (int time = 0; time < STARTS && least > DISTANCES_MET; time++) {
    if (time == 0)
      memcpy(w->away, x, bytes);
    else
      displace(w->rows.nsite, x, SHAKEN, &stream, w->away);
    const double fault = distances_singular_approach(&w->singular, w->kept, w->away);
    if (fault < least) {
      least = fault;
      memcpy(w->at, w->away, bytes);
    }
  }
  return least;
}

/* Moves from x, which satisfies the kept distances, a random way along them to w->away. */
static bool wander(Work *w, const double (*x)[3], RandomStream *stream)
{
  DistancesRows *const rows = &w->rows;
  const int dim = 3 * rows->nsite;
  distances_rows_orthogonalise(rows, x, w->kept, DISTANCES_NOTHING, NULL);
  for (int e = 0; e < dim; e++)
    rows->step[e] = random_normal(stream) * SHAKEN * sqrt(rows->mass[e / 3]);
  for (int k = 0; k < rows->rank; k++) {
    const double *unit = rows->unit + (size_t)k * (size_t)dim;
    double part = 0.0;
    for (int e = 0; e < dim; e++)
      part += unit[e] * rows->step[e];
    for (int e = 0; e < dim; e++)
      rows->step[e] -= part * unit[e];
  }
  for (int e = 0; e < dim; e++)
    w->away[e / 3][e % 3] = x[e / 3][e % 3] + rows->step[e] / sqrt(rows->mass[e / 3]);
  return distances_rows_newton(rows, w->kept, w->away) <= DISTANCES_MET;
}

/* Finds which of the kept distances to drop at the configuration w->at, which moves onto them. */
static Status find_drop(Work *w, const double (*x)[3], DistancesDrop *drop, int *worst, Error *error)
{
  const double fault = approach(w, x);
  if (distance_collapsed(w->rows.n, w->rows.distance, (const double(*)[3])w->at, worst))
    return error_set(error, STATUS_INPUT, "two sites coincide after the motion");
  return distances_singular_find(&w->singular, w->kept, (const double(*)[3])w->at, fault, drop, error);
}

static DistanceFate fate_of(const DistancesDrop *drop)
{
  return !drop->extreme ? DISTANCE_REFUSED : drop->flat ? DISTANCE_DEGENERATE : DISTANCE_EXTREME;
}

/* Drops distances until the kept ones are independent, and w->at satisfies them. */
static Status find_kept(Work *w, const double (*x)[3], DistanceFate *fate, int *worst, Error *error)
{
  memcpy(w->at, x, (size_t)w->rows.nsite * sizeof *x);
  find_generic(w, x);
  for (int c = 0; c < w->rows.n; c++)
    fate[c] = w->kept[c] ? DISTANCE_KEPT : DISTANCE_REDUNDANT;
  for (;;) {
    DistancesDrop drop;
    TRY(find_drop(w, x, &drop, worst, error));
    if (drop.row < 0)
      return STATUS_OK;
    w->kept[drop.row] = false;
    fate[drop.row] = fate_of(&drop);
  }
}

/* Marks in w->is the distances that change while the kept ones do not, by random displacements along the
 * latter. */
static void find_free(Work *w)
{
  RandomStream stream = random_stream(0, 2, RANDOM_START);
  DistancesRows *const rows = &w->rows;
  memset(w->is, 0, (size_t)rows->n * sizeof *w->is);
  for (int time = 0; time < PLACES; time++) {
    if (!wander(w, (const double(*)[3])w->at, &stream))
      continue;
    distances_rows_orthogonalise(rows, (const double(*)[3])w->away, w->kept, DISTANCES_NOTHING, NULL);
    for (int c = 0; c < rows->n; c++)
      w->is[c] =
          w->is[c] || (!w->kept[c] && distances_rows_left(rows, c, (const double(*)[3])w->away) > FREE_LEAST);
  }
}

/* A distance that depends on earlier ones is fixed only if all of them are kept. Otherwise it is tried again,
 * and its fate records why it cannot be kept. */
static Status try_again(Work *w, const double (*x)[3], DistanceFate *fate, int *worst, Error *error)
{
  const size_t bytes = (size_t)w->rows.nsite * sizeof *x;
  find_free(w);
  for (int c = 0; c < w->rows.n; c++) {
    DistancesDrop drop;
    if (fate[c] != DISTANCE_REDUNDANT || !w->is[c])
      continue;
    memcpy(w->before, w->at, bytes);
    w->kept[c] = true;
    TRY(find_drop(w, x, &drop, worst, error));
    w->kept[c] = drop.row < 0;
    fate[c] = drop.row < 0 ? DISTANCE_KEPT : fate_of(&drop);
    if (w->kept[c])
      find_free(w);
    else
      memcpy(w->at, w->before, bytes);
  }
  for (int c = 0; c < w->rows.n; c++)
    if (!w->kept[c] && !w->is[c] && fate[c] != DISTANCE_REFUSED)
      fate[c] = DISTANCE_REDUNDANT;
  return STATUS_OK;
}

/* Whether Newton's iteration moves x to a configuration where the kept distances are independent and, if fate
 * is not NULL, distances at an extreme are satisfied closely. */
static Status settle(Work *w, const DistanceFate *fate, double (*x)[3], bool *settled, Error *error)
{
  DistancesSingular *const s = &w->singular;
  *settled = distances_rows_newton(&w->rows, w->kept, x) <= DISTANCES_MET;
  for (int c = 0; fate != NULL && c < w->rows.n && *settled; c++)
    *settled = (fate[c] != DISTANCE_DEGENERATE && fate[c] != DISTANCE_EXTREME) ||
               distances_rows_fault(&w->rows.distance[c], (const double(*)[3])x) <= NEAR;
  if (!*settled)
    return STATUS_OK;
  TRY(distances_singular_values(s, w->kept, (const double(*)[3])x, error));
  *settled = s->n == 0 || s->value[s->n - 1] > DISTANCES_LEAST;
  return STATUS_OK;
}

/* Moves the sites onto the kept distances from their positions or, if that fails, from the configuration
 * found. */
static Status move(Work *w, const DistanceFate *fate, double (*x)[3], int *worst, Error *error)
{
  const size_t bytes = (size_t)w->rows.nsite * sizeof *x;
  bool settled;
  memcpy(w->away, x, bytes);
  TRY(settle(w, fate, w->away, &settled, error));
  if (!settled) {
    memcpy(w->away, w->at, bytes);
    TRY(settle(w, NULL, w->away, &settled, error));
  }
  memcpy(x, w->away, bytes);
  return settled ? STATUS_OK
                 : distances_rows_unsolved(w->rows.n, w->rows.distance, w->kept, (const double(*)[3])x, worst,
                                           error);
}

Status distances_dense_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                             DistanceFate *fate, int *worst, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Work w;
  TRY(work_make(&w, nsite, mass, n, distance, &arena, error));
  if (distance_collapsed(n, distance, (const double(*)[3])x, worst))
    return error_set(error, STATUS_INPUT, "two sites coincide");
  TRY(find_kept(&w, (const double(*)[3])x, fate, worst, error));
  TRY(try_again(&w, (const double(*)[3])x, fate, worst, error));
  return move(&w, fate, x, worst, error);
}

Status distances_dense_project(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                               int *worst, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  DistancesRows rows;
  if (distance_collapsed(n, distance, (const double(*)[3])x, worst))
    return error_set(error, STATUS_INPUT, "two sites coincide");
  TRY(distances_rows_make(&rows, nsite, mass, n, distance, &arena, error));
  const double fault = distances_rows_newton(&rows, NULL, x);
  return fault <= DISTANCES_MET
             ? STATUS_OK
             : distances_rows_unsolved(n, distance, NULL, (const double(*)[3])x, worst, error);
}

Status distances_dense_rank(int nsite, const double *mass, int n, const Distance *distance,
                            const double (*x)[3], double least, int *rank, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Work w;
  TRY(work_make(&w, nsite, mass, n, distance, &arena, error));
  for (int c = 0; c < n; c++)
    w.kept[c] = true;
  TRY(distances_singular_values(&w.singular, w.kept, x, error));
  for (*rank = 0; *rank < n && w.singular.value[*rank] > least;)
    (*rank)++;
  return STATUS_OK;
}
