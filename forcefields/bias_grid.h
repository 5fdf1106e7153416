/* The bias of metadynamics: hills on a grid over one or two coordinates, shared by all replicas.
 *
 * A hill at s0 is h exp(-sum over coordinates of (s - s0)^2 / (2 width^2)), with the height of well-tempered
 * metadynamics, h = height exp(-V(s0) / (kT (factor - 1))) (A. Barducci, G. Bussi and M. Parrinello, Phys.
 * Rev. Lett. 100, 020603 (2008)). It ends at BIAS_GRID_REACH widths, where it is below 2e-8 of its height;
 * along a periodic coordinate all images within that distance count.
 *
 * Grid points are at most a fifth of a width apart. They store the sums of the hills and of their first and
 * mixed derivatives. Between them V is the cubic (bicubic) Hermite interpolant, which is within 2e-5 of a
 * hill's height and has continuous slopes; forces are its exact gradient.
 *
 * A periodic coordinate has a grid for the whole turn. Others have a grid from `low` to `high`. Beyond an
 * edge V keeps its value at the edge and has no slope, and no hill is added there (the rule of F. Baftizadeh,
 * P. Cossio, F. Pietrucci and A. Laio, Curr. Phys. Chem. 2, 79 (2012)), so walkers are free outside, and V
 * is known there. */
#ifndef HOLONOM_FORCEFIELDS_BIAS_GRID_H
#define HOLONOM_FORCEFIELDS_BIAS_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"

enum { BIAS_GRID_AXES = 2, BIAS_GRID_REACH = 6, BIAS_GRID_POINTS = 4000000 /* the most of a grid */ };

typedef struct BiasGridAxis {
  double low, high; /* A or radians, or a number; of a periodic coordinate the whole period */
  bool periodic;
  double width; /* standard deviation of a hill */
} BiasGridAxis;

typedef struct BiasGridOptions {
  int n; /* axes */
  BiasGridAxis axis[BIAS_GRID_AXES];
  double height; /* of the first hill, kcal/mol */
  double kT;     /* kcal/mol */
  double factor; /* (T + dT)/T of well-tempered metadynamics, > 1 */
} BiasGridOptions;

typedef struct BiasGrid BiasGrid;

/* Makes a grid without hills. Errors: STATUS_INPUT (edges that do not rise, a width, height or factor that is
 * not allowed, too many points), STATUS_MEMORY. */
Status bias_grid_create(BiasGrid **grid, const BiasGridOptions *options, Error *error);
void bias_grid_free(BiasGrid *grid); /* may be NULL */

void bias_grid_clear(BiasGrid *grid); /* removes all hills */

const BiasGridOptions *bias_grid_options(const BiasGrid *grid);
int bias_grid_points(const BiasGrid *grid, int axis);
int64_t bias_grid_hills(const BiasGrid *grid);   /* added so far */
int64_t bias_grid_outside(const BiasGrid *grid); /* left out because they were beyond an edge */

/* Whether x[n] is within the edges. */
bool bias_grid_inside(const BiasGrid *grid, const double *x);

/* V(x), kcal/mol; adds its gradient to slope[n] unless it is NULL. */
double bias_grid_energy(const BiasGrid *grid, const double *x, double *slope);

/* Adds a hill at x[n], or counts it as outside. Call bias_grid_update after the last of several hills. */
void bias_grid_add(BiasGrid *grid, const double *x);

/* Computes the reversible work c done on the system so far, kcal/mol (P. Tiwary and M. Parrinello, J. Phys.
 * Chem. B 119, 736 (2015)): exp(c/kT) is the integral over the grid of exp(factor V / (kT (factor - 1)))
 * over that of exp(V / (kT (factor - 1))). A sample has the weight exp((V - c)/kT). */
void bias_grid_update(BiasGrid *grid);
double bias_grid_work(const BiasGrid *grid);

/* Lists the data that hills change. */
void bias_grid_chunks(BiasGrid *grid, ChunkList *list);

#endif
