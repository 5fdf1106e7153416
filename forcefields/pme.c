#include "forcefields/pme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "engine/tally.h"
#include "forcefields/pme_private.h"

/* Blocks along x are so wide that at most two thirds overhang. Within a block, sites are sorted by BELT rows
 * of the mesh, which fit in caches. BINS_MAX limits the write positions, which must fit, too. */
enum { BLOCKS_MAX = 32, BELT = 12, BINS_MAX = 4096 };

typedef struct Range {
  int begin, end;
} Range;

typedef double Sums[PME_FFT_SUMS];

struct Pme {
  const PmeKernels *kernels;
  PmePrecision precision;
  const Box *box;
  int nsite, threads;

  PmeMesh mesh;
  ptrdiff_t *slab, *line;
  void *q; /* mesh: charges, their transform, the potential */
  size_t bytes;
  char *buffer; /* [threads][fft.buffer] for transforms */
  char *patch;  /* [nblock][patch_size] contributions of blocks to the mesh, planes patch_plane bytes apart */
  size_t patch_size, patch_plane;
  void *g;
  PmeInfluence influence;
  PmeFft fft;

  int slabs, across, nblock; /* blocks: slabs of planes, each divided across its rows */
  int belts, nkey;           /* bins: each block by groups of rows */
  int *bin[3];               /* [n[d]] contribution of a point to the number of its bin */
  int *key;                  /* [nsite] bin of a site */
  Tally tally;               /* counts of sites by bin */
  char *share;               /* [threads][share_size] blocks where members' shares begin, equal for all */
  size_t share_size;
  PmeSites found, sorted;
  void *charge;     /* [nsite] */
  void *force;      /* [nsite][4] */
  Sums *part;       /* [n[1]/2 + 1] for wave number y */
  double (*net)[3]; /* [nblock] */
  double seconds[PME_COSTS];
  double last;
};

/* A thread's data of the sort, on cache lines of its own. */
typedef struct Bins {
  int *next;        /* [nkey] place of a bin's next site */
  const int *first; /* [nkey + 1] first sites of bins, equal for all */
  int *share;       /* [threads + 1] blocks where members' shares begin, likewise */
} Bins;

static Bins bins_of(const Pme *p, int rank)
{
  return (Bins){tally_next(&p->tally, rank), tally_first(&p->tally, rank),
                (int *)(void *)(p->share + (size_t)rank * p->share_size)};
}

/* --- creation ------------------------------------------------------------------------------------------- */

static void sites_free(PmeSites *s)
{
  free(s->row);
  free(s->tag);
}

/* Zeroed, since lanes after the last site are read. */
static bool sites_create(PmeSites *s, size_t n, size_t real)
{
  const size_t bytes = (4 * (n + PME_LANES) * real + 63) / 64 * 64;
  s->row = aligned_alloc(64, bytes);
  s->tag = calloc(n + PME_LANES, sizeof *s->tag);
  if (s->row != NULL)
    memset(s->row, 0, bytes);
  return s->row != NULL && s->tag != NULL;
}

void pme_free(Pme *p)
{
  if (p == NULL)
    return;
  pme_fft_free(&p->fft);
  pme_influence_free(&p->influence);
  sites_free(&p->found);
  sites_free(&p->sorted);
  free(p->force);
  free(p->charge);
  free(p->slab);
  free(p->line);
  free(p->q);
  free(p->g);
  free(p->buffer);
  free(p->patch);
  for (int d = 0; d < 3; d++)
    free(p->bin[d]);
  free(p->key);
  tally_free(&p->tally);
  free(p->share);
  free(p->part);
  free(p->net);
  free(p);
}

static Status check_box(const Box *box, Error *error)
{
  for (int d = 0; d < 3; d++)
    if (!(box_length(box, d) > 0.0) || !isfinite(box_length(box, d)))
      return error_set(error, STATUS_INPUT, "side %d of the box is %g A; the mesh needs a periodic box",
                       d + 1, box_length(box, d));
  return STATUS_OK;
}

