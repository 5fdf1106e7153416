/* Start configurations: the lowest minima of small clusters whatever the seed, minima of large ones, the same
 * bits for any number of threads, molecules from files made rigid; what cannot be a molecule is refused. */
#include "forcefields/pair.h"
#include "integrators/quench.h"
#include "io/structure.h"
#include "io/trajectory.h"
#include "simulation/molecules/starts.h"
#include "simulation/start/cluster.h"
#include "tests/files.h"
#include "tests/norms.h"
#include "tests/pair_reference.h"
#include "tests/scenes_random.h"
#include "tests/scenes_waters.h"
#include "tests/shorter.h"

enum { SEVEN = 63, HUNDRED = 900 };

static ClusterOptions options_of(const WaterModel *model, int nmol, bool anneal, uint64_t seed, int threads)
{
  return (ClusterOptions){.of = scenes_waters(model, nmol, seed, threads, isa_best()),
                          .name = model->name,
                          .spacing = 3.1,
                          .anneal = anneal,
                          .minimise = true};
}

static ClusterOptions options(int nmol, bool anneal, uint64_t seed, int threads)
{
  return options_of(water_find("tip3p"), nmol, anneal, seed, threads);
}

static ClusterReport build(const ClusterOptions *o, double *x)
{
  ClusterReport report;
  Error error = {0};
  ck_assert_msg(cluster_build(o, x, &report, &error) == STATUS_OK, "%s", error.text);
  return report;
}

/* Rigid to 1e-10 A, centre of mass at the origin. */
static void check_molecules(const ClusterOptions *o, const double *x)
{
  const double d_oh = scenes_waters_model(&o->of)->d_oh, d_hh = water_d_hh(scenes_waters_model(&o->of));
  double centre[3] = {0};
  for (int m = 0; m < o->of.on.topology->nmol; m++) {
    const double *s = x + 9 * m;
    ck_assert_double_eq_tol(distance(3, s, s + 3), d_oh, 1e-10);
    ck_assert_double_eq_tol(distance(3, s, s + 6), d_oh, 1e-10);
    ck_assert_double_eq_tol(distance(3, s + 3, s + 6), d_hh, 1e-10);
    for (int i = 0; i < 9; i++)
      centre[i % 3] += scenes_waters_kind(&o->of)->mass[i / 3] * s[i] /
                       (kind_mass(scenes_waters_kind(&o->of)) * o->of.on.topology->nmol);
  }
  for (int d = 0; d < 3; d++)
    ck_assert_double_eq_tol(centre[d], 0.0, 1e-10);
}

