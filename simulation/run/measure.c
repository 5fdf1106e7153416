#include "simulation/run/measure_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory ------- */

static int rows_create(Measure *m)
{
  const size_t w = (size_t)m->width;
  m->rows = calloc((size_t)m->ngang, sizeof *m->rows);
  for (int g = 0; m->rows != NULL && g < m->ngang; g++) {
    Rows *rows = &m->rows[g];
    rows->value = malloc(ROWS * w * (size_t)m->columns.n * sizeof(double));
    rows->scratch = malloc((size_t)(4 + m->nterm) * w * sizeof(double));
    const bool inside = m->options.periodic && m->options.by_atom;
    const size_t npack = (size_t)ensemble_gang(m->options.ensemble, m->base + g)->block[0].npack;
    if (inside)
      rows->packs = aligned_alloc(sizeof(Octet), npack * sizeof *rows->packs);
    if (rows->value == NULL || rows->scratch == NULL || (inside && rows->packs == NULL))
      return 0;
    rows->energies = (WalkEnergies){.kinetic = rows->scratch,
                                    .penalty = rows->scratch + w,
                                    .largest = rows->scratch + 2 * w,
                                    .thermal = rows->scratch + 3 * w,
                                    .terms = rows->scratch + 4 * w,
                                    .pressure = m->options.periodic ? &rows->pressure : NULL};
  }
  return m->rows != NULL;
}

static Status sums_create(Measure *m, Error *error)
{
  const int ncol = m->columns.n;
  const LadderOptions *ladder = m->options.ladder != NULL ? ladder_options(m->options.ladder) : NULL;
  const MeansShape shape = {.ncol = ncol,
                            .replicas = ladder != NULL ? ladder->n * ladder->ladders : m->replicas,
                            .temperatures = m->temperatures,
                            .first = m->base * m->width,
                            .held = m->ngang * m->width};
  const Status status = means_create(&m->means, &shape, error);
  if (status != STATUS_OK)
    return status;
  for (int c = 0; c < ncol; c++) {
    snprintf(m->means.column[c].name, sizeof m->means.column[c].name, "%s", m->columns.name[c]);
    m->means.column[c].hidden = c == m->columns.largest || c >= m->columns.momenta ||
                                (c == m->columns.conserved && ladder != NULL); /* goes on by jumps */
  }
  if (m->replicas > 1)
    m->sum = malloc(ROWS * (size_t)m->temperatures * (size_t)ncol * sizeof *m->sum);
  return m->sum != NULL || m->replicas == 1 ? STATUS_OK : error_memory(error, "the measurements");
}

/* Of the replicas in memory all, or the one that is wanted, or none. */
static void choose_frames(Measure *m)
{
  const int chosen = m->options.frame_replica, first = m->base * m->width, held = m->ngang * m->width;
  const bool there = chosen >= first && chosen < first + held;
  m->frame_first = chosen == MEASURE_ALL || !there ? first : chosen;
  m->frame_replicas = chosen == MEASURE_ALL ? held : there;
}

