#include "observables/rdf.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa.h"
#include "observables/rdf_private.h"

/* --- species ---------------------------------------------------------------------------------------------
 */

static int species_index(Rdf *rdf, const char *name)
{
  int s = 0;
  while (s < rdf->nspecies && strcmp(rdf->species[s].name, name) != 0)
    s++;
  if (s == rdf->nspecies && s < RDF_SPECIES) {
    snprintf(rdf->species[s].name, sizeof rdf->species[s].name, "%s", name);
    rdf->nspecies++;
  }
  return s;
}

static Status blocks_create(Rdf *rdf, int nblock, Error *error)
{
  rdf->nblock = nblock;
  rdf->nmol = observable_arena(rdf, (size_t)nblock, sizeof *rdf->nmol);
  rdf->nsite = observable_arena(rdf, (size_t)nblock, sizeof *rdf->nsite);
  rdf->species_of = observable_arena(rdf, (size_t)nblock, sizeof *rdf->species_of);
  TRY_MEMORY(rdf->nmol != NULL && rdf->nsite != NULL && rdf->species_of != NULL, "radial distributions",
             error);
  return STATUS_OK;
}

/* What pairs of points are called: those of the first sites of one kind of molecules, or all of one
 * molecule's. */
static void name_points(Rdf *rdf, const ObservableFrame *frame)
{
  const Kind *kind = frame->block[0].kind;
  if (rdf->points.sites) {
    snprintf(rdf->pairs, sizeof rdf->pairs, "all sites");
    snprintf(rdf->whose, sizeof rdf->whose, "all pairs of sites");
    return;
  }
  snprintf(rdf->pairs, sizeof rdf->pairs, "%.15s-%.15s", kind->site[0], kind->site[0]);
  snprintf(rdf->whose, sizeof rdf->whose, "%s pairs, the first site of each %s%smolecule", rdf->pairs,
           frame->nblock > 1 ? kind->name : "", frame->nblock > 1 ? " " : "");
}

/* The one species of an open system, whose points count as molecules of one site. */
static Status points_create(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  const size_t gangs = (size_t)rdf->is.options.replicas / LANES + 1;
  rdf->points = observable_points(frame);
  TRY(blocks_create(rdf, 1, error));
  rdf->at = observable_arena(rdf, gangs * (size_t)rdf->points.n, sizeof *rdf->at);
  rdf->species_of[0] = observable_arena(rdf, 1, sizeof(int));
  TRY_MEMORY(rdf->at != NULL && rdf->species_of[0] != NULL, "radial distributions", error);
  rdf->nmol[0] = rdf->sites = rdf->species[0].n = rdf->points.n;
  rdf->nsite[0] = rdf->nspecies = 1;
  snprintf(rdf->species[0].name, sizeof rdf->species[0].name, "%s", frame->block[0].kind->site[0]);
  name_points(rdf, frame);
  return STATUS_OK;
}

/* Those that are selected, each of which is a species. */
static void take_sites(Rdf *rdf, const RdfSites *sites, int block, int nmol)
{
  for (int s = 0; s < rdf->nsite[block]; s++) {
    const int k = sites->of[block][s];
    rdf->species_of[block][s] = k;
    if (k >= 0)
      rdf->species[k].n += nmol;
  }
}

static Status species_create(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  TRY(blocks_create(rdf, frame->nblock, error));
  rdf->sites = observable_sites(frame);
  const RdfSites *const sites = rdf->is.options.sites;
  for (int k = 0; sites != NULL && k < sites->n; k++)
    (void)species_index(rdf, sites->name[k]);
  for (int b = 0; b < frame->nblock; b++) {
    const ObservableBlock *block = &frame->block[b];
    rdf->nmol[b] = block->nmol;
    rdf->nsite[b] = block->kind->nsite;
    rdf->species_of[b] = observable_arena(rdf, (size_t)block->kind->nsite, sizeof(int));
    TRY_MEMORY(rdf->species_of[b] != NULL, "radial distributions", error);
    if (sites != NULL)
      take_sites(rdf, sites, b, block->nmol);
    for (int s = 0; sites == NULL && s < block->kind->nsite; s++) {
      const int k = species_index(rdf, block->kind->site[s]);
      if (k == RDF_SPECIES)
        return error_set(error, STATUS_INPUT,
                         "radial distributions take up to %d names of sites; '%s' is one too many",
                         RDF_SPECIES, block->kind->site[s]);
      rdf->species_of[b][s] = k;
      rdf->species[k].n += block->nmol;
    }
  }
  return STATUS_OK;
}

