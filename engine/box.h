/* The periodic box of a system: its edges a, b and c as rows of nine numbers, zero where the system is open.
 * A state owns its box; whoever works in it holds a pointer or asks.
 *
 * Edge a lies along x and b in the plane of x and y, as trajectory formats want them: h is lower-triangular.
 * Bricks alone can be made so far (box_set), which the functions below and kernels that are handed the three
 * lengths rely on; vectors and fractions are taken by whole rows. */
#ifndef HOLONOM_ENGINE_BOX_H
#define HOLONOM_ENGINE_BOX_H

#include <math.h>

#include "engine/status.h"

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

/* The box with these edges as rows. Errors: STATUS_INPUT (no brick with edges along x, y and z, up to what
 * other programs' cosines of 90 degrees leave); *box is as it was then. */
Status box_set(Box *box, const double edge[3][3], Error *error);

/* The length of an edge; 0: open. */
static inline double box_length(const Box *box, int edge) { return box->h[edge][edge]; }

/* 1 if any direction is periodic. */
static inline int box_periodic(const Box *box)
{
  return box_length(box, 0) != 0.0 || box_length(box, 1) != 0.0 || box_length(box, 2) != 0.0;
}

/* 1 if they are equal to the bit. */
int box_same(const Box *a, const Box *b);

/* r less whole edges: the nearest image, within half a length of each direction. The same vector with the
 * other sign for -r. */
static inline void box_nearest(const Box *box, double r[3])
{
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

/* Shift = the whole edges that bring x into the box, 0 to a length in the periodic directions. Rounding may
 * leave it an ulp outside, or at the length itself. */
static inline void box_inside(const Box *box, const double x[3], double shift[3])
{
  for (int d = 0; d < 3; d++)
    shift[d] = box_length(box, d) != 0.0 ? -box_length(box, d) * floor(x[d] / box_length(box, d)) : 0.0;
}

/* A^3; 0 if any direction is open. */
double box_volume(const Box *box);

/* The shortest length of a periodic direction; 0 for a cluster. */
double box_shortest(const Box *box);

/* Moves whole molecules x[nmol][nsite][3] so that the first site of each lies in the box: box_inside. */
void box_wrap(const Box *box, int nmol, int nsite, double *x);

/* STATUS_INPUT if a length is negative or not finite, or if a periodic one is shorter than twice `cutoff`,
 * beyond which the nearest image is not the only one to count. `what` names the cutoff in the message. */
Status box_check(const Box *box, double cutoff, const char *what, Error *error);

#endif
