/* Sites in a line in runs: a rod with a joint against quadrature, a gas of rigid rotors against what is exact
 * of it, its pressure by molecule against that by atom, and CO2 as two masses with a site between them. */
#include "tests/chain_of_four.h"
#include "tests/program.h"
#include "tests/shorter.h"

/* --- a rod of three sites, jointed to a fourth -------------------------------------------------------------
 */

static const double rod_mass[4] = {40.0, 2.0, 2.0, 30.0}, kT = 300.0 * 0.001987204;

static double joint_energy(double theta) { return 0.6 * pow(cos(theta) - cos(110.0 * M_PI / 180.0), 2); }

static void place_rod(double theta, double (*x)[3])
{
  memcpy(x, (double[4][3]){{0, 0, 0}, {1.2, 0, 0}, {2.3, 0, 0}, {2.3 - cos(theta), sin(theta), 0}},
         12 * sizeof(double));
}

/* The mean of the joint's energy: with the metric of the masses on what the rod may do, or without it. */
static double joint_mean(bool metric)
{
  enum { POINTS = 400 };
  double all = 0.0, mean = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double theta = M_PI * (i + 0.5) / POINTS, v = joint_energy(theta);
    const double weight = exp(-v / kT) * (metric ? exp(measure_of(rod_mass, place_rod, theta)) : sin(theta));
    all += weight;
    mean += weight * v;
  }
  return mean / all;
}

static void begin_rod(void)
{
  static const char *const name[] = {"A", "B", "C", "D"};
  double x[4][3];
  place_rod(1.4, x);
  x[1][1] = 0.02; /* onto the line */
  program_write("rod.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [0, 0]}\nmolecules:\n  rod:\n"
                "    atoms: [[A, X, 0, 40], [B, X, 0, 2], [C, X, 0, 2], [D, X, 0, 30]]\n"
                "    constraints: [[1, 2, 1.2], [2, 3, 1.1], [1, 3, 2.3], [3, 4, 1.0]]\n"
                "    terms: {angle-cosine: [[2, 3, 4, 110, 1.2]]}\nsystem:\n  - [rod, 1]\n");
  write_gro("rod.gro", 4, name, "rod", (const double(*)[3])x, 0.0);
  program_write("run.yaml",
                "system: {topology: rod.yaml, file: rod.gro}\n"
                "integrator: {word: BAOAB, timestep: 4 fs, time: 100 ps}\n"
                "thermostat: {temperature: 300 K, friction: 4/ps}\n"
                "ensemble: {replicas: 64}\n"
                "output: {equilibration: 10 ps, thermo_every: 20, report: false, progress: false}\n");
}

TEST(a_rod_is_sampled_as_by_quadrature)
{
  static const char *const how[] = {
      "", "--set geometry.fixman=true",
      ("--set geometry.method=penalty --set geometry.w=15 --set \"integrator.timestep=0.5 fs\" "
       "--set \"integrator.time=30 ps\" --set \"output.equilibration=5 ps\" --set output.thermo_every=100")};
  begin_rod();
  ck_assert_double_gt(fabs(joint_mean(true) - joint_mean(false)), 0.016);
  if (SHORT) { /* what is read and written, in a twentieth of the steps: means are for releases */
    for (int i = 0; i < 3; i++)
      program_runs("run run.yaml -o run%d %s --set \"integrator.time=3 ps\" --set "
                   "\"output.equilibration=1 ps\"",
                   i, how[i]);
    return;
  }
  for (int i = 0; i < 3; i++) {
    program_runs("run run.yaml -o run%d %s", i, how[i]);
    char dir[16];
    snprintf(dir, sizeof dir, "run%d", i);
    const double mean = program_summary(dir, "angle"), error = program_summary(dir, "angle_err"),
                 wanted = joint_mean(i == 0);
    ck_assert_double_lt(error, 0.0035);
    ck_assert_msg(fabs(mean - wanted) < 3.5 * error, "%s: %g +- %g, and %g is right", how[i], mean, error,
                  wanted);
  }
  ck_assert_double_eq(program_summary("run0", "freedom"), 7.0);
  const double kelvin = program_summary("run0", "temperature_unbiased"),
               error = program_summary("run0", "temperature_unbiased_err");
  ck_assert_msg(fabs(kelvin - 300.0) < 3.5 * error, "%g +- %g K", kelvin, error);
  program_do("grep -q 'atom 2, B, is constrained to the line of atoms 1 and 3' run0/holonom.log");
}

