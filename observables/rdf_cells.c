/* Counts of pairs, in a periodic box and in open space.
 *
 * Pairs are found by cells about a third of the range wide: all candidates of a cell, of the half of the
 * cells around it, are copied side by side and counted a register at a time. Open space is one cell. Counts
 * are whole numbers, so the number of threads leaves no trace. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observables/rdf_private.h"

/* --- cells -----------------------------------------------------------------------------------------------
 */

static int cells_of(const Rdf *rdf) { return rdf->ncell[0] * rdf->ncell[1] * rdf->ncell[2]; }

/* The least distance of the points of two cells so many steps apart, along one direction. */
static double cell_gap(int step, int ncell, double length)
{
  const int steps = step <= ncell - step ? step : ncell - step;
  return steps > 1 ? (steps - 1) * length / ncell : 0.0;
}

/* All cells with points within the range, each together with its opposite once; the cell itself is left out.
 */
static Status offsets_create(Rdf *rdf, const Box *box, Error *error)
{
  const int *n = rdf->ncell;
  free(rdf->offset);
  rdf->noffset = 0;
  rdf->offset = malloc((size_t)cells_of(rdf) * sizeof *rdf->offset);
  TRY_MEMORY(rdf->offset != NULL, "the cells of radial distributions", error);
  rdf->box = *box;
  for (int d = 0; d < 3; d++)
    rdf->rule.length[d] = box_length(box, d);
  for (int k = 1; k < cells_of(rdf); k++) {
    const int step[3] = {k / (n[1] * n[2]), k / n[2] % n[1], k % n[2]};
    double gap2 = 0.0;
    int opposite = 0;
    for (int d = 0; d < 3; d++) {
      gap2 += pow(cell_gap(step[d], n[d], box_length(box, d)), 2);
      opposite = opposite * n[d] + (n[d] - step[d]) % n[d];
    }
    if (gap2 * (1.0 - 1e-9) < rdf->longest * rdf->longest && k <= opposite)
      rdf->offset[rdf->noffset++] = (RdfOffset){{step[0], step[1], step[2]}, k == opposite};
  }
  return STATUS_OK;
}

