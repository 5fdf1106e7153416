/* Water models: geometry, and the minima of dimers against the literature's table. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "forcefields/water.h"

static double distance(const double *a, const double *b)
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

START_TEST(geometry)
{
  const WaterModel *m = &water_models[_i];
  Kind *kind;
  ck_assert_int_eq(water_kind(m, 15.9994, 1.008, &kind, NULL), STATUS_OK);
  ck_assert(kind_is_triangle(kind));
  const double *x = kind->reference;
  for (int c = 0; c < 3; c++) {
    const Constraint *con = &kind->con[c];
    ck_assert_double_eq_tol(distance(x + 3 * con->site[0], x + 3 * con->site[1]), con->param[0], 1e-14);
  }
  ck_assert_double_eq_tol(distance(x, x + 3), m->d_oh, 1e-14);
  const double cosine = 1.0 - 0.5 * pow(distance(x + 3, x + 6) / m->d_oh, 2);
  ck_assert_double_eq_tol(acos(cosine) * 180.0 / M_PI, m->angle, 1e-10);
  double weight[3];
  for (int d = 0; d < 3; d++) {
    ck_assert_double_eq_tol(kind->mass[0] * x[d] + kind->mass[1] * x[3 + d] + kind->mass[2] * x[6 + d], 0.0,
                            1e-14);
    const double a = water_m_weight(m);
    weight[d] = (1 - 2 * a) * x[d] + a * (x[3 + d] + x[6 + d]);
  }
  ck_assert_double_eq_tol(distance(weight, x), m->d_om, 1e-14);
  ck_assert_ptr_eq(water_find(m->name), m);
  kind_free(kind);
}
END_TEST

START_TEST(bad_input_is_refused)
{
  Error error = {0};
  Kind *kind;
  ck_assert_ptr_null(water_find("tip5p"));
  ck_assert_int_eq(water_kind(water_find("tip3p"), -1.0, 1.0, &kind, &error), STATUS_INPUT);
  ck_assert_ptr_null(kind);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("water");
  TCase *tc = tcase_create("water");
  int n = 0;
  while (water_models[n].name != NULL)
    n++;
  tcase_add_loop_test(tc, geometry, 0, n);
  tcase_add_test(tc, bad_input_is_refused);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
