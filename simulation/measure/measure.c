#include "simulation/measure/measure_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory ------- */

static Status rows_create(Recorder *m, Error *error)
{
  const size_t numbers = (size_t)m->width * (size_t)m->ncol;
  const Ensemble *e = m->options.ensemble;
  m->rows = calloc((size_t)m->nbatch, sizeof *m->rows);
  if (m->rows == NULL)
    return error_memory(error, "the measurements");
  for (int g = 0; g < m->nbatch; g++) {
    Rows *rows = &m->rows[g];
    rows->value = malloc((size_t)m->rows_most * numbers * sizeof(double));
    rows->now = malloc(numbers * sizeof(double));
    if (rows->value == NULL || rows->now == NULL)
      return error_memory(error, "the measurements");
    const Sample sample = ensemble_at(e, m->base + g);
    TRY(measurement_open(m->measurement, &sample, &rows->snapshot, error));
  }
  return STATUS_OK;
}

static Status sums_create(Recorder *m, Error *error)
{
  const LadderOptions *ladder = m->options.ladder != NULL ? ladder_options(m->options.ladder) : NULL;
  const MeansShape shape = {.ncol = m->ncol,
                            .replicas = ladder != NULL ? ladder->n * ladder->ladders : m->replicas,
                            .temperatures = m->temperatures,
                            .first = m->base * m->width,
                            .held = m->nbatch * m->width};
  TRY(means_create(&m->means, &shape, m->measurement->column, error));
  if (m->replicas > 1 && !m->options.brief)
    m->sum = malloc((size_t)m->rows_most * (size_t)m->temperatures * (size_t)m->ncol * sizeof *m->sum);
  return m->sum != NULL || m->replicas == 1 || m->options.brief ? STATUS_OK
                                                                : error_memory(error, "the measurements");
}

/* The capacity for items of so many numbers. */
static int room_for(size_t numbers, int most)
{
  const size_t fit = BUFFER_NUMBERS / (numbers + 1);
  return fit >= (size_t)most ? most : fit > LEAST ? (int)fit : LEAST;
}

/* Selects all replicas in memory, the requested one, or none. */
static void choose_frames(Recorder *m)
{
  const int chosen = m->options.frame_replica, first = m->base * m->width, held = m->nbatch * m->width;
  const bool there = chosen >= first && chosen < first + held;
  m->frame_first = chosen == MEASURE_ALL || !there ? first : chosen;
  m->frame_replicas = chosen == MEASURE_ALL ? held : there;
}

enum { BOX_NUMBERS = sizeof(Box) / sizeof(double) };

/* Finds sizes and capacities. */
static void find_sizes(Recorder *m)
{
  const RecorderOptions *o = &m->options;
  const Ensemble *e = o->ensemble;
  const size_t columns = o->frame_columns ? (size_t)m->measurement->shown : 0;
  m->ncol = o->brief ? m->measurement->shown : m->measurement->n;
  m->width = ensemble_width(e);
  m->base = ensemble_base(e);
  m->nbatch = ensemble_held(e);
  m->replicas = o->replicas;
  m->temperatures = o->ladder != NULL ? ladder_options(o->ladder)->n : 1;
  m->frame_size = topology_coordinates(ensemble_topology(e));
  m->frame_box = m->frame_size * (o->velocities || o->momenta ? 2 : 1);
  const Sample first = ensemble_at(e, m->base);
  m->boxed = box_periodic(sample_box(&first)) != 0;
  m->frame_room = m->frame_box + (m->boxed ? BOX_NUMBERS : 0) + columns;
  choose_frames(m);
  const size_t held = (size_t)m->nbatch * (size_t)m->width;
  const size_t sums = (size_t)m->temperatures * (sizeof *m->sum / sizeof(double));
  m->rows_most = o->brief ? LEAST : room_for((size_t)m->ncol * (held + sums), ROWS);
  m->frames_most = room_for(m->frame_room * (size_t)m->frame_replicas, FRAMES);
  m->multipliers_most = room_for((size_t)o->ncon, MULTIPLIERS);
}

