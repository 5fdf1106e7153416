#include "observables/metadynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/scoped.h"
#include "observables/collective_private.h"
#include "observables/observable.h"
#include "observables/picture.h"
#include "observables/profile.h"

static const double degree = M_PI / 180.0;

typedef struct Metadynamics {
  Observable is; /* rows: [all + 1] counts, the last those out of range; real: [all + 1] weights */
  const MetadynamicsBias *bias;
  double kT;
  int n[BIAS_GRID_AXES], all; /* bins by axis, 1 of an axis that does not exist; of both together */
  double low[BIAS_GRID_AXES], width[BIAS_GRID_AXES]; /* A or radians */
  double *value;                                     /* [batches][BIAS_GRID_AXES][LANES] */
  Vec8 *scratch;                                     /* [batches][memory] */
  size_t memory;
} Metadynamics;

/* --- values ----------------------------------------------------------------------------------------------
 */

size_t metadynamics_memory(const MetadynamicsBias *bias)
{
  size_t most = 0;
  for (int a = 0; a < bias->n; a++) {
    const size_t memory = coordinate_sites_memory(&bias->on[a]);
    most = memory > most ? memory : most;
  }
  return most;
}

void metadynamics_values(const MetadynamicsBias *bias, const Topology *topology, const Sample *sample,
                         int first, Vec8 *scratch, double *value)
{
  for (int a = 0; a < bias->n; a++)
    collective_lane_site_values(&bias->on[a], topology, sample, first / LANES, scratch,
                                value + (ptrdiff_t)a * LANES);
}

/* --- creation --------------------------------------------------------------------------------------------
 */

static Status create(void *self, const ObservableFrame *frame, Error *error)
{
  (void)frame;
  Metadynamics *m = self;
  const ObservableOptions *o = &m->is.options;
  const size_t batches = (size_t)(o->batches > 0 ? o->batches : 1);
  m->bias = o->hills;
  if (m->bias == NULL)
    return error_set(
        error, STATUS_INPUT,
        "only a run with type: metadynamics in biases knows the bias at the time of each sample");
  m->all = m->n[1] = 1;
  for (int a = 0; a < m->bias->n; a++) {
    const BiasGridAxis *axis = &bias_grid_options(m->bias->grid)->axis[a];
    m->n[a] = o->metadynamics.bins > 0 ? o->metadynamics.bins : m->bias->n == 1 ? 72 : 36;
    m->all *= m->n[a];
    m->low[a] = axis->low;
    m->width[a] = (axis->high - axis->low) / m->n[a];
  }
  m->kT = bias_grid_options(m->bias->grid)->kT;
  m->memory = metadynamics_memory(m->bias);
  m->value = observable_arena(m, batches * BIAS_GRID_AXES * LANES, sizeof *m->value);
  m->scratch = observable_arena(m, batches * m->memory, sizeof *m->scratch);
  m->is.shape = (BlockRowsShape){.whole = m->all + 1,
                                 .real = m->all + 1,
                                 .monitors = 2 * m->bias->n,
                                 .draws = o->joint || o->replicas > 1 ? o->replicas : 0,
                                 .idle = o->idle};
  m->is.nout = m->all + (m->bias->n == 2 ? m->n[0] + m->n[1] : 0);
  return STATUS_OK;
}

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* The bin of values; all: out of range. */
static int bin_of(const Metadynamics *m, const double *x)
{
  int bin = 0;
  for (int a = 0; a < m->bias->n; a++) {
    const CoordinateType *type = &coordinate_types[m->bias->on[a].form];
    const int i = coordinate_bin(type, m->low[a], m->width[a], m->n[a], x[a]);
    if (i < 0)
      return m->all;
    bin = bin * m->n[a] + i;
  }
  return bin;
}

