/* Fluctuations of the volume: an ideal gas's are known, few samples do not make them small, bins follow the
 * density, restarts, and what is left out. */
#include "tests/observables.h"
#include "tests/suite.h"

enum { N = 12 };
static const double kelvin = 300.0, kT = 300.0 * UNITS_BOLTZMANN, pressure = 0.001;

typedef struct Scene {
  Box box;
  double at[N][3], energy;
  ObservableBlock block;
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s)
{
  *s = (Scene){.box = box_brick(30.0, 30.0, 30.0)};
  s->block = (ObservableBlock){&observed_atom, observed_one_charge, N, s->at[0], NULL};
  s->frame = (ObservableFrame){0.0, &s->box, 1, &s->block, &s->energy};
}

static void set_volume(Scene *s, double volume)
{
  s->box = box_brick(cbrt(volume), cbrt(volume), cbrt(volume));
}

/* P V/kT has the gamma distribution of N + 1; energies are of their own. */
static void next_ideal(void *scene, RandomStream *stream, int k)
{
  Scene *s = scene;
  double volume = 0.0;
  (void)k;
  for (int i = 0; i <= N; i++)
    volume -= log(1.0 - random_uniform(stream)) * kT / pressure;
  set_volume(s, volume);
  s->energy = -4.0 + kT * random_normal(stream);
}

/* Densities of a hundred times each other, in the end. */
static void next_far(void *scene, RandomStream *stream, int k)
{
  set_volume(scene, exp(9.0 + (k + 1) / 100.0 * random_normal(stream)));
}

static ObservableOptions options_of(bool enthalpy)
{
  return (ObservableOptions){.temperature = kelvin,
                             .interval = 1.0,
                             .threads = 2,
                             .enthalpy = enthalpy,
                             .pressure = pressure,
                             .kinetic = 1.5 * N * UNITS_BOLTZMANN};
}

static void near(const ResultSet *report, const char *name, double wanted, double errors)
{
  const ResultNumber *n = observed_number(report, "box", name);
  ck_assert_msg(fabs(n->value - wanted) < errors * n->error, "%s: %g +- %g, not %g", name, n->value, n->error,
                wanted);
}

/* With U of variance kT^2: kappa = 1/P, alpha = 1/T, C_P = (1 + 1/N + 1/N + 3/2) k. */
TEST(an_ideal_gas)
{
  enum { SAMPLES = 6000 };
  const ObservableOps *ops = observed_ops("volume");
  const ObservableOptions options = options_of(true);
  RandomStream stream = random_stream(5, 0, RANDOM_TEST);
  Scene scene;
  scene_create(&scene);
  Observable *self = observed_create(ops, &options, &scene.frame);
  for (int k = 0; k < SAMPLES; k++) {
    next_ideal(&scene, &stream, k);
    observed_sample(self, 1, &scene.frame);
  }
  ResultSet report = {0};
  ResultTable *t = observed_write(self, &report);
  near(&report, "mean_volume", (N + 1) * kT / pressure, 4.0);
  near(&report, "compressibility", 1.0 / (pressure * UNITS_BAR), 4.0);
  near(&report, "expansion", 1.0 / kelvin, 4.0);
  near(&report, "heat_capacity", (2.5 + 2.0 / N) * UNITS_BOLTZMANN, 4.0);
  /* The error of a variance: of the excess 6/(N + 1), and 2. */
  ck_assert_double_eq_tol(observed_number(&report, "box", "compressibility")->error * pressure * UNITS_BAR,
                          sqrt((2.0 + 6.0 / (N + 1)) / SAMPLES), 0.01);
  /* P(rho) against P V = (N + 1)-gamma, bin by bin. */
  const double scale = 1.66053906660 * N * observed_mass[0] * pressure / kT;
  double chi2 = 0.0, inside = 0.0;
  int bins = 0;
  const double width = tables_cell(t, 1, "density") - tables_cell(t, 0, "density");
  for (size_t i = 0; i < t->nrow; i++) {
    const double low = scale / (tables_cell(t, i, "density") + 0.5 * width),
                 x = scale / tables_cell(t, i, "density"), p = tables_cell(t, i, "P"),
                 high = scale / (tables_cell(t, i, "density") - 0.5 * width),
                 error = tables_cell(t, i, "P_err");
    const double wanted =
        (exp(-low) * pow(low, N + 2) + 4.0 * exp(-x) * pow(x, N + 2) + exp(-high) * pow(high, N + 2)) /
        (6.0 * scale * tgamma(N + 1));
    inside += p * width;
    if (p * width * SAMPLES < 40.0)
      continue;
    chi2 += pow((p - wanted) / error, 2);
    bins++;
  }
  ck_assert_double_eq_tol(inside, 1.0, 1e-7);
  ck_assert_int_gt(bins, 20);
  ck_assert_double_lt(fabs(chi2 - bins), 4.0 * sqrt(2.0 * bins));
  results_free_table(t);
  results_free(&report);
  observable_free(self);
}

