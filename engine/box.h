/* The periodic box of a system: its edges a, b and c as rows of nine numbers, zero where the system is open.
 * A state owns its box; whoever works in it holds a pointer or asks.
 *
 * Edge a lies along x and b in the plane of x and y, as trajectory formats want them: h is lower-triangular.
 * It is reduced: whole edges before it are taken from an edge until it leans by no more than half of each,
 * |b_x| <= a_x/2, |c_x| <= a_x/2, |c_y| <= b_y/2, up to what the digits of files leave of a half. The
 * lattice, and so every point of the system, is the same. A box is a brick or oblique; oblique ones are
 * periodic in all three directions. The diagonal of h holds the lengths of a brick; of any box, the least
 * distances between images as one goes along x, y and z (box_length). */
#ifndef HOLONOM_ENGINE_BOX_H
#define HOLONOM_ENGINE_BOX_H

#include <math.h>

#include "base/status.h"

typedef struct Box {
  double h[3][3];       /* edges a, b, c, angstrom; a row of zeros: open in this direction */
  double inverse[3][3]; /* of h, so that u = x inverse are fractions; zeros where it is open   */
} Box;

/* With edges along x, y and z, 0 where it is open. */
static inline Box box_brick(double x, double y, double z)
{
  return (Box){
      {{x}, {0.0, y}, {0.0, 0.0, z}},
      {{x != 0.0 ? 1.0 / x : 0.0}, {0.0, y != 0.0 ? 1.0 / y : 0.0}, {0.0, 0.0, z != 0.0 ? 1.0 / z : 0.0}}};
}

/* Boxes all of whose images are equally far from their next ones, as GROMACS has them. An octahedron is
 * truncated, a dodecahedron rhombic with its square in the plane of x and y: they are the lattice's cells of
 * points that are nearest to one, and need less water around a solute than a cube does. */
typedef enum BoxShape { BOX_CUBIC, BOX_OCTAHEDRON, BOX_DODECAHEDRON } BoxShape;

/* Whose images are so far apart; a cube of this edge. */
Box box_of_shape(BoxShape shape, double length);

/* Of this volume. */
Box box_of_volume(BoxShape shape, double volume);

/* The box with these edges as rows, reduced; what other programs' cosines of 90 degrees leave counts as 0.
 * Errors: STATUS_INPUT (a is not along x, or b not in the plane of x and y; an oblique box that is open
 * somewhere, or so flat that it is no box); *box is as it was then. */
Status box_set(Box *box, const double edge[3][3], Error *error);

/* What an edge has along its own axis, of a brick its length; 0: open. */
static inline double box_length(const Box *box, int edge) { return box->h[edge][edge]; }

/* How long an edge is, not only along its own axis. */
static inline double box_edge(const Box *box, int edge)
{
  const double *const h = box->h[edge];
  return sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
}

/* 1 if it is no brick. */
static inline int box_oblique(const Box *box)
{
  return box->h[1][0] != 0.0 || box->h[2][0] != 0.0 || box->h[2][1] != 0.0;
}

/* 1 if any direction is periodic. */
static inline int box_periodic(const Box *box)
{
  return box_length(box, 0) != 0.0 || box_length(box, 1) != 0.0 || box_length(box, 2) != 0.0;
}

/* 1 if they are equal to the bit. */
int box_same(const Box *a, const Box *b);

/* 1 if their lattices are, up to so much of an edge. */
int box_alike(const Box *a, const Box *b, double tolerance);

enum { BOX_WORDS = 160 };

/* "20 x 21 x 22 A", or of an oblique one its edges, "(20, 0, 0), (4, 20, 0), (1, 2, 20) A", in
 * words[BOX_WORDS], with so many digits; returns it. */
const char *box_words(const Box *box, int digits, char words[BOX_WORDS]);

/* For oblique boxes: box_nearest and box_inside. */
void box_oblique_nearest(const Box *box, double r[3]);
void box_oblique_inside(const Box *box, const double x[3], double shift[3]);

/* r less whole edges: the nearest image, exactly, however far it is. Of a brick it lies within half a length
 * of each direction. The same vector with the other sign for -r. */
static inline void box_nearest(const Box *box, double r[3])
{
  if (box_oblique(box)) {
    box_oblique_nearest(box, r);
    return;
  }
  for (int d = 0; d < 3; d++)
    if (box_length(box, d) != 0.0)
      r[d] -= box_length(box, d) * rint(r[d] / box_length(box, d));
}

/* r = x - y at the nearest image; returns its square. */
static inline double box_distance(const Box *box, const double x[3], const double y[3], double r[3])
{
  for (int d = 0; d < 3; d++)
    r[d] = x[d] - y[d];
  box_nearest(box, r);
  return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

/* Shift = the whole edges that bring x into the box, to fractions of 0 to 1 in the periodic directions.
 * Rounding may leave it an ulp outside, or at 1 itself. */
static inline void box_inside(const Box *box, const double x[3], double shift[3])
{
  if (box_oblique(box)) {
    box_oblique_inside(box, x, shift);
    return;
  }
  for (int d = 0; d < 3; d++)
    shift[d] = box_length(box, d) != 0.0 ? -box_length(box, d) * floor(x[d] / box_length(box, d)) : 0.0;
}

/* u = x in fractions of the edges; 0 along open ones. */
static inline void box_fractions(const Box *box, const double x[3], double u[3])
{
  for (int d = 0; d < 3; d++)
    u[d] = x[0] * box->inverse[0][d] + x[1] * box->inverse[1][d] + x[2] * box->inverse[2][d];
}

/* x = u in fractions. */
static inline void box_point(const Box *box, const double u[3], double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = u[0] * box->h[0][d] + u[1] * box->h[1][d] + u[2] * box->h[2][d];
}

/* The edges of now's lattice that are nearest to those of `before`, from which they differ by a moderate
 * strain; `now` may have been reduced by whole edges since. */
void box_follow(const Box *before, const Box *now, double edge[3][3]);

/* x' = x map brings what lies at fractions u of one box to the same fractions of the other: box_follow. */
void box_map(const Box *before, const Box *now, double map[3][3]);

/* A^3; 0 if any direction is open. */
double box_volume(const Box *box);

/* The distance between the two faces that edge d joins; of a brick its length. A plane through an atom and
 * those of its images along this edge are so far apart. */
double box_height(const Box *box, int edge);

/* The shortest vector from a point to an image of it, along which a brick's shortest length lies; 0 for a
 * cluster. Within half of it no point meets two images of another. */
double box_shortest(const Box *box);

/* Moves whole molecules x[nmol][nsite][3] so that the first site of each lies in the box: box_inside. */
void box_wrap(const Box *box, int nmol, int nsite, double *x);

/* STATUS_INPUT if a length is negative or not finite, or if the nearest image is not the only one to count
 * within `cutoff`, more than half of box_shortest. `what` names the cutoff in the message. */
Status box_check(const Box *box, double cutoff, const char *what, Error *error);

#endif