/* Adds the values of one replica, at intervals of `step`, to a row. */
static void add_values(const Metadynamics *m, const double *value, int step, const BlockRowsRow *row)
{
  double x[BIAS_GRID_AXES];
  for (int a = 0; a < m->bias->n; a++)
    x[a] = value[(ptrdiff_t)a * step];
  const int bin = bin_of(m, x);
  row->whole[bin]++;
  row->real[bin] += exp((bias_grid_energy(m->bias->grid, x, NULL) - bias_grid_work(m->bias->grid)) / m->kT);
}

static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  Metadynamics *m = self;
  for (int a = 0; a < m->bias->n; a++) {
    const CoordinateType *type = &coordinate_types[m->bias->on[a].form];
    m->value[a] = collective_frame_site_value(&m->bias->on[a], frame, m->scratch);
    if (!isfinite(m->value[a]))
      return error_set(error, STATUS_RUN, "%s is not a number", m->bias->coordinate[a]);
    collective_moments(type, m->value[a], m->is.monitor + (ptrdiff_t)2 * a);
  }
  const BlockRowsRow row = block_rows_now(m->is.rows, 0);
  add_values(m, m->value, 1, &row);
  return STATUS_OK;
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const Metadynamics *m = self;
  const int width = sample_width(sample), used = width < LANES ? width : LANES;
  const ptrdiff_t batch = lanes->first / width;
  double *const value = m->value + batch * BIAS_GRID_AXES * LANES;
  if (sample->team->rank != 0)
    return;
  for (int lane = 0; lane < width; lane += LANES) {
    metadynamics_values(m->bias, lanes->topology, sample, lane, m->scratch + batch * (ptrdiff_t)m->memory,
                        value);
    for (int l = 0; l < used; l++) {
      const int draw = lanes->first + lane + l;
      const BlockRowsRow row = block_rows_now(m->is.rows, draw);
      add_values(m, value + l, LANES, &row);
      block_rows_end(m->is.rows, draw, NULL);
    }
  }
}

/* --- results ---------------------------------------------------------------------------------------------
 */

static double free_of(const Metadynamics *m, double weight, double total)
{
  return weight > 0.0 ? -m->kT * log(weight / total) : NAN;
}

/* The free energy in all bins, and of two coordinates along each. */
static void evaluate(const void *self, const double *sum, double n, double *out)
{
  (void)n;
  const Metadynamics *m = self;
  const double *weight = sum + m->is.shape.whole;
  double total = 0.0;
  for (int b = 0; b <= m->all; b++)
    total += weight[b];
  for (int b = 0; b < m->all; b++)
    out[b] = free_of(m, weight[b], total);
  for (int a = 0, at = m->all; a < m->bias->n && m->bias->n == 2; at += m->n[a++])
    for (int i = 0; i < m->n[a]; i++) {
      double along = 0.0;
      for (int j = 0; j < m->n[1 - a]; j++)
        along += weight[a == 0 ? i * m->n[1] + j : j * m->n[1] + i];
      out[at + i] = free_of(m, along, total);
    }
}

static double middle_of(const Metadynamics *m, int axis, int bin)
{
  return m->low[axis] + (bin + 0.5) * m->width[axis];
}

/* The free energy from the bias in the middle of bin [i][j]. */
static double free_of_bias(const Metadynamics *m, int i, int j)
{
  const double factor = bias_grid_options(m->bias->grid)->factor;
  const double x[] = {middle_of(m, 0, i), m->bias->n == 2 ? middle_of(m, 1, j) : 0.0};
  return -factor / (factor - 1.0) * bias_grid_energy(m->bias->grid, x, NULL);
}

/* The same along an axis, averaged over the other one; NaN without samples. */
static void bias_along(const Metadynamics *m, int axis, const double *samples, double *free)
{
  const int others = m->bias->n == 2 ? m->n[1 - axis] : 1;
  for (int i = 0; i < m->n[axis]; i++) {
    double least = INFINITY, sum = 0.0;
    for (int j = 0; j < others; j++)
      least = fmin(least, axis == 0 ? free_of_bias(m, i, j) : free_of_bias(m, j, i));
    for (int j = 0; j < others; j++)
      sum += exp((least - (axis == 0 ? free_of_bias(m, i, j) : free_of_bias(m, j, i))) / m->kT);
    free[i] = samples[i] > 0.0 ? least - m->kT * log(sum) : NAN;
  }
}

