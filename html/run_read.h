/* What a run has left in its folder, finished or not, read for its page. */
#ifndef HOLONOM_HTML_RUN_READ_H
#define HOLONOM_HTML_RUN_READ_H

#include <stdbool.h>

#include "html/html.h"
#include "io/summary.h"
#include "results/table.h"

typedef struct RunRead {
  const char *dir;
  Summary *summary; /* NULL: none yet                                             */
  char *words;      /* summary.yaml as it stands, for the remarks behind numbers  */
  Table *series;    /* thermo.csv, or energy.csv of a mechanical run; NULL: none  */
  const char *series_name;
  Table *replicas;              /* NULL: none */
  const struct RunTests *tests; /* of its page (html/run_tests.h), while that is made */
  bool held;                    /* a run is at work in the folder */
  bool water;                   /* thermo.csv, of molecules */
  int time;                     /* the column of the series that has the times, -1: none   */
  const char *time_label;
} RunRead;

/* STATUS_INPUT: dir is no folder that a run has written into; STATUS_MEMORY. What cannot be read is left out.
 */
Status run_read(RunRead *run, const char *dir, Error *error);
void run_read_free(RunRead *run);

/* The column's rows after equilibration (of an unfinished run: of its later half), and their times; returns
 * how many. Fresh memory in *x and *time (NULL: not wanted); 0 without the column or memory. */
int run_read_column(const RunRead *run, const char *name, double **x, double **time);

/* A table of the folder, NULL if there is none that can be read. */
Table *run_read_table(const char *dir, const char *name);

/* Rows of the series with one time: 1, or the temperatures of a ladder. */
size_t run_read_slots(const RunRead *run);

/* The remark behind a key of the summary ("K", "AKMA, 2.4 fs"), "" if there is none. */
void run_read_remark(const RunRead *run, const char *key, char *remark, size_t size);

/* The verdicts on the run, onto its page. STATUS_MEMORY. */
Status run_verdict_write(const RunRead *of, Html *html, Error *error);

/* What is there of a ladder of temperatures. */
void run_ladder_write(const RunRead *run, Html *html);

/* Its numbers and settings as tables. */
void run_tables_write(const RunRead *run, Html *html);

#endif
