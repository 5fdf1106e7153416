/* What is sampled: equipartition for every word with every method and friction, and the O letter alone.
 * Errors come from independent replicas; seeds are fixed. The figures are printed. */
#include "tests/scenes_replicas.h"
#include "tests/spoiled.h"
#include "tests/suite.h"

static Cluster cluster;
static const Kind *kind;

static void make_cluster(void)
{
  scenes_replicas_cluster(&cluster);
  kind = cluster.kind;
}

static void free_cluster(void) { scenes_replicas_cluster_free(&cluster); }

/* --- equipartition
 * ------------------------------------------------------------------------------------------
 */

/* Kinds of motion of one molecule: along, about its three axes, and in its bonds. */
enum { ALONG, ABOUT_X, ABOUT_Y, ABOUT_Z, BONDS, MOTION_KINDS };
static const char *const motion_name[MOTION_KINDS] = {"translation", "rotation about H-H", "about the normal",
                                                      "about the bisector", "bonds"};

/* v[6][9]: rigid motions of a molecule, orthonormal in its masses. */
static void rigid_motions(const Pack *pack, Vec8 v[6][9])
{
  const double *m = pack->kind->mass;
  Vec8 c[3], axis[3][3];
  for (int d = 0; d < 3; d++) {
    c[d] = (m[0] * pack->q[d] + m[1] * pack->q[3 + d] + m[2] * pack->q[6 + d]) / (m[0] + m[1] + m[2]);
    axis[0][d] = pack->q[3 + d] - pack->q[6 + d];
    axis[2][d] = pack->q[3 + d] + pack->q[6 + d] - 2.0 * pack->q[d];
  }
  for (int d = 0; d < 3; d++) {
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    axis[1][d] = axis[0][a] * axis[2][b] - axis[0][b] * axis[2][a];
  }
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 9; i++) {
      const int d = i % 3, a = (d + 1) % 3, b = (d + 2) % 3;
      v[k][i] = vec8_set(d == k ? 1.0 : 0.0);
      v[3 + k][i] = axis[k][a] * (pack->q[i - d + b] - c[b]) - axis[k][b] * (pack->q[i - d + a] - c[a]);
    }
  for (int k = 0; k < 6; k++) {
    for (int j = 0; j < k; j++) {
      Vec8 dot = vec8_set(0.0);
      for (int i = 0; i < 9; i++)
        dot += m[i / 3] * v[k][i] * v[j][i];
      for (int i = 0; i < 9; i++)
        v[k][i] -= dot * v[j][i];
    }
    Vec8 norm = vec8_set(0.0);
    for (int i = 0; i < 9; i++)
      norm += m[i / 3] * v[k][i] * v[k][i];
    for (int i = 0; i < 9; i++)
      v[k][i] /= vec8_sqrt(norm);
  }
}

typedef struct Energies {
  int64_t n;                           /* samples of replica 0                              */
  double sum[REPLICAS * MOTION_KINDS]; /* twice the kinetic energy of each kind, all molecules */
} Energies;

/* Twice the kinetic energies by kind of motion; the one in the bonds is what is left. */
static Status add_energies(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  const State *state = sample->state;
  (void)due;
  (void)error;
  Energies *e = self;
  for (int i = 0; i < state->block[0].npack; i++) {
    const Pack pack = state_pack(state, &state->block[0], i);
    Vec8 v[6][9], twice[MOTION_KINDS] = {vec8_set(0.0)}, all = vec8_set(0.0), rigid = vec8_set(0.0);
    rigid_motions(&pack, v);
    for (int k = 0; k < 9; k++)
      all += pack.p[k] * pack.p[k] / kind->mass[k / 3];
    for (int k = 0; k < 6; k++) {
      Vec8 amplitude = vec8_set(0.0);
      for (int j = 0; j < 9; j++)
        amplitude += v[k][j] * pack.p[j];
      const int which = k < 3 ? ALONG : ABOUT_X + k - 3;
      twice[which] = (k == 0 || k > 2 ? vec8_set(0.0) : twice[which]) + amplitude * amplitude;
      rigid += amplitude * amplitude;
    }
    twice[BONDS] = all - rigid;
    for (int k = 0; k < MOTION_KINDS; k++)
      for (int l = 0; l < LANES; l++)
        e->sum[(batch * LANES + l) * MOTION_KINDS + k] += twice[k][l];
  }
  if (batch == 0)
    e->n++;
  return STATUS_OK;
}

