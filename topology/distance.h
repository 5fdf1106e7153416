/* A distance that is requested for two sites of a group, or a site's place in a line, and what becomes of it.
 */
#ifndef HOLONOM_TOPOLOGY_DISTANCE_H
#define HOLONOM_TOPOLOGY_DISTANCE_H

#include <stdbool.h>

#include "base/status.h"
#include "engine/constraint.h"

/* |x_1 - x_0| = length; or, with an axis, the component of x_0 - (1 - share) x_1 - share x_2 along it is 0,
 * where another row keeps sites 1 and 2 `length` apart. */
typedef struct Distance {
  int site[3];
  double length;
  int axis; /* 0: a distance; 1 to 3: x to z */
  double share;
} Distance;

typedef enum DistanceFate {
  DISTANCE_KEPT,
  DISTANCE_REDUNDANT,  /* depends on the constraints, at any configuration */
  DISTANCE_STRAIGHT,   /* its sites are constrained to a line */
  DISTANCE_DEGENERATE, /* within 0.2 % of the largest or smallest value that the others allow, with the sites
                          in a plane: its gradient is dependent there */
  DISTANCE_EXTREME,    /* likewise, not in a plane */
  DISTANCE_REFUSED     /* the constraints do not allow it */
} DistanceFate;

/* The smallest singular value of independent distances, whose rows have unit length. */
#define DISTANCES_LEAST 1e-4

/* The distance as a constraint of a kind. */
Constraint distance_constraint(const Distance *distance);

double distance_length(const Distance *distance, const double (*x)[3]);

/* Whether two sites of a distance coincide or are not finite; then *worst is that distance. */
bool distance_collapsed(int n, const Distance *distance, const double (*x)[3], int *worst);

#endif
