/* Runs with metadynamics: free energies by reweighting and from the bias against quadrature, equal bits for
 * any number of threads and any splits of a run, and what is refused. */
#include "simulation/holonom.h"
#include "tests/chain_of_four.h"
#include "tests/program.h"
#include "tests/shorter.h"
#include "tests/tables.h"

static const double kT = 300.0 * 0.001987204;

#define TWIST "--set \"output.torsions=[{name: twist, atoms: [A, B, C, D]}]\" "
#define ENDS  "--set \"output.distances=[{name: ends, atoms: [index 0, index 3]}]\" "
#define HILLS "type: metadynamics, height: 0.1, width: 0.4, every: 0.4 ps, factor: 6"
#define GROW  TWIST "--set \"biases=[{on: [twist], " HILLS "}]\" "

/* -kT ln of the density of the torsion, above its minimum, in n bins. */
static void quadrature(int n, double *F)
{
  enum { POINTS = 20 };
  double least = INFINITY;
  for (int b = 0; b < n; b++) {
    double P = 0.0;
    for (int i = 0; i < POINTS; i++) {
      const double phi = 2.0 * M_PI * (b + (i + 0.5) / POINTS) / n - M_PI;
      P += exp(-torsion_energy(phi) / kT + chain_measure(phi));
    }
    F[b] = -kT * log(P);
    least = fmin(least, F[b]);
  }
  for (int b = 0; b < n; b++)
    F[b] -= least;
}

/* The mean square of the difference of a column from F, over its errors or in kcal/mol, both relative to
 * their means. */
static double misfit(const ResultTable *t, int n, const char *column, const char *errors, const double *F)
{
  double shift = 0.0, weights = 0.0, sum = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < n; b++) {
      const double e = errors != NULL ? tables_cell(t, (size_t)b, errors) : 1.0,
                   d = tables_cell(t, (size_t)b, column) - F[b];
      ck_assert_double_gt(e, 0.0);
      shift += pass == 0 ? d / (e * e) : 0.0;
      weights += pass == 0 ? 1.0 / (e * e) : 0.0;
      sum += pass == 1 ? pow((d - shift / weights) / e, 2) : 0.0;
    }
  return sum / n;
}

TEST(free_energies_are_those_by_quadrature, .skip = SHORT)
{
  enum { BINS = 24 };
  double F[BINS], flat[BINS] = {0.0};
  begin_chain();
  program_runs(
      "run run.yaml -o f --force " GROW
      "--set output.metadynamics_bins=%d --set ensemble.replicas=64 --set integrator.steps=20000 --set "
      "\"output.equilibration=20 ps\"",
      BINS);
  ResultTable *t = program_table("f/free_energy_twist.csv");
  ck_assert_uint_eq(t->nrow, BINS);
  quadrature(BINS, F);
  const double good = misfit(t, BINS, "free_energy", "free_energy_err", F),
               wrong = misfit(t, BINS, "free_energy", "free_energy_err", flat),
               bias = misfit(t, BINS, "free_energy_bias", NULL, F);
  ck_assert_msg(good < 2.0, "chi^2 of %d bins over their number: %g", BINS, good);
  ck_assert_msg(wrong > 50.0, "of no free energy: %g", wrong);
  ck_assert_msg(sqrt(bias) < 0.1, "from the bias: %g kcal/mol", sqrt(bias));
  for (int b = 0; b < BINS; b++)
    ck_assert_double_lt(tables_cell(t, (size_t)b, "free_energy_err"), 0.1);
  results_free_table(t);
  ck_assert_double_gt(program_summary("f", "bias"), 0.1);
}

