/* A run that goes wrong leaves the rows and means of one that was asked to end before the step in which it
 * did, whatever the threads and whatever the other replicas did meanwhile. */
#include "tests/program.h"
#include "tests/shorter.h"

/* Fails in one replica after a while. */
static const char cluster[] = "units: akma\n"
                              "system: {model: tip3p, molecules: 7, anneal: false}\n"
                              "ensemble: {replicas: 32}\n"
                              "geometry: {method: rattle, solver: newton, max_iterations: 3}\n"
                              "thermostat: {temperature: 200 K, friction: 0.05, initial: zero}\n"
                              "integrator: {word: BAOAB, timestep: 0.067, steps: 3000}\n"
                              "output: {thermo_every: 3, rdf_every: 7, equilibration: 0, progress: no}\n";
/* In one of three ladders, whose temperatures lie far apart. */
static const char ladders[] =
    "units: akma\n"
    "system: {model: tip3p, molecules: 7, anneal: false}\n"
    "exchange: {lowest: 150 K, highest: 330 K, number: 16, ladders: 3, interval: 10}\n"
    "geometry: {method: rattle, solver: newton, max_iterations: 3}\n"
    "thermostat: {friction: 0.05, initial: zero}\n"
    "integrator: {word: BAOAB, timestep: 0.067, steps: 3000}\n"
    "output: {thermo_every: 6, rdf_every: 7, equilibration: 0, progress: no}\n";
/* Runs away in one of a few boxes. */
static const char gas[] = "system: {atoms: {argon: 200}, density: 0.4 g/cm3}\n"
                          "ensemble: {replicas: 3}\n"
                          "thermostat: {temperature: 300 K, friction: 1 1/ps}\n"
                          "integrator: {word: BAOAB, timestep: 50 fs, steps: 4000}\n"
                          "output: {thermo_every: 5, rdf_every: 5, msd_every: 5, equilibration: 0, "
                          "progress: no}\n";

/* Of five batches of pendulums, each of its own swing, one cannot go on. */
static const char pendulums[] =
    "units: reduced\nsystem:\n  dimensions: 2\n"
    "  sites:\n    - {count: 3, mass: 1, position: [\"i\", \"0\"], momentum: [0, \"0.02*r*i\"]}\n"
    "  constraints:\n    - {type: anchor, site: 1, distance: 1}\n"
    "    - {type: distance, chain: [1, 3], distance: 1}\n"
    "  potentials:\n    - {type: gravity, acceleration: [0, -1]}\n"
    "integrator: {word: BAB, timestep: 0.25, steps: 4000}\ngeometry: {method: rattle}\n"
    "ensemble: {replicas: 40}\noutput: {trajectory_every: 5, progress: no}\n";

static const char leaning[] = "system: {atoms: {argon: 64}, density: 1.3 g/cm3, shape: octahedron}\n"
                              "forces: {cutoff: 7.9 A, truncation: switch}\nensemble: {replicas: 2}\n"
                              "integrator: {word: BAOAB, timestep: 10 fs, steps: 40000}\n"
                              "thermostat: {temperature: 100 K, friction: 2/ps}\n"
                              "barostat: {type: monte-carlo, pressure: 100 bar, every: 2, shape: cell}\n"
                              "output: {thermo_every: 5, equilibration: 1 ps, progress: no}\n";

static const char limit[] = "system: {atoms: {argon: 64}, density: 1.3 g/cm3}\n"
                            "forces: {cutoff: 7.1 A, truncation: switch}\nensemble: {replicas: 2}\n"
                            "integrator: {word: BAOAB, timestep: 10 fs, steps: 8000}\n"
                            "thermostat: {temperature: 100 K, friction: 2/ps}\n"
                            "barostat: {type: monte-carlo, pressure: 100 bar, every: 2}\n"
                            "output: {thermo_every: 5, equilibration: 1 ps, progress: no}\n";