typedef struct Way {
  const char *name, *accel, *constraints;
  PenaltyHessian hessian;
  double w, h;
  bool tangent;
} Way;

/* Steps small enough that librations (and bonds that have a temperature) are resolved, W h below 0.1. */
static const Way methods[] = {
    {"settle", "verlet", "settle", HESSIAN_FULL, 0, 0.01, false},
    {"rattle", "verlet", "rattle", HESSIAN_FULL, 0, 0.01, false},
    {"shake", "verlet", "shake", HESSIAN_FULL, 0, 0.01, false},
    {"zss, Gauss-Newton, w 500, tangent noise", "zss", NULL, HESSIAN_GAUSS_NEWTON, 500, 0.01, true},
    {"zss, Gauss-Newton, w 20", "zss", NULL, HESSIAN_GAUSS_NEWTON, 20, 0.0015, false},
    {"zss, full, w 20", "zss", NULL, HESSIAN_FULL, 20, 0.0015, false},
    {"verlet, w 20", "verlet", NULL, HESSIAN_FULL, 20, 0.0015, false},
};
enum { METHODS = (int)(sizeof methods / sizeof *methods) };

/* So much friction that a kinetic energy forgets itself in some five steps. */
static PlanOptions noisy(const Way *m, const char *word, Friction friction)
{
  PlanOptions o = m->constraints != NULL ? scene_constrained(m->constraints, word, m->h)
                                         : scene_penalty(m->accel, m->hessian, m->w, word, m->h);
  o.tangent = m->tangent;
  o.kT = 0.2;
  o.friction = friction;
  o.gamma = (friction == FRICTION_MASS ? 0.1 : 0.6) / m->h;
  return o;
}

enum { WARM = SHORT ? 50 : 200 };

static void measure(const PlanOptions *o, Spoiled how, uint64_t seed, Energies *e, int *freedom)
{
  Trial t = scenes_replicas_trial(&cluster, o, MOLECULES, true, seed);
  spoiled_plan(t.plan, how);
  memset(e, 0, sizeof *e);
  const Sampler sampler = {.self = e, .every = {5}, .sample = add_energies};
  scenes_replicas_run(&t, WARM, NULL);
  scenes_replicas_run(&t, WARM + 1500 / SHORTER, &sampler);
  *freedom = plan_freedom(t.plan, (const int[]){MOLECULES});
  scenes_replicas_free(&t);
}

/* Each against kT: five errors (of 400 numbers one in 500 runs is further off), and 0.4 % for the step.
 * Returns how often it is as far off as that, and says which is farthest. */
static double worst_sigma, worst_error;

static double excess(const Energies *e, const PlanOptions *o, const char **motion)
{
  const int last = o->constraints != NULL || o->tangent ? BONDS : MOTION_KINDS;
  double most = 0.0;
  for (int k = 0; k < last; k++) {
    double mean, error;
    scenes_replicas_mean(&e->sum[k], MOTION_KINDS, &mean, &error);
    const double one = (k == ALONG || k == BONDS ? 3.0 : 1.0) * MOLECULES * (double)e->n * o->kT;
    mean /= one;
    error /= one;
    worst_sigma = fmax(worst_sigma, fabs(mean - 1.0) / error);
    worst_error = fmax(worst_error, error);
    const double off = fabs(mean - 1.0) / (5.0 * error + 0.004);
    if (off > most)
      *motion = motion_name[k];
    most = fmax(most, off);
  }
  return most;
}

TEST(equipartition, .rows = suite_rows(4, 2 * METHODS))
{
  const Way *m = &methods[_i / 2];
  const Friction friction = _i % 2 == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
  const char *name = friction == FRICTION_UNIFORM ? "uniform" : "mass";
  worst_sigma = worst_error = 0.0;
  for (const Word *word = word_table; word->name != NULL; word++) {
    /* The forces of a cluster have no slow part for S. */
    if (strchr(word->letters, 'O') == NULL || strchr(word->letters, 'B') == NULL ||
        strchr(word->letters, 'S') != NULL)
      continue;
    const PlanOptions o = noisy(m, word->name, friction);
    Energies e;
    int freedom;
    const char *motion = NULL;
    measure(&o, SPOILED_NOT, 100 + 32 * (uint64_t)_i + (uint64_t)(word - word_table), &e, &freedom);
    const double off = excess(&e, &o, &motion);
    ck_assert_double_lt(worst_error, 0.01 * sqrt(SHORTER));
    ck_assert_msg(off < 1.0, "%s, %s, %s friction: %s is off by %.2f of what is allowed", m->name, o.word,
                  name, motion, off);
  }
  printf("equipartition, %-42s %-8s friction: within %.1f errors, the largest error %.4f\n", m->name, name,
         worst_sigma, worst_error);
}

