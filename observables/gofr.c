/* Radial distributions of all pairs of named sites of different molecules in a periodic box.
 *
 *   g_ab(r) = count in the bin / (sum over samples of P_ab V_shell/V)
 *
 * with P_ab pairs of an a and a b in different molecules: what the same number of pairs spread at random over
 * the box would give, so g of an ideal gas is 1 at any number of molecules. (Many programs divide by N_a N_b
 * V_shell/V instead, which is larger by 1/N where a and b are alike.) n_ab(r), the mean number of b of other
 * molecules within r of an a, comes from the counts and no density.
 *
 * Pairs are found by cells about a third of the range wide: all candidates of a cell, of the half of the
 * cells around it, are copied side by side and counted a register at a time. Counts are whole numbers, so
 * the number of threads leaves no trace. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa_wanted.h"
#include "observables/gofr_private.h"

/* --- species ---------------------------------------------------------------------------------------------
 */

static int species_index(Gofr *g, const char *name)
{
  int s = 0;
  while (s < g->nspecies && strcmp(g->species[s].name, name) != 0)
    s++;
  if (s == g->nspecies && s < GOFR_SPECIES) {
    snprintf(g->species[s].name, sizeof g->species[s].name, "%s", name);
    g->nspecies++;
  }
  return s;
}

static Status species_create(Gofr *g, const ObservableFrame *frame, Error *error)
{
  g->nblock = frame->nblock;
  g->sites = observable_sites(frame);
  for (int b = 0; b < frame->nblock; b++) {
    const ObservableBlock *block = &frame->block[b];
    g->nmol[b] = block->nmol;
    g->nsite[b] = block->kind->nsite;
    g->species_of[b] = malloc((size_t)block->kind->nsite * sizeof(int));
    if (g->species_of[b] == NULL)
      return error_memory(error, "radial distributions");
    for (int s = 0; s < block->kind->nsite; s++) {
      const int k = species_index(g, block->kind->site[s]);
      if (k == GOFR_SPECIES)
        return error_set(error, STATUS_INPUT,
                         "radial distributions take up to %d names of sites; '%s' is one too many",
                         GOFR_SPECIES, block->kind->site[s]);
      g->species_of[b][s] = k;
      g->species[k].n += block->nmol;
    }
  }
  return STATUS_OK;
}

/* Pairs of sites of these species inside one molecule of the block. */
static double pairs_inside(const Gofr *g, int block, int a, int b)
{
  double na = 0.0, nb = 0.0;
  for (int s = 0; s < g->nsite[block]; s++) {
    na += g->species_of[block][s] == a;
    nb += g->species_of[block][s] == b;
  }
  return a == b ? 0.5 * na * (na - 1.0) : na * nb;
}

static void pairs_create(Gofr *g)
{
  for (int a = 0; a < g->nspecies; a++)
    for (int b = a; b < g->nspecies; b++) {
      const double na = g->species[a].n, nb = g->species[b].n;
      GofrPair *pair = &g->pair[g->npair];
      *pair = (GofrPair){a, b, a == b ? 0.5 * na * (na - 1.0) : na * nb};
      for (int k = 0; k < g->nblock; k++)
        pair->pairs -= g->nmol[k] * pairs_inside(g, k, a, b);
      if (pair->pairs > 0.0)
        g->pair_of[a][b] = g->pair_of[b][a] = g->npair++;
      else
        g->pair_of[a][b] = g->pair_of[b][a] = -1;
    }
}

/* --- cells -----------------------------------------------------------------------------------------------
 */

static int cells_of(const Gofr *g) { return g->ncell[0] * g->ncell[1] * g->ncell[2]; }

/* The least distance of the points of two cells so many steps apart, along one direction. */
static double cell_gap(int step, int ncell, double length)
{
  const int steps = step <= ncell - step ? step : ncell - step;
  return steps > 1 ? (steps - 1) * length / ncell : 0.0;
}

/* All cells with points within the range, each together with its opposite once; the cell itself is left out.
 */
static Status offsets_create(Gofr *g, const Box *box, Error *error)
{
  const int *n = g->ncell;
  free(g->offset);
  g->noffset = 0;
  g->offset = malloc((size_t)cells_of(g) * sizeof *g->offset);
  if (g->offset == NULL)
    return error_memory(error, "the cells of radial distributions");
  g->box = *box;
  for (int k = 1; k < cells_of(g); k++) {
    const int step[3] = {k / (n[1] * n[2]), k / n[2] % n[1], k % n[2]};
    double gap2 = 0.0;
    int opposite = 0;
    for (int d = 0; d < 3; d++) {
      gap2 += pow(cell_gap(step[d], n[d], box_length(box, d)), 2);
      opposite = opposite * n[d] + (n[d] - step[d]) % n[d];
    }
    if (gap2 * (1.0 - 1e-9) < g->longest * g->longest && k <= opposite)
      g->offset[g->noffset++] = (GofrOffset){{step[0], step[1], step[2]}, k == opposite};
  }
  return STATUS_OK;
}

