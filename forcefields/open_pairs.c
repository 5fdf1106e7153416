#include "forcefields/open_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/units.h"
#include "forcefields/field.h"
#include "forcefields/open_pairs_kernels.h"
#include "forcefields/virtual_lanes.h"

/* Chunks of one replica, and the least pairs of packs in each. */
enum { CHUNKS_MAX = 32, CHUNK_PAIRS = 2048 };

/* A set of kernels with its memory. Chunks divide the rows' packs (batch: the rows), for each pack of
 * replicas. */
typedef struct Route {
  const OpenPairsKernels *kernel;
  OpenPairsRows rows;
  int slots, nchunk;         /* packs of replicas of a lane; chunks of each */
  int begin[CHUNKS_MAX + 1]; /* of each chunk */
  size_t size;               /* packs of x or f of a slot */
  void *x, *f;               /* [slots][size], [slots][nchunk][size] packs of 64 bytes */
  Vec8 *energy;              /* [slots][nchunk][OPEN_PAIRS_COLUMNS] */
} Route;

/* Below the calls of the force, states are views with virtual sites. */
typedef struct OpenPairs {
  VirtualLanes *sites; /* NULL: no virtual sites */
  Atoms *atoms;
  bool batch;         /* replicas in lanes */
  Route exact, mixed; /* mixed.kernel NULL: all in double; else mixed for forces and exact for energies */
  Arena arena;
} OpenPairs;

/* One replica: index of a row's first coordinate in x or f; the others follow `lanes` apart. */
static inline size_t element_of_row(size_t lanes, size_t row)
{
  return row / lanes * 3 * lanes + row % lanes;
}

/* Index of a coordinate of a row in the x or f of replica lane r. */
static size_t element(const OpenPairs *p, const Route *route, int r, size_t row, size_t d)
{
  const size_t lanes = (size_t)route->kernel->lanes, lane = (size_t)r % lanes;
  return p->batch ? ((size_t)r / lanes * route->size + 3 * row + d) * lanes + lane
                  : element_of_row(lanes, row) + d * lanes;
}

/* A number of an array in the precision of the kernels. */
static double get(const Route *route, const void *from, size_t i)
{
  return route->kernel->lanes > LANES ? ((const float *)from)[i] : ((const double *)from)[i];
}

static void put(const Route *route, void *to, size_t i, double number)
{
  if (route->kernel->lanes > LANES)
    ((float *)to)[i] = (float)number;
  else
    ((double *)to)[i] = number;
}

/* --- interacting rows ----------------------------------------------------------------------------------- */

/* Row i: runs of later rows between its excluded partners; returns their number. NULL: only counts. A
 * decoupled solute (alchemy.h) has no pairs here. */
static int find_runs(const Atoms *a, int i, OpenPairsRun *run)
{
  int n = 0, k = a->begin[i];
  bool open = false;
  for (int j = i + 1; j < a->nrow && !atoms_solute(a, i); j++) {
    while (k < a->begin[i + 1] && a->partner[k] < j)
      k++;
    const bool pairs = !(k < a->begin[i + 1] && a->partner[k] == j) && !atoms_solute(a, j);
    if (pairs && !open && run != NULL)
      run[n].begin = j;
    n += pairs && !open;
    if (pairs && run != NULL)
      run[n - 1].end = j + 1;
    open = pairs;
  }
  return n;
}

/* The rows of a pack that row i pairs with; rows after the last are far away and may stay. */
static unsigned mask_of(const Atoms *a, int i, int pack, int lanes)
{
  unsigned bits = (1U << lanes) - 1;
  if (atoms_solute(a, i))
    return 0;
  if (pack == i / lanes) /* earlier rows have this pair */
    bits &= (bits - 1) << i % lanes;
  for (int k = a->begin[i]; k < a->begin[i + 1]; k++)
    if (a->partner[k] / lanes == pack)
      bits &= ~(1U << a->partner[k] % lanes);
  for (int l = 0; l < lanes && a->solute != NULL && pack * lanes + l < a->nrow; l++)
    if (a->solute[pack * lanes + l])
      bits &= ~(1U << l);
  return bits;
}

/* Likewise masks: for its own pack, and for packs that it does not pair with completely. */
static int find_masks(const Atoms *a, int i, int lanes, OpenPairsMask *mask)
{
  const int packs = (a->nrow + lanes - 1) / lanes;
  int n = 0;
  for (int pack = i / lanes; pack < packs; pack++) {
    const unsigned bits = mask_of(a, i, pack, lanes);
    if (pack > i / lanes && bits == (1U << lanes) - 1)
      continue;
    if (mask != NULL)
      mask[n] = (OpenPairsMask){pack, bits};
    n++;
  }
  return n;
}

