#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/units.h"
#include "observables/collective_private.h"
#include "observables/picture.h"

static const double degree = M_PI / 180.0;

/* The factor from internal units to those of files. */
static double unit_of(const Collectives *c) { return c->type->angle ? degree : 1.0; }

/* --- from sums --------------------------------------------------------------------------------------------
 */

/* P and F from counts in bins of a size; F only with a temperature. */
static void distribution(const Collectives *c, int nbin, const double *count, double total, double size,
                         double *out)
{
  for (int b = 0; b < nbin; b++) {
    out[b] = count[b] / (total * size);
    out[nbin + b] = count[b] > 0.0 ? -observable_kT(&c->is) * log(out[b]) : NAN;
  }
}

void collective_result_evaluate(const void *self, const double *sum, double n, double *out)
{
  const Collectives *c = self;
  const double width = c->width / unit_of(c), *count = sum, *moment = sum + c->is.shape.whole;
  for (int v = 0; v < c->list.n; v++, count += c->nbin + 1) {
    double total = 0.0, *const to = out + collective_out(c, v);
    for (int b = 0; b <= c->nbin; b++)
      total += count[b];
    distribution(c, c->nbin, count, total, width, to);
    double *const mean = to + 2 * c->nbin, first = moment[2 * v] / n, second = moment[2 * v + 1] / n;
    mean[0] = c->type->angle && !c->type->periodic ? first / degree : first;
    mean[1] = c->type->periodic ? second : sqrt(fmax(second - first * first, 0.0)) / unit_of(c);
  }
  for (int p = 0; p < c->list.npair; p++, count += c->nbin * c->nbin) {
    double total = 0.0;
    for (int b = 0; b < c->nbin * c->nbin; b++)
      total += count[b];
    distribution(c, c->nbin * c->nbin, count, total, width * width, out + collective_out_pair(c, p));
  }
}

/* Standard deviations are. */
bool collective_result_fluctuates(const void *self, int k)
{
  const Collectives *c = self;
  bool any = false;
  for (int v = 0; v < c->list.n && !c->type->periodic; v++)
    any = any || k == collective_out(c, v) + 2 * c->nbin + 1;
  return any;
}

/* With a ladder: the rows of its lowest temperature. */
Status collective_result_gather(const void *self, BlockRows **rows, Error *error)
{
  const Collectives *c = self;
  *rows = NULL;
  if (c->is.options.temperatures < 2)
    return STATUS_OK;
  return block_rows_pick(c->is.rows, 0, c->is.options.temperatures, rows, error);
}

/* --- tables -----------------------------------------------------------------------------------------------
 */

/* Subtracts the lowest free energy. */
static void lower(double *F, int n)
{
  double least = INFINITY;
  for (int b = 0; b < n; b++)
    least = F[b] < least ? F[b] : least;
  for (int b = 0; b < n; b++)
    F[b] -= least;
}

/* Adds the columns of density and, with a temperature, free energy. */
static void add_columns(const Collectives *c, const char *name, const double *value, const double *error,
                        int nbin, ResultTable *t)
{
  char column[64];
  snprintf(column, sizeof column, "P_%.60s", name);
  results_add_column(t, column, value, error);
  snprintf(column, sizeof column, "F_%.60s", name);
  if (c->kT > 0.0)
    results_add_column(t, column, value + nbin, error + nbin);
}

/* Lists bins with samples of only one draw: the jackknife leaves no free energy without it, so the error of F
 * is unknown. */
static void say_alone(const Collectives *c, const ObservableResult *r, int at, int nbin, const char *name,
                      ResultTable *t)
{
  int bins = 0;
  for (int b = at + nbin; b < at + 2 * nbin; b++)
    bins += isfinite(r->value[b]) && !isfinite(r->error[b]);
  if (bins > 0 && c->kT > 0.0 && r->errors.nblock > 1)
    results_say(t,
                "alone_%s: %d, bins with samples of only %s: the error of F is unknown there, that of P is P",
                name, bins, r->errors.draws ? "one replica" : "one block of time");
}

static void say(const Collectives *c, const ObservableResult *r, ResultTable *t)
{
  if (c->kT > 0.0)
    results_say(t, "F: -kT ln P above its minimum, at %.9g K%s", observable_kT(&c->is) / UNITS_BOLTZMANN,
                c->is.options.temperatures > 1 ? ", the lowest of the ladder" : "");
  for (int v = 0; v < c->list.n; v++)
    results_say(t, "molecules_%s: %d", c->list.variable[v].name, c->value_at[v + 1] - c->value_at[v]);
  results_say(t, "samples: %lld", (long long)r->errors.samples);
  block_rows_say(&r->errors, "its correlation", t);
}

static Status add_table(Collectives *c, ObservableResult *r, ResultSet *set, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  double *const middle = arena_take(&arena, (size_t)c->nbin, sizeof *middle);
  TRY(arena_check(&arena, c->type->list, error));
  for (int b = 0; b < c->nbin; b++)
    middle[b] = (c->low + (b + 0.5) * c->width) / unit_of(c);
  ResultTable *t = results_add_table(set, c->type->list, (size_t)c->nbin);
  results_add_column(t, c->type->argument, middle, NULL);
  for (int v = 0; v < c->list.n; v++) {
    double *const value = r->value + collective_out(c, v);
    lower(value + c->nbin, c->nbin);
    add_columns(c, c->list.variable[v].name, value, r->error + collective_out(c, v), c->nbin, t);
    say_alone(c, r, collective_out(c, v), c->nbin, c->list.variable[v].name, t);
  }
  results_say(t, "%s: densities P, in the middle of bins of %.9g%s", c->type->list, c->width / unit_of(c),
              c->type->unit);
  say(c, r, t);
  return STATUS_OK;
}

