/* Counts of pairs in a periodic box and in open space.
 *
 * Pairs are found by cells of about a third of the range. All candidates for a cell, from half of the cells
 * around it, are copied to packs and counted a register at a time. Open space is one cell. Counts are
 * integers, so they do not depend on the number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/rdf_private.h"

/* --- cells -----------------------------------------------------------------------------------------------
 */

static int cells_of(const Rdf *rdf) { return rdf->ncell[0] * rdf->ncell[1] * rdf->ncell[2]; }

/* The least distance of points in two cells `steps` apart, between faces of the box. */
static double cell_gap(int steps, int ncell, double height)
{
  return steps > 1 ? (steps - 1) * height / ncell : 0.0;
}

/* Adds the square of a gap for orthogonal axes, or takes the largest. */
static void add_gap(const Rdf *rdf, int d, int steps, double *gap2)
{
  const double square = pow(cell_gap(steps, rdf->ncell[d], box_height(&rdf->box, d)), 2);
  *gap2 = box_oblique(&rdf->box) ? fmax(*gap2, square) : *gap2 + square;
}

static bool within(const Rdf *rdf, double gap2) { return gap2 * (1.0 - 1e-9) < rdf->longest * rdf->longest; }

/* Offsets in a rectangular box, where steps wrap around and kernels use nearest images. */
static void offsets_around(Rdf *rdf)
{
  const int *n = rdf->ncell;
  for (int k = 1; k < cells_of(rdf); k++) {
    const int step[3] = {k / (n[1] * n[2]), k / n[2] % n[1], k % n[2]};
    double gap2 = 0.0;
    int opposite = 0;
    for (int d = 0; d < 3; d++) {
      add_gap(rdf, d, step[d] <= n[d] - step[d] ? step[d] : n[d] - step[d], &gap2);
      opposite = opposite * n[d] + (n[d] - step[d]) % n[d];
    }
    if (within(rdf, gap2) && k <= opposite)
      rdf->offset[rdf->noffset++] = (RdfOffset){{step[0], step[1], step[2]}, k == opposite};
  }
}

/* Offsets in an oblique box: steps lead to images of cells, each an offset of its own. */
static void offsets_onward(Rdf *rdf, const int most[3])
{
  const int size[3] = {2 * most[0] + 1, 2 * most[1] + 1, 2 * most[2] + 1};
  for (int k = size[0] * size[1] * size[2] / 2 + 1; k < size[0] * size[1] * size[2]; k++) {
    const int step[3] = {k / (size[1] * size[2]) - most[0], k / size[2] % size[1] - most[1],
                         k % size[2] - most[2]};
    double gap2 = 0.0;
    for (int d = 0; d < 3; d++)
      add_gap(rdf, d, abs(step[d]), &gap2);
    if (within(rdf, gap2))
      rdf->offset[rdf->noffset++] = (RdfOffset){{step[0], step[1], step[2]}, false};
  }
}

/* Lists all cells with points within the range, one of each pair of opposites; the cell itself is left
 * out. */
static Status offsets_create(Rdf *rdf, const Box *box, Error *error)
{
  const bool oblique = box_oblique(box);
  int most[3];
  size_t reals = 1;
  for (int d = 0; d < 3; d++) {
    most[d] = oblique ? 1 + (int)(rdf->longest * rdf->ncell[d] / box_height(box, d)) : 0;
    reals *= (size_t)(oblique ? 2 * most[d] + 1 : rdf->ncell[d]);
    rdf->rule.length[d] = box_length(box, d);
  }
  free(rdf->offset);
  rdf->noffset = 0;
  rdf->offset = malloc(reals * sizeof *rdf->offset);
  TRY_MEMORY(rdf->offset != NULL, "the cells of radial distributions", error);
  rdf->box = *box;
  if (oblique)
    offsets_onward(rdf, most);
  else
    offsets_around(rdf);
  return STATUS_OK;
}

Status rdf_cells_fit(const Rdf *rdf, const Box *box, Error *error)
{
  const double least = rdf->reach != NULL ? rdf->width : rdf->longest;
  if (rdf->open || box_shortest(box) >= 2.0 * least * (1.0 - 1e-12))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "radial distributions to %g A need a periodic box of at least twice that; its images are "
                   "%g A apart: reduce rdf_max to %.3g A or less%s",
                   least, box_shortest(box), 0.5 * box_shortest(box),
                   rdf->is.options.breathes ? ", or start nearer to the volume at this pressure" : "");
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static size_t counts_of(const Rdf *rdf) { return (size_t)rdf->npair * ((size_t)rdf->nbin + LANES); }

static void thread_create(Rdf *rdf, RdfThread *thread)
{
  const size_t packs = (size_t)rdf->npoint / LANES + RDF_SPECIES + 1;
  thread->x = observable_arena(rdf, packs, sizeof *thread->x);
  thread->apart = observable_arena(rdf, 2 * counts_of(rdf), sizeof *thread->apart);
  thread->together = thread->apart != NULL ? thread->apart + counts_of(rdf) : NULL;
  thread->cell = observable_arena(rdf, (size_t)cells_of(rdf), sizeof *thread->cell);
}

