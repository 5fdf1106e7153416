/* Runs of polymers whose bonds, or bonds and angles, tie all atoms to one group. */
#include "tests/polymers.h"
#include "tests/program.h"

static Polymer polymer;

static void begin(int carbons, bool ring, const char *settings)
{
  polymer_make(&polymer, "poly", carbons, ring);
  FILE *file = program_create("poly.yaml");
  fprintf(
      file,
      "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.5, 0.066], H: [2.5, 0.03]}\nmolecules:\n"
      "%ssystem: [[poly, 1]]\n",
      polymer.text);
  ck_assert_int_eq(fclose(file), 0);
  file = program_create("poly.xyz");
  fprintf(file, "%d\n\n", polymer.n);
  for (int i = 0; i < polymer.n; i++)
    fprintf(file, "%s %.8f %.8f %.8f\n", i < carbons ? "C" : "H", polymer.x[i][0], polymer.x[i][1],
            polymer.x[i][2]);
  ck_assert_int_eq(fclose(file), 0);
  file = program_create("run.yaml");
  fprintf(file,
          "system: {topology: poly.yaml, file: poly.xyz, minimise: false}\n%s"
          "output: {report: false, progress: false, thermo_every: 1, equilibration: 0 ps}\n",
          settings);
  ck_assert_int_eq(fclose(file), 0);
}

/* The scatter of the conserved energy in a run's thermo.csv. */
static double scatter(const char *dir)
{
  char path[64];
  snprintf(path, sizeof path, "%s/thermo.csv", dir);
  const char *text = program_read(path), *const name = strstr(text, ",conserved,");
  double sum = 0.0, square = 0.0;
  int n = 0, column = 1;
  ck_assert_ptr_nonnull(name);
  for (const char *at = text; at < name; at++)
    column += *at == ',';
  for (const char *line = strchr(text, '\n'); line != NULL && line[1] != '\0';
       line = strchr(line + 1, '\n')) {
    if (line[1] == '#')
      continue;
    const char *cell = line + 1;
    for (int k = 0; k < column; k++)
      cell = strchr(cell, ',') + 1;
    const double x = atof(cell);
    sum += x;
    square += x * x;
    n++;
  }
  ck_assert_int_gt(n, 10);
  return sqrt(fmax(square / n - sum / n * (sum / n), 0.0));
}

static const struct {
  const char *geometry;
  int carbons;
  bool ring;
} cases[] = {
    {"{constrain: all-bonds, method: rattle}", 33, false},
    {"{constrain: all-bonds, method: shake}", 100, false},
    {"{constrain: all-bonds, method: shake}", 34, true},
    {"{constrain: h-angles, method: shake}", 33, false},
    {"{constrain: all-bonds, method: penalty, w: 8}", 33, false},
};

/* Chains of 101 and 302 atoms and a ring conserve their energy at second order in the step. */
TEST(energies_are_conserved_at_second_order, .rows = sizeof cases / sizeof *cases)
{
  char settings[512];
  double off[2];
  snprintf(settings, sizeof settings,
           "geometry: %s\nintegrator: {word: BAB, timestep: 1 fs, steps: 40}\n"
           "thermostat: {type: none, temperature: 300 K, initial: maxwell}\n",
           cases[_i].geometry);
  begin(cases[_i].carbons, cases[_i].ring, settings);
  program_runs("run run.yaml -o coarse --force");
  program_runs(
      "run run.yaml -o fine --force --set \"integrator.timestep=0.5 fs\" --set integrator.steps=80 --set "
      "output.thermo_every=2");
  off[0] = scatter("coarse");
  off[1] = scatter("fine");
  ck_assert_msg(off[0] > 3.4 * off[1] && off[0] < 4.6 * off[1], "%g and %g", off[0], off[1]);
}

/* The thermostat leaves constraints and momenta as they must be: kinetic energies of the degrees of freedom
 * that are left, in many replicas. */
TEST(constrained_polymers_are_as_warm_as_their_thermostat)
{
  begin(33, false,
        "geometry: {constrain: h-angles, method: rattle}\n"
        "integrator: {word: BAOAB, timestep: 1 fs, steps: 200}\n"
        "thermostat: {temperature: 300 K, friction: 100/ps}\nensemble: {replicas: 16}\n");
  program_runs("run run.yaml -o warm --set \"output.equilibration=0.05 ps\"");
  const double t = program_summary("warm", "temperature_unbiased"),
               off = program_summary("warm", "temperature_unbiased_err");
  ck_assert_msg(fabs(t - 300.0) < 4.0 * off + 3.0, "%g +- %g", t, off);
}

/* A run in two pieces ends with the bits of one, with two threads with those of one thread. */
TEST(polymers_are_continued_bit_for_bit)
{
  begin(33, false,
        "geometry: {constrain: all-bonds, method: shake, fixman: true}\n"
        "integrator: {word: BAOAB, timestep: 2 fs, steps: 30}\n"
        "thermostat: {temperature: 300 K, friction: 1/ps}\nensemble: {replicas: 20}\n");
  program_runs("run run.yaml -o whole --set ensemble.threads=1");
  program_runs("run run.yaml -o pieces --set integrator.steps=11");
  program_runs("run run.yaml -o pieces --resume --set ensemble.threads=2");
  program_same("whole", "pieces", "thermo.csv");
  program_same("whole", "pieces", "final.gro");
}
