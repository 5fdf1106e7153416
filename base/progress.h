/* How far a run is: one line that renews itself on a terminal, a plain line now and then elsewhere. */
#ifndef HOLONOM_BASE_PROGRESS_H
#define HOLONOM_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
  FILE *out; /* NULL: silent                                              */
  bool terminal;
  int64_t total;       /* steps in all                                   */
  double start, shown; /* seconds                                        */
  double rate;         /* steps/s, smoothed                              */
  double last_time;
  int64_t last_step;
  int replicas;
  int width; /* of the line on screen                                     */
  bool done; /* the last line has been shown                              */
} Progress;

Progress progress_begin(FILE *out, int64_t first, int64_t total, int replicas);

/* `words`: how things are. */
void progress_show(Progress *progress, int64_t step, const char *words);

/* Leaves the cursor on a fresh line. */
void progress_end(Progress *progress);

/* How far some work is: what is done, steps done and in all, and words on how things are. */
typedef void ProgressShow(void *watcher, const char *what, int64_t done, int64_t total, const char *words);

/* A line for work in several parts: `what` is at hand, of which `done` of `total` steps are done. */
typedef struct ProgressWatch {
  FILE *out; /* NULL: silent */
  Progress progress;
  const char *what;
} ProgressWatch;

/* Shows it; watcher is a ProgressWatch. */
void progress_watch(void *watcher, const char *what, int64_t done, int64_t total, const char *words);

/* As progress_end. */
void progress_watch_end(ProgressWatch *watch);

/* "3 h 12 min", "4 min 5 s", "12 s", into text. */
const char *progress_duration(double seconds, char *text, size_t size);

/* "73.2k", "1.2M", into text. */
const char *progress_amount(double x, char *text, size_t size);

#endif
