/* Means over the replicas of a mechanical run, against time and over all rows, with their errors. */
#ifndef HOLONOM_SIMULATION_MECHANICS_MECHANICS_MEANS_H
#define HOLONOM_SIMULATION_MECHANICS_MECHANICS_MEANS_H

#include "engine/bytes.h"
#include "engine/chunk.h"
#include "engine/text.h"
#include "simulation/mechanics/mechanics_private.h"
#include "simulation/run/means.h"

typedef struct MechanicsMeans MechanicsMeans;

/* Columns are energies, coordinates, momenta, and the formulas of output.observables. STATUS_INPUT with the
 * key of a formula that is wrong; STATUS_MEMORY. */
Status mechanics_means_create(MechanicsMeans **out, const Mechanics *mechanics, Error *error);
void mechanics_means_free(MechanicsMeans *means); /* NULL is fine */

/* Looks at all replicas at work as they are now. STATUS_RUN with the replica if a formula has no value there.
 */
Status mechanics_means_take(MechanicsMeans *means, Error *error);

/* Forgets it, after taking it into the averages over rows (counts). */
void mechanics_means_flush(MechanicsMeans *means, bool counts);

/* What was looked at, for another process or a file, and there into the row of a step; false: it does not
 * fit. */
void mechanics_means_pack(const MechanicsMeans *means, Bytes *bytes);
bool mechanics_means_unpack(MechanicsMeans *means, const void *data, size_t size);

/* The first lines of ensemble.csv, and a row of what was looked at: mean and standard error over the
 * replicas, without rounding on the way; how far constraints are violated as the largest. Nothing unless all
 * replicas are in it. */
void mechanics_means_head(const MechanicsMeans *means, Text *text);
void mechanics_means_row(const MechanicsMeans *means, double time, Text *text);

/* `means:` of summary.yaml: averages over rows, their errors from the replicas or, for one, from blocks of
 * its series. Nothing without rows; of one replica no coordinates and momenta. */
void mechanics_means_summary(const MechanicsMeans *means, Text *text);

/* Of a column the average at a temperature (0 without a ladder) with its error as there; how many draws are
 * behind that, 0: not known. NaN: there is no such column, or no row. */
int64_t mechanics_means_of(const MechanicsMeans *means, const char *name, int temperature, double *mean,
                           double *error);

/* replicas.csv: averages over rows of each replica. */
Status mechanics_means_replicas(const MechanicsMeans *means, const char *dir, Error *error);

/* Lists all that changes in a run. */
void mechanics_means_chunks(MechanicsMeans *means, ChunkList *list);

#endif
