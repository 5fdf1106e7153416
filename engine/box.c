#include "engine/box.h"

#include <stdio.h>
#include <string.h>

#include "base/locale.h"

#define SQRT6 2.44948974278317809820

/* --- edges --------------------------------------------------------------------------------------------- */

/* Subtracts whole earlier edges from each edge. The limit slightly above a half leaves a box unchanged that
 * was rounded in a file. */
static void reduce(double h[3][3])
{
  static const double half = 0.501;
  static const int pair[3][2] = {{1, 0}, {2, 1}, {2, 0}};
  for (int i = 0; i < 3; i++) {
    const int edge = pair[i][0], by = pair[i][1];
    const double lean = h[edge][by] / h[by][by];
    for (int d = 0; d <= by && fabs(lean) > half; d++)
      h[edge][d] -= rint(lean) * h[by][d];
  }
}

/* The inverse of a lower-triangular matrix without zeros on its diagonal. */
static void invert(const double h[3][3], double inverse[3][3])
{
  for (int d = 0; d < 3; d++)
    inverse[d][d] = 1.0 / h[d][d];
  inverse[1][0] = -h[1][0] * inverse[0][0] * inverse[1][1];
  inverse[2][1] = -h[2][1] * inverse[1][1] * inverse[2][2];
  inverse[2][0] = -(h[2][0] * inverse[0][0] + h[2][1] * inverse[1][0]) * inverse[2][2];
}

static Status set_oblique(Box *box, const double edge[3][3], Error *error)
{
  static const double flat = 0.01; /* of the longest edge: flatter boxes make searches for images slow */
  static const double most = 1e9;  /* A: reducing larger leans loses digits                            */
  Box now = {0};
  double longest = 0.0, largest = 0.0, least = INFINITY;
  for (int d = 0; d < 3; d++) {
    for (int e = 0; e <= d; e++) {
      now.h[d][e] = edge[d][e];
      largest = fmax(largest, fabs(edge[d][e]));
    }
    longest = fmax(longest, edge[d][d]);
    least = fmin(least, edge[d][d]);
  }
  if (largest > most || !(least > 0.0) || least < flat * longest)
    return error_set(
        error, STATUS_INPUT,
        "its oblique box is too flat, too large or open: a_x = %g, b_y = %g and c_z = %g A. These must be "
        "positive, the least at least %g of the largest, and no component above %g A",
        edge[0][0], edge[1][1], edge[2][2], flat, most);
  reduce(now.h);
  invert((const double(*)[3])now.h, now.inverse);
  *box = now;
  return STATUS_OK;
}

Status box_set(Box *box, const double edge[3][3], Error *error)
{
  static const double straight = 1e-8; /* angstrom */
  int oblique = 0;
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++) {
      if (d == e ? !(edge[d][d] >= 0.0) : e > d ? !(fabs(edge[d][e]) <= straight) : !isfinite(edge[d][e]))
        return error_set(error, STATUS_INPUT,
                         "edge %c of its box is (%g, %g, %g) A. The edges must be (a_x, 0, 0), (b_x, b_y, 0) "
                         "and (c_x, c_y, c_z) with positive a_x, b_y and c_z: rotate the system with its box",
                         "abc"[d], edge[d][0], edge[d][1], edge[d][2]);
      oblique = oblique || (d != e && fabs(edge[d][e]) > straight);
    }
  if (oblique)
    return set_oblique(box, edge, error);
  *box = box_brick(edge[0][0], edge[1][1], edge[2][2]);
  return STATUS_OK;
}

Box box_of_shape(BoxShape shape, double length)
{
  static const double unit[][3][3] = {
      [BOX_CUBIC] = {{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}},
      [BOX_OCTAHEDRON] = {{1.0}, {1.0 / 3.0, 2.0 * M_SQRT2 / 3.0}, {-1.0 / 3.0, M_SQRT2 / 3.0, SQRT6 / 3.0}},
      [BOX_DODECAHEDRON] = {{1.0}, {0.0, 1.0}, {0.5, 0.5, M_SQRT1_2}}};
  double edge[3][3];
  Box box = {0};
  for (int k = 0; k < 9; k++)
    edge[k / 3][k % 3] = length * unit[shape][k / 3][k % 3];
  (void)box_set(&box, (const double(*)[3])edge, NULL); /* always succeeds, except for lengths 0 and NaN */
  return box;
}