static Status frames_create(Recorder *m, Error *error)
{
  const size_t frame = m->frame_room * (size_t)m->frame_replicas + 1;
  const size_t held = (size_t)m->nbatch * (size_t)m->width, multipliers = (size_t)m->multipliers_most;
  m->left = calloc(held, sizeof *m->left);
  if (m->options.frame_every > 0)
    m->frame = malloc((size_t)m->frames_most * frame * sizeof *m->frame);
  if (m->options.multipliers_every > 0) {
    m->multiplier = malloc(multipliers * (size_t)(m->options.ncon + 1) * sizeof *m->multiplier);
    m->multiplier_step = malloc(multipliers * sizeof *m->multiplier_step);
  }
  if (m->left == NULL || (m->options.frame_every > 0 && m->frame == NULL) ||
      (m->options.multipliers_every > 0 && (m->multiplier == NULL || m->multiplier_step == NULL)))
    return error_memory(error, "the measurements");
  for (size_t r = 0; r < held; r++)
    m->left[r].step = -1;
  return STATUS_OK;
}

static Status fill_in(Recorder *m, Error *error)
{
  find_sizes(m);
  TRY(sums_create(m, error));
  TRY(rows_create(m, error));
  TRY(frames_create(m, error));
  return m->options.mixing ? mixing_create(&m->mixing, m->nbatch, m->width, error) : STATUS_OK;
}

Status measure_create(Recorder **measure, const RecorderOptions *options, Error *error)
{
  Recorder *m = *measure = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "the measurements");
  m->options = *options;
  m->measurement = options->measurement;
  const Status status = fill_in(m, error);
  if (status == STATUS_OK)
    return STATUS_OK;
  measure_free(m);
  *measure = NULL;
  return status;
}

void measure_free(Recorder *m)
{
  if (m == NULL)
    return;
  for (int g = 0; m->rows != NULL && g < m->nbatch; g++) {
    Rows *rows = &m->rows[g];
    measurement_close(&rows->snapshot);
    free(rows->value);
    free(rows->now);
  }
  means_free(&m->means);
  free(m->sum);
  free(m->rows);
  free(m->left);
  mixing_free(m->mixing);
  free(m->frame);
  free(m->multiplier);
  free(m->multiplier_step);
  free(m);
}

/* --- sampling ------- */

/* The index of a replica's values: its slot in a ladder. */
static int slot_of(const Recorder *m, int replica) { return ladder_slot(m->options.ladder, replica); }

static double *value_of(const Recorder *m, int i, int slot)
{
  const size_t at = (size_t)i * (size_t)m->width + (size_t)(slot % m->width);
  return measure_rows_of(m, slot / m->width)->value + at * (size_t)m->ncol;
}

/* The columns of lane r at the present step. */
static double *now_of(const Recorder *m, int batch, int r)
{
  return measure_rows_of(m, batch)->now + (size_t)r * (size_t)m->ncol;
}

/* Computes the columns of a batch's replicas: all, or the shown ones. */
static Status fill(const Recorder *m, int batch, const Sample *sample, bool all, Error *error)
{
  const Snapshot *const snapshot = &measure_rows_of(m, batch)->snapshot;
  for (int r = 0; r < sample_used(sample); r++)
    TRY(measurement_fill(m->measurement, snapshot, sample, r, all, now_of(m, batch, r), error));
  return STATUS_OK;
}

/* Takes a snapshot with all members of a team; the first computes the columns, and passes an error to the
 * others. */
static Status take_snapshot(Recorder *m, int batch, const Sample *sample, bool all, Error *error)
{
  const Team *team = sample->team;
  TRY(measurement_snapshot(m->measurement, &measure_rows_of(m, batch)->snapshot, sample, error));
  const Status status = team->rank == 0 ? fill(m, batch, sample, all, error) : STATUS_OK;
  if (team->size == 1 || !all || m->measurement->n == m->measurement->shown)
    return status;
  if (team->rank == 0) {
    m->status = status;
    m->fault = status != STATUS_OK ? *error : m->fault;
  }
  team_barrier(team);
  return team->rank == 0 ? status : error_pass(error, m->status, &m->fault);
}

