/* Formulas: what the grammar means, what its messages say, derivatives against differences, lanes against
 * single numbers, and what is folded. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/expression.h"
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

START_TEST(grammar)
{
  const double value = value_at(meanings[_i].text, 2.0, 0.5, -1.0);
  ck_assert_msg(fabs(value - meanings[_i].value) < 1e-15 * (1 + fabs(value)) * 4, "%s is %.17g",
                meanings[_i].text, value);
}
END_TEST

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

START_TEST(messages)
{
  Expression *e;
  Error error = {0};
  ck_assert_int_eq(expression_parse(&e, mistakes[_i].text, &names, &error), STATUS_INPUT);
  ck_assert_ptr_null(e);
  for (int k = 0; k < 3 && mistakes[_i].says[k] != NULL; k++)
    ck_assert_msg(strstr(error.text, mistakes[_i].says[k]) != NULL, "'%s' not in: %s", mistakes[_i].says[k],
                  error.text);
}
END_TEST

START_TEST(limits_are_told)
{
  char text[20000] = "", *end = text;
  Expression *e;
  Error error;
  for (int i = 0; i < 101; i++)
    *end++ = '(';
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "inside"));
  memset(text, '-', 5000);
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_INPUT);
  /* A long sum is fine: it needs few registers. */
  end = text;
  for (int i = 0; i < 1000; i++)
    end += sprintf(end, "+sin(%d*x)", i);
  ck_assert_int_eq(expression_parse(&e, text, &names, &error), STATUS_OK);
  Expression *d;
  ck_assert_int_eq(expression_derivative(&d, e, 0, &error), STATUS_OK);
  const double origin[3] = {0};
  ck_assert_double_eq_tol(expression_value(d, origin), 499500.0, 1e-6);
  expression_free(d);
  expression_free(e);
  /* A value used again at the very end of a hundred and more others is too much, and said to be. */
  end = text;
  for (int i = 0; i < 140; i++)
    end += sprintf(end, "+sin(x+%d)", i);
  *end++ = '+', *end++ = '0', *end = '\0';
  char twice[40000];
  snprintf(twice, sizeof twice, "(%s)", text);
  end = twice + strlen(twice);
  for (int i = 139; i >= 0; i--)
    end += sprintf(end, "*cos(sin(x+%d))", i);
  const Status status = expression_parse(&e, twice, &names, &error);
  ck_assert_int_eq(status, STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "intermediate values"));
}
END_TEST

START_TEST(ambiguous_names_are_refused)
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
END_TEST

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

static double of(const Expression *e, const double *x) { return e != NULL ? expression_value(e, x) : 0.0; }

/* Fourth-order central difference. */
static double slope(const Expression *e, const double *x, int d)
{
  const double h = 1e-3;
  double at[3] = {x[0], x[1], x[2]}, f[4];
  const double step[4] = {-2, -1, 1, 2};
  for (int k = 0; k < 4; k++) {
    at[d] = x[d] + step[k] * h;
    f[k] = of(e, at);
  }
  return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
}

static void compare(const Expression *derivative, const Expression *of_what, const double *x, int d,
                    const char *text)
{
  const double exact = of(derivative, x), difference = slope(of_what, x, d);
  ck_assert_msg(fabs(exact - difference) < 1e-8 * (1 + fabs(exact)) + 1e-10 * fabs(of(of_what, x)),
                "%s: %.12g %.12g", text, exact, difference);
}

