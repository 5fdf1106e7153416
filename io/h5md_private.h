/* Shared by the files of H5MD: h5md.c writes with h5md_object.c, h5md_read.c reads with h5md_element.c. */
#ifndef HOLONOM_IO_H5MD_PRIVATE_H
#define HOLONOM_IO_H5MD_PRIVATE_H

#include "io/h5md_file.h"
#include "io/trajectory_format.h"

/* Converts a unit, a number and then symbols with powers, to angstrom, ps, g/mol and kcal/mol ("nm ps-1":
 * 10; "kJ mol-1 nm-1": 0.0239). `like` is a unit of the required kind ("Angstrom ps-1"). False: an unknown
 * symbol, or another kind. */
bool h5md_unit(const char *text, const char *like, double *factor);

extern const char h5md_unit_length[], h5md_unit_time[], h5md_unit_velocity[], h5md_unit_force[],
    h5md_unit_mass[];

/* Attributes of our files: the number of whole rows, on `parameters`; the names of the numbers in
 * `species`. */
#define H5MD_ROWS  "holonom_rows"
#define H5MD_NAMES "names"

/* --- writing ------------------------------------------------------------------------------------------ */

/* A dataset that grows by rows. */
typedef struct H5mdRows {
  hid_t type;      /* in the file */
  int rank;        /* 1 to 3, with that of the rows */
  hsize_t size[2]; /* of a row */
  int64_t chunk;   /* rows in a chunk */
} H5mdRows;

/* These return false, or a negative id, after a failure; h5md_file_fail reports the reason. They create an
 * attribute of n values (0: a scalar), of texts of fixed length, of one text; a group; a fixed dataset. */
bool h5md_object_attribute(hid_t at, const char *name, hid_t type, hsize_t n, const void *value);
bool h5md_object_texts(hid_t at, const char *name, hsize_t n, const char *const *text);
bool h5md_object_text(hid_t at, const char *name, const char *text);
hid_t h5md_object_group(hid_t at, const char *name);

/* Units are texts of variable length because MDAnalysis reads no others. Holonom itself does not read
 * them. */
bool h5md_object_unit(hid_t at, const char *unit);
bool h5md_object_array(hid_t at, const char *name, hid_t type, hid_t memory, hsize_t n, const void *value,
                       const char *unit);

/* Names of atoms, as texts of one length; pairs of indices of a group's particles, which H5MD 1.1 requires
 * an object reference to. */
bool h5md_object_names(hid_t at, const char *name, int n, const char (*text)[FRAME_NAME]);
bool h5md_object_pairs(hid_t at, const char *name, int n, const int (*pair)[2], hid_t file,
                       const char *group);

/* Creates a group of `value`, without rows, with its step and time: new datasets for the first element,
 * also stored as "steps" and "times" in `file`; links to them for all others. */
bool h5md_object_element(hid_t file, hid_t at, const char *name, const char *unit, const H5mdRows *of,
                         bool timed);

/* Opens at/element/name for access by rows; -1: it does not exist. */
hid_t h5md_object_open_rows(hid_t at, const char *element, const char *name);

/* Writes row `row`, the last or the next one, of a dataset of this rank. */
bool h5md_object_put_row(hid_t id, int64_t row, int rank, const hsize_t *size, hid_t type, const void *data);

/* Whether the dataset has at least this many rows; cut_rows removes all rows after them. */
bool h5md_object_has_rows(hid_t id, int64_t rows);
bool h5md_object_cut_rows(hid_t id, int64_t rows);

/* The group `observables`. */
typedef struct H5mdObservables {
  int n, nset;
  char name[FRAME_OBSERVABLES][sizeof((FrameObservable){0}.name)]; /* [n], in order */
  hid_t value[FRAME_OBSERVABLES];
  double *row; /* [n][nset] being written */
} H5mdObservables;

/* Creates the datasets of the frame's observables; to be called before the links of h5md_object_element
 * are removed. */
bool h5md_observables_create(hid_t file, int nset, const Frame *frame, bool timed);

/* STATUS_IO: the datasets were not written by Holonom; STATUS_MEMORY. A file without the group has no
 * observables. */