Status rdf_cells_create(Rdf *rdf, const Box *box, Error *error)
{
  const size_t n = (size_t)rdf->npoint;
  const double most = 1.5 * cbrt(rdf->npoint) + 1.0;
  for (int d = 0; d < 3; d++)
    rdf->ncell[d] = (int)fmax(1.0, fmin(most, floor(3.0 * box_height(box, d) / rdf->longest)));
  rdf->nthread = rdf->is.options.threads > 1 ? rdf->is.options.threads : 1;
  rdf->start = observable_arena(rdf, (size_t)cells_of(rdf) * (size_t)rdf->nspecies + 2, sizeof *rdf->start);
  rdf->x = observable_arena(rdf, n, sizeof *rdf->x);
  rdf->group = observable_arena(rdf, n, sizeof *rdf->group);
  rdf->key = observable_arena(rdf, n, sizeof *rdf->key);
  rdf->now = observable_arena(rdf, (size_t)rdf->npair * (size_t)rdf->nbin, sizeof *rdf->now);
  rdf->middle = observable_arena(rdf, (size_t)rdf->nbin, sizeof *rdf->middle);
  rdf->scratch = observable_arena(rdf, 2 * (size_t)rdf->nbin, sizeof *rdf->scratch);
  rdf->thread = observable_arena(rdf, (size_t)rdf->nthread, sizeof *rdf->thread);
  TRY(arena_check(&rdf->is.arena, "radial distributions", error));
  for (int b = 0; b < rdf->nbin; b++)
    rdf->middle[b] = ((double)b + 0.5) * rdf->width;
  for (int t = 0; t < rdf->nthread; t++)
    thread_create(rdf, &rdf->thread[t]);
  return offsets_create(rdf, box, error);
}

/* --- sorting into cells ----------------------------------------------------------------------------------
 */

/* A site in the box, and its cell; -1 if it is not finite. */
static int cell_of(const Rdf *rdf, const ObservableFrame *frame, const RdfPoint *point, double inside[3])
{
  const Box *box = frame->box;
  const ObservableBlock *block = &frame->block[point->block];
  const ptrdiff_t site = (ptrdiff_t)point->molecule * block->kind->nsite + point->site;
  double shift[3], u[3];
  for (int d = 0; d < 3; d++)
    inside[d] = d < rdf->dim ? block->x[rdf->dim * site + d] : 0.0;
  box_inside(box, inside, shift);
  for (int d = 0; d < 3; d++) {
    inside[d] += shift[d];
    if (!isfinite(inside[d]))
      return -1;
  }
  box_fractions(box, inside, u);
  int cell = 0;
  for (int d = 0; d < 3; d++)
    cell = cell * rdf->ncell[d] + (int)fmax(0.0, fmin(u[d] * rdf->ncell[d], rdf->ncell[d] - 1));
  return cell;
}

static Status keys_find(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  memset(rdf->start, 0, ((size_t)cells_of(rdf) * (size_t)rdf->nspecies + 2) * sizeof *rdf->start);
  for (int i = 0; i < rdf->npoint; i++) {
    const RdfPoint *point = &rdf->point[i];
    double inside[3];
    const int cell = cell_of(rdf, frame, point, inside);
    if (cell < 0)
      return error_set(error, STATUS_RUN, "%s %d of %s has a coordinate that is not a number",
                       rdf->single ? "site" : "molecule", (rdf->single ? point->site : point->molecule) + 1,
                       frame->block[point->block].kind->name);
    rdf->key[i] = cell * rdf->nspecies + point->species;
    rdf->start[rdf->key[i] + 2]++;
  }
  return STATUS_OK;
}

/* Sorts points by cell and species; those of key k are then start[k] to start[k + 1] - 1. */
static Status cells_fill(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  TRY(keys_find(rdf, frame, error));
  const int keys = cells_of(rdf) * rdf->nspecies;
  for (int k = 1; k <= keys; k++)
    rdf->start[k + 1] += rdf->start[k];
  for (int i = 0; i < rdf->npoint; i++) {
    const int to = rdf->start[rdf->key[i] + 1]++;
    (void)cell_of(rdf, frame, &rdf->point[i], rdf->x[to]);
    rdf->group[to] = rdf->point[i].group;
  }
  return STATUS_OK;
}

/* --- counting --------------------------------------------------------------------------------------------
 */

/* The first site of a cell, of all species. */
static int first_in(const Rdf *rdf, int cell) { return rdf->start[cell * rdf->nspecies]; }

