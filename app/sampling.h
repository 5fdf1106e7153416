/* The observables that a run of a periodic box takes on the way. */
#ifndef HOLONOM_APP_SAMPLING_H
#define HOLONOM_APP_SAMPLING_H

#include "app/system.h"
#include "observables/observable_set.h"

typedef struct Sampling Sampling;

/* What the configuration asks for, of states like `state`, by teams of up to `threads`. Errors: STATUS_INPUT
 * with file and line, STATUS_MEMORY. */
Status sampling_create(Sampling **sampling, const System *system, const State *state, int threads,
                       Error *error);
void sampling_free(Sampling *sampling);

/* NULL if nothing is asked for. */
ObservableSet *sampling_set(const Sampling *sampling);

#endif
