/* The grid of metadynamics: gradients of its energy, plain sums of hills, edges, and well-tempered heights.
 */
#include "base/chunk.h"
#include "forcefields/bias_grid.h"
#include "tests/suite.h"

static const BiasGridOptions line = {
    .n = 1, .axis = {{-M_PI, M_PI, true, 0.35}}, .height = 0.2, .kT = 0.6, .factor = 8.0};
static const BiasGridOptions plane = {.n = 2,
                                      .axis = {{-M_PI, M_PI, true, 0.35}, {2.0, 9.0, false, 0.4}},
                                      .height = 0.2,
                                      .kT = 0.6,
                                      .factor = 8.0};
static const BiasGridOptions wide = {
    .n = 1, .axis = {{-M_PI, M_PI, true, 1.5}}, .height = 0.2, .kT = 0.6, .factor = 4.0};
static const BiasGridOptions *const grids[] = {&line, &plane, &wide};

static BiasGrid *grid_of(const BiasGridOptions *options)
{
  BiasGrid *grid;
  Error error;
  ck_assert_msg(bias_grid_create(&grid, options, &error) == STATUS_OK, "%s", error.text);
  return grid;
}

/* Points that repeat in no pattern, also beyond the edges. */
static void point(int i, const BiasGridOptions *o, double beyond, double x[2])
{
  for (int a = 0; a < o->n; a++) {
    const double t = fmod(0.3 + (a == 0 ? 0.618034 : 0.414214) * i, 1.0);
    x[a] = o->axis[a].low - beyond + t * (o->axis[a].high - o->axis[a].low + 2.0 * beyond);
  }
}

TEST(slopes_are_derivatives, .rows = 3)
{
  const BiasGridOptions *o = grids[_i];
  BiasGrid *g = grid_of(o);
  double x[2] = {0.0, 0.0};
  for (int i = 0; i < 40; i++) {
    point(i, o, 0.0, x);
    bias_grid_add(g, x);
  }
  const double d = 1e-5;
  for (int i = 0; i < 300; i++) {
    double slope[2] = {0.5, -0.25};
    point(7 * i, o, 1.0, x);
    (void)bias_grid_energy(g, x, slope);
    for (int a = 0; a < o->n; a++) {
      double up[2] = {x[0], x[1]}, down[2] = {x[0], x[1]};
      up[a] += d;
      down[a] -= d;
      const double by = (bias_grid_energy(g, up, NULL) - bias_grid_energy(g, down, NULL)) / (2.0 * d);
      ck_assert_double_eq_tol(slope[a] - (a == 0 ? 0.5 : -0.25), by, 1e-8);
    }
  }
  bias_grid_free(g);
}

/* Of one hill, all images of a periodic coordinate count. */
static double hill(const BiasGridOptions *o, const double *at, const double *x)
{
  double v = 1.0;
  for (int a = 0; a < o->n; a++) {
    double sum = 0.0;
    for (int image = o->axis[a].periodic ? -3 : 0; image <= (o->axis[a].periodic ? 3 : 0); image++) {
      const double u = (x[a] - at[a] + image * 2.0 * M_PI) / o->axis[a].width;
      sum += exp(-0.5 * u * u);
    }
    v *= sum;
  }
  return v;
}

TEST(energies_are_sums_of_hills_whose_heights_fall, .rows = 3)
{
  enum { HILLS = 60 };
  const BiasGridOptions *o = grids[_i];
  BiasGrid *g = grid_of(o);
  double at[HILLS][2], height[HILLS], least = INFINITY;
  for (int k = 0; k <= HILLS; k++) {
    double x[2] = {0.0, 0.0};
    for (int i = 0; i < (k % 10 == 0 ? 50 : 0); i++) {
      double sum = 0.0;
      point(3 * i + 1, o, 0.0, x);
      for (int j = 0; j < k; j++)
        sum += height[j] * hill(o, at[j], x);
      ck_assert_double_eq_tol(bias_grid_energy(g, x, NULL), sum, 5e-5 * o->height * (k + 1));
    }
    if (k == HILLS)
      break;
    point(k / 2, o, 0.0, at[k]); /* each twice, so that heights fall */
    height[k] = o->height * exp(-bias_grid_energy(g, at[k], NULL) / (o->kT * (o->factor - 1.0)));
    least = fmin(least, height[k]);
    bias_grid_add(g, at[k]);
  }
  ck_assert_double_lt(least, 0.96 * o->height);
  ck_assert_int_eq(bias_grid_hills(g), HILLS);
  bias_grid_free(g);
}

