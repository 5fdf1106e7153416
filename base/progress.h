/* Progress of a run: one line that is updated on a terminal, or a line at intervals in other output. */
#ifndef HOLONOM_BASE_PROGRESS_H
#define HOLONOM_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
  FILE *out; /* NULL: silent                                              */
  bool terminal;
  int64_t total;       /* total number of steps */
  double start, shown; /* seconds                                        */
  double rate;         /* steps/s, smoothed                              */
  double last_time;
  int64_t last_step;
  int replicas;
  int width; /* of the line on the terminal */
  bool done; /* the last line has been printed */
} Progress;

Progress progress_begin(FILE *out, int64_t first, int64_t total, int replicas);

/* `words`: the state of the run. */
void progress_show(Progress *progress, int64_t step, const char *words);

/* Moves the cursor to a new line. */
void progress_end(Progress *progress);

/* A callback for progress: name of the current part, its steps done and in all, and words on the state. */
typedef void ProgressShow(void *watcher, const char *what, int64_t done, int64_t total, const char *words);

/* A line for work in several parts. */
typedef struct ProgressWatch {
  FILE *out; /* NULL: silent */
  Progress progress;
  const char *what;
} ProgressWatch;

/* Prints progress; watcher is a ProgressWatch. */
void progress_watch(void *watcher, const char *what, int64_t done, int64_t total, const char *words);

/* As progress_end. */
void progress_watch_end(ProgressWatch *watch);

/* Writes a duration such as "3 h 12 min", "4 min 5 s" or "12 s" into text. */
const char *progress_duration(double seconds, char *text, size_t size);

/* Writes a number such as "73.2k" or "1.2M" into text. */
const char *progress_amount(double x, char *text, size_t size);

#endif
