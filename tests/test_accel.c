/* Acceleration maps: the penalties' force against their energy, the solves against a dense one in long
 * double, their limits, and what happens where the matrix is not positive definite. */
#include "integrators/accel.h"
#include "tests/molecules.h"
#include "tests/suite.h"

typedef struct Map {
  const AccelMap *ops;
  Accel *self;
} Map;

static Map map_open(const char *name, const Kind *kind, const AccelOptions *options, Isa isa)
{
  Map map = {.ops = accel_map_find(name)};
  Error error;
  ck_assert_ptr_nonnull(map.ops);
  ck_assert_int_eq(accel_create(&map.self, map.ops, kind, options, isa, &error), STATUS_OK);
  return map;
}

/* Options with beta h^2 w^2 = c at h = 0.05. */
static AccelOptions options_of(double c, PenaltyHessian hessian)
{
  return (AccelOptions){.h = 0.05, .beta = 0.3, .w = sqrt(c / (0.3 * 0.05 * 0.05)), .hessian = hessian};
}

/* A molecule of `kind` on the manifold with its sites then moved by up to `off`. */
static void molecules_off(const Kind *kind, double off, Molecules *m)
{
  molecules_random(kind, 3.0, 1.0, m);
  for (int i = 0; i < coordinates(kind); i++)
    for (int l = 0; l < LANES; l++)
      m->q[i][l] += off * uniform();
}

/* A random symmetric matrix per lane, elements up to `size`, plus `shift` on the diagonal. */
static void random_hessian(int n, double size, double shift, Vec8 *hess)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int l = 0; l < LANES; l++)
        hess[i * n + j][l] = hess[j * n + i][l] = size * uniform() + (i == j ? shift : 0.0);
}

/* --- the same system in long double, from the definition ------------------------------------------- */

typedef struct Dense {
  int n;
  long double a[COORDINATES][COORDINATES + 1]; /* the matrix, and the force in the last column */
} Dense;

static long double exact_straight(const Kind *kind, const Constraint *con, int lane, const Vec8 *q,
                                  long double *j)
{
  const long double length = con->param[0], share = con->param[1], factor[3] = {1, share - 1, -share};
  long double g = 0;
  for (int k = 0; k < 3; k++) {
    const int at = con->site[k] * kind->dim + (int)con->param[2];
    j[at] = length * factor[k];
    g += j[at] * q[at][lane];
  }
  return g;
}

/* g of constraint c and its gradient; other types are |q_i - x|^2 - d^2 with x another site or a point. */
static long double exact_gradient(const Kind *kind, int c, int lane, const Vec8 *q, long double *j)
{
  const Constraint *con = &kind->con[c];
  long double g = -(long double)con->param[0] * con->param[0];
  for (int i = 0; i < coordinates(kind); i++)
    j[i] = 0;
  if (con->type == &constraint_straight)
    return exact_straight(kind, con, lane, q, j);
  for (int d = 0; d < kind->dim; d++) {
    const int at = con->site[0] * kind->dim + d, other = con->site[1] * kind->dim + d;
    const long double r =
        (long double)q[at][lane] - (con->nsite == 2 ? (long double)q[other][lane] : con->param[1 + d]);
    g += r * r;
    j[at] = 2 * r;
    if (con->nsite == 2)
      j[other] = -2 * r;
  }
  return g;
}

static void exact_system(const Kind *kind, const AccelOptions *o, int lane, const Vec8 *q, const Vec8 *f,
                         const Vec8 *hess, Dense *s)
{
  const long double c0 = (long double)o->beta * o->h * o->h, w2 = (long double)o->w * o->w;
  const int n = s->n = coordinates(kind), dim = kind->dim;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++)
      s->a[i][k] = hess != NULL ? c0 * hess[i * n + k][lane] : 0;
    s->a[i][i] += kind->mass[i / dim];
    s->a[i][n] = f[i][lane];
  }
  for (int c = 0; c < kind->ncon; c++) {
    long double j[COORDINATES];
    const Constraint *con = &kind->con[c];
    const long double g = exact_gradient(kind, c, lane, q, j);
    for (int i = 0; i < n; i++) {
      s->a[i][n] -= w2 * g * j[i];
      for (int k = 0; k < n; k++)
        s->a[i][k] += c0 * w2 * j[i] * j[k];
    }
    const bool bent = con->type != &constraint_straight && o->hessian == HESSIAN_FULL;
    for (int k = 0; bent && k < con->nsite; k++)
      for (int l = 0; l < con->nsite; l++)
        for (int d = 0; d < dim; d++)
          s->a[con->site[k] * dim + d][con->site[l] * dim + d] += (k == l ? 2 : -2) * c0 * w2 * g;
  }
}