/* Bins become wider and none is lost; the same bits after a restart, and by several threads. */
TEST(bins_that_grow, .threads = true)
{
  enum { SAMPLES = 300 };
  const ObservableOps *ops = observed_ops("volume");
  const ObservableOptions options = options_of(true);
  RandomStream stream = random_stream(7, 0, RANDOM_TEST);
  Scene scene;
  scene_create(&scene);
  observed_leaves_no_trace(ops, &options, &scene.frame, SAMPLES, 100, next_far, &scene, &stream);
  Observable *self = observed_create(ops, &options, &scene.frame);
  double least = INFINITY, most = 0.0, inside = 0.0;
  for (int k = 0; k < SAMPLES; k++) {
    next_far(&scene, &stream, k);
    least = fmin(least, box_volume(&scene.box));
    most = fmax(most, box_volume(&scene.box));
    observed_sample(self, 1, &scene.frame);
  }
  ck_assert_double_gt(most, 1e3 * least);
  ResultSet report = {0};
  ResultTable *t = observed_write(self, &report);
  const double mass = 1.66053906660 * N * observed_mass[0],
               width = tables_cell(t, 1, "density") - tables_cell(t, 0, "density");
  for (size_t i = 0; i < t->nrow; i++)
    inside += tables_cell(t, i, "P") * width;
  ck_assert_double_eq_tol(inside, 1.0, 1e-7);
  ck_assert_double_le(fabs(tables_cell(t, 0, "density") - mass / most), 0.5001 * width);
  ck_assert_double_le(fabs(tables_cell(t, t->nrow - 1, "density") - mass / least), 0.5001 * width);
  results_free_table(t);
  results_free(&report);
  observable_free(self);
}

TEST(what_cannot_be_known)
{
  static const char *const all[] = {"compressibility", "expansion", "heat_capacity"};
  static const struct {
    bool enthalpy, energies, breathes;
    double kelvin;
    int known; /* of these */
    const char *why;
  } cases[] = {{true, true, true, 300.0, 3, ""},
               {true, true, false, 300.0, 0, "the volume does not change"},
               {true, true, true, 0.0, 0, "it needs the temperature"},
               {true, false, true, 300.0, 1, "it needs the energies"},
               {false, true, true, 300.0, 1, "it needs the energies"}};
  const ObservableOps *ops = observed_ops("volume");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ObservableOptions options = options_of(cases[i].enthalpy);
    RandomStream stream = random_stream(8, 0, RANDOM_TEST);
    Scene scene;
    options.temperature = cases[i].kelvin;
    scene_create(&scene);
    scene.frame.energy = cases[i].energies ? &scene.energy : NULL;
    Observable *self = observed_create(ops, &options, &scene.frame);
    for (int k = 0; k < 500; k++) {
      if (k == 0 || cases[i].breathes)
        next_ideal(&scene, &stream, k);
      observed_sample(self, 1, &scene.frame);
    }
    ResultSet report = {0};
    results_free_table(observed_write(self, &report));
    for (int k = 0; k < 3; k++) {
      const ResultNumber *n = observed_number(&report, "box", all[k]);
      ck_assert_int_eq(isfinite(n->value), k < cases[i].known);
      ck_assert(k < cases[i].known || strstr(n->note, cases[i].why) != NULL);
    }
    results_free(&report);
    observable_free(self);
  }
  Scene open;
  Error error;
  Observable *self;
  scene_create(&open);
  open.box = box_brick(30.0, 30.0, 0.0);
  ck_assert_int_eq(
      observable_create(&self, ops, &(ObservableOptions){.temperature = 300.0}, &open.frame, &error),
      STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "periodic in all directions"));
}
