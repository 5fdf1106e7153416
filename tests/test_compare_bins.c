/* Which bins of two curves are compared. */
#include "cmd/compare.h"
#include "cmd/compare_private.h"
#include "tests/suite.h"

/* A bin of which one of two runs has seen a visit or two is none to compare: its error is as small as its
 * value happens to be. Values that are no counts may be smaller than their errors. */
TEST(bins_that_few_have_seen_are_left_out)
{
  double many[] = {1.0, 40e-6}, error[] = {0.03, 5e-6}, few[] = {1.02, 5e-6}, own[] = {0.04, 5e-6};
  ResultColumn column[2] = {{.value = many, .error = error}, {.value = few, .error = own}};
  CompareCurve curve[2];
  for (int k = 0; k < 2; k++)
    curve[k] = (CompareCurve){.y = &column[k], .n = 2, .least = -INFINITY, .counted = true, .draws = 64};
  const CompareCurve *const of[2] = {&curve[0], &curve[1]};
  StatisticsWelch w;
  ck_assert(compare_bin(of, 0, &w) && fabs(w.difference - 0.02) < 1e-12);
  ck_assert(!compare_bin(of, 1, &w));
  curve[0].counted = curve[1].counted = false;
  ck_assert(compare_bin(of, 1, &w));
}