static Status find_pairs(OpenPairs *p, Route *route, Error *error)
{
  const Atoms *const a = p->atoms;
  const int lanes = route->kernel->lanes;
  OpenPairsRun *run = NULL;
  OpenPairsMask *mask = NULL;
  int *first = arena_take(&p->arena, (size_t)a->nrow + 1, sizeof *first);
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (int i = 0; i < a->nrow; i++)
    first[i + 1] = first[i] + (p->batch ? find_runs(a, i, NULL) : find_masks(a, i, lanes, NULL));
  if (p->batch)
    route->rows.run = run = arena_take(&p->arena, (size_t)first[a->nrow] + 1, sizeof *run);
  else
    route->rows.mask = mask = arena_take(&p->arena, (size_t)first[a->nrow] + 1, sizeof *mask);
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (int i = 0; i < a->nrow; i++)
    if (p->batch)
      find_runs(a, i, run + first[i]);
    else
      find_masks(a, i, lanes, mask + first[i]);
  route->rows.first = first;
  return STATUS_OK;
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status fill_rows(OpenPairs *p, Route *route, Error *error)
{
  const Atoms *const a = p->atoms;
  const size_t ntype = (size_t)a->ntype, lanes = (size_t)route->kernel->lanes,
               npack = ((size_t)a->nrow + lanes - 1) / lanes, real = sizeof(Vec8) / lanes;
  void *const lj = arena_take(&p->arena, 2 * ntype * ntype, real),
              *const with = arena_take(&p->arena, p->batch ? 1 : 2 * ntype * npack, sizeof(Vec8)),
              *const root = arena_take(&p->arena, npack, sizeof(Vec8));
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (size_t k = 0; k < ntype * ntype; k++) {
    put(route, lj, 2 * k, -12.0 * a->lj[k][0]);
    put(route, lj, 2 * k + 1, 6.0 * a->lj[k][1]);
  }
  for (size_t t = 0; t < ntype && !p->batch; t++)
    for (size_t i = 0; i < (size_t)a->nrow; i++)
      for (size_t k = 0; k < 2; k++)
        put(route, with, (2 * (t * npack + i / lanes) + k) * lanes + i % lanes,
            get(route, lj, 2 * (t * ntype + (size_t)a->type[i]) + k));
  for (size_t i = 0; i < (size_t)a->nrow; i++)
    put(route, root, i, a->root[i]);
  route->rows = (OpenPairsRows){.nrow = a->nrow,
                                .npack = (int)npack,
                                .ntype = a->ntype,
                                .type = a->type,
                                .root = root,
                                .lj = lj,
                                .with = with};
  return find_pairs(p, route, error);
}

/* Chunks of about equal numbers of pairs: row i of n has n - i. */
static void cut(const OpenPairs *p, Route *route)
{
  const int n = p->batch ? route->rows.nrow : route->rows.npack;
  const double pairs = 0.5 * n * (n + 1.0), most = p->batch ? 1.0 : pairs * LANES / CHUNK_PAIRS;
  route->nchunk = most < 1.0 ? 1 : most > CHUNKS_MAX ? CHUNKS_MAX : (int)most;
  double before = 0.0;
  for (int i = 0, k = 1; i < n; i++) {
    before += n - i;
    while (k < route->nchunk && before >= pairs * k / route->nchunk)
      route->begin[k++] = i + 1;
  }
  route->begin[route->nchunk] = n;
}

static Status route_create(OpenPairs *p, Route *route, const OpenPairsKernels *kernel, const State *shape,
                           Error *error)
{
  route->kernel = kernel;
  TRY(fill_rows(p, route, error));
  cut(p, route);
  route->slots = p->batch ? shape->width / kernel->lanes : 1;
  route->size = 3 * (size_t)(p->batch ? route->rows.nrow : route->rows.npack);
  const size_t slots = (size_t)route->slots, chunks = slots * (size_t)route->nchunk;
  route->x = arena_take(&p->arena, slots * route->size + 3, sizeof(Vec8)); /* 3: see `centre` */
  route->f = arena_take(&p->arena, chunks * route->size, sizeof(Vec8));
  route->energy = arena_take(&p->arena, chunks * OPEN_PAIRS_COLUMNS, sizeof(Vec8));
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (size_t i = (size_t)route->rows.nrow; !p->batch && i < (size_t)(route->rows.npack + 1) * LANES; i++)
    for (size_t d = 0; d < 3; d++) /* far from all others, with powers that do not overflow */
      put(route, route->x, element(p, route, 0, i, d), 1e15);
  return STATUS_OK;
}

static Status fill(OpenPairs *p, const AtomsInput *input, PairPrecision precision, const State *shape,
                   Isa isa, Error *error)
{
  p->batch = shape->width > 1;
  if (input->water >= 0)
    return error_set(error, STATUS_INPUT, "pairs of atoms in open space do not support model water");
  if (box_periodic(&shape->box))
    return error_set(error, STATUS_INPUT, "pairs of atoms without a cutoff need a system without a box");
  TRY(isa_check(isa, error));
  TRY(virtual_lanes_create(&p->sites, input->topology, shape, isa, error));
  TRY(atoms_create(&p->atoms, input, virtual_lanes_view(p->sites, shape), error));
  TRY(route_create(p, &p->exact, ISA_PICK(open_pairs_double_table, isa), shape, error));
  if (precision == PAIR_MIXED && shape->width != LANES)
    TRY(route_create(p, &p->mixed, ISA_PICK(open_pairs_mixed_table, isa), shape, error));
  return STATUS_OK;
}

static void release(void *self)
{
  OpenPairs *p = self;
  virtual_lanes_free(p->sites);
  atoms_free(p->atoms);
  arena_free(&p->arena);
  free(p);
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* Row of the first atom of a lane. */
static size_t row_of(const OpenPairs *p, const State *state, int block, int lane)
{
  return (size_t)p->atoms->first[block] + (size_t)lane * (size_t)state->block[block].kind->nsite;
}

/* Packs of eight replicas of a lane. */
static size_t pack_of(const OpenPairs *p, int lane, int slot)
{
  return (size_t)lane * (size_t)p->exact.slots + (size_t)slot;
}

/* Copies positions of this thread's share of the lanes, in double. */
static void gather(const OpenPairs *p, const Team *team, const State *state)
{
  const Route *const route = &p->exact;
  for (int b = 0; b < state->nblock; b++) {
    const Block *const block = &state->block[b];
    const size_t n = 3 * (size_t)block->kind->nsite;
    int begin, end;
    team_range(team, block->nlane, &begin, &end);
    for (int lane = begin; lane < end; lane++) {
      const size_t row = row_of(p, state, b, lane);
      for (int slot = 0; slot < route->slots && p->batch; slot++)
        memcpy((Vec8 *)route->x + (size_t)slot * route->size + 3 * row, block->q + pack_of(p, lane, slot) * n,
               n * sizeof(Vec8));
      const double *const q = state_element(block, block->q, 1, lane, 0, 0, 0);
      for (size_t i = 0; i < n && !p->batch; i++)
        ((double *)route->x)[element_of_row(LANES, row + i / 3) + i % 3 * LANES] = q[i * LANES];
    }
  }
  team_barrier(team);
}

/* Writes this thread's share of positions, relative to their mean, to the packs of the kernels in float. Each
 * joins two packs of eight; for one replica the last may join padding. */
static void centre(const OpenPairs *p, const Team *team)
{
  const Route *const from = &p->exact, *const to = &p->mixed;
  double middle[3] = {0.0};
  int begin, end;
  for (int i = 0; i < to->rows.nrow && !p->batch; i++)
    for (size_t d = 0; d < 3; d++)
      middle[d] += ((const double *)from->x)[element(p, from, 0, (size_t)i, d)] / to->rows.nrow;
  team_range(team, (int)to->size / 3, &begin, &end);
  for (size_t slot = 0; slot < (size_t)to->slots; slot++) {
    const OpenPairsPositions positions = {.x = (const Vec8 *)from->x + 2 * slot * from->size,
                                          .apart = p->batch ? from->size : 3,
                                          .step = p->batch ? 3 : 6,
                                          .middle = p->batch ? NULL : middle,
                                          .nrow = to->rows.nrow};
    to->kernel->centre(&positions, begin, end, (Vec8 *)to->x + slot * to->size);
  }
  team_barrier(team);
}

static void run(const OpenPairs *p, const Route *route, const Team *team, bool wanted)
{
  int begin, end;
  team_range(team, route->slots * route->nchunk, &begin, &end);
  for (int k = begin; k < end; k++) {
    const int of = k % route->nchunk;
    const OpenPairsChunk chunk = {route->begin[of], route->begin[of + 1],
                                  (const Vec8 *)route->x + (size_t)(k / route->nchunk) * route->size,
                                  (Vec8 *)route->f + (size_t)k * route->size,
                                  wanted ? route->energy + (ptrdiff_t)OPEN_PAIRS_COLUMNS * k : NULL};
    (p->batch ? route->kernel->batch : route->kernel->single)(&route->rows, &chunk);
  }
}

/* A lane of one replica; its rows begin at `row`. A chunk has forces from its first pack on. */
static bool scatter_single(const Route *route, const Block *block, int lane, size_t row)
{
  const size_t lanes = (size_t)route->kernel->lanes, step = route->size * lanes;
  double *f = state_element(block, block->f, 1, lane, 0, 0, 0);
  bool fit = true;
  for (const size_t end = row + (size_t)block->kind->nsite; row < end; row++) {
    const size_t pack = row / lanes, at = element_of_row(lanes, row);
    for (size_t d = 0; d < 3; d++, f += LANES) {
      double own = 0.0;
      for (size_t k = 0; k < (size_t)route->nchunk && (size_t)route->begin[k] <= pack; k++)
        own += get(route, route->f, k * step + at + d * lanes);
      fit &= fabs(own) < FORCE_MOST;
      *f += own;
    }
  }
  return fit;
}

/* A lane with replicas side by side; its rows begin at `row`. */
static bool scatter_batch(const OpenPairs *p, const Route *route, const Block *block, int lane, size_t row)
{
  const size_t n = 3 * (size_t)block->kind->nsite;
  const int packs = route->kernel->lanes / LANES;
  bool fit = true;
  for (int slot = 0; slot < route->slots; slot++) {
    unsigned used[2] = {0};
    Vec8 *f[2] = {NULL};
    for (int h = 0; h < packs; h++) {
      const size_t pack = pack_of(p, lane, slot * packs + h);
      used[h] = vec8_bits(block->active[pack] != 0.0);
      f[h] = block->f + pack * n;
    }
    fit &= route->kernel->scatter((int)n, (const Vec8 *)route->f + (size_t)slot * route->size + 3 * row, used,
                                  f);
  }
  return fit;
}

/* Forces on this thread's share of the lanes; returns whether all are below the limit. */
static bool scatter(const OpenPairs *p, const Route *route, const Team *team, State *state)
{
  bool fit = true;
  for (int b = 0; b < state->nblock; b++) {
    const Block *const block = &state->block[b];
    int begin, end;
    team_range(team, block->nlane, &begin, &end);
    for (int lane = begin; lane < end; lane++) {
      const size_t row = row_of(p, state, b, lane);
      fit &= p->batch ? scatter_batch(p, route, block, lane, row) : scatter_single(route, block, lane, row);
    }
  }
  return fit;
}

static void add_up(const OpenPairs *p, const State *state, double *energy)
{
  for (int c = 0; c < OPEN_PAIRS_COLUMNS; c++)
    for (int r = 0; r < state->width; r++) {
      double sum = 0.0;
      for (int k = r / LANES * p->exact.nchunk; r < state->used && k < (r / LANES + 1) * p->exact.nchunk;
           k++) {
        const Vec8 *const e = p->exact.energy + (ptrdiff_t)OPEN_PAIRS_COLUMNS * k + c;
        sum += state->width == 1 ? vec8_sum(*e) : ((const double *)e)[r % LANES];
      }
      energy[c * state->width + r] = sum;
    }
}

/* --- faults --------------------------------------------------------------------------------------------- */

/* The force between two rows in a replica; not finite where positions are not. */
static double push(const OpenPairs *p, int r, int i, int j, double *distance)
{
  const double *const x = p->exact.x, *const lj = atoms_lj(p->atoms, i, j);
  double square = 0.0;
  for (size_t d = 0; d < 3; d++) {
    const double apart =
        x[element(p, &p->exact, r, (size_t)i, d)] - x[element(p, &p->exact, r, (size_t)j, d)];
    square += apart * apart;
  }
  const double six = square * square * square;
  *distance = sqrt(square);
  return fabs(p->atoms->root[i] * p->atoms->root[j] / square +
              (12.0 * lj[0] / six - 6.0 * lj[1]) / (six * *distance));
}

/* Names the pair with the largest force. */
static Status report_clash(const OpenPairs *p, const State *state, Error *error)
{
  char one[ATOMS_WORDS], other[ATOMS_WORDS], replica[32] = "";
  double most = -1.0, distance = 0.0;
  int worst[3] = {0};
  for (int r = 0; r < state->used; r++)
    for (int i = 0; i < p->atoms->nrow; i++)
      for (int j = i + 1; j < p->atoms->nrow && isfinite(most); j++) {
        double apart = 0.0;
        const double force = atoms_excluded(p->atoms, i, j) ? -1.0 : push(p, r, i, j, &apart);
        if (force <= most)
          continue;
        most = force;
        distance = apart;
        memcpy(worst, (int[3]){r, i, j}, sizeof worst);
      }
  if (p->batch)
    snprintf(replica, sizeof replica, " of replica %u", state->replica + (uint32_t)worst[0]);
  return error_set(error, STATUS_RUN,
                   "%s and %s%s are %g A apart: the force is beyond %g kcal/mol/A or not finite: atoms "
                   "overlap, or the run has blown up",
                   atoms_words(p->atoms, worst[1], one), atoms_words(p->atoms, worst[2], other), replica,
                   distance, FORCE_MOST);
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* Forces on a lane come from chunks of several threads: all chunks must finish before forces are
 * scattered. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  const OpenPairs *p = self;
  const Route *const route = p->mixed.kernel != NULL ? &p->mixed : &p->exact;
  State *view;
  TRY(virtual_lanes_place(p->sites, team, state, &view, error));
  gather(p, team, view);
  if (route == &p->mixed) {
    centre(p, team);
    run(p, route, team, false);
  }
  if (route == &p->exact || sums != NULL)
    run(p, &p->exact, team, sums != NULL);
  team_barrier(team);
  const bool fit = scatter(p, route, team, view);
  if (team_least(team, fit) == 0)
    return report_clash(p, view, error);
  virtual_lanes_spread(p->sites, team, sums);
  if (sums == NULL)
    return STATUS_OK;
  if (team->rank == 0)
    add_up(p, state, sums->energy);
  team_barrier(team);
  return STATUS_OK;
}

static Status describe(const void *self, const State *shape, Arena *arena, ForceDescription *to, Error *error)
{
  const OpenPairs *p = self;
  const Atoms *a = p->atoms;
  SiteDescription *site = arena_take(arena, (size_t)a->nrow, sizeof *site);
  int(*excluded)[2] = arena_take(arena, (size_t)a->nexcluded, sizeof *excluded), n = 0, row = 0;
  TRY(arena_check(arena, "the description of pairs of atoms", error));
  for (int b = 0; b < shape->nblock; b++)
    for (int k = 0, each = shape->block[b].kind->nsite; k < shape->block[b].nlane * each; k++, row++)
      site[row] = (SiteDescription){.natom = 1,
                                    .atom = {{.block = b, .lane = k / each, .site = k % each}},
                                    .charge = a->charge[row],
                                    .type = a->type[row]};
  for (int i = row; i < a->nrow; i++)
    site[i] = (SiteDescription){.charge = a->charge[i], .type = a->type[i]};
  if (p->sites != NULL)
    TRY(virtual_lanes_describe(p->sites, site + row, error));
  for (int i = 0; i < a->nrow; i++)
    for (int k = a->begin[i]; k < a->begin[i + 1]; k++)
      if (a->partner[k] > i) {
        excluded[n][0] = i;
        excluded[n++][1] = a->partner[k];
      }
  to->form = FORM_PAIRS;
  to->pairs = (PairsDescription){.nsite = a->nrow,
                                 .site = site,
                                 .coulomb = UNITS_COULOMB,
                                 .ntype = a->ntype,
                                 .lj = (const double(*)[2])a->lj,
                                 .nexcluded = n,
                                 .excluded = (const int(*)[2])excluded};
  return STATUS_OK;
}

static const ForceOps open_pairs_ops = {.name = "open-pairs",
                                        .doc = "Coulomb and Lennard-Jones between all atoms, no cutoff",
                                        .nterm = OPEN_PAIRS_COLUMNS,
                                        .term = (const char *const[]){"coulomb", "lj"},
                                        .add = add,
                                        .describe = describe,
                                        .telling = 1,
                                        .free = release};

Status open_pairs_create(Force *force, const AtomsInput *input, PairPrecision precision, const State *shape,
                         Isa isa, Error *error)
{
  *force = (Force){0};
  OpenPairs *p = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "pairs of atoms", error);
  TRY_ELSE(fill(p, input, precision, shape, isa, error), release(p));
  *force = (Force){&open_pairs_ops, p};
  return STATUS_OK;
}

Status open_pairs_of_field(Force *force, const FieldInput *input, const State *shape, Error *error)
{
  return open_pairs_create(force, input->atoms, input->nonbonded.mixed ? PAIR_MIXED : PAIR_DOUBLE, shape,
                           input->isa, error);
}
