#include "observables/decoupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "observables/jackknife.h"
#include "observables/statistics.h"
#include "observables/verdict.h"

enum { UNITS_MOST = 32 };

/* An analysis in progress. */
typedef struct Work {
  const DecouplingPath *path;
  Decoupling *d;
  ReducedCut all;
  int width, slopes, replica; /* columns of a row, its first slope, and the replica */
  double *weight;             /* of thermodynamic integration */
  double *u;                  /* energies of a pool */
} Work;

static const double *row_of(const Work *w, int ladder, int i, int k)
{
  return reduced_energies_sample(w->all.ladder[ladder], i) + (ptrdiff_t)k * w->width;
}

/* dU/dstrength in kT. */
static double slope_of(const Work *w, const double *row, int parameter)
{
  return row[w->slopes + w->path->slope[parameter]] / w->path->kT;
}

/* --- thermodynamic integration -------------------------------------------------------------------------- */

/* Whether this strength alone changes from k to k + 1, in the direction `sign`. */
static bool changes_alone(const DecouplingPath *p, int parameter, int k, double sign)
{
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++) {
    const double change = p->strength[q][k + 1] - p->strength[q][k];
    if (q == parameter ? !(change * sign > 0.0) : change != 0.0)
      return false;
  }
  return true;
}

/* Integrates the polynomial through the points x[n] from a to b: weight[n] of its values, exact up to cubics
 * by two points of Gauss and Legendre. */
static void integrate(int n, const double *x, double a, double b, double *weight)
{
  for (int i = 0; i < n; i++)
    for (int side = -1; side <= 1; side += 2) {
      const double at = 0.5 * (a + b) + side * (b - a) / (2.0 * sqrt(3.0));
      double one = 0.5 * (b - a);
      for (int j = 0; j < n; j++)
        one *= j != i ? (at - x[j]) / (x[i] - x[j]) : 1.0;
      weight[i] += one;
    }
}

static void weigh_interval(const DecouplingPath *p, int parameter, int k, double *weight)
{
  enum { POINTS = 4 };
  const double *const x = p->strength[parameter], change = x[k + 1] - x[k];
  int first = k, last = k + 1;
  if (change == 0.0)
    return;
  if (changes_alone(p, parameter, k, change)) {
    while (first > 0 && changes_alone(p, parameter, first - 1, change))
      first--;
    while (last + 1 < p->states && changes_alone(p, parameter, last, change))
      last++;
  }
  const int n = last - first + 1 < POINTS ? last - first + 1 : POINTS;
  int from = k - 1 < first ? first : k - 1;
  from = from + n - 1 > last ? last - n + 1 : from;
  integrate(n, x + from, x[k], x[k + 1], weight + from);
}

void decoupling_weights(const DecouplingPath *p, double *weight)
{
  const size_t n = (size_t)p->states;
  memset(weight, 0, DECOUPLING_PARAMETERS * n * n * sizeof *weight);
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    for (int k = 0; k + 1 < p->states; k++)
      weigh_interval(p, q, k, weight + ((size_t)q * n + (size_t)k + 1) * n);
}

int decoupling_leg(const DecouplingPath *p, int k)
{
  const int from = k + 1 < p->states ? k : k - 1;
  double change[DECOUPLING_PARAMETERS];
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    change[q] = fabs(p->strength[q][from + 1] - p->strength[q][from]);
  return change[DECOUPLING_COULOMB] >= change[DECOUPLING_LJ] ? DECOUPLING_COULOMB : DECOUPLING_LJ;
}

/* Sums over the path: integrated[states] from mean slopes[DECOUPLING_PARAMETERS][states]. */
static void add_up(const Work *w, const double *slopes, double *integrated)
{
  const int n = w->d->states;
  integrated[0] = 0.0;
  for (int k = 1; k < n; k++) {
    integrated[k] = integrated[k - 1];
    for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
      for (int j = 0; j < n; j++)
        integrated[k] += w->weight[((ptrdiff_t)q * n + k) * n + j] * slopes[q * n + j];
  }
}

static double trapezoid(const Work *w)
{
  double sum = 0.0;
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    for (int k = 0; k + 1 < w->d->states; k++)
      sum += 0.5 * (w->path->strength[q][k + 1] - w->path->strength[q][k]) *
             (w->d->slope[q].value[k] + w->d->slope[q].value[k + 1]);
  return sum;
}

