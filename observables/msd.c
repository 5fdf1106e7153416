/* Mean-square displacements of molecular centres of mass, and of the sites of a single molecule, with many
 * time origins in bounded memory. Frames are of one system; replicas in lanes are independent systems.
 *
 * Level k stores the last 16 samples that are 8^k apart, and compares each new sample of that level with
 * them. Level 0 covers lags of 1 to 16 samples, level k lags of 3 to 16 times 8^k, with a time origin every
 * 8^k samples. Positions are not averaged over time, so every displacement is exact. (Order-n algorithms:
 * Frenkel and Smit, Understanding Molecular Simulation, 4.4.2; Dubbeldam et al., Mol. Simul. 35, 1084
 * (2009).)
 *
 * Paths are unwrapped by nearest images between samples, so molecules may be wrapped in any way. A step
 * longer than 0.4 of the box is an error, since its direction is ambiguous. The motion of the system's centre
 * of mass, which a thermostat causes and which would contribute to D, is subtracted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "observables/diffusion.h"
#include "observables/msd_private.h"

static const double longest_step = 0.4; /* as a fraction of the box */

/* --- shape -----------------------------------------------------------------------------------------------
 */

static void lags_create(Msd *m)
{
  const double longest = m->is.options.msd.max > 0.0 ? m->is.options.msd.max : 200.0 / m->ps;
  int64_t stride = 1;
  do {
    const int k = m->nlevel++;
    m->stride[k] = stride;
    m->first_slot[k] = k == 0 ? 1 : MSD_SLOTS / MSD_RATIO + 1;
    m->first_lag[k] = m->nlag;
    for (int j = m->first_slot[k]; j <= MSD_SLOTS; j++)
      if (m->nlag == 0 || (double)(j * stride) * m->is.options.interval <= longest * (1.0 + 1e-9))
        m->lag[m->nlag++] = j * stride;
    m->last_slot[k] = m->first_slot[k] + m->nlag - m->first_lag[k] - 1;
    stride *= MSD_RATIO;
  } while (m->nlevel < MSD_LEVELS &&
           (double)(MSD_SLOTS * stride) * m->is.options.interval < MSD_RATIO * longest * (1.0 - 1e-9));
}

static void series_add(Msd *m, const Kind *kind, const char *site, int n)
{
  MsdSeries *s = &m->series[m->nseries++];
  *s = (MsdSeries){.site = site, .n = n, .start = (size_t)m->total, .mass = kind_mass(kind)};
  if (site == NULL)
    snprintf(s->name, sizeof s->name, "%.23s%s", kind->name, kind->frozen ? "_frozen" : "");
  else
    snprintf(s->name, sizeof s->name, "%.23s_%.15s", kind->name, site);
  m->total += n;
}

/* Adds a series for each name of a site. */
static void sites_create(Msd *m, const Kind *kind)
{
  for (int k = 0; k < kind->nsite && kind->nsite > 1; k++) {
    int before = 0, n = 0;
    for (int j = 0; j < kind->nsite; j++) {
      const bool same = strcmp(kind->site[j], kind->site[k]) == 0;
      before += same && j < k;
      n += same;
    }
    if (before == 0)
      series_add(m, kind, kind->site[k], n);
  }
}

static Status shape_create(Msd *m, const ObservableFrame *frame, Error *error)
{
  const bool alone = observable_molecules(frame) == 1;
  m->ps = m->is.options.reduced ? 1.0 : UNITS_AKMA_FS * 1e-3;
  m->dim = frame->block[0].kind->dim;
  m->drift = m->is.options.keep_drift || alone;
  const size_t most = (size_t)frame->nblock + (alone ? (size_t)frame->block[0].kind->nsite : 0);
  m->series = observable_arena(m, most, sizeof *m->series);
  TRY_MEMORY(m->series != NULL, "mean-square displacements", error);
  for (int b = 0; b < frame->nblock; b++) {
    series_add(m, frame->block[b].kind, NULL, frame->block[b].nmol);
    m->all_mass += frame->block[b].nmol * m->series[b].mass;
  }
  m->drag = diffusion_drag(&m->is.options, frame);
  lags_create(m);
  if (alone && !box_periodic(frame->box))
    sites_create(m, frame->block[0].kind);
  return STATUS_OK;
}

