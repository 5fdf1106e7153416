/* All replicas of a run, in batches of one width that threads share; a single replica is stepped by a team of
 * threads. A Sampler takes measurements. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_H
#define HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_H

#include "engine/force.h"
#include "forcefields/external.h"
#include "integrators/sample.h"

enum { EVENTS_MAX = 8 };

/* The next multiple of a stride after a step, or INT64_MAX. */
static inline int64_t ensemble_next(int64_t step, int64_t every)
{
  return step / every < INT64_MAX / every ? (step / every + 1) * every : INT64_MAX;
}

/* Called when a batch's step is a multiple of an event's stride (at step 0 only through ensemble_sample).
 * Different threads sample different batches at the same time. In a team all threads call it together, and
 * must get the same status. Bit i of `due` is set for event i. */
typedef struct Sampler {
  void *self;
  int64_t every[EVENTS_MAX]; /* strides; 0: never */
  unsigned energies;         /* bit i set: event i needs energies (walk_energies) */
  Status (*sample)(void *self, unsigned due, int batch, const Sample *sample, Error *error);
} Sampler;

/* Makes the forces for one shape of state. */
typedef struct FieldMaker {
  const void *self;
  Status (*make)(const void *self, const State *shape, ForceField *field, Error *error);
} FieldMaker;

typedef struct EnsembleOptions {
  const Plan *plan;
  const Topology *topology; /* molecules, and the blocks of the plan's kinds */
  Box box;                  /* of all replicas; all zero: open clusters */
  int replicas;             /* rounded up to whole batches, unless 1 */
  int width;                /* of a batch: 8 or 16; 1 for single replicas, as in periodic boxes */
  int first, end;           /* batches first to end - 1 are in memory; 0, 0: all */
  int threads;
  uint64_t seed;
  double radius;         /* of the constraining sphere of open clusters (confine.h), A; 0: no sphere */
  int64_t radius_every;  /* steps between its checks; momenta may be changed externally at multiples */
  RandomPurpose purpose; /* of the noise and of drawn momenta; 0: RANDOM_THERMOSTAT */
  FieldMaker maker;
  External *external; /* external forces of the fields; NULL: none */
} EnsembleOptions;

typedef struct Ensemble Ensemble;

/* Errors: those of making states, forces and walks. */
Status ensemble_create(Ensemble **ensemble, const EnsembleOptions *options, Error *error);
void ensemble_free(Ensemble *ensemble);

int ensemble_replicas(const Ensemble *ensemble); /* rounded up to whole batches */
int ensemble_batches(const Ensemble *ensemble);
int ensemble_base(const Ensemble *ensemble); /* first batch in memory */
int ensemble_held(const Ensemble *ensemble); /* number of batches in memory */
int ensemble_width(const Ensemble *ensemble);
int64_t ensemble_step(const Ensemble *ensemble);            /* that all batches have reached */
int ensemble_workers(const Ensemble *ensemble);             /* threads that are useful */
Sample ensemble_at(const Ensemble *ensemble, int batch);    /* present state of a batch in memory */
const ForceField *ensemble_field(const Ensemble *ensemble); /* the field of the first batch */
const ForceField *ensemble_forces(const Ensemble *ensemble, int batch); /* of a batch of width 1 in memory */
const Topology *ensemble_topology(const Ensemble *ensemble);

/* The number of constraints of a kind (or of its Hamiltonian), and of a molecule over all its groups in
 * order; and their multipliers after the last step (walk_multipliers), for molecule m in lane r. */
int ensemble_kind_constraints(const Kind *kind);
int ensemble_constraints(const TopologySort *sort);
void ensemble_multipliers(const TopologySort *sort, int m, const Sample *sample, int r, double *lambda);

/* Replicas and batches have global indices; a process may have only some batches in memory. Arrays with one
 * element for each batch begin at ensemble_base.
 *
 * The calls below act on batches first to end - 1, initially all. Other batches do not change, and do not
 * count in ensemble_step. */
void ensemble_set_range(Ensemble *ensemble, int first, int end);
int ensemble_first(const Ensemble *ensemble);
int ensemble_end(const Ensemble *ensemble);

/* Puts all replicas at x[natom][dim], ordered by molecule (topology.h), draws momenta from the Maxwell
 * distribution, and computes forces. Errors of this and the next four: those of the forces. */
Status ensemble_start(Ensemble *ensemble, const double *x, Error *error);

/* The same from n starts x[n] and p[n]: replica r uses start r % n. Momenta p are projected onto the plan's
 * space; NULL: drawn (maxwell), or zero. */
Status ensemble_start_each(Ensemble *ensemble, int n, const double *x, const double *p, bool maxwell,
                           Error *error);

/* Sets or reads replica r with momenta p[natom][dim] (tests, restarts). ensemble_ready computes forces. */
void ensemble_set(Ensemble *ensemble, int r, const double *x, const double *p);
void ensemble_get(const Ensemble *ensemble, int r, double *x, double *p);
Status ensemble_ready(Ensemble *ensemble, Error *error);

/* Computes forces of some batches only: which[held]; NULL: all. */
Status ensemble_ready_some(Ensemble *ensemble, const bool *which, Error *error);

/* Set a field of replica r ordered by molecule (frozen atoms get no momenta), or its momenta ordered by block
 * (sample_coordinates); scale
 * its momenta, and add work of the bath (state_scale_momenta). ensemble_ready computes forces. */
