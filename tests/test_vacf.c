/* Velocity autocorrelations: direct sums, an Ornstein-Uhlenbeck process against its exponential, its
 * Lorentzian and its diffusion, threads, restarts, and what is refused. */
#include "tests/observables.h"
#include "tests/suite.h"

enum { WATERS = 6, ATOMS = 5, LAGS = 80, SAMPLES = 700 };

typedef struct Scene {
  Box box;
  double water[WATERS][3][3], atom[ATOMS][3];
  ObservableBlock block[2];
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s)
{
  *s = (Scene){.box = box_brick(20.0, 20.0, 20.0)};
  s->block[0] =
      (ObservableBlock){&observed_water, observed_charge, WATERS, &s->water[0][0][0], &s->water[0][0][0]};
  s->block[1] = (ObservableBlock){&observed_atom, observed_one_charge, ATOMS, &s->atom[0][0], &s->atom[0][0]};
  s->frame = (ObservableFrame){0.0, &s->box, 2, s->block, NULL};
}

/* Velocities that remember a little, and drift together. */
static void scene_next(void *scene, RandomStream *stream, int k)
{
  Scene *s = scene;
  s->frame.time = 0.05 * k;
  for (int m = 0; m < 9 * WATERS; m++)
    (&s->water[0][0][0])[m] = 0.9 * (&s->water[0][0][0])[m] + 0.3 * random_normal(stream) + 0.1;
  for (int m = 0; m < 3 * ATOMS; m++)
    (&s->atom[0][0])[m] = 0.8 * (&s->atom[0][0])[m] + 0.4 * random_normal(stream);
}

/* Without the motion of the centre: [water centre, O, H, H, ...], then atoms. */
static void relative(const Scene *s, double v[4 * WATERS + ATOMS][3])
{
  double mean[3] = {0.0};
  const double all = WATERS * kind_mass(&observed_water) + ATOMS * observed_mass[0];
  for (int d = 0; d < 3; d++) {
    for (int m = 0; m < WATERS; m++)
      for (int i = 0; i < 3; i++)
        mean[d] += observed_mass[i] * s->water[m][i][d] / all;
    for (int m = 0; m < ATOMS; m++)
      mean[d] += observed_mass[0] * s->atom[m][d] / all;
    for (int m = 0; m < WATERS; m++) {
      double centre[3];
      observable_centre(&observed_water, &s->water[m][0][0], centre);
      v[4 * m][d] = centre[d] - mean[d];
      for (int i = 0; i < 3; i++)
        v[4 * m + 1 + i][d] = s->water[m][i][d] - mean[d];
    }
    for (int m = 0; m < ATOMS; m++)
      v[4 * WATERS + m][d] = s->atom[m][d] - mean[d];
  }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

TEST(all_lags_are_those_of_direct_sums)
{
  static double v[SAMPLES][4 * WATERS + ATOMS][3];
  static Scene scene;
  const ObservableOps *ops = observed_ops("vacf");
  const ObservableOptions options = {.interval = 0.05, .vacf.max = 0.05 * LAGS};
  const double unit = pow(UNITS_AKMA_FS * 1e-3, 2);
  RandomStream stream = random_stream(21, 0, RANDOM_TEST);
  scene_create(&scene);
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < SAMPLES; k++) {
    scene_next(&scene, &stream, k);
    relative(&scene, v[k]);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report);
  ck_assert_uint_eq(table->nrow, LAGS + 1);
  const int every = 3; /* 32 origins for 81 lags */
  for (int lag = 0; lag <= LAGS; lag += 5) {
    double sum[4] = {0.0};
    int n = 0;
    for (int k = 0; k + lag < SAMPLES; k += every, n++)
      for (int m = 0; m < 4 * WATERS + ATOMS; m++)
        sum[m >= 4 * WATERS ? 3 : m % 4 < 2 ? m % 4 : 2] += dot(v[k][m], v[k + lag][m]);
    const double c[4] = {sum[0] / n / WATERS, sum[1] / n / WATERS, sum[2] / n / (2 * WATERS),
                         sum[3] / n / ATOMS};
    static const char *const column[4] = {"C_water", "C_water_O", "C_water_H", "C_argon"};
    for (int s = 0; s < 4; s++)
      ck_assert_double_eq_tol(tables_cell(table, (size_t)lag, column[s]) * unit, c[s], 1e-7);
  }
  results_free_table(table);
  results_free(&report);
  observable_free(self);
}

