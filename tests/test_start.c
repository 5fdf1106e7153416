/* Start configurations: minima of the rigid cluster, the same bits for any number of threads, molecules
 * from files made rigid; what cannot be a molecule is refused. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forcefields/pair.h"
#include "integrators/quench.h"
#include "simulation/start.h"
#include "tests/norms.h"
#include "tests/pair_reference.h"
#include "tests/scenes_random.h"
#include "tests/shorter.h"
#include "tests/suite.h"

enum { SEVEN = 63, HUNDRED = 900 };

static Kind *kind;
static double annealed[SEVEN]; /* by the first test */
static StartReport annealed_report;

static StartOptions options(int nmol, bool anneal, uint64_t seed, int threads)
{
  const WaterModel *model = water_find("tip3p");
  if (kind == NULL)
    ck_assert_int_eq(water_kind(model, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  return (StartOptions){.model = model,
                        .kind = kind,
                        .nmol = nmol,
                        .spacing = 3.1,
                        .anneal = anneal,
                        .minimise = true,
                        .centre = true,
                        .seed = seed,
                        .threads = threads,
                        .isa = isa_best()};
}

static StartReport build(const StartOptions *o, double *x)
{
  StartReport report;
  Error error = {0};
  ck_assert_msg(start_build(o, x, &report, &error) == STATUS_OK, "%s", error.text);
  return report;
}

/* Rigid to 1e-10 A, centre of mass at the origin. */
static void check_molecules(const StartOptions *o, const double *x)
{
  const double d_oh = o->model->d_oh, d_hh = water_d_hh(o->model);
  double centre[3] = {0};
  for (int m = 0; m < o->nmol; m++) {
    const double *s = x + 9 * m;
    ck_assert_double_eq_tol(distance(3, s, s + 3), d_oh, 1e-10);
    ck_assert_double_eq_tol(distance(3, s, s + 6), d_oh, 1e-10);
    ck_assert_double_eq_tol(distance(3, s + 3, s + 6), d_hh, 1e-10);
    for (int i = 0; i < 9; i++)
      centre[i % 3] += o->kind->mass[i / 3] * s[i] / (kind_mass(o->kind) * o->nmol);
  }
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(centre[d], 0.0, 1e-10);
}

/* The largest force or torque on a molecule as a whole, by the plain reference: zero at a rigid minimum. */
static double largest_push(const StartOptions *o, const double *x, double *energy)
{
  double *f = malloc(9 * (size_t)o->nmol * sizeof *f), terms[PAIR_TERMS], most = 0.0;
  ck_assert_ptr_nonnull(f);
  pair_reference(o->model, o->nmol, x, f, terms);
  *energy = terms[PAIR_COULOMB] + terms[PAIR_LJ];
  for (int m = 0; m < o->nmol; m++)
    for (int d = 0; d < 3; d++) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      double force = 0.0, torque = 0.0;
      for (int s = 0; s < 3; s++) {
        const double *r = x + 9 * m + 3 * s, *g = f + 9 * m + 3 * s;
        force += g[d];
        torque += (r[a] - x[9 * m + a]) * g[b] - (r[b] - x[9 * m + b]) * g[a];
      }
      most = fmax(most, fmax(fabs(force), fabs(torque)));
    }
  free(f);
  return most;
}

/* Annealing is a million steps: where tests are short a smaller drop does. */
static StartOptions annealing(int threads) { return options(SHORT ? 3 : 7, true, 1, threads); }

static void find_annealed(void)
{
  const StartOptions o = annealing(2);
  if (annealed_report.replicas == 0)
    annealed_report = build(&o, annealed);
}

/* The lowest minimum of seven TIP3P molecules lies at -57.92 kcal/mol; from the bare lattice one comes to
 * -53 to -55. */
START_TEST(seven_anneal_to_a_low_minimum)
{
  find_annealed();
  const StartOptions o = annealing(2);
  const double *x = annealed;
  const StartReport report = annealed_report;
  double energy;
  check_molecules(&o, x);
  ck_assert_int_eq(report.converged, 1);
  ck_assert_double_lt(report.force, 1e-6);
  ck_assert_double_lt(largest_push(&o, x, &energy), 1e-6);
  ck_assert_double_eq_tol(report.energy, energy, 1e-9);
  ck_assert_msg(report.energy <= (SHORT ? -16.0 : -57.9), "the lowest of %d replicas is at %.4f kcal/mol",
                report.replicas, report.energy);
  ck_assert_int_gt(report.same, 0);
}
END_TEST

START_TEST(threads_change_no_bit_seeds_do)
{
  find_annealed();
  const StartOptions alone = annealing(1);
  double one[SEVEN] = {0}, other[SEVEN];
  (void)build(&alone, one);
  ck_assert_mem_eq(one, annealed, sizeof one);
  for (uint64_t seed = 1; seed < 3; seed++) {
    const StartOptions o = options(7, false, seed, 1);
    (void)build(&o, seed == 1 ? one : other);
  }
  ck_assert_mem_ne(one, other, sizeof one);
}
END_TEST

/* A minimum, not a saddle: any small move along the manifold and down leads back to the same energy. */
START_TEST(a_shaken_minimum_comes_back)
{
  find_annealed();
  const StartOptions o = annealing(1);
  double x[SEVEN], energy, back, largest;
  memcpy(x, annealed, sizeof x);
  (void)largest_push(&o, x, &energy);
  srand48(3);
  for (int i = 0; i < SEVEN; i++)
    x[i] += 0.02 * (2.0 * drand48() - 1.0);
  StartReport report;
  ck_assert_int_eq(start_adopt(&o, x, &largest, &report, NULL), STATUS_OK);
  check_molecules(&o, x);
  (void)largest_push(&o, x, &back);
  ck_assert_double_eq_tol(back, energy, 1e-8);
  ck_assert_double_lt(largest, 0.1);
}
END_TEST

START_TEST(one_hundred_molecules)
{
  const StartOptions o = options(100, _i == 1, 1, 2);
  double x[HUNDRED], energy;
  const StartReport report = build(&o, x);
  check_molecules(&o, x);
  ck_assert_int_eq(report.converged, 1);
  ck_assert_double_lt(report.force, 1e-6);
  (void)largest_push(&o, x, &energy);
  ck_assert_double_eq_tol(report.energy, energy, 1e-7);
  /* Bare lattices come to -1073 to -1086 kcal/mol, annealed ones to -1106 to -1113. */
  ck_assert_double_lt(report.energy, _i == 1 ? -1100.0 : -1050.0);
}
END_TEST

/* One molecule has no forces; two find the dimer of the literature. */
START_TEST(few_molecules)
{
  double x[18];
  const StartOptions one = options(1, true, 1, 1), two = options(2, false, 1, 1);
  StartReport report = build(&one, x);
  check_molecules(&one, x);
  ck_assert_double_eq(report.energy, 0.0);
  report = build(&two, x);
  ck_assert_double_eq_tol(report.energy, -6.540, 0.002);
}
END_TEST

/* Without minimising only the shape is put right; rigid molecules stay where they are. */
START_TEST(adopting_makes_rigid)
{
  StartOptions o = options(7, false, 1, 1);
  o.minimise = false;
  double x[SEVEN], y[SEVEN], z[SEVEN], largest;
  StartReport report;
  for (int strained = 0; strained < 2; strained++) {
    scenes_random(o.kind, 7, 4, strained ? 0.05 : 0.0, x);
    memcpy(y, x, sizeof x);
    ck_assert_int_eq(start_adopt(&o, y, &largest, &report, NULL), STATUS_OK);
    check_molecules(&o, y);
    if (strained)
      ck_assert(largest > 1e-3 && largest < 0.2);
    else
      ck_assert_double_lt(largest, 1e-12);
    /* Up to the shift of the centre of mass no site moves further than said, and no oxygen at all. */
    for (int d = 0; d < 3; d++) {
      const double shift = y[d] - x[d];
      for (int i = d; i < SEVEN; i += 3) {
        const double moved = fabs(y[i] - x[i] - shift);
        ck_assert_double_lt(moved, i / 3 % 3 == 0 ? 1e-12 : largest + 1e-12);
      }
    }
  }
  memcpy(z, y, sizeof y);
  ck_assert_int_eq(start_adopt(&o, z, &largest, &report, NULL), STATUS_OK);
  ck_assert_double_lt(largest, 1e-12);
}
END_TEST

/* Unless asked, nothing is moved as a whole, and bonds under penalties stay as they are. */
START_TEST(adopting_leaves_things_where_they_are)
{
  StartOptions o = options(7, false, 1, 1);
  o.minimise = o.centre = false;
  double x[SEVEN], y[SEVEN], largest;
  StartReport report;
  scenes_random(o.kind, 7, 4, 0.05, x);
  for (int i = 0; i < SEVEN; i++)
    x[i] += 5.0;
  memcpy(y, x, sizeof x);
  ck_assert_int_eq(start_adopt(&o, y, &largest, &report, NULL), STATUS_OK);
  for (int m = 0; m < 7; m++)
    ck_assert_mem_eq(x + 9 * m, y + 9 * m, 3 * sizeof *x);
  const double off = largest;
  o.as_it_is = true;
  memcpy(y, x, sizeof x);
  ck_assert_int_eq(start_adopt(&o, y, &largest, &report, NULL), STATUS_OK);
  ck_assert_mem_eq(x, y, sizeof x);
  ck_assert_double_eq(largest, off);
}
END_TEST

START_TEST(what_has_no_plane_is_refused)
{
  const StartOptions o = options(7, false, 1, 1);
  for (int way = 0; way < 4; way++) {
    double x[SEVEN], largest;
    StartReport report;
    Error error = {0};
    scenes_random(o.kind, 7, 4, 0.0, x);
    double *s = x + 9 * 4;
    for (int d = 0; d < 3; d++) {
      if (way == 0) /* straight */
        s[6 + d] = 2.0 * s[d] - s[3 + d];
      else if (way == 1) /* hydrogens alike */
        s[6 + d] = s[3 + d];
      else if (way == 2) /* a hydrogen on the oxygen */
        s[3 + d] = s[d];
      else
        s[3 + d] = NAN;
    }
    ck_assert_int_eq(start_adopt(&o, x, &largest, &report, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "molecule 5"));
  }
}
END_TEST

/* Two molecules on top of each other, or nearly so and not to be minimised, are named, wherever they are. */
START_TEST(overlapping_molecules_are_reported)
{
  const StartOptions o = options(7, false, 1, 1);
  for (int m = 1; m < 7; m += 5) {
    double x[SEVEN], largest;
    StartReport report;
    Error error = {0};
    scenes_random(o.kind, 7, 4, 0.0, x);
    memcpy(x + 9 * m, x, 9 * sizeof *x);
    char says[64];
    snprintf(says, sizeof says, "molecules 1 and %d overlap: O and O are 0 A apart", m + 1);
    ck_assert_int_eq(start_adopt(&o, x, &largest, &report, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    for (int k = 0; k < 9; k++)
      x[9 * m + k] = x[k] + (k % 3 == 0 ? 0.3 : 0.0);
    StartOptions still = o;
    still.minimise = false;
    ck_assert_int_eq(start_adopt(&still, x, &largest, &report, &error), STATUS_INPUT);
    snprintf(says, sizeof says, "molecules 1 and %d overlap", m + 1);
    ck_assert_ptr_nonnull(strstr(error.text, says));
  }
}
END_TEST

/* Annealing follows the length of the run between what seven waters take and what is ever of use. */
START_TEST(effort_follows_the_run)
{
  StartOptions o = options(60, true, 1, 1);
  double last = 0.0;
  for (int k = 0; k < 8; k++) {
    o.work = pow(10.0, 3 + k);
    const StartEffort effort = start_effort(&o);
    const double pairs = 0.5 * 60 * 59 * 30.0 * effort.replicas * effort.steps;
    ck_assert(effort.replicas >= 8 && effort.replicas % 8 == 0 && effort.steps >= 10);
    ck_assert_double_ge(pairs, last);
    ck_assert_double_le(pairs, fmax(10.0 * o.work, 4.1e7));
    last = pairs;
  }
  o.work = 0.0;
  const StartEffort most = start_effort(&o);
  o.work = 1e12;
  ck_assert_int_eq(start_effort(&o).steps, most.steps);
  o.nmol = 7; /* seconds at most: always in full */
  o.work = 1.0;
  ck_assert(start_effort(&o).replicas == 64 && start_effort(&o).steps == 1000);
  o.anneal = false;
  ck_assert_int_eq(start_effort(&o).replicas, 0);
}
END_TEST

/* Who watches, and stops it at some point. */
typedef struct Watcher {
  int64_t done, shown;
  Flag stop;
  const char *stop_at;
} Watcher;

static void watch(void *watcher, const char *what, int64_t done, int64_t total, const char *words)
{
  Watcher *w = watcher;
  ck_assert(done >= 0 && done <= total && words[0] != '\0');
  w->done = done;
  w->shown++;
  if (w->stop_at != NULL && strstr(what, w->stop_at) != NULL)
    flag_raise(&w->stop, 1);
}

/* Progress is told of annealing and of minimising, and a signal ends either at once. */
START_TEST(a_start_is_watched_and_stopped)
{
  static const char *const at[] = {NULL, "annealing", "minimising"};
  for (int i = 0; i < 3; i++) {
    Watcher w = {.stop_at = at[i]};
    StartOptions o = options(12, true, 1, 1);
    double x[9 * 12];
    StartReport report;
    Error error = {0};
    o.work = 1.0;
    o.show = watch;
    o.watcher = &w;
    o.stop = &w.stop;
    const Status status = start_build(&o, x, &report, &error);
    ck_assert_int_eq(status, at[i] == NULL ? STATUS_OK : STATUS_RUN);
    ck_assert_int_gt(w.shown, i == 1 ? 0 : 30);
    if (i == 1)
      ck_assert_int_eq(w.shown, 1); /* not a stage more of any gang */
    if (i > 0)
      ck_assert_ptr_nonnull(strstr(error.text, "interrupted"));
  }
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("start");
  tcase_set_timeout(tc, 500);
  tcase_add_test(tc, seven_anneal_to_a_low_minimum);
  tcase_add_test(tc, a_shaken_minimum_comes_back);
  tcase_add_test(tc, few_molecules);
  tcase_add_test(tc, adopting_makes_rigid);
  tcase_add_test(tc, adopting_leaves_things_where_they_are);
  tcase_add_test(tc, what_has_no_plane_is_refused);
  tcase_add_test(tc, effort_follows_the_run);
  tcase_add_test(tc, a_start_is_watched_and_stopped);
  tcase_add_test(tc, overlapping_molecules_are_reported);
  TCase *threads = tcase_create("threads");
  tcase_set_timeout(threads, 500);
  tcase_add_test(threads, threads_change_no_bit_seeds_do);
  tcase_add_loop_test(threads, one_hundred_molecules, 0, SHORT ? 1 : 2);
  const int failed = suite_main("start", tc, threads);
  kind_free(kind);
  return failed;
}
