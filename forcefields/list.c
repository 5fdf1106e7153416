#include "forcefields/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/list_kernels.h"

enum {
  CHUNK_MOLECULES = 12, /* that a chunk should have at least */
  SIDE_MAX = 1000,      /* cells along a side */
  SLACK = 16            /* that copies may read over */
};

static const double safety = 1.0 + 1e-5; /* of the radius: the tests are in float */

struct List {
  ListOptions options;
  const ListKernels *kernel;
  ListView view;
  ListGrid grid;
  double length[3]; /* of the box that the cells are for */
  double limit;     /* how far two molecules may move together before a pair is missing, A */
  int ncell, ncolumn;
  int threads; /* that there is room for counts of: those of the largest team so far */
  bool made;
  int32_t *cell, *order, *place, *begin, *end, *start, *at; /* at[3][n + SLACK] */
  int32_t *by_column;    /* [n] molecules by column, in a column by number */
  int32_t *count, *next; /* [threads][ncolumn] of a thread's molecules: how many; where the next one goes */
  int32_t (*before)[4];
  ListColumn *column;
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
  for (int d = 0; d < 3; d++)
    if (!(box_length(o->box, d) >= 2.0 * o->cutoff && isfinite(box_length(o->box, d))))
      return error_set(
          error, STATUS_INPUT,
          "the box is %g A long in %c, which is less than twice the cutoff of %g A: take a larger box or "
          "a cutoff of at most %g A",
          box_length(o->box, d), "xyz"[d], o -> cutoff, 0.5 * box_length(o->box, d));
  return isa_check(o->isa, error);
}

static double radius_of(const List *list) { return list->options.cutoff + list->options.buffer; }

/* Cells of half the radius or more, and not many more of them than molecules. */
static void choose_cells(List *list)
{
  const Box *box = list->options.box;
  const double radius = radius_of(list);
  const double thin = cbrt(box_volume(box) / (8.0 * list->view.n));
  const double edge = fmax(0.5 * radius, thin);
  list->ncell = 1;
  list->ncolumn = 1;
  for (int d = 0; d < 3; d++) {
    const int m = (int)fmin(SIDE_MAX, box_length(box, d) / edge);
    list->grid.m[d] = m > 1 ? m : 1;
    list->length[d] = box_length(box, d);
    list->grid.scale[d] = (float)(list->length[d] / 4294967296.0);
    list->ncell *= list->grid.m[d];
    list->ncolumn *= d < 2 ? list->grid.m[d] : 1;
  }
  list->grid.limit = (float)(radius * radius * safety * safety);
}

/* Cells that are `offset` cells further, round the box, are this far apart at least, squared. */
static double gap(const List *list, int d, int offset)
{
  const int m = list->grid.m[d], nearest = offset < m - offset ? offset : m - offset;
  const double edge = list->length[d] / m;
  return nearest > 1 ? (nearest - 1) * edge * ((nearest - 1) * edge) : 0.0;
}

/* Half of the columns in reach: of an offset and its opposite one, the smaller. Fills column unless NULL;
 * returns their number. Cells can be reached both ways round a small box; offsets modulo m name each once. */
static int make_columns(const List *list, ListColumn *column)
{
  const int *m = list->grid.m;
  const double limit = (double)list->grid.limit * safety;
  int n = 0;
  for (int dx = 0; dx < m[0]; dx++)
    for (int dy = 0; dy < m[1]; dy++) {
      const int bx = (m[0] - dx) % m[0], by = (m[1] - dy) % m[1];
      const double near = gap(list, 0, dx) + gap(list, 1, dy);
      if (near > limit || bx < dx || (bx == dx && by < dy))
        continue;
      int reach = 0;
      while (reach < m[2] / 2 && near + gap(list, 2, reach + 1) <= limit)
        reach++;
      if (column != NULL)
        column[n] = (ListColumn){dx, dy, reach, bx == dx && by == dy};
      n++;
    }
  return n;
}

/* Memory that is not touched yet: the threads that work on it write it first. */
static int32_t *integers(size_t n) { return calloc(n > 0 ? n : 1, sizeof(int32_t)); }

/* For the box as it is; false: no memory, and the next time it is tried again. */
static bool make_cells(List *list)
{
  choose_cells(list);
  free(list->start);
  free(list->column);
  list->threads = 0; /* counts were of other columns */
  list->grid.ncolumn = make_columns(list, NULL);
  list->grid.start = list->start = integers((size_t)list->ncell + 1);
  list->grid.column = list->column = calloc((size_t)list->grid.ncolumn + 1, sizeof *list->column);
  if (list->start == NULL || list->column == NULL) {
    list->length[0] = 0.0;
    return false;
  }
  (void)make_columns(list, list->column);
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
  list->view.nchunk = count_chunks(n);
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
  free(list->column);
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
  bool same = true;
  for (int d = 0; d < 3; d++)
    same = same && list->length[d] == box_length(list->options.box, d);
  if (same)
    return true;
  team_barrier(team); /* all have asked before one answers */
  if (team->rank == 0)
    (void)make_cells(list);
  team_barrier(team);
  return list->length[0] != 0.0;
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

/* What is not listed was further apart than the radius, and is now than the radius times the least stretch.
 */
void list_set_box(List *list)
{
  double stretch = INFINITY;
  for (int d = 0; d < 3; d++) {
    const double length = box_length(list->options.box, d);
    stretch = fmin(stretch, length / list->length[d]);
    list->grid.scale[d] = (float)(length / 4294967296.0);
  }
  list->limit = radius_of(list) * stretch - list->options.cutoff;
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
