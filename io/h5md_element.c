#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/h5md_private.h"

/* The most bytes that one byte of a deflated chunk can yield. */
enum { INFLATED_MOST = 1100 };

Status h5md_element_wrong(const TrajectoryReader *reader, const char *name, const char *what, Error *error)
{
  return error_set(error, STATUS_INPUT, "%s: %s %s", reader->path, name, what);
}

void h5md_element_warn(TrajectoryReader *reader, const char *name, const char *what)
{
  if (reader->warning[0] == '\0')
    snprintf(reader->warning, sizeof reader->warning, "%s %s", name, what);
}

/* A group or dataset; H5I_BADID if it does not exist, H5I_UNINIT if it is broken. */
H5I_type_t h5md_element_object(hid_t at, const char *name, hid_t *id)
{
  *id = -1;
  const htri_t there = H5Lexists(at, name, H5P_DEFAULT);
  if (there > 0)
    *id = H5Oopen(at, name, H5P_DEFAULT);
  return *id >= 0 ? H5Iget_type(*id) : there == 0 ? H5I_BADID : H5I_UNINIT;
}

/* --- texts --------------------------------------------------------------------------------------------- */

static hid_t open_attribute(hid_t at, const char *name)
{
  return H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
}

/* The number of values of an attribute. */
static int count_values(hid_t attribute)
{
  H5MD_ID space = H5Aget_space(attribute);
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
  return n > 0 && n < INT32_MAX ? (int)n : 0;
}

int h5md_element_count(hid_t at, const char *name)
{
  H5MD_ID id = open_attribute(at, name);
  return id >= 0 ? count_values(id) : 0;
}

/* Reads the n texts of an attribute of this type. */
static bool read_texts(hid_t id, hid_t type, int n, char (*text)[H5MD_TEXT])
{
  const bool variable = H5Tis_variable_str(type) > 0;
  const size_t size = H5Tget_size(type);
  SCOPED(scoped_free) char *read = size < H5MD_TEXT ? calloc((size_t)n, size) : NULL;
  const bool good = read != NULL && H5Aread(id, type, read) >= 0;
  for (int i = 0; i < n && good; i++) {
    const char *one = read + (size_t)i * size;
    if (variable)
      memcpy(&one, read + (size_t)i * size, sizeof one);
    snprintf(text[i], H5MD_TEXT, "%.*s", variable ? H5MD_TEXT - 1 : (int)size, one != NULL ? one : "");
  }
  H5MD_ID space = good && variable ? H5Aget_space(id) : -1;
  if (space >= 0)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
  return good;
}

/* Reads n texts of an attribute, cut at H5MD_TEXT - 1; false if their number is not n. */
bool h5md_element_texts(hid_t at, const char *name, int n, char (*text)[H5MD_TEXT])
{
  H5MD_ID id = open_attribute(at, name), type = id >= 0 ? H5Aget_type(id) : -1;
  return type >= 0 && H5Tget_class(type) == H5T_STRING && count_values(id) == n &&
         read_texts(id, type, n, text);
}

/* Whether a type, which is closed here, is a supported type of numbers. */
static bool are_numbers(hid_t of)
{
  enum { BYTES_MOST = 16 };
  H5MD_ID type = of;
  const H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  return (class == H5T_FLOAT || class == H5T_INTEGER || class == H5T_ENUM) && H5Tget_size(type) <= BYTES_MOST;
}

bool h5md_element_number(hid_t at, const char *name, hid_t type, void *value)
{
  H5MD_ID id = open_attribute(at, name);
  return id >= 0 && count_values(id) == 1 && are_numbers(H5Aget_type(id)) && H5Aread(id, type, value) >= 0;
}

/* The factor of a unit. Our files use our units, which are not read; a missing unit is assumed to be ours. */
Status h5md_element_get_unit(TrajectoryReader *reader, hid_t id, const char *name, const char *like,
                             double *factor, Error *error)
{
  const H5mdReader *own = reader->own;
  char unit[1][H5MD_TEXT];
  *factor = 1.0;
  if (own->rows >= 0)
    return STATUS_OK;
  const htri_t there = H5Aexists(id, "unit");
  const bool read = there > 0 && h5md_element_texts(id, "unit", 1, unit);
  if (there != 0 && !read)
    return h5md_element_wrong(reader, name, "has a unit that cannot be read", error);
  if (!read) {
    char words[200];
    snprintf(words, sizeof words, "has no unit: %s is assumed", like);
    h5md_element_warn(reader, name, words);
    return STATUS_OK;
  }
  if (h5md_unit(unit[0], like, factor))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT,
                   "%s: %s has the unit '%s', which is unknown; expected: a unit such as '%s'", reader->path,
                   name, unit[0], like);
}

