/* The schedule of the input: sets the temperature of the thermostat and the pressure of the barostat between
 * steps, for each replica. Both are functions of the step alone, so a run may be cut and shared out anywhere.
 */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_SCHEDULE_H
#define HOLONOM_SIMULATION_ENSEMBLE_SCHEDULE_H

#include "config/config.h"
#include "simulation/ensemble/barostat.h"

typedef struct Schedule {
  const Config *config;
  Ensemble *ensemble;
  Barostat *barostat; /* NULL: none */
  double kT;          /* of the plan */
} Schedule;

/* Sets the values of step 0 in all replicas in memory. */
void schedule_begin(const Schedule *schedule);

/* The move, which precedes moves of the box at the same step. The schedule must outlive it. */
Move schedule_move(Schedule *schedule);

#endif
