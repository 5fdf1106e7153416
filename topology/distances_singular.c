#include "topology/distances_singular.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { STEPS = 300, SEARCHES = 40 };
#define DAMPING_FIRST 1e-3
#define DAMPING_LEAST 1e-12
#define DAMPING_MOST  1e8
#define STILL         1e-13 /* A: a negligible step */
#define ALLOWED_FLAT                                                                                         \
  2e-3 /* relative to a length: difference of an extreme from the requested length, in a plane */
#define ALLOWED_OTHER 1e-5 /* likewise, not in a plane */
#define REACH         0.25 /* A: displacement of a site to a singular configuration that counts as near */
#define SMALL         0.35 /* of a singular value that may be followed to 0 */
#define NULL_VALUE    1e-6 /* of a singular value that is 0 */
#define STRIDE        0.1  /* A: the longest step of a coordinate */
#define NULL_NEAR     1e-4 /* likewise, with errors left */
#define PART          0.1  /* of the largest entry of a null vector: the row is part of it */
#define FLAT          0.02 /* A: root mean square height of sites in a plane */

Status distances_singular_make(DistancesSingular *s, DistancesRows *rows, Arena *arena, Error *error)
{
  const size_t n = (size_t)rows->n, sites = (size_t)rows->nsite, dim = 3 * sites;
  *s = (DistancesSingular){.rows = rows,
                           .row = arena_take(arena, n, sizeof(int)),
                           .jacobian = arena_take(arena, n * dim, sizeof(double)),
                           .value = arena_take(arena, n, sizeof(double)),
                           .left = arena_take(arena, n * n, sizeof(double)),
                           .right = arena_take(arena, n * dim, sizeof(double)),
                           .fault = arena_take(arena, n, sizeof(double)),
                           .step = arena_take(arena, dim, sizeof(double)),
                           .slope = arena_take(arena, dim, sizeof(double)),
                           .square = arena_take(arena, n * n, sizeof(double)),
                           .track = arena_take(arena, n, sizeof(double)),
                           .at = arena_take(arena, sites, sizeof *s->at),
                           .next = arena_take(arena, sites, sizeof *s->next)};
  return arena_check(arena, "the rank of distances", error);
}

static int dimension(const DistancesSingular *s) { return 3 * s->rows->nsite; }

/* Row k of a matrix of n columns. */
static double *row_of(double *matrix, int n, int k) { return matrix + (ptrdiff_t)k * n; }

static double *jacobian_of(const DistancesSingular *s, int k) { return row_of(s->jacobian, dimension(s), k); }

static double *left_of(const DistancesSingular *s, int k) { return row_of(s->left, s->n, k); }

static double *right_of(const DistancesSingular *s, int k) { return row_of(s->right, dimension(s), k); }

static void choose(DistancesSingular *s, const bool *kept)
{
  s->n = 0;
  for (int c = 0; c < s->rows->n; c++)
    if (kept[c])
      s->row[s->n++] = c;
}

/* Computes rows and errors at x, in their units. Returns the sum of squares; *most is the largest relative
 * error. */
static double lay_rows(DistancesSingular *s, const double (*x)[3], double *most)
{
  double sum = 0.0;
  *most = 0.0;
  for (int k = 0; k < s->n; k++) {
    const Distance *d = &s->rows->distance[s->row[k]];
    const double norm = distances_rows_unit(s->rows, s->row[k], x, jacobian_of(s, k));
    s->fault[k] = distances_rows_gradient(d, x).fault / norm;
    *most = fmax(*most, distances_rows_fault(d, x));
    sum += s->fault[k] * s->fault[k];
  }
  return sum;
}

/* Decomposes the rows computed last, which are overwritten. */
static Status decompose(DistancesSingular *s, Error *error)
{
  if (s->n == 0 || LAPACKE_dgesdd(LAPACK_ROW_MAJOR, 'S', s->n, dimension(s), s->jacobian, dimension(s),
                                  s->value, s->square, s->n, s->right, dimension(s)) == 0) {
    for (int k = 0; k < s->n; k++) /* columns become rows */
      for (int c = 0; c < s->n; c++)
        left_of(s, k)[c] = row_of(s->square, s->n, c)[k];
    return STATUS_OK;
  }
  return error_set(error, STATUS_RUN, "the singular values of distances did not converge");
}

Status distances_singular_values(DistancesSingular *s, const bool *kept, const double (*x)[3], Error *error)
{
  double most;
  choose(s, kept);
  (void)lay_rows(s, x, &most);
  return decompose(s, error);
}

/* --- motion onto distances ------------------------------------------------------------------------------ */

