/* The statistical tests of a run's numbers, one family, by the criterion of all verdicts
 * (observables/verdict.h). */
#ifndef HOLONOM_OBSERVABLES_RUN_TESTS_H
#define HOLONOM_OBSERVABLES_RUN_TESTS_H

#include "observables/verdict.h"
#include "results/results.h"

/* The numbers of a run and its tables, complete or not. */
typedef struct RunFound {
  ResultSet *set;
  bool ended;                /* the run has ended and has results; otherwise only tables */
  const ResultTable *series; /* table against time: thermo, or energy of one mechanical replica; NULL: none */
  const ResultTable *averaged; /* table that means are taken from: thermo, or ensemble; NULL: none */
} RunFound;

/* Reads the tables of the set's folder into `into`, which may be the set itself. Unreadable tables are left
 * out. */
RunFound run_tests_read(ResultSet *set, ResultSet *into);

typedef enum RunTested {
  RUN_TESTED_NONE,
  RUN_TESTED_TEMPERATURE,
  RUN_TESTED_REST,
  RUN_TESTED_DRIFT,
  RUN_TESTED_LADDER,
  RUN_TESTED
} RunTested;

typedef struct RunTests {
  /* Temperature against its target: by momenta right after the letter O (unbiased), compared with the
   * thermostat's; otherwise at the end of a step, compared with the value that the step gives if correct. */
  bool unbiased;
  double target, temperature, temperature_error;
  StatisticsWelch apart;
  /* The energy in the two halves of the rows after equilibration; sound: with errors by the correlation of
   * both. */
  int rows;
  bool sound;
  StatisticsSeries half[2];
  double half_error[2];
  StatisticsWelch rest;
  /* The drift of the conserved energy, per ps, and the rate expected of the word with its error; 0 if
   * unknown. */
  bool line_fits; /* the line exists */
  StatisticsLine line;
  double length, expected, expected_error;
  /* p of the consistency of a ladder's temperatures. */
  double consistent;
  /* p-values adjusted for the family; NaN: not tested. */
  double adjusted[RUN_TESTED];
} RunTests;

/* Least number of rows of a series for tests; and for the detection of a large drift. */
enum { RUN_TESTS_ROWS = 40, RUN_TESTS_DRIFT_ROWS = 8 };

/* STATUS_MEMORY. */
Status run_tests_make(RunTests *tests, const RunFound *run, Error *error);

/* Whether a schedule or a pull changes conditions where the run takes averages: no test of equilibrium has
 * a meaning then. */
bool run_tests_vary(const ResultSet *set);

/* The number of independent draws behind the run's errors; 0 if they are too few or unknown. */
int64_t run_tests_draws(const ResultSet *set);

#endif
