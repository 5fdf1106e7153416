/* Runs of some of the replicas, merged: the bytes of one run, whatever the division, in one go or in two,
 * with other divisions; what does not go together is refused. */
#include <unistd.h>

#include "tests/h5_same.h"
#include "tests/mpirun.h"
#include "tests/program.h"
#include "tests/shorter.h"

static const char box[] =
    "system: {atoms: {argon: 100}, density: 0.05 g/cm3, minimise: false}\n"
    "integrator: {word: BAOAB, timestep: 5 fs, steps: 120}\n"
    "thermostat: {temperature: 300 K, friction: 50 1/ps}\n"
    "ensemble: {replicas: 3}\n"
    "output: {report: false, thermo_every: 10, rdf_every: 10, msd_every: 10, trajectory: dcd, "
    "trajectory_every: 20, trajectory_replica: 2, velocities: false}\n";

/* At constant pressure replicas have boxes of their own, and moves of them that are counted. */
#define PRESSED                                                                                              \
  "box.yaml --quiet --set barostat.type=monte-carlo --set 'barostat.pressure=30 bar' --set "                 \
  "barostat.every=4 --set barostat.shape=axes --set 'output.equilibration=100 fs' "

/* Cells in all their freedoms, in the files of every replica and the one of all. */
#define CELLS                                                                                                \
  PRESSED "--set barostat.shape=cell --set output.trajectory=dcd,xtc,xyz,gro" PROGRAM_H5MD                   \
          " --set output.xtc_every=30 --set output.trajectory_replica=all "

/* 20 replicas are two groups and a half. */
static const char sites[] = "units: reduced\n"
                            "system:\n"
                            "  dimensions: 2\n"
                            "  sites: [{position: [\"1\", \"0\"]}, {position: [\"1\", \"1\"]}]\n"
                            "  constraints: [{type: anchor, site: 1, distance: 1},\n"
                            "                {type: distance, sites: [1, 2], distance: 1}]\n"
                            "  potentials: [{type: gravity, acceleration: [0, -1]}]\n"
                            "geometry: {method: rattle}\n"
                            "integrator: {word: BAOAB, timestep: 0.01, steps: 517}\n"
                            "thermostat: {type: langevin, temperature: 1, friction: 1}\n"
                            "ensemble: {replicas: 20}\n"
                            "output: {report: false, trajectory_every: 5, trajectory_replica: 11, "
                            "thermo_every: 7, multipliers_every: 3, "
                            "observables: {reach: x2^2 + y2^2}}\n";
static const char hamiltonian[] =
    "units: reduced\n"
    "system:\n"
    "  hamiltonian: \"(p1^2 + p2^2)/2 + q2\"\n"
    "  position: [0.8, -0.6]\n"
    "  momentum: [0.6, 0.8]\n"
    "  constraints: [{formula: \"q1^2 + q2^2 - 1\"}]\n"
    "integrator: {method: geometric-rattle, base: stormer-verlet, timestep: 0.1, "
    "steps: 305}\n"
    "ensemble: {replicas: 12}\n"
    "output: {report: false, trajectory_every: 10, trajectory_replica: 9, thermo_every: 10}\n";

/* Two ladders in each group of 8; 20 of 8 temperatures have 16 histograms of energies. */
static const char ladder[] = "system: {model: tip3p, molecules: 3, anneal: false}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, steps: 1200}\n"
                             "thermostat: {friction: 5/ps}\n"
                             "exchange: {temperatures: [60 K, 70 K, 82 K, 95 K], ladders: 6, interval: 20, "
                             "reweight: [60 K, 83 K]}\n"
                             "output: {report: false, thermo_every: 50, equilibration: 0.2 ps, trajectory: "
                             "[xyz], trajectory_every: 100, "
                             "trajectory_replica: 13, isomers_every: 400}\n";
#define LADDER "ladder.yaml --threads 1 --quiet "
#define LADDERS                                                                                              \
  LADDER "--set exchange.temperatures= --set exchange.lowest=50 --set exchange.highest=90 --set "            \
         "exchange.number=8 --set integrator.steps=600 --set exchange.ladders=20 --set "                     \
         "exchange.momenta=redrawn "
#define TUNED LADDER "--set exchange.tunings=2 "

#define FRAMES                                                                                               \
  "--set output.trajectory=xyz,dcd --set output.trajectory_every=70 --set output.trajectory_replica=9 "
