/* Starts that overlap, and `holonom minimise`: the forces that are left, by another route than the
 * minimisation. */
#include "tests/chain_of_four.h"
#include "tests/made_molecules.h"
#include "tests/program.h"

enum { ARGON = 64, BUTANES = 6, WATERS = 125 };
static const double edge = 16.5;

/* The largest component of the forces in the last columns of an extended XYZ file. */
static double largest_force(const char *name)
{
  double most = 0.0;
  int n = 0;
  const char *text = program_read(name);
  const int natom = atoi(text);
  text = strchr(strchr(text, '\n') + 1, '\n') + 1;
  for (; n < natom; n++, text = strchr(text, '\n') + 1) {
    char label[16];
    double x[3], f[3];
    ck_assert_int_eq(sscanf(text, "%15s %lf %lf %lf %lf %lf %lf", label, x, x + 1, x + 2, f, f + 1, f + 2),
                     7);
    for (int d = 0; d < 3; d++)
      most = fmax(most, fabs(f[d]));
  }
  ck_assert_int_gt(n, 0);
  return most;
}

static FILE *create_xyz(const char *name, int natom)
{
  FILE *file = program_create(name);
  fprintf(file, "%d\nLattice=\"%.6f 0 0 0 %.6f 0 0 0 %.6f\" Properties=species:S:1:pos:R:3\n", natom, edge,
          edge, edge);
  return file;
}

/* Atoms at random, of which two coincide. The forces that are left are those of a converged Ewald sum's code.
 */
TEST(atoms_that_coincide_come_apart)
{
  FILE *file = create_xyz("argon.xyz", ARGON);
  srand48(5);
  for (int i = 0; i < ARGON; i++) {
    static double x[3];
    for (int d = 0; d < 3 && i != 1; d++)
      x[d] = edge * drand48();
    fprintf(file, "Ar %.10f %.10f %.10f\n", x[0], x[1], x[2]);
  }
  ck_assert_int_eq(fclose(file), 0);
  program_write("argon.yaml", "system: {atoms: {argon: 64}, start: file, file: argon.xyz, box: file}\n"
                              "geometry: {method: none}\nforces: {cutoff: 8 A}\n"
                              "integrator: {word: BAOAB, timestep: 5 fs, steps: 10}\n"
                              "thermostat: {temperature: 90 K, friction: 1/ps}\n");
  program_refuses("'system.minimise: true' moves them apart", "check argon.yaml");
  program_runs("minimise argon.yaml -o argon --tolerance 0.01");
  program_does("$P energy argon/minimised.xyz --ewald --cutoff 8 --forces f.xyz");
  ck_assert_double_lt(largest_force("f.xyz"), 0.0101);
  program_refuses("argon/minimised.gro exists", "minimise argon.yaml -o argon");
  program_does("$P minimise argon.yaml -o argon --tolerance 1 --force");
}

/* The largest |sum_i exp(i k r_i)|^2 / N over waves of the box up to eight along an edge, of the argon's
 * file. */
static double largest_peak(const char *name)
{
  enum { MOST = 256, WAVES = 8 };
  double x[MOST][3], side = 0.0, most = 0.0;
  int n = 0;
  const char *text = program_read(name);
  const int natom = atoi(text);
  ck_assert_int_le(natom, MOST);
  ck_assert_int_eq(sscanf(strstr(text, "Lattice=\"") + 9, "%lf", &side), 1);
  for (text = strchr(strchr(text, '\n') + 1, '\n') + 1; n < natom; n++, text = strchr(text, '\n') + 1)
    ck_assert_int_eq(sscanf(text, "%*s %lf %lf %lf", x[n], x[n] + 1, x[n] + 2), 3);
  for (int k = 1; k < (2 * WAVES + 1) * (2 * WAVES + 1) * (WAVES + 1); k++) {
    const int h[3] = {k % (2 * WAVES + 1) - WAVES, k / (2 * WAVES + 1) % (2 * WAVES + 1) - WAVES,
                      k / (2 * WAVES + 1) / (2 * WAVES + 1)};
    double re = 0.0, im = 0.0;
    for (int i = 0; i < n; i++) {
      const double phase = 2.0 * M_PI / side * (h[0] * x[i][0] + h[1] * x[i][1] + h[2] * x[i][2]);
      re += cos(phase);
      im += sin(phase);
    }
    if (h[0] != 0 || h[1] != 0 || h[2] != 0)
      most = fmax(most, (re * re + im * im) / n);
  }
  return most;
}

/* A box of atoms that is built is no crystal, whose peaks would be as high as its number of atoms: those of a
 * liquid are some three high, and one in exp(-10) waves beyond ten times that. */