START_TEST(derivatives_are_slopes)
{
  Formula *f;
  Error error = {0};
  ck_assert_msg(formula_create(&f, smooth[_i], &names, 3, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(formula_size(f), 3);
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < 3; i++) {
      compare(formula_first(f, i), formula_value(f), points[p], i, smooth[_i]);
      for (int j = 0; j < 3; j++) {
        ck_assert_ptr_eq(formula_second(f, i, j), formula_second(f, j, i));
        compare(formula_second(f, i, j), formula_first(f, i), points[p], j, smooth[_i]);
        for (int k = 0; k < 3; k++) {
          ck_assert_ptr_eq(formula_third(f, i, j, k), formula_third(f, k, i, j));
          ck_assert_ptr_eq(formula_third(f, i, j, k), formula_third(f, k, j, i));
          compare(formula_third(f, i, j, k), formula_second(f, i, j), points[p], k, smooth[_i]);
        }
      }
    }
  formula_free(f);
}
END_TEST

static void same_in_lanes(const Expression *e)
{
  if (e == NULL)
    return;
  Octet x[3], value;
  for (int l = 0; l < LANES; l++)
    for (int d = 0; d < 3; d++)
      x[d][l] = l == 7 ? 0.0 : points[l % 3][d] * (1 - 0.3 * (l % 2)) * (l == 5 && d == 1 ? -1 : 1);
  expression_lanes(e, x, &value);
  for (int l = 0; l < LANES; l++) {
    const double at[3] = {x[0][l], x[1][l], x[2][l]}, single = expression_value(e, at), lane = value[l];
    ck_assert(memcmp(&single, &lane, sizeof lane) == 0 || (isnan(single) && isnan(lane)));
  }
}

START_TEST(lanes_are_single_numbers)
{
  Formula *f;
  Error error = {0};
  ck_assert_int_eq(formula_create(&f, smooth[_i], &names, 3, &error), STATUS_OK);
  same_in_lanes(formula_value(f));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        same_in_lanes(formula_first(f, i));
        same_in_lanes(formula_second(f, i, j));
        same_in_lanes(formula_third(f, i, j, k));
      }
  formula_free(f);
}
END_TEST

/* Where a power of |x| has a finite derivative at 0, it is that and not NaN; and the odd ones beyond, which
 * go to plus infinity on one side and to minus on the other, are 0. */
static const char *const kinked[] = {"abs(x)^2.5",     "abs(x/a)^2.5", "(abs(x)/a)^2.5",
                                     "(2*abs(x))^2.5", "(x^2)^1.25",   "(x^2/a^2)^1.25",
                                     "abs(x)^3",       "abs(-x)^2.5",  "x^2*abs(x)^0.5"};

START_TEST(powers_of_absolute_values)
{
  Formula *f;
  Error error = {0};
  ck_assert_int_eq(formula_create(&f, kinked[_i], &names, 3, &error), STATUS_OK);
  const double origin[3] = {0, 1, 1}, beside[3] = {-1e-6, 1, 1};
  const bool product = strchr(kinked[_i], '*') != NULL && kinked[_i][0] == 'x';
  for (int i = 0; i <= (product ? 1 : 3); i++) {
    const Expression *e = i == 0   ? formula_value(f)
                          : i == 1 ? formula_first(f, 0)
                          : i == 2 ? formula_second(f, 0, 0)
                                   : formula_third(f, 0, 0, 0);
    if (!(product && i > 0))
      ck_assert_double_eq(of(e, origin), 0.0);
    ck_assert(isfinite(of(e, beside)));
    ck_assert_int_eq(of(e, beside) < 0.0, i % 2);
  }
  formula_free(f);
}
END_TEST

START_TEST(general_powers_at_zero)
{
  Formula *f;
  Error error = {0};
  ck_assert_int_eq(formula_create(&f, "x^y", &names, 2, &error), STATUS_OK);
  const double at[3] = {0, 2.5, 1};
  ck_assert_double_eq(of(formula_first(f, 0), at), 0.0);
  ck_assert_double_eq(of(formula_first(f, 1), at), 0.0);
  ck_assert_double_eq(of(formula_second(f, 0, 0), at), 0.0);
  ck_assert_double_eq(of(formula_second(f, 0, 1), at), 0.0);
  ck_assert_double_eq(of(formula_second(f, 1, 1), at), 0.0);
  formula_free(f);
}
END_TEST