#define CLUSTER                                                                                              \
  "small.yaml --threads 1 --set output.report=false --set ensemble.replicas=24 --set geometry.method=shake " \
  "--set "                                                                                                   \
  "output.multipliers_every=7 "                                                                              \
  "--set output.multipliers_window=2 " FRAMES

static void setup(void)
{
  setenv("STEPS", SHORT || !suite_nightly() ? "6000" : "20000", 1); /* of runs that are killed */
  program_does("rm -rf *");
  program_write("small.yaml", program_small);
  program_write("box.yaml", box);
  program_write("sites.yaml", sites);
  program_write("hamiltonian.yaml", hamiltonian);
  program_write("ladder.yaml", ladder);
}

/* All files of both folders (of H5MD the contents), but times and what names the input and the steps taken.
 */
static void same(const char *a, const char *b)
{
  char line[1024];
  snprintf(line, sizeof line,
           "diff -r -x holonom.log -x '*.h5md' -x holonom.files -x input.yaml -x 'checkpoint.*' -x "
           "summary.yaml -x results.json -x report.html -x '*.pdf' %s %s && for d in %s %s; do "
           "grep -v -e '^wall' -e per_second -e share -e '^  ' -e threads -e ns_per_day $d/summary.yaml > "
           "$d.summary; grep -v -e '\"wall\"' -e '\"message\"' -e 'went wrong' -e 'This run failed' -e "
           "per_second -e share -e "
           "'\"threads' -e "
           "ns_per_day "
           "$d/results.json > "
           "$d.results; done && "
           "diff %s.summary %s.summary && diff %s.results %s.results && test -s %s/replicas.csv",
           a, b, a, b, a, b, a, b, a);
  program_does("%s", line);
  char one[512], other[512];
  snprintf(one, sizeof one, "%s/%s/trajectory.h5md", program_scratch, a);
  snprintf(other, sizeof other, "%s/%s/trajectory.h5md", program_scratch, b);
  ck_assert_int_eq(access(one, F_OK), access(other, F_OK));
  if (access(one, F_OK) == 0)
    h5_same(one, other);
}

static void refused(const char *line, const char *why)
{
  ck_assert_msg(program_shell("%s", line) == 2, "%s: %s", line, program_output);
  program_says(why);
}

TEST(three_tasks_are_one_run)
{
  program_does("$P run " CLUSTER "-o whole --quiet --threads 2");
  program_does("$P run " CLUSTER "-o a --quiet --replicas 0..7 & "
               "$P run " CLUSTER "-o b --quiet --replicas 8..15 & $P run " CLUSTER
               "-o c --quiet --replicas 16..23; wait");
  program_does("$P merge c a b -o merged --quiet --threads 1");
  same("whole", "merged");
}

/* Merging makes no step: it says once that it is done, and no speed. */
TEST(merging_says_no_speed)
{
  program_do("for i in 0 1 2; do $P run " CLUSTER
             "-o p$i --quiet --replicas $((8 * i))..$((8 * i + 7)); done");
  program_does("$P merge p0 p1 p2 -o told --threads 1");
  program_says("done in");
  ck_assert_msg(strstr(program_output, " 0 replica-steps/s") == NULL, "%s", program_output);
  const char *const first = strstr(program_output, "done in");
  ck_assert_msg(first != NULL && strstr(first + 1, "done in") == NULL, "%s", program_output);
}

/* A run that has been merged goes on in one process, or in parts of another division. */
TEST(another_division_goes_on)
{
#define LONG CLUSTER "--set integrator.steps=3000 "
  program_does("$P run " CLUSTER "-o a --quiet --replicas 0..7 && $P run " CLUSTER
               "-o b --quiet --replicas 8..23 && "
               "$P merge a b -o first --quiet && cp -r first second && cp -r first third");
  program_does("$P run " LONG "-o whole --quiet");
  program_does("$P run " LONG "-o first --quiet --resume");
  same("whole", "first");
  program_does("$P run " LONG "-o d --quiet --replicas 0..15 --from second && "
               "$P run " LONG "-o e --quiet --replicas 16..23 --from second");
  program_does("$P merge d e -o second --quiet");
  same("whole", "second");
  refused("$P merge d e -o second", "second is at step 3000, but its parts began at step 2000");
}

