#include "engine/band.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"

ISA_DECLARE(BandKernels, band_kernels_table);

const BandKernels *band_kernels(Isa isa) { return ISA_PICK(band_kernels_table, isa); }

/* --- order -------------------------------------------------------------------------------------------- */

typedef struct Graph {
  int n;
  const int *first;     /* [n+1] index of a node's first neighbour          */
  const int *neighbour; /* [2*nedge]                                        */
  int *order;           /* [n] nodes in order                               */
  int *level;           /* [n] in the last search that found the node; -1: none */
  bool *placed;         /* [n]                                              */
} Graph;

static int degree(const Graph *g, int i) { return g->first[i + 1] - g->first[i]; }

/* Searches breadth first from a root, neighbours of smaller degree first, into found[]; returns the number of
 * nodes found. found[0..known) are the nodes of the last search. */
static int search(const Graph *g, int root, int known, int *found)
{
  int n = 0;
  for (int k = 0; k < known; k++)
    g->level[found[k]] = -1;
  g->level[root] = 0;
  found[n++] = root;
  for (int k = 0; k < n; k++) {
    const int from = found[k], begin = n;
    for (int e = g->first[from]; e < g->first[from + 1]; e++) {
      const int to = g->neighbour[e];
      if (g->level[to] >= 0)
        continue;
      g->level[to] = g->level[from] + 1;
      int at = n++;
      for (; at > begin && degree(g, found[at - 1]) > degree(g, to); at--)
        found[at] = found[at - 1];
      found[at] = to;
    }
  }
  return n;
}

/* Orders a component by reverse Cuthill-McKee from an end of a long path: the search starts again from the
 * last node of smallest degree as long as this lengthens the path. */
static int place_component(const Graph *g, int root, int *found)
{
  int n = search(g, root, 0, found), depth = g->level[found[n - 1]];
  for (;;) {
    int last = found[n - 1];
    for (int k = n - 1; k >= 0 && g->level[found[k]] == depth; k--)
      if (degree(g, found[k]) < degree(g, last))
        last = found[k];
    n = search(g, last, n, found);
    if (g->level[found[n - 1]] <= depth)
      break;
    depth = g->level[found[n - 1]];
  }
  for (int k = 0; k < n / 2; k++) {
    const int keep = found[k];
    found[k] = found[n - 1 - k];
    found[n - 1 - k] = keep;
  }
  for (int k = 0; k < n; k++)
    g->placed[found[k]] = true;
  return n;
}

static int width(const Graph *g, const int *place)
{
  int half = 0;
  for (int i = 0; i < g->n; i++)
    for (int e = g->first[i]; e < g->first[i + 1]; e++) {
      const int apart = abs(place[i] - place[g->neighbour[e]]);
      half = apart > half ? apart : half;
    }
  return half;
}

/* Computes place[n] of the nodes and returns the half-bandwidth in nodes. Overwrites level[]. */
static int find_order(const Graph *g, int *place)
{
  for (int i = 0; i < g->n; i++)
    place[i] = i;
  const int natural = width(g, place);
  if (natural <= 1)
    return natural;
  int n = 0;
  for (int i = 0; i < g->n; i++)
    g->level[i] = -1;
  for (int i = 0; i < g->n; i++)
    if (!g->placed[i])
      n += place_component(g, i, g->order + n);
  for (int i = 0; i < g->n; i++)
    place[g->order[i]] = i;
  const int half = width(g, place);
  if (half < natural)
    return half;
  for (int i = 0; i < g->n; i++)
    place[i] = i;
  return natural;
}

/* Neighbours by node: first[n+1], neighbour[2*nedge]. */
static void list_neighbours(int n, int nedge, const int edge[][2], int *first, int *neighbour)
{
  memset(first, 0, ((size_t)n + 1) * sizeof *first);
  for (int e = 0; e < nedge; e++)
    for (int k = 0; k < 2; k++)
      first[edge[e][k] + 1]++;
  for (int i = 0; i < n; i++)
    first[i + 1] += first[i];
  for (int e = 0; e < nedge; e++)
    for (int k = 0; k < 2; k++)
      neighbour[first[edge[e][k]]++] = edge[e][1 - k];
  for (int i = n; i > 0; i--) /* filling moved each entry to the next one's place */
    first[i] = first[i - 1];
  first[0] = 0;
}

