/* Where wrapped fractions of a box are not the nearest image.
 *
 * Molecules are fractions of the box (list.h), and a difference of two, wrapped to [-1/2, 1/2] along each
 * edge, is the vector to one image: that within a radius, if it is at most half the least height of the box.
 * In a brick it always is the nearest. In other boxes a radius may be larger, up to half the shortest vector
 * of the lattice (a rhombic dodecahedron's is 1.41 times its least height); then, for the few differences
 * that can be within the radius when whole edges are taken off, this is tried (images_vec.h). Where none can,
 * and in bricks, there is nothing to try. */
#ifndef HOLONOM_FORCEFIELDS_IMAGES_H
#define HOLONOM_FORCEFIELDS_IMAGES_H

#include "engine/box.h"

enum { IMAGES_MAX = 48 };

/* Vectors, and their squares, one of each and its opposite. */
typedef struct Images {
  int n;
  double exact[IMAGES_MAX][4];
  float single[IMAGES_MAX][4]; /* the same in a unit of one's own */
} Images;

/* Those that a difference of fractions may need for the nearest image within `radius` (A); `unit`: of the
 * floats, A. Errors: STATUS_INPUT (too many: the box is too flat). */
Status images_find(Images *images, const Box *box, double radius, double unit, Error *error);

/* The square of the length of a vector whose fractions lie between low and high, or less. */
double images_least(const Box *box, const double low[3], const double high[3]);

#endif