/* Light sites whose velocities change their size slowly, in molecules whose heavy ones forget theirs at once:
 * their own monitor alone can see it, and the errors of all curves must heed it. */
TEST(the_slowest_site_decides_over_the_errors)
{
  enum { N = 4000 };
  static Scene scene;
  const ObservableOps *ops = observed_ops("vacf");
  const ObservableOptions options = {.interval = 0.05, .vacf.max = 0.05 * 4};
  RandomStream stream = random_stream(24, 0, RANDOM_TEST);
  double inefficiency[2];
  for (int slow = 0; slow < 2; slow++) {
    double size = 0.0;
    scene_create(&scene);
    Observable *self = observed_create(ops, &options, &scene.frame);
    for (int k = 0; k < N; k++) {
      scene.frame.time = 0.05 * k;
      size = 0.98 * size + 0.199 * random_normal(&stream); /* 99 samples to an independent one */
      for (int m = 0; m < 9 * WATERS; m++)
        (&scene.water[0][0][0])[m] = random_normal(&stream) * (m % 9 < 3 ? 1.0 : exp(0.5 * slow * size));
      for (int m = 0; m < 3 * ATOMS; m++)
        (&scene.atom[0][0])[m] = random_normal(&stream);
      observed_sample(self, 1, &scene.frame);
    }
    ResultSet report = {0};
    ResultTable *table = observed_write(self, &report);
    ck_assert_int_eq(results_csv_number(table, "inefficiency", &inefficiency[slow], NULL), STATUS_OK);
    results_free_table(table);
    results_free(&report);
    observable_free(self);
  }
  ck_assert_double_lt(inefficiency[0], 4.0);
  ck_assert_double_gt(inefficiency[1], 20.0);
}

/* v decays at rate g: C = 3 s^2 exp(-g t), S = 2 g/(g^2 + w^2), D = s^2/g. */
TEST(an_ornstein_uhlenbeck_process_is_itself)
{
  enum { N = 80, STEPS = 6000 };
  static double v[N][3];
  const Box box = box_brick(20.0, 20.0, 20.0);
  const ObservableBlock block = {&observed_atom, NULL, N, v[0], v[0]};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("vacf");
  const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3), dt = 0.02, g = 5.0, s = 3.0, longest = 4.0; /* ps */
  const ObservableOptions options = {.interval = dt * ps, .vacf.max = longest * ps, .keep_drift = true};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(22, 0, RANDOM_TEST);
  const double c = exp(-g * dt);
  for (int i = 0; i < 3 * N; i++)
    v[i / 3][i % 3] = s / ps * random_normal(&stream);
  for (int k = 0; k < STEPS; k++) {
    frame.time = dt * ps * k;
    observed_sample(self, 1, &frame);
    for (int i = 0; i < 3 * N; i++)
      v[i / 3][i % 3] = c * v[i / 3][i % 3] + sqrt(1.0 - c * c) * s / ps * random_normal(&stream);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(self, &report), *spectrum;
  ck_assert_int_eq(results_csv_load(&spectrum, files_path("vacf_spectrum.csv"), NULL), STATUS_OK);
  int beyond = 0;
  for (size_t k = 0; k < table->nrow; k += 3) {
    const double t = tables_cell(table, k, "time_ps"), error = tables_cell(table, k, "C_argon_err");
    const double gap = fabs(tables_cell(table, k, "C_argon") - 3.0 * s * s * exp(-g * t));
    ck_assert_double_lt(gap, 5.0 * error);
    beyond += gap > 2.0 * error;
    ck_assert_double_lt(error, 0.03 * 3.0 * s * s);
  }
  ck_assert_int_lt(beyond, (int)table->nrow / 3 / 4);
  for (size_t k = 1; k < 60; k++) {
    const double w = 2.0 * M_PI * tables_cell(spectrum, k, "wavenumber") / 33.3564095198152;
    /* the trapezoidal rule's Lorentzian; the window broadens it by little */
    const double lorentz = dt * (1.0 - c * c) / (1.0 - 2.0 * c * cos(w * dt) + c * c);
    ck_assert_double_eq_tol(tables_cell(spectrum, k, "S_argon"), lorentz,
                            5.0 * tables_cell(spectrum, k, "S_argon_err") + 0.02 * lorentz + 1e-3);
    ck_assert_double_eq_tol(lorentz, 2.0 * g / (g * g + w * w), 0.1 * lorentz);
  }
  const ResultNumber *d = observed_number(&report, "argon", "D_green_kubo");
  ck_assert_double_eq_tol(d->value, 10.0 * s * s / g, 4.0 * d->error + 0.01 * d->value);
  ck_assert_double_lt(d->error, 0.05 * d->value);
  results_free_table(table);
  results_free_table(spectrum);
  results_free(&report);
  observable_free(self);
}

