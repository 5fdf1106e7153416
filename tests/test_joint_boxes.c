/* Umbrella windows and metadynamics in boxes with several replicas: one free energy of all, against the
 * integral; the same bytes for any number of threads, after a restart, and from parts; what has none. */
#include "tests/pair_in_gas.h"
#include "tests/shorter.h"
#include "tests/tables.h"

static const double kT = 300.0 * 0.0019872043;

#define WINDOWS                                                                                              \
  "--set \"biases=[{on: [d], type: harmonic, k: 4, centre: 'linear(3.4 A, 6.2 A)'}]\" --set "                \
  "ensemble.replicas=8 "
#define STATES                                                                                               \
  "--set \"biases=[{on: [d], type: harmonic, k: 4, centre: 3.4 A}]\" --set "                                 \
  "\"exchange.parameters={d.centre: "                                                                        \
  "'linear(3.4 A, 6.2 A, 4)'}\" --set exchange.ladders=2 --set exchange.interval=10 "
#define HILLS                                                                                                \
  "--set \"biases=[{on: [d], type: metadynamics, height: 0.1, width: 0.25, every: 0.4 ps, factor: 6, from: " \
  "2 A, to: 8 A}, {on: [d], name: lid, type: wall, above: 6.6 A, k: 20}]\" --set ensemble.replicas=8 --set " \
  "output.metadynamics_bins=30 "

static void begin(void)
{
  write_pair();
  program_write("run.yaml",
                PAIR_SYSTEM "integrator: {word: BAOAB, timestep: 20 fs, steps: 12000}\n"
                            "thermostat: {temperature: 300 K, friction: 2/ps}\n"
                            "output: {thermo_every: 100, report: false, progress: false, rdf_every: 0, "
                            "equilibration: 8 ps, distances_every: 0, free_energy_width: 0.2 A, distances: "
                            "[{name: d, atoms: [index 0, index 1]}]}\n");
}

/* -kT ln of the integral of the density over the bin around r. */
static double exact(double r, double width)
{
  enum { POINTS = 50 };
  double sum = 0.0;
  for (int i = 0; i < POINTS; i++) {
    const double x = r + width * ((i + 0.5) / POINTS - 0.5);
    sum += x * x * exp(-pair_energy(x) / kT);
  }
  return -kT * log(sum);
}

/* Free energies are above their minimum, so the weighted mean of the differences is removed. */
static void check_profile(const char *path, double low, double high, double width, double most)
{
  ResultTable *t = program_table(path);
  double offset = 0.0, weight = 0.0, chi2 = 0.0;
  int n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (size_t b = 0; b < t->nrow; b++) {
      const double r = tables_cell(t, b, "r"), e = tables_cell(t, b, "free_energy_err"),
                   off = tables_cell(t, b, "free_energy") - exact(r, width);
      if (r < low || r > high)
        continue;
      ck_assert_double_gt(e, 0.0);
      ck_assert_double_lt(e, most);
      offset += pass == 0 ? off / (e * e) : 0.0;
      weight += pass == 0 ? 1.0 / (e * e) : 0.0;
      chi2 += pass == 1 ? pow((off - offset / weight) / e, 2) : 0.0;
      n += pass;
    }
  ck_assert_int_gt(n, 10);
  ck_assert_msg(chi2 < 4.0 * n, "chi^2 of %d bins: %g", n, chi2);
  results_free_table(t);
}

TEST(windows_have_one_free_energy, .skip = SHORT)
{
  begin();
  program_runs("run run.yaml -o w " WINDOWS);
  check_profile("w/free_energy_d.csv", 3.4, 6.4, 0.2, 0.3);
  ResultTable *t = program_table("w/windows.csv");
  ck_assert_uint_eq(t->nrow, 8);
  for (size_t k = 0; k + 1 < t->nrow; k++) {
    ck_assert_double_eq_tol(tables_cell(t, k, "centre_d"), 3.4 + 0.4 * (double)k, 1e-9);
    ck_assert_double_gt(tables_cell(t, k, "overlap"), 0.1);
  }
  results_free_table(t);
  ck_assert(program_exists("w/free_energy_d.svg") && !program_exists("w/replica-0"));
  ck_assert_ptr_nonnull(strstr(program_read("w/results.json"), "The 8 umbrella windows overlap"));
}

