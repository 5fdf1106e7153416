/* Every table that commands write, as numpy, pandas and Python's csv read it: one line of names fit for a
 * program, comments behind it, numbers in every field, times in ps where there are units. */
#include <sys/wait.h>

#include "tests/program.h"

static const char box[] =
    "system: {model: tip3p, molecules: 216, density: 0.98 g/cm3, minimise: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 40}\n"
    "thermostat: {temperature: 298.15 K, friction: 20 1/ps}\n"
    "output: {thermo_every: 10, rdf_every: 2, msd_every: 2, vacf_every: 2, dipole_every: 2,\n"
    "         pressure: both, progress: false}\n";
static const char pendulum[] = "units: reduced\n"
                               "system:\n"
                               "  dimensions: 2\n"
                               "  sites: [{mass: 1, position: [1, 0]}]\n"
                               "  constraints: [{type: anchor, site: 1, distance: 1}]\n"
                               "  potentials: [{type: gravity, acceleration: [0, -9.81]}]\n"
                               "geometry: {method: shake}\n"
                               "integrator: {word: BAB, timestep: 0.01, steps: 100}\n"
                               "output: {multipliers_every: 5, multipliers_window: 0.2}\n";

static const char ladder[] =
    "units: akma\n"
    "system: {model: tip3p, molecules: 5, anneal: false}\n"
    "geometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 0.05, steps: 2000}\n"
    "thermostat: {friction: 0.1, convention: mass}\n"
    "exchange: {temperatures: [60 K, 70 K, 82 K, 95 K], ladders: 4, reweight: [60 K, 75.5 K], interval: 20}\n"
    "output: {thermo_every: 100, rdf_every: 20, isomers_every: 100, equilibration: 0}\n";
static const char rotor[] = "system:\n"
                            "  dimensions: 2\n"
                            "  sites: [{mass: 12, position: [1, 0]}]\n"
                            "  constraints: [{type: anchor, site: 1, distance: 1}]\n"
                            "geometry: {method: shake}\n"
                            "ensemble: {replicas: 3}\n"
                            "integrator: {word: BAOAB, timestep: 1 fs, steps: 100}\n"
                            "thermostat: {type: langevin, temperature: 300 K, friction: 1 1/ps}\n"
                            "output: {multipliers_every: 5, multipliers_window: 5 fs}\n";
static const char study[] = "base: small.yaml\nset: [output.equilibration=0, output.report=no]\n"
                            "runs: [{name: one}, {name: other, set: [integrator.timestep=0.04]}]\n";

/* Runs leave no page, which takes longer than they do. */
static void calls(const char *arguments)
{
  const bool runs = strncmp(arguments, "run ", 4) == 0;
  const int code = program_call("%s%s", arguments, runs ? " --set output.report=no" : "");
  ck_assert_msg(code == 0, "%s: exit code %d: %s", arguments, code, program_output);
}

static int read_all(const char *names)
{
  const char *source = getenv("HOLONOM_SOURCE"), *python = getenv("HOLONOM_PYTHON");
  char command[1024];
  snprintf(command, sizeof command, "'%s' '%s/tests/read_csv.py' %s %s",
           python != NULL ? python : "/usr/bin/python3", source != NULL ? source : ".", program_scratch,
           names);
  const int status = system(command);
  return status == -1 || !WIFEXITED(status) ? 1 : WEXITSTATUS(status);
}

TEST(numpy_and_pandas_read_every_table)
{
  program_write("small.yaml", program_small);
  program_write("box.yaml", box);
  program_write("pendulum.yaml", pendulum);
  calls("run small.yaml -o many --quiet --set output.trajectory=[xyz] --set output.trajectory_every=100");
  calls("run small.yaml -o one --quiet --set ensemble.replicas=1 --set geometry.method=shake "
        "--set output.multipliers_every=10 --set output.multipliers_window=10");
  calls("rdf many/trajectory.xyz -o distances");
  calls("run box.yaml -o box --quiet");
  calls("run box.yaml -o boxes --quiet --set ensemble.replicas=2 --set integrator.steps=20");
  calls("run pendulum.yaml -o pendulum --quiet");
  calls("run pendulum.yaml -o pendulums --quiet --set ensemble.replicas=3");
  program_write("rotor.yaml", rotor);
  calls("run rotor.yaml -o rotor --quiet");
  program_write("ladder.yaml", ladder);
  calls("run ladder.yaml -o ladder --quiet");
  calls("run small.yaml -o cluster --quiet --set output.isomers_every=100 --set output.lindemann_every=10 "
        "--set output.lindemann_samples=50 --set output.vacf_every=5 --set output.vacf_max='0.1 ps'");
  program_write("study.yaml", study);
  calls("study study.yaml -o study --quiet");
  calls("observe isomers,lindemann many/trajectory.xyz --model tip3p --lindemann-samples 5 -o observed");
  const int code =
      read_all("thermo.csv replicas.csv rdf.csv rdf_replicas.csv multipliers.csv gofr.csv msd.csv "
               "vacf.csv vacf_spectrum.csv dipole.csv trajectory.csv energy.csv ensemble.csv "
               "ladder.csv heat_capacity.csv rdf_ladder.csv rdf_reweighted.csv isomers.csv "
               "isomers_reweighted.csv lindemann.csv study.csv study_runs.csv compare.csv");
  ck_assert_int_eq(code, 0);
}

int main(void)
{
  const int found = read_all("");
  if (found == SUITE_SKIPPED || found == 127)
    return SUITE_SKIPPED;
  return program_main("csv");
}
