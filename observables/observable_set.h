/* Several observables of one system, or of replicas in lanes, each with its own stride.
 *
 *   observable_set_create_sample(&set, &options, h, state, charge, e);
 *   sampler.every[...] = observable_set_every(set);
 *   observable_set_add(set, sample, 0, e);         at multiples of the stride, by all members of the team;
 *   observable_set_chunks(set, list);              for checkpoints;
 *   observable_set_write(set, dir, &report, e);    NAME.csv, pictures;
 *   observable_set_free(set); */
#ifndef HOLONOM_OBSERVABLES_OBSERVABLE_SET_H
#define HOLONOM_OBSERVABLES_OBSERVABLE_SET_H

#include <stdint.h>

#include "integrators/sample.h"
#include "observables/observable.h"

typedef struct ObservableSet ObservableSet;

/* Creates the observables with a stride in options->every, in the order of the table; each takes samples at
 * multiples of its stride. shape: the shape of samples; timestep: AKMA (options->interval is ignored).
 * STATUS_INPUT: the message names the observable and the requirement that is not met. */
Status observable_set_create(ObservableSet **set, const ObservableOptions *options, double timestep,
                             const ObservableFrame *shape, Error *error);

/* Likewise for samples of a state of a topology, which must outlive the set: of width 1, or options->batches
 * states if all observables have add_lanes, which are wider unless options->joint is set. */
Status observable_set_create_sample(ObservableSet **set, const ObservableOptions *options, double timestep,
                                    const Topology *topology, const Sample *sample, Error *error);
void observable_set_free(ObservableSet *set);

/* The greatest common divisor of two strides (b may be 0). */
int64_t observable_set_stride(int64_t a, int64_t b);

/* The greatest common divisor of all strides. */
int64_t observable_set_every(const ObservableSet *set);

/* Whether any observable requires velocities, or pressures; and whether one with a sample at this step
 * requires the energy in lanes->energy, lanes->square, or lanes->pressure. */
typedef struct ObservableNeeds {
  bool energies, squares, pressures;
} ObservableNeeds;
ObservableNeeds observable_set_needs(const ObservableSet *set, int64_t step);
bool observable_set_velocities(const ObservableSet *set);
bool observable_set_pressures(const ObservableSet *set);

/* Adds a sample to all observables that are due at this step. All members of the team call it together, and
 * it returns the same status to all. Velocities are momenta over masses. The message names the step. */
Status observable_set_add(ObservableSet *set, const Sample *sample, const ObservableLanes *lanes,
                          Error *error);
Status observable_set_add_frame(ObservableSet *set, const Team *team, int64_t step,
                                const ObservableFrame *frame, Error *error);

/* Reports the correlation of the observables' monitors for a series of samples `every` steps apart: *known is
 * the largest inefficiency, at least 1, and *plateau becomes false if a monitor's series is too short.
 * observable_set_learn passes the series' inefficiency to the observables. */
void observable_set_slowest(const ObservableSet *set, int64_t every, double *known, bool *plateau);
void observable_set_learn(ObservableSet *set, double inefficiency, int64_t every);

/* Writes the files of all observables that have samples. The caller writes and frees the report. */
Status observable_set_write(ObservableSet *set, const char *dir, ResultSet *report, Error *error);

/* Lists all data that samples change: see ObservableOps. */
void observable_set_chunks(ObservableSet *set, ChunkList *list);

#endif
