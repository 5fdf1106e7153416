/* Volumes at two pressures (volume_ratio.h): of argon and of water, with each barostat. */
#include "engine/units.h"
#include "simulation/simulation_private.h"
#include "tests/shorter.h"
#include "tests/suite.h"
#include "tests/volume_ratio.h"

static const char *const barostat[] = {"type: monte-carlo, ", "type: rescale, "};
enum { BAROSTATS = (int)(sizeof barostat / sizeof *barostat) };

/* Fluids are hot and thin enough for a volume to be forgotten within some tens of moves. Both pressures have
 * one mesh: the ratio is a line for one energy. */
typedef struct Fluid {
  const char *system, *shape, *response; /* response: the pace of what scales by the pressure */
  double kelvin, bar[2];
  int every[2];   /* moves of each barostat */
  int samples[2]; /* steps of equilibration; samples 4 steps apart */
} Fluid;
static const Fluid fluid[] = {
    {"system: {atoms: {argon: 64}, density: 0.6 g/cm3, minimise: false}\n"
     "forces: {cutoff: 5 A, truncation: switch}\nintegrator: {word: BAOAB, timestep: 20 fs, steps: "
     "1000000}\n",
     "isotropic",
     "compressibility: 10/GPa, time: 0.7 ps, ",
     400.0,
     {600.0, 780.0},
     {1, 4},
     {400, 3600}},
    {"system: {model: tip3p, molecules: 216, mass_H: 4, density: 0.4 g/cm3, minimise: false}\n"
     "geometry: {method: settle}\nforces: {cutoff: 5 A, truncation: switch-pairs, beta: 0.3, grid: 12, "
     "order: 4}\n"
     "integrator: {word: BAOAB, timestep: 8 fs, steps: 1000000}\n",
     "isotropic",
     "compressibility: 4/GPa, time: 0.2 ps, ",
     1000.0,
     {2000.0, 2370.0},
     {1, 1},
     {1000, 3000}},
    /* A crystal, whose cell has all its freedoms. */
    {"system: {atoms: {argon: 108}, density: 1.7 g/cm3, minimise: false}\n"
     "forces: {cutoff: 6 A, truncation: switch}\nintegrator: {word: BAOAB, timestep: 20 fs, steps: "
     "1000000}\n",
     "cell",
     "compressibility: 0.4/GPa, time: 0.2 ps, ",
     40.0,
     {600.0, 700.0},
     {2, 2},
     {800, 3600}}};
enum { FLUIDS = (int)(sizeof fluid / sizeof *fluid) };

static void run(int which, int k, double *volume)
{
  const Fluid *of = &fluid[which / BAROSTATS];
  char text[1024];
  Error error;
  Simulation *s;
  snprintf(text, sizeof text,
           "seed: %d\n%sensemble: {threads: 1}\nthermostat: {temperature: %g K, friction: 4/ps}\n"
           "barostat: {%s%sshape: %s, pressure: %g bar, every: %d}\noutput: {equilibration: 8 ps}\n",
           k + 1, of->system, of->kelvin, barostat[which % BAROSTATS],
           which % BAROSTATS == 0 ? "" : of->response, of->shape, of->bar[k], of->every[which % BAROSTATS]);
  ck_assert_msg(simulation_parse(&s, "case.yaml", text, NULL, 0, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(simulation_step(s, of->samples[0] / SHORTER, NULL, &error) == STATUS_OK, "%s", error.text);
  for (int i = 0; i < of->samples[1] / SHORTER; i++) {
    ck_assert_msg(simulation_step(s, 4, NULL, &error) == STATUS_OK, "%s", error.text);
    const Box box = simulation_box(s, 0);
    volume[i] = box_volume(&box);
  }
  simulation_free(s);
}

TEST(the_ratio_is_a_line, .rows = suite_rows(BAROSTATS, FLUIDS *BAROSTATS))
{
  enum { FEWEST = SHORT ? 1 : 40 };
  const Fluid *of = &fluid[_i / BAROSTATS];
  double *volume[2];
  const int64_t n[2] = {of->samples[1] / SHORTER, of->samples[1] / SHORTER};
  for (int k = 0; k < 2; k++) {
    volume[k] = malloc((size_t)n[k] * sizeof *volume[k]);
    run(_i, k, volume[k]);
  }
  const VolumeRatio ratio =
      volume_ratio(volume, n, (of->bar[1] - of->bar[0]) / UNITS_BAR / (of->kelvin * UNITS_BOLTZMANN));
  for (int k = 0; k < 2; k++) {
    ck_assert_int_ge(ratio.samples[k], FEWEST);
    free(volume[k]);
  }
  ck_assert_msg(SHORT || volume_ratio_holds(&ratio),
                "slope %g +- %g (z %g), bins: %g %g %g %g %g %g %g %g, p %g", ratio.slope, ratio.error,
                ratio.z, ratio.bin[0], ratio.bin[1], ratio.bin[2], ratio.bin[3], ratio.bin[4], ratio.bin[5],
                ratio.bin[6], ratio.bin[7], ratio.p);
}
