#include "topology/distance.h"

#include <math.h>

Constraint distance_constraint(const Distance *d)
{
  if (d->axis == 0)
    return (Constraint){
        .type = &constraint_distance, .nsite = 2, .site = {d->site[0], d->site[1]}, .param = {d->length}};
  return (Constraint){.type = &constraint_straight,
                      .nsite = 3,
                      .site = {d->site[0], d->site[1], d->site[2]},
                      .param = {d->length, d->share, d->axis - 1}};
}

bool distance_collapsed(int n, const Distance *distance, const double (*x)[3], int *worst)
{
  for (*worst = 0; *worst < n; (*worst)++)
    if (distance[*worst].axis == 0 && !(distance_length(&distance[*worst], x) > 1e-3))
      return true;
  return false;
}

double distance_length(const Distance *d, const double (*x)[3])
{
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    const double along = x[d->site[1]][k] - x[d->site[0]][k];
    sum += along * along;
  }
  return sqrt(sum);
}
