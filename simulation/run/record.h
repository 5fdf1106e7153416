/* What runs of all sorts measure and write: tables of rows against time with their pictures, multipliers of
 * constraints. */
#ifndef HOLONOM_SIMULATION_RUN_RECORD_H
#define HOLONOM_SIMULATION_RUN_RECORD_H

#include "simulation/run/history.h"
#include "simulation/run/run.h"

/* A quantity in the picture of a table: a column, with another one that is added to it. */
typedef struct RecordCurve {
  int column, also; /* -1: none              */
  bool drift;       /* less its first value */
} RecordCurve;

/* What rows are of: the columns over all replicas, or by temperature; those that are shown, of the replica
 * whose frames are taken; its positions and momenta, which a measurement may have behind those. */
typedef enum RecordOf { RECORD_ALL, RECORD_ONE, RECORD_POINT } RecordOf;

/* A table of rows. */
typedef struct RecordRows {
  const char *name; /* "thermo.csv"; NULL: averages alone are wanted */
  RecordOf of;
  bool steps;                   /* begins with the number of the step */
  const char *remark;           /* a line on columns, or NULL */
  const char *units;            /* a line likewise */
  const char *largest;          /* "largest_g is": of all replicas the largest */
  int time, digits, top, error; /* digits of the time, of values, of the largest and of errors */
  int ncurve;
  RecordCurve curve[HISTORY_QUANTITIES]; /* of its picture; 0: there is none */
  int groups;                            /* of its history (history.h); 0: HISTORY_GROUPS */
  Status (*draw)(const Run *run, const History *history,
                 Error *error);                        /* its picture; NULL: a panel a curve */
  void (*note)(const Run *run, const MeasureRow *row); /* of what is written; may be NULL */
} RecordRows;

typedef struct RecordTable {
  Run *run;
  RecordRows rows;
  History *history;                 /* NULL: no picture */
  double first[HISTORY_QUANTITIES]; /* of curves that are drawn as their drift */
} RecordTable;

/* What a sort's runs measure and write: a row of sort.h. */
typedef struct RecordForm {
  RunClock clock; /* that tables go by */
  bool points;    /* frames are rows of tables, with momenta and columns, also at the end; else structures, of
                   * which the last good ones are kept */
  bool evaporates;                       /* whether molecules may leave: evaporation.h */
  size_t own;                            /* bytes of run->own, all zero at first */
  Status (*add)(Run *run, Error *error); /* its files, and what a checkpoint holds of run->own */
  void (*release)(Run *run);             /* what run->own, which is there, owns; may be NULL */
} RecordForm;

/* Makes run->own, observables and run->measure, from which everything below takes, and all files. Errors:
 * STATUS_INPUT, STATUS_MEMORY. */
Status record_create(Run *run, Error *error);

/* Adds a curve to the picture of a table, where the measurement has the column; `also` may be NULL. */
void record_curve(RecordRows *rows, const Measurement *measurement, const char *column, const char *also,
                  bool drift);

/* Adds the table, which is copied but for its words, and multipliers.csv if it is wanted: of `of`,
 * "molecule 1", in the replica or slot that is measured. */
Status record_rows(Run *run, const RecordRows *rows, Error *error);
Status record_multipliers(Run *run, const char *of, Error *error);

/* The table over all replicas, of which there are averages; NULL: none. */
const RecordRows *record_averaged(const Run *run);

/* "temperature (K)": a column of a table at an axis, in the run's units. */
QuantityWords record_caption(const Run *run, const char *table, const char *column);

/* Pictures of the tables, with their names. Errors as in run_picture. */
Status record_draw(const Run *run, Error *error);

/* Frees what these made. */
void record_release(Run *run);

#endif
