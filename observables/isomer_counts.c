/* Populations of isomers: samples are quenched to their minima, all lanes of a group together, and counted.
 * Flexible waters are first set to their rigid geometry: the basins are those of rigid molecules. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/isa.h"
#include "engine/place.h"
#include "forcefields/pair.h"
#include "integrators/lbfgs.h"
#include "observables/energy_columns.h"
#include "observables/isomers.h"
#include "observables/observable.h"

enum { EVALUATIONS = 4000 };
static const double tolerance = 1e-3; /* kcal/mol/A */

/* A group of lanes, used by one thread at a time. */
typedef struct Batch {
  State *state;
  ForceField field;
  Lbfgs *lbfgs;
  Isomers *isomers;
  EnergyColumns *columns; /* by energy, with storage places of isomers as columns; NULL: not requested */
  int64_t samples[WIDTH_MAX];
  Status status;
  Error error;
} Batch;

typedef struct Counts {
  Observable is;
  int width, nbatch, replicas, keep;
  int temperatures; /* of ladders, whose slots replace replicas as owners; 1: no ladder */
  Landscape on;
  Kind *kind; /* of a model's water, with its topology, without a landscape */
  Topology *topology;
  size_t size; /* number of coordinates */
  Batch *batch;
  double *x; /* [batches][size] */
} Counts;

static void counts_free(void *self)
{
  const Counts *c = self;
  for (int g = 0; c->batch != NULL && g < c->nbatch; g++) {
    isomers_free(c->batch[g].isomers);
    energy_columns_free(c->batch[g].columns);
    lbfgs_free(c->batch[g].lbfgs);
    force_field_free(&c->batch[g].field);
    state_free(c->batch[g].state);
  }
  topology_free(c->topology);
  kind_free(c->kind);
}

/* The number of further temperatures requested. */
static int points(const Counts *c) { return c->temperatures > 1 ? c->is.options.points : 0; }

/* Creates columns for all slots of the ladders to which a batch's replicas belong. */
static Status columns_create(const Counts *c, int g, Error *error)
{
  const int ladders = (c->width - 1) / c->temperatures + 2;
  const EnergyColumnsOptions options = {
      .temperatures = c->temperatures,
      .ladders = c->is.options.ladders,
      .first = (c->is.options.first + g * c->width) / c->temperatures * c->temperatures,
      .slots = ladders * c->temperatures,
      .copies = (c->temperatures * c->is.options.ladders + c->width - 1) / c->width,
      .columns = c->keep + 1,
      .width = c->is.options.kT[0] / ENERGY_COLUMNS_BINS};
  return energy_columns_create(&c->batch[g].columns, &options, error);
}

static Status batch_create(Batch *g, const Counts *c, Isa isa, Error *error)
{
  TRY(topology_state(c->on.topology, c->width, 0, 0, &g->state, error));
  TRY(c->on.field(c->on.system, g->state, &g->field, error));
  TRY(lbfgs_create(&g->lbfgs, g->state, &g->field, isa, error));
  /* A lane may be in any slot, so each batch counts for all slots of the run. */
  const int slots = (c->temperatures * c->is.options.ladders + c->width - 1) / c->width * c->width;
  const int owners = c->temperatures > 1 ? slots : c->width;
  return isomers_create(&g->isomers, c->on.topology, c->keep, owners, error);
}

static Status water_field(const void *self, const State *state, ForceField *field, Error *error)
{
  const Counts *c = self;
  Isa isa;
  TRY(isa_wanted(&isa, error));
  field->n = 1;
  return pair_create(&field->force[0], c->is.options.water, PAIR_DOUBLE, state, isa, error);
}

/* Describes the waters of frames without an input file, by their model. */
static Status describe_waters(Counts *c, const ObservableBlock *block, Error *error)
{
  if (block->kind->nsite != 3 || block->kind->mass[0] < block->kind->mass[1])
    return error_set(error, STATUS_INPUT, "needs waters in the order O, H, H");
  TRY(water_kind(c->is.options.water, block->kind->mass[0], block->kind->mass[1], &c->kind, error));
  const Kind *const kind = c->kind;
  TRY(topology_of_kinds(&c->topology, 1, &kind, &block->nmol, error));
  c->on = (Landscape){c->topology, water_field, c};
  return STATUS_OK;
}