Status band_create(Band **band, int nnode, int block, int nedge, const int edge[][2], Error *error)
{
  *band = NULL;
  if (nnode < 1 || block < 1)
    return error_set(error, STATUS_INPUT, "a band matrix needs nodes and unknowns, not %d and %d", nnode,
                     block);
  for (int e = 0; e < nedge; e++)
    for (int k = 0; k < 2; k++)
      if (edge[e][k] < 0 || edge[e][k] >= nnode)
        return error_set(error, STATUS_INPUT, "edge %d of a band matrix joins node %d of %d", e + 1,
                         edge[e][k] + 1, nnode);
  const size_t n = (size_t)nnode, rows = n * (size_t)block;
  SCOPED(scoped_free) int *place = malloc((4 * n + 1 + 2 * (size_t)nedge) * sizeof *place);
  SCOPED(scoped_free) bool *placed = calloc(n, sizeof *placed);
  TRY_MEMORY(place != NULL && placed != NULL, "a band matrix", error);
  Band *b = malloc(sizeof *b + 2 * rows * sizeof(int));
  TRY_MEMORY(b != NULL, "a band matrix", error);
  int *first = place + 3 * n, *neighbour = first + n + 1;
  list_neighbours(nnode, nedge, edge, first, neighbour);
  const Graph g = {nnode, first, neighbour, place + n, place + 2 * n, placed};
  const int half = find_order(&g, place);
  int *row = (int *)(b + 1), *unknown = row + rows;
  for (int i = 0; i < nnode; i++)
    for (int d = 0; d < block; d++) {
      row[i * block + d] = place[i] * block + d;
      unknown[place[i] * block + d] = i * block + d;
    }
  *b = (Band){
      .n = (int)rows, .half = half * block + block - 1, .block = block, .row = row, .unknown = unknown};
  *band = b;
  return STATUS_OK;
}

void band_free(Band *band) { free(band); }

/* --- row exchanges, one lane at a time ------------------------------------------------------------------ */

static size_t exchange_doubles(int n, int half) { return (size_t)n * (size_t)(3 * half + 2); }

size_t band_exchange_scratch(int n, int half)
{
  const size_t bytes = exchange_doubles(n, half) * sizeof(double) + (size_t)n * sizeof(lapack_int);
  return (bytes + sizeof(Vec8) - 1) / sizeof(Vec8);
}

/* Copies one lane to LAPACK's layout: columns, (i, j) at ab[j][2*half + i - j], the first `half` rows for
 * fill-in. */
static void gather(int n, int half, bool symmetric, const Vec8 *a, int lane, double *ab)
{
  const int ld = 3 * half + 1, stored = symmetric ? half + 1 : 2 * half + 1;
  for (int i = 0; i < n; i++)
    for (int j = i > half ? i - half : 0; j < n && j <= i + half; j++) {
      const int row = symmetric && j > i ? j : i, column = symmetric && j > i ? i : j;
      ab[(size_t)j * (size_t)ld + (size_t)(2 * half + i - j)] =
          a[(size_t)row * (size_t)stored + (size_t)(column - row + half)][lane];
    }
}

unsigned band_exchange(int n, int half, bool symmetric, const Vec8 *a, unsigned lanes, Vec8 *b, Vec8 *scratch)
{
  double *ab = (double *)scratch, *x = ab + (size_t)n * (size_t)(3 * half + 1);
  lapack_int *pivot = (lapack_int *)(ab + exchange_doubles(n, half));
  unsigned singular = 0;
  for (int lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    gather(n, half, symmetric, a, lane, ab);
    for (int i = 0; i < n; i++)
      x[i] = b[i][lane];
    if (LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, n, half, half, 1, ab, 3 * half + 1, pivot, x, n) != 0) {
      singular |= 1u << lane;
      continue;
    }
    for (int i = 0; i < n; i++)
      b[i][lane] = x[i];
  }
  return singular;
}

bool band_dense(int n, double *a, int nright, double *b, int *pivot, int *sign)
{
  _Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK needs 32-bit integers");
  /* LAPACK reads columns: a is the transpose. */
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivot) != 0)
    return false;
  int parity = 1;
  for (int i = 0; i < n; i++)
    if ((a[i * n + i] < 0.0) != (pivot[i] != i + 1))
      parity = -parity;
  if (sign != NULL)
    *sign = parity;
  if (nright > 0 && LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, nright, a, n, pivot, b, n) != 0)
    return false;
  for (int i = 0; i < n * nright; i++)
    if (!isfinite(b[i]))
      return false;
  return true;
}
