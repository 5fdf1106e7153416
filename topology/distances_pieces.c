#include "topology/distances_pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "topology/distances_dense.h"
#include "topology/distances_sparse.h"

static int sites_of(const Distance *d) { return d->axis == 0 ? 2 : 3; }

/* --- cuts ------------------------------------------------------------------------------------------------
 */

typedef struct Cutting {
  const Distance *distance;
  const bool *cut;
  int *root;                      /* [nsite] the set of each site of a part (union-find) */
  int *part;                      /* [nsite] by root: number of the component, or -1 */
  int *size, *to;                 /* [nsite] by component: its rows, and its piece */
  bool *tested_site, *tested_row; /* [nsite], [n] */
  Arena *arena;
  DistancesPieces *pieces;
} Cutting;

static int root_of(int *root, int i)
{
  while (root[i] != i)
    i = root[i] = root[root[i]];
  return i;
}

/* Whether a site is one of the cut's two (second: -1 for a cut at one site). */
static bool in_cut(const int between[2], int site) { return site == between[0] || site == between[1]; }

/* The site of a row that shows its component, or -1 if the cut has all of them. */
static int site_outside(const Distance *d, const int between[2])
{
  for (int k = 0; k < sites_of(d); k++)
    if (!in_cut(between, d->site[k]))
      return d->site[k];
  return -1;
}

/* Finds the components of a part without the sites of a cut, with the number of rows of each in c->size,
 * those in the cut included. Returns the number of components. */
static int components(Cutting *c, int n, const int *row, const int between[2])
{
  int ncomponent = 0, shared = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < sites_of(&c->distance[row[i]]); k++) {
      const int site = c->distance[row[i]].site[k];
      c->root[site] = site;
      c->part[site] = -1;
    }
  for (int i = 0; i < n; i++) {
    const Distance *d = &c->distance[row[i]];
    const int first = site_outside(d, between);
    for (int k = 0; first >= 0 && k < sites_of(d); k++)
      if (!in_cut(between, d->site[k]))
        c->root[root_of(c->root, d->site[k])] = root_of(c->root, first);
  }
  for (int i = 0; i < n; i++) {
    const int site = site_outside(&c->distance[row[i]], between);
    if (site < 0) {
      shared++;
      continue;
    }
    const int root = root_of(c->root, site);
    if (c->part[root] < 0) {
      c->part[root] = ncomponent;
      c->size[ncomponent++] = 0;
    }
    c->size[c->part[root]]++;
  }
  for (int p = 0; p < ncomponent; p++)
    c->size[p] += shared;
  return ncomponent;
}

static Status add_piece(Cutting *c, int n, int *row, Error *error)
{
  DistancesPieces *p = c->pieces;
  if (p->npiece == p->capacity) {
    const int capacity = 2 * p->capacity + 64;
    int *size = arena_take(c->arena, (size_t)capacity, sizeof *size),
        **rows = arena_take(c->arena, (size_t)capacity, sizeof *rows);
    TRY(arena_check(c->arena, "parts of a group", error));
    if (p->npiece > 0) {
      memcpy(size, p->n, (size_t)p->npiece * sizeof *size);
      memcpy(rows, p->row, (size_t)p->npiece * sizeof *rows);
    }
    p->n = size;
    p->row = rows;
    p->capacity = capacity;
  }
  p->n[p->npiece] = n;
  p->row[p->npiece++] = row;
  return STATUS_OK;
}

/* Divides piece p by the components found last. The largest keeps its memory, so that all copies together
 * are of the order of n log n. */
static Status divide(Cutting *c, int p, const int between[2], int ncomponent, Error *error)
{
  int *const row = c->pieces->row[p], n = c->pieces->n[p];
  int largest = 0;
  for (int k = 0; k < ncomponent; k++)
    largest = c->size[k] > c->size[largest] ? k : largest;
  for (int k = 0; k < ncomponent; k++) {
    c->to[k] = k == largest ? p : c->pieces->npiece;
    if (k != largest)
      TRY(add_piece(c, 0, arena_take(c->arena, (size_t)c->size[k], sizeof(int)), error));
  }
  TRY(arena_check(c->arena, "parts of a group", error));
  c->pieces->n[p] = 0;
  for (int i = 0; i < n; i++) {
    const int of = row[i], site = site_outside(&c->distance[of], between);
    const int only = site < 0 ? -1 : c->part[root_of(c->root, site)];
    for (int k = site < 0 ? 0 : only; k < (site < 0 ? ncomponent : only + 1); k++)
      c->pieces->row[c->to[k]][c->pieces->n[c->to[k]]++] = of;
  }
  return STATUS_OK;
}