/* The largest force or torque on a molecule as a whole, by the plain reference: zero at a rigid minimum. */
static double largest_push(const ClusterOptions *o, const double *x, double *energy)
{
  double *f = malloc(9 * (size_t)o->of.on.topology->nmol * sizeof *f), terms[PAIR_TERMS], most = 0.0;
  ck_assert_ptr_nonnull(f);
  pair_reference(scenes_waters_model(&o->of), o->of.on.topology->nmol, x, f, terms);
  *energy = terms[PAIR_COULOMB] + terms[PAIR_LJ];
  for (int m = 0; m < o->of.on.topology->nmol; m++)
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

/* A minimum to the last digits, by the plain reference. */
static double check_minimum(const ClusterOptions *o, const double *x, const ClusterReport *report)
{
  double energy;
  check_molecules(o, x);
  ck_assert_int_eq(report->converged, 1);
  ck_assert_double_lt(report->force, 1e-6);
  ck_assert_double_lt(largest_push(o, x, &energy), 1e-6);
  ck_assert_double_eq_tol(report->energy, energy, 1e-9 * o->of.on.topology->nmol);
  return energy;
}

/* kcal/mol: TIP4P of Wales & Hodges, Chem. Phys. Lett. 286, 65 (1998), where docs/minima.md says so, all
 * others of long searches by holonom minima. */
static const struct {
  const char *model;
  int nmol;
  double energy;
} known[] = {{"tip4p", 2, -6.2351},    {"tip3p", 3, -17.4402},  {"tip4p", 4, -27.8658},
             {"tip3p", 5, -38.7540},   {"tip4p", 6, -47.2708},  {"tip3p", 7, -57.9187},
             {"tip3p", 8, -70.6508},   {"tip3p", 9, -81.6299},  {"tip4p", 10, -93.4568},
             {"tip4p", 11, -103.1285}, {"tip4p", 12, -117.8081}};
enum { KNOWN = sizeof known / sizeof *known };

/* Whatever the run's length. What another set of instructions changes shows in small clusters as in large
 * ones.
 */
TEST(small_clusters_begin_at_the_lowest_minimum, .rows = suite_rows(3, KNOWN))
{
  const int most = SHORT ? 4 : shorter_few() ? 6 : 12;
  ClusterOptions o = options_of(water_find(known[_i].model), known[_i].nmol, true, 1, 2);
  double x[9 * 12];
  if (o.of.on.topology->nmol > most)
    return;
  o.work = 1.0;
  const ClusterReport report = build(&o, x);
  ck_assert_double_eq_tol(check_minimum(&o, x, &report), known[_i].energy, 6e-5);
  ck_assert_int_ge(report.same, 6);
  ck_assert_int_ge(report.replicas, report.same);
}

static int models(void)
{
  int n = 0;
  while (water_models[n].name != NULL)
    n++;
  return n;
}

TEST(seeds_find_one_minimum_of_every_model, .rows = suite_rows(2, models()))
{
  const int nmol = shorter_few() ? 2 : 3 + _i % 3;
  double energy[2], x[2][9 * 5];
  for (int i = 0; i < 2; i++) {
    const ClusterOptions o = options_of(&water_models[_i], nmol, true, 1 + (uint64_t)i, 2);
    const ClusterReport report = build(&o, x[i]);
    energy[i] = check_minimum(&o, x[i], &report);
  }
  ck_assert_msg(fabs(energy[1] - energy[0]) < 1e-8, "%d %s: %.6f, %.6f", nmol, water_models[_i].name,
                energy[0], energy[1]);
  ck_assert_mem_ne(x[0], x[1], 9 * (size_t)nmol * sizeof x[0][0]);
}

TEST(threads_change_no_bit, .threads = true)
{
  double x[2][9 * 5];
  for (int i = 0; i < 2; i++) {
    const ClusterOptions o = options(SHORT ? 3 : 5, true, 1, 1 + i);
    (void)build(&o, x[i]);
  }
  ck_assert_mem_eq(x[0], x[1], 9 * (size_t)(SHORT ? 3 : 5) * sizeof x[0][0]);
}

/* Waters of TIP3P written to a file and taken from it as the start of a run. */
static Status adopt(int nmol, const char *system, const char *more, double *x, Start *start, Error *error)
{
  const ClusterOptions o = options(nmol, false, 1, 1);
  Topology *topology;
  Frame frame = {0};
  Simulation *s;
  char path[256], text[1024];
  const Kind *const water = scenes_waters_kind(&o.of);
  ck_assert_int_eq(topology_of_kinds(&topology, 1, &water, &nmol, NULL), STATUS_OK);
  ck_assert_int_eq(structure_shape(topology, &(Box){0}, &frame, NULL), STATUS_OK);
  structure_fill(topology, NULL, x, x, &frame);
  snprintf(path, sizeof path, "%s", files_path("taken.xyz"));
  const TrajectoryOptions exact = {.replace = true, .exact = true};
  ck_assert_int_eq(trajectory_write_one(path, NULL, &exact, &frame, NULL), STATUS_OK);
  snprintf(text, sizeof text,
           "system: {model: tip3p, start: file, file: %s, %s}\n%s"
           "integrator: {word: BAB, timestep: 1 fs, steps: 1}\nensemble: {threads: 1}\n",
           path, system, more);
  Status status = simulation_parse(&s, "taken.yaml", text, NULL, 0, error);
  *start = (Start){0};
  if (status == STATUS_OK)
    status = start_make(s, &(SimulationStart){0}, start, error);
  if (status == STATUS_OK)
    memcpy(x, start->x, 9 * (size_t)nmol * sizeof *x);
  simulation_free(s);
  frame_free(&frame);
  topology_free(topology);
  return status;
}

static const char rigid[] = "geometry: {method: settle}\nthermostat: {type: none, initial: zero}\n";

static Start adopted(const char *system, double *x)
{
  Start start;
  Error error = {0};
  ck_assert_msg(adopt(7, system, rigid, x, &start, &error) == STATUS_OK, "%s", error.text);
  start_free(&(Start){.x = start.x, .p = start.p});
  return start;
}

/* A minimum, not a saddle: any small move along the manifold and down leads back to the same energy. */
TEST(a_shaken_minimum_comes_back)
{
  const ClusterOptions o = options(7, true, 1, 2);
  double x[SEVEN], energy, back;
  (void)build(&o, x);
  (void)largest_push(&o, x, &energy);
  srand48(3);
  for (int i = 0; i < SEVEN; i++)
    x[i] += 0.02 * (2.0 * drand48() - 1.0);
  const Start start = adopted("centre: true, minimise: true", x);
  check_molecules(&o, x);
  (void)largest_push(&o, x, &back);
  ck_assert_double_eq_tol(back, energy, 1e-8);
  ck_assert_double_eq_tol(start.down.energy, energy, 1e-8);
  ck_assert(start.down.converged && start.down.force < 1e-6);
  ck_assert_double_lt(start.moved, 0.1);
}

TEST(one_hundred_molecules, .threads = true)
{
  double x[HUNDRED], energy[2];
  for (int i = 0; i < (shorter_few() ? 1 : 2); i++) {
    ClusterOptions o = options(100, i == 1, 1, 2);
    o.work = 1.0;
    const ClusterReport report = build(&o, x);
    energy[i] = check_minimum(&o, x, &report);
    ck_assert_double_lt(energy[i], -1050.0);
  }
  ck_assert(shorter_few() || energy[1] < energy[0] - 5.0); /* annealed, and from the bare lattice */
}

/* One molecule has no forces; two find the dimer of the literature. */
TEST(few_molecules)
{
  double x[18];
  const ClusterOptions one = options(1, true, 1, 1), two = options(2, false, 1, 1);
  ClusterReport report = build(&one, x);
  check_molecules(&one, x);
  ck_assert_double_eq(report.energy, 0.0);
  report = build(&two, x);
  ck_assert_double_eq_tol(report.energy, -6.540, 0.002);
}

/* Without minimising only the shape is put right; rigid molecules stay where they are. */
TEST(adopting_makes_rigid)
{
  static const char as_it_is[] = "centre: true, minimise: false";
  const ClusterOptions o = options(7, false, 1, 1);
  double x[SEVEN], y[SEVEN], z[SEVEN], largest;
  for (int strained = 0; strained < 2; strained++) {
    scenes_random(scenes_waters_kind(&o.of), 7, 4, strained ? 0.05 : 0.0, x);
    memcpy(y, x, sizeof x);
    largest = adopted(as_it_is, y).moved;
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
  ck_assert_double_lt(adopted(as_it_is, z).moved, 1e-12);
}

/* Unless asked, nothing is moved as a whole, and bonds under penalties stay as they are. */
TEST(adopting_leaves_things_where_they_are)
{
  const ClusterOptions o = options(7, false, 1, 1);
  double x[SEVEN], y[SEVEN];
  Start start;
  Error error = {0};
  scenes_random(scenes_waters_kind(&o.of), 7, 4, 0.05, x);
  for (int i = 0; i < SEVEN; i++)
    x[i] += 5.0;
  memcpy(y, x, sizeof x);
  const double off = adopted("minimise: false", y).moved;
  for (int m = 0; m < 7; m++)
    ck_assert_mem_eq(x + 9 * m, y + 9 * m, 3 * sizeof *x);
  memcpy(y, x, sizeof x);
  ck_assert_msg(adopt(7, "minimise: false",
                      "geometry: {method: penalty, w: 20}\nthermostat: {type: none, initial: file}\n", y,
                      &start, &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_mem_eq(x, y, sizeof x);
  ck_assert_double_eq(start.moved, off);
  for (int i = 0; i < SEVEN; i++) /* velocities were the positions */
    ck_assert_double_eq_tol(start.p[i] / scenes_waters_kind(&o.of)->mass[i / 3 % 3], x[i], 1e-9 * fabs(x[i]));
  start_free(&start);
}

TEST(what_has_no_plane_is_refused)
{
  const ClusterOptions o = options(7, false, 1, 1);
  for (int way = 0; way < 3; way++) {
    double x[SEVEN];
    Start start;
    Error error = {0};
    scenes_random(scenes_waters_kind(&o.of), 7, 4, 0.0, x);
    double *s = x + 9 * 4;
    for (int d = 0; d < 3; d++) {
      if (way == 0) /* straight */
        s[6 + d] = 2.0 * s[d] - s[3 + d];
      else if (way == 1) /* hydrogens alike */
        s[6 + d] = s[3 + d];
      else /* a hydrogen on the oxygen */
        s[3 + d] = s[d];
    }
    ck_assert_int_eq(adopt(7, "minimise: true", rigid, x, &start, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.text, way < 2 ? "molecule 5" : "taken.xyz") != NULL, "%s", error.text);
  }
}

/* Molecules on top of each other, or nearly so, are named; minimised, they come apart, wherever they are. */
TEST(overlapping_molecules_come_apart)
{
  const ClusterOptions o = options(7, false, 1, 1);
  for (int m = 1; m < 7; m += 5)
    for (int apart = 0; apart < 2; apart++) {
      double x[SEVEN], y[SEVEN], energy;
      Start start;
      Error error = {0};
      scenes_random(scenes_waters_kind(&o.of), 7, 4, 0.0, x);
      for (int k = 0; k < 9; k++)
        x[9 * m + k] = x[k] + (k % 3 == 0 ? 0.3 * apart : 0.0);
      memcpy(y, x, sizeof y);
      ck_assert_int_eq(adopt(7, "minimise: false", rigid, y, &start, &error), STATUS_INPUT);
      char says[64];
      snprintf(says, sizeof says, "molecules 1 and %d overlap", m + 1);
      ck_assert_ptr_nonnull(strstr(error.text, says));
      start = adopted("centre: true, minimise: true", x);
      ck_assert_msg(start.down.converged, "%d: %d steps, %g kcal/mol/A left", apart, start.down.steps,
                    start.down.force);
      check_molecules(&o, x);
      ck_assert_double_lt(largest_push(&o, x, &energy), 1e-6);
    }
}

/* What a start may cost follows the length of the run, between what is always there and what is ever of use.
 */
TEST(effort_follows_the_run, .rows = 2)
{
  const int nmol = _i == 0 ? CLUSTER_HOPPED : CLUSTER_HOPPED + 1;
  ClusterOptions o = options(nmol, true, 1, 1);
  double last = 0.0;
  for (int k = 0; k < 8; k++) {
    o.work = pow(10.0, 3 + k);
    const ClusterEffort effort = cluster_effort(&o);
    ck_assert_int_eq((int)effort.way, (int)(_i == 0 ? CLUSTER_HOPPING : CLUSTER_ANNEALING));
    const double pairs = 0.5 * nmol * (nmol - 1) *
                         (_i == 0 ? (double)effort.evaluations : 30.0 * effort.replicas * effort.steps);
    ck_assert(_i == 0 || (effort.replicas >= 8 && effort.replicas % 8 == 0 && effort.steps >= 10));
    ck_assert_double_ge(pairs, last);
    ck_assert_double_le(pairs, fmax(10.0 * o.work, 4.1e7));
    last = pairs;
  }
  const ClusterEffort longest = cluster_effort(&o);
  o.work = 0.0;
  const ClusterEffort most = cluster_effort(&o);
  ck_assert(most.steps == longest.steps && most.evaluations == longest.evaluations);
  o.anneal = false;
  ck_assert_int_eq((int)cluster_effort(&o).way, (int)CLUSTER_LATTICE);
}

/* Where the lowest minimum is sure to be found, and where it is asked for, the run's length does not matter.
 */
TEST(small_clusters_are_searched_in_full)
{
  for (int nmol = 1; nmol <= CLUSTER_HOPPED; nmol++) {
    ClusterOptions o = options(nmol, true, 1, 1);
    o.work = 1.0;
    ck_assert(nmol == 1 ? cluster_effort(&o).way == CLUSTER_LATTICE
                        : cluster_effort(&o).way == CLUSTER_HOPPING);
    ck_assert((cluster_effort(&o).evaluations == 0) == (nmol <= CLUSTER_SURE));
    o.anneal = false;
    o.thorough = true;
    ck_assert(nmol == 1 || cluster_effort(&o).way == CLUSTER_HOPPING);
    ck_assert_int_eq(cluster_effort(&o).evaluations, 0);
  }
}

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

/* Progress is told of the search and of minimising, and a signal ends either at once. */
TEST(a_start_is_watched_and_stopped)
{
  static const struct {
    int nmol;
    const char *stop_at;
    int64_t least, most; /* times shown */
  } row[] = {{CLUSTER_HOPPED + 1, NULL, 30, INT64_MAX},
             {CLUSTER_HOPPED + 1, "annealing", 1, 1}, /* not a stage more of any batch */
             {CLUSTER_HOPPED + 1, "minimising", 30, INT64_MAX},
             {5, NULL, 5, INT64_MAX},
             {7, "basin hopping", 1, 1}};
  for (size_t i = SHORT ? 1 : 0; i < sizeof row / sizeof *row;
       i++) { /* the third goes nearly as far as the first */
    Watcher w = {.stop_at = row[i].stop_at};
    ClusterOptions o = options(row[i].nmol, true, 1, 1);
    double x[9 * (CLUSTER_HOPPED + 1)];
    ClusterReport report;
    Error error = {0};
    o.work = 1.0;
    o.of.show = watch;
    o.of.watcher = &w;
    o.of.stop = &w.stop;
    ck_assert_int_eq(cluster_build(&o, x, &report, &error), row[i].stop_at == NULL ? STATUS_OK : STATUS_RUN);
    ck_assert_msg(w.shown >= row[i].least && w.shown <= row[i].most, "row %zu: shown %lld times", i,
                  (long long)w.shown);
    if (row[i].stop_at != NULL)
      ck_assert_ptr_nonnull(strstr(error.text, "interrupted"));
  }
}

/* On its way downhill, too. */
TEST(a_box_is_stopped)
{
  Simulation *s;
  Start start;
  Error error = {0};
  Flag stop = {0};
  ck_assert_int_eq(simulation_parse(&s, "box.yaml",
                                    "system: {model: tip3p, molecules: 216, density: 0.98 g/cm3}\n"
                                    "geometry: {method: settle}\n"
                                    "integrator: {word: BAB, timestep: 1 fs, steps: 1}\n"
                                    "thermostat: {type: none, initial: zero}\nensemble: {threads: 1}\n",
                                    NULL, 0, &error),
                   STATUS_OK);
  const SimulationStart how = {.stop = &stop};
  flag_raise(&stop, 1);
  ck_assert_int_eq(start_make(s, &how, &start, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "interrupted while the start was being built") != NULL, "%s", error.text);
  ck_assert_ptr_null(start.x);
  simulation_free(s);
}

int main(void) { return files_main("start"); }