/* Positive definite: all pivots of the elimination without exchanges are positive. */
static int exact_definite(Dense s)
{
  for (int k = 0; k < s.n; k++) {
    if (s.a[k][k] <= 0)
      return 0;
    for (int i = k + 1; i < s.n; i++)
      for (int j = s.n - 1; j >= k; j--)
        s.a[i][j] -= s.a[i][k] / s.a[k][k] * s.a[k][j];
  }
  return 1;
}

static void exact_solve(Dense s, long double *x)
{
  const int n = s.n;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      best = fabsl(s.a[i][k]) > fabsl(s.a[best][k]) ? i : best;
    for (int j = 0; j <= n; j++) {
      const long double y = s.a[k][j];
      s.a[k][j] = s.a[best][j];
      s.a[best][j] = y;
    }
    for (int i = 0; i < n; i++)
      for (int j = n; i != k && j >= k; j--)
        s.a[i][j] -= s.a[i][k] / s.a[k][k] * s.a[k][j];
  }
  for (int i = 0; i < n; i++)
    x[i] = s.a[i][n] / s.a[i][i];
}

/* Applies the map and compares each lane with the exact solution: error relative to the largest
 * component; and checks the returned bits against the exact matrix' definiteness. */
static double map_error(const Kind *kind, const char *name, const AccelOptions *o, Isa isa,
                        const Molecules *start, const Vec8 *hess, unsigned *indefinite)
{
  const int n = coordinates(kind);
  Molecules m = *start;
  Pack pack = molecules_pack(kind, &m);
  Map map = map_open(name, kind, o, isa);
  const unsigned bits = map.ops->apply(map.self, &pack, hess);
  accel_free(map.self);
  double worst = 0.0;
  for (int lane = 0; lane < LANES; lane++) {
    Dense s;
    long double x[COORDINATES], most = 0, error = 0;
    exact_system(kind, o, lane, start->q, start->f, hess, &s);
    exact_solve(s, x);
    for (int i = 0; i < n; i++) {
      const long double ma = x[i] * kind->mass[i / kind->dim];
      most = fmaxl(most, fabsl(ma));
      error = fmaxl(error, fabsl(ma - m.f[i][lane]));
      ck_assert(isfinite(m.f[i][lane]));
    }
    worst = fmax(worst, (double)(error / most));
    ck_assert_uint_eq(bits >> lane & 1u, !exact_definite(s));
    if (indefinite != NULL && bits >> lane & 1u)
      ++*indefinite;
  }
  return worst;
}

static const double stiffness[] = {1e-2, 1.0, 1e2, 1e3, 1e5};

/* Multipliers take the stiffness out of the system: the error of Gauss-Newton does not grow with it. With
 * the full Hessian the rounding of g comes in, times c; the dense route has c J'J in its matrix, whose
 * rounding is an error of the same size. Off the manifold the full matrix may be anything, also nearly
 * singular. */
TEST(solves_are_right, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  const double off[] = {0.0, 1e-4, 0.02};
  srand48(21);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int k = 0; isa_runs(isa) && k < 15; k++) {
      Molecules m;
      Vec8 hess[COORDINATES * COORDINATES];
      const double c = stiffness[k / 3], rounded = 1e-12 + 1e-14 * c;
      const double full = k % 3 == 0 || c < 10.0 ? rounded : 1e-9;
      molecules_off(kind, off[k % 3], &m);
      random_hessian(coordinates(kind), 5.0, 20.0, hess);
      AccelOptions o = options_of(c, HESSIAN_GAUSS_NEWTON);
      ck_assert_double_lt(map_error(kind, "zss", &o, isa, &m, NULL, NULL), 1e-12);
      ck_assert_double_lt(map_error(kind, "zss-block", &o, isa, &m, hess, NULL), rounded);
      o.hessian = HESSIAN_FULL;
      ck_assert_double_lt(map_error(kind, "zss", &o, isa, &m, NULL, NULL), full);
      ck_assert_double_lt(map_error(kind, "zss-block", &o, isa, &m, hess, NULL), full);
    }
}

