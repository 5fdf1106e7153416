/* Records what a run measures on the way: the columns of every replica (measurement.h), observables, frames,
 * multipliers.
 *
 * Batches are measured by different threads at the same time, each into rows of its own; rows over all
 * replicas are sums without rounding, so that neither threads nor the sharing out of replicas is in the
 * numbers. */
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
  int replicas, ncon; /* of the simulation                                                     */
  Ladder *ladder;     /* values and means are then by slot, rows by temperature; NULL: by replica, of all */
  bool brief;    /* for simulation_look: rows have the columns that are shown alone, and are not gathered */
  bool energies; /* observables want those of the ladder                                  */
  bool frame_slots;         /* frames and multipliers by slot, too                                   */
  bool velocities, momenta; /* in frames, one of them                                        */
  bool frame_columns;       /* there, too: those of the replica                              */
  bool mixing, evaporation; /* wanted: mixing.h, of several replicas without a ladder; evaporation.h */
  ObservableSet *const *observables; /* of all replicas together or each, borrowed; NULL: none */
  int sets;                          /* of these */
  int64_t equilibration;             /* steps not averaged                                         */
  int64_t thermo_every, frame_every, multipliers_every; /* 0: never */
  int frame_replica, multipliers_replica;               /* MEASURE_ALL: of every one; one          */
} RecorderOptions;

/* One row: over the replicas, or those at one temperature of a ladder. */
typedef struct MeasureRow {
  int64_t step;
  const ExactSum *sum; /* [columns]; NULL: of one replica */
  const double *value; /* [columns] its own               */
} MeasureRow;

/* The mean with its standard error, and the largest value. */
double measure_row_mean(const MeasureRow *row, int column);
double measure_row_error(const MeasureRow *row, int column);
double measure_row_top(const MeasureRow *row, int column);

/* Records the samples of all batches, and gathers them into rows and means. */
typedef struct Recorder Recorder;

Status measure_create(Recorder **measure, const RecorderOptions *options, Error *error);
void measure_free(Recorder *measure);

/* The callbacks to hand to ensemble_run; and all that a run calls. */
Sampler measure_sampler(Recorder *measure);
Samples measure_for_run(Recorder *measure);

/* What was gathered and buffered since the last flush, in order. Rows and frames stay valid until the next
 * sample. */
int measure_rows(const Recorder *measure);
MeasureRow measure_row(const Recorder *measure, int i, int temperature);      /* 0 without a ladder */
int measure_temperatures(const Recorder *measure);                            /* 1 without a ladder */
const double *measure_row_value(const Recorder *measure, int i, int replica); /* [columns] */
int measure_frames(const Recorder *measure);
/* x[natom][dim], in the order of molecules; v likewise, velocities, A per AKMA time, or momenta, and the
 * columns that are shown, or NULL. */
typedef struct MeasureFrame {
  int64_t step;
  const double *x, *v, *columns;
  Box box; /* of that step; all zero: open */
} MeasureFrame;
MeasureFrame measure_frame(const Recorder *measure, int i, int r);
int measure_multipliers(const Recorder *measure);
const double *measure_multiplier(const Recorder *measure, int i, int64_t *step); /* [ncon] of molecule 1 */

/* Empties the buffers of one batch. */
void measure_flush_batch(Recorder *measure, int batch);

/* After the last sample, before averages are read: observables learn how slow the energies are. What they
 * learn is found from what is in checkpoints, also where a run that goes on has no step left. */
void measure_conclude(Recorder *measure);

/* Averages after equilibration. */
int64_t measure_samples(const Recorder *measure); /* of each replica   */
const Means *measure_means(const Recorder *measure);
/* How correlated a single replica's series are, by the slowest of potential energy, total energy and what
 * observables monitor (observable_set_slowest): all errors are from blocks that are long enough for it. */
typedef struct MeasureCorrelation {
  StatisticsCorrelation thermo; /* in samples of the energies; of replicas: inefficiency 1, plateau 1 */
  double steps;       /* from one independent sample to the next, inefficiency times the samples' distance;
                         0: of replicas */
  double independent; /* samples; without a plateau at most that many */
  int blocks;         /* that errors are from; 0: from replicas */
} MeasureCorrelation;
MeasureCorrelation measure_correlation(const Recorder *measure);

/* Mean over everything, or at temperature k of a ladder (else 0), and its standard error: over the replicas,
 * or the ladders, whose errors are NaN where there is one alone; for a single replica by blocks of its time
 * series. tau, which may be NULL: integrated correlation time in samples (series only, else NAN). */
void measure_mean(const Recorder *measure, int column, int k, double *mean, double *err, double *tau);

/* NULL: not wanted. */
const Mixing *measure_mixing(const Recorder *measure);

/* The first molecule that left replica r (looked for with every thermo sample); step -1 if none did. */
EvaporationEvent measure_evaporation(const Recorder *measure, int r);

#endif