/* Of the same process, D is given where samples are close enough and the integral long enough, and left out
 * with the reason where they are not: the trapezoidal rule would be off by (g dt)^2/12, the end of the
 * integral by exp(-g T). */
TEST(integrals_that_mean_nothing_are_left_out, .rows = 5)
{
  static const struct {
    double dt, longest; /* ps */
    const char *why;
  } cases[] = {{0.05, 1.6, NULL},
               {0.2, 2.0, "too far apart"},
               {0.6, 3.0, "too far apart"},
               {0.02, 0.2, "has not converged"},
               {0.02, 12.0, "does not reach"}};
  enum { N = 80, STEPS = 500 };
  static double v[N][3];
  const Box box = box_brick(20.0, 20.0, 20.0);
  const ObservableBlock block = {&observed_atom, NULL, N, v[0], v[0]};
  ObservableFrame frame = {0.0, &box, 1, &block, NULL};
  const ObservableOps *ops = observed_ops("vacf");
  const double ps = 1.0 / (UNITS_AKMA_FS * 1e-3), g = 5.0, s = 3.0, dt = cases[_i].dt, c = exp(-g * dt);
  const ObservableOptions options = {.interval = dt * ps,
                                     .vacf.max = cases[_i].longest * ps,
                                     .keep_drift = true,
                                     .temperature = 298.0,
                                     .given_viscosity = 0.5};
  Observable *self = observed_create(ops, &options, &frame);
  RandomStream stream = random_stream(24, 0, RANDOM_TEST);
  for (int i = 0; i < 3 * N; i++)
    v[i / 3][i % 3] = s / ps * random_normal(&stream);
  for (int k = 0; k < STEPS; k++) {
    frame.time = dt * ps * k;
    observed_sample(self, 1, &frame);
    for (int i = 0; i < 3 * N; i++)
      v[i / 3][i % 3] = c * v[i / 3][i % 3] + sqrt(1.0 - c * c) * s / ps * random_normal(&stream);
  }
  ResultSet report = {0};
  results_free_table(observed_write(self, &report));
  const ResultNumber *d = observed_number(&report, "argon", "D_green_kubo"),
                     *infinite = results_find(&report, "vacf", "argon", "D_infinite");
  if (cases[_i].why == NULL) {
    ck_assert_double_eq_tol(d->value, 10.0 * s * s / g, 4.0 * d->error + 0.01 * d->value);
    ck_assert_double_gt(infinite->value, d->value + 0.1);
  } else {
    ck_assert(isnan(d->value));
    ck_assert_ptr_null(infinite);
    ck_assert_msg(strstr(d->note, cases[_i].why) != NULL, "%s", d->note);
  }
  results_free(&report);
  observable_free(self);
}

TEST(threads_and_restarts_leave_no_trace, .threads = true)
{
  static Scene scene;
  const ObservableOptions options = {.interval = 0.05, .vacf.max = 2.0, .vacf_molecules = 4, .threads = 3};
  RandomStream stream = random_stream(23, 0, RANDOM_TEST);
  scene_create(&scene);
  observed_leaves_no_trace(observed_ops("vacf"), &options, &scene.frame, 200, 77, scene_next, &scene,
                           &stream);
}

/* Replicas in lanes are as many series of frames: the means of their curves, and the errors of means of
 * independent draws. Batches come in any order, and one goes on in another self as after a restart. */