static void memory_create(Msd *m, const ObservableFrame *frame)
{
  const size_t n = 3 * (size_t)m->total, replicas = (size_t)m->replicas, batches = (size_t)m->nbatch,
               slices = batches * (size_t)m->nseries * OBSERVABLE_SLICES;
  const bool lanes = m->replicas > 1;
  for (int b = 0; b < frame->nblock; b++)
    m->room += (size_t)(frame->block[b].nmol * frame->block[b].kind->nsite * m->dim);
  m->clock = observable_kept(m, replicas, sizeof *m->clock);
  m->place = observable_kept(m, replicas * 2 * n, sizeof *m->place);
  m->ring = observable_kept(m, replicas * (size_t)m->nlevel * MSD_SLOTS * n, sizeof *m->ring);
  m->scratch = observable_arena(m, batches * 2 * n, sizeof *m->scratch);
  m->block = observable_arena(m, batches * (size_t)frame->nblock, sizeof *m->block);
  m->sample = observable_arena(m, batches * (lanes ? m->room : 1), sizeof *m->sample);
  m->slice = observable_arena(m, slices, sizeof *m->slice);
  m->is.nout = m->nseries * (m->nlag + MSD_FITS) + 3;
  m->is.shape = (BlockRowsShape){.real = (m->nseries + 1) * m->nlag + 3,
                                 .monitors = m->nseries,
                                 .draws = lanes ? m->replicas : 0,
                                 .idle = m->is.options.idle};
}

static Status msd_create(void *self, const ObservableFrame *frame, Error *error)
{
  Msd *m = self;
  const ObservableOptions *options = &m->is.options;
  m->replicas = options->replicas > 1 ? options->replicas : 1;
  m->nbatch = options->batches > 0 ? options->batches : 1;
  TRY(shape_create(m, frame, error));
  if (options->msd.to > 0.0 && options->msd.to <= options->msd.from)
    return error_set(error, STATUS_INPUT, "the fit ends at %g%s, but begins at %g%s", options->msd.to * m->ps,
                     options->reduced ? "" : " ps", options->msd.from * m->ps, options->reduced ? "" : " ps");
  memory_create(m, frame);
  return STATUS_OK;
}

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* The memory of one replica, and of its batch. */
typedef struct Way {
  MsdClock *clock;
  double *last, *path, *ring, *next, *step; /* [total][3] each; [nlevel][MSD_SLOTS][total][3] */
  MsdSlice *slice;
} Way;

static Way way_of(const Msd *m, int replica)
{
  const size_t n = 3 * (size_t)m->total, r = (size_t)replica, batch = r / (size_t)(m->replicas / m->nbatch);
  double *const place = m->place + r * 2 * n, *const scratch = m->scratch + batch * 2 * n;
  return (Way){m->clock + r,
               place,
               place + n,
               m->ring + r * (size_t)m->nlevel * MSD_SLOTS * n,
               scratch,
               scratch + n,
               m->slice + batch * (size_t)m->nseries * OBSERVABLE_SLICES};
}

/* The position of point i of series s. */
static void find(const Msd *m, const ObservableFrame *frame, int s, int i, double *place)
{
  const MsdSeries *series = &m->series[s];
  const ObservableBlock *block = &frame->block[series->site == NULL ? s : 0];
  const Kind *kind = block->kind;
  const size_t dim = (size_t)m->dim;
  if (series->site == NULL) {
    observable_centre(kind, block->x + dim * (size_t)i * (size_t)kind->nsite, place);
    return;
  }
  size_t k = 0;
  for (int seen = 0; seen <= i; k++)
    seen += strcmp(kind->site[k], series->site) == 0;
  memcpy(place, block->x + dim * (k - 1), dim * sizeof *place);
}

/* The length of a step relative to the shortest image vector; from a half on its direction is ambiguous. */
static double share_of(const Box *box, const double step[3])
{
  if (box_oblique(box))
    return sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]) / box_shortest(box);
  double most = 0.0;
  for (int d = 0; d < 3; d++)
    if (box_length(box, d) > 0.0)
      most = fmax(most, fabs(step[d]) / box_length(box, d));
  return most;
}

/* Computes the positions of one part, and their steps since the last sample. Steps exclude the motion that
 * follows the box, which is not diffusion and is large at distant images. Writes only to scratch memory. */
