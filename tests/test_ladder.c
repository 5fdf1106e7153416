/* Replica exchange in lanes: lanes of another temperature, the rule of exchange, energies and acceptances of
 * systems whose laws are known, a broken rule that the statistics see. */
#include "observables/mbar_estimates.h"
#include "simulation/ladder/ladder_tune.h"
#include "simulation/simulation_private.h"
#include "tests/ladders.h"
#include "tests/parsed.h"
#include "tests/suite.h"

/* What is right fails here once in a million runs of all tests together: a comparison fails where Student's
 * t, of the independent ladders that its error is from, gives numbers so far from their law less than its
 * share of that chance. What is wrong has to fail by the same bound. */
enum { COMPARISONS = 40 };
static const double rare = 1e-6 / COMPARISONS;

static double chance(double value, double law, double standard_error, int ladders)
{
  return statistics_welch(law, 0.0, 0, value, standard_error, ladders).p;
}

static Simulation *parse(const char *text, const char *set)
{
  Simulation *s;
  fine(simulation_parse(&s, "case.yaml", text, &set, set != NULL, &error));
  return s;
}

/* --- the rule ------- */

TEST(acceptance_is_detailed_balance)
{
  srand48(3);
  for (int i = 0; i < 100; i++) {
    const double dbeta = 2.0 * drand48(), dU = 10.0 * drand48() - 5.0;
    const double there = ladder_acceptance(dbeta, dU), back = ladder_acceptance(dbeta, -dU);
    ck_assert_double_eq_tol(there, exp(dbeta * dU) * back, 1e-14 * (1.0 + there));
    ck_assert(there > 0.0 && there <= 1.0 && fmax(there, back) >= 1.0);
  }
}

/* --- laws ------- */

/* exp(x^2) erfc and the like are not needed: the acceptance of two independent U of Gamma(f/2) at kT and kT',
 * those of harmonic wells of f degrees of freedom, by midpoints. */
static double gamma_density(double u, double kT, int f) { return pow(u / kT, 0.5 * f - 1.0) * exp(-u / kT); }

static double expected_acceptance(double a, double b, int f)
{
  enum { N = 600 };
  const double reach = 14.0 + f;
  double sum = 0.0, all = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const double u = reach * a * pow((i + 0.5) / N, 2.0), v = reach * b * pow((j + 0.5) / N, 2.0);
      const double weight = gamma_density(u, a, f) * (i + 0.5) * gamma_density(v, b, f) * (j + 0.5);
      all += weight;
      sum += weight * ladder_acceptance(1.0 / a - 1.0 / b, u - v);
    }
  return sum / all;
}

static double bessel_ratio(double x)
{
  double one = 0.0, zero = 0.0;
  for (int i = 0; i < 2000; i++) {
    const double phi = M_PI * (i + 0.5) / 2000.0;
    zero += exp(x * cos(phi));
    one += cos(phi) * exp(x * cos(phi));
  }
  return one / zero;
}

static double spring_energy(double kT) { return 1.5 * kT; }
static double rotor_energy(double kT) { return -bessel_ratio(1.0 / kT); }

/* The chance of the energy that is farthest from its law, where energies are known well enough to tell. */
static double energies(const Ladder *l, double (*law)(double kT))
{
  double least = 1.0;
  for (int k = 0; k < ladder_options(l)->n; k++) {
    const LadderRung rung = ladder_rung(l, k);
    ck_assert_double_lt(rung.potential_error, 0.03 * rung.kT);
    least =
        fmin(least, chance(rung.potential, law(rung.kT), rung.potential_error, ladder_options(l)->ladders));
  }
  return least;
}

/* The chance that temperatures fit together as MBAR finds them to; and heat capacities by law. */
static double consistency(const Ladder *l, double heat)
{
  MbarEstimates *e;
  double at[2] = {ladder_kT(l, 1), ladder_kT(l, 2)};
  MbarRequest request = {
      .temperature = ladder_options(l)->kT, .boltzmann = 1.0, .at = at, .points = 2, .freedom = 3.0};
  request.ladder = ladder_histograms(l, &request.ladders);
  fine(mbar_estimates_create(&e, &request, &error));
  if (heat > 0.0)
    for (int k = 0; k < 2; k++)
      ck_assert_double_gt(chance(e->heat.value[k], heat, e->heat.error[k], e->draws), rare);
  const double consistent = e->consistent;
  mbar_estimates_free(e);
  return consistent;
}

static Simulation *run(const char *text, const char *set)
{
  Simulation *s = parse(text, set);
  fine(simulation_start(s, NULL, &error));
  return s;
}