/* --- inefficiencies of continuous replicas -------------------------------------------------------------- */

/* What the correlation of replicas is measured by: the slope along the path, and the terms p^2 and p (1 - p)
 * of the test that both ends of a pair agree (work.h). These may decay more slowly than an oscillating slope.
 */
typedef enum Slow { SLOW_SLOPE, SLOW_SQUARE, SLOW_PRODUCT, SLOWS } Slow;

static int neighbour_of(const Work *w, int k) { return k + 1 < w->d->states ? k + 1 : k - 1; }

static double slow_of(const Work *w, const double *row, int k, Slow slow, double middle)
{
  if (slow == SLOW_SLOPE)
    return slope_of(w, row, decoupling_leg(w->path, k));
  const double p = 1.0 / (1.0 + exp(row[neighbour_of(w, k)] - row[k] - middle));
  return slow == SLOW_SQUARE ? p * p : p * (1.0 - p);
}

/* The mean work from state k to its neighbour, of the samples of both: about their free energy difference. */
static double middle_of(const Work *w, int k)
{
  const int other = neighbour_of(w, k);
  double sum = 0.0;
  for (int a = 0; a < w->all.ladders; a++)
    for (int i = 0; i < w->all.end; i++)
      for (int side = 0; side < 2; side++) {
        const double *const row = row_of(w, a, i, side == 0 ? k : other);
        sum += row[other] - row[k];
      }
  return sum / (2.0 * w->all.ladders * w->all.end);
}

/* Sets the values of a state in all samples less their mean, over their standard deviation,
 * value[ladders][samples].
 */
static void find_values(const Work *w, int k, Slow slow, double *value)
{
  const double middle = slow == SLOW_SLOPE ? 0.0 : middle_of(w, k);
  const int n = w->all.ladders * w->all.end;
  StatisticsMoments of = {0};
  for (int i = 0; i < n; i++) {
    value[i] = slow_of(w, row_of(w, i / w->all.end, i % w->all.end, k), k, slow, middle);
    statistics_moments_add(&of, &value[i], 1);
  }
  const double variance = statistics_moments_variance(&of);
  for (int i = 0; i < n; i++)
    value[i] = variance > 0.0 ? (value[i] - of.mean) / sqrt(variance) : 0.0;
}

/* Sets the series of all replicas of all ladders, series[ladders][states][samples]. */
static void find_series(const Work *w, Slow slow, double *value, double *series)
{
  const int n = w->d->states, samples = w->all.end;
  for (int k = 0; k < n; k++) {
    find_values(w, k, slow, value);
    for (int i = 0; i < w->all.ladders * samples; i++) {
      const int a = i / samples, r = (int)row_of(w, a, i % samples, k)[w->replica];
      series[((ptrdiff_t)a * n + r) * samples + i % samples] = value[i];
    }
  }
}

/* About the means of states, so that a replica that stays apart from the others counts as slow. */
static double inefficiency_of(const double *x, int n)
{
  const double tau = statistics_correlation_time_about(x, n, 0.0);
  return isnan(tau) ? 1.0 : fmax(1.0, 2.0 * tau);
}

/* The inefficiency of a state is the mean over the replicas that held it, by their shares. */
static void share_out(const Work *w, const double *found)
{
  Decoupling *d = w->d;
  const double each = 1.0 / ((double)w->all.end * w->all.ladders);
  for (int k = 0; k < d->states; k++)
    for (int a = 0; a < w->all.ladders; a++)
      for (int i = 0; i < w->all.end; i++)
        d->inefficiency[k] += each * found[a * d->states + (int)row_of(w, a, i, k)[w->replica]];
}

static Status find_inefficiencies(const Work *w, Error *error)
{
  Decoupling *d = w->d;
  const size_t samples = (size_t)w->all.end, replicas = (size_t)d->states * (size_t)w->all.ladders;
  SCOPED(arena_free) Arena arena = {0};
  double *const value = arena_take(&arena, (size_t)w->all.ladders * samples, sizeof *value);
  double *const series = arena_take(&arena, replicas * samples, sizeof *series);
  double *const found = arena_take(&arena, replicas, sizeof *found);
  TRY(arena_check(&arena, "the correlation of replicas", error));
  d->slowest = 1.0;
  for (Slow slow = 0; slow < SLOWS; slow++) {
    find_series(w, slow, value, series);
    for (size_t r = 0; r < replicas; r++) {
      found[r] = fmax(found[r], inefficiency_of(series + r * samples, w->all.end));
      d->slowest = fmax(d->slowest, found[r]);
    }
  }
  share_out(w, found);
  return STATUS_OK;
}

