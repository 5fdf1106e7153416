/* What the files of H5MD (h5md.c writes by h5md_object.c, h5md_read.c reads by h5md_element.c) share. */
#ifndef HOLONOM_IO_H5MD_PRIVATE_H
#define HOLONOM_IO_H5MD_PRIVATE_H

#include "io/h5md_file.h"
#include "io/trajectory_format.h"

/* What such units are in angstrom, ps, g/mol and kcal/mol ("nm ps-1": 10; "kJ mol-1 nm-1": 0.0239): a number,
 * then symbols with powers. `like` is one of the kind that is wanted ("Angstrom ps-1"). False: a symbol that
 * is not known, or another kind. */
bool h5md_unit(const char *text, const char *like, double *factor);

extern const char h5md_unit_length[], h5md_unit_time[], h5md_unit_velocity[], h5md_unit_force[],
    h5md_unit_mass[];

/* Attributes of files of ours. Of `parameters`: how many rows are whole; of species: what its numbers stand
 * for. */
#define H5MD_ROWS  "holonom_rows"
#define H5MD_NAMES "names"

/* --- writing ------------------------------------------------------------------------------------------ */

/* A dataset that grows by rows. */
typedef struct H5mdRows {
  hid_t type;      /* in the file             */
  int rank;        /* 1 to 3, that of the rows */
  hsize_t size[2]; /* of a row                */
  int64_t chunk;   /* rows in one             */
} H5mdRows;

/* All false, or negative, after a failure: h5md_file_fail says which. An attribute of n values (0: a scalar),
 * of texts of a fixed length, of one text; a group; a dataset that does not change. */
bool h5md_object_attribute(hid_t at, const char *name, hid_t type, hsize_t n, const void *value);
bool h5md_object_texts(hid_t at, const char *name, hsize_t n, const char *const *text);
bool h5md_object_text(hid_t at, const char *name, const char *text);
hid_t h5md_object_group(hid_t at, const char *name);

/* Units are texts of variable length, the only ones: MDAnalysis knows no others. Nothing of ours reads them.
 */
bool h5md_object_unit(hid_t at, const char *unit);
bool h5md_object_array(hid_t at, const char *name, hid_t type, hid_t memory, hsize_t n, const void *value,
                       const char *unit);

/* Names of atoms, in room of the same length; pairs of numbers of particles of a group, which H5MD 1.1 wants
 * an object reference to. */
bool h5md_object_names(hid_t at, const char *name, int n, const char (*text)[FRAME_NAME]);
bool h5md_object_pairs(hid_t at, const char *name, int n, const int (*pair)[2], hid_t file,
                       const char *group);

/* A group of value, without rows yet, with its step and time: new ones for the first, which stand as "steps"
 * and "times" in `file`, too, and links to them for all others. */
bool h5md_object_element(hid_t file, hid_t at, const char *name, const char *unit, const H5mdRows *of,
                         bool timed);

/* at/element/name, to be read or written by rows; -1: there is none. */
hid_t h5md_object_open_rows(hid_t at, const char *element, const char *name);

/* Row number `row`, the last or the next one, of such a rank in all. */
bool h5md_object_put_row(hid_t id, int64_t row, int rank, const hsize_t *size, hid_t type, const void *data);

/* Whether there are so many rows, or more; and no more than those from now on. */
bool h5md_object_has_rows(hid_t id, int64_t rows);
bool h5md_object_cut_rows(hid_t id, int64_t rows);

/* The group `observables`. */
typedef struct H5mdObservables {
  int n, nset;
  char name[FRAME_OBSERVABLES][sizeof((FrameObservable){0}.name)]; /* [n], in order */
  hid_t value[FRAME_OBSERVABLES];
  double *row; /* [n][nset] being written */
} H5mdObservables;

/* As the frame has them; before the links of h5md_object_element are taken away. */
bool h5md_observables_create(hid_t file, int nset, const Frame *frame, bool timed);