static void lower(double *free, int n)
{
  double least = INFINITY;
  for (int b = 0; b < n; b++)
    least = free[b] < least ? free[b] : least;
  for (int b = 0; b < n; b++)
    free[b] -= least;
}

static const char *unit_of(const Metadynamics *m, int axis, double *unit)
{
  const CoordinateType *type = &coordinate_types[m->bias->on[axis].form];
  *unit = type->angle ? degree : 1.0;
  return type->unit;
}

static void say(const Metadynamics *m, const ObservableResult *r, ResultTable *t)
{
  const BiasGridOptions *o = bias_grid_options(m->bias->grid);
  results_say(t,
              "free_energy: from samples with the weights exp((V - c)/kT) of Tiwary and Parrinello (2015)");
  results_say(t, "free_energy_bias: -%.6g V, from the bias V at the end, where there are samples",
              o->factor / (o->factor - 1.0));
  for (int a = 0; a < m->bias->n; a++) {
    double unit;
    const char *words = unit_of(m, a, &unit);
    results_say(t, "grid_%s: %.6g to %.6g%s%s, in %d points", m->bias->coordinate[a], o->axis[a].low / unit,
                o->axis[a].high / unit, words,
                o->axis[a].periodic ? ", the whole turn" : "; beyond them the bias keeps the edge's value",
                bias_grid_points(m->bias->grid, a));
  }
  if (m->bias->others > 0)
    results_say(t, "other_biases: harmonic biases and walls are not removed");
  results_say(t, "hills: %lld, and %lld left out beyond the edges", (long long)bias_grid_hills(m->bias->grid),
              (long long)bias_grid_outside(m->bias->grid));
  results_say(t, "work_c: %.6g kcal/mol", bias_grid_work(m->bias->grid));
  results_say(t, "samples: %lld", (long long)r->errors.samples);
  block_rows_say(&r->errors, "its correlation", t);
}

/* Adds the table along an axis. */
static Status add_axis(const Metadynamics *m, const ObservableResult *r, int axis, ResultSet *set,
                       Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const int n = m->n[axis], at = m->bias->n == 1 ? 0 : axis == 0 ? m->all : m->all + m->n[0];
  double *const samples = arena_take(&arena, 2 * (size_t)n, sizeof *samples), *const bias = samples + n;
  TRY(arena_check(&arena, "a free energy", error));
  for (int b = 0; b < m->all; b++)
    samples[axis == 0 ? b / m->n[1] : b % m->n[1]] += r->sum[b];
  const Profile profile = {.name = m->bias->coordinate[axis],
                           .form = m->bias->on[axis].form,
                           .n = n,
                           .low = m->low[axis],
                           .width = m->width[axis],
                           .free = r->value + at,
                           .error = r->error + at,
                           .samples = samples,
                           .kT = m->kT,
                           .without = m->bias->others > 0 ? "the hills" : NULL};
  ResultTable *t;
  TRY(profile_add(&profile, set, &t, error));
  bias_along(m, axis, samples, bias);
  lower(bias, n);
  results_add_column(t, "free_energy_bias", bias, NULL);
  say(m, r, t);
  return STATUS_OK;
}

static void plane_name(const Metadynamics *m, char name[64])
{
  profile_name(m->bias->coordinate[0], m->bias->coordinate[1], name, 64);
}