TEST(springs_have_their_energies, .rows = 2)
{
  Simulation *s = run(spring, _i == 1 ? "exchange.momenta=redrawn" : NULL);
  fine(simulation_step(s, 6000, NULL, &error));
  ck_assert_double_gt(energies(s->ladder, spring_energy), rare);
  int64_t fewest;
  ck_assert_int_gt(ladder_round_trips(s->ladder, &fewest), 5 * SPRINGS);
  for (int k = 0; k + 1 < 5; k++) {
    static const double listed[5] = {1.0, 1.6, 2.6, 4.2, 7.0};
    const LadderRung rung = ladder_rung(s->ladder, k);
    ck_assert_double_eq_tol(rung.kT, listed[k], 1e-14 * listed[k]); /* of reduced units */
    const double expected = expected_acceptance(rung.kT, ladder_kT(s->ladder, k + 1), 3);
    ck_assert_double_gt(chance(rung.acceptance, expected, rung.acceptance_error, SPRINGS), rare);
    ck_assert_double_lt(fabs(rung.kinetic / (1.5 * rung.kT) - 1.0), 0.06);
  }
  ck_assert_double_eq(ladder_rung(s->ladder, 0).up, 1.0);
  ck_assert_double_eq(ladder_rung(s->ladder, 4).up, 0.0);
  ck_assert_double_gt(consistency(s->ladder, 3.0), rare);
  simulation_free(s);
}

TEST(rotors_have_their_energies)
{
  Simulation *s = run(rotor, NULL);
  fine(simulation_step(s, 6000, NULL, &error));
  ck_assert_double_gt(energies(s->ladder, rotor_energy), rare);
  simulation_free(s);
}

/* Exchanges by a rule with the wrong sign, after every step: at once, before a replica forgets. */
static double broken(double dbeta, double dU) { return ladder_acceptance(dbeta, -dU); }

TEST(a_broken_rule_is_seen)
{
  Simulation *s = run(spring, "exchange.interval=1");
  LadderOptions options = *ladder_options(s->ladder);
  Ladder *l;
  options.acceptance = broken;
  fine(ladder_create(&l, &options, s->ensemble, &error));
  ladder_free(s->ladder);
  s->ladder = l;
  s->move[0] = ladder_move(l);
  fine(simulation_step(s, 3000, NULL, &error));
  ck_assert_double_lt(energies(s->ladder, spring_energy), rare);
  ck_assert_double_lt(consistency(s->ladder, 0.0), rare); /* without knowing the law */
  simulation_free(s);
}

/* --- lanes ------- */

/* First momenta and O's are as wide as each lane's temperature says, to the bit where it is that of the
 * plan. */
TEST(lanes_have_temperatures)
{
  Simulation *s = run(water, "thermostat.remove=none");
  const double kelvin = 2.0 / simulation_freedom(s);
  for (int r = 0; r < 12; r++)
    ck_assert_double_eq_tol(simulation_kT(s, r), simulation_kT(s, 0) * pow(1.5, (r % 6) / 5.0), 1e-12);
  SimulationColumns columns;
  fine(simulation_columns(s, &columns, &error));
  double value[64], sum = 0.0, squares = 0.0;
  for (int r = 0; r < 12; r++) {
    fine(simulation_look(s, r, value, &error));
    const double ratio = kelvin * value[0] / simulation_kT(s, r);
    sum += ratio / 12.0;
    squares += ratio * ratio / 12.0;
  }
  ck_assert_str_eq(columns.name[0], "kinetic");
  ck_assert_double_lt(fabs(sum - 1.0), 4.0 * sqrt(kelvin / 12.0));
  ck_assert_double_gt(squares, sum * sum);
  simulation_free(s);
}

/* The wanted column of all replicas. */
static void column(Simulation *s, const char *name, int n, double *x)
{
  SimulationColumns columns;
  fine(simulation_columns(s, &columns, &error));
  int c = 0;
  while (strcmp(columns.name[c], name) != 0)
    c++;
  double value[64];
  for (int r = 0; r < n; r++) {
    fine(simulation_look(s, r, value, &error));
    x[r] = value[c];
  }
}

/* An exchange scales kinetic energies by the ratio of temperatures, leaves potential energies alone, and the
 * heat keeps the account. */
TEST(exchanges_scale_momenta)
{
  enum { N = 12 };
  Simulation *s = run(water, NULL);
  double kinetic[N], conserved[N], after[N], account[N];
  int before[N], moved = 0, seen[N] = {0};
  fine(simulation_step(s, 20, NULL, &error));
  column(s, "kinetic", N, kinetic);
  column(s, "conserved", N, conserved);
  for (int r = 0; r < N; r++)
    before[r] = ladder_temperature(s->ladder, r);
  fine(s->move[0].make(s->move[0].self, s->ensemble, &error));
  simulation_all_changed(s);
  column(s, "kinetic", N, after);
  column(s, "conserved", N, account);
  for (int r = 0; r < N; r++) {
    const int k = ladder_temperature(s->ladder, r);
    moved += k != before[r];
    ck_assert_double_eq_tol(after[r] / kinetic[r], ladder_kT(s->ladder, k) / ladder_kT(s->ladder, before[r]),
                            1e-12);
    ck_assert_double_eq_tol(account[r], conserved[r], 1e-9);
    seen[ladder_slot(s->ladder, r)]++;
  }
  ck_assert_int_gt(moved, 0);
  for (int i = 0; i < N; i++)
    ck_assert_int_eq(seen[i], 1);
  simulation_free(s);
}

