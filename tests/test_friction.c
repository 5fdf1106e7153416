/* thermostat.frictions: frictions of selected atoms. */
#include "simulation/simulation.h"
#include "tests/chain_of_four.h"
#include "tests/parsed.h"
#include "tests/program.h"

/* Free particles of three types, and dumbbells of two atoms at a constrained distance; no forces. */
static const char free_file[] =
    "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [0, 0]}\nmolecules:\n"
    "  light: {atoms: [[L, X, 0, 2]]}\n  heavy: {atoms: [[H1, X, 0, 40]]}\n  other: {atoms: [[O, X, 0, 2]]}\n"
    "  pair: {atoms: [[P, X, 0, 3], [Q, X, 0, 5]], constraints: [[1, 2, 1.5]]}\n"
    "system: [[light, 2], [heavy, 2], [other, 2], [pair, 2]]\n";
static const char free_input[] =
    "system: {topology: %s/free.yaml, start: file, file: %s/free.gro, minimise: false}\n"
    "geometry: {method: rattle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 1000}\n"
    "thermostat: {temperature: 300 K, friction: 1 1/ps, initial: maxwell, frictions: [{atoms: name L Q P, "
    "friction: 9 1/ps}, {atoms: moltype pair, friction: 20 1/ps}, {atoms: [name H*], friction: 0}]}\n"
    "ensemble: {replicas: 8}\n";
enum { FREE = 10 };
static const double per_ps[FREE] = {9, 9, 0, 0, 1, 1, 20, 20, 20, 20};

static void write_free(char *text, size_t size)
{
  static const char *const names[FREE] = {"L", "L", "H1", "H1", "O", "O", "P", "Q", "P", "Q"};
  double x[FREE][3] = {{0}};
  for (int i = 0; i < FREE; i++)
    x[i][0] = i < 6 ? 6.0 * i : 60.0 + 6.0 * ((i - 6) / 2) + 1.5 * (i % 2);
  program_write("free.yaml", free_file);
  write_gro("free.gro", FREE, names, "MOL", (const double(*)[3])x, 0.0);
  snprintf(text, size, free_input, program_scratch, program_scratch);
}

/* Between two runs with the same noise the difference of momenta decays by exp(-gamma t) exactly: of free
 * atoms, and of the whole momentum of atoms that a constraint ties. So does the autocorrelation of momenta.
 */
TEST(momenta_decay_at_the_rate_of_their_selection)
{
  enum { STEPS = 200, NUMBERS = 3 * FREE };
  char text[4096];
  double p[2][NUMBERS], shift[NUMBERS];
  write_free(text, sizeof text);
  Simulation *s[2] = {parsed(text), parsed(text)};
  for (int k = 0; k < 2; k++)
    fine(simulation_start(s[k], NULL, &error));
  const double h = simulation_timestep(s[0]), akma = 1000.0 / 48.88821;
  for (int r = 0; r < 8; r++) {
    fine(simulation_get(s[1], SIMULATION_MOMENTA, r, p[1], &error));
    for (int i = 0; i < NUMBERS; i++) {
      const double mass = i < 6 ? 2.0 : i < 12 ? 40.0 : i < 18 ? 2.0 : i / 3 % 2 == 0 ? 3.0 : 5.0;
      shift[i] = (i < 18 ? 0.3 + i : 1.0 + i % 3) * mass; /* of pairs: along the constraint's tangent space */
      p[1][i] += shift[i];
    }
    fine(simulation_set(s[1], SIMULATION_MOMENTA, r, p[1], &error));
  }
  for (int k = 0; k < 2; k++)
    fine(simulation_step(s[k], STEPS, NULL, &error));
  for (int r = 0; r < 8; r++) {
    for (int k = 0; k < 2; k++)
      fine(simulation_get(s[k], SIMULATION_MOMENTA, r, p[k], &error));
    for (int i = 0; i < NUMBERS; i++) {
      const bool tied = i >= 18, second = i / 3 % 2 == 1;
      const int other = tied && second ? i - 3 : i + 3;
      const double by = exp(-per_ps[i / 3] / akma * h * STEPS),
                   found = p[1][i] - p[0][i] + (tied ? p[1][other] - p[0][other] : 0.0),
                   wanted = by * (shift[i] + (tied ? shift[other] : 0.0));
      ck_assert_msg(fabs(found - wanted) < 1e-9 * fabs(wanted) + 1e-9, "coordinate %d: %.12g, not %.12g", i,
                    found, wanted);
    }
  }
  for (int k = 0; k < 2; k++)
    simulation_free(s[k]);
}