/* Two coordinates: the plane, and the free energy along each. The grid of a distance has edges. */
TEST(planes_have_free_energies_along_both, .skip = SHORT)
{
  enum { BINS = 24 };
  double F[BINS];
  begin_chain();
  program_runs(
      "run run.yaml -o p --force " TWIST ENDS
      "--set \"biases=[{on: [twist, ends], type: metadynamics, height: 0.1, width: [0.4, 0.3], every: "
      "0.4 ps, factor: 6, from: 1 A, to: 5 A}]\" --set output.metadynamics_bins=%d --set "
      "integrator.steps=12000 --set \"output.equilibration=16 ps\"",
      BINS);
  ResultTable *t = program_table("p/free_energy_twist.csv"), *d = program_table("p/free_energy_ends.csv"),
              *plane = program_table("p/free_energy_twist-ends.csv");
  ck_assert_uint_eq(plane->nrow, BINS * BINS);
  quadrature(BINS, F);
  const double good = misfit(t, BINS, "free_energy", "free_energy_err", F);
  ck_assert_msg(good < 2.0, "chi^2 over the number of bins: %g", good);
  double shift = 0.0;
  int n = 0;
  for (size_t b = 0; b < d->nrow; b++) { /* without 2 kT ln r */
    const double a = tables_cell(d, b, "free_energy"), w = tables_cell(d, b, "free_energy_radial"),
                 r = tables_cell(d, b, "r");
    if (!isfinite(a))
      continue;
    shift = n++ == 0 ? w - a - 2.0 * kT * log(r) : shift;
    ck_assert_double_eq_tol(w - a - 2.0 * kT * log(r), shift, 0.02);
  }
  ck_assert_int_gt(n, 5);
  results_free_table(t);
  results_free_table(d);
  results_free_table(plane);
}

/* Hills along a formula that is a distance are those along the distance, and so is the free energy. */
TEST(formulas_have_hills)
{
#define ALONG(name)                                                                                          \
  TWIST ENDS "--set \"output.formulas=[{name: s, formula: ends}]\" --set \"biases=[{on: [" name "], " HILLS  \
             ", from: 1, to: 5}]\" --set integrator.steps=1000 --set output.equilibration=0.2ps "
  begin_chain();
  program_runs("run run.yaml -o direct --force " ALONG("ends"));
  program_runs("run run.yaml -o named --force " ALONG("s"));
  program_same("direct", "named", "thermo.csv");
  ResultTable *a = program_table("direct/free_energy_ends.csv"),
              *b = program_table("named/free_energy_s.csv");
  int n = 0;
  for (size_t i = 0; i < a->nrow; i++) {
    const double F = tables_cell(a, i, "free_energy");
    ck_assert_double_eq(tables_cell(a, i, "r"), tables_cell(b, i, "value"));
    ck_assert(isfinite(F) == isfinite(tables_cell(b, i, "free_energy")));
    if (isfinite(F))
      ck_assert_double_eq(F, tables_cell(b, i, "free_energy"));
    n += isfinite(F);
  }
  ck_assert_int_gt(n, 5);
  results_free_table(a);
  results_free_table(b);
#undef ALONG
}

#define SMALL                                                                                                \
  "--set integrator.steps=%d --set output.equilibration=0.2ps --set output.metadynamics_every=5 "            \
  "--set ensemble.replicas=20 "

static void same(const char *one, const char *other)
{
  program_same(one, other, "thermo.csv");
  program_same(one, other, "free_energy_twist.csv");
}

/* Hills depend neither on threads nor on a stop between, or at, hills. */
TEST(bits_are_those_of_one_thread_and_one_piece, .threads = true, .rows = 2)
{
  begin_chain();
  program_runs("run run.yaml -o one --force --threads 1 " GROW SMALL, 1000);
  program_runs("run run.yaml -o two --force --threads 2 " GROW SMALL, 1000);
  same("one", "two");
  program_runs("run run.yaml -o part --force --threads 1 " GROW SMALL, _i == 0 ? 500 : 437);
  program_runs("run run.yaml -o part --resume --threads 2 " GROW SMALL, 1000);
  same("one", "part");
}

