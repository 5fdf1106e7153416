/* The stiffness of rigid molecules, where it is known, and what it says of kinetic temperatures of runs. */
#include "integrators/frequency.h"
#include "tests/program.h"
#include "tests/terms.h"

/* --- rigid dumbbells in a field that pulls their ends apart: V is linear, all stiffness is of the manifold
 * -- */

enum { DUMBBELLS = 11 };
static const double mass[2] = {2.0, 3.0}, field_strength = 5.0, length = 1.3, tie = 0.7;
static const Constraint dumbbell_con[1] = {DISTANCE(0, 1, 1.3)};
static const double dumbbell_reference[6] = {0, 0, -0.78, 0, 0, 0.52};
static const char *const dumbbell_site[2] = {"A", "B"};
static const Kind dumbbell = {"dumbbell",         2, 3,    1,   mass, dumbbell_site, dumbbell_con,
                              dumbbell_reference, 0, NULL, NULL};

/* Fast: the field. Slow: the centre of mass is tied to the origin in x. */
static Status pull(void *self, const Team *team, State *state, unsigned groups, const ForceSums *sums,
                   Error *error)
{
  (void)self;
  (void)team;
  (void)sums;
  (void)error;
  Block *block = &state->block[0];
  for (int i = 0; i < block->npack; i++) {
    Vec8 *f = block->f + 6 * i;
    const Vec8 *q = block->q + 6 * i;
    const Vec8 x =
        (mass[0] * q[0] + mass[1] * q[3]) / (mass[0] + mass[1]) * *state_pack(state, block, i).active;
    for (int s = 0; s < 2; s++) {
      if (groups & FORCE_SLOW)
        f[3 * s] -= tie * mass[s] * x;
      if (groups & FORCE_FAST)
        f[3 * s + 2] += s == 0 ? -field_strength : field_strength;
    }
  }
  return STATUS_OK;
}

static const char *const pull_terms[1] = {"pull"};
static const ForceOps pull_ops = {
    .name = "pull", .nterm = 1, .term = pull_terms, .groups = FORCE_FAST | FORCE_SLOW, .add = pull};

/* Librations of W^2 = E/(mu d) twice, the tie, and two free motions. */
TEST(manifolds_are_stiff_by_their_curvature)
{
  const Kind *kind = &dumbbell;
  const int nmol = DUMBBELLS;
  State *state;
  ForceField field = {1, {{&pull_ops, NULL}}};
  double fastest;
  FrequencySpectrum s;
  ck_assert_int_eq(state_create(&state, 1, 1, &kind, &nmol, 0, 0, NULL), STATUS_OK);
  ck_assert_int_eq(frequency_libration(state, &field, isa_best(), &fastest, NULL), STATUS_OK);
  const double reduced = mass[0] * mass[1] / (mass[0] + mass[1]),
               square = field_strength / (reduced * length);
  ck_assert_double_eq_tol(fastest * fastest, square, 1e-5 * square);
  ck_assert_int_eq(frequency_spectrum(state, &field, FREQUENCY_EVEN, true, isa_best(), &s, NULL), STATUS_OK);
  double one = 0.0, mean = 0.0, top = 0.0, curved = 0.0;
  for (int i = 0; i < s.n; i++) {
    one += s.weight[i];
    mean += s.weight[i] * s.square[i];
    curved += s.weight[i] * exp(-s.square[i]);
    top = fmax(top, s.square[i]);
    ck_assert_double_gt(s.square[i], -1e-5 * square);
  }
  ck_assert_double_eq_tol(one, 1.0, 1e-12);
  ck_assert_double_eq_tol(top, square, 1e-5 * square);
  ck_assert_double_eq_tol(mean, (2.0 * square + tie) / 5.0, 0.04 * square);
  ck_assert_double_eq_tol(curved, (2.0 * exp(-square) + exp(-tie) + 2.0) / 5.0, 0.03);
  ck_assert_double_eq_tol(s.slow, tie / (2.0 * square + tie), 0.01);
  /* e'M^-1 e of the three translations, and of the two rotations. */
  const double turning = reduced * (1.0 / (mass[0] * mass[0]) + 1.0 / (mass[1] * mass[1]));
  ck_assert_double_eq_tol(s.mobility, (3.0 * 2.0 / (mass[0] + mass[1]) + 2.0 * turning) / 5.0, 0.03);
  frequency_spectrum_free(&s);
  /* Counted by that; counted alike the mean is lower by 0.018 of the librations'. */
  const double still = 2.0 / (mass[0] + mass[1]), counted = 3.0 * still + 2.0 * turning;
  ck_assert_int_eq(frequency_spectrum(state, &field, FREQUENCY_MOBILITY, false, isa_best(), &s, NULL),
                   STATUS_OK);
  one = mean = 0.0;
  for (int i = 0; i < s.n; i++) {
    one += s.weight[i];
    mean += s.weight[i] * s.square[i];
  }
  ck_assert_double_eq_tol(one, 1.0, 1e-12);
  ck_assert_double_eq_tol(mean, (2.0 * turning * square + still * tie) / counted, 0.009 * square);
  frequency_spectrum_free(&s);
  state_free(state);
}