/* Chooses the units of the jackknife. Blocks are even in number, so that each half of the samples has as
 * many. */
static void choose_units(Work *w)
{
  Decoupling *d = w->d;
  const int ladders = w->all.ladders, fewest = (VERDICT_DRAWS + ladders - 1) / ladders,
            most = UNITS_MOST / ladders;
  w->all.blocks = 1;
  d->sound = true;
  d->blocks = ladders < VERDICT_DRAWS;
  if (d->blocks) {
    const double room = w->all.end / (DECOUPLING_BLOCK * d->slowest);
    w->all.blocks = room > most ? most : (int)room;
    w->all.blocks = w->all.blocks < fewest ? fewest : w->all.blocks;
    w->all.blocks += w->all.blocks % 2;
    d->sound = w->all.blocks <= room;
  }
  d->units = reduced_energies_units(&w->all);
}

/* --- MBAR and integration ------------------------------------------------------------------------------- */

/* Averages of a part of the samples: free energies, integrated ones and slopes of all states, then free
 * energies of the legs, and that of the last state by integration minus that by MBAR. */
static size_t averages_of(const Work *w)
{
  return (2 + DECOUPLING_PARAMETERS) * (size_t)w->d->states + DECOUPLING_PARAMETERS + 1;
}

/* Sets the averages that follow from the others. */
static void add_ends(const Work *w, double *to)
{
  const int n = w->d->states;
  double *const leg = to + (2 + DECOUPLING_PARAMETERS) * n;
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++) {
    const double *const strength = w->path->strength[q];
    leg[q] = strength[n - 1] == strength[0] ? NAN : 0.0;
    for (int k = 1; k < n; k++)
      leg[q] += strength[k] != strength[k - 1] ? to[k] - to[k - 1] : 0.0;
  }
  leg[DECOUPLING_PARAMETERS] = to[2 * n - 1] - to[n - 1];
}

static void find_slopes(const Work *w, int out, double *to)
{
  const int n = w->d->states;
  double count = 0.0;
  memset(to, 0, (size_t)(DECOUPLING_PARAMETERS * n) * sizeof *to);
  for (int a = 0; a < w->all.ladders; a++)
    for (int i = 0; i < w->all.end; i++) {
      if (reduced_energies_unit(&w->all, a, i) == out)
        continue;
      count += 1.0;
      for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
        for (int k = 0; k < n; k++)
          to[q * n + k] += slope_of(w, row_of(w, a, i, k), q);
    }
  for (int j = 0; j < DECOUPLING_PARAMETERS * n; j++)
    to[j] /= count;
}

/* Computes free energies by MBAR; with_overlap may be NULL. */
static Status solve(const Work *w, const ReducedCut *cut, int out, const double *start, double *free,
                    Decoupling *with_overlap, Error *error)
{
  SCOPED(mbar_free_at) Mbar *m = NULL;
  EnergyPool pool = {0};
  Status status = reduced_energies_mbar(cut, out, start, w->u, &pool, &m, error);
  if (status == STATUS_OK)
    memcpy(free, m->free, (size_t)w->d->states * sizeof *free);
  if (status == STATUS_OK && with_overlap != NULL)
    status = mbar_overlap(m, with_overlap->matrix, &with_overlap->overlap, error);
  arena_free(&pool.arena);
  return status;
}

