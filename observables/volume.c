/* The volume of the box and its fluctuations at constant pressure.
 *
 * With H = U + P V, U the potential energy and P the barostat's pressure, and at equal times,
 *
 *   kappa = <dV^2>/(kT <V>),  alpha = <dV dH>/(k T^2 <V>),  C_P = <dH^2>/(k T^2) + kinetic part
 *
 * (Allen and Tildesley, Computer Simulation of Liquids, 2.5). Momenta are not sampled: what they add to C_P
 * is k/2 for each degree of freedom, exactly, whatever the step. The energy of penalties is not in U, nor
 * their degrees of freedom in the kinetic part, so that penalised molecules have the heat capacity of rigid
 * ones. Fluctuations about a mean of correlated samples are too small by its own: the jackknife takes that
 * out.
 *
 * The density is counted in bins, which become twice as wide when it leaves their range. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/units.h"
#include "observables/block_rows.h"
#include "observables/observable.h"
#include "observables/picture.h"

enum { BINS = 128, FINEST = 13 };                                 /* bits of the first density */
enum { SUM_V, SUM_V2, SUM_H, SUM_H2, SUM_VH, SUM_DENSITY, SUMS }; /* columns of a row */
enum { OUT_V, OUT_DENSITY, OUT_KAPPA, OUT_ALPHA, OUT_HEAT, OUT_P, OUTS = OUT_P + BINS };
enum { MONITORS = 2 };

static const double g_cm3 = 1.66053906660; /* of g/mol/A^3 */

/* Bin b is from (first + b) width on. */
typedef struct VolumeBins {
  double width; /* g/cm3; 0: no sample yet */
  int64_t first;
} VolumeBins;

typedef struct Volume {
  double mass, kT, temperature, pressure, kinetic;
  int molecules;
  bool enthalpy; /* is known, of all samples */
  VolumeBins bins;
  BlockRows *rows; /* [BINS], [SUMS] */
} Volume;

static void volume_free(void *self)
{
  Volume *v = self;
  if (v != NULL)
    block_rows_free(v->rows);
  free(v);
}

static Status volume_create(void **self, const ObservableOptions *options, const ObservableFrame *frame,
                            Error *error)
{
  *self = NULL;
  if (!(box_volume(frame->box) > 0.0))
    return error_set(error, STATUS_INPUT, "a volume needs a box periodic in all directions");
  Volume *v = calloc(1, sizeof *v);
  TRY_MEMORY(v != NULL, "volumes", error);
  *v = (Volume){.kT = options->temperature * UNITS_BOLTZMANN,
                .temperature = options->temperature,
                .pressure = options->pressure,
                .kinetic = options->kinetic,
                .molecules = observable_molecules(frame),
                .enthalpy = options->enthalpy};
  for (int b = 0; b < frame->nblock; b++)
    for (int s = 0; s < frame->block[b].kind->nsite; s++)
      v->mass += g_cm3 * frame->block[b].kind->mass[s] * frame->block[b].nmol;
  const BlockRowsShape shape = {.whole = BINS, .real = SUMS, .monitors = MONITORS};
  TRY_ELSE(block_rows_create(&v->rows, &shape, error), volume_free(v));
  *self = v;
  return STATUS_OK;
}

/* --- samples ------- */

/* Of all bins that hold something the first and the last, with this one. */
static void find_used(const Volume *v, int64_t bin, int64_t used[2])
{
  used[0] = used[1] = bin;
  for (int r = 0; r < block_rows_number(v->rows); r++)
    for (int64_t b = 0; b < BINS; b++)
      if (block_rows_at(v->rows, r).whole[b] > 0) {
        used[0] = v->bins.first + b < used[0] ? v->bins.first + b : used[0];
        used[1] = v->bins.first + b > used[1] ? v->bins.first + b : used[1];
      }
}

/* Bins from `first` on in place of those that there are, `merged` of which become one. */
static void move_bins(Volume *v, int64_t first, int merged)
{
  for (int r = 0; r < block_rows_number(v->rows); r++) {
    int64_t *const count = block_rows_at(v->rows, r).whole, old[BINS];
    memcpy(old, count, sizeof old);
    memset(count, 0, sizeof old);
    for (int64_t b = 0; b < BINS; b++)
      if (old[b] > 0)
        count[(v->bins.first + b) / merged - first] += old[b];
  }
  v->bins = (VolumeBins){v->bins.width * merged, first};
}

/* The bin of a density, after there is one. Densities are above 0, and so are bins that hold something. */
static int64_t find_bin(Volume *v, double density)
{
  int64_t used[2], bin;
  if (v->bins.width == 0.0)
    v->bins.width = ldexp(1.0, ilogb(density) - FINEST);
  while ((bin = (int64_t)floor(density / v->bins.width) - v->bins.first) < 0 || bin >= BINS) {
    find_used(v, bin + v->bins.first, used);
    if (used[1] - used[0] < BINS)
      move_bins(v, used[0] - (BINS - (used[1] - used[0])) / 2, 1);
    else
      move_bins(v, v->bins.first / 2, 2);
  }
  return bin;
}

