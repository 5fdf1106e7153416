/* The tests of a neighbour list: all candidates of a cell are copied side by side, so that sixteen can be
 * tested at once whatever the cells they come from. */
#include "forcefields/images_vec.h"
#include "forcefields/list.h"
#include "forcefields/list_kernels.h"

VEC_INLINE vuf load(const int32_t *p)
{
  vuf v;
  memcpy(&v, p, sizeof v);
  return v;
}

VEC_INLINE void store(int32_t *p, vuf v) { memcpy(p, &v, sizeof v); }

static const int32_t iota[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Candidates of one cell. */
typedef struct Packed {
  int32_t *x, *y, *z, *place;
  int n, room;
  uint8_t *touched;
} Packed;

/* Adds places first..last-1; false: no room. Copies run over their end. */
VEC_INLINE bool add_run(const ListGrid *g, Packed *c, int first, int last)
{
  const int n = last - first;
  if (c->n + n + FLOATS > c->room)
    return false;
  for (int k = 0; k < n; k += FLOATS) {
    store(c->x + c->n + k, load(g->at[0] + first + k));
    store(c->y + c->n + k, load(g->at[1] + first + k));
    store(c->z + c->n + k, load(g->at[2] + first + k));
    store(c->place + c->n + k, load(iota) + (uint32_t)(first + k));
  }
  c->n += n;
  for (int b = first / LIST_BLOCK; b * LIST_BLOCK < last && n > 0; b++)
    c->touched[b] = 1;
  return true;
}

/* Cells z = from..from+n-1 of a column, modulo mz; 0 <= n <= mz, 0 <= from < mz. `starts`: of a sort. */
static bool add_cells(const ListGrid *g, const int32_t *starts, Packed *c, int column, int from, int n)
{
  const int mz = g->m[2];
  const int32_t *start = starts + (size_t)column * (size_t)mz;
  const int wrapped = from + n > mz ? from + n - mz : 0;
  return add_run(g, c, start[from], start[from + n - wrapped]) && add_run(g, c, start[0], start[wrapped]);
}

/* Candidates of a sort for those in a cell. */
static bool gather(const ListGrid *g, const ListReach *reach, const int32_t *starts, int cell, Packed *c)
{
  const int mz = g->m[2], own = cell / mz, z = cell % mz, x = own / g->m[1], y = own % g->m[1];
  c->n = 0;
  if (!add_run(g, c, starts[cell], starts[cell + 1]))
    return false;
  for (int k = 0; k < reach->nrun; k++) {
    const ListRun *o = &reach->run[k];
    const int cx = x + o->dx < g->m[0] ? x + o->dx : x + o->dx - g->m[0];
    const int cy = y + o->dy < g->m[1] ? y + o->dy : y + o->dy - g->m[1];
    const int column = cx * g->m[1] + cy, cz = z + o->from < mz ? z + o->from : z + o->from - mz;
    if (o->twin && column * mz + cz < cell)
      continue;
    if (!add_cells(g, starts, c, column, cz, o->count))
      return false;
  }
  return true;
}

/* The list of place i from candidates `from` and those behind it. */
VEC_INLINE int test(const ListGrid *g, float limit2, const Packed *c, int i, int from, const bool oblique,
                    int32_t *out)
{
  const uint32_t x = (uint32_t)g->at[0][i], y = (uint32_t)g->at[1][i], z = (uint32_t)g->at[2][i];
  const vf sx = vf_set(g->h[0][0]), sy = vf_set(g->h[1][1]), sz = vf_set(g->h[2][2]);
  const vf limit = vf_set(limit2);
  int n = 0;
  for (int k = from; k < c->n; k += FLOATS) {
    vf d[3] = {__builtin_convertvector((vif)(load(c->x + k) - x), vf),
               __builtin_convertvector((vif)(load(c->y + k) - y), vf),
               __builtin_convertvector((vif)(load(c->z + k) - z), vf)};
    d[0] *= sx;
    if (oblique) {
      d[0] += d[1] * vf_set(g->h[1][0]) + d[2] * vf_set(g->h[2][0]);
      d[1] = d[1] * sy + d[2] * vf_set(g->h[2][1]);
    } else
      d[1] *= sy;
    d[2] *= sz;
    if (oblique && g->images.n > 0)
      images_floats(&g->images, d);
    const vfm close = vfm_below(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], limit) & vfm_first(c->n - k);
    n += vif_compress(out + n, (vif)load(c->place + k), close);
  }
  return n;
}

/* Takes those out of j[n] that are hidden from place i; returns how many stay. */
static int see(const ListGrid *g, int i, int32_t *j, int n)
{
  const int own = g->order[i], owner = g->owner[i];
  const int *const hidden = g->hidden + g->begin[own], count = g->begin[own + 1] - g->begin[own];
  for (int k = 0; k < n && count > 0; k++)
    while (k < n && g->owner[j[k]] == owner) {
      int at = 0;
      while (at < count && hidden[at] != g->order[j[k]])
        at++;
      if (at == count)
        break;
      j[k] = j[--n];
    }
  return n;
}

