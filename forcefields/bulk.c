#include "forcefields/bulk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "forcefields/bulk_kernels.h"
#include "forcefields/bulk_private.h"
#include "forcefields/places.h"

enum { SHARES_MAX = 128, INTS = 16 /* of a row of float forces */ };

static const double stretch = 1.5; /* times its length, the longest a bond may be */

/* What went wrong with a share of the molecules, the first of them. */
typedef struct Unfit {
  int molecule; /* -1: nothing */
  double length;
} Unfit;

struct Bulk {
  BulkOptions options;
  BulkModel model;
  int n;
  double reach; /* of a hydrogen from its oxygen, A */
  const BulkKernels *mixed;
  const BulkDoubleKernels *exact;
  BulkRow *row;         /* [n]              */
  double *exact_row;    /* [n][BULK_ROW]    */
  int32_t *force;       /* [threads][n][INTS]     */
  int64_t *exact_force; /* [threads][n][BULK_ROW] */
  int64_t sums[SHARES_MAX][BULK_SUMS];
  BulkFault fault[SHARES_MAX];
  Unfit unfit[SHARES_MAX];
  Places places;
};

/* --- creation ------------------------------------------------------------------------------------------- */

static Status check(const BulkOptions *o, int n, Error *error)
{
  if (o->model->d_om != 0.0)
    return error_set(error, STATUS_INPUT,
                     "the force of bulk water takes models of three sites, which %s is not", o->model->name);
  if (n < 1 || o->threads < 1)
    return error_set(error, STATUS_INPUT,
                     "bulk water needs at least one molecule and one thread, not %d and %d", n, o->threads);
  if (!(o->cutoff > 0.0 && isfinite(o->cutoff) && o->beta >= 0.0 && isfinite(o->beta)))
    return error_set(error, STATUS_INPUT,
                     "bulk water needs a positive cutoff and no negative beta, not %g A, %g/A", o->cutoff,
                     o->beta);
  for (int d = 0; d < 3; d++)
    if (!(o->length[d] >= 2.0 * o->cutoff && isfinite(o->length[d])))
      return error_set(
          error, STATUS_INPUT,
          "the box is %g A long in %c, which is less than twice the cutoff of %g A: take a larger box or "
          "a smaller cutoff",
          o->length[d], "xyz"[d], o -> cutoff);
  if (!isa_runs(o->isa))
    return error_set(error, STATUS_INPUT, "this machine has no %s instructions", isa_name(o->isa));
  return STATUS_OK;
}

/* Inwards from the cutoff, the squared distance of two oxygens where their force exceeds `limit`. Molecules
 * that keep further apart than that have few near neighbours: four times the limit is never reached by a sum.
 */
static float near_squared(const BulkModel *m, double cutoff, double limit, double low)
{
  double r = cutoff;
  while (r * r > low &&
         fabs((12.0 * m->a / pow(r, 6.0) - 6.0 * m->c) / pow(r, 7.0)) + m->qq[0] / (r * r) < limit)
    r *= 0.999;
  return (float)fmax(r * r, low);
}