static Status check(const PmeOptions *o, Error *error)
{
  const Status runs = isa_check(o->isa, error);
  if (runs != STATUS_OK)
    return runs;
  if (o->order < 4 || o->order > PME_ORDER_MAX)
    return error_set(error, STATUS_INPUT, "the splines have order %d; the mesh supports orders 4 to %d",
                     o->order, PME_ORDER_MAX);
  if (!(o->beta > 0.0) || !isfinite(o->beta))
    return error_set(error, STATUS_INPUT, "beta is %g 1/A; it must be positive", o->beta);
  if (o->nsite < 1 || o->threads < 1)
    return error_set(error, STATUS_INPUT,
                     "the mesh has %d charges and %d threads; at least one of each is required", o->nsite,
                     o->threads);
  for (int i = 0; i < o->nsite; i++)
    if (!isfinite(o->charge[i]))
      return error_set(error, STATUS_INPUT, "the charge of site %d is %g; it must be finite", i + 1,
                       o->charge[i]);
  for (int d = 0; d < 3; d++)
    if (o->grid[d] < 8 || o->grid[d] > PME_GRID_MAX)
      return error_set(error, STATUS_INPUT, "the mesh has %d points along side %d; 8 to %d are allowed",
                       o->grid[d], d + 1, PME_GRID_MAX);
  return check_box(o->box, error);
}

/* Planes have room for their transforms, n[1]/2 + 1 rows of complexes, and for register reads past the end.
 * They are an odd number of cache lines apart, so that lines across them use all cache sets. */
static void shape_mesh(PmeMesh *m, const int n[3], int order, size_t real)
{
  const int per_line = (int)(64 / real);
  *m = (PmeMesh){.order = order, .width = order == 4 ? 4 : 8, .wide = PME_WINDOW - order + 1};
  for (int d = 0; d < 3; d++)
    m->n[d] = n[d];
  m->row = (n[2] + PME_WINDOW + 7) / 8 * 8;
  m->plane = (((n[1] / 2 + 1) * 2 * m->row + 2 * per_line - 1) / per_line | 1) * per_line;
}

/* The first plane of slab b. */
static int slab_begin(const Pme *p, int b) { return p->mesh.n[0] * b / p->slabs; }

static int at_most(int n, int most)
{
  const int least = n < most ? n : most;
  return least < 1 ? 1 : least;
}

/* Bins: by slab, by windows of rows, by belts. */
static Status make_bins(Pme *p, Error *error)
{
  const PmeMesh *m = &p->mesh;
  p->slabs = at_most(2 * m->n[0] / (3 * (m->order - 1)), BLOCKS_MAX);
  p->across = (m->n[2] + m->wide - 1) / m->wide;
  p->nblock = p->slabs * p->across;
  p->belts = at_most(m->n[1] / BELT, BINS_MAX / p->nblock);
  p->nkey = p->nblock * p->belts;
  for (int d = 0; d < 3; d++) {
    p->bin[d] = calloc((size_t)m->n[d], sizeof(int));
    TRY_MEMORY(p->bin[d] != NULL, "the mesh", error);
  }
  for (int b = 0; b < p->slabs; b++)
    for (int i = slab_begin(p, b); i < slab_begin(p, b + 1); i++)
      p->bin[0][i] = b * p->across * p->belts;
  for (int i = 0; i < m->n[1]; i++)
    p->bin[1][i] = i * p->belts / m->n[1];
  for (int i = 0; i < m->n[2]; i++)
    p->bin[2][i] = i / m->wide * p->belts;
  return STATUS_OK;
}

static Status make_tables(Pme *p, Error *error)
{
  PmeMesh *m = &p->mesh;
  const int hang = m->order - 1;
  p->slab = calloc((size_t)m->n[0] + (size_t)hang, sizeof *p->slab);
  p->line = calloc((size_t)m->n[1] + (size_t)hang, sizeof *p->line);
  TRY_MEMORY(p->slab != NULL && p->line != NULL, "the mesh", error);
  for (int i = 0; i < m->n[0] + hang; i++)
    p->slab[i] = (ptrdiff_t)(i % m->n[0]) * m->plane;
  for (int i = 0; i < m->n[1] + hang; i++)
    p->line[i] = (ptrdiff_t)(i % m->n[1]) * m->row;
  m->slab = p->slab;
  m->line = p->line;
  return make_bins(p, error);
}

void pme_set_charge(Pme *p, int site, double charge)
{
  if (p->precision == PME_DOUBLE)
    ((double *)p->charge)[site] = charge;
  else
    ((float *)p->charge)[site] = (float)charge;
}

