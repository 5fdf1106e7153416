#include "forcefields/bulk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/bulk_kernels.h"
#include "forcefields/bulk_private.h"
#include "forcefields/reduction.h"
#include "forcefields/stage.h"

static const double stretch = 1.5; /* times its length, the longest a bond may be */

struct Bulk {
  BulkOptions options;
  BulkModel model;
  int n;
  BulkSwitching switching;
  const BulkKernels *kernels;
  Stage stage;
  BulkRow *row;     /* [n]            */
  Reduction *force; /* [n][BULK_INTS] */
  int64_t sums[LIST_CHUNKS][BULK_SUMS];
  BulkFault fault[LIST_CHUNKS];
};

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const BulkOptions *o, int n, Error *error)
{
  if (n < 1 || o->threads < 1)
    return error_set(error, STATUS_INPUT,
                     "bulk water needs at least one molecule and one thread, not %d and %d", n, o->threads);
  if (!(o->cutoff > 0.0 && isfinite(o->cutoff) && o->beta >= 0.0 && isfinite(o->beta)))
    return error_set(error, STATUS_INPUT,
                     "bulk water needs a positive cutoff and no negative beta, not %g A, %g/A", o->cutoff,
                     o->beta);
  if (!water_site_map(o->model).planar)
    return error_set(error, STATUS_INPUT, "the water force has no sites out of the plane, as %s has",
                     o->model->name);
  if (o->truncation == EWALD_SWITCH && !(o->lj_switch >= 0.0 && o->lj_switch < o->cutoff))
    return error_set(error, STATUS_INPUT,
                     "the switch of bulk water must begin between 0 and the cutoff of %g A, not at %g A",
                     o->cutoff, o->lj_switch);
  return isa_check(o->isa, error);
}

BulkSwitching bulk_switching(EwaldTruncation truncation, bool molecules)
{
  if (truncation != EWALD_SWITCH)
    return BULK_SWITCH_NOTHING;
  return molecules ? BULK_SWITCH_MOLECULES : BULK_SWITCH_LJ;
}

double bulk_near(double a, double c, double qq, double cutoff, double limit, double low)
{
  double r = cutoff;
  while (r * r > low && fabs((12.0 * a / pow(r, 6.0) - 6.0 * c) / pow(r, 7.0)) + fabs(qq) / (r * r) < limit)
    r *= 0.999;
  return fmax(r * r, low);
}

static BulkFloats make_floats(const BulkOptions *o, const SiteMap *map, double unit)
{
  const double force = 1 << BULK_FORCE_BITS, energy = 1 << BULK_ENERGY_BITS;
  const double a = map->lj[0], c = map->lj[1], rc6 = pow(o->cutoff, -6.0);
  BulkFloats f = {.unit = unit,
                  .grid = 48.0, /* floats within 16 of it are 2^-18 apart */
                  .cutoff2 = o->cutoff * o->cutoff / (unit * unit),
                  .a12 = 12.0 * a * pow(unit, -13.0) * force,
                  .c6 = 6.0 * c * pow(unit, -7.0) * force,
                  .a = a * pow(unit, -12.0) * energy,
                  .c = c * pow(unit, -6.0) * energy,
                  .shift = o->truncation == EWALD_SHIFT ? (a * rc6 - c) * rc6 * energy : 0.0,
                  .virial = 0.5 * unit * ldexp(1.0, BULK_VIRIAL_BITS - BULK_FORCE_BITS)};
  if (o->truncation == EWALD_SWITCH) {
    const double width = o->cutoff - o->lj_switch;
    f.start = o->lj_switch / width;
    f.per = unit / width;
    f.slope = 30.0 / width * force / energy;
  }
  return f;
}

void bulk_set_box(Bulk *bulk, const double length[3])
{
  BulkFloats *f = &bulk->model.floats;
  for (int d = 0; d < 3; d++) {
    bulk->options.length[d] = length[d];
    f->scale[d] = length[d] / 4294967296.0 / f->unit;
  }
  stage_set_box(&bulk->stage, length);
}

static double low_squared(const BulkFloats *f) { return 2.0 * f->unit * f->unit; }

