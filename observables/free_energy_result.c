#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/units.h"
#include "observables/free_energy_private.h"
#include "observables/mbar.h"
#include "observables/profile.h"

void free_energy_result_work_clear(FreeEnergyWork *w)
{
  umbrella_free(w->umbrella);
  arena_free(&w->arena);
  *w = (FreeEnergyWork){0};
}

/* --- gathering -------------------------------------------------------------------------------------------
 */

static int used_slots(const FreeEnergy *f)
{
  return f->is.options.replicas > 0 ? f->slots - f->is.options.idle : f->slots;
}

static int window_of(const FreeEnergy *f, int slot) { return f->list->window[f->is.options.first + slot]; }

static const uint32_t *counts_of(const FreeEnergy *f, int slot, int row)
{
  return f->count + ((size_t)slot * (size_t)f->nrow + (size_t)row) * f->row;
}

/* The number of samples in bins from `first` on; the last bin counts those outside all others. */
static double count_from(const FreeEnergy *f, int first)
{
  double n = 0.0;
  for (int s = 0; s < used_slots(f); s++)
    for (int r = 0; r < f->nrow; r++)
      for (int b = first; b <= f->bins; b++)
        n += counts_of(f, s, r)[b];
  return n;
}

/* Adds all samples. */
static Status add_all(const FreeEnergy *f, FreeEnergyWork *w, Error *error)
{
  const size_t bins = (size_t)f->bins, windows = (size_t)f->list->windows;
  w->u = arena_take(&w->arena, bins * windows, sizeof *w->u);
  w->count = arena_take(&w->arena, bins * windows, sizeof *w->count);
  w->drawn = arena_take(&w->arena, windows, sizeof *w->drawn);
  w->density = arena_take(&w->arena, bins, sizeof *w->density);
  w->part = arena_take(&w->arena, (size_t)free_energy_rows(&f->axis[0]), sizeof *w->part);
  TRY(arena_check(&w->arena, "free energies", error));
  for (int s = 0; s < used_slots(f); s++)
    for (int r = 0; r < f->nrow; r++) {
      const uint32_t *const counts = counts_of(f, s, r);
      double *const to = w->count + (size_t)window_of(f, s) * bins;
      for (size_t b = 0; b < bins; b++)
        to[b] += counts[b];
    }
  for (size_t b = 0; b < bins; b++)
    for (size_t k = 0; k < windows; k++)
      w->drawn[k] += w->count[k * bins + b];
  return STATUS_OK;
}

/* The slope of ln p along coordinate d in a bin, from its neighbours. Steps of ln p by more than 1 are those
 * of bins with few samples. */
static double slope_of(const FreeEnergy *f, const double *p, int bin, int d)
{
  const FreeEnergyAxis *a = &f->axis[d];
  const int stride = f->list->n > 1 && d == 0 ? f->axis[1].bins : 1, at = bin / stride % a->bins;
  double step[2] = {0.0, 0.0};
  int n = 0;
  for (int side = -1; side <= 1; side += 2) {
    int other = at + side;
    if (a->type->periodic)
      other = (other + a->bins) % a->bins;
    if (other < 0 || other >= a->bins || !(p[bin] > 0.0) || !(p[bin + (other - at) * stride] > 0.0))
      continue;
    step[n++] = side * log(p[bin + (other - at) * stride] / p[bin]);
  }
  const double mean = n > 0 ? (step[0] + step[1]) / n : 0.0;
  return fmin(fmax(mean, -1.0), 1.0) / a->width;
}

/* Computes the bias energies of bins with samples, for an unbiased density p[bins] (NULL: uniform). */
static void find_energies(const FreeEnergy *f, const FreeEnergyWork *w, const double *p)
{
  const size_t bins = (size_t)f->bins, windows = (size_t)f->list->windows;
  for (size_t b = 0; b < bins; b++) {
    double all = 0.0, slope[FREE_ENERGY_COORDINATES] = {0.0};
    for (size_t k = 0; k < windows; k++)
      all += w->count[k * bins + b];
    for (int d = 0; d < f->list->n && p != NULL; d++)
      slope[d] = slope_of(f, p, (int)b, d);
    for (size_t k = 0; k < windows && all > 0.0; k++)
      w->u[b * windows + k] = free_energy_reduced(f, (int)k, (int)b, slope);
  }
}

