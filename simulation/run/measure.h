/* What a run measures on the way: energies and momenta of every replica, distances, frames, multipliers.
 *
 * Gangs are measured by different threads at the same time, each into rows of its own; rows over all replicas
 * are sums without rounding, so that neither threads nor the sharing out of replicas is in the numbers. */
#ifndef HOLONOM_SIMULATION_RUN_MEASURE_H
#define HOLONOM_SIMULATION_RUN_MEASURE_H

#include "observables/observable_set.h"
#include "simulation/ensemble.h"
#include "simulation/ladder/ladder.h"
#include "simulation/ladder/mixing.h"
#include "simulation/molecules/evaporation.h"
#include "simulation/molecules/pressure.h"
#include "simulation/run/means.h"
#include "simulation/run/rewind.h"

enum { MEASURE_THERMO, MEASURE_FRAME, MEASURE_MULTIPLIERS, MEASURE_OBSERVABLES };
enum { COLUMNS_MAX = 18 + FORCE_TERMS + 2 * (1 + PRESSURE_COMPONENTS) };

enum { MEASURE_ALL = -1 }; /* as CONFIG_ALL */

typedef struct MeasureOptions {
  const Plan *plan;
  const Ensemble *ensemble;
  Ladder *ladder;   /* values and means are then by slot, rows by temperature; NULL: by replica, of all */
  bool energies;    /* observables want those of the ladder */
  bool frame_slots; /* frames and multipliers by slot, too */
  const int *nmol;  /* of each kind                                                      */
  bool periodic;    /* with pressures, without angular momenta and evaporation           */
  bool by_molecule, by_atom;         /* pressures wanted                                        */
  bool constrained;                  /* exactly                                                 */
  bool excess;                       /* of penalties, over their strain: penalty_filters         */
  bool velocities;                   /* in frames                                               */
  bool frame_columns;                /* there, too: those of the replica                        */
  ObservableSet *const *observables; /* of all replicas together or each, borrowed; NULL: none */
  int sets;                          /* of these */
  double kT_per_kelvin;              /* Boltzmann's constant                                        */
  int64_t equilibration;             /* steps not averaged                                         */
  int64_t thermo_every, frame_every, multipliers_every; /* 0: never */
  int frame_replica;                                    /* MEASURE_ALL: of every one */
} MeasureOptions;

/* Columns of one sample of one replica. */
typedef struct Columns {
  int n;
  const char *name[COLUMNS_MAX], *unit[COLUMNS_MAX];
  int kinetic, nonbonded, penalty, total, conserved, temperature, largest; /* where those are */
  int excess;      /* of penalties: what they hold beyond their strain (walk_penalty_strain); -1: not there */
  int unbiased;    /* of the temperature right after O; -1: not there (oscillator_unbiased) */
  int pressure[2]; /* by molecule and by atom, six components behind each; -1: not there */
  int momenta;     /* the first of px, py, pz, and of clusters lx, ly, lz: the last ones  */
} Columns;

/* One row of thermo.csv: the mean over replicas (at one temperature of a ladder), its standard error, and the
 * largest value. */
typedef struct ThermoRow {
  int64_t step;
  double mean[COLUMNS_MAX], error[COLUMNS_MAX], top[COLUMNS_MAX];
} ThermoRow;

typedef struct Measure Measure;

/* Those of a run with such forces. */
Columns measure_columns_make(const MeasureOptions *options, const ForceField *field);

/* Energies, temperatures and pressures without their terms and components, in the order of their names: how
 * many, and where they are. */
enum { COLUMNS_WHOLE = 9 };
int measure_columns_whole(const Columns *columns, int column[COLUMNS_WHOLE]);

Status measure_create(Measure **measure, const MeasureOptions *options, Error *error);
void measure_free(Measure *measure);

/* The callbacks to hand to ensemble_run; and all that a run calls. */
Sampler measure_sampler(Measure *measure);
Samples measure_for_run(Measure *measure);

const Columns *measure_columns(const Measure *measure);

/* What was gathered and buffered since the last flush, in order. Rows and frames stay valid until the next
 * sample. */
int measure_rows(const Measure *measure);
ThermoRow measure_row(const Measure *measure, int i, int temperature);       /* 0 without a ladder */
int measure_temperatures(const Measure *measure);                            /* 1 without a ladder */
const double *measure_row_value(const Measure *measure, int i, int replica); /* [columns] */
int measure_frames(const Measure *measure);
/* x [nmol][nsite][dim], kind after kind; velocities, A per AKMA time, and [columns], or NULL. */
typedef struct MeasureFrame {
  int64_t step;
  const double *x, *v, *columns;
} MeasureFrame;
MeasureFrame measure_frame(const Measure *measure, int i, int r);
int measure_multipliers(const Measure *measure);
const double *measure_multiplier(const Measure *measure, int i, int64_t *step); /* [ncon] of molecule 1 */

/* Empties the buffers, all or those of one gang. */
void measure_flush(Measure *measure);
void measure_flush_gang(Measure *measure, int gang);

/* After the last sample, before averages are read: observables learn how slow the energies are. What they
 * learn is found from what is in checkpoints, also where a run that goes on has no step left. */
void measure_conclude(Measure *measure);

/* Averages after equilibration. */
int64_t measure_samples(const Measure *measure); /* of each replica   */
const Means *measure_means(const Measure *measure);
/* How correlated a single replica's series are, by the slowest of potential energy, total energy and what
 * observables monitor (observable_set_slowest): all errors are from blocks that are long enough for it. */
typedef struct MeasureCorrelation {
  StatisticsCorrelation thermo; /* in samples of the energies; of replicas: inefficiency 1, plateau 1 */
  double steps;                 /* to an independent sample; 0: not correlated over the samples' distance */
  double independent;           /* samples; without a plateau at most that many */
  int blocks;                   /* that errors are from; 0: from replicas */
} MeasureCorrelation;
Status measure_correlation(const Measure *measure, MeasureCorrelation *correlation, Error *error);

/* Mean over everything and its standard error: over the replicas, or for a single one by blocks of its
 * time series. tau: integrated correlation time in samples (series only, else NAN). */
Status measure_mean(const Measure *measure, int column, double *mean, double *err, double *tau, Error *error);

/* The same at temperature k of a ladder, from its ladders; NaN: of one alone there is no error. */
void measure_mean_at(const Measure *measure, int column, int k, double *mean, double *err);

/* NULL: of a ladder. */
const Mixing *measure_mixing(const Measure *measure);

/* The first molecule that left replica r (looked for with every thermo sample); step -1 if none did. */
EvaporationEvent measure_evaporation(const Measure *measure, int r);

#endif
