/* Radial distributions of named sites in open space: every route counts the pairs of a plain double loop, and
 * rdf.csv of runs by each door holds what their frames hold. */
#include "engine/random.h"
#include "observables/observable.h"
#include "observables/rdf.h"
#include "tests/program.h"
#include "tests/tables.h"

/* --- samples ---------------------------------------------------------------------------------------------
 */

enum { DIMERS = 5, IONS = 3, POINTS = 2 * DIMERS + IONS, REPLICAS = 16, BINS = 30 };
enum { A, I, NAMES, PAIRS = 3 }; /* the dimers' first sites; their second sites and the ions */

static const double mass[2] = {1.0, 2.0}, reference[6] = {-1.0, 0.0, 0.0, 0.5, 0.0, 0.0};
static const char *const site[2] = {"A", "B"}, *const name[NAMES] = {"A", "I"};
static const Kind dimer = {"dimer", 2, 3, 0, mass, site, NULL, reference},
                  ion = {"ion", 1, 3, 0, mass, site, NULL, reference};
static const int of_dimer[2] = {A, I}, of_ion[1] = {I}, *const of[2] = {of_dimer, of_ion};
static const RdfSites named = {NAMES, name, of};
static const double rmax = 3.0;

/* counts[pair][bin], the last bin those beyond: pairs A-A, A-I, I-I of different molecules. */
static void count_plainly(const double (*x)[3], double counts[PAIRS][BINS + 1])
{
  for (int i = 0; i < POINTS; i++)
    for (int j = i + 1; j < POINTS; j++) {
      const int a = i < 2 * DIMERS ? of_dimer[i % 2] : I, b = j < 2 * DIMERS ? of_dimer[j % 2] : I;
      if (j < 2 * DIMERS && i / 2 == j / 2)
        continue;
      const double r =
          sqrt(pow(x[i][0] - x[j][0], 2) + pow(x[i][1] - x[j][1], 2) + pow(x[i][2] - x[j][2], 2));
      counts[a + b][r < rmax ? (int)(r * BINS / rmax) : BINS]++;
    }
}

static void add_state(Observable *rdf, const State *state, int width)
{
  Topology *topology;
  const Team alone = {.size = 1};
  ck_assert_int_eq(topology_of_state(&topology, state, NULL), STATUS_OK);
  observable_rdf.add_lanes(rdf, &(Sample){.state = state, .team = &alone},
                           &(ObservableLanes){topology, .first = (int)state->replica / width * width});
  topology_free(topology);
}

/* Random positions of replicas in lanes, or one system after the other. */
static void add_samples(Observable *rdf, int width, const ObservableFrame *frame, ObservableBlock *block,
                        double counts[PAIRS][BINS + 1])
{
  static const Kind *const kind[2] = {&dimer, &ion};
  static const int number[2] = {DIMERS, IONS};
  RandomStream s = random_stream(11, 0, RANDOM_TEST);
  const Team alone = {.size = 1};
  for (int first = 0; first < REPLICAS; first += width) {
    State *state;
    double x[POINTS][3];
    ck_assert_int_eq(state_create(&state, width, 2, kind, number, 1, (uint32_t)first, NULL), STATUS_OK);
    for (int lane = 0; lane < width; lane++) {
      for (int k = 0; k < 3 * POINTS; k++)
        x[k / 3][k % 3] = 1.2 * random_normal(&s);
      state_set_all(state, STATE_POSITIONS, lane, x[0]);
      count_plainly((const double(*)[3])x, counts);
    }
    block[0].x = x[0];
    block[1].x = x[2 * DIMERS];
    if (width > 1)
      add_state(rdf, state, width);
    else
      ck_assert_int_eq(observable_add(rdf, &alone, frame, NULL), STATUS_OK);
    state_free(state);
  }
}

