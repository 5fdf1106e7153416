/* Unbiased densities from umbrella windows by MBAR (observables/mbar.h) over the bins of a histogram.
 *
 * A window is a set of constants of the biases. All windows are at one temperature, so the reduced bias
 * energies u_k of a bin are all that MBAR needs, and the counts of a bin in all windows together with the
 * number of samples of each window are sufficient. With bins much narrower than the umbrellas this is WHAM
 * (Kumar et al., J. Comput. Chem. 13, 1011 (1992)) without an effect of the bins.
 *
 * Windows whose distributions do not overlap have no known free energy difference. They are divided into
 * parts, connected by pairs of windows with an overlap of at least MBAR_OVERLAP_LEAST, and each part is
 * solved on its own. The overlap of two windows with normalised densities p and q is the sum of p q/(p + q):
 * 1/2 for equal windows. */
#ifndef HOLONOM_OBSERVABLES_UMBRELLA_H
#define HOLONOM_OBSERVABLES_UMBRELLA_H

#include "base/arena.h"
#include "base/status.h"

typedef struct Umbrella {
  int windows, bins, parts;
  const double *u; /* [bins][windows] reduced bias energies; borrowed */
  int *part;       /* [windows] from 0; -1: a window without samples */
  double *free;    /* [windows] -ln Z_k from all samples, 0 at the first window of a part; NaN: no samples */
  double *density; /* [bins] unbiased densities of all parts, each times the part's samples */
  double *overlap; /* [windows] with the next window, the last one's 0 */
  Arena arena;
} Umbrella;

/* Divides the windows into parts and solves each from all samples, count[windows][bins]. u is borrowed.
 * Errors: STATUS_INPUT (no samples), STATUS_RUN (no convergence), STATUS_MEMORY. */
Status umbrella_create(Umbrella **umbrella, int windows, int bins, const double *u, const double *count,
                       Error *error);
void umbrella_free(Umbrella *of);
SCOPED_POINTER(Umbrella, umbrella_free)

/* Solves one part from other samples of the same windows: count[bins] of all windows of the part, and
 * drawn[windows]. density[bins]: unbiased probabilities, whose sum is 1. free[windows]: those of the part's
 * windows are set. Errors as above. */
Status umbrella_solve(const Umbrella *of, int part, const double *count, const double *drawn, double *density,
                      double *free, Error *error);

#endif
