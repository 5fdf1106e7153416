/* The cells of neighbour lists, and the cells that may contain partners of a molecule. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/list_private.h"

enum { SIDE_MAX = 1000 /* cells along a side */ };

enum { REACHED = 1, REACHED_TWIN }; /* an offset; one that is its own opposite */

double list_cells_radius(const List *list, int pair)
{
  return list->sorts.cutoff[pair] + list->sorts.buffer[pair];
}

void list_cells_radii(const List *list, double radius[2])
{
  radius[0] = radius[1] = list_cells_radius(list, 0);
  for (int k = 1; k < list->sorts.n * list->sorts.n; k++) {
    radius[0] = fmin(radius[0], list_cells_radius(list, k));
    radius[1] = fmax(radius[1], list_cells_radius(list, k));
  }
}

/* Chooses cells of at least half the least radius between faces, and not many more cells than molecules. */
static void choose_cells(List *list)
{
  const Box *box = list->options.box;
  double radii[2];
  list_cells_radii(list, radii);
  const double radius = radii[0];
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
  list->grid.ncell = list->ncell;
}

/* Marks an offset modulo the numbers of cells, or its opposite, whichever has the smaller number; or both. */
static void reach(List *list, bool both, const int offset[3])
{
  int own = 0, other = 0;
  for (int d = 0; d < 3; d++) {
    const int m = list->grid.m[d], at = (offset[d] % m + m) % m;
    own = own * m + at;
    other = other * m + (m - at) % m;
  }
  const int first = own < other ? own : other, last = both ? own + other - first : first;
  list->reached[first] = list->reached[last] = own == other && !both ? REACHED_TWIN : REACHED;
  list->reached[list->ncell + first / list->grid.m[2]] = list->reached[list->ncell + last / list->grid.m[2]] =
      REACHED;
}

/* All offsets between cells with points within the radius, except the zero offset. */
static void reach_all(List *list, double limit, bool both)
{
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
          reach(list, both, at);
      }
  list->reached[0] = 0;
}

/* The runs of column c, to `run` unless NULL; returns their number. Runs may wrap. */
static int make_column(const List *list, int c, ListRun *run)
{
  const int mz = list->grid.m[2], x = c / list->grid.m[1], y = c % list->grid.m[1];
  const uint8_t *const is = list->reached + (ptrdiff_t)c * mz;
  int n = 0, from = 0;
  while (from < mz && is[from] == REACHED) /* skips a run that wraps */
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

int32_t *list_cells_integers(size_t n) { return calloc(n > 0 ? n : 1, sizeof(int32_t)); }

/* Cells where molecules of sort b may be near one of sort a; false: out of memory. */
static bool make_reach(List *list, int a, int b)
{
  const int pair = a * list->sorts.n + b;
  const double radius = list_cells_radius(list, pair);
  Between *const between = &list->between[pair];
  ListReach *const far = &list->far[pair];
  free(between->run);
  between->run = NULL;
  far->limit = (float)(radius * radius * LIST_SAFETY * LIST_SAFETY);
  reach_all(list, (double)far->limit * LIST_SAFETY, a != b);
  far->nrun = make_runs(list, NULL);
  far->run = between->run = calloc((size_t)far->nrun + 1, sizeof *between->run);
  if (between->run == NULL)
    return false;
  (void)make_runs(list, between->run);
  return true;
}

bool list_cells_make(List *list)
{
  const int nsort = list->sorts.n;
  choose_cells(list);
  free(list->start);
  free(list->reached);
  tally_free(&list->tally); /* counts were for other columns */
  list->grid.start = list->start = list_cells_integers((size_t)list->ncell * (size_t)nsort + 1);
  list->reached = malloc((size_t)list->ncell + (size_t)list->ncolumn);
  bool sound = list->start != NULL && list->reached != NULL;
  for (int k = 0; k < nsort * nsort && sound; k++)
    sound = k % nsort > k / nsort || make_reach(list, k / nsort, k % nsort);
  if (!sound)
    list->box = (Box){0};
  return sound;
}
