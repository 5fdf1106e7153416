/* Runs of molecules of a file: a chain against quadrature, energies kept, equal bits whatever cuts a run,
 * water of a file against the program's own, and what does not go together. */
#include "tests/chain_of_four.h"
#include "tests/program.h"
#include "tests/shorter.h"

/* --- a chain of four atoms --------------------------------------------------------------------------------
 */

/* The mean of the torsion's energy at 300 K. */
static double quadrature(bool fixman)
{
  enum { POINTS = 720 };
  const double kT = 300.0 * 0.001987204;
  double all = 0.0, mean = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double phi = 2.0 * M_PI * i / POINTS, v = torsion_energy(phi),
                 weight = exp(-v / kT + (fixman ? 0.0 : chain_measure(phi)));
    all += weight;
    mean += weight * v;
  }
  return mean / all;
}

/* What makes runs of the chain shorter under sanitizers. */
static const char *const brief =
    SHORT ? "--set \"integrator.time=8 ps\" --set \"output.equilibration=2 ps\"" : "";

/* A chain whose bonds and angles are kept, with Fixman's potential and without, and by penalties: those that
 * hold their heat weigh as that potential does, those that are kept cold do not. */
TEST(a_chain_is_sampled_as_by_quadrature)
{
  static const char *const how[] = {
      "", "--set geometry.fixman=true",
      ("--set geometry.method=penalty --set geometry.w=15 --set \"integrator.timestep=0.5 fs\" "
       "--set \"integrator.time=40 ps\" --set \"output.equilibration=5 ps\" --set output.thermo_every=100"),
      ("--set geometry.method=penalty --set geometry.w=30 --set \"integrator.timestep=2 fs\" "
       "--set \"integrator.time=60 ps\" --set thermostat.noise=tangent")};
  begin_chain();
  ck_assert_double_gt(fabs(quadrature(true) - quadrature(false)), 0.03);
  for (int i = 0; i < 4; i++) {
    program_runs("run run.yaml -o run%d %s %s", i, how[i], brief);
    char dir[16];
    snprintf(dir, sizeof dir, "run%d", i);
    const double mean = program_summary(dir, "torsion"), error = program_summary(dir, "torsion_err"),
                 wanted = quadrature(i == 1 || i == 2);
    ck_assert_double_lt(error, SHORT ? 0.05 : 0.012);
    ck_assert_msg(fabs(mean - wanted) < 3.5 * error + CHAIN_BIAS, "%s: %g +- %g, and %g is right", how[i],
                  mean, error, wanted);
    /* All that runs are compared by, whatever keeps the bonds. */
    ck_assert_double_eq_tol(program_summary(dir, "potential"), mean, 1e-6);
    char name[32];
    snprintf(name, sizeof name, "%s/summary.yaml", dir);
    ck_assert_int_eq(strstr(program_read(name), "\nfixman: ") != NULL, i == 1);
  }
  /* Five penalised modes hold their share. */
  const double due = program_summary("run2", "penalty_equipartition"),
               held = program_summary("run2", "penalty"), error = program_summary("run2", "penalty_err");
  ck_assert_double_eq_tol(due, 2.5 * 300.0 * 0.001987204, 1e-4);
  ck_assert_msg(fabs(held - due) < 3.5 * error + 0.05 * due, "penalties hold %g +- %g of %g", held, error,
                due);
  if (!SHORT)
    program_do("grep -q '^penalty_heated: no' run2/summary.yaml");
}

/* Seven degrees of freedom hold 7/2 kT. */
TEST(a_chain_has_its_temperature)
{
  begin_chain();
  program_runs("run run.yaml -o warm %s", brief);
  ck_assert_double_eq(program_summary("warm", "freedom"), 7.0);
  const double kelvin = program_summary("warm", "temperature_unbiased"),
               error = program_summary("warm", "temperature_unbiased_err");
  ck_assert_double_lt(error, SHORT ? 12.0 : 3.0);
  ck_assert_msg(fabs(kelvin - 300.0) < 3.5 * error, "%g +- %g K", kelvin, error);
}