Status rdf_cells_fit(const Rdf *rdf, const Box *box, Error *error)
{
  for (int d = 0; d < 3 && !rdf->open; d++)
    if (!(box_length(box, d) >= 2.0 * rdf->longest * (1.0 - 1e-12)))
      return error_set(error, STATUS_INPUT,
                       "radial distributions to %g A need a periodic box of at least twice that; it is %g x "
                       "%g x %g A",
                       rdf->longest, box_length(box, 0), box_length(box, 1), box_length(box, 2));
  return STATUS_OK;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static size_t counts_of(const Rdf *rdf) { return (size_t)rdf->npair * ((size_t)rdf->nbin + LANES); }

static int thread_create(const Rdf *rdf, RdfThread *thread)
{
  const size_t packs = (size_t)rdf->sites / LANES + RDF_SPECIES + 1;
  thread->x = aligned_alloc(sizeof(Octet), packs * sizeof *thread->x);
  thread->apart = malloc(2 * counts_of(rdf) * sizeof *thread->apart);
  thread->cell = malloc((size_t)cells_of(rdf) * sizeof(int));
  if (thread->x == NULL || thread->apart == NULL || thread->cell == NULL)
    return 0;
  thread->together = thread->apart + counts_of(rdf);
  return 1;
}

Status rdf_cells_create(Rdf *rdf, const Box *box, Error *error)
{
  const size_t n = (size_t)rdf->sites;
  const double most = 1.5 * cbrt(rdf->sites) + 1.0;
  for (int d = 0; d < 3; d++)
    rdf->ncell[d] = (int)fmax(1.0, fmin(most, floor(3.0 * box_length(box, d) / rdf->longest)));
  rdf->nthread = rdf->options.threads > 1 ? rdf->options.threads : 1;
  rdf->start = malloc(((size_t)cells_of(rdf) * (size_t)rdf->nspecies + 2) * sizeof *rdf->start);
  rdf->x = malloc(n * sizeof *rdf->x);
  rdf->molecule = malloc(n * sizeof *rdf->molecule);
  rdf->key = malloc(n * sizeof *rdf->key);
  rdf->now = malloc((size_t)rdf->npair * (size_t)rdf->nbin * sizeof *rdf->now);
  rdf->thread = calloc((size_t)rdf->nthread, sizeof *rdf->thread);
  bool good = rdf->start != NULL && rdf->x != NULL && rdf->molecule != NULL && rdf->key != NULL &&
              rdf->now != NULL && rdf->thread != NULL;
  for (int t = 0; good && t < rdf->nthread; t++)
    good = thread_create(rdf, &rdf->thread[t]);
  return good ? offsets_create(rdf, box, error) : error_memory(error, "radial distributions");
}

void rdf_cells_free(Rdf *rdf)
{
  for (int t = 0; rdf->thread != NULL && t < rdf->nthread; t++) {
    free(rdf->thread[t].x);
    free(rdf->thread[t].apart);
    free(rdf->thread[t].cell);
  }
  free(rdf->thread);
  free(rdf->offset);
  free(rdf->start);
  free(rdf->x);
  free(rdf->molecule);
  free(rdf->key);
  free(rdf->now);
}

/* --- sorting into cells ----------------------------------------------------------------------------------
 */

/* A coordinate in the box, and its cell; -1 if it is no number. */
static int cell_of(double x, double length, int ncell, double *inside)
{
  *inside = length > 0.0 ? x - length * floor(x / length) : x;
  if (!isfinite(*inside))
    return -1;
  if (!(length > 0.0))
    return 0;
  const int cell = (int)(*inside / length * ncell);
  return cell < ncell ? cell : ncell - 1;
}

/* Coordinate d of site k of block b; of an open system of point k, 0 in directions that it does not have. */
static double coordinate(const Rdf *rdf, const ObservableFrame *frame, int b, int k, int d)
{
  if (rdf->open)
    return d < rdf->points.dim ? rdf->at[k][d] : 0.0;
  return frame->block[b].x[3 * (size_t)k + (size_t)d];
}

static Status keys_find(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  memset(rdf->start, 0, ((size_t)cells_of(rdf) * (size_t)rdf->nspecies + 2) * sizeof *rdf->start);
  int i = 0;
  for (int b = 0; b < rdf->nblock; b++)
    for (int k = 0; k < rdf->nmol[b] * rdf->nsite[b]; k++, i++) {
      int cell = 0;
      for (int d = 0; d < 3; d++) {
        double inside;
        const int c =
            cell_of(coordinate(rdf, frame, b, k, d), box_length(frame->box, d), rdf->ncell[d], &inside);
        if (c < 0)
          return error_set(error, STATUS_RUN, "%s %d of %s has a coordinate that is not a number",
                           rdf->points.sites ? "site" : "molecule", k / rdf->nsite[b] + 1,
                           frame->block[b].kind->name);
        cell = cell * rdf->ncell[d] + c;
      }
      const int species = rdf->species_of[b][k % rdf->nsite[b]];
      rdf->key[i] = species >= 0 ? cell * rdf->nspecies + species : -1;
      if (species >= 0)
        rdf->start[rdf->key[i] + 2]++;
    }
  return STATUS_OK;
}

/* Sites by cell and species; afterwards those of key k are start[k] to start[k + 1]. */
static Status cells_fill(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  TRY(keys_find(rdf, frame, error));
  const int keys = cells_of(rdf) * rdf->nspecies;
  for (int k = 1; k <= keys; k++)
    rdf->start[k + 1] += rdf->start[k];
  int i = 0, molecule = 0;
  for (int b = 0; b < rdf->nblock; b++)
    for (int k = 0; k < rdf->nmol[b] * rdf->nsite[b]; k++, i++) {
      if (rdf->key[i] >= 0) {
        const int to = rdf->start[rdf->key[i] + 1]++;
        for (int d = 0; d < 3; d++)
          (void)cell_of(coordinate(rdf, frame, b, k, d), box_length(frame->box, d), rdf->ncell[d],
                        &rdf->x[to][d]);
        rdf->molecule[to] = molecule;
      }
      molecule += (k + 1) % rdf->nsite[b] == 0;
    }
  return STATUS_OK;
}

/* --- counting --------------------------------------------------------------------------------------------
 */

/* Puts all sites of a species in these cells side by side, from pack `at` on. */
static RdfRun gather(const Rdf *rdf, const RdfThread *thread, int at, int ncell, const int *cell, int species)
{
  Octet(*const x)[4] = thread->x + at;
  int n = 0;
  for (int c = 0; c < ncell; c++) {
    const int key = cell[c] * rdf->nspecies + species;
    for (int i = rdf->start[key]; i < rdf->start[key + 1]; i++, n++) {
      Octet *const to = x[n / LANES];
      for (int d = 0; d < 3; d++)
        to[d][n % LANES] = rdf->x[i][d];
      to[3][n % LANES] = rdf->molecule[i];
    }
  }
  for (int k = n; k % LANES != 0; k++)
    for (int d = 0; d < 4; d++)
      x[k / LANES][d][k % LANES] = NAN;
  return (RdfRun){(const Octet(*)[4])x, n};
}

/* The sites of a cell with those of the listed ones. */
static void count_cells(const Rdf *rdf, const RdfThread *thread, int home, int ncell, const int *cell,
                        uint32_t *count)
{
  RdfCount *const pairs = rdf->open ? rdf->kernels->open : rdf->kernels->box;
  int at = 0;
  for (int s = 0; s < rdf->nspecies; s++) {
    const RdfRun run = gather(rdf, thread, at, ncell, cell, s);
    at += (run.n + LANES - 1) / LANES;
    for (int a = 0; a < rdf->nspecies && run.n > 0; a++) {
      const int pair = rdf->pair_of[a][s], key = home * rdf->nspecies + a;
      for (int i = rdf->start[key]; pair >= 0 && i < rdf->start[key + 1]; i++)
        pairs(&rdf->rule, rdf->x[i], rdf->molecule[i], &run,
              count + (size_t)pair * ((size_t)rdf->nbin + LANES));
    }
  }
}

/* The cells that a cell is paired with; returns their number. */
static int partners(const Rdf *rdf, int home, int *cell)
{
  const int *n = rdf->ncell;
  const int at[3] = {home / (n[1] * n[2]), home / n[2] % n[1], home % n[2]};
  int count = 0;
  for (int k = 0; k < rdf->noffset; k++) {
    int other = 0;
    for (int d = 0; d < 3; d++)
      other = other * n[d] + (at[d] + rdf->offset[k].step[d]) % n[d];
    if (!rdf->offset[k].own_opposite || home < other)
      cell[count++] = other;
  }
  return count;
}

void rdf_cells_count(const Rdf *rdf, const Team *team)
{
  const RdfThread *thread = &rdf->thread[team->rank];
  int begin, end;
  team_range(team, cells_of(rdf), &begin, &end);
  memset(thread->apart, 0, 2 * counts_of(rdf) * sizeof *thread->apart);
  for (int home = begin; home < end; home++) {
    if (rdf->start[home * rdf->nspecies] == rdf->start[(home + 1) * rdf->nspecies])
      continue;
    count_cells(rdf, thread, home, partners(rdf, home, thread->cell), thread->cell, thread->apart);
    count_cells(rdf, thread, home, 1, &home, thread->together);
  }
}

/* The team's counts together. */
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

Status rdf_cells_begin(Rdf *rdf, const Team *team, const ObservableFrame *frame, Error *error)
{
  if (team->size > rdf->nthread)
    return error_set(error, STATUS_INPUT, "radial distributions made for %d threads, not %d", rdf->nthread,
                     team->size);
  TRY(rdf_cells_fit(rdf, frame->box, error));
  if (!box_same(&rdf->box, frame->box))
    TRY(offsets_create(rdf, frame->box, error));
  return cells_fill(rdf, frame, error);
}
