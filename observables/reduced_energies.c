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
  int states, columns, most;
  Counts counts;
  double *u; /* [most][states][columns] */
};

/* --- samples -------------------------------------------------------------------------------------------- */

Status reduced_energies_create(ReducedEnergies **energies, int states, int ladders, bool volumes,
                               Error *error)
{
  const int columns = states + volumes;
  const double each = (double)states * columns;
  double most = SAMPLES_MOST;
  while (most > SAMPLES_LEAST && most * each * ladders > NUMBERS)
    most /= 2.0;
  *energies = NULL;
  if (most * each * ladders > 64.0 * NUMBERS)
    return error_set(error, STATUS_INPUT,
                     "%d ladders of %d states with different parameters need more than 1 GB: use fewer "
                     "ladders, or fewer states",
                     ladders, states);
  ReducedEnergies *e = calloc(1, sizeof *e);
  TRY_MEMORY(e != NULL, "energies of a ladder", error);
  *e = (ReducedEnergies){.states = states, .columns = columns, .most = (int)most, .counts = {.stride = 1}};
  e->u = calloc((size_t)most * (size_t)states * (size_t)columns, sizeof *e->u);
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

static size_t size_of(const ReducedEnergies *e) { return (size_t)e->states * (size_t)e->columns; }

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

int reduced_energies_columns(const ReducedEnergies *e) { return e->columns; }

/* --- averages ------------------------------------------------------------------------------------------- */

/* Samples of all ladders, divided into units: ladders, or blocks of time of each. */
typedef struct Cut {
  ReducedEnergies *const *ladder;
  int ladders, states, columns;
  int samples; /* of each state of each ladder */
  int blocks;  /* number of blocks of each ladder; 1: ladders are the units */
} Cut;

static int units_of(const Cut *c) { return c->ladders * c->blocks; }

/* Pools the samples of all units but one (-1: all) as input of MBAR. */
static Status pool_without(const Cut *c, int out, EnergyPool *pool, double *u, Error *error)
{
  const size_t n = (size_t)c->states, columns = (size_t)c->columns;
  *pool = (EnergyPool){.temperatures = c->states, .reduced = u};
  TRY(energy_pool_room(pool, (size_t)(c->ladders * c->samples) * n, error));
  for (int a = 0; a < c->ladders; a++)
    for (int i = 0; i < c->samples; i++) {
      if (a * c->blocks + (int)((int64_t)i * c->blocks / c->samples) == out)
        continue;
      for (size_t k = 0; k < n; k++) {
        const double *const row = reduced_energies_sample(c->ladder[a], i) + k * columns;
        memcpy(u + (size_t)pool->bins * n, row, n * sizeof *u);
        pool->volume[pool->bins] = columns > n ? row[n] : 0.0;
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

static Status solve(const Cut *c, int out, double *u, const double *start, double *value, double *overlap,
                    Error *error)
{
  SCOPED(mbar_free_at) Mbar *m = NULL;
  EnergyPool pool;
  const Status status = pool_without(c, out, &pool, u, error);
  if (status == STATUS_OK && start == NULL)
    first_guess(&pool, value);
  const Status solved =
      status == STATUS_OK ? mbar_create_reduced(&m, &pool, start != NULL ? start : value, error) : status;
  if (solved == STATUS_OK)
    memcpy(value, m->free, (size_t)c->states * sizeof *value);
  for (int k = 0; solved == STATUS_OK && c->columns > c->states && k < c->states; k++)
    value[c->states + k] = mean_volume(m, k);
  if (solved == STATUS_OK && overlap != NULL)
    *overlap = mbar_least_overlap(m);
  arena_free(&pool.arena);
  return solved;
}

/* The number of averages: free energies, and volumes. */
static int averages_of(const Cut *c) { return c->states * (1 + c->columns - c->states); }

/* The jackknife over units; raises error_of where its error is larger. */
static Status jackknife(const Cut *c, double *u, const double *value, double *error_of, Error *error)
{
  const int units = units_of(c);
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

static int least_samples(ReducedEnergies *const *ladder, int ladders)
{
  int least = reduced_energies_samples(ladder[0]);
  for (int a = 1; a < ladders; a++) {
    const int n = reduced_energies_samples(ladder[a]);
    least = n < least ? n : least;
  }
  return least;
}

Status reduced_energies_averages(ReducedEnergies *const *ladder, int ladders, double *value, double *error_of,
                                 double *overlap, Error *error)
{
  Cut cut = {ladder, ladders, ladder[0]->states, ladder[0]->columns, least_samples(ladder, ladders), 1};
  if (cut.samples < 1)
    return error_set(error, STATUS_INPUT, "the states of the ladder have no samples");
  SCOPED(scoped_free) double *u = malloc((size_t)(ladders * cut.samples) * size_of(ladder[0]) * sizeof *u);
  TRY_MEMORY(u != NULL, "energies of a ladder", error);
  TRY(solve(&cut, -1, u, NULL, value, overlap, error));
  for (int k = 0; k < averages_of(&cut); k++)
    error_of[k] = NAN;
  const bool enough = ladders >= LADDERS_ENOUGH;
  for (int units = enough ? ladders : UNITS; units >= (enough ? ladders : UNITS / 2); units /= 2) {
    cut.blocks = enough ? 1 : (units + ladders - 1) / ladders;
    if (units_of(&cut) < 2 || cut.samples < 2 * cut.blocks)
      return STATUS_OK;
    TRY(jackknife(&cut, u, value, error_of, error));
  }
  return STATUS_OK;
}
