/* MBAR on systems whose partition function is known: harmonic oscillators, and two basins with a transition
 * between them. Values, errors that cover, and what is refused. */
#include <gsl/gsl_cdf.h>

#include "engine/random.h"
#include "observables/mbar_estimates.h"
#include "observables/statistics.h"
#include "tests/basins.h"
#include "tests/suite.h"
#include "tests/tables.h"

enum { STATES_MAX = 200, LADDERS_MAX = 8, POINTS_MAX = 128 };

static double true_heat(const Basins *s, double t)
{
  const double p = basins_upper(s, t);
  return 0.5 * s->freedom + (p > 0.0 ? p * (1.0 - p) * s->gap * s->gap / (t * t) : 0.0);
}

static double true_free(const Basins *s, double t) /* -ln Z */
{
  return -0.5 * s->freedom * log(t) - log1p(exp(s->entropy - s->gap / t));
}

/* Each sample stays what it was with this chance: an inefficiency of (1 + stay)/(1 - stay). Temperatures are
 * those of the ladder times `wrong`. */
typedef struct Run {
  Basins system;
  int states, ladders, samples;
  double low, high, stay, wrong;
  uint32_t stream;
} Run;

typedef struct Ladder {
  double temperature[STATES_MAX], at[POINTS_MAX];
  EnergyHistogram *histogram[LADDERS_MAX];
  MbarRequest request;
} Ladder;

static Ladder *run_ladders(const Run *run, int points)
{
  Ladder *a = calloc(1, sizeof *a);
  RandomStream s = random_stream(7, run->stream, RANDOM_TEST);
  const EnergyHistogramOptions options = {run->states, 256, 0x1p-7};
  for (int k = 0; k < run->states; k++)
    a->temperature[k] = run->low * pow(run->high / run->low, k / (run->states - 1.0));
  for (int p = 0; p < points; p++)
    a->at[p] = run->low + (run->high - run->low) * p / (points - 1.0);
  for (int l = 0; l < run->ladders; l++) {
    double u[STATES_MAX];
    ck_assert_int_eq(energy_histogram_create(&a->histogram[l], &options, NULL), STATUS_OK);
    for (int i = 0; i < run->samples; i++, energy_histogram_end(a->histogram[l]))
      for (int k = 0; k < run->states; k++) {
        if (i == 0 || random_uniform(&s) > run->stay)
          u[k] = basins_draw(&run->system, a->temperature[k] * run->wrong, &s).energy;
        energy_histogram_add(a->histogram[l], k, u[k], 0.0);
      }
  }
  a->request = (MbarRequest){.ladder = a->histogram,
                             .ladders = run->ladders,
                             .temperature = a->temperature,
                             .boltzmann = 1.0,
                             .at = a->at,
                             .points = points};
  return a;
}

static void ladders_free(Ladder *a)
{
  for (int l = 0; l < LADDERS_MAX; l++)
    energy_histogram_free(a->histogram[l]);
  free(a);
}

static MbarEstimates *estimate(const MbarRequest *request)
{
  MbarEstimates *e;
  Error error;
  ck_assert_msg(mbar_estimates_create(&e, request, &error) == STATUS_OK, "%s", error.text);
  return e;
}

/* --- coverage ----------------------------------------------------------------------------------------------
 */

/* How often intervals of 68 and 95 % hold what is true. */
typedef struct Coverage {
  int n, in68, in95;
} Coverage;

static void cover(Coverage *c, double value, double error, double truth, double dof)
{
  ck_assert(error > 0.0);
  const double z = fabs(value - truth) / error;
  c->n++;
  c->in68 += z < gsl_cdf_tdist_Pinv(0.84, dof);
  c->in95 += z < gsl_cdf_tdist_Pinv(0.975, dof);
}

static void print_table(const MbarEstimates *e, const MbarRequest *request, int molecules, FILE *file)
{
  ResultSet set = results_make(QUANTITY_CLUSTERS, false);
  const ResultTable *table = mbar_estimates_table(e, request, molecules, &set);
  ck_assert_ptr_nonnull(table);
  results_csv_print(table, file);
  results_free(&set);
}