/* Walkers share one bias: that of one walker alone differs. And the bias acts: it raises the energy. */
TEST(walkers_share_hills)
{
  begin_chain();
  program_runs("run run.yaml -o many --force " GROW SMALL, 1000);
  const double many = program_summary("many", "bias");
  program_runs("run run.yaml -o few --force " GROW SMALL "--set ensemble.replicas=8", 1000);
  ck_assert_double_gt(many, 1.2 * program_summary("few", "bias"));
}

/* Each coordinate's free energy is compared under its own name; the map of both is no curve. */
TEST(profiles_are_compared_one_by_one)
{
  begin_chain();
  for (int seed = 1; seed <= 2; seed++)
    program_runs("run run.yaml -o %d --force --set seed=%d " TWIST ENDS
                 "--set \"biases=[{on: [twist, ends], type: metadynamics, height: 0.1, width: [0.4, 0.3], "
                 "every: 0.4 ps, factor: 6, from: 1 A, to: 5 A}]\" " SMALL,
                 seed, seed, 4000);
  program_runs("compare 1 2 -o compared");
  program_says("free energy of twist by");
  program_says("free energy of ends by");
  ck_assert_ptr_null(strstr(program_output, "free energy by"));
  ck_assert_ptr_null(strstr(program_output, "twist-ends"));
}

/* New hills do work on all walkers, and the conserved energy leaves it out: it drifts no more than without
 * hills, by far less than the bias grows. */
TEST(hills_keep_the_conserved_energy)
{
  begin_chain();
  program_runs("run run.yaml -o kept --force " GROW SMALL "--set output.conserved=true", 4000);
  ResultTable *t = program_table("kept/thermo.csv");
  const size_t last = t->nrow - 1;
  const double change = tables_cell(t, last, "conserved") - tables_cell(t, 0, "conserved"),
               grown = tables_cell(t, last, "bias") - tables_cell(t, 0, "bias");
  ck_assert_double_gt(grown, 0.5);
  ck_assert_msg(fabs(change) < 0.1 * grown, "the conserved energy changes by %g, the bias by %g", change,
                grown);
  results_free_table(t);
}

TEST(what_has_no_meaning_is_refused)
{
  static const struct {
    const char *words, *settings;
  } wrong[] = {
      {"ladder", GROW "--set \"exchange.temperatures=[300, 310]\" --set exchange.interval=10"},
      {"all walkers share one bias",
       TWIST "--set \"biases=[{on: [twist], " HILLS "}, {on: [twist], name: spring, type: harmonic, k: 1, "
             "centre: 'linear(-180, 180)'}]\""},
      {"two records",
       TWIST ENDS "--set \"biases=[{on: [twist], " HILLS "}, {on: [ends], " HILLS ", from: 1, to: 5}]\""},
      {"from", TWIST ENDS "--set \"biases=[{on: [ends], " HILLS "}]\""},
      {"negative", TWIST ENDS "--set \"biases=[{on: [ends], " HILLS ", from: -1, to: 5}]\""},
      {"electric field oscillates",
       GROW "--set \"field.electric=[0, 0, 0.1 V/A]\" --set \"field.period=1 ps\""},
      {"remove temperatures from the schedule", GROW "--set \"schedule=[{time: 1 ps, temperature: 310 K}]\""},
      {"rising", TWIST ENDS "--set \"biases=[{on: [ends], " HILLS ", from: 5, to: 1}]\""},
      {"factor", TWIST "--set \"biases=[{on: [twist], type: metadynamics, height: 0.1, width: 0.4}]\""},
      {"factor",
       TWIST "--set \"biases=[{on: [twist], type: metadynamics, height: 0.1, width: 0.4, factor: 1}]\""},
      {"width", TWIST "--set \"biases=[{on: [twist], type: metadynamics, height: 0.1, factor: 8}]\""},
      {"radians",
       TWIST "--set \"biases=[{on: [twist], type: metadynamics, height: 0.1, width: 20, factor: 8}]\""},
      {"wider hills", TWIST ENDS "--set \"biases=[{on: [ends], type: metadynamics, height: 0.1, width: 1e-6, "
                                 "factor: 8, from: 1, to: 5}]\""},
      {"does not apply", TWIST "--set \"biases=[{on: [twist], " HILLS ", k: 3}]\""},
      {"does not apply",
       TWIST "--set \"biases=[{on: [twist], type: harmonic, k: 3, centre: 0, height: 1}]\""},
      {"thermostat", GROW "--set thermostat.type=none --set integrator.word=BAB"},
      {"in one run", GROW "--replicas 0..7 --set ensemble.replicas=16"},
  };
  begin_chain();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    program_refuses(wrong[i].words, "run run.yaml -o no --force %s", wrong[i].settings);
}

