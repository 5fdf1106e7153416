/* Samples of a ladder whose states differ in more than the temperature, for MBAR: the reduced energies u_k(x)
 * of the configuration in each state, in all states. Memory is bounded: when it is full every other sample is
 * dropped, and from there on every other one is taken. One is of one ladder, by one thread at a time. */
#ifndef HOLONOM_OBSERVABLES_REDUCED_ENERGIES_H
#define HOLONOM_OBSERVABLES_REDUCED_ENERGIES_H

#include <stdint.h>

#include "base/chunk.h"
#include "base/status.h"

typedef struct ReducedEnergies ReducedEnergies;

/* For so many states, of a run with so many ladders, which share the memory. Errors: STATUS_INPUT (too many
 * states and ladders), STATUS_MEMORY. */
Status reduced_energies_create(ReducedEnergies **energies, int states, int ladders, Error *error);
void reduced_energies_free(ReducedEnergies *energies); /* NULL is fine */

/* u[states][states]: of the configuration in state i, in state k. */
void reduced_energies_add(ReducedEnergies *energies, const double *u);

void reduced_energies_chunks(ReducedEnergies *energies, ChunkList *list);

int reduced_energies_samples(const ReducedEnergies *energies);    /* of each state, that are kept */
int64_t reduced_energies_stride(const ReducedEnergies *energies); /* of so many that were added, one */
const double *reduced_energies_sample(const ReducedEnergies *energies, int i); /* as it was added */

/* Free energies of the states by MBAR, -ln Z_k against the first, value[states], with errors error[states]:
 * by leaving out one ladder after the other where there are eight, else one block of time after the other of
 * all, of which there are 16 or more; of blocks twice as long where these say more. NaN: too few samples.
 * *overlap is the least of neighbours (mbar.h). Errors: STATUS_INPUT (no samples), STATUS_RUN (no
 * convergence), STATUS_MEMORY. */
Status reduced_energies_free_energies(ReducedEnergies *const *ladder, int ladders, double *value,
                                      double *error_of, double *overlap, Error *error);

#endif
