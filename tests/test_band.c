/* Band matrices over lanes: order and width of known graphs, solves against LAPACK's dense ones. */
#include <lapacke.h>

#include "engine/band.h"
#include "tests/molecules.h"
#include "tests/suite.h"

enum { NODES = 30, EDGES = NODES * (NODES - 1) / 2, ROWS = 2 * NODES };

typedef enum Shape { CHAIN, RING, TREE, STAR, FOREST, LADDER, COMPLETE, SHAPES } Shape;

/* Edges of a shape on n nodes, then the nodes' names shuffled. */
static int draw_shape(Shape shape, int n, bool shuffled, int edge[][2])
{
  int m = 0, name[NODES];
  for (int i = 0; i < n; i++) {
    const int j = (int)(drand48() * (i + 1));
    name[i] = name[j];
    name[j] = i;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const bool tree = j == (i - 1) / 2;
      const bool joined[SHAPES] = {j == i - 1,    j == i - 1 || (i == n - 1 && j == 0),     tree, j == 0,
                                   tree && j > 2, j == i - 2 || (j == i - 1 && i % 2 == 1), true};
      if (!joined[shape])
        continue;
      edge[m][0] = shuffled ? name[i] : i;
      edge[m++][1] = shuffled ? name[j] : j;
    }
  return m;
}

static Band *open_band(Shape shape, int n, int block, bool shuffled, int edge[][2], int *nedge)
{
  Band *band;
  Error error;
  *nedge = draw_shape(shape, n, shuffled, edge);
  ck_assert_int_eq(band_create(&band, n, block, *nedge, (const int(*)[2])edge, &error), STATUS_OK);
  return band;
}

/* Where the entry of the unknowns i and j is in a general matrix. */
static size_t general_place(const Band *band, int i, int j)
{
  const int a = band->row[i], b = band->row[j];
  return (size_t)a * (size_t)(2 * band->half + 1) + (size_t)(b - a + band->half);
}

TEST(widths_are_small)
{
  int edge[EDGES][2], m;
  srand48(1);
  static const int width[SHAPES] = {1, 2, 0, 0, 0, 2, NODES - 1};
  for (Shape shape = 0; shape < SHAPES; shape++)
    for (int shuffled = 0; shuffled < 2; shuffled++)
      for (int block = 1; block < 4; block++) {
        Band *band = open_band(shape, NODES, block, shuffled, edge, &m);
        ck_assert_int_eq(band->n, NODES * block);
        if (width[shape] > 0)
          ck_assert_int_eq(band->half, width[shape] * block + block - 1);
        bool natural = true;
        for (int i = 0; i < band->n; i++) {
          ck_assert_int_eq(band->unknown[band->row[i]], i);
          natural = natural && band->row[i] == i;
        }
        if (shape == CHAIN)
          ck_assert_int_eq(natural, !shuffled);
        for (int e = 0; e < m; e++)
          for (int d = 0; d < block; d++) {
            const int i = edge[e][0] * block + d, j = edge[e][1] * block;
            ck_assert_int_le(abs(band->row[i] - band->row[j]), band->half);
            ck_assert_uint_eq(band_symmetric(band, i, j), band_symmetric(band, j, i));
            ck_assert_uint_lt(band_symmetric(band, i, j), band_symmetric_size(band));
            ck_assert_uint_lt(general_place(band, i, j), band_general_size(band));
          }
        band_free(band);
      }
}

/* A random matrix of the graph's structure, full[LANES][n][n] by unknowns. Symmetric ones are dominated by
 * their diagonal; in the lanes of `bad` they are indefinite, or have small diagonals. */
static void draw_matrix(const Band *band, int m, int edge[][2], bool symmetric, unsigned bad, double *full)
{
  const int n = band->n, b = band->block;
  for (int l = 0; l < LANES; l++) {
    double *a = full + (size_t)l * (size_t)(n * n);
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int e = -n / b; e < m; e++)
      for (int d = 0; d < b; d++)
        for (int c = 0; c < b; c++) {
          const int i = (e < 0 ? e + n / b : edge[e][0]) * b + d,
                    j = (e < 0 ? e + n / b : edge[e][1]) * b + c;
          a[i * n + j] = uniform();
          a[j * n + i] = symmetric ? a[i * n + j] : a[i * n + j] + 0.2 * uniform();
        }
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      for (int j = 0; j < n; j++)
        sum += j == i ? 0.0 : fabs(a[i * n + j]);
      a[i * n + i] = bad >> l & 1 ? (i % 3 == 1 ? 0.01 * uniform() : uniform()) : 0.1 + sum;
    }
    if (bad >> l & 1)
      a[0] = -0.5;
  }
}

static void store(const Band *band, bool symmetric, const double *full, Vec8 *a)
{
  const int n = band->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (abs(band->row[i] - band->row[j]) <= band->half)
        for (int l = 0; l < LANES; l++)
          a[symmetric ? band_symmetric(band, i, j) : general_place(band, i, j)][l] =
              full[(size_t)l * (size_t)(n * n) + (size_t)(i * n + j)];
}

