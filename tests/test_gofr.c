/* Radial distributions in a box: the pairs of a plain double loop, an ideal gas, a lattice, any number of
 * threads, restarts, and what is refused. */
#include "base/file.h"
#include "tests/boxes.h"
#include "tests/observables.h"
#include "tests/suite.h"

enum { WATERS = 60, ATOMS = 25 };

typedef struct Scene {
  Box box;
  double water[WATERS][3][3], atom[ATOMS][3];
  ObservableBlock block[2];
  ObservableFrame frame;
} Scene;

/* Waters and atoms anywhere, in any image, turned at random. */
static void scene_fill(Scene *s, RandomStream *stream, const double length[3])
{
  for (int m = 0; m < WATERS; m++)
    for (int d = 0; d < 3; d++) {
      const double at = 3.0 * length[d] * (random_uniform(stream) - 0.5);
      for (int k = 0; k < 3; k++)
        s->water[m][k][d] = at + (k > 0) * 1.2 * (random_uniform(stream) - 0.5);
    }
  for (int m = 0; m < ATOMS; m++)
    for (int d = 0; d < 3; d++)
      s->atom[m][d] = length[d] * random_uniform(stream);
  s->block[0] = (ObservableBlock){&observed_water, observed_charge, WATERS, &s->water[0][0][0], NULL};
  s->block[1] = (ObservableBlock){&observed_atom, observed_one_charge, ATOMS, &s->atom[0][0], NULL};
  s->frame = (ObservableFrame){0.0, &s->box, 2, s->block, NULL};
}

static void scene_random(Scene *s, RandomStream *stream, const double length[3])
{
  s->box = boxes_of(length);
  scene_fill(s, stream, length);
}

/* Pairs of sites of different molecules closer than r, each once. */
static double plain_count(const Scene *s, char a, char b, double r)
{
  enum { ALL = 3 * WATERS + ATOMS };
  double count = 0.0, x[ALL][3], gap[3];
  char name[ALL];
  int molecule[ALL];
  for (int i = 0; i < ALL; i++) {
    const int water = i < 3 * WATERS;
    memcpy(x[i], water ? s->water[i / 3][i % 3] : s->atom[i - 3 * WATERS], sizeof x[i]);
    name[i] = "OHHA"[water ? i % 3 : 3];
    molecule[i] = water ? i / 3 : i - 2 * WATERS;
  }
  for (int i = 0; i < ALL; i++)
    for (int j = i + 1; j < ALL; j++)
      if (molecule[i] != molecule[j] && ((name[i] == a && name[j] == b) || (name[i] == b && name[j] == a)))
        count += box_distance(&s->box, x[i], x[j], gap) < r * r;
  return count;
}

