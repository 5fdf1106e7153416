/* A study: one input run in several ways, the runs compared. Its file names a base input, settings of all
 * runs, the runs with their settings, the first of them the reference, and lists of values of further keys:
 * every run is made at every point of these lists, and runs are compared at each point with its reference.
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
 * Without `runs` those of the first list of `vary` are compared, at every point of the others. Extrema are
 * found over the values of the first list (study_extrema.h). */
#ifndef HOLONOM_CMD_STUDY_H
#define HOLONOM_CMD_STUDY_H

#include "cmd/command.h"
#include "cmd/compare.h"
#include "config/config.h"
#include "simulation/simulation.h"

enum { STUDY_RUNS = 1000, STUDY_SETS = 64 };

typedef struct StudyRun {
  char *name;   /* of the run, at each point the same              */
  char *folder; /* of all                                          */
  int nset;
  char *set[STUDY_SETS]; /* "key=value" over the base, the title last */
  Config *config;
  Simulation *simulation; /* NULL once it has run */
  ResultSet found;        /* what it found, until it is compared */
  char *failed;           /* what went wrong in it; NULL: nothing */
} StudyRun;

/* A fit over the values of the first list. */
typedef struct StudyExtremum {
  const char *quantity;
  int minimum, degree;
  bool slopes; /* the fit takes those that fluctuations give, too */
} StudyExtremum;

/* A point of the lists. */
typedef struct StudyPoint {
  char *words;  /* "thermostat.temperature 10 K"; "" where there are no lists */
  char *folder; /* its runs' and its comparison's                            */
} StudyPoint;

typedef struct Study {
  const char *title;
  char *base;       /* path                                    */
  const char *text; /* of the margin, or NULL                  */
  CompareMargin margin;
  int npoint, nrun;
  const char *key; /* of the first list, and its values [nvalue]; NULL and 0: there is none */
  const char *const *value;
  int nvalue;
  bool values_are_runs; /* that are compared, since the file names none */
  int nextremum;
  const StudyExtremum *extremum; /* [nextremum] */
  StudyPoint *point;             /* [npoint]                              */
  StudyRun *run;                 /* [npoint][nrun]                        */
  struct Input *input;
} Study;

/* Reads a study's file; folders lie in dir, settings of the call come after those of the file. Every run is
 * made and checked. STATUS_INPUT with file and line, or the run and what is wrong with its input; STATUS_IO,
 * STATUS_MEMORY. */
Status study_read(Study **study, const char *path, const char *dir, const CommandSets *set, int threads,
                  Error *error);
void study_free(Study *study); /* NULL is fine */

/* Before anything is made: STATUS_INPUT where a file of someone else, or a link, is in the way of a run or of
 * what study_report writes. */
Status study_check(const Study *study, const char *dir, bool force, Error *error);

/* Runs what has not been run to its end, once; words to out, or NULL. Ended early by a signal it is
 * STATUS_OK. A run that goes wrong (STATUS_RUN) keeps none of the others from being run: study_failed tells
 * of it. Called again it goes on from its last checkpoint as any other, so that a failure of these bits comes
 * again after the steps since then, and one that another machine or build does not have is got over. */
Status study_run(Study *study, const char *dir, bool force, FILE *out, Error *error);

/* STATUS_RUN names the runs that went wrong; STATUS_OK: there are none. */
Status study_failed(const Study *study, Error *error);

/* As study_check, of what study_report writes. */
Status study_report_check(const Study *study, const char *dir, Error *error);

/* Compares at each point: compare.{csv,json,html,svg} in its folder; over all study.csv (a row a test),
 * study_runs.csv (a row a run, with what it cost), study.json (both) and study.html in dir; the verdicts to
 * out. */
Status study_report(const Study *study, const char *dir, FILE *out, Error *error);

#endif
