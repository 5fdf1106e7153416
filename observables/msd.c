/* Mean-square displacements of the molecules' centres of mass, with many time origins in bounded memory.
 *
 * Level k keeps the last 16 samples that are 8^k apart; each of its samples is compared with those, so that
 * level 0 gives the lags of 1 to 16 samples and level k those of 3 to 16 times 8^k, with a time origin every
 * 8^k samples. Nothing is averaged over time first, so every displacement is exact. (Order-n algorithms:
 * Frenkel and Smit, Understanding Molecular Simulation, 4.4.2; Dubbeldam et al., Mol. Simul. 35, 1084
 * (2009).)
 *
 * Paths are put together from the nearest images between samples, so that it does not matter whether
 * molecules come wrapped or not; a step longer than 0.4 of the box is refused, since it may have been one the
 * other way round. The motion of the centre of everything is taken out (a thermostat moves it, D would
 * contain it). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "observables/msd_private.h"

static const double longest_step = 0.4; /* of the box */

static void msd_free(void *self)
{
  Msd *m = self;
  if (m == NULL)
    return;
  free(m->last);
  free(m->ring);
  free(m->part);
  free(m->monitor);
  block_rows_free(m->rows);
  free(m);
}

static void lags_create(Msd *m)
{
  const double longest = m->options.msd.max > 0.0 ? m->options.msd.max : 200.0 / (UNITS_AKMA_FS * 1e-3);
  int64_t stride = 1;
  do {
    const int k = m->nlevel++;
    m->stride[k] = stride;
    m->first_slot[k] = k == 0 ? 1 : MSD_SLOTS / MSD_RATIO + 1;
    m->first_lag[k] = m->nlag;
    for (int j = m->first_slot[k]; j <= MSD_SLOTS; j++)
      m->lag[m->nlag++] = j * stride;
    stride *= MSD_RATIO;
  } while (m->nlevel < MSD_LEVELS &&
           (double)m->lag[m->nlag - 1] * m->options.interval < longest * (1.0 - 1e-9));
}

static Status memory_create(Msd *m, Error *error)
{
  const size_t n = 3 * (size_t)m->total;
  m->last = calloc(4 * n, sizeof *m->last);
  m->ring = calloc((size_t)m->nlevel * MSD_SLOTS * n, sizeof *m->ring);
  m->part = calloc((size_t)m->nblock * OBSERVABLE_PARTS, sizeof *m->part);
  m->monitor = calloc((size_t)m->nblock, sizeof *m->monitor);
  TRY_MEMORY(m->last != NULL && m->ring != NULL && m->part != NULL && m->monitor != NULL,
             "the paths of molecules", error);
  m->path = m->last + n;
  m->next = m->path + n;
  m->step = m->next + n;
  return block_rows_create(
      &m->rows, &(BlockRowsShape){.real = (m->nblock + 1) * m->nlag + 3, .monitors = m->nblock}, error);
}

static Status msd_create(void **self, const ObservableOptions *options, const ObservableFrame *frame,
                         Error *error)
{
  *self = NULL;
  if (!(options->interval > 0.0))
    return error_set(error, STATUS_INPUT, "mean-square displacements need the time between samples");
  if (options->msd.to > 0.0 && options->msd.to <= options->msd.from)
    return error_set(error, STATUS_INPUT, "the fit cannot end at %g ps, as it begins at %g ps",
                     options->msd.to * UNITS_AKMA_FS * 1e-3, options->msd.from * UNITS_AKMA_FS * 1e-3);
  Msd *m = calloc(1, sizeof *m);
  TRY_MEMORY(m != NULL, "mean-square displacements", error);
  m->options = *options;
  m->nblock = frame->nblock;
  m->total = observable_molecules(frame);
  m->drift = options->keep_drift || m->total < 2;
  for (int b = 0; b < frame->nblock; b++) {
    m->nmol[b] = frame->block[b].nmol;
    m->mass[b] = kind_mass(frame->block[b].kind);
    m->all_mass += m->nmol[b] * m->mass[b];
    snprintf(m->name[b], sizeof m->name[b], "%s", frame->block[b].kind->name);
  }
  lags_create(m);
  const Status status = memory_create(m, error);
  if (status != STATUS_OK)
    msd_free(m);
  else
    *self = m;
  return status;
}

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* Where the molecules of block b begin in the arrays. */
static size_t block_start(const Msd *m, int b)
{
  size_t start = 0;
  for (int k = 0; k < b; k++)
    start += 3 * (size_t)m->nmol[k];
  return start;
}