TEST(counts_are_those_of_a_double_loop, .rows = 6, .threads = true)
{
  static const double edge[][3][3] = {{{12.0}, {0.0, 14.0}, {0.0, 0.0, 17.0}},
                                      {{25.0}, {0.0, 31.0}, {0.0, 0.0, 12.1}},
                                      {{60.0}, {0.0, 40.0}, {0.0, 0.0, 50.0}},
                                      {{12.0}, {4.0, 11.3137085}, {-4.0, 5.65685425, 9.79795897}},
                                      {{40.0}, {0.0, 40.0}, {20.0, 20.0, 28.2842712}},
                                      {{12.0}, {-6.0, 36.0}, {3.0, 18.0, 13.0}}};
  static Scene scene[3];
  const ObservableOps *ops = observed_ops("rdf");
  const double longest = _i == 0 ? 6.0 : 5.9, length[3] = {edge[_i][0][0], edge[_i][1][1], edge[_i][2][2]};
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(box_set(&scene[k].box, edge[_i], NULL), STATUS_OK);
    scene_fill(&scene[k], &stream, length);
  }
  const ObservableOptions options = {.rdf.max = longest, .rdf.width = 0.1, .threads = 3};
  Observable *self = observed_create(ops, &options, &scene[0].frame);
  for (int k = 0; k < 3; k++)
    observed_sample(self, k + 1, &scene[k].frame);
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  for (size_t row = 0; row < table->nrow; row += 7) {
    const double r = tables_cell(table, row, "r_hi");
    double oo = 0.0, oh = 0.0, hh = 0.0, oa = 0.0, aa = 0.0;
    for (int k = 0; k < 3; k++) {
      oo += 2.0 * plain_count(&scene[k], 'O', 'O', r) / (3 * WATERS);
      oh += plain_count(&scene[k], 'O', 'H', r) / (3 * WATERS);
      hh += 2.0 * plain_count(&scene[k], 'H', 'H', r) / (6 * WATERS);
      oa += plain_count(&scene[k], 'O', 'A', r) / (3 * WATERS);
      aa += 2.0 * plain_count(&scene[k], 'A', 'A', r) / (3 * ATOMS);
    }
    ck_assert_double_eq_tol(tables_cell(table, row, "n_O-O"), oo, 1e-6 * (1.0 + oo));
    ck_assert_double_eq_tol(tables_cell(table, row, "n_O-H"), oh, 1e-6 * (1.0 + oh));
    ck_assert_double_eq_tol(tables_cell(table, row, "n_H-H"), hh, 1e-6 * (1.0 + hh));
    ck_assert_double_eq_tol(tables_cell(table, row, "n_O-Ar"), oa, 1e-6 * (1.0 + oa));
    ck_assert_double_eq_tol(tables_cell(table, row, "n_Ar-Ar"), aa, 1e-6 * (1.0 + aa));
  }
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* The same points with another set of edges for the same lattice, and then with a box that leans by nothing.
 */
TEST(the_lattice_counts_and_not_its_edges, .threads = true)
{
  static const double edge[4][3][3] = {{{15.0}, {6.0, 14.0}, {-4.0, 5.0, 13.0}},
                                       {{15.0}, {36.0, 14.0}, {-4.0 + 6.0 - 15.0, 19.0, 13.0}},
                                       {{15.0}, {0.0, 14.0}, {0.0, 0.0, 13.0}},
                                       {{15.0, 1e-9}, {-1e-9, 14.0}, {0.0, 1e-9, 13.0}}};
  static Scene scene[4];
  const ObservableOps *ops = observed_ops("rdf");
  const ObservableOptions options = {.rdf.max = 6.0, .rdf.width = 0.1};
  ResultTable *table[4];
  for (int k = 0; k < 4; k++) {
    RandomStream stream = random_stream(15, 0, RANDOM_TEST);
    ResultSet report = {0};
    ck_assert_int_eq(box_set(&scene[k].box, edge[k], NULL), STATUS_OK);
    scene_fill(&scene[k], &stream, edge[2][0]);
    Observable *self = observed_create(ops, &options, &scene[k].frame);
    observed_sample(self, 1, &scene[k].frame);
    table[k] = observed_write(self, &report);
    results_free(&report);
    observable_free(self);
  }
  for (int pair = 0; pair < 4; pair += 2)
    for (int c = 0; c < table[pair]->ncol; c++)
      ck_assert_mem_eq(table[pair]->column[c].value, table[pair + 1]->column[c].value,
                       table[pair]->nrow * sizeof(double));
  for (int k = 0; k < 4; k++)
    results_free_table(table[k]);
}

