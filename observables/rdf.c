#include "observables/rdf.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
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

/* The species of site s of a block's molecules; -1: not counted; RDF_SPECIES: too many species. */
static int species_of(Rdf *rdf, const ObservableFrame *frame, int block, int s)
{
  const RdfSites *const named = rdf->is.options.sites;
  const Kind *const kind = frame->block[block].kind;
  if (named != NULL)
    return named->of[block][s];
  if (rdf->labelled)
    return species_index(rdf, kind->site[s]);
  if (rdf->nspecies == 0)
    (void)species_index(rdf, kind->site[0]);
  /* Frozen molecules of the first type are a type of their own with its name. */
  const bool same = block == 0 || strcmp(kind->name, frame->block[0].kind->name) == 0;
  return rdf->single || (same && s == 0) ? 0 : -1;
}

/* Describes the pairs of an open system: of named sites, of the first sites of one kind of molecules, or of
 * all sites of one molecule. */
static void name_pairs(Rdf *rdf, const ObservableFrame *frame)
{
  const Kind *kind = frame->block[0].kind;
  if (rdf->labelled) {
    for (int p = 0; p < rdf->npair; p++) {
      char label[40];
      rdf_peaks_label(rdf, p, label);
      text_append(rdf->pairs, sizeof rdf->pairs, "%s%s", p > 0 ? ", " : "", label);
    }
    snprintf(rdf->whose, sizeof rdf->whose, "%s pairs", rdf->pairs);
  } else if (rdf->single) {
    snprintf(rdf->pairs, sizeof rdf->pairs, "all sites");
    snprintf(rdf->whose, sizeof rdf->whose, "all pairs of sites");
  } else {
    snprintf(rdf->pairs, sizeof rdf->pairs, "%.15s-%.15s", kind->site[0], kind->site[0]);
    snprintf(rdf->whose, sizeof rdf->whose, "%s pairs, the first site of each ", rdf->pairs);
    text_append(rdf->whose, sizeof rdf->whose, "%s%smolecule", frame->nblock > 1 ? kind->name : "",
                frame->nblock > 1 ? " " : "");
  }
}

/* Counts the points of each species; of[block][site] becomes the species of each site. */
static Status species_create(Rdf *rdf, const ObservableFrame *frame, int **of, Error *error)
{
  const RdfSites *const named = rdf->is.options.sites;
  for (int k = 0; named != NULL && k < named->n; k++)
    (void)species_index(rdf, named->name[k]);
  for (int b = 0; b < frame->nblock; b++) {
    const ObservableBlock *const block = &frame->block[b];
    of[b] = observable_arena(rdf, (size_t)block->kind->nsite, sizeof **of);
    TRY_MEMORY(of[b] != NULL, "radial distributions", error);
    for (int s = 0; s < block->kind->nsite; s++) {
      const int k = of[b][s] = species_of(rdf, frame, b, s);
      if (k == RDF_SPECIES)
        return error_set(error, STATUS_INPUT,
                         "radial distributions allow up to %d names of sites; '%s' is one too many",
                         RDF_SPECIES, block->kind->site[s]);
      if (k >= 0)
        rdf->species[k].n += block->nmol;
    }
  }
  for (int k = 0; k < rdf->nspecies; k++) {
    rdf->species[k].first = rdf->npoint;
    rdf->npoint += rdf->species[k].n;
  }
  return STATUS_OK;
}

static Status points_create(Rdf *rdf, const ObservableFrame *frame, Error *error)
{
  const size_t batches = (size_t)rdf->is.options.replicas / LANES + 1;
  int **const of = observable_arena(rdf, (size_t)frame->nblock, sizeof *of), group = 0;
  int next[RDF_SPECIES];
  TRY_MEMORY(of != NULL, "radial distributions", error);
  TRY(species_create(rdf, frame, of, error));
  rdf->point = observable_arena(rdf, (size_t)rdf->npoint, sizeof *rdf->point);
  rdf->at = observable_arena(rdf, rdf->open ? batches * (size_t)rdf->npoint : 0, sizeof *rdf->at);
  TRY(arena_check(&rdf->is.arena, "radial distributions", error));
  for (int k = 0; k < rdf->nspecies; k++)
    next[k] = rdf->species[k].first;
  for (int b = 0; b < frame->nblock; b++)
    for (int m = 0; m < frame->block[b].nmol; m++, group++)
      for (int s = 0; s < frame->block[b].kind->nsite; s++)
        if (of[b][s] >= 0)
          rdf->point[next[of[b][s]]++] = (RdfPoint){b, m, s, of[b][s], rdf->single ? s : group};
  return STATUS_OK;
}

/* Lists the pairs of points of species a and b in different groups, each once, as runs. Returns the number of
 * runs; run = NULL: only counts *pairs. */
