/* Volumes at two pressures: whatever the forces, the log ratio of their distributions is a line in V of slope
 * -(P1 - P2)/kT. Samples are independent: as far apart as four correlation times. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/units.h"
#include "observables/distribution.h"
#include "observables/statistics.h"
#include "simulation/simulation_private.h"
#include "tests/shorter.h"
#include "tests/suite.h"

static const char *const barostat[] = {"type: monte-carlo, ", "type: rescale, "};
enum { BAROSTATS = (int)(sizeof barostat / sizeof *barostat) };

typedef struct Fluid {
  const char *system, *shape, *response; /* response: the pace of what scales by the pressure */
  double kelvin, bar[2];
  int samples[2]; /* steps of equilibration, samples 4 steps apart */
} Fluid;
static const Fluid fluid[] = {
    {"system: {atoms: {argon: 64}, density: 1.0 g/cm3, minimise: false}\n"
     "forces: {cutoff: 5 A, truncation: switch}\nintegrator: {word: BAOAB, timestep: 20 fs, steps: "
     "1000000}\n",
     "isotropic",
     "compressibility: 4/GPa, time: 1 ps, ",
     300.0,
     {1000.0, 1330.0},
     {800, 7000}},
    {"system: {model: tip3p, molecules: 64, density: 1 g/cm3, minimise: false}\n"
     "geometry: {method: settle}\nforces: {cutoff: 5 A, truncation: switch-pairs, accuracy: 2}\n"
     "integrator: {word: BAOAB, timestep: 5 fs, steps: 1000000}\n",
     "isotropic",
     "compressibility: 1/GPa, time: 0.1 ps, ",
     450.0,
     {6000.0, 8000.0},
     {1200, 2800}},
    /* A crystal, whose cell has all its freedoms. */
    {"system: {atoms: {argon: 108}, density: 1.7 g/cm3, minimise: false}\n"
     "forces: {cutoff: 6 A, truncation: switch}\nintegrator: {word: BAOAB, timestep: 20 fs, steps: "
     "1000000}\n",
     "cell",
     "compressibility: 0.4/GPa, time: 0.2 ps, ",
     40.0,
     {600.0, 700.0},
     {800, 3600}}};
enum { FLUIDS = (int)(sizeof fluid / sizeof *fluid), BINS = 8, FEWEST = SHORT ? 1 : 50 };

typedef struct Sample {
  double volume, share; /* share: by the law the chance that one of this volume is of the second run */
  int run;
} Sample;

static int by_volume(const void *a, const void *b)
{
  const double x = ((const Sample *)a)->volume, y = ((const Sample *)b)->volume;
  return (x > y) - (x < y);
}

static void run(int which, int k, double *volume)
{
  const Fluid *of = &fluid[which / BAROSTATS];
  char text[1024];
  Error error;
  Simulation *s;
  snprintf(text, sizeof text,
           "seed: %d\n%sensemble: {threads: 1}\nthermostat: {temperature: %g K, friction: 4/ps}\n"
           "barostat: {%s%sshape: %s, pressure: %g bar, every: 2}\noutput: {equilibration: 3 ps}\n",
           k + 1, of->system, of->kelvin, barostat[which % BAROSTATS],
           which % BAROSTATS == 0 ? "" : of->response, of->shape, of->bar[k]);
  ck_assert_msg(simulation_parse(&s, "case.yaml", text, NULL, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_step(s, of->samples[0] / SHORTER, NULL, &error) == STATUS_OK, "%s", error.text);
  for (int i = 0; i < of->samples[1] / SHORTER; i++) {
    ck_assert_msg(simulation_step(s, 4, NULL, &error) == STATUS_OK, "%s", error.text);
    const Box box = simulation_box(s, 0);
    volume[i] = box_volume(&box);
  }
  simulation_free(s);
}

/* The independent ones of both, by volume. */
static int gather(int which, Sample *sample)
{
  const int most = fluid[which / BAROSTATS].samples[1] / SHORTER;
  double *volume[2], tau = 0.0;
  int n = 0;
  for (int k = 0; k < 2; k++) {
    volume[k] = malloc((size_t)most * sizeof *volume[k]);
    run(which, k, volume[k]);
    tau = fmax(tau, statistics_correlation_time(volume[k], most));
  }
  const int stride = (int)ceil(4.0 * tau);
  ck_assert_int_ge(most / stride, FEWEST);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < most; i += stride)
      sample[n++] = (Sample){.volume = volume[k][i], .run = k};
    free(volume[k]);
  }
  qsort(sample, (size_t)n, sizeof *sample, by_volume);
  return n;
}

/* By the law one of volume V is of the second run with the chance 1/(1 + exp((V - c) slope)); c is where as
 * many are as there are. */
static void set_shares(Sample *sample, int n, double slope)
{
  double low = sample[0].volume - 1e4, high = sample[n - 1].volume + 1e4;
  while (high - low > 1e-9 * high) {
    const double c = 0.5 * (low + high);
    double excess = 0.0;
    for (int i = 0; i < n; i++) {
      sample[i].share = 1.0 / (1.0 + exp((sample[i].volume - c) * slope));
      excess += sample[i].share - sample[i].run;
    }
    *(excess < 0.0 ? &low : &high) = c;
  }
}

/* Counts in bins that hold as many of both together, and the slope. */
START_TEST(the_ratio_is_a_line)
{
  static Sample sample[20000];
  const double kT = fluid[_i / BAROSTATS].kelvin * UNITS_BOLTZMANN;
  const double *bar = fluid[_i / BAROSTATS].bar;
  const int n = gather(_i, sample);
  if (SHORT) /* too few to tell one line from another */
    return;
  set_shares(sample, n, (bar[1] - bar[0]) / UNITS_BAR / kT);
  double chi2 = 0.0, weight = 0.0, centre = 0.0, score = 0.0, information = 0.0;
  for (int b = 0; b < BINS; b++) {
    double difference = 0.0, variance = 0.0;
    for (int i = b * n / BINS; i < (b + 1) * n / BINS; i++) {
      difference += sample[i].run - sample[i].share;
      variance += sample[i].share * (1.0 - sample[i].share);
      weight += sample[i].share * (1.0 - sample[i].share);
      centre += sample[i].share * (1.0 - sample[i].share) * sample[i].volume;
    }
    const double z = difference / sqrt(variance);
    ck_assert_msg(fabs(z) < 3.5, "bin %d: %g of %g +- %g", b, difference, variance, sqrt(variance));
    chi2 += z * z;
  }
  for (int i = 0; i < n; i++) {
    const double v = sample[i].volume - centre / weight;
    score += (sample[i].run - sample[i].share) * v;
    information += sample[i].share * (1.0 - sample[i].share) * v * v;
  }
  const double p = distribution_chi2_above(chi2, BINS - 1), z = score / sqrt(information);
  ck_assert_msg(p > 0.0005 && p < 0.9995, "chi2 %g, p %g", chi2, p);
  ck_assert_msg(fabs(z) < 3.5, "slope: %g", z);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("two_pressures");
  tcase_set_timeout(tc, 120.0);
  tcase_add_loop_test(tc, the_ratio_is_a_line, 0, FLUIDS * BAROSTATS);
  return suite_main("two_pressures", tc);
}
