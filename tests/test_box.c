/* The periodic box: images, wrapping of whole molecules, checks; the state that has one. */
#include "engine/box.h"
#include "engine/state.h"
#include "forcefields/water.h"
#include "tests/boxes.h"
#include "tests/suite.h"

static const Box open_box = {0}, brick = BOXES_BRICK(10.0, 12.5, 7.0),
                 slab = {{{10.0}, {0.0}, {0.0, 0.0, 7.0}}};

TEST(nearest_image_is_nearest)
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

TEST(molecules_are_wrapped_whole)
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

TEST(small_and_senseless_boxes_are_refused)
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

/* Nine numbers make a brick and come back; senseless ones are refused, and nothing is changed. */
TEST(edges)
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
    bad[k / 3][k % 3] = NAN;
    ck_assert_int_eq(box_set(&box, (const double(*)[3])bad, &error), STATUS_INPUT);
    bad[k / 3][k % 3] = k % 4 == 0 ? -1.0 : k % 3 > k / 3 ? 5.0 : INFINITY;
    ck_assert_int_eq(box_set(&box, (const double(*)[3])bad, &error), STATUS_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "rotate"));
  }
  const double flat[3][3] = {{20.0}, {3.0, 20.0}, {0.0, 0.0, 0.01}}, open[3][3] = {{20.0}, {3.0, 20.0}};
  ck_assert_int_eq(box_set(&box, flat, &error), STATUS_INPUT);
  ck_assert_int_eq(box_set(&box, open, &error), STATUS_INPUT);
  const double large[3][3] = {{1e300}, {3e299, 1e300}, {0.0, 0.0, 1e300}},
               far[3][3] = {{20.0}, {1e30, 20.0}, {0.0, 0.0, 20.0}};
  ck_assert_int_eq(box_set(&box, large, &error), STATUS_INPUT);
  ck_assert_int_eq(box_set(&box, far, &error), STATUS_INPUT);
  ck_assert_int_eq(box_set(&box, (const double[3][3]){{0.0}, {5.0}}, &error), STATUS_INPUT);
  ck_assert_double_eq(box_volume(&box), 20.0 * 21.0 * 22.0);
}

/* A lower-triangular one that leans by up to `lean` of its lengths. */
static void draw_edges(double lean, double edge[3][3])
{
  memset(edge, 0, 9 * sizeof edge[0][0]);
  for (int d = 0; d < 3; d++)
    edge[d][d] = 5.0 + 20.0 * drand48();
  for (int d = 1; d < 3; d++)
    for (int e = 0; e < d; e++)
      edge[d][e] = 2.0 * lean * (drand48() - 0.5) * edge[e][e];
}

static double whole(double x) { return fabs(x - round(x)); }

/* Their edges are sums of whole edges of each other, the volume is the same, and little is left to lean. */
TEST(oblique_boxes_are_reduced)
{
  srand48(5);
  for (int k = 0; k < 200; k++) {
    double edge[3][3];
    Box box, again;
    draw_edges(4.0, edge);
    ck_assert_int_eq(box_set(&box, (const double(*)[3])edge, NULL), STATUS_OK);
    ck_assert_int_eq(box_oblique(&box), 1);
    ck_assert_double_eq(box_volume(&box), edge[0][0] * edge[1][1] * edge[2][2]);
    for (int d = 0; d < 3; d++) {
      double u[3], x[3];
      box_fractions(&box, edge[d], u);
      box_point(&box, u, x);
      for (int e = 0; e < 3; e++) {
        ck_assert_double_eq_tol(x[e], edge[d][e], 1e-12);
        ck_assert_double_le(whole(u[e]), 1e-12);
        ck_assert_double_le(e < d ? fabs(box.h[d][e]) : 0.0, 0.501 * box.h[e][e]);
      }
    }
    ck_assert_int_eq(box_set(&again, (const double(*)[3])box.h, NULL), STATUS_OK);
    ck_assert_int_eq(box_same(&again, &box), 1);
  }
}