/* Solves the windows, first with a uniform density within each bin, then with the slopes of the solution. A
 * uniform one shifts F by about width^2 F' V'/(12 kT). */
static Status solve_windows(const FreeEnergy *f, FreeEnergyWork *w, Error *error)
{
  SCOPED(umbrella_free_at) Umbrella *first = NULL;
  find_energies(f, w, NULL);
  TRY(umbrella_create(&first, f->list->windows, f->bins, w->u, w->count, error));
  find_energies(f, w, first->density);
  return umbrella_create(&w->umbrella, f->list->windows, f->bins, w->u, w->count, error);
}

/* The part to which each row of the table of a single coordinate belongs: that with the most samples. */
static void find_parts(const FreeEnergy *f, FreeEnergyWork *w)
{
  const FreeEnergyAxis *a = &f->axis[0];
  const size_t bins = (size_t)f->bins;
  for (int t = 0; t < free_energy_rows(a) && f->list->n == 1; t++) {
    double most = 0.0;
    for (int p = 0; p < w->umbrella->parts; p++) {
      double sum = 0.0;
      for (size_t k = 0; k < (size_t)f->list->windows; k++)
        for (int b = t * a->each; b < (t + 1) * a->each && w->umbrella->part[k] == p; b++)
          sum += w->count[k * bins + (size_t)b];
      if (sum > most) {
        most = sum;
        w->part[t] = p;
      }
    }
  }
}

/* Sets row r from the blocks of all slots: for each part the counts of the bins, then the samples of each
 * window, and as monitors the moments of each slot. */
static void add_row(const FreeEnergy *f, const FreeEnergyWork *w, int r, const BlockRowsRow *row)
{
  const BlockRowsSeries *series = &f->series[0];
  const ptrdiff_t bins = f->bins;
  *row->samples = r < series->full ? series->length : series->here;
  for (int s = 0; s < used_slots(f); s++) {
    const int window = window_of(f, s), part = w->umbrella->part[window];
    const uint32_t *const counts = counts_of(f, s, r);
    for (ptrdiff_t b = 0; b < bins && part >= 0; b++) {
      row->whole[part * bins + b] += counts[b];
      row->whole[w->umbrella->parts * bins + window] += counts[b];
    }
    memcpy(row->monitor + (size_t)s * f->monitors,
           f->monitor + ((size_t)s * (size_t)f->nrow + (size_t)r) * f->monitors,
           f->monitors * sizeof *row->monitor);
  }
}

/* The variance of a coordinate in all samples, A^2 or about rad^2; NaN: no samples. */
static double variance_of(const FreeEnergy *f, int d)
{
  double n = 0.0, sum[4] = {0.0};
  for (int s = 0; s < used_slots(f); s++)
    for (int r = 0; r < f->nrow; r++) {
      const uint32_t *const counts = counts_of(f, s, r);
      const double *const monitor =
          f->monitor + ((size_t)s * (size_t)f->nrow + (size_t)r) * f->monitors + 4 * d;
      for (size_t b = 0; b < f->row; b++)
        n += counts[b];
      for (int k = 0; k < 4; k++)
        sum[k] += monitor[k];
    }
  return sum[1] / n - sum[0] / n * (sum[0] / n) + sum[3] / n - sum[2] / n * (sum[2] / n);
}

/* The coordinate that constraints or frozen atoms keep; NULL: none. Bins of rounding are no free energy. */
static const Collective *kept_coordinate(const FreeEnergy *f)
{
  const double most = 1e-9;
  for (int d = 0; d < f->list->n; d++)
    if (variance_of(f, d) < most)
      return f->list->on[d];
  return NULL;
}

