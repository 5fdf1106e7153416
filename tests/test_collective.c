/* Coordinates: signs and values of known positions, gradients of every row against differences;
 * as observables distributions of samples whose distribution is known, replicas in lanes as one by one,
 * restarts and threads. */
#include "base/file.h"
#include "formula/expression.h"
#include "observables/collective.h"
#include "tests/observables.h"
#include "tests/suite.h"

enum { ATOMS = 4, COPIES = 3 };

static const double mass[ATOMS] = {12.0, 1.0, 14.0, 16.0};
static const char *const site[ATOMS] = {"C", "H", "N", "O"};
static const double at[3 * ATOMS] = {0};
static const Kind chain = {"chain", ATOMS, 3, 0, mass, site, NULL, at};

static const CollectiveSpan all_copies = {0, 0, COPIES}, last_copy = {0, COPIES - 1, COPIES};
static Collective torsion[2], distance[1], firsts[COORDINATES];
static const int pair[][2] = {{0, 1}};
static CollectiveList lists[COORDINATES] = {
    [COORDINATE_DIHEDRAL] = {2, 1, torsion, pair}, [COORDINATE_DISTANCE] = {1, 0, distance, NULL}};
static Topology *copies;
static Arena memory;

/* Sites of a row in the tests: of any number of sites all four. */
static int sites_of(int form) { return coordinate_sites(form) > 0 ? coordinate_sites(form) : ATOMS; }

/* Of the first copy; of others any. */
static const double reference[3 * ATOMS * COPIES] = {2, 0, 0, 0, 1, 0, -3, 0, 1, 2, 3, 6};

/* A formula of a distance and another formula, that one of two angles. */
static void make_formula(const int *atom, CoordinateInput *input)
{
  static const char *const outer[] = {"d", "f"}, *const inner[] = {"phi", "b"};
  static CoordinateInput angles[2], parts[2];
  static Expression *formula[2];
  const ExpressionNames names[] = {{.nvar = 2, .var = outer}, {.nvar = 2, .var = inner}};
  const char *const text[] = {"d^2/(1 + d) + d*f", "2*b*sin(phi) - cos(phi)"};
  for (int i = 0; i < 2 && formula[i] == NULL; i++)
    ck_assert_int_eq(expression_parse(&formula[i], text[i], &names[i], NULL), STATUS_OK);
  angles[0] = (CoordinateInput){COORDINATE_DIHEDRAL, {1, 1, 1, 1}, {atom, atom + 1, atom + 2, atom + 3}};
  angles[1] = (CoordinateInput){COORDINATE_COSINE, {1, 1, 1}, {atom + 1, atom + 3, atom}};
  parts[0] = (CoordinateInput){COORDINATE_DISTANCE, {1, 1}, {atom, atom + 3}};
  parts[1] = (CoordinateInput){COORDINATE_FORMULA, .formula = formula[1], .nchild = 2, .child = angles};
  *input = (CoordinateInput){COORDINATE_FORMULA, .formula = formula[0], .nchild = 2, .child = parts};
}

/* A coordinate of n atoms of the first copy, each a site. */
static CoordinateSites sites_at(int form, int n, const int *atom)
{
  CoordinateInput input = {.form = (CoordinateForm)form};
  CoordinateSites sites;
  if (coordinate_types[form].composed)
    make_formula(atom, &input);
  Error error = {0};
  const Kind *const kind = &chain;
  const int number = COPIES;
  if (copies == NULL)
    ck_assert_int_eq(topology_of_kinds(&copies, 1, &kind, &number, NULL), STATUS_OK);
  const int selections = coordinate_types[form].lists, each = selections > 0 ? n / selections : 0;
  for (int i = 0; i < selections; i++) {
    input.natom[i] = each;
    input.atom[i] = atom + (ptrdiff_t)i * each;
  }
  input.contacts = (CoordinateContacts){1.5, 6, 12};
  input.reference = reference;
  ck_assert_msg(coordinate_sites_create(&sites, &input, copies, &memory, &error) == STATUS_OK, "%s",
                error.text);
  return sites;
}