/* Of many images, among which the nearest must be. */
static double brute(const Box *box, const double r[3], bool other, double nearest[3])
{
  enum { AROUND = 6 };
  double least = INFINITY;
  for (int i = 0; i < pow(2 * AROUND + 1, 3); i++) {
    const double n[3] = {i % 13 - AROUND, i / 13 % 13 - AROUND, i / 169 - AROUND};
    double x[3];
    box_point(box, n, x);
    for (int d = 0; d < 3; d++)
      x[d] += r[d];
    const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (square < least && !(other && n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0)) {
      least = square;
      memcpy(nearest, x, sizeof x);
    }
  }
  return least;
}

TEST(oblique_images_are_nearest)
{
  srand48(6);
  int rounded = 0;
  for (int k = 0; k < 600; k++) {
    double edge[3][3], u[3], r[3], back[3], nearest[3], from[3];
    Box box;
    draw_edges(0.5, edge);
    ck_assert_int_eq(box_set(&box, (const double(*)[3])edge, NULL), STATUS_OK);
    for (int d = 0; d < 3; d++)
      u[d] = drand48() - 0.5;
    box_point(&box, u, from);
    for (int d = 0; d < 3; d++) {
      r[d] = from[d] + (k % 7 - 3) * box.h[2][d] + (k % 5 - 2) * box.h[1][d];
      back[d] = -r[d];
    }
    const double least = brute(&box, from, false, nearest);
    rounded += from[0] * from[0] + from[1] * from[1] + from[2] * from[2] > least * (1.0 + 1e-9);
    box_nearest(&box, r);
    box_nearest(&box, back);
    for (int d = 0; d < 3; d++) {
      ck_assert_double_eq_tol(r[d], nearest[d], 1e-11);
      ck_assert_double_eq(r[d], -back[d]);
    }
    const double zero[3] = {0.0};
    ck_assert_double_eq_tol(box_shortest(&box), sqrt(brute(&box, zero, true, nearest)), 1e-12);
    ck_assert_int_eq(box_check(&box, 0.4999 * box_shortest(&box), "cutoff", NULL), STATUS_OK);
    ck_assert_int_eq(box_check(&box, 0.5001 * box_shortest(&box), "cutoff", NULL), STATUS_INPUT);
  }
  ck_assert_int_gt(rounded, 30); /* where whole fractions are not the nearest */
  Box box;
  ck_assert_int_eq(box_set(&box, (const double[3][3]){{9.0}, {4.0, 9.0}, {1.0, 2.0, 9.0}}, NULL), STATUS_OK);
  double far[3] = {1e300, -1e300, 1e300}, nowhere[3] = {NAN, INFINITY, 0.0};
  box_nearest(&box, far); /* they end */
  box_nearest(&box, nowhere);
}

/* Fractions of a corner are whole, faces are a height apart, and molecules are wrapped to between them. */
TEST(fractions_and_heights)
{
  enum { N = 100 };
  double x[N][3];
  srand48(7);
  for (int k = 0; k < 50; k++) {
    double edge[3][3];
    Box box;
    draw_edges(0.5, edge);
    ck_assert_int_eq(box_set(&box, (const double(*)[3])edge, NULL), STATUS_OK);
    for (int d = 0; d < 3; d++) { /* the distance of a face from the opposite corner, by its normal */
      const double *p = box.h[(d + 1) % 3], *q = box.h[(d + 2) % 3];
      const double normal[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                                p[0] * q[1] - p[1] * q[0]};
      const double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      ck_assert_double_eq_tol(box_height(&box, d), box_volume(&box) / area, 1e-12);
      ck_assert_double_eq(box_height(&brick, d), box_length(&brick, d));
    }
    for (int i = 0; i < 3 * N; i++)
      x[i / 3][i % 3] = 100.0 * (drand48() - 0.5);
    double was[N][3];
    memcpy(was, x, sizeof x);
    box_wrap(&box, N, 1, &x[0][0]);
    for (int i = 0; i < N; i++) {
      double u[3], gap[3];
      box_fractions(&box, x[i], u);
      for (int d = 0; d < 3; d++)
        ck_assert(u[d] > -1e-12 && u[d] < 1.0 + 1e-12);
      ck_assert_double_le(box_distance(&box, x[i], was[i], gap), 1e-20);
    }
  }
}

/* A strain of the edges moves points by the same map, whichever edges the strained lattice is written with.
 */
