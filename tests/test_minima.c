/* The lowest minima of clusters: against the literature, for any number of threads, and as the program prints
 * them. */
#include "engine/random.h"
#include "observables/statistics.h"
#include "simulation/molecules/starts.h"
#include "simulation/start/minima.h"
#include "tests/program.h"
#include "tests/scenes_waters.h"

static MinimaOptions options_of(const char *model, int nmol, int64_t steps, int threads)
{
  return (MinimaOptions){.of = scenes_waters(water_find(model), nmol, 1, threads, isa_best()),
                         .steps = steps,
                         .walkers = 16,
                         .cold = 150.0,
                         .hot = 600.0,
                         .keep = 5};
}

static Isomers *found_by(const MinimaOptions *options, MinimaReport *report)
{
  Isomers *isomers;
  Error error = {0};
  ck_assert_msg(minima_search(options, &isomers, report, &error) == STATUS_OK, "%s", error.text);
  ck_assert_double_le(report->force, 1e-7);
  return isomers;
}

static MinimaReport report_of(const MinimaOptions *options)
{
  MinimaReport report;
  isomers_free(found_by(options, &report));
  return report;
}

static Isomers *search(const char *model, int nmol, int64_t steps, int threads)
{
  const MinimaOptions options = options_of(model, nmol, steps, threads);
  MinimaReport report;
  return found_by(&options, &report);
}

/* Wales & Hodges, Chem. Phys. Lett. 286, 65 (1998), kJ/mol. */
static const struct {
  const char *model;
  int nmol;
  double energy, digits;
} known[] = {{"tip4p", 2, -26.08757, 5e-4},
             {"tip3p", 2, -27.3631, 1e-3},
             {"tip4p", 6, -197.78, 0.0051},
             {"tip4p", 8, -305.52, 0.0051}};
enum { KNOWN = sizeof known / sizeof *known };

TEST(minima_are_those_of_the_literature, .rows = suite_rows(3, KNOWN))
{
  Isomers *isomers = search(known[_i].model, known[_i].nmol, 250, 2);
  ck_assert_double_eq_tol(4.184 * isomers_at(isomers, 0).energy, known[_i].energy, known[_i].digits);
  isomers_free(isomers);
}

/* Whether all trials are done, or independent searches agree, or the forces that were granted are spent. */
TEST(searches_end_early, .threads = true)
{
  MinimaReport full, sure[2], short_of[2];
  for (int i = 0; i < 2; i++) {
    MinimaOptions o = options_of("tip3p", 3, 400, 1 + i);
    full = report_of(&o);
    ck_assert(full.quenches >= 16 * 400 && full.searches >= 16 && full.agree > 0);
    o.until_sure = true;
    sure[i] = report_of(&o);
    ck_assert(sure[i].quenches < full.quenches && sure[i].agree >= 6 && sure[i].searches >= 32);
    ck_assert_int_le(sure[i].agree, sure[i].searches);
    o.until_sure = false;
    o.evaluations = full.evaluations / 3;
    short_of[i] = report_of(&o);
    ck_assert_int_ge(short_of[i].evaluations, o.evaluations);
    ck_assert_int_lt(short_of[i].evaluations, full.evaluations / 2);
    o.until_sure = true;
    o.evaluations = full.evaluations;
    o.steps = 1; /* what is done ends it, too */
    ck_assert_int_eq(report_of(&o).quenches, 16);
  }
  ck_assert_int_eq(sure[0].evaluations, sure[1].evaluations);
  ck_assert_int_eq(sure[0].agree, sure[1].agree);
  ck_assert_int_eq(short_of[0].evaluations, short_of[1].evaluations);
}

/* Of the minima that walkers of one temperature come to, how far they lie above the lowest in the mean. */
static double mean_height(double kelvin, uint64_t seed)
{
  MinimaOptions options = options_of("tip3p", 6, 60, 2);
  options.cold = options.hot = kelvin;
  options.walkers = 8;
  options.keep = 1000;
  options.of.seed = seed;
  MinimaReport report;
  Isomers *isomers = found_by(&options, &report);
  double sum = 0.0, visits = 0.0;
  for (int i = 0; i < isomers_number(isomers); i++) {
    const Isomer one = isomers_at(isomers, i);
    sum += (double)one.all * (one.energy - isomers_at(isomers, 0).energy);
    visits += (double)one.all;
  }
  isomers_free(isomers);
  return sum / visits;
}