/* Of a ladder at one temperature nearly, the lowest lanes step as those of a plain ensemble until they are
 * exchanged. */
TEST(the_lowest_is_plain)
{
  Simulation *a = run(water, "exchange.interval=1000"), *b;
  static const char plain[] =
      "system: {model: tip3p, molecules: 3, anneal: false}\n"
      "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 400}\n"
      "thermostat: {type: langevin, friction: 5/ps, temperature: 60 K}\nprecision: double\n"
      "ensemble: {replicas: 12}\n";
  b = run(plain, NULL);
  fine(simulation_step(a, 50, NULL, &error));
  fine(simulation_step(b, 50, NULL, &error));
  const size_t n = (size_t)simulation_coordinates(a);
  double *x = calloc(4 * n, sizeof *x);
  for (int r = 0; r < 12; r++) {
    simulation_get_point(a, r, x, x + n);
    simulation_get_point(b, r, x + 2 * n, x + 3 * n);
    ck_assert_int_eq(memcmp(x, x + 2 * n, 2 * n * sizeof *x) == 0, r % 6 == 0);
  }
  free(x);
  simulation_free(a);
  simulation_free(b);
}

/* --- Fixman ------- */

/* phi stays uniform at all temperatures: <cos 2 phi> = 0, where without the potential it is -1/28, which the
 * ladders' scatter tells from it. Beta V_F is in no acceptance, so that without another potential every
 * exchange is accepted. */
TEST(fixman_ladder)
{
  enum { LADDERS = 64, SAMPLES = 600 };
  Simulation *s = run(fixman, "exchange.ladders=64");
  StatisticsMoments ladder[LADDERS] = {0}, all = {0};
  for (int i = 0; i < SAMPLES; i++) {
    fine(simulation_step(s, 20, NULL, &error));
    for (int r = 0; r < 3 * LADDERS; r++) {
      double x[6], p[6];
      simulation_get_point(s, r, x, p);
      const double a = atan2(x[3] - x[1], x[2] - x[0]), b = atan2(x[5] - x[3], x[4] - x[2]);
      const double wave = cos(2.0 * (b - a));
      statistics_moments_add(&ladder[r / 3], &wave, 1);
    }
  }
  for (int a = 0; a < LADDERS; a++)
    statistics_moments_add(&all, &ladder[a].mean, 1);
  const double error_of_all = statistics_moments_error(&all);
  ck_assert_double_gt(chance(all.mean, 0.0, error_of_all, LADDERS), rare);
  ck_assert_double_lt(chance(all.mean, -1.0 / 28.0, error_of_all, LADDERS), rare);
  for (int k = 0; k < 3; k++) {
    const LadderRung rung = ladder_rung(s->ladder, k);
    ck_assert_int_eq(rung.attempts, rung.exchanges);
    ck_assert_double_eq(rung.potential, 0.0);
  }
  simulation_free(s);
}

/* --- tuning ------- */

/* Where energies rise straight, equal acceptances are a geometric series, whatever one begins with; where
 * heat capacity has a peak temperatures gather there. */
TEST(tuned_temperatures)
{
  enum { N = 9 };
  double kT[N], energy[N], out[N], again[N];
  for (int k = 0; k < N; k++) {
    kT[k] = 1.0 + 3.0 * k / (N - 1);
    energy[k] = 7.0 * kT[k];
  }
  ladder_tune(N, kT, energy, out);
  for (int k = 0; k < N; k++)
    ck_assert_double_eq_tol(out[k], pow(4.0, (double)k / (N - 1)), 1e-9);
  for (int k = 0; k < N; k++)
    energy[k] = 7.0 * out[k];
  ladder_tune(N, out, energy, again);
  for (int k = 0; k < N; k++)
    ck_assert_double_eq_tol(again[k], out[k], 1e-9);
  for (int k = 0; k < N; k++)
    energy[k] = kT[k] + 20.0 * tanh(4.0 * (kT[k] - 2.0));
  ladder_tune(N, kT, energy, out);
  int near = 0;
  for (int k = 0; k < N; k++)
    near += fabs(out[k] - 2.0) < 0.4;
  ck_assert_int_ge(near, 4);
}