static Status make_model(Bulk *bulk, Error *error)
{
  const BulkOptions *o = &bulk->options;
  BulkModel *m = &bulk->model;
  const SiteMap map = water_site_map(o->model);
  const double qq = UNITS_COULOMB * map.charge[1] * map.charge[1];
  const double reach = stretch * o->model->d_oh; /* of a hydrogen from its oxygen, A */
  const double longest = o->cutoff + 2.0 * reach;
  const double unit = fmax(1.000001 * longest / sqrt(512.0), o->cutoff / 15.9);
  m->weight = map.along[3][0];
  m->floats = make_floats(o, &map, unit);
  const double low = low_squared(&m->floats);
  if (o->beta * longest > 7.0)
    return error_set(
        error, STATUS_INPUT,
        "beta of %g/A is too large for the tables of the water force: with a cutoff of %g A take at most "
        "%.3g/A",
        o->beta, o->cutoff, 7.0 / longest);
  if (low > 2.5)
    return error_set(
        error, STATUS_INPUT,
        "a cutoff of %g A is too large for the tables of the water force: with this model they reach to "
        "%g A",
        o->cutoff, fmin(sqrt(2.5 * 256.0) - 2.0 * reach, 15.9 * sqrt(1.25)));
  bulk_table_fill(&m->tables, o->beta, unit, qq);
  /* Molecules that keep further apart have few near neighbours, and four times the limit is never reached by
   * a sum. */
  m->floats.near =
      bulk_near(map.lj[0], map.lj[1], 4.0 * qq, o->cutoff, ldexp(1.0, 31 - BULK_FORCE_BITS - 2), low) /
      (unit * unit);
  return STATUS_OK;
}

static void make_stage(Bulk *bulk)
{
  SiteMap map = water_site_map(bulk->options.model);
  stage_init(&bulk->stage, 1, &map, &bulk->n, stretch, bulk->options.isa);
  bulk->stage.frame.unit = bulk->model.floats.unit;
  bulk->stage.frame.grid = bulk->model.floats.grid;
}

void *bulk_zeros(int n, size_t bytes, int threads)
{
  void *const p = aligned_alloc(64, ((size_t)n * bytes + 63) / 64 * 64);
  if (p != NULL)
    team_clear(p, n, bytes, threads);
  return p;
}

Status bulk_create(Bulk **out, const BulkOptions *options, int n, Error *error)
{
  *out = NULL;
  Status status = check(options, n, error);
  if (status != STATUS_OK)
    return status;
  Bulk *bulk = calloc(1, sizeof *bulk);
  if (bulk == NULL)
    return error_memory(error, "the water force");
  static const BulkKernels *const kernels[ISA_COUNT] = ISA_TABLES(bulk_kernels_table);
  bulk->options = *options;
  bulk->n = n;
  bulk->kernels = kernels[options->isa];
  bulk->switching = bulk_switching(options->truncation, options->switch_molecules);
  bulk->row = bulk_zeros(n, sizeof *bulk->row, options->threads);
  status = bulk->row != NULL ? reduction_create(&bulk->force, n, BULK_INTS, sizeof(int32_t), options->threads,
                                                options->isa, error)
                             : error_memory(error, "the water force");
  if (status == STATUS_OK)
    status = make_model(bulk, error);
  if (status != STATUS_OK) {
    bulk_free(bulk);
    return status;
  }
  make_stage(bulk);
  bulk_set_box(bulk, options->length);
  *out = bulk;
  return STATUS_OK;
}

void bulk_free(Bulk *bulk)
{
  if (bulk == NULL)
    return;
  free(bulk->row);
  reduction_free(bulk->force);
  free(bulk);
}

/* --- positions ------------------------------------------------------------------------------------------ */

