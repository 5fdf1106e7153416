/* What the water force shares with the general pairs: polynomials, memory, how near is too near. */
#ifndef HOLONOM_FORCEFIELDS_BULK_PRIVATE_H
#define HOLONOM_FORCEFIELDS_BULK_PRIVATE_H

#include "engine/status.h"
#include "forcefields/bulk_kernels.h"
#include "forcefields/ewald.h"
#include "forcefields/stage.h"

/* Of unit charges, with C = 1: erfc(beta r)/r + field r^2 - constant. */
typedef struct BulkCoulomb {
  double beta, field, constant;
} BulkCoulomb;

/* Tables in float for a charge product qq (kcal A/mol) and distances in `unit` (A), from sqrt(2) to
 * sqrt(512). */
void bulk_table_fill(BulkTables *tables, double beta, double unit, double qq);

/* Those in double, for distances up to `longest` (A). Errors: STATUS_MEMORY. */
Status bulk_table_exact(BulkExact *tables, const BulkCoulomb *coulomb, double longest, Error *error);
void bulk_table_exact_free(BulkExact *tables);

/* The sum of n integers of `bits` bits of fraction, `stride` from each other. */
double bulk_sum(const int64_t *x, size_t stride, int n, int bits);

/* The virial by atom from the integer sums over pairs of molecules x[n][9] of d_x F_y, d the vector of their
 * first sites, and from what delivery adds, (r - r_first)_x f_y over atoms, f the force of all molecules. It
 * is symmetric but for rounding. */
void bulk_virial(const Stage *stage, const int64_t *x, size_t stride, int n, int bits, double virial[3][3]);

/* Memory for n elements, zeroed, on its own cache lines, next to the threads that share it out; NULL: there
 * is none. */
void *bulk_zeros(int n, size_t bytes, int threads);

/* What a truncation switches off. */
BulkSwitching bulk_switching(EwaldTruncation truncation, bool molecules);

/* Inwards from the cutoff, the squared distance of two sites where the force of a/r^12 - c/r^6 and charges qq
 * exceeds `limit`; `low` at least. */
double bulk_near(double a, double c, double qq, double cutoff, double limit, double low);

#endif
