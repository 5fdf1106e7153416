/* Convergence of a run: where equilibration ends, and whether its replicas (chains) sample the same
 * distribution. */
#ifndef HOLONOM_OBSERVABLES_CONVERGENCE_H
#define HOLONOM_OBSERVABLES_CONVERGENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* The best end of equilibration (Chodera, J. Chem. Theory Comput. 12, 1799 (2016)): the start that leaves the
 * most independent samples. Samples far from equilibrium increase the apparent correlation of all that
 * follow. */
typedef struct ConvergenceStart {
  int64_t start;       /* number of samples to leave out */
  double inefficiency; /* statistical inefficiency after it */
  double effective;    /* independent samples after it             */
  double whole;        /* of the whole series, by the same rule */
} ConvergenceStart;

/* Tries up to 100 starts in the first half of the series. A constant or empty series starts at 0. */
ConvergenceStart convergence_start(const double *x, int64_t n);

typedef struct ConvergenceChains {
  double rhat; /* 1: the chains agree; NaN: fewer than 4 draws or 2 halves */
  bool frozen; /* each chain stays in its own region */
} ConvergenceChains;

/* Compares x[chains][draws], which may be means of equal stretches. R-hat is rank-normalised, over halves of
 * chains: the larger of that of the values and that of their distances from the median (Vehtari et al.,
 * Bayesian Anal. 16, 667 (2021)). R-hat is large, too, if chains are short for their correlation; the halves
 * of one chain then differ as well.
 *
 * Chains are frozen if they differ from each other but not between their halves. The criteria: the halves of
 * one chain correlate by more than 0.8, at VERDICT_LEVEL_ALARM (an F test of chains of two halves), and R-hat
 * exceeds CONVERGENCE_FROZEN. STATUS_MEMORY. */
Status convergence_chains(const double *x, int chains, int draws, ConvergenceChains *result, Error *error);

/* R-hat above which chains are slow; and above which they may be frozen. */
#define CONVERGENCE_SLOW   1.05
#define CONVERGENCE_FROZEN 1.2

/* "mixed", "slow" or "frozen"; "unknown" if R-hat is NaN. */
const char *convergence_word(const ConvergenceChains *chains);

#endif