static Status make_model(Bulk *bulk, Error *error)
{
  const BulkOptions *o = &bulk->options;
  BulkModel *m = &bulk->model;
  const double q_h = o->model->q_h, q_o = -2.0 * q_h;
  bulk->reach = stretch * o->model->d_oh;
  m->cutoff2 = o->cutoff * o->cutoff;
  m->a = o->model->a;
  m->c = o->model->c;
  m->qq[0] = UNITS_COULOMB * q_o * q_o;
  m->qq[1] = UNITS_COULOMB * q_o * q_h;
  m->qq[2] = UNITS_COULOMB * q_h * q_h;
  for (int d = 0; d < 3; d++) {
    m->length[d] = o->length[d];
    m->scale[d] = (float)(o->length[d] / 4294967296.0);
  }
  const double longest = o->cutoff + 2.0 * bulk->reach;
  if (o->beta * longest > 5.0)
    return error_set(
        error, STATUS_INPUT,
        "beta of %g/A is too large for the tables of the water force: with a cutoff of %g A take at most "
        "%.3g/A",
        o->beta, o->cutoff, 5.0 / longest);
  const Status status = bulk_table_create(&m->tables, o->beta, longest, error);
  if (status != STATUS_OK)
    return status;
  if (m->tables.low > 2.5f)
    return error_set(
        error, STATUS_INPUT,
        "a cutoff of %g A is too large for the tables of the water force: with this model they reach to "
        "%g A",
        o->cutoff, sqrt(2.0) * 16.0 - 2.0 * bulk->reach);
  m->near = near_squared(m, o->cutoff, ldexp(1.0, 31 - BULK_FORCE_BITS - 2), (double)m->tables.low);
  m->near_exact = near_squared(m, o->cutoff, ldexp(1.0, 63 - BULK_EXACT_BITS - 3), m->tables.exact_low);
  return STATUS_OK;
}

static void *rows(size_t n, size_t bytes)
{
  void *const p = aligned_alloc(64, (n * bytes + 63) / 64 * 64);
  if (p != NULL)
    memset(p, 0, n * bytes);
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
  static const BulkDoubleKernels *const exact[ISA_COUNT] = ISA_TABLES(bulk_double_table);
  bulk->options = *options;
  bulk->n = n;
  bulk->mixed = mixed[options->isa];
  bulk->exact = exact[options->isa];
  const bool floats = options->precision == BULK_MIXED;
  const size_t molecules = (size_t)n, all = molecules * (size_t)options->threads;
  bulk->row = rows(floats ? molecules : 1, sizeof *bulk->row);
  bulk->exact_row = rows(molecules, BULK_ROW * sizeof(double));
  bulk->force = rows(floats ? all : 1, INTS * sizeof(int32_t));
  bulk->exact_force = rows(floats ? 1 : all, BULK_ROW * sizeof(int64_t));
  if (bulk->row == NULL || bulk->exact_row == NULL || bulk->force == NULL || bulk->exact_force == NULL)
    status = error_memory(error, "the water force");
  if (status == STATUS_OK)
    status = make_model(bulk, error);
  if (status != STATUS_OK) {
    bulk_free(bulk);
    return status;
  }
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
  free(bulk->force);
  free(bulk->exact_force);
  free(bulk);
}

/* --- positions ------------------------------------------------------------------------------------------ */

static inline double element(const Block *block, const vd *field, int molecule, int site, int d)
{
  return ((const double *)field)[state_index(block, 1, molecule, 0, site, d)];
}

/* The first that is unfit, if any. */
static Unfit first_unfit(const Bulk *bulk, int nshare)
{
  for (int k = 0; k < nshare; k++)
    if (bulk->unfit[k].molecule >= 0)
      return bulk->unfit[k];
  return (Unfit){-1, 0.0};
}

Status bulk_places(Bulk *bulk, const Team *team, const Block *block, int32_t (*o)[4], Error *error)
{
  return places_compute(&bulk->places, team, block, bulk->options.length, "oxygen", 0, o, error);
}

/* The rows of one molecule; returns the longest bond squared. */
static double stage_one(const Bulk *bulk, const Block *block, const int32_t *o, int molecule, bool floats,
                        bool exact, BulkRow *row, double *exact_row)
{
  const double *length = bulk->options.length;
  double bond[2] = {0.0, 0.0}, x[9];
  for (int d = 0; d < 3; d++) {
    const double at = element(block, block->q, molecule, 0, d);
    x[d] = at;
    for (int b = 1; b < 3; b++) {
      x[3 * b + d] = element(block, block->q, molecule, b, d) - at;
      bond[b - 1] += x[3 * b + d] * x[3 * b + d];
    }
  }
  for (int d = 0; floats && d < 3; d++) {
    row->o[d] = o[d];
    row->h1[d] = (float)x[3 + d];
    row->h2[d] = (float)x[6 + d];
  }
  for (int d = 0; exact && d < 3; d++) {
    exact_row[d] = x[d] - length[d] * floor(x[d] / length[d]);
    exact_row[4 + d] = x[3 + d];
    exact_row[8 + d] = x[6 + d];
  }
  /* Not fmax: a length that is no number counts as longest. */
  return bond[0] > bond[1] || isnan(bond[0]) ? bond[0] : bond[1];
}