static Status find_landscape(Counts *c, const ObservableFrame *frame, Error *error)
{
  const ObservableOptions *options = &c->is.options;
  if (box_periodic(frame->box))
    return error_set(error, STATUS_INPUT, "needs a cluster, without a periodic box");
  if (options->landscape == NULL && (frame->nblock != 1 || options->water == NULL))
    return error_set(error, STATUS_INPUT,
                     "needs the forces of all molecules: give a water model (--model), or an input file");
  if (options->landscape == NULL)
    return describe_waters(c, &frame->block[0], error);
  c->on = *options->landscape;
  for (int k = 0; k < c->on.topology->nsort; k++)
    if (c->on.topology->sort[k].anchored)
      return error_set(error, STATUS_INPUT,
                       "minimises all molecules, but some atoms are frozen (freeze): leave it out");
  for (int k = 0; k < c->on.topology->nsort; k++)
    if (options->penalised && !topology_is_water(&c->on.topology->sort[k]))
      return error_set(error, STATUS_INPUT,
                       "needs exact constraints (geometry.method: rattle, shake), or penalties of waters "
                       "only: other flexible molecules have no rigid geometry");
  return STATUS_OK;
}

static Status create(void *self, const ObservableFrame *frame, Error *error)
{
  Counts *c = self;
  const ObservableOptions *options = &c->is.options;
  TRY(find_landscape(c, frame, error));
  Isa isa;
  TRY(isa_wanted(&isa, error));
  c->nbatch = options->batches > 0 ? options->batches : 1;
  c->replicas = options->batches > 0 ? options->replicas : 1;
  c->width = c->replicas / c->nbatch;
  c->temperatures = options->temperatures > 1 ? options->temperatures : 1;
  c->size = topology_coordinates(c->on.topology);
  c->keep = options->isomers.keep > 0 ? options->isomers.keep : 10;
  c->batch = observable_arena(c, (size_t)c->nbatch, sizeof *c->batch);
  c->x = observable_arena(c, (size_t)c->nbatch * c->size, sizeof *c->x);
  TRY_MEMORY(c->batch != NULL, "isomers", error);
  for (int g = 0; g < c->nbatch; g++) {
    TRY(batch_create(&c->batch[g], c, isa, error));
    if (points(c) > 0)
      TRY(columns_create(c, g, error));
  }
  return STATUS_OK;
}

/* --- samples
 * ------------------------------------------------------------------------------------------------
 */

/* A water with collinear atoms gives coordinates of NaN; the quench reports them. */
static void put(const Counts *c, Batch *g, int r, double *x)
{
  const Topology *t = c->on.topology;
  double *at = x;
  for (int k = 0; k < t->nsort; k++)
    for (int m = 0; m < t->sort[k].nmol; m++, at += (ptrdiff_t)3 * t->sort[k].kind->nsite)
      if (topology_is_water(&t->sort[k]))
        place_rigid(t->sort[k].group[0].kind, at);
  topology_set(t, g->state, STATE_POSITIONS, r, x);
}

/* Counts the minimum of lane r; sums: of its energy, or NULL. */
static void count(const Counts *c, Batch *g, int r, int owner, int64_t *sums, double *x)
{
  topology_get(c->on.topology, g->state, STATE_POSITIONS, r, x);
  const int i = isomers_add(g->isomers, lbfgs_energy(g->lbfgs, r), owner, 1, x);
  if (i < 0 || sums == NULL)
    return;
  const int place = isomers_place(g->isomers, i);
  if (isomers_at(g->isomers, i).all == 1) /* new, possibly in the place of another */
    energy_columns_clear(g->columns, place);
  sums[place]++;
}

/* x: scratch memory for one replica. */
static void quench(const Counts *c, Batch *g, const ObservableLanes *lanes, double *x)
{
  const int width = g->state->width;
  const unsigned all = (unsigned)((1ULL << width) - 1);
  lbfgs_begin(g->lbfgs, all, tolerance);
  for (int i = 0; i < EVALUATIONS && (lbfgs_arrived(g->lbfgs) & all) != all && g->status == STATUS_OK; i++)
    g->status = lbfgs_step(g->lbfgs, &g->error);
  for (int r = 0; r < width && g->status == STATUS_OK; r++) {
    const int owner = lanes->slot != NULL ? lanes->slot[r] : r;
    int64_t *sums = g->columns != NULL ? energy_columns_add(g->columns, owner, lanes->energy[r]) : NULL;
    g->samples[r]++;
    if (lbfgs_force(g->lbfgs, r) <= tolerance && (lbfgs_arrived(g->lbfgs) >> r & 1) != 0)
      count(c, g, r, owner, sums, x);
  }
}

static double *room(const Counts *c, int batch) { return c->x + (size_t)batch * c->size; }