TEST(atoms_are_built_without_order)
{
  program_write("built.yaml", "system: {atoms: {argon: 108}, box: 17.2 A}\n"
                              "geometry: {method: none}\nforces: {cutoff: 8 A}\n"
                              "integrator: {word: BAOAB, timestep: 5 fs, steps: 10}\n"
                              "thermostat: {temperature: 100 K, friction: 1/ps}\n");
  program_does("$P minimise built.yaml -o built --tolerance 0.1 --steps 3000");
  ck_assert_double_lt(largest_peak("built/minimised.xyz"), 40.0);
  ck_assert_double_gt(largest_peak("built/minimised.xyz"), 1.0);
}

static const char bead[] =
    "format: holonom-molecules 1\nrule: geometric\ntypes: {A: [%s]}\nmolecules:\n  bead:\n"
    "    atoms:\n      - [A1, A, 0, 1]\nsystem:\n  - [bead, 64]\n";

static void write_beads(const char *lj)
{
  FILE *file = program_create("bead.yaml");
  fprintf(file, bead, lj);
  ck_assert_int_eq(fclose(file), 0);
  file = create_xyz("bead.xyz", ARGON);
  srand48(9);
  for (int i = 0; i < ARGON; i++)
    fprintf(file, "A1 %.10f %.10f %.10f\n", edge * drand48(), edge * drand48(), edge * drand48());
  ck_assert_int_eq(fclose(file), 0);
  program_write("beads.yaml",
                "system: {topology: bead.yaml, file: bead.xyz, box: file}\n"
                "geometry: {constrain: none}\nforces: {cutoff: 8 A, coulomb: cutoff, tail: false}\n"
                "integrator: {word: BAOAB, timestep: 20 fs, steps: 5000}\n"
                "thermostat: {temperature: 300 K, friction: 1/ps}\n"
                "output: {report: false, progress: false}\n");
}

/* An ideal gas, whose atoms come as near to each other as they like, runs in mixed precision; atoms that are
 * too near are called what the file calls them. */
TEST(an_ideal_gas_runs)
{
  write_beads("3.4, 0");
  program_runs("run beads.yaml -o gas");
  write_beads("3.4, 0.2");
  program_refuses("(A1) of molecule", "check beads.yaml");
}

/* Flexible molecules on top of each other, atom by atom, and nothing kept: all terms of a force field. */
TEST(molecules_that_coincide_come_apart)
{
  Made m;
  make_butane(&m);
  FILE *file = program_create("butane.yaml");
  fprintf(
      file,
      "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05], H: [2.5, 0.03]}\nmolecules:\n%s"
      "      torsion:\n        - [1, 2, 3, 4, 0, 1.4, 3]\nsystem:\n  - [butane, %d]\n",
      m.text, BUTANES);
  ck_assert_int_eq(fclose(file), 0);
  file = create_xyz("butane.xyz", BUTANES * m.n);
  for (int i = 0; i < BUTANES * m.n; i++)
    fprintf(file, "%s %.10f %.10f %.10f\n", i % m.n < 4 ? "C" : "H", m.x[i % m.n][0], m.x[i % m.n][1],
            m.x[i % m.n][2]);
  ck_assert_int_eq(fclose(file), 0);
  program_write("butane_run.yaml", "system: {topology: butane.yaml, file: butane.xyz, box: file}\n"
                                   "geometry: {constrain: none}\nforces: {cutoff: 8 A}\nprecision: double\n"
                                   "integrator: {word: BAOAB, timestep: 0.5 fs, steps: 10}\n"
                                   "thermostat: {temperature: 300 K, friction: 1/ps}\n");
  program_runs("minimise butane_run.yaml -o butane --tolerance 0.05 --steps 60000");
  program_does("$P energy butane_run.yaml --set system.file=butane/minimised.xyz --forces g.xyz");
  ck_assert_double_lt(largest_force("g.xyz"), 0.0501);
  program_runs("minimise butane_run.yaml -o kept --set geometry.constrain=h-bonds");
}

/* A chain on a helix so flat that its ends overlap after one turn. With all angles kept it is one group, in
 * which torsions move its atoms apart. */