/* Each state of a ladder of boxes is a window, whichever replica is in it. */
TEST(states_of_a_ladder_of_boxes_are_windows, .skip = SHORT)
{
  begin();
  program_runs("run run.yaml -o l " STATES);
  check_profile("l/free_energy_d.csv", 3.6, 6.4, 0.2, 0.3);
  ResultTable *t = program_table("l/windows.csv");
  ck_assert_uint_eq(t->nrow, 4);
  for (size_t k = 0; k < 4; k++)
    ck_assert_double_eq(tables_cell(t, k, "samples"), 2.0 * (12000 - 400) / 10);
  results_free_table(t);
}

TEST(walkers_have_one_free_energy, .skip = SHORT)
{
  begin();
  program_runs("run run.yaml -o m --set \"output.equilibration=60 ps\" " HILLS);
  check_profile("m/free_energy_d.csv", 3.4, 6.4, 0.2, 0.3);
  ck_assert(!program_exists("m/replica-0"));
  ck_assert_ptr_nonnull(strstr(program_read("m/free_energy_d.csv"), "# replicas: 8"));
}

#define SHORTLY "--set integrator.steps=%d --set \"output.equilibration=1 ps\" "

static void same(const char *one, const char *other)
{
  program_does("diff -r -x holonom.log -x holonom.files -x input.yaml -x 'checkpoint.*' -x summary.yaml -x "
               "results.json -x '*.pdf' %s %s && test -s %s/free_energy_d.csv",
               one, other, one);
}

/* One thread; two, cut in two; and in parts, which walkers of one bias cannot be. */
TEST(bits_are_those_of_one_thread_and_one_piece, .rows = 3, .threads = true)
{
  static const char *const set[] = {WINDOWS, STATES, HILLS};
  begin();
  program_runs("run run.yaml -o whole --force --threads 1 %s" SHORTLY, set[_i], 400);
  program_runs("run run.yaml -o two --force --threads 2 %s" SHORTLY, set[_i], 400);
  same("whole", "two");
  program_runs("run run.yaml -o cut --force --threads 2 %s" SHORTLY, set[_i], _i == 1 ? 160 : 153);
  program_runs("run run.yaml -o cut --resume --threads 1 %s" SHORTLY, set[_i], 400);
  same("whole", "cut");
  if (_i == 2)
    return;
  program_runs("run run.yaml -o 0..3 --force --replicas 0..3 %s" SHORTLY, set[_i], 400);
  program_runs("run run.yaml -o 4..7 --force --replicas 4..7 %s" SHORTLY, set[_i], 400);
  program_runs("merge 0..3 4..7 -o merged --force");
  same("whole", "merged");
}

/* Bins know the energies of biases alone, so windows that differ otherwise have no free energy. */
TEST(windows_differ_in_biases_alone, .rows = 2)
{
  static const char *const set[] = {
      STATES "--set \"exchange.pressures=[20 bar, 20 bar, 30 bar, 30 bar]\" --set barostat.type=monte-carlo "
             "--set barostat.every=10 ",
      WINDOWS "--set \"restraints=[{name: other, coordinate: distance, atoms: [index 2, index 3], k: 0.1, "
              "centre: 17 A}]\" --set \"ensemble.parameters={other.centre: 'linear(17 A, 18 A)'}\" "};
  static const char *const words[] = {"the windows need one pressure, and the ladder has several",
                                      "the windows differ in a parameter that belongs to no bias"};
  begin();
  program_runs("run run.yaml -o other --force %s" SHORTLY, set[_i], 100);
  ck_assert(!program_exists("other/free_energy_d.csv"));
  program_says(words[_i]);
}
