/* Detects molecules that leave an open cluster, so that a run can report them and continue. */
#ifndef HOLONOM_OBSERVABLES_EVAPORATION_H
#define HOLONOM_OBSERVABLES_EVAPORATION_H

#include <stdint.h>

#include "integrators/sample.h"

/* A molecule has left if all atoms of other molecules are farther than this from its own, A. Molecules of up
 * to three atoms, such as water, are measured by their first atoms. */
#define EVAPORATION_DISTANCE 8.0

typedef struct EvaporationEvent {
  int64_t step;    /* -1: none has left */
  int molecule;    /* the first that left, from 0 */
  double distance; /* to its nearest neighbour at that step, A */
} EvaporationEvent;

/* Checks replica lane r; sets *event if a molecule has left. */
void evaporation_find(const Topology *topology, const Sample *sample, int r, EvaporationEvent *event);

#endif
