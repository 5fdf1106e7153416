/* Parameters of an Ewald sum with a mesh for a requested accuracy. Errors are absolute: of forces the square
 * root of the mean over the sites of |F - F exact|^2, kcal/mol/A; of the pressure and of the energy the mean
 * over configurations, which no error bar of a run shows.
 *
 * Whole molecules are cut by the distance of their first sites, and those beyond are neutral; yet the mean
 * over orientations of the real part between them is not zero, about s^2 lap lap of it with s = sum q r^2/6.
 * Left out it has always the same sign: 25 bar and 2e-4 of TIP3P's energy at 9 A and 0.34/A, more at larger
 * cutoffs, whose beta is smaller. It is added as the tail of Lennard-Jones is (ewald_tail.c, term real_tail);
 * what is left, since water at the cutoff is not quite even, is about a tenth of it. beta is chosen so that
 * this stays within 2 bar, and the mesh so that its own part does, for the usual accuracy; with others in
 * proportion. Errors are expected from charges on the atoms; for a model with far smaller charges on long
 * arms (TIP5P) charges on atoms with the same dipole are supposed, without which the mesh would be half as
 * fine as it must be. Formulas were fitted to liquid water: waters turned at random have two to three times
 * the errors. */
#ifndef HOLONOM_FORCEFIELDS_PME_CHOOSE_H
#define HOLONOM_FORCEFIELDS_PME_CHOOSE_H

#include <stdbool.h>

#include "engine/box.h"

typedef struct PmeWish {
  const Box *box;   /* borrowed                                                             */
  int nsite;        /* charges                                                                */
  double charge2;   /* the sum of their squares, e^2                                          */
  double charge4;   /* the sum of their fourth powers, e^4; 0: not known                      */
  double error;     /* of the force, real and reciprocal part together                        */
  double pressure;  /* that of the pressure, bar; 0: any                                      */
  double spread;    /* sum over molecules of sum q r^2/6, r from the site that is cut by, e A^2 */
  bool switched;    /* pairs of molecules are switched off, not cut off                       */
  double cutoff;    /* of the real part, A, at most half a side                               */
  bool by_molecule; /* pairs of waters are cut by the distance of their oxygens, not by sites */
  double beta;      /* 1/A; 0: chosen                                                         */
  int order;        /* 4 to 6; 0: chosen                                                      */
  int grid[3];      /* zeros: chosen, with what is open beside it, for speed                  */
} PmeWish;

typedef struct PmeChoice {
  double beta, cutoff;
  int order, grid[3];
  double real, mesh; /* the expected errors of the force in the two parts                     */
  double pressure;   /* expected, bar                                                         */
  double energy;     /* expected, kcal/mol for all of the box                                 */
} PmeChoice;

/* What the wish leaves open. A mesh that is given is taken as it is, with what errors it has. Errors:
 * STATUS_INPUT (a wish that makes no sense, or that no mesh of 1,024 points fulfils). */
Status pme_choose(const PmeWish *wish, PmeChoice *choice, Error *error);

/* The expected error of the real part. By sites: 0.73 of the formula of Kolafa and Perram (1992) for
 * uncorrelated charges. By oxygens, which loses pairs of hydrogens nearer than the cutoff: 0.088 of it, for a
 * cutoff 1.57 A shorter in the exponent. Both fitted to liquid water, cutoffs 7 to 10 A, beta 0.25 to 0.45:
 * within a factor of 1.4 there. */
double pme_choose_real_error(const PmeWish *wish, double beta, double cutoff);

/* The expected error of the mesh: C Q sqrt(beta/(N V)) a x^(p-1) exp(b x) (beta A/0.35)^c, x = beta times the
 * spacing. The power is that of forces as gradients of the energy, one less than that of the energy; a, b, c
 * are fitted for each order to liquid water: within 12 % rms, x 0.13 to 0.7; too large for coarser meshes.
 *
 * This estimate spreads the charges around a site evenly over the box. In dilute boxes most of the error on a
 * site comes from its own charge and those of its molecule, which does not fall with V: at least the same
 * with the root mean fourth power of q for Q/N and 0.06 sites in a cubic A for N/V is expected. Measured
 * errors of single waters, gases, solutions and salts are 0.1 to 2 times the expected one, of salts up to 3
 * times at an accuracy of 1e-4. */
double pme_choose_mesh_error(const PmeWish *wish, double beta, int order, const int grid[3]);

/* The expected error of the pressure that the mesh makes, bar: 0.0086 A times the density of sites and the
 * error of the force, more for coarse meshes with splines of high order. */
double pme_choose_mesh_pressure(const PmeWish *wish, double beta, int order, const int grid[3]);

/* Fills in the four expected errors of a choice. Those of pressure and energy were fitted to liquid water at
 * 270 to 370 K and to salt water, cutoffs 8 to 12 A; measured ones are mostly smaller, down to nothing.
 *
 * Of the mesh: the pressure as above, the energy 0.0046 A times the number of sites and the error of the
 * force. Of the real part by sites: the same, with 0.017 A for the pressure. By
 * oxygens: a share, 0.14 or below 9 A 0.14 (9 A/rc)^3, of what molecules beyond the cutoff have if they are
 * turned at random, as water is not quite even there; all of it is added to the sum (ewald_tail_real). To
 * second order in the size of molecules, with s the spread by volume and h = 4 b^3/sqrt(pi) exp(-(b rc)^2):
 *
 *   E = 4 pi C V s^2 b^2 rc^3 h,   P V = 2/3 (b rc)^2 E, or E where pairs are switched off
 */
void pme_choose_errors(const PmeWish *wish, PmeChoice *choice);

#endif
