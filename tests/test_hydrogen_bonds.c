/* Hydrogen bonds: pairs at the edges of the criterion, all pairs of random systems in every box beside a
 * plain loop over images, autocorrelations beside the full history, known rates, restarts, threads, and what
 * is refused. */
#include "engine/place.h"
#include "observables/hydrogen_bonds.h"
#include "tests/observables.h"
#include "tests/suite.h"

enum { N = 90 }; /* waters */

typedef struct Scene {
  Box box;
  double time, x[N][3][3];
  ObservableBlock block;
  ObservableFrame frame;
} Scene;

static void scene_create(Scene *s, int n, Box box)
{
  *s = (Scene){.box = box};
  s->block = (ObservableBlock){&observed_water, observed_charge, n, &s->x[0][0][0], NULL};
  s->frame = (ObservableFrame){0.0, &s->box, 1, &s->block, NULL, NULL};
}

static double number(Observable *o, const char *name, const char *quantity, double *error)
{
  ResultSet report = {0};
  ck_assert_int_eq(observable_write(o, files_folder, &report, NULL), STATUS_OK);
  const double value = observed_number(&report, name, quantity)->value;
  if (error != NULL)
    *error = observed_number(&report, name, quantity)->error;
  results_free(&report);
  return value;
}

/* --- two waters ------- */

/* The donor's hydrogen is `angle` away from the direction to an acceptor at this distance. */
static const struct {
  double distance, angle, most, widest; /* the criterion; 0: the default */
  int bonds;
} pairs[] = {{3.49, 29.9, 0, 0, 1},  {3.51, 29.9, 0, 0, 0},  {3.49, 30.1, 0, 0, 0},  {2.0, 0.0, 0, 0, 1},
             {3.51, 0.0, 3.6, 0, 1}, {3.49, 30.1, 0, 31, 1}, {2.9, 40.1, 3.0, 40, 0}};

TEST(a_pair_at_the_edge_of_the_criterion, .rows = 2 * sizeof pairs / sizeof *pairs)
{
  static Scene s;
  const int row = _i / 2;
  scene_create(&s, 2, _i % 2 == 0 ? (Box){0} : box_brick(9.0, 9.5, 10.0));
  const double a = pairs[row].angle * M_PI / 180.0, r = pairs[row].distance;
  /* Donor at x = 0.2 with one hydrogen towards -x, turned by the angle; the acceptor is behind the face. */
  const double at[2][3][3] = {{{0.2, 0, 0}, {0.2 - cos(a), sin(a), 0}, {1.2, 0, 0}},
                              {{0.2 - r, 0, 0}, {0.2 - r - 0.6, 0, 0.8}, {0.2 - r - 0.6, 0, -0.8}}};
  memcpy(s.x, at, sizeof at);
  for (int i = 0; i < 3 && _i % 2 == 1; i++)
    s.x[1][i][0] += 9.0;
  const ObservableOptions options = {
      .hydrogen_bonds = {.distance = pairs[row].most, .angle = pairs[row].widest}};
  Observable *o = observed_create(observed_ops("hydrogen_bonds"), &options, &s.frame);
  observed_sample(o, 1, &s.frame);
  ck_assert_double_eq(number(o, "all", "number", NULL), pairs[row].bonds);
  observable_free(o);
}

/* --- random systems, beside all pairs of all images ------- */

/* Waters crowded into a cube, at any image. */
static void scene_random(void *scene, RandomStream *stream, int k)
{
  Scene *s = scene;
  (void)k;
  for (int m = 0; m < s->block.nmol; m++) {
    double at[3];
    for (int d = 0; d < 3; d++)
      at[d] = (box_periodic(&s->box) ? 18.0 : 11.0) * random_uniform(stream);
    place_molecule(&observed_water, stream, at, s->x[m][0]);
  }
  s->frame.time = s->time = 0.04 * k;
}