/* Error of x (rows) against LAPACK's dense solve (unknowns), relative to the largest element. */
static double dense_error(const Band *band, const double *full, const double *b, const Vec8 *x, int lane)
{
  const int n = band->n;
  double *a = malloc((size_t)(n * n) * sizeof *a), y[3 * NODES], most = 0.0, worst = 0.0;
  int pivot[3 * NODES];
  memcpy(a, full + (size_t)lane * (size_t)(n * n), (size_t)(n * n) * sizeof *a);
  memcpy(y, b, (size_t)n * sizeof *y);
  ck_assert_int_eq(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, a, n, pivot, y, 1), 0);
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(y[i]));
    worst = fmax(worst, fabs(y[i] - x[band->row[i]][lane]));
  }
  free(a);
  return worst / most;
}

/* Factors, solves, and turns to row exchanges where that fails, as callers do. */
static unsigned solve(const BandKernels *k, const Band *band, bool symmetric, const double *full, Vec8 *a,
                      Vec8 *b)
{
  const int n = band->n, half = band->half;
  Vec8 *keep = aligned_alloc(sizeof(Vec8), (size_t)n * sizeof(Vec8));
  Vec8 *scratch = aligned_alloc(sizeof(Vec8), band_exchange_scratch(n, half) * sizeof(Vec8));
  memcpy(keep, b, (size_t)n * sizeof(Vec8));
  store(band, symmetric, full, a);
  const unsigned sound = symmetric ? k->symmetric_factor(n, half, a) : k->general_factor(n, half, a);
  (symmetric ? k->symmetric_solve : k->general_solve)(n, half, a, b);
  if (sound != 0xff) {
    store(band, symmetric, full, a);
    for (int l = 0; l < LANES; l++)
      if (!(sound >> l & 1))
        for (int i = 0; i < n; i++)
          b[i][l] = keep[i][l];
    ck_assert_uint_eq(band_exchange(n, half, symmetric, a, ~sound & 0xff, b, scratch), 0);
  }
  free(scratch);
  free(keep);
  return sound;
}

static void check_solve(Shape shape, int n, int block, bool symmetric, unsigned bad, Isa isa)
{
  int edge[EDGES][2], m;
  Band *band = open_band(shape, n, block, true, edge, &m);
  const int rows = band->n;
  double *full = malloc(sizeof(double) * (size_t)(LANES * rows * rows)), b[3 * NODES];
  Vec8 *a = aligned_alloc(sizeof(Vec8), band_general_size(band) * sizeof(Vec8)), x[3 * NODES];
  draw_matrix(band, m, edge, symmetric, bad, full);
  for (int i = 0; i < rows; i++) {
    b[i] = uniform();
    x[band->row[i]] = vec8_set(b[i]);
  }
  const unsigned sound = solve(band_kernels(isa), band, symmetric, full, a, x);
  if (symmetric) /* a negative entry on the diagonal */
    ck_assert_uint_eq(sound & bad, 0);
  ck_assert_uint_eq(sound | bad, 0xff);
  for (int l = 0; l < LANES; l++)
    ck_assert_double_lt(dense_error(band, full, b, x, l), bad >> l & 1 ? 1e-8 : 1e-12);
  free(a);
  free(full);
  band_free(band);
}

TEST(solves_are_those_of_dense_matrices, .rows = SHAPES)
{
  srand48(2);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int n = 3; isa_runs(isa) && n <= NODES; n += 9)
      for (int block = 1; block < 4; block++)
        for (int symmetric = 0; symmetric < 2; symmetric++) {
          check_solve((Shape)_i, n, block, symmetric, 0, isa);
          check_solve((Shape)_i, n, block, symmetric, 0x52, isa);
        }
}

/* One unknown and no edges; and what is said of graphs that are none. */
TEST(edges_of_use)
{
  Band *band;
  Error error;
  ck_assert_int_eq(band_create(&band, 1, 1, 0, NULL, &error), STATUS_OK);
  ck_assert_int_eq(band->half, 0);
  Vec8 a[1] = {vec8_set(4.0)}, b[1] = {vec8_set(2.0)};
  ck_assert_uint_eq(band_kernels(ISA_PLAIN)->symmetric_factor(1, 0, a), 0xff);
  band_kernels(ISA_PLAIN)->symmetric_solve(1, 0, a, b);
  ck_assert_double_lt(largest(b[0] - 0.5), 1e-15);
  band_free(band);
  static const int edge[2][2] = {{0, 1}, {1, 3}};
  ck_assert_int_eq(band_create(&band, 3, 1, 2, edge, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "edge 2"));
  ck_assert_ptr_null(band);
  ck_assert_int_eq(band_create(&band, 0, 1, 0, NULL, &error), STATUS_INPUT);
}

