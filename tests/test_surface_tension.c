/* The surface tension of slabs: half of L_z (P_zz - (P_xx + P_yy)/2), positive for a slab of liquid argon and
 * zero for the liquid alone. */
#include "tests/program.h"
#include "tests/shorter.h"
#include "tests/tables.h"

enum { SIDE = 5, ATOMS = SIDE * SIDE * SIDE };

/* A cubic lattice of argon in a box that is `tall` in z. */
static void begin(double tall, const char *more)
{
  const double apart = 3.85, side = SIDE * apart;
  FILE *file = program_create("argon.xyz");
  fprintf(file, "%d\nargon\n", ATOMS);
  for (int i = 0; i < ATOMS; i++)
    fprintf(file, "Ar %g %g %g\n", apart * (i % SIDE), apart * (i / SIDE % SIDE), apart * (i / SIDE / SIDE));
  fclose(file);
  char text[1024];
  snprintf(
      text, sizeof text,
      "system: {atoms: {argon: %d}, start: file, file: argon.xyz, box: [%g, %g, %g]}\n"
      "forces: {cutoff: 8 A, coulomb: cutoff}\nintegrator: {word: BAOAB, timestep: 10 fs, steps: %d}\n"
      "thermostat: {temperature: 90 K, friction: 1/ps}\nensemble: {replicas: 8}\n"
      "output: {surface_tension: true, equilibration: 10 ps, thermo_every: 10, rdf_every: 0, report: false, "
      "progress: false%s}\n",
      ATOMS, side, side, tall * side, SHORT ? 2000 : 4000, more);
  program_write("slab.yaml", text);
}

/* The row is that of the components in it; the pressure by atom where no other is recorded. */
TEST(it_is_that_of_the_pressures, .rows = 2)
{
  begin(2.5, _i == 0 ? "" : ", pressure: atom");
  program_runs("run slab.yaml -o slab --force --set integrator.steps=50 --set output.equilibration=0 --set "
               "ensemble.replicas=1");
  ResultTable *t = program_table("slab/thermo.csv");
  const char *const component[2][3] = {{"pressure_xx", "pressure_yy", "pressure_zz"},
                                       {"pressure_atom_xx", "pressure_atom_yy", "pressure_atom_zz"}};
  for (size_t row = 1; row < t->nrow; row++) {
    const double across = tables_cell(t, row, component[_i][0]) + tables_cell(t, row, component[_i][1]),
                 along = tables_cell(t, row, component[_i][2]),
                 right =
                     0.5 * 1e-10 * 2.5 * SIDE * 3.85 * 1e5 * (along - 0.5 * across) * 1e3; /* bar A in mN/m */
    ck_assert_double_eq_tol(tables_cell(t, row, "surface_tension"), right, 1e-5 * fabs(right) + 1e-6);
  }
  results_free_table(t);
  program_runs("run slab.yaml -o none --force --set integrator.steps=50 --set output.equilibration=0 --set "
               "output.surface_tension=false");
  ck_assert_ptr_null(strstr(program_read("none/thermo.csv"), "surface_tension"));
}

/* Argon at 90 K has 12 mN/m; cut off at 8 A and with so few atoms it is less. */
TEST(a_slab_has_one_and_a_liquid_has_none, .rows = 2)
{
  begin(_i == 0 ? 2.5 : 1.0, "");
  program_runs("run slab.yaml -o slab --force");
  const double tension = program_summary("slab", "surface_tension"),
               err = program_summary("slab", "surface_tension_err");
  if (_i == 0)
    ck_assert_msg(tension > 4.0 * err && tension > 3.0 && tension < 14.0, "%g +- %g mN/m", tension, err);
  else
    ck_assert_msg(fabs(tension) < 4.0 * err && err < 3.0, "%g +- %g mN/m in the liquid", tension, err);
}

int main(void) { return program_main("surface_tension"); }
