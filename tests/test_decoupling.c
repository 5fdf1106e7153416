/* Free energies of a decoupling from the samples of its states, where all of them are known: MBAR,
 * integration, Bennett, their errors, and what the tests of the samples see. */
#include "observables/decoupling_result.h"
#include "observables/run_verdicts_alchemy.h"
#include "observables/statistics.h"
#include "tests/wells.h"

/* What is right fails once in a million runs. */
static const double rare = 1e-6;

static Decoupling *analyse(const Wells *w)
{
  Error error;
  Decoupling *d;
  ck_assert_msg(decoupling_create(&d, &w->path, w->ladder, w->ladders, &error) == STATUS_OK, "%s",
                error.text);
  return d;
}

/* The free energies that integration has with exact mean slopes. */
static void integrate_exactly(const Wells *w, double *free)
{
  double weight[DECOUPLING_PARAMETERS * WELLS_STATES * WELLS_STATES];
  const int n = w->states;
  decoupling_weights(&w->path, weight);
  free[0] = 0.0;
  for (int k = 1; k < n; k++) {
    free[k] = free[k - 1];
    for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
      for (int j = 0; j < n; j++)
        free[k] += weight[(q * n + k) * n + j] * wells_slope(w, j, q);
  }
}

static void check(const char *what, int k, double value, double error, double right, int draws, int tests)
{
  const double p = statistics_welch(right, 0.0, 0, value, error, draws).p;
  ck_assert_msg(p > rare / tests, "%s of state %d: %g +- %g, and %g is right (p = %g)", what, k, value, error,
                right, p);
}

/* --- values ------- */

static const struct {
  int ladders, samples;
  double stay;
  bool exchange, volumes;
} runs[] = {{8, 300, 0.0, true, false},
            {1, 1000, 0.5, true, true},
            {3, 800, 0.6, false, false},
            {12, 100, 0.5, true, false}};
enum { RUNS = (int)(sizeof runs / sizeof *runs), SEEDS = 2 };

static Wells make(int run, uint32_t seed)
{
  Wells w = wells_make(runs[run].ladders, runs[run].samples, runs[run].stay, seed, NULL);
  w.exchange = runs[run].exchange;
  w.volumes = runs[run].volumes;
  return w;
}

static void check_values(const Wells *w, const Decoupling *d)
{
  const int tests = RUNS * SEEDS * w->states * 5;
  double integrated[WELLS_STATES];
  integrate_exactly(w, integrated);
  ck_assert(d->sound && *d->why.text == '\0');
  for (int k = 0; k < w->states; k++) {
    const double right = wells_free(w, k) - wells_free(w, 0);
    for (int q = 0; q < DECOUPLING_PARAMETERS; q++)
      check("slope", k, d->slope[q].value[k], d->slope[q].error[k], wells_slope(w, k, q), d->units, tests);
    if (k == 0)
      continue;
    check("MBAR", k, d->free.value[k], d->free.error[k], right, d->units, tests);
    check("integration", k, d->integrated.value[k], d->integrated.error[k], integrated[k], d->units, tests);
    const WorkEstimates *pair = &d->pair[k - 1];
    check("Bennett", k, pair->free_energy.value, pair->free_energy.error,
          wells_free(w, k) - wells_free(w, k - 1), d->units, tests);
  }
  ck_assert_double_eq_tol(d->leg[0].value + d->leg[1].value, d->free.value[w->states - 1], 1e-9);
}

TEST(free_energies_are_exact, .rows = RUNS * suite_rows(1, SEEDS))
{
  Wells w = make(_i % RUNS, 100 + (uint32_t)_i);
  wells_run(&w);
  Decoupling *d = analyse(&w);
  check_values(&w, d);
  for (int k = 0; k + 1 < w.states; k++)
    ck_assert_double_gt(d->ends_p[k], rare);
  ck_assert(!(d->halves_p < rare) && !(d->apart_p < rare * rare));
  decoupling_free(d);
  wells_clear(&w);
}

/* In units of the errors, values scatter about the truth as Student's t does. */
TEST(errors_are_the_scatter_over_seeds, .skip = SUITE_SANITIZED != 0, .rows = suite_rows(1, 3))
{
  enum { MANY = 32, LAWS = 3 };
  static const struct {
    int ladders, samples;
    double stay;
  } of[] = {{1, 400, 0.4}, {8, 60, 0.6}, {2, 200, 0.0}};
  double square[LAWS] = {0.0};
  for (uint32_t seed = 0; seed < MANY; seed++) {
    double integrated[WELLS_STATES];
    Wells w = wells_make(of[_i].ladders, of[_i].samples, of[_i].stay, 1000 * (uint32_t)(_i + 1) + seed, NULL);
    wells_run(&w);
    Decoupling *d = analyse(&w);
    integrate_exactly(&w, integrated);
    const int last = w.states - 1;
    const double f = wells_free(&w, last) - wells_free(&w, 0), pair = wells_free(&w, 2) - wells_free(&w, 1),
                 units = d->units;
    const WorkValue *bennett = &d->pair[1].free_energy;
    const double shrink = (units - 3.0) / (units - 1.0); /* of the square of Student's t */
    square[0] += shrink * pow((d->free.value[last] - f) / d->free.error[last], 2);
    square[1] += shrink * pow((d->integrated.value[last] - integrated[last]) / d->integrated.error[last], 2);
    square[2] += pow((bennett->value - pair) / bennett->error, 2);
    decoupling_free(d);
    wells_clear(&w);
  }
  for (int law = 0; law < LAWS; law++) {
    /* Wider than chi-square at this number of seeds: correlation and errors are themselves estimates. */
    ck_assert_double_gt(square[law] / MANY, 0.45);
    ck_assert_double_lt(square[law] / MANY, 2.2);
  }
}