/* The step that the summary's message names. */
static int64_t failed_step(const char *dir)
{
  char path[256];
  snprintf(path, sizeof path, "%s/summary.yaml", dir);
  const char *at = strstr(program_read(path), "message: \"step ");
  ck_assert_ptr_nonnull(at);
  return atoll(at + strlen("message: \"step "));
}

static void fails_as(const char *input, int threads, const char *dir)
{
  ck_assert_msg(program_call("run %s -o %s --force --quiet --threads %d", input, dir, threads) == 3, "%s",
                program_output);
}

TEST(rows_and_means_are_of_steps_that_all_replicas_reach, .rows = 3)
{
  static const char *const inputs[3] = {cluster, gas, ladders};
  static const char *const of_cluster[] = {"thermo.csv", "replicas.csv", "rdf.csv", "rdf_replicas.csv", NULL};
  static const char *const of_gas[] = {"thermo.csv", "replicas.csv", "observables.json", NULL};
  static const char *const of_ladders[] = {"thermo.csv", "ladder.csv", "replicas.csv", "rdf_ladder.csv",
                                           NULL};
  static const char *const *const files[3] = {of_cluster, of_gas, of_ladders};
  const char *const *names = files[_i];
  if (SHORT && _i == 1) /* boxes that fail are below */
    return;
  program_write("fails.yaml", inputs[_i]);
  fails_as("fails.yaml", 1, "one");
  fails_as("fails.yaml", 2, "two");
  const int64_t step = failed_step("one");
  ck_assert_int_gt(step, 10);
  ck_assert_int_eq(failed_step("two"), step);
  ck_assert_double_eq(program_summary("one", "steps"), (double)(step - 1));
  ck_assert_double_eq(program_summary("two", "steps"), (double)(step - 1));
  program_runs("run fails.yaml -o whole --force --quiet --set integrator.steps=%lld", (long long)step - 1);
  for (int i = 0; names[i] != NULL; i++) {
    program_same("whole", "one", names[i]);
    program_same("whole", "two", names[i]);
  }
}

/* Its rows are due at multiples of 5, of which the last before the fault is the end of the run that goes
 * well. */
TEST(mechanical_runs_go_back_too)
{
  static const char *const names[] = {"energy.csv", "trajectory.csv", "ensemble.csv", "replicas.csv"};
  program_write("swing.yaml", pendulums);
  fails_as("swing.yaml", 1, "one");
  fails_as("swing.yaml", 2, "two");
  const int64_t step = failed_step("one");
  ck_assert_int_gt(step, 10);
  ck_assert_int_eq(failed_step("two"), step);
  ck_assert_double_eq(program_summary("one", "steps"), (double)(step - 1));
  ck_assert_double_eq(program_summary("two", "steps"), (double)(step - 1));
  program_runs("run swing.yaml -o whole --force --quiet --set integrator.steps=%lld",
               (long long)((step - 1) / 5 * 5));
  for (int i = 0; i < 4; i++) {
    program_same("whole", "one", names[i]);
    program_same("whole", "two", names[i]);
  }
}

/* A liquid's cell leans, over other edges of its lattice too, until images are nearer than the cutoff allows:
 * no fault of the input, said with the step, and the same for any team. */
TEST(a_cell_that_leans_too_far)
{
  program_write("leans.yaml", leaning);
  fails_as("leans.yaml", 1, "one");
  ck_assert_msg(strstr(program_output, "the barostat proposed a box that the forces cannot use") != NULL &&
                    strstr(program_output, "its images are ") != NULL &&
                    strstr(program_output, "at step ") != NULL,
                "%s", program_output);
  fails_as("leans.yaml", 2, "two");
  program_same("one", "two", "thermo.csv"); /* the step of last-good.xyz is as time allows */
}

/* A liquid whose volume is now and then below what the cutoff allows: such boxes are turned down, which is
 * said; the bits are those of any team, and of a run in two pieces. */