Status measure_create(Measure **measure, const MeasureOptions *options, Error *error)
{
  *measure = NULL;
  Measure *m = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "the measurements");
  const Ensemble *e = options->ensemble;
  const State *shape = ensemble_gang(e, ensemble_base(e));
  const Kind *kind = shape->block[0].kind;
  m->options = *options;
  m->columns = measure_columns_make(options, ensemble_field(e));
  m->nterm = force_field_terms(ensemble_field(e));
  m->width = ensemble_width(e);
  m->base = ensemble_base(e);
  m->ngang = ensemble_held(e);
  m->replicas = ensemble_replicas(e);
  const int held = m->ngang * m->width;
  m->freedom = plan_freedom(options->plan, options->nmol);
  m->temperatures = options->ladder != NULL ? ladder_options(options->ladder)->n : 1;
  m->frame_size = state_coordinates(shape);
  m->frame_room =
      m->frame_size * (options->velocities ? 2 : 1) + (options->frame_columns ? (size_t)m->columns.n : 0);
  choose_frames(m);
  const size_t numbers = m->frame_room * (size_t)m->frame_replicas + 1;
  m->frames_most = numbers * FRAMES < FRAME_NUMBERS ? FRAMES : (int)(FRAME_NUMBERS / numbers);
  m->frames_most = m->frames_most > FRAMES_LEAST ? m->frames_most : FRAMES_LEAST;
  m->ncon = kind->ncon;
  m->left = calloc((size_t)held, sizeof *m->left);
  for (int r = 0; m->left != NULL && r < held; r++)
    m->left[r].step = -1;
  if (options->frame_every > 0)
    m->frame = malloc((size_t)m->frames_most * numbers * sizeof(double));
  m->multiplier = malloc(MULTIPLIERS * (size_t)(kind->ncon + 1) * sizeof(double));
  m->multiplier_step = malloc(MULTIPLIERS * sizeof(int64_t));
  Status status = sums_create(m, error);
  if (status == STATUS_OK && options->periodic && options->by_atom && kind->ncon > PRESSURE_CONSTRAINTS)
    status = error_set(error, STATUS_INPUT,
                       "the pressure by atom is made for molecules of at most %d constraints, not %d",
                       PRESSURE_CONSTRAINTS, kind->ncon);
  else if (status == STATUS_OK &&
           (!rows_create(m) || m->left == NULL || (m->frame == NULL && options->frame_every > 0) ||
            m->multiplier == NULL || m->multiplier_step == NULL))
    status = error_memory(error, "the measurements");
  if (status == STATUS_OK && options->ladder == NULL)
    status = mixing_create(&m->mixing, m->ngang, m->width, error);
  if (status != STATUS_OK) {
    measure_free(m);
    return status;
  }
  *measure = m;
  return STATUS_OK;
}

