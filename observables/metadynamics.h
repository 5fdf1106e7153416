/* Free energies from metadynamics, in bins along one or two coordinates. Samples of all walkers have the
 * weights exp((V(s, t) - c(t))/kT) of the bias at their time (forcefields/bias_grid.h). A second estimate is
 * that of the bias itself, -factor/(factor - 1) V. */
#ifndef HOLONOM_OBSERVABLES_METADYNAMICS_H
#define HOLONOM_OBSERVABLES_METADYNAMICS_H

#include "forcefields/bias_grid.h"
#include "integrators/sample.h"
#include "topology/coordinate_sites.h"

typedef struct MetadynamicsBias {
  const char *name; /* of the record in the input */
  int n;            /* coordinates */
  const char *coordinate[BIAS_GRID_AXES];
  CoordinateSites on[BIAS_GRID_AXES];
  BiasGrid *grid;
  int64_t every; /* steps between hills of each walker */
  int others;    /* harmonic biases and walls, whose effect remains in free energies */
} MetadynamicsBias;

/* The memory for values; and the coordinates of eight replicas of a sample from lane `first` on (width 1: of
 * its replica), value[n][LANES], A or radians. */
size_t metadynamics_memory(const MetadynamicsBias *bias);
void metadynamics_values(const MetadynamicsBias *bias, const Topology *topology, const Sample *sample,
                         int first, Vec8 *scratch, double *value);

#endif
