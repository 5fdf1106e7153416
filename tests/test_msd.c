/* Mean-square displacements: exact motions, direct sums, diffusion of a random walk, wrapped and unwrapped
 * molecules, threads, restarts, and what is refused. */
#include "tests/observables.h"
#include "tests/suite.h"

enum { WATERS = 7, ATOMS = 5, ALL = WATERS + ATOMS, SAMPLES = 1500 };

static const double edge[3] = {14.0, 17.0, 15.0};

typedef struct Scene {
  Box box;
  double centre[ALL][3]; /* of oxygens, and atoms: unwrapped */
  double water[WATERS][3][3], atom[ATOMS][3];
  ObservableBlock block[2];
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s)
{
  *s = (Scene){.box = box_brick(edge[0], edge[1], edge[2])};
  s->block[0] = (ObservableBlock){&observed_water, observed_charge, WATERS, &s->water[0][0][0], NULL};
  s->block[1] = (ObservableBlock){&observed_atom, observed_one_charge, ATOMS, &s->atom[0][0], NULL};
  s->frame = (ObservableFrame){0.0, &s->box, 2, s->block, NULL};
}

/* Sample k of a walk, the waters turning about their oxygens; wrapped at random on demand. */
static void scene_walk(Scene *s, RandomStream *walk, RandomStream *images, int k)
{
  s->frame.time = 0.1 * k;
  for (int m = 0; m < ALL; m++) {
    double turns[3] = {0.0}, shift[3];
    for (int d = 0; d < 3 && images != NULL; d++)
      turns[d] = (int)random_below(images, 5) - 2;
    box_point(&s->box, turns, shift);
    for (int d = 0; d < 3; d++) {
      s->centre[m][d] += 0.4 * random_normal(walk) + 0.02 * d;
      if (m >= WATERS)
        s->atom[m - WATERS][d] = s->centre[m][d] + shift[d];
      for (int i = 0; i < 3 && m < WATERS; i++)
        s->water[m][i][d] = s->centre[m][d] + shift[d] + observed_at[3 * i + (d + k) % 3];
    }
  }
}

static void centres(const Scene *s, double x[ALL][3])
{
  for (int m = 0; m < ALL; m++)
    if (m < WATERS)
      observable_centre(&observed_water, &s->water[m][0][0], x[m]);
    else
      memcpy(x[m], s->atom[m - WATERS], sizeof x[m]);
}

/* As in the table: origins every `stride` samples, the centre of everything at rest. */
static double direct(double (*x)[ALL][3], int from, int to, int n, int lag, int stride)
{
  double sum = 0.0;
  int count = 0;
  const double mass = kind_mass(&observed_water), all = WATERS * mass + ATOMS * observed_mass[0];
  for (int k = 0; k + lag < n; k += stride, count++) {
    double drift[3] = {0.0};
    for (int m = 0; m < ALL; m++)
      for (int d = 0; d < 3; d++)
        drift[d] += (m < WATERS ? mass : observed_mass[0]) / all * (x[k + lag][m][d] - x[k][m][d]);
    for (int m = from; m < to; m++)
      for (int d = 0; d < 3; d++)
        sum += pow(x[k + lag][m][d] - x[k][m][d] - drift[d], 2) / (to - from);
  }
  return sum / count;
}

