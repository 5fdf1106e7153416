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
  const BulkKernels *mixed;
  const BulkKernels *exact;
  Stage stage;
  int64_t staged;    /* the making of the list in whose order the rows of now are; -1: none */
  BulkRow *row;      /* [n]              */
  double *exact_row; /* [n][BULK_ROW]    */
  Reduction *force;  /* [n][BULK_INTS] or [n][BULK_ROW] */
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
  for (int d = 0; d < 3; d++)
    if (!(o->length[d] >= 2.0 * o->cutoff && isfinite(o->length[d])))
      return error_set(
          error, STATUS_INPUT,
          "the box is %g A long in %c, which is less than twice the cutoff of %g A: take a larger box or "
          "a smaller cutoff",
          o->length[d], "xyz"[d], o -> cutoff);
  if (o->truncation >= BULK_SWITCH && !(o->switch_from >= 0.0 && o->switch_from < o->cutoff))
    return error_set(error, STATUS_INPUT,
                     "the switch of bulk water must begin between 0 and the cutoff of %g A, not at %g A",
                     o->cutoff, o->switch_from);
  return isa_check(o->isa, error);
}

double bulk_near(double a, double c, double qq, double cutoff, double limit, double low)
{
  double r = cutoff;
  while (r * r > low && fabs((12.0 * a / pow(r, 6.0) - 6.0 * c) / pow(r, 7.0)) + fabs(qq) / (r * r) < limit)
    r *= 0.999;
  return fmax(r * r, low);
}

/* Where the force of two oxygens exceeds the limit: molecules that keep further apart than that have few near
 * neighbours, and four times the limit is never reached by a sum. */
static double near_squared(const BulkModel *m, double cutoff, double limit, double low)
{
  return bulk_near(m->a, m->c, m->qq[0], cutoff, limit, low);
}

static BulkFloats make_floats(const BulkModel *m, double unit)
{
  const double force = 1 << BULK_FORCE_BITS, energy = 1 << BULK_ENERGY_BITS;
  BulkFloats f = {.unit = unit,
                  .grid = 48.0, /* floats within 16 of it are 2^-18 apart */
                  .cutoff2 = m->cutoff2 / (unit * unit),
                  .a12 = 12.0 * m->a * pow(unit, -13.0) * force,
                  .c6 = 6.0 * m->c * pow(unit, -7.0) * force,
                  .a = m->a * pow(unit, -12.0) * energy,
                  .c = m->c * pow(unit, -6.0) * energy,
                  .shift = m->shift * energy,
                  .virial = 0.5 * unit * ldexp(1.0, BULK_VIRIAL_BITS - BULK_FORCE_BITS)};
  if (m->width > 0.0) {
    f.start = m->start / m->width;
    f.per = unit / m->width;
    f.slope = 30.0 / m->width * force / energy;
  }
  return f;
}

void bulk_set_box(Bulk *bulk, const double length[3])
{
  BulkModel *m = &bulk->model;
  for (int d = 0; d < 3; d++) {
    bulk->options.length[d] = m->length[d] = length[d];
    m->inverse[d] = 1.0 / length[d];
    m->floats.scale[d] = length[d] / 4294967296.0 / m->floats.unit;
  }
  stage_set_box(&bulk->stage, length);
  bulk->staged = -1;
}

static double low_squared(const BulkModel *m) { return 2.0 * m->floats.unit * m->floats.unit; }

static Status make_model(Bulk *bulk, Error *error)
{
  const BulkOptions *o = &bulk->options;
  BulkModel *m = &bulk->model;
  const SiteMap map = water_site_map(o->model);
  const double qq = UNITS_COULOMB * map.charge[1] * map.charge[1], rc6 = pow(o->cutoff, -6.0);
  const double reach = stretch * o->model->d_oh; /* of a hydrogen from its oxygen, A */
  m->cutoff2 = o->cutoff * o->cutoff;
  m->weight = map.along[3][0];
  m->a = map.lj[0];
  m->c = map.lj[1];
  m->qq[0] = 4.0 * qq;
  m->qq[1] = -2.0 * qq;
  m->qq[2] = qq;
  if (o->truncation == BULK_SHIFT)
    m->shift = (m->a * rc6 - m->c) * rc6;
  if (bulk->switching != BULK_SWITCH_NOTHING) {
    m->start = o->switch_from;
    m->width = o->cutoff - o->switch_from;
  }
  const double longest = o->cutoff + 2.0 * reach;
  const double unit = fmax(1.000001 * longest / sqrt(512.0), o->cutoff / 15.9);
  if (o->beta * longest > 7.0)
    return error_set(
        error, STATUS_INPUT,
        "beta of %g/A is too large for the tables of the water force: with a cutoff of %g A take at most "
        "%.3g/A",
        o->beta, o->cutoff, 7.0 / longest);
  m->floats = make_floats(m, unit);
  bulk_set_box(bulk, o->length);
  if (low_squared(m) > 2.5)
    return error_set(
        error, STATUS_INPUT,
        "a cutoff of %g A is too large for the tables of the water force: with this model they reach to "
        "%g A",
        o->cutoff, fmin(sqrt(2.5 * 256.0) - 2.0 * reach, 15.9 * sqrt(1.25)));
  const Status status = bulk_table_create(&m->tables, o->beta, longest, unit, qq, error);
  if (status != STATUS_OK)
    return status;
  m->floats.near =
      near_squared(m, o->cutoff, ldexp(1.0, 31 - BULK_FORCE_BITS - 2), low_squared(m)) / (unit * unit);
  m->near_exact = near_squared(m, o->cutoff, ldexp(1.0, 63 - BULK_EXACT_BITS - 3), m->tables.exact_low);
  return STATUS_OK;
}

