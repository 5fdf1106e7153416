/* The non-bonded force of an open cluster of water: all pairs of molecules, no cutoff, with Coulomb
 * between all charges and A/r^12 - C/r^6 between oxygens.
 *
 * One source for double and float (pair_real.h), with three, four (M) or five (L1, L2) sites as a
 * constant; a SiteMap places virtual sites before the loop and spreads their forces after it. A pair of
 * molecules takes three phases, to fit in 16 registers: nine squared distances; nine factors, three in
 * lock step, by an estimate of the root and a series whose coefficients contain the charges; the
 * differences again, and forces. With replicas in lanes each molecule interacts with all later ones. With
 * molecules in lanes up to 8 (float: 16) interact in a ring, each with the one d places further, d = 1 ...
 * N/2, each pair once; one molecule at a time interacts with the other packs. SSE2 and NEON use square
 * root and division, with the same bits on any processor. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_H
#define HOLONOM_FORCEFIELDS_PAIR_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/water.h"

typedef enum PairPrecision {
  PAIR_DOUBLE,
  /* Forces in float, relative to the mean position of the cluster (error 6e-7 to 8e-7 of the rms force);
   * energies and Hessians in double. Width 8 uses the double kernels. */
  PAIR_MIXED
} PairPrecision;

enum { PAIR_COULOMB, PAIR_LJ, PAIR_TERMS };

/* The force "pair" with the terms "coulomb" and "lj" for states of the shape of `shape`: one block of
 * molecules of three atoms, with the virtual sites of the model, any width. Forces do not depend on the
 * request for energies, the number of threads or the lane of a replica. A team shares the array of energies,
 * complete when the call returns. Errors: STATUS_INPUT (a shape that is not a cluster of water),
 * STATUS_MEMORY. */
Status pair_create(Force *force, const WaterModel *model, PairPrecision precision, const State *shape,
                   Isa isa, Error *error);

/* The pair of molecules at xi[natom][3] and xj[natom][3] in double: adds to energy[PAIR_TERMS] and to the
 * forces fi and fj; lj = A and C between first sites. */
void pair_reference_two(const SiteMap *i, const SiteMap *j, const double lj[2], const double *xi,
                        const double *xj, double *fi, double *fj, double energy[PAIR_TERMS]);

#endif
