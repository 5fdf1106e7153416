#include "forcefields/list.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/list_kernels.h"

enum {
  CHUNK_MOLECULES = 12, /* that a chunk should have at least */
  SIDE_MAX = 1000,      /* cells along a side */
  SLACK = 16            /* that copies may read over */
};

enum { REACHED = 1, REACHED_TWIN }; /* an offset; one that is its own opposite */

static const double safety = 1.0 + 1e-5; /* of the radius: the tests are in float */

struct List {
  ListOptions options;
  const ListKernels *kernel;
  ListView view;
  ListGrid grid;
  Box box;      /* that the cells are for */
  double limit; /* how far two molecules may move together before a pair is missing, A */
  int ncell, ncolumn;
  int threads; /* that there is room for counts of: those of the largest team so far */
  bool made;
  int32_t *cell, *order, *place, *begin, *end, *start, *at; /* at[3][n + SLACK] */
  int32_t *by_column;    /* [n] molecules by column, in a column by number */
  int32_t *count, *next; /* [threads][ncolumn] of a thread's molecules: how many; where the next one goes */
  int32_t (*before)[4];
  ListRun *run;
  uint8_t *reached; /* [ncell + ncolumn] offsets of cells, then those of columns: see reach */
  uint8_t *touched; /* [chunks][list_blocks(n)], chunks on lines of their own */
  ListChunk chunk[LIST_CHUNKS];
  ListWork work[LIST_CHUNKS];
  float top[2][LIST_CHUNKS][2]; /* the largest squared displacements in shares of the molecules, in turn */
};

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const ListOptions *o, int n, Error *error)
{
  if (n < 1)
    return error_set(error, STATUS_INPUT, "a neighbour list needs at least one molecule, not %d", n);
  if (!(o->cutoff > 0.0 && isfinite(o->cutoff) && o->buffer >= 0.0 && isfinite(o->buffer)))
    return error_set(error, STATUS_INPUT,
                     "a neighbour list needs a positive cutoff and no negative buffer, not %g and %g A",
                     o->cutoff, o->buffer);
  TRY(box_check(o->box, o->cutoff, "cutoff of a neighbour list", error));
  if (box_volume(o->box) == 0.0)
    return error_set(error, STATUS_INPUT, "a neighbour list wants a box that is closed in x, y and z");
  return isa_check(o->isa, error);
}

static double radius_of(const List *list) { return list->options.cutoff + list->options.buffer; }

/* Cells of half the radius or more between their faces, and not many more of them than molecules. */
static void choose_cells(List *list)
{
  const Box *box = list->options.box;
  const double radius = radius_of(list);
  const double thin = cbrt(box_volume(box) / (8.0 * list->view.n));
  const double edge = fmax(0.5 * radius, thin);
  list->box = *box;
  list->ncell = 1;
  list->ncolumn = 1;
  for (int d = 0; d < 3; d++) {
    const int m = (int)fmin(SIDE_MAX, box_height(box, d) / edge);
    list->grid.m[d] = m > 1 ? m : 1;
    list->ncell *= list->grid.m[d];
    list->ncolumn *= d < 2 ? list->grid.m[d] : 1;
  }
  list->grid.limit = (float)(radius * radius * safety * safety);
}

/* Notes an offset modulo the numbers of cells, or its opposite: the one with the smaller number. */
static void reach(List *list, const int offset[3])
{
  int own = 0, other = 0;
  for (int d = 0; d < 3; d++) {
    const int m = list->grid.m[d], at = (offset[d] % m + m) % m;
    own = own * m + at;
    other = other * m + (m - at) % m;
  }
  const int first = own < other ? own : other;
  list->reached[first] = own == other ? REACHED_TWIN : REACHED;
  list->reached[list->ncell + first / list->grid.m[2]] = REACHED;
}

/* All offsets by which cells have points within the radius, but for that to the own cell. */
static void reach_all(List *list)
{
  const double limit = (double)list->grid.limit * safety;
  int most[3], at[3];
  for (int d = 0; d < 3; d++)
    most[d] = (int)(1.0 + list->grid.m[d] * sqrt(limit) / box_height(&list->box, d));
  memset(list->reached, 0, (size_t)list->ncell + (size_t)list->ncolumn);
  for (at[0] = 0; at[0] <= most[0]; at[0]++)
    for (at[1] = at[0] > 0 ? -most[1] : 0; at[1] <= most[1]; at[1]++)
      for (at[2] = at[0] > 0 || at[1] > 0 ? -most[2] : 1; at[2] <= most[2]; at[2]++) {
        double low[3], high[3];
        for (int d = 0; d < 3; d++) {
          low[d] = (at[d] - 1.0) / list->grid.m[d];
          high[d] = (at[d] + 1.0) / list->grid.m[d];
        }
        if (images_least(&list->box, low, high) <= limit)
          reach(list, at);
      }
  list->reached[0] = 0;
}