static void fill_lists(void)
{
  static const int four[] = {0, 1, 2, 3}, back[] = {3, 2, 1, 0}, two[] = {0, 3};
  torsion[0] = (Collective){"phi", sites_at(COORDINATE_DIHEDRAL, 4, four), 1, &all_copies};
  torsion[1] = (Collective){"psi", sites_at(COORDINATE_DIHEDRAL, 4, back), 1, &all_copies};
  distance[0] = (Collective){"ends", sites_at(COORDINATE_DISTANCE, 2, two), 1, &last_copy};
  for (int form = 0; form < COORDINATES; form++)
    if (lists[form].n == 0) {
      firsts[form] = (Collective){"first", sites_at(form, sites_of(form), four), 1, &all_copies};
      lists[form] = (CollectiveList){1, 0, &firsts[form], NULL};
    }
}

/* A chain with this torsion, seen along its bond: the first atom up, the last turned clockwise from there.
 * The one who looks along z, with y up, has -x on the right. */
static void turned(double phi, double (*x)[3])
{
  const double to[ATOMS][3] = {{0, 1, -0.4}, {0, 0, 0}, {0, 0, 1.5}, {-1.2 * sin(phi), 1.2 * cos(phi), 1.9}};
  memcpy(x, to, sizeof to);
}

static double value(CoordinateForm form, int n, const double (*x)[3])
{
  static const int four[] = {0, 1, 2, 3};
  const Collective of = {"", sites_at(form, n, four), 0, NULL};
  Vec8 scratch[64];
  double found;
  ck_assert_uint_le(coordinate_sites_memory(&of.sites), 64);
  collective_values(&of, 1, n, &x[0][0], scratch, &found);
  return found;
}

TEST(torsions_have_the_sign_of_iupac)
{
  double x[ATOMS][3], mirror[ATOMS][3], reversed[ATOMS][3];
  for (int k = -17; k < 18; k++) {
    const double phi = k * M_PI / 18.0 + 0.01;
    turned(phi, x);
    for (int i = 0; i < ATOMS; i++)
      for (int d = 0; d < 3; d++) {
        mirror[i][d] = d == 1 ? -x[i][d] : x[i][d];
        reversed[i][d] = x[ATOMS - 1 - i][d];
      }
    ck_assert_double_eq_tol(value(COORDINATE_DIHEDRAL, 4, (const double(*)[3])x), phi, 1e-14);
    ck_assert_double_eq_tol(value(COORDINATE_DIHEDRAL, 4, (const double(*)[3])reversed), phi, 1e-14);
    ck_assert_double_eq_tol(value(COORDINATE_DIHEDRAL, 4, (const double(*)[3])mirror), -phi, 1e-14);
  }
}

TEST(values_are_known)
{
  const double line[ATOMS][3] = {{2, 0, 0}, {0, 0, 0}, {-3, 0, 0}, {2, 3, 6}};
  const double right[3][3] = {{0, 0, 5}, {0, 0, 0}, {0, 4, 0}};
  ck_assert_double_eq_tol(value(COORDINATE_DISTANCE, 2, &line[2]), sqrt(25 + 9 + 36), 1e-14);
  ck_assert_double_eq_tol(value(COORDINATE_COSINE, 3, line), M_PI, 1e-15);
  ck_assert_double_eq(value(COORDINATE_COSINE, 3, right), M_PI / 2);
  ck_assert_double_eq(value(COORDINATE_HEIGHT, 2, right), 5.0);
  ck_assert_double_eq(value(COORDINATE_HEIGHT, 2, &right[1]), 0.0);
  ck_assert_double_eq(value(COORDINATE_HEIGHT, 2, &line[2]), -6.0);
  /* Masses 12 at 2 and 1 at 0: a dumbbell, whose square is m M r^2/(m + M)^2. */
  ck_assert_double_eq_tol(value(COORDINATE_GYRATION, 2, line), sqrt(12.0 * 4.0) / 13.0, 1e-14);
  ck_assert_double_eq_tol(value(COORDINATE_GYRATION, 1, line), 0.0, 1e-300);
  ck_assert_double_eq_tol(value(COORDINATE_POSITION, 1, &line[3]), 6.0, 1e-14);
  /* Pairs 0-2, 0-3, 1-2, 1-3 at 5, sqrt(45), 3 and 7, in units of 1.5. */
  const double u[] = {5 / 1.5, sqrt(45) / 1.5, 3 / 1.5, 7 / 1.5};
  double contacts = 0.0;
  for (int i = 0; i < 4; i++)
    contacts += (1 - pow(u[i], 6)) / (1 - pow(u[i], 12));
  ck_assert_double_eq_tol(value(COORDINATE_COORDINATION, 4, line), contacts, 1e-14);
}