/* The kernels have the atoms alone in their rows, and place M themselves. */
static void make_stage(Bulk *bulk)
{
  SiteMap map = water_site_map(bulk->options.model);
  map.nsite = map.natom;
  stage_init(&bulk->stage, 1, &map, &bulk->n, stretch, bulk->options.isa);
  stage_set_box(&bulk->stage, bulk->model.length);
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
  static const BulkKernels *const mixed[ISA_COUNT] = ISA_TABLES(bulk_kernels_table);
  static const BulkKernels *const exact[ISA_COUNT] = ISA_TABLES(bulk_double_table);
  bulk->options = *options;
  bulk->n = n;
  bulk->mixed = mixed[options->isa];
  bulk->exact = exact[options->isa];
  bulk->staged = -1;
  bulk->switching = options->truncation == BULK_SWITCH       ? BULK_SWITCH_LJ
                    : options->truncation == BULK_SWITCH_ALL ? BULK_SWITCH_MOLECULES
                                                             : BULK_SWITCH_NOTHING;
  const bool floats = options->precision == BULK_MIXED;
  bulk->row = bulk_zeros(floats ? n : 1, sizeof *bulk->row, options->threads);
  bulk->exact_row = bulk_zeros(floats ? 1 : n, BULK_ROW * sizeof(double), options->threads);
  if (bulk->row == NULL || bulk->exact_row == NULL)
    status = error_memory(error, "the water force");
  if (status == STATUS_OK)
    status = reduction_create(&bulk->force, n, floats ? BULK_INTS : BULK_ROW, floats ? 4 : 8,
                              options->threads, options->isa, error);
  if (status == STATUS_OK)
    status = make_model(bulk, error);
  if (status != STATUS_OK) {
    bulk_free(bulk);
    return status;
  }
  make_stage(bulk);
  *out = bulk;
  return STATUS_OK;
}

void bulk_free(Bulk *bulk)
{
  if (bulk == NULL)
    return;
  bulk_table_free(&bulk->model.tables);
  free(bulk->row);
  free(bulk->exact_row);
  reduction_free(bulk->force);
  free(bulk);
}

/* --- positions ------------------------------------------------------------------------------------------ */

static inline double element(const Block *block, const Octet *field, int molecule, int site, int d)
{
  return ((const double *)field)[state_index(block, 1, molecule, 0, site, d)];
}

/* Positions, in fractions unless o is NULL, and in rows unless the list is. */
static Status stage(const Bulk *bulk, const Team *team, const ListView *list, const Block *block,
                    int32_t (*o)[4], Error *error)
{
  const bool floats = bulk->options.precision == BULK_MIXED, rows = list != NULL && list->made > 0;
  const StageOut out = {.o = o,
                        .place = rows ? list->place : NULL,
                        .row = rows && floats ? bulk->row : NULL,
                        .exact = rows && !floats ? bulk->exact_row : NULL,
                        .stride = BULK_ROW};
  return stage_run(&bulk->stage, team, block, &out, error);
}

Status bulk_stage(Bulk *bulk, const Team *team, const ListView *list, const Block *block, int32_t (*o)[4],
                  Error *error)
{
  const Status status = stage(bulk, team, list, block, o, error);
  if (team->rank == 0) /* read behind the barriers of the list */
    bulk->staged = status == STATUS_OK && list != NULL && list->made > 0 ? list->made : -1;
  return status;
}

/* --- forces --------------------------------------------------------------------------------------------- */