static void take_thermo(Recorder *m, int batch, const Sample *sample)
{
  Rows *rows = measure_rows_of(m, batch);
  const bool average = sample_step(sample) > m->options.equilibration;
  double potential[WIDTH_MAX] = {0};
  for (int r = 0; r < sample_used(sample); r++) {
    const int replica = batch * m->width + r, slot = slot_of(m, replica);
    double *value = value_of(m, rows->n, slot);
    memcpy(value, now_of(m, batch, r), (size_t)m->ncol * sizeof *value);
    EvaporationEvent *left = &m->left[measure_place(m, replica)];
    if (m->options.evaporation && left->step < 0)
      evaporation_find(ensemble_topology(m->options.ensemble), sample, r, left);
    if (average)
      means_add(&m->means, slot, value);
    potential[r] = m->mixing != NULL ? value[m->measurement->potential] : 0.0;
  }
  if (average && m->mixing != NULL)
    mixing_add(m->mixing, batch - m->base, potential);
  if (average && batch == ensemble_first(m->options.ensemble))
    m->means.samples++;
  rows->step[rows->n++] = sample_step(sample);
}

/* Whether replicas of this batch may have frames. */
static bool has_frames(const Recorder *m, int batch)
{
  const int first = batch * m->width;
  return m->options.frame_slots ||
         (first + m->width > m->frame_first && first < m->frame_first + m->frame_replicas);
}

static void take_frames(Recorder *m, int batch, const Sample *sample)
{
  const Topology *topology = ensemble_topology(m->options.ensemble);
  Rows *rows = measure_rows_of(m, batch);
  bool any = m->options.frame_slots && rows->nframe < m->frames_most; /* all batches count frames in step */
  for (int r = 0; r < sample_used(sample) && rows->nframe < m->frames_most; r++) {
    const int replica = batch * m->width + r, slot = m->options.frame_slots ? slot_of(m, replica) : replica;
    if (slot < m->frame_first || slot >= m->frame_first + m->frame_replicas)
      continue;
    double *x = measure_frame_at(m, rows->nframe, slot);
    sample_get(sample, topology, STATE_POSITIONS, r, x);
    if (m->options.velocities || m->options.momenta)
      sample_get(sample, topology, m->options.velocities ? STATE_VELOCITIES : STATE_MOMENTA, r,
                 x + m->frame_size);
    const size_t columns = m->options.frame_columns ? (size_t)m->measurement->shown : 0;
    if (m->boxed)
      memcpy(x + m->frame_box, sample_box(sample), BOX_NUMBERS * sizeof *x);
    memcpy(x + m->frame_room - columns, now_of(m, batch, r), columns * sizeof *x);
    any = true;
  }
  if (any)
    rows->frame_step[rows->nframe++] = sample_step(sample);
}

/* Of one replica or slot. One thread at a time has its ladder, so the counter needs no lock. */
static void take_multipliers(Recorder *m, int batch, const Sample *sample)
{
  for (int r = 0; r < sample_used(sample); r++) {
    const int replica = batch * m->width + r;
    if ((m->options.frame_slots ? slot_of(m, replica) : replica) != m->options.multipliers_replica ||
        m->nmultiplier >= m->multipliers_most)
      continue;
    ensemble_multipliers(ensemble_topology(m->options.ensemble)->sort, 0, sample, r,
                         m->multiplier + (size_t)m->nmultiplier * (size_t)m->options.ncon);
    m->multiplier_step[m->nmultiplier++] = sample_step(sample);
  }
}

/* The observable set of a batch, in a ladder that of the slot; *first is the index of its first replica
 * there. */
static ObservableSet *set_of(const Recorder *m, int batch, int *first)
{
  const bool together = m->options.sets == 1;
  *first = together ? (int)measure_place(m, batch * m->width) : 0;
  return m->options.observables[together ? 0 : slot_of(m, batch) - m->base];
}

/* Computes for the first member of a team: energies that exchanges use in a ladder, else potential energies
 * (force_field_energy); and F'M^-1 F and the pressure if these are not NULL. */
static Status take_energies(const Recorder *m, int batch, const Sample *sample, double energy[WIDTH_MAX],
                            double *square, WalkPressure *pressure, Error *error)
{
  const int width = sample_width(sample);
  double kinetic[WIDTH_MAX], penalty[WIDTH_MAX], terms[FORCE_TERMS * FORCES_MAX * WIDTH_MAX];
  const WalkEnergies energies = {
      .kinetic = kinetic, .penalty = penalty, .terms = terms, .pressure = pressure, .square = square};
  if (m->options.energies)
    return ladder_energies(m->options.ladder, batch, sample, energy, error);
  TRY(sample_energies(sample, &energies, error));
  for (int r = 0; r < width && sample->team->rank == 0; r++)
    energy[r] = force_field_energy(ensemble_field(m->options.ensemble), terms, width, r).potential;
  return STATUS_OK;
}

