/* The files that a run writes as it goes: text in rows, or a trajectory. One row each; simulation_run.c knows
 * no other. */
#ifndef HOLONOM_SIMULATION_RUN_WRITER_H
#define HOLONOM_SIMULATION_RUN_WRITER_H

#include "base/text.h"
#include "io/trajectory.h"

typedef struct Writer {
  const char *name; /* the file */
  void *self;
  /* 0: write is called after every stretch of steps, and writes what samples have been taken (samples.h).
   * Else the run stops at every multiple of this many steps, and write looks at the states: of an ensemble in
   * one process. */
  int64_t every;
  bool first; /* with `every`: also at the start */
  /* Text: the first lines, unless NULL. */
  void (*head)(void *self, Text *text);
  Status (*write)(void *self, struct Writer *writer, int64_t step, Error *error);
  /* A trajectory, in the format of the name's suffix. */
  bool frames;
  TrajectoryOptions options;
  /* Open: */
  Text *text;
  TrajectoryWriter *trajectory;
} Writer;

/* How far a file had come at a checkpoint: of text the size alone. Words of 8 bytes. */
typedef TrajectoryMark WriterMark;

/* Creates dir/name with its first lines, or goes on with it at a mark (NULL: none). */
Status writer_open(Writer *writer, const char *dir, const WriterMark *mark, Error *error);

/* Brings what was written down to the disk and says where the file is. */
Status writer_mark(Writer *writer, WriterMark *mark, Error *error);

/* Hands what was written to the system. */
Status writer_flush(Writer *writer, Error *error);
Status writer_close(Writer *writer, Error *error);

#endif
