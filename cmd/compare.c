#include "cmd/compare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/locale.h"
#include "base/printable.h"
#include "base/text.h"
#include "cmd/compare_private.h"

/* Replaces labels that several runs share by their folders. */
static Status label_by_folder(Compare *c, Error *error)
{
  SCOPED(scoped_free) int *twice = calloc((size_t)c->n, sizeof *twice);
  TRY_MEMORY(twice != NULL, "the names of runs", error);
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < c->n; k++)
      twice[i] |= k != i && strcmp(c->run[k].label, c->run[i].label) == 0;
  for (int i = 0; i < c->n; i++)
    if (twice[i]) /* compare_read allocates space for the folder */
      (void)printable_copy(c->run[i].label, 4 * strlen(c->run[i].dir) + 1, c->run[i].dir);
  return STATUS_OK;
}

/* --- pairs ------- */

static CompareTest *test_add(ComparePair *pair, CompareKind kind, const char *name, const char *unit)
{
  CompareTest *t = &pair->test[pair->ntest++];
  *t = (CompareTest){.kind = kind,
                     .name = name,
                     .unit = unit,
                     .value = {NAN, NAN},
                     .error = {NAN, NAN},
                     .mean = {NAN, NAN, NAN, NAN, NAN},
                     .r = NAN,
                     .p = NAN,
                     .adjusted = NAN,
                     .margin = NAN,
                     .within = {NAN, NAN, NAN},
                     .least = {NAN, NAN, NAN, NAN, NAN},
                     .least_r = NAN,
                     .within_adjusted = NAN};
  t->distance = (StatisticsDistance){NAN, NAN, NAN, NAN, 0};
  return t;
}

static bool enough(int64_t a, int64_t b) { return verdict_enough(a) && verdict_enough(b); }

static bool same_mean(const CompareMean *a, const CompareMean *b)
{
  if (a->of == NULL || b->of == NULL)
    return a->of == b->of;
  return strcmp(a->of->name, b->of->name) == 0 && strcmp(a->of->of, b->of->of) == 0 &&
         strcmp(a->of->subject, b->of->subject) == 0;
}

const CompareMean *compare_mean(const CompareRun *run, const CompareMean *like)
{
  for (int i = 0; i < run->nmean; i++)
    if (same_mean(&run->mean[i], like))
      return &run->mean[i];
  return NULL;
}

/* The relative uncertainty of coordinates that constraints fix: their tolerance, or that of rounding. */
static double rounding_of(const CompareRun *run)
{
  const double g = results_value(&run->set, "", "largest_g");
  const bool soft = isfinite(run->w) || strstr(results_text(&run->set, "method"), "penalty") != NULL;
  return 10.0 * fmax(DBL_EPSILON, soft || isnan(g) ? 0.0 : g);
}

/* Whether constraints fix a quantity at the same value in both runs: its differences are those of their
 * tolerance, which no test of samples applies to. */
static bool is_fixed(const CompareRun *const run[2], const CompareMean *const of[2])
{
  const double size = fmax(fabs(of[0]->value), fabs(of[1]->value)),
               rounding = size * fmax(rounding_of(run[0]), rounding_of(run[1]));
  bool fixed = fabs(of[0]->value - of[1]->value) <= rounding;
  for (int k = 0; k < 2; k++) {
    const double draws = of[k]->draws > 0 ? (double)of[k]->draws : 1.0;
    fixed = fixed && of[k]->error * sqrt(draws) <= rounding;
  }
  return fixed;
}

/* Tests a mean of both runs. */
static void test_mean(ComparePair *pair, const CompareMean *a, const CompareMean *b)
{
  CompareTest *t = test_add(pair, COMPARE_MEAN, a->name.text, a->unit);
  const CompareMean *const of[] = {a, b};
  for (int k = 0; k < 2; k++) {
    t->value[k] = of[k]->value;
    t->error[k] = of[k]->error;
  }
  t->mean = statistics_welch(a->value, a->error, a->draws, b->value, b->error, b->draws);
  if (enough(a->draws, b->draws))
    t->p = t->mean.p;
}

const CompareCurve *compare_curve(const CompareRun *run, const char *name)
{
  for (int k = 0; k < run->ncurve; k++)
    if (strcmp(run->curve[k].name.text, name) == 0)
      return &run->curve[k];
  return NULL;
}

