/* Writes multipliers.csv: the constraint multipliers of the first molecule, and their averages over a window
 * (Tao & Owhadi 2015, Theorem 1.3 and Fig. 5). */
#ifndef HOLONOM_SIMULATION_RUN_MULTIPLIERS_H
#define HOLONOM_SIMULATION_RUN_MULTIPLIERS_H

#include "simulation/run/run.h"

/* Makes the file of `of` ("molecule 1") in the measured replica or slot. STATUS_MEMORY: *multipliers must
 * still be freed. */
Status multipliers_create(Multipliers **multipliers, const Run *run, const char *of, Error *error);

void multipliers_free(Multipliers *multipliers); /* may be NULL */

void multipliers_chunks(Multipliers *multipliers, ChunkList *list);

/* The head and the rows of the file for a Writer; self is the Multipliers. */
void multipliers_head(void *self, Text *text);
Status multipliers_write(void *self, Writer *writer, int64_t step, Error *error);

#endif