static bool plain_bonded(const Scene *s, int i, int j, double most, double widest, bool *near)
{
  *near = false;
  const int images = box_periodic(&s->box) ? 4 : 0; /* molecules are up to 18 A apart */
  for (int a = -images; a <= images; a++)
    for (int b = -images; b <= images; b++)
      for (int c = -images; c <= images; c++) {
        double r[3], length = 0.0;
        for (int d = 0; d < 3; d++) {
          r[d] = s->x[j][0][d] - s->x[i][0][d] + a * s->box.h[0][d] + b * s->box.h[1][d] + c * s->box.h[2][d];
          length += r[d] * r[d];
        }
        if (length > most * most)
          continue;
        *near = true;
        for (int h = 1; h < 3; h++) {
          double dot = 0.0, u = 0.0;
          for (int d = 0; d < 3; d++) {
            dot += r[d] * (s->x[i][h][d] - s->x[i][0][d]);
            u += pow(s->x[i][h][d] - s->x[i][0][d], 2);
          }
          if (acos(dot / sqrt(u * length)) * 180.0 / M_PI <= widest)
            return true;
        }
        return false;
      }
  return false;
}

static Box oblique(void)
{
  Box box = {0};
  const double edge[3][3] = {{11.0, 0, 0}, {3.0, 11.5, 0}, {-4.0, 3.0, 12.0}};
  ck_assert_int_eq(box_set(&box, edge, NULL), STATUS_OK);
  return box;
}

static const struct {
  int shape;
  double most, widest;
} boxes[] = {{0, 3.5, 30}, {1, 3.5, 30}, {1, 5.4, 50}, {2, 3.5, 30}, {2, 2.1, 60}};

static Box box_of(int shape)
{
  return shape == 0 ? (Box){0} : shape == 1 ? box_brick(11, 12, 14.5) : oblique();
}

/* Two selections, the first third of the molecules and the others; and all. */
TEST(all_pairs_of_a_crowd, .rows = sizeof boxes / sizeof *boxes)
{
  enum { SAMPLES = 3 };
  static Scene s;
  static HydrogenBondDonor donor[N];
  static HydrogenBondAtom acceptor[N];
  static const char *const name[] = {"all", "across"};
  scene_create(&s, N, box_of(boxes[_i].shape));
  for (int i = 0; i < N; i++) {
    acceptor[i] = (HydrogenBondAtom){0, i, 0, i < N / 3 ? 3 : 1, i < N / 3 ? 1 : 3};
    donor[i] = (HydrogenBondDonor){acceptor[i], 2, {1, 2}};
  }
  const HydrogenBondList list = {2, N, N, name, donor, acceptor};
  const ObservableOptions options = {
      .hydrogen_bond_list = &list,
      .threads = 2,
      .hydrogen_bonds = {.distance = boxes[_i].most, .angle = boxes[_i].widest}};
  RandomStream stream = random_stream(17, (uint32_t)_i, RANDOM_TEST);
  Observable *o = observed_create(observed_ops("hydrogen_bonds"), &options, &s.frame);
  double all = 0.0, across = 0.0;
  for (int k = 0; k < SAMPLES; k++) {
    scene_random(&s, &stream, k);
    observed_sample(o, 1 + k % 2, &s.frame);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        bool near;
        if (i == j || !plain_bonded(&s, i, j, boxes[_i].most, boxes[_i].widest, &near))
          continue;
        all += 1.0 / SAMPLES;
        across += (i < N / 3) != (j < N / 3) ? 1.0 / SAMPLES : 0.0;
      }
  }
  ck_assert_double_gt(across, 3.0);
  ck_assert_double_eq_tol(number(o, "all", "number", NULL), all, 1e-9);
  ck_assert_double_eq_tol(number(o, "across", "number", NULL), across, 1e-9);
  observable_free(o);
}

/* --- autocorrelations ------- */

enum { PAIRS = 40, LAGS = 20, SAMPLES = 300 };

typedef enum Bond { BONDED, NEAR, FAR } Bond;

