/* Averages at any temperature of a ladder, by MBAR over histograms of energies, with errors: energy, heat
 * capacity and its peak, free energy. Of other observables: energy_columns.h. */
#ifndef HOLONOM_OBSERVABLES_MBAR_ESTIMATES_H
#define HOLONOM_OBSERVABLES_MBAR_ESTIMATES_H

#include <stdbool.h>
#include <stdio.h>

#include "observables/convergence.h"
#include "observables/mbar.h"
#include "results/results.h"

/* Where errors are from: leaving out one independent ladder after the other (jackknife), or drawing blocks of
 * time anew (bootstrap; Philox by address, so that the same samples have the same errors), as long as the
 * slowest temperature's correlation asks for. Ladders count what blocks cannot see: that each one stays in a
 * part of its own. */
typedef enum MbarErrors { MBAR_ERRORS_CHOOSE, MBAR_ERRORS_LADDERS, MBAR_ERRORS_BLOCKS } MbarErrors;

enum { MBAR_ESTIMATES_LADDERS = 4, MBAR_ESTIMATES_RESAMPLES = 200 }; /* from so many ladders on: of these */

typedef struct MbarRequest {
  EnergyHistogram *const *ladder; /* [ladders], all with the same options   */
  int ladders;
  const double *temperature; /* of the ladder, K, rising               */
  double boltzmann;          /* kcal/mol/K                             */
  const double *at;          /* [points] K, rising, within the ladder  */
  int points;
  double freedom;    /* of kinetic energy, for the whole heat capacity */
  MbarErrors errors; /* MBAR_ERRORS_CHOOSE: of ladders where there are MBAR_ESTIMATES_LADDERS */
  int resamples;     /* 0: MBAR_ESTIMATES_RESAMPLES */
} MbarRequest;

/* Numbers with their standard errors (NaN: none). */
typedef struct MbarNumbers {
  double *value, *error;
} MbarNumbers;

typedef struct MbarEstimates {
  int points, temperatures, ladders;
  MbarNumbers energy; /* [points] potential, kcal/mol                                    */
  MbarNumbers heat;   /* [points] with the kinetic part freedom k/2, kcal/mol/K           */
  MbarNumbers free;   /* [points] reduced free energy -ln Z of configurations, 0 at the lowest temperature */
  MbarNumbers peak; /* [3] of the heat capacity: K, kcal/mol/K, and by how much it stands above the less deep
                     * side; NaN where it has no maximum inside */
  MbarNumbers misfit; /* [temperatures] mean energy of a temperature's own samples, less MBAR's */
  MbarNumbers scale; /* [1] factor on all temperatures of the ladder at which the energies fit best; 1 but for
                      * its error where every temperature has its canonical distribution */
  int64_t odd;       /* energies left out: no numbers, or beyond 1e9                       */
  double *effective; /* [points] samples that weigh                                       */
  MbarErrors errors; /* where they are from                                               */
  int draws;         /* ladders or blocks                                                 */
  int plateau;   /* 0: of blocks too short for their correlation, or some resamples failed: lower bounds */
  int failed;    /* resamples that gave nothing                                             */
  char why[200]; /* what the first of them lacked                                           */
  double inefficiency;      /* samples to an independent one, of the slowest temperature          */
  ConvergenceChains chains; /* ladders, by the worst temperature's energies */
  double consistent; /* chance of misfits and a scale as far off, if every temperature has its canonical
                      * distribution, of all these tests together (verdict.h); NaN: too few draws         */
  MbarOverlap overlap;
} MbarEstimates;

/* STATUS_INPUT (no sample, points outside of the ladder, temperatures that do not overlap), STATUS_RUN (no
 * convergence), STATUS_MEMORY. */
Status mbar_estimates_create(MbarEstimates **estimates, const MbarRequest *request, Error *error);
void mbar_estimates_free(MbarEstimates *estimates);

/* Whether the maximum of the heat capacity inside stands above both sides by more than chance (verdict.h). */
typedef enum MbarPeak {
  MBAR_PEAK_NONE,
  MBAR_PEAK_UNTESTED, /* there is one, and too few draws to say */
  MBAR_PEAK_SHOWN
} MbarPeak;
MbarPeak mbar_estimates_peak(const MbarEstimates *estimates);

/* The table "heat_capacity": a row for each point, and what can be said of it. NULL: no memory. */
const ResultTable *mbar_estimates_table(const MbarEstimates *estimates, const MbarRequest *request,
                                        int molecules, ResultSet *set);

#endif
