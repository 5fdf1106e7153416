/* Hydrogen bonds: numbers, autocorrelations, lifetimes and files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/locale.h"
#include "base/scoped.h"
#include "observables/hydrogen_bonds_private.h"

/* Numbers of a pair of selections, followed by its curves C, S and N [nlag] if bonds are followed. Rates and
 * times in ps; the last two are S at the first and at the longest time. */
enum { NUMBER, BREAK, FORM, LIFETIME, UNBROKEN, STEP, END, NUMBERS };
enum { CURVE_AGAIN, CURVE_SINCE, CURVE_APART, CURVES };

/* The continuous lifetime is left out if more bonds than this fraction have survived all samples, or if fewer
 * have survived the first interval; rates if they do not exceed this many standard errors. */
static const double most_left = 0.05, fewest_kept = 0.5, significant = 2.0;

static int size_of(const HydrogenBonds *h) { return NUMBERS + CURVES * h->nlag; }

int hydrogen_bonds_result_outs(const HydrogenBonds *h) { return h->list.n * size_of(h); }

static double step_of(const HydrogenBonds *h) { return h->is.options.interval * h->ps; }

/* The first lag of the fit of rates. */
static int fit_from(const HydrogenBonds *h)
{
  const double from = h->is.options.hydrogen_bonds.from;
  return (int)ceil((from > 0.0 ? from * h->ps : 1.0) / step_of(h) * (1.0 - 1e-9));
}

/* --- from sums ------- */

/* k and k' of C(a) - C(t) = k int C - k' int N, the integrals from a to t by the trapezoidal rule: least
 * squares over all lags from a on. NaN with fewer than three. */
static void fit_rates(const HydrogenBonds *h, const double *C, const double *N, double *number)
{
  const int a = fit_from(h);
  double c = 0.0, n = 0.0, cc = 0.0, cn = 0.0, nn = 0.0, yc = 0.0, yn = 0.0;
  number[BREAK] = number[FORM] = number[LIFETIME] = NAN;
  if (h->nlag - a < 4)
    return;
  for (int t = a + 1; t < h->nlag; t++) {
    const double y = C[a] - C[t];
    c += 0.5 * (C[t - 1] + C[t]) * step_of(h);
    n += 0.5 * (N[t - 1] + N[t]) * step_of(h);
    cc += c * c;
    cn += c * n;
    nn += n * n;
    yc += y * c;
    yn += y * n;
  }
  const double determinant = cc * nn - cn * cn;
  if (!(determinant > 1e-12 * cc * nn))
    return;
  number[BREAK] = (yc * nn - yn * cn) / determinant;
  number[FORM] = (yc * cn - yn * cc) / determinant;
  number[LIFETIME] = 1.0 / number[BREAK];
}

void hydrogen_bonds_result_evaluate(const void *self, const double *sum, double n, double *out)
{
  const HydrogenBonds *const h = self;
  for (int p = 0; p < h->list.n; p++, out += size_of(h)) {
    double *const curve = out + NUMBERS;
    for (int k = 0; k < NUMBERS; k++)
      out[k] = NAN;
    out[NUMBER] = sum[p] / n;
    if (!h->followed)
      continue;
    const double *const first = sum + h->list.n + (ptrdiff_t)p * BONDS_CURVES * h->nlag;
    for (int c = 0; c < CURVES; c++)
      for (int t = 0; t < h->nlag; t++)
        curve[c * h->nlag + t] = first[(c + 1) * h->nlag + t] / first[t]; /* NaN: no bond */
    const double *const since = curve + CURVE_SINCE * h->nlag;
    out[UNBROKEN] = 0.0;
    for (int t = 1; t < h->nlag; t++)
      out[UNBROKEN] += 0.5 * (since[t - 1] + since[t]) * step_of(h);
    out[STEP] = since[1];
    out[END] = since[h->nlag - 1];
    fit_rates(h, curve + CURVE_AGAIN * h->nlag, curve + CURVE_APART * h->nlag, out);
  }
}

/* --- files ------- */

static void print_criterion(const HydrogenBonds *h, ResultTable *t)
{
  results_say(t, "criterion: donor and acceptor within %.9g A, angle H-D-A up to %.9g degrees", h->distance,
              acos(h->cosine) * 180.0 / M_PI);
}

static void add_table(const HydrogenBonds *h, const ObservableResult *r, ResultSet *set)
{
  static const char *const curve[] = {"C", "S", "N"};
  ResultTable *t = results_add_table(set, "hydrogen_bonds", (size_t)h->nlag);
  results_add_steps(t, "time_ps", step_of(h));
  for (int p = 0; p < h->list.n; p++)
    for (int c = 0; c < CURVES; c++) {
      const int at = p * size_of(h) + NUMBERS + c * h->nlag;
      char name[64];
      snprintf(name, sizeof name, "%s_%.40s", curve[c], h->list.name[p]);
      results_add_column(t, name, r->value + at, r->error + at);
    }
  results_say(
      t,
      "autocorrelations of hydrogen bonds: C: bonded again, S: bonded in all samples since, N: broken, but "
      "within the distance");
  print_criterion(h, t);
  results_say(t, "samples: %lld", (long long)r->errors.samples);
  block_rows_say(&r->errors, "its correlation", t);
}

