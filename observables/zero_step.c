/* The mean potential energy in the limit of small steps, from the samples of a run with a long step.
 *
 * Positions at the ends of steps are distributed as exp(-U/kT' - h^2 (a tr M^-1 U'' + b F'M^-1 F/kT)), with
 * T' = T (1 + c s^2) and s^2 = h^2 <F'M^-1 F>/(f kT) in the plain mean (docs/theory.md). Each word has its
 * own a, b and c (integrators/oscillator.h). To second order in h, a mean changes by its covariance with that
 * exponent. By partial integration cov(U, tr M^-1 U'') = cov(U, F'M^-1 F)/kT - <F'M^-1 F>, so no second
 * derivative is needed:
 *
 *   <U>_0 = <U> - a <G> + (a + b) cov(U, G)/kT - c s^2 var(U)/kT,   G = h^2 F'M^-1 F
 *
 * The remaining error is of order h^4, and exceeds the correction if s^2 is large. For 216 TIP4P/2005 by
 * BAOAB at 8 fs (s^2 = 0.45), sampled energies are 0.15 % too low, corrected ones 0.5 % too high. Beyond
 * SQUARE_MOST there is therefore no corrected energy. */
#include <math.h>
#include <stdio.h>

#include "engine/units.h"
#include "observables/observable.h"

#define SQUARE_MOST 0.4

enum { SUM_U, SUM_U2, SUM_Q, SUM_UQ, SUMS }; /* columns of a row; Q = F'M^-1 F */
enum { OUT_U, OUT_ZERO, OUT_SQUARE, OUTS };

typedef struct ZeroStep {
  Observable is; /* rows: [SUMS] */
  double kT;
} ZeroStep;

static Status zero_step_create(void *self, const ObservableFrame *frame, Error *error)
{
  (void)frame;
  ZeroStep *z = self;
  const ObservableOptions *options = &z->is.options;
  if (options->shadow.drift == 0.0 && options->shadow.kick == 0.0 && options->shadow.heat == 0.0)
    return error_set(error, STATUS_INPUT, "needs the forces of a run; frames have none");
  z->is.shape = (BlockRowsShape){.real = SUMS,
                                 .monitors = 1,
                                 .draws = options->batches > 0 ? options->replicas : 0,
                                 .idle = options->idle};
  z->is.nout = OUTS;
  z->is.heeded = true;
  z->kT = options->temperature * UNITS_BOLTZMANN;
  return STATUS_OK;
}

static void add(const ZeroStep *z, int draw, double energy, double square)
{
  double *sum = block_rows_now(z->is.rows, draw).real;
  sum[SUM_U] += energy;
  sum[SUM_U2] += energy * energy;
  sum[SUM_Q] += square;
  sum[SUM_UQ] += energy * square;
}

/* The work is too small to share among threads. */
static Status zero_step_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  (void)error;
  const ZeroStep *z = self;
  add(z, 0, *frame->energy, *frame->square);
  z->is.monitor[0] = *frame->energy;
  return STATUS_OK;
}

static void zero_step_add_lanes(void *self, const Sample *sample, const ObservableLanes *lanes)
{
  const ZeroStep *z = self;
  for (int r = 0; r < sample_width(sample) && sample->team->rank == 0; r++) {
    add(z, lanes->first + r, lanes->energy[r], lanes->square[r]);
    block_rows_end(z->is.rows, lanes->first + r, &lanes->energy[r]);
  }
}

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const ZeroStep *z = self;
  const double U = sum[SUM_U] / n, Q = sum[SUM_Q] / n;
  const double var = sum[SUM_U2] / n - U * U, cov = sum[SUM_UQ] / n - U * Q;
  const double drift = z->is.options.shadow.drift, kick = z->is.options.shadow.kick;
  const double *const counted = z->is.options.shadow.counted;
  const double heat =
      z->is.options.shadow.heat * Q / z->kT * (counted != NULL ? *counted : 1.0); /* T'/T - 1 */
  out[OUT_U] = U;
  out[OUT_SQUARE] = z->is.options.shadow.square * Q / z->kT;
  out[OUT_ZERO] = U - drift * Q + (drift + kick) * cov / z->kT - heat * var / z->kT;
}

static bool fluctuates(const void *self, int k)
{
  (void)self;
  return k == OUT_ZERO;
}

static Status zero_step_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                              Error *error)
{
  (void)self;
  (void)dir;
  (void)error;
  const double square = result->value[OUT_SQUARE];
  const bool holds = !(square > SQUARE_MOST);
  char why[160];
  snprintf(why, sizeof why,
           "left out: the step is too long: the mean of (h W)^2 over all motions is %.2g; second order is "
           "valid up to %.2g",
           square, SQUARE_MOST);
  results_observed(set, "zero_step", "system", "potential", result->value[OUT_U], result->error[OUT_U], NULL);
  results_observed(set, "zero_step", "system", "potential_zero_step", holds ? result->value[OUT_ZERO] : NAN,
                   holds ? result->error[OUT_ZERO] : NAN, holds ? NULL : why);
  return STATUS_OK;
}

const ObservableOps observable_zero_step = {
    .name = "zero_step",
    .doc = "mean potential energy in the limit of small steps, by a correction of second order",
    .size = sizeof(ZeroStep),
    .energies = true,
    .squares = true,
    .flat = true,
    .create = zero_step_create,
    .begin = zero_step_begin,
    .add_lanes = zero_step_add_lanes,
    .evaluate = evaluate,
    .fluctuates = fluctuates,
    .write = zero_step_write,
};
