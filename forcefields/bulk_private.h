/* The polynomials of the bulk water force. */
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

#endif