static void slice_steps(const Msd *m, const Way *w, const ObservableFrame *frame, int s, int index)
{
  MsdSlice *slice = &w->slice[s * OBSERVABLE_SLICES + index];
  const MsdSeries *series = &m->series[s];
  int begin, end;
  double map[3][3];
  box_map(&w->clock->box, frame->box, map);
  observable_slice(series->n, index, &begin, &end);
  memset(slice, 0, sizeof *slice);
  for (int i = begin; i < end; i++) {
    const size_t at = 3 * (series->start + (size_t)i);
    double *next = w->next + at, *step = w->step + at;
    find(m, frame, s, i, next);
    const double *last = w->last + at;
    for (int d = 0; d < 3; d++)
      step[d] =
          w->clock->n > 0 ? next[d] - (last[0] * map[0][d] + last[1] * map[1][d] + last[2] * map[2][d]) : 0.0;
    box_nearest(frame->box, step);
    for (int d = 0; d < 3; d++)
      slice->moved[d] += series->mass * step[d];
    const bool finite = isfinite(next[0]) && isfinite(next[1]) && isfinite(next[2]);
    const double far = finite ? share_of(frame->box, step) : NAN;
    if (!(far <= longest_step) && slice->lost == 0) {
      slice->lost = i + 1;
      slice->farthest = far;
    }
  }
}

static Status steps_check(const Msd *m, const Way *w, const ObservableFrame *frame, Error *error)
{
  if (w->clock->n > 0) {
    TRY(observable_check_time(w->clock->time, frame->time, m->is.options.interval, error));
  }
  for (int k = 0; k < m->nseries * OBSERVABLE_SLICES; k++)
    if (w->slice[k].lost > 0 && isnan(w->slice[k].farthest))
      return error_set(error, STATUS_RUN, "molecule %d of %s has a coordinate that is not a number",
                       w->slice[k].lost, m->series[k / OBSERVABLE_SLICES].name);
    else if (w->slice[k].lost > 0)
      return error_set(
          error, STATUS_INPUT,
          "samples are too far apart in time: number %d of %s moves by %.2f of the box between the sample at "
          "%.10g ps and the previous one. At most %.1f can be unwrapped: sample more often",
          w->slice[k].lost, m->series[k / OBSERVABLE_SLICES].name, w->slice[k].farthest,
          frame->time * UNITS_AKMA_FS * 1e-3, longest_step);
  return STATUS_OK;
}

static void drift_add(const Msd *m, const Way *w)
{
  for (int k = 0; k < m->nseries * OBSERVABLE_SLICES && !m->drift; k++)
    for (int d = 0; d < 3; d++)
      w->clock->drift[d] += w->slice[k].moved[d] / m->all_mass;
}

/* Updates the clock: drift and time. */
static Status msd_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const Msd *m = self;
  const Way w = way_of(m, 0);
  TRY(steps_check(m, &w, frame, error));
  drift_add(m, &w);
  w.clock->time = frame->time;
  w.clock->box = *frame->box;
  return STATUS_OK;
}

static double *ring_slot(const Msd *m, const Way *w, int level, int64_t sample)
{
  return w->ring + 3 * (size_t)m->total * (size_t)(level * MSD_SLOTS + (int)(sample % MSD_SLOTS));
}

/* Advances one part, and compares it with earlier positions at every level that is due. */
static void slice_compare(const Msd *m, const Way *w, int s, int index)
{
  MsdSlice *slice = &w->slice[s * OBSERVABLE_SLICES + index];
  int begin, end;
  observable_slice(m->series[s].n, index, &begin, &end);
  const size_t from = 3 * (m->series[s].start + (size_t)begin), to = 3 * (m->series[s].start + (size_t)end);
  const MsdClock *clock = w->clock;
  for (size_t i = from; i < to; i++) {
    w->last[i] = w->next[i];
    w->path[i] += w->step[i];
  }
  for (int k = 0; k < m->nlevel && clock->n % m->stride[k] == 0; k++) {
    const int64_t sample = clock->n / m->stride[k];
    for (int j = m->first_slot[k]; j <= m->last_slot[k] && j <= sample; j++) {
      const double *earlier = ring_slot(m, w, k, sample - j);
      double sum = 0.0;
      for (size_t i = from; i < to; i++) {
        const double gap = w->path[i] - clock->drift[i % 3] - earlier[i];
        sum += gap * gap;
      }
      slice->sum[m->first_lag[k] + j - m->first_slot[k]] = sum;
    }
    double *now = ring_slot(m, w, k, sample);
    for (size_t i = from; i < to; i++)
      now[i] = w->path[i] - clock->drift[i % 3];
  }
}

