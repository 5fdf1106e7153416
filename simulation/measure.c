#include "simulation/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/oscillator.h"
#include "observables/statistics.h"

/* Samples, frames and multipliers that fit between two flushes. */
enum { ROWS = 32, FRAMES = 16, FRAMES_LEAST = 2, MULTIPLIERS = 4096 };
/* Numbers that the buffered frames of a large system may have. */
enum { FRAME_NUMBERS = 1 << 23 };
/* One gang's rows since the last flush; written by one thread. */
typedef struct Rows {
  int n;
  int64_t step[ROWS];
  double *value;         /* [ROWS][width][ncol]                                   */
  double *scratch;       /* what energies points to */
  WalkEnergies energies; /* of the last sample      */
  WalkPressure pressure; /* of periodic boxes, one replica each */
  Octet (*packs)[9];     /* scratch of pressure_inside; NULL: not wanted */
  double inside[3][3];
} Rows;

struct Measure {
  MeasureOptions options;
  Columns columns;
  int nterm, width, ngang, replicas, freedom;
  size_t frame_size; /* coordinates of a replica                           */
  size_t frame_room; /* numbers in a frame                                 */
  int frames_most;   /* that the buffer has room for                       */
  int ncon;
  Rows *rows;               /* [ngang]                                         */
  double *replica_sum;      /* [replicas][ncol]                                */
  int64_t samples;          /* of each replica, after equilibration            */
  StatisticsBlocks *blocks; /* [ncol] of the one replica's series; NULL if there are more */
  EvaporationEvent *left;   /* [replicas] */
  Rdf *rdf;
  int64_t distances;
  int nframe, nmultiplier;
  int64_t frame_step[FRAMES], *multiplier_step;
  double *frame, *multiplier; /* frame: [FRAMES][positions, velocities if wanted] */
};

/* --- columns ---------------------------------------------------------------------------------------------
 */

static int column_add(Columns *c, const char *name, const char *unit)
{
  c->name[c->n] = name;
  c->unit[c->n] = unit;
  return c->n++;
}

static void column_pressure(Columns *c, int by, const char *const name[1 + PRESSURE_COMPONENTS])
{
  c->pressure[by] = c->n;
  for (int i = 0; i <= PRESSURE_COMPONENTS; i++)
    column_add(c, name[i], "bar");
}

static Columns columns_make(const MeasureOptions *o, const ForceField *field)
{
  static const char energy[] = "kcal/mol";
  Columns c = {0};
  c.kinetic = column_add(&c, "kinetic", energy);
  for (int i = 0; i < force_field_terms(field); i++)
    column_add(&c, force_field_term(field, i), energy);
  c.nonbonded = column_add(&c, "nonbonded", energy);
  c.penalty = column_add(&c, "penalty", energy);
  c.total = column_add(&c, "total", energy);
  c.conserved = column_add(&c, "conserved", energy);
  c.temperature = column_add(&c, "temperature", "K");
  c.unbiased = oscillator_unbiased(o->plan) ? column_add(&c, "temperature_unbiased", "K") : -1;
  c.largest = column_add(&c, "largest_g", "A^2");
  static const char *const molecule[] = {"pressure",    "pressure_xx", "pressure_yy", "pressure_zz",
                                         "pressure_xy", "pressure_xz", "pressure_yz"};
  static const char *const atom[] = {"pressure_atom",    "pressure_atom_xx", "pressure_atom_yy",
                                     "pressure_atom_zz", "pressure_atom_xy", "pressure_atom_xz",
                                     "pressure_atom_yz"};
  c.pressure[0] = c.pressure[1] = -1;
  if (o->periodic && o->by_molecule)
    column_pressure(&c, 0, molecule);
  if (o->periodic && o->by_atom)
    column_pressure(&c, 1, atom);
  c.momenta = c.n;
  static const char *const momenta[6] = {"px", "py", "pz", "lx", "ly", "lz"};
  for (int i = 0; i < (o->periodic ? 3 : 6); i++)
    column_add(&c, momenta[i], i < 3 ? "g/mol A/AKMA" : "g/mol A^2/AKMA");
  return c;
}

