#include "forcefields/open_pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/units.h"
#include "forcefields/open_pairs_kernels.h"
#include "forcefields/virtual_lanes.h"

/* Of chunks of one replica, and pairs of octets that each should have at least. */
enum { CHUNKS_MAX = 32, CHUNK_PAIRS = 2048 };

/* A part of the rows' packs (of a gang: of the rows), as many times over as replicas have packs. States are
 * views with virtual sites below the calls of the force. */
typedef struct OpenPairs {
  const OpenPairsKernels *kernel;
  VirtualLanes *sites; /* NULL: there are none */
  Atoms *atoms;
  OpenPairsRows rows;
  bool gang;                 /* replicas in lanes */
  int slots, nchunk;         /* packs of replicas of a lane; chunks of each of these */
  int begin[CHUNKS_MAX + 1]; /* of each chunk */
  size_t size;               /* octets of x or f of a slot */
  Vec8 *x, *f, *energy;      /* [slots][size], [slots][nchunk][size], [slots][nchunk][OPEN_PAIRS_COLUMNS] */
  Arena arena;
} OpenPairs;

/* Number of a coordinate of a row in the x or f of replica lane r. */
static size_t element(const OpenPairs *p, int r, size_t row, size_t d)
{
  const size_t lane = p->gang ? (size_t)r % LANES : row % LANES;
  const size_t octet = p->gang ? (size_t)r / LANES * p->size + 3 * row + d : row / LANES * 3 + d;
  return octet * LANES + lane;
}

/* --- who sees whom -------------------------------------------------------------------------------------- */

/* Of row i: runs between the rows that it does not see; returns how many. NULL: they are counted. */
static int find_runs(const Atoms *a, int i, OpenPairsRun *run)
{
  int n = 0, from = i + 1;
  for (int k = a->begin[i]; k <= a->begin[i + 1]; k++) {
    const int to = k < a->begin[i + 1] ? a->partner[k] : a->nrow;
    if (to > from && run != NULL)
      run[n] = (OpenPairsRun){from, to};
    n += to > from;
    from = to >= from ? to + 1 : from;
  }
  return n;
}

/* Likewise: its own pack, of which it sees what is behind it, and those with a row that it does not see. */
static int find_masks(const Atoms *a, int i, OpenPairsMask *mask)
{
  int n = 1;
  OpenPairsMask last = {i / LANES, 0xfeU << i % LANES & 0xff};
  for (int k = a->begin[i]; k < a->begin[i + 1]; k++) {
    const int j = a->partner[k];
    if (j > i && j / LANES != last.pack) {
      if (mask != NULL)
        mask[n - 1] = last;
      n++;
      last = (OpenPairsMask){j / LANES, 0xff};
    }
    if (j > i)
      last.bits &= ~(1U << j % LANES);
  }
  if (mask != NULL)
    mask[n - 1] = last;
  return n;
}

static Status find_pairs(OpenPairs *p, Error *error)
{
  const Atoms *const a = p->atoms;
  OpenPairsRun *run = NULL;
  OpenPairsMask *mask = NULL;
  int *first = arena_take(&p->arena, (size_t)a->nrow + 1, sizeof *first);
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (int i = 0; i < a->nrow; i++)
    first[i + 1] = first[i] + (p->gang ? find_runs(a, i, NULL) : find_masks(a, i, NULL));
  if (p->gang)
    p->rows.run = run = arena_take(&p->arena, (size_t)first[a->nrow] + 1, sizeof *run);
  else
    p->rows.mask = mask = arena_take(&p->arena, (size_t)first[a->nrow] + 1, sizeof *mask);
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (int i = 0; i < a->nrow; i++)
    if (p->gang)
      find_runs(a, i, run + first[i]);
    else
      find_masks(a, i, mask + first[i]);
  p->rows.first = first;
  return STATUS_OK;
}

/* --- creation ------------------------------------------------------------------------------------------- */