/* The same bounds see that O projects wrongly, under uniform friction, whose metric is not that of the
 * masses. */
TEST(equipartition_sees_a_wrong_projection, .rows = suite_rows(2, 2 * (SPOILED - 1)), .skip = SHORT)
{
  static const char *const words[] = {"BAOAB", "BABO"};
  const Spoiled how = (Spoiled)(1 + _i / 2);
  const PlanOptions o = noisy(&methods[0], words[_i % 2], FRICTION_UNIFORM);
  Energies e;
  int freedom;
  const char *motion = NULL;
  measure(&o, how, 500 + (uint64_t)_i, &e, &freedom);
  const double off = excess(&e, &o, &motion);
  printf("equipartition, %s, %s: %s is off by %.1f times what is allowed\n", o.word, spoiled_name[how],
         motion, off);
  ck_assert_msg(off > 1.0, "%s, %s: %.2f", o.word, spoiled_name[how], off);
}

/* With motions of the whole taken out, what is left shares kinetic energy by plan_freedom. */
TEST(removal_is_accounted_for, .rows = suite_rows(2, 8))
{
  static const int which[] = {0, 1, 3, 6};
  const Way *m = &methods[which[_i / 2]];
  const Friction friction = _i % 2 == 0 ? FRICTION_UNIFORM : FRICTION_MASS;
  for (Removal removal = REMOVE_NONE; removal <= REMOVE_ANGULAR; removal++) {
    PlanOptions o = noisy(m, removal == REMOVE_LINEAR ? "BAOAB" : "BABO", friction);
    o.removal = removal;
    Energies e;
    int freedom;
    measure(&o, SPOILED_NOT, 1000 + 4 * (uint64_t)_i + (uint64_t)removal, &e, &freedom);
    ck_assert_int_eq(freedom, (m->w > 0 && !m->tangent ? 9 : 6) * MOLECULES - 3 * (int)removal);
    double total[REPLICAS], mean, error;
    for (int r = 0; r < REPLICAS; r++) {
      total[r] = 0.0;
      for (int k = 0; k < (m->tangent ? BONDS : MOTION_KINDS); k++)
        total[r] += e.sum[r * MOTION_KINDS + k] / (freedom * (double)e.n * o.kT);
    }
    scenes_replicas_mean(total, 1, &mean, &error);
    /* One degree of freedom more or less would be 2.5 %. */
    ck_assert_msg(fabs(mean - 1.0) < 5.0 * error + 0.004, "%s, removal %d: %.4f +- %.4f of %d kT/2", m->name,
                  removal, mean, error, freedom);
    ck_assert_double_lt(error, 0.003 * sqrt(SHORTER));
  }
}

/* --- O alone
 * ------------------------------------------------------------------------------------------------
 */

enum { FEW = 4, COORDINATES = 9 * FEW, RIGID = 6 * FEW, DRAWS = 200 / SHORTER, EVERY = 12 };

/* An orthonormal basis (in the masses) of the rigid motions of FEW molecules, those of the whole first:
 * basis[RIGID][COORDINATES]. */