TEST(lanes_are_frames, .rows = 2)
{
  enum { BATCHES = 2, N = 60, CUT = 33 };
  static Scene scene;
  const int width = _i == 0 ? 8 : 16, replicas = BATCHES * width, nmol[2] = {WATERS, ATOMS};
  static const Kind *const kind[2] = {&observed_water, &observed_atom};
  const ObservableOps *ops = observed_ops("vacf");
  ObservableOptions options = {.interval = 0.05, .vacf.max = 0.05 * 40};
  Observable *one[BATCHES * WIDTH_MAX];
  scene_create(&scene);
  scene.box = (Box){0};
  for (int r = 0; r < replicas; r++)
    one[r] = observed_create(ops, &options, &scene.frame);
  options.batches = BATCHES;
  options.replicas = replicas;
  Observable *all = observed_create(ops, &options, &scene.frame),
             *cut = observed_create(ops, &options, &scene.frame);
  State *state[BATCHES];
  for (int g = 0; g < BATCHES; g++)
    ck_assert_int_eq(state_create(&state[g], width, 2, kind, nmol, 1, 0, NULL), STATUS_OK);
  const Team alone = team_alone();
  Topology *topology;
  ck_assert_int_eq(topology_of_state(&topology, state[0], NULL), STATUS_OK);
  for (int k = 0; k < N; k++) {
    for (int r = 0; r < replicas; r++) {
      RandomStream stream = random_stream(25, (uint32_t)(k * replicas + r), RANDOM_TEST);
      scene_next(&scene, &stream, k);
      observed_sample(one[r], 1, &scene.frame);
      for (int b = 0; b < 2; b++)
        for (int i = 0; i < 3 * kind[b]->nsite * nmol[b]; i++) {
          const int site = i / 3 % kind[b]->nsite;
          *state_element(&state[r / width]->block[b], state[r / width]->block[b].p, width,
                         i / 3 / kind[b]->nsite, r % width, site, i % 3) =
              scene.block[b].v[i] * kind[b]->mass[site];
        }
    }
    for (int g = 0; g < BATCHES; g++) {
      const int other = BATCHES - 1 - g;
      ops->add_lanes(all, &(Sample){.state = state[g], .team = &alone},
                     &(ObservableLanes){topology, .first = g * width});
      ops->add_lanes(cut, &(Sample){.state = state[other], .team = &alone},
                     &(ObservableLanes){topology, .first = other * width});
    }
    if (k == CUT)
      cut = observed_restart(&options, &scene.frame, cut);
  }
  observed_same(all, cut);
  static const char *const column[4] = {"C_water", "C_water_O", "C_water_H", "C_argon"};
  StatisticsMoments moments[41 * 4] = {{0}};
  for (int r = 0; r < replicas; r++) {
    ResultSet report = {0};
    ResultTable *table = observed_write(one[r], &report);
    double value[41 * 4];
    for (size_t i = 0; i < 41 * 4; i++)
      value[i] = tables_cell(table, i / 4, column[i % 4]);
    statistics_moments_add(moments, value, 41 * 4);
    results_free_table(table);
    results_free(&report);
    observable_free(one[r]);
  }
  ResultSet report = {0};
  ResultTable *table = observed_write(all, &report);
  for (size_t i = 0; i < 41 * 4; i++) {
    char error[32];
    snprintf(error, sizeof error, "%s_err", column[i % 4]);
    ck_assert_double_eq_tol(tables_cell(table, i / 4, column[i % 4]), moments[i].mean,
                            1e-7 * fabs(moments[i % 4].mean));
    ck_assert_double_eq_tol(tables_cell(table, i / 4, error), statistics_moments_error(&moments[i]),
                            1e-3 * statistics_moments_error(&moments[i]));
  }
  ck_assert(!observed_number(&report, "water", "v2")->doubtful);
  results_free_table(table);
  results_free(&report);
  topology_free(topology);
  for (int g = 0; g < BATCHES; g++)
    state_free(state[g]);
  observable_free(all);
  observable_free(cut);
}

TEST(what_cannot_be_is_refused)
{
  static Scene scene;
  const ObservableOps *ops = observed_ops("vacf");
  ObservableOptions options = {.interval = 40.0};
  Observable *self;
  Error error;
  scene_create(&scene);
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "sample more often"));
  options.interval = 0.1;
  self = observed_create(ops, &options, &scene.frame);
  scene.block[1].v = NULL;
  ck_assert_int_eq(observed_add(self, 1, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "no velocities"));
  observable_free(self);
  options.temperatures = 2;
  ck_assert_int_eq(observable_create(&self, ops, &options, &scene.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "a ladder changes"));
}