Status h5md_observables_open(H5mdObservables *of, const H5mdFile *file, int nset, Error *error);
void h5md_observables_free(H5mdObservables *of);

/* Whether a frame has the observables of the file. */
bool h5md_observables_fit(const H5mdObservables *of, const Frame *frame);
bool h5md_observables_put(H5mdObservables *of, int64_t row, int replica, const Frame *frame);

/* --- reading ------------------------------------------------------------------------------------------ */

enum { H5MD_ANY = -1, H5MD_TEXT = 128 };

/* A dataset of rows, or of one row that is the same for all frames. */
typedef struct H5mdElement {
  hid_t value;     /* -1: it does not exist */
  int rank;        /* of a row */
  hsize_t size[2]; /* of a row */
  bool timed;      /* has rows */
  int64_t rows;
  double factor; /* to our units */
} H5mdElement;

/* The steps or times of frames. */
typedef struct H5mdClock {
  hid_t id; /* one value for each frame; -1: none, or equidistant */
  bool even;
  double offset, increment, factor;
} H5mdClock;

typedef struct H5mdSet {
  H5mdElement position, velocity, force, edges;
  bool periodic;
  H5mdClock step, time;
} H5mdSet;

typedef struct H5mdReader {
  H5mdFile file;
  int natoms, nset;
  bool replicas;
  Frame labels; /* names of atoms; of our files also numbers and names of molecules */
  H5mdSet *set; /* [nset] */
  int64_t rows; /* whole rows of one of our files; -1: another file */
} H5mdReader;

/* Sets the error "path: name what", STATUS_INPUT; or the reader's warning, unless it has one. */
Status h5md_element_wrong(const TrajectoryReader *reader, const char *name, const char *what, Error *error);
void h5md_element_warn(TrajectoryReader *reader, const char *name, const char *what);

/* The type of a group or dataset: H5I_BADID if it does not exist, H5I_UNINIT if it is broken. */
H5I_type_t h5md_element_object(hid_t at, const char *name, hid_t *id);

/* The number of values of an attribute, 0 if it does not exist; its n texts, or its number in memory of
 * this type: false if the count is not n, or the type differs. */
int h5md_element_count(hid_t at, const char *name);
bool h5md_element_texts(hid_t at, const char *name, int n, char (*text)[H5MD_TEXT]);
bool h5md_element_number(hid_t at, const char *name, hid_t type, void *value);

/* The factor of a dataset's unit; without a unit ours is assumed, with a warning. */
Status h5md_element_get_unit(TrajectoryReader *reader, hid_t id, const char *name, const char *like,
                             double *factor, Error *error);

/* Opens the element `name`, with rows of this rank (H5MD_ANY: 1 or 2), all of which are in the file; value
 * is -1 if it does not exist. Vectors have a unit. STATUS_INPUT. */
Status h5md_element(TrajectoryReader *reader, hid_t at, const char *name, int rank, H5mdElement *e,
                    Error *error);
Status h5md_element_vectors(TrajectoryReader *reader, hid_t at, const char *name, const char *like,
                            H5mdElement *e, Error *error);

/* Reads row `row` as numbers of this type, without converting the unit. */
Status h5md_element_read_row(const H5mdReader *own, const H5mdElement *e, int64_t row, hid_t type,
                             const char *name, void *out, Error *error);

/* Names of n atoms, as texts of one length; false if the file has no such names. */
bool h5md_element_names(hid_t at, const char *name, int n, char (*text)[FRAME_NAME]);

/* Opens "ELEMENT/step" or "ELEMENT/time" (like: a unit) of an element with `rows` rows; neither is
 * required. */
Status h5md_element_clock(TrajectoryReader *reader, hid_t at, const char *path, int64_t rows,
                          const char *like, H5mdClock *clock, Error *error);
Status h5md_element_read_clock(const H5mdReader *own, const H5mdClock *clock, int64_t row, double *value,
                               Error *error);

Status h5md_read_open(TrajectoryReader *reader, Error *error);
Status h5md_read_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
Status h5md_read_fill(TrajectoryReader *reader, Frame *frame, Error *error);
void h5md_read_close(TrajectoryReader *reader);

#endif
