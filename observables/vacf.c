/* Velocity autocorrelation functions <v(0).v(t)> of molecular centres of mass and of every kind of site.
 * Frames are of one system; replicas in lanes (vacf_lanes.c) are separate series.
 *
 * At most 32 time origins exist at a time, evenly spaced. Each is compared with every sample until its age
 * exceeds the longest lag, so all lags have equal numbers of origins, and memory holds 32 snapshots. Large
 * systems are sampled by an even selection of molecules. The velocity of the system's centre of mass is
 * subtracted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "observables/diffusion.h"
#include "observables/vacf_private.h"

/* --- shape -----------------------------------------------------------------------------------------------
 */

static void series_add(Vacf *v, int block, const Kind *kind, const char *site)
{
  VacfSeries *s = &v->series[v->nseries++];
  *s = (VacfSeries){.block = block, .centre = site == NULL, .site = site, .count = 1};
  if (site == NULL) {
    snprintf(s->label, sizeof s->label, "%.31s%s", kind->name, kind->frozen ? "_frozen" : "");
    return;
  }
  s->count = 0;
  for (int k = 0; k < kind->nsite; k++)
    s->count += strcmp(kind->site[k], site) == 0;
  snprintf(s->label, sizeof s->label, "%.24s_%.8s%s", kind->name, site, kind->frozen ? "_frozen" : "");
}

/* Adds series for the centre and, with more than one site, for every name of a site. */
static void series_create(Vacf *v, int block, const Kind *kind)
{
  series_add(v, block, kind, NULL);
  for (int k = 0; k < kind->nsite && kind->nsite > 1; k++) {
    int seen = 0;
    for (int j = 0; j < k; j++)
      seen = seen || strcmp(kind->site[j], kind->site[k]) == 0;
    if (!seen)
      series_add(v, block, kind, kind->site[k]);
  }
}

static Status shape_create(Vacf *v, const ObservableFrame *frame, Error *error)
{
  const int most = v->is.options.vacf_molecules > 0 ? v->is.options.vacf_molecules : 4096;
  v->nblock = frame->nblock;
  v->dim = frame->block[0].kind->dim;
  v->drift = v->is.options.keep_drift || observable_molecules(frame) < 2;
  size_t series = 0;
  for (int b = 0; b < frame->nblock; b++)
    series += 1 + (size_t)frame->block[b].kind->nsite;
  v->nsite = observable_arena(v, (size_t)v->nblock, sizeof *v->nsite);
  v->kind = observable_arena(v, (size_t)v->nblock, sizeof *v->kind);
  v->taken = observable_arena(v, (size_t)v->nblock, sizeof *v->taken);
  v->series = observable_arena(v, series, sizeof *v->series);
  TRY_MEMORY(v->nsite != NULL && v->kind != NULL && v->taken != NULL && v->series != NULL,
             "velocity autocorrelations", error);
  for (int b = 0; b < frame->nblock; b++) {
    const ObservableBlock *block = &frame->block[b];
    v->nsite[b] = block->kind->nsite;
    v->kind[b] = block->kind;
    v->taken[b] = block->nmol < most ? block->nmol : most;
    v->size += (size_t)v->taken[b] * (size_t)v->dim * ((size_t)v->nsite[b] + 1);
    v->all_mass += block->nmol * kind_mass(block->kind);
    series_create(v, b, block->kind);
  }
  v->drag = diffusion_drag(&v->is.options, frame);
  return STATUS_OK;
}

static Status lags_create(Vacf *v, Error *error)
{
  const double longest = v->is.options.vacf.max > 0.0 ? v->is.options.vacf.max
                         : v->is.options.reduced      ? 40.0
                                                      : 2.0 / v->ps;
  const double lags = rint(longest / v->is.options.interval);
  if (!(lags >= 2.0 && lags <= 100000.0))
    return error_set(error, STATUS_INPUT,
                     "velocity autocorrelations to %g%s from samples %g%s apart: sample more often%s, with 2 "
                     "to 100000 samples up to the longest time",
                     longest * v->ps, v->is.options.reduced ? "" : " ps", v->is.options.interval * v->ps,
                     v->is.options.reduced ? "" : " ps", v->is.options.reduced ? "" : " (a few fs)");
  v->nlag = (int)lags + 1;
  v->every = (v->nlag + VACF_ORIGINS - 1) / VACF_ORIGINS;
  v->norigin = (v->nlag + v->every - 1) / v->every;
  return STATUS_OK;
}