bool compare_bin(const CompareCurve *const of[2], int i, StatisticsWelch *w)
{
  double y[2], error[2];
  for (int k = 0; k < 2; k++) {
    if (i >= of[k]->n)
      return false;
    y[k] = of[k]->y->value[i];
    error[k] = of[k]->y->error[i];
    if (!(y[k] > of[0]->least && error[k] > 0.0))
      return false;
    /* The relative error of n independent visits is 1/sqrt(n). With few visits the error is unreliable and
     * scales with the value. */
    if (of[k]->counted && error[k] > y[k] / sqrt(VERDICT_DRAWS))
      return false;
  }
  *w = statistics_welch(y[0], error[0], of[0]->draws, y[1], error[1], of[1]->draws);
  return true;
}

bool compare_curve_search(const CompareTest *t, double at, StatisticsWelch *found, double *r)
{
  const CompareCurve *a = t->curve_of[0];
  double best = -INFINITY;
  for (int i = 0; a != NULL && i < a->n; i++) {
    StatisticsWelch w;
    if (!compare_bin(t->curve_of, i, &w))
      continue;
    const double score = isnan(at) ? fabs(w.difference) : -fabs(a->x->value[i] - at);
    if (score > best) {
      best = score;
      *found = w;
      *r = a->x->value[i];
    }
  }
  return isfinite(best);
}

/* Tests the bin with the largest difference in standard errors. */
static void test_curve(ComparePair *pair, const CompareCurve *a, const CompareCurve *b)
{
  CompareTest *t = test_add(pair, COMPARE_CURVE, a->name.text, a->y->unit);
  t->curve_of[0] = a;
  t->curve_of[1] = b;
  double p = 1.0;
  int bins = 0;
  for (int i = 0; i < a->n; i++) {
    StatisticsWelch w;
    if (!compare_bin(t->curve_of, i, &w))
      continue;
    bins++;
    if (isnan(t->r) || fabs(w.z) > fabs(t->mean.z)) {
      t->mean = w;
      t->r = a->x->value[i];
    }
    p = fmin(p, w.p);
  }
  if (bins > 0 && enough(a->draws, b->draws))
    t->p = fmin(1.0, bins * p);
}

bool compare_curve_bins(const CompareCurve *a, const CompareCurve *b)
{
  bool same = a->n == b->n;
  for (int i = 0; i < a->n && same; i++)
    same = fabs(a->x->value[i] - b->x->value[i]) <= 1e-6 * fabs(a->x->value[i]);
  return same;
}

static Status test_distribution(ComparePair *pair, const CompareRun *a, const CompareRun *b, int permutations,
                                Error *error)
{
  const RdfFractions *fa = &a->fraction, *fb = &b->fraction;
  if (fa->nrow < 2 || fb->nrow < 2 || fa->ncol != fb->ncol || a->rmax != b->rmax || a->mean == NULL ||
      b->mean == NULL)
    return STATUS_OK;
  CompareTest *t = test_add(pair, COMPARE_DISTRIBUTION, "distribution", "");
  const uint64_t seed = 1; /* fixed, so that output is reproducible */
  const Status status = statistics_distance(fa->ncol, fa->nrow, fa->x, fb->nrow, fb->x, permutations, seed,
                                            &t->distance, error);
  t->mean.difference = t->distance.tv;
  t->mean.error = t->distance.null_sd;
  if (status == STATUS_OK && fa->plateau && fb->plateau && enough(a->mean[0].draws, b->mean[0].draws) &&
      enough(fa->nrow, fb->nrow))
    t->p = t->distance.p;
  return status;
}

/* Whether a test is of a free energy without biases, which windows with different biases share. */
static bool is_unbiased(const CompareTest *t) { return t->kind == COMPARE_CURVE && t->curve_of[0]->unbiased; }

static bool failed(const Compare *c, const ComparePair *pair)
{
  return c->run[pair->a].failed != NULL || c->run[pair->b].failed != NULL;
}

static Status compare_pair(const Compare *c, ComparePair *pair, int permutations, Error *error)
{
  const CompareRun *a = &c->run[pair->a], *b = &c->run[pair->b];
  pair->test = calloc((size_t)a->nmean + (size_t)a->ncurve + 1, sizeof *pair->test);
  TRY_MEMORY(pair->test != NULL, "comparisons", error);
  if (failed(c, pair)) { /* tables need a row for the pair */
    test_add(pair, COMPARE_MEAN, a->mean[0].name.text, a->mean[0].unit);
    return STATUS_OK;
  }
  for (int i = 0; i < a->nmean; i++) {
    const CompareMean *other = compare_mean(b, &a->mean[i]);
    const CompareRun *const run[] = {a, b};
    const CompareMean *const of[] = {&a->mean[i], other};
    if (other != NULL && (i == 0 || !is_fixed(run, of)))
      test_mean(pair, &a->mean[i], other);
  }
  for (int i = 0; i < a->ncurve; i++) {
    const CompareCurve *other = compare_curve(b, a->curve[i].name.text);
    if (other != NULL && compare_curve_bins(&a->curve[i], other))
      test_curve(pair, &a->curve[i], other);
  }
  TRY(test_distribution(pair, a, b, permutations, error));
  for (int k = 0; k < pair->ntest; k++)
    pair->test[k].unlike = (a->differ || b->differ) && !is_unbiased(&pair->test[k]);
  return STATUS_OK;
}

