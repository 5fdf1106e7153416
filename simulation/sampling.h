/* The observables of a run: what is asked for, sets of them, and what comes of them. Each replica of a box
 * has a set of its own; replicas side by side in lanes have one together. */
#ifndef HOLONOM_SIMULATION_SAMPLING_H
#define HOLONOM_SIMULATION_SAMPLING_H

#include "observables/observable_set.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/simulation_private.h"

typedef struct Sampling Sampling;

/* What the configuration asks for, of a system with an ensemble; *sampling is NULL if that is nothing.
 * Errors: STATUS_INPUT with file and line, STATUS_MEMORY. */
Status sampling_create(Sampling **sampling, const Simulation *system, Error *error);
void sampling_free(Sampling *sampling);

/* [*n]; NULL and 0 if there are none. */
ObservableSet *const *sampling_sets(const Sampling *sampling, int *n);

/* The folder of a replica's own files, where there are several: "replica-3". */
#define SAMPLING_FOLDER "replica-"
typedef struct SamplingFolder {
  char name[32];
} SamplingFolder;
SamplingFolder sampling_folder(int replica);

/* Files and pictures into dir, of several sets into a folder each; dir/observables.json (of boxes) and the
 * report then have each number's mean over replicas with its standard error. The report is the caller's to
 * free, also after an error: those of observable_set_write, and STATUS_IO. */
Status sampling_write(const Sampling *sampling, const char *dir, ResultSet *report, Error *error);

#endif
