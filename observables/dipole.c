/* The dipole of the box and its fluctuations.
 *
 * M is the sum of the dipoles of all neutral molecules, each whole. With the conducting boundary of the Ewald
 * sums, eps = 1 + 4 pi C (<M^2> - <M>^2)/(3 V kT) (de Leeuw, Perram and Smith, Annu. Rev. Phys. Chem. 37, 245
 * (1986)). The Kirkwood factor of the box is G_K = (<M^2> - <M>^2)/(sum of mu^2); that of the infinite liquid
 * is g_K = G_K (2 eps + 1)/(3 eps). All are fluctuations about a mean, and are corrected for bias
 * (block_rows.h). M excludes the contribution of moving ions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "engine/units.h"
#include "observables/observable.h"
#include "observables/picture.h"

enum { SUM_M, SUM_M2 = 3, SUM_MU, SUM_MU2, SUM_VOLUME, SUMS }; /* columns of a row   */
enum {
  OUT_EPSILON,
  OUT_EPSILON_ZERO,
  OUT_BOX_KIRKWOOD,
  OUT_KIRKWOOD,
  OUT_MU,
  OUT_M,
  OUT_M2 = OUT_M + 3,
  OUT_ALIKE, /* |<M>|^2/<M^2>: about one over the number of independent samples if <M> is zero */
  OUTS
};
enum { MONITORS = 4 };

/* With fewer than five independent samples the fluctuations are not representative. */
static const double most_alike = 0.2;

static const double debye = 4.80320471; /* the elementary charge times an angstrom, in D */

/* Results after each block of time, from the first sample on. */
typedef struct Running {
  int n;
  double samples[BLOCK_ROWS], value[BLOCK_ROWS * OUTS], error[BLOCK_ROWS * OUTS];
} Running;

typedef struct Dipole {
  Observable is; /* rows: [SUMS] */
  int nblock;
  double **charge;  /* [nblock] [nsite]; NULL: no dipole of that kind counts */
  double molecules; /* with dipoles */
  int ions;         /* 1: there are charged kinds, which are left out */
  Running running;  /* of the last table, for the picture */
} Dipole;

/* Copies the charges of kinds whose molecules are neutral and have charges. */
static Status charges_create(Dipole *d, const ObservableFrame *frame, Error *error)
{
  d->nblock = frame->nblock;
  d->charge = observable_arena(d, (size_t)d->nblock, sizeof *d->charge);
  TRY_MEMORY(d->charge != NULL, "dipoles", error);
  for (int b = 0; b < frame->nblock; b++) {
    const ObservableBlock *block = &frame->block[b];
    const size_t nsite = (size_t)block->kind->nsite;
    double net = 0.0, most = 0.0;
    if (block->charge == NULL)
      return error_set(error, STATUS_INPUT, "the charges of %s are unknown", block->kind->name);
    for (size_t s = 0; s < nsite; s++) {
      net += block->charge[s];
      most = fmax(most, fabs(block->charge[s]));
    }
    if (fabs(net) > 1e-6)
      d->ions = 1;
    if (fabs(net) > 1e-6 || most == 0.0)
      continue;
    d->charge[b] = observable_arena(d, nsite, sizeof(double));
    TRY_MEMORY(d->charge[b] != NULL, "dipoles", error);
    memcpy(d->charge[b], block->charge, nsite * sizeof(double));
    d->molecules += block->nmol;
  }
  if (d->molecules == 0.0)
    return error_set(error, STATUS_INPUT, "no neutral molecule has charges: there is no dipole");
  return STATUS_OK;
}

static Status dipole_create(void *self, const ObservableFrame *frame, Error *error)
{
  Dipole *d = self;
  if (!(observable_kT(&d->is) > 0.0))
    return error_set(
        error, STATUS_INPUT,
        "a dielectric constant needs the temperature (thermostat.temperature, or --temperature)");
  d->is.shape = (BlockRowsShape){.real = SUMS, .monitors = MONITORS};
  d->is.nout = OUTS;
  return charges_create(d, frame, error);
}