/* The script for Slurm: stopped before the limit, and the same line again. */
TEST(array_script)
{
  /* A signal while the leak sanitizer has the process stopped leaves it spinning: killed then. */
  program_does(
      "sed -e 's/replicas: 16/replicas: 24/' -e 's/method: settle/method: shake/' small.yaml > s.yaml");
  program_does("$P run s.yaml --threads 1 -o whole --quiet");
  program_does(
      "for again in 1 2; do for i in 0 1 2; do SLURM_ARRAY_TASK_ID=$i PER_TASK=8 HOLONOM=$P timeout -k 20 "
      "$((again * again))0e-2 bash $HOLONOM_SOURCE/examples/cluster/array.sh s.yaml; done; done; "
      "for i in 0 1 2; do SLURM_ARRAY_TASK_ID=$i PER_TASK=8 HOLONOM=$P bash "
      "$HOLONOM_SOURCE/examples/cluster/array.sh s.yaml || exit 1; done");
  program_does("$P merge part-* -o merged --quiet --threads 1");
  same("whole", "merged");
}

/* Killed parts go on from their checkpoints: the first kill waits until there is one. */
TEST(killed_parts_lose_nothing)
{
#define RUN CLUSTER "--set integrator.steps=$STEPS --set output.checkpoint_every=0.01 --quiet "
  program_does("$P run " RUN "-o whole");
  program_does("for i in 1 2 3; do for r in 0..7 8..23; do "
               "$P run " RUN "-o $r --replicas $r $(test -e $r/checkpoint.hol && echo --resume) & "
               "for again in $(seq 3000); do test -e $r/checkpoint.hol && break; sleep 0.02; done; "
               "sleep 0.1; kill -KILL $! 2>/dev/null; wait; done; done; true");
  program_does("for r in 0..7 8..23; do $P run " RUN "-o $r --replicas $r --resume; done");
  program_does("$P merge 0..7 8..23 -o merged --quiet --threads 1");
  same("whole", "merged");
}

TEST(boxes_too)
{
  program_does("$P run box.yaml --threads 1 -o whole --quiet");
  program_does("for r in 0..0 1..1 2..2; do $P run box.yaml --threads 1 -o $r --quiet --replicas $r; done");
  program_does("$P merge 0..0 1..1 2..2 -o merged --quiet --threads 1");
  same("whole", "merged");
}

/* Parts, each in two goes, of a run with a barostat. */
static void in_parts(const char *run)
{
  char line[2048];
  program_do("rm -rf whole merged 0..0 1..2");
  snprintf(
      line, sizeof line,
      "$P run %s--threads 3 -o whole && grep -q 'barostat_acceptance: \\[[0-9., ]*\\]' whole/summary.yaml",
      run);
  program_does("%s", line);
  snprintf(line, sizeof line,
           "for r in 0..0 1..2; do $P run %s--threads 1 -o $r --replicas $r --set integrator.steps=70; "
           "$P run %s--threads 1 -o $r --replicas $r --resume; done",
           run, run);
  program_does("%s", line);
  program_does("$P merge 0..0 1..2 -o merged --quiet --threads 1");
  same("whole", "merged");
}

TEST(boxes_of_constant_pressure_too)
{
  if (suite_nightly()) /* cells have all freedoms of a box, and more files */
    in_parts(PRESSED);
  in_parts(CELLS);
}

/* Files of every replica, and one of all. */
#define ALL                                                                                                  \
  "--threads 1 --quiet --set output.trajectory=dcd,xtc,xyz" PROGRAM_H5MD                                     \
  " --set output.trajectory_every=20 --set output.xtc_every=30 --set 'output.dcd_atoms=molnum 1:2' --set "   \
  "output.trajectory_replica=all --set integrator.steps=120 "
TEST(trajectories_of_all)
{
  program_does("$P run small.yaml " ALL "-o whole; test -s whole/replica-15/trajectory.xyz");
  program_does("for r in 0..7 8..15; do $P run small.yaml " ALL "-o $r --replicas $r; done");
  program_does("$P merge 8..15 0..7 -o merged --quiet --threads 1");
  same("whole", "merged");
  program_does("$P run box.yaml " ALL "-o box; test -s box/replica-2/trajectory.dcd");
  program_does("for r in 0..0 1..2; do $P run box.yaml " ALL "-o $r --replicas $r; done");
  program_does("$P merge 0..0 1..2 -o boxes --quiet --threads 1");
  same("box", "boxes");
}

