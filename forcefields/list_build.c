/* Building a list.
 *
 * Molecules are sorted by cell, and within a cell by number. Threads first sort their share of the
 * molecules by columns of cells along z, then the columns of their share by cells. Each sort has cells and
 * columns of its own, after those of earlier sorts. */
#include <stdlib.h>
#include <string.h>

#include "forcefields/list_private.h"

static int columns_of(const List *list) { return list->sorts.n * list->ncolumn; }

/* Allocates a team's counts; false: out of memory. */
static bool keep_counts(List *list, const Team *team)
{
  if (team->size > list->tally.threads) {
    team_barrier(team); /* all have tested before one writes */
    if (team->rank == 0) {
      tally_free(&list->tally);
      if (!tally_create(&list->tally, columns_of(list), team->size))
        tally_free(&list->tally);
    }
    team_barrier(team);
  }
  return team->size <= list->tally.threads;
}

static void count_columns(List *list, const Team *team, const int32_t (*o)[4])
{
  const int *m = list->grid.m;
  int *const count = tally_begin(&list->tally, team);
  int begin, end;
  team_range(team, list->view.n, &begin, &end);
  for (int i = begin; i < end; i++) {
    int at[3];
    for (int d = 0; d < 3; d++)
      at[d] = (int)((uint64_t)(uint32_t)o[i][d] * (uint64_t)m[d] >> 32);
    const int column = list_sort(list, i) * list->ncolumn + at[0] * m[1] + at[1];
    list->cell[i] = column * m[2] + at[2];
    count[column]++;
  }
  tally_end(&list->tally, team);
  memcpy(list->before + begin, o + begin, (size_t)(end - begin) * sizeof *o);
}

/* Appends this thread's molecules to those of earlier threads in each column. */
static void sort_columns(List *list, const Team *team)
{
  const int mz = list->grid.m[2];
  tally_places(&list->tally, team);
  int *const next = tally_next(&list->tally, team->rank);
  int begin, end;
  team_range(team, list->view.n, &begin, &end);
  for (int i = begin; i < end; i++)
    list->by_column[next[list->cell[i] / mz]++] = i;
}

/* Sorts places first..last-1, a column, by cell; start[m[2]] are the first places of cells. */
static void sort_cells(List *list, int first, int last, int32_t *start, const int32_t (*o)[4])
{
  const int mz = list->grid.m[2], from = (int)(start - list->start);
  const size_t step = (size_t)list->view.n + LIST_SLACK;
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
    if (list->owner != NULL)
      list->owner_at[p] = list->owner[i];
    for (size_t d = 0; d < 3; d++)
      list->at[d * step + (size_t)p] = o[i][d];
  }
  memmove(start + 1, start, (size_t)(mz - 1) * sizeof *start);
  start[0] = first;
}

/* This thread's columns: those whose first place is in its share of all places. */
static void sort_within(List *list, const Team *team, const int32_t (*o)[4])
{
  const int *const at = tally_first(&list->tally, team->rank);
  const int n = list->view.n;
  int begin, end;
  team_range(team, n, &begin, &end);
  end += team->rank == team->size - 1; /* empty ones at the end */
  for (int c = 0; c < columns_of(list); c++) {
    if (at[c] >= begin && at[c] < end)
      sort_cells(list, at[c], at[c + 1], list->start + (ptrdiff_t)c * list->grid.m[2], o);
  }
  if (team->rank == 0)
    list->start[list->ncell * list->sorts.n] = n;
}

/* Places of a sort before a cell. */
static int before_cell(const List *list, int sort, int cell)
{
  const int32_t *const start = list->start + (ptrdiff_t)sort * list->ncell;
  return start[cell] - start[0];
}

/* The first cell of chunk k; chunks have whole cells and about equal numbers of molecules. */
static int first_cell(const List *list, int k)
{
  const int nchunk = list->view.nchunk, wanted = (int)((int64_t)list->view.n * k / nchunk);
  int low = 0, high = list->ncell;
  if (k == nchunk)
    return high;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    int before = 0;
    for (int s = 0; s < list->sorts.n; s++)
      before += before_cell(list, s, middle);
    if (before < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* At least doubles the size; the contents are lost. */
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
  for (int s = 0; s < list->sorts.n; s++) {
    const int32_t *const start = list->start + (ptrdiff_t)s * list->ncell;
    list->edges[2 * k * list->sorts.n + s] = start[first];
    list->edges[(2 * k + 1) * list->sorts.n + s] = start[last];
  }
  ListFit fit = LIST_FITS;
  do {
    if ((work->room == 0 || fit == LIST_ROOM) && !grow(&work->candidate, &work->room, 512, LIST_COLUMNS))
      return false;
    if ((work->capacity == 0 || fit == LIST_CAPACITY) && !grow(&work->j, &work->capacity, 4096, 1))
      return false;
    fit = list->kernel->cells(&list->grid, first, last, list->begin, list->end, work);
  } while (fit != LIST_FITS);
  chunk->j = work->j;
  chunk->n = work->used;
  return true;
}

/* Updates cells to the current box; false: out of memory. */
static bool keep_cells(List *list, const Team *team)
{
  if (box_same(&list->box, list->options.box))
    return true;
  team_barrier(team); /* all have tested before one writes */
  if (team->rank == 0)
    (void)list_cells_make(list);
  team_barrier(team);
  return box_periodic(&list->box);
}

bool list_build(List *list, const Team *team, const int32_t (*o)[4])
{
  if (!keep_cells(list, team) || !keep_counts(list, team))
    return false;
  count_columns(list, team, o);
  team_barrier(team);
  sort_columns(list, team);
  team_barrier(team);
  sort_within(list, team, o);
  team_barrier(team);
  bool sound = true;
  TeamDeal deal = team_deal(team, list->view.nchunk, NULL);
  for (int k; (k = team_next(&deal)) >= 0;)
    sound &= fill_chunk(list, k);
  if (team->rank == 0) {
    list->made = true;
    for (int p = 0; p < list->sorts.n * list->sorts.n; p++)
      list->between[p].limit = list->sorts.buffer[p];
    list->view.made++;
  }
  return sound;
}
