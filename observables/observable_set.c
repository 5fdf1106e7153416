#include "observables/observable_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"

/* One observable and its number of samples, which observable_set_write requires. */
typedef struct Member {
  const ObservableOps *ops;
  Observable *observable;
  int64_t every, *samples; /* [batches] */
} Member;

struct ObservableSet {
  int n, batches;
  Member member[OBSERVABLES];
  int64_t every;
  bool velocities, pressures, lanes; /* lanes: of replicas in lanes */
  /* Samples of a state of one system: copies of its fields, a block for each molecule type. */
  const Topology *topology;
  int nblock;
  ObservableBlock *block; /* [nblock] */
  double **x, **v;        /* [nblock] */
  Arena arena;            /* of these copies */
  double timestep;
};

int64_t observable_set_stride(int64_t a, int64_t b) { return b > 0 ? observable_set_stride(b, a % b) : a; }

static Status member_create(ObservableSet *set, int row, const ObservableOptions *options, double timestep,
                            const ObservableFrame *shape, Error *error)
{
  Member *m = &set->member[set->n];
  *m = (Member){.ops = observable_table[row], .every = options->every[row]};
  for (int b = 0; b < shape->nblock && !m->ops->flat; b++)
    if (shape->block[b].kind->dim != 3)
      return error_set(error, STATUS_INPUT, "%s needs three dimensions; %s has %d", m->ops->name,
                       shape->block[b].kind->name, shape->block[b].kind->dim);
  ObservableOptions own = *options;
  own.interval = timestep * (double)m->every;
  set->every = observable_set_stride(m->every, set->every);
  set->velocities = set->velocities || m->ops->velocities;
  set->pressures = set->pressures || m->ops->pressures;
  if (observable_create(&m->observable, m->ops, &own, shape, error) != STATUS_OK)
    return error_prefix(error, "%s", m->ops->name);
  m->samples = calloc((size_t)set->batches, sizeof *m->samples);
  set->n++;
  return m->samples != NULL ? STATUS_OK : error_memory(error, "observables");
}

Status observable_set_create(ObservableSet **set, const ObservableOptions *options, double timestep,
                             const ObservableFrame *shape, Error *error)
{
  *set = NULL;
  ObservableSet *s = calloc(1, sizeof *s);
  if (s == NULL)
    return error_memory(error, "observables");
  s->timestep = timestep;
  s->batches = options->batches > 0 ? options->batches : 1;
  Status status = STATUS_OK;
  for (int row = 0; row < OBSERVABLES && status == STATUS_OK; row++)
    if (options->every[row] > 0)
      status = member_create(s, row, options, timestep, shape, error);
  if (status != STATUS_OK)
    observable_set_free(s);
  else
    *set = s;
  return status;
}

static Status copies_create(ObservableSet *set, const ObservableFrame *shape, bool lanes, Error *error)
{
  set->lanes = lanes;
  for (int k = 0; k < set->n && set->lanes; k++)
    if (set->member[k].ops->add_lanes == NULL)
      return error_set(error, STATUS_INPUT, "%s needs a single system, not replicas in lanes",
                       set->member[k].ops->name);
  if (set->lanes)
    return STATUS_OK;
  set->block = arena_take(&set->arena, (size_t)shape->nblock, sizeof *set->block);
  set->x = arena_take(&set->arena, (size_t)shape->nblock, sizeof *set->x);
  set->v = arena_take(&set->arena, (size_t)shape->nblock, sizeof *set->v);
  TRY(arena_check(&set->arena, "the samples of observables", error));
  set->nblock = shape->nblock;
  for (int b = 0; b < shape->nblock; b++) {
    const size_t size = (size_t)shape->block[b].nmol *
                        (size_t)(shape->block[b].kind->nsite * shape->block[b].kind->dim) * sizeof(double);
    set->block[b] = shape->block[b];
    set->block[b].x = set->x[b] = malloc(size);
    if (set->velocities)
      set->block[b].v = set->v[b] = malloc(size);
    if (set->x[b] == NULL || (set->velocities && set->v[b] == NULL))
      return error_memory(error, "the samples of observables");
  }
  return STATUS_OK;
}

Status observable_set_create_sample(ObservableSet **set, const ObservableOptions *options, double timestep,
                                    const Topology *topology, const Sample *sample, Error *error)
{
  SCOPED(scoped_free) ObservableBlock *block = calloc((size_t)topology->nsort, sizeof *block);
  const ObservableFrame shape = {0.0, sample_box(sample), topology->nsort, block, NULL, NULL, NULL};
  *set = NULL;
  TRY_MEMORY(block != NULL, "observables", error);
  for (int k = 0; k < topology->nsort; k++) {
    const TopologySort *sort = &topology->sort[k];
    block[k] =
        (ObservableBlock){sort->kind, isnan(*sort->shared) ? NULL : sort->shared, sort->nmol, NULL, NULL};
  }
  Status status = observable_set_create(set, options, timestep, &shape, error);
  if (status == STATUS_OK)
    status = copies_create(*set, &shape, options->joint || sample_width(sample) > 1, error);
  if (status == STATUS_OK)
    (*set)->topology = topology;
  if (status != STATUS_OK) {
    observable_set_free(*set);
    *set = NULL;
  }
  return status;
}

