/* The distance tests of a neighbour list. All candidates of a cell are copied side by side and tested sixteen
 * at a time, whatever their cells. */
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
  int32_t *x, *y, *z, *place, *owner; /* owner: if pairs are hidden */
  int n, room;
  uint8_t *touched;
} Packed;

/* Adds places first..last-1; false: no room. Copies extend beyond the end. */
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
  for (int k = 0; k < n && g->owner != NULL; k += FLOATS)
    store(c->owner + c->n + k, load(g->owner + first + k));
  c->n += n;
  for (int b = first / LIST_BLOCK; b * LIST_BLOCK < last && n > 0; b++)
    c->touched[b] = 1;
  return true;
}

/* Cells z = from..from+n-1 of a column, modulo mz; 0 <= n <= mz, 0 <= from < mz. `starts`: of the sort. */
static bool add_cells(const ListGrid *g, const int32_t *starts, Packed *c, int column, int from, int n)
{
  const int mz = g->m[2];
  const int32_t *start = starts + (size_t)column * (size_t)mz;
  const int wrapped = from + n > mz ? from + n - mz : 0;
  return add_run(g, c, start[from], start[from + n - wrapped]) && add_run(g, c, start[0], start[wrapped]);
}

/* Candidates of a sort for the molecules in a cell. */
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

/* Places i..i + n - 1 that share a list. */
typedef struct Block {
  int i, n;
  int nowner;
  int32_t owner[LIST_SHARE]; /* each once */
} Block;

/* Whether two places are hidden from each other. */
static bool hides(const ListGrid *g, int i, int j)
{
  if (g->owner == NULL || g->owner[i] != g->owner[j])
    return false;
  const int other = g->order[j], end = g->begin[g->order[i] + 1];
  int k = g->begin[g->order[i]];
  while (k < end && g->hidden[k] != other)
    k++;
  return k < end;
}

/* Marks entries j[from..to-1] that do not pair with all of a block, and removes those that pair with none;
 * returns the new number. A pair within the block belongs to the earlier place. */
static __attribute__((noinline)) int settle(const ListGrid *g, const Block *block, int32_t *j, int from,
                                            int to)
{
  int n = from;
  for (int k = from; k < to; k++) {
    const int place = j[k];
    uint32_t marks = 0;
    for (int p = block->i; p < block->i + block->n; p++)
      if ((place >= block->i && place <= p) || hides(g, p, place))
        marks |= 1u << (p - block->i);
    if (marks != (1u << block->n) - 1u)
      j[n++] = (int32_t)((uint32_t)place | marks << LIST_MARK);
  }
  return n;
}

/* Bits 0..n-1; n is at most the lanes of a register. */
VEC_INLINE unsigned first_bits(int n) { return n < FLOATS ? (1u << n) - 1u : ~0u; }

/* The list of a block from candidates `from` on, the first `own` of which may be its own places. n is that of
 * the block. `alone`: no partner is hidden from it. */
VEC_INLINE int test(const ListGrid *g, float limit2, const Packed *c, const Block *block, const int n,
                    int from, int own, const bool alone, const bool oblique, int32_t *out)
{
  const vf sx = vf_set(g->h[0][0]), sy = vf_set(g->h[1][1]), sz = vf_set(g->h[2][2]);
  const vf limit = vf_set(limit2);
  vuf at[LIST_SHARE][3];
  int found = 0;
  UNROLL
  for (int m = 0; m < n; m++)
    UNROLL
  for (int e = 0; e < 3; e++)
    at[m][e] = (vuf){0} + (uint32_t)g->at[e][block->i + m];
  const int32_t *const px = c->x, *const py = c->y, *const pz = c->z, *const place = c->place;
  const int end = c->n;
  for (int k = from; k < end; k += FLOATS) {
    const vuf x = load(px + k), y = load(py + k), z = load(pz + k);
    vfm close;
    UNROLL
    for (int m = 0; m < n; m++) {
      vf d[3] = {__builtin_convertvector((vif)(x - at[m][0]), vf),
                 __builtin_convertvector((vif)(y - at[m][1]), vf),
                 __builtin_convertvector((vif)(z - at[m][2]), vf)};
      d[0] *= sx;
      if (oblique) {
        d[0] += d[1] * vf_set(g->h[1][0]) + d[2] * vf_set(g->h[2][0]);
        d[1] = d[1] * sy + d[2] * vf_set(g->h[2][1]);
      } else
        d[1] *= sy;
      d[2] *= sz;
      if (oblique && g->images.n > 0)
        images_floats(&g->images, d);
      const vfm near = vfm_below(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], limit);
      close = m == 0 ? near : (vfm)(close | near);
    }
    const unsigned listed = vfm_bits(close) & first_bits(end - k);
    const int before = found;
    found += vif_compress(out + found, (vif)load(place + k), listed);
    if (alone)
      continue;
    unsigned same = k - from < own ? listed : 0;
    if (g->owner != NULL)
      for (int m = 0; m < block->nowner; m++)
        same |= vfm_bits(vfm_equal((vif)load(c->owner + k), block->owner[m]));
    if ((same & listed) != 0)
      found = settle(g, block, out, before, found);
  }
  return found;
}

