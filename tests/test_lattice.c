/* Start configurations of periodic boxes: molecules whole and apart, spread over the box, kinds mixed; sizes
 * from densities and back; what cannot be a box is refused. */
#include "forcefields/water.h"
#include "observables/observable.h"
#include "simulation/start/lattice.h"
#include "tests/boxes.h"
#include "tests/suite.h"

static Kind *water;
static const double origin[3] = {0.0, 0.0, 0.0}, sodium_mass[1] = {22.98977};
static const char *const sodium_site[1] = {"Na"};
static const Kind sodium = {
    .name = "Na+", .nsite = 1, .dim = 3, .mass = sodium_mass, .site = sodium_site, .reference = origin};

static State *make_state(int waters, int ions, const Box *box, uint64_t seed)
{
  if (water == NULL)
    ck_assert_int_eq(water_kind(water_find("tip3p"), 15.9994, 1.008, &water, NULL), STATUS_OK);
  const Kind *kind[2] = {water, &sodium};
  const int nmol[2] = {waters, ions};
  State *state;
  ck_assert_int_eq(state_create(&state, 1, ions > 0 ? 2 : 1, kind, nmol, seed, 0, NULL), STATUS_OK);
  state->box = *box;
  return state;
}

static double *positions(const State *state, int b)
{
  const Block *block = &state->block[b];
  double *x = malloc(3 * (size_t)block->kind->nsite * (size_t)block->nlane * sizeof *x);
  ck_assert_ptr_nonnull(x);
  state_get(block, 1, block->q, 0, x);
  return x;
}

/* Centres of all molecules, block after block; the caller frees. */
static double (*centres(const State *state, int *n))[3]
{
  *n = 0;
  for (int b = 0; b < state->nblock; b++)
    *n += state->block[b].nlane;
  double(*c)[3] = malloc((size_t)*n * sizeof *c);
  ck_assert_ptr_nonnull(c);
  int at = 0;
  for (int b = 0; b < state->nblock; b++) {
    const Kind *kind = state->block[b].kind;
    double *x = positions(state, b);
    for (int m = 0; m < state->block[b].nlane; m++)
      observable_centre(kind, x + 3 * kind->nsite * m, c[at++]);
    free(x);
  }
  return c;
}

static double least_distance(const Box *box, double (*c)[3], int n)
{
  double least = INFINITY, r[3];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      least = fmin(least, box_distance(box, c[i], c[j], r));
  return sqrt(least);
}

/* At the density of water 3.47 A is the best that any lattice can do; ions take places of waters. */
static const struct {
  int waters, ions;
  double shape[3];
} boxes[] = {{216, 0, {1, 1, 1}},  {217, 0, {1, 1, 1}}, {500, 0, {1, 1, 1}},    {884, 16, {1, 1, 1}},
             {1000, 1, {1, 1, 1}}, {700, 0, {1, 2, 3}}, {999, 5, {2.1, 1, 0.9}}};

TEST(molecules_are_apart_and_fill_the_box, .rows = sizeof boxes / sizeof *boxes)
{
  const int waters = boxes[_i].waters, ions = boxes[_i].ions;
  Box box;
  State *state = make_state(waters, ions, &(Box)BOXES_BRICK(30, 30, 30), 7);
  const Kind *kind[2] = {water, &sodium};
  const int nmol[2] = {waters, ions};
  ck_assert_int_eq(lattice_size(state->nblock, kind, nmol, 0.997, &box, NULL), STATUS_OK);
  const double *shape = boxes[_i].shape, scale = cbrt(shape[0] * shape[1] * shape[2]);
  for (int d = 0; d < 3; d++)
    boxes_stretch(&box, d, shape[d] / scale);
  state->box = box;
  ck_assert_double_eq_tol(lattice_density(state), 0.997, 1e-12);
  Error error = {0};
  ck_assert_msg(boxes_lattice(state, &error) == STATUS_OK, "%s", error.text);
  int n;
  double(*c)[3] = centres(state, &n);
  ck_assert_double_ge(least_distance(&box, c, n), 3.2);
  /* Each half of the box, in every direction, has half of the molecules but for a layer. */
  for (int d = 0; d < 3; d++) {
    int low = 0;
    for (int i = 0; i < n; i++) {
      ck_assert_double_ge(c[i][d], 0.0);
      ck_assert_double_lt(c[i][d], box_length(&box, d));
      low += c[i][d] < 0.5 * box_length(&box, d);
    }
    ck_assert_double_eq_tol(low, 0.5 * n, 1.2 * 3.6 * n / box_length(&box, d));
  }
  double *x = positions(state, 0);
  for (int m = 0; m < waters; m++) { /* whole and rigid */
    double r[3];
    const Box open = box_brick(0, 0, 0);
    ck_assert_double_eq_tol(sqrt(box_distance(&open, x + 9 * m, x + 9 * m + 3, r)), 0.9572, 1e-12);
    ck_assert_double_eq_tol(sqrt(box_distance(&open, x + 9 * m + 3, x + 9 * m + 6, r)),
                            water_d_hh(water_find("tip3p")), 1e-12);
  }
  free(x);
  free(c);
  state_free(state);
}