/* Pairs of sites of these species inside one molecule of the block. */
static double pairs_inside(const Rdf *rdf, int block, int a, int b)
{
  double na = 0.0, nb = 0.0;
  for (int s = 0; s < rdf->nsite[block]; s++) {
    na += rdf->species_of[block][s] == a;
    nb += rdf->species_of[block][s] == b;
  }
  return a == b ? 0.5 * na * (na - 1.0) : na * nb;
}

static void pairs_create(Rdf *rdf)
{
  for (int a = 0; a < rdf->nspecies; a++)
    for (int b = a; b < rdf->nspecies; b++) {
      const double na = rdf->species[a].n, nb = rdf->species[b].n;
      RdfPair *pair = &rdf->pair[rdf->npair];
      *pair = (RdfPair){a, b, a == b ? 0.5 * na * (na - 1.0) : na * nb};
      for (int k = 0; k < rdf->nblock; k++)
        pair->pairs -= rdf->nmol[k] * pairs_inside(rdf, k, a, b);
      if (pair->pairs > 0.0)
        rdf->pair_of[a][b] = rdf->pair_of[b][a] = rdf->npair++;
      else
        rdf->pair_of[a][b] = rdf->pair_of[b][a] = -1;
    }
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static Status range_create(Rdf *rdf, const Box *box, Error *error)
{
  const ObservableOptions *options = &rdf->is.options;
  const double share = options->breathes ? 0.45 : 0.5; /* a box may come to be smaller, seldom by more */
  rdf->longest = options->rdf.max > 0.0 ? options->rdf.max
                                        : fmin(12.0, rdf->open ? INFINITY : share * box_shortest(box));
  rdf->width = options->rdf.width > 0.0 ? options->rdf.width : 0.02;
  if (rdf->open)
    rdf->width = rdf->longest / (options->rdf.bins > 0 ? options->rdf.bins : 600);
  const double bins = rdf->longest / rdf->width;
  if (!rdf->open && !(options->rdf.max > 0.0)) {
    rdf->reach = observable_kept(rdf, 1, sizeof *rdf->reach);
    TRY_MEMORY(rdf->reach != NULL, "radial distributions", error);
    *rdf->reach = rdf->longest;
  }
  TRY(rdf_cells_fit(rdf, box, error));
  if (!(bins >= 1.0 && bins <= 1e6 && isfinite(rdf->longest)))
    return error_set(error, STATUS_INPUT, "bins of %g A in a range of %g A: 1 to 1000000 bins are possible",
                     rdf->width, rdf->longest);
  rdf->nbin = (int)(bins * (1.0 + 1e-12));
  if (!rdf->open)
    rdf->longest = rdf->nbin * rdf->width; /* whole bins */
  rdf->volume = rdf_result_shell(rdf, 0.0, rdf->longest);
  rdf->rule = (RdfRule){.longest = rdf->longest, .scale = rdf->nbin / rdf->longest, .nbin = rdf->nbin};
  return STATUS_OK;
}

static Status rows_create(Rdf *rdf, Error *error)
{
  const ObservableOptions *o = &rdf->is.options;
  const int counts = rdf->npair * rdf->nbin;
  const BlockRowsShape open = {.whole = counts + 1,
                               .monitors = RDF_MONITORS,
                               .low = 0.01 * RDF_UNIT,
                               .high = 0.99 * RDF_UNIT,
                               .draws = o->replicas > 1 ? o->replicas : 0,
                               .idle = o->idle},
                       box = {.whole = counts, .real = 1, .monitors = rdf->npair * RDF_SHELLS};
  rdf->is.shape = rdf->open ? open : box;
  rdf->is.heeded = rdf->open; /* in a box the largest of many noisy monitors says nothing of the energies */
  rdf->is.nout = (int)rdf_result_curve(rdf, rdf->npair);
  if (!rdf->open || o->temperatures < 2 || o->points == 0)
    return STATUS_OK;
  const EnergyColumnsOptions columns = {.temperatures = o->temperatures,
                                        .ladders = o->ladders,
                                        .first = o->first,
                                        .slots = o->replicas,
                                        .columns = counts + 1,
                                        .width = o->kT[0] / ENERGY_COLUMNS_BINS,
                                        .blocks = true};
  return energy_columns_create(&rdf->columns, &columns, error);
}

static Status rdf_create(void *self, const ObservableFrame *frame, Error *error)
{
  Rdf *rdf = self;
  static const RdfKernels *const tables[ISA_COUNT] = ISA_TABLES(rdf_kernels_table);
  Isa isa;
  TRY(isa_wanted(&isa, error));
  rdf->kernels = tables[isa];
  rdf->open = !box_periodic(frame->box);
  rdf->is.name = rdf->open ? "rdf" : "gofr";
  if (!rdf->open && !(box_volume(frame->box) > 0.0))
    return error_set(error, STATUS_INPUT,
                     "radial distributions need a box periodic in all directions, or in none");
  TRY((rdf->open ? points_create : species_create)(rdf, frame, error));
  pairs_create(rdf);
  if (rdf->npair == 0)
    return error_set(error, STATUS_INPUT,
                     "radial distributions need two molecules or more%s; rdf_every: 0 leaves them out",
                     rdf->open ? ", or two sites or more of a single one" : "");
  TRY(range_create(rdf, frame->box, error));
  TRY(rdf_cells_create(rdf, frame->box, error));
  return rows_create(rdf, error);
}

static const char *const oxygen[] = {"O"};
static const Kind point[3] = {{.name = "oxygen", .nsite = 1, .dim = 1, .site = oxygen},
                              {.name = "oxygen", .nsite = 1, .dim = 2, .site = oxygen},
                              {.name = "oxygen", .nsite = 1, .dim = 3, .site = oxygen}};

Status rdf_create_open(Observable **rdf, const ObservableOptions *options, int n, int dim, Error *error)
{
  const Box box = {0};
  const ObservableBlock block = {.kind = &point[dim - 1], .nmol = n};
  const ObservableFrame frame = {.box = &box, .nblock = 1, .block = &block};
  return observable_create(rdf, &observable_rdf, options, &frame, error);
}

static void rdf_free(void *self)
{
  const Rdf *rdf = self;
  free(rdf->offset);
  energy_columns_free(rdf->columns);
}

double rdf_rmax(const Observable *rdf) { return ((const Rdf *)rdf)->longest; }

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* Monitors of an open system's sample, of whose pairs so many are inside. */
static void watch_open(const Rdf *rdf)
{
  const double pairs = rdf->pair[0].pairs;
  int64_t inside = 0, twice = 0;
  for (int64_t k = 1, b = 0; k <= RDF_BELOW; k++) {
    for (const int64_t end = (k * rdf->nbin + RDF_BELOW - 1) / RDF_BELOW; b < end; b++) {
      inside += rdf->now[b];
      twice += (2 * b + 1) * rdf->now[b];
    }
    rdf->is.monitor[k] = rint(RDF_UNIT * ((double)inside / pairs));
  }
  rdf->is.monitor[0] = rint(RDF_UNIT * ((0.5 * (double)twice / rdf->nbin + pairs - (double)inside) / pairs));
}

static void watch_box(const Rdf *rdf)
{
  memset(rdf->is.monitor, 0, (size_t)rdf->npair * RDF_SHELLS * sizeof *rdf->is.monitor);
  for (int p = 0; p < rdf->npair; p++)
    for (int b = 0; b < rdf->nbin; b++)
      rdf->is.monitor[p * RDF_SHELLS + (int)((int64_t)b * RDF_SHELLS / rdf->nbin)] +=
          (double)rdf->now[p * rdf->nbin + b];
}

/* Adds the counts to the series, or to a replica. */
static void sample_end(const Rdf *rdf, int replica, const Box *box)
{
  const BlockRowsRow row = block_rows_now(rdf->is.rows, replica);
  const int counts = rdf->npair * rdf->nbin;
  int64_t inside = 0;
  for (int k = 0; k < counts; k++) {
    row.whole[k] += rdf->now[k];
    inside += rdf->now[k];
  }
  if (rdf->open)
    row.whole[counts] += (int64_t)rdf->pair[0].pairs - inside;
  else
    row.real[0] += 1.0 / box_volume(box);
  if (rdf->reach != NULL)
    *rdf->reach = fmin(*rdf->reach, 0.5 * box_shortest(box));
  (rdf->open ? watch_open : watch_box)(rdf);
}

static Status rdf_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  const Rdf *rdf = self;
  if (rdf->open)
    observable_points_frame(&rdf->points, frame, rdf->at);
  return rdf_cells_begin(self, team, frame, error);
}

