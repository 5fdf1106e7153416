/* Velocity autocorrelations of replicas in lanes: as vacf.c for one system, for eight at a time. Replicas are
 * independent, so one row of sums for each suffices for errors. */
#include <string.h>

#include "observables/vacf_private.h"

static size_t sums(const Vacf *v) { return (size_t)v->nseries * (size_t)v->nlag; }

static size_t origins(const Vacf *v) { return (size_t)v->norigin * v->size; }

void vacf_lanes_create(Vacf *v)
{
  VacfLanes *l = &v->lanes;
  const size_t groups = (size_t)l->nbatch * (size_t)l->groups;
  v->clock = observable_arena(v, 1, sizeof *v->clock);
  l->n = observable_kept(v, (size_t)l->nbatch, sizeof *l->n);
  l->now = observable_arena(v, groups * v->size, sizeof *l->now);
  l->origin = observable_kept(v, groups * origins(v), sizeof *l->origin);
  l->sum = observable_kept(v, groups * sums(v), sizeof *l->sum);
}

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* The velocities of the systems' centres of mass. */
static void mean_velocity(const Vacf *v, const Sample *sample, const Topology *topology, int group,
                          Vec8 mean[3])
{
  for (int d = 0; d < v->dim; d++)
    mean[d] = vec8_set(0.0);
  for (int b = 0; b < v->nblock && !v->drift; b++)
    for (int m = 0; m < topology->sort[b].nmol; m++)
      for (int s = 0; s < v->nsite[b]; s++) {
        const Vec8 *p = sample_vec8s(sample, &topology->sort[b], STATE_MOMENTA, m, s, group);
        for (int d = 0; d < v->dim; d++)
          mean[d] += p[d] / v->all_mass;
      }
}

/* The current velocities of a group of lanes. */
static void fill(const Vacf *v, const Sample *sample, const Topology *topology, int group, Vec8 *to)
{
  Vec8 mean[3];
  mean_velocity(v, sample, topology, group, mean);
  for (int b = 0; b < v->nblock; b++) {
    const TopologySort *sort = &topology->sort[b];
    const int dim = v->dim, size = dim * v->nsite[b];
    const double all = kind_mass(sort->kind);
    for (int i = 0; i < v->taken[b]; i++, to += size + dim) {
      const int m = (int)((int64_t)i * sort->nmol / v->taken[b]);
      Vec8 *centre = to + size;
      for (int d = 0; d < dim; d++)
        centre[d] = -mean[d];
      for (int s = 0; s < v->nsite[b]; s++) {
        const Vec8 *from = sample_vec8s(sample, sort, STATE_MOMENTA, m, s, group);
        for (int d = 0; d < dim; d++) {
          to[dim * s + d] = from[d] / sort->kind->mass[s] - mean[d];
          centre[d] += from[d] / all;
        }
      }
    }
  }
}

/* v.v0 of all molecules of block b, of their site or centre k. */
static Vec8 product(const Vacf *v, int b, int k, const Vec8 *now, const Vec8 *origin)
{
  const size_t step = (size_t)v->dim * ((size_t)v->nsite[b] + 1);
  size_t at = vacf_block_start(v, b) + (size_t)(v->dim * k);
  Vec8 sum = vec8_set(0.0);
  for (int i = 0; i < v->taken[b]; i++, at += step) {
    Vec8 product = now[at] * origin[at];
    for (size_t d = 1; d < (size_t)v->dim; d++)
      product += now[at + d] * origin[at + d];
    sum += product;
  }
  return sum;
}

/* One series over one site of a molecule, for all origins. */
static void compare(const Vacf *v, int s, int k, int64_t n, const Vec8 *now, const Vec8 *origin, Vec8 *sum)
{
  const VacfSeries *series = &v->series[s];
  const double weight = 1.0 / ((double)v->taken[series->block] * series->count);
  for (int o = 0; o < v->norigin; o++) {
    const int64_t age = observable_origin_age(n, v->every, v->norigin, o);
    if (age >= 0 && age < v->nlag)
      sum[s * v->nlag + age] += weight * product(v, series->block, k, now, origin + (size_t)o * v->size);
  }
}

void vacf_lanes_add(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  Vacf *v = self;
  const VacfLanes *l = &v->lanes;
  const int batch = lanes->first / sample_width(sample);
  const int64_t n = l->n[batch];
  if (sample->team->rank != 0)
    return;
  for (int group = 0; group < l->groups; group++) {
    const size_t at = (size_t)batch * (size_t)l->groups + (size_t)group;
    Vec8 *now = l->now + at * v->size, *origin = l->origin + at * origins(v);
    fill(v, sample, lanes->topology, group, now);
    if (n % v->every == 0)
      memcpy(origin + (size_t)(n / v->every % v->norigin) * v->size, now, v->size * sizeof *now);
    for (int s = 0; s < v->nseries; s++)
      for (int k = 0; k <= v->nsite[v->series[s].block]; k++)
        if (vacf_series_has(&v->series[s], v->kind[v->series[s].block], (size_t)k))
          compare(v, s, k, n, now, origin, l->sum + at * sums(v));
  }
  l->n[batch]++;
}

/* --- results ---------------------------------------------------------------------------------------------
 */

/* Each replica is one sample. */
Status vacf_lanes_gather(const void *self, BlockRows **rows, Error *error)
{
  const Vacf *v = self;
  const VacfLanes *l = &v->lanes;
  const int width = l->groups * LANES;
  if (l->nbatch == 0)
    return STATUS_OK;
  TRY(block_rows_create(rows, &(BlockRowsShape){.real = (v->nseries + 1) * v->nlag}, error));
  for (int r = 0; r < l->replicas; r++) {
    double *row = block_rows_now(*rows, 0).real;
    const Vec8 *sum = l->sum + (size_t)(r / LANES) * sums(v);
    const int64_t n = l->n[r / width];
    for (size_t k = 0; k < sums(v); k++)
      row[k] += sum[k][r % LANES];
    for (int64_t age = 0; age < v->nlag && age < n; age++) {
      const int64_t seen = (n - 1 - age) / v->every + 1;
      row[sums(v) + (size_t)age] += (double)seen;
    }
    block_rows_end(*rows, 0, NULL);
  }
  return STATUS_OK;
}
