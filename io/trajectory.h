/* Reads and writes structure and trajectory files: extended XYZ, DCD, XTC, GRO, PDB and H5MD.
 *
 * Lengths are in angstrom, times in ps, forces in kcal/mol/angstrom, velocities in angstrom/ps, whatever
 * the file uses. The source of each format (xyz.c, dcd.c, xtc.c, gro.c, pdb.c, h5md.c) describes its
 * files.
 *
 *   TrajectoryWriter *writer;                       TrajectoryReader *reader;
 *   trajectory_create(&writer, path, NULL, &o, e);  trajectory_open(&reader, path, e);
 *   trajectory_write(writer, &frame, e);  ...       trajectory_read(reader, &frame, &end, e);  ...
 *   trajectory_finish(writer, e);                   trajectory_close(reader); */
#ifndef HOLONOM_IO_TRAJECTORY_H
#define HOLONOM_IO_TRAJECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "io/frame.h"

typedef struct TrajectoryWriter TrajectoryWriter;
typedef struct TrajectoryReader TrajectoryReader;

/* What files of a format can contain. */
typedef enum TrajectoryTrait {
  TRAJECTORY_VELOCITIES = 1, /* in addition to positions */
  TRAJECTORY_NUMBERS = 2,    /* of the system: energies, temperature */
  TRAJECTORY_TOGETHER = 4,   /* the frames of several replicas in one file */
  TRAJECTORY_NAMES = 8       /* of atoms */
} TrajectoryTrait;