/* Bonds compressed until S, and then until the whole matrix, is not positive definite. */
TEST(indefinite_matrices_are_solved_and_reported, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  unsigned indefinite = 0;
  srand48(22);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    for (int k = 0; isa_runs(isa) && k < 20; k++) {
      Molecules m;
      molecules_off(kind, 0.3, &m);
      const AccelOptions o = options_of(k % 2 ? 1.0 : 10.0, HESSIAN_FULL);
      ck_assert_double_lt(map_error(kind, "zss", &o, isa, &m, NULL, &indefinite), 1e-10);
    }
  ck_assert_uint_gt(indefinite, 10);
}

/* On the same molecules Gauss-Newton is positive definite. A tail lane raises no bit. */
TEST(gauss_newton_is_definite, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  srand48(23);
  for (int k = 0; k < 20; k++) {
    Molecules m;
    molecules_off(kind, 0.3, &m);
    AccelOptions o = options_of(1e3, HESSIAN_GAUSS_NEWTON);
    ck_assert_double_lt(map_error(kind, "zss", &o, isa_best(), &m, NULL, NULL), 1e-10);
    o.hessian = HESSIAN_FULL;
    Pack pack = molecules_pack(kind, &m);
    m.active = vec8_set(0.0);
    Map map = map_open("zss", kind, &o, isa_best());
    ck_assert_uint_eq(map.ops->apply(map.self, &pack, NULL), 0);
    accel_free(map.self);
  }
}

TEST(penalty_force_is_minus_its_gradient, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  const double w = 20.0, step = 1e-4;
  const AccelOptions o = {.h = 0.05, .beta = 0.25, .w = w};
  srand48(24);
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++) {
    if (!isa_runs(isa))
      continue;
    Molecules m;
    molecules_off(kind, 0.05, &m);
    const Molecules start = m;
    Pack pack = molecules_pack(kind, &m);
    Map map = map_open("verlet", kind, &o, isa);
    ck_assert_uint_eq(map.ops->apply(map.self, &pack, NULL), 0);
    accel_free(map.self);
    for (int i = 0; i < coordinates(kind); i++) {
      /* Differences of fourth order, exact for the quartic energy up to rounding. */
      static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, at[4] = {-2, -1, 1, 2};
      Vec8 slope = vec8_set(0.0), energy, most;
      for (int k = 0; k < 4; k++) {
        m.q[i] = start.q[i] + at[k] * step;
        accel_penalty_energy(&pack, w, 0.0, &energy, k == 0 ? &most : NULL);
        slope += weight[k] / step * energy;
      }
      m.q[i] = start.q[i];
      const Vec8 force = m.f[i] - start.f[i];
      for (int l = 0; l < LANES; l++)
        ck_assert_double_lt(fabs(force[l] + slope[l]), 1e-7 * (10.0 + fabs(slope[l])));
      ck_assert_double_gt(largest(most), 0.01);
    }
  }
}

/* w = 0: M a = f, to the bit. beta = 0: Verlet's force. No block: zss. */
TEST(limits_are_right, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  const int n = coordinates(kind);
  srand48(25);
  for (int hessian = 0; hessian < 2; hessian++) {
    Molecules start, a, b;
    Vec8 none[COORDINATES * COORDINATES] = {0};
    molecules_off(kind, 0.05, &start);
    AccelOptions o = {.h = 0.05, .beta = 0.25, .w = 0.0, .hessian = (PenaltyHessian)hessian};
    for (int limit = 0; limit < 3; limit++) {
      o.w = limit == 0 ? 0.0 : 20.0;
      o.beta = limit == 1 ? 0.0 : 0.25;
      a = b = start;
      Pack pack_a = molecules_pack(kind, &a), pack_b = molecules_pack(kind, &b);
      Map zss = map_open("zss", kind, &o, isa_best());
      Map other = map_open(limit == 2 ? "zss-block" : "verlet", kind, &o, isa_best());
      zss.ops->apply(zss.self, &pack_a, NULL);
      other.ops->apply(other.self, &pack_b, none);
      for (int i = 0; i < n; i++) {
        ck_assert_double_lt(largest(a.f[i] - b.f[i]), 1e-11);
        if (limit == 0)
          ck_assert_int_eq(memcmp(&a.f[i], &start.f[i], sizeof(Vec8)), 0);
      }
      accel_free(zss.self);
      accel_free(other.self);
    }
  }
}

