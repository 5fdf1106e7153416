/* A run into a folder; simulation_run.c has the loop of all runs.
 *
 * A run uses writers (writer.h: one for each file) and the sort's measurement (measurement.h). A writer has a
 * stride at which the run stops for it, or writes samples. Threads take samples while they step, into buffers
 * that are emptied after every stretch; samples count once every process has its part of them. A mark records
 * the length of a file; checkpoints contain all marks. A final row that is due only because the run ends
 * follows the last checkpoint. Stretches last about a quarter of a second, so that flags and files are
 * checked often enough. */
#ifndef HOLONOM_SIMULATION_RUN_RUN_H
#define HOLONOM_SIMULATION_RUN_RUN_H

#include "base/progress.h"
#include "observables/mbar_estimates.h"
#include "results/results.h"
#include "simulation/measure/measure.h"
#include "simulation/parts/parts.h"
#include "simulation/run/run_folder.h"
#include "simulation/run/writer.h"
#include "simulation/sampling.h"
#include "simulation/simulation_private.h"

/* The work of one of several processes. */
typedef struct RunShare {
  int64_t steps;
  int first, last;          /* replicas */
  double stepping, waiting; /* s in steps, and waiting for other processes */
} RunShare;

enum { RUN_TABLES = 3 }; /* limit of tables of rows */

/* The time unit of tables: column name, suffix (" ps"), and its number per unit of the input. */
typedef struct RunClock {
  const char *name, *unit;
  double per;
} RunClock;

typedef struct Multipliers Multipliers;

struct Run {
  Simulation *s;
  const SimulationRun *options;
  int first, last; /* replicas that this run steps */
  bool resume;     /* the folder has a checkpoint */
  Parts *parts;    /* merged in place of steps; NULL: none */
  void *own;       /* data of the sort */
  Samples samples; /* taken while stepping */
  /* Used by record.h. */
  Recorder *measure;
  int ntable;
  struct RecordTable *table[RUN_TABLES];
  const RunClock *clock;    /* time unit of the tables */
  Multipliers *multipliers; /* NULL: not requested */
  int multiplied;           /* replica or slot of the multipliers */
  int nwriter;
  Writer *writer;
  ChunkList chunks; /* all data of a checkpoint */
  bool keeps_good;  /* copies of the states are stored for the sort's `leave` */
  /* During a run. */
  RunFolder *folder;
  Text *log;
  WriterMark *mark;   /* [nwriter] at the last checkpoint */
  EnsembleCopy *good; /* batches before the present stretch of steps; NULL: not stored */
  bool kept;          /* `good` has been filled */
  struct Rewind *rewind;
  int *bound; /* [processes + 1] first batch of each, and the end; NULL: one process */
  Progress progress;
  RunTimes times;
  RunShare share;    /* work of this process */
  double began;      /* as if the run had not been interrupted */
  int64_t saved;     /* step of the last checkpoint; -1: no checkpoint */
  double saved_time; /* its time */
  double flushed;    /* time of the last flush of files */
  char contents[512];
  Sampling *sampling;            /* observables; NULL: none */
  ResultSet observed;            /* their results */
  ResultSet results;             /* all results, filled at the end (report.h) */
  MbarEstimates *estimates;      /* of a ladder of temperatures, made with its results; NULL: none */
  double *free_energies;         /* [2 states] of a ladder of states, with errors; NULL: none */
  struct Decoupling *decoupling; /* of a ladder of alchemical states; NULL: none */
  double *volumes; /* [2 states] mean volumes of a ladder at constant pressure, with errors; NULL: none */
  /* The end of the run. */
  Status status;
  const char *message; /* of a fault, or NULL */
};

/* Adds a file; the row is copied. STATUS_MEMORY. */
Status run_add(Run *run, const Writer *writer, Error *error);

/* The data that a checkpoint of this run must match. */
CheckpointOf run_checkpoint(const Run *run);

/* Handles the status of drawing a picture: a failure is a remark on the terminal and in the log
 * (picture_outcome). */
Status run_picture(const Run *run, Status drawn, const Error *why, Error *error);

/* Prints a line to the log and the terminal. */
void run_remark(const Run *run, const char *of, const char *text);

#endif