static void rigid_basis(const double *x, double basis[RIGID][COORDINATES])
{
  static double raw[RIGID + 6][COORDINATES];
  memset(raw, 0, sizeof raw);
  for (int k = 0; k < RIGID + 6; k++)
    for (int m = 0; m < FEW; m++) {
      if (k >= 6 && (k - 6) / 6 != m)
        continue;
      for (int i = 0; i < 9; i++) {
        const int d = i % 3, turn = k % 6 - 3, a = (d + 1) % 3, b = (d + 2) % 3;
        const double *site = x + 9 * m + i - d;
        if (turn < 0)
          raw[k][9 * m + i] = d == turn + 3;
        else if (d != turn) /* axis `turn` crossed with the site's place */
          raw[k][9 * m + i] = a == turn ? site[b] : -site[a];
      }
    }
  int found = 0;
  for (int k = 0; k < RIGID + 6; k++) {
    double before = 0.0, after = 0.0;
    for (int i = 0; i < COORDINATES; i++)
      before += kind->mass[i / 3 % 3] * raw[k][i] * raw[k][i];
    for (int twice = 0; twice < 2; twice++)
      for (int j = 0; j < found; j++) {
        double dot = 0.0;
        for (int i = 0; i < COORDINATES; i++)
          dot += kind->mass[i / 3 % 3] * raw[k][i] * basis[j][i];
        for (int i = 0; i < COORDINATES; i++)
          raw[k][i] -= dot * basis[j][i];
      }
    for (int i = 0; i < COORDINATES; i++)
      after += kind->mass[i / 3 % 3] * raw[k][i] * raw[k][i];
    if (after < 1e-12 * before)
      continue; /* the last molecule's motions follow from the others' and the whole's */
    ck_assert_int_lt(found, RIGID);
    for (int i = 0; i < COORDINATES; i++)
      basis[found][i] = raw[k][i] / sqrt(after);
    found++;
  }
  ck_assert_int_eq(found, RIGID);
}

typedef struct Draws {
  double basis[RIGID][COORDINATES];
  double unit;                              /* sqrt(kT)                                       */
  int n[REPLICAS];                          /* draws so far                                   */
  double amplitude[REPLICAS][DRAWS][RIGID]; /* should be standard normals, those removed zero */
  double across[REPLICAS];                  /* the largest part of the momenta off the basis */
} Draws;

static void add_draw(Draws *d, const State *state, int replica, int lane)
{
  double p[COORDINATES];
  state_get(&state->block[0], LANES, state->block[0].p, lane, p);
  double *out = d->amplitude[replica][d->n[replica]++];
  double rest = 0.0;
  for (int i = 0; i < COORDINATES; i++)
    rest += p[i] * p[i] / kind->mass[i / 3 % 3];
  for (int k = 0; k < RIGID; k++) {
    double sum = 0.0;
    for (int i = 0; i < COORDINATES; i++)
      sum += d->basis[k][i] * p[i];
    rest -= sum * sum;
    out[k] = sum / d->unit;
  }
  d->across[replica] = fmax(d->across[replica], rest);
}

static Status add_draws(void *self, unsigned due, int batch, const Sample *sample, Error *error)
{
  const State *state = sample->state;
  (void)due;
  (void)error;
  for (int l = 0; l < LANES; l++)
    add_draw(self, state, batch * LANES + l, l);
  return STATUS_OK;
}

