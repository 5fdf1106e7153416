/* Formulas: what the grammar means, what its messages say, derivatives against differences, lanes against
 * single numbers, and what is folded. */
#include "formula/expression.h"
#include "tests/suite.h"

static const char *const variables[3] = {"x", "y|eta", "z"};
static const char *const constants[2] = {"a", "L2"};
static const double values[2] = {3.0, 1.5};
static const ExpressionNames names = {3, variables, 2, constants, values};

static double value_at(const char *text, double x, double y, double z)
{
  Expression *e;
  Error error = {0};
  const double at[3] = {x, y, z};
  ck_assert_msg(expression_parse(&e, text, &names, &error) == STATUS_OK, "%s", error.text);
  const double value = expression_value(e, at);
  expression_free(e);
  return value;
}

static const struct {
  const char *text;
  double value; /* at x = 2, y = 0.5, z = -1 */
} meanings[] = {
    {"-2^2", -4},
    {"2^3^2", 512},
    {"2^-1", 0.5},
    {"-x^2", -4},
    {"(-x)^2", 4},
    {"2*-3", -6},
    {"2--3", 5},
    {"-2*-3", 6},
    {"1-2-3", -4},
    {"1-(2-3)", 2},
    {"12/2/3", 2},
    {"12/2*3", 18},
    {"2+3*4^2", 50},
    {"x^-2^2", 0.0625},
    {" x *\ty + 1e2 ", 101},
    {"1.5e-1*1E1", 1.5},
    {".5+1.", 1.5},
    {"a*L2", 4.5},
    {"eta", 0.5},
    {"2*pi", 6.283185307179586},
    {"sqrt(x^2)", 2},
    {"abs(z)+sign(z)", 0},
    {"sign(0)", 0},
    {"min(x, y)+max(x, y)", 2.5},
    {"atan2(1, z)", 2.356194490192345},
    {"exp(log(x))", 2},
    {"sin(x)^2+cos(x)^2", 1},
    {"tan(y)-sin(y)/cos(y)", 0},
    {"asin(y)+acos(y)", 1.5707963267948966},
    {"atan(z)", -0.7853981633974483},
    {"cosh(y)^2-sinh(y)^2", 1},
    {"tanh(y)-sinh(y)/cosh(y)", 0},
    {"x^y", 1.4142135623730951},
    {"x^2.5", 5.656854249492381},
    {"x^-1.5", 0.35355339059327373},
    {"x^0.3", 1.2311444133449163},
    {"abs(z)^2.5", 1},
    {"(z/4)^3", -0.015625},
    {"x^65-x^64*x", 0},
};

TEST(grammar, .rows = sizeof meanings / sizeof meanings[0])
{
  const double value = value_at(meanings[_i].text, 2.0, 0.5, -1.0);
  ck_assert_msg(fabs(value - meanings[_i].value) < 1e-15 * (1 + fabs(value)) * 4, "%s is %.17g",
                meanings[_i].text, value);
}

static const struct {
  const char *text, *says[3];
} mistakes[] = {
    {"", {"empty"}},
    {"  ", {"empty"}},
    {"x+", {"column 3", "the end"}},
    {"x+*2", {"column 3", "found '*'"}},
    {"x**2", {"column 3", "x^2"}},
    {"2 x", {"column 3", "'x'", "operator"}},
    {"x)", {"column 2", "no '('"}},
    {"(x+1", {"column 5", "')'"}},
    {"1.2.3", {"column 1", "1.2.3"}},
    {"0x10", {"column 2", "'x10'"}},
    {"1e999", {"too large"}},
    {"1/0", {"column 2", "not a finite"}},
    {"x + log(0)", {"column 5", "not a finite"}},
    {"x + etaa", {"column 5", "did you mean 'eta'", "x, y|eta, z, a, L2"}},
    {"LL2", {"did you mean 'L2'"}},
    {"x + sqr(x)", {"column 5", "did you mean 'sqrt'"}},
    {"x(y)", {"unknown function 'x'"}},
    {"sin", {"is a function", "sin(...)"}},
    {"sin(x, y)", {"column 6", "1 argument"}},
    {"min(x)", {"column 6", "2 arguments"}},
    {"min(x, y", {"column 9", "')'"}},
    {"x ~ y", {"column 3", "'~'"}},
};

