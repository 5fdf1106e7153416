#include "engine/sparse.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

ISA_DECLARE(SparseKernels, sparse_kernels_table);

const SparseKernels *sparse_kernels(Isa isa) { return ISA_PICK(sparse_kernels_table, isa); }

enum { WORK_MOST = 4096 }; /* multiplications per row: 16 kB of targets */

/* --- order -------------------------------------------------------------------------------------------- */

/* The nodes that are left, with the neighbours that elimination leaves or gives them, rising. */
typedef struct Graph {
  int n;
  int *degree, *room, **neighbour; /* [n] */
  int *next, *before;              /* [n] the other nodes of equal degree, or -1 */
  int *head;                       /* [n] a node of each degree, or -1 */
  int *merged;                     /* [n] scratch */
  Arena arena;
} Graph;

static void unlink_node(Graph *g, int i)
{
  if (g->before[i] >= 0)
    g->next[g->before[i]] = g->next[i];
  else
    g->head[g->degree[i]] = g->next[i];
  if (g->next[i] >= 0)
    g->before[g->next[i]] = g->before[i];
}

static void link_node(Graph *g, int i)
{
  int *const head = &g->head[g->degree[i]];
  g->before[i] = -1;
  g->next[i] = *head;
  if (*head >= 0)
    g->before[*head] = i;
  *head = i;
}

