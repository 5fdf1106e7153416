/* Pulling: the centre of a harmonic bias moves from one value to another in equal stairs between steps, and
 * the work of the stairs is summed for every replica.
 *
 * The centre is a parameter of the Hamiltonian. A stair changes it at fixed positions, so its work is exactly
 * V(x; new centre) - V(x; old centre). If replicas begin in equilibrium, the equalities of Jarzynski (Phys.
 * Rev. Lett. 78, 2690 (1997)) and Crooks (Phys. Rev. E 61, 2361 (2000)) hold for stairs of any height.
 *
 * The first stair follows the measurements of step `begin`, the last one those of step begin + (stairs - 1)
 * every. So the measurements of step begin + n every have the centre and the work of n stairs. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_PULL_H
#define HOLONOM_SIMULATION_ENSEMBLE_PULL_H

#include "engine/parameters.h"
#include "simulation/ensemble/move.h"
#include "topology/coordinate_sites.h"

/* The most intervals of the path between the points at which the work of replicas is kept. Their number is
 * odd unless every stair is a point, so that the points of a path and of its reverse are the same. */
enum { PULL_POINTS = 99 };

typedef struct PullOptions {
  int parameter;                /* number of the centre */
  const Parameters *parameters; /* borrowed; the values of the centre change */
  const CoordinateSites *on;    /* the coordinate; borrowed */
  const double *end[2]; /* [replicas of the ensemble] first and last centre, in the unit of the parameter */
  int64_t begin, every; /* steps: of the first stair, a multiple of every; of a stair */
  int64_t stairs;
} PullOptions;

typedef struct Pull Pull;

/* Copies the ends. Errors: STATUS_MEMORY. */
Status pull_create(Pull **pull, const PullOptions *options, Ensemble *ensemble, Error *error);
void pull_free(Pull *pull); /* may be NULL */
const PullOptions *pull_options(const Pull *pull);

/* Sets the first centre and no work in all replicas. */
void pull_clear(Pull *pull);

/* The number of stairs in the measurements of a step, and the centre of a replica after a number of stairs.
 */
int64_t pull_stairs(const Pull *pull, int64_t step);
double pull_centre(const Pull *pull, int replica, int64_t stairs);

/* The work on a replica up to now, kcal/mol. */
double pull_work(const Pull *pull, int replica);

/* The points of the path, from 0, which are after pull_point(pull, i) stairs. At these, as far as they were
 * reached: the work[points + 1] on a replica, and the coordinate at the stair that led there (of point 0: at
 * the first stair), A or radians. */
int pull_points(const Pull *pull);
int64_t pull_point(const Pull *pull, int point);
const double *pull_works(const Pull *pull, int replica);
const double *pull_values(const Pull *pull, int replica);

/* The move, which follows all others. */
Move pull_move(Pull *pull);

#endif
