/* The measured columns of a replica. A measurement consists of parts, listed by each sort of system (sort.h),
 * which threads evaluate batch by batch. Rows and frames (measure.h) do not depend on the meaning of
 * columns. */
#ifndef HOLONOM_SIMULATION_MEASURE_MEASUREMENT_H
#define HOLONOM_SIMULATION_MEASURE_MEASUREMENT_H

#include "simulation/ensemble/ensemble.h"
#include "simulation/measure/means.h"

struct Simulation;
struct Config;

/* Data that the parts read from a batch; comments name the part that fills in each field. */
typedef struct Snapshot {
  /* measurement_energies, measurement_terms; their arrays are in `memory` */
  WalkEnergies energies;
  double *memory;
  double strain[WIDTH_MAX]; /* of penalties */
  /* molecules/water_columns.c */
  double heat[WIDTH_MAX], linear[WIDTH_MAX][3], angular[WIDTH_MAX][3];
  WalkPressure pressure; /* of periodic boxes, one replica each */
  Vec8 (*packs)[9];      /* scratch of pressure_inside */
  double inside[3][3];   /* virials of constraints; of frozen atoms alone */
  double frozen[3][3];
  /* molecules/variables_columns.c: scratch of a coordinate's reading, then of molecules */
  Vec8 *atoms;
  size_t reading;
  /* mechanics/mechanics_columns.c */
  WalkMotion motion;
  double *z; /* scratch: a point of one lane */
} Snapshot;

typedef struct Measurement Measurement;

/* Lane r of a batch, with the batch's snapshot. */
typedef struct MeasurementLane {
  const Measurement *measurement;
  const Snapshot *snapshot;
  const Sample *sample;
  int r;
  const double *value; /* all columns; those of earlier parts are filled in */
} MeasurementLane;

enum { MEASUREMENT_NAMES = 6 };

/* One part: columns with fixed names, or added by `add`. All functions except fill may be NULL. */
typedef struct MeasurementColumns {
  const char *name[MEASUREMENT_NAMES];
  unsigned traits;                            /* of all columns: MEANS_... */
  bool behind;                                /* only in rows, after the shown columns; the last part */
  int (*most)(const struct Simulation *from); /* number of columns; NULL: few */
  Status (*add)(Measurement *measurement, Error *error);
  /* Allocates the part's data in a zero-initialised snapshot; measurement_close frees them. */
  Status (*open)(const Measurement *measurement, const Sample *sample, Snapshot *snapshot, Error *error);
  /* Fill in the part's fields of a snapshot: by all members of a team; then by the first member. */
  Status (*together)(const Measurement *measurement, Snapshot *snapshot, const Sample *sample, Error *error);
  void (*alone)(const Measurement *measurement, Snapshot *snapshot, const Sample *sample);
  void (*fill)(const MeasurementLane *lane, double *to);
  Status (*check)(const MeasurementLane *lane, const double *filled,
                  Error *error); /* refuses invalid values */
} MeasurementColumns;

/* The energies of engine/force.h with columns for terms: all terms of molecules; for mechanical systems those
 * other than the kind's potentials (Fixman's potential and caller's forces). */
extern const MeasurementColumns measurement_energies, measurement_terms;

/* Temperature and pressure of a schedule at the sample's step: no columns without one. */
extern const MeasurementColumns measurement_schedule;

enum {
  MEASUREMENT_SETS = 12,
  MEASUREMENT_SHOWN = 64 + FORCE_TERMS * FORCES_MAX /* limit of shown columns */
};

/* The options of a measurement. */
typedef struct MeasurementOptions {
  const MeasurementColumns *const *part; /* ends with NULL */
  const struct Simulation *system;       /* passed to the parts */
  const struct Config *config;
  const Ensemble *ensemble;
  unsigned quantities; /* rows of the table of quantities that define units: QUANTITY_CLUSTERS and so on */
  bool reduced;        /* no units */
  bool filters;        /* penalties are also measured at the filtered positions */
} MeasurementOptions;

/* The columns of one sample of one replica. The first `shown` describe the replica and appear in frames and
 * simulation_look; the others only in rows. */
struct Measurement {
  MeasurementOptions options;
  const struct Simulation *s; /* the system */
  int at[MEASUREMENT_SETS];   /* first column of each part */
  int n, shown;
  MeansColumn *column;       /* [n], and as two lists: */
  const char **name, **unit; /* [n] */
  int potential, total;      /* columns that define the run's correlation; potential: -1: none */
  bool named;                /* variables of the input, with their own group in the summary */
  int nterm, first_listed;   /* terms of the forces; the first with a column */
  bool unbiased;             /* the column temperature_unbiased exists */
  int nformula;
  struct Expression **formula; /* [nformula] of the last columns */
};

/* Errors: those of the parts, STATUS_MEMORY. */
Status measurement_create(Measurement **measurement, const MeasurementOptions *options, Error *error);
void measurement_free(Measurement *measurement); /* may be NULL */

/* Adds a column and returns its index; copies the name. unit: NULL: from the table of quantities. */
int measurement_add(Measurement *measurement, const char *name, const char *unit, unsigned traits);

/* The index of a shown column, or -1. */
int measurement_find(const Measurement *measurement, const char *name);

/* Allocates a zero-initialised snapshot for samples like this one. The caller frees it by measurement_close,
 * even after an error. */
Status measurement_open(const Measurement *measurement, const Sample *sample, Snapshot *snapshot,
                        Error *error);
void measurement_close(Snapshot *snapshot);

/* All members of a team take a snapshot of a batch; then the first computes the columns of lane r, all or
 * only the shown ones. */
Status measurement_snapshot(const Measurement *measurement, Snapshot *snapshot, const Sample *sample,
                            Error *error);
Status measurement_fill(const Measurement *measurement, const Snapshot *snapshot, const Sample *sample, int r,
                        bool all, double *value, Error *error);

#endif
