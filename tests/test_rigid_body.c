/* The magnetised rigid body of Tao & Owhadi 2015, section 4.5: what the Zhang-Skeel map is in terms of
 * matrices, which of the printed formulas hold, and that the Cayley scheme makes its discrete action
 * stationary. */
#include <gsl/gsl_linalg.h>

#include "methods/method_table.h"
#include "tests/suite.h"
#include "tests/walks.h"

/* --- 3x3 matrices by rows; a column of R is a site --------------------------------------------------- */

typedef struct Matrix {
  double x[3][3];
} Matrix;

static const Matrix identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static Matrix product(Matrix a, Matrix b)
{
  Matrix c = {{{0}}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        c.x[i][j] += a.x[i][k] * b.x[k][j];
  return c;
}

static Matrix transpose(Matrix a)
{
  Matrix c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.x[i][j] = a.x[j][i];
  return c;
}

static Matrix combine(double s, Matrix a, double t, Matrix b)
{
  Matrix c;
  for (int i = 0; i < 9; i++)
    c.x[i / 3][i % 3] = s * a.x[i / 3][i % 3] + t * b.x[i / 3][i % 3];
  return c;
}

static Matrix triple(Matrix a, Matrix b, Matrix c) { return product(product(a, b), c); }

static double largest(Matrix a)
{
  double most = 0.0;
  for (int i = 0; i < 9; i++)
    most = fmax(most, fabs(a.x[i / 3][i % 3]));
  return most;
}

static double trace(Matrix a) { return a.x[0][0] + a.x[1][1] + a.x[2][2]; }

/* --- Zhang-Skeel ------------------------------------------------------------------------------------- */

typedef struct Filtered {
  double h, w, beta; /* the beta of (4.14) */
  bool printed;      /* f as it is printed */
} Filtered;

/* (4.15) without its constant part: a + 2 w^2 beta h^2 (a R'R + R a'R + R R'a - a). */
static Matrix filter(const Filtered *s, Matrix r, Matrix a)
{
  const Matrix rt = transpose(r);
  Matrix sum = combine(1, triple(a, rt, r), 1, triple(r, transpose(a), r));
  sum = combine(1, combine(1, sum, 1, triple(r, rt, a)), -1, a);
  return combine(1, a, 2 * s->w * s->w * s->beta * s->h * s->h, sum);
}

/* a of (4.15), B mu = 1. */
static Matrix solve_a(const Filtered *s, Matrix r)
{
  double system[81], right[9], x[9];
  const Matrix pull = combine(1, triple(r, transpose(r), r), -1, r);
  for (int j = 0; j < 9; j++) {
    Matrix unit = {{{0}}};
    unit.x[j / 3][j % 3] = 1;
    const Matrix column = filter(s, r, unit);
    for (int i = 0; i < 9; i++)
      system[9 * i + j] = column.x[i / 3][i % 3];
    right[j] = -(j == 8) - 2 * s->w * s->w * pull.x[j / 3][j % 3];
  }
  gsl_matrix_view m = gsl_matrix_view_array(system, 9, 9);
  gsl_vector_view b = gsl_vector_view_array(right, 9), out = gsl_vector_view_array(x, 9);
  ck_assert_int_eq(gsl_linalg_HH_solve(&m.matrix, &b.vector, &out.vector), 0);
  Matrix a;
  memcpy(a.x, x, sizeof x);
  return a;
}

/* Derived: D_1 of the truncated action gives f = a - 2 w^2 beta^2 h^4 (R a'a + a R'a + a a'R). */
static Matrix force(const Filtered *s, Matrix r)
{
  const Matrix a = solve_a(s, r), at = transpose(a), rt = transpose(r);
  const double scale = 2 * s->w * s->w * s->beta * s->beta * s->h * s->h * s->h * s->h;
  if (s->printed) /* a + 2 w^2 beta^2 h^4 (a'a R' + a'R a' + R'a a') */
    return combine(1, a, scale,
                   combine(1, combine(1, triple(at, a, rt), 1, triple(at, r, at)), 1, triple(rt, a, at)));
  return combine(1, a, -scale,
                 combine(1, combine(1, triple(r, at, a), 1, triple(a, rt, a)), 1, triple(a, at, r)));
}

static const Matrix somewhere = {{{0.97, -0.21, 0.05}, {0.2, 0.93, -0.28}, {0.03, 0.31, 0.99}}};

TEST(the_map_is_the_derived_scheme)
{
  /* With masses 1/2 the term beta h^2 a'a / 2 of (4.14) stands where Integrator 1.1 has a quarter: its beta
   * is twice that of the map. */
  Filtered s = {.h = 0.1, .w = 10.0, .beta = 0.8};
  const AccelOptions o = {.h = s.h, .w = s.w, .beta = 0.5 * s.beta, .hessian = HESSIAN_FULL};
  Accel *map;
  Error error;
  ck_assert_int_eq(accel_create(&map, accel_map_find("zs"), &rotation, &o, isa_best(), &error), STATUS_OK);
  Vec8 q[9], p[9], f[9], heat = vec8_set(0.0), active = vec8_set(1.0);
  for (int i = 0; i < 9; i++) {
    q[i] = vec8_set(somewhere.x[i % 3][i / 3]);
    p[i] = f[i] = vec8_set(0.0);
  }
  Pack pack = {.kind = &rotation, .q = q, .p = p, .f = f, .heat = &heat, .active = &active};
  kind_potential(&rotation, q, NULL, f);
  accel_map_find("zs")->apply(map, &pack, NULL);
  accel_free(map);
  Matrix ours;
  for (int i = 0; i < 9; i++)
    ours.x[i % 3][i / 3] = f[i][0];
  const Matrix derived = force(&s, somewhere);
  ck_assert_double_lt(largest(combine(1, ours, -1, derived)), 1e-10 * largest(ours));
  s.printed = true;
  ck_assert_double_gt(largest(combine(1, ours, -1, force(&s, somewhere))), 1e-2 * largest(ours));
  s.printed = false;
  s.beta = 0.4;
  ck_assert_double_gt(largest(combine(1, ours, -1, force(&s, somewhere))), 1e-2 * largest(ours));
}

/* p += h f(R) is symplectic where df/dR is symmetric. */
static double asymmetry(const Filtered *s)
{
  double jac[9][9], worst = 0.0;
  for (int j = 0; j < 9; j++) {
    Matrix up = somewhere, down = somewhere;
    up.x[j / 3][j % 3] += 1e-4;
    down.x[j / 3][j % 3] -= 1e-4;
    const Matrix slope = combine(5e3, force(s, up), -5e3, force(s, down));
    for (int i = 0; i < 9; i++)
      jac[i][j] = slope.x[i / 3][i % 3];
  }
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < i; j++)
      worst = fmax(worst, fabs(jac[i][j] - jac[j][i]));
  return worst;
}