/* The fast and the general route of the same molecule, and all instruction sets. */
TEST(routes_agree)
{
  srand48(26);
  for (int hessian = 0; hessian < 2; hessian++) {
    const AccelOptions o = options_of(1e2, (PenaltyHessian)hessian);
    Molecules start, first, m;
    molecules_off(&kinds[KIND_OHH], 1e-3, &start);
    for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
      for (int general = 0; isa_runs(isa) && general < 2; general++) {
        const Kind *kind = &kinds[general ? KIND_PLAIN : KIND_OHH];
        Map map = map_open("zss", kind, &o, isa);
        m = start;
        Pack pack = molecules_pack(kind, &m);
        map.ops->apply(map.self, &pack, NULL);
        accel_free(map.self);
        if (isa == ISA_PLAIN && !general)
          first = m;
        const double tolerance = general ? 1e-10 : 1e-12;
        for (int i = 0; i < 9; i++)
          ck_assert_double_lt(largest(m.f[i] - first.f[i]), 10.0 * tolerance);
      }
  }
}

typedef struct Context {
  Map map;
  Vec8 hess[COORDINATES * COORDINATES];
} Context;

static void work_apply(void *context, Pack *pack)
{
  const Context *c = context;
  c->map.ops->apply(c->map.self, pack, c->hess);
  if (c->map.ops->drift != NULL)
    c->map.ops->drift(c->map.self, 0.3, pack);
}

TEST(lanes_are_independent, .rows = KINDS)
{
  const Kind *kind = &kinds[_i];
  srand48(27);
  for (const AccelMap *row = accel_maps; row->name != NULL; row++)
    for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
      for (int hessian = 0; isa_runs(isa) && hessian < 2; hessian++) {
        if (row == accel_map_find("zs") && hessian == HESSIAN_GAUSS_NEWTON)
          continue;
        const AccelOptions o = options_of(10.0, (PenaltyHessian)hessian);
        Context context = {.map = map_open(row->name, kind, &o, isa)};
        for (int i = 0; i < coordinates(kind); i++)
          context.hess[i * coordinates(kind) + i] = vec8_set(1.0 + i);
        Molecules m;
        molecules_off(kind, 0.2, &m);
        check_lanes_independent(kind, &m, work_apply, &context);
        accel_free(context.map.self);
      }
}

TEST(bad_input_is_refused)
{
  Error error;
  Accel *self;
  const AccelOptions wrong[4] = {{.h = NAN, .beta = 0.25, .w = 1.0},
                                 {.h = 0.1, .beta = -0.1, .w = 1.0},
                                 {.h = 0.1, .beta = 0.25, .w = -1.0},
                                 {.h = 0.1, .beta = 0.25, .w = INFINITY}};
  for (const AccelMap *row = accel_maps; row->name != NULL; row++) {
    ck_assert_ptr_eq(accel_map_find(row->name), row);
    for (int k = 0; k < 4; k++) {
      ck_assert_int_eq(accel_create(&self, row, &kinds[KIND_OHH], &wrong[k], ISA_PLAIN, &error),
                       STATUS_INPUT);
      ck_assert_ptr_null(self);
    }
  }
  const AccelOptions fine = {.h = 0.1, .beta = 0.25, .w = 1.0, .hessian = HESSIAN_FULL};
  const AccelOptions gauss_newton = {.h = 0.1, .beta = 0.25, .w = 1.0, .hessian = HESSIAN_GAUSS_NEWTON};
  ck_assert_int_eq(accel_create(&self, accel_map_find("zs"), &kinds[KIND_OHH], &fine, ISA_PLAIN, &error),
                   STATUS_OK);
  accel_free(self);
  ck_assert_int_eq(
      accel_create(&self, accel_map_find("zs"), &kinds[KIND_OHH], &gauss_newton, ISA_PLAIN, &error),
      STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "Gauss-Newton"));
  ck_assert_ptr_null(accel_map_find("zst"));
}