/* Within 3.5 standard errors of a count, and what a bias of the errors by 5 % does. */
static void covered(const Coverage *c, const char *what)
{
  const double f68 = (double)c->in68 / c->n, f95 = (double)c->in95 / c->n;
  ck_assert_msg(fabs(f68 - 0.68) < 0.03 + 3.5 * sqrt(0.68 * 0.32 / c->n) &&
                    fabs(f95 - 0.95) < 0.01 + 3.5 * sqrt(0.95 * 0.05 / c->n),
                "%s: %.3f and %.3f of %d", what, f68, f95, c->n);
}

static void cover_all(const Run *run, int experiments, MbarErrors errors, int resamples)
{
  enum { POINTS = 11 };
  Coverage energy = {0}, heat = {0}, free_energy = {0};
  for (int x = 0; x < experiments; x++) {
    Run one = *run;
    one.stream = (uint32_t)x;
    Ladder *a = run_ladders(&one, POINTS);
    a->request.errors = errors;
    a->request.resamples = resamples;
    MbarEstimates *e = estimate(&a->request);
    const int p = 4, last = POINTS - 1;
    const double t = a->at[p], dof = e->draws - 1.0;
    ck_assert_int_eq(e->errors, errors);
    ck_assert_int_eq(e->plateau, 1);
    cover(&energy, e->energy.value[p], e->energy.error[p], basins_energy(&one.system, t), dof);
    cover(&heat, e->heat.value[p], e->heat.error[p], true_heat(&one.system, t), dof);
    cover(&free_energy, e->free.value[last], e->free.error[last],
          true_free(&one.system, a->at[last]) - true_free(&one.system, a->at[0]), dof);
    mbar_estimates_free(e);
    ladders_free(a);
  }
  covered(&energy, "energy");
  covered(&heat, "heat capacity");
  covered(&free_energy, "free energy");
}

TEST(errors_of_ladders_cover, .rows = suite_rows(1, 2))
{
  const Run run = {_i == 0 ? harmonic : transition, 6, 6, 100, 0.8, 1.25, 0.0, 1.0, 0};
  cover_all(&run, 150, MBAR_ERRORS_LADDERS, 0);
}

/* Of samples of which it takes three to an independent one. */
TEST(errors_of_blocks_cover, .rows = suite_rows(1, 2))
{
  const Run run = {_i == 0 ? harmonic : transition, 4, 2, 2048, 0.85, 1.2, 0.5, 1.0, 0};
  cover_all(&run, 80, MBAR_ERRORS_BLOCKS, 50);
}

/* Few samples scatter about their own mean by less than they should; the mean of many such heat capacities is
 * right, whether errors are from ladders or from blocks. */
TEST(few_samples_are_not_biased, .rows = suite_rows(1, 2))
{
  enum { EXPERIMENTS = 3000 };
  const Run run = {harmonic, 2, _i == 0 ? 4 : 1, _i == 0 ? 2 : 8, 0.98, 1.02, 0.0, 1.0, 0};
  StatisticsMoments heat = {0};
  for (int x = 0; x < EXPERIMENTS; x++) {
    Run one = run;
    one.stream = (uint32_t)x;
    Ladder *a = run_ladders(&one, 2);
    a->request.resamples = 20;
    MbarEstimates *e = estimate(&a->request);
    ck_assert_int_eq(e->errors, _i == 0 ? MBAR_ERRORS_LADDERS : MBAR_ERRORS_BLOCKS);
    statistics_moments_add(&heat, &e->heat.value[0], 1);
    mbar_estimates_free(e);
    ladders_free(a);
  }
  const double error = statistics_moments_error(&heat), bias = true_heat(&harmonic, 0.98) / 16.0;
  ck_assert_msg(fabs(heat.mean - true_heat(&harmonic, 0.98)) < 3.0 * error, "%g +- %g, and %g is right",
                heat.mean, error, true_heat(&harmonic, 0.98));
  ck_assert_double_lt(6.0 * error, bias); /* the bias would be seen */
}

TEST(peaks_are_covered)
{
  enum { EXPERIMENTS = 120, POINTS = 36 };
  double place = 0.0, height = 0.0;
  Coverage t = {0}, c = {0};
  for (double x = 0.9; x < 1.1; x += 1e-5)
    if (true_heat(&transition, x) > height) {
      height = true_heat(&transition, x);
      place = x;
    }
  for (int x = 0; x < EXPERIMENTS; x++) {
    const Run run = {transition, 6, 6, 200, 0.85, 1.2, 0.0, 1.0, (uint32_t)x};
    Ladder *a = run_ladders(&run, POINTS);
    MbarEstimates *e = estimate(&a->request);
    ck_assert_int_eq(e->errors, MBAR_ERRORS_LADDERS);
    cover(&t, e->peak.value[0], e->peak.error[0], place, 5.0);
    cover(&c, e->peak.value[1], e->peak.error[1], height, 5.0);
    ck_assert_double_gt(e->peak.value[2], 5.0 * e->peak.error[2]);
    mbar_estimates_free(e);
    ladders_free(a);
  }
  covered(&t, "place");
  covered(&c, "height");
}