/* A singular matrix is named as such and b left alone. */
TEST(singular_lanes_are_told)
{
  const Vec8 zero = vec8_set(0.0), one = vec8_set(1.0);
  Vec8 a[2 * 3] = {zero, one, zero, one, one, zero}, b[2] = {one, 2.0 * one}, scratch[8];
  a[3][2] = 2.0; /* [1 0; 1 1] but for lane 2: [1 0; 2 1]; lane 5 singular */
  a[4][5] = 0.0;
  ck_assert_uint_le(band_exchange_scratch(2, 1), 8);
  ck_assert_uint_eq(band_exchange(2, 1, false, a, 0x24, b, scratch), 0x20);
  ck_assert_double_eq(b[1][2], 0.0);
  ck_assert_double_eq(b[1][5], 2.0);
  ck_assert_double_eq(b[1][0], 2.0);
}

/* Pivots that cancel or are too small to begin with are seen; large and small rows are none of these. */
TEST(bad_pivots_are_seen)
{
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    const Vec8 zero = vec8_set(0.0), one = vec8_set(1.0);
    Vec8 a[2 * 3] = {zero, 2.0 * one, one, one, one, zero};
    a[1][1] = 1e-12;
    a[4][2] = 0.5 + 1e-10;
    a[1][4] = 2e-9;
    a[2][4] = a[3][4] = 1e-5; /* positive definite, badly scaled */
    a[1][5] = NAN;
    a[1][6] = 0.0;
    if (isa_runs(isa))
      ck_assert_uint_eq(band_kernels(isa)->general_factor(2, 1, a), 0x99);
  }
}

/* Row exchanges of one system: the residual in long double, the sign of a determinant, singular ones told. */
TEST(dense_systems_are_solved)
{
  enum { RIGHT = 2 };
  srand48(4);
  for (int n = 1; n <= NODES; n++) {
    double a[NODES * NODES], lu[NODES * NODES], b[RIGHT * NODES], x[RIGHT * NODES];
    int pivot[NODES], sign;
    for (int i = 0; i < n * n; i++)
      lu[i] = a[i] = uniform();
    for (int i = 0; i < RIGHT * n; i++)
      x[i] = b[i] = uniform();
    ck_assert(band_dense(n, lu, RIGHT, x, pivot, &sign));
    for (int r = 0; r < RIGHT; r++)
      for (int i = 0; i < n; i++) {
        long double sum = b[r * n + i], size = 0.0L;
        for (int j = 0; j < n; j++) {
          sum -= (long double)a[i * n + j] * x[r * n + j];
          size += fabsl((long double)a[i * n + j] * x[r * n + j]);
        }
        ck_assert_double_le((double)fabsl(sum), 1e-13 * (double)size);
      }
  }
  /* A cycle of three rows is even, an exchange of two odd. */
  double even[9] = {0, 2, 0, 0, 0, 3, 5, 0, 0}, odd[4] = {0, 1, 1, 0}, minus[1] = {-2},
         flat[4] = {1, 2, 2, 4};
  double b[3] = {1, 1, 1};
  int pivot[3], sign;
  ck_assert(band_dense(3, even, 0, NULL, pivot, &sign) && sign == 1);
  ck_assert(band_dense(2, odd, 0, NULL, pivot, &sign) && sign == -1);
  ck_assert(band_dense(1, minus, 0, NULL, pivot, &sign) && sign == -1);
  ck_assert(!band_dense(2, flat, 1, b, pivot, NULL));
}

/* The bits of a lane do not depend on the others. */
TEST(lanes_are_independent)
{
  int edge[EDGES][2], m;
  srand48(3);
  Band *band = open_band(TREE, NODES, 2, true, edge, &m);
  const int n = band->n;
  const size_t size = sizeof(double) * (size_t)(LANES * n * n), lane = (size_t)(n * n) * sizeof(double);
  double *full = malloc(size), *other = malloc(size);
  Vec8 *a = aligned_alloc(sizeof(Vec8), band_general_size(band) * sizeof(Vec8));
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int symmetric = 0; isa_runs(isa) && symmetric < 2; symmetric++) {
      Vec8 x[ROWS], y[ROWS];
      draw_matrix(band, m, edge, symmetric, 0x10, full);
      for (int i = 0; i < n; i++)
        x[i] = vec8_set(uniform());
      memcpy(y, x, sizeof y);
      (void)solve(band_kernels(isa), band, symmetric, full, a, x);
      draw_matrix(band, m, edge, symmetric, 0xc1, other);
      for (int l = 0; l < LANES; l++)
        if (l == 2 || l == 4)
          memcpy(other + (size_t)((l + 3) % LANES) * (size_t)(n * n), full + (size_t)l * (size_t)(n * n),
                 lane);
      (void)solve(band_kernels(isa), band, symmetric, other, a, y);
      for (int i = 0; i < n; i++)
        for (int l = 2; l <= 4; l += 2)
          ck_assert_int_eq(((Vec8Mask)x[i])[l], ((Vec8Mask)y[i])[(l + 3) % LANES]);
    }
  free(a);
  free(full);
  free(other);
  band_free(band);
}