/* --- butane ------------------------------------------------------------------------------------------------
 */

static void begin_butane(const char *settings)
{
  Made m;
  const char *name[ATOMS];
  make_butane(&m);
  for (int i = 0; i < m.n; i++)
    name[i] = i < 4 ? (const char *const[]){"C1", "C2", "C3", "C4"}[i] : "H";
  FILE *file = program_create("butane.yaml");
  fprintf(file,
          "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05]}\nmolecules:\n%s"
          "      torsion:\n        - [1, 2, 3, 4, 0, 1.4, 3]\nsystem:\n  - [butane, 1]\n",
          m.text);
  ck_assert_int_eq(fclose(file), 0);
  write_gro("butane.gro", m.n, name, "BUT", (const double(*)[3])m.x, 0.0);
  file = program_create("run.yaml");
  fprintf(file,
          "system: {topology: butane.yaml, file: butane.gro}\n%s"
          "output: {report: false, progress: false, trajectory: [gro, xyz], trajectory_every: 20}\n",
          settings);
  ck_assert_int_eq(fclose(file), 0);
}

/* The largest distance of the total energy from its first. */
static double wander(const char *name)
{
  ResultTable *t = program_table(name);
  const ResultColumn *total = results_column(t, "total");
  double most = 0.0;
  ck_assert_ptr_nonnull(total);
  for (size_t i = 0; i < t->nrow; i++)
    most = fmax(most, fabs(total->value[i] - total->value[0]));
  results_free_table(t);
  return most;
}

/* The error of the energy goes as the square of the step, whatever is kept; with Fixman's potential of 33
 * constraints, too. */
TEST(a_molecule_keeps_its_energy)
{
  static const char *const keep[] = {"none", "h-bonds", "all-bonds", "h-angles", "all-angles"};
  begin_butane("integrator: {word: BAB, timestep: 0.5 fs, time: 200 fs}\n"
               "thermostat: {type: none, temperature: 300 K, initial: maxwell}\n");
  for (int k = 0; k < 5; k++) {
    double most[2];
    for (int half = 0; half < 2; half++) {
      program_runs("run run.yaml -o kept%d%d --set geometry.constrain=%s --set "
                   "geometry.fixman=%s --set output.thermo_every=%d "
                   "--set \"integrator.timestep=%g fs\"",
                   k, half, keep[k], k == 4 ? "true" : "false", half ? 2 : 1, half ? 0.25 : 0.5);
      char name[64];
      snprintf(name, sizeof name, "kept%d%d/thermo.csv", k, half);
      most[half] = wander(name);
    }
    ck_assert_msg(most[0] / most[1] > 3.3 && most[0] / most[1] < 4.8, "%s: %g and %g", keep[k], most[0],
                  most[1]);
  }
}

/* Names and residues come out, and a run begins from what another one left. */
TEST(frames_have_names)
{
  begin_butane("integrator: {timestep: 1 fs, steps: 40}\nthermostat: {temperature: 300 K, friction: 1/ps}\n");
  program_runs("run run.yaml -o first");
  const char *text = program_read("first/final.gro");
  ck_assert_ptr_nonnull(strstr(text, "    1but"));
  ck_assert_ptr_nonnull(strstr(text, "   C4    4"));
  ck_assert_ptr_nonnull(strstr(program_read("first/final.xyz"), "\nC "));
  static const char *const file[] = {"final.gro", "final.xyz", "trajectory.gro", "trajectory.xyz"};
  for (int i = 0; i < 4; i++)
    program_runs("run run.yaml -o on%d --set system.file=first/%s --set system.frame=last %s", i, file[i],
                 i < 2 ? "--set thermostat.initial=file" : "");
}