/* Adds the table of both coordinates. */
static Status add_plane(const Metadynamics *m, ObservableResult *r, ResultSet *set, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const size_t all = (size_t)m->all;
  double unit[BIAS_GRID_AXES], *const x = arena_take(&arena, 4 * all, sizeof *x), *const y = x + all,
                                      *const bias = y + all, *const samples = bias + all;
  const char *words[] = {unit_of(m, 0, &unit[0]), unit_of(m, 1, &unit[1])};
  char name[64];
  TRY(arena_check(&arena, "a free energy", error));
  for (int b = 0; b < m->all; b++) {
    const int i = b / m->n[1], j = b % m->n[1];
    x[b] = middle_of(m, 0, i) / unit[0];
    y[b] = middle_of(m, 1, j) / unit[1];
    samples[b] = r->sum[b];
    bias[b] = samples[b] > 0.0 ? free_of_bias(m, i, j) : NAN;
  }
  lower(bias, m->all);
  lower(r->value, m->all);
  plane_name(m, name);
  ResultTable *t = results_add_table(set, name, all);
  results_add_column(t, "first", x, NULL);
  results_add_column(t, "second", y, NULL);
  results_add_column(t, "free_energy", r->value, r->error);
  results_add_column(t, "samples", samples, NULL);
  results_add_column(t, "free_energy_bias", bias, NULL);
  results_say(t, "first: %s, in the middle of bins of %.9g%s; second: %s, in the middle of bins of %.9g%s",
              m->bias->coordinate[0], m->width[0] / unit[0], words[0], m->bias->coordinate[1],
              m->width[1] / unit[1], words[1]);
  say(m, r, t);
  return STATUS_OK;
}

static Status write(void *self, ObservableResult *r, const char *dir, ResultSet *set, Error *error)
{
  (void)dir;
  const Metadynamics *m = self;
  const int64_t outside = bias_grid_outside(m->bias->grid);
  if (m->bias->n == 2)
    TRY(add_plane(m, r, set, error));
  for (int a = 0; a < m->bias->n; a++)
    TRY(add_axis(m, r, a, set, error));
  if (outside == 0 && bias_grid_hills(m->bias->grid) == 0)
    results_remark(set, "metadynamics: no hill was added, since the run has ended before the first one "
                        "(biases.every)");
  if (outside > 0)
    results_remark(set,
                   "metadynamics: %lld hills of %lld were left out, because walkers were beyond the edges of "
                   "the grid: choose wider edges (from, to), or put walls (type: wall) inside them",
                   (long long)outside, (long long)outside + (long long)bias_grid_hills(m->bias->grid));
  return STATUS_OK;
}

static Status draw(const void *self, const ObservableResult *r, const char *dir, const ResultSet *set,
                   Error *why)
{
  const Metadynamics *m = self;
  for (int a = 0; a < m->bias->n; a++)
    TRY(profile_draw(dir, set->table[set->ntable - m->bias->n + a], why));
  if (m->bias->n < 2)
    return STATUS_OK;
  char name[64];
  double unit[BIAS_GRID_AXES];
  for (int a = 0; a < BIAS_GRID_AXES; a++)
    (void)unit_of(m, a, &unit[a]);
  const PictureMap map = {.x = m->bias->coordinate[0],
                          .y = m->bias->coordinate[1],
                          .words = "free energy (kcal/mol)",
                          .n = m->n[0],
                          .low = m->low[0] / unit[0],
                          .high = (m->low[0] + m->n[0] * m->width[0]) / unit[0],
                          .other = {m->low[1] / unit[1], (m->low[1] + m->n[1] * m->width[1]) / unit[1]},
                          .z = r->value};
  plane_name(m, name);
  return picture_map(dir, name, 1, &map, why);
}

const ObservableOps observable_metadynamics = {
    .name = "metadynamics",
    .doc = "free energies along the coordinates of metadynamics, by reweighting and from the bias",
    .size = sizeof(Metadynamics),
    .joint = true,
    .create = create,
    .begin = begin,
    .add_lanes = add_lanes,
    .evaluate = evaluate,
    .write = write,
    .draw = draw};