/* --- the equations ---------------------------------------------------------------------------------------
 */

/* Every temperature's weights add up to 1, for 1 to 200 temperatures; the free energies are right. */
TEST(weights_add_up, .rows = 4)
{
  static const int states[4] = {2, 7, 40, 200};
  const Run run = {transition, states[_i], 1, 4000 / states[_i], _i == 0 ? 0.95 : 0.8, _i == 0 ? 1.05 : 1.3,
                   0.0,        1.0,        3};
  Ladder *a = run_ladders(&run, 2);
  EnergyPool *pool;
  Mbar *m, *again;
  MbarOverlap overlap;
  double *matrix = malloc(sizeof *matrix * STATES_MAX * STATES_MAX);
  ck_assert_int_eq(energy_pool_create(&pool, a->histogram, 1, NULL, NULL), STATUS_OK);
  ck_assert_int_eq(mbar_create(&m, pool, a->temperature, 1.0, NULL, NULL), STATUS_OK);
  for (int k = 0; k < m->states; k++) {
    MbarState state;
    ck_assert_int_eq(mbar_at(m, a->temperature[k], &state, NULL, NULL), STATUS_OK);
    ck_assert_double_eq_tol(state.free, m->free[k], 1e-7);
    const double truth =
        true_free(&transition, a->temperature[k]) - true_free(&transition, a->temperature[0]);
    ck_assert_double_eq_tol(m->free[k], truth, 0.5); /* some 4 standard errors of 4000 samples */
  }
  ck_assert_int_lt(m->iterations, 12);
  /* From anywhere to the same. */
  double start[STATES_MAX];
  for (int k = 0; k < m->states; k++)
    start[k] = k % 2 == 0 ? 0.0 : 5.0;
  ck_assert_int_eq(mbar_create(&again, pool, a->temperature, 1.0, start, NULL), STATUS_OK);
  for (int k = 1; k < m->states; k++)
    ck_assert_double_eq_tol(again->free[k] - again->free[0], m->free[k] - m->free[0], 1e-6);
  ck_assert_int_eq(mbar_overlap(m, matrix, &overlap, NULL), STATUS_OK);
  for (int k = 0; k < m->states; k++) {
    double sum = 0.0;
    for (int l = 0; l < m->states; l++)
      sum += matrix[k * m->states + l];
    ck_assert_double_eq_tol(sum, 1.0, 1e-7);
  }
  ck_assert(overlap.second > 0.0 && overlap.second < 1.0 && overlap.least > 0.1);
  free(matrix);
  mbar_free(m);
  mbar_free(again);
  energy_pool_free(pool);
  ladders_free(a);
}

TEST(what_samples_cannot_say_is_refused)
{
  Run run = {harmonic, 4, 1, 200, 1.0, 2.0, 0.0, 1.0, 4};
  MbarEstimates *e;
  Error error;
  Ladder *a = run_ladders(&run, 3);
  a->at[2] = 2.1;
  ck_assert_int_eq(mbar_estimates_create(&e, &a->request, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "outside the ladder"));
  a->at[2] = 2.0;
  a->temperature[1] = 3.0;
  ck_assert_int_eq(mbar_estimates_create(&e, &a->request, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "rising"));
  ladders_free(a);
  run.ladders = 2;
  a = run_ladders(&run, 3);
  energy_histogram_end(a->histogram[1]);
  ck_assert_int_eq(mbar_estimates_create(&e, &a->request, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "different number"));
  ladders_free(a);
  run = (Run){{60, INFINITY, 0.0}, 2, 1, 200, 1.0, 3.0, 0.0, 1.0, 5};
  a = run_ladders(&run, 3);
  ck_assert_int_eq(mbar_estimates_create(&e, &a->request, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "hardly overlap"));
  ladders_free(a);
}