static int compare_edges(const void *one, const void *other)
{
  const int *a = one, *b = other;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* Lists the neighbours of each node. */
static Status make_graph(Graph *g, int n, int nedge, const int edge[][2], Error *error)
{
  const size_t nodes = (size_t)n;
  int(*both)[2] = arena_take(&g->arena, 2 * (size_t)nedge + 1, sizeof *both);
  g->n = n;
  g->degree = arena_take(&g->arena, nodes, sizeof(int));
  g->room = arena_take(&g->arena, nodes, sizeof(int));
  g->neighbour = arena_take(&g->arena, nodes, sizeof(int *));
  g->next = arena_take(&g->arena, nodes, sizeof(int));
  g->before = arena_take(&g->arena, nodes, sizeof(int));
  g->head = arena_take(&g->arena, nodes, sizeof(int));
  g->merged = arena_take(&g->arena, nodes, sizeof(int));
  int *all = arena_take(&g->arena, 2 * (size_t)nedge + 1, sizeof(int)), m = 0;
  TRY(arena_check(&g->arena, "a sparse matrix", error));
  for (int e = 0; e < nedge; e++)
    for (int k = 0; k < 2 && edge[e][0] != edge[e][1]; k++, m++) {
      both[m][0] = edge[e][k];
      both[m][1] = edge[e][1 - k];
    }
  if (m > 0)
    qsort(both, (size_t)m, sizeof *both, compare_edges);
  for (int e = 0; e < m; e++) {
    const int i = both[e][0];
    if (e > 0 && compare_edges(both[e], both[e - 1]) == 0)
      continue;
    if (g->neighbour[i] == NULL)
      g->neighbour[i] = all;
    g->room[i] = ++g->degree[i];
    *all++ = both[e][1];
  }
  for (int i = 0; i < n; i++)
    g->head[i] = -1;
  for (int i = n - 1; i >= 0; i--)
    link_node(g, i);
  return STATUS_OK;
}

/* Joins the neighbours of i with those of the eliminated node, apart from both. */
static Status join(Graph *g, int i, int gone, int n, const int *more, Error *error)
{
  int size = 0, a = 0, b = 0;
  const int own = g->degree[i], *const list = g->neighbour[i];
  while (a < own || b < n) {
    const int next = b == n || (a < own && list[a] <= more[b]) ? list[a] : more[b];
    a += a < own && list[a] == next;
    b += b < n && more[b] == next;
    if (next != i && next != gone)
      g->merged[size++] = next;
  }
  if (size > g->room[i]) {
    g->room[i] = 2 * size;
    g->neighbour[i] = arena_take(&g->arena, (size_t)g->room[i], sizeof(int));
    TRY(arena_check(&g->arena, "a sparse matrix", error));
  }
  memcpy(g->neighbour[i], g->merged, (size_t)size * sizeof(int));
  unlink_node(g, i);
  g->degree[i] = size;
  link_node(g, i);
  return STATUS_OK;
}

/* Eliminates all nodes: order[n], and in g->neighbour[i][degree] the later neighbours of each. *worth becomes
 * false where that takes `most` multiplications or more. */
static Status eliminate(Graph *g, int block, double most, int *order, bool *worth, Error *error)
{
  double work = 0.0;
  int least = 0;
  *worth = true;
  for (int k = 0; k < g->n; k++) {
    while (g->head[least] < 0)
      least++;
    const int gone = g->head[least], n = g->degree[gone];
    unlink_node(g, gone);
    order[k] = gone;
    for (int d = 0; d < block; d++) {
      const double column = (double)(n * block + block - 1 - d);
      work += 0.5 * column * (column + 1.0);
    }
    if (!(work < most)) {
      *worth = false;
      return STATUS_OK;
    }
    for (int e = 0; e < n; e++)
      TRY(join(g, g->neighbour[gone][e], gone, n, g->neighbour[gone], error));
    least = least > 0 ? least - 1 : 0;
  }
  return STATUS_OK;
}

/* --- structure ---------------------------------------------------------------------------------------- */

static int compare_rows(const void *one, const void *other)
{
  const int *a = one, *b = other;
  return (*a > *b) - (*a < *b);
}

/* Lists rows, columns and their entries; place[nnode]: the order of the nodes. */
static void list_columns(const Graph *g, int block, const int *order, const int *place, int *row,
                         int *unknown, int *first, int *below)
{
  int n = 0;
  for (int k = 0; k < g->n; k++) {
    const int node = order[k], degree = g->degree[node];
    for (int d = 0; d < block; d++) {
      const int at = k * block + d;
      row[node * block + d] = at;
      unknown[at] = node * block + d;
      first[at] = n;
      for (int e = d + 1; e < block; e++)
        below[n++] = k * block + e;
      for (int e = 0; e < degree * block; e++)
        below[n++] = place[g->neighbour[node][e / block]] * block + e % block;
      if (n > first[at])
        qsort(below + first[at], (size_t)(n - first[at]), sizeof *below, compare_rows);
    }
  }
  first[g->n * block] = n;
}

/* The targets of all columns; at[n] is scratch. A row's column has all later rows of the pair's column. */
static void list_targets(int n, const int *first, const int *below, int *at, int *target)
{
  size_t base = 0;
  for (int k = 0; k < n; k++) {
    const int size = first[k + 1] - first[k], *const own = below + first[k];
    for (int j = 0; j < size; j++) {
      for (int e = first[own[j]]; e < first[own[j] + 1]; e++)
        at[below[e]] = e;
      for (int i = j + 1; i < size; i++)
        target[base + (size_t)i * (size_t)(i - 1) / 2 + (size_t)j] = at[own[i]];
    }
    base += (size_t)size * (size_t)(size > 0 ? size - 1 : 0) / 2;
  }
}

typedef struct Sizes {
  size_t rows, low, targets;
  int longest;
} Sizes;

static Sizes count(const Graph *g, int block)
{
  Sizes s = {.rows = (size_t)g->n * (size_t)block};
  for (int i = 0; i < g->n; i++)
    for (int d = 0; d < block; d++) {
      const int size = g->degree[i] * block + block - 1 - d;
      s.low += (size_t)size;
      s.targets += size > 0 ? (size_t)size * (size_t)(size - 1) / 2 : 0;
      s.longest = size > s.longest ? size : s.longest;
    }
  return s;
}

static Status build(Sparse **sparse, Graph *g, int block, const int *order, Error *error)
{
  const Sizes s = count(g, block);
  int *place = arena_take(&g->arena, (size_t)g->n, sizeof *place),
      *at = arena_take(&g->arena, s.rows, sizeof *at);
  TRY(arena_check(&g->arena, "a sparse matrix", error));
  Sparse *const made = malloc(sizeof *made + (3 * s.rows + 1 + s.low + s.targets) * sizeof(int));
  TRY_MEMORY(made != NULL, "a sparse matrix", error);
  int *row = (int *)(made + 1), *unknown = row + s.rows, *first = unknown + s.rows,
      *below = first + s.rows + 1, *target = below + s.low;
  for (int k = 0; k < g->n; k++)
    place[order[k]] = k;
  list_columns(g, block, order, place, row, unknown, first, below);
  list_targets((int)s.rows, first, below, at, target);
  *made = (Sparse){.n = (int)s.rows,
                   .nlow = (int)s.low,
                   .longest = s.longest,
                   .row = row,
                   .unknown = unknown,
                   .first = first,
                   .below = below,
                   .target = target,
                   .work = s.targets + s.low};
  *sparse = made;
  return STATUS_OK;
}

/* The multiplications of a factorisation that is worth it. */
static double work_most(const Band *band)
{
  const double n = (double)band->n, half = (double)band->half;
  return n * fmin(half * (half + 1.0) + 1.0, (double)WORK_MOST);
}

Status sparse_create(Sparse **sparse, int nnode, int block, int nedge, const int edge[][2], const Band *band,
                     Error *error)
{
  *sparse = NULL;
  Graph g = {0};
  bool worth = false;
  Status status = make_graph(&g, nnode, nedge, edge, error);
  int *order = status == STATUS_OK ? arena_take(&g.arena, (size_t)nnode + 1, sizeof *order) : NULL;
  if (status == STATUS_OK)
    status = arena_check(&g.arena, "a sparse matrix", error);
  if (status == STATUS_OK)
    status = eliminate(&g, block, work_most(band), order, &worth, error);
  if (status == STATUS_OK && worth)
    status = build(sparse, &g, block, order, error);
  arena_free(&g.arena);
  return status;
}

void sparse_free(Sparse *sparse) { free(sparse); }

size_t sparse_index(const Sparse *sparse, bool symmetric, int i, int j)
{
  const int a = sparse->row[i], b = sparse->row[j], low = a > b ? a : b, left = a > b ? b : a;
  if (a == b)
    return (size_t)a;
  const int *const column = sparse->below + sparse->first[left];
  const int *const found = bsearch(&low, column, (size_t)(sparse->first[left + 1] - sparse->first[left]),
                                   sizeof *column, compare_rows);
  const size_t at = 2 * (size_t)sparse->n + (size_t)(found - sparse->below);
  return symmetric || a > b ? at : at + (size_t)sparse->nlow;
}

/* --- row exchanges, one lane at a time ------------------------------------------------------------------ */

unsigned sparse_exchange(const Sparse *sparse, const Band *band, bool symmetric, int nentry,
                         const int entry[][2], const Vec8 *a, unsigned lanes, Vec8 *b)
{
  const int n = band->n, half = band->half, ld = 3 * half + 1;
  const size_t size = (size_t)n * (size_t)ld;
  double *ab = malloc((size + (size_t)n) * sizeof *ab), *x = ab + size;
  lapack_int *pivot = malloc((size_t)n * sizeof *pivot);
  unsigned singular = 0;
  for (int lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    if (ab != NULL && pivot != NULL) {
      memset(ab, 0, size * sizeof *ab);
      for (int e = 0; e < nentry; e++)
        for (int k = 0; k < (symmetric ? 2 : 1); k++) {
          const int i = entry[e][k], j = entry[e][1 - k], r = band->row[i], c = band->row[j];
          ab[(size_t)c * (size_t)ld + (size_t)(2 * half + r - c)] =
              a[sparse_index(sparse, symmetric, i, j)][lane];
        }
      for (int i = 0; i < n; i++)
        x[band->row[i]] = b[i][lane];
    }
    if (ab == NULL || pivot == NULL ||
        LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, n, half, half, 1, ab, ld, pivot, x, n) != 0) {
      singular |= 1u << lane;
      continue;
    }
    for (int i = 0; i < n; i++)
      b[i][lane] = x[band->row[i]];
  }
  free(ab);
  free(pivot);
  return singular;
}