/* The runs of column c, to `run` unless NULL; returns how many. They may go round. */
static int make_column(const List *list, int c, ListRun *run)
{
  const int mz = list->grid.m[2], x = c / list->grid.m[1], y = c % list->grid.m[1];
  const uint8_t *const is = list->reached + (ptrdiff_t)c * mz;
  int n = 0, from = 0;
  while (from < mz && is[from] == REACHED) /* not into a run */
    from++;
  for (int k = 0, count = 0; k < mz; k++) {
    const int z = (from + k) % mz;
    count = is[z] != 0 ? count + 1 : 0;
    if (is[z] == 0 || (is[z] == REACHED && k + 1 < mz && is[(z + 1) % mz] == REACHED))
      continue;
    if (run != NULL)
      run[n] = (ListRun){x, y, (z - count + 1 + mz) % mz, count, is[z] == REACHED_TWIN};
    n++;
    count = 0;
  }
  return n;
}

static int make_runs(const List *list, ListRun *run)
{
  int n = 0;
  for (int c = 0; c < list->ncolumn; c++)
    if (list->reached[list->ncell + c] != 0)
      n += make_column(list, c, run != NULL ? run + n : NULL);
  return n;
}

/* Memory that is not touched yet: the threads that work on it write it first. */
static int32_t *integers(size_t n) { return calloc(n > 0 ? n : 1, sizeof(int32_t)); }

/* For the box as it is; false: no memory, and the next time it is tried again. */
static bool make_cells(List *list)
{
  choose_cells(list);
  free(list->start);
  free(list->run);
  free(list->reached);
  list->threads = 0; /* counts were of other columns */
  list->grid.start = list->start = integers((size_t)list->ncell + 1);
  list->reached = malloc((size_t)list->ncell + (size_t)list->ncolumn);
  list->run = NULL;
  if (list->reached != NULL) {
    reach_all(list);
    list->grid.nrun = make_runs(list, NULL);
    list->grid.run = list->run = calloc((size_t)list->grid.nrun + 1, sizeof *list->run);
  }
  if (list->start == NULL || list->run == NULL) {
    list->box = (Box){0};
    return false;
  }
  (void)make_runs(list, list->run);
  return true;
}

static Status allocate(List *list, Error *error)
{
  const size_t n = (size_t)list->view.n;
  list->cell = integers(n);
  list->order = integers(n);
  list->place = integers(n);
  list->by_column = integers(n);
  list->begin = integers(n);
  list->end = integers(n);
  list->at = integers(3 * (n + SLACK));
  list->before = calloc(n > 0 ? n : 1, sizeof *list->before);
  const size_t nblock = ((size_t)list_blocks(list->view.n) + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
  list->touched = aligned_alloc(TEAM_LINE, nblock * (size_t)list->view.nchunk);
  TRY_MEMORY(make_cells(list) && list->cell != NULL && list->order != NULL && list->place != NULL &&
                 list->by_column != NULL && list->begin != NULL && list->end != NULL && list->at != NULL &&
                 list->before != NULL && list->touched != NULL,
             "a neighbour list", error);
  for (int k = 0; k < list->view.nchunk; k++)
    list->chunk[k].touched = list->work[k].touched = list->touched + (size_t)k * nblock;
  for (size_t d = 0; d < 3; d++)
    list->grid.at[d] = list->at + d * (n + SLACK);
  list->view.order = list->order;
  list->view.place = list->place;
  list->view.begin = list->begin;
  list->view.end = list->end;
  list->view.chunk = list->chunk;
  return STATUS_OK;
}

/* A multiple of 16 where there are so many, which most teams can share evenly. */
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
  return images_find(&g->images, box, radius_of(list) * safety, 1.0, error);
}

Status list_create(List **out, const ListOptions *options, int n, Error *error)
{
  *out = NULL;
  TRY(check(options, n, error));
  List *list = calloc(1, sizeof *list);
  TRY_MEMORY(list != NULL, "a neighbour list", error);
  static const ListKernels *const kernels[ISA_COUNT] = ISA_TABLES(list_kernels_table);
  list->options = *options;
  list->kernel = kernels[options->isa];
  list->view.n = n;
  list->view.buffer = options->buffer;
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
  free(list->count);
  free(list->next);
  free(list->begin);
  free(list->end);
  free(list->start);
  free(list->at);
  free(list->before);
  free(list->run);
  free(list->reached);
  free(list->touched);
  free(list);
}

/* --- building -------------------------------------------------------------------------------------------
 * Molecules are sorted by cell, in a cell by number: first by columns of cells along z, each thread its share
 * of the molecules, then within columns, each thread its share of those. */

