/* The trimer of Vesely (2013), section VII C: three equal masses, two bonds of fixed length, in the plane.
 * The density of the angle phi between consecutive bond vectors is
 *
 *   p(phi) ~ sqrt(1 - cos^2(phi)/4)   for rigid bonds: sqrt(det J M^-1 J'), see forcefields/fixman.h
 *   p(phi) = 1/(2 pi)                 for springs of any stiffness, and for rigid bonds with Fixman's
 * potential
 *
 * Replicas are independent, and samples of one replica lie several correlation times apart, so counts in
 * bins are multinomial: Pearson's chi-square against the law, and also against the other law, which it must
 * reject. Seeds are fixed; the figures are printed. */
#include <gsl/gsl_cdf.h>

#include "forcefields/fixman.h"
#include "forcefields/internal.h"
#include "simulation/ensemble/ensemble.h"
#include "tests/scenes_replicas.h"
#include "tests/suite.h"

enum { COUNT = 1024, BINS = 24, SAMPLES = 60 / SHORTER + 1 };

static const double mass[3] = {1.0, 1.0, 1.0}, reference[6] = {-1.0, 0.0, 0.0, 0.0, 0.8, 0.6};
static const char *const names[3] = {"X", "X", "X"};
#define BOND(i, j)                                                                                           \
  {                                                                                                          \
    &constraint_distance, 2, {i, j}, { 1.0 }                                                                 \
  }
#define SPRING(i, j, k)                                                                                      \
  {                                                                                                          \
    &potential_spring, 2, {i, j}, { k, 0.0, 0.0, 0.0, 1.0 }                                                  \
  }
static const Constraint bonds[2] = {BOND(0, 1), BOND(1, 2)};
static const Potential hard_springs[2] = {SPRING(0, 1, 400.0), SPRING(1, 2, 400.0)},
                       soft_springs[2] = {SPRING(0, 1, 25.0), SPRING(1, 2, 25.0)};
static const Kind rigid = {"trimer", 3, 2, 2, mass, names, bonds, reference, 0, NULL, NULL};
static const Kind stiff = {"trimer of springs", 3, 2, 0, mass, names, NULL, reference, 2, hard_springs, NULL};
static const Kind soft = {"trimer of springs", 3, 2, 0, mass, names, NULL, reference, 2, soft_springs, NULL};

/* --- measuring ----------------------------------------------------------------------------------------- */

typedef struct Angles {
  int64_t count[COUNT / LANES][BINS]; /* by batch                                   */
  int64_t n;                          /* samples of batch 0                         */
  double cosine[COUNT];               /* sum of cos(2 phi) of each replica          */
} Angles;

static Status add_angles(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  const State *state = sample->state;
  (void)due;
  (void)error;
  Angles *a = self;
  const Pack pack = state_pack(state, &state->block[0], 0);
  for (int l = 0; l < LANES; l++) {
    const double x = pack.q[2][l] - pack.q[0][l], y = pack.q[3][l] - pack.q[1][l];
    const double u = pack.q[4][l] - pack.q[2][l], v = pack.q[5][l] - pack.q[3][l];
    const double phi = atan2(x * v - y * u, x * u + y * v);
    const int bin = (int)((phi + M_PI) / (2.0 * M_PI) * BINS);
    a->count[batch][bin < BINS ? bin : BINS - 1]++;
    a->cosine[batch * LANES + l] += cos(2.0 * phi);
  }
  a->n += batch == 0;
  return STATUS_OK;
}

static Status make_forces(const void *self, const State *shape, ForceField *field, Error *error)
{
  const double kT = *(const double *)self;
  field->n = 1;
  if (kT > 0.0)
    return fixman_create(&field->force[0], kT, shape, error);
  return internal_create(&field->force[0], shape, error);
}

/* SAMPLES of each replica, `every` steps apart, after as many steps without. kT of Fixman's potential, 0:
 * none. */
