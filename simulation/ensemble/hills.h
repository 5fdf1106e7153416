/* The move of metadynamics: every so many steps each walker (replica) adds a hill at its coordinates to the
 * grid that all share, in the order of replicas, so that each hill's height knows the hills before it. Then
 * forces are computed anew. Hills depend only on positions, so neither on threads nor on how a run is split.
 * New hills raise the energies of all walkers. That is work done on them, which counts as heat, so the
 * conserved energy continues through it.
 *
 * The move follows all measurements of its step, which belong to the bias before it.
 *
 * Several processes have a grid each. They exchange the coordinates of their walkers and add the same hills
 * in the same order, so their grids are equal to the last bit. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_HILLS_H
#define HOLONOM_SIMULATION_ENSEMBLE_HILLS_H

#include "base/arena.h"
#include "observables/metadynamics.h"
#include "simulation/ensemble/move.h"

/* Messages between processes that have some of the walkers each. All zero: one process has all. */
typedef struct HillsShare {
  const void *self;
  /* Before the hills of a step: returns the error of any process to all (ranks_agree). */
  Status (*agree)(const void *self, Status own, int64_t step, Error *error);
  /* Sends an array with `size` bytes for each batch of all processes to all, each batch from its process. */
  void (*gather)(const void *self, void *data, size_t size);
} HillsShare;

typedef struct Hills {
  const MetadynamicsBias *bias;
  Ensemble *ensemble;
  int walkers;                           /* the first replicas; others only fill a batch */
  HillsShare share;                      /* set by a run of several processes */
  Vec8 *scratch;                         /* [metadynamics_memory] */
  double (*at)[BIAS_GRID_AXES], *before; /* [replicas]: coordinates, and their bias before new hills */
  Arena arena;
} Hills;

/* Makes the hills of an ensemble, which must outlive them. STATUS_MEMORY. */
Status hills_create(Hills *hills, const MetadynamicsBias *bias, Ensemble *ensemble, int walkers,
                    Error *error);
void hills_free(Hills *hills);

Move hills_move(Hills *hills);

#endif