/* The distance of two lists of atoms at x[atoms][3] in a box of 10 A, where copies are molecules. */
static double in_box(int n, const int *one, int other, const double (*x)[3])
{
  CoordinateInput input = {COORDINATE_DISTANCE, {n, 1}, {one, &other}};
  CoordinateSites sites;
  const Box box = box_brick(10.0, 10.0, 10.0);
  Vec8 scratch[128];
  (void)sites_at(COORDINATE_DISTANCE, 2, (const int[]){0, 1}); /* makes the copies */
  ck_assert_int_eq(coordinate_sites_create(&sites, &input, copies, &memory, NULL), STATUS_OK);
  CoordinateReading r = coordinate_sites_reading(&sites, scratch);
  for (int i = 0; i < sites.natom; i++)
    for (int d = 0; d < 3; d++)
      r.x[3 * i + d] = vec8_set(x[i < n ? one[i] : other][d]);
  coordinate_sites_read(&sites, &box, &r, false);
  return r.value[0];
}

/* Molecules are whole in a box, also those longer than half of it; between them the nearest image counts. */
TEST(molecules_keep_their_lengths_in_a_box)
{
  static const int first[] = {0}, second[] = {4, 5}, three[] = {0, 4, 5};
  double x[ATOMS * COPIES][3] = {{0.0}};
  x[3][0] = 8.0; /* of the first molecule */
  x[4][0] = 9.0;
  x[5][0] = 4.8;
  x[8][1] = 3.0;
  ck_assert_double_eq_tol(in_box(1, first, 3, (const double(*)[3])x), 8.0, 1e-14);
  ck_assert_double_eq_tol(in_box(1, first, 4, (const double(*)[3])x), 1.0, 1e-14);
  ck_assert_double_eq_tol(in_box(2, second, 0, (const double(*)[3])x), 1.0 + 4.2 / 13.0, 1e-14);
  ck_assert_double_eq_tol(in_box(3, three, 8, (const double(*)[3])x), hypot((12.0 + 5.2) / 25.0, 3.0), 1e-14);
}

/* Turned and shifted, a reference has no deviation; grown by a factor f it has f - 1 times its radius of
 * gyration with equal weights; its mirror image has some. */
