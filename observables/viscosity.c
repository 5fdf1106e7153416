/* Viscosity of a box by Green and Kubo. With s the symmetric traceless part of the instantaneous pressure
 * tensor,
 *
 *   C(t) = 1/10 <s(0) : s(t)>,    eta = V/kT int C dt,
 *
 * which uses all five independent components and does not depend on the axes (P. J. Daivis and D. J. Evans,
 * J. Chem. Phys. 100, 541 (1994)). In an isotropic liquid C is the autocorrelation of one off-diagonal
 * component. The pressure is that of whole molecules: forces within molecules, those of constraints included,
 * cancel in it exactly.
 *
 * Each sample is a time origin. Memory holds the components of the samples up to the longest time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"
#include "engine/units.h"
#include "observables/green_kubo.h"
#include "observables/observable.h"

enum { COMPONENTS = 6 }; /* xx, yy, zz, xy, xz, yz */

/* Results: C [nlag], running integrals [nlag], numbers of the integral (green_kubo.h). */
typedef struct Viscosity {
  Observable is; /* rows: real: [nlag] sums of s:s/10, [nlag] numbers of origins, volume */
  double ps;     /* of a unit of time */
  double kT;     /* kcal/mol */
  int nlag;
  struct ViscosityClock {
    int64_t n; /* samples so far */
    double time;
  } * clock;
  double (*ring)[COMPONENTS]; /* [nlag] the last samples, bar: sample n is number n % nlag */
} Viscosity;

static Status create(void *self, const ObservableFrame *frame, Error *error)
{
  Viscosity *const v = self;
  const ObservableOptions *const o = &v->is.options;
  (void)frame;
  v->ps = UNITS_AKMA_FS * 1e-3;
  v->kT = o->temperature * UNITS_BOLTZMANN;
  if (!(o->temperature > 0.0))
    return error_set(error, STATUS_INPUT, "a viscosity needs the temperature (thermostat.temperature)");
  const double longest = o->viscosity.max > 0.0 ? o->viscosity.max : 5.0 / v->ps;
  const double lags = floor(longest / o->interval * (1.0 + 1e-9));
  if (!(lags >= 4.0 && lags <= 20000.0))
    return error_set(
        error, STATUS_INPUT,
        "an autocorrelation to %g ps from samples %g ps apart: 4 to 20000 samples up to the longest time "
        "(viscosity_max) are allowed",
        longest * v->ps, o->interval * v->ps);
  v->nlag = (int)lags + 1;
  v->clock = observable_kept(v, 1, sizeof *v->clock);
  v->ring = observable_kept(v, (size_t)v->nlag, sizeof *v->ring);
  v->is.shape = (BlockRowsShape){.real = 2 * v->nlag + 1, .monitors = 1};
  v->is.nout = 2 * v->nlag + GREEN_KUBO_NUMBERS;
  return STATUS_OK;
}

/* The symmetric traceless part of the pressure by molecule, bar. */
static void find_stress(const WalkPressure *p, const Box *box, double s[COMPONENTS])
{
  static const int row[COMPONENTS] = {0, 1, 2, 0, 0, 1}, column[COMPONENTS] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < COMPONENTS; k++)
    s[k] = UNITS_BAR / box_volume(box) *
           (p->kinetic_molecule[row[k]][column[k]] +
            0.5 * (p->virial_molecule[row[k]][column[k]] + p->virial_molecule[column[k]][row[k]]));
  const double third = (s[0] + s[1] + s[2]) / 3.0;
  for (int d = 0; d < 3; d++)
    s[d] -= third;
}

/* A tenth of the sum over all nine components. */
static double product(const double *a, const double *b)
{
  return 0.1 * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]));
}

