/* Structure and trajectory files: extended XYZ, DCD, XTC, GRO, PDB and H5MD, written and read.
 *
 * Lengths are angstrom, times ps, forces kcal/mol/angstrom, velocities angstrom/ps whatever the file uses.
 * What each format's file looks like stands at the top of its own source (xyz.c, dcd.c, xtc.c, gro.c,
 * pdb.c, h5md.c).
 *
 *   TrajectoryWriter *writer;                       TrajectoryReader *reader;
 *   trajectory_create(&writer, path, NULL, &o, e);  trajectory_open(&reader, path, e);
 *   trajectory_write(writer, &frame, e);  ...       trajectory_read(reader, &frame, &end, e);  ...
 *   trajectory_finish(writer, e);                   trajectory_close(reader);
 */
#ifndef HOLONOM_IO_TRAJECTORY_H
#define HOLONOM_IO_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "io/frame.h"

typedef struct TrajectoryWriter TrajectoryWriter;
typedef struct TrajectoryReader TrajectoryReader;

/* What its files can hold. */
typedef enum TrajectoryTrait {
  TRAJECTORY_VELOCITIES = 1, /* beside positions                           */
  TRAJECTORY_NUMBERS = 2,    /* of the system: energies, the temperature   */
  TRAJECTORY_TOGETHER = 4,   /* the frames of several replicas in one file */
  TRAJECTORY_NAMES = 8       /* of atoms                                   */
} TrajectoryTrait;

