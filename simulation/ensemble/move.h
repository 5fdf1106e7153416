/* What acts on an ensemble between steps: exchanges of temperatures, moves of boxes.
 *
 * A move is made at multiples of its stride (not at 0), after all that is measured at that step and before
 * the next step is taken. A simulation may have several, which are made in the order in which they were
 * added. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_MOVE_H
#define HOLONOM_SIMULATION_ENSEMBLE_MOVE_H

#include "simulation/ensemble/ensemble.h"

enum { MOVES_MAX = 2 };

typedef struct Move {
  void *self;
  int64_t every; /* steps */
  int64_t last;  /* the step after which it is made no more; 0: there is none */
  /* Takes the energies of a batch that has come to such a step: a Sampler's. */
  Status (*sample)(void *self, int batch, const Sample *sample, Error *error);
  /* Positions were set by hand: what was sampled holds no more. */
  void (*forget)(void *self);
  /* The move, in a part of the ensemble or in all of it, if its step is such a step. */
  Status (*make)(void *self, Ensemble *group, Error *error);
  /* Lists all that changes but what is the ensemble's. */
  void (*chunks)(void *self, ChunkList *list);
  /* Whether parts of the ensemble that step and move by themselves may begin with this batch
   * (EnsembleGroups), and the next step after which the move must be made in all of it at once. NULL: it
   * always must. */
  bool (*begins)(const void *self, int batch);
  int64_t (*together)(const void *self, int64_t step);
} Move;

#endif
