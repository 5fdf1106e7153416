/* What the files of H5MD (h5md.c writes, h5md_read.c reads) share. */
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
  bool replicas, named;
  char (*symbols)[FRAME_NAME]; /* [natoms] */
  double *masses;              /* [natoms]; NULL: not given */
  H5mdSet *set;                /* [nset]   */
} H5mdReader;

/* "path: name what", STATUS_INPUT; the same as the reader's warning, if it has none yet. */
Status h5md_element_wrong(const TrajectoryReader *reader, const char *name, const char *what, Error *error);
void h5md_element_warn(TrajectoryReader *reader, const char *name, const char *what);

/* Group or dataset: H5I_BADID if there is none, H5I_UNINIT if it is broken; a negative id may be closed, too.
 */
H5I_type_t h5md_element_object(hid_t at, const char *name, hid_t *id);
void h5md_element_close_object(hid_t id);

/* n texts (at most 3) of an attribute; false if there are other than n, or none. */
bool h5md_element_texts(hid_t at, const char *name, int n, char (*text)[H5MD_TEXT]);

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

/* "step" or "time" (like: a unit) of an element that has `rows`; neither need be there. */
Status h5md_element_clock(TrajectoryReader *reader, hid_t at, const char *element, const char *name,
                          int64_t rows, const char *like, H5mdClock *clock, Error *error);
Status h5md_element_read_clock(const H5mdReader *own, const H5mdClock *clock, int64_t row, double *value,
                               Error *error);

Status h5md_read_open(TrajectoryReader *reader, Error *error);
Status h5md_read_next(TrajectoryReader *reader, Frame *frame, bool *end, Error *error);
void h5md_read_close(TrajectoryReader *reader);

#endif
