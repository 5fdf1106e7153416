/* What the formats' files see of writers and readers (trajectory.c owns both). */
#ifndef HOLONOM_IO_TRAJECTORY_FORMAT_H
#define HOLONOM_IO_TRAJECTORY_FORMAT_H

#include "base/output.h"
#include "io/lines.h"
#include "io/trajectory.h"

struct TrajectoryWriter {
  const TrajectoryFormat *format;
  Output out;
  TrajectoryOptions options; /* but for the title, which is copied; precision is given           */
  bool misfit;               /* the format cannot hold a coordinate of the present frame */
  char title[FRAME_TITLE];
  int natoms;         /* of the first frame                                   */
  bool has_cell;      /* of the first frame                                   */
  int64_t frames;     /* that the file holds                                  */
  int64_t first_step; /* of the first frame; set by the format that needs it  */
  void *own;          /* the format's own memory                              */
  char left_out[512]; /* of the first frame that was left out, why       */
  Bytes buffer;
};

struct TrajectoryReader {
  const TrajectoryFormat *format;
  char *path;
  FILE *file;
  bool packed;    /* path is; file is a temporary file of what it holds, without a name */
  int64_t size;   /* of the file, bytes                                          */
  int64_t frame;  /* number of the frame, from 0, that is next or was found      */
  bool found;     /* it was found, by next                                       */
  int64_t frames; /* in the file, for formats that know before they read         */
  int natoms;     /* of the first frame, 0 before it                             */
  Lines lines;    /* text formats                                                */
  void *own;      /* the format's own memory, one malloc, freed by trajectory.c  */
  char warning[512];
};

/* Rows of the table. */
#define FORMAT(name) extern const TrajectoryFormat name##_format;
#include "io/trajectory_formats.def"

/* Resizes the frame for a count that the present line of a text file gave: checks it against the first frame
 * and against what the rest of the file can hold at row_size bytes a row (absurd counts allocate nothing). */
Status trajectory_expect_atoms(TrajectoryReader *reader, Frame *frame, int64_t count, int row_size,
                               Error *error);

/* Three coordinates that were read for an atom of a text file must be finite. */
Status trajectory_check_row(const TrajectoryReader *reader, const double x[3], Error *error);

/* The last line of a frame that is not the first must be whole: its last number may have lost digits. */
Status trajectory_check_end(const TrajectoryReader *reader, Error *error);

/* A format whose rows begin with names. */
Status trajectory_need_symbols(const TrajectoryWriter *writer, const Frame *frame, const char *format,
                               Error *error);

/* The first line of the writer's title, cut after `most` characters, or the program's name; then `t=` (ps)
 * and `step=`, as GROMACS writes them in GRO and PDB files. */
void trajectory_put_title(const TrajectoryWriter *writer, const Frame *frame, int most, Bytes *out);

/* Says that the format cannot hold coordinate d of an atom, `value`, and why: " nm, which does not fit GRO's
 * columns". A lenient writer leaves the frame out then. */
Status trajectory_misfit(TrajectoryWriter *writer, const Frame *frame, int atom, int d, double value,
                         const char *why, Error *error);

/* Readers put a along x and b into the xy plane: a box that lies otherwise would be turned against its atoms.
 * No box is fine. */
Status trajectory_need_upright(const TrajectoryWriter *writer, const Frame *frame, const char *format,
                               Error *error);

/* Takes `t=` and `step=` out of such a title. */
void trajectory_title_time(Frame *frame);

#endif
