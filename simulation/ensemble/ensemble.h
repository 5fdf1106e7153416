/* All replicas of a run: batches of one vector width, threads over batches; or, where there is one replica by
 * itself, a team of threads on it. What is measured on the way is somebody else's: see Sampler. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_H
#define HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_H

#include "engine/force.h"
#include "forcefields/external.h"
#include "integrators/sample.h"

enum { EVENTS_MAX = 7 };

/* The next multiple of a stride after a step; INT64_MAX: there is none. */
static inline int64_t ensemble_next(int64_t step, int64_t every)
{
  return step / every < INT64_MAX / every ? (step / every + 1) * every : INT64_MAX;
}

/* Called when a batch's step is a multiple of some event's stride (not at step 0 unless asked through
 * ensemble_sample). Batches are sampled by different threads at the same time, one batch by one thread; in
 * team mode all threads of the team call it together, and get the same status. due has bit i set for event i.
 */
typedef struct Sampler {
  void *self;
  int64_t every[EVENTS_MAX]; /* strides; 0: never                                    */
  unsigned energies;         /* bit i set: event i asks for energies (walk_energies) */
  Status (*sample)(void *self, unsigned due, int batch, const Sample *sample, Error *error);
} Sampler;

/* Makes the forces for one shape of state. */
typedef struct FieldMaker {
  const void *self;
  Status (*make)(const void *self, const State *shape, ForceField *field, Error *error);
} FieldMaker;

typedef struct EnsembleOptions {
  const Plan *plan;
  const Topology *topology; /* of the plan's kinds: molecules and the blocks of the states */
  Box box;                  /* periodic box of all replicas; all zero: open clusters     */
  int replicas;             /* 1, or any number: rounded up to whole batches               */
  int width;      /* of a batch: 8 or 16; 1 for replicas that are each by itself, as in periodic boxes */
  int first, end; /* batches that are in memory, from first up to before end; 0, 0: all */
  int threads;
  uint64_t seed;
  double radius;         /* of the constraining sphere of open clusters (confine.h), A; 0: none */
  int64_t radius_every;  /* steps between looks at it; momenta are changed from outside at multiples of it */
  RandomPurpose purpose; /* of the noise and, by it, of the momenta; 0: RANDOM_THERMOSTAT */
  FieldMaker maker;
  External *external; /* what the fields' forces from outside are of; NULL: there are none */
} EnsembleOptions;

typedef struct Ensemble Ensemble;

/* Errors: those of making states, forces and walks. */
Status ensemble_create(Ensemble **ensemble, const EnsembleOptions *options, Error *error);
void ensemble_free(Ensemble *ensemble);

int ensemble_replicas(const Ensemble *ensemble); /* after rounding up                 */
int ensemble_batches(const Ensemble *ensemble);
int ensemble_base(const Ensemble *ensemble); /* the first batch in memory          */
int ensemble_held(const Ensemble *ensemble); /* how many are                      */
int ensemble_width(const Ensemble *ensemble);
int64_t ensemble_step(const Ensemble *ensemble);            /* that all have reached */
int ensemble_workers(const Ensemble *ensemble);             /* threads that are of use */
Sample ensemble_at(const Ensemble *ensemble, int batch);    /* one in memory, where it stands */
const ForceField *ensemble_field(const Ensemble *ensemble); /* the first, of the first batch */
const ForceField *ensemble_forces(const Ensemble *ensemble,
                                  int batch); /* of one replica by itself, in memory */
const Topology *ensemble_topology(const Ensemble *ensemble);

/* Constraints of a kind, or of its Hamiltonian; of a molecule of this sort, all its groups' one after the
 * other; and their multipliers after the last step (walk_multipliers), of molecule m in replica lane r. */
int ensemble_kind_constraints(const Kind *kind);
int ensemble_constraints(const TopologySort *sort);
void ensemble_multipliers(const TopologySort *sort, int m, const Sample *sample, int r, double *lambda);

/* Replicas and batches are numbered in the whole, of which a process may hold some batches in memory; arrays
 * of one element a batch have place for those, the first for ensemble_base.
 *
 * Of these the calls below work on batches `first` up to before `end`: at first on all. Others stay as they
 * are, and are left out of ensemble_step. */
void ensemble_set_range(Ensemble *ensemble, int first, int end);
int ensemble_first(const Ensemble *ensemble);
int ensemble_end(const Ensemble *ensemble);

/* All replicas at x[natom][dim], in the order of molecules (topology.h); momenta drawn from the Maxwellian;
 * forces computed. Errors of this and the four below: those of the forces. */
Status ensemble_start(Ensemble *ensemble, const double *x, Error *error);

/* The same from n starts, x[n] and p[n], of which replica r takes number r % n: momenta p are put onto the
 * space that the plan moves in; NULL: they are drawn (maxwell), or zero. */
Status ensemble_start_each(Ensemble *ensemble, int n, const double *x, const double *p, bool maxwell,
                           Error *error);

/* Replica r alone, p[natom][dim] too (tests, restarts); ensemble_ready computes forces after. */
void ensemble_set(Ensemble *ensemble, int r, const double *x, const double *p);
void ensemble_get(const Ensemble *ensemble, int r, double *x, double *p);
Status ensemble_ready(Ensemble *ensemble, Error *error);

/* The same for some batches alone: which[held]; NULL: all. */
Status ensemble_ready_some(Ensemble *ensemble, const bool *which, Error *error);

/* A field of replica r in the order of molecules, or its momenta block after block (sample_coordinates); and
 * its momenta times a factor, with work that the bath has done (state_scale_momenta). ensemble_ready computes
 * forces after. */