TEST(all_lags_are_those_of_direct_sums)
{
  static double x[SAMPLES][ALL][3];
  static Scene scene;
  const ObservableOps *ops = observed_ops("msd");
  const ObservableOptions options = {.interval = 0.1, .msd.max = 100.0};
  RandomStream walk = random_stream(11, 0, RANDOM_TEST);
  scene_create(&scene);
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < SAMPLES; k++) {
    scene_walk(&scene, &walk, NULL, k);
    centres(&scene, x[k]);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  ck_assert_uint_eq(table->nrow, 16 + 14 + 13);
  for (size_t row = 0; row < table->nrow; row++) {
    const double ps = tables_cell(table, row, "time_ps");
    const int lag = (int)lround(ps / (0.1 * UNITS_AKMA_FS * 1e-3));
    const int stride = lag <= 16 ? 1 : lag <= 128 ? 8 : 64;
    const double water = direct(x, 0, WATERS, SAMPLES, lag, stride),
                 atom = direct(x, WATERS, ALL, SAMPLES, lag, stride);
    ck_assert_double_eq_tol(tables_cell(table, row, "msd_water"), water, 1e-9 * water);
    ck_assert_double_eq_tol(tables_cell(table, row, "msd_argon"), atom, 1e-9 * atom);
  }
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

static void scene_next(void *scene, RandomStream *walk, int k) { scene_walk(scene, walk, NULL, k); }

TEST(threads_and_restarts_leave_no_trace, .threads = true)
{
  static Scene scene;
  const ObservableOptions options = {.interval = 0.1, .msd.max = 20.0, .threads = 3};
  RandomStream walk = random_stream(12, 0, RANDOM_TEST);
  scene_create(&scene);
  observed_leaves_no_trace(observed_ops("msd"), &options, &scene.frame, 400, 171, scene_next, &scene, &walk);
}

TEST(images_do_not_matter, .rows = 3)
{
  static const double around[][3][3] = {{{14.0}, {0.0, 17.0}, {0.0, 0.0, 15.0}},
                                        {{14.0}, {7.0, 17.0}, {-6.0, 8.0, 15.0}},
                                        {{18.0}, {6.0, 16.97}, {-6.0, 8.485, 14.7}}};
  static Scene scene[2];
  const ObservableOps *ops = observed_ops("msd");
  const ObservableOptions options = {.interval = 0.1, .msd.max = 20.0};
  RandomStream images = random_stream(13, 0, RANDOM_TEST);
  ResultTable *table[2];
  for (int wrapped = 0; wrapped < 2; wrapped++) {
    RandomStream walk = random_stream(12, 0, RANDOM_TEST);
    Scene *s = &scene[wrapped];
    scene_create(s);
    ck_assert_int_eq(box_set(&s->box, around[_i], NULL), STATUS_OK);
    Observable *self = observed_create(ops, &options, &s->frame);
    for (int k = 0; k < 400; k++) {
      scene_walk(s, &walk, wrapped ? &images : NULL, k);
      observed_sample(self, 1, &s->frame);
    }
    ResultSet report = {0};
    table[wrapped] = observed_write(self, &report);
    results_free(&report);
    observable_free(self);
  }
  ck_assert_uint_gt(table[0]->nrow, 16);
  for (size_t row = 0; row < table[0]->nrow; row++)
    ck_assert_double_eq_tol(tables_cell(table[0], row, "msd_water"), tables_cell(table[1], row, "msd_water"),
                            1e-9 * tables_cell(table[0], row, "msd_water"));
  results_free_table(table[0]);
  results_free_table(table[1]);
}

/* Atoms that stay at their fractions of a box that breathes, shears, and is written with other edges of its
 * lattice once it leans too far; the distances that the box moves them are long. */
TEST(what_moves_with_the_box_does_not_move, .rows = 2)
{
  enum { N = 20, STEPS = 200 };
  double x[N][3], u[N][3];
  RandomStream stream = random_stream(14, 0, RANDOM_TEST);
  double edges[3][3] = {
      {20.0}, {_i == 0 ? 0.0 : 9.9, 21.0}, {_i == 0 ? 0.0 : -9.8, _i == 0 ? 0.0 : 10.3, 19.0}};
  Box box;
  const ObservableBlock block = {&observed_atom, NULL, N, x[0], NULL};
  ObservableFrame frame = {0.0, &box, 1, &block};
  const ObservableOps *ops = observed_ops("msd");
  const ObservableOptions options = {.interval = 1.0, .msd.max = 100.0, .keep_drift = true};
  int turned = 0;
  Observable *self = NULL;
  for (int i = 0; i < 3 * N; i++)
    u[i / 3][i % 3] = 40.0 * (random_uniform(&stream) - 0.5);
  for (int k = 0; k < STEPS; k++) {
    for (int d = 0; d < 3; d++)
      for (int e = 0; e <= d && k > 0; e++)
        edges[d][e] *= 1.0 + 0.03 * (random_uniform(&stream) - 0.5) * (_i == 0 || e == 0 || k % 2);
    ck_assert_int_eq(box_set(&box, (const double(*)[3])edges, NULL), STATUS_OK);
    turned += box.h[1][0] != edges[1][0] || box.h[2][0] != edges[2][0] || box.h[2][1] != edges[2][1];
    for (int i = 0; i < N; i++)
      for (int d = 0; d < 3; d++)
        x[i][d] = u[i][0] * edges[0][d] + u[i][1] * edges[1][d] + u[i][2] * edges[2][d];
    frame.time = k;
    self = k == 0 ? observed_create(ops, &options, &frame) : self;
    observed_sample(self, 1, &frame);
  }
  ck_assert_int_eq(turned > 5 && turned < STEPS - 5, _i);
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  ck_assert_uint_gt(table->nrow, 16);
  for (size_t row = 0; row < table->nrow; row++)
    ck_assert_double_lt(tables_cell(table, row, "msd_argon"), 1e-20);
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

TEST(straight_flight_is_exact)
{
  double x[2][3] = {{0.0}}, t = 0.0;
  const double v[2][3] = {{0.3, -1.1, 0.4}, {-0.2, 0.5, 1.0}};
  const Box box = box_brick(20.0, 20.0, 20.0);
  const ObservableBlock block = {&observed_atom, NULL, 2, x[0], NULL};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("msd");
  const ObservableOptions options = {.interval = 2.0, .msd.max = 300.0, .keep_drift = true};
  Observable *self = observed_create(ops, &options, &frame);
  for (int k = 0; k < 300; k++, t += 2.0) {
    frame.time = t;
    for (int i = 0; i < 6; i++)
      x[i / 3][i % 3] = v[i / 3][i % 3] * t;
    observed_sample(self, 1, &frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  ck_assert_uint_gt(table->nrow, 16);
  const double v2 = 0.5 * (0.09 + 1.21 + 0.16 + 0.04 + 0.25 + 1.0);
  for (size_t row = 0; row < table->nrow; row++) {
    const double akma = tables_cell(table, row, "time_ps") / (UNITS_AKMA_FS * 1e-3);
    ck_assert_double_eq_tol(tables_cell(table, row, "msd_argon"), v2 * akma * akma, 1e-8 * v2 * akma * akma);
  }
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* Independent walkers: D = s^2/(2 dt) within the error, which is as large as theory says: the displacements
 * over t of N walkers in a time T give D to about sqrt(2 t/(3 N T)) of itself. */
TEST(a_random_walk_diffuses)
{
  enum { N = 60, STEPS = 6000 };
  static double x[N][3];
  const Box box = box_brick(30.0, 30.0, 30.0);
  const ObservableBlock block = {&observed_atom, NULL, N, x[0], NULL};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("msd");
  const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3), dt = 0.5 * ps, s = 0.8;
  const ObservableOptions options = {.interval = dt,
                                     .keep_drift = true,
                                     .temperature = 298.0,
                                     .given_viscosity = 0.321,
                                     .viscosity_source = "a table"};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(14, 0, RANDOM_TEST);
  for (int k = 0; k < STEPS; k++) {
    frame.time = dt * k;
    for (int i = 0; i < N; i++)
      for (int d = 0; d < 3; d++)
        x[i][d] += s * random_normal(&stream);
    observed_sample(self, 1, &frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  const ResultNumber *d = observed_number(&report, "argon", "D_L"),
                     *add = observed_number(&report, "argon", "D_correction"),
                     *infinite = observed_number(&report, "argon", "D_infinite");
  const double exact = 10.0 * s * s / (2.0 * 0.5);
  const double expected = exact * sqrt(2.0 * 10.0 / (3.0 * N * STEPS * 0.5));
  ck_assert_double_eq_tol(d->value, exact, 3.5 * d->error);
  ck_assert_double_lt(d->error, 3.0 * expected);
  ck_assert_double_gt(d->error, 0.2 * expected);
  ck_assert_double_eq_tol(add->value, 0.6431, 2e-4); /* 1e-9 m^2/s, by hand */
  ck_assert_double_eq_tol(infinite->value, d->value + add->value, 1e-12);
  ck_assert_ptr_nonnull(strstr(add->note, "a table"));
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* Free flight and motion about a fixed place are no diffusion, however long the series is. */
TEST(what_does_not_diffuse_has_no_diffusion, .rows = 2)
{
  enum { N = 60, STEPS = 2000 };
  static double x[N][3], v[N][3];
  const Box box = box_brick(30.0, 30.0, 30.0);
  const ObservableBlock block = {&observed_atom, NULL, N, x[0], NULL};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("msd");
  const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3), dt = 0.05; /* ps */
  const ObservableOptions options = {.interval = dt * ps, .msd.from = 0.3 * ps, .msd.to = 2.5 * ps};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(15, 0, RANDOM_TEST);
  for (int i = 0; i < 3 * N; i++) {
    x[i / 3][i % 3] = 0.0;
    v[i / 3][i % 3] = random_normal(&stream);
  }
  for (int k = 0; k < STEPS; k++) {
    frame.time = dt * ps * k;
    for (int i = 0; i < 3 * N; i++)
      if (_i == 0)
        x[i / 3][i % 3] = v[i / 3][i % 3] * dt * k;
      else
        x[i / 3][i % 3] = exp(-dt) * x[i / 3][i % 3] + sqrt(1.0 - exp(-2.0 * dt)) * random_normal(&stream);
    observed_sample(self, 1, &frame);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  const ResultNumber *d = observed_number(&report, "argon", "D_L");
  ck_assert(isnan(d->value));
  ck_assert_msg(strstr(d->note, "not diffusive") != NULL, "%s", d->note);
  results_free(&report);
  observable_free(self);
}

/* A walk whose steps are so short that nobody gets past a neighbour within the window. */
TEST(cages_that_are_not_left_give_no_diffusion, .rows = 2)
{
  enum { N = 60, STEPS = 1000 };
  static double x[N][3];
  const Box box = box_brick(12.0, 12.0, 12.0);
  const ObservableBlock block = {&observed_atom, NULL, N, x[0], NULL};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("msd");
  const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3), dt = 0.05; /* ps */
  const double step = _i == 0 ? 0.02 : 0.2;                  /* within 2.5 ps: 0.25 and 2.5 A of 3.1 A */
  const ObservableOptions options = {.interval = dt * ps, .msd.from = 0.3 * ps, .msd.to = 2.5 * ps};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(16, 0, RANDOM_TEST);
  for (int k = 0; k < STEPS; k++) {
    frame.time = dt * ps * k;
    for (int i = 0; i < 3 * N; i++)
      x[i / 3][i % 3] += step * random_normal(&stream);
    observed_sample(self, 1, &frame);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  const ResultNumber *d = observed_number(&report, "argon", "D_L");
  if (_i == 0)
    ck_assert_msg(isnan(d->value) && strstr(d->note, "have not left their neighbours") != NULL, "%s",
                  d->note);
  else
    ck_assert_double_eq_tol(d->value, 10.0 * step * step / (2.0 * dt), 4.0 * d->error);
  results_free(&report);
  observable_free(self);
}

TEST(what_cannot_be_followed_is_refused, .threads = true)
{
  double x[2][3] = {{0.0}};
  const Box box = box_brick(20.0, 20.0, 20.0);
  const ObservableBlock block = {&observed_atom, NULL, 2, x[0], NULL};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("msd");
  ObservableOptions options = {.threads = 2};
  Observable *self;
  Error error;
  ck_assert_int_eq(observable_create(&self, ops, &options, &frame, &error), STATUS_INPUT);
  options.interval = 1.0;
  self = observed_create(ops, &options, &frame);
  observed_sample(self, 2, &frame);
  frame.time = 1.0;
  x[1][2] = 8.1;
  ck_assert_int_eq(observed_add(self, 2, &frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "too far apart"));
  ck_assert_ptr_nonnull(strstr(error.text, "number 2 of argon"));
  x[1][2] = 7.9; /* nothing of it was taken */
  observed_sample(self, 2, &frame);
  frame.time = 2.1;
  ck_assert_int_eq(observed_add(self, 2, &frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "evenly spaced"));
  frame.time = 2.0;
  x[0][0] = NAN;
  ck_assert_int_eq(observed_add(self, 2, &frame, &error), STATUS_RUN);
  observable_free(self);
}
