/* Several observables of one system, or of replicas in lanes, each with a stride of its own.
 *
 *   observable_set_create_sample(&set, &options, h, state, charge, e);
 *   sampler.every[...] = observable_set_every(set);
 *   observable_set_add(set, sample, 0, e);       every so many steps, all members of the team
 *   observable_set_chunks(set, list);                 for checkpoints
 *   observable_set_write(set, dir, &report, e);       NAME.csv, pictures
 *   observable_set_free(set);
 */
#ifndef HOLONOM_OBSERVABLES_OBSERVABLE_SET_H
#define HOLONOM_OBSERVABLES_OBSERVABLE_SET_H

#include <stdint.h>

#include "integrators/sample.h"
#include "observables/observable.h"

typedef struct ObservableSet ObservableSet;

/* Those with a stride in options->every, in the order of the table: samples at multiples of it count. For
 * samples of this shape, steps `timestep` apart (AKMA; options->interval is not looked at). STATUS_INPUT:
 * what an observable lacks, after its name. */
Status observable_set_create(ObservableSet **set, const ObservableOptions *options, double timestep,
                             const ObservableFrame *shape, Error *error);

/* The same for a state of width 1 with molecules of a topology, which must outlive the set and whose samples
 * are frames; or for the batches of options->batches wider ones, where all that are wanted have add_lanes. */
Status observable_set_create_sample(ObservableSet **set, const ObservableOptions *options, double timestep,
                                    const Topology *topology, const Sample *sample, Error *error);
void observable_set_free(ObservableSet *set);

/* The largest stride of which both are multiples (b 0: a). */
int64_t observable_set_stride(int64_t a, int64_t b);

/* The same of all. */
int64_t observable_set_every(const ObservableSet *set);

/* Whether any of them wants velocities; whether one of those that have a sample at this step wants the
 * energy, in lanes->energy, or lanes->square. */
typedef struct ObservableNeeds {
  bool energies, squares;
} ObservableNeeds;
ObservableNeeds observable_set_needs(const ObservableSet *set, int64_t step);
bool observable_set_velocities(const ObservableSet *set);

/* Adds a sample to all that are due at this step, if any. All members of the team together; they get the same
 * status. Velocities are momenta over masses as they stand. The message names the step. */
Status observable_set_add(ObservableSet *set, const Sample *sample, const ObservableLanes *lanes,
                          Error *error);
Status observable_set_add_frame(ObservableSet *set, const Team *team, int64_t step,
                                const ObservableFrame *frame, Error *error);

/* What its members' monitors say of a series of samples `every` steps apart: *known is the largest
 * inefficiency, at least 1, and *plateau becomes false if one of them is too short to say. And what that
 * series' inefficiency tells them. */
void observable_set_slowest(const ObservableSet *set, int64_t every, double *known, bool *plateau);
void observable_set_learn(ObservableSet *set, double inefficiency, int64_t every);

/* Files of all that have samples; the report is the caller's to write and to free. */
Status observable_set_write(ObservableSet *set, const char *dir, ResultSet *report, Error *error);

/* Lists all that changes: see ObservableOps. */
void observable_set_chunks(ObservableSet *set, ChunkList *list);

#endif
