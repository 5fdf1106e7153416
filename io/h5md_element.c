#include <math.h>

#include "io/h5md_private.h"

/* One byte of a deflated chunk gives at most so many. */
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

/* Group or dataset: either is closed by H5Oclose; H5I_BADID if there is none, H5I_UNINIT if it is broken. */
H5I_type_t h5md_element_object(hid_t at, const char *name, hid_t *id)
{
  *id = -1;
  const htri_t there = H5Lexists(at, name, H5P_DEFAULT);
  if (there > 0)
    *id = H5Oopen(at, name, H5P_DEFAULT);
  return *id >= 0 ? H5Iget_type(*id) : there == 0 ? H5I_BADID : H5I_UNINIT;
}

void h5md_element_close_object(hid_t id)
{
  if (id >= 0)
    H5Oclose(id);
}

/* --- texts --------------------------------------------------------------------------------------------- */

/* n texts of an attribute, cut at H5MD_TEXT - 1; false if there are other than n, or none. */
bool h5md_element_texts(hid_t at, const char *name, int n, char (*text)[H5MD_TEXT])
{
  char *pointer[3] = {NULL}, fixed[3 * H5MD_TEXT] = {0};
  const hid_t id = H5Aexists(at, name) > 0 ? H5Aopen(at, name, H5P_DEFAULT) : -1;
  if (id < 0)
    return false;
  const hid_t type = H5Aget_type(id), space = H5Aget_space(id);
  bool good = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == n;
  const bool variable = good && H5Tis_variable_str(type) > 0;
  const size_t size = good ? H5Tget_size(type) : 0;
  if (variable)
    good = H5Aread(id, type, pointer) >= 0;
  else
    good = good && size < H5MD_TEXT && H5Aread(id, type, fixed) >= 0;
  for (int i = 0; i < n && good; i++)
    if (variable)
      snprintf(text[i], H5MD_TEXT, "%s", pointer[i] != NULL ? pointer[i] : "");
    else
      snprintf(text[i], H5MD_TEXT, "%.*s", (int)size, fixed + (size_t)i * size);
  if (variable && good)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointer);
  if (type >= 0)
    H5Tclose(type);
  if (space >= 0)
    H5Sclose(space);
  H5Aclose(id);
  return good;
}

/* The factor of its unit; what has none is taken as ours. */
Status h5md_element_get_unit(TrajectoryReader *reader, hid_t id, const char *name, const char *like,
                             double *factor, Error *error)
{
  char unit[1][H5MD_TEXT];
  *factor = 1.0;
  const htri_t there = H5Aexists(id, "unit");
  const bool read = there > 0 && h5md_element_texts(id, "unit", 1, unit);
  if (there != 0 && !read)
    return h5md_element_wrong(reader, name, "has a unit that cannot be read", error);
  if (!read) {
    char words[200];
    snprintf(words, sizeof words, "has no unit: its numbers are taken as %s", like);
    h5md_element_warn(reader, name, words);
    return STATUS_OK;
  }
  if (h5md_unit(unit[0], like, factor))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "%s: %s has the unit '%s', which is not known as one like '%s'",
                   reader->path, name, unit[0], like);
}

/* --- elements ------------------------------------------------------------------------------------------ */

static bool is_number(hid_t id)
{
  const hid_t type = H5Dget_type(id);
  const H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  if (type >= 0)
    H5Tclose(type);
  return class == H5T_FLOAT || class == H5T_INTEGER || class == H5T_ENUM;
}

/* Chunks that a dataset should have, and numbers in one; 0: it has none. */
static double count_chunks(hid_t id, hid_t space, double *numbers)
{
  hsize_t chunk[H5S_MAX_RANK], all[H5S_MAX_RANK];
  const hid_t list = H5Dget_create_plist(id);
  const bool chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED;
  const int rank = chunked ? H5Pget_chunk(list, H5S_MAX_RANK, chunk) : 0;
  double chunks = rank > 0 && H5Sget_simple_extent_dims(space, all, NULL) == rank ? 1.0 : 0.0;
  *numbers = chunks;
  for (int i = 0; i < rank && chunks > 0.0; i++) {
    chunks *= ceil((double)all[i] / (double)chunk[i]);
    *numbers *= (double)chunk[i];
  }
  if (list >= 0)
    H5Pclose(list);
  return chunks;
}

/* Whether what it says to have can be in the file, and is. */
static Status check_storage(const TrajectoryReader *reader, hid_t id, const char *name, Error *error)
{
  const double most = INFLATED_MOST * (double)reader->size;
  const hid_t space = H5Dget_space(id);
  double room;
  const double chunks = count_chunks(id, space, &room);
  hsize_t written = 0;
  Status status = STATUS_OK;
  if (space < 0 || (double)H5Sget_simple_extent_npoints(space) > most || room > most)
    status = h5md_element_wrong(reader, name, "has more numbers than a file of this length can hold", error);
  else if (chunks > 0.0 ? H5Dget_num_chunks(id, space, &written) < 0 || (double)written < chunks
                        : H5Dget_storage_size(id) == 0)
    status = h5md_element_wrong(reader, name, "has parts that were never written", error);
  if (space >= 0)
    H5Sclose(space);
  return status;
}