/* Sets averages of all samples, MBAR's from a start. Without a solution these are NaN, and d->why is set. */
static Status average_all(const Work *w, double *to, Error *error)
{
  Decoupling *d = w->d;
  const size_t n = (size_t)d->states;
  find_slopes(w, -1, to + 2 * n);
  add_up(w, to + 2 * n, to + n);
  Status status = solve(w, &w->all, -1, NULL, to, d, &d->why);
  if (status == STATUS_OK && d->overlap.least < MBAR_OVERLAP_LEAST)
    status = error_set(&d->why, STATUS_RUN, "states %d and %d hardly overlap (%.2g; at least %g is required)",
                       d->overlap.at, d->overlap.at + 1, d->overlap.least, MBAR_OVERLAP_LEAST);
  if (status == STATUS_MEMORY)
    return error_pass(error, status, &d->why);
  for (size_t k = 0; status != STATUS_OK && k < n; k++)
    to[k] = NAN;
  if (status == STATUS_OK)
    *d->why.text = '\0';
  add_ends(w, to);
  return STATUS_OK;
}

/* Sets averages without a unit. */
static Status average_without(const Work *w, int out, const double *all, double *to, Error *error)
{
  const size_t n = (size_t)w->d->states;
  Error why;
  find_slopes(w, out, to + 2 * n);
  add_up(w, to + 2 * n, to + n);
  const Status status = isnan(all[0]) ? STATUS_RUN : solve(w, &w->all, out, all, to, NULL, &why);
  if (status == STATUS_MEMORY)
    return error_pass(error, status, &why);
  for (size_t k = 0; status != STATUS_OK && k < n; k++)
    to[k] = NAN;
  add_ends(w, to);
  return STATUS_OK;
}

static bool has_errors(const Work *w) { return w->d->units > 1 && w->all.end >= 2 * w->all.blocks; }

/* Errors of the averages: error_of[averages]. */
static Status find_errors(const Work *w, const double *value, double *error_of, Error *error)
{
  const size_t n = averages_of(w);
  SCOPED(jackknife_free) Jackknife knife = {0};
  SCOPED(scoped_free) double *one = malloc(n * sizeof *one);
  TRY_MEMORY(one != NULL, "errors of free energies", error);
  TRY(jackknife_create(&knife, value, n, error));
  for (int out = 0; has_errors(w) && out < w->d->units; out++) {
    TRY(average_without(w, out, value, one, error));
    jackknife_add(&knife, one, 1.0 / w->d->units);
  }
  for (size_t k = 0; k < n; k++)
    error_of[k] = jackknife_error(&knife, k);
  return STATUS_OK;
}

/* The last state's free energy from one half of the samples, with its error by the units in that half. */
static Status find_half(const Work *w, int half, const double *start, WorkValue *to, Error *error)
{
  const int last = w->d->states - 1, middle = w->all.end / 2;
  ReducedCut cut = w->all;
  double value;
  SCOPED(jackknife_free) Jackknife knife = {0};
  SCOPED(scoped_free) double *free = malloc((size_t)w->d->states * sizeof *free);
  TRY_MEMORY(free != NULL, "free energies", error);
  cut.first = half == 0 ? 0 : middle;
  cut.end = half == 0 ? middle : w->all.end;
  cut.blocks = w->d->blocks ? w->all.blocks / 2 : 1;
  const int units = reduced_energies_units(&cut);
  *to = (WorkValue){NAN, NAN};
  if (units < 2 || cut.end - cut.first < 2 * cut.blocks)
    return STATUS_OK;
  TRY(solve(w, &cut, -1, start, free, NULL, error));
  value = free[last];
  TRY(jackknife_create(&knife, &value, 1, error));
  for (int out = 0; out < units; out++) {
    TRY(solve(w, &cut, out, start, free, NULL, error));
    jackknife_add(&knife, &free[last], 1.0 / units);
  }
  *to = (WorkValue){value, jackknife_error(&knife, 0)};
  return STATUS_OK;
}

/* Without a solution for a half, that half has no value. */
static Status find_halves(const Work *w, Error *error)
{
  for (int half = 0; half < 2; half++) {
    Error why;
    const Status status = find_half(w, half, w->d->free.value, &w->d->half[half], &why);
    if (status == STATUS_MEMORY)
      return error_pass(error, status, &why);
    if (status != STATUS_OK)
      w->d->half[half] = (WorkValue){NAN, NAN};
  }
  return STATUS_OK;
}

static void spread(const Decoupling *d, const double *from, bool errors)
{
  const size_t n = (size_t)d->states;
  const DecouplingColumn column[] = {d->free, d->integrated, d->slope[0], d->slope[1]};
  for (size_t c = 0; c < 2 + DECOUPLING_PARAMETERS; c++)
    memcpy(errors ? column[c].error : column[c].value, from + c * n, n * sizeof *from);
}