Status free_energy_result_gather(const void *self, BlockRows **rows, Error *error)
{
  const FreeEnergy *f = self;
  FreeEnergyWork *w = f->work;
  Error why;
  *rows = NULL;
  free_energy_result_work_clear(w);
  if (f->why != NULL)
    return STATUS_OK;
  TRY(add_all(f, w, error));
  for (int s = 0; s < used_slots(f); s++)
    if (f->changed[s] > 0) {
      snprintf(w->why, sizeof w->why, "the constants of the biases were changed during the run");
      return STATUS_OK;
    }
  const Collective *const kept = kept_coordinate(f);
  if (kept != NULL) {
    snprintf(
        w->why, sizeof w->why,
        "%.60s does not vary, since constraints keep it: biases on it do nothing; bias another coordinate",
        kept->name);
    return STATUS_OK;
  }
  const double outside = count_from(f, f->bins);
  if (outside > 0.0 && outside == count_from(f, 0)) {
    snprintf(w->why, sizeof w->why, "all %.0f samples are outside the bins; raise output.free_energy_max",
             outside);
    return STATUS_OK;
  }
  const Status status = solve_windows(f, w, &why);
  if (status == STATUS_MEMORY)
    return error_pass(error, status, &why);
  if (status != STATUS_OK) {
    snprintf(w->why, sizeof w->why, "%.200s", why.text);
    return STATUS_OK;
  }
  find_parts(f, w);
  TRY(block_rows_create(rows,
                        &(BlockRowsShape){.whole = w->umbrella->parts * f->bins + f->list->windows,
                                          .monitors = used_slots(f) * (int)(f->monitors / 2)},
                        error));
  for (int r = 0; r < f->nrow && r <= f->series[0].full; r++) {
    const BlockRowsRow row = block_rows_at(*rows, r);
    add_row(f, w, r, &row);
  }
  block_rows_resume(*rows);
  return STATUS_OK;
}

/* --- evaluation ------------------------------------------------------------------------------------------
 */

/* Adds the joint density of a part to the rows of each coordinate. */
static void add_density(const FreeEnergy *f, int part, double *out)
{
  const FreeEnergyWork *w = f->work;
  const int second = f->list->n > 1 ? f->axis[1].bins : 1;
  for (int b = 0; b < f->bins; b++) {
    const int row = b / second / f->axis[0].each;
    if (f->list->n > 1 || w->part[row] == part)
      out[row] += w->density[b];
    if (f->list->n > 1)
      out[free_energy_out(f, 1) + b % second / f->axis[1].each] += w->density[b];
  }
}

void free_energy_result_evaluate(const void *self, const double *sum, double n, double *out)
{
  (void)n;
  const FreeEnergy *f = self;
  const FreeEnergyWork *w = f->work;
  const int windows = free_energy_out(f, f->list->n), parts = w->umbrella->parts;
  const double *const drawn = sum + (ptrdiff_t)parts * f->bins, kT = observable_kT(&f->is);
  for (int k = 0; k < f->is.nout; k++)
    out[k] = k < windows ? 0.0 : NAN;
  bool fine = f->list->n == 1 || parts == 1; /* parts of two coordinates have no profiles along one of them */
  for (int p = 0; p < parts; p++) {
    if (umbrella_solve(w->umbrella, p, sum + (ptrdiff_t)p * f->bins, drawn, w->density, out + windows,
                       NULL) == STATUS_OK)
      add_density(f, p, out);
    else
      fine = false;
  }
  for (int d = 0; d < f->list->n; d++) {
    const FreeEnergyAxis *a = &f->axis[d];
    const double width = a->width * a->each * (a->type->angle ? 180.0 / M_PI : 1.0);
    double *const free = out + free_energy_out(f, d);
    for (int t = 0; t < free_energy_rows(a); t++)
      free[t] = fine && free[t] > 0.0 ? -kT * log(free[t] / width) : NAN;
  }
  for (int k = windows; k < f->is.nout; k++)
    out[k] *= kT;
}

/* --- tables ----------------------------------------------------------------------------------------------
 */

static const double *constants_of(const FreeEnergyList *list, int window, int bias)
{
  return list->constant + ((ptrdiff_t)window * list->nbias + bias) * BIAS_CONSTANTS;
}

static void add_constants(const FreeEnergy *f, double *scratch, ResultTable *t)
{
  const FreeEnergyList *list = f->list;
  for (int b = 0; b < list->nbias; b++)
    for (int k = BIAS_CONSTANTS - 1; k >= 0; k--) {
      char name[64];
      snprintf(name, sizeof name, "%s_%.40s",
               k == 0                            ? "k"
               : list->bias[b].form == BIAS_WALL ? "edge"
                                                 : "centre",
               list->bias[b].name);
      for (int w = 0; w < list->windows; w++)
        scratch[w] = constants_of(list, w, b)[k];
      results_add_column(t, name, scratch, NULL);
    }
}