/* --- runs ------------------------------------------------------------------------------------------------
 */

static const char cluster[] =
    "system: {model: tip3p, molecules: 4}\n"
    "ensemble: {replicas: 16, threads: 1}\n"
    "thermostat: {temperature: 15 K, friction: 2 1/ps, convention: mass}\n"
    "output: {thermo_every: 5, rdf_every: 0, equilibration: 2 ps, progress: false}\n";

/* Cold, so that the start's frequencies are those of the run. The two temperatures move together, and their
 * ratio is sharper than either. */
TEST(kinetic_temperatures_read_what_is_expected, .rows = suite_rows(2, 4))
{
  static const struct {
    const char *geometry, *integrator;
  } table[] = {
      {"{method: settle}", "{word: BAOAB, timestep: 5 fs, steps: 4000}"},
      {"{method: rattle}", "{word: ABOBA, timestep: 5 fs, steps: 4000}"},
      {"{method: penalty, w: 20}", "{word: BAOAB, acceleration: zss, timestep: 2 fs, steps: 6000}"},
      {"{method: penalty, w: 10}", "{word: BAOAB, acceleration: verlet, timestep: 1 fs, steps: 12000}"}};
  FILE *file = program_create("cluster.yaml");
  fprintf(file, "%sgeometry: %s\nintegrator: %s\n", cluster, table[_i].geometry, table[_i].integrator);
  ck_assert_int_eq(fclose(file), 0);
  const int code = program_call("run cluster.yaml -o cluster --force");
  ck_assert_msg(code == 0, "%s", program_output);
  const double target = program_summary("cluster", "target_temperature");
  const double unbiased = program_summary("cluster", "temperature_unbiased");
  const double expected = program_summary("cluster", "temperature_expected");
  const double ratio = program_summary("cluster", "temperature") / unbiased;
  const double error = program_summary("cluster", "temperature_unbiased_err");
  printf("%s %s: reads %.4f of the temperature, expected %.4f; unbiased %.3f +- %.3f K\n", table[_i].geometry,
         table[_i].integrator, ratio, expected / target, unbiased, error);
  ck_assert_double_gt(fabs(expected / target - 1.0), 0.01);
  program_says("by the word's discretisation alone");
  ck_assert_double_eq_tol(ratio, expected / target, 0.12 * fabs(expected / target - 1.0) + 1e-3);
  ck_assert_double_eq_tol(unbiased, target, 4.5 * error);
  ck_assert_double_lt(error, 0.025 * target);
}

TEST(check_knows_the_word_and_the_noise)
{
  FILE *file = program_create("cluster.yaml");
  fprintf(
      file,
      "%sgeometry: {method: penalty, w: 20}\nintegrator: {acceleration: zss, timestep: 2 fs, steps: 4000}\n",
      cluster);
  ck_assert_int_eq(fclose(file), 0);
  double wide[2];
  static const char *const word[2] = {"BAOAB", "BABO"};
  for (int i = 0; i < 2; i++) {
    program_runs("check cluster.yaml --set integrator.word=%s", word[i]);
    const char *at = strstr(program_output, "penalised mode 2");
    ck_assert_ptr_nonnull(at);
    at = strstr(at, "its position has ");
    ck_assert_ptr_nonnull(at);
    wide[i] = strtod(at + 17, NULL);
  }
  ck_assert_double_gt(wide[1], 1.3 * wide[0]);
  program_runs("check cluster.yaml --set thermostat.noise=tangent");
  program_says("cold by design");
  const char *stiff = strstr(program_output, "penalised mode 1"),
             *soft = strstr(program_output, "fastest libration");
  const char *wider = strstr(stiff, "its position");
  ck_assert(wider == NULL || wider > soft);
  program_runs("check cluster.yaml --set thermostat.type=none --set integrator.word=BAB");
  program_says("without a thermostat");
}