TEST(deviations_are_known)
{
  static const double turn[3][3] = {
      {2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
  double x[ATOMS][3], mirror[ATOMS][3], middle[3] = {0.0}, square = 0.0;
  for (int k = 0; k < 3 * ATOMS; k++)
    middle[k % 3] += reference[k] / ATOMS;
  for (int k = 0; k < 3 * ATOMS; k++)
    square += (reference[k] - middle[k % 3]) * (reference[k] - middle[k % 3]) / ATOMS;
  for (int step = 0; step < 3; step++) {
    const double factor = 1.0 + 0.4 * step;
    for (int i = 0; i < ATOMS; i++)
      for (int d = 0; d < 3; d++) {
        x[i][d] = 7.0 * d - 5.0;
        for (int e = 0; e < 3; e++)
          x[i][d] += factor * turn[d][e] * reference[3 * i + e];
        mirror[i][d] = d == 0 ? -x[i][d] : x[i][d];
      }
    ck_assert_double_eq_tol(value(COORDINATE_RMSD, 4, (const double(*)[3])x), (factor - 1.0) * sqrt(square),
                            1e-13);
    ck_assert_double_gt(value(COORDINATE_RMSD, 4, (const double(*)[3])mirror), 0.1);
  }
}

/* The value and its gradient by sites at x[n][3] in lane 0; others differ. */
static double read_at(int form, int n, const double *x, double *grad)
{
  static const int four[] = {0, 1, 2, 3};
  static const Box open = {0};
  const CoordinateSites sites = sites_at(form, n, four);
  Vec8 scratch[1024];
  ck_assert_uint_le(coordinate_sites_memory(&sites), 1024);
  CoordinateReading r = coordinate_sites_reading(&sites, scratch);
  for (int k = 0; k < 3 * sites.natom; k++)
    for (int l = 0; l < LANES; l++) {
      const int from = 3 * sites.place[k / 3].atom + k % 3;
      r.x[k][l] = x[from] + 0.1 * l * (from % 4);
    }
  coordinate_sites_read(&sites, &open, &r, true);
  memset(grad, 0, 3 * (size_t)n * sizeof *grad);
  for (int k = 0; k < 3 * sites.natom; k++) /* an atom may occur several times */
    grad[3 * sites.place[k / 3].atom + k % 3] += r.by[k][0];
  return r.value[0];
}

/* Of every row: gradients are slopes of the value. */
TEST(gradients_are_slopes, .rows = COORDINATES)
{
  const int n = sites_of(_i);
  RandomStream stream = random_stream(11, (uint32_t)_i, RANDOM_TEST);
  for (int turn = 0; turn < 20; turn++) {
    double x[3 * ATOMS], grad[3 * ATOMS], none[3 * ATOMS];
    for (int k = 0; k < 3 * n; k++)
      x[k] = random_normal(&stream) + 2.0 * (k / 3 % 2);
    (void)read_at(_i, n, x, grad);
    double size = 0.0;
    for (int k = 0; k < 3 * n; k++) {
      const double there = x[k], h = 1e-5;
      x[k] = there + h;
      const double above = read_at(_i, n, x, none);
      x[k] = there - h;
      const double change = above - read_at(_i, n, x, none);
      x[k] = there;
      const double slope_seen =
          (coordinate_types[_i].periodic ? remainder(change, 2.0 * M_PI) : change) / (2.0 * h);
      ck_assert_double_eq_tol(slope_seen, grad[k], 1e-6 * (1.0 + fabs(grad[k])));
      size += fabs(grad[k]);
    }
    ck_assert_double_gt(size, 0.1);
  }
}

typedef struct Scene {
  Box box;
  double x[COPIES][ATOMS][3], phi[COPIES];
  ObservableBlock block;
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s)
{
  fill_lists();
  *s = (Scene){.block = {&chain, NULL, COPIES, &s->x[0][0][0], NULL}};
  s->frame = (ObservableFrame){0.0, &s->box, 1, &s->block, NULL};
}

static ObservableOptions options_of(void)
{
  return (ObservableOptions){
      .temperature = 300.0, .threads = 3, .interval = 1.0, .collective = lists, .torsions = {.bins = 36}};
}

/* By the density (1 + a cos phi)/2pi. */
static double draw_phi(RandomStream *stream, double a)
{
  double phi;
  do
    phi = M_PI * (2.0 * random_uniform(stream) - 1.0);
  while ((1.0 + a) * random_uniform(stream) > 1.0 + a * cos(phi));
  return phi;
}

static double slope; /* a; set by each test, which has a process of its own */

static void scene_random(void *scene, RandomStream *stream, int k)
{
  Scene *s = scene;
  (void)k;
  for (int m = 0; m < COPIES; m++) {
    s->phi[m] = draw_phi(stream, slope);
    turned(s->phi[m], s->x[m]);
  }
}

/* chi^2 of densities with a given one, of bins that have errors, and how many. */
static double chi2_of(const ResultTable *t, const char *column, double a, int *n)
{
  char error[64];
  double sum = 0.0;
  *n = 0;
  snprintf(error, sizeof error, "%s_err", column);
  for (size_t b = 0; b < t->nrow; b++) {
    const double phi = tables_cell(t, b, "angle") * M_PI / 180.0, half = M_PI / 36.0;
    const double P = (1.0 + a * (sin(phi + half) - sin(phi - half)) / (2.0 * half)) / 360.0;
    sum += pow((tables_cell(t, b, column) - P) / tables_cell(t, b, error), 2);
    ++*n;
  }
  return sum;
}

/* A free rotor is flat, another one has its curve and free energy. */
TEST(distributions_are_those_of_the_samples, .rows = 2)
{
  enum { SAMPLES = 6000 };
  Scene scene;
  const ObservableOptions options = options_of();
  RandomStream stream = random_stream(5, (uint32_t)_i, RANDOM_TEST);
  slope = _i == 0 ? 0.0 : 0.7;
  scene_create(&scene);
  Observable *self = observed_create(observed_ops("torsions"), &options, &scene.frame);
  for (int k = 0; k < SAMPLES; k++) {
    scene_random(&scene, &stream, k);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  ResultTable *t = tables_read(files_path("torsions.csv"));
  int n;
  const double chi2 = chi2_of(t, "P_phi", slope, &n);
  ck_assert_int_eq(n, 36);
  ck_assert_msg(chi2 > 10.0 && chi2 < 80.0, "chi^2 of 36 bins: %g", chi2);
  double lowest = INFINITY, whole = 0.0, most = 0.0;
  for (size_t b = 0; b < t->nrow; b++)
    most = fmax(most, tables_cell(t, b, "P_phi"));
  for (size_t b = 0; b < t->nrow; b++) {
    const double P = tables_cell(t, b, "P_phi"), F = tables_cell(t, b, "F_phi");
    ck_assert_double_eq_tol(F, -UNITS_BOLTZMANN * 300.0 * log(P / most), 1e-5);
    ck_assert_double_eq_tol(tables_cell(t, b, "F_phi_err"),
                            UNITS_BOLTZMANN * 300.0 * tables_cell(t, b, "P_phi_err") / P,
                            0.05 * tables_cell(t, b, "F_phi_err"));
    ck_assert_double_eq_tol(tables_cell(t, b, "P_psi"), P, 1e-12); /* the same, from its other end */
    lowest = fmin(lowest, F);
    whole += 10.0 * P;
  }
  ck_assert_double_eq(lowest, 0.0);
  ck_assert_double_eq_tol(whole, 1.0, 1e-6);
  const ResultNumber *c = observed_number(&report, "phi", "mean_cos"),
                     *s = observed_number(&report, "phi", "mean_sin");
  ck_assert_double_eq_tol(c->value, slope / 2.0, 4.0 * c->error);
  ck_assert_double_eq_tol(s->value, 0.0, 4.0 * s->error);
  ck_assert_double_eq_tol(c->error, sqrt((0.5 - slope * slope / 4.0) / (COPIES * SAMPLES)), 0.5 * c->error);
  results_free_table(t);
  /* The plane of both has them on its diagonal. */
  t = tables_read(files_path("torsions_pairs.csv"));
  ck_assert_uint_eq(t->nrow, 36 * 36);
  for (size_t b = 0; b < t->nrow; b++)
    ck_assert((tables_cell(t, b, "P_phi-psi") > 0.0) ==
              (tables_cell(t, b, "first") == tables_cell(t, b, "second")));
  results_free_table(t);
  /* ... and its map every bin, empty ones as none. */
  char *data;
  int numbers = 0, none = 0;
  ck_assert_int_eq(file_read(files_path("torsions_pairs.dat"), SIZE_MAX, &data, NULL, NULL), STATUS_OK);
  for (const char *line = data; line != NULL; line = strchr(line + 1, '\n')) {
    double x, y, z;
    if (sscanf(line, "%lf %lf %lf", &x, &y, &z) == 3) {
      numbers += isfinite(z);
      none += isnan(z);
    }
  }
  ck_assert_int_eq(numbers, 36);
  ck_assert_int_eq(none, 36 * 35);
  free(data);
  results_free(&report);
  observable_free(self);
}

TEST(restarts_and_threads_leave_no_trace, .threads = true)
{
  Scene scene;
  const ObservableOptions options = options_of();
  RandomStream stream = random_stream(6, 0, RANDOM_TEST);
  scene_create(&scene);
  for (int k = 0; k < COORDINATES; k++)
    observed_leaves_no_trace(observed_ops(coordinate_types[k].list), &options, &scene.frame, 40, 17,
                             scene_random, &scene, &stream);
}

/* Each replica in a lane adds what its frame would. */
TEST(lanes_are_replicas)
{
  enum { WIDTH = 16, SAMPLES = 5 };
  const Kind *const kinds[1] = {&chain};
  const int nmol[1] = {COPIES};
  Topology *topology;
  State *state;
  Scene scene;
  Error error;
  ObservableOptions options = options_of(), one = options;
  options.replicas = WIDTH;
  options.batches = 1;
  RandomStream stream = random_stream(7, 0, RANDOM_TEST);
  scene_create(&scene);
  ck_assert_int_eq(topology_of_kinds(&topology, 1, kinds, nmol, &error), STATUS_OK);
  ck_assert_int_eq(topology_state(topology, WIDTH, 1, 0, &state, &error), STATUS_OK);
  Observable *lanes = observed_create(observed_ops("torsions"), &options, &scene.frame),
             *frames = observed_create(observed_ops("torsions"), &one, &scene.frame);
  const Team alone = {.size = 1};
  for (int k = 0; k < SAMPLES; k++) {
    for (int r = 0; r < WIDTH; r++) {
      scene_random(&scene, &stream, k);
      topology_set(topology, state, STATE_POSITIONS, r, &scene.x[0][0][0]);
      observed_sample(frames, 1, &scene.frame);
    }
    lanes->ops->add_lanes(lanes, &(Sample){.state = state, .team = &alone},
                          &(ObservableLanes){.topology = topology});
  }
  const size_t ncol = block_rows_columns(lanes->rows);
  double *sum = malloc(2 * ncol * sizeof *sum);
  ck_assert_double_eq(block_rows_total(lanes->rows, sum), WIDTH * SAMPLES);
  ck_assert_double_eq(block_rows_total(frames->rows, sum + ncol), WIDTH * SAMPLES);
  for (size_t k = 0; k < ncol; k++)
    ck_assert_double_eq_tol(sum[k], sum[ncol + k], 1e-11);
  free(sum);
  observable_free(lanes);
  observable_free(frames);
  state_free(state);
  topology_free(topology);
}

/* What lies beyond the range is said, and in no bin; a place that is none stops a run. */
TEST(ends_and_faults)
{
  Scene scene;
  ObservableOptions options = options_of();
  Error error;
  RandomStream stream = random_stream(8, 0, RANDOM_TEST);
  options.distances.max = 2.5; /* of 2.2 to 3.2 */
  scene_create(&scene);
  Observable *self = observed_create(observed_ops("distances"), &options, &scene.frame);
  int beyond = 0;
  for (int k = 0; k < 100; k++) {
    scene_random(&scene, &stream, k);
    double d2 = 0.0;
    for (int d = 0; d < 3; d++)
      d2 += pow(scene.x[COPIES - 1][3][d] - scene.x[COPIES - 1][0][d], 2);
    beyond += sqrt(d2) >= 2.5;
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  ResultTable *t = observed_write(self, &report);
  char said[80];
  snprintf(said, sizeof said, "distances: %d samples of ends are beyond 2.5 A", beyond);
  ck_assert_msg(strstr(report.remark, said) != NULL, "%s / %s", report.remark, said);
  double whole = 0.0;
  for (size_t b = 0; b < t->nrow; b++)
    whole += 0.05 * tables_cell(t, b, "P_ends");
  ck_assert_double_eq_tol(whole, 1.0 - beyond / 100.0, 1e-6);
  results_free_table(t);
  results_free(&report);
  scene.x[COPIES - 1][3][1] = NAN;
  ck_assert_int_eq(observed_add(self, 1, &scene.frame, &error), STATUS_RUN);
  ck_assert_msg(strstr(error.text, "ends of molecule 3 of chain is not a number") != NULL, "%s", error.text);
  observable_free(self);
  options.collective = NULL;
  ck_assert_int_eq(observable_create(&self, observed_ops("angles"), &options, &scene.frame, &error),
                   STATUS_INPUT);
  ck_assert_msg(strstr(error.text, "output.angles") != NULL, "%s", error.text);
  options.collective = lists;
  options.torsions.bins = 10000;
  ck_assert_int_eq(observable_create(&self, observed_ops("torsions"), &options, &scene.frame, &error),
                   STATUS_INPUT);
}