static const struct {
  const char *text;
  int order, constant; /* the highest order that is not zero; whether that is a number */
} degrees[] = {
    {"0", 0, 1},
    {"a-3", 0, 1},
    {"0*sin(x)", 0, 1},
    {"x-x+2", 0, 1},
    {"a*x+y-(2-3)*z", 1, 1},
    {"(x+y)/2*3", 1, 1},
    {"sign(x)*0+z", 1, 1},
    {"x*y+z^2", 2, 1},
    {"(x-y)^2+(x*2)^2/5", 2, 1},
    {"sqrt(x)^0+x^1*y^1", 2, 1},
    {"x*y*z", 3, 1},
    {"(x+y)^3", 3, 1},
    {"x^4", 3, 0},
    {"x^a", 3, 1},
    {"abs(x)", 1, 0},
};

START_TEST(degrees_are_seen)
{
  Formula *f;
  Error error = {0};
  ck_assert_int_eq(formula_create(&f, degrees[_i].text, &names, 3, &error), STATUS_OK);
  ck_assert_int_eq(formula_order(f), degrees[_i].order);
  int moving = 0;
  for (int i = 0; i < 27; i++) {
    const Expression *e = degrees[_i].order == 1   ? formula_first(f, i % 3)
                          : degrees[_i].order == 2 ? formula_second(f, i % 3, i / 3 % 3)
                                                   : formula_third(f, i % 3, i / 3 % 3, i / 9);
    moving += degrees[_i].order > 0 && e != NULL && !expression_is_constant(e, NULL);
  }
  ck_assert_int_eq(moving == 0, degrees[_i].constant);
  formula_free(f);
  if (degrees[_i].order < 3)
    return;
  /* With two orders kept, more than quadratic is seen still. */
  ck_assert_int_eq(formula_create(&f, degrees[_i].text, &names, 2, &error), STATUS_OK);
  ck_assert_int_eq(formula_order(f), 3);
  ck_assert_ptr_null(formula_third(f, 0, 0, 0));
  formula_free(f);
}
END_TEST

START_TEST(constants_are_folded)
{
  Expression *e, *d;
  Error error;
  double value;
  ck_assert_int_eq(expression_parse(&e, "sqrt(2)*L2+sin(pi/2)", &names, &error), STATUS_OK);
  ck_assert(expression_is_constant(e, &value));
  ck_assert_double_eq_tol(value, 1.5 * sqrt(2.0) + 1, 1e-15);
  ck_assert(!expression_depends(e, 0));
  expression_free(e);
  ck_assert_int_eq(expression_parse(&e, "x^2+y*0+sin(z)", &names, &error), STATUS_OK);
  ck_assert(expression_depends(e, 0) && !expression_depends(e, 1) && expression_depends(e, 2));
  ck_assert(!expression_is_constant(e, &value));
  ck_assert_int_eq(expression_derivative(&d, e, 1, &error), STATUS_OK);
  ck_assert(expression_is_constant(d, &value) && value == 0.0);
  expression_free(d);
  expression_free(e);
  expression_free(NULL);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("expression");
  tcase_add_loop_test(tc, grammar, 0, sizeof meanings / sizeof meanings[0]);
  tcase_add_loop_test(tc, messages, 0, sizeof mistakes / sizeof mistakes[0]);
  tcase_add_test(tc, limits_are_told);
  tcase_add_test(tc, ambiguous_names_are_refused);
  tcase_add_loop_test(tc, derivatives_are_slopes, 0, SMOOTH);
  tcase_add_loop_test(tc, lanes_are_single_numbers, 0, SMOOTH);
  tcase_add_loop_test(tc, powers_of_absolute_values, 0, sizeof kinked / sizeof kinked[0]);
  tcase_add_test(tc, general_powers_at_zero);
  tcase_add_loop_test(tc, degrees_are_seen, 0, sizeof degrees / sizeof degrees[0]);
  tcase_add_test(tc, constants_are_folded);
  return suite_main("expression", tc);
}