TEST(maps_follow_the_lattice)
{
  srand48(8);
  for (int k = 0; k < 200; k++) {
    double edge[3][3], strain[3][3] = {{0.0}}, now[3][3], map[3][3];
    Box box, other;
    draw_edges(k % 2 == 0 ? 0.5 : 0.0, edge);
    ck_assert_int_eq(box_set(&box, (const double(*)[3])edge, NULL), STATUS_OK);
    for (int d = 0; d < 3; d++)
      for (int e = 0; e <= d && (k % 2 == 0 || d == e || k % 3 == 0); e++)
        strain[d][e] = (d == e) + 0.1 * (drand48() - 0.5);
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++)
        now[d][e] = box.h[d][0] * strain[0][e] + box.h[d][1] * strain[1][e] + box.h[d][2] * strain[2][e];
    for (int e = 0; e < 3 && box_oblique(&box); e++) { /* box_set takes it away, or leaves it to lean */
      now[2][e] += 3.0 * now[1][e] - now[0][e];
      now[1][e] -= 2.0 * now[0][e];
    }
    ck_assert_int_eq(box_set(&other, (const double(*)[3])now, NULL), STATUS_OK);
    box_map(&box, &other, map);
    for (int d = 0; d < 9; d++)
      ck_assert_double_eq_tol(map[d / 3][d % 3], strain[d / 3][d % 3], 1e-13);
  }
}

/* Octahedra and dodecahedra: so many images at the length, none nearer, the edges of a reduced box, equally
 * long ones, and the volume of the cell of points that are nearest to one. */
TEST(shapes, .rows = 3)
{
  static const struct {
    BoxShape shape;
    int neighbours;
    double volume;
  } right[] = {
      {BOX_CUBIC, 6, 1.0}, {BOX_OCTAHEDRON, 8, 0.769800358919501}, {BOX_DODECAHEDRON, 12, M_SQRT1_2}};
  const Box box = box_of_shape(right[_i].shape, 30.0),
            other = box_of_volume(right[_i].shape, box_volume(&box));
  Box set;
  int count = 0;
  ck_assert_double_eq_tol(box_volume(&box), 27000.0 * right[_i].volume, 1e-10);
  ck_assert_double_eq_tol(box_shortest(&box), 30.0, 1e-13);
  ck_assert_double_eq_tol(box_length(&other, 0), 30.0, 1e-13);
  ck_assert_int_eq(box_set(&set, (const double(*)[3])box.h, NULL), STATUS_OK);
  ck_assert_mem_eq(&set, &box, sizeof box);
  for (int i = 0; i < 125; i++) {
    const double n[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
    double x[3];
    box_point(&box, n, x);
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    ck_assert(i == 62 || r > 29.999);
    count += r > 29.999 && r < 30.001;
  }
  ck_assert_int_eq(count, right[_i].neighbours);
}

/* The same lattice with other edges is alike, another box is not. */
TEST(lattices_are_compared)
{
  const double edge[3][3] = {{20.0}, {6.0, 21.0}, {-4.0, 5.0, 22.0}};
  Box box, other;
  char words[BOX_WORDS];
  ck_assert_int_eq(box_set(&box, edge, NULL), STATUS_OK);
  for (int k = 0; k < 9; k++) {
    double near[3][3];
    memcpy(near, edge, sizeof near);
    for (int e = 0; e < 3; e++) {
      near[2][e] += near[1][e];
      near[1][e] += near[0][e];
    }
    ck_assert_int_eq(box_set(&other, (const double(*)[3])near, NULL), STATUS_OK);
    ck_assert_int_eq(box_alike(&other, &box, 1e-6), 1);
    near[k / 3][k % 3] += k % 3 <= k / 3 ? 1e-3 : 0.0;
    ck_assert_int_eq(box_set(&other, (const double(*)[3])near, NULL), STATUS_OK);
    ck_assert_int_eq(box_alike(&other, &box, 1e-6), k % 3 > k / 3);
  }
  ck_assert_int_eq(box_alike(&brick, &brick, 1e-6), 1);
  ck_assert_int_eq(box_alike(&brick, &box, 1e-6), 0);
  ck_assert_str_eq(box_words(&box, 6, words), "(20, 0, 0), (6, 21, 0), (-4, 5, 22) A");
  ck_assert_str_eq(box_words(&brick, 6, words), "10 x 12.5 x 7 A");
}

/* A state with a box lists it and copies it. */
TEST(state_has_a_box)
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
