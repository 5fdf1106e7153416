/* MBAR (Shirts & Chodera, J. Chem. Phys. 129, 124105 (2008)) over a ladder of temperatures,
 * or of states with reduced energies of any kind.
 *
 * Samples of all temperatures together are those of a mixture, whose density at energy U is the density of
 * states times D(U) = sum_k N_k exp(f_k - beta_k U); so each weighs exp(-beta U)/D(U) at any other
 * temperature. The reduced free energies f_k = -ln Z_k are where every temperature's weights add up to 1, the
 * minimum of a convex function: some self-consistent steps, then Newton's with a line search. States differ
 * in beta alone, so that samples of one narrow bin of energy weigh the same; of a bin's width what is left is
 * of second order, of the difference in beta to the nearest temperatures times the width. Over bins this is
 * WHAM (Ferrenberg & Swendsen, Phys. Rev. Lett. 63, 1195 (1989)) with bins too narrow to matter. */
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
  double *log_weight;  /* [bins] ln(samples of the bin/D)                              */
  double *share;  /* [bins][states] the chance that a sample of this energy is from that temperature      */
  int iterations; /* of Newton                                                         */
  Arena arena;
} Mbar;

/* Of temperature[states], rising; start: free energies of a like pool, or NULL. The pool must outlive it.
 * STATUS_INPUT (temperatures not above 0 or not rising, one without a sample), STATUS_RUN (no convergence),
 * STATUS_MEMORY. */
Status mbar_create(Mbar **mbar, const EnergyPool *pool, const double *temperature, double boltzmann,
                   const double *start, Error *error);
/* Of states with reduced energies (pool->reduced), from a start: states are numbered in messages, and
 * mbar_at has no meaning. Errors as above. */
Status mbar_create_reduced(Mbar **mbar, const EnergyPool *pool, const double *start, Error *error);
void mbar_free(Mbar *mbar);
SCOPED_POINTER(Mbar, mbar_free)

/* The canonical distribution at one temperature. */
typedef struct MbarState {
  double free;      /* reduced, against the first of the ladder                                         */
  double energy;    /* mean potential energy                                                            */
  double heat;      /* its part of the heat capacity, in units of energy/kelvin                         */
  double effective; /* samples that weigh: (sum w)^2/sum w^2                                            */
} MbarState;

/* weight[bins] is the chance of each bin; NULL: not wanted. STATUS_INPUT: outside of the ladder, where
 * samples say nothing. */
Status mbar_at(const Mbar *mbar, double temperature, MbarState *state, double *weight, Error *error);

/* Overlap of neighbours, in numbers; see mbar_overlap. */
#define MBAR_OVERLAP_LEAST 0.03

typedef struct MbarOverlap {
  double second; /* second largest eigenvalue of the overlap matrix; 1: the ladder falls apart         */
  double least;  /* the narrowest passage: samples that may be from either side of it, over those of one of
                    its two temperatures; 1/2 for two equal ones                                       */
  int at;        /* it is between this temperature and the next                                     */
} MbarOverlap;

/* The overlap matrix[states][states] (Klimovich, Shirts & Mobley, J. Comput. Aided Mol. Des. 29, 397 (2015)):
 * row k is where a sample of temperature k may as well be from. STATUS_MEMORY. */
Status mbar_overlap(const Mbar *mbar, double *matrix, MbarOverlap *overlap, Error *error);

/* The narrowest passage: MbarOverlap.least. */
double mbar_least_overlap(const Mbar *mbar);

/* STATUS_INPUT: the narrowest passage is below MBAR_OVERLAP_LEAST, where free energies across it are not
 * known; says where. STATUS_MEMORY. */
Status mbar_overlap_check(const Mbar *mbar, Error *error);

#endif