/* Of orientations uniform on the sphere, each component of the dipole has mean 0 and mean square 1/3. */
TEST(orientations_are_uniform)
{
  const int n = 4000;
  State *state = make_state(n, 0, &(Box)BOXES_BRICK(50, 50, 50), 3);
  ck_assert_int_eq(boxes_lattice(state, NULL), STATUS_OK);
  double *x = positions(state, 0), mean[3] = {0}, square[3][3] = {{0}};
  for (int m = 0; m < n; m++) {
    double u[3], norm = 0.0;
    for (int d = 0; d < 3; d++) {
      u[d] = x[9 * m + 3 + d] + x[9 * m + 6 + d] - 2.0 * x[9 * m + d];
      norm += u[d] * u[d];
    }
    for (int d = 0; d < 3; d++) {
      mean[d] += u[d] / sqrt(norm) / n;
      for (int e = 0; e < 3; e++)
        square[d][e] += u[d] * u[e] / norm / n;
    }
  }
  for (int d = 0; d < 3; d++) {
    ck_assert_double_eq_tol(mean[d], 0.0, 4.0 / sqrt(3.0 * n));
    for (int e = 0; e < 3; e++)
      ck_assert_double_eq_tol(square[d][e], d == e ? 1.0 / 3.0 : 0.0, 4.0 * 0.3 / sqrt(n));
  }
  free(x);
  state_free(state);
}

/* Ions are spread: their mean place is the middle of the box, within the error of so many random ones. */
TEST(kinds_are_shuffled)
{
  const int ions = 300;
  State *state = make_state(1700, ions, &(Box)BOXES_BRICK(40, 40, 40), 5);
  ck_assert_int_eq(boxes_lattice(state, NULL), STATUS_OK);
  double *x = positions(state, 1);
  for (int d = 0; d < 3; d++) {
    double mean = 0.0;
    for (int i = 0; i < ions; i++)
      mean += x[3 * i + d] / ions;
    ck_assert_double_eq_tol(mean, 20.0, 4.0 * 40.0 / sqrt(12.0 * ions));
  }
  free(x);
  state_free(state);
}

TEST(same_seed_same_bits)
{
  State *a = make_state(300, 20, &(Box)BOXES_BRICK(22, 22, 22), 5),
        *b = make_state(300, 20, &(Box)BOXES_BRICK(22, 22, 22), 5),
        *c = make_state(300, 20, &(Box)BOXES_BRICK(22, 22, 22), 6);
  State *all[3] = {a, b, c};
  double *x[3][2];
  for (int k = 0; k < 3; k++) {
    ck_assert_int_eq(boxes_lattice(all[k], NULL), STATUS_OK);
    for (int d = 0; d < 2; d++)
      x[k][d] = positions(all[k], d);
  }
  for (int d = 0; d < 2; d++) {
    const size_t size = (d == 0 ? 9 * 300 : 3 * 20) * sizeof(double);
    ck_assert(memcmp(x[0][d], x[1][d], size) == 0);
    ck_assert(memcmp(x[0][d], x[2][d], size) != 0);
    for (int k = 0; k < 3; k++)
      free(x[k][d]);
  }
  for (int k = 0; k < 3; k++)
    state_free(all[k]);
}