static void measure(const Kind *kind, const PlanOptions *options, double fixman, int every, Angles *angles)
{
  Plan *plan;
  Ensemble *ensemble;
  Topology *topology;
  Error error = {0};
  ck_assert_int_eq(topology_of_kinds(&topology, 1, &kind, (int[]){1}, NULL), STATUS_OK);
  ck_assert_msg(plan_create(&plan, kind, options, &error) == STATUS_OK, "%s", error.text);
  const EnsembleOptions e = {.plan = plan,
                             .topology = topology,
                             .replicas = COUNT,
                             .width = LANES,
                             .threads = 2,
                             .seed = 20130401,
                             .maker = {&fixman, make_forces}};
  ck_assert_msg(ensemble_create(&ensemble, &e, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(ensemble_start(ensemble, kind->reference, &error), STATUS_OK);
  memset(angles, 0, sizeof *angles);
  const Sampler sampler = {.self = angles, .every = {every}, .sample = add_angles};
  const int64_t start = 3 * every;
  ck_assert_msg(ensemble_run(ensemble, start, NULL, &error) == STATUS_OK, "%s", error.text);
  ck_assert_msg(ensemble_run(ensemble, start + SAMPLES * every, &sampler, &error) == STATUS_OK, "%s",
                error.text);
  ensemble_free(ensemble);
  topology_free(topology);
  plan_free(plan);
}

/* --- laws ---------------------------------------------------------------------------------------------- */

static double law_rigid(double phi) { return sqrt(1.0 - 0.25 * cos(phi) * cos(phi)); }
static double law_uniform(double phi)
{
  (void)phi;
  return 1.0;
}

typedef double Law(double phi);

/* The share of each bin, by Simpson's rule, and the mean of cos(2 phi). */
static void shares(Law *law, double share[BINS], double *cosine)
{
  double sum = 0.0, wave = 0.0;
  for (int b = 0; b < BINS; b++) {
    share[b] = 0.0;
    for (int k = 0; k <= 16; k++) {
      const double phi = -M_PI + 2.0 * M_PI * (b + k / 16.0) / BINS;
      const double weight = (k == 0 || k == 16 ? 1.0 : k % 2 ? 4.0 : 2.0) * law(phi);
      share[b] += weight;
      wave += weight * cos(2.0 * phi);
    }
    sum += share[b];
  }
  for (int b = 0; b < BINS; b++)
    share[b] /= sum;
  *cosine = wave / sum;
}

/* Pearson's chi-square, as the probability of a larger one. */
static double chance(const Angles *a, Law *law, double *chi2)
{
  double share[BINS], cosine, total = 0.0;
  shares(law, share, &cosine);
  *chi2 = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < BINS; b++) {
      double n = 0.0;
      for (int g = 0; g < COUNT / LANES; g++)
        n += (double)a->count[g][b];
      if (pass == 0)
        total += n;
      else
        *chi2 += (n - total * share[b]) * (n - total * share[b]) / (total * share[b]);
    }
  return gsl_cdf_chisq_Q(*chi2, BINS - 1);
}

static void mean_cosine(const Angles *a, double *mean, double *error)
{
  double sum = 0.0, square = 0.0;
  for (int r = 0; r < COUNT; r++) {
    const double x = a->cosine[r] / (double)a->n;
    sum += x;
    square += x * x;
  }
  *mean = sum / COUNT;
  *error = sqrt((square / COUNT - *mean * *mean) / (COUNT - 1));
}

static void report(const char *what, const Angles *a)
{
  double mean, error, rigid2, uniform2;
  mean_cosine(a, &mean, &error);
  const double p = chance(a, law_rigid, &rigid2), q = chance(a, law_uniform, &uniform2);
  printf("%-34s <cos 2phi> = %8.5f +- %.5f  chi2/%d: rigid law %7.1f (p %.3g), uniform %7.1f (p %.3g)\n",
         what, mean, error, BINS - 1, rigid2, p, uniform2, q);
}
/* --- cases --------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  const Kind *kind;
  const char *word, *constraints;
  double h, gamma, w, fixman;
  Law *law, *other;
} cases[] = {
    {"random walk, SHAKE", &rigid, "WALK", "shake", 0.075, INFINITY, 0.0, 0.0, law_rigid, law_uniform},
    {"BABO, RATTLE", &rigid, "BABO", "rattle", 0.075, 1.0, 0.0, 0.0, law_rigid, law_uniform},
    {"BABO, RATTLE, Fixman's potential", &rigid, "BABO", "rattle", 0.075, 1.0, 0.0, 1.0, law_uniform,
     law_rigid},
    {"BAOAB, springs k = 400", &stiff, "BAOAB", NULL, 0.0225, 1.0, 0.0, 0.0, law_uniform, law_rigid},
    {"BAOAB, springs k = 25", &soft, "BAOAB", NULL, 0.06, 1.0, 0.0, 0.0, law_uniform, law_rigid},
    {"BAOAB, penalties w = 10", &rigid, "BAOAB", NULL, 0.0225, 1.0, 10.0, 0.0, law_uniform, law_rigid},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

/* The random walk takes steps of 0.075 bond lengths in each coordinate: its law is one of short steps. */
TEST(bond_angle, .rows = CASES)
{
  static Angles angles;
  const PlanOptions options = {.word = cases[_i].word,
                               .h = cases[_i].h,
                               .accel = "verlet",
                               .w = cases[_i].w,
                               .constraints = cases[_i].constraints,
                               .constraint = {.tolerance = 1e-10, .max_iterations = 100},
                               .friction = FRICTION_MASS,
                               .gamma = cases[_i].gamma,
                               .kT = 1.0,
                               .isa = isa_best()};
  /* Correlation times of cos(2 phi): some 15 steps of the walk, a time of 1 with gamma = 1. */
  const int every = isinf(cases[_i].gamma) ? 90 : (int)(6.0 / cases[_i].h);
  measure(cases[_i].kind, &options, cases[_i].fixman, every, &angles);
  report(cases[_i].name, &angles);
  double chi2, share[BINS], want, mean, error;
  ck_assert_double_gt(chance(&angles, cases[_i].law, &chi2), 1e-4);
  shares(cases[_i].law, share, &want);
  mean_cosine(&angles, &mean, &error);
  ck_assert_double_lt(fabs(mean - want), 4.0 * error);
  if (!SHORT)
    ck_assert_double_lt(chance(&angles, cases[_i].other, &chi2), 1e-12);
}