TEST(cold_walkers_stay_low)
{
  enum { SEEDS = 6 };
  StatisticsMoments lower = {0};
  for (int i = 0; i < SEEDS; i++) {
    const double x = mean_height(1e5, 20 + (uint64_t)i) - mean_height(100.0, 20 + (uint64_t)i);
    statistics_moments_add(&lower, &x, 1);
  }
  printf("hot walkers come to minima %.2f +- %.2f kcal/mol higher than cold ones\n", lower.mean,
         statistics_moments_error(&lower));
  ck_assert_double_gt(lower.mean, 4.0 * statistics_moments_error(&lower));
}

TEST(threads_leave_no_trace, .threads = true)
{
  Isomers *one = search("tip3p", 5, 40, 1), *two = search("tip3p", 5, 40, 2);
  ck_assert_int_eq(isomers_number(one), 5);
  ck_assert_int_eq(isomers_number(two), 5);
  for (int i = 0; i < 5; i++) {
    ck_assert(isomers_at(one, i).energy == isomers_at(two, i).energy);
    ck_assert_int_eq(isomers_at(one, i).all, isomers_at(two, i).all);
    ck_assert(memcmp(isomers_at(one, i).x, isomers_at(two, i).x, 45 * sizeof(double)) == 0);
    ck_assert(i == 0 || isomers_at(one, i).energy > isomers_at(one, i - 1).energy - ISOMERS_ENERGY);
  }
  isomers_free(one);
  isomers_free(two);
}

/* Mirrored, moved, with molecules and hydrogens in another order: the same. With an oxygen elsewhere: not. */
TEST(isomers_are_told_apart)
{
  enum { N = 4 };
  double x[9 * N], y[9 * N];
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  for (int i = 0; i < 9 * N; i++)
    x[i] = 3.0 * random_normal(&stream);
  for (int m = 0; m < N; m++)
    for (int s = 0; s < 3; s++) {
      const double *from = x + 9 * ((m + 1) % N) + 3 * (s == 0 ? 0 : 3 - s);
      double *to = y + 9 * m + 3 * s;
      to[0] = 4.0 - from[1];
      to[1] = from[0] - 2.0;
      to[2] = 1.0 - from[2];
    }
  Isomers *isomers;
  const Topology *four = scenes_waters(water_find("tip3p"), N, 1, 1, isa_best()).on.topology;
  ck_assert_int_eq(isomers_create(&isomers, four, 3, 1, NULL), STATUS_OK);
  ck_assert_int_eq(isomers_add(isomers, -1.0, 0, 1, x), 0);
  ck_assert_int_eq(isomers_find(isomers, -1.0 + 0.5 * ISOMERS_ENERGY, y), 0);
  ck_assert_int_eq(isomers_find(isomers, -1.0 + 1.5 * ISOMERS_ENERGY, y), -1);
  y[0] += 0.3;
  ck_assert_int_eq(isomers_find(isomers, -1.0, y), -1);
  ck_assert_int_eq(isomers_add(isomers, -2.0, 0, 2, y), 0);
  ck_assert_int_eq(isomers_add(isomers, -1.0, 0, 4, x), 1);
  ck_assert_int_eq(isomers_at(isomers, 1).all, 5);
  ck_assert(isomers_wants(isomers, 7.0));
  y[0] += 0.3;
  ck_assert_int_eq(isomers_add(isomers, -3.0, 0, 1, y), 0);
  y[0] += 0.3;
  ck_assert(!isomers_wants(isomers, 7.0));
  ck_assert_int_eq(isomers_add(isomers, -2.5, 0, 1, y), 1); /* the highest goes */
  ck_assert_int_eq(isomers_find(isomers, -1.0, x), -1);
  isomers_free(isomers);
}