/* A format is one file and one row of trajectory_formats.def. */
typedef struct TrajectoryFormat {
  const char *name, *suffixes, *doc; /* suffixes: ".a .b" */
  unsigned traits;                   /* TrajectoryTrait   */

  /* Whether a file that begins with these bytes (a zero byte follows them) is of this format. */
  bool (*matches)(const char *head, size_t size);

  /* Reading. open (may be NULL) looks at the header and may set reader->own; next fills the frame or sets
   * *end; where there is a fill, next may leave to it all but atoms, step and time, and frames that are not
   * wanted are passed over. Their errors name file and line or frame. */
  Status (*open)(TrajectoryReader *reader, Error *error);
  Status (*next)(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
  Status (*fill)(TrajectoryReader *reader, Frame *frame, Error *error);
  void (*close)(TrajectoryReader *reader); /* before its own memory is freed; may be NULL */

  /* Writing; NULL where the format is only read. encode appends the frame's bytes (before the first frame:
   * the header's) to out; patch (may be NULL) gives the bytes that replace the file's beginning after every
   * frame. */
  Status (*encode)(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error);
  void (*patch)(const TrajectoryWriter *writer, Bytes *out);

  /* In their place, where a library of the format's writes to writer->out.fd. commit: all frames so far stand
   * in the file, whose length goes to writer->out.size, and on the disk, unless it is the last and the file
   * is about to be closed; resume: goes on behind the first writer->frames, one or more. */
  Status (*append)(TrajectoryWriter *writer, const Frame *frame, Error *error);
  Status (*commit)(TrajectoryWriter *writer, bool last, Error *error);
  Status (*resume)(TrajectoryWriter *writer, Error *error);
  void (*release)(TrajectoryWriter *writer);
} TrajectoryFormat;

/* Places in the table. */
enum {
#define FORMAT(name) TRAJECTORY_##name,
#include "io/trajectory_formats.def"
  TRAJECTORY_FORMATS
};

/* All formats, ended by NULL. */
extern const TrajectoryFormat *const trajectory_formats[];

/* Whether this build writes it. */
bool trajectory_written(const TrajectoryFormat *format);

/* Whether one of a set of formats, bit i for row i, has the trait. */
bool trajectory_formats_have(unsigned formats, TrajectoryTrait trait);

/* The format of this name ("xyz", "dcd", ...), NULL if there is none. */
const TrajectoryFormat *trajectory_find(const char *name);

typedef struct TrajectoryOptions {
  bool replace;      /* overwrite a file that exists; else that is an error                       */
  bool owned;        /* in a folder with a list of files (base/manifest.h), which allows it or refuses  */
  bool whole;        /* written beside its place as path.part, and moved there by trajectory_finish       */
  bool lenient;      /* a frame of which the format cannot hold a coordinate is left out, without an error */
  bool exact;        /* XYZ: 17 significant digits, which bring back every bit, else 8 decimals;
                      * GRO: 9 decimals (nm), else 3 as by GROMACS                                 */
  double precision;  /* angstrom, what XTC rounds to multiples of; 0: 0.01                               */
  double timestep;   /* ps, one step of the integrator; DCD needs it                              */
  int64_t stride;    /* steps between frames; DCD needs it                                        */
  int replicas;      /* whose frames are written in turn: H5MD has a group for each; 0, 1: one    */
  const char *title; /* for formats that have titles, or NULL; copied, as one line                    */
  int nbond;         /* for formats that hold bonds (H5MD), between atoms by their indices, ...       */
  const int (*bond)[2]; /* [nbond] which outlive the writer                                            */
} TrajectoryOptions;

/* Creates the file at once and the header with the first frame. format: a name, or NULL: by the suffix.
 * STATUS_INPUT: no such format, or one that is only read; STATUS_IO: it exists (and replace is false) or
 * cannot be created. *out is NULL after an error. */
Status trajectory_create(TrajectoryWriter **out, const char *path, const char *format,
                         const TrajectoryOptions *options, Error *error);

/* Where a writer is: all that another one needs to go on with its file. Words of 8 bytes. */
typedef struct TrajectoryMark {
  int64_t size;   /* bytes of the file                              */
  int64_t frames; /* in it                                          */
  int64_t first_step, natoms, has_cell;
} TrajectoryMark;

/* Brings the frames so far down to the disk and says where the file is. STATUS_IO. */
Status trajectory_mark(TrajectoryWriter *writer, TrajectoryMark *mark, Error *error);

/* As trajectory_create, to go on with a file where a mark was taken; later frames are cut away. STATUS_IO
 * also if the file is shorter. */
Status trajectory_resume(TrajectoryWriter **out, const char *path, const char *format,
                         const TrajectoryOptions *options, const TrajectoryMark *mark, Error *error);

/* Appends one frame: wholly, or not at all, so that the file can be read whatever happens. Needs symbols for
 * XYZ, GRO and PDB (elements; GRO and PDB make names and residues of them); the number of atoms, and whether
 * there is a box, are those of the first frame; in DCD, steps must be `stride` apart. STATUS_RUN: a
 * coordinate is not finite, or the frame does not fit the file; STATUS_IO: the system refused (disk full):
 * the file then ends with the frame before (H5MD: with the last mark); STATUS_MEMORY. */
Status trajectory_write(TrajectoryWriter *writer, const Frame *frame, Error *error);

/* Which frame a lenient writer first left out and why, "" if none. */
const char *trajectory_left_out(const TrajectoryWriter *writer);

/* Closes and frees (NULL is fine). STATUS_IO if the system reports late that it could not write. */
Status trajectory_finish(TrajectoryWriter *writer, Error *error);

/* Closes and frees without finishing: a file that is to be whole does not come to be. NULL is fine. */
void trajectory_discard(TrajectoryWriter *writer);

/* All of it for a file of one frame, which is there whole or not at all. */
Status trajectory_write_one(const char *path, const char *format, const TrajectoryOptions *options,
                            const Frame *frame, Error *error);

/* The same of n frames: fill makes number i in *frame, which has room for them. */
Status trajectory_write_all(const char *path, const char *format, const TrajectoryOptions *options,
                            Frame *frame, int64_t n, void (*fill)(void *self, int64_t i, Frame *frame),
                            void *self, Error *error);

/* Opens a file; the format is that of the suffix if the content agrees, else that of the content. Of a file
 * packed by gzip or bzip2 both are those of what it holds (unpacked.h).
 * STATUS_INPUT: absent, no permission, no regular file, empty, or no format that is known; STATUS_IO.
 * *out is NULL after an error. */
Status trajectory_open(TrajectoryReader **out, const char *path, Error *error);

/* The next frame, or *end = true after the last (the frame is then not changed in any useful way). Every
 * frame must have as many atoms as the first. A last frame that was cut short (a killed run) ends the
 * reading, with a warning; if it is the only one, it is STATUS_INPUT, as are malformed lines and coordinates
 * that are no finite numbers. Memory is bounded by the size of the file. */
Status trajectory_read(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);

/* What was odd but could be read, "" if nothing: look after the last frame. */
const char *trajectory_warning(const TrajectoryReader *reader);

/* The same in two: the next frame, of which step, time and the number of atoms are known; and, if wanted, the
 * rest of it. DCD, XTC and H5MD files are not read where no rest is asked for. */
Status trajectory_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
Status trajectory_fill(TrajectoryReader *reader, Frame *frame, Error *error);

void trajectory_close(TrajectoryReader *reader);

/* Opens, reads the first frame, closes: a structure file. */
Status trajectory_read_first(const char *path, Frame *frame, Error *error);

#endif