/* Counts, and what is made of them: g against the ball, n as sums of counts, P with its integral. */
TEST(all_routes_count_named_sites, .rows = 3)
{
  const int width = (const int[]){1, 8, 16}[_i], replicas = width > 1 ? REPLICAS : 1;
  static const double inside[NAMES] = {DIMERS, DIMERS + IONS};
  const Box box = {0};
  ObservableBlock block[2] = {{.kind = &dimer, .nmol = DIMERS}, {.kind = &ion, .nmol = IONS}};
  const ObservableFrame frame = {.box = &box, .nblock = 2, .block = block};
  const ObservableOptions options = {
      .replicas = replicas, .rdf.max = rmax, .rdf.bins = BINS, .sites = &named, .threads = 1};
  double counts[PAIRS][BINS + 1] = {{0}};
  Observable *rdf;
  ObservableResult result;
  ck_assert_int_eq(observable_create(&rdf, &observable_rdf, &options, &frame, NULL), STATUS_OK);
  add_samples(rdf, width, &frame, block, counts);
  ck_assert_int_eq(observable_result(rdf, rdf->rows, &result, NULL), STATUS_OK);
  const int each = rdf->nout / PAIRS;
  for (int p = 0; p < PAIRS; p++) {
    const double *const g = result.value + (ptrdiff_t)p * each, *const n = g + BINS,
                        *const P = g + each - BINS;
    double pairs = 0.0, within = 0.0, sum = 0.0;
    for (int b = 0; b <= BINS; b++) {
      ck_assert_double_eq(result.sum[p * (BINS + 1) + b], counts[p][b]);
      pairs += counts[p][b];
      within += b < BINS ? counts[p][b] : 0.0;
    }
    ck_assert_double_gt(counts[p][BINS], 0.0);
    for (int b = 0; b < BINS; b++) {
      const double share = (pow(b + 1.0, 3) - pow(b, 3)) / pow(BINS, 3);
      sum += counts[p][b];
      ck_assert_double_eq_tol(g[b], counts[p][b] / (pairs * share), 1e-10);
      ck_assert_double_eq_tol(n[b], (p == 1 ? 1.0 : 2.0) * sum / (REPLICAS * inside[p / 2]), 1e-10);
      ck_assert_double_eq_tol(P[b], counts[p][b] * BINS / (within * rmax), 1e-10);
    }
  }
  observable_result_free(&result);
  observable_free(rdf);
}

TEST(sites_of_one_molecule_are_no_pairs)
{
  const Box box = {0};
  const ObservableBlock block = {.kind = &dimer, .nmol = 1};
  const ObservableFrame frame = {.box = &box, .nblock = 1, .block = &block};
  const ObservableOptions options = {.sites = &named};
  Observable *rdf;
  Error error;
  ck_assert_int_eq(observable_create(&rdf, &observable_rdf, &options, &frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "at least two molecules that have the named sites"));
}

/* --- runs ------------------------------------------------------------------------------------------------
 */

static const char types[] =
    "format: holonom-molecules 1\nrule: geometric\n"
    "types: {O: [3.15061, 0.1521], H: [0, 0], Na: [3.33, 0.00277], C: [3.775, 0.207], OH: [3.07, 0.17]}\n"
    "molecules:\n"
    "  ion:\n    atoms: [[NA, Na, 1, 22.98977]]\n"
    "  water:\n    atoms: [[OW, O, -0.834, 15.9994], [HW1, H, 0.417, 1.008], [HW2, H, 0.417, 1.008]]\n"
    "    constraints: [[1, 2, 0.9572], [1, 3, 0.9572], [2, 3, 1.51390065]]\n    exclude: 2\n"
    "  methanol:\n    atoms: [[C, C, 0.265, 15.0348], [O, OH, -0.7, 15.9994], [HO, H, 0.435, 1.008]]\n"
    "    constraints: [[1, 2, 1.43], [2, 3, 0.945]]\n    terms: {angle: [[1, 2, 3, 108.5, 110]]}\n"
    "    exclude: 2\n";

/* What a run's input says, and what its frames hold. */
typedef struct Door {
  const char *system, *sites, *molecules; /* "": a built-in model; else the letters i, w, m */
  int replicas;
  const char *pair[2];
  char element[2]; /* of the pair's sites in frames; of a methanol's oxygen 'o' */
} Door;

static const Door doors[] = {
    {"model: tip3p, molecules: 3",
     "{name: OW, atoms: name O}, {name: HW, atoms: name H}",
     "www",
     1,
     {"OW", "HW"},
     "OH"},
    {"model: tip3p, molecules: 3", "{name: OW, atoms: name O}", "www", 9, {"OW", "OW"}, "OO"},
    {NULL, "{name: Na, atoms: name NA}, {name: OW, atoms: name OW}", "iwww", 1, {"Na", "OW"}, "NO"},
    {NULL, "{name: Na, atoms: name NA}, {name: OW, atoms: name OW}", "iwww", 9, {"Na", "OW"}, "NO"},
    {NULL, "{name: C, atoms: name C}, {name: OW, atoms: name OW}", "mmw", 8, {"C", "OW"}, "CO"},
    {NULL, "{name: OM, atoms: moltype methanol and name O}", "mmw", 1, {"OM", "OM"}, "oo"}};

