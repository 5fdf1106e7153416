#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "observables/collective_private.h"

/* --- values -----------------------------------------------------------------------------------------------
 */

void collective_moments(const CoordinateType *type, double value, double moment[2])
{
  moment[0] = type->periodic ? cos(value) : value;
  moment[1] = type->periodic ? sin(value) : value * value;
}

int collective_count(const Collective *of)
{
  int n = 0;
  if (of->span == NULL)
    return 1;
  for (int s = 0; s < of->nspan; s++)
    n += of->span[s].end - of->span[s].begin;
  return n;
}

void collective_values(const Collective *of, int n, int nsite, const double *x, Vec8 *scratch, double *value)
{
  static const Box open = {0};
  CoordinateReading r = coordinate_sites_reading(&of->sites, scratch);
  for (int m = 0; m < n; m += LANES) {
    const int lanes = n - m < LANES ? n - m : LANES;
    for (int l = 0; l < LANES; l++) {
      const double *from = x + (ptrdiff_t)3 * (m + (l < lanes ? l : 0)) * nsite;
      for (int k = 0; k < 3 * of->sites.natom; k++)
        r.x[k][l] = from[3 * of->sites.place[k / 3].atom + k % 3];
    }
    coordinate_sites_read(&of->sites, &open, &r, false);
    memcpy(value + m, &r.value, (size_t)lanes * sizeof *value);
  }
}

double collective_frame_site_value(const CoordinateSites *on, const ObservableFrame *frame, Vec8 *scratch)
{
  CoordinateReading r = coordinate_sites_reading(on, scratch);
  for (int i = 0; i < on->natom; i++) {
    const CoordinatePlace *at = &on->place[i];
    const ObservableBlock *block = &frame->block[at->sort];
    const double *x = block->x + 3 * ((size_t)at->molecule * (size_t)block->kind->nsite + (size_t)at->atom);
    for (int d = 0; d < 3; d++)
      r.x[3 * i + d] = vec8_set(x[d]);
  }
  r.lanes = 1;
  coordinate_sites_read(on, frame->box, &r, false);
  return r.value[0];
}

/* --- memory -----------------------------------------------------------------------------------------------
 */

/* The options of a distribution; 0: not set. */
typedef struct Bins {
  double bins, most, width;
} Bins;

static Status bins_create(Collectives *c, Bins given, Error *error)
{
  const bool length = !c->type->angle;
  const double most = !length ? M_PI : given.most > 0.0 ? given.most : 20.0;
  c->low = c->type->periodic || c->type->negative ? -most : 0.0;
  c->width = given.width > 0.0 ? given.width : 0.05;
  double bins = length              ? ceil((most - c->low) / c->width * (1.0 - 1e-12))
                : given.bins > 0.0  ? given.bins
                : c->type->periodic ? 72.0
                                    : 90.0;
  if (!(bins >= 1.0 && bins <= 1e5))
    return error_set(error, STATUS_INPUT, "bins of %g A up to %g A: 1 to 100000 bins are allowed", c->width,
                     most);
  c->nbin = (int)bins;
  c->width = length ? c->width : (most - c->low) / c->nbin;
  return STATUS_OK;
}

/* Memory for the values of a sample. */
static Status variables_create(Collectives *c, Error *error)
{
  const size_t batches = (size_t)(c->is.options.batches > 0 ? c->is.options.batches : 1);
  c->value_at = observable_arena(c, (size_t)c->list.n + 1, sizeof *c->value_at);
  TRY(arena_check(&c->is.arena, c->type->list, error));
  for (int v = 0; v < c->list.n; v++) {
    const Collective *of = &c->list.variable[v];
    const size_t memory = coordinate_sites_memory(&of->sites);
    c->memory = memory > c->memory ? memory : c->memory;
    c->value_at[v] = c->nvalue;
    c->nvalue += collective_count(of);
  }
  c->value_at[c->list.n] = c->nvalue;
  c->value = observable_arena(c, batches * (size_t)c->nvalue * LANES, sizeof *c->value);
  c->scratch = observable_arena(c, batches * c->memory, sizeof *c->scratch);
  return STATUS_OK;
}