/* The number of places from i on, before `end`, that share a list. */
static int together(const ListGrid *g, float limit, int i, int end)
{
  int n = 1;
  for (; n < LIST_SHARE && i + n < end; n++) {
    vf d[3];
    for (int e = 0; e < 3; e++)
      d[e] = (vf){0} + (float)(int32_t)((uint32_t)g->at[e][i + n] - (uint32_t)g->at[e][i]);
    float r2 = 0.0f;
    for (int e = 0; e < 3; e++) {
      const float r = d[0][0] * g->h[0][e] + d[1][0] * g->h[1][e] + d[2][0] * g->h[2][e];
      r2 += r * r;
    }
    if (r2 > (float)(LIST_TOGETHER * LIST_TOGETHER) * limit)
      break;
  }
  return n;
}

/* Divides places i..end-1, a cell of sort a, into blocks. */
static void share_out(const ListGrid *g, int a, int i, int end)
{
  const bool shares = g->shares != NULL && g->shares[a];
  while (i < end && shares) {
    const int n = together(g, g->reach[a * g->nsort + a].limit, i, end);
    memset(g->share + i, 0, (size_t)n);
    g->share[i] = (uint8_t)n;
    i += n;
  }
}

static Block block_of(const ListGrid *g, int i)
{
  Block b = {.i = i, .n = g->share[i]};
  for (int m = 0; m < b.n && g->owner != NULL; m++) {
    int k = 0;
    while (k < b.nowner && b.owner[k] != g->owner[i + m])
      k++;
    b.owner[k] = g->owner[i + m];
    b.nowner += k == b.nowner;
  }
  return b;
}

/* Writes the list of a block for one sort, from candidates `from` on, to `out`. */
VEC_INLINE int list_of(const ListGrid *g, float limit, const Packed *c, const Block *b, int from, int own,
                       const bool oblique, int32_t *out)
{
  switch (b->n) {
  case 1:
    return own == 0 && g->owner == NULL ? test(g, limit, c, b, 1, from, 0, true, oblique, out)
                                        : test(g, limit, c, b, 1, from, own, false, oblique, out);
  case 2:
    return test(g, limit, c, b, 2, from, own, false, oblique, out);
  case 3:
    return test(g, limit, c, b, 3, from, own, false, oblique, out);
  }
  return test(g, limit, c, b, 4, from, own, false, oblique, out);
}

/* Places of sort a in a cell with those of sort b. */
static ListFit pairs(const ListGrid *g, int cell, int a, int b, Packed *c, int32_t *first, int32_t *last,
                     ListWork *work, int *entries)
{
  const int32_t *const own = g->start + (size_t)a * (size_t)g->ncell + cell;
  const ListReach *const reach = &g->reach[a * g->nsort + b];
  const int n = own[1] - own[0];
  const uint32_t fill = g->shares != NULL && g->shares[a] ? ~(uint32_t)LIST_PLACE : 0;
  int used = *entries;
  if (!gather(g, reach, g->start + (size_t)b * (size_t)g->ncell, cell, c))
    return LIST_ROOM;
  if ((int64_t)n * (c->n + LIST_PAD) + LIST_PAD > work->capacity - used)
    return LIST_CAPACITY;
  for (int i = own[0]; i < own[1];) {
    const Block block = block_of(g, i);
    const int from = a == b ? i - own[0] + 1 : 0, inside = a == b ? block.n - 1 : 0;
    const int found = g->oblique ? list_of(g, reach->limit, c, &block, from, inside, true, work->j + used)
                                 : list_of(g, reach->limit, c, &block, from, inside, false, work->j + used);
    first[i] = used;
    last[i] = used + found;
    for (int m = 1; m < block.n; m++)
      first[i + m] = last[i + m] = 0;
    for (int k = 0; k < LIST_PAD; k += FLOATS)
      store(work->j + used + found + k, (vuf){0} + ((uint32_t)i | fill));
    used += (found + LIST_PAD - 1) / LIST_PAD * LIST_PAD;
    i += block.n;
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
              .owner = work->candidate + 4 * (size_t)work->room,
              .room = work->room,
              .touched = work->touched};
  int used = 0;
  for (int cell = begin; cell < end; cell++)
    for (int a = 0; a < g->nsort; a++) {
      const int32_t *const own = g->start + (size_t)a * (size_t)g->ncell + cell;
      if (own[0] == own[1])
        continue;
      share_out(g, a, own[0], own[1]);
      for (int b = 0; b <= a; b++) {
        const size_t at = (size_t)b * (size_t)g->n;
        const ListFit fit = pairs(g, cell, a, b, &c, first + at, last + at, work, &used);
        if (fit != LIST_FITS)
          return fit;
      }
      for (int b = a + 1; b < g->nsort; b++) { /* sorts whose lists contain these */
        const size_t at = (size_t)b * (size_t)g->n + (size_t)own[0];
        memset(first + at, 0, (size_t)(own[1] - own[0]) * sizeof *first);
        memset(last + at, 0, (size_t)(own[1] - own[0]) * sizeof *last);
      }
    }
  work->used = used;
  return LIST_FITS;
}

/* Each molecule uses four lanes. */
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