/* Returns the first of this thread's chunks that went wrong, or LIST_CHUNKS. */
static int run_chunks(Bulk *bulk, const Team *team, const ListView *list, bool sums)
{
  const bool floats = bulk->options.precision == BULK_MIXED;
  void *const force = reduction_clear(bulk->force, team, list);
  BulkWork work = {.begin = list->begin,
                   .end = list->end,
                   .row = bulk->row,
                   .force = floats ? force : NULL,
                   .exact_row = bulk->exact_row,
                   .exact_force = floats ? NULL : force};
  const bool four = bulk->model.weight != 0.0;
  BulkChunk *const chunk = floats ? bulk->mixed->chunk[four][sums][bulk->switching]
                                  : bulk->exact->chunk[four][sums][bulk->switching];
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

/* Hands the sums of the threads' forces to this thread's share of the packs. */
static void deliver(Bulk *bulk, const Team *team, const ListView *list, const void *force, Block *block,
                    bool sums)
{
  const bool floats = bulk->options.precision == BULK_MIXED;
  const StageForces forces = {.place = list->place,
                              .single = floats ? force : NULL,
                              .exact = floats ? NULL : force,
                              .stride = BULK_ROW};
  stage_deliver(&bulk->stage, team, &forces, block, sums);
}

static double sum_of(const int64_t *x, size_t stride, int n, int bits)
{
  uint64_t sum = 0;
  for (int k = 0; k < n; k++)
    sum += (uint64_t)x[(size_t)k * stride];
  return ldexp((double)(int64_t)sum, -bits);
}

/* r_x f_y over pairs of atoms is d_x F_y over pairs of molecules, d the vector of their oxygens, and
 * (r - r_O)_x f_y over atoms, f the force of all molecules. It is symmetric but for rounding. */
static void add_sums(const Bulk *bulk, int nchunk, BulkSums *sums)
{
  const bool floats = bulk->options.precision == BULK_MIXED;
  const int energy = floats ? BULK_ENERGY_BITS : BULK_SUM_BITS,
            virial = floats ? BULK_VIRIAL_BITS : BULK_SUM_BITS;
  double w[9];
  stage_virial(&bulk->stage, w);
  sums->lj = sum_of(&bulk->sums[0][0], BULK_SUMS, nchunk, energy);
  sums->real = sum_of(&bulk->sums[0][1], BULK_SUMS, nchunk, energy);
  for (int k = 0; k < 9; k++)
    w[k] += sum_of(&bulk->sums[0][2 + k], BULK_SUMS, nchunk, virial);
  for (int k = 0; k < 9; k++)
    sums->virial[k / 3][k % 3] = 0.5 * (w[k] + w[k % 3 * 3 + k / 3]);
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
      const double x = element(block, block->q, j, s % 3, d) - element(block, block->q, i, s / 3, d);
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
  const bool floats = bulk->options.precision == BULK_MIXED;
  const double near = floats ? bulk->model.floats.unit * sqrt(bulk->model.floats.near)
                             : sqrt(bulk->model.near_exact),
               low = sqrt(floats ? low_squared(&bulk->model) : bulk->model.tables.exact_low);
  const double r = closest(bulk, block, i, j, near / low, &a, &b);
  return error_set(
      error, STATUS_RUN,
      "molecules %d and %d overlap: %s and %s are %.3g A apart; %s precision takes oxygens down to %.3g A "
      "and other atoms down to %.3g A%s",
      i + 1, j + 1, name[a], name[b], r, floats ? "mixed" : "double", near, low,
      floats ? ": relax the start in double precision, or take a smaller time step" : "");
}

Status bulk_add(Bulk *bulk, const Team *team, const ListView *list, Block *block, BulkSums *sums,
                Error *error)
{
  if (team->size > bulk->options.threads || list->n != bulk->n || block->nmol != bulk->n)
    return error_set(error, STATUS_INPUT,
                     "the water force was made for %d molecules and %d threads, not %d and %d", bulk->n,
                     bulk->options.threads, block->nmol, team->size);
  const bool staged = bulk->staged == list->made;
  const Status status = staged ? STATUS_OK : stage(bulk, team, list, block, NULL, error);
  if (status != STATUS_OK)
    return status;
  const int64_t bad = team_least(team, run_chunks(bulk, team, list, sums != NULL));
  if (bad < LIST_CHUNKS)
    return say_close(bulk, list, bulk->fault[bad], block, error);
  const void *force = reduction_sum(bulk->force, team);
  team_barrier(team);
  deliver(bulk, team, list, force, block, sums != NULL);
  if (team->rank == 0)
    bulk->staged = -1; /* molecules will move */
  if (sums != NULL) {
    team_barrier(team);
    if (team->rank == 0)
      add_sums(bulk, list->nchunk, sums);
  }
  return STATUS_OK;
}