static void stage(Bulk *bulk, const Team *team, const ListView *list, const int32_t (*o)[4],
                  const Block *block, bool floats, bool exact)
{
  int begin, end;
  team_range(team, list->nchunk, &begin, &end);
  for (int k = begin; k < end; k++) {
    bulk->unfit[k] = (Unfit){-1, 0.0};
    for (int p = list->chunk[k].first; p < list->chunk[k].last; p++) {
      const int molecule = list->order[p];
      const double bond2 = stage_one(bulk, block, o[molecule], molecule, floats, exact,
                                     &bulk->row[floats ? p : 0], bulk->exact_row + (size_t)p * BULK_ROW);
      if (!(bond2 <= bulk->reach * bulk->reach) && bulk->unfit[k].molecule < 0)
        bulk->unfit[k] = (Unfit){molecule, sqrt(bond2)};
    }
  }
}

/* --- forces --------------------------------------------------------------------------------------------- */

static void run_chunks(Bulk *bulk, const Team *team, const ListView *list, bool sums)
{
  const size_t n = (size_t)bulk->n;
  const bool floats = bulk->options.precision == BULK_MIXED;
  int32_t *const force = bulk->force + (floats ? n * (size_t)team->rank * INTS : 0);
  int64_t *const exact_force = bulk->exact_force + (floats ? 0 : n * (size_t)team->rank * BULK_ROW);
  if (floats)
    memset(force, 0, n * INTS * sizeof *force);
  else
    memset(exact_force, 0, n * BULK_ROW * sizeof *exact_force);
  int begin, end;
  team_range(team, list->nchunk, &begin, &end);
  for (int k = begin; k < end; k++) {
    bulk->fault[k] = (BulkFault){-1, -1};
    const BulkWork work = {list->begin, list->end, &list->chunk[k], &bulk->fault[k]};
    memset(bulk->sums[k], 0, sizeof bulk->sums[k]);
    if (floats)
      bulk->mixed->chunk(&bulk->model, &work, bulk->row, force);
    if (!floats || sums)
      bulk->exact->chunk(&bulk->model, &work, bulk->exact_row, floats ? NULL : exact_force,
                         sums ? bulk->sums[k] : NULL);
  }
}

/* Adds up the threads' forces and hands them to this thread's share of the places. */
static void collect(const Bulk *bulk, const Team *team, const ListView *list, Block *block)
{
  const bool floats = bulk->options.precision == BULK_MIXED;
  const double unit = ldexp(1.0, floats ? -BULK_FORCE_BITS : -BULK_EXACT_BITS);
  const size_t n = (size_t)bulk->n;
  double *const f = (double *)block->f;
  int begin, end;
  team_range(team, bulk->n, &begin, &end);
  for (int p = begin; p < end; p++) {
    const int molecule = list->order[p];
    for (int b = 0; b < 3; b++)
      for (int d = 0; d < 3; d++) {
        const size_t at = 4 * (size_t)b + (size_t)d;
        uint64_t sum = 0;
        for (size_t t = 0; t < (size_t)team->size; t++)
          sum += floats ? (uint64_t)(uint32_t)bulk->force[(t * n + (size_t)p) * INTS + at]
                        : (uint64_t)bulk->exact_force[(t * n + (size_t)p) * BULK_ROW + at];
        const double value = floats ? (double)(int32_t)(uint32_t)sum : (double)(int64_t)sum;
        f[state_index(block, 1, molecule, 0, b, d)] += unit * value;
      }
  }
}