/* Molecules in parallel planes. */
static void write_molecules(const char *molecules)
{
  static const double shape[3][3] = {{0.0, 0.0, 0.0}, {0.9572, 0.0, 0.0}, {-0.23998721, 0.92662721, 0.0}},
                      long_shape[3][3] = {{0.0, 0.0, 0.0}, {1.43, 0.0, 0.0}, {1.72985, 0.89617, 0.0}};
  FILE *file = program_create("molecules.yaml"), *xyz = program_create("start.xyz");
  int natom = 0;
  fprintf(file, "%ssystem:\n", types);
  for (const char *m = molecules; *m != '\0'; m++) {
    natom += *m == 'i' ? 1 : 3;
    fprintf(file, "  - [%s, 1]\n", *m == 'i' ? "ion" : *m == 'w' ? "water" : "methanol");
  }
  fprintf(xyz, "%d\n\n", natom);
  for (int k = 0; molecules[k] != '\0'; k++)
    for (int i = 0; i < (molecules[k] == 'i' ? 1 : 3); i++) {
      const double *const at = molecules[k] == 'm' ? long_shape[i] : shape[i];
      const char *const element = molecules[k] == 'i'                         ? "Na"
                                  : i == 0 && molecules[k] == 'm'             ? "C"
                                  : i == 0 || (i == 1 && molecules[k] == 'm') ? "O"
                                                                              : "H";
      fprintf(xyz, "%s %.8f %.8f %.8f\n", element, at[0], at[1], 3.2 * k);
    }
  ck_assert_int_eq(fclose(file), 0);
  ck_assert_int_eq(fclose(xyz), 0);
}

/* Adds the pairs of a file's frames but the first one's, within each bin of 0.1 A; returns their frames. */
static int count_frames(const Door *door, const char *path, double *count, int bins)
{
  char text[1 << 16], letter[32];
  double x[32][3];
  int molecule[32], frames = 0, natom, used;
  ck_assert_uint_lt(strlen(program_read(path)), sizeof text);
  snprintf(text, sizeof text, "%s", program_read(path));
  for (const char *at = text; sscanf(at, "%d%n", &natom, &used) == 1; frames++) {
    at = strchr(strchr(at + used, '\n') + 1, '\n') + 1;
    for (int i = 0, m = 0, k = 0; i < natom; i++) {
      char element[8];
      ck_assert_int_eq(sscanf(at, "%7s %lf %lf %lf", element, &x[i][0], &x[i][1], &x[i][2]), 4);
      at = strchr(at, '\n') + 1;
      molecule[i] = m;
      letter[i] = door->molecules[m] == 'm' && element[0] == 'O' ? 'o' : element[0];
      const int size = door->molecules[m] == 'i' ? 1 : 3;
      k = (k + 1) % size;
      m += k == 0;
    }
    for (int i = 0; i < natom && frames > 0; i++)
      for (int j = i + 1; j < natom; j++) {
        const bool fits = (letter[i] == door->element[0] && letter[j] == door->element[1]) ||
                          (letter[i] == door->element[1] && letter[j] == door->element[0]);
        const double r =
            sqrt(pow(x[i][0] - x[j][0], 2) + pow(x[i][1] - x[j][1], 2) + pow(x[i][2] - x[j][2], 2));
        if (fits && molecule[i] != molecule[j] && (int)(10.0 * r) < bins)
          count[(int)(10.0 * r)]++;
      }
  }
  return frames - 1;
}

static void begin_run(const Door *door)
{
  FILE *file = program_create("run.yaml");
  write_molecules(door->molecules);
  fprintf(file,
          "system: {%s}\ngeometry: {method: shake}\nintegrator: {timestep: 1 fs, steps: 40}\n"
          "thermostat: {temperature: 100 K, friction: 5/ps}\nensemble: {replicas: %d}\n"
          "output: {report: false, progress: false, equilibration: 0, trajectory: [xyz], trajectory_every: "
          "10, trajectory_replica: all, rdf_every: 10, rdf_max: 8 A, rdf_bins: 80, rdf_sites: [%s]}\n",
          door->system != NULL ? door->system : "topology: molecules.yaml, file: start.xyz", door->replicas,
          door->sites);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("run run.yaml -o run --force");
}