/* Adds a sample of a batch to a set, where its first replica has the index `first`. */
static Status add_to_set(const Recorder *m, ObservableSet *set, int first, int batch, const Sample *sample,
                         Error *error)
{
  const int64_t step = sample_step(sample);
  int slot[WIDTH_MAX];
  double energy[WIDTH_MAX], square[WIDTH_MAX];
  for (int r = 0; r < m->width; r++)
    slot[r] = slot_of(m, batch * m->width + r);
  const ObservableNeeds needs = observable_set_needs(set, step);
  const bool wanted = m->options.energies || needs.energies || needs.pressures;
  WalkPressure pressure = {.topology = ensemble_topology(m->options.ensemble)};
  if (wanted)
    TRY(take_energies(m, batch, sample, energy, needs.squares ? square : NULL,
                      needs.pressures ? &pressure : NULL, error));
  const ObservableLanes lanes = {.first = first,
                                 .slot = m->options.ladder != NULL ? slot : NULL,
                                 .energy = wanted ? energy : NULL,
                                 .square = needs.squares ? square : NULL,
                                 .pressure = needs.pressures ? &pressure : NULL};
  return error_in_run(error, observable_set_add(set, sample, &lanes, error));
}

static Status take_observables(const Recorder *m, int batch, const Sample *sample, Error *error)
{
  int first;
  if (sample_step(sample) <= m->options.equilibration)
    return STATUS_OK;
  if (m->options.sets > 0) {
    ObservableSet *set = set_of(m, batch, &first);
    TRY(add_to_set(m, set, first, batch, sample, error));
  }
  return m->options.joint == NULL
             ? STATUS_OK
             : add_to_set(m, m->options.joint, (int)measure_place(m, batch * m->width), batch, sample, error);
}

/* The greatest common divisor of the strides of all observables, 0 without observables. */
static int64_t observables_every(const Recorder *m)
{
  const int64_t own = m->options.sets > 0 ? observable_set_every(m->options.observables[0]) : 0;
  return m->options.joint != NULL ? observable_set_stride(observable_set_every(m->options.joint), own) : own;
}

static Status sample_due(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  Recorder *m = self;
  const bool row = (due & 1u << MEASURE_THERMO) != 0, frame = (due & 1u << MEASURE_FRAME) != 0;
  if (row || (frame && m->options.frame_columns && has_frames(m, batch)))
    TRY(take_snapshot(m, batch, sample, row && !m->options.brief, error));
  if (row && sample->team->rank == 0)
    take_thermo(m, batch, sample);
  if (due & 1u << MEASURE_OBSERVABLES)
    TRY(take_observables(m, batch, sample, error));
  if (sample->team->rank != 0)
    return STATUS_OK;
  if (frame)
    take_frames(m, batch, sample);
  if (due & 1u << MEASURE_MULTIPLIERS)
    take_multipliers(m, batch, sample);
  return STATUS_OK;
}

Sampler measure_sampler(Recorder *m)
{
  const bool pressures = m->options.sets > 0 && observable_set_pressures(m->options.observables[0]);
  return (Sampler){.self = m,
                   .every = {[MEASURE_THERMO] = m->options.thermo_every,
                             [MEASURE_FRAME] = m->options.frame_every,
                             [MEASURE_MULTIPLIERS] = m->options.multipliers_every,
                             [MEASURE_OBSERVABLES] = observables_every(m)},
                   .energies = 1u << MEASURE_THERMO | (m->options.frame_columns ? 1u << MEASURE_FRAME : 0u) |
                               (pressures ? 1u << MEASURE_OBSERVABLES : 0u),
                   .sample = sample_due};
}

static int64_t shorter(int64_t a, int64_t every, int64_t capacity)
{
  return every > 0 && every <= INT64_MAX / capacity && every * capacity < a ? every * capacity : a;
}

/* The largest number of steps between flushes without buffer overflow. */
static int64_t segment(const Recorder *m)
{
  int64_t n = shorter(INT64_MAX, m->options.thermo_every, m->rows_most - 1);
  n = shorter(n, m->options.frame_every, m->frames_most - 1);
  return shorter(n, m->options.multipliers_every, m->multipliers_most - 1);
}