TEST(messages, .rows = sizeof mistakes / sizeof mistakes[0])
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, mistakes[_i].text, &names, &error), STATUS_INPUT);
  ck_assert_ptr_null(e);
  for (int k = 0; k < 3 && mistakes[_i].says[k] != NULL; k++)
    ck_assert_msg(strstr(error.text, mistakes[_i].says[k]) != NULL, "'%s' not in: %s", mistakes[_i].says[k],
                  error.text);
}

TEST(limits_are_told)
{
  char text[20000] = "", *end = text;
  Expression *e;
  Error error;
  for (int i = 0; i < 101; i++)
    *end++ = '(';
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "nested"));
  memset(text, '-', 5000);
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_INPUT);
  /* A long sum is fine. */
  end = text;
  for (int i = 0; i < 1000; i++)
    end += sprintf(end, "+sin(%d*x)", i);
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_OK);
  const double origin[3] = {0};
  double gradient[3];
  expression_gradient(e, origin, gradient);
  ck_assert_double_eq_tol(gradient[0], 499500.0, 1e-6);
  ck_assert_double_eq(gradient[1], 0.0);
  expression_free(e);
  /* Nor does it matter how many values are wanted again late. */
  end = text;
  for (int i = 0; i < 140; i++)
    end += sprintf(end, "+sin(x+%d)", i);
  *end++ = '+', *end++ = '0', *end = '\0';
  char twice[40000];
  snprintf(twice, sizeof twice, "(%s)", text);
  end = twice + strlen(twice);
  for (int i = 139; i >= 0; i--)
    end += sprintf(end, "*cos(sin(x+%d))", i);
  ck_assert_int_eq(expression_parse(&e, twice, &names, &error), STATUS_OK);
  ck_assert(isfinite(expression_value(e, origin)));
  expression_free(e);
}

TEST(too_long_is_told)
{
  enum { TERMS = 22000 };
  char *text = malloc(TERMS * 24), *end = text;
  Expression *e;
  Error error;
  for (int i = 0; i < TERMS; i++)
    end += sprintf(end, "+sin(%d*x)", i);
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "terms"));
  free(text);
}

/* A copy in an arena outlives the original, with its stored Hessian. */
TEST(copies_are_equal, .rows = 2)
{
  static const char *const texts[] = {"x^2 + 3*x*y - z", "exp(x)*y/z"};
  const double at[3] = {0.3, -1.2, 0.7};
  double hessian[2][9], value[2];
  SCOPED(arena_free) Arena arena = {0};
  Expression *e;
  ck_assert_int_eq(expression_parse(&e, texts[_i], &names, NULL), STATUS_OK);
  const Expression *copy = expression_copy(e, &arena);
  ck_assert_int_eq(arena_check(&arena, "a copy", NULL), STATUS_OK);
  value[0] = expression_value(e, at);
  expression_hessian(e, at, hessian[0]);
  expression_free(e);
  value[1] = expression_value(copy, at);
  expression_hessian(copy, at, hessian[1]);
  ck_assert_double_eq(value[0], value[1]);
  ck_assert_mem_eq(hessian[0], hessian[1], sizeof hessian[0]);
}

TEST(ambiguous_names_are_refused)
{
  const char *const clash[1] = {"x"};
  const double one[1] = {1.0};
  const ExpressionNames both = {3, variables, 1, clash, one};
  Expression *e;
  Error error;
  ck_assert_int_eq(expression_parse(&e, "x+1", &both, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "rename"));
  ck_assert_int_eq(expression_parse(&e, "y+1", &both, &error), STATUS_OK);
  expression_free(e);
}

