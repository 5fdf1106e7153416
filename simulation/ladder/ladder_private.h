/* The struct of a ladder, for its source files. */
#ifndef HOLONOM_SIMULATION_LADDER_LADDER_PRIVATE_H
#define HOLONOM_SIMULATION_LADDER_LADDER_PRIVATE_H

#include "base/arena.h"
#include "simulation/ladder/ladder.h"

/* The end of the ladder that a replica visited last. */
enum { END_NONE = 0, END_LOWEST = 1, END_HIGHEST = -1 };

typedef struct LadderReplica {
  int32_t temperature;
  int32_t end;
  int64_t trips;
  int64_t known;                     /* step of the energies; -1: unknown */
  double energy, potential, kinetic; /* energy: U, potential energy and penalties */
} LadderReplica;

/* Statistics of a slot; all except `round` begin after equilibration. */
typedef struct LadderCell {
  StatisticsMoments potential, kinetic;
  StatisticsMoments chance; /* probability of an exchange with the next temperature */
  int64_t exchanges, up, down;
  StatisticsMoments round; /* U since the last tuning, during equilibration */
} LadderCell;

struct Ladder {
  LadderOptions options;
  Ensemble *ensemble;
  int count;    /* replicas on ladders */
  bool thermal; /* a force depends on kT or on parameters of the states */
  bool states;  /* states differ in parameters or pressures: reduced energies replace histograms */
  double kT[LADDER_TEMPERATURES];
  LadderReplica *replica; /* [replicas of the ensemble] */
  LadderCell *cell;       /* [count] by slot */
  int nhistogram;
  EnergyHistogram **histogram; /* [nhistogram] */
  double *volume;              /* [replicas] A^3, at the step of the energies; NULL: constant volume */
  double *shift;   /* [replicas][n] energy in each state minus that in its own; NULL: no parameters */
  double *slope;   /* [replicas][parameters] dU/dparameter at the last energies; NULL: not requested */
  double *reduced; /* [count][columns of reduced energies] of a sample, by slot */
  ReducedEnergies **sample; /* [ladders] */
  StatisticsBlocks *time;   /* [n] potential by slot, for one ladder; NULL for more */
  int *holder;              /* [count] replica in each slot */
  double *momenta;          /* of one replica; of all with `redraw` */
  Arena arena;
};

#endif