/* Cuts piece p between two sites, or at one (second: -1), if that divides it. */
static Status try_cut(Cutting *c, int p, int first, int second, bool *divided, Error *error)
{
  const int between[2] = {first, second};
  const int n = components(c, c->pieces->n[p], c->pieces->row[p], between);
  *divided = n > 1;
  return *divided ? divide(c, p, between, n, error) : STATUS_OK;
}

/* Cuts piece p at the sites of one of its rows that were not tested before. Pieces share tested sites alone,
 * and a cut at a site leaves it in pieces that it does not divide again. */
static Status cut_at_sites(Cutting *c, int p, int row, bool *divided, Error *error)
{
  const Distance *d = &c->distance[row];
  *divided = false;
  for (int k = 0; k < sites_of(d) && !*divided; k++) {
    const int site = d->site[k];
    if (c->tested_site[site])
      continue;
    c->tested_site[site] = true;
    TRY(try_cut(c, p, site, -1, divided, error));
  }
  return STATUS_OK;
}

/* The same between the sites of a row. */
static Status cut_at_row(Cutting *c, int p, int row, bool *divided, Error *error)
{
  const Distance *d = &c->distance[row];
  *divided = false;
  if (c->tested_row[row] || !c->cut[row] || d->axis != 0)
    return STATUS_OK;
  c->tested_row[row] = true;
  return try_cut(c, p, d->site[0], d->site[1], divided, error);
}

static Status cut_all(Cutting *c, Status (*cut)(Cutting *, int, int, bool *, Error *), Error *error)
{
  for (int p = 0; p < c->pieces->npiece; p++)
    for (int i = 0; c->pieces->n[p] > 1 && i < c->pieces->n[p]; i++) {
      bool divided;
      TRY(cut(c, p, c->pieces->row[p][i], &divided, error));
      i = divided ? -1 : i;
    }
  return STATUS_OK;
}

/* The connected components of all rows. */
static Status cut_apart(Cutting *c, int n, Error *error)
{
  bool divided;
  int *all = arena_take(c->arena, (size_t)n + 1, sizeof *all);
  TRY(arena_check(c->arena, "parts of a group", error));
  for (int k = 0; k < n; k++)
    all[k] = k;
  TRY(add_piece(c, n, all, error));
  return n > 0 ? try_cut(c, 0, -1, -1, &divided, error) : STATUS_OK;
}

Status distances_pieces_cut(int nsite, int n, const Distance *distance, const bool *cut, Arena *arena,
                            DistancesPieces *pieces, Error *error)
{
  const size_t sites = (size_t)nsite + 1;
  *pieces = (DistancesPieces){0};
  Cutting c = {.distance = distance,
               .cut = cut,
               .root = arena_take(arena, sites, sizeof(int)),
               .part = arena_take(arena, sites, sizeof(int)),
               .size = arena_take(arena, sites, sizeof(int)),
               .to = arena_take(arena, sites, sizeof(int)),
               .tested_site = arena_take(arena, sites, sizeof(bool)),
               .tested_row = arena_take(arena, (size_t)n + 1, sizeof(bool)),
               .arena = arena,
               .pieces = pieces};
  TRY(arena_check(arena, "parts of a group", error));
  TRY(cut_apart(&c, n, error));
  TRY(cut_all(&c, cut_at_sites, error));
  return cut_all(&c, cut_at_row, error);
}

/* --- the fates of distances ------------------------------------------------------------------------------
 */

/* The whole, and memory for one piece. */
typedef struct Whole {
  int nsite, n;
  const double *mass;
  const Distance *distance;
  double (*x)[3];
  DistanceFate *fate;
  int *local, *site; /* [nsite] a site's number in the piece, or -1; the inverse */
  double *own_mass, (*own_x)[3];
  Distance *own;          /* [n] */
  DistanceFate *own_fate; /* [n] */
  bool *cut;              /* [n] */
  bool *left;             /* [n] a piece does not keep the distance */
  int *pieces;            /* [n] the number of pieces with the distance */
} Whole;

