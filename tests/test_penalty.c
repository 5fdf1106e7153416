/* What penalties hold beside what they should: the moments of what pushes them, the step's own prediction of
 * its heat against runs, and that heat is said wherever a number may be misled by it. */
#include "integrators/oscillator.h"
#include "simulation/penalty_modes.h"
#include "tests/program.h"
#include "tests/terms.h"

/* --- theory ----------------------------------------------------------------------------------------------
 */

/* A dumbbell of reduced mass mu: G = 4 d^2/mu; its ends part at velocities across it, kT/mu each way, and
 * g = |r|^2 - d^2 has the acceleration 2 v^2, of mean 4 kT/mu and variance 16 (kT/mu)^2. */
TEST(moments_of_a_dumbbell)
{
  static const double mass[2] = {2.0, 3.0}, mu = 1.2, d = 1.3;
  static const Constraint con[2] = {DISTANCE(0, 1, 1.3), DISTANCE(0, 1, 1.3)};
  static const double at[6] = {0, 0, -0.78, 0, 0, 0.52};
  static const char *const site[2] = {"A", "B"};
  for (int twice = 0; twice < 2; twice++) { /* the same constraint twice is one mode, twice as stiff */
    const Kind kind = {"dumbbell", 2, 3, 1 + twice, mass, site, con, at, 0, NULL, NULL};
    const double root = sqrt(1.0 + twice);
    PenaltyModes m;
    ck_assert_int_eq(penalty_modes_create(&m, &kind, at, NULL), STATUS_OK);
    ck_assert_int_eq(m.n, 1);
    ck_assert_double_eq_tol(m.square[0], (1.0 + twice) * 4.0 * d * d / mu, 1e-12);
    ck_assert_double_eq_tol(m.mobility[0], (1.0 / 4.0 + 1.0 / 9.0) * mu, 1e-12);
    ck_assert_double_eq_tol(fabs(m.mean[0]), root * 4.0 / mu, 1e-12);
    ck_assert_double_eq_tol(m.variance[0], root * root * 16.0 / (mu * mu), 1e-11);
    penalty_modes_free(&m);
  }
}

/* At rest a mode that is pushed stands at a/W^2 + beta h^2 a, whatever the word, if it ends with a kick. One
 * whose push jumps swings about that; where friction is slow its mean square is about three times that of
 * rest. */
TEST(pushed_modes)
{
  static const char *const word[] = {"BABO", "BAOAB", "OBABO"};
  const double h = 0.3, beta = 0.4;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      WordSpelling spelling;
      ck_assert_int_eq(word_spell(word[i], NULL, 0, &spelling, NULL), STATUS_OK);
      const OscillatorStep step = {.word = &spelling, .h = h};
      const double reach = pow(10.0, k - 1), square = reach * reach / (h * h);
      const OscillatorMode mode = {.square = square, .beta = beta, .rate = 1e-4 / h, .cold = true};
      const OscillatorPush push = oscillator_push(&step, &mode, mode.rate);
      const double rest = 1.0 / (reach * reach) + beta;
      ck_assert_double_eq_tol(push.steady, rest, 1e-9 * rest);
      ck_assert_double_eq_tol(push.shaken, 3.0 * rest * rest, (k == 0 ? 0.03 : 0.7) * rest * rest);
    }
  const OscillatorPush none = oscillator_push(
      &(OscillatorStep){.word = &(WordSpelling){.n = 1, .letter = "H", .weight = {1.0}}, .h = h},
      &(OscillatorMode){.square = 1.0, .rate = 0.1, .cold = true}, 0.1);
  ck_assert(isnan(none.steady) && isnan(none.shaken));
}

/* --- runs ------------------------------------------------------------------------------------------------
 */

/* Dumbbells that turn freely; noise, w and step by --set. */
static const char dumbbells[] =
    "units: reduced\n"
    "system:\n"
    "  dimensions: 3\n"
    "  sites: [{name: a, mass: 1, position: [0, 0, 0]}, {name: b, mass: 2, position: [1, 0, 0]}]\n"
    "  constraints: [{type: distance, sites: [1, 2], distance: 1}]\n"
    "geometry: {method: penalty, w: 100, hessian: gauss-newton}\n"
    "integrator: {word: BABO, acceleration: zss, beta: 0.4, timestep: 0.1, time: 60}\n"
    "thermostat: {type: langevin, inverse_temperature: 2, friction: 1, noise: tangent, initial: maxwell}\n"
    "ensemble: {replicas: 64}\n"
    "output: {trajectory_every: 1000000, thermo_every: 10, equilibration: 10, report: false}\n";

