/* The struct of an ensemble, and functions that its source files share. */
#ifndef HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_PRIVATE_H
#define HOLONOM_SIMULATION_ENSEMBLE_ENSEMBLE_PRIVATE_H

#include "base/arena.h"
#include "engine/crew.h"
#include "simulation/ensemble/ensemble.h"

/* A thread's time and earliest fault. */
typedef struct Worker {
  Error error;
  Status status;
  double seconds; /* working time since the ensemble was made, and its number of steps of a batch */
  int64_t steps;
  double ran, wanted;  /* s of a team's last job: on a core, and needing one */
  int64_t failed_step; /* step that failed, or after which a sample failed */
  int failed_batch;
} Worker;

/* The next stage of a job on a batch: walk_batch. */
typedef enum Stage { STAGE_BEGIN, STAGE_READY, STAGE_STEPS, STAGE_WALK, STAGE_SAMPLE, STAGE_DONE } Stage;

typedef struct Progress {
  Stage stage;
  int64_t step, stop; /* reached; the next event */
  unsigned due;       /* events at `stop` */
} Progress;

/* The size of a team, by its members' share of the cores. */
typedef struct TeamSize {
  int now;            /* members; 0: all */
  bool trial;         /* has just grown */
  double ran, wanted; /* s of all members since the last check */
  double since;       /* s of these jobs; s since the team shrank */
  double small;
  double delay; /* s until it grows again */
} TeamSize;

/* Forces may depend on one state, and walks on forces. Batches of several lanes leave no data in their
 * forces, so each thread has one field and one walk for all its batches. Batches of one replica have their
 * own, and so have batches that wait for each other because a callback receives all replicas at once. A team
 * has one field, and a walk for each member. */
struct Ensemble {
  EnsembleOptions options;
  Arena arena;    /* of the arrays below */
  int nbatch;     /* number of all batches */
  int base, held; /* first in memory, and number */
  int first, end; /* active batches */
  State **batch;  /* [held] */
  Box *box;       /* [held] box of the forces */
  Box *chosen;    /* [held] boxes that open settings (mesh, beta, buffer) are to be chosen for, ... */
  Box *choice;    /* ... and were chosen for; a change of the box preserves the settings */
  int nworker, nwalk, nfield;
  Worker *worker;
  Walk **walk;
  ForceField *field;
  Progress *progress; /* [held] */
  bool team;          /* all workers on one batch */
  bool apart;         /* a walk and forces for each batch */
  bool together;      /* all batches stop at the same forces: external_together */
  bool eager;         /* threads are awake, and all take part in any job */
  Crew *crew;         /* the threads; NULL: only the calling one */
  TeamSize size;      /* of the team */
  double begun;       /* s and steps of all workers at the beginning of the last job */
  int64_t begun_steps;
  double pace;         /* approximate s of one thread for a step of a batch; 0: unknown */
  double wall[2];      /* s of wall time for such a step with one thread, or all; 0: unknown */
  unsigned jobs;       /* since the last trial of the slower way */
  TeamBarrier barrier; /* of the team */
  State **kept;        /* [held] batches at the last multiple of radius_every; NULL: no sphere */
  int64_t *refused;    /* [held] steps of replicas that the sphere rejected */
  int64_t *indefinite; /* [held] solves with an indefinite matrix during the run */
};

/* Work for all batches of an ensemble, or some. */
typedef struct Job {
  int64_t until; /* or -1: no steps */
  bool draw;     /* draw momenta first */
  bool project;  /* project the present momenta */
  bool prepare;  /* compute forces first */
  unsigned due;  /* events to sample at the start */
  const Sampler *sampler;
  const bool *only; /* [held] selected batches; NULL: all */
} Job;

/* ensemble_work.c. all: runs a job; its error is the earliest fault. note: records a worker's fault in a step
 * of a batch. fault: the earliest fault, or NULL. forget: clears all faults. tell: returns the earliest fault
 * as an error. */
Status ensemble_work_all(Ensemble *e, const Job *job, Error *error);
void ensemble_work_note(Worker *worker, Status status, const Error *error, int batch, int64_t step);
const Worker *ensemble_work_fault(const Ensemble *e);
void ensemble_work_forget(Ensemble *e);
Status ensemble_work_tell(const Ensemble *e, Error *error);

/* ensemble_pace.c. useful: the number of useful threads. workers: the number of threads for a job that begins
 * now. learn: records the duration of a job. steps: the length of a team's job, after which the team may be
 * resized. */
int ensemble_pace_useful(const Ensemble *e);
int ensemble_pace_workers(Ensemble *e, int batches, int64_t steps);
void ensemble_pace_learn(Ensemble *e, int workers, double seconds);
int64_t ensemble_pace_steps(const Ensemble *e);

/* The walk for a batch on the worker with this index. */
static inline Walk *ensemble_walk(const Ensemble *e, int worker, int batch)
{
  return e->walk[e->apart ? batch - e->base : worker];
}

#endif