static Status find_averages(const Work *w, Error *error)
{
  Decoupling *d = w->d;
  const size_t n = averages_of(w);
  SCOPED(scoped_free) double *value = calloc(2 * n, sizeof *value);
  TRY_MEMORY(value != NULL, "free energies", error);
  TRY(average_all(w, value, error));
  TRY(find_errors(w, value, value + n, error));
  spread(d, value, false);
  spread(d, value + n, true);
  d->trapezoid = trapezoid(w);
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++) {
    const size_t at = n - 1 - DECOUPLING_PARAMETERS + (size_t)q;
    d->leg[q] = (WorkValue){value[at], value[n + at]};
  }
  d->apart = (WorkValue){value[n - 1], value[2 * n - 1]};
  d->half[0] = d->half[1] = (WorkValue){NAN, NAN};
  return isnan(d->apart.value) ? STATUS_OK : find_halves(w, error);
}

/* --- neighbouring states -------------------------------------------------------------------------------- */

/* Works of the changes from state k to the next, and back, of all samples but those of one unit (-1: of all).
 */
static WorkPath path_of(const Work *w, int k, int out, double *work, const double **list[2])
{
  WorkPath path = {.points = 1, .work = {list[0], list[1]}, .kT = 1.0};
  for (int d = 0; d < WORK_DIRECTIONS; d++)
    for (int a = 0; a < w->all.ladders; a++)
      for (int i = 0; i < w->all.end; i++) {
        const int own = k + d, other = k + 1 - d;
        const double *const row = row_of(w, a, i, own);
        if (reduced_energies_unit(&w->all, a, i) == out)
          continue;
        *work++ = 0.0;
        *work++ = row[other] - row[own];
        list[d][path.n[d]++] = work - 2;
      }
  return path;
}

/* The numbers of a pair that have errors, in one order. */
enum { PAIR_NUMBERS = 2 * WORK_DIRECTIONS + 2 };

static void pair_numbers(WorkEstimates *pair, WorkValue *to[PAIR_NUMBERS])
{
  for (int d = 0; d < WORK_DIRECTIONS; d++) {
    to[2 * d] = &pair->mean[d];
    to[2 * d + 1] = &pair->jarzynski[d];
  }
  to[PAIR_NUMBERS - 2] = &pair->free_energy;
  to[PAIR_NUMBERS - 1] = &pair->contrast;
}

/* The errors are those of the jackknife over the units, as of MBAR. */
static Status find_pair(const Work *w, int k, double *work, const double **list[2], Error *error)
{
  SCOPED(jackknife_free) Jackknife knife = {0};
  Decoupling *const d = w->d;
  WorkEstimates part;
  WorkValue *whole[PAIR_NUMBERS], *less[PAIR_NUMBERS];
  double value[PAIR_NUMBERS], one[PAIR_NUMBERS];
  WorkPath path = path_of(w, k, -1, work, list);
  d->pair[k] = work_values(&path);
  pair_numbers(&d->pair[k], whole);
  pair_numbers(&part, less);
  for (int i = 0; i < PAIR_NUMBERS; i++)
    value[i] = whole[i]->value;
  TRY(jackknife_create(&knife, value, PAIR_NUMBERS, error));
  for (int out = 0; has_errors(w) && out < d->units; out++) {
    path = path_of(w, k, out, work, list);
    part = work_values(&path);
    for (int i = 0; i < PAIR_NUMBERS; i++)
      one[i] = less[i]->value;
    jackknife_add(&knife, one, 1.0 / d->units);
  }
  for (size_t i = 0; i < PAIR_NUMBERS; i++)
    whole[i]->error = jackknife_error(&knife, i);
  return STATUS_OK;
}

static Status find_pairs(const Work *w, Error *error)
{
  const size_t most = (size_t)w->all.ladders * (size_t)w->all.end;
  SCOPED(arena_free) Arena arena = {0};
  double *const work = arena_take(&arena, 4 * most, sizeof *work);
  const double **list[] = {arena_take(&arena, most, sizeof **list), arena_take(&arena, most, sizeof **list)};
  TRY(arena_check(&arena, "neighbouring states", error));
  for (int k = 0; k + 1 < w->d->states; k++)
    TRY(find_pair(w, k, work, list, error));
  return STATUS_OK;
}