/* --- numbers ------- */

static void add(ResultSet *set, const HydrogenBonds *h, int p, const ObservableResult *r, int which,
                const char *name, bool known, const char *note)
{
  const int at = p * size_of(h) + which;
  results_observed(set, "hydrogen_bonds", h->list.name[p], name, known ? r->value[at] : NAN,
                   known ? r->error[at] : NAN, note);
}

static void add_unbroken(const HydrogenBonds *h, int p, const ObservableResult *r, ResultSet *set)
{
  const double *const value = r->value + (ptrdiff_t)p * size_of(h);
  char note[200];
  bool known = false;
  if (!isfinite(value[UNBROKEN]))
    snprintf(note, sizeof note, "left out: the series has no bonds, or does not reach the longest time");
  else if (value[STEP] < fewest_kept)
    snprintf(note, sizeof note,
             "left out: samples %.4g ps apart are too far apart: %.2g of the bonds break in between",
             step_of(h), 1.0 - value[STEP]);
  else if (value[END] > most_left)
    snprintf(note, sizeof note, "left out: %.2g of the bonds last for %.4g ps; a longer time is needed",
             value[END], step_of(h) * (h->nlag - 1));
  else
    known = snprintf(note, sizeof note, "integral of S(t); breaks shorter than %.4g ps are not seen",
                     step_of(h)) > 0;
  add(set, h, p, r, UNBROKEN, "lifetime_continuous", known, note);
}

static void add_rates(const HydrogenBonds *h, int p, const ObservableResult *r, ResultSet *set)
{
  const double *const value = r->value + (ptrdiff_t)p * size_of(h), *const error =
                                                                        r->error + (ptrdiff_t)p * size_of(h);
  const int from = fit_from(h);
  char note[200], window[80];
  snprintf(window, sizeof window, "Luzar and Chandler's rates, %.4g to %.4g ps", from * step_of(h),
           (h->nlag - 1) * step_of(h));
  const bool fitted = isfinite(value[BREAK]),
             known = fitted && value[BREAK] > 0.0 && !(value[BREAK] <= significant * error[BREAK]);
  if (!fitted)
    snprintf(
        note, sizeof note,
        "left out: the series has no bonds, or too few lags from hydrogen_bonds_from to hydrogen_bonds_max");
  else if (!known)
    snprintf(note, sizeof note, "left out: the rate of breaking, %.3g +- %.3g /ps, is not above its error",
             value[BREAK], error[BREAK]);
  else
    snprintf(note, sizeof note, "1/k; %s", window);
  add(set, h, p, r, LIFETIME, "lifetime", known, note);
  if (!known)
    return;
  add(set, h, p, r, BREAK, "rate_break", true, window);
  add(set, h, p, r, FORM, "rate_form", true, window);
}

/* A donor belongs to a pair of selections if it may give a bond of it. */
static int donors_of(const HydrogenBonds *h, int p)
{
  int n = 0;
  for (int d = 0; d < h->list.ndonor; d++)
    n += ((h->list.donor[d].is.first | h->list.donor[d].is.second) >> p & 1) != 0;
  return n;
}

static void remark(const HydrogenBonds *h, ResultSet *set)
{
  int64_t left_out = 0;
  for (int s = 0; s < h->series; s++)
    left_out += h->clock[s].left_out;
  if (left_out > 0)
    results_remark(
        set,
        "hydrogen_bonds: %lld bonds of the time origins are not followed, because their donors have more "
        "bonds than there are slots; all are counted",
        (long long)left_out);
}

Status hydrogen_bonds_result_write(void *self, ObservableResult *r, const char *dir, ResultSet *set,
                                   Error *error)
{
  LOCALE_PLAIN;
  (void)dir;
  (void)error;
  const HydrogenBonds *const h = self;
  if (h->followed)
    add_table(h, r, set);
  for (int p = 0; p < h->list.n; p++) {
    char note[80];
    snprintf(note, sizeof note, "of %d donors; within %.4g A and %.4g degrees", donors_of(h, p), h->distance,
             acos(h->cosine) * 180.0 / M_PI);
    add(set, h, p, r, NUMBER, "number", true, note);
    if (!h->followed)
      continue;
    add_unbroken(h, p, r, set);
    add_rates(h, p, r, set);
  }
  remark(h, set);
  return STATUS_OK;
}