/* The work is too small to share among threads. */
static Status begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const Viscosity *const v = self;
  const int64_t n = v->clock->n;
  double *const row = block_rows_now(v->is.rows, 0).real, *const now = v->ring[n % v->nlag];
  if (frame->pressure == NULL)
    return error_set(error, STATUS_INPUT, "the sample has no pressure");
  if (n > 0)
    TRY(observable_check_time(v->clock->time, frame->time, v->is.options.interval, error));
  double s[COMPONENTS];
  find_stress(frame->pressure, frame->box, s);
  if (!isfinite(product(s, s)))
    return error_set(error, STATUS_RUN, "the pressure is not a number");
  memcpy(now, s, sizeof s);
  for (int lag = 0; lag < v->nlag && lag <= n; lag++) {
    row[lag] += product(now, v->ring[(n - lag) % v->nlag]);
    row[v->nlag + lag] += 1.0;
  }
  row[2 * v->nlag] += box_volume(frame->box);
  v->is.monitor[0] = product(s, s);
  v->clock->time = frame->time;
  v->clock->n++;
  return STATUS_OK;
}

/* --- results ------- */

static double step_of(const Viscosity *v) { return v->is.options.interval * v->ps; }

static double shortest(const void *self) { return 2.0 * ((const Viscosity *)self)->nlag; }

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const Viscosity *const v = self;
  /* mPa s for bar^2 ps; V in A^3, and a bar A^3 is 1/UNITS_BAR kcal/mol. */
  const double factor = sum[2 * v->nlag] / n / UNITS_BAR / v->kT * 1e-4;
  double *const running = out + v->nlag, *const number = running + v->nlag;
  for (int lag = 0; lag < v->nlag; lag++) {
    out[lag] = sum[lag] / sum[v->nlag + lag];
    running[lag] = lag > 0 ? running[lag - 1] + 0.5 * (out[lag - 1] + out[lag]) * step_of(v) * factor : 0.0;
  }
  green_kubo_integrals(out, v->nlag, step_of(v), number);
  for (int k = 0; k < GREEN_KUBO_NUMBERS; k++)
    number[k] *= factor;
}

static void add_table(const Viscosity *v, const ObservableResult *r, ResultSet *set)
{
  ResultTable *t = results_add_table(set, "viscosity", (size_t)v->nlag);
  results_add_steps(t, "time_ps", step_of(v));
  results_add_column(t, "C", r->value, r->error);
  results_add_column(t, "eta", r->value + v->nlag, r->error + v->nlag);
  results_say(t,
              "autocorrelation of the pressure by molecule, bar^2, and viscosity eta, its running integral, "
              "mPa s, at "
              "%.9g K\nsamples: %lld",
              v->is.options.temperature, (long long)r->errors.samples);
  block_rows_say(&r->errors, "its correlation", t);
}

static Status write(void *self, ObservableResult *r, const char *dir, ResultSet *set, Error *error)
{
  (void)dir;
  (void)error;
  const Viscosity *const v = self;
  const double *const value = r->value + 2 * v->nlag, *const spread = r->error + 2 * v->nlag;
  char words[200], note[200];
  add_table(v, r, set);
  const char *why = green_kubo_unfit(value, spread, v->nlag, step_of(v), 1.0, words, sizeof words);
  if (why == NULL)
    snprintf(note, sizeof note, "Green-Kubo, integral to %.4g ps", step_of(v) * (v->nlag - 1));
  results_observed(set, "viscosity", "box", "viscosity", why == NULL ? value[GREEN_KUBO_INTEGRAL] : NAN,
                   why == NULL ? spread[GREEN_KUBO_INTEGRAL] : NAN, why != NULL ? why : note);
  if (v->is.options.friction > 0.0)
    results_remark(set,
                   "viscosity: Langevin friction of %.3g /ps slows flows, which the formula assumes to "
                   "conserve momentum; "
                   "prefer thermostat.type: rescale, or a small friction",
                   v->is.options.friction / v->ps);
  snprintf(r->doubt, sizeof r->doubt, "%lld samples are few for %d lags", (long long)r->errors.samples,
           v->nlag);
  return STATUS_OK;
}

const ObservableOps observable_viscosity = {
    .name = "viscosity",
    .doc = "viscosity by Green and Kubo, from the pressure tensor of a run's box, and the pressure's "
           "autocorrelation",
    .size = sizeof(Viscosity),
    .pressures = true,
    .timed = true,
    .boxed = true,
    .create = create,
    .begin = begin,
    .shortest = shortest,
    .evaluate = evaluate,
    .write = write,
};