/* The dataset at id, whose rows are of this rank, into element. */
static Status look_at(const TrajectoryReader *reader, H5mdElement *e, const char *name, Error *error)
{
  hsize_t all[4] = {0};
  const hid_t space = H5Dget_space(e->value);
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  if (e->rank == H5MD_ANY)
    e->rank = rank - e->timed == 2 ? 2 : 1;
  const bool good = rank == e->rank + e->timed && H5Sget_simple_extent_dims(space, all, NULL) >= 0;
  if (space >= 0)
    H5Sclose(space);
  if (!good)
    return h5md_element_wrong(reader, name, "does not have the dimensions that H5MD gives it", error);
  if (!is_number(e->value))
    return h5md_element_wrong(reader, name, "holds no numbers", error);
  e->rows = e->timed ? (int64_t)all[0] : 1;
  bool empty = e->rows == 0;
  for (int i = 0; i < e->rank; i++) {
    e->size[i] = all[i + e->timed];
    empty |= e->size[i] == 0;
  }
  return empty ? h5md_element_wrong(reader, name, "is empty", error)
               : check_storage(reader, e->value, name, error);
}

/* The element `name`, of rows of this rank; value is -1 if there is none. */
Status h5md_element(TrajectoryReader *reader, hid_t at, const char *name, int rank, H5mdElement *e,
                    Error *error)
{
  hid_t id;
  *e = (H5mdElement){.value = -1, .rank = rank, .factor = 1.0};
  const H5I_type_t type = h5md_element_object(at, name, &id);
  if (type == H5I_GROUP) {
    e->timed = true;
    const H5I_type_t inner = h5md_element_object(id, "value", &e->value);
    H5Oclose(id);
    if (inner != H5I_DATASET) {
      h5md_element_close_object(e->value);
      e->value = -1;
      return h5md_element_wrong(reader, name, "holds no dataset 'value'", error);
    }
  } else if (type == H5I_DATASET) {
    e->value = id;
  } else {
    h5md_element_close_object(id);
    return type == H5I_BADID ? STATUS_OK : h5md_element_wrong(reader, name, "cannot be read", error);
  }
  return look_at(reader, e, name, error);
}

/* Vectors of the atoms with a unit. */
Status h5md_element_vectors(TrajectoryReader *reader, hid_t at, const char *name, const char *like,
                            H5mdElement *e, Error *error)
{
  Status status = h5md_element(reader, at, name, 2, e, error);
  if (status != STATUS_OK || e->value < 0)
    return status;
  if (e->size[1] != 3)
    return h5md_element_wrong(reader, name, "has not three components", error);
  return h5md_element_get_unit(reader, e->value, name, like, &e->factor, error);
}

/* Row `row` into out; natively, without the unit. */
Status h5md_element_read_row(const H5mdReader *own, const H5mdElement *e, int64_t row, hid_t type,
                             const char *name, void *out, Error *error)
{
  const int shift = e->timed;
  hsize_t from[3] = {0}, count[3] = {1, 1, 1};
  from[0] = shift ? (hsize_t)row : 0;
  for (int i = 0; i < e->rank; i++)
    count[i + shift] = e->size[i];
  const hid_t space = H5Dget_space(e->value), memory = H5Screate_simple(e->rank, e->size, NULL);
  const bool good = space >= 0 && memory >= 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                    H5Dread(e->value, type, memory, space, H5P_DEFAULT, out) >= 0;
  const Status status = good ? STATUS_OK
                             : h5md_file_fail(&own->file, STATUS_INPUT, error,
                                              "%s of frame %lld cannot be read", name, (long long)row);
  if (space >= 0)
    H5Sclose(space);
  if (memory >= 0)
    H5Sclose(memory);
  return status;
}

/* --- steps and times ----------------------------------------------------------------------------------- */

static double get_offset(hid_t id)
{
  double offset = 0.0;
  const hid_t at = H5Aexists(id, "offset") > 0 ? H5Aopen(id, "offset", H5P_DEFAULT) : -1;
  const hid_t space = at >= 0 ? H5Aget_space(at) : -1;
  if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(at, H5T_NATIVE_DOUBLE, &offset) < 0)
    offset = 0.0;
  if (space >= 0)
    H5Sclose(space);
  if (at >= 0)
    H5Aclose(at);
  return offset;
}

/* "step" or "time" of an element that has `rows`; neither need be there. */
Status h5md_element_clock(TrajectoryReader *reader, hid_t at, const char *path, int64_t rows,
                          const char *like, H5mdClock *clock, Error *error)
{
  *clock = (H5mdClock){.id = -1, .factor = 1.0};
  hid_t id;
  const H5I_type_t type = h5md_element_object(at, path, &id);
  if (type != H5I_DATASET) {
    h5md_element_close_object(id);
    return type == H5I_BADID ? STATUS_OK : h5md_element_wrong(reader, path, "cannot be read", error);
  }
  const hid_t space = H5Dget_space(id);
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  const int64_t n = rank == 0 || rank == 1 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
  if (space >= 0)
    H5Sclose(space);
  Status status = STATUS_OK;
  if (!is_number(id) || n < 0 || (rank == 1 && n < rows))
    status = h5md_element_wrong(reader, path, "does not have one number for each frame", error);
  if (status == STATUS_OK)
    status = check_storage(reader, id, path, error);
  if (status == STATUS_OK && like != NULL)
    status = h5md_element_get_unit(reader, id, path, like, &clock->factor, error);
  if (status == STATUS_OK && rank == 0) {
    clock->even = true;
    clock->offset = get_offset(id);
    if (H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &clock->increment) < 0)
      status = h5md_element_wrong(reader, path, "cannot be read", error);
  }
  if (status == STATUS_OK && rank == 1)
    clock->id = id;
  else
    H5Oclose(id);
  return status;
}

/* Number `row`, NAN if nothing says it. */
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