/* Places of sort a in a cell, against those of sort b. */
static ListFit pairs(const ListGrid *g, int cell, int a, int b, Packed *c, int32_t *first, int32_t *last,
                     ListWork *work, int *entries)
{
  const int32_t *const own = g->start + (size_t)a * (size_t)g->ncell + cell;
  const ListReach *const reach = &g->reach[a * g->nsort + b];
  const int n = own[1] - own[0];
  int used = *entries;
  if (!gather(g, reach, g->start + (size_t)b * (size_t)g->ncell, cell, c))
    return LIST_ROOM;
  if ((int64_t)n * (c->n + LIST_PAD) + LIST_PAD > work->capacity - used)
    return LIST_CAPACITY;
  for (int p = 0; p < n; p++) {
    const int i = own[0] + p, from = a == b ? p + 1 : 0;
    int found = g->oblique ? test(g, reach->limit, c, i, from, true, work->j + used)
                           : test(g, reach->limit, c, i, from, false, work->j + used);
    if (g->hidden != NULL)
      found = see(g, i, work->j + used, found);
    first[i] = used;
    last[i] = used + found;
    for (int k = 0; k < LIST_PAD; k += FLOATS)
      store(work->j + used + found + k, (vuf){0} + (uint32_t)i);
    used += (found + LIST_PAD - 1) / LIST_PAD * LIST_PAD;
  }
  *entries = used;
  return LIST_FITS;
}

static ListFit cells(const ListGrid *g, int begin, int end, int32_t *first, int32_t *last, ListWork *work)
{
  Packed c = {.x = work->candidate,
              .y = work->candidate + work->room,
              .z = work->candidate + 2 * (size_t)work->room,
              .place = work->candidate + 3 * (size_t)work->room,
              .room = work->room,
              .touched = work->touched};
  int used = 0;
  for (int cell = begin; cell < end; cell++)
    for (int a = 0; a < g->nsort; a++) {
      const int32_t *const own = g->start + (size_t)a * (size_t)g->ncell + cell;
      if (own[0] == own[1])
        continue;
      for (int b = 0; b <= a; b++) {
        const size_t at = (size_t)b * (size_t)g->n;
        const ListFit fit = pairs(g, cell, a, b, &c, first + at, last + at, work, &used);
        if (fit != LIST_FITS)
          return fit;
      }
      for (int b = a + 1; b < g->nsort; b++) { /* that have these in their lists */
        const size_t at = (size_t)b * (size_t)g->n + (size_t)own[0];
        memset(first + at, 0, (size_t)(own[1] - own[0]) * sizeof *first);
        memset(last + at, 0, (size_t)(own[1] - own[0]) * sizeof *last);
      }
    }
  work->used = used;
  return LIST_FITS;
}

/* Each molecule in four lanes. */
static void moved(const ListGrid *g, int begin, int end, const int32_t (*o)[4], const int32_t (*before)[4],
                  float top[2])
{
  enum { MOLECULES = FLOATS / 4 };
  vf h[3] = {{0}}, first = {0}, second = {0};
  for (int l = 0; l < FLOATS; l++)
    for (int e = 0; e < 3 && l % 4 < 3; e++)
      h[e][l] = g->h[e][l % 4];
  for (int i = begin; i < end; i += MOLECULES) {
    vuf now = {0}, then = {0};
    const size_t bytes = (end - i < MOLECULES ? (size_t)(end - i) : MOLECULES) * sizeof *o;
    if (bytes == sizeof now) {
      now = load(o[i]);
      then = load(before[i]);
    } else {
      memcpy(&now, o[i], bytes);
      memcpy(&then, before[i], bytes);
    }
    const vf u = __builtin_convertvector((vif)(now - then), vf);
    const vf d = VF_SHUFFLE(u, u, 0, 0, 0, 0) * h[0] + VF_SHUFFLE(u, u, 1, 1, 1, 1) * h[1] +
                 VF_SHUFFLE(u, u, 2, 2, 2, 2) * h[2];
    vf s = d * d;
    s += VF_SHUFFLE(s, s, 1, 0, 3, 2);
    s += VF_SHUFFLE(s, s, 2, 3, 0, 1);
    second = vf_max(second, vf_min(first, s));
    first = vf_max(first, s);
  }
  top[0] = top[1] = 0.0f;
  for (int l = 0; l < FLOATS; l += 4)
    for (int k = 0; k < 2; k++) {
      const float s = k == 0 ? first[l] : second[l];
      top[1] = s > top[0] ? top[0] : (s > top[1] ? s : top[1]);
      top[0] = s > top[0] ? s : top[0];
    }
}

const ListKernels ISA_SYMBOL(list_kernels_table) = {cells, moved};