static Status create(Collectives *c, CoordinateForm form, Bins bins, Error *error)
{
  const ObservableOptions *o = &c->is.options;
  c->form = form;
  c->type = &coordinate_types[form];
  if (o->collective == NULL || o->collective[form].n == 0)
    return error_set(error, STATUS_INPUT,
                     "no coordinate is named: list coordinates in output.%s of an input file", c->type->list);
  c->list = o->collective[form];
  c->kT = observable_kT(&c->is);
  TRY(bins_create(c, bins, error));
  TRY(variables_create(c, error));
  const double counts = c->list.n * (c->nbin + 1.0) + c->list.npair * (double)c->nbin * c->nbin;
  if (counts > 1e7)
    return error_set(error, STATUS_INPUT,
                     "%.3g bins of distributions; 10 million are allowed: use fewer bins, or fewer pairs",
                     counts);
  c->is.shape = (BlockRowsShape){.whole = (int)counts,
                                 .real = 2 * c->list.n,
                                 .monitors = 2 * c->list.n,
                                 .draws = o->replicas > 1 ? o->replicas : 0,
                                 .idle = o->idle};
  c->is.nout = collective_out_pair(c, c->list.npair);
  return STATUS_OK;
}

/* --- samples ----------------------------------------------------------------------------------------------
 */

/* The bin of a value; nbin: out of range, or NaN. */
static int bin_of(const Collectives *c, double value)
{
  const int bin = coordinate_bin(c->type, c->low, c->width, c->nbin, value);
  return bin >= 0 ? bin : c->nbin;
}

/* Adds the values of one replica, value[nvalue] at intervals of `step`, to a row. Writes the mean moments of
 * each variable to mean[n][2] (may be NULL). */
static void add_values(const Collectives *c, const double *value, int step, const BlockRowsRow *row,
                       double *mean)
{
  int64_t *count = row->whole;
  for (int v = 0; v < c->list.n; v++, count += c->nbin + 1) {
    double sum[2] = {0.0, 0.0}, moment[2];
    for (int i = c->value_at[v]; i < c->value_at[v + 1]; i++) {
      count[bin_of(c, value[i * step])]++;
      collective_moments(c->type, value[i * step], moment);
      sum[0] += moment[0];
      sum[1] += moment[1];
    }
    const double n = c->value_at[v + 1] - c->value_at[v];
    for (int k = 0; k < 2; k++) {
      row->real[2 * v + k] += sum[k] / n;
      if (mean != NULL)
        mean[2 * v + k] = sum[k] / n;
    }
  }
  for (int p = 0; p < c->list.npair; p++, count += (ptrdiff_t)c->nbin * c->nbin) {
    const int a = c->value_at[c->list.pair[p][0]], b = c->value_at[c->list.pair[p][1]];
    const int n = c->value_at[c->list.pair[p][0] + 1] - a;
    for (int i = 0; i < n; i++) {
      const int x = bin_of(c, value[(a + i) * step]), y = bin_of(c, value[(b + i) * step]);
      if (x < c->nbin && y < c->nbin)
        count[x * c->nbin + y]++;
    }
  }
}

Status collective_frame_values(const Collective *of, const ObservableFrame *frame, Vec8 *scratch,
                               double *value, Error *error)
{
  if (of->span == NULL) {
    *value = collective_frame_site_value(&of->sites, frame, scratch);
    if (!isfinite(*value))
      return error_set(error, STATUS_RUN, "%s is not a number", of->name);
  }
  for (int k = 0; of->span != NULL && k < of->nspan; k++) {
    const CollectiveSpan *span = &of->span[k];
    const ObservableBlock *block = &frame->block[span->sort];
    const int n = span->end - span->begin, nsite = block->kind->nsite;
    collective_values(of, n, nsite, block->x + 3 * (size_t)span->begin * (size_t)nsite, scratch, value);
    for (int m = 0; m < n; m++, value++)
      if (!isfinite(*value))
        return error_set(error, STATUS_RUN, "%s of molecule %d of %s is not a number", of->name,
                         span->begin + m + 1, block->kind->name);
  }
  return STATUS_OK;
}

/* The work is too small to share among threads. */
static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const double fine =
      16384.0; /* resolution of monitors: values that constraints fix hardly vary and must not count */
  Collectives *c = self;
  for (int v = 0; v < c->list.n; v++)
    TRY(collective_frame_values(&c->list.variable[v], frame, c->scratch, c->value + c->value_at[v], error));
  const BlockRowsRow row = block_rows_now(c->is.rows, 0);
  add_values(c, c->value, 1, &row, c->is.monitor);
  for (int k = 0; k < c->is.shape.monitors; k++)
    c->is.monitor[k] = rint(fine * c->is.monitor[k]);
  return STATUS_OK;
}

/* The positions of atom i of sites in the replicas of pack k; span: in its molecule m. */
static void gather_pack(const CoordinateSites *on, const Topology *topology, const Sample *sample,
                        const CollectiveSpan *span, int m, int k, CoordinateReading *r)
{
  for (int i = 0; i < on->natom; i++) {
    const CoordinatePlace *at = &on->place[i];
    memcpy(r->x + (ptrdiff_t)3 * i,
           sample_vec8s(sample, &topology->sort[span != NULL ? span->sort : at->sort], STATE_POSITIONS,
                        span != NULL ? m : at->molecule, at->atom, k),
           3 * sizeof *r->x);
  }
}

