/* Windows and metadynamics of several processes (mpirun): the bytes of one process for any number of them,
 * also after a restart with another number; a fault ends all. */
#include "tests/chain_of_four.h"
#include "tests/mpirun.h"
#include "tests/pair_in_gas.h"

#define OPEN                                                                                                 \
  "run.yaml --quiet --threads 1 --set ensemble.replicas=24 --set \"output.torsions=[{name: phi, atoms: [A, " \
  "B, C, D]}]\" --set \"output.equilibration=400 fs\" "
#define BOXES   "boxes.yaml --quiet --threads 1 --set ensemble.replicas=5 "
#define PRESSED BOXES "--set barostat.type=rescale --set barostat.every=3 --set 'barostat.pressure=20 bar' "

static const char *const runs[] = {
    OPEN "--set \"biases=[{on: [phi], type: metadynamics, height: 0.1, width: 0.4, every: 0.2 ps, factor: "
         "6}]\" ",
    OPEN "--set \"biases=[{on: [phi], type: harmonic, k: 10, centre: 'linear(-180, 180)'}]\" ",
    PRESSED "--set \"biases=[{on: [d], type: metadynamics, height: 0.1, width: 0.25, every: 0.24 ps, factor: "
            "6, from: 2 A, to: 8 A}]\" ",
    BOXES "--set \"biases=[{on: [d], type: harmonic, k: 4, centre: 'linear(3.4 A, 6.2 A)'}]\" "};

static void begin(void)
{
  program_do("rm -rf *");
  begin_chain();
  write_pair();
  program_write("boxes.yaml",
                PAIR_SYSTEM "integrator: {word: BAOAB, timestep: 20 fs, steps: 400}\n"
                            "thermostat: {temperature: 300 K, friction: 2/ps}\n"
                            "output: {thermo_every: 10, report: false, progress: false, rdf_every: 0, "
                            "equilibration: 1 ps, distances_every: 0, distances: "
                            "[{name: d, atoms: [index 0, index 1]}]}\n");
}

static void same(const char *one, const char *other)
{
  program_does("diff -r -x holonom.log -x holonom.files -x input.yaml -x 'checkpoint.*' -x summary.yaml -x "
               "results.json -x '*.pdf' %s %s && ls %s/free_energy_*.csv",
               one, other, one);
}

/* Cut at a hill or between two, and continued by another number of processes, at last by one. */
TEST(ranks_are_one_run, .rows = 4)
{
  if (no_mpi())
    return;
  begin();
  const char *const run = runs[_i];
  const int at = _i == 2 ? 120 : 150;
  program_does("$P run %s-o whole --set integrator.steps=400", run);
  program_does(MPIRUN "3 $P run %s-o three --set integrator.steps=400", run);
  same("whole", "three");
  program_does(MPIRUN "2 $P run %s-o cut --set integrator.steps=%d && " MPIRUN
                      "3 $P run %s-o cut --resume --set integrator.steps=%d && $P run %s-o cut --resume "
                      "--set integrator.steps=400",
               run, at, run, at + 67, run);
  same("whole", "cut");
}

/* Hills of all walkers: each process alone would have fewer. */
TEST(hills_are_those_of_all_walkers)
{
  if (no_mpi())
    return;
  begin();
  program_does(MPIRUN "3 $P run %s-o three --set integrator.steps=400", runs[0]);
  program_does("grep -q '^# hills: %d, and 0 left out' three/free_energy_phi.csv", 24 * (400 / 50 - 1));
}

/* A fault of one process ends all, with its error, at the step at which one process would have ended. The
 * first is between hills; the second in a move of the box at a step with hills, where others wait. */
TEST(a_fault_ends_all, .rows = 2)
{
  if (no_mpi())
    return;
  begin();
  static const char *const set[] = {"--set thermostat.temperature=60000 --set integrator.steps=3000 ",
                                    "--set barostat.type=monte-carlo --set barostat.every=12 --set "
                                    "barostat.pressure=3kbar --set 'forces.cutoff=12 A' --set "
                                    "integrator.steps=9000 "};
  const char *const run = runs[_i == 0 ? 0 : 2];
  program_does("$P run %s%s-o whole; test $? = 3", run, set[_i]);
  program_does(MPIRUN "3 $P run %s%s-o three; test $? = 3", run, set[_i]);
  if (_i == 1)
    program_says("the barostat proposed a box that the forces cannot use");
  program_does("grep '^message' whole/summary.yaml; grep '^message' three/summary.yaml");
  program_does("diff whole/thermo.csv three/thermo.csv");
}