TEST(the_printed_force_is_no_gradient)
{
  Filtered s = {.h = 0.1, .w = 10.0, .beta = 0.8};
  ck_assert_msg(asymmetry(&s) < 1e-4, "%.3g", asymmetry(&s)); /* differences of second order, slopes of 400 */
  s.printed = true;
  ck_assert_msg(asymmetry(&s) > 1.0, "%.3g", asymmetry(&s));
}

/* The penalty is that of the six constraints, the mixed ones with a factor sqrt(2). */
TEST(penalties_add_up_to_the_trace)
{
  Vec8 q[9], sum = vec8_set(0.0);
  for (int i = 0; i < 9; i++)
    q[i] = vec8_set(somewhere.x[i % 3][i / 3]);
  for (int c = 0; c < 6; c++) {
    Vec8 g;
    rotation_con[c].type->eval(&rotation_con[c], 3, q, &g, NULL);
    sum += g * g;
  }
  const Matrix gap_ = combine(1, product(transpose(somewhere), somewhere), -1, identity);
  ck_assert_double_eq_tol(sum[0], trace(product(gap_, gap_)), 1e-14);
}

/* The last line of section 4.5 reads R_{k+1} = R_k + 2 h p_{k+1}: with p_{k+1/2} the step is reversible. */
static void trapezoidal(const Filtered *s, bool printed, Matrix *r, Matrix *p)
{
  Matrix half = combine(1, *p, 0.5 * s->h, force(s, *r)), next = half;
  for (int i = 0; i < (printed ? 60 : 1); i++) { /* as printed it is implicit: by iteration */
    const Matrix moved = combine(1, *r, 2 * s->h, next);
    *p = combine(1, half, 0.5 * s->h, force(s, moved));
    if (i + 1 == (printed ? 60 : 1))
      *r = moved;
    next = printed ? *p : half;
  }
}

