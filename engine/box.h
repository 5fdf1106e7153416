/* The periodic box of a system: three lengths along x, y and z, each 0 where the system is open.
 *
 * A triclinic box would enter as a lower-triangular matrix in place of the three lengths (rows a = (ax, 0,
 * 0), b = (bx, by, 0), c = (cx, cy, cz)): volume is then the product of the diagonal, fractions come by
 * forward substitution, and box_nearest takes whole vectors, from c to a. Nothing else asks for the lengths'
 * meaning. */
#ifndef HOLONOM_ENGINE_BOX_H
#define HOLONOM_ENGINE_BOX_H

#include <math.h>

#include "engine/status.h"

typedef struct Box {
  double length[3]; /* angstrom; 0: open in this direction. All zero: a cluster */
} Box;

/* 1 if any direction is periodic. */
static inline int box_periodic(const Box *box)
{
  return box->length[0] != 0.0 || box->length[1] != 0.0 || box->length[2] != 0.0;
}

/* The component `gap` of a distance along one direction, taken to the nearest image: within half a length.
 * The same value with the other sign for -gap. */
static inline double box_nearest(double gap, double length)
{
  return length != 0.0 ? gap - length * rint(gap / length) : gap;
}

/* r = x - y at the nearest image; returns its square. */
static inline double box_distance(const Box *box, const double x[3], const double y[3], double r[3])
{
  for (int d = 0; d < 3; d++)
    r[d] = box_nearest(x[d] - y[d], box->length[d]);
  return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

/* Product of the lengths, A^3; 0 if any direction is open. */
double box_volume(const Box *box);

/* The shortest length of a periodic direction; 0 for a cluster. */
double box_shortest(const Box *box);

/* Moves whole molecules x[nmol][nsite][3] by multiples of the lengths so that the first site of each lies in
 * the box, 0 to length in the periodic directions. Rounding may leave it an ulp outside, or at the length
 * itself. */
void box_wrap(const Box *box, int nmol, int nsite, double *x);

/* STATUS_INPUT if a length is negative or not finite, or if a periodic one is shorter than twice `cutoff`,
 * beyond which the nearest image is not the only one to count. `what` names the cutoff in the message. */
Status box_check(const Box *box, double cutoff, const char *what, Error *error);

#endif
