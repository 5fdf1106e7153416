/* The measured errors of the forces of a periodic box. */
#include <check.h>
#include <math.h>

#include "app/check_forces.h"
#include "tests/periodic_box.h"
#include "tests/suite.h"

static CheckForces measure(const PeriodicOptions *options, int threads)
{
  Periodicals p;
  CheckForces r;
  periodic_open(&p, options);
  ck_assert_msg(check_forces_measure(&p.field.force[0], p.state, threads, &r, &p.error) == STATUS_OK, "%s",
                p.error.text);
  periodic_close(&p);
  return r;
}

START_TEST(errors_are_those_expected)
{
  PeriodicOptions o = periodic_usual;
  o.mixed = _i > 0;
  o.by_atom = _i == 2;
  o.cutoff = _i == 2 ? 6.9 : 9.0; /* lists of atoms reach further */
  const CheckForces r = measure(&o, 2);
  ck_assert_int_eq(r.natom, BOX_N);
  ck_assert(r.split && r.force > 15.0 && r.force < 40.0);
  ck_assert_double_le(fabs(log(r.real / r.expected_real)), log(2.0));
  ck_assert_double_le(fabs(log(r.reciprocal / r.expected_reciprocal)), log(2.0));
  ck_assert_double_le(hypot(r.expected_real, r.expected_reciprocal), 0.0145);
  ck_assert_double_le(fabs(log(r.error / hypot(r.real, r.reciprocal))), log(1.2));
  ck_assert(r.largest > r.error && r.largest < 10.0 * r.error);
}
END_TEST

START_TEST(fine_meshes_have_small_errors)
{
  PeriodicOptions o = periodic_usual;
  o.beta = 0.45;
  o.order = 6;
  o.grid[0] = o.grid[1] = o.grid[2] = 96;
  const CheckForces r = measure(&o, 1);
  ck_assert_double_le(r.reciprocal, 1e-6);
  ck_assert_double_le(r.real, 1e-4);
  ck_assert_double_ge(r.real, 1e-6);
  ck_assert_double_le(r.net, 1e-9);
}
END_TEST

/* They have no parts, and are no sum over all images. */
START_TEST(cutoffs_are_far_off)
{
  PeriodicOptions o = periodic_usual;
  o.coulomb = PERIODIC_REACTION_FIELD;
  const CheckForces r = measure(&o, 1);
  ck_assert(!r.split && r.error > 0.1 && r.error < 10.0);
  o.coulomb = PERIODIC_EWALD;
  ck_assert_double_le(measure(&o, 1).error, 1e-7);
}
END_TEST

/* As those of each of several replicas are. */
START_TEST(forces_for_one_thread_are_asked_by_one)
{
  PeriodicOptions o = periodic_usual;
  o.threads = 1;
  const CheckForces one = measure(&o, 1), two = measure(&o, 2);
  ck_assert_double_eq(two.error, one.error);
  ck_assert_double_eq(two.reciprocal, one.reciprocal);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("check_forces");
  tcase_set_timeout(tc, 120);
  tcase_add_loop_test(tc, errors_are_those_expected, 0, 3);
  tcase_add_test(tc, fine_meshes_have_small_errors);
  tcase_add_test(tc, cutoffs_are_far_off);
  tcase_add_test(tc, forces_for_one_thread_are_asked_by_one);
  return suite_main("check_forces", tc);
}