Status rdf_add_positions(Observable *o, int replica, const double (*x)[3], Error *error)
{
  Rdf *const rdf = (Rdf *)o;
  const Team alone = {.size = 1};
  const ObservableBlock block = {.kind = &point[2], .nmol = rdf->nmol[0], .x = x[0]};
  TRY(rdf_begin(rdf, &alone, &(ObservableFrame){.box = &rdf->box, .nblock = 1, .block = &block}, error));
  rdf_cells_count(rdf, &alone);
  rdf_cells_end(rdf, &alone);
  sample_end(rdf, replica, &rdf->box);
  block_rows_end(o->rows, replica, o->options.replicas > 1 ? NULL : o->monitor);
  return STATUS_OK;
}

static void rdf_share(void *self, const Team *team, const ObservableFrame *frame)
{
  (void)frame;
  rdf_cells_count(self, team);
}

static void rdf_end(void *self, const Team *team, const ObservableFrame *frame)
{
  rdf_cells_end(self, team);
  sample_end(self, 0, frame->box);
}

static void rdf_add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const Rdf *rdf = self;
  const double **const at = rdf->at + (ptrdiff_t)(lanes->first / sample_width(sample)) * rdf->points.n;
  int64_t *count[LANES];
  assert(rdf->open);
  if (sample->team->rank != 0)
    return;
  for (int lane = 0; lane < sample_width(sample); lane += LANES) {
    observable_points_lane(&rdf->points, lanes, sample, lane, at);
    for (int l = 0; l < LANES; l++) {
      const int draw =
          lanes->slot != NULL ? lanes->slot[lane + l] - rdf->is.options.first : lanes->first + lane + l;
      count[l] = block_rows_now(rdf->is.rows, draw).whole;
      block_rows_end(rdf->is.rows, draw, NULL);
    }
    rdf->kernels->gang(&rdf->rule, rdf->points.dim, rdf->points.n, at, count);
    if (rdf->columns == NULL)
      continue;
    for (int l = 0; l < LANES; l++) /* idle ones stay where they do not count */
      if (lanes->slot[lane + l] - rdf->is.options.first < block_rows_number(rdf->is.rows))
        count[l] = energy_columns_add(rdf->columns, lanes->slot[lane + l], lanes->energy[lane + l]);
    rdf->kernels->gang(&rdf->rule, rdf->points.dim, rdf->points.n, at, count);
  }
}

static void rdf_chunks(void *self, ChunkList *list)
{
  const Rdf *rdf = self;
  if (rdf->columns != NULL)
    energy_columns_chunks(rdf->columns, rdf->is.options.gangs > 0 ? rdf->is.options.gangs : 1, list);
}

const ObservableOps observable_rdf = {
    .name = "rdf",
    .doc = "radial distributions: in a box of all pairs of sites of different molecules, with coordination "
           "numbers; of an open cluster the distances of first sites (of water its oxygens), of one molecule "
           "alone, "
           "or a system of sites, those of its sites",
    .size = sizeof(Rdf),
    .flat = true,
    .create = rdf_create,
    .begin = rdf_begin,
    .share = rdf_share,
    .end = rdf_end,
    .add_lanes = rdf_add_lanes,
    .evaluate = rdf_result_evaluate,
    .write = rdf_result_write,
    .draw = rdf_result_draw,
    .chunks = rdf_chunks,
    .free = rdf_free,
};
