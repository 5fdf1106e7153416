/* The periodic box: images, wrapping of whole molecules, checks; the state that has one. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/box.h"
#include "engine/state.h"
#include "forcefields/water.h"
#include "tests/boxes.h"
#include "tests/suite.h"

static const Box open_box = {0}, brick = BOXES_BRICK(10.0, 12.5, 7.0),
                 slab = {{{10.0}, {0.0}, {0.0, 0.0, 7.0}}};

START_TEST(nearest_image_is_nearest)
{
  srand48(3);
  for (int k = 0; k < 1000; k++) {
    double x[3], y[3], r[3], back[3];
    for (int d = 0; d < 3; d++) {
      x[d] = 60.0 * (drand48() - 0.5);
      y[d] = 60.0 * (drand48() - 0.5);
    }
    const double r2 = box_distance(&brick, x, y, r), same = box_distance(&brick, y, x, back);
    ck_assert_double_eq(r2, same);
    for (int d = 0; d < 3; d++) {
      const double turns = (x[d] - y[d] - r[d]) / box_length(&brick, d);
      ck_assert_double_eq(r[d], -back[d]);
      ck_assert_double_le(fabs(r[d]), 0.5 * box_length(&brick, d) * (1.0 + 1e-15));
      ck_assert_double_eq_tol(turns, round(turns), 1e-12);
    }
    box_distance(&slab, x, y, r);
    ck_assert_double_eq(r[1], x[1] - y[1]);
    box_distance(&open_box, x, y, r);
    ck_assert_double_eq(r[0], x[0] - y[0]);
  }
}
END_TEST

START_TEST(molecules_are_wrapped_whole)
{
  enum { N = 200 };
  double x[N][3][3], was[N][3][3];
  srand48(4);
  for (int k = 0; k < 9 * N; k++)
    (&x[0][0][0])[k] = 50.0 * (drand48() - 0.5);
  x[0][0][0] = -1e-18; /* rounds to the length itself */
  x[1][0][0] = 10.0;
  memcpy(was, x, sizeof x);
  box_wrap(&slab, N, 3, &x[0][0][0]);
  for (int m = 0; m < N; m++)
    for (int d = 0; d < 3; d++) {
      if (box_length(&slab, d) != 0.0)
        ck_assert(x[m][0][d] >= -1e-14 && x[m][0][d] <= box_length(&slab, d));
      else
        ck_assert_double_eq(x[m][0][d], was[m][0][d]);
      for (int s = 1; s < 3; s++)
        ck_assert_double_eq_tol(x[m][s][d] - x[m][0][d], was[m][s][d] - was[m][0][d], 1e-13);
    }
}
END_TEST

START_TEST(small_and_senseless_boxes_are_refused)
{
  Error error;
  ck_assert_int_eq(box_check(&brick, 3.5, "cutoff", &error), STATUS_OK);
  ck_assert_int_eq(box_check(&slab, 3.5, "cutoff", &error), STATUS_OK);
  ck_assert_int_eq(box_check(&open_box, 1e9, "cutoff", &error), STATUS_OK);
  ck_assert_int_eq(box_check(&brick, 3.6, "range", &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "length z"));
  ck_assert_ptr_nonnull(strstr(error.text, "twice the range of 3.6 A"));
  const Box bad[3] = {box_brick(10.0, -1.0, 10.0), box_brick(10.0, 10.0, NAN),
                      box_brick(INFINITY, 10.0, 10.0)};
  for (int k = 0; k < 3; k++)
    ck_assert_int_eq(box_check(&bad[k], 1.0, "cutoff", &error), STATUS_INPUT);
  ck_assert_double_eq(box_volume(&brick), 875.0);
  ck_assert_double_eq(box_volume(&slab), 0.0);
  ck_assert_double_eq(box_shortest(&slab), 7.0);
  ck_assert_double_eq(box_shortest(&open_box), 0.0);
}
END_TEST

static size_t listed(State *state, int *n)
{
  ChunkList list = {0};
  state_chunks(state, &list);
  size_t bytes = 0;
  for (int i = 0; i < list.n; i++)
    bytes += list.chunk[i].size;
  *n = list.n;
  chunk_free(&list);
  return bytes;
}

/* Nine numbers make a brick and come back; other boxes are refused, and nothing is changed. */
START_TEST(edges)
{
  const double cosine = 1e-9, good[3][3] = {{20.0, 0.0, cosine}, {0.0, 21.0, 0.0}, {-cosine, 0.0, 22.0}};
  Box box;
  Error error = {0};
  ck_assert_int_eq(box_set(&box, good, &error), STATUS_OK);
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++) {
      ck_assert_double_eq(box.h[d][e], d == e ? 20.0 + d : 0.0);
      ck_assert_double_eq(box.inverse[d][e], d == e ? 1.0 / (20.0 + d) : 0.0);
    }
  for (int k = 0; k < 9; k++) {
    double bad[3][3];
    memcpy(bad, good, sizeof bad);
    bad[k / 3][k % 3] = k % 4 == 0 ? -1.0 : 5.0;
    ck_assert_int_eq(box_set(&box, (const double(*)[3])bad, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "triclinic"));
    bad[k / 3][k % 3] = NAN;
    ck_assert_int_eq(box_set(&box, (const double(*)[3])bad, &error), STATUS_INPUT);
  }
  ck_assert_double_eq(box_volume(&box), 20.0 * 21.0 * 22.0);
}
END_TEST

/* A state with a box lists it and copies it. */
START_TEST(state_has_a_box)
{
  Kind *kind;
  State *state, *other;
  const int nmol = 11;
  int n, open_n;
  ck_assert_int_eq(water_kind(&water_models[0], 16.0, 1.0, &kind, NULL), STATUS_OK);
  const Kind *one = kind;
  ck_assert_int_eq(state_create(&state, 1, 1, &one, &nmol, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(state_create(&other, 1, 1, &one, &nmol, 1, 0, NULL), STATUS_OK);
  ck_assert_int_eq(box_periodic(&state->box), 0);
  const size_t bytes = listed(state, &open_n);
  state->box = brick;
  ck_assert_uint_eq(listed(state, &n), bytes + sizeof(Box));
  ck_assert_int_eq(n, open_n + 1);
  state_copy(other, state);
  ck_assert_mem_eq(&other->box, &brick, sizeof brick);
  state_free(other);
  state_free(state);
  kind_free(kind);
}
END_TEST

int main(void)
{
  TCase *tc = tcase_create("box");
  tcase_add_test(tc, nearest_image_is_nearest);
  tcase_add_test(tc, molecules_are_wrapped_whole);
  tcase_add_test(tc, small_and_senseless_boxes_are_refused);
  tcase_add_test(tc, edges);
  tcase_add_test(tc, state_has_a_box);
  return suite_main("box", tc);
}