/* --- equal bits -------------------------------------------------------------------------------------------
 */

TEST(a_run_that_goes_on_has_the_same_bits)
{
  begin_butane("integrator: {timestep: 1 fs, steps: 200}\nthermostat: {temperature: 300 K, friction: 1/ps}\n"
               "ensemble: {replicas: 12}\n");
  program_runs("run run.yaml -o whole --set ensemble.threads=1");
  program_runs("run run.yaml -o two --set ensemble.threads=2");
  program_runs("run run.yaml -o cut --set integrator.steps=90");
  program_runs("run run.yaml -o cut --resume");
  for (int i = 0; i < 2; i++) {
    const char *const other = i ? "two" : "cut";
    program_same("whole", other, "thermo.csv");
    program_same("whole", other, "trajectory.gro");
    program_same("whole", other, "final.xyz");
  }
  /* Another force field is another run. */
  program_do("sed -i s/1.4,/1.5,/ butane.yaml");
  program_refuses("contents", "run run.yaml -o cut --resume --set integrator.steps=300");
}

/* --- water ------------------------------------------------------------------------------------------------
 */

/* TIP3P, and TIP4P with its massless site; with Lennard-Jones on hydrogens, of next to nothing, the first
 * computed atom by atom. */
static void write_water(const char *name, bool four, double on_hydrogens)
{
  FILE *file = program_create(name);
  fprintf(file,
          "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
          "types: {OW: {c12: %g, c6: %g}, HW: [0.1, %g], MW: [0, 0]}\n"
          "molecules:\n  SOL:\n    atoms:\n      - [OW, OW, %g, 15.9994]\n      - [HW1, HW, %g, 1.008]\n"
          "      - [HW2, HW, %g, 1.008]\n%s    constraints:\n      - [1, 2, 0.9572]\n      - [1, 3, 0.9572]\n"
          "      - [2, 3, 1.5139006545273224]\n%ssystem:\n  - [SOL, 216]\n",
          four ? 600000.0 : 582000.0, four ? 610.0 : 595.0, on_hydrogens, four ? 0.0 : -0.834,
          four ? 0.52 : 0.417, four ? 0.52 : 0.417, four ? "      - [MW, MW, -1.04, 0]\n" : "",
          four ? "    virtual:\n      - [4, 3, 1, 2, 3, 0.12801206486890002, 0.12801206486890002]\n" : "");
  ck_assert_int_eq(fclose(file), 0);
}

/* Potential, pressure and kinetic energy at the start of a run. */
static void look(const char *input, const char *dir, double value[3])
{
  static const char *const column[] = {"potential", "pressure", "kinetic"};
  program_runs("run %s -o %s --force", input, dir);
  char name[64];
  snprintf(name, sizeof name, "%s/thermo.csv", dir);
  ResultTable *t = program_table(name);
  for (int i = 0; i < 3; i++)
    value[i] = results_column(t, column[i])->value[0];
  results_free_table(t);
}