TEST(check_counts_the_moves_of_a_box)
{
  FILE *file = program_create("box.yaml");
  fputs("system: {atoms: {argon: 64}, density: 1.2 g/cm3, minimise: false}\nforces: {cutoff: 6 A}\n"
        "integrator: {word: BAOAB, timestep: 10 fs, steps: 103}\n"
        "thermostat: {temperature: 120 K, friction: 4/ps}\n"
        "barostat: {type: monte-carlo, pressure: 300 bar, every: 5}\noutput: {equilibration: 240 fs}\n",
        file);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("check box.yaml");
  program_says("pressure: 300 bar; moves of the box: 4 in equilibration, 16 after it\n");
  program_runs("check box.yaml --set barostat.until=equilibration");
  program_says("pressure: 300 bar; moves of the box: 4 in equilibration\n");
}

/* Atoms that nothing holds, too far from each other or in a lattice that flies apart, make no step unstable.
 */
TEST(check_of_what_nothing_holds)
{
  FILE *file = program_create("box.yaml");
  fputs("system: {atoms: {argon: 64}, density: 1.0 g/cm3, minimise: false}\nforces: {cutoff: 4 A}\n"
        "integrator: {word: BAOAB, timestep: 5 fs, steps: 100}\n"
        "thermostat: {temperature: 120 K, friction: 4/ps}\n",
        file);
  ck_assert_int_eq(fclose(file), 0);
  static const char *const density[] = {"1.0 g/cm3", "0.001 g/cm3", "1.6 g/cm3"};
  for (int i = 0; i < 3; i++) {
    program_runs("check box.yaml --set 'system.density=%s'", density[i]);
    ck_assert_ptr_null(strstr(program_output, "UNSTABLE"));
    program_says(i < 2 ? "fastest libration: none" : "fastest libration: W = ");
  }
}

/* What check says of a step of 4 fs, over the temperature set: what momenta read, and slow motions. */
static void said(const char *input, const char *settings, double *reading, double *slow)
{
  program_runs("check %s %s", input, settings);
  const char *at = strstr(program_output, "read about ");
  ck_assert_ptr_nonnull(at);
  *reading = strtod(at + strlen("read about "), NULL) / 300.0;
  at = strstr(program_output, "sampled at about ");
  *slow = at != NULL ? strtod(at + strlen("sampled at about "), NULL) / 300.0 : 1.0;
}

/* The mean of (h W)^2 over all motions is in what BAOAB's momenta read, and in all the rest (docs/theory.md,
 * "Temperatures of a long step"). */
TEST(check_knows_slow_motions)
{
  FILE *file = program_create("box.yaml");
  fprintf(file, "system: {model: tip3p, molecules: 64, density: 0.99 g/cm3}\nforces: {cutoff: 6 A}\n"
                "geometry: {method: settle}\nintegrator: {timestep: 4 fs, steps: 10}\n"
                "thermostat: {temperature: 300 K, friction: 1/ps}\n");
  ck_assert_int_eq(fclose(file), 0);
  double reading, slow;
  said("box.yaml", "--set integrator.word=BAOAB", &reading, &slow);
  const double square = 4.0 * (1.0 - reading);
  ck_assert_double_gt(square, 0.05);
  ck_assert_double_eq_tol(slow, 1.0 - square / 12.0, 0.1 * square / 12.0);
  static const struct {
    const char *settings;
    double reading, slow; /* in the mean square */
  } others[] = {{"--set integrator.word=OBABO", 0.0, 1.0 / 6},
                {"--set integrator.word=OBABO --set thermostat.type=rescale", 0.0, 1.0 / 6},
                {"--set integrator.word=BAOAB --set thermostat.type=rescale", -1.0 / 4, -1.0 / 12},
                {"--set integrator.word=GL-BAOAOAB", -1.0 / 6, 0.0}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    said("box.yaml", others[i].settings, &reading, &slow);
    ck_assert_double_eq_tol(reading, 1.0 + others[i].reading * square, 0.03 * square);
    ck_assert_double_eq_tol(slow, 1.0 + others[i].slow * square, 0.03 * square);
  }
}

/* With one friction coefficient for all sites the turns of water, which hydrogens make, have 5.7 times the
 * rate of its translation, and count as much more where noise and motions balance. Under a global thermostat,
 * which has no such weights, GL-BAOAOAB leaves slow motions as cold as BAOAB does: O finds all momenta s^2/12
 * too hot, and takes that out of all alike. */