/* The product of rows i and j, which are zero except at the sites of their distances. */
static double product(const DistancesSingular *s, int i, int j)
{
  const Distance *d = &s->rows->distance[s->row[i]];
  const double *one = jacobian_of(s, i), *other = jacobian_of(s, j);
  double sum = 0.0;
  for (int k = 0; k < (d->axis == 0 ? 2 : 3); k++)
    for (int e = 3 * d->site[k]; e < 3 * d->site[k] + 3; e++)
      sum += one[e] * other[e];
  return sum;
}

/* Computes s->step = J' (J J' + damping)^-1 fault; false: the matrix is singular. */
static bool damped_step(DistancesSingular *s, double damping)
{
  const int n = s->n, dim = dimension(s);
  double *const part = s->track;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      row_of(s->square, n, i)[j] = product(s, i, j) + (i == j ? damping : 0.0);
  memcpy(part, s->fault, (size_t)n * sizeof *part);
  /* In column-major order the lower triangle is the upper one. */
  if (LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', n, 1, s->square, n, part, n) != 0)
    return false;
  memset(s->step, 0, (size_t)dim * sizeof *s->step);
  for (int i = 0; i < n; i++)
    for (int e = 0; e < dim; e++)
      s->step[e] += part[i] * jacobian_of(s, i)[e];
  return true;
}

/* Computes y = x + scale step. Returns the largest displacement of a coordinate. */
static double take_step(const DistancesSingular *s, const double (*x)[3], double scale, double (*y)[3])
{
  double longest = 0.0;
  for (int e = 0; e < dimension(s); e++) {
    const double move = scale * s->step[e] / sqrt(s->rows->mass[e / 3]);
    y[e / 3][e % 3] = x[e / 3][e % 3] + move;
    longest = fmax(longest, fabs(move));
  }
  return longest;
}

/* Likewise with a scale of 1, or a smaller one that limits the displacement to STRIDE. */
static double take_limited_step(const DistancesSingular *s, const double (*x)[3], double (*y)[3])
{
  const double longest = take_step(s, x, 1.0, y);
  return longest > STRIDE ? take_step(s, x, STRIDE / longest, y) : longest;
}

double distances_singular_approach(DistancesSingular *s, const bool *kept, double (*x)[3])
{
  const size_t bytes = (size_t)s->rows->nsite * sizeof *x;
  double most, damping = DAMPING_FIRST, longest = 1.0;
  choose(s, kept);
  double sum = lay_rows(s, (const double(*)[3])x, &most);
  for (int i = 0; i < STEPS && longest > STILL && damping < DAMPING_MOST; i++) {
    if (!damped_step(s, damping)) {
      damping *= 10.0;
      continue;
    }
    longest = take_limited_step(s, (const double(*)[3])x, s->next);
    double worst;
    const double next = lay_rows(s, (const double(*)[3])s->next, &worst);
    if (next < sum) {
      memcpy(x, s->next, bytes);
      sum = next;
      most = worst;
      damping = fmax(0.1 * damping, DAMPING_LEAST);
    } else {
      (void)lay_rows(s, (const double(*)[3])x, &worst);
      damping *= 10.0;
    }
  }
  return most;
}

/* --- singular configurations ---------------------------------------------------------------------------- */

/* Computes the gradient of singular value k at x in coordinates sqrt(m) x; returns its square. Linear rows
 * have no second derivative. */
static double slope_of(DistancesSingular *s, int k, const double (*x)[3])
{
  const double *u = left_of(s, k), *v = right_of(s, k);
  const double *mass = s->rows->mass;
  double sum = 0.0;
  memset(s->slope, 0, (size_t)dimension(s) * sizeof *s->slope);
  for (int c = 0; c < s->n; c++) {
    const Distance *d = &s->rows->distance[s->row[c]];
    if (d->axis != 0)
      continue;
    const DistancesGradient g = distances_rows_gradient(d, x);
    const int i = d->site[0], j = d->site[1];
    double move[3], along = 0.0;
    for (int e = 0; e < 3; e++) {
      move[e] = v[3 * j + e] / sqrt(mass[j]) - v[3 * i + e] / sqrt(mass[i]);
      along += move[e] * g.along[e] / g.length;
    }
    const double scale = u[c] / distances_rows_norm(&g, d, mass) / g.length;
    for (int e = 0; e < 3; e++) {
      const double part = scale * (move[e] - along * g.along[e] / g.length);
      s->slope[3 * j + e] += part / sqrt(mass[j]);
      s->slope[3 * i + e] -= part / sqrt(mass[i]);
    }
  }
  for (int e = 0; e < dimension(s); e++)
    sum += s->slope[e] * s->slope[e];
  return sum;
}

/* The singular triplet most similar to the previous one. */
static int follow(const DistancesSingular *s, const double *before)
{
  int best = 0;
  double most = -1.0;
  for (int k = 0; k < s->n; k++) {
    double sum = 0.0;
    for (int c = 0; c < s->n; c++)
      sum += before[c] * left_of(s, k)[c];
    if (fabs(sum) > most) {
      most = fabs(sum);
      best = k;
    }
  }
  return best;
}

static double moved(const DistancesSingular *s, const double (*x)[3], const double (*y)[3])
{
  double most = 0.0;
  for (int i = 0; i < s->rows->nsite; i++) {
    double square = 0.0;
    for (int e = 0; e < 3; e++)
      square += (y[i][e] - x[i][e]) * (y[i][e] - x[i][e]);
    most = fmax(most, square);
  }
  return sqrt(most);
}

/* The squared component of row c in the null vectors from `first` on. */
static double part_of(const DistancesSingular *s, int first, int c)
{
  double sum = 0.0;
  for (int k = first; k < s->n; k++)
    sum += left_of(s, k)[c] * left_of(s, k)[c];
  return sum;
}

/* The last row that is part of the null vectors from `first` on. */
static int last_of(const DistancesSingular *s, int first)
{
  double most = 0.0;
  int last = s->n - 1;
  for (int c = 0; c < s->n; c++)
    most = fmax(most, part_of(s, first, c));
  while (last > 0 && part_of(s, first, last) < PART * PART * most)
    last--;
  return last;
}

/* Eliminates row c from all null vectors from `first` on except one, which moves to `first` and is scaled to
 * 1 in row c. */
static void eliminate(DistancesSingular *s, int first, int c)
{
  int best = first;
  for (int k = first; k < s->n; k++)
    best = fabs(left_of(s, k)[c]) > fabs(left_of(s, best)[c]) ? k : best;
  double *const own = left_of(s, first), *const most = left_of(s, best);
  for (int e = 0; e < s->n; e++) {
    const double entry = most[e];
    most[e] = own[e];
    own[e] = entry;
  }
  const double scale = 1.0 / own[c];
  for (int e = 0; e < s->n; e++)
    own[e] *= scale;
  for (int k = first + 1; k < s->n; k++) {
    double *const other = left_of(s, k);
    const double part = other[c];
    for (int e = 0; e < s->n; e++)
      other[e] -= part * own[e];
  }
}

/* The last row that is part of null vectors from `first` on. The entries of vector `first` then give the rows
 * on which it depends, after elimination of all other rows that are to be dropped. */
static int find_circuit(DistancesSingular *s, int first)
{
  const int last = last_of(s, first);
  eliminate(s, first, last);
  double *const circuit = left_of(s, first);
  for (int k = first + 1; k < s->n; k++) {
    const int c = last_of(s, k);
    eliminate(s, k, c);
    const double part = circuit[c];
    for (int e = 0; e < s->n; e++)
      circuit[e] -= part * left_of(s, k)[e];
  }
  return last;
}

/* The relative error of row c if the other rows on which it depends are satisfied to first order. */
static double excess(const DistancesSingular *s, const double *circuit, int c, const double (*x)[3])
{
  const Distance *d = &s->rows->distance[s->row[c]];
  const DistancesGradient g = distances_rows_gradient(d, x);
  double sum = 0.0;
  for (int e = 0; e < s->n; e++)
    sum += circuit[e] * s->fault[e];
  return fabs(sum) * distances_rows_norm(&g, d, s->rows->mass) / d->length;
}

static bool takes_part(const DistancesSingular *s, const double *circuit, int site)
{
  for (int e = 0; e < s->n; e++) {
    const Distance *d = &s->rows->distance[s->row[e]];
    if ((d->site[0] == site || d->site[1] == site || (d->axis != 0 && d->site[2] == site)) &&
        fabs(circuit[e]) > PART)
      return true;
  }
  return false;
}

/* Whether the sites of the rows of a dependence are in a plane at x. */
static bool is_flat(const DistancesSingular *s, const double *circuit, const double (*x)[3])
{
  double centre[3] = {0.0}, square[9] = {0.0}, value[3];
  int n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < s->rows->nsite; i++) {
      if (!takes_part(s, circuit, i))
        continue;
      n += pass == 0;
      for (int e = 0; e < 3; e++)
        centre[e] += pass == 0 ? x[i][e] : 0.0;
      for (int e = 0; e < 9 && pass == 1; e++)
        square[e] += (x[i][e / 3] - centre[e / 3] / n) * (x[i][e % 3] - centre[e % 3] / n);
    }
  return LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', 3, square, 3, value) == 0 && value[0] < FLAT * FLAT * n;
}

