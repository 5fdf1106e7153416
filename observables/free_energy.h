/* Unbiased free energies along biased coordinates, from umbrella windows: replicas, or states of a ladder,
 * with biases of different constants at one temperature. The observable counts the values of one or two
 * coordinates in fine bins; MBAR over the bins (observables/umbrella.h) removes the biases. Errors are the
 * jackknife's over blocks of time of all windows together. */
#ifndef HOLONOM_OBSERVABLES_FREE_ENERGY_H
#define HOLONOM_OBSERVABLES_FREE_ENERGY_H

#include "forcefields/bias.h"
#include "observables/collective.h"

enum { FREE_ENERGY_COORDINATES = 2 };

/* The biases of a run, and the windows, which are different sets of their constants. */
typedef struct FreeEnergyList {
  int n; /* coordinates; 0: `why` */
  const Collective *on[FREE_ENERGY_COORDINATES];
  const char *why; /* why there is no profile; NULL: no reason */
  int nbias;
  const BiasInput *bias; /* [nbias] */
  const int *of;         /* [nbias] the coordinate that it acts on */
  int windows;
  const double
      *constant; /* [windows][nbias][BIAS_CONSTANTS] in the order of the first constant that varies */
  int slots;
  const int *window; /* [slots] of each replica, or of each slot of a ladder */
  /* The values that the run's parameters must keep; NULL: no parameters, or a ladder changes them. */
  const Parameters *parameters;
  bool exchange;     /* windows exchange replicas */
  const int *starts; /* number of different configurations from which replicas begin */
} FreeEnergyList;

#endif