TEST(motions_count_by_their_friction)
{
  FILE *file = program_create("box.yaml");
  fprintf(file, "system: {model: tip4p2005, molecules: 64, density: 0.99 g/cm3}\nforces: {cutoff: 6 A}\n"
                "geometry: {method: settle}\nintegrator: {word: OBABO, timestep: 4 fs, steps: 10}\n"
                "thermostat: {temperature: 300 K, friction: 1/ps}\n");
  ck_assert_int_eq(fclose(file), 0);
  double reading, even, uniform, global;
  said("box.yaml", "", &reading, &even);
  program_says("temperature_unbiased has no such bias");
  said("box.yaml", "--set thermostat.convention=uniform --set thermostat.friction=0.15", &reading, &uniform);
  program_says("temperature_unbiased is not exact either");
  /* Of 216 molecules s^2 is 0.111 in the plain mean and 0.173 by friction. */
  ck_assert_double_eq_tol((uniform - 1.0) / (even - 1.0), 0.173 / 0.111, 0.12);
  ck_assert_double_eq_tol(reading, 1.0 + (uniform - 1.0) - (even - 1.0), 0.1 * (uniform - 1.0));
  said("box.yaml", "--set integrator.word=GL-BAOAOAB --set thermostat.type=rescale", &reading, &global);
  ck_assert_double_eq_tol(global - 1.0, -0.5 * (even - 1.0), 0.1 * (even - 1.0));
}

/* The conserved energy of water drifts by the shadow work of its word: under GL-BAOAOAB by much, with h^2,
 * with either convention of friction; under BAOAB by little. */
TEST(conserved_energies_drift_as_expected)
{
  static const struct {
    const char *settings;
    double least; /* of the expected rate, kcal/mol/ps */
  } table[] = {
      {"integrator.word=GL-BAOAOAB --set 'integrator.timestep=4 fs'", 5.0},
      {"integrator.word=GL-BAOAOAB --set 'integrator.timestep=2 fs' --set integrator.steps=9000", 1.2},
      {"integrator.word=GL-BAOAOAB --set thermostat.convention=uniform --set thermostat.friction=0.4", 5.0},
      {"integrator.word=BAOAB", 0.0}};
  FILE *file = program_create("box.yaml");
  fprintf(file, "system: {model: tip3p, molecules: 64, density: 0.99 g/cm3}\nforces: {cutoff: 6 A}\n"
                "geometry: {method: settle}\nintegrator: {timestep: 4 fs, steps: 3000}\n"
                "thermostat: {temperature: 300 K, friction: 4/ps}\n"
                "output: {thermo_every: 5, rdf_every: 0, equilibration: 1 ps, progress: no}\n");
  ck_assert_int_eq(fclose(file), 0);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    program_runs("run box.yaml -o box --force --quiet --set %s", table[i].settings);
    const double rate = program_summary("box", "conserved_drift"),
                 error = program_summary("box", "conserved_drift_err"),
                 expected = program_summary("box", "conserved_drift_expected"),
                 about = program_summary("box", "conserved_drift_expected_err");
    printf("%s: drifts by %.2f +- %.2f kcal/mol/ps, expected %.2f +- %.2f\n", table[i].settings, rate, error,
           expected, about);
    ck_assert_double_lt(fabs(rate - expected), 3.0 * hypot(error, about));
    ck_assert(i == 3 ? fabs(expected) < 1.0 : expected > table[i].least && rate > 2.0 * error);
  }
}

/* A step that is short for all motions, of which some are slower than any noise, or without a force. */
TEST(short_steps_leave_slow_motions)
{
  static const char *const cutoff[] = {"8 A", "0.05 A, coulomb: cutoff, tail: false"};
  for (int i = 0; i < 2; i++) {
    FILE *file = program_create("argon.yaml");
    fprintf(
        file,
        "system: {atoms: {argon: 40}, box: 20, minimise: false}\nforces: {cutoff: %s}\nprecision: double\n"
        "integrator: {word: BAOAB, timestep: 10 fs, steps: 200}\n"
        "thermostat: {temperature: 300 K, friction: 1/ps}\noutput: {rdf_every: 0}\n",
        cutoff[i]);
    ck_assert_int_eq(fclose(file), 0);
    double reading, slow;
    said("argon.yaml", "", &reading, &slow);
    ck_assert_double_eq_tol(slow, 1.0, 2e-3);
    program_runs("run argon.yaml -o argon --force --quiet");
    ck_assert_double_eq_tol(program_summary("argon", "temperature_slow"), 300.0, 0.6);
  }
}