/* Water of a file is the program's own, by molecules and by atoms, in its kernel and in that of atoms. */
TEST(water_of_a_file_is_water)
{
  static const char *const model[] = {"tip3p", "tip4p"}, *const by[] = {"molecule", "atom"};
  program_write("rest.yaml",
                "precision: double\nthermostat: {temperature: 300 K, initial: file, friction: 1/ps}\n"
                "integrator: {timestep: 1 fs, steps: 10}\n"
                "output: {thermo_every: 5, rdf_every: 0, report: false, progress: false}\n");
  for (int four = 0; four < 2; four++) {
    program_runs("build --model %s --molecules 216 --equilibrate 0.2 --cutoff 7 -o box.xyz --force -q",
                 model[four]);
    write_water("water.yaml", four, 0.0);
    write_water("slow.yaml", four, 1e-20);
    for (int k = 0; k < 2; k++) {
      double own[3], file[3], slow[3];
      program_do("(echo 'forces: {cutoff: 7 A, by: %s, beta: 0.4, order: 6, grid: 32, truncation: plain}'; "
                 "cat rest.yaml) "
                 ">all.yaml; (echo 'system: {topology: water.yaml, file: box.xyz, box: file}'; cat all.yaml) "
                 ">file.yaml; "
                 "(echo 'system: {model: %s, start: file, file: box.xyz, box: file}'; "
                 "echo 'geometry: {method: rattle}'; cat all.yaml) >own.yaml",
                 by[k], model[four]);
      look("own.yaml", "own", own);
      look("file.yaml", "file", file);
      /* The number of digits of the file of the massless site's place. */
      for (int i = 0; i < 3; i++)
        ck_assert_msg(fabs(own[i] - file[i]) < 1e-9 * fabs(own[0]), "%s %s %d: %.12g and %.12g", model[four],
                      by[k], i, own[i], file[i]);
      if (four || k == 0) /* only waters have the mean of what a cutoff by molecules leaves out */
        continue;
      look("file.yaml --set system.topology=slow.yaml", "slow", slow);
      program_do("grep -q 'computed atom by atom' slow/holonom.log");
      for (int i = 0; i < 3; i++)
        ck_assert_msg(fabs(own[i] - slow[i]) < 1e-7 * fabs(own[0]), "%s %s %d: %.12g and %.12g", model[four],
                      by[k], i, own[i], slow[i]);
    }
  }
  program_runs("run file.yaml -o solo --set ensemble.threads=1 --set precision=mixed");
  program_runs("run file.yaml -o both --set ensemble.threads=2 --set precision=mixed");
  program_same("solo", "both", "thermo.csv");
  program_same("solo", "both", "final.xyz");
}

/* --- what does not go together ----------------------------------------------------------------------------
 */

static void refused(const char *set, const char *words)
{
  program_refuses(words, "run run.yaml -o no %s", set);
  ck_assert(!program_exists("no"));
}

TEST(what_does_not_fit_is_refused)
{
  begin_butane("integrator: {timestep: 1 fs, steps: 40}\nthermostat: {temperature: 300 K, friction: 1/ps}\n");
  program_do("sed '2s/14/13/; 3d' butane.gro >fewer.gro; sed '3s/ C1/ C9/' butane.gro >other.gro; "
             "sed 's/0.000000 0.000000 0.000000/3 3 3/' butane.gro >boxed.gro; "
             "grep -v -e system: -e 'butane, 1' butane.yaml >store.yaml; "
             "sed '3s/0.0000000000/         nan/' butane.gro >nan.gro");
  refused("--set system.topology=absent.yaml", "absent.yaml");
  refused("--set system.topology=butane.gro", "butane.gro");
  refused("--set system.topology=store.yaml", "does not list the molecules of the system");
  refused("--set system.file=", "system.file");
  refused("--set system.file=fewer.gro", "fewer.gro has only 13 of the 14 atoms");
  refused("--set system.file=other.gro", "atom 1 is 'C9', where butane.yaml has C1, of molecule 1 (butane)");
  refused("--set system.file=boxed.gro", "has a box");
  refused("--set system.file=nan.gro", "nan");
  refused("--set system.start=build --set \"system.box=30 A\"", "need coordinates in a box");
  refused("--set thermostat.initial=file", "has no velocities");
  refused("--set geometry.method=none", "contradicts geometry.constrain");
  refused("--set system.model=tip3p", "a file describes one system");
  refused("--set system.box=20 --set system.molecules=3", "applies only to water and atoms");
  refused("--set \"integrator.timestep=9 fs\"", "unstable");
  refused("--set geometry.constrain=some", "h-bonds");
  refused("--set system.box=file", "has no box");
  refused("--set \"system.box=12 A\"", "less than twice the cutoff");
  refused("--set output.dipole_every=10", "dipole_every");
}

int main(void) { return program_main("topology_runs"); }