static int find_runs(const Rdf *rdf, int a, int b, RdfPointRun *run, double *pairs)
{
  const RdfSpecies *const sa = &rdf->species[a], *const sb = &rdf->species[b];
  const int end = sb->first + sb->n;
  int n = 0, own = sb->first, behind = sb->first;
  *pairs = 0.0;
  for (int i = sa->first; i < sa->first + sa->n; i++) {
    const int group = rdf->point[i].group;
    while (own < end && rdf->point[own].group < group)
      own++;
    while (behind < end && rdf->point[behind].group <= group)
      behind++;
    const RdfPointRun both[2] = {{i, sb->first, a == b ? sb->first : own}, {i, behind, end}};
    for (int k = 0; k < 2; k++)
      if (both[k].end > both[k].begin) {
        *pairs += both[k].end - both[k].begin;
        if (run != NULL)
          run[n] = both[k];
        n++;
      }
  }
  return n;
}

static Status pairs_create(Rdf *rdf, Error *error)
{
  for (int a = 0; a < rdf->nspecies; a++)
    for (int b = a; b < rdf->nspecies; b++) {
      RdfPair *const pair = &rdf->pair[rdf->npair];
      *pair = (RdfPair){.a = a, .b = b};
      pair->nrun = find_runs(rdf, a, b, NULL, &pair->pairs);
      rdf->pair_of[a][b] = rdf->pair_of[b][a] = pair->nrun > 0 ? rdf->npair : -1;
      if (pair->nrun == 0)
        continue;
      rdf->npair++;
      pair->run = observable_arena(rdf, rdf->open ? (size_t)pair->nrun : 0, sizeof *pair->run);
      TRY(arena_check(&rdf->is.arena, "radial distributions", error));
      if (rdf->open)
        find_runs(rdf, a, b, pair->run, &pair->pairs);
    }
  if (rdf->npair > 0)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "radial distributions need at least two molecules%s; rdf_every: 0 leaves them out",
                   rdf->is.options.sites != NULL ? " that have the named sites"
                   : !rdf->open                  ? ""
                   : rdf->single                 ? ", or two sites of a single one"
                                                 : " of the first type, or names of sites (rdf_sites)");
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static Status range_create(Rdf *rdf, const Box *box, Error *error)
{
  const ObservableOptions *options = &rdf->is.options;
  const double share = options->breathes ? 0.45 : 0.5; /* the box may shrink, rarely by more */
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
    return error_set(error, STATUS_INPUT, "bins of %g A in a range of %g A: 1 to 1000000 bins are allowed",
                     rdf->width, rdf->longest);
  rdf->nbin = (int)(bins * (1.0 + 1e-12));
  if (!rdf->open)
    rdf->longest = rdf->nbin * rdf->width; /* whole number of bins */
  rdf->volume = rdf_result_shell(rdf, 0.0, rdf->longest);
  rdf->rule = (RdfRule){.longest = rdf->longest, .scale = rdf->nbin / rdf->longest, .nbin = rdf->nbin};
  return STATUS_OK;
}

