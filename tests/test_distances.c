/* Distances among sites: which are independent, and the way onto them. */
#include "tests/suite.h"
#include "topology/distances.h"

static Error error;

static void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

/* A centre whose three angles sum to 359.1 degrees is held as a pyramid from a flat start, too; at 359.9 it
 * is flat. */
TEST(pyramids_are_told_from_planes)
{
  static const double mass[4] = {12, 12, 16, 14}, angle[3] = {120.4, 116.6, 122.9},
                      r[3] = {1.522, 1.229, 1.335};
  static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (int flat = 0; flat < 2; flat++)
    for (int warm = 0; warm < 2; warm++) {
      double x[4][3] = {{0}, {r[0], 0, 0.2 * warm}};
      Distance distance[6];
      DistanceFate fate[6];
      int worst;
      for (int k = 0; k < 2; k++) {
        const double a = (k == 0 ? angle[0] : -angle[1]) * M_PI / 180.0;
        x[2 + k][0] = r[1 + k] * cos(a);
        x[2 + k][1] = r[1 + k] * sin(a);
      }
      for (int c = 0; c < 6; c++) {
        const int i = pair[c][0], j = pair[c][1];
        const double a = c < 3 ? 0.0 : (angle[c - 3] - (flat ? 0.0 : 0.27)) * M_PI / 180.0;
        distance[c] = (Distance){{i, j},
                                 .length = c < 3 ? r[c]
                                                 : sqrt(r[i - 1] * r[i - 1] + r[j - 1] * r[j - 1] -
                                                        2.0 * r[i - 1] * r[j - 1] * cos(a))};
      }
      fine(distances_solve(4, mass, 6, distance, x, fate, &worst, &error));
      ck_assert_int_eq(fate[5], flat ? DISTANCE_DEGENERATE : DISTANCE_KEPT);
      for (int c = 0; c < 5; c++) {
        ck_assert_int_eq(fate[c], DISTANCE_KEPT);
        ck_assert_double_eq_tol(distance_length(&distance[c], (const double(*)[3])x), distance[c].length,
                                1e-9);
      }
    }
}

/* The shortest way, in the norm of masses: what moved has neither momentum nor angular momentum, nor a part
 * along any motion that keeps the distances to first order. */
TEST(a_projection_moves_along_constraints)
{
  static const double mass[4] = {12.0, 1.0, 16.0, 3.0};
  static const Distance distance[4] = {
      {{0, 1}, .length = 1.1}, {{0, 2}, .length = 1.4}, {{1, 2}, .length = 2.0}, {{2, 3}, .length = 1.0}};
  const double x[4][3] = {{0, 0, 0}, {1.1, 0, 0}, {-0.46, 1.32, 0}, {-0.1, 2.2, 0.2}};
  double at[4][3];
  int worst;
  for (int k = 0; k < 4; k++) {
    const double small = 1e-4;
    Distance changed[4];
    double sum[6] = {0.0}, moved = 0.0;
    for (int c = 0; c < 4; c++)
      changed[c] = (Distance){{distance[c].site[0], distance[c].site[1]},
                              .length = distance_length(&distance[c], x) + (c == k ? small : 0.0)};
    memcpy(at, x, sizeof at);
    fine(distances_project(4, mass, 4, changed, at, &worst, &error));
    for (int i = 0; i < 4; i++)
      for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        sum[d] += mass[i] * (at[i][d] - x[i][d]);
        sum[3 + d] += mass[i] * (x[i][e] * (at[i][f] - x[i][f]) - x[i][f] * (at[i][e] - x[i][e]));
        moved += fabs(at[i][d] - x[i][d]);
      }
    ck_assert_double_gt(moved, small / 2.0);
    for (int d = 0; d < 6; d++)
      ck_assert_double_eq_tol(sum[d], 0.0, 1e-6);
  }
}