static Status fill_rows(OpenPairs *p, Error *error)
{
  const Atoms *const a = p->atoms;
  const size_t ntype = (size_t)a->ntype, npack = ((size_t)a->nrow + LANES - 1) / LANES;
  double(*lj)[2] = arena_take(&p->arena, ntype * ntype, sizeof *lj), *root;
  Vec8(*with)[2] = arena_take(&p->arena, p->gang ? 1 : ntype * npack, sizeof *with);
  root = arena_take(&p->arena, npack * LANES, sizeof *root);
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (size_t k = 0; k < ntype * ntype; k++) {
    lj[k][0] = -12.0 * a->lj[k][0];
    lj[k][1] = 6.0 * a->lj[k][1];
  }
  for (size_t t = 0; t < ntype && !p->gang; t++)
    for (size_t i = 0; i < (size_t)a->nrow; i++)
      for (size_t k = 0; k < 2; k++)
        ((double *)&with[t * npack + i / LANES][k])[i % LANES] = lj[t * ntype + (size_t)a->type[i]][k];
  memcpy(root, a->root, (size_t)a->nrow * sizeof *root);
  p->rows = (OpenPairsRows){.nrow = a->nrow,
                            .npack = (int)npack,
                            .ntype = a->ntype,
                            .type = a->type,
                            .root = root,
                            .lj = (const double(*)[2])lj,
                            .with = (const Vec8(*)[2])with};
  return find_pairs(p, error);
}

/* Chunks of about as many pairs each: row i of n has n - i. */
static void cut(OpenPairs *p)
{
  const int n = p->gang ? p->rows.nrow : p->rows.npack;
  const double pairs = 0.5 * n * (n + 1.0), most = p->gang ? 1.0 : pairs * LANES / CHUNK_PAIRS;
  p->nchunk = most < 1.0 ? 1 : most > CHUNKS_MAX ? CHUNKS_MAX : (int)most;
  double before = 0.0;
  for (int i = 0, k = 1; i < n; i++) {
    before += n - i;
    while (k < p->nchunk && before >= pairs * k / p->nchunk)
      p->begin[k++] = i + 1;
  }
  p->begin[p->nchunk] = n;
}