/* Two waters and an ion: like molecules may change places, unlike ones may not. */
TEST(isomers_of_mixtures_are_told_apart)
{
  Simulation *s;
  Error error = {0};
  MinimaOf of;
  Isomers *isomers;
  double x[21], y[21], z[21];
  ck_assert_msg(simulation_parse(&s, "ion",
                                 "system: {molecules: {tip3p: 2}, atoms: {Na+: 1}}\n"
                                 "geometry: {method: settle}\n"
                                 "integrator: {word: BAB, timestep: 1 fs, steps: 1}\n"
                                 "thermostat: {type: none, initial: zero}\n",
                                 NULL, 0, &error) == STATUS_OK,
                "%s", error.text);
  ck_assert_int_eq(start_minima(s, &of, &error), STATUS_OK);
  RandomStream stream = random_stream(6, 0, RANDOM_TEST);
  for (int i = 0; i < 21; i++)
    x[i] = 3.0 * random_normal(&stream);
  for (int i = 0; i < 21; i++)
    y[i] = z[i] = x[i < 18 ? (i + 9) % 18 : i];
  for (int d = 0; d < 3; d++) {
    z[d] = y[18 + d];
    z[18 + d] = y[d];
  }
  ck_assert_int_eq(isomers_create(&isomers, of.on.topology, 3, 1, &error), STATUS_OK);
  ck_assert_int_eq(isomers_add(isomers, -1.0, 0, 1, x), 0);
  ck_assert_int_eq(isomers_find(isomers, -1.0, y), 0);
  ck_assert_int_eq(isomers_find(isomers, -1.0, z), -1);
  isomers_free(isomers);
  simulation_free(s);
}

/* Files of molecules: an atom of Lennard-Jones with sigma = 3.4 A and epsilon = 1 kcal/mol, and methanol. */
static void write_molecules(void)
{
  program_write("lj.yaml", "format: holonom-molecules 1\nrule: lorentz-berthelot\ntypes: {X: [3.4, 1]}\n"
                           "molecules: {atom: {atoms: [[Ar, X, 0, 39.948, ARG, 1]]}}\n");
  program_write("lj.xyz", "1\n\nAr 0 0 0\n");
  program_write("methanol.yaml",
                "format: holonom-molecules 1\nrule: geometric\n"
                "types: {CT: [3.5, 0.066], HC: [2.5, 0.03], OH: [3.12, 0.17], HO: [0, 0]}\n"
                "molecules:\n  methanol:\n"
                "    atoms: [[C, CT, 0.145, 12.011], [H1, HC, 0.04, 1.008], [H2, HC, 0.04, 1.008],\n"
                "            [H3, HC, 0.04, 1.008], [O, OH, -0.683, 15.9994], [HO, HO, 0.418, 1.008]]\n"
                "    terms:\n"
                "      bond: [[1, 2, 1.09, 680], [1, 3, 1.09, 680], [1, 4, 1.09, 680], [1, 5, 1.41, 640],\n"
                "             [5, 6, 0.945, 1106]]\n"
                "      angle: [[2, 1, 3, 107.8, 66], [2, 1, 4, 107.8, 66], [3, 1, 4, 107.8, 66],\n"
                "              [2, 1, 5, 109.5, 70], [3, 1, 5, 109.5, 70], [4, 1, 5, 109.5, 70],\n"
                "              [1, 5, 6, 108.5, 110]]\n"
                "      torsion: [[2, 1, 5, 6, 0, 0.225, 3], [3, 1, 5, 6, 0, 0.225, 3],\n"
                "                [4, 1, 5, 6, 0, 0.225, 3]]\n"
                "    exclude: 3\n");
  program_write("methanol.xyz", "6\n\nC 0 0 0\nH 1.028 0 -0.363\nH -0.514 0.89 -0.363\n"
                                "H -0.514 -0.89 -0.363\nO 0 0 1.41\nH 0.896 0 1.71\n");
}

static void write_input(const char *name, const char *system, const char *geometry)
{
  char text[1024];
  snprintf(text, sizeof text,
           "system: {%s}\ngeometry: {%s}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 40}\n"
           "thermostat: {temperature: 10 K, friction: 1/ps}\nensemble: {replicas: 8}\n"
           "output: {thermo_every: 20, rdf_every: 0, isomers_every: 20, equilibration: 0, progress: false}\n",
           system, geometry);
  program_write(name, text);
}

static double lowest(void)
{
  double energy;
  ck_assert_int_eq(sscanf(program_read("lines"), "energy\t%lf", &energy), 1);
  return energy;
}