/* --- tests ---------------------------------------------------------------------------------------------- */

static double test(const WorkValue *a, int na, const WorkValue *b, int nb)
{
  return verdict_difference(a->value, a->error, na, b->value, b->error, nb).p;
}

bool decoupling_ends_disagree(const Decoupling *d, int k) { return verdict_alarms(d->ends_p[k]); }

static Status find_tests(const Work *w, Error *error)
{
  Decoupling *d = w->d;
  static const WorkValue none = {0.0, 0.0};
  const int pairs = d->states - 1, half = d->blocks ? d->units / 2 : d->units, n = pairs + 2;
  SCOPED(scoped_free) double *p = malloc(2 * (size_t)n * sizeof *p);
  TRY_MEMORY(p != NULL, "tests of free energies", error);
  for (int k = 0; k < pairs; k++) {
    p[k] = d->sound ? test(&d->pair[k].contrast, d->units, &none, d->units) : NAN;
  }
  p[pairs] = d->sound ? test(&d->half[0], half, &d->half[1], half) : NAN;
  p[pairs + 1] = d->sound ? test(&d->apart, d->units, &none, d->units) : NAN;
  TRY(statistics_holm(p, n, p + n, error));
  memcpy(d->ends_p, p + n, (size_t)pairs * sizeof *p);
  d->halves_p = p[n + pairs];
  d->apart_p = p[n + pairs + 1];
  return STATUS_OK;
}

/* --- the analysis --------------------------------------------------------------------------------------- */

void decoupling_free(Decoupling *d)
{
  if (d != NULL)
    arena_free(&d->arena);
  free(d);
}

static DecouplingColumn take_column(Arena *arena, size_t n)
{
  return (DecouplingColumn){arena_take(arena, n, sizeof(double)), arena_take(arena, n, sizeof(double))};
}

static Status take_room(Decoupling *d, Error *error)
{
  const size_t n = (size_t)d->states;
  d->free = take_column(&d->arena, n);
  d->integrated = take_column(&d->arena, n);
  for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
    d->slope[q] = take_column(&d->arena, n);
  d->pair = arena_take(&d->arena, n, sizeof *d->pair);
  d->inefficiency = arena_take(&d->arena, n, sizeof *d->inefficiency);
  d->ends_p = arena_take(&d->arena, n, sizeof *d->ends_p);
  d->matrix = arena_take(&d->arena, n * n, sizeof *d->matrix);
  return arena_check(&d->arena, "free energies of a decoupling", error);
}

static Status analyse(Work *w, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const size_t n = (size_t)w->d->states;
  TRY(take_room(w->d, error));
  w->weight = arena_take(&arena, DECOUPLING_PARAMETERS * n * n, sizeof *w->weight);
  w->u = arena_take(&arena, (size_t)w->all.ladders * (size_t)w->all.end * n * n, sizeof *w->u);
  TRY(arena_check(&arena, "samples of a decoupling", error));
  decoupling_weights(w->path, w->weight);
  TRY(find_inefficiencies(w, error));
  choose_units(w);
  TRY(find_averages(w, error));
  TRY(find_pairs(w, error));
  return find_tests(w, error);
}

Status decoupling_create(Decoupling **decoupling, const DecouplingPath *path, ReducedEnergies *const *ladder,
                         int ladders, Error *error)
{
  *decoupling = NULL;
  const ReducedColumns *const c = reduced_energies_columns(ladder[0]);
  const int samples = reduced_energies_least(ladder, ladders);
  if (samples < 1)
    return error_set(error, STATUS_INPUT, "the states of the ladder have no samples");
  Decoupling *d = calloc(1, sizeof *d);
  TRY_MEMORY(d != NULL, "free energies of a decoupling", error);
  *d = (Decoupling){.states = path->states, .ladders = ladders, .samples = samples};
  Work w = {.path = path,
            .d = d,
            .all = {ladder, ladders, 0, samples, 1},
            .width = reduced_energies_width(c),
            .slopes = c->states + c->volumes,
            .replica = c->states + c->volumes + c->slopes};
  TRY_ELSE(analyse(&w, error), decoupling_free(d));
  *decoupling = d;
  return STATUS_OK;
}
