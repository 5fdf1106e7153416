/* A uniform electric field: forces are minus the gradient on charges and virtual sites, the energy of a
 * dipole follows Langevin's function, energy is conserved in open space and in boxes, an oscillating field
 * acts at the right times in every word, and the same bits follow however a run is cut. */
#include "base/text.h"
#include "engine/units.h"
#include "simulation/simulation_private.h"
#include "tests/parsed.h"
#include "tests/program.h"
#include "tests/shorter.h"
#include "tests/tables.h"

/* --- forces --------------------------------------------------------------------------------------------- */

static const char common[] = "geometry: {method: rattle}\nprecision: double\n"
                             "integrator: {word: BAOAB, timestep: 1 fs, steps: 100}\n"
                             "thermostat: {temperature: 300 K, friction: 5/ps}\n"
                             "output: {report: false, progress: false}\n";

/* A molecule whose virtual sites are no fixed means of atoms: at a fixed distance, and out of the plane. */
static const char molecule[] =
    "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [3.0, 0.1], V: [0, 0]}\nmolecules:\n"
    "  bent:\n    atoms: [[A, X, 0.1, 16], [B, X, 0.4, 3], [C, X, 0.3, 5], [D, V, -0.5, 0], "
    "[E, V, -0.2, 0]]\n"
    "    bonds: [[1, 2], [1, 3]]\n"
    "    constraints: [[1, 2, 1.1], [1, 3, 1.2], [2, 3, 1.8]]\n"
    "    virtual: [[4, 3fd, 1, 2, 3, 0.4, 0.6], [5, 3out, 1, 2, 3, -0.3, -0.2, 0.4]]\n"
    "system:\n  - [bent, 1]\n";

/* The field's share of energy, forces and virial of a system at these positions. */
typedef struct Share {
  double energy, f[96], virial[9];
} Share;

/* The system with the field, and without. */
static void open_both(const char *text, Simulation *s[2])
{
  static const char *const fields[] = {"field: {electric: [0.3 V/nm, -0.7 V/nm, 1.1 V/nm]}\n", ""};
  char whole[3000];
  for (int k = 0; k < 2; k++) {
    snprintf(whole, sizeof whole, "%s%s%s", text, common, fields[k]);
    s[k] = parsed(whole);
    fine(simulation_start(s[k], NULL, &error));
  }
}

static Share share_of(Simulation *s[2], const double *x)
{
  Share to[2];
  const int n = simulation_coordinates(s[0]);
  for (int k = 0; k < 2; k++) {
    const SimulationEvaluation evaluation = {&to[k].energy, to[k].f, to[k].virial};
    fine(simulation_scratch_evaluate(s[k], 0, 1, x, &evaluation, &error));
  }
  to[0].energy -= to[1].energy;
  for (int i = 0; i < n; i++)
    to[0].f[i] -= to[1].f[i];
  for (int i = 0; i < 9; i++)
    to[0].virial[i] -= to[1].virial[i];
  return to[0];
}

static const char *system_text(int i)
{
  static char text[600];
  static const char *const waters[] = {"tip3p", "tip4p", "tip5p"};
  if (i < 3)
    snprintf(text, sizeof text, "system: {model: %s, molecules: 2, anneal: false, minimise: false}\n",
             waters[i]);
  else if (i == 3)
    snprintf(text, sizeof text,
             "system: {model: tip4p, molecules: 2, atoms: {Na+: 1}, anneal: false, minimise: false}\n");
  else {
    const char *path = "bent.yaml";
    program_write(path, molecule);
    program_write("bent.xyz", "3\nbent\nA 0 0 0\nB 1.1 0 0\nC -0.268182 1.169649 0\n");
    snprintf(text, sizeof text, "system: {topology: %s/bent.yaml, file: %s/bent.xyz, minimise: false}\n",
             program_scratch, program_scratch);
  }
  return text;
}

/* The start's positions, and the displacements of one coordinate. */
TEST(forces_are_minus_the_gradient, .rows = 5)
{
  double x[96], p[96];
  Simulation *both[2];
  open_both(system_text(_i), both);
  const int n = simulation_coordinates(both[0]);
  simulation_get_point(both[0], 0, x, p);
  const Share at = share_of(both, x);
  const double e[3] = {0.03 * UNITS_VOLT, -0.07 * UNITS_VOLT, 0.11 * UNITS_VOLT}, step = 1e-3;
  double net[3] = {0.0}, virial[9] = {0.0};
  for (int i = 0; i < n; i++) {
    double moved[96];
    memcpy(moved, x, sizeof moved);
    moved[i] += step;
    const double up = share_of(both, moved).energy;
    moved[i] -= 2.0 * step;
    const double slope = (up - share_of(both, moved).energy) / (2.0 * step);
    ck_assert_msg(fabs(at.f[i] + slope) < 2e-5, "coordinate %d: %.9g and %.9g", i, at.f[i], -slope);
    net[i % 3] += at.f[i];
    for (int k = 0; k < 3; k++)
      virial[3 * k + i % 3] += x[i / 3 * 3 + k] * at.f[i];
  }
  const double charge = _i == 3 ? 1.0 : _i == 4 ? 0.1 : 0.0;
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(net[d], charge * e[d], 1e-9);
  for (int k = 0; k < 9 && charge == 0.0; k++)
    ck_assert_double_eq_tol(virial[k], at.virial[k], 1e-8);
  simulation_free(both[0]);
  simulation_free(both[1]);
}