/* Room for a team's counts; false: there is none. */
static bool keep_counts(List *list, const Team *team)
{
  if (team->size > list->threads) {
    team_barrier(team); /* all have asked before one answers */
    if (team->rank == 0) {
      free(list->count);
      free(list->next);
      list->count = integers((size_t)team->size * (size_t)list->ncolumn);
      list->next = integers((size_t)team->size * (size_t)list->ncolumn);
      list->threads = list->count != NULL && list->next != NULL ? team->size : 0;
    }
    team_barrier(team);
  }
  return team->size <= list->threads;
}

static void count_columns(List *list, const Team *team, const int32_t (*o)[4])
{
  const int *m = list->grid.m;
  int32_t *count = list->count + (ptrdiff_t)team->rank * list->ncolumn;
  int begin, end;
  team_range(team, list->view.n, &begin, &end);
  memset(count, 0, (size_t)list->ncolumn * sizeof *count);
  for (int i = begin; i < end; i++) {
    int at[3];
    for (int d = 0; d < 3; d++)
      at[d] = (int)((uint64_t)(uint32_t)o[i][d] * (uint64_t)m[d] >> 32);
    const int column = at[0] * m[1] + at[1];
    list->cell[i] = column * m[2] + at[2];
    count[column]++;
  }
  memcpy(list->before + begin, o + begin, (size_t)(end - begin) * sizeof *o);
}

/* Puts this thread's molecules behind those of the same column that threads before it have. */
static void sort_columns(List *list, const Team *team)
{
  const int ncolumn = list->ncolumn, mz = list->grid.m[2];
  int32_t *next = list->next + (ptrdiff_t)team->rank * ncolumn;
  int begin, end, at = 0;
  for (int c = 0; c < ncolumn; c++) {
    next[c] = at;
    for (int r = 0; r < team->size; r++) {
      const int n = list->count[(ptrdiff_t)r * ncolumn + c];
      next[c] += r < team->rank ? n : 0;
      at += n;
    }
  }
  team_range(team, list->view.n, &begin, &end);
  for (int i = begin; i < end; i++)
    list->by_column[next[list->cell[i] / mz]++] = i;
}

/* Of places first..last-1, a column: sorts them by cell; start[m[2]] are the cells' first places. */
static void sort_cells(List *list, int first, int last, int32_t *start, const int32_t (*o)[4])
{
  const int mz = list->grid.m[2], from = (int)(start - list->start);
  const size_t step = (size_t)list->view.n + SLACK;
  memset(start, 0, (size_t)mz * sizeof *start);
  for (int k = first; k < last; k++)
    start[list->cell[list->by_column[k]] - from]++;
  for (int z = 0, at = first; z < mz; z++) {
    const int n = start[z];
    start[z] = at;
    at += n;
  }
  for (int k = first; k < last; k++) {
    const int i = list->by_column[k], p = start[list->cell[i] - from]++;
    list->order[p] = i;
    list->place[i] = p;
    for (size_t d = 0; d < 3; d++)
      list->at[d * step + (size_t)p] = o[i][d];
  }
  memmove(start + 1, start, (size_t)(mz - 1) * sizeof *start);
  start[0] = first;
}

/* This thread's columns: those whose first place is in its share of all places. The last thread's counts have
 * moved on to where columns end. */
static void sort_within(List *list, const Team *team, const int32_t (*o)[4])
{
  const int32_t *last = list->next + (ptrdiff_t)(team->size - 1) * list->ncolumn;
  const int n = list->view.n;
  int begin, end;
  team_range(team, n, &begin, &end);
  end += team->rank == team->size - 1; /* empty ones at the end */
  for (int c = 0; c < list->ncolumn; c++) {
    const int first = c > 0 ? last[c - 1] : 0;
    if (first >= begin && first < end)
      sort_cells(list, first, last[c], list->start + (ptrdiff_t)c * list->grid.m[2], o);
  }
  if (team->rank == 0)
    list->start[list->ncell] = n;
}

