/* Constraints and potentials are what they say: for every type, gradients are slopes of values, Hessians
 * slopes of gradients, and so on; Hamiltonians alike; and the forces inside molecules are those of the kind.
 */
#include "engine/kind.h"
#include "engine/potential.h"
#include "forcefields/internal.h"
#include "formula/implicit.h"
#include "methods/hamiltonian.h"
#include "tests/suite.h"

enum { SITES = 3, N = SITES * 3, TOUCHED = 9 };

typedef struct Case {
  const ConstraintType *type;
  int nsite, dim;
  double param[CONSTRAINT_PARAMETERS];
  const char *formula;
} Case;

/* Rows whose types depend on |q_i - q_j| or on a fixed point run in 1 to 3 dimensions, see `dimensions`. */
static const Case cases[] = {
    {&constraint_distance, 2, 0, {1.3}},
    {&constraint_anchor, 1, 0, {0.8, 0.2, -0.3, 0.1}},
    {&constraint_dot, 1, 0, {0.7, 1.4}},
    {&constraint_dot, 2, 0, {0.7, 1.4}},
    {&constraint_straight, 3, 0, {1.3, 0.4, 0}},
    {&constraint_straight, 3, 3, {1.3, 0.4, 2}},
    {&potential_field, 1, 0, {0, 0.3, -1.2, 0.7}},
    {&potential_link, 2, 0, {2.3}},
    {&potential_link, 1, 0, {2.3, 0.1, -0.4, 0.2}},
    {&potential_spring, 2, 0, {2.3, 0, 0, 0, 0.9}},
    {&potential_spring, 1, 0, {2.3, 0.1, -0.4, 0.2, 0.9}},
    {&potential_quartic, 2, 0, {1.7, 0, 0, 0, 1.1}},
    {&potential_quartic, 1, 0, {1.7, 0.1, -0.4, 0.2, 1.1}},
    {&constraint_implicit, 1, 2, {0}, "a*x^2-y"},
    {&constraint_implicit, 1, 2, {0}, "(x/a)^2+(y/b)^2-1"},
    {&constraint_implicit, 1, 2, {0}, "(abs(x)/a)^(5/2)+abs(y/b)^2.5-1"},
    {&constraint_implicit, 1, 2, {0}, "x^2+max(abs(y)-b/10,0)^2-a^2"},
    {&constraint_implicit, 1, 2, {0}, "x^4+x^2*y^2+y^4-x*(x^2+y^2)"},
    {&constraint_implicit, 1, 3, {0}, "(x^2+y^2+z^2)/a^2-1"},
    {&constraint_implicit, 1, 3, {0}, "a*(x^2+y^2)-z"},
    {&constraint_implicit, 1, 3, {0}, "(x^2+y^2)/a^2-z^2/b^2-1"},
    {&constraint_implicit, 1, 3, {0}, "-a/sqrt(x^2+y^2)-z"},
    {&constraint_implicit, 2, 1, {0}, "x1^3*x2-sin(x1-x2)"},
    {&constraint_implicit, 2, 2, {0}, "sqrt((x1-x2)^2+(y1-y2)^2)-a*exp(x1*y2)"},
    {&constraint_implicit, 2, 3, {0}, "x1*y2*z1-z2^3*y1+x1*x2*z2"},
    {&potential_formula, 1, 1, {0}, "a*x^4-b*x^3"},
    {&potential_formula, 2, 3, {0}, "a*(1-exp(-b*(sqrt((x1-x2)^2+(y1-y2)^2+(z1-z2)^2)-1)))^2"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Sites 2, 0 and 1, so that order and place matter. */
static Constraint make(const Case *row, int dim, Expression **formula)
{
  static const char *const constant[2] = {"a", "b"};
  static const double value[2] = {1.3, 0.9};
  Constraint c = {.type = row->type, .nsite = row->nsite, .site = {2, 0, 1}};
  memcpy(c.param, row->param, sizeof c.param);
  *formula = NULL;
  Error error = {0};
  if (row->formula != NULL)
    ck_assert_msg(implicit_formula(formula, row->formula, dim, row->nsite, 2, constant, value, &error) ==
                      STATUS_OK,
                  "%s", error.text);
  c.data = *formula;
  return c;
}

static void somewhere(Vec8 *q, double shift)
{
  for (int i = 0; i < N; i++)
    for (int l = 0; l < LANES; l++)
      q[i][l] = (1.1 * sin(1.0 + 2.3 * i + 0.7 * l + shift) + 0.4) * (i % 2 == 1 ? -1 : 1);
}

static int place(const Constraint *c, int dim, int k) { return c->site[k / dim] * dim + k % dim; }

static void near_lanes(Vec8 got, Vec8 want, double scale, const char *what, const Case *row, int dim)
{
  for (int l = 0; l < LANES; l++)
    ck_assert_msg(fabs(got[l] - want[l]) <= 2e-7 * (scale + fabs(want[l])), "%s, %s %s, dim %d: %.12g %.12g",
                  what, row->type->name, row->formula != NULL ? row->formula : "", dim, got[l], want[l]);
}

/* What is compared with what: all numbers of a constraint at one place. */
typedef struct All {
  Vec8 value, grad[TOUCHED], hess[TOUCHED * TOUCHED], hess_vec[TOUCHED], third[TOUCHED];
} All;

static All all(const Constraint *c, int dim, const Vec8 *q, const Vec8 *u)
{
  All a = {0};
  const Vec8 one = vec8_set(1.0);
  c->type->eval(c, dim, q, &a.value, a.grad);
  c->type->hess(c, dim, q, a.hess);
  c->type->hess_vec(c, dim, q, &one, u, a.hess_vec);
  if (c->type->third != NULL)
    c->type->third(c, dim, q, &one, u, a.third);
  return a;
}

static void check_case(const Case *row, int dim)
{
  Expression *formula;
  const Constraint c = make(row, dim, &formula);
  const int n = c.nsite * dim;
  const double h = 1e-5;
  Vec8 q[N], u[N];
  somewhere(q, 0.0);
  somewhere(u, 2.0);
  const All here = all(&c, dim, q, u);
  Vec8 u_hess_u_slope[TOUCHED];
  for (int k = 0; k < n; k++) {
    Vec8 *const x = &q[place(&c, dim, k)], at = *x;
    *x = at + h;
    const All up = all(&c, dim, q, u);
    *x = at - h;
    const All down = all(&c, dim, q, u);
    *x = at;
    near_lanes(here.grad[k], (up.value - down.value) / (2 * h), 1.0, "gradient", row, dim);
    u_hess_u_slope[k] = vec8_set(0.0);
    for (int j = 0; j < n; j++) {
      near_lanes(here.hess[j * n + k], (up.grad[j] - down.grad[j]) / (2 * h), 1.0, "Hessian", row, dim);
      near_lanes(here.hess[j * n + k], here.hess[k * n + j], 0.0, "symmetry", row, dim);
      u_hess_u_slope[k] += u[place(&c, dim, j)] * (up.hess_vec[j] - down.hess_vec[j]) / (2 * h);
    }
    near_lanes(here.third[k], u_hess_u_slope[k], 10.0, "third", row, dim);
    for (int j = 0; c.type->degree == 1 && j < n; j++)
      near_lanes(here.hess[j * n + k], vec8_set(0.0), 1e-9, "constant gradient", row, dim);
  }
  /* Contractions: with the Hessian itself; scaled, and added to what is there; quadratic in u; the gradient
   * alone left out. */
  Vec8 doubled[N], scaled[TOUCHED], cubic[TOUCHED], value;
  const Vec8 scale = {1, -2, 3, 0, 5, 6, 0.5, -0.25};
  for (int i = 0; i < N; i++)
    doubled[i] = 2 * u[i];
  for (int j = 0; j < n; j++) {
    Vec8 sum = vec8_set(0.0);
    for (int k = 0; k < n; k++)
      sum += here.hess[j * n + k] * u[place(&c, dim, k)];
    near_lanes(here.hess_vec[j], sum, 1e-4, "hess_vec", row, dim);
    scaled[j] = cubic[j] = vec8_set(7.0);
  }
  c.type->hess_vec(&c, dim, q, &scale, u, scaled);
  if (c.type->third != NULL)
    c.type->third(&c, dim, q, &scale, doubled, cubic);
  for (int j = 0; j < n; j++) {
    near_lanes(scaled[j], 7 + scale * here.hess_vec[j], 1e-4, "scale of hess_vec", row, dim);
    near_lanes(cubic[j], 7 + 4 * scale * here.third[j], 1e-4, "scale of third", row, dim);
  }
  c.type->eval(&c, dim, q, &value, NULL);
  near_lanes(value, here.value, 0.0, "value alone", row, dim);
  if (c.type->degree != 0)
    for (int j = 0; j < n; j++)
      near_lanes(here.third[j], vec8_set(0.0), 1e-9, "constant", row, dim);
  ck_assert(constraint_scale(&c) > 0.0);
  expression_free(formula);
}

TEST(every_type_is_consistent, .rows = CASES)
{
  const Case *row = &cases[_i];
  for (int dim = 1; dim <= 3; dim++)
    if (row->dim == 0 || row->dim == dim)
      check_case(row, dim);
}

TEST(every_type_has_a_case)
{
  for (int t = 0; constraint_types[t] != NULL; t++) {
    int seen = 0;
    for (int i = 0; i < CASES; i++)
      seen += cases[i].type == constraint_types[t];
    ck_assert_msg(seen > 0, "%s", constraint_types[t]->name);
  }
  for (int t = 0; potential_types[t] != NULL; t++) {
    int seen = 0;
    for (int i = 0; i < CASES; i++)
      seen += cases[i].type == potential_types[t];
    ck_assert_msg(seen > 0, "%s", potential_types[t]->name);
  }
}

/* A radial form has the value of its type, and the third derivatives of polynomials up to degree 2 vanish. */
TEST(radial_forms_are_values, .rows = CASES)
{
  const Case *row = &cases[_i];
  if (row->type->radial == NULL)
    return;
  for (int dim = 1; dim <= 3; dim++) {
    Expression *formula;
    const Constraint c = make(row, dim, &formula);
    RadialForm form;
    Vec8 q[N], value, s = vec8_set(0.0);
    somewhere(q, 0.0);
    c.type->radial(&c, &form);
    c.type->eval(&c, dim, q, &value, NULL);
    for (int d = 0; d < dim; d++) {
      const Vec8 r =
          q[c.site[0] * dim + d] - (c.nsite == 2 ? q[c.site[1] * dim + d] : vec8_set(c.param[1 + d]));
      s += r * r;
    }
    const Vec8 want = (s - form.s0) * (form.first + 0.5 * form.second * (s - form.s0));
    for (int l = 0; l < LANES; l++)
      ck_assert_double_eq_tol(value[l], want[l], 1e-13 * (1.0 + fabs(want[l])));
  }
}

/* Formulas of what has a type of its own give the same numbers. */
TEST(formulas_equal_built_in_types, .rows = 5)
{
  static const Case same[][2] = {
      {{&constraint_distance, 2, 2, {1.3}}, {&constraint_implicit, 2, 2, {0}, "(x1-x2)^2+(y1-y2)^2-a^2"}},
      {{&constraint_anchor, 1, 3, {1.3, 1, 2, 3}},
       {&constraint_implicit, 1, 3, {0}, "(x-1)^2+(y-2)^2+(z-3)^2-a^2"}},
      {{&constraint_dot, 2, 3, {1, 2}}, {&constraint_implicit, 2, 3, {0}, "2*(x1*x2+y1*y2+z1*z2-1)"}},
      {{&potential_spring, 2, 2, {0.9, 0, 0, 0, 1.3}},
       {&potential_formula, 2, 2, {0}, "b/2*(sqrt((x1-x2)^2+(y1-y2)^2)-a)^2"}},
      {{&potential_quartic, 2, 1, {0.9, 0, 0, 0, 1.3}},
       {&potential_formula, 2, 1, {0}, "b/4*((x1-x2)^2-a^2)^2"}},
  };
  Expression *formula[2];
  All numbers[2];
  Vec8 q[N], u[N];
  somewhere(q, 0.5);
  somewhere(u, 2.5);
  const int dim = same[_i][0].dim, n = dim * same[_i][0].nsite;
  for (int k = 0; k < 2; k++) {
    const Constraint c = make(&same[_i][k], dim, &formula[k]);
    numbers[k] = all(&c, dim, q, u);
    expression_free(formula[k]);
  }
  const Vec8 *one = (const Vec8 *)&numbers[0], *two = (const Vec8 *)&numbers[1];
  for (size_t i = 0; i < sizeof(All) / sizeof(Vec8); i++)
    near_lanes(one[i], two[i], 1e-4, "built in", &same[_i][0], n);
}

TEST(bad_formulas_are_told)
{
  Expression *formula;
  Error error;
  ck_assert_int_eq(implicit_formula(&formula, "x+z", 2, 1, 0, NULL, NULL, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "'z'"));
  ck_assert_int_eq(implicit_formula(&formula, "x1+y", 2, 2, 0, NULL, NULL, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "x1, y1, x2, y2"));
  ck_assert_int_eq(implicit_formula(&formula, "x", 4, 1, 0, NULL, NULL, &error), STATUS_INPUT);
  ck_assert_int_eq(implicit_formula(&formula, "x", 2, 3, 0, NULL, NULL, &error), STATUS_INPUT);
}

/* --- kinds and the force "internal" -----------------------------------------------------------------------
 */

TEST(forces_are_minus_slopes_of_energies, .rows = 9)
{
  enum { NMOL = 5 };
  static const double mass[SITES] = {1, 2, 3}, reference[N] = {0};
  static const char *const symbol[SITES] = {"A", "B", "C"};
  static const int widths[3] = {1, 8, 16};
  const int width = widths[_i % 3], dim = 1 + _i / 3, n = SITES * dim;
  Potential pot[CASES];
  Expression *formula[CASES];
  int npot = 0;
  for (int i = 0; i < CASES; i++)
    for (int t = 0; potential_types[t] != NULL; t++)
      if (cases[i].type == potential_types[t] && (cases[i].dim == 0 || cases[i].dim == dim)) {
        pot[npot] = make(&cases[i], dim, &formula[npot]);
        npot++;
      }
  const Kind kind = {"all", SITES, dim, 0, mass, symbol, NULL, reference, npot, pot, NULL}, *kinds = &kind;
  const int nmol = NMOL, r = width - 1;
  State *state;
  Error error = {0};
  ck_assert_int_eq(state_create(&state, width, 1, &kinds, &nmol, 1, 0, &error), STATUS_OK);
  ForceField field = {.n = 1};
  ck_assert_int_eq(internal_create(&field.force[0], state, &error), STATUS_OK);
  double x[NMOL * N], f[NMOL * N], energy[16], up[16], down[16], want = 0.0;
  for (int i = 0; i < NMOL * n; i++)
    x[i] = 1.3 * sin(1.0 + 2.1 * i) + 0.2;
  const Team team = team_alone();
  Block *block = &state->block[0];
  state_set(block, width, block->q, r, x);
  ck_assert_int_eq(force_field_compute(&field, &team, state, &(ForceSums){energy, NULL}, NULL), STATUS_OK);
  state_get(block, width, block->f, r, f);
  for (int m = 0; m < NMOL; m++) {
    Vec8 q[N], value, force[N];
    for (int i = 0; i < n; i++) {
      q[i] = vec8_set(x[m * n + i]);
      force[i] = vec8_set(3.0);
    }
    kind_potential(&kind, q, &value, force);
    want += value[0];
    for (int i = 0; i < n; i++)
      ck_assert_double_eq_tol(force[i][5] - 3.0, f[m * n + i], 1e-11 * (1 + fabs(f[m * n + i])));
  }
  ck_assert_double_eq_tol(energy[r], want, 1e-12 * (1 + fabs(want)));
  const double h = 1e-5;
  for (int i = 0; i < NMOL * n; i++) {
    const double at = x[i];
    x[i] = at + h;
    state_set(block, width, block->q, r, x);
    ck_assert_int_eq(force_field_compute(&field, &team, state, &(ForceSums){up, NULL}, NULL), STATUS_OK);
    x[i] = at - h;
    state_set(block, width, block->q, r, x);
    ck_assert_int_eq(force_field_compute(&field, &team, state, &(ForceSums){down, NULL}, NULL), STATUS_OK);
    x[i] = at;
    ck_assert_double_eq_tol(-(up[r] - down[r]) / (2 * h), f[i], 1e-6 * (1 + fabs(f[i])));
  }
  force_field_free(&field);
  state_free(state);
  for (int i = 0; i < npot; i++)
    expression_free(formula[i]);
}

/* --- Hamiltonians
 * -------------------------------------------------------------------------------------------- */

TEST(hamiltonians_have_derivatives)
{
  static const char *const con[4] = {"q1^2+q2^2-r", "q1*p2-q2*p1+r*q1", "p1", "p1^2*q2-sin(q1)"};
  static const char *const constant[1] = {"r"};
  static const double value[1] = {1.5};
  static const ConstraintFlow flow[4] = {FLOW_SHIFT, FLOW_LINEAR, FLOW_LINEAR, FLOW_NUMERICAL};
  Hamiltonian *h;
  Error error = {0};
  ck_assert_msg(hamiltonian_create(&h, 2, "p1^2/2+exp(p2*q1)+q2^3", 4, con, 1, constant, value, &error) ==
                    STATUS_OK,
                "%s", error.text);
  ck_assert_int_eq(h->n, 2);
  ck_assert_int_eq(h->ncon, 4);
  double z[4] = {0.3, -0.8, 1.2, 0.5}, gradient[4], hessian[16], up[4], down[4];
  const double step = 1e-5;
  for (int c = -1; c < 4; c++) {
    const PhaseFunction *f = c < 0 ? &h->energy : &h->con[c];
    if (c >= 0)
      ck_assert_int_eq(h->flow[c], flow[c]);
    f->gradient(f->self, z, gradient);
    f->hessian(f->self, z, hessian);
    for (int i = 0; i < 4; i++) {
      const double at = z[i];
      z[i] = at + step;
      double slope = f->value(f->self, z);
      f->gradient(f->self, z, up);
      z[i] = at - step;
      slope -= f->value(f->self, z);
      f->gradient(f->self, z, down);
      z[i] = at;
      ck_assert_double_eq_tol(gradient[i], slope / (2 * step), 1e-8);
      for (int j = 0; j < 4; j++)
        ck_assert_double_eq_tol(hessian[4 * j + i], (up[j] - down[j]) / (2 * step), 1e-8);
    }
  }
  ck_assert_double_eq(h->con[0].value(h->con[0].self, z), 0.3 * 0.3 + 0.8 * 0.8 - 1.5);
  /* {q1^2 + q2^2, q1 p2 - q2 p1 + r q1} = 0; {g2, p1} = dg2/dq1; antisymmetric. */
  ck_assert_double_eq_tol(hamiltonian_bracket(2, &h->con[0], &h->con[1], z), 0.0, 1e-15);
  ck_assert_double_eq_tol(hamiltonian_bracket(2, &h->con[1], &h->con[2], z), 0.5 + 1.5, 1e-15);
  ck_assert_double_eq_tol(hamiltonian_bracket(2, &h->con[2], &h->con[1], z), -2.0, 1e-15);
  hamiltonian_free(h);
}

TEST(one_degree_of_freedom_needs_no_number)
{
  static const char *const con[1] = {"p+q1"};
  Hamiltonian *h;
  Error error;
  ck_assert_int_eq(hamiltonian_create(&h, 1, "p1^2/2+cos(q)", 1, con, 0, NULL, NULL, &error), STATUS_OK);
  const double z[2] = {0, 2};
  ck_assert_double_eq(h->energy.value(h->energy.self, z), 3.0);
  ck_assert_double_eq_tol(hamiltonian_bracket(1, &h->con[0], &h->energy, z), 2.0, 1e-15);
  hamiltonian_free(h);
  ck_assert_int_eq(hamiltonian_create(&h, 1, "p1^2/2", 1, &(const char *const){"q3"}, 0, NULL, NULL, &error),
                   STATUS_INPUT);
  ck_assert_ptr_null(h);
  ck_assert_ptr_nonnull(strstr(error.text, "constraint 1: "));
  ck_assert_int_eq(hamiltonian_create(&h, 0, "1", 0, NULL, 0, NULL, NULL, &error), STATUS_INPUT);
  hamiltonian_free(NULL);
  /* Brackets beyond the small ones: {sum q_i p_i, sum q_i} = -sum q_i. */
  enum { MANY = 40 };
  char text[1000] = "0", sum[1000] = "0";
  double wide[2 * MANY];
  for (int i = 0; i < MANY; i++) {
    sprintf(text + strlen(text), "+q%d*p%d", i + 1, i + 1);
    sprintf(sum + strlen(sum), "+q%d", i + 1);
    wide[i] = 1;
    wide[MANY + i] = i;
  }
  ck_assert_int_eq(hamiltonian_create(&h, MANY, text, 1, &(const char *const){sum}, 0, NULL, NULL, &error),
                   STATUS_OK);
  ck_assert_double_eq(hamiltonian_bracket(MANY, &h->energy, &h->con[0], wide), -MANY);
  hamiltonian_free(h);
}
