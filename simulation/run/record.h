/* The files that runs of all sorts write: tables of rows against time with pictures, and multipliers of
 * constraints. */
#ifndef HOLONOM_SIMULATION_RUN_RECORD_H
#define HOLONOM_SIMULATION_RUN_RECORD_H

#include "simulation/run/history.h"
#include "simulation/run/run.h"

/* A curve in the picture of a table: a column, plus another one. */
typedef struct RecordCurve {
  int column, also; /* -1: none */
  bool drift;       /* minus its first value */
} RecordCurve;

/* The columns of rows: all, over replicas or by temperature; the shown ones of the replica with frames; the
 * positions and momenta after these. */
typedef enum RecordOf { RECORD_ALL, RECORD_ONE, RECORD_POINT } RecordOf;

typedef struct RecordRows {
  const char *name; /* "thermo.csv"; NULL: averages alone, no file */
  RecordOf of;
  bool steps;                   /* the first column is the number of the step */
  const char *remark;           /* a comment on columns, or NULL */
  const char *units;            /* a comment on units */
  const char *largest;          /* "largest_g is": columns with the largest value of all replicas */
  int time, digits, top, error; /* digits of times, values, largest values and errors */
  int ncurve;
  RecordCurve curve[HISTORY_QUANTITIES]; /* of its picture; 0: no picture */
  int groups;                            /* groups of its history (history.h); 0: HISTORY_GROUPS */
  Status (*draw)(const Run *run, const History *history,
                 Error *error);                        /* draws its picture; NULL: a panel for each curve */
  void (*note)(const Run *run, const MeasureRow *row); /* called for each written row; may be NULL */
} RecordRows;

typedef struct RecordTable {
  Run *run;
  RecordRows rows;
  History *history;                 /* NULL: no picture */
  double first[HISTORY_QUANTITIES]; /* of curves drawn as drift */
} RecordTable;

/* The files of a sort's runs: a row of sort.h. */
typedef struct RecordForm {
  RunClock clock; /* of the tables */
  bool points; /* frames are rows of tables, with momenta and columns, also at the end; else structures, whose
                  last good ones are stored */
  bool evaporates;                       /* molecules may leave: evaporation.h */
  size_t own;                            /* bytes of run->own, zero-initialised */
  Status (*add)(Run *run, Error *error); /* adds files, and chunks of run->own */
  void (*release)(Run *run);             /* frees the contents of run->own; may be NULL */
} RecordForm;

/* Makes run->own, observables, run->measure and all files. Errors: STATUS_INPUT, STATUS_MEMORY. */
Status record_create(Run *run, Error *error);

/* Adds a curve to the picture of a table if the measurement has the column; `also` may be NULL. */
void record_curve(RecordRows *rows, const Measurement *measurement, const char *column, const char *also,
                  bool drift);

/* Adds a table, which is copied (its strings must outlive the run); and multipliers.csv if requested, of `of`
 * ("molecule 1") in the measured replica or slot. */
Status record_rows(Run *run, const RecordRows *rows, Error *error);
Status record_multipliers(Run *run, const char *of, Error *error);

/* The table over all replicas, which has averages; NULL: there is no such table. */
const RecordRows *record_averaged(const Run *run);

/* "temperature (K)": the label of a column, in the run's units. */
QuantityWords record_caption(const Run *run, const char *table, const char *column);

/* Draws the pictures of the tables. Errors as in run_picture. */
Status record_draw(const Run *run, Error *error);

/* Frees everything made above. */
void record_release(Run *run);

#endif