bool h5md_element_names(hid_t at, const char *name, int n, char (*text)[FRAME_NAME])
{
  hsize_t all[1] = {0};
  H5MD_ID id = -1;
  if (h5md_element_object(at, name, &id) != H5I_DATASET)
    return false;
  H5MD_ID type = H5Dget_type(id), space = H5Dget_space(id);
  const bool good = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
                    H5Tis_variable_str(type) == 0 && H5Tget_size(type) == FRAME_NAME &&
                    H5Sget_simple_extent_ndims(space) == 1 &&
                    H5Sget_simple_extent_dims(space, all, NULL) == 1 && all[0] == (hsize_t)n &&
                    H5Dget_storage_size(id) >= (hsize_t)n * FRAME_NAME &&
                    H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  for (int i = 0; i < n && good; i++)
    text[i][FRAME_NAME - 1] = '\0';
  return good;
}

/* --- elements ------------------------------------------------------------------------------------------ */

/* The number of chunks for `rows` rows of a dataset (-1: all), and of numbers in a chunk; 0: not chunked. */
static double count_chunks(hid_t id, hid_t space, int64_t rows, double *numbers)
{
  hsize_t chunk[H5S_MAX_RANK], all[H5S_MAX_RANK];
  H5MD_ID list = H5Dget_create_plist(id);
  const bool chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED;
  const int rank = chunked ? H5Pget_chunk(list, H5S_MAX_RANK, chunk) : 0;
  double chunks = rank > 0 && H5Sget_simple_extent_dims(space, all, NULL) == rank ? 1.0 : 0.0;
  *numbers = chunks;
  if (chunks > 0.0 && rows >= 0)
    all[0] = (hsize_t)rows;
  for (int i = 0; i < rank && chunks > 0.0; i++) {
    chunks *= ceil((double)all[i] / (double)chunk[i]);
    *numbers *= (double)chunk[i];
  }
  return chunks;
}

/* Whether the file is large enough for the dataset's shape, and the rows (-1: all) have been written. */
static Status check_storage(const TrajectoryReader *reader, hid_t id, int64_t rows, const char *name,
                            Error *error)
{
  const double most = INFLATED_MOST * (double)reader->size;
  H5MD_ID space = H5Dget_space(id);
  double room;
  const double chunks = count_chunks(id, space, rows, &room);
  hsize_t written = 0;
  if (space < 0 || (double)H5Sget_simple_extent_npoints(space) > most || room > most)
    return h5md_element_wrong(reader, name, "has more numbers than a file of this length can have", error);
  if (chunks > 0.0 ? H5Dget_num_chunks(id, space, &written) < 0 || (double)written < chunks
                   : H5Dget_storage_size(id) == 0)
    return h5md_element_wrong(reader, name, "has parts that were never written", error);
  return STATUS_OK;
}

/* Reads the shape of a dataset with rows of this rank. */
static Status read_shape(TrajectoryReader *reader, H5mdElement *e, const char *name, Error *error)
{
  const H5mdReader *own = reader->own;
  hsize_t all[4] = {0};
  H5MD_ID space = H5Dget_space(e->value);
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  if (e->rank == H5MD_ANY)
    e->rank = rank - e->timed == 2 ? 2 : 1;
  if (rank != e->rank + e->timed || H5Sget_simple_extent_dims(space, all, NULL) < 0)
    return h5md_element_wrong(reader, name, "does not have the dimensions that H5MD requires", error);
  if (!are_numbers(H5Dget_type(e->value)))
    return h5md_element_wrong(reader, name, "has no numbers", error);
  e->rows = e->timed ? (int64_t)all[0] : 1;
  if (e->timed && own->rows >= 0 && e->rows > own->rows) {
    h5md_element_warn(reader, name, "has unfinished frames of a killed run, which are left out");
    e->rows = own->rows;
  }
  bool empty = e->rows == 0;
  for (int i = 0; i < e->rank; i++) {
    e->size[i] = all[i + e->timed];
    empty |= e->size[i] == 0;
  }
  return empty ? h5md_element_wrong(reader, name, "is empty", error)
               : check_storage(reader, e->value, e->timed ? e->rows : -1, name, error);
}