/* Adds a block's dipoles to the sums of the current sample. */
static void add_block(const ObservableBlock *block, const double *charge, double sum[SUMS])
{
  const int nsite = block->kind->nsite;
  for (int m = 0; m < block->nmol; m++) {
    const double *x = block->x + 3 * (size_t)m * (size_t)nsite;
    double mu[3] = {0.0}, mu2 = 0.0;
    for (int s = 0; s < nsite; s++)
      for (int k = 0; k < 3; k++)
        mu[k] += charge[s] * (x[3 * s + k] - x[k]);
    for (int k = 0; k < 3; k++) {
      sum[SUM_M + k] += mu[k];
      mu2 += mu[k] * mu[k];
    }
    sum[SUM_MU] += sqrt(mu2);
    sum[SUM_MU2] += mu2;
  }
}

/* The work is too small to share among threads. */
static Status dipole_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const Dipole *d = self;
  double sum[SUMS] = {0.0};
  for (int b = 0; b < d->nblock; b++)
    if (d->charge[b] != NULL)
      add_block(&frame->block[b], d->charge[b], sum);
  for (int k = 0; k < 3; k++)
    sum[SUM_M2] += sum[SUM_M + k] * sum[SUM_M + k];
  sum[SUM_VOLUME] = box_volume(frame->box);
  if (!isfinite(sum[SUM_MU2]))
    return error_set(error, STATUS_RUN, "a coordinate is not a number");
  double *row = block_rows_now(d->is.rows, 0).real;
  for (int k = 0; k < SUMS; k++)
    row[k] += sum[k];
  memcpy(d->is.monitor, sum, MONITORS * sizeof *sum);
  return STATUS_OK;
}

/* --- results ---------------------------------------------------------------------------------------------
 */

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const Dipole *d = self;
  const double scale = 4.0 * M_PI * UNITS_COULOMB / (3.0 * sum[SUM_VOLUME] / n * observable_kT(&d->is));
  double mean2 = 0.0;
  for (int k = 0; k < 3; k++) {
    out[OUT_M + k] = debye * sum[SUM_M + k] / n;
    mean2 += pow(sum[SUM_M + k] / n, 2);
  }
  const double square = sum[SUM_M2] / n, epsilon = 1.0 + scale * (square - mean2);
  out[OUT_EPSILON] = epsilon;
  out[OUT_EPSILON_ZERO] = 1.0 + scale * square;
  out[OUT_BOX_KIRKWOOD] = (square - mean2) / (sum[SUM_MU2] / n);
  out[OUT_KIRKWOOD] = out[OUT_BOX_KIRKWOOD] * (2.0 * epsilon + 1.0) / (3.0 * epsilon);
  out[OUT_MU] = debye * sum[SUM_MU] / n / d->molecules;
  out[OUT_M2] = debye * debye * square;
  out[OUT_ALIKE] = mean2 / square;
}

/* Not epsilon_zero, which has no such bias, and not the measure of relaxation. */
static bool fluctuates(const void *self, int k)
{
  (void)self;
  return k == OUT_EPSILON || k == OUT_BOX_KIRKWOOD || k == OUT_KIRKWOOD;
}

static void add_table(const Dipole *d, const ObservableResult *r, ResultSet *set)
{
  const Running *running = &d->running;
  static const struct {
    const char *name;
    int out;
  } column[] = {{"epsilon", OUT_EPSILON},
                {"epsilon_zero", OUT_EPSILON_ZERO},
                {"kirkwood", OUT_KIRKWOOD},
                {"mean_dipole", OUT_MU},
                {"mx", OUT_M},
                {"my", OUT_M + 1},
                {"mz", OUT_M + 2},
                {"m2", OUT_M2}};
  const double *value = r->value, *error = r->error;
  double time[BLOCK_ROWS];
  ResultTable *t = results_add_table(set, "dipole", (size_t)running->n);
  for (int i = 0; i < running->n; i++)
    time[i] = running->samples[i] * d->is.options.interval * UNITS_AKMA_FS * 1e-3;
  results_add_column(t, "samples", running->samples, NULL);
  if (d->is.options.interval > 0.0)
    results_add_column(t, "time_ps", time, NULL);
  for (size_t c = 0; c < sizeof column / sizeof *column; c++)
    results_add_strided(t, column[c].name, running->value + column[c].out, NULL, OUTS);
  results_say(
      t,
      "dipole and dielectric constant, conducting boundary, %g K\nsamples: %lld\nmolecules: %.0f\nepsilon: "
      "%.9g\nepsilon_err: %.4g\nkirkwood: %.9g\nkirkwood_err: %.4g\nmean_dipole: %.9g\nmean_dipole_err: "
      "%.4g\nrows: running results from the first sample on; epsilon_zero assumes <M> = 0; dipoles in D",
      observable_temperature(&d->is), (long long)r->errors.samples, d->molecules, value[OUT_EPSILON],
      error[OUT_EPSILON], value[OUT_KIRKWOOD], error[OUT_KIRKWOOD], value[OUT_MU], error[OUT_MU]);
  block_rows_say(&r->errors, "its correlation", t);
}

