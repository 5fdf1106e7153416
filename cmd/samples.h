/* Samples for observables from trajectory files, one after the other: molecules by kind, whole, with their
 * times, and velocities where the files have them. */
#ifndef HOLONOM_CMD_SAMPLES_H
#define HOLONOM_CMD_SAMPLES_H

#include <stdint.h>

#include "forcefields/water.h"
#include "observables/observable.h"

typedef struct SamplesOptions {
  const WaterModel *model; /* NULL: no water                                                      */
  int nfile;
  char *const *file;
  const char
      *names;    /* a structure file with the names of the atoms, for files without (DCD), or NULL: waters */
  double box[3]; /* A; all 0: that of the files                                              */
  double from, to; /* ps; to 0: the end                                                        */
  double interval; /* ps between frames, in place of the files' times; 0: theirs                */
  int64_t every;   /* every nth frame of those, from the first on                              */
} SamplesOptions;

typedef struct Samples Samples;

/* Looks at the first two samples and goes back to the start. STATUS_INPUT with file and frame: what the files
 * lack; STATUS_IO, STATUS_MEMORY. */
Status samples_open(Samples **samples, const SamplesOptions *options, Error *error);
void samples_close(Samples *samples);

/* The first sample: kinds, charges, numbers and box; positions NULL. */
const ObservableFrame *samples_shape(const Samples *samples);

/* AKMA time from the first sample to the second; 0: unknown, or there is only one. */
double samples_interval(const Samples *samples);

/* 1 if the first sample has velocities. */
int samples_velocities(const Samples *samples);

/* The next one, or NULL after the last. A frame that is not later than the one before (the first of a file
 * that goes on where another ended) is left out. */
Status samples_next(Samples *samples, const ObservableFrame **frame, Error *error);

/* What was odd in the files; "" if nothing. */
const char *samples_warning(const Samples *samples);

#endif