Status bulk_stage(Bulk *bulk, const Team *team, const ListView *list, const Block *block, int32_t (*o)[4],
                  const StageMesh *mesh, Error *error)
{
  return stage_rows(&bulk->stage, team, list, block, (StageOut){.o = o, .row = bulk->row, .mesh = mesh},
                    error);
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* Returns the first of this thread's chunks that went wrong, or LIST_CHUNKS. */
static int run_chunks(Bulk *bulk, const Team *team, const ListView *list, bool sums)
{
  BulkWork work = {.begin = list->begin,
                   .end = list->end,
                   .row = bulk->row,
                   .force = reduction_clear(bulk->force, team, list)};
  const bool four = bulk->model.weight != 0.0;
  BulkChunk *const chunk = bulk->kernels->chunk[four][sums][bulk->switching];
  int begin, end, bad = LIST_CHUNKS;
  team_range(team, list->nchunk, &begin, &end);
  for (int k = begin; k < end; k++) {
    bulk->fault[k] = (BulkFault){-1, -1};
    memset(bulk->sums[k], 0, sizeof bulk->sums[k]);
    work.chunk = &list->chunk[k];
    work.fault = &bulk->fault[k];
    work.sums = bulk->sums[k];
    chunk(&bulk->model, &work);
    if (bulk->fault[k].i >= 0 && bad == LIST_CHUNKS)
      bad = k;
  }
  return bad;
}

double bulk_sum(const int64_t *x, size_t stride, int n, int bits)
{
  uint64_t sum = 0;
  for (int k = 0; k < n; k++)
    sum += (uint64_t)x[(size_t)k * stride];
  return ldexp((double)(int64_t)sum, -bits);
}

void bulk_virial(const Stage *stage, const int64_t *x, size_t stride, int n, int bits, double virial[3][3])
{
  double w[9];
  stage_virial(stage, w);
  for (int k = 0; k < 9; k++)
    w[k] += bulk_sum(x + k, stride, n, bits);
  for (int k = 0; k < 9; k++)
    virial[k / 3][k % 3] = 0.5 * (w[k] + w[k % 3 * 3 + k / 3]);
}

static void add_sums(const Bulk *bulk, int nchunk, BulkSums *sums)
{
  const int64_t *x = bulk->sums[0];
  sums->lj = bulk_sum(x, BULK_SUMS, nchunk, BULK_ENERGY_BITS);
  sums->real = bulk_sum(x + 1, BULK_SUMS, nchunk, BULK_ENERGY_BITS);
  bulk_virial(&bulk->stage, x + 2, BULK_SUMS, nchunk, BULK_VIRIAL_BITS, sums->virial);
}

/* --- what went wrong ------------------------------------------------------------------------------------ */

/* The two atoms of two molecules that are closest for what they may be, and their distance; oxygens keep
 * `wider` times the distance of others. */
static double closest(const Bulk *bulk, const Block *block, int i, int j, double wider, int *a, int *b)
{
  double best = INFINITY, found = INFINITY;
  for (int s = 0; s < 9; s++) {
    double r2 = 0.0;
    for (int d = 0; d < 3; d++) {
      const double x = stage_coordinate(block, j, s % 3, d) - stage_coordinate(block, i, s / 3, d);
      const double near = box_nearest(x, bulk->options.length[d]);
      r2 += near * near;
    }
    const double weighed = s == 0 ? r2 / (wider * wider) : r2;
    if (weighed < best) {
      best = weighed;
      found = r2;
      *a = s / 3;
      *b = s % 3;
    }
  }
  return sqrt(found);
}

static Status say_close(const Bulk *bulk, const ListView *list, BulkFault fault, const Block *block,
                        Error *error)
{
  static const char *const name[3] = {"O", "H1", "H2"};
  int a = 0, b = 0;
  const int i = list->order[fault.i], j = list->order[fault.j];
  const BulkFloats *f = &bulk->model.floats;
  const double near = f->unit * sqrt(f->near), low = sqrt(low_squared(f));
  const double r = closest(bulk, block, i, j, near / low, &a, &b);
  return error_set(
      error, STATUS_RUN,
      "molecules %d and %d overlap: %s and %s are %.3g A apart; mixed precision takes oxygens down to %.3g A "
      "and other atoms down to %.3g A: relax the start in double precision, or take a smaller time step",
      i + 1, j + 1, name[a], name[b], r, near, low);
}

Status bulk_add(Bulk *bulk, const Team *team, const ListView *list, Block *block, BulkSums *sums,
                Error *error)
{
  if (team->size > bulk->options.threads || list->n != bulk->n || block->nmol != bulk->n)
    return error_set(error, STATUS_INPUT,
                     "the water force was made for %d molecules and %d threads, not %d and %d", bulk->n,
                     bulk->options.threads, block->nmol, team->size);
  const bool staged = bulk->stage.made == list->made;
  const Status status = staged ? STATUS_OK : bulk_stage(bulk, team, list, block, NULL, NULL, error);
  if (status != STATUS_OK)
    return status;
  const int64_t bad = team_least(team, run_chunks(bulk, team, list, sums != NULL));
  if (bad < LIST_CHUNKS)
    return say_close(bulk, list, bulk->fault[bad], block, error);
  const void *force = reduction_sum(bulk->force, team);
  team_barrier(team);
  const StageForces forces = {.place = list->place, .single = force};
  stage_deliver(&bulk->stage, team, &forces, block, sums != NULL);
  if (team->rank == 0)
    bulk->stage.made = -1; /* molecules will move */
  if (sums != NULL) {
    team_barrier(team);
    if (team->rank == 0)
      add_sums(bulk, list->nchunk, sums);
  }
  return STATUS_OK;
}
