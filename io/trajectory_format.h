/* The writers and readers as the source files of formats see them (trajectory.c owns both). */
#ifndef HOLONOM_IO_TRAJECTORY_FORMAT_H
#define HOLONOM_IO_TRAJECTORY_FORMAT_H

#include "base/output.h"
#include "io/lines.h"
#include "io/trajectory.h"

struct TrajectoryWriter {
  const TrajectoryFormat *format;
  Output out;
  TrajectoryOptions options; /* precision is set; the title is copied to `title` */
  bool misfit;               /* the format cannot hold a coordinate of the current frame */
  char title[FRAME_TITLE];
  int natoms;         /* of the first frame */
  bool has_cell;      /* of the first frame */
  int64_t frames;     /* in the file */
  int64_t first_step; /* of the first frame; set by the format that needs it */
  void *own;          /* the format's own memory */
  char left_out[512]; /* why the first skipped frame was skipped */
  Bytes buffer;
};

struct TrajectoryReader {
  const TrajectoryFormat *format;
  char *path;
  FILE *file;
  bool packed;    /* the file at `path` is packed; `file` is an unnamed temporary file of its content */
  int64_t size;   /* of the file, bytes */
  int64_t frame;  /* index of the frame, from 0, that is next or was found */
  bool found;     /* by `next` */
  int64_t frames; /* in the file, if the format knows before reading */
  int natoms;     /* of the first frame, 0 before it */
  Lines lines;    /* text formats */
  void *own;      /* the format's own memory, one malloc, freed by trajectory.c */
  char warning[512];
};

/* Rows of the table. */
#define FORMAT(name) extern const TrajectoryFormat name##_format;
#include "io/trajectory_formats.def"

/* Resizes the frame for the count on the current line of a text file. Checks it against the first frame
 * and against the rest of the file at row_size bytes a row (absurd counts allocate nothing). */
Status trajectory_expect_atoms(TrajectoryReader *reader, Frame *frame, int64_t count, int row_size,
                               Error *error);

/* Checks that three coordinates of an atom in a text file are finite. */
Status trajectory_check_row(const TrajectoryReader *reader, const double x[3], Error *error);

/* Checks that the last line of a frame other than the first is whole: its last number may have lost
 * digits. */
Status trajectory_check_end(const TrajectoryReader *reader, Error *error);

/* Checks that the frame has symbols, for formats whose rows begin with names. */
Status trajectory_need_symbols(const TrajectoryWriter *writer, const Frame *frame, const char *format,
                               Error *error);

/* Writes the first line of the writer's title, cut after `most` characters, or the program's name; then
 * `t=` (ps) and `step=` in GROMACS's style for GRO and PDB files. */
void trajectory_put_title(const TrajectoryWriter *writer, const Frame *frame, int most, Bytes *out);

/* Reports that the format cannot hold coordinate d of an atom, `value`, and why: " nm, which does not fit
 * GRO's columns". A lenient writer then skips the frame. */
Status trajectory_misfit(TrajectoryWriter *writer, const Frame *frame, int atom, int d, double value,
                         const char *why, Error *error);

/* Checks that a is along x and b in the xy plane, if there is a box: readers assume this orientation and
 * would turn any other box against its atoms. */
Status trajectory_need_upright(const TrajectoryWriter *writer, const Frame *frame, const char *format,
                               Error *error);

/* Moves `t=` and `step=` of such a title into time and step. */
void trajectory_title_time(Frame *frame);

#endif