static Status add_windows(const FreeEnergy *f, const ObservableResult *r, ResultSet *set, Error *error)
{
  const FreeEnergyWork *w = f->work;
  const int windows = f->list->windows, at = free_energy_out(f, f->list->n);
  SCOPED(arena_free) Arena arena = {0};
  double *const column = arena_take(&arena, 2 * (size_t)windows, sizeof *column), *const part =
                                                                                      column + windows;
  TRY(arena_check(&arena, "windows", error));
  ResultTable *t = results_add_table(set, "windows", (size_t)windows);
  for (int k = 0; k < windows; k++) {
    column[k] = k;
    part[k] = w->umbrella->part[k] + 1;
  }
  results_add_column(t, "window", column, NULL);
  add_constants(f, column, t);
  results_add_column(t, "samples", w->drawn, NULL);
  results_add_column(t, "free_energy", r->value + at, r->error + at);
  results_add_column(t, "overlap", w->umbrella->overlap, NULL);
  if (w->umbrella->parts > 1)
    results_add_column(t, "part", part, NULL);
  results_say(
      t,
      "free_energy: of each window, -kT ln Z above that of the first%s\noverlap: with the next window, sum "
      "of "
      "p q/(p + q) of their distributions; 0.5 for equal windows, at least %g for a free energy difference",
      w->umbrella->parts > 1 ? " of its part" : "", MBAR_OVERLAP_LEAST);
  block_rows_say(&r->errors, "its correlation", t);
  return STATUS_OK;
}

static Status add_profile(const FreeEnergy *f, int d, const ObservableResult *r, ResultSet *set, Error *error)
{
  const FreeEnergyWork *w = f->work;
  const FreeEnergyAxis *a = &f->axis[d];
  const int n = free_energy_rows(a), at = free_energy_out(f, d),
            second = f->list->n > 1 ? f->axis[1].bins : 1;
  const double kT = observable_kT(&f->is);
  SCOPED(arena_free) Arena arena = {0};
  double *const density = arena_take(&arena, 3 * (size_t)n, sizeof *density), *const part = density + n,
                *const samples = part + n;
  TRY(arena_check(&arena, "a free energy", error));
  for (int k = 0; k < f->list->windows; k++)
    for (int b = 0; b < f->bins; b++)
      samples[(d == 0 ? b / second : b % second) / a->each] +=
          w->count[(size_t)k * (size_t)f->bins + (size_t)b];
  for (int t = 0; t < n; t++) {
    density[t] = samples[t] > 0.0 ? exp(-r->value[at + t] / kT) : 0.0;
    part[t] = f->list->n == 1 ? w->part[t] + 1 : 1.0;
  }
  const Profile profile = {.name = f->list->on[d]->name,
                           .form = a->form,
                           .n = n,
                           .low = a->low,
                           .width = a->width * a->each,
                           .density = w->umbrella->parts == 1 ? density : NULL,
                           .free = r->value + at,
                           .error = r->error + at,
                           .part = part,
                           .samples = samples,
                           .kT = kT};
  ResultTable *t;
  TRY(profile_add(&profile, set, &t, error));
  results_say(t, "windows: %d", f->list->windows);
  block_rows_say(&r->errors, "its correlation", t);
  return STATUS_OK;
}

/* --- gaps ------------------------------------------------------------------------------------------------
 */

/* The squared distance of two windows by the points of their biases, in A or radians. */
static double apart(const FreeEnergy *f, int v, int w)
{
  const FreeEnergyList *list = f->list;
  double sum = 0.0;
  for (int b = 0; b < list->nbias; b++) {
    const FreeEnergyAxis *a = &f->axis[list->of[b]];
    double by = constants_of(list, v, b)[1] - constants_of(list, w, b)[1];
    if (a->type->periodic)
      by = remainder(by, 360.0);
    by *= a->type->angle ? M_PI / 180.0 : 1.0;
    sum += by * by;
  }
  return sum;
}

/* Appends the points of a window that differ from those of another. */
static void append_points(const FreeEnergy *f, int w, int other, char *words, size_t size)
{
  const FreeEnergyList *list = f->list;
  int n = 0;
  for (int b = 0; b < list->nbias; b++) {
    const double at = constants_of(list, w, b)[1];
    if (at == constants_of(list, other, b)[1])
      continue;
    const CoordinateType *type = f->axis[list->of[b]].type;
    text_append(words, size, "%s%.20s %.4g%s", n++ > 0 ? ", " : "", list->on[list->of[b]]->name, at,
                type->unit);
  }
}

