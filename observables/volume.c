/* The volume of the box and its fluctuations at constant pressure.
 *
 * With H = U + P V, U the potential energy and P the barostat's pressure, and at equal times,
 *
 *   kappa = <dV^2>/(kT <V>),  alpha = <dV dH>/(k T^2 <V>),  C_P = <dH^2>/(k T^2) + kinetic part
 *
 * (Allen and Tildesley, Computer Simulation of Liquids, 2.5). Momenta are not sampled: their part of C_P is
 * exactly k/2 for each degree of freedom at any step. U excludes the energy of penalties, and the kinetic
 * part their degrees of freedom, so penalised molecules have the heat capacity of rigid ones. Fluctuations of
 * correlated samples are too small by that of their mean; the jackknife corrects for it.
 *
 * The density is counted in bins, whose width doubles when it leaves their range. */
#include <math.h>
#include <string.h>

#include "engine/units.h"
#include "observables/observable.h"

enum { BINS = 128, FINEST = 13 };                                 /* bits of the first density */
enum { SUM_V, SUM_V2, SUM_H, SUM_H2, SUM_VH, SUM_DENSITY, SUMS }; /* columns of a row */
enum { OUT_V, OUT_DENSITY, OUT_KAPPA, OUT_ALPHA, OUT_HEAT, OUT_P, OUTS = OUT_P + BINS };
enum { MONITORS = 2 };

static const double g_cm3 = 1.66053906660; /* of g/mol/A^3 */

/* Bin b begins at (first + b) width. */
typedef struct VolumeBins {
  double width; /* g/cm3; 0: no sample yet */
  int64_t first;
} VolumeBins;

typedef struct Volume {
  Observable is; /* rows: [BINS], [SUMS] */
  double mass;
  int molecules;
  bool *enthalpy; /* whether it is known for all samples */
  VolumeBins *bins;
} Volume;

static Status volume_create(void *self, const ObservableFrame *frame, Error *error)
{
  (void)error;
  Volume *v = self;
  const ObservableOptions *options = &v->is.options;
  v->is.shape = (BlockRowsShape){.whole = BINS, .real = SUMS, .monitors = MONITORS};
  v->is.nout = OUTS;
  v->is.heeded = true;
  v->molecules = observable_molecules(frame);
  v->bins = observable_kept(v, 1, sizeof *v->bins);
  v->enthalpy = observable_kept(v, 1, sizeof *v->enthalpy);
  if (v->enthalpy != NULL)
    *v->enthalpy = options->enthalpy;
  for (int b = 0; b < frame->nblock; b++)
    for (int s = 0; s < frame->block[b].kind->nsite; s++)
      v->mass += g_cm3 * frame->block[b].kind->mass[s] * frame->block[b].nmol;
  return STATUS_OK;
}

/* --- samples ------- */

/* The first and the last bin with samples, including this one. */
static void find_used(const Volume *v, int64_t bin, int64_t used[2])
{
  used[0] = used[1] = bin;
  for (int r = 0; r < block_rows_number(v->is.rows); r++)
    for (int64_t b = 0; b < BINS; b++)
      if (block_rows_at(v->is.rows, r).whole[b] > 0) {
        used[0] = v->bins->first + b < used[0] ? v->bins->first + b : used[0];
        used[1] = v->bins->first + b > used[1] ? v->bins->first + b : used[1];
      }
}

/* Replaces the bins by those from `first` on, merging `merged` into one. */
static void move_bins(const Volume *v, int64_t first, int merged)
{
  for (int r = 0; r < block_rows_number(v->is.rows); r++) {
    int64_t *const count = block_rows_at(v->is.rows, r).whole, old[BINS];
    memcpy(old, count, sizeof old);
    memset(count, 0, sizeof old);
    for (int64_t b = 0; b < BINS; b++)
      if (old[b] > 0)
        count[(v->bins->first + b) / merged - first] += old[b];
  }
  *v->bins = (VolumeBins){v->bins->width * merged, first};
}

/* Returns the bin of a density, changing the bins if necessary. Densities are positive, and so are indices of
 * bins with samples. */
static int64_t find_bin(const Volume *v, double density)
{
  int64_t used[2], bin;
  if (v->bins->width == 0.0)
    v->bins->width = ldexp(1.0, ilogb(density) - FINEST);
  while ((bin = (int64_t)floor(density / v->bins->width) - v->bins->first) < 0 || bin >= BINS) {
    find_used(v, bin + v->bins->first, used);
    if (used[1] - used[0] < BINS)
      move_bins(v, used[0] - (BINS - (used[1] - used[0])) / 2, 1);
    else
      move_bins(v, v->bins->first / 2, 2);
  }
  return bin;
}