/* Opens the element `name`, with rows of this rank; value is -1 if it does not exist. */
Status h5md_element(TrajectoryReader *reader, hid_t at, const char *name, int rank, H5mdElement *e,
                    Error *error)
{
  H5MD_ID id = -1, value = -1;
  *e = (H5mdElement){.value = -1, .rank = rank, .factor = 1.0};
  const H5I_type_t type = h5md_element_object(at, name, &id);
  if (type == H5I_BADID)
    return STATUS_OK;
  if (type != H5I_GROUP && type != H5I_DATASET)
    return h5md_element_wrong(reader, name, "cannot be read", error);
  e->timed = type == H5I_GROUP;
  if (e->timed && h5md_element_object(id, "value", &value) != H5I_DATASET)
    return h5md_element_wrong(reader, name, "has no dataset 'value'", error);
  hid_t *const own = e->timed ? &value : &id;
  e->value = *own;
  *own = -1; /* now owned by the element */
  return read_shape(reader, e, name, error);
}

/* Vectors of atoms, with a unit. */
Status h5md_element_vectors(TrajectoryReader *reader, hid_t at, const char *name, const char *like,
                            H5mdElement *e, Error *error)
{
  TRY(h5md_element(reader, at, name, 2, e, error));
  if (e->value < 0)
    return STATUS_OK;
  if (e->size[1] != 3)
    return h5md_element_wrong(reader, name, "does not have three components", error);
  return h5md_element_get_unit(reader, e->value, name, like, &e->factor, error);
}

/* Reads row `row` as numbers of this type, without the unit. */
Status h5md_element_read_row(const H5mdReader *own, const H5mdElement *e, int64_t row, hid_t type,
                             const char *name, void *out, Error *error)
{
  const int shift = e->timed;
  hsize_t from[3] = {0}, count[3] = {1, 1, 1};
  from[0] = shift ? (hsize_t)row : 0;
  for (int i = 0; i < e->rank; i++)
    count[i + shift] = e->size[i];
  H5MD_ID space = H5Dget_space(e->value), memory = H5Screate_simple(e->rank, e->size, NULL);
  return space >= 0 && memory >= 0 &&
                 H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                 H5Dread(e->value, type, memory, space, H5P_DEFAULT, out) >= 0
             ? STATUS_OK
             : h5md_file_fail(&own->file, STATUS_INPUT, error, "%s of frame %lld cannot be read", name,
                              (long long)row);
}

/* --- steps and times ----------------------------------------------------------------------------------- */

/* Opens "step" or "time" of an element with `rows` rows; neither is required. */
Status h5md_element_clock(TrajectoryReader *reader, hid_t at, const char *path, int64_t rows,
                          const char *like, H5mdClock *clock, Error *error)
{
  *clock = (H5mdClock){.id = -1, .factor = 1.0};
  H5MD_ID id = -1;
  const H5I_type_t type = h5md_element_object(at, path, &id);
  if (type != H5I_DATASET)
    return type == H5I_BADID ? STATUS_OK : h5md_element_wrong(reader, path, "cannot be read", error);
  H5MD_ID space = H5Dget_space(id);
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  const int64_t n = rank == 0 || rank == 1 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
  if (!are_numbers(H5Dget_type(id)) || n < 0 || (rank == 1 && n < rows))
    return h5md_element_wrong(reader, path, "does not have one number for each frame", error);
  TRY(check_storage(reader, id, rank == 1 ? rows : -1, path, error));
  if (like != NULL)
    TRY(h5md_element_get_unit(reader, id, path, like, &clock->factor, error));
  if (rank == 1) {
    clock->id = id;
    id = -1; /* now owned by the clock */
    return STATUS_OK;
  }
  clock->even = true;
  if (!h5md_element_number(id, "offset", H5T_NATIVE_DOUBLE, &clock->offset))
    clock->offset = 0.0;
  return H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &clock->increment) >= 0
             ? STATUS_OK
             : h5md_element_wrong(reader, path, "cannot be read", error);
}

/* Number `row`; NAN if the file does not have it. */
Status h5md_element_read_clock(const H5mdReader *own, const H5mdClock *clock, int64_t row, double *value,
                               Error *error)
{
  *value = clock->even ? (clock->offset + (double)row * clock->increment) * clock->factor : NAN;
  if (clock->id < 0)
    return STATUS_OK;
  const H5mdElement e = {.value = clock->id, .timed = true, .rank = 0};
  const Status status = h5md_element_read_row(own, &e, row, H5T_NATIVE_DOUBLE, "the time", value, error);
  *value *= clock->factor;
  return status;
}