TEST(the_trapezoidal_scheme_drifts_with_the_half_step)
{
  const Filtered s = {.h = 0.005, .w = 4.0, .beta = 0.8};
  double back[2];
  for (int printed = 0; printed < 2; printed++) {
    Matrix r = identity, p = {{{0, -0.05, 0.1}, {0.05, 0, -0.5}, {-0.1, 0.5, 0}}};
    for (int k = 0; k < 200; k++)
      trapezoidal(&s, printed, &r, &p);
    p = combine(-1, p, 0, p);
    for (int k = 0; k < 200; k++)
      trapezoidal(&s, printed, &r, &p);
    back[printed] = largest(combine(1, r, -1, identity));
  }
  ck_assert_double_lt(back[0], 1e-10);
  ck_assert_msg(back[1] > 1e-4, "%.3g", back[1]);
}

/* --- the Cayley scheme ------------------------------------------------------------------------------- */

static Matrix hat(const double *v)
{
  const Matrix m = {{{0, -v[2], v[1]}, {v[2], 0, -v[0]}, {-v[1], v[0], 0}}};
  return m;
}

static Matrix cayley(const double *xi)
{
  const double scale = 1.0 / (1.0 + 0.25 * (xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]));
  return combine(1, identity, scale, combine(1, hat(xi), 0.5, product(hat(xi), hat(xi))));
}

/* h [|omega|^2/2 - R_33] with R' = R cay(h omega^): the angle t of R^-1 R' has 2 tan(t/2) = h |omega|. */
static double action(double h, Matrix r, Matrix next)
{
  const double c = 0.5 * (trace(product(transpose(r), next)) - 1.0); /* cos t */
  const double square = 4.0 * (1.0 - c) / (1.0 + c) / (h * h);
  return h * (0.5 * square - r.x[2][2]);
}

static Matrix now(const Walked *w)
{
  Matrix r;
  for (int i = 0; i < 9; i++)
    r.x[i % 3][i / 3] = walked_q(w)[i][0];
  return r;
}

TEST(the_action_is_stationary)
{
  const double h = 0.3;
  const PlanOptions o = {.method = &method_so3_cayley, .h = h};
  Walked w;
  walked_open(&w, &rotation, &o, rotation_q, rotation_p);
  walked_run(&w, 3);
  Matrix r[3];
  for (int k = 0; k < 3; k++) {
    r[k] = now(&w);
    walked_run(&w, 1);
  }
  for (int axis = 0; axis < 3; axis++) {
    double s[2];
    for (int side = 0; side < 2; side++) {
      double xi[3] = {0};
      xi[axis] = side == 0 ? 1e-4 : -1e-4;
      const Matrix moved = product(r[1], cayley(xi));
      s[side] = action(h, r[0], moved) + action(h, moved, r[2]);
    }
    ck_assert_msg(fabs(s[0] - s[1]) / 2e-4 < 1e-8, "axis %d: %.3g", axis, (s[0] - s[1]) / 2e-4);
  }
  ck_assert_double_gt(largest(combine(1, r[2], -1, r[0])), 0.1);
  walked_close(&w);
}