/* By the acceptance asked for, of the 12 internal degrees of freedom of three rigid waters in harmonic wells:
 * so many temperatures have it, one less would not. (The number goes by a formula for many degrees.) */
TEST(number_by_acceptance, .rows = 2)
{
  const char *const set[] = {"exchange.number=", "exchange.highest=400 K",
                             _i == 0 ? "exchange.acceptance=0.3" : "exchange.acceptance=0.6"};
  const double asked = _i == 0 ? 0.3 : 0.6, few = 0.015;
  Simulation *s;
  fine(simulation_parse(&s, "case.yaml", water, set, 3, &error));
  fine(simulation_start(s, NULL, &error));
  const int n = ladder_options(s->ladder)->n;
  const double whole = 400.0 / 60.0;
  ck_assert_double_gt(expected_acceptance(1.0, pow(whole, 1.0 / (n - 1)), 12), asked - few);
  ck_assert_double_lt(expected_acceptance(1.0, pow(whole, 1.0 / (n - 2)), 12), asked + few);
  simulation_free(s);
}

/* A list with gaps ends with even acceptances, and energies that are right still. */
TEST(tuning_in_a_run)
{
  const char *const set[] = {"exchange.tunings=4", "exchange.temperatures=[1, 1.2, 1.4, 1.6, 7]",
                             "output.equilibration=300"};
  Simulation *s;
  fine(simulation_parse(&s, "case.yaml", spring, set, 3, &error));
  fine(simulation_step(s, 5000, NULL, &error));
  for (int k = 0; k + 1 < 5; k++) {
    ck_assert_double_eq_tol(ladder_kT(s->ladder, k + 1) / ladder_kT(s->ladder, k), pow(7.0, 0.25), 0.15);
    ck_assert_double_eq_tol(ladder_rung(s->ladder, k).acceptance, ladder_rung(s->ladder, 0).acceptance, 0.1);
  }
  ck_assert_double_gt(energies(s->ladder, spring_energy), rare);
  simulation_free(s);
}

/* --- input ------- */

static const struct {
  const char *set[2], *says;
} wrong[] = {
    {{"thermostat.temperature=100 K"}, "has no meaning with a ladder"},
    {{"exchange.number=1"}, "exchange.number"},
    {{"exchange.acceptance=0.3"}, "contradicts exchange.acceptance"},
    {{"exchange.tunings=3"}, "output.equilibration"},
    {{"exchange.highest=50 K"}, "is not above exchange.lowest"},
    {{"exchange.highest="}, "exchange.highest: is missing"},
    {{"exchange.number="}, "exchange.number: is missing; wanted: the number of temperatures"},
    {{"exchange.ladders=1000000", "exchange.number=40"}, "more than 1e7 replicas"},
    {{"exchange.reweight=[60 K, 61 K, 60.5 K]"}, "temperature 3 is outside the ladder"},
    {{"exchange.temperatures=[60 K]"}, "wanted: 2 to 512"},
    {{"exchange.temperatures=[60 K, 50 K]"}, "rising"},
    {{"ensemble.replicas=7"}, "contradicts the section exchange"},
    {{"thermostat.type=none", "integrator.word=BAB"}, "langevin"},
    {{"thermostat.friction=0"}, "friction > 0, or exchange.momenta: redrawn"},
    {{"thermostat.friction=0/ps", "exchange.momenta=rescaled"}, "thermostat.friction"},
};

TEST(what_makes_no_sense, .rows = sizeof wrong / sizeof *wrong)
{
  Simulation *s;
  ck_assert_int_eq(
      simulation_parse(&s, "case.yaml", water, wrong[_i].set, wrong[_i].set[1] != NULL ? 2 : 1, &error),
      STATUS_INPUT);
  ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "%s", error.text);
  /* Of one mistake one thing is said, and not what follows from it. */
  ck_assert_msg(wrong[_i].set[1] != NULL || strstr(wrong[_i].set[0], "temperatures") != NULL ||
                    strchr(error.text, '\n') == NULL,
                "%s", error.text);
}

/* Without friction momenta drawn anew are what brings wells to their temperatures. */
TEST(redrawn_without_friction)
{
  static const char *const set[] = {"thermostat.friction=0", "exchange.momenta=redrawn"};
  Simulation *s;
  fine(simulation_parse(&s, "case.yaml", spring, set, 2, &error));
  fine(simulation_step(s, s->steps, NULL, &error));
  const int n = ladder_options(s->ladder)->n;
  for (int k = 0; k < n; k++) {
    const LadderRung r = ladder_rung(s->ladder, k);
    ck_assert_msg(fabs(r.potential - 1.5 * r.kT) < 4.0 * r.potential_error && r.potential_error < 0.1 * r.kT,
                  "%g +- %g at %g", r.potential, r.potential_error, r.kT);
  }
  simulation_free(s);
}
