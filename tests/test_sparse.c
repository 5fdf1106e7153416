/* Sparse matrices over lanes: their fill, and their factorisations, solves and inverses against dense ones.
 */
#include "engine/sparse.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

enum { NODES = 40, EDGES = 4 * NODES, ROWS = 3 * NODES };

typedef enum Shape { PATH, CIRCLE, BRANCHES, RINGS, CLUSTERS, SHAPES } Shape;

static Error error;

static double uniform(void) { return 2.0 * drand48() - 1.0; }

/* Nodes in a random order, as groups have them by mass. */
static int list_edges(Shape shape, int n, int edge[][2])
{
  int m = 0, name[NODES];
  for (int i = 0; i < n; i++)
    name[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)(drand48() * (i + 1)), keep = name[i];
    name[i] = name[j];
    name[j] = keep;
  }
  for (int i = 1; i < n; i++, m++) {
    edge[m][0] = i;
    edge[m][1] = shape == BRANCHES ? (i - 1) / 3 : i - 1;
  }
  for (int i = 5; i < n && (shape == RINGS || shape == CLUSTERS); i += 6, m++) {
    edge[m][0] = i;
    edge[m][1] = i - 5;
  }
  for (int i = 0; i + 3 < n && shape == CLUSTERS; i += 3)
    for (int k = 2; k < 4; k++, m++) {
      edge[m][0] = i;
      edge[m][1] = i + k;
    }
  if (shape == CIRCLE) {
    edge[m][0] = 0;
    edge[m++][1] = n - 1;
  }
  for (int e = 0; e < m; e++)
    for (int k = 0; k < 2; k++)
      edge[e][k] = name[edge[e][k]];
  return m;
}

typedef struct Case {
  int n, nentry, entry[18 * EDGES][2];
  Band *band;
  Sparse *sparse;
  double full[LANES][ROWS * ROWS], right[ROWS];
  Vec8 a[3 * ROWS * ROWS], x[ROWS];
} Case;

static void store(Case *c, bool symmetric)
{
  memset(c->a, 0, sparse_size(c->sparse, symmetric) * sizeof *c->a);
  for (int e = 0; e < c->nentry; e++)
    for (int l = 0; l < LANES; l++) {
      const int i = c->entry[e][0], j = c->entry[e][1];
      c->a[sparse_index(c->sparse, symmetric, i, j)][l] = c->full[l][i * c->n + j];
    }
}

/* A matrix of the graph's pattern. It is dominated by its diagonal, which is small in the lanes of `bad`, and
 * has a negative entry there if the matrix is symmetric. */
static Case *open_case(Shape shape, int nnode, int block, bool symmetric, unsigned bad)
{
  static int edge[EDGES][2];
  Case *c = aligned_alloc(sizeof(Vec8), sizeof *c);
  const int m = list_edges(shape, nnode, edge);
  ck_assert_int_eq(band_create(&c->band, nnode, block, m, (const int(*)[2])edge, &error), STATUS_OK);
  ck_assert_int_eq(sparse_create(&c->sparse, nnode, block, m, (const int(*)[2])edge, c->band, &error),
                   STATUS_OK);
  ck_assert_ptr_nonnull(c->sparse);
  const int n = c->n = nnode * block;
  memset(c->full, 0, sizeof c->full);
  c->nentry = 0;
  for (int e = -nnode; e < m; e++)
    for (int d = 0; d < block * block; d++)
      for (int k = 0; k < (symmetric || e < 0 ? 1 : 2); k++) {
        const int i = (e < 0 ? e + nnode : edge[e][k]) * block + d / block,
                  j = (e < 0 ? e + nnode : edge[e][1 - k]) * block + d % block;
        c->entry[c->nentry][0] = i;
        c->entry[c->nentry++][1] = j;
        for (int l = 0; l < LANES; l++) {
          c->full[l][i * n + j] = uniform();
          if (symmetric)
            c->full[l][j * n + i] = c->full[l][i * n + j];
        }
      }
  for (int l = 0; l < LANES; l++)
    for (int i = 0; i < n; i++) {
      double sum = 0.1;
      for (int j = 0; j < n; j++)
        sum += j == i ? 0.0 : fabs(c->full[l][i * n + j]);
      c->full[l][i * n + i] = !(bad >> l & 1) ? sum : symmetric && i == 0 ? -0.5 : 0.1 * uniform();
    }
  for (int i = 0; i < n; i++)
    c->right[i] = uniform();
  store(c, symmetric);
  return c;
}

static void close_case(Case *c)
{
  band_free(c->band);
  sparse_free(c->sparse);
  free(c);
}

/* The largest error of x in a lane, relative to the largest element of the dense solution. */
static double dense_error(const Case *c, int lane)
{
  static double a[ROWS * ROWS], y[ROWS];
  int pivot[ROWS];
  double most = 0.0, worst = 0.0;
  memcpy(a, c->full[lane], (size_t)(c->n * c->n) * sizeof *a);
  memcpy(y, c->right, sizeof y);
  ck_assert(band_dense(c->n, a, 1, y, pivot, NULL));
  for (int i = 0; i < c->n; i++) {
    most = fmax(most, fabs(y[i]));
    worst = fmax(worst, fabs(y[i] - c->x[i][lane]));
  }
  return worst / most;
}

