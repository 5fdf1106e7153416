/* The mixed-precision kernel for pairs of waters, used by sites.c: Lennard-Jones between oxygens and the
 * real-space part of an Ewald sum, erfc(beta r)/r, between all charges, for molecules whose oxygens are
 * closer than the cutoff. The negative charge may be on a massless site M on the bisector (TIP4P): x_M is
 * a weighted sum of the atoms' positions, and its force is spread by the same weights.
 *
 * Pairs are computed in float; energies have an error of about 1e-6 of the sum of absolute terms.
 * Positions are oxygens in fractions of the box (list.h) and hydrogens relative to them. The file also has
 * code shared with the kernel in double: polynomials, memory, and limits for close pairs.
 *
 * The radial function is a piecewise quartic in registers on AVX-512, elsewhere a finer piecewise
 * quadratic in memory. */
#ifndef HOLONOM_FORCEFIELDS_WATER_FLOAT_H
#define HOLONOM_FORCEFIELDS_WATER_FLOAT_H

#include "forcefields/sites.h"
#include "forcefields/water_float_kernels.h"

/* For pairs of a water with these sites, all in its plane, with the cutoff, beta (0: plain Coulomb) and
 * truncation of the options; bonds may be `stretch` times their length at rest. Errors: STATUS_INPUT (a
 * cutoff or beta too large for the tables). */
Status water_float_model(WaterFloatModel *model, const SiteMap *map, const Nonbonded *options, double stretch,
                         Error *error);

/* The unit of lengths for the options' cutoff. Sites are up to `reach` from the point where the cutoff is
 * measured, A; 0: individual sites. */
double water_float_unit(const Nonbonded *options, double reach);

/* Errors: STATUS_INPUT (beta or a cutoff too large for tables in float). */
Status water_float_check(const Nonbonded *options, double beta, double unit, double reach, Error *error);

/* The constants for these options, without Lennard-Jones; the edges of a box. */
WaterFloatUnits water_float_units(const Nonbonded *options, double unit);
void water_float_edges(WaterFloatUnits *f, const Box *box);

/* Sets the box; required before the first use. Errors: STATUS_INPUT (too flat). */
Status water_float_set_box(WaterFloatModel *model, const Box *box, Error *error);

/* Squared distances, A^2, below which forces of oxygens, and those of charges, may leave their range. */
void water_float_limits(const WaterFloatModel *model, double *near, double *low);

/* For unit charges, with C = 1: erfc(beta r)/r + field r^2 - constant. */
typedef struct WaterFloatCoulomb {
  double beta, field, constant;
} WaterFloatCoulomb;

/* Those of the options: an Ewald sum, a reaction field, or plain charges. */
WaterFloatCoulomb water_float_table_coulomb(const Nonbonded *options);

/* Tables in float for a charge product qq (kcal A/mol) and distances from sqrt(2) to sqrt(512) in `unit`
 * (A). */
void water_float_table_fill(WaterFloatTables *tables, const WaterFloatCoulomb *coulomb, double unit,
                            double qq);

/* Tables in double for distances up to `longest` (A). Errors: STATUS_MEMORY. */
Status water_float_table_exact(WaterFloatExact *tables, const WaterFloatCoulomb *coulomb, double longest,
                               Error *error);
void water_float_table_exact_free(WaterFloatExact *tables);

/* Zeroed memory for n elements, on cache lines of its own, near the threads that share it; NULL: out of
 * memory. */
void *water_float_zeros(int n, size_t bytes, int threads);

/* The squared distance of two sites, from the cutoff inwards, where the force of a/r^12 - c/r^6 and charges
 * qq exceeds `limit`; at least `low`. */
double water_float_near(double a, double c, double qq, double cutoff, double limit, double low);

/* The kernel's form of the options' truncation. */
WaterFloatSwitching water_float_switching(const Nonbonded *options);

#endif
