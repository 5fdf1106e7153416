/* The width of penalised modes at coarse steps, against theory. Errors come from independent replicas; seeds
 * are fixed. The figures are printed. */
#include <gsl/gsl_eigen.h>

#include "integrators/oscillator.h"
#include "simulation/penalty_modes.h"
#include "tests/scenes_replicas.h"
#include "tests/suite.h"

static Cluster cluster;
static const Kind *kind;

static void make_cluster(void)
{
  scenes_replicas_cluster(&cluster);
  kind = cluster.kind;
}

static void free_cluster(void) { scenes_replicas_cluster_free(&cluster); }

typedef struct Modes {
  double vector[3][3], value[3]; /* of J M^-1 J', rising                                             */
  double unit;                   /* kT                                                               */
  int64_t n;
  double g[REPLICAS * 3]; /* sums of the squares of the modes of g                                   */
  double p[REPLICAS * 3]; /* and of their momenta                                                    */
} Modes;

static void molecule_jacobian(const Pack *pack, Vec8 g[3], Vec8 jac[3][9])
{
  memset(jac, 0, 3 * sizeof *jac);
  for (int c = 0; c < 3; c++) {
    const Constraint *con = &kind->con[c];
    Vec8 grad[CONSTRAINT_SITES * 3];
    con->type->eval(con, 3, pack->q, &g[c], grad);
    for (int i = 0; i < 6; i++)
      jac[c][con->site[i / 3] * 3 + i % 3] = grad[i];
  }
}

static void find_modes(const double *x, Modes *modes)
{
  Vec8 q[9], g[3], jac[3][9];
  for (int i = 0; i < 9; i++)
    q[i] = vec8_set(x[i]);
  const Pack pack = {.kind = kind, .q = q};
  molecule_jacobian(&pack, g, jac);
  double gram[9];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      gram[3 * a + b] = 0.0;
      for (int i = 0; i < 9; i++)
        gram[3 * a + b] += jac[a][i][0] * jac[b][i][0] / kind->mass[i / 3];
    }
  gsl_matrix_view view = gsl_matrix_view_array(gram, 3, 3);
  gsl_matrix *vector = gsl_matrix_alloc(3, 3);
  gsl_vector *value = gsl_vector_alloc(3);
  gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(3);
  gsl_eigen_symmv(&view.matrix, value, vector, work);
  gsl_eigen_symmv_sort(value, vector, GSL_EIGEN_SORT_VAL_ASC);
  for (int k = 0; k < 3; k++) {
    modes->value[k] = gsl_vector_get(value, (size_t)k);
    for (int c = 0; c < 3; c++)
      modes->vector[k][c] = gsl_matrix_get(vector, (size_t)c, (size_t)k);
  }
  gsl_eigen_symmv_free(work);
  gsl_vector_free(value);
  gsl_matrix_free(vector);
}

/* The mode u'g has the momentum u' J M^-1 p / sqrt(value), of variance kT. */
static Status add_modes(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  const State *state = sample->state;
  (void)due;
  (void)error;
  Modes *modes = self;
  for (int i = 0; i < state->block[0].npack; i++) {
    const Pack pack = state_pack(state, &state->block[0], i);
    Vec8 g[3], jac[3][9];
    molecule_jacobian(&pack, g, jac);
    for (int k = 0; k < 3; k++) {
      Vec8 a = vec8_set(0.0), b = vec8_set(0.0);
      for (int c = 0; c < 3; c++) {
        Vec8 dot = vec8_set(0.0);
        for (int j = 0; j < 9; j++)
          dot += jac[c][j] * pack.p[j] / kind->mass[j / 3];
        a += modes->vector[k][c] * g[c];
        b += modes->vector[k][c] * dot;
      }
      for (int l = 0; l < LANES; l++) {
        modes->g[3 * (batch * LANES + l) + k] += a[l] * a[l];
        modes->p[3 * (batch * LANES + l) + k] += b[l] * b[l] / modes->value[k];
      }
    }
  }
  if (batch == 0)
    modes->n++;
  return STATUS_OK;
}

/* Molecules that do not see each other, cold enough that g is linear: the position variance of a mode is
 * kT/k (1 + b s^2)/(1 - s^2/(4 (1 + b s^2))), s = W h, b = beta, and its momentum's kT m. */
