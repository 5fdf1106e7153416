#include "observables/reduced_energies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "observables/mbar.h"

/* Limits: numbers of all ladders together; samples of each; least number of ladders for errors by ladders;
 * units for errors. */
enum { NUMBERS = 1 << 21, SAMPLES_LEAST = 64, SAMPLES_MOST = 1 << 14, LADDERS_ENOUGH = 8, UNITS = 16 };

typedef struct Counts {
  int64_t seen, stride, kept;
} Counts;

struct ReducedEnergies {
  ReducedColumns columns;
  int most;
  Counts counts;
  double *u; /* [most][states][width] */
};

/* --- samples -------------------------------------------------------------------------------------------- */

int reduced_energies_width(const ReducedColumns *c)
{
  return c->states + c->volumes + c->slopes + c->replicas;
}

Status reduced_energies_create(ReducedEnergies **energies, const ReducedColumns *columns, int ladders,
                               Error *error)
{
  const double each = (double)columns->states * reduced_energies_width(columns);
  double most = SAMPLES_MOST;
  while (most > SAMPLES_LEAST && most * each * ladders > NUMBERS)
    most /= 2.0;
  *energies = NULL;
  if (most * each * ladders > 64.0 * NUMBERS)
    return error_set(error, STATUS_INPUT,
                     "%d ladders of %d states with different parameters need more than 1 GB: use fewer "
                     "ladders, or fewer states",
                     ladders, columns->states);
  ReducedEnergies *e = calloc(1, sizeof *e);
  TRY_MEMORY(e != NULL, "energies of a ladder", error);
  *e = (ReducedEnergies){.columns = *columns, .most = (int)most, .counts = {.stride = 1}};
  e->u = calloc((size_t)(most * each), sizeof *e->u);
  if (e->u == NULL) {
    free(e);
    return error_memory(error, "energies of a ladder");
  }
  *energies = e;
  return STATUS_OK;
}

void reduced_energies_free(ReducedEnergies *e)
{
  if (e != NULL)
    free(e->u);
  free(e);
}

static size_t size_of(const ReducedEnergies *e)
{
  return (size_t)e->columns.states * (size_t)reduced_energies_width(&e->columns);
}

void reduced_energies_add(ReducedEnergies *e, const double *u)
{
  Counts *c = &e->counts;
  const size_t size = size_of(e);
  if (c->seen++ % c->stride != 0)
    return;
  if (c->kept == e->most) {
    for (int64_t i = 1; i < c->kept / 2; i++)
      memcpy(e->u + (size_t)i * size, e->u + (size_t)(2 * i) * size, size * sizeof *u);
    c->kept /= 2;
    c->stride *= 2;
    if ((c->seen - 1) % c->stride != 0)
      return;
  }
  memcpy(e->u + (size_t)c->kept++ * size, u, size * sizeof *u);
}

void reduced_energies_chunks(ReducedEnergies *e, ChunkList *list)
{
  chunk_add(list, &e->counts, sizeof e->counts);
  chunk_add(list, e->u, (size_t)e->most * size_of(e) * sizeof *e->u);
}

int reduced_energies_samples(const ReducedEnergies *e) { return (int)e->counts.kept; }
int64_t reduced_energies_stride(const ReducedEnergies *e) { return e->counts.stride; }
const double *reduced_energies_sample(const ReducedEnergies *e, int i)
{
  return e->u + (size_t)i * size_of(e);
}

const ReducedColumns *reduced_energies_columns(const ReducedEnergies *e) { return &e->columns; }

int reduced_energies_least(ReducedEnergies *const *ladder, int ladders)
{
  int least = reduced_energies_samples(ladder[0]);
  for (int a = 1; a < ladders; a++) {
    const int n = reduced_energies_samples(ladder[a]);
    least = n < least ? n : least;
  }
  return least;
}

/* --- averages ------------------------------------------------------------------------------------------- */

int reduced_energies_units(const ReducedCut *c) { return c->ladders * c->blocks; }

static int states_of(const ReducedCut *c) { return c->ladder[0]->columns.states; }

/* Pools the samples of all units but one (-1: all) as input of MBAR. */
static Status pool_without(const ReducedCut *c, int out, EnergyPool *pool, double *u, Error *error)
{
  const ReducedColumns *const columns = &c->ladder[0]->columns;
  const size_t n = (size_t)columns->states, width = (size_t)reduced_energies_width(columns);
  *pool = (EnergyPool){.temperatures = columns->states, .reduced = u};
  TRY(energy_pool_room(pool, (size_t)c->ladders * (size_t)(c->end - c->first) * n, error));
  for (int a = 0; a < c->ladders; a++)
    for (int i = c->first; i < c->end; i++) {
      if (reduced_energies_unit(c, a, i) == out)
        continue;
      for (size_t k = 0; k < n; k++) {
        const double *const row = reduced_energies_sample(c->ladder[a], i) + k * width;
        memcpy(u + (size_t)pool->bins * n, row, n * sizeof *u);
        pool->volume[pool->bins] = columns->volumes > 0 ? row[n] : 0.0;
        pool->drawn[k] += 1.0;
        pool->count[pool->bins++] = 1.0;
      }
    }
  return STATUS_OK;
}

