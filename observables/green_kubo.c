#include "observables/green_kubo.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/locale.h"

static const double most_change = 0.1, noise = 2.0;

/* The trapezoidal rule over every `every`-th lag up to the last. */
static double trapezoid(const double *c, int last, int every, double step)
{
  double sum = 0.0;
  for (int k = 0; k <= last; k += every)
    sum += c[k] * (k == 0 || k == last ? 0.5 : 1.0);
  return sum * every * step;
}

/* Half the lags give a bound on the error of the spacing for decreasing spectra. */
void green_kubo_integrals(const double *c, int nlag, double step, double out[GREEN_KUBO_NUMBERS])
{
  const int last = nlag - 1, even = last - last % 2;
  out[GREEN_KUBO_INTEGRAL] = trapezoid(c, last, 1, step);
  out[GREEN_KUBO_SPACING] = trapezoid(c, even, 2, step) - trapezoid(c, even, 1, step);
  out[GREEN_KUBO_TAIL] = trapezoid(c, last, 1, step) - trapezoid(c, last / 2, 1, step);
}

static bool changes(const double *value, const double *error, int what)
{
  return fabs(value[what]) > most_change * fabs(value[GREEN_KUBO_INTEGRAL]) &&
         !(fabs(value[what]) <= noise * error[what]);
}

const char *green_kubo_unfit(const double value[GREEN_KUBO_NUMBERS], const double error[GREEN_KUBO_NUMBERS],
                             int nlag, double step, double factor, char *words, size_t size)
{
  LOCALE_PLAIN;
  const int half = (nlag - 1) / 2;
  const double all = factor * value[GREEN_KUBO_INTEGRAL];
  if (!isfinite(all))
    return "left out: the series does not reach the longest time";
  if (changes(value, error, GREEN_KUBO_SPACING))
    snprintf(words, size,
             "left out: samples %.4g ps apart are too far apart: every other one alone changes the integral "
             "from %.3g "
             "to %.3g",
             step, all, factor * (value[GREEN_KUBO_INTEGRAL] + value[GREEN_KUBO_SPACING]));
  else if (changes(value, error, GREEN_KUBO_TAIL))
    snprintf(
        words, size,
        "left out: the integral has not converged: %.3g to %.4g ps, %.3g to %.4g ps; a longer time is needed",
        factor * (value[GREEN_KUBO_INTEGRAL] - value[GREEN_KUBO_TAIL]), step * half, all, step * (nlag - 1));
  else
    return NULL;
  return words;
}
