/* What a run has left, finished or not, as its page shows it. */
#ifndef HOLONOM_HTML_RUN_READ_H
#define HOLONOM_HTML_RUN_READ_H

#include <stdbool.h>

#include "html/html.h"
#include "results/results.h"

typedef struct RunRead {
  ResultSet *set;
  const char *dir;
  bool ended;                   /* its results are there; else its tables, as far as they come */
  bool held;                    /* a run is at work in the folder */
  const ResultTable *series;    /* against time: thermo, or energy of one mechanical replica; NULL: none */
  const ResultTable *averaged;  /* that means are over: thermo, or ensemble; NULL: none */
  const struct RunTests *tests; /* of its page (html/run_tests.h), while that is made */
} RunRead;

/* Of the results of a run in set->dir. STATUS_INPUT: no run has written into that folder. Tables that cannot
 * be read are left out. */
Status run_read(RunRead *run, ResultSet *set, Error *error);

/* A table, NULL if there is none that can be read; a column of numbers in it, and that of times, likewise;
 * the caption of a column. */
const ResultTable *run_read_table(const RunRead *run, const char *name);
const ResultColumn *run_read_numbers(const ResultTable *table, const char *name);
const ResultColumn *run_read_time(const ResultTable *table);
QuantityWords run_read_caption(const ResultColumn *column);

/* Rows of a table with one time: 1, or the temperatures of a ladder. */
size_t run_read_slots(const ResultTable *table);

/* A column over the rows after equilibration (of an unfinished run: of the later half). */
typedef struct RunColumn {
  int n; /* 0: there is none */
  double *time, *x;
  double *error; /* NULL: it has none */
} RunColumn;

/* In fresh memory, which run_read_column_free frees. STATUS_MEMORY. */
Status run_read_column(const RunRead *run, const ResultTable *table, const char *name, RunColumn *column,
                       Error *error);
void run_read_column_free(RunColumn *column);

/* A word of the results, "" if there is none. */
const char *run_read_word(const RunRead *run, const char *name);

/* What the distances of rdf.csv are between: "O-O pairs", "all sites". */
QuantityWords run_read_pairs(const RunRead *run);

/* The verdicts on the run, onto its page. STATUS_MEMORY. */
Status run_verdict_write(const RunRead *of, Html *html, Error *error);

/* What is there of a ladder of temperatures. */
void run_ladder_write(const RunRead *run, Html *html);

/* Means of each replica, which show those that are elsewhere. */
void run_ladder_replicas(const RunRead *run, Html *html);

/* Its numbers and settings as tables. */
void run_tables_write(const RunRead *run, Html *html);

#endif
