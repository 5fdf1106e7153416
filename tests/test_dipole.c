/* Dipoles: independent ones give the Langevin-Debye value, images and ions do not matter, running results,
 * restarts, and what is refused. */
#include "base/file.h"
#include "engine/place.h"
#include "tests/observables.h"
#include "tests/suite.h"

enum { N = 40 };

static const double ion_charge[1] = {1.0};

typedef struct Scene {
  Box box;
  double water[N][3][3], ion[3];
  ObservableBlock block[2];
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s)
{
  *s = (Scene){.box = box_brick(18.0, 19.0, 20.0)};
  s->block[0] = (ObservableBlock){&observed_water, observed_charge, N, &s->water[0][0][0], NULL};
  s->block[1] = (ObservableBlock){&observed_atom, ion_charge, 1, s->ion, NULL};
  s->frame = (ObservableFrame){0.0, &s->box, 2, s->block, NULL};
}

/* Whole waters anywhere, turned at random. */
static void scene_random(void *scene, RandomStream *stream, int k)
{
  Scene *s = scene;
  (void)k;
  for (int m = 0; m < N; m++) {
    double at[3];
    for (int d = 0; d < 3; d++)
      at[d] = 60.0 * random_uniform(stream);
    place_molecule(&observed_water, stream, at, s->water[m][0]);
  }
  for (int d = 0; d < 3; d++)
    s->ion[d] = 100.0 * random_uniform(stream);
}