/* --- memory ----------------------------------------------------------------------------------------------
 */

static int rows_create(Measure *m)
{
  const size_t w = (size_t)m->width;
  m->rows = calloc((size_t)m->ngang, sizeof *m->rows);
  for (int g = 0; m->rows != NULL && g < m->ngang; g++) {
    Rows *rows = &m->rows[g];
    rows->value = malloc(ROWS * w * (size_t)m->columns.n * sizeof(double));
    rows->scratch = malloc((size_t)(4 + m->nterm) * w * sizeof(double));
    const bool inside = m->options.periodic && m->options.by_atom;
    const size_t npack = (size_t)ensemble_gang(m->options.ensemble, g)->block[0].npack;
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

static int blocks_create(Measure *m)
{
  if (m->replicas > 1)
    return 1;
  m->blocks = calloc((size_t)m->columns.n, sizeof *m->blocks);
  return m->blocks != NULL;
}

Status measure_create(Measure **measure, const MeasureOptions *options, Error *error)
{
  *measure = NULL;
  Measure *m = calloc(1, sizeof *m);
  if (m == NULL)
    return error_memory(error, "the measurements");
  const Ensemble *e = options->ensemble;
  const State *shape = ensemble_gang(e, 0);
  const Kind *kind = shape->block[0].kind;
  m->options = *options;
  m->columns = columns_make(options, ensemble_field(e));
  m->nterm = force_field_terms(ensemble_field(e));
  m->width = ensemble_width(e);
  m->ngang = ensemble_gangs(e);
  m->replicas = ensemble_replicas(e);
  m->freedom = plan_freedom(options->plan, options->nmol);
  m->frame_size = state_coordinates(shape);
  m->frame_room = m->frame_size * (options->velocities ? 2 : 1);
  m->frames_most = m->frame_room * FRAMES < FRAME_NUMBERS ? FRAMES : (int)(FRAME_NUMBERS / m->frame_room);
  m->frames_most = m->frames_most > FRAMES_LEAST ? m->frames_most : FRAMES_LEAST;
  m->ncon = kind->ncon;
  m->replica_sum = calloc((size_t)m->replicas * (size_t)m->columns.n, sizeof(double));
  m->left = calloc((size_t)m->replicas, sizeof *m->left);
  for (int r = 0; m->left != NULL && r < m->replicas; r++)
    m->left[r].step = -1;
  if (options->frame_every > 0)
    m->frame = malloc((size_t)m->frames_most * m->frame_room * sizeof(double));
  m->multiplier = malloc(MULTIPLIERS * (size_t)(kind->ncon + 1) * sizeof(double));
  m->multiplier_step = malloc(MULTIPLIERS * sizeof(int64_t));
  Status status = STATUS_OK;
  if (options->periodic && options->by_atom && kind->ncon > PRESSURE_CONSTRAINTS)
    status = error_set(error, STATUS_INPUT,
                       "the pressure by atom is made for molecules of at most %d constraints, not %d",
                       PRESSURE_CONSTRAINTS, kind->ncon);
  else if (!rows_create(m) || !blocks_create(m) || m->replica_sum == NULL || m->left == NULL ||
           (m->frame == NULL && options->frame_every > 0) || m->multiplier == NULL ||
           m->multiplier_step == NULL)
    status = error_memory(error, "the measurements");
  if (status == STATUS_OK && options->rdf_every > 0)
    status = rdf_create(&m->rdf, m->replicas, options->nmol[0], options->rdf_max, options->rdf_bins, error);
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
  free(m->blocks);
  free(m->rows);
  free(m->replica_sum);
  free(m->left);
  free(m->frame);
  free(m->multiplier);
  free(m->multiplier_step);
  rdf_free(m->rdf);
  free(m);
}

/* --- sampling --------------------------------------------------------------------------------------------
 */

/* Fills one row of one replica from the gang's arrays. */
static void fill(const Measure *m, const Rows *rows, const double *heat, int r, double *value)
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
  value[c->total] = of->kinetic[r] + nonbonded + outside + of->penalty[r];
  value[c->conserved] = value[c->total] - heat[r];
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

static Status sample_thermo(Measure *m, int gang, const State *state, Walk *walk, const Team *team,
                            Error *error)
{
  Rows *rows = &m->rows[gang];
  const int w = m->width, ncol = m->columns.n;
  const Status status = walk_energies(walk, team, &rows->energies, error);
  if (status == STATUS_OK && rows->packs != NULL)
    sample_inside(m, rows, state, walk, team);
  if (status != STATUS_OK || team->rank != 0)
    return status;
  double heat[WIDTH_MAX], linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  state_heat(state, heat);
  motion_momenta(state, linear, angular);
  const bool average = state->step > m->options.equilibration;
  for (int r = 0; r < w; r++) {
    double *value = rows->value + ((size_t)rows->n * (size_t)w + (size_t)r) * (size_t)ncol;
    fill(m, rows, heat, r, value);
    if (m->options.periodic)
      fill_pressure(m, rows, state, value);
    for (int d = 0; d < 3; d++) {
      value[m->columns.momenta + d] = linear[r][d];
      if (!m->options.periodic)
        value[m->columns.momenta + 3 + d] = angular[r][d];
    }
    const int replica = gang * w + r;
    if (!m->options.periodic && m->left[replica].step < 0)
      (void)evaporation_find(state, r, &m->left[replica]);
    for (int c = 0; c < ncol && average; c++)
      m->replica_sum[(size_t)replica * (size_t)ncol + (size_t)c] += value[c];
    for (int c = 0; c < ncol && average && m->blocks != NULL; c++)
      statistics_blocks_add(&m->blocks[c], value[c]);
  }
  if (average && gang == 0)
    m->samples++;
  rows->step[rows->n++] = state->step;
  return STATUS_OK;
}

/* One replica's positions and velocities, block after block. */
static void take_frame(Measure *m, const State *state, int r)
{
  double *x = m->frame + (size_t)m->nframe * m->frame_room, *v = x + m->frame_size;
  state_get_all(state, STATE_POSITIONS, r, x);
  if (m->options.velocities)
    state_get_all(state, STATE_MOMENTA, r, v);
  for (int b = 0; b < state->nblock && m->options.velocities; b++) {
    const Block *block = &state->block[b];
    const int n = block->kind->nsite * block->kind->dim;
    for (int i = 0; i < block->nmol; i++)
      for (int k = 0; k < n; k++)
        *v++ /= block->kind->mass[k / block->kind->dim];
  }
  m->frame_step[m->nframe++] = state->step;
}

static Status sample(void *self, unsigned due, int gang, const State *state, Walk *walk, const Team *team,
                     Error *error)
{
  Measure *m = self;
  Status status = due & 1u << MEASURE_THERMO ? sample_thermo(m, gang, state, walk, team, error) : STATUS_OK;
  if (status == STATUS_OK && (due & 1u << MEASURE_OBSERVABLES) && state->step > m->options.equilibration)
    status = observable_set_add(m->options.observables[gang], team, state, error);
  if (status != STATUS_OK || team->rank != 0)
    return status;
  if ((due & 1u << MEASURE_RDF) && state->step > m->options.equilibration) {
    rdf_add_state(m->rdf, state, gang * m->width);
    if (gang == 0)
      m->distances++;
  }
  const int r = m->options.frame_replica - gang * m->width;
  if ((due & 1u << MEASURE_FRAME) && r >= 0 && r < m->width && m->nframe < m->frames_most)
    take_frame(m, state, r);
  if ((due & 1u << MEASURE_MULTIPLIERS) && gang == 0 && m->nmultiplier < MULTIPLIERS) {
    walk_multipliers(walk, 0, 0, m->multiplier + (size_t)m->nmultiplier * (size_t)m->ncon);
    m->multiplier_step[m->nmultiplier++] = state->step;
  }
  return STATUS_OK;
}

Sampler measure_sampler(Measure *m)
{
  return (Sampler){.self = m,
                   .every = {[MEASURE_THERMO] = m->options.thermo_every,
                             [MEASURE_RDF] = m->options.rdf_every,
                             [MEASURE_FRAME] = m->options.frame_every,
                             [MEASURE_MULTIPLIERS] = m->options.multipliers_every,
                             [MEASURE_OBSERVABLES] = m->options.observables != NULL
                                                         ? observable_set_every(m->options.observables[0])
                                                         : 0},
                   .sample = sample};
}

const Columns *measure_columns(const Measure *m) { return &m->columns; }

static int64_t shorter(int64_t a, int64_t every, int64_t capacity)
{
  return every > 0 && every <= INT64_MAX / capacity && every * capacity < a ? every * capacity : a;
}

int64_t measure_segment(const Measure *m)
{
  int64_t n = shorter(INT64_MAX, m->options.thermo_every, ROWS - 1);
  n = shorter(n, m->options.frame_every, m->frames_most - 1);
  return shorter(n, m->options.multipliers_every, MULTIPLIERS - 1);
}

/* --- reading ---------------------------------------------------------------------------------------------
 */

int measure_rows(const Measure *m)
{
  int n = m->rows[0].n;
  for (int g = 1; g < m->ngang; g++)
    n = m->rows[g].n < n ? m->rows[g].n : n;
  return n;
}

const double *measure_row_value(const Measure *m, int i, int replica)
{
  const size_t at = (size_t)i * (size_t)m->width + (size_t)(replica % m->width);
  return m->rows[replica / m->width].value + at * (size_t)m->columns.n;
}

ThermoRow measure_row(const Measure *m, int i)
{
  ThermoRow row = {.step = m->rows[0].step[i]};
  for (int c = 0; c < m->columns.n; c++) {
    double sum = 0.0, square = 0.0, top = -INFINITY;
    for (int r = 0; r < m->replicas; r++) {
      sum += measure_row_value(m, i, r)[c];
      top = fmax(top, measure_row_value(m, i, r)[c]);
    }
    const double mean = sum / m->replicas;
    for (int r = 0; r < m->replicas; r++)
      square += (measure_row_value(m, i, r)[c] - mean) * (measure_row_value(m, i, r)[c] - mean);
    row.mean[c] = mean;
    row.error[c] = m->replicas > 1 ? sqrt(square / m->replicas / (m->replicas - 1)) : 0.0;
    row.top[c] = top;
  }
  return row;
}

int measure_frames(const Measure *m) { return m->nframe; }

const double *measure_frame(const Measure *m, int i, int64_t *step, const double **v)
{
  const double *x = m->frame + (size_t)i * m->frame_room;
  *step = m->frame_step[i];
  *v = m->options.velocities ? x + m->frame_size : NULL;
  return x;
}

int measure_multipliers(const Measure *m) { return m->nmultiplier; }

const double *measure_multiplier(const Measure *m, int i, int64_t *step)
{
  *step = m->multiplier_step[i];
  return m->multiplier + (size_t)i * (size_t)m->ncon;
}

void measure_flush(Measure *m)
{
  for (int g = 0; g < m->ngang; g++)
    m->rows[g].n = 0;
  m->nframe = m->nmultiplier = 0;
}

void measure_chunks(Measure *m, ChunkList *list)
{
  const size_t replicas = (size_t)m->replicas, ncol = (size_t)m->columns.n;
  chunk_add(list, m->replica_sum, replicas * ncol * sizeof *m->replica_sum);
  chunk_add(list, &m->samples, sizeof m->samples);
  if (m->blocks != NULL)
    chunk_add(list, m->blocks, ncol * sizeof *m->blocks);
  chunk_add(list, m->left, replicas * sizeof *m->left);
  chunk_add(list, &m->distances, sizeof m->distances);
  if (m->rdf != NULL)
    rdf_chunks(m->rdf, list);
  for (int r = 0; r < m->replicas && m->options.observables != NULL; r++)
    observable_set_chunks(m->options.observables[r], list);
}

/* The energies' own correlation, no less than `known`. */
static StatisticsCorrelation energy_correlation(const Measure *m, double known)
{
  const StatisticsBlocks slow[2] = {m->blocks[m->columns.nonbonded], m->blocks[m->columns.total]};
  return statistics_correlation(slow, 2, known);
}

void measure_conclude(Measure *m)
{
  if (m->blocks == NULL || m->rdf == NULL || m->distances == 0 || m->samples == 0)
    return;
  rdf_set_inefficiency(m->rdf, statistics_inefficiency(energy_correlation(m, 1.0).inefficiency,
                                                       (double)m->options.thermo_every,
                                                       (double)m->options.rdf_every));
}

int64_t measure_samples(const Measure *m) { return m->samples; }

double measure_replica_mean(const Measure *m, int r, int column)
{
  const double sum = m->replica_sum[(size_t)r * (size_t)m->columns.n + (size_t)column];
  return m->samples > 0 ? sum / (double)m->samples : NAN;
}

Status measure_correlation(const Measure *m, MeasureCorrelation *correlation, Error *error)
{
  *correlation =
      (MeasureCorrelation){.thermo = {.samples = (double)m->samples, .inefficiency = 1.0, .plateau = 1},
                           .independent = m->replicas};
  if (m->blocks == NULL || m->samples == 0)
    return STATUS_OK;
  double known = 1.0;
  int plateau = 1;
  if (m->rdf != NULL && m->distances > 0) {
    StatisticsCorrelation distances;
    const Status status = rdf_result_correlation(m->rdf, &distances, error);
    if (status != STATUS_OK)
      return status;
    known = statistics_inefficiency(distances.inefficiency, (double)m->options.rdf_every,
                                    (double)m->options.thermo_every);
    plateau = distances.plateau;
  }
  StatisticsCorrelation *c = &correlation->thermo;
  *c = energy_correlation(m, known);
  c->plateau = c->plateau && plateau;
  correlation->steps = (c->inefficiency - 1.0) * (double)m->options.thermo_every;
  correlation->independent = c->samples / c->inefficiency;
  correlation->blocks = (int)statistics_blocks_result_with(&m->blocks[m->columns.nonbonded], c).nblock;
  return STATUS_OK;
}

Status measure_mean(const Measure *m, int column, double *mean, double *err, double *tau, Error *error)
{
  *mean = *err = *tau = NAN;
  if (m->samples == 0)
    return STATUS_OK;
  if (m->blocks != NULL) {
    MeasureCorrelation correlation;
    const Status status = measure_correlation(m, &correlation, error);
    if (status != STATUS_OK)
      return status;
    const StatisticsSeries series = statistics_blocks_result_with(&m->blocks[column], &correlation.thermo);
    *mean = series.mean;
    *err = series.error;
    *tau = series.tau;
    return STATUS_OK;
  }
  double *x = malloc((size_t)m->replicas * sizeof *x);
  if (x == NULL)
    return error_memory(error, "means");
  for (int r = 0; r < m->replicas; r++)
    x[r] = measure_replica_mean(m, r, column);
  statistics_mean(x, m->replicas, mean, err);
  free(x);
  return STATUS_OK;
}

const Rdf *measure_rdf(const Measure *m) { return m->rdf; }

int64_t measure_distances(const Measure *m) { return m->distances; }

EvaporationEvent measure_evaporation(const Measure *m, int r) { return m->left[r]; }
