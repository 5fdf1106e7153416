/* The method "kinematic-search" of the robot arm, which plans take by pointer, and its settings
 * (PlanOptions.own): what they mean is in kinematic_search.c. */
#ifndef HOLONOM_CONFIG_KINEMATIC_SEARCH_H
#define HOLONOM_CONFIG_KINEMATIC_SEARCH_H

#include "integrators/method.h"

typedef struct SearchOptions {
  int trials;                    /* a step                                                         */
  double amplitude;              /* standard deviation of a step's first trial, in each coordinate */
  double velocity, acceleration; /* weights of squared angular velocities and accelerations        */
} SearchOptions;

extern const Method method_kinematic_search;

#endif