TEST(independent_dipoles_give_langevin_and_debye)
{
  static Scene scene;
  const ObservableOps *ops = observed_ops("dipole");
  const ObservableOptions options = {.temperature = 300.0, .interval = 1.0};
  RandomStream stream = random_stream(31, 0, RANDOM_TEST);
  scene_create(&scene);
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < 4000; k++) {
    scene_random(&scene, &stream, k);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  const double mu = 2.0 * 0.4 * 0.58; /* e A */
  const double epsilon = 1.0 + 4.0 * M_PI * UNITS_COULOMB * N * mu * mu /
                                   (3.0 * box_volume(&scene.box) * UNITS_BOLTZMANN * 300.0);
  const ResultNumber *e = observed_number(&report, "box", "epsilon"),
                     *box = observed_number(&report, "box", "G_K"),
                     *g = observed_number(&report, "box", "g_K"),
                     *one = observed_number(&report, "molecule", "dipole"),
                     *m = observed_number(&report, "box", "M_x");
  ck_assert_double_eq_tol(e->value, epsilon, 4.0 * e->error);
  /* M^2 of a vector of normal components scatters by sqrt(2/3) of itself */
  ck_assert_double_eq_tol(e->error, (epsilon - 1.0) * sqrt(2.0 / 3.0 / 4000), 0.4 * e->error);
  ck_assert_double_eq_tol(box->value, 1.0, 4.0 * box->error);
  ck_assert_double_eq_tol(g->value, box->value * (2.0 * e->value + 1.0) / (3.0 * e->value),
                          1e-5); /* each corrected for bias */
  ck_assert_double_eq_tol(one->value, 4.80320471 * mu, 1e-9);
  ck_assert_double_lt(fabs(m->value), 4.0 * m->error);
  ck_assert_ptr_nonnull(strstr(report.remark, "left out"));
  ck_assert_uint_ge(table->nrow, 32);
  /* The picture has a band, which narrows to the error that is told. */
  char *data;
  double time, running, error = NAN, last = NAN, widest = 0.0;
  ck_assert_int_eq(file_read(files_path("dipole.dat"), SIZE_MAX, &data, NULL, NULL), STATUS_OK);
  for (char *line = data; line != NULL; line = strchr(line + 1, '\n'))
    if (sscanf(line, "%lf %lf %lf", &time, &running, &error) == 3 && isfinite(error)) {
      last = error;
      widest = fmax(widest, error);
    }
  free(data);
  ck_assert_double_eq_tol(last, e->error, 0.2 * e->error);
  ck_assert_double_gt(widest, 2.0 * e->error);
  ck_assert_double_eq_tol(tables_cell(table, table->nrow - 1, "epsilon"), epsilon, 8.0 * e->error);
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* Where the volume changes, the constant is that of mean square dipole and mean volume: here the dipole is
 * there in the larger one alone. */
TEST(volumes_that_change)
{
  enum { SAMPLES = 4000 };
  static Scene scene;
  const ObservableOps *ops = observed_ops("dipole");
  const ObservableOptions options = {.temperature = 300.0, .interval = 1.0};
  RandomStream stream = random_stream(35, 0, RANDOM_TEST);
  scene_create(&scene);
  const Box box[2] = {box_brick(16.0, 16.0, 16.0), box_brick(24.0, 24.0, 24.0)};
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < SAMPLES; k++) {
    scene_random(&scene, &stream, k);
    scene.box = box[k % 2];
    for (int i = 0; i < N && k % 2 == 0; i++)
      for (int s = 1; s < 3; s++)
        memcpy(scene.water[i][s], scene.water[i][0], sizeof scene.water[i][s]);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  const double mu = 2.0 * 0.4 * 0.58, volume = 0.5 * (box_volume(&box[0]) + box_volume(&box[1])),
               wanted =
                   0.5 * 4.0 * M_PI * UNITS_COULOMB * N * mu * mu / (3.0 * volume * UNITS_BOLTZMANN * 300.0);
  const ResultNumber *e = observed_number(&report, "box", "epsilon");
  ck_assert_double_eq_tol(e->value - 1.0, wanted, 4.0 * e->error);
  ck_assert_double_lt(e->error, 0.03 * wanted);
  results_free(&report);
  observable_free(self);
}

/* A series in which the dipole hardly turns shows no fluctuations to compute a dielectric constant from. */
TEST(a_series_shorter_than_its_relaxation_has_no_epsilon)
{
  static Scene scene;
  const ObservableOps *ops = observed_ops("dipole");
  const ObservableOptions options = {.temperature = 300.0, .interval = 1.0};
  RandomStream stream = random_stream(33, 0, RANDOM_TEST);
  scene_create(&scene);
  scene_random(&scene, &stream, 0);
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < 300; k++) {
    const double turn = 0.003;
    for (int i = 0; i < 3 * N; i++) {
      double *x = scene.water[i / 3][i % 3];
      const double y = x[0];
      x[0] = cos(turn) * y - sin(turn) * x[1];
      x[1] = sin(turn) * y + cos(turn) * x[1];
    }
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  static const char *const none[] = {"epsilon", "epsilon_zero", "G_K", "g_K"};
  for (int k = 0; k < 4; k++) {
    ck_assert(isnan(observed_number(&report, "box", none[k])->value));
    ck_assert_ptr_nonnull(strstr(observed_number(&report, "box", none[k])->note, "so there are only"));
  }
  ck_assert_double_eq_tol(observed_number(&report, "molecule", "dipole")->value, 4.80320471 * 0.464, 1e-6);
  results_free(&report);
  observable_free(self);
}

/* The mean over many series of few independent samples is right: dipoles about their own mean alone would
 * scatter too little by the error of that mean. */
TEST(short_series_are_not_biased)
{
  enum { RUNS = 1000, SAMPLES = 64 };
  static Scene scene;
  const ObservableOps *ops = observed_ops("dipole");
  const ObservableOptions options = {.temperature = 300.0, .interval = 1.0};
  static const char *const name[] = {"epsilon", "epsilon_zero", "G_K"};
  double mean[3] = {0.0}, square[3] = {0.0};
  RandomStream stream = random_stream(36, 0, RANDOM_TEST);
  scene_create(&scene);
  for (int run = 0; run < RUNS; run++) {
    Observable *self = observed_create(ops, &options, &scene.frame);
    for (int k = 0; k < SAMPLES; k++) {
      if (k % 2 == 0) /* 32 of them are independent */
        scene_random(&scene, &stream, k);
      observed_sample(self, 1, &scene.frame);
    }
    ObservableResult result; /* of epsilon, that with <M> taken for zero, G_K and others */
    ck_assert_int_eq(observable_result(self, self->rows, &result, NULL), STATUS_OK);
    for (int i = 0; i < 3; i++) {
      mean[i] += result.value[i] / RUNS;
      square[i] += result.value[i] * result.value[i] / RUNS;
    }
    observable_result_free(&result);
    observable_free(self);
  }
  const double mu = 2.0 * 0.4 * 0.58;
  const double epsilon = 1.0 + 4.0 * M_PI * UNITS_COULOMB * N * mu * mu /
                                   (3.0 * box_volume(&scene.box) * UNITS_BOLTZMANN * 300.0);
  const double right[3] = {epsilon, epsilon, 1.0};
  for (int i = 0; i < 3; i++) {
    const double error = sqrt((square[i] - mean[i] * mean[i]) / RUNS);
    ck_assert_msg(fabs(mean[i] - right[i]) < 3.5 * error, "%s: %g +- %g, and %g is right", name[i], mean[i],
                  error, right[i]);
    ck_assert_double_lt(6.0 * error, (i < 2 ? epsilon - 1.0 : 1.0) / 32.0); /* the bias would be seen */
  }
}

TEST(threads_and_restarts_leave_no_trace, .threads = true)
{
  static Scene scene;
  const ObservableOptions options = {.temperature = 300.0, .threads = 3};
  RandomStream stream = random_stream(32, 0, RANDOM_TEST);
  scene_create(&scene);
  observed_leaves_no_trace(observed_ops("dipole"), &options, &scene.frame, 300, 100, scene_random, &scene,
                           &stream);
}

TEST(what_cannot_be_is_refused)
{
  static Scene scene;
  const ObservableOps *ops = observed_ops("dipole");
  ObservableOptions options = {0};
  Observable *self;
  Error error;
  scene_create(&scene);
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "temperature"));
  options.temperature = 300.0;
  scene.block[0].charge = NULL;
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "charges of water"));
  scene.frame.nblock = 1;
  scene.frame.block = &scene.block[1];
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "no dipole"));
}
