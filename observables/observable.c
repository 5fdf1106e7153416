#include "observables/observable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/nearest.h"
#include "base/scoped.h"
#include "base/text.h"
#include "engine/units.h"
#include "observables/picture.h"

const ObservableOps *const observable_table[] = {
#define OBSERVABLE(name, ...) &observable_##name,
#include "observables/observable_rows.def"
    NULL};

Status observable_find(const char *name, int *row, Error *error)
{
  char known[256] = "";
  Nearest nearest = nearest_start(name);
  for (*row = 0; *row < OBSERVABLES; ++*row) {
    const char *const here = observable_table[*row]->name;
    if (strcmp(here, name) == 0 ||
        (*row == OBSERVABLE_rdf && strcmp(name, "gofr") == 0)) /* the name of its file for boxes */
      return STATUS_OK;
    nearest_try(&nearest, here, 0.0);
    text_append(known, sizeof known, "%s%s", *row > 0 ? ", " : "", here);
  }
  if (nearest.name != NULL)
    return error_set(error, STATUS_INPUT, "there is no observable '%s'; did you mean '%s'? Known: %s", name,
                     nearest.name, known);
  return error_set(error, STATUS_INPUT, "there is no observable '%s'; known: %s", name, known);
}

/* --- memory --------------------------------------------------------------------------------------------- */

void *observable_arena(void *self, size_t n, size_t size)
{
  Observable *o = self;
  return arena_take(&o->arena, n, size);
}

void *observable_kept(void *self, size_t n, size_t size)
{
  Observable *o = self;
  void *data = arena_take(&o->arena, n, size);
  if (data != NULL)
    chunk_add(&o->kept, data, n * size / (size_t)(o->options.batches > 0 ? o->options.batches : 1));
  return data;
}

static Status fill(Observable *o, const ObservableFrame *frame, Error *error)
{
  const ObservableOps *ops = o->ops;
  if (ops->timed && !(o->options.interval > 0.0))
    return error_set(error, STATUS_INPUT, "the time between samples must be known");
  if (ops->timed && o->options.temperatures > 0)
    return error_set(error, STATUS_INPUT, "it needs a constant temperature, which a ladder changes");
  if (ops->boxed && !(box_volume(frame->box) > 0.0))
    return error_set(error, STATUS_INPUT, "it needs a box periodic in all directions");
  TRY(ops->create(o, frame, error));
  if (o->shape.monitors > 0)
    o->monitor = observable_arena(o, (size_t)o->shape.monitors, sizeof *o->monitor);
  TRY(arena_check(&o->arena, ops->name, error));
  TRY_MEMORY(!o->kept.failed, ops->name, error);
  return o->shape.whole + o->shape.real > 0 ? block_rows_create(&o->rows, &o->shape, error) : STATUS_OK;
}

Status observable_create(Observable **observable, const ObservableOps *ops, const ObservableOptions *options,
                         const ObservableFrame *frame, Error *error)
{
  *observable = NULL;
  Observable *o = calloc(1, ops->size);
  TRY_MEMORY(o != NULL, ops->name, error);
  *o = (Observable){.ops = ops, .options = *options, .name = ops->name};
  TRY_ELSE(fill(o, frame, error), observable_free(o));
  *observable = o;
  return STATUS_OK;
}

void observable_free(Observable *o)
{
  if (o == NULL)
    return;
  if (o->ops->free != NULL)
    o->ops->free(o);
  arena_free(&o->arena);
  chunk_free(&o->kept);
  block_rows_free(o->rows);
  free(o);
}

double observable_kT(const Observable *o)
{
  return o->options.temperatures > 0 ? o->options.kT[0] : o->options.temperature * UNITS_BOLTZMANN;
}

double observable_temperature(const Observable *o)
{
  return o->options.temperatures > 0 ? o->options.kT[0] / UNITS_BOLTZMANN : o->options.temperature;
}

void observable_chunks(Observable *o, ChunkList *list)
{
  for (int i = 0; i < o->kept.n; i++)
    chunk_add_batches(list, o->kept.chunk[i].data, o->kept.chunk[i].size, o->options.batches);
  if (o->rows != NULL)
    block_rows_chunks(o->rows, o->options.batches, list);
  if (o->ops->chunks != NULL)
    o->ops->chunks(o, list);
}

/* --- samples -------------------------------------------------------------------------------------------- */

static void end_sample(Observable *o, const Team *team, const ObservableFrame *frame)
{
  if (o->ops->end != NULL)
    o->ops->end(o, team, frame);
  if (o->rows != NULL)
    block_rows_end(o->rows, 0, o->monitor);
}

Status observable_add(Observable *o, const Team *team, const ObservableFrame *frame, Error *error)
{
  const ObservableOps *ops = o->ops;
  if (ops->prepare != NULL) {
    ops->prepare(o, team, frame);
    team_barrier(team);
  }
  if (team->rank == 0) {
    o->status = ops->begin(o, team, frame, &o->error);
    if (o->status == STATUS_OK && ops->share == NULL)
      end_sample(o, team, frame);
  }
  team_barrier(team);
  const Status status = error_pass(error, o->status, &o->error);
  if (ops->share == NULL || status != STATUS_OK) {
    team_barrier(team); /* until all members have read the status */
    return status;
  }
  ops->share(o, team, frame);
  team_barrier(team);
  if (team->rank == 0)
    end_sample(o, team, frame);
  team_barrier(team);
  return status;
}

