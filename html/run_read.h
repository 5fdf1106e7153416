/* Reads the results of a run, finished or not, for its page. */
#ifndef HOLONOM_HTML_RUN_READ_H
#define HOLONOM_HTML_RUN_READ_H

#include "html/html.h"
#include "observables/run_tests.h"

/* Reads all results of the run in set->dir but its tables. STATUS_INPUT: the folder holds no run. */
Status run_read(RunFound *run, ResultSet *set, Error *error);

/* A table, or NULL if it cannot be read; the caption of a column. */
const ResultTable *run_read_table(const RunFound *run, const char *name);
QuantityWords run_read_caption(const ResultColumn *column);

/* Whether the run was a ladder whose states differ in parameters of the Hamiltonian. */
bool run_read_states(const RunFound *run);

/* The pairs whose distances rdf.csv has: "O-O pairs", "all sites". */
QuantityWords run_read_pairs(const RunFound *run);

/* Writes the part on a ladder. */
void run_ladder_write(const RunFound *run, Html *html);

/* Writes the means of each replica, which show outliers. */
void run_ladder_replicas(const RunFound *run, Html *html);

/* Writes the numbers and settings as tables. */
void run_tables_write(const RunFound *run, Html *html);

#endif