/* Angles have edges of their own beside a distance, whose table says that the wall is not removed. */
TEST(angles_need_no_edges_and_walls_remain)
{
  begin_chain();
  program_runs(
      "run run.yaml -o edges --force " ENDS SMALL
      "--set \"output.angles=[{name: bend, atoms: [index 0, index 1, index 2]}]\" --set "
      "geometry.constrain=all-bonds --set \"integrator.timestep=0.5 fs\" --set \"biases=[{on: [ends, "
      "bend], type: metadynamics, height: 0.1, width: [0.4, 0.3], every: 10 fs, factor: 6, from: 1 A, "
      "to: 5 A}, {on: [ends], name: lid, type: wall, above: 4.5 A, k: 10}]\"",
      1000);
  program_does("grep 'grid_bend: 0 to 180 degrees' edges/free_energy_bend.csv");
  program_does("grep 'of ends without the hills' edges/free_energy_ends.csv");
  program_does("grep 'walls are not removed' edges/free_energy_ends-bend.csv");
}

TEST(a_run_without_hills_says_so)
{
  begin_chain();
  program_runs("run run.yaml -o none --force " TWIST SMALL
               "--set \"biases=[{on: [twist], type: metadynamics, height: 0.1, width: 0.4, every: 50 ps, "
               "factor: 6}]\"",
               200);
  program_says("no hill was added");
}

static void walk(hol_simulation *s, int64_t steps, double x[2][64])
{
  hol_error e;
  ck_assert_msg(hol_step(s, steps, &e) == HOL_OK, "%s", e.message);
  for (int k = 0; k < 2; k++)
    ck_assert_msg(hol_get(s, HOL_POSITIONS, k * 15, x[k], &e) == HOL_OK, "%s", e.message);
}

/* Hills of later steps are gone after a return to an earlier state. */
TEST(returns_take_hills_back)
{
  static const char input[] =
      "system: {model: tip3p, molecules: 4, anneal: false}\ngeometry: {method: settle}\n"
      "integrator: {word: BAOAB, timestep: 1 fs, steps: 1000}\n"
      "thermostat: {type: langevin, temperature: 100, friction: 5/ps}\nensemble: {replicas: 16}\n"
      "biases: [{on: [oo], type: metadynamics, height: 2, width: 0.2, every: 10 fs, factor: 5, from: 1 A, "
      "to: 6 A}]\noutput: {distances: [{name: oo, atoms: [index 0, index 3]}]}\n";
  double first[2][64] = {{0}}, again[2][64] = {{0}};
  hol_simulation *s;
  hol_error e;
  size_t size;
  ck_assert_msg(hol_open_text(&s, "input", input, NULL, 0, &e) == HOL_OK, "%s", e.message);
  ck_assert_msg(hol_start(s, &e) == HOL_OK, "%s", e.message);
  walk(s, 55, first);
  ck_assert_int_eq(hol_save_memory(s, NULL, 0, &size, &e), HOL_OK);
  void *memory = malloc(size);
  ck_assert_int_eq(hol_save_memory(s, memory, size, &size, &e), HOL_OK);
  walk(s, 55, first);
  ck_assert_msg(hol_load_memory(s, memory, size, &e) == HOL_OK, "%s", e.message);
  walk(s, 55, again);
  ck_assert_mem_eq(first, again, sizeof first);
  free(memory);
  hol_close(s);
}

