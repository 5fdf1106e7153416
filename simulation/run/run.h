/* What a run into a folder consists of. The one loop for all runs is simulation_run.c.
 *
 * Of a sort it knows writers (writer.h: rows, one a file, with a stride at which the run stops for it, or
 * none, where it writes what was sampled) and its measurement (measurement.h). Samples are taken by the
 * threads while they step, into buffers that are emptied after every stretch, and count once every process
 * has its part of them. How far a file had come is a mark, of which a checkpoint has an array; a row that is
 * due only because the run ends comes after the last one. The pace of stretches follows the clock, a quarter
 * of a second, so that flags and files are looked at often enough. */
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

/* Of one of the processes that share out a run. */
typedef struct RunShare {
  int64_t steps;
  int first, last;          /* replicas                                     */
  double stepping, waiting; /* seconds in steps, and then for other processes */
} RunShare;

enum { RUN_TABLES = 3 }; /* of rows, at most */

/* What the times of a table are in: the name of its column, " ps" behind a number, and how many of these are
 * one of the input's. */
typedef struct RunClock {
  const char *name, *unit;
  double per;
} RunClock;

typedef struct Multipliers Multipliers;

struct Run {
  Simulation *s;
  const SimulationRun *options;
  int first, last; /* replicas that this run takes steps of */
  bool resume;     /* there is a checkpoint in the folder */
  Parts *parts;    /* that are put together, in place of steps; NULL: none */
  void *own;       /* the sort's */
  Samples samples; /* taken in the steps */
  /* Of record.h. */
  Recorder *measure;
  int ntable;
  struct RecordTable *table[RUN_TABLES];
  const RunClock *clock;    /* that they go by */
  Multipliers *multipliers; /* NULL: off */
  int multiplied;           /* the replica or slot that they are of */
  int nwriter;
  Writer *writer;
  ChunkList chunks; /* all that a checkpoint holds */
  bool keeps_good;  /* copies of the states are kept for the sort's `leave` */
  /* At work. */
  RunFolder *folder;
  Text *log;
  WriterMark *mark;   /* [nwriter] of the last checkpoint                          */
  EnsembleCopy *good; /* of the batches before the present stretch of steps; NULL: none is kept */
  bool kept;          /* there are such copies                                     */
  struct Rewind *rewind;
  int *bound; /* [processes + 1] the first batch of each, and the end; NULL: one process */
  Progress progress;
  RunTimes times;
  RunShare share;    /* what this process has done itself                        */
  double began;      /* as if the run had not been interrupted                   */
  int64_t saved;     /* the step of the last checkpoint; -1: there is none       */
  double saved_time; /* when                                                     */
  double flushed;    /* when files were                                          */
  char contents[512];
  Sampling *sampling;       /* of observables; NULL: none */
  ResultSet observed;       /* what they gave             */
  ResultSet results;        /* what it leaves, filled when it ends (report.h) */
  MbarEstimates *estimates; /* of a ladder of temperatures, made with its results; NULL: none */
  double *free_energies;    /* [2 states] of a ladder with parameters, and their errors; NULL: none */
  /* How it ended. */
  Status status;
  const char *message; /* what went wrong, or NULL */
};

/* Adds a file; the row is copied. STATUS_MEMORY. */
Status run_add(Run *run, const Writer *writer, Error *error);

/* What a checkpoint of this run has to fit. */
CheckpointOf run_checkpoint(const Run *run);

/* A picture that was drawn, or not, for `why`, which is a remark on the terminal and in the log:
 * picture_outcome. */
Status run_picture(const Run *run, Status drawn, const Error *why, Error *error);

/* Prints a line to the log and to the terminal. */
void run_remark(const Run *run, const char *of, const char *text);

#endif