static Status fill(OpenPairs *p, const AtomsInput *input, const State *shape, Isa isa, Error *error)
{
  p->gang = shape->width > 1;
  if (input->water >= 0)
    return error_set(error, STATUS_INPUT, "pairs of atoms in open space know no water of a model");
  if (box_periodic(&shape->box))
    return error_set(error, STATUS_INPUT, "pairs of atoms without a cutoff want a system without a box");
  TRY(isa_check(isa, error));
  p->kernel = ISA_PICK(open_pairs_table, isa);
  TRY(virtual_lanes_create(&p->sites, input->topology, shape, isa, error));
  TRY(atoms_create(&p->atoms, input, virtual_lanes_view(p->sites, shape), error));
  TRY(fill_rows(p, error));
  cut(p);
  p->slots = p->gang ? shape->width / LANES : 1;
  p->size = 3 * (size_t)(p->gang ? p->rows.nrow : p->rows.npack);
  const size_t slots = (size_t)p->slots, chunks = slots * (size_t)p->nchunk;
  p->x = arena_take(&p->arena, slots * p->size, sizeof *p->x);
  p->f = arena_take(&p->arena, chunks * p->size, sizeof *p->f);
  p->energy = arena_take(&p->arena, chunks * OPEN_PAIRS_COLUMNS, sizeof *p->energy);
  TRY(arena_check(&p->arena, "pairs of atoms", error));
  for (size_t i = (size_t)p->rows.nrow; !p->gang && i < (size_t)p->rows.npack * LANES; i++)
    for (size_t d = 0; d < 3; d++)
      ((double *)p->x)[element(p, 0, i, d)] = 1e15; /* far from all, and its powers are numbers yet */
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

/* Octets of the replicas of a lane, of the part of them in a slot. */
static size_t pack_of(const OpenPairs *p, int lane, int slot)
{
  return (size_t)lane * (size_t)p->slots + (size_t)slot;
}

/* Positions of this thread's share of the lanes. */
static void take(const OpenPairs *p, const Team *team, const State *state)
{
  for (int b = 0; b < state->nblock; b++) {
    const Block *const block = &state->block[b];
    const size_t n = 3 * (size_t)block->kind->nsite;
    int begin, end;
    team_range(team, block->nlane, &begin, &end);
    for (int lane = begin; lane < end; lane++) {
      const size_t row = row_of(p, state, b, lane);
      for (int slot = 0; slot < p->slots && p->gang; slot++)
        memcpy(p->x + (size_t)slot * p->size + 3 * row, block->q + pack_of(p, lane, slot) * n,
               n * sizeof(Vec8));
      const double *const q = state_element(block, block->q, 1, lane, 0, 0, 0);
      for (size_t i = 0; i < n && !p->gang; i++)
        ((double *)p->x)[element(p, 0, row + i / 3, i % 3)] = q[i * LANES];
    }
  }
}

static void run(const OpenPairs *p, const Team *team, bool wanted)
{
  int begin, end;
  team_range(team, p->slots * p->nchunk, &begin, &end);
  for (int k = begin; k < end; k++) {
    const int of = k % p->nchunk;
    const OpenPairsChunk chunk = {p->begin[of], p->begin[of + 1], p->x + (size_t)(k / p->nchunk) * p->size,
                                  p->f + (size_t)k * p->size,
                                  wanted ? p->energy + (ptrdiff_t)OPEN_PAIRS_COLUMNS * k : NULL};
    (p->gang ? p->kernel->gang : p->kernel->single)(&p->rows, &chunk);
  }
}

/* The force of all chunks on a coordinate of a row; a chunk has forces from its first pack on. */
static double sum_chunks(const OpenPairs *p, size_t row, size_t d)
{
  double sum = 0.0;
  for (int k = 0; k < p->nchunk && (size_t)p->begin[k] <= row / LANES; k++)
    sum += ((const double *)(p->f + (size_t)k * p->size))[element(p, 0, row, d)];
  return sum;
}

/* Forces on this thread's share of the lanes; returns whether they are below the limit. */
static bool hand_out(const OpenPairs *p, const Team *team, State *state)
{
  bool fit = true;
  for (int b = 0; b < state->nblock; b++) {
    const Block *const block = &state->block[b];
    const size_t n = 3 * (size_t)block->kind->nsite;
    int begin, end;
    team_range(team, block->nlane, &begin, &end);
    for (int lane = begin; lane < end; lane++) {
      const size_t row = row_of(p, state, b, lane);
      for (int slot = 0; slot < p->slots && p->gang; slot++) {
        const size_t pack = pack_of(p, lane, slot);
        fit &= p->kernel->hand_out((int)n, p->f + (size_t)slot * p->size + 3 * row,
                                   vec8_bits(block->active[pack] != 0.0), block->f + pack * n);
      }
      double *const f = state_element(block, block->f, 1, lane, 0, 0, 0);
      for (size_t i = 0; i < n && !p->gang; i++) {
        const double own = sum_chunks(p, row + i / 3, i % 3);
        fit &= fabs(own) < FORCE_MOST;
        f[i * LANES] += own;
      }
    }
  }
  return fit;
}

static void add_up(const OpenPairs *p, const State *state, double *energy)
{
  for (int c = 0; c < OPEN_PAIRS_COLUMNS; c++)
    for (int r = 0; r < state->width; r++) {
      double sum = 0.0;
      for (int k = r / LANES * p->nchunk; r < state->used && k < (r / LANES + 1) * p->nchunk; k++) {
        const Vec8 *const e = p->energy + (ptrdiff_t)OPEN_PAIRS_COLUMNS * k + c;
        sum += state->width == 1 ? vec8_sum(*e) : ((const double *)e)[r % LANES];
      }
      energy[c * state->width + r] = sum;
    }
}

/* --- faults --------------------------------------------------------------------------------------------- */

/* How hard two rows push each other apart or together in a replica; not finite where positions are not. */
static double push(const OpenPairs *p, int r, int i, int j, double *distance)
{
  const double *const x = (const double *)p->x, *const lj = atoms_lj(p->atoms, i, j);
  double square = 0.0;
  for (size_t d = 0; d < 3; d++) {
    const double apart = x[element(p, r, (size_t)i, d)] - x[element(p, r, (size_t)j, d)];
    square += apart * apart;
  }
  const double six = square * square * square;
  *distance = sqrt(square);
  return fabs(p->atoms->root[i] * p->atoms->root[j] / square +
              (12.0 * lj[0] / six - 6.0 * lj[1]) / (six * *distance));
}

/* Names those that push hardest. */
static Status say(const OpenPairs *p, const State *state, Error *error)
{
  char one[ATOMS_WORDS], other[ATOMS_WORDS], replica[32] = "";
  double most = -1.0, distance = 0.0;
  int worst[3] = {0};
  for (int r = 0; r < state->used; r++)
    for (int i = 0; i < p->rows.nrow; i++)
      for (int j = i + 1; j < p->rows.nrow && isfinite(most); j++) {
        double apart = 0.0;
        const double force = atoms_excluded(p->atoms, i, j) ? -1.0 : push(p, r, i, j, &apart);
        if (force <= most)
          continue;
        most = force;
        distance = apart;
        memcpy(worst, (int[3]){r, i, j}, sizeof worst);
      }
  if (p->gang)
    snprintf(replica, sizeof replica, " of replica %u", state->replica + (uint32_t)worst[0]);
  return error_set(
      error, STATUS_RUN,
      "%s and %s%s are %g A apart: the force is beyond %g kcal/mol/A or not finite: atoms lie on "
      "each other, or the run has blown up",
      atoms_words(p->atoms, worst[1], one), atoms_words(p->atoms, worst[2], other), replica, distance,
      FORCE_MOST);
}

/* --- the force ------------------------------------------------------------------------------------------ */

/* A lane's octets of several chunks, and in wide states its packs, are other threads' work: nobody may be at
 * work on forces when they are handed out. */
static Status add(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                  Error *error)
{
  (void)groups;
  const OpenPairs *p = self;
  State *view;
  TRY(virtual_lanes_place(p->sites, team, state, &view, error));
  take(p, team, view);
  team_barrier(team);
  run(p, team, sums != NULL);
  team_barrier(team);
  const bool fit = hand_out(p, team, view);
  if (team_least(team, fit) == 0)
    return say(p, view, error);
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
  if (p->sites != NULL)
    return error_set(error, STATUS_INPUT, "virtual sites of a file of molecules have no description");
  SiteDescription *site = arena_take(arena, (size_t)a->nrow, sizeof *site);
  int(*excluded)[2] = arena_take(arena, (size_t)a->nexcluded, sizeof *excluded), n = 0, row = 0;
  TRY(arena_check(arena, "the description of pairs of atoms", error));
  for (int b = 0; b < shape->nblock; b++)
    for (int k = 0, each = shape->block[b].kind->nsite; k < shape->block[b].nlane * each; k++, row++)
      site[row] = (SiteDescription){.natom = 1,
                                    .atom = {{.block = b, .lane = k / each, .site = k % each}},
                                    .charge = a->charge[row],
                                    .type = a->type[row]};
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

Status open_pairs_create(Force *force, const AtomsInput *input, const State *shape, Isa isa, Error *error)
{
  *force = (Force){0};
  OpenPairs *p = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "pairs of atoms", error);
  TRY_ELSE(fill(p, input, shape, isa, error), release(p));
  *force = (Force){&open_pairs_ops, p};
  return STATUS_OK;
}