Box box_of_volume(BoxShape shape, double volume)
{
  const Box unit = box_of_shape(shape, 1.0);
  return box_of_shape(shape, cbrt(volume / box_volume(&unit)));
}

int box_same(const Box *a, const Box *b)
{
  int same = 1;
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      same = same && a->h[d][e] == b->h[d][e];
  return same;
}

int box_alike(const Box *a, const Box *b, double tolerance)
{
  int alike = fabs(box_volume(a) - box_volume(b)) <= 3.0 * tolerance * box_volume(b);
  for (int d = 0; d < 3; d++) {
    double u[3];
    box_fractions(b, a->h[d], u);
    for (int e = 0; e < 3; e++)
      alike = alike && fabs(u[e] - rint(u[e])) <= tolerance;
  }
  return alike;
}

const char *box_words(const Box *box, int digits, char words[BOX_WORDS])
{
  LOCALE_PLAIN;
  const double(*h)[3] = box->h;
  const int n = digits;
  if (box_oblique(box))
    snprintf(words, BOX_WORDS, "(%.*g, 0, 0), (%.*g, %.*g, 0), (%.*g, %.*g, %.*g) A", n, h[0][0], n, h[1][0],
             n, h[1][1], n, h[2][0], n, h[2][1], n, h[2][2]);
  else
    snprintf(words, BOX_WORDS, "%.*g x %.*g x %.*g A", n, h[0][0], n, h[1][1], n, h[2][2]);
  return words;
}

/* --- images -------------------------------------------------------------------------------------------- */

static double square(const double r[3]) { return r[0] * r[0] + r[1] * r[1] + r[2] * r[2]; }

/* Replaces r by the shortest of r - j b - k c, moved along a to its nearest image, with j or k not 0, if it
 * is shorter than r. Only images with |z| and |y| within the present length need checking; oblique boxes have
 * few. */
static void shorten(const Box *box, double r[3])
{
  const double(*h)[3] = box->h;
  const double from[3] = {r[0], r[1], r[2]};
  double best = square(r);
  const double reach = sqrt(best);
  for (int k = (int)ceil((from[2] - reach) / h[2][2]); k <= (from[2] + reach) / h[2][2]; k++) {
    const double z = from[2] - k * h[2][2], y = from[1] - k * h[2][1];
    const double width = sqrt(fmax(best - z * z, 0.0));
    for (int j = (int)ceil((y - width) / h[1][1]); j <= (y + width) / h[1][1]; j++) {
      double at[3] = {from[0] - k * h[2][0] - j * h[1][0], y - j * h[1][1], z};
      at[0] -= h[0][0] * rint(at[0] / h[0][0]);
      if ((j != 0 || k != 0) && square(at) < best) {
        best = square(at);
        for (int d = 0; d < 3; d++)
          r[d] = at[d];
      }
    }
  }
}

/* Rounding along c, then b, then a leads into a brick around 0. Points within half of its least length are
 * nearest images. Other points are compared with their neighbours, always for the same one of r and -r. */
void box_oblique_nearest(const Box *box, double r[3])
{
  const double(*h)[3] = box->h;
  for (int d = 2; d >= 0; d--) {
    const double whole = rint(r[d] / h[d][d]);
    for (int e = 0; e <= d; e++)
      r[e] -= whole * h[d][e];
  }
  const double least = fmin(h[0][0], fmin(h[1][1], h[2][2]));
  const double most = h[0][0] * h[0][0] + h[1][1] * h[1][1] + h[2][2] * h[2][2];
  if (4.0 * square(r) <= least * least || !(square(r) <= most)) /* nearest; or so far that digits were lost */
    return;
  const double sign = r[2] < 0.0 || (r[2] == 0.0 && (r[1] < 0.0 || (r[1] == 0.0 && r[0] < 0.0))) ? -1.0 : 1.0;
  for (int d = 0; d < 3; d++)
    r[d] *= sign;
  shorten(box, r);
  for (int d = 0; d < 3; d++)
    r[d] *= sign;
}

