/* A whole run: from an input file to a folder of results. */
#ifndef HOLONOM_SIMULATION_SIMULATION_H
#define HOLONOM_SIMULATION_SIMULATION_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "simulation/system.h"

typedef struct SimulationOptions {
  const char *dir;                   /* made if absent                                       */
  bool force;                        /* write over the results of an earlier run             */
  bool resume;                       /* go on with that run, from its checkpoint             */
  bool other_build;                  /* also if another build began it, with other last bits */
  const char *start;                 /* folder of a run whose built start is taken, or NULL  */
  FILE *out;                         /* progress and closing words; NULL: silent             */
  const volatile sig_atomic_t *stop; /* set by a signal: end cleanly, soon      */
} SimulationOptions;

/* The replicas of such a run, not started yet. */
Status simulation_ensemble(const System *system, Ensemble **ensemble, Error *error);

/* Runs and writes everything. Resumed, it goes on to the bit: what two runs leave, the second a resumption of
 * the first, is what one run as long as both leaves, but for the times that they took. An interrupted run is
 * STATUS_OK, its files say how far it came; one that goes wrong is STATUS_RUN, with everything up to there
 * written. */
Status simulation_run(const System *system, const SimulationOptions *options, Error *error);

/* All replicas of such an ensemble at their start with their first momenta, forces computed. */
Status simulation_start(const System *system, Ensemble *ensemble, const SystemStart *start, Error *error);

#endif
