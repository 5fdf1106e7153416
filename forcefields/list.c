#include "forcefields/list_private.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MOLECULES = 12 /* the least number in a chunk */ };

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const ListOptions *o, int n, Error *error)
{
  if (n < 1)
    return error_set(error, STATUS_INPUT, "a neighbour list needs at least one molecule, not %d", n);
  const int npair = o->sorts != NULL ? o->sorts->n * o->sorts->n : 1;
  for (int k = 0; k < npair; k++) {
    const double cutoff = o->sorts != NULL ? o->sorts->cutoff[k] : o->cutoff,
                 buffer = o->sorts != NULL ? o->sorts->buffer[k] : o->buffer;
    if (!(cutoff > 0.0 && isfinite(cutoff) && buffer >= 0.0 && isfinite(buffer)))
      return error_set(error, STATUS_INPUT,
                       "a neighbour list needs a positive cutoff and a buffer of 0 or more, not %g and %g A",
                       cutoff, buffer);
    if (o->sorts == NULL) /* else the nearest image may be enough */
      TRY(box_check(o->box, cutoff, "cutoff of a neighbour list", error));
  }
  if (box_volume(o->box) == 0.0)
    return error_set(error, STATUS_INPUT, "a neighbour list needs a box that is periodic in x, y and z");
  return isa_check(o->isa, error);
}

/* Molecules hidden from each other get one owner: the least number that leads to all of them. */
static void find_owners(List *list)
{
  const ListSorts *const s = &list->sorts;
  for (int i = 0; i < list->view.n; i++)
    list->owner[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < list->view.n; i++)
      for (int k = s->begin[i]; k < s->begin[i + 1]; k++) {
        int32_t *const own = &list->owner[i], other = list->owner[s->hidden[k]];
        changed |= other < *own;
        *own = other < *own ? other : *own;
      }
  }
}