/* --- a dipole in a field -------------------------------------------------------------------------------- */

/* Debye's moments of the models, e A. */
TEST(a_dipole_follows_langevins_function, .rows = 3)
{
  static const struct {
    const char *model;
    double bond, angle, charge, along; /* M or L: from O along the bisector */
  } water[] = {{"tip3p", 0.9572, 104.52, 0.417, 0.0},
               {"tip4p", 0.9572, 104.52, 0.52, 0.15},
               {"tip5p", 0.9572, 104.52, 0.241, -0.404145}}; /* 0.7 cos(109.47/2) */
  const double bisector = water[_i].bond * cos(water[_i].angle * M_PI / 360.0),
               dipole = 2.0 * water[_i].charge * (bisector - water[_i].along), kT = 300.0 * UNITS_BOLTZMANN,
               volts = 0.1, a = dipole * volts * UNITS_VOLT / kT;
  program_write(
      "one.yaml",
      "system: {molecules: 64, box: 2000 A, minimise: false}\ngeometry: {method: settle}\n"
      "forces: {cutoff: 5 A, coulomb: cutoff, tail: false}\n"
      "integrator: {word: BAOAB, timestep: 2 fs, time: 8 ps}\n"
      "thermostat: {temperature: 300 K, friction: 20/ps}\n"
      "field: {electric: [0, 0, 0.1 V/A]}\nensemble: {replicas: 8}\n"
      "output: {equilibration: 2 ps, thermo_every: 100, rdf_every: 0, report: false, progress: false}\n");
  program_runs("run one.yaml -o one --force --set system.model=%s", water[_i].model);
  const double mean = program_summary("one", "field_energy") / 64.0,
               err = program_summary("one", "field_energy_err") / 64.0,
               right = -kT * a * (1.0 / tanh(a) - 1.0 / a);
  ck_assert_double_lt(err, 0.02 * fabs(right));
  ck_assert_msg(fabs(mean - right) < 4.0 * err, "%s: %g +- %g; Langevin's function gives %g", water[_i].model,
                mean, err, right);
}

/* --- energy --------------------------------------------------------------------------------------------- */

/* Ions move by angstroms in a strong field, through the sides of a small box, and water turns. */
TEST(energy_is_conserved, .rows = 2)
{
  static const char *const systems[] = {
      "system: {atoms: {Na+: 1, Cl-: 1}, model: tip4p, molecules: 3, anneal: false, "
      "constraining_radius: 0}\n",
      "system: {atoms: {Na+: 1, Cl-: 1}, model: tip4p, molecules: 30, box: 11 A}\n"
      "forces: {cutoff: 5 A, truncation: switch, accuracy: 0.01}\n"};
  double wide[2];
  for (int half = 0; half < 2; half++) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "%sgeometry: {method: settle}\nprecision: double\nthermostat: {type: none, temperature: 100 K}\n"
        "integrator: {word: BAB, timestep: %s fs, steps: 100000}\nfield: {electric: [0.15 V/A, 0, 0.1 V/A]}\n"
        "output: {report: false, progress: false}\n",
        systems[_i], half == 0 ? "1" : "0.5");
    Simulation *s = parsed(text);
    fine(simulation_start(s, NULL, &error));
    static double value[128];
    double low = INFINITY, high = -INFINITY, first = 0.0, last = 0.0;
    for (int i = 0; i <= (_i == 0 ? 30 : 10); i++) {
      if (i > 0)
        fine(simulation_step(s, half == 0 ? 10 : 20, NULL, &error));
      fine(simulation_look_now(s, 0, value, &error));
      low = fmin(low, value[s->measurement->total]);
      high = fmax(high, value[s->measurement->total]);
      last = value[measurement_find(s->measurement, "field_energy")];
      first = i == 0 ? last : first;
    }
    ck_assert_double_gt(fabs(last - first), 0.3);
    wide[half] = high - low;
    simulation_free(s);
  }
  ck_assert_double_lt(wide[0], 0.2);
  ck_assert_msg(wide[0] > (_i == 0 ? 3.0 : 1.5) * wide[1],
                /* a mesh has errors of its own */ "%g at 1 fs, %g at 0.5 fs", wide[0], wide[1]);
}

/* --- an oscillating field ------------------------------------------------------------------------------- */