static void memory_create(Vacf *v)
{
  v->clock = observable_kept(v, 1, sizeof *v->clock);
  v->now = observable_arena(v, v->size, sizeof *v->now);
  v->origin = observable_kept(v, (size_t)v->norigin * v->size, sizeof *v->origin);
  v->sum = observable_arena(v, (size_t)v->nseries, sizeof *v->sum);
  v->slice = observable_arena(v, (size_t)v->nblock * OBSERVABLE_SLICES, sizeof *v->slice);
  v->is.shape = (BlockRowsShape){.real = (v->nseries + 1) * v->nlag, .monitors = v->nseries};
}

static Status vacf_create(void *self, const ObservableFrame *frame, Error *error)
{
  Vacf *v = self;
  const ObservableOptions *options = &v->is.options;
  v->ps = options->reduced ? 1.0 : UNITS_AKMA_FS * 1e-3;
  if (options->batches > 0 && options->replicas > options->batches)
    v->lanes = (VacfLanes){.replicas = options->replicas - options->idle,
                           .nbatch = options->batches,
                           .groups = options->replicas / options->batches / LANES};
  TRY(shape_create(v, frame, error));
  TRY(lags_create(v, error));
  (v->lanes.nbatch > 0 ? vacf_lanes_create : memory_create)(v);
  return vacf_result_create(v, error);
}

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* The momentum of one part of a block's molecules. */
static void slice_momentum(const Vacf *v, const ObservableBlock *block, int b, int index)
{
  VacfSlice *slice = &v->slice[b * OBSERVABLE_SLICES + index];
  const Kind *kind = block->kind;
  int begin, end;
  observable_slice(block->nmol, index, &begin, &end);
  memset(slice, 0, sizeof *slice);
  const double *at = block->v + (size_t)begin * (size_t)(kind->nsite * v->dim);
  for (int m = begin; m < end; m++)
    for (int s = 0; s < kind->nsite; s++)
      for (int d = 0; d < v->dim; d++)
        slice->momentum[d] += kind->mass[s] * *at++;
}

static Status vacf_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  Vacf *v = self;
  for (int b = 0; b < frame->nblock; b++)
    if (frame->block[b].v == NULL)
      return error_set(error, STATUS_INPUT, "the sample has no velocities");
  if (v->clock->n > 0) {
    TRY(observable_check_time(v->clock->time, frame->time, v->is.options.interval, error));
  }
  double sum[3] = {0.0};
  for (int k = 0; k < v->nblock * OBSERVABLE_SLICES; k++)
    for (int d = 0; d < 3; d++)
      sum[d] += v->slice[k].momentum[d];
  if (!isfinite(sum[0] + sum[1] + sum[2]))
    return error_set(error, STATUS_RUN, "a velocity is not a number");
  for (int d = 0; d < 3; d++)
    v->mean[d] = v->drift ? 0.0 : sum[d] / v->all_mass;
  v->clock->time = frame->time;
  for (int d = 0; d < 3; d++)
    v->clock->length[d] += box_length(frame->box, d);
  v->clock->oblique += box_oblique(frame->box);
  return STATUS_OK;
}

size_t vacf_block_start(const Vacf *v, int b)
{
  size_t start = 0;
  for (int k = 0; k < b; k++)
    start += (size_t)v->taken[k] * (size_t)v->dim * ((size_t)v->nsite[k] + 1);
  return start;
}

/* Stores the current velocities of one part. */
static void slice_fill(const Vacf *v, const ObservableBlock *block, int b, int begin, int end)
{
  const size_t dim = (size_t)v->dim, size = dim * (size_t)v->nsite[b];
  double *to = v->now + vacf_block_start(v, b) + (size_t)begin * (size + dim);
  for (int i = begin; i < end; i++, to += size + dim) {
    const size_t m = (size_t)((int64_t)i * block->nmol / v->taken[b]);
    const double *from = block->v + m * size;
    for (size_t k = 0; k < size; k++)
      to[k] = from[k] - v->mean[k % dim];
    observable_centre(block->kind, to, to + size);
  }
}

bool vacf_series_has(const VacfSeries *series, const Kind *kind, size_t s)
{
  const size_t nsite = (size_t)kind->nsite;
  return series->centre ? s == nsite : s < nsite && strcmp(kind->site[s], series->site) == 0;
}

/* v.v0 of one series over one part, for one origin. */
static double slice_product(const Vacf *v, const VacfSeries *series, const Kind *kind, const double *origin,
                            int begin, int end)
{
  const size_t nsite = (size_t)kind->nsite, dim = (size_t)v->dim, step = dim * (nsite + 1);
  const size_t start = vacf_block_start(v, series->block);
  double sum = 0.0;
  for (size_t s = 0; s <= nsite; s++) {
    if (!vacf_series_has(series, kind, s))
      continue;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
      const double *a = v->now + start + i * step + dim * s, *c = origin + start + i * step + dim * s;
      double product = a[0] * c[0];
      for (size_t d = 1; d < dim; d++)
        product += a[d] * c[d];
      sum += product;
    }
  }
  return sum;
}

