/* Do finished runs agree? Read from their folders: summary.yaml (`key: value` lines), replicas.csv (means of
 * each replica) and rdf_replicas.csv (pair counts of each replica). The first run is the reference.
 *
 * Energies are compared by Welch's test on the means of the replicas (a single run: by the error in its
 * summary, normal), distributions by their total variation distance and a permutation test over replicas (a
 * single run: over blocks at the plateau). All tests of all pairs are one family, corrected by
 * Holm-Bonferroni. Replicas are taken as independent draws, also those of different runs. */
#ifndef HOLONOM_OBSERVABLES_COMPARE_H
#define HOLONOM_OBSERVABLES_COMPARE_H

#include <stdio.h>

#include "engine/status.h"
#include "observables/statistics.h"

typedef struct CompareEntry {
  char *key, *value; /* top-level lines of the summary, without quotes and comments */
} CompareEntry;

typedef struct CompareRun {
  const char *dir;
  char *label; /* the run's title, or its folder's name                              */
  char *group; /* of penalty runs that differ in w only: "gauss-newton Hessian, tangent noise" */
  char *text;  /* the summary, into which entries point                              */
  int nentry;
  CompareEntry *entry;
  double w; /* penalty strength; NaN for a constrained run                            */
  int replicas;
  double energy, energy_error; /* non-bonded, kcal/mol                                */
  double temperature, temperature_error;
  int64_t draws;    /* behind the errors of the energies; 0: errors from the summary */
  int nrow, ncol;   /* of the distribution; 0 if the run kept none                 */
  double *fraction; /* [nrow][ncol] of all pairs, see rdf_result_fractions         */
  double rmax;
} CompareRun;

typedef struct ComparePair {
  int a, b;
  StatisticsWelch energy;
  StatisticsDistance distance;         /* tv is NaN if the two cannot be compared      */
  double energy_adjusted, tv_adjusted; /* p-values corrected for the whole family     */
  int agree;                           /* 1: none below 5 %; 0: one is; -1: no test could be made */
} ComparePair;

/* energy = e0 + slope/w^2 of the penalty runs of one group. */
typedef struct CompareFit {
  const char *group;
  StatisticsLine line; /* intercept e0                                           */
  StatisticsLine all;  /* with those left out too                                */
  int n, left_out;     /* points, and how many of the smallest w were left out because chi2 of the line
                        * through all has p < 1 %                                 */
  int reference;       /* constrained run to hold e0 against, -1 if there is none */
  StatisticsWelch at_infinity; /* e0 against it                                        */
} CompareFit;

typedef struct Compare {
  int n, npair, nfit;
  CompareRun *run;   /* [n]                     */
  ComparePair *pair; /* [npair] (0,1), (0,2) ... */
  CompareFit *fit;   /* [nfit]                  */
} Compare;

/* Reads the folders and makes all comparisons. The names must outlive it. STATUS_INPUT (fewer than two
 * folders, a file that is not as expected), STATUS_IO (a file cannot be read), STATUS_MEMORY. */
Status compare_create(Compare **compare, const char *const *dir, int n, Error *error);
void compare_free(Compare *compare);

/* A line of a run's summary; NULL if there is none. */
const char *compare_value(const CompareRun *run, const char *key);

/* The whole of it: the table, one line per pair, the fits to out; compare.{svg,png} and, with penalty runs
 * beside a constrained one, compare_w.{svg,png} in the folder pictures. Without gnuplot there is a remark
 * in place of the pictures. */
Status compare_runs(const char *const *dir, int n, const char *pictures, FILE *out, Error *error);

#endif