/* The work is too small to share among threads. */
static Status volume_begin(void *self, const Team *team, const ObservableFrame *frame, Error *error)
{
  (void)team;
  const Volume *v = self;
  const double volume = box_volume(frame->box), density = v->mass / volume;
  *v->enthalpy = *v->enthalpy && frame->energy != NULL;
  const double enthalpy = *v->enthalpy ? *frame->energy + v->is.options.pressure * volume : 0.0;
  if (!(isnormal(density) && density > 0.0 && isfinite(enthalpy)))
    return error_set(error, STATUS_RUN, "the volume is %g A^3 and the enthalpy %g kcal/mol", volume,
                     enthalpy);
  const int64_t bin = find_bin(v, density); /* may move rows */
  const BlockRowsRow row = block_rows_now(v->is.rows, 0);
  row.whole[bin]++;
  row.real[SUM_V] += volume;
  row.real[SUM_V2] += volume * volume;
  row.real[SUM_H] += enthalpy;
  row.real[SUM_H2] += enthalpy * enthalpy;
  row.real[SUM_VH] += volume * enthalpy;
  row.real[SUM_DENSITY] += density;
  v->is.monitor[0] = density;
  v->is.monitor[1] = enthalpy;
  return STATUS_OK;
}

/* --- results ------- */

static void evaluate(const void *self, const double *sum, double n, double *out)
{
  const Volume *v = self;
  const double *mean = sum + BINS;
  const double kT = observable_kT(&v->is), kTT = kT * observable_temperature(&v->is);
  const double V = mean[SUM_V] / n, H = mean[SUM_H] / n;
  out[OUT_V] = V;
  out[OUT_DENSITY] = mean[SUM_DENSITY] / n;
  out[OUT_KAPPA] = (mean[SUM_V2] / n - V * V) / (kT * V) / UNITS_BAR;
  out[OUT_ALPHA] = (mean[SUM_VH] / n - V * H) / (kTT * V);
  out[OUT_HEAT] = ((mean[SUM_H2] / n - H * H) / kTT + v->is.options.kinetic) / v->molecules;
  for (int b = 0; b < BINS; b++)
    out[OUT_P + b] = sum[b] / (n * v->bins->width);
}

static bool fluctuates(const void *self, int k)
{
  (void)self;
  return k == OUT_KAPPA || k == OUT_ALPHA || k == OUT_HEAT;
}

/* Adds the distribution, without the empty bins at its ends. */
static void add_table(const Volume *v, const ObservableResult *r, ResultSet *set)
{
  const double *P = r->value + OUT_P;
  double density[BINS];
  int first = 0, end = BINS;
  while (first < end - 1 && P[first] == 0.0)
    first++;
  while (end > first + 1 && P[end - 1] == 0.0)
    end--;
  for (int b = 0; b < BINS; b++)
    density[b] = ((double)(v->bins->first + b) + 0.5) * v->bins->width;
  ResultTable *t = results_add_table(set, "volume", (size_t)(end - first));
  results_add_column(t, "density", density + first, NULL);
  results_add_column(t, "P", P + first, r->error + OUT_P + first);
  results_say(t, "distribution of the density, in the middle of bins of %.9g g/cm3\nsamples: %lld",
              v->bins->width, (long long)r->errors.samples);
  block_rows_say(&r->errors, "its correlation", t);
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
  const double rounding = 1e-12, kT = observable_kT(&v->is);
  const bool moves = value[OUT_KAPPA] * kT * UNITS_BAR > rounding * value[OUT_V];
  results_observed(report, "volume", "box", "mean_volume", value[OUT_V], error[OUT_V], NULL);
  results_observed(report, "volume", "box", "mean_density", value[OUT_DENSITY], error[OUT_DENSITY], NULL);
  for (size_t k = 0; k < sizeof fluctuation / sizeof *fluctuation; k++) {
    const char *const why = !(kT > 0.0) ? "left out: it needs the temperature"
                            : !moves    ? "left out: the volume does not change"
                            : fluctuation[k].enthalpy && !*v->enthalpy
                                ? "left out: it needs the energies of a run at "
                                  "constant pressure"
                                : NULL;
    results_observed(report, "volume", "box", fluctuation[k].name,
                     why == NULL ? value[fluctuation[k].out] : NAN,
                     why == NULL ? error[fluctuation[k].out] : NAN, why);
  }
}

static Status volume_write(void *self, ObservableResult *result, const char *dir, ResultSet *set,
                           Error *error)
{
  (void)dir;
  (void)error;
  add_table(self, result, set);
  report_all(self, result->value, result->error, set);
  return STATUS_OK;
}

const ObservableOps observable_volume = {
    .name = "volume",
    .doc = "distribution of the density; compressibility, thermal expansion and heat capacity at constant "
           "pressure",
    .size = sizeof(Volume),
    .energies = true,
    .boxed = true,
    .create = volume_create,
    .begin = volume_begin,
    .evaluate = evaluate,
    .fluctuates = fluctuates,
    .write = volume_write,
};