static Status make(Whole *w, Arena *arena, Error *error)
{
  const size_t nsite = (size_t)w->nsite, n = (size_t)w->n;
  w->local = arena_take(arena, nsite, sizeof(int));
  w->site = arena_take(arena, nsite, sizeof(int));
  w->own_mass = arena_take(arena, nsite, sizeof(double));
  w->own_x = arena_take(arena, nsite, sizeof *w->own_x);
  w->own = arena_take(arena, n, sizeof *w->own);
  w->own_fate = arena_take(arena, n, sizeof *w->own_fate);
  w->cut = arena_take(arena, n, sizeof(bool));
  w->left = arena_take(arena, n, sizeof(bool));
  w->pieces = arena_take(arena, n, sizeof(int));
  TRY(arena_check(arena, "parts of a group", error));
  for (int s = 0; s < w->nsite; s++)
    w->local[s] = -1;
  for (int c = 0; c < w->n; c++)
    w->cut[c] = true;
  return STATUS_OK;
}

/* Copies a piece; returns the number of its sites. */
static int copy_piece(Whole *w, int n, const int *row)
{
  int nsite = 0;
  for (int i = 0; i < n; i++) {
    w->own[i] = w->distance[row[i]];
    for (int k = 0; k < sites_of(&w->own[i]); k++) {
      const int site = w->own[i].site[k];
      if (w->local[site] < 0) {
        w->local[site] = nsite;
        w->own_mass[nsite] = w->mass[site];
        memcpy(w->own_x[nsite], w->x[site], sizeof *w->x);
        w->site[nsite++] = site;
      }
      w->own[i].site[k] = w->local[site];
    }
  }
  for (int s = 0; s < nsite; s++)
    w->local[w->site[s]] = -1;
  return nsite;
}

/* Finds the fates of a piece's distances. After STATUS_INPUT, x has the configuration of the piece. */
static Status solve_piece(Whole *w, int n, const int *row, int *worst, Error *error)
{
  const int nsite = copy_piece(w, n, row);
  const Status status =
      distances_dense_solve(nsite, w->own_mass, n, w->own, w->own_x, w->own_fate, worst, error);
  if (status == STATUS_INPUT) {
    *worst = row[*worst];
    for (int s = 0; s < nsite; s++)
      memcpy(w->x[w->site[s]], w->own_x[s], sizeof *w->x);
  }
  TRY(status);
  for (int i = 0; i < n; i++) {
    w->pieces[row[i]]++;
    if (w->own_fate[i] == DISTANCE_KEPT)
      continue;
    w->left[row[i]] = true;
    w->fate[row[i]] = w->own_fate[i];
  }
  return STATUS_OK;
}

/* Forbids cuts between the sites of a distance. */
static void forbid(const Whole *w, int c)
{
  const int *site = w->distance[c].site;
  for (int e = 0; e < w->n; e++) {
    const int *other = w->distance[e].site;
    if ((site[0] == other[0] && site[1] == other[1]) || (site[0] == other[1] && site[1] == other[0]))
      w->cut[e] = false;
  }
}

/* Finds all fates. *again: parts share a distance that one of them does not keep. */
static Status solve_pieces(Whole *w, int *worst, bool *again, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  DistancesPieces pieces;
  TRY(distances_pieces_cut(w->nsite, w->n, w->distance, w->cut, &arena, &pieces, error));
  *again = false;
  for (int c = 0; c < w->n; c++) {
    w->fate[c] = DISTANCE_KEPT;
    w->left[c] = false;
    w->pieces[c] = 0;
  }
  for (int p = 0; p < pieces.npiece; p++)
    if (pieces.n[p] > 1)
      TRY(solve_piece(w, pieces.n[p], pieces.row[p], worst, error));
  for (int c = 0; c < w->n; c++)
    if (w->left[c] && w->pieces[c] > 1) {
      forbid(w, c);
      *again = true;
    }
  return STATUS_OK;
}

Status distances_pieces_solve(int nsite, const double *mass, int n, const Distance *distance, double (*x)[3],
                              DistanceFate *fate, int *worst, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  Whole w = {.nsite = nsite, .n = n, .mass = mass, .distance = distance, .x = x, .fate = fate};
  bool *kept = arena_take(&arena, (size_t)n, sizeof *kept), again = true;
  TRY(make(&w, &arena, error));
  if (distance_collapsed(n, distance, (const double(*)[3])x, worst))
    return error_set(error, STATUS_INPUT, "two sites coincide");
  while (again)
    TRY(solve_pieces(&w, worst, &again, error));
  for (int c = 0; c < n; c++)
    kept[c] = fate[c] == DISTANCE_KEPT;
  return distances_sparse_move(nsite, mass, n, distance, kept, x, worst, error);
}
