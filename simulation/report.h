/* What a run leaves behind when it ends: distributions, means, the summary, the picture, the last words. */
#ifndef HOLONOM_SIMULATION_REPORT_H
#define HOLONOM_SIMULATION_REPORT_H

#include <stdio.h>

#include "engine/text.h"
#include "simulation/measure.h"
#include "simulation/sampling.h"
#include "simulation/system.h"
#include "simulation/thermo_picture.h"

typedef struct ReportTimes {
  double wall;     /* seconds from the first to the last                        */
  double start;    /* of these: building the start configuration                */
  double stepping; /* in steps and the measurements among them                  */
  double output;   /* writing files                                             */
} ReportTimes;

typedef struct ReportOptions {
  const Simulation *system;
  const Ensemble *ensemble;
  const Measure *measure;
  const Sampling *sampling; /* of observables; NULL: none                       */
  const ThermoPicture *picture;
  const char *dir;
  ReportTimes times;
  double reading;      /* of SystemRates; NAN: unknown                          */
  Status status;       /* how the run ended                                     */
  const char *message; /* what went wrong, or NULL                              */
  Text *log;
  FILE *out; /* closing words; NULL: silent                                     */
} ReportOptions;

/* What the kinetic temperature will read by the word's discretisation alone, in words: a line, a note where
 * it is more than 1 % off. reading: of SystemRates. False: there is none. */
bool report_reading(const Simulation *system, double reading, char *words, size_t size);

/* A line "mean WHAT: value +- error UNIT" to words, the error with two digits; where the samples are too few
 * for an error it says so. */
void report_mean(char *words, size_t size, const char *what, double mean, double error, int64_t samples,
                 const char *unit);

/* Writes rdf.csv, rdf_replicas.csv, rdf.svg and rdf.png, replicas.csv, summary.yaml; ends the log. A picture
 * that cannot be drawn (no gnuplot) is a remark, not an error. */
Status report_write(const ReportOptions *options, Error *error);

#endif