/* An ion from rest: v = q E/(m w) (sin(w t + phase) - sin(phase)), with the error of the word's order. */
TEST(an_oscillating_field_acts_in_time, .rows = 4)
{
  static const struct {
    const char *word, *composition;
    double order;
  } steps[] = {{"BAB", "none", 2.0}, {"ABA", "none", 2.0}, {"BAB", "yoshida4", 4.0}, {"ABA", "suzuki4", 4.0}};
  double off[2], mass = 0.0;
  for (int half = 0; half < 2; half++) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "system: {atoms: {Na+: 1}, box: 500 A, minimise: false}\nforces: {cutoff: 5 A, coulomb: "
        "cutoff}\nthermostat: {type: none, initial: zero}\n"
        "integrator: {word: %s, composition: %s, timestep: %g fs, steps: 100000}\n"
        "field: {electric: [0, 0, 0.1 V/A], period: 0.4 ps, phase: 40}\noutput: {report: false, progress: "
        "false}\n",
        steps[_i].word, steps[_i].composition, half == 0 ? 20.0 : 10.0);
    Simulation *s = parsed(text);
    double v[3];
    const double w = 2.0 * M_PI / (400.0 / UNITS_AKMA_FS), phase = 40.0 * M_PI / 180.0;
    fine(simulation_step(s, half == 0 ? 7 : 14, NULL, &error));
    fine(simulation_get(s, SIMULATION_VELOCITIES, 0, v, &error));
    mass = s->kind[0]->mass[0];
    const double t = simulation_time(s),
                 right = 0.1 * UNITS_VOLT / (mass * w) * (sin(w * t + phase) - sin(phase));
    off[half] = fabs(v[2] - right) / fabs(right);
    ck_assert_double_lt(off[half], steps[_i].order > 2.0 ? 1e-3 : 3e-2);
    simulation_free(s);
  }
  ck_assert_msg(off[0] > 0.8 * pow(2.0, steps[_i].order) * off[1], "errors %g and %g", off[0], off[1]);
}

/* --- runs ----------------------------------------------------------------------------------------------- */

static const char cluster[] =
    "system: {model: tip4p, molecules: 3, anneal: false}\ngeometry: {method: settle}\n"
    "integrator: {word: BAOAB, timestep: 2 fs, steps: 200}\n"
    "thermostat: {temperature: 60 K, friction: 5/ps}\n"
    "field: {electric: [0, 1 V/nm, 0], period: 0.1 ps}\nensemble: {replicas: 8}\n"
    "output: {thermo_every: 20, trajectory: [xyz], report: false, progress: false}\n";
static const char box[] = "system: {model: tip4p, molecules: 40, box: 11 A}\nprecision: double\nforces: "
                          "{cutoff: 4.5 A, coulomb: reaction-field}\n"
                          "geometry: {method: settle}\n"
                          "integrator: {word: BAOAB, timestep: 2 fs, steps: 100}\n"
                          "thermostat: {temperature: 300 K, friction: 5/ps}\n"
                          "barostat: {type: rescale, pressure: 1 bar, every: 7}\n"
                          "field: {electric: [0, 1 V/nm, 0], period: 0.1 ps}\n"
                          "output: {thermo_every: 20, trajectory: [xyz], report: false, progress: false}\n";

TEST(cuts_and_threads_are_in_no_bit, .rows = 2, .threads = true)
{
  program_write("run.yaml", _i == 0 ? cluster : box);
  program_runs("run run.yaml -o whole --force --threads 1");
  program_runs("run run.yaml -o cut --force --set integrator.steps=47 --threads 2");
  program_runs("run run.yaml -o cut --resume --threads 2");
  program_same("whole", "cut", "thermo.csv");
  program_same("whole", "cut", "trajectory.xyz");
  program_does(
      "grep -q '^conditions: varying' whole/summary.yaml && grep -q '^field_y: 1 ' whole/summary.yaml");
  ck_assert_int_eq(program_call("check run.yaml"), 0);
  program_says("electric field: [0, 1, 0] V/nm times cos(2 pi t/0.1 ps+0 degrees)");
}

TEST(what_is_wrong_is_refused)
{
  static const struct {
    const char *set, *words;
  } wrong[] = {{"field.electric=[0, 1 V/nm]", "has 2 numbers; wanted: three, along x, y and z"},
               {"field.electric=[0, 0, 1 V]", "V/nm"},
               {"field.period=1 fs", "is shorter than two time steps"},
               {"thermostat.remove=angular", "an electric field does not conserve angular momentum"},
               {"exchange.temperatures=[50, 60, 70]", "contradicts replica exchange"}};
  program_write("run.yaml", cluster);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i].words, "run run.yaml -o no --set \"%s\"%s", wrong[i].set,
                    i == 4 ? " --set thermostat.temperature= --set ensemble.replicas=" : "");
  program_write("box.yaml", box);
  program_refuses("whose energy in a field is not defined in a periodic box",
                  "run box.yaml -o no --set 'system.atoms={Na+: 1, Cl-: 1}'");
  program_write(
      "gas.yaml",
      "system: {atoms: {argon: 3}, anneal: false}\nfield: {electric: [0, 0, 1 V/nm]}\n"
      "integrator: {word: BAB, timestep: 1 fs, steps: 10}\nthermostat: {type: none, initial: zero}\n");
  program_refuses("has no effect, since no molecule has charges", "run gas.yaml -o no");
  ck_assert(!program_exists("no"));
}

int main(void) { return program_main("electric_field"); }