/* Chooses the row to drop at x, where singular values from `first` on are 0. */
static void judge(DistancesSingular *s, int first, const double (*x)[3], DistancesDrop *drop)
{
  const int last = find_circuit(s, first);
  const double *circuit = left_of(s, first);
  const bool flat = is_flat(s, circuit, x);
  *drop = (DistancesDrop){.row = s->row[last],
                          .extreme = excess(s, circuit, last, x) <= (flat ? ALLOWED_FLAT : ALLOWED_OTHER),
                          .flat = flat};
}

/* Moves x by the damped step onto the distances that does not change singular values from `first` on. */
static void pull(DistancesSingular *s, int first, double (*x)[3])
{
  memset(s->step, 0, (size_t)dimension(s) * sizeof *s->step);
  for (int k = 0; k < first; k++) {
    double part = 0.0;
    for (int c = 0; c < s->n; c++)
      part += left_of(s, k)[c] * s->fault[c];
    part *= s->value[k] / (s->value[k] * s->value[k] + 1e-4);
    for (int e = 0; e < dimension(s); e++)
      s->step[e] += part * right_of(s, k)[e];
  }
  (void)take_step(s, (const double(*)[3])x, 1.0, x);
}

/* The index of the first singular value that is 0. */
static int first_null(const DistancesSingular *s, double least)
{
  int first = s->n;
  while (first > 0 && s->value[first - 1] < least)
    first--;
  return first;
}

