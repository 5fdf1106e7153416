/* Averages at any temperature of a ladder, with errors, by MBAR over histograms of energies: energy, heat
 * capacity and its peak, volume, free energy. energy_columns.h has averages of other observables. */
#ifndef HOLONOM_OBSERVABLES_MBAR_ESTIMATES_H
#define HOLONOM_OBSERVABLES_MBAR_ESTIMATES_H

#include <stdbool.h>
#include <stdio.h>

#include "observables/convergence.h"
#include "observables/mbar.h"
#include "results/results.h"

/* The method for errors: LADDERS leaves out one independent ladder after the other (jackknife). BLOCKS
 * resamples blocks of time (bootstrap; Philox by address, so equal samples have equal errors), as long as the
 * correlation of the slowest temperature requires. Errors from ladders include differences between ladders
 * that are stuck in different regions. */
typedef enum MbarErrors { MBAR_ERRORS_CHOOSE, MBAR_ERRORS_LADDERS, MBAR_ERRORS_BLOCKS } MbarErrors;

enum {
  MBAR_ESTIMATES_LADDERS = 4,
  MBAR_ESTIMATES_RESAMPLES = 200
}; /* least number of ladders for LADDERS; number of resamples */

typedef struct MbarRequest {
  EnergyHistogram *const *ladder; /* [ladders] with equal options */
  int ladders;
  const double *temperature; /* of the ladder, K, rising               */
  double boltzmann;          /* kcal/mol/K                             */
  const double *at;          /* [points] K, rising, within the ladder  */
  int points;
  double freedom;    /* degrees of freedom of the kinetic energy, for the whole heat capacity */
  MbarErrors errors; /* MBAR_ERRORS_CHOOSE: LADDERS from MBAR_ESTIMATES_LADDERS ladders on */
  int resamples;     /* 0: MBAR_ESTIMATES_RESAMPLES */
} MbarRequest;

/* Values and standard errors (NaN: unknown). */
typedef struct MbarNumbers {
  double *value, *error;
} MbarNumbers;

typedef struct MbarEstimates {
  int points, temperatures, ladders;
  bool volumes;       /* samples are of constant pressure */
  MbarNumbers energy; /* [points] potential energy; at constant pressure U + P V, kcal/mol */
  MbarNumbers heat;   /* [points] with the kinetic part freedom k/2, kcal/mol/K           */
  MbarNumbers volume; /* [points] A^3; 0: samples have no volume */
  MbarNumbers free;   /* [points] reduced free energy -ln Z of configurations, 0 at the lowest temperature */
  MbarNumbers peak;   /* [3] of the heat capacity: K, kcal/mol/K, and height above the higher of the minima on
                         both sides; NaN without a maximum inside */
  MbarNumbers misfit; /* [temperatures] mean energy of a temperature's own samples minus MBAR's */
  MbarNumbers scale;  /* [1] factor on all temperatures of the ladder at which the energies fit best; 1 within
                         its error if every temperature has its canonical distribution */
  int64_t odd;        /* energies left out: NaN, or beyond 1e9 */
  double *effective;  /* [points] effective number of samples */
  MbarErrors errors;  /* method of the errors */
  int draws;          /* number of ladders or blocks */
  int plateau;   /* 0: blocks are too short for their correlation, or some resamples failed: errors are lower
                    bounds */
  int failed;    /* resamples without a result */
  char why[200]; /* error message of the first one */
  double inefficiency;      /* of the slowest temperature, in samples */
  ConvergenceChains chains; /* R-hat of ladders, by the energies of the worst temperature */
  double consistent; /* probability of misfits and a scale at least this large if every temperature has its
                        canonical distribution, of all these tests together (verdict.h); NaN: too few draws */
  MbarOverlap overlap;
} MbarEstimates;

/* Errors: STATUS_INPUT (no sample, points outside the ladder, temperatures that do not overlap), STATUS_RUN
 * (no convergence), STATUS_MEMORY. */
Status mbar_estimates_create(MbarEstimates **estimates, const MbarRequest *request, Error *error);
void mbar_estimates_free(MbarEstimates *estimates);

/* Whether the heat capacity has a maximum inside that is significantly higher than both sides (verdict.h). */
typedef enum MbarPeak {
  MBAR_PEAK_NONE,
  MBAR_PEAK_UNTESTED, /* a maximum, with too few draws for a test */
  MBAR_PEAK_SHOWN
} MbarPeak;
MbarPeak mbar_estimates_peak(const MbarEstimates *estimates);

/* Adds the table "heat_capacity" with a row for each point, and remarks. NULL: no memory. */
const ResultTable *mbar_estimates_table(const MbarEstimates *estimates, const MbarRequest *request,
                                        int molecules, ResultSet *set);

#endif