/* Factors and solves as callers do, row exchanges included; returns the sound lanes. */
static unsigned solve(Case *c, bool symmetric, Isa isa)
{
  const SparseKernels *k = sparse_kernels(isa);
  Vec8 rows[ROWS];
  store(c, symmetric);
  for (int i = 0; i < c->n; i++)
    rows[c->sparse->row[i]] = vec8_set(c->right[i]);
  const unsigned sound = (symmetric ? k->symmetric_factor : k->general_factor)(c->sparse, c->a);
  (symmetric ? k->symmetric_solve : k->general_solve)(c->sparse, c->a, rows);
  for (int i = 0; i < c->n; i++)
    for (int l = 0; l < LANES; l++)
      c->x[i][l] = sound >> l & 1 ? rows[c->sparse->row[i]][l] : c->right[i];
  if (sound != 0xff) {
    store(c, symmetric);
    ck_assert_uint_eq(sparse_exchange(c->sparse, c->band, symmetric, c->nentry, (const int(*)[2])c->entry,
                                      c->a, ~sound & 0xff, c->x),
                      0);
  }
  return sound;
}

TEST(solves_are_those_of_dense_matrices, .rows = SHAPES)
{
  srand48(3 + _i);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int n = 8; isa_runs(isa) && n <= NODES; n += 16)
      for (int block = 1; block < 4; block += 2)
        for (int symmetric = 0; symmetric < 2; symmetric++)
          for (unsigned bad = 0; bad <= 0x52; bad += 0x52) {
            Case *c = open_case((Shape)_i, n, block, symmetric, bad);
            ck_assert_uint_eq(solve(c, symmetric, isa) | bad, 0xff);
            for (int l = 0; l < LANES; l++)
              ck_assert_double_lt(dense_error(c, l), bad >> l & 1 ? 1e-7 : 1e-12);
            close_case(c);
          }
}

/* The bits of a lane do not depend on the other lanes, nor on its place. */
TEST(lanes_are_independent)
{
  srand48(5);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int symmetric = 0; isa_runs(isa) && symmetric < 2; symmetric++) {
      Case *c = open_case(CLUSTERS, NODES, 1, symmetric, 0),
           *other = aligned_alloc(sizeof(Vec8), sizeof *other);
      memcpy(other, c, sizeof *c);
      for (int l = 0; l < LANES; l++)
        memcpy(other->full[l], c->full[(l + 3) % LANES], sizeof *c->full);
      (void)solve(c, symmetric, isa);
      (void)solve(other, symmetric, isa);
      for (int i = 0; i < c->n; i++)
        for (int l = 0; l < LANES; l++)
          ck_assert_double_eq(other->x[i][l], c->x[i][(l + 3) % LANES]);
      free(other);
      close_case(c);
    }
}

/* The selected inverse has the entries of the whole one. */
TEST(inverses_are_those_of_dense_matrices, .rows = SHAPES)
{
  srand48(7 + _i);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int block = 1; isa_runs(isa) && block < 4; block += 2) {
      Case *c = open_case((Shape)_i, NODES, block, true, 0);
      static double a[ROWS * ROWS], identity[ROWS * ROWS];
      static Vec8 column[ROWS];
      int pivot[ROWS];
      ck_assert_uint_eq(sparse_kernels(isa)->symmetric_factor(c->sparse, c->a), 0xff);
      sparse_kernels(isa)->inverse(c->sparse, c->a, column);
      for (int l = 0; l < LANES; l += 5) {
        memcpy(a, c->full[l], (size_t)(c->n * c->n) * sizeof *a);
        memset(identity, 0, sizeof identity);
        for (int i = 0; i < c->n; i++)
          identity[i * c->n + i] = 1.0;
        ck_assert(band_dense(c->n, a, c->n, identity, pivot, NULL));
        for (int e = 0; e < c->nentry; e++) {
          const int i = c->entry[e][0], j = c->entry[e][1];
          ck_assert_double_eq_tol(c->a[sparse_index(c->sparse, true, i, j)][l], identity[i * c->n + j],
                                  1e-12);
        }
      }
      close_case(c);
    }
}

/* Trees fill in nothing and rings one entry a node at most; work and memory double with the nodes. */
TEST(fill_is_small, .rows = SHAPES)
{
  srand48(9 + _i);
  double work[2];
  for (int k = 0; k < 2; k++) {
    static int edge[EDGES][2];
    Band *band;
    Sparse *sparse;
    const int n = NODES / 2 << k, m = list_edges((Shape)_i, n, edge);
    ck_assert_int_eq(band_create(&band, n, 1, m, (const int(*)[2])edge, &error), STATUS_OK);
    ck_assert_int_eq(sparse_create(&sparse, n, 1, m, (const int(*)[2])edge, band, &error), STATUS_OK);
    ck_assert_ptr_nonnull(sparse);
    if (_i == PATH || _i == BRANCHES)
      ck_assert_int_eq(sparse->nlow, n - 1);
    if (_i == CIRCLE)
      ck_assert_int_le(sparse->nlow, 2 * n);
    ck_assert_int_le(sparse->nlow, 4 * n);
    for (int e = 0; e < m; e++)
      ck_assert_uint_lt(sparse_index(sparse, false, edge[e][0], edge[e][1]), sparse_size(sparse, false));
    work[k] = (double)sparse->work;
    sparse_free(sparse);
    band_free(band);
  }
  ck_assert_double_lt(work[1], 2.6 * work[0]);
}

/* Nodes that all touch each other have a band: its matrix is full, and no table is needed. */
TEST(full_matrices_are_no_sparse_ones)
{
  enum { FULL = 200 };
  static int edge[FULL * FULL / 2][2];
  int m = 0;
  Band *band;
  Sparse *sparse;
  for (int i = 0; i < FULL; i++)
    for (int j = 0; j < i; j++, m++) {
      edge[m][0] = i;
      edge[m][1] = j;
    }
  ck_assert_int_eq(band_create(&band, FULL, 1, m, (const int(*)[2])edge, &error), STATUS_OK);
  ck_assert_int_eq(sparse_create(&sparse, FULL, 1, m, (const int(*)[2])edge, band, &error), STATUS_OK);
  ck_assert_ptr_null(sparse);
  band_free(band);
}