/* Stores the velocities of one part, also as an origin if one is due, and compares them with all origins. */
static void slice_compare(const Vacf *v, const ObservableBlock *block, int b, int index)
{
  const size_t step = (size_t)v->dim * ((size_t)v->nsite[b] + 1), start = vacf_block_start(v, b);
  int begin, end;
  observable_slice(v->taken[b], index, &begin, &end);
  slice_fill(v, block, b, begin, end);
  if (v->clock->n % v->every == 0)
    memcpy(v->origin + (size_t)(v->clock->n / v->every % v->norigin) * v->size + start + (size_t)begin * step,
           v->now + start + (size_t)begin * step, (size_t)(end - begin) * step * sizeof(double));
  for (int o = 0; o < v->norigin; o++) {
    const int64_t age = observable_origin_age(v->clock->n, v->every, v->norigin, o);
    for (int s = 0; s < v->nseries && age >= 0 && age < v->nlag; s++)
      if (v->series[s].block == b)
        v->sum[s][index][o] =
            slice_product(v, &v->series[s], block->kind, v->origin + (size_t)o * v->size, begin, end);
  }
}

/* The monitor for the correlation of errors: the current squared velocities of a series, summed over its
 * sites. */
static void monitor_add(const Vacf *v, int s)
{
  const VacfSeries *series = &v->series[s];
  const ptrdiff_t nsite = v->nsite[series->block];
  const double *at = v->now + vacf_block_start(v, series->block);
  v->is.monitor[s] = 0.0;
  for (int i = 0; i < v->taken[series->block]; i++, at += v->dim * (nsite + 1))
    for (ptrdiff_t k = 0; k <= nsite; k++)
      if (vacf_series_has(series, v->kind[series->block], (size_t)k))
        for (int d = 0; d < v->dim; d++)
          v->is.monitor[s] += pow(at[v->dim * k + d], 2);
}

static void vacf_end(void *self, const Team *team, const ObservableFrame *frame)
{
  (void)team;
  (void)frame;
  Vacf *v = self;
  double *row = block_rows_now(v->is.rows, 0).real, *origins = row + v->nseries * v->nlag;
  for (int o = 0; o < v->norigin; o++) {
    const int64_t age = observable_origin_age(v->clock->n, v->every, v->norigin, o);
    if (age < 0 || age >= v->nlag)
      continue;
    origins[age] += 1.0;
    for (int s = 0; s < v->nseries; s++) {
      const VacfSeries *series = &v->series[s];
      double sum = 0.0;
      for (int p = 0; p < OBSERVABLE_SLICES; p++)
        sum += v->sum[s][p][o];
      row[s * v->nlag + age] +=
          v->taken[series->block] > 0 ? sum / (v->taken[series->block] * series->count) : 0.0;
    }
  }
  for (int s = 0; s < v->nseries; s++)
    monitor_add(v, s);
  v->clock->n++;
}

static void vacf_prepare(void *self, const Team *team, const ObservableFrame *frame)
{
  Vacf *v = self;
  int begin, end;
  team_range(team, v->nblock * OBSERVABLE_SLICES, &begin, &end);
  for (int k = begin; k < end; k++)
    if (frame->block[k / OBSERVABLE_SLICES].v != NULL)
      slice_momentum(v, &frame->block[k / OBSERVABLE_SLICES], k / OBSERVABLE_SLICES, k % OBSERVABLE_SLICES);
}

static void vacf_share(void *self, const Team *team, const ObservableFrame *frame)
{
  const Vacf *v = self;
  int begin, end;
  team_range(team, v->nblock * OBSERVABLE_SLICES, &begin, &end);
  for (int k = begin; k < end; k++)
    slice_compare(v, &frame->block[k / OBSERVABLE_SLICES], k / OBSERVABLE_SLICES, k % OBSERVABLE_SLICES);
}

const ObservableOps observable_vacf = {
    .name = "vacf",
    .doc = "velocity autocorrelation of centres of mass and of sites, its spectrum, self-diffusion by "
           "Green-Kubo",
    .size = sizeof(Vacf),
    .velocities = true,
    .timed = true,
    .flat = true,
    .create = vacf_create,
    .prepare = vacf_prepare,
    .begin = vacf_begin,
    .share = vacf_share,
    .end = vacf_end,
    .add_lanes = vacf_lanes_add,
    .gather = vacf_lanes_gather,
    .shortest = vacf_result_shortest,
    .evaluate = vacf_result_evaluate,
    .write = vacf_result_write,
    .draw = vacf_result_draw,
    .free = vacf_result_free,
};