static void add_sums(const Bulk *bulk, int nchunk, BulkSums *sums)
{
  double value[BULK_SUMS];
  for (int t = 0; t < BULK_SUMS; t++) {
    uint64_t sum = 0;
    for (int k = 0; k < nchunk; k++)
      sum += (uint64_t)bulk->sums[k][t];
    value[t] = ldexp((double)(int64_t)sum, -BULK_SUM_BITS);
  }
  sums->lj = value[0];
  sums->real = value[1];
  memcpy(sums->virial, value + 2, sizeof sums->virial);
}

/* --- what went wrong ------------------------------------------------------------------------------------ */

/* The closest two atoms of two molecules, and their distance. */
static double closest(const Bulk *bulk, const Block *block, int i, int j, int *a, int *b)
{
  double best = INFINITY;
  for (int s = 0; s < 9; s++) {
    double r2 = 0.0;
    for (int d = 0; d < 3; d++) {
      const double x = element(block, block->q, j, s % 3, d) - element(block, block->q, i, s / 3, d);
      const double near = x - bulk->options.length[d] * rint(x / bulk->options.length[d]);
      r2 += near * near;
    }
    if (r2 < best) {
      best = r2;
      *a = s / 3;
      *b = s % 3;
    }
  }
  return sqrt(best);
}

static Status say_stretched(const Bulk *bulk, Unfit unfit, Error *error)
{
  return error_set(
      error, STATUS_RUN,
      "a bond of molecule %d is %g A long, more than %g times the %g A of %s: the run has blown up, or the "
      "molecule is cut in two by a face of the box",
      unfit.molecule + 1, unfit.length, stretch, bulk->options.model->d_oh, bulk->options.model->name);
}

static Status say_close(const Bulk *bulk, const ListView *list, BulkFault fault, const Block *block,
                        Error *error)
{
  static const char *const name[3] = {"O", "H1", "H2"};
  int a = 0, b = 0;
  const int i = list->order[fault.i], j = list->order[fault.j];
  const double r = closest(bulk, block, i, j, &a, &b);
  const bool floats = bulk->options.precision == BULK_MIXED;
  return error_set(
      error, STATUS_RUN,
      "molecules %d and %d overlap: %s and %s are %.3g A apart; %s precision takes oxygens down to %.3g A "
      "and other atoms down to %.3g A%s",
      i + 1, j + 1, name[a], name[b], r, floats ? "mixed" : "double",
      sqrt((double)(floats ? bulk->model.near : bulk->model.near_exact)),
      sqrt(floats ? (double)bulk->model.tables.low : bulk->model.tables.exact_low),
      floats ? ": relax the start in double precision, or take a smaller time step" : "");
}

Status bulk_add(Bulk *bulk, const Team *team, const ListView *list, const int32_t (*o)[4], Block *block,
                BulkSums *sums, Error *error)
{
  if (team->size > bulk->options.threads || list->n != bulk->n || block->nmol != bulk->n ||
      list->nchunk > SHARES_MAX)
    return error_set(error, STATUS_INPUT,
                     "the water force was made for %d molecules and %d threads, not %d and %d", bulk->n,
                     bulk->options.threads, block->nmol, team->size);
  const bool floats = bulk->options.precision == BULK_MIXED;
  stage(bulk, team, list, o, block, floats, !floats || sums != NULL);
  team_barrier(team);
  const Unfit unfit = first_unfit(bulk, list->nchunk);
  team_barrier(team);
  if (unfit.molecule >= 0)
    return say_stretched(bulk, unfit, error);
  run_chunks(bulk, team, list, sums != NULL);
  team_barrier(team);
  BulkFault fault = {-1, -1};
  for (int k = 0; k < list->nchunk && fault.i < 0; k++)
    fault = bulk->fault[k];
  if (fault.i < 0) {
    collect(bulk, team, list, block);
    if (sums != NULL && team->rank == 0)
      add_sums(bulk, list->nchunk, sums);
  }
  team_barrier(team);
  return fault.i < 0 ? STATUS_OK : say_close(bulk, list, fault, block, error);
}