/* --- reading ------- */

/* Sums a column of a row over the active replicas, or their ladders. */
static void sum_column(const Recorder *m, int i, int temperature, int c, ExactSum *sum)
{
  const LadderOptions *ladder = m->options.ladder != NULL ? ladder_options(m->options.ladder) : NULL;
  const int n = m->temperatures, first = ensemble_first(m->options.ensemble) * m->width;
  const int all = ensemble_end(m->options.ensemble) * m->width;
  const int there = ladder != NULL ? ladder->ladders * n : m->replicas, end = there < all ? there : all;
  *sum = (ExactSum){0};
  for (int slot = first + temperature; slot < end; slot += n)
    exact_sum_add(sum, value_of(m, i, slot)[c]);
}

/* Gathers the frames that all their batches have. */
static void gather_frames(Recorder *m)
{
  const Ensemble *e = m->options.ensemble;
  int first, end;
  m->nframe = 0;
  if (!measure_own_frames(m, &first, &end))
    return;
  const int from = m->options.frame_slots ? ensemble_first(e) : first / m->width;
  const int to = m->options.frame_slots ? ensemble_end(e) : (end - 1) / m->width + 1;
  const Rows *least = measure_rows_of(m, from);
  for (int g = from + 1; g < to; g++)
    least = measure_rows_of(m, g)->nframe < least->nframe ? measure_rows_of(m, g) : least;
  m->nframe = least->nframe;
  memcpy(m->frame_step, least->frame_step, sizeof m->frame_step);
  for (int i = 0; i < m->nframe; i++)
    m->frame_have[i] = end - first;
}

/* Computes sum k: of a row, a temperature and a column. */
static void sum_one(void *self, int k)
{
  Recorder *const m = self;
  const int ncol = m->ncol;
  sum_column(m, k / ncol / m->temperatures, k / ncol % m->temperatures, k % ncol, &m->sum[k]);
}

/* Gathers rows that all active batches have sampled since the last flush. */
static void gather(void *self)
{
  Recorder *const m = self;
  gather_frames(m);
  const int first = ensemble_first(m->options.ensemble);
  m->nrow = measure_rows_of(m, first)->n;
  for (int g = first + 1; g < ensemble_end(m->options.ensemble); g++)
    m->nrow = measure_rows_of(m, g)->n < m->nrow ? measure_rows_of(m, g)->n : m->nrow;
  memcpy(m->row_step, measure_rows_of(m, first)->step, (size_t)m->nrow * sizeof *m->row_step);
  if (m->sum != NULL)
    ensemble_each(m->options.ensemble, m->nrow * m->temperatures * m->ncol, sum_one, m);
}

int measure_rows(const Recorder *m) { return m->nrow; }

int measure_temperatures(const Recorder *m) { return m->temperatures; }

const double *measure_row_value(const Recorder *m, int i, int replica)
{
  return value_of(m, i, slot_of(m, replica));
}

MeasureRow measure_row(const Recorder *m, int i, int temperature)
{
  const size_t at = (size_t)(i * m->temperatures + temperature) * (size_t)m->ncol;
  return (MeasureRow){.step = m->row_step[i],
                      .sum = m->sum != NULL ? m->sum + at : NULL,
                      .value = m->sum == NULL ? measure_row_value(m, i, 0) : NULL};
}

double measure_row_mean(const MeasureRow *row, int column)
{
  return row->sum != NULL ? exact_sum_mean(&row->sum[column]) : row->value[column];
}

double measure_row_error(const MeasureRow *row, int column)
{
  return row->sum != NULL ? exact_sum_error(&row->sum[column]) : 0.0;
}

double measure_row_top(const MeasureRow *row, int column)
{
  return row->sum != NULL ? row->sum[column].top : row->value[column];
}

int measure_frames(const Recorder *m) { return m->nframe; }

MeasureFrame measure_frame(const Recorder *m, int i, int r)
{
  const double *x = measure_frame_at(m, i, m->frame_first + r);
  MeasureFrame frame = {.step = m->frame_step[i],
                        .x = x,
                        .v = m->options.velocities || m->options.momenta ? x + m->frame_size : NULL,
                        .columns =
                            m->options.frame_columns ? x + m->frame_room - m->measurement->shown : NULL};
  if (m->boxed)
    memcpy(&frame.box, x + m->frame_box, sizeof frame.box);
  return frame;
}