void measure_free(Measure *m)
{
  if (m == NULL)
    return;
  for (int g = 0; m->rows != NULL && g < m->ngang; g++) {
    free(m->rows[g].value);
    free(m->rows[g].scratch);
    free(m->rows[g].packs);
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

/* Energies and temperatures of one replica from the gang's arrays. */
static void fill_energies(const Measure *m, const Rows *rows, int r, double *value)
{
  const Columns *c = &m->columns;
  const int w = m->width;
  const WalkEnergies *of = &rows->energies;
  double nonbonded = 0.0, outside = 0.0;
  value[c->kinetic] = of->kinetic[r];
  for (int i = 0; i < m->nterm; i++) {
    const double e = of->terms[i * w + r];
    value[c->kinetic + 1 + i] = e;
    const char *name = c->name[c->kinetic + 1 + i];
    *(strcmp(name, "wall") == 0 || strcmp(name, "external") == 0 ? &outside : &nonbonded) += e;
  }
  value[c->nonbonded] = nonbonded;
  value[c->penalty] = of->penalty[r];
  if (c->excess >= 0)
    value[c->excess] = of->penalty[r] - rows->strain[r];
  value[c->total] = of->kinetic[r] + nonbonded + outside + of->penalty[r];
  value[c->conserved] = value[c->total] - rows->heat[r];
  const double kelvin = m->freedom > 0 ? 2.0 / (m->freedom * m->options.kT_per_kelvin) : 0.0;
  value[c->temperature] = kelvin * of->kinetic[r];
  if (c->unbiased >= 0)
    value[c->unbiased] = kelvin * of->thermal[r];
  value[c->largest] = of->largest[r];
}

static void fill_pressure(const Measure *m, const Rows *rows, const State *state, double *value)
{
  const Columns *c = &m->columns;
  for (int by = 0; by < 2; by++) {
    if (c->pressure[by] < 0)
      continue;
    double *to = value + c->pressure[by];
    if (by == 0)
      pressure_molecule(&rows->pressure, &state->box, to + 1);
    else
      pressure_atom(&rows->pressure, rows->inside, &state->box, to + 1);
    to[0] = (to[1] + to[2] + to[3]) / 3.0;
  }
}

/* What holds molecules together, for the pressure by atom. */
static void sample_inside(const Measure *m, Rows *rows, const State *state, const Walk *walk,
                          const Team *team)
{
  double inside[3][3];
  pressure_inside(walk, team, state, rows->packs, inside);
  if (team->rank != 0)
    return;
  memcpy(rows->inside, inside, sizeof inside);
  if (m->options.constrained && state->step == 0)
    for (int i = 0; i < 9; i++)
      rows->inside[i / 3][i % 3] = NAN; /* no step yet, no multipliers */
}

/* Where a replica's values go: with a ladder to its slot, which is no other replica's. */
static int slot_of(const Measure *m, int replica) { return ladder_slot(m->options.ladder, replica); }

static double *value_of(const Measure *m, int i, int slot)
{
  const size_t at = (size_t)i * (size_t)m->width + (size_t)(slot % m->width);
  return measure_rows_of(m, slot / m->width)->value + at * (size_t)m->columns.n;
}

/* What the columns of a gang's replicas are made of. */
static Status look(Measure *m, int gang, const State *state, Walk *walk, const Team *team, Error *error)
{
  Rows *rows = measure_rows_of(m, gang);
  const Status status = walk_energies(walk, team, &rows->energies, error);
  if (status == STATUS_OK && rows->packs != NULL)
    sample_inside(m, rows, state, walk, team);
  if (status != STATUS_OK || team->rank != 0)
    return status;
  if (m->columns.excess >= 0)
    walk_penalty_strain(walk, rows->strain);
  state_heat(state, rows->heat);
  motion_momenta(state, rows->linear, rows->angular);
  return STATUS_OK;
}

/* All columns of the replica in lane r. */
static void fill(const Measure *m, int gang, const State *state, int r, double *value)
{
  const Rows *rows = measure_rows_of(m, gang);
  fill_energies(m, rows, r, value);
  if (m->options.periodic)
    fill_pressure(m, rows, state, value);
  for (int d = 0; d < 3; d++) {
    value[m->columns.momenta + d] = rows->linear[r][d];
    if (!m->options.periodic)
      value[m->columns.momenta + 3 + d] = rows->angular[r][d];
  }
}

static void take_thermo(Measure *m, int gang, const State *state)
{
  Rows *rows = measure_rows_of(m, gang);
  const int w = m->width;
  const bool average = state->step > m->options.equilibration;
  double potential[WIDTH_MAX];
  for (int r = 0; r < w; r++) {
    const int replica = gang * w + r, slot = slot_of(m, replica);
    double *value = value_of(m, rows->n, slot);
    fill(m, gang, state, r, value);
    EvaporationEvent *left = &m->left[measure_place(m, replica)];
    if (!m->options.periodic && left->step < 0)
      evaporation_find(state, r, left);
    if (average)
      means_add(&m->means, slot, value);
    potential[r] = value[m->columns.nonbonded];
  }
  if (average && m->mixing != NULL)
    mixing_add(m->mixing, gang - m->base, potential);
  if (average && gang == ensemble_first(m->options.ensemble))
    m->means.samples++;
  rows->step[rows->n++] = state->step;
}

/* Whether frames of replicas of this gang may be wanted. */
static bool has_frames(const Measure *m, int gang)
{
  const int first = gang * m->width;
  return m->options.frame_slots ||
         (first + m->width > m->frame_first && first < m->frame_first + m->frame_replicas);
}

static void take_frames(Measure *m, int gang, const State *state)
{
  Rows *rows = measure_rows_of(m, gang);
  bool any = m->options.frame_slots && rows->nframe < m->frames_most; /* all gangs count, in step */
  for (int r = 0; r < m->width && rows->nframe < m->frames_most; r++) {
    const int replica = gang * m->width + r, slot = m->options.frame_slots ? slot_of(m, replica) : replica;
    if (slot < m->frame_first || slot >= m->frame_first + m->frame_replicas)
      continue;
    double *x = measure_frame_at(m, rows->nframe, slot);
    state_get_all(state, STATE_POSITIONS, r, x);
    if (m->options.velocities)
      state_get_all(state, STATE_VELOCITIES, r, x + m->frame_size);
    if (m->options.frame_columns)
      fill(m, gang, state, r, x + m->frame_room - m->columns.n);
    any = true;
  }
  if (any)
    rows->frame_step[rows->nframe++] = state->step;
}

/* Of replica 0, or of slot 0, whose ladder is one thread's at a time: no other may look at the count. */
static void take_multipliers(Measure *m, int gang, const State *state, const Walk *walk)
{
  for (int r = 0; r < m->width; r++) {
    const int replica = gang * m->width + r;
    if ((m->options.frame_slots ? slot_of(m, replica) : replica) != 0 || m->nmultiplier >= MULTIPLIERS)
      continue;
    walk_multipliers(walk, r, 0, m->multiplier + (size_t)m->nmultiplier * (size_t)m->ncon);
    m->multiplier_step[m->nmultiplier++] = state->step;
  }
}

/* The set that a gang's samples go into; *first is the replica in its first lane there. */
static ObservableSet *set_of(const Measure *m, int gang, int *first)
{
  const bool together = m->options.sets == 1;
  *first = together ? (int)measure_place(m, gang * m->width) : 0;
  return m->options.observables[together ? 0 : gang - m->base];
}

static Status sample_observables(const Measure *m, int gang, const State *state, Walk *walk, const Team *team,
                                 Error *error)
{
  int first, slot[WIDTH_MAX];
  double energy[WIDTH_MAX];
  ObservableSet *set = set_of(m, gang, &first);
  if (state->step <= m->options.equilibration)
    return STATUS_OK;
  for (int r = 0; r < m->width; r++)
    slot[r] = slot_of(m, gang * m->width + r);
  const Status status = m->options.energies
                            ? ladder_energies(m->options.ladder, gang, state, walk, team, energy, error)
                            : STATUS_OK;
  const ObservableLanes lanes = {.first = first,
                                 .slot = m->options.ladder != NULL ? slot : NULL,
                                 .energy = m->options.energies ? energy : NULL};
  return status == STATUS_OK ? observable_set_add(set, team, state, &lanes, error) : status;
}

static Status sample(void *self, unsigned due, int gang, const State *state, Walk *walk, const Team *team,
                     Error *error)
{
  Measure *m = self;
  const bool framed = m->options.frame_columns && (due & 1u << MEASURE_FRAME) && has_frames(m, gang);
  Status status =
      framed || (due & 1u << MEASURE_THERMO) ? look(m, gang, state, walk, team, error) : STATUS_OK;
  if (status == STATUS_OK && (due & 1u << MEASURE_THERMO) && team->rank == 0)
    take_thermo(m, gang, state);
  if (status == STATUS_OK && (due & 1u << MEASURE_OBSERVABLES))
    status = sample_observables(m, gang, state, walk, team, error);
  if (status != STATUS_OK || team->rank != 0)
    return status;
  if (due & 1u << MEASURE_FRAME)
    take_frames(m, gang, state);
  if (due & 1u << MEASURE_MULTIPLIERS)
    take_multipliers(m, gang, state, walk);
  return STATUS_OK;
}

Sampler measure_sampler(Measure *m)
{
  return (Sampler){.self = m,
                   .every = {[MEASURE_THERMO] = m->options.thermo_every,
                             [MEASURE_FRAME] = m->options.frame_every,
                             [MEASURE_MULTIPLIERS] = m->options.multipliers_every,
                             [MEASURE_OBSERVABLES] =
                                 m->options.sets > 0 ? observable_set_every(m->options.observables[0]) : 0},
                   .energies = 1u << MEASURE_THERMO,
                   .sample = sample};
}

const Columns *measure_columns(const Measure *m) { return &m->columns; }

static int64_t shorter(int64_t a, int64_t every, int64_t capacity)
{
  return every > 0 && every <= INT64_MAX / capacity && every * capacity < a ? every * capacity : a;
}

/* The most steps that may pass between flushes without any buffer running over. */
static int64_t segment(const Measure *m)
{
  int64_t n = shorter(INT64_MAX, m->options.thermo_every, ROWS - 1);
  n = shorter(n, m->options.frame_every, m->frames_most - 1);
  return shorter(n, m->options.multipliers_every, MULTIPLIERS - 1);
}

/* --- reading ------- */

/* A column of a row over the replicas at hand, or over their ladders. */
static void sum_column(const Measure *m, int i, int temperature, int c, ExactSum *sum)
{
  const LadderOptions *ladder = m->options.ladder != NULL ? ladder_options(m->options.ladder) : NULL;
  const int n = m->temperatures, first = ensemble_first(m->options.ensemble) * m->width;
  const int all = ensemble_end(m->options.ensemble) * m->width;
  const int end = ladder != NULL && ladder->ladders * n < all ? ladder->ladders * n : all;
  *sum = (ExactSum){0};
  for (int slot = first + temperature; slot < end; slot += n)
    exact_sum_add(sum, value_of(m, i, slot)[c]);
}

/* Frames that all gangs have whose replicas they are wanted of. */
static void gather_frames(Measure *m)
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

/* Rows of what all gangs at work have been sampled for since the last flush. */
static Status gather(void *self, int64_t step, Occasion occasion, Error *error)
{
  (void)step;
  (void)occasion;
  (void)error;
  Measure *const m = self;
  gather_frames(m);
  const int first = ensemble_first(m->options.ensemble), ncol = m->columns.n;
  m->nrow = measure_rows_of(m, first)->n;
  for (int g = first + 1; g < ensemble_end(m->options.ensemble); g++)
    m->nrow = measure_rows_of(m, g)->n < m->nrow ? measure_rows_of(m, g)->n : m->nrow;
  memcpy(m->row_step, measure_rows_of(m, first)->step, (size_t)m->nrow * sizeof *m->row_step);
#pragma omp parallel for num_threads(ensemble_workers(m->options.ensemble)) schedule(dynamic)
  for (int k = 0; k < (m->sum != NULL ? m->nrow * m->temperatures * ncol : 0); k++)
    sum_column(m, k / ncol / m->temperatures, k / ncol % m->temperatures, k % ncol, &m->sum[k]);
  return STATUS_OK;
}

int measure_rows(const Measure *m) { return m->nrow; }

int measure_temperatures(const Measure *m) { return m->temperatures; }

const double *measure_row_value(const Measure *m, int i, int replica)
{
  return value_of(m, i, slot_of(m, replica));
}

ThermoRow measure_row(const Measure *m, int i, int temperature)
{
  ThermoRow row = {.step = m->row_step[i]};
  for (int c = 0; c < m->columns.n; c++) {
    const int at = (i * m->temperatures + temperature) * m->columns.n + c;
    const ExactSum *sum = m->sum != NULL ? &m->sum[at] : NULL;
    const double one = sum == NULL ? measure_row_value(m, i, 0)[c] : 0.0;
    row.mean[c] = sum != NULL ? exact_sum_mean(sum) : one;
    row.error[c] = sum != NULL ? exact_sum_error(sum) : 0.0;
    row.top[c] = sum != NULL ? sum->top : one;
  }
  return row;
}

int measure_frames(const Measure *m) { return m->nframe; }

MeasureFrame measure_frame(const Measure *m, int i, int r)
{
  const double *x = measure_frame_at(m, i, m->frame_first + r);
  return (MeasureFrame){.step = m->frame_step[i],
                        .x = x,
                        .v = m->options.velocities ? x + m->frame_size : NULL,
                        .columns = m->options.frame_columns ? x + m->frame_room - m->columns.n : NULL};
}

int measure_multipliers(const Measure *m) { return m->nmultiplier; }

const double *measure_multiplier(const Measure *m, int i, int64_t *step)
{
  *step = m->multiplier_step[i];
  return m->multiplier + (size_t)i * (size_t)m->ncon;
}

void measure_flush_gang(Measure *m, int gang)
{
  Rows *rows = measure_rows_of(m, gang);
  rows->n = rows->nframe = 0;
}

void measure_flush(Measure *m)
{
  for (int g = 0; g < m->ngang; g++)
    m->rows[g].n = m->rows[g].nframe = 0;
  m->nrow = m->nframe = m->nmultiplier = 0;
}

/* All that changes in a run and outlives a flush. */
static void list_chunks(Measure *m, ChunkList *list)
{
  list->base = m->base;
  means_chunks(&m->means, m->width, list);
  chunk_add_each(list, m->left, (size_t)m->width * sizeof *m->left, m->ngang);
  if (m->mixing != NULL)
    mixing_chunks(m->mixing, list);
  for (int g = 0; g < m->options.sets; g++) {
    chunk_owner(list, m->base + g);
    observable_set_chunks(m->options.observables[g], list);
  }
  chunk_owner(list, CHUNK_OF_ALL);
}

static void flush(void *self) { measure_flush(self); }

Samples measure_for_run(Measure *m)
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

/* The energies' own correlation, no less than `known`. */
static StatisticsCorrelation energy_correlation(const Measure *m, double known)
{
  const StatisticsBlocks slow[2] = {m->means.blocks[m->columns.nonbonded], m->means.blocks[m->columns.total]};
  return statistics_correlation(slow, 2, known);
}

void measure_conclude(Measure *m)
{
  if (m->replicas == 1 && m->options.sets > 0 && m->means.samples > 0)
    observable_set_learn(m->options.observables[0], energy_correlation(m, 1.0).inefficiency,
                         m->options.thermo_every);
}

int64_t measure_samples(const Measure *m) { return m->means.samples; }

const Means *measure_means(const Measure *m) { return &m->means; }

Status measure_correlation(const Measure *m, MeasureCorrelation *correlation, Error *error)
{
  *correlation =
      (MeasureCorrelation){.thermo = {.samples = (double)m->means.samples, .inefficiency = 1.0, .plateau = 1},
                           .independent = m->replicas};
  if (m->replicas > 1 || m->means.samples == 0)
    return STATUS_OK;
  double known = 1.0;
  bool plateau = true;
  const Status status = m->options.sets > 0
                            ? observable_set_slowest(m->options.observables[0], m->options.thermo_every,
                                                     &known, &plateau, error)
                            : STATUS_OK;
  if (status != STATUS_OK)
    return status;
  StatisticsCorrelation *c = &correlation->thermo;
  *c = energy_correlation(m, known);
  c->plateau = c->plateau && plateau;
  correlation->steps = (c->inefficiency - 1.0) * (double)m->options.thermo_every;
  correlation->independent = c->samples / c->inefficiency;
  correlation->blocks = (int)statistics_blocks_result_with(&m->means.blocks[m->columns.nonbonded], c).nblock;
  return STATUS_OK;
}

Status measure_mean(const Measure *m, int column, double *mean, double *err, double *tau, Error *error)
{
  MeasureCorrelation correlation;
  const Status status = measure_correlation(m, &correlation, error);
  if (status == STATUS_OK)
    means_all(&m->means, column, 0, &correlation.thermo, mean, err, tau);
  return status;
}

void measure_mean_at(const Measure *m, int column, int k, double *mean, double *err)
{
  means_all(&m->means, column, k, NULL, mean, err, NULL);
}

const Mixing *measure_mixing(const Measure *m) { return m->mixing; }

EvaporationEvent measure_evaporation(const Measure *m, int r) { return m->left[measure_place(m, r)]; }
