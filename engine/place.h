/* Places molecules at random orientations, or on their rigid geometry. */
#ifndef HOLONOM_ENGINE_PLACE_H
#define HOLONOM_ENGINE_PLACE_H

#include "engine/kind.h"
#include "engine/random.h"

/* Writes the kind's reference geometry to x[nsite][3], rotated uniformly at random about its centre of mass,
 * which moves to `centre`. Uses four normals of the stream for any kind. Three dimensions. */
void place_molecule(const Kind *kind, RandomStream *stream, const double centre[3], double *x);

/* Puts a water at x[3][3] on its rigid geometry; the oxygen, the bisector and the plane of the bonds stay.
 * Returns the largest move of a coordinate, or INFINITY if the bonds are collinear or a coordinate is NaN. */
double place_rigid(const Kind *kind, double *x);

#endif