static CompareVerdict verdict_of(const CompareTest *t)
{
  const bool differs = t->adjusted < VERDICT_LEVEL, within = t->within_adjusted < VERDICT_LEVEL;
  return isnan(t->adjusted)          ? (t->unlike ? COMPARE_UNLIKE : COMPARE_TOO_FEW)
         : within                    ? (differs ? COMPARE_NEAR : COMPARE_EQUAL)
         : differs                   ? COMPARE_DIFFER
         : isnan(t->within_adjusted) ? COMPARE_ALIKE
                                     : COMPARE_UNDECIDED;
}

static void judge(const Compare *c, ComparePair *pair)
{
  pair->verdict = COMPARE_TOO_FEW;
  for (int k = 0; k < pair->ntest; k++) {
    CompareTest *t = &pair->test[k];
    t->verdict = failed(c, pair) ? COMPARE_FAILED : verdict_of(t);
    pair->verdict = t->verdict > pair->verdict ? t->verdict : pair->verdict;
  }
}

/* The p values of a family and where their adjusted values go. */
typedef struct Chances {
  int n;
  double *p, **adjusted;
} Chances;

static void chance_add(Chances *all, double p, double *adjusted)
{
  all->p[all->n] = p;
  all->adjusted[all->n++] = adjusted;
}

static void collect(Compare *c, CompareFamily family, Chances *all)
{
  const bool equal = family == COMPARE_FAMILY_EQUAL;
  for (int i = 0; i < c->npair; i++)
    for (int k = 0; k < c->pair[i].ntest; k++) {
      CompareTest *t = &c->pair[i].test[k];
      chance_add(all, equal ? t->within.p : t->p, equal ? &t->within_adjusted : &t->adjusted);
    }
  for (int k = 0; k < c->nfit; k++) {
    CompareFit *fit = &c->fit[k];
    chance_add(all, equal ? fit->within.p : fit->p, equal ? &fit->within_adjusted : &fit->adjusted);
  }
}

Status compare_holm(Compare *c, CompareFamily family, Error *error)
{
  size_t most = (size_t)c->nfit + 1;
  for (int i = 0; i < c->npair; i++)
    most += (size_t)c->pair[i].ntest;
  SCOPED(arena_free) Arena arena = {0};
  double *p = arena_take(&arena, most, sizeof *p), *adjusted = arena_take(&arena, most, sizeof *adjusted);
  Chances all = {.p = p, .adjusted = arena_take(&arena, most, sizeof *all.adjusted)};
  TRY(arena_check(&arena, "comparisons", error));
  collect(c, family, &all);
  TRY(statistics_holm(p, all.n, adjusted, error));
  for (int k = 0; k < all.n; k++)
    *all.adjusted[k] = adjusted[k];
  for (int i = 0; i < c->npair; i++) {
    judge(c, &c->pair[i]);
    compare_heat_judge(c, &c->pair[i]);
  }
  return STATUS_OK;
}

/* Adjusts all tests as one family and counts them. */
static Status correct(Compare *c, Error *error)
{
  TRY(compare_holm(c, COMPARE_FAMILY_DIFFER, error));
  for (int i = 0; i < c->npair; i++)
    for (int t = 0; t < c->pair[i].ntest; t++)
      c->ntest += !isnan(c->pair[i].test[t].adjusted);
  for (int k = 0; k < c->nfit; k++)
    c->ntest += !isnan(c->fit[k].adjusted);
  return STATUS_OK;
}

/* Twice as many as the smallest p that can pass the correction for all tests needs. */
static int choose_permutations(const Compare *c, int pairs)
{
  enum { FEWEST = 1000, MOST = 20000 };
  int tests = 0;
  for (int i = 0; i < c->n; i++) {
    const int own = c->run[i].nmean + c->run[i].ncurve;
    tests = own > tests ? own : tests;
  }
  const double wanted = 2.0 / VERDICT_LEVEL * (pairs * (tests + 1.0) + c->n);
  return (int)fmin(fmax(wanted, FEWEST), MOST) - 1;
}

