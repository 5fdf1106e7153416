/* Samples for MBAR of a ladder whose states differ in more than temperature: the reduced energies u_k(x) of
 * each state's configuration in all states. Memory is bounded: when it is full, every other sample is
 * dropped, and the stride doubles. One object is of one ladder, used by one thread at a time. */
#ifndef HOLONOM_OBSERVABLES_REDUCED_ENERGIES_H
#define HOLONOM_OBSERVABLES_REDUCED_ENERGIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"

typedef struct ReducedEnergies ReducedEnergies;

/* Allocates for this number of states in a run of `ladders` ladders, which share the memory. volumes: samples
 * have volumes. Errors: STATUS_INPUT (too many states and ladders), STATUS_MEMORY. */
Status reduced_energies_create(ReducedEnergies **energies, int states, int ladders, bool volumes,
                               Error *error);
void reduced_energies_free(ReducedEnergies *energies); /* NULL is allowed */

/* Adds u[states][columns]: the reduced energies of state i's configuration in all states, and its volume. */
void reduced_energies_add(ReducedEnergies *energies, const double *u);

void reduced_energies_chunks(ReducedEnergies *energies, ChunkList *list);

int reduced_energies_samples(const ReducedEnergies *energies); /* samples of each state in memory */
int64_t reduced_energies_stride(
    const ReducedEnergies *energies); /* one in this number of added samples is in memory */
const double *reduced_energies_sample(const ReducedEnergies *energies, int i); /* as it was added */
int reduced_energies_columns(const ReducedEnergies *energies); /* states, and one more with volumes */

/* Computes free energies of the states by MBAR, value[states] = -ln Z_k relative to the first, and if samples
 * have volumes the mean volume in each state, value[states ... 2 states - 1], from the samples of all states.
 * error_of[]: errors by jackknife. With at least eight ladders, one ladder is left out after the other;
 * otherwise one block of time of all ladders, of at least 16. If blocks of twice the length give larger
 * errors, these are used. NaN: too few samples. *overlap is the least of neighbours (mbar.h). Errors:
 * STATUS_INPUT (no samples), STATUS_RUN (no convergence), STATUS_MEMORY. */
Status reduced_energies_averages(ReducedEnergies *const *ladder, int ladders, double *value, double *error_of,
                                 double *overlap, Error *error);

#endif