/* Adds the sums of all parts to the row of a draw, or of the current block of time. */
static void sample_end(const Msd *m, const Way *w, const Box *box, int draw)
{
  double *row = block_rows_now(m->is.rows, draw).real, *origins = row + m->nseries * m->nlag;
  for (int s = 0; s < m->nseries; s++) {
    for (int k = 0; k < m->nlag; k++) {
      double sum = 0.0;
      for (int p = 0; p < OBSERVABLE_SLICES; p++)
        sum += w->slice[s * OBSERVABLE_SLICES + p].sum[k];
      row[s * m->nlag + k] += m->series[s].n > 0 ? sum / m->series[s].n : 0.0;
      if (k == 0 && m->replicas == 1)
        m->is.monitor[s] = sum;
    }
  }
  for (int k = 0; k < m->nlevel && w->clock->n % m->stride[k] == 0; k++)
    for (int j = m->first_slot[k]; j <= m->last_slot[k] && j <= w->clock->n / m->stride[k]; j++)
      origins[m->first_lag[k] + j - m->first_slot[k]] += 1.0;
  for (int d = 0; d < 3; d++)
    origins[m->nlag + d] += box_length(box, d);
  w->clock->n++;
}

static void msd_end(void *self, const Team *team, const ObservableFrame *frame)
{
  (void)team;
  const Msd *m = self;
  const Way w = way_of(m, 0);
  sample_end(m, &w, frame->box, 0);
}

static void msd_prepare(void *self, const Team *team, const ObservableFrame *frame)
{
  const Msd *m = self;
  const Way w = way_of(m, 0);
  int begin, end;
  team_range(team, m->nseries * OBSERVABLE_SLICES, &begin, &end);
  for (int k = begin; k < end; k++)
    slice_steps(m, &w, frame, k / OBSERVABLE_SLICES, k % OBSERVABLE_SLICES);
}

static void msd_share(void *self, const Team *team, const ObservableFrame *frame)
{
  (void)frame;
  const Msd *m = self;
  const Way w = way_of(m, 0);
  int begin, end;
  team_range(team, m->nseries * OBSERVABLE_SLICES, &begin, &end);
  for (int k = begin; k < end; k++)
    slice_compare(m, &w, k / OBSERVABLE_SLICES, k % OBSERVABLE_SLICES);
}

/* Adds a replica's sample as that of one system, by one thread. */
static void add_replica(const Msd *m, int replica, const ObservableFrame *frame)
{
  const Way w = way_of(m, replica);
  for (int k = 0; k < m->nseries * OBSERVABLE_SLICES; k++)
    slice_steps(m, &w, frame, k / OBSERVABLE_SLICES, k % OBSERVABLE_SLICES);
  drift_add(m, &w);
  for (int k = 0; k < m->nseries * OBSERVABLE_SLICES; k++)
    slice_compare(m, &w, k / OBSERVABLE_SLICES, k % OBSERVABLE_SLICES);
  sample_end(m, &w, frame->box, replica);
  block_rows_end(m->is.rows, replica, NULL);
}

static void msd_add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const Msd *m = self;
  const Topology *topology = lanes->topology;
  const int width = sample_width(sample);
  const size_t batch = (size_t)(lanes->first / width);
  ObservableBlock *const block = m->block + batch * (size_t)topology->nsort;
  const ObservableFrame frame = {.box = sample_box(sample), .nblock = topology->nsort, .block = block};
  double *const all = m->sample + batch * m->room, *x = all;
  if (sample->team->rank != 0)
    return;
  int b = 0;
  do { /* at least one */
    const TopologySort *sort = &topology->sort[b];
    block[b] = (ObservableBlock){.kind = sort->kind, .nmol = sort->nmol, .x = x};
    x += sort->nmol * sort->kind->nsite * sort->kind->dim;
  } while (++b < topology->nsort);
  for (int r = 0; r < width && lanes->first + r < m->replicas - m->is.options.idle; r++) {
    sample_get(sample, topology, STATE_POSITIONS, r, all);
    add_replica(m, lanes->first + r, &frame);
  }
}

const ObservableOps observable_msd = {
    .name = "msd",
    .doc = "mean-square displacement of molecular centres of mass (of a single molecule or a system of sites "
           "also of sites), and self-diffusion",
    .size = sizeof(Msd),
    .timed = true,
    .flat = true,
    .create = msd_create,
    .prepare = msd_prepare,
    .begin = msd_begin,
    .share = msd_share,
    .end = msd_end,
    .add_lanes = msd_add_lanes,
    .shortest = msd_result_shortest,
    .evaluate = msd_result_evaluate,
    .write = msd_result_write,
    .draw = msd_result_draw,
};