static Status compare_pairs(Compare *c, int all_pairs, Error *error)
{
  const int most = all_pairs ? c->n * (c->n - 1) / 2 : c->n - 1;
  const int permutations = choose_permutations(c, most);
  c->pair = calloc((size_t)most + 1, sizeof *c->pair);
  TRY_MEMORY(c->pair != NULL, "comparisons", error);
  for (int a = 0; a < (all_pairs ? c->n : 1); a++)
    for (int b = a + 1; b < c->n; b++) {
      ComparePair *pair = &c->pair[c->npair++];
      pair->a = a;
      pair->b = b;
      TRY(compare_pair(c, pair, permutations, error));
    }
  return STATUS_OK;
}

/* --- the comparison ------- */

static Status read_runs(Compare *c, const char *const *dir, ResultSet *known, int n, int all_pairs,
                        Error *error)
{
  c->run = calloc((size_t)n, sizeof *c->run);
  TRY_MEMORY(c->run != NULL, "a comparison", error);
  c->n = n;
  for (int i = 0; i < n; i++) {
    c->run[i].dir = dir[i];
    TRY(compare_read(&c->run[i], known != NULL ? &known[i] : NULL, error));
  }
  compare_motion_add(c);
  TRY(label_by_folder(c, error));
  TRY(compare_pairs(c, all_pairs, error));
  TRY(compare_fit_all(c, error));
  return correct(c, error);
}

Status compare_create(Compare **compare, const char *const *dir, ResultSet *known, int n, int all_pairs,
                      Error *error)
{
  LOCALE_PLAIN;
  *compare = NULL;
  if (n < 2)
    return error_set(error, STATUS_INPUT, "a comparison needs two or more run folders");
  Compare *c = calloc(1, sizeof *c);
  TRY_MEMORY(c != NULL, "a comparison", error);
  TRY_ELSE(read_runs(c, dir, known, n, all_pairs, error), compare_free(c));
  *compare = c;
  return STATUS_OK;
}

void compare_free(Compare *compare)
{
  if (compare == NULL)
    return;
  for (int i = 0; i < compare->n; i++)
    compare_read_free(&compare->run[i]);
  for (int k = 0; k < compare->npair; k++)
    free(compare->pair[k].test);
  free(compare->run);
  free(compare->pair);
  free(compare->fit);
  free(compare);
}

Status compare_write(const Compare *compare, const char *dir, FILE *out, Error *error)
{
  LOCALE_PLAIN;
  char title[64], lead[512] = "";
  compare_report_print(compare, out);
  snprintf(title, sizeof title, "Comparison of %d runs", compare->n);
  for (int i = 0; i < compare->n; i++)
    text_append(lead, sizeof lead, "%s%.80s", i > 0 ? "; " : "", compare->run[i].label);
  if (compare->margin.n > 0)
    text_append(lead, sizeof lead, ". Margin: %s.", compare->margin.words);
  const ComparePoint point = {.folder = dir, .compare = compare};
  const CompareReport report = {.name = "compare",
                                .title = compare->title != NULL ? compare->title : title,
                                .lead = lead,
                                .n = 1,
                                .point = &point};
  Error why = {0};
  Status status =
      manifest_clear(dir, &compare_files_names, &why); /* removes files of an earlier comparison */
  if (status == STATUS_OK)
    status = compare_draw(compare, dir, &why);
  if (status == STATUS_RUN)
    fprintf(out, "\nno picture: %s\n", why.text);
  if (status == STATUS_OK || status == STATUS_RUN)
    status = compare_files_write(&report, dir, &why);
  if (status == STATUS_OK)
    printable_print(out,
                    "\n"
                    "report page: %s/compare.html\n",
                    dir);
  else
    error_set(error, status, "%s", why.text);
  return status;
}

Status compare_runs(const char *const *runs, int n, const CompareOptions *options, const char *dir, FILE *out,
                    Error *error)
{
  SCOPED(compare_free_at) Compare *compare = NULL;
  TRY(compare_create(&compare, runs, NULL, n, options->all_pairs, error));
  compare->title = options->title;
  if (options->margin != NULL)
    TRY(compare_margin(compare, options->margin, error));
  TRY(file_make_folder(dir, error));
  return compare_write(compare, dir, out, error);
}