/* --- carbon dioxide ----------------------------------------------------------------------------------------
 */

static const char gas_file[] =
    "format: holonom-molecules 1\nrule: lorentz-berthelot\ntypes: {C: [2.8, 0.0537], O: [3.05, 0.157]}\n"
    "molecules:\n  CO2:\n    atoms: [[C, C, 0.7, %s], [O1, O, -0.35, %s], [O2, O, -0.35, %s]]\n%s"
    "    exclude: 3\nsystem:\n  - [CO2, 64]\n";

static void write_gas(const char *name, bool straight)
{
  FILE *file = program_create(name);
  const char *heavy = straight ? "15.9994" : "22.0049";
  fprintf(file, gas_file, straight ? "12.011" : "0", heavy, heavy,
          straight ? "    constraints: [[1, 2, 1.16], [1, 3, 1.16], [2, 3, 2.32]]\n"
                   : "    constraints: [[2, 3, 2.32]]\n    virtual: [[1, \"2\", 2, 3, 0.5]]\n");
  ck_assert_int_eq(fclose(file), 0);
}

/* A lattice in a box of 24 A, which is a dense gas, turned every which way. */
static void begin_gas(void)
{
  FILE *file = program_create("gas.gro");
  fprintf(file, "gas\n192\n");
  for (int m = 0, i = 0; m < 64; m++) {
    const double z = cos(1.0 + 2.0 * m), s = sqrt(1.0 - z * z), way[3] = {s * cos(m), s * sin(m), z};
    for (int k = 0; k < 3; k++, i++) {
      const double along = k == 0 ? 0.0 : k == 1 ? 1.16 : -1.16;
      fprintf(file, "%5d%-5s%5s%5d", m + 1, "CO2", k == 0 ? "C" : k == 1 ? "O1" : "O2", i + 1);
      for (int d = 0; d < 3; d++)
        fprintf(file, "%15.10f",
                0.1 * (3.0 +
                       6.0 * (d == 0   ? m % 4
                              : d == 1 ? m / 4 % 4
                                       : m / 16) +
                       along * way[d]));
      fprintf(file, "\n");
    }
  }
  fprintf(file, "2.4 2.4 2.4\n");
  ck_assert_int_eq(fclose(file), 0);
  write_gas("straight.yaml", true);
  write_gas("sites.yaml", false);
  program_write(
      "run.yaml",
      "precision: double\nsystem: {topology: straight.yaml, start: file, file: gas.gro, box: file}\n"
      "forces: {cutoff: 10 A, truncation: switch}\n"
      "integrator: {word: BAOAB, timestep: 4 fs, time: 14 ps}\n"
      "thermostat: {temperature: 400 K, friction: 4/ps}\n"
      "output: {pressure: both, equilibration: 1 ps, thermo_every: 5, report: false, progress: false}\n");
}

static double energy_of(const char *topology)
{
  program_runs("energy run.yaml --set system.topology=%s", topology);
  const char *at = strstr(program_output, "potential");
  ck_assert_ptr_nonnull(at);
  return strtod(at + 9, NULL);
}

/* Five degrees of freedom each, and what they share; the same energy as two masses with a site between
 * them. */
TEST(a_gas_has_its_temperature)
{
  begin_gas();
  const double one = energy_of("straight.yaml"), other = energy_of("sites.yaml");
  ck_assert_double_eq_tol(one, other, 1e-6 * fabs(one));
  program_runs("run run.yaml -o gas");
  ck_assert_double_eq(program_summary("gas", "freedom"), 5.0 * 64);
  const double kelvin = program_summary("gas", "temperature_unbiased"),
               error = program_summary("gas", "temperature_unbiased_err");
  ck_assert_double_lt(error, 6.0);
  ck_assert_msg(fabs(kelvin - 400.0) < 3.5 * error, "%g +- %g K", kelvin, error);
  /* The constraints' share of the virial by atoms is that of the bonds' distances alone. */
  const double by_molecule = program_summary("gas", "pressure"),
               by_atom = program_summary("gas", "pressure_atom"),
               off =
                   hypot(program_summary("gas", "pressure_err"), program_summary("gas", "pressure_atom_err"));
  ck_assert_msg(fabs(by_molecule - by_atom) < 3.5 * off, "%g and %g bar, +- %g", by_molecule, by_atom, off);
}