static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const Counts *c = self;
  double *to = c->x;
  for (int b = 0; b < frame->nblock; b++) {
    const size_t n = 3 * (size_t)frame->block[b].nmol * (size_t)frame->block[b].kind->nsite;
    memcpy(to, frame->block[b].x, n * sizeof *to);
    to += n;
  }
  put(c, &c->batch[0], 0, c->x);
  quench(c, &c->batch[0], &(ObservableLanes){0}, c->x);
  return c->batch[0].status == STATUS_OK ? STATUS_OK
                                         : error_pass(error, c->batch[0].status, &c->batch[0].error);
}

static void add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  Counts *c = self;
  const int batch = lanes->first / c->width;
  if (sample->team->rank != 0)
    return;
  Batch *g = &c->batch[batch];
  double *x = room(c, batch);
  for (int r = 0; r < c->width; r++) {
    sample_get(sample, c->on.topology, STATE_POSITIONS, r, x);
    put(c, g, r, x);
  }
  quench(c, g, lanes, x);
}

/* --- results
 * ------------------------------------------------------------------------------------------------
 */

/* The mean fraction of samples and its error: over replicas, or over ladders at temperature k. All slots have
 * equal numbers of samples. */
static void population(const Counts *c, const Isomer *isomer, int k, double *mean, double *error)
{
  StatisticsMoments moments = {0};
  const int owners = c->temperatures > 1 ? c->is.options.ladders : c->replicas;
  for (int a = 0; a < owners; a++) {
    const int at = a * c->temperatures + k;
    const int64_t samples = c->batch[at / c->width].samples[at % c->width];
    const double share = samples > 0 ? (double)isomer->count[at] / (double)samples : NAN;
    if (samples > 0)
      statistics_moments_add(&moments, &share, 1);
  }
  *mean = moments.mean;
  *error = statistics_moments_error(&moments);
}

/* Numbers of isomers and their energies, x[2][n]: the first two columns of a table. */
static void fill_isomers(const Isomers *isomers, double *x)
{
  const int n = isomers_number(isomers);
  for (int i = 0; i < n; i++) {
    x[i] = i + 1;
    x[n + i] = isomers_at(isomers, i).energy;
  }
}

/* Populations at temperature k and their errors, x[2][n]. */
static void fill_populations(const Counts *c, const Isomers *isomers, int k, double *x)
{
  const int n = isomers_number(isomers);
  for (int i = 0; i < n; i++) {
    const Isomer isomer = isomers_at(isomers, i);
    population(c, &isomer, k, &x[i], &x[n + i]);
  }
}

static void fill_counts(const Isomers *isomers, double *x)
{
  for (int i = 0; i < isomers_number(isomers); i++)
    x[i] = (double)isomers_at(isomers, i).all;
}

/* Adds isomers with populations at all temperatures; x: scratch memory [2][n]. */
static ResultTable *add_table(const Counts *c, const Isomers *isomers, ResultSet *set, double *x)
{
  const size_t n = (size_t)isomers_number(isomers);
  const bool ladder = c->temperatures > 1;
  ResultTable *t = results_add_table(set, "isomers", n);
  fill_isomers(isomers, x);
  results_add_column(t, "isomer", x, NULL);
  results_add_column(t, "energy", x + n, NULL);
  if (ladder) {
    fill_counts(isomers, x);
    results_add_column(t, "count", x, NULL);
  }
  for (int k = 0; k < c->temperatures; k++) {
    char name[16];
    snprintf(name, sizeof name, "p%d", k);
    fill_populations(c, isomers, k, x);
    results_add_column(t, ladder ? name : "population", x, x + n);
  }
  if (!ladder) {
    fill_counts(isomers, x);
    results_add_column(t, "count", x, NULL);
  }
  results_say(t, "minima of the samples by quenching, lowest first; energy in kcal/mol");
  results_say(t, ladder ? "p0: fraction of the samples at the lowest temperature, p1 at the next and so on; "
                          "one standard error between ladders"
                        : "population: fraction of the samples, one standard error between replicas");
  return t;
}

/* Adds the populations as numbers, for one temperature. */
static void report_all(const Counts *c, const Isomers *isomers, ResultTable *t, ResultSet *set)
{
  double rest = 1.0;
  for (int i = 0; i < isomers_number(isomers); i++) {
    const Isomer isomer = isomers_at(isomers, i);
    double mean, err;
    char subject[32];
    population(c, &isomer, 0, &mean, &err);
    rest -= mean;
    snprintf(subject, sizeof subject, "%d", i + 1);
    results_observed(set, "isomers", subject, "energy", isomer.energy, NAN, NULL);
    results_observed(set, "isomers", subject, "population", mean, err, NULL);
  }
  results_say(t, "others: %.6g", rest > 1e-9 ? rest : 0.0);
}