/* Thermodynamic integration over the states: f_k+1 - f_k is about the mean of u_k+1 - u_k in both. */
static void first_guess(const EnergyPool *pool, double *f)
{
  const size_t n = (size_t)pool->temperatures;
  memset(f, 0, n * sizeof *f);
  for (size_t i = 0; i < (size_t)pool->bins; i++) {
    const size_t own = i % n; /* each sample has the states in order */
    const double *const u = pool->reduced + i * n;
    for (size_t k = 1; k < n; k++)
      if (own == k || own + 1 == k)
        f[k] += 0.5 * (u[k] - u[k - 1]) / pool->drawn[own];
  }
  for (size_t k = 1; k < n; k++)
    f[k] += f[k - 1];
}

/* The mean volume in state k. */
static double mean_volume(const Mbar *m, int k)
{
  const EnergyPool *pool = m->pool;
  double top = -INFINITY, sum = 0.0, first = 0.0;
  for (int i = 0; i < pool->bins; i++)
    top = fmax(top, m->log_weight[i] - pool->reduced[(ptrdiff_t)i * m->states + k]);
  for (int i = 0; i < pool->bins; i++) {
    const double w = exp(m->log_weight[i] - pool->reduced[(ptrdiff_t)i * m->states + k] - top);
    sum += w;
    first += w * (pool->volume[i] - pool->volume[0]);
  }
  return pool->volume[0] + first / sum;
}

Status reduced_energies_mbar(const ReducedCut *c, int out, const double *start, double *u, EnergyPool *pool,
                             Mbar **mbar, Error *error)
{
  *mbar = NULL;
  TRY(pool_without(c, out, pool, u, error));
  if (start != NULL)
    return mbar_create_reduced(mbar, pool, start, error);
  SCOPED(scoped_free) double *guess = malloc((size_t)states_of(c) * sizeof *guess);
  TRY_MEMORY(guess != NULL, "free energies", error);
  first_guess(pool, guess);
  return mbar_create_reduced(mbar, pool, guess, error);
}

/* The number of averages: free energies, and volumes. */
static int averages_of(const ReducedCut *c) { return states_of(c) * (1 + c->ladder[0]->columns.volumes); }

static Status solve(const ReducedCut *c, int out, double *u, const double *start, double *value,
                    double *overlap, Error *error)
{
  SCOPED(mbar_free_at) Mbar *m = NULL;
  EnergyPool pool;
  const int n = states_of(c);
  const Status solved = reduced_energies_mbar(c, out, start, u, &pool, &m, error);
  if (solved == STATUS_OK)
    memcpy(value, m->free, (size_t)n * sizeof *value);
  for (int k = 0; solved == STATUS_OK && k < averages_of(c) - n; k++)
    value[n + k] = mean_volume(m, k);
  if (solved == STATUS_OK && overlap != NULL)
    *overlap = mbar_least_overlap(m);
  arena_free(&pool.arena);
  return solved;
}

/* The jackknife over units; raises error_of where its error is larger. */
static Status jackknife(const ReducedCut *c, double *u, const double *value, double *error_of, Error *error)
{
  const int units = reduced_energies_units(c);
  const size_t n = (size_t)averages_of(c);
  SCOPED(scoped_free) double *sum = calloc(3 * n, sizeof *sum);
  TRY_MEMORY(sum != NULL, "errors of averages", error);
  double *const square = sum + n, *const one = sum + 2 * n;
  for (int out = 0; out < units; out++) {
    TRY(solve(c, out, u, value, one, NULL, error));
    for (size_t k = 0; k < n; k++) {
      sum[k] += (one[k] - value[k]) / units;
      square[k] += (one[k] - value[k]) * (one[k] - value[k]) / units;
    }
  }
  for (size_t k = 0; k < n; k++) {
    const double found = sqrt((units - 1) * fmax(0.0, square[k] - sum[k] * sum[k]));
    if (!(error_of[k] >= found))
      error_of[k] = found;
  }
  return STATUS_OK;
}

Status reduced_energies_averages(ReducedEnergies *const *ladder, int ladders, double *value, double *error_of,
                                 double *overlap, Error *error)
{
  ReducedCut cut = {ladder, ladders, 0, reduced_energies_least(ladder, ladders), 1};
  if (cut.end < 1)
    return error_set(error, STATUS_INPUT, "the states of the ladder have no samples");
  SCOPED(scoped_free) double *u = malloc((size_t)(ladders * cut.end) * size_of(ladder[0]) * sizeof *u);
  TRY_MEMORY(u != NULL, "energies of a ladder", error);
  TRY(solve(&cut, -1, u, NULL, value, overlap, error));
  for (int k = 0; k < averages_of(&cut); k++)
    error_of[k] = NAN;
  const bool enough = ladders >= LADDERS_ENOUGH;
  for (int units = enough ? ladders : UNITS; units >= (enough ? ladders : UNITS / 2); units /= 2) {
    cut.blocks = enough ? 1 : (units + ladders - 1) / ladders;
    if (reduced_energies_units(&cut) < 2 || cut.end < 2 * cut.blocks)
      return STATUS_OK;
    TRY(jackknife(&cut, u, value, error_of, error));
  }
  return STATUS_OK;
}