/* STATUS_IO: they are none of ours; STATUS_MEMORY. A file without the group has none. */
Status h5md_observables_open(H5mdObservables *of, const H5mdFile *file, int nset, Error *error);
void h5md_observables_free(H5mdObservables *of);

/* Whether a frame has those of the file. */
bool h5md_observables_fit(const H5mdObservables *of, const Frame *frame);
bool h5md_observables_put(H5mdObservables *of, int64_t row, int replica, const Frame *frame);

/* --- reading ------------------------------------------------------------------------------------------ */

enum { H5MD_ANY = -1, H5MD_TEXT = 128 };

/* A dataset of rows, or of one that holds for all frames. */
typedef struct H5mdElement {
  hid_t value;     /* -1: there is none          */
  int rank;        /* of a row                   */
  hsize_t size[2]; /* of a row                   */
  bool timed;      /* has rows                   */
  int64_t rows;
  double factor; /* to our units               */
} H5mdElement;

/* Steps or times. */
typedef struct H5mdClock {
  hid_t id; /* of one for each frame; -1: there is none, or they are at equal distances */
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
  Frame labels; /* what the atoms are; of files of ours also numbers and names of molecules */
  H5mdSet *set; /* [nset]   */
  int64_t rows; /* of a file of ours, that are whole; -1: it is none */
} H5mdReader;

/* "path: name what", STATUS_INPUT; the same as the reader's warning, if it has none yet. */
Status h5md_element_wrong(const TrajectoryReader *reader, const char *name, const char *what, Error *error);
void h5md_element_warn(TrajectoryReader *reader, const char *name, const char *what);

/* Group or dataset: H5I_BADID if there is none, H5I_UNINIT if it is broken. */
H5I_type_t h5md_element_object(hid_t at, const char *name, hid_t *id);

/* How many values an attribute has, 0 if there is none; its n texts, or its number in memory of this type:
 * false if there are other than n, or it is of another type. */
int h5md_element_count(hid_t at, const char *name);
bool h5md_element_texts(hid_t at, const char *name, int n, char (*text)[H5MD_TEXT]);
bool h5md_element_number(hid_t at, const char *name, hid_t type, void *value);

/* The factor of a dataset's unit; what has none is taken as ours, with a warning. */
Status h5md_element_get_unit(TrajectoryReader *reader, hid_t id, const char *name, const char *like,
                             double *factor, Error *error);

/* The element `name`, of rows of this rank (H5MD_ANY: 1 or 2), all of which are in the file; value is -1 if
 * there is none. Vectors have a unit. STATUS_INPUT. */
Status h5md_element(TrajectoryReader *reader, hid_t at, const char *name, int rank, H5mdElement *e,
                    Error *error);
Status h5md_element_vectors(TrajectoryReader *reader, hid_t at, const char *name, const char *like,
                            H5mdElement *e, Error *error);

/* Row `row` as numbers of this type, without the unit. */
Status h5md_element_read_row(const H5mdReader *own, const H5mdElement *e, int64_t row, hid_t type,
                             const char *name, void *out, Error *error);

/* Names of n atoms, in room of the same length; false if there are none such. */
bool h5md_element_names(hid_t at, const char *name, int n, char (*text)[FRAME_NAME]);

/* "ELEMENT/step" or "ELEMENT/time" (like: a unit) of an element that has `rows`; neither need be there. */
Status h5md_element_clock(TrajectoryReader *reader, hid_t at, const char *path, int64_t rows,
                          const char *like, H5mdClock *clock, Error *error);
Status h5md_element_read_clock(const H5mdReader *own, const H5mdClock *clock, int64_t row, double *value,
                               Error *error);

Status h5md_read_open(TrajectoryReader *reader, Error *error);
Status h5md_read_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
Status h5md_read_fill(TrajectoryReader *reader, Frame *frame, Error *error);
void h5md_read_close(TrajectoryReader *reader);

#endif