/* One thread has it done before others would be awake. */
static Status volume_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  Volume *v = self;
  const double volume = box_volume(frame->box), density = v->mass / volume;
  v->enthalpy = v->enthalpy && frame->energy != NULL;
  const double enthalpy = v->enthalpy ? *frame->energy + v->pressure * volume : 0.0;
  if (!(isnormal(density) && density > 0.0 && isfinite(enthalpy)))
    return error_set(error, STATUS_RUN, "a volume of %g A^3 and an enthalpy of %g kcal/mol", volume,
                     enthalpy);
  const int64_t bin = find_bin(v, density); /* which may move rows */
  const BlockRowsRow row = block_rows_now(v->rows, 0);
  row.whole[bin]++;
  row.real[SUM_V] += volume;
  row.real[SUM_V2] += volume * volume;
  row.real[SUM_H] += enthalpy;
  row.real[SUM_H2] += enthalpy * enthalpy;
  row.real[SUM_VH] += volume * enthalpy;
  row.real[SUM_DENSITY] += density;
  block_rows_end(v->rows, 0, (const double[MONITORS]){density, enthalpy});
  return STATUS_OK;
}

static StatisticsCorrelation volume_correlation(const void *self)
{
  return block_rows_correlation(((const Volume *)self)->rows);
}

static void volume_learn(void *self, double inefficiency)
{
  block_rows_learn(((Volume *)self)->rows, inefficiency);
}

static void volume_chunks(void *self, ChunkList *list)
{
  Volume *v = self;
  chunk_add(list, &v->bins, sizeof v->bins);
  chunk_add(list, &v->enthalpy, sizeof v->enthalpy);
  block_rows_chunks(v->rows, 0, list);
}

/* --- results ------- */

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const Volume *v = self;
  const double *mean = sum + BINS;
  const double V = mean[SUM_V] / n, H = mean[SUM_H] / n, kTT = v->kT * v->temperature;
  out[OUT_V] = V;
  out[OUT_DENSITY] = mean[SUM_DENSITY] / n;
  out[OUT_KAPPA] = (mean[SUM_V2] / n - V * V) / (v->kT * V) / UNITS_BAR;
  out[OUT_ALPHA] = (mean[SUM_VH] / n - V * H) / (kTT * V);
  out[OUT_HEAT] = ((mean[SUM_H2] / n - H * H) / kTT + v->kinetic) / v->molecules;
  for (int b = 0; b < BINS; b++)
    out[OUT_P + b] = sum[b] / (n * v->bins.width);
}

/* The distribution, without the empty bins at its ends. */
static ResultTable *add_table(const Volume *v, const BlockRowsErrors *errors, const double *value,
                              const double *error, ResultSet *set)
{
  double density[BINS];
  int first = 0, end = BINS;
  while (first < end - 1 && value[OUT_P + first] == 0.0)
    first++;
  while (end > first + 1 && value[OUT_P + end - 1] == 0.0)
    end--;
  for (int b = 0; b < BINS; b++)
    density[b] = ((double)(v->bins.first + b) + 0.5) * v->bins.width;
  ResultTable *t = results_add_table(set, "volume", (size_t)(end - first));
  results_add_column(t, "density", density + first, NULL);
  results_add_column(t, "P", value + OUT_P + first, error + OUT_P + first);
  results_say(t, "distribution of the density, in the middle of bins of %.9g g/cm3\nsamples: %lld",
              v->bins.width, (long long)errors->samples);
  block_rows_say(errors, "its correlation", t);
  return t;
}

static void report_all(const Volume *v, const double *value, const double *error, ResultSet *report)
{
  static const struct {
    int out;
    bool enthalpy;
    const char *name;
  } fluctuation[] = {{OUT_KAPPA, false, "compressibility"},
                     {OUT_ALPHA, true, "expansion"},
                     {OUT_HEAT, true, "heat_capacity"}};
  const double rounding = 1e-12;
  const bool moves = value[OUT_KAPPA] * v->kT * UNITS_BAR > rounding * value[OUT_V];
  results_observed(report, "volume", "box", "mean_volume", value[OUT_V], error[OUT_V], NULL);
  results_observed(report, "volume", "box", "mean_density", value[OUT_DENSITY], error[OUT_DENSITY], NULL);
  for (size_t k = 0; k < sizeof fluctuation / sizeof *fluctuation; k++) {
    const char *const why = !(v->kT > 0.0) ? "left out: it needs the temperature"
                            : !moves       ? "left out: the volume does not change"
                            : fluctuation[k].enthalpy && !v->enthalpy
                                ? "left out: it needs the energies of a run at "
                                  "constant pressure"
                                : NULL;
    results_observed(report, "volume", "box", fluctuation[k].name,
                     why == NULL ? value[fluctuation[k].out] : NAN,
                     why == NULL ? error[fluctuation[k].out] : NAN, why);
  }
}

static Status volume_write(void *self, const char *dir, ResultSet *report, Error *error)
{
  const Volume *v = self;
  const BlockRowsFunction function = {.self = v, .nout = OUTS, .call = evaluate, .unbiased = true};
  BlockRowsErrors errors;
  double value[OUTS], spread[OUTS];
  TRY(block_rows_result(v->rows, 1.0, &function, value, spread, &errors, error));
  const ResultTable *t = add_table(v, &errors, value, spread, report);
  TRY(results_csv_write(t, dir, error));
  const int first = report->n;
  report_all(v, value, spread, report);
  block_rows_doubt(&errors, "volume", first, report);
  Error why;
  const PictureCurve curve = picture_curve(t, 0, 1);
  const PictureAxes axes = {.x = &t->column[0], .y = &t->column[1]};
  return observable_drawn(picture_lines(dir, "volume", &axes, 1, &curve, &why), "volume", &why, report,
                          error);
}

const ObservableOps observable_volume = {
    .name = "volume",
    .doc = "distribution of the density; compressibility, thermal expansion and heat capacity at constant "
           "pressure",
    .energies = true,
    .create = volume_create,
    .begin = volume_begin,
    .correlation = volume_correlation,
    .learn = volume_learn,
    .write = volume_write,
    .chunks = volume_chunks,
    .free = volume_free,
};
