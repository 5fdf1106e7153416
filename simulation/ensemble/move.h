/* Moves between steps: exchanges of temperatures, changes of boxes, of the thermostat's temperature.
 *
 * A move is made at multiples of its stride (except 0), after all measurements at that step and before the
 * next step. Several moves are made in the order in which they were added. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_MOVE_H
#define HOLONOM_SIMULATION_ENSEMBLE_MOVE_H

#include "simulation/ensemble/ensemble.h"

enum { MOVES_MAX = 3 };

typedef struct Move {
  void *self;
  int64_t every; /* steps */
  int64_t last;  /* step of the last move; 0: no last one */
  /* Stores the energies of a batch at such a step, as a Sampler. NULL: the move needs no energies. */
  Status (*sample)(void *self, int batch, const Sample *sample, Error *error);
  /* Invalidates the stored energies after positions were set. NULL: it stores no energies. */
  void (*forget)(void *self);
  /* For moves that need messages between processes: returns to all processes the error of any that failed in
   * an earlier move (own: this one's status), so that none waits for it in `make`. NULL: no messages. */
  Status (*agree)(void *self, const Ensemble *group, Status own, Error *error);
  /* Makes the move, in a part of the ensemble or all of it, if it is due at the present step. */
  Status (*make)(void *self, Ensemble *group, Error *error);
  /* Lists its chunks. NULL: it has none. */
  void (*chunks)(void *self, ChunkList *list);
  /* Whether independently moving parts of the ensemble may begin with this batch (EnsembleGroups), NULL: they
   * may not; and the next step at which the move needs the whole ensemble, or all processes, NULL: none. */
  bool (*begins)(const void *self, int batch);
  int64_t (*together)(const void *self, int64_t step);
} Move;

#endif
