/* What the water force shares with the general pairs: polynomials, memory, how near is too near. */
#ifndef HOLONOM_FORCEFIELDS_BULK_PRIVATE_H
#define HOLONOM_FORCEFIELDS_BULK_PRIVATE_H

#include "engine/status.h"
#include "forcefields/bulk_kernels.h"

/* Tables for distances up to `longest` (A); those in float for a charge product qq (kcal A/mol) and distances
 * in `unit` (A), from sqrt(2) to sqrt(512). Errors: STATUS_MEMORY. */
Status bulk_table_create(BulkTables *tables, double beta, double longest, double unit, double qq,
                         Error *error);

/* Those in double alone. */
Status bulk_table_create_exact(BulkTables *tables, double beta, double longest, Error *error);
void bulk_table_free(BulkTables *tables);

/* Memory for n elements, zeroed, on its own cache lines, next to the threads that share it out; NULL: there
 * is none. */
void *bulk_zeros(int n, size_t bytes, int threads);

/* Inwards from the cutoff, the squared distance of two sites where the force of a/r^12 - c/r^6 and charges qq
 * exceeds `limit`; `low` at least. */
double bulk_near(double a, double c, double qq, double cutoff, double limit, double low);

#endif