TEST(ends_of_a_rigid_chain_come_apart)
{
  enum { BEADS = 6 };
  const double radius = 1.4, step = 68.0 * M_PI / 180.0, rise = 0.06;
  const double length = hypot(2.0 * radius * sin(0.5 * step), rise),
               bend = 2.0 * asin(0.5 * hypot(2.0 * radius * sin(step), 2.0 * rise) / length);
  FILE *file = program_create("coil.yaml");
  fprintf(file, "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.9, 0.1]}\nsystem: [[coil, 1]]\n"
                "molecules:\n  coil:\n    atoms:\n");
  for (int i = 1; i <= BEADS; i++)
    fprintf(file, "      - [C%d, C, 0, 14]\n", i);
  fputs("    terms:\n      bond:\n", file);
  for (int i = 1; i < BEADS; i++)
    fprintf(file, "        - [%d, %d, %.12g, 600]\n", i, i + 1, length);
  fputs("      angle:\n", file);
  for (int i = 1; i < BEADS - 1; i++)
    fprintf(file, "        - [%d, %d, %d, %.12g, 120]\n", i, i + 1, i + 2, bend * 180.0 / M_PI);
  ck_assert_int_eq(fclose(file), 0);
  file = create_xyz("coil.xyz", BEADS);
  for (int i = 0; i < BEADS; i++)
    fprintf(file, "C%d %.10f %.10f %.10f\n", i + 1, radius * cos(step * i), radius * sin(step * i), rise * i);
  ck_assert_int_eq(fclose(file), 0);
  program_write("coil_run.yaml", "system: {topology: coil.yaml, file: coil.xyz, box: none}\n"
                                 "geometry: {constrain: all-angles}\nprecision: double\n"
                                 "integrator: {word: BAOAB, timestep: 1 fs, steps: 10}\n"
                                 "thermostat: {temperature: 300 K, friction: 1/ps}\n");
  program_refuses("'system.minimise: true' moves them apart",
                  "check coil_run.yaml --set system.minimise=false");
  program_runs("minimise coil_run.yaml -o coil --tolerance 0.01");
  ck_assert_ptr_nonnull(strstr(program_read("coil/minimised.yaml"), "steps_apart:"));
  program_runs(
      "run coil_run.yaml -o coiled --set system.file=coil/minimised.xyz --set system.minimise=false");
}

/* Rigid waters at random are relaxed by the run itself, which then stays near its temperature; one step of
 * minimisation is not enough, and that is said. */
TEST(waters_at_random_start_calmly)
{
  FILE *file = create_xyz("water.xyz", 3 * WATERS);
  srand48(7);
  for (int i = 0; i < WATERS; i++) {
    double x[3];
    for (int d = 0; d < 3; d++)
      x[d] = edge * drand48();
    fprintf(file, "O %.10f %.10f %.10f\nH %.10f %.10f %.10f\nH %.10f %.10f %.10f\n", x[0], x[1], x[2],
            x[0] + 0.9572, x[1], x[2], x[0] - 0.23999, x[1] + 0.92663, x[2]);
  }
  ck_assert_int_eq(fclose(file), 0);
  program_write(
      "water.yaml",
      "system: {model: tip3p, start: file, file: water.xyz, box: file, minimise: true}\n"
      "geometry: {method: settle}\nforces: {cutoff: 8 A}\n"
      "integrator: {word: BAOAB, timestep: 2 fs, steps: 100}\n"
      "thermostat: {temperature: 300 K, friction: 1/ps}\noutput: {thermo_every: 1, report: false}\n");
  program_runs("run water.yaml -o wet");
  program_do("grep -q 'moved apart in [0-9]* steps, minimised in [0-9]* steps in double precision' "
             "wet/holonom.log");
  ResultTable *t = program_table("wet/thermo.csv");
  const ResultColumn *kelvin = results_column(t, "temperature");
  for (size_t i = 0; i < t->nrow; i++)
    ck_assert_double_lt(kelvin->value[i], 390.0); /* five standard deviations above 300 K */
  results_free_table(t);
  (void)program_call(
      "check water.yaml --set system.minimise_steps=150 --set \"system.minimise_tolerance=1 kJ/mol/nm\"");
  program_says("WARNING: the largest force still exceeds 0.0239 kcal/mol/A");
  program_says("\n# 1 warning\n");
}

/* Two pendulums on rods hang straight down, their energy is that of their heights, and a Hamiltonian is
 * refused.
 */
TEST(pendulums_hang_down)
{
  const char *const root = getenv("HOLONOM_SOURCE");
  const char *const folder = root != NULL ? root : ".";
  program_runs("minimise %s/examples/double-pendulum/shake.yaml -o hanging", folder);
  const double energy = program_number("potential");
  ResultTable *t = program_table("hanging/minimised.csv");
  double x[4];
  for (int i = 0; i < 4; i++)
    x[i] = results_column(t, (const char *const[]){"x1", "y1", "x2", "y2"}[i])->value[0];
  results_free_table(t);
  ck_assert_double_eq_tol(x[0], 0.0, 1e-5);
  ck_assert_double_eq_tol(x[2], 0.0, 1e-5);
  ck_assert_double_lt(x[3], x[1]);
  ck_assert_double_eq_tol(energy, x[1] + x[3], 1e-9); /* unit masses and gravity */
  program_refuses("a Hamiltonian has no forces", "minimise %s/examples/double-pendulum/angles.yaml -o not",
                  folder);
  ck_assert_int_eq(program_exists("not"), 0);
}
