/* Records the measurements of a run: the columns of each replica (measurement.h), observables, frames and
 * multipliers.
 *
 * Threads measure different batches at the same time, each into its own rows. Rows over all replicas are
 * exact sums, so the numbers depend neither on threads nor on the distribution of replicas. */
#ifndef HOLONOM_SIMULATION_MEASURE_MEASURE_H
#define HOLONOM_SIMULATION_MEASURE_MEASURE_H

#include "observables/evaporation.h"
#include "observables/exact_sum.h"
#include "observables/observable_set.h"
#include "simulation/ensemble/ensemble.h"
#include "simulation/ladder/ladder.h"
#include "simulation/ladder/mixing.h"
#include "simulation/measure/measurement.h"
#include "simulation/parts/samples.h"

enum { MEASURE_THERMO, MEASURE_FRAME, MEASURE_MULTIPLIERS, MEASURE_OBSERVABLES };

enum { MEASURE_ALL = -1 }; /* as CONFIG_ALL */

typedef struct RecorderOptions {
  const Measurement *measurement;
  const Ensemble *ensemble;
  int replicas, ncon;       /* of the simulation */
  Ladder *ladder;           /* values and means are by slot, rows by temperature; NULL: by replica */
  bool brief;               /* for simulation_look: rows have only the shown columns and are not gathered */
  bool energies;            /* observables use those of the ladder */
  bool frame_slots;         /* frames and multipliers by slot too */
  bool velocities, momenta; /* also in frames; at most one of both */
  bool frame_columns;       /* also in frames: the replica's columns */
  bool mixing, evaporation; /* mixing.h, for several replicas without a ladder; evaporation.h */
  ObservableSet *const *observables; /* of all replicas or of each; must outlive this; NULL: none */
  int sets;                          /* number of observable sets */
  ObservableSet *joint;              /* further observables of all replicas, if each has a set; NULL: none */
  int64_t equilibration;             /* steps that are not averaged */
  int64_t thermo_every, frame_every, multipliers_every; /* 0: never */
  int frame_replica, multipliers_replica;               /* MEASURE_ALL: every replica; else one */
} RecorderOptions;

/* One row: over all replicas, or over those at one temperature of a ladder. */
typedef struct MeasureRow {
  int64_t step;
  const ExactSum *sum; /* [columns]; NULL: one replica */
  const double *value; /* [columns] of the one replica */
} MeasureRow;

/* The mean, its standard error, and the largest value. */
double measure_row_mean(const MeasureRow *row, int column);
double measure_row_error(const MeasureRow *row, int column);
double measure_row_top(const MeasureRow *row, int column);

/* Records samples of all batches, and gathers them into rows and means. */
typedef struct Recorder Recorder;

Status measure_create(Recorder **measure, const RecorderOptions *options, Error *error);
void measure_free(Recorder *measure);

/* The sampler for ensemble_run; the interface for runs. */
Sampler measure_sampler(Recorder *measure);
Samples measure_for_run(Recorder *measure);

/* Read the samples gathered since the last flush, in order. Rows and frames are valid until the next
 * sample. */
int measure_rows(const Recorder *measure);
MeasureRow measure_row(const Recorder *measure, int i, int temperature);      /* 0 without a ladder */
int measure_temperatures(const Recorder *measure);                            /* 1 without a ladder */
const double *measure_row_value(const Recorder *measure, int i, int replica); /* [columns] */
int measure_frames(const Recorder *measure);
/* x[natom][dim], ordered by molecule; v[natom][dim], velocities, A per AKMA unit of time, or momenta, or
 * NULL; the shown columns, or NULL. */
typedef struct MeasureFrame {
  int64_t step;
  const double *x, *v, *columns;
  Box box; /* at that step; all zero: open */
} MeasureFrame;
MeasureFrame measure_frame(const Recorder *measure, int i, int r);
int measure_multipliers(const Recorder *measure);
const double *measure_multiplier(const Recorder *measure, int i, int64_t *step); /* [ncon] of molecule 1 */

/* Empties the buffers of one batch. */
void measure_flush_batch(Recorder *measure, int batch);

/* Call it after the last sample, before averages are read: passes the correlation of the energies to the
 * observables. It uses only data of checkpoints, so a resumed run without remaining steps has the same
 * result. */
void measure_conclude(Recorder *measure);

/* Averages after equilibration. */
int64_t measure_samples(const Recorder *measure); /* of each replica */
const Means *measure_means(const Recorder *measure);
/* The correlation of a single replica's series, from the slowest of potential energy, total energy and
 * monitored observables (observable_set_slowest). All errors use blocks long enough for it. */
typedef struct MeasureCorrelation {
  StatisticsCorrelation
      thermo;   /* of the energies, in samples; of several replicas: inefficiency 1, plateau 1 */
  double steps; /* distance of independent samples, inefficiency times the stride; 0: several replicas */
  double independent; /* number of independent samples; without a plateau an upper limit */
  int blocks;         /* number of blocks for errors; 0: errors are from replicas */
} MeasureCorrelation;
MeasureCorrelation measure_correlation(const Recorder *measure);

/* Computes the mean over everything, or at temperature k of a ladder (else 0), with its standard error. The
 * error is from replicas or ladders (NaN for one ladder), or for a single replica from blocks of its series.
 * tau (may be NULL): integrated correlation time of a series in samples, else NAN. */
void measure_mean(const Recorder *measure, int column, int k, double *mean, double *err, double *tau);

/* NULL: not requested. */
const Mixing *measure_mixing(const Recorder *measure);

/* The first molecule that left replica r, tested at each thermo sample; step -1: no molecule left. */
EvaporationEvent measure_evaporation(const Recorder *measure, int r);

#endif