/* --- parts ------- */

/* Exact for cubics on legs of four states or more, parabolas on three, lines on two. */
TEST(integration_is_exact_for_cubics, .rows = 4)
{
  static const double coulomb[4][7] = {{1, 0.7, 0.6, 0.1, 0, 0, 0},
                                       {1, 0.3, 0, 0, 0, 0, 0},
                                       {1, 0, 0, 0, 0, 0, 0},
                                       {1, 1, 1, 1, 1, 1, 1}},
                      lj[4][7] = {{1, 1, 1, 1, 1, 0.4, 0},
                                  {1, 1, 1, 0.8, 0.5, 0.2, 0},
                                  {1, 1, 0.9, 0.5, 0.2, 0.1, 0},
                                  {1, 0.8, 0.6, 0.4, 0.3, 0.2, 0}};
  static const int degree[4][2] = {{3, 2}, {2, 3}, {1, 3}, {0, 3}};
  double weight[2 * 7 * 7], sum = 0.0, right = 0.0;
  const DecouplingPath path = {7, {coulomb[_i], lj[_i]}, {0, 1}, 1.0};
  decoupling_weights(&path, weight);
  for (int q = 0; q < 2; q++) {
    const double *const x = path.strength[q];
    for (int k = 1; k < 7; k++)
      for (int j = 0; j < 7; j++)
        sum += weight[(q * 7 + k) * 7 + j] * (2.0 + q + pow(x[j] - 0.3, degree[_i][q]));
    const double n = degree[_i][q] + 1.0;
    right += (2.0 + q) * (x[6] - x[0]) + (pow(x[6] - 0.3, n) - pow(x[0] - 0.3, n)) / n;
  }
  ck_assert_double_eq_tol(sum, right, 1e-12);
}

TEST(rows_of_the_overlap_sum_to_one)
{
  Wells w = make(0, 7);
  wells_run(&w);
  Decoupling *d = analyse(&w);
  for (int k = 0; k < w.states; k++) {
    double sum = 0.0;
    for (int j = 0; j < w.states; j++) {
      const double one = d->matrix[k * w.states + j];
      ck_assert_double_ge(one, 0.0);
      ck_assert_double_eq_tol(one, d->matrix[j * w.states + k], 1e-9); /* equal numbers of samples */
      sum += one;
    }
    ck_assert_double_eq_tol(sum, 1.0, 1e-9);
  }
  decoupling_free(d);
  wells_clear(&w);
}

/* Charges' slope follows x, that of Lennard-Jones y^2, whose correlation is the square. */
TEST(inefficiencies_are_those_of_the_moves, .skip = SUITE_SANITIZED != 0)
{
  const double stay = 0.8;
  Wells w = wells_make(4, 2000, stay, 17, NULL);
  w.exchange = false;
  wells_run(&w);
  Decoupling *d = analyse(&w);
  for (int k = 0; k < w.states; k++) {
    const double a = decoupling_leg(&w.path, k) == DECOUPLING_COULOMB ? stay : stay * stay;
    ck_assert_double_eq_tol(d->inefficiency[k], (1.0 + a) / (1.0 - a), 0.2 * (1.0 + a) / (1.0 - a));
  }
  decoupling_free(d);
  wells_clear(&w);
}

/* A replica that exchanges remembers its past states: its own correlation counts, not that of a state's
 * samples, which come from many replicas. */
TEST(continuous_replicas_are_slower_than_states, .skip = SUITE_SANITIZED != 0)
{
  Wells w = wells_make(2, 2000, 0.95, 18, NULL);
  wells_run(&w);
  Decoupling *d = analyse(&w);
  ck_assert_double_gt(d->slowest, 20.0);
  for (int k = 0; k < w.states; k++)
    ck_assert_double_gt(d->inefficiency[k], 12.0);
  decoupling_free(d);
  wells_clear(&w);
}

/* --- what is wrong ------- */

static void judge(const Decoupling *d, const Wells *w, char *words, ResultLevel *level)
{
  ResultSet set = results_make(QUANTITY_BOXES, false);
  const DecouplingAbout about = {.molecules = "well", .exchange = true, .sample_steps = 10};
  decoupling_result_numbers(d, &w->path, &about, &set);
  words[0] = '\0';
  *level = run_verdicts_alchemy(&set, words, 1000);
  results_free(&set);
}