/* A part's last row, which is due only because the run ends there, is the whole's: a longer one has it not.
 */
TEST(mechanical_systems_too, .rows = 2)
{
  static const char *const cases[] = {"sites", "hamiltonian"};
  static const char *const ranges[] = {"0..7 8..15 16..19", "0..7 8..11"};
  char line[1024];
  snprintf(
      line, sizeof line,
      "run() { $P run %s.yaml --threads 1 --quiet \"$@\"; }; long='--set integrator.steps=1000'; "
      "run -o whole && run -o longer $long && for r in %s; do run -o $r --replicas $r || exit 1; done && "
      "$P merge %s -o merged --quiet && cp -r merged onwards && cp -r merged again && "
      "run -o onwards $long --resume && "
      "for r in %s; do run -o part-$r --replicas $r --from merged $long || exit 1; done && "
      "$P merge part-* -o again --quiet",
      cases[_i], ranges[_i], ranges[_i], ranges[_i]);
  program_does("%s", line);
  same("whole", "merged");
  same("longer", "onwards");
  same("longer", "again");
  program_does("test -s merged/replicas.csv && grep -q 'sums over' merged/summary.yaml && ! grep -q "
               "'per_second: 0' merged/summary.yaml");
}

/* Whole ladders each: exchanges, histograms of energies and rows by temperature are those of one process. */
TEST(ladders_too)
{
  program_does("$P run " LADDER "-o whole --threads 2");
  program_does("$P run " LADDER "-o a --replicas 0..7 & $P run " LADDER "-o b --replicas 8..23 "
               "--set integrator.steps=700; wait");
  program_does("$P run " LADDER
               "-o b --replicas 8..23 --resume && $P merge b a -o merged --quiet --threads 1");
  same("whole", "merged");
  program_does(
      "test -s whole/heat_capacity.csv && test -s whole/isomers.csv && test -s whole/rdf_ladder.csv && test "
      "-s whole/trajectory.xyz");
  program_does("$P run " LADDERS "-o many");
  program_does("for r in 0..55 56..159; do $P run " LADDERS
               "-o $r --replicas $r || exit 1; done && $P merge 0..55 56..159 "
               "-o together --quiet --threads 1");
  same("many", "together");
  refused("$P run " LADDER "-o x --replicas 0..3", "Use 0..7; possible ranges: 0..7, 8..15, "
                                                   "16..23");
  refused("$P run " LADDERS "-o x --replicas 8..15", "Use 0..15; possible ranges: 0..15, 16..23");
  refused("$P run " LADDER "-o x --set output.trajectory= --set output.trajectory_replica=0 --set "
          "exchange.ladders=1 --replicas 0..1",
          "Use 0..7");
}

/* Temperatures are tuned by one process; then parts go on. */
TEST(tuned_ladders_too)
{
  program_does("$P run " TUNED "-o whole && $P run " TUNED "-o first --set integrator.steps=300");
  refused("$P run " TUNED "-o x --replicas 0..7",
          "up to step 120 from the energies of all replicas: run beyond equilibration in one process");
  program_does("for r in 0..15 16..23; do $P run " TUNED
               "-o $r --replicas $r --from first || exit 1; done && "
               "$P merge 0..15 16..23 -o first --quiet --threads 1");
  same("whole", "first");
}

/* --- processes of one call ------- */