/* Energies of other temperatures than the ladder says are seen; of its own rarely. Ladders that stay in a
 * basin each are frozen, and their errors say so. */
TEST(wrong_temperatures_are_seen)
{
  enum { RUNS = 40 };
  int seen = 0;
  Coverage scale = {0};
  for (int x = 0; x < RUNS; x++) {
    const Run run = {transition, 6, 8, 300, 0.85, 1.2, 0.0, 1.0, (uint32_t)x};
    Ladder *a = run_ladders(&run, 3);
    MbarEstimates *e = estimate(&a->request);
    seen += e->consistent < 0.05;
    ck_assert_double_lt(e->chains.rhat, 1.2);
    cover(&scale, *e->scale.value, *e->scale.error, 1.0, 7.0);
    mbar_estimates_free(e);
    ladders_free(a);
  }
  ck_assert_int_le(seen, 7); /* of 2 */
  covered(&scale, "scale");
  const Run wrong = {transition, 6, 8, 1000, 0.85, 1.2, 0.0, 1.15, 1};
  Ladder *a = run_ladders(&wrong, 3);
  MbarEstimates *e = estimate(&a->request);
  ck_assert_double_lt(e->consistent, 0.01);
  ck_assert_double_eq_tol(*e->scale.value, 1.15, 4.0 * *e->scale.error);
  mbar_estimates_free(e);
  ladders_free(a);
}

/* A heat capacity without a maximum is rarely said to have one, and one that has it always; of few ladders
 * nothing is said of it, nor of whether temperatures agree. */
TEST(peaks_are_told_from_noise, .rows = 3)
{
  enum { RUNS = 100, POINTS = 36 };
  const int ladders = _i == 0 ? 8 : _i == 1 ? 4 : 2;
  int shown = 0;
  for (int x = 0; x < RUNS; x++) {
    const Run run = {harmonic, 4, ladders, _i == 2 ? 600 : 100, 0.85, 1.2, 0.0, 1.0, (uint32_t)x};
    Ladder *a = run_ladders(&run, POINTS);
    a->request.resamples = 40;
    MbarEstimates *e = estimate(&a->request);
    const MbarPeak peak = mbar_estimates_peak(e);
    shown += peak == MBAR_PEAK_SHOWN;
    if (_i == 1)
      ck_assert(peak != MBAR_PEAK_SHOWN && isnan(e->consistent));
    else
      ck_assert(peak != MBAR_PEAK_UNTESTED && !isnan(e->consistent));
    mbar_estimates_free(e);
    ladders_free(a);
  }
  ck_assert_int_le(shown, 5); /* of 1 */
  const Run run = {transition, 6, ladders, 600, 0.85, 1.2, 0.0, 1.0, 1};
  Ladder *a = run_ladders(&run, POINTS);
  MbarEstimates *e = estimate(&a->request);
  ck_assert_int_eq(mbar_estimates_peak(e), _i == 1 ? MBAR_PEAK_UNTESTED : MBAR_PEAK_SHOWN);
  mbar_estimates_free(e);
  ladders_free(a);
}

/* All the temperature's energies of all ladders but one are no numbers, so that without that one there is
 * nothing: what all of them say stands, with errors of the rest and a note. */
TEST(what_fails_without_a_ladder_leaves_the_rest, .rows = 2)
{
  const int ladders = _i == 0 ? 8 : 2;
  const Run run = {harmonic, 4, ladders, 200, 0.85, 1.2, 0.0, 1.0, 6};
  Ladder *a = run_ladders(&run, 3), *b = calloc(1, sizeof *b);
  const EnergyHistogramOptions options = {run.states, 256, 0x1p-7};
  RandomStream s = random_stream(8, 0, RANDOM_TEST);
  b->request = a->request;
  b->request.ladder = b->histogram;
  b->request.errors = MBAR_ERRORS_LADDERS;
  for (int l = 0; l < ladders; l++) {
    ck_assert_int_eq(energy_histogram_create(&b->histogram[l], &options, NULL), STATUS_OK);
    for (int i = 0; i < run.samples; i++, energy_histogram_end(b->histogram[l]))
      for (int k = 0; k < run.states; k++)
        energy_histogram_add(b->histogram[l], k,
                             k == 1 && l > 0 ? NAN : basins_draw(&run.system, a->temperature[k], &s).energy,
                             0.0);
  }
  MbarEstimates *e = estimate(&b->request);
  ck_assert_int_eq(e->failed, 1);
  ck_assert_int_eq(e->plateau, 0);
  ck_assert(isnan(e->consistent) && mbar_estimates_peak(e) != MBAR_PEAK_SHOWN);
  for (int p = 0; p < 3; p++)
    ck_assert(isfinite(e->energy.value[p]) && isfinite(e->heat.value[p]) &&
              isfinite(e->energy.error[p]) == (_i == 0));
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  print_table(e, &b->request, 1, file);
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_ptr_nonnull(strstr(text, "# not solved: 1 of these"));
  free(text);
  mbar_estimates_free(e);
  ladders_free(a);
  ladders_free(b);
}