/* Pairs of waters, far apart from each other: donor 2i and acceptor 2i + 1 in one of three states. */
static void scene_states(Scene *s, const Bond *state)
{
  for (int i = 0; i < PAIRS; i++) {
    const double r = state[i] == FAR ? 4.0 : 2.8, turn = state[i] == BONDED ? 0.1 : 0.8, y = 12.0 * i;
    const double at[2][3][3] = {{{0, y, 0}, {cos(turn), y, sin(turn)}, {-1, y, 0}},
                                {{r, y, 0}, {r + 0.6, y, 0.8}, {r + 0.6, y, -0.8}}};
    memcpy(s->x[2 * i], at, sizeof at);
  }
}

/* Markov steps: bonded to near, near to bonded or far, and far to near. */
static void step_states(Bond *state, const double p[4], RandomStream *stream)
{
  for (int i = 0; i < PAIRS; i++) {
    const double u = random_uniform(stream);
    if (state[i] == BONDED)
      state[i] = u < p[0] ? NEAR : BONDED;
    else if (state[i] == NEAR)
      state[i] = u < p[1] ? BONDED : u < p[1] + p[2] ? FAR : NEAR;
    else
      state[i] = u < p[3] ? NEAR : FAR;
  }
}

/* C, S and N of the whole history, from the time origins that the observable has. */
static void plain_curves(Bond history[][PAIRS], int samples, int every, int lag, double curve[3])
{
  double first = 0.0;
  curve[0] = curve[1] = curve[2] = 0.0;
  for (int t = 0; t + lag < samples; t += every)
    for (int i = 0; i < PAIRS; i++) {
      bool since = true;
      for (int k = t; k <= t + lag; k++)
        since = since && history[k][i] == BONDED;
      const double h = history[t][i] == BONDED;
      first += h;
      curve[0] += h * (history[t + lag][i] == BONDED);
      curve[1] += h * since;
      curve[2] += h * (history[t + lag][i] == NEAR);
    }
  for (int c = 0; c < 3; c++)
    curve[c] /= first;
}

static ObservableOptions lag_options(void)
{
  return (ObservableOptions){
      .interval = 0.04,
      .threads = 3,
      .hydrogen_bonds = {.max = 0.04 * LAGS,
                         .from = 0.04}}; /* 17 lags or more: an origin at every second sample */
}

TEST(autocorrelations_of_the_whole_history)
{
  static Scene s;
  static Bond history[SAMPLES][PAIRS];
  static const double p[4] = {0.2, 0.3, 0.1, 0.2};
  const ObservableOptions options = lag_options();
  RandomStream stream = random_stream(18, 0, RANDOM_TEST);
  scene_create(&s, 2 * PAIRS, (Box){0});
  Observable *o = observed_create(observed_ops("hydrogen_bonds"), &options, &s.frame);
  for (int k = 0; k < SAMPLES; k++) {
    memcpy(history[k], k > 0 ? history[k - 1] : history[0], sizeof *history);
    if (k > 0)
      step_states(history[k], p, &stream);
    scene_states(&s, history[k]);
    s.frame.time = 0.04 * k;
    observed_sample(o, 1 + k % 3, &s.frame);
  }
  ResultSet report = {0};
  ResultTable *t = observed_write(o, &report);
  ck_assert_uint_eq(t->nrow, LAGS + 1);
  for (int lag = 0; lag <= LAGS; lag++) {
    static const char *const name[] = {"C_all", "S_all", "N_all"};
    double curve[3];
    plain_curves(history, SAMPLES, 2, lag, curve);
    ck_assert_double_eq_tol(tables_cell(t, (size_t)lag, "time_ps"), lag * 0.04 * UNITS_AKMA_FS * 1e-3, 1e-12);
    for (int c = 0; c < 3; c++)
      ck_assert_double_eq_tol(tables_cell(t, (size_t)lag, name[c]), curve[c], 1e-8);
  }
  results_free_table(t);
  results_free(&report);
  observable_free(o);
}

/* Rates are those of the process, whether or not it is stationary; the unbroken lifetime is that of a
 * geometric distribution, by the trapezoidal rule. */