/* g = 1 at all distances within the errors; boxes of changing size too. */
TEST(an_ideal_gas_has_no_structure)
{
  static Scene scene;
  const ObservableOps *ops = observed_ops("rdf");
  RandomStream stream = random_stream(6, 0, RANDOM_TEST);
  const ObservableOptions options = {.rdf.max = 5.0, .rdf.width = 0.25};
  Observable *self = NULL;
  for (int k = 0; k < 600; k++) {
    const double scale = 1.0 + 0.3 * (k % 5), length[3] = {10.0 * scale, 11.0 * scale, 13.0 * scale};
    scene_random(&scene, &stream, length);
    if (k == 0)
      self = observed_create(ops, &options, &scene.frame);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  static const char *const pair[4] = {"O-O", "O-Ar", "Ar-Ar", "H-H"};
  for (int p = 0; p < 4; p++) {
    double chi2 = 0.0;
    int n = 0;
    char column[2][32];
    snprintf(column[0], 32, "g_%s", pair[p]);
    snprintf(column[1], 32, "g_%s_err", pair[p]);
    for (size_t row = 4; row < table->nrow; row++, n++)
      chi2 += pow((tables_cell(table, row, column[0]) - 1.0) / tables_cell(table, row, column[1]), 2);
    ck_assert_msg(chi2 < n + 4.0 * sqrt(2.0 * n) && chi2 > n - 3.0 * sqrt(2.0 * n), "%s: %g of %d", pair[p],
                  chi2, n);
    ck_assert_double_lt(tables_cell(table, table->nrow - 1, column[1]), 0.05);
  }
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* What noise leaves on g = 1, in one sample or in many, is neither a peak nor a shell of neighbours. */
TEST(noise_has_no_peaks, .rows = suite_rows(3, 12))
{
  static const double length[3] = {25.0, 26.0, 27.0};
  static const char *const pair[] = {"O-O", "O-H", "H-H", "O-Ar", "H-Ar", "Ar-Ar"};
  static Scene scene;
  const ObservableOps *ops = observed_ops("rdf");
  const ObservableOptions options = {0};
  RandomStream stream = random_stream(60 + (uint64_t)_i, 0, RANDOM_TEST);
  scene_random(&scene, &stream, length);
  scene.block[1].nmol = _i % 2 == 0 ? 2 : ATOMS;
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < (_i % 3 == 0 ? 1 : 70); k++) {
    scene_random(&scene, &stream, length);
    scene.block[1].nmol = _i % 2 == 0 ? 2 : ATOMS;
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  for (size_t p = 0; p < sizeof pair / sizeof *pair; p++) {
    const ResultNumber *mark = observed_number(&report, pair[p], "peak");
    ck_assert(isnan(mark->value));
    ck_assert_ptr_nonnull(strstr(mark->note, "not resolved"));
    ck_assert_ptr_null(results_find(&report, "gofr", pair[p], "peak_r"));
  }
  for (int i = 0; i < report.n; i++)
    ck_assert_str_ne(report.number[i].name, "coordination");
  results_free(&report);
  observable_free(self);
}

/* Eight atoms, each with six oxygens of waters at 2.4 A about it, and the other waters at 3.4 A: of unlike
 * sites the number around each of the two is told; pairs of the few atoms have no peak. */
TEST(neighbours_are_told_both_ways)
{
  enum { SHELLS = 8, EACH = 6 };
  static double water[WATERS][3][3], atom[SHELLS][3];
  const Box box = box_brick(24.0, 24.0, 24.0);
  const ObservableBlock block[2] = {{&observed_water, observed_charge, WATERS, &water[0][0][0], NULL},
                                    {&observed_atom, observed_one_charge, SHELLS, &atom[0][0], NULL}};
  const ObservableFrame frame = {0.0, &box, 2, block, NULL};
  const ObservableOps *ops = observed_ops("rdf");
  const ObservableOptions options = {.rdf.max = 4.0};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(61, 0, RANDOM_TEST);
  for (int k = 0; k < 80; k++) {
    for (int m = 0; m < SHELLS; m++)
      for (int d = 0; d < 3; d++)
        atom[m][d] = 12.0 * (m >> d & 1) + 0.5 * random_uniform(&stream);
    for (int m = 0; m < WATERS; m++) {
      const double reach = (m < SHELLS * EACH ? 2.4 : 3.4) + 0.05 * random_normal(&stream);
      for (int s = 0; s < 3; s++)
        for (int d = 0; d < 3; d++)
          water[m][s][d] = atom[m % SHELLS][d] +
                           (d == (m / SHELLS) % 3 ? (m / SHELLS / 3 % 2 ? -reach : reach) : 0.0) +
                           (s > 0) * (random_uniform(&stream) - 0.5);
    }
    observed_sample(self, 1, &frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  const size_t row = table->nrow - 1;
  ck_assert_double_eq_tol(tables_cell(table, row, "n_Ar-O") * SHELLS,
                          tables_cell(table, row, "n_O-Ar") * WATERS, 1e-4);
  ck_assert_double_eq_tol(tables_cell(table, row, "n_Ar-O"), (double)WATERS / SHELLS, 1e-6);
  ck_assert_double_eq_tol(observed_number(&report, "O-Ar", "peak_r")->value, 2.4, 0.02);
  ck_assert_double_eq_tol(observed_number(&report, "Ar: O", "coordination")->value, EACH, 1e-6);
  ck_assert_double_eq_tol(observed_number(&report, "O: Ar", "coordination")->value,
                          (double)EACH * SHELLS / WATERS, 1e-6);
  ck_assert(isnan(observed_number(&report, "Ar-Ar", "peak")->value));
  char *script; /* has no panel of the pairs that show nothing, and says so */
  ck_assert_int_eq(file_read(files_path("gofr.gp"), SIZE_MAX, &script, NULL, NULL), STATUS_OK);
  ck_assert_ptr_nonnull(strstr(script, "'g(r) O-Ar'"));
  ck_assert_ptr_null(strstr(script, "'g(r) Ar-Ar'"));
  ck_assert_ptr_nonnull(strstr(script, "too few pairs to draw: Ar-Ar"));
  free(script);
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* A simple cubic lattice with a little noise: 6 neighbours at a, 12 at sqrt(2) a, 8 at sqrt(3) a; and the
 * first peak of a Gaussian of known width at its place. */
TEST(a_lattice_has_its_peaks)
{
  enum { SIDE = 8, N = SIDE * SIDE * SIDE };
  static double x[N][3];
  const double a = 3.0, noise = 0.1;
  const Box box = box_brick(a * SIDE, a * SIDE, a * SIDE);
  const ObservableBlock block = {&observed_atom, NULL, N, &x[0][0], NULL};
  const ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("rdf");
  const ObservableOptions options = {.rdf.max = 6.5, .rdf.width = 0.02};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(7, 0, RANDOM_TEST);
  for (int k = 0; k < 100; k++) {
    for (int i = 0; i < N; i++)
      for (int d = 0; d < 3; d++)
        x[i][d] = a * (i /
                       (d == 0   ? SIDE * SIDE
                        : d == 1 ? SIDE
                                 : 1) %
                       SIDE) +
                  noise * random_normal(&stream);
    observed_sample(self, 1, &frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  static const double gap[3] = {3.6, 4.72, 5.6}, number[3] = {6.0, 18.0, 26.0};
  for (int k = 0; k < 3; k++)
    ck_assert_double_eq_tol(tables_cell(table, (size_t)lround(gap[k] / 0.02) - 1, "n_Ar-Ar"), number[k],
                            5e-3);
  /* 6 in a Gaussian of variance 2 noise^2 about a + noise^2*2/a (the sideways motion), over 4 pi r^2 rho */
  const double sigma = sqrt(2.0) * noise;
  const double top = 6.0 / (sqrt(2.0 * M_PI) * sigma * 4.0 * M_PI * a * a / (a * a * a)) * N / (N - 1.0);
  const ResultNumber *r = observed_number(&report, "Ar-Ar", "peak_r"),
                     *g = observed_number(&report, "Ar-Ar", "peak_g"),
                     *n = observed_number(&report, "Ar: Ar", "coordination");
  ck_assert_double_eq_tol(r->value, a, 0.012);
  ck_assert_double_eq_tol(g->value, top, 0.04 * top);
  ck_assert_double_eq_tol(n->value, 6.0, 0.02);
  ck_assert_double_lt(r->error, 0.01);
  ck_assert_double_gt(r->error, 1e-5);
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* At rest all pairs of a shell are in one bin, and the bins beside it are empty: a parabola through them that
 * bends upwards has no peak, and one through empty bins no minimum below them. */
TEST(a_lattice_at_rest_has_its_peak, .rows = 4)
{
  enum { SIDE = 4, N = SIDE * SIDE * SIDE };
  static double x[N][3];
  const double a = 3.0 + 0.005 * _i, width = 0.02;
  const Box box = box_brick(a * SIDE, a * SIDE, a * SIDE);
  const ObservableBlock block = {&observed_atom, NULL, N, &x[0][0], NULL};
  const ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOptions options = {.rdf.max = 5.9, .rdf.width = width};
  Observable *self = observed_create(observed_ops("rdf"), &options, &frame);
  for (int i = 0; i < N; i++)
    for (int d = 0; d < 3; d++)
      x[i][d] = a * (d == 0 ? i / (SIDE * SIDE) : d == 1 ? i / SIDE % SIDE : i % SIDE);
  for (int k = 0; k < 10; k++)
    observed_sample(self, 1, &frame);
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  const double bin = 6.0 / (4.0 * M_PI * a * a * width / (a * a * a)) * N / (N - 1.0);
  ck_assert_double_eq_tol(observed_number(&report, "Ar-Ar", "peak_r")->value, a, 0.08);
  ck_assert_double_gt(observed_number(&report, "Ar-Ar", "peak_g")->value, 0.1 * bin);
  ck_assert_double_lt(observed_number(&report, "Ar-Ar", "peak_g")->value, bin);
  ck_assert_double_eq_tol(observed_number(&report, "Ar-Ar", "minimum_g")->value, 0.0, 1e-12);
  ck_assert_double_eq_tol(observed_number(&report, "Ar: Ar", "coordination")->value, 6.0, 1e-9);
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

static void scene_next(void *scene, RandomStream *stream, int k)
{
  (void)k;
  scene_random(scene, stream, (const double[3]){25.0, 31.0, 24.0});
}

TEST(threads_and_restarts_leave_no_trace, .threads = true)
{
  static Scene scene;
  const ObservableOptions options = {.threads = 4};
  RandomStream stream = random_stream(8, 0, RANDOM_TEST);
  scene_next(&scene, &stream, 0);
  observed_leaves_no_trace(observed_ops("rdf"), &options, &scene.frame, 150, 70, scene_next, &scene, &stream);
}

TEST(what_cannot_be_is_refused, .threads = true)
{
  static Scene scene;
  const double length[3] = {25.0, 31.0, 24.0};
  const ObservableOps *ops = observed_ops("rdf");
  ObservableOptions options = {.rdf.max = 12.1, .threads = 2};
  RandomStream stream = random_stream(9, 0, RANDOM_TEST);
  Observable *self;
  Error error;
  scene_random(&scene, &stream, length);
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "24 A"));
  options.rdf.max = 12.0;
  self = observed_create(ops, &options, &scene.frame);
  observed_sample(self, 2, &scene.frame);
  scene.box = boxes_with(&scene.box, 0, 23.9);
  ck_assert_int_eq(observed_add(self, 2, &scene.frame, &error), STATUS_INPUT);
  scene.box = boxes_with(&scene.box, 0, 25.0);
  scene.water[7][1][2] = NAN;
  ck_assert_int_eq(observed_add(self, 2, &scene.frame, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "molecule 8 of water"));
  observable_free(self);
  scene.box = box_brick(25.0, 31.0, 0.0);
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "in all directions, or in none"));
  int row;
  ck_assert_int_eq(observable_find("rdg", &row, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "did you mean 'rdf'"));
  ck_assert_int_eq(observable_find("gofr", &row, &error), STATUS_OK); /* as it was called in boxes */
  ck_assert_int_eq(row, OBSERVABLE_rdf);
}