/* The first cell of chunk k: chunks are of whole cells and about as many molecules. */
static int first_cell(const List *list, int k)
{
  const int nchunk = list->view.nchunk, wanted = (int)((int64_t)list->view.n * k / nchunk);
  int low = 0, high = list->ncell;
  if (k == nchunk)
    return high;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (list->start[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* At least twice as large as it was; its contents are of no use. */
static bool grow(int32_t **data, int *size, int least, int arrays)
{
  if (*size > INT32_MAX / 2)
    return false;
  const int wanted = *size > 0 ? 2 * *size : least;
  free(*data);
  *data = malloc((size_t)wanted * (size_t)arrays * sizeof **data);
  *size = *data != NULL ? wanted : 0;
  return *data != NULL;
}

static bool fill_chunk(List *list, int k)
{
  ListWork *work = &list->work[k];
  ListChunk *chunk = &list->chunk[k];
  const int first = first_cell(list, k), last = first_cell(list, k + 1);
  memset(work->touched, 0, (size_t)list_blocks(list->view.n));
  chunk->first = list->start[first];
  chunk->last = list->start[last];
  ListFit fit = LIST_FITS;
  do {
    if ((work->room == 0 || fit == LIST_ROOM) && !grow(&work->candidate, &work->room, 512, 4))
      return false;
    if ((work->capacity == 0 || fit == LIST_CAPACITY) && !grow(&work->j, &work->capacity, 4096, 1))
      return false;
    fit = list->kernel->cells(&list->grid, first, last, list->begin, list->end, work);
  } while (fit != LIST_FITS);
  chunk->j = work->j;
  return true;
}

/* Cells of the present box; false: no memory. */
static bool keep_cells(List *list, const Team *team)
{
  if (box_same(&list->box, list->options.box))
    return true;
  team_barrier(team); /* all have asked before one answers */
  if (team->rank == 0)
    (void)make_cells(list);
  team_barrier(team);
  return box_periodic(&list->box);
}

/* Whether this thread's chunks are there. */
static bool build(List *list, const Team *team, const int32_t (*o)[4])
{
  if (!keep_cells(list, team) || !keep_counts(list, team))
    return false;
  count_columns(list, team, o);
  team_barrier(team);
  sort_columns(list, team);
  team_barrier(team);
  sort_within(list, team, o);
  team_barrier(team);
  int begin, end;
  bool sound = true;
  team_range(team, list->view.nchunk, &begin, &end);
  for (int k = begin; k < end; k++)
    sound &= fill_chunk(list, k);
  if (team->rank == 0) {
    list->made = true;
    list->limit = list->options.buffer;
    list->view.made++;
  }
  return sound;
}

/* --- staleness ------------------------------------------------------------------------------------------ */

/* The two largest displacements since the list was made, to the nearest images, together, A. */
static double moved(List *list, const Team *team, const int32_t (*o)[4])
{
  const int nshare = list->view.nchunk, n = list->view.n;
  float(*const top)[2] = list->top[team_phase(team) % 2];
  int begin, end;
  team_range(team, nshare, &begin, &end);
  for (int k = begin; k < end; k++) {
    int first, last;
    team_share(n, k, nshare, &first, &last);
    list->kernel->moved(&list->grid, first, last, o, (const int32_t(*)[4])list->before, top[k]);
  }
  team_barrier(team);
  double largest = 0.0, second = 0.0;
  for (int k = 0; k < nshare; k++)
    for (int t = 0; t < 2; t++) {
      const double s = (double)top[k][t];
      second = fmax(second, fmin(largest, s));
      largest = fmax(largest, s);
    }
  return sqrt(largest) + sqrt(second);
}

Status list_update(List *list, const Team *team, const int32_t (*o)[4], Error *error)
{
  /* Lists reach 1e-5 of the radius further than they need: the rounding of displacements. */
  if (list->made && moved(list, team, o) <= list->limit)
    return STATUS_OK;
  const bool sound = build(list, team, o);
  if (team_least(team, sound) != 0)
    return STATUS_OK;
  team_barrier(team); /* a rare path */
  if (team->rank == 0)
    list->made = false;
  team_barrier(team);
  return error_memory(error, "the entries of a neighbour list");
}

/* The least factor by which vectors change from one box to another where fractions stay: the least singular
 * value of M = h0^-1 h, from M M'. */
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

/* What is not listed was further apart than the radius, and is now than the radius times the least stretch.
 */
Status list_set_box(List *list, Error *error)
{
  const double stretch = least_stretch(&list->box, list->options.box), least = list->options.least;
  TRY(look_at_box(list, error));
  list->limit = radius_of(list) * stretch - list->options.cutoff;
  if (least > 0.0)
    list->limit = fmin(list->limit, (least + list->options.buffer) * stretch - least);
  return STATUS_OK;
}

void list_forget(List *list) { list->made = false; }

const ListView *list_view(const List *list) { return &list->view; }

double list_imbalance(const List *list, int threads)
{
  int64_t most = 0, all = 0;
  for (int t = 0; t < threads; t++) {
    int begin, end;
    int64_t own = 0;
    team_share(list->view.nchunk, t, threads, &begin, &end);
    for (int p = begin < end ? list->chunk[begin].first : 0; begin < end && p < list->chunk[end - 1].last;
         p++)
      own += (list->end[p] - list->begin[p] + LIST_PAD - 1) / LIST_PAD * LIST_PAD;
    most = own > most ? own : most;
    all += own;
  }
  return all > 0 ? (double)most * threads / (double)all : 1.0;
}