static Status rows_create(Rdf *rdf, Error *error)
{
  const ObservableOptions *o = &rdf->is.options;
  const int counts = (int)rdf_result_counts(rdf, rdf->npair);
  const BlockRowsShape open = {.whole = counts,
                               .monitors = rdf->npair * RDF_MONITORS,
                               .low = 0.01 * RDF_UNIT,
                               .high = 0.99 * RDF_UNIT,
                               .draws = o->replicas > 1 ? o->replicas : 0,
                               .idle = o->idle},
                       box = {.whole = counts, .real = 1, .monitors = rdf->npair * RDF_SHELLS};
  rdf->is.shape = rdf->open ? open : box;
  rdf->is.heeded = !rdf->labelled; /* the largest of many noisy monitors does not represent the energies */
  rdf->is.nout = (int)rdf_result_curve(rdf, rdf->npair);
  if (!rdf->open || o->temperatures < 2 || o->points == 0)
    return STATUS_OK;
  const EnergyColumnsOptions columns = {.temperatures = o->temperatures,
                                        .ladders = o->ladders,
                                        .first = o->first,
                                        .slots = o->replicas,
                                        .columns = counts,
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
  rdf->labelled = !rdf->open || rdf->is.options.sites != NULL;
  rdf->single = !rdf->labelled && observable_molecules(frame) == 1;
  rdf->dim = frame->block[0].kind->dim;
  TRY(points_create(rdf, frame, error));
  TRY(pairs_create(rdf, error));
  name_pairs(rdf, frame);
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

/* Monitors of a pair in a sample of an open system. */
static void watch_open(const Rdf *rdf, int p)
{
  const double pairs = rdf->pair[p].pairs;
  const int64_t *const now = rdf->now + (ptrdiff_t)p * rdf->nbin;
  double *const monitor = rdf->is.monitor + (ptrdiff_t)p * RDF_MONITORS;
  int64_t inside = 0, twice = 0;
  for (int64_t k = 1, b = 0; k <= RDF_BELOW; k++) {
    for (const int64_t end = (k * rdf->nbin + RDF_BELOW - 1) / RDF_BELOW; b < end; b++) {
      inside += now[b];
      twice += (2 * b + 1) * now[b];
    }
    monitor[k] = rint(RDF_UNIT * ((double)inside / pairs));
  }
  monitor[0] = rint(RDF_UNIT * ((0.5 * (double)twice / rdf->nbin + pairs - (double)inside) / pairs));
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
  const int64_t *now = rdf->now;
  for (int p = 0; p < rdf->npair; p++) {
    int64_t *const count = row.whole + rdf_result_counts(rdf, p), inside = 0;
    for (int b = 0; b < rdf->nbin; b++, now++) {
      count[b] += *now;
      inside += *now;
    }
    if (!rdf->open)
      continue;
    count[rdf->nbin] += (int64_t)rdf->pair[p].pairs - inside;
    watch_open(rdf, p);
  }
  if (rdf->reach != NULL)
    *rdf->reach = fmin(*rdf->reach, 0.5 * box_shortest(box));
  if (rdf->open)
    return;
  row.real[0] += 1.0 / box_volume(box);
  watch_box(rdf);
}

Status rdf_add_positions(Observable *o, int replica, const double (*x)[3], Error *error)
{
  Rdf *const rdf = (Rdf *)o;
  const Team alone = {.size = 1};
  const ObservableBlock block = {.kind = &point[2], .nmol = rdf->npoint, .x = x[0]};
  TRY(rdf_cells_begin(rdf, &alone, &(ObservableFrame){.box = &rdf->box, .nblock = 1, .block = &block},
                      error));
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

/* Adds the pairs of eight replicas to their counts. */
static void count_lanes(const Rdf *rdf, const double *const *at, int64_t *count[LANES])
{
  for (int p = 0; p < rdf->npair; p++) {
    const RdfPair *const pair = &rdf->pair[p];
    rdf->kernels->batch(&rdf->rule, rdf->dim, pair->nrun, pair->run, at, count);
    for (int l = 0; l < LANES; l++)
      count[l] += rdf->nbin + 1;
  }
}

static void rdf_add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const Rdf *rdf = self;
  const double **const at = rdf->at + (ptrdiff_t)(lanes->first / sample_width(sample)) * rdf->npoint;
  int64_t *count[LANES];
  assert(rdf->open);
  if (sample->team->rank != 0)
    return;
  for (int lane = 0; lane < sample_width(sample); lane += LANES) {
    for (int i = 0; i < rdf->npoint; i++) {
      const RdfPoint *const p = &rdf->point[i];
      at[i] = (const double *)sample_vec8s(sample, &lanes->topology->sort[p->block], STATE_POSITIONS,
                                           p->molecule, p->site, lane / LANES);
    }
    for (int l = 0; l < LANES; l++) {
      const int draw =
          lanes->slot != NULL ? lanes->slot[lane + l] - rdf->is.options.first : lanes->first + lane + l;
      count[l] = block_rows_now(rdf->is.rows, draw).whole;
      block_rows_end(rdf->is.rows, draw, NULL);
    }
    int64_t *own[LANES];
    memcpy(own, count, sizeof own);
    count_lanes(rdf, at, own);
    if (rdf->columns == NULL)
      continue;
    for (int l = 0; l < LANES; l++) /* idle lanes count into memory that is ignored */
      if (lanes->slot[lane + l] - rdf->is.options.first < block_rows_number(rdf->is.rows))
        count[l] = energy_columns_add(rdf->columns, lanes->slot[lane + l], lanes->energy[lane + l]);
    count_lanes(rdf, at, count);
  }
}

static void rdf_chunks(void *self, ChunkList *list)
{
  const Rdf *rdf = self;
  if (rdf->columns != NULL)
    energy_columns_chunks(rdf->columns, rdf->is.options.batches > 0 ? rdf->is.options.batches : 1, list);
}

const ObservableOps observable_rdf = {
    .name = "rdf",
    .doc = "radial distributions: in a box of all sites, with coordination numbers; in open space of the "
           "sites in output.rdf_sites, or else of first sites (oxygens of water), or of all sites of a "
           "single molecule",
    .size = sizeof(Rdf),
    .flat = true,
    .create = rdf_create,
    .begin = rdf_cells_begin,
    .share = rdf_share,
    .end = rdf_end,
    .add_lanes = rdf_add_lanes,
    .evaluate = rdf_result_evaluate,
    .write = rdf_result_write,
    .draw = rdf_result_draw,
    .chunks = rdf_chunks,
    .free = rdf_free,
};
