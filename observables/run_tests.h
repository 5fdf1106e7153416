/* What a run's numbers are tested for: one family, by the standard of all verdicts (observables/verdict.h).
 */
#ifndef HOLONOM_OBSERVABLES_RUN_TESTS_H
#define HOLONOM_OBSERVABLES_RUN_TESTS_H

#include "observables/verdict.h"
#include "results/results.h"

/* The numbers of a run and its rows, finished or not. */
typedef struct RunFound {
  ResultSet *set;
  bool ended;                  /* its results are there; else its tables, as far as they come */
  const ResultTable *series;   /* against time: thermo, or energy of one mechanical replica; NULL: none */
  const ResultTable *averaged; /* that means are over: thermo, or ensemble; NULL: none */
} RunFound;

/* Reads the tables of the set's folder into `into`, which may be the set itself; those that cannot be read
 * are left out. */
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
  /* The temperature by momenta right after O, beside what is set; or, where there is none, at the end of a
   * step, beside what the step reads when it is right. */
  bool unbiased;
  double target, temperature, temperature_error;
  StatisticsWelch apart;
  /* The energy in the halves of the rows after equilibration; sound: by the correlation of both. */
  int rows;
  bool sound;
  StatisticsSeries half[2];
  double half_error[2];
  StatisticsWelch rest;
  /* The conserved energy against time, ps; the rate that is expected of the word, 0 where none is known, with
   * its error. */
  bool line_fits; /* there is one */
  StatisticsLine line;
  double length, expected, expected_error;
  /* Whether temperatures of a ladder fit together. */
  double consistent;
  /* All of these together; NaN: not tested. */
  double adjusted[RUN_TESTED];
} RunTests;

/* That a series must have, to be tested, and for a large drift to be seen. */
enum { RUN_TESTS_ROWS = 40, RUN_TESTS_DRIFT_ROWS = 8 };

/* STATUS_MEMORY. */
Status run_tests_make(RunTests *tests, const RunFound *run, Error *error);

/* Independent draws behind the run's errors; 0 where they are too few or not known. */
int64_t run_tests_draws(const ResultSet *set);

#endif