/* Smooth where they are looked at. */
static const char *const smooth[] = {
    "x*y*z + x^3*y - 2*z/x",
    "sqrt(x^2+y^2+z^2)",
    "-a/sqrt(x^2+y^2)-z",
    "exp(x*y)/(1+z^2)",
    "log(1+x^2*y^2)+z^-3",
    "sin(x)*cos(y)*tan(z/3)",
    "asin(x/5)*acos(y/4)+atan(z*x)",
    "sinh(x)*cosh(y)-tanh(x*z)",
    "x^y+y^x",
    "x^(y*z)",
    "2^(x*y)",
    "(1+x^2)^(z*y)",
    "abs(z/a)^2.5+abs(x*z)^1.7",
    "abs(x-2*y)*sign(z)*y^2",
    "max(abs(z)-L2/4,0)^2*x+min(x^3,y*z)^2",
    "max(x*y, x*z)*min(sin(x), y)",
    "atan2(y*z,x)*x",
    "atan2(z, y)/atan2(x, 2)",
    "(x/a+y)^7-1/(x+y)^4",
    "(abs(x)/a)^2.5+(abs(y)/L2)^2.5-1",
    "-(x-y)*-(y-z)/-(z-x)",
    "sqrt(sqrt(x^4+1)+y^2*exp(-z))",
    "(x*y)^1.5*(2*z)^-2+(3*x/7/2)*(2*(5*y))",
    "cos(x*cos(y*cos(z)))",
};
enum { SMOOTH = sizeof smooth / sizeof smooth[0] };

static const double points[3][3] = {{0.8, 1.3, -0.7}, {1.7, 0.6, -1.9}, {0.31, 2.2, -0.45}};

/* All derivatives at x: of order 0 to 3, by axes. The third ones by polarisation: D3[u, u] along sums and
 * differences of axes. */
typedef struct Derivatives {
  double value, first[3], second[3][3], third[3][3][3];
} Derivatives;

static void third_along(const Expression *e, const double *x, const double *u, double *out)
{
  Vec8 at[3], v[3], along[6];
  for (int d = 0; d < 3; d++) {
    at[d] = vec8_set(x[d]);
    v[d] = vec8_set(u[d]);
  }
  expression_lanes_along(e, 2, at, v, along);
  for (int d = 0; d < 3; d++)
    out[d] = along[3 + d][0];
}

static Derivatives all_of(const Expression *e, const double *x)
{
  Derivatives d;
  d.value = expression_value(e, x);
  expression_gradient(e, x, d.first);
  expression_hessian(e, x, d.second[0]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      double sum[3] = {0}, difference[3] = {0}, plus[3], minus[3];
      sum[i] += 1, sum[j] += 1, difference[i] += 1, difference[j] -= 1;
      third_along(e, x, sum, plus);
      third_along(e, x, difference, minus);
      for (int k = 0; k < 3; k++)
        d.third[i][j][k] = d.third[j][i][k] = (plus[k] - minus[k]) / 4;
    }
  return d;
}

static const double *pick(const Derivatives *d, int order, int i, int j, int k)
{
  return order == 0   ? &d->value
         : order == 1 ? &d->first[i]
         : order == 2 ? &d->second[i][j]
                      : &d->third[i][j][k];
}

/* Fourth-order central difference of a derivative one order lower. */
static double slope(const Expression *e, const double *x, int along, int order, int i, int j)
{
  const double h = 1e-3, step[4] = {-2, -1, 1, 2};
  double at[3] = {x[0], x[1], x[2]}, f[4];
  for (int k = 0; k < 4; k++) {
    at[along] = x[along] + step[k] * h;
    const Derivatives d = all_of(e, at);
    f[k] = *pick(&d, order, i, j, 0);
  }
  return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
}

static void compare(double exact, double difference, double size, const char *text)
{
  ck_assert_msg(fabs(exact - difference) < 1e-8 * (1 + fabs(exact)) + 1e-10 * fabs(size), "%s: %.12g %.12g",
                text, exact, difference);
}