void ensemble_set_field(Ensemble *ensemble, int r, StateField field, const double *x);
void ensemble_set_momenta(Ensemble *ensemble, int r, const double *p);
void ensemble_scale_momenta(Ensemble *ensemble, int r, double by, double work);

/* Translates the molecules of replica r (width 1) such that their centres of mass x become x map. */
void ensemble_map(Ensemble *ensemble, int r, const double map[3][3]);

/* Copies of all batches in memory with forces: of one batch, or of all active ones by all threads. A copy can
 * be returned to its batch, sampled, and listed as chunks. */
typedef struct EnsembleCopy EnsembleCopy;
Status ensemble_copy_create(EnsembleCopy **copy, const Ensemble *ensemble, Error *error);
void ensemble_copy_free(EnsembleCopy *copy); /* may be NULL */
void ensemble_copy_take(EnsembleCopy *copy, int batch);
void ensemble_copy_take_all(EnsembleCopy *copy);
void ensemble_copy_return(const EnsembleCopy *copy, int batch);
Sample ensemble_copy_at(const EnsembleCopy *copy, int batch);
void ensemble_copy_chunks(const EnsembleCopy *copy, int batch, ChunkList *list);

/* Evaluates callbacks that receive all replicas in one call, at the present positions (external_ask). */
void ensemble_ask(const Ensemble *ensemble);

/* Computes forces of some batches, as ensemble_ready_some, and samples them; energies come from the same
 * evaluation if `energies` of the sampler has the event. */
Status ensemble_ready_sample(Ensemble *ensemble, const bool *which, const Sampler *sampler, unsigned due,
                             Error *error);

/* Sets the box of a replica (width 1) for its state and forces (force_field_set_box). ensemble_ready computes
 * forces. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status ensemble_set_box(Ensemble *ensemble, int r, const Box *box, Error *error);

/* Chooses open settings of a replica's forces (width 1) for a box, which may differ from the present one.
 * ensemble_ready computes forces. Errors: those of making forces. */
Status ensemble_choose_forces(Ensemble *ensemble, int r, const Box *box, Error *error);

/* The box that these settings were chosen for. */
const Box *ensemble_choice(const Ensemble *ensemble, int batch);

/* After a restore: adapts the forces to the restored boxes and choices. *changed: any differed. */
Status ensemble_follow_boxes(Ensemble *ensemble, bool *changed, Error *error);

/* Sets the noise of replica r, and the width of its drawn momenta, to `scale` = sqrt(kT / kT of the plan)
 * times the plan's; initially 1. */
void ensemble_set_noise(Ensemble *ensemble, int r, double scale);

/* Draws momenta from the Maxwell distribution at the present positions; computes forces. */
Status ensemble_draw(Ensemble *ensemble, Error *error);

/* Momenta of one replica: drawn at its temperature, differently for each `turn` of a step (0: those of
 * ensemble_draw); or projected onto the plan's space. Errors: STATUS_MEMORY. */
Status ensemble_momenta_draw(Ensemble *ensemble, int r, uint32_t turn, Error *error);
Status ensemble_momenta_project(Ensemble *ensemble, int r, Error *error);

/* Samples all batches at the current step with the given events. */
Status ensemble_sample(Ensemble *ensemble, const Sampler *sampler, unsigned due, Error *error);

/* Samples some batches only, as ensemble_ready_some. */
Status ensemble_sample_some(Ensemble *ensemble, const bool *which, const Sampler *sampler, unsigned due,
                            Error *error);

/* Steps every replica to `until`. STATUS_RUN with the earliest fault. Splitting into calls changes no bit. */
Status ensemble_run(Ensemble *ensemble, int64_t until, const Sampler *sampler, Error *error);

/* Groups of interacting batches. A group begins with each batch for which `begins` is true (the first batch
 * always begins one), and ends before the next group. */
typedef struct EnsembleGroups {
  void *self;
  int64_t steps; /* steps of each group */
  bool (*begins)(const void *self, int batch);
  Status (*work)(void *self, Ensemble *group, Error *error); /* uses the functions above on the group */
} EnsembleGroups;

/* Calls `work` for the groups of an ensemble of batches of 8 or 16 lanes. As many groups as threads can share
 * evenly run on one thread each, without waiting; the rest runs as one group on all threads. STATUS_RUN with
 * the earliest fault. */
Status ensemble_each_group(Ensemble *ensemble, const EnsembleGroups *groups, Error *error);

/* Calls work(self, i) for i = 0..n-1 on the ensemble's threads, in any order. */
void ensemble_each(const Ensemble *ensemble, int n, void (*work)(void *self, int i), void *self);

/* After a failed call: the last step that all batches complete without a fault, samples included. */
int64_t ensemble_sound(const Ensemble *ensemble);

/* Lists the chunks of a run: states, and data of forces. */
void ensemble_chunks(Ensemble *ensemble, ChunkList *list);

/* Clock and counts summed over threads: see walk_clock and walk_indefinite. */
void ensemble_clock(const Ensemble *ensemble, double seconds[COST_COUNT], int64_t *timed, int64_t *steps);
int64_t ensemble_indefinite(const Ensemble *ensemble);

/* Seconds that threads have worked on batches since the ensemble was made, summed, without waiting at the end
 * of a job and without moves; for a team, with its barriers. *steps: sum over batches. */
double ensemble_worked(const Ensemble *ensemble, int64_t *steps);

/* The number of times that a replica was set back by the constraining sphere. */
int64_t ensemble_refused(const Ensemble *ensemble);

/* The number of barriers that a team on one batch has passed. */
int64_t ensemble_barriers(const Ensemble *ensemble);

#endif