TEST(a_removed_state_is_named)
{
  static const int keep[] = {0, 1, 3, 4, 5, 6, 7, 8, -1};
  char words[1000];
  ResultLevel level;
  Wells w = wells_make(8, 200, 0.0, 5, keep);
  w.pull = 11.0; /* 2.75 widths from state to state, 5.5 without one */
  wells_run(&w);
  Decoupling *d = analyse(&w);
  judge(d, &w, words, &level);
  ck_assert_msg(strstr(words, "missing between states 1 (coulomb 0.75, lj 1) and 2 (coulomb 0.25, lj 1)") !=
                    NULL,
                "%s", words);
  ck_assert_int_eq(level, RESULT_BAD);
  ck_assert(strstr(d->why.text, "states 1 and 2") != NULL && isnan(d->free.value[1]));
  ck_assert(isfinite(d->integrated.error[1]));
  decoupling_free(d);
  wells_clear(&w);
}

TEST(all_states_are_there)
{
  char words[1000];
  ResultLevel level;
  Wells w = make(3, 9);
  wells_run(&w);
  Decoupling *d = analyse(&w);
  judge(d, &w, words, &level);
  ck_assert_msg(level == RESULT_GOOD && strstr(words, "The 9 alchemical states overlap") != NULL, "%s",
                words);
  decoupling_free(d);
  wells_clear(&w);
}

TEST(ends_that_disagree_are_named)
{
  char words[1000];
  ResultLevel level;
  Wells w = wells_make(8, 300, 0.0, 21, NULL);
  w.wrong = 2;
  wells_run(&w);
  Decoupling *d = analyse(&w);
  ck_assert(decoupling_ends_disagree(d, 1) && decoupling_ends_disagree(d, 2) &&
            !decoupling_ends_disagree(d, 6));
  judge(d, &w, words, &level);
  ck_assert_msg(strstr(words, "of both ends contradict") != NULL && level == RESULT_WARN, "%s", words);
  decoupling_free(d);
  wells_clear(&w);
}

/* Samples that swing to the other side of their well and back have slopes without correlation, but the terms
 * of the test of both ends, which are even in part, have a long one. The test must know it. */
TEST(swinging_slopes_raise_no_alarm, .skip = SUITE_SANITIZED != 0)
{
  enum { MANY = 60 };
  static const int keep[] = {0, 2, 4, -1};
  int alarms = 0;
  double slowest = 0.0;
  for (uint32_t seed = 0; seed < MANY; seed++) {
    Wells w = wells_make(1, 2000, -0.97, 7000 + seed, keep);
    w.exchange = false;
    wells_run(&w);
    Decoupling *d = analyse(&w);
    for (int k = 0; k + 1 < w.states; k++)
      alarms += decoupling_ends_disagree(d, k);
    slowest += d->slowest / MANY;
    decoupling_free(d);
    wells_clear(&w);
  }
  ck_assert_int_le(alarms, 4); /* one false alarm in a hundred runs, of a family */
  ck_assert_double_gt(slowest, 5.0);
}

TEST(halves_that_disagree_are_seen, .rows = 2)
{
  char words[1000];
  ResultLevel level;
  Wells w = _i == 0 ? wells_make(8, 300, 0.0, 22, NULL) : wells_make(1, 1600, 0.3, 23, NULL);
  w.drift = w.samples / 2;
  wells_run(&w);
  Decoupling *d = analyse(&w);
  judge(d, &w, words, &level);
  ck_assert_double_lt(d->halves_p, 0.01);
  ck_assert_msg(strstr(words, "not in equilibrium") != NULL && level >= RESULT_WARN, "%s", words);
  decoupling_free(d);
  wells_clear(&w);
}

TEST(few_samples_are_lower_bounds)
{
  char words[1000];
  ResultLevel level;
  Wells w = wells_make(1, 300, 0.95, 24, NULL);
  wells_run(&w);
  Decoupling *d = analyse(&w);
  ck_assert(!d->sound && isnan(d->halves_p));
  judge(d, &w, words, &level);
  ck_assert_msg(strstr(words, "lower bounds") != NULL && level >= RESULT_WARN, "%s", words);
  decoupling_free(d);
  wells_clear(&w);
}

TEST(a_sample_or_two_are_no_error, .rows = 3)
{
  Wells w = wells_make(1, _i, 0.0, 25, NULL);
  Error error;
  Decoupling *d;
  wells_run(&w);
  const Status status = decoupling_create(&d, &w.path, w.ladder, 1, &error);
  ck_assert_int_eq(status, _i == 0 ? STATUS_INPUT : STATUS_OK);
  ck_assert(_i == 0 || (!d->sound && isnan(d->integrated.error[1])));
  decoupling_free(d);
  wells_clear(&w);
}
