/* Runs one input with several settings and compares the runs.
 *
 * A study file names a base input (base), settings of all runs (set), runs with their settings, the
 * reference first (runs), and lists of values of further keys (vary). Every run is made at every point of
 * these lists and compared with the reference at that point.
 *
 *     base: heptamer.yaml
 *     margin: 1%
 *     set: [integrator.time=100 ps]
 *     runs:
 *       - {name: rigid, set: [geometry.method=settle]}
 *       - {name: w = 50, set: [geometry.method=penalty, geometry.w=50]}
 *     vary:
 *       - {key: thermostat.temperature, values: [10 K, 100 K]}
 *     extrema: [{quantity: density, of: maximum, degree: 3}]
 *
 * Without `runs`, the values of the first list of `vary` are the runs, at every point of the other lists.
 * Extrema are found over the values of the first list (study_extrema.h). */
#ifndef HOLONOM_CMD_STUDY_H
#define HOLONOM_CMD_STUDY_H

#include "cmd/command.h"
#include "cmd/compare.h"
#include "config/config.h"
#include "simulation/simulation.h"

enum { STUDY_RUNS = 1000, STUDY_SETS = 64 };

typedef struct StudyRun {
  char *name;   /* the same at each point */
  char *folder; /* unique */
  int nset;
  char *set[STUDY_SETS]; /* "key=value" on top of the base, the title last */
  Config *config;
  Simulation *simulation; /* NULL after the run */
  ResultSet found;        /* results, until they are compared */
  char *failed;           /* message of a failed run; NULL: not failed */
} StudyRun;

/* A fit for an extremum over the values of the first list. */
typedef struct StudyExtremum {
  const char *quantity;
  int minimum, degree;
  bool slopes; /* also fits derivatives from fluctuations */
} StudyExtremum;

/* A point of the lists. */
typedef struct StudyPoint {
  char *words;  /* "thermostat.temperature 10 K"; "": no lists */
  char *folder; /* folder of its runs and its comparison */
} StudyPoint;

typedef struct Study {
  const char *title;
  char *base;       /* path */
  const char *text; /* of the margin; NULL: no margin */
  CompareMargin margin;
  int npoint, nrun;
  const char *key; /* key of the first list and its values [nvalue]; NULL and 0: no list */
  const char *const *value;
  int nvalue;
  bool values_are_runs; /* the file has no `runs`, so that the values of the first list are compared */
  int nextremum;
  const StudyExtremum *extremum; /* [nextremum] */
  StudyPoint *point;             /* [npoint] */
  StudyRun *run;                 /* [npoint][nrun] */
  struct Input *input;
} Study;

/* Reads a study file; creates and checks every run. Folders are in dir; settings in `set` override those of
 * the file. STATUS_INPUT with file and line, or with the run and the error in its input; STATUS_IO,
 * STATUS_MEMORY. */
Status study_read(Study **study, const char *path, const char *dir, const CommandSets *set, int threads,
                  Error *error);
void study_free(Study *study); /* accepts NULL */

/* Checks before anything is written. STATUS_INPUT: a link, or a file that Holonom did not write, is in the
 * way of a run or of study_report. */
Status study_check(const Study *study, const char *dir, bool force, Error *error);

/* Makes all runs that have not ended, each once; progress to out, or NULL. After a signal: STATUS_OK. A
 * failed run (STATUS_RUN) does not stop the others; study_failed reports it. A repeated call resumes a
 * failed run from its last checkpoint: a reproducible failure recurs, a failure of one machine or build
 * does not. */
Status study_run(Study *study, const char *dir, bool force, FILE *out, Error *error);

/* STATUS_RUN with the names of the failed runs; STATUS_OK: no run failed. */
Status study_failed(const Study *study, Error *error);

/* As study_check, for the files of study_report. */
Status study_report_check(const Study *study, const char *dir, Error *error);

/* Writes compare.{csv,json,html,svg} for each point into its folder, and for all points study.csv (a row
 * per test), study_runs.csv (a row per run, with costs), study.json (both) and study.html into dir. Prints
 * the verdicts to out. */
Status study_report(const Study *study, const char *dir, FILE *out, Error *error);

#endif