/* Lists the nearest windows of different parts, a pair less than parts; pairs beyond the size of the text are
 * counted. label[windows]: scratch. */
static void append_gaps(const FreeEnergy *f, int *label, char *words, size_t size)
{
  static const char others[] = ", and in 1000000 other places";
  const Umbrella *u = f->work->umbrella;
  const int n = f->list->windows;
  memcpy(label, u->part, (size_t)n * sizeof *label);
  for (int gap = 1; gap < u->parts; gap++) {
    double least = INFINITY;
    int v = 0, w = 0;
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++)
        if (label[i] >= 0 && label[j] >= 0 && label[i] != label[j] && apart(f, i, j) < least) {
          least = apart(f, i, j);
          v = i;
          w = j;
        }
    char one[256] = "";
    text_append(one, sizeof one, "%sbetween ", gap > 1 ? ", " : "");
    append_points(f, v, w, one, sizeof one);
    text_append(one, sizeof one, " and ");
    append_points(f, w, v, one, sizeof one);
    if (strlen(words) + strlen(one) + sizeof others > size) {
      const int left = u->parts - gap;
      text_append(words, size, ", and in %d other place%s", left, left > 1 ? "s" : "");
      return;
    }
    text_append(words, size, "%s", one);
    const int from = label[w], to = label[v];
    for (int i = 0; i < n; i++)
      label[i] = label[i] == from ? to : label[i];
  }
}

/* --- numbers ---------------------------------------------------------------------------------------------
 */

/* The overlap of the least connected neighbours; NaN with one window. */
static double least_overlap(const FreeEnergy *f)
{
  double least = INFINITY;
  for (int k = 0; k + 1 < f->list->windows; k++)
    least = fmin(least, f->work->umbrella->overlap[k]);
  return isinf(least) ? NAN : least;
}

static Status report(const FreeEnergy *f, ResultSet *set, Error *error)
{
  static const char name[] = "free_energy", subject[] = "windows";
  const FreeEnergyWork *w = f->work;
  const FreeEnergyList *list = f->list;
  char gaps[256] = "";
  SCOPED(arena_free) Arena arena = {0};
  int *const label = arena_take(&arena, (size_t)list->windows, sizeof *label);
  int empty = 0;
  TRY(arena_check(&arena, "windows", error));
  if (w->umbrella->parts > 1)
    append_gaps(f, label, gaps, sizeof gaps);
  for (int k = 0; k < list->windows; k++)
    empty += w->umbrella->part[k] < 0;
  results_observed(set, name, subject, "number", list->windows, NAN, NULL);
  results_observed(set, name, subject, "parts", w->umbrella->parts, NAN, gaps);
  if (list->windows > 1 && list->n == 1)
    results_observed(set, name, subject, "overlap_least", least_overlap(f), NAN, NULL);
  results_observed(set, name, subject, "starts", *list->starts, NAN, list->exchange ? "exchange" : NULL);
  const double outside = count_from(f, f->bins);
  if (outside > 0.0)
    results_remark(
        set, "free_energy: %.0f samples are outside all bins and do not count; raise output.free_energy_max",
        outside);
  if (empty > 0)
    results_remark(set, "free_energy: %d of %d windows have no samples in the bins", empty, list->windows);
  return STATUS_OK;
}

Status free_energy_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                                Error *error)
{
  (void)dir;
  const FreeEnergy *f = self;
  const char *why = f->why != NULL ? f->why : f->work->why;
  if (why[0] != '\0') {
    results_remark(set, "free_energy: no unbiased free energy: %s", why);
    return STATUS_OK;
  }
  TRY(add_windows(f, result, set, error));
  for (int d = f->list->n - 1; d >= 0; d--)
    if (f->list->n == 1 || f->work->umbrella->parts == 1)
      TRY(add_profile(f, d, result, set, error));
  return report(f, set, error);
}

Status free_energy_result_draw(const void *self, const ObservableResult *result, const char *dir,
                               const ResultSet *set, Error *why)
{
  const FreeEnergy *f = self;
  (void)result;
  for (int d = 0; d < f->list->n && (f->list->n == 1 || f->work->umbrella->parts == 1); d++)
    TRY(profile_draw(dir, set->table[set->ntable - 1 - d], why));
  return STATUS_OK;
}
