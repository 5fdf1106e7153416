/* multipliers.csv: the constraint multipliers of the first molecule, as they are and averaged over a window
 * (Tao & Owhadi 2015, Theorem 1.3 and Fig. 5). */
#ifndef HOLONOM_SIMULATION_RUN_MULTIPLIERS_H
#define HOLONOM_SIMULATION_RUN_MULTIPLIERS_H

#include "simulation/run/run.h"

/* Of `of`, "molecule 1", in the replica or slot that the run measures. STATUS_MEMORY: what there is then is
 * to be freed, too. */
Status multipliers_create(Multipliers **multipliers, const Run *run, const char *of, Error *error);

void multipliers_free(Multipliers *multipliers); /* NULL is fine */

/* Lists all that changes in a run. */
void multipliers_chunks(Multipliers *multipliers, ChunkList *list);

/* The first lines and the rows of the file, as a Writer has them; self is the Multipliers. */
void multipliers_head(void *self, Text *text);
Status multipliers_write(void *self, Writer *writer, int64_t step, Error *error);

#endif