static Status box_fits(const Gofr *g, const Box *box, Error *error)
{
  for (int d = 0; d < 3; d++)
    if (!(box_length(box, d) >= 2.0 * g->longest * (1.0 - 1e-12)))
      return error_set(error, STATUS_INPUT,
                       "radial distributions to %g A need a periodic box of at least twice that; it is %g x "
                       "%g x %g A%s",
                       g->longest, box_length(box, 0), box_length(box, 1), box_length(box, 2),
                       box_periodic(box) ? "" : " (clusters: holonom rdf)");
  return STATUS_OK;
}

static Status range_create(Gofr *g, const ObservableOptions *options, const Box *box, Error *error)
{
  const double half = box_volume(box) > 0.0 ? 0.5 * box_shortest(box) : 0.0;
  g->longest = options->gofr.max > 0.0 ? options->gofr.max : fmin(12.0, half);
  g->width = options->gofr.width > 0.0 ? options->gofr.width : 0.02;
  if (!(half > 0.0))
    return error_set(error, STATUS_INPUT,
                     "radial distributions by density need a box periodic in all directions (clusters: "
                     "holonom rdf)");
  TRY(box_fits(g, box, error));
  if (!(g->longest / g->width >= 1.0 && g->longest / g->width <= 100000.0))
    return error_set(error, STATUS_INPUT, "bins of %g A in a range of %g A: 1 to 100000 bins are possible",
                     g->width, g->longest);
  g->nbin = (int)(g->longest / g->width * (1.0 + 1e-12));
  g->longest = g->nbin * g->width; /* whole bins */
  const double most = 1.5 * cbrt(g->sites) + 1.0;
  for (int d = 0; d < 3; d++)
    g->ncell[d] = (int)fmax(1.0, fmin(most, floor(3.0 * box_length(box, d) / g->longest)));
  return STATUS_OK;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static void gofr_free(void *self)
{
  Gofr *g = self;
  if (g == NULL)
    return;
  for (int b = 0; b < g->nblock; b++)
    free(g->species_of[b]);
  for (int t = 0; g->thread != NULL && t < g->nthread; t++) {
    free(g->thread[t].x);
    free(g->thread[t].apart);
    free(g->thread[t].cell);
  }
  free(g->thread);
  free(g->offset);
  free(g->start);
  free(g->x);
  free(g->molecule);
  free(g->key);
  free(g->monitor);
  block_rows_free(g->rows);
  free(g);
}

static size_t counts_of(const Gofr *g) { return (size_t)g->npair * ((size_t)g->nbin + LANES); }

static int thread_create(const Gofr *g, GofrThread *thread)
{
  const size_t packs = (size_t)g->sites / LANES + GOFR_SPECIES + 1;
  thread->x = aligned_alloc(sizeof(Octet), packs * sizeof *thread->x);
  thread->apart = malloc(2 * counts_of(g) * sizeof *thread->apart);
  thread->cell = malloc((size_t)cells_of(g) * sizeof(int));
  if (thread->x == NULL || thread->apart == NULL || thread->cell == NULL)
    return 0;
  thread->together = thread->apart + counts_of(g);
  return 1;
}

static Status memory_create(Gofr *g, const ObservableOptions *options, Error *error)
{
  const size_t n = (size_t)g->sites;
  g->nthread = options->threads > 1 ? options->threads : 1;
  g->start = malloc(((size_t)cells_of(g) * (size_t)g->nspecies + 2) * sizeof *g->start);
  g->x = malloc(n * sizeof *g->x);
  g->molecule = malloc(n * sizeof *g->molecule);
  g->key = malloc(n * sizeof *g->key);
  g->monitor = malloc((size_t)g->npair * GOFR_SHELLS * sizeof *g->monitor);
  g->thread = calloc((size_t)g->nthread, sizeof *g->thread);
  int good = g->start != NULL && g->x != NULL && g->molecule != NULL && g->key != NULL &&
             g->monitor != NULL && g->thread != NULL;
  for (int t = 0; good && t < g->nthread; t++)
    good = thread_create(g, &g->thread[t]);
  if (!good)
    return error_memory(error, "radial distributions");
  return block_rows_create(
      &g->rows, &(BlockRowsShape){.real = g->npair * g->nbin + 1, .monitors = g->npair * GOFR_SHELLS}, error);
}

static Status gofr_create(void **self, const ObservableOptions *options, const ObservableFrame *frame,
                          Error *error)
{
  static const GofrKernels *const tables[ISA_COUNT] = ISA_TABLES(gofr_kernels_table);
  *self = NULL;
  Isa isa;
  Status status = isa_wanted(&isa, error);
  if (status != STATUS_OK)
    return status;
  Gofr *g = calloc(1, sizeof *g);
  if (g == NULL)
    return error_memory(error, "radial distributions");
  g->kernels = tables[isa];
  status = species_create(g, frame, error);
  if (status == STATUS_OK) {
    pairs_create(g);
    if (g->npair == 0)
      status = error_set(error, STATUS_INPUT, "radial distributions need two molecules or more");
  }
  if (status == STATUS_OK)
    status = range_create(g, options, frame->box, error);
  if (status == STATUS_OK)
    status = memory_create(g, options, error);
  if (status == STATUS_OK)
    status = offsets_create(g, frame->box, error);
  if (status != STATUS_OK)
    gofr_free(g);
  else
    *self = g;
  return status;
}

/* --- sorting into cells ----------------------------------------------------------------------------------
 */

/* A coordinate in the box, and its cell; -1 if it is no number. */
static int cell_of(double x, double length, int ncell, double *inside)
{
  *inside = x - length * floor(x / length);
  if (!isfinite(*inside))
    return -1;
  const int cell = (int)(*inside / length * ncell);
  return cell < ncell ? cell : ncell - 1;
}

static Status keys_find(Gofr *g, const ObservableFrame *frame, Error *error)
{
  memset(g->start, 0, ((size_t)cells_of(g) * (size_t)g->nspecies + 2) * sizeof *g->start);
  int i = 0;
  for (int b = 0; b < g->nblock; b++)
    for (int k = 0; k < g->nmol[b] * g->nsite[b]; k++, i++) {
      int cell = 0;
      for (int d = 0; d < 3; d++) {
        double inside;
        const int c = cell_of(frame->block[b].x[3 * (size_t)k + (size_t)d], box_length(frame->box, d),
                              g->ncell[d], &inside);
        if (c < 0)
          return error_set(error, STATUS_RUN, "molecule %d of %s has a coordinate that is not a number",
                           k / g->nsite[b] + 1, frame->block[b].kind->name);
        cell = cell * g->ncell[d] + c;
      }
      g->key[i] = cell * g->nspecies + g->species_of[b][k % g->nsite[b]];
      g->start[g->key[i] + 2]++;
    }
  return STATUS_OK;
}

/* Sites by cell and species; afterwards those of key k are start[k] to start[k + 1]. */
static Status cells_fill(Gofr *g, const ObservableFrame *frame, Error *error)
{
  TRY(keys_find(g, frame, error));
  const int keys = cells_of(g) * g->nspecies;
  for (int k = 1; k <= keys; k++)
    g->start[k + 1] += g->start[k];
  int i = 0, molecule = 0;
  for (int b = 0; b < g->nblock; b++)
    for (int k = 0; k < g->nmol[b] * g->nsite[b]; k++, i++) {
      const int to = g->start[g->key[i] + 1]++;
      for (int d = 0; d < 3; d++)
        (void)cell_of(frame->block[b].x[3 * (size_t)k + (size_t)d], box_length(frame->box, d), g->ncell[d],
                      &g->x[to][d]);
      g->molecule[to] = molecule;
      molecule += (k + 1) % g->nsite[b] == 0;
    }
  return STATUS_OK;
}

/* --- counting --------------------------------------------------------------------------------------------
 */

/* Puts all sites of a species in these cells side by side, from pack `at` on. */
static GofrRun gather(const Gofr *g, const GofrThread *thread, int at, int ncell, const int *cell,
                      int species)
{
  Octet(*const x)[4] = thread->x + at;
  int n = 0;
  for (int c = 0; c < ncell; c++) {
    const int key = cell[c] * g->nspecies + species;
    for (int i = g->start[key]; i < g->start[key + 1]; i++, n++) {
      Octet *const to = x[n / LANES];
      for (int d = 0; d < 3; d++)
        to[d][n % LANES] = g->x[i][d];
      to[3][n % LANES] = g->molecule[i];
    }
  }
  for (int k = n; k % LANES != 0; k++)
    for (int d = 0; d < 4; d++)
      x[k / LANES][d][k % LANES] = NAN;
  return (GofrRun){x[0], 4, 0, n};
}

/* The sites of a cell with those of the listed ones. */
static void count_cells(const Gofr *g, const GofrThread *thread, int home, int ncell, const int *cell,
                        uint32_t *count)
{
  const GofrRule rule = {{box_length(&g->box, 0), box_length(&g->box, 1), box_length(&g->box, 2)},
                         g->longest,
                         1.0 / g->width,
                         g->nbin};
  int at = 0;
  for (int s = 0; s < g->nspecies; s++) {
    const GofrRun run = gather(g, thread, at, ncell, cell, s);
    at += (run.to + LANES - 1) / LANES;
    for (int a = 0; a < g->nspecies && run.to > 0; a++) {
      const int pair = g->pair_of[a][s], key = home * g->nspecies + a;
      for (int i = g->start[key]; pair >= 0 && i < g->start[key + 1]; i++)
        g->kernels->box(&rule, g->x[i], g->molecule[i], &run,
                        count + (size_t)pair * ((size_t)g->nbin + LANES));
    }
  }
}

/* The cells that a cell is paired with; returns their number. */
static int partners(const Gofr *g, int home, int *cell)
{
  const int *n = g->ncell;
  const int at[3] = {home / (n[1] * n[2]), home / n[2] % n[1], home % n[2]};
  int count = 0;
  for (int k = 0; k < g->noffset; k++) {
    int other = 0;
    for (int d = 0; d < 3; d++)
      other = other * n[d] + (at[d] + g->offset[k].step[d]) % n[d];
    if (!g->offset[k].own_opposite || home < other)
      cell[count++] = other;
  }
  return count;
}

static void count_share(const Gofr *g, const Team *team)
{
  const GofrThread *thread = &g->thread[team->rank];
  int begin, end;
  team_range(team, cells_of(g), &begin, &end);
  memset(thread->apart, 0, 2 * counts_of(g) * sizeof *thread->apart);
  for (int home = begin; home < end; home++) {
    if (g->start[home * g->nspecies] == g->start[(home + 1) * g->nspecies])
      continue;
    count_cells(g, thread, home, partners(g, home, thread->cell), thread->cell, thread->apart);
    count_cells(g, thread, home, 1, &home, thread->together);
  }
}

/* Adds the team's counts to the series. */
static void sample_end(Gofr *g, const Team *team, const Box *box)
{
  double *row = block_rows_now(g->rows, 0).real;
  memset(g->monitor, 0, (size_t)g->npair * GOFR_SHELLS * sizeof *g->monitor);
  for (int p = 0; p < g->npair; p++)
    for (int b = 0; b < g->nbin; b++) {
      const size_t k = (size_t)p * ((size_t)g->nbin + LANES) + (size_t)b;
      double count = 0.0;
      for (int t = 0; t < team->size; t++)
        count += g->thread[t].apart[k] + 0.5 * g->thread[t].together[k];
      row[(size_t)p * (size_t)g->nbin + (size_t)b] += count;
      g->monitor[p * GOFR_SHELLS + (int)((int64_t)b * GOFR_SHELLS / g->nbin)] += count;
    }
  row[(size_t)g->npair * (size_t)g->nbin] += 1.0 / box_volume(box);
  block_rows_end(g->rows, 0, g->monitor);
}

static Status sample_begin(Gofr *g, const ObservableFrame *frame, Error *error)
{
  TRY(box_fits(g, frame->box, error));
  if (!box_same(&g->box, frame->box))
    TRY(offsets_create(g, frame->box, error));
  return cells_fill(g, frame, error);
}

static Status gofr_add(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  Gofr *g = self;
  if (team->rank == 0) {
    g->status = team->size <= g->nthread
                    ? sample_begin(g, frame, &g->error)
                    : error_set(&g->error, STATUS_INPUT, "radial distributions made for %d threads, not %d",
                                g->nthread, team->size);
  }
  team_barrier(team);
  const Status status = error_pass(error, g->status, &g->error);
  if (status == STATUS_OK)
    count_share(g, team);
  team_barrier(team);
  if (team->rank == 0 && status == STATUS_OK)
    sample_end(g, team, frame->box);
  team_barrier(team);
  return status;
}

static void gofr_chunks(void *self, ChunkList *list) { block_rows_chunks(((Gofr *)self)->rows, 0, list); }

const ObservableOps observable_gofr = {
    .name = "gofr",
    .doc = "radial distributions of all pairs of sites of different molecules, and coordination numbers",
    .create = gofr_create,
    .add = gofr_add,
    .write = gofr_result_write,
    .chunks = gofr_chunks,
    .free = gofr_free,
};
