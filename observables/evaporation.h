/* Molecules that leave an open cluster: a run keeps going, but must say so. */
#ifndef HOLONOM_OBSERVABLES_EVAPORATION_H
#define HOLONOM_OBSERVABLES_EVAPORATION_H

#include <stdint.h>

#include "integrators/sample.h"

/* A molecule has left when no atom of another is within this distance of one of its own, A; of molecules of
 * up to three atoms, such as water, only first atoms are measured. */
#define EVAPORATION_DISTANCE 8.0

typedef struct EvaporationEvent {
  int64_t step;    /* -1: none left so far                  */
  int molecule;    /* the first that left, from 0           */
  double distance; /* to its nearest neighbour then, A      */
} EvaporationEvent;

/* Looks at replica lane r; fills *event if a molecule has left. */
void evaporation_find(const Topology *topology, const Sample *sample, int r, EvaporationEvent *event);

#endif