void box_oblique_inside(const Box *box, const double x[3], double shift[3])
{
  double u[3];
  box_fractions(box, x, u);
  for (int d = 0; d < 3; d++)
    u[d] = -floor(u[d]);
  box_point(box, u, shift);
}

void box_wrap(const Box *box, int nmol, int nsite, double *x)
{
  for (int m = 0; m < nmol; m++) {
    double shift[3];
    box_inside(box, x, shift);
    for (int s = 0; s < nsite; s++)
      for (int d = 0; d < 3; d++)
        *x++ += shift[d];
  }
}

/* For bricks: ratios of lengths. */
static void map_brick(const Box *before, const Box *now, double map[3][3])
{
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      map[d][e] = d != e                         ? 0.0
                  : box_length(before, d) != 0.0 ? box_length(now, d) / box_length(before, d)
                                                 : 1.0;
}

/* now = turn before strain: subtracts a turn of whole numbers, which the small strain does not hide. */
void box_follow(const Box *before, const Box *now, double edge[3][3])
{
  memcpy(edge, now->h, sizeof now->h);
  for (int d = 1; d < 3; d++)
    for (int e = d - 1; e >= 0; e--) {
      double u[3];
      box_fractions(before, edge[d], u);
      const double turns = rint(u[e]);
      for (int k = 0; k < 3; k++)
        edge[d][k] -= turns * edge[e][k];
    }
}

void box_map(const Box *before, const Box *now, double map[3][3])
{
  if (box_same(before, now) || (!box_oblique(before) && !box_oblique(now))) {
    map_brick(before, now, map);
    return;
  }
  double h[3][3];
  box_follow(before, now, h);
  for (int d = 0; d < 3; d++)
    for (int e = 0; e < 3; e++)
      map[d][e] =
          before->inverse[d][0] * h[0][e] + before->inverse[d][1] * h[1][e] + before->inverse[d][2] * h[2][e];
}

/* --- sizes --------------------------------------------------------------------------------------------- */

double box_volume(const Box *box) { return box_length(box, 0) * box_length(box, 1) * box_length(box, 2); }

/* 1 over the gradient of the fraction. */
double box_height(const Box *box, int edge)
{
  double slope = 1.0;
  for (int d = edge + 1; d < 3; d++)
    slope += pow(box->inverse[d][edge] * box_length(box, edge), 2);
  return box_length(box, edge) / sqrt(slope);
}

double box_shortest(const Box *box)
{
  double least = 0.0;
  for (int d = 0; d < 3; d++)
    if (box_length(box, d) != 0.0 && (least == 0.0 || box_length(box, d) < least))
      least = box_length(box, d);
  if (!box_oblique(box))
    return least;
  double r[3] = {box_length(box, 0), 0.0, 0.0};
  shorten(box, r);
  return sqrt(square(r));
}

static Status check_shortest(const Box *box, double cutoff, const char *what, Error *error)
{
  const double shortest = box_shortest(box);
  if (shortest >= 2.0 * cutoff)
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "the box is too small: its images are %.10g A apart, less than twice the %s of %.10g A; "
                   "use a cutoff of at most %.10g A, or a larger box",
                   shortest, what, cutoff, 0.5 * shortest);
}

Status box_check(const Box *box, double cutoff, const char *what, Error *error)
{
  for (int d = 0; d < 3; d++) {
    const double length = box_length(box, d);
    if (!isfinite(length) || length < 0.0)
      return error_set(error, STATUS_INPUT,
                       "length %c of the box is %g A; it must be positive, or 0 if the system is open",
                       "xyz"[d], length);
    if (length != 0.0 && length < 2.0 * cutoff && !box_oblique(box))
      return error_set(error, STATUS_INPUT,
                       "the box is too small: its length %c is %.10g A, less than twice the %s of %.10g A; "
                       "use a cutoff of at most %.10g A, or a larger box",
                       "xyz"[d], length, what, cutoff, 0.5 * box_shortest(box));
  }
  return box_oblique(box) ? check_shortest(box, cutoff, what, error) : STATUS_OK;
}