TEST(derivatives_are_slopes, .rows = SMOOTH)
{
  Expression *e;
  Error error = {0};
  ck_assert_msg(expression_parse(&e, smooth[_i], &names, &error) == STATUS_OK, "%s", error.text);
  for (int p = 0; p < 3; p++) {
    const Derivatives d = all_of(e, points[p]);
    for (int i = 0; i < 3; i++) {
      compare(d.first[i], slope(e, points[p], i, 0, 0, 0), d.value, smooth[_i]);
      for (int j = 0; j < 3; j++) {
        compare(d.second[i][j], slope(e, points[p], j, 1, i, 0), d.first[i], smooth[_i]);
        compare(d.second[i][j], d.second[j][i], 0.0, smooth[_i]);
        for (int k = 0; k < 3; k++)
          compare(d.third[i][j][k], slope(e, points[p], k, 2, i, j), d.second[i][j], smooth[_i]);
      }
    }
  }
  expression_free(e);
}

static void same_bits(double a, double b)
{
  ck_assert(memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)));
}

TEST(lanes_are_single_numbers, .rows = SMOOTH)
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, smooth[_i], &names, &error), STATUS_OK);
  Vec8 x[3], value, again, gradient[3], hessian[9];
  for (int l = 0; l < LANES; l++)
    for (int d = 0; d < 3; d++)
      x[d][l] = l == 7 ? 0.0 : points[l % 3][d] * (1 - 0.3 * (l % 2)) * (l == 5 && d == 1 ? -1 : 1);
  expression_lanes(e, x, &again, NULL);
  expression_lanes(e, x, &value, gradient);
  expression_lanes_hessian(e, x, hessian);
  for (int l = 0; l < LANES; l++) {
    const double at[3] = {x[0][l], x[1][l], x[2][l]};
    double first[3], second[9];
    expression_gradient(e, at, first);
    expression_hessian(e, at, second);
    same_bits(value[l], expression_value(e, at));
    same_bits(value[l], again[l]);
    for (int i = 0; i < 9; i++) {
      same_bits(gradient[i % 3][l], first[i % 3]);
      same_bits(hessian[i][l], second[i]);
    }
  }
  expression_free(e);
}

/* Along any direction: the Hessian times it, and the same whether the third derivative is asked for or not.
 */
TEST(along_a_direction, .rows = SMOOTH)
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, smooth[_i], &names, &error), STATUS_OK);
  Vec8 x[3], u[3], one[3], both[6], hessian[9];
  for (int l = 0; l < LANES; l++)
    for (int d = 0; d < 3; d++) {
      x[d][l] = points[l % 3][d];
      u[d][l] = sin(1 + 3 * l + d);
    }
  expression_lanes_hessian(e, x, hessian);
  expression_lanes_along(e, 1, x, u, one);
  expression_lanes_along(e, 2, x, u, both);
  for (int l = 0; l < LANES; l++)
    for (int i = 0; i < 3; i++) {
      double sum = 0.0, size = 0.0;
      for (int j = 0; j < 3; j++) {
        sum += hessian[3 * i + j][l] * u[j][l];
        size += fabs(hessian[3 * i + j][l]);
      }
      ck_assert_double_le(fabs(one[i][l] - sum), 1e-13 * (1 + size));
      same_bits(one[i][l], both[i][l]);
    }
  expression_free(e);
}

/* Where a power of |x| has a finite derivative at 0, it is that and not NaN; and the odd ones beyond, which
 * go to plus infinity on one side and to minus on the other, are 0. */
static const char *const kinked[] = {"abs(x)^2.5",     "abs(x/a)^2.5", "(abs(x)/a)^2.5",
                                     "(2*abs(x))^2.5", "(x^2)^1.25",   "(x^2/a^2)^1.25",
                                     "abs(x)^3",       "abs(-x)^2.5",  "x^2*abs(x)^0.5"};

