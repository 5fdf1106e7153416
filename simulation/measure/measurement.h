/* What is measured of a replica: its columns, and how the threads that step find them, a batch at a time. A
 * measurement consists of parts; each sort of system has a list of them (sort.h). Rows and frames are made
 * from the columns, and do not depend on what these mean (measure.h). */
#ifndef HOLONOM_SIMULATION_MEASURE_MEASUREMENT_H
#define HOLONOM_SIMULATION_MEASURE_MEASUREMENT_H

#include "simulation/ensemble/ensemble.h"
#include "simulation/measure/means.h"

struct Simulation;

/* What the parts read from a batch; a comment names the part that fills in each field. */
typedef struct Snapshot {
  /* measurement_energies, measurement_terms; the energies' lists are in `memory` */
  WalkEnergies energies;
  double *memory;
  double strain[WIDTH_MAX]; /* of penalties */
  /* molecules/water_columns.c */
  double heat[WIDTH_MAX], linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  WalkPressure pressure; /* of periodic boxes, one replica each */
  Vec8 (*packs)[9];      /* scratch of pressure_inside */
  double inside[3][3];
  Vec8 *atoms; /* molecules/variables_columns.c: scratch of molecules */
  /* mechanics/mechanics_columns.c */
  WalkMotion motion;
  double *z; /* scratch: a point of one lane */
} Snapshot;

typedef struct Measurement Measurement;

/* Lane r of a batch, with the snapshot of the batch. */
typedef struct MeasurementLane {
  const Measurement *measurement;
  const Snapshot *snapshot;
  const Sample *sample;
  int r;
  const double *value; /* all columns; earlier parts have filled in theirs */
} MeasurementLane;

enum { MEASUREMENT_NAMES = 6 };

/* Some columns: those of these names, or, where they depend on the simulation, as `add` says. Functions may
 * be NULL but for fill. */
typedef struct MeasurementColumns {
  const char *name[MEASUREMENT_NAMES];
  unsigned traits;                            /* of all: MEANS_... */
  bool behind;                                /* for rows alone: behind those that are shown, the last part */
  int (*most)(const struct Simulation *from); /* columns; NULL: few */
  Status (*add)(Measurement *measurement, Error *error);
  /* Allocates what the part needs in a snapshot, which is all zero at first; measurement_close frees it. */
  Status (*open)(const Measurement *measurement, const Sample *sample, Snapshot *snapshot, Error *error);
  /* Fills in the part's fields of a snapshot: all members of a team; then the first member alone. */
  Status (*together)(const Measurement *measurement, Snapshot *snapshot, const Sample *sample, Error *error);
  void (*alone)(const Measurement *measurement, Snapshot *snapshot, const Sample *sample);
  void (*fill)(const MeasurementLane *lane, double *to);
  Status (*check)(const MeasurementLane *lane, const double *filled, Error *error); /* what may not be */
} MeasurementColumns;

/* The energies that engine/force.h defines, and columns for the terms: of molecules for all, of mechanical
 * systems for those beside the potentials of the kind (Fixman's potential and a caller's forces). */
extern const MeasurementColumns measurement_energies, measurement_terms;

enum {
  MEASUREMENT_SETS = 8,
  MEASUREMENT_SHOWN = 64 + FORCE_TERMS * FORCES_MAX /* columns that are shown, at most */
};

/* What a measurement is made from. */
typedef struct MeasurementOptions {
  const MeasurementColumns *const *part; /* ended by NULL */
  const struct Simulation *system;       /* for the parts */
  const Ensemble *ensemble;
  unsigned quantities; /* rows of the table of quantities that units come from: QUANTITY_CLUSTERS ... */
  bool reduced;        /* units: none */
  bool filters;        /* penalties are measured at the filtered positions, too */
} MeasurementOptions;

/* Columns of one sample of one replica. The first `shown` describe the replica, and are those of frames and
 * of simulation_look; the others are for rows alone. */
struct Measurement {
  MeasurementOptions options;
  const struct Simulation *s; /* the system */
  int at[MEASUREMENT_SETS];   /* the first column of each part */
  int n, shown;
  MeansColumn *column;       /* [n], and the same as two lists: */
  const char **name, **unit; /* [n] */
  int potential, total;      /* whose series say how correlated a run is; potential: -1: none */
  bool named;                /* by the input: in the summary they are in a group of their own */
  int nterm, first_listed;   /* terms of the forces; the first with a column */
  bool unbiased;             /* there is temperature_unbiased */
  int nformula;
  struct Expression **formula; /* [nformula] the last columns */
};

/* Errors: those of the parts, STATUS_MEMORY. */
Status measurement_create(Measurement **measurement, const MeasurementOptions *options, Error *error);
void measurement_free(Measurement *measurement); /* NULL is fine */

/* The number of a new column, whose name is copied. unit: NULL: that of the table of quantities. */
int measurement_add(Measurement *measurement, const char *name, const char *unit, unsigned traits);

/* The number of a column that is shown; -1: there is none. */
int measurement_find(const Measurement *measurement, const char *name);

/* Allocates a snapshot, all zero before, of samples like this one. The caller frees it by measurement_close,
 * also after an error. */
Status measurement_open(const Measurement *measurement, const Sample *sample, Snapshot *snapshot,
                        Error *error);
void measurement_close(Snapshot *snapshot);

/* All members of a team take a snapshot of a batch; then the first member fills in the columns of lane r:
 * those that are shown, or all. */
Status measurement_snapshot(const Measurement *measurement, Snapshot *snapshot, const Sample *sample,
                            Error *error);
Status measurement_fill(const Measurement *measurement, const Snapshot *snapshot, const Sample *sample, int r,
                        bool all, double *value, Error *error);

#endif