/* Heat that is measured is that which the step predicts, to its first order in h^2 kT: along the manifold and
 * across it, with a filter and without. */
TEST(steps_predict_their_heat)
{
  static const struct {
    const char *set;
    double near; /* of the prediction: what is left of higher orders; 0: nothing is measured */
  } rows[] = {{"", 0.12},
              {"--set geometry.w=1000 --set integrator.word=BAOAB --set integrator.timestep=0.05", 0.06},
              {"--set geometry.w=5 --set thermostat.noise=all", 0.1},
              {"--set geometry.w=5 --set thermostat.noise=all --set integrator.acceleration=verlet", 0.0},
              {"--set integrator.word=ABOBA", 0.0}};
  program_write("dumbbells.yaml", dumbbells);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    program_runs("run dumbbells.yaml -o d%zu --quiet %s", i, rows[i].set);
    char dir[16];
    snprintf(dir, sizeof dir, "d%zu", i);
    const double expected = program_summary(dir, "penalty_heat_expected"),
                 due = program_summary(dir, "penalty_equipartition");
    ck_assert_double_eq(due, strstr(rows[i].set, "all") != NULL ? 0.25 : 0.0);
    ck_assert_double_gt(expected, 0.0);
    ck_assert_double_eq_tol(program_summary(dir, "penalty_heat_allowed"), 0.1 * 0.25, 1e-12);
    if (rows[i].near == 0.0) {
      /* No filter, or one of other positions. There is hardly any strain. */
      const double energy = program_summary(dir, "penalty"), error = program_summary(dir, "penalty_err");
      program_do("! grep -q '^penalty_heat:' %s/summary.yaml", dir);
      ck_assert_msg(fabs(energy - due - expected) < 4.0 * error + 0.12 * (due + expected),
                    "%s: %g +- %g, expected %g", rows[i].set, energy, error, due + expected);
      continue;
    }
    const double heat = program_summary(dir, "penalty_heat"),
                 error = program_summary(dir, "penalty_heat_err");
    ck_assert_msg(fabs(heat - expected) < 4.0 * error + rows[i].near * expected, "%s: %g +- %g, expected %g",
                  rows[i].set, heat, error, expected);
  }
}

/* newmark-1 filters the drift: modes are too narrow, what is there of energy is less than it should be, and
 * it is predicted and measured with one sign. */
TEST(heat_may_be_taken_away)
{
  static const char set[] = "--set geometry.w=20 --set thermostat.noise=all --set integrator.word=BAOAB "
                            "--set integrator.acceleration=newmark-1 --set integrator.timestep=0.05";
  program_write("dumbbells.yaml", dumbbells);
  program_runs("check dumbbells.yaml %s", set);
  program_says("warning: at kT = 0.5 penalties have 0.25 by equipartition, and the time step removes ");
  program_says(" of it; integrator.timestep up to ");
  program_runs("run dumbbells.yaml -o narrow --force --quiet %s", set);
  const double heat = program_summary("narrow", "penalty_heat"),
               error = program_summary("narrow", "penalty_heat_err"),
               expected = program_summary("narrow", "penalty_heat_expected");
  ck_assert_double_lt(expected, -0.05);
  ck_assert_msg(fabs(heat - expected) < 4.0 * error + 0.1 * fabs(expected), "%g +- %g, expected %g", heat,
                error, expected);
  program_do("grep -q '^penalty_heated: yes' narrow/summary.yaml");
  program_do("grep -q '^warning: The step cools the penalties' narrow/holonom.log");
}