static Status make_sites(Pme *p, const PmeOptions *o, size_t real, Error *error)
{
  const size_t n = (size_t)o->nsite;
  p->key = calloc(n, sizeof(int));
  p->share_size = (((size_t)p->threads + 1) * sizeof(int) + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
  p->share = aligned_alloc(TEAM_LINE, p->share_size * (size_t)p->threads);
  p->part = calloc((size_t)p->mesh.n[1] / 2 + 1, sizeof *p->part);
  p->net = calloc((size_t)p->nblock, sizeof *p->net);
  p->charge = calloc(n + PME_LANES, real);
  p->force = aligned_alloc(64, (4 * n * real + 63) / 64 * 64);
  if (!sites_create(&p->found, n, real) || !sites_create(&p->sorted, n, real) || p->key == NULL ||
      p->share == NULL || !tally_create(&p->tally, p->nkey, p->threads) || p->part == NULL ||
      p->net == NULL || p->force == NULL || p->charge == NULL)
    return error_memory(error, "the sites of the mesh");
  p->found.charge = p->charge;
  for (int i = 0; i < o->nsite; i++)
    pme_set_charge(p, i, o->charge[i]);
  return STATUS_OK;
}

/* Memory for the largest block with its overhang at both ends: for all blocks or, with a single thread, for
 * those of one slab. Planes are an odd number of cache lines apart, as in the mesh. */
static Status make_patches(Pme *p, size_t real, Error *error)
{
  const size_t hang = (size_t)p->mesh.order - 1, slabs = (size_t)p->slabs, row = PME_WINDOW * real,
               planes = ((size_t)p->mesh.n[0] + slabs - 1) / slabs + hang, rows = (size_t)p->mesh.n[1] + hang;
  p->patch_plane = ((rows * row + 63) / 64 | 1) * 64;
  p->patch_size = (planes * p->patch_plane + row + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
  p->patch = aligned_alloc(TEAM_LINE, p->patch_size * (size_t)(p->threads == 1 ? p->across : p->nblock));
  TRY_MEMORY(p->patch != NULL, "the mesh", error);
  return STATUS_OK;
}

static Status build(Pme *p, const PmeOptions *o, Error *error)
{
  static const PmeKernels *const sets[2][3][ISA_COUNT] = {
      [PME_DOUBLE] = {ISA_TABLES(pme_double4_order4), ISA_TABLES(pme_double8_order5),
                      ISA_TABLES(pme_double8_order6)},
      [PME_FLOAT] = {ISA_TABLES(pme_float4_order4), ISA_TABLES(pme_float8_order5),
                     ISA_TABLES(pme_float8_order6)}};
  const size_t real = pme_real_size(o->precision);
  const int *n = o->grid;
  p->precision = o->precision;
  p->nsite = o->nsite;
  p->threads = o->threads;
  shape_mesh(&p->mesh, n, o->order, real);
  p->kernels = sets[p->precision][o->order - 4][o->isa];
  TRY(make_tables(p, error));
  TRY(make_patches(p, real, error));
  TRY(make_sites(p, o, real, error));
  TRY(pme_influence_create(&p->influence, n, o->order, o->beta, error));
  p->bytes = (size_t)n[0] * (size_t)p->mesh.plane * real;
  p->q = aligned_alloc(64, p->bytes);
  TRY(pme_fft_create(&p->fft, o->precision, &p->mesh, o->isa, error));
  p->buffer = aligned_alloc(64, p->fft.buffer * (size_t)p->threads);
  p->g = aligned_alloc(64, p->fft.influence);
  TRY_MEMORY(p->q != NULL && p->g != NULL && p->buffer != NULL, "the mesh", error);
  team_clear(p->q, n[0], p->bytes / (size_t)n[0], p->threads);
  memset(p->buffer, 0, p->fft.buffer * (size_t)p->threads);
  memset(p->g, 0, p->fft.influence);
  return pme_set_box(p, o->box, error);
}

Status pme_create(Pme **pme, const PmeOptions *o, Error *error)
{
  *pme = NULL;
  TRY(check(o, error));
  Pme *p = calloc(1, sizeof *p);
  TRY_MEMORY(p != NULL, "the mesh", error);
  TRY_ELSE(build(p, o, error), pme_free(p));
  *pme = p;
  return STATUS_OK;
}

Status pme_set_box(Pme *p, const Box *box, Error *error)
{
  TRY(check_box(box, error));
  p->box = box;
  pme_influence_fill(&p->influence, box, &p->fft, p->g);
  return STATUS_OK;
}

/* --- one evaluation ------------------------------------------------------------------------------------- */

static void begin(Pme *p, const Team *team)
{
  if (team->rank == 0)
    p->last = ticks_seconds();
}

static void lap(Pme *p, const Team *team, PmeCost part)
{
  if (team->rank == 0)
    p->seconds[part] += ticks_lap(&p->last);
}

const PmeMesh *pme_mesh(const Pme *p) { return &p->mesh; }

const PmeSites *pme_sites(const Pme *p) { return &p->found; }

/* Counts this thread's sites by bins. */
void pme_count(Pme *p, const Team *team)
{
  Range mine;
  begin(p, team);
  int *const count = tally_begin(&p->tally, team);
  team_range(team, p->nsite, &mine.begin, &mine.end);
  for (int i = mine.begin; i < mine.end; i++) {
    const uint32_t cell = (uint32_t)p->found.tag[i];
    const int key = p->bin[0][cell >> 20] + p->bin[1][cell >> 10 & 1023] + p->bin[2][cell & 1023];
    p->key[i] = key;
    count[key]++;
  }
  tally_end(&p->tally, team);
  lap(p, team, PME_SORT);
}

/* A block belongs to the member whose share of sites contains its middle site. */
static void share_blocks(const Pme *p, const Team *team, const Bins *bins)
{
  const int *const first = bins->first;
  int rank = 0;
  bins->share[0] = 0;
  for (int k = 0; k < p->nblock; k++)
    while (((int64_t)first[k * p->belts] + first[(k + 1) * p->belts]) * team->size >=
               2 * (int64_t)p->nsite * (rank + 1) &&
           rank + 1 < team->size)
      bins->share[++rank] = k;
  while (rank < team->size)
    bins->share[++rank] = p->nblock;
}

/* Sorts by bins, then by threads, whose shares are consecutive. */
void pme_sort(Pme *p, const Team *team)
{
  Range mine;
  begin(p, team);
  team_range(team, p->nsite, &mine.begin, &mine.end);
  tally_places(&p->tally, team);
  const Bins bins = bins_of(p, team->rank);
  share_blocks(p, team, &bins);
  p->kernels->sort(&p->found, p->key, mine.begin, mine.end, bins.next, &p->sorted);
  lap(p, team, PME_SORT);
}

static size_t plane_size(const Pme *p) { return (size_t)p->mesh.plane * pme_real_size(p->precision); }

static char *plane_of(const Pme *p, int x)
{
  return (char *)p->q + (size_t)(x % p->mesh.n[0]) * plane_size(p);
}

/* The sites of block k. */
static Range sites_of(const Pme *p, const int *first, int k)
{
  return (Range){first[k * p->belts], first[(k + 1) * p->belts]};
}

/* Planes reached by slab b. */
static Range reach(const Pme *p, int b)
{
  return (Range){slab_begin(p, b), slab_begin(p, b + 1) + p->mesh.order - 1};
}

/* Adds plane i of the patches of a slab to plane x of the mesh. */
static void add(const Pme *p, const char *patches, int i, int x)
{
  p->kernels->add(&p->mesh, p->across, patches + (size_t)i * p->patch_plane,
                  p->patch_size / pme_real_size(p->precision), plane_of(p, x));
}

/* A single thread adds each slab at once, in the same order, while it is in the cache. */
static void spread(const Pme *p, const Team *w)
{
  const bool alone = w->size == 1;
  if (alone)
    memset(p->q, 0, p->bytes);
  const Bins bins = bins_of(p, w->rank);
  TeamDeal deal = team_deal(w, p->nblock, bins.share);
  for (int k; (k = team_next(&deal)) >= 0;) {
    const Range x = reach(p, k / p->across), sites = sites_of(p, bins.first, k);
    char *const patches = p->patch + (alone ? 0 : (size_t)(k - k % p->across) * p->patch_size);
    char *const q = patches + (size_t)(k % p->across) * p->patch_size;
    memset(q, 0, (size_t)(x.end - x.begin) * p->patch_plane + PME_WINDOW * pme_real_size(p->precision));
    const PmePatch patch = {x.begin, k % p->across * p->mesh.wide,
                            (int)(p->patch_plane / pme_real_size(p->precision)), q};
    p->kernels->spread(&patch, &p->sorted, sites.begin, sites.end);
    for (int i = 0; alone && k % p->across == p->across - 1 && i < x.end - x.begin; i++)
      add(p, patches, i, x.begin + i);
  }
}

/* Adds the contributions of all slabs to plane x, in order. */
static void collect(const Pme *p, int x)
{
  memset(plane_of(p, x), 0, plane_size(p));
  for (int b = 0; b < p->slabs; b++) {
    const Range planes = reach(p, b);
    int i = (x - planes.begin + p->mesh.n[0]) % p->mesh.n[0];
    for (; i < planes.end - planes.begin; i += p->mesh.n[0])
      add(p, p->patch + (size_t)(b * p->across) * p->patch_size, i, x);
  }
}

static char *buffer_of(const Pme *p, const Team *w) { return p->buffer + (size_t)w->rank * p->fft.buffer; }

static void planes_forward(const Pme *p, const Team *w)
{
  TeamDeal deal = team_deal(w, p->mesh.n[0], NULL);
  for (int x; (x = team_next(&deal)) >= 0;) {
    if (w->size > 1)
      collect(p, x);
    p->kernels->fold(&p->mesh, plane_of(p, x));
    p->fft.kernels->plane(&p->fft, plane_of(p, x), buffer_of(p, w));
  }
}

static void planes_backward(const Pme *p, const Team *w)
{
  TeamDeal deal = team_deal(w, p->mesh.n[0], NULL);
  for (int x; (x = team_next(&deal)) >= 0;) {
    p->fft.kernels->plane_back(&p->fft, plane_of(p, x), buffer_of(p, w));
    p->kernels->repeat(&p->mesh, plane_of(p, x));
  }
}

static void lines(const Pme *p, const Team *w, bool measure)
{
  TeamDeal deal = team_deal(w, p->mesh.n[1] / 2 + 1, NULL);
  for (int y; (y = team_next(&deal)) >= 0;) {
    memset(p->part[y], 0, sizeof p->part[y]);
    p->fft.kernels->lines(&p->fft, p->q, y, p->g, &p->influence, buffer_of(p, w),
                          measure ? p->part[y] : NULL);
  }
}

static void gather(const Pme *p, const Team *w)
{
  double scale[3][3];
  for (int d = 0; d < 3; d++) {
    scale[d][d] = -p->mesh.n[d] / box_length(p->box, d);
    for (int e = 0; e < d; e++)
      scale[d][e] = -p->mesh.n[e] * p->box->inverse[d][e];
  }
  const Bins bins = bins_of(p, w->rank);
  TeamDeal deal = team_deal(w, p->nblock, bins.share);
  for (int k; (k = team_next(&deal)) >= 0;) {
    const Range sites = sites_of(p, bins.first, k);
    p->kernels->gather(&p->mesh, &p->sorted, sites.begin, sites.end, p->q, (const double(*)[3])scale,
                       p->force, p->net[k]);
  }
}

const void *pme_force(const Pme *p, double net[3])
{
  memset(net, 0, 3 * sizeof *net);
  for (int k = 0; k < p->nblock; k++)
    for (int d = 0; d < 3; d++)
      net[d] += p->net[k][d];
  return p->force;
}

/* Energy: half of e; virial: half of e - 2 v m_a m_b. */
static void sum_up(const Pme *p, PmeSums *sums)
{
  static const PmeFftSum of[3][3] = {{PME_SUM_XX, PME_SUM_XY, PME_SUM_XZ},
                                     {PME_SUM_XY, PME_SUM_YY, PME_SUM_YZ},
                                     {PME_SUM_XZ, PME_SUM_YZ, PME_SUM_ZZ}};
  Sums all = {0};
  for (int y = 0; y <= p->mesh.n[1] / 2; y++)
    for (int k = 0; k < PME_FFT_SUMS; k++)
      all[k] += p->part[y][k];
  *sums = (PmeSums){.energy = 0.5 * all[PME_SUM_E]};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      sums->virial[a][b] = (a == b ? sums->energy : 0.0) - all[of[a][b]];
  pme_force(p, sums->net);
}

void pme_solve(Pme *p, const Team *team, PmeSums *sums)
{
  begin(p, team);
  spread(p, team);
  team_barrier(team);
  lap(p, team, PME_SPREAD);
  planes_forward(p, team);
  team_barrier(team);
  lines(p, team, sums != NULL);
  team_barrier(team);
  planes_backward(p, team);
  team_barrier(team);
  lap(p, team, PME_FFT);
  gather(p, team);
  team_barrier(team);
  lap(p, team, PME_GATHER);
  if (team->rank == 0 && sums != NULL)
    sum_up(p, sums);
}

void pme_times(const Pme *p, double seconds[PME_COSTS]) { memcpy(seconds, p->seconds, sizeof p->seconds); }
