/* Water on water in mixed precision, a kernel of sites.h: Lennard-Jones between oxygens and the real-space
 * part of an Ewald sum, erfc(beta r)/r, between all charges, for pairs of molecules whose oxygens are closer
 * than the cutoff. The negative charge may sit on a massless site M on the bisector (TIP4P): x_M is a fixed
 * sum of the atoms' positions, and the force on it goes to them by the same weights.
 *
 * Pairs are computed in float, energies to about 1e-6 of their terms without signs. Positions are oxygens in
 * fractions of the box (see list.h) and hydrogens relative to them. And what this kernel and that in double
 * share: polynomials, memory, how near is too near.
 *
 * The radial function is a piecewise quartic held in registers on AVX-512, elsewhere a finer piecewise
 * quadratic in memory. */
#ifndef HOLONOM_FORCEFIELDS_WATER_FLOAT_H
#define HOLONOM_FORCEFIELDS_WATER_FLOAT_H

#include "forcefields/sites.h"
#include "forcefields/water_float_kernels.h"

/* For pairs of a water with these sites, of which none is out of the plane, with the cutoff, beta (0: plain
 * Coulomb) and truncation of the options; bonds may be `stretch` times as long as at rest. Errors:
 * STATUS_INPUT (a cutoff or beta too large for the tables). */
Status water_float_model(WaterFloatModel *model, const SiteMap *map, const Nonbonded *options, double stretch,
                         Error *error);

/* The unit of lengths for the options' cutoff between sites up to `reach` from where it is measured, A; 0: of
 * sites that are by themselves. */
double water_float_unit(const Nonbonded *options, double reach);

/* Errors: STATUS_INPUT (beta or a cutoff too large for tables in float). */
Status water_float_check(const Nonbonded *options, double beta, double unit, double reach, Error *error);

/* What follows from these, without Lennard-Jones; the edges of a box. */
WaterFloatUnits water_float_units(const Nonbonded *options, double unit);
void water_float_edges(WaterFloatUnits *f, const Box *box);

/* For a box, before the first use. Errors: STATUS_INPUT (it is too flat). */
Status water_float_set_box(WaterFloatModel *model, const Box *box, Error *error);

/* Squared distances, A^2: where forces of oxygens may leave their range, and where those of charges do. */
void water_float_limits(const WaterFloatModel *model, double *near, double *low);

/* Of unit charges, with C = 1: erfc(beta r)/r + field r^2 - constant. */
typedef struct WaterFloatCoulomb {
  double beta, field, constant;
} WaterFloatCoulomb;

/* Tables in float for a charge product qq (kcal A/mol) and distances in `unit` (A), from sqrt(2) to
 * sqrt(512). */
void water_float_table_fill(WaterFloatTables *tables, const WaterFloatCoulomb *coulomb, double unit,
                            double qq);

/* Those in double, for distances up to `longest` (A). Errors: STATUS_MEMORY. */
Status water_float_table_exact(WaterFloatExact *tables, const WaterFloatCoulomb *coulomb, double longest,
                               Error *error);
void water_float_table_exact_free(WaterFloatExact *tables);

/* Memory for n elements, zeroed, on its own cache lines, next to the threads that share it out; NULL: there
 * is none. */
void *water_float_zeros(int n, size_t bytes, int threads);

/* Inwards from the cutoff, the squared distance of two sites where the force of a/r^12 - c/r^6 and charges qq
 * exceeds `limit`; `low` at least. */
double water_float_near(double a, double c, double qq, double cutoff, double limit, double low);

/* How the options switch Lennard-Jones off. */
WaterFloatSwitching water_float_switching(const Nonbonded *options);

#endif