TEST(powers_of_absolute_values, .rows = sizeof kinked / sizeof kinked[0])
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, kinked[_i], &names, &error), STATUS_OK);
  const double origin[3] = {0, 1, 1}, beside[3] = {-1e-6, 1, 1};
  const bool product = strchr(kinked[_i], '*') != NULL && kinked[_i][0] == 'x';
  const Derivatives at = all_of(e, origin), near = all_of(e, beside);
  for (int order = 0; order <= (product ? 1 : 3); order++) {
    if (!(product && order > 0))
      ck_assert_double_eq(*pick(&at, order, 0, 0, 0), 0.0);
    ck_assert(isfinite(*pick(&near, order, 0, 0, 0)));
    ck_assert_int_eq(*pick(&near, order, 0, 0, 0) < 0.0, order % 2);
  }
  expression_free(e);
}

TEST(general_powers_at_zero)
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, "x^y", &names, &error), STATUS_OK);
  const double at[3] = {0, 2.5, 1};
  const Derivatives d = all_of(e, at);
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq(d.first[i], 0.0);
    for (int j = 0; j < 2; j++)
      ck_assert_double_eq(d.second[i][j], 0.0);
  }
  expression_free(e);
}

/* A slope that is infinite spoils what does not depend on it in no direction. */
TEST(an_infinite_slope_stays_where_it_is)
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, "x^2*sqrt(y)", &names, &error), STATUS_OK);
  const double at[3] = {2, 0, 0};
  double gradient[3], hessian[9];
  expression_gradient(e, at, gradient);
  expression_hessian(e, at, hessian);
  ck_assert_double_eq(gradient[0], 0.0);
  ck_assert(isinf(gradient[1]));
  ck_assert_double_eq(hessian[0], 0.0);
  expression_free(e);
}

static const struct {
  const char *text;
  int degree;
} degrees[] = {
    {"0", 0},
    {"a-3", 0},
    {"0*sin(x)", 0},
    {"x-x+2", 0},
    {"a*x+y-(2-3)*z", 1},
    {"(x+y)/2*3", 1},
    {"sign(x)*0+z", 1},
    {"x*y+z^2", 2},
    {"(x-y)^2+(x*2)^2/5", 2},
    {"sqrt(x)^0+x^1*y^1", 2},
    {"x*y*z", EXPRESSION_BENT},
    {"(x+y)^3", EXPRESSION_BENT},
    {"x^4", EXPRESSION_BENT},
    {"x^a", EXPRESSION_BENT},
    {"abs(x)", EXPRESSION_BENT},
    {"2/x", EXPRESSION_BENT},
    {"(x^2+y)^2", EXPRESSION_BENT},
    {"sin(x)+y", EXPRESSION_BENT},
};

TEST(degrees_are_seen, .rows = sizeof degrees / sizeof degrees[0])
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, degrees[_i].text, &names, &error), STATUS_OK);
  ck_assert_int_eq(expression_degree(e), degrees[_i].degree);
  /* Beyond its degree it has no derivatives. */
  const Derivatives d = all_of(e, points[0]);
  for (int i = 0; i < 27; i++)
    for (int order = degrees[_i].degree + 1; order <= 3; order++)
      ck_assert_double_eq(*pick(&d, order, i % 3, i / 3 % 3, i / 9), 0.0);
  expression_free(e);
}

TEST(constants_are_folded)
{
  Expression *e;
  Error error;
  double value;
  ck_assert_int_eq(expression_parse(&e, "sqrt(2)*L2+sin(pi/2)", &names, &error), STATUS_OK);
  ck_assert_int_eq(expression_degree(e), 0);
  value = expression_value(e, NULL);
  ck_assert_double_eq_tol(value, 1.5 * sqrt(2.0) + 1, 1e-15);
  ck_assert(!expression_depends(e, 0));
  expression_free(e);
  ck_assert_int_eq(expression_parse(&e, "x^2+y*0+sin(z)", &names, &error), STATUS_OK);
  ck_assert(expression_depends(e, 0) && !expression_depends(e, 1) && expression_depends(e, 2));
  ck_assert_int_gt(expression_degree(e), 0);
  expression_free(e);
  expression_free(NULL);
}
