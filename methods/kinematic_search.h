/* The settings of the method "kinematic-search" (PlanOptions.own), explained in kinematic_search.c. */
#ifndef HOLONOM_METHODS_KINEMATIC_SEARCH_H
#define HOLONOM_METHODS_KINEMATIC_SEARCH_H

typedef struct SearchOptions {
  int trials;                    /* per step                                                       */
  double amplitude;              /* standard deviation of a step's first trial, in each coordinate */
  double velocity, acceleration; /* weights of squared angular velocities and accelerations        */
} SearchOptions;

#endif