void ensemble_set_field(Ensemble *ensemble, int r, StateField field, const double *x);
void ensemble_set_momenta(Ensemble *ensemble, int r, const double *p);
void ensemble_scale_momenta(Ensemble *ensemble, int r, double by, double work);

/* Molecules of replica r (width 1) move as wholes, their centres of mass from x to x map. */
void ensemble_map(Ensemble *ensemble, int r, const double map[3][3]);

/* Copies of all batches in memory, forces too: of one, or of all that are worked on, by all threads. A copy
 * goes back to its batch, is read as a sample, and is listed as chunks. */
typedef struct EnsembleCopy EnsembleCopy;
Status ensemble_copy_create(EnsembleCopy **copy, const Ensemble *ensemble, Error *error);
void ensemble_copy_free(EnsembleCopy *copy); /* NULL is fine */
void ensemble_copy_take(EnsembleCopy *copy, int batch);
void ensemble_copy_take_all(EnsembleCopy *copy);
void ensemble_copy_return(const EnsembleCopy *copy, int batch);
Sample ensemble_copy_at(const EnsembleCopy *copy, int batch);
void ensemble_copy_chunks(const EnsembleCopy *copy, int batch, ChunkList *list);

/* Callers' functions that want all replicas in one call get them as they are (external_ask). */
void ensemble_ask(const Ensemble *ensemble);

/* Forces for some batches, as ensemble_ready_some, and a sample of them there, whose energies come with the
 * forces where the sampler's `energies` say so. */
Status ensemble_ready_sample(Ensemble *ensemble, const bool *which, const Sampler *sampler, unsigned due,
                             Error *error);

/* Another box for a replica that is by itself (width 1), and the forces on it: force_field_set_box. Forces
 * are computed by ensemble_ready. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status ensemble_set_box(Ensemble *ensemble, int r, const Box *box, Error *error);

/* What the input leaves open of a replica's forces (width 1), chosen anew for a box, which need not be that
 * of now; forces are computed by ensemble_ready. Errors: those of making forces. */
Status ensemble_choose_forces(Ensemble *ensemble, int r, const Box *box, Error *error);

/* The box that they were chosen for. */
const Box *ensemble_choice(const Ensemble *ensemble, int batch);

/* After a restore: forces for the boxes of the states, and as they were chosen, where they are others than
 * before. */
Status ensemble_follow_boxes(Ensemble *ensemble, bool *changed, Error *error);

/* Temperatures by replica: the noise of replica r, and the momenta that are drawn for it, are `scale` =
 * sqrt(kT / kT of the plan) times those at the plan's, at first 1. */
void ensemble_set_noise(Ensemble *ensemble, int r, double scale);

/* Draws momenta from the Maxwellian at the present positions; forces computed. */
Status ensemble_draw(Ensemble *ensemble, Error *error);

/* Momenta of one replica alone: drawn at its temperature, others for each `turn` of the same step (0: those
 * of ensemble_draw); or those that it has put onto the space that the plan moves in. Errors: STATUS_MEMORY.
 */
Status ensemble_momenta_draw(Ensemble *ensemble, int r, uint32_t turn, Error *error);
Status ensemble_momenta_project(Ensemble *ensemble, int r, Error *error);

/* Samples all batches at the current step with the given events. */
Status ensemble_sample(Ensemble *ensemble, const Sampler *sampler, unsigned due, Error *error);

/* The same for some batches alone, as ensemble_ready_some. */
Status ensemble_sample_some(Ensemble *ensemble, const bool *which, const Sampler *sampler, unsigned due,
                            Error *error);

/* Every replica goes on to step `until`. STATUS_RUN with the earliest fault of all. Where the calls are cut
 * changes no bit. */
Status ensemble_run(Ensemble *ensemble, int64_t until, const Sampler *sampler, Error *error);

/* Batches that have to do with each other: with each of these a group begins (`begins`, asked of all but the
 * first), which goes on up to before the next. */
typedef struct EnsembleGroups {
  void *self;
  int64_t steps; /* that each takes */
  bool (*begins)(const void *self, int batch);
  Status (*work)(void *self, Ensemble *group, Error *error); /* calls what is above with the group */
} EnsembleGroups;

/* `work` for groups of an ensemble of batches of 8 or 16 lanes: as many as threads can share evenly are each
 * one thread's, which waits for no other; then the rest, as one group, is that of all threads. STATUS_RUN
 * with the earliest fault of all that were at work. */
Status ensemble_each_group(Ensemble *ensemble, const EnsembleGroups *groups, Error *error);

/* work(self, i) for i = 0..n-1, by the ensemble's threads as they get to them. */
void ensemble_each(const Ensemble *ensemble, int n, void (*work)(void *self, int i), void *self);

/* The last step that all batches reach without a fault, samples included, if the last call failed. */
int64_t ensemble_sound(const Ensemble *ensemble);

/* Lists all that changes in a run: states, and what forces keep. */
void ensemble_chunks(Ensemble *ensemble, ChunkList *list);

/* Clock and counts added up over threads: see walk_clock and walk_indefinite. */
void ensemble_clock(const Ensemble *ensemble, double seconds[COST_COUNT], int64_t *timed, int64_t *steps);
int64_t ensemble_indefinite(const Ensemble *ensemble);

/* Seconds that threads have been at work with batches since the ensemble was made, added up, without those in
 * which one waits for the others to end a job, or makes moves; of a team on one batch with its barriers.
 * *steps: of a batch each. */
double ensemble_worked(const Ensemble *ensemble, int64_t *steps);

/* How often a replica went back, since a molecule had left the constraining sphere. */
int64_t ensemble_refused(const Ensemble *ensemble);

/* Barriers that a team on one batch has passed. */
int64_t ensemble_barriers(const Ensemble *ensemble);

#endif