/* Centres of one part and their steps since the last sample; nothing that outlives the sample is changed. */
static void part_steps(Msd *m, const ObservableFrame *frame, int b, int index)
{
  MsdPart *part = &m->part[b * OBSERVABLE_PARTS + index];
  const ObservableBlock *block = &frame->block[b];
  const size_t start = block_start(m, b);
  int begin, end;
  observable_part(m->nmol[b], index, &begin, &end);
  memset(part, 0, sizeof *part);
  for (int i = begin; i < end; i++) {
    double *next = m->next + start + 3 * (size_t)i, *step = m->step + start + 3 * (size_t)i;
    const double *last = m->last + start + 3 * (size_t)i;
    observable_centre(block->kind, block->x + 3 * (size_t)i * (size_t)block->kind->nsite, next);
    for (int d = 0; d < 3; d++)
      step[d] = m->clock.n > 0 ? next[d] - last[d] : 0.0;
    box_nearest(frame->box, step);
    for (int d = 0; d < 3; d++) {
      const double length = box_length(frame->box, d);
      part->moved[d] += m->mass[b] * step[d];
      const double far = length > 0.0 ? fabs(step[d]) / length : 0.0;
      if (!(far <= longest_step && isfinite(next[d])) && part->lost == 0) {
        part->lost = i + 1;
        part->farthest = isfinite(next[d]) ? far : NAN;
      }
    }
  }
}

static Status steps_check(const Msd *m, const ObservableFrame *frame, Error *error)
{
  if (m->clock.n > 0) {
    TRY(observable_check_time(m->clock.time, frame->time, m->options.interval, error));
  }
  for (int k = 0; k < m->nblock * OBSERVABLE_PARTS; k++)
    if (m->part[k].lost > 0 && isnan(m->part[k].farthest))
      return error_set(error, STATUS_RUN, "molecule %d of %s has a coordinate that is not a number",
                       m->part[k].lost, m->name[k / OBSERVABLE_PARTS]);
    else if (m->part[k].lost > 0)
      return error_set(
          error, STATUS_INPUT,
          "samples are too far apart to follow the molecules: number %d of %s moves by %.2f of the "
          "box (or the other way round) between %.10g ps and the sample before; at most %.1f is "
          "safe",
          m->part[k].lost, m->name[k / OBSERVABLE_PARTS], m->part[k].farthest,
          frame->time * UNITS_AKMA_FS * 1e-3, longest_step);
  return STATUS_OK;
}

/* The clock of the sample: drift and time. */
static Status msd_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  Msd *m = self;
  TRY(steps_check(m, frame, error));
  for (int k = 0; k < m->nblock * OBSERVABLE_PARTS && !m->drift; k++)
    for (int d = 0; d < 3; d++)
      m->clock.drift[d] += m->part[k].moved[d] / m->all_mass;
  m->clock.time = frame->time;
  return STATUS_OK;
}

static double *ring_slot(const Msd *m, int level, int64_t sample)
{
  return m->ring + 3 * (size_t)m->total * (size_t)(level * MSD_SLOTS + (int)(sample % MSD_SLOTS));
}