/* One, two and three processes; cut, and on with another number of them. */
TEST(ranks_are_one_run)
{
  if (no_mpi())
    return;
  program_does("$P run " CLUSTER "-o whole --quiet");
  program_does(MPIRUN "3 $P run " CLUSTER "-o three --quiet");
  program_does(MPIRUN "3 $P run " CLUSTER "-o cut --quiet --set integrator.steps=700 && " MPIRUN
                      "2 $P run " CLUSTER
                      "-o cut --quiet --resume --set integrator.steps=1300 && $P run " CLUSTER
                      "-o cut --quiet --resume");
  same("whole", "three");
  same("whole", "cut");
  program_does("$P run box.yaml --threads 1 -o box --quiet && " MPIRUN
               "2 $P run box.yaml --threads 1 -o boxes --quiet");
  same("box", "boxes");
  if (!SHORT) {
    program_does("$P run " PRESSED "-o pressed && " MPIRUN "2 $P run " PRESSED
                 "--threads 1 -o press --set integrator.steps=70 && " MPIRUN "3 $P run " PRESSED
                 "--threads 1 -o press --resume");
    same("pressed", "press");
    program_does(MPIRUN "2 $P run " CLUSTER "-o two --quiet");
    same("whole", "two");
  }
  program_does("$P run " CELLS "-o cells && " MPIRUN "3 $P run " CELLS
               "--threads 1 -o cell --set integrator.steps=70 && " MPIRUN "2 $P run " CELLS
               "--threads 2 -o cell --resume");
  same("cells", "cell");
  program_does("$P run box.yaml " ALL "-o all && " MPIRUN "3 $P run box.yaml " ALL "-o ranks");
  same("all", "ranks");
  program_does("grep -q '^process 2: replicas 2 to 2, 120 steps in ' ranks/holonom.log");
  program_does("for i in sites hamiltonian; do $P run $i.yaml --threads 1 -o $i --quiet && " MPIRUN
               "2 $P run $i.yaml --threads 1 -o $i.2 --quiet || exit 1; done; " MPIRUN
               "3 $P run sites.yaml --threads 1 -o cuts --quiet --set integrator.steps=200 && " MPIRUN
               "2 $P run sites.yaml --threads 1 -o cuts --quiet --resume");
  same("sites", "sites.2");
  same("hamiltonian", "hamiltonian.2");
  same("sites", "cuts");
}

/* The limit of time ends all processes at one step, with one exit code. */
TEST(ranks_end_at_the_limit_of_time)
{
  if (no_mpi())
    return;
  int code = 124;
  for (double hours = 0.001; code == 124 && hours < 0.1 && !program_exists("hours/checkpoint.hol");
       hours *= 2.0)
    code = program_shell(
        MPIRUN "3 $P run " CLUSTER "-o hours --max-hours %g --set integrator.steps=2000000000", hours);
  ck_assert_int_eq(code, 124);
  program_says("the limit of time (--max-hours) is reached: all results so far are written");
  const double steps = program_summary("hours", "steps") + 100;
  program_does("$P run " CLUSTER "-o hours --resume --quiet --set integrator.steps=%.0f && $P run " CLUSTER
               "-o once --quiet --set integrator.steps=%.0f",
               steps, steps);
  same("once", "hours");
}

TEST(ranks_share_out_ladders)
{
  if (no_mpi())
    return;
  program_does("$P run " LADDER "-o whole && " MPIRUN "3 $P run " LADDER "-o three && " MPIRUN
               "2 $P run " LADDER "-o cut --set integrator.steps=510 && " MPIRUN "3 $P run " LADDER
               "-o cut --resume");
  same("whole", "three");
  same("whole", "cut");
  if (!SHORT) {
    program_does("$P run " LADDERS "-o many && " MPIRUN "3 $P run " LADDERS "-o shared");
    same("many", "shared");
  }
  refused(MPIRUN "4 $P run " LADDER "-o x", "use at most 3 processes");
  refused(MPIRUN "2 $P run " TUNED "-o x", "up to step 120");
  program_does("$P run " TUNED "-o tuned && $P run " TUNED "-o onwards --set integrator.steps=300 && " MPIRUN
               "2 $P run " TUNED "-o onwards --resume");
  same("tuned", "onwards");
}

/* Both runs went wrong, and in the same way: as same(), but for the last good frame, whose step is that of
 * the last way back, which are taken as time allows. */
static void same_ending(const char *a, const char *b)
{
  char line[512];
  snprintf(line, sizeof line,
           "sed -i -e 's/\\b%s\\b/%s/g' -e '/^message/s/\\(last-good.xyz has step\\) [0-9]*/\\1/' "
           "%s/summary.yaml %s/summary.yaml && grep '^message.*has step,' %s/summary.yaml && "
           "rm %s/last-good.xyz %s/last-good.xyz",
           b, a, a, b, a, a, b);
  program_does("%s", line);
  same(a, b);
}

/* One of the processes is killed, which ends all: the checkpoint is there. One fault ends all at the step
 * that one process would have ended at. */