int measure_multipliers(const Recorder *m) { return m->nmultiplier; }

const double *measure_multiplier(const Recorder *m, int i, int64_t *step)
{
  *step = m->multiplier_step[i];
  return m->multiplier + (size_t)i * (size_t)m->options.ncon;
}

void measure_flush_batch(Recorder *m, int batch)
{
  Rows *rows = measure_rows_of(m, batch);
  rows->n = rows->nframe = 0;
}

static void flush(void *self)
{
  Recorder *const m = self;
  for (int g = 0; g < m->nbatch; g++)
    m->rows[g].n = m->rows[g].nframe = 0;
  m->nrow = m->nframe = m->nmultiplier = 0;
}

/* Lists all data that survive a flush. */
static void list_chunks(Recorder *m, ChunkList *list)
{
  list->base = m->base;
  means_chunks(&m->means, m->width, list);
  chunk_add_each(list, m->left, (size_t)m->width * sizeof *m->left, m->nbatch);
  if (m->mixing != NULL)
    mixing_chunks(m->mixing, list);
  for (int g = 0; g < m->options.sets; g++) {
    chunk_owner(list, m->base + g);
    observable_set_chunks(m->options.observables[g], list);
  }
  chunk_owner(list, CHUNK_OF_ALL);
  if (m->options.joint != NULL)
    observable_set_chunks(m->options.joint, list);
}

Samples measure_for_run(Recorder *m)
{
  Samples samples = {.sampler = measure_sampler(m),
                     .first = 1u << MEASURE_THERMO | (m->options.frame_every > 0 ? 1u << MEASURE_FRAME : 0u),
                     .longest = segment(m),
                     .gather = gather,
                     .flush = flush,
                     .pack = measure_records_pack,
                     .unpack = measure_records_unpack,
                     .full = measure_records_full};
  list_chunks(m, &samples.chunks);
  return samples;
}

/* --- means ------- */

/* The potential energy; the total if a system has no such column. */
static const StatisticsBlocks *energy_blocks(const Recorder *m)
{
  return &m->means.blocks[m->measurement->potential >= 0 ? m->measurement->potential : m->measurement->total];
}

/* The correlation of the energies, with an inefficiency of at least `known`. */
static StatisticsCorrelation energy_correlation(const Recorder *m, double known)
{
  const StatisticsBlocks slow[2] = {*energy_blocks(m), m->means.blocks[m->measurement->total]};
  return statistics_correlation(slow, 2, known);
}

void measure_conclude(Recorder *m)
{
  if (m->replicas == 1 && m->options.sets > 0 && m->means.samples > 0)
    observable_set_learn(m->options.observables[0], energy_correlation(m, 1.0).inefficiency,
                         m->options.thermo_every);
}

int64_t measure_samples(const Recorder *m) { return m->means.samples; }

const Means *measure_means(const Recorder *m) { return &m->means; }

MeasureCorrelation measure_correlation(const Recorder *m)
{
  MeasureCorrelation correlation = {
      .thermo = {.samples = (double)m->means.samples, .inefficiency = 1.0, .plateau = 1},
      .independent = m->replicas};
  if (m->replicas > 1 || m->means.samples == 0)
    return correlation;
  double known = 1.0;
  bool plateau = true;
  if (m->options.sets > 0)
    observable_set_slowest(m->options.observables[0], m->options.thermo_every, &known, &plateau);
  StatisticsCorrelation *c = &correlation.thermo;
  *c = energy_correlation(m, known);
  c->plateau = c->plateau && plateau;
  correlation.steps = c->inefficiency * (double)m->options.thermo_every;
  correlation.independent = c->samples / c->inefficiency;
  correlation.blocks = (int)statistics_blocks_result_with(energy_blocks(m), c).nblock;
  return correlation;
}

void measure_mean(const Recorder *m, int column, int k, double *mean, double *err, double *tau)
{
  const MeasureCorrelation correlation = measure_correlation(m);
  means_all(&m->means, column, k, m->options.ladder != NULL ? NULL : &correlation.thermo, mean, err, tau);
}

const Mixing *measure_mixing(const Recorder *m) { return m->mixing; }

EvaporationEvent measure_evaporation(const Recorder *m, int r) { return m->left[measure_place(m, r)]; }