/* Copies all sites of a species in these cells to packs, from pack `at` on. */
static RdfRun gather(const Rdf *rdf, const RdfThread *thread, int at, int ncell, int species)
{
  Vec8(*const x)[4] = thread->x + at;
  int n = 0;
  for (int c = 0; c < ncell; c++) {
    const RdfCell *cell = &thread->cell[c];
    const int key = cell->cell * rdf->nspecies + species;
    for (int i = rdf->start[key]; i < rdf->start[key + 1]; i++, n++) {
      Vec8 *const to = x[n / LANES];
      for (int d = 0; d < 3; d++)
        to[d][n % LANES] = rdf->x[i][d] + cell->shift[d];
      to[3][n % LANES] = rdf->group[i];
    }
  }
  for (int k = n; k % LANES != 0; k++)
    for (int d = 0; d < 4; d++)
      x[k / LANES][d][k % LANES] = NAN;
  return (RdfRun){(const Vec8(*)[4])x, n};
}

/* Counts the sites of a cell with those of the thread's list of cells. */
static void count_cells(const Rdf *rdf, const RdfThread *thread, int home, int ncell, uint32_t *count)
{
  RdfCount *const pairs = rdf->open || box_oblique(&rdf->box) ? rdf->kernels->open : rdf->kernels->box;
  int at = 0;
  for (int s = 0; s < rdf->nspecies; s++) {
    const RdfRun run = gather(rdf, thread, at, ncell, s);
    at += (run.n + LANES - 1) / LANES;
    for (int a = 0; a < rdf->nspecies && run.n > 0; a++) {
      const int pair = rdf->pair_of[a][s], key = home * rdf->nspecies + a;
      for (int i = rdf->start[key]; pair >= 0 && i < rdf->start[key + 1]; i++)
        pairs(&rdf->rule, rdf->x[i], rdf->group[i], &run, count + (size_t)pair * ((size_t)rdf->nbin + LANES));
    }
  }
}

/* The cell, or image of a cell, at an offset. */
static RdfCell partner(const Rdf *rdf, int home, const int step[3])
{
  const int *n = rdf->ncell, at[3] = {home / (n[1] * n[2]), home / n[2] % n[1], home % n[2]};
  RdfCell cell = {0};
  double turns[3];
  for (int d = 0; d < 3; d++) {
    const int to = at[d] + step[d], whole = (to % n[d] + n[d]) % n[d], around = (to - whole) / n[d];
    turns[d] = around;
    cell.cell = cell.cell * n[d] + whole;
  }
  if (box_oblique(&rdf->box))
    box_point(&rdf->box, turns, cell.shift);
  return cell;
}

/* Counts with as many cells at a time as fit; images of one cell may occur several times. */
static void count_partners(const Rdf *rdf, const RdfThread *thread, int home)
{
  int ncell = 0, sites = 0;
  for (int k = 0; k < rdf->noffset; k++) {
    const RdfCell cell = partner(rdf, home, rdf->offset[k].step);
    const int more = first_in(rdf, cell.cell + 1) - first_in(rdf, cell.cell);
    if (more == 0 || (rdf->offset[k].own_opposite && home >= cell.cell))
      continue;
    if (ncell == cells_of(rdf) || sites + more > rdf->npoint) {
      count_cells(rdf, thread, home, ncell, thread->apart);
      ncell = sites = 0;
    }
    thread->cell[ncell++] = cell;
    sites += more;
  }
  count_cells(rdf, thread, home, ncell, thread->apart);
}

void rdf_cells_count(const Rdf *rdf, const Team *team)
{
  const RdfThread *thread = &rdf->thread[team->rank];
  int begin, end;
  team_range(team, cells_of(rdf), &begin, &end);
  memset(thread->apart, 0, 2 * counts_of(rdf) * sizeof *thread->apart);
  for (int home = begin; home < end; home++) {
    if (first_in(rdf, home) == first_in(rdf, home + 1))
      continue;
    count_partners(rdf, thread, home);
    thread->cell[0] = (RdfCell){home, {0.0}};
    count_cells(rdf, thread, home, 1, thread->together);
  }
}

/* Adds up the counts of the team. */
void rdf_cells_end(Rdf *rdf, const Team *team)
{
  memset(rdf->now, 0, (size_t)rdf->npair * (size_t)rdf->nbin * sizeof *rdf->now);
  for (int t = 0; t < team->size; t++)
    for (int p = 0; p < rdf->npair; p++) {
      const size_t first = (size_t)p * ((size_t)rdf->nbin + LANES);
      const uint32_t *apart = rdf->thread[t].apart + first, *together = rdf->thread[t].together + first;
      int64_t *now = rdf->now + (size_t)p * (size_t)rdf->nbin;
      for (int b = 0; b < rdf->nbin; b++) /* in registers */
        now[b] += apart[b] + together[b] / 2;
    }
}

Status rdf_cells_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  Rdf *const rdf = self;
  if (team->size > rdf->nthread)
    return error_set(error, STATUS_INPUT, "radial distributions were created for %d threads, not %d",
                     rdf->nthread, team->size);
  TRY(rdf_cells_fit(rdf, frame->box, error));
  if (!box_same(&rdf->box, frame->box))
    TRY(offsets_create(rdf, frame->box, error));
  return cells_fill(rdf, frame, error);
}