TEST(penalised_modes_are_as_wide_as_theory_says, .rows = 6)
{
  static const double fastest[3] = {0.5, 2.0, 5.0};
  const PenaltyHessian hessian = _i / 3 == 0 ? HESSIAN_FULL : HESSIAN_GAUSS_NEWTON;
  const double w = 20.0, kT = 1e-7, beta = 0.4;
  double frequency[3];
  PenaltyModes stiff;
  ck_assert_int_eq(penalty_modes_create(&stiff, kind, kind->reference, NULL), STATUS_OK);
  ck_assert_int_eq(stiff.n, 3);
  for (int k = 0; k < 3; k++)
    frequency[k] = w * sqrt(stiff.square[k]);
  penalty_modes_free(&stiff);
  const double h = fastest[_i % 3] / frequency[2];
  PlanOptions o = scene_penalty("zss", hessian, w, "BABO", h);
  o.beta = beta;
  o.kT = kT;
  o.friction = FRICTION_MASS;
  o.gamma = 0.2 / h;
  Trial t = scenes_replicas_trial(&cluster, &o, MOLECULES, false, 3000 + (uint64_t)_i);
  Modes modes = {0};
  find_modes(cluster.x, &modes);
  const Sampler sampler = {.self = &modes, .every = {7}, .sample = add_modes};
  const int warm = SHORT ? 200 : 1000;
  scenes_replicas_run(&t, warm, NULL);
  scenes_replicas_run(&t, warm + 10500 / SHORTER, &sampler);
  for (int k = 0; k < 3; k++) {
    const double scale = kT * MOLECULES * (double)modes.n;
    const OscillatorMode mode = {.square = frequency[k] * frequency[k], .beta = beta, .rate = o.gamma};
    const OscillatorStep step = oscillator_step(t.plan);
    const double expected = oscillator_solve(&step, &mode).position;
    double g, g_error, p, p_error;
    ck_assert_double_eq_tol(frequency[k], w * sqrt(modes.value[k]), 1e-9 * frequency[k]);
    scenes_replicas_mean(&modes.g[k], 3, &g, &g_error);
    scenes_replicas_mean(&modes.p[k], 3, &p, &p_error);
    g *= w * w / scale;
    g_error *= w * w / scale;
    printf("%s Hessian, s = %.3f: variance over kT/k %.4f +- %.4f, theory %.4f; momentum %.4f +- %.4f\n",
           hessian == HESSIAN_FULL ? "full" : "Gauss-Newton", frequency[k] * h, g, g_error, expected,
           p / scale, p_error / scale);
    /* 36 numbers: one beyond 4.5 errors in 1000 tries. */
    ck_assert_msg(fabs(g - expected) < 4.5 * g_error, "s = %.3f: %.4f +- %.4f, expected %.4f",
                  frequency[k] * h, g, g_error, expected);
    ck_assert_double_lt(g_error, 0.02 * expected * sqrt(SHORTER));
    ck_assert_double_lt(fabs(p / scale - 1.0), 4.5 * p_error / scale);
  }
  scenes_replicas_free(&t);
}

/* Momenta across the manifold decay by one factor and stay across it: without temperature nothing comes of
 * them along it, whatever the friction of single sites would be. */
TEST(friction_leaves_momenta_across, .rows = 2)
{
  Scene scene;
  scene_cluster(&scene, 2, 8, isa_best());
  PlanOptions o = scene_penalty("verlet", HESSIAN_FULL, 1.0, "WALK", 0.3);
  o.friction = _i == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
  o.gamma = 0.8;
  o.kT = 0.0;
  o.tangent = true;
  scene_plan(&scene, &o);
  Block *block = &scene.state->block[0];
  Vec8 before[2][9];
  for (int i = 0; i < 2; i++) {
    const Pack pack = state_pack(scene.state, block, i);
    Vec8 g[3], jac[3][9];
    molecule_jacobian(&pack, g, jac);
    for (int k = 0; k < 9; k++)
      before[i][k] = pack.p[k] = 0.7 * jac[0][k] - 0.4 * jac[1][k] + 0.2 * jac[2][k];
  }
  scene_ready(&scene);
  scene_run(&scene, 1);
  double rate = 0.0;
  for (int s = 0; s < 3; s++)
    rate += o.gamma / (o.friction == FRICTION_UNIFORM ? 3.0 * kind->mass[s] : 3.0);
  for (int i = 0; i < 18; i++) {
    const double p = before[i / 9][i % 9][0], left = block->p[i][0] - exp(-0.3 * rate) * p;
    ck_assert_msg(fabs(left) < 1e-9 * (1.0 + fabs(p)), "momentum %d: %g of %g too much", i, left, p);
  }
  scene_free(&scene);
}

int main(void)
{
  suite_fixture(false, make_cluster, free_cluster);
  return suite_main("modes");
}
