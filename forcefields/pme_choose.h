/* Chooses the parameters of an Ewald sum with a mesh for a requested accuracy. Errors are absolute. The
 * error of forces is the square root of the mean over sites of |F - F exact|^2, kcal/mol/A. Errors of
 * pressure and energy are means over configurations, and thus not visible in the error bars of a run.
 *
 * Whole molecules are cut by the distance of their first sites and are neutral. The real part between
 * molecules beyond the cutoff still has a mean over orientations, about s^2 lap lap of it with s = sum q
 * r^2/6. Omitting it causes a bias of 25 bar and 2e-4 of TIP3P's energy at 9 A and 0.34/A, and more at
 * larger cutoffs, whose beta is smaller. The tail ewald_tail_real adds it; about a tenth remains, since
 * water is not uniform at the cutoff.
 *
 * At the default accuracy, beta limits this remainder to 2 bar, and so does the mesh for its own error;
 * for other accuracies in proportion. Estimates use charges on the atoms. A model with far smaller charges
 * on long arms (TIP5P) is replaced by charges on atoms with the same dipole; otherwise the mesh would be
 * half as fine as required. Formulas were fitted to liquid water: randomly oriented waters have two to
 * three times the errors. */
#ifndef HOLONOM_FORCEFIELDS_PME_CHOOSE_H
#define HOLONOM_FORCEFIELDS_PME_CHOOSE_H

#include <stdbool.h>

#include "engine/box.h"

typedef struct PmeWish {
  const Box *box;   /* borrowed */
  int nsite;        /* number of charges */
  double charge2;   /* sum of their squares, e^2 */
  double charge4;   /* sum of their fourth powers, e^4; 0: unknown */
  double error;     /* allowed error of the force, real and reciprocal part together, kcal/mol/A */
  double pressure;  /* allowed error of the pressure, bar; 0: any */
  double spread;    /* sum over molecules of sum q r^2/6, r from the first site, e A^2 */
  bool switched;    /* pairs of molecules are switched off instead of cut off */
  double cutoff;    /* of the real part, A, at most half a side */
  bool by_molecule; /* pairs of waters are cut by the distance of oxygens, else of sites */
  double beta;      /* 1/A; 0: chosen */
  int order;        /* 4 to 6; 0: chosen */
  int grid[3];      /* zeros: chosen for speed, with the other open values */
} PmeWish;

typedef struct PmeChoice {
  double beta, cutoff;
  int order, grid[3];
  double real, mesh; /* expected errors of the force in the two parts, kcal/mol/A */
  double pressure;   /* expected, bar */
  double energy;     /* expected, kcal/mol for the whole box */
} PmeChoice;

/* Chooses the open values of the wish. A given mesh is used with the errors it has. Errors: STATUS_INPUT (an
 * invalid wish, or one that no mesh of 1,024 points fulfils). */
Status pme_choose(const PmeWish *wish, PmeChoice *choice, Error *error);

/* The expected error of the real part. Cut by sites: 0.73 of the formula of Kolafa and Perram (1992) for
 * uncorrelated charges. Cut by oxygens, which loses pairs of hydrogens within the cutoff: 0.088 of the
 * formula, with a cutoff 1.57 A shorter in the exponent. Both are fitted to liquid water with cutoffs of 7 to
 * 10 A and beta 0.25 to 0.45, within a factor of 1.4. */
double pme_choose_real_error(const PmeWish *wish, double beta, double cutoff);

/* The expected error of the mesh: C Q sqrt(beta/(N V)) a x^(p-1) exp(b x) (beta A/0.35)^c, x = beta times
 * the spacing. The power p - 1 is that of forces as gradients of the energy. a, b, c are fitted for each
 * order to liquid water: within 12 % rms for x of 0.13 to 0.7, too large for coarser meshes.
 *
 * This estimate spreads the charges around a site evenly over the box. In dilute boxes most of the error
 * on a site comes from the charges of its own molecule and does not decrease with V. The error is
 * therefore at least the same formula with the root mean fourth power of q for Q/N and 0.06 sites per
 * cubic A for N/V. Measured errors of single waters, gases, solutions and salts are 0.1 to 2 times the
 * expected one, of salts up to 3 times at an accuracy of 1e-4. */
double pme_choose_mesh_error(const PmeWish *wish, double beta, int order, const int grid[3]);

/* The expected error of the pressure by the mesh, bar: 0.0086 A times the density of sites and the error of
 * the force, more for coarse meshes with splines of high order. */
double pme_choose_mesh_pressure(const PmeWish *wish, double beta, int order, const int grid[3]);

/* Fills the four expected errors of a choice. Those of pressure and energy were fitted to liquid water at
 * 270 to 370 K and to salt water, with cutoffs of 8 to 12 A; measured errors are mostly smaller.
 *
 * Mesh: the pressure as above; the energy 0.0046 A times the number of sites and the error of the force.
 * Real part by sites: the same, with 0.017 A for the pressure. Real part by oxygens: a fraction, 0.14 or
 * below 9 A 0.14 (9 A/rc)^3, of the tail of randomly oriented molecules, which ewald_tail_real adds. To
 * second order in the size of molecules, with s the spread by volume and h = 4 b^3/sqrt(pi) exp(-(b
 * rc)^2):
 *
 *   E = 4 pi C V s^2 b^2 rc^3 h,   P V = 2/3 (b rc)^2 E, or E where pairs are switched off */
void pme_choose_errors(const PmeWish *wish, PmeChoice *choice);

#endif
