/* What an ensemble consists of. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_PRIVATE_H
#define HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_PRIVATE_H

#include "base/arena.h"
#include "engine/crew.h"
#include "simulation/ensemble/ensemble.h"

/* The earliest fault that a thread has met. */
typedef struct Worker {
  Error error;
  Status status;
  double seconds; /* at work since the ensemble was made, and how many steps of a batch they were */
  int64_t steps;
  double ran, wanted;  /* s of the last job of a team: on a core, and those in which it wanted one */
  int64_t failed_step; /* in which it happened, or after which a sample could not be taken */
  int failed_batch;
} Worker;

/* What is next of a job on a batch: walk_batch. */
typedef enum Stage { STAGE_BEGIN, STAGE_READY, STAGE_STEPS, STAGE_WALK, STAGE_SAMPLE, STAGE_DONE } Stage;

typedef struct Progress {
  Stage stage;
  int64_t step, stop; /* reached, and where something is due next */
  unsigned due;       /* there                                    */
} Progress;

/* How large a team is, by what its members get of the cores. */
typedef struct TeamSize {
  int now;            /* members; 0: all */
  bool trial;         /* it has just grown */
  double ran, wanted; /* s of all members since it was looked at last */
  double since;       /* seconds of these jobs, and since it was made smaller */
  double small;
  double delay; /* s before it is made larger again */
} TeamSize;

/* Forces may belong to one state for good, and walks with them. Batches of several lanes keep nothing in
 * their forces: a thread has one of each for all batches that it gets. States of one replica each have their
 * own, whichever thread gets them, and so have batches that wait for each other where a function of the
 * caller's wants all replicas at once; and a team has one of forces, and a walk for each member. */
struct Ensemble {
  EnsembleOptions options;
  Arena arena;    /* of the arrays below */
  int nbatch;     /* of the whole                   */
  int base, held; /* the first in memory, how many  */
  int first, end; /* those that are worked on       */
  State **batch;  /* [held]                         */
  Box *box;       /* [held] that forces are made for */
  Box *chosen;    /* [held] that they are to be chosen for, and that they were chosen for: what the input */
  Box *choice;    /* leaves open (mesh, beta, buffer) stays where the box changes                         */
  int nworker, nwalk, nfield;
  Worker *worker;
  Walk **walk;
  ForceField *field;
  Progress *progress; /* [held] */
  bool team;          /* all workers on one batch */
  bool apart;         /* a walk and forces for each batch */
  bool together;      /* all batches stand at the same forces: external_together */
  bool eager;         /* threads are awake, and all take part in any job */
  Crew *crew;         /* the threads; NULL: the caller's alone */
  TeamSize size;      /* of a team */
  double begun;       /* seconds and steps of all workers when the last job began */
  int64_t begun_steps;
  double pace; /* seconds of one thread for a step of a batch, roughly; 0: not known yet */
  double
      wall[2];   /* seconds that pass for such a step where one thread is at work, or all; 0: not known yet */
  unsigned jobs; /* between which it was chosen */
  TeamBarrier barrier; /* of theirs */
  State **kept; /* [held] as batches were at the last multiple of radius_every; NULL: there is no sphere */
  int64_t *refused;    /* [held] steps of replicas that were not taken, for the sphere */
  int64_t *indefinite; /* [held] solves with a matrix that was not positive definite, from the run's first
                        * step on */
};

/* What all batches of an ensemble, or some, are to do. */
typedef struct Job {
  int64_t until; /* or -1: sample only                                    */
  bool draw;     /* momenta first                                         */
  bool project;  /* those that are there, onto constraints and so on      */
  bool prepare;  /* forces first                                          */
  unsigned due;  /* events to sample at the start                         */
  const Sampler *sampler;
  const bool *only; /* [held] batches that it is for; NULL: all             */
} Job;

/* ensemble_work.c: a job; its errors are the first fault of all. Faults are noted by worker: one of a step of
 * a batch; the first (NULL: none); that of all workers since the last one was forgotten. */
Status ensemble_work_all(Ensemble *e, const Job *job, Error *error);
void ensemble_work_note(Worker *worker, Status status, const Error *error, int batch, int64_t step);
const Worker *ensemble_work_fault(const Ensemble *e);
void ensemble_work_forget(Ensemble *e);
Status ensemble_work_tell(const Ensemble *e, Error *error);

/* ensemble_pace.c: how many threads are of use at all; how many take part in a job of some steps of some
 * batches, which begins now; and how long it lasted. Steps of a team that are done as one job, so that it can
 * be made smaller or larger in between. */
int ensemble_pace_useful(const Ensemble *e);
int ensemble_pace_workers(Ensemble *e, int batches, int64_t steps);
void ensemble_pace_learn(Ensemble *e, int workers, double seconds);
int64_t ensemble_pace_steps(const Ensemble *e);

/* The walk that takes a batch, of the worker with this number. */
static inline Walk *ensemble_walk(const Ensemble *e, int worker, int batch)
{
  return e->walk[e->apart ? batch - e->base : worker];
}

#endif