/* A format has one source file and one row of trajectory_formats.def. */
typedef struct TrajectoryFormat {
  const char *name, *suffixes, *doc; /* suffixes: ".a .b" */
  unsigned traits;                   /* TrajectoryTrait */

  /* Whether a file that begins with these bytes (followed by a zero byte) has this format. */
  bool (*matches)(const char *head, size_t size);

  /* Reading. `open` (may be NULL) reads the header and may set reader->own; `next` fills the frame or sets
   * *end. If there is a `fill`, `next` need only set the number of atoms, step and time, so that frames
   * can be skipped. Errors name file and line or frame. */
  Status (*open)(TrajectoryReader *reader, Error *error);
  Status (*next)(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
  Status (*fill)(TrajectoryReader *reader, Frame *frame, Error *error);
  void (*close)(TrajectoryReader *reader); /* before its own memory is freed; may be NULL */

  /* Writing; NULL if the format is only read. `encode` appends the bytes of the frame (for the first
   * frame: of the header) to out; `patch` (may be NULL) returns bytes that replace the file's beginning
   * after every frame. */
  Status (*encode)(TrajectoryWriter *writer, const Frame *frame, Bytes *out, Error *error);
  void (*patch)(const TrajectoryWriter *writer, Bytes *out);

  /* The alternative for a format whose library writes to writer->out.fd. `commit` brings all frames so far
   * to the file and the disk (to the file alone if it is about to be closed) and sets writer->out.size to
   * the file's length; `resume` continues after the first writer->frames >= 1 frames. */
  Status (*append)(TrajectoryWriter *writer, const Frame *frame, Error *error);
  Status (*commit)(TrajectoryWriter *writer, bool last, Error *error);
  Status (*resume)(TrajectoryWriter *writer, Error *error);
  void (*release)(TrajectoryWriter *writer);
} TrajectoryFormat;

/* Indices in the table. */
enum {
#define FORMAT(name) TRAJECTORY_##name,
#include "io/trajectory_formats.def"
  TRAJECTORY_FORMATS
};

/* All formats, ended by NULL. */
extern const TrajectoryFormat *const trajectory_formats[];

/* Whether this build can write the format. */
bool trajectory_written(const TrajectoryFormat *format);

/* Whether a format of a set, bit i for row i, has the trait. */
bool trajectory_formats_have(unsigned formats, TrajectoryTrait trait);

/* The format of this name ("xyz", "dcd", ...), NULL: no such format. */
const TrajectoryFormat *trajectory_find(const char *name);

typedef struct TrajectoryOptions {
  bool replace; /* overwrite an existing file; else that is an error */
  bool owned;   /* the folder has a list of files (base/manifest.h), which decides */
  bool whole;   /* written as path.part, and renamed by trajectory_finish */
  bool lenient; /* skip a frame with a coordinate that the format cannot hold, without an error */
  bool exact;   /* XYZ: 17 significant digits, which restore every bit, else 8 decimals; GRO: 9 decimals (nm),
                   else 3 as in GROMACS */
  double precision; /* angstrom: XTC rounds to multiples of it; 0: 0.01 */
  double timestep;  /* ps, one step of the integrator; required by DCD */
  int64_t stride;   /* steps between frames; required by DCD */
  int replicas; /* number of replicas, whose frames are written in turn: H5MD has a group for each; 0, 1: one
                 */
  const char *title;    /* for formats that have titles, or NULL; copied, as one line */
  int nbond;            /* number of bonds, for formats that store bonds (H5MD) */
  const int (*bond)[2]; /* [nbond] indices of bonded atoms; not copied */
} TrajectoryOptions;

/* Creates the file at once, and its header with the first frame. format: a name, or NULL: by the suffix.
 * STATUS_INPUT: no such format, or one that is only read; STATUS_IO: the file exists (and replace is
 * false) or cannot be created. *out is NULL after an error. */
Status trajectory_create(TrajectoryWriter **out, const char *path, const char *format,
                         const TrajectoryOptions *options, Error *error);

/* The state of a writer, with which another one can continue its file. Words of 8 bytes. */
typedef struct TrajectoryMark {
  int64_t size;   /* bytes of the file */
  int64_t frames; /* in the file */
  int64_t first_step, natoms, has_cell;
} TrajectoryMark;

/* Writes all frames so far to the disk and returns the state of the file. STATUS_IO. */
Status trajectory_mark(TrajectoryWriter *writer, TrajectoryMark *mark, Error *error);

/* As trajectory_create, but continues a file from a mark; later frames are cut off. STATUS_IO also if the
 * file is shorter. */
Status trajectory_resume(TrajectoryWriter **out, const char *path, const char *format,
                         const TrajectoryOptions *options, const TrajectoryMark *mark, Error *error);

/* Appends one whole frame or nothing, so that the file stays readable. XYZ, GRO and PDB need symbols
 * (elements; GRO and PDB derive names and residues from them). All frames have the number of atoms of the
 * first, and a box if it has one; in DCD, steps must be `stride` apart. STATUS_RUN: a coordinate is not
 * finite, or the frame does not fit the file; STATUS_IO: the system cannot write (disk full), and the file
 * ends with the frame before (H5MD: with the last mark); STATUS_MEMORY. */
Status trajectory_write(TrajectoryWriter *writer, const Frame *frame, Error *error);

/* The first frame that a lenient writer skipped, and why; "": none. */
const char *trajectory_left_out(const TrajectoryWriter *writer);

/* Closes and frees the writer (NULL is allowed). STATUS_IO if the system reports a failed write late. */
Status trajectory_finish(TrajectoryWriter *writer, Error *error);

/* Closes and frees without finishing: with options.whole the file is not created. NULL is allowed. */
void trajectory_discard(TrajectoryWriter *writer);

/* Writes a file of one frame, whole or not at all. */
Status trajectory_write_one(const char *path, const char *format, const TrajectoryOptions *options,
                            const Frame *frame, Error *error);

/* The same with n frames: `fill` sets frame i in *frame, which has room for it. */
Status trajectory_write_all(const char *path, const char *format, const TrajectoryOptions *options,
                            Frame *frame, int64_t n, void (*fill)(void *self, int64_t i, Frame *frame),
                            void *self, Error *error);

/* Opens a file; its format is that of the suffix if the content agrees, else that of the content. For
 * files packed by gzip or bzip2 both refer to the unpacked file (unpacked.h). STATUS_INPUT: absent, no
 * permission, not a regular file, empty, or of no known format; STATUS_IO. *out is NULL after an error. */
Status trajectory_open(TrajectoryReader **out, const char *path, Error *error);

/* Reads the next frame, or sets *end after the last (the frame is then meaningless). Every frame must have
 * as many atoms as the first. A last frame that is cut short (a killed run) ends the reading with a
 * warning; as the only frame it is STATUS_INPUT, as are malformed lines and coordinates that are not
 * finite. Memory is bounded by the size of the file. */
Status trajectory_read(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);

/* The first oddity that did not prevent reading, "" if none; complete after the last frame. */
const char *trajectory_warning(const TrajectoryReader *reader);

/* trajectory_read in two steps: number of atoms, step and time of the next frame; and, if needed, the
 * rest. DCD, XTC and H5MD files skip a rest that is not read. */
Status trajectory_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
Status trajectory_fill(TrajectoryReader *reader, Frame *frame, Error *error);

void trajectory_close(TrajectoryReader *reader);

/* Reads the first frame of a file. */
Status trajectory_read_first(const char *path, Frame *frame, Error *error);

#endif