/* A hydrogen that bends quickly swings its bond: what is worked out is a lower bound, and said to be. */
TEST(molecules_with_forces_have_a_lower_bound)
{
  program_write("bent.yaml",
                "format: holonom-molecules 1\nrule: geometric\ntypes: {X: [0, 0]}\nmolecules:\n"
                "  bent:\n    atoms: [[C, X, 0, 12], [O, X, 0, 16], [H, X, 0, 1]]\n"
                "    terms: {bond: [[1, 2, 1.4, 600], [2, 3, 0.96, 900]], angle: [[1, 2, 3, 108, 110]]}\n"
                "system: [[bent, 1]]\n");
  program_write("bent.xyz", "3\nx\nC 1.4 0 0\nO 0 0 0\nH -0.29666 0.91301 0\n");
  program_write(
      "bend.yaml",
      "system: {topology: bent.yaml, start: file, file: bent.xyz, box: none, minimise: false}\n"
      "geometry: {constrain: all-bonds, method: penalty, w: 30}\n"
      "integrator: {word: BAOAB, timestep: 4 fs, time: 40 ps}\n"
      "thermostat: {temperature: 300 K, friction: 1/ps, noise: tangent}\n"
      "ensemble: {replicas: 32}\noutput: {equilibration: 10 ps, thermo_every: 20, report: false}\n");
  program_runs("check bend.yaml");
  program_says("and the time step adds at least ");
  program_runs("run bend.yaml -o bend --force --quiet");
  program_do("grep -q '^penalty_heat_bound: lower # fast force-field motions' bend/summary.yaml");
  ck_assert_double_gt(program_summary("bend", "penalty_heat"),
                      program_summary("bend", "penalty_heat_expected") -
                          4.0 * program_summary("bend", "penalty_heat_err"));
}

/* What the step adds, by check. */
static double heat_of(const char *set)
{
  program_runs("check dumbbells.yaml %s", set);
  const char *at = strstr(program_output, "and the time step adds ");
  ck_assert_msg(at != NULL, "%s", program_output);
  return strtod(at + strlen("and the time step adds "), NULL);
}

/* Along the manifold heat goes as w^2 h^4 (kT)^2; in true time there is none. */
TEST(heat_scales_as_it_should)
{
  program_write("dumbbells.yaml", dumbbells);
  const double heat = heat_of("");
  ck_assert_double_eq_tol(heat_of("--set geometry.w=1000"), 100.0 * heat, 5.0 * heat);
  ck_assert_double_eq_tol(heat_of("--set integrator.timestep=0.2"), 16.0 * heat, 0.8 * heat);
  ck_assert_double_eq_tol(heat_of("--set thermostat.inverse_temperature=1"), 4.0 * heat, 0.2 * heat);
  ck_assert_double_lt(
      fabs(heat_of("--set geometry.w=5 --set integrator.timestep=0.001 --set integrator.time=1 --set "
                   "output.equilibration=0.5")),
      1e-4);
}

/* --- what is said ----------------------------------------------------------------------------------------
 */

static const char dimer[] =
    "title: a dimer\n"
    "system: {model: tip3p, molecules: 2, anneal: false}\n"
    "geometry: {method: penalty, w: 100, hessian: gauss-newton}\n"
    "integrator: {word: BAOAB, acceleration: zss, beta: 0.4, timestep: 2 fs, time: 3 ps}\n"
    "thermostat: {temperature: 100 K, friction: 5/ps, noise: all}\n"
    "ensemble: {replicas: 32}\n"
    "output: {equilibration: 1 ps, thermo_every: 20, rdf_every: 100}\n";

/* The step that check proposes: behind "timestep up to". */
static double proposed(const char *set)
{
  program_runs("check dimer.yaml %s", set);
  const char *at = strstr(program_output, "integrator.timestep up to ");
  ck_assert_msg(at != NULL, "%s", program_output);
  return strtod(at + strlen("integrator.timestep up to "), NULL);
}

/* Dozens of times what equipartition gives, by noise or by the step along the manifold: said by check, on the
 * terminal, in the summary, at the top of the page, and by a comparison with a run of the right step. */