/* Coordinates of frames are rounded, so that a pair may be in the bin beside its own. */
TEST(runs_by_all_doors_hold_the_pairs_of_their_frames, .rows = sizeof doors / sizeof *doors)
{
  enum { ALL = 80 };
  const Door *const door = &doors[_i];
  double count[ALL] = {0}, first = 0.0, sum = 0.0, most = 0.0;
  char path[64], column[40];
  int frames = 0;
  begin_run(door);
  ResultTable *t = program_table("run/rdf.csv");
  const int replicas = (int)program_summary("run", "replicas");
  for (int k = 0; k < replicas; k++) {
    snprintf(path, sizeof path, replicas > 1 ? "run/replica-%02d/trajectory.xyz" : "run/trajectory.xyz", k);
    if (!program_exists(path))
      snprintf(path, sizeof path, "run/replica-%d/trajectory.xyz", k);
    frames += count_frames(door, path, count, ALL);
  }
  for (const char *m = door->molecules; *m != '\0'; m++)
    first += *m == (door->element[0] == 'N'                              ? 'i'
                    : door->element[0] == 'C' || door->element[0] == 'o' ? 'm'
                                                                         : 'w');
  snprintf(column, sizeof column, "n_%s-%s", door->pair[0], door->pair[1]);
  for (int b = 0; b < ALL; b++) {
    sum += (door->element[0] == door->element[1] ? 2.0 : 1.0) * count[b] / (frames * first);
    ck_assert_double_eq_tol(tables_cell(t, (size_t)b, column), sum, 1.01 * 2.0 / (frames * first));
    most = fmax(most, sum);
  }
  ck_assert_double_gt(most, 0.9);
  ck_assert_ptr_nonnull(strstr(program_read("run/summary.yaml"), column + 2)); /* the pairs' label */
  ck_assert_ptr_nonnull(strstr(program_read("run/results.json"), column));
  results_free_table(t);
}

/* --- the same pairs without names ------------------------------------------------------------------------
 */

/* The oxygens of waters, named or not: every curve is the same, by temperature too, and goes on to the bit.
 */
static void same_column(const ResultTable *a, const char *one, const ResultTable *b, const char *other,
                        double digits)
{
  ck_assert_uint_eq(a->nrow, b->nrow);
  double most = 0.0;
  for (size_t i = 0; i < a->nrow; i++) {
    const double x = tables_cell(a, i, one), y = tables_cell(b, i, other);
    ck_assert_msg(fabs(x - y) <= digits * fabs(x) || (isnan(x) && isnan(y)), "%s: %g, not %g", one, x, y);
    most = fmax(most, fabs(x));
  }
  ck_assert_double_gt(most, 0.0);
}

static void compare_column(const char *table, const char *one, const char *other)
{
  char path[2][64], error[2][64];
  snprintf(path[0], sizeof path[0], "plain/%s.csv", table);
  snprintf(path[1], sizeof path[1], "named/%s.csv", table);
  snprintf(error[0], sizeof error[0], "%s_err", one);
  snprintf(error[1], sizeof error[1], "%s_err", other);
  ResultTable *a = program_table(path[0]), *b = program_table(path[1]);
  same_column(a, one, b, other, 1e-6);
  same_column(a, error[0], b, error[1], 5e-3);
  results_free_table(a);
  results_free_table(b);
}

TEST(named_oxygens_are_the_oxygens, .rows = 2)
{
  static const char *const exchange[] = {
      "thermostat: {temperature: 100 K, friction: 5/ps}\nensemble: {replicas: 8}\n",
      "thermostat: {friction: 5/ps}\nexchange: {temperatures: [100 K, 130 K], interval: 10, ladders: 4, "
      "reweight: [110 K]}\n"};
  static const char sites[] =
      "--set 'output.rdf_sites=[{name: HW, atoms: name H}, {name: OW, atoms: name O}]'";
  FILE *file = program_create("run.yaml");
  fprintf(file,
          "system: {model: tip3p, molecules: 3}\ngeometry: {method: settle}\n"
          "integrator: {timestep: 2 fs, steps: 200}\n%s"
          "output: {report: false, progress: false, equilibration: 0, thermo_every: 10, rdf_every: 10}\n",
          exchange[_i]);
  ck_assert_int_eq(fclose(file), 0);
  program_runs("run run.yaml -o plain --force");
  program_runs("run run.yaml -o named --force %s", sites);
  program_runs("run run.yaml -o cut --force --set integrator.steps=100 %s", sites);
  program_runs("run run.yaml -o cut --resume --set integrator.steps=200 %s", sites);
  if (_i == 0) {
    compare_column("rdf", "P", "P_OW-OW");
    compare_column("rdf", "g", "g_OW-OW");
    program_same("named", "cut", "rdf.csv");
  } else {
    compare_column("rdf_ladder", "g1", "g1_OW-OW");
    compare_column("rdf_reweighted", "g_110", "g_OW-OW_110");
    program_same("named", "cut", "rdf_reweighted.csv");
  }
}

int main(void) { return program_main("rdf_sites"); }
