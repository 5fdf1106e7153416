/* The list by buckets of partners, so that a register holds partners of one sort. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/sites_private.h"

void sites_part_places(Sites *s, const Team *team, const ListView *list)
{
  const Mixture *const m = &s->mixture;
  int begin, end;
  team_range(team, m->nmol, &begin, &end);
  for (int p = begin; p < end; p++)
    s->bucket[p] = (uint8_t)s->bucket_of[mixture_block(m, list->order[p])];
  for (int p = begin; p < end && s->type != NULL; p++)
    s->type[p] = m->atoms->type[list->order[p]];
}

bool sites_part_none(const Sites *s)
{
  return s->model.nbucket == 1 && s->atoms_float == NULL &&
         (s->mixture.atoms == NULL || s->mixture.atoms->nexcluded == 0);
}

static bool make_room(Parted *parted, size_t wanted, bool with)
{
  if (wanted <= parted->room)
    return true;
  free(parted->j);
  free(parted->with);
  parted->room = wanted + wanted / 4;
  parted->j = malloc(parted->room * sizeof *parted->j);
  parted->with = with ? malloc(parted->room * sizeof *parted->with) : NULL;
  const bool made = parted->j != NULL && (!with || parted->with != NULL);
  if (!made)
    parted->room = 0;
  return made;
}

/* Those of from[n] that are of bucket b go to `out`, the others to `rest`, which may be `from`. */
static int take_block(const Sites *s, int b, const int32_t *from, int n, int32_t *out, int32_t *rest)
{
  int taken = 0;
  if (s->model.nbucket == 1) {
    memcpy(out, from, (size_t)n * sizeof *out);
    return n;
  }
  for (int k = 0; k < n; k++) {
    const int32_t j = from[k];
    const bool is = s->bucket[j] == b;
    out[taken] = j;
    rest[k - taken] = j;
    taken += is;
  }
  return taken;
}

/* Of j[n], partners of place p, those that it sees, which stay; returns how many. */
static int drop_excluded(const Sites *s, const ListView *list, int p, int32_t *j, int n)
{
  const Atoms *const a = s->mixture.atoms;
  const int row = list->order[p], begin = a->begin[row], end = a->begin[row + 1];
  int kept = 0;
  if (begin == end)
    return n;
  for (int k = 0; k < n; k++) {
    const int other = list->order[j[k]];
    const bool near = other >= a->partner[begin] && other <= a->partner[end - 1];
    j[kept] = j[k];
    kept += !near || !atoms_excluded(a, row, other);
  }
  return kept;
}

/* The first site at a place, by the rows of either kind. */
static void find_place(const Sites *s, int p, double x[3])
{
  if (s->row != NULL) {
    memcpy(x, s->row + (size_t)p * s->model.stride, 3 * sizeof *x);
    return;
  }
  const int32_t *const o = (const int32_t *)((const char *)s->single_row + (size_t)p * s->single_bytes);
  for (int d = 0; d < 3; d++) {
    x[d] = 0.0;
    for (int e = s->model.oblique ? 2 : d; e >= d; e--)
      x[d] += s->model.box->h[e][d] * (0x1p-32 * o[e]);
  }
}

/* Of j[n], partners of place p, those no further than `far`, which stay; returns how many. Rows lie within
 * half the edges of the box. */
static int drop_far(const Sites *s, int p, double far, int32_t *j, int n)
{
  const Box *const box = s->model.box;
  const double limit = far * far * 1.00002; /* and rounding */
  double x[3];
  int kept = 0;
  find_place(s, p, x);
  for (int k = 0; k < n; k++) {
    double y[3], r[3], r2 = 0.0;
    find_place(s, j[k], y);
    if (s->model.oblique)
      r2 = box_distance(box, x, y, r);
    for (int d = 0; d < 3 && !s->model.oblique; d++) {
      const double apart = fabs(x[d] - y[d]), round = box->h[d][d] - apart;
      r2 += apart < round ? apart * apart : round * round;
    }
    j[kept] = j[k];
    kept += r2 <= limit;
  }
  return kept;
}

/* What bucket b takes of j[n], partners of place p of its own. */
static int choose(const Sites *s, const ListView *list, int p, int b, int32_t *j, int n)
{
  const double far = sqrt(s->model.pair[s->bucket[p] * s->model.nbucket + b].far2);
  if (s->made != SITES_PART_FAILED && far < s->list_cutoff) /* else atoms may have moved since */
    n = drop_far(s, p, far + list->buffer, j, n);
  return atoms_are(s->mixture.atoms, s->sample[b]) ? drop_excluded(s, list, p, j, n) : n;
}

void sites_part_chunk(Sites *s, const ListView *list, int c)
{
  const ListChunk *chunk = &list->chunk[c];
  Parted *const parted = &s->parted[c];
  const int nbucket = s->model.nbucket, pads = nbucket * LIST_PAD;
  int n = 0, longest = 0, wanted = 0;
  for (int p = chunk->first; p < chunk->last; p++) {
    const int found = list->end[p] - list->begin[p];
    wanted += found + pads;
    longest = found > longest ? found : longest;
  }
  parted->failed = !make_room(parted, (size_t)wanted + 2 * (size_t)(longest + pads), s->atoms_float != NULL);
  for (int p = chunk->first; p < chunk->last && !parted->failed; p++) {
    int left = list->end[p] - list->begin[p];
    int32_t *const rest = parted->j + n + left + pads; /* behind all of this place */
    for (int b = 0; b < nbucket; b++) {
      const size_t at = (size_t)b * (size_t)list->n + (size_t)p;
      const int taken =
          take_block(s, b, b == 0 ? chunk->j + list->begin[p] : rest, left, parted->j + n, rest);
      left -= taken;
      s->begin[at] = n;
      s->end[at] = n += choose(s, list, p, b, parted->j + n, taken);
      while (n % LIST_PAD != 0)
        parted->j[n++] = p;
    }
  }
  for (int k = 0; k < n && parted->with != NULL; k++)
    parted->with[k] = s->type[parted->j[k]] << ATOMS_FLOAT_SHIFT;
}
