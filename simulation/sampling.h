/* The observables of a run: sets of them, and their results. Each replica of a box has its own set, or each
 * slot of a ladder of boxes; observables that join samples of several boxes (ObservableOps.joint) are in a
 * further set. The replicas of batches share one. */
#ifndef HOLONOM_SIMULATION_SAMPLING_H
#define HOLONOM_SIMULATION_SAMPLING_H

#include "observables/observable_set.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/simulation_private.h"

typedef struct Sampling Sampling;

/* Makes the observables that the configuration of a system with an ensemble selects; *sampling is NULL if it
 * selects no observable. Errors: STATUS_INPUT with file and line; STATUS_MEMORY. */
Status sampling_create(Sampling **sampling, const Simulation *system, Error *error);
void sampling_free(Sampling *sampling);

/* Returns set[*n]; NULL and 0 without observables. */
ObservableSet *const *sampling_sets(const Sampling *sampling, int *n);

/* Returns the set of observables that join several boxes; NULL: none. */
ObservableSet *sampling_joint(const Sampling *sampling);

/* The folder of the files of a replica, "replica-3", or of a slot of a ladder of boxes, "slot-3"; and the
 * first parts of these names, ended by NULL. */
typedef struct SamplingFolder {
  char name[32];
} SamplingFolder;
SamplingFolder sampling_folder(bool slot, int number);
extern const char *const sampling_folders[];

/* Writes files and pictures to dir, sets of boxes to one folder each. dir/observables.json (of boxes) and the
 * report then contain means over replicas with standard errors, or in a ladder the tables of
 * sampling_states.h. The caller frees the report, even after an error. Errors: those of observable_set_write,
 * and STATUS_IO. */
Status sampling_write(const Sampling *sampling, const char *dir, ResultSet *report, Error *error);

#endif