/* Likewise at a minimum of the sum of squared errors: the errors are a null vector there, up to
 * convergence. */
static int null_of_faults(DistancesSingular *s)
{
  double *const last = left_of(s, s->n - 1);
  double norm = 0.0;
  const int first = first_null(s, NULL_NEAR);
  if (first < s->n)
    return first;
  for (int c = 0; c < s->n; c++)
    norm += s->fault[c] * s->fault[c];
  for (int c = 0; c < s->n; c++)
    last[c] = s->fault[c] / sqrt(norm);
  return s->n - 1;
}

/* Computes in s->step the Newton step from s->at to a zero of singular value k. Returns the largest
 * displacement of a coordinate, infinite if the gradient is zero. */
static double step_to_null(DistancesSingular *s, int k)
{
  const double square = slope_of(s, k, (const double(*)[3])s->at);
  if (!(square > 0.0))
    return HUGE_VAL;
  for (int e = 0; e < dimension(s); e++)
    s->step[e] = -s->value[k] / square * s->slope[e];
  return take_step(s, (const double(*)[3])s->at, 1.0, s->next);
}

/* Steps from s->at, whose rows are decomposed, towards a zero of singular value k. False: it is too far. */
static bool approach_null(DistancesSingular *s, int k)
{
  const bool near = step_to_null(s, k) <= REACH;
  if (near) {
    (void)take_limited_step(s, (const double(*)[3])s->at, s->next);
    memcpy(s->at, s->next, (size_t)s->rows->nsite * sizeof *s->at);
  }
  return near;
}

/* From x, whose rows are decomposed (*fresh becomes false when they are overwritten), follows singular value
 * k to 0, and then moves to where the independent distances have the requested lengths. Chooses the distance
 * to drop if all are nearly satisfied there. */
static Status search(DistancesSingular *s, int k, const double (*x)[3], bool *fresh, DistancesDrop *drop,
                     Error *error)
{
  const double(*at)[3] = (const double(*)[3])s->at;
  double most;
  memcpy(s->at, x, (size_t)s->rows->nsite * sizeof *x);
  for (int i = 0; i < SEARCHES && moved(s, x, at) <= REACH; i++) {
    const int first = first_null(s, NULL_VALUE);
    if (first <= k) {
      DistancesDrop found;
      judge(s, first, at, &found);
      if (found.extreme) {
        *drop = found;
        return STATUS_OK;
      }
      pull(s, first, s->at);
    } else if (!approach_null(s, k)) {
      return STATUS_OK;
    }
    *fresh = false;
    memcpy(s->track, left_of(s, k), (size_t)s->n * sizeof *s->track);
    (void)lay_rows(s, at, &most);
    TRY(decompose(s, error));
    k = follow(s, s->track);
  }
  return STATUS_OK;
}

Status distances_singular_find(DistancesSingular *s, const bool *kept, const double (*x)[3], double fault,
                               DistancesDrop *drop, Error *error)
{
  *drop = (DistancesDrop){.row = -1};
  TRY(distances_singular_values(s, kept, x, error));
  const int n = s->n;
  bool fresh = true;
  if (n == 0)
    return STATUS_OK;
  if (fault > DISTANCES_MET || s->value[n - 1] < DISTANCES_LEAST) {
    judge(s, fault > DISTANCES_MET ? null_of_faults(s) : first_null(s, DISTANCES_LEAST), x, drop);
    return STATUS_OK;
  }
  for (int k = n - 1; k >= 0 && drop->row < 0; k--) {
    if (!fresh)
      TRY(distances_singular_values(s, kept, x, error));
    fresh = true;
    if (s->value[k] > SMALL)
      break;
    TRY(search(s, k, x, &fresh, drop, error));
  }
  return STATUS_OK;
}