/* The same in the replica of a state of width 1, in all lanes. */
static void gather_one(const CoordinateSites *on, const Topology *topology, const Sample *sample,
                       CoordinateReading *r)
{
  for (int i = 0; i < on->natom; i++) {
    const CoordinatePlace *at = &on->place[i];
    double x[3];
    sample_site(sample, &topology->sort[at->sort], at->molecule, at->atom, 0, x);
    for (int d = 0; d < 3; d++)
      r->x[3 * i + d] = vec8_set(x[d]);
  }
  r->lanes = 1;
}

void collective_lane_site_values(const CoordinateSites *on, const Topology *topology, const Sample *sample,
                                 int k, Vec8 *scratch, double *value)
{
  CoordinateReading r = coordinate_sites_reading(on, scratch);
  if (sample_width(sample) == 1)
    gather_one(on, topology, sample, &r);
  else
    gather_pack(on, topology, sample, NULL, 0, k, &r);
  coordinate_sites_read(on, sample_box(sample), &r, false);
  memcpy(value, &r.value, sizeof r.value);
}

void collective_lane_values(const Collective *of, const Topology *topology, const Sample *sample, int k,
                            Vec8 *scratch, double *value)
{
  if (of->span == NULL) {
    collective_lane_site_values(&of->sites, topology, sample, k, scratch, value);
    return;
  }
  CoordinateReading r = coordinate_sites_reading(&of->sites, scratch);
  for (const CollectiveSpan *span = of->span; span < of->span + of->nspan; span++)
    for (int m = span->begin; m < span->end; m++, value += LANES) {
      gather_pack(&of->sites, topology, sample, span, m, k, &r);
      coordinate_sites_read(&of->sites, sample_box(sample), &r, false);
      memcpy(value, &r.value, sizeof r.value);
    }
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const Collectives *c = self;
  const ptrdiff_t batch = lanes->first / sample_width(sample);
  double *const value = c->value + batch * c->nvalue * LANES;
  if (sample->team->rank != 0)
    return;
  for (int lane = 0; lane < sample_width(sample); lane += LANES) {
    for (int v = 0; v < c->list.n; v++)
      collective_lane_values(&c->list.variable[v], lanes->topology, sample, lane / LANES,
                             c->scratch + batch * (ptrdiff_t)c->memory,
                             value + (ptrdiff_t)c->value_at[v] * LANES);
    for (int l = 0; l < LANES; l++) {
      const int draw =
          lanes->slot != NULL ? lanes->slot[lane + l] - c->is.options.first : lanes->first + lane + l;
      const BlockRowsRow row = block_rows_now(c->is.rows, draw);
      add_values(c, value + l, LANES, &row, NULL);
      block_rows_end(c->is.rows, draw, NULL);
    }
  }
}

/* --- the rows ---------------------------------------------------------------------------------------------
 */

#define LENGTH_BINS(list)                                                                                    \
  (Bins) { .most = o->list.max, .width = o->list.width }
#define OFFSET_BINS(list) LENGTH_BINS(list)
#define COUNT_BINS(list)  LENGTH_BINS(list)
#define NUMBER_BINS(list) LENGTH_BINS(list)
#define BEND_BINS(list)                                                                                      \
  (Bins) { .bins = o->list.bins }
#define TURN_BINS(list) BEND_BINS(list)
#define COORDINATE(FORM, id, sites, derivatives, measure, symbol, list, ...)                                 \
  static Status create_##id(void *self, const ObservableFrame *frame, Error *error)                          \
  {                                                                                                          \
    (void)frame;                                                                                             \
    Collectives *c = self;                                                                                   \
    const ObservableOptions *o = &c->is.options;                                                             \
    return create(c, COORDINATE_##FORM, measure##_BINS(list), error);                                        \
  }                                                                                                          \
  const ObservableOps observable_##list = {                                                                  \
      .name = #list,                                                                                         \
      .doc = "distributions and free energies of the coordinates in output." #list ", and their means",      \
      .size = sizeof(Collectives),                                                                           \
      .create = create_##id,                                                                                 \
      .begin = begin,                                                                                        \
      .add_lanes = add_lanes,                                                                                \
      .gather = collective_result_gather,                                                                    \
      .evaluate = collective_result_evaluate,                                                                \
      .fluctuates = collective_result_fluctuates,                                                            \
      .write = collective_result_write,                                                                      \
      .draw = collective_result_draw};
#include "engine/coordinates.def"
