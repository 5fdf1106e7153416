/* The files that a run writes while it steps: text in rows, or a trajectory. One Writer for each. */
#ifndef HOLONOM_SIMULATION_RUN_WRITER_H
#define HOLONOM_SIMULATION_RUN_WRITER_H

#include "base/text.h"
#include "io/trajectory.h"

typedef struct Writer {
  const char *name; /* of the file */
  void *self;
  /* 0: write is called after every stretch of steps, and writes the samples (samples.h). Else the run stops
   * at every multiple of this many steps, and write reads the states; only in one process. */
  int64_t every;
  bool first; /* with `every`: also at the start */
  /* Text: writes the head; may be NULL. */
  void (*head)(void *self, Text *text);
  Status (*write)(void *self, struct Writer *writer, int64_t step, Error *error);
  /* A trajectory, in the format of the name's suffix. */
  bool frames;
  TrajectoryOptions options;
  /* While open: */
  Text *text;
  TrajectoryWriter *trajectory;
} Writer;

/* The position of a file at a checkpoint; for text only its size. All members have 8 bytes. */
typedef TrajectoryMark WriterMark;

/* Creates dir/name with its head, or continues it at a mark (NULL: no mark). */
Status writer_open(Writer *writer, const char *dir, const WriterMark *mark, Error *error);

/* Writes everything to disk and returns the position. */
Status writer_mark(Writer *writer, WriterMark *mark, Error *error);

/* Passes everything to the system. */
Status writer_flush(Writer *writer, Error *error);
Status writer_close(Writer *writer, Error *error);

#endif