/* Clusters of Lennard-Jones atoms, in units of epsilon: the Cambridge Cluster Database. */
TEST(atoms_find_the_published_minima)
{
  static const double published[][2] = {{4, -6.0}, {7, -16.505384}, {13, -44.326801}};
  write_molecules();
  for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
    char system[64];
    snprintf(system, sizeof system, "molecules: {lj.yaml: %.0f}", published[i][0]);
    write_input("lj-in.yaml", system, "method: none, constrain: none");
    program_does("$P minima lj-in.yaml --steps 150 -o low.xyz --force -q > lines");
    ck_assert_double_eq_tol(lowest(), published[i][1], 1e-6);
  }
}

/* Whatever the seed, searches of mixtures come to one minimum, where forces vanish; a run starts there, and
 * its replicas, cold, are found in that basin. */
static const struct {
  const char *system, *geometry;
} mixtures[] = {{"molecules: {tip3p: 5}, atoms: {Na+: 1}", "method: settle"},
                {"molecules: {methanol.yaml: 2, tip4p: 2}", "method: rattle, constrain: h-bonds"},
                {"molecules: {tip4p: 4}, atoms: {Cl-: 1}", "method: settle"}};
TEST(mixtures_find_one_minimum, .rows = suite_rows(2, 3))
{
  double energy, population;
  write_molecules();
  write_input("mix.yaml", mixtures[_i].system, mixtures[_i].geometry);
  program_does("$P minima mix.yaml --steps 120 -o low.xyz --force -q > lines");
  const double first = lowest();
  program_does("$P minima mix.yaml --steps 120 --seed 2 -o low.xyz --force -q > lines");
  ck_assert_double_eq_tol(lowest(), first, 1e-6);
  program_runs("run mix.yaml -o mix --force --quiet");
  ck_assert_ptr_nonnull(strstr(program_read("mix/holonom.log"), "start: basin hopping"));
  const char *row = strstr(program_read("mix/isomers.csv"), "\n1,");
  ck_assert_int_eq(sscanf(row, "\n1,%lf,%lf", &energy, &population), 2);
  ck_assert_double_eq_tol(energy, first, 1e-4);
  ck_assert_double_eq(population, 1.0);
  program_runs("run mix.yaml -o mix-again --start mix --force --quiet");
  program_same("mix", "mix-again", "thermo.csv");
}

/* Where nothing is searched the start is a minimum, too: atoms are annealed, flexible molecules minimised. */
TEST(larger_clusters_begin_at_minima)
{
  static const char *const large[][3] = {
      {"molecules: {lj.yaml: 21}", "method: none, constrain: none", "annealed for"},
      {"molecules: {methanol.yaml: 31}", "method: rattle, constrain: h-bonds", "only waters and atoms are"}};
  write_molecules();
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    write_input("large.yaml", large[i][0], large[i][1]);
    program_runs("run large.yaml -o large --force --quiet --set output.isomers_every=0");
    const char *log = program_read("large/holonom.log");
    ck_assert_ptr_nonnull(strstr(log, "start: molecules beside each other"));
    ck_assert_ptr_nonnull(strstr(log, large[i][2]));
    ck_assert_ptr_null(strstr(log, "did not converge"));
  }
}

/* Molecules of system.topology take their shapes from the start file, and begin at their lowest minimum. */
TEST(topologies_begin_at_the_lowest_minimum)
{
  program_write("dimer.yaml", "format: holonom-molecules 1\nrule: lorentz-berthelot\ntypes: {X: [3.4, 1]}\n"
                              "molecules: {pair: {atoms: [[Ar, X, 0, 40, ARG, 1], [Ar, X, 0, 40, ARG, 1]], "
                              "constraints: [[1, 2, 3.816371]], exclude: 2}}\nsystem: [[pair, 2]]\n");
  program_write("dimers.xyz", "4\n\nAr 0 0 0\nAr 3.816371 0 0\nAr 9 9 9\nAr 9 12.816371 9\n");
  write_input("dimer-in.yaml", "topology: dimer.yaml, file: dimers.xyz, start: minimum", "method: rattle");
  program_does("$P minima dimer-in.yaml --steps 40 -o low.xyz --force -q > lines");
  ck_assert_double_eq_tol(lowest(), -4.0, 1e-6); /* a tetrahedron, two edges of which are kept */
  program_runs("run dimer-in.yaml -o dimers --force --quiet");
  ck_assert_ptr_nonnull(strstr(program_read("dimers/holonom.log"), "-4.0000 kcal/mol"));
}