/* Joins the names of two variables. */
static void pair_name(const Collectives *c, int pair, char name[64])
{
  const int *of = c->list.pair[pair];
  snprintf(name, 64, "%.28s-%.28s", c->list.variable[of[0]].name, c->list.variable[of[1]].name);
}

static Status add_pairs(const Collectives *c, ObservableResult *r, ResultSet *set, Error *error)
{
  SCOPED(arena_free) Arena arena = {0};
  const int nbin = c->nbin * c->nbin;
  double *const x = arena_take(&arena, 2 * (size_t)nbin, sizeof *x), *const y = x + nbin;
  TRY(arena_check(&arena, c->type->list, error));
  for (int b = 0; b < nbin; b++) {
    const int i = b / c->nbin, j = b % c->nbin;
    x[b] = (c->low + (i + 0.5) * c->width) / degree;
    y[b] = (c->low + (j + 0.5) * c->width) / degree;
  }
  ResultTable *t = results_add_table(set, "torsions_pairs", (size_t)nbin);
  results_add_column(t, "first", x, NULL);
  results_add_column(t, "second", y, NULL);
  for (int p = 0; p < c->list.npair; p++) {
    char name[64];
    pair_name(c, p, name);
    const int at = collective_out_pair(c, p);
    lower(r->value + at + nbin, nbin);
    add_columns(c, name, r->value + at, r->error + at, nbin, t);
    say_alone(c, r, at, nbin, name, t);
  }
  results_say(t, "densities P of two torsions, in the middle of bins of %.9g degrees, 1/degrees^2",
              c->width / degree);
  say(c, r, t);
  return STATUS_OK;
}

/* --- numbers ----------------------------------------------------------------------------------------------
 */

static void report(const Collectives *c, const ObservableResult *r, ResultSet *set)
{
  const double *count = r->sum;
  for (int v = 0; v < c->list.n; v++, count += c->nbin + 1) {
    const char *name = c->list.variable[v].name;
    const int at = collective_out(c, v) + 2 * c->nbin;
    results_observed(set, c->type->list, name, c->type->periodic ? "mean_cos" : "mean", r->value[at],
                     r->error[at], NULL);
    results_observed(set, c->type->list, name, c->type->periodic ? "mean_sin" : "deviation", r->value[at + 1],
                     r->error[at + 1], NULL);
    if (count[c->nbin] > 0.0)
      results_remark(set, "%s: %.0f samples of %s are %sbeyond %.6g%s, outside all bins", c->type->list,
                     count[c->nbin], name, c->type->composed ? "not numbers, or " : "",
                     (c->low + c->nbin * c->width) / unit_of(c), c->type->unit);
  }
}

Status collective_result_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                               Error *error)
{
  (void)dir;
  Collectives *c = self;
  if (c->list.npair > 0)
    TRY(add_pairs(c, result, set, error));
  TRY(add_table(c, result, set, error));
  report(c, result, set);
  return STATUS_OK;
}

/* --- pictures ---------------------------------------------------------------------------------------------
 */

/* The range of the picture: all bins of torsions; otherwise from the first to the last bin with samples. */
static void used_range(const Collectives *c, const double *P, PictureAxes *axes)
{
  int first = 0, end = c->nbin;
  for (; !c->type->periodic && first < end - 1 && P[first] == 0.0;)
    first++;
  for (; !c->type->periodic && first < end - 1 && P[end - 1] == 0.0;)
    end--;
  axes->xmin = (c->low + first * c->width) / unit_of(c);
  axes->xmax = (c->low + end * c->width) / unit_of(c);
}

/* Draws up to MAPS pairs of torsions. */
static Status draw_pairs(const Collectives *c, const ObservableResult *result, const char *dir, Error *why)
{
  enum { MAPS = 4 };
  PictureMap map[MAPS];
  const int n = c->list.npair < MAPS ? c->list.npair : MAPS;
  for (int p = 0; p < n; p++)
    map[p] =
        (PictureMap){.x = c->list.variable[c->list.pair[p][0]].name,
                     .y = c->list.variable[c->list.pair[p][1]].name,
                     .words = c->kT > 0.0 ? "free energy (kcal/mol)" : "density",
                     .n = c->nbin,
                     .low = -180.0,
                     .high = 180.0,
                     .z = result->value + collective_out_pair(c, p) + (c->kT > 0.0 ? c->nbin * c->nbin : 0)};
  return n > 0 ? picture_map(dir, "torsions_pairs", n, map, why) : STATUS_OK;
}

Status collective_result_draw(const void *self, const ObservableResult *result, const char *dir,
                              const ResultSet *set, Error *why)
{
  enum { PANELS = 8 };
  const Collectives *c = self;
  const ResultTable *t = set->table[set->ntable - 1];
  const int each = c->kT > 0.0 ? 2 : 1, n = c->list.n < PANELS ? c->list.n : PANELS;
  PicturePanel panel[PANELS];
  PictureCurve curve[PANELS];
  for (int v = 0; v < n; v++) {
    const int column = each * (v + 1);
    curve[v] = picture_curve(t, 0, column);
    panel[v] = (PicturePanel){
        .axes = {.title = c->list.variable[v].name, .x = &t->column[0], .y = &t->column[column]},
        .n = 1,
        .curve = &curve[v]};
    used_range(c, result->value + collective_out(c, v), &panel[v].axes);
  }
  TRY(picture_panels(dir, c->type->list, n, panel, n > 1 ? 2 : 1, why));
  return draw_pairs(c, result, dir, why);
}