static Status allocate(List *list, Error *error)
{
  const size_t n = (size_t)list->view.n, nsort = (size_t)list->sorts.n;
  list->between = calloc(nsort * nsort, sizeof *list->between);
  list->far = calloc(nsort * nsort, sizeof *list->far);
  list->top = calloc(2 * LIST_CHUNKS * nsort, sizeof *list->top);
  list->edges = list_cells_integers(2 * LIST_CHUNKS * nsort);
  TRY_MEMORY(list->between != NULL && list->far != NULL && list->top != NULL && list->edges != NULL,
             "a neighbour list", error);
  list->grid.reach = list->far;
  if (list->sorts.hidden != NULL) {
    list->owner = list_cells_integers(n);
    list->owner_at = list_cells_integers(n + LIST_SLACK);
    TRY_MEMORY(list->owner != NULL && list->owner_at != NULL, "a neighbour list", error);
    find_owners(list);
    list->grid.owner = list->owner_at;
    list->grid.begin = list->sorts.begin;
    list->grid.hidden = list->sorts.hidden;
  }
  list->cell = list_cells_integers(n);
  list->order = list_cells_integers(n);
  list->place = list_cells_integers(n);
  list->by_column = list_cells_integers(n);
  list->begin = list_cells_integers(nsort * n);
  list->end = list_cells_integers(nsort * n);
  list->at = list_cells_integers(3 * (n + LIST_SLACK));
  list->before = calloc(n > 0 ? n : 1, sizeof *list->before);
  list->share = malloc(n > 0 ? n : 1);
  const size_t nblock = ((size_t)list_blocks(list->view.n) + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
  list->touched = aligned_alloc(TEAM_LINE, nblock * (size_t)list->view.nchunk);
  TRY_MEMORY(list_cells_make(list) && list->cell != NULL && list->order != NULL && list->place != NULL &&
                 list->by_column != NULL && list->begin != NULL && list->end != NULL && list->at != NULL &&
                 list->before != NULL && list->share != NULL && list->touched != NULL,
             "a neighbour list", error);
  for (int k = 0; k < list->view.nchunk; k++) {
    list->chunk[k].touched = list->work[k].touched = list->touched + (size_t)k * nblock;
    list->chunk[k].first = list->edges + (size_t)(2 * k) * nsort;
    list->chunk[k].last = list->edges + (size_t)(2 * k + 1) * nsort;
  }
  list->grid.n = list->view.n;
  list->grid.nsort = list->view.nsort = list->sorts.n;
  memset(list->share, 1, n);
  list->grid.shares = list->sorts.share;
  list->grid.share = list->share;
  list->view.share = list->share;
  list->grid.order = list->order;
  for (size_t d = 0; d < 3; d++)
    list->grid.at[d] = list->at + d * (n + LIST_SLACK);
  list->view.order = list->order;
  list->view.place = list->place;
  list->view.begin = list->begin;
  list->view.end = list->end;
  list->view.chunk = list->chunk;
  return STATUS_OK;
}

/* If possible a multiple of 16, which most teams can share evenly. */
static int count_chunks(int n)
{
  const int wanted = n / CHUNK_MOLECULES, even = wanted < 16 ? wanted : wanted / 16 * 16;
  return even > LIST_CHUNKS ? LIST_CHUNKS : (even > 1 ? even : 1);
}

static Status look_at_box(List *list, Error *error)
{
  ListGrid *const g = &list->grid;
  const Box *const box = list->options.box;
  g->oblique = box_oblique(box);
  for (int k = 0; k < 9; k++)
    g->h[k / 3][k % 3] = (float)(box->h[k / 3][k % 3] / 4294967296.0);
  double radius[2];
  list_cells_radii(list, radius);
  return images_find(&g->images, box, radius[1] * LIST_SAFETY, 1.0, error);
}

Status list_create(List **out, const ListOptions *options, int n, Error *error)
{
  *out = NULL;
  TRY(check(options, n, error));
  List *list = calloc(1, sizeof *list);
  TRY_MEMORY(list != NULL, "a neighbour list", error);
  static const ListKernels *const kernels[ISA_COUNT] = ISA_TABLES(list_kernels_table);
  list->options = *options;
  list->sorts = options->sorts != NULL
                    ? *options->sorts
                    : (ListSorts){.n = 1, .cutoff = &list->options.cutoff, .buffer = &list->options.buffer};
  list->kernel = kernels[options->isa];
  list->view.n = n;
  list->view.nchunk = count_chunks(n);
  TRY_ELSE(look_at_box(list, error), list_free(list));
  TRY_ELSE(allocate(list, error), list_free(list));
  *out = list;
  return STATUS_OK;
}

void list_free(List *list)
{
  if (list == NULL)
    return;
  for (int c = 0; c < LIST_CHUNKS; c++) {
    free(list->work[c].candidate);
    free(list->work[c].j);
  }
  free(list->cell);
  free(list->order);
  free(list->place);
  free(list->by_column);
  tally_free(&list->tally);
  free(list->begin);
  free(list->end);
  free(list->start);
  free(list->at);
  free(list->before);
  free(list->share);
  for (int k = 0; k < list->sorts.n * list->sorts.n && list->between != NULL; k++)
    free(list->between[k].run);
  free(list->between);
  free(list->far);
  free(list->top);
  free(list->edges);
  free(list->owner);
  free(list->owner_at);
  free(list->reached);
  free(list->touched);
  free(list);
}

/* --- staleness ------------------------------------------------------------------------------------------ */

/* The two largest of four numbers. */
static void join(float top[2], const float other[2])
{
  const float least = top[0] < other[0] ? top[0] : other[0];
  top[0] = top[0] < other[0] ? other[0] : top[0];
  top[1] = top[1] < other[1] ? other[1] : top[1];
  top[1] = top[1] < least ? least : top[1];
}

/* The two largest squared displacements of each sort since the last build, to the nearest images, A^2, of
 * molecules first..last-1. */
static void look(const List *list, int first, int last, const int32_t (*o)[4], float (*top)[2])
{
  memset(top, 0, (size_t)list->sorts.n * sizeof *top);
  for (int i = first, end = first; i < last; i = end) {
    const int sort = list_sort(list, i);
    float own[2];
    while (end < last && list_sort(list, end) == sort)
      end++;
    list->kernel->moved(&list->grid, i, end, o, (const int32_t(*)[4])list->before, own);
    join(top[sort], own);
  }
}

/* Whether a pair may be missing. */
static bool stale(List *list, const Team *team, const int32_t (*o)[4])
{
  const int nshare = team->size < LIST_CHUNKS ? team->size : LIST_CHUNKS, nsort = list->sorts.n;
  float(*const top)[2] = list->top + (ptrdiff_t)(team_phase(team) % 2) * LIST_CHUNKS * nsort;
  if (team->rank < nshare) {
    int first, last;
    team_share(list->view.n, team->rank, nshare, &first, &last);
    look(list, first, last, o, top + (ptrdiff_t)team->rank * nsort);
  }
  team_barrier(team);
  for (int a = 0; a < nsort; a++)
    for (int b = 0; b <= a; b++) {
      float most[2][2] = {{0}};
      for (int k = 0; k < nshare; k++) {
        join(most[0], top[k * nsort + a]);
        if (a != b)
          join(most[1], top[k * nsort + b]);
      }
      const double moved = sqrt((double)most[0][0]) + sqrt((double)(a == b ? most[0][1] : most[1][0]));
      if (!(moved <= list->between[a * nsort + b].limit))
        return true;
    }
  return false;
}

Status list_update(List *list, const Team *team, const int32_t (*o)[4], Error *error)
{
  /* Lists reach 1e-5 of the radius further than required, to cover the rounding of displacements. */
  if (list->made && !stale(list, team, o))
    return STATUS_OK;
  const bool sound = list_build(list, team, o);
  if (team_least(team, sound) != 0)
    return STATUS_OK;
  team_barrier(team); /* a rare path */
  if (team->rank == 0)
    list->made = false;
  team_barrier(team);
  return error_memory(error, "the entries of a neighbour list");
}

/* The least factor by which vectors change from one box to another with constant fractions: the least
 * singular value of M = h0^-1 h, from M M'. */
static double least_stretch(const Box *from, const Box *to)
{
  double m[3][3] = {{0.0}}, square[9] = {0.0}, value[3];
  for (int k = 0; k < 27; k++)
    m[k / 9][k % 3] += from->inverse[k / 9][k / 3 % 3] * to->h[k / 3 % 3][k % 3];
  for (int k = 0; k < 27; k++)
    square[k / 9 * 3 + k % 3] += m[k / 9][k / 3 % 3] * m[k % 3][k / 3 % 3];
  return LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', 3, square, 3, value) == 0 ? sqrt(fmax(value[0], 0.0))
                                                                             : 0.0;
}

/* Pairs that are not listed were beyond the radius, and are now beyond the radius times the least stretch. */
Status list_set_box(List *list, Error *error)
{
  const double stretch = least_stretch(&list->box, list->options.box);
  TRY(look_at_box(list, error));
  for (int p = 0; p < list->sorts.n * list->sorts.n; p++)
    list->between[p].limit = list_cells_radius(list, p) * stretch - list->sorts.cutoff[p];
  return STATUS_OK;
}

void list_forget(List *list) { list->made = false; }

const ListView *list_view(const List *list) { return &list->view; }

/* The next chunk of a member of a deal, as in team_deal_take, or -1; left[threads] its remaining range. */
static int next_chunk(int (*left)[2], int member, int threads)
{
  if (left[member][0] < left[member][1])
    return left[member][0]++;
  for (int bit = 1; bit < threads; bit *= 2) {
    const int other = member ^ bit;
    if (other < threads && left[other][0] < left[other][1])
      return --left[other][1];
  }
  return -1;
}

/* The least busy thread that has not ended (-1), or -1. */
static int first_free(const int64_t *busy, int threads)
{
  int first = -1;
  for (int t = 0; t < threads; t++)
    if (busy[t] >= 0 && (first < 0 || busy[t] < busy[first]))
      first = t;
  return first;
}

double list_imbalance(const List *list, int threads)
{
  int left[TEAM_HANDS][2];
  int64_t busy[TEAM_HANDS], all = 0, most = 0;
  threads = threads < TEAM_HANDS ? threads : TEAM_HANDS;
  for (int t = 0; t < threads; t++) {
    team_share(list->view.nchunk, t, threads, &left[t][0], &left[t][1]);
    busy[t] = 0;
  }
  for (int own; (own = first_free(busy, threads)) >= 0;) {
    const int c = next_chunk(left, own, threads);
    busy[own] = c >= 0 ? busy[own] + list->chunk[c].n : -1;
    all += c >= 0 ? list->chunk[c].n : 0;
    most = busy[own] > most ? busy[own] : most;
  }
  return all > 0 ? (double)most * threads / (double)all : 1.0;
}
