/* What a run has left, finished or not, as its page shows it. */
#ifndef HOLONOM_HTML_RUN_READ_H
#define HOLONOM_HTML_RUN_READ_H

#include "html/html.h"
#include "observables/run_tests.h"

/* What the results of a run in set->dir are beside its tables. STATUS_INPUT: no run has written into that
 * folder. */
Status run_read(RunFound *run, ResultSet *set, Error *error);

/* A table, or NULL if it cannot be read; the caption of a column. */
const ResultTable *run_read_table(const RunFound *run, const char *name);
QuantityWords run_read_caption(const ResultColumn *column);

/* Whether the run was a ladder whose states differ in parameters of the Hamiltonian. */
bool run_read_states(const RunFound *run);

/* What the distances of rdf.csv are between: "O-O pairs", "all sites". */
QuantityWords run_read_pairs(const RunFound *run);

/* What is there of a ladder of temperatures. */
void run_ladder_write(const RunFound *run, Html *html);

/* Means of each replica, which show those that are elsewhere. */
void run_ladder_replicas(const RunFound *run, Html *html);

/* Its numbers and settings as tables. */
void run_tables_write(const RunFound *run, Html *html);

#endif
