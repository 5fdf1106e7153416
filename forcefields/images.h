/* Nearest images in boxes that are not rectangular.
 *
 * The difference of two positions in fractions (list.h), wrapped to [-1/2, 1/2] along each edge, is the
 * vector to one image. In a rectangular box this image is the nearest. In other boxes it is the image
 * within a radius of at most half the least height. Larger radii, up to half the shortest lattice vector
 * (1.41 times the least height in a rhombic dodecahedron), need a search: images_vec.h tries the few
 * shifts by whole edges that can bring a difference within the radius. Rectangular boxes have no such
 * shifts. */
#ifndef HOLONOM_FORCEFIELDS_IMAGES_H
#define HOLONOM_FORCEFIELDS_IMAGES_H

#include "engine/box.h"

enum { IMAGES_MAX = 48 };

/* Shift vectors with their squares; one of each pair of opposites. */
typedef struct Images {
  int n;
  double exact[IMAGES_MAX][4];
  float single[IMAGES_MAX][4]; /* the same, in the unit of images_find */
} Images;

/* Finds the shifts that a wrapped difference may need for the nearest image within `radius` (A). `unit`: unit
 * of the floats, A. Errors: STATUS_INPUT (too many shifts: the box is too flat). */
Status images_find(Images *images, const Box *box, double radius, double unit, Error *error);

/* A lower bound of the squared length of a vector whose fractions lie between low and high. */
double images_least(const Box *box, const double low[3], const double high[3]);

#endif