TEST(known_rates)
{
  enum { LONG = 5000 };
  static Scene s;
  Bond state[PAIRS] = {BONDED};
  static const double p[4] = {0.02, 0.03, 0.01, 0.02};
  ObservableOptions options = lag_options();
  options.hydrogen_bonds.max = 0.04 * 200;
  RandomStream stream = random_stream(19, 0, RANDOM_TEST);
  scene_create(&s, 2 * PAIRS, (Box){0});
  Observable *o = observed_create(observed_ops("hydrogen_bonds"), &options, &s.frame);
  for (int k = 0; k < LONG; k++) {
    step_states(state, p, &stream);
    scene_states(&s, state);
    s.frame.time = 0.04 * k;
    observed_sample(o, 1, &s.frame);
  }
  const double step = 0.04 * UNITS_AKMA_FS * 1e-3;
  double error[4];
  const double k = number(o, "all", "rate_break", &error[0]), form = number(o, "all", "rate_form", &error[1]),
               life = number(o, "all", "lifetime", &error[2]),
               unbroken = number(o, "all", "lifetime_continuous", &error[3]);
  /* The trapezoidal rule makes rates of steps too large by about half a step's part. */
  ck_assert_double_eq_tol(k * step, 0.02, 4.0 * error[0] * step + 0.0006);
  ck_assert_double_lt(error[0] * step, 0.002);
  ck_assert_double_eq_tol(form * step, 0.03, 4.0 * error[1] * step + 0.0009);
  ck_assert_double_lt(error[1] * step, 0.006);
  ck_assert_double_eq_tol(life, 1.0 / k, 1e-3 * life);
  const double q = 1.0 - p[0], sum = (1.0 - pow(q, 201)) / (1.0 - q) - 0.5 - 0.5 * pow(q, 200);
  ck_assert_double_eq_tol(unbroken / step, sum, 4.0 * error[3] / step);
  ck_assert_double_lt(error[3] / step, 0.1 * sum);
  observable_free(o);
}

/* --- restarts and threads ------- */

static void next_states(void *scene, RandomStream *stream, int k)
{
  static const double p[4] = {0.2, 0.3, 0.1, 0.2};
  static Bond state[PAIRS];
  Scene *s = scene;
  if (k == 0)
    memset(state, 0, sizeof state);
  step_states(state, p, stream);
  scene_states(s, state);
  s->frame.time = 0.04 * k;
}

TEST(restarts_and_threads_leave_no_trace, .threads = true)
{
  static Scene s;
  const ObservableOptions options = lag_options();
  RandomStream stream = random_stream(20, 0, RANDOM_TEST);
  scene_create(&s, 2 * PAIRS, (Box){0});
  observed_leaves_no_trace(observed_ops("hydrogen_bonds"), &options, &s.frame, 150, 61, next_states, &s,
                           &stream);
}

/* --- refusals ------- */

TEST(what_is_refused)
{
  static Scene s;
  Error error;
  Observable *o;
  const ObservableOps *const ops = observed_ops("hydrogen_bonds");
  scene_create(&s, 2, box_brick(6.9, 9, 9));
  ck_assert_int_eq(observable_create(&o, ops, &(ObservableOptions){0}, &s.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "hydrogen bonds up to 3.5 A need a box of at least twice that"));
  scene_create(&s, 2, (Box){0});
  s.block.kind = &observed_atom;
  ck_assert_int_eq(observable_create(&o, ops, &(ObservableOptions){0}, &s.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "there is no donor"));
  scene_create(&s, 2, (Box){0});
  const ObservableOptions far = {.interval = 1.0, .hydrogen_bonds = {.max = 0.5}};
  ck_assert_int_eq(observable_create(&o, ops, &far, &s.frame, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "hydrogen_bonds_max"));
  o = observed_create(ops, &(ObservableOptions){0}, &s.frame);
  s.x[1][2][0] = NAN;
  ck_assert_int_eq(observed_add(o, 1, &s.frame, &error), STATUS_RUN);
  ck_assert_ptr_nonnull(strstr(error.text, "molecule 2 of water has a coordinate that is not a number"));
  observable_free(o);
}

int main(void) { return files_main("hydrogen_bonds"); }