static void report_all(const Dipole *d, const double *value, const double *error, ResultSet *report)
{
  LOCALE_PLAIN;
  static const char *const m[3] = {"M_x", "M_y", "M_z"};
  static const struct {
    int out;
    const char *quantity, *note;
  } fluctuation[] = {{OUT_EPSILON, "epsilon", "conducting boundary, from <M^2> - <M>^2"},
                     {OUT_EPSILON_ZERO, "epsilon_zero", "assuming <M> = 0"},
                     {OUT_BOX_KIRKWOOD, "G_K", "Kirkwood factor of the box"},
                     {OUT_KIRKWOOD, "g_K", "Kirkwood factor of the unbounded liquid"}};
  char why[160];
  const bool seen = value[OUT_ALIKE] < most_alike;
  snprintf(why, sizeof why,
           "left out: |<M>|^2 is %.2g of <M^2>, so there are only about %.2g independent samples; run longer",
           value[OUT_ALIKE], 1.0 / value[OUT_ALIKE]);
  for (size_t k = 0; k < sizeof fluctuation / sizeof *fluctuation; k++)
    results_observed(report, "dipole", "box", fluctuation[k].quantity, seen ? value[fluctuation[k].out] : NAN,
                     seen ? error[fluctuation[k].out] : NAN, seen ? fluctuation[k].note : why);
  results_observed(report, "dipole", "molecule", "dipole", value[OUT_MU], error[OUT_MU], NULL);
  for (int k = 0; k < 3; k++)
    results_observed(report, "dipole", "box", m[k], value[OUT_M + k], error[OUT_M + k],
                     "0 within its error if the run is long enough");
  if (d->ions)
    results_remark(report, "dipole: charged molecules are left out; epsilon is from neutral molecules only");
}

static Status dipole_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                           Error *error)
{
  (void)dir;
  Dipole *d = self;
  Running *r = &d->running;
  const BlockRowsFunction function = observable_function(&d->is);
  TRY(block_rows_running(d->is.rows, &function, &r->n, r->samples, r->value, r->error, error));
  add_table(d, result, set);
  report_all(self, result->value, result->error, set);
  return STATUS_OK;
}

static Status dipole_draw(const void *self, const ObservableResult *result, const char *dir,
                          const ResultSet *set, Error *why)
{
  (void)result;
  const Running *running = &((const Dipole *)self)->running;
  const ResultTable *table = set->table[set->ntable - 1];
  const ResultColumn *time = results_column(table, "time_ps");
  const PictureAxes axes = {.x = time != NULL ? time : results_column(table, "samples"),
                            .y = results_column(table, "epsilon")};
  double error[BLOCK_ROWS];
  for (int i = 0; i < running->n; i++)
    error[i] = running->error[i * OUTS + OUT_EPSILON];
  const PictureCurve curve = {.n = running->n, .x = axes.x->value, .y = axes.y->value, .error = error};
  return picture_lines(dir, "dipole", &axes, 1, &curve, why);
}

const ObservableOps observable_dipole = {
    .name = "dipole",
    .doc = "dipole of the box, dielectric constant, Kirkwood factor and mean molecular dipole",
    .size = sizeof(Dipole),
    .boxed = true,
    .create = dipole_create,
    .begin = dipole_begin,
    .evaluate = evaluate,
    .fluctuates = fluctuates,
    .write = dipole_write,
    .draw = dipole_draw,
};