static void begin_dipeptide(const char *convention, const char *friction)
{
  static const char *const names[] = {"HH31", "CH3", "HH32", "HH33", "C",    "O",   "N", "H",
                                      "CA",   "HA",  "CB",   "HB1",  "HB2",  "HB3", "C", "O",
                                      "N",    "H",   "CH3",  "HH31", "HH32", "HH33"};
  Made m;
  program_do("rm -rf one some same other cut");
  make_dipeptide(&m);
  FILE *file = program_create("made.yaml");
  fprintf(file,
          "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.2, 0.05]}\nmolecules:\n%ssystem:\n"
          "  - [dipeptide, 1]\n",
          m.text);
  ck_assert_int_eq(fclose(file), 0);
  write_gro("made.gro", m.n, names, "MOL", (const double(*)[3])m.x, 0.0);
  file = program_create("run.yaml");
  fprintf(file,
          "system: {topology: made.yaml, file: made.gro, minimise: true}\n"
          "geometry: {constrain: h-bonds}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 3500}\n"
          "thermostat: {temperature: 300 K, friction: %s, convention: %s}\nensemble: {replicas: 32}\n"
          "output: {report: false, progress: false, equilibration: 0.5 ps}\n",
          friction, convention);
  ck_assert_int_eq(fclose(file), 0);
}

static void is_equal(const char *one, const char *other, const char *key)
{
  char err[64];
  snprintf(err, sizeof err, "%s_err", key);
  const double a = program_summary(one, key), b = program_summary(other, key),
               off = hypot(program_summary(one, err), program_summary(other, err));
  ck_assert_msg(fabs(a - b) < 4.0 * off, "%s: %g and %g, +- %g", key, a, b, off);
}

/* Averages do not depend on friction, on the constraint manifold either: temperature and potential energy,
 * with and without removal of the whole's motion. */
TEST(averages_do_not_depend_on_frictions, .rows = 2)
{
  const char *const unit = _i == 0 ? "1/ps" : "g/mol/ps";
  char set[512];
  begin_dipeptide(_i == 0 ? "mass" : "uniform", _i == 0 ? "10 1/ps" : "100 g/mol/ps");
  snprintf(set, sizeof set,
           "--set \"thermostat.frictions=[{atoms: name CB HB1 HB2 HB3, friction: 80 %s}, {atoms: element N "
           "or (name H "
           "and not index 0), friction: 30 %s}]\"%s",
           unit, unit, _i == 0 ? "" : " --set thermostat.remove=angular");
  program_runs("run run.yaml -o one --quiet%s", _i == 0 ? "" : " --set thermostat.remove=angular");
  program_runs("run run.yaml -o some --quiet %s", set);
  const double kelvin = program_summary("some", "temperature_unbiased"),
               off = program_summary("some", "temperature_unbiased_err");
  ck_assert_double_lt(off, 5.0);
  ck_assert_msg(fabs(kelvin - 300.0) < 4.0 * off, "%g +- %g K", kelvin, off);
  ck_assert_double_eq(program_summary("some", "freedom"), program_summary("one", "freedom"));
  is_equal("one", "some", "potential");
  ck_assert_ptr_nonnull(strstr(program_read("some/holonom.log"), "friction 1: 4 atoms in 1 group, "));
  ck_assert_ptr_nonnull(strstr(program_read("some/holonom.log"), "friction 2: 4 atoms in 2 groups"));
}

