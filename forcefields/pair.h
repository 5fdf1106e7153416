/* The non-bonded force of an open cluster of water: all pairs of different molecules, no cutoff. Coulomb
 * between all charge sites, A/r^12 - C/r^6 between oxygens.
 *
 * Kernels are one text for double and float (pair_real.h) with the number of sites as a constant: three, four
 * (M) or five (L1, L2); a SiteMap places virtual sites before the loop and takes their forces after it. A
 * pair of molecules goes in three phases, so that 16 registers do: nine squared distances; nine factors,
 * three in lock step, by an estimate of the root and a series whose coefficients hold the charges; the
 * differences again, and forces. With replicas in lanes each molecule acts on all that follow. With molecules
 * in lanes up to 8 (float: 16) act on each other in a ring, each on the one d further on, d = 1 ... N/2, so
 * that each pair comes once; packs beyond act one molecule at a time on the rest. SSE2 and NEON take root and
 * division, whose bits are those of any processor. */
#ifndef HOLONOM_FORCEFIELDS_PAIR_H
#define HOLONOM_FORCEFIELDS_PAIR_H

#include "engine/force.h"
#include "engine/isa.h"
#include "forcefields/water.h"

typedef enum PairPrecision {
  PAIR_DOUBLE,
  /* Forces in float, relative to the middle of the cluster (off by 6e-7 to 8e-7 of the rms force); energies
   * and Hessians still in double. Width 8 has no float route and takes the double one. */
  PAIR_MIXED
} PairPrecision;

enum { PAIR_COULOMB, PAIR_LJ, PAIR_TERMS };

/* The force "pair" with the terms "coulomb" and "lj" for states of the shape of `shape`: one block of
 * molecules of three atoms, with the virtual sites of the model, any width. The forces do not depend on
 * whether the energy is asked for, on the number of threads, or on the lane that a replica sits in. Where a
 * team calls it together, the array of energies is shared, and filled when the call returns. Errors:
 * STATUS_INPUT (a shape that is no cluster of water), STATUS_MEMORY. */
Status pair_create(Force *force, const WaterModel *model, PairPrecision precision, const State *shape,
                   Isa isa, Error *error);

/* Two molecules at xi[natom][3] and xj[natom][3] in double: adds to energy[PAIR_TERMS] and to the forces fi
 * and fj; lj = A and C between first sites. */
void pair_reference_two(const SiteMap *i, const SiteMap *j, const double lj[2], const double *xi,
                        const double *xj, double *fi, double *fj, double energy[PAIR_TERMS]);

#endif
