/* output.zero_step_every in runs: clusters of several replicas and boxes; what has no zero step is refused.
 * Its numbers are tested in test_long_steps.c. */
#include "tests/program.h"

static const char cluster[] =
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "ensemble: {replicas: 16}\n"
    "geometry: {method: settle}\n"
    "thermostat: {temperature: 100 K, friction: 1/ps}\n"
    "integrator: {word: GL-BAOAOAB, timestep: 4 fs, steps: 400}\n"
    "output: {thermo_every: 4, zero_step_every: 4, rdf_every: 0, equilibration: 0.4 ps, "
    "progress: no, report: no}\n";

/* The mean is that of thermo.csv, all replicas together, a wall's energy included. */
TEST(means_are_those_of_the_run, .rows = 2)
{
  static const char *const set[] = {"", "--set \"system.wall.radius=2 A\" --set system.wall.stiffness=5"};
  program_write("c.yaml", cluster);
  program_do("rm -rf a");
  program_runs("run c.yaml -o a --quiet %s", set[_i]);
  program_do("grep -q 'zero_step.*quantity: potential,' a/summary.yaml");
  const double mean = program_summary("a", "potential"), zero = program_summary("a", "potential_zero_step");
  program_does(
      "sed -n 's/.*zero_step.*quantity: potential, value: \\([-0-9.]*\\),.*/seen: \\1/p' a/summary.yaml");
  ck_assert_double_eq_tol(program_number("seen:"), mean, 1e-6 * fabs(mean));
  ck_assert_double_lt(zero, mean); /* librations scatter too widely */
  ck_assert_double_gt(zero, mean - 0.02 * fabs(mean));
}

TEST(same_bits)
{
  program_write("c.yaml", cluster);
  program_do("rm -rf a b c d e m; $P run c.yaml -o a --quiet --threads 1");
  program_do("$P run c.yaml -o b --quiet --threads 2");
  program_do("$P run c.yaml -o c --quiet --set integrator.steps=200 && $P run c.yaml -o c --quiet --resume");
  program_do("$P run c.yaml -o d --quiet --replicas 0..7 && $P run c.yaml -o e --quiet --replicas 8..15 && "
             "$P merge d e -o m --quiet");
  for (const char *const *other = (const char *const[]){"b", "c", "m", NULL}; *other != NULL; other++)
    program_same("a", *other, "observables.json");
}

/* Of one box a series in time. */
TEST(of_a_box)
{
  program_write("b.yaml",
                "system: {model: tip4p2005, molecules: 60, density: 0.99 g/cm3}\n"
                "forces: {cutoff: 6 A}\n"
                "geometry: {method: settle}\n"
                "thermostat: {temperature: 298 K, friction: 1/ps}\n"
                "integrator: {word: GL-BAOAOAB, timestep: 4 fs, steps: 120}\n"
                "barostat: {type: monte-carlo, pressure: 1 bar, every: 5}\n"
                "output: {thermo_every: 6, zero_step_every: 6, rdf_every: 0, equilibration: 0, progress: "
                "no, report: no}\n");
  program_do(
      "rm -rf a b c; $P run b.yaml -o a --quiet --threads 1 && $P run b.yaml -o b --quiet --threads 2");
  program_do("$P run b.yaml -o c --quiet --set integrator.steps=66 && $P run b.yaml -o c --quiet --resume");
  program_same("a", "b", "observables.json");
  program_same("a", "c", "observables.json");
  ck_assert(isfinite(program_summary("a", "potential_zero_step")));
  /* From one independent sample to the next are as many steps as all steps over all independent samples. */
  const double steps =
      program_summary("a", "correlation_steps") * program_summary("a", "independent_samples");
  ck_assert_double_eq_tol(steps / (6.0 * program_summary("a", "samples")), 1.0, 2e-3);
}

TEST(what_has_none)
{
  program_write("c.yaml", cluster);
  program_refuses("output.zero_step_every: zero_step needs acceleration 'verlet' and a word of B, A and O",
                  "run c.yaml -o r --set integrator.word=BAOA");
  program_refuses("zero_step needs exact constraints",
                  "run c.yaml -o r --set geometry.method=penalty --set geometry.w=200");
  program_write("p.yaml", "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3, 0]}\nmolecules:\n"
                          "  x:\n    atoms: [[A, X, 0, 1], [B, X, 0, 2], [C, X, 0, 1]]\n"
                          "    bonds: [[1, 2], [2, 3]]\n    constraints: [[1, 2, 1], [2, 3, 1]]\n"
                          "    exclude: 3\nsystem:\n  - [x, 1]\n");
  program_write("p.xyz", "3\n\nA 1 0 0\nB 0 0 0\nC 0 1 0\n");
  program_write("f.yaml", "system: {topology: p.yaml, file: p.xyz}\ngeometry: {fixman: true}\n"
                          "integrator: {word: BAOAB, timestep: 2 fs, steps: 10}\n"
                          "thermostat: {temperature: 300 K, friction: 1/ps}\noutput: {zero_step_every: 2}\n");
  program_refuses("zero_step is not defined with Fixman's potential", "run f.yaml -o r");
  program_refuses("zero_step needs the word GL-BAOAOAB, or motions that exchange energy",
                  "run %s/examples/flexible-water/spc-fw.yaml -o r --set output.zero_step_every=10 --set "
                  "integrator.steps=10 --set output.equilibration=0",
                  getenv("HOLONOM_SOURCE"));
  ck_assert(!program_exists("r"));
  program_do(
      "rm -rf f; $P run c.yaml -o f --quiet --set output.trajectory=[xyz] --set output.trajectory_every=40");
  program_refuses("zero_step: needs the forces of a run",
                  "observe zero_step f/trajectory.xyz --model tip3p -o o");
}

/* With one coefficient of friction for all sites librations, which hydrogens make, weigh more in the
 * temperature of slow motions, and under OBABO more is taken off. */
TEST(motions_count_by_their_friction)
{
  double off[2];
  static const char *const friction[] = {"",
                                         "--set thermostat.convention=uniform --set thermostat.friction=1.5"};
  program_write("c.yaml", cluster);
  for (int i = 0; i < 2; i++) {
    program_do(
        "rm -rf a; $P run c.yaml -o a --quiet --set integrator.word=OBABO --set integrator.steps=6000 --set "
        "system.molecules=7 --set output.equilibration=2ps %s",
        friction[i]);
    program_does(
        "sed -n 's/.*zero_step.*quantity: potential, value: \\([-0-9.]*\\),.*/seen: \\1/p' a/summary.yaml");
    off[i] = program_number("seen:") - program_summary("a", "potential_zero_step");
  }
  printf("taken off: %.4f, with uniform friction %.4f kcal/mol\n", off[0], off[1]);
  ck_assert_double_gt(off[0], 0.0);
  ck_assert_double_gt(off[1], 1.1 * off[0]);
}

/* Beyond second order there is no number, and a word why. */
TEST(too_long_a_step)
{
  program_write("c.yaml", cluster);
  program_do("rm -rf a; $P run c.yaml -o a --quiet --set 'integrator.timestep=11.5 fs'");
  program_do("grep -q 'quantity: potential_zero_step, value: null.*the step is too long: the mean of "
             "(h W)^2' a/summary.yaml");
}