/* Moves one part on, and compares it with its earlier places at every level that is due. */
static void part_compare(const Msd *m, int b, int index)
{
  MsdPart *part = &m->part[b * OBSERVABLE_PARTS + index];
  int begin, end;
  observable_part(m->nmol[b], index, &begin, &end);
  const size_t from = block_start(m, b) + 3 * (size_t)begin, to = block_start(m, b) + 3 * (size_t)end;
  for (size_t i = from; i < to; i++) {
    m->last[i] = m->next[i];
    m->path[i] += m->step[i];
  }
  for (int k = 0; k < m->nlevel && m->clock.n % m->stride[k] == 0; k++) {
    const int64_t sample = m->clock.n / m->stride[k];
    for (int j = m->first_slot[k]; j <= MSD_SLOTS && j <= sample; j++) {
      const double *earlier = ring_slot(m, k, sample - j);
      double sum = 0.0;
      for (size_t i = from; i < to; i++) {
        const double gap = m->path[i] - m->clock.drift[i % 3] - earlier[i];
        sum += gap * gap;
      }
      part->sum[m->first_lag[k] + j - m->first_slot[k]] = sum;
    }
    double *now = ring_slot(m, k, sample);
    for (size_t i = from; i < to; i++)
      now[i] = m->path[i] - m->clock.drift[i % 3];
  }
}

static void msd_end(void *self, const Team *team, const ObservableFrame *frame)
{
  (void)team;
  Msd *m = self;
  double *row = block_rows_now(m->rows, 0).real, *origins = row + m->nblock * m->nlag;
  for (int b = 0; b < m->nblock; b++) {
    for (int k = 0; k < m->nlag; k++) {
      double sum = 0.0;
      for (int p = 0; p < OBSERVABLE_PARTS; p++)
        sum += m->part[b * OBSERVABLE_PARTS + p].sum[k];
      row[b * m->nlag + k] += m->nmol[b] > 0 ? sum / m->nmol[b] : 0.0;
      if (k == 0)
        m->monitor[b] = sum;
    }
  }
  for (int k = 0; k < m->nlevel && m->clock.n % m->stride[k] == 0; k++)
    for (int j = m->first_slot[k]; j <= MSD_SLOTS && j <= m->clock.n / m->stride[k]; j++)
      origins[m->first_lag[k] + j - m->first_slot[k]] += 1.0;
  for (int d = 0; d < 3; d++)
    origins[m->nlag + d] += box_length(frame->box, d);
  m->clock.n++;
  block_rows_end(m->rows, 0, m->monitor);
}

static void msd_prepare(void *self, const Team *team, const ObservableFrame *frame)
{
  Msd *m = self;
  int begin, end;
  team_range(team, m->nblock * OBSERVABLE_PARTS, &begin, &end);
  for (int k = begin; k < end; k++)
    part_steps(m, frame, k / OBSERVABLE_PARTS, k % OBSERVABLE_PARTS);
}

static void msd_share(void *self, const Team *team, const ObservableFrame *frame)
{
  (void)frame;
  const Msd *m = self;
  int begin, end;
  team_range(team, m->nblock * OBSERVABLE_PARTS, &begin, &end);
  for (int k = begin; k < end; k++)
    part_compare(m, k / OBSERVABLE_PARTS, k % OBSERVABLE_PARTS);
}

static void msd_chunks(void *self, ChunkList *list)
{
  Msd *m = self;
  const size_t n = 3 * (size_t)m->total * sizeof(double);
  chunk_add(list, &m->clock, sizeof m->clock);
  chunk_add(list, m->last, 2 * n);
  chunk_add(list, m->ring, (size_t)m->nlevel * MSD_SLOTS * n);
  block_rows_chunks(m->rows, 0, list);
}

const ObservableOps observable_msd = {
    .name = "msd",
    .doc = "mean-square displacement of the molecules' centres of mass, and self-diffusion",
    .timed = true,
    .create = msd_create,
    .prepare = msd_prepare,
    .begin = msd_begin,
    .share = msd_share,
    .end = msd_end,
    .write = msd_result_write,
    .chunks = msd_chunks,
    .free = msd_free,
};