/* --- forces after a deposit --- */

enum { WALKERS = 3, PAIR = 2, EVERY = 50 };

/* Positions of two argon atoms in each walker's box at the step of the first hills, and one step later. */
static void deposit(double height, double before[WALKERS][3 * PAIR], double after[WALKERS][3 * PAIR])
{
  char input[1024];
  snprintf(input, sizeof input,
           "system: {atoms: {argon: 2}, box: 24 A, minimise: false}\nforces: {cutoff: 9 A, tail: false}\n"
           "integrator: {word: BAOAB, timestep: 5 fs, steps: 1000}\n"
           "thermostat: {type: langevin, temperature: 300, friction: 5/ps}\nensemble: {replicas: %d}\n"
           "biases: [{on: [d], type: metadynamics, height: %g, width: 0.3, every: 0.25 ps, factor: 5, from: "
           "1 A, to: 24 A}]\noutput: {distances: [{name: d, atoms: [index 0, index 1]}]}\n",
           WALKERS, height);
  hol_simulation *s;
  hol_error e;
  ck_assert_msg(hol_open_text(&s, "input", input, NULL, 0, &e) == HOL_OK, "%s", e.message);
  ck_assert_msg(hol_start(s, &e) == HOL_OK, "%s", e.message);
  for (int part = 0; part < 2; part++) {
    ck_assert_msg(hol_step(s, part == 0 ? EVERY : 1, &e) == HOL_OK, "%s", e.message);
    for (int k = 0; k < WALKERS; k++)
      ck_assert_int_eq(hol_get(s, HOL_POSITIONS, k, part == 0 ? before[k] : after[k], &e), HOL_OK);
  }
  hol_close(s);
}

/* The vector from the first atom to the nearest image of the second. */
static double vector_of(const double *x, double *d)
{
  const double edge = 24.0;
  double square = 0.0;
  for (int i = 0; i < 3; i++) {
    d[i] = x[3 + i] - x[i];
    d[i] -= edge * round(d[i] / edge);
    square += d[i] * d[i];
  }
  return sqrt(square);
}

/* The next step has the forces of new hills from its first kick on: in BAOAB they move an atom by
 * h^2 (1 + exp(-friction h))/4 times their acceleration. */
TEST(hills_act_from_the_next_step_on)
{
  const double height = 3.0, width = 0.3, mass = 39.948, h = 5.0 / 48.88821291, keep = exp(-5.0 * 0.005);
  double x[WALKERS][3 * PAIR], with[WALKERS][3 * PAIR], without[WALKERS][3 * PAIR], d[3], r[WALKERS],
      own[WALKERS], largest = 0.0;
  deposit(1e-9, x, without);
  deposit(height, x, with);
  for (int k = 0; k < WALKERS; k++) {
    double V = 0.0;
    r[k] = vector_of(x[k], d);
    for (int j = 0; j < k; j++)
      V += own[j] * exp(-pow((r[k] - r[j]) / width, 2) / 2.0);
    own[k] = height * exp(-V / (kT * 4.0));
  }
  for (int k = 0; k < WALKERS; k++) {
    double slope = 0.0;
    (void)vector_of(x[k], d);
    for (int j = 0; j < WALKERS; j++)
      slope -= own[j] * (r[k] - r[j]) / (width * width) * exp(-pow((r[k] - r[j]) / width, 2) / 2.0);
    const double move = h * h * (1.0 + keep) / 4.0 * slope / r[k] / mass;
    for (int i = 0; i < 3; i++) /* the grid's slopes are within a hundredth */
      ck_assert_double_eq_tol(with[k][i] - without[k][i], move * d[i], 0.01 * fabs(move * r[k]));
    largest = fmax(largest, fabs(move * r[k]));
  }
  ck_assert_double_gt(largest, 1e-5);
}