TEST(ranks_end_together)
{
  if (no_mpi())
    return;
  program_does("$P run " RUN "-o whole");
  program_does(MPIRUN
               "2 $P run " RUN
               "-o killed >/dev/null 2>&1 & for i in $(seq 6000); do test -e killed/checkpoint.prev && "
               "break; sleep 0.01; done; kill -KILL $(pgrep -P $(pgrep -P $!) | tail -1); wait; "
               "test -e killed/checkpoint.hol");
  program_does(MPIRUN "3 $P run " RUN "-o killed --resume");
  same("whole", "killed");
  static const char hot[] = "--set integrator.steps=3000 --set thermostat.temperature=60000 ";
  char line[2048];
  snprintf(line, sizeof line,
           "$P run " CLUSTER "%s-o hot --quiet; test $? = 3 && " MPIRUN "3 $P run " CLUSTER
           "%s-o hotter --quiet; test $? = 3",
           hot, hot);
  program_does("%s", line);
  same_ending("hot", "hotter");
  /* A box that becomes too small, of one replica before the others. */
  static const char crushed[] =
      PRESSED "--set integrator.steps=9000 --set barostat.pressure=3kbar --threads 1 "
              "--set output.rdf_every=0 --set output.msd_every=0 ";
  snprintf(line, sizeof line, "$P run %s-o box; test $? = 3 && " MPIRUN "3 $P run %s-o crushed; test $? = 3",
           crushed, crushed);
  program_does("%s", line);
  program_says("the barostat proposed a box that the forces cannot use");
  same_ending("box", "crushed");
  refused(MPIRUN "4 $P run " CLUSTER "-o x --quiet", "at least one batch of");
}

TEST(what_does_not_go_together)
{
  static const char *const runs[] = {"a --replicas 0..7", "b --replicas 8..15", "late --replicas 16..23",
                                     "wide --replicas 8..23"};
  for (int i = 0; i < 4; i++) {
    char line[1024];
    snprintf(line, sizeof line, "$P run " CLUSTER "--set integrator.steps=%d --quiet -o %s",
             i == 2 ? 90 : 100, runs[i]);
    program_does("%s", line);
  }
  program_does("$P run " CLUSTER "--set integrator.steps=100 --set seed=5 --quiet -o other --replicas 8..23");
  refused("$P merge a b -o m", "no part has the replicas 16 to 23");
  refused("$P merge b late -o m", "no part has the replicas 0 to 7");
  refused("$P merge a b wide -o m", "replicas from 8 on are in both b and wide");
  refused("$P merge a b late -o m", "a is at step 100, late at step 90");
  refused("$P merge a other -o m", "seed");
  refused("$P merge a nothing -o m", "nothing");
  refused("$P merge a b", "--out DIR");
  refused("$P merge a wide -o a --force", "a is one of the parts");
  program_does("cp -r wide cut && truncate -s -100 cut/samples.hol");
  refused("$P merge a cut -o m", "cut/samples.hol was cut short");
  program_does("test -e a/checkpoint.hol && ! test -e m"); /* before anything is written */
  program_does("$P merge a wide -o m --quiet");
  refused("$P merge a wide -o m", "an earlier run");
  /* What a part took beyond its checkpoint does not count, nor that it ends within a record. */
  program_does("cp -r wide beyond && tail -c 999 wide/samples.hol >> beyond/samples.hol && "
               "$P merge a beyond -o n --quiet");
  same("m", "n");
  program_does(
      "cp -r wide bad && printf '\\377\\377\\377\\377\\377\\377\\377\\377' | dd of=bad/samples.hol bs=1 "
      "conv=notrunc seek=$(head -n 1 bad/samples.hol | wc -c) 2>dd.log");
  refused("$P merge a bad -o o", "bad/samples.hol is damaged, incomplete, or from another build");
  refused("$P run " CLUSTER "-o x --replicas 0..9", "batches of 8; use 0..15");
  refused("$P run " CLUSTER "-o x --replicas 0..31", "this run has replicas 0 to 23");
  refused("$P run " CLUSTER "-o x --replicas 8", "such as 0..7");
  refused("$P run " CLUSTER "-o x --from a", "--replicas");
  refused("$P run small.yaml --set ensemble.replicas=1 -o x --replicas 0..0", "this system has one");
  refused("$P run " CLUSTER "-o b --replicas 0..7 --resume", "b has replicas 8 to 15");
  refused("$P run " CLUSTER "-o y --replicas 0..15 --from a", "has replicas 0 to 7");
  refused("$P run sites.yaml -o x --replicas 16..23", "this run has replicas 0 to 19");
  refused("$P run sites.yaml -o x --replicas 8..17", "batches of 8; use 8..19");
}

int main(void)
{
  suite_fixture(true, setup, NULL);
  return program_main("parts");
}