/* Rows that give every atom the common friction change no bit; rows that change some, do. Restarts continue.
 */
TEST(equal_frictions_change_no_bit)
{
#define ROWS(n)                                                                                              \
  "--set \"thermostat.frictions=[{atoms: all, friction: 3 1/ps}, {atoms: all, friction: " n " 1/ps}]\""
  begin_dipeptide("mass", "10 1/ps");
  program_runs("run run.yaml -o one --quiet --set integrator.steps=2000");
  program_runs("run run.yaml -o same --quiet --set integrator.steps=2000 " ROWS("10"));
  program_same("one", "same", "thermo.csv");
  program_same("one", "same", "final.xyz");
  program_runs("run run.yaml -o other --quiet --set integrator.steps=2000 " ROWS("11"));
  ck_assert_int_ne(program_shell("cmp -s one/thermo.csv other/thermo.csv"), 0);
  program_runs("run run.yaml -o cut --quiet --set integrator.steps=1300 " ROWS("11"));
  program_runs("run run.yaml -o cut --quiet --resume --set integrator.steps=2000 " ROWS("11"));
  program_same("other", "cut", "thermo.csv");
  program_refuses("thermostat.frictions", "run run.yaml -o cut --quiet --resume --set integrator.steps=2000");
}

/* Built-in water and ions. */
TEST(ions_and_water_differ)
{
  program_write("ions.yaml",
                "system: {model: tip3p, molecules: 6, atoms: {Na+: 1, Cl-: 1}, anneal: false}\n"
                "geometry: {method: settle}\n"
                "integrator: {word: BAOAB, timestep: 1 fs, steps: 4000}\n"
                "thermostat: {temperature: 100 K, friction: 20 1/ps, frictions: [{atoms: resname NA, "
                "friction: 2 1/ps}]}\n"
                "ensemble: {replicas: 16}\noutput: {report: false, progress: false, equilibration: 1 ps}\n");
  program_runs("run ions.yaml -o ions --quiet");
  ck_assert_ptr_nonnull(strstr(program_read("ions/holonom.log"), "friction 1: 1 atom in 1 group, 2/ps"));
  const double kelvin = program_summary("ions", "temperature_unbiased"),
               off = program_summary("ions", "temperature_unbiased_err");
  ck_assert_msg(fabs(kelvin - 100.0) < 4.0 * off, "%g +- %g K", kelvin, off);
}

TEST(wrong_rows_are_named)
{
  static const char *const wrong[][2] = {
      {"{atoms: name CB HB1, friction: 5 1/ps}",
       "thermostat.frictions: molecule dipeptide: atoms 11 and 13, CB and HB2, have different frictions"},
      {"{atoms: name NO, friction: 5 1/ps}", "thermostat.frictions[1].atoms: selects no atom of made.yaml"},
      {"{atoms: nam CB, friction: 5 1/ps}", "did you mean 'name'"},
      {"{atoms: all, friction: -5 1/ps}", "out of range"},
      {"{atoms: all, friction: 5 g/mol/ps}", "does not fit convention: mass"},
      {"{atoms: all}", "friction"},
      {"{friction: 5 1/ps}", "atoms"}};
  begin_dipeptide("mass", "10 1/ps");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i][1], "check run.yaml --set \"thermostat.frictions=[%s]\"", wrong[i][0]);
  program_refuses("use thermostat.frictions", "check run.yaml --set thermostat.tc_grps=Protein");
  program_refuses("atoms 1 and 2",
                  "check run.yaml --set geometry.constrain=h-angles --set \"thermostat.frictions="
                  "[{atoms: index 0, friction: 5 1/ps}]\"");
}

int main(void) { return program_main("friction"); }