/* Walkers beyond an edge add nothing, and have the energy of the edge. */
TEST(edges_end_hills)
{
  BiasGrid *g = grid_of(&plane);
  const double inside[] = {0.3, 2.1}, beyond[] = {0.3, 1.9}, edge[] = {0.3, 2.0};
  bias_grid_add(g, inside);
  const double before = bias_grid_energy(g, edge, NULL);
  bias_grid_add(g, beyond);
  ck_assert_int_eq(bias_grid_hills(g), 1);
  ck_assert_int_eq(bias_grid_outside(g), 1);
  ck_assert_double_gt(before, 0.15);
  ck_assert_double_eq(bias_grid_energy(g, edge, NULL), before);
  ck_assert_double_eq(bias_grid_energy(g, beyond, NULL), before);
  bias_grid_free(g);
}

/* The work is that of the sums over the plane, and chunks hold all that hills change. */
TEST(work_and_chunks, .rows = 3)
{
  enum { POINTS = 400 };
  const BiasGridOptions *o = grids[_i];
  BiasGrid *g = grid_of(o), *copy = grid_of(o);
  double x[2] = {0.0, 0.0}, filled = 0.0, biased = 0.0;
  bias_grid_update(g);
  ck_assert_double_eq_tol(bias_grid_work(g), 0.0, 1e-12);
  for (int i = 0; i < 200; i++) {
    point(i, o, 0.0, x);
    x[0] = 0.3 * x[0];
    bias_grid_add(g, x);
  }
  bias_grid_update(g);
  for (int i = 0; i < POINTS; i++)
    for (int j = 0; j < (o->n == 2 ? POINTS : 1); j++) {
      x[0] = o->axis[0].low + (i + 0.5) / POINTS * (o->axis[0].high - o->axis[0].low);
      x[1] = o->axis[1].low + (j + 0.5) / POINTS * (o->axis[1].high - o->axis[1].low);
      const double V = bias_grid_energy(g, x, NULL) / (o->kT * (o->factor - 1.0));
      filled += exp(o->factor * V);
      biased += exp(V);
    }
  ck_assert_double_eq_tol(bias_grid_work(g), o->kT * log(filled / biased), 0.01);
  ChunkList from = {0}, to = {0};
  bias_grid_chunks(g, &from);
  bias_grid_chunks(copy, &to);
  ck_assert_int_eq(from.n, to.n);
  for (int i = 0; i < from.n; i++)
    memcpy(to.chunk[i].data, from.chunk[i].data, from.chunk[i].size);
  for (int i = 0; i < 20; i++) {
    point(i, o, 0.5, x);
    ck_assert_double_eq(bias_grid_energy(copy, x, NULL), bias_grid_energy(g, x, NULL));
  }
  ck_assert_double_eq(bias_grid_work(copy), bias_grid_work(g));
  ck_assert_int_eq(bias_grid_hills(copy), 200);
  chunk_free(&from);
  chunk_free(&to);
  bias_grid_free(g);
  bias_grid_free(copy);
}

TEST(wrong_grids_are_refused, .rows = 6)
{
  static const struct {
    double low, high, width, height, factor;
    const char *words;
  } wrong[] = {{0.0, 5.0, 0.1, 0.2, 1.0, "factor"},       {0.0, 5.0, 0.1, 0.0, 8.0, "height"},
               {0.0, 5.0, 0.0, 0.2, 8.0, "width"},        {5.0, 5.0, 0.1, 0.2, 8.0, "rise"},
               {0.0, 5.0, 1e-6, 0.2, 8.0, "wider hills"}, {0.0, INFINITY, 0.1, 0.2, 8.0, "rise"}};
  const BiasGridOptions o = {.n = 1,
                             .axis = {{wrong[_i].low, wrong[_i].high, false, wrong[_i].width}},
                             .height = wrong[_i].height,
                             .kT = 0.6,
                             .factor = wrong[_i].factor};
  BiasGrid *g;
  Error error;
  ck_assert_int_eq(bias_grid_create(&g, &o, &error), STATUS_INPUT);
  ck_assert_ptr_null(g);
  ck_assert_msg(strstr(error.text, wrong[_i].words) != NULL, "%s", error.text);
}