/* A water model by its name and as a file of molecules: one search. */
TEST(waters_by_any_door_have_one_minimum)
{
  program_does("$P minima --model tip4p --molecules 4 --steps 60 -o low.xyz --force -q > lines");
  const double model = lowest();
  write_input("four.yaml", "molecules: {tip4p: 4}", "method: settle");
  program_does("$P minima four.yaml --steps 60 -o low.xyz --force -q > lines");
  ck_assert_double_eq_tol(lowest(), model, 1e-6);
}

/* Lines of energies, lowest first, and structures that have them. */
TEST(program_prints_and_writes)
{
  program_does("$P minima --model TIP4P --molecules 4 --steps 60 --keep 4 -q > lines");
  double last = -INFINITY, first = 0.0;
  int lines = 0;
  for (const char *at = program_read("lines"); *at != '\0'; at = strchr(at, '\n') + 1, lines++) {
    char *end;
    ck_assert_int_eq(strncmp(at, "energy\t", 7), 0);
    const double value = strtod(at + 7, &end);
    ck_assert_int_eq(strncmp(end, "\tkcal/mol\n", 10), 0);
    ck_assert_double_ge(value, last);
    first = lines == 0 ? value : first;
    last = value;
  }
  ck_assert_int_eq(lines, 4);
  program_runs("energy --model tip4p minima.xyz");
  ck_assert_double_eq_tol(program_number("total"), first, 1e-6);
  program_do("grep -c Properties minima.xyz | grep -qx 4");
}

/* A run from the lowest minimum, which is kept as any built start is; small clusters begin there in any case.
 */
TEST(runs_start_at_the_minimum)
{
  static const char input[] = "system: {model: tip4p, molecules: %d, start: minimum%s}\n"
                              "geometry: {method: settle}\n"
                              "integrator: {word: BAB, timestep: 1 fs, steps: 100}\n"
                              "thermostat: {type: none, initial: zero}\n"
                              "output: {thermo_every: 10, rdf_every: 0, progress: false}\n";
  char text[1024];
  snprintf(text, sizeof text, input, 6, "");
  program_write("six.yaml", text);
  program_runs("run six.yaml -o six --quiet");
  ck_assert(strstr(program_read("six/holonom.log"), "-47.2708 kcal/mol") != NULL);
  program_runs("run six.yaml -o again --start six --quiet");
  program_same("six", "again", "thermo.csv");
  program_do("sed s/minimum/build/ six.yaml > built.yaml");
  program_runs("run built.yaml -o built --quiet");
  program_same("six", "built", "built-start.xyz");
  program_refuses("it has search=hop, this run needs search=none",
                  "run built.yaml -o bare --start six --set system.anneal=false --quiet");
  snprintf(text, sizeof text, input, 31, "");
  program_write("many.yaml", text);
  program_refuses("many.yaml:1: system.start", "run many.yaml --quiet");
  snprintf(text, sizeof text, input, 216, ", box: 30 A");
  program_write("box.yaml", text);
  program_refuses("'minimum' applies to clusters", "run box.yaml --quiet");
}

TEST(bad_calls_end_with_2)
{
  static const char *const call[][2] = {
      {"minima --molecules 4", "--model"},
      {"minima --model tip4p", "--molecules"},
      {"minima six.yaml --model tip4p", "--model has no meaning with an input file"},
      {"minima box.yaml", "no molecules in open space"},
      {"minima --model tip9p --molecules 4", "tip9p"},
      {"minima --model tip4p --molecules 1", "--molecules"},
      {"minima --model tip4p --molecules 4 --keep 0", "--keep"},
      {"minima --model tip4p --molecules 4 --temperature -3", "--temperature"},
      {"minima --model tip4p --molecules 4 --walkers 12", "not a multiple of 8: use 16"},
      {"minima --model tip4p --molecules 4 -o none/x.xyz", "none"},
      {"minima --model tip4p --molecules 4 -o x.pqr", "x.pqr"}};
  program_write("box.yaml", "system: {model: tip3p, molecules: 216, box: 30 A}\ngeometry: {method: settle}\n"
                            "integrator: {word: BAB, timestep: 1 fs, steps: 1}\n"
                            "thermostat: {type: none, initial: zero}\n");
  for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
    program_refuses(call[i][1], "%s", call[i][0]);
  }
  program_do("echo > there.xyz");
  program_refuses("--force", "minima --model tip4p --molecules 4 -o there.xyz");
}

int main(void) { return program_main("minima"); }
