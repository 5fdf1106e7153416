/* MBAR (Shirts & Chodera, J. Chem. Phys. 129, 124105 (2008)) for a ladder of temperatures, or for states with
 * reduced energies of any kind.
 *
 * The samples of all temperatures form a mixture, whose density at energy U is the density of states times
 * D(U) = sum_k N_k exp(f_k - beta_k U). A sample therefore has the weight exp(-beta U)/D(U) at any other
 * temperature. The reduced free energies f_k = -ln Z_k are those at which the weights of every temperature
 * add up to 1, the minimum of a convex function: a few self-consistent steps, then Newton's method with a
 * line search.
 *
 * The states of a ladder differ in beta only, so the samples of a narrow bin of energy have the same weight.
 * The error is of second order in the bin's width times the difference in beta to the nearest temperatures.
 * With bins this is WHAM (Ferrenberg & Swendsen, Phys. Rev. Lett. 63, 1195 (1989)), with bins too narrow to
 * matter. */
#ifndef HOLONOM_OBSERVABLES_MBAR_H
#define HOLONOM_OBSERVABLES_MBAR_H

#include "observables/energy_pool.h"

typedef struct Mbar {
  const EnergyPool *pool;
  int states;
  double boltzmann;
  double *temperature; /* [states], rising                                             */
  double *beta;        /* [states]                                                     */
  double *free;        /* [states] reduced free energies, 0 at the first                 */
  double *log_weight;  /* [bins] ln(samples in the bin/D) */
  double *share;  /* [bins][states] the probability that a sample of this energy is from that temperature */
  int iterations; /* of Newton's method */
  Arena arena;
} Mbar;

/* Solves for temperature[states], rising. start: free energies of a similar pool, or NULL. The pool must
 * outlive *mbar. Errors: STATUS_INPUT (temperatures not positive or not rising, one without samples),
 * STATUS_RUN (no convergence), STATUS_MEMORY. */
Status mbar_create(Mbar **mbar, const EnergyPool *pool, const double *temperature, double boltzmann,
                   const double *start, Error *error);
/* Solves for states with reduced energies (pool->reduced), from a start. Messages number the states; mbar_at
 * is undefined. Errors as above. */
Status mbar_create_reduced(Mbar **mbar, const EnergyPool *pool, const double *start, Error *error);
void mbar_free(Mbar *mbar);
SCOPED_POINTER(Mbar, mbar_free)

/* The canonical distribution at one temperature. */
typedef struct MbarState {
  double free;      /* reduced, relative to the first of the ladder */
  double energy;    /* mean potential energy                                                            */
  double heat;      /* potential part of the heat capacity, energy/kelvin */
  double effective; /* effective number of samples: (sum w)^2/sum w^2 */
} MbarState;

/* Computes the distribution at a temperature; weight[bins] (may be NULL): the probability of each bin.
 * STATUS_INPUT: outside the ladder. */
Status mbar_at(const Mbar *mbar, double temperature, MbarState *state, double *weight, Error *error);

/* Measures of the overlap of neighbours; see mbar_overlap. */
#define MBAR_OVERLAP_LEAST 0.03

typedef struct MbarOverlap {
  double second; /* second largest eigenvalue of the overlap matrix; 1: the ladder falls into two parts */
  double least;  /* narrowest gap: the samples that may be from either side of it, over those of one of its
                    two temperatures; 1/2 for two equal temperatures */
  int at;        /* it is between this temperature and the next                                     */
} MbarOverlap;

/* The overlap matrix[states][states] (Klimovich, Shirts & Mobley, J. Comput. Aided Mol. Des. 29, 397 (2015)):
 * row k has the probabilities that a sample of temperature k is from each temperature. STATUS_MEMORY. */
Status mbar_overlap(const Mbar *mbar, double *matrix, MbarOverlap *overlap, Error *error);

/* The narrowest gap, MbarOverlap.least. */
double mbar_least_overlap(const Mbar *mbar);

/* Errors: STATUS_INPUT (the narrowest gap is below MBAR_OVERLAP_LEAST, so free energies across it are
 * unknown; the message says where), STATUS_MEMORY. */
Status mbar_overlap_check(const Mbar *mbar, Error *error);

#endif