TEST(frozen_ladders_are_seen)
{
  const Run cold = {{6, INFINITY, 0.0}, 6, 3, 300, 0.85, 1.2, 0.0, 1.0, 1},
            hot = {{6, 4.0, 50.0}, 6, 3, 300, 0.85, 1.2, 0.0, 1.0, 2};
  Ladder *a = run_ladders(&cold, 3), *b = run_ladders(&hot, 3);
  for (int l = 0; l < 3; l++) {
    a->histogram[3 + l] = b->histogram[l];
    b->histogram[l] = NULL;
  }
  a->request.ladders = 6;
  MbarEstimates *e = estimate(&a->request);
  ck_assert_double_gt(e->chains.rhat, 1.2);
  ck_assert_double_gt(e->energy.error[1], 0.5);
  mbar_estimates_free(e);
  ladders_free(a);
  ladders_free(b);
}

/* What is no energy changes no number, and is counted over all ladders. */
TEST(what_is_no_energy_is_said)
{
  const Run run = {harmonic, 4, 2, 200, 0.85, 1.2, 0.0, 1.0, 6};
  Ladder *a = run_ladders(&run, 3);
  MbarEstimates *without = estimate(&a->request);
  energy_histogram_add(a->histogram[0], 0, NAN, 0.0);
  energy_histogram_add(a->histogram[0], 1, -INFINITY, 0.0);
  energy_histogram_add(a->histogram[1], 0, INFINITY, 0.0);
  MbarEstimates *with = estimate(&a->request);
  ck_assert_int_eq(without->odd, 0);
  ck_assert_int_eq(with->odd, 3);
  for (int p = 0; p < 3; p++) {
    ck_assert_double_eq(with->energy.value[p], without->energy.value[p]);
    ck_assert_double_eq(with->energy.error[p], without->energy.error[p]);
  }
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  print_table(without, &a->request, 1, file);
  fflush(file);
  ck_assert_ptr_null(strstr(text, "left out"));
  print_table(with, &a->request, 1, file);
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_ptr_nonnull(strstr(text, "# left out: 3 energies"));
  free(text);
  mbar_estimates_free(without);
  mbar_estimates_free(with);
  ladders_free(a);
}

/* The table says what the estimates are, in the numbers of any table. */
TEST(tables_hold_the_numbers)
{
  enum { POINTS = 36, MOLECULES = 2 };
  const Run run = {transition, 6, 6, 200, 0.85, 1.2, 0.0, 1.0, 1};
  Ladder *a = run_ladders(&run, POINTS);
  MbarEstimates *e = estimate(&a->request);
  char path[] = "/tmp/test_mbar_XXXXXX";
  const int fd = mkstemp(path);
  FILE *file = fdopen(fd, "w");
  print_table(e, &a->request, MOLECULES, file);
  ck_assert_int_eq(fclose(file), 0);
  ResultTable *table;
  ck_assert_int_eq(results_csv_load(&table, path, NULL), STATUS_OK);
  ck_assert_int_eq(remove(path), 0);
  ck_assert_int_eq((int)table->nrow, POINTS);
  const int heat = tables_find(table, "heat"), each = tables_find(table, "heat_per_molecule_k");
  ck_assert_int_ge(heat, 0);
  ck_assert_int_ge(each, 0);
  for (int p = 0; p < POINTS; p++) {
    const double whole = tables_at(table, (size_t)p, heat);
    ck_assert_double_eq_tol(whole, e->heat.value[p], 1e-6 * whole);
    ck_assert_double_eq_tol(tables_at(table, (size_t)p, each), whole / MOLECULES, 1e-6 * whole); /* k = 1 */
  }
  results_free_table(table);
  mbar_estimates_free(e);
  ladders_free(a);
}
