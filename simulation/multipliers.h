/* multipliers.csv: the constraint multipliers of the first molecule, as they are and averaged over a window
 * (Tao & Owhadi 2015, Theorem 1.3 and Fig. 5). */
#ifndef HOLONOM_SIMULATION_MULTIPLIERS_H
#define HOLONOM_SIMULATION_MULTIPLIERS_H

#include "config/config.h"
#include "engine/chunk.h"

typedef struct Multipliers Multipliers;

/* age: of plan_multipliers_age, by which the times of rows lie before the ends of steps. */
Status multipliers_create(Multipliers **multipliers, const Config *config, int ncon, double age,
                          Error *error);

/* Creates dir/multipliers.csv, or goes on with it after `length` bytes where that is not negative. */
Status multipliers_open(Multipliers *multipliers, const char *dir, int64_t length, Error *error);

/* Lists all that changes in a run. */
void multipliers_chunks(Multipliers *multipliers, ChunkList *list);

/* Brings the file down to the disk: see text_sync. */
Status multipliers_sync(Multipliers *multipliers, int64_t *length, Error *error);

/* Appends lambda[ncon] of a step. */
void multipliers_add(Multipliers *multipliers, int64_t step, const double *lambda);

/* Hands what was added to the system. */
Status multipliers_flush(Multipliers *multipliers, Error *error);

/* Closes and frees; NULL is fine. */
Status multipliers_close(Multipliers *multipliers, Error *error);

#endif
