/* Has a run forgotten its start, and do its replicas (chains) sample the same? */
#ifndef HOLONOM_OBSERVABLES_CONVERGENCE_H
#define HOLONOM_OBSERVABLES_CONVERGENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Where a series is best cut (Chodera, J. Chem. Theory Comput. 12, 1799 (2016)): the start that leaves the
 * most independent samples, since what is far from equilibrium makes all that follows look correlated. */
typedef struct ConvergenceStart {
  int64_t start;       /* samples to leave out                     */
  double inefficiency; /* samples to an independent one after it   */
  double effective;    /* independent samples after it             */
  double whole;        /* of the whole series, by the same rule    */
} ConvergenceStart;

/* At most 100 starts are tried, up to half of the series. Of a constant or empty one nothing is left out. */
ConvergenceStart convergence_start(const double *x, int64_t n);

typedef struct ConvergenceChains {
  double rhat; /* 1: as if all were one; NaN: fewer than 4 draws, or 2 halves */
  bool frozen; /* each chain stays in a part of its own                       */
} ConvergenceChains;

/* Of x[chains][draws], which may be means of equal stretches. R-hat: rank-normalised, of halves of chains,
 * the larger of that of the values and of their distances from the median (Vehtari et al., Bayesian Anal. 16,
 * 667 (2021)). It is large, too, where chains are short for their correlation, and then so are the
 * differences between the halves of one. Frozen is what differs from chain to chain and not from half to
 * half: the two halves of a chain, of halves of any, are correlated by more than 0.8, at VERDICT_LEVEL_ALARM
 * (an F test of chains of two halves), and R-hat is above CONVERGENCE_FROZEN. STATUS_MEMORY. */
Status convergence_chains(const double *x, int chains, int draws, ConvergenceChains *result, Error *error);

/* Where chains are called slow; where they may be frozen: their differences are much of all that varies. */
#define CONVERGENCE_SLOW   1.05
#define CONVERGENCE_FROZEN 1.2

/* "mixed", "slow", "frozen"; "unknown" of NaN. */
const char *convergence_word(const ConvergenceChains *chains);

#endif
