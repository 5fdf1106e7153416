/* The periodic box of a system: edges a, b and c as rows of h, zero in open directions. A state owns its box.
 *
 * Edge a lies along x and b in the plane of x and y, as trajectory formats require: h is lower-triangular.
 * The box is reduced: |b_x| <= a_x/2, |c_x| <= a_x/2, |c_y| <= b_y/2, up to the rounding of files. Reduction
 * subtracts whole edges and leaves the lattice as it is. A box is rectangular (a brick) or oblique; oblique
 * boxes are periodic in all three directions. The diagonal of h contains the lengths of a brick; for any box,
 * the least distances between images along x, y and z (box_length). */
#ifndef HOLONOM_ENGINE_BOX_H
#define HOLONOM_ENGINE_BOX_H

#include <math.h>

#include "base/status.h"

typedef struct Box {
  double h[3][3];       /* edges a, b, c, angstrom; a row of zeros: open in this direction */
  double inverse[3][3]; /* of h: u = x inverse are fractions; zeros in open directions         */
} Box;

/* A box with edges along x, y and z; 0: open. */
static inline Box box_brick(double x, double y, double z)
{
  return (Box){
      {{x}, {0.0, y}, {0.0, 0.0, z}},
      {{x != 0.0 ? 1.0 / x : 0.0}, {0.0, y != 0.0 ? 1.0 / y : 0.0}, {0.0, 0.0, z != 0.0 ? 1.0 / z : 0.0}}};
}

/* Shapes whose images are equally far from all nearest ones, in GROMACS's orientation: truncated octahedron,
 * and rhombic dodecahedron with its square in the plane of x and y. They need less water around a solute than
 * a cube does. */
typedef enum BoxShape { BOX_CUBIC, BOX_OCTAHEDRON, BOX_DODECAHEDRON } BoxShape;

/* The box with this distance between images, the edge of a cube. */
Box box_of_shape(BoxShape shape, double length);

/* The box of this volume. */
Box box_of_volume(BoxShape shape, double volume);

/* Sets the box with these edges as rows, reduced. Components left by other programs' cosines of 90 degrees
 * become 0. Errors, which leave *box as it was: STATUS_INPUT (a not along x; b not in the plane of x and y;
 * an oblique box that is open in a direction or too flat). */
Status box_set(Box *box, const double edge[3][3], Error *error);

/* The component of an edge along its own axis, the length of a brick; 0: open. */
static inline double box_length(const Box *box, int edge) { return box->h[edge][edge]; }

/* The full length of an edge. */
static inline double box_edge(const Box *box, int edge)
{
  const double *const h = box->h[edge];
  return sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
}

/* 1 if the box is oblique. */
static inline int box_oblique(const Box *box)
{
  return box->h[1][0] != 0.0 || box->h[2][0] != 0.0 || box->h[2][1] != 0.0;
}

/* 1 if any direction is periodic. */
static inline int box_periodic(const Box *box)
{
  return box_length(box, 0) != 0.0 || box_length(box, 1) != 0.0 || box_length(box, 2) != 0.0;
}

/* 1 if all edges are equal to the bit. */
int box_same(const Box *a, const Box *b);

/* 1 if the lattices are equal up to this fraction of an edge. */
int box_alike(const Box *a, const Box *b, double tolerance);

enum { BOX_WORDS = 160 };

/* Writes "20 x 21 x 22 A" or, for an oblique box, "(20, 0, 0), (4, 20, 0), (1, 2, 20) A" with this many
 * digits to words[BOX_WORDS]; returns words. */
const char *box_words(const Box *box, int digits, char words[BOX_WORDS]);

/* box_nearest and box_inside for oblique boxes. */
void box_oblique_nearest(const Box *box, double r[3]);
void box_oblique_inside(const Box *box, const double x[3], double shift[3]);

/* Subtracts whole edges from r, which becomes the nearest image from any distance; in a brick, each component
 * is then within half a length. -r gives exactly the opposite vector. */
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

/* Computes r = x - y at the nearest image; returns its square. */
static inline double box_distance(const Box *box, const double x[3], const double y[3], double r[3])
{
  for (int d = 0; d < 3; d++)
    r[d] = x[d] - y[d];
  box_nearest(box, r);
  return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

/* The whole edges that move x into the box, where fractions are 0 to 1 in periodic directions. Rounding may
 * leave it an ulp outside, or at 1. */
static inline void box_inside(const Box *box, const double x[3], double shift[3])
{
  if (box_oblique(box)) {
    box_oblique_inside(box, x, shift);
    return;
  }
  for (int d = 0; d < 3; d++)
    shift[d] = box_length(box, d) != 0.0 ? -box_length(box, d) * floor(x[d] / box_length(box, d)) : 0.0;
}

/* Computes u, x in fractions of the edges; 0 in open directions. */
static inline void box_fractions(const Box *box, const double x[3], double u[3])
{
  for (int d = 0; d < 3; d++)
    u[d] = x[0] * box->inverse[0][d] + x[1] * box->inverse[1][d] + x[2] * box->inverse[2][d];
}

/* Computes x from the fractions u. */
static inline void box_point(const Box *box, const double u[3], double x[3])
{
  for (int d = 0; d < 3; d++)
    x[d] = u[0] * box->h[0][d] + u[1] * box->h[1][d] + u[2] * box->h[2][d];
}

/* Computes the edges of now's lattice nearest to those of `before`, from which they differ by a moderate
 * strain; `now` may have been reduced since. */
void box_follow(const Box *before, const Box *now, double edge[3][3]);

/* Computes the map x' = x map that moves each point of one box to the same fractions of the other
 * (box_follow). */
void box_map(const Box *before, const Box *now, double map[3][3]);

/* A^3; 0 if any direction is open. */
double box_volume(const Box *box);

/* The distance between the two faces that edge d joins; the length of a brick. */
double box_height(const Box *box, int edge);

/* The shortest distance between a point and its images, 0 without a box. No point is within half of it of two
 * images of another. */
double box_shortest(const Box *box);

/* Moves whole molecules x[nmol][nsite][3] so that the first site of each lies in the box (box_inside). */
void box_wrap(const Box *box, int nmol, int nsite, double *x);

/* Checks that nearest images suffice up to `cutoff`. `what` names the cutoff in the message. Errors:
 * STATUS_INPUT (a length that is negative or not finite; a cutoff above half of box_shortest). */
Status box_check(const Box *box, double cutoff, const char *what, Error *error);

#endif