static int rising(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct Verdict {
  double square, square_error; /* mean square                                                     */
  double pairs;                /* largest deviation of an element of the covariance, in errors    */
  double distance;             /* sqrt(n) times Kolmogorov's distance from the normal             */
} Verdict;

static Verdict judge(const Draws *d, int first)
{
  const int n = REPLICAS * d->n[0], per = RIGID - first;
  Verdict v = {0};
  double *all = malloc((size_t)(n * per) * sizeof *all), square[REPLICAS] = {0};
  static double covariance[RIGID][RIGID];
  memset(covariance, 0, sizeof covariance);
  int count = 0;
  for (int r = 0; r < REPLICAS; r++)
    for (int i = 0; i < d->n[r]; i++)
      for (int k = first; k < RIGID; k++) {
        const double *x = d->amplitude[r][i];
        all[count++] = x[k];
        square[r] += x[k] * x[k] / (d->n[r] * per);
        for (int j = first; j <= k; j++)
          covariance[k][j] += x[k] * x[j] / n;
      }
  scenes_replicas_mean(square, 1, &v.square, &v.square_error);
  for (int k = first; k < RIGID; k++)
    for (int j = first; j <= k; j++)
      v.pairs = fmax(v.pairs, fabs(covariance[k][j] - (k == j)) / sqrt((k == j ? 2.0 : 1.0) / n));
  qsort(all, (size_t)count, sizeof *all, rising);
  for (int i = 0; i < count; i++) {
    const double f = 0.5 * erfc(-all[i] / sqrt(2.0));
    v.distance = fmax(v.distance, fmax(f - (double)i / count, (double)(i + 1) / count - f));
  }
  v.distance *= sqrt(count);
  free(all);
  return v;
}

static Draws *new_draws(double kT)
{
  Draws *d = calloc(1, sizeof *d);
  ck_assert_ptr_nonnull(d);
  rigid_basis(cluster.x, d->basis);
  d->unit = sqrt(kT);
  return d;
}

static const struct Alone {
  const char *name, *constraints;
  double strength; /* gamma t (over the mass of 1 for uniform friction) */
} alone[] = {{"settle", "settle", 4.0},
             {"settle, little friction", "settle", 1.0},
             {"rattle", "rattle", 4.0},
             {"shake", "shake", 4.0},
             {"penalties, tangent noise", NULL, 4.0}};
enum { ALONE = (int)(sizeof alone / sizeof *alone) };

static PlanOptions alone_options(const struct Alone *c, Friction friction, Removal removal)
{
  const double h = 1e-9;
  PlanOptions o = c->constraints != NULL ? scene_constrained(c->constraints, "BAO", h)
                                         : scene_penalty("zss", HESSIAN_GAUSS_NEWTON, 20.0, "BAO", h);
  o.tangent = c->constraints == NULL;
  o.friction = friction;
  o.gamma = c->strength / h;
  o.kT = 0.2;
  o.removal = removal;
  return o;
}

/* The word BAO with a step too small for A and B to do anything, and friction to match: two thousand times O
 * through a plan and its walks, from a Maxwellian start. */
static Draws *draw_alone(const PlanOptions *o, Spoiled how, uint64_t seed)
{
  Trial t = scenes_replicas_trial(&cluster, o, FEW, false, seed);
  spoiled_plan(t.plan, how);
  Draws *d = new_draws(o->kT);
  const Sampler sampler = {.self = d, .every = {EVERY}, .sample = add_draws};
  scenes_replicas_run(&t, DRAWS * EVERY, &sampler);
  scenes_replicas_free(&t);
  return d;
}

/* 300 elements: one beyond 5 errors in 6000 tries; a KS of 2.2 is one in 8000. */
static bool is_maxwellian(const Verdict *v)
{
  return fabs(v->square - 1.0) < 4.5 * v->square_error && v->pairs < 5.0 && v->distance < 2.2;
}

TEST(noise_alone_keeps_the_maxwellian, .rows = suite_rows(4, 2 * ALONE))
{
  const struct Alone *c = &alone[_i / 2];
  for (Removal removal = REMOVE_NONE; removal <= REMOVE_ANGULAR; removal++) {
    const PlanOptions o = alone_options(c, _i % 2 == 0 ? FRICTION_UNIFORM : FRICTION_MASS, removal);
    Draws *d = draw_alone(&o, SPOILED_NOT, 2000 + 4 * (uint64_t)_i + (uint64_t)removal);
    const int first = 3 * (int)removal;
    for (int r = 0; r < REPLICAS; r++)
      for (int k = 0; k < first; k++)
        ck_assert_double_lt(fabs(d->amplitude[r][DRAWS - 1][k]), 1e-6);
    for (int r = 0; r < REPLICAS; r++)
      ck_assert_double_lt(d->across[r], 1e-6);
    const Verdict v = judge(d, first);
    const char *friction = _i % 2 == 0 ? "uniform" : "mass";
    printf("O alone, %-26s %-8s removal %d: mean square %.4f +- %.4f, covariance %.1f, KS %.2f\n", c->name,
           friction, removal, v.square, v.square_error, v.pairs, v.distance);
    ck_assert_msg(
        is_maxwellian(&v),
        "%s, %s friction, removal %d: mean square %.4f +- %.4f, covariance off by %.1f errors, KS %.2f",
        c->name, friction, removal, v.square, v.square_error, v.pairs, v.distance);
    free(d);
  }
}

/* The test can fail: wrong projections are seen by the same bounds. */
TEST(noise_with_a_wrong_projection_does_not, .rows = SPOILED - 1, .skip = SHORT)
{
  const Spoiled how = (Spoiled)(1 + _i);
  const PlanOptions o = alone_options(&alone[0], FRICTION_UNIFORM, REMOVE_NONE);
  Draws *d = draw_alone(&o, how, 2100 + (uint64_t)_i);
  const Verdict v = judge(d, 0);
  printf("O alone, %s: mean square %.4f +- %.4f, covariance %.1f, KS %.2f\n", spoiled_name[how], v.square,
         v.square_error, v.pairs, v.distance);
  ck_assert_msg(!is_maxwellian(&v), "%s", spoiled_name[how]);
  free(d);
}

int main(void)
{
  suite_fixture(false, make_cluster, free_cluster);
  return suite_main("sampling");
}
