/* Molecules put down at random orientations, or on their rigid geometry. */
#ifndef HOLONOM_ENGINE_PLACE_H
#define HOLONOM_ENGINE_PLACE_H

#include "engine/kind.h"
#include "engine/random.h"

/* x[nsite][3] = the kind's reference geometry, turned by a uniform random rotation about its centre of mass,
 * which comes to `centre`. Takes four normals from the stream, whatever the kind. Three dimensions. */
void place_molecule(const Kind *kind, RandomStream *stream, const double centre[3], double *x);

/* A water at x[3][3] in its rigid geometry: oxygen, bisector and plane of the two bonds kept. Returns the
 * largest move of a coordinate, INFINITY where the bonds are on one line or a number is none: there is no
 * plane. */
double place_rigid(const Kind *kind, double *x);

#endif