TEST(boxes_at_the_limit_are_turned_down)
{
  enum { ROWS = SHORT ? 600 : 1600 };
  program_write("limit.yaml", limit);
  if (SHORT)
    program_does("sed -i 's/steps: 8000/steps: 3000/' limit.yaml");
  program_does("$P run limit.yaml -o limit1 --threads 1");
  program_says(" moves of the barostat were rejected because the box would be too small for the cutoff");
  program_does("$P run limit.yaml -o limit2 --threads 2");
  program_same("limit1", "limit2", "thermo.csv");
  ck_assert_double_gt(program_summary("limit1", "barostat_too_small"), 0.0);
  program_does("$P report limit1");
  program_does("grep -o 'the box is too small for its volume to fluctuate freely' limit1/report.html");
  program_does("$P compare limit1 limit2 -o limits");
  program_says("warning: limit2: ");
  program_says("the mean volume is too large");
  program_does("$P run limit.yaml -o limit3 --quiet --set integrator.steps=1501");
  program_does("$P run limit.yaml -o limit3 --resume");
  program_says(" moves of the barostat were rejected because the box would be too small for the cutoff");
  program_same("limit1", "limit3", "thermo.csv");
  const char *row = program_read("limit1/thermo.csv");
  int column = 0, rows = 0;
  for (const char *at = strstr(row, ",volume"); at > row; at--)
    column += *at == ',';
  for (row = strchr(row, '\n'); row != NULL && row[1] != '\0'; row = strchr(row + 1, '\n')) {
    if (row[1] == '#')
      continue;
    const char *at = row + 1;
    for (int k = 0; k < column; k++)
      at = strchr(at, ',') + 1;
    ck_assert_double_ge(strtod(at, NULL), 14.2 * 14.2 * 14.2);
    rows++;
  }
  ck_assert_int_ge(rows, ROWS);
}

/* A molecule that flew away from a cluster, beyond what PDB and GRO hold, fails no run: their frames are left
 * out, and final.xyz holds it. */
TEST(molecules_far_away_fail_no_run)
{
  static const char start[] = "6\n\nO 0 0 0\nH -0.939252 -0.177226 -0.051268\nH 0.128613 0.773408 -0.549118\n"
                              "O -10007.460880 -1.109741 -0.838736\nH -10008.350976 -0.916684 -0.544304\n"
                              "H -10007.056525 -0.250635 -0.959841\n";
  static const char input[] = "system: {%s, start: file, file: far.xyz}\ngeometry: {method: settle}\n"
                              "integrator: {word: BAOAB, timestep: 1 fs, steps: 20}\n"
                              "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                              "output: {trajectory: [pdb, gro, xyz], trajectory_every: 10, report: false, "
                              "progress: false}\n";
  static const char molecules[] =
      "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
      "types: {O: [3.1507, 0.1521], H: [1, 0]}\nmolecules:\n  SOL:\n"
      "    atoms: [[O, O, -0.834, 16], [H1, H, 0.417, 1.008], [H2, H, 0.417, 1.008]]\n"
      "    constraints: [[1, 2, 0.9572], [1, 3, 0.9572], [2, 3, 1.5139]]\nsystem: [[SOL, 2]]\n";
  static const char *const system[2] = {"model: tip3p", "topology: far.molecules.yaml"};
  char text[1024];
  program_write("far.xyz", start);
  program_write("far.molecules.yaml", molecules);
  for (int k = 0; k < 2; k++) {
    (void)snprintf(text, sizeof text, input, system[k]);
    program_write("far.yaml", text);
    program_do("rm -rf far");
    program_runs("run far.yaml -o far");
    program_says("far/trajectory.pdb: frame 0, step 0: x of atom 4, molecule 2, is -10007");
    program_says("far/trajectory.gro: frame 0");
    ck_assert_ptr_nonnull(strstr(program_read("far/summary.yaml"), "ended: complete"));
    ck_assert_ptr_nonnull(strstr(program_read("far/final.xyz"), "-1000"));
    ck_assert_ptr_nonnull(strstr(program_read("far/trajectory.xyz"), "Step=20"));
  }
  program_says("final.xyz contains the final structure");
}