TEST(heated_penalties_are_said, .rows = 2)
{
  static const char *const set[] = {"--set thermostat.noise=all",
                                    "--set thermostat.noise=tangent --set geometry.w=1000"};
  program_write("dimer.yaml", dimer);
  const char *way = set[_i];
  const double step = proposed(way);
  program_says("warning: at 100 K penalties have");
  ck_assert_double_gt(step, 0.0);
  ck_assert_double_lt(step, 2.0);
  program_do("rm -rf hot right c");
  program_runs("run dimer.yaml -o hot %s", way);
  program_says("warning: The step heats the penalties: they have an energy");
  program_do("grep -q '^penalty_heated: yes' hot/summary.yaml");
  program_do("grep -q '^warning: The step heats the penalties: .*integrator.timestep up to' hot/holonom.log");
  const double heat = program_summary("hot", "penalty_heat"),
               expected = program_summary("hot", "penalty_heat_expected"),
               error = program_summary("hot", "penalty_heat_err");
  ck_assert_double_gt(heat, 4.0);
  ck_assert_double_lt(fabs(heat - expected), 4.0 * error + 0.2 * expected);
  program_do("sed '/^<script/,$d' hot/report.html | grep '<p class=\"all\">' >top");
  ck_assert_msg(strstr(program_read("top"), "the step heats the penalties") != NULL, "%s",
                program_read("top"));
  /* At the step that was proposed nothing is wrong. */
  program_runs("run dimer.yaml -o right %s --set 'integrator.timestep=%g fs' --set 'integrator.time=%g "
               "fs' --set output.equilibration=0",
               way, step, 2000.0 * step);
  ck_assert_ptr_null(strstr(program_output, "penalties"));
  program_do("grep -q '^penalty_heated: no' right/summary.yaml");
  program_runs("compare hot hot -o c");
  program_says(
      "cannot count as equal, though no test shows a difference; the step heats the penalties of hot by");
  program_says("warning: hot: The step heats the penalties: they have an energy");
  ck_assert_ptr_null(strstr(program_output, "agree: energy"));
  program_do("grep -q 'with heated penalties, which cannot count as equal' c/compare.html");
  program_do("head -1 c/compare.csv | grep -q 'penalty_a,.*penalty_heat_a,.*penalty_heated_b'");
  program_do("grep -q '\"penalty_heated_a\",\"unit\":\"\",\"label\":\"heated\",[^{]*\"values\":\\[1' "
             "c/compare.json");
}

/* Soft bonds that hydrogen bonds stretch hold energy that is no heat. */
TEST(strain_is_no_heat)
{
  program_write("dimer.yaml", dimer);
  program_do("rm -rf soft");
  program_runs("run dimer.yaml -o soft --set thermostat.noise=tangent --set geometry.w=20 --set "
               "system.anneal=true --set 'thermostat.temperature=50 K'");
  ck_assert_ptr_null(strstr(program_output, "penalties"));
  const double penalty = program_summary("soft", "penalty"),
               allowed = program_summary("soft", "penalty_heat_allowed");
  ck_assert_double_gt(penalty, 3.0 * allowed);
  ck_assert_double_lt(program_summary("soft", "penalty_heat"), 0.5 * allowed);
  program_do("grep -q '^penalty_heated: no' soft/summary.yaml");
}

/* Of a ladder the temperature where it is worst, the highest; a study names it, and the temperature where
 * curves are furthest apart. */
TEST(studies_say_whose_step_it_is)
{
  program_write("ladder.yaml",
                "system: {model: tip3p, molecules: 2, anneal: false, constraining_radius: 6 A}\n"
                "geometry: {method: settle}\n"
                "integrator: {word: BAOAB, timestep: 2 fs, time: 6 ps}\n"
                "thermostat: {type: langevin, friction: 5/ps}\n"
                "exchange: {temperatures: [100 K, 120 K, 145 K, 175 K], ladders: 8, interval: 20}\n"
                "output: {equilibration: 1 ps, thermo_every: 50, report: false}\n");
  program_write(
      "study.yaml",
      "base: ladder.yaml\n"
      "runs:\n"
      "  - {name: rigid}\n"
      "  - {name: stiff, set: [geometry.method=penalty, geometry.w=500, geometry.hessian=gauss-newton, "
      "integrator.acceleration=zss, thermostat.noise=tangent]}\n");
  program_do("rm -rf st");
  program_runs("study study.yaml -o st");
  program_says("the step heats the penalties of stiff by");
  program_says(" at 175 K");
  program_says("kcal/mol are the heat of the step");
  program_says("where it is most significant");
  program_do("grep -q '^penalty_temperature: 175 ' st/stiff/summary.yaml");
  program_do("head -1 st/study_runs.csv | grep -q 'penalty_heat,penalty_heat_err,penalty_heated,step_us'");
  program_do("grep -q 'the step heats the penalties of stiff by' st/study.html");
}