void observable_set_free(ObservableSet *set)
{
  if (set == NULL)
    return;
  for (int k = 0; k < set->n; k++) {
    observable_free(set->member[k].observable);
    free(set->member[k].samples);
  }
  for (int b = 0; b < set->nblock; b++) {
    free(set->x[b]);
    free(set->v[b]);
  }
  arena_free(&set->arena);
  free(set);
}

int64_t observable_set_every(const ObservableSet *set) { return set->every; }

ObservableNeeds observable_set_needs(const ObservableSet *set, int64_t step)
{
  ObservableNeeds needs = {false, false, false};
  for (int k = 0; k < set->n; k++) {
    const bool due = step % set->member[k].every == 0;
    needs.energies = needs.energies || (due && set->member[k].ops->energies);
    needs.squares = needs.squares || (due && set->member[k].ops->squares);
    needs.pressures = needs.pressures || (due && set->member[k].ops->pressures);
  }
  return needs;
}

bool observable_set_velocities(const ObservableSet *set) { return set->velocities; }

bool observable_set_pressures(const ObservableSet *set) { return set->pressures; }

/* --- samples ---------------------------------------------------------------------------------------------
 */

/* Adds a sample to the observables that are due: a frame, or the state of replicas in lanes. For frames of a
 * file, `step` is the number of the sample from 0. */
static Status add_due(ObservableSet *set, const Team *team, int64_t step, const ObservableFrame *frame,
                      const Sample *sample, const ObservableLanes *lanes, Error *error)
{
  for (int k = 0; k < set->n; k++) {
    Member *m = &set->member[k];
    if (step % m->every != 0)
      continue;
    if (sample != NULL)
      m->ops->add_lanes(m->observable, sample, lanes);
    else if (observable_add(m->observable, team, frame, error) != STATUS_OK)
      return error_prefix(error, "%s, %s %lld", m->ops->name, lanes != NULL ? "step" : "sample",
                          (long long)step + (lanes == NULL));
    if (team->rank == 0)
      m->samples[sample != NULL ? lanes->first / sample_width(sample) : 0]++;
  }
  return STATUS_OK;
}

Status observable_set_add_frame(ObservableSet *set, const Team *team, int64_t step,
                                const ObservableFrame *frame, Error *error)
{
  return add_due(set, team, step, frame, NULL, NULL, error);
}

/* Copies this thread's molecules of a type. */
static void copy_share(const ObservableSet *set, const Sample *sample, int k)
{
  const TopologySort *sort = &set->topology->sort[k];
  int begin, end;
  team_range(sample->team, sort->nmol, &begin, &end);
  sample_gather(sample, sort, STATE_POSITIONS, 0, begin, end, set->x[k]);
  if (set->velocities)
    sample_gather(sample, sort, STATE_VELOCITIES, 0, begin, end, set->v[k]);
}

Status observable_set_add(ObservableSet *set, const Sample *sample, const ObservableLanes *lanes,
                          Error *error)
{
  const int64_t step = sample_step(sample);
  if (set->n == 0 || step % set->every != 0)
    return STATUS_OK;
  for (int b = 0; b < set->nblock; b++)
    copy_share(set, sample, b);
  if (set->nblock > 0)
    team_barrier(sample->team);
  const ObservableFrame frame = {(double)step * set->timestep,
                                 sample_box(sample),
                                 set->nblock,
                                 set->block,
                                 lanes->energy,
                                 lanes->square,
                                 lanes->pressure};
  ObservableLanes of = *lanes;
  of.topology = set->topology;
  return add_due(set, sample->team, step, &frame, set->lanes ? sample : NULL, &of, error);
}

/* --- correlation -----------------------------------------------------------------------------------------
 */

void observable_set_slowest(const ObservableSet *set, int64_t every, double *known, bool *plateau)
{
  *known = 1.0;
  for (int k = 0; k < set->n; k++) {
    const Member *m = &set->member[k];
    if (!m->observable->heeded || m->samples[0] == 0)
      continue;
    const StatisticsCorrelation c = block_rows_correlation(m->observable->rows);
    *known = fmax(*known, statistics_inefficiency(c.inefficiency, (double)m->every, (double)every));
    *plateau = *plateau && c.plateau;
  }
}

void observable_set_learn(ObservableSet *set, double inefficiency, int64_t every)
{
  for (int k = 0; k < set->n; k++) {
    const Member *m = &set->member[k];
    if (m->observable->heeded && m->samples[0] > 0)
      block_rows_learn(m->observable->rows,
                       statistics_inefficiency(inefficiency, (double)every, (double)m->every));
  }
}

/* --- files -----------------------------------------------------------------------------------------------
 */

Status observable_set_write(ObservableSet *set, const char *dir, ResultSet *report, Error *error)
{
  Status status = STATUS_OK;
  for (int k = 0; k < set->n && status == STATUS_OK; k++) {
    const Member *m = &set->member[k];
    if (m->samples[0] > 0)
      status = observable_write(m->observable, dir, report, error);
    else
      results_remark(report, "%s: no sample", m->ops->name);
  }
  return status;
}

void observable_set_chunks(ObservableSet *set, ChunkList *list)
{
  for (int k = 0; k < set->n; k++) {
    const Member *m = &set->member[k];
    if (set->lanes)
      chunk_add_each(list, m->samples, sizeof *m->samples, set->batches);
    else
      chunk_add(list, m->samples, sizeof *m->samples);
    observable_chunks(m->observable, list);
  }
}
