/* Whole runs in oblique boxes with forces in single precision: energies and forces within the error that was
 * asked for along a run, of what a mesh a hundred times finer says, and restarts to the bit. */
#include "forcefields/periodic.h"
#include "simulation/simulation_private.h"
#include "tests/files.h"
#include "tests/parsed.h"
#include "tests/shorter.h"

static const double accuracy = 0.02; /* kcal/mol/A */

static const char *const system_of[] = {
    "model: tip3p, molecules: 220, density: 1 g/cm3, shape: dodecahedron",
    "model: tip3p, molecules: 220, density: 1 g/cm3, shape: octahedron",
    "model: tip4p2005, molecules: 220, density: 1 g/cm3, shape: dodecahedron",
    "model: tip4p2005, molecules: 220, density: 1 g/cm3, shape: octahedron",
    "model: tip3p, molecules: 210, density: 1 g/cm3, shape: dodecahedron, atoms: {Na+: 5, Cl-: 5}"};
enum { SYSTEMS = (int)(sizeof system_of / sizeof *system_of) };

static Simulation *boxed(int which, bool exact)
{
  char text[1024];
  snprintf(text, sizeof text,
           "precision: %s\nsystem: {%s, minimise: %s}\ngeometry: {method: settle}\n"
           "forces: {cutoff: 7 A, truncation: switch, accuracy: %g}\nensemble: {threads: 1}\n"
           "integrator: {word: BAOAB, timestep: 2 fs, steps: 1000}\n"
           "thermostat: {temperature: 300 K, friction: 5/ps}\n",
           exact ? "double" : "mixed", system_of[which], exact ? "false" : "true",
           exact ? 0.01 * accuracy : accuracy);
  return parsed(text);
}

static double potential(Simulation *s)
{
  double value[96];
  SimulationColumns columns;
  fine(simulation_columns(s, &columns, &error));
  fine(simulation_look(s, 0, value, &error));
  return value[measurement_find(s->measurement, "potential")];
}

/* Of all components of the forces on the atoms. */
static double rms(const double *x, const double *y, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum / (double)n * 3.0);
}

/* Of five two have both shapes, both sorts of water, and ions. */
static bool skipped(int which) { return SHORT && which < 3; }

TEST(runs_have_the_accuracy, .rows = suite_rows(1, SYSTEMS))
{
  if (skipped(_i))
    return;
  enum { LOOKS = SHORT ? 1 : 3, STEPS = 25 };
  Simulation *s = boxed(_i, false), *exact = boxed(_i, true);
  const size_t n = (size_t)simulation_coordinates(s);
  double *x = calloc(3 * n, sizeof *x), *f = x + n, *wanted = x + 2 * n;
  fine(simulation_start(exact, NULL, &error));
  for (int i = 0; i < LOOKS; i++) {
    fine(simulation_step(s, STEPS, NULL, &error));
    const PmeChoice *choice = periodic_choice(&ensemble_field(s->ensemble)->force[0]);
    fine(simulation_get(s, SIMULATION_POSITIONS, 0, x, &error));
    fine(simulation_set(exact, SIMULATION_POSITIONS, 0, x, &error));
    fine(simulation_get(s, SIMULATION_FORCES, 0, f, &error));
    fine(simulation_get(exact, SIMULATION_FORCES, 0, wanted, &error));
    const double off = rms(f, wanted, n), energy = potential(s) - potential(exact);
    ck_assert_msg(off < 1.3 * accuracy && off > 0.0, "forces are off by %g", off);
    ck_assert_msg(fabs(energy) < 4.0 * choice->energy, "the energy is off by %g of %g", energy,
                  choice->energy);
  }
  free(x);
  simulation_free(s);
  simulation_free(exact);
}

TEST(restarts_are_exact, .rows = suite_rows(1, SYSTEMS))
{
  if (skipped(_i))
    return;
  Simulation *a = boxed(_i, false), *b = boxed(_i, false);
  const CheckpointStore store = {.path = files_path("oblique.hol")};
  const size_t n = (size_t)simulation_coordinates(a);
  double *x = calloc(2 * n, sizeof *x), *y = x + n;
  fine(simulation_step(a, 17, NULL, &error));
  fine(simulation_save(a, &store, &error));
  fine(simulation_restore(b, &store, &error));
  fine(simulation_step(a, 20, NULL, &error));
  fine(simulation_step(b, 20, NULL, &error));
  for (int field = SIMULATION_POSITIONS; field <= SIMULATION_FORCES; field++) {
    fine(simulation_get(a, (SimulationField)field, 0, x, &error));
    fine(simulation_get(b, (SimulationField)field, 0, y, &error));
    ck_assert_mem_eq(x, y, n * sizeof *x);
  }
  ck_assert_double_eq(potential(a), potential(b));
  free(x);
  simulation_free(a);
  simulation_free(b);
}