/* As in bricks: apart, and everywhere in fractions of the edges. */
TEST(oblique_boxes_are_filled, .rows = 3)
{
  static const double edge[][3][3] = {{{30.0}, {10.0, 28.28427}, {-10.0, 14.14214, 24.4949}},
                                      {{30.0}, {0.0, 30.0}, {15.0, 15.0, 21.2132}},
                                      {{60.0}, {-30.0, 25.0}, {28.0, 12.0, 22.0}}};
  Box box;
  ck_assert_int_eq(box_set(&box, edge[_i], NULL), STATUS_OK);
  int n = (int)(0.03333 * box_volume(&box));
  State *state = make_state(n - 12, 12, &box, 7);
  Error error = {0};
  ck_assert_msg(boxes_lattice(state, &error) == STATUS_OK, "%s", error.text);
  double(*c)[3] = centres(state, &n);
  ck_assert_double_ge(least_distance(&box, c, n), 3.1);
  for (int d = 0; d < 3; d++) {
    int low = 0;
    for (int i = 0; i < n; i++) {
      double u[3];
      box_fractions(&box, c[i], u);
      ck_assert(u[d] >= 0.0 && u[d] < 1.0);
      low += u[d] < 0.5;
    }
    ck_assert_double_eq_tol(low, 0.5 * n, 1.2 * 3.6 * n / box_height(&box, d));
  }
  free(c);
  state_free(state);
}

TEST(numbers_from_densities)
{
  State *state = make_state(1, 0, &(Box)BOXES_BRICK(31.2, 30, 35), 1);
  int n;
  ck_assert_int_eq(lattice_count(water, &state->box, 0.0, 0.997, &n, NULL), STATUS_OK);
  ck_assert_int_eq(n, 1092); /* 0.03333 per A^3 */
  const double ions = 10.0 * sodium_mass[0];
  int fewer;
  ck_assert_int_eq(lattice_count(water, &state->box, ions, 0.997, &fewer, NULL), STATUS_OK);
  ck_assert_int_eq(n - fewer, 13); /* the mass of ten sodiums is that of 12.8 waters */
  Box box;
  const Kind *kind = water;
  ck_assert_int_eq(lattice_size(1, &kind, &n, 0.997, &box, NULL), STATUS_OK);
  ck_assert_double_eq_tol(box_volume(&box), box_volume(&state->box), 0.5 / n * box_volume(&box));
  state_free(state);
}

TEST(bad_boxes)
{
  Error error = {0};
  Box box;
  int n = 100;
  State *state = make_state(216, 0, &(Box)BOXES_BRICK(10, 10, 10), 1);
  const Kind *kind = water;
  ck_assert_int_eq(boxes_lattice(state, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "too small"));
  const Box wrong[] = {{.h = {{0}}},           box_brick(20, 20, 0),    box_brick(20, 20, -20),
                       box_brick(20, NAN, 20), box_brick(-20, -20, 20), box_brick(INFINITY, 20, 20)};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    state->box = wrong[i];
    ck_assert_int_eq(boxes_lattice(state, &error), STATUS_INPUT);
  }
  const double densities[] = {997.0, 0.0, -1.0, NAN, 1e-6, INFINITY};
  for (size_t i = 0; i < sizeof densities / sizeof *densities; i++) {
    ck_assert_int_eq(lattice_size(1, &kind, &n, densities[i], &box, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "g/cm3"));
    ck_assert_int_eq(lattice_count(water, &state->box, 0.0, densities[i], &n, &error), STATUS_INPUT);
  }
  ck_assert_int_eq(lattice_count(water, &(Box)BOXES_BRICK(20, 20, 20), 1e6, 1.0, &n, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "room for 0"));
  ck_assert_int_eq(n, 100);
  state_free(state);
}

int main(void)
{
  const int failed = suite_main("lattice");
  kind_free(water);
  return failed;
}
