/* Systems of more kinds of groups, and more rows of molecules, than anybody writes by hand: they run as
 * others do, and the order in which a file lists them is in no number. */
#include "tests/program.h"

enum { MANY = 100, SIDE = 5 };

/* Dimers, no two of one length; those of one row are all alike. */
static void write_molecules(bool alike, bool backwards, bool one_row)
{
  FILE *file = program_create("many.yaml");
  fputs("format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.1, 0.1]}\nmolecules:\n", file);
  for (int k = 0; k < (alike ? 1 : MANY); k++)
    fprintf(
        file,
        "  m%02d:\n    atoms:\n      - [A, X, 0.1, 12]\n      - [B, X, -0.1, 14]\n    terms:\n      bond:\n"
        "        - [1, 2, %.4f, 500]\n    exclude: 1\n",
        k, 1.0 + 0.003 * k);
  fputs("system:\n", file);
  for (int k = 0; k < (one_row ? 1 : MANY); k++)
    fprintf(file, "  - [m%02d, %d]\n", alike ? 0 : backwards ? MANY - 1 - k : k, one_row ? MANY : 1);
  ck_assert_int_eq(fclose(file), 0);
}

/* On a lattice, in the order of the file. */
static void write_start(bool alike, bool backwards)
{
  FILE *file = program_create("many.gro");
  fprintf(file, "many\n%d\n", 2 * MANY);
  for (int i = 0; i < MANY; i++) {
    const int k = backwards ? MANY - 1 - i : i;
    const double x = 0.48 * (k % SIDE), y = 0.48 * (k / SIDE % SIDE), z = 0.6 * (k / SIDE / SIDE),
                 length = alike ? 0.1 : 0.1 + 0.0003 * k;
    fprintf(file, "%5d%-5s%5s%5d%15.10f%15.10f%15.10f\n", i + 1, "M", "A", 2 * i + 1, x, y, z);
    fprintf(file, "%5d%-5s%5s%5d%15.10f%15.10f%15.10f\n", i + 1, "M", "B", 2 * i + 2, x, y, z + length);
  }
  fputs("2.4 2.4 2.4\n", file);
  ck_assert_int_eq(fclose(file), 0);
}

static void begin(bool alike, bool backwards, bool one_row, bool open)
{
  write_molecules(alike, backwards, one_row);
  write_start(alike, backwards);
  FILE *file = program_create("run.yaml");
  fprintf(file,
          "system: {topology: many.yaml, start: file, file: many.gro, box: %s}\n"
          "geometry: {constrain: all-bonds}\n%s"
          "integrator: {word: BAOAB, timestep: 2 fs, steps: 40}\n"
          "thermostat: {temperature: 300 K, friction: 1/ps}\n"
          "output: {report: false, progress: false, thermo_every: 1, msd_every: 4, vacf_every: 2, "
          "vacf_max: 20 fs%s}\n",
          open ? "none" : "file", open ? "" : "forces: {cutoff: 9 A}\n",
          open ? "" : ", dipole_every: 4, rdf_every: 4, pressure: both");
  ck_assert_int_eq(fclose(file), 0);
}

/* The order of a file is in no bit. */
TEST(kinds_run_in_any_order, .rows = 3)
{
  for (int back = 0; back < 2; back++) {
    begin(false, back, false, _i == 2);
    program_runs("run run.yaml -o run%d --quiet --force%s", back, _i == 1 ? " --set precision=mixed" : "");
  }
  program_do("grep -q '^groups: 100 of 100 kinds, with 100 constraints' run0/holonom.log");
  program_same("run0", "run1", "thermo.csv");
}

/* A molecule in a hundred rows is what it is in one. */
TEST(rows_are_those_of_one)
{
  double potential[2];
  for (int one = 0; one < 2; one++) {
    begin(true, false, one, false);
    program_runs("run run.yaml -o rows%d --quiet", one);
    ResultTable *t = program_table(one ? "rows1/thermo.csv" : "rows0/thermo.csv");
    const ResultColumn *column = results_column(t, "potential");
    ck_assert_ptr_nonnull(column);
    potential[one] = column->value[0];
    results_free_table(t);
  }
  ck_assert_double_ne(potential[0], 0.0);
  ck_assert_double_eq_tol(potential[0], potential[1], 1e-9 * fabs(potential[0]));
}
