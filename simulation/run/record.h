/* What runs of all sorts measure and write: rows of the columns against time, multipliers of constraints. */
#ifndef HOLONOM_SIMULATION_RUN_RECORD_H
#define HOLONOM_SIMULATION_RUN_RECORD_H

#include "simulation/run/measure.h"
#include "simulation/run/multipliers.h"
#include "simulation/run/simulation_run.h"

/* How a sort writes the table of its rows: thermo.csv or ensemble.csv. */
typedef struct RecordRows {
  const char *name;
  const char *time;    /* the names of its first columns, "step,time_ps" */
  const char *largest; /* "largest_g is" */
  int top, error;      /* digits of the largest and of errors */
  void (*write_time)(const Run *run, int64_t step, Text *text);
  void (*write_units)(const Run *run, Text *text);     /* the comment on units */
  void (*note)(const Run *run, const MeasureRow *row); /* of what is written, for pictures; may be NULL */
} RecordRows;

/* What all sorts ask for alike: the gauge, the ensemble, strides and so on. */
MeasureOptions record_options(const Run *run);

/* Makes run->measure, from which everything below takes. STATUS_MEMORY. */
Status record_measure(Run *run, const MeasureOptions *options, Error *error);

/* Adds the table, and multipliers.csv if it is wanted: of `of`, "molecule 1", in the replica or slot that is
 * measured. */
Status record_rows(Run *run, const RecordRows *rows, Error *error);
Status record_multipliers(Run *run, const char *of, const MultipliersClock *clock, Error *error);

/* Frees what these made. */
void record_release(Run *run);

#endif