/* --- results -------------------------------------------------------------------------------------------- */

BlockRowsFunction observable_function(const Observable *o)
{
  return (BlockRowsFunction){
      .self = o, .nout = o->nout, .call = o->ops->evaluate, .fluctuates = o->ops->fluctuates};
}

Status observable_result(const Observable *o, const BlockRows *rows, ObservableResult *result, Error *error)
{
  const size_t nout = (size_t)o->nout, ncol = block_rows_columns(rows);
  const BlockRowsFunction function = observable_function(o);
  *result = (ObservableResult){.value = malloc((2 * nout + ncol) * sizeof *result->value)};
  TRY_MEMORY(result->value != NULL, o->name, error);
  result->error = result->value + nout;
  result->sum = result->error + nout;
  block_rows_total(rows, result->sum);
  TRY(block_rows_result(rows, o->ops->shortest != NULL ? o->ops->shortest(o) : 1.0, &function, result->value,
                        result->error, &result->errors, error));
  snprintf(result->doubt, sizeof result->doubt, "%lld samples are few for their correlation",
           (long long)result->errors.samples);
  return STATUS_OK;
}

void observable_result_free(ObservableResult *result) { free(result->value); }

static Status draw(const Observable *o, const ObservableResult *result, const char *dir, ResultSet *set,
                   Error *error)
{
  Error why;
  const Status drawn = o->ops->draw != NULL ? o->ops->draw(o, result, dir, set, &why)
                                            : picture_table(dir, set->table[set->ntable - 1], &why);
  if (drawn == STATUS_RUN)
    results_remark(set, "%s: no picture: %s", o->name, why.text);
  return picture_outcome(drawn, &why, error);
}

Status observable_write(Observable *o, const char *dir, ResultSet *set, Error *error)
{
  LOCALE_PLAIN;
  const int first = set->n, table = set->ntable;
  SCOPED(block_rows_free_at) BlockRows *gathered = NULL;
  SCOPED(observable_result_free) ObservableResult result = {0};
  if (o->ops->gather != NULL)
    TRY(o->ops->gather(o, &gathered, error));
  const BlockRows *rows = gathered != NULL ? gathered : o->rows;
  if (rows != NULL)
    TRY(observable_result(o, rows, &result, error));
  TRY(o->ops->write(o, &result, dir, set, error));
  TRY(results_csv_write_all(set, table, dir, error));
  if (rows != NULL && !result.errors.plateau && result.doubt[0] != '\0')
    results_doubt(set, first, o->name, "%s", result.doubt);
  return rows != NULL && set->ntable > table ? draw(o, &result, dir, set, error) : STATUS_OK;
}

/* --- helpers -------------------------------------------------------------------------------------------- */

int observable_molecules(const ObservableFrame *frame)
{
  int n = 0;
  for (int b = 0; b < frame->nblock; b++)
    n += frame->block[b].nmol;
  return n;
}

ObservablePoints observable_points(const ObservableFrame *frame)
{
  const Kind *kind = frame->block[0].kind;
  const bool sites = observable_molecules(frame) == 1;
  return (ObservablePoints){sites ? kind->nsite : frame->block[0].nmol, kind->dim, sites};
}

void observable_points_frame(const ObservablePoints *points, const ObservableFrame *frame, const double **at)
{
  const ObservableBlock *block = &frame->block[0];
  const int step = points->dim * (points->sites ? 1 : block->kind->nsite);
  for (ptrdiff_t i = 0; i < points->n; i++)
    at[i] = block->x + i * step;
}

void observable_points_lane(const ObservablePoints *points, const ObservableLanes *lanes,
                            const Sample *sample, int r, const double **at)
{
  const TopologySort *sort = &lanes->topology->sort[0];
  for (int i = 0; i < points->n; i++) {
    const int m = points->sites ? 0 : i, s = points->sites ? i : 0;
    const Vec8 *pack = sample_vec8s(sample, sort, STATE_POSITIONS, m, s, r / LANES);
    at[i] = (const double *)pack + r % LANES;
  }
}

void observable_slice(int nmol, int slice, int *begin, int *end)
{
  team_share(nmol, slice, OBSERVABLE_SLICES, begin, end);
}

int64_t observable_origin_age(int64_t now, int every, int n, int k)
{
  const int64_t newest = now / every, back = ((newest - k) % n + n) % n;
  return newest < back ? -1 : now - (newest - back) * every;
}

Status observable_check_time(double last, double time, double interval, Error *error)
{
  const double ps = UNITS_AKMA_FS * 1e-3;
  if (fabs(time - last - interval) <= 0.02 * interval)
    return STATUS_OK;
  return error_set(
      error, STATUS_INPUT,
      "samples must be evenly spaced, here by %g ps; the sample at %.10g ps follows that at %.10g ps",
      interval * ps, time * ps, last * ps);
}

void observable_centre(const Kind *kind, const double *x, double *centre)
{
  const double mass = kind_mass(kind);
  for (int d = 0; d < kind->dim; d++)
    centre[d] = 0.0;
  for (int s = 0; s < kind->nsite; s++)
    for (int d = 0; d < kind->dim; d++)
      centre[d] += kind->mass[s] / mass * x[kind->dim * s + d];
}