static Status write_table(const Counts *c, const Isomers *isomers, ResultSet *set, Error *error)
{
  double *x = malloc((2 * (size_t)isomers_number(isomers) + 1) * sizeof *x);
  TRY_MEMORY(x != NULL, "isomers", error);
  ResultTable *t = add_table(c, isomers, set, x);
  free(x);
  if (c->temperatures == 1)
    report_all(c, isomers, t, set);
  return STATUS_OK;
}

/* The storage place of each isomer in the batches' columns, place[batches][isomers]; -1: not found there. */
static void find_places(const Counts *c, Isomers *isomers, int *place)
{
  const int n = isomers_number(isomers);
  for (int g = 0; g < c->nbatch; g++)
    for (int i = 0; i < n; i++)
      place[g * n + i] = -1;
  for (int g = 0; g < c->nbatch; g++)
    for (int j = 0; j < isomers_number(c->batch[g].isomers); j++) {
      const Isomer isomer = isomers_at(c->batch[g].isomers, j);
      const int i = isomers_find(isomers, isomer.energy, isomer.x);
      if (i >= 0)
        place[g * n + i] = isomers_place(c->batch[g].isomers, j);
    }
}

/* Adds populations at further temperatures, from the samples of all. */
static Status add_reweighted(const Counts *c, Isomers *isomers, ResultSet *report, Error *error)
{
  const size_t n = (size_t)isomers_number(isomers), batches = (size_t)c->nbatch;
  if (n == 0)
    return STATUS_OK;
  int *place = malloc(batches * n * sizeof *place);
  double *x = malloc(2 * n * sizeof *x);
  EnergyColumns **columns = malloc(batches * sizeof *columns);
  Status status = place == NULL || columns == NULL || x == NULL ? error_memory(error, "isomers") : STATUS_OK;
  if (status == STATUS_OK) {
    for (int g = 0; g < c->nbatch; g++)
      columns[g] = c->batch[g].columns;
    find_places(c, isomers, place);
    const EnergyColumnsRequest request = {.columns = columns,
                                          .n = c->nbatch,
                                          .wanted = (int)n,
                                          .place = place,
                                          .kT = c->is.options.kT,
                                          .at = c->is.options.at,
                                          .points = points(c)};
    fill_isomers(isomers, x);
    const EnergyColumnsTable table = {
        .name = "isomers_reweighted",
        .symbol = (const char *const[]){"p"},
        .comment = "fraction of the samples in the basin of each minimum, lowest first; energy in kcal/mol",
        .column = {"isomer", "energy"},
        .x = {x, x + n}};
    status = energy_columns_add_table(&request, &table, report, error);
  }
  free(columns);
  free(place);
  free(x);
  return status;
}

static Status write(void *self, ObservableResult *none, const char *dir, ResultSet *report, Error *error)
{
  (void)none;
  (void)dir;
  const Counts *c = self;
  Isomers *all;
  for (int g = 0; g < c->nbatch; g++)
    if (c->batch[g].status != STATUS_OK)
      return error_pass(error, c->batch[g].status, &c->batch[g].error);
  TRY(isomers_create(&all, c->on.topology, c->keep, c->width * c->nbatch, error));
  for (int g = 0; g < c->nbatch; g++)
    isomers_merge(all, c->batch[g].isomers, c->temperatures > 1 ? 0 : g * c->width);
  Status status = write_table(c, all, report, error);
  if (status == STATUS_OK && points(c) > 0)
    status = add_reweighted(c, all, report, error);
  isomers_free(all);
  return status;
}

static void chunks(void *self, ChunkList *list)
{
  Counts *c = self;
  for (int g = 0; g < c->nbatch; g++) {
    if (c->is.options.batches > 0)
      chunk_owner(list, list->base + g);
    chunk_add(list, c->batch[g].samples, sizeof c->batch[g].samples);
    isomers_chunks(c->batch[g].isomers, list);
    if (c->batch[g].columns != NULL)
      energy_columns_chunks(c->batch[g].columns, 0, list);
  }
  if (c->is.options.batches > 0)
    chunk_owner(list, CHUNK_OF_ALL);
}

const ObservableOps observable_isomers = {
    .name = "isomers",
    .doc = "minima of an open cluster, and their populations",
    .size = sizeof(Counts),
    .create = create,
    .begin = begin,
    .add_lanes = add_lanes,
    .write = write,
    .chunks = chunks,
    .free = counts_free,
};
